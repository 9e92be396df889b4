//! Counts how often the blocks of a program run (`mir run --profile`).
//!
//! Each block begins with one more instruction, `add i64:PLACE, i64:PLACE, 1`, which changes no
//! variable, so that every engine counts alike. When the process ends the counts are written, a
//! line for each block: the function, the number of the block's first instruction in the program as
//! it was read, labels counted, and how often it ran.

use crate::compiled::name;
use crate::diagnostics::Diagnostics;
use crate::failure::{Failure, Result};
use crate::host;
use core::fmt::Write;
use core::sync::atomic::{AtomicI64, Ordering};
use mir_nostd::ir::{Code, Flags, FuncId, InsnId, Mem, Module, Operand, Position, Type};
use std::path::PathBuf;
use std::sync::OnceLock;

/// A block that is counted.
struct Block {
    function: String,
    /// The number of its first instruction.
    number: usize,
}

/// The counts of a program.
struct Counts {
    path: PathBuf,
    diagnostics: Diagnostics,
    blocks: Vec<Block>,
    /// How often each block ran; the program adds to it.
    ran: &'static [AtomicI64],
}

/// The first instruction of each block of a function, with its number.
type Leaders = Vec<(usize, InsnId)>;

static COUNTS: OnceLock<Counts> = OnceLock::new();

/// Has the blocks of these modules counted, and the counts written to a file when the process ends.
pub(crate) fn count(
    modules: &mut [Vec<Module<'static>>],
    path: PathBuf,
    diagnostics: &Diagnostics,
) -> Result<()> {
    let mut found: Vec<(usize, usize, FuncId, Leaders)> = Vec::new();
    for (file, modules) in modules.iter().enumerate() {
        for (number, module) in modules.iter().enumerate() {
            for (func, _) in module.funcs() {
                found.push((file, number, func, leaders(module, func)));
            }
        }
    }
    let all = found.iter().map(|function| function.3.len()).sum();
    let ran: Vec<AtomicI64> = core::iter::repeat_with(AtomicI64::default)
        .take(all)
        .collect();
    let ran: &'static [AtomicI64] = ran.leak();
    let mut places = ran.iter();
    let mut blocks = Vec::with_capacity(all);
    for (file, number, func, leaders) in found {
        let module = &mut modules[file][number];
        let function = name(module, func);
        for ((number, insn), place) in leaders.into_iter().zip(&mut places) {
            // The first bytes of an integer are where it is.
            let address = core::ptr::from_ref(place).expose_provenance();
            let memory = Operand::Mem(Mem {
                ty: Type::I64,
                disp: address as i64,
                base: None,
                index: None,
                scale: 1,
                alias: None,
                nonalias: None,
            });
            let added = [memory, memory, Operand::Int(1)];
            let added = module.insert(func, Position::Before(insn), Code::Add, added);
            added.map_err(|error| Failure::Usage(error.problem.text().into()))?;
            let function = function.clone();
            blocks.push(Block { function, number });
        }
    }
    let counts = Counts {
        path,
        diagnostics: diagnostics.clone(),
        blocks,
        ran,
    };
    if COUNTS.set(counts).is_ok() {
        host::at_exit(write);
    }
    Ok(())
}

/// Returns the first instruction of each block of a function, labels aside, with its number. A
/// branch on overflow belongs to the instruction before it.
fn leaders(module: &Module<'_>, func: FuncId) -> Leaders {
    let mut found = Leaders::new();
    let mut begins = true;
    for (number, insn) in module.insns(func).enumerate() {
        let code = module.code(insn);
        let flags = code.flags();
        let tests = Flags::TESTS_SIGNED | Flags::TESTS_UNSIGNED;
        if code != Code::Label && begins && !flags.intersects(tests) {
            found.push((number, insn));
        }
        begins = code == Code::Label
            || flags.intersects(Flags::BRANCH | Flags::TERMINATOR)
            || begins && flags.intersects(tests);
    }
    found
}

/// Writes the counts.
extern "C" fn write() {
    let Some(counts) = COUNTS.get() else { return };
    let mut text = String::new();
    for (block, ran) in counts.blocks.iter().zip(counts.ran) {
        let ran = ran.load(Ordering::Relaxed);
        let _ = writeln!(text, "{} {} {ran}", block.function, block.number);
    }
    if let Err(Failure::File { name, problem }) =
        crate::output::to_file(&counts.path, text.as_bytes())
    {
        counts.diagnostics.file(&name, &problem);
    }
}
