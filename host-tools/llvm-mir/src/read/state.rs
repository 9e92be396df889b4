//! The state of reading a function: maps from numbers of the file to indices of the model.

use super::error::{Result, fault};
use super::ir::{IrFunction, Names};
use crate::model::{Function, InsnFlag, OperandFlags, Register, RegisterKind, VirtualRegister};
use crate::target::{Opcode, Target};
use std::collections::{HashMap, HashSet};

/// The tables of one function.
pub(super) struct State<'a> {
    pub(super) target: &'static Target,
    pub(super) names: &'a Names<'a>,
    pub(super) ir: Option<&'a IrFunction<'a>>,
    pub(super) function: Function,
    registers: HashMap<u32, u32>,
    named_registers: HashMap<Vec<u8>, u32>,
    /// The numbers in the list of registers.
    pub(super) listed: HashSet<u32>,
    /// True for each register that has been given a class, a bank or a type.
    pub(super) is_settled: Vec<bool>,
    pub(super) blocks: HashMap<u32, u32>,
    /// The names after the numbers of the labels, by index.
    pub(super) block_names: Vec<&'a [u8]>,
    pub(super) stack: HashMap<u32, u32>,
    pub(super) fixed_stack: HashMap<u32, u32>,
    pub(super) jump_tables: HashMap<u32, u32>,
    pub(super) constants: HashSet<u32>,
    pub(super) metadata: HashSet<u32>,
    pub(super) words: &'a Words,
}

/// Words and opcodes with a meaning in the body.
pub(super) struct Words {
    pub(super) operand_flags: HashMap<&'static [u8], OperandFlags>,
    pub(super) insn_flags: HashMap<&'static [u8], InsnFlag>,
    pub(super) cfi: Option<Opcode>,
}

impl Words {
    pub(super) fn new(target: &Target) -> Words {
        let mut operand_flags: HashMap<&[u8], OperandFlags> = OperandFlags::TABLE
            .iter()
            .map(|(flag, word)| (word.as_bytes(), *flag))
            .collect();
        let def = OperandFlags::DEF.with(OperandFlags::IMPLICIT);
        operand_flags.insert(b"implicit-def", def);
        let insn_flags = InsnFlag::TABLE
            .iter()
            .map(|(flag, word)| (word.as_bytes(), *flag));
        let accepted = insn_flags.filter(|(word, _)| *word != b"nomerge" && *word != b"lr-split");
        Words {
            operand_flags,
            insn_flags: accepted.collect(),
            cfi: target.opcode(b"CFI_INSTRUCTION"),
        }
    }
}

impl<'a> State<'a> {
    pub(super) fn new(
        target: &'static Target,
        names: &'a Names<'a>,
        ir: Option<&'a IrFunction<'a>>,
        function: Function,
        words: &'a Words,
    ) -> State<'a> {
        State {
            target,
            names,
            ir,
            function,
            registers: HashMap::new(),
            named_registers: HashMap::new(),
            listed: HashSet::new(),
            is_settled: Vec::new(),
            blocks: HashMap::new(),
            block_names: Vec::new(),
            stack: HashMap::new(),
            fixed_stack: HashMap::new(),
            jump_tables: HashMap::new(),
            constants: HashSet::new(),
            metadata: HashSet::new(),
            words,
        }
    }

    fn add(&mut self, name: Option<Vec<u8>>) -> u32 {
        let index = self.function.registers.len() as u32;
        let name = name.map(Into::into);
        self.function.registers.push(VirtualRegister {
            name,
            ..VirtualRegister::default()
        });
        self.is_settled.push(false);
        index
    }

    /// Returns the virtual register of this number, which its first mention creates.
    pub(super) fn register(&mut self, number: u32) -> Register {
        if let Some(index) = self.registers.get(&number) {
            return Register::virt(*index);
        }
        let index = self.add(None);
        self.registers.insert(number, index);
        Register::virt(index)
    }

    /// Returns the name or number of a virtual register in the file.
    pub(super) fn name_of(&self, index: usize) -> String {
        let name = self
            .function
            .registers
            .get(index)
            .and_then(|register| register.name.clone());
        let number = || {
            self.registers
                .iter()
                .find(|(_, known)| **known as usize == index)
        };
        match name {
            Some(name) => name.to_string(),
            None => number().map_or_else(String::new, |(number, _)| number.to_string()),
        }
    }

    /// Returns the virtual register of this name, which its first mention creates.
    pub(super) fn named_register(&mut self, name: &[u8]) -> Register {
        if let Some(index) = self.named_registers.get(name) {
            return Register::virt(*index);
        }
        let index = self.add(Some(name.to_vec()));
        self.named_registers.insert(name.to_vec(), index);
        Register::virt(index)
    }

    /// Returns the physical register of this name.
    pub(super) fn physical(&self, name: &[u8], at: usize) -> Result<Register> {
        if name == b"_" || name == b"noreg" {
            return Ok(Register::NONE);
        }
        match self.target.register(name) {
            Some(number) => Ok(Register::physical(number)),
            None => fault(
                at,
                format!("unknown register name '{}'", super::error::lossy(name)),
            ),
        }
    }

    /// Returns the class, bank or `_` of this name.
    pub(super) fn kind(&self, name: &[u8]) -> Option<RegisterKind> {
        if name == b"_" {
            return Some(RegisterKind::Generic);
        }
        if let Some(class) = self.target.class(name) {
            return Some(RegisterKind::Class(class));
        }
        self.target.bank(name).map(RegisterKind::Bank)
    }

    /// Returns a virtual register and its flag in `is_settled`; `None` for a physical register.
    pub(super) fn info(&mut self, register: Register) -> Option<(&mut VirtualRegister, &mut bool)> {
        let index = register.virtual_index()?;
        Some((
            self.function.registers.get_mut(index)?,
            self.is_settled.get_mut(index)?,
        ))
    }
}
