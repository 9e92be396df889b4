//! `mir obj`: an object file.

use crate::debug::DebugArg;
use crate::diagnostics::Diagnostics;
use crate::failure::Result;
use crate::input::{InputArg, Source};
use crate::isa::{CpuArg, TargetArg};
use crate::object;
use crate::output::OutputArg;
use mir_nostd::verify::Verified;

/// Compile a program ahead of time to an object file
///
/// The object is position-independent ELF and needs nothing of this project to be linked: exports
/// are its global symbols, imports are for the linker to find. Routines for long doubles are those
/// of the platform's compiler (libgcc, compiler-rt). A fault calls
/// `void mir_fault(const char *function, uint64_t kind, uint64_t instruction)` if the program has
/// such a function, and stops the process otherwise.
#[derive(clap::Args)]
#[command(after_help = "Example: mir obj program.bmir -o program.o && cc program.o -lm -o program")]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArg,
    #[command(flatten)]
    output: OutputArg,
    #[command(flatten)]
    target: TargetArg,
    #[command(flatten)]
    cpu: CpuArg,
    #[command(flatten)]
    level: object::LevelArg,
    /// Begin what is reached through registers or memory with ENDBR64 or BTI, where the ISA has it
    #[arg(long)]
    landing_pads: bool,
    #[command(flatten)]
    debug: DebugArg,
}

pub(crate) fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let (source, isa) = (args.input.source()?, args.target.isa());
    let verified = source.verified(isa, diagnostics)?;
    write(args, &source, &verified, diagnostics)
}

/// Writes the object of a program.
pub(crate) fn write(
    args: &Args,
    source: &Source,
    verified: &[Verified<'static>],
    diagnostics: &Diagnostics,
) -> Result<()> {
    let isa = args.target.isa();
    let modules: Vec<_> = verified.iter().map(|verified| verified.module()).collect();
    let options = object::Options {
        backend: args.cpu.backend(isa)?,
        codegen: mir_nostd::codegen::Options {
            level: args.level.get(),
            landing_pads: args.landing_pads,
            debug: args.debug.output(),
            ..Default::default()
        },
        drop_inlined: args.level.drop_inlined,
    };
    let written = object::write(&modules, options);
    let bytes = written.map_err(|refusal| source.refuse(refusal, diagnostics))?;
    args.output.write_binary(&bytes)
}
