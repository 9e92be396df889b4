//! The kinds of faults that code tests for.

/// The kind of a fault that code tests for: the constant of `ensure`, and what compiled code tells
/// the runtime.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum FaultKind {
    /// Division or remainder by zero.
    DivisionByZero,
    /// The index of a `switch` has no label.
    SwitchRange,
    /// The function was left at its end without a `ret`.
    EndReached,
    /// There was no memory for the code that comes next.
    OutOfMemory,
    /// The stack has grown too far.
    Stack,
    /// A jump to an address that is not a label of the function.
    BadLabel,
    /// An access outside of the program's memory; its address is reported.
    BadAddress,
    /// A call of what is no function; the value is reported.
    BadFunction,
    /// A call with another signature than the function's.
    Signature,
    /// An import failed; 1 more than its code is reported.
    Host,
    /// An atomic access at an address that is no multiple of its size.
    Unaligned,
}

impl FaultKind {
    /// Returns the kind with this number.
    #[must_use]
    pub const fn from_number(number: u64) -> FaultKind {
        match number {
            0 => FaultKind::DivisionByZero,
            1 => FaultKind::SwitchRange,
            3 => FaultKind::OutOfMemory,
            4 => FaultKind::Stack,
            5 => FaultKind::BadLabel,
            6 => FaultKind::BadAddress,
            7 => FaultKind::BadFunction,
            8 => FaultKind::Signature,
            9 => FaultKind::Host,
            10 => FaultKind::Unaligned,
            _ => FaultKind::EndReached,
        }
    }

    /// True if a number is reported with the fault.
    pub(crate) const fn has_value(self) -> bool {
        matches!(
            self,
            FaultKind::BadAddress | FaultKind::BadFunction | FaultKind::Host
        )
    }
}

#[cfg(test)]
mod tests {
    use super::FaultKind;

    #[test]
    fn numbers_are_those_of_the_kinds() {
        for number in 0..=u64::from(FaultKind::Unaligned as u8) {
            assert_eq!(u64::from(FaultKind::from_number(number) as u8), number);
        }
    }
}
