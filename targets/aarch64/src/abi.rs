//! The calling convention of aarch64 on Linux, AAPCS64.
//!
//! Medium IR does not tell homogeneous floating aggregates from other blocks, so blocks are passed
//! as aggregates of integers.

use mir_nostd::ir::Type;
use mir_nostd::target::{
    Abi, Argument, ArgumentKind, Cursor, Fetched, ImageLayout, Location, LongDoubleResult,
    Placement, Results, Single, TooLarge, VaList, VaListOperations, VariableArguments,
};

/// The number of integer argument registers, x0 to x7.
const INTS: u8 = 8;
/// The number of floating argument registers, v0 to v7.
const FLOATS: u8 = 8;
/// The number of x8, the indirect result register, as a [`Location`].
const INDIRECT_RESULT: u8 = 8;

/// The calling convention. The image holds x0 to x8 and v0 to v7.
pub(crate) const ABI: Abi = Abi {
    place_argument: place,
    exhausted: Cursor {
        ints: INTS,
        floats: FLOATS,
        stack: 0,
        placed: 0,
    },
    results: Results {
        ints: 8,
        floats: 8,
        long_double: LongDoubleResult::Float,
    },
    single: Single::Low,
    u32_sign_extended: false,
    home_slots: 0,
    image: ImageLayout {
        ints: 0,
        floats: IMAGE_FLOATS,
        float_stride: 16,
        x87: 0,
    },
    variadic_image: None,
    va_list: VaListOperations::of::<List>(false),
};

const IMAGE_FLOATS: u32 = 80;

fn place(cursor: &mut Cursor, argument: Argument, _: ArgumentKind) -> Result<Placement, TooLarge> {
    let first = cursor.placed == 0;
    cursor.placed += 1;
    match argument.ty {
        Type::F | Type::D | Type::Ld => {
            let size = argument.ty.size();
            let at = match cursor.take_floats(1, FLOATS) {
                Some(at) => at,
                None => Location::Memory(cursor.take_stack(u64::from(size), size.max(8))?),
            };
            Ok(Placement::whole(size, at))
        }
        Type::Rblk if first => Ok(Placement::whole(8, Location::Int(INDIRECT_RESULT))),
        _ if !argument.is_copied() => Ok(Placement::whole(8, place_int(cursor)?)),
        _ if argument.size > 16 => Ok(Placement::address(place_int(cursor)?)),
        _ => place_block(cursor, argument.size),
    }
}

fn place_int(cursor: &mut Cursor) -> Result<Location, TooLarge> {
    match cursor.take_ints(1, INTS) {
        Some(at) => Ok(at),
        None => Ok(Location::Memory(cursor.take_stack(8, 8)?)),
    }
}

/// Places a block of up to two words: all of it in registers, or all of it on the stack; after the
/// latter no integer register is used any more.
fn place_block(cursor: &mut Cursor, size: u64) -> Result<Placement, TooLarge> {
    let words = size.div_ceil(8) as u8;
    if words == 0 {
        return Ok(Placement::NOTHING);
    }
    let at = match cursor.take_ints(words, INTS) {
        Some(at) => at,
        None => {
            cursor.ints = INTS;
            Location::Memory(cursor.take_stack(size, 8)?)
        }
    };
    Ok(Placement::whole(size as u32, at))
}

/// The platform's `va_list`. The offsets are negative while registers are left.
#[derive(Clone, Copy)]
#[repr(C)]
struct List {
    stack: *mut u8,
    gr_top: *mut u8,
    vr_top: *mut u8,
    gr_offs: i32,
    vr_offs: i32,
}

impl List {
    /// Takes the next `words` integer slots if they are left; otherwise no slot is left from now
    /// on.
    fn int_slots(&mut self, words: u64) -> Option<*mut u8> {
        let start = self.gr_offs;
        if start >= 0 {
            return None;
        }
        self.gr_offs = start.saturating_add(8 * words as i32);
        (self.gr_offs <= 0).then(|| self.gr_top.wrapping_offset(start as isize))
    }

    fn float_slot(&mut self) -> Option<*mut u8> {
        let start = self.vr_offs;
        if start >= 0 {
            return None;
        }
        self.vr_offs = start.saturating_add(16);
        Some(self.vr_top.wrapping_offset(start as isize))
    }

    fn on_stack(&mut self, bytes: u64, align: usize) -> *mut u8 {
        let at = self.stack.wrapping_add(self.stack.align_offset(align));
        let bytes = (bytes as usize).saturating_add(7) & !7;
        self.stack = at.wrapping_add(bytes);
        at
    }
}

impl VaList for List {
    fn start(from: &VariableArguments) -> List {
        let named = &from.named;
        let floats = IMAGE_FLOATS as usize + 16 * usize::from(FLOATS);
        List {
            stack: from.stack.wrapping_add(named.stack as usize),
            gr_top: from.image.wrapping_add(8 * usize::from(INTS)),
            vr_top: from.image.wrapping_add(floats),
            gr_offs: -8 * i32::from(INTS.saturating_sub(named.ints)),
            vr_offs: -16 * i32::from(FLOATS.saturating_sub(named.floats)),
        }
    }

    fn next(&mut self, argument: Argument) -> Fetched {
        match argument.ty {
            Type::F | Type::D | Type::Ld => {
                let align = if argument.ty == Type::Ld { 16 } else { 8 };
                let at = self.float_slot();
                Fetched::at(at.unwrap_or_else(|| self.on_stack(argument.bytes(), align)))
            }
            _ if argument.is_copied() && argument.size > 16 => {
                let at = self.int_slots(1);
                Fetched::by_address(at.unwrap_or_else(|| self.on_stack(8, 8)))
            }
            _ => {
                let at = self.int_slots(argument.bytes().div_ceil(8));
                Fetched::at(at.unwrap_or_else(|| self.on_stack(argument.bytes(), 8)))
            }
        }
    }
}
