//! The moves that a [`super::Plan`] consists of.

use super::{Location, Piece, Single, Target, Value, extend};
use crate::ir::Type;
use crate::num::LongDoubleFormat;

/// The slot that bytes of a value are passed in: an offset in the image of the registers or in
/// memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slot {
    Image(u32),
    Memory(u32),
}

/// The action of a move when sending; receiving is its reverse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// An integer of type `ty`, extended to 8 bytes as `passed` is.
    Int { ty: Type, passed: Type },
    /// A float in a floating-point register.
    Single(Single),
    /// The bytes of the cell from `offset` on.
    Bytes,
    /// The bytes of a block from `offset` on, received in a copy at `copy` of the scratch memory.
    Block,
    /// A block that lies in memory as a whole, received in place.
    WholeBlock,
    /// The address of a copy of the block at `copy` from the stack arguments.
    BlockAddress,
    /// The address of a copy of the cell's 16 bytes at `copy` from the stack arguments.
    CellAddress,
}

/// One move between a cell and a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Move {
    pub(super) kind: Kind,
    pub(super) slot: Slot,
    pub(super) cell: u32,
    pub(super) offset: u32,
    pub(super) size: u32,
    pub(super) copy: u32,
}

/// The memory that moves are relative to.
#[derive(Clone, Copy)]
pub(super) struct Places {
    pub(super) image: *mut u8,
    pub(super) memory: *mut u8,
    pub(super) scratch: *mut u8,
}

impl Places {
    /// Returns the address of a slot, which is not dereferenced here.
    pub(super) fn address(&self, slot: Slot) -> *mut u8 {
        match slot {
            Slot::Image(offset) => self.image.wrapping_add(offset as usize),
            Slot::Memory(offset) => self.memory.wrapping_add(offset as usize),
        }
    }
}

impl Slot {
    /// Returns the slot of a location on this target.
    pub(super) fn of(target: &Target, at: Location) -> Slot {
        let image = &target.abi.image;
        match at {
            Location::Int(n) => Slot::Image(image.ints + 8 * u32::from(n)),
            Location::Float(n) => Slot::Image(image.floats + image.float_stride * u32::from(n)),
            Location::X87(n) => Slot::Image(image.x87 + 16 * u32::from(n)),
            Location::Memory(offset) => Slot::Memory(offset),
        }
    }
}

impl Kind {
    /// Returns the kind of move for a piece of a value of type `ty` that is not a copied block.
    pub(super) fn of_scalar(target: &Target, ty: Type, piece: Piece) -> Kind {
        match ty {
            Type::F if matches!(piece.at, Location::Float(_)) => Kind::Single(target.abi.single),
            Type::F | Type::D | Type::Ld => Kind::Bytes,
            Type::U32 if target.abi.u32_sign_extended => Kind::Int {
                ty,
                passed: Type::I32,
            },
            _ => Kind::Int { ty, passed: ty },
        }
    }
}

impl Move {
    /// Returns the move of this piece of the value in `cell`.
    pub(super) fn new(target: &Target, kind: Kind, cell: u32, piece: Piece) -> Move {
        // The other six bytes of an x87 number may hold anything in transit, but are zero in a
        // cell.
        let x87 = target.long_double == LongDoubleFormat::X87;
        let size = match kind {
            Kind::Bytes if x87 && piece.size == 16 => 10,
            _ => piece.size,
        };
        Move {
            kind,
            slot: Slot::of(target, piece.at),
            cell,
            offset: piece.offset,
            size,
            copy: 0,
        }
    }

    /// Moves from the cell to the slot.
    ///
    /// # Safety
    ///
    /// `cells` has the cell; the slot's memory is writable and so is that of a copy passed by
    /// address; blocks are readable.
    pub(super) unsafe fn send(&self, places: &Places, cells: *const Value) {
        let to = places.address(self.slot);
        let size = self.size as usize;
        // SAFETY: the caller vouches for cell, slot, copy and block.
        unsafe {
            let cell = cells.add(self.cell as usize);
            match self.kind {
                Kind::Int { passed, .. } => put(to, extend(passed, (*cell).u64())),
                Kind::Single(form) => put(to, widen(form, (*cell).f32_bits())),
                Kind::Bytes => copy(cell.cast::<u8>().add(self.offset as usize), to, size),
                Kind::Block | Kind::WholeBlock => {
                    copy((*cell).address::<u8>().add(self.offset as usize), to, size);
                }
                Kind::BlockAddress => {
                    let place = places.memory.wrapping_add(self.copy as usize);
                    copy((*cell).address::<u8>(), place, size);
                    put(to, place.expose_provenance() as u64);
                }
                Kind::CellAddress => {
                    let place = places.memory.wrapping_add(self.copy as usize);
                    copy(cell.cast::<u8>(), place, size);
                    put(to, place.expose_provenance() as u64);
                }
            }
        }
    }

