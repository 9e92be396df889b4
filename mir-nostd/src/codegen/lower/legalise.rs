//! Legalisation: operands that the target's instructions do not take, constants and parts of
//! addresses, are computed by instructions of their own. These are shared and hoisted out of loops
//! like all others. In SSA form.

use crate::codegen::analysis::frame_escape::address_place;
use crate::codegen::analysis::phis::first_terminator;
use crate::machine::{BlockId, Function, Generic, InsnId, LayoutCursor, LowType, Operand, Reg};
use crate::target::emitter::{computation, new_int};
use crate::target::error::Error;
use crate::target::{AddressForm, Isa};
use core::ops::Range;

/// The number of constants of a block that are remembered.
const NEARBY: usize = 8;

/// The constants that are in registers.
type NearbyConstants = [Option<(i64, Operand)>; NEARBY];

/// Computes the operands that the target's instructions do not take.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn legalise(function: &mut Function<'_>, isa: &dyn Isa) -> Result<(), Error> {
    let mut layout = LayoutCursor::default();
    while let Some(block) = layout.next(function) {
        let mut known = [None; NEARBY];
        let mut cursor = function.cursor(block);
        while let Some(insn) = cursor.next(function) {
            let Some(generic) = function.insn(insn).opcode.generic() else {
                continue;
            };
            let before = if generic.is_terminator() {
                first_terminator(function, block)
            } else {
                Some(insn)
            };
            let mut legaliser = Legaliser {
                function,
                isa,
                insn,
                block,
                before,
            };
            legaliser.immediates(generic, &mut known)?;
            if let Some(first) = address_place(legaliser.function, insn) {
                legaliser.address(first)?;
            }
        }
    }
    Ok(())
}

/// Returns the numbers of the operands that are integers and read.
const fn sources(generic: Generic) -> Range<usize> {
    use Generic as G;
    match generic {
        G::Add | G::Sub | G::Mul | G::Smulh | G::Umulh | G::And | G::Or | G::Xor => 1..3,
        G::Sdiv | G::Udiv | G::Srem | G::Urem => 1..3,
        G::Saddo | G::Uaddo | G::Ssubo | G::Usubo | G::Smulo | G::Umulo => 2..4,
        G::Icmp | G::Select => 2..4,
        G::BrIcmp => 1..3,
        G::Store => 0..1,
        _ => 0..0,
    }
}

struct Legaliser<'a, 'f> {
    function: &'a mut Function<'f>,
    isa: &'a dyn Isa,
    insn: InsnId,
    block: BlockId,
    /// The instruction that new ones are inserted before.
    before: Option<InsnId>,
}

impl Legaliser<'_, '_> {
    fn operand(&self, number: usize) -> Operand {
        let operands = self.function.operands(self.insn);
        operands.get(number).copied().unwrap_or(Operand::NO_REG)
    }

    fn set(&mut self, number: usize, operand: Operand) {
        if let Some(place) = self.function.operands_mut(self.insn).get_mut(number) {
            *place = operand;
        }
    }

    /// Returns a new register with the result of a 64-bit instruction.
    fn compute(&mut self, generic: Generic, sources: &[Operand]) -> Result<Operand, Error> {
        let to = new_int(self.function, self.isa)?;
        let (operands, len) = computation(to, sources);
        let operands = operands.get(..len).unwrap_or(&[]);
        let (opcode, ty) = (generic.into(), LowType::S64);
        (self.function).insert(self.block, self.before, opcode, ty, operands)?;
        Ok(to)
    }

    fn immediates(&mut self, generic: Generic, known: &mut NearbyConstants) -> Result<(), Error> {
        let ty = self.function.insn(self.insn).ty;
        for number in sources(generic) {
            let operand = self.operand(number);
            if let Some(value) = self.function.immediate(operand)
                && !(self.isa.takes_immediate(generic, ty, number, value)
                    && self.takes_immediate_at(generic))
            {
                let held = known.iter().flatten().find(|(held, _)| *held == value);
                let constant = match held {
                    Some(&(_, constant)) => constant,
                    None => {
                        let constant = self.compute(Generic::Constant, &[operand])?;
                        known.rotate_right(1);
                        known[0] = Some((value, constant));
                        constant
                    }
                };
                self.set(number, constant);
            }
        }
        Ok(())
    }

    /// Returns whether an instruction, if it is a store, takes its address while the stored value
    /// is an immediate.
    fn takes_immediate_at(&self, generic: Generic) -> bool {
        let form = (generic == Generic::Store).then(|| self.form(1)).flatten();
        form.is_none_or(|form| self.isa.takes_immediate_at(&form))
    }

    fn address(&mut self, first: usize) -> Result<(), Error> {
        if self.takes(first) || self.form(first).is_none() {
            return Ok(());
        }
        let none = Operand::NO_REG;
        let base = self.operand(first);
        // Perhaps only the scale is not taken.
        let is_taken = self.form(first).is_some_and(|form| {
            let ty = self.function.insn(self.insn).ty;
            self.isa
                .takes_address(ty, &AddressForm { scale: 1, ..form })
        });
        if base.as_frame().is_some() && self.operand(first + 1) != none && !is_taken {
            let base = self.compute(Generic::FrameIndex, &[base, Operand::imm(0)])?;
            self.set(first, base);
        }
        let scale = self.operand(first + 2).small().unwrap_or(1);
        if !self.takes(first) && scale > 1 && scale.count_ones() == 1 {
            let by = Operand::imm(scale.trailing_zeros() as i32);
            let scaled = self.compute(Generic::Shl, &[self.operand(first + 1), by])?;
            self.set(first + 1, scaled);
            self.set(first + 2, Operand::imm(1));
        }
        if !self.takes(first)
            && let (base, index) = (self.operand(first), self.operand(first + 1))
            && base.vreg().is_some()
            && index.vreg().is_some()
        {
            let sum = self.compute(Generic::Add, &[base, index])?;
            self.set(first, sum);
            self.set(first + 1, none);
        }
        Ok(())
    }

    /// Returns the form of the address, if its base is a register or a frame object.
    fn form(&self, first: usize) -> Option<AddressForm> {
        let [base, index] = [self.operand(first), self.operand(first + 1)];
        let is_register = |operand: Operand| operand.as_reg().is_some_and(|reg| reg != Reg::NONE);
        let has_frame = base.as_frame().is_some();
        (has_frame || is_register(base)).then_some(AddressForm {
            has_frame,
            has_index: is_register(index),
            scale: self.operand(first + 2).small()?,
            displacement: self.function.immediate(self.operand(first + 3))?,
        })
    }

    /// Returns whether the target takes the address.
    fn takes(&self, first: usize) -> bool {
        let ty = self.function.insn(self.insn).ty;
        let form = self.form(first);
        form.is_some_and(|form| !form.has_index || self.isa.takes_address(ty, &form))
    }
}
