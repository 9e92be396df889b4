//! The table of translations: the generic instruction that each Medium IR instruction becomes.

use crate::ir::{Code, Type};
use crate::machine::{FloatPredicate, Generic, IntPredicate, LowType};
use crate::num::Operation;

/// The shape of an instruction's translation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// The first operand = the second, of any class.
    Move,
    /// `d, a, b`, integers.
    Int(Generic, LowType),
    /// `d, a, b`, integers, b not 0.
    Division(Generic, LowType),
    /// `d, a, b`, floats of any kind.
    Float(Generic, Kind),
    /// d = -a, floats of any kind.
    FloatNegate(Kind),
    /// d = 0 - a.
    Negate(LowType),
    /// d = the low bits of a, extended.
    Extend(Generic, u32),
    /// d = a float of this kind from an integer.
    FromInt(Generic, Kind),
    /// d = an integer from a float of this kind.
    ToInt(Kind),
    /// d = a float of the first kind from one of the second.
    Convert(Kind, Kind),
    /// d = 1 if the comparison of integers holds, else 0.
    Compare(IntPredicate, LowType),
    /// d = 1 if the comparison of floats holds, else 0.
    CompareFloat(FloatPredicate, Kind),
    /// A branch to the label if the comparison of integers holds.
    Branch(IntPredicate, LowType),
    /// A branch to the label if the comparison of floats holds.
    BranchFloat(FloatPredicate, Kind),
    /// A branch to the label if the comparison of an integer with 0 holds.
    BranchZero(IntPredicate, LowType),
    /// `d, a, b`, and the flags: with a signed branch after it, with an unsigned one, and with
    /// none.
    Overflow(Option<Generic>, Option<Generic>, Generic, LowType),
    /// A branch to the label if the comparison with 0 of the preceding overflow instruction's flag
    /// holds.
    BranchOverflow(IntPredicate),
    /// An operation that C has no operator for, on values of a type.
    Operation(Operation, Type),
    /// An instruction with a translation of its own.
    Special,
}

/// A kind of floating value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Float,
    Double,
    Long,
}

/// The translation of each instruction, by its number.
static MEANINGS: [Meaning; Code::COUNT] = {
    let mut meanings = [Meaning::Special; Code::COUNT];
    let mut number = 0;
    while number < Code::COUNT {
        let meaning = meaning_of(Code::ALL[number]);
        assert!(meaning.is_some(), "an instruction has no translation");
        if let Some(meaning) = meaning {
            meanings[number] = meaning;
        }
        number += 1;
    }
    meanings
};

/// Returns the translation of an instruction.
pub(super) fn meaning(code: Code) -> Meaning {
    MEANINGS[code as usize]
}

