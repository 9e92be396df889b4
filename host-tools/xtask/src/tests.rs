//! Suites of cargo's own tests.

use core::time::Duration;
use std::process::Command;

use crate::command;
use crate::isa::{Isa, OTHER_BYTE_ORDER};
use crate::report::{Counts, add, shortened};
use crate::runners;
use crate::suites::Depth;
use crate::workspace;

const LIMIT: Duration = Duration::from_secs(30 * 60);

/// The test programs whose outcome may depend on the ISA that they are built for, as they run its
/// code, call C, map pages, or interpret programs in its memory. They run on every ISA.
const OF_EVERY_ISA: [&str; 14] = [
    "calls",
    "compiled",
    "confined",
    "conformance",
    "filetests",
    "gates",
    "hostile",
    "interp",
    "jumps",
    "library",
    "pages",
    "programs",
    "runtime",
    "typed",
];

/// The test programs that run on this machine and on s390x.
const OF_BOTH_BYTE_ORDERS: [&str; 25] = [
    "allocation",
    "altered",
    "binary",
    "codegen",
    "corpus",
    "docs",
    "every_isa",
    "ir",
    "link",
    "live",
    "llc",
    "loader",
    "machine_ir",
    "mutations",
    "passes",
    "readers",
    "reference",
    "select",
    "signature",
    "tables",
    "target",
    "text",
    "verify",
    "words",
    "work",
];

/// The libraries whose own tests know texts and numbers alone, and take longer to build than all
/// other libraries' together. Their test programs do run on s390x.
const OF_TEXTS_ALONE: [&str; 2] = ["mir-cli", "mir-llvm-ir"];

/// The tests inside of libraries that do not run on s390x, as they start programs.
const PARTS_THAT_START_PROGRAMS: [&str; 2] = ["profile::", "recorder::"];

/// The tests in programs of [`OF_EVERY_ISA`] that belong to the others: those turn texts, binaries
/// and tables into others, most of them for all five ISAs on any. Their outcome may depend on the
/// byte order alone, so they run on this machine and on s390x, and so do tests inside of libraries.
const PARTS_OF_BOTH_BYTE_ORDERS: [&str; 3] = [
    "verified::",
    "texts_compile_or_are_refused_in_memory_in_proportion",
    "forged_modules_are_refused_or_compile",
];

/// The variable with the number of random programs of each test, and its value in a quick run: a
/// share of what is usual for the test.
const RANDOM_PROGRAMS: &str = "RANDOM_PROGRAMS";
const FEW_RANDOM_PROGRAMS: &str = "20%";

/// Its value under emulation, where each program takes ten times as long.
const EMULATED_RANDOM_PROGRAMS: &str = "20%";

/// The test programs of the `mir` command. They start it many times, and an emulated process with
/// threads cannot start others reliably (QEMU's forks can deadlock): they are built for this
/// machine and start the emulator.
const OF_COMMAND: [&str; 3] = ["command", "examples", "import"];

/// Those of them that only handle texts.
const OF_COMMAND_ON_TEXTS: [&str; 1] = ["stages"];

/// The tests in [`OF_COMMAND`] that only turn texts, binaries and tables into others. As
/// [`PARTS_OF_BOTH_BYTE_ORDERS`], they run on this machine and on s390x.
const PARTS_OF_COMMAND_ON_TEXTS: [&str; 13] = [
    "builds::",
    "code::",
    "debuggers::llvm_reads",
    "diagnostics::",
    "files::",
    "generic::",
    "lsp::",
    "machine::",
    "many_missing_names",
    "output::",
    "texts::",
    "view::",
    "worker::",
];

/// The tests in [`OF_COMMAND`] that run on this machine alone: those of the subcommands that look
/// at programs and never run them, which only its `mir` has, those of how files are written, and
/// those of threads, a worker and long lists, which take long and know no byte order (the suites
/// `objects` and `image` compare the bytes that s390x makes).
const PARTS_OF_THIS_MACHINE: [&str; 9] = [
    "builds::",
    "code::",
    "files::every_subcommand_has_a_manual_page",
    "files::shells_get_completions_and_people_help",
    "lsp::",
    "many_missing_names",
    "output::",
    "view::",
    "worker::",
];

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
    if std::env::var_os(RANDOM_PROGRAMS).is_none() {
        cargo.env(RANDOM_PROGRAMS, EMULATED_RANDOM_PROGRAMS);
    }
    // Without the package of the command all crates would be built with other features, and again
    // with these for the command itself.
    cargo.args(workspace::features(isa));
    cargo.args(programs(&OF_EVERY_ISA));
    if isa.name() == OTHER_BYTE_ORDER {
        cargo.args(programs(&OF_BOTH_BYTE_ORDERS));
        let counts = add(inside_libraries(isa), counted(&mut cargo));
        return add(counts, of_command(isa));
    }
    cargo.arg("--").args(without(&PARTS_OF_BOTH_BYTE_ORDERS));
    add(counted(&mut cargo), of_command(isa))
}

