//! A kernel that runs the programs of a ramdisk, which it does not trust: confined, in its own
//! address space. Each says how many words there are in a text of the kernel's, which it sees
//! through a window.
#![no_std]
#![no_main]

#[cfg_attr(target_arch = "riscv64", path = "riscv64.rs")]
#[cfg_attr(target_arch = "x86_64", path = "x86_64.rs")]
mod machine;

use core::fmt::{self, Write};
use core::mem::MaybeUninit;
use core::{ptr, slice, str};
use machine::TARGET;
use mir_nostd::binary::{self, ReadOptions};
use mir_nostd::confined::{FIRST_WINDOW, Fault, Options, Program, Space};
use mir_nostd::interp::Engine;
use mir_nostd::ir::Error;
use mir_nostd::link::{Access, Context, ContextOptions};
use mir_nostd::mem::LockedHeap;
use mir_nostd::target::Value;
use mir_nostd::verify::Verified;

/// The serial port.
struct Console;

impl Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().for_each(machine::put);
        Ok(())
    }
}

/// The memory of everything but the programs, and the most bytes that the ramdisk may have.
const BYTES: usize = 1 << 20;
static mut HEAP: [MaybeUninit<u8>; BYTES] = [MaybeUninit::uninit(); BYTES];

/// Calls a program's `count` with a text; returns what it says, or how it was stopped.
fn count(heap: &LockedHeap, program: &[u8], text: &mut [u8]) -> Result<Result<u64, Fault>, Error> {
    let (mut memory, engine) = ([0; 8192], Engine::with_fuel());
    let options = Options {
        windows: true,
        ..Options::default()
    };
    let space = Space::new(heap, &mut memory, options)?;
    let context = Context::new(ContextOptions::new(heap, &TARGET, &engine));
    let mut confined = Program::new(&context, &space)?;
    let options = ReadOptions::new(TARGET.long_double, TARGET.big_endian);
    let mut modules = binary::read(program, heap, &options)?;
    while let Some(module) = modules.pop() {
        confined.load(Verified::new(module, &TARGET, &mut |_| {})?)?;
    }
    confined.link()?;
    let arguments = [FIRST_WINDOW, text.len() as u64].map(Value::from_u64);
    let mut results = [Value::ZERO];
    confined.lend(FIRST_WINDOW, text, Access::Read, |confined| {
        let ran = confined.interpret(b"count", &arguments, &mut results, 10_000);
        ran.map(|()| results[0].u64())
    })
}

/// Splits the first file off a tar archive; returns its name and its bytes.
fn next_file<'a>(archive: &mut &'a [u8]) -> Option<(&'a str, &'a [u8])> {
    let (header, rest) = archive.split_at_checked(512)?;
    let field = |field: &'a [u8]| field.split(|&byte| byte == 0).next();
    let name = str::from_utf8(field(&header[..100])?).ok()?;
    let length = str::from_utf8(field(&header[124..136])?).ok()?;
    let length = usize::from_str_radix(length, 8).ok()?;
    let bytes = rest.get(..length)?;
    *archive = rest.get(length.next_multiple_of(512)..)?;
    Some((name, bytes))
}

/// Runs all programs of the ramdisk, after the boot code.
#[unsafe(no_mangle)]
extern "C" fn kernel() {
    // SAFETY: nothing else uses the region, and this function runs once.
    let heap = unsafe { LockedHeap::new((&raw mut HEAP).cast(), BYTES) };
    // SAFETY: the machine has memory there, which only the boot loader wrote to.
    let mut ramdisk =
        unsafe { slice::from_raw_parts(ptr::with_exposed_provenance(machine::RAMDISK), BYTES) };
    let mut text = *b"What a program may not do, it cannot do";
    while let Some((name, program)) = next_file(&mut ramdisk) {
        _ = match count(&heap, program, &mut text) {
            Ok(Ok(words)) => writeln!(Console, "{name}: {words} words"),
            Ok(Err(fault)) => writeln!(Console, "{name}: stopped: {fault}"),
            Err(error) => writeln!(Console, "{name}: refused: {error}"),
        };
    }
    _ = writeln!(Console, "the kernel goes on");
    machine::exit();
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    _ = writeln!(Console, "{info}");
    machine::exit();
    loop {}
}
