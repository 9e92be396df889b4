//! The requirements of a machine beyond cargo and gcc: checked, and installed where that is
//! allowed.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::isa::Isa;
use crate::kernel::Machine;

/// A target on which the `no_std` crates are checked.
pub(crate) struct BareTarget {
    pub(crate) triple: &'static str,
    /// The ISAs whose backends are checked there; all, if none is named.
    pub(crate) isas: &'static [&'static str],
    /// The features with which the crates are checked, each by the arguments that ask for them.
    pub(crate) features: &'static [&'static [&'static str]],
}

const ALL_FEATURES: &[&str] = &[];
const NO_FEATURES: &[&str] = &["--no-default-features"];

/// The targets on which the `no_std` crates are checked. They have no standard library, and all but
/// the first no floating-point registers either: there the features make no difference, and kernels
/// of other suites are built with the others for all but aarch64.
pub(crate) const BARE_TARGETS: [BareTarget; 4] = [
    BareTarget {
        triple: "riscv64gc-unknown-none-elf",
        isas: &[],
        features: &[ALL_FEATURES, NO_FEATURES],
    },
    BareTarget {
        triple: "riscv64imac-unknown-none-elf",
        isas: &["riscv64"],
        features: &[NO_FEATURES],
    },
    BareTarget {
        triple: "aarch64-unknown-none-softfloat",
        isas: &["aarch64"],
        features: &[ALL_FEATURES],
    },
    BareTarget {
        triple: "x86_64-unknown-none",
        isas: &["x86_64"],
        features: &[NO_FEATURES],
    },
];

/// Installs the requirements of `isas` that this machine lacks.
///
/// # Errors
/// Says in one line what to install, if that may not or cannot be done from here.
pub(crate) fn ensure(isas: &[Isa]) -> Result<(), String> {
    ensure_rust_targets(isas)?;
    ensure_packages(isas)?;
    offer_llvm();
    Ok(())
}

/// Installs LLVM, which judges the reading and writing of its Machine IR. Not every system has this
/// version; tests that compare with it do nothing where it is missing.
fn offer_llvm() {
    let missing = || {
        let needed = (!is_installed("llc-22")).then(|| "llvm-22".to_string());
        needed.into_iter().collect()
    };
    if let Err(message) = install_packages(&missing) {
        println!("without comparison with LLVM: {message}");
    }
}

/// Installs the requirements for building and booting the kernels of `isas` that this machine
/// lacks.
///
/// # Errors
/// As [`ensure`].
pub(crate) fn ensure_kernels(isas: &[Isa]) -> Result<(), String> {
    let machines = || isas.iter().map(|isa| Machine::of(*isa));
    let missing = || {
        let missing = machines().filter(|machine| !is_installed(machine.emulator));
        let mut packages: Vec<String> = missing.map(|machine| machine.package.into()).collect();
        packages.dedup();
        packages
    };
    let triples = machines().flat_map(|machine| [Some(machine.triple), machine.soft_float]);
    add_rust_targets(triples.flatten())?;
    install_packages(&missing)
}

