//! Translated programs at work. This is the only file that decides with what rights they run.
#![expect(
    unsafe_code,
    reason = "programs use memory as they like: who loads them vouches for them"
)]

use crate::body::CALLED;
use crate::translate::numbered;
use mir_nostd::codegen;
use mir_nostd::interp::{self, Interpreter};
use mir_nostd::ir::{Error, Module, Problem};
use mir_nostd::link::{Callable, Context, HostFn, Reason};
use mir_nostd::run::{CallError, Jit};
use mir_nostd::target::Value;
use mir_nostd::verify::Verified;

/// A helper: the number that programs call it by, and a closure of five values and a result.
pub type Helper<'m> = (u32, &'m dyn HostFn);

/// A program that is loaded.
#[derive(Debug)]
pub struct Program<'c, 'm> {
    main: &'c Callable<'m>,
    interpreter: Interpreter<'c, 'm>,
    /// There if the program is compiled.
    jit: Option<Jit<'c, 'm>>,
}

impl<'c, 'm> Program<'c, 'm> {
    /// Loads a program into a context of its own, to be interpreted.
    ///
    /// # Errors
    ///
    /// The module imports a helper that is not given; out of memory.
    ///
    /// # Safety
    ///
    /// Whatever [`Program::run`] is given, the program reads and writes its stack, what it is given
    /// and what helpers give it, and nothing else.
    pub unsafe fn load(
        context: &'c Context<'m>,
        module: Module<'m>,
        helpers: &[Helper<'m>],
    ) -> Result<Program<'c, 'm>, Error> {
        for &(number, function) in helpers {
            let name = numbered(context.allocator(), "helper_", number)?;
            context.add_host_fn(&name, CALLED, function)?;
        }
        let verified = Verified::new(module, context.target(), &mut |_| {})?;
        // SAFETY: by the caller's word.
        unsafe { context.load(verified)? };
        context.link(&mut |_| None)?;
        Ok(Program {
            main: context.find_func(b"main").ok_or(Problem::UndeclaredName)?,
            interpreter: Interpreter::new(context, interp::Options::default())?,
            jit: None,
        })
    }

    /// Compiles the program, which runs so from then on.
    ///
    /// # Errors
    ///
    /// A function cannot be compiled; out of memory.
    pub fn compile(&mut self, jit: Jit<'c, 'm>) -> Result<(), codegen::Error> {
        let (module, _) = self.main.func().ok_or(codegen::Error::Unsupported)?;
        let mut left = Ok(());
        jit.compile_module(module, &mut |_, error| left = Err(error))?;
        self.jit = Some(jit);
        left
    }

    /// Runs `main` on memory, which it gets as address and length.
    ///
    /// # Errors
    ///
    /// The reason why it stopped.
    pub fn run(&mut self, memory: &mut [u8]) -> Result<u64, Reason> {
        let arguments = [
            Value::from_address(memory.as_mut_ptr()),
            Value::from_u64(memory.len() as u64),
        ];
        let mut results = [Value::ZERO];
        match &self.jit {
            None => {
                let done = self.interpreter.run(self.main, &arguments, &mut results);
                done.map_err(|stop| stop.reason)?;
            }
            Some(jit) => {
                // SAFETY: who loaded the program vouched for it.
                let done = unsafe { jit.call(self.main, &arguments, &mut results) };
                done.map_err(reason)?;
            }
        }
        Ok(results[0].u64())
    }
}

fn reason(error: CallError) -> Reason {
    match error {
        CallError::Fault(fault) => fault.reason(),
        CallError::OutOfMemory => Reason::OutOfMemory,
        CallError::Signature => Reason::Signature,
        CallError::TooLarge => Reason::TooLarge,
    }
}
