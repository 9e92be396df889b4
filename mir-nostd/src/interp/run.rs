//! Running functions.

use super::call::{after_long_jump, place_of};
use super::code::{Code, Op};
use super::decode::code_of;
use super::dispatch::{execute, head};
use super::fault::{Exit, Frame, Stop};
use super::frame::{ALIGN, State, header};
use crate::ir::{Class, Type};
use crate::link::{self, Callable, Context, Reason, Stopped};
use crate::mem::{OutOfMemory, Vec};
use crate::target::{Guard, Value, VariableArguments};
use core::fmt;
use core::sync::atomic::Ordering;

/// The limits of an interpreter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The most bytes of the interpreter's stack.
    pub stack: usize,
    /// The most calls of interpreted functions inside each other. Compiled code keeps to a limit of its stack instead
    /// (`run::Options::stack_limit`).
    pub depth: usize,
    /// The fuel at the start; it is only used up where [`super::Engine::with_fuel`] is the context's engine.
    pub fuel: u64,
}

impl Default for Options {
    /// 64 MiB of stack, a million calls, fuel without end.
    fn default() -> Options {
        Options {
            stack: 64 << 20,
            depth: 1_000_000,
            fuel: u64::MAX,
        }
    }
}

/// Runs functions of a context, one at a time. Every thread that runs functions has its own.
pub struct Interpreter<'c, 'm> {
    /// Refers to the context.
    state: State,
    context: &'c Context<'m>,
    /// A cell for each hard register of the target; the state points to them.
    _hard_cells: Vec<'m, [u64; 2]>,
    depth: usize,
    /// The run that stopped and may be resumed.
    stopped: Option<Run>,
}

/// A call from outside: where its results will be, and how the stack was before.
#[derive(Clone, Copy)]
pub(super) struct Run {
    /// The cells for results, which stand for the caller's frame.
    results: *mut u8,
    /// The top of the stack before.
    top: *mut u8,
    /// The depth that was left before.
    depth: usize,
    code: *const Code<'static>,
}

