//! Selection for atomic instructions: load-acquire and store-release, which are in one order among
//! each other, and a loop of their exclusive forms.

use super::Selector;
use crate::insns::Op;
use mir_nostd::codegen::Error;
use mir_nostd::ir::Order;
use mir_nostd::machine::{Generic, LowType, Operand};
use mir_nostd::target::Materialise;

/// The option of a barrier for all accesses, in the inner shareable domain.
const ISH: Operand = Operand::imm(0xB);
/// The option of a barrier for earlier loads.
const ISHLD: Operand = Operand::imm(0x9);

impl Selector<'_, '_, '_> {
    pub(super) fn atomic(&mut self) -> Result<(), Error> {
        use Generic as G;
        let [to, place, a] = [self.operand(0), self.operand(1), self.operand(2)];
        match self.generic {
            G::AtomicLoad if self.order(2)? == Order::Relaxed => {
                let op = self.by_size([Op::LDRBBui, Op::LDRHHui, Op::LDRWui, Op::LDRXui]);
                self.emit(op, &[to, place, Operand::imm(0)])?;
                self.emit(Op::MEMBARRIER, &[])
            }
            G::AtomicLoad => {
                let op = self.by_size([Op::LDARB, Op::LDARH, Op::LDARW, Op::LDARX]);
                self.emit(op, &[to, place])
            }
            G::AtomicStore => {
                let value = self.register(to)?;
                if self.order(2)? == Order::Relaxed {
                    let op = self.by_size([Op::STRBBui, Op::STRHHui, Op::STRWui, Op::STRXui]);
                    return self.emit(op, &[value, place, Operand::imm(0)]);
                }
                let op = self.by_size([Op::STLRB, Op::STLRH, Op::STLRW, Op::STLRX]);
                self.emit(op, &[value, place])
            }
            G::AtomicCmpxchg => self.compare_exchange(to, place, a),
            G::Fence if self.order(0)? == Order::Acquire => self.emit(Op::DMB, &[ISHLD]),
            G::Fence => self.emit(Op::DMB, &[ISH]),
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

    fn compare_exchange(
        &mut self,
        to: Operand,
        place: Operand,
        expected: Operand,
    ) -> Result<(), Error> {
        let new = self.operand(3);
        let (mut expected, new) = (self.register(expected)?, self.register(new)?);
        if matches!(self.ty, LowType::S8 | LowType::S16) {
            // The loaded value is zero-extended.
            let extended = self.new_int()?;
            let last = Operand::imm(self.ty.bits() as i32 - 1);
            self.emit(Op::UBFMXri, &[extended, expected, Operand::imm(0), last])?;
            expected = extended;
        }
        let (old, scratch) = (self.new_int()?, self.new_int()?);
        let ops = [
            Op::CMP_SWAP_8,
            Op::CMP_SWAP_16,
            Op::CMP_SWAP_32,
            Op::CMP_SWAP_64,
        ];
        let op = self.by_size(ops);
        self.emit(op, &[old, scratch, place, expected, new])?;
        self.copy(to, old)
    }
}
