//! `mir obj`: an object file.

use crate::debug::DebugArg;
use crate::dependencies::DepfileArg;
use crate::diagnostics::Diagnostics;
use crate::failure::Result;
use crate::input::{InputArg, Source};
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
    depfile: DepfileArg,
    #[command(flatten)]
    code: object::CodeArg,
    /// Say in the object which lines its code comes from, for debuggers: of Medium IR as text, or
    /// of what LLVM IR was made from
    #[arg(short = 'g')]
    lines: bool,
    #[command(flatten)]
    debug: DebugArg,
}

pub(crate) fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let (source, isa) = (args.input.source()?, args.code.isa());
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
    let modules: Vec<_> = verified.iter().map(|verified| verified.module()).collect();
    let mut options = args.code.options()?;
    options.codegen.debug = args.debug.output();
    options.lines = args.lines;
    let written = object::write(&modules, source, options);
    let bytes = written.map_err(|refusal| source.refuse(refusal, diagnostics))?;
    args.output.write_binary(&bytes)?;
    args.depfile.write(&args.output, [source].into_iter())
}