/// Runs the tests inside of libraries on `isa`.
fn inside_libraries(isa: Isa) -> Counts {
    let mut cargo = test(&["--profile", workspace::SUITE_PROFILE, "--lib"]);
    cargo.args(["--target", isa.triple()]);
    cargo.args(workspace::features(isa));
    for package in OF_TEXTS_ALONE {
        cargo.args(["--exclude", package]);
    }
    cargo.arg("--").args(without(&PARTS_THAT_START_PROGRAMS));
    counted(&mut cargo)
}

/// Returns the arguments of cargo that choose test programs.
fn programs(names: &[&'static str]) -> Vec<&'static str> {
    names.iter().flat_map(|name| ["--test", name]).collect()
}

/// Returns the arguments of test programs that leave tests out.
fn without<'n>(names: &'n [&'static str]) -> impl Iterator<Item = &'static str> + 'n {
    names.iter().flat_map(|name| ["--skip", name])
}

/// Runs the tests of the command, built for `isa`, on this machine.
fn of_command(isa: Isa) -> Counts {
    let program = match runners::build_for_tests(isa) {
        Ok(program) => program,
        Err(message) => return (0, 1, message),
    };
    let mut words = isa.emulation();
    words.push(program.display().to_string());
    let mut cargo = test(&programs(&OF_COMMAND));
    if isa.name() == OTHER_BYTE_ORDER {
        cargo.args(programs(&OF_COMMAND_ON_TEXTS));
        cargo.arg("--").args(without(&PARTS_OF_THIS_MACHINE));
    } else {
        cargo.arg("--").args(without(&PARTS_OF_COMMAND_ON_TEXTS));
    }
    cargo.env("MIR_TEST_COMMAND", words.join("\n"));
    cargo.env("MIR_TEST_ISA", isa.name());
    counted(&mut cargo)
}

/// Returns cargo's command that runs tests of the members, all of them whatever fails.
pub(crate) fn test(arguments: &[&str]) -> Command {
    let mut cargo = workspace::cargo();
    cargo.args(["test", "--quiet", "--no-fail-fast"]);
    cargo.args(workspace::MEMBERS);
    cargo.args(arguments);
    cargo
}

/// Runs the tests of the suites themselves.
pub(crate) fn of_xtask() -> Counts {
    let mut cargo = workspace::cargo();
    counted(cargo.args(["test", "--quiet", "--package", "xtask"]))
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
    workspace::unoptimised(&mut cargo);
    cargo.env("RUSTFLAGS", "-C instrument-coverage --cfg coverage");
    cargo.env("LLVM_PROFILE_FILE", target.join("counts.profraw"));
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
mod tests_of_lists {
    use super::{OF_BOTH_BYTE_ORDERS, OF_COMMAND, OF_COMMAND_ON_TEXTS, OF_EVERY_ISA};
    use crate::workspace;
    use std::collections::BTreeSet;
    use std::path::Path;

    /// The test programs of the command that run on this machine alone.
    const OF_THIS_MACHINE: [&str; 2] = ["diagnostics", "machine"];

    /// Returns the names of the test programs of the workspace.
    fn found() -> BTreeSet<String> {
        let root = workspace::root();
        let entries = |path: &Path| {
            let entries = std::fs::read_dir(path).into_iter().flatten();
            entries
                .filter_map(|entry| Some(entry.ok()?.path()))
                .collect::<Vec<_>>()
        };
        let crates = ["targets", "host-tools"].map(|folder| entries(&root.join(folder)));
        let others = ["mir-nostd", "mir-image", "examples/ebpf"].map(|folder| root.join(folder));
        let crates = crates.into_iter().flatten().chain(others);
        let files = crates.flat_map(|one| entries(&one.join("tests")));
        let is_program = |file: &Path| {
            file.extension().is_some_and(|it| it == "rs") || file.join("main.rs").exists()
        };
        files
            .filter(|file| is_program(file))
            .filter_map(|file| Some(file.file_stem()?.to_str()?.to_owned()))
            .collect()
    }

    #[test]
    fn every_test_program_is_listed() {
        let lists = [
            &OF_EVERY_ISA[..],
            &OF_BOTH_BYTE_ORDERS,
            &OF_COMMAND,
            &OF_COMMAND_ON_TEXTS,
            &OF_THIS_MACHINE,
        ];
        let listed = lists.iter().flat_map(|list| list.iter());
        let listed: BTreeSet<String> = listed.map(|&name| name.to_owned()).collect();
        assert_eq!(listed, found());
    }
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
