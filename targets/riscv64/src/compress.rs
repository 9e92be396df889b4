//! Compressed instructions: the half-word that means the same as a word, chosen as LLVM chooses it.

/// The fields of a word.
#[derive(Clone, Copy)]
struct Word(u32);

impl Word {
    const fn bits(self, from: u32, count: u32) -> u32 {
        self.0 >> from & ((1 << count) - 1)
    }

    const fn rd(self) -> u32 {
        self.bits(7, 5)
    }

    const fn rs1(self) -> u32 {
        self.bits(15, 5)
    }

    const fn rs2(self) -> u32 {
        self.bits(20, 5)
    }

    const fn funct3(self) -> u32 {
        self.bits(12, 3)
    }

    const fn funct7(self) -> u32 {
        self.bits(25, 7)
    }

    const fn immediate(self) -> i32 {
        self.0.cast_signed() >> 20
    }

    const fn store_offset(self) -> i32 {
        self.0.cast_signed() >> 25 << 5 | self.rd().cast_signed()
    }
}

/// Returns the number of one of the eight registers that most compressed instructions reach.
const fn short(reg: u32) -> Option<u32> {
    if reg & 0x18 == 8 { Some(reg & 7) } else { None }
}

const fn is_signed(value: i32, bits: u32) -> bool {
    let shift = 32 - bits;
    value << shift >> shift == value
}

/// Moves the bit `from` of a value to the bit `to`.
const fn bit(value: i32, from: u32, to: u32) -> u32 {
    (value.cast_unsigned() >> from & 1) << to
}

/// Moves `count` bits of a value, from the bit `from` on, to the bit `to`.
const fn field(value: i32, from: u32, count: u32, to: u32) -> u32 {
    (value.cast_unsigned() >> from & ((1 << count) - 1)) << to
}

/// Places the low six bits of an immediate where most compressed instructions have them.
const fn six(value: i32) -> u32 {
    bit(value, 5, 12) | field(value, 0, 5, 2)
}

/// Returns the compressed form of an instruction, if it has one.
pub(crate) fn compress(word: u32) -> Option<u16> {
    let insn = Word(word);
    let half = match word & 0x7F {
        0x13 => operation_immediate(insn),
        0x1B if insn.funct3() == 0 => add_word_immediate(insn),
        0x33 => operation(insn),
        0x3B => operation_word(insn),
        0x37 => load_upper(insn),
        0x03 => load(insn, insn.funct3().checked_sub(2)? & 1, true),
        0x07 => load(insn, 1, false).filter(|_| insn.funct3() == 3),
        0x23 => store(insn, true),
        0x27 => store(insn, false),
        0x63 => branch(insn).and_then(|half| {
            let offset = branch_offset(word);
            is_signed(offset, 9).then(|| half | branch_field(offset))
        }),
        0x67 => through(insn),
        0x6F if insn.rd() == 0 => {
            let offset = jump_offset(word);
            is_signed(offset, 12).then(|| 0xA001 | jump_field(offset))
        }
        _ => None,
    };
    half.map(|half| half as u16)
}

fn operation_immediate(insn: Word) -> Option<u32> {
    let (rd, rs1, value) = (insn.rd(), insn.rs1(), insn.immediate());
    match insn.funct3() {
        0 => add_immediate(rd, rs1, value),
        1 if rd == rs1 && rd != 0 && value != 0 => Some(0x0002 | rd << 7 | six(value)),
        5 if rd == rs1 && value & 0x3F != 0 => {
            let kind = insn.funct7() >> 5 & 1;
            Some(0x8001 | kind << 10 | short(rd)? << 7 | six(value))
        }
        7 if rd == rs1 && is_signed(value, 6) => Some(0x8801 | short(rd)? << 7 | six(value)),
        _ => None,
    }
}

fn add_immediate(rd: u32, rs1: u32, value: i32) -> Option<u32> {
    match (rd, rs1, value) {
        (0, 0, 0) => Some(0x0001),
        (0, ..) => None,
        (_, 0, _) if is_signed(value, 6) => Some(0x4001 | rd << 7 | six(value)),
        (_, 0, _) => None,
        (_, _, 0) => Some(0x8002 | rd << 7 | rs1 << 2),
        _ if rd == rs1 && is_signed(value, 6) => Some(0x0001 | rd << 7 | six(value)),
        (2, 2, _) if value & 15 == 0 && is_signed(value, 10) => {
            let low =
                bit(value, 4, 6) | bit(value, 6, 5) | field(value, 7, 2, 3) | bit(value, 5, 2);
            Some(0x6101 | bit(value, 9, 12) | low)
        }
        (_, 2, 1..=1020) if value & 3 == 0 => {
            let high = field(value, 4, 2, 11) | field(value, 6, 4, 7);
            Some(high | bit(value, 2, 6) | bit(value, 3, 5) | short(rd)? << 2)
        }
        _ => None,
    }
}

