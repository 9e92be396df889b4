//! This module knows what the instructions of prologues, epilogues, copies and spills do with
//! registers and the frame, by their names in LLVM: they are few on each ISA. Whatever is not told
//! here writes registers with values that nobody knows.

use mir_nostd::machine::{Operand, Reg, UnitSet};
use mir_nostd::target::{InsnRow, Isa, RegisterRow};
use std::collections::HashMap;

/// A part of what an instruction does; the parts come one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    /// The first register becomes the second one plus a number.
    Sum(Reg, Reg, i64),
    /// The first register becomes the second one plus a number, if that is a number, too.
    NumberSum(Reg, Reg, i64),
    /// The first register becomes the sum of the others.
    Total(Reg, Reg, Reg),
    /// The register becomes a number.
    Number(Reg, i64),
    /// The first register gets the low bits of the second one, so many, below others.
    Low(Reg, Reg, u32),
    /// The first register becomes the second one, shifted to the left by so many bits.
    Raise(Reg, Reg, u32),
    /// The first register becomes the second one, shifted to the right by so many bits, with zeros
    /// or the sign above.
    Lower(Reg, Reg, u32),
    /// The first register is stored so many bytes from the second one.
    Store(Reg, Reg, i64),
    /// The first register is loaded from so many bytes from the second one.
    Load(Reg, Reg, i64),
}

/// The form of an instruction: what it does with its operands, which have numbers.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// Operand 0 goes to the stack.
    Push,
    /// Operand 0 comes from the stack.
    Pop,
    /// Operand 0 becomes operand 1; a third operand is the same.
    Copy,
    /// Operand 0 becomes operand 2, if operand 1 is zero and nothing is shifted.
    CopyOfSecond,
    /// Operand 0 gets so many low bits of operand 1.
    Low(u32),
    /// Operand 0 gets 32 low bits of operand 2, if operand 1 is zero and nothing is shifted.
    LowOfSecond,
    /// Operand 0 gets the bits of operand 1 from the one of operand 2 to the one of operand 3.
    BitsTo,
    /// Operand 0 gets the bits of operand 1 that are left after so many as operand 3 says are
    /// cleared at its upper end, if operand 2 does not rotate it.
    BitsAfter,
    /// Operand 0 becomes the bits of operand 1 that operand 2 has, too.
    Masked,
    /// Operand 0 becomes operand 1, shifted to the left by operand 2.
    Raised,
    /// Operand 0 becomes operand 1, shifted to the right by operand 2.
    Lowered,
    /// Operand 0 becomes the register that the instruction reads implicitly.
    CopyOfImplicit,
    /// The register that the instruction writes implicitly becomes operand 0.
    CopyToImplicit,
    /// Operand 0 becomes operand 1 plus or minus operand 2, shifted by operand 3 if there is one.
    Sum(i64),
    /// Operand 0 becomes operand 1 plus operand 2; register 0 stands for zero.
    SumOrNumber,
    /// Operand 0 becomes the sum of operand 1, a number, and operand 2.
    NumberSum,
    /// Operand 0 becomes the sum of operands 1 and 2.
    Total,
    /// Operand 0 becomes operand 1, shifted by so many bits, as a number of 32 bits.
    Number(u32),
    /// Operand 0 becomes an address.
    Address(Place),
    /// So many registers, operand 0 and those after it, are stored at an address.
    Store(usize, Place),
    /// The operand of this number is stored at an address.
    StoreOf(usize, Place),
    /// So many registers, operand 0 and those after it, are loaded from an address.
    Load(usize, Place),
    /// All registers from operand 0 to operand 1 are stored at an address.
    StoreAll(Place),
    /// All registers from operand 0 to operand 1 are loaded from an address.
    LoadAll(Place),
    /// Operand 1 is stored at an address, which then becomes operand 0.
    StoreUpdate(Place),
    /// Operand 0 is moved, and operands 1 and 2 are stored there.
    StorePairMoved,
    /// Operands 1 and 2 are loaded from operand 0, which is moved then.
    LoadPairMoving,
}

