//! Runs of confined programs, in each engine.

use super::fault::{Backtrace, Fault, Frame, Function};
use super::program::{Part, Program};
use super::rewrite::local_name;
use crate::codegen;
use crate::ir::{Code, FuncId, InsnId, Module};
use crate::link::{Callable, Context, LinkedModule, Reason};
use crate::mem::{Entity, OutOfMemory};
use crate::run::{CallError, Jit};
use crate::target::Value;
use core::sync::atomic::Ordering;

impl<'c, 'm> Program<'c, 'm> {
    /// Calls an exported function in the interpreter, with at most this fuel; [`Program::fuel`]
    /// tells what is left of it.
    ///
    /// # Errors
    ///
    /// The reason and the place of the fault; another call may be made then.
    pub fn interpret(
        &mut self,
        name: &[u8],
        arguments: &[Value],
        results: &mut [Value],
        fuel: u64,
    ) -> Result<(), Fault> {
        let callable = self.exported(name, arguments, results)?;
        self.begin()?;
        self.interpreter.set_fuel(fuel);
        let run = self.interpreter.run_confined(callable, arguments, results);
        self.space.end();
        let fault = run.err().map(|stop| match stop.at {
            None => Fault::new(stop.reason),
            Some(frame) => {
                let insn = frame.insn.map(|insn| insn.index());
                self.fault(stop.reason, frame.module, frame.func, insn)
            }
        });
        self.end(fault)
    }

