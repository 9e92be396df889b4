//! Selection for atomic instructions: load-acquire and store-release, which are in one order among
//! each other, and what updates memory: one instruction where the machine has the Large System
//! Extensions, else a loop of their exclusive forms.

use super::{NOT_SHIFTED, Selector, ZERO};
use crate::insns::Op;
use mir_nostd::codegen::Error;
use mir_nostd::ir::Order;
use mir_nostd::machine::{Generic, LowType, Operand};
use mir_nostd::target::Materialise;

/// The option of a barrier for all accesses, in the inner shareable domain.
const ISH: Operand = Operand::imm(0xB);
/// The option of a barrier for earlier loads.
const ISHLD: Operand = Operand::imm(0x9);

/// The instructions of an operation for 8, 16, 32 and 64 bits: those that order nothing, acquire,
/// release, and do both.
type Orders = [[Op; 4]; 4];

/// Those that compare and swap.
const SWAPS: Orders = [
    [Op::CASB, Op::CASH, Op::CASW, Op::CASX],
    [Op::CASAB, Op::CASAH, Op::CASAW, Op::CASAX],
    [Op::CASLB, Op::CASLH, Op::CASLW, Op::CASLX],
    [Op::CASALB, Op::CASALH, Op::CASALW, Op::CASALX],
];

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
            _ => self.update(to, place, a),
        }
    }

    /// Emits one instruction that updates memory.
    fn update(&mut self, to: Operand, place: Operand, a: Operand) -> Result<(), Error> {
        let Some(ops) = updates(self.generic) else {
            return self.unknown();
        };
        let mut a = self.register(a)?;
        if self.generic == Generic::AtomicAnd {
            // The instruction clears the bits that are set.
            a = self.new_with_inverse(a)?;
        }
        let op = self.by_size(self.order(3)?.choose(ops));
        self.emit(op, &[to, a, place])
    }

    fn new_with_inverse(&mut self, a: Operand) -> Result<Operand, Error> {
        let inverse = self.new_int()?;
        self.emit(Op::ORNXrs, &[inverse, ZERO, a, NOT_SHIFTED])?;
        Ok(inverse)
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
        if self.has_lse {
            let op = self.by_size(self.order(4)?.choose(SWAPS));
            let old = self.new_int()?;
            self.emit(op, &[old, expected, new, place])?;
            return self.copy(to, old);
        }
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
        let (op, order) = (self.by_size(ops), self.operand(4));
        self.emit(op, &[old, scratch, place, expected, new, order])?;
        self.copy(to, old)
    }
}

/// Returns the instructions that do what a generic one does, by order and size.
const fn updates(generic: Generic) -> Option<Orders> {
    Some(match generic {
        Generic::AtomicXchg => [
            [Op::SWPB, Op::SWPH, Op::SWPW, Op::SWPX],
            [Op::SWPAB, Op::SWPAH, Op::SWPAW, Op::SWPAX],
            [Op::SWPLB, Op::SWPLH, Op::SWPLW, Op::SWPLX],
            [Op::SWPALB, Op::SWPALH, Op::SWPALW, Op::SWPALX],
        ],
        Generic::AtomicAdd => [
            [Op::LDADDB, Op::LDADDH, Op::LDADDW, Op::LDADDX],
            [Op::LDADDAB, Op::LDADDAH, Op::LDADDAW, Op::LDADDAX],
            [Op::LDADDLB, Op::LDADDLH, Op::LDADDLW, Op::LDADDLX],
            [Op::LDADDALB, Op::LDADDALH, Op::LDADDALW, Op::LDADDALX],
        ],
        Generic::AtomicAnd => [
            [Op::LDCLRB, Op::LDCLRH, Op::LDCLRW, Op::LDCLRX],
            [Op::LDCLRAB, Op::LDCLRAH, Op::LDCLRAW, Op::LDCLRAX],
            [Op::LDCLRLB, Op::LDCLRLH, Op::LDCLRLW, Op::LDCLRLX],
            [Op::LDCLRALB, Op::LDCLRALH, Op::LDCLRALW, Op::LDCLRALX],
        ],
        Generic::AtomicOr => [
            [Op::LDSETB, Op::LDSETH, Op::LDSETW, Op::LDSETX],
            [Op::LDSETAB, Op::LDSETAH, Op::LDSETAW, Op::LDSETAX],
            [Op::LDSETLB, Op::LDSETLH, Op::LDSETLW, Op::LDSETLX],
            [Op::LDSETALB, Op::LDSETALH, Op::LDSETALW, Op::LDSETALX],
        ],
        Generic::AtomicXor => [
            [Op::LDEORB, Op::LDEORH, Op::LDEORW, Op::LDEORX],
            [Op::LDEORAB, Op::LDEORAH, Op::LDEORAW, Op::LDEORAX],
            [Op::LDEORLB, Op::LDEORLH, Op::LDEORLW, Op::LDEORLX],
            [Op::LDEORALB, Op::LDEORALH, Op::LDEORALW, Op::LDEORALX],
        ],
        Generic::AtomicMin => [
            [Op::LDSMINB, Op::LDSMINH, Op::LDSMINW, Op::LDSMINX],
            [Op::LDSMINAB, Op::LDSMINAH, Op::LDSMINAW, Op::LDSMINAX],
            [Op::LDSMINLB, Op::LDSMINLH, Op::LDSMINLW, Op::LDSMINLX],
            [Op::LDSMINALB, Op::LDSMINALH, Op::LDSMINALW, Op::LDSMINALX],
        ],
        Generic::AtomicMax => [
            [Op::LDSMAXB, Op::LDSMAXH, Op::LDSMAXW, Op::LDSMAXX],
            [Op::LDSMAXAB, Op::LDSMAXAH, Op::LDSMAXAW, Op::LDSMAXAX],
            [Op::LDSMAXLB, Op::LDSMAXLH, Op::LDSMAXLW, Op::LDSMAXLX],
            [Op::LDSMAXALB, Op::LDSMAXALH, Op::LDSMAXALW, Op::LDSMAXALX],
        ],
        Generic::AtomicUmin => [
            [Op::LDUMINB, Op::LDUMINH, Op::LDUMINW, Op::LDUMINX],
            [Op::LDUMINAB, Op::LDUMINAH, Op::LDUMINAW, Op::LDUMINAX],
            [Op::LDUMINLB, Op::LDUMINLH, Op::LDUMINLW, Op::LDUMINLX],
            [Op::LDUMINALB, Op::LDUMINALH, Op::LDUMINALW, Op::LDUMINALX],
        ],
        Generic::AtomicUmax => [
            [Op::LDUMAXB, Op::LDUMAXH, Op::LDUMAXW, Op::LDUMAXX],
            [Op::LDUMAXAB, Op::LDUMAXAH, Op::LDUMAXAW, Op::LDUMAXAX],
            [Op::LDUMAXLB, Op::LDUMAXLH, Op::LDUMAXLW, Op::LDUMAXLX],
            [Op::LDUMAXALB, Op::LDUMAXALH, Op::LDUMAXALW, Op::LDUMAXALX],
        ],
        _ => return None,
    })
}
