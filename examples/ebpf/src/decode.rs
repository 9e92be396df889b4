//! The instructions of RFC 9669 as one table, from which decoding, the checks of fields and the
//! texts of errors derive.

use crate::Problem;
use mir_nostd::ir::{Code, Type};

/// The role of a field in an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// None: it must be 0.
    Zero,
    /// It is part of the opcode, and has this value.
    Is(i32),
    /// A register that is read, or any number.
    Read,
    /// A register that is written.
    Written,
    /// The second operand, if bit 3 of the opcode says that it is here: it is the source register
    /// if the bit is set, else the immediate value.
    Either,
}

/// The meaning of an instruction, in terms of Medium IR.
///
/// The *operand* is the source register if the instruction uses it, else the immediate value if it
/// uses that, else the destination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meaning {
    /// The destination is computed from itself and the operand.
    Binary(Code),
    /// As `Binary`; 0 where the operand is 0.
    Divide(Code),
    /// As `Binary`; the destination stays where the operand is 0.
    Modulo(Code),
    /// The destination is computed from the operand.
    Unary(Code),
    /// The low bits of the destination, so many, are reversed by bytes; the others become 0.
    Swap(u32),
    /// As `Swap` for big-endian targets; for others the low bits stay.
    ToLittle(u32),
    /// As `Swap` for little-endian targets; for others the low bits stay.
    ToBig(u32),
    /// A jump by the offset if the destination and the operand compare so.
    Branch(Code),
    /// A jump by the offset if the destination and the operand, combined by the first instruction,
    /// make the second branch.
    BranchSet(Code, Code),
    /// A jump by the offset, or by the immediate value if that is used.
    Jump,
    /// A call of a helper by its number.
    CallHelper,
    /// A call of a function of the program.
    CallLocal,
    /// The end of a function.
    Exit,
    /// The destination becomes the number at the source's address.
    Load(Type),
    /// The number at the destination's address becomes the operand.
    Store(Type),
    /// The number at the destination's address is combined with the source, or replaced by it if
    /// the code is a move; the source becomes the old number if it is written.
    Atomic(Type, Code),
    /// The number at the destination's address becomes the source, unless this branch finds that it
    /// differs from `r0`, which becomes the old number.
    CompareExchange(Type, Code),
    /// The destination becomes a number of 64 bits, of which the next slot holds the upper half.
    Wide,
    /// The instruction is left out here, for this reason.
    LeftOut(&'static str),
}

/// An instruction of the RFC.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    opcode: u8,
    dst: Role,
    src: Role,
    offset: Role,
    imm: Role,
    /// The name, for people.
    pub(crate) name: &'static str,
    pub(crate) meaning: Meaning,
}

const LEGACY: &str = "legacy packet access; load from the packet's address instead";
const SUBTYPES: &str = "there are no maps, variables and addresses of code here";

use Code::*;
use Meaning::*;
use Role::{Either as E, Is, Read as R, Written as W, Zero as O};
use Type::{I8, I16, I32, I64, U8, U16, U32, U64};

macro_rules! table {
    ($($opcode:literal $dst:tt $src:tt $offset:tt $imm:tt $name:literal $meaning:expr;)*) => {
        /// Every instruction. Those that share an opcode differ in a field.
        static ROWS: [Row; [$($opcode),*].len()] = [$(Row {
            opcode: $opcode,
            dst: table!(@$dst),
            src: table!(@$src),
            offset: table!(@$offset),
            imm: table!(@$imm),
            name: $name,
            meaning: $meaning,
        }),*];
    };
    (@$value:literal) => { Is($value) };
    (@$used:ident) => { $used };
}

