//! The target of the library, and the items that Rust needs without the standard library.

#[cfg(target_arch = "aarch64")]
use target_aarch64 as target;
#[cfg(target_arch = "powerpc64")]
use target_ppc64le as target;
#[cfg(target_arch = "riscv64")]
use target_riscv64 as target;
#[cfg(target_arch = "s390x")]
use target_s390x as target;
#[cfg(target_arch = "x86_64")]
use target_x86_64 as target;

#[cfg(feature = "compile")]
pub(crate) use target::ISA;
pub(crate) use target::{NATIVE, TARGET};

/// Loops for ever. Nothing here panics, but the handler must exist and must not return.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {
        core::hint::spin_loop();
    }
}

// The precompiled core library refers to this routine, which nothing calls: nothing unwinds here.
// It is weak, so that another static library of Rust's may bring its own.
#[cfg(target_os = "linux")]
core::arch::global_asm!(
    ".section .rodata.rust_eh_personality, \"a\"",
    ".weak rust_eh_personality",
    ".balign 8",
    "rust_eh_personality:",
    ".8byte 0",
    ".previous",
);
