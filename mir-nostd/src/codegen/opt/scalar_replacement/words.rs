//! Words that are accessed as a whole and by parts: a structure is filled field by field, and
//! copied or passed as words.
//!
//! The accesses of a group begin and end at some bounds. What lies between two neighbours becomes a
//! register, of which only the low bits count. An access to several of these is put together from
//! them, or taken apart, by shifts; a float as the integer of its bits. In memory it would have to
//! wait until what was stored by parts has left the store buffer.

use super::{Access, bits_of, has_bits, rewrite};
use crate::machine::{Bank, Function, Generic, InsnId, LowType, Operand, OperandFlags, VRegInfo};
use crate::mem::Vec;
use crate::target::error::{Error, Phase};

/// The most parts of one group.
const MOST_PARTS: usize = 8;

/// The bounds of the parts of a group.
pub(super) struct Bounds {
    /// The places where accesses begin or end, in order.
    places: [i64; MOST_PARTS + 1],
    count: usize,
    info: VRegInfo,
}

/// A register that holds a part of what an access covers.
#[derive(Clone, Copy)]
struct Piece {
    part: Operand,
    bits: i32,
    /// The place of its lowest bit in the value that is accessed.
    shift: i32,
}

impl Bounds {
    /// Returns the bounds of the parts of a group in which each access is to certain bytes, and
    /// some are of an integer.
    pub(super) fn of(
        function: &Function<'_>,
        group: &[Access],
        moves_floats: bool,
    ) -> Option<Bounds> {
        let mut kind = None;
        let (mut places, mut count) = ([0; MOST_PARTS + 1], 0);
        for access in group {
            let value = *function.operands(access.insn).first()?;
            match value.vreg().map(|vreg| function.vreg(vreg)) {
                Some(info) if info.bank == Bank::Floating => {
                    has_bits(info, moves_floats).then_some(())?;
                }
                Some(info) if kind.is_some_and(|kind| kind != info) => return None,
                Some(info) => kind = Some(info),
                None => function.immediate(value).map(|_| ())?,
            }
            if !access.is_exact {
                return None;
            }
            for place in [access.start, access.end] {
                if !places.iter().take(count).any(|&known| known == place) {
                    *places.get_mut(count)? = place;
                    count += 1;
                }
            }
        }
        places.get_mut(..count)?.sort_unstable();
        let bounds = Bounds {
            places,
            count,
            info: kind?,
        };
        let are_plain = (bounds.parts()).all(|(start, end)| matches!(end - start, 1 | 2 | 4 | 8));
        are_plain.then_some(bounds)
    }

    /// Returns the start and the end of each part.
    fn parts(&self) -> impl Iterator<Item = (i64, i64)> {
        let places = self.places.iter().copied().take(self.count);
        places.clone().zip(places.skip(1))
    }

    /// Replaces the accesses of the group by registers for its parts. Returns the number of these.
    pub(super) fn split(
        &self,
        function: &mut Function<'_>,
        group: &[Access],
        is_big_endian: bool,
        narrow: &mut Vec<'_, (InsnId, u32)>,
    ) -> Result<usize, Error> {
        let mut registers = Vec::new(function.allocator());
        for _ in self.parts() {
            registers.push(Operand::from(function.add_vreg(self.info)?))?;
        }
        let mut pieces = Vec::new(function.allocator());
        for access in group {
            pieces.clear();
            for ((start, end), &part) in self.parts().zip(registers.iter()) {
                let below = if is_big_endian {
                    access.end - end
                } else {
                    start - access.start
                };
                if access.start <= start && end <= access.end {
                    pieces.push(Piece {
                        part,
                        bits: 8 * (end - start) as i32,
                        shift: 8 * below as i32,
                    })?;
                }
            }
            let mut access = Split {
                function,
                insn: access.insn,
                info: self.info,
            };
            match &*pieces {
                [piece] => rewrite(access.function, access.insn, piece.part, self.info, narrow)?,
                pieces if access.stores() => access.take_apart(pieces)?,
                pieces => access.put_together(pieces)?,
            }
        }
        Ok(registers.len())
    }
}

