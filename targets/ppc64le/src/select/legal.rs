//! The integers that instructions take directly.

use super::int::{is_mask, run};
use crate::encode::is_long;
use mir_nostd::machine::{Generic, LowType};

/// Returns whether the instruction for a generic one takes an integer as its operand of this
/// number, by one instruction or two that need no further register.
pub(super) fn takes_immediate(
    generic: Generic,
    ty: LowType,
    number: usize,
    value: i64,
    has_prefixes: bool,
) -> bool {
    use Generic as G;
    let is_wide = ty == LowType::S64;
    let value = if is_wide {
        value
    } else {
        i64::from(value as i32)
    };
    let is_small = i16::try_from(value).is_ok();
    let bits = if is_wide {
        value.cast_unsigned()
    } else {
        u64::from(value as u32)
    };
    match generic {
        G::Add if has_prefixes => is_long(value),
        G::Add => i32::try_from(value).is_ok_and(|value| value < 0x7FFF_8000),
        G::Sub if number == 1 => is_small,
        G::Sub if has_prefixes => is_long(value.wrapping_neg()),
        G::Sub => i32::try_from(value).is_ok_and(|value| value > -0x7FFF_8000),
        G::Saddo | G::Ssubo => is_wide && is_small && number == 3,
        G::Mul => is_small || value > 0 && value.count_ones() == 1,
        G::And => is_mask(bits) || !is_wide && run(bits as u32).is_some(),
        G::Or | G::Xor => value == -1 || u32::try_from(bits).is_ok(),
        G::Icmp | G::BrIcmp | G::Select => is_small || u16::try_from(bits).is_ok(),
        _ => false,
    }
}
