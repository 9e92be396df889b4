//! Division and remainder by constants, without dividing. Floats are in [`reciprocals`].
//!
//! The quotient by `d` is the high part of the product with a number near a power of two over `d`,
//! shifted right. It is exact for all dividends if the number is rounded up and has enough bits
//! (Granlund and Montgomery, "Division by invariant integers using multiplication", 1994, whose
//! names are used here: `l` is the number of bits of `d - 1`).
//!
//! In SSA form a walk down the dominator tree knows the ranges of dividends ([`Ranges`]), if there
//! is a division by a constant at all. What is not negative is divided as if it had no sign, so
//! that a power of two needs one instruction, and a dividend of few bits one product without its
//! high half.

mod reciprocals;

use crate::codegen::analysis::constants::compute;
use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::ranges::{Range, Ranges, Steps, Walk};
use crate::codegen::opt::division::reciprocals::multiply_by_reciprocals;
use crate::machine::{
    BlockId, Function, Generic, InsnId, IntPredicate, LayoutCursor, LowType, Operand, OperandFlags,
};
use crate::mem::{Entity, OutOfMemory, Vec};
use crate::target::Isa;
use crate::target::emitter::new_int;
use crate::target::error::{Error, Phase};

/// Replaces divisions and remainders by constants by multiplications and shifts.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn divide(function: &mut Function<'_>, isa: &dyn Isa) -> Result<(), Error> {
    let quotients = Quotients::of(function);
    if quotients.floats {
        multiply_by_reciprocals(function)?;
    }
    if !quotients.integers {
        return Ok(());
    }
    let mut expanded = Vec::new(function.allocator());
    let mut layout = LayoutCursor::default();
    while let Some(block) = layout.next(function) {
        expand_in(function, isa, block, None, &mut expanded)?;
    }
    expanded.iter().for_each(|&insn| function.remove(insn));
    Ok(())
}

/// Does the same as [`divide`] in SSA form, by the ranges of dividends.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn divide_in_ranges(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    flow: &Flow<'_>,
) -> Result<(), Error> {
    let quotients = Quotients::of(function);
    if quotients.floats {
        multiply_by_reciprocals(function)?;
    }
    if !quotients.integers {
        return Ok(());
    }
    let tested = only_tested(function)?;
    let mut expanded = Vec::new(function.allocator());
    let mut walk = Walk::new(function)?;
    walk.learn_phis(function, flow, Steps::Followed)?;
    for &block in &flow.tree {
        walk.enter(function, flow, block)?;
        let known = Known {
            ranges: &walk.ranges,
            tested: &tested,
        };
        expand_in(function, isa, block, Some(&known), &mut expanded)?;
    }
    expanded.iter().for_each(|&insn| function.remove(insn));
    Ok(())
}

/// The divisions that a function has.
struct Quotients {
    /// True if integers are divided by constants.
    integers: bool,
    /// True if floats are divided.
    floats: bool,
}

impl Quotients {
    fn of(function: &Function<'_>) -> Quotients {
        let (mut integers, mut floats) = (false, false);
        for &block in &function.layout {
            for (insn, row) in function.rows(block) {
                floats |= row.opcode == Generic::Fdiv.into();
                integers |= constant_divisor(function, insn).is_some();
            }
        }
        Quotients { integers, floats }
    }
}

/// The facts that SSA form tells.
struct Known<'a, 'm> {
    ranges: &'a Ranges<'m>,
    /// True for registers of which nothing is read but whether they are 0.
    tested: &'a [bool],
}

/// Returns which registers are read by nothing but comparisons for equality with 0.
fn only_tested<'m>(function: &Function<'m>) -> Result<Vec<'m, bool>, OutOfMemory> {
    let mut tested = Vec::new(function.allocator());
    tested.resize(function.vreg_count(), true)?;
    for &block in &function.layout {
        for (_, row) in function.rows(block) {
            let operands = function.operands_of(row);
            let first = match row.opcode.generic() {
                Some(Generic::Icmp | Generic::Select) => 1,
                Some(Generic::BrIcmp) => 0,
                _ => operands.len(),
            };
            let is_test = match operands.get(first..).unwrap_or(&[]) {
                &[predicate, _, b, ..] => {
                    let predicate = predicate.as_int_predicate();
                    let is_equality =
                        matches!(predicate, Some(IntPredicate::Eq | IntPredicate::Ne));
                    is_equality && function.immediate(b) == Some(0)
                }
                _ => false,
            };
            for (number, operand) in operands.iter().enumerate() {
                let is_read_otherwise = !is_test || number != first + 1;
                if let Some(vreg) = operand.read_vreg().filter(|_| is_read_otherwise) {
                    tested[vreg.index()] = false;
                }
            }
        }
    }
    Ok(tested)
}

