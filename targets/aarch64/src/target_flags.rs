//! The target flags of operands: which part of an address an operand means, and how it is reached.

use mir_nostd::machine::TargetFlag;

/// The page of an address.
pub(crate) const PAGE: TargetFlag = TargetFlag(1);
/// The offset of an address in its page.
pub(crate) const PAGE_OFFSET: TargetFlag = TargetFlag(2);
/// The page of a symbol's entry in the global offset table.
pub(crate) const TABLE_PAGE: TargetFlag = TargetFlag(3);
/// The offset of that entry in its page.
pub(crate) const TABLE_PAGE_OFFSET: TargetFlag = TargetFlag(4);

/// LLVM's names of the flags, by number.
pub(crate) const NAMES: &[&str] = &[
    "",
    "aarch64-page",
    "aarch64-pageoff, aarch64-nc",
    "aarch64-page, aarch64-got",
    "aarch64-pageoff, aarch64-got, aarch64-nc",
];
