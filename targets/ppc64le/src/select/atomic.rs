//! Selection for atomic instructions: plain loads and stores, and loops of load and reserve and
//! store conditional, between barriers. What releases has one before it, what acquires one after
//! it.

use super::Selector;
use crate::insns::Op;
use crate::registers::ZERO8;
use mir_nostd::codegen::Error;
use mir_nostd::ir::Order;
use mir_nostd::machine::{Generic, LowType, Operand};
use mir_nostd::target::Materialise;

/// The kinds of barriers: of everything, and of everything but stores with later loads.
const HEAVY: i32 = 0;
const LIGHT: i32 = 1;

impl Selector<'_, '_, '_> {
    pub(super) fn atomic(&mut self) -> Result<(), Error> {
        use Generic as G;
        let [to, place] = [self.operand(0), self.operand(1)];
        let zero = Operand::reg(ZERO8);
        match self.generic {
            G::AtomicLoad => {
                let order = self.order(2)?;
                // Only the strongest order is one with earlier stores.
                if order == Order::SeqCst {
                    self.barrier(HEAVY)?;
                }
                let op = self.by_size([Op::LBZX8, Op::LHZX8, Op::LWZX8, Op::LDX]);
                self.emit(op, &[to, zero, place])?;
                self.after(order)
            }
            G::AtomicStore => {
                let value = self.register(to)?;
                self.before(self.order(2)?)?;
                let op = self.by_size([Op::STBX8, Op::STHX8, Op::STWX8, Op::STDX]);
                self.emit(op, &[value, zero, place])
            }
            G::AtomicCmpxchg => self.compare_exchange(to, place),
            G::Fence if self.order(0)? == Order::SeqCst => self.barrier(HEAVY),
            G::Fence => self.barrier(LIGHT),
            _ => self.unknown(),
        }
    }

    fn by_size(&self, [byte, half, word, whole]: [Op; 4]) -> Op {
        match self.ty {
            LowType::S8 => byte,
            LowType::S16 => half,
            LowType::S32 => word,
            _ => whole,
        }
    }

    fn barrier(&mut self, kind: i32) -> Result<(), Error> {
        self.emit(Op::SYNC, &[Operand::imm(kind)])
    }

    fn before(&mut self, order: Order) -> Result<(), Error> {
        match order {
            Order::SeqCst => self.barrier(HEAVY),
            _ if order.releases() => self.barrier(LIGHT),
            _ => Ok(()),
        }
    }

    fn after(&mut self, order: Order) -> Result<(), Error> {
        match order.acquires() {
            true => self.barrier(LIGHT),
            false => self.emit(Op::MEMBARRIER, &[]),
        }
    }

    fn compare_exchange(&mut self, to: Operand, place: Operand) -> Result<(), Error> {
        let [expected, new] = [self.operand(2), self.operand(3)];
        let (mut expected, new) = (self.register(expected)?, self.register(new)?);
        if matches!(self.ty, LowType::S8 | LowType::S16) {
            // The loaded value is zero-extended.
            let extended = self.new_int()?;
            let first = Operand::imm(64 - self.ty.bits() as i32);
            self.emit(Op::RLDICL, &[extended, expected, Operand::imm(0), first])?;
            expected = extended;
        }
        let order = self.order(4)?;
        self.before(order)?;
        let old = self.new_int()?;
        let op = self.by_size([
            Op::ATOMIC_CMP_SWAP_I8,
            Op::ATOMIC_CMP_SWAP_I16,
            Op::ATOMIC_CMP_SWAP_I32,
            Op::ATOMIC_CMP_SWAP_I64,
        ]);
        self.emit(op, &[old, place, expected, new])?;
        self.after(order)?;
        self.copy(to, old)
    }
}
