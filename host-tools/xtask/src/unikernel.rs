//! The application of `examples/unikernel`, built for three ISAs and booted on two processors of
//! each: its programs do the same everywhere.

use core::time::Duration;

use crate::command;
use crate::examples;
use crate::isa::Isa;
use crate::report::{Counts, shortened};
use crate::setup;
use crate::workspace;

const BUILD_LIMIT: Duration = Duration::from_secs(15 * 60);
const BOOT_LIMIT: Duration = Duration::from_secs(2 * 60);

/// The ISAs, each with the target of Rust that the unikernel is built for.
const TARGETS: [(&str, &str); 3] = [
    ("aarch64", "aarch64-unknown-none-softfloat"),
    ("riscv64", "riscv64gc-unknown-none-elf"),
    ("x86_64", "x86_64-unknown-none"),
];

/// The text that the application says, but for the numbers of bytes.
const EXPECTED: &str = "\
at the start: 0 bytes of heap, 0 of pages for code, # of page tables
primes: 1 functions compiled
processor 0: 1229 primes
processor 1: 1229 primes
2 processors met halfway
with primes: # bytes of heap, # of pages for code, # of page tables
hostile: stopped: in `sum`, instruction 1: access at address 0x11000 outside of its memory
with hostile: # bytes of heap, # of pages for code, # of page tables
hostile gave everything back: true
the unikernel goes on
";

fn isas() -> impl Iterator<Item = Isa> {
    Isa::all().filter(|isa| TARGETS.iter().any(|(name, _)| *name == isa.name()))
}

/// Installs what is missing.
///
/// # Errors
/// Says what could not be installed.
pub(crate) fn is_ready() -> Result<(), String> {
    setup::ensure_kernels(&isas().collect::<Vec<_>>())?;
    setup::ensure_bare(&TARGETS.map(|(_, triple)| triple), &|| {
        let is_missing = |isa: &Isa| !setup::is_installed(&isa.binutil("objcopy"));
        isas()
            .filter(is_missing)
            .map(Isa::binutils_package)
            .collect()
    })
}

/// Builds and boots all.
pub(crate) fn run() -> Counts {
    let (mut passed, mut details) = (0, String::new());
    for (isa, _) in TARGETS {
        match boot(isa) {
            Ok(()) => passed += 1,
            Err(message) => details += &message,
        }
    }
    (passed, TARGETS.len() - passed, details)
}

/// Boots the application on an ISA, and compares what it says.
fn boot(isa: &str) -> Result<(), String> {
    let cargo = |command: &str| {
        let mut cargo = workspace::cargo();
        cargo.current_dir(workspace::root().join("examples/unikernel"));
        cargo.args([command, "--quiet", "--release", "--config"]);
        cargo.arg(format!("machines/{isa}.toml"));
        cargo.envs(examples::QUICKLY);
        cargo
    };
    command::succeed(&mut cargo("build"), BUILD_LIMIT)?;
    let outcome = command::run(&mut cargo("run"), BOOT_LIMIT);
    let said = outcome.text().replace('\r', "");
    let start = said.find("at the start:").unwrap_or(said.len());
    match outcome.success && without_sizes(&said[start..]) == EXPECTED {
        true => Ok(()),
        false => Err(format!("    {isa}:\n{}", shortened(&outcome))),
    }
}

/// Returns the lines with `#` for each size but 0: they depend on the ISA.
fn without_sizes(text: &str) -> String {
    let is_size = |word: &str| word != "0" && word.bytes().all(|byte| byte.is_ascii_digit());
    let lines = text.lines().map(|line| {
        let has_sizes = line.contains("of pages for code");
        let shown = |word| match has_sizes && is_size(word) {
            true => "#",
            false => word,
        };
        line.split(' ').map(shown).collect::<Vec<_>>().join(" ") + "\n"
    });
    lines.collect()
}
