//! Runs the files of `filetests/machine`, which show what the stages of the code generator do: the
//! Machine IR of a function after a stage as its difference from before. `filetests/README.md` has
//! the format; `MIR_BLESS=1` writes the blocks anew.
//!
//! Each stage at any level has a file, and those that consult the target's tables have one for each
//! ISA. Each rule has a function in which it fires. What atomic instructions become is in tables.

mod file;
mod orders;
mod stage;

use file::File;
use libtest_mimic::{Arguments, Failed, Trial};
use mir_nostd::codegen::rules;
use mir_nostd::codegen::stage::{ALLOCATE, FOLD, FRAME, LEGALISE, LEVELS, SELECT};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use target_all::ISAS;

/// The processors with a table of what atomic instructions become.
const ORDERS: [&str; 6] = [
    "x86_64",
    "aarch64",
    "neoverse-n1",
    "ppc64le",
    "riscv64",
    "s390x",
];

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../filetests/machine");
    let files = match read(&root) {
        Ok(files) => Arc::new(files),
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::FAILURE;
        }
    };
    let each = (0..files.len()).map(|number| {
        let (name, files) = (files[number].0.clone(), Arc::clone(&files));
        let path = root.join(&name);
        Trial::test(name, move || {
            run(&path, &files[number].1).map_err(Failed::from)
        })
    });
    let mut trials: Vec<_> = each.collect();
    type Check = fn(&[(String, File)]) -> Result<(), String>;
    let checks: [(_, Check); 2] = [
        ("every stage has a file", all_stages),
        ("every rule has a function", all_rules),
    ];
    for (name, check) in checks {
        let files = Arc::clone(&files);
        trials.push(Trial::test(name, move || {
            check(&files).map_err(Failed::from)
        }));
    }
    for processor in ORDERS {
        let name = format!("orders/{processor}.tsv");
        let table = root.join(&name);
        trials.push(Trial::test(name, move || {
            orders::check(&table).map_err(Failed::from)
        }));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// Reads all files below a directory, sorted, with their paths in it.
fn read(root: &Path) -> Result<Vec<(String, File)>, String> {
    let mut paths = Vec::new();
    collect(root, &mut paths).map_err(|error| format!("{}: {error}", root.display()))?;
    paths.sort();
    let read = |path: PathBuf| {
        let name = path.strip_prefix(root).unwrap_or(&path);
        let name = name.display().to_string();
        let source = std::fs::read_to_string(&path).map_err(|error| error.to_string());
        let file = source.and_then(File::parse);
        let file = file.map_err(|error| format!("{name}: {error}"))?;
        Ok((name, file))
    };
    paths.into_iter().map(read).collect()
}

fn collect(directory: &Path, paths: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, paths)?;
        } else if path.extension().is_some_and(|extension| extension == "mir") {
            paths.push(path);
        }
    }
    Ok(())
}

/// Checks the blocks of a file; with `MIR_BLESS` they are replaced.
fn run(path: &Path, file: &File) -> Result<(), String> {
    let effects = stage::effects(file)?;
    if effects.iter().all(|effect| effect.block.is_empty()) {
        return Err("the stage changes nothing".into());
    }
    for (function, effect) in file.functions.iter().zip(&effects) {
        let is_missing = |rule: &&String| !effect.rules.contains(rule);
        if let Some(rule) = function.rules.iter().find(is_missing) {
            return Err(format!("{rule} does not fire, but {:?}", effect.rules));
        }
    }
    let blocks = || effects.iter().map(|effect| &effect.block);
    if blocks().eq(file.functions.iter().map(|function| &function.block)) {
        return Ok(());
    }
    let text = file.with_blocks(blocks());
    if std::env::var_os("MIR_BLESS").is_some() {
        return std::fs::write(path, text).map_err(|error| error.to_string());
    }
    let difference = similar::TextDiff::from_lines(&file.source, &text);
    Err(difference
        .unified_diff()
        .header("the file", "found")
        .to_string())
}

/// Checks that there is a file for every stage, and for every ISA where that decides what a stage
/// does.
fn all_stages(files: &[(String, File)]) -> Result<(), String> {
    let mut missing = Vec::new();
    for stage in (0..=3).flat_map(|level| LEVELS.of(level)) {
        if !files.iter().any(|(_, file)| file.stage == stage.name) {
            missing.push(stage.name.to_owned());
        }
    }
    for backend in ISAS {
        let isa = backend.target().name;
        for stage in [SELECT, FOLD, LEGALISE, ALLOCATE, FRAME] {
            let is_its = |file: &File| file.stage == stage.name && file.target == isa;
            let mut own = backend.stages(3).iter();
            if own.any(|own| own.name == stage.name) && !files.iter().any(|(_, file)| is_its(file))
            {
                missing.push(format!("{} for {isa}", stage.name));
            }
        }
    }
    missing.dedup();
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!("no file: {}", missing.join(", ")))
}

/// Checks that there is a function for every rule of the combiner, on whichever ISA, and for every
/// one of each target.
fn all_rules(files: &[(String, File)]) -> Result<(), String> {
    let mut missing = Vec::new();
    for isa in ISAS {
        let name = isa.target().name;
        for rule in rules(*isa) {
            let rule = rule.to_string();
            let is_its = |file: &File| file.stage != FOLD.name || file.target == name;
            let has_rule = |file: &File| {
                let mut functions = file.functions.iter();
                functions.any(|function| function.rules.contains(&rule))
            };
            if !files.iter().any(|(_, file)| is_its(file) && has_rule(file)) {
                missing.push(format!("{rule} on {name}"));
            }
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!("no function: {}", missing.join(", ")))
}
