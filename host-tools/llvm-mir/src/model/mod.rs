//! The model of a whole file of Machine IR, which the reader makes and the printer writes.
//!
//! Names are byte sequences ([`Text`]), as LLVM's may hold anything. Registers, classes and opcodes
//! are numbers of [`Target`]'s tables; blocks, virtual registers, frame objects, constants and jump
//! tables are their index in the function's lists, whose order is that of the printed ids.

mod frame;
mod function;
mod instruction;
mod memory;
mod module;
mod number;
mod operand;
mod text;
mod types;

pub use frame::{
    CalleeSaved, DebugVariable, FixedObject, FrameInfo, FrameProperty, ObjectKind, SavePoint,
    StackId, StackObject,
};
pub use function::{
    Block, BlockAttributes, CallSite, CalledGlobal, Constant, DebugSubstitution, EntryValue,
    FramePointer, Function, FunctionProperty, JumpTable, JumpTableKind, LiveIn, RegisterKind,
    Section, Successor, VirtualRegister,
};
pub use instruction::{InsnFlag, InsnFlags, Instruction, Position, Trailers};
pub use memory::{Access, AccessLocation, MemoryOperand, MemorySize, Ordering};
pub use module::{File, Module};
pub use number::{Float, FloatFormat, Integer};
pub use operand::{
    Cfi, FloatPredicate, Frame, Global, IntPredicate, IrBlock, Metadata, Operand, OperandFlags,
    OperandKind, Register, RegisterOperand,
};
pub use text::Text;
pub use types::{Element, Lanes, LowType};

pub use crate::target::{BankId, ClassId, Isa, MaskId, Opcode, SubIndex, Target, Triple};
