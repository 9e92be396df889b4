//! Load combining: neighbouring bytes that are loaded one by one, shifted and joined become one
//! load of a word, whose bytes are reversed if the program joins them in the order of other
//! machines. In SSA form, on targets that load words at any address.
//!
//! A forward walk keeps of which bytes of memory each register consists. A join of two runs that
//! are neighbours in memory and in the register is a longer run; one of the size of a word that
//! begins at the lowest bit is loaded at the place of the join. Nothing may change memory between
//! the first load and that place. The single loads are left to dead code elimination. The cost is
//! linear.

use crate::codegen::analysis::memory_generations::changes_memory;
use crate::machine::{
    Function, Generic, InsnId, LayoutCursor, LowType, Operand, OperandFlags, VReg,
};
use crate::mem::{Entity, Vec};
use crate::target::Isa;
use crate::target::error::Error;

/// The order of bytes in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ByteOrder {
    /// The byte at the lowest address has the lowest bits.
    Little,
    /// The byte at the lowest address has the highest bits.
    Big,
}

/// The bytes in a row of memory that a register consists of. Its other bits are 0.
#[derive(Clone, Copy)]
struct Run {
    /// A load of some of them, which has the address but for the displacement.
    load: InsnId,
    displacement: i32,
    /// The number of bytes.
    count: u32,
    /// The number of bits below them.
    shift: u32,
    /// The order, if there are several.
    order: Option<ByteOrder>,
    /// The number of bits of the register that are known; those above are undefined.
    width: u32,
    /// The number of changes of memory before the loads.
    changes: u32,
}

impl Run {
    /// Returns the number of bits up to the highest byte.
    const fn end(&self) -> u32 {
        self.shift + 8 * self.count
    }

    /// Returns the run that this one and one above it in the register make in memory, of the same
    /// loads but for the displacements.
    fn joined(&self, above: &Run) -> Option<Run> {
        let follows = |low: &Run, high: &Run| {
            low.displacement.checked_add_unsigned(low.count) == Some(high.displacement)
        };
        let order = match () {
            () if follows(self, above) => ByteOrder::Little,
            () if follows(above, self) => ByteOrder::Big,
            () => return None,
        };
        let agrees = |run: &Run| run.order.is_none_or(|own| own == order);
        let is_run = self.end() == above.shift
            && self.changes == above.changes
            && agrees(self)
            && agrees(above);
        is_run.then_some(Run {
            displacement: self.displacement.min(above.displacement),
            count: self.count + above.count,
            order: Some(order),
            ..*self
        })
    }
}

/// A walk over a function.
struct Walk<'m> {
    runs: Vec<'m, Option<Run>>,
    /// The order of bytes of the target.
    order: ByteOrder,
    /// The number of changes of memory so far; a block begins with one.
    changes: u32,
}

/// Replaces joins of loaded bytes by loads of words.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn combine_loads(function: &mut Function<'_>, isa: &dyn Isa) -> Result<(), Error> {
    if !isa.description().unaligned_loads || !has_joins(function) {
        return Ok(());
    }
    let mut runs = Vec::new(function.allocator());
    runs.resize(function.vreg_count(), None)?;
    let order = match isa.target().big_endian {
        true => ByteOrder::Big,
        false => ByteOrder::Little,
    };
    let mut walk = Walk {
        runs,
        order,
        changes: 0,
    };
    function.origins.place_near();
    let mut layout = LayoutCursor::default();
    while let Some(block) = layout.next(function) {
        walk.changes += 1;
        let mut cursor = function.cursor(block);
        while let Some(insn) = cursor.next(function) {
            if let Some(run) = walk.run(function, insn) {
                if walk.is_word(function, isa, insn, &run) {
                    walk.load(function, insn, &run)?;
                }
                let to = function.operands(insn).first().and_then(|to| to.vreg());
                if let Some(known) = to.and_then(|to| walk.runs.get_mut(to.index())) {
                    *known = Some(run);
                }
            } else if changes_memory(function.insn(insn)) {
                walk.changes += 1;
            }
        }
    }
    Ok(())
}

/// Returns whether there are loads of bytes and joins at all.
fn has_joins(function: &Function<'_>) -> bool {
    let (mut loads, mut joins) = (false, false);
    for &block in &function.layout {
        for (_, row) in function.rows(block) {
            loads |= row.opcode == Generic::ZextLoad.into() && row.ty == LowType::S8;
            joins |= row.opcode.generic().is_some_and(is_join);
        }
    }
    loads && joins
}

