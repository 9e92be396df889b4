//! Where the part of a function begins that needs a frame. What leaves the function before has none, and saves nothing.
//!
//! Blocks that need the frame, and all that control may come to from there, are *late*; the others are *early*. All ways
//! from early to late blocks lead through one block, so that there is one prologue, and it runs at most once.

use super::flow::Flow;
use super::properties;
use crate::machine::{
    BlockId, Edges, Function, Generic, InsnId, LowType, Operand, OperandFlags, Reg, UnitSet, VReg,
};
use crate::mem::{Entity, OutOfMemory, Vec};
use crate::target::{InsnFlags, Isa, RegisterFile};

/// How often the outset is moved up because more than one way leads to late blocks.
const MOST_MOVES: usize = 8;
/// For how many virtual registers it is found out whether what early blocks write is read by late ones that write, too.
const MOST_SEARCHES: usize = 8;
/// The most instructions of a block that is written twice so that early blocks can return through it.
const MOST_SHARED: usize = 6;

/// Where late blocks begin.
struct Outset<'m> {
    is_late: Vec<'m, bool>,
    /// The late block that all ways lead to at first.
    block: BlockId,
    /// Whether no other way leads there.
    is_alone: bool,
    /// Late blocks that early ones lead to as well, to return.
    shared: Vec<'m, BlockId>,
}

/// Gives what lives from early blocks on across calls other virtual registers behind the outset, so that only those need
/// registers that survive calls; gives the block that begins with the copies. For target instructions on virtual registers.
///
/// # Errors
///
/// Out of memory.
pub(super) fn separate(
    function: &mut Function<'_>,
    isa: &dyn Isa,
) -> Result<Option<BlockId>, OutOfMemory> {
    if !function.has_calls || !may_have_outset(function) {
        return Ok(None);
    }
    let needs = |function: &Function<'_>, insn| needs_frame(function, isa, insn);
    let Some(outset) = find(function, isa, &needs, true)? else {
        return Ok(None);
    };
    let Some(block) = enter(function, isa, &outset)? else {
        return Ok(None);
    };
    share_returns(function, isa, &outset)?;
    rename(function, isa, &outset, block)?;
    Ok(Some(block))
}

/// Marks the early blocks of a function in which everything is allocated ([`crate::machine::Block::is_early`]), and gives the
/// block that the frame is made in; `saved` are the registers that the prologue would save.
///
/// # Errors
///
/// Out of memory.
pub(super) fn mark(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    saved: UnitSet,
) -> Result<Option<BlockId>, OutOfMemory> {
    let is_frameless = saved.is_empty() && !function.has_calls && function.frame.is_empty();
    if is_frameless || !may_have_outset(function) {
        return Ok(None);
    }
    let registers = isa.registers();
    let kept = kept_registers(isa, registers, saved);
    let needs = |function: &Function<'_>, insn| {
        let leaves = properties::flags(isa, function.insn(insn)).contains(InsnFlags::RETURN);
        let mut operands = function.operands(insn).iter();
        needs_frame(function, isa, insn)
            || !leaves && operands.any(|operand| units(registers, operand).overlaps(kept))
    };
    let Some(outset) = find(function, isa, &needs, false)? else {
        return Ok(None);
    };
    if passes_flags(function, isa, &outset) {
        return Ok(None);
    }
    let Some(block) = enter(function, isa, &outset)? else {
        return Ok(None);
    };
    for place in 0..function.layout.len() {
        let early = function.layout[place];
        let is_late = outset.is_late.get(early.index());
        function.block_mut(early).is_early = early != block && is_late == Some(&false);
    }
    Ok(Some(block))
}

/// Whether a function may be divided at all: nothing in it depends on when the stack pointer moves.
fn may_have_outset(function: &Function<'_>) -> bool {
    function.layout.len() > 1
        && function.reserved.is_empty()
        && !function.has_dynamic_stack
        && !function.checks_stack
        && !function.is_jumped_to
        && !function.is_jumped_back_into
}

