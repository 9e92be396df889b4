//! The order of the sources of commutative instructions, on targets whose instructions overwrite
//! their first source and may read the second from memory.
//!
//! A load that only this instruction reads goes last, where the folder makes it part of the
//! instruction; so does a float that is a constant. Otherwise a value goes first that is computed
//! in the same block and ends here, if the other one lives on: the result takes its register, and
//! nothing has to be copied. But before both goes the variable that the result is copied to, as it
//! then changes in its own register. Selections commute, too, with the opposite condition.
//!
//! The cost is linear: one walk over all operands, and one over the instructions.

use crate::machine::{BlockId, Function, Generic, InsnId, LayoutCursor, LowType, Operand, VReg};
use crate::mem::{Entity, OutOfMemory, Vec};

/// The most copies from a result to the variable that it becomes: two for each join of paths on the
/// way back to the start of a loop.
const MOST_COPIES: usize = 4;

/// The facts about a virtual register.
#[derive(Clone, Copy, Default)]
struct Occurrences {
    /// The number of reads, up to 255.
    uses: u8,
    /// The number of definitions, up to 255.
    definitions: u8,
    /// The block of the last definition.
    block: Option<BlockId>,
    /// The type of the load that defines it, or of the float.
    loaded: Option<LowType>,
    /// A register that it is copied to.
    copied_to: Option<VReg>,
    /// A register that it is a copy of.
    copied_from: Option<VReg>,
}

impl Occurrences {
    /// Returns whether there is one read, of a value that the block computes.
    fn ends_in(&self, block: BlockId) -> bool {
        self.uses == 1 && self.definitions == 1 && self.block == Some(block)
    }
}

/// Orders the sources of commutative instructions.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn order_sources(function: &mut Function<'_>) -> Result<(), OutOfMemory> {
    let known = occurrences(function)?;
    let mut layout = LayoutCursor::default();
    while let Some(block) = layout.next(function) {
        let mut cursor = function.cursor(block);
        while let Some(insn) = cursor.next(function) {
            let Some([first, second]) = sources(function, insn) else {
                continue;
            };
            if goes_first(function, insn, [first, second], block, &known) {
                swap(function, insn, [first, second]);
            }
        }
    }
    Ok(())
}

/// Returns the facts about each register.
fn occurrences<'f>(function: &Function<'f>) -> Result<Vec<'f, Occurrences>, OutOfMemory> {
    let mut known = Vec::new(function.allocator());
    known.resize(function.vreg_count(), Occurrences::default())?;
    for &block in &function.layout {
        for (_, row) in function.rows(block) {
            let operands = function.operands_of(row);
            for operand in operands {
                let Some(vreg) = operand.vreg() else {
                    continue;
                };
                let known: &mut Occurrences = &mut known[vreg.index()];
                if operand.is_def() {
                    known.definitions = known.definitions.saturating_add(1);
                    known.block = Some(block);
                } else {
                    known.uses = known.uses.saturating_add(1);
                }
            }
            let Some(to) = operands.first().and_then(|to| to.vreg()) else {
                continue;
            };
            match row.opcode.generic() {
                // A float is loaded from the constants of the function.
                Some(
                    Generic::Load | Generic::SextLoad | Generic::ZextLoad | Generic::FConstant,
                ) => {
                    known[to.index()].loaded = Some(row.ty);
                }
                Some(Generic::Copy) => {
                    if let Some(from) = operands.get(1).and_then(|from| from.read_vreg()) {
                        known[from.index()].copied_to = Some(to);
                        known[to.index()].copied_from = Some(from);
                    }
                }
                _ => {}
            }
        }
    }
    Ok(known)
}

/// Returns the numbers of the source that an instruction overwrites and of the one that can take
/// its place. The order of those of an addition does not matter, which selection makes of three
/// registers.
fn sources(function: &Function<'_>, insn: InsnId) -> Option<[usize; 2]> {
    use Generic as G;
    match function.insn(insn).opcode.generic()? {
        G::And | G::Or | G::Xor | G::Mul | G::Fadd | G::Fmul => Some([1, 2]),
        // The first of them is chosen if the condition does not hold.
        G::Select => Some([5, 4]),
        _ => None,
    }
}

/// Swaps two sources; of a selection, also the condition for its opposite.
fn swap(function: &mut Function<'_>, insn: InsnId, [first, second]: [usize; 2]) {
    let operands = function.operands_mut(insn);
    if let &mut [_, ref mut condition, _, _, _, _] = operands {
        let Some(predicate) = condition.as_int_predicate() else {
            return;
        };
        *condition = Operand::int_predicate(predicate.inverse());
    }
    operands.swap(first, second);
}

/// Returns whether the second source is to be the first.
fn goes_first(
    function: &Function<'_>,
    insn: InsnId,
    numbers: [usize; 2],
    block: BlockId,
    known: &[Occurrences],
) -> bool {
    let operand = |number: usize| function.operands(insn).get(number);
    let read = |number| operand(number).and_then(|read| read.read_vreg());
    let to = operand(0).and_then(|to| to.vreg());
    let (Some(to), [Some(a), Some(b)]) = (to, numbers.map(read)) else {
        return false;
    };
    if a == b || to == a || to == b {
        return false;
    }
    let ty = function.insn(insn).ty;
    let [result, first, second] = [to, a, b].map(|vreg| &known[vreg.index()]);
    let folds = |source: &Occurrences| source.ends_in(block) && source.loaded == Some(ty);
    match (folds(first), folds(second)) {
        (_, true) => false,
        (true, false) => second.uses == 1,
        (false, false) => {
            let is_changed = |vreg: VReg, source: &Occurrences| {
                let next = |&vreg: &VReg| known[vreg.index()].copied_to;
                let variables = core::iter::successors(result.copied_to, next);
                let mut variables = variables.take(MOST_COPIES);
                variables.any(|it| it == vreg || source.copied_from == Some(it))
            };
            match (is_changed(a, first), is_changed(b, second)) {
                (false, true) => true,
                (true, _) => false,
                (false, false) => first.uses > 1 && second.ends_in(block),
            }
        }
    }
}
