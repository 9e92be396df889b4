//! The forms that a function goes through, and the levels that are built in.

/// The form of a function at a moment, which says what a stage may rely on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Form {
    /// Nothing yet.
    Empty,
    /// Generic instructions; virtual registers may have several definitions.
    Generic,
    /// Generic instructions, each virtual register with one definition, PHIs at joins.
    Ssa,
    /// The target's instructions on virtual registers.
    Selected,
    /// The target's instructions on physical registers, frame objects still by number.
    Allocated,
    /// The final instructions, but for the forms of branches.
    Framed,
    /// The bytes of the code.
    Encoded,
}

/// The highest level that is built in, according to the features `level-1`, `level-2` and
/// `level-3`.
pub const HIGHEST_LEVEL: u8 = if cfg!(feature = "level-3") {
    3
} else if cfg!(feature = "level-2") {
    2
} else if cfg!(feature = "level-1") {
    1
} else {
    0
};
