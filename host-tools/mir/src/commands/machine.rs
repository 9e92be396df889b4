//! `mir machine`: shows what the code generator makes of a program, stage by stage.

use crate::diagnostics::{Diagnostics, Finding};
use crate::failure::{Failure, Result};
use crate::input::{InputArg, Source};
use crate::isa::TargetArg;
use crate::machine_ir::{Externals, Names, Reader, Text};
use crate::memory::MEMORY;
use crate::object::{LevelArg, Options};
use crate::output::OutputArg;
use mir_nostd::codegen::{self, Code, Error, Printed, Stage};
use mir_nostd::machine::{Function, UnitSet};
use mir_nostd::target::Isa;
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
    /// The input is what this command prints: go on behind this stage
    #[arg(long, value_name = "STAGE", value_parser = read_stage_names(), conflicts_with_all = ["start_before", "run_pass"])]
    start_after: Option<String>,
    /// The input is what this command prints: go on with this stage
    #[arg(long, value_name = "STAGE", value_parser = read_stage_names(), conflicts_with = "run_pass")]
    start_before: Option<String>,
    /// The input is what this command prints: run only these stages on it
    #[arg(long, value_name = "STAGES", value_delimiter = ',', value_parser = read_stage_names())]
    run_pass: Vec<String>,
    /// Also print to standard error what each stage leaves, or all do
    #[arg(long, value_name = "STAGE", value_parser = stage_names(&["all"]))]
    print_after: Option<String>,
}

fn stage_names(others: &[&'static str]) -> clap::builder::PossibleValuesParser {
    let names = Stage::ALL.iter().map(|stage| stage.name());
    clap::builder::PossibleValuesParser::new(names.chain(others.iter().copied()))
}

/// The stages that files are read for, and `select`, behind which they begin.
fn read_stage_names() -> clap::builder::PossibleValuesParser {
    clap::builder::PossibleValuesParser::new(["select", "allocate", "frame", "emit"])
}

pub(crate) fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let (source, isa) = (args.input.source()?, args.target.isa());
    if let Some(stages) = args.stages_on_file()? {
        return run_on_file(args, &source, &stages, diagnostics);
    }
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

/// Runs stages on the functions of a file of Machine IR.
fn run_on_file(
    args: &Args,
    source: &Source,
    stages: &[Stage],
    diagnostics: &Diagnostics,
) -> Result<()> {
    let backend = args.target.isa().backend()?;
    let failed = |error: String| {
        diagnostics.report(&source.name, &source.bytes, &Finding::error(error));
        Failure::Program
    };
    let options = llvm_mir::ReadOptions {
        name: source.name.clone(),
        ..llvm_mir::ReadOptions::default()
    };
    let read = llvm_mir::read(&source.bytes, &options);
    let file = read.map_err(|error| {
        failed(format!(
            "{}:{}: {}",
            error.line, error.column, error.message
        ))
    })?;
    let reader = Reader::new(backend);
    let mut externals = Externals::default();
    let mut text = Text::new(backend);
    for from in &file.functions {
        let in_function = |error: String| failed(format!("{}: {error}", from.name));
        let mut function = reader.function(from, &mut externals).map_err(in_function)?;
        let mut last = Stage::Select;
        for &stage in stages {
            run_stage(&mut function, backend, stage)
                .map_err(|error| in_function(error.to_string()))?;
            last = stage;
            if args.prints(stage) {
                let printed = Printed {
                    function: &function,
                    isa: backend,
                };
                eprintln!("; {} after {}\n{printed}", from.name, stage.name());
            }
        }
        text.add_read(from.name.as_bytes(), &externals, (&function, last))
            .map_err(in_function)?;
    }
    args.output.write(&text.print_again(file.module))
}

/// Runs one stage on a function.
fn run_stage(function: &mut Function<'_>, isa: &dyn Isa, stage: Stage) -> Result<(), Error> {
    match stage {
        Stage::Allocate => codegen::allocate(function, isa, true).map(|_| ()),
        Stage::Frame => {
            let mut used = UnitSet::EMPTY;
            for &block in &function.layout {
                for insn in function.insns(block) {
                    let operands = function.operands(insn).iter();
                    let units = operands.filter_map(|o| Some(isa.registers().units(o.as_reg()?)));
                    used = units.fold(used, UnitSet::union);
                }
            }
            codegen::finish_frame(function, isa, used).map(|_| ())
        }
        Stage::Emit => codegen::emit(function, isa, &mut Code::new(&MEMORY)).map(|_| ()),
        _ => Err(Error::Unsupported),
    }
}

/// What only one thread uses, as the compiler may be asked to show things to several.
fn open<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn close<T>(shared: Mutex<T>) -> T {
    shared.into_inner().unwrap_or_else(PoisonError::into_inner)
}

impl Args {
    /// The stages to run on a file of Machine IR, if that is what the input is.
    fn stages_on_file(&self) -> Result<Option<Vec<Stage>>> {
        let of = |name: &String| Stage::ALL.into_iter().find(|stage| stage.name() == name);
        let starts = self.start_after.is_some() || self.start_before.is_some();
        if !starts {
            let named = self.run_pass.iter().filter_map(of);
            return Ok((!self.run_pass.is_empty()).then(|| named.collect()));
        }
        let last = self.last_stage()?;
        let (after, before) = (
            self.start_after.as_ref().and_then(of),
            self.start_before.as_ref().and_then(of),
        );
        let wanted = |stage: &Stage| {
            after.is_none_or(|after| *stage > after)
                && before.is_none_or(|before| *stage >= before)
                && *stage <= last
                && *stage > Stage::Select
        };
        Ok(Some(Stage::ALL.into_iter().filter(wanted).collect()))
    }

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
