//! The immediates and addresses that instructions take without a register.

use super::logic::{is_half, is_mask};
use mir_nostd::machine::{Generic, LowType};
use mir_nostd::target::AddressForm;

/// Returns whether the instruction for a generic one takes an integer as its operand of this
/// number. Compare-and-branch instructions take 8 bits; constants are worth a register wherever
/// there is one.
pub(super) fn takes_immediate(generic: Generic, ty: LowType, number: usize, value: i64) -> bool {
    use Generic as G;
    let is_wide = ty == LowType::S64;
    let value = if is_wide {
        value
    } else {
        i64::from(value as i32)
    };
    let is_short = i16::try_from(value).is_ok();
    let is_number = i32::try_from(value).is_ok();
    match generic {
        G::Add | G::Mul => is_number,
        G::Sub if number == 1 => value == 0,
        G::Sub => i32::try_from(value.wrapping_neg()).is_ok(),
        G::And => !is_wide || is_mask(value.cast_unsigned()),
        G::Or | G::Xor => !is_wide || is_half(value.cast_unsigned()),
        G::Saddo => is_number,
        G::Ssubo => number == 3 && is_number && value != i64::from(i32::MIN),
        G::Uaddo => !is_wide || u32::try_from(value).is_ok(),
        G::Usubo => number == 3 && (!is_wide || u32::try_from(value).is_ok()),
        G::Icmp | G::Select => is_number,
        G::BrIcmp => i8::try_from(value).is_ok(),
        G::Store => ty == LowType::S8 || is_short,
        G::Smulh | G::Umulh | G::Sdiv | G::Udiv | G::Srem | G::Urem | G::Smulo | G::Umulo => {
            value == 0
        }
        G::FConstant => value == 0,
        G::Constant => false,
        _ => true,
    }
}

/// Returns whether a store of an immediate takes an address: no such instruction has an index.
pub(super) fn takes_immediate_at(address: &AddressForm) -> bool {
    !address.has_index && (address.has_frame || (0..4096).contains(&address.displacement))
}

/// Returns whether loads and stores take such an address, which has an index.
pub(super) fn takes_address(address: &AddressForm) -> bool {
    let is_near = i32::try_from(address.displacement).is_ok_and(crate::is_reached);
    address.scale == 1 && is_near
}
