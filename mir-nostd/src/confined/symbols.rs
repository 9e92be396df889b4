//! The names by which code that is made ahead refers to the program's memory, functions, imports.
//!
//! No other symbol begins with a digit or a colon; those of the program's functions (`NUMBER:NAME`)
//! and of its imports (`:NAME`) do, so that none can pass for another.

use super::linkage::{Linkage, Source};
use crate::ir::Result;
use crate::mem::{Allocator, OutOfMemory, Vec};
use core::fmt::Write;

/// The name of the program's memory.
pub const MEMORY: &[u8] = b"mir_memory";

/// The name of the table of functions.
pub const TABLE: &[u8] = b"mir_functions";

/// The bytes of the words right before the memory. The first is the program's stack pointer, which
/// is [`Ahead::stack_top`](super::Ahead::stack_top) before each call; the fourth is 0, or 1 more
/// than the code with which an import failed. Code uses no others.
pub const WORDS_BYTES: i64 = 96;

/// Returns the name of the symbol of a function or import.
///
/// # Errors
///
/// Out of memory.
pub(super) fn symbol<'m>(
    allocator: &'m dyn Allocator,
    linkage: &Linkage<'_>,
    function: u32,
    name: &[u8],
) -> Result<Vec<'m, u8>> {
    let mut symbol = Vec::new(allocator);
    let source = linkage.row(function).map(|row| row.source);
    if matches!(source, Some(Source::Module { .. })) {
        write!(symbol, "{function}").map_err(|_| OutOfMemory)?;
    }
    symbol.push(b':')?;
    symbol.extend_from_slice(name)?;
    Ok(symbol)
}
