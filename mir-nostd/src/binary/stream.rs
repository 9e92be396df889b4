//! Sources and sinks of packed bytes.

use crate::ir::{Problem, Result};
use crate::mem::Vec;

/// A source of bytes from which the reader pulls.
///
/// A byte slice is a source; [`ByteSource`] makes one of a function.
pub trait Source {
    /// Returns available bytes that were not consumed yet; empty only at the end.
    fn fill(&mut self) -> &[u8];

    /// Consumes the first `count` of the bytes that [`Source::fill`] returned; `count` never
    /// exceeds their number.
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

/// A [`Source`] over a function that returns one byte after the other, and `None` at the end.
#[derive(Debug)]
pub struct ByteSource<F> {
    next: F,
    byte: [u8; 1],
    held: bool,
}

impl<F: FnMut() -> Option<u8>> ByteSource<F> {
    /// Makes a source that calls `next` for each byte.
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

/// A sink of bytes to which the writer pushes.
///
/// An array of bytes is a sink, and so is every function that takes a slice and returns whether it
/// took it.
pub trait Sink {
    /// Takes all of `bytes`.
    ///
    /// # Errors
    ///
    /// The error that keeps the sink from taking them; the writer stops and passes it on.
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
