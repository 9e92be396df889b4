//! Loop unrolling: replaces a small loop that runs a known, small number of times by copies of its
//! body. In SSA form.
//!
//! For loops of a few blocks without inner loops, which are left at the latch: other blocks lead
//! forward in the loop, or by a side exit to a block that ends the run, as one does that reports a
//! fault or that the fuel is used up. The trip count is found by evaluating the body with constants
//! for its PHIs until the exit test leaves the loop, so no pattern of induction variables need be
//! recognised: anything that counts, however it does, is found. An iteration of which the test is
//! not constant ends the attempt.
//!
//! The copies of all iterations but the last are new blocks before the loop, each with new names
//! for its definitions and with side exits of its own; the last iteration keeps the names, for
//! readers after the loop, and its PHIs become copies. The branches within the body are left, and
//! combining removes those that the constants of an iteration decide.
//! Both evaluation and copies are bounded: by the number of iterations, by the size of the result,
//! and by a budget for the whole function.

pub(crate) mod peel;

use crate::codegen::analysis::branches::{is_generic_terminator, redirect};
use crate::codegen::analysis::constants::{evaluate, holds};
use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::phis::{first_terminator, is_phi, value_from};
use crate::codegen::analysis::preserved::Preserved;
use crate::machine::{
    BlockId, Function, Generic, InsnId, LowType, Operand, OperandFlags, Reg, VReg,
};
use crate::mem::{Entity, Vec};
use crate::target::error::{Error, Phase};

/// The most iterations of a loop that is unrolled.
const MOST_TRIPS: usize = 16;
/// The most instructions of an unrolled loop.
const MOST_INSNS: usize = 320;

/// The most blocks of a loop that is unrolled, side exits apart.
const MOST_BLOCKS: usize = 8;

/// Unrolls the loops that are worth it.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn unroll(function: &mut Function<'_>, flow: &Flow<'_>) -> Result<Preserved, Error> {
    let is_loop = |&block: &BlockId| find(function, flow, block).is_some();
    if !flow.order.iter().any(is_loop) {
        return Ok(Preserved::ControlFlow);
    }
    let allocator = function.allocator();
    let mut constants = constants_of(function, flow)?;
    let constants_at_start = Vec::from_slice(allocator, &constants)?;
    let mut names = own_names(function)?;
    let mut copies = Copies::new(function)?;
    let mut preserved = Preserved::ControlFlow;
    let mut budget = 4 * function.insn_count() + 2 * MOST_INSNS;
    for &block in &flow.order {
        let Some(found) = find(function, flow, block) else {
            continue;
        };
        let trips = count_trips(function, &found, &mut constants);
        forget(function, &found, &mut constants, &constants_at_start);
        let Some(trips) = trips else {
            continue;
        };
        let size = found.size * trips;
        if size > MOST_INSNS || size > budget {
            continue;
        }
        budget -= size;
        write_out(function, &found, trips, &mut names, &mut copies)?;
        preserved = Preserved::Nothing;
    }
    if preserved == Preserved::Nothing {
        copies.lay_out(function)?;
    }
    Ok(preserved)
}

/// Returns a list in which each register stands for itself.
fn own_names<'m>(function: &Function<'m>) -> Result<Vec<'m, Operand>, Error> {
    let mut names = Vec::with_capacity(function.allocator(), function.vreg_count())?;
    for number in 0..function.vreg_count() as u32 {
        names.push(Operand::from(VReg::new(number)))?;
    }
    Ok(names)
}

/// Returns the constants that instructions load, by register.
fn constants_of<'m>(
    function: &Function<'m>,
    flow: &Flow<'_>,
) -> Result<Vec<'m, Option<i64>>, Error> {
    let mut constants = Vec::new(function.allocator());
    constants.resize(function.vreg_count(), None)?;
    for &block in &flow.order {
        for insn in function.insns(block) {
            if function.insn(insn).opcode.generic() == Some(Generic::Constant)
                && let &[to, value] = function.operands(insn)
                && let Some(vreg) = to.vreg()
            {
                constants[vreg.index()] = function.immediate(value);
            }
        }
    }
    Ok(constants)
}

/// A block of a loop, the blocks that it leads to (one of them twice if there is no other), and its
/// side exit.
#[derive(Clone, Copy)]
struct Member {
    block: BlockId,
    nexts: [BlockId; 2],
    side: Option<SideExit>,
}

