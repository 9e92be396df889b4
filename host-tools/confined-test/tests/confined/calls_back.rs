//! Imports that call functions of the program that called them.

use crate::images::run_calls_back;
use crate::prelude::*;
use mir_nostd::confined::{CALL_FAILED, MOST_CALLS_BACK};
use mir_nostd::ir::Problem;

const TEXT: &str = "m: module
import again
import swallow
export main
export outer
export kept
export fuel
export endless
export value
export leaf
p: proto i64, i64:f, i64:n
leaf: func i64, i64:n
 local i64:r
 add r, n, 1
 ret r
endfunc
bad: func i64, i64:a
 local i64:p, i64:r
 alloca p, 64
 mov r, i64:(a)
 ret r
endfunc
spin: func i64, i64:n
 local i64:r
again: add n, n, 1
 jmp again
endfunc
inner: func i64, i64:n
 local i64:r
 call p, again, r, leaf, n
 add r, r, 10
 ret r
endfunc
main: func i64, i64:n
 local i64:r
 call p, again, r, inner, n
 add r, r, 100
 ret r
endfunc
fault: func i64, i64:n
 local i64:r
 mov r, 1
 call p, again, r, bad, n
 ret r
endfunc
outer: func i64, i64:n
 local i64:r
 call p, again, r, fault, n
 ret r
endfunc
kept: func i64, i64:n
 local i64:a, i64:b, i64:r
 alloca a, 16
 call p, swallow, r, fault, n
 alloca b, 16
 sub a, a, b
 add r, r, a
 ret r
endfunc
fuel: func i64, i64:n
 local i64:r
 call p, again, r, spin, n
 ret r
endfunc
endless: func i64, i64:n
 local i64:r
 add n, n, 1
 mov i64:4096, n
 call p, again, r, endless, n
 ret r
endfunc
value: func i64, i64:n
 local i64:r
 call p, again, r, n, n
 ret r
endfunc
endmodule
";

/// Calls a function of the program and returns what it returns.
fn again(memory: &mut Memory<'_>, function: u64, number: i64) -> Result<i64, HostError> {
    let mut results = [Value::ZERO];
    memory.call(function, &[Value::from_i64(number)], &mut results)?;
    Ok(results[0].i64())
}

/// Does the same, and goes on if that faults: it returns 1000 more than what a function of this
/// name returns that does not. With 8 it tries once more.
fn swallow(memory: &mut Memory<'_>, function: u64, number: i64) -> Result<i64, HostError> {
    let mut results = [Value::ZERO];
    let arguments = [Value::from_i64(number)];
    match memory.call(function, &arguments, &mut results) {
        Ok(()) => Ok(results[0].i64()),
        Err(_) => {
            memory.call(b"leaf", &arguments, &mut results)?;
            if number == 8 {
                memory.call(function, &arguments, &mut results)?;
            }
            Ok(1000 + results[0].i64())
        }
    }
}

