//! The C library of confined programs: `host-tools/mir-libc/libc.mir`, made from the C files and
//! the hand-written Medium IR beside it.

use core::fmt::Write;
use core::time::Duration;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command;
use crate::isa::Isa;
use crate::runners;
use crate::workspace;

const LIMIT: Duration = Duration::from_secs(60);

/// The options of clang. The library's functions are the ones that the compiler would call for
/// loops and idioms, so nothing may be recognised; tables would be in one byte order.
const FLAGS: [&str; 16] = [
    "--target=x86_64-linux-gnu",
    "-std=c17",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Oz",
    "-ffreestanding",
    "-fno-builtin",
    "-fno-jump-tables",
    "-mno-implicit-float",
    "-ffp-contract=off",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-fno-stack-protector",
    "-S",
    "-emit-llvm",
];

fn directory() -> PathBuf {
    workspace::root().join("host-tools/mir-libc")
}

/// Makes the library's text anew and writes it.
///
/// # Errors
/// Says what failed.
pub(crate) fn write() -> Result<(), String> {
    let host = Isa::all().find(|isa| isa.is_host());
    let mir = runners::build_for_tests(host.ok_or("this machine is none of the ISAs")?)?;
    let text = text(&mir)?;
    let file = directory().join("libc.mir");
    fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))
}

/// Checks that the text in the repository is what clang makes of the C files.
///
/// # Errors
/// Says what to do.
pub(crate) fn check(mir: &Path) -> Result<(), String> {
    let found = fs::read_to_string(directory().join("libc.mir"));
    if found.map_err(|error| error.to_string())? == text(mir)? {
        return Ok(());
    }
    Err("host-tools/mir-libc/libc.mir is old: cargo xtask libc makes it anew".into())
}

/// Returns the library's text.
fn text(mir: &Path) -> Result<String, String> {
    let scratch = workspace::target().join("libc");
    fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    let (made, imported) = (scratch.join("libc.ll"), scratch.join("libc.mir"));
    let mut clang = Command::new("clang-22");
    clang.args(FLAGS).arg(directory().join("c/libc.c"));
    command::succeed(clang.arg("-o").arg(&made), LIMIT)?;
    let mut import = Command::new(mir);
    import.args(["import", "--target", "x86_64", "--name", "libc", "--text"]);
    command::succeed(import.arg(&made).arg("-o").arg(&imported), LIMIT)?;
    let read = |file: &Path| {
        fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
    };
    joined(
        &read(&imported)?,
        &read(&directory().join("c/variable.mir"))?,
    )
}

/// Joins the module that comes of C with the hand-written functions: what the former imports of the
/// latter it has itself, and what the latter uses of the former is private.
fn joined(imported: &str, written: &str) -> Result<String, String> {
    let body = imported
        .strip_prefix("libc:\tmodule\n")
        .and_then(|text| text.strip_suffix("\tendmodule\n"))
        .ok_or("the import is not one module")?;
    let mut text =
        String::from("# Made by `cargo xtask libc` from the files in c/.\nlibc:\tmodule\n");
    for line in body.lines() {
        match line.trim().split_once('\t') {
            Some(("import" | "export", name)) if name.starts_with("__") && is_private(name) => {
                let _ = writeln!(text, "\tforward\t{name}");
            }
            _ => {
                let _ = writeln!(text, "{line}");
            }
        }
    }
    Ok(text + written + "\tendmodule\n")
}

/// True if a name is known to the two parts alone.
fn is_private(name: &str) -> bool {
    ["__next_", "__print", "__store_"]
        .iter()
        .any(|start| name.starts_with(start))
}
