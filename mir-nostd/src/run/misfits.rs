//! Calls of closures by prototypes with other signatures: the engine checks those, compiled code,
//! which calls addresses, does not.

use crate::codegen::MOST_INLINED;
use crate::ir::{FuncId, InsnId, ItemId, ItemKind, Operand};
use crate::link::LinkedModule;
use crate::mem::{Allocator, Entity, OutOfMemory, Vec};

/// Returns for each function of a module whether it calls a closure by a prototype that does not
/// describe it, or calls such a function, which could be inlined.
///
/// Such calls are rare; each walk over the module but the first follows one that marked a function.
pub(super) fn misfits<'m>(
    linked: &LinkedModule<'_>,
    allocator: &'m dyn Allocator,
) -> Result<Vec<'m, bool>, OutOfMemory> {
    let module = linked.module();
    let mut marked = Vec::new(allocator);
    marked.resize(module.funcs().len(), false)?;
    let mut changed = mark(linked, &mut marked, |_, proto, callee| {
        misfits_closure(linked, proto, callee)
    });
    // Deeper calls are not inlined.
    for _ in 0..MOST_INLINED {
        if !changed {
            break;
        }
        changed = mark(linked, &mut marked, |marked, _, callee| {
            match module.item(callee).kind {
                ItemKind::Func(callee) => is_set(marked, callee),
                _ => false,
            }
        });
    }
    Ok(marked)
}

/// Marks the functions with a call, by a prototype of an item, of which `is_marked` says so;
/// returns whether there are any that were not marked.
fn mark(
    linked: &LinkedModule<'_>,
    marked: &mut [bool],
    is_marked: impl Fn(&[bool], ItemId, ItemId) -> bool,
) -> bool {
    let module = linked.module();
    let mut changed = false;
    for (func, _) in module.funcs() {
        let is_one = |insn: InsnId| {
            if !module.code(insn).is_call() {
                return false;
            }
            match (module.operand(insn, 0), module.operand(insn, 1)) {
                (Some(Operand::Item(proto)), Some(Operand::Item(callee))) => {
                    is_marked(marked, proto, module.resolve(callee))
                }
                _ => false,
            }
        };
        if !is_set(marked, func) && module.insns(func).any(is_one) {
            marked[func.index()] = true;
            changed = true;
        }
    }
    changed
}

fn is_set(marked: &[bool], func: FuncId) -> bool {
    marked.get(func.index()) == Some(&true)
}

/// True if an item is a closure that a prototype does not describe.
fn misfits_closure(linked: &LinkedModule<'_>, proto: ItemId, callee: ItemId) -> bool {
    let module = linked.module();
    // SAFETY: a module's context lives as long as the module is linked in it.
    let context = unsafe { &*(*linked.anchor()).context() };
    let callable = context.callable_at(linked.item_address(callee));
    match (module.item(proto).kind, callable.and_then(|it| it.host())) {
        (ItemKind::Proto(signature), Some(host)) => !host.is_described_by(module, &signature),
        _ => false,
    }
}
