//! Calls between Medium IR and C with random signatures, on the machine that this is compiled for.
//!
//! The build script writes and compiles the C side (with the cross compiler of the target); the
//! tests are the other side. `ABI_SEED=n cargo test -p abi-test` tries other signatures.

pub mod generator;

use mir_nostd::target::Native;

#[cfg(target_arch = "aarch64")]
use target_aarch64 as backend;
#[cfg(target_arch = "powerpc64")]
use target_ppc64le as backend;
#[cfg(target_arch = "riscv64")]
use target_riscv64 as backend;
#[cfg(target_arch = "s390x")]
use target_s390x as backend;
#[cfg(target_arch = "x86_64")]
use target_x86_64 as backend;

/// Returns the code generator's backend for the host.
#[must_use]
pub const fn backend() -> &'static dyn mir_nostd::target::Isa {
    &backend::ISA
}

/// Returns the native interface of the host.
#[must_use]
pub fn machine() -> &'static dyn Native {
    &backend::NATIVE
}
