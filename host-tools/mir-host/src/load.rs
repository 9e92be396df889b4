//! Contexts with everything that this machine has, and programs in either form loaded into them.
#![expect(unsafe_code, reason = "whoever loads a program vouches for it")]

use crate::{HostPages, SystemAllocator};
use core::fmt;
use mir_nostd::codegen;
use mir_nostd::ir::{Error, Module};
use mir_nostd::link::{Context, ContextOptions};
use mir_nostd::run::{Jit, Options};
use mir_nostd::verify::{Verified, Violation};
use mir_nostd::{binary, link, mem, text};

/// Returns the settings of a context for this machine: the system's allocator, native calls and
/// executable pages.
#[must_use]
pub fn context_options<'m>(engine: &'m dyn link::Engine) -> ContextOptions<'m> {
    let target = target_all::HOST.target();
    ContextOptions {
        native: Some(target_all::NATIVE),
        pages: Some(&HostPages),
        ..ContextOptions::new(&SystemAllocator, target, engine)
    }
}

/// Returns a compiler for the functions of a context that has the settings of [`context_options`].
///
/// # Errors
///
/// As [`Jit::new`].
pub fn jit<'c, 'm>(
    context: &'c Context<'m>,
    options: Options<'m>,
) -> Result<Jit<'c, 'm>, codegen::Error> {
    Jit::new(
        context,
        target_all::HOST,
        target_all::NATIVE,
        &HostPages,
        options,
    )
}

/// The errors of a program that could not be loaded, a sentence with its place each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    /// The sentences, in the order of their places.
    pub problems: Vec<String>,
}

impl LoadError {
    fn of(problem: &impl fmt::Display) -> LoadError {
        LoadError {
            problems: vec![problem.to_string()],
        }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problems.join("\n"))
    }
}

impl core::error::Error for LoadError {}

/// Reads a program, text or binary, checks its modules and loads them. They are linked by
/// [`Context::link`], after everything that they need.
///
/// ```
/// use mir_nostd::link::Context;
/// let engine = mir_nostd::interp::Engine::new();
/// let context = Context::new(mir_host::context_options(&engine));
/// let text = b"m: module\nf: func i64, d:x\n ret x\n endfunc\n endmodule\n";
/// // SAFETY: nothing is run.
/// let error = unsafe { mir_host::load(&context, text) }.unwrap_err();
/// assert_eq!(error.to_string(), "in `f`, at `ret x`, operand 1: an integer is expected here");
/// // SAFETY: as above.
/// let error = unsafe { mir_host::load(&context, b"m: modul\n") }.unwrap_err();
/// assert!(error.to_string().starts_with("1:4: "), "{error}");
/// ```
///
/// # Errors
///
/// The text or the bytes are no program, the verifier refuses a module, or the context does;
/// modules before that one stay loaded.
///
/// # Safety
///
/// As [`Context::load`].
pub unsafe fn load<'m>(context: &Context<'m>, program: &[u8]) -> Result<(), LoadError> {
    let mut modules = read(context, program)?;
    // The vector has no draining iterator; the order of modules is kept.
    let mut reversed = Vec::new();
    while let Some(module) = modules.pop() {
        reversed.push(module);
    }
    for module in reversed.into_iter().rev() {
        // SAFETY: by the caller's word.
        unsafe { load_module(context, module)? };
    }
    Ok(())
}

/// Checks a module and loads it.
///
/// # Errors
///
/// The verifier refuses the module, or the context does.
///
/// # Safety
///
/// As [`Context::load`].
pub unsafe fn load_module<'m>(context: &Context<'m>, module: Module<'m>) -> Result<(), LoadError> {
    let verified = verified(context, module)?;
    // SAFETY: by the caller's word.
    unsafe { context.load(verified) }.map_err(|error| LoadError::of(&error))
}

fn read<'m>(context: &Context<'m>, program: &[u8]) -> Result<mem::Vec<'m, Module<'m>>, LoadError> {
    let (allocator, target) = (context.allocator(), context.target());
    if binary::is_binary(program) {
        let options = binary::ReadOptions::new(target.long_double, target.big_endian);
        let read = binary::read(program, allocator, &options);
        return read.map_err(|error| LoadError::of(&error));
    }
    let mut problems = Vec::new();
    let mut note = |error: Error| problems.push(error.to_string());
    let parsed = text::parse(program, allocator, target.long_double, &mut note);
    parsed.map_err(|error| {
        if problems.is_empty() {
            problems.push(error.to_string());
        }
        LoadError { problems }
    })
}

fn verified<'m>(context: &Context<'m>, module: Module<'m>) -> Result<Verified<'m>, LoadError> {
    let mut violations: Vec<Violation> = Vec::new();
    let mut note = |violation: Violation| {
        if !violation.is_warning {
            violations.push(violation);
        }
    };
    Verified::new(module, context.target(), &mut note).map_err(|rejected| LoadError {
        problems: violations
            .iter()
            .map(|violation| violation.describe(&rejected.module).to_string())
            .collect(),
    })
}
