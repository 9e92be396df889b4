//! Thirty more programs in C (`programs/`): what clang's front end makes of each is imported and
//! compared with `gcc -O2`. Those that may be tuned on and those that are only looked at are told
//! apart.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::compiled::{WAYS, rows};
use crate::instructions::run;
use crate::programs::{Program, compile, geometric_mean};
use crate::{Bench, Figure};

/// The options of both compilers.
pub const FLAGS: [&str; 4] = ["-w", "-std=c11", "-ffp-contract=off", "-fno-math-errno"];

/// The options with which clang makes LLVM IR: as its front end gives it, and optimised but for
/// vectors.
pub const PLAIN: [&str; 3] = ["-O0", "-S", "-emit-llvm"];
const OPTIMISED: [&str; 5] = [
    "-O2",
    "-S",
    "-emit-llvm",
    "-fno-vectorize",
    "-fno-slp-vectorize",
];

/// Measures both halves in every way.
pub fn figures(bench: &Bench) -> Result<Vec<Figure>, String> {
    let mut figures = Vec::new();
    for half in ["seen", "unseen"] {
        let programs = build(bench, half)?;
        let rows = rows(&programs, &WAYS, bench.mir()?, bench.runs)?;
        for (number, way) in WAYS.iter().enumerate() {
            let ratios = rows.iter().filter_map(|(_, ratios)| ratios[number]);
            figures.push(way.figure(Some(half), geometric_mean(ratios)));
        }
    }
    Ok(figures)
}

/// Builds the programs of a half.
fn build(bench: &Bench, half: &str) -> Result<Vec<Program>, String> {
    let scratch = bench.root.join("benches/target/others");
    fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    let folder = bench.root.join("benches/programs").join(half);
    let entries = fs::read_dir(folder).map_err(|error| error.to_string())?;
    let mut sources: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    sources.sort();
    let mut programs = Vec::new();
    for source in &sources {
        let name = source.file_stem().unwrap_or_default().to_string_lossy();
        let [native, clang, module, optimised] =
            ["gcc", "clang", "bmir", "O2.bmir"].map(|kind| scratch.join(format!("{name}.{kind}")));
        let flags = [&FLAGS[..], &["-O2", "-lm"]].concat();
        compile("gcc", &flags, source, &native)?;
        compile("clang-22", &flags, source, &clang)?;
        for (options, module) in [(&PLAIN[..], &module), (&OPTIMISED, &optimised)] {
            let options = [&["--target=x86_64-linux-gnu"], options].concat();
            import(bench.mir()?, "x86_64", &options, source, module)?;
        }
        let output = Command::new(&native).output();
        programs.push(Program {
            name: name.into_owned(),
            module,
            optimised: Some(optimised),
            native,
            clang: Some(clang),
            expected: output.map_err(|error| error.to_string())?.stdout,
        });
    }
    Ok(programs)
}

/// Makes Medium IR for an ISA of a file of C through LLVM IR.
pub fn import(
    mir: &Path,
    isa: &str,
    options: &[&str],
    source: &Path,
    module: &Path,
) -> Result<(), String> {
    let text = module.with_extension("ll");
    compile("clang-22", &[&FLAGS[..], options].concat(), source, &text)?;
    let mut import = Command::new(mir);
    import.args(["import", "--target", isa]);
    run(import.arg(&text).arg("-o").arg(module))
}
