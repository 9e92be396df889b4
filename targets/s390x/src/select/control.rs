//! Selection for jumps, calls and the stack pointer.

use super::Selector;
use super::memory::at;
use crate::insns::Op;
use crate::regs::{R1, R15};
use mir_nostd::codegen::Error;
use mir_nostd::machine::{Generic, Operand};

/// The maximum number of operands of a call.
const MAX_OPERANDS: usize = 48;

impl Selector<'_, '_, '_> {
    pub(super) fn control(&mut self) -> Result<(), Error> {
        use Generic as G;
        let [first, second] = [self.operand(0), self.operand(1)];
        match self.generic {
            G::Br => self.emit(Op::JG, &[first]),
            G::Brjt => self.jump_by_table(first, second),
            G::Brindirect => self.emit_with_rest(Op::BR, first),
            G::TailJump => {
                // The epilogue comes before the jump and restores all callee-saved registers.
                self.copy(Operand::reg(R1), first)?;
                self.emit_with_rest(Op::CallBR, Operand::reg(R1))
            }
            G::Call if first.as_symbol().is_some() && self.out.function.is_position_independent => {
                self.emit_with_rest(Op::CallBRASL, first)
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
                self.emit_with_rest(Op::CallBASR, callee)
            }
            G::Ret => self.emit_all(Op::Return),
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

    /// Emits the opcode with another first operand and the instruction's other operands.
    fn emit_with_rest(&mut self, op: Op, first: Operand) -> Result<(), Error> {
        let (mut operands, len) = self.all_operands()?;
        operands[0] = first;
        self.emit(op, operands.get(..len.max(1)).unwrap_or(&[]))
    }

    /// Emits the opcode with the instruction's operands.
    fn emit_all(&mut self, op: Op) -> Result<(), Error> {
        let (operands, len) = self.all_operands()?;
        self.emit(op, operands.get(..len).unwrap_or(&[]))
    }

    fn all_operands(&self) -> Result<([Operand; MAX_OPERANDS], usize), Error> {
        let given = self.out.function.operands(self.insn);
        let mut operands = [Operand::NO_REG; MAX_OPERANDS];
        let places = operands.get_mut(..given.len()).ok_or(Error::TooLarge)?;
        places.copy_from_slice(given);
        Ok((operands, given.len()))
    }
}
