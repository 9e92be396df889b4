//! Tests of the interpreter from outside: limits, resuming, faults with their position, threads,
//! native stack, memory.
//!
//! The results of instructions are in the file tests; here are only the properties that a caller in
//! Rust sees.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on panics")]
#![expect(unsafe_code, reason = "programs are trusted with memory")]

use mir_nostd::interp::{Engine, Interpreter, Options, Reason, Stop};
use mir_nostd::ir::{Code, Error, Flags, Mode, Place, Problem, SignatureSpec, Type};
use mir_nostd::link::{Context, ContextOptions, HostError};
use mir_nostd::mem::Allocator;
use mir_nostd::target::{Target, Value};
use mir_nostd::text;
use mir_nostd::verify::Verified;
use testkit::{FailingAllocator, SystemAllocator};

static PLAIN: Engine = Engine::new();
static COUNTING: Engine = Engine::with_fuel();

/// A size of a test; a smaller one under Miri, which takes thousands of times as long.
const fn scaled(size: i64, under_miri: i64) -> i64 {
    if cfg!(miri) { under_miri } else { size }
}

/// Returns a target with this machine's byte order.
fn target() -> &'static Target {
    if cfg!(target_endian = "big") {
        &target_s390x::TARGET
    } else {
        &target_x86_64::TARGET
    }
}

/// Loads and links a text.
fn load(context: &Context<'_>, source: &str) -> Result<(), Error> {
    let allocator = context.allocator();
    let mut report = |error: Error| println!("{error}");
    let long_double = target().long_double;
    let mut modules = text::parse(source.as_bytes(), allocator, long_double, &mut report)?;
    while let Some(module) = modules.pop() {
        // SAFETY: the programs here use only memory of their own.
        unsafe { context.load(Verified::new(module, target(), &mut |_| {})?) }?;
    }
    context.link(&mut |_| None)
}

fn context<'m>(allocator: &'m dyn Allocator, engine: &'m Engine) -> Context<'m> {
    Context::new(ContextOptions::new(allocator, target(), engine))
}

fn with_link_fuel(engine: &'static Engine, link_fuel: u64) -> Context<'static> {
    Context::new(ContextOptions {
        link_fuel,
        ..ContextOptions::new(&SystemAllocator, target(), engine)
    })
}

fn with<T>(engine: &'static Engine, source: &str, body: impl FnOnce(&Context<'static>) -> T) -> T {
    let context = context(&SystemAllocator, engine);
    load(&context, source).unwrap();
    body(&context)
}

fn run<'c>(
    interpreter: &mut Interpreter<'c, 'static>,
    context: &'c Context<'static>,
    name: &str,
    arguments: &[i64],
) -> Result<i64, Stop<'c, 'static>> {
    let callable = context.find_func(name.as_bytes()).unwrap();
    let arguments: Vec<Value> = arguments
        .iter()
        .map(|&value| Value::from_i64(value))
        .collect();
    let mut results = [Value::ZERO];
    interpreter.run(callable, &arguments, &mut results)?;
    Ok(results[0].i64())
}

const RECURSION: &str = "
m: module
 export sum, forever, wide
p: proto i64, i64:n
sum: func i64, i64:n
 local i64:r
 bf none, n
 sub n, n, 1
 call p, sum, r, n
 add r, r, 1
 ret r
none: ret 0
 endfunc
forever: func i64, i64:n
 local i64:r
 call p, forever, r, n
 ret r
 endfunc
wide: func i64, i64:n
 local i64:m, i64:r
 alloca m, 1000
 mov i64:992(m), n
 bf last, n
 sub n, n, 1
 call p, wide, r, n
 add r, r, i64:992(m)
 ret r
last: ret 0
 endfunc
 endmodule
";

/// Runs `body` on 64 KiB of native stack; unoptimised builds, whose frames are large, get more.
fn on_a_small_stack(body: impl FnOnce() + Send) {
    let size = if cfg!(debug_assertions) {
        1 << 20
    } else {
        64 << 10
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(size);
        thread.spawn_scoped(scope, body).unwrap().join().unwrap();
    });
}

#[test]
fn recursion_takes_no_native_stack() {
    with(&PLAIN, RECURSION, |context| {
        on_a_small_stack(|| {
            let mut interpreter = Interpreter::new(context, Options::default()).unwrap();
            let depth = scaled(500_000, 300);
            assert_eq!(
                run(&mut interpreter, context, "sum", &[depth]).unwrap(),
                depth
            );
        });
    });
}

