//! Selection for floats and doubles.

use super::{Pair, Selector};
use crate::insns::Op;
use crate::registers::{FRM, ZERO};
use mir_nostd::codegen::Error;
use mir_nostd::machine::{FloatPredicate, Generic, LowType, Operand};
use mir_nostd::target::Materialise;

/// Rounding toward zero.
const TOWARD_ZERO: Operand = Operand::imm(1);
/// Rounding as the program last asked for; to nearest even if it never did.
const DYNAMIC: Operand = Operand::imm(7);
/// The rounding mode of conversions that are exact.
const EXACT: Operand = Operand::imm(0);
/// The register that instructions with [`DYNAMIC`] read.
const MODE: Operand = Operand::implicit_use(FRM);

/// A comparison instruction that evaluates a predicate.
struct Test {
    ops: Pair,
    /// True if its result is the opposite.
    is_opposite: bool,
    /// True if its operands are exchanged.
    is_swapped: bool,
}

impl Test {
    const fn new(ops: Pair, is_opposite: bool, is_swapped: bool) -> Test {
        Test {
            ops,
            is_opposite,
            is_swapped,
        }
    }
}

const LESS: Pair = [Op::FLT_D, Op::FLT_S];
const LESS_EQUAL: Pair = [Op::FLE_D, Op::FLE_S];
const EQUAL: Pair = [Op::FEQ_D, Op::FEQ_S];

/// Returns the test for a predicate. The comparison instructions are false if an operand is NaN.
const fn test(predicate: FloatPredicate) -> Test {
    use FloatPredicate as P;
    match predicate {
        P::Oeq => Test::new(EQUAL, false, false),
        P::Une => Test::new(EQUAL, true, false),
        P::Olt => Test::new(LESS, false, false),
        P::Ole => Test::new(LESS_EQUAL, false, false),
        P::Ogt => Test::new(LESS, false, true),
        P::Oge => Test::new(LESS_EQUAL, false, true),
        P::Uge => Test::new(LESS, true, false),
        P::Ugt => Test::new(LESS_EQUAL, true, false),
        P::Ule => Test::new(LESS, true, true),
        P::Ult => Test::new(LESS_EQUAL, true, true),
    }
}

