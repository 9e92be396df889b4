//! The calling convention of ppc64le, ELF version 2.
//!
//! Every argument owns slots of 8 bytes in the caller's parameter area, the first eight of which
//! travel in r3 to r10. Named floats travel in floating registers, variable ones in the registers
//! of their slots.

use mir_nostd::ir::Type;
use mir_nostd::target::{
    Abi, Argument, ArgumentKind, Cursor, Fetched, ImageLayout, Location, LongDoubleResult,
    Placement, Results, Single, TooLarge, VaList, VaListOperations, VariableArguments,
};

/// The number of integer argument registers, r3 to r10.
const INTS: u8 = 8;
/// The number of floating argument registers, f1 to f13.
const FLOATS: u8 = 13;
/// The number of bytes of the slots that travel in integer registers.
const HOME_BYTES: u32 = 8 * INTS as u32;

/// The calling convention. The image holds r3 to r10 and f1 to f13.
pub(crate) const ABI: Abi = Abi {
    place_argument: place,
    exhausted: Cursor {
        ints: INTS,
        floats: FLOATS,
        stack: HOME_BYTES,
        placed: 0,
    },
    results: Results {
        ints: 8,
        floats: 8,
        long_double: LongDoubleResult::FloatPair,
    },
    single: Single::Widened,
    u32_sign_extended: false,
    home_slots: INTS,
    image: ImageLayout {
        ints: 0,
        floats: 64,
        float_stride: 8,
        x87: 0,
    },
    variadic_image: Some(0),
    va_list: VaListOperations::of::<List>(false),
};

fn place(
    cursor: &mut Cursor,
    argument: Argument,
    kind: ArgumentKind,
) -> Result<Placement, TooLarge> {
    let size = argument.bytes() as u32;
    let slots = cursor.take_stack(argument.bytes(), 8)?;
    cursor.ints = (cursor.stack / 8).min(u32::from(INTS)) as u8;
    cursor.placed += 1;
    Ok(match argument.ty {
        Type::F | Type::D if kind == ArgumentKind::Named => match cursor.take_floats(1, FLOATS) {
            Some(at) => Placement::whole(size, at),
            None => in_slots(slots, size),
        },
        Type::Ld if kind == ArgumentKind::Named => place_long_double(cursor, slots),
        _ if argument.ty.is_int() => in_slots(slots, 8),
        _ => in_slots(slots, size),
    })
}

/// Places a value in the slots from offset `start` on: in registers, in memory, or partly in both.
fn in_slots(start: u32, size: u32) -> Placement {
    if size == 0 {
        return Placement::NOTHING;
    }
    if start >= HOME_BYTES {
        return Placement::whole(size, Location::Memory(start));
    }
    let register = Location::Int((start / 8) as u8);
    let in_registers = size.min(HOME_BYTES - start);
    let placement = Placement::whole(in_registers, register);
    if in_registers == size {
        placement
    } else {
        placement.and(
            in_registers,
            size - in_registers,
            Location::Memory(HOME_BYTES),
        )
    }
}

/// Places a long double in two floating registers; if only one is left, the second double goes to
/// its slot.
fn place_long_double(cursor: &mut Cursor, slots: u32) -> Placement {
    if let Some(at) = cursor.take_floats(2, FLOATS) {
        let Location::Float(first) = at else {
            return Placement::NOTHING;
        };
        return Placement::whole(8, at).and(8, 8, Location::Float(first + 1));
    }
    match cursor.take_floats(1, FLOATS) {
        Some(at) => Placement::whole(8, at).and(8, 8, Location::Memory(slots + 8)),
        None => in_slots(slots, 16),
    }
}

/// The platform's `va_list`: the address of the next slot.
#[derive(Clone, Copy)]
#[repr(C)]
struct List {
    next: *mut u8,
}

impl VaList for List {
    fn start(from: &VariableArguments) -> List {
        List {
            next: from.stack.wrapping_add(from.named.stack as usize),
        }
    }

    fn next(&mut self, argument: Argument) -> Fetched {
        let at = self.next;
        let bytes = (argument.bytes() as usize).saturating_add(7) & !7;
        self.next = at.wrapping_add(bytes);
        Fetched::at(at)
    }
}
