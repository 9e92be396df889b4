//! Calls of compiled code from Rust.

use super::fault::Fault;
use super::jit::Jit;
use crate::link::{Callable, Context, FunctionError, Runs};
use crate::mem::{OutOfMemory, Vec};
use crate::target::{Argument, Native, Plan, PlanError, Signature, Value};
use core::fmt;
use core::sync::atomic::AtomicU64;

/// The reason why a call of compiled code returned no results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallError {
    /// The code faulted.
    Fault(Fault),
    /// No memory for making the call.
    OutOfMemory,
    /// There is no such function, or its arguments or results are others.
    Function(FunctionError),
    /// The arguments take too much stack.
    TooLarge,
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallError::Fault(fault) => fault.fmt(f),
            CallError::OutOfMemory => OutOfMemory.fmt(f),
            CallError::Function(error) => error.fmt(f),
            CallError::TooLarge => PlanError::TooLarge.fmt(f),
        }
    }
}

impl core::error::Error for CallError {}

impl From<FunctionError> for CallError {
    fn from(error: FunctionError) -> CallError {
        CallError::Function(error)
    }
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
            return Err(FunctionError::NotLinked.into());
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
            return Err(FunctionError::NotLinked.into());
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
        let planned = self.plan(callable)?;
        let (wanted_arguments, wanted_results) = planned.counts;
        let count = |wanted: u32, given: usize| u32::try_from(given) == Ok(wanted);
        if !count(wanted_arguments, arguments.len()) {
            let (wanted, given) = (wanted_arguments, arguments.len() as u32);
            return Err(FunctionError::Arguments { wanted, given }.into());
        }
        if !count(wanted_results, results.len()) {
            let (wanted, given) = (wanted_results, results.len() as u32);
            return Err(FunctionError::Results { wanted, given }.into());
        }
        // SAFETY: the plan is that of the function, which there are arguments and results for; the
        // caller vouches for what it does.
        unsafe { planned.call(arguments, results) }
    }

    /// Plans the calls of a function that runs in this compiler's context.
    ///
    /// # Errors
    ///
    /// It is no function; no memory; its arguments take too much stack.
    pub(super) fn plan(&self, callable: &Callable<'m>) -> Result<Planned<'_, 'm>, CallError> {
        let (module, func) = callable.func().ok_or(FunctionError::NotLinked)?;
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
        let planned = Signature {
            results: module.results(signature),
            arguments: &types,
            variadic: signature.is_vararg().then_some(types.len()),
        };
        Ok(Planned {
            plan: Plan::new(self.context.target(), &planned, allocator)?,
            counts: (types.len() as u32, planned.results.len() as u32),
            runs: self.context.runs(),
            native: self.shared().native(),
            fuel: self.shared().options.fuel,
            address: callable.address(),
        })
    }
}

/// The calls of one function, planned. It borrows the compiler, whose code the function runs.
pub(super) struct Planned<'j, 'm> {
    plan: Plan<'m>,
    /// The numbers of arguments and results.
    counts: (u32, u32),
    runs: &'j Runs,
    native: &'m dyn Native,
    /// The word that the code takes fuel from.
    fuel: Option<&'m AtomicU64>,
    address: usize,
}

impl Planned<'_, '_> {
    /// Calls the function.
    ///
    /// # Errors
    ///
    /// It faulted.
    ///
    /// # Safety
    ///
    /// There are as many arguments and results as the function has; what it does with them was
    /// vouched for.
    pub(super) unsafe fn call(
        &self,
        arguments: &[Value],
        results: &mut [Value],
    ) -> Result<(), CallError> {
        let mut call = Call {
            plan: &self.plan,
            native: self.native,
            address: self.address,
            arguments,
            results,
        };
        let fuel = self.fuel.map_or(core::ptr::null(), core::ptr::from_ref);
        // SAFETY: `perform` takes the call; the function is one of the plan's signature, and the
        // caller vouches for what it does.
        let stopped = unsafe {
            let call = (&raw mut call).cast();
            self.runs.call(self.native, fuel, perform, call)
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

native_abi! {
    /// # Safety
    ///
    /// `call` is a [`Call`] of a function that may be called so.
    unsafe extern "C-unwind" fn perform(call: *mut ()) {
        // SAFETY: by the caller's word.
        unsafe {
            let call = &mut *call.cast::<Call<'_>>();
            call.plan
                .call(call.native, call.address, call.arguments, call.results);
        }
    }
}