/// Registers that early blocks must leave alone.
fn kept_registers(isa: &dyn Isa, registers: &RegisterFile, saved: UnitSet) -> UnitSet {
    let pointers =
        [registers.stack_pointer, registers.frame_pointer].map(|reg| registers.units(reg));
    let link = isa.elf().map(|elf| elf.return_address.cast_signed());
    let link = (registers.registers.iter()).find(|row| Some(row.dwarf) == link);
    let kept = pointers.into_iter().fold(saved, UnitSet::union);
    link.map_or(kept, |link| kept.union(link.units))
}

fn units(registers: &RegisterFile, operand: &Operand) -> UnitSet {
    let reg = operand.as_reg().filter(|reg| reg.is_physical());
    reg.map_or(UnitSet::EMPTY, |reg| registers.units(reg))
}

/// Whether an instruction needs the frame whatever is in which register.
fn needs_frame(function: &Function<'_>, isa: &dyn Isa, insn: InsnId) -> bool {
    let flags = properties::flags(isa, function.insn(insn));
    let is_frame = |operand: &Operand| operand.as_frame().is_some();
    flags.intersects(InsnFlags::CALL.union(InsnFlags::SPLITS))
        || function.operands(insn).iter().any(is_frame)
}

/// Finds the outset, if something leaves the function without a frame. With `shares` returns that are both late and
/// reached from early blocks count as both.
fn find<'m>(
    function: &Function<'m>,
    isa: &dyn Isa,
    needs: &dyn Fn(&Function<'_>, InsnId) -> bool,
    shares: bool,
) -> Result<Option<Outset<'m>>, OutOfMemory> {
    let allocator = function.allocator();
    let Some(&entry) = function.layout.first() else {
        return Ok(None);
    };
    if function.insns(entry).any(|insn| needs(function, insn)) {
        return Ok(None);
    }
    let mut is_needed = Vec::new(allocator);
    is_needed.resize(function.block_count(), false)?;
    let mut work = Vec::new(allocator);
    for &block in &function.layout {
        if function.insns(block).any(|insn| needs(function, insn)) {
            is_needed[block.index()] = true;
            work.push(block)?;
        }
    }
    if work.is_empty() {
        return Ok(None);
    }
    let mut search = Search {
        function,
        isa,
        edges: properties::edges(function, isa, allocator)?,
        is_late: Vec::from_slice(allocator, &is_needed)?,
        is_needed,
        shares,
    };
    let mut flow = None;
    for _ in 0..MOST_MOVES {
        search.spread(&mut work)?;
        let (first, returns) = search.targets();
        let Some(block) = first.filter(|_| returns && !search.is_late[entry.index()]) else {
            break;
        };
        // Where they all lead to the same one, there is nothing to look for.
        if search.nexts().all(|next| next == block) {
            return search.outset(block).map(Some);
        }
        let flow = match &mut flow {
            Some(flow) => flow,
            none => none.insert(Flow::new(function, isa, allocator)?),
        };
        match search.common(flow, block) {
            Some(above) if above == block => return search.outset(block).map(Some),
            Some(above) => {
                search.is_late[above.index()] = true;
                work.push(above)?;
            }
            None => break,
        }
    }
    Ok(None)
}

/// What the search for the outset knows.
struct Search<'a, 'm> {
    function: &'a Function<'m>,
    isa: &'a dyn Isa,
    edges: Edges<'m>,
    /// Whether a block itself needs the frame.
    is_needed: Vec<'m, bool>,
    is_late: Vec<'m, bool>,
    shares: bool,
}

impl<'a, 'm> Search<'a, 'm> {
    /// Makes late what control may come to from late blocks.
    fn spread(&mut self, work: &mut Vec<'_, BlockId>) -> Result<(), OutOfMemory> {
        while let Some(block) = work.pop() {
            for &next in self.edges.successors(block) {
                if !core::mem::replace(&mut self.is_late[next.index()], true) {
                    work.push(next)?;
                }
            }
        }
        Ok(())
    }