/// An address: the numbers of the operands that are its base, its offset, and its index if it may
/// have one, and the bytes of a step of the offset.
#[derive(Clone, Copy, Debug)]
struct Place {
    base: usize,
    offset: usize,
    index: Option<usize>,
    scale: i64,
}

impl Place {
    /// The address of a base and the offset after it.
    const fn of(base: usize, scale: i64) -> Place {
        Place {
            base,
            offset: base + 1,
            index: None,
            scale,
        }
    }

    /// The same with an index.
    const fn indexed(self, index: usize) -> Place {
        let index = Some(index);
        Place { index, ..self }
    }

    /// The same with the offset in another operand.
    const fn with_offset(self, offset: usize) -> Place {
        Place { offset, ..self }
    }

    /// Returns base and offset; `None` if there is an index, or a frame object for a base.
    fn find(self, operands: &[Operand]) -> Option<(Reg, i64)> {
        let base = operands.get(self.base)?.as_reg()?;
        let offset = i64::from(operands.get(self.offset)?.small()?) * self.scale;
        let index = self.index.and_then(|index| operands.get(index)?.as_reg());
        index.is_none_or(Reg::is_none).then_some((base, offset))
    }
}

/// Base, scale, index and offset, from the first of these operands on.
const fn scaled(base: usize) -> Place {
    Place::of(base, 1).with_offset(base + 3).indexed(base + 2)
}

const X86_64: &[(&str, Form)] = &[
    ("PUSH64r", Form::Push),
    ("POP64r", Form::Pop),
    ("MOV64rr", Form::Copy),
    ("ADD64ri32", Form::Sum(1)),
    ("SUB64ri32", Form::Sum(-1)),
    ("LEA64r", Form::Address(scaled(1))),
    ("MOV64rm", Form::Load(1, scaled(1))),
    ("MOV64mr", Form::StoreOf(5, scaled(0))),
    ("MOV32rr", Form::Low(32)),
    ("MOVSX64rr32", Form::Low(32)),
    ("MOVSX64rr16", Form::Low(16)),
    ("MOVSX64rr8", Form::Low(8)),
    ("MOVZX32rr16", Form::Low(16)),
    ("MOVZX32rr8", Form::Low(8)),
    ("MOVAPSrr", Form::Copy),
    ("MOVSDrm_alt", Form::Load(1, scaled(1))),
    ("MOVSDmr", Form::StoreOf(5, scaled(0))),
];

const AARCH64: &[(&str, Form)] = &[
    ("STPXpre", Form::StorePairMoved),
    ("LDPXpost", Form::LoadPairMoving),
    ("STPXi", Form::Store(2, Place::of(2, 8))),
    ("STPDi", Form::Store(2, Place::of(2, 8))),
    ("STRXui", Form::Store(1, Place::of(1, 8))),
    ("STRDui", Form::Store(1, Place::of(1, 8))),
    ("LDPXi", Form::Load(2, Place::of(2, 8))),
    ("LDPDi", Form::Load(2, Place::of(2, 8))),
    ("LDRXui", Form::Load(1, Place::of(1, 8))),
    ("LDRDui", Form::Load(1, Place::of(1, 8))),
    ("ORRXrs", Form::CopyOfSecond),
    ("FMOVDr", Form::Copy),
    ("ORRWrs", Form::LowOfSecond),
    ("SBFMXri", Form::BitsTo),
    ("UBFMXri", Form::BitsTo),
    ("SBFMWri", Form::BitsTo),
    ("UBFMWri", Form::BitsTo),
    ("ADDXri", Form::Sum(1)),
    ("SUBXri", Form::Sum(-1)),
];

/// An offset, and the base after it.
const OFFSET_FIRST: Place = Place::of(2, 1).with_offset(1);

