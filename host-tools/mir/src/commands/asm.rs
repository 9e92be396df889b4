//! `mir asm`: text to binary.

use crate::dependencies::DepfileArg;
use crate::diagnostics::Diagnostics;
use crate::failure::Result;
use crate::input::{InputArg, binary_of};
use crate::isa::TargetArg;
use crate::output::OutputArg;
use mir_nostd::verify::Verified;

/// Turn text into binary
///
/// The program is checked first; a wrong one is not written.
#[derive(clap::Args)]
#[command(after_help = "Example: mir asm program.mir -o program.bmir")]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArg,
    #[command(flatten)]
    output: OutputArg,
    #[command(flatten)]
    depfile: DepfileArg,
    #[command(flatten)]
    target: TargetArg,
}

pub(crate) fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let (source, isa) = (args.input.source()?, args.target.isa());
    let verified = source.verified(isa, diagnostics)?;
    let modules: Vec<_> = verified.into_iter().map(Verified::into_module).collect();
    args.output.write_binary(&binary_of(&modules, isa)?)?;
    args.depfile.write(&args.output, [&source].into_iter())
}