impl<'c, 'm> Interpreter<'c, 'm> {
    /// An interpreter for the functions of a context.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn new(context: &'c Context<'m>, options: Options) -> Result<Self, OutOfMemory> {
        context.settle();
        Interpreter::with(context, options, context.counts_fuel())
    }

    /// An interpreter for functions that run while their module is linked, which charge fuel with every engine.
    pub(super) fn for_link(context: &'c Context<'m>, fuel: u64) -> Result<Self, OutOfMemory> {
        let options = Options {
            fuel,
            ..Options::default()
        };
        Interpreter::with(context, options, true)
    }

    fn with(
        context: &'c Context<'m>,
        options: Options,
        counts_fuel: bool,
    ) -> Result<Self, OutOfMemory> {
        let allocator = context.allocator();
        let mut hard_cells = Vec::new(allocator);
        hard_cells.resize(context.target().registers.len(), [0; 2])?;
        let mut state = State::new(
            core::ptr::from_ref(context).cast(),
            context.target().long_double,
            counts_fuel,
            hard_cells.as_mut_ptr(),
        );
        state.set_stack_limit(options.stack);
        state.set_fuel(options.fuel);
        Ok(Interpreter {
            state,
            context,
            _hard_cells: hard_cells,
            depth: options.depth,
            stopped: None,
        })
    }

    /// Calls a function with these arguments, one value each, and waits for its results, one value each. Blocks are
    /// passed as their address, and belong to the function. A run that stopped before is given up.
    ///
    /// # Errors
    ///
    /// Why and where the run stopped. If [`Reason::can_resume`] says so it can go on. [`Reason::NotLinked`] if the function is
    /// one of another context, or its module is not linked; the run that stopped before is still there then.
    pub fn run(
        &mut self,
        callable: &Callable<'m>,
        arguments: &[Value],
        results: &mut [Value],
    ) -> Result<(), Stop<'c, 'm>> {
        if !callable.runs_in(self.context) {
            let reason = Reason::NotLinked;
            return Err(Stop { reason, at: None });
        }
        self.give_up();
        self.state.depth = self.depth;
        let state = &raw mut self.state;
        // SAFETY: the callable belongs to the context, as was just seen, and this interpreter, which is borrowed, runs nothing.
        let begun = unsafe { begin(state, erase(callable), arguments, None) };
        match begun {
            Ok(run) => self.go_on(run, results),
            Err((exit, run)) => {
                self.stopped = run;
                Err(self.stop(exit))
            }
        }
    }

    /// Goes on with a run that stopped for want of fuel, depth, stack or memory. If there still is too little it stops
    /// at the same place again.
    ///
    /// # Errors
    ///
    /// As [`Interpreter::run`]; [`Reason::Invalid`] if there is nothing to go on with.
    pub fn resume(&mut self, results: &mut [Value]) -> Result<(), Stop<'c, 'm>> {
        let waits = self.state.exit.reason().is_some_and(Reason::can_resume);
        let Some(run) = self.stopped.filter(|_| waits) else {
            return Err(Stop {
                reason: Reason::Invalid,
                at: None,
            });
        };
        if self.state.exit == Exit::Fuel
            && let Err(exit) = self.state.charge_entry(self.state.pending)
        {
            return Err(self.stop(exit));
        }
        self.go_on(run, results)
    }

    /// The fuel that is left.
    #[must_use]
    pub fn fuel(&self) -> u64 {
        self.state.saved().2
    }

    /// Sets the fuel that is left.
    pub fn set_fuel(&mut self, fuel: u64) {
        self.state.set_fuel(fuel);
    }

    /// Sets how many calls there may be inside each other, those included that are under way in a run that stopped.
    pub fn set_depth(&mut self, depth: usize) {
        let used = self.depth.saturating_sub(self.state.depth);
        self.depth = depth;
        self.state.depth = depth.saturating_sub(used);
    }

    /// Sets how many bytes of stack there may be.
    pub fn set_stack(&mut self, bytes: usize) {
        self.state.set_stack_limit(bytes);
    }

    /// Tells `each` the frames of the run that stopped, the innermost first, until it says false.
    pub fn backtrace(&self, mut each: impl FnMut(Frame<'c, 'm>) -> bool) {
        let Some(run) = self.stopped else {
            return;
        };
        if let Some(frame) = self.compiled_frame()
            && !each(frame)
        {
            return;
        }
        let (mut pc, mut regs, _) = self.state.saved();
        while regs != run.results && !regs.is_null() {
            // SAFETY: frames of a stopped run stay until the next run; each has a header, and the outermost is called
            // by the cells for results.
            let (frame, header) = unsafe {
                let header = header(regs).read();
                let is_adapter = header.code.is_null();
                ((!is_adapter).then(|| Frame::new(header.code, pc)), header)
            };
            // An adapter between two functions is none of them.
            if let Some(frame) = frame
                && !frame.is_some_and(&mut each)
            {
                return;
            }
            pc = header.return_pc.wrapping_sub(1);
            regs = header.caller;
        }
    }

    /// Where compiled code stopped that the run called.
    fn compiled_frame(&self) -> Option<Frame<'c, 'm>> {
        let stopped = self.state.stopped_in?;
        let callable = core::ptr::with_exposed_provenance::<Callable<'m>>(stopped.callable);
        // SAFETY: compiled code and its routines give the address of a callable of the context, or 0.
        let callable: &'c Callable<'m> = unsafe { callable.as_ref() }?;
        let (linked, func) = callable.func()?;
        let module = linked.module();
        let number = stopped.instruction.map(|number| number as usize);
        let insn = number.and_then(|number| module.insns(func).nth(number));
        Some(Frame { module, func, insn })
    }

    /// Runs code without arguments and gives its first result. A run that stopped before is given up.
    pub(super) fn evaluate(&mut self, code: &Code<'m>) -> Result<Value, Exit> {
        self.give_up();
        self.state.depth = self.depth;
        let mut results = [Value::ZERO];
        let code = core::ptr::from_ref(code).cast();
        // SAFETY: the engine passes code of a function of this context, without arguments, and keeps it.
        match unsafe { enter(&raw mut self.state, code, &[], None) } {
            Ok(run) => match self.go_on(run, &mut results) {
                Ok(()) => Ok(results[0]),
                Err(_) => Err(self.state.exit),
            },
            Err((exit, run)) => {
                self.stopped = run;
                Err(exit)
            }
        }
    }

    /// Runs a function that native code called, which no run of this context called.
    ///
    /// # Safety
    ///
    /// As [`super::engine::receive`].
    pub(super) unsafe fn receive(
        &mut self,
        callable: *const Callable<'static>,
        incoming: &mut crate::target::Incoming,
    ) -> Result<(), Stopped> {
        self.state.depth = self.depth;
        self.state.stopped_in = None;
        // SAFETY: by the caller's word.
        let received = unsafe { super::engine::receive(&raw mut self.state, callable, incoming) };
        received.map_err(|(exit, at)| {
            let place = at.map(|(callable, number)| (callable.addr(), Some(number)));
            let (callable, instruction) = place.unwrap_or((callable.addr(), None));
            let stopped = Stopped {
                reason: exit.reason().unwrap_or(Reason::Invalid),
                callable,
                instruction,
            };
            self.state.stopped_in.unwrap_or(stopped)
        })
    }

    fn go_on(&mut self, run: Run, results: &mut [Value]) -> Result<(), Stop<'c, 'm>> {
        self.stopped = Some(run);
        self.state.stopped_in = None;
        let state = &raw mut self.state;
        // SAFETY: the state is that of a run that waits to go on, and this interpreter is borrowed for as long as it
        // runs.
        unsafe { drive(state, &run) };
        match self.state.exit {
            Exit::Returned => {
                // SAFETY: the run returned, so the cells for results are written.
                unsafe { end(state, &run, results) };
                self.stopped = None;
                Ok(())
            }
            exit => Err(self.stop(exit)),
        }
    }

    /// Gives the run up that stopped.
    fn give_up(&mut self) {
        if let Some(run) = self.stopped.take() {
            // SAFETY: the top was that before the run, whose frames are not used again.
            unsafe { self.state.unwind(run.top) };
        }
    }

    fn stop(&self, exit: Exit) -> Stop<'c, 'm> {
        let mut at = None;
        self.backtrace(|frame| {
            at = Some(frame);
            false
        });
        Stop {
            reason: exit.reason().unwrap_or(Reason::Invalid),
            at,
        }
    }
}

