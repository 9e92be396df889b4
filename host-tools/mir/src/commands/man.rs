//! `mir man`: manual pages.

use crate::failure::{Failure, Result};
use crate::output::{to_file, to_standard_output};
use clap::CommandFactory;
use std::path::PathBuf;

/// Write manual pages
///
/// Without a directory the page of the command itself is written to standard output; with one, that
/// page and one for each subcommand become files there: `mir.1`, `mir-run.1` and so on.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mir man | man -l -
  mir man ~/.local/share/man/man1 && man mir-run")]
pub(crate) struct Args {
    /// The directory to write all pages to, made if it is missing
    directory: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut command = crate::Cli::command();
    command.build();
    let Some(directory) = &args.directory else {
        return to_standard_output(&page(&command)?);
    };
    let made = std::fs::create_dir_all(directory);
    made.map_err(|error| Failure::file(directory, &error))?;
    let subcommands = command.get_subcommands();
    let shown = subcommands.filter(|one| !one.is_hide_set() && one.get_name() != "help");
    for one in core::iter::once(&command).chain(shown) {
        // Built subcommands are called by both names in their usage, and by one in the file's name.
        let name = one.get_display_name().unwrap_or_else(|| one.get_name());
        to_file(&directory.join(format!("{name}.1")), &page(one)?)?;
    }
    Ok(())
}

/// Returns a command's page as roff.
fn page(command: &clap::Command) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    let written = clap_mangen::Man::new(command.clone()).render(&mut page);
    written.map_err(|error| Failure::standard_output(&error))?;
    Ok(page)
}
