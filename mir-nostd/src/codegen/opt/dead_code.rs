//! Dead code elimination: removes computations on which no effect depends, induction variables that
//! only count themselves included. In SSA form (Cytron et al., "Efficiently computing static single
//! assignment form and the control dependence graph", 1991, without the control dependences:
//! branches stay).

use crate::codegen::analysis::properties::is_removable;
use crate::machine::{Function, Insn, LayoutCursor, Operand};
use crate::mem::{Entity, Vec};
use crate::target::error::Error;

/// Removes the instructions that no instruction with an effect depends on.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn remove_dead(function: &mut Function<'_>) -> Result<(), Error> {
    let allocator = function.allocator();
    // The instruction that defines each virtual register, if it has no effect.
    let mut definitions = Vec::new(allocator);
    definitions.resize(function.vreg_count(), None)?;
    let mut needed = Vec::new(allocator);
    needed.resize(function.insn_count(), false)?;
    let mut stack = Vec::new(allocator);
    for &block in &function.layout {
        for (insn, row) in function.rows(block) {
            if has_effect(function, row) {
                needed[insn.index()] = true;
                stack.push(insn)?;
                continue;
            }
            let defs = function.operands_of(row).iter().take_while(|o| o.is_def());
            for vreg in defs.filter_map(|operand| operand.vreg()) {
                definitions[vreg.index()] = Some(insn);
            }
        }
    }
    while let Some(insn) = stack.pop() {
        let read = function.operands(insn).iter().filter(|o| !o.is_def());
        for vreg in read.filter_map(|operand| operand.vreg()) {
            if let Some(definition) = definitions[vreg.index()]
                && !core::mem::replace(&mut needed[definition.index()], true)
            {
                stack.push(definition)?;
            }
        }
    }
    let mut layout = LayoutCursor::default();
    while let Some(block) = layout.next(function) {
        let mut cursor = function.cursor(block);
        while let Some(insn) = cursor.next(function) {
            if !needed[insn.index()] {
                function.remove(insn);
            }
        }
    }
    Ok(())
}

/// Returns whether an instruction does more than compute virtual registers.
fn has_effect(function: &Function<'_>, row: &Insn) -> bool {
    let generic = row.opcode.generic();
    if !generic.is_some_and(|generic| is_removable(generic, row.ty)) {
        return true;
    }
    let operands = function.operands_of(row);
    let computes = operands.first().is_some_and(|first| first.is_def());
    let is_other = |operand: &Operand| operand.is_def() && operand.vreg().is_none();
    !computes || operands.iter().any(is_other)
}
