//! The five ISAs, which the fuzz targets share.

use mir_nostd::codegen::Backend;
use mir_nostd::target::Target;

/// The descriptions of the five ISAs.
pub const TARGETS: [&Target; 5] = [
    &target_x86_64::TARGET,
    &target_aarch64::TARGET,
    &target_ppc64le::TARGET,
    &target_riscv64::TARGET,
    &target_s390x::TARGET,
];

/// The backends of the five ISAs.
pub const ISAS: [&dyn Backend; 5] = [
    &target_x86_64::ISA,
    &target_aarch64::ISA,
    &target_ppc64le::ISA,
    &target_riscv64::ISA,
    &target_s390x::ISA,
];
