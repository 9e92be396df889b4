//! `mir check`: everything that is wrong with programs.

use crate::diagnostics::Diagnostics;
use crate::failure::{Failure, Result};
use crate::input::InputArgs;
use crate::isa::TargetArg;

/// Check programs and report everything that is wrong
///
/// Each file is checked by itself. What passes can be linked, run and compiled without any of these checks failing later.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mir check program.mir
  mir check --target s390x --json program.bmir")]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    target: TargetArg,
}

pub(crate) fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let mut passed = true;
    for source in args.input.sources() {
        passed &= source?.verified(args.target.isa(), diagnostics).is_ok();
    }
    if passed {
        Ok(())
    } else {
        Err(Failure::Program)
    }
}
