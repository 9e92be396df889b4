//! The lines of the text that imported instructions come from.

use mir_nostd::ir::{FuncId, InsnId, Module};
use mir_nostd::mem::Entity;
use std::collections::HashMap;

/// The lines of the text that the functions of an imported module, and their instructions, come
/// from.
///
/// ```
/// use mir_nostd::target::Isa;
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// let text = b"define i32 @twice(i32 %x) {\n  %y = add i32 %x, %x\n  ret i32 %y\n}\n";
/// let options = llvm_ir::Options::new(target_x86_64::ISA.description());
/// let imported = llvm_ir::import(text, &options, &testkit::SystemAllocator);
/// let imported = imported.map_err(|mut errors| errors.remove(0))?;
/// let (func, _) = imported.module.funcs().next().ok_or("no function")?;
/// assert_eq!(imported.lines.head(func), Some(1));
/// // The label of the block comes first.
/// assert_eq!(imported.lines.instruction(func, 1), Some(2));
/// # Ok(()) }
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lines {
    functions: Vec<FunctionLines>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct FunctionLines {
    /// The line of the function's head; 0 if it has none.
    head: u32,
    /// The line of each instruction; 0 if it has none.
    instructions: Vec<u32>,
}

impl Lines {
    /// Returns the line of a function's head, from 1; `None` for a function that the text does not
    /// have.
    #[must_use]
    pub fn head(&self, func: FuncId) -> Option<u32> {
        let function = self.functions.get(func.index())?;
        Some(function.head).filter(|&line| line > 0)
    }

    /// Returns the line, from 1, of the instruction of a function that has this number, labels
    /// counted; `None` if it comes from no line.
    #[must_use]
    pub fn instruction(&self, func: FuncId, number: usize) -> Option<u32> {
        let function = self.functions.get(func.index())?;
        let line = function.instructions.get(number).copied();
        line.filter(|&line| line > 0)
    }
}

/// The lines of instructions while they are made.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    heads: HashMap<FuncId, u32>,
    /// By the number of the instruction in the module.
    instructions: Vec<u32>,
}

impl Recorder {
    pub(crate) fn begin(&mut self, func: FuncId, line: u32) {
        self.heads.insert(func, line);
    }

    pub(crate) fn add(&mut self, insn: InsnId, line: u32) {
        let number = insn.index();
        if number >= self.instructions.len() {
            self.instructions.resize(number + 1, 0);
        }
        self.instructions[number] = line;
    }

    /// Returns the lines of all functions of a module that is complete.
    pub(crate) fn finish(&self, module: &Module<'_>) -> Lines {
        let line = |insn: InsnId| self.instructions.get(insn.index()).copied().unwrap_or(0);
        let functions = module.funcs().map(|(func, _)| FunctionLines {
            head: self.heads.get(&func).copied().unwrap_or(0),
            instructions: module.insns(func).map(line).collect(),
        });
        Lines {
            functions: functions.collect(),
        }
    }
}
