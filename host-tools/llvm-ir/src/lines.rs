//! The lines of the text that imported instructions come from, what became of `alloca`s, and the
//! values of variables, for debuggers.

use mir_nostd::ir::{FuncId, InsnId, Module, Reg};
use mir_nostd::mem::Entity;
use std::collections::{BTreeSet, HashMap};

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
    variables: Vec<VariableValues>,
}

/// The value of a variable of C, C++ or Rust.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KnownValue {
    /// The value of this variable of Medium IR, if it is narrower the low bits of that.
    Variable(Reg),
    /// This integer.
    Number(i64),
}

/// The values of a variable of C, C++ or Rust that debug records (`#dbg_value`) give it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariableValues {
    /// The number of the node of the variable.
    pub variable: u32,
    /// The number of the node of the location that the records are at.
    pub location: u32,
    /// The numbers of instructions from which on it has another value.
    changes: Vec<(usize, Option<KnownValue>)>,
}

impl VariableValues {
    /// Returns the value that the variable has before the instruction of this number, labels
    /// counted; `None` if it is not known.
    #[must_use]
    pub fn before(&self, instruction: usize) -> Option<KnownValue> {
        let count = self
            .changes
            .partition_point(|&(from, _)| from <= instruction);
        self.changes.get(count.checked_sub(1)?)?.1
    }

    /// Returns the variables of Medium IR whose values it has somewhere.
    #[must_use]
    pub fn registers(&self) -> BTreeSet<Reg> {
        let values = self.changes.iter().filter_map(|&(_, value)| value);
        let registers = values.filter_map(|value| match value {
            KnownValue::Variable(reg) => Some(reg),
            KnownValue::Number(_) => None,
        });
        registers.collect()
    }
}

/// The same while instructions are made.
#[derive(Clone, Debug)]
pub(crate) struct ValueChanges {
    nodes: (u32, u32),
    pub(crate) changes: Vec<(InsnId, Option<KnownValue>)>,
}

impl ValueChanges {
    /// Returns a variable, of these nodes of it and of its location, without values.
    pub(crate) const fn new(nodes: (u32, u32)) -> ValueChanges {
        ValueChanges {
            nodes,
            changes: Vec::new(),
        }
    }

    /// Replaces each variable of Medium IR by what it becomes.
    pub(crate) fn replace(&mut self, became: &dyn Fn(Reg) -> Reg) {
        for (_, value) in &mut self.changes {
            if let Some(KnownValue::Variable(reg)) = value {
                *reg = became(*reg);
            }
        }
    }
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

    /// Returns the variables of C, C++ or Rust that debug records of a function give values.
    #[must_use]
    pub fn values(&self, func: FuncId) -> &[VariableValues] {
        let function = self.functions.get(func.index());
        function.map_or(&[], |function| &function.variables)
    }
}

/// The lines of instructions while they are made.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    heads: HashMap<FuncId, u32>,
    slots: HashMap<FuncId, HashMap<String, Slot>>,
    variables: HashMap<FuncId, (Vec<InsnId>, Vec<ValueChanges>)>,
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

    /// Notes the values of the variables of a function, which had these instructions.
    pub(crate) fn add_variables(
        &mut self,
        func: FuncId,
        insns: Vec<InsnId>,
        variables: Vec<ValueChanges>,
    ) {
        if !variables.is_empty() {
            self.variables.insert(func, (insns, variables));
        }
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
            variables: self.variables_of(module, func),
        });
        Lines {
            functions: functions.collect(),
        }
    }

    fn variables_of(&self, module: &Module<'_>, func: FuncId) -> Vec<VariableValues> {
        let Some((insns, variables)) = self.variables.get(&func) else {
            return Vec::new();
        };
        let now: HashMap<InsnId, usize> = module.insns(func).zip(0..).collect();
        // Of an instruction that was removed the number is that of the next one.
        let (mut numbers, mut next) = (HashMap::new(), now.len());
        for &insn in insns.iter().rev() {
            next = now.get(&insn).copied().unwrap_or(next);
            numbers.insert(insn, next);
        }
        let number = |&(insn, value): &(InsnId, _)| (numbers.get(&insn).copied(), value);
        let known = variables.iter().map(|variable| VariableValues {
            variable: variable.nodes.0,
            location: variable.nodes.1,
            changes: (variable.changes.iter().map(number))
                .filter_map(|(number, value)| Some((number?, value)))
                .collect(),
        });
        known.collect()
    }
}
