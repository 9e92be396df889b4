//! Division of floats and doubles by powers of two: a product with the reciprocal, which is a power
//! of two as well.
//!
//! Quotient and product are the same real number before rounding, so they round alike in every
//! mode; zeros, infinities and NaNs come out alike, too. Powers whose reciprocal is no normal
//! number are left alone. One pass over the function collects its constants, a second one replaces
//! the quotients; both are left out where nothing is divided.

use crate::machine::{Function, Generic, InsnId, LayoutCursor, LowType, Operand, OperandFlags};
use crate::mem::{Entity, OutOfMemory, Vec};
use crate::target::error::Error;

/// The definitions and reads of a virtual register.
#[derive(Clone, Copy)]
struct Register {
    definitions: u32,
    reads: u32,
    /// The last definition by a floating constant, and its bits.
    constant: Option<(InsnId, i64)>,
}

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
    let registers = registers(function)?;
    let mut unread = Vec::new(function.allocator());
    let mut layout = LayoutCursor::default();
    while let Some(block) = layout.next(function) {
        let mut cursor = function.cursor(block);
        while let Some(insn) = cursor.next(function) {
            if let Some(quotient) = quotient_by_power(function, &registers, insn) {
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

/// Returns what the function does with each virtual register.
fn registers<'m>(function: &Function<'m>) -> Result<Vec<'m, Register>, OutOfMemory> {
    let mut registers = Vec::new(function.allocator());
    let unused = Register {
        definitions: 0,
        reads: 0,
        constant: None,
    };
    registers.resize(function.vreg_count(), unused)?;
    for &block in &function.layout {
        for (insn, row) in function.rows(block) {
            let operands = function.operands_of(row);
            for operand in operands {
                if let Some(vreg) = operand.vreg() {
                    let register: &mut Register = &mut registers[vreg.index()];
                    register.definitions += u32::from(operand.is_def());
                    register.reads += u32::from(!operand.is_def());
                }
            }
            if let (Some(Generic::FConstant), &[to, bits]) = (row.opcode.generic(), operands)
                && let (Some(vreg), Some(bits)) = (to.vreg(), function.immediate(bits))
            {
                registers[vreg.index()].constant = Some((insn, bits));
            }
        }
    }
    Ok(registers)
}

/// Returns the quotient that an instruction computes, if that is one by a power of two.
fn quotient_by_power(
    function: &Function<'_>,
    registers: &[Register],
    insn: InsnId,
) -> Option<Quotient> {
    let row = function.insn(insn);
    if row.opcode.generic() != Some(Generic::Fdiv) {
        return None;
    }
    let divisor = function.operands(insn).get(2)?.vreg()?;
    let register = registers.get(divisor.index())?;
    let (divisor, bits) = register.constant?;
    let reciprocal = reciprocal_of_power(row.ty, bits)?;
    (register.definitions == 1).then_some(Quotient {
        insn,
        divisor,
        is_read_once: register.reads == 1,
        reciprocal,
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
