//! Selection for atomic instructions.
//!
//! Loads are in order with loads and stores with stores, and what updates memory is in order with
//! everything. So only a store of the strongest order is serialised, before later loads.

use super::Selector;
use super::memory::at;
use crate::insns::Op;
use mir_nostd::codegen::Error;
use mir_nostd::ir::Order;
use mir_nostd::machine::{Generic, LowType, Operand};
use mir_nostd::target::Materialise;

impl Selector<'_, '_, '_> {
    pub(super) fn atomic(&mut self) -> Result<(), Error> {
        use Generic as G;
        let [to, place] = [self.operand(0), self.operand(1)];
        match self.generic {
            G::AtomicLoad => {
                let op = match self.ty {
                    LowType::S8 => Op::LLGC,
                    LowType::S16 => Op::LLGH,
                    LowType::S32 => Op::LLGF,
                    _ => Op::LG,
                };
                self.emit_load(op, to, at(place, 0))?;
                // Not even a load for itself may be done later.
                self.emit(Op::MEMBARRIER, &[])
            }
            G::AtomicStore => self.atomic_store(to, place),
            G::AtomicCmpxchg if self.ty.bits() < 32 => self.masked_compare_exchange(to, place),
            G::AtomicCmpxchg => self.compare_exchange(to, place),
            G::AtomicAdd => self.modify([Op::LAAG, Op::LAA]),
            G::AtomicAnd => self.modify([Op::LANG, Op::LAN]),
            G::AtomicOr => self.modify([Op::LAOG, Op::LAO]),
            G::AtomicXor => self.modify([Op::LAXG, Op::LAX]),
            G::Fence if self.order(0)? == Order::SeqCst => self.emit(Op::Serialize, &[]),
            G::Fence => self.emit(Op::MEMBARRIER, &[]),
            _ => self.unknown(),
        }
    }

    fn atomic_store(&mut self, value: Operand, place: Operand) -> Result<(), Error> {
        let value = self.register(value)?;
        let op = match self.ty {
            LowType::S8 => Op::STC,
            LowType::S16 => Op::STH,
            LowType::S32 => Op::ST,
            _ => Op::STG,
        };
        self.emit_store(op, value, at(place, 0))?;
        match self.order(2)? {
            Order::SeqCst => self.emit(Op::Serialize, &[]),
            _ => Ok(()),
        }
    }

    /// Emits an instruction that does it all.
    fn modify(&mut self, [wide, narrow]: [Op; 2]) -> Result<(), Error> {
        let [to, place, a] = [self.operand(0), self.operand(1), self.operand(2)];
        let a = self.register(a)?;
        let op = if self.ty == LowType::S64 {
            wide
        } else {
            narrow
        };
        self.emit(op, &[to, a, place, Operand::imm(0)])
    }

    fn compare_exchange(&mut self, to: Operand, place: Operand) -> Result<(), Error> {
        let [expected, new] = [self.operand(2), self.operand(3)];
        let (expected, new) = (self.register(expected)?, self.register(new)?);
        let op = if self.ty == LowType::S64 {
            Op::CSG
        } else {
            Op::CSY
        };
        let old = self.new_int()?;
        self.emit(op, &[old, expected, new, place, Operand::imm(0)])?;
        self.copy(to, old)
    }

    /// Emits a compare-exchange of a part of a word.
    fn masked_compare_exchange(&mut self, to: Operand, place: Operand) -> Result<(), Error> {
        let [expected, new] = [self.operand(2), self.operand(3)];
        let (expected, new) = (self.register(expected)?, self.register(new)?);
        let (none, bits) = (Operand::NO_REG, self.ty.bits() as i32);
        let word = self.new_int()?;
        self.copy(word, place)?;
        let aligned = self.new_int()?;
        self.emit(Op::NILL64, &[aligned, word, Operand::imm(0xFFFC)])?;
        // The first byte is the highest one; rotations take their counts modulo 32.
        let (place_bits, shift) = (self.new_int()?, self.new_int()?);
        self.emit(Op::SLLG, &[place_bits, place, none, Operand::imm(3)])?;
        let zero = self.new_int()?;
        self.constant(zero, i64::from(32 - bits))?;
        self.emit(Op::SGRK, &[shift, zero, place_bits])?;
        let (ones, mask) = (self.new_int()?, self.new_int()?);
        self.constant(ones, (1 << bits) - 1)?;
        let count = Operand::imm(0);
        self.emit(Op::RLL, &[mask, ones, shift, count])?;
        let mut shifted = [expected, new];
        for value in &mut shifted {
            let (moved, kept) = (self.new_int()?, self.new_int()?);
            self.emit(Op::RLL, &[moved, *value, shift, count])?;
            self.emit(Op::NRK, &[kept, moved, mask])?;
            *value = kept;
        }
        let [expected, new] = shifted;
        let (old, scratch) = (self.new_int()?, self.new_int()?);
        let operands = [old, scratch, aligned, expected, new, mask];
        self.emit(Op::ATOMIC_CMP_SWAPW, &operands)?;
        // Back by the same distance.
        let back = self.new_int()?;
        self.emit(Op::LCGR, &[back, shift])?;
        self.emit(Op::RLL, &[to, old, back, count])
    }
}
