//! Tests of the embedder's side: imports, windows, several programs, calls after faults.

use crate::prelude::*;
use mir_nostd::interp::{self, Interpreter};
use mir_nostd::ir::Problem;
use mir_nostd::link::Callable;
use mir_nostd::link::FunctionError;
use mir_nostd::run::CallError;

const IMPORTS: &str = "m: module
import change
import fail
export ask
export failing
export plain
p_change: proto i64, i64:a, i64:n
p_fail: proto i64, i64:a
ask: func i64, i64:a, i64:n
 local i64:r
 call p_change, change, r, a, n
 ret r
endfunc
failing: func i64, i64:code
 local i64:r
 mov r, 1
 call p_fail, fail, r, code
 mov i64:4096, r
 ret r
endfunc
plain: func i64
 ret 8
endfunc
endmodule
";

#[test]
fn imports_are_given_addresses_of_the_program() {
    let bytes = 5000;
    let end = FIRST + bytes as i64;
    let outside = Err((Reason::Host(HostError(confined::BAD_ADDRESS)), 0));
    let mut memory = pattern(bytes);
    let mut cases = Vec::new();
    for (address, count) in [(FIRST, 10), (end - 10, 10), (end, 0), (FIRST, bytes as i64)] {
        let mut sum = 0;
        for byte in &mut memory[(address - FIRST) as usize..][..count as usize] {
            sum += i64::from(*byte);
            *byte ^= 0x5A;
        }
        cases.push(("ask", vec![address, count], Ok(sum)));
    }
    for (address, count) in [
        (FIRST - 1, 1),
        (0, 0),
        (0, 1),
        (end, 1),
        (end - 9, 10),
        (FIRST, bytes as i64 + 1),
        (FIRST, -1),
        (FIRST, i64::MAX),
        (FIRST, i64::MIN),
        (-1, 2),
        (-1, -1),
        (end, i64::MIN),
        (1 << 40, 1),
        (1 << 33, 1),
        (end + 1, 0),
    ] {
        cases.push(("ask", vec![address, count], outside));
        cases.push(("plain", vec![], Ok(8)));
    }
    let setup = Setup {
        text: IMPORTS,
        bytes,
        ..Setup::default()
    };
    let outcome = check(setup, &cases);
    assert_eq!(outcome.memory, memory);
}

#[test]
fn an_import_that_fails_ends_the_run() {
    let failed = |code| Err((Reason::Host(HostError(code)), 1));
    let cases = vec![
        ("failing", vec![7], failed(7)),
        ("plain", vec![], Ok(8)),
        ("failing", vec![0], failed(0)),
        ("failing", vec![-1], failed(u32::MAX)),
        ("plain", vec![], Ok(8)),
    ];
    let setup = Setup {
        text: IMPORTS,
        ..Setup::default()
    };
    let outcome = check(setup, &cases);
    assert_eq!(outcome.memory, pattern(8192));
}

const WINDOWS: &str = "m: module
import change
export get
export set
export wide
export ask
p_change: proto i64, i64:a, i64:n
get: func i64, i64:a
 local i64:r
 mov r, u8:(a)
 ret r
endfunc
wide: func i64, i64:a
 local i64:r
 mov r, u64:(a)
 ret r
endfunc
set: func i64, i64:a
 mov u8:(a), 99
 ret a
endfunc
ask: func i64, i64:a, i64:n
 local i64:r
 call p_change, change, r, a, n
 ret r
endfunc
endmodule
";

