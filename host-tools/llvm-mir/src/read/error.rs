//! Errors in a file, with their position.

/// An error with its position, as LLVM reports it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The line, from 1; 0 if the error has no position.
    pub line: usize,
    /// The column in bytes, from 1; 0 if the error has no position.
    pub column: usize,
    /// A description of the error.
    pub message: String,
}

impl core::fmt::Display for Error {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.line {
            0 => f.write_str(&self.message),
            line => write!(f, "{line}:{}: {}", self.column, self.message),
        }
    }
}

impl core::error::Error for Error {}

/// An error with an optional offset in the input.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(super) at: Option<usize>,
    pub(super) message: String,
}

pub(crate) type Result<T> = core::result::Result<T, Fault>;

/// Returns an error at an offset.
pub(super) fn fault<T>(at: usize, message: impl Into<String>) -> Result<T> {
    Err(Fault {
        at: Some(at),
        message: message.into(),
    })
}

impl Fault {
    /// Returns an error without a position.
    pub(super) fn nowhere(message: impl Into<String>) -> Fault {
        Fault {
            at: None,
            message: message.into(),
        }
    }

    /// Converts the offset to line and column.
    pub(super) fn located(self, input: &[u8]) -> Error {
        let Some(at) = self.at else {
            return Error {
                line: 0,
                column: 0,
                message: self.message,
            };
        };
        let before = input.get(..at).unwrap_or(input);
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let start = before
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |end| end + 1);
        Error {
            line,
            column: before.len() - start + 1,
            message: self.message,
        }
    }
}

/// Converts bytes of the input to text for a message.
pub(super) fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
