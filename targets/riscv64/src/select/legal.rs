//! The immediates that instructions take without a register.

use super::small;
use crate::constant::steps;
use mir_nostd::machine::{Generic, LowType};

/// Returns whether the instruction for a generic one takes an integer as its operand of this
/// number; for constants, whether one instruction makes them.
pub(super) fn takes_immediate(generic: Generic, ty: LowType, number: usize, value: i64) -> bool {
    use Generic as G;
    let value = if ty == LowType::S64 {
        value
    } else {
        i64::from(value as i32)
    };
    let is_small = small(value).is_some();
    let is_power = |value: i64| value > 0 && value.count_ones() == 1;
    match generic {
        G::Add | G::Or | G::Xor => is_small,
        G::Sub => value == 0 || number == 2 && small(value.wrapping_neg()).is_some(),
        // Masks of low or of high bits are two shifts.
        G::And => {
            let is_low = value.trailing_ones() + value.leading_zeros() == 64;
            let is_high = value.trailing_zeros() + value.leading_ones() == 64;
            is_small || is_low || is_high && ty == LowType::S64
        }
        G::Mul => {
            let near = [value, value.wrapping_sub(1), value.wrapping_add(1)];
            near.into_iter().any(is_power)
        }
        G::Icmp => small(value.wrapping_add(1)).is_some() && is_small,
        G::Constant => steps(value).len() == 1,
        G::BrIcmp | G::Store | G::FConstant => value == 0,
        G::Saddo | G::Uaddo | G::Ssubo | G::Usubo | G::Smulo | G::Umulo => value == 0,
        G::Sdiv | G::Udiv | G::Srem | G::Urem | G::Smulh | G::Umulh => value == 0,
        _ => true,
    }
}
