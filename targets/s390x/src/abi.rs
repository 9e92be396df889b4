//! The calling convention of s390x on Linux.
//!
//! C returns one word. Up to four integers come back in r2 to r5, as LLVM returns them, so that
//! Rust's functions can be called and call.
//!
//! Long doubles and blocks are passed by address: the front end passes small structures as
//! integers.

use mir_nostd::ir::Type;
use mir_nostd::target::{
    Abi, Argument, ArgumentKind, Cursor, Fetched, ImageLayout, Location, LongDoubleResult,
    Placement, Results, Single, TooLarge, VaList, VaListOperations, VariableArguments,
};

/// The number of integer argument registers, r2 to r6.
const INTS: u8 = 5;
/// The number of integer result registers, r2 to r5: r6 is kept for the caller.
const INT_RESULTS: u8 = 4;
/// The number of floating argument registers: f0, f2, f4 and f6.
const FLOATS: u8 = 4;
/// The offset of the integer arguments in a register save area.
const SAVED_INTS: u32 = 16;
/// The offset of the floating arguments in a register save area.
const SAVED_FLOATS: u32 = 128;

/// The calling convention. The image is a register save area, as every frame has one for its
/// callees.
pub(crate) const ABI: Abi = Abi {
    place_argument: place,
    exhausted: Cursor {
        ints: INTS,
        floats: FLOATS,
        stack: 0,
        placed: 0,
    },
    results: Results {
        ints: INT_RESULTS,
        floats: 4,
        long_double: LongDoubleResult::Memory,
    },
    single: Single::High,
    u32_sign_extended: false,
    home_slots: 0,
    image: ImageLayout {
        ints: SAVED_INTS,
        floats: SAVED_FLOATS,
        float_stride: 8,
        x87: 0,
    },
    variadic_image: None,
    va_list: VaListOperations::of::<List>(true),
};

fn place(cursor: &mut Cursor, argument: Argument, _: ArgumentKind) -> Result<Placement, TooLarge> {
    cursor.placed += 1;
    match argument.ty {
        Type::F | Type::D => {
            let size = argument.ty.size();
            let at = match cursor.take_floats(1, FLOATS) {
                Some(at) => at,
                None => Location::Memory(cursor.take_stack(8, 8)? + 8 - size),
            };
            Ok(Placement::whole(size, at))
        }
        _ => {
            let at = match cursor.take_ints(1, INTS) {
                Some(at) => at,
                None => Location::Memory(cursor.take_stack(8, 8)?),
            };
            Ok(if by_address(argument) {
                Placement::address(at)
            } else {
                Placement::whole(8, at)
            })
        }
    }
}

fn by_address(argument: Argument) -> bool {
    argument.ty == Type::Ld || argument.is_copied()
}

/// The platform's `va_list`: registers used, the next stack argument, the register save area.
#[derive(Clone, Copy)]
#[repr(C)]
struct List {
    ints: u64,
    floats: u64,
    overflow: *mut u8,
    save: *mut u8,
}

impl List {
    /// Takes the next slot of a kind of register, or of the stack.
    fn slot(&mut self, float: bool) -> *mut u8 {
        let (used, all, first) = if float {
            (&mut self.floats, FLOATS, SAVED_FLOATS)
        } else {
            (&mut self.ints, INTS, SAVED_INTS)
        };
        if *used < u64::from(all) {
            let offset = first as usize + 8 * *used as usize;
            *used += 1;
            return self.save.wrapping_add(offset);
        }
        let at = self.overflow;
        self.overflow = at.wrapping_add(8);
        at
    }
}

impl VaList for List {
    fn start(from: &VariableArguments) -> List {
        List {
            ints: u64::from(from.named.ints),
            floats: u64::from(from.named.floats),
            overflow: from.stack.wrapping_add(from.named.stack as usize),
            save: from.image,
        }
    }

    fn next(&mut self, argument: Argument) -> Fetched {
        let at = self.slot(matches!(argument.ty, Type::F | Type::D));
        if by_address(argument) {
            return Fetched::by_address(at);
        }
        // Numbers narrower than their slot lie at its end.
        Fetched::at(at.wrapping_add(8 - argument.ty.size() as usize))
    }
}
