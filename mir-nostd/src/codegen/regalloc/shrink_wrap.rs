//! Shrink wrapping: builds the frame, and saves callee-saved registers, at the block where they are
//! first needed instead of at the entry, so that paths which return before that pay nothing (Chow,
//! "Minimizing register usage penalty at procedure calls", 1988).
//!
//! Blocks that need the frame, and all that are reachable from them, are *late*; the others are
//! *early*. Chow places saves per register by data-flow equations; here there is one prologue for
//! all. It is placed at the nearest common dominator of the late blocks that early ones lead to. If
//! that dominator is early it becomes late, with all that is reachable from it, and the search
//! repeats.
//!
//! The prologue may change the flags: they are written and read within a block. The register for
//! counts, which lives around its loop, is not for prologues.
//!
//! The invariant: each path from the entry to a late block goes through the block with the
//! prologue, once. So the prologue is in no loop with early blocks, and every return knows whether
//! it has a frame to take down.
//!
//! Shrink wrapping runs twice. Before allocation `separate` splits live ranges at that block, so
//! that only their late half crosses calls and needs a callee-saved register; after allocation
//! `mark` finds the blocks that turned out to need no frame. Each search visits the function a
//! bounded number of times.

use crate::codegen::analysis::branches::redirect;
use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::properties;
use crate::machine::{
    BlockId, Edges, Function, Generic, Insn, InsnId, LowType, Operand, OperandFlags, Reg,
    StackLimit, UnitSet, VReg,
};
use crate::mem::{Entity, OutOfMemory, Vec};
use crate::target::error::Error;
use crate::target::{InsnFlags, Isa, RegisterFile};

/// The number of times that the prologue block is moved up because there are further edges to late
/// blocks.
const MOST_MOVES: usize = 8;
/// The number of virtual registers for which a search decides if the value of early blocks is read
/// by late ones, when those write it, too.
const MOST_SEARCHES: usize = 8;
/// The most instructions of a returning block that is duplicated so that early blocks can return
/// through it.
const MOST_SHARED: usize = 6;

/// The division of a function into early and late blocks.
struct Outset<'m> {
    is_late: Vec<'m, bool>,
    /// The block that all paths enter first when they become late.
    block: BlockId,
    /// True if late blocks do not lead back to it.
    is_alone: bool,
    /// The late blocks that only return and that early blocks lead to as well.
    shared: Vec<'m, BlockId>,
}

impl Outset<'_> {
    /// Returns whether a block is late.
    fn has(&self, block: BlockId) -> bool {
        self.is_late.get(block.index()).copied().unwrap_or(false)
    }
}

/// Splits live ranges that cross calls at the shrink-wrapping point, so that only the late half
/// needs a callee-saved register. Returns the block that begins with the copies. For target
/// instructions on virtual registers.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn separate(
    function: &mut Function<'_>,
    isa: &dyn Isa,
) -> Result<Option<BlockId>, Error> {
    if !function.has_calls || !may_have_outset(function) {
        return Ok(None);
    }
    let rows = isa.insns();
    let needs = |function: &Function<'_>, insn: &Insn| {
        let mut operands = function.operands_of(insn).iter();
        calls(properties::flags_of(rows, insn)) || operands.any(is_frame)
    };
    let Some(outset) = find(function, isa, &needs, Returns::Duplicated)? else {
        return Ok(None);
    };
    let Some(block) = enter(function, isa, &outset)? else {
        return Ok(None);
    };
    share_returns(function, isa, &outset)?;
    rename(function, isa, &outset, block)?;
    Ok(Some(block))
}

