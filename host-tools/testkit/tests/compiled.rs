//! Tests of compiled code from outside: threads, lazily compiled functions and blocks, freed code,
//! mixed engines, faults, limits, memory that runs out.
//!
//! The results of each instruction are in the file tests; these tests cover what only a caller in
//! Rust can observe.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on panics")]
#![expect(unsafe_code, reason = "machine code is called")]

use core::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::collections::HashMap;
use std::sync::{Barrier, Mutex};

use mir_host::HostPages;
use mir_nostd::codegen::Backend;
use mir_nostd::codegen::{self, Budget};
use mir_nostd::interp::{Engine, Frame, Interpreter, Reason};
use mir_nostd::ir::{ArgSpec, Error, ErrorKind, FuncId, SignatureSpec, Type};
use mir_nostd::link::{Callable, Context, ContextOptions, HostError, HostFn};
use mir_nostd::mem::{Allocator, Entity, Limited, OutOfMemory};
use mir_nostd::run::{CallError, Jit, Options, Watch, Way};
use mir_nostd::target::{Pages, Region, Value};
use mir_nostd::text;
use mir_nostd::verify::Verified;
use testkit::{FailingAllocator, SystemAllocator, sweep};

static ENGINE: Engine = Engine::new();
static PAGES: HostPages = HostPages;
const WAYS: [Way; 2] = [Way::Function, Way::Block];

/// True if the machine is likely to be a real one: emulated ones run the long tests for a shorter
/// time.
const IS_QUICK: bool = cfg!(target_arch = "x86_64");

/// Returns a number for each thread.
fn thread() -> usize {
    thread_local! {
        static HERE: u8 = const { 0 };
    }
    HERE.with(|here| core::ptr::from_ref(here).addr())
}

/// Returns a context with a linked program, in memory of `allocator`.
fn linked<'m>(source: &str, allocator: &'m dyn Allocator) -> Result<Context<'m>, Error> {
    let context = unlinked(source, allocator)?;
    context.link(&mut |_| None)?;
    Ok(context)
}

fn unlinked<'m>(source: &str, allocator: &'m dyn Allocator) -> Result<Context<'m>, Error> {
    let target = target_all::NATIVE.target();
    let mut options = ContextOptions::new(allocator, target, &ENGINE);
    options.native = Some(target_all::NATIVE);
    options.pages = Some(&PAGES);
    options.thread = Some(thread);
    let context = Context::new(options);
    load(&context, source)?;
    Ok(context)
}

fn load(context: &Context<'_>, source: &str) -> Result<(), Error> {
    let (allocator, target) = (context.allocator(), context.target());
    let mut report = |error: Error| println!("{error}");
    let mut modules = text::parse(
        source.as_bytes(),
        allocator,
        target.long_double,
        &mut report,
    )?;
    while let Some(module) = modules.pop() {
        // SAFETY: the programs here use only memory of their own.
        unsafe { context.load(Verified::new(module, target, &mut |_| {})?) }?;
    }
    Ok(())
}

/// Calls `body` with the backend of this machine, if there is one.
fn with_backend(body: impl FnOnce(&'static dyn Backend)) {
    body(testkit::host_backend());
}

fn jit<'c, 'm>(
    context: &'c Context<'m>,
    backend: &'static dyn Backend,
    options: Options<'m>,
) -> Jit<'c, 'm> {
    Jit::new(context, backend, target_all::NATIVE, &PAGES, options).unwrap()
}

/// Returns the function of this name in the first module, exported or not.
fn function<'c, 'm>(context: &'c Context<'m>, name: &str) -> &'c Callable<'m> {
    let linked = context.module(0).unwrap();
    let module = linked.module();
    let mut funcs = module.funcs();
    let func = funcs.find(|&(func, _)| {
        module
            .item(module.func(func).item)
            .name
            .is_some_and(|own| module.name_bytes(own) == name.as_bytes())
    });
    linked.callable(func.unwrap().0)
}

/// Calls a function on integers.
fn call<'m>(
    jit: &Jit<'_, 'm>,
    callable: &Callable<'m>,
    arguments: &[i64],
) -> Result<i64, CallError> {
    let arguments: Vec<Value> = arguments
        .iter()
        .map(|&value| Value::from_i64(value))
        .collect();
    let mut results = [Value::ZERO];
    // SAFETY: the programs here use only memory of their own.
    unsafe { jit.call(callable, &arguments, &mut results) }?;
    Ok(results[0].i64())
}

fn reason(called: Result<i64, CallError>) -> Reason {
    match called {
        Err(CallError::Fault(fault)) => fault.reason(),
        other => panic!("{other:?}"),
    }
}

/// Counts how often each function and block is compiled, and how many are left to the interpreter.
#[derive(Default)]
struct Counter {
    made: Mutex<HashMap<(usize, Option<u32>), usize>>,
    left: AtomicUsize,
}

impl Watch for Counter {
    fn made(&self, callable: &Callable<'_>, _: usize, _: usize, block: Option<u32>) {
        let key = (core::ptr::from_ref(callable).addr(), block);
        *self.made.lock().unwrap().entry(key).or_default() += 1;
    }

    fn left(&self, _: &Callable<'_>, _: codegen::Error) {
        self.left.fetch_add(1, Ordering::Relaxed);
    }
}

/// Returns a program of `count` functions, each of which calls the next one with its argument plus
/// one.
fn chain(count: usize) -> String {
    let mut source = String::from("m: module\nproto: proto i64, i64:n\n");
    for number in (0..count).rev() {
        let next = match number + 1 {
            next if next < count => format!("call proto, f{next}, n, n\n"),
            _ => String::new(),
        };
        source += &format!(
            "f{number}: func i64, i64:n\nbgt big{number}, n, 1000000\nadd n, n, 1\n{next}ret n\n\
             big{number}: ret -1\nendfunc\n"
        );
    }
    source + "endmodule\n"
}

