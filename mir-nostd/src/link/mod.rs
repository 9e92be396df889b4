//! Loading lays out data; linking resolves names and initialises data.
//!
//! A [`Context`] owns modules that passed the verifier, the memory of their data, and the addresses
//! of their functions. [`Context::load`] takes a module in, [`Context::link`] connects all that
//! were loaded since the last time (docs/reference/items.md); both can be done again, also while
//! linked functions run. A failure leaves everything as it was, but for what the import resolver
//! did. Linked modules are immutable and live as long as the context.
//!
//! The functions are run by an [`Engine`]; this module knows none.

mod anchor;
mod callable;
mod exprs;
mod fault;
mod globals;
mod leftovers;
mod lists;
mod load;
mod memory;
mod resolve;
mod runs;
mod trace;
mod typed;
mod window;

pub(crate) use anchor::Anchor;
pub use callable::{Callable, Host, LinkedModule, Lref};
use callable::{CallableState, Callables};
pub use exprs::Exprs;
pub use fault::Reason;
use globals::{Global, Globals};
pub(crate) use leftovers::Leftover;
use leftovers::Leftovers;
use resolve::Linking;
pub use resolve::Resolver;
pub use runs::ThreadId;
pub(crate) use runs::{Run, Runs, Stopped};
pub use trace::MOST_FRAMES;
pub(crate) use trace::{Trace, TracedCode, TracedFunction, TracedPiece};
pub use typed::{Arguments, FunctionError, MOST_ARGUMENTS, Results, Returned, Scalar, ScalarFn};
pub(crate) use typed::{Typed, with_signature};
pub use window::{Access, MOST_WINDOWS, Window, Windows};

use crate::ir::{Error, Problem, Result, SignatureSpec, Type};
use crate::mem::{Allocator, Box, HashKey, Vec};
use crate::target::{Argument, Entry, GateRegisters, Gates, Native, Pages, Target, Value};
use core::fmt;
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering};
use spin::Mutex;

/// An engine runs linked functions: it is the interpreter, or compiled code.
///
/// # Safety
///
/// An implementor does what each method says. The code that it publishes for a function is its own,
/// and [`Interpreter`](crate::interp::Interpreter) takes that for its own code too.
///
/// Only a context may call an engine, which frees the code that it is given, and runs functions
/// before they are linked.
///
/// ```compile_fail,E0133
/// use mir_nostd::link::{Context, Engine};
/// fn release(engine: &dyn Engine, context: &Context<'_>) {
///     engine.release(context, 0x1000 as *mut ());
/// }
/// ```
#[expect(unsafe_code, reason = "engines make the code that runs")]
pub unsafe trait Engine: Sync {
    /// True if the code charges fuel.
    fn counts_fuel(&self) -> bool {
        false
    }

    /// Makes calls that native code makes through `entry` run `callable`.
    ///
    /// # Safety
    ///
    /// The callable is a function of the context, and the entry its own or that of its static gate.
    unsafe fn bind(
        &self,
        context: &Context<'_>,
        callable: &Callable<'_>,
        entry: &Entry,
        registers: GateRegisters,
    );

    /// Runs the function of each expression and tells [`Exprs`] its result. Such a function has no
    /// arguments, calls nothing and uses no memory. All charge [`Exprs::fuel`], also if the engine
    /// counts no fuel else.
    ///
    /// # Errors
    ///
    /// A function faults, the fuel is used up, or there is no memory for running it.
    fn evaluate(&self, exprs: &mut Exprs<'_, '_>) -> Result<()>;

    /// Takes back what the engine made of a function.
    ///
    /// # Safety
    ///
    /// The engine made it in this context; it was taken from the function, and nothing runs it or
    /// will.
    unsafe fn release(&self, context: &Context<'_>, code: *mut ());
}

/// A closure of the embedder that programs can import.
///
/// Implemented by every `Fn(&[Value], &mut [Value]) -> Result<(), HostError> + Sync`.
pub trait HostFn: Sync {
    /// Takes the arguments, one cell each, and stores the results, one cell each.
    ///
    /// # Errors
    ///
    /// [`HostError`] ends the run: the caller of the interpreter gets it as a fault.
    fn call(&self, arguments: &[Value], results: &mut [Value]) -> Result<(), HostError>;
}

impl<F: Fn(&[Value], &mut [Value]) -> Result<(), HostError> + Sync> HostFn for F {
    fn call(&self, arguments: &[Value], results: &mut [Value]) -> Result<(), HostError> {
        self(arguments, results)
    }
}

/// A closure of the embedder gave up; the number means what the embedder wants it to mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HostError(pub u32);

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an imported closure failed with code {}", self.0)
    }
}

impl core::error::Error for HostError {}

