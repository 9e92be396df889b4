//! Verifies functions by LLVM's rules.
//!
//! The rules are those that can be judged from a file: operands against the opcode's description
//! ([`operands`]), the shape of blocks ([`blocks`]), liveness of physical registers and flow of
//! virtual ones ([`liveness`], [`flow`]), generic instructions ([`generic`]), the frames of calls
//! ([`frames`]).

mod bits;
mod blocks;
mod flow;
mod frames;
mod generic;
mod liveness;
mod operands;
mod reserved;

use crate::model::{File, Function, FunctionProperty, Instruction, RegisterKind, VirtualRegister};
use crate::print::InstructionPrinter;
use crate::target::{ClassId, Opcode, SubIndex, Target};
use bits::Bits;
use core::cell::OnceCell;
use std::collections::HashMap;

/// A violation of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The function.
    pub function: String,
    /// The block.
    pub block: Option<u32>,
    /// The instruction as it is printed.
    pub instruction: Option<String>,
    /// A description, in LLVM's words where it has some.
    pub message: String,
}

impl core::fmt::Display for Report {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}, in function {}", self.message, self.function)?;
        if let Some(block) = self.block {
            write!(f, ", bb.{block}")?;
        }
        if let Some(instruction) = &self.instruction {
            write!(f, ": {instruction}")?;
        }
        Ok(())
    }
}

/// Returns all violations in the functions of a file.
#[must_use]
pub fn verify(file: &File) -> Vec<Report> {
    let opcodes = Opcodes::new(file.target);
    let allocatable = allocatable(file.target);
    let reserved = Bits::of(&file.target.reserved(), file.target.register_count() + 1);
    let mut class_problems = ClassProblems::new();
    let mut reports = Vec::new();
    for function in &file.functions {
        let mut checker = Checker {
            target: file.target,
            function,
            opcodes: &opcodes,
            allocatable: &allocatable,
            reserved: reserved::of(file.target, function, &reserved),
            class_problems: &mut class_problems,
            predecessors: predecessors(function),
            at: (None, None),
            printer: OnceCell::new(),
            reports: Vec::new(),
        };
        checker.check();
        reports.append(&mut checker.reports);
    }
    reports
}

/// Returns the registers of allocatable classes that are not reserved.
fn allocatable(target: &Target) -> Bits {
    let mut bits = Bits::new(target.register_count() + 1);
    let reserved = target.reserved();
    let classes = (0..target.class_count()).map(|class| ClassId(class as u16));
    for class in classes.filter(|class| target.is_allocatable_class(*class)) {
        for register in target.class_members(class).iter() {
            if !reserved.contains(register) {
                bits.insert(register.into());
            }
        }
    }
    bits
}

fn predecessors(function: &Function) -> Vec<Vec<u32>> {
    let mut predecessors = vec![Vec::new(); function.blocks.len()];
    for (block, from) in function.blocks.iter().zip(0_u32..) {
        for to in &block.successors {
            if let Some(list) = predecessors.get_mut(to.block as usize) {
                list.push(from);
            }
        }
    }
    predecessors
}

/// Opcodes that rules refer to.
struct Opcodes {
    phi: [Option<Opcode>; 2],
    copy: Option<Opcode>,
    inline_asm: [Option<Opcode>; 2],
    bundle: Option<Opcode>,
    patch_point: Option<Opcode>,
    debug_values: [Option<Opcode>; 2],
}

impl Opcodes {
    fn new(target: &Target) -> Opcodes {
        let opcode = |name: &str| target.opcode(name.as_bytes());
        Opcodes {
            phi: [opcode("PHI"), opcode("G_PHI")],
            copy: opcode("COPY"),
            inline_asm: [opcode("INLINEASM"), opcode("INLINEASM_BR")],
            bundle: opcode("BUNDLE"),
            patch_point: opcode("PATCHPOINT"),
            debug_values: [opcode("DBG_VALUE"), opcode("DBG_VALUE_LIST")],
        }
    }

    fn is_phi(&self, insn: &Instruction) -> bool {
        self.phi.contains(&Some(insn.opcode))
    }

    fn is_debug_value(&self, insn: &Instruction) -> bool {
        self.debug_values.contains(&Some(insn.opcode))
    }

    fn is_copy(&self, insn: &Instruction) -> bool {
        self.copy == Some(insn.opcode)
    }

    fn is_inline_asm(&self, insn: &Instruction) -> bool {
        self.inline_asm.contains(&Some(insn.opcode))
    }

    fn is_bundle(&self, insn: &Instruction) -> bool {
        self.bundle == Some(insn.opcode)
    }
}

/// The verdict on a class and part where another class is wanted.
type ClassProblems = HashMap<(ClassId, SubIndex, Option<ClassId>), Option<&'static str>>;

/// The state of checking a function.
struct Checker<'a> {
    target: &'static Target,
    function: &'a Function,
    opcodes: &'a Opcodes,
    allocatable: &'a Bits,
    reserved: Bits,
    /// A cache of verdicts on register classes.
    class_problems: &'a mut ClassProblems,
    predecessors: Vec<Vec<u32>>,
    /// The current block and instruction.
    at: (Option<u32>, Option<&'a Instruction>),
    printer: OnceCell<InstructionPrinter<'a>>,
    reports: Vec<Report>,
}

impl<'a> Checker<'a> {
    fn check(&mut self) {
        if self.function.has(FunctionProperty::FailedISel) {
            return;
        }
        for (block, number) in self.function.blocks.iter().zip(0_u32..) {
            self.at = (Some(number), None);
            self.check_block(number, block);
            for insn in &block.instructions {
                self.at = (Some(number), Some(insn));
                self.check_operands(insn);
                self.check_generic(insn);
            }
        }
        if self.function.has(FunctionProperty::TracksRegLiveness) {
            self.check_physical_liveness();
            self.check_flow();
        }
        self.check_phis();
        self.check_call_frames();
    }

    fn report(&mut self, message: impl Into<String>) {
        let instruction = self.at.1.map(|insn| {
            let new = || InstructionPrinter::new(self.target, self.function);
            self.printer.get_or_init(new).text(insn)
        });
        self.reports.push(Report {
            function: self.function.name.to_string(),
            block: self.at.0,
            instruction,
            message: message.into(),
        });
    }

    fn has(&self, property: FunctionProperty) -> bool {
        self.function.has(property)
    }

    fn virtual_register(&self, register: crate::model::Register) -> Option<&'a VirtualRegister> {
        self.function.registers.get(register.virtual_index()?)
    }

    /// Returns the class of a virtual register.
    fn class_of(&self, register: crate::model::Register) -> Option<ClassId> {
        match self.virtual_register(register)?.kind {
            RegisterKind::Class(class) => Some(class),
            _ => None,
        }
    }
}
