//! Selection for long doubles: on the x87 stack, from memory to memory.

use super::float::test;
use super::memory::{Address, at, in_code};
use super::{Condition, Selector};
use crate::insns::Op;
use crate::registers::ST1;
use mir_nostd::codegen::Error;
use mir_nostd::machine::{Generic, LowType, Operand};
use mir_nostd::target::Materialise;

/// Returns the address of a long double: a frame object or a constant.
fn place(operand: Operand) -> Address {
    match operand.as_constant() {
        Some(_) => in_code(operand),
        None => at(operand),
    }
}

/// Returns an address some bytes further.
const fn beyond([base, scale, index, _, segment]: Address, bytes: i32) -> Address {
    [base, scale, index, Operand::imm(bytes), segment]
}

impl Selector<'_, '_, '_> {
    /// Returns whether the instruction converts a long double to a float or double.
    pub(super) fn is_truncation(&self) -> bool {
        self.generic == Generic::Fptrunc && self.operand(2).small() == Some(80)
    }

    pub(super) fn long_double(&mut self) -> Result<(), Error> {
        use Generic as G;
        let [to, a] = [self.operand(0), self.operand(1)];
        match self.generic {
            G::Fadd => self.x87(Op::ADD_FPrST0),
            G::Fsub => self.x87(Op::SUB_FPrST0),
            G::Fmul => self.x87(Op::MUL_FPrST0),
            G::Fdiv => self.x87(Op::DIV_FPrST0),
            G::Fneg => {
                self.x87_memory(Op::LD_F80m, place(a))?;
                self.emit(Op::CHS_F, &[])?;
                self.x87_memory(Op::ST_FP80m, place(to))
            }
            G::Fcmp | G::BrFcmp => self.x87_compare(),
            G::Fpext => self.x87_extend(to, a),
            G::Fptrunc => self.x87_truncate(to, a),
            G::Sitofp => {
                self.x87_from_int(a)?;
                self.x87_memory(Op::ST_FP80m, place(to))
            }
            G::Uitofp => self.x87_from_unsigned(to, a),
            G::FptosiSat => self.x87_to_int(to, a),
            G::TakeResult => self.x87_memory(Op::ST_FP80m, place(to)),
            G::GiveResult => {
                self.x87_memory(Op::LD_F80m, place(to))?;
                // Each result goes below the one before.
                if a.small() == Some(1) {
                    self.emit(Op::XCH_F, &[Operand::reg(ST1)])?;
                }
                Ok(())
            }
            _ => self.unknown(),
        }
    }

    fn x87_memory(&mut self, op: Op, address: Address) -> Result<(), Error> {
        self.emit(op, &address)
    }

    fn x87(&mut self, op: Op) -> Result<(), Error> {
        let [to, a, b] = [self.operand(0), self.operand(1), self.operand(2)];
        self.x87_memory(Op::LD_F80m, place(a))?;
        self.x87_memory(Op::LD_F80m, place(b))?;
        self.emit(op, &[Operand::reg(ST1)])?;
        self.x87_memory(Op::ST_FP80m, place(to))
    }

    fn x87_compare(&mut self) -> Result<(), Error> {
        let first = usize::from(self.generic == Generic::Fcmp);
        let Some(predicate) = self.operand(first).as_float_predicate() else {
            return self.unknown();
        };
        let [a, b] = [self.operand(first + 1), self.operand(first + 2)];
        let (is_swapped, test) = test(predicate);
        let [a, b] = if is_swapped { [b, a] } else { [a, b] };
        self.x87_memory(Op::LD_F80m, place(b))?;
        self.x87_memory(Op::LD_F80m, place(a))?;
        self.x87_compare_tops()?;
        if self.generic == Generic::Fcmp {
            self.set_float(self.operand(0), test)
        } else {
            self.branch_float(self.operand(3), test)
        }
    }

    /// Compares the top of the stack with the register below and pops both.
    fn x87_compare_tops(&mut self) -> Result<(), Error> {
        let below = Operand::reg(ST1);
        self.emit(Op::UCOM_FIPr, &[below])?;
        self.emit(Op::ST_FPrr, &[Operand::reg(crate::registers::ST0)])
    }

    /// Returns a new place in the frame.
    fn temporary(&mut self) -> Result<Address, Error> {
        Ok(at(Operand::frame(self.out.function.add_local(8, 8)?)))
    }

    fn x87_extend(&mut self, to: Operand, a: Operand) -> Result<(), Error> {
        let through = self.temporary()?;
        let is_float = self.operand(2).small() == Some(32);
        let [store, load] = if is_float {
            [Op::MOVSSmr, Op::LD_F32m]
        } else {
            [Op::MOVSDmr, Op::LD_F64m]
        };
        self.emit_store(store, through, a)?;
        self.x87_memory(load, through)?;
        self.x87_memory(Op::ST_FP80m, place(to))
    }

    fn x87_truncate(&mut self, to: Operand, a: Operand) -> Result<(), Error> {
        let through = self.temporary()?;
        let [store, load] = if self.ty == LowType::S32 {
            [Op::ST_FP32m, Op::MOVSSrm_alt]
        } else {
            [Op::ST_FP64m, Op::MOVSDrm_alt]
        };
        self.x87_memory(Op::LD_F80m, place(a))?;
        self.x87_memory(store, through)?;
        self.emit_load(load, to, through)
    }

    /// Pushes a signed integer on the stack.
    fn x87_from_int(&mut self, a: Operand) -> Result<(), Error> {
        let through = self.temporary()?;
        let a = self.register(a)?;
        self.emit_store(Op::MOV64mr, through, a)?;
        self.x87_memory(Op::ILD_F64m, through)
    }

    /// Converts an unsigned integer: adds 2 to the power of 64 if it was taken as negative.
    fn x87_from_unsigned(&mut self, to: Operand, a: Operand) -> Result<(), Error> {
        let a = self.register(a)?;
        let [addends, sign] = [self.new_int()?, self.new_int()?];
        // The floats 0 and 2 to the power of 64.
        let both = self.out.constant(0x5F80_0000 << 32, 8)?;
        self.emit_load(Op::LEA64r, addends, in_code(both))?;
        self.emit(Op::SHR64ri, &[sign, a, Operand::imm(63)])?;
        self.x87_from_int(a)?;
        let (zero, none) = (Operand::imm(0), Operand::NO_REG);
        self.x87_memory(Op::ADD_F32m, [addends, Operand::imm(4), sign, zero, none])?;
        self.x87_memory(Op::ST_FP80m, place(to))
    }

    /// Stores the integer, rounded toward zero. A value out of range becomes the most negative
    /// number.
    fn x87_to_int(&mut self, to: Operand, a: Operand) -> Result<(), Error> {
        let [control, through] = [self.temporary()?, self.temporary()?];
        let truncating = beyond(control, 2);
        let [word, most, zero, raw] = [
            self.new_int()?,
            self.new_int()?,
            self.new_int()?,
            self.new_int()?,
        ];
        self.x87_memory(Op::FNSTCW16m, control)?;
        self.emit_load(Op::MOVZX32rm16, word, control)?;
        self.emit(Op::OR32ri, &[word, word, Operand::imm(0xC00)])?;
        self.emit_store(Op::MOV16mr, truncating, word)?;
        self.constant(most, i64::MAX)?;
        self.constant(zero, 0)?;
        self.x87_memory(Op::LD_F80m, place(a))?;
        self.x87_memory(Op::FLDCW16m, truncating)?;
        self.x87_memory(Op::IST_FP64m, through)?;
        self.x87_memory(Op::FLDCW16m, control)?;
        self.emit_load(Op::MOV64rm, raw, through)?;
        let limit = self.out.constant(0x5F00_0000, 4)?;
        self.x87_memory(Op::LD_F32m, in_code(limit))?;
        self.x87_memory(Op::LD_F80m, place(a))?;
        self.x87_compare_tops()?;
        self.choose(raw, raw, most, Condition::ABOVE_EQUAL)?;
        self.choose(to, raw, zero, Condition::PARITY)
    }
}
