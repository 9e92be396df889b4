//! Translated programs at work, confined: a program reads and writes its stack, and the packet and
//! the context that a run lends it; it calls the helpers that it was given, and stops when its fuel
//! is used up.

use crate::body::CALLED;
use crate::translate::numbered;
use core::sync::atomic::{AtomicU64, Ordering};
use mir_nostd::codegen;
use mir_nostd::confined::{self, ConfinedFn, FIRST_WINDOW, Fault, Space};
use mir_nostd::ir::{Error, Module};
use mir_nostd::link::{Access, Context, Reason};
use mir_nostd::run::Jit;
use mir_nostd::target::Value;
use mir_nostd::verify::Verified;

/// A helper: the number that programs call it by, and a closure of five values and a result.
pub type Helper<'m> = (u32, &'m dyn ConfinedFn);

/// The options of a program's space. All its memory is stack: 512 bytes and some more for each call
/// that is under way.
pub const OPTIONS: confined::Options = confined::Options {
    stack: Some(u64::MAX),
    windows: true,
    masks: false,
};

/// The address at which a program sees the packet.
pub const PACKET: u64 = FIRST_WINDOW;

/// The address at which a program sees the context.
pub const CONTEXT: u64 = FIRST_WINDOW << 1;

/// A program that is loaded.
#[derive(Debug)]
pub struct Program<'c, 'm> {
    program: confined::Program<'c, 'm>,
    /// The compiler and the word of its fuel, if the program is compiled.
    jit: Option<(Jit<'c, 'm>, &'m AtomicU64)>,
}

impl<'c, 'm> Program<'c, 'm> {
    /// Loads a program into a space with [`OPTIONS`], to be interpreted.
    ///
    /// # Errors
    ///
    /// The module imports a helper that is not given; the context's engine does not count fuel; the
    /// space is another program's; out of memory.
    pub fn load(
        context: &'c Context<'m>,
        space: &'m Space<'m>,
        module: Module<'m>,
        helpers: &[Helper<'m>],
    ) -> Result<Program<'c, 'm>, Error> {
        let mut program = confined::Program::new(context, space)?;
        for &(number, function) in helpers {
            let name = numbered(context.allocator(), "helper_", number)?;
            program.define(&name, CALLED, function)?;
        }
        program.load(Verified::new(module, context.target(), &mut |_| {})?)?;
        program.link()?;
        Ok(Program { program, jit: None })
    }

    /// Compiles the program, which runs so from then on. The compiler takes its fuel from this
    /// word, and has a limit of the stack.
    ///
    /// # Errors
    ///
    /// A function cannot be compiled; out of memory.
    pub fn compile(&mut self, jit: Jit<'c, 'm>, fuel: &'m AtomicU64) -> Result<(), codegen::Error> {
        let mut left = Ok(());
        self.program
            .compile(&jit, &mut |_, error| left = Err(error))?;
        self.jit = Some((jit, fuel));
        left
    }

    /// Runs `main` with so much fuel on a packet and a context, of which it gets the addresses and
    /// lengths.
    ///
    /// # Errors
    ///
    /// The reason and the place of the fault. [`Reason::NotLinked`] if the space has no windows, or
    /// the compiler no limits.
    pub fn run(&mut self, packet: &mut [u8], context: &mut [u8], fuel: u64) -> Result<u64, Fault> {
        let parts = [PACKET, packet.len() as u64, CONTEXT, context.len() as u64];
        let arguments = parts.map(Value::from_u64);
        let mut results = [Value::ZERO];
        let Program { program, jit } = self;
        let lent = program.lend(PACKET, packet, Access::Write, |program| {
            program.lend(CONTEXT, context, Access::Write, |program| match jit {
                None => program.interpret(b"main", &arguments, &mut results, fuel),
                Some((jit, word)) => {
                    word.store(fuel, Ordering::Relaxed);
                    program.run(jit, b"main", &arguments, &mut results)
                }
            })
        });
        lent.flatten().map_err(|_| Fault {
            reason: Reason::NotLinked,
            function: None,
            instruction: None,
        })??;
        Ok(results[0].u64())
    }

    /// Returns the fuel that the last run left.
    #[must_use]
    pub fn fuel(&self) -> u64 {
        match &self.jit {
            None => self.program.fuel(),
            Some((_, word)) => word.load(Ordering::Relaxed),
        }
    }
}
