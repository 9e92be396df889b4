//! Running in the interpreter: calls of functions, and where a run stopped.

use crate::stop::{Backtrace, Stop};
use core::sync::atomic::{AtomicU64, Ordering};
use mir_nostd::interp::{Engine, Interpreter, Options};
use mir_nostd::link::{Callable, Context};
use mir_nostd::target::Value;

/// Returns the engine that runs functions, counting fuel or not.
pub(crate) fn engine(counts_fuel: bool) -> &'static Engine {
    static PLAIN: Engine = Engine::new();
    static COUNTING: Engine = Engine::with_fuel();
    if counts_fuel { &COUNTING } else { &PLAIN }
}

/// The limit of the interpreter's stack, ample unless a program recurses without end. Memory is
/// only taken as it is used.
const STACK_BYTES: usize = 256 << 20;

/// The limit of nested calls: more than C programs get with the usual stack.
const DEPTH: usize = 1_000_000;

/// Calls a function with as many of the arguments as it takes, and at most the fuel that `fuel`
/// has, which becomes what is left; returns its result if that is an integer, else 0.
pub(crate) fn call<'c>(
    context: &'c Context<'static>,
    function: &'c Callable<'static>,
    arguments: &[Value],
    fuel: &AtomicU64,
) -> Result<i32, Stop<'c>> {
    let options = Options {
        stack: STACK_BYTES,
        depth: DEPTH,
        fuel: fuel.load(Ordering::Relaxed),
    };
    let without_place = |reason: String| Stop {
        reason,
        backtrace: Backtrace::default(),
    };
    let mut interpreter =
        Interpreter::new(context, options).map_err(|error| without_place(error.to_string()))?;
    let mut results = [Value::ZERO];
    let run = mir_host::outermost(|| interpreter.run(function, arguments, &mut results));
    fuel.store(interpreter.fuel(), Ordering::Relaxed);
    match run {
        Ok(()) if returns_integer(function) => Ok(results[0].i64() as i32),
        Ok(()) => Ok(0),
        Err(stop) => {
            let mut backtrace = Backtrace::default();
            interpreter.backtrace(|frame| {
                backtrace.push(frame);
                true
            });
            Err(Stop {
                reason: stop.reason.to_string(),
                backtrace,
            })
        }
    }
}

fn returns_integer(callable: &Callable<'_>) -> bool {
    callable.func().is_some_and(|(linked, func)| {
        let module = linked.module();
        let results = module.results(&module.func(func).signature);
        results.first().is_some_and(|ty| ty.is_int())
    })
}
