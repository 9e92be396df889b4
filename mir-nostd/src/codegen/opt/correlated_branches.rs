//! Correlated branches: the condition on the only edge into a block can decide the branch at the
//! end of that block (Mueller and Whalley, "Avoiding conditional branches by code replication",
//! 1995, without the replication). A `switch` after a test of its range does not test the range
//! again. In SSA form.

use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::phis::{definitions, first_terminator};
use crate::machine::{
    BlockId, Function, Generic, InsnId, IntPredicate, LowType, Opcode, Operand, VReg,
};
use crate::mem::Entity;
use crate::target::error::Error;

/// An upper bound of a register, as an unsigned number of the type.
#[derive(Clone, Copy)]
struct Bound {
    vreg: VReg,
    ty: LowType,
    most: u64,
}

/// Rewrites decided branches as branches on constants, and extensions that change nothing as
/// copies. Returns whether there were any. The next combine removes the branches.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn fold_correlated(function: &mut Function<'_>, flow: &Flow<'_>) -> Result<bool, Error> {
    let mut changed = false;
    let mut known = None;
    for &block in &flow.order {
        if let Some(bound) = bound(function, flow, block) {
            // Rewritten instructions define the same registers.
            let definitions = match &known {
                Some(definitions) => definitions,
                None => &*known.insert(definitions(function)?),
            };
            changed |= branch(function, definitions, block, bound)?;
            changed |= extensions(function, definitions, block, bound)?;
        }
    }
    Ok(changed)
}

/// Returns the only conditional branch at the end of a block.
fn only_branch(function: &Function<'_>, block: BlockId) -> Option<InsnId> {
    let is = |insn, generic| function.insn(insn).opcode == Opcode::from(generic);
    let insn = first_terminator(function, block)?;
    let behind = function.insn(insn).next();
    let is_only = behind.is_none_or(|next| is(next, Generic::Br));
    (is(insn, Generic::BrIcmp) && is_only).then_some(insn)
}

/// Returns the bound that the only edge into a block implies.
fn bound(function: &Function<'_>, flow: &Flow<'_>, block: BlockId) -> Option<Bound> {
    let &[from] = flow.edges.predecessors(block) else {
        return None;
    };
    if function.block(block).address_taken || flow.edges.successors(from).len() != 2 {
        return None;
    }
    let insn = only_branch(function, from)?;
    let &[predicate, a, b, target] = function.operands(insn) else {
        return None;
    };
    let mut predicate = predicate.as_int_predicate()?;
    if target.as_block() != Some(block) {
        predicate = predicate.inverse();
    }
    let ty = function.insn(insn).ty;
    let number = unsigned(function.immediate(b)?, ty)?;
    let most = match predicate {
        IntPredicate::Ule => number,
        IntPredicate::Ult => number.checked_sub(1)?,
        _ => return None,
    };
    let vreg = a.vreg()?;
    Some(Bound { vreg, ty, most })
}

fn unsigned(value: i64, ty: LowType) -> Option<u64> {
    match ty {
        LowType::S64 => Some(value.cast_unsigned()),
        LowType::S32 => Some(u64::from(value as u32)),
        _ => None,
    }
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

/// Rewrites the branch at the end of a block as one on constants if the bound decides it.
fn branch(
    function: &mut Function<'_>,
    definitions: &[Option<InsnId>],
    block: BlockId,
    bound: Bound,
) -> Result<bool, Error> {
    let Some(insn) = only_branch(function, block) else {
        return Ok(false);
    };
    let &[predicate, a, b, target] = function.operands(insn) else {
        return Ok(false);
    };
    let ty = function.insn(insn).ty;
    let is_known = |vreg: VReg| {
        if vreg == bound.vreg {
            return ty == bound.ty;
        }
        let definition = definitions.get(vreg.index()).copied().flatten();
        let source = definition.and_then(|insn| extended(function, insn));
        source == Some(bound.vreg) && ty == LowType::S64 && bound.ty == LowType::S32
    };
    let number = function.immediate(b).and_then(|value| unsigned(value, ty));
    let (Some(predicate), Some(number), Some(true)) =
        (predicate.as_int_predicate(), number, a.vreg().map(is_known))
    else {
        return Ok(false);
    };
    let holds = match predicate {
        IntPredicate::Ult if bound.most < number => true,
        IntPredicate::Ule if bound.most <= number => true,
        IntPredicate::Uge if bound.most < number => false,
        IntPredicate::Ugt if bound.most <= number => false,
        _ => return Ok(false),
    };
    let predicate = if holds {
        IntPredicate::Eq
    } else {
        IntPredicate::Ne
    };
    let (predicate, zero) = (Operand::int_predicate(predicate), Operand::imm(0));
    function.set_operands(insn, &[predicate, zero, zero, target])?;
    Ok(true)
}
