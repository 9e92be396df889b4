//! Selection for atomic instructions: the extension A, and plain loads and stores between fences,
//! as table A.6 of the manual's explanation of its memory model has them.

use super::Selector;
use crate::insns::Op;
use mir_nostd::codegen::Error;
use mir_nostd::ir::Order;
use mir_nostd::machine::{Generic, LowType, Operand};
use mir_nostd::target::Materialise;

/// Sets of accesses of a fence.
const LOADS: i32 = 2;
const STORES: i32 = 1;
const ALL: i32 = LOADS | STORES;

impl Selector<'_, '_, '_> {
    pub(super) fn atomic(&mut self) -> Result<(), Error> {
        use Generic as G;
        let to = self.operand(0);
        match self.generic {
            G::AtomicLoad => self.atomic_load(to),
            G::AtomicStore => self.atomic_store(to),
            G::AtomicCmpxchg if self.ty.bits() < 32 => self.masked_compare_exchange(to),
            G::AtomicCmpxchg => self.compare_exchange(to),
            G::Fence => match self.order(0)? {
                Order::Acquire => self.fence(LOADS, ALL),
                Order::Release => self.fence(ALL, STORES),
                Order::AcqRel => self.emit(Op::FENCE_TSO, &[]),
                _ => self.fence(ALL, ALL),
            },
            _ => self.modify(to),
        }
    }

    fn fence(&mut self, before: i32, after: i32) -> Result<(), Error> {
        self.emit(Op::FENCE, &[Operand::imm(before), Operand::imm(after)])
    }

    fn atomic_load(&mut self, to: Operand) -> Result<(), Error> {
        let (place, order) = (self.operand(1), self.order(2)?);
        if order == Order::SeqCst {
            self.fence(ALL, ALL)?;
        }
        let op = match self.ty {
            LowType::S8 => Op::LBU,
            LowType::S16 => Op::LHU,
            LowType::S32 => Op::LW,
            _ => Op::LD,
        };
        self.emit(op, &[to, place, Operand::imm(0)])?;
        if order.acquires() {
            self.fence(LOADS, ALL)?;
        }
        Ok(())
    }

    fn atomic_store(&mut self, value: Operand) -> Result<(), Error> {
        let value = self.register(value)?;
        let place = self.operand(1);
        if self.order(2)?.releases() {
            self.fence(ALL, STORES)?;
        }
        let op = match self.ty {
            LowType::S8 => Op::SB,
            LowType::S16 => Op::SH,
            LowType::S32 => Op::SW,
            _ => Op::SD,
        };
        self.emit(op, &[value, place, Operand::imm(0)])
    }

    /// Emits one instruction that updates memory.
    fn modify(&mut self, to: Operand) -> Result<(), Error> {
        let Some(ops) = updates(self.generic) else {
            return self.unknown();
        };
        let [place, a] = [self.operand(1), self.operand(2)];
        let a = self.register(a)?;
        let [word, whole] = self.order(3)?.choose(ops);
        let op = match self.ty {
            LowType::S64 => whole,
            _ => word,
        };
        self.emit(op, &[to, a, place])
    }

    fn compare_exchange(&mut self, to: Operand) -> Result<(), Error> {
        let [place, expected, new] = [1, 2, 3].map(|number| self.operand(number));
        let (mut expected, new) = (self.register(expected)?, self.register(new)?);
        let mut op = Op::PseudoCmpXchg64;
        if self.ty == LowType::S32 {
            // The loaded value is sign-extended.
            expected = self.new_with_immediate(Op::ADDIW, expected, 0)?;
            op = Op::PseudoCmpXchg32;
        }
        let order = self.operand(4);
        let (old, scratch) = (self.new_int()?, self.new_int()?);
        self.emit(op, &[old, scratch, place, expected, new, order])?;
        self.out.copy(to, old)?;
        Ok(())
    }

    /// Emits a compare-exchange of a part of a word.
    fn masked_compare_exchange(&mut self, to: Operand) -> Result<(), Error> {
        let [place, expected, new] = [1, 2, 3].map(|number| self.operand(number));
        let (expected, new) = (self.register(expected)?, self.register(new)?);
        let word = self.new_with_immediate(Op::ANDI, place, -4)?;
        // Shifts of words take their counts modulo 32: this is 8 times the place in the word.
        let shift = self.new_with_immediate(Op::SLLI, place, 3)?;
        let ones = self.new_int()?;
        self.constant(ones, (1 << self.ty.bits()) - 1)?;
        let mask = self.new_with(Op::SLLW, ones, shift)?;
        let [expected, new] = [
            self.shifted(expected, shift, mask)?,
            self.shifted(new, shift, mask)?,
        ];
        let order = self.operand(4);
        let (old, scratch) = (self.new_int()?, self.new_int()?);
        let op = Op::PseudoMaskedCmpXchg32;
        self.emit(op, &[old, scratch, word, expected, new, mask, order])?;
        self.emit(Op::SRLW, &[to, old, shift])
    }

    /// Returns the value at its place in the word, the other bits 0.
    fn shifted(&mut self, value: Operand, shift: Operand, mask: Operand) -> Result<Operand, Error> {
        let moved = self.new_with(Op::SLLW, value, shift)?;
        self.new_with(Op::AND, moved, mask)
    }
}

