//! Reports of faults to the caller, as errors with line and column.

use super::lexer::Fault;
use crate::ir::{Error, ErrorKind, Place, Problem};

/// The number of errors after which reading stops.
pub const MAX_ERRORS: usize = 20;

/// The mark that reading cannot continue.
#[derive(Debug)]
pub(super) struct Stop;

/// Reports errors to the caller, with line and column.
pub(super) struct Reporter<'p> {
    source: &'p [u8],
    report: &'p mut dyn FnMut(Error),
    pub(super) first: Option<Error>,
    pub(super) count: usize,
    warnings: usize,
    /// A cache of the last line that was looked up, and its start: errors mostly come in order.
    line: u32,
    line_start: usize,
}

impl<'p> Reporter<'p> {
    pub(super) fn new(source: &'p [u8], report: &'p mut dyn FnMut(Error)) -> Self {
        Reporter {
            source,
            report,
            first: None,
            count: 0,
            warnings: 0,
            line: 1,
            line_start: 0,
        }
    }

    pub(super) fn report(&mut self, fault: Fault) -> Result<(), Stop> {
        if self.count >= MAX_ERRORS {
            return Err(Stop);
        }
        let place = self.place(fault.start as usize, fault.len);
        let error = Error::at(fault.problem, place);
        (self.report)(error);
        self.first.get_or_insert(error);
        self.count += 1;
        if self.count >= MAX_ERRORS || fault.problem.kind() == ErrorKind::Alloc {
            return Err(Stop);
        }
        Ok(())
    }

    /// Reports a warning; of very many, only the first.
    #[cold]
    pub(super) fn warn(&mut self, fault: Fault) {
        if self.warnings < MAX_ERRORS {
            self.warnings += 1;
            let place = self.place(fault.start as usize, fault.len);
            (self.report)(Error::at(fault.problem, place));
        }
    }

    /// Returns true if reading has ended, or is about to, before the end of the text.
    pub(super) fn is_full(&self) -> bool {
        self.count >= MAX_ERRORS
    }

    /// Reports a problem that makes reading impossible.
    pub(super) fn stop(&mut self, problem: Problem) -> Stop {
        let fault = Fault {
            problem,
            start: 0,
            len: 0,
        };
        let _ = self.report(fault);
        Stop
    }

    fn place(&mut self, start: usize, len: u32) -> Place {
        if start < self.line_start {
            (self.line, self.line_start) = (1, 0);
        }
        let before = self.source.get(self.line_start..start).unwrap_or_default();
        self.line += before.iter().filter(|&&byte| byte == b'\n').count() as u32;
        if let Some(last) = before.iter().rposition(|&byte| byte == b'\n') {
            self.line_start += last + 1;
        }
        Place::Text {
            line: self.line,
            column: (start - self.line_start) as u32 + 1,
            len,
        }
    }
}
