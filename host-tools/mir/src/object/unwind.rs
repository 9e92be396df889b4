//! `.eh_frame`: the tables for unwinding each function's frame, for exceptions and debuggers.
//!
//! The rules hold at every call: from the end of the prologue on, wherever the frame exists. Within
//! prologue and epilogues, where only a signal could stop, they are those of the function's entry
//! or of its body.

use super::symbols::SymbolOffset;
use super::{Result, Writer};
use gimli::write::{
    Address, CallFrameInstruction, CommonInformationEntry, EhFrame, EndianVec,
    FrameDescriptionEntry, FrameTable, RelocateWriter, Relocation, RelocationTarget,
};
use gimli::{Encoding, Format, Register, RunTimeEndian, constants};
use mir_nostd::codegen::{Compiler, Offsets};
use mir_nostd::machine::{BlockId, Reg};
use mir_nostd::mem::Entity;
use object::SectionKind;

/// The functions that can be unwound.
#[derive(Default)]
pub(super) struct Frames {
    all: Vec<Unwinding>,
}

/// The rules for unwinding a function.
struct Unwinding {
    start: SymbolOffset,
    length: u32,
    /// The offsets at which the code changes between parts with and without a frame; it begins
    /// without one.
    changes: Vec<(u32, bool)>,
    frame: (Register, i32),
    saved: Vec<(Register, i32)>,
}

/// A section with its relocations.
struct Section {
    bytes: EndianVec<RunTimeEndian>,
    relocations: Vec<Relocation>,
}

impl RelocateWriter for Section {
    type Writer = EndianVec<RunTimeEndian>;

    fn writer(&self) -> &Self::Writer {
        &self.bytes
    }

    fn writer_mut(&mut self) -> &mut Self::Writer {
        &mut self.bytes
    }

    fn relocate(&mut self, relocation: Relocation) {
        self.relocations.push(relocation);
    }
}

impl Writer {
    /// Records the unwind rules of the function that was compiled last.
    pub(super) fn add_unwinding(
        &mut self,
        compiler: &Compiler<'_>,
        offsets: &Offsets<'_>,
        start: SymbolOffset,
        length: u32,
    ) {
        let Some(prologue) = compiler.output.prologue else {
            return;
        };
        let places = &compiler.output.code.places;
        let last = prologue.last.and_then(|last| {
            let place = places.iter().position(|&(_, insn)| insn == last)?;
            Some(places.get(place + 1).map_or(length, |&(at, _)| at))
        });
        let block = offsets.blocks.get(prologue.block.index()).copied();
        let body = last.or(block).unwrap_or(0);
        let changes = changes(compiler, offsets, prologue.block, body);
        let mut saved = Vec::new();
        let number = |reg: Reg| Register(self.isa.registers().row(reg).dwarf.cast_unsigned());
        let mut save = |reg, offset| saved.push((number(reg), offset));
        let frame = (self.isa).unwind(&compiler.function, &prologue.layout, &mut save);
        if let Some((reg, above)) = frame {
            let frame = (number(reg), above);
            self.frames.all.push(Unwinding {
                start,
                length,
                changes,
                frame,
                saved,
            });
        }
    }

    /// Writes the section.
    pub(super) fn write_unwinding(&mut self) -> Result<()> {
        let frames = core::mem::take(&mut self.frames.all);
        if frames.is_empty() {
            return Ok(());
        }
        let endian = if self.isa.target().big_endian {
            RunTimeEndian::Big
        } else {
            RunTimeEndian::Little
        };
        let mut eh_frame = EhFrame(Section {
            bytes: EndianVec::new(endian),
            relocations: Vec::new(),
        });
        let failed = |error: gimli::write::Error| error.to_string();
        self.table(&frames)
            .write_eh_frame(&mut eh_frame)
            .map_err(failed)?;
        let name = b".eh_frame".to_vec();
        let section = (self.object).add_section(Vec::new(), name, SectionKind::ReadOnlyData);
        let Section { bytes, relocations } = eh_frame.0;
        self.object.append_section_data(section, bytes.slice(), 8);
        for relocation in relocations {
            let RelocationTarget::Symbol(number) = relocation.target else {
                continue;
            };
            let (at, to) = (relocation.offset as u64, frames[number].start);
            self.relocate(section, at, self.elf.distance, to, relocation.addend)?;
        }
        Ok(())
    }

    fn table(&self, frames: &[Unwinding]) -> FrameTable {
        let encoding = Encoding {
            format: Format::Dwarf32,
            version: 1,
            address_size: 8,
        };
        let registers = self.isa.registers();
        let stack_pointer = registers.row(registers.stack_pointer).dwarf.cast_unsigned();
        let return_address = Register(self.elf.return_address);
        let mut common = CommonInformationEntry::new(encoding, 1, -8, return_address);
        common.fde_address_encoding =
            constants::DwEhPe(constants::DW_EH_PE_pcrel.0 | constants::DW_EH_PE_sdata4.0);
        let above = self.elf.entry_cfa_offset as i32;
        let at_entry = (Register(stack_pointer), above);
        common.add_instruction(CallFrameInstruction::Cfa(at_entry.0, at_entry.1));
        if above > 0 {
            // The call pushed the return address there.
            common.add_instruction(CallFrameInstruction::Offset(return_address, -above));
        }
        let mut table = FrameTable::default();
        let common = table.add_cie(common);
        for (number, frame) in frames.iter().enumerate() {
            let start = Address::Symbol {
                symbol: number,
                addend: 0,
            };
            let mut entry = FrameDescriptionEntry::new(start, frame.length);
            let (reg, above) = frame.frame;
            for &(at, has_frame) in frame.changes.iter().filter(|&&(at, _)| at > 0) {
                entry.add_instruction(
                    at,
                    if has_frame {
                        CallFrameInstruction::Cfa(reg, above)
                    } else {
                        CallFrameInstruction::Cfa(at_entry.0, at_entry.1)
                    },
                );
                for &(reg, offset) in &frame.saved {
                    entry.add_instruction(
                        at,
                        if has_frame {
                            CallFrameInstruction::Offset(reg, offset)
                        } else {
                            CallFrameInstruction::Restore(reg)
                        },
                    );
                }
            }
            table.add_fde(common, entry);
        }
        table
    }
}

/// Returns the offsets at which the code changes between parts with and without a frame: the frame
/// is built in the block `outset`, and exists from `body` on.
fn changes(
    compiler: &Compiler<'_>,
    offsets: &Offsets<'_>,
    outset: BlockId,
    body: u32,
) -> Vec<(u32, bool)> {
    let function = &compiler.function;
    if !(function.layout.iter()).any(|&block| function.block(block).is_early) {
        return vec![(body, true)];
    }
    let mut changes = Vec::new();
    let mut has_frame = false;
    for &block in &function.layout {
        let at = match offsets.blocks.get(block.index()) {
            Some(_) if block == outset => body,
            Some(&at) => at,
            None => continue,
        };
        let is_early = function.block(block).is_early;
        if has_frame == is_early {
            has_frame = !is_early;
            changes.push((at, has_frame));
        }
    }
    changes
}