#[test]
fn blocks_across_segments_stay_where_they_are() {
    with(&PLAIN, RECURSION, |context| {
        let mut interpreter = Interpreter::new(context, Options::default()).unwrap();
        // A sum from 1 on, each number kept in a block of its own frame.
        let n = scaled(2000, 60);
        for _ in 0..3 {
            assert_eq!(
                run(&mut interpreter, context, "wide", &[n]).unwrap(),
                n * (n + 1) / 2
            );
        }
    });
}

/// Functions that count down by calls which give up the frame: to one with a larger frame and a
/// block, back by a pointer, with arguments in another order, and with calls inside.
const TAIL_CALLS: &str = "
m: module
 export down
$tail2: proto i64, i64:n, i64:s
$tail3: proto i64, i64:s, i64:x, i64:n
p: proto i64, i64:n
 forward wide
down: func i64, i64:n, i64:s
 local i64:r
 bf done, n
 call $tail3, wide, r, s, 7, n
 ret r
done: ret s
 endfunc
one: func i64, i64:n
 ret 1
 endfunc
wide: func i64, i64:s, i64:x, i64:n
 local i64:a, i64:b, i64:c, i64:m, i64:r, i64:to
 alloca m, 200
 mov a, x
 mov i64:192(m), n
 call p, one, b, a
 add s, s, b
 sub c, i64:192(m), 1
 mov to, down
 call $tail2, to, r, c, s
 ret r
 endfunc
 endmodule
";

#[test]
fn tail_calls_take_neither_depth_nor_stack() {
    for engine in [&PLAIN, &COUNTING] {
        with(engine, TAIL_CALLS, |context| {
            let options = Options {
                stack: 8 << 10,
                depth: 3,
                ..Options::default()
            };
            let mut interpreter = Interpreter::new(context, options).unwrap();
            let n = scaled(1_000_000, 300);
            for _ in 0..2 {
                assert_eq!(
                    run(&mut interpreter, context, "down", &[n, 5]).unwrap(),
                    n + 5
                );
            }
        });
    }
}

#[test]
fn a_run_that_reached_a_limit_goes_on() {
    with(&PLAIN, RECURSION, |context| {
        let options = Options {
            depth: 10,
            ..Options::default()
        };
        let mut interpreter = Interpreter::new(context, options).unwrap();
        assert_eq!(run(&mut interpreter, context, "sum", &[9]).unwrap(), 9);
        let stop = run(&mut interpreter, context, "sum", &[20]).unwrap_err();
        assert_eq!(stop.reason, Reason::Depth);
        assert!(stop.reason.can_resume());
        let mut results = [Value::ZERO];
        let again = interpreter.resume(&mut results).unwrap_err();
        assert_eq!(again.reason, Reason::Depth);
        let mut frames = 0;
        interpreter.backtrace(|frame| {
            frames += 1;
            frame.name() == b"sum"
        });
        assert_eq!(frames, 10);
        interpreter.set_depth(21);
        interpreter.resume(&mut results).unwrap();
        assert_eq!(results[0].i64(), 20);
    });
}

#[test]
fn the_stack_is_limited() {
    with(&PLAIN, RECURSION, |context| {
        let options = Options {
            stack: scaled(64 << 10, 8 << 10) as usize,
            depth: scaled(1_000_000, 300) as usize,
            ..Options::default()
        };
        let mut interpreter = Interpreter::new(context, options).unwrap();
        let n = scaled(1000, 200);
        let stop = run(&mut interpreter, context, "wide", &[n]).unwrap_err();
        assert_eq!(stop.reason, Reason::Stack);
        interpreter.set_stack(16 << 20);
        let mut results = [Value::ZERO];
        interpreter.resume(&mut results).unwrap();
        assert_eq!(results[0].i64(), n * (n + 1) / 2);
        let endless = run(&mut interpreter, context, "forever", &[0]).unwrap_err();
        assert!(matches!(endless.reason, Reason::Stack | Reason::Depth));
        // A run that stopped does not affect the next.
        assert_eq!(run(&mut interpreter, context, "sum", &[100]).unwrap(), 100);
    });
}

const LOOP: &str = "
m: module
 export f
f: func i64, i64:n
 local i64:i, i64:s
 mov i, 0
 mov s, 0
