//! The target flags of operands: which part of an address an operand means, and how it is reached.

use mir_nostd::machine::TargetFlag;

/// The high 20 bits of a distance.
pub(crate) const HIGH: TargetFlag = TargetFlag(1);
/// The low 12 bits of the distance from the instruction before.
pub(crate) const LOW: TargetFlag = TargetFlag(2);
/// The high 20 bits of the distance to the entry of a symbol in the global offset table.
pub(crate) const TABLE_HIGH: TargetFlag = TargetFlag(3);
/// The callee of a call.
pub(crate) const CALLEE: TargetFlag = TargetFlag(4);

/// LLVM's names of the flags, by number.
pub(crate) const NAMES: &[&str] = &[
    "",
    "riscv-pcrel-hi",
    "riscv-pcrel-lo",
    "riscv-got-hi",
    "riscv-call",
];
