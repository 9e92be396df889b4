//! Rotates: opposite shifts of a value that are joined become one rotate, where the target has it.
//! In SSA form.

use crate::codegen::analysis::phis::definitions;
use crate::machine::{Function, Generic, InsnId, LayoutCursor, Operand};
use crate::mem::{Entity, Vec};
use crate::target::Isa;
use crate::target::error::Error;

/// Replaces `x << n | x >> (width - n)`, also with masks of the counts.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn find_rotations(function: &mut Function<'_>, isa: &dyn Isa) -> Result<(), Error> {
    if !isa.description().has(Generic::Rotl) || !has_shifts(function) {
        return Ok(());
    }
    let definitions = definitions(function)?;
    let mut layout = LayoutCursor::default();
    while let Some(block) = layout.next(function) {
        let mut cursor = function.cursor(block);
        while let Some(insn) = cursor.next(function) {
            if let Some(operands) = rotation(function, &definitions, insn) {
                function.set_opcode(insn, Generic::Rotl.into());
                function.set_operands(insn, &operands)?;
            }
        }
    }
    Ok(())
}

/// Returns whether there are shifts in both directions at all.
fn has_shifts(function: &Function<'_>) -> bool {
    let (mut left, mut right) = (false, false);
    for &block in &function.layout {
        for (_, row) in function.rows(block) {
            left |= row.opcode == Generic::Shl.into();
            right |= row.opcode == Generic::Lshr.into();
        }
    }
    left && right
}

/// Returns the operands of the rotate that an instruction computes.
fn rotation(
    function: &Function<'_>,
    definitions: &Vec<'_, Option<InsnId>>,
    insn: InsnId,
) -> Option<[Operand; 3]> {
    let row = function.insn(insn);
    let &[to, a, b] = function.operands(insn) else {
        return None;
    };
    let generic = row.opcode.generic()?;
    if !matches!(generic, Generic::Or | Generic::Xor | Generic::Add) || row.ty.is_long_double() {
        return None;
    }
    let counts = Counts {
        function,
        definitions,
        width: i64::from(row.ty.bits()),
    };
    let shift = |operand: Operand, wanted| {
        let definition = counts.definition(operand)?;
        let row_of_shift = function.insn(definition);
        let &[_, of, by] = function.operands(definition) else {
            return None;
        };
        let is_it = row_of_shift.opcode.generic() == Some(wanted) && row_of_shift.ty == row.ty;
        (is_it && of.vreg().is_some()).then_some((of, by))
    };
    let pair = |left, right| Some((shift(left, Generic::Shl)?, shift(right, Generic::Lshr)?));
    let ((left, up), (right, down)) = pair(a, b).or_else(|| pair(b, a))?;
    let is_rotation = match (up.small(), down.small()) {
        (Some(up), Some(down)) => up > 0 && down > 0 && i64::from(up + down) == counts.width,
        // If the counts are 0, the value is joined with itself.
        (None, None) => generic == Generic::Or && counts.are_opposite(up, down),
        _ => false,
    };
    (is_rotation && left == right).then_some([to, left, up])
}

/// Counts of shifts, of which only as many bits matter as the width has numbers.
struct Counts<'a, 'f, 'm> {
    function: &'a Function<'f>,
    definitions: &'a Vec<'m, Option<InsnId>>,
    width: i64,
}

impl Counts<'_, '_, '_> {
    fn definition(&self, operand: Operand) -> Option<InsnId> {
        *self.definitions.get(operand.vreg()?.index())?
    }

    /// Returns whether two counts in registers add up to a multiple of the width.
    fn are_opposite(&self, a: Operand, b: Operand) -> bool {
        let (a, b) = (self.low_bits(a), self.low_bits(b));
        let is_from = |a, b| self.negated(a).map(|of| self.low_bits(of).vreg()) == Some(b);
        a.vreg().is_some() && (is_from(a, b.vreg()) || is_from(b, a.vreg()))
    }

    /// Returns the operand that a multiple of the width was reduced by.
    fn negated(&self, operand: Operand) -> Option<Operand> {
        let insn = self.definition(operand)?;
        match self.function.operands(insn) {
            &[_, from, of] if self.function.insn(insn).opcode == Generic::Sub.into() => {
                let from = self.function.immediate(from)?;
                (from % self.width == 0).then_some(of)
            }
            _ => None,
        }
    }

    /// Returns the register that has the same bits that matter, before masks and extensions.
    fn low_bits(&self, operand: Operand) -> Operand {
        let Some(insn) = self.definition(operand) else {
            return operand;
        };
        let generic = self.function.insn(insn).opcode.generic();
        match (generic, self.function.operands(insn)) {
            (Some(Generic::And), &[_, of, mask]) => {
                let mask = self.function.immediate(mask);
                let all = self.width - 1;
                match mask.is_some_and(|mask| mask & all == all) {
                    true => of,
                    false => operand,
                }
            }
            (Some(Generic::SextInreg | Generic::ZextInreg), &[_, of, _]) => of,
            _ => operand,
        }
    }
}
