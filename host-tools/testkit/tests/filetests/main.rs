//! Runs every file of `filetests/` as one test.

mod closures;
mod compiled;
mod engine;
mod expectation;
mod lines;
mod run;
mod values;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../filetests");
    let mut files = Vec::new();
    if let Err(error) = collect(&root, &mut files) {
        eprintln!("{}: {error}", root.display());
        return ExitCode::FAILURE;
    }
    files.sort();
    let trials = files.into_iter().map(|path| {
        let name = path
            .strip_prefix(&root)
            .unwrap_or(&path)
            .display()
            .to_string();
        Trial::test(name, move || run_apart(&path).map_err(Failed::from))
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

/// Runs a file on a stack large enough for recursion of compiled code on every ISA: the smallest
/// frame has 32 bytes on some and 160 on others.
fn run_apart(path: &Path) -> Result<(), String> {
    const STACK: usize = 64 << 20;
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK);
        let thread = builder.spawn_scoped(scope, || engine::run(path));
        let thread = thread.map_err(|error| error.to_string())?;
        let ended = thread.join();
        ended.unwrap_or_else(|_| Err("panicked".to_owned()))
    })
}

/// The directories of files that others run: those that are linked with C, whole programs, and
/// those of the stages of the code generator.
const OTHERS: [&str; 3] = ["objects", "programs", "machine"];

/// Collects all `.mir` files below `directory` that this runner handles.
fn collect(directory: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            if !OTHERS.iter().any(|other| path.ends_with(other)) {
                collect(&path, files)?;
            }
        } else if path.is_file() && path.extension().is_some_and(|extension| extension == "mir") {
            files.push(path);
        }
    }
    Ok(())
}
