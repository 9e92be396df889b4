//! The programs of `examples/`, run as the README and their own pages say.

use core::time::Duration;

use crate::command;
use crate::isa::Isa;
use crate::plugin;
use crate::report::{Counts, shortened};
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

const EXAMPLES: [Example; 11] = [
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
    of_command(&["run", "examples/sieve.mir"], 0, "sieve (10) = 123814\n"),
    of_command(&["run", "examples/block-arguments.mir"], 66, ""),
    of_command(
        &["run", "examples/import/words.ll"],
        0,
        "16 words, 3.88 letters each\n",
    ),
    of_command(
        &["run", "examples/import/shapes.ll"],
        0,
        "fibonacci(150) = 9969216677189303386214405760200\n",
    ),
];

const fn of_command(
    arguments: &'static [&'static str],
    status: i32,
    stdout: &'static str,
) -> Example {
    Example {
        folder: "",
        arguments,
        status,
        stdout,
    }
}

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

/// The settings of release builds here: what the examples do is seen without optimisation of the
/// whole program, which takes most of the time that the builds of small programs take.
pub(crate) const QUICKLY: [(&str, &str); 3] = [
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1"),
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
];

/// Runs them all. The command is built in the profile of the suites, which takes a fraction of the
/// time.
pub(crate) fn run() -> Counts {
    let (mut passed, mut details) = (0, String::new());
    let booted: Vec<Isa> = { Isa::all() }
        .filter(|isa| ["x86_64", "riscv64"].contains(&isa.name()))
        .collect();
    for ready in [setup::ensure_kernels(&booted), plugin::check()] {
        match ready {
            Ok(()) => passed += 1,
            Err(message) => details += &message,
        }
    }
    for example in &EXAMPLES {
        let mut cargo = workspace::cargo();
        cargo.current_dir(workspace::root().join(example.folder));
        cargo.args(["run", "--quiet"]).envs(QUICKLY);
        if example.arguments.first() == Some(&"run") {
            cargo.args(["--profile", workspace::SUITE_PROFILE, "--"]);
        }
        let outcome = command::run(cargo.args(example.arguments), LIMIT);
        if outcome.status == Some(example.status) && outcome.text().contains(example.stdout) {
            passed += 1;
        } else {
            details += &shortened(&outcome);
        }
    }
    (passed, EXAMPLES.len() + 2 - passed, details)
}
