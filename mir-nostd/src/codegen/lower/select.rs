//! Instruction selection: replaces generic instructions by the target's.

use crate::machine::{Function, Generic, LayoutCursor};
use crate::target::Isa;
use crate::target::emitter::Emitter;
use crate::target::error::Error;

/// Replaces all generic instructions by target instructions, except copies and those about
/// properties.
///
/// # Errors
///
/// Out of memory; [`Error::NotSelected`].
pub(crate) fn select(function: &mut Function<'_>, isa: &dyn Isa) -> Result<(), Error> {
    function.recycle_removed();
    let tables = (isa.insns(), isa.registers());
    let mut layout = LayoutCursor::default();
    while let Some(block) = layout.next(function) {
        let mut next = function.take_insns(block);
        while let Some(insn) = next {
            next = function.insn(insn).next();
            let generic = function.insn(insn).opcode.generic();
            if !generic.is_some_and(Generic::is_selected) {
                function.put_back(insn);
                continue;
            }
            function.place_as(insn);
            let mut out = Emitter::with_tables(function, isa, tables, block, None);
            isa.select(&mut out, insn)?;
            function.recycle(insn);
        }
    }
    Ok(())
}