fn add_word_immediate(insn: Word) -> Option<u32> {
    let (rd, rs1, value) = (insn.rd(), insn.rs1(), insn.immediate());
    if rd == 0 || !is_signed(value, 6) {
        return None;
    }
    match rs1 {
        0 => Some(0x4001 | rd << 7 | six(value)),
        _ if rs1 == rd => Some(0x2001 | rd << 7 | six(value)),
        _ => None,
    }
}

/// Compresses `rd = rd op rs2`, where `number` encodes the operation; the sources are exchanged
/// where the operation commutes.
fn two_address(insn: Word, number: u32, commutes: bool) -> Option<u32> {
    let (rd, rs1, rs2) = (insn.rd(), insn.rs1(), insn.rs2());
    let other = match rd {
        _ if rd == rs1 => rs2,
        _ if rd == rs2 && commutes => rs1,
        _ => return None,
    };
    Some(0x8C01 | number | short(rd)? << 7 | short(other)? << 2)
}

fn operation(insn: Word) -> Option<u32> {
    let (rd, rs1, rs2) = (insn.rd(), insn.rs1(), insn.rs2());
    match (insn.funct7(), insn.funct3()) {
        (0, 0) if rd != 0 => match (rs1, rs2) {
            (0, 0) => None,
            (0, from) | (from, 0) => Some(0x8002 | rd << 7 | from << 2),
            _ if rd == rs1 => Some(0x9002 | rd << 7 | rs2 << 2),
            _ if rd == rs2 => Some(0x9002 | rd << 7 | rs1 << 2),
            _ => None,
        },
        (0x20, 0) => two_address(insn, 0, false),
        (0, 4) => two_address(insn, 0x20, true),
        (0, 6) => two_address(insn, 0x40, true),
        (0, 7) => two_address(insn, 0x60, true),
        _ => None,
    }
}

fn operation_word(insn: Word) -> Option<u32> {
    match (insn.funct7(), insn.funct3()) {
        (0x20, 0) => two_address(insn, 0x1000, false),
        (0, 0) => two_address(insn, 0x1020, true),
        _ => None,
    }
}

fn load_upper(insn: Word) -> Option<u32> {
    let (rd, value) = (insn.rd(), insn.0.cast_signed() >> 12);
    let fits = value != 0 && is_signed(value, 6);
    (fits && rd != 0 && rd != 2).then(|| 0x6001 | rd << 7 | six(value))
}

/// Encodes the offset of a load or store of 4 or 8 bytes from a register other than the stack
/// pointer.
const fn near_offset(value: i32, is_wide: bool) -> Option<u32> {
    match is_wide {
        true if value & !0xF8 == 0 => Some(field(value, 3, 3, 10) | field(value, 6, 2, 5)),
        false if value & !0x7C == 0 => {
            Some(field(value, 3, 3, 10) | bit(value, 2, 6) | bit(value, 6, 5))
        }
        _ => None,
    }
}

/// Compresses loads of 4 and 8 bytes; `is_wide` is 1 for 8.
fn load(insn: Word, is_wide: u32, is_int: bool) -> Option<u32> {
    let (rd, rs1, value) = (insn.rd(), insn.rs1(), insn.immediate());
    let is_wide = match (insn.funct3(), is_int) {
        (2, true) => false,
        (3, _) => is_wide == 1,
        _ => return None,
    };
    let kind = match (is_int, is_wide) {
        (false, _) => 0x2000,
        (true, false) => 0x4000,
        (true, true) => 0x6000,
    };
    if rs1 == 2 && (rd != 0 || !is_int) {
        let offset = match is_wide {
            true if value & !0x1F8 == 0 => field(value, 3, 2, 5) | field(value, 6, 3, 2),
            false if value & !0xFC == 0 => field(value, 2, 3, 4) | field(value, 6, 2, 2),
            _ => return None,
        };
        return Some(0x0002 | kind | bit(value, 5, 12) | offset | rd << 7);
    }
    let offset = near_offset(value, is_wide)?;
    Some(kind | offset | short(rs1)? << 7 | short(rd)? << 2)
}

