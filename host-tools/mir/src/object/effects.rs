//! The facts that compilers of one module tell each other of its functions as callees.
//!
//! Functions are begun callees first. Each waits for those whose effects it has to know, and so
//! its code is the same, whatever the number of compilers.

use super::code::compile;
use crate::failure::Refusal;
use crate::threads::locked;
use mir_nostd::codegen::{Callees, Compiler, Offsets};
use mir_nostd::ir::{FuncId, Module};
use mir_nostd::machine::UnitSet;
use std::collections::HashSet;
use std::sync::{Condvar, Mutex, PoisonError};

/// The effects of the functions that were compiled so far.
pub(super) struct Effects {
    /// The facts before any function is compiled; `None` at the levels that use none.
    unknown: Option<Callees<'static>>,
    found: Mutex<Found>,
    grew: Condvar,
    /// The tables of facts that no compiler has.
    tables: Mutex<Vec<Table>>,
}

/// The effects that were found.
#[derive(Default)]
struct Found {
    effects: Vec<(FuncId, UnitSet)>,
    finished: HashSet<FuncId>,
    /// The number of functions at the start of the order that are finished, or not compiled at all.
    first: usize,
}

/// A compiler's table of facts, and the number of effects that it has.
struct Table {
    callees: Callees<'static>,
    known: usize,
}

impl Effects {
    pub(super) fn new(unknown: Option<Callees<'static>>) -> Effects {
        Effects {
            unknown,
            found: Mutex::default(),
            grew: Condvar::new(),
            tables: Mutex::default(),
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

    /// Compiles a function when the effects are known that it needs.
    pub(super) fn compile(
        &self,
        module: &Module<'_>,
        func: FuncId,
        compiler: &mut Compiler<'static>,
    ) -> Result<Offsets<'static>, Refusal> {
        let Some(unknown) = &self.unknown else {
            return compile(module, func, compiler);
        };
        let table = self.table_for(func, unknown);
        let mut known = 0;
        let compiled = table.and_then(|table| {
            known = table.known;
            compiler.callees = Some(table.callees);
            compile(module, func, compiler)
        });
        let table = compiler.callees.take();
        let mut found = locked(&self.found);
        if let Some(callees) = table {
            found.effects.push((func, callees.effect(func)));
            locked(&self.tables).push(Table { callees, known });
        }
        found.finished.insert(func);
        self.grew.notify_all();
        compiled
    }

    /// Waits for the functions whose effects one has to know, and returns a table with them.
    fn table_for(&self, func: FuncId, unknown: &Callees<'static>) -> Result<Table, Refusal> {
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
        let spare = locked(&self.tables).pop();
        let mut table = match spare {
            Some(table) => table,
            None => Table {
                callees: unknown.try_clone().map_err(|error| error.to_string())?,
                known: 0,
            },
        };
        for &(func, effect) in found.effects.iter().skip(table.known) {
            table.callees.learn(func, effect);
        }
        table.known = found.effects.len();
        Ok(table)
    }
}

impl Found {
    fn advance(&mut self, order: &[FuncId]) {
        while (order.get(self.first)).is_some_and(|func| self.finished.contains(func)) {
            self.first += 1;
        }
    }
}