const PPC64LE: &[(&str, Form)] = &[
    ("MFLR8", Form::CopyOfImplicit),
    ("MTLR8", Form::CopyToImplicit),
    ("OR8", Form::Copy),
    ("FMR", Form::Copy),
    ("EXTSW", Form::Low(32)),
    ("EXTSH8", Form::Low(16)),
    ("EXTSB8", Form::Low(8)),
    ("RLDICL", Form::BitsAfter),
    ("ADDI8", Form::Sum(1)),
    ("ADD8", Form::Total),
    ("LIS8", Form::Number(16)),
    ("ORI8", Form::NumberSum),
    ("STD", Form::Store(1, OFFSET_FIRST)),
    ("STFD", Form::Store(1, OFFSET_FIRST)),
    ("PSTD", Form::Store(1, OFFSET_FIRST)),
    ("PSTFD", Form::Store(1, OFFSET_FIRST)),
    ("LD", Form::Load(1, OFFSET_FIRST)),
    ("LFD", Form::Load(1, OFFSET_FIRST)),
    ("PLD", Form::Load(1, OFFSET_FIRST)),
    ("PLFD", Form::Load(1, OFFSET_FIRST)),
    ("STDU", Form::StoreUpdate(Place::of(3, 1).with_offset(2))),
];

const RISCV64: &[(&str, Form)] = &[
    ("ADDI", Form::SumOrNumber),
    ("ADDIW", Form::NumberSum),
    ("ANDI", Form::Masked),
    ("SLLI", Form::Raised),
    ("SRLI", Form::Lowered),
    ("SRAI", Form::Lowered),
    ("ADD", Form::Total),
    ("FSGNJ_D", Form::Copy),
    ("LUI", Form::Number(12)),
    ("SD", Form::Store(1, Place::of(1, 1))),
    ("FSD", Form::Store(1, Place::of(1, 1))),
    ("LD", Form::Load(1, Place::of(1, 1))),
    ("FLD", Form::Load(1, Place::of(1, 1))),
];

/// Base, offset and index.
const INDEXED: Place = Place::of(1, 1).indexed(3);

const S390X: &[(&str, Form)] = &[
    ("LGR", Form::Copy),
    ("LDR", Form::Copy),
    ("LGFR", Form::Low(32)),
    ("LLGFR", Form::Low(32)),
    ("LGHR", Form::Low(16)),
    ("LLGHR", Form::Low(16)),
    ("LGBR", Form::Low(8)),
    ("LLGCR", Form::Low(8)),
    ("AGHI", Form::Sum(1)),
    ("AGFI", Form::Sum(1)),
    ("LAY", Form::Address(INDEXED)),
    ("STMG", Form::StoreAll(Place::of(2, 1))),
    ("LMG", Form::LoadAll(Place::of(2, 1))),
    ("STG", Form::Store(1, INDEXED)),
    ("STD", Form::Store(1, INDEXED)),
    ("STDY", Form::Store(1, INDEXED)),
    ("LG", Form::Load(1, INDEXED)),
    ("LD", Form::Load(1, INDEXED)),
    ("LDY", Form::Load(1, INDEXED)),
];

/// Returns the forms of the instructions of an ISA.
fn forms(isa: &dyn Isa) -> &'static [(&'static str, Form)] {
    match isa.target().name {
        "x86_64" => X86_64,
        "aarch64" => AARCH64,
        "ppc64le" => PPC64LE,
        "riscv64" => RISCV64,
        "s390x" => S390X,
        _ => &[],
    }
}

/// The forms of the instructions of an ISA, found as they come.
pub(super) struct Forms<'a> {
    isa: &'a dyn Isa,
    found: HashMap<&'static str, Option<Form>>,
}

