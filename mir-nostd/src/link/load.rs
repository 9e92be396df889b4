//! Loading: sections of data, addresses of functions, exports.

use super::callable::{Body, Callable, Host, LinkedModule};
use super::globals::{Global, Globals};
use super::memory::Block;
use super::{Context, LoadState, Trace, at_item};
use crate::ir::{Alignments, Item, ItemId, ItemKind, Module, Operand, Problem, Result, Str};
use crate::mem::{Box, Entity, OutOfMemory, Vec};
use crate::target::Gates;
use crate::verify::Verified;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

impl<'m> Context<'m> {
    /// Takes in a module: lays out its data, sets the addresses of its functions, and enters its
    /// exports, which replace earlier ones of the same name.
    ///
    /// # Errors
    ///
    /// It exports a function under a name that another module's exported function has (unless the
    /// context allows it); it was checked for another target; out of memory. The module is dropped
    /// then, and the context is as it was.
    ///
    /// # Safety
    ///
    /// Programs address memory and call native code as C does, unchecked. The embedder vouches that
    /// whatever runs of this module touches only memory that it may, and calls by address only what
    /// its prototypes describe: with the addresses that its imports get, and the arguments that its
    /// functions are run with.
    #[expect(
        unsafe_code,
        reason = "the one place where the embedder vouches for a program"
    )]
    pub unsafe fn load(&self, module: Verified<'m>) -> Result<()> {
        self.take_in(module, None)
    }

    /// Takes in a module that belongs to a confined program.
    ///
    /// # Errors
    ///
    /// As [`Context::load`].
    ///
    /// # Safety
    ///
    /// As [`Context::load`], if its functions run through the program only.
    #[expect(unsafe_code, reason = "rewriting vouches for the program")]
    pub(crate) unsafe fn load_confined(
        &self,
        module: Verified<'m>,
        trace: &'m Trace,
    ) -> Result<()> {
        self.take_in(module, Some(trace))
    }

    fn take_in(&self, module: Verified<'m>, trace: Option<&'m Trace>) -> Result<()> {
        if !core::ptr::eq(module.target(), self.target()) {
            return Err(Problem::OtherTarget.into());
        }
        let module = module.into_module();
        let allocator = self.allocator();
        let anchor = self.anchor()?;
        let state = &mut *self.state.lock();
        state.modules.reserve(1)?;
        let mut loaded = Box::new(
            allocator,
            LinkedModule {
                module,
                callables: NonNull::dangling().as_ptr(),
                anchor,
                is_linked: AtomicBool::new(false),
                addresses: Vec::new(allocator),
                strings: Vec::new(allocator),
                blocks: Vec::new(allocator),
                trace,
            },
        )?;
        loaded.lay_out(self.target().big_endian)?;
        loaded.lay_out_strings()?;
        self.check_exports(&state.globals, &loaded)?;
        reserve_exports(&mut state.globals, &loaded)?;
        self.add_callables(state, &mut loaded)?;
        enter_exports(&mut state.globals, &loaded)?;
        state.modules.push(loaded)?;
        Ok(())
    }

    /// Exported functions may not take a name that another module's function has.
    fn check_exports(&self, globals: &Globals<'m>, loaded: &LinkedModule<'m>) -> Result<()> {
        let redefined = |&(name, item): &(&[u8], ItemId)| {
            let is_func = matches!(loaded.module.item(item).kind, ItemKind::Func(_));
            is_func && globals.find(name).is_some_and(|global| global.is_func)
        };
        match exports(&loaded.module).find(redefined) {
            Some((_, item)) if !self.options.allow_redefinition => {
                Err(at_item(Problem::RedefinedExport, item))
            }
            _ => Ok(()),
        }
    }

    fn add_callables(
        &self,
        state: &mut LoadState<'m>,
        loaded: &mut Box<'m, LinkedModule<'m>>,
    ) -> Result<(), OutOfMemory> {
        let count = loaded.module.funcs().len();
        if count == 0 {
            return Ok(());
        }
        let first = self.callables.reserve(&mut state.callables, count)?;
        let reachable = self.reachable_from_outside(&loaded.module)?;
        let with_lrefs = loaded.funcs_with_lrefs()?;
        // Nothing is changed through the box from here on but by atomics.
        loaded.callables = first;
        let module = loaded.place();
        for (func, function) in loaded.module.funcs() {
            let callable = first.wrapping_add(func.index());
            let has_lrefs = with_lrefs.get(func.index()).copied().unwrap_or(false);
            let body = Body::Func {
                module,
                func,
                has_lrefs,
            };
            let is_reachable = reachable.get(func.index()).copied().unwrap_or(false);
            let gates = self.gates().filter(|_| is_reachable);
            let address = self.fill(callable, body, gates);
            loaded.set_item_address(function.item, address);
        }
        self.callables.commit(&mut state.callables, count);
        Ok(())
    }

    /// Sets the body of a reserved callable, and its address for life: that of a gate of these if
    /// there is no thunk.
    #[expect(
        unsafe_code,
        reason = "the callable is reserved, so nobody else has it"
    )]
    fn fill(&self, callable: *mut Callable<'m>, body: Body<'m>, gates: Option<Gates>) -> usize {
        let gate = || {
            let (entry, address) = gates?.claim()?;
            // SAFETY: the gate was just claimed, so nothing calls it.
            unsafe { entry.set_context(callable.cast()) };
            Some(address)
        };
        let thunk = self.callables.thunk_of(callable);
        let address = thunk
            .or_else(gate)
            .unwrap_or_else(|| callable.expose_provenance());
        // SAFETY: both callers just reserved it under the lock and have not committed it.
        unsafe { self.callables.fill(callable, body, address) };
        address
    }

    /// Returns for each function whether anything but a direct call can get its address: only those
    /// are worth a static gate.
    fn reachable_from_outside(&self, module: &Module<'m>) -> Result<Vec<'m, bool>, OutOfMemory> {
        let mut reachable = Vec::new(self.allocator());
        if self.gates().is_none() || self.options.pages.is_some() {
            return Ok(reachable);
        }
        reachable.resize(module.funcs().len(), false)?;
        let mut mark = |item: ItemId| {
            if let ItemKind::Func(func) = module.item(module.resolve(item)).kind {
                reachable[func.index()] = true;
            }
        };
        exports(module).for_each(|(_, item)| mark(item));
        for (_, item) in module.items() {
            if let ItemKind::Ref { item, .. } = item.kind {
                mark(item);
            }
        }
        for (func, _) in module.funcs() {
            for insn in module.insns(func) {
                let called = if module.code(insn).is_call() { 2 } else { 0 };
                for operand in module.operands(insn).skip(called) {
                    if let Operand::Item(item) = operand {
                        mark(item);
                    }
                }
            }
        }
        Ok(reachable)
    }

    /// Releases the static gates of a module's functions, when the context ends.
    #[expect(unsafe_code, reason = "native code may know the gates")]
    pub(super) fn release_gates(&self, module: &LinkedModule<'m>) {
        let addresses = module.callables().iter().map(Callable::address);
        let entries = addresses.filter_map(|address| self.gate_entry(address));
        // SAFETY: this context claimed them, and programs that call them have ended.
        entries.for_each(|entry| unsafe { entry.release() });
    }

    pub(super) fn add_host(&self, name: &[u8], host: Host<'m>) -> Result<(), OutOfMemory> {
        let state = &mut *self.state.lock();
        state.globals.reserve(1, name.len())?;
        state.hosts.reserve(1)?;
        let host = Box::new(self.allocator(), host)?;
        let callable = self.callables.reserve(&mut state.callables, 1)?;
        let address = self.fill(callable, Body::Host(host.place()), None);
        if let Some(native) = self.native() {
            host.bind(native, callable);
        }
        self.callables.commit(&mut state.callables, 1);
        state.hosts.push(host)?;
        state.globals.define(
            name,
            Global {
                address,
                is_func: false,
            },
        )?;
        Ok(())
    }
}

