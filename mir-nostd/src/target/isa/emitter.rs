//! The emitter of target instructions, which fills in all that their table rows say about operands.

use crate::machine::{
    Bank, BlockId, Constant, FrameId, Function, Generic, InsnId, LowType, Opcode, Operand,
    OperandFlags, OperandKind, Reg, SubIndex, VReg, VRegInfo,
};
use crate::mem::Entity;
use crate::target::error::{Error, Phase};
use crate::target::tables::OperandShape;
use crate::target::{InsnRow, Isa, OperandRow, RegisterFile};

/// The most operands of a target instruction that [`Emitter::emit`] takes, and of a generic one
/// that is selected.
pub(crate) const MAX_OPERANDS: usize = 48;

/// Inserts instructions at one place of a function, one after the other.
pub struct Emitter<'f, 'm> {
    /// The function.
    pub function: &'f mut Function<'m>,
    isa: &'f dyn Isa,
    rows: &'static [InsnRow],
    registers: &'static RegisterFile,
    block: BlockId,
    next: Option<InsnId>,
}

impl core::fmt::Debug for Emitter<'_, '_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Emitter({:?})", self.block)
    }
}

impl<'f, 'm> Emitter<'f, 'm> {
    /// Returns an emitter of instructions before `next`, or at the end of the block.
    pub fn new(
        function: &'f mut Function<'m>,
        isa: &'f dyn Isa,
        block: BlockId,
        next: Option<InsnId>,
    ) -> Emitter<'f, 'm> {
        let tables = (isa.insns(), isa.registers());
        Emitter::with_tables(function, isa, tables, block, next)
    }

    /// Does as [`Emitter::new`] for callers that have the target's tables at hand.
    #[inline]
    pub(crate) fn with_tables(
        function: &'f mut Function<'m>,
        isa: &'f dyn Isa,
        (rows, registers): (&'static [InsnRow], &'static RegisterFile),
        block: BlockId,
        next: Option<InsnId>,
    ) -> Emitter<'f, 'm> {
        Emitter {
            function,
            isa,
            rows,
            registers,
            block,
            next,
        }
    }

    /// Returns the block.
    #[must_use]
    pub fn block(&self) -> BlockId {
        self.block
    }

    /// Returns the place at which instructions are inserted: the block, and the next instruction,
    /// if that is not the block's end.
    #[must_use]
    pub fn place(&self) -> (BlockId, Option<InsnId>) {
        (self.block, self.next)
    }

    /// Has later instructions inserted before `next`, or at the end of the block.
    pub fn go_to(&mut self, block: BlockId, next: Option<InsnId>) {
        (self.block, self.next) = (block, next);
    }

