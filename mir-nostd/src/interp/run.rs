//! Runs of functions on the state of an interpreter: calls from outside, their way through the
//! machine, and their results.

use super::call::after_long_jump;
use super::code::{Code, Op};
use super::decode::code_of;
use super::dispatch::execute;
use super::frame::{ALIGN, RunState, header};
use super::values::{no_variable_arguments, write_arguments};
use crate::ir::{Class, Type};
use crate::link::{self, Callable, Reason, Stopped, Trace};
use crate::mem::{OnExit, Vec};
use crate::target::{Guard, Incoming, Value, VariableArguments, call_body};
use core::sync::atomic::Ordering;

/// A call from outside: the place of its results, and the stack as it was before.
#[derive(Clone, Copy)]
pub(super) struct Run {
    /// The cells for results, which stand for the caller's frame.
    pub(super) results: *mut u8,
    /// The top of the stack before.
    top: *mut u8,
    /// The depth that was left before.
    depth: usize,
    code: *const Code<'static>,
}

/// Returns the callable as the machine sees it.
pub(super) fn erase(callable: &Callable<'_>) -> *const Callable<'static> {
    core::ptr::from_ref(callable).cast()
}

/// Prepares a call from outside. A failure comes with the run if that can be resumed.
///
/// # Safety
///
/// The callable belongs to the state's context, and the machine does not run on this state, but for
/// a native call.
pub(super) unsafe fn begin(
    state: *mut RunState,
    callable: *const Callable<'static>,
    arguments: &[Value],
    variable: Option<&VariableArguments>,
) -> Result<Run, (Reason, Option<Run>)> {
    // SAFETY: by the caller's word.
    unsafe {
        let code =
            code_of(&*(*state).context, &*callable, (*state).head).map_err(|exit| (exit, None))?;
        enter(state, code, arguments, variable)
    }
}

/// Prepares a call of decoded code from outside, as [`begin`] does.
///
/// # Safety
///
/// The code is of a function of the state's context, and lives as long as the run. Otherwise as
/// [`begin`].
pub(super) unsafe fn enter(
    state: *mut RunState,
    code: *const Code<'static>,
    arguments: &[Value],
    variable: Option<&VariableArguments>,
) -> Result<Run, (Reason, Option<Run>)> {
    // SAFETY: by the caller's word.
    unsafe {
        let callable = (*code).callable;
        let types = argument_types(&*callable);
        if arguments.len() < types.len() {
            return Err((Reason::Signature, None));
        }
        let run = set_up(state, code).map_err(|exit| (exit, None))?;
        let pushed = (*state).push_frame(code, run.1, run.0.results);
        let run = run.0;
        let Some(regs) = pushed else {
            let exit = (*state).reason();
            (*state).unwind(run.top);
            return Err((exit, None));
        };
        write_arguments(regs, types, arguments);
        if let Some(variable) = variable {
            let at = (*code).variable_at as usize;
            regs.add(at).cast::<VariableArguments>().write(*variable);
        } else if is_variadic(&*callable) {
            let at = (*code).variable_at as usize;
            let none = no_variable_arguments(&*(*state).context);
            regs.add(at).cast::<VariableArguments>().write(none);
        }
        let (_, _, fuel) = (*state).saved();
        (*state).save((*code).entries[0], regs, fuel);
        match (*state).charge_entry((*code).entry_cost) {
            Ok(()) => Ok(run),
            Err(exit) => {
                (*state).exit = Some(exit);
                Err((exit, Some(run)))
            }
        }
    }
}

fn is_variadic(callable: &Callable<'_>) -> bool {
    callable.func().is_some_and(|(linked, func)| {
        let module = linked.module();
        module.func(func).signature.is_vararg()
    })
}

fn argument_types<'a>(callable: &'a Callable<'_>) -> &'a [crate::ir::Arg] {
    callable.func().map_or(&[], |(linked, func)| {
        let module = linked.module();
        module.args(&module.func(func).signature)
    })
}

fn result_types<'a>(callable: &'a Callable<'_>) -> &'a [Type] {
    callable.func().map_or(&[], |(linked, func)| {
        let module = linked.module();
        module.results(&module.func(func).signature)
    })
}

/// Makes room for results, and the code that the function returns to, which ends the run.
///
/// # Safety
///
/// As [`begin`].
unsafe fn set_up(
    state: *mut RunState,
    code: *const Code<'static>,
) -> Result<(Run, *const u64), Reason> {
    // SAFETY: by the caller's word; the area is ours once there is room for it.
    unsafe {
        let (mut top, depth) = ((*state).top, (*state).depth);
        let cells = (*code).result_cells as usize;
        let area = (8 * cells).next_multiple_of(ALIGN);
        let words = cells.div_ceil(2);
        let bytes = area + (8 * (words + 1)).next_multiple_of(ALIGN);
        if (*state).room() < bytes {
            (*state).open_segment(bytes, core::ptr::null(), 0)?;
            if top.is_null() {
                top = (*state).top;
            }
        }
        let results = (*state).top;
        let stub = results.add(area).cast::<u64>();
        for cell in 0..2 * words {
            stub.cast::<u32>().add(cell).write(8 * cell as u32);
        }
        stub.add(words)
            .write(((*state).head)(Op::Halt, (*state).charges));
        (*state).top = results.add(bytes);
        let run = Run {
            results,
            top,
            depth,
            code,
        };
        Ok((run, stub.cast_const()))
    }
}

/// Runs the machine until the run returns or stops.
///
/// # Safety
///
/// The state is that of the run, which waits to go on.
pub(super) unsafe fn drive(state: *mut RunState, run: &Run) {
    // SAFETY: by the caller's word; guard and entry live until this returns, and the words are
    // those of a `setjmp` in this run unless it was ended.
    unsafe {
        if let Some(told) = (*state).told.as_ref() {
            told.store(state.cast(), Ordering::Relaxed);
        }
        let Some(native) = (*(*state).context).native() else {
            return call_body(execute, state.cast());
        };
        let runs = (*(*state).context).runs();
        let (mut guard, mut entry) = (Guard::new(), link::Run::new(state.cast()));
        let (guard, entry) = (&raw mut guard, &raw mut entry);
        let is_outermost = (*state).run.is_null();
        if is_outermost {
            (*state).run = entry;
            runs.add(entry);
        }
        let listed = (*state).run;
        let outer = core::mem::replace(&mut (*listed).guard, guard);
        // Also if an exception ends the run.
        let _ending = OnExit(move || {
            (*listed).guard = outer;
            if is_outermost {
                (*state).run = core::ptr::null_mut();
                runs.remove(entry);
            }
        });
        let frame = (*listed).frame.load(Ordering::Relaxed);
        while native.guarded(guard, execute, state.cast()) {
            (*listed).guard = guard;
            (*listed).frame.store(frame, Ordering::Relaxed);
            // Both lie in this frame if the run began here.
            runs.forget_below(guard.addr().min(listed.addr()));
            if let Some(stopped) = (*listed).stopped.take() {
                (*state).stopped_in = Some(stopped);
                (*state).exit = Some(stopped.reason.of_caller());
                (*listed).callback_failed = false;
                break;
            }
            after_long_jump(state, (*guard).words, (*guard).value);
            (*state).depth = run.depth - frames_of(state, run).min(run.depth);
        }
    }
}

impl Run {
    /// Frees the run's part of the stack without taking its results.
    ///
    /// # Safety
    ///
    /// The state is that of the run, which does not go on.
    pub(super) unsafe fn give_up(&self, state: *mut RunState) {
        // SAFETY: by the caller's word.
        unsafe {
            (*state).unwind(self.top);
            (*state).depth = self.depth;
        }
    }
}

/// Returns the number of frames of the run.
///
/// # Safety
///
/// The state is saved in a frame of the run.
unsafe fn frames_of(state: *mut RunState, run: &Run) -> usize {
    // SAFETY: by the caller's word every frame has a header, and the run's results call the
    // outermost.
    unsafe {
        let (_, mut regs, _) = (*state).saved();
        let mut frames = 0;
        while regs != run.results && !regs.is_null() {
            regs = (*header(regs)).caller;
            frames += 1;
        }
        frames
    }
}

/// Takes the results of a run that returned, and its part of the stack.
///
/// # Safety
///
/// The run returned.
pub(super) unsafe fn end(state: *mut RunState, run: &Run, results: &mut [Value]) {
    // SAFETY: the cells are written; the code and its callable live as long as the context.
    unsafe {
        let mut cell = run.results.cast::<u64>();
        let types = result_types(&*(*run.code).callable);
        for (result, ty) in results.iter_mut().zip(types) {
            if ty.class() == Class::LongDouble {
                *result = cell.cast::<Value>().read_unaligned();
                cell = cell.add(2);
            } else {
                *result = Value::from_u64(cell.read());
                cell = cell.add(1);
            }
        }
        (*state).unwind(run.top);
    }
}

/// Takes the arguments of a call from native code, runs the function, and passes the results back.
///
/// # Safety
///
/// The callable belongs to the state's context; the call is one of its signature; the machine does
/// not run on this state but for the native call that this one comes from.
pub(super) unsafe fn receive(
    state: *mut RunState,
    callable: *const Callable<'static>,
    incoming: &mut Incoming,
) -> Result<(), (Reason, Option<Location>)> {
    // SAFETY: by the caller's word.
    unsafe {
        let context = &*(*state).context;
        let mut at = None;
        let code = code_of(context, &*callable, (*state).head).map_err(anywhere)?;
        let plan = (*code).incoming_plan(context).map_err(anywhere)?;
        let (module, func) = (*callable).func().ok_or(anywhere(Reason::Signature))?;
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
                // An exception that ends the run leaves its part of the stack.
                let thrown = OnExit(move || run.give_up(state));
                drive(state, &run);
                core::mem::forget(thrown);
                let exit = (*state).exit;
                if exit.is_none() {
                    end(state, &run, results);
                } else {
                    at = place_of(state);
                    note_inner(state, &run, callable);
                    run.give_up(state);
                }
                exit
            }
            Err((exit, run)) => {
                if let Some(run) = run {
                    at = place_of(state);
                    note_inner(state, &run, callable);
                    run.give_up(state);
                }
                Some(exit)
            }
        };
        (*plan).give(incoming, &received, results);
        match ran {
            None => Ok(()),
            Some(exit) => Err((exit, at)),
        }
    }
}

