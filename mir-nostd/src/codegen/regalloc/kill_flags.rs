//! Kill flags and dead flags of operands, and the physical registers that are live into each block,
//! for those who look at a function.
//!
//! No stage keeps or reads these flags. [`mark_last_uses`] computes them where a function is shown,
//! and they are removed before the next stage changes it. So they are right whenever they are
//! there, and a compilation that nobody looks at does not pay for them.

use crate::codegen::analysis::live_blocks::Wanted;
use crate::codegen::analysis::liveness::{Groups, LiveAcross, live_across};
use crate::codegen::analysis::properties;
use crate::codegen::form::Form;
use crate::machine::{
    BlockId, Edges, Function, InsnId, Operand, OperandFlags, Reg, SubIndex, UnitSet, VReg,
};
use crate::mem::{Allocator, Entity, OutOfMemory, Vec};
use crate::target::{InsnFlags, Isa};

const FLAGS: OperandFlags = OperandFlags::KILL.union(OperandFlags::DEAD);

/// Marks the last use of each value `killed`, and each definition that nothing reads `dead`, of
/// virtual and physical registers; all other operands lose these flags. Before selection that is
/// all operands. Registers without units (the stack pointer, a frame pointer that is not allocated)
/// and those that hold global variables are always live. If an instruction reads a register twice,
/// the first operand is marked.
///
/// # Errors
///
/// [`OutOfMemory`].
pub fn mark_last_uses(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    form: Form,
) -> Result<(), OutOfMemory> {
    unmark_last_uses(function);
    if form < Form::Selected {
        return Ok(());
    }
    let allocator = function.allocator();
    let edges = properties::edges(function, isa, allocator)?;
    let units = Units::new(function, isa, form);
    let reads = |insn| units.effect(function, insn).0;
    let units_across = units.across(function, &edges, allocator, reads)?;
    let owed_at = |insn| units.owed_at(function, insn);
    let owed_across = units.across(function, &edges, allocator, owed_at)?;
    let across = live_across(function, &edges, Wanted::Everything, usize::MAX, allocator)?;
    let Some(LiveAcross { out: vregs_out, .. }) = across else {
        return Ok(());
    };
    let mut marker = Marker {
        units,
        live: UnitSet::EMPTY,
        owed: UnitSet::EMPTY,
        vregs: Vec::new(allocator),
    };
    marker.vregs.resize(function.vreg_count(), false)?;
    for place in 0..function.layout.len() {
        let block = function.layout[place];
        marker.live = units_across.live_out[block.index()];
        marker.owed = owed_across.live_out[block.index()];
        marker.block(function, block, &vregs_out);
    }
    Ok(())
}

/// Returns the live-ins of each block, by its number: the units of physical registers whose value
/// at its start is read. Registers that are always live, as in [`mark_last_uses`], are not among
/// them. Blocks outside the layout have none.
///
/// ```
/// # use mir_nostd::codegen::{self, Form};
/// # use mir_nostd::machine::{Bank, Function, Generic, LowType, Operand, OperandFlags};
/// # use mir_nostd::machine::VRegInfo;
/// # use mir_nostd::target::Isa;
/// # fn main() -> Result<(), mir_nostd::machine::InsertError> {
/// # let system = testkit::SystemAllocator;
/// # let isa = &target_aarch64::ISA;
/// # let mut function = Function::new(&system);
/// # let ty = LowType::S64;
/// # let class = (isa.registers().class_of)(Bank::General, ty);
/// # let vreg = function.add_vreg(VRegInfo { ty, bank: Bank::General, class })?;
/// let block = function.add_block()?;
/// function.layout.push(block)?;
/// let argument = isa.registers().int_arguments[0];
/// let copy = [Operand::from(vreg).with(OperandFlags::DEF), Operand::reg(argument)];
/// function.append(block, Generic::Copy, ty, &copy)?;
///
/// let live = codegen::live_ins(&function, isa, Form::Selected, &system)?;
/// assert_eq!(live[..], [isa.registers().units(argument)]);
/// # Ok(()) }
/// ```
///
/// # Errors
///
/// [`OutOfMemory`].
pub fn live_ins<'m>(
    function: &Function<'_>,
    isa: &dyn Isa,
    form: Form,
    allocator: &'m dyn Allocator,
) -> Result<Vec<'m, UnitSet>, OutOfMemory> {
    let edges = properties::edges(function, isa, allocator)?;
    let units = Units::new(function, isa, form);
    let reads = |insn| units.effect(function, insn).0;
    let across = units.across(function, &edges, allocator, reads)?;
    let mut live_ins = Vec::with_capacity(allocator, function.block_count())?;
    for block in function.block_ids() {
        live_ins.push(across.live_in(block))?;
    }
    Ok(live_ins)
}

