//! The instructions of RFC 9669 with their meaning in Rust: opcodes are made of the fields that the
//! RFC names, results of Rust's arithmetic.

use crate::engines::Insn;

/// A piece of a program that computes `r3` of `r3` and `r4`, and what must come out. It may use
/// `r0`, `r5` and the stack.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) body: Vec<Insn>,
    pub(crate) expect: Box<dyn Fn(u64, u64) -> u64>,
}

/// Operands at the edges of all widths, and shift counts.
pub(crate) const VALUES: [u64; 18] = [
    0,
    1,
    2,
    0xFF80,
    31,
    32,
    63,
    64,
    100,
    0x7FFF_FFFF,
    0x8000_0000,
    0xFFFF_FFFF,
    0x1234_5678_9ABC_DEF0,
    0x7FFF_FFFF_FFFF_FFFF,
    0x8000_0000_0000_0000,
    0xFFFF_FFFF_8000_0000,
    0xFFFF_FFFF_FFFF_FFF9,
    0xFFFF_FFFF_FFFF_FFFF,
];

const IMMEDIATES: [i32; 14] = [
    0,
    1,
    -1,
    2,
    -7,
    31,
    32,
    33,
    63,
    64,
    0x1234_5678,
    i32::MAX,
    i32::MIN,
    0x8000,
];

/// The classes of arithmetic and jumps.
const ALU: u8 = 4;
const JMP: u8 = 5;
const JMP32: u8 = 6;
const ALU64: u8 = 7;
/// The bit of a source that is a register.
const X: u8 = 8;

fn case(name: &str, body: &[Insn], expect: impl Fn(u64, u64) -> u64 + 'static) -> Case {
    Case {
        name: format!("{name} {body:x?}"),
        body: body.to_vec(),
        expect: Box::new(expect),
    }
}

type Unary<T> = fn(u64) -> T;
type Binary<T> = fn(T, T) -> T;

/// An operation with two operands: name, code, offset, meaning in 64 and in 32 bits.
type Operation = (&'static str, u8, i16, Binary<u64>, Binary<u32>);

#[rustfmt::skip] // one row, one line
const OPERATIONS: [Operation; 14] = [
    ("add", 0x00, 0, |a, b| a.wrapping_add(b), |a, b| a.wrapping_add(b)),
    ("sub", 0x10, 0, |a, b| a.wrapping_sub(b), |a, b| a.wrapping_sub(b)),
    ("mul", 0x20, 0, |a, b| a.wrapping_mul(b), |a, b| a.wrapping_mul(b)),
    ("div", 0x30, 0, |a, b| a.checked_div(b).unwrap_or(0), |a, b| a.checked_div(b).unwrap_or(0)),
    ("sdiv", 0x30, 1, |a, b| if b == 0 { 0 } else { (a as i64).wrapping_div(b as i64) as u64 },
        |a, b| if b == 0 { 0 } else { (a as i32).wrapping_div(b as i32) as u32 }),
    ("or", 0x40, 0, |a, b| a | b, |a, b| a | b),
    ("and", 0x50, 0, |a, b| a & b, |a, b| a & b),
    ("lsh", 0x60, 0, |a, b| a << (b & 63), |a, b| a << (b & 31)),
    ("rsh", 0x70, 0, |a, b| a >> (b & 63), |a, b| a >> (b & 31)),
    ("mod", 0x90, 0, |a, b| a.checked_rem(b).unwrap_or(a), |a, b| a.checked_rem(b).unwrap_or(a)),
    ("smod", 0x90, 1, |a, b| if b == 0 { a } else { (a as i64).wrapping_rem(b as i64) as u64 },
        |a, b| if b == 0 { a } else { (a as i32).wrapping_rem(b as i32) as u32 }),
    ("xor", 0xa0, 0, |a, b| a ^ b, |a, b| a ^ b),
    ("mov", 0xb0, 0, |_, b| b, |_, b| b),
    ("arsh", 0xc0, 0, |a, b| ((a as i64) >> (b & 63)) as u64, |a, b| ((a as i32) >> (b & 31)) as u32),
];

pub(crate) fn arithmetic() -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, code, offset, wide, narrow) in OPERATIONS {
        let narrow = move |a: u64, b: u64| u64::from(narrow(a as u32, b as u32));
        cases.push(case(name, &[(code | X | ALU64, 3, 4, offset, 0)], wide));
        cases.push(case(name, &[(code | X | ALU, 3, 4, offset, 0)], narrow));
        let same = [(code | X | ALU64, 3, 3, offset, 0)];
        cases.push(case(name, &same, move |a, _| wide(a, a)));
        let same = [(code | X | ALU, 3, 3, offset, 0)];
        cases.push(case(name, &same, move |a, _| narrow(a, a)));
        for imm in IMMEDIATES {
            let extended = i64::from(imm) as u64;
            let body = [(code | ALU64, 3, 0, offset, imm)];
            cases.push(case(name, &body, move |a, _| wide(a, extended)));
            let body = [(code | ALU, 3, 0, offset, imm)];
            cases.push(case(name, &body, move |a, _| narrow(a, extended)));
        }
    }
    cases
}

