//! Selection for floats and doubles. A register holds a float as the double of the same value.

use super::{Pair, Selector};
use crate::insns::Op;
use crate::registers::{CR0, CR0UN, ZERO8};
use mir_nostd::codegen::Error;
use mir_nostd::machine::{Generic, LowType, Operand};
use mir_nostd::target::Materialise;

impl Selector<'_, '_, '_> {
    pub(super) fn float(&mut self) -> Result<(), Error> {
        use Generic as G;
        let [to, a, b] = [self.operand(0), self.operand(1), self.operand(2)];
        match self.generic {
            G::FConstant => self.float_constant(to, a),
            G::Fadd => self.emit_sized([Op::FADD, Op::FADDS], &[to, a, b]),
            G::Fsub => self.emit_sized([Op::FSUB, Op::FSUBS], &[to, a, b]),
            G::Fmul => self.emit_sized([Op::FMUL, Op::FMULS], &[to, a, b]),
            G::Fdiv => self.emit_sized([Op::FDIV, Op::FDIVS], &[to, a, b]),
            G::Fneg => self.emit_sized([Op::FNEGD, Op::FNEGS], &[to, a]),
            G::Fsqrt => self.emit_sized([Op::FSQRT, Op::FSQRTS], &[to, a]),
            G::Fcopysign => self.emit_sized([Op::FCPSGND, Op::FCPSGNS], &[to, b, a]),
            G::Fma => {
                let c = self.operand(3);
                self.emit_sized([Op::FMADD, Op::FMADDS], &[to, a, b, c])
            }
            G::Ffloor => self.emit_sized([Op::FRIMD, Op::FRIMS], &[to, a]),
            G::Fceil => self.emit_sized([Op::FRIPD, Op::FRIPS], &[to, a]),
            G::Ftrunc => self.emit_sized([Op::FRIZD, Op::FRIZS], &[to, a]),
            G::Fpext if b.small() == Some(32) => self.copy(to, a),
            G::Fptrunc if b.small() == Some(64) => self.emit(Op::FRSP, &[to, a]),
            // A register holds a float as a double, with other bits.
            G::Bitcast if !self.is_wide() => self.unknown(),
            G::Bitcast if self.is_float(to) => self.emit(Op::MTVSRD, &[to, a]),
            G::Bitcast => self.emit(Op::MFVSRD, &[to, a]),
            G::FptosiSat => self.float_to_int(to, a),
            G::Sitofp => self.float_from_int([Op::FCFID, Op::FCFIDS], to, a),
            G::Uitofp => self.float_from_int([Op::FCFIDU, Op::FCFIDUS], to, a),
            G::Fcmp | G::BrFcmp => self.float_comparison(),
            _ => self.unknown(),
        }
    }

    fn float_constant(&mut self, to: Operand, bits: Operand) -> Result<(), Error> {
        let Some(bits) = self.out.immediate(bits) else {
            return self.unknown();
        };
        let (bits, len) = if self.is_wide() {
            (bits.cast_unsigned(), 8)
        } else {
            (u64::from(bits as u32), 4)
        };
        if bits == 0 {
            return self.emit_sized([Op::XXLXORdpz, Op::XXLXORspz], &[to]);
        }
        let constant = self.out.constant(u128::from(bits), len)?;
        let load = self.sized([Op::LFD, Op::LFS]);
        self.load_near(load, to, constant)
    }

    /// Emits the conversion, which saturates, but makes the most negative number of NaN.
    fn float_to_int(&mut self, to: Operand, a: Operand) -> Result<(), Error> {
        let converted = self.new_float(LowType::S64)?;
        let wide = self.new_float(LowType::S64)?;
        self.copy(wide, a)?;
        self.emit(Op::FCTIDZ, &[converted, wide])?;
        let number = self.compute(Op::MFVSRD, &[converted])?;
        self.emit(Op::FCMPUD, &[Operand::reg(CR0), wide, wide])?;
        self.choose(to, Operand::reg(ZERO8), number, CR0UN)
    }

    fn float_from_int(&mut self, op: Pair, to: Operand, a: Operand) -> Result<(), Error> {
        let a = self.register(a)?;
        let bits = self.new_float(LowType::S64)?;
        self.emit(Op::MTVSRD, &[bits, a])?;
        self.emit_sized(op, &[to, bits])
    }
}
