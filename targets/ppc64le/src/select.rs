//! Instruction selection: target instructions for each generic one.
//!
//! `cr0` and the carry are never live from one generic instruction to the next. The count register
//! is only where a loop counts down in it, and no other instruction of such a loop uses it.

mod atomic;
mod compare;
mod control;
mod float;
mod int;
mod legal;
mod memory;
mod overflow;

use super::encode::is_long;
use super::insns::Op;
use super::isa::Backend;
use super::registers::{self, X2, X12};
use super::target_flags::{GOT_HIGH, GOT_LOW, GOT_PC, PC, TOC_HIGH, TOC_LOW};
use core::ops::{Deref, DerefMut};
use mir_nostd::codegen::{Emitter, Error};
use mir_nostd::machine::{Function, Generic, InsnId, LowType, Operand, Reg};
use mir_nostd::target::{AddressForm, GenericInsn, InsnSelector, Materialise, Selection};

impl InsnSelector for Backend {
    /// Writes target instructions for a generic one.
    fn select(&self, out: &mut Emitter<'_, '_>, insn: GenericInsn<'_>) -> Result<(), Error> {
        let of = Selection::new(out, insn);
        let mut selector = Selector {
            of,
            has_prefixes: self.has_prefixes,
        };
        if selector.ty.is_long_double() {
            return selector.unknown();
        }
        selector.int()
    }

    fn invert_branch(&self, function: &mut Function<'_>, insn: InsnId) -> bool {
        let is_conditional = function.insn(insn).opcode == Op::BCC.opcode();
        // The branch options have one bit for the value that the condition must have.
        is_conditional && function.flip_immediate(insn, 0, 8)
    }

    fn takes_immediate(&self, generic: Generic, ty: LowType, number: usize, value: i64) -> bool {
        legal::takes_immediate(generic, ty, number, value, self.has_prefixes)
    }

    fn takes_address(&self, _: LowType, address: &AddressForm) -> bool {
        !address.has_frame && address.scale == 1 && address.displacement == 0
    }
}

/// Two opcodes of the same operation in 64 and in 32 bits.
type Pair = [Op; 2];

/// The selection of one instruction.
struct Selector<'s, 'f, 'm> {
    of: Selection<'s, 'f, 'm>,
    has_prefixes: bool,
}

impl<'s, 'f, 'm> Deref for Selector<'s, 'f, 'm> {
    type Target = Selection<'s, 'f, 'm>;

    fn deref(&self) -> &Self::Target {
        &self.of
    }
}

impl DerefMut for Selector<'_, '_, '_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.of
    }
}

impl<'s, 'f, 'm> Materialise<'s, 'f, 'm> for Selector<'s, 'f, 'm> {
    fn is_floating(reg: Reg) -> bool {
        registers::is_float(reg)
    }

    /// Emits `to` = an integer: by at most three instructions, else from the pool.
    fn constant(&mut self, to: Operand, value: i64) -> Result<(), Error> {
        let shift = value.trailing_zeros().min(63);
        // The leading zeros are filled with ones.
        let filled = value | (-1_i64).unbounded_shl(64 - value.leading_zeros());
        let is_short = |value: i64| match self.has_prefixes {
            true => is_long(value),
            false => i32::try_from(value).is_ok(),
        };
        if is_short(value) {
            self.short_constant(to, value)
        } else if is_short(value >> shift) {
            let temp = self.new_int()?;
            self.short_constant(temp, value >> shift)?;
            self.shift_left(to, temp, shift as i32)
        } else if is_short(filled) {
            let temp = self.new_int()?;
            self.short_constant(temp, filled)?;
            self.low_bits(to, temp, 64 - value.leading_zeros() as i32)
        } else {
            let constant = self.out.constant(u128::from(value.cast_unsigned()), 8)?;
            self.load_near(Op::LD, to, constant)
        }
    }

    /// Emits `to` = the address of a symbol.
    fn symbol(&mut self, to: Operand, symbol: Operand) -> Result<(), Error> {
        if !self.out.function.is_position_independent {
            let constant = self.out.address_constant(symbol)?;
            return self.load_near(Op::LD, to, constant);
        }
        let id = symbol.as_symbol();
        if id.is_some_and(|id| self.out.function.is_near(id)) {
            return self.address_near(to, symbol);
        }
        if self.has_prefixes {
            let operands = [to, symbol.flagged(GOT_PC), Operand::imm(0)];
            return self.emit(Op::PLDpc, &operands);
        }
        let entry = self.new_int()?;
        let high = symbol.flagged(GOT_HIGH);
        self.emit(Op::ADDIS8, &[entry, Operand::reg(X2), high])?;
        self.emit(Op::LD, &[to, symbol.flagged(GOT_LOW), entry])
    }
}