/// Returns the definitions that a module exports, with their names.
fn exports<'a>(module: &'a Module<'_>) -> impl Iterator<Item = (&'a [u8], ItemId)> {
    module.items().filter_map(|(_, item)| {
        let (ItemKind::Export, Some(name)) = (item.kind, item.name) else {
            return None;
        };
        let definition = module.binding(name)?.definition?;
        let is_proto = matches!(module.item(definition).kind, ItemKind::Proto(_));
        (!is_proto).then(|| (module.name_bytes(name), definition))
    })
}

fn reserve_exports(
    globals: &mut Globals<'_>,
    loaded: &LinkedModule<'_>,
) -> Result<(), OutOfMemory> {
    let (mut names, mut bytes) = (0, 0);
    for (name, _) in exports(&loaded.module) {
        (names, bytes) = (names + 1, bytes + name.len());
    }
    globals.reserve(names, bytes)
}

fn enter_exports(globals: &mut Globals<'_>, loaded: &LinkedModule<'_>) -> Result<(), OutOfMemory> {
    for (name, item) in exports(&loaded.module) {
        let is_func = matches!(loaded.module.item(item).kind, ItemKind::Func(_));
        globals.define(
            name,
            Global {
                address: loaded.item_address(item),
                is_func,
            },
        )?;
    }
    Ok(())
}

