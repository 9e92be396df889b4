//! The interpreter at work: calls `main`, and tells where a run stopped.

use crate::host::MainArguments;
pub(crate) use mir_nostd::interp::Frame;
use mir_nostd::interp::{Engine, Interpreter, Options};
use mir_nostd::link::{Callable, Context};
use mir_nostd::target::Value;

/// Why a run ended before `main` returned, and where: the innermost function first.
pub(crate) struct Stop<'c> {
    pub(crate) reason: String,
    pub(crate) frames: Vec<Frame<'c, 'static>>,
}

/// What runs functions, counting fuel or not.
pub(crate) fn engine(counts_fuel: bool) -> &'static Engine {
    static PLAIN: Engine = Engine::new();
    static COUNTING: Engine = Engine::with_fuel();
    if counts_fuel { &COUNTING } else { &PLAIN }
}

/// The interpreter's stack: as much as anybody needs who does not recurse for ever. It is only taken as it is used.
const STACK_BYTES: usize = 256 << 20;

/// Calls `main`; gives its exit status.
pub(crate) fn call_main<'c>(
    context: &'c Context<'static>,
    main: &'c Callable<'static>,
    fuel: Option<u64>,
    arguments: &MainArguments,
) -> Result<i32, Stop<'c>> {
    let options = Options {
        stack: STACK_BYTES,
        depth: usize::MAX,
        fuel: fuel.unwrap_or(u64::MAX),
    };
    let without_place = |reason: String| Stop {
        reason,
        frames: Vec::new(),
    };
    let mut interpreter =
        Interpreter::new(context, options).map_err(|error| without_place(error.to_string()))?;
    let mut results = [Value::ZERO];
    match interpreter.run(main, &arguments.values(), &mut results) {
        Ok(()) if returns_integer(main) => Ok(results[0].i64() as i32),
        Ok(()) => Ok(0),
        Err(stop) => {
            let mut frames = Vec::new();
            interpreter.backtrace(|frame| {
                frames.push(frame);
                true
            });
            Err(Stop {
                reason: stop.reason.to_string(),
                frames,
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
