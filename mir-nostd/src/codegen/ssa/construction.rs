//! SSA construction and destruction.
//!
//! Construction inserts a PHI wherever definitions of a variable meet, in the iterated dominance
//! frontier of their blocks, if the variable is live there (pruned SSA form; Cytron et al.,
//! "Efficiently computing static single assignment form and the control dependence graph", 1991). A
//! walk down the dominator tree then gives each definition a register of its own and replaces the
//! uses.
//!
//! Destruction gives each PHI a register of its own, which its predecessors write at their ends and
//! which the PHI copies (Sreedhar et al., "Translating out of static single assignment form", 1999,
//! method I). This is right for any order of blocks and for critical edges; register allocation
//! coalesces the copies.
//!
//! The invariant of SSA form: each virtual register has one definition, which dominates its uses; a
//! PHI uses its operands at the ends of the predecessors. A register that was never written stands
//! for an undefined value and has no definition.
//!
//! The cost: liveness is found variable by variable as long as that takes time linear in the
//! function. After that, candidates for PHIs are placed without liveness, and one walk over the
//! dominator tree drops those that no use needs. PHIs and their operands are limited by constants
//! per instruction; a function that would exceed them stays as it is.

use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::liveness::{Groups, Pairs, local_sets};
use crate::codegen::analysis::phis::{chains_of_phis, first_terminator, have_phis, is_phi};
use crate::codegen::analysis::unreachable::leave_out;
use crate::machine::{
    BlockId, Function, Generic, InsnId, LowType, Operand, OperandFlags, Reg, UseDefs, VReg,
};
use crate::mem::{Allocator, Entity, OutOfMemory, Vec, numbered};
use crate::target::Isa;
use crate::target::error::{Error, Phase};

/// The most PHIs, and the most operands of PHIs, per block and instruction.
const MOST: usize = 16;

/// The most blocks that variables are followed through, and the most join points that are examined,
/// per block and instruction.
const MOST_STEPS: usize = 64;
/// The same for small functions.
const FEW_STEPS: usize = 1 << 16;

/// The number of no variable.
const NONE: u32 = u32::MAX;

/// Brings a function of generic instructions into SSA form and removes unreachable blocks. Returns
/// the control-flow graph, or `None` if the form would be too large; the function then stays as it
/// is.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn construct<'m>(
    function: &mut Function<'m>,
    isa: &dyn Isa,
) -> Result<Option<Flow<'m>>, Error> {
    let flow = reached_flow(function, isa)?;
    Ok(rename(function, &flow, 0)?.then_some(flow))
}

/// Removes unreachable blocks. Returns the control-flow graph of the others.
fn reached_flow<'m>(function: &mut Function<'m>, isa: &dyn Isa) -> Result<Flow<'m>, Error> {
    let mut flow = Flow::new(function, isa, function.allocator())?;
    if flow.order.len() < function.layout.len() {
        leave_out(function, |block| flow.place(block).is_none())?;
        flow.forget_unreached();
    }
    Ok(flow)
}

/// Renames the virtual registers from `first_variable` on, which no PHI mentions, so that each has
/// one definition. Returns false, with nothing changed, if the PHIs would be too large.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn rename(
    function: &mut Function<'_>,
    flow: &Flow<'_>,
    first_variable: usize,
) -> Result<bool, Error> {
    let allocator = function.allocator();
    let Some(plan) = Plan::new(function, flow, first_variable, allocator)? else {
        return Ok(false);
    };
    if !plan.is_variable.contains(&true) {
        return Ok(true);
    }
    let first = function.insn_count();
    insert_phis(function, flow, &plan)?;
    let mut filled = Vec::new(allocator);
    filled.resize(function.insn_count() - first, 0)?;
    let values = numbered(allocator, plan.is_variable.len())?;
    let mut seen = Vec::new(allocator);
    seen.resize(function.block_count(), NONE)?;
    let mut renaming = Renaming {
        function,
        flow,
        plan: &plan,
        first,
        filled,
        values,
        undo: Vec::new(allocator),
        seen,
    };
    renaming.run()?;
    Ok(true)
}

