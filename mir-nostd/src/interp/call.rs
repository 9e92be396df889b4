//! The calls that need more than copying argument cells: by address, to native code and closures,
//! with variable arguments.

use super::adapt::call_adapted;
use super::code::Code;
use super::decode::code_of;
use super::frame::{ALIGN, RunState};
use super::site::{SIMPLE_ARGUMENTS, Site};
use super::values::{finish, gather, no_variable_arguments};
use crate::ir::Type;
use crate::link::{Callable, Host, Reason};
use crate::target::{Argument, Native, Plan, VaListOperations, Value, VariableArguments};
use core::sync::atomic::Ordering;

/// Calls the function at `address` as the site says; the results go to the cells listed at `after`.
/// Returns whether the run goes on; the state says how.
///
/// # Safety
///
/// The state was saved at the call, in the frame of the function that the site belongs to.
#[inline(never)]
pub(super) unsafe fn through_site(
    state: *mut RunState,
    site: *const Site<'static>,
    address: usize,
    after: *const u64,
) -> bool {
    // SAFETY: by the caller's word.
    match unsafe { call_address(state, &*site, address, after) } {
        Ok(()) => true,
        Err(exit) => {
            // SAFETY: as above.
            unsafe { (*state).exit = Some(exit) };
            false
        }
    }
}

/// # Safety
///
/// As [`through_site`].
unsafe fn call_address(
    state: *mut RunState,
    site: &Site<'static>,
    address: usize,
    after: *const u64,
) -> Result<(), Reason> {
    // SAFETY: the context lives while its functions run.
    let context = unsafe { &*(*state).context };
    let callable = context.callable_at(address);
    let Some(callable) = callable.filter(|callable| !callable.is_native()) else {
        // SAFETY: as the caller says.
        return unsafe { call_native(state, site, address, after) };
    };
    if let Some(host) = callable.host() {
        if !site.fits_host(host) {
            return Err(Reason::Signature);
        }
        // SAFETY: as the caller says.
        return unsafe { call_host(state, site, host, after) };
    }
    let Some(variadic) = site.fits(&context.target().abi, callable) else {
        // SAFETY: as the caller says; the code is the function's, and the plan that of its
        // signature.
        return unsafe {
            let code = decode_callee(state, callable).ok_or((*state).reason())?;
            let plan = (*code).incoming_plan(context)?;
            call_adapted(state, site, callable, (code, plan), after)
        };
    };
    if !variadic && !site.is_tail() {
        site.place(address)
            .store(core::ptr::from_ref(callable).cast_mut(), Ordering::Release);
    }
    // SAFETY: as the caller says.
    unsafe { call_function(state, site, callable, variadic, after) }
}

/// # Safety
///
/// As [`through_site`]; there is native code at `address`.
unsafe fn call_native(
    state: *mut RunState,
    site: &Site<'static>,
    address: usize,
    after: *const u64,
) -> Result<(), Reason> {
    // SAFETY: the context lives while its functions run; the program vouches for the address and
    // the signature, and the values are those of the plan's signature.
    unsafe {
        let context = &*(*state).context;
        let (Some(native), Some(plan)) = (context.native(), &site.native) else {
            return Err(Reason::NoNativeGate);
        };
        let run = (*state).run;
        let (_, regs, _) = (*state).saved();
        let (arguments, results) = gather(site, regs);
        if context.is_set_jump(address) {
            let words = [
                regs.expose_provenance(),
                after.expose_provenance() | usize::from(!results.is_empty()),
                (*state).top.expose_provenance(),
            ];
            let word = |index: usize| arguments.get(index).map_or(0, |it| it.u64() as usize);
            let value = native.set_jump((*run).guard, address, [word(0), word(1)], words);
            finish(state, site, &[Value::from_i64(i64::from(value))], after);
            return Ok(());
        }
        let here = 0_u8;
        let outer = ((*run).frame).swap((&raw const here).addr(), Ordering::Relaxed);
        let stopped = if context.callable_at(address).is_some() {
            let mut call = Compiled {
                plan,
                native,
                address,
                arguments,
                results,
            };
            let call = (&raw mut call).cast();
            (*state).lend_fuel();
            let (runs, fuel) = (context.runs(), (*state).fuel_word);
            let stopped = runs.call(native, fuel, call_compiled, call);
            (*state).take_fuel_back();
            stopped
        } else {
            plan.call(native, address, arguments, results);
            None
        };
        (*run).frame.store(outer, Ordering::Relaxed);
        if stopped.is_some() {
            (*state).stopped_in = stopped;
            (*run).callback_failed = false;
            return Err(stopped.map_or(Reason::Callback, |stopped| stopped.reason.of_caller()));
        }
        if core::mem::take(&mut (*run).callback_failed) {
            return Err(Reason::Callback);
        }
        finish(state, site, results, after);
    }
    Ok(())
}

