//! The whole path of a program: text, binary, builder, verifier, loading, linking, interpreter,
//! with everything that may go wrong on it. Miri runs this file too (`cargo xtask miri`), so the
//! loops are short.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on panics")]
#![expect(unsafe_code, reason = "programs are trusted with memory")]

use core::sync::atomic::{AtomicBool, Ordering};
use mir_nostd::binary::{self, ReadOptions, WriteOptions};
use mir_nostd::interp::{Engine, Interpreter, Options, Reason};
use mir_nostd::ir::{ArgSpec, Code, Error, Module, Problem, Result, SignatureSpec, Type};
use mir_nostd::link::{Callable, Context, ContextOptions, Exprs, HostError};
use mir_nostd::mem::Vec as LentVec;
use mir_nostd::target::{Entry, GateRegisters, Target, Value};
use mir_nostd::text;
use mir_nostd::verify::Verified;
use std::sync::LazyLock;
use testkit::{FailingAllocator, SystemAllocator};

static PLAIN: Engine = Engine::new();
static COUNTING: Engine = Engine::with_fuel();
static SYSTEM: SystemAllocator = SystemAllocator;

/// Data with references and an expression, calls, memory, variable arguments, a switch, floats and
/// long doubles.
const PROGRAM: &str = "
m: module
 export main, count, divide
 import twice
p_twice: proto i64, i64:n
p_step: proto i64, i64:n
p_sum: proto i64, i64:count, ...
answer: func i64
 ret 5
 endfunc
numbers: i64 1, 2, 3, 4
first: ref numbers, 8
computed: expr answer
step: func i64, i64:n
 local i64:t
 switch n, zero, one
zero: ret 10
one: call p_twice, twice, t, n
 ret t
 endfunc
sum: func i64, i64:count, ...
 local i64:list, i64:at, i64:total
 alloca list, 64
 va_start list
 mov total, 0
more: ble done, count, 0
 va_arg at, list, i64:0
 add total, total, i64:(at)
 sub count, count, 1
 jmp more
done: va_end list
 ret total
 endfunc
main: func i64
 local i64:a, i64:b, i64:place, d:x, ld:y
 call p_step, step, a, 0
 call p_step, step, b, 1
 add a, a, b
 call p_sum, sum, b, 3, 100, 20, 3
 add a, a, b
 mov place, first
 mov b, i64:(place)
 add a, a, i64:(b)
 mov place, computed
 add a, a, i64:(place)
 dmov x, 1.5
 d2ld y, x
 ldadd y, y, y
 ld2i b, y
 add a, a, b
 ret a
 endfunc
count: func i64, i64:n
 local i64:r
 mov r, 0
again: ble out, n, 0
 add r, r, n
 sub n, n, 1
 jmp again
out: ret r
 endfunc
divide: func i64, i64:n
 div n, 100, n
 ret n
 endfunc
endmodule
";

/// The result of `main` of `PROGRAM`: 10 and twice 1 from the steps, 123 from the sum, the second
/// number, the value of the expression, and twice 1.5.
const ANSWER: i64 = 10 + 2 + 123 + 2 + 5 + 3;

/// A target of this machine's byte order.
fn target() -> &'static Target {
    if cfg!(target_endian = "big") {
        &target_s390x::TARGET
    } else {
        &target_x86_64::TARGET
    }
}

fn twice(arguments: &[Value], results: &mut [Value]) -> core::result::Result<(), HostError> {
    results[0] = Value::from_i64(2 * arguments[0].i64());
    Ok(())
}

fn one_argument(context: &Context<'static>, name: &str) {
    let signature = SignatureSpec {
        results: &[Type::I64],
        args: &[ArgSpec::new(Type::I64, "n")],
        vararg: false,
    };
    context
        .add_host_fn(name.as_bytes(), signature, &twice)
        .unwrap();
}

fn parse(source: &str) -> LentVec<'static, Module<'static>> {
    let mut report = |error: Error| println!("{error}");
    text::parse(
        source.as_bytes(),
        &SYSTEM,
        target().long_double,
        &mut report,
    )
    .unwrap()
}

fn load_all(context: &Context<'static>, mut modules: LentVec<'static, Module<'static>>) {
    while let Some(module) = modules.pop() {
        let verified = Verified::new(module, target(), &mut |_| {})
            .map_err(Error::from)
            .unwrap();
        // SAFETY: the programs here use only memory of their own.
        unsafe { context.load(verified) }.unwrap();
    }
}

