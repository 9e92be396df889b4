//! Compilers that are dropped while their code runs, or forgotten; contexts that move; what must
//! not be mixed.

use crate::pages::FailingPages;
use crate::prelude::*;
use mir_nostd::link::FunctionError;
use mir_nostd::target::{Plan, Signature, Target};

/// `middle` calls the closure, then goes on in blocks that nobody reached before; `outer` calls it.
const PROGRAM: &str = "
m: module
 export outer, middle, inner
 import closure
p: proto i64, i64:n
inner: func i64, i64:n
 local i64:r
 div r, 100, n
 ret r
 endfunc
middle: func i64, i64:n
 local i64:r, i64:s
 call p, closure, r, n
 bge large, n, 50
 call p, inner, s, n
 add r, r, s
 ret r
large: add r, r, 1
 ret r
 endfunc
outer: func i64, i64:n
 local i64:r
 call p, middle, r, n
 add r, r, 1
 ret r
 endfunc
endmodule\n";

type Closure = dyn Fn(&[Value], &mut [Value]) -> Result<(), HostError> + Sync;

fn options(pages: &'static dyn Pages) -> ContextOptions<'static> {
    let native = target_all::NATIVE;
    let mut options = ContextOptions::new(&SystemAllocator, native.target(), &ENGINE);
    options.native = Some(native);
    options.pages = Some(pages);
    options
}

fn linked(pages: &'static dyn Pages, closure: &'static &'static Closure) -> Context<'static> {
    let context = Context::new(options(pages));
    let signature = SignatureSpec {
        results: &[Type::I64],
        args: &[ArgSpec::new(Type::I64, "n")],
        vararg: false,
    };
    context.add_host_fn(b"closure", signature, closure).unwrap();
    load(&context, PROGRAM).unwrap();
    context.link(&mut |_| None).unwrap();
    context
}

/// Returns the host's pages, counted.
fn counted() -> &'static FailingPages {
    Box::leak(Box::new(FailingPages::over(&PAGES)))
}

fn jit<'c>(
    context: &'c Context<'static>,
    backend: &'static dyn Backend,
    pages: &'static dyn Pages,
) -> Jit<'c, 'static> {
    Jit::new(
        context,
        backend,
        target_all::NATIVE,
        pages,
        Options::default(),
    )
    .unwrap()
}

/// Runs a function by interpretation; what is compiled is called.
fn run(context: &Context<'static>, name: &str, n: i64) -> Result<i64, Reason> {
    let mut interpreter = Interpreter::new(context, mir_nostd::interp::Options::default()).unwrap();
    let mut results = [Value::ZERO];
    let callable = context.find_func(name.as_bytes()).unwrap();
    let ran = interpreter.run(callable, &[Value::from_i64(n)], &mut results);
    ran.map(|()| results[0].i64()).map_err(|stop| stop.reason)
}

fn same(arguments: &[Value], results: &mut [Value]) -> Result<(), HostError> {
    results[0] = arguments[0];
    Ok(())
}

static SAME: &Closure = &same;

/// Has `middle` and `inner` compiled on the way; `outer` stays with the interpreter.
fn defer(jit: &Jit<'_, 'static>, context: &Context<'static>, granularity: Granularity) {
    let module = context.module(0).unwrap();
    let outer = context.find_func(b"outer").unwrap().func().unwrap().1;
    jit.defer(module, granularity, &mut |func| func != outer)
        .unwrap();
}

static DROPPED: Mutex<Option<Jit<'static, 'static>>> = Mutex::new(None);

fn drops(arguments: &[Value], results: &mut [Value]) -> Result<(), HostError> {
    drop(DROPPED.lock().unwrap().take());
    same(arguments, results)
}

static DROPS: &Closure = &drops;

