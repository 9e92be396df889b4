//! Where results go: a file, or standard output; and where messages go: standard error.

use crate::failure::{Failure, Result};
use std::io::{IsTerminal, Write};
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
            Some(path) => std::fs::write(path, bytes).map_err(|error| Failure::file(path, &error)),
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

    /// Whether the file's name is one of text: `program.mir`.
    pub(crate) fn is_text(&self) -> bool {
        self.path()
            .and_then(Path::extension)
            .is_some_and(|extension| extension == "mir")
    }

    fn path(&self) -> Option<&Path> {
        self.output
            .as_deref()
            .filter(|path| *path != Path::new("-"))
    }
}

/// Writes to standard output.
pub(crate) fn to_standard_output(bytes: &[u8]) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(bytes).and_then(|()| out.flush());
    written.map_err(|error| Failure::file(Path::new("standard output"), &error))
}

/// Writes a line to standard error. If that fails there is nobody to tell, and the exit status still says what came of it.
pub(crate) fn to_standard_error(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