/// The settings of a [`Context`].
#[derive(Clone, Copy)]
pub struct ContextOptions<'m> {
    /// The allocator that all memory comes from.
    pub allocator: &'m dyn Allocator,
    /// Returns the machine that the programs are for.
    pub target: &'static Target,
    /// The engine that runs them.
    pub engine: &'m dyn Engine,
    /// The machine's gates, for calls to and from native code; without them programs can call
    /// closures only.
    pub native: Option<&'m dyn Native>,
    /// The hook for executable pages: with it every function has an address that C can call.
    pub pages: Option<&'m dyn Pages>,
    /// The way to tell threads apart, if several run compiled code: a fault then ends no call of
    /// another thread, however their stacks lie.
    pub thread: Option<ThreadId>,
    /// True if functions without a thunk take static gates of the pool in
    /// [`ContextOptions::native`], as long as there are free ones.
    pub use_gates: bool,
    /// True if a module may export a function under a name that another exported.
    pub allow_redefinition: bool,
    /// The fuel of one [`Context::link`]: the most that all functions together may take that
    /// compute the values of `expr` items, at the costs of
    /// [`Engine::with_fuel`](crate::interp::Engine::with_fuel).
    pub link_fuel: u64,
    /// The number that decides which global names collide in the context's table: programs that are
    /// not trusted must not know it. By default it is [`Allocator::hash_seed`]. Nothing else
    /// depends on it.
    pub hash_seed: Option<u64>,
}

impl<'m> ContextOptions<'m> {
    /// The fuel of one [`Context::link`] where none is chosen: some tenths of a second of
    /// interpretation.
    pub const LINK_FUEL: u64 = 100_000_000;

    /// Programs that call closures only.
    #[must_use]
    pub const fn new(
        allocator: &'m dyn Allocator,
        target: &'static Target,
        engine: &'m dyn Engine,
    ) -> Self {
        ContextOptions {
            allocator,
            target,
            engine,
            native: None,
            pages: None,
            thread: None,
            use_gates: false,
            allow_redefinition: false,
            link_fuel: ContextOptions::LINK_FUEL,
            hash_seed: None,
        }
    }
}

impl fmt::Debug for ContextOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ContextOptions")
            .field("target", &self.target.name)
            .finish_non_exhaustive()
    }
}

/// Loaded and linked modules, and everything that they need to run.
///
/// Shared freely between threads: running functions needs no lock, loading and linking take one.
pub struct Context<'m> {
    options: ContextOptions<'m>,
    callables: Callables<'m>,
    state: Mutex<LoadState<'m>>,
    linking: Linking,
    /// Null until something needs it.
    anchor: AtomicPtr<Anchor<'m>>,
    runs: Runs,
    leftovers: Leftovers,
    traced: Mutex<TracedCode<'m>>,
    /// The number of confined programs that there ever were.
    programs: AtomicU32,
    /// Addresses of `setjmp`, `_setjmp`, `sigsetjmp` and `__sigsetjmp`, 0 if not known.
    set_jumps: [AtomicUsize; crate::ir::SET_JUMPS.len()],
}

/// The part of a context that only the thread that loads or links uses.
struct LoadState<'m> {
    modules: Vec<'m, Box<'m, LinkedModule<'m>>>,
    /// The number of modules that are linked; the others wait for it.
    linked: usize,
    globals: Globals<'m>,
    callables: CallableState<'m>,
    hosts: Vec<'m, Box<'m, Host<'m>>>,
}

impl<'m> Context<'m> {
    /// Returns a context without modules; allocates nothing.
    #[must_use]
    pub fn new(options: ContextOptions<'m>) -> Context<'m> {
        let allocator = options.allocator;
        let hash_seed = options.hash_seed.unwrap_or_else(|| allocator.hash_seed());
        Context {
            options,
            callables: Callables::new(allocator, options.target, options.pages),
            state: Mutex::new(LoadState {
                modules: Vec::new(allocator),
                linked: 0,
                globals: Globals::new(allocator, HashKey::new(hash_seed)),
                callables: CallableState::new(allocator),
                hosts: Vec::new(allocator),
            }),
            linking: Linking::new(options.thread),
            anchor: AtomicPtr::new(core::ptr::null_mut()),
            runs: Runs::new(options.thread),
            leftovers: Leftovers::new(),
            traced: Mutex::new(TracedCode::new(allocator)),
            programs: AtomicU32::new(0),
            set_jumps: [const { AtomicUsize::new(0) }; crate::ir::SET_JUMPS.len()],
        }
    }

    /// Returns the allocator that everything in the context takes its memory from.
    #[must_use]
    pub const fn allocator(&self) -> &'m dyn Allocator {
        self.options.allocator
    }

