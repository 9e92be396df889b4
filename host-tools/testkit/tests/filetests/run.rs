//! Runs the calls of a file, with the program taken in three ways: as written, as printed, as binary.

use mir_nostd::binary::{self, ReadOptions, WriteOptions};
use mir_nostd::ir::{FuncId, Module, Type};
use mir_nostd::mem::Vec as ModuleVec;
use mir_nostd::target::{Target, Value};
use mir_nostd::verify::{Violation, verify};
use testkit::SystemAllocator;

use crate::engine::{TARGETS, parse, printed};
use crate::expectation::{Call, Outcome, TestFile};
use crate::values;

type Modules = ModuleVec<'static, Module<'static>>;

/// The target that this program runs on.
fn host() -> &'static Target {
    let name = match std::env::consts::ARCH {
        "powerpc64" => "ppc64le",
        name => name,
    };
    TARGETS
        .iter()
        .find(|target| target.name == name)
        .unwrap_or(&TARGETS[0])
}

/// The file's calls give what they must, whichever way the program came in.
pub(crate) fn run(file: &TestFile) -> Result<(), String> {
    let target = host();
    if !file.is_for(target.name) {
        return Ok(());
    }
    let as_written = parse(file.source.as_bytes(), target)?;
    let as_printed =
        parse(&printed(&as_written)?, target).map_err(|error| format!("printed text: {error}"))?;
    let as_binary =
        through_binary(&as_written, target).map_err(|error| format!("binary: {error}"))?;
    for (way, modules) in [
        ("as written", as_written),
        ("as printed", as_printed),
        ("as binary", as_binary),
    ] {
        check(file, modules, target).map_err(|error| format!("{way}: {error}"))?;
    }
    Ok(())
}

fn through_binary(modules: &[Module<'_>], target: &Target) -> Result<Modules, String> {
    let options = WriteOptions::new(target.big_endian);
    let bytes =
        binary::write(modules, &SystemAllocator, &options).map_err(|error| error.to_string())?;
    let options = ReadOptions::new(target.long_double, target.big_endian);
    binary::read(&bytes, &SystemAllocator, &options).map_err(|error| error.to_string())
}

fn check(file: &TestFile, modules: Modules, target: &'static Target) -> Result<(), String> {
    for module in modules.iter() {
        verified(module, target)?;
    }
    for call in &file.calls {
        let wrong = |error: String| format!("line {}: {}: {error}", call.line, call.function);
        Planned::new(call, &modules, target).map_err(wrong)?;
    }
    Ok(())
}

fn verified(module: &Module<'_>, target: &Target) -> Result<(), String> {
    let mut errors = String::new();
    let mut sink = |violation: Violation| {
        if !violation.is_warning {
            errors += &format!("{}\n", violation.error);
        }
    };
    let verdict = verify(module, target, &mut sink);
    verdict.map_err(|_| errors)
}

/// A call with its values in the types of the function.
#[expect(
    dead_code,
    reason = "read as soon as there is an engine to run the call"
)]
struct Planned {
    arguments: Vec<Value>,
    results: Vec<Type>,
    outcome: Outcome,
}

impl Planned {
    fn new(call: &Call, modules: &[Module<'_>], target: &Target) -> Result<Self, String> {
        let named = |module: &Module<'_>, func: FuncId| {
            let name = module.item(module.func(func).item).name;
            name.is_some_and(|name| module.name_bytes(name) == call.function.as_bytes())
        };
        let mut all = modules
            .iter()
            .flat_map(|module| module.funcs().map(move |(func, _)| (module, func)));
        let (module, func) = all
            .find(|(module, func)| named(module, *func))
            .ok_or("no such function")?;
        let signature = module.func(func).signature;
        let types: Vec<Type> = module
            .args(&signature)
            .iter()
            .map(|argument| argument.ty)
            .collect();
        let results = module.results(&signature).to_vec();
        if call.arguments.len() != types.len() {
            return Err(format!(
                "{} arguments for {}",
                call.arguments.len(),
                types.len()
            ));
        }
        let arguments = call
            .arguments
            .iter()
            .zip(&types)
            .map(|(text, ty)| values::parse(text, *ty, target.long_double));
        let outcome = match &call.outcome {
            Outcome::Fault(text) => Outcome::Fault(text.clone()),
            Outcome::Results(texts) if texts.len() != results.len() => {
                return Err(format!("{} results for {}", texts.len(), results.len()));
            }
            Outcome::Results(texts) => {
                let values = texts.iter().zip(&results).map(|(text, ty)| {
                    Ok(values::print(
                        values::parse(text, *ty, target.long_double)?,
                        *ty,
                        target.long_double,
                    ))
                });
                Outcome::Results(values.collect::<Result<_, String>>()?)
            }
        };
        Ok(Self {
            arguments: arguments.collect::<Result<_, String>>()?,
            results,
            outcome,
        })
    }
}
