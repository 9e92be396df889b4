//! All stages, one after the other.

use crate::codegen::analysis::callees::Callees;
use crate::codegen::emit::encode::Offsets;
use crate::codegen::emit::frame::Prologue;
use crate::codegen::fired::RuleSet;
use crate::codegen::form::{Form, HIGHEST_LEVEL};
use crate::codegen::opt::combine::RULES;
use crate::codegen::pipeline::debug::{DebugLevel, DebugOutput, FuncName};
use crate::codegen::pipeline::listing::Printed;
use crate::codegen::pipeline::stage::{Backend, EMIT, Stage, Work};
use crate::codegen::regalloc::kill_flags::{mark_last_uses, unmark_last_uses};
use crate::codegen::translate::{Labels, Limits};
use crate::ir::{FuncId, Module};
use crate::machine::Function;
use crate::mem::{Allocator, Limited, OutOfMemory};
use crate::target::Isa;
use crate::target::code::Code;
use crate::target::error::Error;

/// What is shown the function after each stage, and the form that it is in.
pub type Look<'a> = &'a (dyn Fn(&Stage<'_>, Form, &Printed<'_, '_>) + Sync);

/// What compiling one function may take: work and memory are in proportion to the instructions of Machine IR that it
/// becomes.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'m> {
    /// The most instructions of Machine IR.
    pub insns: usize,
    /// The compiler's allocator, if what it lends is limited: reaching its limit is [`Error::Budget`] then, and all memory that
    /// is held for further functions is given back.
    pub memory: Option<&'m Limited<'m>>,
}

impl Default for Budget<'_> {
    /// Without end.
    fn default() -> Self {
        Budget {
            insns: usize::MAX,
            memory: None,
        }
    }
}

/// What compiling needs besides the function: memory that is used again for the next one.
pub struct Compiler<'m> {
    isa: &'m dyn Backend,
    /// The function as Machine IR.
    pub function: Function<'m>,
    /// The code of the function.
    pub code: Code<'m>,
    /// How much is done for the code's speed: 0, 1, or 2 and more for small functions inlined. Above
    /// [`HIGHEST_LEVEL`] it is that.
    pub level: u8,
    /// The form that the function is in.
    pub(crate) form: Form,
    /// The rules that fired in the last stage.
    pub(crate) fired: Fired,
    /// The stages that functions go through, if not those of the target for the level.
    pub stages: Option<&'m [Stage<'m>]>,
    /// Whether each register allocation is proven right. Takes the feature `check`: nothing is compiled else.
    pub check_allocation: bool,
    /// Whether blocks become code one at a time: properties of variables are followed, except where fuel is charged, and
    /// nothing is kept where thunks overwrite it.
    pub follows_properties: bool,
    /// What the code watches over.
    pub limits: Limits,
    /// Whether code is made for objects, which a linker puts anywhere; see
    /// [`Function::is_position_independent`].
    pub position_independent: bool,
    /// Whether what control may come to through a register or memory begins with what the machine may insist on there: ENDBR64
    /// on `x86_64`, BTI on aarch64.
    pub landing_pads: bool,
    /// What is known of the functions of the module as callees, if anything: those that are compiled are added. For code that
    /// calls private functions of its module directly, and for good.
    pub callees: Option<Callees<'m>>,
    /// What compiling one function may take.
    pub budget: Budget<'m>,
    /// Is shown the function after each stage, with its last uses marked. Takes the feature `listing`.
    pub look: Option<Look<'m>>,
    /// Is told what is done, in words.
    pub debug: Option<DebugOutput<'m>>,
    /// The blocks of the function's labels.
    pub labels: Labels<'m>,
    /// What the prologue of the function did.
    pub prologue: Option<Prologue>,
}

/// The rules that fired in a stage, which may consist of several passes.
#[derive(Clone, Copy)]
pub(crate) struct Fired {
    pub(crate) combine: RuleSet,
}

impl Fired {
    const NONE: Fired = Fired {
        combine: RuleSet::EMPTY,
    };
}

impl core::fmt::Debug for Compiler<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Compiler")
            .field("isa", &self.isa)
            .field("level", &self.level)
            .finish_non_exhaustive()
    }
}

