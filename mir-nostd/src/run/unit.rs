//! Units: each is one function of a compiler, with its state and its code.
//!
//! A unit is either with the context's engine, or waiting for its first call, or being compiled by
//! one thread while others that call it wait, or it has code. The function's entry leads
//! accordingly to the gate to the engine, to the gate that has it compiled, or to the code.

use super::blocks::BlockCode;
use super::job::Job;
use super::memory::Piece;
use super::misfits::misfits;
use super::shared::Shared;
use crate::codegen::{Error, Granularity};
use crate::ir::{Code, FuncId};
use crate::link::{Callable, LinkedModule};
use crate::mem::{Allocator, Box, HashKey, HashTable, OutOfMemory, Vec};
use crate::target::{Entry, Handler, Incoming, call_handler, handler_at};
use core::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use spin::Mutex;

/// The state of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Stand {
    /// The context's engine runs the function.
    Engine,
    /// It is compiled when it is first called.
    Waits,
    /// A thread compiles it.
    Busy,
    /// It has code.
    Ready,
}

impl Stand {
    const fn of(number: u8) -> Stand {
        match number {
            1 => Stand::Waits,
            2 => Stand::Busy,
            3 => Stand::Ready,
            _ => Stand::Engine,
        }
    }
}

/// The stands from which a unit is taken for compiling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum From {
    /// The engine's, and waiting.
    Any,
    /// Waiting alone.
    Wait,
}

/// The place that calls of a function go to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Route {
    /// The gate to the context's engine.
    Engine,
    /// Native code at this address: the function's, or the gate that has it made.
    Native(usize),
}

/// One function of a compiler.
pub(super) struct Unit<'m> {
    job: Job<'m>,
    /// True if it calls a closure by another signature, which the engine checks.
    is_misfit: bool,
    stand: AtomicU8,
    by_block: AtomicU8,
    /// The address of its code, 0 if it has none.
    code: AtomicUsize,
    /// The engine's handler; 0 as long as another compiler has the function.
    engine: AtomicUsize,
    /// True if the compiler has returned the function to the engine. Until then the route to the
    /// function's code changes under this lock; afterwards it does not change any more.
    is_gone: Mutex<bool>,
    /// Its code as a whole; nothing if that is part of a module's.
    piece: Mutex<Option<Piece>>,
    /// Its code block by block.
    blocks: BlockCode<'m>,
}

/// The functions of a module.
pub(super) struct Units<'m> {
    linked: *const LinkedModule<'m>,
    units: Vec<'m, Unit<'m>>,
}

impl<'m> Units<'m> {
    /// Takes over those functions of a module that no compiler has yet.
    pub(super) fn new(
        shared: &Shared<'m>,
        linked: &LinkedModule<'m>,
        allocator: &'m dyn Allocator,
    ) -> Result<Box<'m, Units<'m>>, OutOfMemory> {
        let count = linked.callables().len();
        let mut units = Vec::with_capacity(allocator, count)?;
        let misfits = misfits(linked, allocator)?;
        for ((func, _), &is_misfit) in linked.module().funcs().zip(&misfits) {
            units.push(Unit {
                job: Job::new(shared, linked, func),
                is_misfit,
                stand: AtomicU8::new(Stand::Engine as u8),
                by_block: AtomicU8::new(0),
                code: AtomicUsize::new(0),
                engine: AtomicUsize::new(0),
                is_gone: Mutex::new(false),
                piece: Mutex::new(None),
                blocks: BlockCode::new(),
            })?;
        }
        let all = Box::new(allocator, Units { linked, units })?;
        for unit in all.units.iter() {
            unit.claim();
        }
        Ok(all)
    }

    /// Returns the functions to the context's engine.
    pub(super) fn give_back(&self) {
        self.units.iter().for_each(Unit::give_back);
    }
}

/// The functions of all modules that a compiler has.
pub(super) struct Adopted<'m> {
    modules: Vec<'m, Box<'m, Units<'m>>>,
    /// Finds modules by their addresses.
    table: HashTable<'m>,
}

impl<'m> Adopted<'m> {
    pub(super) const fn new(allocator: &'m dyn Allocator) -> Adopted<'m> {
        Adopted {
            modules: Vec::new(allocator),
            table: HashTable::new(allocator),
        }
    }

    fn hash(linked: *const LinkedModule<'m>) -> u32 {
        HashKey::new(0).word(linked.addr() as u64)
    }

    pub(super) fn has(&self, linked: &LinkedModule<'m>) -> bool {
        let is_it = |number: u32| core::ptr::eq(self.modules[number as usize].linked, linked);
        self.table.find(Adopted::hash(linked), is_it).is_some()
    }

    /// Adds the functions of a module that is not there.
    pub(super) fn add(&mut self, units: Box<'m, Units<'m>>) -> Result<(), OutOfMemory> {
        self.table.reserve_one()?;
        let (number, hash) = (self.modules.len() as u32, Adopted::hash(units.linked));
        self.modules.push(units)?;
        self.table.insert(hash, number)
    }

    /// Returns all functions to the context's engine.
    pub(super) fn give_back(&self) {
        self.modules.iter().for_each(|units| units.give_back());
    }
}

// SAFETY: the pointer is to what the context keeps, which is `Sync`.
unsafe impl Send for Units<'_> {}
// SAFETY: as above.
unsafe impl Sync for Units<'_> {}

impl<'m> Unit<'m> {
    /// Returns the unit of a function, if this compiler has it.
    pub(super) fn find<'u>(
        shared: &Shared<'m>,
        callable: &'u Callable<'m>,
    ) -> Option<&'u Unit<'m>> {
        let unit = callable.unit().cast::<Unit<'m>>();
        // SAFETY: units live as long as they have their callables, and then until no call and no
        // compiler is at work any more that began before.
        let unit = unsafe { unit.as_ref() }?;
        unit.job.is_of(shared).then_some(unit)
    }