impl Selector<'_, '_, '_> {
    /// Emits `op` into a new register, with an immediate as the last operand.
    fn emit_new(&mut self, op: Op, operands: &[Operand], value: i32) -> Result<Operand, Error> {
        let to = self.new_int()?;
        let value = Operand::imm(value);
        match *operands {
            [] => self.emit(op, &[to, value])?,
            [a] => self.emit(op, &[to, a, value])?,
            [a, b, ..] => self.emit(op, &[to, a, b, value])?,
        }
        Ok(to)
    }

    /// Emits `op` on registers into a new register.
    fn compute(&mut self, op: Op, operands: &[Operand]) -> Result<Operand, Error> {
        let to = self.new_int()?;
        match *operands {
            [] => self.emit(op, &[to])?,
            [a] => self.emit(op, &[to, a])?,
            [a, b, ..] => self.emit(op, &[to, a, b])?,
        }
        Ok(to)
    }

    /// Emits `to` = an integer of 32 bits, or 34 where there are prefixes, sign-extended.
    fn short_constant(&mut self, to: Operand, value: i64) -> Result<(), Error> {
        let [high, low] = [(value >> 16) as i32, value as i32 & 0xFFFF];
        if i16::try_from(value).is_ok() {
            return self.emit(Op::LI8, &[to, Operand::imm(value as i32)]);
        }
        if low == 0 && i16::try_from(high).is_ok() {
            return self.emit(Op::LIS8, &[to, Operand::imm(high)]);
        }
        if self.has_prefixes {
            let value = self.out.function.int(value)?;
            return self.emit(Op::PLI8, &[to, value]);
        }
        let temp = self.emit_new(Op::LIS8, &[], high)?;
        self.emit(Op::ORI8, &[to, temp, Operand::imm(low)])
    }

    /// Emits `to = a << by` of 64 bits.
    fn shift_left(&mut self, to: Operand, a: Operand, by: i32) -> Result<(), Error> {
        let operands = [to, a, Operand::imm(by), Operand::imm(63 - by)];
        self.emit(Op::RLDICR, &operands)
    }

    /// Emits `to = a >> by` of 64 bits, unsigned.
    fn shift_right(&mut self, to: Operand, a: Operand, by: i32) -> Result<(), Error> {
        let operands = [to, a, Operand::imm((64 - by) & 63), Operand::imm(by)];
        self.emit(Op::RLDICL, &operands)
    }

    /// Emits `to` = the low `bits` bits of `a`.
    fn low_bits(&mut self, to: Operand, a: Operand, bits: i32) -> Result<(), Error> {
        let operands = [to, a, Operand::imm(0), Operand::imm(64 - bits)];
        self.emit(Op::RLDICL, &operands)
    }

    /// Emits `to` = the address of a place of the code or in its pool.
    fn address_near(&mut self, to: Operand, place: Operand) -> Result<(), Error> {
        if self.has_prefixes {
            let operands = [to, Operand::imm(0), place.flagged(PC)];
            return self.emit(Op::PADDI8pc, &operands);
        }
        let [low, near] = self.near(place)?;
        self.emit(Op::ADDI8, &[to, near, low])
    }

    /// Loads a constant from the pool.
    fn load_near(&mut self, load: Op, to: Operand, place: Operand) -> Result<(), Error> {
        if self.has_prefixes {
            let load = match load {
                Op::LFD => Op::PLFDpc,
                Op::LFS => Op::PLFSpc,
                _ => Op::PLDpc,
            };
            return self.emit(load, &[to, place.flagged(PC), Operand::imm(0)]);
        }
        let [low, base] = self.near(place)?;
        self.emit(load, &[to, low, base])
    }

    /// Returns a signed distance of 16 bits to a place of the code or in its pool, and the new
    /// register that it counts from. Objects reach all places by the TOC pointer.
    fn near(&mut self, place: Operand) -> Result<[Operand; 2], Error> {
        let (start, high, low) = if self.out.function.is_position_independent {
            // Linkers require r2 itself.
            let [high, low] = [TOC_HIGH, TOC_LOW].map(|flag| place.flagged(flag));
            (Operand::reg(X2), high, low)
        } else {
            (self.start()?, place, place)
        };
        let near = self.new_int()?;
        self.emit(Op::ADDIS8, &[near, start, high])?;
        Ok([low, near])
    }

    /// Returns the register that holds the start of the function's code: the copy of r12 that the
    /// entry block begins with, made at the first request.
    fn start(&mut self) -> Result<Operand, Error> {
        let Some(&entry) = self.out.function.layout.first() else {
            return self.unknown();
        };
        let first = self.out.function.block(entry).first();
        if let Some(first) = first
            && self.out.function.insn(first).opcode == Generic::Copy.into()
            && let &[to, from] = self.out.function.operands(first)
            && from.as_reg() == Some(X12)
        {
            return Ok(Operand::reg(to.as_reg().unwrap_or(X12)));
        }
        let (block, next) = self.out.place();
        let start = self.new_int()?;
        self.out.go_to(entry, first);
        self.out.copy(start, Operand::reg(X12))?;
        self.out.go_to(block, next);
        Ok(start)
    }

    /// Returns an immediate of 16 bits, signed.
    fn small(&self, operand: Operand) -> Option<i32> {
        let value = self.immediate(operand)?;
        i16::try_from(value).ok().map(i32::from)
    }
}
