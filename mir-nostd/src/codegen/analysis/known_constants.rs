//! The constants that registers of a function in SSA form hold, for debuggers: variables that have
//! a constant value are in no register once everything that reads them has been folded.

use crate::codegen::analysis::constants::evaluate;
use crate::machine::{Bank, Function, Generic, InsnId, LowType, Operand, VReg};
use crate::mem::{Allocator, Entity, OutOfMemory, Vec};

/// A constant that a register holds.
#[derive(Clone, Copy, Debug)]
struct Known {
    value: i64,
    /// False if only the low 32 bits are defined.
    is_whole: bool,
}

/// The constants that registers hold. They stay known of registers that are removed.
#[derive(Debug)]
pub(crate) struct KnownConstants<'m> {
    by_register: Vec<'m, Option<Known>>,
}

impl<'m> KnownConstants<'m> {
    pub(crate) const fn new(allocator: &'m dyn Allocator) -> KnownConstants<'m> {
        KnownConstants {
            by_register: Vec::new(allocator),
        }
    }

    /// Returns the constant that a register holds, if all 64 bits of it are defined.
    pub(crate) fn get(&self, register: VReg) -> Option<i64> {
        let known = self.by_register.get(register.index()).copied().flatten()?;
        known.is_whole.then_some(known.value)
    }

    /// Evaluates the instructions of a function, in the order of its layout.
    pub(crate) fn find(&mut self, function: &Function<'_>) -> Result<(), OutOfMemory> {
        self.by_register.resize(function.vreg_count(), None)?;
        for &block in &function.layout {
            for insn in function.insns(block) {
                let to = function.operands(insn).first();
                let to = to.filter(|to| to.is_def()).and_then(|to| to.vreg());
                if let Some(to) = to.filter(|&to| function.vreg(to).bank == Bank::General)
                    && let Some(known) = self.evaluate(function, insn)
                {
                    self.by_register[to.index()] = Some(known);
                }
            }
        }
        Ok(())
    }

    fn evaluate(&self, function: &Function<'_>, insn: InsnId) -> Option<Known> {
        let row = function.insn(insn);
        let generic = row.opcode.generic()?;
        let known = |operand: Operand| match operand.vreg() {
            Some(vreg) => self.by_register.get(vreg.index()).copied().flatten(),
            None => function.immediate(operand).map(|value| Known {
                value,
                is_whole: true,
            }),
        };
        let sources = function.operands(insn).iter().skip(1);
        let mut sources = sources.filter(|operand| operand.vreg().is_some());
        let are_whole = sources.all(|&operand| known(operand).is_some_and(|known| known.is_whole));
        // An instruction of 32 bits leaves the upper bits of its result undefined. Extensions, and
        // other instructions of 32 bits, do not read them.
        let bits = function.operands(insn).get(2).and_then(|bits| bits.small());
        let is_short = bits.is_some_and(|bits| bits <= 32);
        let is_whole = match (generic, row.ty) {
            (Generic::SextInreg | Generic::ZextInreg, _) => is_short || are_whole,
            (Generic::Icmp, LowType::S32) => true,
            (Generic::Copy, LowType::S64) => are_whole,
            (_, LowType::S64) if are_whole => true,
            (_, LowType::S32) => false,
            _ => return None,
        };
        let value = evaluate(function, insn, |operand| Some(known(operand)?.value))?;
        Some(Known { value, is_whole })
    }
}
