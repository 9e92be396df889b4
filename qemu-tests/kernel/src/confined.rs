//! Confined programs: contexts and compilers for them.

use crate::arch::{self, NATIVE, TARGET};
use crate::layout;
use crate::memory::heap;
use crate::pages::pages;
use crate::run::Failure;
use core::fmt;
use core::sync::atomic::{AtomicU64, AtomicUsize};
use mir_nostd::confined::Memory;
use mir_nostd::interp::Engine;
use mir_nostd::link::{Context, ContextOptions, HostError};
use mir_nostd::run::{Jit, Options};
use mir_nostd::target::Value;

/// A function of the kernel's that programs import.
pub type Import = fn(&mut Memory<'_>, &[Value], &mut [Value]) -> Result<(), HostError>;

static ENGINE: Engine = Engine::with_fuel();

/// Returns a context whose programs import nothing of the kernel's but what they are given.
pub fn context<'m>() -> Context<'m> {
    let mut options = ContextOptions::new(heap(), &TARGET, &ENGINE);
    options.native = Some(&NATIVE);
    options.pages = Some(pages());
    Context::new(options)
}

/// The words that hold the limits of compiled code.
pub struct Limits {
    /// The fuel that is left.
    pub fuel: AtomicU64,
    /// The lowest address that the stack may reach.
    stack: AtomicUsize,
}

impl Limits {
    /// Returns the limits of code on the first CPU's stack, without fuel.
    pub fn new() -> Limits {
        Limits {
            fuel: AtomicU64::new(0),
            stack: AtomicUsize::new(layout::lowest_of_stack()),
        }
    }
}

/// The way in which a program runs: interpreted, or compiled at a level.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Way(Option<u8>);

impl Way {
    /// The interpreter.
    pub const INTERPRETED: Way = Way(None);

    /// Returns all ways that the kernel is built with, the interpreter first.
    pub fn all() -> impl Iterator<Item = Way> {
        let levels = arch::BACKEND.map_or(0..0, |_| 0..4);
        core::iter::once(Way::INTERPRETED).chain(levels.map(|level| Way(Some(level))))
    }

    /// Returns the compiler of this way; `None` for the interpreter.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn compiler<'c, 'm>(
        self,
        context: &'c Context<'m>,
        limits: &'m Limits,
    ) -> Result<Option<Jit<'c, 'm>>, Failure> {
        let (Some(level), Some(backend)) = (self.0, arch::BACKEND) else {
            return Ok(None);
        };
        let mut options = Options::default();
        options.codegen.level = level;
        (options.fuel, options.stack_limit) = (Some(&limits.fuel), Some(&limits.stack));
        let jit = Jit::new(context, backend, &NATIVE, pages(), options);
        jit.map(Some).map_err(|_| Failure::Uncompiled(u32::MAX))
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => f.write_str("interpreted"),
            Some(level) => write!(f, "compiled at level {level}"),
        }
    }
}
