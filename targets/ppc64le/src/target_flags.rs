//! The target flags of operands: which part of an address an operand means, and how it is reached.

use mir_nostd::machine::TargetFlag;

/// The high half of the distance from the TOC pointer.
pub(crate) const TOC_HIGH: TargetFlag = TargetFlag(1);
/// The low half of the distance from the TOC pointer.
pub(crate) const TOC_LOW: TargetFlag = TargetFlag(2);
/// The high half of the distance of an entry of the global offset table.
pub(crate) const GOT_HIGH: TargetFlag = TargetFlag(3);
/// The low half of the distance of such an entry.
pub(crate) const GOT_LOW: TargetFlag = TargetFlag(4);
/// The distance of a place from a prefixed instruction.
pub(crate) const PC: TargetFlag = TargetFlag(5);
/// The distance of an entry of the global offset table from a prefixed instruction.
pub(crate) const GOT_PC: TargetFlag = TargetFlag(6);

/// LLVM's names of the flags, by number.
pub(crate) const NAMES: &[&str] = &[
    "",
    "ppc-ha",
    "ppc-toc-lo",
    "ppc-got",
    "ppc-lo",
    "ppc-pcrel",
    "ppc-got-pcrel",
];
