//! Prints the figures of the project with their floor and goal: `cargo run --release` in this
//! folder; `-- GROUP ...` for some of them, `-- --help` for the list of groups.
//!
//! Ratios are measured side by side in one run; nothing here is a test that can fail on a slow
//! machine.

mod code_size;
mod compiled;
mod cranelift;
mod ebpf;
mod embedded;
mod instructions;
mod others;
mod plots;
mod programs;
mod reading;
mod size;
mod wasm;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::builder::PossibleValue;
use clap::{Parser, ValueEnum};
use plots::Curve;
use programs::Program;
use std::sync::LazyLock;

/// One measured figure.
pub struct Figure {
    what: Cow<'static, str>,
    value: Option<f64>,
    /// The floor and goal; `None` for figures of other compilers.
    bounds: Option<Bounds>,
}

#[derive(Clone, Copy)]
struct Bounds {
    floor: f64,
    goal: f64,
    larger_is_better: bool,
}

impl Figure {
    /// Returns a figure of which less is better; `None` if it could not be measured.
    pub fn most(
        what: impl Into<Cow<'static, str>>,
        value: Option<f64>,
        floor: f64,
        goal: f64,
    ) -> Self {
        Self::bounded(what.into(), value, floor, goal, false)
    }

    /// Returns a figure of which more is better.
    pub fn least(what: &'static str, value: Option<f64>, floor: f64, goal: f64) -> Self {
        Self::bounded(what.into(), value, floor, goal, true)
    }

    /// Returns a figure without a bound, for comparison.
    pub fn other(what: impl Into<Cow<'static, str>>, value: Option<f64>) -> Self {
        Self {
            what: what.into(),
            value,
            bounds: None,
        }
    }

    fn bounded(
        what: Cow<'static, str>,
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
        let what = &self.what;
        match self.bounds {
            Some(bounds) => {
                let (floor, goal) = (bounds.floor, bounds.goal);
                let verdict = bounds.verdict(self.value);
                format!("{what:46} {value:>10} {floor:>8} {goal:>8}  {verdict}")
            }
            None => format!("{what:46} {value:>10}"),
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

fn main() -> ExitCode {
    match start() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn start() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [word, speed, file] = arguments.as_slice()
        && word == cranelift::WORD
    {
        let status = cranelift::run(speed, Path::new(file))?;
        std::process::exit(status);
    }
    measure(&Arguments::parse());
    Ok(())
}

/// Prints the figures of the project with their floor and goal.
#[derive(Parser)]
struct Arguments {
    /// The groups to measure [default: all]
    #[arg(value_enum, value_name = "GROUP")]
    groups: Vec<&'static Group>,
    /// Take the best of so many runs
    #[arg(long, env, default_value_t = 3)]
    runs: usize,
    /// The directory for plots of the figures
    #[arg(long, value_name = "DIRECTORY", default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/target/plots"))]
    plots: PathBuf,
}

impl ValueEnum for &'static Group {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<&Group>> = LazyLock::new(|| GROUPS.iter().collect());
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name).help(self.about))
    }
}

/// Figures that are measured together.
struct Group {
    name: &'static str,
    about: &'static str,
    figures: fn(&Bench) -> Result<Vec<Figure>, String>,
}

