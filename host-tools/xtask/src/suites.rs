//! The suites of `cargo xtask test`: checks of the host, then for each ISA its tests and its corpus.

use core::time::Duration;
use std::process::Command;

use crate::ahead;
use crate::capi;
use crate::command::{self, Outcome};
use crate::corpus;
use crate::import;
use crate::isa::Isa;
use crate::kernel::{self, Image, Machine};
use crate::levels;
use crate::miri;
use crate::report::Report;
use crate::runners;
use crate::setup;
use crate::workspace;

const LIMIT: Duration = Duration::from_secs(30 * 60);
/// Lines of a failed suite's output that are shown.
const SHOWN_LINES: usize = 120;

/// Sets up and runs everything on `isas`, or `only` the suites of these names; with `ci` the checks of format, lints and
/// documentation too, and what was built for an ISA goes when its suites are through: the disk holds one ISA at a time.
///
/// # Errors
/// What could not be installed, or how many tests failed.
pub(crate) fn run(isas: &[Isa], ci: bool, only: Vec<String>) -> Result<(), String> {
    let names: Vec<&str> = isas.iter().map(|isa| isa.name()).collect();
    println!(
        "needs: Rust targets, gcc, C library, qemu-user-static and qemu-system for {}",
        names.join(" ")
    );
    setup::ensure(isas)?;
    setup::ensure_kernels(isas)?;
    let mut report = Report::of(only);
    if ci {
        checks(&mut report);
    }
    report.suite("none", "no_std", bare_builds);
    for isa in isas {
        report.suite(isa.name(), "tests", || tests(*isa));
        report.suite(isa.name(), "handlers", || handlers(*isa));
        report.suite(isa.name(), "corpus", || match runners::build(*isa) {
            Ok(mir) => corpus::run(*isa, &mir),
            Err(message) => (0, 1, message),
        });
        report.suite(isa.name(), "objects", || ahead::objects(*isa));
        report.suite(isa.name(), "llvm", || ahead::llvm(*isa));
        report.suite(isa.name(), "import", || import::run(*isa));
        report.suite(isa.name(), "capi", || capi::run(*isa));
        report.suite(isa.name(), "kernel", || kernel::tests(*isa, Image::Full));
        if isa.name() == "riscv64" {
            report.suite(isa.name(), "size", || {
                kernel::tests(*isa, Image::Interpreter)
            });
        }
        if Machine::of(*isa).soft_float.is_some() {
            report.suite(isa.name(), "soft-float", || {
                kernel::tests(*isa, Image::SoftFloat)
            });
        }
        if ci && !isa.is_host() {
            workspace::forget_builds(isa.triple());
        }
    }
    report.suite("host", "libc", libc);
    report.suite("host", "examples", examples);
    report.suite("host", "levels", levels::run);
    match report.is_asked_for("miri").then(miri::is_ready) {
        Some(Err(reason)) => report.leave_out("host", "miri", &reason),
        _ => report.suite("host", "miri", miri::suite),
    }
    report.finish()
}

/// Format, lints and documentation, without a warning each.
fn checks(report: &mut Report) {
    let lints = [
        "clippy",
        "--quiet",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ];
    let docs = ["doc", "--quiet", "--workspace", "--no-deps"];
    let steps: [(&str, &[&str]); 3] = [
        ("format", &["fmt", "--all", "--check"]),
        ("lints", &lints),
        ("docs", &docs),
    ];
    for (name, arguments) in steps {
        report.suite("host", name, || {
            let mut cargo = workspace::cargo();
            verdict(&command::run(
                cargo.args(arguments).env("RUSTDOCFLAGS", "-D warnings"),
                LIMIT,
            ))
        });
    }
    report.suite("none", "kernels", kernel_checks);
}

/// Format and lints of the kernels, which are a workspace of their own.
fn kernel_checks() -> (usize, usize, String) {
    let format = ["fmt", "--all", "--check"];
    let lints = [
        "clippy",
        "--quiet",
        "--release",
        "--target",
        setup::BARE_TARGETS[0].0,
        "--",
        "-D",
        "warnings",
    ];
    let run = |arguments: &[&str]| {
        let mut cargo = workspace::cargo();
        cargo.current_dir(workspace::root().join("qemu-tests"));
        verdict(&command::run(cargo.args(arguments), LIMIT))
    };
    let [(good, bad, shown), (more, worse, also)] = [run(&format), run(&lints)];
    (good + more, bad + worse, shown + &also)
}

/// The runtime crates built where there is no standard library, and where there are no floating registers.
fn bare_builds() -> (usize, usize, String) {
    let (mut passed, mut failed, mut details) = (0, 0, String::new());
    for (triple, isas) in setup::BARE_TARGETS {
        for features in [&[][..], &["--no-default-features"]] {
            let mut cargo = workspace::cargo();
            cargo
                .args(["build", "--quiet", "--target", triple])
                .args(features);
            cargo.args(["--package", "mir-nostd"]);
            for isa in Isa::all().filter(|isa| isas.is_empty() || isas.contains(&isa.name())) {
                cargo.arg("--package").arg(format!("target-{}", isa.name()));
            }
            let outcome = command::run(&mut cargo, LIMIT);
            if outcome.success {
                passed += 1;
            } else {
                failed += 1;
                details += &shortened(&outcome);
            }
        }
    }
    (passed, failed, details)
}