    /// Returns the compiled code of the confined programs of the context.
    pub(crate) const fn traced(&self) -> &Mutex<TracedCode<'m>> {
        &self.traced
    }

    /// Returns the machine that the programs are for.
    #[must_use]
    pub const fn target(&self) -> &'static Target {
        self.options.target
    }

    /// Returns the gates to native code, if there are any.
    #[must_use]
    pub const fn native(&self) -> Option<&'m dyn Native> {
        self.options.native
    }

    /// True if functions have thunks: addresses that native code can call.
    pub(crate) const fn has_thunks(&self) -> bool {
        self.options.pages.is_some()
    }

    /// Returns the runs of functions that are under way.
    pub(crate) const fn runs(&self) -> &Runs {
        &self.runs
    }

    /// True if the engine charges fuel.
    pub(crate) fn counts_fuel(&self) -> bool {
        self.options.engine.counts_fuel()
    }

    fn gates(&self) -> Option<Gates> {
        let native = self.options.native.filter(|_| self.options.use_gates);
        native.map(|native| native.gates())
    }

    /// Defines a name for imports: the address of a C function or of data, as the programs that
    /// import it were vouched for. A later definition replaces an earlier one; modules that are
    /// linked keep the address that they got.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn add_external(&self, name: &[u8], address: usize) -> Result<()> {
        self.state.lock().globals.define(
            name,
            Global {
                address,
                is_func: false,
            },
        )?;
        self.note_set_jump(name, address);
        Ok(())
    }

    fn note_set_jump(&self, name: &[u8], address: usize) {
        if let Some(number) = crate::ir::SET_JUMPS.iter().position(|&known| known == name) {
            self.set_jumps[number].store(address, Ordering::Relaxed);
        }
    }

    /// True if a function of the `setjmp` family is at this address.
    #[must_use]
    pub fn is_set_jump(&self, address: usize) -> bool {
        address != 0
            && self
                .set_jumps
                .iter()
                .any(|known| known.load(Ordering::Relaxed) == address)
    }

    /// Defines a name for imports: a closure with its signature. Calls whose prototype has another
    /// signature fault.
    ///
    /// # Errors
    ///
    /// A result is a block; out of memory.
    pub fn add_host_fn(
        &self,
        name: &[u8],
        signature: SignatureSpec<'_>,
        function: &'m dyn HostFn,
    ) -> Result<()> {
        if signature.results.iter().any(|ty| ty.is_block()) {
            return Err(Problem::ResultType.into());
        }
        let mut arguments = Vec::with_capacity(self.allocator(), signature.args.len())?;
        for arg in signature.args {
            arguments.push(Argument {
                ty: arg.ty,
                size: arg.size,
            })?;
        }
        let results = Vec::<Type>::from_slice(self.allocator(), signature.results)?;
        let host = Host::new(function, results, arguments, self)?;
        Ok(self.add_host(name, host)?)
    }

    /// Returns the address that a global name stands for: of an export, or as the embedder defined
    /// it.
    #[must_use]
    pub fn find(&self, name: &[u8]) -> Option<usize> {
        // Those of confined programs begin so.
        (!name.starts_with(&[0])).then(|| self.find_confined(name))?
    }

    /// Returns the number of a new confined program in the context.
    pub(crate) fn next_program(&self) -> u32 {
        self.programs.fetch_add(1, Ordering::Relaxed)
    }

    /// Returns the address of a name, which may be that of a confined program.
    pub(crate) fn find_confined(&self, name: &[u8]) -> Option<usize> {
        self.state
            .lock()
            .globals
            .find(name)
            .map(|global| global.address)
    }

    /// Returns the function or closure that is called at this address; `None` means native code.
    #[must_use]
    pub fn callable_at(&self, address: usize) -> Option<&Callable<'m>> {
        self.callables.find(address, self.gates())
    }

    /// True if the engine calls the code at this address as native code: it is native, or has been
    /// compiled.
    pub(crate) fn is_native_at(&self, address: usize) -> bool {
        let callable = self.callable_at(address);
        callable.is_none_or(Callable::is_native)
    }

    /// Returns the exported function of this name.
    #[must_use]
    pub fn find_func(&self, name: &[u8]) -> Option<&Callable<'m>> {
        self.callable_at(self.find(name)?)
    }

    /// Returns the number of modules that are linked.
    #[must_use]
    pub fn linked_modules(&self) -> usize {
        self.state.lock().linked
    }
}

impl fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl Drop for Context<'_> {
    fn drop(&mut self) {
        self.free_leftovers();
        let loaded = self.state.lock().modules.len();
        for number in 0..loaded {
            if let Some(module) = self.module_at(number) {
                self.release_code(module);
                self.release_gates(module);
            }
        }
        self.callables.free(&mut self.state.lock().callables);
        self.drop_anchor();
    }
}

/// Returns an error about an item of the module being loaded or linked.
fn at_item(problem: Problem, item: crate::ir::ItemId) -> Error {
    Error::at(problem, crate::ir::Place::Item(item))
}
