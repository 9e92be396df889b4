//! A program that is linked, at work: its constructors, `main`, its destructors.

use crate::codes::Code;
use crate::diagnostics::{Diagnostics, Finding};
use crate::failure::{Failure, Result};
use crate::host::{self, MainArguments};
use crate::program::Program;
use crate::stop::Stop;
use crate::{compiled, interpret};
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use mir_nostd::link::{Callable, Context};
use mir_nostd::run::Jit;
use mir_nostd::target::Value;
use std::sync::OnceLock;

/// A linked program and what calls its functions. It lives as long as the process: functions that
/// the program registered run when that ends.
pub(crate) struct Execution {
    program: &'static Program,
    context: &'static Context<'static>,
    /// The compiler of the program; `None` if it is interpreted.
    jit: Option<Jit<'static, 'static>>,
    /// The fuel that the interpreter has left.
    fuel: AtomicU64,
    constructors: Vec<&'static Callable<'static>>,
    destructors: Vec<&'static Callable<'static>>,
    /// True if a run of the program faulted, so that nothing else of it runs.
    has_faulted: AtomicBool,
    diagnostics: Diagnostics,
}

/// The program whose destructors run when the process ends.
static ENDING: OnceLock<&'static Execution> = OnceLock::new();

/// Runs the destructors of the program, inside `exit`.
extern "C" fn destruct() {
    if let Some(execution) = ENDING.get() {
        execution.destruct();
    }
}

impl Execution {
    /// Returns a program that is ready to run, with `fuel` for the interpreter.
    ///
    /// # Errors
    ///
    /// The lists of constructors and destructors are wrong, which is reported.
    pub(crate) fn new(
        program: &'static Program,
        context: &'static Context<'static>,
        jit: Option<Jit<'static, 'static>>,
        fuel: Option<u64>,
        diagnostics: &Diagnostics,
    ) -> Result<Execution> {
        let lists = context
            .constructors()
            .and_then(|constructors| Ok((constructors, context.destructors()?)));
        let (constructors, destructors) = lists.map_err(|error| {
            program.report(
                &Finding::error(Code::of(error.problem), error.problem.text()),
                diagnostics,
            );
            Failure::Program
        })?;
        Ok(Execution {
            program,
            context,
            jit,
            fuel: AtomicU64::new(fuel.unwrap_or(u64::MAX)),
            constructors: constructors.to_vec(),
            destructors: destructors.to_vec(),
            has_faulted: AtomicBool::new(false),
            diagnostics: diagnostics.clone(),
        })
    }

    /// Runs the constructors and then `main`, with the same arguments; returns the exit status.
    /// Destructors run when the process ends, after all that the program registered with `atexit`.
    pub(crate) fn run(
        &'static self,
        main: &'static Callable<'static>,
        arguments: &MainArguments,
    ) -> i32 {
        if !self.destructors.is_empty() && ENDING.set(self).is_ok() {
            host::at_exit(destruct);
        }
        let values = arguments.values();
        let constructed = { self.constructors.iter() }
            .try_for_each(|constructor| self.call(constructor, &values).map(|_| ()));
        constructed
            .and_then(|()| self.call(main, &values))
            .unwrap_or_else(|stop| self.fault(&stop))
    }

    fn call(
        &self,
        function: &'static Callable<'static>,
        arguments: &[Value],
    ) -> core::result::Result<i32, Stop<'static>> {
        match &self.jit {
            Some(jit) => compiled::call(jit, self.context, function, arguments),
            None => interpret::call(self.context, function, arguments, &self.fuel),
        }
    }

    /// Reports a fault; returns the exit status of a program that faulted.
    fn fault(&self, stop: &Stop<'_>) -> i32 {
        self.has_faulted.store(true, Ordering::Relaxed);
        host::flush_streams();
        self.program
            .report_stop(self.context, stop, &self.diagnostics);
        1
    }

    /// Runs the destructors; a fault ends the process.
    fn destruct(&self) {
        if self.has_faulted.load(Ordering::Relaxed) {
            return;
        }
        for destructor in &self.destructors {
            if let Err(stop) = self.call(destructor, &[Value::ZERO; 3]) {
                host::end(self.fault(&stop));
            }
        }
    }
}
