//! The compiler: runs the stages of a level on one function after the other.

use crate::codegen::analysis::callees::Callees;
use crate::codegen::debug::DebugLevel;
use crate::codegen::emit::encode::Offsets;
use crate::codegen::form::Form;
use crate::codegen::options::{Execution, Options};
use crate::codegen::pipeline::listing::Printed;
use crate::codegen::pipeline::report::{FuncName, Report};
use crate::codegen::pipeline::rules::{Fired, RuleName};
use crate::codegen::pipeline::stage::{Backend, EMIT, SELECT, Stage, TRANSLATE};
use crate::codegen::pipeline::work::{Analyses, Output, Work};
use crate::codegen::regalloc::kill_flags::{mark_last_uses, unmark_last_uses};
use crate::ir::{FuncId, Module};
use crate::machine::Function;
use crate::mem::{Allocator, OutOfMemory};
use crate::target::Isa;
use crate::target::error::Error;

/// An observer of the function after each stage, who is told the form that it is in.
pub type Look<'a> = &'a (dyn Fn(&Stage<'_>, Form, &Printed<'_, '_>) + Sync);

/// A compiler of functions: settings, the function that is compiled, and the results. Its memory is
/// used again for the next function.
pub struct Compiler<'m> {
    isa: &'m dyn Backend,
    /// The settings of the embedder.
    pub options: Options<'m>,
    /// The properties that whoever runs the code relies on.
    pub execution: Execution,
    /// The stages that functions go through, if not those of the target for the level.
    pub stages: Option<&'m [Stage<'m>]>,
    /// The observer of the function after each stage, with its last uses marked. Takes the feature
    /// `listing`.
    pub look: Option<Look<'m>>,
    /// The facts on the functions of the module as callees, to which those of each compiled
    /// function are added. They are for code that calls private functions of its module directly,
    /// and for good.
    pub callees: Option<Callees<'m>>,
    /// The function as Machine IR.
    pub function: Function<'m>,
    form: Form,
    /// The rules that fired in the last stage.
    fired: Fired,
    /// The results.
    pub output: Output<'m>,
}

impl core::fmt::Debug for Compiler<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Compiler")
            .field("isa", &self.isa)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl<'m> Compiler<'m> {
    /// Returns a compiler for a target; allocates nothing.
    #[must_use]
    #[inline(never)]
    pub const fn new(isa: &'m dyn Backend, allocator: &'m dyn Allocator) -> Compiler<'m> {
        Compiler {
            isa,
            options: Options::DEFAULT,
            execution: Execution::DEFAULT,
            stages: None,
            look: None,
            callees: None,
            function: Function::new(allocator),
            form: Form::Empty,
            fired: Fired::NONE,
            output: Output::new(allocator),
        }
    }

    /// Returns the target.
    #[must_use]
    pub const fn isa(&self) -> &'m dyn Isa {
        self.isa
    }

    /// Returns the stages that functions go through.
    #[must_use]
    pub fn stages(&self) -> &'m [Stage<'m>] {
        match self.stages {
            Some(stages) => stages,
            None => self.isa.stages(self.options.level),
        }
    }

    /// Compiles a function of a module that passed the verifier for the target. The code is then in
    /// [`Compiler::output`]. Returns the offsets of the blocks in it.
    ///
    /// # Errors
    ///
    /// Out of memory; the function is too large, or uses something that is not compiled; the list
    /// of stages does not end in code.
    pub fn compile(&mut self, module: &Module<'_>, func: FuncId) -> Result<Offsets<'m>, Error> {
        let stages = self.stages();
        let offsets = self.run(stages, Some((module, func)), Form::Empty)?;
        offsets.ok_or(Error::WrongForm)
    }

    /// Runs all stages before the last, `emit`: [`Compiler::function`] is then ready to be encoded.
    ///
    /// # Errors
    ///
    /// As [`Compiler::compile`].
    pub fn prepare(&mut self, module: &Module<'_>, func: FuncId) -> Result<(), Error> {
        let stages = self.stages();
        let end = stages.iter().position(|stage| stage.name == EMIT.name);
        let stages = end.and_then(|end| stages.get(..end)).unwrap_or(stages);
        self.run(stages, Some((module, func)), Form::Empty)
            .map(|_| ())
    }

    /// Returns the form that [`Compiler::function`] is in.
    #[must_use]
    pub const fn form(&self) -> Form {
        self.form
    }

    /// Returns the rules that fired in the last stage that ran.
    pub fn fired(&self) -> impl Iterator<Item = RuleName> {
        self.fired.names(self.isa)
    }

    /// Runs stages on a function of a module, or on [`Compiler::function`] if it is in a form other
    /// than [`Form::Empty`]. Returns the offsets of the blocks in the code, if there is any.
    ///
    /// # Errors
    ///
    /// As [`Compiler::compile`]; [`Error::WrongForm`] if a stage does not work on the form that
    /// those before it leave.
    pub fn run(
        &mut self,
        stages: &[Stage<'_>],
        source: Option<(&Module<'_>, FuncId)>,
        form: Form,
    ) -> Result<Option<Offsets<'m>>, Error> {
        self.start(form);
        let mut work = Work {
            isa: self.isa,
            options: &self.options,
            execution: &self.execution,
            source,
            callees: self.callees.as_ref(),
            function: &mut self.function,
            form: &mut self.form,
            fired: &mut self.fired,
            output: &mut self.output,
            offsets: None,
            analyses: Analyses::default(),
        };
        let report = Report {
            output: self.options.debug,
            name: FuncName(source),
        };
        let run = run_all(stages, &mut work, self.look, &report);
        let run = within_budget(&self.options, run);
        report.end(&work, run);
        let offsets = work.offsets.take();
        if let (Ok(()), Form::Encoded) = (run, self.form)
            && let (Some(callees), Some((_, func))) = (&mut self.callees, source)
        {
            callees.note(func, &self.function, self.isa);
        }
        if run == Err(Error::Budget) {
            let allocator = self.function.allocator();
            self.function = Function::new(allocator);
            self.output = Output::new(allocator);
        }
        run.map(|()| offsets)
    }

    /// Prepares for a function in this form, and drops the results of the last one.
    fn start(&mut self, form: Form) {
        self.output.code.clear();
        self.output.prologue = None;
        self.output.variables = None;
        self.form = form;
        if form == Form::Empty {
            self.function.clear();
            self.function.is_position_independent = self.execution.position_independent;
            if self.execution.lines {
                self.function.origins.begin();
                self.output.code.notes_places = true;
            }
        } else {
            // The marks of a function that was shown, or read from a file, would be wrong after
            // the first stage.
            unmark_last_uses(&mut self.function);
        }
    }

    /// Marks the last uses in [`Compiler::function`] for an observer after the last stage.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn mark_last_uses(&mut self) -> Result<(), OutOfMemory> {
        mark_last_uses(&mut self.function, self.isa, self.form)
    }
}

