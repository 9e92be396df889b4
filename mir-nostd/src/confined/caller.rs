//! Calls back, as imports make them.

use super::fault::Fault;
use crate::link::HostError;
use crate::target::Value;

/// The most calls back inside each other. Each takes native stack for the import and the engine.
pub const MOST_CALLS_BACK: u32 = 16;

/// The code of the [`HostError`] with which an import passes on that a call back faulted: the run
/// ends with that fault.
pub const CALL_FAILED: u32 = u32::MAX - 1;

impl From<Fault> for HostError {
    /// Returns the error with which an import passes a fault of a call back on.
    fn from(_: Fault) -> HostError {
        HostError(CALL_FAILED)
    }
}

/// A function of a program that an import calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee<'n> {
    /// An exported function of this name.
    Name(&'n [u8]),
    /// The function with this value in the program, as programs pass function pointers.
    Value(u64),
}

impl<'n> From<&'n [u8]> for Callee<'n> {
    fn from(name: &'n [u8]) -> Callee<'n> {
        Callee::Name(name)
    }
}

impl<'n, const N: usize> From<&'n [u8; N]> for Callee<'n> {
    fn from(name: &'n [u8; N]) -> Callee<'n> {
        Callee::Name(name)
    }
}

impl From<u64> for Callee<'_> {
    fn from(value: u64) -> Self {
        Callee::Value(value)
    }
}

/// A run of a program, for imports that call back.
pub(super) trait Caller {
    /// Calls a function in the middle of the run.
    fn call(
        &self,
        callee: Callee<'_>,
        arguments: &[Value],
        results: &mut [Value],
    ) -> Result<(), Fault>;

    /// Notes how an import ended.
    fn import_ended(&self, result: Result<(), HostError>);
}
