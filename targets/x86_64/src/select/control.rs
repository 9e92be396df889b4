//! Selection for jumps, calls and the stack pointer.

use super::Selector;
use super::memory::in_code;
use crate::insns::Op;
use crate::isa::PLT;
use crate::regs::{R11, RSP};
use mir_nostd::codegen::Error;
use mir_nostd::machine::{Generic, Operand, TargetFlag};

/// The maximum number of operands of a call.
const MAX_OPERANDS: usize = 48;

impl Selector<'_, '_, '_> {
    pub(super) fn control(&mut self) -> Result<(), Error> {
        use Generic as G;
        let [first, second] = [self.operand(0), self.operand(1)];
        match self.generic {
            G::Br => self.emit(Op::JMP_4, &[first]),
            G::Brjt => self.jump_by_table(first, second),
            G::Brindirect => self.emit_with_rest(Op::JMP64r, first),
            G::TailJump => {
                // The epilogue comes before the jump and restores all callee-saved registers.
                self.copy(Operand::reg(R11), first)?;
                self.emit_with_rest(Op::TAILJMPr64, Operand::reg(R11))
            }
            G::Call if first.as_symbol().is_some() && self.out.function.is_position_independent => {
                let flag = if self.is_near(first) {
                    TargetFlag(0)
                } else {
                    PLT
                };
                self.emit_with_rest(Op::CALL64pcrel32, first.flagged(flag))
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
                self.emit_with_rest(Op::CALL64r, callee)
            }
            G::Ret => self.emit_all(Op::RET64),
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
