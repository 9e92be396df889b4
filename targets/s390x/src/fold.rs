//! Folding of an instruction into its user: loads, extensions, shifts and masks; and the forms of
//! instructions with long displacements.

use super::insns::Op;
use super::select::run_of_bits;
use mir_nostd::machine::{Function, InsnId, Opcode, Operand, OperandFlags};
use mir_nostd::target::FoldedSource;

/// A rule: an instruction, the number of the operand, the load, the instruction with a memory
/// operand.
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
    // An instruction that reads the low half makes no use of the extension.
    2 LGF: ARK AY, SRK SY, NRK NY, ORK OY, XRK XY, MSR MSY,;
    2 LLGF: ARK AY, SRK SY, NRK NY, ORK OY, XRK XY, MSR MSY,;
    1 LGB: LGBR LGB, LLGCR LLGC,;
    1 LLGC: LGBR LGB, LLGCR LLGC,;
    1 LGH: LGHR LGH, LLGHR LLGH,;
    1 LLGH: LGHR LGH, LLGHR LLGH,;
    1 L: LGFR LGF, LLGFR LLGF,;
    1 LGF: LGFR LGF, LLGFR LLGF,;
    1 LLGF: LGFR LGF, LLGFR LLGF,;
    1 LG: CGR CG, CLGR CLG,;
    1 LGF: CGR CGF, CR CY, CLR CLY,;
    1 LLGF: CR CY, CLR CLY,;
    1 L: CR C, CLR CL,;
    2 LD: ADBR ADB, SDBR SDB, MDBR MDB, DDBR DDB,;
    2 LE: AEBR AEB, SEBR SEB, MEEBR MEEB, DEBR DEB,;
    1 LD: CDBR CDB,;
    1 LE: CEBR CEB, LDEBR LDEB,;
}

/// Returns the instruction that reads operand `number` of `opcode` from memory, in place of the
/// load.
pub(crate) fn fold_load(opcode: Opcode, number: usize, load: Opcode) -> Option<Opcode> {
    let fold = FOLDS.iter().find(|&&(from, place, loading, _)| {
        place == number && opcode == from.into() && load == loading.into()
    });
    fold.map(|&(.., to)| to.into())
}

/// Returns what replaces `insn` so that it computes by itself what `source` computes for its
/// operand `number`.
pub(crate) fn fold_source(
    function: &Function<'_>,
    insn: InsnId,
    number: usize,
    source: InsnId,
) -> Option<FoldedSource> {
    let [insn, source] = [insn, source].map(|insn| Insn::new(function, insn));
    let (insn, source) = (insn?, source?);
    (extended(&insn, number, &source))
        .or_else(|| indexed(&insn, number, &source))
        .or_else(|| bits(&insn, number, &source))
        .or_else(|| inserted(&insn, number, &source))
}

/// An instruction with its operands.
struct Insn<'f> {
    op: Op,
    operands: &'f [Operand],
}

impl Insn<'_> {
    fn new<'f>(function: &'f Function<'_>, insn: InsnId) -> Option<Insn<'f>> {
        Some(Insn {
            op: Op::of(function.insn(insn).opcode)?,
            operands: function.operands(insn),
        })
    }

    fn at(&self, number: usize) -> Operand {
        self.operands
            .get(number)
            .copied()
            .unwrap_or(Operand::NO_REG)
    }
}

/// Folds to `op a, extended b`.
fn extended(insn: &Insn<'_>, number: usize, source: &Insn<'_>) -> Option<FoldedSource> {
    let [to, a, b] = [insn.at(0), insn.at(1), insn.at(2)];
    let other = if number == 2 { a } else { b };
    let short = source.at(1);
    let is_last = number == 2;
    let op = match (source.op, insn.op) {
        (Op::LGFR, Op::CDGBR) => return Some(FoldedSource::new(Op::CDFBR, &[to, short])),
        (Op::LGFR, Op::CEGBR) => return Some(FoldedSource::new(Op::CEFBR, &[to, short])),
        (Op::LGFR, Op::AGRK) => Op::AGFR,
        (Op::LLGFR, Op::AGRK) => Op::ALGFR,
        (Op::LGFR, Op::SGRK) if is_last => Op::SGFR,
        (Op::LLGFR, Op::SGRK) if is_last => Op::SLGFR,
        (Op::LGFR, Op::MSGR) if is_last => Op::MSGFR,
        _ => return None,
    };
    Some(FoldedSource::new(op, &[to, other, short]))
}

/// Folds to `displacement(a, b)`.
fn indexed(insn: &Insn<'_>, number: usize, source: &Insn<'_>) -> Option<FoldedSource> {
    let is_address = matches!(insn.op, Op::LA | Op::LAY);
    let has_base_only = number == 1 && insn.at(3) == Operand::NO_REG;
    if is_address && has_base_only && matches!(source.op, Op::AGRK | Op::ARK) {
        let operands = [insn.at(0), source.at(1), insn.at(2), source.at(2)];
        return Some(FoldedSource::new(insn.op, &operands));
    }
    let is_displaced = matches!(source.op, Op::LA | Op::LAY) && source.at(3) == Operand::NO_REG;
    if is_displaced && source.at(1).as_frame().is_none() && insn.op == Op::AGRK {
        let other = insn.at(3 - number);
        let operands = [insn.at(0), source.at(1), source.at(2), other];
        return Some(FoldedSource::new(source.op, &operands));
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
    fn of(insn: &Insn<'_>) -> Option<Field> {
        const LOW: u64 = 0xFFFF_FFFF;
        let whole = |mask| Some((insn.at(1), 0, mask));
        let (of, rotation, mask) = match insn.op {
            Op::LLGCR => whole(0xFF),
            Op::LLGHR => whole(0xFFFF),
            Op::LLGFR => whole(LOW),
            Op::RISBGNZ => {
                let [first, last] = [insn.at(3).small()?, insn.at(4).small()?];
                let rotation = insn.at(5).small()?.cast_unsigned();
                Some((insn.at(2), rotation, mask_of([first, last])))
            }
            _ => {
                let by = insn.at(3).small()?.cast_unsigned() & 63;
                let (rotation, mask) = match insn.op {
                    Op::SLLG => (by, u64::MAX << by),
                    Op::SRLG => (64 - by, u64::MAX >> by),
                    Op::SLLK if by < 32 => (by, LOW << by & LOW),
                    Op::SRLK if by < 32 => (64 - by, LOW >> by),
                    _ => return None,
                };
                (insn.at(2) == Operand::NO_REG).then_some((insn.at(1), rotation, mask))
            }
        }?;
        Some(Field { of, rotation, mask })
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
fn bits(insn: &Insn<'_>, number: usize, source: &Insn<'_>) -> Option<FoldedSource> {
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
fn inserted(insn: &Insn<'_>, number: usize, source: &Insn<'_>) -> Option<FoldedSource> {
    let op = match insn.op {
        Op::XGRK | Op::XRK => Op::RXSBG,
        Op::OGRK | Op::ORK => Op::ROSBG,
        _ => return None,
    };
    let field = Field::of(source)?;
    let [first, last, by] = field.operands().filter(|_| field.mask != 0)?;
    let other = insn.at(3 - number);
    let operands = [insn.at(0), other, field.of, first, last, by];
    Some(FoldedSource::new(op, &operands))
}

macro_rules! far_forms {
    ($($near:ident $far:ident,)*) => {
        /// Returns the opcode with a signed displacement of 20 bits in place of an unsigned one of
        /// 12.
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
