//! `mir machine`: shows what the code generator makes of a program, stage by stage.

use crate::diagnostics::{Diagnostics, Finding};
use crate::failure::{Failure, Result};
use crate::input::InputArg;
use crate::isa::TargetArg;
use crate::machine_ir::{Names, Text};
use crate::object::{LevelArg, Options};
use crate::output::OutputArg;
use mir_nostd::codegen::{Printed, Stage};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Show what the code generator makes of a program
///
/// Prints the program's functions as they are after a stage, in the format that LLVM's `llc` reads (`-x mir`). The code is
/// that of `mir obj`. Before selection there is no such format; the stages are then shown much as LLVM writes them.
#[derive(clap::Args)]
#[command(after_help = "Example: mir machine --stop-after=frame program.mir | \
llc -x mir -run-pass=none -verify-machineinstrs -")]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArg,
    #[command(flatten)]
    output: OutputArg,
    #[command(flatten)]
    target: TargetArg,
    #[command(flatten)]
    level: LevelArg,
    /// The last stage: translate, combine, select, allocate, frame, emit
    #[arg(long, value_name = "STAGE", default_value = "emit", value_parser = stage_names(&[]))]
    stop_after: String,
    /// The stage before which to stop
    #[arg(long, value_name = "STAGE", value_parser = stage_names(&[]), conflicts_with = "stop_after")]
    stop_before: Option<String>,
    /// Also print to standard error what each stage leaves, or all do
    #[arg(long, value_name = "STAGE", value_parser = stage_names(&["all"]))]
    print_after: Option<String>,
}

fn stage_names(others: &[&'static str]) -> clap::builder::PossibleValuesParser {
    let names = Stage::ALL.iter().map(|stage| stage.name());
    clap::builder::PossibleValuesParser::new(names.chain(others.iter().copied()))
}

pub(crate) fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let (source, isa) = (args.input.source()?, args.target.isa());
    let verified = source.verified(isa, diagnostics)?;
    let options = Options {
        backend: isa.backend()?,
        level: args.level.get(),
    };
    let failed = |error: String| {
        diagnostics.report(&source.name, &source.bytes, &Finding::error(error));
        Failure::Program
    };
    let last = args.last_stage()?;
    let mut names = Names::default();
    for (number, module) in verified.iter().enumerate() {
        names.declare(number, module.module());
    }
    let state = Mutex::new((Text::new(options.backend), names));
    let plain = Mutex::new(String::new());
    for (number, verified) in verified.iter().enumerate() {
        let module = verified.module();
        for (func, _) in module.funcs() {
            let name = crate::compiled::name(module, func);
            let problem = Mutex::new(None);
            let look = |stage: Stage, printed: &Printed<'_, '_>| {
                if args.prints(stage) {
                    eprintln!("; {name} after {}\n{printed}", stage.name());
                }
                if stage == last && stage >= Stage::Select {
                    let (text, names) = &mut *open(&state);
                    let added = text.add(names, (number, module), (func, stage), printed);
                    *open(&problem) = added.err();
                } else if stage == last {
                    *open(&plain) += &format!("; {name}\n{printed}\n");
                }
            };
            let mut compiler = options.compiler();
            compiler.look = Some(&look);
            let compiled = compiler.compile(module, func).map(|_| ());
            drop(compiler);
            let problem = close(problem).or(compiled.err().map(|e| e.to_string()));
            if let Some(problem) = problem {
                return Err(failed(format!("{name}: {problem}")));
            }
        }
    }
    if last < Stage::Select {
        return args.output.write(close(plain).as_bytes());
    }
    let (text, names) = close(state);
    args.output.write(&text.print(&source.name, &names))
}

/// What only one thread uses, as the compiler may be asked to show things to several.
fn open<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn close<T>(shared: Mutex<T>) -> T {
    shared.into_inner().unwrap_or_else(PoisonError::into_inner)
}

impl Args {
    /// The stage whose result is wanted.
    fn last_stage(&self) -> Result<Stage> {
        let stage_of = |name: &str| Stage::ALL.iter().position(|stage| stage.name() == name);
        let number = match &self.stop_before {
            Some(name) => stage_of(name).and_then(|number| number.checked_sub(1)),
            None => stage_of(&self.stop_after),
        };
        let stage = number.and_then(|number| Stage::ALL.get(number));
        let failure = || Failure::Usage("there is nothing before the first stage".into());
        stage.copied().ok_or_else(failure)
    }

    fn prints(&self, stage: Stage) -> bool {
        let wanted = self.print_after.as_deref();
        wanted.is_some_and(|wanted| wanted == "all" || wanted == stage.name())
    }
}
