//! The memory and time that an embedder needs, measured in this process with a counting allocator.

use core::sync::atomic::{AtomicU64, AtomicUsize};
use std::fs;
use std::path::Path;
use std::time::Instant;

use mir_host::{HostPages, SystemAllocator};
use mir_nostd::binary::{self, ReadOptions, WriteOptions};
use mir_nostd::confined::{self, LEAST_BYTES, Space};
use mir_nostd::interp::{Engine, Interpreter, Options};
use mir_nostd::link::{Context, ContextOptions};
use mir_nostd::mem::Allocator;
use mir_nostd::run::{self, Jit};
use mir_nostd::target::{Target, Value};
use mir_nostd::text;
use mir_nostd::verify::Verified;
use target_x86_64::{ISA, NATIVE};
use testkit::FailingAllocator;

use crate::{Bench, Figure};

const TARGET: &Target = &target_x86_64::TARGET;

/// Measures the memory of modules; and the memory and time of a program of a hundred instructions.
pub fn figures(bench: &Bench) -> Result<Vec<Figure>, String> {
    let program = hundred_instructions()?;
    let allocator = FailingAllocator::new();
    load_and_run(&program, &allocator)?;
    let mut least = f64::INFINITY;
    for _ in 0..1000 {
        let start = Instant::now();
        load_and_run(&program, &SystemAllocator)?;
        least = least.min(start.elapsed().as_secs_f64() * 1e6);
    }
    let peak = allocator.peak_bytes() as f64 / 1024.0;
    let interpreted = confined_kilobytes(&program, None)?;
    let compiled = confined_kilobytes(&program, Some(3))?;
    Ok(vec![
        Figure::most(
            "memory after reading, bytes per insn",
            Some(bytes_per_insn(&bench.root)?),
            120.0,
            64.0,
        ),
        Figure::most("heap for 100 instructions, KB", Some(peak), 32.0, 8.0),
        Figure::most(
            "the same confined, but its region, KB",
            Some(interpreted),
            32.0,
            16.0,
        ),
        Figure::other("confined, compiled at level 3, KB", Some(compiled)),
        Figure::most("bytes to first instruction, us", Some(least), 50.0, 20.0),
    ])
}

/// Returns the memory held after reading the random programs, one by one, per instruction or label.
fn bytes_per_insn(root: &Path) -> Result<f64, String> {
    let (mut held, mut insns) = (0, 0);
    for entry in fs::read_dir(root.join("corpus/csmith"))
        .map_err(|error| error.to_string())?
        .flatten()
    {
        let path = entry.path();
        if path.extension().is_none_or(|extension| extension != "bmir") {
            continue;
        }
        let file = fs::read(&path).map_err(|error| error.to_string())?;
        let allocator = FailingAllocator::new();
        let options = ReadOptions::new(TARGET.long_double, TARGET.big_endian);
        let modules =
            binary::read(&file, &allocator, &options).map_err(|error| error.to_string())?;
        held += allocator.live_bytes();
        insns += modules
            .iter()
            .flat_map(|module| module.funcs())
            .map(|(_, func)| func.insn_count())
            .sum::<usize>();
    }
    Ok(held as f64 / insns as f64)
}

/// Returns a binary file whose only function has a hundred instructions, executed once each.
fn hundred_instructions() -> Result<Vec<u8>, String> {
    let middle = "        add r, r, a\n        mul a, a, 3\n".repeat(49);
    let source = format!(
        "m:      module\n        export f\nf:      func i64, i64:a\n        local i64:r\n\
         {:8}bf end, a\n{middle}end:    ret a\n        endfunc\n        endmodule\n",
        ""
    );
    let modules = text::parse(
        source.as_bytes(),
        &SystemAllocator,
        TARGET.long_double,
        &mut |_| (),
    );
    let modules = modules.map_err(|error| error.to_string())?;
    let options = WriteOptions::new(TARGET.big_endian);
    let file =
        binary::write(&modules, &SystemAllocator, &options).map_err(|error| error.to_string())?;
    Ok(file.to_vec())
}

