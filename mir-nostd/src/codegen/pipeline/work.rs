//! A function in the making, as a stage sees it, and the passes that stages run on it.

use crate::codegen::analysis::callees::Callees;
use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::loops::scales_apart;
use crate::codegen::analysis::preserved::Preserved;
use crate::codegen::analysis::private_data::DataFacts;
use crate::codegen::analysis::ranges::Range;
use crate::codegen::analysis::unreachable::leave_out_unreached;
use crate::codegen::analysis::variable_values::{Tracked, VariableValues};
#[cfg(feature = "check")]
use crate::codegen::confinement::verify;
use crate::codegen::emit::encode::{Offsets, emit};
use crate::codegen::emit::frame::{FramePlacement, Prologue, finish_frame};
use crate::codegen::emit::landing_pads::add_landing_pads;
use crate::codegen::fired::RuleSet;
use crate::codegen::form::Form;
use crate::codegen::lower::legalise::legalise;
use crate::codegen::lower::select::select;
use crate::codegen::lower::source_order::order_sources;
use crate::codegen::opt::block_merging::merge_blocks;
use crate::codegen::opt::branch_threading::thread_branches;
use crate::codegen::opt::check_elimination::eliminate_checks;
use crate::codegen::opt::check_merging::merge_checks;
use crate::codegen::opt::combine::combine;
use crate::codegen::opt::comparison_merging::merge_comparisons;
use crate::codegen::opt::correlated_branches::fold_correlated;
use crate::codegen::opt::cse::eliminate_common;
use crate::codegen::opt::dead_code::{remove_dead, remove_dead_bits};
use crate::codegen::opt::division::{divide, divide_in_ranges};
use crate::codegen::opt::extension_elimination::eliminate_extensions;
use crate::codegen::opt::if_conversion::convert_ifs;
use crate::codegen::opt::jump_threading::thread_jumps;
use crate::codegen::opt::licm::hoist;
use crate::codegen::opt::load_combining::combine_loads;
use crate::codegen::opt::load_pre::{Outcome, carry_loads, share_loads};
use crate::codegen::opt::loop_rotation::rotate_loops;
use crate::codegen::opt::phi_folding::fold_phis;
use crate::codegen::opt::range_merging::merge_ranges;
use crate::codegen::opt::scalar_replacement::promote;
use crate::codegen::opt::sccp::propagate;
use crate::codegen::opt::strength_reduction::reduce;
use crate::codegen::opt::tail_duplication::duplicate_tails;
use crate::codegen::opt::unroll::peel::peel;
use crate::codegen::opt::unroll::unroll;
use crate::codegen::opt::widen_induction::widen;
use crate::codegen::options::{Execution, Granularity, Options};
use crate::codegen::pipeline::rules::Fired;
use crate::codegen::regalloc::allocate::{Asked, Proof, Strategy, allocate};
use crate::codegen::regalloc::shrink_wrap::separate;
use crate::codegen::ssa::construction;
use crate::codegen::translate::{Labels, Settings, translate};
use crate::ir::{FuncId, Module};
use crate::machine::{Function, Generic, UnitSet};
use crate::mem::{Allocator, Box, Vec};
use crate::target::Isa;
use crate::target::code::Code;
use crate::target::error::{Error, Phase};

/// The results of compiling a function.
#[derive(Debug)]
pub struct Output<'m> {
    /// The code.
    pub code: Code<'m>,
    /// The blocks of the function's labels.
    pub labels: Labels<'m>,
    /// The frame that the prologue made.
    pub prologue: Option<Prologue>,
    /// The places that hold variables, for debuggers; see [`Execution::variables`].
    pub variables: Option<Box<'m, VariableValues<'m>>>,
}

