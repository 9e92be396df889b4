//! Atomic instructions.
//!
//! An operation without instruction becomes a loop around a compare-exchange, which all
//! targets have: for each size one instruction until the registers are known, so that nothing comes
//! between a load and the store that depends on it.

use super::Translator;
use super::values::def;
use crate::ir::{Class, Code, FaultKind, InsnId, Mode, Operand as IrOperand, Order, Type};
use crate::machine::{Generic, IntPredicate, LowType, Operand};
use crate::target::error::Error;

/// A place in memory that an atomic instruction accesses.
#[derive(Clone, Copy)]
struct Place {
    address: Operand,
    ty: Type,
    low: LowType,
    order: Operand,
}

impl Translator<'_, '_, '_, '_> {
    pub(super) fn fence(&mut self, insn: InsnId) -> Result<(), Error> {
        let order = self.order(insn, 0)?;
        self.emit(Generic::Fence, LowType::S64, &[number(order)])
    }

    pub(super) fn atomic(&mut self, insn: InsnId, code: Code) -> Result<(), Error> {
        let count = code.modes().len();
        let mut order = self.order(insn, count - 1)?;
        if code == Code::AtomicCmpxchg {
            order = order.and(self.order(insn, count - 2)?);
        }
        let at = usize::from(code.mode(0) == Mode::OutI);
        let place = self.atomic_place(insn, at, order)?;
        if code == Code::AtomicStore {
            let value = self.register_at(insn, 1)?;
            let operands = [value, place.address, place.order];
            return self.emit(Generic::AtomicStore, place.low, &operands);
        }
        self.with_output(insn, Class::Int, |this, to| {
            let old = this.modify(insn, code, place)?;
            this.extend_into(to, place.ty, old)
        })
    }

    fn order(&self, insn: InsnId, index: usize) -> Result<Order, Error> {
        let order = match self.operand(insn, index)? {
            IrOperand::Int(order) => Order::from_number(order.cast_unsigned()),
            IrOperand::Uint(order) => Order::from_number(order),
            _ => None,
        };
        order.ok_or(self.internal())
    }

    /// Returns an operand of an instruction in a register.
    fn register_at(&mut self, insn: InsnId, index: usize) -> Result<Operand, Error> {
        let operand = self.operand(insn, index)?;
        self.int_register(operand)
    }

    /// Computes the address of an operand, and tests that it is a multiple of the size.
    fn atomic_place(&mut self, insn: InsnId, index: usize, order: Order) -> Result<Place, Error> {
        let IrOperand::Mem(mem) = self.operand(insn, index)? else {
            return Err(self.internal());
        };
        let address = self.address(&mem)?;
        let address = self.sum_of(address)?;
        let bytes = mem.ty.size();
        if bytes > 1 {
            let low = self.temp()?;
            let mask = Operand::imm(bytes as i32 - 1);
            self.emit(Generic::And, LowType::S64, &[def(low), address, mask])?;
            let fault = self.fault_block(FaultKind::Unaligned)?;
            let zero = Operand::imm(0);
            self.branch_if(IntPredicate::Ne, LowType::S64, low, zero, fault)?;
        }
        let low = match bytes {
            1 => LowType::S8,
            2 => LowType::S16,
            4 => LowType::S32,
            _ => LowType::S64,
        };
        Ok(Place {
            address,
            ty: mem.ty,
            low,
            order: number(order),
        })
    }

    /// Returns an address in one register.
    fn sum_of(&mut self, [base, index, scale, disp]: [Operand; 4]) -> Result<Operand, Error> {
        let mut sum = match base.as_frame() {
            Some(frame) => self.frame_address(frame, 0)?,
            None => base,
        };
        if index != Operand::NO_REG {
            let mut scaled = index;
            if scale.small() != Some(1) {
                scaled = self.temp()?;
                self.emit(Generic::Mul, LowType::S64, &[def(scaled), index, scale])?;
            }
            sum = self.plus(sum, scaled)?;
        }
        if disp.small() != Some(0) {
            sum = self.plus(sum, disp)?;
        }
        self.in_register(sum)
    }

    /// Returns a sum; the first may be no register.
    fn plus(&mut self, a: Operand, b: Operand) -> Result<Operand, Error> {
        if a == Operand::NO_REG {
            return Ok(b);
        }
        let sum = self.temp()?;
        self.emit(Generic::Add, LowType::S64, &[def(sum), a, b])?;
        Ok(sum)
    }

