//! Instruction selection: replaces generic instructions by the target's.

use crate::machine::{Function, LayoutCursor, Operand};
use crate::target::emitter::{Emitter, MAX_OPERANDS};
use crate::target::error::Error;
use crate::target::{GenericInsn, Isa};

/// Replaces all generic instructions by target instructions, except copies and those about
/// properties.
///
/// # Errors
///
/// Out of memory; [`Error::NotSelected`]; [`Error::TooLarge`] for an instruction of more operands
/// than one takes.
pub(crate) fn select(function: &mut Function<'_>, isa: &dyn Isa) -> Result<(), Error> {
    function.recycle_removed();
    let tables = (isa.insns(), isa.registers());
    let mut layout = LayoutCursor::default();
    while let Some(block) = layout.next(function) {
        let mut next = function.take_insns(block);
        while let Some(insn) = next {
            next = function.insn(insn).next();
            let row = function.insn(insn);
            let (ty, generic) = (row.ty, row.opcode.generic());
            let Some(generic) = generic.filter(|generic| generic.is_selected()) else {
                function.put_back(insn);
                continue;
            };
            let mut operands = heapless::Vec::<Operand, MAX_OPERANDS>::new();
            let copied = operands.extend_from_slice(function.operands(insn));
            copied.map_err(|_| Error::TooLarge)?;
            function.origins.place_as(insn);
            function.recycle(insn);
            let mut out = Emitter::with_tables(function, isa, tables, block, None);
            let selected = GenericInsn {
                generic,
                ty,
                operands: &operands,
            };
            isa.select(&mut out, selected)?;
        }
    }
    Ok(())
}
