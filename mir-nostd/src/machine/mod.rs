//! Machine IR: the code generator's representation of a function, modelled on LLVM's.
//!
//! A [`Function`] holds blocks, instructions and operands in a few pools and hands out `u32`
//! numbers. It starts as *generic* instructions ([`Generic`]) on virtual registers and becomes,
//! stage by stage, the target's instructions on physical registers. The tables of `target::Isa`
//! define the meaning of opcodes, registers and classes.
//!
//! Three liberties beside LLVM's model, all gone after selection:
//! - A generic instruction has a type of its own. Its register operands may be wider: it reads
//!   their low bits, and the upper bits of a wider result are undefined (as for Medium IR's short
//!   instructions). No truncations are needed in between.
//! - A source of a generic integer instruction may be an immediate.
//! - Generic loads and stores take a whole address: base, index, scale, displacement (see
//!   [`Generic`]).
//!
//! A function holds what stages change. Everything that follows from it is computed on request, so
//! that no stage has to keep it up to date: the edges between blocks ([`Edges`]), use-def chains
//! ([`UseDefs`]), the last uses of values (`codegen::mark_last_uses`), live-ins
//! (`codegen::live_ins`), how much memory an instruction accesses (`target::InsnRow::bytes`), and
//! where, by the frame object, constant or table among its operands.
//!
//! Long doubles are never in virtual registers: a generic instruction of type [`LowType::S80`] or
//! [`LowType::S128`] takes places in memory, frame objects or constants, as operands.

mod copies;
mod cursor;
mod edges;
mod entities;
mod function;
mod opcode;
mod operand;
mod origins;
mod types;
mod uses;

pub(crate) use copies::NewNames;
pub use cursor::{BackwardCursor, InsnCursor, LayoutCursor};
pub use edges::{Edges, End};
pub(crate) use edges::{add_successors, each_successor};
pub use entities::{BlockId, ConstantId, FrameId, InsnId, SymbolId, TableId, VReg};
pub use function::{
    Block, Constant, FrameKind, FrameObject, Function, HelperId, InlinedCall, InsertError, Insn,
    Insns, StackLimit, Symbol, VRegInfo, VariablePlace,
};
pub use opcode::{Facts, Generic, Opcode};
pub use operand::{Operand, OperandFlags, OperandKind, Reg, SubIndex, TargetFlag};
pub use origins::CallSite;
pub use types::{Bank, ClassId, FloatPredicate, Frequency, IntPredicate, LowType, UnitSet};
pub use uses::UseDefs;