again: add s, s, i
 add i, i, 1
 blt again, i, n
 ret s
 endfunc
 endmodule
";

#[test]
fn fuel_stops_before_a_block_and_more_goes_on() {
    with(&COUNTING, LOOP, |context| {
        let options = Options {
            fuel: 2 + 3 * 10 + 1,
            ..Options::default()
        };
        let mut interpreter = Interpreter::new(context, options).unwrap();
        assert_eq!(run(&mut interpreter, context, "f", &[10]).unwrap(), 45);
        assert_eq!(interpreter.fuel(), 0);
        // Fuel is granted in steps of 1, so that no grant suffices for more than one iteration.
        interpreter.set_fuel(1);
        let mut stop = run(&mut interpreter, context, "f", &[10]).err();
        let mut results = [Value::ZERO];
        let mut granted = 1;
        while let Some(Stop { reason, .. }) = stop {
            assert_eq!(reason, Reason::OutOfFuel);
            granted += 1;
            interpreter.set_fuel(interpreter.fuel() + 1);
            stop = interpreter.resume(&mut results).err();
        }
        assert_eq!((results[0].i64(), granted), (45, 33));
    });
}

#[test]
fn linking_ends_though_the_function_of_an_expr_does_not() {
    for (body, problem) in [
        ("forever: jmp forever", Problem::LinkFuel),
        ("local i64:r; div r, 1, 0; ret r", Problem::ExprStopped),
    ] {
        let source = format!("m: module; f: func i64; {body}; endfunc; expr f; endmodule\n");
        for engine in [&PLAIN, &COUNTING] {
            let error = load(&with_link_fuel(engine, 1000), &source).unwrap_err();
            assert_eq!(error.problem, problem);
        }
    }
}

/// A function of 2002 units of fuel that computes the values of four items, in two modules.
const EXPRS: &str = "
m: module
 export x
f: func i64
 local i64:n
 mov n, 0
more: add n, n, 1
 blt more, n, 1000
 ret n
 endfunc
x: expr f
last: expr f
 endmodule
n: module
 import x
g: func i64
 local i64:n
 mov n, 0
more: add n, n, 1
 blt more, n, 1000
 ret n
 endfunc
 expr g
 expr g
 endmodule
";

#[test]
fn the_functions_of_all_exprs_of_a_link_share_its_fuel() {
    for engine in [&PLAIN, &COUNTING] {
        let enough = with_link_fuel(engine, 4 * 2002);
        load(&enough, EXPRS).unwrap();
        assert_eq!(enough.linked_modules(), 2);
        let scarce = with_link_fuel(engine, 4 * 2002 - 1);
        let error = load(&scarce, EXPRS).unwrap_err();
        assert_eq!(error.problem, Problem::LinkFuel);
        let last = enough.module(1).unwrap().module();
        let last = last.item_named(last.find_name(b"last").unwrap()).unwrap();
        assert_eq!(error.place, Place::Item(last));
        // The modules still wait, and the next attempt has the same fuel.
        assert_eq!(scarce.linked_modules(), 0);
        let again = scarce.link(&mut |_| None).unwrap_err();
        assert_eq!(again, error);
    }
}

const FAULTS: &str = "
m: module
 export outer
p: proto i64, i64:a, i64:b
inner: func i64, i64:a, i64:b
 local i64:r
 add r, a, b
 div r, r, b
 ret r
 endfunc
outer: func i64, i64:a, i64:b
 local i64:r
 call p, inner, r, a, b
 add r, r, 1
 ret r
 endfunc
 endmodule
";

#[test]
fn a_fault_tells_function_and_instruction() {
    with(&PLAIN, FAULTS, |context| {
        let mut interpreter = Interpreter::new(context, Options::default()).unwrap();
        let stop = run(&mut interpreter, context, "outer", &[5, 0]).unwrap_err();
        assert_eq!(stop.reason, Reason::Division);
        assert_eq!(
            stop.to_string(),
            "in `inner`, at `div r, r, b`: division by zero"
        );
        let mut names = Vec::new();
        interpreter.backtrace(|frame| {
            let number = frame
                .module
                .insns(frame.func)
                .position(|insn| Some(insn) == frame.insn);
            names.push((String::from_utf8_lossy(frame.name()).into_owned(), number));
            true
        });
        assert_eq!(
            names,
            [("inner".into(), Some(1)), ("outer".into(), Some(0))]
        );
        assert_eq!(run(&mut interpreter, context, "outer", &[5, 5]).unwrap(), 3);
    });
}