type Typed = fn(&mut Memory<'_>, u64, i64) -> Result<i64, HostError>;
static AGAIN: Typed = again;
static SWALLOW: Typed = swallow;

/// The outcome of a call: the result or the fault, the calls under way, and the fuel that is left.
type Ended = (Result<i64, Place>, Trace, u64);

fn run(way: Way, calls: &[(&str, i64)]) -> (Vec<Ended>, Vec<u8>) {
    let mut memory = pattern(1 << 16);
    let (fuel, stack) = (AtomicU64::new(0), AtomicUsize::new(0));
    let options = confined::Options::default();
    let mut ended = Vec::new();
    {
        let space = Space::new(&SystemAllocator, &mut memory, options).unwrap();
        let context = context();
        let mut program = Program::new(&context, &space).unwrap();
        program.define_fn(b"again", &AGAIN).unwrap();
        program.define_fn(b"swallow", &SWALLOW).unwrap();
        program.load(modules(TEXT).unwrap().remove(0)).unwrap();
        program.link().unwrap();
        let jit = compiler(&context, &program, way, Proofs::All, &fuel, &stack);
        let setup = Setup::default();
        for &(name, number) in calls {
            let (result, left) = setup.call(&mut program, jit.as_ref(), name, &[number], &fuel);
            ended.push((result, trace(&program), left));
        }
    }
    (ended, memory)
}

#[test]
fn imports_call_back_in_every_engine() {
    let calls = [
        ("main", 5),
        ("outer", 7),
        ("kept", 7),
        ("fuel", 0),
        ("endless", 0),
        ("value", 12345),
        ("main", -1),
        ("kept", 8),
    ];
    let (ended, memory) = on_large_stack(|| run(Way::Interpreted, &calls));
    let place = |reason, name: &str, number| Err((reason, name.to_owned(), Some(number)));
    let frames = |frames: &[(&str, u32)]| {
        let frames = frames.iter();
        frames
            .map(|&(name, number)| (name.to_owned(), Some(number)))
            .collect::<Vec<_>>()
    };
    assert_eq!(ended[0].0, Ok(116));
    assert_eq!(ended[1].0, place(Reason::BadAddress(7), "bad", 1));
    let calls_to_bad = frames(&[("bad", 1), ("fault", 1), ("outer", 0)]);
    assert_eq!(ended[1].1, (calls_to_bad, false));
    // The stack that the call back took is given back.
    assert_eq!(ended[2].0, Ok(1000 + 8 + 16));
    assert_eq!(ended[2].1, (vec![], false));
    assert_eq!(ended[3].0, place(Reason::OutOfFuel, "spin", 1));
    assert_eq!(ended[3].1.0.last(), Some(&("fuel".to_owned(), Some(0))));
    assert_eq!(ended[4].0, place(Reason::Stack, "endless", 2));
    assert_eq!(ended[4].1, (frames(&[("endless", 2); 16]), true));
    let depth = i64::from_ne_bytes(memory[..8].try_into().unwrap());
    assert_eq!(depth, i64::from(MOST_CALLS_BACK) + 1);
    assert_eq!(ended[5].0, place(Reason::BadFunction(12345), "value", 0));
    assert_eq!(ended[6].0, Ok(110));
    // The first fault left nothing.
    let calls_to_bad = frames(&[("bad", 1), ("fault", 1), ("kept", 1)]);
    assert_eq!(ended[7].1, (calls_to_bad, false));
    for way in Way::all() {
        let found = on_large_stack(|| run(way, &calls));
        assert_eq!((&found.0, found.1 == memory), (&ended, true), "{way:?}");
    }
    let ended: Vec<_> = { ended.into_iter() }
        .map(|(result, _, left)| (result, left))
        .collect();
    let setup = Setup {
        text: TEXT,
        bytes: memory.len(),
        ..Setup::default()
    };
    for level in 0..=3 {
        let found = on_large_stack(|| run_calls_back(&setup, level, &calls));
        assert_eq!(found.0, ended, "image, level {level}");
        assert!(found.1 == memory, "image, level {level}");
    }
}

#[test]
fn calls_that_do_not_fit_are_refused() {
    let outcomes = std::sync::Mutex::new(Vec::new());
    let mut memory = vec![0; 8192];
    let ask = |memory: &mut Memory<'_>, own: u64| {
        let mut results = [Value::ZERO; 2];
        let none: &[Value] = &[];
        let mut call = |callee: confined::Callee<'_>, arguments: &[Value], count: usize| {
            let ran = memory.call(callee, arguments, &mut results[..count]);
            outcomes
                .lock()
                .unwrap()
                .push(ran.map_err(|fault| fault.reason));
        };
        call(own.into(), none, 0);
        call(own.into(), &[Value::ZERO], 2);
        call((own + 1).into(), &[Value::ZERO], 1);
        call((own + (1 << 30)).into(), &[Value::ZERO], 1);
        call(0.into(), &[Value::ZERO], 1);
        call(b"hidden".into(), &[Value::ZERO], 1);
        call(own.into(), &[Value::ZERO], 1);
        Err::<(), _>(HostError(CALL_FAILED))
    };
    let text = "m: module\nimport ask\nexport main\np: proto i64:f\nhidden: func i64, i64:n\nret 9\nendfunc\n\
                main: func\ncall p, ask, hidden\nret\nendfunc\nendmodule\n";
    {
        let options = confined::Options::default();
        let space = Space::new(&SystemAllocator, &mut memory, options).unwrap();
        let context = context();
        let mut program = Program::new(&context, &space).unwrap();
        program.define_fn(b"ask", &ask).unwrap();
        program.load(modules(text).unwrap().remove(0)).unwrap();
        program.link().unwrap();
        // The last call back did not fault, so there is no fault to pass on.
        let fault = program.interpret(b"main", &[], &mut [], FUEL).unwrap_err();
        assert_eq!(fault.reason, Reason::Host(HostError(CALL_FAILED)));
    }
    let outcomes = outcomes.into_inner().unwrap();
    let no = |value| Err(Reason::BadFunction(value));
    let own = 1 << 40;
    let signature = Err(Reason::Signature);
    assert_eq!(outcomes[..2], [signature, signature]);
    // `ask` is function 0.
    assert_eq!(outcomes[2], no(own + 16 + 1));
    assert_eq!(outcomes[3], no(own + 16 + (1 << 30)));
    assert_eq!(outcomes[4..], [no(0), Err(Reason::NotLinked), Ok(())]);
}

#[test]
fn an_import_cannot_link_or_run_the_program_that_called_it() {
    let mut memory = vec![0; 8192];
    let text = "m: module\nimport ask\nexport main\np: proto i64\nmain: func i64\nlocal i64:r\n\
                call p, ask, r\nret r\nendfunc\nendmodule\n";
    let options = confined::Options::default();
    let space = Space::new(&SystemAllocator, &mut memory, options).unwrap();
    // It cannot borrow its own context, which it must outlive, but make another.
    let ask = |_: &mut Memory<'_>| {
        let other = context();
        let refused = Program::new(&other, &space).map(|_| ());
        i64::from(refused.is_err_and(|error| error.problem == Problem::ConfinedSpace))
    };
    let context = context();
    let mut program = Program::new(&context, &space).unwrap();
    program.define_fn(b"ask", &ask).unwrap();
    program.load(modules(text).unwrap().remove(0)).unwrap();
    program.link().unwrap();
    let mut results = [Value::ZERO];
    program.interpret(b"main", &[], &mut results, FUEL).unwrap();
    assert_eq!(results[0].i64(), 1);
    assert_eq!(program.link().unwrap_err().problem, Problem::ConfinedLinked);
}
