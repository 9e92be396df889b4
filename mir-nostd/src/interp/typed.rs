//! Functions that an interpreter calls with Rust's own types.

use super::interpreter::Interpreter;
use super::stop::Stop;
use crate::link::{Arguments, Callable, FunctionError, MOST_ARGUMENTS, Results};
use crate::target::Value;
use core::fmt;
use core::marker::PhantomData;

/// An exported function whose signature was compared with `A` and `R` once.
///
/// [`Interpreter::get`] returns it; `A` is a [`Scalar`](crate::link::Scalar) or a tuple of them,
/// `R` the same or `()`.
pub struct TypedFunc<'c, 'm, A, R> {
    callable: &'c Callable<'m>,
    types: PhantomData<fn(A) -> R>,
}

impl<'c, 'm> Interpreter<'c, 'm> {
    /// Returns the exported function of this name, to be called with these types.
    ///
    /// # Errors
    ///
    /// There is none, or it has another signature.
    pub fn get<A: Arguments, R: Results>(
        &self,
        name: impl AsRef<[u8]>,
    ) -> Result<TypedFunc<'c, 'm, A, R>, FunctionError> {
        Ok(TypedFunc {
            callable: self.context().find_typed::<A, R>(name.as_ref())?,
            types: PhantomData,
        })
    }
}

impl<'c, 'm, A: Arguments, R: Results> TypedFunc<'c, 'm, A, R> {
    /// Calls the function and waits for its results.
    ///
    /// # Errors
    ///
    /// As [`Interpreter::run`].
    pub fn call(
        &self,
        interpreter: &mut Interpreter<'c, 'm>,
        arguments: A,
    ) -> Result<R, Stop<'c, 'm>> {
        let values = arguments.values();
        let mut cells = [Value::ZERO; MOST_ARGUMENTS];
        // There are at most as many of both as there are cells.
        let arguments = values.get(..A::TYPES.len()).unwrap_or_default();
        let results = cells.get_mut(..R::TYPES.len()).unwrap_or_default();
        interpreter.run(self.callable, arguments, results)?;
        Ok(R::from_values(results))
    }
}

impl<A, R> Clone for TypedFunc<'_, '_, A, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A, R> Copy for TypedFunc<'_, '_, A, R> {}

impl<A, R> fmt::Debug for TypedFunc<'_, '_, A, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TypedFunc").finish_non_exhaustive()
    }
}
