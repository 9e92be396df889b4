//! Machine IR as text for people, much as LLVM writes it.

use crate::machine::{Function, InsnId, Operand, OperandFlags, OperandKind};
use crate::target::Isa;
use core::fmt;

/// A function with the tables that name its numbers. `Display` writes blocks and instructions.
#[derive(Clone, Copy, Debug)]
pub struct Printed<'a, 'm> {
    /// The function.
    pub function: &'a Function<'m>,
    /// The target's tables.
    pub isa: &'a dyn Isa,
}

/// An instruction of a function; see [`Printed::insn`].
#[derive(Clone, Copy, Debug)]
pub struct PrintedInsn<'a, 'm>(Printed<'a, 'm>, InsnId);

impl fmt::Display for PrintedInsn<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write_insn(f, self.1)
    }
}

impl fmt::Display for Printed<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (id, object) in self.function.frame.iter() {
            writeln!(
                f,
                "  {id:?}: {:?}, {} bytes, align {}, offset {}",
                object.kind, object.bytes, object.align, object.offset
            )?;
        }
        for &block in &self.function.layout {
            writeln!(f, "  {block:?}:")?;
            for insn in self.function.insns(block) {
                writeln!(f, "    {}  ; {insn:?}", self.insn(insn))?;
            }
        }
        Ok(())
    }
}

impl<'a, 'm> Printed<'a, 'm> {
    /// Returns one instruction.
    #[must_use]
    pub const fn insn(self, insn: InsnId) -> PrintedInsn<'a, 'm> {
        PrintedInsn(self, insn)
    }

    fn write_insn(&self, f: &mut fmt::Formatter<'_>, insn: InsnId) -> fmt::Result {
        let row = self.function.insn(insn);
        let operands = self.function.operands(insn);
        let is_first = |o: &&Operand| o.is_def() && !o.flags().contains(OperandFlags::IMPLICIT);
        let defs = operands.iter().take_while(is_first).count();
        for (number, &operand) in operands.iter().take(defs).enumerate() {
            f.write_str(if number == 0 { "" } else { ", " })?;
            self.operand(f, operand.without(OperandFlags::DEF))?;
        }
        f.write_str(if defs == 0 { "" } else { " = " })?;
        match row.opcode.row().and_then(|row| self.isa.insns().get(row)) {
            Some(row) => f.write_str(row.name.text())?,
            None => write!(f, "{:?} {:?}", row.opcode, row.ty)?,
        }
        for (number, &operand) in operands.iter().skip(defs).enumerate() {
            f.write_str(if number == 0 { " " } else { ", " })?;
            self.operand(f, operand)?;
        }
        Ok(())
    }

    fn operand(&self, f: &mut fmt::Formatter<'_>, operand: Operand) -> fmt::Result {
        let implicit = operand.flags().contains(OperandFlags::IMPLICIT);
        match (implicit, operand.is_def()) {
            (true, true) => f.write_str("implicit-def ")?,
            (true, false) => f.write_str("implicit ")?,
            (false, true) => f.write_str("def ")?,
            (false, false) => {}
        }
        for (flag, word) in [
            (OperandFlags::DEAD, "dead "),
            (OperandFlags::KILL, "killed "),
            (OperandFlags::UNDEF, "undef "),
            (OperandFlags::EARLY_CLOBBER, "early-clobber "),
        ] {
            f.write_str(if operand.flags().contains(flag) {
                word
            } else {
                ""
            })?;
        }
        match (operand.kind(), operand.as_reg()) {
            (_, Some(reg)) => {
                match reg.vreg() {
                    Some(vreg) => write!(f, "{vreg:?}")?,
                    None => write!(f, "${}", self.isa.registers().row(reg).name.text())?,
                }
                let part = self.isa.registers().parts.get(usize::from(operand.sub().0));
                match part {
                    Some(part) if operand.sub().0 != 0 => write!(f, ".{part}"),
                    _ => Ok(()),
                }
            }
            (OperandKind::IntPredicate, _) => {
                let predicate = operand.as_int_predicate();
                write!(
                    f,
                    "intpred({})",
                    predicate.map_or("?", |predicate| predicate.name())
                )
            }
            (OperandKind::FloatPredicate, _) => {
                let predicate = operand.as_float_predicate();
                write!(
                    f,
                    "floatpred({})",
                    predicate.map_or("?", |predicate| predicate.name())
                )
            }
            (OperandKind::WideImmediate, _) => {
                write!(f, "{}", self.function.immediate(operand).unwrap_or(0))
            }
            (OperandKind::Symbol, _) => match operand.as_symbol() {
                Some(symbol) => write!(f, "{:?}", self.function.symbol(symbol)),
                None => Ok(()),
            },
            _ => write!(f, "{operand:?}"),
        }
    }
}
