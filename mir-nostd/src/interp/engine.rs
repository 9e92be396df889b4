//! The interpreter as the engine of a context, and calls from native code.

use super::code::Code;
use super::decode::{code_of, decode, take_back};
use super::fault::Exit;
use super::frame::{State, header};
use super::run::{Interpreter, Options, begin, drive, end, erase};
use crate::ir::{Error, Problem};
use crate::link::{self, Callable, Context, Exprs, Reason, Stopped};
use crate::mem::{Allocator, Box, Entity, Vec};
use crate::target::{Entry, Incoming, Plan, Signature, Value};
use core::fmt;
use core::sync::atomic::Ordering;

/// Makes a context run its functions by interpreting them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Engine {
    fuel: bool,
}

impl Engine {
    /// The interpreter, without counting fuel.
    #[must_use]
    pub const fn new() -> Engine {
        Engine { fuel: false }
    }

    /// The interpreter, counting fuel.
    ///
    /// A block of instructions (from a label that something refers to, or from behind a branch, to the next such place)
    /// costs its number of instructions, labels not counted; it is charged when the block is entered. A call charges the
    /// function's first block, a return nothing. This is version 1 of the costs.
    #[must_use]
    pub const fn with_fuel() -> Engine {
        Engine { fuel: true }
    }

    /// The version of the costs that [`Engine::with_fuel`] counts: it changes when they do.
    pub const FUEL_VERSION: u32 = 1;
}

// SAFETY: what is published is decoded code, which runs only in the context that it was decoded for.
unsafe impl link::Engine for Engine {
    fn counts_fuel(&self) -> bool {
        self.fuel
    }

    unsafe fn bind(
        &self,
        context: &Context<'_>,
        callable: &Callable<'_>,
        entry: &Entry,
        floats: bool,
    ) {
        if let Some(native) = context.native() {
            let callable = erase(callable).cast_mut().cast();
            // SAFETY: the caller gives the entry; `called_back` takes the callable, which stays as long as the context.
            unsafe { entry.bind(native, called_back, callable, floats) };
        }
    }

    fn evaluate(&self, exprs: &mut Exprs<'_, '_>) -> Result<(), Error> {
        let context = exprs.context();
        let mut interpreter = Interpreter::for_link(context, exprs.fuel)?;
        // Code of its own, which charges fuel whether or not the engine does.
        let functions = exprs.module().callables().len();
        let mut decoded = Vec::with_capacity(context.allocator(), functions)?;
        for _ in 0..functions {
            decoded.push(None)?;
        }
        while let Some((func, callable)) = exprs.next_func() {
            let code = match &mut decoded[func.index()] {
                Some(code) => code,
                none => none.insert(decode(callable, context, true).map_err(error_of)?),
            };
            let value = interpreter.evaluate(code);
            exprs.fuel = interpreter.fuel();
            exprs.give(value.map_err(error_of)?);
        }
        Ok(())
    }

    unsafe fn release(&self, context: &Context<'_>, code: *mut ()) {
        // SAFETY: by the caller's word this engine published it, and it is taken back once.
        drop(unsafe { take_back(context.allocator(), code) });
    }
}

/// Why linking fails if the function of an `expr` stops.
fn error_of(exit: Exit) -> Error {
    match exit {
        Exit::OutOfMemory => Problem::OutOfMemory.into(),
        Exit::Fuel => Problem::LinkFuel.into(),
        _ => Problem::ExprStopped.into(),
    }
}

/// Runs the function that native code called.
///
/// A failure ends the call of compiled code that this comes from. If it comes from a call of C by the interpreter, the
/// results are zeros, and the run from which C was called stops as soon as that returns.
unsafe extern "C" fn called_back(entry: &Entry, incoming: Option<&mut Incoming>) {
    let Some(incoming) = incoming else {
        return;
    };
    let callable = entry.context().cast_const().cast::<Callable<'static>>();
    // SAFETY: the context bound the entry to its callable, and both live while native code may call it; the linked
    // module knows its context.
    unsafe {
        let Some((linked, _)) = (*callable).func() else {
            return;
        };
        // Who runs native code has said where the context is, and it stays there until that is over.
        let context = (*linked.anchor()).context();
        let runs = (*context).runs();
        let run = runs.interpreter((&raw const incoming).addr());
        if !run.is_null() {
            let state = (*run).state.cast::<State>();
            let saved = (*state).saved();
            let outer = ((*state).exit, (*state).pending);
            let frame = (*run).frame.load(Ordering::Relaxed);
            let failed = receive(state, callable, incoming).is_err();
            (*run).frame.store(frame, Ordering::Relaxed);
            let (_, _, fuel) = (*state).saved();
            (*state).save(saved.0, saved.1, fuel);
            ((*state).exit, (*state).pending) = outer;
            (*run).callback_failed |= failed;
        } else if let Err(stopped) = run_alone(&*context, callable, incoming)
            && let Some(native) = (*context).native()
        {
            // Without a call that is prepared for it, as on a thread of C's own, the results are zeros.
            runs.end(native, stopped);
        }
    }
}

