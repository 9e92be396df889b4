//! The compiler of a context's functions.

use super::options::{Compiled, Options, Threads};
use super::shared::Shared;
use super::unit::{Adopted, From, Stand, Unit, Units};
use super::work_list::WorkList;
use crate::codegen::Backend;
use crate::codegen::{Callees, Error, Granularity};
use crate::ir::FuncId;
use crate::link::{Callable, Context, Leftover, LinkedModule};
use crate::mem::{Allocator, Box, OutOfMemory, Vec, sort_by_key};
use crate::target::{Native, Pages};
use core::fmt;
use core::mem::ManuallyDrop;
use core::ptr::NonNull;
use spin::Mutex;

/// Compiles functions of a context and calls them.
///
/// It is shared freely between threads: they compile and run at the same time, each function once.
/// When it is dropped the functions are the context's engine's again, and the code is freed: at
/// once, unless calls are under way that the interpreter or a [`Jit`] made, which may be in the
/// code and end there as if nothing had happened; then when the next compiler is made or dropped
/// without such calls, or with the context. Native code that calls functions by their addresses on
/// threads of its own is not known here, and must have ended.
pub struct Jit<'c, 'm> {
    pub(super) context: &'c Context<'m>,
    whole: ManuallyDrop<Box<'m, Whole<'m>>>,
}

/// A compiler's functions and what they share; it stays at its place as long as there is code.
#[repr(C)]
struct Whole<'m> {
    /// The first field, by which the context frees the whole.
    leftover: Leftover,
    shared: Shared<'m>,
    allocator: &'m dyn Allocator,
    modules: Mutex<Adopted<'m>>,
}

/// Frees what a compiler left to its context.
///
/// # Safety
///
/// It is the head of a [`Whole`] that was taken out of its box; nobody is in its code, or uses its
/// units.
unsafe fn free(leftover: *mut Leftover) {
    let Some(whole) = NonNull::new(leftover.cast::<Whole<'_>>()) else {
        return;
    };
    // SAFETY: by the caller's word; the head is the first field, and the pointer that to the whole.
    unsafe {
        let allocator = (*whole.as_ptr()).allocator;
        drop(Box::from_raw(allocator, whole));
    }
}

impl fmt::Debug for Jit<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Jit")
            .field("runtime", &self.shared().runtime)
            .finish_non_exhaustive()
    }
}

impl<'c, 'm> Jit<'c, 'm> {
    /// Returns a compiler for functions of `context`.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`]; [`Error::Unsupported`] if the context's target is not that of `isa`
    /// and `native`, or the context has no native gates or no page hook: then what is not compiled
    /// has no address that compiled code could call.
    pub fn new(
        context: &'c Context<'m>,
        isa: &'m dyn Backend,
        native: &'m dyn Native,
        pages: &'m dyn Pages,
        options: Options<'m>,
    ) -> Result<Jit<'c, 'm>, Error> {
        let is_ours = |target| core::ptr::eq(context.target(), target);
        let has_addresses = context.native().is_some() && context.has_thunks();
        if !has_addresses || !is_ours(isa.target()) || !is_ours(native.target()) {
            return Err(Error::Unsupported);
        }
        context.clear_away();
        let allocator = context.allocator();
        let whole = Whole {
            leftover: Leftover::new(free),
            shared: Shared::new(context, isa, native, pages, options, Unit::lasting_code)?,
            allocator,
            modules: Mutex::new(Adopted::new(allocator)),
        };
        let whole = Box::new(allocator, whole)?;
        context.settle();
        Ok(Jit {
            context,
            whole: ManuallyDrop::new(whole),
        })
    }