impl<'m> Compiler<'m> {
    /// A compiler for a target; allocates nothing.
    #[must_use]
    #[inline(never)]
    pub const fn new(isa: &'m dyn Backend, allocator: &'m dyn Allocator) -> Compiler<'m> {
        Compiler {
            isa,
            function: Function::new(allocator),
            code: Code::new(allocator),
            level: 1,
            form: Form::Empty,
            fired: Fired::NONE,
            stages: None,
            check_allocation: false,
            follows_properties: false,
            limits: Limits {
                fuel: false,
                stack: false,
            },
            position_independent: false,
            landing_pads: false,
            callees: None,
            budget: Budget {
                insns: usize::MAX,
                memory: None,
            },
            look: None,
            debug: None,
            labels: Labels::new(allocator),
            prologue: None,
        }
    }

    /// The target.
    #[must_use]
    pub const fn isa(&self) -> &'m dyn Isa {
        self.isa
    }

    /// The level that functions are compiled at.
    pub(crate) fn built_level(&self) -> u8 {
        self.level.min(HIGHEST_LEVEL)
    }

    /// The stages that functions go through.
    #[must_use]
    pub fn stages(&self) -> &'m [Stage<'m>] {
        match self.stages {
            Some(stages) => stages,
            None => self.isa.stages(self.level),
        }
    }

    /// Compiles a function of a module that passed the verifier for the target: its code is then in
    /// [`Compiler::code`]. Gives where the blocks begin in it.
    ///
    /// # Errors
    ///
    /// Out of memory; the function is too large, or uses something that is not compiled; the stages are no whole list.
    pub fn compile(&mut self, module: &Module<'_>, func: FuncId) -> Result<Offsets<'m>, Error> {
        let stages = self.stages();
        let offsets = self.run(stages, Some((module, func)), Form::Empty)?;
        offsets.ok_or(Error::WrongForm)
    }

    /// All stages before the last, `emit`: [`Compiler::function`] is then what is to be encoded.
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

    /// The form that [`Compiler::function`] is in.
    #[must_use]
    pub const fn form(&self) -> Form {
        self.form
    }

    /// Returns the names of the rules that fired in the last stage that ran: of
    /// [`COMBINE_RULES`](crate::codegen::COMBINE_RULES).
    pub fn fired(&self) -> impl Iterator<Item = &'static str> {
        let combine = self.fired.combine.numbers();
        combine.filter_map(|number| RULES.get(number).copied())
    }

    /// Runs stages on a function of a module, or on what [`Compiler::function`] is, which is in this form. Gives where the
    /// blocks begin in the code, if there is any.
    ///
    /// # Errors
    ///
    /// As [`Compiler::compile`]; [`Error::WrongForm`] if a stage does not work on what those before it leave.
    pub fn run(
        &mut self,
        stages: &[Stage<'_>],
        source: Option<(&Module<'_>, FuncId)>,
        form: Form,
    ) -> Result<Option<Offsets<'m>>, Error> {
        self.code.clear();
        self.prologue = None;
        self.form = form;
        if form == Form::Empty {
            self.function.clear();
            self.function.is_position_independent = self.position_independent;
        } else {
            // They may be those of a function that was marked, or read from a file, and would be wrong behind the first stage.
            unmark_last_uses(&mut self.function);
        }
        let mut work = Work::new(self, source);
        let run = run_all(stages, &mut work);
        let offsets = work.offsets.take();
        let within = self.within_budget(run);
        self.say_end(FuncName(source), within);
        if let (Ok(()), Form::Encoded) = (within, self.form)
            && let (Some(callees), Some((_, func))) = (&mut self.callees, source)
        {
            callees.note(func, &self.function, self.isa);
        }
        if within == Err(Error::Budget) {
            let allocator = self.function.allocator();
            self.function = Function::new(allocator);
            self.code = Code::new(allocator);
            self.labels = Labels::new(allocator);
        }
        within.map(|()| offsets)
    }

    /// The error, if want of memory is because of the budget.
    fn within_budget<R>(&self, result: Result<R, Error>) -> Result<R, Error> {
        let is_reached = (self.budget.memory).is_some_and(|memory| memory.was_reached());
        match result {
            Err(Error::OutOfMemory) if is_reached => Err(Error::Budget),
            result => result,
        }
    }

    /// Whether the function has not become too large.
    fn check_budget(&self) -> Result<(), Error> {
        if self.function.insn_count() > self.budget.insns {
            return Err(Error::Budget);
        }
        Ok(())
    }

    /// Whether somebody sees the function after each stage.
    fn is_shown(&self) -> bool {
        let is_listed = |output: DebugOutput<'_>| output.level >= DebugLevel::Code;
        cfg!(feature = "listing") && (self.look.is_some() || self.debug.is_some_and(is_listed))
    }

    /// Marks the last uses in [`Compiler::function`], for whoever looks at it when stages have run: see
    /// [`mark_last_uses`](crate::codegen::regalloc::kill_flags::mark_last_uses).
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn mark_last_uses(&mut self) -> Result<(), OutOfMemory> {
        mark_last_uses(&mut self.function, self.isa, self.form)
    }

    /// Shows the function as a stage left it to whoever looks.
    fn done(&self, stage: &Stage<'_>) {
        if let (true, Some(look)) = (cfg!(feature = "listing"), self.look) {
            let printed = Printed {
                function: &self.function,
                isa: self.isa,
            };
            look(stage, self.form, &printed);
        }
    }
}

fn run_all(stages: &[Stage<'_>], work: &mut Work<'_, '_>) -> Result<(), Error> {
    let name = FuncName(work.source());
    for stage in stages {
        let before = work.compiler.extent();
        work.compiler.fired = Fired::NONE;
        let is_applied = stage.apply(work)?;
        if work.form() < Form::Selected {
            work.compiler.check_budget()?;
        }
        let is_shown = work.compiler.is_shown();
        if is_shown {
            work.compiler.mark_last_uses()?;
        }
        match is_applied {
            true => work.compiler.say_stage(name, stage, before),
            false => work.compiler.say_left_out(name, stage),
        }
        work.compiler.done(stage);
        if is_shown {
            // What the next stage does would make them wrong.
            unmark_last_uses(&mut work.compiler.function);
        }
    }
    Ok(())
}