/// Installs what programs without an operating system need beside emulators: Rust's targets, and
/// the packages that `missing` names.
///
/// # Errors
/// As [`ensure`].
pub(crate) fn ensure_bare(
    triples: &[&'static str],
    missing: &dyn Fn() -> Vec<String>,
) -> Result<(), String> {
    add_rust_targets(triples.iter().copied())?;
    install_packages(missing)
}

/// Installs the programs of a list that are missing, each from the package beside its name.
///
/// # Errors
/// As [`ensure`].
pub(crate) fn ensure_programs(needed: &[(&str, &str)]) -> Result<(), String> {
    install_packages(&|| {
        let missing = needed.iter().filter(|(program, _)| !is_installed(program));
        missing.map(|(_, package)| (*package).into()).collect()
    })
}

fn ensure_rust_targets(isas: &[Isa]) -> Result<(), String> {
    let triples = isas
        .iter()
        .filter(|isa| !isa.is_host())
        .map(|isa| isa.triple());
    add_rust_targets(triples.chain(BARE_TARGETS.iter().map(|target| target.triple)))
}

fn add_rust_targets(triples: impl Iterator<Item = &'static str>) -> Result<(), String> {
    let sysroot = Command::new("rustc")
        .args(["--print", "sysroot"])
        .output()
        .map_err(|e| format!("rustc: {e}"))?;
    let libraries = Path::new(String::from_utf8_lossy(&sysroot.stdout).trim()).join("lib/rustlib");
    let missing: Vec<&str> = triples
        .filter(|triple| !libraries.join(triple).join("lib").exists())
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    println!("Rust targets to install: {}", missing.join(" "));
    let installed = visible(
        Command::new("rustup")
            .args(["target", "add"])
            .args(&missing),
    );
    if installed {
        Ok(())
    } else {
        Err(format!(
            "install the Rust targets: rustup target add {}",
            missing.join(" ")
        ))
    }
}

fn ensure_packages(isas: &[Isa]) -> Result<(), String> {
    install_packages(&|| missing_packages(isas))
}

fn install_packages(find_missing: &dyn Fn() -> Vec<String>) -> Result<(), String> {
    let missing = find_missing();
    if missing.is_empty() {
        return Ok(());
    }
    println!("packages to install: {}", missing.join(" "));
    if is_root() && is_installed("apt-get") && install(&missing) && find_missing().is_empty() {
        return Ok(());
    }
    Err(format!(
        "install as root: apt-get install --no-install-recommends {}",
        missing.join(" ")
    ))
}

fn missing_packages(isas: &[Isa]) -> Vec<String> {
    let mut missing = Vec::new();
    if !is_installed("llc-22") {
        missing.push("llvm-22".into());
    }
    if !is_installed("clang-22") {
        missing.push("clang-22".into());
    }
    if !is_installed("csmith") || !Path::new(crate::import::CSMITH_HEADERS).exists() {
        missing.extend(["csmith".into(), "libcsmith-dev".into()]);
    }
    for name in ["cmake", "pkg-config", "gdb", "gdb-multiarch", "chromium"] {
        if !is_installed(name) {
            missing.push(name.into());
        }
    }
    if !is_installed("perf") {
        missing.push("linux-perf".into());
    }
    for isa in isas.iter().filter(|isa| !isa.is_host()) {
        let [compiler, library, runtime] = isa.cross_packages();
        if !is_installed(&isa.gcc()) {
            missing.push(compiler);
        }
        if !isa.sysroot().join("include/stdio.h").exists() {
            missing.push(library);
        }
        if !isa.sysroot().join("lib/libstdc++.so.6").exists() {
            missing.push(runtime);
        }
        if !is_installed(&isa.qemu()) {
            missing.push("qemu-user-static".into());
        }
    }
    missing.sort();
    missing.dedup();
    missing
}

fn install(packages: &[String]) -> bool {
    let apt = || {
        let mut command = Command::new("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    let get = |command: &mut Command| {
        visible(
            command
                .args(["install", "-y", "-q", "--no-install-recommends"])
                .args(["--no-remove", "--allow-downgrades"])
                .args(packages)
                .args(emulator_utilities(packages)),
        )
    };
    // A list fetched earlier often serves; a fresh machine has none.
    get(&mut apt()) || (visible(apt().args(["update", "-q"])) && get(&mut apt()))
}

/// Returns QEMU's utilities in the version of the emulators to be installed, if utilities are
/// installed: apt would remove newer ones.
fn emulator_utilities(packages: &[String]) -> Option<String> {
    let emulators = packages.iter().any(|name| name.starts_with("qemu-system"));
    if !emulators || !is_installed("qemu-img") {
        return None;
    }
    let policy = Command::new("apt-cache")
        .args(["policy", "qemu-system-common"])
        .output()
        .ok()?;
    let policy = String::from_utf8_lossy(&policy.stdout).into_owned();
    let candidate = policy
        .lines()
        .find_map(|line| line.trim().strip_prefix("Candidate: "))?;
    Some(format!("qemu-utils={candidate}"))
}

fn visible(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

fn is_root() -> bool {
    Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|output| output.stdout == b"0\n")
}

/// True if there is a program of this name.
pub(crate) fn is_installed(program: &str) -> bool {
    which::which(program).is_ok()
}
