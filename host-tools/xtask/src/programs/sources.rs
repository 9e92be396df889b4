//! The sources of programs: packages of Debian, fetched and unpacked by apt below
//! `target/programs/sources`, with a list of sources of their own, so that the system's is not
//! touched.

use core::time::Duration;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::table::{Origin, Program};
use crate::{command, workspace};

/// The list of where source packages are, of the release that the project is developed on.
const LIST: &str = "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] \
    http://deb.debian.org/debian bookworm main\n";
const LIMIT: Duration = Duration::from_secs(20 * 60);

/// Returns the directory of the programs, scripts and data that are written here.
pub(super) fn own() -> PathBuf {
    workspace::root().join("host-tools/xtask/programs")
}

/// Returns the directory of a program's sources, which are fetched and prepared if they are not
/// there.
///
/// # Errors
/// Says what apt, or the preparation, reported.
pub(super) fn fetch(program: &Program) -> Result<PathBuf, String> {
    let Origin::Package { name, prepare } = program.origin else {
        return Ok(own());
    };
    let shelf = workspace::target().join("programs/sources").join(name);
    let mark = shelf.join("prepared");
    let at = |error: std::io::Error| format!("{}: {error}", shelf.display());
    // Sources whose preparation has changed are fetched anew.
    if fs::read_to_string(&mark).ok().as_deref() != Some(prepare) {
        let _ = fs::remove_dir_all(&shelf);
        fs::create_dir_all(&shelf).map_err(at)?;
        unpack(name, &shelf)?;
        let mut shell = Command::new("sh");
        shell.args(["-e", "-c", prepare]);
        command::succeed(shell.current_dir(unpacked(&shelf)?), LIMIT)?;
        fs::write(&mark, prepare).map_err(at)?;
    }
    unpacked(&shelf)
}

/// Returns the one directory in which apt unpacked a package.
fn unpacked(shelf: &Path) -> Result<PathBuf, String> {
    let entries = fs::read_dir(shelf).map_err(|error| format!("{}: {error}", shelf.display()))?;
    let mut paths = entries.flatten().map(|entry| entry.path());
    let directory = paths.find(|path| path.is_dir());
    directory.ok_or_else(|| format!("{}: apt unpacked nothing", shelf.display()))
}

/// Fetches a source package and unpacks it, with Debian's patches, into `shelf`.
fn unpack(package: &str, shelf: &Path) -> Result<(), String> {
    let state = workspace::target().join("programs/apt");
    let list = state.join("sources.list");
    if !list.exists() {
        let made = fs::create_dir_all(state.join("lists/partial"));
        made.map_err(|error| format!("{}: {error}", state.display()))?;
        fs::write(&list, LIST).map_err(|error| format!("{}: {error}", list.display()))?;
        command::succeed(apt(&state).arg("update"), LIMIT)?;
    }
    let words = ["source", "--quiet", package];
    command::succeed(apt(&state).args(words).current_dir(shelf), LIMIT)
}

/// Returns an `apt-get` that knows source packages only, and keeps what it knows below `state`.
fn apt(state: &Path) -> Command {
    let mut apt = Command::new("apt-get");
    for (key, value) in [
        ("Dir::Etc::SourceList", state.join("sources.list")),
        ("Dir::Etc::SourceParts", PathBuf::from("/dev/null")),
        ("Dir::State::Lists", state.join("lists")),
        ("Dir::Cache", state.to_path_buf()),
    ] {
        apt.arg("-o").arg(format!("{key}={}", value.display()));
    }
    apt
}