#[test]
fn threads_make_each_function_once() {
    with_backend(|backend| {
        for way in WAYS {
            let counter = Counter::default();
            let context = linked(&chain(200), &SystemAllocator).unwrap();
            let options = Options {
                watch: Some(&counter),
                ..Options::default()
            };
            let jit = jit(&context, backend, options);
            jit.defer(context.module(0).unwrap(), way, &mut |_| true)
                .unwrap();
            let start = Barrier::new(8);
            std::thread::scope(|scope| {
                for thread in 0..8 {
                    let (jit, context, start) = (&jit, &context, &start);
                    scope.spawn(move || {
                        start.wait();
                        for first in [thread * 25, 0] {
                            let first = function(context, &format!("f{first}"));
                            let number = call(jit, first, &[5]).unwrap();
                            assert!((5..=205).contains(&number));
                        }
                        assert_eq!(call(jit, function(context, "f0"), &[5]), Ok(205));
                        assert_eq!(call(jit, function(context, "f0"), &[2_000_000]), Ok(-1));
                    });
                }
            });
            let made = counter.made.lock().unwrap();
            assert!(made.values().all(|&times| times == 1));
            assert_eq!(jit.compiled().functions, 200);
            assert_eq!(counter.left.load(Ordering::Relaxed), 0);
        }
    });
}

#[test]
fn code_is_made_while_other_code_runs() {
    with_backend(|backend| {
        let source = "m: module
            wait: func i64, p:go
                local i64:n
                mov n, 0
            again: add n, n, 1
                beq again, i64:(go), 0
                bgt yes, n, 0
                ret 0
            yes: ret 1
            endfunc
        endmodule\n";
        let waiting = linked(source, &SystemAllocator).unwrap();
        for way in WAYS {
            let go = AtomicU64::new(0);
            let context = linked(&chain(100), &SystemAllocator).unwrap();
            // Each context has a compiler of its own; code of the first runs while the second
            // compiles.
            let both = jit(&waiting, backend, Options::default());
            both.defer(waiting.module(0).unwrap(), way, &mut |_| true)
                .unwrap();
            let jit = jit(&context, backend, Options::default());
            jit.defer(context.module(0).unwrap(), way, &mut |_| true)
                .unwrap();
            std::thread::scope(|scope| {
                let (both, waiting, go) = (&both, &waiting, &go);
                let address = go.as_ptr().expose_provenance() as i64;
                let waits = scope.spawn(move || call(both, function(waiting, "wait"), &[address]));
                assert_eq!(call(&jit, function(&context, "f0"), &[1]), Ok(101));
                go.store(1, Ordering::Relaxed);
                assert_eq!(waits.join().unwrap(), Ok(1));
            });
        }
    });
}

#[test]
fn code_is_given_back_and_made_again() {
    with_backend(|backend| {
        give_back_and_make_again(backend, &OneAddress::default());
        // QEMU before version 8.1 does not notice that code is changed through another mapping,
        // even if it is told to flush.
        if IS_QUICK {
            give_back_and_make_again(backend, &PAGES);
        }
    });
}

fn give_back_and_make_again(backend: &'static dyn Backend, pages: &dyn Pages) {
    let allocator = FailingAllocator::new();
    {
        let context = linked(&chain(20), &allocator).unwrap();
        let options = Options {
            can_free: true,
            ..Options::default()
        };
        let jit = Jit::new(&context, backend, target_all::NATIVE, pages, options).unwrap();
        let module = context.module(0).unwrap();
        jit.compile_module(module, &mut |_, error| panic!("{error}"))
            .unwrap();
        let mut kept = None;
        let rounds = if IS_QUICK { 2000 } else { 240 };
        for round in 0..rounds {
            // One function in the middle is freed and compiled again, so that its callers and
            // callees meet it either way.
            let one = function(&context, &format!("f{}", round % 20));
            // SAFETY: nothing runs.
            assert!(unsafe { jit.free(one) });
            // SAFETY: as above.
            assert!(!unsafe { jit.free(one) });
            assert!(!one.is_native());
            if round % 40 < 20 {
                assert_eq!(call(&jit, function(&context, "f0"), &[7]), Ok(27));
            }
            match round % 3 {
                0 => jit.compile(one).unwrap(),
                1 => jit.defer(module, Way::Function, &mut |_| true).unwrap(),
                _ => jit.defer(module, Way::Block, &mut |_| true).unwrap(),
            }
            assert_eq!(call(&jit, function(&context, "f0"), &[7]), Ok(27));
            if round % 60 == 59 {
                let now = (allocator.live_bytes(), jit.reserved_bytes());
                let kept = *kept.get_or_insert(now);
                assert!(now.0 <= kept.0 && now.1 == kept.1, "{now:?} after {kept:?}");
            }
        }
    }
    assert_eq!(allocator.live_bytes(), 0);
}

/// Three functions that call each other: integers, doubles, a long double and variable arguments.
const MIXED: &str = "m: module
    p_a: proto i64, i64:n, d:x
    p_b: proto d, i64:n, d:x
    p_c: proto i64, i64:n, ...
    forward a
    forward b
    forward c
    b: func d, i64:n, d:x
        local i64:r, d:y
        beq end, n, 0
        sub n, n, 1
        call p_c, c, r, n, 7, 1.5, x
        dadd x, x, 0.25
        i2d y, r
        dadd x, x, y
    end: ret x
    endfunc
    c: func i64, i64:n, ...
        local i64:list, i64:r, i64:at, d:x, d:y
        alloca list, 32
        va_start list
        va_arg at, list, i64:0
        mov r, i64:(at)
        va_arg at, list, d:0
        dmov x, d:(at)
        va_arg at, list, d:0
        dmov y, d:(at)
        va_end list
        dadd x, x, y
        d2i at, x
        add r, r, at
        beq done, n, 0
        call p_b, b, x, n, x
        d2i at, x
        add r, r, at
    done: ret r
    endfunc
    a: func i64, i64:n
        local d:x, i64:r
        call p_b, b, x, n, 0.5
        dmul x, x, 4.0
        d2i r, x
        ret r
    endfunc
    export a
