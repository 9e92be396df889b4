//! A program's memory copied out and in again takes it back to where it was.

use crate::prelude::*;

/// A session: `push` puts numbers on a list in the heap, whose nodes are linked by addresses and
/// hold the value of a function; `sum` calls that for each.
const TEXT: &str = "m: module
import heap
export push
export sum
p_heap: proto i64
p_one: proto i64, i64:n
p_scale: proto i64, i64:n
first: i64 0
next: i64 0
scale: i64 3
scaled: func i64, i64:n
 local i64:s, i64:r
 mov s, scale
 mul r, n, i64:(s)
 ret r
endfunc
plain: func i64, i64:n
 ret n
endfunc
push: func i64, i64:n
 local i64:a, i64:f, i64:at, i64:g
 mov f, next
 mov at, i64:(f)
 bne there, at, 0
 call p_heap, heap, at
there: add g, at, 24
 mov i64:(f), g
 mov f, first
 mov i64:(at), n
 mov a, i64:(f)
 mov i64:8(at), a
 mov i64:16(at), scaled
 blt odd, n, 10
 mov i64:16(at), plain
odd: mov i64:(f), at
 mov f, scale
 add i64:(f), i64:(f), 1
 ret at
endfunc
sum: func i64, i64:start
 local i64:at, i64:f, i64:s, i64:r
 mov s, start
 mov f, first
 mov at, i64:(f)
again: beq end, at, 0
 mov f, i64:16(at)
 call p_one, f, r, i64:(at)
 add s, s, r
 mov at, i64:8(at)
 jmp again
end: ret s
endfunc
endmodule
";

static HEAP: fn(&mut Memory<'_>) -> u64 = |_| 8192;

/// Makes a program in a space of its own, and has `session` use it.
fn with_program<T>(
    way: Way,
    offset: usize,
    session: impl FnOnce(&mut dyn FnMut(&str, i64) -> i64, &mut dyn FnMut(&mut [u8], bool)) -> T,
) -> T {
    let mut memory = Guarded::new(1 << 16, offset);
    let (fuel, stack) = (AtomicU64::new(0), AtomicUsize::new(0));
    let result = {
        let options = confined::Options::default();
        let space = Space::new(&SystemAllocator, memory.bytes(), options).unwrap();
        let context = context();
        let mut program = Program::new(&context, &space).unwrap();
        program.define_fn(b"heap", &HEAP).unwrap();
        program.load(modules(TEXT).unwrap().remove(0)).unwrap();
        program.link().unwrap();
        let jit = compiler(&context, &program, way, Proofs::All, &fuel, &stack);
        let program = core::cell::RefCell::new(program);
        session(
            &mut |name, number| {
                let (setup, program) = (Setup::default(), &mut program.borrow_mut());
                let (result, _) = setup.call(program, jit.as_ref(), name, &[number], &fuel);
                result.unwrap()
            },
            &mut |copy, is_restored| {
                let done = program
                    .borrow_mut()
                    .with_memory(|memory| match is_restored {
                        true => memory.copy_from_slice(copy),
                        false => copy.copy_from_slice(memory),
                    });
                assert_eq!(done, Some(()));
            },
        )
    };
    memory.take();
    result
}

#[test]
fn a_session_goes_on_from_a_copy_of_the_memory() {
    for way in Way::all() {
        on_large_stack(|| {
            let mut copy = vec![0; 1 << 16];
            with_program(way, 0, |call, memory| {
                call("push", 5);
                call("push", 20);
                memory(&mut copy, false);
                // 5 is scaled by the number of pushes and 3 more.
                assert_eq!(call("sum", 1000), 1000 + 5 * 5 + 20);
                call("push", 7);
                assert_eq!(call("sum", 0), (5 + 7) * 6 + 20);
                memory(&mut copy, true);
                assert_eq!(call("sum", 1000), 1000 + 5 * 5 + 20);
                assert_eq!(call("push", 1), 8192 + 48);
                memory(&mut copy, false);
            });
            // Another context, at another address.
            with_program(way, 5, |call, memory| {
                call("push", 1000);
                memory(&mut copy, true);
                assert_eq!(call("sum", 0), (5 + 1) * 6 + 20);
                assert_eq!(call("push", 2), 8192 + 72);
                assert_eq!(call("sum", 0), (5 + 1 + 2) * 7 + 20);
            });
        });
    }
}