impl<'a> Forms<'a> {
    pub(super) fn new(isa: &'a dyn Isa) -> Forms<'a> {
        let found = HashMap::new();
        Forms { isa, found }
    }

    /// Returns what an instruction does; nothing if that is not known.
    pub(super) fn effects(&mut self, row: &InsnRow, operands: &[Operand]) -> Vec<Effect> {
        let (isa, name) = (self.isa, row.name.text());
        let form = *self.found.entry(name).or_insert_with(|| {
            let form = forms(isa).iter().find(|(of, _)| *of == name);
            form.map(|&(_, form)| form)
        });
        let effects = form.and_then(|form| form.effects(isa, row, operands));
        effects.unwrap_or_default()
    }
}

impl Form {
    /// Returns what an instruction of this form does; `None` if its operands are others.
    fn effects(self, isa: &dyn Isa, row: &InsnRow, operands: &[Operand]) -> Option<Vec<Effect>> {
        let reg = |number: usize| operands.get(number)?.as_reg();
        let small = |number: usize| Some(i64::from(operands.get(number)?.small()?));
        Some(match self {
            Form::Copy => {
                let is_same = reg(2).is_none_or(|other| Some(other) == reg(1));
                vec![Effect::Sum(reg(0)?, reg(1).filter(|_| is_same)?, 0)]
            }
            Form::CopyOfSecond | Form::LowOfSecond => {
                let is_zero = isa.registers().row(reg(1)?).units == UnitSet::EMPTY;
                let from = reg(2).filter(|_| is_zero && small(3) == Some(0))?;
                vec![match self {
                    Form::CopyOfSecond => Effect::Sum(reg(0)?, from, 0),
                    _ => low(isa, [reg(0)?, from], 32),
                }]
            }
            Form::Raised | Form::Lowered => {
                let (to, from, by) = (reg(0)?, reg(1)?, u32::try_from(small(2)?).ok()?);
                vec![match self {
                    Form::Raised => Effect::Raise(to, from, by),
                    _ => Effect::Lower(to, from, by),
                }]
            }
            Form::Low(bits) => vec![low(isa, [reg(0)?, reg(1)?], bits)],
            Form::BitsTo | Form::BitsAfter | Form::Masked => {
                let bits = self.kept(small(2)?, small(3))?;
                vec![low(isa, [reg(0)?, reg(1)?], bits)]
            }
            Form::CopyOfImplicit => vec![Effect::Sum(reg(0)?, row.implicit_uses().next()?, 0)],
            Form::CopyToImplicit => vec![Effect::Sum(row.implicit_defs().next()?, reg(0)?, 0)],
            Form::Sum(sign) => {
                let value = sign * (small(2)? << small(3).unwrap_or(0));
                vec![Effect::Sum(reg(0)?, reg(1)?, value)]
            }
            Form::SumOrNumber => {
                let (to, from, value) = (reg(0)?, reg(1)?, small(2)?);
                vec![match isa.registers().row(from).encoding {
                    0 => Effect::Number(to, value),
                    _ => Effect::Sum(to, from, value),
                }]
            }
            Form::NumberSum => match small(2)? {
                0 => vec![low(isa, [reg(0)?, reg(1)?], 32)],
                number => vec![Effect::NumberSum(reg(0)?, reg(1)?, number)],
            },
            Form::Total => vec![Effect::Total(reg(0)?, reg(1)?, reg(2)?)],
            Form::Number(shift) => {
                let number = operands.get(1)?.small()?.wrapping_shl(shift);
                vec![Effect::Number(reg(0)?, number.into())]
            }
            Form::Address(place) => {
                let (base, offset) = place.find(operands)?;
                vec![Effect::Sum(reg(0)?, base, offset)]
            }
            _ => self.transfers(isa.registers().stack_pointer, operands)?,
        })
    }

    /// Returns how many low bits an instruction keeps that has these numbers, if it moves none.
    fn kept(self, first: i64, second: Option<i64>) -> Option<u32> {
        let bits = match self {
            Form::BitsTo => second? + 1,
            Form::BitsAfter => 64 - second?,
            _ => i64::from(first.trailing_ones()),
        };
        let is_in_place = matches!(self, Form::Masked) || first == 0;
        u32::try_from(bits).ok().filter(|_| is_in_place)
    }

