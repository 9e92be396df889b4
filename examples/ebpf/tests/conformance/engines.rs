//! Programs in every engine, with an assembler for them.

use example_ebpf::run::{Helper, Program};
use example_ebpf::{Helpers, translate};
use mir_host::{HostPages, SystemAllocator};
use mir_nostd::interp::Engine;
use mir_nostd::link::{Context, ContextOptions, Reason};
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

/// The result of a run, and what it left in memory.
pub(crate) type Outcome = (Result<u64, Reason>, Vec<u8>);

/// Runs a program, compiled at a level or interpreted.
fn run(program: &[u8], helpers: &[Helper<'_>], memory: &[u8], level: Option<u8>) -> Outcome {
    let target = target_all::HOST.target();
    let numbers: Vec<u32> = helpers.iter().map(|helper| helper.0).collect();
    let module = translate(program, Helpers(&numbers), target, &SystemAllocator).unwrap();
    let engine = Engine::new();
    let mut lent = ContextOptions::new(&SystemAllocator, target, &engine);
    lent.native = Some(target_all::NATIVE);
    lent.pages = Some(&HostPages);
    let context = Context::new(lent);
    // SAFETY: the tests' programs keep to their stack and to the memory that they are given.
    let mut loaded = unsafe { Program::load(&context, module, helpers) }.unwrap();
    if let Some(level) = level {
        let mut options = Options::default();
        options.codegen.level = level;
        let (backend, native) = (target_all::HOST, target_all::NATIVE);
        let jit = Jit::new(&context, backend, native, &HostPages, options);
        loaded.compile(jit.unwrap()).unwrap();
    }
    let mut memory = memory.to_vec();
    let result = loaded.run(&mut memory);
    (result, memory)
}

/// Runs a program in every engine, which all agree.
pub(crate) fn run_everywhere(program: &[Insn], helpers: &[Helper<'_>], memory: &[u8]) -> Outcome {
    let program = assemble(program);
    let interpreted = run(&program, helpers, memory, None);
    for level in 0..4 {
        let compiled = run(&program, helpers, memory, Some(level));
        assert_eq!(compiled, interpreted, "level {level}");
    }
    interpreted
}
