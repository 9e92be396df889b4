//! The relocations of our objects: what each refers to, and the bytes that it changes. Numbers and
//! fields are those of the five ABI supplements.

use mir_image::Machine;

/// The way in which a relocation refers to its symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// Its address.
    Address,
    /// A word in memory that has its address.
    Slot,
    /// A branch, which may go by a stub.
    Call,
}

/// The number that is subtracted from the address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Base {
    /// The address of the place.
    Place,
    /// The value of the TOC pointer.
    Toc,
    /// Nothing: only its low bits count, which the alignment of the code fixes.
    Zero,
}

/// The bytes that a relocation changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Field {
    /// A word with an address: a fixup of the image.
    Word,
    /// A distance of 32 bits.
    Distance,
    /// Half a distance, in 32 bits (s390x).
    HalfDistance,
    /// The number of pages between two places (aarch64).
    Page,
    /// The low 12 bits, in units of 2 to this power (aarch64).
    PageOffset(u32),
    /// A branch of 26 bits (aarch64).
    Branch26,
    /// The high 20 bits of a distance (riscv64).
    High20,
    /// The low 12 bits of the distance whose high bits are at the symbol (riscv64).
    Low12,
    /// Both, in two instructions (riscv64).
    High20Low12,
    /// A branch of 24 bits (ppc64le).
    Branch24,
    /// The high half of a distance of 32 bits (ppc64le).
    High16,
    /// Its low half (ppc64le).
    Low16,
    /// Its low half where the lowest two bits are part of the opcode (ppc64le).
    Low16Ds,
    /// A distance of 34 bits in an instruction with a prefix (ppc64le).
    Prefixed34,
}

/// A kind of relocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Kind {
    pub(super) way: Way,
    pub(super) base: Base,
    pub(super) field: Field,
}

const fn kind(way: Way, base: Base, field: Field) -> Option<Kind> {
    Some(Kind { way, base, field })
}

/// Returns the kind of a relocation by its number.
#[rustfmt::skip] // one kind per line
pub(super) fn of(machine: Machine, number: u32) -> Option<Kind> {
    use {Base::*, Field::*, Way::*};
    match (machine, number) {
        (Machine::X86_64, 1) | (Machine::Aarch64, 257) | (Machine::Ppc64le, 38)
        | (Machine::Riscv64, 2) | (Machine::S390x, 22) => kind(Address, Zero, Word),
        (Machine::X86_64, 2) => kind(Address, Place, Distance),
        (Machine::X86_64, 4) => kind(Call, Place, Distance),
        (Machine::X86_64, 9 | 42) => kind(Slot, Place, Distance),
        (Machine::Aarch64, 261) => kind(Address, Place, Distance),
        (Machine::Aarch64, 275) => kind(Address, Place, Page),
        (Machine::Aarch64, 277) => kind(Address, Zero, PageOffset(0)),
        (Machine::Aarch64, 283) => kind(Call, Place, Branch26),
        (Machine::Aarch64, 285) => kind(Address, Zero, PageOffset(2)),
        (Machine::Aarch64, 286) => kind(Address, Zero, PageOffset(3)),
        (Machine::Aarch64, 311) => kind(Slot, Place, Page),
        (Machine::Aarch64, 312) => kind(Slot, Zero, PageOffset(3)),
        (Machine::Riscv64, 19) => kind(Call, Place, High20Low12),
        (Machine::Riscv64, 20) => kind(Slot, Place, High20),
        (Machine::Riscv64, 23) => kind(Address, Place, High20),
        (Machine::Riscv64, 24) => kind(Address, Zero, Low12),
        (Machine::Riscv64, 57) => kind(Address, Place, Distance),
        (Machine::Ppc64le, 10) => kind(Call, Place, Branch24),
        (Machine::Ppc64le, 17) => kind(Slot, Toc, High16),
        (Machine::Ppc64le, 26) => kind(Address, Place, Distance),
        (Machine::Ppc64le, 48) => kind(Address, Toc, Low16),
        (Machine::Ppc64le, 50) => kind(Address, Toc, High16),
        (Machine::Ppc64le, 59) => kind(Slot, Toc, Low16Ds),
        (Machine::Ppc64le, 64) => kind(Address, Toc, Low16Ds),
        (Machine::Ppc64le, 132) => kind(Address, Place, Prefixed34),
        (Machine::Ppc64le, 133) => kind(Slot, Place, Prefixed34),
        (Machine::Ppc64le, 250) => kind(Address, Place, Low16),
        (Machine::Ppc64le, 252) => kind(Address, Place, High16),
        (Machine::S390x, 5) => kind(Address, Place, Distance),
        (Machine::S390x, 19) => kind(Address, Place, HalfDistance),
        (Machine::S390x, 20) => kind(Call, Place, HalfDistance),
        (Machine::S390x, 26) => kind(Slot, Place, HalfDistance),
        _ => None,
    }
}