impl<'m> LinkedModule<'m> {
    /// Allocates one block of memory for each section, sets the addresses of the items in it, and
    /// fills in element data.
    fn lay_out(&mut self, big_endian: bool) -> Result<(), OutOfMemory> {
        let allocator = self.module.allocator();
        self.addresses.reserve(self.module.items().len())?;
        for _ in self.module.items() {
            self.addresses.push(AtomicUsize::new(0))?;
        }
        let mut alignments = Alignments::new();
        let mut items = self.module.items().peekable();
        while let Some((first, item)) = items.next() {
            if !item.kind.is_memory() {
                continue;
            }
            let mut last = first;
            let mut size = size_of_item(&self.module, item)?;
            while let Some((next, item)) =
                items.next_if(|(_, item)| item.name.is_none() && item.kind.is_memory())
            {
                size = size
                    .checked_add(size_of_item(&self.module, item)?)
                    .ok_or(OutOfMemory)?;
                last = next;
            }
            let size = size.checked_next_multiple_of(8).ok_or(OutOfMemory)?;
            let align = alignments.of_piece(&self.module, item);
            let mut block = Block::zeroed(allocator, size, align)?;
            fill_section(
                &self.module,
                &self.addresses,
                first..=last,
                &mut block,
                big_endian,
            )?;
            self.blocks.push(block)?;
        }
        Ok(())
    }

    /// Copies the strings that are operands to memory that the program may write to.
    fn lay_out_strings(&mut self) -> Result<(), OutOfMemory> {
        let used = self.module.str_operands();
        let Some(last) = used.iter().max() else {
            return Ok(());
        };
        self.strings.resize(last.index() + 1, usize::MAX)?;
        let mut size = 0;
        for &string in used {
            let place = &mut self.strings[string.index()];
            if *place == usize::MAX {
                *place = size;
                size += self.module.str_bytes(string).len().max(1);
            }
        }
        let mut block = Block::zeroed(self.module.allocator(), size, Alignments::USUAL)?;
        for (number, place) in self.strings.iter_mut().enumerate() {
            if *place == usize::MAX {
                *place = 0;
                continue;
            }
            block.write(*place, self.module.str_bytes(Str::new(number as u32)));
            *place += block.address();
        }
        self.blocks.push(block)?;
        Ok(())
    }

    /// Returns for each function whether the module's `lref` items take addresses of its labels.
    fn funcs_with_lrefs(&self) -> Result<Vec<'m, bool>, OutOfMemory> {
        let mut found = Vec::new(self.module.allocator());
        if self.module.has_lrefs() {
            found.resize(self.module.funcs().len(), false)?;
        }
        for (_, item) in self.module.items() {
            if let ItemKind::Lref { label, .. } = item.kind
                && let Some(func) = self.module.label_func(label)
            {
                found[func.index()] = true;
            }
        }
        Ok(found)
    }
}

/// Returns the bytes that an item takes in its section.
fn size_of_item(module: &Module<'_>, item: &Item) -> Result<usize, OutOfMemory> {
    Ok(match item.kind {
        ItemKind::Data(data) => module.data_bytes(&data).len(),
        ItemKind::Bss { len } => usize::try_from(len).map_err(|_| OutOfMemory)?,
        ItemKind::Expr { func } => result_size(module, func),
        _ => 8,
    })
}

/// Returns the size of the first result of an expression's function.
fn result_size(module: &Module<'_>, func: ItemId) -> usize {
    let ItemKind::Func(func) = module.item(module.resolve(func)).kind else {
        return 8;
    };
    module
        .results(&module.func(func).signature)
        .first()
        .map_or(8, |ty| ty.size() as usize)
}

/// Sets the addresses of the items of a section in its block and writes their element data.
fn fill_section(
    module: &Module<'_>,
    addresses: &[AtomicUsize],
    items: core::ops::RangeInclusive<ItemId>,
    block: &mut Block<'_>,
    big_endian: bool,
) -> Result<(), OutOfMemory> {
    let mut offset = 0;
    for number in items.start().number()..=items.end().number() {
        let item = module.item(ItemId::new(number));
        if let Some(place) = addresses.get(number as usize) {
            place.store(block.address() + offset, Ordering::Relaxed);
        }
        if let ItemKind::Data(data) = item.kind {
            write_elements(
                block,
                offset,
                module.data_bytes(&data),
                data.ty.size() as usize,
                big_endian,
            );
        }
        offset += size_of_item(module, item)?;
    }
    Ok(())
}

/// Writes elements given in little-endian order in the target's order.
fn write_elements(
    block: &mut Block<'_>,
    offset: usize,
    bytes: &[u8],
    size: usize,
    big_endian: bool,
) {
    if !big_endian || size == 1 {
        return block.write(offset, bytes);
    }
    for (index, byte) in bytes.iter().enumerate() {
        // The sizes are powers of two.
        block.write(offset + (index ^ (size - 1)), core::slice::from_ref(byte));
    }
}
