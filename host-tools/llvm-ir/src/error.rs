//! Errors on constructs that cannot be read or expressed, with their position.

use core::fmt;

/// The reason why a module, or one of its functions, was not imported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The line, from 1; 0 if the error has no position.
    pub line: u32,
    /// The column in bytes, from 1; 0 if the error has no position.
    pub column: u32,
    /// The name of the function with the error.
    pub function: Option<String>,
    /// A description of the error.
    pub message: String,
}

/// A result whose error has a position.
pub(crate) type Result<T> = core::result::Result<T, Error>;

/// A position in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct SourcePosition {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl SourcePosition {
    /// Returns an error at this position.
    pub(crate) fn error(self, message: impl Into<String>) -> Error {
        Error {
            line: self.line,
            column: self.column,
            function: None,
            message: message.into(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line != 0 {
            write!(f, "{}:{}: ", self.line, self.column)?;
        }
        if let Some(function) = &self.function {
            write!(f, "in {function}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl core::error::Error for Error {}
