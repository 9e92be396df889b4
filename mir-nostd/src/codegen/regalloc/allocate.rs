//! Register allocation: assigns physical registers or frame objects to virtual registers.
//!
//! This is priority-based allocation (Chow and Hennessy, "The priority-based coloring approach to
//! register allocation", 1990) without an interference graph: each register unit has the set of
//! segments in which it is taken, and a live range fits where it overlaps none of them, as in
//! LLVM's allocators.
//!
//! - Copies are coalesced first, so that both sides are one live range where these do not
//!   interfere.
//! - Live ranges are taken by spill weight: their uses and definitions, weighted by the
//!   frequencies of blocks, per length. Each takes the first register of its class that is free in
//!   all its segments, preferring one that makes a copy vanish. A callee-saved register that the
//!   function does not save yet must be worth its saving and restoring. The heaviest that found no
//!   register may take one from others ([`eviction`](super::eviction)).
//! - A value without a register is rematerialised at each use if one instruction does that (Briggs,
//!   Cooper and Torczon, "Rematerialization", 1992), else it is spilled. Afterwards live-range
//!   splitting gives it registers for parts of its life.
//! - The rewriter replaces virtual registers by their assignments. A spilled value passes through a
//!   scratch register, or, where those do not suffice, through one that is saved around the
//!   instruction. Nothing is allocated to scratch registers but, on some targets, to the last of
//!   each bank what found no register, where spill code does not need it.
//!
//! Few live ranges are moved once they have a register, so each is looked at about once: the cost
//! is that of sorting plus, for each live range, its segments times the registers of its class, by
//! binary search. If liveness itself is out of proportion to the function, the linear scan of level
//! 0 takes over.
//!
//! The invariant: no register unit is taken twice at one position. [`checker`](super::checker)
//! proves the result without relying on it.

use crate::codegen::analysis::layout_loops::{has_back_edges, mark_depths};
use crate::codegen::analysis::liveness::{analyse, weight_of_depth};
use crate::codegen::analysis::properties;
use crate::codegen::analysis::variable_values::VariableValues;
use crate::codegen::regalloc::allocation::Allocation;
use crate::codegen::regalloc::assignment::Assignments;
use crate::codegen::regalloc::checker::Before;
use crate::codegen::regalloc::coalesce::{Leaders, coalesce};
use crate::codegen::regalloc::eviction::evict;
use crate::codegen::regalloc::linear_scan::scan_linearly;
use crate::codegen::regalloc::rewrite;
use crate::codegen::regalloc::split::{Edit, apply, split};
use crate::codegen::regalloc::variable_places::Observer;
use crate::machine::{BlockId, Edges, Frequency, Function, UnitSet};
use crate::mem::{Allocator, OutOfMemory, Vec, sort_by_key};
use crate::target::Isa;
use crate::target::error::Error;

/// The algorithm of an allocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Strategy {
    /// Linear scan: less time, slower code.
    LinearScan,
    /// Priority-based allocation by spill weight.
    Priority,
}

/// Says if the result of an allocation is proven right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Proof {
    /// It is not.
    Omitted,
    /// It is, which takes the feature `check`.
    Checked,
}

/// The demands on an allocation beside the code.
pub(crate) struct Asked<'a, 'm> {
    pub(crate) proof: Proof,
    /// The values of variables, to which it is added what holds them.
    pub(crate) values: Option<&'a mut VariableValues<'m>>,
}

