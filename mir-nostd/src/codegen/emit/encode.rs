//! Emission: the bytes of instructions in layout order, then constants, addresses of symbols and
//! jump tables, and the fixups between them. Position-independent code is the instructions alone:
//! references to the rest stay open.

use crate::codegen::analysis::properties;
use crate::codegen::emit::branch_relaxation::shorten;
use crate::codegen::translate::LabelAddress;
use crate::machine::{BlockId, Function, InsnId};
use crate::mem::{Entity, Vec};
use crate::target::code::{Code, FixupTarget};
use crate::target::error::{Error, Phase};
use crate::target::{InsnFlags, Isa};

/// The mark of parts that are not in the code.
const NOWHERE: u32 = u32::MAX;

/// The offsets of the parts of a function's code, in bytes.
#[derive(Debug)]
pub struct Offsets<'m> {
    /// Each block.
    pub blocks: Vec<'m, u32>,
    constants: Vec<'m, u32>,
    tables: Vec<'m, u32>,
    symbols: Vec<'m, u32>,
}

impl Offsets<'_> {
    /// Returns the offset of a label's address; `None` if it is not in the code.
    pub(crate) fn label(&self, address: LabelAddress) -> Option<u32> {
        match address {
            LabelAddress::Block(block) => self.of(FixupTarget::Block(block)),
            LabelAddress::Entry(table, number) => {
                self.of(FixupTarget::Table(table))?.checked_add(number)
            }
        }
    }

    /// Returns the offset of a part; `None` if it is not in the code.
    fn of(&self, target: FixupTarget) -> Option<u32> {
        let place = match target {
            FixupTarget::Block(block) => self.blocks.get(block.index()),
            FixupTarget::Constant(constant) => self.constants.get(constant.index()),
            FixupTarget::Table(table) => self.tables.get(table.index()),
            FixupTarget::Symbol(symbol) => self.symbols.get(symbol.index()),
        };
        // The code is shorter, even after branch relaxation moved a mark of no place.
        place.copied().filter(|&place| place <= i32::MAX as u32)
    }
}

/// Writes the code of a finished function to `code`, which is empty. Returns the offsets of its
/// parts. The function becomes what was encoded: jumps to the next block are removed, and branches
/// have the forms that were chosen. Small loops are placed in lines of so many bytes, unless that
/// is 0.
///
/// A jump table is an array of 32-bit words in the target's byte order, each the distance of a
/// block from the table.
///
/// # Errors
///
/// Out of memory; an instruction that has no encoding; [`Error::TooLarge`].
pub(crate) fn emit<'m>(
    function: &mut Function<'m>,
    isa: &dyn Isa,
    code: &mut Code<'_>,
    line_bytes: u32,
) -> Result<Offsets<'m>, Error> {
    let allocator = function.allocator();
    function.shrink();
    let mut offsets = Offsets {
        blocks: Vec::new(allocator),
        constants: Vec::new(allocator),
        tables: Vec::new(allocator),
        symbols: Vec::new(allocator),
    };
    offsets.blocks.resize(function.block_count(), NOWHERE)?;
    isa.enter(code, function)?;
    let has_sites = function.has_call_sites();
    for place in 0..function.layout.len() {
        let Some(&block) = function.layout.get(place) else {
            break;
        };
        if line_bytes > 0 && function.block(block).starts_loop {
            code.put_loop_padding(line_bytes)?;
        }
        offsets.blocks[block.index()] = code.len();
        let mut next = function.block(block).first();
        while let Some(insn) = next {
            next = function.insn(insn).next();
            if next.is_none() && goes_to_next(function, isa, insn, place) {
                function.remove(insn);
                continue;
            }
            code.insn = Some(insn);
            if code.notes_places {
                let at = code.len();
                code.places.push((at, insn))?;
            }
            isa.encode(code, function, insn)?;
            if has_sites {
                code.note_site(function, insn)?;
            }
        }
    }
    shorten(function, code, &mut offsets.blocks, isa)?;
    code.settle(isa, line_bytes, &mut offsets.blocks)?;
    if code.align > 1 {
        mark_lines(function, &offsets, code.align);
    }
    if !function.is_position_independent {
        place_constants(function, isa, code, &mut offsets)?;
        place_symbols(isa, code, &mut offsets)?;
        place_tables(function, isa, code, &mut offsets)?;
    }
    i32::try_from(code.bytes.len()).map_err(|_| Error::TooLarge)?;
    for fixup in &code.fixups {
        let is_block = matches!(fixup.target, FixupTarget::Block(_));
        if function.is_position_independent && !is_block {
            continue;
        }
        let target = offsets.of(fixup.target);
        let target = i64::from(target.ok_or(Phase::Emission.internal(fixup.insn))?);
        let bytes = code.bytes.get_mut(fixup.at as usize..).unwrap_or(&mut []);
        if !isa.patch(bytes, fixup.kind, fixup.at, target) {
            return Err(Error::TooLarge);
        }
    }
    Ok(offsets)
}