    /// Moves from the slot to the cell.
    ///
    /// # Safety
    ///
    /// `cells` has the cell; the slot and what it refers to are readable; the scratch memory of the
    /// block is writable.
    pub(super) unsafe fn receive(&self, places: &Places, cells: *mut Value) {
        let from = places.address(self.slot);
        let size = self.size as usize;
        // SAFETY: the caller vouches for cell, slot and scratch memory.
        unsafe {
            let cell = cells.add(self.cell as usize);
            match self.kind {
                Kind::Int { ty, .. } => *cell = Value::from_u64(extend(ty, get(from))),
                Kind::Single(form) => *cell = Value::from_f32_bits(narrow(form, get(from))),
                Kind::Bytes => {
                    if self.offset == 0 {
                        *cell = Value::ZERO;
                    }
                    copy(from, cell.cast::<u8>().add(self.offset as usize), size);
                }
                Kind::Block => {
                    let place = places.scratch.wrapping_add(self.copy as usize);
                    copy(from, place.wrapping_add(self.offset as usize), size);
                    *cell = Value::from_address(place);
                }
                Kind::WholeBlock => *cell = Value::from_address(from),
                Kind::BlockAddress => *cell = Value::from_u64(get(from)),
                Kind::CellAddress => {
                    let place: *mut u8 = Value::from_u64(get(from)).address();
                    *cell = Value::ZERO;
                    // Null is what was not passed.
                    if !place.is_null() {
                        copy(place, cell.cast(), size);
                    }
                }
            }
        }
    }
}

/// # Safety
///
/// Eight bytes are writable.
unsafe fn put(to: *mut u8, value: u64) {
    // SAFETY: the caller vouches for the place.
    unsafe { to.cast::<u64>().write_unaligned(value) };
}

/// # Safety
///
/// Eight bytes are readable.
unsafe fn get(from: *const u8) -> u64 {
    // SAFETY: the caller vouches for the place.
    unsafe { from.cast::<u64>().read_unaligned() }
}

/// # Safety
///
/// `size` bytes are readable and writable; they do not overlap.
unsafe fn copy(from: *const u8, to: *mut u8, size: usize) {
    // SAFETY: the caller vouches for both places.
    unsafe { core::ptr::copy_nonoverlapping(from, to, size) };
}

/// Returns the contents of the floating-point register that holds this float.
fn widen(form: Single, bits: u32) -> u64 {
    match form {
        Single::Low => u64::from(bits),
        Single::Boxed => 0xFFFF_FFFF_0000_0000 | u64::from(bits),
        Single::High => u64::from(bits) << 32,
        Single::Widened => widen_to_double(bits),
    }
}

/// Returns the float that this floating-point register holds.
fn narrow(form: Single, bits: u64) -> u32 {
    match form {
        Single::Low => bits as u32,
        Single::Boxed if bits >> 32 != 0xFFFF_FFFF => 0x7FC0_0000,
        Single::Boxed => bits as u32,
        Single::High => (bits >> 32) as u32,
        Single::Widened => narrow_from_double(bits),
    }
}

/// Returns the double of the same value; a signalling NaN stays one, as in a load of the machine.
fn widen_to_double(bits: u32) -> u64 {
    let sign = u64::from(bits >> 31) << 63;
    let exponent = u64::from(bits >> 23 & 0xFF);
    let fraction = u64::from(bits & 0x7F_FFFF);
    match (exponent, fraction) {
        (0, 0) => sign,
        (0, _) => {
            let shift = u64::from(fraction.leading_zeros()) - 40;
            let fraction = fraction << (shift + 29) & 0xF_FFFF_FFFF_FFFF;
            sign | (897 - shift) << 52 | fraction
        }
        (0xFF, _) => sign | 0x7FF << 52 | fraction << 29,
        _ => sign | (exponent + 896) << 52 | fraction << 29,
    }
}

/// Returns the float of the same value, for doubles that have one; the excess bits of others are
/// cut off.
fn narrow_from_double(bits: u64) -> u32 {
    let sign = (bits >> 32) as u32 & 0x8000_0000;
    let exponent = bits >> 52 & 0x7FF;
    let fraction = (bits >> 29) as u32 & 0x7F_FFFF;
    match exponent {
        0..=873 => sign,
        874..=896 => sign | (fraction | 0x80_0000) >> (897 - exponent),
        0x7FF => sign | 0x7F80_0000 | fraction,
        _ => sign | ((exponent as u32).wrapping_sub(896) & 0xFF) << 23 | fraction,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every exponent, with fractions of few bits, agrees with the conversions of the language.
    #[test]
    fn floats_keep_their_value_as_doubles() {
        for high in 0..512_u32 {
            for low in [0, 1, 2, 0x400, 0x40_0000, 0x7F_FFFF, 0x55_5555] {
                let bits = high << 23 | low;
                let float = f32::from_bits(bits);
                let double = widen_to_double(bits);
                assert_eq!(narrow_from_double(double), bits);
                if !float.is_nan() {
                    assert_eq!(double, f64::from(float).to_bits(), "{bits:#x}");
                }
            }
        }
    }

    /// RISC-V sets the upper bits, and reads what has not all of them set as a NaN; s390x has
    /// floats in the upper half, ppc64le as doubles.
    #[test]
    fn registers_hold_floats_in_the_form_of_the_machine() {
        let one = 0x3F80_0000;
        for (form, register) in [
            (Single::Low, 0x3F80_0000),
            (Single::Boxed, 0xFFFF_FFFF_3F80_0000),
            (Single::High, 0x3F80_0000_0000_0000),
            (Single::Widened, 0x3FF0_0000_0000_0000),
        ] {
            assert_eq!(widen(form, one), register, "{form:?}");
            assert_eq!(narrow(form, register), one, "{form:?}");
        }
        assert_eq!(narrow(Single::Boxed, 0x3F80_0000), 0x7FC0_0000);
    }
}
