//! Selection for jumps, calls and the stack pointer.

use super::{NOT_SHIFTED, Op, Selector, UXTX};
use crate::registers::{LR, SP, X16};
use mir_nostd::codegen::Error;
use mir_nostd::machine::{Generic, Operand, OperandFlags};
use mir_nostd::target::Materialise;

impl Selector<'_, '_, '_> {
    pub(super) fn control(&mut self) -> Result<(), Error> {
        use Generic as G;
        let [first, second] = [self.operand(0), self.operand(1)];
        match self.generic {
            G::Br => self.emit(Op::B, &[first]),
            G::Brjt => self.jump_by_table(first, second),
            G::Brindirect => self.emit_with_rest(Op::BR, &[first], 1),
            G::TailJump => {
                // The epilogue comes before the jump and restores all callee-saved registers.
                let target = Operand::reg(X16);
                self.copy(target, first)?;
                self.emit_with_rest(Op::TCRETURNri, &[target, Operand::imm(0)], 1)
            }
            G::Call if first.as_symbol().is_some() && self.out.function.is_position_independent => {
                self.emit_with_rest(Op::BL, &[first], 1)
            }
            G::Call => {
                let callee = match first.as_symbol() {
                    Some(_) => {
                        self.symbol(Operand::reg(X16), first)?;
                        Operand::reg(X16)
                    }
                    None => self.register(first)?,
                };
                self.emit_with_rest(Op::BLR, &[callee], 1)
            }
            G::Ret => {
                // The epilogue loads the link register.
                let link = Operand::reg(LR).with(OperandFlags::UNDEF);
                self.emit_with_rest(Op::RET, &[link], 0)
            }
            G::DynStackalloc => {
                let bytes = self.register(second)?;
                let (end, sp) = (self.new_int()?, Operand::reg(SP));
                self.emit(Op::SUBXrx64, &[end, sp, bytes, UXTX])?;
                self.emit(Op::PROBED_STACKALLOC_DYN, &[end])?;
                // All calls are translated, so the size of their argument area is known.
                let above = self.out.function.outgoing_bytes;
                if above < 1 << 12 {
                    let near = Operand::imm(above as i32);
                    return self.emit(Op::ADDXri, &[first, sp, near, Operand::imm(0)]);
                }
                let far = self.new_int()?;
                self.constant(far, i64::from(above))?;
                self.emit(Op::ADDXrx64, &[first, sp, far, UXTX])
            }
            G::Stacksave => self.copy(first, Operand::reg(SP)),
            G::Stackrestore => self.copy(Operand::reg(SP), first),
            _ => self.float(),
        }
    }

    fn jump_by_table(&mut self, number: Operand, table: Operand) -> Result<(), Error> {
        let number = self.register(number)?;
        let [start, distance, target] = [self.new_int()?, self.new_int()?, self.new_int()?];
        self.address_of(start, table)?;
        let (unsigned, scaled) = (Operand::imm(0), Operand::imm(1));
        self.emit(Op::LDRSWroX, &[distance, start, number, unsigned, scaled])?;
        self.emit(Op::ADDXrs, &[target, distance, start, NOT_SHIFTED])?;
        self.emit(Op::BR, &[target, table])
    }

    /// Emits `to = a + b`, where `a` may be the stack pointer.
    pub(super) fn add_registers(
        &mut self,
        to: Operand,
        a: Operand,
        b: Operand,
    ) -> Result<(), Error> {
        if a.as_reg() == Some(SP) {
            self.emit(Op::ADDXrx64, &[to, a, b, UXTX])
        } else {
            self.emit(Op::ADDXrs, &[to, a, b, NOT_SHIFTED])
        }
    }
}
