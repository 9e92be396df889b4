//! The facts on a function that LLVM's format has no field for, as string attributes in its module,
//! which LLVM ignores.

use llvm_mir::model;
use mir_nostd::machine::{Function, UnitSet};
use mir_nostd::target::RegisterFile;

/// The attribute that lists the registers that hold global variables.
const GLOBALS: &str = "mir.global-registers";
/// The attribute of functions that are entered by a jump from the end of another function.
const JUMPED_TO: &str = "mir.jumped-to";

/// Returns the attributes of a function.
pub(super) fn of(function: &Function<'_>, registers: &RegisterFile) -> String {
    let mut attributes = Vec::new();
    let implied = if function.has_dynamic_stack {
        registers.units(registers.frame_pointer)
    } else {
        UnitSet::EMPTY
    };
    let mut left = function.reserved.without(implied);
    let mut names = Vec::new();
    for row in registers.registers {
        if left.overlaps(row.units) && left.contains(row.units) {
            left = left.without(row.units);
            names.push(row.name.text());
        }
    }
    if !names.is_empty() {
        attributes.push(format!("\"{GLOBALS}\"=\"{}\"", names.join(",")));
    }
    if function.is_jumped_to {
        attributes.push(format!("\"{JUMPED_TO}\"=\"true\""));
    }
    attributes.join(" ")
}

/// Returns the names of the registers that hold global variables in a function that was read.
pub(super) fn registers(from: &model::Function) -> impl Iterator<Item = &[u8]> {
    let names = from.attribute(GLOBALS).unwrap_or_default();
    let names = names.split(|&byte| byte == b',');
    names.filter(|name| !name.is_empty())
}

/// True if a function that was read is entered by a jump from the end of another one.
pub(super) fn is_jumped_to(from: &model::Function) -> bool {
    from.attribute(JUMPED_TO).is_some()
}
