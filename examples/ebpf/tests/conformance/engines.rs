//! Programs in every engine, with an assembler for them.

use core::sync::atomic::{AtomicU64, AtomicUsize};
use example_ebpf::run::{Helper, OPTIONS, Program};
use example_ebpf::{Helpers, translate};
use mir_host::{HostPages, SystemAllocator};
use mir_nostd::confined::{Fault, Space};
use mir_nostd::interp::Engine;
use mir_nostd::link::{Context, ContextOptions};
use mir_nostd::run::{Jit, Options};

/// An instruction: opcode, destination, source, offset, immediate value.
pub(crate) type Insn = (u8, u8, u8, i16, i32);

/// `exit`.
pub(crate) const EXIT: Insn = (0x95, 0, 0, 0, 0);

/// Returns the bytes of a program as they lie in this machine's memory.
pub(crate) fn assemble(program: &[Insn]) -> Vec<u8> {
    let encode = |&(opcode, dst, src, offset, imm): &Insn| {
        let registers = if cfg!(target_endian = "big") {
            dst << 4 | src
        } else {
            src << 4 | dst
        };
        let mut bytes = vec![opcode, registers];
        bytes.extend(offset.to_ne_bytes());
        bytes.extend(imm.to_ne_bytes());
        bytes
    };
    program.iter().flat_map(encode).collect()
}

/// The outcome of a run.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Outcome {
    pub(crate) result: Result<u64, Fault>,
    /// The fuel that is left.
    pub(crate) fuel: u64,
    pub(crate) packet: Vec<u8>,
    pub(crate) context: Vec<u8>,
}

/// The fuel of each run.
const FUEL: u64 = 1 << 19;

/// The bytes of a program's memory, which is its stack.
pub(crate) const MEMORY_BYTES: usize = 16 << 10;

/// The bytes around what a program is lent, and their contents.
const GUARD: [u8; 64] = [0xA5; 64];

/// Calls `body` with a copy of these bytes, and returns its result and what is in them then.
///
/// # Panics
///
/// If what is around them has changed.
fn guarded<T>(bytes: &[u8], body: impl FnOnce(&mut [u8]) -> T) -> (T, Vec<u8>) {
    let mut all = [&GUARD, bytes, &GUARD].concat();
    let (start, end) = (GUARD.len(), GUARD.len() + bytes.len());
    let result = body(&mut all[start..end]);
    assert!(all[..start] == GUARD && all[end..] == GUARD);
    (result, all[start..end].to_vec())
}

/// Runs a program, compiled at a level or interpreted.
fn run(
    program: &[u8],
    helpers: &[Helper<'_>],
    [packet, context]: [&[u8]; 2],
    level: Option<u8>,
) -> Outcome {
    let target = target_all::HOST.target();
    let numbers: Vec<u32> = helpers.iter().map(|helper| helper.0).collect();
    let module = translate(program, Helpers(&numbers), target, &SystemAllocator).unwrap();
    let load_and_run = |memory: &mut [u8]| {
        let space = Space::new(&SystemAllocator, memory, OPTIONS).unwrap();
        // Compiled code may use half of a thread's stack.
        let stack = AtomicUsize::new((&raw const space).addr() - (1 << 20));
        let fuel = AtomicU64::new(0);
        let engine = Engine::with_fuel();
        let mut lent = ContextOptions::new(&SystemAllocator, target, &engine);
        lent.native = Some(target_all::NATIVE);
        lent.pages = Some(&HostPages);
        let host = Context::new(lent);
        let mut loaded = Program::load(&host, &space, module, helpers).unwrap();
        if let Some(level) = level {
            let mut options = Options::default();
            (options.fuel, options.stack_limit) = (Some(&fuel), Some(&stack));
            options.codegen.level = level;
            let (backend, native) = (target_all::HOST, target_all::NATIVE);
            let jit = Jit::new(&host, backend, native, &HostPages, options);
            loaded.compile(jit.unwrap(), &fuel).unwrap();
        }
        let ((result, context), packet) = guarded(packet, |packet| {
            guarded(context, |context| loaded.run(packet, context, FUEL))
        });
        Outcome {
            result,
            fuel: loaded.fuel(),
            packet,
            context,
        }
    };
    guarded(&[0; MEMORY_BYTES], load_and_run).0
}

/// Runs a program on a packet and a context in every engine, which all agree.
pub(crate) fn run_everywhere(
    program: &[Insn],
    helpers: &[Helper<'_>],
    lent: [&[u8]; 2],
) -> Outcome {
    let program = assemble(program);
    let interpreted = run(&program, helpers, lent, None);
    for level in 0..4 {
        let compiled = run(&program, helpers, lent, Some(level));
        assert_eq!(compiled, interpreted, "level {level}");
    }
    interpreted
}
