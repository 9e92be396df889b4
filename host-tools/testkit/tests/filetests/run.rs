//! Runs the calls of a file, with the program read in three forms: as written, as printed, as
//! binary.

use mir_nostd::binary::{self, ReadOptions, WriteOptions};
use mir_nostd::interp::{Engine, Interpreter, Options};
use mir_nostd::ir::{FuncId, Module, Type};
use mir_nostd::link::{Callable, Context, ContextOptions, LinkedModule};
use mir_nostd::mem::Vec as ModuleVec;
use mir_nostd::num::LongDoubleFormat;
use mir_nostd::target::{Target, Value};
use mir_nostd::verify::{Verified, Violation};
use testkit::SystemAllocator;

use crate::engine::{parse, printed};
use crate::expectation::{Call, Outcome, TestFile};
use crate::{closures, compiled, values};
use mir_host::HostPages;

static PLAIN: Engine = Engine::new();
static FUELLED: Engine = Engine::with_fuel();

type Modules = ModuleVec<'static, Module<'static>>;

/// Checks the file's calls for every form of the program, with fuel and without.
pub(crate) fn run(file: &TestFile) -> Result<(), String> {
    let target = target_all::HOST.target();
    if !file.is_for(target.name) {
        return Ok(());
    }
    let as_written = || parse(file.source.as_bytes(), target);
    let modules = as_written()?;
    let as_printed =
        parse(&printed(&modules)?, target).map_err(|error| format!("printed text: {error}"))?;
    let as_binary = through_binary(&modules, target).map_err(|error| format!("binary: {error}"))?;
    let ways = [
        ("as written", modules, &PLAIN),
        ("with fuel", as_written()?, &FUELLED),
        ("as printed", as_printed, &PLAIN),
        ("as binary", as_binary, &PLAIN),
    ];
    for (way, modules, engine) in ways {
        let context = linked(modules, target, engine).map_err(|error| format!("{way}: {error}"))?;
        check(file, &context).map_err(|error| format!("{way}: {error}"))?;
    }
    let backend = testkit::host_backend();
    for level in 0..=3 {
        // The lowest and the highest level are tested with all times of compiling.
        let ways = if matches!(level, 0 | 3) { 3 } else { 1 };
        for &way in compiled::GRANULARITIES.iter().take(ways) {
            let context = linked(as_written()?, target, &PLAIN)?;
            compiled::check(file, &context, backend, level, way)
                .map_err(|error| format!("compiled at level {level}, {way:?}: {error}"))?;
        }
    }
    // Without long doubles the code is the same.
    let has_some = file.source.contains("ld:");
    if let (true, Some(backend)) = (has_some, testkit::routines::by_routine()) {
        let context = linked(as_written()?, target, &PLAIN)?;
        compiled::check(file, &context, backend, 1, None)
            .map_err(|error| format!("compiled, long doubles by routine: {error}"))?;
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

fn linked(
    mut modules: Modules,
    target: &'static Target,
    engine: &'static Engine,
) -> Result<Context<'static>, String> {
    static PAGES: HostPages = HostPages;
    let mut options = ContextOptions::new(&SystemAllocator, target, engine);
    options.native = Some(target_all::NATIVE);
    options.pages = Some(&PAGES);
    let context = Context::new(options);
    closures::add(&context).map_err(|error| error.to_string())?;
    modules.reverse();
    while let Some(module) = modules.pop() {
        let mut errors = String::new();
        let mut sink = |violation: Violation| {
            if !violation.is_warning {
                errors += &format!("{}\n", violation.error);
            }
        };
        let verified = Verified::new(module, target, &mut sink);
        let verified = verified.map_err(|_| errors)?;
        // SAFETY: the programs of the file tests touch their own memory only.
        unsafe { context.load(verified) }.map_err(|error| error.to_string())?;
    }
    context
        .link(&mut |_| None)
        .map_err(|error| error.to_string())?;
    Ok(context)
}

fn check(file: &TestFile, context: &Context<'static>) -> Result<(), String> {
    let mut interpreter =
        Interpreter::new(context, Options::default()).map_err(|error| error.to_string())?;
    for call in &file.calls {
        let wrong = |error: String| format!("line {}: {}: {error}", call.line, call.function);
        let planned = Planned::new(call, context).map_err(wrong)?;
        planned.check(&mut interpreter).map_err(wrong)?;
    }
    Ok(())
}

/// A call with its values converted to the types of the function.
pub(crate) struct Planned<'c> {
    pub(crate) callable: &'c Callable<'static>,
    long_double: LongDoubleFormat,
    pub(crate) arguments: Vec<Value>,
    results: Vec<Type>,
    pub(crate) outcome: Outcome,
    fuel: Option<u64>,
}