/// The closure drops the compiler: the code that called it goes on, where it was made and where it
/// is made only now, and faults.
#[test]
fn a_closure_may_drop_the_compiler_of_its_caller() {
    let backend = testkit::host_backend();
    for granularity in [Granularity::Function, Granularity::Block] {
        for (n, expected) in [
            (7, Ok(7 + 14 + 1)),
            (60, Ok(62)),
            (0, Err(Reason::Division)),
        ] {
            let pages = counted();
            let context: &'static Context<'static> = Box::leak(Box::new(linked(pages, &DROPS)));
            let thunks = pages.lent.load(Ordering::Relaxed);
            let compiler = jit(context, backend, pages);
            defer(&compiler, context, granularity);
            *DROPPED.lock().unwrap() = Some(compiler);
            assert_eq!(run(context, "outer", n), expected, "{granularity:?}");
            assert!(DROPPED.lock().unwrap().is_none());
            assert!(!context.find_func(b"middle").unwrap().is_native());
            assert_eq!(run(context, "outer", n), expected, "{granularity:?}");
            // The next compiler finds nobody in the code, which is given back then.
            assert!(pages.lent.load(Ordering::Relaxed) > thunks);
            drop(jit(context, backend, pages));
            assert_eq!(pages.lent.load(Ordering::Relaxed), thunks);
        }
    }
}

static MEETING: Barrier = Barrier::new(2);

fn waits(arguments: &[Value], results: &mut [Value]) -> Result<(), HostError> {
    MEETING.wait();
    MEETING.wait();
    same(arguments, results)
}

static WAITS: &Closure = &waits;

/// A compiler is dropped while a thread is in its code, and no other is made after it: the code is
/// given back with the context.
#[test]
fn a_context_gives_back_the_code_that_was_left_to_it() {
    let backend = testkit::host_backend();
    for granularity in [Granularity::Function, Granularity::Block] {
        let pages = counted();
        let context = linked(pages, &WAITS);
        let thunks = pages.lent.load(Ordering::Relaxed);
        let compiler = jit(&context, backend, pages);
        defer(&compiler, &context, granularity);
        std::thread::scope(|scope| {
            let outer = scope.spawn(|| run(&context, "outer", 7));
            MEETING.wait();
            drop(compiler);
            MEETING.wait();
            assert_eq!(outer.join().unwrap(), Ok(22), "{granularity:?}");
        });
        assert!(pages.lent.load(Ordering::Relaxed) > thunks);
        drop(context);
        assert_eq!(pages.lent.load(Ordering::Relaxed), 0, "{granularity:?}");
    }
}

/// A compiler that another thread drops takes nothing from the threads that are in its code.
#[test]
fn another_thread_may_drop_the_compiler() {
    let backend = testkit::host_backend();
    let pages = counted();
    {
        let context = linked(pages, &SAME);
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for thread in 1..3_i64 {
                let (context, done) = (&context, &done);
                scope.spawn(move || {
                    let mut n = thread;
                    while !done.load(Ordering::Relaxed) {
                        n = n % 70 + 1;
                        let expected = if n >= 50 { n + 2 } else { n + 100 / n + 1 };
                        assert_eq!(run(context, "outer", n), Ok(expected));
                    }
                });
            }
            for round in 0..40 {
                let compiler = jit(&context, backend, pages);
                let granularity = [Granularity::Function, Granularity::Block][round % 2];
                defer(&compiler, &context, granularity);
                for n in 0..3 {
                    _ = run(&context, "outer", 20 * n + 1);
                }
            }
            done.store(true, Ordering::Relaxed);
        });
    }
    assert_eq!(pages.lent.load(Ordering::Relaxed), 0);
}

/// Nobody says that a compiler was forgotten: its code stays, and finds the context wherever that
/// goes.
#[test]
fn a_forgotten_compiler_outlives_its_context() {
    let backend = testkit::host_backend();
    for granularity in [Granularity::Function, Granularity::Block] {
        let context = linked(&PAGES, &SAME);
        let compiler = jit(&context, backend, &PAGES);
        defer(&compiler, &context, granularity);
        core::mem::forget(compiler);
        let moved = Box::new(context);
        assert_eq!(run(&moved, "outer", 7), Ok(22));
        assert_eq!(run(&moved, "outer", 0), Err(Reason::Division));
        let back = *moved;
        assert_eq!(run(&back, "middle", 0), Err(Reason::Division));
        assert_eq!(run(&back, "outer", 60), Ok(62));
        // Another compiler cannot have the functions, and leaves them as they are.
        let other = jit(&back, backend, &PAGES);
        let middle = back.find_func(b"middle").unwrap();
        assert_eq!(other.compile(middle), Err(codegen::Error::Unsupported));
        drop(other);
        assert_eq!(run(&back, "outer", 7), Ok(22));
    }
}

