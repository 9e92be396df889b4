//! Selection for floats and doubles. Runtime routines compute long doubles.

use super::int::{AND, OR};
use super::{Condition, Op, Pair, Selector, ZERO, immediates};
use crate::target_flags::{PAGE, PAGE_OFFSET};
use mir_nostd::codegen::Error;
use mir_nostd::machine::{FloatPredicate, Generic, LowType, Operand};
use mir_nostd::target::Materialise;

/// Returns the condition for a predicate after a comparison. "Less" sets N, "equal" Z and C,
/// "greater" C, "unordered" C and V.
const fn condition(predicate: FloatPredicate) -> Condition {
    use FloatPredicate as P;
    match predicate {
        P::Oeq => Condition::EQUAL,
        P::Une => Condition::NOT_EQUAL,
        P::Olt => Condition::MINUS,
        P::Ole => Condition::LOWER_SAME,
        P::Ogt => Condition::GREATER,
        P::Oge => Condition::GREATER_EQUAL,
        P::Ult => Condition::LESS,
        P::Ule => Condition::LESS_EQUAL,
        P::Ugt => Condition::HIGHER,
        P::Uge => Condition::PLUS,
    }
}

impl Selector<'_, '_, '_> {
    pub(super) fn float(&mut self) -> Result<(), Error> {
        use Generic as G;
        if self.ty.is_long_double() {
            return self.unknown();
        }
        let [to, a, b] = [self.operand(0), self.operand(1), self.operand(2)];
        match self.generic {
            G::FConstant => self.float_constant(to, a),
            G::Fadd => self.emit_sized([Op::FADDDrr, Op::FADDSrr], &[to, a, b]),
            G::Fsub => self.emit_sized([Op::FSUBDrr, Op::FSUBSrr], &[to, a, b]),
            G::Fmul => self.emit_sized([Op::FMULDrr, Op::FMULSrr], &[to, a, b]),
            G::Fdiv => self.emit_sized([Op::FDIVDrr, Op::FDIVSrr], &[to, a, b]),
            G::Fneg => self.emit_sized([Op::FNEGDr, Op::FNEGSr], &[to, a]),
            G::Fsqrt => self.emit_sized([Op::FSQRTDr, Op::FSQRTSr], &[to, a]),
            G::Fcopysign => self.copy_sign(to, a, b),
            G::Fma => {
                let c = self.operand(3);
                self.emit_sized([Op::FMADDDrrr, Op::FMADDSrrr], &[to, a, b, c])
            }
            G::Ffloor => self.emit_sized([Op::FRINTMDr, Op::FRINTMSr], &[to, a]),
            G::Fceil => self.emit_sized([Op::FRINTPDr, Op::FRINTPSr], &[to, a]),
            G::Ftrunc => self.emit_sized([Op::FRINTZDr, Op::FRINTZSr], &[to, a]),
            G::Froundeven => self.emit_sized([Op::FRINTNDr, Op::FRINTNSr], &[to, a]),
            G::Fminimumnum => self.choose_number([Op::FMINNMDrr, Op::FMINNMSrr], to, a, b),
            G::Fmaximumnum => self.choose_number([Op::FMAXNMDrr, Op::FMAXNMSrr], to, a, b),
            G::Fpext if b.small() == Some(32) => self.emit(Op::FCVTDSr, &[to, a]),
            G::Fptrunc if b.small() == Some(64) => self.emit(Op::FCVTSDr, &[to, a]),
            G::Bitcast if self.is_float(to) => {
                self.emit_sized([Op::FMOVXDr, Op::FMOVWSr], &[to, a])
            }
            G::Bitcast => self.emit_sized([Op::FMOVDXr, Op::FMOVSWr], &[to, a]),
            // The instruction saturates, and converts NaN to 0.
            G::FptosiSat => self.emit_sized([Op::FCVTZSUXDr, Op::FCVTZSUXSr], &[to, a]),
            G::Sitofp => self.float_from_int([Op::SCVTFUXDri, Op::SCVTFUXSri], to, a),
            G::Uitofp => self.float_from_int([Op::UCVTFUXDri, Op::UCVTFUXSri], to, a),
            G::Fcmp => {
                let condition = self.float_compare(1)?;
                self.set(to, condition)
            }
            G::BrFcmp => {
                let condition = self.float_compare(0)?;
                self.branch(self.operand(3), condition)
            }
            _ => self.unknown(),
        }
    }

    /// Joins the bits of `a` below the sign with the sign of `b`.
    fn copy_sign(&mut self, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let sign = self.sized([i64::MIN, i32::MIN.into()]);
        let mut parts = [a, b];
        for (part, mask) in parts.iter_mut().zip([!sign, sign]) {
            let [bits, masked] = [self.new_int()?, self.new_int()?];
            self.emit_sized([Op::FMOVDXr, Op::FMOVSWr], &[bits, *part])?;
            let mask = self.out.function.int(mask)?;
            self.bitwise(&AND, masked, bits, mask)?;
            *part = masked;
        }
        let joined = self.new_int()?;
        self.bitwise(&OR, joined, parts[0], parts[1])?;
        self.emit_sized([Op::FMOVXDr, Op::FMOVWSr], &[to, joined])
    }

    /// Emits the choice between two numbers. A signalling NaN is made quiet before, as the
    /// instruction takes only quiet ones for no number.
    fn choose_number(
        &mut self,
        ops: Pair,
        to: Operand,
        a: Operand,
        b: Operand,
    ) -> Result<(), Error> {
        let ty = self.ty;
        let [quiet_a, quiet_b] = [self.new_float(ty)?, self.new_float(ty)?];
        self.emit_sized(ops, &[quiet_a, a, a])?;
        self.emit_sized(ops, &[quiet_b, b, b])?;
        self.emit_sized(ops, &[to, quiet_a, quiet_b])
    }

    fn float_from_int(&mut self, ops: Pair, to: Operand, a: Operand) -> Result<(), Error> {
        let a = match self.out.immediate(a) {
            Some(0) => ZERO,
            _ => self.register(a)?,
        };
        self.emit_sized(ops, &[to, a])
    }

    fn float_constant(&mut self, to: Operand, bits: Operand) -> Result<(), Error> {
        let Some(bits) = self.out.immediate(bits) else {
            return self.unknown();
        };
        let is_double = self.ty == LowType::S64;
        let (bits, short) = if is_double {
            let bits = bits.cast_unsigned();
            (bits, immediates::double(bits))
        } else {
            (u64::from(bits as u32), immediates::float(bits as u32))
        };
        if bits == 0 {
            return self.emit_sized([Op::FMOVXDr, Op::FMOVWSr], &[to, ZERO]);
        }
        if let Some(short) = short {
            return self.emit_sized([Op::FMOVDi, Op::FMOVSi], &[to, Operand::imm(short)]);
        }
        if self.is_large() {
            let value = self.new_int()?;
            self.constant(value, bits.cast_signed())?;
            return self.emit_sized([Op::FMOVXDr, Op::FMOVWSr], &[to, value]);
        }
        let len = if is_double { 8 } else { 4 };
        let constant = self.out.constant(u128::from(bits), len)?;
        if self.out.function.is_position_independent {
            let place = self.new_int()?;
            self.emit(Op::ADRP, &[place, constant.flagged(PAGE)])?;
            let operands = [to, place, constant.flagged(PAGE_OFFSET)];
            return self.emit_sized([Op::LDRDui, Op::LDRSui], &operands);
        }
        self.emit_sized([Op::LDRDl, Op::LDRSl], &[to, constant])
    }

    /// Emits the comparison that operand `first`, the predicate, and the two operands after it
    /// describe.
    fn float_compare(&mut self, first: usize) -> Result<Condition, Error> {
        let Some(predicate) = self.operand(first).as_float_predicate() else {
            return self.unknown();
        };
        let operands = [self.operand(first + 1), self.operand(first + 2)];
        self.emit_sized([Op::FCMPDrr, Op::FCMPSrr], &operands)?;
        Ok(condition(predicate))
    }
}
