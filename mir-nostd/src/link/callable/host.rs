//! Closures of the embedder, as programs call them.
#![expect(unsafe_code, reason = "native code calls closures, too")]

use super::Callable;
use crate::ir::{Module, Signature as ProtoSignature, Type};
use crate::link::{Anchor, Context, HostError, HostFn, Reason, Stopped};
use crate::mem::{Allocator, OutOfMemory, Vec};
use crate::target::{
    Argument, Entry, GateRegisters, Incoming, Native, Plan, PlanError, Signature, Value,
};
use core::fmt;

/// A closure of the embedder, with its signature.
pub struct Host<'m> {
    function: &'m dyn HostFn,
    results: Vec<'m, Type>,
    arguments: Vec<'m, Argument>,
    /// The plan for calls by native code; `None` if they take too much stack.
    plan: Option<Plan<'m>>,
    /// The anchor of the context that keeps this.
    anchor: *const Anchor<'m>,
}

// SAFETY: the closure is `Sync`, and the anchor, which lives as long as the context that keeps
// this, changes atomically.
unsafe impl Send for Host<'_> {}
// SAFETY: as above.
unsafe impl Sync for Host<'_> {}

impl<'m> Host<'m> {
    pub(in crate::link) fn new(
        function: &'m dyn HostFn,
        results: Vec<'m, Type>,
        arguments: Vec<'m, Argument>,
        context: &Context<'m>,
    ) -> Result<Host<'m>, OutOfMemory> {
        let anchor = context.anchor()?;
        let signature = Signature {
            results: &results,
            arguments: &arguments,
            variadic: None,
        };
        let plan = match Plan::new(context.target(), &signature, arguments.allocator()) {
            Ok(plan) => Some(plan),
            Err(PlanError::TooLarge) => None,
            Err(PlanError::OutOfMemory) => return Err(OutOfMemory),
        };
        Ok(Host {
            function,
            results,
            arguments,
            plan,
            anchor,
        })
    }

    /// Returns the types of the results.
    #[must_use]
    pub fn results(&self) -> &[Type] {
        &self.results
    }

    /// Returns the arguments.
    #[must_use]
    pub fn arguments(&self) -> &[Argument] {
        &self.arguments
    }

    /// True if a prototype has the classes of the closure's results and arguments.
    pub(crate) fn is_described_by(&self, module: &Module<'_>, proto: &ProtoSignature) -> bool {
        let args = module.args(proto);
        let is_alike = |own: &Type, other: Type| own.class() == other.class();
        !proto.is_vararg()
            && module.results(proto).len() == self.results.len()
            && args.len() == self.arguments.len()
            && { module.results(proto).iter().zip(&self.results) }
                .all(|(&other, own)| is_alike(own, other))
            && { args.iter().zip(&self.arguments) }.all(|(arg, own)| is_alike(&own.ty, arg.ty))
    }

    /// Calls the closure.
    ///
    /// # Errors
    ///
    /// The error of the closure.
    pub fn call(&self, arguments: &[Value], results: &mut [Value]) -> Result<(), HostError> {
        self.function.call(arguments, results)
    }

    /// Lets native code call the closure through the entry of its callable, of which nobody else
    /// knows yet.
    pub(in crate::link) fn bind(&self, native: &dyn Native, callable: *mut Callable<'m>) {
        let registers = self.plan.as_ref().map(Plan::registers);
        let registers = registers.unwrap_or(GateRegisters::Floating);
        // SAFETY: the callable is initialised and stays as long as the context; `called` is for
        // such entries.
        unsafe {
            (*callable)
                .entry
                .bind(native, called, callable.cast(), registers);
        }
    }

    /// Takes the arguments of a call from native code, calls the closure, and passes the results
    /// back: zeros if it fails.
    ///
    /// # Safety
    ///
    /// The call is one of the closure's signature.
    unsafe fn receive(&self, incoming: &mut Incoming) -> Result<(), Reason> {
        let Some(plan) = &self.plan else {
            return Err(Reason::Stack);
        };
        let allocator: &dyn Allocator = self.arguments.allocator();
        let mut arguments = Vec::new(allocator);
        arguments.resize(self.arguments.len(), Value::ZERO)?;
        let mut results = Vec::new(allocator);
        results.resize(self.results.len(), Value::ZERO)?;
        let mut scratch = Vec::new(allocator);
        scratch.resize(plan.scratch_bytes().div_ceil(16), Value::ZERO)?;
        // SAFETY: the plan was made of the signature; there is a value for each argument and
        // result, and the scratch.
        unsafe {
            let scratch = scratch.as_mut_ptr().cast();
            let received = plan.receive(incoming, &mut arguments, scratch);
            let called = self.call(&arguments, &mut results);
            if called.is_err() {
                results.fill(Value::ZERO);
            }
            plan.give(incoming, &received, &results);
            called.map_err(Reason::Host)
        }
    }
}

native_abi! {
    /// Calls the closure that native code called. If it fails, that ends the call of compiled code
    /// from which this comes; where the interpreter called C in between, or nobody is prepared, the
    /// results are zeros.
    ///
    /// # Safety
    ///
    /// The entry is one that [`Host::bind`] bound, and the call one of the closure's signature.
    unsafe extern "C-unwind" fn called(entry: &Entry, incoming: Option<&mut Incoming>) {
        let Some(incoming) = incoming else {
            return;
        };
        let callable = entry.context().cast_const().cast::<Callable<'_>>();
        // SAFETY: the context, which keeps callable and closure, lives while native code may call
        // them.
        unsafe {
            let Some(host) = (*callable).host() else {
                return;
            };
            let Err(reason) = host.receive(incoming) else {
                return;
            };
            let context = (*host.anchor).context();
            let Some(native) = context.as_ref().and_then(Context::native) else {
                return;
            };
            let stopped = Stopped {
                reason,
                callable: 0,
                instruction: None,
            };
            let runs = (*context).runs();
            let run = runs.interpreter((&raw const reason).addr());
            if run.is_null() {
                runs.end(native, stopped);
            } else {
                (*run).callback_failed = true;
            }
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