/// Removes the flags.
pub(crate) fn unmark_last_uses(function: &mut Function<'_>) {
    for place in 0..function.layout.len() {
        let mut cursor = function.cursor(function.layout[place]);
        while let Some(insn) = cursor.next(function) {
            for operand in function.operands_mut(insn) {
                *operand = operand.without(FLAGS);
            }
        }
    }
}

/// Returns whether the operand reads a value from before the instruction. A definition of a part of
/// a register does, as the rest is kept.
fn is_read(operand: Operand) -> bool {
    let is_whole = operand.sub() == SubIndex(0);
    !(operand.is_def() && is_whole || operand.flags().contains(OperandFlags::UNDEF))
}

/// The effects of instructions on the units of physical registers.
struct Units<'a> {
    isa: &'a dyn Isa,
    /// The units that are always live.
    kept: UnitSet,
    /// The units that the caller reads after a return besides results: those that are preserved.
    at_return: UnitSet,
}

impl<'a> Units<'a> {
    fn new(function: &Function<'_>, isa: &'a dyn Isa, form: Form) -> Units<'a> {
        let registers = isa.registers();
        let mut units = Units {
            isa,
            kept: function.reserved,
            at_return: UnitSet::EMPTY,
        };
        if form >= Form::Framed {
            if function.has_dynamic_stack {
                // The prologue sets the frame pointer and the epilogue restores it, so it is live
                // as others are.
                let frame_pointer = registers.units(registers.frame_pointer);
                units.kept = units.kept.without(frame_pointer);
            }
            // In earlier forms nothing restores the registers that the function changes.
            let address = isa.description().elf.map(|elf| elf.return_address);
            let mut rows = registers.registers.iter();
            let address =
                rows.find(|row| address.is_some_and(|it| i32::from(row.dwarf) == it.into()));
            let address = address.map_or(UnitSet::EMPTY, |row| row.units);
            units.at_return = registers.saved.union(address);
        }
        units
    }

    /// Returns the units of a physical register that are not always live.
    fn of(&self, reg: Reg) -> UnitSet {
        self.isa.registers().units(reg).without(self.kept)
    }

    /// Returns the units of the physical registers among some operands.
    fn all<'o>(&self, operands: impl Iterator<Item = &'o Operand>) -> UnitSet {
        let physical =
            operands.filter_map(|operand| operand.as_reg().filter(|reg| reg.is_physical()));
        physical.fold(UnitSet::EMPTY, |all, reg| all.union(self.of(reg)))
    }

    /// Returns the units that an instruction reads, and those that it writes or clobbers.
    fn effect(&self, function: &Function<'_>, insn: InsnId) -> (UnitSet, UnitSet) {
        let operands = function.operands(insn);
        let read = self.all(operands.iter().filter(|operand| is_read(**operand)));
        let mut written = self.all(operands.iter().filter(|operand| operand.is_def()));
        for preserved in operands
            .iter()
            .filter_map(|&operand| function.mask(operand))
        {
            let lost = UnitSet(u128::MAX).without(preserved);
            written = written.union(lost.without(self.kept));
        }
        (read, written)
    }

    /// Returns the units that the caller reads after an instruction that returns to it.
    fn owed_at(&self, function: &Function<'_>, insn: InsnId) -> UnitSet {
        let flags = properties::flags(self.isa, function.insn(insn));
        match flags.contains(InsnFlags::RETURN) {
            true => self.at_return,
            false => UnitSet::EMPTY,
        }
    }

    /// Returns the units that are live at the borders of blocks, if instructions read the units in
    /// `reads`.
    fn across<'m>(
        &self,
        function: &Function<'_>,
        edges: &Edges<'_>,
        allocator: &'m dyn Allocator,
        reads: impl Fn(InsnId) -> UnitSet,
    ) -> Result<Across<'m>, OutOfMemory> {
        let count = function.block_count();
        let mut effects = Vec::new(allocator);
        effects.resize(count, (UnitSet::EMPTY, UnitSet::EMPTY))?;
        for &block in &function.layout {
            let (block_read, block_written) = &mut effects[block.index()];
            let mut cursor = function.cursor_at_end(block);
            while let Some(insn) = cursor.previous(function) {
                let (read, (_, written)) = (reads(insn), self.effect(function, insn));
                *block_read = block_read.without(written).union(read);
                *block_written = block_written.union(written);
            }
        }
        let mut live_out = Vec::new(allocator);
        live_out.resize(count, UnitSet::EMPTY)?;
        let mut across = Across { effects, live_out };
        // This ends: a block is visited again only after a set grew by at least one of few units.
        let mut open = Vec::from_slice(allocator, &function.layout)?;
        while let Some(block) = open.pop() {
            let live_in = across.live_in(block);
            for &from in edges.predecessors(block) {
                let out = &mut across.live_out[from.index()];
                if !out.contains(live_in) {
                    *out = out.union(live_in);
                    open.push(from)?;
                }
            }
        }
        Ok(across)
    }
}