/// Emits the replacements of the divisions by constants in a block, which are not removed yet: the
/// ranges tell of instructions by their numbers.
fn expand_in(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    block: BlockId,
    known: Option<&Known<'_, '_>>,
    expanded: &mut Vec<'_, InsnId>,
) -> Result<(), Error> {
    let mut cursor = function.cursor(block);
    while let Some(insn) = cursor.next(function) {
        if let Some(divisor) = constant_divisor(function, insn) {
            Division::new(function, isa, insn, known).expand(divisor)?;
            expanded.push(insn)?;
        }
    }
    Ok(())
}

/// Returns the divisor of a division or remainder by a constant other than 0.
fn constant_divisor(function: &Function<'_>, insn: InsnId) -> Option<i64> {
    let row = function.insn(insn);
    let is_signed = match row.opcode.generic()? {
        Generic::Sdiv | Generic::Srem => true,
        Generic::Udiv | Generic::Urem => false,
        _ => return None,
    };
    let divisor = *function.operands(insn).get(2)?;
    let divisor = function.immediate(divisor)?;
    let d = match (row.ty, is_signed) {
        (LowType::S64, _) => divisor,
        (_, true) => i64::from(divisor as i32),
        (_, false) => i64::from(divisor as u32),
    };
    (d != 0).then_some(d)
}

/// Returns whether a divisor is plus or minus a power of two that leaves a remainder.
const fn is_power(d: i64) -> bool {
    let size = d.unsigned_abs();
    size.is_power_of_two() && size > 1 && size < 1 << 63
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
    /// The range of the register that it is in, and of the low half of that.
    range: Range,
    low: Range,
    /// True if nothing but whether it is 0 is asked of the result.
    is_tested: bool,
}

impl<'a, 'f> Division<'a, 'f> {
    fn new(
        function: &'a mut Function<'f>,
        isa: &'a dyn Isa,
        insn: InsnId,
        known: Option<&Known<'_, '_>>,
    ) -> Division<'a, 'f> {
        let ty = function.insn(insn).ty;
        let (to, n) = match function.operands(insn) {
            &[to, n, ..] => (to, n),
            _ => (Operand::NO_REG, Operand::NO_REG),
        };
        let (mut range, mut low) = ((i64::MIN, i64::MAX), (i64::MIN, i64::MAX));
        let mut is_tested = false;
        if let Some(Known { ranges, tested }) = known {
            (range, low) = (ranges.of(function, n), ranges.low(function, n));
            let tested = to.vreg().and_then(|to| tested.get(to.index()));
            is_tested = tested == Some(&true);
        }
        Division {
            function,
            isa,
            insn,
            ty,
            to,
            n,
            range,
            low,
            is_tested,
        }
    }

    /// Emits the replacement.
    fn expand(&mut self, d: i64) -> Result<(), Error> {
        let generic = self.function.insn(self.insn).opcode.generic();
        let generic = generic.ok_or(Phase::Optimisation.internal(Some(self.insn)))?;
        if let Some(n) = self.function.immediate(self.n)
            && let Some(value) = compute(generic, self.ty, n, d)
        {
            let value = self.function.int(value)?;
            return self.emit(Generic::Constant, LowType::S64, self.to, &[value]);
        }
        let is_signed = matches!(generic, Generic::Sdiv | Generic::Srem);
        let is_remainder = matches!(generic, Generic::Srem | Generic::Urem);
        let most = self.most(is_signed).filter(|_| d > 0 || !is_signed);
        match (is_remainder, is_signed, most) {
            (false, true, None) => self.signed_quotient(self.to, d),
            (false, _, most) => self.unsigned_quotient(self.to, d.cast_unsigned(), most),
            (true, true, None) if is_power(d) && self.is_tested => {
                let mask = self.function.int(d.unsigned_abs().cast_signed() - 1)?;
                self.emit(Generic::And, self.ty, self.to, &[self.n, mask])
            }
            (true, true, None) if is_power(d) => self.signed_remainder(d.trailing_zeros() as i32),
            (true, true, None) => {
                let quotient = self.temp()?;
                self.signed_quotient(quotient, d)?;
                self.remainder(quotient, d)
            }
            (true, _, most) => self.unsigned_remainder(d.cast_unsigned(), most),
        }
    }

