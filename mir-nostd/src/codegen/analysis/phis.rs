//! Facts on functions in SSA form: PHIs, the definition of each virtual register, and the first
//! terminator of a block.

use crate::codegen::analysis::branches::is_generic_terminator;
use crate::machine::{BlockId, Function, Generic, InsnId, Operand, Reg, UseDefs, VReg};
use crate::mem::{Entity, OutOfMemory, Vec};

/// Returns whether an instruction is a PHI.
pub(crate) fn is_phi(function: &Function<'_>, insn: InsnId) -> bool {
    function.insn(insn).opcode.generic() == Some(Generic::Phi)
}

/// Returns whether any of these blocks has a PHI.
pub(crate) fn have_phis(function: &Function<'_>, blocks: &[BlockId]) -> bool {
    let mut firsts = blocks
        .iter()
        .filter_map(|&block| function.block(block).first());
    firsts.any(|first| is_phi(function, first))
}

/// Returns the first of the terminators of a block.
pub(crate) fn first_terminator(function: &Function<'_>, block: BlockId) -> Option<InsnId> {
    let (mut first, mut cursor) = (None, function.cursor_at_end(block));
    while let Some(insn) = cursor.previous_if(function, is_generic_terminator) {
        first = Some(insn);
    }
    first
}

/// Returns the instruction that defines each virtual register, the last if there are several. In
/// generic instructions definitions of virtual registers come first.
pub(crate) fn definitions<'m>(
    function: &Function<'m>,
) -> Result<Vec<'m, Option<InsnId>>, OutOfMemory> {
    let mut definitions = Vec::new(function.allocator());
    definitions.resize(function.vreg_count(), None)?;
    for &block in &function.layout {
        for (insn, row) in function.rows(block) {
            for operand in function.operands_of(row).iter().take_while(|o| o.is_def()) {
                if let Some(vreg) = operand.vreg() {
                    definitions[vreg.index()] = Some(insn);
                }
            }
        }
    }
    Ok(definitions)
}

/// The chains of the virtual registers that PHIs write and read.
pub(crate) fn chains_of_phis<'m>(function: &Function<'m>) -> Result<UseDefs<'m>, OutOfMemory> {
    let allocator = function.allocator();
    let mut is_merged = Vec::new(allocator);
    is_merged.resize(function.vreg_count(), false)?;
    for &block in &function.layout {
        let insns = function.insns(block);
        for insn in insns.take_while(|&insn| is_phi(function, insn)) {
            for vreg in function.operands(insn).iter().filter_map(|o| o.vreg()) {
                is_merged[vreg.index()] = true;
            }
        }
    }
    UseDefs::of(function, allocator, |vreg| is_merged[vreg.index()])
}

/// Replaces each virtual register that a block reads by the one that `name` returns for it.
pub(crate) fn rename_reads(
    function: &mut Function<'_>,
    block: BlockId,
    name: impl Fn(VReg) -> VReg,
) {
    let mut cursor = function.cursor(block);
    while let Some(insn) = cursor.next(function) {
        for operand in function.operands_mut(insn) {
            if let Some(vreg) = operand.read_vreg() {
                *operand = operand.on(Reg::virt(name(vreg)));
            }
        }
    }
}

/// Returns the value that a PHI has on the edge from a block.
pub(crate) fn value_from(function: &Function<'_>, phi: InsnId, from: BlockId) -> Option<Operand> {
    let sources = function.operands(phi).get(1..)?;
    let mut pairs = sources.chunks_exact(2).filter_map(<[Operand]>::first_chunk);
    let pair: Option<&[Operand; 2]> = pairs.find(|[_, source]| source.as_block() == Some(from));
    pair.map(|&[value, _]| value)
}

/// Replaces the source block `old` in the PHIs of `to`.
pub(crate) fn rename_source(function: &mut Function<'_>, to: BlockId, old: BlockId, new: BlockId) {
    let mut cursor = function.cursor(to);
    while let Some(phi) = cursor.next_if(function, is_phi) {
        for operand in function.operands_mut(phi) {
            if operand.as_block() == Some(old) {
                *operand = Operand::block(new);
            }
        }
    }
}
