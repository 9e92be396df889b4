//! Division and remainder by constants, without dividing.
//!
//! The quotient by `d` is the high part of the product with a number near a power of two over `d`,
//! shifted right. It is exact for all dividends if the number is rounded up and has enough bits
//! (Granlund and Montgomery, "Division by invariant integers using multiplication", 1994, whose
//! names are used here: `l` is the number of bits of `d - 1`).

use crate::machine::{
    Function, Generic, InsnId, IntPredicate, LayoutCursor, LowType, Operand, OperandFlags,
};
use crate::target::Isa;
use crate::target::emitter::new_int;
use crate::target::error::Error;

/// Replaces divisions and remainders by constants by multiplications and shifts.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn divide(function: &mut Function<'_>, isa: &dyn Isa) -> Result<(), Error> {
    let mut layout = LayoutCursor::default();
    while let Some(block) = layout.next(function) {
        let mut cursor = function.cursor(block);
        while let Some(insn) = cursor.next(function) {
            let is_division = matches!(
                function.insn(insn).opcode.generic(),
                Some(Generic::Sdiv | Generic::Udiv | Generic::Srem | Generic::Urem)
            );
            if is_division {
                let mut division = Division::new(function, isa, insn);
                if division.expand()? {
                    function.remove(insn);
                }
            }
        }
    }
    Ok(())
}

/// A division being replaced.
struct Division<'a, 'f> {
    function: &'a mut Function<'f>,
    isa: &'a dyn Isa,
    insn: InsnId,
    ty: LowType,
    to: Operand,
    /// The dividend.
    n: Operand,
}

impl<'a, 'f> Division<'a, 'f> {
    fn new(function: &'a mut Function<'f>, isa: &'a dyn Isa, insn: InsnId) -> Division<'a, 'f> {
        let ty = function.insn(insn).ty;
        let (to, n) = match function.operands(insn) {
            &[to, n, ..] => (to, n),
            _ => (Operand::NO_REG, Operand::NO_REG),
        };
        Division {
            function,
            isa,
            insn,
            ty,
            to,
            n,
        }
    }

    /// Emits the replacement. Returns whether there is one: the divisor must be a constant other
    /// than 0, and the dividend no constant.
    fn expand(&mut self) -> Result<bool, Error> {
        let divisor = self.function.operands(self.insn).get(2).copied();
        let divisor = divisor.and_then(|divisor| self.function.immediate(divisor));
        let (Some(divisor), Some(_)) = (divisor, self.n.as_reg()) else {
            return Ok(false);
        };
        let is_wide = self.ty == LowType::S64;
        let generic = self.function.insn(self.insn).opcode.generic();
        let is_signed = matches!(generic, Some(Generic::Sdiv | Generic::Srem));
        let is_remainder = matches!(generic, Some(Generic::Srem | Generic::Urem));
        let d = match (is_wide, is_signed) {
            (true, _) => divisor,
            (false, true) => i64::from(divisor as i32),
            (false, false) => i64::from(divisor as u32),
        };
        if d == 0 {
            return Ok(false);
        }
        if is_remainder && !is_signed && d.cast_unsigned().is_power_of_two() {
            let mask = self.function.int(d.wrapping_sub(1))?;
            self.emit(Generic::And, self.ty, self.to, &[self.n, mask])?;
            return Ok(true);
        }
        let target = if is_remainder { self.temp()? } else { self.to };
        if is_signed {
            self.signed_quotient(target, d)?;
        } else {
            self.unsigned_quotient(target, d.cast_unsigned())?;
        }
        if is_remainder {
            let d = self.function.int(d)?;
            let product = self.compute(Generic::Mul, self.ty, &[target, d])?;
            self.emit(Generic::Sub, self.ty, self.to, &[self.n, product])?;
        }
        Ok(true)
    }

    // ---- unsigned

