//! The values of `expr` items: results of functions that run while their module is linked.

use super::{Callable, Context, LinkedModule};
use crate::ir::{FuncId, ItemId, ItemKind, Place, Type};
use crate::mem::Entity;
use crate::target::Value;
use core::fmt;

/// The `expr` items of a module that is being linked, one after the other, for an engine that
/// computes their values.
pub struct Exprs<'c, 'm> {
    context: &'c Context<'m>,
    linked: &'c LinkedModule<'m>,
    /// The current item.
    item: Option<ItemId>,
    /// The type of the current item's value.
    ty: Type,
    /// The fuel that is left for this and all further functions; the engine sets it.
    pub fuel: u64,
}

impl<'c, 'm> Exprs<'c, 'm> {
    pub(super) const fn new(
        context: &'c Context<'m>,
        linked: &'c LinkedModule<'m>,
        fuel: u64,
    ) -> Self {
        Exprs {
            context,
            linked,
            item: None,
            ty: Type::I64,
            fuel,
        }
    }

    /// Returns the context that is being linked.
    #[must_use]
    pub const fn context(&self) -> &'c Context<'m> {
        self.context
    }

    /// Returns the module that has the items and the functions.
    #[must_use]
    pub const fn module(&self) -> &'c LinkedModule<'m> {
        self.linked
    }

    /// Goes to the next item and returns the function that computes its value.
    pub fn next_func(&mut self) -> Option<(FuncId, &'c Callable<'m>)> {
        let module = self.linked.module();
        let next = self.item.map_or(0, |item| item.index() + 1);
        for number in next..module.items().len() {
            let item = ItemId::new(number as u32);
            let ItemKind::Expr { func } = module.item(item).kind else {
                continue;
            };
            if let ItemKind::Func(func) = module.item(module.resolve(func)).kind {
                let results = module.results(&module.func(func).signature);
                self.item = Some(item);
                self.ty = results.first().copied().unwrap_or(Type::I64);
                return Some((func, self.linked.callable(func)));
            }
        }
        None
    }

    /// Stores the value of the current item.
    pub fn give(&mut self, value: Value) {
        if let Some(item) = self.item {
            let address = self.linked.item_address(item);
            self.context.store(address, self.ty, value);
        }
    }

    /// Returns the current item.
    pub(super) fn place(&self) -> Place {
        self.item.map_or(Place::Unknown, Place::Item)
    }
}

impl fmt::Debug for Exprs<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exprs")
            .field("fuel", &self.fuel)
            .finish_non_exhaustive()
    }
}
