//! Prints the figures of the project beside their floor and goal: `cargo run --release` in this folder.
//!
//! Ratios are measured side by side in one run; nothing here is a test that can fail on a slow machine.

mod compiled;
mod cranelift;
mod embedded;
mod instructions;
#[expect(dead_code, reason = "the command asks more of it")]
#[path = "../../host-tools/mir/src/pages.rs"]
mod pages;
mod programs;
mod reading;
mod size;

use std::path::{Path, PathBuf};
use std::process::Command;

/// The machine that this runs on.
mod isa {
    use mir_nostd::target::Native;

    pub(crate) const fn native() -> &'static dyn Native {
        &target_x86_64::NATIVE
    }
}

/// One measured figure.
pub struct Figure {
    what: &'static str,
    value: Option<f64>,
    /// What is asked of it; of other compilers nothing is.
    bounds: Option<Bounds>,
}

#[derive(Clone, Copy)]
struct Bounds {
    floor: f64,
    goal: f64,
    larger_is_better: bool,
}

impl Figure {
    /// A figure of which less is better; `None` if it could not be measured.
    pub fn most(what: &'static str, value: Option<f64>, floor: f64, goal: f64) -> Self {
        Self::bounded(what, value, floor, goal, false)
    }

    /// A figure of which more is better.
    pub fn least(what: &'static str, value: Option<f64>, floor: f64, goal: f64) -> Self {
        Self::bounded(what, value, floor, goal, true)
    }

    /// A figure of another compiler, to stand beside ours.
    pub fn other(what: &'static str, value: Option<f64>) -> Self {
        Self {
            what,
            value,
            bounds: None,
        }
    }

    fn bounded(
        what: &'static str,
        value: Option<f64>,
        floor: f64,
        goal: f64,
        larger_is_better: bool,
    ) -> Self {
        let bounds = Some(Bounds {
            floor,
            goal,
            larger_is_better,
        });
        Self {
            what,
            value,
            bounds,
        }
    }

    fn line(&self) -> String {
        let value = self.value.map_or("-".into(), |value| format!("{value:.3}"));
        let what = self.what;
        match self.bounds {
            Some(bounds) => {
                let (floor, goal) = (bounds.floor, bounds.goal);
                let verdict = bounds.verdict(self.value);
                format!("{what:38} {value:>10} {floor:>8} {goal:>8}  {verdict}")
            }
            None => format!("{what:38} {value:>10}"),
        }
    }
}

impl Bounds {
    fn verdict(self, value: Option<f64>) -> &'static str {
        let Some(value) = value else {
            return "not measured";
        };
        let reaches = |bound: f64| {
            if self.larger_is_better {
                value >= bound
            } else {
                value <= bound
            }
        };
        match () {
            () if reaches(self.goal) => "goal reached",
            () if reaches(self.floor) => "floor reached",
            () => "NOT reached",
        }
    }
}

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [word, speed, file] = arguments.as_slice()
        && word == cranelift::WORD
    {
        let status = cranelift::run(speed, Path::new(file))?;
        std::process::exit(status);
    }
    measure()
}

fn measure() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let runs = std::env::var("RUNS")
        .ok()
        .and_then(|runs| runs.parse().ok())
        .unwrap_or(3);
    let mir = build_command(&root, "", "target")?;
    let looped = build_command(&root, "mir-nostd/match-loop", "benches/target/match-loop")?;
    let programs = programs::build(&root)?;
    let groups = [
        programs::figures(&programs, &mir, &looped, runs),
        compiled::speed(&programs, &mir, runs),
        compiled::cost(&root, &mir, runs),
        reading::figures(&root, &mir, runs),
        embedded::figures(&root),
        size::figures(&root),
        instructions::figures(&root, &mir, runs),
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
