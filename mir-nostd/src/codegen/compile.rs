//! All stages, one after the other.

use super::choose::choose;
use super::constants::hoist_constants;
use super::cse::share;
use super::dead::remove_dead;
use super::divide::divide;
use super::emit::{Offsets, emit};
use super::extended::drop_extensions;
use super::flow::Flow;
use super::fold::fold;
use super::hoist::{add_entries, hoist};
use super::jumps::straighten;
use super::layout::follow_jumps;
use super::legalise::legalise;
use super::merge::merge_blocks;
use super::rotate::find_rotations;
use super::unroll::unroll;
use super::widen::widen;
use super::{
    Code, Error, Extras, Labels, Limits, Printed, Prologue, allocate, combine, finish_frame,
    select, ssa, translate,
};
use crate::ir::{FuncId, Module};
use crate::machine::Function;
use crate::mem::{Allocator, Limited};
use crate::target::Isa;

/// The stages after which a function can be looked at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// Medium IR became generic instructions.
    Translate,
    /// Generic instructions were simplified.
    Combine,
    /// Generic instructions became the target's.
    Select,
    /// Virtual registers became physical ones.
    Allocate,
    /// Frame objects became offsets.
    Frame,
    /// Branches got the forms that they have in the code.
    Emit,
}

impl Stage {
    /// All stages in order.
    pub const ALL: [Stage; 6] = [
        Stage::Translate,
        Stage::Combine,
        Stage::Select,
        Stage::Allocate,
        Stage::Frame,
        Stage::Emit,
    ];

    /// The stage's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Translate => "translate",
            Stage::Combine => "combine",
            Stage::Select => "select",
            Stage::Allocate => "allocate",
            Stage::Frame => "frame",
            Stage::Emit => "emit",
        }
    }
}