/// Calls a function of a program as C does.
extern "C" fn apply(function: extern "C" fn(i64) -> i64, n: i64) -> i64 {
    function(n) + 1
}

const CALLS_BACK: &str = "
c: module
 export main
 import apply
p: proto i64, p:function, i64:n
half: func i64, i64:n
 div n, 100, n
 ret n
 endfunc
main: func i64, i64:n
 local i64:r
 call p, apply, r, half, n
 ret r
 endfunc
endmodule\n";

#[test]
fn native_code_calls_back_after_the_context_moved() {
    let context = Context::new(options(&PAGES));
    load(&context, CALLS_BACK).unwrap();
    let apply = (apply as *const ()).expose_provenance();
    context.add_external(b"apply", apply).unwrap();
    context.link(&mut |_| None).unwrap();
    let contexts = vec![context];
    let moved: Vec<Context<'static>> = contexts.into_iter().collect::<Vec<_>>();
    let mut context = Box::new(moved.into_iter().next().unwrap());
    assert_eq!(run(&context, "main", 4), Ok(26));
    assert_eq!(run(&context, "main", 0), Err(Reason::Callback));
    // Whatever lies where the context was is not looked at.
    let mut other = Context::new(options(&PAGES));
    core::mem::swap(&mut *context, &mut other);
    assert_eq!(run(&other, "main", 5), Ok(21));
    assert_eq!(run(&other, "main", 0), Err(Reason::Callback));
}

const MIXED: &str = "
x: module
 export outer
 import main_of
p: proto i64, i64:n
outer: func i64, i64:n
 local i64:r
 call p, main_of, r, n
 ret r
 endfunc
endmodule\n";

/// Compiled code that C called for the interpreter faults: that ends the run of the interpreter,
/// whoever called that.
#[test]
fn a_fault_behind_native_code_ends_the_run_that_called_it() {
    let backend = testkit::host_backend();
    for granularity in [Granularity::Function, Granularity::Block] {
        let context = Context::new(options(&PAGES));
        let apply = (apply as *const ()).expose_provenance();
        context.add_external(b"apply", apply).unwrap();
        load(&context, CALLS_BACK).unwrap();
        context.link(&mut |_| None).unwrap();
        let main = context.find(b"main").unwrap();
        context.add_external(b"main_of", main).unwrap();
        load(&context, MIXED).unwrap();
        context.link(&mut |_| None).unwrap();
        let compiler = jit(&context, backend, &PAGES);
        let main = context.find_func(b"main").unwrap().func().unwrap().1;
        let first = context.module(0).unwrap();
        compiler
            .defer(first, granularity, &mut |func| func != main)
            .unwrap();
        let second = context.module(1).unwrap();
        compiler.defer(second, granularity, &mut |_| true).unwrap();
        let outer = context.find_func(b"outer").unwrap();
        for _ in 0..3 {
            assert_eq!(run(&context, "main", 4), Ok(26));
            assert_eq!(run(&context, "main", 0), Err(Reason::Division));
            assert_eq!(called(&compiler, outer), Ok(15));
            let mut results = [Value::ZERO];
            // SAFETY: the programs here use only memory of their own.
            let faulted = unsafe { compiler.call(outer, &[Value::ZERO], &mut results) };
            match faulted {
                Err(CallError::Fault(fault)) => assert_eq!(fault.reason(), Reason::Division),
                other => panic!("{other:?}"),
            }
        }
        // Nothing is taken for a call under way that was left so.
        let pages = counted();
        drop(jit(&context, backend, pages));
        assert_eq!(pages.lent.load(Ordering::Relaxed), 0);
    }
}