/// Collects the distinct predecessors of a block.
fn sources<'m>(
    flow: &Flow<'_>,
    block: BlockId,
    seen: &mut [u32],
    into: &mut Vec<'m, BlockId>,
) -> Result<(), OutOfMemory> {
    into.clear();
    for &from in flow.edges.predecessors(block) {
        if flow.place(from).is_some() && seen[from.index()] != block.number() {
            seen[from.index()] = block.number();
            into.push(from)?;
        }
    }
    Ok(())
}

/// The variables to rename and the PHIs that they need.
struct Plan<'m> {
    /// True for registers with several definitions, or one that does not dominate all uses.
    is_variable: Vec<'m, bool>,
    /// The variables with a PHI, grouped by block.
    phis: Groups<'m>,
}

impl<'m> Plan<'m> {
    /// Returns the variable that an operand mentions.
    fn variable(&self, operand: Operand) -> Option<VReg> {
        let vreg = operand.vreg()?;
        let is_variable = self.is_variable.get(vreg.index()).copied();
        is_variable.unwrap_or(false).then_some(vreg)
    }

    fn new(
        function: &Function<'_>,
        flow: &Flow<'_>,
        first_variable: usize,
        allocator: &'m dyn Allocator,
    ) -> Result<Option<Plan<'m>>, OutOfMemory> {
        let vregs = function.vreg_count();
        let mut is_variable = Vec::new(allocator);
        is_variable.resize(vregs, false)?;
        let mark = |number: usize| is_variable[first_variable + number] = true;
        let sets = local_sets(function, first_variable, mark, allocator)?;
        let count = vregs - first_variable;
        let exposed = Groups::new(&sets.exposed, count, allocator)?;
        let defined = Groups::new(&sets.defined, count, allocator)?;
        for number in 0..count {
            let is_dominating = match defined.of(number) {
                [] => true,
                &[only] => exposed.of(number).iter().all(|&user| {
                    user != only && flow.dominates(BlockId::new(only), BlockId::new(user))
                }),
                _ => false,
            };
            is_variable[first_variable + number] |= !is_dominating;
        }
        if !is_variable.contains(&true) {
            let phis = Groups::new(&[], 0, allocator)?;
            return Ok(Some(Plan { is_variable, phis }));
        }
        let Some(frontiers) = frontiers(function, flow, allocator)? else {
            return Ok(None);
        };
        let size = function.insn_count() + function.block_count();
        let mut places = Places::new(flow, &frontiers, size, function.block_count(), allocator)?;
        let mut candidates = Candidates::new(allocator);
        let mut operands = 0;
        for number in 0..count {
            let vreg = first_variable + number;
            if !is_variable[vreg] {
                continue;
            }
            let (exposed, defined) = (exposed.of(number), defined.of(number));
            let start = places.found.len();
            if places.find(vreg as u32, exposed, defined)? {
                let found = places.found.iter().skip(start);
                operands += found.map(|&(block, _)| phi_len(flow, block)).sum::<usize>();
            } else if !places.find_sparsely(vreg as u32, exposed, defined, &mut candidates)? {
                return Ok(None);
            }
            if operands > MOST * size {
                return Ok(None);
            }
        }
        let mut found = places.found;
        candidates.add_live(function, flow, &mut found)?;
        let lengths = found.iter().map(|&(block, _)| phi_len(flow, block));
        if lengths.sum::<usize>() > MOST * size {
            return Ok(None);
        }
        let phis = Groups::new(&found, function.block_count(), allocator)?;
        Ok(Some(Plan { is_variable, phis }))
    }
}

/// Returns the number of operands of a PHI of a block. It exceeds every limit if the block has too
/// many predecessors.
fn phi_len(flow: &Flow<'_>, block: u32) -> usize {
    match flow.edges.predecessors(BlockId::new(block)).len() {
        sources if sources > usize::from(u16::MAX) / 4 => usize::MAX / 2,
        sources => 1 + 2 * sources,
    }
}

