//! Selection for atomic instructions.
//!
//! Loads are in order with loads and stores with stores, so only what reorders a store with a later
//! load needs more than a plain access: a store of the strongest order is an exchange.

use super::Selector;
use super::memory::{Address, at};
use crate::insns::Op;
use crate::registers::RAX;
use mir_nostd::codegen::Error;
use mir_nostd::ir::Order;
use mir_nostd::machine::{Generic, LowType, Operand};
use mir_nostd::target::Materialise;

impl Selector<'_, '_, '_> {
    pub(super) fn atomic(&mut self) -> Result<(), Error> {
        use Generic as G;
        let [to, place, a] = [self.operand(0), self.operand(1), self.operand(2)];
        match self.generic {
            G::AtomicLoad => {
                self.emit_load(self.load_op(to), to, at(place))?;
                // Not even a load for itself may be done later.
                self.emit(Op::MEMBARRIER, &[])
            }
            G::AtomicStore => self.atomic_store(to, at(place)),
            G::AtomicXchg => self.exchange(to, a, at(place)),
            G::AtomicAdd => {
                let op = self.by_size([Op::LXADD8, Op::LXADD16, Op::LXADD32, Op::LXADD64]);
                self.exchange_by(op, to, a, at(place))
            }
            G::AtomicCmpxchg => self.compare_exchange(to, at(place)),
            G::Fence if self.order(0)? == Order::SeqCst => self.emit(Op::MFENCE, &[]),
            G::Fence => self.emit(Op::MEMBARRIER, &[]),
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

    fn atomic_store(&mut self, value: Operand, address: Address) -> Result<(), Error> {
        let value = self.register(value)?;
        if self.order(2)? == Order::SeqCst {
            let old = self.new_int()?;
            return self.exchange(old, value, address);
        }
        let op = self.by_size([Op::MOV8mr, Op::MOV16mr, Op::MOV32mr, Op::MOV64mr]);
        self.emit_store(op, address, value)
    }

    fn exchange(&mut self, to: Operand, new: Operand, address: Address) -> Result<(), Error> {
        let op = self.by_size([Op::XCHG8rm, Op::XCHG16rm, Op::XCHG32rm, Op::XCHG64rm]);
        self.exchange_by(op, to, new, address)
    }

    /// Emits an instruction that exchanges a register with memory.
    fn exchange_by(
        &mut self,
        op: Op,
        to: Operand,
        a: Operand,
        [base, scale, index, displacement, segment]: Address,
    ) -> Result<(), Error> {
        let a = self.register(a)?;
        // The exchanged value is in a new register, as the address may be in the old one.
        let old = self.new_int()?;
        let operands = [old, a, base, scale, index, displacement, segment];
        self.emit(op, &operands)?;
        self.copy(to, old)
    }

    fn compare_exchange(&mut self, to: Operand, address: Address) -> Result<(), Error> {
        let new = self.operand(3);
        let new = self.register(new)?;
        let expected = self.operand(2);
        self.put(RAX, expected)?;
        let op = self.by_size([
            Op::LCMPXCHG8,
            Op::LCMPXCHG16,
            Op::LCMPXCHG32,
            Op::LCMPXCHG64,
        ]);
        self.emit_store(op, address, new)?;
        self.copy(to, Operand::reg(RAX))
    }
}