/// Notes the frames of a confined program's run that stopped.
///
/// # Safety
///
/// The state is that of the run.
pub(super) unsafe fn note_frames(state: *const RunState, run: &Run, trace: &Trace) {
    // SAFETY: by the caller's word every frame has a header, and the run's results call the
    // outermost; code lives as long as its context.
    unsafe {
        let (mut pc, mut regs, _) = (*state).saved();
        let mut exit = (*state).exit;
        while regs != run.results && !regs.is_null() && !trace.is_cut() {
            let header = header(regs).read();
            // An adapter between two functions is none of them.
            if let Some(code) = header.code.as_ref() {
                let insn = code.place(pc, exit);
                let number = insn.and_then(|insn| code.number_of(insn));
                trace.push(code.callable.addr(), number);
            }
            exit = None;
            pc = (*state).return_place(header.return_pc).wrapping_sub(1);
            regs = header.caller;
        }
    }
}

/// Notes the frames of a run that native code called: who called that is not known.
///
/// # Safety
///
/// As [`note_frames`]; the callable lives.
unsafe fn note_inner(state: *const RunState, run: &Run, callable: *const Callable<'static>) {
    // SAFETY: by the caller's word.
    unsafe {
        if let Some((linked, _)) = (*callable).func()
            && let Some(trace) = linked.trace()
        {
            note_frames(state, run, trace);
            trace.cut();
        }
    }
}

