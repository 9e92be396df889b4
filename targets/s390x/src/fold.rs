//! Folding of an instruction into its user: loads, extensions, shifts and masks; and the forms of
//! instructions with long displacements.

use super::insns::Op;
use super::select::run_of_bits;
use mir_nostd::machine::{Opcode, Operand, OperandFlags};
use mir_nostd::target::{FoldedSource, InsnView, Peephole};

mir_nostd::folded_loads! {
    /// The loads that other instructions do by themselves.
    LOADS:
    2 LG: AGRK AG, SGRK SG, NGRK NG, OGRK OG, XGRK XG, MSGR MSG;
    2 LGF: AGRK AGF, SGRK SGF, MSGR MSGF;
    // An instruction that reads the low half makes no use of the extension.
    2 LGF: ARK AY, SRK SY, NRK NY, ORK OY, XRK XY, MSR MSY;
    2 LLGF: ARK AY, SRK SY, NRK NY, ORK OY, XRK XY, MSR MSY;
    2 L: ARK AY, SRK SY, NRK NY, ORK OY, XRK XY, MSR MSY;
    1 LGB: LGBR LGB, LLGCR LLGC;
    1 LLGC: LGBR LGB, LLGCR LLGC;
    1 LGH: LGHR LGH, LLGHR LLGH;
    1 LLGH: LGHR LGH, LLGHR LLGH;
    1 LGF: LLGFR LLGF;
    1 LLGF: LGFR LGF;
    1 L: LGFR LGF, LLGFR LLGF;
    1 LG: CGR CG, CLGR CLG;
    1 LGF: CGR CGF, CR CY, CLR CLY;
    1 LLGF: CR CY, CLR CLY;
    1 L: CR CY, CLR CLY;
    2 LD: ADBR ADB, SDBR SDB, MDBR MDB, DDBR DDB;
    2 LE: AEBR AEB, SEBR SEB, MEEBR MEEB, DEBR DEB;
    1 LD: CDBR CDB;
    1 LE: CEBR CEB, LDEBR LDEB;
}

/// The peepholes, in the order in which they are tried.
pub(crate) static PEEPHOLES: &[Peephole] = &[
    Peephole::new("extended-operand", extended),
    Peephole::new("indexed-address", indexed),
    Peephole::new("select-bits", bits),
    Peephole::new("insert-bits", inserted),
];

/// Folds to `op a, extended b`.
fn extended(insn: &InsnView<'_>, number: usize, source: &InsnView<'_>) -> Option<FoldedSource> {
    const CONVERSIONS: [[Op; 2]; 2] = [[Op::CDGBR, Op::CDFBR], [Op::CEGBR, Op::CEFBR]];
    const SIGNED: [[Op; 2]; 3] = [
        [Op::AGRK, Op::AGFR],
        [Op::SGRK, Op::SGFR],
        [Op::MSGR, Op::MSGFR],
    ];
    const UNSIGNED: [[Op; 2]; 2] = [[Op::AGRK, Op::ALGFR], [Op::SGRK, Op::SLGFR]];
    let (to, short) = (insn.at(0), source.at(1));
    if source.is(Op::LGFR)
        && let Some(&[_, op]) = CONVERSIONS.iter().find(|&&[from, _]| insn.is(from))
    {
        return Some(FoldedSource::new(op, &[to, short]));
    }
    let pairs: &[[Op; 2]] = if source.is(Op::LGFR) {
        &SIGNED
    } else {
        source.is(Op::LLGFR).then_some(&UNSIGNED)?
    };
    let &[from, op] = pairs.iter().find(|&&[from, _]| insn.is(from))?;
    let is_last = number == 2;
    let other = insn.at(if is_last { 1 } else { 2 });
    // Only sums commute.
    (is_last || from == Op::AGRK).then(|| FoldedSource::new(op, &[to, other, short]))
}

/// Folds to `displacement(a, b)`.
fn indexed(insn: &InsnView<'_>, number: usize, source: &InsnView<'_>) -> Option<FoldedSource> {
    let is_address = insn.is(Op::LA) || insn.is(Op::LAY);
    let has_base_only = number == 1 && insn.at(3) == Operand::NO_REG;
    if is_address && has_base_only && (source.is(Op::AGRK) || source.is(Op::ARK)) {
        let operands = [insn.at(0), source.at(1), insn.at(2), source.at(2)];
        return Some(FoldedSource::new(insn.opcode, &operands));
    }
    let is_load = source.is(Op::LA) || source.is(Op::LAY);
    let is_displaced = is_load && source.at(3) == Operand::NO_REG;
    if is_displaced && source.at(1).as_frame().is_none() && insn.is(Op::AGRK) {
        let other = insn.at(3 - number);
        let operands = [insn.at(0), source.at(1), source.at(2), other];
        return Some(FoldedSource::new(source.opcode, &operands));
    }
    None
}