/// Runs a function that compiled code called, or C by itself.
///
/// # Safety
///
/// As [`receive`].
unsafe fn run_alone(
    context: &Context<'static>,
    callable: *const Callable<'static>,
    incoming: &mut Incoming,
) -> Result<(), Stopped> {
    let mut interpreter = Interpreter::new(context, Options::default()).map_err(|_| Stopped {
        reason: Reason::OutOfMemory,
        callable: callable.expose_provenance(),
        instruction: None,
    })?;
    // SAFETY: by the caller's word.
    unsafe { interpreter.receive(callable, incoming) }
}

/// Takes the arguments of a call from native code, runs the function, and gives the results.
///
/// # Safety
///
/// The callable belongs to the state's context; the call is one of its signature; the machine does not run on this
/// state but for the native call that this one comes from.
pub(super) unsafe fn receive(
    state: *mut State,
    callable: *const Callable<'static>,
    incoming: &mut Incoming,
) -> Result<(), (Exit, Option<Place>)> {
    // SAFETY: by the caller's word.
    unsafe {
        let context = &*(*state).context;
        let mut at = None;
        let code = code_of(context, &*callable).map_err(anywhere)?;
        let plan = incoming_plan(context, &*callable, &*code).map_err(anywhere)?;
        let (module, func) = (*callable).func().ok_or(anywhere(Exit::Signature))?;
        let module = module.module();
        let signature = &module.func(func).signature;
        let (args, results) = (
            module.args(signature).len(),
            module.results(signature).len(),
        );
        let mut values = Vec::new(context.allocator());
        let resized = values.resize(args + results, Value::ZERO);
        resized.map_err(|error| anywhere(error.into()))?;
        let mut scratch = Vec::new(context.allocator());
        let resized = scratch.resize((*plan).scratch_bytes().div_ceil(16), Value::ZERO);
        resized.map_err(|error| anywhere(error.into()))?;
        let (arguments, results) = values.split_at_mut(args);
        let received = (*plan).receive(incoming, arguments, scratch.as_mut_ptr().cast());
        let variable = signature.is_vararg().then_some(&received.variable);
        let ran = match begin(state, callable, arguments, variable) {
            Ok(run) => {
                drive(state, &run);
                let exit = (*state).exit;
                if exit == Exit::Returned {
                    end(state, &run, results);
                } else {
                    at = place_of(state);
                    run.give_up(state);
                }
                exit
            }
            Err((exit, run)) => {
                if let Some(run) = run {
                    at = place_of(state);
                    run.give_up(state);
                }
                exit
            }
        };
        (*plan).give(incoming, &received, results);
        match ran {
            Exit::Returned => Ok(()),
            exit => Err((exit, at)),
        }
    }
}

/// A function, and the number of an instruction in it.
type Place = (*const Callable<'static>, u32);

/// A failure before the function ran.
fn anywhere(exit: Exit) -> (Exit, Option<Place>) {
    (exit, None)
}

/// Where a run stopped.
///
/// # Safety
///
/// The state is saved in a frame.
unsafe fn place_of(state: *mut State) -> Option<Place> {
    // SAFETY: by the caller's word the frame has a header; code lives as long as its context.
    unsafe {
        let (pc, regs, _) = (*state).saved();
        let code = (*header(regs)).code;
        let (linked, func) = (*(*code).callable).func()?;
        let insn = (*code).origin(pc)?;
        let number = linked
            .module()
            .insns(func)
            .position(|other| other == insn)?;
        Some(((*code).callable, number as u32))
    }
}

/// Returns the plan for calls of a function as native code calls it. It lives as long as the function's code.
pub(super) fn incoming_plan(
    context: &Context<'static>,
    callable: &Callable<'static>,
    code: &Code<'static>,
) -> Result<*const Plan<'static>, Exit> {
    match code.incoming.load(Ordering::Acquire) {
        plan if plan.is_null() => make_plan(context, callable, &code.incoming),
        plan => Ok(plan),
    }
}

/// Makes the plan for calls of a function from native code, and keeps it with its code.
#[cold]
fn make_plan(
    context: &Context<'static>,
    callable: &Callable<'static>,
    place: &core::sync::atomic::AtomicPtr<Plan<'static>>,
) -> Result<*const Plan<'static>, Exit> {
    let (linked, func) = callable.func().ok_or(Exit::Signature)?;
    let module = linked.module();
    let signature = &module.func(func).signature;
    let mut arguments = Vec::new(context.allocator());
    for &arg in module.args(signature) {
        arguments.push(arg.into())?;
    }
    let planned = Signature {
        results: module.results(signature),
        arguments: &arguments,
        variadic: signature.is_vararg().then_some(arguments.len()),
    };
    let plan = Plan::new(context.target(), &planned, context.allocator())
        .map_err(|_| Exit::OutOfMemory)?;
    let ours = Box::new(context.allocator(), plan)?.into_raw();
    let null = core::ptr::null_mut();
    match place.compare_exchange(null, ours, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => Ok(ours),
        Err(theirs) => {
            drop_plan(context.allocator(), ours);
            Ok(theirs)
        }
    }
}

/// Frees a plan that [`make_plan`] made.
pub(super) fn drop_plan<'m>(allocator: &'m dyn Allocator, plan: *mut Plan<'m>) {
    if let Some(plan) = core::ptr::NonNull::new(plan) {
        // SAFETY: made by `into_raw`, and called once for each: by the loser of a race, and when the code is dropped.
        drop(unsafe { Box::from_raw(allocator, plan) });
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interpreter")
    }
}
