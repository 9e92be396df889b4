//! The compiler of a context's functions.

use super::helpers::Fault;
use super::shared::Shared;
use super::unit::{Stand, Unit, Units, Way};
use crate::codegen::Backend;
use crate::codegen::{Budget, Callees, DebugOutput, Error, Stage};
use crate::ir::FuncId;
use crate::link::{Callable, Context, LinkedModule};
use crate::mem::{Box, OutOfMemory, Vec, sort_by_key};
use crate::target::{Native, Pages};
use core::fmt;
use core::mem::ManuallyDrop;
use core::sync::atomic::{AtomicU64, AtomicUsize};

/// Compiles functions of a context and calls them.
///
/// It is shared freely between threads: they compile and run at the same time, each function once. When it is dropped the
/// functions are the context's engine's again, and the code is given back: at once, unless calls are under way that the
/// interpreter or a [`Jit`] made, which may be in the code and end there as if nothing had happened; then when the next
/// compiler is made or dropped without such calls, or with the context. Native code that calls functions by their
/// addresses on threads of its own is not known here, and must have ended.
pub struct Jit<'c, 'm> {
    pub(super) context: &'c Context<'m>,
    pub(super) shared: ManuallyDrop<Box<'m, Shared<'m>>>,
}

/// Stages for [`Options::stages`].
///
/// ```compile_fail,E0133
/// let none = mir_nostd::run::Stages::new(&[]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Stages<'m>(pub(super) &'m [Stage<'m>]);

impl<'m> Stages<'m> {
    /// These stages, in this order.
    ///
    /// # Safety
    ///
    /// They compile functions to code that does what the function says: what they make is run as it is.
    #[must_use]
    pub const unsafe fn new(stages: &'m [Stage<'m>]) -> Stages<'m> {
        Stages(stages)
    }
}

/// How functions are compiled.
#[derive(Clone, Copy, Debug)]
pub struct Options<'m> {
    /// How much is done for the code's speed: 0, 1, or 2 and more for small functions inlined. Above
    /// [`HIGHEST_LEVEL`](crate::codegen::pipeline::stage::HIGHEST_LEVEL), what the features give, it is that.
    pub level: u8,
    /// The stages that functions go through, if not those of the target for the level.
    pub stages: Option<Stages<'m>>,
    /// Whether every register allocation is proven right; a function whose allocation is not is left uncompiled. Takes the
    /// feature `check`: all functions are left uncompiled else.
    pub check_allocation: bool,
    /// How many versions of a block that assume something of properties are made, with [`Way::Block`]. Control that comes
    /// with other properties takes one that assumes nothing.
    pub versions: u32,
    /// Whether the code of single functions can be given back, by [`Jit::free`]: then every call goes through the function's
    /// address, which takes a jump more.
    pub can_free: bool,
    /// The word that fuel is taken from, at the costs of [`Engine::with_fuel`](crate::interp::Engine::with_fuel), one block
    /// of instructions after the other. Threads that run at a time share it, and may then take too little.
    /// Properties count as 0 then with every way, as they do in the interpreter: code goes the same ways.
    pub fuel: Option<&'m AtomicU64>,
    /// The word that says how far the stack may go down: functions end the run that are entered when their frame reaches below
    /// this address. Below it there must be room for [`LARGEST_CHECKED`](crate::codegen::LARGEST_CHECKED) bytes and whatever C needs. Whoever
    /// switches between stacks changes it.
    pub stack_limit: Option<&'m AtomicUsize>,
    /// Whether code that is reached through a register or memory begins with what the machine may insist on there: ENDBR64 on
    /// `x86_64`, BTI on aarch64.
    pub landing_pads: bool,
    /// What compiling one function may take. A function that would take more stays with the context's engine.
    pub budget: Budget<'m>,
    /// Who is told in words what is done to each function.
    pub debug: Option<DebugOutput<'m>>,
    /// Who is told what is made.
    pub watch: Option<&'m dyn Watch>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            level: 1,
            stages: None,
            check_allocation: false,
            versions: 4,
            can_free: false,
            fuel: None,
            stack_limit: None,
            landing_pads: false,
            debug: None,
            budget: Budget::default(),
            watch: None,
        }
    }
}

