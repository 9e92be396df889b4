//! `mir check`: everything that is wrong with programs.

use crate::diagnostics::Diagnostics;
use crate::failure::{Failure, Result};
use crate::input::InputArgs;
use crate::isa::TargetArg;
use crate::signatures::warn_of_calls;

/// Check programs and report everything that is wrong
///
/// Each file is checked by itself. What passes can be linked, run and compiled without any of these
/// checks failing later.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mir check program.mir
  mir check --target s390x --json program.bmir")]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    target: TargetArg,
    /// Refuse floating values, as embedders without floating registers may
    #[arg(long)]
    integers_only: bool,
    /// Warn of what the C implementation of the language does not have
    #[arg(long)]
    portable: bool,
}

pub(crate) fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let mut passed = true;
    let mut checked = Vec::new();
    for source in args.input.sources() {
        let (source, isa) = (source?, args.target.isa());
        let Ok(modules) = source.verified(isa, diagnostics) else {
            passed = false;
            continue;
        };
        passed &= !args.integers_only || source.has_only_integers(&modules, diagnostics);
        if args.portable {
            source.warn_of_extensions(&modules, diagnostics);
        }
        checked.push((source, modules));
    }
    warn_of_calls(&checked, diagnostics);
    if passed && !diagnostics.has_denied() {
        Ok(())
    } else {
        Err(Failure::Program)
    }
}
