//! The immediates and addresses that instructions take without a register.

use super::immediates::{self, HalfWords};
use mir_nostd::machine::{Generic, LowType};
use mir_nostd::target::AddressForm;

/// Returns whether the instruction for a generic one takes an integer as its operand of this
/// number; for constants, whether one instruction makes them.
pub(super) fn takes_immediate(generic: Generic, ty: LowType, number: usize, value: i64) -> bool {
    use Generic as G;
    let is_wide = ty == LowType::S64;
    let bits = if is_wide { 64 } else { 32 };
    let value = if is_wide {
        value
    } else {
        i64::from(value as i32)
    };
    let is_arithmetic = immediates::arithmetic(value.unsigned_abs()).is_some();
    let is_pattern = immediates::logical(value.cast_unsigned(), bits).is_some();
    match generic {
        G::Add => is_arithmetic,
        G::Sub => value == 0 || number == 2 && is_arithmetic,
        G::Saddo | G::Uaddo => value >= 0 && is_arithmetic,
        G::Ssubo | G::Usubo => number == 3 && value >= 0 && is_arithmetic,
        G::And | G::Or | G::Xor => is_pattern || value == 0 || generic == G::Xor && value == -1,
        G::Mul => {
            let is_power = |value: i64| value > 0 && value.count_ones() == 1;
            is_power(value) || is_power(value.wrapping_sub(1))
        }
        G::Icmp | G::BrIcmp | G::Select => is_arithmetic,
        G::Store => value == 0,
        G::Sdiv | G::Udiv | G::Srem | G::Urem | G::Smulh | G::Umulh | G::Smulo | G::Umulo => {
            value == 0
        }
        G::Constant => {
            let is_short = value.cast_unsigned() >> 32 == 0;
            let halves = HalfWords::new(value.cast_unsigned(), if is_short { 32 } else { 64 });
            halves.count() == 1 || is_pattern
        }
        G::FConstant if is_wide => {
            value == 0 || immediates::double(value.cast_unsigned()).is_some()
        }
        G::FConstant => value == 0 || immediates::float(value as u32).is_some(),
        _ => true,
    }
}

/// Returns whether loads and stores of the type take such an address, which has an index.
pub(super) fn takes_address(ty: LowType, address: &AddressForm) -> bool {
    let is_scaled = address.scale == 1 || address.scale.cast_unsigned() == ty.bytes();
    !address.has_frame && address.displacement == 0 && is_scaled
}
