//! What is wrong with a file, and where.

/// An error with its place as LLVM tells it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// Line, from 1; 0 if it is about no line.
    pub line: usize,
    /// Column in bytes, from 1; 0 if it is about no line.
    pub column: usize,
    /// What is wrong.
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

/// An error at an offset of the input, or at no place.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(super) at: Option<usize>,
    pub(super) message: String,
}

pub(crate) type Result<T> = core::result::Result<T, Fault>;

/// An error at an offset.
pub(super) fn fault<T>(at: usize, message: impl Into<String>) -> Result<T> {
    Err(Fault {
        at: Some(at),
        message: message.into(),
    })
}

impl Fault {
    /// An error that is about no place.
    pub(super) fn nowhere(message: impl Into<String>) -> Fault {
        Fault {
            at: None,
            message: message.into(),
        }
    }

    /// With line and column.
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

/// Bytes of the input as text for a message.
pub(super) fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
