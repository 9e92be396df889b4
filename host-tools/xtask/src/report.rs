//! What the user sees: one line per suite while it runs, the failures, and at the end a table.

use core::time::Duration;
use std::io::{IsTerminal, Write};

/// What one suite gave.
pub(crate) struct Row {
    /// The ISA, or `host` for what does not depend on one.
    pub(crate) isa: String,
    /// What was run.
    pub(crate) suite: String,
    /// Tests that passed.
    pub(crate) passed: usize,
    /// Tests that failed; a suite that does not build counts as one.
    pub(crate) failed: usize,
    /// Wall time, builds included.
    pub(crate) time: Duration,
    /// What to show of the failures.
    pub(crate) details: String,
}

/// The suites so far.
pub(crate) struct Report {
    rows: Vec<Row>,
    /// The names of the suites to run; all if empty.
    only: Vec<String>,
    /// How many suites could not be run here.
    left_out: usize,
}

impl Report {
    /// A report on `only` the suites of these names, or on all.
    pub(crate) fn of(only: Vec<String>) -> Self {
        Self {
            rows: Vec::new(),
            only,
            left_out: 0,
        }
    }

    /// Whether the suite is one of those to run.
    pub(crate) fn is_asked_for(&self, suite: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| name == suite)
    }

    /// Says that a suite is not run, and why.
    pub(crate) fn leave_out(&mut self, isa: &str, suite: &str, reason: &str) {
        println!("{isa:8} {suite:8} SKIPPED: {reason}");
        self.left_out += 1;
    }

    /// Runs one suite, shows that it runs and how it ended, and keeps its row.
    pub(crate) fn suite(
        &mut self,
        isa: &str,
        suite: &str,
        run: impl FnOnce() -> (usize, usize, String),
    ) {
        if !self.is_asked_for(suite) {
            return;
        }
        let terminal = std::io::stdout().is_terminal();
        if terminal {
            print!("{isa:8} {suite:8} ...");
            // A progress line that does not show is no reason to stop.
            let _ = std::io::stdout().flush();
        }
        let start = std::time::Instant::now();
        let (passed, failed, details) = run();
        let row = Row {
            isa: isa.into(),
            suite: suite.into(),
            passed,
            failed,
            time: start.elapsed(),
            details,
        };
        println!("{}{}", if terminal { "\r\x1b[K" } else { "" }, row.line());
        if row.failed > 0 {
            println!("{}", row.details.trim_end());
        }
        self.rows.push(row);
    }

    /// Prints the table and the last line.
    ///
    /// # Errors
    /// Says how many failed, if any did.
    pub(crate) fn finish(self) -> Result<(), String> {
        println!(
            "\n{:8} {:8} {:>7} {:>7} {:>8}",
            "ISA", "suite", "passed", "failed", "seconds"
        );
        for row in &self.rows {
            println!("{}", row.line());
        }
        let passed: usize = self.rows.iter().map(|row| row.passed).sum();
        let failed: usize = self.rows.iter().map(|row| row.failed).sum();
        println!("\n{passed} passed, {failed} failed");
        if self.left_out > 0 {
            println!("{} suites SKIPPED: see above", self.left_out);
        }
        if failed == 0 {
            Ok(())
        } else {
            Err(format!("{failed} failed"))
        }
    }
}

impl Row {
    fn line(&self) -> String {
        let seconds = self.time.as_secs_f64();
        format!(
            "{:8} {:8} {:>7} {:>7} {seconds:>8.1}",
            self.isa, self.suite, self.passed, self.failed
        )
    }
}
