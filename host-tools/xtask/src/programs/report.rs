//! The table of what was measured, as docs/programs.md has it, and what failed.

use core::time::Duration;

use super::build::Compiling;
use super::table::Program;
use super::ways::Way;
use crate::isa::Isa;

/// Below this a ratio of times says nothing: the system counts them in hundredths of a second.
const SHORTEST: Duration = Duration::from_millis(50);

/// The rows so far.
pub(super) struct Report {
    heads: Vec<String>,
    rows: Vec<Vec<String>>,
    failures: Vec<String>,
    ways: Vec<&'static str>,
    runs: usize,
}

impl Report {
    /// Returns a report on these ways without rows.
    pub(super) fn new(ways: &[&Way]) -> Report {
        let ways: Vec<&str> = ways.iter().map(|way| way.name).collect();
        let heads = ["program", "ISA", "native, s"].into_iter();
        let heads = heads.chain(ways.iter().copied());
        let heads = heads.chain(["clang, s", "import", "object"]);
        Report {
            heads: heads.map(Into::into).collect(),
            rows: Vec::new(),
            failures: Vec::new(),
            ways,
            runs: 0,
        }
    }

    /// Adds the row of a program: how long it took natively and to compile, and how long, or what
    /// was wrong, in each way that it is run in.
    pub(super) fn add(
        &mut self,
        program: &Program,
        isa: Isa,
        native: Duration,
        compiling: Compiling,
        cells: Vec<Option<Result<Duration, String>>>,
    ) {
        let mut row = vec![program.name.into(), isa.name().into(), seconds(native)];
        for (way, cell) in self.ways.iter().zip(cells) {
            self.runs += usize::from(cell.is_some());
            row.push(match cell {
                None => String::new(),
                Some(Ok(time)) => ratio(time, native, 2),
                Some(Err(message)) => {
                    let place = format!("{} on {}, {way}", program.name, isa.name());
                    self.failures.push(format!("{place}: {message}"));
                    "WRONG".into()
                }
            });
        }
        row.push(seconds(compiling.llvm));
        row.extend(
            [compiling.import, compiling.objects].map(|time| ratio(time, compiling.llvm, 3)),
        );
        println!("    {}", row.join("  "));
        self.rows.push(row);
    }

    /// Notes a program that could not be built.
    pub(super) fn fail(&mut self, program: &Program, isa: Isa, message: String) {
        self.runs += 1;
        let place = format!("{} on {}", program.name, isa.name());
        self.failures.push(format!("{place}: {message}"));
    }

    /// Prints the table.
    pub(super) fn print(&self) {
        let rule = vec!["---".to_owned(); self.heads.len()];
        println!();
        for row in [&self.heads, &rule].into_iter().chain(&self.rows) {
            println!("| {} |", row.join(" | "));
        }
    }

    /// # Errors
    /// Returns what failed.
    pub(super) fn verdict(&self) -> Result<(), String> {
        let failed = self.failures.len();
        println!("{} passed, {failed} failed", self.runs - failed);
        match failed {
            0 => Ok(()),
            _ => Err(self.failures.join("\n    ")),
        }
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64())
}

/// Returns how many times as long as `than` something took, with so many decimals, or `ok` where
/// that says nothing.
fn ratio(time: Duration, than: Duration, decimals: usize) -> String {
    match than < SHORTEST {
        true => "ok".into(),
        false => format!("{:.decimals$}", time.as_secs_f64() / than.as_secs_f64()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Duration, ratio};

    #[test]
    fn short_times_have_no_ratio() {
        let [short, long] = [40, 400].map(Duration::from_millis);
        assert_eq!(ratio(long, short, 2), "ok");
        assert_eq!(ratio(short, long, 2), "0.10");
    }
}
