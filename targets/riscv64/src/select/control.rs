//! Selection for jumps, calls and the stack pointer.

use super::Selector;
use crate::insns::Op;
use crate::isa::CALLEE;
use crate::regs::{GPRJALR, RA_UNIT, SCRATCH, SP};
use mir_nostd::codegen::Error;
use mir_nostd::machine::{Generic, Operand, OperandFlags};

/// The maximum number of operands of a call.
const MAX_OPERANDS: usize = 48;

impl Selector<'_, '_, '_> {
    pub(super) fn control(&mut self) -> Result<(), Error> {
        use Generic as G;
        let [first, second] = [self.operand(0), self.operand(1)];
        let scratch = Operand::reg(SCRATCH[1]);
        match self.generic {
            G::Br => self.emit(Op::PseudoBR, &[first]),
            G::Brjt => self.jump_by_table(first, second),
            G::Brindirect => {
                let to = self.register_of(first, GPRJALR)?;
                self.emit_with_rest(Op::PseudoBRIND, &[to, Operand::imm(0)])
            }
            // The address is in a caller-saved register, which the epilogue does not restore.
            G::TailJump => self.emit_with_rest(Op::PseudoTAILIndirect, &[first]),
            G::Call if first.as_symbol().is_some() && self.out.function.is_position_independent => {
                self.emit_with_rest(Op::PseudoCALL, &[first.flagged(CALLEE)])
            }
            G::Call => {
                let callee = match first.as_symbol() {
                    Some(_) => {
                        self.symbol(scratch, first)?;
                        scratch
                    }
                    None => self.register_of(first, GPRJALR)?,
                };
                self.emit_with_rest(Op::PseudoCALLIndirect, &[callee])
            }
            // The epilogue puts the return address in another register if its own is a global
            // variable.
            G::Ret if self.out.function.reserved.overlaps(RA_UNIT) => {
                let (operands, len) = self.with_rest(&[scratch], 0)?;
                self.emit(Op::PseudoTAILIndirect, operands.get(..len).unwrap_or(&[]))
            }
            G::Ret => {
                let (operands, len) = self.with_rest(&[], 0)?;
                self.emit(Op::PseudoRET, operands.get(..len).unwrap_or(&[]))
            }
            G::DynStackalloc => self.lower_stack(first, second),
            G::Stacksave => self.copy(first, Operand::reg(SP)),
            G::Stackrestore => self.copy(Operand::reg(SP), first),
            _ => self.float(),
        }
    }

    /// Lowers the stack pointer. `PROBED_STACKALLOC_DYN` takes the new stack pointer; it is
    /// expanded, with the start of the new area as its result, when the frame is known.
    fn lower_stack(&mut self, to: Operand, bytes: Operand) -> Result<(), Error> {
        let below = self.new_int()?;
        self.sub(below, Operand::reg(SP), bytes)?;
        let flags = OperandFlags::DEF.union(OperandFlags::IMPLICIT);
        self.emit(Op::PROBED_STACKALLOC_DYN, &[below, to.with(flags)])
    }

    fn jump_by_table(&mut self, number: Operand, table: Operand) -> Result<(), Error> {
        let number = self.register(number)?;
        let start = self.new_int()?;
        self.emit(Op::PseudoLLA, &[start, table])?;
        let offset = self.new_with_immediate(Op::SLLI, number, 2)?;
        let place = self.new_with(Op::ADD, offset, start)?;
        let distance = self.new_with_immediate(Op::LW, place, 0)?;
        let target = self.new_with(Op::ADD, distance, start)?;
        let target = self.register_of(target, GPRJALR)?;
        self.emit(Op::PseudoBRIND, &[target, Operand::imm(0), table])
    }

    /// Emits the opcode with `first` in place of the first operand, and the instruction's other
    /// operands.
    fn emit_with_rest(&mut self, op: Op, first: &[Operand]) -> Result<(), Error> {
        let (operands, len) = self.with_rest(first, 1)?;
        self.emit(op, operands.get(..len).unwrap_or(&[]))
    }

    /// Returns the operands of `first` and those of the instruction from the number `from` on.
    fn with_rest(
        &self,
        first: &[Operand],
        from: usize,
    ) -> Result<([Operand; MAX_OPERANDS], usize), Error> {
        let given = self.out.function.operands(self.insn);
        let rest = given.get(from..).unwrap_or(&[]);
        let len = first.len() + rest.len();
        let mut operands = [Operand::NO_REG; MAX_OPERANDS];
        let places = operands.get_mut(..len).ok_or(Error::TooLarge)?;
        for (place, &operand) in places.iter_mut().zip(first.iter().chain(rest)) {
            *place = operand;
        }
        Ok((operands, len))
    }
}
