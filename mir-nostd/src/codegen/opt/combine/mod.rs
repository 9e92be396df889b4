//! Instruction combining: simplifies generic instructions by how their sources were computed.
//! Constants are folded into their users and additions into addresses, copies and extensions that
//! change nothing are removed, and so is everything that is unused afterwards.
//!
//! One forward pass over the blocks (`engine`) keeps how each virtual register was computed
//! (`values`), and tries the rules (`rules`) that are for the opcode and the shapes of the operands
//! (`rule`, `dispatch`). One backward pass removes dead instructions (`unused`). Both are linear.

mod dispatch;
mod engine;
mod rule;
mod rules;
mod unused;
mod values;

use crate::codegen::analysis::preserved::Preserved;
use crate::codegen::fired::RuleSet;
use crate::codegen::form::Form;
use crate::machine::Function;
use crate::target::error::Error;
pub(crate) use dispatch::RULES;
use engine::Engine;

/// The result of [`combine`].
pub(crate) struct Combined {
    /// The analyses that still hold.
    pub(crate) preserved: Preserved,
    /// The rules that fired, by their numbers in [`RULES`].
    pub(crate) fired: RuleSet,
}

/// Simplifies a function of generic instructions, in SSA form or not.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn combine(function: &mut Function<'_>, form: Form) -> Result<Combined, Error> {
    let mut engine = Engine::new(function, form)?;
    engine.run()?;
    Ok(engine.finish())
}
