//! Lowering of the tests of values and addresses, in confined programs.

use super::super::super::code::Op;
use super::super::extensions::Extensions;
use super::super::operand::{Reached, Region, Source, wide};
use super::super::{DecodeError, Decoder};
use crate::ir::{Code, FaultKind, InsnId, LOWEST_ADDRESS, Mem, Operand, Reg, Type};

impl Decoder<'_, '_> {
    pub(super) fn ensure(&mut self, insn: InsnId) -> Result<(), DecodeError> {
        let value = self.source_at(insn, 0, 64)?;
        let limit = self.source_at(insn, 1, 64)?;
        if let (Source::Constant(value), Source::Constant(limit)) = (value, limit)
            && (value as u64) < limit as u64
        {
            return Ok(());
        }
        let kind = self.constant_at(insn, 2)?;
        let value = self.in_var(value)?;
        let reported = match FaultKind::from_number(kind).has_value() {
            true => self.input_at(insn, 3, 64)?,
            false => value,
        };
        match limit {
            Source::Constant(limit) if i32::try_from(limit).is_ok() => {
                let slots = [value.0, limit as u32, kind as u32, reported.0];
                self.push(Op::EnsureI, &slots)
            }
            limit => {
                let limit = self.in_var(limit)?;
                self.push(Op::Ensure, &[value.0, limit.0, kind as u32, reported.0])
            }
        }
    }

    /// Lowers a `reach`: where the next instruction is the access, to nothing, as that checks the
    /// address by itself.
    pub(super) fn reach(&mut self, insn: InsnId) -> Result<(), DecodeError> {
        let Operand::Mem(mem) = self.operand(insn, 1)? else {
            return Err(DecodeError::Invalid);
        };
        let base = self.region_base(insn)?;
        let limit = self.source_at(insn, 3, 64)?;
        let access =
            u32::try_from(self.constant_at(insn, 4)?).map_err(|_| DecodeError::TooLarge)?;
        let windows = self.constant_at(insn, 5)?;
        if let (Source::Constant(base), Source::Constant(limit), 0) = (base, limit, windows)
            && let Ok(limit) = u32::try_from(limit)
        {
            return self.reach_memory(insn, mem, Region { base, limit });
        }
        let address = self.address_of(mem)?;
        let (base, limit) = (self.in_var(base)?, self.in_var(limit)?);
        let target = self.target_of(insn)?;
        if windows == 0 {
            return self.compute(
                target,
                Op::Reach,
                &[address.0, base.0, limit.0],
                Extensions::empty(),
            );
        }
        let [w0, w1] = wide(windows as i64);
        let inputs = [address.0, base.0, limit.0, access, w0, w1];
        self.compute(target, Op::ReachWindow, &inputs, Extensions::empty())
    }

    /// Returns the address of the program's memory that a `reach` names: a constant, or a variable
    /// that the function's first instruction sets to one and nothing else writes.
    fn region_base(&mut self, insn: InsnId) -> Result<Source, DecodeError> {
        match (self.operand(insn, 2)?, self.base) {
            (Operand::Reg(reg), Some((base, address))) if reg == base => {
                Ok(Source::Constant(address))
            }
            _ => self.source_at(insn, 2, 64),
        }
    }

    /// Lowers a `reach` in a region.
    fn reach_memory(&mut self, insn: InsnId, mem: Mem, region: Region) -> Result<(), DecodeError> {
        if mem.base.is_none() && mem.index.is_none() {
            let offset = mem.disp.wrapping_sub(LOWEST_ADDRESS);
            if (offset as u64) < u64::from(region.limit) {
                let output = self.operand(insn, 0)?;
                let host = region.base.wrapping_add(offset);
                return self.move_to(output, Source::Constant(host));
            }
        }
        if let Operand::Reg(place) = self.operand(insn, 0)?
            && self.accesses_next(insn, place)
        {
            self.reached = Some(Reached {
                place,
                insn,
                mem,
                region,
            });
            return Ok(());
        }
        let address = self.address_of(mem)?;
        let target = self.target_of(insn)?;
        let [b0, b1] = wide(region.base);
        self.compute(
            target,
            Op::ReachI,
            &[address.0, b0, b1, region.limit],
            Extensions::empty(),
        )
    }

    /// True if the next instruction reads a register once, as the base of a memory operand that
    /// has neither index nor displacement, for a type that checked operations exist for. If it
    /// writes there, it may not fault for another reason before it does.
    fn accesses_next(&self, insn: InsnId, place: Reg) -> bool {
        let Some(next) = self.module.next(insn) else {
            return false;
        };
        let code = self.module.code(next);
        if code.is_atomic() {
            return false;
        }
        let only_moves = matches!(code, Code::Mov | Code::Fmov | Code::Dmov);
        let mut is_accessed = false;
        for (number, operand) in self.module.operands(next).enumerate() {
            match operand {
                Operand::Reg(reg) if reg == place => return false,
                Operand::Mem(mem) if mem.index == Some(place) => return false,
                Operand::Mem(mem) if mem.base == Some(place) => {
                    let is_plain = mem.index.is_none()
                        && mem.disp == 0
                        && (only_moves || !code.mode(number).is_output());
                    if is_accessed || !is_plain || mem.ty.is_block() || mem.ty == Type::Ld {
                        return false;
                    }
                    is_accessed = true;
                }
                _ => {}
            }
        }
        is_accessed
    }

    /// Returns an operand that must be a constant.
    fn constant_at(&self, insn: InsnId, index: usize) -> Result<u64, DecodeError> {
        match self.operand(insn, index)? {
            Operand::Int(value) => Ok(value as u64),
            Operand::Uint(value) => Ok(value),
            _ => Err(DecodeError::Invalid),
        }
    }
}
