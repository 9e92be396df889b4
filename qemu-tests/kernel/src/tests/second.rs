//! Tests that the second CPU interprets in parallel with the first: the same linked function, and
//! modules of its own.

use crate::memory::heap;
use crate::report::Report;
use crate::run::{self, Failure};
use crate::{arch, second};
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use mir_nostd::ir::{ArgSpec, Code, Error, Module, SignatureSpec, Type};
use mir_nostd::link::Context;
use mir_nostd::target::Value;

/// Runs all tests of this module.
pub fn second(report: &mut Report) {
    if !second::wake() {
        return report.test(
            format_args!("second CPU"),
            false,
            format_args!("does not answer"),
        );
    }
    match shared(report) {
        Ok(()) => {}
        Err(failure) => report.test(format_args!("second CPU"), false, format_args!("{failure}")),
    }
    apart(report);
}

const FACTOR: i64 = 6_364_136_223_846_793_005;

/// Adds the function `mix(n)`, which takes n steps of `x = x * FACTOR + step`.
pub fn add_mix(module: &mut Module<'_>) -> Result<(), Error> {
    let args = [ArgSpec::new(Type::I64, "n")];
    let signature = SignatureSpec {
        results: &[Type::I64],
        args: &args,
        vararg: false,
    };
    let mut func = module.build_func("mix", signature)?;
    let (n, x, step) = (
        func.arg(0),
        func.local(Type::I64, "x")?,
        func.local(Type::I64, "step")?,
    );
    let (more, done) = (func.new_label()?, func.new_label()?);
    func.emit(Code::Mov, (x, 1))?;
    func.emit(Code::Mov, (step, 0))?;
    func.label(more)?;
    func.emit(Code::Bge, (done, step, n))?;
    func.emit(Code::Mul, (x, x, FACTOR))?;
    func.emit(Code::Add, (x, x, step))?;
    func.emit(Code::Add, (step, step, 1))?;
    func.emit(Code::Jmp, (more,))?;
    func.label(done)?;
    func.emit(Code::Ret, (x,))?;
    func.finish()?;
    module.export(b"mix")?;
    Ok(())
}

/// Returns the result of `mix`, computed in Rust.
pub fn mix(steps: i64) -> i64 {
    (0..steps).fold(1, |x: i64, step| x.wrapping_mul(FACTOR).wrapping_add(step))
}

const STEPS: [i64; 2] = [300_000, 310_000];

/// The state shared with the second CPU.
struct Shared<'a> {
    context: &'a Context<'static>,
    result: AtomicU64,
}

fn shared(report: &mut Report) -> Result<(), Failure> {
    let context = run::context(heap())?;
    let mut module = Module::new(heap(), b"mix", arch::TARGET.long_double)?;
    add_mix(&mut module)?;
    run::load_module(&context, module)?;
    context.link(&mut |_| None)?;
    let shared = Shared {
        context: &context,
        result: AtomicU64::new(0),
    };
    // SAFETY: `shared` lives until `wait` has returned, and both CPUs only share what may be
    // shared.
    unsafe { second::start(call_mix, (&raw const shared).cast_mut().cast()) };
    let own = call(&context, STEPS[0]);
    second::wait();
    let other = shared.result.load(Ordering::Relaxed) as i64;
    report.test(
        format_args!("both CPUs interpret one function"),
        own == Some(mix(STEPS[0])) && other == mix(STEPS[1]),
        format_args!("{:#x}, {other:#x}", own.unwrap_or(0)),
    );
    Ok(())
}

fn call<'m>(context: &Context<'m>, steps: i64) -> Option<i64> {
    let function = context.find_func(b"mix")?;
    let mut results = [Value::ZERO];
    run::call(context, function, &[Value::from_i64(steps)], &mut results).ok()?;
    Some(results[0].i64())
}

extern "C" fn call_mix(shared: *mut ()) {
    // SAFETY: the first CPU gave the address of a `Shared` that lives until this returns.
    let shared = unsafe { &*shared.cast::<Shared<'_>>() };
    if let Some(result) = call(shared.context, STEPS[1]) {
        shared.result.store(result as u64, Ordering::Relaxed);
    }
}

/// The number of contexts that each CPU makes, fills and frees.
const ROUNDS: usize = 200;

fn apart(report: &mut Report) {
    let before = heap().used();
    let loaded = AtomicUsize::new(0);
    // SAFETY: `loaded` lives until `wait` has returned, and is atomic.
    unsafe { second::start(load_often, (&raw const loaded).cast_mut().cast()) };
    let own = loads();
    second::wait();
    let other = loaded.load(Ordering::Relaxed);
    report.test(
        format_args!("both CPUs load and free modules"),
        own == ROUNDS && other == ROUNDS && heap().used() == before,
        format_args!("{own} and {other} times"),
    );
}

/// Loads the embedded program and calls an added function; returns how many times that succeeded.
fn loads() -> usize {
    let once = || -> Result<bool, Failure> {
        let context = run::context(heap())?;
        run::load(&context, arch::EMBEDDED)?;
        let mut module = Module::new(heap(), b"mix", arch::TARGET.long_double)?;
        add_mix(&mut module)?;
        run::load_module(&context, module)?;
        context.link(&mut |_| None)?;
        Ok(call(&context, 100) == Some(mix(100)))
    };
    (0..ROUNDS)
        .filter(|_| once().is_ok_and(|good| good))
        .count()
}

extern "C" fn load_often(loaded: *mut ()) {
    // SAFETY: the first CPU gave the address of an atomic that lives until this returns.
    let loaded = unsafe { &*loaded.cast::<AtomicUsize>() };
    loaded.store(loads(), Ordering::Relaxed);
}