    fn early(&self) -> impl Iterator<Item = BlockId> + use<'_, 'a, 'm> {
        let all = self.function.layout.iter().copied();
        all.filter(|block| !self.is_late[block.index()])
    }

    /// The late blocks that come next to early ones, but for shared ones.
    fn nexts(&self) -> impl Iterator<Item = BlockId> + use<'_, 'a, 'm> {
        let nexts = (self.early()).flat_map(|block| self.edges.successors(block).iter().copied());
        nexts.filter(|&next| self.is_late[next.index()] && !self.is_shared(next))
    }

    /// The first of them, and whether something returns early.
    fn targets(&self) -> (Option<BlockId>, bool) {
        let returns = self.early().any(|block| {
            let mut nexts = self.edges.successors(block).iter();
            returns(self.function, self.isa, block) || nexts.any(|&next| self.is_shared(next))
        });
        (self.nexts().next(), returns)
    }

    /// The block nearest to `block` on all ways to late blocks, or that itself.
    fn common(&self, flow: &Flow<'_>, block: BlockId) -> Option<BlockId> {
        let mut above = Some(block);
        for next in self.nexts() {
            while let Some(block) = above.filter(|&above| !flow.dominates(above, next)) {
                above = flow.idom(block);
            }
        }
        above
    }

    /// Whether a late block only returns, and could do so without the frame.
    fn is_shared(&self, block: BlockId) -> bool {
        let function = self.function;
        let is_early = |from: &&BlockId| !self.is_late[from.index()];
        let mut early = (self.edges.predecessors(block).iter()).filter(is_early);
        self.shares
            && self.is_late[block.index()]
            && !self.is_needed[block.index()]
            && returns(function, self.isa, block)
            && function.insns(block).nth(MOST_SHARED).is_none()
            && early.all(|&from| !has_table(function, from))
    }

    fn outset(self, block: BlockId) -> Result<Outset<'m>, OutOfMemory> {
        let mut shared = Vec::new(self.function.allocator());
        for block in (self.function.layout.iter().copied()).filter(|&block| self.is_shared(block)) {
            let mut from = self.edges.predecessors(block).iter();
            if from.any(|from| !self.is_late[from.index()]) {
                shared.push(block)?;
            }
        }
        let is_behind_late = |from: &BlockId| self.is_late[from.index()];
        let is_alone = !self.edges.predecessors(block).iter().any(is_behind_late);
        Ok(Outset {
            is_late: self.is_late,
            block,
            is_alone,
            shared,
        })
    }
}

/// Whether a block ends in leaving the function.
fn returns(function: &Function<'_>, isa: &dyn Isa, block: BlockId) -> bool {
    let last = function.block(block).last();
    last.is_some_and(|last| properties::flags(isa, function.insn(last)).contains(InsnFlags::RETURN))
}

/// Whether a block ends in a jump through a table.
fn has_table(function: &Function<'_>, block: BlockId) -> bool {
    let last = function.block(block).last();
    let mut operands = last.iter().flat_map(|&last| function.operands(last));
    operands.any(|operand| operand.as_table().is_some())
}

/// Whether control may go on from a block to the next one of the layout.
fn falls_through(function: &Function<'_>, isa: &dyn Isa, block: BlockId) -> bool {
    let last = function.block(block).last();
    last.is_none_or(|last| {
        !properties::flags(isa, function.insn(last)).contains(InsnFlags::BARRIER)
    })
}

/// Lets a block go to another one instead of `old`; whether it went there by a branch.
fn lead(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    from: BlockId,
    old: BlockId,
    new: BlockId,
) -> bool {
    let (mut insn, mut leads) = (function.block(from).last(), false);
    while let Some(id) = insn {
        if !properties::flags(isa, function.insn(id)).contains(InsnFlags::TERMINATOR) {
            break;
        }
        for operand in function.operands_mut(id) {
            if operand.as_block() == Some(old) {
                *operand = Operand::block(new);
                leads = true;
            }
        }
        insn = function.insn(id).previous();
    }
    leads
}

/// Puts a block into the layout at a place.
fn insert(function: &mut Function<'_>, place: usize, block: BlockId) -> Result<(), OutOfMemory> {
    function.layout.push(block)?;
    if let Some(rest) = function.layout.get_mut(place..) {
        rest.rotate_right(1);
    }
    Ok(())
}

