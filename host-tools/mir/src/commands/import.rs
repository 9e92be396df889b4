//! `mir import`: LLVM IR, and generic Machine IR, to Medium IR.

use crate::batch::{BatchArgs, Form};
use crate::diagnostics::Diagnostics;
use crate::failure::Result;
use crate::input::{Source, binary_of, text_of};
use crate::isa::TargetArg;
use crate::program::shared_names;
use mir_nostd::verify::Verified;
use std::sync::{Mutex, PoisonError};

/// Turn LLVM IR, as clang and rustc write it, or generic Machine IR into Medium IR
///
/// The text must have been made for the target, by clang 16 or later. What Medium IR cannot express
/// (scalable vectors, exceptions of Windows, most inline assembly) is an error with its function
/// and line. `mir run` and the other commands take LLVM IR too. Generic Machine IR is what llc
/// writes with -global-isel -stop-after=irtranslator, for three of the ISAs.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  clang -O2 -fno-vectorize -fno-slp-vectorize -S -emit-llvm program.c && mir import program.ll -o program.bmir
  rustc --emit=llvm-ir -C panic=abort program.rs && mir import program.ll -o program.mir
  mir import program.ll --target s390x -o program.bmir
  mir import --threads 8 --out-dir build *.ll
  mir import --program --out-dir build a.ll b.ll && mir run build/a.bmir build/b.bmir
  llc -global-isel -stop-after=irtranslator program.ll -o program.mir && mir import program.mir -o program.bmir")]
pub(crate) struct Args {
    #[command(flatten)]
    batch: BatchArgs,
    #[command(flatten)]
    target: TargetArg,
    /// Write text, as for a file whose name ends in .mir, instead of binary
    #[arg(long)]
    text: bool,
    /// Leave out functions that cannot be expressed, with a warning each; who calls them imports
    /// them
    #[arg(long)]
    skip_unsupported: bool,
    /// Make nothing of the language's extension but atomic instructions: the C implementation reads
    /// neither text nor binary with any of it
    #[arg(long)]
    portable: bool,
    /// Take the files for one program, one after another: of what several of them define weakly,
    /// such as inline variables of C++, one has the definition, and the others import it
    #[arg(long)]
    program: bool,
    /// The module's name [default: that of the source file]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

pub(crate) fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let isa = args.target.isa();
    let options = llvm_ir::Options {
        isa: isa.description(),
        name: args.name.as_deref(),
        skip_unsupported: args.skip_unsupported,
        portable: args.portable,
        shared: None,
    };
    let form = match args.text || args.batch.is_text() {
        true => Form::Text,
        false => Form::Binary("bmir"),
    };
    let make = |source: &Source, options: &llvm_ir::Options<'_>, diagnostics: &Diagnostics| {
        let module = source.imported(options, diagnostics)?;
        let verified = source.verify(vec![module], isa, diagnostics)?;
        let modules: Vec<_> = verified.into_iter().map(Verified::into_module).collect();
        match form {
            Form::Text => Ok(text_of(&modules)),
            Form::Binary(_) => binary_of(&modules, isa),
        }
    };
    if !args.program {
        return args.batch.run(form, diagnostics, |source, _, diagnostics| {
            make(source, &options, diagnostics)
        });
    }
    let sources = args.batch.sources()?;
    let shared = Mutex::new(shared_names(&sources));
    (args.batch).run_on(sources, 1, form, diagnostics, |source, _, diagnostics| {
        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
        let options = llvm_ir::Options {
            shared: Some(&*shared),
            ..options
        };
        let made = make(source, &options, diagnostics);
        shared.extend(source.shares().iter().cloned());
        made
    })
}
