//! Items, of which a module consists.

use super::entities::{FuncId, ItemId, Label, Name};
use super::types::Type;

/// Consecutive entries of one of the module's pools.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) len: u32,
}

impl Span {
    /// Returns the entries of `pool` that the span covers.
    pub(super) fn of<T>(self, pool: &[T]) -> &[T] {
        &pool[self.start as usize..][..self.len as usize]
    }
}

/// The results and arguments of a function or prototype; see [`super::Module::results`] and
/// [`super::Module::args`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature {
    pub(super) results: Span,
    pub(super) args: Span,
    pub(super) vararg: bool,
}

impl Signature {
    /// True if variable arguments follow the fixed ones.
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
    /// The type, which says how the argument is passed.
    pub ty: Type,
    /// The size of a block in bytes; 0 for other types.
    pub size: u64,
}

/// The elements of a data item; [`super::Module::data_bytes`] returns them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Data {
    /// The type of the elements.
    pub ty: Type,
    pub(super) bytes: Span,
}

impl Data {
    /// Returns the number of elements.
    #[must_use]
    pub const fn count(&self) -> u32 {
        self.bytes.len / self.ty.size()
    }
}

/// The kind of an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ItemKind {
    /// `import`: an item of another module or of the embedder.
    Import,
    /// `export`: makes the definition of this name visible to other modules.
    Export,
    /// `forward`: announces the definition of this name.
    Forward,
    /// `proto`: the signature of calls.
    Proto(Signature),
    /// `func`: a function.
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
        /// The number of bytes added to its address.
        disp: i64,
    },
    /// `lref`: the address of a label, or the difference of two in bytes.
    Lref {
        /// The label.
        label: Label,
        /// The label whose address is subtracted.
        label2: Option<Label>,
        /// The number of bytes added.
        disp: i64,
    },
    /// `expr`: the result of a function that is called when the module is linked.
    Expr {
        /// The function's item.
        func: ItemId,
    },
}

impl ItemKind {
    /// True if the item only declares a name: `import`, `export`, `forward`.
    #[must_use]
    pub const fn is_declaration(&self) -> bool {
        matches!(
            self,
            ItemKind::Import | ItemKind::Export | ItemKind::Forward
        )
    }

    /// True if the item has memory of its own: data, `bss`, `ref`, `lref`, `expr`.
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
    /// The item's name; only items with memory may have none.
    pub name: Option<Name>,
    /// The item's kind.
    pub kind: ItemKind,
}

/// The items that a name denotes in a module: for each role, the first one created
/// (docs/reference/items.md).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Binding {
    /// The `import`.
    pub import: Option<ItemId>,
    /// The `export`.
    pub export: Option<ItemId>,
    /// The `forward`.
    pub forward: Option<ItemId>,
    /// The definition: a function, prototype or item with memory.
    pub definition: Option<ItemId>,
}

impl Binding {
    /// Returns the item that the name denotes: its definition if there is one, else a declaration.
    #[must_use]
    pub fn item(&self) -> Option<ItemId> {
        self.definition
            .or(self.export)
            .or(self.forward)
            .or(self.import)
    }
}
