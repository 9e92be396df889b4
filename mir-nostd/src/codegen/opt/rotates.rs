//! Rotates: opposite shifts of a value that are joined become one rotate, where the target has it.
//! In SSA form.

use crate::codegen::analysis::phis::definitions;
use crate::machine::{Function, Generic, InsnId, LayoutCursor, LowType, Operand};
use crate::mem::{Entity, Vec};
use crate::target::Isa;
use crate::target::error::Error;

/// Replaces `x << n | x >> (width - n)`.
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
    let joins = matches!(
        row.opcode.generic()?,
        Generic::Or | Generic::Xor | Generic::Add
    );
    let width = match row.ty {
        LowType::S32 => 32,
        LowType::S64 => 64,
        _ => return None,
    };
    let shift = |operand: Operand, wanted| {
        let definition = (*definitions.get(operand.vreg()?.index())?)?;
        let row_of_shift = function.insn(definition);
        let &[_, of, by] = function.operands(definition) else {
            return None;
        };
        let is_it = row_of_shift.opcode.generic() == Some(wanted) && row_of_shift.ty == row.ty;
        (is_it && of.vreg().is_some()).then_some((of, by.small()?))
    };
    let pair = |left, right| Some((shift(left, Generic::Shl)?, shift(right, Generic::Lshr)?));
    let ((left, up), (right, down)) = pair(a, b).or_else(|| pair(b, a))?;
    let is_rotation = joins && left == right && up > 0 && down > 0 && up + down == width;
    is_rotation.then_some([to, left, Operand::imm(up)])
}