/// An access to several parts.
struct Split<'a, 'f> {
    function: &'a mut Function<'f>,
    insn: InsnId,
    info: VRegInfo,
}

impl Split<'_, '_> {
    fn stores(&self) -> bool {
        self.function.insn(self.insn).opcode.generic() == Some(Generic::Store)
    }

    /// Returns the register, or the immediate, that is loaded or stored.
    fn value(&self) -> Result<Operand, Error> {
        let value = self.function.operands(self.insn).first().copied();
        value.ok_or(Phase::Optimisation.internal(Some(self.insn)))
    }

    /// Returns whether a floating register is loaded or stored.
    fn is_floating(&self, value: Operand) -> bool {
        let vreg = value.vreg();
        vreg.is_some_and(|vreg| self.function.vreg(vreg).bank == Bank::Floating)
    }

    /// Emits an instruction before the access. Returns its result.
    fn compute(&mut self, generic: Generic, sources: [Operand; 2]) -> Result<Operand, Error> {
        let result = Operand::from(self.function.add_vreg(self.info)?);
        let [a, b] = sources;
        self.emit(generic, &[result.with(OperandFlags::DEF), a, b])?;
        Ok(result)
    }

    /// Returns the integer with the bits of a value that is stored.
    fn bits(&mut self, value: Operand) -> Result<Operand, Error> {
        if !self.is_floating(value) {
            return Ok(value);
        }
        bits_of(self.function, self.insn, value, self.info)
    }

    fn emit(&mut self, generic: Generic, operands: &[Operand]) -> Result<(), Error> {
        let block = self.function.insn(self.insn).block();
        let before = Some(self.insn);
        self.function
            .insert(block, before, generic.into(), LowType::S64, operands)?;
        Ok(())
    }

    /// Makes a load of several parts a sum of them.
    fn put_together(&mut self, pieces: &[Piece]) -> Result<(), Error> {
        let mut sum = None;
        for piece in pieces {
            let mut value = piece.part;
            if piece.shift + piece.bits < 64 {
                value = self.compute(Generic::ZextInreg, [value, Operand::imm(piece.bits)])?;
            }
            if piece.shift > 0 {
                value = self.compute(Generic::Shl, [value, Operand::imm(piece.shift)])?;
            }
            sum = Some(match sum {
                Some(sum) => self.compute(Generic::Or, [sum, value])?,
                None => value,
            });
        }
        let sum = sum.ok_or(Phase::Optimisation.internal(Some(self.insn)))?;
        let (to, insn) = (self.value()?, *self.function.insn(self.insn));
        let bits = Operand::imm(insn.ty.bits() as i32);
        let (generic, ty, operands): (_, _, &[Operand]) = match insn.opcode.generic() {
            Some(Generic::SextLoad) => (Generic::SextInreg, LowType::S64, &[to, sum, bits]),
            _ if self.is_floating(to) => (Generic::Bitcast, insn.ty, &[to, sum]),
            _ => (Generic::Copy, LowType::S64, &[to, sum]),
        };
        self.function.replace(self.insn, generic, ty, operands)?;
        Ok(())
    }

    /// Makes a store of several parts a copy to each.
    fn take_apart(&mut self, pieces: &[Piece]) -> Result<(), Error> {
        let value = self.value()?;
        let value = self.bits(value)?;
        for piece in pieces {
            let part = piece.part.with(OperandFlags::DEF);
            if let Some(value) = self.function.immediate(value) {
                let unused = 64 - piece.bits;
                let bits = value.unbounded_shr(piece.shift as u32) << unused >> unused;
                let bits = self.function.int(bits)?;
                self.emit(Generic::Constant, &[part, bits])?;
            } else if piece.shift > 0 {
                let by = Operand::imm(piece.shift);
                self.emit(Generic::Lshr, &[part, value, by])?;
            } else {
                self.emit(Generic::Copy, &[part, value])?;
            }
        }
        self.function.remove(self.insn);
        Ok(())
    }
}