    /// Ends the block here: later instructions, and those emitted from now on, are in a new block,
    /// into which this one falls through. Only in the stage `frame`. Returns the new block.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn split(&mut self) -> Result<BlockId, Error> {
        self.block = self.function.split(self.block, self.next)?;
        Ok(self.block)
    }

    /// Returns a new virtual register of the class that its bank and type have by default.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn vreg(&mut self, bank: Bank, ty: LowType) -> Result<VReg, Error> {
        let class = (self.registers.class_of)(bank, ty);
        Ok(self.function.add_vreg(VRegInfo { ty, bank, class })?)
    }

    /// Returns a new virtual register for a 64-bit integer.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn int(&mut self) -> Result<Operand, Error> {
        Ok(self.vreg(Bank::General, LowType::S64)?.into())
    }

    /// Emits an instruction of the target's table.
    ///
    /// `operands` are its explicit operands in order; the table determines if they are written or
    /// read, the part of a virtual register that is meant, ties and implicit registers. A source
    /// that is tied to a definition is copied to it first, through a new register if another
    /// operand still reads the definition's old value. Operands beyond the row's are kept as they
    /// are (masks, implicit registers of calls).
    ///
    /// # Errors
    ///
    /// Out of memory.
    #[inline]
    pub fn emit(&mut self, opcode: impl Into<Opcode>, operands: &[Operand]) -> Result<(), Error> {
        self.emit_insn(opcode.into(), operands).map(|_| ())
    }

    /// Emits an instruction as [`Emitter::emit`] does, and returns it.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn emit_insn(&mut self, opcode: Opcode, operands: &[Operand]) -> Result<InsnId, Error> {
        let row = opcode.row().and_then(|row| self.rows.get(row));
        let row = row.ok_or(Error::NotSelected(opcode))?;
        let (mut shapes, implicit) = (row.shapes, &*row.implicit);
        let count = operands.len() + implicit.len();
        if count > MAX_OPERANDS {
            return Err(Error::TooLarge);
        }
        // The operands are written where they stay.
        let registers = self.registers;
        let (pool, vregs) = self.function.pool();
        let start = pool.len() as u32;
        let mut room = pool.room_for(count)?;
        let explicit =
            { operands.iter() }.map(|&operand| fill(vregs, registers, shapes.next(), operand));
        room.extend(explicit);
        room.extend(implicit.iter().copied());
        let (block, next, ty) = (self.block, self.next, LowType::S64);
        let insn = (self.function).link_inlined(block, next, opcode, ty, (start, count as u16))?;
        if row.shapes.has_ties() {
            let explicit = NewOperands {
                start,
                count: operands.len(),
            };
            self.tie_all(insn, row, explicit)?;
        }
        Ok(insn)
    }

    /// Ties the sources of an instruction that its row ties to definitions.
    #[inline(never)]
    fn tie_all(&mut self, insn: InsnId, row: &InsnRow, list: NewOperands) -> Result<(), Error> {
        // Copies of sources come before the instruction.
        let next = self.next.replace(insn);
        let mut result = None;
        for (number, kind) in row.operands.iter().enumerate() {
            if let OperandRow::Tied(_, def) = *kind {
                let moved = self.tie(list, usize::from(def), number)?;
                result = result.or(moved);
            }
        }
        self.next = next;
        if let Some((to, from)) = result {
            self.copy(to, from)?;
        }
        Ok(())
    }

    /// Makes source `number` the register of definition `def`. If that needs another register for
    /// the result, returns the target and the source of the copy that must follow.
    fn tie(
        &mut self,
        list: NewOperands,
        def: usize,
        number: usize,
    ) -> Result<Option<(Operand, Operand)>, Error> {
        let operands = list.of(self.function);
        let (Some(&to), Some(&from)) = (operands.get(def), operands.get(number)) else {
            return Ok(None);
        };
        let (Some(to_reg), Some(from_reg)) = (to.as_reg(), from.as_reg()) else {
            return Ok(None);
        };
        let tie = |operand: Operand| operand.tied_to(def as u8);
        let plain = |reg| Operand::reg(reg);
        if to_reg == from_reg {
            list.set(self.function, number, tie(from));
            return Ok(None);
        }
        let others = operands.iter().enumerate();
        let read_elsewhere = { others }.any(|(place, other)| {
            place != def && place != number && other.as_reg() == Some(to_reg)
        });
        if !read_elsewhere {
            self.copy(plain(to_reg), plain(from_reg))?;
            list.set(self.function, number, tie(from.on(to_reg)));
            return Ok(None);
        }
        let Some(vreg) = to_reg.vreg() else {
            return Err(Phase::Selection.internal(None));
        };
        let new = self.function.add_vreg(self.function.vreg(vreg))?;
        self.copy(new.into(), plain(from_reg))?;
        list.set(self.function, number, tie(from.on(Reg::virt(new))));
        list.set(self.function, def, to.on(Reg::virt(new)));
        Ok(Some((plain(to_reg), new.into())))
    }

    /// Copies between registers of one bank.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn copy(&mut self, to: Operand, from: Operand) -> Result<InsnId, Error> {
        let operands = [to.with(OperandFlags::DEF), from];
        let opcode = Generic::Copy.into();
        let (block, next, ty) = (self.block, self.next, LowType::S64);
        Ok((self.function).insert_first(block, next, opcode, ty, &operands, 2)?)
    }

    /// Returns a constant of the pool: the low `len` bytes (4, 8 or 16) of `bits`, in the target's
    /// byte order.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn constant(&mut self, bits: u128, len: u8) -> Result<Operand, Error> {
        Ok(constant(self.function, self.isa, bits, len)?)
    }

    /// Returns a constant of the pool with the address of the symbol that an operand names; any
    /// other operand unchanged.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn address_constant(&mut self, symbol: Operand) -> Result<Operand, Error> {
        let Some(id) = symbol.as_symbol() else {
            return Ok(symbol);
        };
        let id = self.function.add_constant(Constant {
            bytes: [0; 16],
            len: 8,
            symbol: Some(id),
        })?;
        Ok(Operand::constant(id))
    }

    /// Returns the value of an immediate operand.
    #[must_use]
    pub fn immediate(&self, operand: Operand) -> Option<i64> {
        self.function.immediate(operand)
    }

    /// Returns the offset of a frame object that an instruction names.
    ///
    /// # Errors
    ///
    /// [`Error::Internal`] if the function has no such object.
    pub fn frame_offset(&self, insn: InsnId, frame: FrameId) -> Result<i32, Error> {
        let object = self.function.frame.get(frame);
        let object = object.ok_or(Phase::Emission.internal(Some(insn)))?;
        Ok(object.offset)
    }

    /// Returns whether an operand is a register (not none).
    #[must_use]
    pub fn is_register(&self, operand: Operand) -> bool {
        operand.kind() == OperandKind::Register && operand.as_reg() != Some(Reg::NONE)
    }
}

