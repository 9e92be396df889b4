//! How a command fails.

use std::path::Path;

/// Why a command did not do what it was asked for.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A program is wrong; what is wrong has been reported.
    Program,
    /// The command line is wrong; what is wrong with it has been shown.
    CommandLine,
    /// The command line is wrong, or a file cannot be read or written.
    Usage(String),
}

/// The result of a command or a part of it.
pub(crate) type Result<T, E = Failure> = core::result::Result<T, E>;

impl Failure {
    /// A file could not be read or written.
    pub(crate) fn file(path: &Path, error: &std::io::Error) -> Failure {
        Failure::Usage(format!("{}: {error}", path.display()))
    }

    /// Standard output could not be written.
    pub(crate) fn standard_output(error: &std::io::Error) -> Failure {
        Failure::file(Path::new("standard output"), error)
    }
}