#[test]
fn windows_are_accessed_as_they_were_granted() {
    let (readable, writable) = (1_i64 << 33, (1_i64 << 33) + 40);
    let bytes = pattern(40);
    let word = |at: usize| i64::from_ne_bytes(bytes[at..at + 8].try_into().unwrap());
    let outside = Err((Reason::Host(HostError(confined::BAD_ADDRESS)), 0));
    let cases = vec![
        ("get", vec![readable], Ok(0)),
        ("get", vec![readable + 39], Ok(i64::from(bytes[39]))),
        ("wide", vec![readable + 32], Ok(word(32))),
        // Across the end, although another window begins there.
        ("wide", vec![readable + 33], bad_address(readable + 33)),
        ("wide", vec![readable - 1], bad_address(readable - 1)),
        ("get", vec![readable - 1], bad_address(readable - 1)),
        ("get", vec![writable + 40], bad_address(writable + 40)),
        ("set", vec![readable], bad_address(readable)),
        ("set", vec![readable + 39], bad_address(readable + 39)),
        ("set", vec![writable], Ok(writable)),
        ("set", vec![writable + 39], Ok(writable + 39)),
        ("set", vec![writable + 40], bad_address(writable + 40)),
        ("get", vec![i64::MIN], bad_address(i64::MIN)),
        ("get", vec![-1], bad_address(-1)),
        ("get", vec![1 << 34], bad_address(1 << 34)),
        ("ask", vec![readable, 1], outside),
        ("ask", vec![readable, 41], outside),
        ("ask", vec![writable + 1, 1], Ok(37)),
        ("ask", vec![writable + 1, -1], outside),
    ];
    let setup = Setup {
        text: WINDOWS,
        options: confined::Options {
            windows: true,
            ..confined::Options::default()
        },
        windows: vec![
            (readable as u64, 40, Access::Read),
            (writable as u64, 40, Access::Write),
        ],
        ..Setup::default()
    };
    let outcome = check(setup, &cases);
    assert_eq!(outcome.windows[0], bytes);
    let mut written = bytes;
    (written[0], written[1], written[39]) = (99, 37 ^ 0x5A, 99);
    assert_eq!(outcome.windows[1], written);
}

/// Loads a text and links it.
fn link(program: &mut Program<'_, '_>, text: &str) -> Result<(), Error> {
    define(program)?;
    for module in modules(text)? {
        program.load(module)?;
    }
    program.link()
}

fn interpret(program: &mut Program<'_, '_>, name: &str, arguments: &[i64]) -> Result<i64, Reason> {
    let arguments: Vec<Value> = arguments.iter().map(|&n| Value::from_i64(n)).collect();
    let mut results = [Value::ZERO];
    let ran = program.interpret(name.as_bytes(), &arguments, &mut results, FUEL);
    ran.map(|()| results[0].i64()).map_err(|fault| fault.reason)
}

#[test]
fn a_window_that_was_taken_back_is_gone() {
    let (mut memory, mut granted) = (vec![0; 8192], [7; 8]);
    let options = confined::Options {
        windows: true,
        ..confined::Options::default()
    };
    let space = Space::new(&SystemAllocator, &mut memory, options).unwrap();
    let context = context();
    let mut program = Program::new(&context, &space).unwrap();
    link(&mut program, WINDOWS).unwrap();
    let at = 1_i64 << 33;
    let gone = Err(Reason::BadAddress(at as u64));
    assert_eq!(interpret(&mut program, "set", &[at]), gone);
    let mut packet = [5; 16];
    for _ in 0..20 {
        let lent = program.lend(at as u64, &mut packet, Access::Write, |program| {
            assert_eq!(interpret(program, "set", &[at]), Ok(at));
            interpret(program, "get", &[at])
        });
        assert_eq!(lent, Ok(Ok(99)));
        assert_eq!(interpret(&mut program, "set", &[at]), gone);
        assert_eq!(interpret(&mut program, "get", &[at]), gone);
    }
    let panicked = std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| {
        program.lend(at as u64, &mut packet, Access::Write, |_| {
            std::panic::resume_unwind(Box::new(()))
        })
    }));
    assert!(panicked.is_err());
    assert_eq!(interpret(&mut program, "get", &[at]), gone);
    program
        .grant(at as u64, &mut granted, Access::Read)
        .unwrap();
    let lent = program.lend(at as u64, &mut packet, Access::Write, |program| {
        interpret(program, "get", &[at + 8])
    });
    assert_eq!(lent, Ok(Ok(5)));
    assert_eq!(interpret(&mut program, "get", &[at]), Ok(7));
    let gone = Err(Reason::BadAddress(at as u64 + 8));
    assert_eq!(interpret(&mut program, "get", &[at + 8]), gone);
    for address in [0, FIRST as u64, (1 << 33) - 1] {
        let refused = program.lend(address, &mut packet, Access::Read, |_| ());
        assert_eq!(refused.unwrap_err().problem, Problem::ConfinedWindow);
    }
}