endmodule\n";

#[test]
fn functions_of_both_engines_call_each_other() {
    with_backend(|backend| {
        let interpreted = {
            let context = linked(MIXED, &SystemAllocator).unwrap();
            let mut interpreter = Interpreter::new(&context, Default::default()).unwrap();
            let mut results = [Value::ZERO];
            let arguments = [Value::from_i64(12)];
            let a = function(&context, "a");
            interpreter.run(a, &arguments, &mut results).unwrap();
            results[0].i64()
        };
        for chosen in 0..8_u32 {
            for way in WAYS {
                let context = linked(MIXED, &SystemAllocator).unwrap();
                let jit = jit(&context, backend, Options::default());
                let mut which = |func: FuncId| chosen & 1 << func.number() != 0;
                jit.defer(context.module(0).unwrap(), way, &mut which)
                    .unwrap();
                let a = function(&context, "a");
                for _ in 0..2 {
                    assert_eq!(call(&jit, a, &[12]), Ok(interpreted));
                    let mut interpreter = Interpreter::new(&context, Default::default()).unwrap();
                    let mut results = [Value::ZERO];
                    let arguments = [Value::from_i64(12)];
                    interpreter.run(a, &arguments, &mut results).unwrap();
                    assert_eq!(results[0].i64(), interpreted);
                }
                // Once the interpreter has called them, the chosen functions of the module are
                // compiled.
                assert_eq!(jit.compiled().functions, chosen.count_ones());
            }
        }
    });
}

/// `outer` calls `middle` calls `inner`, which divides, or calls a closure that fails.
const FAULTS: &str = "m: module
    import closure
    p: proto i64, i64:n
    inner: func i64, i64:n
        local i64:r
        beq closed, n, 100
        div r, 100, n
        ret r
    closed: call p, closure, r, n
        ret r
    endfunc
    middle: func i64, i64:n
        local i64:r
        call p, inner, r, n
        add r, r, 1
        ret r
    endfunc
    outer: func i64, i64:n
        local i64:r
        call p, middle, r, n
        add r, r, 1
        ret r
    endfunc
endmodule\n";

fn with_closure<'m>(
    source: &str,
    closure: &'m (dyn HostFn + 'm),
    allocator: &'m dyn Allocator,
) -> Result<Context<'m>, Error> {
    let context = unlinked(source, allocator)?;
    let signature = SignatureSpec {
        results: &[Type::I64],
        args: &[ArgSpec::new(Type::I64, "n")],
        ..SignatureSpec::default()
    };
    context.add_host_fn(b"closure", signature, closure)?;
    context.link(&mut |_| None)?;
    Ok(context)
}

#[test]
fn faults_reach_the_caller_through_both_engines() {
    let fails = |_: &[Value], _: &mut [Value]| Err(HostError(77));
    with_backend(|backend| {
        for chosen in 0..8_u32 {
            for way in WAYS {
                let context = with_closure(FAULTS, &fails, &SystemAllocator).unwrap();
                let jit = jit(&context, backend, Options::default());
                let mut which = |func: FuncId| chosen & 1 << func.number() != 0;
                jit.defer(context.module(0).unwrap(), way, &mut which)
                    .unwrap();
                let (inner, outer) = (function(&context, "inner"), function(&context, "outer"));
                for _ in 0..3 {
                    assert_eq!(call(&jit, outer, &[5]), Ok(22));
                    let Err(CallError::Fault(fault)) = call(&jit, outer, &[0]) else {
                        panic!("no fault");
                    };
                    assert_eq!(fault.reason(), Reason::Division);
                    assert!(fault.is_in(inner), "chosen {chosen}");
                    assert_eq!(fault.instruction(), Some(1));
                    let closed = reason(call(&jit, outer, &[100]));
                    assert_eq!(closed, Reason::Host(HostError(77)), "chosen {chosen}");
                    let mut interpreter = Interpreter::new(&context, Default::default()).unwrap();
                    let mut run = |n| {
                        let arguments = [Value::from_i64(n)];
                        let mut results = [Value::ZERO];
                        let ran = interpreter.run(outer, &arguments, &mut results);
                        let place =
                            |at: Frame<'_, '_>| String::from_utf8_lossy(at.name()).into_owned();
                        ran.map_err(|stop| (stop.reason, stop.at.map(place)))
                    };
                    assert_eq!(run(0), Err((Reason::Division, Some("inner".into()))));
                    assert_eq!(run(100).unwrap_err().0, Reason::Host(HostError(77)));
                    assert_eq!(run(5), Ok(()));
                }
            }
        }
    });
}

/// Loops, calls, also tail calls, a switch, property and overflow branches, labels that nothing
/// refers to. The interpreter charges for the paths that control takes when every property is 0.
const METERED: &str = "m: module
    p: proto i64, i64:n
    small: func i64, i64:n
        add n, n, 1
    unused: beq zero, n, 5
        mul n, n, 3
    zero: ret n
    endfunc
    turns: func i64, i64:n
        local i64:r
        ble done, n, 0
        sub n, n, 1
        and r, n, 1
        bt apart, r
        call p, turns, r, n
        ret r
    apart: call p, turns, r, n
        mov n, r
    done: ret n
    endfunc
    main: func i64, i64:n
        local i64:s, i64:k, i64:x
        mov s, 0
    again: ble out, n, 0
        mod k, n, 3
        switch k, first, second, third
    first: call p, small, s, s
        jmp next
    second: call p, turns, x, n
        add s, s, x
        add s, s, 2
    third: prbeq third_more, s, 0
        add s, s, 1000
    third_more: prset s, 1
        prbeq marked, s, 1
        jmp times
    marked: mov k, 0
        mov k, 0
    times: mulo x, s, s
        bo next
        sub s, s, 1
    next: sub n, n, 1
        jmp again
    out: ret s
    endfunc
