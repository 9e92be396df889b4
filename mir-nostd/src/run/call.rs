//! Calls of compiled code from Rust.

use super::fault::Fault;
use super::jit::Jit;
use crate::link::{Callable, Context};
use crate::mem::{OutOfMemory, Vec};
use crate::target::{Argument, Native, Plan, PlanError, Signature, Value};

/// The reason why a call of compiled code returned no results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallError {
    /// The code faulted.
    Fault(Fault),
    /// No memory for making the call.
    OutOfMemory,
    /// The numbers of arguments or results are not those of the function, or it is no linked
    /// function of the context.
    Signature,
    /// The arguments take too much stack.
    TooLarge,
}

impl From<OutOfMemory> for CallError {
    fn from(_: OutOfMemory) -> CallError {
        CallError::OutOfMemory
    }
}

impl From<PlanError> for CallError {
    fn from(error: PlanError) -> CallError {
        match error {
            PlanError::OutOfMemory => CallError::OutOfMemory,
            PlanError::TooLarge => CallError::TooLarge,
        }
    }
}

impl<'m> Jit<'_, 'm> {
    /// Calls a function by its address with one value per argument, and stores one per result.
    ///
    /// # Errors
    ///
    /// See [`CallError`].
    ///
    /// # Safety
    ///
    /// The function keeps to memory that is its own, as any native code must; arguments that are
    /// blocks or addresses are good for what it does with them.
    pub unsafe fn call(
        &self,
        callable: &Callable<'m>,
        arguments: &[Value],
        results: &mut [Value],
    ) -> Result<(), CallError> {
        if !callable.runs_in(self.context) {
            return Err(CallError::Signature);
        }
        // SAFETY: by the caller's word.
        unsafe { self.perform(callable, arguments, results) }
    }

    /// True if functions of confined programs of this context can run in the code: it keeps to
    /// limits of fuel and stack.
    pub(crate) fn can_confine(&self, context: &Context<'m>) -> bool {
        core::ptr::eq(self.context, context) && self.shared().has_limits()
    }

    /// Calls a function of a confined program.
    ///
    /// # Errors
    ///
    /// As [`Jit::call`].
    ///
    /// # Safety
    ///
    /// As [`Jit::call`]; nobody else uses the program.
    pub(crate) unsafe fn call_confined(
        &self,
        callable: &Callable<'m>,
        arguments: &[Value],
        results: &mut [Value],
    ) -> Result<(), CallError> {
        if !callable.runs_confined_in(self.context) {
            return Err(CallError::Signature);
        }
        // SAFETY: by the caller's word.
        unsafe { self.perform(callable, arguments, results) }
    }

    /// # Safety
    ///
    /// As [`Jit::call`].
    unsafe fn perform(
        &self,
        callable: &Callable<'m>,
        arguments: &[Value],
        results: &mut [Value],
    ) -> Result<(), CallError> {
        let (module, func) = callable.func().ok_or(CallError::Signature)?;
        let module = module.module();
        let signature = &module.func(func).signature;
        let allocator = self.context.allocator();
        let mut types = Vec::new(allocator);
        for arg in module.args(signature) {
            types.push(Argument {
                ty: arg.ty,
                size: arg.size,
            })?;
        }
        if types.len() != arguments.len() || module.results(signature).len() != results.len() {
            return Err(CallError::Signature);
        }
        let planned = Signature {
            results: module.results(signature),
            arguments: &types,
            variadic: signature.is_vararg().then_some(types.len()),
        };
        let plan = Plan::new(self.context.target(), &planned, allocator)?;
        let mut call = Call {
            plan: &plan,
            native: self.shared().native(),
            address: callable.address(),
            arguments,
            results,
        };
        let runs = self.context.runs();
        // SAFETY: `perform` takes the call; the function is one of the plan's signature, and the
        // caller vouches for what it does.
        let stopped = unsafe {
            let native = self.shared().native();
            let fuel = self
                .shared()
                .options
                .fuel
                .map_or(core::ptr::null(), core::ptr::from_ref);
            runs.call(native, fuel, perform, (&raw mut call).cast())
        };
        match stopped {
            Some(stopped) => Err(CallError::Fault(Fault::new(stopped))),
            None => Ok(()),
        }
    }
}

/// A call about to be made.
struct Call<'a> {
    plan: &'a Plan<'a>,
    native: &'a dyn Native,
    address: usize,
    arguments: &'a [Value],
    results: &'a mut [Value],
}

/// # Safety
///
/// `call` is a [`Call`] of a function that may be called so.
unsafe extern "C" fn perform(call: *mut ()) {
    // SAFETY: by the caller's word.
    unsafe {
        let call = &mut *call.cast::<Call<'_>>();
        call.plan
            .call(call.native, call.address, call.arguments, call.results);
    }
}
