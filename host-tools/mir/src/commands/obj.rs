//! `mir obj`: an object file.

use crate::batch::{BatchArgs, Form};
use crate::debug::DebugArg;
use crate::diagnostics::Diagnostics;
use crate::failure::Result;
use crate::input::Source;
use crate::object;
use mir_nostd::verify::Verified;
use std::collections::HashSet;

/// Compile a program ahead of time to an object file
///
/// The object is position-independent ELF and needs nothing of this project to be linked: exports
/// are its global symbols, imports are for the linker to find. Routines for long doubles are those
/// of the platform's compiler (libgcc, compiler-rt). A fault calls
/// `void mir_fault(const char *function, uint64_t kind, uint64_t instruction)` if the program has
/// such a function, and stops the process otherwise.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mir obj program.bmir -o program.o && cc program.o -lm -o program
  mir obj --target riscv64 --threads 8 --out-dir build *.bmir
  mir obj --target riscv64 --depfile program.d program.bmir -o program.o")]
pub(crate) struct Args {
    #[command(flatten)]
    batch: BatchArgs,
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
    let (isa, form) = (args.code.isa(), Form::Binary("o"));
    args.batch
        .run(form, diagnostics, |source, threads, diagnostics| {
            // The linker chooses among the weak definitions of all objects.
            source.share(&HashSet::new());
            let verified = source.verified(isa, diagnostics)?;
            make(args, source, &verified, threads, diagnostics)
        })
}

/// Returns the object of a program.
pub(crate) fn make(
    args: &Args,
    source: &Source,
    verified: &[Verified<'static>],
    threads: usize,
    diagnostics: &Diagnostics,
) -> Result<Vec<u8>> {
    let modules: Vec<_> = verified.iter().map(|verified| verified.module()).collect();
    let mut options = args.code.options()?;
    options.codegen.debug = args.debug.output();
    options.lines = args.lines;
    let made = object::make(&modules, source, options, threads);
    made.map_err(|refusal| source.refuse(refusal, diagnostics))
}