    fn unsigned_quotient(&mut self, to: Operand, d: u64) -> Result<(), Error> {
        if d.is_power_of_two() {
            let by = Operand::imm(d.trailing_zeros() as i32);
            return self.emit(Generic::Lshr, self.ty, to, &[self.n, by]);
        }
        let bits = self.ty.bits();
        if bits == 64 && d > 1 << 63 {
            let d = self.function.int(d.cast_signed())?;
            let at_least = Operand::int_predicate(IntPredicate::Uge);
            return self.emit(Generic::Icmp, self.ty, to, &[at_least, self.n, d]);
        }
        let n = if self.multiplies_half() {
            self.n
        } else {
            self.extended(Generic::ZextInreg)?
        };
        let ty = self.width();
        let l = u64::BITS - (d - 1).leading_zeros();
        if let Some((number, shift)) = short_reciprocal(d, l, bits) {
            return self.unsigned_high(to, n, number, shift);
        }
        // The number has one bit more than a register: its top bit, 2 to the power of `bits`, is
        // added separately.
        let power = 1_u128 << bits;
        let number = power * ((1_u128 << l) - u128::from(d)) / u128::from(d) + 1;
        let high = self.temp()?;
        self.unsigned_high(high, n, number as u64, 0)?;
        let rest = self.compute(Generic::Sub, ty, &[n, high])?;
        let half = self.compute(Generic::Lshr, ty, &[rest, Operand::imm(1)])?;
        let sum = self.compute(Generic::Add, ty, &[half, high])?;
        let by = Operand::imm(l as i32 - 1);
        self.emit(Generic::Lshr, ty, to, &[sum, by])
    }

    /// Returns whether the high half of a 32-bit unsigned product is one instruction.
    fn multiplies_half(&self) -> bool {
        self.ty != LowType::S64 && self.isa.description().has(Generic::Umulh)
    }

    /// Returns the type in which an unsigned quotient is computed.
    fn width(&self) -> LowType {
        if self.multiplies_half() {
            self.ty
        } else {
            LowType::S64
        }
    }

    /// Computes `to` as n times a number of as many bits as the type, the high part shifted right.
    fn unsigned_high(
        &mut self,
        to: Operand,
        n: Operand,
        number: u64,
        shift: u32,
    ) -> Result<(), Error> {
        let ty = self.width();
        let (generic, shift, number) = if ty == self.ty {
            let number = match ty {
                LowType::S64 => number.cast_signed(),
                _ => i64::from(number as i32),
            };
            (Generic::Umulh, shift, number)
        } else {
            (Generic::Mul, shift + 32, number.cast_signed())
        };
        let number = self.function.int(number)?;
        let product = self.compute(generic, ty, &[n, number])?;
        let by = Operand::imm(shift as i32);
        self.emit(Generic::Lshr, ty, to, &[product, by])
    }

    // ---- signed

    fn signed_quotient(&mut self, to: Operand, d: i64) -> Result<(), Error> {
        let n = self.extended(Generic::SextInreg)?;
        let size = d.unsigned_abs();
        let quotient = if d < 0 { self.temp()? } else { to };
        if size == 1 {
            let zero = Operand::imm(0);
            self.emit(Generic::Add, LowType::S64, quotient, &[n, zero])?;
        } else if size.is_power_of_two() {
            // Rounding is toward zero: negative dividends, which a shift would round down, are
            // raised before.
            let k = size.trailing_zeros() as i32;
            let by = Operand::imm(64 - k);
            // All but the low 31 bits of an extended value are its sign.
            let is_sign = k == 1 || self.ty != LowType::S64;
            let signs = if is_sign { n } else { self.sign(n)? };
            let lift = self.compute(Generic::Lshr, LowType::S64, &[signs, by])?;
            let sum = self.compute(Generic::Add, LowType::S64, &[n, lift])?;
            let by = Operand::imm(k);
            self.emit(Generic::Ashr, LowType::S64, quotient, &[sum, by])?;
        } else {
            let sign = self.sign(n)?;
            let down = self.signed_high(n, size)?;
            self.emit(Generic::Sub, LowType::S64, quotient, &[down, sign])?;
        }
        if d < 0 {
            let zero = Operand::imm(0);
            self.emit(Generic::Sub, LowType::S64, to, &[zero, quotient])?;
        }
        Ok(())
    }

