//! Escape analysis of frame objects: those that no pointer leads to.

use crate::machine::{FrameKind, Function, Generic, InsnId};
use crate::mem::{Entity, OutOfMemory, Vec};

/// Returns the frame objects that do not escape: only the addresses of loads and stores mention
/// them.
pub(crate) fn private_frames<'m>(function: &Function<'m>) -> Result<Vec<'m, bool>, OutOfMemory> {
    let mut private = Vec::new(function.allocator());
    for object in function.frame.values() {
        private.push(object.kind == FrameKind::Local)?;
    }
    let mut left = private.iter().filter(|&&is_private| is_private).count();
    for &block in &function.layout {
        if left == 0 {
            break;
        }
        for (insn, row) in function.rows(block) {
            let operands = function.operands_of(row);
            // Few instructions mention a frame object.
            if !operands.iter().any(|operand| operand.as_frame().is_some()) {
                continue;
            }
            let address = address_place(function, insn);
            for (number, operand) in operands.iter().enumerate() {
                if let Some(frame) = operand.as_frame()
                    && address != Some(number)
                {
                    left -= usize::from(core::mem::take(&mut private[frame.index()]));
                }
            }
        }
    }
    Ok(private)
}

/// The number of the first operand of the address that a load or store of no long double has.
pub(crate) fn address_place(function: &Function<'_>, insn: InsnId) -> Option<usize> {
    match function.insn(insn).opcode.generic()? {
        Generic::Load | Generic::SextLoad | Generic::ZextLoad | Generic::Store => Some(1),
        _ => None,
    }
}
