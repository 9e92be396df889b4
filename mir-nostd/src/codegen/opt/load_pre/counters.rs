//! The registers that loops step and that stores have in their addresses.

use super::is_shared_load;
use crate::codegen::analysis::control_flow::Flow;
use crate::machine::{Function, Generic, Insn, VReg};
use crate::mem::{Entity, OutOfMemory, Vec};

/// Returns for each register whether it is a PHI of a loop header in the address of a store; an
/// empty list if no load has one of these in its own.
pub(super) fn counters_of_stores<'m>(
    function: &Function<'m>,
    flow: &Flow<'_>,
) -> Result<Vec<'m, bool>, OutOfMemory> {
    let mut counters = Vec::new(function.allocator());
    if !flow.has_loops() {
        return Ok(counters);
    }
    let phis = phis_of_headers(function, flow)?;
    counters.resize(function.vreg_count(), false)?;
    let rows = || flow.order.iter().flat_map(|&block| function.rows(block));
    let mut is_stored = false;
    for (_, row) in rows().filter(|(_, row)| row.opcode.generic() == Some(Generic::Store)) {
        for vreg in registers(function, row).filter(|vreg| phis[vreg.index()]) {
            counters[vreg.index()] = true;
            is_stored = true;
        }
    }
    let is_counter = |vreg: VReg| counters[vreg.index()];
    let mut loads = rows().filter(|(_, row)| is_shared_load(row));
    if !is_stored || !loads.any(|(_, row)| registers(function, row).any(is_counter)) {
        counters.clear();
    }
    Ok(counters)
}

/// Returns for each register whether it is a PHI of a loop header.
fn phis_of_headers<'m>(
    function: &Function<'m>,
    flow: &Flow<'_>,
) -> Result<Vec<'m, bool>, OutOfMemory> {
    let mut phis = Vec::new(function.allocator());
    phis.resize(function.vreg_count(), false)?;
    for &block in &flow.order {
        let mut sources = flow.edges.predecessors(block).iter();
        if !sources.any(|&from| flow.dominates(block, from)) {
            continue;
        }
        let is_phi = |row: &&Insn| row.opcode.generic() == Some(Generic::Phi);
        for phi in function.rows(block).map(|(_, row)| row).take_while(is_phi) {
            if let Some(to) = function.operands_of(phi).first().and_then(|to| to.vreg()) {
                phis[to.index()] = true;
            }
        }
    }
    Ok(phis)
}

/// Returns the registers in the address of a load or store.
fn registers(function: &Function<'_>, row: &Insn) -> impl Iterator<Item = VReg> {
    let (base, index) = match *function.operands_of(row) {
        [_, base, index, ..] => (base.vreg(), index.vreg()),
        _ => (None, None),
    };
    [base, index].into_iter().flatten()
}
