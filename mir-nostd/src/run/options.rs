//! Settings of a compiler, and what it tells its embedder.

use super::fault::Fault;
use crate::codegen::{self, Compiler, Error, Fuel, Offsets, Stage};
use crate::link::Callable;
use core::fmt;
use core::sync::atomic::{AtomicU64, AtomicUsize};

/// Stages for [`Options::stages`].
///
/// ```compile_fail,E0133
/// let none = mir_nostd::run::Stages::new(&[]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Stages<'m>(pub(super) &'m [Stage<'m>]);

impl<'m> Stages<'m> {
    /// Returns these stages, in this order.
    ///
    /// # Safety
    ///
    /// They compile functions to code that does what the function says: what they make is run as it
    /// is.
    #[must_use]
    pub const unsafe fn new(stages: &'m [Stage<'m>]) -> Stages<'m> {
        Stages(stages)
    }
}

/// The settings with which functions are compiled.
#[derive(Clone, Copy, Debug)]
pub struct Options<'m> {
    /// The settings of the code generator. A function that would exceed the budget is left to the
    /// context's engine.
    pub codegen: codegen::Options<'m>,
    /// The stages that functions go through, if not those of the target for the level.
    pub stages: Option<Stages<'m>>,
    /// The most versions of a block that assume something of properties, with
    /// [`Granularity::Block`](codegen::Granularity::Block).
    /// Control that comes with other properties takes one that assumes nothing.
    pub versions: u32,
    /// True if the code of single functions can be freed, by [`Jit::free`](super::Jit::free): then
    /// every call goes through the function's address, which takes a jump more.
    pub can_free: bool,
    /// The word that fuel is taken from, at the costs of
    /// [`Engine::with_fuel`](crate::interp::Engine::with_fuel), one region of instructions after
    /// the other. Threads that run at a time share it, and may then take too little. Properties
    /// count as 0 then with every way, as they do in the interpreter: code goes the same ways.
    ///
    /// A function keeps its fuel in a register. It writes the word before calls and returns, and
    /// reads it anew after calls.
    pub fuel: Option<&'m AtomicU64>,
    /// The one who is asked for more fuel where it does not suffice. Without it the run ends there,
    /// and loops are faster.
    pub refuel: Option<&'m dyn Refuel>,
    /// The word that holds the lowest address that the stack may reach: functions end the run that
    /// are entered when their frame reaches below it. Below it there must be room for
    /// [`LARGEST_CHECKED`](crate::codegen::LARGEST_CHECKED) bytes and whatever C needs. Whoever
    /// switches between stacks changes it.
    pub stack_limit: Option<&'m AtomicUsize>,
    /// The listener that is told what is made.
    pub watch: Option<&'m dyn Watch>,
    /// The threads that help to compile modules of several functions
    /// ([`Jit::compile_module`](super::Jit::compile_module)). The code is the same, whatever their
    /// number. They do not help where the order is to be seen, with
    /// [`debug`](codegen::Options::debug), or where functions share a budget of memory, or with
    /// [`Options::can_free`].
    pub threads: Option<&'m dyn Threads>,
}

impl Options<'_> {
    /// Returns the fuel that code charges.
    pub(super) const fn charged(&self) -> Fuel {
        match (self.fuel, self.refuel) {
            (None, _) => Fuel::Free,
            (_, None) => Fuel::Final,
            _ => Fuel::Granted,
        }
    }
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            codegen: codegen::Options::DEFAULT,
            stages: None,
            versions: 4,
            can_free: false,
            fuel: None,
            refuel: None,
            stack_limit: None,
            watch: None,
            threads: None,
        }
    }
}

/// Threads, or processors of a kernel, that an embedder lends to a compiler.
///
/// ```
/// use mir_nostd::run::Threads;
///
/// struct Scoped;
///
/// impl Threads for Scoped {
///     fn share(&self, most: usize, work: &(dyn Fn() + Sync)) {
///         let processors = std::thread::available_parallelism().map_or(1, usize::from);
///         std::thread::scope(|scope| {
///             for _ in 1..most.min(processors) {
///                 scope.spawn(work);
///             }
///             work();
///         });
///     }
/// }
/// # let calls = std::sync::atomic::AtomicUsize::new(0);
/// # Scoped.share(2, &|| { calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed); });
/// # assert!((1..=2).contains(&calls.into_inner()));
/// ```
pub trait Threads: Sync {
    /// Calls `work` on this thread and at the same time on others, at most on `most` in all, and
    /// returns when all those calls have returned. Each returns when there is nothing left to do
    /// for its thread; meanwhile it may wait for the others without giving up its processor.
    ///
    /// Nothing depends on how many there are: the compiler does itself what is left over.
    fn share(&self, most: usize, work: &(dyn Fn() + Sync));
}

impl fmt::Debug for dyn Threads + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Threads")
    }
}

/// One who may grant more fuel to code that runs.
pub trait Refuel: Sync {
    /// There is less fuel than a block needs. Returns whether there is more now, which was added to
    /// the word; the run ends if not.
    fn grants(&self, needed: u64) -> bool;
}

impl fmt::Debug for dyn Refuel + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Refuel")
    }
}

/// A listener that is told what a compiler does: for profilers, debuggers and statistics. It is
/// called by the thread that compiles, which may be one of [`Options::threads`], and must not call
/// the compiler.
pub trait Watch: Sync {
    /// Code of the function runs from `address` on: the whole, or one version of the block of this
    /// number.
    fn made(&self, callable: &Callable<'_>, address: usize, bytes: usize, block: Option<u32>) {
        let _ = (callable, address, bytes, block);
    }

    /// Returns whether [`Watch::encoded`] is to find the place of each instruction in the source,
    /// which takes memory and time.
    fn wants_lines(&self) -> bool {
        false
    }

    /// Returns whether [`Watch::encoded`] is to find the place of each variable in the frame
    /// ([`Execution::variables`](crate::codegen::Execution::variables)), which makes code slower.
    fn wants_variables(&self) -> bool {
        false
    }

    /// The code of the whole function was made by this compiler, with its blocks at these offsets.
    /// [`Watch::made`] tells later at which address it runs: on the same thread, or, if that is one
    /// of [`Options::threads`], on the one that they help.
    fn encoded(&self, callable: &Callable<'_>, compiler: &Compiler<'_>, offsets: &Offsets<'_>) {
        let _ = (callable, compiler, offsets);
    }

    /// The function is left to the context's engine.
    fn left(&self, callable: &Callable<'_>, error: Error) {
        let _ = (callable, error);
    }

    /// A function that waited for its first call is about to be compiled, or a block for being
    /// reached.
    fn begins(&self, callable: &Callable<'_>) {
        let _ = callable;
    }

    /// Code stopped that nobody called who is prepared for it: neither
    /// [`Jit::call`](super::Jit::call) nor the interpreter is below on the stack. If this returns,
    /// the machine is stopped.
    fn faulted(&self, fault: &Fault) {
        let _ = fault;
    }

    /// The compilation that was begun is done.
    fn ends(&self, callable: &Callable<'_>) {
        let _ = callable;
    }
}

impl fmt::Debug for dyn Watch + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}

/// The numbers of what was compiled.
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

impl Compiled {
    /// Adds the numbers of another part.
    pub(super) const fn add(&mut self, other: &Compiled) {
        self.functions += other.functions;
        self.left += other.left;
        self.blocks += other.blocks;
        self.bytes += other.bytes;
    }
}