#[rustfmt::skip] // one row, one line
table! {
//  op   dst src off imm  name             meaning
    0x04 W   E   O   E    "add32"          Binary(Adds);
    0x05 O   O   R   O    "ja"             Jump;
    0x06 O   O   O   R    "gotol"          Jump;
    0x07 W   E   O   E    "add64"          Binary(Add);
    0x18 W   0   O   R    "lddw"           Wide;
    0x18 W   R   O   R    "lddw"           LeftOut(SUBTYPES);
    0x14 W   E   O   E    "sub32"          Binary(Subs);
    0x15 R   E   R   E    "jeq"            Branch(Beq);
    0x16 R   E   R   E    "jeq32"          Branch(Beqs);
    0x17 W   E   O   E    "sub64"          Binary(Sub);
    0x20 O   O   O   R    "ldabsw"         LeftOut(LEGACY);
    0x28 O   O   O   R    "ldabsh"         LeftOut(LEGACY);
    0x24 W   E   O   E    "mul32"          Binary(Muls);
    0x25 R   E   R   E    "jgt"            Branch(Ubgt);
    0x26 R   E   R   E    "jgt32"          Branch(Ubgts);
    0x27 W   E   O   E    "mul64"          Binary(Mul);
    0x30 O   O   O   R    "ldabsb"         LeftOut(LEGACY);
    0x34 W   E   0   E    "div32"          Divide(Udivs);
    0x34 W   E   1   E    "sdiv32"         Divide(Divs);
    0x35 R   E   R   E    "jge"            Branch(Ubge);
    0x36 R   E   R   E    "jge32"          Branch(Ubges);
    0x37 W   E   0   E    "div64"          Divide(Udiv);
    0x37 W   E   1   E    "sdiv64"         Divide(Div);
    0x40 O   R   O   R    "ldindw"         LeftOut(LEGACY);
    0x48 O   R   O   R    "ldindh"         LeftOut(LEGACY);
    0x44 W   E   O   E    "or32"           Binary(Ors);
    0x45 R   E   R   E    "jset"           BranchSet(And, Bt);
    0x46 R   E   R   E    "jset32"         BranchSet(Ands, Bts);
    0x47 W   E   O   E    "or64"           Binary(Or);
    0x50 O   R   O   R    "ldindb"         LeftOut(LEGACY);
    0x54 W   E   O   E    "and32"          Binary(Ands);
    0x55 R   E   R   E    "jne"            Branch(Bne);
    0x56 R   E   R   E    "jne32"          Branch(Bnes);
    0x57 W   E   O   E    "and64"          Binary(And);
    0x61 W   R   R   O    "ldxw"           Load(U32);
    0x69 W   R   R   O    "ldxh"           Load(U16);
    0x62 R   O   R   R    "stw"            Store(U32);
    0x6a R   O   R   R    "sth"            Store(U16);
    0x63 R   R   R   O    "stxw"           Store(U32);
    0x6b R   R   R   O    "stxh"           Store(U16);
    0x64 W   E   O   E    "lsh32"          Binary(Lshs);
    0x65 R   E   R   E    "jsgt"           Branch(Bgt);
    0x66 R   E   R   E    "jsgt32"         Branch(Bgts);
    0x67 W   E   O   E    "lsh64"          Binary(Lsh);
    0x71 W   R   R   O    "ldxb"           Load(U8);
    0x79 W   R   R   O    "ldxdw"          Load(U64);
    0x72 R   O   R   R    "stb"            Store(U8);
    0x7a R   O   R   R    "stdw"           Store(U64);
    0x73 R   R   R   O    "stxb"           Store(U8);
    0x7b R   R   R   O    "stxdw"          Store(U64);
    0x74 W   E   O   E    "rsh32"          Binary(Urshs);
    0x75 R   E   R   E    "jsge"           Branch(Bge);
    0x76 R   E   R   E    "jsge32"         Branch(Bges);
    0x77 W   E   O   E    "rsh64"          Binary(Ursh);
    0x81 W   R   R   O    "ldxsw"          Load(I32);
    0x89 W   R   R   O    "ldxsh"          Load(I16);
    0x84 W   O   O   O    "neg32"          Unary(Negs);
    0x85 O   0   O   R    "call"           CallHelper;
    0x85 O   1   O   R    "call local"     CallLocal;
    0x85 O   2   O   R    "call btf"       LeftOut("helpers are called by number here, not by BTF id");
    0x87 W   O   O   O    "neg64"          Unary(Neg);
    0x91 W   R   R   O    "ldxsb"          Load(I8);
    0x94 W   E   0   E    "mod32"          Modulo(Umods);
    0x94 W   E   1   E    "smod32"         Modulo(Mods);
    0x95 O   O   O   O    "exit"           Exit;
    0x97 W   E   0   E    "mod64"          Modulo(Umod);
    0x97 W   E   1   E    "smod64"         Modulo(Mod);
    0xa4 W   E   O   E    "xor32"          Binary(Xors);
    0xa5 R   E   R   E    "jlt"            Branch(Ublt);
    0xa6 R   E   R   E    "jlt32"          Branch(Ublts);
    0xa7 W   E   O   E    "xor64"          Binary(Xor);
    0xb4 W   O   O   R    "mov32"          Unary(Uext32);
    0xbc W   R   0   O    "mov32"          Unary(Uext32);
    0xbc W   R   8   O    "movsx32 8"      Unary(Ext8);
    0xbc W   R   16  O    "movsx32 16"     Unary(Ext16);
    0xb5 R   E   R   E    "jle"            Branch(Uble);
    0xb6 R   E   R   E    "jle32"          Branch(Ubles);
    0xb7 W   O   O   R    "mov64"          Unary(Mov);
    0xbf W   R   0   O    "mov64"          Unary(Mov);
    0xbf W   R   8   O    "movsx64 8"      Unary(Ext8);
    0xbf W   R   16  O    "movsx64 16"     Unary(Ext16);
    0xbf W   R   32  O    "movsx64 32"     Unary(Ext32);
    0xc3 R   R   R   0x00 "add atomic32"   Atomic(U32, Add);
    0xc3 R   W   R   0x01 "fetch add32"    Atomic(U32, Add);
    0xc3 R   R   R   0x40 "or atomic32"    Atomic(U32, Or);
    0xc3 R   W   R   0x41 "fetch or32"     Atomic(U32, Or);
    0xc3 R   R   R   0x50 "and atomic32"   Atomic(U32, And);
    0xc3 R   W   R   0x51 "fetch and32"    Atomic(U32, And);
    0xc3 R   R   R   0xa0 "xor atomic32"   Atomic(U32, Xor);
    0xc3 R   W   R   0xa1 "fetch xor32"    Atomic(U32, Xor);
    0xc3 R   W   R   0xe1 "xchg32"         Atomic(U32, Mov);
    0xc3 R   R   R   0xf1 "cmpxchg32"      CompareExchange(U32, Bnes);
    0xc4 W   E   O   E    "arsh32"         Binary(Rshs);
    0xc5 R   E   R   E    "jslt"           Branch(Blt);
    0xc6 R   E   R   E    "jslt32"         Branch(Blts);
    0xc7 W   E   O   E    "arsh64"         Binary(Rsh);
    0xdb R   R   R   0x00 "add atomic64"   Atomic(I64, Add);
    0xdb R   W   R   0x01 "fetch add64"    Atomic(I64, Add);
    0xdb R   R   R   0x40 "or atomic64"    Atomic(I64, Or);
    0xdb R   W   R   0x41 "fetch or64"     Atomic(I64, Or);
    0xdb R   R   R   0x50 "and atomic64"   Atomic(I64, And);
    0xdb R   W   R   0x51 "fetch and64"    Atomic(I64, And);
    0xdb R   R   R   0xa0 "xor atomic64"   Atomic(I64, Xor);
    0xdb R   W   R   0xa1 "fetch xor64"    Atomic(I64, Xor);
    0xdb R   W   R   0xe1 "xchg64"         Atomic(I64, Mov);
    0xdb R   R   R   0xf1 "cmpxchg64"      CompareExchange(I64, Bne);
    0xd4 W   O   O   16   "le16"           ToLittle(16);
    0xd4 W   O   O   32   "le32"           ToLittle(32);
    0xd4 W   O   O   64   "le64"           ToLittle(64);
    0xdc W   O   O   16   "be16"           ToBig(16);
    0xdc W   O   O   32   "be32"           ToBig(32);
    0xdc W   O   O   64   "be64"           ToBig(64);
    0xd5 R   E   R   E    "jsle"           Branch(Ble);
    0xd6 R   E   R   E    "jsle32"         Branch(Bles);
    0xd7 W   O   O   16   "bswap16"        Swap(16);
    0xd7 W   O   O   32   "bswap32"        Swap(32);
    0xd7 W   O   O   64   "bswap64"        Swap(64);
}