    /// Calls an exported function through a compiler of the program's context, in whose code it is
    /// where it was compiled. Fuel is that of the compiler.
    ///
    /// # Errors
    ///
    /// The reason and the place of the fault; another call may be made then.
    /// [`Reason::NotLinked`] if the compiler is one of another context, or was made without fuel or
    /// without a limit of the stack.
    #[expect(unsafe_code, reason = "rewriting vouches for the program")]
    pub fn run(
        &mut self,
        jit: &Jit<'c, 'm>,
        name: &[u8],
        arguments: &[Value],
        results: &mut [Value],
    ) -> Result<(), Fault> {
        let callable = self.exported(name, arguments, results)?;
        if !jit.can_confine(self.context) {
            return Err(Fault::new(Reason::NotLinked));
        }
        self.begin()?;
        // SAFETY: what was rewritten keeps to its space, which nobody else uses now, and to the
        // limits of fuel and stack.
        let run = unsafe { jit.call_confined(callable, arguments, results) };
        self.space.end();
        let fault = run.err().map(|error| match error {
            CallError::Fault(fault) => self.compiled_fault(&fault),
            CallError::OutOfMemory => Fault::new(Reason::OutOfMemory),
            CallError::Signature => Fault::new(Reason::Signature),
            CallError::TooLarge => Fault::new(Reason::TooLarge),
        });
        self.end(fault)
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
        let trace = self.space.trace();
        backtrace.is_cut = trace.is_cut();
        for (callable, insn) in trace.frames() {
            let frame = self.find(callable).map(|(number, linked, func)| Frame {
                function: Function {
                    module: number as u32,
                    func,
                },
                instruction: insn.and_then(|insn| self.origin(number, linked, func, insn)),
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

    /// Returns the function with a callable at this address, and the number of its module.
    fn find(&self, callable: usize) -> Option<(usize, &'c LinkedModule<'m>, FuncId)> {
        let context: &'c Context<'m> = self.context;
        self.parts.iter().enumerate().find_map(|(number, part)| {
            let linked = context.module(part.number)?;
            let is_it = |other: &&Callable<'m>| core::ptr::from_ref(*other).addr() == callable;
            let (_, func) = linked.callables().iter().find(is_it)?.func()?;
            Some((number, linked, func))
        })
    }

    /// Returns the number of an instruction as it was loaded, by its number as it runs.
    fn origin(
        &self,
        number: usize,
        linked: &LinkedModule<'m>,
        func: FuncId,
        insn: u32,
    ) -> Option<u32> {
        // A function's instructions were made one after the other.
        let first = linked.module().func(func).first()?.index();
        let origins = &self.parts.get(number)?.origins;
        origins.get(first + insn as usize).copied()
    }

    fn compiled_fault(&self, fault: &crate::run::Fault) -> Fault {
        let callables = { self.parts.iter() }.filter_map(|part| self.context.module(part.number));
        let mut callables = callables.flat_map(LinkedModule::callables);
        let function = callables.find(|callable| fault.is_in(callable));
        let Some((linked, func)) = function.and_then(|callable| callable.func()) else {
            return Fault::new(fault.reason());
        };
        let module = linked.module();
        // A function's instructions were made one after the other.
        let first = module.func(func).first().map_or(0, |insn| insn.index());
        let insn = { fault.instruction() }.map(|number| first + number as usize);
        self.fault(fault.reason(), module, func, insn)
    }

    /// Returns the fault at an instruction, by its number in the rewritten module.
    fn fault(
        &self,
        reason: Reason,
        module: &Module<'m>,
        func: FuncId,
        insn: Option<usize>,
    ) -> Fault {
        let is_it = |part: &Part<'m>| {
            let linked = self.context.module(part.number);
            linked.is_some_and(|linked| core::ptr::eq(linked.module(), module))
        };
        let number = self.parts.iter().position(is_it);
        let origins = number.map(|number| &self.parts[number].origins);
        let insn = match reason {
            Reason::OutOfFuel => insn.map(|insn| first_of_block(module, insn)),
            _ => insn,
        };
        Fault {
            reason,
            function: number.map(|number| Function {
                module: number as u32,
                func,
            }),
            instruction: insn.and_then(|insn| origins?.get(insn).copied()),
        }
    }

    /// Returns the name of a function.
    #[must_use]
    pub fn name(&self, function: Function) -> &'c [u8] {
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
        name.map_or(b"", |name| local_name(module.name_bytes(name)))
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

    /// Returns the numbers of arguments and results of an exported function.
    #[must_use]
    pub fn counts(&self, name: &[u8]) -> Option<(usize, usize)> {
        let found = { self.parts.iter() }.find_map(|part| self.exported_by(part.number, name));
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

    /// Returns the exported function of this name, if it takes and gives so many values.
    fn exported(
        &self,
        name: &[u8],
        arguments: &[Value],
        results: &[Value],
    ) -> Result<&'c Callable<'m>, Fault> {
        let found = { self.parts.iter() }.find_map(|part| self.exported_by(part.number, name));
        let (linked, func) = found.ok_or(Fault::new(Reason::NotLinked))?;
        let signature = &linked.module().func(func).signature;
        let fits = linked.module().args(signature).len() == arguments.len()
            && linked.module().results(signature).len() == results.len();
        match fits {
            true => Ok(linked.callable(func)),
            false => Err(Fault::new(Reason::Signature)),
        }
    }

    fn exported_by(&self, number: usize, name: &[u8]) -> Option<(&'c LinkedModule<'m>, FuncId)> {
        let context: &'c Context<'m> = self.context;
        let linked = context.module(number)?;
        let module = linked.module();
        let is_it = |item: crate::ir::ItemId| {
            let its_name = module.item(item).name;
            let its_name = its_name.map_or(&b""[..], |name| module.name_bytes(name));
            module.is_exported(item) && local_name(its_name) == name
        };
        let mut funcs = module.funcs();
        let (func, _) = funcs.find(|(_, function)| is_it(function.item))?;
        Some((linked, func))
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

/// Returns the number of the first instruction of the block that this one is in. Fuel is charged
/// for a block as a whole, but an engine may do several of its instructions as one, and knows the
/// last of them.
fn first_of_block(module: &Module<'_>, insn: usize) -> usize {
    let mut first = InsnId::new(insn as u32);
    while let Some(before) = module.previous(first) {
        let code = module.code(before);
        if code == Code::Label || code.ends_block() {
            break;
        }
        first = before;
    }
    first.index()
}