/// The groups in the order in which they are measured and printed.
static GROUPS: [Group; 12] = [
    Group {
        name: "interpreter",
        about: "the interpreter against gcc -O2, and what fuel costs",
        figures: programs::figures,
    },
    Group {
        name: "run-time",
        about: "compiled code at each level and through Cranelift against gcc -O2",
        figures: compiled::speed,
    },
    Group {
        name: "others",
        about: "the same of thirty more programs: those that may be tuned on, and those that may not",
        figures: others::figures,
    },
    Group {
        name: "size",
        about: "machine code on the five ISAs against gcc -O2",
        figures: code_size::figures,
    },
    Group {
        name: "compile",
        about: "what compiling costs in time and memory, beside Cranelift, and how it grows",
        figures: compiled::cost,
    },
    Group {
        name: "first-call",
        about: "from the bytes of a program to its first compiled call",
        figures: compiled::first_call,
    },
    Group {
        name: "reading",
        about: "reading text and binary, linking",
        figures: reading::figures,
    },
    Group {
        name: "memory",
        about: "memory and time of a small program in the interpreter",
        figures: embedded::figures,
    },
    Group {
        name: "footprint",
        about: "the library's own size on bare metal",
        figures: size::figures,
    },
    Group {
        name: "ebpf",
        about: "eBPF through examples/ebpf against the compilers of rbpf and solana-sbpf",
        figures: ebpf::figures,
    },
    Group {
        name: "wasm",
        about: "confined programs against the same C as WebAssembly in wasmi and wasmtime",
        figures: wasm::figures,
    },
    Group {
        name: "instructions",
        about: "instructions executed on the emulated ISAs against gcc -O2; what compiling for them costs",
        figures: instructions::figures,
    },
];

/// The commands and programs that groups measure, each built on first use.
pub struct Bench {
    root: PathBuf,
    runs: usize,
    mir: OnceCell<PathBuf>,
    programs: OnceCell<Vec<Program>>,
    /// How compile time grows, once it was measured.
    growth: OnceCell<Vec<Curve>>,
}

impl Bench {
    fn new(runs: usize) -> Self {
        Self {
            root: Path::new(env!("CARGO_MANIFEST_DIR")).join(".."),
            runs,
            mir: OnceCell::new(),
            programs: OnceCell::new(),
            growth: OnceCell::new(),
        }
    }

    /// Returns the `mir` command.
    fn mir(&self) -> Result<&Path, String> {
        let built = || build_command(&self.root, "", "target");
        once(&self.mir, built).map(PathBuf::as_path)
    }

    /// Returns the `mir` command whose interpreter dispatches by a match in a loop.
    fn looped(&self) -> Result<PathBuf, String> {
        let directory = "benches/target/match-loop";
        build_command(&self.root, "mir-nostd/match-loop", directory)
    }

    /// Returns the sixteen programs.
    fn programs(&self) -> Result<&[Program], String> {
        once(&self.programs, || programs::build(&self.root)).map(Vec::as_slice)
    }
}

/// Returns the value in `cell`, made on first use.
fn once<T>(cell: &OnceCell<T>, make: impl FnOnce() -> Result<T, String>) -> Result<&T, String> {
    if let Some(made) = cell.get() {
        return Ok(made);
    }
    let made = make()?;
    Ok(cell.get_or_init(|| made))
}

/// Measures the groups that are asked for, all if none is, prints the table, and writes plots.
fn measure(arguments: &Arguments) {
    let bench = Bench::new(arguments.runs);
    let mut figures = Vec::new();
    for group in &GROUPS {
        let wanted = &arguments.groups;
        if !wanted.is_empty() && !wanted.iter().any(|wanted| wanted.name == group.name) {
            continue;
        }
        match (group.figures)(&bench) {
            Ok(group) => figures.extend(group),
            Err(error) => eprintln!("{}: not measured: {error}", group.name),
        }
    }
    let machine = machine();
    println!("machine: {machine}");
    println!(
        "{:46} {:>10} {:>8} {:>8}",
        "figure", "measured", "floor", "goal"
    );
    for figure in &figures {
        println!("{}", figure.line());
    }
    let curves = bench.growth.get().map_or(&[][..], Vec::as_slice);
    match plots::write(&arguments.plots, &figures, curves, &machine) {
        Ok(plots) => plots
            .iter()
            .for_each(|plot| println!("plot: {}", plot.display())),
        Err(error) => eprintln!("no plots: {error}"),
    }
}

/// Builds the `mir` command with the library's `features`, each set in a directory of its own.
fn build_command(root: &Path, features: &str, directory: &str) -> Result<PathBuf, String> {
    let target = root.join(directory);
    let arguments = [
        "build",
        "--quiet",
        "--release",
        "--package",
        "mir-cli",
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