/// Calls a function of a confined program in the middle of a run of it, for a closure that the run
/// called.
///
/// # Safety
///
/// `state` is what [`Interpreter::run_confined`](super::Interpreter) told, which runs and waits for
/// the closure; the callable is a function of its context.
pub(crate) unsafe fn call_inside(
    state: *mut (),
    callable: &Callable<'_>,
    arguments: &[Value],
    results: &mut [Value],
) -> Result<(), Stopped> {
    let (state, callable) = (state.cast::<RunState>(), erase(callable));
    // SAFETY: by the caller's word.
    unsafe {
        let trace = { callable.as_ref() }.and_then(|callable| callable.func()?.0.trace());
        let saved = (*state).saved();
        let outer = ((*state).exit, (*state).pending, (*state).stopped_in.take());
        let (run, exit) = match begin(state, callable, arguments, None) {
            Ok(run) => {
                (*state).exit = None;
                drive(state, &run);
                (Some(run), (*state).exit)
            }
            Err((exit, run)) => (run, Some(exit)),
        };
        let ended = match (run, exit) {
            (Some(run), None) => {
                end(state, &run, results);
                Ok(())
            }
            (run, exit) => {
                let place = run.and_then(|_| place_of(state));
                if let Some(run) = run {
                    trace.inspect(|trace| note_frames(state, &run, trace));
                    run.give_up(state);
                }
                Err((*state).stopped_in.unwrap_or(Stopped {
                    reason: exit.unwrap_or(Reason::Invalid),
                    callable: place.map_or(callable, |place| place.0).addr(),
                    instruction: place.map(|place| place.1),
                }))
            }
        };
        let (_, _, fuel) = (*state).saved();
        (*state).save(saved.0, saved.1, fuel);
        ((*state).exit, (*state).pending, (*state).stopped_in) = outer;
        ended
    }
}

/// A function, and the number of an instruction in it.
type Location = (*const Callable<'static>, u32);

/// Returns a failure before the function ran.
fn anywhere(exit: Reason) -> (Reason, Option<Location>) {
    (exit, None)
}

/// Returns the place where a run stopped.
///
/// # Safety
///
/// The state is saved in a frame.
unsafe fn place_of(state: *mut RunState) -> Option<Location> {
    // SAFETY: by the caller's word the frame has a header; code lives as long as its context.
    unsafe {
        let (pc, regs, _) = (*state).saved();
        let code = (*header(regs)).code;
        let (linked, func) = (*(*code).callable).func()?;
        let insn = (*code).place(pc, (*state).exit)?;
        let number = linked
            .module()
            .insns(func)
            .position(|other| other == insn)?;
        Some(((*code).callable, number as u32))
    }
}
