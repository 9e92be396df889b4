//! Call sites: the data of calls that need more than copying argument cells.

use crate::ir::Type;
use crate::link::{Callable, Context, Host};
use crate::mem::Vec;
use crate::target::{Abi, Argument, Plan};
use core::sync::atomic::{AtomicPtr, Ordering};

/// The most arguments of a simple native call: all of them go in integer registers on every ISA.
pub(super) const SIMPLE_ARGUMENTS: usize = 5;

/// A value that a call passes or takes back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passed {
    pub(super) argument: Argument,
    /// The offset of its cell in the frame.
    pub(super) cell: u32,
}

/// The number of functions that the cache of a site holds.
const CACHE: usize = 4;

/// The data of a call that is not a direct call of an interpreted function known when it was
/// decoded.
#[derive(Debug)]
pub(super) struct Site<'m> {
    /// The function's address, if the call names it.
    pub(super) address: usize,
    /// The inline cache: functions that were called and found to fit, by some bits of their
    /// addresses.
    cache: [AtomicPtr<Callable<'static>>; CACHE],
    /// All arguments, variable ones included.
    pub(super) arguments: Vec<'m, Passed>,
    /// The results.
    pub(super) results: Vec<'m, Passed>,
    /// The number of fixed arguments.
    pub(super) fixed: usize,
    /// True if the callee takes the place of the function: nothing but the return of its results
    /// follows. Such a site has nothing in its cache, as calls by that leave the frame.
    pub(super) leaves: bool,
    /// True if variable arguments may follow: callees expect room for them, even if there are none.
    pub(super) variadic: bool,
    /// The cells of the fixed arguments as they lie in the callee's frame.
    pub(super) cells: Vec<'m, u32>,
    /// The plan for calls of native code.
    pub(super) native: Option<Plan<'m>>,
    /// The plan for calls of interpreted functions with variable arguments.
    pub(super) variable: Option<Plan<'m>>,
    /// The offset in the frame of room for the values of all arguments and results.
    pub(super) scratch: u32,
    /// The number of words that the cells for results take after the call.
    pub(super) result_words: usize,
}

impl<'m> Site<'m> {
    /// Returns a site without arguments and results.
    pub(super) fn new(allocator: &'m dyn crate::mem::Allocator) -> Site<'m> {
        Site {
            address: 0,
            cache: [const { AtomicPtr::new(core::ptr::null_mut()) }; CACHE],
            arguments: Vec::new(allocator),
            results: Vec::new(allocator),
            fixed: 0,
            leaves: false,
            variadic: false,
            cells: Vec::new(allocator),
            native: None,
            variable: None,
            scratch: 0,
            result_words: 0,
        }
    }

    /// True if the callee takes the place of the function.
    pub(super) fn is_tail(&self) -> bool {
        cfg!(feature = "tail-calls") && self.leaves
    }

    /// Returns the cache entry for the function at this address.
    #[inline(always)]
    pub(super) fn place(&self, address: usize) -> &AtomicPtr<Callable<'static>> {
        &self.cache[(address >> 4 ^ address >> 6) % CACHE]
    }

    /// Returns the function at this address if it is in the cache; null if not.
    #[inline(always)]
    pub(super) fn cached(&self, address: usize) -> *const Callable<'static> {
        let last = self.place(address).load(Ordering::Acquire);
        // SAFETY: callables live as long as their context, to which the code with this site
        // belongs.
        if !last.is_null() && unsafe { (*last).address() } == address {
            last
        } else {
            core::ptr::null()
        }
    }

    /// Returns whether an interpreted function can be called here as it is, and whether it takes
    /// variable arguments.
    pub(super) fn fits(&self, abi: &Abi, callable: &Callable<'_>) -> Option<bool> {
        let (module, func) = callable.func()?;
        let module = module.module();
        let signature = &module.func(func).signature;
        let (results, args) = (module.results(signature), module.args(signature));
        let variadic = signature.is_vararg();
        let returned = results.iter().zip(&self.results);
        let passed = args.iter().zip(&self.arguments);
        let fits = results.len() == self.results.len()
            && args.len() <= self.fixed
            && (!variadic || args.len() == self.fixed && self.variadic)
            && { returned }.all(|(&ty, passed)| abi.returns_alike(ty, passed.argument.ty))
            && { passed }.all(|(&arg, passed)| abi.passes_alike(passed.argument, arg.into()));
        fits.then_some(variadic)
    }

    /// True if native code can be called with integers in registers alone.
    pub(super) fn is_simple(&self, context: &Context<'_>) -> bool {
        let sign_extended = context.target().abi.u32_sign_extended;
        let is_int = |passed: &Passed| {
            let ty = passed.argument.ty;
            (ty.is_int() || ty == Type::Rblk && !cfg!(target_arch = "aarch64"))
                && !(ty == Type::U32 && sign_extended)
        };
        context.native().is_some()
            && self.native.is_some()
            && self.arguments.len() <= SIMPLE_ARGUMENTS
            && self.results.len() <= 1
            // The callee may be variadic, whatever the prototype says, and then store its registers
            // in the slots that its caller provides.
            && context.target().abi.home_slots == 0
            && self.fixed == self.arguments.len()
            && self.arguments.iter().chain(&self.results).all(is_int)
            && !context.is_set_jump(self.address)
            && context.callable_at(self.address).is_none()
    }

    /// True if a closure's signature is that of this call.
    pub(super) fn fits_host(&self, host: &Host<'_>) -> bool {
        let types = |passed: &[Passed], types: &mut dyn Iterator<Item = Type>| {
            passed
                .iter()
                .map(|passed| passed.argument.ty.class())
                .eq(types.map(Type::class))
        };
        types(&self.results, &mut host.results().iter().copied())
            && types(
                &self.arguments,
                &mut host.arguments().iter().map(|argument| argument.ty),
            )
    }
}
