//! If-conversion: replaces a branch around a cheap computation by selects, where the target has a
//! conditional move. In SSA form.
//!
//! The pattern is a triangle or a diamond: a block ends in a comparison and a branch, and its sides
//! meet again at once (Muchnick, "Advanced Compiler Design and Implementation", 18.9). The sides
//! are computed unconditionally in the branching block, and each PHI of the join becomes a select
//! on the comparison, or the comparison itself if it chooses between 1 and 0.
//!
//! The invariant: nothing is executed that was not before, except instructions that are cheap and
//! cannot fault: no load, no division. The size of the sides and the number of selects are bounded
//! by constants, so that a predictable branch costs little more than before. One pass over the
//! blocks.
//!
//! Sides that only load from places beside each other become one load ([`neighbours`]).

mod neighbours;

use self::neighbours::Neighbours;
use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::phis::{definitions, is_phi, value_from};
use crate::codegen::analysis::preserved::Preserved;
use crate::codegen::opt::dead_code::remove_dead;
use crate::machine::{
    Bank, BlockId, Facts, Function, Generic, InsnId, IntPredicate, LowType, Operand, OperandFlags,
};
use crate::mem::{Entity, Vec};
use crate::target::Isa;
use crate::target::error::{Error, Phase};

/// The most instructions that cost anything, where a branch is around one side.
const MOST_INSNS: usize = 2;
/// The most such instructions of two sides, one of which was executed before, too.
const MOST_OF_BOTH: usize = 3;
/// The most values that are selected.
const MOST_CHOICES: usize = 2;

/// Replaces the branches that are worth it. Loads of two sides become one if `joins_loads` says so.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn convert_ifs(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    flow: &Flow<'_>,
    joins_loads: bool,
) -> Result<Preserved, Error> {
    let selects = isa.description().has(Generic::Select);
    let mut nexts = Vec::new(function.allocator());
    nexts.resize(function.block_count(), None)?;
    for (place, &block) in function.layout.iter().enumerate() {
        nexts[block.index()] = function.layout.get(place + 1).copied();
    }
    let (mut known, mut is_clean, mut are_any) = (None, false, false);
    for &block in &flow.order {
        let Some(test) = Test::of(function, block, nexts[block.index()]) else {
            continue;
        };
        if let Some(loads) = Neighbours::find(function, flow, &test).filter(|_| joins_loads) {
            loads.join(function)?;
            are_any = true;
            continue;
        }
        if !selects {
            continue;
        }
        let mut branch = find(function, flow, &test);
        if branch.as_ref().is_some_and(|branch| branch.has_addresses) && !is_clean {
            remove_dead(function)?;
            is_clean = true;
            branch = find(function, flow, &test);
        }
        if let Some(branch) = branch.filter(|branch| !branch.has_addresses)
            && let Some(count) = choices(function, &branch)
            && (1..=MOST_CHOICES).contains(&count)
        {
            // Instructions that are added later define no constants.
            let definitions = match known.take() {
                Some(definitions) => definitions,
                None => definitions(function)?,
            };
            replace(function, &branch, |function, comparison, values| {
                selected(function, block, comparison, &definitions, values)
            })?;
            known = Some(definitions);
            are_any = true;
        }
    }
    Ok(Preserved::control_flow_unless(are_any))
}

/// A comparison that a block ends in, which leads to one of two other blocks.
struct Test {
    block: BlockId,
    insn: InsnId,
    /// The block to which control goes if the comparison holds.
    target: BlockId,
    /// The block to which it goes if not.
    other: BlockId,
}

impl Test {
    /// Returns the only comparison at the end of a block, before `next` in the layout.
    fn of(function: &Function<'_>, block: BlockId, next: Option<BlockId>) -> Option<Test> {
        let last = function.block(block).last()?;
        let (insn, other) = match function.insn(last).opcode.generic()? {
            Generic::BrIcmp => (last, next?),
            Generic::Br => {
                let target = function.operands(last).first()?.as_block()?;
                (function.insn(last).previous()?, target)
            }
            _ => return None,
        };
        if function.insn(insn).opcode.generic() != Some(Generic::BrIcmp) {
            return None;
        }
        let before = function.insn(insn).previous();
        let is_other_branch =
            |insn| (function.insn(insn).opcode.generic()).is_some_and(Generic::is_terminator);
        if before.is_some_and(is_other_branch) {
            return None;
        }
        let target = function.operands(insn).get(3)?.as_block()?;
        let is_one = target == other || target == block || other == block;
        (!is_one).then_some(Test {
            block,
            insn,
            target,
            other,
        })
    }
}