/// Returns the dominance frontier of each block; `None` if they are too large together.
fn frontiers<'m>(
    function: &Function<'_>,
    flow: &Flow<'_>,
    allocator: &'m dyn Allocator,
) -> Result<Option<Groups<'m>>, OutOfMemory> {
    let mut pairs = Vec::new(allocator);
    let mut last = Vec::new(allocator);
    last.resize(function.block_count(), NONE)?;
    let most = MOST * (function.block_count() + function.insn_count());
    for &block in &flow.order {
        let sources = flow.edges.predecessors(block);
        if sources.len() < 2 {
            continue;
        }
        let end = flow.idom(block);
        for &from in sources {
            let mut next = flow.place(from).map(|_| from);
            while let Some(runner) = next {
                if Some(runner) == end || last[runner.index()] == block.number() {
                    break;
                }
                last[runner.index()] = block.number();
                pairs.push((runner.number(), block.number()))?;
                next = flow.idom(runner);
            }
        }
        if pairs.len() > most {
            return Ok(None);
        }
    }
    Ok(Some(Groups::new(
        &pairs,
        function.block_count(),
        allocator,
    )?))
}

/// The search for the places of PHIs, one variable at a time: the join points of its definitions at
/// which it is live.
///
/// Liveness of a variable is found block by block, as long as that takes time in proportion to the
/// function. After that, as for many variables that live through many blocks, all join points are
/// [`Candidates`].
struct Places<'a, 'm> {
    flow: &'a Flow<'a>,
    frontiers: &'a Groups<'a>,
    /// The variable that was last live into each block.
    live: Vec<'m, u32>,
    /// The variable that last got a PHI in each block, or was defined there.
    has: Vec<'m, u32>,
    stack: Vec<'m, u32>,
    /// Pairs of a block and a variable.
    found: Vec<'m, (u32, u32)>,
    /// The number of further blocks that variables may be followed backward into.
    live_left: usize,
    /// The number of further join points that may be examined.
    meetings_left: usize,
}

impl<'a, 'm> Places<'a, 'm> {
    fn new(
        flow: &'a Flow<'a>,
        frontiers: &'a Groups<'a>,
        size: usize,
        blocks: usize,
        allocator: &'m dyn Allocator,
    ) -> Result<Self, OutOfMemory> {
        let mut places = Places {
            flow,
            frontiers,
            live: Vec::new(allocator),
            has: Vec::new(allocator),
            stack: Vec::new(allocator),
            found: Vec::new(allocator),
            live_left: (MOST_STEPS * size).max(FEW_STEPS),
            meetings_left: (MOST_STEPS * size).max(FEW_STEPS),
        };
        places.live.resize(blocks, NONE)?;
        places.has.resize(blocks, NONE)?;
        Ok(places)
    }

    /// Finds the places of a variable. Returns false, with none found, if that takes too long.
    fn find(
        &mut self,
        variable: u32,
        exposed: &[u32],
        defined: &[u32],
    ) -> Result<bool, OutOfMemory> {
        if !self.find_live(variable, exposed, defined)? {
            return Ok(false);
        }
        for &block in defined {
            self.stack.push(block)?;
        }
        while let Some(block) = self.stack.pop() {
            for &meeting in self.frontiers.of(block as usize) {
                let index = meeting as usize;
                if self.has[index] != variable && self.live[index] == variable {
                    self.has[index] = variable;
                    self.found.push((meeting, variable))?;
                    self.stack.push(meeting)?;
                }
            }
        }
        Ok(true)
    }

    /// Marks the blocks that a variable is live into. Returns false if there are too many.
    fn find_live(
        &mut self,
        variable: u32,
        exposed: &[u32],
        defined: &[u32],
    ) -> Result<bool, OutOfMemory> {
        for &block in defined {
            self.has[block as usize] = variable;
        }
        for &block in exposed {
            self.live[block as usize] = variable;
            self.stack.push(block)?;
        }
        while let Some(block) = self.stack.pop() {
            let Some(left) = self.live_left.checked_sub(1) else {
                self.stack.clear();
                break;
            };
            self.live_left = left;
            for from in self.flow.edges.predecessors(BlockId::new(block)) {
                let index = from.index();
                if self.has[index] != variable && self.live[index] != variable {
                    self.live[index] = variable;
                    self.stack.push(from.number())?;
                }
            }
        }
        // So far `has` marked definitions. From here on it marks PHIs, which blocks with
        // definitions may have as well.
        for &block in defined {
            self.has[block as usize] = NONE;
        }
        Ok(self.live_left > 0)
    }

