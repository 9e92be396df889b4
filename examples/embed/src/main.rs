//! Runs a program in MIR without the standard library or a global allocator. All memory is one
//! static region; the machine below only has to show text.
#![no_std]
#![no_main]

mod platform;

use core::fmt::Write;
use core::mem::MaybeUninit;
use mir_nostd::binary::{self, ReadOptions};
use mir_nostd::interp::{Engine, Interpreter, Options};
use mir_nostd::ir::{ArgSpec, Error, Problem, SignatureSpec, Type};
use mir_nostd::link::{Context, ContextOptions, HostError};
use mir_nostd::mem::LockedHeap;
use mir_nostd::target::Value;
use mir_nostd::verify::Verified;
use platform::Console;

#[cfg(target_arch = "aarch64")]
use target_aarch64::TARGET;
#[cfg(target_arch = "powerpc64")]
use target_ppc64le::TARGET;
#[cfg(target_arch = "riscv64")]
use target_riscv64::TARGET;
#[cfg(target_arch = "s390x")]
use target_s390x::TARGET;
#[cfg(target_arch = "x86_64")]
use target_x86_64::TARGET;

/// The program: `primes.mir`, converted to binary by `mir asm`.
static PROGRAM: &[u8] = include_bytes!("../primes.bmir");

const HEAP_BYTES: usize = 64 << 10;
static mut HEAP: [MaybeUninit<u8>; HEAP_BYTES] = [MaybeUninit::uninit(); HEAP_BYTES];

/// Loads the program, links it with a closure of this program, and runs its function `count`.
fn run() -> Result<(), Error> {
    // SAFETY: nothing else uses the region, and this function runs once.
    let heap = unsafe { LockedHeap::new((&raw mut HEAP).cast(), HEAP_BYTES) };
    let report = |arguments: &[Value], _: &mut [Value]| -> Result<(), HostError> {
        writeln!(Console, "the largest is {}", arguments[0].i64()).map_err(|_| HostError(1))
    };
    let engine = Engine::new();
    let context = Context::new(ContextOptions::new(&heap, &TARGET, &engine));
    let args = [ArgSpec::new(Type::I64, "prime")];
    let signature = SignatureSpec {
        args: &args,
        ..SignatureSpec::default()
    };
    context.add_host_fn(b"report", signature, &report)?;

    let mut modules = binary::read(
        PROGRAM,
        &heap,
        &ReadOptions::new(TARGET.long_double, TARGET.big_endian),
    )?;
    while let Some(module) = modules.pop() {
        let verified = Verified::new(module, &TARGET, &mut |_| {})?;
        // SAFETY: the program is known to touch only its own memory.
        unsafe { context.load(verified)? };
    }
    context.link(&mut |_| None)?;

    let count = context.find_func(b"count").ok_or(Problem::UndeclaredName)?;
    let mut interpreter = Interpreter::new(&context, Options::default())?;
    let mut results = [Value::ZERO];
    match interpreter.run(count, &[Value::from_i64(10_000)], &mut results) {
        Ok(()) => {
            _ = writeln!(
                Console,
                "{} primes, {} bytes of heap",
                results[0].i64(),
                heap.used()
            )
        }
        Err(stop) => _ = writeln!(Console, "stopped: {}", stop.reason),
    }
    Ok(())
}