/// Returns the signed number if it has at most so many bits.
fn signed(value: i64, bits: u32) -> Option<i64> {
    let unused = 64 - bits;
    (value << unused >> unused == value).then_some(value)
}

/// Replaces bits of the little-endian instruction at the start of the bytes.
fn replace(bytes: &mut [u8], mask: u32, field: i64) -> Option<()> {
    let word = bytes.first_chunk_mut::<4>()?;
    let old = u32::from_le_bytes(*word);
    *word = (old & !mask | field as u32 & mask).to_le_bytes();
    Some(())
}

/// Returns the high part that goes with a sign-extended low part of so many bits.
const fn high(value: i64, low_bits: u32) -> i64 {
    (value + (1 << (low_bits - 1))) >> low_bits
}

/// Fills in a field. `value` is the address after subtraction of the base, `place` the address of
/// the field; both count from the start of the code. Returns `None` if the value does not fit.
pub(super) fn fill(
    machine: Machine,
    field: Field,
    bytes: &mut [u8],
    value: i64,
    place: i64,
) -> Option<()> {
    match field {
        Field::Word => return None,
        Field::Distance => {
            let value = i32::try_from(value).ok()?;
            *bytes.first_chunk_mut::<4>()? = match machine.is_big_endian() {
                true => value.to_be_bytes(),
                false => value.to_le_bytes(),
            };
        }
        Field::HalfDistance => {
            let half = i32::try_from(value >> 1).ok().filter(|_| value & 1 == 0)?;
            *bytes.first_chunk_mut::<4>()? = half.to_be_bytes();
        }
        Field::Page => {
            let pages = signed(((value + place) >> 12) - (place >> 12), 21)?;
            replace(bytes, 0x60FF_FFE0, (pages & 3) << 29 | (pages >> 2) << 5)?;
        }
        Field::PageOffset(shift) => {
            let offset = value & 0xFFF;
            let scaled = (offset & ((1 << shift) - 1) == 0).then_some(offset >> shift)?;
            replace(bytes, 0x003F_FC00, scaled << 10)?;
        }
        Field::Branch26 => replace(bytes, 0x03FF_FFFF, signed(value, 28)? >> 2)?,
        Field::High20 => replace(bytes, 0xFFFF_F000, signed(high(value, 12), 20)? << 12)?,
        Field::Low12 => replace(bytes, 0xFFF0_0000, value << 20)?,
        Field::High20Low12 => {
            replace(bytes, 0xFFFF_F000, signed(high(value, 12), 20)? << 12)?;
            replace(bytes.get_mut(4..)?, 0xFFF0_0000, value << 20)?;
        }
        Field::Branch24 => replace(bytes, 0x03FF_FFFC, signed(value, 26)?)?,
        Field::High16 => replace(bytes, 0xFFFF, signed(high(value, 16), 16)?)?,
        Field::Low16 => replace(bytes, 0xFFFF, value)?,
        Field::Low16Ds => replace(bytes, 0xFFFC, value)?,
        Field::Prefixed34 => {
            replace(bytes, 0x3_FFFF, signed(value, 34)? >> 16)?;
            replace(bytes.get_mut(4..)?, 0xFFFF, value)?;
        }
    }
    Some(())
}
