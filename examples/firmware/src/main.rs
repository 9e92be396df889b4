//! Firmware for QEMU's `virt` machine of riscv64 that runs a program in MIR from an image, which
//! lies elsewhere in its address space, as in flash: the loader and a serial port are all it has.
#![no_std]
#![no_main]

use core::{arch::global_asm, ptr, slice};
#[cfg(not(feature = "confined"))]
use mir_image::Addresses;
#[cfg(feature = "confined")]
use mir_image::Budget;
use mir_image::{Error, Image, Import, Machine};
#[cfg(feature = "windows")]
use mir_image::{CALL_FAILED, FIRST_WINDOW, Memory, Window};

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
extern "C" fn serial_put(byte: i32) -> i32 {
    // SAFETY: the port's register for sending.
    unsafe { ptr::with_exposed_provenance_mut::<u8>(0x1000_0000).write_volatile(byte as u8) };
    byte
}

/// The memory of the program that runs.
#[cfg(feature = "windows")]
static mut MEMORY: Option<Memory> = None;

/// Calls a function of the program with the numbers below `count`, and ends with its fault.
#[cfg(feature = "windows")]
extern "C" fn each(function: u64, count: u64) {
    // SAFETY: the program that was loaded last waits for this import.
    unsafe {
        let Some(memory) = MEMORY else { return };
        if (0..count).any(|number| memory.call(function, &[number]).is_err()) {
            memory.fail(CALL_FAILED);
        }
    }
}

/// Returns what the program imports: the name is ours, and so is the signature. A name of the C
/// library would be that of its function, which confined programs have in their images.
fn resolve(import: Import<'_>) -> Option<u64> {
    match (import.name, import.signature) {
        (b"serial_put", b"i32(i32)") => Some(serial_put as *const () as u64),
        #[cfg(feature = "windows")]
        (b"each", b"(p,i64)") => Some(each as *const () as u64),
        _ => None,
    }
}

/// Calls `main` of an image.
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
    call_main(&image, ram)
}

/// Loads a program that we trust, and calls its `main`.
#[cfg(not(feature = "confined"))]
fn call_main(image: &Image<'_>, ram: &mut [u8]) -> Result<(), Error> {
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

/// The instructions and the stack that a program which nobody trusts may use up.
#[cfg(feature = "confined")]
const BUDGET: Budget = Budget {
    fuel: 1_000_000,
    stack_limit: 0x8004_0000,
};

/// Loads a program that nobody trusts, and calls its `main`: it keeps to `ram` and to [`BUDGET`],
/// and where it would not, the name of the function that wanted to is written.
#[cfg(feature = "confined")]
fn call_main(image: &Image<'_>, ram: &mut [u8]) -> Result<(), Error> {
    let code = image.code().as_ptr().expose_provenance() as u64;
    let mut program = image.load_confined(ram, code, &mut resolve)?;
    #[cfg(feature = "windows")]
    {
        // SAFETY: the flash is never written, and no import runs now.
        let flash = unsafe {
            MEMORY = Some(program.memory());
            slice::from_raw_parts(ptr::with_exposed_provenance(FLASH), FLASH_BYTES)
        };
        program.grant(FIRST_WINDOW, Window::Read(flash))?;
    }
    // SAFETY: `mir image --confined` made the image, which the signature tells; its code is ours.
    if let Err(fault) = unsafe { program.call(b"main", &[], BUDGET) } {
        for &byte in b"stopped: ".iter().chain(fault.function).chain(b"\n") {
            serial_put(i32::from(byte));
        }
    }
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
