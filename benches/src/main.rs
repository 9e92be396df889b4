//! Prints the figures of the project beside their floor and goal: `cargo run --release` in this folder.
//!
//! Ratios are measured side by side in one run; nothing here is a test that can fail on a slow machine.

mod embedded;
mod programs;
mod reading;
mod size;

use std::path::{Path, PathBuf};
use std::process::Command;

/// One measured figure.
pub struct Figure {
    what: &'static str,
    value: Option<f64>,
    floor: f64,
    goal: f64,
    larger_is_better: bool,
}

impl Figure {
    /// A figure of which less is better; `None` if it could not be measured.
    pub fn most(what: &'static str, value: Option<f64>, floor: f64, goal: f64) -> Self {
        Self {
            what,
            value,
            floor,
            goal,
            larger_is_better: false,
        }
    }

    /// A figure of which more is better.
    pub fn least(what: &'static str, value: Option<f64>, floor: f64, goal: f64) -> Self {
        Self {
            what,
            value,
            floor,
            goal,
            larger_is_better: true,
        }
    }

    fn verdict(&self) -> &'static str {
        let reaches = |bound: f64| {
            self.value.is_some_and(|value| {
                if self.larger_is_better {
                    value >= bound
                } else {
                    value <= bound
                }
            })
        };
        match () {
            () if self.value.is_none() => "not measured",
            () if reaches(self.goal) => "goal reached",
            () if reaches(self.floor) => "floor reached",
            () => "NOT reached",
        }
    }

    fn line(&self) -> String {
        let value = self.value.map_or("-".into(), |value| format!("{value:.3}"));
        format!(
            "{:38} {value:>10} {:>8} {:>8}  {}",
            self.what,
            self.floor,
            self.goal,
            self.verdict()
        )
    }
}

fn main() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let runs = std::env::var("RUNS")
        .ok()
        .and_then(|runs| runs.parse().ok())
        .unwrap_or(3);
    let mir = build_command(&root, "", "target")?;
    let looped = build_command(&root, "mir-nostd/match-loop", "benches/target/match-loop")?;
    let groups = [
        programs::figures(&root, &mir, &looped, runs),
        reading::figures(&root, &mir, runs),
        embedded::figures(&root),
        size::figure(&root).map(|figure| vec![figure]),
    ];
    let mut figures = Vec::new();
    for group in groups {
        match group {
            Ok(group) => figures.extend(group),
            Err(error) => eprintln!("not measured: {error}"),
        }
    }
    println!("machine: {}", machine());
    println!(
        "{:38} {:>10} {:>8} {:>8}",
        "figure", "measured", "floor", "goal"
    );
    for figure in figures {
        println!("{}", figure.line());
    }
    Ok(())
}

/// Builds the `mir` command with the library's `features`, each set in a directory of its own.
fn build_command(root: &Path, features: &str, directory: &str) -> Result<PathBuf, String> {
    let target = root.join(directory);
    let arguments = [
        "build",
        "--quiet",
        "--release",
        "--package",
        "mir",
        "--features",
        features,
        "--target-dir",
    ];
    let built = Command::new("cargo")
        .current_dir(root)
        .args(arguments)
        .arg(&target)
        .status();
    if built.is_ok_and(|status| status.success()) {
        Ok(target.join("release/mir"))
    } else {
        Err(format!("mir does not build with features '{features}'"))
    }
}

fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| {
        line.strip_prefix("model name")?
            .split_once(": ")
            .map(|(_, name)| name)
    });
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{}, {cores} cores", model.unwrap_or("unknown"))
}
