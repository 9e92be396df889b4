//! The System V calling convention of `x86_64`.

use mir_nostd::ir::Type;
use mir_nostd::target::{
    Abi, Argument, ArgumentKind, Cursor, Fetched, ImageLayout, Location, LongDoubleResult,
    Placement, Results, Single, TooLarge, VaList, VaListOperations, VariableArguments,
};

/// The number of integer argument registers: rdi, rsi, rdx, rcx, r8 and r9.
const INTS: u8 = 6;
/// The number of floating argument registers, xmm0 to xmm7.
const FLOATS: u8 = 8;

/// The calling convention. The image is laid out as the register save area of a `va_list`:
/// integers, then 16 bytes for each xmm register. Results lie there as rax rdx and xmm0 xmm1, x87
/// results after them.
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
        long_double: LongDoubleResult::X87(2),
    },
    single: Single::Low,
    u32_sign_extended: false,
    home_slots: 0,
    image: ImageLayout {
        ints: 0,
        floats: 48,
        float_stride: 16,
        x87: 80,
    },
    variadic_image: None,
    va_list: VaListOperations::of::<List>(true),
};

fn place(cursor: &mut Cursor, argument: Argument, _: ArgumentKind) -> Result<Placement, TooLarge> {
    let in_registers = match argument.ty {
        Type::F | Type::D => cursor
            .take_floats(1, FLOATS)
            .map(|at| Placement::whole(argument.ty.size(), at)),
        Type::Ld | Type::Blk0 => None,
        Type::Blk1 | Type::Blk2 | Type::Blk3 | Type::Blk4 => {
            place_in_registers(cursor, argument.ty, argument.size)
        }
        _ => cursor.take_ints(1, INTS).map(|at| Placement::whole(8, at)),
    };
    cursor.placed += 1;
    match in_registers {
        Some(placement) => Ok(placement),
        None => place_on_stack(cursor, argument),
    }
}

fn place_on_stack(cursor: &mut Cursor, argument: Argument) -> Result<Placement, TooLarge> {
    let (size, align) = match argument.ty {
        Type::Ld => (16, 16),
        _ if argument.is_copied() => (argument.size, 8),
        Type::F => (4, 8),
        _ => (8, 8),
    };
    let at = cursor.take_stack(size, align)?;
    Ok(Placement::whole(size as u32, Location::Memory(at)))
}

/// Places a block of one or two words in registers if its class asks for them and there are enough
/// for all of it.
fn place_in_registers(cursor: &mut Cursor, ty: Type, size: u64) -> Option<Placement> {
    let words = words(size)?;
    let size = size as u32;
    match ty {
        Type::Blk1 => Some(Placement::whole(size, cursor.take_ints(words, INTS)?)),
        Type::Blk2 => {
            let Location::Float(first) = cursor.take_floats(words, FLOATS)? else {
                return None;
            };
            let placement = Placement::whole(size.min(8), Location::Float(first));
            Some(if words == 1 {
                placement
            } else {
                placement.and(8, size - 8, Location::Float(first + 1))
            })
        }
        _ if words == 2 && cursor.ints < INTS && cursor.floats < FLOATS => {
            let int = cursor.take_ints(1, INTS)?;
            let float = cursor.take_floats(1, FLOATS)?;
            let (first, second) = if ty == Type::Blk3 {
                (int, float)
            } else {
                (float, int)
            };
            Some(Placement::whole(8, first).and(8, size - 8, second))
        }
        _ => None,
    }
}

/// Returns the number of words of a block that may go in registers.
fn words(size: u64) -> Option<u8> {
    match size {
        1..=8 => Some(1),
        9..=16 => Some(2),
        _ => None,
    }
}

/// The platform's `va_list`.
#[derive(Clone, Copy)]
#[repr(C)]
struct List {
    gp_offset: u32,
    fp_offset: u32,
    overflow: *mut u8,
    save: *mut u8,
}

const GP_END: u32 = 8 * INTS as u32;
const FP_END: u32 = GP_END + 16 * FLOATS as u32;

impl List {
    /// Takes the next `words` integer slots, if they are left.
    fn int_slots(&mut self, words: u8) -> Option<*mut u8> {
        let end = self.gp_offset.checked_add(8 * u32::from(words))?;
        if end > GP_END {
            return None;
        }
        let at = self.save.wrapping_add(self.gp_offset as usize);
        self.gp_offset = end;
        Some(at)
    }

    /// Takes the next `words` floating slots, 16 bytes apart, if they are left.
    fn float_slots(&mut self, words: u8) -> Option<*mut u8> {
        let end = self.fp_offset.checked_add(16 * u32::from(words))?;
        if end > FP_END {
            return None;
        }
        let at = self.save.wrapping_add(self.fp_offset as usize);
        self.fp_offset = end;
        Some(at)
    }

    fn block_in_registers(&mut self, ty: Type, size: u64) -> Option<Fetched> {
        let words = words(size)?;
        let rest = match ty {
            Type::Blk1 => return self.int_slots(words).map(Fetched::at),
            Type::Blk2 => {
                let at = self.float_slots(words)?;
                let rest = (words == 2).then(|| at.wrapping_add(16));
                return Some(Fetched {
                    rest,
                    ..Fetched::at(at)
                });
            }
            _ if words != 2 || self.gp_offset + 8 > GP_END => return None,
            _ => self.float_slots(1)?,
        };
        let first = self.int_slots(1)?;
        let (at, rest) = if ty == Type::Blk3 {
            (first, rest)
        } else {
            (rest, first)
        };
        Some(Fetched {
            rest: Some(rest),
            ..Fetched::at(at)
        })
    }

    fn on_stack(&mut self, bytes: u64, align: usize) -> Fetched {
        let at = self
            .overflow
            .wrapping_add(self.overflow.align_offset(align));
        let bytes = (bytes as usize).saturating_add(7) & !7;
        self.overflow = at.wrapping_add(bytes);
        Fetched::at(at)
    }
}

impl VaList for List {
    fn start(from: &VariableArguments) -> List {
        List {
            gp_offset: 8 * u32::from(from.named.ints),
            fp_offset: GP_END + 16 * u32::from(from.named.floats),
            overflow: from.stack.wrapping_add(from.named.stack as usize),
            save: from.image,
        }
    }

    fn next(&mut self, argument: Argument) -> Fetched {
        let in_registers = match argument.ty {
            Type::F | Type::D => self.float_slots(1).map(Fetched::at),
            Type::Ld => return self.on_stack(16, 16),
            Type::Blk0 => None,
            _ if argument.is_copied() => self.block_in_registers(argument.ty, argument.size),
            _ => self.int_slots(1).map(Fetched::at),
        };
        in_registers.unwrap_or_else(|| self.on_stack(argument.bytes(), 8))
    }
}
