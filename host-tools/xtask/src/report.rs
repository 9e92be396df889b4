//! The report to the user: the progress of the suites, the failures, and a table at the end.

use core::time::Duration;
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

use crate::command::Outcome;
use crate::parallel;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

/// The number of tests that passed, the number that failed, and the text to show of the failures.
pub(crate) type Counts = (usize, usize, String);

/// The most lines of a failed suite's output that are shown.
const SHOWN_LINES: usize = 120;
/// The number of slowest suites that the end of a report lists.
const SLOWEST: usize = 10;

/// The result of one suite.
struct Row {
    /// The ISA, or `host` for a suite that does not depend on one.
    isa: String,
    suite: String,
    passed: usize,
    /// The number of tests that failed; a suite that does not build counts as one.
    failed: usize,
    /// Wall time, builds included.
    time: Duration,
    /// The processor time of what it built and ran, as far as the system tells it.
    taken: Duration,
}

impl Row {
    /// Returns the seconds of wall time, and of processor time.
    fn seconds(&self) -> [f64; 2] {
        [self.time, self.taken].map(|time| time.as_secs_f64())
    }
}

/// The results of the suites so far. Suites may run and end at the same time.
pub(crate) struct Report {
    ended: Mutex<Ended>,
    /// The number of suites that there will be.
    total: usize,
    start: Instant,
    /// The lines of the suites that are running.
    lines: MultiProgress,
}

#[derive(Default)]
struct Ended {
    rows: Vec<Row>,
    /// The number of suites that could not be run here.
    left_out: usize,
}

impl Report {
    /// Returns a report on this many suites.
    pub(crate) fn of(total: usize) -> Self {
        Self {
            ended: Mutex::default(),
            total,
            start: Instant::now(),
            lines: MultiProgress::new(),
        }
    }

    fn ended(&self) -> MutexGuard<'_, Ended> {
        self.ended
            .lock()
            .unwrap_or_else(|broken| broken.into_inner())
    }

    /// Says that a suite is not run, and why.
    pub(crate) fn leave_out(&self, isa: &str, suite: &str, reason: &str) {
        let mut ended = self.ended();
        self.lines
            .suspend(|| println!("        {isa:8} {suite:10} SKIPPED: {reason}"));
        ended.left_out += 1;
    }

    /// Runs one suite, shows that it runs and how it ended, and keeps its row. A suite without a
    /// test has failed.
    pub(crate) fn suite(&self, isa: &str, suite: &str, run: &dyn Fn() -> Counts) {
        let start = Instant::now();
        let shown = || self.while_shown(isa, suite, run);
        let ((passed, failed, mut details), taken) = parallel::metered(shown);
        let is_empty = passed + failed == 0;
        if is_empty {
            details += "    no test ran\n";
        }
        let row = Row {
            isa: isa.into(),
            suite: suite.into(),
            passed,
            failed: failed.max(usize::from(is_empty)),
            time: start.elapsed(),
            taken,
        };
        let mut ended = self.ended();
        let place = ended.rows.len() + ended.left_out + 1;
        self.lines.suspend(|| self.show(place, &row, &details));
        ended.rows.push(row);
    }

    /// Prints the line of a suite that has ended as the one with this place, and its failures.
    fn show(&self, place: usize, row: &Row, details: &str) {
        let (total, [seconds, taken]) = (self.total, row.seconds());
        println!(
            "[{place:2}/{total}] {:8} {:10} {:>5} passed {:>3} failed {seconds:>7.1} s \
             {taken:>7.1} s of processors  {}",
            row.isa,
            row.suite,
            row.passed,
            row.failed,
            minutes(self.start.elapsed())
        );
        if row.failed > 0 {
            println!("{}", details.trim_end());
        }
    }

    /// Runs a suite while a line that names it counts its seconds, on a terminal.
    fn while_shown(&self, isa: &str, suite: &str, run: &dyn Fn() -> Counts) -> Counts {
        let style = ProgressStyle::with_template("{msg} ... {elapsed}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
        let line = self.lines.add(ProgressBar::new_spinner());
        line.set_style(style);
        line.set_message(format!("{isa:8} {suite:10}"));
        line.enable_steady_tick(Duration::from_secs(1));
        let counts = run();
        line.finish_and_clear();
        counts
    }

    /// Prints the slowest suites and the last line.
    ///
    /// # Errors
    /// Says how many failed, if any did, or that nothing ran.
    pub(crate) fn finish(&self) -> Result<(), String> {
        let Ended { mut rows, left_out } = core::mem::take(&mut *self.ended());
        let passed: usize = rows.iter().map(|row| row.passed).sum();
        let failed: usize = rows.iter().map(|row| row.failed).sum();
        rows.sort_by_key(|row| core::cmp::Reverse(row.time));
        println!("\nthe slowest, in seconds, builds included, and in seconds of processors:");
        for row in rows.iter().take(SLOWEST) {
            let [seconds, taken] = row.seconds();
            println!("{seconds:>7.1} {taken:>7.1}  {} {}", row.isa, row.suite);
        }
        let taken = minutes(rows.iter().map(|row| row.taken).sum());
        println!(
            "in all {}, {taken} of processors",
            minutes(self.start.elapsed())
        );
        println!("\n{passed} passed, {failed} failed");
        if left_out > 0 {
            println!("{left_out} suites SKIPPED: see above");
        }
        match (passed, failed) {
            (0, 0) => Err("no suite applies to these ISAs".into()),
            (_, 0) => Ok(()),
            (_, failed) => Err(format!("{failed} failed")),
        }
    }
}

fn minutes(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// Adds the results of two runs.
pub(crate) fn add(a: Counts, b: Counts) -> Counts {
    (a.0 + b.0, a.1 + b.1, a.2 + &b.2)
}

/// Returns one test's result: whether a program succeeded.
pub(crate) fn verdict(outcome: &Outcome) -> Counts {
    let passed = usize::from(outcome.success);
    (passed, 1 - passed, shortened(outcome))
}

/// Returns the end of a program's output, where failures are, without the lines of passed tests.
pub(crate) fn shortened(outcome: &Outcome) -> String {
    let all = format!("{}{}", outcome.text(), outcome.stderr);
    let passed = |line: &str| {
        let line = line.trim();
        line.is_empty()
            || line.ends_with("... ok")
            || line.starts_with("running ")
            || line.starts_with("test result: ok")
    };
    let lines: Vec<&str> = all.lines().filter(|line| !passed(line)).collect();
    let start = lines.len().saturating_sub(SHOWN_LINES);
    lines[start..]
        .iter()
        .map(|line| format!("    {line}\n"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::Report;

    #[test]
    fn a_run_without_tests_fails() {
        let report = Report::of(1);
        report.suite("host", "nothing", &|| (0, 0, String::new()));
        assert!(report.finish().is_err());
        assert!(Report::of(0).finish().is_err());
    }

    #[test]
    fn one_failure_fails_the_run() {
        let run = |failed| {
            let report = Report::of(1);
            report.suite("host", "some", &|| (2, failed, String::new()));
            report.finish()
        };
        assert!(run(0).is_ok() && run(1).is_err());
    }
}
