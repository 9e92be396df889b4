//! The interpreter as the engine of a context, and calls from native code.

use super::code::Fuel;
use super::decode::{decode, take_back};
use super::dispatch::head;
use super::frame::RunState;
use super::interpreter::{Interpreter, Options};
use super::run::{erase, receive};
use crate::ir::{Error, Problem};
use crate::link::{self, Callable, Context, Exprs, Reason, Stopped};
use crate::mem::{Entity, OnExit, Vec};
use crate::target::{Entry, GateRegisters, Incoming};
use core::fmt;
use core::sync::atomic::{AtomicU64, Ordering};

/// Makes a context run its functions by interpreting them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Engine {
    fuel: bool,
}

impl Engine {
    /// Returns the interpreter, without counting fuel.
    #[must_use]
    pub const fn new() -> Engine {
        Engine { fuel: false }
    }

    /// Returns the interpreter, counting fuel.
    ///
    /// A region of instructions costs those of its longest path, labels not counted; it is charged
    /// when the region is entered. A region has no cycle and one entrance: it begins with the
    /// function, where a cycle closes, after a loop, at a label whose address is taken, and where
    /// control comes from several regions. A call charges the function's first region, a return
    /// nothing. This is version 2 of the costs; in version 1 each block was a region.
    #[must_use]
    pub const fn with_fuel() -> Engine {
        Engine { fuel: true }
    }

    /// The version of the costs that [`Engine::with_fuel`] counts: it changes when they do.
    pub const FUEL_VERSION: u32 = 2;
}

// SAFETY: what is published is decoded code, which runs only in the context that it was decoded
// for.
unsafe impl link::Engine for Engine {
    fn counts_fuel(&self) -> bool {
        self.fuel
    }

    unsafe fn bind(
        &self,
        context: &Context<'_>,
        callable: &Callable<'_>,
        entry: &Entry,
        registers: GateRegisters,
    ) {
        if let Some(native) = context.native() {
            let callable = erase(callable).cast_mut().cast();
            // SAFETY: the entry is the caller's; `called_back` takes the callable, which stays as
            // long as the context.
            unsafe { entry.bind(native, called_back, callable, registers) };
        }
    }

    fn evaluate(&self, exprs: &mut Exprs<'_, '_>) -> Result<(), Error> {
        let context = exprs.context();
        let mut interpreter = Interpreter::for_link(context, exprs.fuel)?;
        // Code of its own, which charges fuel whether or not the engine does.
        let functions = exprs.module().callables().len();
        let mut decoded = Vec::with_capacity(context.allocator(), functions)?;
        for _ in 0..functions {
            decoded.push(None)?;
        }
        while let Some((func, callable)) = exprs.next_func() {
            let code = match &mut decoded[func.index()] {
                Some(code) => code,
                none => {
                    let code = decode(callable, context, Fuel::Charged, head);
                    none.insert(code.map_err(|error| error_of(error.into()))?)
                }
            };
            let value = interpreter.evaluate(code);
            exprs.fuel = interpreter.fuel();
            exprs.give(value.map_err(error_of)?);
        }
        Ok(())
    }

    unsafe fn release(&self, context: &Context<'_>, code: *mut ()) {
        // SAFETY: by the caller's word this engine published it, and it is taken back once.
        drop(unsafe { take_back(context.allocator(), code) });
    }
}

/// Returns the error with which linking fails if the function of an `expr` stops.
fn error_of(exit: Reason) -> Error {
    match exit {
        Reason::OutOfMemory => Problem::OutOfMemory.into(),
        Reason::TooLarge => Problem::TooLarge.into(),
        Reason::OutOfFuel => Problem::LinkFuel.into(),
        _ => Problem::ExprStopped.into(),
    }
}

native_abi! {
    /// Runs the function that native code called.
    ///
    /// A failure ends the call of compiled code that this comes from. If it comes from a call of C
    /// by the interpreter, the results are zeros, and the run from which C was called stops as soon
    /// as that returns.
    unsafe extern "C-unwind" fn called_back(entry: &Entry, incoming: Option<&mut Incoming>) {
        let Some(incoming) = incoming else {
            return;
        };
        let callable = entry.context().cast_const().cast::<Callable<'static>>();
        // SAFETY: the context bound the entry to its callable, and both live while native code may
        // call it; the linked module knows its context.
        unsafe {
            let Some((linked, _)) = (*callable).func() else {
                return;
            };
            // Whoever runs native code has told the anchor where the context is, and it stays there
            // until that is over.
            let context = (*linked.anchor()).context();
            let runs = (*context).runs();
            let here = (&raw const incoming).addr();
            let run = runs.interpreter(here);
            if !run.is_null() {
                let state = (*run).state.cast::<RunState>();
                let saved = (*state).saved();
                let outer = ((*state).exit, (*state).pending);
                let frame = (*run).frame.load(Ordering::Relaxed);
                // Also if an exception passes.
                let restoring = OnExit(move || {
                    (*run).frame.store(frame, Ordering::Relaxed);
                    let (_, _, fuel) = (*state).saved();
                    (*state).save(saved.0, saved.1, fuel);
                    ((*state).exit, (*state).pending) = outer;
                });
                let failed = receive(state, callable, incoming).is_err();
                drop(restoring);
                (*run).callback_failed |= failed;
            } else if let Err(stopped) = run_alone(&*context, callable, incoming, runs.fuel(here))
                && let Some(native) = (*context).native()
            {
                // Without a call that is prepared for it, as on a thread of C's own, the results
                // are zeros.
                runs.end(native, stopped);
            }
        }
    }
}

/// Runs a function that compiled code called, or C by itself, with the fuel in a word, unless that
/// is null.
///
/// # Safety
///
/// As [`receive`]; the word stays until the function returns.
unsafe fn run_alone(
    context: &Context<'static>,
    callable: *const Callable<'static>,
    incoming: &mut Incoming,
    fuel: *const AtomicU64,
) -> Result<(), Stopped> {
    let mut interpreter = Interpreter::new(context, Options::default()).map_err(|_| Stopped {
        reason: Reason::OutOfMemory,
        callable: callable.expose_provenance(),
        instruction: None,
    })?;
    // SAFETY: by the caller's word.
    unsafe { interpreter.receive(callable, incoming, fuel) }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interpreter")
    }
}
