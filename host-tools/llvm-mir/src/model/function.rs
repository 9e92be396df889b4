//! Machine functions and their blocks.

use super::{
    FixedObject, FrameInfo, Global, Instruction, IrBlock, LowType, OperandKind, Position, Register,
    StackObject, SubIndex, Text,
};
use crate::target::{BankId, ClassId, Target};
use std::collections::HashSet;

macro_rules! function_properties {
    ($($name:ident $key:literal)*) => {
        /// A boolean property of a function, in the order of printing.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[expect(missing_docs, reason = "the keys of LLVM")]
        pub enum FunctionProperty { $($name),* }

        impl FunctionProperty {
            /// All properties with their keys.
            pub const TABLE: &'static [(FunctionProperty, &'static str)] =
                &[$((FunctionProperty::$name, $key)),*];

            /// Returns the property with this key.
            #[must_use]
            pub fn of(key: &[u8]) -> Option<FunctionProperty> {
                let found = Self::TABLE.iter().find(|(_, known)| known.as_bytes() == key);
                found.map(|(property, _)| *property)
            }
        }
    };
}

function_properties! {
    ExposesReturnsTwice "exposesReturnsTwice"
    Legalized "legalized"
    RegBankSelected "regBankSelected"
    Selected "selected"
    FailedISel "failedISel"
    TracksRegLiveness "tracksRegLiveness"
    HasWinCfi "hasWinCFI"
    NoPhis "noPhis"
    IsSsa "isSSA"
    NoVRegs "noVRegs"
    HasFakeUses "hasFakeUses"
    CallsEhReturn "callsEHReturn"
    CallsUnwindInit "callsUnwindInit"
    HasEhContTarget "hasEHContTarget"
    HasEhScopes "hasEHScopes"
    HasEhFunclets "hasEHFunclets"
    IsOutlined "isOutlined"
    DebugInstrRef "debugInstrRef"
    FailsVerification "failsVerification"
    TracksDebugUserValues "tracksDebugUserValues"
}

impl FunctionProperty {
    /// Returns whether LLVM computes the property and always prints it.
    #[must_use]
    pub const fn is_computed(self) -> bool {
        use FunctionProperty::{HasFakeUses, IsSsa, NoPhis, NoVRegs};
        matches!(self, NoPhis | IsSsa | NoVRegs | HasFakeUses)
    }
}

/// A machine function.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Function {
    /// The name of the IR function.
    pub name: Text,
    /// The position of the name in the text that was read.
    pub position: Position,
    /// The alignment, a power of two.
    pub alignment: u64,
    properties: u32,
    /// Virtual registers.
    pub registers: Vec<VirtualRegister>,
    /// Physical registers that hold arguments.
    pub live_ins: Vec<LiveIn>,
    /// The callee-saved registers, if they differ from the calling convention's.
    pub callee_saved: Option<Vec<Register>>,
    /// The frame pointer policy that the IR function asks for.
    pub frame_pointer: FramePointer,
    /// The attributes of the IR function's group, as they are written.
    pub attributes: Text,
    /// Properties of the frame.
    pub frame: FrameInfo,
    /// Objects at fixed offsets.
    pub fixed_stack: Vec<FixedObject>,
    /// Objects whose offsets the compiler assigns.
    pub stack: Vec<StackObject>,
    /// Values of arguments at entry, for debug information.
    pub entry_values: Vec<EntryValue>,
    /// Information on calls.
    pub call_sites: Vec<CallSite>,
    /// Substitutions of instruction references.
    pub debug_substitutions: Vec<DebugSubstitution>,
    /// The constant pool.
    pub constants: Vec<Constant>,
    /// The target's own information on the function: keys and values.
    pub target_info: Vec<(Text, Text)>,
    /// The kind of the entries of jump tables.
    pub jump_table_kind: JumpTableKind,
    /// Jump tables.
    pub jump_tables: Vec<JumpTable>,
    /// Metadata that only machine code refers to: `!N = …`.
    pub metadata: Vec<Text>,
    /// The calls of known globals.
    pub called_globals: Vec<CalledGlobal>,
    /// The code.
    pub blocks: Vec<Block>,
}

impl Function {
    /// Returns a function without code.
    #[must_use]
    pub fn new(name: impl Into<Text>) -> Function {
        Function {
            name: name.into(),
            alignment: 1,
            ..Function::default()
        }
    }

