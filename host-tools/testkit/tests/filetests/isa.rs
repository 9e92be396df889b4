//! The host's interfaces.

use mir_nostd::target::{Isa, Native};

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

/// Returns the host's native interface.
pub(crate) const fn native() -> &'static dyn Native {
    &host::NATIVE
}

/// Returns the host's code generator backend, if there is one: for the processor that `MIR_CPU`
/// names.
pub(crate) fn backend() -> Option<&'static dyn Isa> {
    #[cfg(target_arch = "powerpc64")]
    if std::env::var_os("MIR_CPU").is_some_and(|cpu| cpu == "power10") {
        return Some(&host::POWER10);
    }
    Some(&host::ISA)
}
