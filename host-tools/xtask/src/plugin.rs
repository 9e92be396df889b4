//! The programs of `examples/plugin`: binary Medium IR, made from the C files beside them.

use core::time::Duration;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::command;
use crate::isa::Isa;
use crate::runners;
use crate::setup;
use crate::workspace;

const LIMIT: Duration = Duration::from_secs(60);

const PROGRAMS: [&str; 2] = ["words", "hostile"];

/// The options of clang. The programs are the same for all ISAs that are little-endian.
const FLAGS: [&str; 7] = [
    "--target=riscv64-linux-gnu",
    "-O2",
    "-ffreestanding",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-S",
    "-emit-llvm",
];

fn file(program: &str, extension: &str) -> PathBuf {
    let folder = workspace::root().join("examples/plugin/programs");
    folder.join(program).with_extension(extension)
}

/// Makes the programs anew and writes them.
///
/// # Errors
/// Says what failed.
pub(crate) fn write() -> Result<(), String> {
    for program in PROGRAMS {
        let file = file(program, "bmir");
        let message = |error| format!("{}: {error}", file.display());
        fs::write(&file, made(program)?).map_err(message)?;
    }
    Ok(())
}

/// Checks that the programs in the repository are what clang makes of the C files, where there is
/// clang.
///
/// # Errors
/// Says what to do.
pub(crate) fn check() -> Result<(), String> {
    if !setup::is_installed("clang-22") {
        return Ok(());
    }
    for program in PROGRAMS {
        let found = fs::read(file(program, "bmir")).map_err(|error| error.to_string())?;
        if found != made(program)? {
            return Err(format!(
                "{program}.bmir of examples/plugin is old: cargo xtask plugin makes it anew\n"
            ));
        }
    }
    Ok(())
}

/// Returns the binary of a program.
fn made(program: &str) -> Result<Vec<u8>, String> {
    let host = Isa::all().find(|isa| isa.is_host());
    let mir = runners::build_for_tests(host.ok_or("this machine is none of the ISAs")?)?;
    let scratch = workspace::target().join("plugin");
    fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    let [compiled, imported] = ["ll", "bmir"].map(|it| scratch.join(program).with_extension(it));
    let mut clang = Command::new("clang-22");
    clang.args(FLAGS).arg(file(program, "c"));
    command::succeed(clang.arg("-o").arg(&compiled), LIMIT)?;
    let mut import = Command::new(mir);
    import.args(["import", "--target", "riscv64", "--name", program]);
    command::succeed(import.arg(&compiled).arg("-o").arg(&imported), LIMIT)?;
    fs::read(&imported).map_err(|error| format!("{}: {error}", imported.display()))
}
