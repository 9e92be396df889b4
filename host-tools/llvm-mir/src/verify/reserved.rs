//! Reserved registers: those of the target, and those that a function's frame takes.

use super::Bits;
use crate::model::{FramePointer, FrameProperty, Function, FunctionProperty, ObjectKind};
use crate::target::{Isa, Target};

/// The stack pointer's alignment on all five ISAs but s390x, where it is 8.
const STACK_ALIGNMENT: u64 = 16;

/// Returns the frame pointer and the base pointer; a frame that is both variable-sized and
/// over-aligned needs the latter.
fn frame_registers(isa: Isa) -> [&'static [u8]; 2] {
    match isa {
        Isa::X86_64 => [b"rbp", b"rbx"],
        Isa::Aarch64 => [b"fp", b"x19"],
        Isa::Ppc64le => [b"x31", b"x30"],
        Isa::Riscv64 => [b"x8", b"x9"],
        Isa::S390x => [b"r11d", b""],
    }
}

/// Returns the reserved registers of a function.
pub(super) fn of(target: &Target, function: &Function, always: &Bits) -> Bits {
    let mut reserved = always.clone();
    let [frame, base] = frame_registers(target.isa());
    let moves = function
        .stack
        .iter()
        .any(|object| object.kind == ObjectKind::VariableSized)
        || function.frame.has(FrameProperty::HasOpaqueSpAdjustment);
    let is_aligned = function.frame.max_alignment > STACK_ALIGNMENT;
    if has_frame_pointer(function) || moves || is_aligned {
        add(target, &mut reserved, frame);
    }
    if moves && is_aligned {
        add(target, &mut reserved, base);
    }
    reserve_by_features(target, function, &mut reserved);
    reserved
}

/// Reserves and frees the registers that depend on features: the first-fault register where it
/// exists, `r16` to `r31` where they do not.
fn reserve_by_features(target: &Target, function: &Function, reserved: &mut Bits) {
    let features = function.attribute("target-features").unwrap_or_default();
    let mut features = features.split(|&byte| byte == b',');
    match target.isa() {
        Isa::Aarch64 if features.any(|feature| feature.starts_with(b"+sve")) => {
            add(target, reserved, b"ffr");
        }
        Isa::X86_64 if features.any(|feature| feature == b"+egpr") => {
            let last = u16::try_from(target.register_count()).unwrap_or(u16::MAX);
            for register in 1..=last {
                let digits = target
                    .register_name(register)
                    .strip_prefix('r')
                    .unwrap_or("");
                let digits = digits.trim_end_matches(char::is_alphabetic);
                if digits
                    .parse::<u8>()
                    .is_ok_and(|number| (16..32).contains(&number))
                {
                    reserved.remove(register.into());
                }
            }
        }
        _ => {}
    }
}

fn has_frame_pointer(function: &Function) -> bool {
    let frame = &function.frame;
    let asked = match function.frame_pointer {
        FramePointer::None => false,
        FramePointer::NonLeaf => frame.has(FrameProperty::HasCalls),
        FramePointer::All => true,
    };
    let needing = [
        FrameProperty::IsFrameAddressTaken,
        FrameProperty::HasStackMap,
        FrameProperty::HasPatchPoint,
    ];
    let special = [
        FunctionProperty::CallsUnwindInit,
        FunctionProperty::CallsEhReturn,
        FunctionProperty::HasEhFunclets,
    ];
    asked
        || needing.iter().any(|property| frame.has(*property))
        || special.iter().any(|property| function.has(*property))
}

/// Adds a register, its parts, and those that it is part of.
fn add(target: &Target, reserved: &mut Bits, name: &[u8]) {
    let Some(register) = target.register(name) else {
        return;
    };
    let units = target.units(register);
    let last = u16::try_from(target.register_count()).unwrap_or(u16::MAX);
    for other in 1..=last {
        if target.units(other).iter().any(|unit| units.contains(unit)) {
            reserved.insert(other.into());
        }
    }
}
