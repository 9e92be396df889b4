//! Last uses and unread definitions: the flags `killed` and `dead` of operands, for whoever looks at a function; and the physical
//! registers that are live into each block.
//!
//! No stage keeps or reads these flags. [`mark_last_uses`] finds them out where a function is shown, and before the next stage
//! changes it they go, so that they are true whenever they are there, and a compilation that nobody looks at pays nothing.

use crate::codegen::analysis::liveness::{Groups, LiveAcross, Wanted, live_across};
use crate::codegen::analysis::properties;
use crate::codegen::form::Form;
use crate::machine::{
    BlockId, Edges, Function, InsnId, Operand, OperandFlags, Reg, SubIndex, UnitSet, VReg,
};
use crate::mem::{Allocator, Entity, OutOfMemory, Vec};
use crate::target::{InsnFlags, Isa};

const FLAGS: OperandFlags = OperandFlags::KILL.union(OperandFlags::DEAD);

/// Marks the last use of each value `killed`, and each definition that nothing reads `dead`, of virtual and of physical
/// registers; all other operands lose these flags. Before selection that is all operands. Registers without units (the stack
/// pointer, a frame pointer that nothing is allocated to) and those that hold global variables live for ever. Where an instruction reads a register
/// twice the first operand is marked.
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

/// The live-ins of each block, by its number: the units of physical registers whose value at its beginning something reads. Not
/// among them is what lives for ever, as [`mark_last_uses`] says. Blocks outside the layout have none.
///
/// ```
/// # use mir_nostd::codegen::{self, Form};
/// # use mir_nostd::machine::{Bank, Function, Generic, LowType, Operand, OperandFlags, UnitSet, VRegInfo};
/// # use mir_nostd::target::Isa;
/// # fn main() -> Result<(), mir_nostd::mem::OutOfMemory> {
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

/// Takes the marks away.
pub(crate) fn unmark_last_uses(function: &mut Function<'_>) {
    for place in 0..function.layout.len() {
        let mut next = function.block(function.layout[place]).first();
        while let Some(insn) = next {
            for operand in function.operands_mut(insn) {
                *operand = operand.without(FLAGS);
            }
            next = function.insn(insn).next();
        }
    }
}

/// Whether the operand's value comes from before the instruction: a part that is written keeps the rest of its register.
fn is_read(operand: Operand) -> bool {
    let is_whole = operand.sub() == SubIndex(0);
    !(operand.is_def() && is_whole || operand.flags().contains(OperandFlags::UNDEF))
}

/// What instructions do to the units of physical registers.
struct Units<'a> {
    isa: &'a dyn Isa,
    /// The units that live for ever.
    kept: UnitSet,
    /// What the caller of the function reads behind it besides results: what was to be preserved.
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
                // The prologue sets it up by now and the epilogue restores it: it lives as others do.
                let frame_pointer = registers.units(registers.frame_pointer);
                units.kept = units.kept.without(frame_pointer);
            }
            // Before, nothing restores what the function changes.
            let address = isa.description().elf.map(|elf| elf.return_address);
            let mut rows = registers.registers.iter();
            let address =
                rows.find(|row| address.is_some_and(|it| i32::from(row.dwarf) == it.into()));
            let address = address.map_or(UnitSet::EMPTY, |row| row.units);
            units.at_return = registers.saved.union(address);
        }
        units
    }

    /// The units of a physical register that do not live for ever.
    fn of(&self, reg: Reg) -> UnitSet {
        self.isa.registers().units(reg).without(self.kept)
    }

    /// The units that the registers among some operands have.
    fn all<'o>(&self, operands: impl Iterator<Item = &'o Operand>) -> UnitSet {
        let physical =
            operands.filter_map(|operand| operand.as_reg().filter(|reg| reg.is_physical()));
        physical.fold(UnitSet::EMPTY, |all, reg| all.union(self.of(reg)))
    }

    /// The units that an instruction reads, and those that hold another value behind it, or none.
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

    /// The units that the caller reads behind an instruction that returns to it.
    fn owed_at(&self, function: &Function<'_>, insn: InsnId) -> UnitSet {
        let flags = properties::flags(self.isa, function.insn(insn));
        match flags.contains(InsnFlags::RETURN) {
            true => self.at_return,
            false => UnitSet::EMPTY,
        }
    }

    /// What is live where blocks meet, if an instruction reads these units.
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
            let mut next = function.block(block).last();
            while let Some(insn) = next {
                let (read, (_, written)) = (reads(insn), self.effect(function, insn));
                *block_read = block_read.without(written).union(read);
                *block_written = block_written.union(written);
                next = function.insn(insn).previous();
            }
        }
        let mut live_out = Vec::new(allocator);
        live_out.resize(count, UnitSet::EMPTY)?;
        let mut across = Across { effects, live_out };
        // A set only grows, by one of few units at least, before its block's predecessors are looked at again.
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

/// The units that are live where blocks meet.
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

/// The walk backward through the blocks.
struct Marker<'a, 'm> {
    units: Units<'a>,
    /// The units that are live here.
    live: UnitSet,
    /// Those that the function's caller reads. A definition of them is not dead; that nothing restores a register by name, as
    /// `LMG` on s390x, makes no read in the function less the last.
    owed: UnitSet,
    /// Whether each virtual register is.
    vregs: Vec<'m, bool>,
}

impl Marker<'_, '_> {
    fn block(&mut self, function: &mut Function<'_>, block: BlockId, live_out: &Groups<'_>) {
        for &vreg in live_out.of(block.index()) {
            self.vregs[vreg as usize] = true;
        }
        let mut next = function.block(block).last();
        while let Some(insn) = next {
            self.insn(function, insn);
            next = function.insn(insn).previous();
        }
        // What is live now is so at the ends of the blocks before.
        let mut next = function.block(block).first();
        while let Some(insn) = next {
            for vreg in function.operands(insn).iter().filter_map(|o| o.vreg()) {
                self.vregs[vreg.index()] = false;
            }
            next = function.insn(insn).next();
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

    /// Whether the value of a register operand is not read from here on.
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
