//! Functions that are called with Rust's own types.

use super::call::{CallError, Planned};
use super::jit::Jit;
use crate::link::{Arguments, MOST_ARGUMENTS, Results};
use crate::target::Value;
use core::fmt;
use core::marker::PhantomData;

/// An exported function whose signature was compared with `A` and `R` once, and whose calls are
/// planned: a call allocates nothing.
///
/// [`Jit::get`] returns it; `A` is a [`Scalar`](crate::link::Scalar) or a tuple of them, `R` the
/// same or `()`.
pub struct TypedFunc<'j, 'm, A, R> {
    planned: Planned<'j, 'm>,
    types: PhantomData<fn(A) -> R>,
}

impl<'m> Jit<'_, 'm> {
    /// Returns the exported function of this name, to be called with these types. It is called at
    /// its address, so the engine runs it as long as it is not compiled.
    ///
    /// ```
    /// # use mir_nostd::run::{Options, TypedFunc};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let engine = mir_nostd::interp::Engine::new();
    /// # let context = mir_nostd::link::Context::new(mir_host::context_options(&engine));
    /// let text = b"m: module
    /// export divide
    /// divide: func i64, i64:a, i64:b
    ///  local i64:quotient
    ///  div quotient, a, b
    ///  ret quotient
    /// endfunc
    /// endmodule
    /// ";
    /// # // SAFETY: the program touches no memory.
    /// # unsafe { mir_host::load(&context, text)? };
    /// # context.link(&mut |_| None)?;
    /// # let jit = mir_host::jit(&context, Options::default())?;
    /// jit.compile_all(&mut |_, _, error| eprintln!("interpreted: {error}"))?;
    /// let divide: TypedFunc<(i64, i64), i64> = jit.get("divide")?;
    /// assert_eq!(divide.call((84, 2))?, 42);
    /// // A fault is an error, not a signal.
    /// let fault = divide.call((1, 0)).unwrap_err();
    /// assert_eq!(fault.to_string(), "division by zero");
    /// // So is a wrong signature, before anything is called.
    /// let wrong = jit.get::<i64, i64>("divide").unwrap_err();
    /// assert_eq!(wrong.to_string(), "the function takes 2 arguments, 1 are given");
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`CallError::Function`] if there is none or it has another signature; no memory; arguments
    /// that take too much stack.
    pub fn get<A: Arguments, R: Results>(
        &self,
        name: impl AsRef<[u8]>,
    ) -> Result<TypedFunc<'_, 'm, A, R>, CallError> {
        let callable = self.context.find_typed::<A, R>(name.as_ref())?;
        Ok(TypedFunc {
            planned: self.plan(callable)?,
            types: PhantomData,
        })
    }
}

impl<A: Arguments, R: Results> TypedFunc<'_, '_, A, R> {
    /// Calls the function and waits for its results. Arguments that are addresses are good for what
    /// the function does with them, as whoever loaded the program vouched.
    ///
    /// # Errors
    ///
    /// [`CallError::Fault`].
    pub fn call(&self, arguments: A) -> Result<R, CallError> {
        let values = arguments.values();
        let mut cells = [Value::ZERO; MOST_ARGUMENTS];
        // There are at most as many of both as there are cells.
        let arguments = values.get(..A::TYPES.len()).unwrap_or_default();
        let results = cells.get_mut(..R::TYPES.len()).unwrap_or_default();
        // SAFETY: the plan is that of the function, whose numbers of arguments and results are
        // those of the types; what it does, and with which arguments, was vouched for when it was
        // loaded.
        unsafe { self.planned.call(arguments, results)? };
        Ok(R::from_values(results))
    }
}

impl<A, R> fmt::Debug for TypedFunc<'_, '_, A, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TypedFunc").finish_non_exhaustive()
    }
}
