//! The target of the library, and the items that Rust needs without the standard library.

#[cfg(target_arch = "aarch64")]
pub(crate) use target_aarch64::{NATIVE, TARGET};
#[cfg(target_arch = "powerpc64")]
pub(crate) use target_ppc64le::{NATIVE, TARGET};
#[cfg(target_arch = "riscv64")]
pub(crate) use target_riscv64::{NATIVE, TARGET};
#[cfg(target_arch = "s390x")]
pub(crate) use target_s390x::{NATIVE, TARGET};
#[cfg(target_arch = "x86_64")]
pub(crate) use target_x86_64::{NATIVE, TARGET};

/// Loops for ever. Nothing here panics, but the handler must exist and must not return.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {
        core::hint::spin_loop();
    }
}

/// Does nothing: nothing unwinds here, but the precompiled core library refers to it.
#[cfg(target_os = "linux")]
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}