    /// Collects all join points of the definitions of a variable. Returns false if there are too
    /// many.
    fn find_sparsely(
        &mut self,
        variable: u32,
        exposed: &[u32],
        defined: &[u32],
        candidates: &mut Candidates<'m>,
    ) -> Result<bool, OutOfMemory> {
        if exposed.is_empty() {
            return Ok(true);
        }
        for &block in exposed {
            candidates.exposed.push((block, variable))?;
        }
        for &block in defined {
            candidates.defined.push((block, variable))?;
            self.stack.push(block)?;
        }
        while let Some(block) = self.stack.pop() {
            for &meeting in self.frontiers.of(block as usize) {
                let Some(left) = self.meetings_left.checked_sub(1) else {
                    return Ok(false);
                };
                self.meetings_left = left;
                let has = &mut self.has[meeting as usize];
                if *has != variable {
                    *has = variable;
                    candidates.places.push((meeting, variable))?;
                    self.stack.push(meeting)?;
                }
            }
        }
        Ok(true)
    }
}

/// Join points of variables that may not be live there, as pairs of a block and a variable.
///
/// A walk down the dominator tree, as in renaming, finds the candidates that reach a use and those
/// that reach another candidate. A candidate is live if it reaches a use, directly or through
/// others.
struct Candidates<'m> {
    places: Vec<'m, (u32, u32)>,
    exposed: Vec<'m, (u32, u32)>,
    defined: Vec<'m, (u32, u32)>,
}

impl<'m> Candidates<'m> {
    fn new(allocator: &'m dyn Allocator) -> Candidates<'m> {
        Candidates {
            places: Vec::new(allocator),
            exposed: Vec::new(allocator),
            defined: Vec::new(allocator),
        }
    }

    /// Adds the candidates to `found` at which their variable is live.
    fn add_live(
        &self,
        function: &Function<'_>,
        flow: &Flow<'_>,
        found: &mut Vec<'_, (u32, u32)>,
    ) -> Result<(), OutOfMemory> {
        if self.places.is_empty() {
            return Ok(());
        }
        let allocator = self.places.allocator();
        let (live, feeds) = self.reaching(function, flow)?;
        let feeds = Groups::new(&feeds, self.places.len(), allocator)?;
        let mut is_live = Vec::new(allocator);
        is_live.resize(self.places.len(), false)?;
        let mut stack = live;
        while let Some(candidate) = stack.pop() {
            if !core::mem::replace(&mut is_live[candidate as usize], true) {
                for &source in feeds.of(candidate as usize) {
                    stack.push(source)?;
                }
            }
        }
        for (&place, &is_live) in self.places.iter().zip(is_live.iter()) {
            if is_live {
                found.push(place)?;
            }
        }
        Ok(())
    }

    /// Returns the candidates that uses read, and pairs of a candidate and one whose value it
    /// takes.
    fn reaching(
        &self,
        function: &Function<'_>,
        flow: &Flow<'_>,
    ) -> Result<(Vec<'m, u32>, Pairs<'m>), OutOfMemory> {
        let allocator = self.places.allocator();
        let blocks = function.block_count();
        let mut numbered = Vec::with_capacity(allocator, self.places.len())?;
        for (number, &(block, _)) in self.places.iter().enumerate() {
            numbered.push((block, number as u32))?;
        }
        let places = Groups::new(&numbered, blocks, allocator)?;
        let exposed = Groups::new(&self.exposed, blocks, allocator)?;
        let defined = Groups::new(&self.defined, blocks, allocator)?;
        let (mut read, mut feeds) = (Vec::new(allocator), Vec::new(allocator));
        // The candidate that each variable has as its value here, and the values to restore.
        let mut values = Vec::new(allocator);
        values.resize(function.vreg_count(), NONE)?;
        let mut undo: Vec<'_, (u32, u32)> = Vec::new(allocator);
        let mut above: Vec<'_, (BlockId, usize)> = Vec::new(allocator);
        for &block in &flow.tree {
            let idom = flow.idom(block);
            while let Some(&(last, len)) = above.iter().next_back()
                && Some(last) != idom
            {
                while undo.len() > len
                    && let Some((variable, value)) = undo.pop()
                {
                    values[variable as usize] = value;
                }
                above.pop();
            }
            above.push((block, undo.len()))?;
            for &candidate in places.of(block.index()) {
                let (_, variable) = self.places[candidate as usize];
                undo.push((variable, values[variable as usize]))?;
                values[variable as usize] = candidate;
            }
            for &variable in exposed.of(block.index()) {
                if values[variable as usize] != NONE {
                    read.push(values[variable as usize])?;
                }
            }
            for &variable in defined.of(block.index()) {
                undo.push((variable, values[variable as usize]))?;
                values[variable as usize] = NONE;
            }
            for to in flow.edges.successors(block) {
                for &candidate in places.of(to.index()) {
                    let (_, variable) = self.places[candidate as usize];
                    if values[variable as usize] != NONE {
                        feeds.push((candidate, values[variable as usize]))?;
                    }
                }
            }
        }
        Ok((read, feeds))
    }
}

/// Inserts the PHIs, with operands to be filled in.
fn insert_phis(function: &mut Function<'_>, flow: &Flow<'_>, plan: &Plan<'_>) -> Result<(), Error> {
    let allocator = function.allocator();
    let mut seen = Vec::new(allocator);
    seen.resize(function.block_count(), NONE)?;
    let (mut from, mut operands) = (Vec::new(allocator), Vec::new(allocator));
    for &block in &flow.order {
        let variables = plan.phis.of(block.index());
        if variables.is_empty() {
            continue;
        }
        sources(flow, block, &mut seen, &mut from)?;
        let cursor = function.cursor(block);
        for &variable in variables {
            let variable = VReg::new(variable);
            operands.clear();
            operands.push(Operand::from(variable).with(OperandFlags::DEF))?;
            for &block in &from {
                operands.push(Operand::from(variable))?;
                operands.push(Operand::block(block))?;
            }
            let ty = function.vreg(variable).ty;
            cursor.insert(function, Generic::Phi.into(), ty, &operands)?;
        }
    }
    Ok(())
}

/// Renaming: the walk down the dominator tree that gives each definition a register of its own.
struct Renaming<'a, 'f, 'm> {
    function: &'a mut Function<'f>,
    flow: &'a Flow<'a>,
    plan: &'a Plan<'a>,
    /// The number of the first PHI.
    first: usize,
    /// The number of sources of each PHI that are filled in.
    filled: Vec<'m, u16>,
    /// The current value of each variable; the variable itself if it was never written.
    values: Vec<'m, VReg>,
    /// The values to restore when the walk goes up.
    undo: Vec<'m, (VReg, VReg)>,
    /// The last predecessor that filled in the PHIs of each block.
    seen: Vec<'m, u32>,
}

