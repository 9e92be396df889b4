//! The interpreter at work: calls `main`, and tells where a run stopped.

use crate::host::MainArguments;
use mir_nostd::ir::{self, FuncId, InsnId, Module, Problem};
use mir_nostd::link::{Callable, Context, Engine};
use mir_nostd::target::{Entry, Value};

/// Where a run stopped, or what a calling function was about to do.
pub(crate) struct Frame<'c> {
    pub(crate) module: &'c Module<'static>,
    pub(crate) func: FuncId,
    pub(crate) insn: Option<InsnId>,
}

/// Why a run ended before `main` returned, and where: the innermost function first.
pub(crate) struct Stop<'c> {
    pub(crate) reason: String,
    pub(crate) frames: Vec<Frame<'c>>,
}

/// What runs functions.
pub(crate) struct Absent;
pub(crate) static ENGINE: Absent = Absent;

impl Engine for Absent {
    fn bind(&self, _: &Context<'_>, _: &Callable<'_>, _: &Entry, _: bool) {}
    fn evaluate(&self, _: &Context<'_>, _: &Callable<'_>) -> ir::Result<Value> {
        Err(Problem::OutOfMemory.into())
    }
    fn release(&self, _: &Context<'_>, _: *mut ()) {}
}

/// Calls `main`; gives its exit status.
pub(crate) fn call_main<'c>(
    _context: &'c Context<'static>,
    main: &'c Callable<'static>,
    _fuel: Option<u64>,
    arguments: &MainArguments,
) -> Result<i32, Stop<'c>> {
    let [_argc, _argv, _envp] = arguments.values();
    let frames = main.func().map(|(linked, func)| Frame {
        module: linked.module(),
        func,
        insn: None,
    });
    Err(Stop {
        reason: "there is no interpreter yet".into(),
        frames: frames.into_iter().collect(),
    })
}