endmodule\n";

/// Compiled code takes the interpreter's fuel, at every level and in all modes, and stops at the
/// same places.
#[test]
fn fuel_is_taken_block_by_block() {
    static COUNTING: Engine = Engine::with_fuel();
    const PLENTY: u64 = 1 << 40;
    with_backend(|backend| {
        let mut options =
            ContextOptions::new(&SystemAllocator, target_all::NATIVE.target(), &COUNTING);
        options.native = Some(target_all::NATIVE);
        options.pages = Some(&PAGES);
        let context = Context::new(options);
        load(&context, METERED).unwrap();
        context.link(&mut |_| None).unwrap();
        let main = function(&context, "main");
        let interpreted = |fuel: u64| {
            let limits = mir_nostd::interp::Options {
                fuel,
                ..Default::default()
            };
            let mut interpreter = Interpreter::new(&context, limits).unwrap();
            let mut results = [Value::ZERO];
            let ran = interpreter.run(main, &[Value::from_i64(7)], &mut results);
            let place = |at: Frame<'_, '_>| (at.func, at.insn);
            let ran = ran.map_err(|stop| (stop.reason, stop.at.map(place)));
            (ran.map(|()| results[0].i64()), interpreter.fuel())
        };
        let (result, left) = interpreted(PLENTY);
        let cost = PLENTY - left;
        for level in 0..=3 {
            for way in [None, Some(Way::Function), Some(Way::Block)] {
                let fuel = AtomicU64::new(0);
                let context = linked(METERED, &SystemAllocator).unwrap();
                let main = function(&context, "main");
                let options = Options {
                    level,
                    fuel: Some(&fuel),
                    check_allocation: true,
                    ..Options::default()
                };
                let jit = jit(&context, backend, options);
                let module = context.module(0).unwrap();
                match way {
                    Some(way) => jit.defer(module, way, &mut |_| true).unwrap(),
                    None => {
                        jit.compile_module(module, &mut |_, error| panic!("{error}"))
                            .unwrap();
                    }
                }
                for given in (0..=cost).chain([PLENTY]) {
                    fuel.store(given, Ordering::Relaxed);
                    let called = call(&jit, main, &[7]);
                    let (expected, left) = interpreted(given);
                    assert_eq!(
                        fuel.load(Ordering::Relaxed),
                        left,
                        "{level} {way:?} {given}"
                    );
                    match (called, expected) {
                        (Ok(found), Ok(expected)) => assert_eq!(found, expected),
                        (Err(CallError::Fault(fault)), Err((reason, _))) => {
                            assert_eq!((fault.reason(), reason), (Reason::OutOfFuel, reason));
                        }
                        other => panic!("{level} {way:?} {given}: {other:?}"),
                    }
                }
                assert_eq!(call(&jit, main, &[7]).ok(), result.as_ref().ok().copied());
            }
        }
    });
}

/// A fuel handler that grants fuel a few times.
struct Granting {
    fuel: &'static AtomicU64,
    left: AtomicUsize,
}

impl Watch for Granting {
    fn grants_fuel(&self, needed: u64) -> bool {
        let grants = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                left.checked_sub(1)
            });
        if grants.is_ok() {
            self.fuel.fetch_add(needed, Ordering::Relaxed);
        }
        grants.is_ok()
    }
}

#[test]
fn fuel_is_granted_on_the_way() {
    static FUEL: AtomicU64 = AtomicU64::new(0);
    with_backend(|backend| {
        let granting = Granting {
            fuel: &FUEL,
            left: AtomicUsize::new(1000),
        };
        let context = linked(METERED, &SystemAllocator).unwrap();
        let options = Options {
            fuel: Some(&FUEL),
            watch: Some(&granting),
            ..Options::default()
        };
        let jit = jit(&context, backend, options);
        jit.defer(context.module(0).unwrap(), Way::Function, &mut |_| true)
            .unwrap();
        let main = function(&context, "main");
        let result = call(&jit, main, &[7]).unwrap();
        assert_eq!(FUEL.load(Ordering::Relaxed), 0);
        assert!(granting.left.load(Ordering::Relaxed) < 990);
        granting.left.store(5, Ordering::Relaxed);
        assert_eq!(reason(call(&jit, main, &[7])), Reason::OutOfFuel);
        FUEL.store(1 << 20, Ordering::Relaxed);
        assert_eq!(call(&jit, main, &[7]), Ok(result));
    });
}