/// The number of the register that holds the end of the stack.
pub(crate) const FRAME_POINTER: u8 = 10;

/// A decoded instruction. The fields are such as its row admits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instruction {
    pub(crate) row: &'static Row,
    opcode: u8,
    pub(crate) dst: u8,
    pub(crate) src: u8,
    pub(crate) offset: i16,
    /// The immediate value, extended, or the whole number of a wide instruction.
    pub(crate) imm: i64,
}

impl Instruction {
    /// Decodes the eight bytes of an instruction; a wide one needs those after it, too.
    pub(crate) fn decode(
        bytes: [u8; 8],
        next: Option<[u8; 8]>,
        big_endian: bool,
    ) -> Result<Instruction, Problem> {
        let [opcode, registers, o0, o1, imm @ ..] = bytes;
        let (high, low) = (registers >> 4, registers & 15);
        let (number, dst, src, offset): (fn([u8; 4]) -> i32, _, _, _) = if big_endian {
            (i32::from_be_bytes, high, low, i16::from_be_bytes([o0, o1]))
        } else {
            (i32::from_le_bytes, low, high, i16::from_le_bytes([o0, o1]))
        };
        let imm = number(imm);
        let row = find(opcode, [dst.into(), src.into(), offset.into(), imm])?;
        let mut decoded = Instruction {
            row,
            opcode,
            dst,
            src,
            offset,
            imm: imm.into(),
        };
        for (role, register) in [(row.dst, dst), (row.src, src)] {
            if role == W && register == FRAME_POINTER {
                return Err(Problem::FramePointer(row.name));
            }
        }
        if let LeftOut(reason) = row.meaning {
            return Err(Problem::LeftOut(row.name, reason));
        }
        if row.meaning == Wide {
            let [0, 0, 0, 0, upper @ ..] = next.ok_or(Problem::CutShort)? else {
                return Err(Problem::Field(row.name, "second slot"));
            };
            decoded.imm = i64::from(number(upper)) << 32 | i64::from(imm.cast_unsigned());
        }
        Ok(decoded)
    }

