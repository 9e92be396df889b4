//! Selection for jumps, calls and the stack pointer.

use super::Selector;
use crate::insns::Op;
use crate::registers::{X1, X2, X12};
use mir_nostd::codegen::Error;
use mir_nostd::machine::{Generic, Operand};
use mir_nostd::target::Materialise;

/// The offset of the TOC pointer's place in the header of a frame.
const TOC_SAVE: i32 = 24;

impl Selector<'_, '_, '_> {
    pub(super) fn control(&mut self) -> Result<(), Error> {
        use Generic as G;
        let [first, second] = [self.operand(0), self.operand(1)];
        match self.generic {
            G::Br => self.emit(Op::B, &[first]),
            G::Brjt => self.jump_by_table(first, second),
            G::Brindirect if second == Operand::NO_REG => {
                self.emit(Op::MTCTR8, &[first])?;
                self.emit(Op::BCTR8, &[])
            }
            G::Brindirect => self.go_outside(Op::BCTR8, first),
            G::TailJump => self.go_outside(Op::TAILBCTR8, first),
            G::Call => self.call(first),
            G::Ret => self.emit_with_rest(Op::BLR8, &[], 0),
            G::DynStackalloc => self.allocate(first, second),
            G::Stacksave => self.copy(first, Operand::reg(X1)),
            G::SetCount => {
                let count = self.register(second)?;
                self.emit(Op::MTCTR8, &[count])
            }
            G::Stackrestore => self.restore_stack(first),
            _ => self.float(),
        }
    }

    /// Jumps to or calls an address outside of the function, which goes to r12 too, as functions
    /// expect.
    fn go_outside(&mut self, op: Op, callee: Operand) -> Result<(), Error> {
        let address = Operand::reg(X12);
        if callee.as_symbol().is_some() {
            self.symbol(address, callee)?;
        } else {
            let callee = self.register(callee)?;
            self.copy(address, callee)?;
        }
        self.emit(Op::MTCTR8, &[address])?;
        self.emit_with_rest(op, &[], 1)
    }

    /// Selects a call. Objects call symbols directly, with room for the linker to restore the TOC
    /// pointer if the call leaves the module; around other calls they save it themselves.
    fn call(&mut self, callee: Operand) -> Result<(), Error> {
        if !self.out.function.is_position_independent {
            return self.go_outside(Op::BCTRL8, callee);
        }
        if callee.as_symbol().is_some() {
            let toc = Operand::implicit_use(X2);
            return self.emit_around(Op::BL8_NOP, &[], 0, &[toc]);
        }
        let saved = [Operand::reg(X2), Operand::imm(TOC_SAVE), Operand::reg(X1)];
        self.emit(Op::STD, &saved)?;
        self.go_outside(Op::BCTRL8, callee)?;
        self.emit(Op::LD, &saved)
    }

    /// Emits `to` = the address of a block. Objects use a table of its own, as nothing there counts
    /// from the code.
    pub(super) fn block_address(&mut self, to: Operand, block: Operand) -> Result<(), Error> {
        let Some(id) = block
            .as_block()
            .filter(|_| self.out.function.is_position_independent)
        else {
            return self.address_near(to, block);
        };
        let table = Operand::table(self.out.function.add_table(&[id])?);
        let start = self.new_int()?;
        self.address_near(start, table)?;
        let distance = self.new_int()?;
        self.emit(Op::LWA, &[distance, Operand::imm(0), start])?;
        self.emit(Op::ADD8, &[to, start, distance])
    }

    fn jump_by_table(&mut self, number: Operand, table: Operand) -> Result<(), Error> {
        let number = self.register(number)?;
        let offset = self.new_int()?;
        self.shift_left(offset, number, 2)?;
        let start = self.new_int()?;
        self.address_near(start, table)?;
        let distance = self.compute(Op::LWAX, &[start, offset])?;
        let target = self.compute(Op::ADD8, &[start, distance])?;
        self.emit(Op::MTCTR8, &[target])?;
        self.emit(Op::BCTR8, &[table])
    }

    /// Lowers the stack pointer. The word that it points to always holds the caller's stack
    /// pointer.
    fn allocate(&mut self, to: Operand, bytes: Operand) -> Result<(), Error> {
        let bytes = self.register(bytes)?;
        let down = self.compute(Op::NEG8, &[bytes])?;
        let zero = Operand::imm(0);
        let chain = self.new_int()?;
        self.emit(Op::LD, &[chain, zero, Operand::reg(X1)])?;
        self.emit(Op::DYNALLOC8, &[to, down, zero, chain])
    }

    fn restore_stack(&mut self, from: Operand) -> Result<(), Error> {
        let zero = Operand::imm(0);
        let chain = self.new_int()?;
        self.emit(Op::LD, &[chain, zero, Operand::reg(X1)])?;
        self.emit(Op::STD, &[chain, zero, from])?;
        self.copy(Operand::reg(X1), from)
    }
}
