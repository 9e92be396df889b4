//! The lines of the text that imported instructions come from, and what became of `alloca`s, for
//! debuggers.

use mir_nostd::ir::{FuncId, InsnId, Module, Reg};
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
    /// The `alloca`s, by the names of their results.
    slots: HashMap<String, Slot>,
}

/// The place of the memory of an `alloca` in the imported function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// There is no memory: a variable of Medium IR has the value that would be stored there.
    Variable(Reg),
    /// The memory begins so many bytes above the address that a variable of Medium IR has.
    Memory(Reg, i64),
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

    /// Returns the place of the `alloca` with a result of this name, without `%`; `None` if the
    /// function has none whose size is known.
    #[must_use]
    pub fn slot(&self, func: FuncId, name: &str) -> Option<Slot> {
        let function = self.functions.get(func.index())?;
        function.slots.get(name).copied()
    }
}

/// The lines of instructions while they are made.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    heads: HashMap<FuncId, u32>,
    slots: HashMap<FuncId, HashMap<String, Slot>>,
    /// By the number of the instruction in the module.
    instructions: Vec<u32>,
}

impl Recorder {
    pub(crate) fn begin(&mut self, func: FuncId, line: u32) {
        self.heads.insert(func, line);
    }

    /// Notes the place of an `alloca` of a function.
    pub(crate) fn add_slot(&mut self, func: FuncId, name: &str, slot: Slot) {
        let slots = self.slots.entry(func).or_default();
        slots.insert(name.to_owned(), slot);
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
            slots: self.slots.get(&func).cloned().unwrap_or_default(),
        });
        Lines {
            functions: functions.collect(),
        }
    }
}
