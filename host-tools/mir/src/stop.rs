//! The reason why a run ended before `main` returned, and where.

use mir_nostd::interp::Frame;
use std::collections::VecDeque;

/// The reason why a run ended, and the calls that led there.
pub(crate) struct Stop<'c> {
    pub(crate) reason: String,
    pub(crate) backtrace: Backtrace<'c>,
}

/// The calls that led to a place, innermost first; of many, only both ends are kept.
#[derive(Default)]
pub(crate) struct Backtrace<'c> {
    inner: Vec<Frame<'c, 'static>>,
    outer: VecDeque<Frame<'c, 'static>>,
    left_out: usize,
}

/// The number of calls kept at each end.
const KEPT: usize = 6;

impl<'c> Backtrace<'c> {
    /// Adds the caller of the outermost call so far.
    pub(crate) fn push(&mut self, frame: Frame<'c, 'static>) {
        if self.inner.len() < KEPT {
            return self.inner.push(frame);
        }
        self.outer.push_back(frame);
        if self.outer.len() > KEPT {
            self.outer.pop_front();
            self.left_out += 1;
        }
    }

    /// Returns the place where the run stopped.
    pub(crate) fn place(&self) -> Option<&Frame<'c, 'static>> {
        self.inner.first()
    }

    /// Returns the calls that led there, each described by `tell`.
    pub(crate) fn calls(
        &self,
        tell: impl Fn(&Frame<'c, 'static>) -> Option<String>,
    ) -> Vec<String> {
        let inner = self.inner.iter().skip(1).filter_map(&tell);
        let left_out = (self.left_out > 0).then(|| format!("... {} more", self.left_out));
        inner
            .chain(left_out)
            .chain(self.outer.iter().filter_map(&tell))
            .collect()
    }
}

impl<'c> FromIterator<Frame<'c, 'static>> for Backtrace<'c> {
    fn from_iter<I: IntoIterator<Item = Frame<'c, 'static>>>(frames: I) -> Backtrace<'c> {
        let mut backtrace = Backtrace::default();
        frames.into_iter().for_each(|frame| backtrace.push(frame));
        backtrace
    }
}
