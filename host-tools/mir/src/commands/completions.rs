//! `mir completions`: completions for shells.

use crate::failure::Result;
use crate::output::to_standard_output;
use clap::CommandFactory;
use clap_complete::Shell;

/// Write a completion script for a shell
#[derive(clap::Args)]
#[command(
    after_help = "Example: mir completions bash > ~/.local/share/bash-completion/completions/mir"
)]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut command = crate::Cli::command();
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "mir", &mut script);
    to_standard_output(&script)
}
