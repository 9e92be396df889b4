//! Stages as values: each has a name, the form of function that it works on, and a function that
//! runs it. A compiler runs a list of them, by default that of its target and level; an embedder
//! may give it another.

use crate::codegen::emit::branch_folding::follow_jumps;
pub use crate::codegen::form::Form;
pub use crate::codegen::form::HIGHEST_LEVEL;
use crate::codegen::lower::compare_elimination::eliminate_compares;
use crate::codegen::lower::constant_hoisting::hoist_constants;
use crate::codegen::lower::fold::fold;
use crate::codegen::lower::redundant_extensions::drop_extensions;
use crate::codegen::opt::block_placement::place_blocks;
use crate::codegen::opt::dead_stores::remove_dead_stores;
use crate::codegen::opt::licm::{add_dedicated_exits, add_preheaders};
use crate::codegen::opt::rotates::find_rotations;
use crate::codegen::opt::sink_increments::sink_increments;
use crate::codegen::pipeline::work::Work;
use crate::codegen::regalloc::allocate::Strategy;
use crate::codegen::regalloc::reload_elimination::eliminate_reloads;
use crate::target::Isa;
use crate::target::error::Error;

/// The function that runs a stage.
pub type Run<'s> = &'s (dyn Fn(&mut Work<'_, '_>) -> Result<(), Error> + Sync);

/// A stage of the code generator.
#[derive(Clone, Copy)]
pub struct Stage<'s> {
    /// The name. The same stage may come several times in a list.
    pub name: &'s str,
    /// The form of function that the stage works on. A stage on generic instructions works in SSA
    /// form, too; one on SSA form is skipped if the function could not be brought into it.
    pub on: Form,
    /// The function that runs the stage.
    pub run: Run<'s>,
}

impl core::fmt::Debug for Stage<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name)
    }
}

impl<'s> Stage<'s> {
    /// Returns a stage.
    #[must_use]
    pub const fn new(name: &'s str, on: Form, run: Run<'s>) -> Stage<'s> {
        Stage { name, on, run }
    }

    /// Runs the stage, if it is for the form that the function is in. Returns whether it is.
    ///
    /// # Errors
    ///
    /// The error of the stage; [`Error::WrongForm`] if it cannot work on the function.
    pub(crate) fn apply(&self, work: &mut Work<'_, '_>) -> Result<bool, Error> {
        match (self.on, work.form()) {
            (Form::Ssa, Form::Generic) => return Ok(false),
            (Form::Generic, Form::Ssa) => (self.run)(work)?,
            (on, form) if on == form => (self.run)(work)?,
            _ => return Err(Error::WrongForm),
        }
        Ok(true)
    }
}

/// Translation: makes generic instructions of Medium IR.
pub const TRANSLATE: Stage<'_> = Stage::new("translate", Form::Empty, &|work| work.translate());
/// Branch threading: has blocks that write a register and go on to a test of it do the test.
pub const BRANCH_THREADING: Stage<'_> = Stage::new("branch-threading", Form::Generic, &|work| {
    work.thread_branches()
});
/// Loop rotation: has loops end with the test that they begin with.
pub const LOOP_ROTATION: Stage<'_> =
    Stage::new("loop-rotation", Form::Generic, &|work| work.rotate_loops());
/// Tail duplication: has blocks that jump to an indirect jump make that jump.
pub const TAIL_DUPLICATION: Stage<'_> = Stage::new("tail-duplication", Form::Generic, &|work| {
    work.duplicate_tails()
});
/// SSA construction: one definition per virtual register.
pub const SSA_CONSTRUCTION: Stage<'_> = Stage::new("ssa-construction", Form::Generic, &|work| {
    work.construct_ssa()
});
/// Combining: folds constants, copies, additions and extensions into their users.
pub const COMBINE: Stage<'_> = Stage::new("combine", Form::Generic, &|work| work.combine());
/// Division by constants: replaces it by multiplications and shifts.
pub const DIVIDE_BY_CONSTANT: Stage<'_> =
    Stage::new("divide-by-constant", Form::Generic, &|work| work.divide());
/// Sparse conditional constant propagation, and the folding of correlated branches.
pub const SCCP: Stage<'_> = Stage::new("sccp", Form::Ssa, &|work| work.propagate());
/// Scalar replacement: turns parts of frame objects that no pointer leads to into registers.
pub const SCALAR_REPLACEMENT: Stage<'_> =
    Stage::new("scalar-replacement", Form::Ssa, &|work| work.promote());
/// Dead store elimination: removes stores that nothing can read.
pub const DEAD_STORES: Stage<'_> = Stage::new("dead-stores", Form::Ssa, &|work| {
    work.in_flow(&mut |function, _, _| remove_dead_stores(function))
});
/// Block merging: joins a block with its only successor if it is the only predecessor of that.
pub const BLOCK_MERGING: Stage<'_> =
    Stage::new("block-merging", Form::Ssa, &|work| work.merge_blocks());
