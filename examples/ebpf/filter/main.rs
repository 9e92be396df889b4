//! Runs a packet filter, compiled by clang to eBPF, on a few frames, interpreted and compiled at
//! each level.

use core::error::Error;
use core::sync::atomic::{AtomicU64, AtomicUsize};
use example_ebpf::run::{OPTIONS, Program};
use example_ebpf::{Helpers, translate};
use mir_host::{HostPages, SystemAllocator};
use mir_nostd::confined::{self, Memory, Space};
use mir_nostd::interp::Engine;
use mir_nostd::link::{Context, ContextOptions, HostError};
use mir_nostd::run::{Jit, Options};
use mir_nostd::target::Value;
use std::sync::Mutex;

/// The program, `filter.c`, in the byte order of this machine.
#[cfg(target_endian = "little")]
static FILTER: &[u8] = include_bytes!("filter.bpfel");
#[cfg(target_endian = "big")]
static FILTER: &[u8] = include_bytes!("filter.bpfeb");

/// The helper that the filter calls, and the reasons that it reports.
const REPORT: u32 = 1;
const REASONS: [&str; 4] = ["cut short", "protocol", "checksum", "telnet"];

/// The fuel for each frame.
const FUEL: u64 = 1000;

/// Returns a frame of this type; that of IPv4 has a header with this checksum, a protocol and a
/// port.
fn frame(ty: u8, checksum: u16, protocol: u8, port: u8) -> [u8; 60] {
    let mut frame = [0; 60];
    frame[12..15].copy_from_slice(&[0x08, ty, 0x45]);
    frame[23] = protocol;
    frame[24..26].copy_from_slice(&checksum.to_be_bytes());
    frame[37] = port;
    frame
}

/// Loads the filter, compiles it if there is a level, and returns what it says of each frame.
fn filter(level: Option<u8>) -> Result<String, Box<dyn Error>> {
    let target = target_all::HOST.target();
    let module = translate(FILTER, Helpers(&[REPORT]), target, &SystemAllocator)?;
    let reason = Mutex::new(String::new());
    let report = |_: &mut Memory<'_>, values: &[Value], _: &mut [Value]| -> Result<(), HostError> {
        let text = REASONS.get(values[0].u64() as usize).ok_or(HostError(1))?;
        *reason.lock().map_err(|_| HostError(2))? = format!("{text} {:#x}", values[1].u64());
        Ok(())
    };
    let mut memory = [0; confined::LEAST_BYTES];
    let space = Space::new(&SystemAllocator, &mut memory, OPTIONS)?;
    // Compiled code may use so much of this stack.
    let stack = AtomicUsize::new((&raw const space).addr() - (256 << 10));
    let fuel = AtomicU64::new(0);
    let engine = Engine::with_fuel();
    let context = Context::new(ContextOptions {
        native: Some(target_all::NATIVE),
        pages: Some(&HostPages),
        ..ContextOptions::new(&SystemAllocator, target, &engine)
    });
    let mut program = Program::load(&context, &space, module, &[(REPORT, &report)])?;
    if let Some(level) = level {
        let mut options = Options::default();
        (options.fuel, options.stack_limit) = (Some(&fuel), Some(&stack));
        options.codegen.level = level;
        let (backend, native) = (target_all::HOST, target_all::NATIVE);
        let jit = Jit::new(&context, backend, native, &HostPages, options)?;
        program.compile(jit, &fuel)?;
    }
    let mut said = String::new();
    let mut counts = [23_u64.to_ne_bytes(), [0; 8]];
    for (name, mut frame) in [
        ("arp", frame(0x06, 0, 0, 0)),
        ("udp", frame(0x00, !0x4511, 17, 53)),
        ("telnet", frame(0x00, !0x4506, 6, 23)),
        ("damaged", frame(0x00, !0x4411, 17, 53)),
        ("other", frame(0xDD, 0, 0, 0)),
    ] {
        let passes = program.run(&mut frame, counts.as_flattened_mut(), FUEL)? == 1;
        let reason = reason.lock().map_err(|error| error.to_string())?;
        let reason = if passes { "passes" } else { reason.as_str() };
        said += &format!("{name}: {reason}\n");
    }
    Ok(said + &format!("dropped: {}\n", u64::from_ne_bytes(counts[1])))
}

fn main() -> Result<(), Box<dyn Error>> {
    let interpreted = filter(None)?;
    print!("{interpreted}");
    for level in 0..4 {
        assert_eq!(filter(Some(level))?, interpreted, "level {level}");
    }
    println!("compiled at levels 0 to 3: the same");
    Ok(())
}
