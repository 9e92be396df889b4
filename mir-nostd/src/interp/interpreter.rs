//! Interpreters: each runs functions of a context, one at a time.

use super::code::{Code, Fuel};
use super::dispatch::head;
use super::frame::{RunState, header};
use super::run::{Run, begin, drive, end, enter, erase, note_frames, receive};
use super::stop::{Frame, Stop};
use crate::link::{Callable, Context, Reason, Stopped};
use crate::mem::{OutOfMemory, Vec};
use crate::target::{Incoming, Value};
use core::fmt;
use core::sync::atomic::{AtomicPtr, AtomicU64};

/// The limits of an interpreter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The most bytes of the interpreter's stack.
    pub stack: usize,
    /// The most calls of interpreted functions inside each other. Compiled code keeps to a limit of
    /// its stack instead (`run::Options::stack_limit`).
    pub depth: usize,
    /// The fuel at the start; it is only used up where [`super::Engine::with_fuel`] is the
    /// context's engine.
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
    state: RunState,
    context: &'c Context<'m>,
    /// A cell for each hard register of the target; the state points to them.
    _hard_cells: Vec<'m, [u64; 2]>,
    depth: usize,
    /// The run that stopped and may be resumed.
    stopped: Option<Run>,
}

impl<'c, 'm> Interpreter<'c, 'm> {
    /// Returns an interpreter for the functions of a context.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn new(context: &'c Context<'m>, options: Options) -> Result<Self, OutOfMemory> {
        context.settle();
        Interpreter::with(context, options, Fuel::of(context))
    }

    /// Returns an interpreter for functions that run while their module is linked, which charge
    /// fuel with every engine.
    pub(super) fn for_link(context: &'c Context<'m>, fuel: u64) -> Result<Self, OutOfMemory> {
        let options = Options {
            fuel,
            ..Options::default()
        };
        Interpreter::with(context, options, Fuel::Charged)
    }

    pub(super) const fn context(&self) -> &'c Context<'m> {
        self.context
    }

    fn with(
        context: &'c Context<'m>,
        options: Options,
        charges: Fuel,
    ) -> Result<Self, OutOfMemory> {
        let allocator = context.allocator();
        let mut hard_cells = Vec::new(allocator);
        hard_cells.resize(context.target().registers.len(), [0; 2])?;
        let mut state = RunState::new(
            core::ptr::from_ref(context).cast(),
            context.target().long_double,
            charges,
            hard_cells.as_mut_ptr(),
            head,
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

    /// Calls a function with these arguments, one value each, and waits for its results, one value
    /// each. Blocks are passed as their address, and belong to the function. A run that stopped
    /// before is given up.
    ///
    /// # Errors
    ///
    /// Why and where the run stopped. If [`Reason::can_resume`] says so it can go on.
    /// [`Reason::NotLinked`] if the function is one of another context, or its module is not
    /// linked; the run that stopped before is still there then.
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
        self.start(callable, arguments, results)
    }

    /// Calls a function of a confined program, which sees to it that nothing else of it runs. The
    /// state is there for [`call_inside`](super::call_inside) while it runs.
    ///
    /// # Errors
    ///
    /// As [`Interpreter::run`].
    pub(crate) fn run_confined(
        &mut self,
        callable: &Callable<'m>,
        arguments: &[Value],
        results: &mut [Value],
        state: &AtomicPtr<()>,
    ) -> Result<(), Stop<'c, 'm>> {
        if !callable.runs_confined_in(self.context) {
            let reason = Reason::NotLinked;
            return Err(Stop { reason, at: None });
        }
        self.state.told = state;
        let run = self.start(callable, arguments, results);
        self.state.told = core::ptr::null();
        if let (Err(_), Some((linked, _))) = (&run, callable.func())
            && let Some(trace) = linked.trace()
        {
            // Frames that compiled code added come first.
            // SAFETY: frames of a stopped run stay until the next run.
            self.stopped
                .inspect(|stopped| unsafe { note_frames(&raw const self.state, stopped, trace) });
        }
        run
    }

    fn start(
        &mut self,
        callable: &Callable<'m>,
        arguments: &[Value],
        results: &mut [Value],
    ) -> Result<(), Stop<'c, 'm>> {
        self.give_up();
        self.state.depth = self.depth;
        let state = &raw mut self.state;
        // SAFETY: the callable belongs to the context, as was just seen, and this interpreter,
        // which is borrowed, runs nothing.
        let begun = unsafe { begin(state, erase(callable), arguments, None) };
        match begun {
            Ok(run) => self.go_on(run, results),
            Err((exit, run)) => {
                self.stopped = run;
                Err(self.stop(exit))
            }
        }
    }

    /// Goes on with a run that stopped for want of fuel, depth, stack or memory. If there still is
    /// too little it stops at the same place again.
    ///
    /// # Errors
    ///
    /// As [`Interpreter::run`]; [`Reason::Invalid`] if there is nothing to go on with.
    pub fn resume(&mut self, results: &mut [Value]) -> Result<(), Stop<'c, 'm>> {
        let waits = self.state.exit.is_some_and(Reason::can_resume);
        let Some(run) = self.stopped.filter(|_| waits) else {
            return Err(Stop {
                reason: Reason::Invalid,
                at: None,
            });
        };
        if self.state.exit == Some(Reason::OutOfFuel)
            && let Err(exit) = self.state.charge_entry(self.state.pending)
        {
            return Err(self.stop(exit));
        }
        self.go_on(run, results)
    }

    /// Returns the fuel that is left.
    #[must_use]
    pub fn fuel(&self) -> u64 {
        self.state.saved().2
    }

    /// Sets the fuel that is left.
    pub fn set_fuel(&mut self, fuel: u64) {
        self.state.set_fuel(fuel);
    }

    /// Sets how many calls there may be inside each other, those included that are under way in a
    /// run that stopped.
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
        let mut exit = self.state.exit;
        while regs != run.results && !regs.is_null() {
            // SAFETY: frames of a stopped run stay until the next run; each has a header, and the
            // outermost is called by the cells for results.
            let (frame, header) = unsafe {
                let header = header(regs).read();
                let is_adapter = header.code.is_null();
                let frame = (!is_adapter).then(|| Frame::new(header.code, pc, exit));
                (frame, header)
            };
            exit = None;
            // An adapter between two functions is none of them.
            if let Some(frame) = frame
                && !frame.is_some_and(&mut each)
            {
                return;
            }
            // SAFETY: the frame is on the stack.
            pc = unsafe { self.state.return_place(header.return_pc) }.wrapping_sub(1);
            regs = header.caller;
        }
    }

    /// Returns the place where compiled code stopped that the run called.
    fn compiled_frame(&self) -> Option<Frame<'c, 'm>> {
        let stopped = self.state.stopped_in?;
        let callable = core::ptr::with_exposed_provenance::<Callable<'m>>(stopped.callable);
        // SAFETY: compiled code and its routines pass the address of a callable of the context, or
        // 0.
        let callable: &'c Callable<'m> = unsafe { callable.as_ref() }?;
        let (linked, func) = callable.func()?;
        let module = linked.module();
        let number = stopped.instruction.map(|number| number as usize);
        let insn = number.and_then(|number| module.insns(func).nth(number));
        Some(Frame { module, func, insn })
    }

    /// Runs code without arguments and returns its first result. A run that stopped before is given
    /// up.
    pub(super) fn evaluate(&mut self, code: &Code<'m>) -> Result<Value, Reason> {
        self.give_up();
        self.state.depth = self.depth;
        let mut results = [Value::ZERO];
        let code = core::ptr::from_ref(code).cast();
        // SAFETY: the engine passes code of a function of this context, without arguments, and
        // keeps it.
        match unsafe { enter(&raw mut self.state, code, &[], None) } {
            Ok(run) => match self.go_on(run, &mut results) {
                Ok(()) => Ok(results[0]),
                Err(stop) => Err(stop.reason),
            },
            Err((exit, run)) => {
                self.stopped = run;
                Err(exit)
            }
        }
    }

    /// Runs a function that native code called, which no run of this context called, with the fuel
    /// in a word, unless that is null.
    ///
    /// # Safety
    ///
    /// As [`receive`]; the word stays until the function returns.
    pub(super) unsafe fn receive(
        &mut self,
        callable: *const Callable<'static>,
        incoming: &mut Incoming,
        fuel: *const AtomicU64,
    ) -> Result<(), Stopped> {
        self.state.fuel_word = fuel;
        self.state.take_fuel_back();
        self.state.depth = self.depth;
        self.state.stopped_in = None;
        // SAFETY: by the caller's word.
        let received = unsafe { receive(&raw mut self.state, callable, incoming) };
        self.state.lend_fuel();
        self.state.fuel_word = core::ptr::null();
        received.map_err(|(exit, at)| {
            let place = at.map(|(callable, number)| (callable.addr(), Some(number)));
            let (callable, instruction) = place.unwrap_or((callable.addr(), None));
            let stopped = Stopped {
                reason: exit,
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
        // SAFETY: the state is that of a run that waits to go on, and this interpreter is borrowed
        // for as long as it runs.
        unsafe { drive(state, &run) };
        match self.state.exit {
            None => {
                // SAFETY: the run returned, so the cells for results are written.
                unsafe { end(state, &run, results) };
                self.stopped = None;
                Ok(())
            }
            Some(exit) => Err(self.stop(exit)),
        }
    }

    /// Abandons the run that stopped.
    fn give_up(&mut self) {
        if let Some(run) = self.stopped.take() {
            // SAFETY: the run waits, and is not gone on with.
            unsafe { run.give_up(&raw mut self.state) };
        }
    }

    fn stop(&self, exit: Reason) -> Stop<'c, 'm> {
        let mut at = None;
        self.backtrace(|frame| {
            at = Some(frame);
            false
        });
        Stop { reason: exit, at }
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
