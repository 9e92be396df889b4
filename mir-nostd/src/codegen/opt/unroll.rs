//! Loop unrolling: replaces a small loop that runs a known, small number of times by copies of its
//! body. In SSA form.
//!
//! For loops of one block. The trip count is found by evaluating the body with constants for its
//! PHIs until the exit test leaves the loop, so no pattern of induction variables need be
//! recognised: anything that counts, however it does, is found. An iteration of which the test is
//! not constant ends the attempt.
//!
//! The copies of all iterations but the last are inserted before the body, each with new names for
//! its definitions; the last iteration keeps the names, for readers after the loop, and its PHIs
//! become copies. No branch is left. Both evaluation and copies are bounded: by the number of
//! iterations, by the size of the result, and by a budget for the whole function.

use crate::codegen::analysis::constants::{evaluate, holds};
use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::phis::is_phi;
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
    let mut constants = Vec::new(allocator);
    constants.resize(function.vreg_count(), None)?;
    let mut constants_at_start = Vec::new(allocator);
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
    constants_at_start.extend_from_slice(&constants)?;
    let mut names = Vec::with_capacity(allocator, function.vreg_count())?;
    for number in 0..function.vreg_count() as u32 {
        names.push(Operand::from(VReg::new(number)))?;
    }
    let mut preserved = Preserved::ControlFlow;
    let mut budget = 4 * function.insn_count() + 2 * MOST_INSNS;
    for &block in &flow.order {
        let Some(found) = find(function, flow, block) else {
            continue;
        };
        let Some(trips) = count_trips(function, &found, &mut constants) else {
            forget(function, block, &mut constants, &constants_at_start);
            continue;
        };
        forget(function, block, &mut constants, &constants_at_start);
        let size = found.size * trips;
        if size > MOST_INSNS || size > budget {
            continue;
        }
        budget -= size;
        write_out(function, &found, trips, &mut names)?;
        preserved = Preserved::Nothing;
    }
    Ok(preserved)
}

/// A loop of one block.
struct Found {
    block: BlockId,
    /// The block that it is entered from, and the one that it exits to.
    from: BlockId,
    exit: BlockId,
    /// The number of its instructions.
    size: usize,
}

fn find(function: &Function<'_>, flow: &Flow<'_>, block: BlockId) -> Option<Found> {
    let other = |list: &[BlockId]| match *list {
        [a, b] if a == block && b != block => Some(b),
        [a, b] if b == block && a != block => Some(a),
        _ => None,
    };
    let exit = other(flow.edges.successors(block))?;
    let from = other(flow.edges.predecessors(block))?;
    let mut size = 0;
    for insn in function.insns(block) {
        size += 1;
        let generic = function.insn(insn).opcode.generic()?;
        let is_copied = function.operands(insn).iter().all(|operand| {
            let is_physical = operand
                .as_reg()
                .is_some_and(crate::machine::Reg::is_physical);
            !(operand.is_def() && is_physical)
        });
        let is_branch = matches!(generic, Generic::BrIcmp | Generic::Br);
        if size > MOST_INSNS || !is_copied || generic.is_terminator() && !is_branch {
            return None;
        }
        if generic == Generic::Call {
            return None;
        }
    }
    let is_free = !function.block(block).address_taken;
    is_free.then_some(Found {
        block,
        from,
        exit,
        size,
    })
}