/// Returns an operand with the flags and the part that the shape of its column in the row asks for.
#[inline(always)]
fn fill(
    vregs: &[VRegInfo],
    registers: &RegisterFile,
    shape: OperandShape,
    operand: Operand,
) -> Operand {
    let Some(reg) = operand.as_reg().filter(|_| shape.is_register()) else {
        return operand;
    };
    let operand = operand.without(OperandFlags::DEF).with(shape.flags());
    let wanted = shape.part();
    let part = match (operand.sub(), reg.vreg()) {
        (SubIndex(0), _) if wanted == SubIndex(0) => return operand,
        // No register has no parts.
        (_, None) => return operand.on(registers.part(reg, wanted)),
        (SubIndex(0), Some(vreg)) => {
            let own = vregs[vreg.index()].class;
            if registers.class(own).part == wanted {
                return operand;
            }
            wanted
        }
        (given, _) => given,
    };
    match operand.is_def() {
        true => operand.part(part).with(OperandFlags::UNDEF),
        false => operand.part(part),
    }
}

/// Returns a new virtual register for a 64-bit integer.
pub(crate) fn new_int(
    function: &mut Function<'_>,
    isa: &dyn Isa,
) -> Result<Operand, crate::mem::OutOfMemory> {
    let (bank, ty) = (Bank::General, LowType::S64);
    let class = (isa.registers().class_of)(bank, ty);
    Ok(function.add_vreg(VRegInfo { ty, bank, class })?.into())
}

/// Returns the operands of an instruction that computes a register from at most two sources, and
/// their number.
pub(crate) fn computation(to: Operand, sources: &[Operand]) -> ([Operand; 3], usize) {
    let mut operands = [to.with(OperandFlags::DEF); 3];
    for (place, &source) in operands.iter_mut().skip(1).zip(sources) {
        *place = source;
    }
    (operands, 1 + sources.len().min(2))
}

/// Returns a constant of the pool; see [`Emitter::constant`].
pub(crate) fn constant(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    bits: u128,
    len: u8,
) -> Result<Operand, crate::mem::OutOfMemory> {
    let mut bytes = bits.to_le_bytes();
    let len = len.min(16);
    if isa.target().big_endian
        && let Some(used) = bytes.get_mut(..usize::from(len))
    {
        used.reverse();
    }
    let id = function.add_constant(Constant {
        bytes,
        len,
        symbol: None,
    })?;
    Ok(Operand::constant(id))
}

/// The explicit operands of an instruction in the making.
#[derive(Clone, Copy)]
struct NewOperands {
    start: u32,
    count: usize,
}

impl NewOperands {
    fn of<'f>(self, function: &'f Function<'_>) -> &'f [Operand] {
        function.operands_from(self.start, self.count)
    }

    fn set(self, function: &mut Function<'_>, number: usize, operand: Operand) {
        if number < self.count {
            function.set_operand(self.start, number, operand);
        }
    }
}
