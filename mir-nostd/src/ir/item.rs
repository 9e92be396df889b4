//! Items: what a module consists of.

use super::{Name, Type};
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

/// Consecutive entries of one of the module's pools.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) len: u32,
}

impl Span {
    /// The entries of `pool` that the span covers.
    pub(super) fn of<T>(self, pool: &[T]) -> &[T] {
        &pool[self.start as usize..][..self.len as usize]
    }
}

/// The results and arguments of a function or prototype; see [`super::Module::results`] and [`super::Module::args`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature {
    pub(super) results: Span,
    pub(super) args: Span,
    pub(super) vararg: bool,
}

impl Signature {
    /// Whether variable arguments follow the fixed ones.
    #[must_use]
    pub const fn is_vararg(&self) -> bool {
        self.vararg
    }
}

/// An argument of a signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arg {
    /// The argument's name.
    pub name: Name,
    /// How it is passed.
    pub ty: Type,
    /// Size in bytes of a block; 0 for other types.
    pub size: u32,
}

/// Element data of a data item; the elements are got with [`super::Module::data_bytes`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Data {
    /// The type of the elements.
    pub ty: Type,
    pub(super) bytes: Span,
}

impl Data {
    /// The number of elements.
    #[must_use]
    pub const fn count(&self) -> u32 {
        self.bytes.len / self.ty.size()
    }
}

/// What an item is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ItemKind {
    /// `import`: defined in another module or by the embedder.
    Import,
    /// `export`: the definition of this name is visible to other modules.
    Export,
    /// `forward`: the definition of this name follows.
    Forward,
    /// `proto`: what calls look like.
    Proto(Signature),
    /// `func`.
    Func(FuncId),
    /// Elements of one type, strings included.
    Data(Data),
    /// `bss`: zeros.
    Bss {
        /// Length in bytes.
        len: u64,
    },
    /// `ref`: the address of an item.
    Ref {
        /// The item.
        item: ItemId,
        /// What is added to its address.
        disp: i64,
    },
    /// `lref`: a label's address, or the difference of two in bytes.
    Lref {
        /// The label.
        label: Label,
        /// What is subtracted from its address.
        label2: Option<Label>,
        /// What is added.
        disp: i64,
    },
    /// `expr`: the result of a function, called when the module is linked.
    Expr {
        /// The function's item.
        func: ItemId,
    },
}

impl ItemKind {
    /// Whether the item only declares a name: `import`, `export`, `forward`.
    #[must_use]
    pub const fn is_declaration(&self) -> bool {
        matches!(
            self,
            ItemKind::Import | ItemKind::Export | ItemKind::Forward
        )
    }

    /// Whether the item has memory of its own: data, `bss`, `ref`, `lref`, `expr`.
    #[must_use]
    pub const fn is_memory(&self) -> bool {
        matches!(
            self,
            ItemKind::Data(_)
                | ItemKind::Bss { .. }
                | ItemKind::Ref { .. }
                | ItemKind::Lref { .. }
                | ItemKind::Expr { .. }
        )
    }
}

/// An item of a module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Item {
    /// The item's name; only items with memory may do without.
    pub name: Option<Name>,
    /// What the item is.
    pub kind: ItemKind,
}

/// What a name stands for in a module: the first item of each role that was created
/// (docs/reference/items.md).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Binding {
    /// Its `import`.
    pub import: Option<ItemId>,
    /// Its `export`.
    pub export: Option<ItemId>,
    /// Its `forward`.
    pub forward: Option<ItemId>,
    /// What defines it: a function, prototype or item with memory.
    pub definition: Option<ItemId>,
}

impl Binding {
    /// The item that stands for the name: its definition if there is one, else a declaration.
    #[must_use]
    pub fn item(&self) -> Option<ItemId> {
        self.definition
            .or(self.export)
            .or(self.forward)
            .or(self.import)
    }
}