#[test]
fn the_stack_ends_where_it_is_said() {
    let source = "m: module
        p: proto i64, i64:n
        deep: func i64, i64:n
            local i64:r
            ble end, n, 0
            sub n, n, 1
            call p, deep, r, n
            add r, r, 1
            ret r
        end: ret 0
        endfunc
        wide: func i64, i64:n
            local i64:m
            alloca m, 100000
            mov i64:(m), n
            ret i64:(m)
        endfunc
    endmodule\n";
    let limit = AtomicUsize::new(0);
    with_backend(|backend| {
        for level in 0..=3 {
            for way in WAYS {
                let counter = Counter::default();
                let context = linked(source, &SystemAllocator).unwrap();
                let options = Options {
                    level,
                    stack_limit: Some(&limit),
                    watch: Some(&counter),
                    ..Options::default()
                };
                let jit = jit(&context, backend, options);
                jit.defer(context.module(0).unwrap(), way, &mut |_| true)
                    .unwrap();
                let deep = function(&context, "deep");
                let here = 0_u8;
                let here = (&raw const here).addr();
                limit.store(here - (256 << 10), Ordering::Relaxed);
                for _ in 0..3 {
                    assert_eq!(call(&jit, deep, &[100]), Ok(100));
                    let Err(CallError::Fault(fault)) = call(&jit, deep, &[1_000_000]) else {
                        panic!("no fault");
                    };
                    assert_eq!(fault.reason(), Reason::Stack);
                    assert!(fault.is_in(deep));
                }
                // A function whose frame is too large to be checked is left to the interpreter.
                assert_eq!(call(&jit, function(&context, "wide"), &[9]), Ok(9));
                assert_eq!(counter.left.load(Ordering::Relaxed), 1);
            }
        }
    });
}

/// A function that calls one that calls a closure.
const DOUBLED: &str = "m: module
    import closure
    p: proto i64, i64:n
    inner: func i64, i64:n
        call p, closure, n, n
        ret n
    endfunc
    outer: func i64, i64:n
        bgt more, n, 50
        ret n
    more: call p, inner, n, n
        add n, n, 2
        ret n
    endfunc
endmodule\n";

#[test]
fn without_memory_calls_fail_or_are_interpreted() {
    let doubles = |arguments: &[Value], results: &mut [Value]| {
        results[0] = Value::from_i64(2 * arguments[0].i64());
        Ok(())
    };
    with_backend(|backend| {
        let ways = if IS_QUICK { &WAYS[..] } else { &WAYS[1..] };
        for &way in ways {
            let requests = sweep(
                |allocator| {
                    let context = with_closure(DOUBLED, &doubles, allocator)?;
                    let options = Options {
                        level: 0,
                        ..Options::default()
                    };
                    let jit = Jit::new(&context, backend, target_all::NATIVE, &PAGES, options)
                        .map_err(|_| OutOfMemory)?;
                    jit.defer(context.module(0).unwrap(), way, &mut |_| true)?;
                    let outer = function(&context, "outer");
                    match call(&jit, outer, &[100]) {
                        Ok(found) => assert_eq!(found, 202),
                        Err(CallError::OutOfMemory) => return Err(OutOfMemory.into()),
                        Err(CallError::Fault(fault)) => {
                            assert_eq!(fault.reason(), Reason::OutOfMemory);
                            return Err(OutOfMemory.into());
                        }
                        Err(error) => panic!("{error:?}"),
                    }
                    Ok::<_, Error>(())
                },
                |error| error.kind() == ErrorKind::Alloc,
            );
            assert!(requests > 100, "{requests}");
        }
    });
}

/// Returns a function of `count` instructions: sums, a loop around them, many labels.
fn long(count: usize) -> String {
    let mut source = String::from("m: module\nmain: func i64, i64:n\nlocal i64:a, i64:b, i64:c\n");
    source += "mov a, 1\nmov b, 2\nmov c, 3\nagain: mov c, n\n";
    for number in 0..(count - 9) / 4 {
        source += &format!(
            "add a, a, b\nxor b, b, {number}\nl{number}: sub c, c, a\nbgt l{number}, c, 0\n"
        );
    }
    source + "sub n, n, 1\nbgt again, n, 0\nadd a, a, c\nret a\nendfunc\nendmodule\n"
}

#[test]
fn what_takes_more_than_the_budget_is_interpreted() {
    with_backend(|backend| {
        let memory = Limited::new(&SystemAllocator, 256 << 10);
        let budgets = [
            (
                Budget {
                    insns: 600,
                    memory: None,
                },
                1,
            ),
            (
                Budget {
                    insns: usize::MAX,
                    memory: Some(&memory),
                },
                1,
            ),
            (
                Budget {
                    insns: 100_000,
                    memory: None,
                },
                0,
            ),
        ];
        let levels: &[u8] = if IS_QUICK { &[0, 2] } else { &[0] };
        for &level in levels {
            for (budget, left) in budgets {
                for way in [None, Some(Way::Function), Some(Way::Block)] {
                    let counter = Counter::default();
                    let context = linked(&(long(2000) + &chain(3)), &SystemAllocator).unwrap();
                    let options = Options {
                        level,
                        budget,
                        watch: Some(&counter),
                        ..Options::default()
                    };
                    let jit = jit(&context, backend, options);
                    for number in 0..2 {
                        let module = context.module(number).unwrap();
                        match way {
                            Some(way) => jit.defer(module, way, &mut |_| true).unwrap(),
                            None => drop(jit.compile_module(module, &mut |_, _| {}).unwrap()),
                        }
                    }
                    let main = context.module(1).unwrap().callable(FuncId::new(0));
                    let mut interpreter = Interpreter::new(&context, Default::default()).unwrap();
                    let mut results = [Value::ZERO];
                    interpreter
                        .run(main, &[Value::from_i64(3)], &mut results)
                        .unwrap();
                    assert_eq!(call(&jit, main, &[3]), Ok(results[0].i64()));
                    let f0 = context.module(0).unwrap().callable(FuncId::new(2));
                    assert_eq!(call(&jit, f0, &[1]), Ok(4));
                    let found = counter.left.load(Ordering::Relaxed);
                    assert_eq!(found, left, "{level} {way:?} {}", budget.insns);
                }
                assert!(!memory.was_reached());
            }
        }
        assert_eq!(memory.left(), 256 << 10);
    });
}

