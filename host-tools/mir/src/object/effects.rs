//! The facts that compilers of one module tell each other of its functions as callees.
//!
//! Functions are begun callees first. Each waits for those whose effects it has to know, and so
//! its code is the same, whatever the number of compilers.

use crate::threads::locked;
use mir_nostd::codegen::{Callees, Compiler};
use mir_nostd::ir::FuncId;
use mir_nostd::machine::UnitSet;
use std::collections::HashSet;
use std::sync::{Condvar, Mutex, PoisonError};

/// The effects of the functions that were compiled so far.
pub(super) struct Effects {
    /// The facts before any function is compiled; `None` at the levels that use none.
    unknown: Option<Callees<'static>>,
    found: Mutex<Found>,
    grew: Condvar,
}

#[derive(Default)]
struct Found {
    effects: Vec<(FuncId, UnitSet)>,
    finished: HashSet<FuncId>,
    /// The number of functions at the start of the order that are finished, or not compiled at all.
    first: usize,
}

/// A compiler, and the number of effects that it knows.
pub(super) struct Informed {
    pub(super) compiler: Compiler<'static>,
    known: usize,
}

impl Informed {
    pub(super) const fn new(compiler: Compiler<'static>) -> Informed {
        Informed { compiler, known: 0 }
    }
}

impl Effects {
    pub(super) fn new(unknown: Option<Callees<'static>>) -> Effects {
        Effects {
            unknown,
            found: Mutex::default(),
            grew: Condvar::new(),
        }
    }

    /// Returns those of the functions of a module that are compiled, in the order in which they
    /// are to be begun.
    pub(super) fn order(&self, funcs: Vec<FuncId>) -> Vec<FuncId> {
        let Some(callees) = &self.unknown else {
            return funcs;
        };
        let kept: HashSet<FuncId> = funcs.into_iter().collect();
        let left_out = callees.order().iter().filter(|func| !kept.contains(func));
        locked(&self.found).finished.extend(left_out);
        { callees.order().iter().copied() }
            .filter(|func| kept.contains(func))
            .collect()
    }

    /// Waits for the functions whose effects have to be known, and tells a compiler of them.
    pub(super) fn wait_for(&self, func: FuncId, informed: &mut Informed) -> Result<(), String> {
        let Some(unknown) = &self.unknown else {
            return Ok(());
        };
        let needs = unknown.needs(func);
        let mut found = locked(&self.found);
        loop {
            found.advance(unknown.order());
            if found.first >= needs {
                break;
            }
            let waited = self.grew.wait(found);
            found = waited.unwrap_or_else(PoisonError::into_inner);
        }
        let callees = match &mut informed.compiler.callees {
            Some(callees) => callees,
            none => none.insert(unknown.try_clone().map_err(|error| error.to_string())?),
        };
        for &(func, effect) in found.effects.iter().skip(informed.known) {
            callees.learn(func, effect);
        }
        informed.known = found.effects.len();
        Ok(())
    }

    /// Notes that a function was compiled, or cannot be.
    pub(super) fn finish(&self, func: FuncId, informed: &Informed) {
        let mut found = locked(&self.found);
        if let Some(callees) = &informed.compiler.callees {
            found.effects.push((func, callees.effect(func)));
        }
        found.finished.insert(func);
        self.grew.notify_all();
    }
}

impl Found {
    fn advance(&mut self, order: &[FuncId]) {
        while (order.get(self.first)).is_some_and(|func| self.finished.contains(func)) {
            self.first += 1;
        }
    }
}
