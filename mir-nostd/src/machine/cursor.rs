//! Positions between instructions, for passes that change the function as they walk.

use super::function::InsertError;
use super::{BlockId, Function, InsnId, LowType, Opcode, Operand};

/// A position in a block: before an instruction, or at the end.
///
/// A cursor does not borrow the function, so a pass may change it on the way: the instruction that
/// was returned last may be removed, replaced or moved, and instructions inserted before or right
/// after it are not visited. Only the instruction that comes next must stay in the block.
///
/// ```
/// use mir_nostd::machine::{Function, Generic, LowType, Operand};
/// # fn main() -> Result<(), mir_nostd::machine::InsertError> {
/// # let system = testkit::SystemAllocator;
/// let mut function = Function::new(&system);
/// let block = function.add_block()?;
/// for value in 0..3 {
///     function.append(block, Generic::Constant, LowType::S64, &[Operand::imm(value)])?;
/// }
///
/// let mut cursor = function.cursor(block);
/// while let Some(insn) = cursor.next(&function) {
///     match function.operands(insn)[0].small() {
///         Some(0) => function.remove(insn),
///         Some(1) => {
///             let operands = [Operand::imm(5)];
///             cursor.insert(&mut function, Generic::Constant.into(), LowType::S64, &operands)?;
///         }
///         _ => function.replace(insn, Generic::Constant, LowType::S32, &[Operand::imm(7)])?,
///     }
/// }
/// let values = function.insns(block).map(|insn| function.operands(insn)[0].small());
/// assert!(values.eq([Some(1), Some(5), Some(7)]));
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct InsnCursor {
    block: BlockId,
    next: Option<InsnId>,
}

impl InsnCursor {
    /// Returns the instruction after the position, and moves past it.
    #[inline]
    pub fn next(&mut self, function: &Function<'_>) -> Option<InsnId> {
        let insn = self.next?;
        self.next = function.insn(insn).next();
        Some(insn)
    }

    /// Returns the instruction after the position and moves past it, if `is_wanted` holds for it.
    #[inline]
    pub fn next_if(
        &mut self,
        function: &Function<'_>,
        is_wanted: impl FnOnce(&Function<'_>, InsnId) -> bool,
    ) -> Option<InsnId> {
        let insn = self.next.filter(|&insn| is_wanted(function, insn))?;
        self.next = function.insn(insn).next();
        Some(insn)
    }

    /// Returns the instruction after the position.
    #[must_use]
    pub const fn peek(&self) -> Option<InsnId> {
        self.next
    }

    /// Inserts an instruction at the position, which is after it then.
    ///
    /// # Errors
    ///
    /// [`InsertError`].
    pub fn insert(
        &self,
        function: &mut Function<'_>,
        opcode: Opcode,
        ty: LowType,
        operands: &[Operand],
    ) -> Result<InsnId, InsertError> {
        function.insert(self.block, self.next, opcode, ty, operands)
    }
}

/// A position in a block, for walks backward: after an instruction, or at the start.
#[derive(Clone, Copy, Debug)]
pub struct BackwardCursor {
    previous: Option<InsnId>,
}

impl BackwardCursor {
    /// Returns the instruction before the position, and moves before it.
    #[inline]
    pub fn previous(&mut self, function: &Function<'_>) -> Option<InsnId> {
        let insn = self.previous?;
        self.previous = function.insn(insn).previous();
        Some(insn)
    }

    /// Returns the instruction before the position and moves before it, if `is_wanted` holds for
    /// it.
    #[inline]
    pub fn previous_if(
        &mut self,
        function: &Function<'_>,
        is_wanted: impl FnOnce(&Function<'_>, InsnId) -> bool,
    ) -> Option<InsnId> {
        let insn = self.previous.filter(|&insn| is_wanted(function, insn))?;
        self.previous = function.insn(insn).previous();
        Some(insn)
    }
}

/// A position in the layout, for passes that change the function as they walk over its blocks.
#[derive(Clone, Copy, Default, Debug)]
pub struct LayoutCursor {
    place: usize,
}

impl LayoutCursor {
    /// Returns the next block of the layout, and moves past it.
    #[inline]
    pub fn next(&mut self, function: &Function<'_>) -> Option<BlockId> {
        let block = function.layout.get(self.place).copied()?;
        self.place += 1;
        Some(block)
    }
}

impl Function<'_> {
    /// Returns a cursor at the start of a block.
    #[must_use]
    #[inline]
    pub fn cursor(&self, block: BlockId) -> InsnCursor {
        InsnCursor {
            block,
            next: self.block(block).first(),
        }
    }

    /// Returns a cursor before an instruction.
    #[must_use]
    pub fn cursor_at(&self, insn: InsnId) -> InsnCursor {
        InsnCursor {
            block: self.insn(insn).block(),
            next: Some(insn),
        }
    }

    /// Returns a cursor at the end of a block, for a walk backward.
    #[must_use]
    #[inline]
    pub fn cursor_at_end(&self, block: BlockId) -> BackwardCursor {
        BackwardCursor {
            previous: self.block(block).last(),
        }
    }

    /// Replaces an instruction by another one in its place, with the same number.
    ///
    /// # Errors
    ///
    /// [`InsertError`].
    pub fn replace(
        &mut self,
        insn: InsnId,
        opcode: impl Into<Opcode>,
        ty: LowType,
        operands: &[Operand],
    ) -> Result<(), InsertError> {
        self.set_opcode(insn, opcode.into());
        self.set_type(insn, ty);
        self.set_operands(insn, operands)
    }
}
