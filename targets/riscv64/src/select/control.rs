//! Selection for jumps, calls and the stack pointer.

use super::Selector;
use crate::insns::Op;
use crate::registers::{GPRJALR, GPRTC, RA_UNIT, SCRATCH, SP};
use crate::target_flags::CALLEE;
use mir_nostd::codegen::Error;
use mir_nostd::machine::{Generic, Operand, OperandFlags};
use mir_nostd::target::Materialise;

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
                self.emit_with_rest(Op::PseudoBRIND, &[to, Operand::imm(0)], 1)
            }
            // The address is in a caller-saved register, which the epilogue does not restore.
            G::TailJump => {
                let to = self.register_of(first, GPRTC)?;
                self.emit_with_rest(Op::PseudoTAILIndirect, &[to], 1)
            }
            G::Call if first.as_symbol().is_some() && self.out.function.is_position_independent => {
                self.emit_with_rest(Op::PseudoCALL, &[first.flagged(CALLEE)], 1)
            }
            G::Call => {
                let callee = match first.as_symbol() {
                    Some(_) => {
                        self.symbol(scratch, first)?;
                        scratch
                    }
                    None => self.register_of(first, GPRJALR)?,
                };
                self.emit_with_rest(Op::PseudoCALLIndirect, &[callee], 1)
            }
            // The epilogue puts the return address in another register if its own is a global
            // variable.
            G::Ret if self.out.function.reserved.overlaps(RA_UNIT) => {
                self.emit_with_rest(Op::PseudoTAILIndirect, &[scratch], 0)
            }
            G::Ret => self.emit_with_rest(Op::PseudoRET, &[], 0),
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
}