impl Member {
    /// Returns the member that a block is; `None` if it leads to more than two blocks, or if both
    /// end the run.
    fn new(flow: &Flow<'_>, block: BlockId) -> Option<Member> {
        let nexts = match *flow.edges.successors(block) {
            [next] => [next; 2],
            [a, b] => [a, b],
            _ => return None,
        };
        let mut side = None;
        for next in nexts.into_iter().filter(|&next| flow.ends_run(block, next)) {
            let &stop = flow.edges.successors(next).first()?;
            side = match side {
                Some(_) => return None,
                None => Some(SideExit { block: next, stop }),
            };
        }
        Some(Member { block, nexts, side })
    }
}

/// The block that a side exit leads to, and the one where the run ends.
#[derive(Clone, Copy)]
struct SideExit {
    block: BlockId,
    stop: BlockId,
}

/// A loop that can be copied.
struct Found {
    /// The blocks in reverse postorder, from the header to the latch.
    body: heapless::Vec<Member, MOST_BLOCKS>,
    header: BlockId,
    /// The block that leads back to the header.
    latch: BlockId,
    /// The block that the loop is entered from, and the one that it exits to.
    from: BlockId,
    exit: BlockId,
    /// The number of its instructions, side exits apart.
    size: usize,
}

impl Found {
    /// Returns all blocks, those of side exits included.
    fn blocks(&self) -> impl Iterator<Item = BlockId> {
        let both = |member: &Member| [Some(member.block), member.side.map(|side| side.block)];
        self.body.iter().flat_map(both).flatten()
    }
}

/// Returns the loop with this header, if it can be copied.
fn find(function: &Function<'_>, flow: &Flow<'_>, header: BlockId) -> Option<Found> {
    let (latch, from) = match *flow.edges.predecessors(header) {
        [a, b] if flow.dominates(header, b) => (b, a),
        [a, b] if flow.dominates(header, a) => (a, b),
        _ => return None,
    };
    let exit = match *flow.edges.successors(latch) {
        [a, b] if a == header => b,
        [a, b] if b == header => a,
        _ => return None,
    };
    let last = function.block(from).last();
    let last = last.and_then(|last| function.insn(last).opcode.generic());
    let is_table = matches!(last, Some(Generic::Brjt | Generic::Brindirect));
    if is_table || exit == header || flow.dominates(header, from) {
        return None;
    }
    let mut found = Found {
        body: heapless::Vec::new(),
        header,
        latch,
        from,
        exit,
        size: 0,
    };
    for &block in &find_body(flow, header, latch)? {
        found.size += copied_size(function, block, Kind::Body)?;
        let mut member = Member::new(flow, block)?;
        member.side = member.side.filter(|_| block != latch);
        found.body.push(member).ok()?;
    }
    let is_copied = |member: &Member| is_copied(function, flow, &found, member);
    (found.size <= MOST_INSNS && found.body.iter().all(is_copied)).then_some(found)
}

/// The blocks of a loop.
type Body = heapless::Vec<BlockId, MOST_BLOCKS>;

/// Returns the blocks from which control comes to the latch of a loop without its header, and the
/// header, in reverse postorder; `None` if they are too many, or if control enters elsewhere.
fn find_body(flow: &Flow<'_>, header: BlockId, latch: BlockId) -> Option<Body> {
    let mut body = Body::new();
    body.push(latch).ok()?;
    let mut number = 0;
    while let Some(&block) = body.get(number) {
        number += 1;
        if block == header {
            continue;
        }
        for &source in flow.edges.predecessors(block) {
            if !flow.dominates(header, source) {
                return None;
            }
            if !body.contains(&source) {
                body.push(source).ok()?;
            }
        }
    }
    body.sort_unstable_by_key(|&block| flow.place(block));
    Some(body)
}

/// Returns whether a block of a loop, but for the latch, only leads forward in the loop or by a
/// side exit out of it.
fn is_copied(function: &Function<'_>, flow: &Flow<'_>, found: &Found, member: &Member) -> bool {
    let side = member.side.map(|side| side.block);
    let is_ahead = |&block: &BlockId| {
        let is_within = found.body.iter().any(|other| other.block == block);
        is_within && flow.place(block) > flow.place(member.block)
    };
    let is_side_copied = |block| copied_size(function, block, Kind::Side).is_some();
    let mut others = member.nexts.iter().filter(|&&next| Some(next) != side);
    member.block == found.latch || others.all(is_ahead) && side.is_none_or(is_side_copied)
}

/// The kinds of blocks of a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Body,
    /// The target of a side exit, which may call and has no PHIs.
    Side,
}