/// Value numbering: removes computations and loads whose result is known already.
pub const CSE: Stage<'_> = Stage::new("cse", Form::Ssa, &|work| work.eliminate_common());
/// Partial redundancy elimination of loads: replaces those whose value some path has in a
/// register.
pub const LOAD_PRE: Stage<'_> = Stage::new("load-pre", Form::Ssa, &|work| work.share_loads());
/// Loop unrolling: copies the bodies of small loops that run a known number of times.
pub const UNROLL: Stage<'_> = Stage::new("unroll", Form::Ssa, &|work| work.unroll());
/// Check elimination: decides tests of ranges that other tests imply.
pub const CHECK_ELIMINATION: Stage<'_> = Stage::new("check-elimination", Form::Ssa, &|work| {
    work.eliminate_checks()
});
/// Check merging: makes one test of several in a row by which a meter goes down.
pub const CHECK_MERGING: Stage<'_> =
    Stage::new("check-merging", Form::Ssa, &|work| work.merge_checks());
/// Comparison merging: makes one comparison of two of the same register with constants.
pub const COMPARISON_MERGING: Stage<'_> = Stage::new("comparison-merging", Form::Ssa, &|work| {
    work.merge_comparisons()
});
/// Rotates: replaces opposite shifts of a value by a rotate.
pub const ROTATES: Stage<'_> = Stage::new("rotates", Form::Ssa, &|work| {
    work.in_flow(&mut |function, isa, _| find_rotations(function, isa))
});
/// Load combining: loads a word instead of its bytes.
pub const LOAD_COMBINING: Stage<'_> =
    Stage::new("load-combining", Form::Ssa, &|work| work.combine_loads());
/// Extension elimination: removes extensions whose upper bits are read by nothing.
pub const EXTENSION_ELIMINATION: Stage<'_> =
    Stage::new("extension-elimination", Form::Ssa, &|work| {
        work.eliminate_extensions()
    });
/// PHI folding: adds on those paths alone that have something to add.
pub const PHI_FOLDING: Stage<'_> = Stage::new("phi-folding", Form::Ssa, &|work| work.fold_phis());
/// Induction variable widening: keeps counters extended.
pub const WIDEN_INDUCTION: Stage<'_> =
    Stage::new("widen-induction", Form::Ssa, &|work| work.widen());
/// If-conversion: replaces branches around cheap computations by selects.
pub const IF_CONVERSION: Stage<'_> =
    Stage::new("if-conversion", Form::Ssa, &|work| work.convert_ifs());
/// Preheaders: gives each loop a block before it that leads nowhere else.
pub const PREHEADERS: Stage<'_> = Stage::new("preheaders", Form::Ssa, &|work| {
    work.with_flow(&mut |function, _, flow| add_preheaders(function, flow))
        .map(|_| ())
});
/// Dedicated exits: gives loops that exit to PHIs a block between.
pub const DEDICATED_EXITS: Stage<'_> = Stage::new("dedicated-exits", Form::Ssa, &|work| {
    work.with_flow(&mut |function, _, flow| add_dedicated_exits(function, flow))
        .map(|_| ())
});
/// Legalisation: computes operands that the target's instructions do not take in instructions of
/// their own.
pub const LEGALISE: Stage<'_> = Stage::new("legalise", Form::Ssa, &|work| work.legalise());
/// Loop-invariant code motion: moves computations that are the same in each iteration to the
/// preheader.
pub const LICM: Stage<'_> = Stage::new("licm", Form::Ssa, &|work| work.hoist());
/// Strength reduction: replaces multiples of induction variables by new induction variables.
pub const STRENGTH_REDUCTION: Stage<'_> =
    Stage::new("strength-reduction", Form::Ssa, &|work| work.reduce());
/// Carried loads: has loops keep what they stored in the iteration before in registers.
pub const CARRIED_LOADS: Stage<'_> =
    Stage::new("carried-loads", Form::Ssa, &|work| work.carry_loads());
/// Dead code elimination: removes computations whose results no effect depends on, and computes in
/// 32 bits what nothing reads in 64.
pub const DEAD_CODE: Stage<'_> = Stage::new("dead-code", Form::Ssa, &|work| work.remove_dead());
/// Block placement: loops contiguous, with their tests at their ends.
pub const BLOCK_PLACEMENT: Stage<'_> = Stage::new("block-placement", Form::Ssa, &|work| {
    work.in_flow(&mut |function, _, flow| place_blocks(function, flow))
});
/// Sinking of increments: moves the step of an induction variable after the readers of its old
/// value.
pub const SINK_INCREMENTS: Stage<'_> = Stage::new("sink-increments", Form::Ssa, &|work| {
    work.in_flow(&mut |function, isa, flow| sink_increments(function, isa, flow))
});
/// SSA destruction: replaces PHIs by copies.
pub const SSA_DESTRUCTION: Stage<'_> =
    Stage::new("ssa-destruction", Form::Ssa, &|work| work.destruct_ssa());