/// Returns a function of `count` nested loops: each has a counter of its own, which is live through
/// all loops inside.
fn nested(count: usize) -> String {
    let mut source = String::from("m: module\nmain: func i64, i64:n\nlocal i64:a\nmov a, 0\n");
    for number in 0..count {
        // A few run twice, all others once.
        let turns = if number % (count / 4) == 1 { 2 } else { 1 };
        source += &format!("local i64:c{number}\nmov c{number}, {turns}\n");
        source += &format!("l{number}: mul a, a, 3\nadd a, a, c{number}\nadd a, a, n\n");
    }
    for number in (0..count).rev() {
        source += &format!("sub c{number}, c{number}, 1\nbgt l{number}, c{number}, 0\n");
    }
    source + "ret a\nendfunc\nendmodule\n"
}

/// Returns a function of `count` pieces of code, each of which jumps to any of them through a table
/// of their addresses.
fn threaded(count: usize) -> String {
    let mut source = String::from(
        "m: module\nmain: func i64, i64:n\nlocal i64:a, i64:to, i64:t\nmov a, n\nmov n, 50\n",
    );
    source += &format!("alloca t, {}\n", 8 * count);
    for number in 0..count {
        source += &format!("laddr to, l{number}\nmov i64:{}(t), to\n", 8 * number);
    }
    for number in 0..count {
        source += &format!(
            "l{number}: mul a, a, 5\nadd a, a, {number}\numod to, a, {count}\n\
             ble done, n, 0\nsub n, n, 1\nmov to, i64:(t, to, 8)\njmpi to\n"
        );
    }
    source + "done: ret a\nendfunc\nendmodule\n"
}

/// Returns a function of `count` variables, each of which counts down in a loop of its own and is
/// live through all others.
fn one_by_one(count: usize) -> String {
    let mut source = String::from("m: module\nmain: func i64, i64:n\nlocal i64:a\nmov a, n\n");
    for number in 0..count {
        source += &format!("local i64:c{number}\nadd c{number}, n, {}\n", number % 5);
    }
    for number in 0..count {
        source += &format!("l{number}: sub c{number}, c{number}, 1\nbgt l{number}, c{number}, 3\n");
        source += &format!("mul a, a, 3\nadd a, a, c{}\n", number * 7 % count);
    }
    for number in 0..count {
        source += &format!("add a, a, c{number}\n");
    }
    source + "ret a\nendfunc\nendmodule\n"
}

/// Returns a function with two parallel paths and edges from each to the other, so that only the
/// entry dominates: a variable is written in some steps, and all are read at the end, except some
/// that are read at once.
fn crossing(count: usize) -> String {
    let mut source = String::from("m: module\nmain: func i64, i64:n\nlocal i64:a\nmov a, n\n");
    for number in 0..count {
        source += &format!("local i64:c{number}\nmov c{number}, {number}\n");
    }
    source += "bgt r0, n, 5\njmp l0\n";
    for number in 0..count {
        let (next, other) = (number + 1, number * 7 % count);
        let early = if number % 2 == 0 { number } else { other };
        source += &format!(
            "l{number}: add c{number}, a, 1\nmul a, a, 3\nbgt r{next}, a, 100\njmp l{next}\n"
        );
        source += &format!(
            "r{number}: add a, a, c{early}\nmov c{other}, a\nand a, a, 1023\nbgt l{next}, a, 500\njmp r{next}\n"
        );
    }
    source += &format!("l{count}: add a, a, 1\nr{count}: add a, a, 1\n");
    for number in (0..count).step_by(3) {
        source += &format!("mul a, a, 5\nadd a, a, c{number}\n");
    }
    source + "ret a\nendfunc\nendmodule\n"
}

/// Returns a function that swaps two variables in each of `count` branches.
fn exchanged(count: usize) -> String {
    let mut source = String::from(
        "m: module\nmain: func i64, i64:n\nlocal i64:a, i64:t\nmov a, 1\nadd n, n, 2\n",
    );
    for number in 0..count {
        source += &format!(
            "blt l{number}, n, {number}\nmov t, n\nmov n, a\nmov a, t\nl{number}: add n, n, 1\n"
        );
    }
    source + "sub a, a, n\nret a\nendfunc\nendmodule\n"
}

/// Returns a function of `count` branches past blocks, with 200 variables that are live through all
/// of them.
fn branchy(count: usize) -> String {
    let mut source = String::from("m: module\nmain: func i64, i64:n\nlocal i64:a\nmov a, n\n");
    for number in 0..200 {
        source += &format!("local i64:c{number}\nmul c{number}, n, {number}\n");
    }
    for number in 0..count {
        let (to, from) = (number * 7 % 200, number * 13 % 200);
        source +=
            &format!("bgt l{number}, c{from}, {number}\nadd c{to}, c{to}, c{from}\nl{number}:\n");
    }
    for number in 0..200 {
        source += &format!("add a, a, c{number}\n");
    }
    source + "ret a\nendfunc\nendmodule\n"
}

/// A function that would take memory or time beyond all proportion is compiled in a simpler way,
/// and its result is the interpreter's.
#[test]
fn what_lives_through_everything_is_compiled() {
    // The counts of loops from which level 0, and the other levels, limit the blocks that they
    // visit.
    let (many, some) = if IS_QUICK { (1400, 650) } else { (650, 650) };
    let programs = [
        (nested(many), &[0][..]),
        (nested(some), &[1, 2, 3][..]),
        (threaded(420), &[0, 1, 2, 3][..]),
        // The count from which level 2 uses another method to find the places of PHIs.
        (one_by_one(1300), &[0, 1, 2, 3][..]),
        (crossing(600), &[0, 1, 2, 3][..]),
        (exchanged(2000), &[0, 1, 2, 3][..]),
    ];
    with_backend(|backend| {
        for (source, levels) in &programs {
            let context = linked(source, &SystemAllocator).unwrap();
            let mut interpreter = Interpreter::new(&context, Default::default()).unwrap();
            let mut results = [Value::ZERO];
            let arguments = [Value::from_i64(7)];
            interpreter
                .run(function(&context, "main"), &arguments, &mut results)
                .unwrap();
            for &level in *levels {
                let context = linked(source, &SystemAllocator).unwrap();
                let options = Options {
                    level,
                    ..Options::default()
                };
                let jit = jit(&context, backend, options);
                jit.compile(function(&context, "main")).unwrap();
                let called = call(&jit, function(&context, "main"), &[7]);
                assert_eq!(called, Ok(results[0].i64()), "level {level}");
            }
        }
    });
}

