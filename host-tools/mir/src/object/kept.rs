//! The functions that an object has: on request without the private ones whose calls were all
//! inlined.

use super::Options;
use super::support::Ends;
use mir_nostd::codegen::{Form, stage};
use mir_nostd::ir::{self, FuncId, ItemId, ItemKind, Module, Operand};
use mir_nostd::machine::{Function, Symbol};
use mir_nostd::mem::Entity;

/// The functions of a module that an object has; by default all.
#[derive(Default)]
pub(crate) struct Kept {
    all: Vec<bool>,
}

impl Kept {
    /// True if a function is one of them.
    pub(crate) fn has(&self, func: FuncId) -> bool {
        self.all.get(func.index()).is_none_or(|&is_kept| is_kept)
    }
}

impl Options {
    /// Returns the functions of a module that an object has. If inlined ones are dropped, these are
    /// the roots ([`roots`]) and all functions that those still refer to after translation, which
    /// is when calls are inlined.
    pub(crate) fn kept(&self, module: &Module<'_>) -> Kept {
        if self.ends == Ends::Confined {
            return Kept {
                all: mentioned(module),
            };
        }
        if !self.drop_inlined {
            return Kept::default();
        }
        let mut kept = Kept { all: roots(module) };
        let mut compiler = self.compiler();
        compiler.options.debug = None;
        let funcs = module.funcs().map(|(func, _)| func);
        let mut found: Vec<FuncId> = funcs.filter(|&func| kept.has(func)).collect();
        while let Some(func) = found.pop() {
            let stages = [stage::TRANSLATE];
            if (compiler.run(&stages, Some((module, func)), Form::Empty)).is_err() {
                // The function cannot be compiled: compiling it later says why.
                return Kept::default();
            }
            for func in referred(module, &compiler.function) {
                if !core::mem::replace(&mut kept.all[func.index()], true) {
                    found.push(func);
                }
            }
        }
        kept
    }
}

/// Returns the function that an item is or stands for.
fn function_of(module: &Module<'_>, item: ItemId) -> Option<FuncId> {
    match module.item(module.resolve(item)).kind {
        ItemKind::Func(func) => Some(func),
        _ => None,
    }
}

/// Returns the functions that are exported, or that another function of the module mentions.
fn mentioned(module: &Module<'_>) -> Vec<bool> {
    let is_exported = |(_, function): (_, &ir::Function<'_>)| module.is_exported(function.item);
    let mut all: Vec<bool> = module.funcs().map(is_exported).collect();
    for insn in module.funcs().flat_map(|(func, _)| module.insns(func)) {
        for operand in module.operands(insn) {
            if let Operand::Item(item) = operand
                && let Some(func) = function_of(module, item)
            {
                all[func.index()] = true;
            }
        }
    }
    all
}

/// Returns the functions that are kept whatever becomes of calls: those reachable from outside, and
/// those that no other function of the module mentions.
fn roots(module: &Module<'_>) -> Vec<bool> {
    let mut all = vec![true; module.funcs().count()];
    for (caller, _) in module.funcs() {
        for insn in module.insns(caller) {
            for operand in module.operands(insn) {
                if let Operand::Item(item) = operand
                    && let Some(func) = function_of(module, item)
                    && func != caller
                {
                    all[func.index()] = false;
                }
            }
        }
    }
    for (id, item) in module.items() {
        let func = match item.kind {
            ItemKind::Func(func) if module.is_exported(id) => Some(func),
            ItemKind::Ref { item, .. } => function_of(module, item),
            ItemKind::Expr { func } => function_of(module, func),
            ItemKind::Lref { label, .. } => module.label_func(label),
            _ => None,
        };
        if let Some(func) = func {
            all[func.index()] = true;
        }
    }
    all
}

/// Returns the functions of the module that a function refers to.
fn referred<'a>(
    module: &'a Module<'_>,
    function: &'a Function<'_>,
) -> impl Iterator<Item = FuncId> + 'a {
    let insns = function
        .layout
        .iter()
        .flat_map(|&block| function.insns(block));
    let operands = insns.flat_map(|insn| function.operands(insn));
    operands.filter_map(|operand| match function.symbol(operand.as_symbol()?) {
        Symbol::Item(item) | Symbol::Callee(item) => function_of(module, item),
        _ => None,
    })
}
