//! Which instructions have a form with memory, and forms of instructions that reach farther.

use super::insns::Op;
use mir_nostd::machine::Opcode;

/// Instruction, number of the operand, load, the instruction with memory.
type Fold = (Op, usize, Op, Op);

macro_rules! folds {
    ($($number:literal $load:ident: $($from:ident $to:ident,)*;)*) => {
        const FOLDS: &[Fold] = &[$($((Op::$from, $number, Op::$load, Op::$to),)*)*];
    };
}

folds! {
    2 LG: AGRK AG, SGRK SG, NGRK NG, OGRK OG, XGRK XG, MSGR MSG,;
    2 LGF: AGRK AGF, SGRK SGF, MSGR MSGF,;
    2 L: ARK A, SRK S, NRK N, ORK O, XRK X, MSR MS,;
    // The extension is of no use to what reads the low half.
    2 LGF: ARK AY, SRK SY, NRK NY, ORK OY, XRK XY, MSR MSY,;
    2 LLGF: ARK AY, SRK SY, NRK NY, ORK OY, XRK XY, MSR MSY,;
    1 LG: CGR CG, CLGR CLG,;
    1 LGF: CGR CGF, CR CY, CLR CLY,;
    1 LLGF: CR CY, CLR CLY,;
    1 L: CR C, CLR CL,;
    2 LD: ADBR ADB, SDBR SDB, MDBR MDB, DDBR DDB,;
    2 LE: AEBR AEB, SEBR SEB, MEEBR MEEB, DEBR DEB,;
    1 LD: CDBR CDB,;
    1 LE: CEBR CEB, LDEBR LDEB,;
}

/// The instruction with memory for an instruction, the number of an operand, and what loads that.
pub(crate) fn fold_load(opcode: Opcode, number: usize, load: Opcode) -> Option<Opcode> {
    let fold = FOLDS.iter().find(|&&(from, place, loading, _)| {
        place == number && opcode == from.into() && load == loading.into()
    });
    fold.map(|&(.., to)| to.into())
}

macro_rules! far_forms {
    ($($near:ident $far:ident,)*) => {
        /// The same with a displacement of 20 bits, signed, in place of 12 bits, unsigned.
        pub(crate) const fn far_form(op: Op) -> Option<Op> {
            match op {
                $(Op::$near => Some(Op::$far),)*
                _ => None,
            }
        }
    };
}

far_forms! {
    LA LAY, L LY, STC STCY, STH STHY, ST STY, MVI MVIY, A AY, S SY, N NY, O OY, X XY, MS MSY, C CY, CL CLY, LD LDY, LE LEY,
    STD STDY, STE STEY,
}
