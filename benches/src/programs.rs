//! The sixteen benchmark programs at measuring size: CPU time of the interpreter beside that of `gcc -O2` of the same C.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Figure;

/// The interpreter by the command `mir`, its match loop by the command `looped`, and the cost of fuel.
pub fn figures(root: &Path, mir: &Path, looped: &Path, runs: usize) -> Result<Vec<Figure>, String> {
    let scratch = root.join("benches/target/programs");
    fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    let mut rows = Vec::new();
    for module in modules(root)? {
        let name = module
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let native = compile(root, &scratch, &name)?;
        let expected = fs::read(root.join(format!("corpus/expected/full/{name}.txt")))
            .map_err(|e| e.to_string())?;
        let measure = |program: &Path, options: &[&str]| {
            let mut command = Command::new(program);
            command.arg("run").args(options).arg(&module);
            cpu_seconds(&mut command, &expected, runs)
        };
        let row = Row {
            gcc: cpu_seconds(&mut Command::new(&native), &expected, runs)?.max(1e-3),
            threaded: measure(mir, &["--interp"])?,
            looped: measure(looped, &["--interp"])?,
            fuelled: measure(mir, &["--interp", FUEL])?,
        };
        eprintln!(
            "{name:10} gcc {:5.2} s   interpreter {:5.2} x   match loop {:5.2} x   with fuel {:5.2} x",
            row.gcc,
            row.threaded / row.gcc,
            row.looped / row.gcc,
            row.fuelled / row.gcc
        );
        rows.push(row);
    }
    let mean = |ratio: &dyn Fn(&Row) -> f64| {
        (rows.iter().map(|row| ratio(row).ln()).sum::<f64>() / rows.len() as f64).exp()
    };
    Ok(vec![
        Figure::most(
            "interpreter, times gcc -O2",
            Some(mean(&|row| row.threaded / row.gcc)),
            10.0,
            5.0,
        ),
        Figure::most(
            "match loop, times gcc -O2",
            Some(mean(&|row| row.looped / row.gcc)),
            16.0,
            10.0,
        ),
        Figure::most(
            "fuel costs, %",
            Some((mean(&|row| row.fuelled / row.threaded) - 1.0) * 100.0),
            5.0,
            2.0,
        ),
    ])
}

/// More than any of the programs uses.
const FUEL: &str = "--fuel=1000000000000000";

struct Row {
    gcc: f64,
    threaded: f64,
    looped: f64,
    fuelled: f64,
}

fn modules(root: &Path) -> Result<Vec<PathBuf>, String> {
    let entries =
        fs::read_dir(root.join("corpus/bmir/x86_64/full")).map_err(|error| error.to_string())?;
    let mut modules: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    modules.sort();
    Ok(modules)
}

fn compile(root: &Path, scratch: &Path, name: &str) -> Result<PathBuf, String> {
    let program = scratch.join(name);
    let source = root.join(format!("corpus/c/{name}.c"));
    let status = Command::new("gcc")
        .args(["-O2", "-w"])
        .arg(source)
        .arg("-o")
        .arg(&program)
        .arg("-lm")
        .status();
    if status.is_ok_and(|status| status.success()) {
        Ok(program)
    } else {
        Err(format!("gcc does not build {name}"))
    }
}

/// The least CPU time of several runs, the output checked first.
fn cpu_seconds(command: &mut Command, expected: &[u8], runs: usize) -> Result<f64, String> {
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

/// User and system time of all children that have ended.
fn children_cpu_seconds() -> f64 {
    // SAFETY: all bits zero is a value of this C structure.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the pointer is to a structure of the right type.
    unsafe { libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage) };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 * 1e-6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}
