//! The programs of `examples/`, run as the README and their own pages say.

use core::time::Duration;
use std::process::Command;

use crate::command;
use crate::isa::Isa;
use crate::plugin;
use crate::report::{Counts, add, shortened};
use crate::runners;
use crate::setup;
use crate::workspace;

const LIMIT: Duration = Duration::from_secs(30 * 60);

/// A `cargo run` command and the result that the documents promise.
struct Example {
    /// The folder that it runs in.
    folder: &'static str,
    arguments: &'static [&'static str],
    status: i32,
    stdout: &'static str,
}

const EXAMPLES: [Example; 7] = [
    Example {
        folder: "",
        arguments: &["--release", "--manifest-path", "examples/embed/Cargo.toml"],
        status: 0,
        stdout: "primes",
    },
    Example {
        folder: "examples/jit",
        arguments: &[],
        status: 0,
        stdout: "the sum is 385\nthe sum is 338350\ncompiled: 338350\n",
    },
    of_kernel(&["--release", "--target", "riscv64imac-unknown-none-elf"]),
    of_kernel(&["--release", "--target", "x86_64-unknown-none"]),
    of_plugin(&["--target", "riscv64imac-unknown-none-elf"]),
    of_plugin(&["--target", "x86_64-unknown-none"]),
    Example {
        folder: "",
        arguments: &["--profile", workspace::SUITE_PROFILE, "--example", "ebpf"],
        status: 0,
        stdout: "compiled at levels 0 to 3: the same",
    },
];

/// Programs that `mir` runs, and the status and the output that the documents promise.
const PROGRAMS: [(&str, i32, &str); 4] = [
    ("examples/sieve.mir", 0, "sieve (10) = 123814\n"),
    ("examples/block-arguments.mir", 66, ""),
    (
        "examples/import/words.ll",
        0,
        "16 words, 3.88 letters each\n",
    ),
    (
        "examples/import/shapes.ll",
        0,
        "fibonacci(150) = 9969216677189303386214405760200\n",
    ),
];

/// Returns the kernel of `examples/kernel`, which boots under QEMU.
const fn of_kernel(arguments: &'static [&'static str]) -> Example {
    Example {
        folder: "examples/kernel",
        arguments,
        status: 0,
        stdout: "the largest is 9973\n1229 primes\n",
    }
}

/// Returns the kernel of `examples/plugin`, which boots under QEMU.
const fn of_plugin(arguments: &'static [&'static str]) -> Example {
    Example {
        folder: "examples/plugin",
        arguments,
        status: 0,
        stdout: "words.bmir: 9 words
hostile.bmir: stopped: access at address 0x100000 outside of its memory
the kernel goes on
",
    }
}

/// The settings of release builds here: the examples run for seconds at most, so none pays for
/// optimisation.
pub(crate) const QUICKLY: [(&str, &str); 3] = [
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0"),
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
];

/// Runs them all.
pub(crate) fn run() -> Counts {
    let booted: Vec<Isa> = { Isa::all() }
        .filter(|isa| ["x86_64", "riscv64"].contains(&isa.name()))
        .collect();
    let ready = [setup::ensure_kernels(&booted), plugin::check()];
    let ready = ready.into_iter().map(|ready| match ready {
        Ok(()) => (1, 0, String::new()),
        Err(message) => (0, 1, message),
    });
    let examples = EXAMPLES.iter().map(|example| {
        let mut cargo = workspace::cargo();
        cargo.current_dir(workspace::root().join(example.folder));
        cargo.args(["run", "--quiet"]).envs(QUICKLY);
        judge(
            cargo.args(example.arguments),
            example.status,
            example.stdout,
        )
    });
    let counts = ready.chain(examples).fold((0, 0, String::new()), add);
    add(counts, programs())
}

/// Runs the programs of Medium IR and LLVM IR with the command that other suites build too.
fn programs() -> Counts {
    let Some(host) = Isa::all().find(|isa| isa.is_host()) else {
        return (0, 1, "no command for this machine\n".into());
    };
    let mir = match runners::build_for_tests(host) {
        Ok(mir) => mir,
        Err(message) => return (0, 1, message),
    };
    let runs = PROGRAMS.iter().map(|&(file, status, stdout)| {
        let mut command = Command::new(&mir);
        command.current_dir(workspace::root()).args(["run", file]);
        judge(&mut command, status, stdout)
    });
    runs.fold((0, 0, String::new()), add)
}

/// Returns whether a program ends with this status and prints this among other things.
fn judge(program: &mut Command, status: i32, stdout: &str) -> Counts {
    let outcome = command::run(program, LIMIT);
    match outcome.status == Some(status) && outcome.text().contains(stdout) {
        true => (1, 0, String::new()),
        false => (0, 1, shortened(&outcome)),
    }
}
