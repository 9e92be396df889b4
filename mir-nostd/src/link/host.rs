//! Closures of the embedder, as programs call them.
#![expect(unsafe_code, reason = "native code calls closures, too")]

use super::{Callable, HostError, HostFn};
use crate::ir::Type;
use crate::mem::{Allocator, OutOfMemory, Vec};
use crate::target::{Argument, Entry, Incoming, Native, Plan, PlanError, Signature, Target, Value};
use core::fmt;

/// A closure of the embedder, with its signature.
pub struct Host<'m> {
    function: &'m dyn HostFn,
    results: Vec<'m, Type>,
    arguments: Vec<'m, Argument>,
    /// How native code calls it; `None` if that takes too much stack.
    plan: Option<Plan<'m>>,
}

impl<'m> Host<'m> {
    pub(super) fn new(
        function: &'m dyn HostFn,
        results: Vec<'m, Type>,
        arguments: Vec<'m, Argument>,
        target: &'static Target,
    ) -> Result<Host<'m>, OutOfMemory> {
        let signature = Signature {
            results: &results,
            arguments: &arguments,
            variadic: None,
        };
        let plan = match Plan::new(target, &signature, arguments.allocator()) {
            Ok(plan) => Some(plan),
            Err(PlanError::TooLarge) => None,
            Err(PlanError::OutOfMemory) => return Err(OutOfMemory),
        };
        Ok(Host {
            function,
            results,
            arguments,
            plan,
        })
    }

    /// The types of the results.
    #[must_use]
    pub fn results(&self) -> &[Type] {
        &self.results
    }

    /// The arguments.
    #[must_use]
    pub fn arguments(&self) -> &[Argument] {
        &self.arguments
    }

    /// Calls the closure.
    ///
    /// # Errors
    ///
    /// What the closure returned.
    pub fn call(&self, arguments: &[Value], results: &mut [Value]) -> Result<(), HostError> {
        self.function.call(arguments, results)
    }

    /// Lets native code call the closure through the entry, which belongs to the callable.
    pub(super) fn bind(&self, native: &dyn Native, callable: *const Callable<'m>, entry: &Entry) {
        if let Some(plan) = &self.plan {
            let context = callable.cast_mut().cast();
            entry.bind(native, called, context, plan.uses_floats());
        }
    }

    /// Takes the arguments of a call from native code, calls the closure, and gives the results. A failure cannot be
    /// told to native code: the results are zeros then.
    ///
    /// # Safety
    ///
    /// The call is one of the closure's signature.
    unsafe fn receive(&self, incoming: &mut Incoming) -> Result<(), OutOfMemory> {
        let Some(plan) = &self.plan else {
            return Ok(());
        };
        let allocator: &dyn Allocator = self.arguments.allocator();
        let mut arguments = Vec::new(allocator);
        arguments.resize(self.arguments.len(), Value::ZERO)?;
        let mut results = Vec::new(allocator);
        results.resize(self.results.len(), Value::ZERO)?;
        let mut scratch = Vec::new(allocator);
        scratch.resize(plan.scratch_bytes().div_ceil(16), Value::ZERO)?;
        // SAFETY: the plan was made of the signature; there is a value for each argument and result, and the scratch.
        unsafe {
            let scratch = scratch.as_mut_ptr().cast();
            let received = plan.receive(incoming, &mut arguments, scratch);
            if self.call(&arguments, &mut results).is_err() {
                results.fill(Value::ZERO);
            }
            plan.give(incoming, &received, &results);
        }
        Ok(())
    }
}

/// Calls the closure that native code called.
///
/// # Safety
///
/// The entry is one that [`Host::bind`] bound, and the call one of the closure's signature.
unsafe extern "C" fn called(entry: &Entry, incoming: Option<&mut Incoming>) {
    let Some(incoming) = incoming else {
        return;
    };
    let callable = entry.context().cast_const().cast::<Callable<'_>>();
    // SAFETY: the context, which keeps callable and closure, lives while native code may call them.
    unsafe {
        if let Some(host) = (*callable).host() {
            // Without memory the registers stay as they are.
            let _ = host.receive(incoming);
        }
    }
}

impl fmt::Debug for Host<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host")
            .field("results", &self.results)
            .field("arguments", &self.arguments)
            .finish_non_exhaustive()
    }
}