/// Restores the known constants of the registers that a block defines, after evaluation.
fn forget(
    function: &Function<'_>,
    block: BlockId,
    constants: &mut [Option<i64>],
    at_start: &[Option<i64>],
) {
    for insn in function.insns(block) {
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

/// Returns the value that a PHI has on the edge from `from`.
fn phi_source(function: &Function<'_>, phi: InsnId, from: BlockId) -> Option<Operand> {
    let operands = function.operands(phi);
    let mut number = 1;
    while let Some(&[value, source]) = operands.get(number..number + 2) {
        if source.as_block() == Some(from) {
            return Some(value);
        }
        number += 2;
    }
    None
}

/// Returns the number of iterations of a loop, if it can be found.
fn count_trips(
    function: &Function<'_>,
    found: &Found,
    constants: &mut [Option<i64>],
) -> Option<usize> {
    let value = |constants: &[Option<i64>], operand: Operand| match operand.vreg() {
        Some(vreg) => constants.get(vreg.index()).copied().flatten(),
        None => function.immediate(operand),
    };
    let block = found.block;
    let mut from = found.from;
    for trip in 1..=MOST_TRIPS {
        // All PHIs are evaluated at once: their sources may be other PHIs.
        let mut starts = [(0, None); MOST_COUNTERS];
        let mut phis = 0;
        for phi in function
            .insns(block)
            .take_while(|&insn| is_phi(function, insn))
        {
            let to = function.operands(phi).first().and_then(|to| to.vreg())?;
            let source = phi_source(function, phi, from)?;
            *starts.get_mut(phis)? = (to.index(), value(constants, source));
            phis += 1;
        }
        for &(to, start) in starts.iter().take(phis) {
            *constants.get_mut(to)? = start;
        }
        from = block;
        for insn in function.insns(block) {
            let generic = function.insn(insn).opcode.generic()?;
            if generic == Generic::Phi {
                continue;
            }
            if generic == Generic::BrIcmp {
                let &[predicate, a, b, target] = function.operands(insn) else {
                    return None;
                };
                let predicate = predicate.as_int_predicate()?;
                let (a, b) = (value(constants, a)?, value(constants, b)?);
                let goes = holds(predicate, function.insn(insn).ty, a, b);
                let goes_back = goes == (target.as_block() == Some(block));
                if !goes_back {
                    return Some(trip);
                }
                break;
            }
            let computed = evaluate(function, insn, |operand| value(constants, operand));
            if let Some(to) = function.operands(insn).first().filter(|to| to.is_def())
                && let Some(vreg) = to.vreg()
            {
                *constants.get_mut(vreg.index())? = computed;
            }
        }
    }
    None
}

/// The most PHIs of a loop that is unrolled.
const MOST_COUNTERS: usize = 24;

/// Unrolls a loop: copies of its body come before it, and it runs once. `names` maps each value to
/// itself before and after.
fn write_out(
    function: &mut Function<'_>,
    found: &Found,
    trips: usize,
    names: &mut [Operand],
) -> Result<(), Error> {
    let allocator = function.allocator();
    let block = found.block;
    let (mut phis, mut body) = (Vec::new(allocator), Vec::new(allocator));
    let mut values = Vec::new(allocator);
    for insn in function.insns(block) {
        if is_phi(function, insn) {
            phis.push(insn)?;
            values.push(source_of(function, insn, found.from)?)?;
        } else {
            body.push(insn)?;
        }
    }
    let mut operands = Vec::new(allocator);
    for _ in 1..trips {
        for (&phi, &value) in phis.iter().zip(values.iter()) {
            if let Some(to) = function.operands(phi).first().and_then(|to| to.vreg()) {
                names[to.index()] = value;
            }
        }
        copy_body(function, &body, names, &mut operands)?;
        for (&phi, value) in phis.iter().zip(values.iter_mut()) {
            let source = source_of(function, phi, block)?;
            if let Some(vreg) = source.vreg() {
                *value = names.get(vreg.index()).copied().unwrap_or(source);
            }
        }
    }
    for &insn in phis.iter().chain(&body) {
        for vreg in function.operands(insn).iter().filter_map(|o| o.vreg()) {
            if let Some(name) = names.get_mut(vreg.index()) {
                *name = vreg.into();
            }
        }
    }
    leave_loop(function, found, (&phis, &values), &body)
}

/// Returns the source of a PHI for an edge.
fn source_of(function: &Function<'_>, phi: InsnId, from: BlockId) -> Result<Operand, Error> {
    phi_source(function, phi, from).ok_or(Phase::Optimisation.internal(Some(phi)))
}

/// Inserts a copy of the body of a loop before it. Sources have the names of the values in the
/// iteration, and results get new ones.
fn copy_body(
    function: &mut Function<'_>,
    body: &[InsnId],
    names: &mut [Operand],
    operands: &mut Vec<'_, Operand>,
) -> Result<(), Error> {
    let Some(&first) = body.first() else {
        return Ok(());
    };
    let block = function.insn(first).block();
    for &insn in body {
        let row = *function.insn(insn);
        if row.opcode.generic().is_some_and(Generic::is_terminator) {
            break;
        }
        operands.clear();
        operands.extend_from_slice(function.operands(insn))?;
        for operand in operands.iter_mut() {
            if let (Some(vreg), false) = (operand.vreg(), operand.is_def())
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
        function.insert(block, Some(first), row.opcode, row.ty, operands)?;
    }
    Ok(())
}

/// Makes the original body of a loop its last iteration, which keeps the names, for readers after
/// the loop: `values` replace the PHIs, and a branch to the exit its test.
fn leave_loop(
    function: &mut Function<'_>,
    found: &Found,
    (phis, values): (&[InsnId], &[Operand]),
    body: &[InsnId],
) -> Result<(), Error> {
    let block = found.block;
    let first = body.first().copied();
    for (&phi, &value) in phis.iter().zip(values) {
        let to = function.operands(phi).first().copied();
        let to = to.ok_or(Phase::Optimisation.internal(Some(phi)))?;
        let operands = [to.with(OperandFlags::DEF), value];
        function.insert(block, first, Generic::Copy.into(), LowType::S64, &operands)?;
        function.remove(phi);
    }
    for &insn in body {
        let generic = function.insn(insn).opcode.generic();
        if generic.is_some_and(Generic::is_terminator) {
            function.remove(insn);
        }
    }
    let exit = [Operand::block(found.exit)];
    function.append(block, Generic::Br, LowType::S64, &exit)?;
    Ok(())
}
