//! Set-up, tests and runners of the project: `cargo xtask --help`.
//!
//! Everything that a fresh machine needs beyond cargo and gcc is found and installed here, or named
//! in one line.

mod ahead;
mod build_systems;
mod capi;
mod checks;
mod command;
mod corpus;
mod coverage;
mod examples;
mod fuzz;
mod handlers;
mod header;
mod images;
mod import;
mod install;
mod install_capi;
mod isa;
mod kernel;
mod last_uses;
mod levels;
mod libc;
mod miri;
mod mutants;
mod parallel;
mod plugin;
mod programs;
mod remote;
mod report;
mod rooms;
mod runners;
mod setup;
mod suites;
mod tests;
mod tool;
mod uefi;
mod unikernel;
mod workspace;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use isa::Isa;
use suites::{Depth, Suite};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Set-up, tests and runners of mir-nostd")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Install what tests and runners need: Rust targets, cross compilers, QEMU
    Setup {
        #[command(flatten)]
        isas: Isas,
    },
    /// Run the tests on every ISA, installing first what is missing
    Test {
        #[command(flatten)]
        isas: Isas,
        /// Run everything, as .ci/run does: format, lints, documentation, and all suites at full
        /// depth
        #[arg(long)]
        full: bool,
        /// Only this suite (may be given several times)
        #[arg(long = "suite", value_name = "SUITE", value_enum)]
        suites: Vec<Suite>,
    },
    /// Boot a bare kernel under QEMU, with a program to run in it, and show its console
    Kernel {
        isa: Isa,
        /// A program, as text or binary; it may import the console and the C functions of
        /// qemu-tests/libc
        program: Option<PathBuf>,
        /// Run every program that the tests run
        #[arg(long, conflicts_with = "program")]
        all: bool,
        /// The kernel that is built without floating registers (`x86_64`)
        #[arg(long)]
        soft_float: bool,
        /// The smallest kernel, built for size: it runs binary programs by interpretation and
        /// nothing else
        #[arg(long, conflicts_with = "soft_float")]
        interpreter: bool,
    },
    /// Run the runtime's tests under Miri: both models of what references allow, and a big-endian
    /// machine
    Miri,
    /// Build `mir` for the other ISAs, for `mir run --on ISA`
    Runners {
        #[command(flatten)]
        isas: Isas,
        /// Put them where the `mir` of `cargo xtask install --prefix` looks, or that of `cargo
        /// install --root`; without it, where target/release/mir does
        #[arg(long)]
        prefix: Option<PathBuf>,
    },
    /// Build `mir` and install it with manual pages and completions
    Install(install::Args),
    /// Check the arrows between the rooms of the runtime, and that its files have no cycles
    Rooms,
    /// Make host-tools/mir-libc/libc.mir anew from its C files, with clang-22
    Libc,
    /// Build the C library and install it with its header, and for pkg-config and CMake
    InstallCapi(install_capi::Args),
    /// Make the header of the C interface anew from its Rust side
    Header,
    /// Make the programs of examples/plugin anew from their C files, with clang-22
    Plugin,
    /// Run real programs in every way beside what gcc and rustc make of them, and print a table
    Programs(programs::Args),
    /// Run a farm on this machine: a remote execution service with two workers, 1,000 programs
    Remote,
    /// Run a fuzz target, seeded from the repository's programs
    Fuzz(fuzz::Args),
    /// Show which lines and branches of each room the native tests run
    Coverage(coverage::Args),
    /// Change a room in many small ways, each of which the native tests must notice
    Mutants(mutants::Args),
}

#[derive(clap::Args)]
struct Isas {
    /// Only this ISA (may be given several times); all five without it
    #[arg(long = "isa", value_name = "ISA")]
    chosen: Vec<Isa>,
}

impl Isas {
    fn list(&self) -> Vec<Isa> {
        Isa::all()
            .filter(|isa| self.chosen.is_empty() || self.chosen.contains(isa))
            .collect()
    }
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().task {
        Task::Setup { isas } => {
            setup::ensure(&isas.list()).and_then(|()| setup::ensure_kernels(&isas.list()))
        }
        Task::Test { isas, full, suites } => {
            let depth = if full { Depth::Full } else { Depth::Quick };
            suites::run(&isas.list(), depth, &suites)
        }
        Task::Kernel {
            isa,
            program,
            all,
            soft_float,
            interpreter,
        } => {
            let image = match (soft_float, interpreter) {
                (true, _) => kernel::Image::SoftFloat,
                (_, true) => kernel::Image::Interpreter,
                _ => kernel::Image::Full,
            };
            kernel::show(isa, image, program.as_deref(), all)
        }
        Task::Miri => miri::run_all(),
        Task::Runners { isas, prefix } => {
            let directory = prefix.as_deref().map(install::runners_of);
            runners::build_all(&isas.list(), directory.as_deref())
        }
        Task::Install(args) => install::run(&args),
        Task::Rooms => rooms::show(),
        Task::Libc => libc::write(),
        Task::InstallCapi(args) => install_capi::run(&args),
        Task::Header => header::write(),
        Task::Plugin => plugin::write(),
        Task::Programs(args) => programs::run(&args),
        Task::Remote => remote::run(),
        Task::Fuzz(args) => fuzz::run(&args),
        Task::Coverage(args) => coverage::run(&args),
        Task::Mutants(args) => mutants::run(&args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