/// All tests of the workspace on `isa`; those of the documentation on the host alone.
fn tests(isa: Isa) -> (usize, usize, String) {
    let mut cargo = workspace::cargo();
    cargo.args([
        "test",
        "--quiet",
        "--workspace",
        "--exclude",
        "xtask",
        "--no-fail-fast",
    ]);
    if !isa.is_host() {
        cargo.args(["--lib", "--bins", "--tests", "--target", isa.triple()]);
        // Emulation makes unoptimised tests so slow that optimising pays, cold and warm (measured: 100 s against 79 s cold).
        cargo.env("CARGO_PROFILE_DEV_OPT_LEVEL", "1");
    }
    counted(&mut cargo)
}

/// The interpreter's tests on `isa` in an optimised build without assertions, where its operations end in jumps to the
/// next one, but for ppc64le: a small native stack shows that none of them is a call.
fn handlers(isa: Isa) -> (usize, usize, String) {
    let mut cargo = workspace::cargo();
    cargo.args([
        "test",
        "--quiet",
        "--package",
        "mir-nostd",
        "--test",
        "interp",
    ]);
    if !isa.is_host() {
        cargo.args(["--target", isa.triple()]);
    }
    cargo.env("CARGO_PROFILE_DEV_OPT_LEVEL", "2");
    cargo.env("CARGO_PROFILE_DEV_DEBUG_ASSERTIONS", "false");
    counted(&mut cargo)
}

/// Runs tests and counts them.
pub(crate) fn counted(cargo: &mut Command) -> (usize, usize, String) {
    let outcome = command::run(cargo, LIMIT);
    let (passed, failed) = count(&outcome.text());
    if outcome.success || failed > 0 {
        (passed, failed, shortened(&outcome))
    } else {
        (passed, 1, shortened(&outcome))
    }
}

/// Adds up the lines in which each test program says what passed and failed.
fn count(output: &str) -> (usize, usize) {
    let results = output
        .lines()
        .filter(|line| line.starts_with("test result:"));
    let number = |line: &str, what: &str| -> usize {
        let before = line.split(what).next().unwrap_or_default();
        before
            .rsplit([' ', '.'])
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

/// What one of the programs of `examples/` must give.
struct Example {
    arguments: &'static [&'static str],
    status: i32,
    stdout: &'static str,
}

const EXAMPLES: [Example; 5] = [
    Example {
        arguments: &["--manifest-path", "examples/embed/Cargo.toml"],
        status: 0,
        stdout: "primes",
    },
    Example {
        arguments: &["--", "run", "examples/sieve.mir"],
        status: 0,
        stdout: "sieve (10) = 123814\n",
    },
    Example {
        arguments: &["--", "run", "examples/block-arguments.mir"],
        status: 66,
        stdout: "",
    },
    Example {
        arguments: &["--", "run", "examples/import/words.ll"],
        status: 0,
        stdout: "16 words, 3.88 letters each\n",
    },
    Example {
        arguments: &["--", "run", "examples/import/shapes.ll"],
        status: 0,
        stdout: "fibonacci(150) = 9969216677189303386214405760200\n",
    },
];

/// The programs of `examples/`, as the README and their own pages say to run them.
fn examples() -> (usize, usize, String) {
    let (mut passed, mut details) = (0, String::new());
    for example in &EXAMPLES {
        let mut cargo = workspace::cargo();
        cargo.args(["run", "--quiet", "--release"]);
        let outcome = command::run(cargo.args(example.arguments), LIMIT);
        if outcome.status == Some(example.status) && outcome.text().contains(example.stdout) {
            passed += 1;
        } else {
            details += &shortened(&outcome);
        }
    }
    (passed, EXAMPLES.len() - passed, details)
}

/// The C library of the kernels against the host's.
fn libc() -> (usize, usize, String) {
    let mut cargo = workspace::cargo();
    cargo.args(["test", "--quiet", "--package", "kernel-libc"]);
    cargo.args(["--manifest-path", "qemu-tests/Cargo.toml"]);
    let outcome = command::run(&mut cargo, LIMIT);
    let (passed, failed) = count(&outcome.text());
    let broken = usize::from(!outcome.success && failed == 0);
    (passed, failed + broken, shortened(&outcome))
}

fn verdict(outcome: &Outcome) -> (usize, usize, String) {
    let passed = usize::from(outcome.success);
    (passed, 1 - passed, shortened(outcome))
}

/// The end of what a program printed, where failures are, without what passed.
fn shortened(outcome: &Outcome) -> String {
    let all = format!("{}{}", outcome.text(), outcome.stderr);
    let passed = |line: &str| {
        let line = line.trim();
        line.is_empty()
            || line.ends_with("... ok")
            || line.starts_with("running ")
            || line.starts_with("test result: ok")
    };
    let lines: Vec<&str> = all.lines().filter(|line| !passed(line)).collect();
    let start = lines.len().saturating_sub(SHOWN_LINES);
    lines[start..]
        .iter()
        .map(|line| format!("    {line}\n"))
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_of_test_programs_add_up() {
        let output = "running 3 tests\n\
                      test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
                      test result: FAILED. 40 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out\n";
        assert_eq!(super::count(output), (43, 2));
        assert_eq!(super::count("error: could not compile"), (0, 0));
    }
}
