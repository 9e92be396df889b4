//! Suites of cargo's own tests.

use core::time::Duration;
use std::process::Command;

use crate::command;
use crate::isa::Isa;
use crate::report::{Counts, add, shortened};
use crate::runners;
use crate::suites::Depth;
use crate::workspace;

const LIMIT: Duration = Duration::from_secs(30 * 60);

/// The crates that do not depend on an ISA: texts in, texts out. Of the emulated ISAs they run on
/// the one with the opposite byte order.
const TEXT_TOOLS: [&str; 2] = ["llvm-mir", "mir-llvm-ir"];
pub(crate) const OTHER_BYTE_ORDER: &str = "s390x";

/// The variable with the number of random programs of each test, and its value in a quick run: a
/// share of what is usual for the test.
const RANDOM_PROGRAMS: &str = "RANDOM_PROGRAMS";
const FEW_RANDOM_PROGRAMS: &str = "20%";

/// The test programs of the `mir` command. They start it many times, and an emulated process with
/// threads cannot start others reliably (QEMU's forks can deadlock): they are built for this
/// machine and start the emulator.
const COMMAND_TESTS: [&str; 4] = ["command", "examples", "import", "stages"];

/// Runs the tests of the workspace on `isa`. Documentation tests, and in a quick run all but those
/// of the language, run on this machine only.
pub(crate) fn all(isa: Isa, depth: Depth) -> Counts {
    if isa.is_host() {
        let mut cargo = test(&[]);
        if depth == Depth::Quick && std::env::var_os(RANDOM_PROGRAMS).is_none() {
            cargo.env(RANDOM_PROGRAMS, FEW_RANDOM_PROGRAMS);
        }
        return counted(&mut cargo);
    }
    let mut cargo = test(&[
        // Emulation makes unoptimised tests slow, and the optimised interpreter is the one with
        // tail calls.
        "--profile",
        workspace::SUITE_PROFILE,
        "--target",
        isa.triple(),
    ]);
    if depth == Depth::Quick {
        cargo.args(["--test", "filetests"]);
        return counted(&mut cargo);
    }
    cargo.args(["--exclude", "mir-cli", "--lib", "--bins", "--tests"]);
    if isa.name() != OTHER_BYTE_ORDER {
        for name in TEXT_TOOLS {
            cargo.args(["--exclude", name]);
        }
    }
    add(counted(&mut cargo), of_command(isa))
}

/// Runs the tests of the command, built for `isa`, on this machine.
fn of_command(isa: Isa) -> Counts {
    let program = match runners::build_for_tests(isa) {
        Ok(program) => program,
        Err(message) => return (0, 1, message),
    };
    let mut words = isa.emulation();
    words.push(program.display().to_string());
    let mut cargo = test(&[]);
    cargo.args(COMMAND_TESTS.iter().flat_map(|name| ["--test", name]));
    cargo.env("MIR_TEST_COMMAND", words.join("\n"));
    cargo.env("MIR_TEST_ISA", isa.name());
    counted(&mut cargo)
}

/// Returns cargo's command that runs tests of the members, all of them whatever fails.
fn test(arguments: &[&str]) -> Command {
    let mut cargo = workspace::cargo();
    cargo.args(["test", "--quiet", "--no-fail-fast"]);
    cargo.args(workspace::MEMBERS);
    cargo.args(arguments);
    cargo
}

/// Runs the interpreter's tests in an optimised build, in which its operations end in jumps to the
/// next one: a small native stack shows that none of them is a call. On emulated ISAs all tests are
/// built so.
pub(crate) fn handlers(_: Isa, _: Depth) -> Counts {
    let mut cargo = test(&["--profile", workspace::SUITE_PROFILE, "--test", "interp"]);
    counted(&mut cargo)
}

/// Compares the C library of the kernels with the host's.
pub(crate) fn libc() -> Counts {
    let mut cargo = workspace::cargo();
    cargo.args(["test", "--quiet", "--package", "kernel-libc"]);
    cargo.args(["--manifest-path", "qemu-tests/Cargo.toml"]);
    counted(&mut cargo)
}

/// Counts the steps that compiling takes, in a build that counts how often each region of its code
/// is run.
pub(crate) fn work() -> Counts {
    let target = workspace::target().join("work");
    let mut cargo = workspace::cargo();
    cargo.args(["test", "--quiet", "--package", "testkit", "--test", "work"]);
    cargo.arg("--target-dir").arg(&target);
    cargo.env("RUSTFLAGS", "-C instrument-coverage --cfg coverage");
    cargo.env("LLVM_PROFILE_FILE", target.join("counts.profraw"));
    cargo.env("CARGO_PROFILE_DEV_OPT_LEVEL", "1");
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