/// Is told what a compiler does: for profilers, debuggers and statistics. It is called by the thread that compiles, and
/// must not call the compiler.
pub trait Watch: Sync {
    /// Code of the function runs from `address` on: the whole, or one version of the block of this number.
    fn made(&self, callable: &Callable<'_>, address: usize, bytes: usize, block: Option<u32>) {
        let _ = (callable, address, bytes, block);
    }

    /// The function is left to the context's engine.
    fn left(&self, callable: &Callable<'_>, error: Error) {
        let _ = (callable, error);
    }

    /// A function that waited for its first call is about to be compiled, or a block for being reached.
    fn begins(&self, callable: &Callable<'_>) {
        let _ = callable;
    }

    /// Code stopped that nobody called who is prepared for it: neither [`Jit::call`] nor the interpreter is below on the
    /// stack. If this returns, the machine is stopped.
    fn faulted(&self, fault: &Fault) {
        let _ = fault;
    }

    /// There is less fuel than a block needs: whether there is more now, which the embedder added to the word. If not, the run
    /// ends.
    fn grants_fuel(&self, needed: u64) -> bool {
        let _ = needed;
        false
    }

    /// What was begun is done.
    fn ends(&self, callable: &Callable<'_>) {
        let _ = callable;
    }
}

impl fmt::Debug for dyn Watch + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}

/// What was compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Compiled {
    /// Functions that were compiled, or begun with.
    pub functions: u32,
    /// Functions that stay with the context's engine.
    pub left: u32,
    /// Blocks that were made one by one, all versions counted.
    pub blocks: u32,
    /// Bytes of code, constants and tables included.
    pub bytes: u64,
}

impl fmt::Debug for Jit<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Jit")
            .field("runtime", &self.shared.runtime)
            .finish_non_exhaustive()
    }
}

