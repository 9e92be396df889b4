//! The numbers by which what a module consists of is named.

use crate::mem::entity;

entity! {
    /// An item of a module, numbered in order of creation.
    pub struct ItemId; "item"
}

entity! {
    /// A function of a module, numbered in order of creation.
    pub struct FuncId; "func"
}

entity! {
    /// A label; its scope is the module (docs/reference/text.md).
    pub struct Label; "label"
}

entity! {
    /// A register of a function: arguments first, then locals and globals in order of declaration.
    pub struct Reg; "reg"
}

entity! {
    /// An instruction of a module, numbered in order of creation, not of execution.
    pub struct InsnId; "insn"
}

entity! {
    /// A byte sequence of a module: a string operand, or a name with its terminating NUL. Equal
    /// sequences have equal numbers, in one name space, as in the string table of the binary form.
    pub struct Str; "str"
}

/// A name: a [`Str`] that ends in NUL. Names are bytes; nothing requires them to be UTF-8.
pub type Name = Str;