    /// Returns a value of which all 64 bits are the sign.
    fn sign(&mut self, n: Operand) -> Result<Operand, Error> {
        self.compute(Generic::Ashr, LowType::S64, &[n, Operand::imm(63)])
    }

    /// Returns the quotient rounded down, by a divisor that is no power of two.
    fn signed_high(&mut self, n: Operand, d: u64) -> Result<Operand, Error> {
        let l = u64::BITS - (d - 1).leading_zeros();
        let bits = self.ty.bits();
        let number = (1_u128 << (bits - 1 + l)) / u128::from(d) + 1;
        let number = self.function.int(number as i64)?;
        if bits == 32 {
            let product = self.compute(Generic::Mul, LowType::S64, &[n, number])?;
            let by = Operand::imm(31 + l as i32);
            return self.compute(Generic::Ashr, LowType::S64, &[product, by]);
        }
        // The number does not fit: the signed operand is 2 to the power of 64 less than it.
        let high = self.compute(Generic::Smulh, LowType::S64, &[n, number])?;
        let sum = self.compute(Generic::Add, LowType::S64, &[high, n])?;
        let by = Operand::imm(l as i32 - 1);
        self.compute(Generic::Ashr, LowType::S64, &[sum, by])
    }

    // ---- emission

    /// Returns the dividend extended to 64 bits.
    fn extended(&mut self, generic: Generic) -> Result<Operand, Error> {
        if self.ty == LowType::S64 {
            return Ok(self.n);
        }
        self.compute(generic, LowType::S64, &[self.n, Operand::imm(32)])
    }

    fn temp(&mut self) -> Result<Operand, Error> {
        Ok(new_int(self.function, self.isa)?)
    }

    /// Emits an instruction with a new register for its result.
    fn compute(
        &mut self,
        generic: Generic,
        ty: LowType,
        from: &[Operand],
    ) -> Result<Operand, Error> {
        let to = self.temp()?;
        self.emit(generic, ty, to, from)?;
        Ok(to)
    }

    fn emit(
        &mut self,
        generic: Generic,
        ty: LowType,
        to: Operand,
        from: &[Operand],
    ) -> Result<(), Error> {
        let mut operands = [to.with(OperandFlags::DEF); 4];
        for (place, &operand) in operands.iter_mut().skip(1).zip(from) {
            *place = operand.without(OperandFlags::DEF);
        }
        let operands = operands.get(..=from.len()).unwrap_or(&[]);
        let block = self.function.insn(self.insn).block();
        (self.function).insert(block, Some(self.insn), generic.into(), ty, operands)?;
        Ok(())
    }
}

/// Returns a number of at most `bits` bits, and a shift of the product's high part, that yield the
/// quotient by `d` of every `bits`-bit dividend, if there are any.
fn short_reciprocal(d: u64, l: u32, bits: u32) -> Option<(u64, u32)> {
    let d = u128::from(d);
    (0..=l.min(63)).find_map(|shift| {
        let power = 1_u128 << (bits + shift);
        let number = power.div_ceil(d);
        let is_exact = number * d - power <= 1 << shift;
        (is_exact && number >> bits == 0).then_some((number as u64, shift))
    })
}

#[cfg(test)]
mod tests {
    use super::short_reciprocal;

    /// Tries the condition of the theorem where a mistake would show: around multiples of the
    /// divisor.
    #[test]
    fn short_reciprocals_are_exact() {
        // Miri takes thousands of times as long.
        let many = if cfg!(miri) { 12 } else { 2000_u64 };
        for d in (3..many).chain([641, 10_000, 1_000_000_007, 0xFFFF_FFFF]) {
            if d.is_power_of_two() {
                continue;
            }
            let l = u64::BITS - (d - 1).leading_zeros();
            let Some((number, shift)) = short_reciprocal(d, l, 32) else {
                continue;
            };
            let last = u64::from(u32::MAX);
            for multiple in (0..=20).map(|k| last / d * k / 20 * d) {
                for n in [multiple.wrapping_sub(1), multiple, multiple + 1, last] {
                    if n <= last {
                        assert_eq!((n * number) >> (32 + shift), n / d, "{n} / {d}");
                    }
                }
            }
        }
    }
}
