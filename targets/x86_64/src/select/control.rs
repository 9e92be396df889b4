//! Selection for jumps, calls and the stack pointer.

use super::Selector;
use super::memory::in_code;
use crate::insns::Op;
use crate::registers::{R11, RSP};
use crate::target_flags::PLT;
use mir_nostd::codegen::Error;
use mir_nostd::machine::{Generic, Operand, TargetFlag};
use mir_nostd::target::Materialise;

impl Selector<'_, '_, '_> {
    pub(super) fn control(&mut self) -> Result<(), Error> {
        use Generic as G;
        let [first, second] = [self.operand(0), self.operand(1)];
        match self.generic {
            G::Br => self.emit(Op::JMP_4, &[first]),
            G::Brjt => self.jump_by_table(first, second),
            G::Brindirect => self.emit_with_rest(Op::JMP64r, &[first], 1),
            G::TailJump => {
                // The epilogue comes before the jump and restores all callee-saved registers.
                self.copy(Operand::reg(R11), first)?;
                self.emit_with_rest(Op::TAILJMPr64, &[Operand::reg(R11)], 1)
            }
            G::Call if first.as_symbol().is_some() && self.out.function.is_position_independent => {
                let flag = if self.is_near(first) {
                    TargetFlag(0)
                } else {
                    PLT
                };
                self.emit_with_rest(Op::CALL64pcrel32, &[first.flagged(flag)], 1)
            }
            G::Call => {
                let callee = match first.as_symbol() {
                    Some(_) => {
                        // No argument is in r11.
                        self.emit(Op::MOV64ri, &[Operand::reg(R11), first])?;
                        Operand::reg(R11)
                    }
                    None => self.register(first)?,
                };
                self.emit_with_rest(Op::CALL64r, &[callee], 1)
            }
            G::Ret => self.emit_with_rest(Op::RET64, &[], 0),
            G::DynStackalloc => {
                let bytes = self.register(second)?;
                self.emit(Op::PROBED_ALLOCA_64, &[first, bytes])
            }
            G::Stacksave => self.copy(first, Operand::reg(RSP)),
            G::Stackrestore => self.copy(Operand::reg(RSP), first),
            _ => self.float(),
        }
    }

    fn jump_by_table(&mut self, number: Operand, table: Operand) -> Result<(), Error> {
        let number = self.register(number)?;
        let [start, distance, target] = [self.new_int()?, self.new_int()?, self.new_int()?];
        let (zero, none) = (Operand::imm(0), Operand::NO_REG);
        self.emit_load(Op::LEA64r, start, in_code(table))?;
        let address = [start, Operand::imm(4), number, zero, none];
        self.emit_load(Op::MOVSX64rm32, distance, address)?;
        self.emit(Op::ADD64rr, &[target, distance, start])?;
        self.emit(Op::JMP64r, &[target, table])
    }
}