/// A closure whose arguments no call could pass still has an address that can be called.
#[test]
fn a_closure_with_too_large_arguments_can_be_called() {
    let context = Context::new(options(&PAGES));
    let mut block = ArgSpec::new(Type::Blk0, "b");
    block.size = 1 << 30;
    let signature = SignatureSpec {
        results: &[],
        args: &[block],
        vararg: false,
    };
    context.add_host_fn(b"large", signature, &SAME).unwrap();
    let large = context.find_func(b"large").unwrap();
    let signature = Signature {
        results: &[],
        arguments: &[],
        variadic: None,
    };
    let plan = Plan::new(context.target(), &signature, &SystemAllocator).unwrap();
    let address = large.native_address().unwrap();
    // SAFETY: the closure is not reached, as nothing could pass its arguments.
    unsafe { plan.call(target_all::NATIVE, address, &[], &mut []) };
}

#[test]
fn compilers_keep_to_their_context() {
    let backend = testkit::host_backend();
    let native = target_all::NATIVE;
    let refused = |options: ContextOptions<'static>| {
        let context = Context::new(options);
        let made = Jit::new(&context, backend, native, &PAGES, Options::default());
        made.map(drop)
    };
    let all = options(&PAGES);
    assert_eq!(refused(all), Ok(()));
    let others: [&'static Target; 2] =
        ["x86_64", "s390x"].map(|name| target_all::backend(name).unwrap().target());
    for target in others {
        if !core::ptr::eq(target, native.target()) {
            let foreign = ContextOptions { target, ..all };
            assert_eq!(refused(foreign), Err(codegen::Error::Unsupported));
        }
    }
    let without = ContextOptions {
        native: None,
        ..all
    };
    assert_eq!(refused(without), Err(codegen::Error::Unsupported));
    let without = ContextOptions { pages: None, ..all };
    assert_eq!(refused(without), Err(codegen::Error::Unsupported));

    let ours = linked(&PAGES, &SAME);
    let compiler = jit(&ours, backend, &PAGES);
    let theirs = linked(&PAGES, &SAME);
    refuses(&compiler, &theirs);
    drop(theirs);
    load(
        &ours,
        &PROGRAM
            .replace("export outer, middle, inner", "export late")
            .replace("outer", "late"),
    )
    .unwrap();
    let late = ours.find_func(b"late").unwrap();
    assert_eq!(compiler.compile(late), Err(codegen::Error::Unsupported));
    assert_eq!(
        called(&compiler, late),
        Err(CallError::Function(FunctionError::NotLinked))
    );
    ours.link(&mut |_| None).unwrap();
    compiler.compile(late).unwrap();
    assert_eq!(called(&compiler, late), Ok(22));
}

/// Whatever a compiler is asked to do with a module of another context, it does not.
fn refuses(compiler: &Jit<'_, 'static>, theirs: &Context<'static>) {
    let module = theirs.module(0).unwrap();
    let mut left = 0;
    let compiled = compiler
        .compile_module(module, &mut |_, error| {
            assert_eq!(error, codegen::Error::Unsupported);
            left += 1;
        })
        .unwrap();
    assert_eq!((compiled.functions, compiled.left, left), (0, 3, 3));
    compiler
        .defer(module, Granularity::Function, &mut |_| true)
        .unwrap();
    let outer = theirs.find_func(b"outer").unwrap();
    assert_eq!(compiler.compile(outer), Err(codegen::Error::Unsupported));
    assert_eq!(
        called(compiler, outer),
        Err(CallError::Function(FunctionError::NotLinked))
    );
    assert!(!outer.is_native());
    assert_eq!(run(theirs, "outer", 7), Ok(22));
}

fn called(compiler: &Jit<'_, 'static>, callable: &Callable<'static>) -> Result<i64, CallError> {
    let mut results = [Value::ZERO];
    // SAFETY: the programs here use only memory of their own.
    unsafe { compiler.call(callable, &[Value::from_i64(7)], &mut results) }?;
    Ok(results[0].i64())
}
