//! The machine that the library is for, and what Rust wants where there is no standard library.

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

/// Never called: nothing here panics. It must be there, and must not return.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {
        core::hint::spin_loop();
    }
}

/// The precompiled core library names it, though nothing unwinds here.
#[cfg(target_os = "linux")]
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}