/// What is shown the function after each stage.
pub type Look<'a> = &'a (dyn Fn(Stage, &Printed<'_, '_>) + Sync);

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
    isa: &'m dyn Isa,
    /// The function as Machine IR.
    pub function: Function<'m>,
    /// The code of the function.
    pub code: Code<'m>,
    /// How much is done for the code's speed: 0, 1, or 2 and more for small functions inlined.
    pub level: u8,
    /// Whether each register allocation is proven right.
    pub check_allocation: bool,
    /// Whether blocks become code one at a time: properties of variables are followed, and nothing is kept where thunks
    /// overwrite it.
    pub follows_properties: bool,
    /// What the code watches over.
    pub limits: Limits,
    /// Whether code is made for objects, which a linker puts anywhere; see
    /// [`Function::is_position_independent`].
    pub position_independent: bool,
    /// What compiling one function may take.
    pub budget: Budget<'m>,
    /// Is shown the function after each stage.
    pub look: Option<Look<'m>>,
    /// The blocks of the function's labels.
    pub labels: Labels<'m>,
    /// What the prologue of the function did.
    pub prologue: Option<Prologue>,
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
    pub const fn new(isa: &'m dyn Isa, allocator: &'m dyn Allocator) -> Compiler<'m> {
        Compiler {
            isa,
            function: Function::new(allocator),
            code: Code::new(allocator),
            level: 1,
            check_allocation: false,
            follows_properties: false,
            limits: Limits {
                fuel: false,
                stack: false,
            },
            position_independent: false,
            budget: Budget {
                insns: usize::MAX,
                memory: None,
            },
            look: None,
            labels: Labels::new(allocator),
            prologue: None,
        }
    }

    /// The target.
    #[must_use]
    pub const fn isa(&self) -> &'m dyn Isa {
        self.isa
    }

    /// Compiles a function of a module that passed the verifier for the target: its code is then in
    /// [`Compiler::code`]. Gives where the blocks begin in it.
    ///
    /// # Errors
    ///
    /// Out of memory; the function is too large, or uses something that is not compiled.
    pub fn compile(&mut self, module: &Module<'_>, func: FuncId) -> Result<Offsets<'m>, Error> {
        self.prepare(module, func)?;
        let emitted = emit(&mut self.function, self.isa, &mut self.code);
        let offsets = self.within_budget(emitted)?;
        self.done(Stage::Emit);
        Ok(offsets)
    }

    /// All stages but the last: [`Compiler::function`] is then what is to be encoded.
    ///
    /// # Errors
    ///
    /// As [`Compiler::compile`].
    pub fn prepare(&mut self, module: &Module<'_>, func: FuncId) -> Result<(), Error> {
        let prepared = self.all_stages(module, func);
        let within = self.within_budget(prepared);
        if within == Err(Error::Budget) {
            let allocator = self.function.allocator();
            self.function = Function::new(allocator);
            self.code = Code::new(allocator);
            self.labels = Labels::new(allocator);
        }
        within
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

    fn all_stages(&mut self, module: &Module<'_>, func: FuncId) -> Result<(), Error> {
        self.function.clear();
        self.code.clear();
        self.function.is_position_independent = self.position_independent;
        let extras = Extras {
            inlines: self.level > 1,
            follows_properties: self.follows_properties,
            limits: self.limits,
            most_insns: self.budget.insns,
        };
        let (function, labels) = (&mut self.function, &mut self.labels);
        translate(function, self.isa, module, func, labels, extras)?;
        if self.follows_properties {
            let clobbers = self.isa.target().thunk.clobbers;
            self.function.reserved = self.function.reserved.union(clobbers);
        }
        self.check_budget()?;
        self.done(Stage::Translate);
        if self.level > 0 {
            self.optimise()?;
            self.done(Stage::Combine);
        }
        self.check_budget()?;
        select(&mut self.function, self.isa)?;
        if self.level > 0 {
            fold(&mut self.function, self.isa)?;
            if self.isa.has_small_immediates() {
                drop_extensions(&mut self.function, self.isa)?;
                hoist_constants(&mut self.function, self.isa)?;
            }
        }
        self.done(Stage::Select);
        let used = allocate(&mut self.function, self.isa, self.check_allocation)?;
        if self.level > 1 {
            follow_jumps(&mut self.function, self.isa)?;
        }
        self.done(Stage::Allocate);
        self.prologue = Some(finish_frame(&mut self.function, self.isa, used)?);
        self.done(Stage::Frame);
        Ok(())
    }

    /// The stages between translation and selection.
    fn optimise(&mut self) -> Result<(), Error> {
        let (function, isa) = (&mut self.function, self.isa);
        // Behind `setjmp` memory may be other than it was before, whatever was stored.
        let is_ssa = self.level > 1 && !function.is_jumped_back_into && {
            straighten(function, isa)?;
            ssa::enter(function, isa)?
        };
        if !is_ssa {
            combine(function, false)?;
            divide(function, isa)?;
            return straighten(function, isa);
        }
        combine(function, true)?;
        divide(function, isa)?;
        let flow = ssa::prune(function, isa)?;
        let flow = merged(function, isa, flow)?;
        share(function, &flow)?;
        let flow = if self.level > 2 {
            drop(flow);
            optimise_loops(function, isa)?
        } else {
            find_rotations(function, isa)?;
            chosen(function, isa, flow)?
        };
        remove_dead(function)?;
        ssa::leave(function, &flow)?;
        straighten(function, isa)
    }

    /// Shows the function as a stage left it to whoever looks.
    fn done(&self, stage: Stage) {
        if let Some(look) = self.look {
            let printed = Printed {
                function: &self.function,
                isa: self.isa,
            };
            look(stage, &printed);
        }
    }
}

/// Joins blocks; gives how control flows then.
fn merged<'m>(
    function: &mut Function<'m>,
    isa: &dyn Isa,
    flow: Flow<'m>,
) -> Result<Flow<'m>, Error> {
    if merge_blocks(function, &flow)? {
        drop(flow);
        return ssa::prune(function, isa);
    }
    Ok(flow)
}

/// Chooses instead of branching; gives how control flows then.
fn chosen<'m>(
    function: &mut Function<'m>,
    isa: &dyn Isa,
    flow: Flow<'m>,
) -> Result<Flow<'m>, Error> {
    if choose(function, isa, &flow)? {
        drop(flow);
        return ssa::prune(function, isa);
    }
    Ok(flow)
}

/// What level 3 does besides, in SSA form: loops above all.
fn optimise_loops<'m>(function: &mut Function<'m>, isa: &dyn Isa) -> Result<Flow<'m>, Error> {
    // Loops around loops that were written out come second.
    for _ in 0..2 {
        let flow = ssa::prune(function, isa)?;
        if !unroll(function, &flow)? {
            break;
        }
        combine(function, true)?;
        let flow = ssa::prune(function, isa)?;
        let flow = merged(function, isa, flow)?;
        share(function, &flow)?;
    }
    find_rotations(function, isa)?;
    let flow = ssa::prune(function, isa)?;
    widen(function, &flow)?;
    let flow = chosen(function, isa, flow)?;
    let flow = merged(function, isa, flow)?;
    add_entries(function, &flow)?;
    combine(function, true)?;
    legalise(function, isa)?;
    let flow = ssa::prune(function, isa)?;
    share(function, &flow)?;
    hoist(function, isa, &flow)?;
    share(function, &flow)?;
    Ok(flow)
}
