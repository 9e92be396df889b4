//! `mir lsp`: a language server for programs as text.

use crate::failure::Result;
use crate::isa::TargetArg;
use crate::lsp::serve;

/// Serve editors: the Language Server Protocol on standard input and output
///
/// Editors start it. It shows what is wrong with programs as text while they are written, the
/// reference's text on instructions, where names are declared and used, completes, and lays out
/// text as `mir fmt` does.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mir lsp
  mir lsp --target s390x

docs/command.md has settings for editors.")]
pub(crate) struct Args {
    #[command(flatten)]
    target: TargetArg,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    serve(args.target.isa())
}