/// The bits of a register that are kept after a rotation; the others are 0.
#[derive(Clone, Copy)]
struct Field {
    of: Operand,
    rotation: u32,
    mask: u64,
}

impl Field {
    /// Returns the bits that an instruction keeps of its source. The upper half of a 32-bit result
    /// may be taken as 0.
    fn of(insn: &InsnView<'_>) -> Option<Field> {
        const LOW: u64 = 0xFFFF_FFFF;
        let extensions = [(Op::LLGCR, 0xFF), (Op::LLGHR, 0xFFFF), (Op::LLGFR, LOW)];
        if let Some(&(_, mask)) = extensions.iter().find(|&&(op, _)| insn.is(op)) {
            return Some(Field {
                of: insn.at(1),
                rotation: 0,
                mask,
            });
        }
        if insn.is(Op::RISBGNZ) {
            let [first, last] = [insn.immediate(3)?, insn.immediate(4)?];
            return Some(Field {
                of: insn.at(2),
                rotation: insn.immediate(5)?.cast_unsigned(),
                mask: mask_of([first, last]),
            });
        }
        let by = insn.immediate(3)?.cast_unsigned() & 63;
        let shifts = [
            (Op::SLLG, 64, by, u64::MAX << by),
            (Op::SRLG, 64, 64 - by, u64::MAX >> by),
            (Op::SLLK, 32, by, LOW << by & LOW),
            (Op::SRLK, 32, 64 - by, LOW >> by),
        ];
        let mut shifts = shifts.into_iter();
        let (.., rotation, mask) = shifts.find(|&(op, bits, ..)| insn.is(op) && by < bits)?;
        (insn.at(2) == Operand::NO_REG).then_some(Field {
            of: insn.at(1),
            rotation,
            mask,
        })
    }

    /// Returns first bit, last bit and rotation, as instructions have them; `None` if the bits are
    /// not contiguous.
    fn operands(self) -> Option<[Operand; 3]> {
        let [first, last] = if self.mask == u64::MAX {
            [0, 63]
        } else {
            run_of_bits(self.mask)?
        };
        let rotation = (self.rotation % 64).cast_signed();
        Some([first, last, rotation].map(Operand::imm))
    }
}

/// Returns the mask with the bits from the first to the last, counted from the left; it may wrap
/// around.
fn mask_of([first, last]: [i32; 2]) -> u64 {
    let (first, last) = (first.cast_unsigned() & 63, last.cast_unsigned() & 63);
    let (from, to) = (u64::MAX >> first, u64::MAX << (63 - last));
    if first <= last { from & to } else { from | to }
}

/// Folds two selections of bits into one.
fn bits(insn: &InsnView<'_>, number: usize, source: &InsnView<'_>) -> Option<FoldedSource> {
    let (outer, inner) = (Field::of(insn)?, Field::of(source)?);
    let is_read = insn.at(number).as_reg() == outer.of.as_reg();
    let field = Field {
        of: inner.of,
        rotation: inner.rotation + outer.rotation,
        mask: inner.mask.rotate_left(outer.rotation) & outer.mask,
    };
    let [first, last, by] = field.operands().filter(|_| is_read && field.mask != 0)?;
    let (to, of) = (Operand::from(insn.at(0).vreg()?), field.of);
    let before = to.with(OperandFlags::UNDEF);
    let operands = [to, before, of, first, last, by];
    Some(FoldedSource::new(Op::RISBGNZ, &operands))
}

/// Folds to `a ^ bits of b` or `a | bits of b`.
fn inserted(insn: &InsnView<'_>, number: usize, source: &InsnView<'_>) -> Option<FoldedSource> {
    let combining = [
        (Op::XGRK, Op::RXSBG),
        (Op::XRK, Op::RXSBG),
        (Op::OGRK, Op::ROSBG),
        (Op::ORK, Op::ROSBG),
    ];
    let &(_, op) = combining.iter().find(|&&(from, _)| insn.is(from))?;
    let field = Field::of(source)?;
    let [first, last, by] = field.operands().filter(|_| field.mask != 0)?;
    let other = insn.at(3 - number);
    let operands = [insn.at(0), other, field.of, first, last, by];
    Some(FoldedSource::new(op, &operands))
}

macro_rules! far_forms {
    ($($near:ident $far:ident,)*) => {
        const FAR_FORMS: &[(Op, Op)] = &[$((Op::$near, Op::$far),)*];
    };
}

far_forms! {
    LA LAY, L LY, STC STCY, STH STHY, ST STY, MVI MVIY, LD LDY, LE LEY, STD STDY, STE STEY,
}

/// Returns the opcode with a signed displacement of 20 bits in place of an unsigned one of 12.
pub(crate) fn far_form(opcode: impl Into<Opcode>) -> Option<Op> {
    let opcode = opcode.into();
    let form = (FAR_FORMS.iter()).find(|&&(near, _)| opcode == near.into());
    form.map(|&(_, far)| far)
}
