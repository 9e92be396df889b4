//! Constant folding of generic instructions, by the meaning that [`crate::num::fold`] gives them.

use crate::machine::{Facts, Function, Generic, InsnId, IntPredicate, LowType, Operand};
use crate::num::Operation;

/// Returns the result of an integer instruction if `value` returns the constants that its sources
/// hold.
pub(crate) fn evaluate(
    function: &Function<'_>,
    insn: InsnId,
    value: impl Fn(Operand) -> Option<i64>,
) -> Option<i64> {
    let row = function.insn(insn);
    let generic = row.opcode.generic()?;
    match (generic, function.operands(insn)) {
        (Generic::Constant | Generic::Copy, &[_, a]) => value(a),
        (Generic::SextInreg | Generic::ZextInreg, &[_, a, bits]) => {
            let is_signed = generic == Generic::SextInreg;
            Some(extended(value(a)?, is_signed, bits.small()?))
        }
        (Generic::Icmp, &[_, predicate, a, b]) => {
            let predicate = predicate.as_int_predicate()?;
            Some(i64::from(holds(predicate, row.ty, value(a)?, value(b)?)))
        }
        (Generic::Sdiv | Generic::Udiv | Generic::Srem | Generic::Urem, &[_, a, b]) => {
            compute(generic, row.ty, value(a)?, value(b)?)
        }
        (_, &[_, a, b]) if generic.is(Facts::COMPUTED) => {
            compute(generic, row.ty, value(a)?, value(b)?)
        }
        (_, &[_, a]) => {
            let result = operation(generic)?.of_ints(row.ty.bits(), value(a)?.cast_unsigned(), 0);
            Some(result.cast_signed())
        }
        (Generic::Rotl, &[_, a, b]) => {
            let [a, b] = [value(a)?.cast_unsigned(), value(b)?.cast_unsigned()];
            Some(Operation::Rotl.of_ints(row.ty.bits(), a, b).cast_signed())
        }
        _ => None,
    }
}

/// Returns the operation on one integer that an instruction is.
const fn operation(generic: Generic) -> Option<Operation> {
    Some(match generic {
        Generic::Ctlz => Operation::Clz,
        Generic::Cttz => Operation::Ctz,
        Generic::Ctpop => Operation::Popcnt,
        Generic::Bswap => Operation::Bswap,
        Generic::Bitreverse => Operation::Bitrev,
        _ => return None,
    })
}

/// Returns the low bits of a constant, sign-extended or zero-extended.
pub(crate) fn extended(value: i64, is_signed: bool, bits: i32) -> i64 {
    let shift = 64 - bits.clamp(1, 64);
    let high = value << shift;
    if is_signed {
        high >> shift
    } else {
        (high.cast_unsigned() >> shift).cast_signed()
    }
}

/// Returns whether a comparison of constants holds.
pub(crate) fn holds(predicate: IntPredicate, ty: LowType, a: i64, b: i64) -> bool {
    let (a, b) = match ty {
        LowType::S32 => (i64::from(a as i32), i64::from(b as i32)),
        _ => (a, b),
    };
    let (low, high) = (a.cast_unsigned(), b.cast_unsigned());
    match predicate {
        IntPredicate::Eq => a == b,
        IntPredicate::Ne => a != b,
        IntPredicate::Slt => a < b,
        IntPredicate::Sle => a <= b,
        IntPredicate::Sgt => a > b,
        IntPredicate::Sge => a >= b,
        IntPredicate::Ult => low < high,
        IntPredicate::Ule => low <= high,
        IntPredicate::Ugt => low > high,
        IntPredicate::Uge => low >= high,
    }
}

/// Returns the result of an instruction on constants, if it can be folded.
pub(crate) fn compute(generic: Generic, ty: LowType, a: i64, b: i64) -> Option<i64> {
    use crate::num::fold;
    let short = ty == LowType::S32;
    let compute: fn(i64, i64) -> i64 = match (generic, short) {
        (Generic::Add, false) => fold::add,
        (Generic::Add, true) => fold::adds,
        (Generic::Sub, false) => fold::sub,
        (Generic::Sub, true) => fold::subs,
        (Generic::Mul, false) => fold::mul,
        (Generic::Mul, true) => fold::muls,
        (Generic::And, false) => fold::and,
        (Generic::Or, false) => fold::or,
        (Generic::Xor, false) => fold::xor,
        (Generic::Shl, false) => fold::lsh,
        (Generic::Shl, true) => fold::lshs,
        (Generic::Lshr, false) => fold::ursh,
        (Generic::Lshr, true) => fold::urshs,
        (Generic::Ashr, false) => fold::rsh,
        (Generic::Ashr, true) => fold::rshs,
        _ => return division(generic, short).and_then(|divide| divide(a, b)),
    };
    Some(compute(a, b))
}

/// Returns the function that divides constants: it has no result for a divisor of 0.
fn division(generic: Generic, short: bool) -> Option<fn(i64, i64) -> Option<i64>> {
    use crate::num::fold;
    Some(match (generic, short) {
        (Generic::Sdiv, false) => fold::div,
        (Generic::Sdiv, true) => fold::divs,
        (Generic::Udiv, false) => fold::udiv,
        (Generic::Udiv, true) => fold::udivs,
        (Generic::Srem, false) => fold::r#mod,
        (Generic::Srem, true) => fold::mods,
        (Generic::Urem, false) => fold::umod,
        (Generic::Urem, true) => fold::umods,
        _ => return None,
    })
}
