//! The application of `examples/uefi`, built for three ISAs and booted under the UEFI of each: a
//! program of the corpus prints the same there, before and after the firmware's boot services end.

use core::time::Duration;
use std::fs;
use std::path::Path;

use crate::command;
use crate::examples;
use crate::isa::Isa;
use crate::report::{Counts, shortened};
use crate::runners;
use crate::setup;
use crate::workspace;

const LIMIT: Duration = Duration::from_secs(10 * 60);

/// The firmware of an ISA.
struct Firmware {
    isa: &'static str,
    /// Rust's target triple of the application.
    triple: &'static str,
    /// The file, and Debian's package that it is in.
    file: &'static str,
    package: &'static str,
}

const FIRMWARE: [Firmware; 3] = [
    Firmware {
        isa: "aarch64",
        triple: "aarch64-unknown-uefi",
        file: "/usr/share/qemu-efi-aarch64/QEMU_EFI.fd",
        package: "qemu-efi-aarch64",
    },
    Firmware {
        isa: "riscv64",
        triple: "riscv64gc-unknown-none-elf",
        file: "/usr/lib/u-boot/qemu-riscv64_smode/uboot.elf",
        package: "u-boot-qemu",
    },
    Firmware {
        isa: "x86_64",
        triple: "x86_64-unknown-uefi",
        file: "/usr/share/ovmf/OVMF.fd",
        package: "ovmf",
    },
];

/// The program: it computes with floats, takes memory of the C library, and prints.
const PROGRAM: &str = "fft";

/// The lines with which the application announces each run of the program.
const TIMES: [&str; 3] = [
    "before ExitBootServices",
    "after ExitBootServices, compiled before",
    "after ExitBootServices, compiled after",
];

/// Installs what is missing.
///
/// # Errors
/// Says what could not be installed.
pub(crate) fn is_ready() -> Result<(), String> {
    let isas: Vec<Isa> = { Isa::all() }
        .filter(|isa| FIRMWARE.iter().any(|firmware| firmware.isa == isa.name()))
        .collect();
    setup::ensure_kernels(&isas)?;
    setup::ensure_bare(&FIRMWARE.map(|firmware| firmware.triple), &|| {
        let missing = FIRMWARE
            .iter()
            .filter(|firmware| !Path::new(firmware.file).exists());
        missing.map(|firmware| firmware.package.into()).collect()
    })
}

/// Builds and boots all.
pub(crate) fn run() -> Counts {
    let (mut passed, mut details) = (0, String::new());
    for firmware in &FIRMWARE {
        match boot(firmware) {
            Ok(()) => passed += 1,
            Err(message) => details += &message,
        }
    }
    (passed, FIRMWARE.len() - passed, details)
}

/// Boots the application under a firmware, and compares what it prints to the end: a firmware that
/// goes on would have more to say.
fn boot(firmware: &Firmware) -> Result<(), String> {
    let &Firmware { isa, triple, .. } = firmware;
    let host = Isa::all().find(|isa| isa.is_host());
    let mir = runners::build_for_tests(host.ok_or("this machine is none of the ISAs")?)?;
    let corpus = workspace::root().join("corpus");
    let mut cargo = workspace::cargo();
    cargo.current_dir(workspace::root().join("examples/uefi"));
    cargo.args(["run", "--quiet", "--release", "--target", triple]);
    cargo.envs(examples::QUICKLY).env("MIR", mir);
    let program = corpus.join("bmir").join(isa).join(PROGRAM);
    cargo.env("PROGRAM", program.with_extension("bmir"));
    let expected = corpus.join("expected").join(PROGRAM).with_extension("txt");
    let expected = fs::read_to_string(expected).map_err(|error| error.to_string())?;
    let outcome = command::run(&mut cargo, LIMIT);
    let times = TIMES.map(|time| format!("{time}:\n{expected}"));
    let wanted = format!("{}end\n", times.concat());
    let said = outcome.text().replace('\r', "");
    match outcome.success && said.ends_with(&wanted) && said.contains("code: pages") {
        true => Ok(()),
        false => Err(format!("    {isa}:\n{}", shortened(&outcome))),
    }
}
