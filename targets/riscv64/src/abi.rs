//! The calling convention of riscv64, LP64D.

use mir_nostd::ir::Type;
use mir_nostd::target::{
    Abi, Argument, ArgumentKind, Cursor, Fetched, ImageLayout, Location, LongDoubleResult,
    Placement, Results, Single, TooLarge, VaList, VaListOperations, VariableArguments,
};

/// The number of integer argument registers, a0 to a7.
const INTS: u8 = 8;
/// The number of floating argument registers, fa0 to fa7.
const FLOATS: u8 = 8;

/// The calling convention. The image holds fa0 to fa7 and a0 to a7. For a call from C it lies
/// directly below the stack arguments, so that the variable arguments are contiguous.
pub(crate) const ABI: Abi = Abi {
    place_argument: place,
    exhausted: Cursor {
        ints: INTS,
        floats: FLOATS,
        stack: 0,
        placed: 0,
    },
    results: Results {
        ints: 2,
        floats: 2,
        long_double: LongDoubleResult::IntPair,
    },
    single: Single::Boxed,
    u32_sign_extended: true,
    home_slots: 0,
    image: ImageLayout {
        ints: 64,
        floats: 0,
        float_stride: 8,
        x87: 0,
    },
    variadic_image: Some(-64),
    va_list: VaListOperations::of::<List>(false),
};

fn place(
    cursor: &mut Cursor,
    argument: Argument,
    kind: ArgumentKind,
) -> Result<Placement, TooLarge> {
    cursor.placed += 1;
    let size = argument.bytes();
    let in_float = match argument.ty {
        Type::F | Type::D if kind == ArgumentKind::Named => cursor.take_floats(1, FLOATS),
        _ => None,
    };
    if let Some(at) = in_float {
        return Ok(Placement::whole(size as u32, at));
    }
    if argument.is_copied() && size > 16 {
        let at = match cursor.take_ints(1, INTS) {
            Some(at) => at,
            None => Location::Memory(cursor.take_stack(8, 8)?),
        };
        return Ok(Placement::address(at));
    }
    let passed = match argument.ty {
        Type::F => 4,
        _ if argument.is_copied() || argument.ty == Type::Ld => size,
        _ => 8,
    };
    place_words(cursor, passed as u32, is_aligned(argument), kind)
}

/// Returns whether a value is aligned to 16 bytes. The alignment counts in memory, and in registers
/// only for a variable argument.
fn is_aligned(argument: Argument) -> bool {
    match argument.ty {
        Type::Ld => true,
        Type::Blk1 => argument.size > 8,
        _ => false,
    }
}

/// Places an argument of up to two words: in registers, on the stack, or one word in the last
/// register and one on the stack.
fn place_words(
    cursor: &mut Cursor,
    size: u32,
    aligned: bool,
    kind: ArgumentKind,
) -> Result<Placement, TooLarge> {
    let words = size.div_ceil(8) as u8;
    if words == 0 {
        return Ok(Placement::NOTHING);
    }
    if aligned && kind == ArgumentKind::Variable {
        cursor.ints = cursor.ints.next_multiple_of(2).min(INTS);
    }
    if let Some(at) = cursor.take_ints(words, INTS) {
        return Ok(Placement::whole(size, at));
    }
    if let Some(at) = cursor.take_ints(1, INTS) {
        let rest = Location::Memory(cursor.take_stack(u64::from(size - 8), 8)?);
        return Ok(Placement::whole(8, at).and(8, size - 8, rest));
    }
    let align = if aligned { 16 } else { 8 };
    let at = cursor.take_stack(u64::from(size), align)?;
    Ok(Placement::whole(size, Location::Memory(at)))
}

/// The platform's `va_list`: the address of the next argument. The registers' image lies below the
/// stack arguments.
#[derive(Clone, Copy)]
#[repr(C)]
struct List {
    next: *mut u8,
}

impl VaList for List {
    fn start(from: &VariableArguments) -> List {
        let registers = 8 * usize::from(INTS.saturating_sub(from.named.ints));
        List {
            next: from
                .stack
                .wrapping_add(from.named.stack as usize)
                .wrapping_sub(registers),
        }
    }

    fn next(&mut self, argument: Argument) -> Fetched {
        let by_address = argument.is_copied() && argument.size > 16;
        if is_aligned(argument) && !by_address {
            self.next = self.next.wrapping_add(self.next.align_offset(16));
        }
        let at = self.next;
        let bytes = if by_address { 8 } else { argument.bytes() };
        self.next = at.wrapping_add(bytes.next_multiple_of(8) as usize);
        Fetched {
            by_address,
            ..Fetched::at(at)
        }
    }
}