/// A call of a compiled function.
struct Compiled<'a> {
    plan: &'a Plan<'static>,
    native: &'a dyn Native,
    address: usize,
    arguments: &'a [Value],
    results: &'a mut [Value],
}

native_abi! {
    /// # Safety
    ///
    /// `call` is a [`Compiled`] of a function that may be called so.
    unsafe extern "C-unwind" fn call_compiled(call: *mut ()) {
        // SAFETY: by the caller's word.
        unsafe {
            let call = &mut *call.cast::<Compiled<'_>>();
            (call.plan).call(call.native, call.address, call.arguments, call.results);
        }
    }
}

/// A native function that takes integers in registers. One with fewer parameters ignores the
/// others.
#[cfg(panic = "unwind")]
type Simple = native_abi!(unsafe extern "C-unwind" fn(u64, u64, u64, u64, u64) -> u64);
/// As above, where nothing unwinds.
#[cfg(not(panic = "unwind"))]
type Simple = native_abi!(unsafe extern "C" fn(u64, u64, u64, u64, u64) -> u64);

/// Calls native code at the site's address with the site's arguments, which are simple. Returns
/// whether the run goes on; the state says how.
///
/// # Safety
///
/// As [`through_site`]; the site is simple: at most [`SIMPLE_ARGUMENTS`] integers go in, at most
/// one comes out.
#[expect(
    clippy::disallowed_methods,
    reason = "an address becomes the function there"
)]
#[inline(never)]
pub(super) unsafe fn simple_native(
    state: *mut RunState,
    site: *const Site<'static>,
    after: *const u64,
) -> bool {
    // SAFETY: by the caller's word; the program vouches for the address and the signature.
    unsafe {
        let site = &*site;
        let (_, regs, _) = (*state).saved();
        let mut arguments = [0; SIMPLE_ARGUMENTS];
        for (argument, &cell) in arguments.iter_mut().zip(&site.cells) {
            *argument = regs.add(cell as usize).cast::<u64>().read();
        }
        let function = core::mem::transmute::<usize, Simple>(site.address);
        let here = 0_u8;
        let run = (*state).run;
        let outer = ((*run).frame).swap((&raw const here).addr(), Ordering::Relaxed);
        let [a, b, c, d, e] = arguments;
        let result = function(a, b, c, d, e);
        (*run).frame.store(outer, Ordering::Relaxed);
        if core::mem::take(&mut (*run).callback_failed) {
            (*state).exit = Some(Reason::Callback);
            return false;
        }
        finish(state, site, &[Value::from_u64(result)], after);
        true
    }
}

/// Continues after the call of `setjmp` that left these words, which now returns `value`.
///
/// # Safety
///
/// The words are those that [`call_native`] passed to the gate, and the frame of that call is still
/// there.
pub(super) unsafe fn after_long_jump(state: *mut RunState, words: [usize; 3], value: usize) {
    let [regs, after, top] = words;
    let regs = core::ptr::with_exposed_provenance_mut::<u8>(regs);
    let has_result = after & 1 != 0;
    let after = core::ptr::with_exposed_provenance::<u64>(after & !1);
    // SAFETY: by the caller's word. A result takes one cell, in a word of its own.
    unsafe {
        if has_result {
            let cell = after.cast::<u32>().read();
            regs.add(cell as usize)
                .cast::<i64>()
                .write(i64::from(value as i32));
        }
        (*state).unwind(core::ptr::with_exposed_provenance_mut(top));
        let (_, _, fuel) = (*state).saved();
        (*state).save(after.add(usize::from(has_result)), regs, fuel);
    }
}