/// Compresses stores of 4 and 8 bytes.
fn store(insn: Word, is_int: bool) -> Option<u32> {
    let (rs2, rs1, value) = (insn.rs2(), insn.rs1(), insn.store_offset());
    let (is_wide, kind) = match (insn.funct3(), is_int) {
        (2, true) => (false, 0xC000),
        (3, true) => (true, 0xE000),
        (3, false) => (true, 0xA000),
        _ => return None,
    };
    if rs1 == 2 {
        let offset = match is_wide {
            true if value & !0x1F8 == 0 => field(value, 3, 3, 10) | field(value, 6, 3, 7),
            false if value & !0xFC == 0 => field(value, 2, 4, 9) | field(value, 6, 2, 7),
            _ => return None,
        };
        return Some(0x0002 | kind | offset | rs2 << 2);
    }
    let offset = near_offset(value, is_wide)?;
    Some(kind | offset | short(rs1)? << 7 | short(rs2)? << 2)
}

/// Compresses a branch to `beqz` or `bnez`, without the distance.
fn branch(insn: Word) -> Option<u32> {
    let kind = match insn.funct3() {
        0 => 0xC001,
        1 => 0xE001,
        _ => return None,
    };
    let ((compared, 0) | (0, compared)) = (insn.rs1(), insn.rs2()) else {
        return None;
    };
    Some(kind | short(compared)? << 7)
}

fn through(insn: Word) -> Option<u32> {
    let kind = match insn.rd() {
        0 => 0x8002,
        1 => 0x9002,
        _ => return None,
    };
    (insn.rs1() != 0 && insn.immediate() == 0).then(|| kind | insn.rs1() << 7)
}

/// Returns the `beqz` or `bnez` that replaces a branch, without the distance.
pub(crate) fn compress_branch(word: u32) -> Option<u16> {
    branch(Word(word)).map(|half| half as u16)
}

/// Returns the branch that `beqz` or `bnez` replaces, without the distance.
pub(crate) fn expand_branch(half: u16) -> Option<u32> {
    let half = u32::from(half);
    let funct3 = match half & 0xE003 {
        0xC001 => 0,
        0xE001 => 1,
        _ => return None,
    };
    Some(0x63 | funct3 << 12 | (half >> 7 & 7) << 15 | 1 << 18)
}

/// Encodes a distance in bytes as the field of a branch of 4 bytes.
pub(crate) const fn wide_branch_field(offset: i32) -> u32 {
    bit(offset, 12, 31) | field(offset, 5, 6, 25) | field(offset, 1, 4, 8) | bit(offset, 11, 7)
}

/// Encodes a distance in bytes as the field of a jump of 4 bytes.
pub(crate) const fn wide_jump_field(offset: i32) -> u32 {
    bit(offset, 20, 31) | field(offset, 1, 10, 21) | bit(offset, 11, 20) | field(offset, 12, 8, 12)
}

const fn branch_offset(word: u32) -> i32 {
    let value = word.cast_signed();
    value >> 31 << 12
        | (bit(value, 7, 11) | field(value, 25, 6, 5) | field(value, 8, 4, 1)).cast_signed()
}

const fn jump_offset(word: u32) -> i32 {
    let value = word.cast_signed();
    let low = field(value, 21, 10, 1) | bit(value, 20, 11) | field(value, 12, 8, 12);
    value >> 31 << 20 | low.cast_signed()
}

/// Encodes a distance in bytes as the field of a compressed branch.
pub(crate) const fn branch_field(offset: i32) -> u32 {
    let high = bit(offset, 8, 12) | field(offset, 3, 2, 10);
    high | field(offset, 6, 2, 5) | field(offset, 1, 2, 3) | bit(offset, 5, 2)
}

/// Encodes a distance in bytes as the field of a compressed jump.
pub(crate) const fn jump_field(offset: i32) -> u32 {
    let high =
        bit(offset, 11, 12) | bit(offset, 4, 11) | field(offset, 8, 2, 9) | bit(offset, 10, 8);
    high | bit(offset, 6, 7) | bit(offset, 7, 6) | field(offset, 1, 3, 3) | bit(offset, 5, 2)
}
