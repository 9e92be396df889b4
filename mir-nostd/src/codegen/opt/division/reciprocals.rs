//! Division of floats and doubles by powers of two: a product with the reciprocal, which is a power
//! of two as well.
//!
//! Quotient and product are the same real number before rounding, so they round alike in every
//! mode; zeros, infinities and NaNs come out alike, too. Powers whose reciprocal is no normal
//! number are left alone, and so are divisors that have another definition. Use-def chains tell
//! them, which are made only where floats are divided.

use crate::machine::{
    Function, Generic, InsnId, LayoutCursor, LowType, Operand, OperandFlags, UseDefs,
};
use crate::mem::Vec;
use crate::target::error::Error;

/// A quotient by a power of two.
struct Quotient {
    insn: InsnId,
    /// The instruction that defines the divisor.
    divisor: InsnId,
    is_read_once: bool,
    /// The bits of the reciprocal.
    reciprocal: i64,
}

/// Replaces quotients by powers of two by products.
///
/// # Errors
///
/// Out of memory.
pub(super) fn multiply_by_reciprocals(function: &mut Function<'_>) -> Result<(), Error> {
    let chains = UseDefs::new(function, function.allocator())?;
    let mut unread = Vec::new(function.allocator());
    let mut layout = LayoutCursor::default();
    while let Some(block) = layout.next(function) {
        let mut cursor = function.cursor(block);
        while let Some(insn) = cursor.next(function) {
            if let Some(quotient) = quotient_by_power(function, &chains, insn) {
                multiply(function, &quotient)?;
                if quotient.is_read_once {
                    unread.push(quotient.divisor)?;
                }
            }
        }
    }
    unread.iter().for_each(|&divisor| function.remove(divisor));
    Ok(())
}

/// Returns the quotient that an instruction computes, if that is one by a power of two.
fn quotient_by_power(
    function: &Function<'_>,
    chains: &UseDefs<'_>,
    insn: InsnId,
) -> Option<Quotient> {
    let row = function.insn(insn);
    if row.opcode.generic() != Some(Generic::Fdiv) {
        return None;
    }
    let vreg = function.operands(insn).get(2)?.vreg()?;
    let divisor = chains.definition(vreg)?;
    if function.insn(divisor).opcode.generic() != Some(Generic::FConstant) {
        return None;
    }
    let bits = function.immediate(*function.operands(divisor).get(1)?)?;
    Some(Quotient {
        insn,
        divisor,
        is_read_once: chains.uses(vreg).len() == 1,
        reciprocal: reciprocal_of_power(row.ty, bits)?,
    })
}

/// Returns the bits of the reciprocal of the power of two with these bits, if both are normal.
fn reciprocal_of_power(ty: LowType, bits: i64) -> Option<i64> {
    match ty {
        LowType::S64 => {
            let power = f64::from_bits(bits.cast_unsigned());
            let reciprocal = 1.0 / power;
            let fraction = bits & ((1 << (f64::MANTISSA_DIGITS - 1)) - 1);
            let is_exact = fraction == 0 && power.is_normal() && reciprocal.is_normal();
            is_exact.then(|| reciprocal.to_bits().cast_signed())
        }
        LowType::S32 => {
            let power = f32::from_bits(bits as u32);
            let reciprocal = 1.0 / power;
            let fraction = bits & ((1 << (f32::MANTISSA_DIGITS - 1)) - 1);
            let is_exact = fraction == 0 && power.is_normal() && reciprocal.is_normal();
            is_exact.then(|| reciprocal.to_bits().into())
        }
        _ => None,
    }
}

/// Replaces a quotient by a product with a new constant. The divisor is not changed in its place,
/// as it may be what a variable holds.
fn multiply(function: &mut Function<'_>, quotient: &Quotient) -> Result<(), Error> {
    let &[to, dividend, divisor] = function.operands(quotient.insn) else {
        return Ok(());
    };
    let Some(divisor) = divisor.vreg() else {
        return Ok(());
    };
    let row = function.insn(quotient.insn);
    let (block, ty) = (row.block(), row.ty);
    let info = function.vreg(divisor);
    let factor = Operand::from(function.add_vreg(info)?);
    let constant = [
        factor.with(OperandFlags::DEF),
        function.int(quotient.reciprocal)?,
    ];
    let next = Some(quotient.insn);
    function.insert(block, next, Generic::FConstant.into(), ty, &constant)?;
    Ok(function.replace(quotient.insn, Generic::Fmul, ty, &[to, dividend, factor])?)
}

#[cfg(test)]
mod tests {
    use super::reciprocal_of_power;
    use crate::machine::LowType;

    #[test]
    fn reciprocals_are_exact_and_normal() {
        let double = |power: f64| {
            let bits = reciprocal_of_power(LowType::S64, power.to_bits().cast_signed());
            bits.map(|bits| f64::from_bits(bits.cast_unsigned()))
        };
        let float = |power: f32| {
            let bits = reciprocal_of_power(LowType::S32, power.to_bits().into());
            bits.map(|bits| f32::from_bits(bits as u32))
        };
        assert_eq!(double(16.0), Some(0.0625));
        assert_eq!(double(-0.5), Some(-2.0));
        assert_eq!(double(f64::MIN_POSITIVE), Some(2.0_f64.powi(1022)));
        assert_eq!(double(2.0_f64.powi(1022)), Some(f64::MIN_POSITIVE));
        assert_eq!(double(2.0_f64.powi(1023)), None);
        assert_eq!(double(f64::MIN_POSITIVE / 2.0), None);
        assert_eq!(float(-8.0), Some(-0.125));
        assert_eq!(float(2.0_f32.powi(126)), Some(f32::MIN_POSITIVE));
        assert_eq!(float(2.0_f32.powi(127)), None);
        for other in [0.0, -0.0, 3.0, 0.1, f64::INFINITY, f64::NAN] {
            assert_eq!(double(other), None);
            assert_eq!(float(other as f32), None);
        }
    }
}