    /// Returns the greatest value that the dividend may have, if its bits are the same number with
    /// a sign and without.
    fn most(&self, is_signed: bool) -> Option<u64> {
        let (low, high) = match self.ty {
            LowType::S64 => self.range,
            _ if !is_signed && self.is_clean() => self.range,
            _ => self.low,
        };
        (low >= 0).then_some(high.cast_unsigned())
    }

    /// Returns whether the register of a dividend of 32 bits has zeros above them.
    fn is_clean(&self) -> bool {
        let (low, high) = self.range;
        low >= 0 && high <= i64::from(u32::MAX)
    }

    /// Emits the remainder, by the quotient.
    fn remainder(&mut self, quotient: Operand, d: i64) -> Result<(), Error> {
        let d = self.function.int(d)?;
        let product = self.compute(Generic::Mul, self.ty, &[quotient, d])?;
        self.emit(Generic::Sub, self.ty, self.to, &[self.n, product])
    }

    // ---- unsigned

    fn unsigned_remainder(&mut self, d: u64, most: Option<u64>) -> Result<(), Error> {
        if most.is_some_and(|most| most < d) {
            return self.emit(Generic::Copy, LowType::S64, self.to, &[self.n]);
        }
        if d.is_power_of_two() {
            let mask = self.function.int((d - 1).cast_signed())?;
            return self.emit(Generic::And, self.ty, self.to, &[self.n, mask]);
        }
        let quotient = self.temp()?;
        self.unsigned_quotient(quotient, d, most)?;
        self.remainder(quotient, d.cast_signed())
    }

