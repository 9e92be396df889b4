//! How a command fails.

use crate::codes::Code;
use mir_nostd::codegen;
use std::path::Path;

/// The exit status after a command line that is wrong, or a file that is missing.
pub(crate) const WRONG_COMMAND: u8 = 2;

/// The exit status after an error of the compiler itself.
pub(crate) const INTERNAL_ERROR: u8 = 3;

/// Why a command did not do what it was asked for.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A program is wrong; what is wrong has been reported.
    Program,
    /// The compiler itself is wrong; how that showed has been reported.
    Internal,
    /// The command line is wrong; what is wrong with it has been shown.
    CommandLine,
    /// The command line is wrong.
    Usage(String),
    /// A file cannot be read or written.
    File {
        /// The file.
        name: String,
        /// The reason.
        problem: String,
    },
}

/// The reason why nothing is made of a program, or of a part of it.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// The reason in words.
    pub(crate) message: String,
    /// The failure of a command that needed it.
    pub(crate) failure: Failure,
}

impl Refusal {
    /// Returns the same with what it is about before the reason.
    pub(crate) fn about(self, what: &str) -> Refusal {
        let message = format!("{what}: {}", self.message);
        Refusal { message, ..self }
    }

    pub(crate) fn is_internal(&self) -> bool {
        matches!(self.failure, Failure::Internal)
    }

    /// Returns the code of what is said of it.
    pub(crate) fn code(&self) -> Code {
        match self.is_internal() {
            true => Code::INTERNAL,
            false => Code::NOT_COMPILED,
        }
    }
}

impl From<codegen::Error> for Refusal {
    fn from(error: codegen::Error) -> Refusal {
        let failure = match error.is_internal() {
            true => Failure::Internal,
            false => Failure::Program,
        };
        let message = error.to_string();
        Refusal { message, failure }
    }
}

impl From<String> for Refusal {
    fn from(message: String) -> Refusal {
        let failure = Failure::Program;
        Refusal { message, failure }
    }
}

impl From<&str> for Refusal {
    fn from(message: &str) -> Refusal {
        Refusal::from(message.to_owned())
    }
}

/// The result of a command or a part of it.
pub(crate) type Result<T, E = Failure> = core::result::Result<T, E>;

impl Failure {
    /// A file could not be read or written.
    pub(crate) fn file(path: &Path, error: &std::io::Error) -> Failure {
        Failure::File {
            name: path.display().to_string(),
            problem: error.to_string(),
        }
    }

    /// Standard output could not be written.
    pub(crate) fn standard_output(error: &std::io::Error) -> Failure {
        Failure::file(Path::new("standard output"), error)
    }
}
