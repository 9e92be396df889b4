//! A kernel that compiles a program in MIR and runs it, in a static region of memory.
#![no_std]
#![no_main]

#[cfg_attr(target_arch = "riscv64", path = "riscv64.rs")]
#[cfg_attr(target_arch = "x86_64", path = "x86_64.rs")]
mod machine;

use core::fmt::{self, Display, Write};
use machine::{ISA, NATIVE};
use mir_nostd::binary::{self, ReadOptions};
use mir_nostd::interp::Engine;
use mir_nostd::link::{Context, ContextOptions};
use mir_nostd::mem::LockedHeap;
use mir_nostd::run::{Jit, Options};
use mir_nostd::target::{Isa, UnprotectedPages};
use mir_nostd::verify::Verified;

/// The program, as `mir asm primes.mir -o primes.bmir` wrote it.
const PROGRAM: &[u8] = include_bytes!("../primes.bmir");

const BYTES: usize = 128 << 10;
static mut HEAP: [u8; BYTES] = [0; BYTES];

/// The serial port.
struct Console;
impl Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().for_each(machine::put);
        Ok(())
    }
}

/// Prints why a step failed, if it did.
fn tell<T, E: Display>(result: Result<T, E>) -> Result<T, fmt::Error> {
    result.map_err(|error| writeln!(Console, "{error}").err().unwrap_or_default())
}

fn run() -> fmt::Result {
    // SAFETY: nothing else uses the region, and this function runs once.
    let heap = unsafe { LockedHeap::new((&raw mut HEAP).cast(), BYTES) };
    // SAFETY: all memory can be executed, and there is one core.
    let pages = unsafe { UnprotectedPages::new(&heap, &NATIVE) };
    let report = |prime: i64| writeln!(Console, "the largest is {prime}").unwrap_or_default();
    let (engine, target) = (Engine::new(), ISA.target());
    let mut options = ContextOptions::new(&heap, target, &engine);
    options.native = Some(&NATIVE);
    options.pages = Some(&pages);
    let context = Context::new(options);
    tell(context.define("report", &report))?;
    let reading = ReadOptions::new(target.long_double, target.big_endian);
    let mut modules = tell(binary::read(PROGRAM, &heap, &reading))?;
    while let Some(module) = modules.pop() {
        let verified = tell(Verified::new(module, target, &mut |_| {}))?;
        // SAFETY: the program touches its own memory alone.
        tell(unsafe { context.load(verified) })?;
    }
    tell(context.link(&mut |_| None))?;
    let options = Options::default();
    let jit = tell(Jit::new(&context, &ISA, &NATIVE, &pages, options))?;
    let compiled = tell(jit.compile_all(&mut |_, _, error| _ = writeln!(Console, "{error}")))?;
    let count = tell(jit.get::<i64, i64>("count"))?;
    writeln!(Console, "{} primes", tell(count.call(10_000))?)?;
    let (code, heap) = (compiled.bytes, heap.used());
    writeln!(Console, "{code} bytes of code, {heap} of heap")
}

#[unsafe(no_mangle)]
extern "C" fn kernel() {
    _ = run();
    machine::exit();
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    _ = writeln!(Console, "{info}");
    machine::exit()
}
