//! Linked modules: the bodies of functions that have an address.

use super::Callable;
use crate::ir::{FuncId, ItemId, ItemKind, Label, Module, Str};
use crate::link::memory::Block;
use crate::link::{Anchor, Context, Trace};
use crate::mem::{Entity, Vec};
use core::fmt;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// A module in a context: itself, the memory of its data and strings, and the addresses of its
/// items.
pub struct LinkedModule<'m> {
    pub(in crate::link) module: Module<'m>,
    pub(in crate::link) callables: *const Callable<'m>,
    /// Tells one context from all others, and where it is.
    pub(in crate::link) anchor: *const Anchor<'m>,
    /// True if it was linked, so that its functions can run.
    pub(in crate::link) is_linked: AtomicBool,
    /// The address of each item; 0 until known, and for prototypes.
    pub(in crate::link) addresses: Vec<'m, AtomicUsize>,
    /// The address of each string that is an operand; 0 for all others.
    pub(in crate::link) strings: Vec<'m, usize>,
    pub(in crate::link) blocks: Vec<'m, Block<'m>>,
    /// The place for calls inside each other, if the module belongs to a confined program, which
    /// alone runs its functions.
    pub(in crate::link) trace: Option<&'m Trace>,
}

impl<'m> LinkedModule<'m> {
    /// Returns the module.
    #[must_use]
    pub const fn module(&self) -> &Module<'m> {
        &self.module
    }

    /// Returns the anchor of the context that the module is in, which lives as long as this.
    pub(crate) const fn anchor(&self) -> *const Anchor<'m> {
        self.anchor
    }

    /// Returns whether the module is in this context. Anchors of contexts that live are all
    /// different.
    pub(crate) fn is_of(&self, context: &Context<'_>) -> bool {
        self.anchor.addr() == context.known_anchor().addr()
    }

    /// Returns whether the module was linked.
    pub(crate) fn is_linked(&self) -> bool {
        self.is_linked.load(Ordering::Acquire)
    }

    /// True if the module belongs to a confined program: its functions run through that only.
    #[must_use]
    pub const fn is_confined(&self) -> bool {
        self.trace.is_some()
    }

    /// Returns where calls inside each other are noted when a confined program faults.
    pub(crate) const fn trace(&self) -> Option<&'m Trace> {
        self.trace
    }

    /// Notes that the module was linked.
    pub(in crate::link) fn set_linked(&self) {
        self.is_linked.store(true, Ordering::Release);
    }

    /// Returns the address of an item, through imports, exports and forwards; 0 for prototypes and
    /// before linking.
    #[must_use]
    pub fn item_address(&self, item: ItemId) -> usize {
        self.addresses
            .get(item.index())
            .map_or(0, |address| address.load(Ordering::Relaxed))
    }

    pub(in crate::link) fn set_item_address(&self, item: ItemId, address: usize) {
        if let Some(place) = self.addresses.get(item.index()) {
            place.store(address, Ordering::Relaxed);
        }
    }

    /// Returns the address of a string operand.
    #[must_use]
    pub fn str_address(&self, string: Str) -> usize {
        self.strings.get(string.index()).copied().unwrap_or(0)
    }

    /// Returns the label references that take addresses of this function's labels.
    pub fn lrefs(&self, func: FuncId) -> impl Iterator<Item = Lref> {
        self.module.lrefs(func).filter_map(|item| {
            let ItemKind::Lref {
                label,
                label2,
                disp,
            } = self.module.item(item).kind
            else {
                return None;
            };
            Some(Lref {
                address: self.item_address(item),
                label,
                label2,
                disp,
            })
        })
    }
}

/// A label reference of a linked module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lref {
    /// The address of its 8 bytes.
    pub address: usize,
    /// The label.
    pub label: Label,
    /// The label whose address is subtracted.
    pub label2: Option<Label>,
    /// The number of bytes that is added.
    pub disp: i64,
}

impl fmt::Debug for LinkedModule<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LinkedModule")
            .field("items", &self.addresses.len())
            .finish_non_exhaustive()
    }
}

impl<'m> LinkedModule<'m> {
    /// Returns the callable of a function of this module.
    #[must_use]
    pub fn callable(&self, func: FuncId) -> &Callable<'m> {
        &self.callables()[func.index()]
    }

    /// Returns the callables of the module's functions, in order.
    #[must_use]
    pub fn callables(&self) -> &[Callable<'m>] {
        // SAFETY: one callable per function lies from `callables` on, initialised, as long as the
        // context lives.
        unsafe { core::slice::from_raw_parts(self.callables, self.module.funcs().len()) }
    }
}

// SAFETY: the pointer to the callables is to shared data that is `Sync` and lives as long as the
// context.
unsafe impl Send for LinkedModule<'_> {}
// SAFETY: as above.
unsafe impl Sync for LinkedModule<'_> {}