    /// Returns where the code of a function begins, if this compiler keeps it as long as it lives.
    pub(super) fn lasting_code(shared: &Shared<'m>, callable: &Callable<'m>) -> Option<usize> {
        let code = Unit::find(shared, callable)?.code.load(Ordering::Acquire);
        (!shared.options.can_free && code != 0).then_some(code)
    }

    fn shared(&self) -> &Shared<'m> {
        self.job.shared()
    }

    fn linked(&self) -> &LinkedModule<'m> {
        self.job.linked()
    }

    pub(super) const fn func(&self) -> FuncId {
        self.job.func()
    }

    pub(super) fn callable(&self) -> &Callable<'m> {
        self.job.callable()
    }

    /// Returns the number of instructions of the function.
    pub(super) fn insn_count(&self) -> usize {
        self.linked().module().func(self.func()).insn_count()
    }

    pub(super) fn stand(&self) -> Stand {
        Stand::of(self.stand.load(Ordering::Acquire))
    }

    fn advance(&self, from: Stand, to: Stand) -> bool {
        let (order, failed) = (Ordering::AcqRel, Ordering::Acquire);
        let changed = (self.stand).compare_exchange(from as u8, to as u8, order, failed);
        changed.is_ok()
    }

    /// Takes the unit for compiling; waits if another thread has it. Returns whether it is ours.
    pub(super) fn begin(&self, from: From) -> bool {
        loop {
            match self.stand() {
                Stand::Ready => return false,
                Stand::Engine if from == From::Wait => return false,
                Stand::Busy => core::hint::spin_loop(),
                stand => {
                    if self.advance(stand, Stand::Busy) {
                        return true;
                    }
                }
            }
        }
    }

    /// Has the function compiled at its first call.
    pub(super) fn wait(&self, granularity: Granularity) {
        if self.advance(Stand::Engine, Stand::Waits) {
            self.by_block.store(
                u8::from(granularity == Granularity::Block),
                Ordering::Relaxed,
            );
            self.lead(Route::Native(self.shared().native().resolver()));
        }
    }

    /// Notes that the function has code from now on.
    pub(super) fn ready(&self, code: usize) {
        self.code.store(code, Ordering::Release);
        self.lead(Route::Native(code));
        self.stand.store(Stand::Ready as u8, Ordering::Release);
    }

    /// Leaves the function to the context's engine from now on.
    pub(super) fn to_engine(&self) {
        self.code.store(0, Ordering::Release);
        self.lead(Route::Engine);
        self.stand.store(Stand::Engine as u8, Ordering::Release);
    }

    /// Sends calls of the function along this route, unless the function was returned to the
    /// engine.
    fn lead(&self, route: Route) {
        let (is_native, code) = match route {
            Route::Engine => (false, self.shared().native().entry()),
            Route::Native(code) => (true, code),
        };
        let is_gone = self.is_gone.lock();
        if !*is_gone {
            self.callable().set_native(is_native);
            // SAFETY: the function is this unit's, whose code this is, or the gates' for a bound
            // entry.
            unsafe { self.callable().redirect(code) };
        }
    }

    /// Takes the function over, if no compiler has it.
    fn claim(&self) {
        let callable = self.callable();
        let unit = core::ptr::from_ref(self).cast_mut().cast();
        if !callable.claim(unit) {
            *self.is_gone.lock() = true;
            return;
        }
        let entry = callable.entry();
        let engine = entry.handler().map_or(0, |handler| handler as usize);
        self.engine.store(engine, Ordering::Release);
        // SAFETY: the entry is that of a callable that this unit has; `entered` is for such.
        unsafe { entry.replace_handler(entered as Handler as usize) };
    }

    /// Returns the function to the context's engine, if the unit has it.
    fn give_back(&self) {
        let mut is_gone = self.is_gone.lock();
        if !core::mem::replace(&mut *is_gone, true) {
            let callable = self.callable();
            callable.set_native(false);
            // SAFETY: the entry was bound to the engine's handler, which goes with the gate.
            unsafe {
                callable.redirect(self.shared().native().entry());
                let engine = self.engine.load(Ordering::Relaxed);
                callable.entry().replace_handler(engine);
            }
            callable.disclaim();
        }
    }

    /// True if the function calls a closure by another signature, or could inline such a call: the
    /// engine has it, which faults there. That is what the call means, so nobody is told.
    pub(super) const fn is_misfit(&self) -> bool {
        self.is_misfit
    }

    /// True if only the engine can run the function.
    fn is_bound_to_engine(&self) -> bool {
        self.is_misfit || self.has_labels_of_engine()
    }

    /// True if addresses of labels may exist that only the engine understands.
    fn has_labels_of_engine(&self) -> bool {
        let has_run = !self.callable().code().is_null();
        let module = self.linked().module();
        let takes_labels = || {
            module
                .insns(self.func())
                .any(|insn| module.code(insn) == Code::Laddr)
        };
        has_run && (self.callable().has_lrefs() || takes_labels())
    }

    /// Compiles the function, which the caller took, as it was to be at its first call.
    fn compile(&self) -> Result<usize, Error> {
        let watch = self.shared().options.watch;
        watch.inspect(|watch| watch.begins(self.callable()));
        let by_block = self.by_block.load(Ordering::Relaxed) != 0;
        let made = self.compile_as(if by_block {
            Granularity::Block
        } else {
            Granularity::Function
        });
        watch.inspect(|watch| watch.ends(self.callable()));
        made
    }

    /// Compiles the function, which the caller took, and returns the length of the code; leaves the
    /// function to the engine if that fails.
    pub(super) fn compile_as(&self, granularity: Granularity) -> Result<usize, Error> {
        let made = match granularity {
            _ if self.is_bound_to_engine() => Err(Error::Unsupported),
            Granularity::Block => self.blocks.begin(&self.job).map(|code| (code, 0)),
            Granularity::Function => self.compile_whole(),
        };
        match made {
            Ok((code, bytes)) => {
                self.ready(code);
                Ok(bytes)
            }
            Err(error) => {
                self.to_engine();
                self.shared().left(self.callable(), error);
                Err(error)
            }
        }
    }

    fn compile_whole(&self) -> Result<(usize, usize), Error> {
        let shared = self.shared();
        let (piece, bytes) = shared.with_worker(|worker| {
            worker.add(self)?;
            let piece = shared.place(&mut worker.batch, self.linked())?;
            Ok::<_, Error>((piece, worker.batch.code.len()))
        })?;
        *self.piece.lock() = Some(piece);
        shared.made(self.callable(), piece.run, bytes, None);
        Ok((piece.run, bytes))
    }

    /// Frees the code; the function is the engine's again. Returns whether there was code of its
    /// own.
    pub(super) fn free(&self) -> bool {
        if self.stand() != Stand::Ready {
            return false;
        }
        self.to_engine();
        let (piece, blocks) = (self.piece.lock().take(), self.blocks.take());
        let memory = &mut self.shared().state.lock().memory;
        piece.inspect(|&piece| memory.give_back(piece));
        blocks.as_ref().inspect(|blocks| blocks.give_back(memory));
        piece.is_some() || blocks.is_some()
    }
}

