//! `mir fmt`: the layout of text.

use crate::diagnostics::Diagnostics;
use crate::failure::{Failure, Result};
use crate::input::{InputArgs, Source, text_of};
use crate::isa::{Isa, TargetArg};
use crate::layout::layout;
use crate::output::{to_file, to_standard_output};
use std::path::{Path, PathBuf};

/// Lay out text
///
/// Prints the programs in the usual layout; comments, names of labels and the form of numbers stay.
/// Binary is printed as `mir dis` prints it.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mir fmt program.mir
  mir fmt --write *.mir
  mir fmt --check *.mir")]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,
    /// Write each file anew instead of printing it
    #[arg(short, long, conflicts_with = "check")]
    write: bool,
    /// Only name the files that are laid out differently; status 1 if there are any
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    target: TargetArg,
}

pub(crate) fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let paths: Vec<PathBuf> = args.input.files.clone();
    let (mut failed, mut paths) = (false, paths.iter());
    for source in args.input.sources() {
        let (source, path) = (source?, paths.next().filter(|path| *path != Path::new("-")));
        match formatted(&source, args.target.isa(), diagnostics) {
            Ok(text) => failed |= !put(args, &source, path, &text)?,
            Err(Failure::Program) => failed = true,
            Err(failure) => return Err(failure),
        }
    }
    if failed {
        Err(Failure::Program)
    } else {
        Ok(())
    }
}

/// Does with the formatted text what was asked for; gives whether all is well.
fn put(args: &Args, source: &Source, path: Option<&PathBuf>, text: &[u8]) -> Result<bool> {
    let differs = text != source.bytes;
    match path {
        _ if args.check => {
            if differs {
                to_standard_output(format!("{}\n", source.name).as_bytes())?;
            }
            return Ok(!differs);
        }
        Some(path) if args.write => {
            if differs {
                to_file(path, text)?;
            }
        }
        _ => to_standard_output(text)?,
    }
    Ok(true)
}

/// Returns the text in the usual layout.
pub(crate) fn formatted(source: &Source, isa: Isa, diagnostics: &Diagnostics) -> Result<Vec<u8>> {
    let modules = source.modules(isa, diagnostics)?;
    let canonical = text_of(&modules);
    if source.is_binary() {
        return Ok(canonical);
    }
    let formatted = Source::new(&*source.name, layout(&source.bytes));
    // The output must be the same program.
    let again = formatted.modules(isa, diagnostics)?;
    if text_of(&again) == canonical {
        Ok(formatted.bytes)
    } else {
        Err(Failure::Usage(format!(
            "{}: the layout would change the program",
            source.name
        )))
    }
}
