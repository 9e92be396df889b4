//! Runs of confined programs, in each engine.

use super::caller::Callee;
use super::fault::{Backtrace, Fault, Frame, Function};
use super::linkage::Linkage;
use super::linked::Linked;
use super::program::{Part, Program};
use super::rewrite::local_name;
use super::session::{Running, Session};
use super::space::Space;
use crate::codegen;
use crate::link::{Context, Reason};
use crate::mem::{Entity, OutOfMemory};
use crate::run::Jit;
use crate::target::Value;
use core::ffi::CStr;
use core::sync::atomic::{AtomicPtr, Ordering};

impl<'c, 'm> Program<'c, 'm> {
    /// Calls a function in the interpreter, by the name that a module exports or by its value, with
    /// at most this fuel; [`Program::fuel`] tells what is left of it.
    ///
    /// # Errors
    ///
    /// The reason and the place of the fault; another call may be made then.
    pub fn interpret<'n>(
        &mut self,
        callee: impl Into<Callee<'n>>,
        arguments: &[Value],
        results: &mut [Value],
        fuel: u64,
    ) -> Result<(), Fault> {
        let callable = (self.linked()).callable(callee.into(), arguments, results)?;
        self.begin()?;
        self.interpreter.set_fuel(fuel);
        let linked = linked(
            self.context,
            self.space,
            &self.parts,
            &self.linkage,
            &self.functions,
        );
        let state = AtomicPtr::default();
        let session = Session::new(linked, Running::Interpreted(&state));
        self.space.enter(&session);
        let run = (self.interpreter).run_confined(callable, arguments, results, &state);
        let fault = run.err().map(|stop| match stop.at {
            None => Fault::new(stop.reason),
            Some(frame) => {
                let insn = frame.insn.map(|insn| insn.index());
                linked.fault(stop.reason, frame.module, frame.func, insn)
            }
        });
        let fault = fault.map(|fault| session.fault_of_run(fault));
        self.space.end();
        self.end(fault)
    }

    /// Calls a function, as [`Program::interpret`] does, through a compiler of the program's
    /// context, in whose code it is where it was compiled. Fuel is that of the compiler.
    ///
    /// # Errors
    ///
    /// The reason and the place of the fault; another call may be made then.
    /// [`Reason::NotLinked`] if the compiler is one of another context, or was made without fuel or
    /// without a limit of the stack.
    #[expect(unsafe_code, reason = "rewriting vouches for the program")]
    pub fn run<'n>(
        &mut self,
        jit: &Jit<'c, 'm>,
        callee: impl Into<Callee<'n>>,
        arguments: &[Value],
        results: &mut [Value],
    ) -> Result<(), Fault> {
        let callable = (self.linked()).callable(callee.into(), arguments, results)?;
        if !jit.can_confine(self.context) {
            return Err(Fault::new(Reason::NotLinked));
        }
        self.begin()?;
        let session = Session::new(self.linked(), Running::Compiled(jit));
        self.space.enter(&session);
        // SAFETY: what was rewritten keeps to its space, which nobody else uses now, and to the
        // limits of fuel and stack.
        let run = unsafe { jit.call_confined(callable, arguments, results) };
        let fault = run.err().map(|error| session.linked.fault_of_call(error));
        let fault = fault.map(|fault| session.fault_of_run(fault));
        self.space.end();
        self.end(fault)
    }

    /// Returns the program as it was linked.
    fn linked(&self) -> Linked<'_, 'c, 'm> {
        linked(
            self.context,
            self.space,
            &self.parts,
            &self.linkage,
            &self.functions,
        )
    }

    /// Ends a run, with a fault if it faulted.
    const fn end(&mut self, fault: Option<Fault>) -> Result<(), Fault> {
        self.fault = fault;
        match fault {
            None => Ok(()),
            Some(fault) => Err(fault),
        }
    }

    /// Returns the calls that were under way when the last run faulted; none if it did not.
    #[must_use]
    pub fn backtrace(&self) -> Backtrace {
        let mut backtrace = Backtrace::default();
        let Some(fault) = self.fault else {
            return backtrace;
        };
        if self.space.options.windows && fault.address().is_some() {
            // The routine that looks for windows does not know who called whom.
            let frame = fault.function.map(|function| Frame {
                function,
                instruction: fault.instruction,
            });
            backtrace.frames.extend(frame);
            backtrace.is_cut = true;
            return backtrace;
        }
        let (this, trace) = (self.linked(), self.space.trace());
        backtrace.is_cut = trace.is_cut();
        for (callable, insn) in trace.frames() {
            let frame = this.find(callable).map(|(number, linked, func)| Frame {
                function: Function {
                    module: number as u32,
                    func,
                },
                instruction: insn.and_then(|insn| this.origin(number, linked, func, insn)),
            });
            let Some(frame) = frame.filter(|_| !backtrace.frames.is_full()) else {
                backtrace.is_cut = true;
                break;
            };
            // There is room.
            let _ = backtrace.frames.push(frame);
        }
        if let (Some(frame), Some(function)) = (backtrace.frames.first_mut(), fault.function)
            && frame.function == function
        {
            // The place of the fault is that of its block if fuel is used up.
            frame.instruction = fault.instruction;
        }
        backtrace
    }

    /// Returns the name of a function.
    #[must_use]
    pub fn name(&self, function: Function) -> &'c [u8] {
        let name = self.terminated_name(function);
        name.strip_suffix(&[0]).unwrap_or(name)
    }

    /// Returns the name of a function, up to its first NUL, for C.
    #[must_use]
    pub fn c_name(&self, function: Function) -> &'c CStr {
        CStr::from_bytes_until_nul(self.terminated_name(function)).unwrap_or_default()
    }

    /// Returns the name of a function with the NUL after it, or nothing.
    fn terminated_name(&self, function: Function) -> &'c [u8] {
        let context: &'c Context<'m> = self.context;
        let part = self.parts.get(function.module as usize);
        let Some(linked) = part.and_then(|part| context.module(part.number)) else {
            return b"";
        };
        let module = linked.module();
        if function.func.index() >= module.funcs().len() {
            return b"";
        }
        let name = module.item(module.func(function.func).item).name;
        name.map_or(b"", |name| local_name(module.str_bytes(name)))
    }

    /// Compiles all functions of the program that are not compiled yet. Those that cannot be
    /// compiled stay with the interpreter, and `left` is told why.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn compile(
        &self,
        jit: &Jit<'c, 'm>,
        left: &mut dyn FnMut(Function, codegen::Error),
    ) -> Result<(), OutOfMemory> {
        for (module, part) in (0..).zip(&self.parts) {
            if let Some(linked) = self.context.module(part.number) {
                let left = &mut |func, error| left(Function { module, func }, error);
                jit.compile_module(linked, left)?;
            }
        }
        Ok(())
    }

    /// Returns the values of the constructors of all modules, for [`Program::interpret`] and
    /// [`Program::run`], in the order in which they must run before `main`
    /// ([`FunctionList`](crate::ir::FunctionList)), once the program is linked.
    ///
    /// ```
    /// # use mir_nostd::confined::{Options, Program, Space};
    /// # use mir_nostd::interp::Engine;
    /// # use mir_nostd::ir::Error;
    /// # use mir_nostd::link::{Context, ContextOptions};
    /// # use mir_nostd::target::Value;
    /// # use mir_nostd::verify::Verified;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let system = testkit::SystemAllocator;
    /// # let target = &target_x86_64::TARGET;
    /// let text = b"m: module
    /// export main
    /// seen: i64 1
    /// increase: func
    ///  local i64:p
    ///  mov p, seen
    ///  add i64:(p), i64:(p), 1
    /// endfunc
    /// .init_array: ref increase
    /// main: func i64
    ///  local i64:p
    ///  mov p, seen
    ///  ret i64:(p)
    /// endfunc
    /// endmodule
    /// ";
    /// # let module = mir_nostd::text::parse(text, &system, target.long_double, &mut |_| {});
    /// # let module = module?.pop().ok_or("no module")?;
    /// # let mut memory = [0; 4096];
    /// # let space = Space::new(&system, &mut memory, Options::default())?;
    /// # let engine = Engine::with_fuel();
    /// # let context = Context::new(ContextOptions::new(&system, target, &engine));
    /// # let mut program = Program::new(&context, &space)?;
    /// # program.load(Verified::new(module, target, &mut |_| {}).map_err(Error::from)?)?;
    /// program.link()?;
    /// for number in 0..program.constructors().len() {
    ///     let constructor = program.constructors()[number];
    ///     program.interpret(constructor, &[], &mut [], 1000)?;
    /// }
    /// let mut results = [Value::ZERO];
    /// program.interpret(b"main", &[], &mut results, 1000)?;
    /// assert_eq!(results[0].i64(), 2);
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn constructors(&self) -> &[u64] {
        &self.constructors
    }

    /// Returns the values of the destructors of all modules, in the order in which they must run
    /// when the program ends.
    #[must_use]
    pub fn destructors(&self) -> &[u64] {
        &self.destructors
    }

    /// Returns the numbers of arguments and results of a function, by the name that a module
    /// exports or by its value.
    #[must_use]
    pub fn counts<'n>(&self, callee: impl Into<Callee<'n>>) -> Option<(usize, usize)> {
        let linked = self.linked();
        let found = match callee.into() {
            Callee::Name(name) => {
                { self.parts.iter() }.find_map(|part| linked.exported_by(part.number, name))
            }
            Callee::Value(value) => linked.valued(value),
        };
        let (linked, func) = found?;
        let (module, signature) = (linked.module(), &linked.module().func(func).signature);
        Some((
            module.args(signature).len(),
            module.results(signature).len(),
        ))
    }

    /// Returns the fuel that the last run in the interpreter left.
    #[must_use]
    pub fn fuel(&self) -> u64 {
        self.interpreter.fuel()
    }

    /// Prepares a run.
    fn begin(&mut self) -> Result<(), Fault> {
        if !self.space.begin() {
            return Err(Fault::new(Reason::NotLinked));
        }
        let words = self.space.words();
        (words.stack_pointer).store(self.space.stack_top(), Ordering::Relaxed);
        words.failed.store(0, Ordering::Relaxed);
        self.space.trace().clear();
        Ok(())
    }
}

fn linked<'p, 'c, 'm>(
    context: &'c Context<'m>,
    space: &'m Space<'m>,
    parts: &'p [Part<'m>],
    linkage: &'p Linkage<'m>,
    functions: &'p [[u64; 2]],
) -> Linked<'p, 'c, 'm> {
    let rows = &linkage.rows;
    Linked {
        context,
        space,
        parts,
        rows,
        functions,
    }
}
