//! The places of output: a file or standard output for results, standard error for messages.

use crate::failure::{Failure, Result};
use crate::progress::aside;
use crate::request;
use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, IsTerminal, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// `-o`.
#[derive(clap::Args)]
pub(crate) struct OutputArg {
    /// The file to write; standard output without it
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
}

impl OutputArg {
    /// Writes text.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<()> {
        match self.path() {
            Some(path) => to_file(path, bytes),
            None => to_standard_output(bytes),
        }
    }

    /// Writes what is no text, and so not to a terminal.
    pub(crate) fn write_binary(&self, bytes: &[u8]) -> Result<()> {
        if self.path().is_none() && std::io::stdout().is_terminal() {
            let message = "binary is not written to a terminal; say where with -o OUT";
            return Err(Failure::Usage(message.into()));
        }
        self.write(bytes)
    }

    /// True if the file's name is one of text: `program.mir`.
    pub(crate) fn is_text(&self) -> bool {
        self.path()
            .and_then(Path::extension)
            .is_some_and(|extension| extension == "mir")
    }

    /// Returns the file to write; `None` for standard output.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.output
            .as_deref()
            .filter(|path| *path != Path::new("-"))
    }
}

/// Writes a file, which afterwards has all of the bytes or, after an error, what it had before. A
/// pipe, a device or an open descriptor is written to as it is.
pub(crate) fn to_file(path: &Path, bytes: &[u8]) -> Result<()> {
    let write = || {
        let target = follow_links(&request::path(path));
        match fs::metadata(&target) {
            Ok(found) if !found.is_file() || is_descriptor(&target) => fs::write(&target, bytes),
            Ok(found) => replace(&target, bytes, Some(&found)),
            Err(_) => replace(&target, bytes, None),
        }
    };
    write().map_err(|error| Failure::file(path, &error))
}

/// The most symbolic links in a row, as in Linux.
const MAX_LINKS: usize = 40;

/// Returns the file that a path leads to through symbolic links, which need not exist.
fn follow_links(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(next) if !is_descriptor(&path) => path = directory(&path).join(next),
            _ => break,
        }
    }
    path
}

/// Returns the directory of a file.
fn directory(file: &Path) -> &Path {
    match file.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// True if the file is an open descriptor of a process, such as `/dev/stdout` leads to: whoever
/// opened it does not see a file that takes its name.
fn is_descriptor(file: &Path) -> bool {
    directory(file)
        .canonicalize()
        .is_ok_and(|directory| directory.starts_with("/proc"))
}

/// Writes a new file beside `path` and has it take that name, with the owner and permissions of the
/// `old` file.
fn replace(path: &Path, bytes: &[u8], old: Option<&Metadata>) -> io::Result<()> {
    if old.is_some() {
        // Whoever may not write to a file may not replace it either.
        File::options().write(true).open(path)?;
    }
    let mut file = tempfile::Builder::new()
        .prefix(".mir-")
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(directory(path))
        .map_err(|error| in_words("no file can be made beside it", &error))?;
    file.write_all(bytes)?;
    if let Some(old) = old {
        // Another owner can be kept by root alone; the permissions come last, as a new owner clears
        // some.
        let _ = std::os::unix::fs::fchown(file.as_file(), Some(old.uid()), Some(old.gid()));
        file.as_file().set_permissions(old.permissions())?;
    }
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Returns an error that also says in words what failed.
fn in_words(what: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{what}: {error}"))
}

/// Writes to standard output, which a persistent worker needs for itself.
pub(crate) fn to_standard_output(bytes: &[u8]) -> Result<()> {
    if request::is_served() {
        let message = "a persistent worker writes to files only; say where with -o OUT";
        return Err(Failure::Usage(message.into()));
    }
    let mut out = std::io::stdout().lock();
    let written = out.write_all(bytes).and_then(|()| out.flush());
    written.map_err(|error| Failure::standard_output(&error))
}

/// Writes a line to standard error, or to the answer of a persistent worker. If that fails there is
/// nobody to tell, and the exit status still says what came of it.
pub(crate) fn to_standard_error(line: &str) {
    if request::say(&format!("{line}\n")) {
        return;
    }
    let _ = aside(|| writeln!(std::io::stderr(), "{line}"));
}