/// Negation, moves with sign extension, byte swaps, wide numbers.
pub(crate) fn unary() -> Vec<Case> {
    let mut cases = vec![
        case("neg64", &[(0x80 | ALU64, 3, 0, 0, 0)], |a, _| {
            0_u64.wrapping_sub(a)
        }),
        case("neg32", &[(0x80 | ALU, 3, 0, 0, 0)], |a, _| {
            u64::from(0_u32.wrapping_sub(a as u32))
        }),
    ];
    let sign: [(i16, Unary<i64>); 3] = [
        (8, |b| i64::from(b as i8)),
        (16, |b| i64::from(b as i16)),
        (32, |b| i64::from(b as i32)),
    ];
    for (bits, extend) in sign {
        let body = [(0xb0 | X | ALU64, 3, 4, bits, 0)];
        cases.push(case("movsx64", &body, move |_, b| extend(b) as u64));
        if bits < 32 {
            let body = [(0xb0 | X | ALU, 3, 4, bits, 0)];
            cases.push(case("movsx32", &body, move |_, b| {
                u64::from(extend(b) as u32)
            }));
        }
    }
    let swaps: [(u8, i32, Unary<u64>); 9] = [
        (0xd0 | ALU, 16, |a| u64::from((a as u16).to_le())),
        (0xd0 | ALU, 32, |a| u64::from((a as u32).to_le())),
        (0xd0 | ALU, 64, |a| a.to_le()),
        (0xd0 | X | ALU, 16, |a| u64::from((a as u16).to_be())),
        (0xd0 | X | ALU, 32, |a| u64::from((a as u32).to_be())),
        (0xd0 | X | ALU, 64, |a| a.to_be()),
        (0xd0 | ALU64, 16, |a| u64::from((a as u16).swap_bytes())),
        (0xd0 | ALU64, 32, |a| u64::from((a as u32).swap_bytes())),
        (0xd0 | ALU64, 64, |a| a.swap_bytes()),
    ];
    for (opcode, bits, swap) in swaps {
        cases.push(case("end", &[(opcode, 3, 0, 0, bits)], move |a, _| swap(a)));
    }
    for value in VALUES {
        let body = [
            (0x18, 3, 0, 0, value as i32),
            (0, 0, 0, 0, (value >> 32) as i32),
        ];
        cases.push(case("lddw", &body, move |_, _| value));
    }
    cases
}

