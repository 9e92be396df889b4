//! Upper bounds of registers, from the branches that control came by. In SSA form.
//!
//! A walk down the dominator tree learns a bound where a block has one predecessor, which branches
//! on a comparison with a constant: it holds in all blocks that the block dominates. Bounds are
//! forgotten in reverse order when the walk leaves these. The memory is one word per register and
//! type, taken when the first bound is learnt; learning and asking take constant time.

use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::phis::first_terminator;
use crate::machine::{
    BlockId, Function, Generic, InsnId, IntPredicate, LowType, Opcode, Operand, VReg,
};
use crate::mem::{Allocator, Entity, OutOfMemory, Vec};
use crate::target::error::Error;

/// An upper bound of a register, as an unsigned number of the type.
#[derive(Clone, Copy)]
pub(crate) struct Bound {
    pub(crate) vreg: VReg,
    pub(crate) ty: LowType,
    pub(crate) most: u64,
}

/// The bounds that hold at the present block of a walk down the dominator tree.
pub(crate) struct Bounds<'m> {
    /// The bound of each register as a number of 32 and of 64 bits; empty before the first one.
    most: Vec<'m, [u64; 2]>,
    /// The bounds that were replaced, to be put back.
    replaced: Vec<'m, Bound>,
}

impl<'m> Bounds<'m> {
    pub(crate) fn new(allocator: &'m dyn Allocator) -> Bounds<'m> {
        Bounds {
            most: Vec::new(allocator),
            replaced: Vec::new(allocator),
        }
    }

    /// Adds a bound.
    pub(crate) fn learn(
        &mut self,
        function: &Function<'_>,
        bound: Bound,
    ) -> Result<(), OutOfMemory> {
        if self.most.is_empty() {
            self.most.resize(function.vreg_count(), [u64::MAX; 2])?;
        }
        if let Some(most) = self.entry(bound.vreg, bound.ty)
            && bound.most < *most
        {
            let old = core::mem::replace(most, bound.most);
            self.replaced.push(Bound { most: old, ..bound })?;
        }
        Ok(())
    }

    /// Returns the number of bounds so far, for [`Bounds::forget_to`].
    pub(crate) fn count(&self) -> usize {
        self.replaced.len()
    }

    /// Forgets all bounds but the first `count`.
    pub(crate) fn forget_to(&mut self, count: usize) {
        while self.replaced.len() > count {
            if let Some(old) = self.replaced.pop()
                && let Some(most) = self.entry(old.vreg, old.ty)
            {
                *most = old.most;
            }
        }
    }

    fn entry(&mut self, vreg: VReg, ty: LowType) -> Option<&mut u64> {
        let both = self.most.get_mut(vreg.index())?;
        Some(&mut both[usize::from(ty == LowType::S64)])
    }

    /// Returns the bound of a register, `u64::MAX` if none is known.
    pub(crate) fn of(&self, vreg: VReg, ty: LowType) -> u64 {
        let both = self.most.get(vreg.index());
        both.map_or(u64::MAX, |both| both[usize::from(ty == LowType::S64)])
    }

    /// Returns whether the condition of a branch always or never holds; `None` if that is not
    /// known. `most_of` is the bound of a register.
    pub(crate) fn decide(
        function: &Function<'_>,
        branch: InsnId,
        most_of: impl Fn(VReg, LowType) -> u64,
    ) -> Option<bool> {
        let &[predicate, a, b, _] = function.operands(branch) else {
            return None;
        };
        let ty = function.insn(branch).ty;
        let (most, number) = (
            most_of(a.vreg()?, ty),
            unsigned(function.immediate(b)?, ty)?,
        );
        match predicate.as_int_predicate()? {
            IntPredicate::Ult if most < number => Some(true),
            IntPredicate::Ule if most <= number => Some(true),
            IntPredicate::Uge if most < number => Some(false),
            IntPredicate::Ugt if most <= number => Some(false),
            _ => None,
        }
    }
}

/// Returns the bound that the only edge into a block implies.
pub(crate) fn bound_at(function: &Function<'_>, flow: &Flow<'_>, block: BlockId) -> Option<Bound> {
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

/// Returns the only conditional branch at the end of a block.
pub(crate) fn only_branch(function: &Function<'_>, block: BlockId) -> Option<InsnId> {
    let is = |insn, generic| function.insn(insn).opcode == Opcode::from(generic);
    let insn = first_terminator(function, block)?;
    let after = function.insn(insn).next();
    let is_only = after.is_none_or(|next| is(next, Generic::Br));
    (is(insn, Generic::BrIcmp) && is_only).then_some(insn)
}

/// Rewrites a branch as one on constants that always or never branches.
pub(crate) fn set_outcome(
    function: &mut Function<'_>,
    branch: InsnId,
    holds: bool,
) -> Result<(), Error> {
    let Some(&target) = function.operands(branch).get(3) else {
        return Ok(());
    };
    let predicate = match holds {
        true => IntPredicate::Eq,
        false => IntPredicate::Ne,
    };
    let (predicate, zero) = (Operand::int_predicate(predicate), Operand::imm(0));
    function.set_operands(branch, &[predicate, zero, zero, target])?;
    Ok(())
}

fn unsigned(value: i64, ty: LowType) -> Option<u64> {
    match ty {
        LowType::S64 => Some(value.cast_unsigned()),
        LowType::S32 => Some(u64::from(value as u32)),
        _ => None,
    }
}