/// Marks the blocks at the start of lines, of which some begin with loops, and aligns the function.
fn mark_lines(function: &mut Function<'_>, offsets: &Offsets<'_>, line_bytes: u32) {
    function.align = line_bytes;
    for place in 0..function.layout.len() {
        let Some(&block) = function.layout.get(place) else {
            break;
        };
        let is_at_start = offsets.blocks[block.index()].is_multiple_of(line_bytes);
        let block = function.block_mut(block);
        block.starts_line = block.starts_loop && is_at_start;
    }
}

/// Returns whether the last instruction of the block at a place in the layout only jumps to the
/// next block that is not empty, or to an empty one before that.
fn goes_to_next(function: &Function<'_>, isa: &dyn Isa, insn: InsnId, place: usize) -> bool {
    let target = function.operands(insn).first();
    let Some(target) = target.and_then(|operand| operand.as_block()) else {
        return false;
    };
    let mut after = function.layout.iter().skip(place + 1);
    let is_passed = |block: BlockId| block != target && function.block(block).first().is_none();
    if after.find(|&&block| !is_passed(block)) != Some(&target) {
        return false;
    }
    let wanted = InsnFlags::BRANCH.union(InsnFlags::BARRIER);
    properties::flags(isa, function.insn(insn)).contains(wanted)
}

fn align(isa: &dyn Isa, code: &mut Code<'_>, to: u32) -> Result<(), Error> {
    let start = code.bytes.len();
    let end = start
        .checked_next_multiple_of(to as usize)
        .ok_or(Error::TooLarge)?;
    code.bytes.resize(end, 0)?;
    if let Some(padding) = code.bytes.get_mut(start..) {
        isa.pad(padding);
    }
    Ok(())
}

/// Places the constants, the larger ones first, so that one alignment is enough.
fn place_constants(
    function: &Function<'_>,
    isa: &dyn Isa,
    code: &mut Code<'_>,
    offsets: &mut Offsets<'_>,
) -> Result<(), Error> {
    offsets
        .constants
        .resize(function.constants.len(), NOWHERE)?;
    if function.constants.is_empty() {
        return Ok(());
    }
    align(isa, code, 16)?;
    for len in [16, 8, 4] {
        for (id, constant) in function.constants.iter() {
            if constant.len == len {
                offsets.constants[id.index()] = code.len();
                if let Some(symbol) = constant.symbol {
                    code.relocation(symbol, 0)?;
                }
                code.put(constant.bytes.get(..usize::from(len)).unwrap_or(&[]))?;
            }
        }
    }
    Ok(())
}

/// Places the address of each symbol that code loads from after its end.
fn place_symbols(
    isa: &dyn Isa,
    code: &mut Code<'_>,
    offsets: &mut Offsets<'_>,
) -> Result<(), Error> {
    for number in 0..code.fixups.len() {
        let target = code.fixups.get(number).map(|fixup| fixup.target);
        let Some(FixupTarget::Symbol(symbol)) = target else {
            continue;
        };
        if offsets.symbols.len() <= symbol.index() {
            offsets.symbols.resize(symbol.index() + 1, NOWHERE)?;
        }
        if offsets.symbols[symbol.index()] == NOWHERE {
            align(isa, code, 8)?;
            offsets.symbols[symbol.index()] = code.len();
            code.relocation(symbol, 0)?;
            code.put(&[0; 8])?;
        }
    }
    Ok(())
}

fn place_tables(
    function: &Function<'_>,
    isa: &dyn Isa,
    code: &mut Code<'_>,
    offsets: &mut Offsets<'_>,
) -> Result<(), Error> {
    for table in function.table_ids() {
        align(isa, code, 4)?;
        let start = code.len();
        offsets.tables.push(start)?;
        for &block in function.table(table) {
            let place = offsets.of(FixupTarget::Block(block));
            let place = place.ok_or(Phase::Emission.internal(None))?;
            let distance = place.wrapping_sub(start);
            let word = if isa.target().big_endian {
                distance.to_be_bytes()
            } else {
                distance.to_le_bytes()
            };
            code.put(&word)?;
        }
    }
    Ok(())
}
