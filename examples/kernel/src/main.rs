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

/// Returns what a step made; if it failed, the kernel ends with the reason.
fn done<T, E: Display>(result: Result<T, E>) -> T {
    result.unwrap_or_else(|error| panic!("{error}"))
}

#[unsafe(no_mangle)]
extern "C" fn kernel() {
    // SAFETY: nothing else uses the region, and this function runs once.
    let heap = unsafe { LockedHeap::new((&raw mut HEAP).cast(), BYTES) };
    // SAFETY: all memory can be executed, and there is one core.
    let pages = unsafe { UnprotectedPages::new(&heap, &NATIVE) };
    let report = |prime: i64| _ = writeln!(Console, "the largest is {prime}");
    let (engine, target) = (Engine::new(), ISA.target());
    let mut options = ContextOptions::new(&heap, target, &engine);
    options.native = Some(&NATIVE);
    options.pages = Some(&pages);
    let context = Context::new(options);
    done(context.define("report", &report));
    let program = include_bytes!("../primes.bmir"); // mir asm primes.mir -o primes.bmir
    let reading = ReadOptions::new(target.long_double, target.big_endian);
    let mut modules = done(binary::read(program, &heap, &reading));
    while let Some(module) = modules.pop() {
        let verified = done(Verified::new(module, target, &mut |_| {}));
        // SAFETY: the program touches its own memory alone.
        done(unsafe { context.load(verified) });
    }
    done(context.link(&mut |_| None));
    let options = Options::default();
    let jit = done(Jit::new(&context, &ISA, &NATIVE, &pages, options));
    let code = done(jit.compile_all(&mut |_, _, error| done(Err(error)))).bytes;
    let count = done(jit.get::<i64, i64>("count"));
    _ = writeln!(Console, "{} primes", done(count.call(10_000)));
    _ = writeln!(Console, "{code} bytes of code, {} of heap", heap.used());
    machine::exit();
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    _ = writeln!(Console, "{info}");
    machine::exit()
}