/// Marks the early blocks of an allocated function ([`crate::machine::Block::is_early`]) and
/// returns the block that gets the prologue. `saved` are the registers that the prologue would
/// save.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn mark(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    saved: UnitSet,
) -> Result<Option<BlockId>, Error> {
    let is_frameless = saved.is_empty() && !function.has_calls && function.frame.is_empty();
    if is_frameless || !may_have_outset(function) {
        return Ok(None);
    }
    let (rows, registers) = (isa.insns(), isa.registers());
    let kept = kept_registers(isa, registers, saved);
    let needs = |function: &Function<'_>, insn: &Insn| {
        let flags = properties::flags_of(rows, insn);
        let leaves = flags.contains(InsnFlags::RETURN);
        let needs =
            |operand| is_frame(operand) || !leaves && units(registers, operand).overlaps(kept);
        calls(flags) || function.operands_of(insn).iter().any(needs)
    };
    let Some(outset) = find(function, isa, &needs, Returns::Kept)? else {
        return Ok(None);
    };
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

/// Returns whether a function may be divided at all, that is, nothing in it depends on when the
/// stack pointer moves.
fn may_have_outset(function: &Function<'_>) -> bool {
    function.layout.len() > 1
        && function.reserved.is_empty()
        && !function.has_dynamic_stack
        && function.stack_limit != StackLimit::Checked
        && !function.is_jumped_to
        && !function.is_jumped_back_into
}

/// Returns the registers that early blocks must not touch.
fn kept_registers(isa: &dyn Isa, registers: &RegisterFile, saved: UnitSet) -> UnitSet {
    let pointers =
        [registers.stack_pointer, registers.frame_pointer].map(|reg| registers.units(reg));
    let link = isa
        .description()
        .elf
        .map(|elf| elf.return_address.cast_signed());
    let link = (registers.registers.iter()).find(|row| Some(row.dwarf) == link);
    let kept = pointers.into_iter().fold(saved, UnitSet::union);
    link.map_or(kept, |link| kept.union(link.units))
}

fn units(registers: &RegisterFile, operand: &Operand) -> UnitSet {
    let reg = operand.as_reg().filter(|reg| reg.is_physical());
    reg.map_or(UnitSet::EMPTY, |reg| registers.units(reg))
}

/// Returns whether an instruction with these flags needs the frame whatever its operands are.
const fn calls(flags: InsnFlags) -> bool {
    flags.intersects(InsnFlags::CALL.union(InsnFlags::SPLITS))
}

/// Returns whether an operand needs the frame.
fn is_frame(operand: &Operand) -> bool {
    operand.as_frame().is_some()
}

/// The treatment of returning blocks that are reached from early and from late blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Returns {
    /// Each becomes two, an early and a late one.
    Duplicated,
    /// They stay as they are, and so are late.
    Kept,
}

