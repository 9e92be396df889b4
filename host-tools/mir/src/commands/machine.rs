//! `mir machine`: shows what the code generator makes of a program, stage by stage.

use crate::diagnostics::Diagnostics;
use crate::failure::Result;
use crate::isa::TargetArg;
use crate::memory::MEMORY;
use crate::program::Program;
use crate::times::{Format, Times};
use mir_nostd::codegen::{Compiler, Printed, Stage};
use std::path::PathBuf;

/// Show what the code generator makes of a program
///
/// Prints each function as Machine IR after the stages that are asked for, much as LLVM writes it.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The files; standard input if there is none, or where one is `-`
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    target: TargetArg,
    /// The stage to print after: translate, combine, select, allocate, frame, or all
    #[arg(long, value_name = "STAGE", default_value = "frame", value_parser = stage_names())]
    print_after: String,
    /// How much is done for the speed of the code: 0, 1, or 2 and more for small functions inlined
    #[arg(short = 'O', value_name = "LEVEL", default_value_t = 1)]
    level: u8,
}

fn stage_names() -> clap::builder::PossibleValuesParser {
    let names = Stage::ALL.iter().map(|stage| stage.name());
    clap::builder::PossibleValuesParser::new(names.chain(["all"]))
}

pub(crate) fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let isa = args.target.isa();
    let backend = isa.backend()?;
    let mut times = Times::new(Format::Text);
    let (program, modules) = Program::read(&args.files, isa, diagnostics, &mut times)?;
    let modules = program.verify(modules, isa, diagnostics, &mut times)?;
    let show = |stage: Stage, printed: &Printed<'_, '_>| {
        if args.print_after == "all" || args.print_after == stage.name() {
            println!("; after {}", stage.name());
            println!("{printed}");
        }
    };
    let mut compiler = Compiler::new(backend, &MEMORY);
    compiler.level = args.level;
    compiler.look = Some(&show);
    for module in modules.iter().flatten() {
        let module = module.module();
        for (func, _) in module.funcs() {
            println!("; function {}", crate::compiled::name(module, func));
            if let Err(error) = compiler.compile(module, func) {
                println!("; {error}");
            }
        }
    }
    Ok(())
}