    /// Returns the value of an attribute of the IR function that is a string.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&[u8]> {
        let attributes = self.attributes.as_bytes();
        let key = format!("\"{name}\"=\"");
        let found = (attributes.windows(key.len())).position(|window| window == key.as_bytes())?;
        let value = &attributes[found + key.len()..];
        value.get(..value.iter().position(|&byte| byte == b'"')?)
    }

    /// Returns whether the property holds.
    #[must_use]
    pub const fn has(&self, property: FunctionProperty) -> bool {
        self.properties >> property as u32 & 1 != 0
    }

    /// Sets or clears the property.
    pub const fn set(&mut self, property: FunctionProperty, value: bool) {
        self.properties =
            self.properties & !(1 << property as u32) | (value as u32) << property as u32;
    }

    /// Returns all instructions.
    pub fn instructions(&self) -> impl Iterator<Item = &Instruction> {
        self.blocks.iter().flat_map(|block| &block.instructions)
    }

    /// Computes the four properties that follow from the code.
    pub fn compute_properties(&mut self, target: &Target) {
        let opcode = |name: &[u8]| target.opcode(name);
        let phis = [opcode(b"PHI"), opcode(b"G_PHI")];
        let fake_use = opcode(b"FAKE_USE");
        let (mut has_phis, mut has_fake_uses) = (false, false);
        let mut is_ssa = true;
        let mut defined = vec![false; self.registers.len()];
        for insn in self.instructions() {
            has_phis |= phis.contains(&Some(insn.opcode));
            has_fake_uses |= fake_use == Some(insn.opcode);
            let registers = insn
                .operands
                .iter()
                .filter_map(|operand| operand.register());
            for operand in registers.filter(|operand| operand.is_def()) {
                let index = operand.register.virtual_index();
                if let Some(defined) = index.and_then(|index| defined.get_mut(index)) {
                    is_ssa &= !*defined && operand.sub == SubIndex::WHOLE;
                    *defined = true;
                }
            }
        }
        self.set(FunctionProperty::NoPhis, !has_phis);
        self.set(FunctionProperty::IsSsa, is_ssa);
        self.set(FunctionProperty::NoVRegs, self.registers.is_empty());
        self.set(FunctionProperty::HasFakeUses, has_fake_uses);
    }

    /// Returns the successors that LLVM assumes for a block when none are written.
    #[must_use]
    pub fn guessed_successors(&self, block: u32, target: &Target) -> Vec<u32> {
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        let Some(of) = self.blocks.get(block as usize) else {
            return found;
        };
        let phis = [target.opcode(b"PHI"), target.opcode(b"G_PHI")];
        for insn in of
            .instructions
            .iter()
            .filter(|insn| !phis.contains(&Some(insn.opcode)))
        {
            for operand in &insn.operands {
                if let OperandKind::Block(to) = operand.kind
                    && seen.insert(to)
                {
                    found.push(to);
                }
            }
        }
        let is_debug = |insn: &&Instruction| target.opcode_name(insn.opcode).starts_with("DBG_");
        let last = of.instructions.iter().rev().find(|insn| !is_debug(insn));
        let falls_through =
            last.is_none_or(|last| !target.signature(last.opcode).properties().is_barrier());
        let next = block + 1;
        if falls_through && (next as usize) < self.blocks.len() && seen.insert(next) {
            found.push(next);
        }
        found
    }
}

/// The policy in the attribute `frame-pointer` of an IR function.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FramePointer {
    /// A frame pointer only where the frame needs one.
    #[default]
    None,
    /// A frame pointer in functions that call.
    NonLeaf,
    /// A frame pointer in all functions.
    All,
}

/// The constraint on a virtual register.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RegisterKind {
    /// No constraint yet: `_`.
    #[default]
    Generic,
    /// A register of a bank.
    Bank(BankId),
    /// A register of a class.
    Class(ClassId),
}

/// A virtual register.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct VirtualRegister {
    /// Its name; registers with a name are not in the printed list.
    pub name: Option<Text>,
    /// Its constraint.
    pub kind: RegisterKind,
    /// The type of a generic register.
    pub ty: Option<LowType>,
    /// The preferred register; `$noreg` if there is none.
    pub preferred: Register,
}

/// A physical register that holds an argument.
#[derive(Clone, PartialEq, Debug)]
pub struct LiveIn {
    /// The physical register.
    pub register: Register,
    /// The virtual register that it is copied to; `$noreg` if none.
    pub copied_to: Register,
}

/// The value of an argument at entry, for debug information.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct EntryValue {
    /// The register.
    pub register: Register,
    /// The variable: metadata as it is written.
    pub variable: Text,
    /// The expression.
    pub expression: Text,
    /// The source location.
    pub location: Text,
}

/// Information on a call.
#[derive(Clone, PartialEq, Debug)]
pub struct CallSite {
    /// The block.
    pub block: u32,
    /// The index of the call in its block.
    pub offset: u32,
    /// Numbers of arguments and the registers that hold them.
    pub arguments: Vec<(u32, Register)>,
    /// The type ids of possible callees.
    pub callee_types: Vec<u64>,
}

