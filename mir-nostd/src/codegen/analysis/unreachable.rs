//! Removal of unreachable blocks, before anything is computed of the others.

use crate::codegen::analysis::branches::layout_places;
use crate::codegen::analysis::properties;
use crate::machine::{BlockId, Function, Generic, LowType, Operand, add_successors};
use crate::mem::{Entity, OutOfMemory, Vec};
use crate::target::Isa;
use crate::target::error::Error;

/// Removes unreachable blocks from the layout. Those with their address taken stay, as a jump to
/// themselves: their instructions may read values that are no longer computed. Jump tables that are
/// no longer used are emptied.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn leave_out_unreached(function: &mut Function<'_>, isa: &dyn Isa) -> Result<(), Error> {
    let reached = reached(function, isa)?;
    leave_out(function, |block| !reached[block.index()])
}

/// Returns for each block whether it can be reached from the entry: in fewer steps than by the
/// edges, which have predecessors, too.
fn reached<'m>(function: &Function<'m>, isa: &dyn Isa) -> Result<Vec<'m, bool>, OutOfMemory> {
    let allocator = function.allocator();
    let end_of = properties::ends(isa);
    let places = layout_places(function, allocator)?;
    let mut reached = Vec::new(allocator);
    reached.resize(function.block_count(), false)?;
    let mut stack = Vec::new(allocator);
    if let Some(&entry) = function.layout.first() {
        stack.push(entry)?;
    }
    while let Some(block) = stack.pop() {
        if !core::mem::replace(&mut reached[block.index()], true) {
            let place = places[block.index()] as usize;
            add_successors(function, place, &end_of, &mut stack)?;
        }
    }
    Ok(reached)
}

/// Removes the given unreachable blocks in the same manner.
pub(crate) fn leave_out(
    function: &mut Function<'_>,
    is_unreached: impl Fn(BlockId) -> bool,
) -> Result<(), Error> {
    for place in 0..function.layout.len() {
        let block = function.layout[place];
        if is_unreached(block) && function.block(block).address_taken {
            empty(function, block)?;
        }
    }
    let none = Vec::new(function.allocator());
    let mut layout = core::mem::replace(&mut function.layout, none);
    layout.retain(|&block| !is_unreached(block) || function.block(block).address_taken);
    function.layout = layout;
    clear_unused_tables(function)
}

/// Replaces the contents of a block by a jump to itself.
fn empty(function: &mut Function<'_>, block: BlockId) -> Result<(), Error> {
    while let Some(last) = function.block(block).last() {
        function.remove(last);
    }
    function.append(block, Generic::Br, LowType::S64, &[Operand::block(block)])?;
    Ok(())
}

fn clear_unused_tables(function: &mut Function<'_>) -> Result<(), Error> {
    let mut used = Vec::new(function.allocator());
    for _ in function.table_ids() {
        used.push(false)?;
    }
    if used.is_empty() {
        return Ok(());
    }
    for &block in &function.layout {
        for insn in function.insns(block) {
            for table in function.operands(insn).iter().filter_map(|o| o.as_table()) {
                used[table.index()] = true;
            }
        }
    }
    for table in function.table_ids().filter(|table| !used[table.index()]) {
        function.clear_table(table);
    }
    Ok(())
}
