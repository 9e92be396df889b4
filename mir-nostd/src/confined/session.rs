//! Runs of a program, with what imports call back.
#![expect(unsafe_code, reason = "the run under way is found by its address")]

use super::caller::{CALL_FAILED, Callee, Caller, MOST_CALLS_BACK};
use super::fault::Fault;
use super::linked::Linked;
use crate::interp::call_inside;
use crate::link::{Callable, HostError, Reason};
use crate::run::Jit;
use crate::target::Value;
use core::cell::Cell;
use core::sync::atomic::{AtomicPtr, Ordering};

/// The engine of a run.
pub(super) enum Running<'s, 'c, 'm> {
    /// The interpreter whose state is there once it runs.
    Interpreted(&'s AtomicPtr<()>),
    Compiled(&'s Jit<'c, 'm>),
}

/// A run of a program, for imports that call back.
pub(super) struct Session<'s, 'c, 'm> {
    pub(super) linked: Linked<'s, 'c, 'm>,
    pub(super) running: Running<'s, 'c, 'm>,
    /// The number of calls back under way.
    depth: Cell<u32>,
    /// The fault of the last call back, if the import passes it on.
    fault: Cell<Option<Fault>>,
}

impl<'s, 'c, 'm> Session<'s, 'c, 'm> {
    pub(super) const fn new(
        linked: Linked<'s, 'c, 'm>,
        running: Running<'s, 'c, 'm>,
    ) -> Session<'s, 'c, 'm> {
        Session {
            linked,
            running,
            depth: Cell::new(0),
            fault: Cell::new(None),
        }
    }

    /// Returns the fault that a run ends with: that of a call back if an import passed it on.
    pub(super) fn fault_of_run(&self, fault: Fault) -> Fault {
        if fault.reason != Reason::Host(HostError(CALL_FAILED)) {
            return fault;
        }
        match self.fault.take() {
            Some(inner) if inner.function.is_some() => inner,
            Some(Fault { reason, .. }) => Fault { reason, ..fault },
            None => fault,
        }
    }

    fn perform(
        &self,
        callable: &'c Callable<'m>,
        arguments: &[Value],
        results: &mut [Value],
    ) -> Result<(), Fault> {
        match &self.running {
            Running::Interpreted(state) => {
                let state = state.load(Ordering::Relaxed);
                // SAFETY: the interpreter runs, and waits for the import that calls back.
                let run = unsafe { call_inside(state, callable, arguments, results) };
                run.map_err(|stopped| self.linked.fault_at(&stopped))
            }
            Running::Compiled(jit) => {
                // SAFETY: what was rewritten keeps to its space, which the run that waits does not
                // use meanwhile, and to the limits of fuel and stack.
                let run = unsafe { jit.call_confined(callable, arguments, results) };
                run.map_err(|error| self.linked.fault_of_call(error))
            }
        }
    }
}

impl Caller for Session<'_, '_, '_> {
    fn call(
        &self,
        callee: Callee<'_>,
        arguments: &[Value],
        results: &mut [Value],
    ) -> Result<(), Fault> {
        let depth = self.depth.get();
        let callable = match depth {
            MOST_CALLS_BACK.. => Err(Fault::new(Reason::Stack)),
            _ => self.linked.callable(callee, arguments, results),
        };
        // An earlier fault that the import did not pass on leaves nothing.
        self.linked.space.trace().clear();
        self.fault.set(None);
        let words = self.linked.space.words();
        let stack_pointer = words.stack_pointer.load(Ordering::Relaxed);
        let run = callable.and_then(|callable| {
            self.depth.set(depth + 1);
            let run = self.perform(callable, arguments, results);
            self.depth.set(depth);
            run.map_err(|fault| self.fault_of_run(fault))
        });
        if run.is_err() {
            words.stack_pointer.store(stack_pointer, Ordering::Relaxed);
            words.failed.store(0, Ordering::Relaxed);
        }
        self.fault.set(run.err());
        run
    }

    fn import_ended(&self, result: Result<(), HostError>) {
        // Unless it passes a fault on, there is none.
        if result != Err(HostError(CALL_FAILED)) || self.fault.get().is_none() {
            self.fault.set(None);
            self.linked.space.trace().clear();
        }
    }
}
