//! The functions that a program needs: all of its own, and those of libraries that these lead to.
//!
//! Functions are found from the references to them, in instructions, data and `expr` items, as a
//! linker leaves out the sections of an archive that nothing refers to. Linear in the instructions.

use super::layout::{Meaning, Placed, Role};
use super::linkage::{Linkage, Source};
use crate::ir::{ItemId, ItemKind, Operand, Result};
use crate::mem::{Allocator, Vec};

/// The search for the functions that are needed.
struct Search<'p, 'm> {
    placed: &'p [Placed<'m>],
    linkage: &'p Linkage<'m>,
    /// True for functions that are needed, by their number in the program.
    needed: Vec<'m, bool>,
    /// Those of them that were not looked at yet.
    left: Vec<'m, u32>,
}

/// Returns for each function of a program, by its number, whether it is needed.
///
/// # Errors
///
/// Out of memory.
pub(super) fn needed<'m>(
    placed: &[Placed<'m>],
    linkage: &Linkage<'m>,
    allocator: &'m dyn Allocator,
) -> Result<Vec<'m, bool>> {
    let mut search = Search {
        placed,
        linkage,
        needed: Vec::new(allocator),
        left: Vec::new(allocator),
    };
    search.needed.resize(linkage.rows.len(), false)?;
    for module in placed {
        search.add_roots(module)?;
    }
    while let Some(number) = search.left.pop() {
        search.visit(number)?;
    }
    Ok(search.needed)
}

impl<'p, 'm> Search<'p, 'm> {
    /// Adds a module's own functions, and those that its data refers to.
    fn add_roots(&mut self, placed: &Placed<'m>) -> Result<()> {
        if placed.role == Role::Own {
            for (func, _) in placed.module.funcs() {
                self.add(placed.function(func))?;
            }
        }
        for (_, item) in placed.module.items() {
            if let ItemKind::Ref { item, .. } | ItemKind::Expr { func: item } = item.kind {
                self.add_item(placed, item)?;
            }
        }
        Ok(())
    }

    /// Adds what a function refers to.
    fn visit(&mut self, number: u32) -> Result<()> {
        let all: &'p [Placed<'m>] = self.placed;
        let Some(row) = self.linkage.row(number) else {
            return Ok(());
        };
        if let Source::Module { module, func } = row.source
            && let Some(placed) = all.get(module as usize)
        {
            for insn in placed.module.insns(func) {
                for operand in placed.module.operands(insn) {
                    if let Operand::Item(item) = operand {
                        self.add_item(placed, item)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds the function that an item means. Rewriting reports an item without a meaning.
    fn add_item(&mut self, placed: &Placed<'m>, item: ItemId) -> Result<()> {
        match placed.meaning(self.linkage, item) {
            Ok(Meaning::Function(number)) => self.add(number),
            _ => Ok(()),
        }
    }

    fn add(&mut self, number: u32) -> Result<()> {
        match self.needed.get_mut(number as usize) {
            Some(needed) if !*needed => {
                *needed = true;
                Ok(self.left.push(number)?)
            }
            _ => Ok(()),
        }
    }
}