/// Does everything from the bytes to the result.
fn load_and_run(program: &[u8], allocator: &dyn Allocator) -> Result<(), String> {
    let engine = Engine::new();
    let context = Context::new(ContextOptions::new(allocator, TARGET, &engine));
    let options = ReadOptions::new(TARGET.long_double, TARGET.big_endian);
    let mut modules =
        binary::read(program, allocator, &options).map_err(|error| error.to_string())?;
    let module = modules.pop().ok_or("no module")?;
    drop(modules);
    let verified = Verified::new(module, TARGET, &mut |_| ())
        .map_err(|rejected| rejected.error.to_string())?;
    // SAFETY: the program touches its own memory only.
    unsafe { context.load(verified) }.map_err(|error| error.to_string())?;
    context
        .link(&mut |_| None)
        .map_err(|error| error.to_string())?;
    let function = context.find_func(b"f").ok_or("no function")?;
    let mut interpreter =
        Interpreter::new(&context, Options::default()).map_err(|error| error.to_string())?;
    let mut results = [Value::ZERO];
    interpreter
        .run(function, &[Value::from_i64(0)], &mut results)
        .map_err(|stop| stop.reason.to_string())
}

/// Returns the most memory that is in use at a time while a program is run confined, interpreted or
/// compiled at a level, from its bytes to its result: all that the runtime asks of its allocator,
/// which is everything but the memory that the program sees, executable pages, and a few words of
/// the stack.
fn confined_kilobytes(program: &[u8], level: Option<u8>) -> Result<f64, String> {
    let allocator = FailingAllocator::new();
    run_confined(program, &allocator, level)?;
    Ok(allocator.peak_bytes() as f64 / 1024.0)
}

/// Does everything from the bytes to the result for a confined program.
fn run_confined(
    program: &[u8],
    allocator: &dyn Allocator,
    level: Option<u8>,
) -> Result<(), String> {
    let failed = |error: mir_nostd::ir::Error| error.to_string();
    let mut memory = [0; LEAST_BYTES];
    let space = Space::new(allocator, &mut memory, Default::default()).map_err(failed)?;
    let fuel = AtomicU64::new(1 << 20);
    let stack = AtomicUsize::new(0);
    let engine = Engine::with_fuel();
    let context = Context::new(ContextOptions {
        native: level.map(|_| &NATIVE as _),
        pages: level.map(|_| &HostPages as _),
        ..ContextOptions::new(allocator, TARGET, &engine)
    });
    let mut confined = confined::Program::new(&context, &space).map_err(failed)?;
    let options = ReadOptions::new(TARGET.long_double, TARGET.big_endian);
    let mut modules = binary::read(program, allocator, &options).map_err(failed)?;
    let module = modules.pop().ok_or("no module")?;
    drop(modules);
    let verified = Verified::new(module, TARGET, &mut |_| ());
    let verified = verified.map_err(|rejected| failed(rejected.error))?;
    confined.load(verified).map_err(failed)?;
    confined.link().map_err(failed)?;
    let (arguments, mut results) = ([Value::from_i64(0)], [Value::ZERO]);
    let ran = match level {
        None => confined.interpret(b"f", &arguments, &mut results, 1 << 20),
        Some(level) => {
            let mut options = run::Options::default();
            (options.fuel, options.stack_limit) = (Some(&fuel), Some(&stack));
            options.codegen.level = level;
            let jit = Jit::new(&context, &ISA, &NATIVE, &HostPages, options);
            let jit = jit.map_err(|error| error.to_string())?;
            let compiled = confined.compile(&jit, &mut |_, error| eprintln!("{error}"));
            compiled.map_err(|error| error.to_string())?;
            confined.run(&jit, b"f", &arguments, &mut results)
        }
    };
    ran.map_err(|fault| fault.to_string())
}
