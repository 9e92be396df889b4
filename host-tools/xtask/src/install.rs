//! `cargo xtask install`: the command, its manual pages and completions, and runners.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::isa::Isa;
use crate::{runners, tool, workspace};

/// The shells with the places below the prefix where they look for completions of `mir`.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/mir"),
    ("zsh", "share/zsh/site-functions/_mir"),
    ("fish", "share/fish/vendor_completions.d/mir.fish"),
];

/// The directory of manual pages below the prefix.
const MANUAL: &str = "share/man/man1";

/// `cargo xtask install`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The directory that gets `bin`, `share` and `lib`, such as ~/.local
    #[arg(long)]
    prefix: PathBuf,
    /// Also build the runners of the other ISAs, for `mir run --on`
    #[arg(long)]
    runners: bool,
}

/// Builds and installs.
///
/// # Errors
/// Says what does not build or cannot be written.
pub(crate) fn run(args: &Args) -> Result<(), String> {
    let words = ["build", "--release", "--package", "mir-cli"];
    tool::succeed(workspace::cargo().args(words))?;
    let built = workspace::target().join("release/mir");
    install(&args.prefix, &built)?;
    if args.runners {
        let isas: Vec<Isa> = Isa::all().collect();
        runners::build_all(&isas, Some(&runners_of(&args.prefix)))?;
    }
    println!("installed in {}", args.prefix.display());
    Ok(())
}

/// Returns the directory where a `mir` that is installed looks for runners.
pub(crate) fn runners_of(prefix: &Path) -> PathBuf {
    prefix.join("lib/mir/runners")
}

/// Installs a command that is built, with what it says of itself.
fn install(prefix: &Path, built: &Path) -> Result<(), String> {
    let program = prefix.join("bin/mir");
    let fresh = prefix.join("bin/mir.new");
    make_directory_of(&program)?;
    // A rename replaces a command in use instead of writing over it.
    let copied = fs::copy(built, &fresh).and_then(|_| fs::rename(&fresh, &program));
    copied.map_err(|error| format!("{}: {error}", program.display()))?;
    let manual = prefix.join(MANUAL);
    tool::succeed(Command::new(&program).arg("man").arg(manual))?;
    for (shell, file) in COMPLETIONS {
        let script = Command::new(&program).args(["completions", shell]).output();
        let script = script.map_err(|error| format!("{}: {error}", program.display()))?;
        let file = prefix.join(file);
        make_directory_of(&file)?;
        let written = fs::write(&file, script.stdout);
        written.map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(())
}

fn make_directory_of(file: &Path) -> Result<(), String> {
    let directory = file.parent().unwrap_or(file);
    fs::create_dir_all(directory).map_err(|error| format!("{}: {error}", directory.display()))
}