impl<'m> super::shared::Worker<'m> {
    /// Adds the code of a unit's function to the batch.
    pub(super) fn add(&mut self, unit: &Unit<'m>) -> Result<(), Error> {
        if unit.is_bound_to_engine() {
            return Err(Error::Unsupported);
        }
        let watch = unit.shared().options.watch;
        (self.batch).add(&mut self.compiler, unit.linked(), unit.func(), watch)
    }
}

native_abi! {
    /// Handles a call that came to the entry of a function without code: with arguments it is one
    /// for the engine, without it waits until there is code.
    ///
    /// # Safety
    ///
    /// The entry is that of a callable that a unit has.
    unsafe extern "C-unwind" fn entered(entry: &Entry, incoming: Option<&mut Incoming>) {
        let callable = entry.context().cast_const().cast::<Callable<'static>>();
        // SAFETY: the context keeps its callables, the compiler its units, as long as functions may
        // be called.
        let unit = || unsafe { (*callable).unit().cast::<Unit<'static>>().as_ref() };
        if incoming.is_some() {
            // SAFETY: the handler is the engine's, which bound it to this entry.
            return unsafe { call_handler(engine_of(entry, unit), entry, incoming) };
        }
        if let Some(unit) = unit()
            && unit.begin(From::Wait)
        {
            // A function that cannot be compiled is interpreted.
            let _ = unit.compile();
        }
    }
}

/// Returns the engine's handler for an entry whose unit may have been given back, or be taking the
/// function over: then it is known within a few instructions of the thread that does so.
fn engine_of<'u>(entry: &Entry, unit: impl Fn() -> Option<&'u Unit<'static>>) -> Handler {
    loop {
        let known = match unit() {
            // SAFETY: the word holds the address of the engine's handler, or 0.
            Some(unit) => unsafe { handler_at(unit.engine.load(Ordering::Acquire)) },
            None => entry.handler(),
        };
        match known {
            Some(handler) if handler as usize != entered as *const () as usize => return handler,
            _ => core::hint::spin_loop(),
        }
    }
}