#[test]
fn threads_share_a_context() {
    let shared = context(&SystemAllocator, &PLAIN);
    load(&shared, RECURSION).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..scaled(4, 2) {
            let shared = &shared;
            scope.spawn(move || {
                let mut interpreter = Interpreter::new(shared, Options::default()).unwrap();
                for n in 0..scaled(50, 3) {
                    let n = n * 10 + thread;
                    assert_eq!(run(&mut interpreter, shared, "sum", &[n]).unwrap(), n);
                }
            });
        }
    });
}

#[test]
fn closures_get_arguments_and_can_give_up() {
    let source = "
m: module
 import twice, refuse
 export f, g
p: proto i64, i64:a
f: func i64, i64:a
 local i64:r
 call p, twice, r, a
 ret r
 endfunc
g: func i64, i64:a
 local i64:r
 call p, refuse, r, a
 ret r
 endfunc
 endmodule
";
    let twice = |arguments: &[Value], results: &mut [Value]| -> Result<(), HostError> {
        results[0] = Value::from_i64(arguments[0].i64() * 2);
        Ok(())
    };
    let refuse = |_: &[Value], _: &mut [Value]| -> Result<(), HostError> { Err(HostError(7)) };
    let allocator = SystemAllocator;
    let context = context(&allocator, &PLAIN);
    let args = [mir_nostd::ir::ArgSpec::new(Type::I64, "a")];
    let spec = SignatureSpec {
        results: &[Type::I64],
        args: &args,
        vararg: false,
    };
    context.add_host_fn(b"twice", spec, &twice).unwrap();
    context.add_host_fn(b"refuse", spec, &refuse).unwrap();
    load(&context, source).unwrap();
    let mut interpreter = Interpreter::new(&context, Options::default()).unwrap();
    let mut results = [Value::ZERO];
    let f = context.find_func(b"f").unwrap();
    interpreter
        .run(f, &[Value::from_i64(21)], &mut results)
        .unwrap();
    assert_eq!(results[0].i64(), 42);
    let g = context.find_func(b"g").unwrap();
    let stop = interpreter
        .run(g, &[Value::ZERO], &mut results)
        .unwrap_err();
    assert_eq!(stop.reason, Reason::Host(HostError(7)));
}

#[test]
fn every_failed_allocation_is_an_error_and_leaks_nothing() {
    let operation = |allocator: &FailingAllocator| -> Result<(), String> {
        let context = context(allocator, &PLAIN);
        load(&context, RECURSION).map_err(|error| error.to_string())?;
        let mut interpreter =
            Interpreter::new(&context, Options::default()).map_err(|error| error.to_string())?;
        let callable = context.find_func(b"wide").ok_or("not found")?;
        let mut results = [Value::ZERO];
        interpreter
            .run(callable, &[Value::from_i64(20)], &mut results)
            .map_err(|stop| stop.reason.to_string())?;
        assert_eq!(results[0].i64(), 210);
        Ok(())
    };
    let failed = testkit::sweep(operation, |error| error.contains("out of memory"));
    assert!(failed > 20);
}

/// Returns operands for an instruction of the table by its modes; with `constant`, the last input
/// is a constant.
fn operands(code: Code, label: usize, constant: bool) -> Option<String> {
    let last = code.modes().len().checked_sub(1)?;
    let operand = |(index, mode): (usize, &Mode)| {
        Some(match mode {
            Mode::I if constant && index == last => "3".into(),
            Mode::I => (*["ia", "ib", "ic"].get(index)?).into(),
            Mode::F => ["fa", "fb", "fc", "fd"][index].into(),
            Mode::D => ["da", "db", "dc", "dd"][index].into(),
            Mode::L => ["la", "lb", "lc"][index].into(),
            Mode::OutI => "ia".into(),
            Mode::OutF => "fa".into(),
            Mode::OutD => "da".into(),
            Mode::OutL => "la".into(),
            Mode::Label => format!("l{label}"),
            _ => return None,
        })
    };
    let words: Option<Vec<String>> = code.modes().iter().enumerate().map(operand).collect();
    Some(words?.join(", "))
}