impl<'m> Output<'m> {
    /// Returns empty results; allocates nothing.
    #[must_use]
    pub(crate) const fn new(allocator: &'m dyn Allocator) -> Output<'m> {
        Output {
            code: Code::new(allocator),
            labels: Labels::new(allocator),
            prologue: None,
            variables: None,
        }
    }
}

/// A function that is being compiled, as a stage sees it.
pub struct Work<'x, 'm> {
    pub(crate) isa: &'m dyn Isa,
    /// The settings of the embedder.
    pub(crate) options: &'x Options<'m>,
    /// The properties that whoever runs the code relies on.
    pub(crate) execution: &'x Execution,
    /// The module and function that are compiled, unless the function has another origin.
    pub(crate) source: Option<(&'x Module<'x>, FuncId)>,
    /// The facts on the functions of the module as callees.
    pub(crate) callees: Option<&'x Callees<'m>>,
    pub(crate) function: &'x mut Function<'m>,
    pub(crate) form: &'x mut Form,
    /// The rules that fired in the last stage.
    pub(crate) fired: &'x mut Fired,
    pub(crate) output: &'x mut Output<'m>,
    pub(crate) offsets: Option<Offsets<'m>>,
    pub(crate) analyses: Analyses<'m>,
}

/// The analyses that are cached of a function.
#[derive(Default)]
pub(crate) struct Analyses<'m> {
    /// The control-flow graph.
    flow: Option<Flow<'m>>,
    /// True if every block of the layout is known to have a predecessor.
    all_are_reached: bool,
    /// The ranges of virtual registers.
    ranges: Option<Vec<'m, Option<Range>>>,
    /// The units that allocation used.
    used: Option<UnitSet>,
}

impl<'m> Analyses<'m> {
    /// Returns the control-flow graph, computed if it is not known.
    fn find_flow(
        &mut self,
        function: &mut Function<'m>,
        isa: &dyn Isa,
    ) -> Result<&mut Flow<'m>, Error> {
        match &mut self.flow {
            Some(flow) => Ok(flow),
            none => Ok(none.insert(construction::prune(function, isa)?)),
        }
    }

    /// Drops the analyses that a pass did not preserve. Those that it did stay where they are:
    /// they are large, and most passes preserve them.
    fn invalidate(&mut self, preserved: Preserved) {
        if preserved == Preserved::Nothing {
            self.flow = None;
        }
        self.all_are_reached = false;
        self.ranges = None;
        self.used = None;
    }
}

impl core::fmt::Debug for Work<'_, '_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Work")
            .field("isa", &self.isa)
            .field("form", &self.form)
            .finish_non_exhaustive()
    }
}

/// The room for operands that is not worth freeing.
const FEW_OPERANDS: usize = 1 << 8;