/// Returns the translation of an instruction, if it has one in the table or is an operation.
#[rustfmt::skip] // one group, one line
const fn meaning_of(code: Code) -> Option<Meaning> {
    use Code as C;
    use FloatPredicate as F;
    use Generic as G;
    use IntPredicate as I;
    use Kind::{Double, Float, Long};
    use LowType::{S32, S64};
    use Meaning as M;
    if let Some((operation, ty)) = code.operation() {
        return Some(M::Operation(operation, ty));
    }
    Some(match code {
        C::Mov | C::Fmov | C::Dmov | C::Ldmov => M::Move,
        C::Ext8 => M::Extend(G::SextInreg, 8), C::Ext16 => M::Extend(G::SextInreg, 16), C::Ext32 => M::Extend(G::SextInreg, 32),
        C::Uext8 => M::Extend(G::ZextInreg, 8), C::Uext16 => M::Extend(G::ZextInreg, 16), C::Uext32 => M::Extend(G::ZextInreg, 32),
        C::I2f => M::FromInt(G::Sitofp, Float), C::I2d => M::FromInt(G::Sitofp, Double), C::I2ld => M::FromInt(G::Sitofp, Long),
        C::Ui2f => M::FromInt(G::Uitofp, Float), C::Ui2d => M::FromInt(G::Uitofp, Double), C::Ui2ld => M::FromInt(G::Uitofp, Long),
        C::F2i => M::ToInt(Float), C::D2i => M::ToInt(Double), C::Ld2i => M::ToInt(Long),
        C::F2d => M::Convert(Double, Float), C::F2ld => M::Convert(Long, Float), C::D2f => M::Convert(Float, Double),
        C::D2ld => M::Convert(Long, Double), C::Ld2f => M::Convert(Float, Long), C::Ld2d => M::Convert(Double, Long),
        C::Neg => M::Negate(S64), C::Negs => M::Negate(S32),
        C::Fneg => M::FloatNegate(Float), C::Dneg => M::FloatNegate(Double), C::Ldneg => M::FloatNegate(Long),
        C::Add => M::Int(G::Add, S64), C::Adds => M::Int(G::Add, S32),
        C::Fadd => M::Float(G::Fadd, Float), C::Dadd => M::Float(G::Fadd, Double), C::Ldadd => M::Float(G::Fadd, Long),
        C::Sub => M::Int(G::Sub, S64), C::Subs => M::Int(G::Sub, S32),
        C::Fsub => M::Float(G::Fsub, Float), C::Dsub => M::Float(G::Fsub, Double), C::Ldsub => M::Float(G::Fsub, Long),
        C::Mul => M::Int(G::Mul, S64), C::Muls => M::Int(G::Mul, S32),
        C::Fmul => M::Float(G::Fmul, Float), C::Dmul => M::Float(G::Fmul, Double), C::Ldmul => M::Float(G::Fmul, Long),
        C::Fdiv => M::Float(G::Fdiv, Float), C::Ddiv => M::Float(G::Fdiv, Double), C::Lddiv => M::Float(G::Fdiv, Long),
        C::Div => M::Division(G::Sdiv, S64), C::Divs => M::Division(G::Sdiv, S32),
        C::Udiv => M::Division(G::Udiv, S64), C::Udivs => M::Division(G::Udiv, S32),
        C::Mod => M::Division(G::Srem, S64), C::Mods => M::Division(G::Srem, S32),
        C::Umod => M::Division(G::Urem, S64), C::Umods => M::Division(G::Urem, S32),
        C::And => M::Int(G::And, S64), C::Ands => M::Int(G::And, S32),
        C::Or => M::Int(G::Or, S64), C::Ors => M::Int(G::Or, S32),
        C::Xor => M::Int(G::Xor, S64), C::Xors => M::Int(G::Xor, S32),
        C::Lsh => M::Int(G::Shl, S64), C::Lshs => M::Int(G::Shl, S32),
        C::Rsh => M::Int(G::Ashr, S64), C::Rshs => M::Int(G::Ashr, S32),
        C::Ursh => M::Int(G::Lshr, S64), C::Urshs => M::Int(G::Lshr, S32),
        C::Eq => M::Compare(I::Eq, S64), C::Eqs => M::Compare(I::Eq, S32),
        C::Feq => M::CompareFloat(F::Oeq, Float), C::Deq => M::CompareFloat(F::Oeq, Double), C::Ldeq => M::CompareFloat(F::Oeq, Long),
        C::Ne => M::Compare(I::Ne, S64), C::Nes => M::Compare(I::Ne, S32),
        C::Fne => M::CompareFloat(F::Une, Float), C::Dne => M::CompareFloat(F::Une, Double), C::Ldne => M::CompareFloat(F::Une, Long),
        C::Lt => M::Compare(I::Slt, S64), C::Lts => M::Compare(I::Slt, S32), C::Ult => M::Compare(I::Ult, S64), C::Ults => M::Compare(I::Ult, S32),
        C::Flt => M::CompareFloat(F::Olt, Float), C::Dlt => M::CompareFloat(F::Olt, Double), C::Ldlt => M::CompareFloat(F::Olt, Long),
        C::Le => M::Compare(I::Sle, S64), C::Les => M::Compare(I::Sle, S32), C::Ule => M::Compare(I::Ule, S64), C::Ules => M::Compare(I::Ule, S32),
        C::Fle => M::CompareFloat(F::Ole, Float), C::Dle => M::CompareFloat(F::Ole, Double), C::Ldle => M::CompareFloat(F::Ole, Long),
        C::Gt => M::Compare(I::Sgt, S64), C::Gts => M::Compare(I::Sgt, S32), C::Ugt => M::Compare(I::Ugt, S64), C::Ugts => M::Compare(I::Ugt, S32),
        C::Fgt => M::CompareFloat(F::Ogt, Float), C::Dgt => M::CompareFloat(F::Ogt, Double), C::Ldgt => M::CompareFloat(F::Ogt, Long),
        C::Ge => M::Compare(I::Sge, S64), C::Ges => M::Compare(I::Sge, S32), C::Uge => M::Compare(I::Uge, S64), C::Uges => M::Compare(I::Uge, S32),
        C::Fge => M::CompareFloat(F::Oge, Float), C::Dge => M::CompareFloat(F::Oge, Double), C::Ldge => M::CompareFloat(F::Oge, Long),
        C::Addo => M::Overflow(Some(G::Saddo), Some(G::Uaddo), G::Add, S64), C::Addos => M::Overflow(Some(G::Saddo), Some(G::Uaddo), G::Add, S32),
        C::Subo => M::Overflow(Some(G::Ssubo), Some(G::Usubo), G::Sub, S64), C::Subos => M::Overflow(Some(G::Ssubo), Some(G::Usubo), G::Sub, S32),
        C::Mulo => M::Overflow(Some(G::Smulo), None, G::Mul, S64), C::Mulos => M::Overflow(Some(G::Smulo), None, G::Mul, S32),
        C::Umulo => M::Overflow(None, Some(G::Umulo), G::Mul, S64), C::Umulos => M::Overflow(None, Some(G::Umulo), G::Mul, S32),
        C::Bt => M::BranchZero(I::Ne, S64), C::Bts => M::BranchZero(I::Ne, S32),
        C::Bf => M::BranchZero(I::Eq, S64), C::Bfs => M::BranchZero(I::Eq, S32),
        C::Beq => M::Branch(I::Eq, S64), C::Beqs => M::Branch(I::Eq, S32),
        C::Fbeq => M::BranchFloat(F::Oeq, Float), C::Dbeq => M::BranchFloat(F::Oeq, Double), C::Ldbeq => M::BranchFloat(F::Oeq, Long),
        C::Bne => M::Branch(I::Ne, S64), C::Bnes => M::Branch(I::Ne, S32),
        C::Fbne => M::BranchFloat(F::Une, Float), C::Dbne => M::BranchFloat(F::Une, Double), C::Ldbne => M::BranchFloat(F::Une, Long),
        C::Blt => M::Branch(I::Slt, S64), C::Blts => M::Branch(I::Slt, S32), C::Ublt => M::Branch(I::Ult, S64), C::Ublts => M::Branch(I::Ult, S32),
        C::Fblt => M::BranchFloat(F::Olt, Float), C::Dblt => M::BranchFloat(F::Olt, Double), C::Ldblt => M::BranchFloat(F::Olt, Long),
        C::Ble => M::Branch(I::Sle, S64), C::Bles => M::Branch(I::Sle, S32), C::Uble => M::Branch(I::Ule, S64), C::Ubles => M::Branch(I::Ule, S32),
        C::Fble => M::BranchFloat(F::Ole, Float), C::Dble => M::BranchFloat(F::Ole, Double), C::Ldble => M::BranchFloat(F::Ole, Long),
        C::Bgt => M::Branch(I::Sgt, S64), C::Bgts => M::Branch(I::Sgt, S32), C::Ubgt => M::Branch(I::Ugt, S64), C::Ubgts => M::Branch(I::Ugt, S32),
        C::Fbgt => M::BranchFloat(F::Ogt, Float), C::Dbgt => M::BranchFloat(F::Ogt, Double), C::Ldbgt => M::BranchFloat(F::Ogt, Long),
        C::Bge => M::Branch(I::Sge, S64), C::Bges => M::Branch(I::Sge, S32), C::Ubge => M::Branch(I::Uge, S64), C::Ubges => M::Branch(I::Uge, S32),
        C::Fbge => M::BranchFloat(F::Oge, Float), C::Dbge => M::BranchFloat(F::Oge, Double), C::Ldbge => M::BranchFloat(F::Oge, Long),
        C::Bo | C::Ubo => M::BranchOverflow(I::Ne), C::Bno | C::Ubno => M::BranchOverflow(I::Eq),
        C::Addr | C::Addr8 | C::Addr16 | C::Addr32 | C::Jmp | C::Laddr | C::Jmpi | C::Call | C::Inline | C::Jcall | C::Switch | C::Ret | C::Jret | C::Alloca | C::Bstart | C::Bend | C::VaArg | C::VaBlockArg | C::VaStart | C::VaEnd | C::Prset | C::Prbeq | C::Prbne | C::Label
        | C::AtomicLoad | C::AtomicStore | C::AtomicXchg | C::AtomicCmpxchg | C::AtomicAdd | C::AtomicSub | C::AtomicAnd | C::AtomicNand | C::AtomicOr | C::AtomicXor | C::AtomicMin | C::AtomicMax | C::Fence
        | C::Unspec | C::Use | C::Phi | C::Invalid | C::Ensure | C::Reach => M::Special,
        _ => return None,
    })
}