/// # Safety
///
/// As [`through_site`].
unsafe fn call_host(
    state: *mut RunState,
    site: &Site<'static>,
    host: &Host<'_>,
    after: *const u64,
) -> Result<(), Reason> {
    // SAFETY: as the caller says.
    unsafe {
        let (_, regs, _) = (*state).saved();
        let (arguments, results) = gather(site, regs);
        host.call(arguments, results).map_err(Reason::Host)?;
        finish(state, site, results, after);
    }
    Ok(())
}

/// # Safety
///
/// As [`through_site`]; the callable is a function that fits.
unsafe fn call_function(
    state: *mut RunState,
    site: &Site<'static>,
    callable: &Callable<'static>,
    variadic: bool,
    after: *const u64,
) -> Result<(), Reason> {
    // SAFETY: as the caller says. The area lives until the callee returns.
    unsafe {
        let code = decode_callee(state, callable).ok_or((*state).reason())?;
        let (_, caller, fuel) = (*state).saved();
        let variable = match &site.variable {
            Some(plan) if variadic => {
                let (arguments, _) = gather(site, caller);
                let bytes = plan.variable_bytes().next_multiple_of(ALIGN);
                let area = (*state).take(caller, bytes).ok_or((*state).reason())?;
                plan.write_variable(area, arguments)
            }
            _ => no_variable_arguments(&*(*state).context),
        };
        let mut regs = (*state)
            .push_frame(code, after, caller)
            .ok_or((*state).reason())?;
        let cells = site.cells.iter().take((*code).arg_cells as usize);
        for (index, &cell) in cells.enumerate() {
            let cell = caller.add(cell as usize).cast::<i64>().read();
            regs.cast::<i64>().add(index).write(cell);
        }
        if variadic {
            regs.add((*code).variable_at as usize)
                .cast::<VariableArguments>()
                .write(variable);
        } else if site.is_tail() && (*state).is_in_segment(caller) {
            regs = (*state).replace_frame(caller, regs);
        }
        (*state).save((*code).entries[0], regs, fuel);
        (*state).charge_entry((*code).entry_cost)
    }
}

/// Returns the code of a function, decoded if it is not yet; `None` with the reason in the state.
///
/// # Safety
///
/// The callable belongs to the state's context.
#[cold]
#[inline(never)]
pub(super) unsafe fn decode_callee(
    state: *mut RunState,
    callable: *const Callable<'static>,
) -> Option<*const Code<'static>> {
    // SAFETY: by the caller's word; the context lives while its functions run.
    unsafe {
        match code_of(&*(*state).context, &*callable, (*state).head) {
            Ok(code) => Some(code),
            Err(exit) => {
                (*state).exit = Some(exit);
                None
            }
        }
    }
}

/// # Safety
///
/// The state's context lives.
unsafe fn operations(state: *mut RunState) -> VaListOperations {
    // SAFETY: by the caller's word.
    unsafe { (*(*state).context).target().abi.va_list }
}

/// # Safety
///
/// There is room for a list, and the arguments are those of a variadic activation.
#[inline(never)]
pub(super) unsafe fn va_start(
    state: *mut RunState,
    list: *mut u8,
    arguments: *const VariableArguments,
) {
    // SAFETY: by the caller's word.
    unsafe { (operations(state).start)(list, &*arguments) };
}

/// # Safety
///
/// The list is valid and has an argument of the type of this number left.
#[inline(never)]
pub(super) unsafe fn va_arg(state: *mut RunState, list: *mut u8, ty: u32) -> *mut u8 {
    let ty = Type::from_number(ty as u8).unwrap_or(Type::I64);
    // SAFETY: by the caller's word.
    unsafe { (operations(state).argument)(list, ty) }
}

/// # Safety
///
/// The list is valid and has this block left, and there is room for it at `to`.
#[inline(never)]
pub(super) unsafe fn va_block_arg(
    state: *mut RunState,
    to: *mut u8,
    list: *mut u8,
    block: Argument,
) {
    // SAFETY: by the caller's word.
    unsafe { (operations(state).block)(to, list, block) };
}