    /// Emits an access that returns what was in memory: the low bits of a register.
    fn modify(&mut self, insn: InsnId, code: Code, place: Place) -> Result<Operand, Error> {
        let old = self.temp()?;
        let Place { address, order, .. } = place;
        match code {
            Code::AtomicLoad => {
                let operands = [def(old), address, order];
                self.emit(Generic::AtomicLoad, place.low, &operands)?;
            }
            Code::AtomicCmpxchg => {
                let (expected, new) = (self.register_at(insn, 2)?, self.register_at(insn, 3)?);
                let operands = [def(old), address, expected, new, order];
                self.emit(Generic::AtomicCmpxchg, place.low, &operands)?;
            }
            _ => {
                let mut a = self.register_at(insn, 2)?;
                let direct = direct(code, place.ty.is_signed()).filter(|&generic| {
                    let description = self.isa.description();
                    description.has_atomic(generic, place.ty.size())
                });
                let Some(generic) = direct else {
                    return self.compare_exchange_loop(code, place, a);
                };
                if code == Code::AtomicSub {
                    let negated = self.temp()?;
                    let operands = [def(negated), Operand::imm(0), a];
                    self.emit(Generic::Sub, LowType::S64, &operands)?;
                    a = negated;
                }
                self.emit(generic, place.low, &[def(old), address, a, order])?;
            }
        }
        Ok(old)
    }

    /// Emits a loop that computes what memory becomes, until nothing has changed it in between.
    fn compare_exchange_loop(
        &mut self,
        code: Code,
        place: Place,
        a: Operand,
    ) -> Result<Operand, Error> {
        let a = self.extend(place.ty, a)?;
        let (seen, found) = (self.temp()?, self.temp()?);
        let [old, loaded] = [self.temp()?, self.temp()?];
        let relaxed = number(Order::Relaxed);
        let operands = [def(loaded), place.address, relaxed];
        self.emit(Generic::AtomicLoad, place.low, &operands)?;
        self.extend_into(seen, place.ty, loaded)?;
        let again = self.function.add_block()?;
        self.start(again)?;
        self.copy(old, seen)?;
        let new = self.replacement(code, place.ty, old, a)?;
        let operands = [def(found), place.address, old, new, place.order];
        self.emit(Generic::AtomicCmpxchg, place.low, &operands)?;
        self.extend_into(seen, place.ty, found)?;
        self.branch_if(IntPredicate::Ne, LowType::S64, seen, old, again)?;
        Ok(seen)
    }

    /// Computes what memory becomes; both values are extended as the type says.
    fn replacement(
        &mut self,
        code: Code,
        ty: Type,
        old: Operand,
        a: Operand,
    ) -> Result<Operand, Error> {
        use IntPredicate as P;
        let generic = match code {
            Code::AtomicXchg => return Ok(a),
            Code::AtomicMin if ty.is_signed() => return self.choose(P::Slt, old, a),
            Code::AtomicMin => return self.choose(P::Ult, old, a),
            Code::AtomicMax if ty.is_signed() => return self.choose(P::Sgt, old, a),
            Code::AtomicMax => return self.choose(P::Ugt, old, a),
            Code::AtomicAdd => Generic::Add,
            Code::AtomicSub => Generic::Sub,
            Code::AtomicAnd | Code::AtomicNand => Generic::And,
            Code::AtomicOr => Generic::Or,
            Code::AtomicXor => Generic::Xor,
            _ => return Err(self.internal()),
        };
        let new = self.temp()?;
        self.emit(generic, LowType::S64, &[def(new), old, a])?;
        if code != Code::AtomicNand {
            return Ok(new);
        }
        let inverted = self.temp()?;
        let ones = Operand::imm(-1);
        self.emit(Generic::Xor, LowType::S64, &[def(inverted), new, ones])?;
        Ok(inverted)
    }

    /// Returns the first value if it compares so with the second, else that.
    fn choose(&mut self, holds: IntPredicate, a: Operand, b: Operand) -> Result<Operand, Error> {
        let chosen = self.temp()?;
        let join = self.function.add_block()?;
        self.copy(chosen, a)?;
        self.branch_if(holds, LowType::S64, a, b, join)?;
        self.set(chosen, b)?;
        self.start(join)?;
        Ok(chosen)
    }
}

/// Returns the instruction that does it all, for those that some targets have.
const fn direct(code: Code, is_signed: bool) -> Option<Generic> {
    Some(match code {
        Code::AtomicXchg => Generic::AtomicXchg,
        Code::AtomicAdd | Code::AtomicSub => Generic::AtomicAdd,
        Code::AtomicAnd => Generic::AtomicAnd,
        Code::AtomicOr => Generic::AtomicOr,
        Code::AtomicXor => Generic::AtomicXor,
        Code::AtomicMin if is_signed => Generic::AtomicMin,
        Code::AtomicMin => Generic::AtomicUmin,
        Code::AtomicMax if is_signed => Generic::AtomicMax,
        Code::AtomicMax => Generic::AtomicUmax,
        _ => return None,
    })
}

/// Returns an order as an operand.
const fn number(order: Order) -> Operand {
    Operand::imm(order as i32)
}