/// Returns the result; lack of memory becomes [`Error::Budget`] if the budget is the reason.
fn within_budget(options: &Options<'_>, result: Result<(), Error>) -> Result<(), Error> {
    let is_reached = (options.budget.memory).is_some_and(|memory| memory.was_reached());
    match result {
        Err(Error::OutOfMemory) if is_reached => Err(Error::Budget),
        result => result,
    }
}

/// Returns whether translation is the stage, and selection the next one.
fn is_selected_next(stage: &Stage<'_>, rest: &[Stage<'_>]) -> bool {
    let next = rest.first().map(|next| next.name);
    stage.name == TRANSLATE.name && next == Some(SELECT.name)
}

/// Runs stages, and shows the function to the observers after each.
fn run_all(
    stages: &[Stage<'_>],
    work: &mut Work<'_, '_>,
    look: Option<Look<'_>>,
    report: &Report<'_, '_>,
) -> Result<(), Error> {
    let look = look.filter(|_| cfg!(feature = "listing"));
    let is_shown = look.is_some() || report.sink(DebugLevel::Code).is_some();
    // Nobody sees what only translation makes.
    let selects = look.is_none()
        && report.sink(DebugLevel::Stages).is_none()
        && !work.options.check_confinement;
    let mut stages = stages.iter();
    while let Some(stage) = stages.next() {
        let before = report.extent(work);
        *work.fired = Fired::NONE;
        let begins = work.form() == Form::Empty;
        let is_applied = if selects && begins && is_selected_next(stage, stages.as_slice()) {
            work.translate_to(Form::Selected)?;
            if work.form() == Form::Selected {
                stages.next();
            }
            true
        } else {
            stage.apply(work)?
        };
        work.function.origins.place_near();
        if cfg!(debug_assertions) {
            work.check_form()?;
        }
        let is_large = work.function.insn_count() > work.options.budget.insns;
        if is_large && work.form() < Form::Selected {
            return Err(Error::Budget);
        }
        if is_shown {
            mark_last_uses(work.function, work.isa, work.form())?;
        }
        match is_applied {
            true => report.stage(stage.name, work, before),
            false => report.left_out(stage.name),
        }
        if let Some(look) = look {
            let printed = Printed {
                function: work.function,
                isa: work.isa,
            };
            look(stage, work.form(), &printed);
        }
        if is_shown {
            // The next stage would make them wrong.
            unmark_last_uses(work.function);
        }
    }
    Ok(())
}