/// Returns the instructions that do what a generic one does, for 32 and 64 bits: those that order
/// nothing, acquire, release, and do both.
const fn updates(generic: Generic) -> Option<[[Op; 2]; 4]> {
    Some(match generic {
        Generic::AtomicXchg => [
            [Op::AMOSWAP_W, Op::AMOSWAP_D],
            [Op::AMOSWAP_W_AQ, Op::AMOSWAP_D_AQ],
            [Op::AMOSWAP_W_RL, Op::AMOSWAP_D_RL],
            [Op::AMOSWAP_W_AQRL, Op::AMOSWAP_D_AQRL],
        ],
        Generic::AtomicAdd => [
            [Op::AMOADD_W, Op::AMOADD_D],
            [Op::AMOADD_W_AQ, Op::AMOADD_D_AQ],
            [Op::AMOADD_W_RL, Op::AMOADD_D_RL],
            [Op::AMOADD_W_AQRL, Op::AMOADD_D_AQRL],
        ],
        Generic::AtomicAnd => [
            [Op::AMOAND_W, Op::AMOAND_D],
            [Op::AMOAND_W_AQ, Op::AMOAND_D_AQ],
            [Op::AMOAND_W_RL, Op::AMOAND_D_RL],
            [Op::AMOAND_W_AQRL, Op::AMOAND_D_AQRL],
        ],
        Generic::AtomicOr => [
            [Op::AMOOR_W, Op::AMOOR_D],
            [Op::AMOOR_W_AQ, Op::AMOOR_D_AQ],
            [Op::AMOOR_W_RL, Op::AMOOR_D_RL],
            [Op::AMOOR_W_AQRL, Op::AMOOR_D_AQRL],
        ],
        Generic::AtomicXor => [
            [Op::AMOXOR_W, Op::AMOXOR_D],
            [Op::AMOXOR_W_AQ, Op::AMOXOR_D_AQ],
            [Op::AMOXOR_W_RL, Op::AMOXOR_D_RL],
            [Op::AMOXOR_W_AQRL, Op::AMOXOR_D_AQRL],
        ],
        Generic::AtomicMin => [
            [Op::AMOMIN_W, Op::AMOMIN_D],
            [Op::AMOMIN_W_AQ, Op::AMOMIN_D_AQ],
            [Op::AMOMIN_W_RL, Op::AMOMIN_D_RL],
            [Op::AMOMIN_W_AQRL, Op::AMOMIN_D_AQRL],
        ],
        Generic::AtomicMax => [
            [Op::AMOMAX_W, Op::AMOMAX_D],
            [Op::AMOMAX_W_AQ, Op::AMOMAX_D_AQ],
            [Op::AMOMAX_W_RL, Op::AMOMAX_D_RL],
            [Op::AMOMAX_W_AQRL, Op::AMOMAX_D_AQRL],
        ],
        Generic::AtomicUmin => [
            [Op::AMOMINU_W, Op::AMOMINU_D],
            [Op::AMOMINU_W_AQ, Op::AMOMINU_D_AQ],
            [Op::AMOMINU_W_RL, Op::AMOMINU_D_RL],
            [Op::AMOMINU_W_AQRL, Op::AMOMINU_D_AQRL],
        ],
        Generic::AtomicUmax => [
            [Op::AMOMAXU_W, Op::AMOMAXU_D],
            [Op::AMOMAXU_W_AQ, Op::AMOMAXU_D_AQ],
            [Op::AMOMAXU_W_RL, Op::AMOMAXU_D_RL],
            [Op::AMOMAXU_W_AQRL, Op::AMOMAXU_D_AQRL],
        ],
        _ => return None,
    })
}