/// The block that all ways from early to late blocks lead through and no other does, a new one if need be; none if that takes
/// more than leading branches elsewhere.
fn enter(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    outset: &Outset<'_>,
) -> Result<Option<BlockId>, OutOfMemory> {
    if outset.is_alone {
        return Ok(Some(outset.block));
    }
    let place = function
        .layout
        .iter()
        .position(|&block| block == outset.block);
    let Some((place, before)) = place.and_then(|place| Some((place, place.checked_sub(1)?))) else {
        return Ok(None);
    };
    let before = function.layout[before];
    let is_early = |block: BlockId| outset.is_late.get(block.index()) == Some(&false);
    let has_table = |&block: &BlockId| is_early(block) && has_table(function, block);
    if !is_early(before) && falls_through(function, isa, before)
        || function.block(outset.block).address_taken
        || function.layout.iter().any(has_table)
    {
        return Ok(None);
    }
    let block = function.add_block()?;
    for number in 0..function.layout.len() {
        let from = function.layout[number];
        if is_early(from) {
            lead(function, isa, from, outset.block, block);
        }
    }
    insert(function, place, block)?;
    Ok(Some(block))
}

/// Writes the returns that late and early blocks share once more for the early ones.
fn share_returns(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    outset: &Outset<'_>,
) -> Result<(), OutOfMemory> {
    for &shared in &outset.shared {
        let new = function.add_block()?;
        let mut next = function.block(shared).first();
        while let Some(insn) = next {
            let row = *function.insn(insn);
            next = row.next();
            let operands = Vec::from_slice(function.allocator(), function.operands(insn))?;
            function.append(new, row.opcode, row.ty, &operands)?;
        }
        // Behind what goes there without a condition, so that it needs no jump.
        let mut place = function.layout.len();
        for number in 0..function.layout.len() {
            let from = function.layout[number];
            if outset.is_late.get(from.index()) != Some(&false) {
                continue;
            }
            let falls = falls_through(function, isa, from);
            let leads = lead(function, isa, from, shared, new);
            let is_next = function.layout.get(number + 1) == Some(&shared);
            if falls && is_next || leads && !falls && place == function.layout.len() {
                place = number + 1;
            }
        }
        insert(function, place, new)?;
    }
    Ok(())
}

/// Gives what is written by early blocks, and read by late ones, two names. What late blocks only read before their first call
/// keeps its name.
fn rename(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    outset: &Outset<'_>,
    block: BlockId,
) -> Result<(), OutOfMemory> {
    let allocator = function.allocator();
    let edges = properties::edges(function, isa, allocator)?;
    let mut states = Vec::new(allocator);
    states.resize(function.vreg_count(), State::default())?;
    let is_late = |block: BlockId| outset.is_late.get(block.index()).copied().unwrap_or(false);
    for &block in &function.layout {
        let is_late = is_late(block);
        let mut is_before_call = block == outset.block;
        for insn in function.insns(block) {
            let flags = properties::flags(isa, function.insn(insn));
            is_before_call &= !flags.contains(InsnFlags::CALL);
            for operand in function.operands(insn) {
                let Some(vreg) = operand.vreg() else {
                    continue;
                };
                let state = &mut states[vreg.index()];
                match (is_late, operand.is_def()) {
                    (false, true) => state.is_written_early = true,
                    (true, true) => state.is_written_late = true,
                    (true, false) => state.is_kept |= !is_before_call,
                    (false, false) => {}
                }
            }
        }
    }
    let first = function.block(block).first();
    let mut searches = MOST_SEARCHES;
    for number in 0..states.len() {
        let state = states[number];
        let old = VReg::new(number as u32);
        if !state.is_written_early || !state.is_kept {
            continue;
        }
        let passes = if state.is_written_late {
            let Some(left) = usize::checked_sub(searches, 1) else {
                continue;
            };
            searches = left;
            is_read(function, &edges, block, old)?
        } else {
            true
        };
        let new = function.add_vreg(function.vreg(old))?;
        states[number].new = Some(new);
        if passes {
            // Arguments come in first, and have the first choice of registers, with the first names.
            let [to, from] = if state.is_written_late {
                [old, new]
            } else {
                [new, old]
            };
            let operands = [Operand::from(to).with(OperandFlags::DEF), from.into()];
            function.insert(block, first, Generic::Copy.into(), LowType::S64, &operands)?;
        }
    }
    for place in 0..function.layout.len() {
        let named = function.layout[place];
        let is_late = named == block || is_late(named);
        let mut next = if named == block {
            first
        } else {
            function.block(named).first()
        };
        while let Some(insn) = next {
            next = function.insn(insn).next();
            for operand in function.operands_mut(insn) {
                let state = operand.vreg().and_then(|vreg| states.get(vreg.index()));
                let state = state.filter(|state| state.is_written_late != is_late);
                if let Some(new) = state.and_then(|state| state.new) {
                    *operand = operand.on(Reg::virt(new));
                }
            }
        }
    }
    Ok(())
}

