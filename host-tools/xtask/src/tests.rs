//! Suites of cargo's own tests.

use core::time::Duration;
use std::process::Command;

use crate::command;
use crate::isa::Isa;
use crate::report::{Counts, shortened};
use crate::suites::Depth;
use crate::workspace;

const LIMIT: Duration = Duration::from_secs(30 * 60);

/// Crates without anything of an ISA in them: texts in, texts out. Of the emulated ISAs they run where bytes have the
/// other order.
const TEXT_TOOLS: [&str; 2] = ["llvm-mir", "llvm-ir"];
const OTHER_BYTE_ORDER: &str = "s390x";

/// Runs the tests of the workspace on `isa`. Those of the documentation, and the quick run's of everything but the
/// language, are for this machine alone.
pub(crate) fn all(isa: Isa, depth: Depth) -> Counts {
    let mut cargo = workspace::cargo();
    cargo.args(["test", "--quiet", "--no-fail-fast"]);
    if isa.is_host() {
        cargo.args(["--workspace", "--exclude", "xtask"]);
        return counted(&mut cargo);
    }
    // Emulation makes unoptimised tests slow, and the optimised interpreter is the one with tail calls.
    cargo.args([
        "--profile",
        workspace::SUITE_PROFILE,
        "--target",
        isa.triple(),
    ]);
    if depth == Depth::Quick {
        cargo.args(["--package", "testkit", "--test", "filetests"]);
    } else {
        cargo.args([
            "--workspace",
            "--exclude",
            "xtask",
            "--lib",
            "--bins",
            "--tests",
        ]);
        if isa.name() != OTHER_BYTE_ORDER {
            for name in TEXT_TOOLS {
                cargo.args(["--exclude", name]);
            }
        }
    }
    counted(&mut cargo)
}

/// Runs the interpreter's tests in an optimised build, where its operations end in jumps to the next one: a small native
/// stack shows that none of them is a call. On emulated ISAs all tests are built so.
pub(crate) fn handlers(_: Isa, _: Depth) -> Counts {
    let mut cargo = workspace::cargo();
    cargo.args(["test", "--quiet", "--profile", workspace::SUITE_PROFILE]);
    cargo.args(["--package", "mir-nostd", "--test", "interp"]);
    counted(&mut cargo)
}

/// Compares the C library of the kernels with the host's.
pub(crate) fn libc() -> Counts {
    let mut cargo = workspace::cargo();
    cargo.args(["test", "--quiet", "--package", "kernel-libc"]);
    cargo.args(["--manifest-path", "qemu-tests/Cargo.toml"]);
    counted(&mut cargo)
}

/// Runs tests and counts them; none at all is a failure.
pub(crate) fn counted(cargo: &mut Command) -> Counts {
    let outcome = command::run(cargo, LIMIT);
    let (passed, failed) = count(&outcome.text());
    let is_good = outcome.success && passed > 0;
    (
        passed,
        if is_good { failed } else { failed.max(1) },
        shortened(&outcome),
    )
}

/// Adds up the lines in which each test program says what passed and failed.
fn count(output: &str) -> (usize, usize) {
    let results = output
        .lines()
        .filter(|line| line.starts_with("test result:"));
    let number = |line: &str, what: &str| -> usize {
        let before = line.split(what).next().unwrap_or_default();
        let mut words = before.rsplit([' ', '.']);
        words
            .find(|word| !word.is_empty())
            .and_then(|word| word.parse().ok())
            .unwrap_or(0)
    };
    results.fold((0, 0), |(passed, failed), line| {
        (
            passed + number(line, " passed"),
            failed + number(line, " failed"),
        )
    })
}

#[cfg(test)]
mod tests_of_counting {
    #[test]
    fn results_of_test_programs_add_up() {
        let output = "running 3 tests\n\
                      test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
                      test result: FAILED. 40 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out\n";
        assert_eq!(super::count(output), (43, 2));
        assert_eq!(super::count("error: could not compile"), (0, 0));
    }
}