    pub(super) fn shared(&self) -> &Shared<'m> {
        &self.whole.shared
    }

    /// True if the module is linked in this compiler's context.
    fn knows(&self, linked: &LinkedModule<'m>) -> bool {
        linked.is_linked() && linked.is_of(self.context)
    }

    /// Makes sure that the functions of a module are units of this compiler, those that no other
    /// has.
    fn adopt(&self, linked: &LinkedModule<'m>) -> Result<(), OutOfMemory> {
        let mut modules = self.whole.modules.lock();
        if modules.has(linked) {
            return Ok(());
        }
        modules.add(Units::new(self.shared(), linked, self.context.allocator())?)
    }

    fn units<'u>(&self, linked: &'u LinkedModule<'m>) -> impl Iterator<Item = &'u Unit<'m>> {
        let callables = linked.callables().iter();
        callables.filter_map(|callable| Unit::find(self.shared(), callable))
    }

    /// Compiles all functions of a linked module that are not compiled yet; calls of them go to the
    /// code from then on. Functions that cannot be compiled stay with the context's engine, and
    /// `left` is told why; so do all of a module of another context.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`]; nothing is changed then.
    pub fn compile_module(
        &self,
        linked: &LinkedModule<'m>,
        left: &mut dyn FnMut(FuncId, Error),
    ) -> Result<Compiled, OutOfMemory> {
        if !self.knows(linked) {
            return Ok(refused(linked, left));
        }
        let _at_work = self.context.at_work();
        self.adopt(linked)?;
        let mut taken = Vec::new(self.context.allocator());
        for unit in self.units(linked) {
            taken.reserve(1)?;
            if unit.begin(From::Any) {
                taken.push(unit)?;
            }
        }
        let compiled = if self.shared().options.can_free {
            self.compile_apart(&taken, left)
        } else {
            self.compile_together(linked, &mut taken, left)
        };
        if compiled.is_err() {
            for unit in &taken {
                if unit.stand() == Stand::Busy {
                    unit.to_engine();
                }
            }
        }
        compiled
    }

    /// Compiles all functions of all modules that are linked in the context and not compiled yet,
    /// as [`Jit::compile_module`] does for one.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`]; modules before the one that it came in are compiled.
    pub fn compile_all(
        &self,
        left: &mut dyn FnMut(&LinkedModule<'m>, FuncId, Error),
    ) -> Result<Compiled, OutOfMemory> {
        let mut all = Compiled::default();
        let modules = 0..self.context.linked_modules();
        for linked in modules.filter_map(|number| self.context.module(number)) {
            let compiled =
                self.compile_module(linked, &mut |func, error| left(linked, func, error));
            all.add(&compiled?);
        }
        Ok(all)
    }

    /// Compiles functions so that each can be given back.
    fn compile_apart(
        &self,
        units: &[&Unit<'m>],
        left: &mut dyn FnMut(FuncId, Error),
    ) -> Result<Compiled, OutOfMemory> {
        let mut compiled = Compiled::default();
        for unit in units {
            if unit.is_misfit() {
                unit.to_engine();
                continue;
            }
            match unit.compile_as(Granularity::Function) {
                Ok(bytes) => {
                    compiled.functions += 1;
                    compiled.bytes += bytes as u64;
                }
                Err(Error::OutOfMemory) => return Err(OutOfMemory),
                Err(error) => {
                    left(unit.func(), error);
                    compiled.left += 1;
                }
            }
        }
        Ok(compiled)
    }

    /// Compiles functions into one piece, in which they call each other directly.
    fn compile_together(
        &self,
        linked: &LinkedModule<'m>,
        units: &mut [&Unit<'m>],
        left: &mut dyn FnMut(FuncId, Error),
    ) -> Result<Compiled, OutOfMemory> {
        let shared = self.shared();
        let mut callees = None;
        if shared.options.codegen.built_level() >= Callees::FROM_LEVEL {
            let callees = callees.insert(Callees::new(linked.module(), shared.allocator)?);
            sort_by_key(units, |unit| callees.place(unit.func()));
        }
        let helpers = helpers(&shared.options, units);
        let list = WorkList::new(shared, units, callees, helpers.is_none())?;
        if let Some((threads, most)) = helpers {
            threads.share(most, &|| list.drain());
        }
        list.drain();
        let mut compiled = Compiled::default();
        let mut batch = list.finish(&mut |unit, error| {
            unit.to_engine();
            if let Some(error) = error {
                left(unit.func(), error);
                shared.left(unit.callable(), error);
                compiled.left += 1;
            }
        })?;
        compiled.functions = batch.functions.len() as u32;
        if compiled.functions == 0 {
            return Ok(compiled);
        }
        batch.sort();
        let piece = shared.place(&mut batch, linked)?;
        for placed in &batch.functions {
            let callable = linked.callable(placed.func);
            let code = piece.run + placed.start as usize;
            let bytes = (placed.end - placed.start) as usize;
            shared.made(callable, code, bytes, None);
            if let Some(unit) = Unit::find(shared, callable) {
                unit.ready(code);
            }
        }
        compiled.bytes = batch.code.len() as u64;
        Ok(compiled)
    }

    /// Compiles one function, if it is not compiled yet; calls of it go to the code from then on.
    ///
    /// # Errors
    ///
    /// The reason why it is left to the context's engine; [`Error::Unsupported`] also if it is a
    /// closure, or another compiler has it, or it is no linked function of the context.
    pub fn compile(&self, callable: &Callable<'m>) -> Result<(), Error> {
        let (linked, _) = callable.func().ok_or(Error::Unsupported)?;
        if !self.knows(linked) {
            return Err(Error::Unsupported);
        }
        let _at_work = self.context.at_work();
        self.adopt(linked)?;
        let unit = Unit::find(self.shared(), callable).ok_or(Error::Unsupported)?;
        if unit.begin(From::Any) {
            unit.compile_as(Granularity::Function)?;
        }
        Ok(())
    }

    /// Has those functions of a linked module that `which` chooses compiled when they are first
    /// called, by whatever thread that is. Functions that cannot be compiled then stay with the
    /// context's engine, and so do those of other contexts.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`]; nothing is changed then.
    pub fn defer(
        &self,
        linked: &LinkedModule<'m>,
        granularity: Granularity,
        which: &mut dyn FnMut(FuncId) -> bool,
    ) -> Result<(), OutOfMemory> {
        if !self.knows(linked) {
            return Ok(());
        }
        let _at_work = self.context.at_work();
        self.adopt(linked)?;
        for unit in self.units(linked) {
            if which(unit.func()) {
                unit.wait(granularity);
            }
        }
        Ok(())
    }

    /// Frees the code of a function, which the context's engine runs from then on; returns whether
    /// there was code that can be freed. It can be compiled again.
    ///
    /// # Safety
    ///
    /// No thread is in the function's code, or will come back to it from a call.
    pub unsafe fn free(&self, callable: &Callable<'m>) -> bool {
        if !callable.runs_in(self.context) {
            return false;
        }
        let _at_work = self.context.at_work();
        let unit = Unit::find(self.shared(), callable);
        self.shared().options.can_free && unit.is_some_and(Unit::free)
    }

    /// Returns the numbers of what this compiler has compiled.
    #[must_use]
    pub fn compiled(&self) -> Compiled {
        self.shared().state.lock().compiled
    }

    /// Returns the number of bytes of executable pages that are reserved.
    #[must_use]
    pub fn reserved_bytes(&self) -> usize {
        self.shared().state.lock().memory.reserved()
    }
}

impl Drop for Jit<'_, '_> {
    fn drop(&mut self) {
        // Functions go back to the engine before there is no code.
        self.whole.modules.lock().give_back();
        self.context.traced().lock().forget(self.shared().number());
        // SAFETY: the box is taken out once. Nothing leads to the code, the units and what they
        // share any more; they are the compiler's own and `Send`, and refer to what outlives the
        // context.
        unsafe {
            let whole = ManuallyDrop::take(&mut self.whole).into_raw();
            self.context.leave(&raw mut (*whole).leftover);
        }
        self.context.clear_away();
    }
}

/// Leaves all functions of a module to whatever runs them.
fn refused(linked: &LinkedModule<'_>, left: &mut dyn FnMut(FuncId, Error)) -> Compiled {
    let mut compiled = Compiled::default();
    for (func, _) in linked.module().funcs() {
        left(func, Error::Unsupported);
        compiled.left += 1;
    }
    compiled
}

/// Returns the number of instructions at a level that are worth a thread, whose start takes about
/// 0.1 ms on a system and as much again until its memory is there. From level 3 on threads wait for
/// each other.
const fn insns_of_thread(level: u8) -> usize {
    match level {
        0 => 4096,
        2 => 1024,
        _ => 2048,
    }
}

/// Returns the threads that help to compile functions, if it is worth it, and how many threads have
/// something to do.
fn helpers<'m>(options: &Options<'m>, units: &[&Unit<'m>]) -> Option<(&'m dyn Threads, usize)> {
    let threads = options.threads?;
    let codegen = &options.codegen;
    if codegen.debug.is_some() || codegen.budget.memory.is_some() {
        return None;
    }
    let insns: usize = units.iter().map(|unit| unit.insn_count()).sum();
    let most = units
        .len()
        .min(insns / insns_of_thread(codegen.built_level()));
    (most > 1).then_some((threads, most))
}