fn options(engine: &'static Engine) -> ContextOptions<'static> {
    ContextOptions::new(&SYSTEM, target(), engine)
}

/// A context with a program that is loaded and not linked.
fn loaded(source: &str, engine: &'static Engine) -> Context<'static> {
    let context = Context::new(options(engine));
    one_argument(&context, "twice");
    load_all(&context, parse(source));
    context
}

fn linked(source: &str, engine: &'static Engine) -> Context<'static> {
    let context = loaded(source, engine);
    context.link(&mut |_| None).unwrap();
    context
}

/// Runs a function of integers.
fn run(
    context: &Context<'static>,
    name: &str,
    arguments: &[i64],
) -> core::result::Result<i64, Reason> {
    let mut interpreter = Interpreter::new(context, Options::default()).unwrap();
    let arguments: Vec<Value> = arguments.iter().copied().map(Value::from_i64).collect();
    let mut results = [Value::ZERO];
    let callable = context.find_func(name.as_bytes()).unwrap();
    let ran = interpreter.run(callable, &arguments, &mut results);
    ran.map(|()| results[0].i64()).map_err(|stop| stop.reason)
}

#[test]
fn a_program_runs_from_text_and_from_binary() {
    let context = linked(PROGRAM, &PLAIN);
    assert_eq!(run(&context, "main", &[]), Ok(ANSWER));
    assert_eq!(run(&context, "count", &[10]), Ok(55));

    let modules = parse(PROGRAM);
    let bytes = binary::write(
        &modules,
        &SYSTEM,
        &WriteOptions {
            pack: !cfg!(miri),
            ..WriteOptions::new(target().big_endian)
        },
    )
    .unwrap();
    let format = ReadOptions::new(target().long_double, target().big_endian);
    let read = binary::read(&bytes, &SYSTEM, &format).unwrap();
    let context = Context::new(options(&PLAIN));
    one_argument(&context, "twice");
    load_all(&context, read);
    context.link(&mut |_| None).unwrap();
    assert_eq!(run(&context, "main", &[]), Ok(ANSWER));
}

#[test]
fn a_program_from_the_builder_runs() {
    let mut module = Module::new(&SYSTEM, b"built", target().long_double).unwrap();
    let spec = SignatureSpec {
        results: &[Type::I64],
        args: &[ArgSpec::new(Type::I64, "n")],
        vararg: false,
    };
    let mut func = module.build_func("square", spec).unwrap();
    let n = func.arg(0);
    func.emit(Code::Mul, (n, n, n)).unwrap();
    func.emit(Code::Ret, (n,)).unwrap();
    func.finish().unwrap();
    module.export(b"square").unwrap();
    let mut printed = Vec::new();
    let mut print = |bytes: &[u8]| {
        printed.extend_from_slice(bytes);
        Ok(())
    };
    text::print(&module, &mut print).unwrap();
    let again = parse(core::str::from_utf8(&printed).unwrap());
    let context = Context::new(options(&PLAIN));
    load_all(&context, again);
    context.link(&mut |_| None).unwrap();
    assert_eq!(run(&context, "square", &[12]), Ok(144));
}

#[test]
fn a_stopped_run_tells_where_and_goes_on() {
    let context = linked(PROGRAM, &COUNTING);
    let limits = Options {
        fuel: 20,
        ..Options::default()
    };
    let mut interpreter = Interpreter::new(&context, limits).unwrap();
    let count = context.find_func(b"count").unwrap();
    let mut results = [Value::ZERO];
    let stop = interpreter
        .run(count, &[Value::from_i64(10)], &mut results)
        .unwrap_err();
    assert_eq!(stop.reason, Reason::OutOfFuel);
    assert_eq!(stop.at.unwrap().name(), b"count");
    // A module that fails to link meanwhile takes nothing from a run that stands in one that is
    // linked.
    load_all(&context, parse("b: module\n import nowhere\n endmodule\n"));
    assert!(context.link(&mut |_| None).is_err());
    interpreter.set_fuel(1000);
    interpreter.resume(&mut results).unwrap();
    assert_eq!(results[0].i64(), 55);
}

#[test]
fn what_cannot_go_on_is_not_resumed() {
    let context = linked(PROGRAM, &PLAIN);
    let mut interpreter = Interpreter::new(&context, Options::default()).unwrap();
    let divide = context.find_func(b"divide").unwrap();
    let mut results = [Value::ZERO];
    let stop = interpreter.run(divide, &[Value::ZERO], &mut results);
    assert_eq!(stop.unwrap_err().reason, Reason::Division);
    let mut frames = 0;
    interpreter.backtrace(|_| {
        frames += 1;
        true
    });
    assert_eq!(frames, 1);
    let stop = interpreter.resume(&mut results);
    assert_eq!(stop.unwrap_err().reason, Reason::Invalid);
}

/// Before it is linked a function has no address of what it imports, and a failed link frees what
/// was made of it.
#[test]
fn functions_that_are_not_linked_do_not_run() {
    let context = loaded(PROGRAM, &COUNTING);
    let mut interpreter = Interpreter::new(&context, Options::default()).unwrap();
    let count = context.find_func(b"count").unwrap();
    let ten = [Value::from_i64(10)];
    let stop = interpreter
        .run(count, &ten, &mut [Value::ZERO])
        .unwrap_err();
    assert_eq!(stop.reason, Reason::NotLinked);
    assert!(stop.at.is_none() && interpreter.resume(&mut []).is_err());

    let endless = "e: module\n export f\nbad: func i64\n local i64:x\n mov x, 0\n div x, 1, x\n ret x\n endfunc
v: expr bad\nf: func i64\n ret 1\n endfunc\n endmodule\n";
    load_all(&context, parse(endless));
    for _ in 0..2 {
        let error = context.link(&mut |_| None).unwrap_err();
        assert_eq!(error.problem, Problem::ExprStopped);
        assert_eq!(run(&context, "count", &[10]), Err(Reason::NotLinked));
        assert_eq!(run(&context, "f", &[]), Err(Reason::NotLinked));
    }
}

#[test]
fn functions_of_another_context_do_not_run() {
    let ours = linked(PROGRAM, &PLAIN);
    let mut interpreter = Interpreter::new(&ours, Options::default()).unwrap();
    {
        let others = linked(PROGRAM, &PLAIN);
        let divide = others.find_func(b"divide").unwrap();
        let stop = interpreter.run(divide, &[Value::ZERO], &mut [Value::ZERO]);
        let stop = stop.unwrap_err();
        assert_eq!(stop.reason, Reason::NotLinked);
        assert!(stop.at.is_none());
    }
    assert_eq!(run(&ours, "divide", &[5]), Ok(20));
}

#[test]
fn closures_cannot_be_run_as_functions() {
    let context = linked(PROGRAM, &PLAIN);
    assert_eq!(run(&context, "twice", &[1]), Err(Reason::NotLinked));
}

/// The table of functions has room for more than there are; what is vacant is nobody's.
#[test]
fn only_functions_are_found() {
    let context = Context::new(options(&PLAIN));
    for number in 0..20_usize {
        let name = format!("closure{number}");
        one_argument(&context, &name);
        let known = context.find(name.as_bytes()).unwrap();
        assert!(context.callable_at(known).is_some());
        let behind = context.callable_at(known + size_of::<Callable<'_>>());
        assert!(behind.is_none(), "{number}: {behind:?}");
        assert!(context.callable_at(known + 1).is_none());
    }
}

#[test]
fn a_context_that_moves_goes_on() {
    let context = linked(PROGRAM, &PLAIN);
    assert_eq!(run(&context, "main", &[]), Ok(ANSWER));
    let moved = Box::new(context);
    assert_eq!(run(&moved, "main", &[]), Ok(ANSWER));
    load_all(
        &moved,
        parse("b: module\n export g\ng: func i64\n ret 7\n endfunc\n endmodule\n"),
    );
    moved.link(&mut |_| None).unwrap();
    assert_eq!(run(&moved, "g", &[]), Ok(7));
    let back = *moved;
    assert_eq!(run(&back, "g", &[]), Ok(7));
}

const IMPORTER: &str = "i: module\n import late\n export h\np: proto i64\nh: func i64\n local i64:r
 call p, late, r\n ret r\n endfunc\n endmodule\n";
const LATE: &str = "l: module\n export late\nlate: func i64\n ret 3\n endfunc\n endmodule\n";

#[test]
fn the_resolver_can_do_all_but_link() {
    for thread in [None, Some((|| 1) as fn() -> usize)] {
        let context = Context::new(ContextOptions {
            thread,
            ..options(&PLAIN)
        });
        load_all(
            &context,
            parse("g: module\n export g\ng: func i64\n ret 7\n endfunc\n endmodule\n"),
        );
        context.link(&mut |_| None).unwrap();
        load_all(&context, parse(IMPORTER));
        let mut asked = 0;
        context
            .link(&mut |name| {
                asked += 1;
                assert_eq!(name, b"late");
                let error = context.link(&mut |_| None).unwrap_err();
                assert_eq!(error.problem, Problem::LinkUnderWay);
                assert_eq!(run(&context, "g", &[]), Ok(7));
                assert_eq!(run(&context, "h", &[]), Err(Reason::NotLinked));
                assert_eq!(context.linked_modules(), 1);
                assert!(context.module(1).is_none());
                context.add_external(b"data", 8).unwrap();
                one_argument(&context, "closure");
                load_all(&context, parse(LATE));
                context.find(b"late")
            })
            .unwrap();
        assert_eq!((asked, context.linked_modules()), (1, 3));
        assert_eq!(run(&context, "h", &[]), Ok(3));
        context.link(&mut |_| None).unwrap();
    }
}

/// An engine that loads a module while it evaluates an expression, as another thread may.
struct Loading(AtomicBool);

// SAFETY: all is done by the interpreter.
unsafe impl mir_nostd::link::Engine for Loading {
    unsafe fn bind(
        &self,
        context: &Context<'_>,
        callable: &Callable<'_>,
        entry: &Entry,
        registers: GateRegisters,
    ) {
        // SAFETY: as the caller says.
        unsafe { PLAIN.bind(context, callable, entry, registers) };
    }

    fn evaluate(&self, exprs: &mut Exprs<'_, '_>) -> Result<()> {
        if !self.0.swap(true, Ordering::Relaxed) {
            let module = parse(IMPORTER).pop().unwrap();
            let verified = Verified::new(module, target(), &mut |_| {})?;
            // SAFETY: the program is not run before it is linked.
            unsafe { exprs.context().load(verified)? };
        }
        PLAIN.evaluate(exprs)
    }

    unsafe fn release(&self, context: &Context<'_>, code: *mut ()) {
        // SAFETY: as the caller says.
        unsafe { PLAIN.release(context, code) };
    }
}

#[test]
fn what_is_loaded_too_late_waits_for_the_next_link() {
    static LOADING: Loading = Loading(AtomicBool::new(false));
    let context = Context::new(ContextOptions::new(&SYSTEM, target(), &LOADING));
    one_argument(&context, "twice");
    load_all(&context, parse(PROGRAM));
    context.link(&mut |_| None).unwrap();
    // The late module's import has no address yet.
    assert_eq!(context.linked_modules(), 1);
    assert_eq!(run(&context, "h", &[]), Err(Reason::NotLinked));
    assert_eq!(run(&context, "main", &[]), Ok(ANSWER));
    load_all(&context, parse(LATE));
    context.link(&mut |_| None).unwrap();
    assert_eq!(run(&context, "h", &[]), Ok(3));
}

#[test]
fn redefined_functions_serve_what_is_linked_later() {
    let context = Context::new(ContextOptions {
        allow_redefinition: true,
        ..options(&PLAIN)
    });
    load_all(&context, parse(LATE));
    load_all(&context, parse(IMPORTER));
    context.link(&mut |_| None).unwrap();
    load_all(&context, parse(&LATE.replace("ret 3", "ret 4")));
    context.link(&mut |_| None).unwrap();
    assert_eq!(run(&context, "h", &[]), Ok(3));
    assert_eq!(run(&context, "late", &[]), Ok(4));
}

#[test]
fn threads_run_load_and_link_at_once() {
    let context = linked(PROGRAM, &PLAIN);
    std::thread::scope(|scope| {
        for thread in 0..2_i64 {
            let context = &context;
            scope.spawn(move || {
                for n in 0..4 {
                    assert_eq!(run(context, "count", &[n]), Ok(n * (n + 1) / 2));
                    let name = format!("f{thread}_{n}");
                    load_all(
                        context,
                        parse(&format!(
                            "x: module\n export {name}\n{name}: func i64\n ret {n}\n endfunc\n endmodule\n"
                        )),
                    );
                    context.link(&mut |_| None).unwrap();
                    assert_eq!(run(context, &name, &[]), Ok(n));
                }
            });
        }
    });
    assert_eq!(context.linked_modules(), 9);
}

/// An interpreter goes before its context; what was loaded goes with it, in whatever order and
/// state it is.
#[test]
fn everything_is_given_back() {
    static ALLOCATOR: LazyLock<FailingAllocator> = LazyLock::new(FailingAllocator::new);
    let allocator: &'static FailingAllocator = &ALLOCATOR;
    let fresh = || {
        let context = Context::new(ContextOptions::new(allocator, target(), &PLAIN));
        let mut report = |_: Error| {};
        let mut modules = text::parse(
            LATE.as_bytes(),
            allocator,
            target().long_double,
            &mut report,
        )
        .unwrap();
        let verified = Verified::new(modules.pop().unwrap(), target(), &mut |_| {}).unwrap();
        (context, verified)
    };
    for way in 0..5 {
        let (context, verified) = fresh();
        if way == 0 {
            drop(context);
            drop(verified);
            continue;
        }
        // SAFETY: the program uses no memory.
        unsafe { context.load(verified) }.unwrap();
        if way == 1 {
            continue;
        }
        context.link(&mut |_| None).unwrap();
        let late = context.find_func(b"late").unwrap();
        let mut interpreter = Interpreter::new(&context, Options::default()).unwrap();
        if way > 2 {
            interpreter.run(late, &[], &mut [Value::ZERO]).unwrap();
        }
        if way > 3 {
            let mut other = Interpreter::new(&context, Options::default()).unwrap();
            drop(interpreter);
            other.run(late, &[], &mut [Value::ZERO]).unwrap();
        }
    }
    assert_eq!(allocator.live_bytes(), 0);
}
