//! The settings of compilation, which every stage reads by reference.

use crate::codegen::debug::DebugOutput;
use crate::codegen::form::HIGHEST_LEVEL;
use crate::mem::Limited;

/// The settings that an embedder chooses.
#[derive(Clone, Copy, Debug)]
pub struct Options<'m> {
    /// The optimisation level: 0, 1, 2 with SSA form and inlining of small functions, or 3 with
    /// loop optimisations. A level above [`HIGHEST_LEVEL`] is that one.
    pub level: u8,
    /// True if each register allocation is proven right. This takes the feature `check`; without
    /// it nothing is compiled then.
    pub check_allocation: bool,
    /// True if each function of a confined program is proven to access only what it may, before
    /// instructions are selected. This takes the feature `check`; without it none of them is
    /// compiled then.
    pub check_confinement: bool,
    /// True to emit landing pads (ENDBR64 on `x86_64`, BTI on aarch64) at targets of indirect
    /// branches.
    pub landing_pads: bool,
    /// The limits of compiling one function.
    pub budget: Budget<'m>,
    /// The receiver of messages about the work.
    pub debug: Option<DebugOutput<'m>>,
}

impl Options<'_> {
    /// Level 1 without anything optional.
    pub const DEFAULT: Self = Options {
        level: 1,
        check_allocation: false,
        check_confinement: false,
        landing_pads: false,
        budget: Budget::UNLIMITED,
        debug: None,
    };

    /// Returns the level, at most the highest that is built in.
    pub(crate) fn built_level(&self) -> u8 {
        self.level.min(HIGHEST_LEVEL)
    }
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options::DEFAULT
    }
}

/// The limits of compiling one function: its time and memory are in proportion to the instructions
/// of Machine IR that it becomes.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'m> {
    /// The most instructions of Machine IR.
    pub insns: usize,
    /// The compiler's allocator, if it is limited. Reaching its limit is then
    /// [`Error::Budget`](crate::codegen::Error::Budget), and all memory that is kept for further
    /// functions is given back.
    pub memory: Option<&'m Limited<'m>>,
}

impl Budget<'_> {
    /// No limits.
    pub const UNLIMITED: Self = Budget {
        insns: usize::MAX,
        memory: None,
    };
}

impl Default for Budget<'_> {
    fn default() -> Self {
        Budget::UNLIMITED
    }
}

/// The properties of code that whoever runs it relies on. They are set by the engine or the writer
/// of objects that the code is for, not by an embedder.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Execution {
    /// The unit of lazy compilation.
    pub granularity: Granularity,
    /// The checks in the code.
    pub limits: Limits,
    /// True if the code is for objects, which a linker puts anywhere; see
    /// [`Function::is_position_independent`](crate::machine::Function::is_position_independent).
    pub position_independent: bool,
    /// True if faults tell who called whom: sites of calls and inlined functions are noted.
    pub traces: bool,
    /// True if the place of each instruction in the source is noted
    /// ([`Function::insn_site`](crate::machine::Function::insn_site)), and its place in the code
    /// ([`Code::places`](crate::codegen::Code::places)), for tables of lines.
    pub lines: bool,
    /// True if the places of the variables of functions that are compiled as a whole are noted, for
    /// debuggers. At level 0 each then has a place in the frame from the entry to the end
    /// ([`Function::variables`](crate::machine::Function::variables)). Above that the code does not
    /// change; with [`Execution::lines`] and the feature `check` it is noted which registers and
    /// spill slots hold variables at which instructions
    /// ([`Output::variables`](crate::codegen::Output::variables)).
    pub variables: bool,
}

impl Execution {
    /// Whole functions without checks at a fixed address.
    pub const DEFAULT: Self = Execution {
        granularity: Granularity::Function,
        limits: Limits {
            fuel: Fuel::Free,
            stack: false,
        },
        position_independent: false,
        traces: false,
        lines: false,
        variables: false,
    };
}

/// The unit in which functions become code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Granularity {
    /// Whole functions.
    #[default]
    Function,
    /// The first block, and each other block when control first comes to it: with one version per
    /// set of properties that variables have there, as far as `run::Options::versions` goes; none
    /// are followed if fuel is charged. No value is kept in registers that thunks clobber.
    Block,
}

/// The fuel that code charges.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Fuel {
    /// None.
    #[default]
    Free,
    /// A block for which it does not suffice ends the run.
    Final,
    /// Before such a block the runtime is asked for more. All values must survive that, which makes
    /// loops slower.
    Granted,
}

/// The checks that code makes as it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The fuel that is charged for regions of Medium IR when control comes to them.
    pub fuel: Fuel,
    /// True if functions check at their entry that there is stack left.
    pub stack: bool,
}
