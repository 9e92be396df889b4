//! `mir dis`: binary to text.

use crate::diagnostics::Diagnostics;
use crate::failure::Result;
use crate::input::{InputArg, text_of};
use crate::isa::TargetArg;
use crate::output::OutputArg;

/// Turn binary into text
///
/// The text is the canonical one, for a file that is text already too.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mir dis program.bmir
  mir dis program.bmir -o program.mir")]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArg,
    #[command(flatten)]
    output: OutputArg,
    #[command(flatten)]
    target: TargetArg,
}

pub(crate) fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let modules = args
        .input
        .source()?
        .modules(args.target.isa(), diagnostics)?;
    args.output.write(&text_of(&modules))
}