    /// Emits the quotient of a dividend that is at most `most`, if that is known.
    fn unsigned_quotient(&mut self, to: Operand, d: u64, most: Option<u64>) -> Result<(), Error> {
        if most.is_some_and(|most| most < d) {
            let zero = Operand::imm(0);
            return self.emit(Generic::Constant, LowType::S64, to, &[zero]);
        }
        if d.is_power_of_two() {
            let by = Operand::imm(d.trailing_zeros() as i32);
            return self.emit(Generic::Lshr, self.ty, to, &[self.n, by]);
        }
        let l = u64::BITS - (d - 1).leading_zeros();
        let bits = most.map_or(64, |most| u64::BITS - most.leading_zeros());
        if bits <= 32
            && let Some((number, shift)) = short_reciprocal(d, l, bits, 0, 64 - bits)
        {
            let n = self.extended(Generic::ZextInreg)?;
            let number = self.function.int(number.cast_signed())?;
            let product = self.compute(Generic::Mul, LowType::S64, &[n, number])?;
            let by = Operand::imm((bits + shift) as i32);
            return self.emit(Generic::Lshr, LowType::S64, to, &[product, by]);
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
        if let Some((zeros, number, shift)) = halved_reciprocal(d, l, bits) {
            let n = match zeros {
                0 => n,
                _ => self.compute(Generic::Lshr, ty, &[n, Operand::imm(zeros as i32)])?,
            };
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
        let is_short = self.is_short(d);
        let size = d.unsigned_abs();
        let quotient = if d < 0 { self.temp()? } else { to };
        if size == 1 {
            let zero = Operand::imm(0);
            self.emit(Generic::Add, LowType::S64, quotient, &[n, zero])?;
        } else if size.is_power_of_two() {
            // Rounding is toward zero: negative dividends, which a shift would round down, are
            // raised before.
            let k = size.trailing_zeros() as i32;
            let lift = self.lift(n, k, is_short)?;
            let sum = self.compute(Generic::Add, LowType::S64, &[n, lift])?;
            let by = Operand::imm(k);
            self.emit(Generic::Ashr, LowType::S64, quotient, &[sum, by])?;
        } else {
            let sign = self.sign(n)?;
            let down = self.signed_high(n, size, if is_short { 32 } else { 64 })?;
            self.emit(Generic::Sub, LowType::S64, quotient, &[down, sign])?;
        }
        if d < 0 {
            let zero = Operand::imm(0);
            self.emit(Generic::Sub, LowType::S64, to, &[zero, quotient])?;
        }
        Ok(())
    }

    /// Emits the remainder by 2 to the power of `k`: the low bits of what is raised as for the
    /// quotient, which is taken back.
    fn signed_remainder(&mut self, k: i32) -> Result<(), Error> {
        let n = self.extended(Generic::SextInreg)?;
        let lift = self.lift(n, k, self.is_short(1 << k))?;
        let sum = self.compute(Generic::Add, LowType::S64, &[n, lift])?;
        let mask = self.function.int((1 << k) - 1)?;
        let low = self.compute(Generic::And, LowType::S64, &[sum, mask])?;
        self.emit(Generic::Sub, LowType::S64, self.to, &[low, lift])
    }

    /// Returns what has to be added to a dividend before a shift by `k` for its quotient to be
    /// rounded toward zero: 2 to the power of `k`, less 1, if it is negative, else 0.
    fn lift(&mut self, n: Operand, k: i32, is_short: bool) -> Result<Operand, Error> {
        // All but the low 31 bits of an extended value are its sign.
        let is_sign = k == 1 || is_short;
        let signs = if is_sign { n } else { self.sign(n)? };
        let by = Operand::imm(64 - k);
        self.compute(Generic::Lshr, LowType::S64, &[signs, by])
    }

    /// Returns a value of which all 64 bits are the sign.
    fn sign(&mut self, n: Operand) -> Result<Operand, Error> {
        self.compute(Generic::Ashr, LowType::S64, &[n, Operand::imm(63)])
    }

    /// Returns the quotient, rounded down, of a dividend of so many bits by a divisor that is no
    /// power of two.
    fn signed_high(&mut self, n: Operand, d: u64, bits: u32) -> Result<Operand, Error> {
        let l = u64::BITS - (d - 1).leading_zeros();
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

    /// Returns whether the register of the dividend holds a number of 32 bits with its sign.
    fn is_extended(&self) -> bool {
        let (low, high) = self.range;
        low >= i64::from(i32::MIN) && high <= i64::from(i32::MAX)
    }

    /// Returns whether the dividend, once it is extended, and the divisor are numbers of 32 bits.
    fn is_short(&self, d: i64) -> bool {
        self.ty != LowType::S64 || self.is_extended() && i32::try_from(d).is_ok()
    }

    /// Returns the dividend extended to 64 bits.
    fn extended(&mut self, generic: Generic) -> Result<Operand, Error> {
        let is_extended = match generic {
            Generic::SextInreg => self.is_extended(),
            _ => self.is_clean(),
        };
        if self.ty == LowType::S64 || is_extended {
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

/// Returns a number of at most `room` bits, and a shift of the product without its lowest `bits`
/// bits, that yield the quotient by `d` of every `bits`-bit dividend of which the `zeros` highest
/// bits are 0, if there are any.
fn short_reciprocal(d: u64, l: u32, bits: u32, zeros: u32, room: u32) -> Option<(u64, u32)> {
    let d = u128::from(d);
    (0..=l.min(63)).find_map(|shift| {
        let power = 1_u128 << (bits + shift);
        let number = power.div_ceil(d);
        let is_exact = number * d - power <= 1 << (shift + zeros);
        (is_exact && number >> room == 0).then_some((number as u64, shift))
    })
}

/// Returns how often a divisor and each dividend of `bits` bits are halved first, and the number
/// and the shift of [`short_reciprocal`] then, if there are any. Halving an even divisor leaves
/// fewer bits of the dividend, for which a number of fewer bits is exact.
fn halved_reciprocal(d: u64, l: u32, bits: u32) -> Option<(u32, u64, u32)> {
    [0, d.trailing_zeros()].into_iter().find_map(|zeros| {
        let found = short_reciprocal(d >> zeros, l - zeros, bits, zeros, bits);
        found.map(|(number, shift)| (zeros, number, shift))
    })
}

#[cfg(test)]
mod tests {
    use super::halved_reciprocal;

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
            let Some((zeros, number, shift)) = halved_reciprocal(d, l, 32) else {
                assert_eq!(d % 2, 1, "an even divisor has a number: {d}");
                continue;
            };
            let last = u64::from(u32::MAX);
            for multiple in (0..=20).map(|k| last / d * k / 20 * d) {
                for n in [multiple.wrapping_sub(1), multiple, multiple + 1, last] {
                    if n <= last {
                        assert_eq!(((n >> zeros) * number) >> (32 + shift), n / d, "{n} / {d}");
                    }
                }
            }
        }
    }
}