const STRINGS: &str = "m: module
import measure
export greeting
export literal
export given
export word
p: proto i64, i64:a
greeting: string \"hello\"
literal: func i64
 local i64:r
 call p, measure, r, \"four\"
 ret r
endfunc
given: func i64, i64:a
 local i64:r
 call p, measure, r, a
 ret r
endfunc
word: func i64, i64:a
 ret i64:(a)
endfunc
endmodule
";

/// An import that returns the length of a string of the program's.
fn measure(
    memory: &mut Memory<'_>,
    arguments: &[Value],
    results: &mut [Value],
) -> Result<(), HostError> {
    let string = memory.c_string(arguments[0].u64())?;
    results[0] = Value::from_u64(string.len() as u64);
    Ok(())
}

#[test]
fn exported_data_is_found_and_strings_are_read() {
    type Import = fn(&mut Memory<'_>, &[Value], &mut [Value]) -> Result<(), HostError>;
    static MEASURE: Import = measure;
    let mut memory = vec![0; 8192];
    let end = FIRST as u64 + memory.len() as u64;
    let space = Space::new(&SystemAllocator, &mut memory, Default::default()).unwrap();
    let context = context();
    let mut program = Program::new(&context, &space).unwrap();
    let spec = SignatureSpec {
        results: &[Type::I64],
        args: &[ArgSpec::new(Type::I64, "a")],
        vararg: false,
    };
    program.define(b"measure", spec, &MEASURE).unwrap();
    link(&mut program, STRINGS).unwrap();
    let greeting = program.address(b"greeting").unwrap();
    assert_eq!(program.address(b"given"), None);
    assert_eq!(program.address(b"nothing"), None);
    let heap = program.heap();
    assert!(greeting + 6 <= heap.start && heap.start < heap.end && heap.end <= end);
    assert_eq!(interpret(&mut program, "literal", &[]), Ok(4));
    assert_eq!(interpret(&mut program, "given", &[greeting as i64]), Ok(5));
    let first = (greeting - FIRST as u64) as usize;
    program.with_memory(|memory| {
        assert_eq!(memory[first..][..6], *b"hello\0");
        memory[first + 5..].fill(1);
    });
    let outside = Err(Reason::Host(HostError(confined::BAD_ADDRESS)));
    for address in [greeting, 0, end, end + 1, u64::MAX] {
        let address = address.cast_signed();
        assert_eq!(interpret(&mut program, "given", &[address]), outside);
    }
    let mut results = [Value::ZERO];
    let mut fault = |name: &[u8], address: u64| {
        let arguments = [Value::from_u64(address)];
        let ran = program.interpret(name, &arguments, &mut results, FUEL);
        ran.unwrap_err()
    };
    let bad = fault(b"word", end);
    assert_eq!(bad.address(), Some(end));
    assert_eq!(bad.to_string(), bad.reason.to_string());
    assert_eq!(fault(b"given", end).address(), None);
}

const SAME: &str = "m: module
import change
export cell
export main
cell: i64 0
main: func i64, i64:a
 mov i64:4104, a
 add i64:4112, i64:4112, 1
 ret i64:4112
endfunc
endmodule
";

#[test]
fn programs_in_one_context_do_not_meet() {
    let [mut first, mut second] = [vec![0; 4096], vec![0; 6000]];
    {
        let options = confined::Options::default();
        let spaces = [
            Space::new(&SystemAllocator, &mut first, options).unwrap(),
            Space::new(&SystemAllocator, &mut second, options).unwrap(),
        ];
        let context = context();
        let mut programs: Vec<_> = { spaces.iter() }
            .map(|space| Program::new(&context, space).unwrap())
            .collect();
        let taken = Program::new(&context, &spaces[0]).unwrap_err();
        assert_eq!(taken.problem, Problem::ConfinedSpace);
        for program in &mut programs {
            link(program, SAME).unwrap();
        }
        for (times, value) in [(1, 11), (2, 22), (3, 33)] {
            for program in &mut programs {
                assert_eq!(interpret(program, "main", &[value]), Ok(times));
            }
        }
        assert_eq!(interpret(&mut programs[1], "main", &[44]), Ok(4));
    }
    let words = |memory: &[u8]| {
        let word = |at: usize| i64::from_ne_bytes(memory[at..at + 8].try_into().unwrap());
        (word(8), word(16))
    };
    assert_eq!((words(&first), words(&second)), ((33, 3), (44, 4)));
}

#[test]
fn names_of_other_programs_are_not_found() {
    let [mut first, mut second] = [vec![0; 4096], vec![0; 4096]];
    let options = confined::Options::default();
    let spaces = [
        Space::new(&SystemAllocator, &mut first, options).unwrap(),
        Space::new(&SystemAllocator, &mut second, options).unwrap(),
    ];
    let context = context();
    let mut owner = Program::new(&context, &spaces[0]).unwrap();
    link(&mut owner, SAME).unwrap();
    let mut thief = Program::new(&context, &spaces[1]).unwrap();
    let text = "m: module\nimport main\nexport call\np: proto i64, i64:a\ncall: func i64\nlocal i64:r\n\
                call p, main, r, 1\nret r\nendfunc\nendmodule\n";
    let refused = link(&mut thief, text).unwrap_err();
    assert_eq!(refused.problem, Problem::UnresolvedImport);
    // A program that is not linked runs nothing, and the other one goes on.
    assert_eq!(interpret(&mut thief, "call", &[]), Err(Reason::NotLinked));
    assert_eq!(interpret(&mut owner, "main", &[1]), Ok(1));
}

/// Returns the functions of a context.
fn callables<'c, 'm>(context: &'c Context<'m>) -> Vec<&'c Callable<'m>> {
    let modules = (0..context.linked_modules()).filter_map(|number| context.module(number));
    modules
        .flat_map(|linked| linked.callables().iter())
        .collect()
}

#[test]
fn functions_do_not_run_past_their_program() {
    let mut memory = vec![0; 4096];
    let (fuel, stack) = (AtomicU64::new(FUEL), AtomicUsize::new(0));
    let space = Space::new(&SystemAllocator, &mut memory, confined::Options::default()).unwrap();
    let context = context();
    let mut program = Program::new(&context, &space).unwrap();
    link(&mut program, SAME).unwrap();
    let options = run::Options {
        fuel: Some(&fuel),
        stack_limit: Some(&stack),
        ..run::Options::default()
    };
    let backend = testkit::host_backend();
    let jit = Jit::new(&context, backend, target_all::NATIVE, &PAGES, options).unwrap();
    program
        .compile(&jit, &mut |_, error| panic!("{error}"))
        .unwrap();
    let arguments = [Value::from_u64(1)];
    let mut results = [Value::ZERO];
    for callable in callables(&context) {
        let mut interpreter = Interpreter::new(&context, interp::Options::default()).unwrap();
        let stop = interpreter
            .run(callable, &arguments, &mut results)
            .unwrap_err();
        assert_eq!(stop.reason, Reason::NotLinked);
        // SAFETY: it is refused.
        let called = unsafe { jit.call(callable, &arguments, &mut results) };
        assert!(
            matches!(called, Err(CallError::Function(FunctionError::NotLinked))),
            "{called:?}"
        );
    }
    // A compiler without limits is refused.
    let free = run::Options::default();
    let free = Jit::new(&context, backend, target_all::NATIVE, &PAGES, free).unwrap();
    let ran = program.run(&free, b"main", &arguments, &mut results);
    assert_eq!(ran.unwrap_err().reason, Reason::NotLinked);
    program
        .run(&jit, b"main", &arguments, &mut results)
        .unwrap();
    assert_eq!(results[0].u64(), 1);
    for (name, arguments, results) in [
        ("main", 0, 1),
        ("main", 2, 1),
        ("main", 1, 0),
        ("cell", 1, 1),
    ] {
        let ran = program.interpret(
            name.as_bytes(),
            &vec![Value::ZERO; arguments],
            &mut vec![Value::ZERO; results],
            FUEL,
        );
        let reason = ran.unwrap_err().reason;
        assert!(
            matches!(reason, Reason::Signature | Reason::NotLinked),
            "{name}: {reason}"
        );
    }
}

#[test]
fn fuel_ends_loops() {
    let text = "m: module
export main
main: func i64, i64:n
again: add i64:4096, i64:4096, 1
 sub n, n, 1
 bne again, n, 0
 ret 1
endfunc
endmodule
";
    let setup = Setup {
        text,
        calls: [10, 0, -1, 100, i64::MAX]
            .map(|n| ("main", vec![n]))
            .to_vec(),
        fuel: 2000,
        ..Setup::default()
    };
    let outcome = on_large_stack(|| setup.outcome());
    let results: Vec<_> = { outcome.calls.iter() }
        .map(|(result, _)| result.as_ref().map_err(|place| place.0).copied())
        .collect();
    let ended = Err(Reason::OutOfFuel);
    assert_eq!(results, [Ok(1), ended, ended, Ok(1), ended]);
}

#[test]
fn functions_left_to_the_interpreter_take_the_same_fuel() {
    // Each function calls the next one, and the last one the first, until n is 0.
    let text = "m: module
export first
p: proto i64, i64:n
forward first
second: func i64, i64:n
 local i64:r
again: sub n, n, 1
 bgt again, n, 7
 mov r, n
 bgt more, n, 0
 ret 1
more: call p, first, r, n
 add r, r, 1
 ret r
endfunc
first: func i64, i64:n
 local i64:r
 sub n, n, 1
 mov r, n
 bgt less, n, 0
 ret 2
less: call p, second, r, n
 add r, r, 1
 ret r
endfunc
endmodule
";
    for (fuel, level) in (1..120).zip([0, 1, 2, 3].into_iter().cycle()) {
        let setup = Setup {
            text,
            calls: vec![
                ("first", vec![6]),
                ("first", vec![40]),
                ("first", vec![i64::MAX]),
            ],
            fuel,
            ..Setup::default()
        };
        on_large_stack(|| {
            let expected = setup.run(Way::Interpreted).unwrap().calls;
            assert_eq!(setup.run(Way::Half(level)).unwrap().calls, expected);
        });
    }
}

#[test]
fn fuel_ends_at_the_same_place_in_every_engine() {
    // A jump to a jump, a function that could be inlined, a constant for a loop.
    let text = "m: module
export main
p: proto i64:n
small: func i64:n
 local i64:a, i64:b
 umod a, n, 58150
 ret
endfunc
main: func i64, i64:n, i64:m
 local i64:i, i64:x, f:f, f:g
again: mov i, u64:6500
 ubgts over, 4, m
 fadd f, -0.0f, g
over: jmp next
next: call p, small, n
 blt again, n, 2147483648123
 ret 1
endfunc
endmodule
";
    let mut left = Vec::new();
    // Three iterations of the loop.
    for fuel in 1..24 {
        let setup = Setup {
            text,
            calls: vec![("main", vec![0, 0]), ("main", vec![0, 9])],
            fuel,
            ..Setup::default()
        };
        let outcome = on_large_stack(|| setup.outcome());
        for (result, fuel) in &outcome.calls {
            assert!(matches!(result, Err((Reason::OutOfFuel, ..))), "{result:?}");
            left.push(*fuel);
        }
    }
    assert!(left.contains(&0) && left.iter().any(|&left| left > 0));
}