/// A pass over a function with its control-flow graph.
type InFlow<'f, 'm, R> =
    dyn FnMut(&mut Function<'m>, &'m dyn Isa, &Flow<'m>) -> Result<R, Error> + 'f;

impl<'x, 'm> Work<'x, 'm> {
    /// Returns the function.
    #[must_use]
    pub const fn function(&self) -> &Function<'m> {
        self.function
    }

    /// Returns the function, to change it. All that is cached of it is dropped.
    pub fn function_mut(&mut self) -> &mut Function<'m> {
        self.analyses.invalidate(Preserved::Nothing);
        self.function
    }

    /// Returns the target.
    #[must_use]
    pub const fn isa(&self) -> &'m dyn Isa {
        self.isa
    }

    /// Returns the form that the function is in.
    #[must_use]
    pub const fn form(&self) -> Form {
        *self.form
    }

    /// Sets the form of the function, for a stage that changed it.
    pub fn set_form(&mut self, form: Form) {
        *self.form = form;
    }

    /// Returns the module and the function of it that is compiled; `None` if the function did not
    /// come from one.
    #[must_use]
    pub const fn source(&self) -> Option<(&'x Module<'x>, FuncId)> {
        self.source
    }

    /// Runs a pass with the control-flow graph, which is dropped unless the pass preserved it.
    /// Returns what the pass preserved.
    #[inline(never)]
    pub(crate) fn with_flow(
        &mut self,
        run: &mut InFlow<'_, 'm, Preserved>,
    ) -> Result<Preserved, Error> {
        self.analyses.invalidate(Preserved::ControlFlow);
        let flow = self.analyses.find_flow(self.function, self.isa)?;
        let preserved = run(self.function, self.isa, flow)?;
        self.analyses.invalidate(preserved);
        Ok(preserved)
    }

    /// Runs a pass that works within blocks and returns what it preserved all the same.
    #[inline(never)]
    fn in_blocks(
        &mut self,
        run: &mut dyn FnMut(&mut Function<'m>, &'m dyn Isa) -> Result<Preserved, Error>,
    ) -> Result<(), Error> {
        let preserved = run(self.function, self.isa)?;
        self.analyses.invalidate(preserved);
        Ok(())
    }

    /// Runs a pass that leaves the control-flow graph as it is.
    #[inline(never)]
    pub(crate) fn in_flow(&mut self, run: &mut InFlow<'_, 'm, ()>) -> Result<(), Error> {
        self.with_flow(&mut |function, isa, flow| {
            run(function, isa, flow).map(|()| Preserved::ControlFlow)
        })
        .map(|_| ())
    }

    /// Returns whether frames are made only where something needs them. Lazily compiled blocks are
    /// entered one by one, so their frame is made at the entry.
    fn shrink_wraps(&self) -> bool {
        self.options.built_level() >= 2 && self.execution.granularity == Granularity::Function
    }

    pub(crate) fn translate(&mut self) -> Result<(), Error> {
        self.translate_to(Form::Generic)
    }

    /// Translates the function, and selects target instructions on the way if they are the form
    /// that is asked for and the function allows it.
    pub(crate) fn translate_to(&mut self, form: Form) -> Result<(), Error> {
        let (module, func) = self.source.ok_or(Error::WrongForm)?;
        let (isa, function) = (self.isa, &mut *self.function);
        let settings = Settings {
            options: self.options,
            execution: self.execution,
            callees: self.callees,
            selects: form == Form::Selected,
        };
        let labels = &mut self.output.labels;
        let is_selected = translate(function, isa, module, func, labels, settings)?;
        if self.execution.granularity == Granularity::Block {
            function.reserved = function.reserved.union(isa.target().thunk.clobbers);
        }
        if function.has_dynamic_stack {
            let frame_pointer = isa.registers().units(isa.registers().frame_pointer);
            function.reserved = function.reserved.union(frame_pointer);
        }
        *self.form = match is_selected {
            true => Form::Selected,
            false => Form::Generic,
        };
        self.find_variables()
    }

    /// Finds which definitions the values of variables come from, if debuggers ask for variables.
    fn find_variables(&mut self) -> Result<(), Error> {
        let (function, isa) = (&*self.function, self.isa);
        let is_asked = cfg!(feature = "check") && self.execution.variables && self.execution.lines;
        // Control that comes back or in by other ways than edges brings other values.
        let is_followed = !function.is_jumped_back_into && !function.is_jumped_to;
        let is_optimised = self.options.built_level() > 0 && !function.variables.is_empty();
        if is_asked && is_followed && is_optimised {
            let allocator = function.allocator();
            let values = VariableValues::new(function, isa, allocator)?;
            self.output.variables = Some(Box::new(allocator, values)?);
        }
        Ok(())
    }

    /// Returns whether there is more than one block.
    fn has_branches(&self) -> bool {
        self.function.layout.len() > 1
    }

    /// Threads branches; variables have values from new definitions then.
    pub(crate) fn thread_branches(&mut self) -> Result<(), Error> {
        if !self.has_branches() {
            return Ok(());
        }
        thread_branches(self.function_mut())?;
        self.find_variables_again()
    }

    /// Rotates loops; variables have values from new definitions then. Those of confined programs
    /// are left alone: their tests of addresses are proven from how the program writes its loops.
    pub(crate) fn rotate_loops(&mut self) -> Result<(), Error> {
        if self.has_branches() && !self.is_confined() && rotate_loops(self.function_mut())? {
            self.find_variables_again()?;
        }
        Ok(())
    }

    /// Copies blocks that end with an indirect jump; variables have values from new definitions
    /// then. In confined programs what runs of each function is paid for by its own blocks.
    pub(crate) fn duplicate_tails(&mut self) -> Result<(), Error> {
        if self.has_branches() && !self.is_confined() && duplicate_tails(self.function_mut())? {
            self.find_variables_again()?;
        }
        Ok(())
    }

    /// Finds which definitions the values of variables come from, if that was asked before.
    fn find_variables_again(&mut self) -> Result<(), Error> {
        match self.output.variables {
            Some(_) => self.find_variables(),
            None => Ok(()),
        }
    }

    /// Brings the function into SSA form, unless it calls `setjmp`: after that returns again,
    /// memory may differ from what was stored, so such functions stay as they are.
    pub(crate) fn construct_ssa(&mut self) -> Result<(), Error> {
        let isa = self.isa;
        if self.form() == Form::Generic && !self.function().is_jumped_back_into {
            let function = self.function_mut();
            thread_jumps(function)?;
            let variables = match &self.output.variables {
                Some(_) if cfg!(feature = "check") => {
                    let allocator = self.function.allocator();
                    let tracked = Tracked::new(self.function, allocator)?;
                    let before = tracked.definitions(self.function, allocator)?;
                    Some((tracked, before))
                }
                _ => None,
            };
            if let Some(flow) = construction::construct(self.function, isa)? {
                self.analyses.flow = Some(flow);
                *self.form = Form::Ssa;
                if let (Some(values), Some((tracked, before))) =
                    (&mut self.output.variables, variables)
                    && !values.rename(self.function, isa, tracked, &before)?
                {
                    self.output.variables = None;
                }
            } else {
                self.output.variables = None;
            }
        }
        Ok(())
    }

    pub(crate) fn combine(&mut self) -> Result<(), Error> {
        let form = self.form();
        let mut fired = RuleSet::EMPTY;
        self.in_blocks(&mut |function, _| {
            let combined = combine(function, form)?;
            fired = combined.fired;
            Ok(combined.preserved)
        })?;
        self.fired.combine = self.fired.combine.union(fired);
        Ok(())
    }

    /// Divides by constants; the new instructions stay in the block of the division.
    pub(crate) fn divide(&mut self) -> Result<(), Error> {
        if self.form() == Form::Ssa {
            return self.in_flow(&mut |function, isa, flow| divide_in_ranges(function, isa, flow));
        }
        self.in_blocks(&mut |function, isa| divide(function, isa).map(|()| Preserved::ControlFlow))
    }

    /// Unrolls loops, twice: a loop around unrolled ones can be unrolled the second time.
    pub(crate) fn unroll(&mut self) -> Result<(), Error> {
        for _ in 0..2 {
            let preserved = self.with_flow(&mut |function, _, flow| unroll(function, flow))?;
            if preserved == Preserved::ControlFlow {
                break;
            }
            let values = self.output.variables.as_deref_mut();
            if let Some(values) = values.filter(|_| cfg!(feature = "check")) {
                values.constants.find(self.function)?;
            }
            self.combine()?;
            self.merge_blocks()?;
            self.eliminate_common()?;
        }
        Ok(())
    }

    /// Returns whether the function is one of a confined program.
    fn is_confined(&self) -> bool {
        let module = self.source.map(|(module, _)| module);
        module.is_some_and(|module| module.confinement().is_some())
    }

    /// Hoists loop invariants, and shares those that turn out equal outside of the loops.
    pub(crate) fn hoist(&mut self) -> Result<(), Error> {
        let mut moved = false;
        // The proof of a confined function knows addresses by the registers that were tested.
        let is_confined = self.is_confined();
        self.in_flow(&mut |function, isa, flow| {
            moved = hoist(function, isa, flow, is_confined)?;
            Ok(())
        })?;
        if moved {
            self.eliminate_common()
        } else {
            Ok(())
        }
    }

    pub(crate) fn widen(&mut self) -> Result<(), Error> {
        let mut ranges = None;
        self.in_flow(&mut |function, isa, flow| {
            ranges = Some(widen(function, isa, flow)?);
            Ok(())
        })?;
        self.analyses.ranges = ranges;
        Ok(())
    }

    pub(crate) fn promote(&mut self) -> Result<(), Error> {
        let ranges = self.analyses.ranges.take();
        let mut is_ssa = true;
        self.in_flow(&mut |function, isa, flow| {
            is_ssa = promote(function, flow, ranges.as_deref().unwrap_or(&[]), isa)?;
            Ok(())
        })?;
        if is_ssa { Ok(()) } else { self.destruct_ssa() }
    }

    /// Propagates constants; if that decided branches, the following combine removes them.
    pub(crate) fn propagate(&mut self) -> Result<(), Error> {
        let mut changed = false;
        self.in_flow(&mut |function, _, flow| {
            changed = propagate(function, flow)?;
            changed |= fold_correlated(function, flow)?;
            Ok(())
        })?;
        if changed { self.combine() } else { Ok(()) }
    }

    pub(crate) fn merge_blocks(&mut self) -> Result<(), Error> {
        self.analyses.invalidate(Preserved::ControlFlow);
        let flow = self.analyses.find_flow(self.function, self.isa)?;
        merge_blocks(self.function, flow)
    }

    /// Eliminates common subexpressions; if that decided branches, removes them.
    pub(crate) fn eliminate_common(&mut self) -> Result<(), Error> {
        let mut decides = false;
        self.in_flow(&mut |function, _, flow| {
            decides = eliminate_common(function, flow)?;
            Ok(())
        })?;
        if decides {
            self.combine()?;
            self.merge_blocks()?;
        }
        Ok(())
    }

    /// Computes operands that the target does not take; if there were any, shares equal ones.
    pub(crate) fn legalise(&mut self) -> Result<(), Error> {
        let before = self.function.vreg_count();
        self.in_flow(&mut |function, isa, _| legalise(function, isa))?;
        if self.function.vreg_count() > before {
            self.eliminate_common()?;
        }
        Ok(())
    }

    /// Eliminates partially redundant loads; if there were any, shares what turns out equal.
    pub(crate) fn share_loads(&mut self) -> Result<(), Error> {
        let (is_confined, data) = (self.is_confined(), self.data_facts());
        self.replace_loads(&mut |function, isa, flow| {
            share_loads(function, isa, flow, data, !is_confined)
        })
    }

    /// Strength-reduces multiples of induction variables. In a confined program no more than the
    /// target needs: the proof knows offsets by how they are computed.
    pub(crate) fn reduce(&mut self) -> Result<(), Error> {
        // With lazily compiled blocks the count register is not preserved between blocks.
        let is_preserved = self.execution.granularity == Granularity::Function;
        let is_confined = self.is_confined();
        self.in_flow(&mut |function, isa, flow| {
            if is_confined && !scales_apart(isa) {
                return Ok(());
            }
            let count = isa.description().count_register;
            let count = count.filter(|_| is_preserved);
            reduce(function, isa, flow, count, !is_confined)
        })
    }

    /// Carries stored values over to the next iteration, if the function is not one of a confined
    /// program.
    pub(crate) fn carry_loads(&mut self) -> Result<(), Error> {
        if self.is_confined() {
            return Ok(());
        }
        let data = self.data_facts();
        let mut late = Vec::new(self.function.allocator());
        self.replace_loads(&mut |function, isa, flow| {
            carry_loads(function, isa, flow, data, &mut late)
        })?;
        if late.is_empty() || self.form() != Form::Ssa {
            return Ok(());
        }
        let peeled = self.with_flow(&mut |function, _, flow| peel(function, flow, &late))?;
        if peeled != Preserved::Nothing {
            return Ok(());
        }
        late.clear();
        self.replace_loads(&mut |function, isa, flow| {
            carry_loads(function, isa, flow, data, &mut late)
        })?;
        self.combine()
    }

    /// Returns the facts on the data of the module. The proof of a confined function knows
    /// addresses by the registers that were tested.
    fn data_facts(&self) -> DataFacts<'x> {
        if self.is_confined() {
            return DataFacts::default();
        }
        DataFacts {
            module: self.source.map(|(module, _)| module),
            private: self.callees.map(Callees::data),
        }
    }

    /// Replaces loads, and shares what turns out equal then.
    fn replace_loads(&mut self, replace: &mut InFlow<'_, 'm, Outcome>) -> Result<(), Error> {
        let mut outcome = Outcome::Unchanged;
        self.in_flow(&mut |function, isa, flow| {
            outcome = replace(function, isa, flow)?;
            Ok(())
        })?;
        match outcome {
            Outcome::Unchanged => Ok(()),
            Outcome::Replaced => self.eliminate_common(),
            Outcome::NotSsa => self.destruct_ssa(),
        }
    }

    /// Eliminates tests of ranges; if there were any, removes what only they reached.
    pub(crate) fn eliminate_checks(&mut self) -> Result<(), Error> {
        let mut decides = false;
        self.in_flow(&mut |function, isa, flow| {
            decides = eliminate_checks(function, isa, flow)?;
            Ok(())
        })?;
        if decides {
            self.combine()?;
            self.merge_blocks()?;
        }
        Ok(())
    }

    /// Merges tests of a meter, and tests of ranges; if there were any, folds what they tested.
    pub(crate) fn merge_checks(&mut self) -> Result<(), Error> {
        self.analyses.invalidate(Preserved::ControlFlow);
        let flow = self.analyses.find_flow(self.function, self.isa)?;
        // The tests are those that end the run.
        if !flow.has_stop() {
            return Ok(());
        }
        let meters = self.with_flow(&mut |function, _, flow| merge_checks(function, flow))?;
        let ranges = self.with_flow(&mut |function, _, flow| merge_ranges(function, flow))?;
        if [meters, ranges].contains(&Preserved::Nothing) {
            self.combine()?;
            self.merge_blocks()?;
        }
        Ok(())
    }

    /// Converts branches to selects. In a confined program each access has its own proof, so that
    /// none stands for two.
    pub(crate) fn convert_ifs(&mut self) -> Result<(), Error> {
        let joins_loads = !self.is_confined();
        self.with_flow(&mut |function, isa, flow| convert_ifs(function, isa, flow, joins_loads))
            .map(|_| ())
    }

    /// Makes one load of neighbouring ones, if the function is not one of a confined program: each
    /// access has its own proof there.
    pub(crate) fn combine_loads(&mut self) -> Result<(), Error> {
        if self.is_confined() {
            return Ok(());
        }
        self.in_flow(&mut |function, isa, _| combine_loads(function, isa))
    }

    /// Removes extensions that nothing reads, if the function is not one of a confined program:
    /// those are part of the proof of its accesses.
    pub(crate) fn eliminate_extensions(&mut self) -> Result<(), Error> {
        if self.is_confined() {
            return Ok(());
        }
        self.in_flow(&mut |function, _, flow| eliminate_extensions(function, flow))
    }

    /// Removes dead code, and narrows what is left, if the function is not one of a confined
    /// program: its addresses are proven from how they are added up.
    pub(crate) fn remove_dead(&mut self) -> Result<(), Error> {
        let is_confined = self.is_confined();
        self.in_flow(&mut |function, _, flow| match is_confined {
            true => remove_dead(function),
            false => remove_dead_bits(function, flow),
        })
    }

    /// Folds additions into PHIs, if the function is not one of a confined program: its addresses
    /// are proven from how they are added up.
    pub(crate) fn fold_phis(&mut self) -> Result<(), Error> {
        if self.is_confined() {
            return Ok(());
        }
        self.in_flow(&mut |function, _, flow| fold_phis(function, flow))
    }

    /// Merges comparisons, if the function is not one of a confined program: those are part of the
    /// proof of its accesses.
    pub(crate) fn merge_comparisons(&mut self) -> Result<(), Error> {
        if self.is_confined() {
            return Ok(());
        }
        let preserved =
            self.with_flow(&mut |function, _, flow| merge_comparisons(function, flow))?;
        if preserved == Preserved::Nothing {
            self.combine()?;
            self.merge_blocks()?;
        }
        Ok(())
    }

    pub(crate) fn destruct_ssa(&mut self) -> Result<(), Error> {
        self.in_flow(&mut |function, _, flow| construction::destruct(function, flow))?;
        self.analyses.flow = None;
        self.analyses.all_are_reached = true;
        *self.form = Form::Generic;
        Ok(())
    }

    pub(crate) fn thread_jumps(&mut self) -> Result<(), Error> {
        let (isa, all_are_reached) = (self.isa, self.analyses.all_are_reached);
        let function = self.function_mut();
        if thread_jumps(function)? || !all_are_reached {
            leave_out_unreached(function, isa)?;
        }
        Ok(())
    }

    pub(crate) fn select(&mut self) -> Result<(), Error> {
        let isa = self.isa;
        if self.options.check_confinement {
            self.verify_confinement()?;
        }
        if self.options.built_level() >= 2 && isa.description().overwrites_sources {
            order_sources(self.function_mut())?;
        }
        select(self.function_mut(), isa)?;
        *self.form = Form::Selected;
        Ok(())
    }

    /// Verifies a function of a confined program.
    #[cfg(feature = "check")]
    fn verify_confinement(&self) -> Result<(), Error> {
        let Some((module, func)) = self.source else {
            return Ok(());
        };
        match module.confinement() {
            Some(confinement) => verify(self.function, self.isa, module, func, confinement),
            None => Ok(()),
        }
    }

    #[cfg(not(feature = "check"))]
    fn verify_confinement(&self) -> Result<(), Error> {
        match self.source.and_then(|(module, _)| module.confinement()) {
            Some(_) => Err(Error::Unsupported),
            None => Ok(()),
        }
    }

    pub(crate) fn allocate(&mut self, strategy: Strategy) -> Result<(), Error> {
        let (isa, shrink_wraps) = (self.isa, self.shrink_wraps());
        let proof = match self.options.check_allocation {
            true => Proof::Checked,
            false => Proof::Omitted,
        };
        let function = self.function_mut();
        // Allocation is when most memory is in use. The linear scan comes after translation, which
        // leaves no operands behind.
        if strategy == Strategy::Priority && function.operand_room() > FEW_OPERANDS {
            function.pack_operands()?;
        }
        let apart = match shrink_wraps {
            true => separate(function, isa)?,
            false => None,
        };
        let values = self.output.variables.as_deref_mut();
        let asked = Asked { proof, values };
        self.analyses.used = Some(allocate(self.function, isa, strategy, apart, asked)?);
        *self.form = Form::Allocated;
        Ok(())
    }

    /// Returns an error if the function has instructions or operands that its form excludes: the
    /// cheap part of [`verify`](crate::codegen::verify), at the border of each stage.
    pub(crate) fn check_form(&self) -> Result<(), Error> {
        let (form, function) = (self.form(), self.function());
        let phase = match form {
            Form::Empty | Form::Generic => Phase::Translation,
            Form::Ssa => Phase::Optimisation,
            Form::Selected => Phase::Selection,
            Form::Allocated => Phase::Allocation,
            Form::Framed | Form::Encoded => Phase::Emission,
        };
        for &block in &function.layout {
            for insn in function.insns(block) {
                let is_sound = match (form, function.insn(insn).opcode.generic()) {
                    (Form::Generic, generic) => generic != Some(Generic::Phi),
                    (Form::Empty | Form::Ssa, _) => true,
                    (_, Some(generic)) if !generic.is_property() => {
                        form == Form::Selected && generic == Generic::Copy
                    }
                    (Form::Selected, _) => true,
                    _ => function.operands(insn).iter().all(|o| o.vreg().is_none()),
                };
                if !is_sound {
                    return Err(phase.internal(Some(insn)));
                }
            }
        }
        Ok(())
    }

    /// Returns the units of all registers that the function writes or reads.
    pub(crate) fn used(&self) -> UnitSet {
        let (function, registers) = (self.function(), self.isa.registers());
        let mut used = UnitSet::EMPTY;
        for &block in &function.layout {
            for insn in function.insns(block) {
                let operands = function.operands(insn).iter();
                let units = operands.filter_map(|o| Some(registers.units(o.as_reg()?)));
                used = units.fold(used, UnitSet::union);
            }
        }
        used
    }

    pub(crate) fn frame(&mut self) -> Result<(), Error> {
        let used = self.analyses.used.unwrap_or_else(|| self.used());
        let placement = match self.shrink_wraps() {
            true => FramePlacement::ShrinkWrapped,
            false => FramePlacement::Entry,
        };
        let (isa, granularity) = (self.isa, self.execution.granularity);
        let function = self.function_mut();
        let prologue = finish_frame(function, isa, used, placement)?;
        if self.options.landing_pads {
            add_landing_pads(self.function, isa, granularity)?;
        }
        self.output.prologue = Some(prologue);
        *self.form = Form::Framed;
        Ok(())
    }

    pub(crate) fn emit(&mut self) -> Result<(), Error> {
        let is_placed =
            self.options.built_level() >= 2 && self.execution.granularity == Granularity::Function;
        let line_bytes = match is_placed {
            true => self.isa.description().line_bytes,
            false => 0,
        };
        let code = &mut self.output.code;
        self.offsets = Some(emit(self.function, self.isa, code, line_bytes)?);
        *self.form = Form::Encoded;
        Ok(())
    }
}