/// Returns the number of instructions of a block, if all can be copied.
fn copied_size(function: &Function<'_>, block: BlockId, kind: Kind) -> Option<usize> {
    if function.block(block).address_taken {
        return None;
    }
    let mut size = 0;
    for insn in function.insns(block) {
        size += 1;
        let generic = function.insn(insn).opcode.generic()?;
        let defines_physical = |operand: &Operand| {
            let reg = operand.as_reg();
            operand.is_def() && reg.is_some_and(crate::machine::Reg::is_physical)
        };
        let is_copied = match (kind, generic) {
            (_, Generic::Br) => true,
            (Kind::Body, Generic::Call) | (Kind::Side, Generic::Phi) => false,
            (Kind::Body, Generic::BrIcmp | Generic::BrFcmp) => true,
            _ if generic.is_terminator() => false,
            (Kind::Body, _) => !function.operands(insn).iter().any(defines_physical),
            (Kind::Side, _) => true,
        };
        if size > MOST_INSNS || !is_copied {
            return None;
        }
    }
    Some(size)
}

/// Restores the known constants of the registers that a loop defines, after evaluation.
fn forget(
    function: &Function<'_>,
    found: &Found,
    constants: &mut [Option<i64>],
    at_start: &[Option<i64>],
) {
    for insn in found.blocks().flat_map(|block| function.insns(block)) {
        for operand in function.operands(insn).iter().filter(|o| o.is_def()) {
            if let Some(vreg) = operand.vreg() {
                let index = vreg.index();
                if let (Some(place), Some(&old)) = (constants.get_mut(index), at_start.get(index)) {
                    *place = old;
                }
            }
        }
    }
}

/// Returns the number of iterations of a loop, if it can be found.
fn count_trips(
    function: &Function<'_>,
    found: &Found,
    constants: &mut [Option<i64>],
) -> Option<usize> {
    let mut from = found.from;
    for trip in 1..=MOST_TRIPS {
        evaluate_header(function, found, from, constants)?;
        from = found.latch;
        for member in &found.body {
            for insn in function.insns(member.block) {
                let Some(&to) = function.operands(insn).first().filter(|to| to.is_def()) else {
                    continue;
                };
                let computed = match is_phi(function, insn) {
                    true if member.block == found.header => continue,
                    true => common_source(function, insn, constants),
                    false => evaluate(function, insn, |of| value(function, constants, of)),
                };
                if let Some(vreg) = to.vreg() {
                    *constants.get_mut(vreg.index())? = computed;
                }
            }
        }
        let branch = first_terminator(function, found.latch)?;
        let &[predicate, a, b, target] = function.operands(branch) else {
            return None;
        };
        let predicate = predicate.as_int_predicate()?;
        let [a, b] = [a, b].map(|side| value(function, constants, side));
        let goes = holds(predicate, function.insn(branch).ty, a?, b?);
        if goes != (target.as_block() == Some(found.header)) {
            return Some(trip);
        }
    }
    None
}

/// Returns the constant that an operand is, if it is one.
fn value(function: &Function<'_>, constants: &[Option<i64>], operand: Operand) -> Option<i64> {
    match operand.vreg() {
        Some(vreg) => constants.get(vreg.index()).copied().flatten(),
        None => function.immediate(operand),
    }
}

/// Evaluates the PHIs of a loop when it is entered or begun again from a block: all at once, since
/// their sources may be other PHIs. Returns `None` if they are too many.
fn evaluate_header(
    function: &Function<'_>,
    found: &Found,
    from: BlockId,
    constants: &mut [Option<i64>],
) -> Option<()> {
    let mut starts = [(0, None); MOST_COUNTERS];
    let mut count = 0;
    let insns = function.insns(found.header);
    for phi in insns.take_while(|&insn| is_phi(function, insn)) {
        let to = function.operands(phi).first().and_then(|to| to.vreg())?;
        let source = value_from(function, phi, from)?;
        *starts.get_mut(count)? = (to.index(), value(function, constants, source));
        count += 1;
    }
    for &(to, start) in starts.iter().take(count) {
        *constants.get_mut(to)? = start;
    }
    Some(())
}

/// Returns the constant that all sources of a PHI are.
fn common_source(function: &Function<'_>, phi: InsnId, constants: &[Option<i64>]) -> Option<i64> {
    let mut sources = function.operands(phi).iter().skip(1).step_by(2);
    let first = value(function, constants, *sources.next()?)?;
    sources
        .all(|&source| value(function, constants, source) == Some(first))
        .then_some(first)
}

/// The most PHIs of a loop that is unrolled.
const MOST_COUNTERS: usize = 24;

/// The blocks that copies of loops are made of.
struct Copies<'m> {
    /// For each old block the new ones before it in the layout: the first, and the one after them.
    before: Vec<'m, (u32, u32)>,
    /// The new blocks at the end of the layout.
    last: Vec<'m, BlockId>,
    /// The operands of the instruction that is copied.
    operands: Vec<'m, Operand>,
}