impl Renaming<'_, '_, '_> {
    fn run(&mut self) -> Result<(), Error> {
        // The dominators of the current block, with the length of `undo` before each.
        let mut above: Vec<'_, (BlockId, usize)> = Vec::new(self.function.allocator());
        for &block in &self.flow.tree {
            let idom = self.flow.idom(block);
            while let Some(&(last, undo)) = above.iter().next_back() {
                if Some(last) == idom {
                    break;
                }
                self.undo_to(undo);
                above.pop();
            }
            above.push((block, self.undo.len()))?;
            self.block(block)?;
        }
        Ok(())
    }

    fn undo_to(&mut self, len: usize) {
        while self.undo.len() > len {
            if let Some((variable, value)) = self.undo.pop() {
                self.values[variable.index()] = value;
            }
        }
    }

    fn block(&mut self, block: BlockId) -> Result<(), Error> {
        let mut cursor = self.function.cursor(block);
        while let Some(insn) = cursor.next(self.function) {
            let mut writes = true;
            if insn.index() < self.first {
                writes = self.read(insn);
            }
            if writes {
                self.write(insn)?;
            }
        }
        for &to in self.flow.edges.successors(block) {
            if core::mem::replace(&mut self.seen[to.index()], block.number()) != block.number() {
                self.fill(block, to);
            }
        }
        Ok(())
    }

    /// Replaces the variables that an instruction reads by their current values. Returns whether it
    /// writes any.
    fn read(&mut self, insn: InsnId) -> bool {
        let mut writes = false;
        for operand in self.function.operands_mut(insn) {
            let Some(variable) = self.plan.variable(*operand) else {
                continue;
            };
            if operand.is_def() {
                writes = true;
            } else {
                let value = self.values[variable.index()];
                *operand = operand.on(Reg::virt(value));
            }
        }
        writes
    }

    fn write(&mut self, insn: InsnId) -> Result<(), Error> {
        for number in 0..self.function.operands(insn).len() {
            let Some(&operand) = self.function.operands(insn).get(number) else {
                break;
            };
            if let (true, Some(variable)) = (operand.is_def(), self.plan.variable(operand)) {
                let value = self.function.add_vreg(self.function.vreg(variable))?;
                let old = core::mem::replace(&mut self.values[variable.index()], value);
                self.undo.push((variable, old))?;
                let value = Operand::from(value).with(operand.flags());
                set(self.function, insn, number, value);
            }
        }
        Ok(())
    }

    /// Fills in the operands of the PHIs of `to` for the edge from `from`.
    fn fill(&mut self, from: BlockId, to: BlockId) {
        let mut next = self.function.block(to).first();
        for &variable in self.plan.phis.of(to.index()) {
            let Some(phi) = next else {
                break;
            };
            next = self.function.insn(phi).next();
            let Some(filled) = self.filled.get_mut(phi.index() - self.first) else {
                break;
            };
            let number = 1 + 2 * usize::from(*filled);
            *filled += 1;
            let value = Operand::from(self.values[variable as usize]);
            set(self.function, phi, number, value);
            set(self.function, phi, number + 1, Operand::block(from));
        }
    }
}

