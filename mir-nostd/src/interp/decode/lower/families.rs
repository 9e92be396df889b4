//! The families of instructions that become operations of the same shape.

use super::super::super::code::Op;
use super::super::super::ops;
use super::super::operand::bits_stored;
use super::comparison::{Comparison, Kind};
use crate::ir::{Code, InsnId, Module, Operand, Reg, Type};
use crate::num::fold;

/// An integer instruction of two inputs that only computes.
pub(super) struct Binary {
    pub(super) op: Op,
    /// The operation with an immediate as its last input.
    pub(super) with_constant: Op,
    pub(super) facts: crate::ir::Binary,
}

impl Binary {
    pub(super) fn bits(&self) -> u32 {
        8 * self.facts.result.size()
    }
}

macro_rules! operations_of {
    ($($op:ident $with_constant:ident $read:ident $compute:ident;)*) => {
        /// Returns the operation of such an instruction, and that with an immediate.
        const fn operations_of(code: Code) -> Option<(Op, Op)> {
            match code {
                $(Code::$op => Some((Op::$op, Op::$with_constant)),)*
                _ => None,
            }
        }
    };
}
ops::binary_operations!(operations_of;);

// A row that is missing in `interp/ops.rs` is an error of the compiler.
const _: () = {
    let mut number = 0;
    while number < Code::COUNT {
        let code = Code::ALL[number];
        assert!(code.binary().is_some() == operations_of(code).is_some());
        number += 1;
    }
};

pub(super) fn binary(code: Code) -> Option<Binary> {
    let (op, with_constant) = operations_of(code)?;
    Some(Binary {
        op,
        with_constant,
        facts: code.binary()?,
    })
}

/// Returns the operation of a division or remainder, that with an immediate divisor, and the number
/// of bits it reads.
pub(super) fn division(code: Code) -> Option<(Op, Op, u32)> {
    Some(match code {
        Code::Div => (Op::Div, Op::DivI, 64),
        Code::Divs => (Op::Divs, Op::DivsI, 32),
        Code::Udiv => (Op::Udiv, Op::UdivI, 64),
        Code::Udivs => (Op::Udivs, Op::UdivsI, 32),
        Code::Mod => (Op::Mod, Op::ModI, 64),
        Code::Mods => (Op::Mods, Op::ModsI, 32),
        Code::Umod => (Op::Umod, Op::UmodI, 64),
        Code::Umods => (Op::Umods, Op::UmodsI, 32),
        _ => return None,
    })
}

/// Returns the operation of an instruction that is one with the same operands in registers, output
/// first, and the number of bits it reads.
pub(super) fn plain(code: Code) -> Option<(Op, u32)> {
    macro_rules! table {
        ($($name:ident $bits:literal;)*) => {
            Some(match code {
                $(Code::$name => (Op::$name, $bits),)*
                _ => return None,
            })
        };
    }
    table! {
        Neg 64; Negs 32; Fneg 64; Dneg 64; Ldneg 128;
        Addo 64; Addos 32; Subo 64; Subos 32; Mulo 64; Mulos 32; Umulo 64; Umulos 32;
        Fadd 64; Fsub 64; Fmul 64; Fdiv 64; Dadd 64; Dsub 64; Dmul 64; Ddiv 64;
        Ldadd 128; Ldsub 128; Ldmul 128; Lddiv 128;
        I2f 64; I2d 64; I2ld 64; Ui2f 64; Ui2d 64; Ui2ld 64; F2i 64; D2i 64; Ld2i 128;
        F2d 64; F2ld 64; D2f 64; D2ld 64; Ld2f 128; Ld2d 128;
    }
}

/// An extension: its type, operation and function.
pub(in super::super) type Extension = (Type, Op, fn(i64) -> i64);

