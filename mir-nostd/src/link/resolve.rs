//! Linking: imports, `ref` and `expr` data, and the engine's entries.

use super::{Context, Exprs, LinkedModule, ThreadId, at_item};
use crate::ir::{ItemId, ItemKind, Problem, Result, Type};
use crate::target::{GateRegisters, Value};
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use spin::{Mutex, MutexGuard};

/// A function that returns the address of a name that no module exports.
pub type Resolver<'r> = dyn FnMut(&[u8]) -> Option<usize> + 'r;

/// Lets one link at a time.
pub(super) struct Linking {
    only_one: Mutex<()>,
    /// True while a link waits for its resolver.
    asks: AtomicBool,
    /// The thread that links, if threads are told apart.
    who: AtomicUsize,
    thread: Option<ThreadId>,
}

impl Linking {
    pub(super) const fn new(thread: Option<ThreadId>) -> Linking {
        Linking {
            only_one: Mutex::new(()),
            asks: AtomicBool::new(false),
            who: AtomicUsize::new(0),
            thread,
        }
    }

    fn here(&self) -> usize {
        self.thread.map_or(0, |thread| thread())
    }

    /// Waits until nobody else links.
    ///
    /// # Errors
    ///
    /// Whoever links has called this: it would wait for itself.
    fn begin(&self) -> Result<MutexGuard<'_, ()>> {
        loop {
            if let Some(only_one) = self.only_one.try_lock() {
                self.asks.store(false, Ordering::Relaxed);
                return Ok(only_one);
            }
            let asks = self.asks.load(Ordering::Acquire);
            if asks && self.who.load(Ordering::Relaxed) == self.here() {
                return Err(Problem::LinkUnderWay.into());
            }
            core::hint::spin_loop();
        }
    }

    /// Asks the resolver for an address.
    fn ask(&self, name: &[u8], resolve: &mut Resolver<'_>) -> Option<usize> {
        self.who.store(self.here(), Ordering::Relaxed);
        self.asks.store(true, Ordering::Release);
        let address = resolve(name);
        self.asks.store(false, Ordering::Relaxed);
        address
    }
}

impl<'m> Context<'m> {
    /// Links all modules that were loaded since the last time: sets the address of every import,
    /// fills in references, and evaluates expression data.
    ///
    /// Names are looked for among exports and what the embedder defined, then asked of `resolve`,
    /// once each. It may define names, run functions that are linked, and load modules, which are
    /// then linked too; it cannot link. Threads that link at the same time do so one after the
    /// other.
    ///
    /// # Errors
    ///
    /// A name that nothing defines; an expression that faults, or takes more than is left of
    /// [`ContextOptions::link_fuel`](super::ContextOptions::link_fuel); out of memory. The modules
    /// then still wait to be linked. [`Problem::LinkUnderWay`] if this is called from `resolve`: on
    /// the same thread where [`super::ContextOptions::thread`] tells threads apart, else on any.
    pub fn link(&self, resolve: &mut Resolver<'_>) -> Result<()> {
        let _only_one = self.linking.begin()?;
        self.settle();
        let linked = self.linked_modules();
        let mut end = linked;
        while let Some(module) = self.module_at(end) {
            self.resolve_module(module, resolve)?;
            end += 1;
        }
        // Modules that another thread loads from here on wait for the next time.
        let waiting = || (linked..end).filter_map(|number| self.module_at(number));
        let mut fuel = self.options.link_fuel;
        waiting().try_for_each(|module| self.initialise(module, &mut fuel))?;
        waiting().for_each(|module| self.bind_entries(module));
        waiting().for_each(LinkedModule::set_linked);
        self.state.lock().linked = end;
        Ok(())
    }

    /// Module number `number` in load order, linked or not.
    #[expect(
        unsafe_code,
        reason = "modules stay where they are as long as the context lives"
    )]
    pub(super) fn module_at(&self, number: usize) -> Option<&LinkedModule<'m>> {
        let state = self.state.lock();
        let module = state.modules.get(number)?.place();
        // SAFETY: modules are boxed, changed only through atomics, and never removed before the
        // context is dropped.
        Some(unsafe { module.as_ref() })
    }

    /// Returns a linked module, numbered from 0 in load order.
    #[must_use]
    pub fn module(&self, number: usize) -> Option<&LinkedModule<'m>> {
        if number >= self.linked_modules() {
            return None;
        }
        self.module_at(number)
    }

    /// Has the engine drop what it made of a module's functions. Nothing stands in it: the context
    /// is being dropped.
    #[expect(unsafe_code, reason = "code is freed")]
    pub(super) fn release_code(&self, module: &LinkedModule<'m>) {
        for callable in module.callables() {
            let code = callable.take_code();
            if !code.is_null() {
                // SAFETY: the engine published it, it was just taken, and nothing runs it, as said
                // above.
                unsafe { self.options.engine.release(self, code) };
            }
        }
    }

    /// Sets the addresses of imports, exports and forwards.
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
        if let Some(address) = self.find_confined(name) {
            return Ok(address);
        }
        let address = self.linking.ask(name, resolve);
        let address = address.ok_or_else(|| at_item(Problem::UnresolvedImport, item))?;
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
        // SAFETY: `place` is an item of `size` bytes in a section of the module, which nobody uses
        // before it is linked.
        unsafe { core::ptr::copy_nonoverlapping(bytes[start..].as_ptr(), to, size) };
    }

    /// Lets native code call the functions of a module by their addresses.
    #[expect(unsafe_code, reason = "native code will call")]
    fn bind_entries(&self, module: &LinkedModule<'m>) {
        if self.options.native.is_none() {
            return;
        }
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
            let registers = match floats {
                true => GateRegisters::Floating,
                false => GateRegisters::General,
            };
            let callable = module.callable(func);
            let entry = self
                .gate_entry(callable.address())
                .unwrap_or(&callable.entry);
            // SAFETY: the entry is the callable's, or that of the gate at its address.
            unsafe { self.options.engine.bind(self, callable, entry, registers) };
        }
    }

    /// Returns the entry of the static gate at this address.
    pub(super) fn gate_entry(&self, address: usize) -> Option<&'static crate::target::Entry> {
        let gates = self.gates()?;
        let offset = address.wrapping_sub(gates.start);
        offset
            .is_multiple_of(gates.stride)
            .then(|| gates.entries.get(offset / gates.stride))
            .flatten()
    }
}
