//! The memory operands of target instructions, derived from rows and operands. Medium IR has
//! nothing volatile.

use super::Converter;
use llvm_mir::model::{Access, AccessLocation, LowType, MemoryOperand, MemorySize};
use llvm_mir::target::Isa;
use mir_nostd::codegen::Form;
use mir_nostd::machine::{Function, InsnId, Operand};
use mir_nostd::mem::Entity;
use mir_nostd::target::{InsnFlags, InsnRow, OperandRow};

/// A known place in memory, the offset of the access from it, and the alignment of the place.
type KnownAddress = (AccessLocation, i64, u64);

impl Converter<'_> {
    /// Returns the memory accesses of an instruction of this row, as far as they are known.
    pub(super) fn memory(
        &self,
        from: &Function<'_>,
        insn: InsnId,
        row: &InsnRow,
    ) -> Vec<MemoryOperand> {
        let reads = row.flags.contains(InsnFlags::LOAD);
        let access = match (reads, row.flags.contains(InsnFlags::STORE)) {
            (true, true) => Access::LoadStore,
            (true, false) => Access::Load,
            _ => Access::Store,
        };
        let accesses = match row.bytes {
            0 => 0,
            _ if is_pair(row.name.text()) => 2,
            _ => 1,
        };
        let size = MemorySize::Type(LowType::scalar(8 * u32::from(row.bytes)));
        let (place, offset, align) = self.known_place(from, insn, row).unwrap_or_else(|| {
            let align = u64::from(row.bytes).next_power_of_two();
            (AccessLocation::Unknown, 0, align)
        });
        let mut operand = MemoryOperand::new(access, size, place, align);
        operand.offset = offset;
        vec![operand; accesses]
    }

    fn known_place(
        &self,
        from: &Function<'_>,
        insn: InsnId,
        row: &InsnRow,
    ) -> Option<KnownAddress> {
        let align = u64::from(row.bytes).next_power_of_two();
        let operands = from.operands(insn).get(..row.operands.len())?;
        for (number, &operand) in operands.iter().enumerate() {
            let offset = || self.displacement(from, row, operands, number);
            if let Some(frame) = operand.as_frame() {
                let align = u64::from(from.frame[frame].align);
                let place = AccessLocation::Frame(self.frame[frame.index()]);
                return Some((place, offset()?, align));
            } else if let Some(constant) = operand.as_constant() {
                let align = u64::from(from.constants[constant].len);
                return Some((AccessLocation::ConstantPool, offset()?, align));
            } else if operand.as_table().is_some() && self.form != Form::Encoded {
                return Some((AccessLocation::JumpTable, 0, align));
            } else if operand.as_symbol().is_some() && self.flag_words(operand).contains("got") {
                return Some((AccessLocation::Got, 0, align));
            }
        }
        None
    }

    /// Returns the offset of the access from the place that operand `base` names, if the
    /// instruction alone determines it.
    fn displacement(
        &self,
        from: &Function<'_>,
        row: &InsnRow,
        operands: &[Operand],
        base: usize,
    ) -> Option<i64> {
        let is_base = |number| matches!(row.operands.get(number), Some(OperandRow::Address(_)));
        if !is_base(base) {
            // The operand takes the place of the displacement itself.
            return Some(0);
        }
        let number = |at: usize| operands.get(at).and_then(|&at| from.immediate(at));
        let is_indexed = is_base(base + 2) && operands.get(base + 2) != Some(&Operand::NO_REG);
        match self.target.isa() {
            _ if is_indexed => None,
            Isa::X86_64 => number(base + 3),
            Isa::Ppc64le => number(base.checked_sub(1)?),
            Isa::Aarch64 if row.name.text().ends_with("ui") => {
                Some(number(base + 1)? * i64::from(row.bytes))
            }
            _ => number(base + 1),
        }
    }
}

/// True if an instruction of aarch64 accesses memory twice.
fn is_pair(name: &str) -> bool {
    name.starts_with("LDP") || name.starts_with("STP")
}