/// Returns a program with a block that refers to `count` items of data and then goes to one of
/// `count` blocks, under `count` sets of properties.
fn with_many_parts(count: usize) -> String {
    let mut source = String::from("m: module\n");
    for number in 0..count {
        source += &format!("d{number}: i64 {number}\n");
    }
    source += "main: func i64, i64:n\nlocal i64:a, i64:p\nmov a, 0\n";
    for number in 0..count {
        source += &format!("mov p, d{number}\nadd a, a, i64:(p)\n");
    }
    let labels: Vec<_> = (0..count).map(|number| format!("l{number}")).collect();
    source += &format!("switch n, {}\n", labels.join(", "));
    for number in 0..count {
        source += &format!("l{number}: prset a, {number}\nmul a, a, {number}\njmp end\n");
    }
    source + "end: ret a\nendfunc\nendmodule\n"
}

/// The parts of a block are told apart, be they few or many.
#[test]
fn blocks_may_have_many_exits_constants_and_properties() {
    with_backend(|backend| {
        for count in [3, 8, 9, 10, 40] {
            let context = linked(&with_many_parts(count), &SystemAllocator).unwrap();
            let jit = jit(&context, backend, Options::default());
            let module = context.module(0).unwrap();
            jit.defer(module, Way::Block, &mut |_| true).unwrap();
            let sum = (0..count as i64).sum::<i64>();
            for number in (0..count as i64).rev() {
                let called = call(&jit, function(&context, "main"), &[number]);
                assert_eq!(called, Ok(sum * number));
            }
        }
    });
}

/// Returns the peak of memory in use while the first function is compiled.
fn peak_of_compiling(backend: &dyn Backend, level: u8, source: &str) -> usize {
    let context = linked(source, &SystemAllocator).unwrap();
    let allocator = FailingAllocator::new();
    let mut compiler = codegen::Compiler::new(backend, &allocator);
    compiler.level = level;
    let module = context.module(0).unwrap().module();
    compiler.compile(module, FuncId::new(0)).unwrap();
    allocator.peak_bytes()
}

/// A value that is live through a block but not mentioned there takes no memory for the block.
#[test]
fn blocks_cost_nothing_for_what_only_lives_through_them() {
    with_backend(|backend| {
        for level in 0..=3 {
            let bytes = peak_of_compiling(backend, level, &branchy(3000)) / 6000;
            assert!(bytes < 2500, "level {level}: {bytes} bytes a block");
        }
    });
}

/// Compiling takes memory in proportion to the function, whatever the live ranges and the control
/// flow.
#[test]
fn memory_is_in_proportion() {
    with_backend(|backend| {
        type Shape = fn(usize) -> String;
        let shapes: [(Shape, usize); 6] = [
            (nested, 500),
            (threaded, 500),
            (one_by_one, 250),
            (crossing, 150),
            (exchanged, 500),
            (branchy, 300),
        ];
        for (shape, count) in shapes {
            for level in 0..=3 {
                let peak = |count| peak_of_compiling(backend, level, &shape(count));
                // A function four times as large takes about four times as much; the square would
                // be sixteen times.
                let (small, large) = (peak(count), peak(4 * count));
                assert!(large < 8 * small, "level {level}: {small}, {large}");
            }
        }
    });
}

/// The host's pages, of which one call fails, or all from it on; counts the regions lent.
#[derive(Debug, Default)]
struct FailingPages {
    calls: AtomicUsize,
    /// The first call that fails, plus one; 0 for none.
    fails: AtomicUsize,
    fails_on: AtomicBool,
    lent: AtomicUsize,
}

impl FailingPages {
    fn granted(&self) -> Result<(), OutOfMemory> {
        let number = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        let fails = self.fails.load(Ordering::Relaxed);
        let is_later = self.fails_on.load(Ordering::Relaxed) && number > fails;
        if fails != 0 && (number == fails || is_later) {
            return Err(OutOfMemory);
        }
        Ok(())
    }
}

// SAFETY: the regions lent are the host's, whose promises hold; a call that fails does nothing.
unsafe impl Pages for FailingPages {
    fn granule(&self) -> usize {
        PAGES.granule()
    }

    fn reserve(&self, bytes: usize, near: Option<usize>) -> Result<Region, OutOfMemory> {
        self.granted()?;
        let region = PAGES.reserve(bytes, near)?;
        self.lent.fetch_add(1, Ordering::Relaxed);
        Ok(region)
    }

    unsafe fn make_writable(
        &self,
        region: &Region,
        offset: usize,
        length: usize,
    ) -> Result<(), OutOfMemory> {
        self.granted()?;
        // SAFETY: as the caller says.
        unsafe { PAGES.make_writable(region, offset, length) }
    }

    unsafe fn make_executable(
        &self,
        region: &Region,
        offset: usize,
        length: usize,
    ) -> Result<(), OutOfMemory> {
        self.granted()?;
        // SAFETY: as the caller says.
        unsafe { PAGES.make_executable(region, offset, length) }
    }

    unsafe fn release(&self, region: Region) {
        self.lent.fetch_sub(1, Ordering::Relaxed);
        // SAFETY: as the caller says.
        unsafe { PAGES.release(region) };
    }
}