pub(in super::super) fn extension(code: Code) -> Option<Extension> {
    Some(match code {
        Code::Ext8 => (Type::I8, Op::Ext8, fold::ext8),
        Code::Ext16 => (Type::I16, Op::Ext16, fold::ext16),
        Code::Ext32 => (Type::I32, Op::Ext32, fold::ext32),
        Code::Uext8 => (Type::U8, Op::Uext8, fold::uext8),
        Code::Uext16 => (Type::U16, Op::Uext16, fold::uext16),
        Code::Uext32 => (Type::U32, Op::Uext32, fold::uext32),
        _ => return None,
    })
}

/// True if an instruction only computes, loads and stores: it cannot fault, branch, call or take
/// stack.
pub(in super::super) fn is_straight(module: &Module<'_>, insn: InsnId) -> bool {
    let code = module.code(insn);
    if division(code).is_some() {
        return match module.operand(insn, 2) {
            Some(Operand::Int(divisor)) => divisor as i32 != 0,
            Some(Operand::Uint(divisor)) => divisor as i32 != 0,
            _ => false,
        };
    }
    let is_comparison = Comparison::of(code)
        .is_some_and(|comparison| code.number() < 110 && comparison.kind != Kind::LongDouble);
    let computes = plain(code).is_some_and(|(_, bits)| bits <= 64)
        && !matches!(code, Code::I2ld | Code::Ui2ld | Code::F2ld | Code::D2ld);
    is_comparison
        || computes
        || binary(code).is_some()
        || extension(code).is_some()
        || matches!(
            code,
            Code::Mov | Code::Fmov | Code::Dmov | Code::Sub | Code::Subs | Code::Label
        )
}

/// Returns the extension that an integer type needs, if it is narrow.
pub(in super::super) fn extension_of(ty: Type) -> Option<Code> {
    Some(match ty {
        Type::I8 => Code::Ext8,
        Type::I16 => Code::Ext16,
        Type::I32 => Code::Ext32,
        Type::U8 => Code::Uext8,
        Type::U16 => Code::Uext16,
        Type::U32 => Code::Uext32,
        _ => return None,
    })
}

/// Returns the cell of a converted constant, for the unary instructions that are worth folding.
pub(super) fn convert(code: Code, cell: i64) -> Option<i64> {
    Some(match code {
        Code::I2d => (cell as f64).to_bits() as i64,
        Code::Ui2d => (cell as u64 as f64).to_bits() as i64,
        Code::Neg => fold::neg(cell),
        Code::Negs => fold::negs(cell),
        _ => return None,
    })
}

/// The number of low bits that an instruction reads of its inputs, but of those that are parts of
/// addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Reads {
    Bits(u32),
    /// As many as are read of its result, a register, if these are no more than so many, as it is a
    /// copy then; else all.
    AsResult(Reg, u32),
}

impl Reads {
    /// Returns what an instruction reads.
    pub(in super::super) fn of(module: &Module<'_>, insn: InsnId) -> Reads {
        let code = module.code(insn);
        let copied = match extension(code) {
            _ if code == Code::Mov => 64,
            Some((ty, ..)) => 8 * ty.size(),
            None => return Reads::Bits(bits_read(code)),
        };
        match module.operand(insn, 0) {
            Some(Operand::Reg(to)) => Reads::AsResult(to, copied),
            Some(Operand::Mem(mem)) if code == Code::Mov => Reads::Bits(bits_stored(mem.ty)),
            _ => Reads::Bits(copied),
        }
    }
}

/// Returns the number of low bits that an instruction reads of its inputs in registers.
fn bits_read(code: Code) -> u32 {
    if let Some(row) = binary(code) {
        row.bits()
    } else if let Some(comparison) = Comparison::of(code) {
        comparison.bits()
    } else if let Some((_, bits)) = plain(code) {
        bits
    } else if let Some((_, _, bits)) = division(code) {
        bits
    } else if matches!(code, Code::Subs | Code::Bts | Code::Bfs) {
        32
    } else {
        64
    }
}

/// Returns the number of bits of a narrow integer type.
pub(in super::super) fn narrow_bits(ty: Type) -> Option<u32> {
    extension_of(ty).map(|_| 8 * ty.size())
}