fn set(function: &mut Function<'_>, insn: InsnId, number: usize, operand: Operand) {
    if let Some(place) = function.operands_mut(insn).get_mut(number) {
        *place = operand;
    }
}

/// Leaves SSA form: replaces PHIs by copies. Uses of a value that only such a copy reaches read the
/// copy instead, so that the two are not live together.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn destruct(function: &mut Function<'_>, flow: &Flow<'_>) -> Result<(), Error> {
    let allocator = function.allocator();
    if !have_phis(function, &flow.order) {
        return Ok(());
    }
    let chains = chains_of_phis(function)?;
    let operands_left = MOST_OPERANDS * function.insn_count();
    let mut leaving = Leaving {
        function,
        flow,
        chains,
        operands_left,
        sources: Vec::new(allocator),
    };
    for &block in &flow.order {
        let mut cursor = leaving.function.cursor(block);
        leaving.list_sources(cursor.peek())?;
        while let Some(phi) = cursor.next_if(leaving.function, is_phi) {
            leaving.phi(phi)?;
        }
    }
    Ok(())
}

/// The most predecessors of a PHI for which uses are redirected to its copies.
const MOST_SOURCES: usize = 8;
/// The most operands of uses that are examined for each instruction of the function, so that time
/// stays linear. PHIs of thousands of operands may be uses of each other's operands.
const MOST_OPERANDS: usize = 256;

struct Leaving<'a, 'f> {
    function: &'a mut Function<'f>,
    flow: &'a Flow<'a>,
    chains: UseDefs<'f>,
    /// The number of operands that may still be examined.
    operands_left: usize,
    /// The predecessors of the current block.
    sources: Vec<'f, BlockId>,
}

impl Leaving<'_, '_> {
    fn list_sources(&mut self, first: Option<InsnId>) -> Result<(), OutOfMemory> {
        self.sources.clear();
        if let Some(phi) = first.filter(|&insn| is_phi(self.function, insn)) {
            let operands = self.function.operands(phi).iter();
            for source in operands.filter_map(|operand| operand.as_block()) {
                self.sources.push(source)?;
            }
        }
        Ok(())
    }

