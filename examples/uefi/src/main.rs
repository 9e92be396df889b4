//! An EFI application that reads a program in MIR from the boot volume, compiles it and runs it,
//! confined: before the firmware's boot services end and after.
#![no_std]
#![no_main]

mod pages;

use core::fmt::{self, Display, Write};
use core::slice;
use core::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use mir_nostd::binary::{self, ReadOptions};
use mir_nostd::confined::{self, Memory, Program, Space};
use mir_nostd::interp::Engine;
use mir_nostd::link::{Context, ContextOptions, HostError};
use mir_nostd::mem::{LockedHeap, Vec};
use mir_nostd::run::{Jit, Options};
use mir_nostd::target::{Pages, UnprotectedPages, Value};
use mir_nostd::verify::Verified;
#[cfg(target_arch = "aarch64")]
use target_aarch64 as target;
#[cfg(target_arch = "riscv64")]
use target_riscv64 as target;
#[cfg(target_arch = "x86_64")]
use target_x86_64 as target;
use uefi::boot::{self, MemoryType};
use uefi::proto::media::file::{Directory, File, FileAttribute, FileMode, RegularFile};
use uefi::runtime::{self, ResetType};
use uefi::{CStr16, Status, cstr16, entry, system};

/// The bytes of the heap, of the program's memory in it, and of the pages for code that is made
/// after the boot services.
const HEAP: usize = 32 << 20;
const MEMORY: usize = 4 << 20;
const CODE: usize = 1 << 20;
/// The bytes of the firmware's stack that compiled code may take. There are 128 KiB, of which
/// `LARGEST_CHECKED` stay below.
const STACK: usize = 32 << 10;
/// The part of the program's memory that its `malloc` may use.
static FREE: [AtomicU64; 2] = [AtomicU64::new(0), AtomicU64::new(0)];

/// True once the boot services have ended.
static IS_ALONE: AtomicBool = AtomicBool::new(false);

/// The firmware's console; after its boot services the serial port of QEMU's machine.
struct Console;

impl Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if !IS_ALONE.load(Ordering::Relaxed) {
            return system::with_stdout(|console| console.write_str(text));
        }
        text.bytes().for_each(serial);
        Ok(())
    }
}

#[cfg(target_arch = "x86_64")]
fn serial(byte: u8) {
    // SAFETY: the port's register for sending.
    unsafe { core::arch::asm!("out dx, al", in("dx") 0x3F8_u16, in("al") byte) };
}

#[cfg(target_arch = "riscv64")]
fn serial(byte: u8) {
    let register = core::ptr::with_exposed_provenance_mut::<u8>(0x1000_0000);
    // SAFETY: the port's register for sending.
    unsafe { register.write_volatile(byte) };
}

#[cfg(target_arch = "aarch64")]
fn serial(byte: u8) {
    let register = core::ptr::with_exposed_provenance_mut::<u32>(0x900_0000);
    // SAFETY: the port's register for sending, which the firmware has mapped.
    unsafe { register.write_volatile(byte.into()) };
}

/// Switches the machine off.
fn switch_off(status: Status) -> ! {
    // U-Boot's `ResetSystem` returns once the boot services have ended.
    #[cfg(target_arch = "riscv64")]
    if IS_ALONE.load(Ordering::Relaxed) {
        // SAFETY: SBI's system reset, of type shutdown, for no reason.
        unsafe {
            core::arch::asm!("ecall", in("a7") 0x5352_5354, in("a6") 0, inout("a0") 0 => _, inout("a1") 0 => _);
        }
    }
    runtime::reset(ResetType::SHUTDOWN, status, None)
}

fn say(text: &str) {
    _ = writeln!(Console, "{text}");
}

/// Returns what a step made; if it failed, the application ends with the reason.
fn done<T, E: Display>(result: Result<T, E>) -> T {
    result.unwrap_or_else(|error| panic!("{error}"))
}

/// Reads a file of the boot volume into the firmware's pool.
fn read(volume: &mut Directory, name: &CStr16) -> &'static [u8] {
    let file = done(volume.open(name, FileMode::Read, FileAttribute::empty()));
    let Some(mut file) = file.into_regular_file() else {
        panic!("{name} is no file");
    };
    done(file.set_position(RegularFile::END_OF_FILE));
    let bytes = done(file.get_position()) as usize;
    done(file.set_position(0));
    let start = done(boot::allocate_pool(MemoryType::LOADER_DATA, bytes));
    // SAFETY: the block has so many bytes, and nobody frees it.
    let place = unsafe {
        start.write_bytes(0, bytes);
        slice::from_raw_parts_mut(start.as_ptr(), bytes)
    };
    let read = done(file.read(place));
    &place[..read]
}

/// An import of the C library: writes to the console.
fn write(memory: &mut Memory<'_>, _: i32, at: u64, count: u64) -> Result<u64, HostError> {
    for text in memory.slice(at, count)?.utf8_chunks() {
        _ = Console.write_str(text.valid());
    }
    Ok(count)
}

