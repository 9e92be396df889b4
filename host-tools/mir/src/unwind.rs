//! This module makes the rules for unwinding the frames of functions, as DWARF tells them to
//! exceptions and debuggers.
//!
//! The rules hold at every instruction, in prologue and epilogues too, where a debugger or a signal
//! may stop: [`frames`] follows the code. The few functions that it cannot follow have the rules of
//! calls: those of the entry until the end of the prologue, and then those of the body.

#![expect(
    unsafe_code,
    reason = "the unwinder of this process believes the rules"
)]

mod effects;
mod frames;

pub(crate) use frames::{Entry, Frame, Held, Place};
use gimli::write::{
    Address, CallFrameInstruction, CommonInformationEntry, FrameDescriptionEntry, FrameTable,
};
use gimli::write::{EhFrame, EndianVec};
use gimli::{DwEhPe, Encoding, Format, Register, RunTimeEndian, constants};
use mir_nostd::codegen::{Compiler, Granularity, Offsets};
use mir_nostd::machine::{BlockId, Reg, UnitSet};
use mir_nostd::mem::Entity;
use mir_nostd::target::{Elf, Isa, RegisterRow};

/// The rules for unwinding a function.
#[derive(Clone, Debug)]
pub(crate) struct Unwinding {
    length: u32,
    /// The rules from each of these offsets on, in ascending order; before them are those of the
    /// entry.
    rows: Vec<(u32, Rules)>,
}

/// The rules for unwinding at a place of the code. Registers that are not named have the caller's
/// values.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Rules {
    /// The register that the canonical frame address is computed from, and its distance above that.
    frame: (Register, i32),
    /// The places of the caller's registers, in the order of their numbers.
    saved: Vec<(Register, Rule)>,
}

/// The rule for a register of the caller, by a distance from the canonical frame address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rule {
    /// It is in memory there.
    At(i32),
    /// It is that address itself.
    Above(i32),
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

/// The frame of a function from the end of its prologue on.
#[derive(Debug)]
struct Body {
    /// The register that frame objects are addressed by.
    base: Reg,
    /// The distance of that register below the canonical frame address.
    below: i32,
    /// The registers that the prologue saves, with the distances from the canonical frame address.
    saved: Vec<(Reg, i32)>,
}

impl Body {
    /// Returns that of the function that was compiled last.
    fn of(compiler: &Compiler<'_>) -> Option<Body> {
        let prologue = compiler.output.prologue?;
        let mut saved = Vec::new();
        let mut save = |reg, offset| saved.push((reg, offset));
        let isa = compiler.isa();
        let (base, below) = isa.unwind(&compiler.function, &prologue.layout, &mut save)?;
        Some(Body { base, below, saved })
    }
}

/// Returns the frame of the function that was compiled last.
pub(crate) fn frame<'a>(compiler: &'a Compiler<'a>) -> Option<Frame<'a>> {
    let isa = compiler.isa();
    let elf = isa.description().elf?;
    let entry = (elf.entry_cfa_offset, pushes_return_address(isa, elf));
    Some(Frame::new(compiler, Body::of(compiler)?, entry))
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
        let elf = isa.description().elf?;
        let Body { base, below, saved } = Body::of(compiler)?;
        let at = |&(reg, offset): &(Reg, i32)| (number(isa, reg), Rule::At(offset));
        let full = Rules::new((number(isa, base), below), saved.iter().map(at).collect());
        let entry = entry_rules(isa, elf);
        let changes = || {
            let changes = changes(compiler, offsets, prologue.block, body).into_iter();
            let rules = |has_frame| {
                if has_frame {
                    full.clone()
                } else {
                    entry.clone()
                }
            };
            changes
                .map(|(at, has_frame)| (at, rules(has_frame)))
                .collect()
        };
        let is_whole = compiler.execution.granularity == Granularity::Function;
        let rows = is_whole.then(|| frame(compiler)?.rules(&full));
        Some(Unwinding {
            length,
            rows: rows.flatten().unwrap_or_else(changes),
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
        let saved = saved
            .iter()
            .map(|&(reg, offset)| (Register(reg), Rule::At(offset)));
        let rules = Rules::new((Register(frame), above), saved.collect());
        Unwinding {
            length,
            rows: vec![(body, rules)],
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
    fn entry(&self, start: Address, at_entry: &Rules) -> FrameDescriptionEntry {
        let mut entry = FrameDescriptionEntry::new(start, self.length);
        let mut before = at_entry;
        for (at, rules) in &self.rows {
            for instruction in rules.after(before) {
                entry.add_instruction(*at, instruction);
            }
            before = rules;
        }
        entry
    }
}

impl Rules {
    fn new(frame: (Register, i32), mut saved: Vec<(Register, Rule)>) -> Rules {
        saved.sort_by_key(|&(Register(register), _)| register);
        Rules { frame, saved }
    }

    /// Returns the instructions that make these rules of those before.
    fn after(&self, before: &Rules) -> Vec<CallFrameInstruction> {
        let (register, above) = self.frame;
        let mut changes = Vec::new();
        if self.frame != before.frame {
            changes.push(match register == before.frame.0 {
                true => CallFrameInstruction::CfaOffset(above),
                false => CallFrameInstruction::Cfa(register, above),
            });
        }
        let gone = before.saved.iter().map(|&(register, _)| register);
        let gone = gone.filter(|gone| !self.saved.iter().any(|(register, _)| register == gone));
        changes.extend(gone.map(CallFrameInstruction::Restore));
        let new = self
            .saved
            .iter()
            .filter(|rule| !before.saved.contains(rule));
        changes.extend(new.map(|&(register, rule)| match rule {
            Rule::At(offset) => CallFrameInstruction::Offset(register, offset),
            Rule::Above(offset) => CallFrameInstruction::ValOffset(register, offset),
        }));
        changes
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
    table.add_fde(common, function.entry(start, &at_entry));
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
        table.add_fde(common, function.entry(start, &at_entry));
    }
    table
}

/// Returns what all functions have in common, and the rules at their entry.
fn common(isa: &dyn Isa, elf: &Elf, addresses: Addresses) -> (CommonInformationEntry, Rules) {
    let encoding = Encoding {
        format: Format::Dwarf32,
        version: 1,
        address_size: 8,
    };
    let return_address = Register(elf.return_address);
    let mut common = CommonInformationEntry::new(encoding, 1, -8, return_address);
    common.fde_address_encoding = addresses.encoding();
    let rules = entry_rules(isa, elf);
    let (stack_pointer, above) = rules.frame;
    common.add_instruction(CallFrameInstruction::Cfa(stack_pointer, above));
    if pushes_return_address(isa, elf) {
        common.add_instruction(CallFrameInstruction::Offset(return_address, -above));
    }
    (common, rules)
}

/// Returns the rules at the entry of a function, without that of the return address, which no
/// function changes.
fn entry_rules(isa: &dyn Isa, elf: &Elf) -> Rules {
    let stack_pointer = number(isa, isa.registers().stack_pointer);
    Rules::new((stack_pointer, elf.entry_cfa_offset as i32), Vec::new())
}

/// Returns whether calls leave the return address on the stack: there is something above the stack
/// pointer at the entry, and no register that is ever allocated has the address.
fn pushes_return_address(isa: &dyn Isa, elf: &Elf) -> bool {
    let mut rows = isa.registers().registers.iter();
    let has_it = |row: &RegisterRow| row.dwarf.cast_unsigned() == elf.return_address;
    elf.entry_cfa_offset > 0 && !rows.any(|row| has_it(row) && row.units != UnitSet::EMPTY)
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