/// A condition: name, code, meaning in 64 and in 32 bits.
type Condition = (&'static str, u8, fn(u64, u64) -> bool, fn(u32, u32) -> bool);

#[rustfmt::skip] // one row, one line
const CONDITIONS: [Condition; 11] = [
    ("jeq", 0x10, |a, b| a == b, |a, b| a == b),
    ("jgt", 0x20, |a, b| a > b, |a, b| a > b),
    ("jge", 0x30, |a, b| a >= b, |a, b| a >= b),
    ("jset", 0x40, |a, b| a & b != 0, |a, b| a & b != 0),
    ("jne", 0x50, |a, b| a != b, |a, b| a != b),
    ("jsgt", 0x60, |a, b| a as i64 > b as i64, |a, b| a as i32 > b as i32),
    ("jsge", 0x70, |a, b| a as i64 >= b as i64, |a, b| a as i32 >= b as i32),
    ("jlt", 0xa0, |a, b| a < b, |a, b| a < b),
    ("jle", 0xb0, |a, b| a <= b, |a, b| a <= b),
    ("jslt", 0xc0, |a, b| (a as i64) < b as i64, |a, b| (a as i32) < b as i32),
    ("jsle", 0xd0, |a, b| a as i64 <= b as i64, |a, b| a as i32 <= b as i32),
];

pub(crate) fn jumps() -> Vec<Case> {
    let (mov, set) = (0xb0 | ALU64, 0xb0 | X | ALU64);
    let jump = |jump: Insn| {
        [
            (mov, 5, 0, 0, 1),
            jump,
            (mov, 5, 0, 0, 0),
            (set, 3, 5, 0, 0),
        ]
    };
    let mut cases = vec![
        case("ja", &jump((JMP, 0, 0, 1, 0)), |_, _| 1),
        case("ja", &jump((JMP, 0, 0, 0, 0)), |_, _| 0),
        case("gotol", &jump((JMP32, 0, 0, 0, 1)), |_, _| 1),
    ];
    for (name, code, wide, narrow) in CONDITIONS {
        let wide = move |a, b| u64::from(wide(a, b));
        let narrow = move |a: u64, b: u64| u64::from(narrow(a as u32, b as u32));
        cases.push(case(name, &jump((code | X | JMP, 3, 4, 1, 0)), wide));
        cases.push(case(name, &jump((code | X | JMP32, 3, 4, 1, 0)), narrow));
        for imm in IMMEDIATES {
            let extended = i64::from(imm) as u64;
            let body = jump((code | JMP, 3, 0, 1, imm));
            cases.push(case(name, &body, move |a, _| wide(a, extended)));
            let body = jump((code | JMP32, 3, 0, 1, imm));
            cases.push(case(name, &body, move |a, _| narrow(a, extended)));
        }
    }
    cases
}

/// Store and load of `r10 - 8`, and a number of 8 bytes with its first ones replaced.
const STORE: Insn = (0x7b, 10, 3, -8, 0);
const LOAD: Insn = (0x79, 3, 10, -8, 0);

fn replaced(value: u64, at: usize, first: &[u8]) -> u64 {
    let mut bytes = value.to_ne_bytes();
    bytes[at..at + first.len()].copy_from_slice(first);
    u64::from_ne_bytes(bytes)
}

/// Loads and stores of all sizes: `r3` is in memory, and `r4` or an immediate value is stored.
pub(crate) fn memory() -> Vec<Case> {
    let sizes = [(0x10, 1), (0x08, 2), (0x00, 4), (0x18, 8)];
    let mut cases = Vec::new();
    for (size, bytes) in sizes {
        // The low bytes of a number are its first ones on little-endian machines.
        let low = move |value: u64| {
            let start = if cfg!(target_endian = "big") {
                8 - bytes
            } else {
                0
            };
            value.to_ne_bytes()[start..start + bytes].to_vec()
        };
        let at = 8 - bytes;
        let offset = at as i16 - 8;
        let body = [STORE, (0x63 | size, 10, 4, offset, 0), LOAD];
        cases.push(case("stx", &body, move |a, b| replaced(a, at, &low(b))));
        for imm in IMMEDIATES {
            let body = [STORE, (0x62 | size, 10, 0, offset, imm), LOAD];
            let stored = low(i64::from(imm) as u64);
            cases.push(case("st", &body, move |a, _| replaced(a, at, &stored)));
        }
        let loaded = move |a: u64| {
            let first = &a.to_ne_bytes()[at..];
            match bytes {
                1 => u64::from(first[0]),
                2 => u64::from(u16::from_ne_bytes([first[0], first[1]])),
                4 => u64::from(u32::from_ne_bytes(first.try_into().unwrap())),
                _ => a,
            }
        };
        let body = [STORE, (0x61 | size, 3, 10, offset, 0)];
        cases.push(case("ldx", &body, move |a, _| loaded(a)));
        if bytes < 8 {
            let body = [STORE, (0x81 | size, 3, 10, offset, 0)];
            let unused = 64 - 8 * bytes;
            let extended = move |a| ((loaded(a) << unused) as i64 >> unused) as u64;
            cases.push(case("ldxs", &body, move |a, _| extended(a)));
        }
    }
    cases
}

/// Atomic operations on `r3` in memory, with `r4`: what they leave there, and what they fetch.
pub(crate) fn atomics() -> Vec<Case> {
    let simple: [(i32, Binary<u64>); 5] = [
        (0x00, u64::wrapping_add),
        (0x40, |a, b| a | b),
        (0x50, |a, b| a & b),
        (0xa0, |a, b| a ^ b),
        (0xe0, |_, b| b),
    ];
    let mut cases = Vec::new();
    for is_wide in [false, true] {
        let opcode = if is_wide { 0xdb } else { 0xc3 };
        // The old value, and memory with another one in its place.
        let old = move |a: u64| match a.to_ne_bytes() {
            [b0, b1, b2, b3, ..] if !is_wide => u64::from(u32::from_ne_bytes([b0, b1, b2, b3])),
            _ => a,
        };
        let changed = move |a, new: u64| match is_wide {
            true => new,
            false => replaced(a, 0, &(new as u32).to_ne_bytes()),
        };
        for (imm, compute) in simple {
            let computed = move |a, b| changed(a, compute(old(a), b));
            if imm != 0xe0 {
                let body = [STORE, (opcode, 10, 4, -8, imm), LOAD];
                cases.push(case("atomic", &body, computed));
            }
            let fetch = (opcode, 10, 4, -8, imm | 1);
            cases.push(case("fetch", &[STORE, fetch, LOAD], computed));
            let body = [STORE, fetch, (0xbf, 3, 4, 0, 0)];
            cases.push(case("fetched", &body, move |a, _| old(a)));
        }
        // r0 is compared, and becomes the old value; r5 is stored.
        let (from_b, new) = ((0xbf, 0, 4, 0, 0), (0xb7, 5, 0, 0, -5));
        let exchange = (opcode, 10, 5, -8, 0xf1);
        let is_equal = move |a, b: u64| old(a) == if is_wide { b } else { b & 0xFFFF_FFFF };
        let expected = move |a, b| {
            if is_equal(a, b) {
                changed(a, -5_i64 as u64)
            } else {
                a
            }
        };
        let body = [STORE, from_b, new, exchange, LOAD];
        cases.push(case("cmpxchg", &body, expected));
        let body = [STORE, from_b, new, exchange, (0xbf, 3, 0, 0, 0)];
        cases.push(case("cmpxchg r0", &body, move |a, _| old(a)));
    }
    cases
}