impl<'m> Copies<'m> {
    fn new(function: &Function<'m>) -> Result<Copies<'m>, Error> {
        let allocator = function.allocator();
        let mut before = Vec::new(allocator);
        before.resize(function.block_count(), (0, 0))?;
        Ok(Copies {
            before,
            last: Vec::new(allocator),
            operands: Vec::new(allocator),
        })
    }

    /// Brings the new blocks into the layout of the function.
    fn lay_out(&self, function: &mut Function<'_>) -> Result<(), Error> {
        let empty = Vec::new(function.allocator());
        let old = core::mem::replace(&mut function.layout, empty);
        for &block in &old {
            let before = self.before.get(block.index());
            let (first, end) = before.copied().unwrap_or((0, 0));
            for number in first..end {
                function.layout.push(BlockId::new(number))?;
            }
            function.layout.push(block)?;
        }
        Ok(function.layout.extend_from_slice(&self.last)?)
    }
}

/// Unrolls a loop: copies of its blocks come before it, and it runs once. `names` maps each value
/// to itself before and after.
fn write_out(
    function: &mut Function<'_>,
    found: &Found,
    trips: usize,
    names: &mut [Operand],
    copies: &mut Copies<'_>,
) -> Result<(), Error> {
    let allocator = function.allocator();
    let (mut phis, mut values) = (Vec::new(allocator), Vec::new(allocator));
    let header = function.insns(found.header);
    for phi in header.take_while(|&insn| is_phi(function, insn)) {
        phis.push(phi)?;
        values.push(source_of(function, phi, found.from)?)?;
    }
    let mut heads = Heads {
        first: function.block_count() as u32,
        next: found.header,
        keeps_test: false,
    };
    let hot = found.body.len() * (trips - 1);
    for _ in 0..hot {
        function.add_block()?;
    }
    for trip in 1..trips {
        function.origins.begin_copies();
        for (&phi, &value) in phis.iter().zip(values.iter()) {
            if let Some(to) = function.operands(phi).first().and_then(|to| to.vreg()) {
                names[to.index()] = value;
                function.origins.note_value_in_copies(to, value)?;
            }
        }
        heads.next = match trip + 1 < trips {
            true => heads.block(found, trip, 0),
            false => found.header,
        };
        for place in 0..found.body.len() {
            copy_member(function, found, (trip - 1, place), &heads, names, copies)?;
        }
        for (&phi, value) in phis.iter().zip(values.iter_mut()) {
            let source = source_of(function, phi, found.latch)?;
            if let Some(vreg) = source.vreg() {
                *value = names.get(vreg.index()).copied().unwrap_or(source);
            }
        }
    }
    if hot > 0 {
        let (header, first) = (found.header, BlockId::new(heads.first));
        copies.before[header.index()] = (heads.first, heads.first + hot as u32);
        redirect(function, found.from, is_generic_terminator, |_, target| {
            if target == header { first } else { target }
        });
    }
    for insn in found.blocks().flat_map(|block| function.insns(block)) {
        for vreg in function.operands(insn).iter().filter_map(|o| o.vreg()) {
            if let Some(name) = names.get_mut(vreg.index()) {
                *name = vreg.into();
            }
        }
    }
    leave_loop(function, found, &phis, &values)
}

/// The new blocks of a loop that is unrolled.
struct Heads {
    /// The first of those for the blocks of the body, which follow in order, by iteration.
    first: u32,
    /// The block at which the iteration after the present one begins.
    next: BlockId,
    /// True if the latch keeps its test, by which the loop goes on or is left.
    keeps_test: bool,
}

impl Heads {
    /// Returns the block for one of the body, by its place there.
    fn block(&self, found: &Found, trip: usize, place: usize) -> BlockId {
        BlockId::new(self.first + (trip * found.body.len() + place) as u32)
    }
}

/// Returns the source of a PHI for an edge.
fn source_of(function: &Function<'_>, phi: InsnId, from: BlockId) -> Result<Operand, Error> {
    value_from(function, phi, from).ok_or(Phase::Optimisation.internal(Some(phi)))
}

/// Copies a block of the body for an iteration, and its side exit.
fn copy_member(
    function: &mut Function<'_>,
    found: &Found,
    (trip, place): (usize, usize),
    heads: &Heads,
    names: &mut [Operand],
    copies: &mut Copies<'_>,
) -> Result<(), Error> {
    let (to, member) = (heads.block(found, trip, place), found.body[place]);
    let side = match member.side {
        Some(side) => Some((side, function.add_block()?)),
        None => None,
    };
    let target = |block: BlockId| match side {
        Some((old, new)) if block == old.block => new,
        _ => match found.body.iter().position(|other| other.block == block) {
            Some(place) => heads.block(found, trip, place),
            None => block,
        },
    };
    let mut first = function.block(member.block).first();
    while let Some(phi) = first.filter(|&insn| place == 0 && is_phi(function, insn)) {
        first = function.insn(phi).next();
    }
    copy_body(function, first, to, names, copies, target)?;
    let is_latch = member.block == found.latch;
    let target = |block: BlockId| if is_latch { block } else { target(block) };
    let [mut next, other] = member.nexts;
    let branch = first_terminator(function, member.block);
    let has_test = next != other && (heads.keeps_test || !is_latch);
    if let Some(branch) = branch.filter(|_| has_test) {
        copy_insn(function, branch, to, names, &mut copies.operands, target)?;
        let targets = function.operands(branch).iter();
        if { targets }.any(|operand| operand.as_block() == Some(next)) {
            next = other;
        }
    }
    let next = match is_latch && !has_test {
        true => heads.next,
        false => target(next),
    };
    function.append(to, Generic::Br, LowType::S64, &[Operand::block(next)])?;
    if let Some((SideExit { block, stop }, new)) = side {
        copies.last.push(new)?;
        let first = function.block(block).first();
        copy_body(function, first, new, names, copies, |block| block)?;
        function.append(new, Generic::Br, LowType::S64, &[Operand::block(stop)])?;
    }
    Ok(())
}

/// Copies the instructions from `first` on but terminators to the end of another block. `target`
/// returns the new block for an old one.
fn copy_body(
    function: &mut Function<'_>,
    first: Option<InsnId>,
    to: BlockId,
    names: &mut [Operand],
    copies: &mut Copies<'_>,
    target: impl Fn(BlockId) -> BlockId,
) -> Result<(), Error> {
    let mut next = first;
    while let Some(insn) = next {
        next = function.insn(insn).next();
        if !is_generic_terminator(function, insn) {
            copy_insn(function, insn, to, names, &mut copies.operands, &target)?;
        }
    }
    Ok(())
}

/// Copies an instruction to the end of a block. Sources have the names of the values in the
/// iteration, and results get new ones. `target` returns the new block for an old one.
fn copy_insn(
    function: &mut Function<'_>,
    insn: InsnId,
    to: BlockId,
    names: &mut [Operand],
    operands: &mut Vec<'_, Operand>,
    target: impl Fn(BlockId) -> BlockId,
) -> Result<(), Error> {
    operands.clear();
    operands.extend_from_slice(function.operands(insn))?;
    for operand in operands.iter_mut() {
        if let Some(block) = operand.as_block() {
            *operand = Operand::block(target(block));
        } else if let (Some(vreg), false) = (operand.vreg(), operand.is_def())
            && let Some(name) = names.get(vreg.index()).and_then(|name| name.as_reg())
        {
            *operand = operand.on(name);
        }
    }
    for operand in operands.iter_mut() {
        if let (Some(vreg), true) = (operand.vreg(), operand.is_def()) {
            let new = function.add_vreg(function.vreg(vreg))?;
            if let Some(name) = names.get_mut(vreg.index()) {
                *name = new.into();
            }
            *operand = operand.on(Reg::virt(new));
        }
    }
    Ok(function.append_like(to, insn, operands)?)
}

/// Makes the original blocks of a loop its last iteration, which keeps the names, for readers after
/// the loop: `values` replace the PHIs, and a branch to the exit its test.
fn leave_loop(
    function: &mut Function<'_>,
    found: &Found,
    phis: &[InsnId],
    values: &[Operand],
) -> Result<(), Error> {
    let header = found.header;
    let after = phis.last().and_then(|&phi| function.insn(phi).next());
    for (&phi, &value) in phis.iter().zip(values) {
        let to = function.operands(phi).first().copied();
        let to = to.ok_or(Phase::Optimisation.internal(Some(phi)))?;
        if let Some(to) = to.vreg() {
            function.origins.note_replaced(to, value)?;
        }
        let operands = [to.with(OperandFlags::DEF), value];
        function.insert(header, after, Generic::Copy.into(), LowType::S64, &operands)?;
        function.remove(phi);
    }
    while let Some(branch) = first_terminator(function, found.latch) {
        function.remove(branch);
    }
    let exit = [Operand::block(found.exit)];
    function.append(found.latch, Generic::Br, LowType::S64, &exit)?;
    Ok(())
}
