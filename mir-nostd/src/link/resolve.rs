//! Linking: imports, `ref` and `expr` data, and the engine's entries.

use super::{Context, Exprs, LinkedModule, at_item};
use crate::ir::{ItemId, ItemKind, Problem, Result, Type};
use crate::target::Value;

/// What gives an address to a name that no module exports: name -> address.
pub type Resolver<'r> = dyn FnMut(&[u8]) -> Option<usize> + 'r;

impl<'m> Context<'m> {
    /// Links all modules that were loaded since the last time: gives every import its address, fills in references,
    /// and evaluates expression data.
    ///
    /// Names are looked for among exports and what the embedder defined, then asked of `resolve`, once each.
    ///
    /// # Errors
    ///
    /// A name that nothing defines; an expression that faults, or takes more than is left of
    /// [`ContextOptions::link_fuel`](super::ContextOptions::link_fuel); out of memory. The modules then still wait to be
    /// linked.
    pub fn link(&self, resolve: &mut Resolver<'_>) -> Result<()> {
        let _only_one = self.linking.lock();
        let linked = self.linked_modules();
        let waiting = || (linked..).map_while(|number| self.module_at(number));
        waiting().try_for_each(|module| self.resolve_module(module, resolve))?;
        let mut fuel = self.options.link_fuel;
        waiting().try_for_each(|module| self.initialise(module, &mut fuel))?;
        waiting().for_each(|module| self.bind_entries(module));
        let mut state = self.state.lock();
        state.hosts.iter().for_each(|host| host.set_context(self));
        state.linked = state.modules.len();
        Ok(())
    }

    /// Tells everything linked where the context is now: for whoever borrows it as long as programs may call back.
    pub(crate) fn settle(&self) {
        let state = self.state.lock();
        let linked = state.modules.iter().take(state.linked);
        linked.for_each(|module| module.set_context(self));
        state.hosts.iter().for_each(|host| host.set_context(self));
    }

    /// Module number `number` in load order, linked or not.
    #[expect(
        unsafe_code,
        reason = "modules stay where they are as long as the context lives"
    )]
    pub(super) fn module_at(&self, number: usize) -> Option<&LinkedModule<'m>> {
        let state = self.state.lock();
        let module: *const LinkedModule<'m> = &raw const **state.modules.get(number)?;
        // SAFETY: modules are boxed, changed only through atomics, and never removed before the context is dropped.
        Some(unsafe { &*module })
    }

    /// A linked module, numbered from 0 in load order.
    #[must_use]
    pub fn module(&self, number: usize) -> Option<&LinkedModule<'m>> {
        if number >= self.linked_modules() {
            return None;
        }
        self.module_at(number)
    }

    pub(super) fn release_code(&self, module: &LinkedModule<'m>) {
        for callable in module.callables() {
            let code = callable.take_code();
            if !code.is_null() {
                self.options.engine.release(self, code);
            }
        }
    }

    /// Gives imports, exports and forwards their addresses.
    fn resolve_module(&self, module: &LinkedModule<'m>, resolve: &mut Resolver<'_>) -> Result<()> {
        for (number, item) in module.module().items() {
            let Some(name) = item.name.filter(|_| item.kind.is_declaration()) else {
                continue;
            };
            let address = match item.kind {
                ItemKind::Import => self.resolve_import(module, number, resolve)?,
                _ => module
                    .module()
                    .binding(name)
                    .and_then(|binding| binding.definition)
                    .map_or(0, |definition| module.item_address(definition)),
            };
            module.set_item_address(number, address);
        }
        Ok(())
    }

    fn resolve_import(
        &self,
        module: &LinkedModule<'m>,
        item: ItemId,
        resolve: &mut Resolver<'_>,
    ) -> Result<usize> {
        let name = module
            .module()
            .item(item)
            .name
            .map_or(&[][..], |name| module.module().name_bytes(name));
        if let Some(address) = self.find(name) {
            return Ok(address);
        }
        let address = resolve(name).ok_or_else(|| at_item(Problem::UnresolvedImport, item))?;
        self.add_external(name, address)?;
        Ok(address)
    }

    /// Fills in `ref` and `expr` data.
    fn initialise(&self, module: &LinkedModule<'m>, fuel: &mut u64) -> Result<()> {
        let mut has_exprs = false;
        for (number, item) in module.module().items() {
            match item.kind {
                ItemKind::Ref { item, disp } => {
                    let target = module.item_address(module.module().resolve(item));
                    let address = (target as u64).wrapping_add_signed(disp);
                    let place = module.item_address(number);
                    self.store(place, Type::P, Value::from_u64(address));
                }
                ItemKind::Expr { .. } => has_exprs = true,
                _ => {}
            }
        }
        if !has_exprs {
            return Ok(());
        }
        let mut exprs = Exprs::new(self, module, *fuel);
        let evaluated = self.options.engine.evaluate(&mut exprs);
        *fuel = exprs.fuel;
        evaluated.map_err(|error| error.or_at(exprs.place()))
    }

    /// Stores a value of type `ty` in data of a module that is not linked yet.
    #[expect(unsafe_code, reason = "data of modules is raw memory")]
    pub(super) fn store(&self, place: usize, ty: Type, value: Value) {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&value.u64().to_ne_bytes());
        if ty == Type::Ld {
            bytes = value.to_bytes();
        }
        let size = ty.size() as usize;
        // Integers lie at the low end of the cell's first word.
        let start = if cfg!(target_endian = "big") && ty.is_int() {
            8 - size
        } else {
            0
        };
        let to = core::ptr::with_exposed_provenance_mut::<u8>(place);
        // SAFETY: `place` is an item of `size` bytes in a section of the module, which nobody uses before it is linked.
        unsafe { core::ptr::copy_nonoverlapping(bytes[start..].as_ptr(), to, size) };
    }

    /// Lets native code call the functions of a module by their addresses.
    fn bind_entries(&self, module: &LinkedModule<'m>) {
        if self.options.native.is_none() {
            return;
        }
        module.set_context(self);
        let ir = module.module();
        for (func, function) in ir.funcs() {
            let is_float = |ty: &Type| ty.class() != crate::ir::Class::Int;
            let signature = &function.signature;
            let floats = signature.is_vararg()
                || ir.results(signature).iter().any(is_float)
                || ir
                    .args(signature)
                    .iter()
                    .any(|arg| is_float(&arg.ty) || arg.ty.is_block());
            let callable = module.callable(func);
            let entry = self
                .gate_entry(callable.address())
                .unwrap_or(&callable.entry);
            self.options.engine.bind(self, callable, entry, floats);
        }
    }

    /// The entry of the static gate at this address.
    pub(super) fn gate_entry(&self, address: usize) -> Option<&'static crate::target::Entry> {
        let gates = self.gates()?;
        let offset = address.wrapping_sub(gates.start);
        offset
            .is_multiple_of(gates.stride)
            .then(|| gates.entries.get(offset / gates.stride))
            .flatten()
    }
}
