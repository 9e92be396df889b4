//! Selection for long doubles: in pairs of floating registers, from memory to memory.

use super::Selector;
use super::float::{TOWARD_ZERO, condition};
use super::memory::{Address, at};
use crate::insns::Op;
use crate::registers::{F0, F0Q, F2, F4, F4Q, F6, FILE};
use mir_nostd::codegen::Error;
use mir_nostd::machine::{Generic, LowType, Operand, Reg};
use mir_nostd::target::Materialise;

/// A pair and its two registers.
type Quad = [Reg; 3];

const FIRST: Quad = [F0Q, F0, F2];
const SECOND: Quad = [F4Q, F4, F6];
const FIRST_PAIR: Operand = Operand::reg(F0Q);
const SECOND_PAIR: Operand = Operand::reg(F4Q);

/// The generic instructions that are selected on long doubles: all but those for results, which are
/// in memory.
pub(crate) const LONG_DOUBLE: &[Generic] = {
    use Generic as G;
    &[
        G::Fadd,
        G::Fsub,
        G::Fmul,
        G::Fdiv,
        G::Fneg,
        G::Fpext,
        G::Fptrunc,
        G::FptosiSat,
        G::Sitofp,
        G::Uitofp,
        G::Fcmp,
        G::BrFcmp,
    ]
};

impl Selector<'_, '_, '_> {
    /// Returns whether the instruction converts a long double to a float or double.
    pub(super) fn is_truncation(&self) -> bool {
        self.generic == Generic::Fptrunc && self.operand(2).small() == Some(128)
    }

    pub(super) fn long_double(&mut self) -> Result<(), Error> {
        use Generic as G;
        let [to, a] = [self.operand(0), self.operand(1)];
        match self.generic {
            G::Fadd => self.quad(Op::AXBR),
            G::Fsub => self.quad(Op::SXBR),
            G::Fmul => self.quad(Op::MXBR),
            G::Fdiv => self.quad(Op::DXBR),
            G::Fneg => {
                self.load_quad(FIRST, a)?;
                let high = Operand::reg(F0);
                self.emit(Op::LCDFR, &[high, high])?;
                self.store_quad(to)
            }
            G::Fcmp | G::BrFcmp => self.quad_compare(),
            G::Fpext => {
                let is_float = self.operand(2).small() == Some(32);
                let op = if is_float { Op::LXEBR } else { Op::LXDBR };
                self.emit(op, &[FIRST_PAIR, a])?;
                self.store_quad(to)
            }
            G::Fptrunc => self.quad_truncate(to, a),
            G::Sitofp => {
                let a = self.register(a)?;
                self.emit(Op::CXGBR, &[FIRST_PAIR, a])?;
                self.store_quad(to)
            }
            G::Uitofp => {
                let a = self.register(a)?;
                let zero = Operand::imm(0);
                self.emit(Op::CXLGBR, &[FIRST_PAIR, zero, a, zero])?;
                self.store_quad(to)
            }
            G::FptosiSat => {
                let raw = self.new_int()?;
                self.load_quad(FIRST, a)?;
                self.emit(Op::CGXBR, &[raw, TOWARD_ZERO, FIRST_PAIR])?;
                self.emit(Op::CXBR, &[FIRST_PAIR, FIRST_PAIR])?;
                self.zero_if_unordered(to, raw)
            }
            _ => self.unknown(),
        }
    }

    /// Returns the addresses of the two halves of a long double in a frame object or constant.
    fn halves(&mut self, place: Operand) -> Result<[Address; 2], Error> {
        let mut base = place;
        if place.as_constant().is_some() {
            base = self.new_int()?;
            self.emit(Op::LARL, &[base, place])?;
        }
        Ok([at(base, 0), at(base, 8)])
    }

    fn load_quad(&mut self, [_, high, low]: Quad, from: Operand) -> Result<(), Error> {
        let halves = self.halves(from)?;
        for (reg, half) in [high, low].into_iter().zip(halves) {
            self.emit_load(Op::LD, Operand::reg(reg), half)?;
        }
        Ok(())
    }

    /// Stores the first pair.
    fn store_quad(&mut self, to: Operand) -> Result<(), Error> {
        for (reg, half) in [F0, F2].into_iter().zip(self.halves(to)?) {
            self.emit_store(Op::STD, Operand::reg(reg), half)?;
        }
        Ok(())
    }

    fn quad(&mut self, op: Op) -> Result<(), Error> {
        let [to, a, b] = [self.operand(0), self.operand(1), self.operand(2)];
        self.load_quad(FIRST, a)?;
        self.load_quad(SECOND, b)?;
        self.emit(op, &[FIRST_PAIR, FIRST_PAIR, SECOND_PAIR])?;
        self.store_quad(to)
    }

    fn quad_compare(&mut self) -> Result<(), Error> {
        let first = usize::from(self.generic == Generic::Fcmp);
        let Some(predicate) = self.operand(first).as_float_predicate() else {
            return self.unknown();
        };
        self.load_quad(FIRST, self.operand(first + 1))?;
        self.load_quad(SECOND, self.operand(first + 2))?;
        self.emit(Op::CXBR, &[FIRST_PAIR, SECOND_PAIR])?;
        let condition = condition(predicate);
        if self.generic == Generic::Fcmp {
            self.set(self.operand(0), condition)
        } else {
            self.branch(self.operand(3), condition)
        }
    }

    fn quad_truncate(&mut self, to: Operand, a: Operand) -> Result<(), Error> {
        self.load_quad(FIRST, a)?;
        let is_float = self.ty == LowType::S32;
        let op = if is_float { Op::LEXBR } else { Op::LDXBR };
        self.emit(op, &[FIRST_PAIR, FIRST_PAIR])?;
        let bank = mir_nostd::machine::Bank::Floating;
        let result = FILE.of_type(F0, bank, self.ty);
        self.copy(to, Operand::reg(result))
    }
}
