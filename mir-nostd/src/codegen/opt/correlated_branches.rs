//! Correlated branches: the condition by which control came to a block can decide the branch at the
//! end of it, or of a block that it dominates (Mueller and Whalley, "Avoiding conditional branches
//! by code replication", 1995, without the replication). A `switch` after a test of its range does
//! not test the range again. In SSA form.

use crate::codegen::analysis::bounds::{Bound, Bounds, bound_at, only_branch, set_outcome};
use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::phis::definitions;
use crate::machine::{BlockId, Function, Generic, InsnId, LowType, Opcode, Operand, VReg};
use crate::mem::{Entity, Vec};
use crate::target::error::Error;

/// Rewrites decided branches as branches on constants, and extensions that change nothing as
/// copies. Returns whether there were any. The next combine removes the branches.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn fold_correlated(function: &mut Function<'_>, flow: &Flow<'_>) -> Result<bool, Error> {
    let allocator = function.allocator();
    let mut changed = false;
    let mut known = None;
    let mut bounds = Bounds::new(allocator);
    // The blocks around the present one in the dominator tree at which a bound was learnt.
    let mut scopes: Vec<'_, (BlockId, usize)> = Vec::new(allocator);
    for &block in &flow.tree {
        while let Some(&(scope, count)) = scopes.last()
            && !flow.dominates(scope, block)
        {
            bounds.forget_to(count);
            scopes.pop();
        }
        let bound = bound_at(function, flow, block);
        if bound.is_none() && scopes.is_empty() {
            continue;
        }
        // Rewritten instructions define the same registers.
        let definitions = match &known {
            Some(definitions) => definitions,
            None => &*known.insert(definitions(function)?),
        };
        if let Some(bound) = bound {
            scopes.push((block, bounds.count()))?;
            bounds.learn(function, bound)?;
            changed |= extensions(function, definitions, block, bound)?;
        }
        changed |= branch(function, definitions, block, &bounds)?;
    }
    Ok(changed)
}

/// Returns the register of which an instruction zero-extends the low 32 bits.
fn extended(function: &Function<'_>, insn: InsnId) -> Option<VReg> {
    let is_extension = function.insn(insn).opcode == Opcode::from(Generic::ZextInreg);
    match *function.operands(insn) {
        [_, from, bits] if is_extension && bits.small() == Some(32) => from.vreg(),
        _ => None,
    }
}

/// Replaces zero extensions of the register by copies if it was sign-extended and its bound leaves
/// the sign bit clear.
fn extensions(
    function: &mut Function<'_>,
    definitions: &[Option<InsnId>],
    block: BlockId,
    bound: Bound,
) -> Result<bool, Error> {
    let definition = definitions.get(bound.vreg.index()).copied().flatten();
    let is_signed = definition.is_some_and(|insn| {
        let bits = function.operands(insn).get(2).and_then(|bits| bits.small());
        match function.insn(insn).opcode.generic() {
            Some(Generic::SextLoad) => true,
            Some(Generic::SextInreg) => bits.is_some_and(|bits| bits <= 32),
            _ => false,
        }
    });
    if !is_signed || bound.ty != LowType::S32 || bound.most > i32::MAX as u64 {
        return Ok(false);
    }
    let (mut changed, mut cursor) = (false, function.cursor(block));
    while let Some(insn) = cursor.next(function) {
        if extended(function, insn) == Some(bound.vreg)
            && let Some(&to) = function.operands(insn).first()
        {
            function.set_opcode(insn, Generic::Copy.into());
            function.set_operands(insn, &[to, Operand::from(bound.vreg)])?;
            changed = true;
        }
    }
    Ok(changed)
}

/// Rewrites the branch at the end of a block as one on constants if the bounds decide it.
fn branch(
    function: &mut Function<'_>,
    definitions: &[Option<InsnId>],
    block: BlockId,
    bounds: &Bounds<'_>,
) -> Result<bool, Error> {
    let Some(insn) = only_branch(function, block) else {
        return Ok(false);
    };
    let most_of = |vreg: VReg, ty: LowType| {
        let definition = definitions.get(vreg.index()).copied().flatten();
        let source = definition.and_then(|insn| extended(function, insn));
        match source.filter(|_| ty == LowType::S64) {
            Some(source) => bounds.of(vreg, ty).min(bounds.of(source, LowType::S32)),
            None => bounds.of(vreg, ty),
        }
    };
    let holds = Bounds::decide(function, insn, most_of);
    if let Some(holds) = holds {
        set_outcome(function, insn, holds)?;
    }
    Ok(holds.is_some())
}
