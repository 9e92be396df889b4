//! The suite `handlers`: every operation of the interpreter ends in a jump to the next one, so that
//! a program of any length runs on a small native stack.

use core::time::Duration;
use std::process::Command;

use crate::command;
use crate::isa::Isa;
use crate::report::{Counts, add};
use crate::suites::Depth;
use crate::tests;
use crate::workspace;

const LIMIT: Duration = Duration::from_secs(10 * 60);

/// The section that the handlers lie in.
const SECTION: &str = ".text.handlers";

/// Runs the interpreter's tests in an optimised build, on a small native stack, and looks at the
/// handlers that other profiles make. On emulated ISAs all tests are built optimised.
pub(crate) fn run(_: Isa, _: Depth) -> Counts {
    let profile = ["--profile", workspace::SUITE_PROFILE, "--test", "interp"];
    let counts = tests::counted(&mut tests::test(&profile));
    if cfg!(target_arch = "x86_64") {
        add(counts, in_units())
    } else {
        counts
    }
}

/// Builds the runtime as cargo does where nobody asks for another way, in many units of code, and
/// counts the handlers that call none but functions that the linker knows.
///
/// Between units the compiler does not know what a function does with an address. So a handler that
/// passes the address of a local must keep the local until its end, and *calls* the next handler,
/// through a register.
fn in_units() -> Counts {
    match listing() {
        Ok(text) => judge(&text),
        Err(error) => (0, 1, error),
    }
}

/// Returns the disassembly of the handlers.
fn listing() -> Result<String, String> {
    let directory = workspace::target().join("handlers");
    let mut cargo = workspace::cargo();
    cargo.args(["build", "--quiet", "--package", "mir-nostd", "--lib"]);
    cargo.args([
        "--no-default-features",
        "--profile",
        workspace::SUITE_PROFILE,
    ]);
    cargo.arg("--target-dir").arg(&directory);
    cargo.env("CARGO_PROFILE_SUITE_CODEGEN_UNITS", "16");
    command::succeed(&mut cargo, LIMIT)?;
    let library = directory.join(workspace::SUITE_PROFILE);
    let mut objdump = Command::new("objdump");
    objdump.args(["-d", "--no-show-raw-insn", "-j", SECTION]);
    let outcome = command::run(objdump.arg(library.join("libmir_nostd.rlib")), LIMIT);
    // It complains of members of the archive without the section.
    Ok(outcome.text())
}

/// Returns the number of functions in a listing without calls through registers, and the number and
/// the names of those with some.
fn judge(listing: &str) -> Counts {
    let mut functions: Vec<(&str, bool)> = Vec::new();
    for line in listing.lines() {
        if let Some(name) = line
            .strip_suffix(">:")
            .and_then(|line| line.split_once('<'))
        {
            functions.push((name.1, false));
        } else if calls_through_register(line)
            && let Some(function) = functions.last_mut()
        {
            function.1 = true;
        }
    }
    let calling = functions.iter().filter(|function| function.1);
    let names: String = calling
        .clone()
        .map(|function| function.0)
        .collect::<Vec<_>>()
        .join("\n");
    let failed = calling.count();
    match functions.len() {
        0 => (0, 1, format!("no handlers in section {SECTION}\n")),
        all => (all - failed, failed, names),
    }
}

/// Returns true for an indirect call of x86-64 other than one through the linker's table of
/// addresses.
fn calls_through_register(line: &str) -> bool {
    line.split_once("call ").is_some_and(|(_, target)| {
        target.trim_start().starts_with('*') && !target.contains("(%rip)")
    })
}

#[cfg(test)]
mod listings {
    use super::*;

    #[test]
    fn a_handler_that_calls_the_next_is_told() {
        let listing = "
0000000000000000 <Add>:
   0:	add    %rax,%rcx
   4:	call   *0x0(%rip)        # 10 <Add+0x10>
   a:	jmp    *(%rdi)
0000000000000010 <Operation>:
  10:	call   *0x20(%r12)
  15:	ret
";
        assert_eq!(judge(listing), (1, 1, "Operation".into()));
        assert_eq!(judge("").1, 1);
    }
}
