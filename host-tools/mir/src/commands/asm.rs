//! `mir asm`: text to binary.

use crate::batch::{BatchArgs, Form};
use crate::diagnostics::Diagnostics;
use crate::failure::Result;
use crate::input::binary_of;
use crate::isa::TargetArg;
use mir_nostd::verify::Verified;

/// Turn text into binary
///
/// The program is checked first; a wrong one is not written.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mir asm program.mir -o program.bmir
  mir asm --threads 8 --out-dir build *.mir")]
pub(crate) struct Args {
    #[command(flatten)]
    batch: BatchArgs,
    #[command(flatten)]
    target: TargetArg,
}

pub(crate) fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let isa = args.target.isa();
    let form = Form::Binary("bmir");
    args.batch.run(form, diagnostics, |source, _, diagnostics| {
        let verified = source.verified(isa, diagnostics)?;
        let modules: Vec<_> = verified.into_iter().map(Verified::into_module).collect();
        binary_of(&modules, isa)
    })
}