/// The units that are live at the borders of blocks.
struct Across<'m> {
    /// The units that each block reads before it writes them, and those that it writes.
    effects: Vec<'m, (UnitSet, UnitSet)>,
    /// The units that are live at the end of each block.
    live_out: Vec<'m, UnitSet>,
}

impl Across<'_> {
    /// The units that are live at the beginning of a block.
    fn live_in(&self, block: BlockId) -> UnitSet {
        let (read, written) = self.effects[block.index()];
        self.live_out[block.index()].without(written).union(read)
    }
}

/// The backward walk through the blocks.
struct Marker<'a, 'm> {
    units: Units<'a>,
    /// The units that are live here.
    live: UnitSet,
    /// The units that the function's caller reads. A definition of them is not dead. But if nothing
    /// restores a register by name, as with `LMG` on s390x, the function's last use is still its
    /// last.
    owed: UnitSet,
    /// True for virtual registers that are live here.
    vregs: Vec<'m, bool>,
}

impl Marker<'_, '_> {
    fn block(&mut self, function: &mut Function<'_>, block: BlockId, live_out: &Groups<'_>) {
        for &vreg in live_out.of(block.index()) {
            self.vregs[vreg as usize] = true;
        }
        let mut cursor = function.cursor_at_end(block);
        while let Some(insn) = cursor.previous(function) {
            self.insn(function, insn);
        }
        // Clear the marks: they are for this block only.
        let mut cursor = function.cursor(block);
        while let Some(insn) = cursor.next(function) {
            for vreg in function.operands(insn).iter().filter_map(|o| o.vreg()) {
                self.vregs[vreg.index()] = false;
            }
        }
        for &vreg in live_out.of(block.index()) {
            self.vregs[vreg as usize] = false;
        }
    }

    fn insn(&mut self, function: &mut Function<'_>, insn: InsnId) {
        let (read, written) = self.units.effect(function, insn);
        let owed = self.units.owed_at(function, insn);
        let operands = function.operands_mut(insn);
        for operand in operands.iter_mut().filter(|operand| operand.is_def()) {
            if self.is_last(*operand) && !self.is_owed(*operand) {
                *operand = operand.with(OperandFlags::DEAD);
            }
        }
        for operand in operands.iter().filter(|operand| operand.is_def()) {
            if let Some(vreg) = operand.vreg() {
                self.set(vreg, is_read(*operand));
            }
        }
        self.live = self.live.without(written);
        self.owed = self.owed.without(written).union(owed);
        for operand in operands.iter_mut().filter(|operand| !operand.is_def()) {
            if !is_read(*operand) {
                continue;
            }
            if self.is_last(*operand) {
                *operand = operand.with(OperandFlags::KILL);
            }
            match (operand.vreg(), operand.as_reg()) {
                (Some(vreg), _) => self.set(vreg, true),
                (None, Some(reg)) => self.live = self.live.union(self.units.of(reg)),
                (None, None) => {}
            }
        }
        self.live = self.live.union(read);
    }

    fn set(&mut self, vreg: VReg, is_live: bool) {
        self.vregs[vreg.index()] = is_live;
    }

    fn is_owed(&self, operand: Operand) -> bool {
        let physical = operand.as_reg().filter(|reg| reg.is_physical());
        physical.is_some_and(|reg| self.owed.overlaps(self.units.of(reg)))
    }

    /// Returns whether the value of a register operand is not read from here on.
    fn is_last(&self, operand: Operand) -> bool {
        match (operand.vreg(), operand.as_reg()) {
            (Some(vreg), _) => !self.vregs[vreg.index()],
            (None, Some(reg)) => {
                let units = self.units.of(reg);
                !units.is_empty() && !self.live.overlaps(units)
            }
            (None, None) => false,
        }
    }
}