/// Jump threading: redirects branches to jumps to the final target.
pub const JUMP_THREADING: Stage<'_> =
    Stage::new("jump-threading", Form::Generic, &|work| work.thread_jumps());
/// Instruction selection: replaces generic instructions by the target's.
pub const SELECT: Stage<'_> = Stage::new("select", Form::Generic, &|work| work.select());
/// Peephole folding: merges loads and immediates into the instructions that read them.
pub const FOLD: Stage<'_> = Stage::new("fold", Form::Selected, &|work| {
    let isa = work.isa();
    work.fired.fold = fold(work.function_mut(), isa)?;
    Ok(())
});
/// Removal of extensions of values that are extended already, for targets with small immediates.
pub const REDUNDANT_EXTENSIONS: Stage<'_> =
    Stage::new("redundant-extensions", Form::Selected, &|work| {
        let isa = work.isa();
        drop_extensions(work.function_mut(), isa)
    });
/// Hoisting of constants out of the loops that read them, for targets with small immediates.
pub const CONSTANT_HOISTING: Stage<'_> = Stage::new("constant-hoisting", Form::Selected, &|work| {
    let isa = work.isa();
    hoist_constants(work.function_mut(), isa)
});
/// Register allocation.
pub const ALLOCATE: Stage<'_> = Stage::new("allocate", Form::Selected, &|work| {
    work.allocate(Strategy::Priority)
});
/// Register allocation by linear scan: less time, slower code.
pub const ALLOCATE_QUICKLY: Stage<'_> = Stage::new("allocate", Form::Selected, &|work| {
    work.allocate(Strategy::LinearScan)
});
/// Reload elimination: reads spilled values from registers that hold them, or from memory.
pub const RELOAD_ELIMINATION: Stage<'_> =
    Stage::new("reload-elimination", Form::Allocated, &|work| {
        // The units that allocation used stay known: no register comes into use.
        eliminate_reloads(work.function, work.isa)
    });
/// Compare elimination: leaves out comparisons with zero of results whose instructions set the
/// flags.
pub const COMPARE_ELIMINATION: Stage<'_> =
    Stage::new("compare-elimination", Form::Allocated, &|work| {
        // The units that allocation used stay known: no register comes into use.
        eliminate_compares(work.function, work.isa)
    });
/// Jump threading after allocation: redirects branches to blocks that are empty or only jump.
pub const BRANCH_FOLDING: Stage<'_> = Stage::new("branch-folding", Form::Allocated, &|work| {
    // The units that allocation used stay known: no register comes into use.
    Ok(follow_jumps(work.function, work.isa)?)
});
/// Frame layout: replaces frame objects by offsets, and inserts prologue and epilogues.
pub const FRAME: Stage<'_> = Stage::new("frame", Form::Allocated, &|work| work.frame());
/// Emission: encodes the function, with branch relaxation.
pub const EMIT: Stage<'_> = Stage::new("emit", Form::Framed, &|work| work.emit());

/// A backend as the pipeline sees it: an ISA with the stages that its functions go through.
///
/// It is a trait of its own so that what describes an ISA does not depend on the passes.
pub trait Backend: Isa {
    /// The stages that functions go through at a level.
    fn stages(&self, level: u8) -> &'static [Stage<'static>] {
        LEVELS.of(level)
    }
}

impl core::fmt::Debug for dyn Backend + '_ {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Backend({})", self.target().name)
    }
}