impl Drop for Interpreter<'_, '_> {
    fn drop(&mut self) {
        // SAFETY: the allocator outlives the context, and no run is under way.
        unsafe { self.state.free_stack() };
    }
}

impl fmt::Debug for Interpreter<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Interpreter")
            .field("fuel", &self.fuel())
            .finish_non_exhaustive()
    }
}

/// The callable as the machine sees it.
pub(super) fn erase(callable: &Callable<'_>) -> *const Callable<'static> {
    core::ptr::from_ref(callable).cast()
}

/// Prepares a call from outside. On failure the run is given too if it can be resumed.
///
/// # Safety
///
/// The callable belongs to the state's context, and the machine does not run on this state, but for a native call.
pub(super) unsafe fn begin(
    state: *mut State,
    callable: *const Callable<'static>,
    arguments: &[Value],
    variable: Option<&VariableArguments>,
) -> Result<Run, (Exit, Option<Run>)> {
    // SAFETY: by the caller's word.
    unsafe {
        let code = code_of(&*(*state).context, &*callable).map_err(|exit| (exit, None))?;
        enter(state, code, arguments, variable)
    }
}

/// Prepares a call of decoded code from outside, as [`begin`] does.
///
/// # Safety
///
/// The code is of a function of the state's context, and lives as long as the run. Otherwise as [`begin`].
unsafe fn enter(
    state: *mut State,
    code: *const Code<'static>,
    arguments: &[Value],
    variable: Option<&VariableArguments>,
) -> Result<Run, (Exit, Option<Run>)> {
    // SAFETY: by the caller's word.
    unsafe {
        let callable = (*code).callable;
        let types = argument_types(&*callable);
        if arguments.len() < types.len() {
            return Err((Exit::Signature, None));
        }
        let run = set_up(state, code).map_err(|exit| (exit, None))?;
        let pushed = (*state).push_frame(code, run.1, run.0.results);
        let run = run.0;
        let Some(regs) = pushed else {
            let exit = (*state).exit;
            (*state).unwind(run.top);
            return Err((exit, None));
        };
        write_arguments(regs, types, arguments);
        if let Some(variable) = variable {
            let at = (*code).variable_at as usize;
            regs.add(at).cast::<VariableArguments>().write(*variable);
        } else if is_variadic(&*callable) {
            let at = (*code).variable_at as usize;
            let none = super::call::no_variable_arguments(&*(*state).context);
            regs.add(at).cast::<VariableArguments>().write(none);
        }
        let (_, _, fuel) = (*state).saved();
        (*state).save((*code).entries[0], regs, fuel);
        match (*state).charge_entry((*code).entry_cost) {
            Ok(()) => Ok(run),
            Err(exit) => {
                (*state).exit = exit;
                Err((exit, Some(run)))
            }
        }
    }
}

/// Writes the values of arguments to the cells of a new frame.
///
/// # Safety
///
/// `regs` are the cells of a frame of a function that takes these arguments.
pub(super) unsafe fn write_arguments(regs: *mut u8, types: &[crate::ir::Arg], values: &[Value]) {
    let mut cells = 0;
    for (arg, &value) in types.iter().zip(values) {
        let (at, end) = place_of(cells, arg.ty);
        cells = end;
        // SAFETY: by the caller's word the frame has the cells.
        unsafe {
            let cell = regs.cast::<u64>().add(at as usize);
            if arg.ty.class() == Class::LongDouble {
                cell.cast::<Value>().write(value);
            } else {
                cell.write(value.u64());
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
unsafe fn set_up(state: *mut State, code: *const Code<'static>) -> Result<(Run, *const u64), Exit> {
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
        stub.add(words).write(head(Op::Halt, false));
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
pub(super) unsafe fn drive(state: *mut State, run: &Run) {
    // SAFETY: by the caller's word; guard and entry live until this returns, and the words are those of a `setjmp` in
    // this run unless it was ended.
    unsafe {
        let Some(native) = (*(*state).context).native() else {
            return execute(state.cast());
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
        let frame = (*listed).frame.load(Ordering::Relaxed);
        while native.guarded(guard, execute, state.cast()) {
            (*listed).guard = guard;
            (*listed).frame.store(frame, Ordering::Relaxed);
            // Both lie in this frame if the run began here.
            runs.forget_below(guard.addr().min(listed.addr()));
            if let Some(stopped) = (*listed).stopped.take() {
                (*state).stopped_in = Some(stopped);
                (*state).exit = Exit::of_call(stopped.reason);
                (*listed).callback_failed = false;
                break;
            }
            after_long_jump(state, (*guard).words, (*guard).value);
            (*state).depth = run.depth - frames_of(state, run).min(run.depth);
        }
        (*listed).guard = outer;
        if is_outermost {
            (*state).run = core::ptr::null_mut();
            runs.remove(entry);
        }
    }
}

impl Run {
    /// Gives the run's part of the stack back without its results.
    ///
    /// # Safety
    ///
    /// The state is that of the run, which does not go on.
    pub(super) unsafe fn give_up(&self, state: *mut State) {
        // SAFETY: by the caller's word.
        unsafe {
            (*state).unwind(self.top);
            (*state).depth = self.depth;
        }
    }
}

/// How many frames the run has.
///
/// # Safety
///
/// The state is saved in a frame of the run.
unsafe fn frames_of(state: *mut State, run: &Run) -> usize {
    // SAFETY: by the caller's word every frame has a header, and the run's results call the outermost.
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
pub(super) unsafe fn end(state: *mut State, run: &Run, results: &mut [Value]) {
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