    /// Returns what an instruction does that stores or loads registers.
    fn transfers(self, stack: Reg, operands: &[Operand]) -> Option<Vec<Effect>> {
        let reg = |number: usize| operands.get(number)?.as_reg();
        let small = |number: usize| Some(i64::from(operands.get(number)?.small()?));
        let regs = |count: usize| (0..count).map(reg).collect::<Option<Vec<Reg>>>();
        Some(match self {
            Form::Push => {
                let push = Effect::Sum(stack, stack, -8);
                vec![push, Effect::Store(reg(0)?, stack, 0)]
            }
            Form::Pop => {
                let load = Effect::Load(reg(0)?, stack, 0);
                vec![load, Effect::Sum(stack, stack, 8)]
            }
            Form::Store(count, place) => {
                memory(Effect::Store, &regs(count)?, place.find(operands)?)
            }
            Form::StoreOf(number, place) => {
                memory(Effect::Store, &[reg(number)?], place.find(operands)?)
            }
            Form::Load(count, place) => memory(Effect::Load, &regs(count)?, place.find(operands)?),
            Form::StoreAll(place) => memory(
                Effect::Store,
                &all(reg(0)?, reg(1)?)?,
                place.find(operands)?,
            ),
            Form::LoadAll(place) => {
                memory(Effect::Load, &all(reg(0)?, reg(1)?)?, place.find(operands)?)
            }
            Form::StoreUpdate(place) => {
                let (base, offset) = place.find(operands)?;
                vec![
                    Effect::Store(reg(1)?, base, offset),
                    Effect::Sum(reg(0)?, base, offset),
                ]
            }
            Form::StorePairMoved => {
                let (to, distance) = (reg(0)?, small(4)? * 8);
                let mut effects = vec![Effect::Sum(to, reg(3)?, distance)];
                effects.extend(memory(Effect::Store, &[reg(1)?, reg(2)?], (to, 0)));
                effects
            }
            Form::LoadPairMoving => {
                let (to, distance) = (reg(0)?, small(4)? * 8);
                let mut effects = memory(Effect::Load, &[reg(1)?, reg(2)?], (to, 0));
                effects.push(Effect::Sum(to, reg(3)?, distance));
                effects
            }
            _ => return None,
        })
    }
}

/// Returns that a register gets low bits of another one. Each stands for the one of 64 bits whose
/// low half it is.
fn low(isa: &dyn Isa, [to, from]: [Reg; 2], bits: u32) -> Effect {
    let rows = isa.registers().registers;
    let whole = |reg: Reg| {
        let units = isa.registers().units(reg);
        let is_part = |row: &&RegisterRow| {
            let mut parts = row.parts.iter();
            row.units == units && parts.any(|&(_, part)| Some(part) == reg.row())
        };
        let wholes = rows.iter().filter(is_part);
        let whole = wholes.max_by_key(|row| row.parts.len());
        let number = whole.and_then(|whole| rows.iter().position(|row| core::ptr::eq(row, whole)));
        let number = number.and_then(|number| u16::try_from(number).ok());
        number.map_or(reg, Reg::physical)
    };
    Effect::Low(whole(to), whole(from), bits)
}

/// Returns the registers from the first to the last, which are next to each other.
fn all(first: Reg, last: Reg) -> Option<Vec<Reg>> {
    Some((first.row()?..=last.row()?).map(Reg::physical).collect())
}

/// Returns the stores or loads of registers that lie one after the other. The base is read before
/// it is loaded: it comes last.
fn memory(
    effect: fn(Reg, Reg, i64) -> Effect,
    regs: &[Reg],
    (base, offset): (Reg, i64),
) -> Vec<Effect> {
    let places = (offset..).step_by(8);
    let mut effects: Vec<Effect> = { regs.iter().zip(places) }
        .map(|(&reg, offset)| effect(reg, base, offset))
        .collect();
    let is_base = |effect: &Effect| matches!(*effect, Effect::Load(to, _, _) if to == base);
    effects.sort_by_key(is_base);
    effects
}