    fn phi(&mut self, phi: InsnId) -> Result<(), Error> {
        let to = self.function.operands(phi).first().copied();
        let to = to.ok_or(Phase::Ssa.internal(Some(phi)))?;
        let info = self
            .function
            .vreg(to.vreg().ok_or(Phase::Ssa.internal(Some(phi)))?);
        let meeting = Operand::from(self.function.add_vreg(info)?);
        let mut number = 1;
        while let Some(&[value, from]) = self.function.operands(phi).get(number..number + 2) {
            number += 2;
            let (Some(source), Some(from)) = (value.vreg(), from.as_block()) else {
                return Err(Phase::Ssa.internal(Some(phi)));
            };
            // The registers of earlier PHIs' copies are not in the chains.
            let is_known = self.chains.knows(source);
            let constant = match *self.chains.definitions(source) {
                // The value is undefined and stays so.
                [] if is_known => continue,
                [.., defined] if self.is(defined, Generic::Constant) => {
                    self.function.operands(defined).get(1).copied()
                }
                _ => None,
            };
            let (generic, operand) = match constant {
                Some(constant) => (Generic::Constant, constant),
                None => (Generic::Copy, value),
            };
            let next = first_terminator(self.function, from);
            let operands = [meeting.with(OperandFlags::DEF), operand];
            let ty = LowType::S64;
            (self.function).insert(from, next, generic.into(), ty, &operands)?;
            if constant.is_none() && is_known {
                self.read_copy(phi, source, meeting, from);
            }
        }
        Ok((self.function).replace(phi, Generic::Copy, LowType::S64, &[to, meeting])?)
    }

    fn is(&self, insn: InsnId, generic: Generic) -> bool {
        self.function.insn(insn).opcode.generic() == Some(generic)
    }

    /// Makes the uses of `value` after the end of `from` read the copy that was inserted there.
    fn read_copy(&mut self, phi: InsnId, value: VReg, copy: Operand, from: BlockId) {
        // This is right only if none of the other copies can come between.
        let is_last = self.sources.len() <= MOST_SOURCES
            && !(self.sources.iter())
                .any(|&other| other != from && self.flow.dominates(from, other));
        let is_dominated =
            |flow: &Flow<'_>, block| is_last && block != from && flow.dominates(from, block);
        for &user in self.chains.uses(value) {
            if user == phi {
                continue;
            }
            let row = self.function.insn(user);
            let (generic, block) = (row.opcode.generic(), row.block());
            let count = self.function.operands(user).len();
            let Some(left) = self.operands_left.checked_sub(count) else {
                return;
            };
            self.operands_left = left;
            let is_phi = generic == Some(Generic::Phi);
            let reads_here = if is_phi {
                false
            } else if block == from {
                generic.is_some_and(Generic::is_terminator)
            } else {
                is_dominated(self.flow, block)
            };
            for number in 0..count {
                let Some(&operand) = self.function.operands(user).get(number) else {
                    break;
                };
                if operand.vreg() != Some(value) || operand.is_def() {
                    continue;
                }
                let source = self.function.operands(user).get(number + 1);
                let source = source.and_then(|source| source.as_block());
                let is_read = reads_here
                    || is_phi && source.is_some_and(|at| at == from || is_dominated(self.flow, at));
                if let (true, Some(reg)) = (is_read, copy.as_reg()) {
                    set(self.function, user, number, operand.on(reg));
                }
            }
        }
    }
}

/// Removes unreachable blocks, and the operands of PHIs for edges that are gone.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn prune<'m>(function: &mut Function<'m>, isa: &dyn Isa) -> Result<Flow<'m>, Error> {
    let allocator = function.allocator();
    let flow = reached_flow(function, isa)?;
    let mut seen = Vec::new(allocator);
    seen.resize(function.block_count(), NONE)?;
    let (mut from, mut kept) = (Vec::new(allocator), Vec::new(allocator));
    for &block in &flow.order {
        let starts_with_phi = function
            .block(block)
            .first()
            .is_some_and(|first| is_phi(function, first));
        if !starts_with_phi {
            continue;
        }
        sources(&flow, block, &mut seen, &mut from)?;
        let mut cursor = function.cursor(block);
        while let Some(phi) = cursor.next_if(function, is_phi) {
            kept.clear();
            kept.extend_from_slice(function.operands(phi).get(..1).unwrap_or(&[]))?;
            let mut number = 1;
            while let Some(&[value, source]) = function.operands(phi).get(number..number + 2) {
                number += 2;
                let place = source.as_block().map(|source| seen[source.index()]);
                if place == Some(block.number()) {
                    kept.push(value)?;
                    kept.push(source)?;
                }
            }
            if kept.len() == 3 {
                // The other PHIs of the block have one source too, so none is left.
                kept.pop();
                function.set_opcode(phi, Generic::Copy.into());
                function.set_type(phi, LowType::S64);
            }
            function.set_operands(phi, &kept)?;
        }
    }
    Ok(flow)
}