/// The stages of each level.
const ALL_LEVELS: [&[Stage<'_>]; 4] = [
    &[TRANSLATE, SELECT, ALLOCATE_QUICKLY, FRAME, EMIT],
    &[
        TRANSLATE,
        COMBINE,
        DIVIDE_BY_CONSTANT,
        JUMP_THREADING,
        SELECT,
        FOLD,
        REDUNDANT_EXTENSIONS,
        CONSTANT_HOISTING,
        ALLOCATE,
        FRAME,
        EMIT,
    ],
    &[
        TRANSLATE,
        BRANCH_THREADING,
        LOOP_ROTATION,
        TAIL_DUPLICATION,
        SSA_CONSTRUCTION,
        COMBINE,
        SCALAR_REPLACEMENT,
        SCCP,
        DIVIDE_BY_CONSTANT,
        BLOCK_MERGING,
        CSE,
        LOAD_PRE,
        UNROLL,
        EXTENSION_ELIMINATION,
        SCALAR_REPLACEMENT,
        CHECK_ELIMINATION,
        CHECK_MERGING,
        COMPARISON_MERGING,
        ROTATES,
        LOAD_COMBINING,
        PHI_FOLDING,
        IF_CONVERSION,
        PREHEADERS,
        LICM,
        DEAD_STORES,
        DEAD_CODE,
        SINK_INCREMENTS,
        BLOCK_PLACEMENT,
        SSA_DESTRUCTION,
        JUMP_THREADING,
        SELECT,
        FOLD,
        REDUNDANT_EXTENSIONS,
        CONSTANT_HOISTING,
        ALLOCATE,
        RELOAD_ELIMINATION,
        COMPARE_ELIMINATION,
        BRANCH_FOLDING,
        FRAME,
        EMIT,
    ],
    &[
        TRANSLATE,
        BRANCH_THREADING,
        LOOP_ROTATION,
        TAIL_DUPLICATION,
        SSA_CONSTRUCTION,
        COMBINE,
        SCALAR_REPLACEMENT,
        SCCP,
        DIVIDE_BY_CONSTANT,
        BLOCK_MERGING,
        CSE,
        LOAD_PRE,
        UNROLL,
        EXTENSION_ELIMINATION,
        CHECK_ELIMINATION,
        CHECK_MERGING,
        COMPARISON_MERGING,
        ROTATES,
        WIDEN_INDUCTION,
        SCALAR_REPLACEMENT,
        LOAD_COMBINING,
        PHI_FOLDING,
        IF_CONVERSION,
        BLOCK_MERGING,
        PREHEADERS,
        DEDICATED_EXITS,
        COMBINE,
        LEGALISE,
        LICM,
        STRENGTH_REDUCTION,
        CARRIED_LOADS,
        DEAD_STORES,
        DEAD_CODE,
        SINK_INCREMENTS,
        BLOCK_PLACEMENT,
        SSA_DESTRUCTION,
        JUMP_THREADING,
        SELECT,
        FOLD,
        REDUNDANT_EXTENSIONS,
        CONSTANT_HOISTING,
        ALLOCATE,
        RELOAD_ELIMINATION,
        COMPARE_ELIMINATION,
        BRANCH_FOLDING,
        FRAME,
        EMIT,
    ],
];

/// The number of stages that the levels that are built in have together.
const STAGE_COUNT: usize = {
    let (mut count, mut level) = (0, 0);
    while level <= HIGHEST_LEVEL as usize {
        count += ALL_LEVELS[level].len();
        level += 1;
    }
    count
};

/// The stages of all levels that are built in, for [`Backend::stages`]. A program contains only the
/// stages that these lists name, so backends leave out those that would find nothing to do on their
/// target.
#[derive(Debug)]
pub struct Levels {
    stages: [Stage<'static>; STAGE_COUNT],
    /// The index after the last stage of each level.
    ends: [usize; HIGHEST_LEVEL as usize + 1],
}

impl Levels {
    /// Returns all stages but those of these names.
    #[must_use]
    pub const fn without(names: &[&str]) -> Levels {
        let mut levels = Levels {
            stages: [TRANSLATE; STAGE_COUNT],
            ends: [0; HIGHEST_LEVEL as usize + 1],
        };
        let (mut level, mut end) = (0, 0);
        while level < levels.ends.len() {
            let mut place = 0;
            while place < ALL_LEVELS[level].len() {
                let stage = ALL_LEVELS[level][place];
                if !is_among(names, stage.name) {
                    levels.stages[end] = stage;
                    end += 1;
                }
                place += 1;
            }
            levels.ends[level] = end;
            level += 1;
        }
        levels
    }

    /// Returns the stages of a level; levels above [`HIGHEST_LEVEL`] are that one.
    #[must_use]
    pub fn of(&self, level: u8) -> &[Stage<'static>] {
        let level = usize::from(level.min(HIGHEST_LEVEL));
        let start = match level.checked_sub(1) {
            Some(below) => self.ends[below],
            None => 0,
        };
        self.stages.get(start..self.ends[level]).unwrap_or(&[])
    }
}

/// Returns whether a name is in a list.
const fn is_among(names: &[&str], name: &str) -> bool {
    let mut number = 0;
    while number < names.len() {
        let (known, name) = (names[number].as_bytes(), name.as_bytes());
        let mut same = 0;
        while same < name.len() && same < known.len() && known[same] == name[same] {
            same += 1;
        }
        if same == name.len() && same == known.len() {
            return true;
        }
        number += 1;
    }
    false
}

/// The stages of targets that need all of them.
pub static LEVELS: Levels = Levels::without(&[]);
