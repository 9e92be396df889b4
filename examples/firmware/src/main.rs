//! Firmware for QEMU's `virt` machine of riscv64 that runs a program in MIR from an image, which
//! lies elsewhere in its address space, as in flash: the loader and a serial port are all it has.
#![no_std]
#![no_main]

use core::{arch::global_asm, ptr, slice};
use mir_image::{Addresses, Error, Image, Import, Machine};

global_asm!(
    ".section .entry, \"ax\"",
    "entry: .globl entry",
    "li t0, 0x2000; csrs mstatus, t0; la sp, stack_top; j firmware"
);

/// The place of the image; it is never written.
const FLASH: usize = 0x8800_0000;
const FLASH_BYTES: usize = 1 << 20;

/// The place of the program's memory, at the distance from the image that that was made for.
const RAM: usize = 0x8010_0000;
const RAM_BYTES: usize = 1 << 20;

/// Writes a byte to the serial port.
extern "C" fn putchar(byte: i32) -> i32 {
    // SAFETY: the port's register for sending.
    unsafe { ptr::with_exposed_provenance_mut::<u8>(0x1000_0000).write_volatile(byte as u8) };
    byte
}

/// Returns what the program imports: the name is ours, and so is the signature.
fn resolve(import: Import<'_>) -> Option<u64> {
    match (import.name, import.signature) {
        (b"putchar", b"i32(i32)") => Some(putchar as *const () as u64),
        _ => None,
    }
}

/// Loads the image and calls its `main`.
fn run() -> Result<(), Error> {
    // SAFETY: the regions are there, apart from this program and from each other, and this function
    // runs once.
    let (flash, ram) = unsafe {
        let flash = ptr::with_exposed_provenance(FLASH);
        let ram = ptr::with_exposed_provenance_mut(RAM);
        (slice::from_raw_parts(flash, FLASH_BYTES), slice::from_raw_parts_mut(ram, RAM_BYTES))
    };
    let image = Image::parse(flash, Machine::Riscv64)?;
    // Here a firmware has `image.signature()` checked, over `image.signed()`.
    let at = Addresses {
        code: image.code().as_ptr().addr() as u64,
        ram: RAM as u64,
    };
    let loaded = image.load(ram, at, &mut resolve)?;
    let main = loaded.export(b"main").filter(|main| main.signature == b"i32()");
    let main = main.ok_or(Error::Import(u32::MAX))?;
    let main = ptr::with_exposed_provenance::<u8>(loaded.address_of(main.place) as usize);
    // SAFETY: the program is ours, and its `main` has this signature.
    unsafe { core::mem::transmute::<*const u8, extern "C" fn() -> i32>(main)() };
    Ok(())
}

#[unsafe(no_mangle)]
extern "C" fn firmware() -> ! {
    let status = match run() {
        Ok(()) => 0x5555,
        Err(_) => 0x1_3333,
    };
    // SAFETY: the register is there to end the emulator.
    unsafe { ptr::with_exposed_provenance_mut::<u32>(0x10_0000).write_volatile(status) };
    loop {
        core::hint::spin_loop();
    }
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
