//! The sixteen benchmark programs at measuring size: CPU time of the interpreter compared with that
//! of `gcc -O2` for the same C.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::instructions::run;
use crate::{Bench, Figure};

/// A program as Medium IR and as compiled by `gcc -O2`.
pub struct Program {
    pub name: String,
    pub module: PathBuf,
    /// The Medium IR of what `clang -O2` makes of it, if that is measured.
    pub optimised: Option<PathBuf>,
    pub native: PathBuf,
    /// The program as compiled by `clang -O2`, where that is installed.
    pub clang: Option<PathBuf>,
    pub expected: Vec<u8>,
}

/// Builds the programs.
pub fn build(root: &Path) -> Result<Vec<Program>, String> {
    let scratch = root.join("benches/target/programs");
    fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    let mut programs = Vec::new();
    for module in modules(root)? {
        let name = module.file_stem().unwrap_or_default().to_string_lossy();
        let name = name.into_owned();
        let native = scratch.join(&name);
        let source = root.join(format!("corpus/c/{name}.c"));
        let flags = ["-O2", "-w", "-lm"];
        compile("gcc", &flags, &source, &native)?;
        let clang = scratch.join(format!("{name}.clang"));
        let is_there = compile("clang-22", &flags, &source, &clang).is_ok();
        let expected = fs::read(root.join(format!("corpus/expected/full/{name}.txt")));
        programs.push(Program {
            name,
            module,
            optimised: None,
            native,
            clang: is_there.then_some(clang),
            expected: expected.map_err(|error| error.to_string())?,
        });
    }
    Ok(programs)
}

fn modules(root: &Path) -> Result<Vec<PathBuf>, String> {
    let entries =
        fs::read_dir(root.join("corpus/bmir/x86_64/full")).map_err(|error| error.to_string())?;
    let mut modules: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    modules.sort();
    Ok(modules)
}

/// Compiles a file of C.
pub fn compile(compiler: &str, flags: &[&str], source: &Path, out: &Path) -> Result<(), String> {
    let mut command = Command::new(compiler);
    run(command.arg(source).args(flags).arg("-o").arg(out))
}

/// Measures the interpreter, its match loop, and the cost of fuel.
pub fn figures(bench: &Bench) -> Result<Vec<Figure>, String> {
    let (programs, mir, runs) = (bench.programs()?, bench.mir()?, bench.runs);
    let looped = &bench.looped()?;
    let mut rows = Vec::new();
    for program in programs {
        let expected = &program.expected;
        let measure = |mir: &Path, options: &[&str]| {
            let mut command = Command::new(mir);
            command.arg("run").args(options).arg(&program.module);
            cpu_seconds(&mut command, expected, runs)
        };
        let row = Row {
            gcc: cpu_seconds(&mut Command::new(&program.native), expected, runs)?.max(1e-3),
            threaded: measure(mir, &["--interp"])?,
            looped: measure(looped, &["--interp"])?,
            fuelled: measure(mir, &["--interp", FUEL])?,
        };
        eprintln!(
            "{:10} gcc {:5.2} s   interpreter {:5.2} x   match loop {:5.2} x   with fuel {:5.2} x",
            program.name,
            row.gcc,
            row.threaded / row.gcc,
            row.looped / row.gcc,
            row.fuelled / row.gcc
        );
        rows.push(row);
    }
    let mean = |ratio: &dyn Fn(&Row) -> f64| geometric_mean(rows.iter().map(ratio));
    let fuel = mean(&|row| row.fuelled / row.threaded);
    Ok(vec![
        Figure::most(
            "interpreter, times gcc -O2",
            mean(&|row| row.threaded / row.gcc),
            10.0,
            5.0,
        ),
        Figure::most(
            "match loop, times gcc -O2",
            mean(&|row| row.looped / row.gcc),
            16.0,
            10.0,
        ),
        Figure::most(
            "fuel costs, %",
            fuel.map(|fuel| (fuel - 1.0) * 100.0),
            5.0,
            2.0,
        ),
    ])
}

/// An amount of fuel that no program uses up.
const FUEL: &str = "--fuel=1000000000000000";

struct Row {
    gcc: f64,
    threaded: f64,
    looped: f64,
    fuelled: f64,
}

/// Returns the geometric mean; `None` without values.
pub fn geometric_mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        sum += value.ln();
        count += 1.0;
    }
    (count > 0.0).then(|| (sum / count).exp())
}

/// Returns the least CPU time of several runs, after a check of the output.
pub fn cpu_seconds(command: &mut Command, expected: &[u8], runs: usize) -> Result<f64, String> {
    let mut least = f64::INFINITY;
    for _ in 0..runs {
        let before = children_cpu_seconds();
        let output = command
            .stdin(Stdio::null())
            .output()
            .map_err(|error| error.to_string())?;
        if !output.status.success() || output.stdout != expected {
            return Err(format!(
                "{command:?}: wrong output: {}",
                String::from_utf8_lossy(&output.stderr)
            ));
        }
        least = least.min(children_cpu_seconds() - before);
    }
    Ok(least)
}

/// Returns the user and system time of all children that have ended.
fn children_cpu_seconds() -> f64 {
    // SAFETY: all bits zero is a value of this C structure.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the pointer is to a structure of the right type.
    unsafe { libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage) };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 * 1e-6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}