/// An import of the C library: ends the program.
fn exit(_: &mut Memory<'_>, status: i32) -> Result<(), HostError> {
    Err(HostError(status.cast_unsigned()))
}

fn define(program: &mut Program<'_, '_>) -> mir_nostd::ir::Result<()> {
    program.define_fn(b"write", &write)?;
    program.define_fn(b"exit", &exit)?;
    program.define_fn(b"read", &|_: &mut Memory<'_>, _: i32, _: u64, _: u64| 0_i64)?;
    program.define_fn(b"__heap_start", &|_: &mut Memory<'_>| bound(0))?;
    program.define_fn(b"__heap_end", &|_: &mut Memory<'_>| bound(1))
}

fn bound(number: usize) -> u64 {
    FREE[number].load(Ordering::Relaxed)
}

/// Checks, links and compiles the program and the C library. `body` gets what runs it.
fn compile(
    heap: &LockedHeap,
    pages: &dyn Pages,
    files: [&[u8]; 2],
    body: &mut dyn FnMut(&mut dyn FnMut()),
) {
    let fuel = AtomicU64::new(u64::MAX);
    let lowest = AtomicUsize::new((&raw const fuel).addr() - STACK);
    let mut memory = Vec::new(heap);
    done(memory.resize(MEMORY, 0));
    let space = done(Space::new(heap, &mut memory, confined::Options::default()));
    let engine = Engine::with_fuel();
    let mut options = ContextOptions::new(heap, &target::TARGET, &engine);
    options.native = Some(&target::NATIVE);
    options.pages = Some(pages);
    let context = Context::new(options);
    let mut program = done(Program::new(&context, &space));
    done(define(&mut program));
    let reading = ReadOptions::new(target::TARGET.long_double, target::TARGET.big_endian);
    let [mut own, mut library] = files.map(|bytes| done(binary::read(bytes, heap, &reading)));
    while let Some(module) = own.pop() {
        let verified = done(Verified::new(module, &target::TARGET, &mut |_| {}));
        done(program.load(verified));
    }
    while let Some(module) = library.pop() {
        let verified = done(Verified::new(module, &target::TARGET, &mut |_| {}));
        done(program.load_library(verified));
    }
    done(program.link());
    FREE[0].store(program.heap().start, Ordering::Relaxed);
    FREE[1].store(program.heap().end, Ordering::Relaxed);
    let options = Options {
        fuel: Some(&fuel),
        stack_limit: Some(&lowest),
        ..Options::default()
    };
    let jit = done(Jit::new(
        &context,
        &target::ISA,
        &target::NATIVE,
        pages,
        options,
    ));
    done(program.compile(&jit, &mut |_, error| panic!("{error}")));
    let begin = program.with_memory(|memory| done(Vec::from_slice(heap, memory)));
    body(&mut || {
        program.with_memory(|memory| memory.copy_from_slice(begin.as_deref().unwrap_or(&[])));
        let mut status = [Value::ZERO];
        done(program.run(&jit, b"main", &[], &mut status));
    });
}

// The file's header, and what is done before `main`: no tool does that for this ISA.
#[cfg(target_arch = "riscv64")]
core::arch::global_asm!(include_str!("riscv64.s"), main = sym main);

#[entry]
fn main() -> Status {
    let mut volume = done(boot::get_image_file_system(boot::image_handle()));
    let mut root = done(volume.open_volume());
    let files = [cstr16!("program.bmir"), cstr16!("libc.bmir")].map(|name| read(&mut root, name));
    drop((root, volume));
    // The pool ends with the boot services; what it lent stays.
    let start = done(boot::allocate_pool(MemoryType::LOADER_DATA, HEAP));
    // SAFETY: nobody else has the block, and it is not freed.
    let heap = unsafe { LockedHeap::new(start.as_ptr(), HEAP) };
    // Nobody can change later what pages may be used for: these may be written and run.
    let code = done(pages::allocate(CODE));
    say(match done(pages::protect(code, CODE, pages::BOTH)) {
        true => "code: pages that are writable or executable, by the memory attribute protocol",
        false => "code: pages of loader code, writable and executable",
    });
    compile(&heap, &pages::Firmware, files, &mut |run| {
        say("before ExitBootServices:");
        run();
        // SAFETY: from here on the firmware is asked for nothing but to end.
        _ = unsafe { boot::exit_boot_services(None) };
        IS_ALONE.store(true, Ordering::Relaxed);
        say("after ExitBootServices, compiled before:");
        run();
        // SAFETY: nobody else has the pages, which can be executed; there is one core.
        let code = unsafe { LockedHeap::new(code.as_ptr(), CODE) };
        let pages = unsafe { UnprotectedPages::new(&code, &target::NATIVE) };
        compile(&heap, &pages, files, &mut |run| {
            say("after ExitBootServices, compiled after:");
            run();
        });
        say("end");
        switch_off(Status::SUCCESS)
    });
    Status::ABORTED
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    _ = writeln!(Console, "{info}");
    switch_off(Status::ABORTED)
}