/// A call of a global.
#[derive(Clone, PartialEq, Debug)]
pub struct CalledGlobal {
    /// The block.
    pub block: u32,
    /// The index of the call in its block.
    pub offset: u32,
    /// The name of the global.
    pub callee: Text,
    /// The target flags of the reference.
    pub flags: u32,
}

/// A substitution of one instruction's value by another's, for debug information.
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "the keys of LLVM")]
pub struct DebugSubstitution {
    pub source_insn: u32,
    pub source_operand: u32,
    pub to_insn: u32,
    pub to_operand: u32,
    pub sub: u32,
}

/// An entry of the constant pool.
#[derive(Clone, PartialEq, Debug)]
pub struct Constant {
    /// A constant of LLVM IR with its type.
    pub value: Text,
    /// The alignment, a power of two.
    pub alignment: u64,
    /// True if the value is not LLVM IR but the target's own.
    pub is_target_specific: bool,
}

/// The kind of the entries of jump tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[expect(missing_docs, reason = "the words of LLVM")]
pub enum JumpTableKind {
    #[default]
    BlockAddress,
    GpRel64BlockAddress,
    GpRel32BlockAddress,
    LabelDifference32,
    LabelDifference64,
    Inline,
    Custom32,
}

impl JumpTableKind {
    /// All kinds with their words.
    pub const TABLE: [(JumpTableKind, &'static str); 7] = [
        (JumpTableKind::BlockAddress, "block-address"),
        (JumpTableKind::GpRel64BlockAddress, "gp-rel64-block-address"),
        (JumpTableKind::GpRel32BlockAddress, "gp-rel32-block-address"),
        (JumpTableKind::LabelDifference32, "label-difference32"),
        (JumpTableKind::LabelDifference64, "label-difference64"),
        (JumpTableKind::Inline, "inline"),
        (JumpTableKind::Custom32, "custom32"),
    ];
}

/// A jump table.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct JumpTable {
    /// Indices of blocks.
    pub blocks: Vec<u32>,
}

/// The section of the object file that a block is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Section {
    /// The section of the function.
    #[default]
    Default,
    /// A section of its own, by number.
    Number(u32),
    /// The section of landing pads.
    Exception,
    /// The section of rarely executed code.
    Cold,
}

/// The attributes that follow a block's label.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BlockAttributes {
    /// True if machine code takes its address.
    pub machine_address_taken: bool,
    /// The IR block of a `blockaddress` that is the address of this block.
    pub ir_address_taken: Option<IrBlock>,
    /// True if exceptions land here.
    pub is_landing_pad: bool,
    /// True if inline assembly may branch to it.
    pub is_inline_asm_target: bool,
    /// True if it begins a funclet.
    pub is_funclet_entry: bool,
    /// True if it begins a scope of exception handling.
    pub is_scope_entry: bool,
    /// The alignment, a power of two; 1 if none is written.
    pub alignment: u64,
    /// The section that it goes to.
    pub section: Section,
    /// A stable id: a base id and a clone id.
    pub id: Option<(u32, u32)>,
    /// The size in bytes of the arguments on the stack at its start.
    pub call_frame_size: u32,
}

/// An edge to another block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Successor {
    /// The successor's index.
    pub block: u32,
    /// The probability as a numerator over 2³¹.
    pub probability: u32,
}

/// A block.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Block {
    /// The block of LLVM IR that it comes from.
    pub ir: Option<IrBlock>,
    /// The attributes after its label.
    pub attributes: BlockAttributes,
    /// The edges to other blocks.
    pub successors: Vec<Successor>,
    /// The physical registers that are live in, with a mask of their live lanes.
    pub live_ins: Vec<(Register, u64)>,
    /// The code.
    pub instructions: Vec<Instruction>,
}

impl Block {
    /// The mask of all lanes of a register.
    pub const ALL_LANES: u64 = u64::MAX;

    /// Adds successors that are equally likely, as LLVM does when it guesses.
    pub fn set_even_successors(&mut self, blocks: &[u32]) {
        let each = u32::try_from((1_u64 << 31) / (blocks.len().max(1) as u64)).unwrap_or(0);
        let successors = blocks.iter().map(|&block| Successor {
            block,
            probability: each,
        });
        self.successors = successors.collect();
    }

    /// Returns whether all successors are equally likely, as LLVM guesses them.
    #[must_use]
    pub fn is_even(&self) -> bool {
        let each = (1_u64 << 31) / (self.successors.len().max(1) as u64);
        self.successors
            .iter()
            .all(|to| u64::from(to.probability) == each)
    }
}

/// Converts a name to a reference to the global.
impl From<&str> for Global {
    fn from(name: &str) -> Global {
        Global::Named(name.into())
    }
}
