//! Where packed bytes come from and where they go.

use crate::ir::{Problem, Result};
use crate::mem::Vec;

/// A source of bytes that the reader pulls from.
///
/// A byte slice is one; [`ByteSource`] makes one of a function.
pub trait Source {
    /// The bytes at hand that were not consumed yet; empty only at the end.
    fn fill(&mut self) -> &[u8];

    /// Takes the first `count` of the bytes that [`Source::fill`] gave; `count` is never more than it gave.
    fn consume(&mut self, count: usize);
}

impl Source for &[u8] {
    fn fill(&mut self) -> &[u8] {
        self
    }

    fn consume(&mut self, count: usize) {
        *self = self.get(count..).unwrap_or_default();
    }
}

/// A [`Source`] over a function that gives one byte after the other, and `None` at the end.
#[derive(Debug)]
pub struct ByteSource<F> {
    next: F,
    byte: [u8; 1],
    held: bool,
}

impl<F: FnMut() -> Option<u8>> ByteSource<F> {
    /// A source that calls `next` for each byte.
    pub const fn new(next: F) -> ByteSource<F> {
        ByteSource {
            next,
            byte: [0],
            held: false,
        }
    }
}

impl<F: FnMut() -> Option<u8>> Source for ByteSource<F> {
    fn fill(&mut self) -> &[u8] {
        if !self.held {
            match (self.next)() {
                Some(byte) => (self.byte, self.held) = ([byte], true),
                None => return &[],
            }
        }
        &self.byte
    }

    fn consume(&mut self, count: usize) {
        self.held &= count == 0;
    }
}

/// A taker of bytes that the writer pushes to.
///
/// An array of bytes is one, and so is every function that takes a slice and says whether it could.
pub trait Sink {
    /// Takes all of `bytes`.
    ///
    /// # Errors
    ///
    /// Whatever keeps the sink from taking them; the writer stops and passes it on.
    fn take(&mut self, bytes: &[u8]) -> Result<()>;
}

impl Sink for Vec<'_, u8> {
    fn take(&mut self, bytes: &[u8]) -> Result<()> {
        Ok(self.extend_from_slice(bytes)?)
    }
}

impl<F: FnMut(&[u8]) -> bool> Sink for F {
    fn take(&mut self, bytes: &[u8]) -> Result<()> {
        if self(bytes) {
            Ok(())
        } else {
            Err(Problem::OutputRefused.into())
        }
    }
}