impl<'c> Planned<'c> {
    pub(crate) fn new(call: &Call, context: &'c Context<'static>) -> Result<Self, String> {
        let (linked, func) = find(context, call.function.as_bytes()).ok_or("no such function")?;
        let long_double = context.target().long_double;
        let module = linked.module();
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
            .map(|(text, ty)| values::parse(text, *ty, long_double));
        let outcome = match &call.outcome {
            Outcome::Fault(text) => Outcome::Fault(text.clone()),
            Outcome::Results(texts) if texts.len() != results.len() => {
                return Err(format!("{} results for {}", texts.len(), results.len()));
            }
            Outcome::Results(texts) => {
                let values = texts.iter().zip(&results);
                // Each value is parsed and printed, so that it has one spelling.
                let spelled = values.map(|(text, ty)| {
                    Ok(values::print(
                        values::parse(text, *ty, long_double)?,
                        *ty,
                        long_double,
                    ))
                });
                Outcome::Results(spelled.collect::<Result<_, String>>()?)
            }
        };
        let arguments = arguments.collect::<Result<_, String>>()?;
        Ok(Self {
            callable: linked.callable(func),
            long_double,
            arguments,
            results,
            outcome,
            fuel: call.fuel,
        })
    }

    fn check(&self, interpreter: &mut Interpreter<'_, 'static>) -> Result<(), String> {
        let mut values = self.cells();
        interpreter.set_fuel(u64::MAX);
        let ended = interpreter.run(self.callable, &self.arguments, &mut values);
        self.compare(ended.map_err(|stop| stop.reason.to_string()), &values)?;
        let used = u64::MAX - interpreter.fuel();
        match self.fuel {
            Some(expected) if used != 0 && used != expected => {
                Err(format!("expected cost {expected}, found {used}"))
            }
            _ => Ok(()),
        }
    }
}

impl Planned<'_> {
    /// Returns cells for the results.
    pub(crate) fn cells(&self) -> Vec<Value> {
        vec![Value::ZERO; self.results.len()]
    }

    /// Checks that a call ended as expected.
    pub(crate) fn compare(
        &self,
        ended: Result<(), String>,
        values: &[Value],
    ) -> Result<(), String> {
        let found = match ended {
            Ok(()) => {
                let texts = values.iter().zip(&self.results);
                Outcome::Results(
                    texts
                        .map(|(value, ty)| values::print(*value, *ty, self.long_double))
                        .collect(),
                )
            }
            Err(reason) => Outcome::Fault(reason),
        };
        let agrees = match (&self.outcome, &found) {
            (Outcome::Fault(part), Outcome::Fault(text)) => text.contains(part),
            (expected, found) => expected == found,
        };
        if agrees {
            Ok(())
        } else {
            Err(format!("expected {:?}, found {found:?}", self.outcome))
        }
    }
}

/// Returns the function with this name, exported or not, in any module.
fn find<'c>(
    context: &'c Context<'static>,
    name: &[u8],
) -> Option<(&'c LinkedModule<'static>, FuncId)> {
    let modules = (0..context.linked_modules()).filter_map(|number| context.module(number));
    modules
        .flat_map(|linked| linked.module().funcs().map(move |(func, _)| (linked, func)))
        .find(|(linked, func)| {
            let module = linked.module();
            let own = module.item(module.func(*func).item).name;
            own.is_some_and(|own| module.name_bytes(own) == name)
        })
}