    /// Returns the distance of the jump in slots, if the instruction is one.
    pub(crate) fn jump(&self) -> Option<i64> {
        match self.row.meaning {
            Jump if self.uses_immediate() => Some(self.imm),
            Jump | Branch(_) | BranchSet(..) => Some(self.offset.into()),
            _ => None,
        }
    }

    /// Returns the registers that are used, a bit for each.
    pub(crate) fn registers(&self) -> u16 {
        let bit = |is_used, register: u8| u16::from(is_used) << register;
        let implied = match self.row.meaning {
            CallHelper | CallLocal => 0b11_1111,
            Exit | CompareExchange(..) => 1,
            _ => 0,
        };
        let uses_destination = matches!(self.row.dst, R | W);
        bit(uses_destination, self.dst) | bit(self.uses_source(), self.src) | implied
    }

    pub(crate) fn uses_source(&self) -> bool {
        matches!(self.row.src.of(self.opcode, 8), R | W)
    }

    pub(crate) fn writes_source(&self) -> bool {
        self.row.src == W
    }

    pub(crate) fn uses_immediate(&self) -> bool {
        self.row.imm.of(self.opcode, 0) == R
    }

    /// True if the instruction computes with 32 bits: the upper half of the destination becomes 0.
    pub(crate) const fn is_32_bit(&self) -> bool {
        self.opcode & 7 == 4
    }
}

impl Role {
    /// Returns the role of a field with this opcode that is the second operand if bit 3 is as here.
    fn of(self, opcode: u8, bit: u8) -> Role {
        match self {
            E if opcode & 8 == bit => R,
            E => O,
            role => role,
        }
    }

    /// True if the field, which holds at most `most` where it is free, may have a value.
    fn admits(self, value: i32, most: i32) -> bool {
        match self {
            O => value == 0,
            Is(wanted) => value == wanted,
            R | W | E => value <= most,
        }
    }
}

/// Returns the row of this opcode that admits the fields: registers, offset, immediate value.
fn find(opcode: u8, [dst, src, offset, imm]: [i32; 4]) -> Result<&'static Row, Problem> {
    let last = i32::from(FRAME_POINTER);
    let mut closest = (0, Problem::Opcode(opcode));
    for row in &ROWS {
        if row.opcode != opcode && !(row.src == E && row.opcode | 8 == opcode) {
            continue;
        }
        let (src_role, imm_role) = (row.src.of(opcode, 8), row.imm.of(opcode, 0));
        let fields = [
            (row.dst.admits(dst, last), "destination"),
            (src_role.admits(src, last), "source"),
            (row.offset.admits(offset, i32::MAX), "offset"),
            (imm_role.admits(imm, i32::MAX), "immediate value"),
        ];
        match (1..).zip(fields).find(|(_, (admits, _))| !admits) {
            None => return Ok(row),
            Some((at, (_, field))) if at > closest.0 => {
                closest = (at, Problem::Field(row.name, field));
            }
            Some(_) => {}
        }
    }
    Err(closest.1)
}
