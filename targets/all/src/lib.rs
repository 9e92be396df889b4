//! The five backends of mir-nostd in one list, for tools and tests that handle all of them.
//!
//! An embedder depends on the one crate of its own machine instead.
#![no_std]
#![forbid(unsafe_code)]

use mir_nostd::codegen::Backend;
use mir_nostd::target::{Native, Target};

#[cfg(target_arch = "aarch64")]
use target_aarch64 as host;
#[cfg(target_arch = "powerpc64")]
use target_ppc64le as host;
#[cfg(target_arch = "riscv64")]
use target_riscv64 as host;
#[cfg(target_arch = "s390x")]
use target_s390x as host;
#[cfg(target_arch = "x86_64")]
use target_x86_64 as host;

/// The backends of the five ISAs, each for the base of its ISA, in the order in which results are
/// shown.
///
/// ```
/// let names: Vec<_> = target_all::ISAS.iter().map(|isa| isa.target().name).collect();
/// assert_eq!(names, ["x86_64", "aarch64", "ppc64le", "riscv64", "s390x"]);
/// ```
pub static ISAS: &[&dyn Backend] = &[
    &target_x86_64::ISA,
    &target_aarch64::ISA,
    &target_ppc64le::ISA,
    &target_riscv64::ISA,
    &target_s390x::ISA,
];

/// All backends: those of [`ISAS`] and of [`PROCESSORS`].
pub static BACKENDS: &[&dyn Backend] = &[
    &target_x86_64::ISA,
    &target_aarch64::ISA,
    &target_aarch64::LSE,
    &target_ppc64le::ISA,
    &target_ppc64le::POWER10,
    &target_riscv64::ISA,
    &target_s390x::ISA,
];

/// The descriptions of the five ISAs, in the order of [`ISAS`].
pub static TARGETS: &[&Target] = &[
    &target_x86_64::TARGET,
    &target_aarch64::TARGET,
    &target_ppc64le::TARGET,
    &target_riscv64::TARGET,
    &target_s390x::TARGET,
];

/// A processor with instructions beyond the base of its ISA.
#[derive(Debug)]
pub struct Processor {
    /// The name that a user gives.
    pub name: &'static str,
    /// The difference to the base of the ISA, for the help of commands.
    pub description: &'static str,
    /// The backend that uses the further instructions.
    pub backend: &'static dyn Backend,
}

/// The processors that have a backend of their own.
pub static PROCESSORS: &[Processor] = &[
    Processor {
        name: "neoverse-n1",
        description: "aarch64 with single instructions that update memory atomically",
        backend: &target_aarch64::LSE,
    },
    Processor {
        name: "power10",
        description: "ppc64le with instructions that have prefixes",
        backend: &target_ppc64le::POWER10,
    },
];

/// The backend of the machine that this is compiled for.
pub static HOST: &dyn Backend = &host::ISA;

/// The native interface of the machine that this is compiled for.
pub static NATIVE: &dyn Native = &host::NATIVE;

/// Returns the backend of the ISA or processor with this name.
///
/// ```
/// let power10 = target_all::backend("power10").unwrap();
/// assert_eq!(power10.target().name, "ppc64le");
/// assert!(target_all::backend("vax").is_none());
/// ```
#[must_use]
pub fn backend(name: &str) -> Option<&'static dyn Backend> {
    let processor = PROCESSORS.iter().find(|processor| processor.name == name);
    let isa = || ISAS.iter().find(|isa| isa.target().name == name).copied();
    processor.map(|processor| processor.backend).or_else(isa)
}
