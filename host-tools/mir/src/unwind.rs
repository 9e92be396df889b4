//! This module makes the rules for unwinding the frames of functions, as DWARF tells them to
//! exceptions and debuggers.
//!
//! The rules hold at every call: from the end of the prologue on, wherever the frame exists. Within
//! prologue and epilogues, where only a signal or a debugger could stop, they are those of the
//! function's entry or of its body.
#![expect(
    unsafe_code,
    reason = "the unwinder of this process believes the rules"
)]

use gimli::write::{
    Address, CallFrameInstruction, CommonInformationEntry, FrameDescriptionEntry, FrameTable,
};
use gimli::write::{EhFrame, EndianVec};
use gimli::{DwEhPe, Encoding, Format, Register, RunTimeEndian, constants};
use mir_nostd::codegen::{Compiler, Offsets};
use mir_nostd::machine::{BlockId, Reg};
use mir_nostd::mem::Entity;
use mir_nostd::target::{Elf, Isa};

/// The rules for unwinding a function.
#[derive(Clone, Debug)]
pub(crate) struct Unwinding {
    length: u32,
    /// The offsets at which the code changes between parts with and without a frame; it begins
    /// without one.
    changes: Vec<(u32, bool)>,
    frame: (Register, i32),
    saved: Vec<(Register, i32)>,
}

/// The form of addresses in the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Addresses {
    /// Absolute ones, as in `.debug_frame`.
    Absolute,
    /// Distances, as in `.eh_frame`.
    Relative,
}

impl Addresses {
    const fn encoding(self) -> DwEhPe {
        match self {
            Addresses::Absolute => constants::DW_EH_PE_absptr,
            Addresses::Relative => {
                DwEhPe(constants::DW_EH_PE_pcrel.0 | constants::DW_EH_PE_sdata4.0)
            }
        }
    }
}

/// Returns the number of a register in DWARF.
pub(crate) fn number(isa: &dyn Isa, reg: Reg) -> Register {
    Register(isa.registers().row(reg).dwarf.cast_unsigned())
}

impl Unwinding {
    /// Returns the rules of the function that was compiled last, whose code has this length without
    /// what comes after it. Its code notes places.
    pub(crate) fn of(
        compiler: &Compiler<'_>,
        offsets: &Offsets<'_>,
        length: u32,
    ) -> Option<Unwinding> {
        let prologue = compiler.output.prologue?;
        let places = &compiler.output.code.places;
        let last = prologue.last.and_then(|last| {
            let place = places.iter().position(|&(_, insn)| insn == last)?;
            Some(places.get(place + 1).map_or(length, |&(at, _)| at))
        });
        let block = offsets.blocks.get(prologue.block.index()).copied();
        let body = last.or(block).unwrap_or(0);
        let isa = compiler.isa();
        let mut saved = Vec::new();
        let mut save = |reg, offset| saved.push((number(isa, reg), offset));
        let (reg, above) = isa.unwind(&compiler.function, &prologue.layout, &mut save)?;
        Some(Unwinding {
            length,
            changes: changes(compiler, offsets, prologue.block, body),
            frame: (number(isa, reg), above),
            saved,
        })
    }

    /// Returns the rules of a function that builds its frame once: the frame is there from the
    /// offset `body` on. Registers have their numbers in DWARF.
    pub(crate) fn with(
        length: u32,
        body: u32,
        (frame, above): (u16, i32),
        saved: &[(u16, i32)],
    ) -> Unwinding {
        let saved = saved.iter().map(|&(reg, offset)| (Register(reg), offset));
        Unwinding {
            length,
            changes: vec![(body, true)],
            frame: (Register(frame), above),
            saved: saved.collect(),
        }
    }

    /// Tells the unwinder of this process of the function, whose code is at an address of this
    /// process for good.
    pub(crate) fn register(&self, address: usize) {
        let isa = target_all::HOST;
        let Some(elf) = isa.description().elf else {
            return;
        };
        let endian = match isa.target().big_endian {
            true => RunTimeEndian::Big,
            false => RunTimeEndian::Little,
        };
        let start = Address::Constant(address as u64);
        let table = table(
            isa,
            elf,
            Addresses::Absolute,
            core::iter::once((start, self)),
        );
        let mut section = EhFrame(EndianVec::new(endian));
        // Without a table an exception that comes by ends the program.
        if table.write_eh_frame(&mut section).is_ok() {
            let mut bytes = section.0.into_vec();
            bytes.extend([0; 4]);
            // SAFETY: the table is of code of ours that runs there.
            unsafe { mir_host::register_frames(bytes) };
        }
    }

    /// Returns the entry of the function, which starts at `start`.
    fn entry(&self, start: Address, at_entry: (Register, i32)) -> FrameDescriptionEntry {
        let mut entry = FrameDescriptionEntry::new(start, self.length);
        for &(at, has_frame) in self.changes.iter().filter(|&&(at, _)| at > 0) {
            let (reg, above) = if has_frame { self.frame } else { at_entry };
            entry.add_instruction(at, CallFrameInstruction::Cfa(reg, above));
            for &(reg, offset) in &self.saved {
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
        entry
    }
}

/// Adds a function with a personality routine to a table with distances.
pub(crate) fn add_with_personality(
    table: &mut FrameTable,
    isa: &dyn Isa,
    elf: &Elf,
    personality: Address,
    (start, function): (Address, &Unwinding),
) {
    let (mut common, at_entry) = common(isa, elf, Addresses::Relative);
    common.personality = Some((Addresses::Relative.encoding(), personality));
    let common = table.add_cie(common);
    table.add_fde(common, function.entry(start, at_entry));
}

/// Returns the table of functions at these places.
pub(crate) fn table<'a>(
    isa: &dyn Isa,
    elf: &Elf,
    addresses: Addresses,
    functions: impl Iterator<Item = (Address, &'a Unwinding)>,
) -> FrameTable {
    let (common, at_entry) = common(isa, elf, addresses);
    let mut table = FrameTable::default();
    let common = table.add_cie(common);
    for (start, function) in functions {
        table.add_fde(common, function.entry(start, at_entry));
    }
    table
}

/// Returns what all functions have in common, and the frame's address at their entry.
fn common(
    isa: &dyn Isa,
    elf: &Elf,
    addresses: Addresses,
) -> (CommonInformationEntry, (Register, i32)) {
    let encoding = Encoding {
        format: Format::Dwarf32,
        version: 1,
        address_size: 8,
    };
    let stack_pointer = number(isa, isa.registers().stack_pointer);
    let return_address = Register(elf.return_address);
    let mut common = CommonInformationEntry::new(encoding, 1, -8, return_address);
    common.fde_address_encoding = addresses.encoding();
    let above = elf.entry_cfa_offset as i32;
    let at_entry = (stack_pointer, above);
    common.add_instruction(CallFrameInstruction::Cfa(stack_pointer, above));
    if above > 0 {
        // The call pushed the return address there.
        common.add_instruction(CallFrameInstruction::Offset(return_address, -above));
    }
    (common, at_entry)
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