impl Selector<'_, '_, '_> {
    pub(super) fn float(&mut self) -> Result<(), Error> {
        use Generic as G;
        let [to, a, b] = [self.operand(0), self.operand(1), self.operand(2)];
        match self.generic {
            G::FConstant => self.float_constant(to, a),
            G::Fadd => self.rounded([Op::FADD_D, Op::FADD_S], &[to, a, b]),
            G::Fsub => self.rounded([Op::FSUB_D, Op::FSUB_S], &[to, a, b]),
            G::Fmul => self.rounded([Op::FMUL_D, Op::FMUL_S], &[to, a, b]),
            G::Fdiv => self.rounded([Op::FDIV_D, Op::FDIV_S], &[to, a, b]),
            G::Fneg => self.emit_sized([Op::FSGNJN_D, Op::FSGNJN_S], &[to, a, a]),
            G::Fsqrt => self.rounded([Op::FSQRT_D, Op::FSQRT_S], &[to, a]),
            G::Fma => {
                let c = self.operand(3);
                self.rounded([Op::FMADD_D, Op::FMADD_S], &[to, a, b, c])
            }
            G::Fcopysign => self.emit_sized([Op::FSGNJ_D, Op::FSGNJ_S], &[to, a, b]),
            G::Fminimumnum => self.emit_sized([Op::FMIN_D, Op::FMIN_S], &[to, a, b]),
            G::Fmaximumnum => self.emit_sized([Op::FMAX_D, Op::FMAX_S], &[to, a, b]),
            G::Fpext if b.small() == Some(32) => self.emit(Op::FCVT_D_S, &[to, a, EXACT]),
            G::Fptrunc if b.small() == Some(64) => {
                self.rounded([Op::FCVT_S_D, Op::FCVT_S_D], &[to, a])
            }
            G::Bitcast if self.is_float(to) => {
                self.emit_sized([Op::FMV_D_X, Op::FMV_W_X], &[to, a])
            }
            G::Bitcast => self.emit_sized([Op::FMV_X_D, Op::FMV_X_W], &[to, a]),
            G::FptosiSat => self.float_to_int(to, a),
            G::Sitofp | G::Uitofp => {
                let a = self.register(a)?;
                let ops = if self.generic == G::Sitofp {
                    [Op::FCVT_D_L, Op::FCVT_S_L]
                } else {
                    [Op::FCVT_D_LU, Op::FCVT_S_LU]
                };
                self.rounded(ops, &[to, a])
            }
            G::Fcmp => self.set_float(to),
            G::BrFcmp => self.branch_float(),
            _ => self.unknown(),
        }
    }

    /// Emits an instruction that rounds.
    fn rounded(&mut self, ops: Pair, operands: &[Operand]) -> Result<(), Error> {
        let op = self.sized(ops);
        match *operands {
            [to, a] => self.emit(op, &[to, a, DYNAMIC, MODE]),
            [to, a, b] => self.emit(op, &[to, a, b, DYNAMIC, MODE]),
            [to, a, b, c] => self.emit(op, &[to, a, b, c, DYNAMIC, MODE]),
            _ => self.unknown(),
        }
    }

    fn float_constant(&mut self, to: Operand, bits: Operand) -> Result<(), Error> {
        let Some(bits) = self.out.immediate(bits) else {
            return self.unknown();
        };
        let is_double = self.ty == LowType::S64;
        let bits = if is_double {
            bits
        } else {
            i64::from(bits as i32)
        };
        let move_op = self.sized([Op::FMV_D_X, Op::FMV_W_X]);
        if bits == 0 {
            return self.emit(move_op, &[to, Operand::reg(ZERO)]);
        }
        let place = self.new_int()?;
        let (bits, bytes) = if is_double {
            (bits.cast_unsigned(), 8)
        } else {
            (u64::from(bits as u32), 4)
        };
        let constant = self.out.constant(u128::from(bits), bytes)?;
        self.emit_sized([Op::PseudoFLD, Op::PseudoFLW], &[place, to, constant])
    }

    /// Emits a conversion that saturates; a mask makes 0 of NaN.
    fn float_to_int(&mut self, to: Operand, a: Operand) -> Result<(), Error> {
        let raw = self.new_int()?;
        self.emit_sized([Op::FCVT_L_D, Op::FCVT_L_S], &[raw, a, TOWARD_ZERO])?;
        let is_number = self.new_with(self.sized(EQUAL), a, a)?;
        let mask = self.new_with(Op::SUB, Operand::reg(ZERO), is_number)?;
        self.emit(Op::AND, &[to, raw, mask])
    }

    /// Returns a register that is 0 or 1 after comparing, and whether it is the opposite of the
    /// predicate at operand `first` for the two operands after it.
    fn compare_float(&mut self, first: usize) -> Result<(Operand, bool), Error> {
        let Some(predicate) = self.operand(first).as_float_predicate() else {
            return self.unknown();
        };
        let [a, b] = [self.operand(first + 1), self.operand(first + 2)];
        let test = test(predicate);
        let [a, b] = if test.is_swapped { [b, a] } else { [a, b] };
        let answer = self.new_with(self.sized(test.ops), a, b)?;
        Ok((answer, test.is_opposite))
    }

    fn set_float(&mut self, to: Operand) -> Result<(), Error> {
        let (answer, is_opposite) = self.compare_float(1)?;
        if is_opposite {
            self.with_immediate(Op::XORI, to, answer, 1)
        } else {
            self.copy(to, answer)
        }
    }

    fn branch_float(&mut self) -> Result<(), Error> {
        let (answer, is_opposite) = self.compare_float(0)?;
        let op = if is_opposite { Op::BEQ } else { Op::BNE };
        let block = self.operand(3);
        self.emit(op, &[answer, Operand::reg(ZERO), block])
    }
}