/// Returns a function that performs, `n` times, every instruction of the table that needs no
/// context, and the others written by hand; and the number of instructions in one iteration.
fn every_instruction() -> (String, u64) {
    let mut lines = Vec::new();
    let all = Code::ALL.into_iter().enumerate();
    for (label, code) in all.step_by(scaled(1, 10) as usize) {
        let flags = code.flags();
        let alone = !flags.intersects(Flags::INTERNAL | Flags::TERMINATOR | Flags::VARIABLE)
            && !matches!(code, Code::Alloca | Code::Bstart | Code::Bend)
            && !flags.intersects(Flags::TESTS_SIGNED | Flags::TESTS_UNSIGNED)
            && !matches!(code, Code::VaStart | Code::VaEnd | Code::VaBlockArg);
        let text = operands(code, label, false).filter(|_| alone);
        let Some(text) = text else {
            continue;
        };
        lines.push(format!(" {} {text}", code.name()));
        if let Some(text) = operands(code, label, true) {
            lines.push(format!(" {} {text}", code.name()));
        }
        lines.push(format!("l{label}: mov ib, 5"));
        lines.push(" mov ic, 7".into());
    }
    for by_hand in [
        "addo ia, ib, ic",
        "bo b1",
        "b1: subo ia, ib, ic",
        "ubno b2",
        "b2: bstart m",
        "alloca p, ib",
        "mov i64:(p), ib",
        "add i8:(p), u8:(p), i16:2(p)",
        "fmov f:4(p), fb",
        "dmov d:8(p), db",
        "bend m",
        "addr q, v",
        "add i64:(q), i64:(q), 1",
        "and x, i, 3",
        "switch x, s1, s2, s1, s2",
        "s1: s2: laddr q, j1",
        "jmpi q",
        "j1: call p_many, many, ia, da, ib, ic, ia, ib, ic, db",
        "call p_vary, vary, ia, ib, ic",
        "mov g, many",
        "call p_many, g, ia, da, ib, ic, ia, ib, ic, db",
        "mov ia, 9",
    ] {
        lines.push(format!(" {by_hand}"));
    }
    let body = lines.join("\n");
    let count = lines.len() as u64 + 30;
    let source = format!(
        "
m: module
 export f
p_many: proto i64, d, i32:a, i64:b, u8:c, i64:d, i16:e, d:f
p_vary: proto i64, i64:n, ...
many: func i64, d, i32:a, i64:b, u8:c, i64:d, i16:e, d:f
 local i64:m
 alloca m, 8
 add a, a, b
 add a, a, c
 add a, a, d
 add a, a, e
 dadd f, f, f
 ret a, f
 endfunc
vary: func i64, i64:n, ...
 local i64:l, i64:p
 alloca l, 64
 va_start l
 va_arg p, l, i64:0
 va_end l
 ret i64:(p)
 endfunc
f: func i64, i64:n
 local i64:i, i64:ia, i64:ib, i64:ic, f:fa, f:fb, f:fc, f:fd, d:da, d:db, d:dc, d:dd, ld:la, ld:lb, ld:lc
 local i64:m, i64:p, i64:q, i64:v, i64:x, i64:g
 mov i, 0
 mov v, 0
 mov ia, 1
 mov ib, 5
 mov ic, 7
 fmov fa, 1.0f
 fmov fb, 2.0f
 fmov fc, 3.0f
 fmov fd, 4.0f
 dmov da, 1.0
 dmov db, 2.0
 dmov dc, 3.0
 dmov dd, 4.0
 ldmov la, 1.0L
 ldmov lb, 2.0L
 ldmov lc, 3.0L
top: add i, i, 1
{body}
 blt top, i, n
 ret v
 endfunc
 endmodule
"
    );
    (source, count)
}

#[test]
fn a_small_native_stack_suffices_for_every_instruction() {
    let (source, count) = every_instruction();
    assert!(count > scaled(400, 60) as u64);
    let wanted = if cfg!(miri) {
        1
    } else if cfg!(debug_assertions) {
        100_000
    } else {
        10_000_000
    };
    let turns = (wanted / count + 1) as i64;
    for engine in [&PLAIN, &COUNTING] {
        with(engine, &source, |context| {
            on_a_small_stack(|| {
                let mut interpreter = Interpreter::new(context, Options::default()).unwrap();
                assert_eq!(
                    run(&mut interpreter, context, "f", &[turns]).unwrap(),
                    turns
                );
            });
        });
    }
}
