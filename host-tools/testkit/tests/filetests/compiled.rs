//! Makes the calls of a file in compiled code.
#![expect(unsafe_code, reason = "machine code is called")]

use mir_nostd::codegen::Backend;
use mir_nostd::link::Context;
use mir_nostd::run::{CallError, Granularity, Jit, Options};

use crate::expectation::{Outcome, TestFile};
use crate::run::Planned;
use mir_host::HostPages;

/// The times of compiling functions: in advance (`None`), or when control first reaches them or
/// their blocks.
pub(crate) const GRANULARITIES: [Option<Granularity>; 3] =
    [None, Some(Granularity::Function), Some(Granularity::Block)];

/// Checks the file's calls with everything compiled at this level. Faults that only the interpreter
/// detects are left out.
pub(crate) fn check(
    file: &TestFile,
    context: &Context<'static>,
    backend: &'static dyn Backend,
    level: u8,
    granularity: Option<Granularity>,
) -> Result<(), String> {
    static PAGES: HostPages = HostPages;
    let options = Options {
        codegen: mir_nostd::codegen::Options {
            level,
            check_allocation: true,
            ..Default::default()
        },
        ..Options::default()
    };
    let jit = Jit::new(context, backend, target_all::NATIVE, &PAGES, options)
        .map_err(|error| error.to_string())?;
    for linked in (0..context.linked_modules()).filter_map(|number| context.module(number)) {
        let mut left = Vec::new();
        if let Some(granularity) = granularity {
            let deferred = jit.defer(linked, granularity, &mut |_| true);
            deferred.map_err(|error| error.to_string())?;
            continue;
        }
        jit.compile_module(linked, &mut |func, error| {
            let name = linked.module().item(linked.module().func(func).item).name;
            let name = name.map_or(&b"?"[..], |name| linked.module().name_bytes(name));
            left.push(format!("{}: {error}", String::from_utf8_lossy(name)));
        })
        .map_err(|error| error.to_string())?;
        if !left.is_empty() {
            return Err(format!("not compiled: {}", left.join(", ")));
        }
    }
    let calls = match granularity {
        Some(Granularity::Block) if !file.by_block.is_empty() => &file.by_block,
        _ => &file.calls,
    };
    let further = match granularity {
        Some(Granularity::Block) => &[][..],
        _ if level < 2 => &[],
        _ => &file.from_level_2,
    };
    for call in calls.iter().chain(further) {
        let wrong = |error: String| format!("line {}: {}: {error}", call.line, call.function);
        let planned = Planned::new(call, context).map_err(wrong)?;
        if let Outcome::Fault(text) = &planned.outcome
            && !["division", "switch", "end of function", "label"].contains(&text.as_str())
        {
            continue;
        }
        let mut values = planned.cells();
        // SAFETY: the programs of the tests keep to their memory.
        let ended = unsafe { jit.call(planned.callable, &planned.arguments, &mut values) };
        let ended = ended.map_err(|error| match error {
            CallError::Fault(fault) => fault.to_string(),
            error => format!("{error:?}"),
        });
        planned.compare(ended, &values).map_err(wrong)?;
    }
    match jit.compiled().left {
        0 => Ok(()),
        left => Err(format!("{left} functions are not compiled")),
    }
}
