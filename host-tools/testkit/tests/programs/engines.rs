//! Runs one program in both engines.

use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use mir_nostd::interp::{self, Engine, Interpreter};
use mir_nostd::ir::Error;
use mir_nostd::link::{Callable, Context, ContextOptions};
use mir_nostd::run::{CallError, Granularity, Jit, Options};
use mir_nostd::target::Value;
use mir_nostd::text;
use mir_nostd::verify::Verified;
use testkit::SystemAllocator;

use mir_host::HostPages;

/// The prefix of messages about invalid programs.
pub(crate) const NO_PROGRAM: &str = "no program";

static PLAIN: Engine = Engine::new();
static COUNTING: Engine = Engine::with_fuel();
static PAGES: HostPages = HostPages;

/// Fuel that suffices for every program.
const PLENTY: u64 = 1 << 40;

/// The settings under which a program is compiled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    level: u8,
    granularity: Option<Granularity>,
    /// True for all options: fuel, a limit of the stack, landing pads, and code that is freed
    /// function by function.
    limited: bool,
}

/// Returns the settings that compile all functions in advance at each level, and one other setting,
/// chosen by the seed.
pub(crate) fn settings(seed: u64) -> Vec<Setting> {
    let number = usize::try_from(seed % 64).unwrap_or(0);
    let at_once = [0, 1, 2, 3].map(|level| Setting {
        level,
        granularity: None,
        limited: false,
    });
    let other = match number % 4 {
        0 => (None, true),
        1 => (Some(Granularity::Function), number.is_multiple_of(3)),
        _ => (Some(Granularity::Block), number.is_multiple_of(3)),
    };
    let other = Setting {
        level: [0, 1, 2, 3][number / 4 % 4],
        granularity: other.0,
        limited: other.1,
    };
    at_once.into_iter().chain([other]).collect()
}

/// The outcome of a run: its result or why it stopped, and the fuel that it took.
type Outcome = (Result<i64, String>, Option<u64>);

/// Checks that the program has the same outcome in each setting as in the interpreter.
pub(crate) fn compare(source: &str, settings: &[Setting], seed: u64) -> Result<(), String> {
    let arguments = [Value::from_u64(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)), {
        let low = i32::try_from(seed % 1000).unwrap_or(0);
        Value::from_i64(i64::from(low - 500))
    }];
    let fails = |error: Error| format!("{NO_PROGRAM}: {error}");
    let context = linked(source, &COUNTING).map_err(fails)?;
    let (result, taken) = interpreted(&context, &arguments).map_err(fails)?;
    for setting in settings {
        let context = linked(source, &PLAIN).map_err(fails)?;
        let found = compiled(&context, setting, &arguments)?;
        let expected = (result.clone(), setting.limited.then_some(taken));
        if found != expected {
            return Err(format!(
                "{setting:?}: expected {expected:?}, found {found:?}"
            ));
        }
    }
    Ok(())
}

fn linked(source: &str, engine: &'static Engine) -> Result<Context<'static>, Error> {
    let target = target_all::NATIVE.target();
    let mut options = ContextOptions::new(&SystemAllocator, target, engine);
    options.native = Some(target_all::NATIVE);
    options.pages = Some(&PAGES);
    let context = Context::new(options);
    let mut report = |error: Error| eprintln!("{error}");
    let mut modules = text::parse(
        source.as_bytes(),
        &SystemAllocator,
        target.long_double,
        &mut report,
    )?;
    while let Some(module) = modules.pop() {
        let mut sink = |violation: mir_nostd::verify::Violation| {
            if !violation.is_warning {
                eprintln!("{}", violation.error);
            }
        };
        // SAFETY: the programs use only memory of their own.
        unsafe { context.load(Verified::new(module, target, &mut sink)?) }?;
    }
    context.link(&mut |_| None)?;
    Ok(context)
}

/// Returns the first function of the program: `run`.
fn run<'c>(context: &'c Context<'static>) -> Option<&'c Callable<'static>> {
    let linked = context.module(0)?;
    let module = linked.module();
    let mut funcs = module.funcs();
    let (func, _) = funcs.find(|&(func, _)| {
        let own = module.item(module.func(func).item).name;
        own.is_some_and(|own| module.name_bytes(own) == b"run")
    })?;
    Some(linked.callable(func))
}

fn interpreted(
    context: &Context<'static>,
    arguments: &[Value],
) -> Result<(Result<i64, String>, u64), Error> {
    let limits = interp::Options {
        fuel: PLENTY,
        ..interp::Options::default()
    };
    let mut interpreter = Interpreter::new(context, limits)?;
    let mut results = [Value::ZERO];
    let ran = match run(context) {
        Some(run) => interpreter.run(run, arguments, &mut results),
        None => return Ok((Err("no function".into()), 0)),
    };
    let ran = ran.map_err(|stop| format!("{:?}", stop.reason));
    Ok((ran.map(|()| results[0].i64()), PLENTY - interpreter.fuel()))
}

fn compiled(
    context: &Context<'static>,
    setting: &Setting,
    arguments: &[Value],
) -> Result<Outcome, String> {
    let backend = testkit::host_backend();
    let (Some(run), Some(module)) = (run(context), context.module(0)) else {
        return Err("no function".into());
    };
    let fuel: &'static AtomicU64 = Box::leak(Box::new(AtomicU64::new(PLENTY)));
    let lowest: &'static AtomicUsize = Box::leak(Box::new(AtomicUsize::new(0)));
    let options = Options {
        fuel: setting.limited.then_some(fuel),
        stack_limit: setting.limited.then_some(lowest),
        can_free: setting.limited,
        codegen: mir_nostd::codegen::Options {
            level: setting.level,
            check_allocation: true,
            check_confinement: true,
            landing_pads: setting.limited,
            ..Default::default()
        },
        ..Options::default()
    };
    let jit = Jit::new(context, backend, target_all::NATIVE, &PAGES, options);
    let jit = jit.map_err(|error| error.to_string())?;
    if let Some(granularity) = setting.granularity {
        let deferred = jit.defer(module, granularity, &mut |_| true);
        deferred.map_err(|error| error.to_string())?;
    } else {
        let mut left = String::new();
        let mut report = |func: mir_nostd::ir::FuncId, error| {
            left += &format!("{func:?} is not compiled: {error}; ");
        };
        let made = jit.compile_module(module, &mut report);
        made.map_err(|error| error.to_string())?;
        if !left.is_empty() {
            return Err(left);
        }
    }
    let mut results = [Value::ZERO];
    // SAFETY: the programs use only memory of their own.
    let ran = unsafe { jit.call(run, arguments, &mut results) };
    let ran = match ran {
        Ok(()) => Ok(results[0].i64()),
        Err(CallError::Fault(fault)) => Err(format!("{:?}", fault.reason())),
        Err(error) => Err(format!("{error:?}")),
    };
    if jit.compiled().left > 0 {
        return Err(format!(
            "{} functions are not compiled",
            jit.compiled().left
        ));
    }
    let taken = PLENTY - fuel.load(Ordering::Relaxed);
    Ok((ran, setting.limited.then_some(taken)))
}