/// A branch the sides of which meet again at once.
struct Branch {
    block: BlockId,
    insn: InsnId,
    /// The blocks of the sides if the comparison holds, and if not.
    sides: [Option<BlockId>; 2],
    /// The block in which the sides meet.
    join: BlockId,
    /// True if a side computes addresses of data, which cost too much unless they are unused, as
    /// most are that loads leave that are shared.
    has_addresses: bool,
}

impl Branch {
    /// Returns the predecessor of the join on a side.
    fn end(&self, side: usize) -> BlockId {
        self.sides
            .get(side)
            .copied()
            .flatten()
            .unwrap_or(self.block)
    }
}

fn find(function: &Function<'_>, flow: &Flow<'_>, test: &Test) -> Option<Branch> {
    let &Test {
        block,
        insn,
        target,
        other,
    } = test;
    let end_of_side = |side: BlockId| match *flow.edges.successors(side) {
        [end] if flow.edges.predecessors(side).len() == 1 && is_cheap(function, side) => Some(end),
        _ => None,
    };
    let (sides, join) = match (end_of_side(target), end_of_side(other)) {
        (Some(a), Some(b)) if a == b => ([Some(target), Some(other)], a),
        (Some(end), _) if end == other => ([Some(target), None], end),
        (_, Some(end)) if end == target => ([None, Some(other)], end),
        _ => return None,
    };
    let size = |side: &BlockId| work(function, *side);
    let total: usize = sides.iter().flatten().map(size).sum();
    let most = match sides {
        [Some(_), Some(_)] => MOST_OF_BOTH,
        _ => MOST_INSNS,
    };
    let mut insns = sides
        .iter()
        .flatten()
        .flat_map(|&side| function.insns(side));
    (total <= most && join != block).then(|| Branch {
        block,
        insn,
        sides,
        join,
        has_addresses: insns.any(|insn| is_address(function, insn)),
    })
}

fn is_address(function: &Function<'_>, insn: InsnId) -> bool {
    function.insn(insn).opcode.generic() == Some(Generic::GlobalValue)
}

/// Returns the number of instructions of a side that cost anything, addresses of data apart.
fn work(function: &Function<'_>, side: BlockId) -> usize {
    let costs = |&insn: &InsnId| {
        !matches!(
            function.insn(insn).opcode.generic(),
            Some(Generic::Constant | Generic::Copy | Generic::Br | Generic::GlobalValue)
        )
    };
    function.insns(side).filter(costs).count()
}

/// Returns whether a side may be executed unconditionally, and is cheap, addresses of data apart.
fn is_cheap(function: &Function<'_>, side: BlockId) -> bool {
    use Generic as G;
    let is_cheap = |insn: InsnId| {
        let generic = function.insn(insn).opcode.generic();
        let of_registers = (function.operands(insn).iter()).all(|operand| {
            operand
                .as_reg()
                .is_none_or(|reg| reg.vreg().is_some() || reg.is_none())
        });
        let is_simple = generic.is_some_and(|generic| generic.is(Facts::CHEAP));
        is_simple && of_registers || matches!(generic, Some(G::Br | G::GlobalValue))
    };
    !function.block(side).address_taken && function.insns(side).take(16).all(is_cheap)
}

/// Returns the values that a PHI of the join has on both sides.
fn sources(function: &Function<'_>, phi: InsnId, branch: &Branch) -> Option<[Operand; 2]> {
    let [a, b] = [0, 1].map(|side| value_from(function, phi, branch.end(side)));
    Some([a?, b?])
}

/// Returns the number of values to select at the join; `None` if one cannot be.
fn choices(function: &Function<'_>, branch: &Branch) -> Option<usize> {
    let mut count = 0;
    for phi in function.insns(branch.join) {
        if !is_phi(function, phi) {
            break;
        }
        let [a, b] = sources(function, phi, branch)?;
        if a == b {
            continue;
        }
        if function.vreg(a.vreg()?).bank != Bank::General {
            return None;
        }
        count += 1;
    }
    Some(count)
}

/// A comparison: the type of what is compared, the predicate, and both sides.
type Comparison = (LowType, [Operand; 3]);

