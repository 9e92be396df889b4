//! Selection for jumps, calls and the stack pointer.

use super::Selector;
use super::memory::at;
use crate::insns::Op;
use crate::registers::{R1, R15};
use mir_nostd::codegen::Error;
use mir_nostd::machine::{Generic, Operand};
use mir_nostd::target::Materialise;

impl Selector<'_, '_, '_> {
    pub(super) fn control(&mut self) -> Result<(), Error> {
        use Generic as G;
        let [first, second] = [self.operand(0), self.operand(1)];
        match self.generic {
            G::Br => self.emit(Op::JG, &[first]),
            G::Brjt => self.jump_by_table(first, second),
            G::Brindirect => self.emit_with_rest(Op::BR, &[first], 1),
            G::TailJump => {
                // The epilogue comes before the jump and restores all callee-saved registers.
                self.copy(Operand::reg(R1), first)?;
                self.emit_with_rest(Op::CallBR, &[Operand::reg(R1)], 1)
            }
            G::Call if first.as_symbol().is_some() && self.out.function.is_position_independent => {
                self.emit_with_rest(Op::CallBRASL, &[first], 1)
            }
            G::Call => {
                let callee = match first.as_symbol() {
                    Some(_) => {
                        // No argument is in r1.
                        self.symbol(Operand::reg(R1), first)?;
                        Operand::reg(R1)
                    }
                    None => self.register(first)?,
                };
                self.emit_with_rest(Op::CallBASR, &[callee], 1)
            }
            G::Ret => self.emit_with_rest(Op::Return, &[], 0),
            G::DynStackalloc => {
                let bytes = self.register(second)?;
                self.emit(Op::PROBED_ALLOCA, &[first, Operand::reg(R15), bytes])
            }
            G::Stacksave => self.copy(first, Operand::reg(R15)),
            G::Stackrestore => self.copy(Operand::reg(R15), first),
            _ => self.float(),
        }
    }

    fn jump_by_table(&mut self, number: Operand, table: Operand) -> Result<(), Error> {
        let number = self.register(number)?;
        let [start, scaled] = [self.new_int()?, self.new_int()?];
        let [distance, target] = [self.new_int()?, self.new_int()?];
        let two = Operand::imm(2);
        self.emit(Op::LARL, &[start, table])?;
        self.emit(Op::SLLG, &[scaled, number, Operand::NO_REG, two])?;
        let [base, zero, _] = at(start, 0);
        self.emit_load(Op::LGF, distance, [base, zero, scaled])?;
        self.emit(Op::AGRK, &[target, distance, start])?;
        self.emit(Op::BR, &[target, table])
    }
}
