//! A bare kernel that runs a program from an image, and has neither a compiler nor an interpreter:
//! a way into Rust, a console, and the loader of images.
//!
//! The image brings its own C library, in Medium IR as well, which imports what [`resolve`] has. A
//! run succeeds only if `main` returns 0 or the program ends with that status. A kernel whose
//! loader could panic does not link.
#![no_std]
#![no_main]

mod arch;

use core::sync::atomic::{AtomicUsize, Ordering};
use core::{ptr, slice};
use kernel_memory::memmove;
use mir_image::{Addresses, Error, Image, Import, Machine};

/// The most bytes of an image.
const IMAGE_BYTES: usize = 16 << 20;

/// The place of the program's memory, at the distance from the image that that was made for.
const RAM: usize = arch::IMAGE + IMAGE_BYTES;
const RAM_BYTES: usize = 16 << 20;

/// The address after the program's data, where its heap begins.
static HEAP: AtomicUsize = AtomicUsize::new(RAM + RAM_BYTES);

extern "C" fn write(_: i64, bytes: *const u8, count: usize) -> i64 {
    // SAFETY: the program is ours, and prints bytes that it has.
    arch::write(unsafe { slice::from_raw_parts(bytes, count) });
    count as i64
}

/// Reads nothing: there is no input.
extern "C" fn read(_: i64, _: *mut u8, _: usize) -> i64 {
    0
}

extern "C" fn heap_start() -> usize {
    HEAP.load(Ordering::Relaxed)
}

extern "C" fn heap_end() -> usize {
    RAM + RAM_BYTES
}

extern "C" fn exit(status: i32) -> ! {
    arch::exit(status == 0)
}

/// Ends the run: a routine that the kernel lacks is called, or the program faulted.
extern "C" fn lacking() -> ! {
    arch::exit(false)
}

/// Returns what a program imports.
fn resolve(import: Import<'_>) -> Option<u64> {
    let function = match import.name {
        b"write" => write as *const (),
        b"read" => read as *const (),
        b"__heap_start" => heap_start as *const (),
        b"__heap_end" => heap_end as *const (),
        b"exit" | b"_exit" => exit as *const (),
        b"memmove" => memmove as *const (),
        _ => lacking as *const (),
    };
    Some(function.expose_provenance() as u64)
}

/// Calls a function of a program.
///
/// # Safety
///
/// There is one at the address, without arguments, and the program is ours.
#[expect(clippy::disallowed_methods, reason = "an address is to be called")]
unsafe fn call(address: u64) -> i32 {
    type Function = extern "C" fn() -> i32;
    let address = ptr::with_exposed_provenance::<u8>(address as usize);
    // SAFETY: by the caller's word.
    unsafe { core::mem::transmute::<*const u8, Function>(address)() }
}

/// Loads the image and runs its program; returns the status of `main`.
fn run() -> Result<i32, Error> {
    // SAFETY: both regions are there, apart from the kernel and from each other, and this function
    // runs once.
    let (bytes, ram) = unsafe {
        let image = ptr::with_exposed_provenance(arch::IMAGE);
        let ram = ptr::with_exposed_provenance_mut(RAM);
        (
            slice::from_raw_parts(image, IMAGE_BYTES),
            slice::from_raw_parts_mut(ram, RAM_BYTES),
        )
    };
    let image = Image::parse(bytes, Machine::HERE.ok_or(Error::Machine)?)?;
    let at = Addresses {
        code: image.code().as_ptr().expose_provenance() as u64,
        ram: RAM as u64,
    };
    let loaded = image.load(ram, at, &mut resolve)?;
    let end = RAM + image.header().ram_size as usize;
    HEAP.store(end.next_multiple_of(16), Ordering::Relaxed);
    let main = loaded.address(b"main").ok_or(Error::Import(u32::MAX))?;
    // SAFETY: the image is ours, and its functions are such.
    unsafe {
        for function in loaded.initialisers() {
            call(function);
        }
        let status = call(main);
        for function in loaded.finalisers() {
            call(function);
        }
        Ok(status)
    }
}

/// Enters Rust, on a stack.
#[unsafe(no_mangle)]
extern "C" fn kernel_main() -> ! {
    arch::exit(run() == Ok(0))
}

unsafe extern "C" {
    /// A function that no one defines: a loader that could panic does not link.
    fn the_loader_can_panic() -> !;
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: a build in which this is called does not link.
    unsafe { the_loader_can_panic() }
}
