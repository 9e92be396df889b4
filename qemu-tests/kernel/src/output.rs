//! The output of programs, which is shown or kept for comparison.

use crate::console;
use crate::layout::Shared;
use crate::memory;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use kernel_libc::Lender;
use mir_nostd::mem::Allocator;

/// A limit that no compared output reaches.
const ROOM: usize = 64 * 1024;

static TEXT: Shared<[u8; ROOM]> = Shared::new([0; ROOM]);
static LENGTH: AtomicUsize = AtomicUsize::new(0);
static SHOWN: AtomicBool = AtomicBool::new(false);

/// Discards the kept output; with `shown`, further output goes to the console instead of being
/// kept.
pub fn restart(shown: bool) {
    LENGTH.store(0, Ordering::Relaxed);
    SHOWN.store(shown, Ordering::Relaxed);
}

/// Returns the output kept since [`restart`]. No program may be running.
pub fn kept() -> &'static [u8] {
    let length = LENGTH.load(Ordering::Relaxed).min(ROOM);
    // SAFETY: bytes below the length are written once after a restart.
    unsafe { core::slice::from_raw_parts(TEXT.get().cast(), length) }
}

/// Shows or keeps the output of a program. Only one CPU runs programs that print.
pub fn put(bytes: &[u8]) {
    if SHOWN.load(Ordering::Relaxed) {
        console::bytes(bytes);
        return;
    }
    let start = LENGTH.load(Ordering::Relaxed);
    if start + bytes.len() <= ROOM {
        // SAFETY: the bytes fit, and nobody has a reference to the memory after the length.
        unsafe {
            let to = TEXT.get().cast::<u8>().add(start);
            to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
    }
    LENGTH.store(start + bytes.len(), Ordering::Relaxed);
}

/// The kernel as the lender of memory and output to C functions.
pub struct Kernel;

impl Lender for Kernel {
    fn allocator(&self) -> &dyn Allocator {
        memory::heap()
    }

    fn output(&self, bytes: &[u8]) {
        put(bytes);
    }
}
