//! The numbers by which the parts of a function are named.

use crate::mem::entity;

entity! {
    /// A virtual register.
    pub struct VReg; "%"
}
entity! {
    /// A block.
    pub struct BlockId; "bb."
}
entity! {
    /// An instruction, numbered in order of creation, not of execution.
    pub struct InsnId; "insn"
}
entity! {
    /// A frame object.
    pub struct FrameId; "%stack."
}
entity! {
    /// An entry of the constant pool.
    pub struct ConstantId; "%const."
}
entity! {
    /// A jump table.
    pub struct TableId; "%jump-table."
}
entity! {
    /// Something outside the function to which it refers.
    pub struct SymbolId; "@"
}
