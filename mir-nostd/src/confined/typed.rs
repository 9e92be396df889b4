//! Imports as closures of typed arguments, whose signature follows from the types.

use super::memory::Memory;
use super::space::ConfinedFn;
use crate::ir::Type;
use crate::link::{HostError, Returned, Scalar, Typed};
use crate::target::Value;

/// A closure that [`Program::define_fn`](super::Program::define_fn) takes.
///
/// Implemented by every `Fn(&mut Memory, A, B, …) -> R + Sync` of up to eight [`Scalar`] arguments
/// that returns what is [`Returned`]. `Arguments` is the tuple of their types.
pub trait ImportFn<Arguments>: Sync {
    /// The types of the results.
    const RESULTS: &'static [Type];
    /// The types of the arguments.
    const ARGUMENTS: &'static [Type];

    /// Calls the closure with the values of the arguments, and stores the results.
    ///
    /// # Errors
    ///
    /// The error that the closure returned.
    fn call(
        &self,
        memory: &mut Memory<'_>,
        arguments: &[Value],
        results: &mut [Value],
    ) -> Result<(), HostError>;
}

macro_rules! closures {
    ($(($($name:ident)*))*) => {$(
        impl<F, R, $($name),*> ImportFn<($($name,)*)> for F
        where
            F: Fn(&mut Memory<'_>, $($name),*) -> R + Sync,
            R: Returned,
            $($name: Scalar,)*
        {
            const RESULTS: &'static [Type] = R::TYPES;
            const ARGUMENTS: &'static [Type] = &[$($name::TYPE),*];

            fn call(
                &self,
                memory: &mut Memory<'_>,
                arguments: &[Value],
                results: &mut [Value],
            ) -> Result<(), HostError> {
                let mut values = arguments.iter().copied();
                let _ = &mut values;
                // Programs pass as many arguments as the signature has.
                self(memory, $($name::from_value(values.next().unwrap_or(Value::ZERO))),*)
                    .store(results)
            }
        }
    )*};
}

closures! {
    ()
    (A)
    (A B)
    (A B C)
    (A B C D)
    (A B C D E)
    (A B C D E G)
    (A B C D E G H)
    (A B C D E G H I)
}

impl<F: ImportFn<Arguments>, Arguments> ConfinedFn for Typed<F, Arguments> {
    fn call(
        &self,
        memory: &mut Memory<'_>,
        arguments: &[Value],
        results: &mut [Value],
    ) -> Result<(), HostError> {
        self.closure().call(memory, arguments, results)
    }
}