/// Assigns a register or a frame object to each virtual register of a function of target
/// instructions and rewrites the function accordingly. Returns the units of all registers that are
/// used. The copies in block `apart` are not coalesced if
/// their target lives across calls and their source does not.
///
/// # Errors
///
/// Out of memory; [`Error::WrongAllocation`] if the proof fails, [`Error::Unsupported`] if it is
/// requested but the feature `check` is off.
pub(crate) fn allocate(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    strategy: Strategy,
    apart: Option<BlockId>,
    asked: Asked<'_, '_>,
) -> Result<UnitSet, Error> {
    let allocator = function.allocator();
    let Asked { proof, values } = asked;
    let is_followed = proof == Proof::Checked || values.is_some();
    // In most functions control only goes ahead, and then linear scan needs no edges. It is not
    // given those that the proof asks for either: what is proven is what is done without the proof.
    let goes_ahead = strategy == Strategy::LinearScan && !has_back_edges(function, isa, allocator)?;
    let edges = match goes_ahead && !is_followed {
        true => None,
        false => Some(properties::edges(function, isa, allocator)?),
    };
    let best = match (strategy, &edges) {
        (Strategy::Priority, Some(edges)) => {
            assign_by_weight(function, isa, edges, apart, allocator)?
        }
        _ => None,
    };
    let (assignments, used, parts) = match best {
        Some(best) => best,
        None => {
            let edges = edges.as_ref().filter(|_| !goes_ahead);
            if let Some(edges) = edges {
                mark_depths(function, edges)?;
            }
            let (assignments, used) = scan_linearly(function, isa, edges, allocator)?;
            (assignments, used, None)
        }
    };
    let before = match proof {
        Proof::Omitted if values.is_none() => None,
        Proof::Omitted | Proof::Checked if cfg!(feature = "check") => {
            Some(Before::new(function, allocator)?)
        }
        Proof::Omitted => None,
        Proof::Checked => return Err(Error::Unsupported),
    };
    // Rewriting is when functions are largest, and only the proof asks for edges after it.
    let edges = edges.filter(|_| before.is_some());
    let observer = match values.filter(|_| cfg!(feature = "check")) {
        Some(values) => Observer::new(function, isa, values)?,
        None => None,
    };
    if let Some((leaders, edits)) = parts {
        apply(function, isa, &leaders, &edits)?;
    }
    let (used, mut repeated) = rewrite::rewrite(function, isa, &assignments, used)?;
    // The constant condition is repeated so that the proof is not even linked without the feature.
    let (Some(before), Some(edges)) = (before.filter(|_| cfg!(feature = "check")), edges) else {
        return Ok(used);
    };
    // The proof looks them up by number, and numbers that are used again do not ascend.
    sort_by_key(&mut repeated, |&(new, _)| new);
    if let (Proof::Checked, Some((insn, operand))) =
        (proof, before.check(function, isa, &edges, &repeated, None)?)
    {
        return Err(Error::WrongAllocation { insn, operand });
    }
    if let Some(mut observer) = observer {
        before.check(function, isa, &edges, &repeated, Some(&mut observer))?;
    }
    Ok(used)
}

/// The leader of each coalesced virtual register, and the edits that split live ranges.
type Parts<'m> = Option<(Leaders<'m>, Vec<'m, Edit>)>;

/// Returns the assignments by spill weight, the units of the registers among them, and the edits
/// that split live ranges; dead instructions are removed. Returns `None`, with nothing changed, if
/// too much lives through too many blocks for liveness to be computed.
fn assign_by_weight<'m>(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    edges: &Edges<'_>,
    apart: Option<BlockId>,
    allocator: &'m dyn Allocator,
) -> Result<Option<(Assignments<'m>, UnitSet, Parts<'m>)>, OutOfMemory> {
    mark_depths(function, edges)?;
    if !function.has_frequencies {
        for index in 0..function.layout.len() {
            let block = function.block_mut(function.layout[index]);
            block.frequency = Frequency::new(weight_of_depth(block.depth));
        }
    }
    let Some(mut liveness) = analyse(function, isa, edges, allocator)? else {
        return Ok(None);
    };
    let leaders = coalesce(function, isa, &mut liveness, apart)?;
    for &(insn, _) in &liveness.dead {
        function.remove(insn);
    }
    let mut allocation = Allocation::new(function, isa, &liveness, allocator)?;
    allocation.take_hints(function, &leaders, apart);
    let mut failed = allocation.run(function)?;
    evict(function, &mut allocation, &mut failed)?;
    let edits = split(function, edges, &mut allocation, &leaders, &failed)?;
    allocation.finish(function, &leaders, &failed)?;
    let parts = (!edits.is_empty()).then_some((leaders, edits));
    Ok(Some((allocation.assignments, allocation.used, parts)))
}
