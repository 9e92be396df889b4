//! Compiled code at work: compiles what was linked and calls functions.

use crate::failure::{Failure, Result};
use crate::progress::Progress;
use crate::recorder::Recorder;
use crate::stop::{Backtrace, Stop};
use mir_host::HostPages;
use mir_nostd::codegen::Backend;
use mir_nostd::interp::Frame;
use mir_nostd::ir::Module;
use mir_nostd::link::{Callable, Context};
use mir_nostd::mem::OutOfMemory;
use mir_nostd::run::{CallError, Fault, Granularity, Jit, Options};
use mir_nostd::target::Value;
use std::time::Instant;

/// When functions are compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum When {
    /// All before the program begins.
    Before,
    /// Each, or each of its blocks, when it is first come to.
    Lazily(Granularity),
}

/// True if programs can be compiled here: the system lends executable pages.
pub(crate) fn is_possible() -> bool {
    HostPages.are_lent()
}

/// Returns a compiler for all linked modules, which compiles each when `when` says for its number.
/// Functions that cannot be compiled are interpreted, with a warning.
pub(crate) fn compile<'c>(
    context: &'c Context<'static>,
    backend: &'static dyn Backend,
    options: Options<'static>,
    when: &dyn Fn(usize) -> When,
    recorder: &'static Recorder,
) -> Result<Jit<'c, 'static>> {
    let out_of_memory = |_: OutOfMemory| Failure::Usage("out of memory".into());
    let start = Instant::now();
    let jit = Jit::new(
        context,
        backend,
        target_all::NATIVE,
        recorder.pages(),
        options,
    )
    .map_err(|error| Failure::Usage(error.to_string()))?;
    let _progress = Progress::of("compiling");
    for number in 0..context.linked_modules() {
        let Some(linked) = context.module(number) else {
            continue;
        };
        let done = match when(number) {
            // The watching recorder is told of the functions that are left.
            When::Before => jit.compile_module(linked, &mut |_, _| {}).map(|_| ()),
            When::Lazily(granularity) => jit.defer(linked, granularity, &mut |_| true),
        };
        done.map_err(out_of_memory)?;
    }
    recorder.took(start.elapsed());
    Ok(jit)
}

/// Returns the name of a function.
pub(crate) fn name(module: &Module<'_>, func: mir_nostd::ir::FuncId) -> String {
    let name = module.item(module.func(func).item).name;
    let bytes = name.map_or(&b"?"[..], |name| module.name_bytes(name));
    // Those of confined programs begin with a NUL and the program's number.
    let local = match bytes {
        [0, rest @ ..] => rest.splitn(2, |&byte| byte == b':').nth(1).unwrap_or(rest),
        _ => bytes,
    };
    String::from_utf8_lossy(local).into_owned()
}

/// Calls a function with as many of the arguments as it takes; returns its result if that is an
/// integer, else 0.
pub(crate) fn call<'c>(
    jit: &Jit<'c, 'static>,
    context: &'c Context<'static>,
    function: &'c Callable<'static>,
    arguments: &[Value],
) -> core::result::Result<i32, Stop<'c>> {
    let without_place = |reason: String| Stop {
        reason,
        backtrace: Backtrace::default(),
    };
    let Some((linked, func)) = function.func() else {
        return Err(without_place("main is no function".into()));
    };
    let module = linked.module();
    let signature = &module.func(func).signature;
    let types = module.results(signature);
    let Some(values) = arguments.get(..module.args(signature).len()) else {
        let name = name(module, func);
        return Err(without_place(format!(
            "{name} has more than three arguments"
        )));
    };
    let mut results = vec![Value::ZERO; types.len()];
    // SAFETY: whoever runs a program lets it do what it does; the arguments are those of a C
    // program.
    let call = || unsafe { jit.call(function, values, &mut results) };
    match mir_host::outermost(call) {
        Ok(()) if types.first().is_some_and(|ty| ty.is_int()) => Ok(results[0].i64() as i32),
        Ok(()) => Ok(0),
        Err(CallError::Fault(fault)) => Err(stop_of(context, &fault)),
        Err(CallError::OutOfMemory) => Err(without_place("out of memory".into())),
        Err(_) => Err(without_place(format!(
            "{} cannot be called",
            name(module, func)
        ))),
    }
}

/// Returns the stop that a fault is, with its place.
fn stop_of<'c>(context: &'c Context<'static>, fault: &Fault) -> Stop<'c> {
    let modules = (0..context.linked_modules()).filter_map(|number| context.module(number));
    let functions = modules.flat_map(|linked| {
        let funcs = linked.module().funcs();
        funcs.map(move |(func, _)| (linked, func))
    });
    let backtrace = functions
        .filter(|&(linked, func)| fault.is_in(linked.callable(func)))
        .map(|(linked, func)| {
            let module = linked.module();
            let number = fault.instruction().map(|number| number as usize);
            let insn = number.and_then(|number| module.insns(func).nth(number));
            Frame { module, func, insn }
        })
        .collect();
    Stop {
        reason: fault.to_string(),
        backtrace,
    }
}