impl<'c, 'm> Jit<'c, 'm> {
    /// A compiler for functions of `context`.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`]; [`Error::Unsupported`] if the context's target is not that of `isa` and `native`, or the context
    /// has no native gates or no page hook: then what is not compiled has no address that compiled code could call.
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
        let shared = Shared::new(context, isa, native, pages, options)?;
        let shared = Box::new(context.allocator(), shared)?;
        context.settle();
        Ok(Jit {
            context,
            shared: ManuallyDrop::new(shared),
        })
    }

    /// Returns whether the module is linked in this compiler's context.
    fn knows(&self, linked: &LinkedModule<'m>) -> bool {
        linked.is_linked() && linked.is_of(self.context)
    }

    /// Makes sure that the functions of a module are units of this compiler, those that no other has.
    fn adopt(&self, linked: &LinkedModule<'m>) -> Result<(), OutOfMemory> {
        let state = &mut *self.shared.state.lock();
        if state.modules.has(linked) {
            return Ok(());
        }
        let units = Units::new(&self.shared, linked, self.context.allocator())?;
        state.modules.add(units)
    }

    fn units<'u>(&self, linked: &'u LinkedModule<'m>) -> impl Iterator<Item = &'u Unit<'m>> {
        let callables = linked.callables().iter();
        callables.filter_map(|callable| Unit::find(&self.shared, callable))
    }

    /// Compiles all functions of a linked module that are not compiled yet; calls of them go to the code from then on.
    /// Functions that cannot be compiled stay with the context's engine, and `left` is told why; so do all of a module of another
    /// context.
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
            if unit.begin(true) {
                taken.push(unit)?;
            }
        }
        let compiled = if self.shared.options.can_free {
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

    /// Compiles functions so that each can be given back.
    fn compile_apart(
        &self,
        units: &[&Unit<'m>],
        left: &mut dyn FnMut(FuncId, Error),
    ) -> Result<Compiled, OutOfMemory> {
        let mut compiled = Compiled::default();
        for unit in units {
            match unit.compile_as(Way::Function) {
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
        let shared = &*self.shared;
        shared.with_worker(|worker| {
            worker.compiler.follows_properties = false;
            let mut compiled = Compiled::default();
            if worker.compiler.built_level() >= Callees::FROM_LEVEL {
                let callees = Callees::new(linked.module(), self.context.allocator())?;
                sort_by_key(units, |unit| callees.place(unit.func()));
                worker.compiler.callees = Some(callees);
            }
            for unit in units {
                match worker.add(unit) {
                    Ok(()) => compiled.functions += 1,
                    Err(Error::OutOfMemory) => return Err(OutOfMemory),
                    Err(error) => {
                        let callees = worker.compiler.callees.as_mut();
                        if let Some(callees) = callees {
                            callees.forget(unit.func());
                        }
                        unit.to_engine();
                        left(unit.func(), error);
                        shared.left(unit.callable(), error);
                        compiled.left += 1;
                    }
                }
            }
            if compiled.functions == 0 {
                return Ok(compiled);
            }
            worker.batch.sort();
            let piece = worker.batch.place(shared, linked)?;
            for &(func, start, end) in &worker.batch.functions {
                let callable = linked.callable(func);
                let code = piece.run + start as usize;
                shared.made(callable, code, (end - start) as usize, None);
                if let Some(unit) = Unit::find(shared, callable) {
                    unit.ready(code);
                }
            }
            compiled.bytes = worker.batch.code.len() as u64;
            Ok(compiled)
        })
    }

    /// Compiles one function, if it is not compiled yet; calls of it go to the code from then on.
    ///
    /// # Errors
    ///
    /// Why it is left to the context's engine; [`Error::Unsupported`] also if it is a closure, or another compiler has it, or it is
    /// no linked function of the context.
    pub fn compile(&self, callable: &Callable<'m>) -> Result<(), Error> {
        let (linked, _) = callable.func().ok_or(Error::Unsupported)?;
        if !self.knows(linked) {
            return Err(Error::Unsupported);
        }
        let _at_work = self.context.at_work();
        self.adopt(linked)?;
        let unit = Unit::find(&self.shared, callable).ok_or(Error::Unsupported)?;
        if unit.begin(true) {
            unit.compile_as(Way::Function)?;
        }
        Ok(())
    }

    /// Has those functions of a linked module that `which` chooses compiled when they are first called, by whatever thread
    /// that is. Functions that cannot be compiled then stay with the context's engine, and so do those of other contexts.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`]; nothing is changed then.
    pub fn defer(
        &self,
        linked: &LinkedModule<'m>,
        way: Way,
        which: &mut dyn FnMut(FuncId) -> bool,
    ) -> Result<(), OutOfMemory> {
        if !self.knows(linked) {
            return Ok(());
        }
        let _at_work = self.context.at_work();
        self.adopt(linked)?;
        for unit in self.units(linked) {
            if which(unit.func()) {
                unit.wait(way);
            }
        }
        Ok(())
    }

    /// Gives the code of a function back, which the context's engine runs from then on; whether there was code that can be
    /// given back. It can be compiled again.
    ///
    /// # Safety
    ///
    /// No thread is in the function's code, or will come back to it from a call.
    pub unsafe fn free(&self, callable: &Callable<'m>) -> bool {
        if !callable.runs_in(self.context) {
            return false;
        }
        let _at_work = self.context.at_work();
        let unit = Unit::find(&self.shared, callable);
        self.shared.options.can_free && unit.is_some_and(Unit::free)
    }

    /// What has been compiled since there is this compiler.
    #[must_use]
    pub fn compiled(&self) -> Compiled {
        self.shared.state.lock().compiled
    }

    /// How many bytes of executable pages are reserved.
    #[must_use]
    pub fn reserved_bytes(&self) -> usize {
        self.shared.state.lock().memory.reserved()
    }
}

impl Drop for Jit<'_, '_> {
    fn drop(&mut self) {
        // Functions go back to the engine before there is no code.
        self.shared.state.lock().modules.give_back();
        // SAFETY: the box is taken out once. Nothing leads to the code, the units and what they share any more; they are the
        // compiler's own and `Send`, and refer to what outlives the context.
        unsafe {
            let shared = ManuallyDrop::take(&mut self.shared).into_raw();
            self.context.leave(&raw mut (*shared).leftover);
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
