//! Sinking of increments: where a variable changes by a constant, the addition moves after the last
//! reader of its old value in the block. The old value is dead by then, so that old and new value
//! can share a register, and with them all values of the variable, in the branches of an
//! interpreter's loop, too. In SSA form.
//!
//! An exit test `old == n` at the end of an iteration becomes `new == n + step`, so that it does
//! not read the old value.
//!
//! Old values that something in other blocks reads are looked for backward from there. The work is
//! bounded by numbers of instructions, of operands and of blocks per instruction of the function.

use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::live_blocks::{Search, Side, Wanted};
use crate::codegen::analysis::phis::{chains_of_phis, is_phi};
use crate::machine::{
    BlockId, Function, Generic, InsnId, IntPredicate, LowType, Operand, UseDefs, VReg,
};
use crate::mem::{Entity, OutOfMemory, Vec};
use crate::target::Isa;
use crate::target::error::Error;

/// The work for all variables, in instructions per instruction of the function.
const MOST_WORK: usize = 4;

/// The operands of readers that are looked at for all steps, per instruction of the function.
const MOST_READERS: usize = 64;

/// Sinks the steps of variables that PHIs join.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn sink_increments(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    flow: &Flow<'_>,
) -> Result<(), Error> {
    if !flow.has_loops() {
        return Ok(());
    }
    let steps = last_steps(function, flow)?;
    let mut budget = MOST_WORK * size(function);
    // A step may read the result of the one before it, and has to go first.
    for step in steps.iter().rev() {
        step.delay(function, isa, &mut budget)?;
    }
    Ok(())
}

/// Returns the size of a function by which the work is limited.
fn size(function: &Function<'_>) -> usize {
    function.insn_count() + 16
}

/// Returns the steps in whose block something else reads the old value, and after whose block
/// nothing does.
fn last_steps<'m>(function: &Function<'m>, flow: &Flow<'_>) -> Result<Vec<'m, Step>, OutOfMemory> {
    let chains = chains_of_phis(function)?;
    let mut steps = Vec::new(function.allocator());
    let mut budget = MOST_READERS * size(function);
    for &block in &flow.order {
        for insn in function.insns(block) {
            let step = Step::new(function, insn);
            let is_followed = |step: &Step| step.is_followed(function, &chains, &mut budget);
            if let Some(step) = step.filter(is_followed) {
                steps.push(step)?;
            }
        }
    }
    remove_live(function, flow, &chains, &mut steps)?;
    Ok(steps)
}

/// Removes the steps after whose block something reads the old value, or may do so if the blocks
/// are too many to look at.
fn remove_live(
    function: &Function<'_>,
    flow: &Flow<'_>,
    chains: &UseDefs<'_>,
    steps: &mut Vec<'_, Step>,
) -> Result<(), OutOfMemory> {
    let (allocator, most) = (function.allocator(), MOST_WORK * size(function));
    let mut search = Search::new(function, &flow.edges, Wanted::Everything, most, allocator)?;
    let mut first = 0;
    for number in 0..steps.len() {
        let old = steps[number].old;
        let definition = chains
            .definition(old)
            .map(|insn| function.insn(insn).block());
        let definition = definition.map(Entity::number);
        let readers = readers(function, chains, old).map(Entity::number);
        let exposed = readers.filter(|&block| Some(block) != definition);
        search.add(number as u32, exposed, definition.into_iter())?;
        if search.is_full() || number + 1 == steps.len() {
            if !search.run()? {
                steps.truncate(first);
                break;
            }
            search.each(|side, block, number| {
                let step = &mut steps[number as usize];
                step.is_live |= side == Side::Out && block == step.block.number();
                Ok(())
            })?;
            search.clear();
            first = number + 1;
        }
    }
    steps.retain(|step| !step.is_live);
    Ok(())
}

/// Returns the blocks that read a virtual register: for a PHI, the one that the value comes from.
fn readers<'a>(
    function: &'a Function<'_>,
    chains: &'a UseDefs<'_>,
    vreg: VReg,
) -> impl Iterator<Item = BlockId> + 'a {
    chains.uses(vreg).iter().flat_map(move |&user| {
        let own = (!is_phi(function, user)).then(|| function.insn(user).block());
        own.into_iter().chain(sources(function, user, vreg))
    })
}

/// Returns the blocks from which a PHI takes a virtual register; none for another instruction.
fn sources<'a>(
    function: &'a Function<'_>,
    user: InsnId,
    vreg: VReg,
) -> impl Iterator<Item = BlockId> + 'a {
    let pairs = is_phi(function, user).then(|| function.operands(user).get(1..));
    let pairs = pairs.flatten().unwrap_or(&[]).chunks(2);
    pairs.filter_map(move |pair| match *pair {
        [value, from] if value.vreg() == Some(vreg) => from.as_block(),
        _ => None,
    })
}

