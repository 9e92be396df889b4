//! The five ISAs and the facts needed to build for and run each: one row each, from which
//! everything else derives.

use std::path::PathBuf;
use std::process::Command;

use clap::builder::PossibleValue;

/// The emulated ISA on which all tests run: its byte order is the opposite one.
pub(crate) const OTHER_BYTE_ORDER: &str = "s390x";

/// One of the five ISAs, as the number of its row in [`ROWS`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Isa(usize);

struct Row {
    name: &'static str,
    /// Rust's target triple.
    rust: &'static str,
    /// The prefix of the GNU tools, and the directory in `/usr` of the C library for it.
    gnu: &'static str,
    /// Debian's name of the architecture.
    debian: &'static str,
}

/// The host comes first: a failure common to all ISAs shows soonest there.
const ROWS: [Row; 5] = [
    Row {
        name: "x86_64",
        rust: "x86_64-unknown-linux-gnu",
        gnu: "x86_64-linux-gnu",
        debian: "amd64",
    },
    Row {
        name: "aarch64",
        rust: "aarch64-unknown-linux-gnu",
        gnu: "aarch64-linux-gnu",
        debian: "arm64",
    },
    Row {
        name: "ppc64le",
        rust: "powerpc64le-unknown-linux-gnu",
        gnu: "powerpc64le-linux-gnu",
        debian: "ppc64el",
    },
    Row {
        name: "riscv64",
        rust: "riscv64gc-unknown-linux-gnu",
        gnu: "riscv64-linux-gnu",
        debian: "riscv64",
    },
    Row {
        name: "s390x",
        rust: "s390x-unknown-linux-gnu",
        gnu: "s390x-linux-gnu",
        debian: "s390x",
    },
];

/// A processor with instructions beyond the base of its ISA.
#[derive(Clone, Copy)]
pub(crate) struct Cpu {
    /// Its name for `--cpu` and QEMU.
    pub(crate) name: &'static str,
    /// QEMU's name of a processor without those instructions.
    pub(crate) without: &'static str,
    /// The options of LLVM for the same code.
    pub(crate) llvm: &'static [&'static str],
    /// The program, of the corpus or of `filetests/objects`, that uses those instructions.
    pub(crate) needed_by: &'static str,
}

const NEOVERSE_N1: Cpu = Cpu {
    name: "neoverse-n1",
    without: "cortex-a72",
    llvm: &["-mcpu=neoverse-n1"],
    needed_by: "atomics",
};

/// Calls preserve the TOC pointer, as they do for the base of the ISA.
const POWER10: Cpu = Cpu {
    name: "power10",
    without: "power9",
    llvm: &["-mcpu=pwr10", "-mattr=-pcrelative-memops"],
    needed_by: "nbody",
};

impl Isa {
    /// Returns the processors that code is generated for beside the base of the ISA.
    pub(crate) fn cpus(self) -> &'static [Cpu] {
        match self.name() {
            "aarch64" => &[NEOVERSE_N1],
            "ppc64le" => &[POWER10],
            _ => &[],
        }
    }

    /// Returns all five.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..ROWS.len()).map(Self)
    }

    fn row(self) -> &'static Row {
        &ROWS[self.0]
    }

    /// Returns the name used everywhere in the project.
    pub(crate) fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns its place among all.
    pub(crate) fn place(self) -> usize {
        self.0
    }

    /// Returns Rust's target triple.
    pub(crate) fn triple(self) -> &'static str {
        self.row().rust
    }

    /// True if this machine is of this ISA, so that neither cross compiler nor QEMU is needed.
    pub(crate) fn is_host(self) -> bool {
        let arch = match std::env::consts::ARCH {
            "powerpc64" => "ppc64le",
            arch => arch,
        };
        self.name() == arch
    }

    /// Returns the C compiler that links for this ISA.
    pub(crate) fn gcc(self) -> String {
        format!("{}-gcc", self.row().gnu)
    }

    /// Returns a tool of GNU's binutils for this ISA.
    pub(crate) fn binutil(self, name: &str) -> String {
        format!("{}-{name}", self.row().gnu)
    }

    /// Returns the C++ compiler for this ISA.
    pub(crate) fn gxx(self) -> String {
        format!("{}-g++", self.row().gnu)
    }

    /// Returns the directory of the C library for this ISA on a machine of another ISA.
    pub(crate) fn sysroot(self) -> PathBuf {
        PathBuf::from("/usr").join(self.row().gnu)
    }

    /// Returns the emulator of programs of this ISA.
    pub(crate) fn qemu(self) -> String {
        format!("qemu-{}-static", self.name())
    }

    /// Returns Debian's packages with the cross compiler, the C library, and the runtime of C++.
    pub(crate) fn cross_packages(self) -> [String; 3] {
        let row = self.row();
        [
            format!("gcc-{}", row.gnu.replace('_', "-")),
            format!("libc6-dev-{}-cross", row.debian),
            format!("libstdc++6-{}-cross", row.debian),
        ]
    }

    /// Returns Debian's package with the tools of GNU's binutils.
    pub(crate) fn binutils_package(self) -> String {
        format!("binutils-{}", self.row().gnu.replace('_', "-"))
    }

    /// Returns the words that must come before a program of this ISA to run it here; none on the
    /// host.
    pub(crate) fn emulation(self) -> Vec<String> {
        if self.is_host() {
            return Vec::new();
        }
        vec![
            self.qemu(),
            "-L".into(),
            self.sysroot().display().to_string(),
        ]
    }

    /// Returns a command that runs a program of this ISA.
    pub(crate) fn command(self, program: &std::path::Path) -> Command {
        let mut words = self.emulation().into_iter();
        let Some(first) = words.next() else {
            return Command::new(program);
        };
        let mut command = Command::new(first);
        command.args(words).arg(program);
        command
    }
}

impl clap::ValueEnum for Isa {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [Isa; 5] = [Isa(0), Isa(1), Isa(2), Isa(3), Isa(4)];
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()))
    }
}
