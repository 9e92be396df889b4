//! Machine IR: what the code generator thinks in, modelled on LLVM's.
//!
//! A [`Function`] holds blocks, instructions and operands in a few pools and hands out `u32` numbers. It starts as
//! *generic* instructions ([`Generic`]) on virtual registers and becomes, stage by stage, the target's instructions on
//! physical registers. What an opcode, a register or a class means is said by the tables of `target::Isa`.
//!
//! Three liberties beside LLVM's model, all gone after selection:
//! - A generic instruction has a type of its own. Its register operands may be wider: it reads their low bits, and the
//!   upper bits of a wider result are undefined (as Medium IR's short instructions). No truncations in between.
//! - A source of a generic integer instruction may be an immediate.
//! - Generic loads and stores take a whole address: base, index, scale, displacement (see [`Generic`]).
//!
//! What a function holds is what stages change. What follows from it is found where somebody asks, so that no stage has to keep it
//! true: the edges between blocks ([`Edges`]), use-def chains ([`UseDefs`]), the ends of values (`codegen::mark_last_uses`), live-ins
//! (`codegen::live_ins`), how much memory an instruction accesses (`target::InsnRow::bytes`) and where, by the frame object,
//! constant or table among its operands.
//!
//! Long doubles are never in virtual registers: a generic instruction of type [`LowType::S80`] or [`LowType::S128`] takes
//! places in memory, frame objects or constants, as operands.

mod edges;
mod function;
mod opcode;
mod operand;
mod types;
mod uses;

pub use edges::{Edges, End};
pub use function::{
    Block, BlockId, Constant, ConstantId, FrameId, FrameKind, FrameObject, Function, Insn, InsnId,
    Insns, Symbol, SymbolId, TableId, VReg, VRegInfo,
};
pub use opcode::{Facts, Generic, Opcode};
pub use operand::{Operand, OperandFlags, OperandKind, Reg, SubIndex, TargetFlag};
pub use types::{Bank, ClassId, FloatPredicate, IntPredicate, LowType, UnitSet};
pub use uses::UseDefs;