/// Whether a register's value at the beginning of a block may be read.
fn is_read(
    function: &Function<'_>,
    edges: &Edges<'_>,
    block: BlockId,
    vreg: VReg,
) -> Result<bool, OutOfMemory> {
    let allocator = function.allocator();
    let mut is_seen = Vec::new(allocator);
    is_seen.resize(function.block_count(), false)?;
    let mut work = Vec::new(allocator);
    work.push(block)?;
    while let Some(block) = work.pop() {
        let is_it = |operand: &&Operand| operand.vreg() == Some(vreg);
        let mut mentions = function.insns(block).map(|insn| {
            let mut reads = function.operands(insn).iter().filter(is_it);
            let is_written = reads.clone().any(|operand| operand.is_def());
            (reads.any(|operand| !operand.is_def()), is_written)
        });
        match mentions.find(|&(reads, writes)| reads || writes) {
            Some((true, _)) => return Ok(true),
            Some(_) => continue,
            None => {}
        }
        for &next in edges.successors(block) {
            if !core::mem::replace(&mut is_seen[next.index()], true) {
                work.push(next)?;
            }
        }
    }
    Ok(false)
}

/// What is known of a virtual register.
#[derive(Clone, Copy, Default)]
struct State {
    is_written_early: bool,
    is_written_late: bool,
    /// Whether it may have to survive a call.
    is_kept: bool,
    /// Its other name: in early blocks if late ones write it, else in late ones.
    new: Option<VReg>,
}

/// Whether a register that nothing is allocated to, a flag, may carry something from early to late blocks, which the prologue
/// could overwrite.
fn passes_flags(function: &Function<'_>, isa: &dyn Isa, outset: &Outset<'_>) -> bool {
    let registers = isa.registers();
    let allocatable = registers.allocatable;
    let all = |insn: InsnId, is_def: bool| {
        let row = function.insn(insn).opcode.row();
        let row = row.and_then(|row| isa.insns().get(row));
        let implicit = row.map_or(&[][..], |row| {
            if is_def {
                &*row.implicit_defs
            } else {
                &*row.implicit_uses
            }
        });
        let operands = function
            .operands(insn)
            .iter()
            .filter(|o| o.is_def() == is_def);
        let given = operands.map(|operand| units(registers, operand));
        let implicit = implicit.iter().map(|&reg| registers.units(reg));
        given.chain(implicit).fold(UnitSet::EMPTY, UnitSet::union)
    };
    let is_late = |block: BlockId| outset.is_late.get(block.index()) == Some(&true);
    let mut written = UnitSet::EMPTY;
    for &block in function.layout.iter().filter(|&&block| !is_late(block)) {
        for insn in function.insns(block) {
            written = written.union(all(insn, true).without(allocatable));
        }
    }
    function.layout.iter().any(|&block| {
        let mut left = if is_late(block) {
            written
        } else {
            UnitSet::EMPTY
        };
        function.insns(block).any(|insn| {
            let reads = all(insn, false).overlaps(left);
            left = left.without(all(insn, true));
            reads
        })
    })
}