/// Runs `MIXED` with the pages that are lent.
fn run_mixed(backend: &'static dyn Backend, way: Option<Way>, pages: &FailingPages, expected: i64) {
    let context = linked(MIXED, &SystemAllocator).unwrap();
    let Ok(jit) = Jit::new(
        &context,
        backend,
        target_all::NATIVE,
        pages,
        Options::default(),
    ) else {
        return;
    };
    let module = context.module(0).unwrap();
    // If nothing could be compiled, the interpreter runs the functions.
    _ = match way {
        Some(way) => jit.defer(module, way, &mut |_| true),
        None => jit.compile_module(module, &mut |_, _| {}).map(|_| ()),
    };
    for _ in 0..2 {
        match call(&jit, function(&context, "a"), &[12]) {
            Ok(found) => assert_eq!(found, expected),
            Err(CallError::OutOfMemory) => {}
            Err(CallError::Fault(fault)) => assert_eq!(fault.reason(), Reason::OutOfMemory),
            Err(error) => panic!("{error:?}"),
        }
    }
    // Code that could not be made for want of pages is compiled, or interpreted, once there are
    // some.
    pages.fails.store(0, Ordering::Relaxed);
    assert_eq!(call(&jit, function(&context, "a"), &[12]), Ok(expected));
}

#[test]
fn without_pages_functions_are_interpreted() {
    with_backend(|backend| {
        for way in [None, Some(Way::Function), Some(Way::Block)] {
            let pages = FailingPages::default();
            let expected = {
                let context = linked(MIXED, &SystemAllocator).unwrap();
                let mut interpreter = Interpreter::new(&context, Default::default()).unwrap();
                let (arguments, mut results) = ([Value::from_i64(12)], [Value::ZERO]);
                let a = function(&context, "a");
                interpreter.run(a, &arguments, &mut results).unwrap();
                results[0].i64()
            };
            run_mixed(backend, way, &pages, expected);
            let calls = pages.calls.load(Ordering::Relaxed);
            assert!(calls > 1);
            for first in 1..=calls {
                for fails_on in [false, true] {
                    pages.calls.store(0, Ordering::Relaxed);
                    pages.fails.store(first, Ordering::Relaxed);
                    pages.fails_on.store(fails_on, Ordering::Relaxed);
                    run_mixed(backend, way, &pages, expected);
                    assert_eq!(pages.lent.load(Ordering::Relaxed), 0, "{way:?} {first}");
                }
            }
        }
    });
}

/// Pages that are either writable or executable, at one address: code cannot be added to a page
/// that runs.
#[derive(Debug, Default)]
struct OneAddress {
    /// The regions that the host lends, by the address at which they run.
    lent: Mutex<HashMap<usize, Lent>>,
}

/// A region of the host's.
#[derive(Debug)]
struct Lent(Region);

// SAFETY: addresses of memory that one thread at a time gives back.
unsafe impl Send for Lent {}

// SAFETY: the host's regions are mapped for good at the address where they run; their protection is
// changed as the trait requires.
unsafe impl Pages for OneAddress {
    fn granule(&self) -> usize {
        PAGES.granule()
    }

    fn reserve(&self, bytes: usize, near: Option<usize>) -> Result<Region, OutOfMemory> {
        let region = PAGES.reserve(bytes, near)?;
        self.lent
            .lock()
            .unwrap()
            .insert(region.run.addr().get(), Lent(region));
        Ok(Region {
            write: region.run,
            ..region
        })
    }

    unsafe fn make_writable(
        &self,
        region: &Region,
        offset: usize,
        length: usize,
    ) -> Result<(), OutOfMemory> {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: the range is in the region, and nothing runs there.
        let done = unsafe {
            let start = region.run.as_ptr().add(offset);
            libc::mprotect(start.cast(), length, protection)
        };
        if done == 0 { Ok(()) } else { Err(OutOfMemory) }
    }

    unsafe fn make_executable(
        &self,
        region: &Region,
        offset: usize,
        length: usize,
    ) -> Result<(), OutOfMemory> {
        let protection = libc::PROT_READ | libc::PROT_EXEC;
        // SAFETY: the range is in the region.
        let done = unsafe {
            let start = region.run.as_ptr().add(offset);
            target_all::NATIVE.flush_instruction_cache(start, length);
            libc::mprotect(start.cast(), length, protection)
        };
        if done == 0 { Ok(()) } else { Err(OutOfMemory) }
    }

    unsafe fn release(&self, region: Region) {
        let lent = self.lent.lock().unwrap().remove(&region.run.addr().get());
        // SAFETY: as the caller says.
        unsafe { PAGES.release(lent.unwrap().0) };
    }
}

#[test]
fn no_page_that_runs_is_made_writable() {
    with_backend(|backend| {
        for way in WAYS {
            let pages = OneAddress::default();
            {
                let context = linked(&chain(30), &SystemAllocator).unwrap();
                let options = Options {
                    can_free: true,
                    ..Options::default()
                };
                let jit = Jit::new(&context, backend, target_all::NATIVE, &pages, options).unwrap();
                let module = context.module(0).unwrap();
                jit.defer(module, way, &mut |_| true).unwrap();
                // Each function compiles the next one while it runs, so that its own page must stay
                // as it is.
                assert_eq!(call(&jit, function(&context, "f0"), &[7]), Ok(37));
                let reserved = jit.reserved_bytes();
                for number in 0..30 {
                    let one = function(&context, &format!("f{number}"));
                    // SAFETY: nothing runs.
                    assert!(unsafe { jit.free(one) });
                    jit.defer(module, way, &mut |_| true).unwrap();
                    assert_eq!(call(&jit, function(&context, "f0"), &[7]), Ok(37));
                }
                assert_eq!(jit.reserved_bytes(), reserved);
            }
            assert!(pages.lent.lock().unwrap().is_empty());
        }
    });
}