/// The instruction `new = old + by`.
#[derive(Clone, Copy)]
struct Step {
    insn: InsnId,
    block: BlockId,
    old: VReg,
    new: VReg,
    by: i32,
    ty: LowType,
    /// True if something reads the old value after the block.
    is_live: bool,
}

impl Step {
    fn new(function: &Function<'_>, insn: InsnId) -> Option<Step> {
        let row = function.insn(insn);
        let &[to, from, by] = function.operands(insn) else {
            return None;
        };
        let by = by.small()?;
        let by = match row.opcode.generic()? {
            Generic::Add => by,
            Generic::Sub => by.checked_neg()?,
            _ => return None,
        };
        Some(Step {
            insn,
            block: row.block(),
            old: from.vreg()?,
            new: to.vreg()?,
            by,
            ty: row.ty,
            is_live: false,
        })
    }

    /// Returns whether PHIs join the new value with others, and instructions of the block read the
    /// old one, but no PHI after it does. Takes what is looked at from the budget.
    fn is_followed(
        &self,
        function: &Function<'_>,
        chains: &UseDefs<'_>,
        budget: &mut usize,
    ) -> bool {
        let mut is_read = false;
        for &user in chains.uses(self.old) {
            let Some(left) = budget.checked_sub(function.operands(user).len()) else {
                return false;
            };
            *budget = left;
            if sources(function, user, self.old).any(|from| from == self.block) {
                return false;
            }
            let is_beside = user != self.insn && function.insn(user).block() == self.block;
            is_read |= is_beside && !is_phi(function, user);
        }
        let mut joins = chains.uses(self.new).iter();
        is_read && joins.any(|&user| is_phi(function, user))
    }

    /// Moves the step after the last instruction that reads the old value, if nothing before that
    /// reads the new one.
    fn delay(
        &self,
        function: &mut Function<'_>,
        isa: &dyn Isa,
        budget: &mut usize,
    ) -> Result<(), Error> {
        let (mut last, mut is_read) = (None, false);
        let mut cursor = function.cursor_at(self.insn);
        cursor.next(function);
        while let Some(insn) = cursor.next(function) {
            let Some(left) = budget.checked_sub(1) else {
                return Ok(());
            };
            *budget = left;
            let reads = |vreg| {
                let mut read = function.operands(insn).iter().filter(|o| !o.is_def());
                read.any(|operand| operand.vreg() == Some(vreg))
            };
            let reads_old = reads(self.old);
            is_read |= reads(self.new);
            let generic = function.insn(insn).opcode.generic();
            if !reads_old || self.asks_for_new(function, isa, insn)? {
                continue;
            }
            if is_read || generic.is_none_or(Generic::is_terminator) {
                return Ok(());
            }
            last = Some(insn);
        }
        if let Some(last) = last {
            let behind = function.insn(last).next();
            function.move_insn(self.insn, self.block, behind);
        }
        Ok(())
    }

    /// Rewrites an equality test of the old value as one of the new value. Returns whether it did.
    fn asks_for_new(
        &self,
        function: &mut Function<'_>,
        isa: &dyn Isa,
        insn: InsnId,
    ) -> Result<bool, Error> {
        let row = function.insn(insn);
        let (generic, ty) = (row.opcode.generic(), row.ty);
        let &[predicate, a, b, _] = function.operands(insn) else {
            return Ok(false);
        };
        let is_equality = matches!(
            predicate.as_int_predicate(),
            Some(IntPredicate::Eq | IntPredicate::Ne)
        );
        let is_whole = ty == self.ty || ty == LowType::S32;
        let (Some(Generic::BrIcmp), true, true, Some(number)) =
            (generic, is_equality, is_whole, function.immediate(b))
        else {
            return Ok(false);
        };
        let number = number.wrapping_add(i64::from(self.by));
        let number = if ty == LowType::S32 {
            i64::from(number as i32)
        } else {
            number
        };
        if a.vreg() != Some(self.old) || !isa.takes_immediate(Generic::BrIcmp, ty, 2, number) {
            return Ok(false);
        }
        let number = function.int(number)?;
        if let Some([value, place]) = function
            .operands_mut(insn)
            .get_mut(1..3)
            .and_then(|places| <&mut [Operand; 2]>::try_from(places).ok())
        {
            *value = Operand::from(self.new);
            *place = number;
        }
        Ok(true)
    }
}