/// Finds the shrink-wrapping point, if some path returns without needing a frame.
fn find<'m>(
    function: &Function<'m>,
    isa: &dyn Isa,
    needs: &dyn Fn(&Function<'_>, &Insn) -> bool,
    shared: Returns,
) -> Result<Option<Outset<'m>>, OutOfMemory> {
    let allocator = function.allocator();
    let Some(&entry) = function.layout.first() else {
        return Ok(None);
    };
    let is_late = |block| function.rows(block).any(|(_, insn)| needs(function, insn));
    if is_late(entry) {
        return Ok(None);
    }
    let mut is_needed = Vec::new(allocator);
    is_needed.resize(function.block_count(), false)?;
    let mut work = Vec::new(allocator);
    for &block in &function.layout {
        if block != entry && is_late(block) {
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
        shared,
    };
    let mut flow = None;
    for _ in 0..MOST_MOVES {
        search.spread(&mut work)?;
        let (first, returns) = search.targets();
        let Some(block) = first.filter(|_| returns && !search.is_late[entry.index()]) else {
            break;
        };
        // If all edges lead to the same block, the dominator tree is not needed.
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

/// The state of the search for the shrink-wrapping point.
struct Search<'a, 'm> {
    function: &'a Function<'m>,
    isa: &'a dyn Isa,
    edges: Edges<'m>,
    /// True for blocks that need the frame themselves.
    is_needed: Vec<'m, bool>,
    is_late: Vec<'m, bool>,
    shared: Returns,
}

impl<'a, 'm> Search<'a, 'm> {
    /// Marks the blocks as late that are reachable from late blocks.
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

    /// Returns the late successors of early blocks, without shared ones.
    fn nexts(&self) -> impl Iterator<Item = BlockId> + use<'_, 'a, 'm> {
        let nexts = (self.early()).flat_map(|block| self.edges.successors(block).iter().copied());
        nexts.filter(|&next| self.is_late[next.index()] && !self.is_shared(next))
    }

    /// Returns the first of them, and whether some early block returns.
    fn targets(&self) -> (Option<BlockId>, bool) {
        let returns = self.early().any(|block| {
            let mut nexts = self.edges.successors(block).iter();
            returns(self.function, self.isa, block) || nexts.any(|&next| self.is_shared(next))
        });
        (self.nexts().next(), returns)
    }

    /// Returns the nearest dominator of `block` that dominates all late successors of early blocks.
    fn common(&self, flow: &Flow<'_>, block: BlockId) -> Option<BlockId> {
        let mut above = Some(block);
        for next in self.nexts() {
            while let Some(block) = above.filter(|&above| !flow.dominates(above, next)) {
                above = flow.idom(block);
            }
        }
        above
    }

    /// Returns whether a late block only returns, and could do so without the frame.
    fn is_shared(&self, block: BlockId) -> bool {
        let function = self.function;
        let is_early = |from: &&BlockId| !self.is_late[from.index()];
        let mut early = (self.edges.predecessors(block).iter()).filter(is_early);
        self.shared == Returns::Duplicated
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

/// Returns whether a block ends in leaving the function.
fn returns(function: &Function<'_>, isa: &dyn Isa, block: BlockId) -> bool {
    let last = function.block(block).last();
    last.is_some_and(|last| properties::flags(isa, function.insn(last)).contains(InsnFlags::RETURN))
}

/// Returns whether a block ends in a jump through a table.
fn has_table(function: &Function<'_>, block: BlockId) -> bool {
    let last = function.block(block).last();
    let mut operands = last.iter().flat_map(|&last| function.operands(last));
    operands.any(|operand| operand.as_table().is_some())
}

/// Returns whether control may fall through from a block to the next one of the layout.
fn falls_through(function: &Function<'_>, isa: &dyn Isa, block: BlockId) -> bool {
    let last = function.block(block).last();
    last.is_none_or(|last| {
        !properties::flags(isa, function.insn(last)).contains(InsnFlags::BARRIER)
    })
}

/// Redirects the branches of a block from `old` to `new`. Returns whether there were any.
fn lead(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    from: BlockId,
    old: BlockId,
    new: BlockId,
) -> bool {
    let is_branch = |function: &Function<'_>, insn| {
        properties::flags(isa, function.insn(insn)).contains(InsnFlags::TERMINATOR)
    };
    redirect(function, from, is_branch, |_, target| {
        if target == old { new } else { target }
    })
}

/// Inserts a block into the layout.
fn insert(function: &mut Function<'_>, place: usize, block: BlockId) -> Result<(), OutOfMemory> {
    function.layout.push(block)?;
    if let Some(rest) = function.layout.get_mut(place..) {
        rest.rotate_right(1);
    }
    Ok(())
}

/// Returns a block that all edges from early to late blocks lead through and no other does, a new
/// one if needed. Returns `None` if that takes more than redirecting branches.
///
/// A new block goes before the late one. If the block there jumps to the late one, as the end of a
/// loop does whose test comes last, it goes after an early block instead, so that the loop needs no
/// jump around it.
fn enter(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    outset: &Outset<'_>,
) -> Result<Option<BlockId>, Error> {
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
    let to = outset.block;
    let back = (!is_early(before)).then(|| jump_between(function, isa, before, to));
    let early = (function.layout.iter())
        .position(|&from| is_early(from) && jump_between(function, isa, from, block).is_some());
    match back.flatten().zip(early) {
        Some((back, early)) => {
            let row = *function.insn(back);
            function.append(block, row.opcode, row.ty, &[Operand::block(to)])?;
            insert(function, early + 1, block)?;
        }
        None => insert(function, place, block)?,
    }
    Ok(Some(block))
}

/// Returns the last instruction of a block, if it always jumps to the other block.
fn jump_between(
    function: &Function<'_>,
    isa: &dyn Isa,
    from: BlockId,
    to: BlockId,
) -> Option<InsnId> {
    let last = function.block(from).last()?;
    let jumps = *function.operands(last) == [Operand::block(to)];
    (jumps && !falls_through(function, isa, from)).then_some(last)
}

/// Duplicates the returning blocks that late and early blocks share, for the early ones.
fn share_returns(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    outset: &Outset<'_>,
) -> Result<(), Error> {
    for &shared in &outset.shared {
        let new = function.add_block()?;
        let mut cursor = function.cursor(shared);
        while let Some(insn) = cursor.next(function) {
            let row = *function.insn(insn);
            let operands = Vec::from_slice(function.allocator(), function.operands(insn))?;
            function.origins.place_as(insn);
            function.append(new, row.opcode, row.ty, &operands)?;
        }
        function.origins.place_near();
        // The copy goes after a block that jumps there unconditionally, so that this needs no jump.
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

/// Splits values that early blocks write and late ones read into a virtual register in each half.
/// Values that late blocks read only before their first call keep theirs.
fn rename(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    outset: &Outset<'_>,
    block: BlockId,
) -> Result<(), Error> {
    let mut states = find_states(function, isa, outset)?;
    let first = function.block(block).first();
    copy_between(function, isa, block, &mut states)?;
    for place in 0..function.layout.len() {
        let named = function.layout[place];
        let is_late = named == block || outset.has(named);
        let mut cursor = function.cursor(named);
        if named == block {
            // The copies have the right names.
            while cursor
                .next_if(function, |_, insn| Some(insn) != first)
                .is_some()
            {}
        }
        while let Some(insn) = cursor.next(function) {
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

/// Returns how early and late blocks use each virtual register.
fn find_states<'m>(
    function: &Function<'m>,
    isa: &dyn Isa,
    outset: &Outset<'_>,
) -> Result<Vec<'m, SplitUses>, OutOfMemory> {
    let mut states = Vec::new(function.allocator());
    states.resize(function.vreg_count(), SplitUses::default())?;
    for &block in &function.layout {
        let is_late = outset.has(block);
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
    Ok(states)
}

/// Adds a second virtual register for each value that lives into the late half, and inserts the
/// copies at the beginning of `block`.
fn copy_between(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    block: BlockId,
    states: &mut [SplitUses],
) -> Result<(), Error> {
    let edges = properties::edges(function, isa, function.allocator())?;
    let first = function.block(block).first();
    let mut searches = MOST_SEARCHES;
    for (number, state) in states.iter_mut().enumerate() {
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
        state.new = Some(new);
        if passes {
            // The old name stays with the late half if late blocks write it, else with the early
            // one: arguments arrive there, and lower numbers are allocated first.
            let [to, from] = if state.is_written_late {
                [old, new]
            } else {
                [new, old]
            };
            let operands = [Operand::from(to).with(OperandFlags::DEF), from.into()];
            function.insert(block, first, Generic::Copy.into(), LowType::S64, &operands)?;
        }
    }
    Ok(())
}

/// Returns whether the value of a register at the beginning of a block may be read.
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

/// The uses of a virtual register in early and late blocks.
#[derive(Clone, Copy, Default)]
struct SplitUses {
    is_written_early: bool,
    is_written_late: bool,
    /// True if it may have to survive a call.
    is_kept: bool,
    /// Its other name: in early blocks if late ones write it, else in late ones.
    new: Option<VReg>,
}
