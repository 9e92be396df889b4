//! The target flags of operands: which part of an address an operand means, and how it is reached.

use mir_nostd::machine::TargetFlag;

/// A symbol's entry in the global offset table.
pub(crate) const GOT: TargetFlag = TargetFlag(1);
/// A symbol's entry in the procedure linkage table.
pub(crate) const PLT: TargetFlag = TargetFlag(2);

/// LLVM's names of the flags, by number.
pub(crate) const NAMES: &[&str] = &["", "x86-gotpcrel", "x86-plt"];