/// Returns whether an instruction joins values that have no bits in common.
fn is_join(generic: Generic) -> bool {
    matches!(generic, Generic::Or | Generic::Xor | Generic::Add)
}

impl Walk<'_> {
    /// Returns the bytes that the result of an instruction consists of, if it has no other bits.
    fn run(&self, function: &Function<'_>, insn: InsnId) -> Option<Run> {
        let row = function.insn(insn);
        let operands = function.operands(insn);
        match (row.opcode.generic()?, operands) {
            (Generic::Load | Generic::ZextLoad, &[_, _, _, _, displacement]) => {
                let count = row.ty.bytes();
                let is_extended = row.opcode == Generic::ZextLoad.into();
                Some(Run {
                    load: insn,
                    displacement: displacement.small()?,
                    count,
                    shift: 0,
                    order: (count > 1).then_some(self.order),
                    width: if is_extended { 64 } else { 8 * count },
                    changes: self.changes,
                })
            }
            (Generic::Shl, &[_, from, by]) => {
                let run = self.known(from, row.ty)?;
                let shift = run.shift.checked_add_signed(by.small()?)?;
                let is_kept = by.small()? >= 0 && shift + 8 * run.count <= run.width;
                is_kept.then_some(Run { shift, ..run })
            }
            (Generic::ZextInreg, &[_, from, bits]) if bits.small() == Some(32) => {
                let run = self.known(from, LowType::S32)?;
                Some(Run { width: 64, ..run })
            }
            (generic, &[_, a, b]) if is_join(generic) => {
                let (a, b) = (self.known(a, row.ty)?, self.known(b, row.ty)?);
                let (low, high) = if a.shift < b.shift { (a, b) } else { (b, a) };
                same_address(function, &low, &high)
                    .then(|| low.joined(&high))
                    .flatten()
            }
            _ => None,
        }
    }

    /// Returns the bytes that an operand consists of, as an instruction of a type reads it.
    fn known(&self, operand: Operand, ty: LowType) -> Option<Run> {
        let run = (*self.runs.get(operand.vreg()?.index())?)?;
        let width = ty.bits();
        let is_read = run.width >= width && run.end() <= width;
        is_read.then_some(Run { width, ..run })
    }

    /// Returns whether a join is better loaded as a word.
    fn is_word(&self, function: &Function<'_>, isa: &dyn Isa, insn: InsnId, run: &Run) -> bool {
        let is_joined = function.insn(insn).opcode.generic().is_some_and(is_join);
        let is_reversible = 8 * run.count == run.width && isa.description().has(Generic::Bswap);
        is_joined
            && run.shift == 0
            && run.changes == self.changes
            && word(run.count).is_some()
            && (run.order == Some(self.order) || is_reversible)
    }

    /// Replaces a join by a load of the bytes that it consists of.
    fn load(&self, function: &mut Function<'_>, insn: InsnId, run: &Run) -> Result<(), Error> {
        let &[_, base, index, scale, _] = function.operands(run.load) else {
            return Ok(());
        };
        let (Some(&to), Some(ty)) = (function.operands(insn).first(), word(run.count)) else {
            return Ok(());
        };
        let displacement = Operand::imm(run.displacement);
        let mut address = [to, base, index, scale, displacement];
        if run.order == Some(self.order) {
            let opcode = match ty {
                LowType::S64 => Generic::Load,
                _ => Generic::ZextLoad,
            };
            function.set_opcode(insn, opcode.into());
            function.set_type(insn, ty);
            return Ok(function.set_operands(insn, &address)?);
        }
        let Some(result) = to.vreg() else {
            return Ok(());
        };
        let loaded: VReg = function.add_vreg(function.vreg(result))?;
        address[0] = Operand::from(loaded).with(OperandFlags::DEF);
        let block = function.insn(insn).block();
        function.insert(block, Some(insn), Generic::Load.into(), ty, &address)?;
        function.set_opcode(insn, Generic::Bswap.into());
        Ok(function.set_operands(insn, &[to, loaded.into()])?)
    }
}

/// Returns the type of words of so many bytes, if there is one.
const fn word(bytes: u32) -> Option<LowType> {
    match bytes {
        2 => Some(LowType::S16),
        4 => Some(LowType::S32),
        8 => Some(LowType::S64),
        _ => None,
    }
}

/// Returns whether the addresses of two runs differ by their displacements alone.
fn same_address(function: &Function<'_>, a: &Run, b: &Run) -> bool {
    let [a, b] = [a, b].map(|run| function.operands(run.load).get(1..4));
    a.is_some() && a == b
}