/// Executes both sides in the block that branches. `choose` returns the value of a PHI, of which
/// it is given those of both sides, and appends to that block what computes it; it returns `None`
/// if there is none.
fn replace<'m>(
    function: &mut Function<'m>,
    branch: &Branch,
    mut choose: impl FnMut(
        &mut Function<'m>,
        Comparison,
        [Operand; 2],
    ) -> Result<Option<Operand>, Error>,
) -> Result<(), Error> {
    let block = branch.block;
    let ty = function.insn(branch.insn).ty;
    let &[predicate, a, b, _] = function.operands(branch.insn) else {
        return Err(Phase::Optimisation.internal(Some(branch.insn)));
    };
    while let Some(last) = function.block(block).last() {
        let generic = function.insn(last).opcode.generic();
        if !generic.is_some_and(Generic::is_terminator) {
            break;
        }
        function.remove(last);
    }
    for side in branch.sides.into_iter().flatten() {
        if let Some(last) = function.block(side).last()
            && function.insn(last).opcode.generic() == Some(Generic::Br)
        {
            function.remove(last);
        }
        let mut next = function.block(side).first();
        while let Some(insn) = next {
            next = function.insn(insn).next();
            function.origins.set_to_that_of(insn, branch.insn);
        }
        function.move_insns(side, block);
        let join = [Operand::block(branch.join)];
        function.append(side, Generic::Br, LowType::S64, &join)?;
    }
    let mut cursor = function.cursor(branch.join);
    let mut operands = Vec::new(function.allocator());
    while let Some(phi) = cursor.next_if(function, is_phi) {
        let missing = Phase::Optimisation.internal(Some(phi));
        let values = sources(function, phi, branch).ok_or(missing)?;
        let comparison = (ty, [predicate, a, b]);
        let value = choose(function, comparison, values)?.ok_or(missing)?;
        merge_sources(function, branch, phi, value, &mut operands)?;
    }
    let join = [Operand::block(branch.join)];
    function.append(block, Generic::Br, LowType::S64, &join)?;
    Ok(())
}

/// Appends the selection of one of two values by a comparison to a block. Returns the selected
/// value; `None` if the values differ and are no virtual registers.
fn selected(
    function: &mut Function<'_>,
    block: BlockId,
    (ty, [predicate, a, b]): Comparison,
    definitions: &Vec<'_, Option<InsnId>>,
    [x, y]: [Operand; 2],
) -> Result<Option<Operand>, Error> {
    if x == y {
        return Ok(Some(x));
    }
    let Some(vreg) = x.vreg() else {
        return Ok(None);
    };
    let to = Operand::from(function.add_vreg(function.vreg(vreg))?);
    let def = to.with(OperandFlags::DEF);
    match truth(function, definitions, predicate, [x, y]) {
        Some(predicate) => {
            function.append(block, Generic::Icmp, ty, &[def, predicate, a, b])?;
        }
        None => {
            let operands = [def, predicate, a, b, x, y];
            function.append(block, Generic::Select, ty, &operands)?;
        }
    }
    Ok(Some(to))
}

/// Replaces the sources of a PHI for the edges from both sides by one for the edge from the block
/// that branched.
fn merge_sources(
    function: &mut Function<'_>,
    branch: &Branch,
    phi: InsnId,
    value: Operand,
    operands: &mut Vec<'_, Operand>,
) -> Result<(), Error> {
    let old = function.operands(phi);
    let (to, sources) = old.split_at(old.len().min(1));
    operands.clear();
    operands.extend_from_slice(to)?;
    for source in sources.chunks_exact(2) {
        let from = source.last().and_then(|from| from.as_block());
        if from != Some(branch.end(0)) && from != Some(branch.end(1)) {
            operands.extend_from_slice(source)?;
        }
    }
    operands.push(value)?;
    operands.push(Operand::block(branch.block))?;
    Ok(function.set_operands(phi, operands)?)
}

/// Returns the predicate that computes the selected value, if the choice is between 1 and 0.
fn truth(
    function: &Function<'_>,
    definitions: &Vec<'_, Option<InsnId>>,
    predicate: Operand,
    values: [Operand; 2],
) -> Option<Operand> {
    let constant = |operand: Operand| {
        let definition = (*definitions.get(operand.vreg()?.index())?)?;
        match function.operands(definition) {
            &[_, value] if function.insn(definition).opcode == Generic::Constant.into() => {
                function.immediate(value)
            }
            _ => None,
        }
    };
    let predicate: IntPredicate = predicate.as_int_predicate()?;
    match values.map(constant) {
        [Some(1), Some(0)] => Some(Operand::int_predicate(predicate)),
        [Some(0), Some(1)] => Some(Operand::int_predicate(predicate.inverse())),
        _ => None,
    }
}
