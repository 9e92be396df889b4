//! Reads LLVM IR as text and converts it to Medium IR.
//!
//! The output of clang and rustc for one of the five targets becomes a module that the runtime can
//! check, run and compile ([`import`]). Values keep the sizes, layouts and calling conventions of
//! that target. A construct that Medium IR cannot express (scalable vectors, exceptions of Windows,
//! inline assembly that does something, integers of more than 512 bits) is an error
//! with its function, line and column (`docs/import.md`). No text, however wrong, causes a panic.
//!
//! [`Lines`] and [`DebugInfo`] lead from the module back to the text and to the C, C++ or Rust that
//! it was made from: lines, variables and types.
//!
//! LLVM's generic Machine IR, which has LLVM IR as its module, is read too: the output of `llc
//! -global-isel -stop-after=irtranslator` for aarch64, riscv64 and `x86_64`.
//!
//! ```
//! use mir_nostd::target::Isa;
//!
//! # fn main() -> Result<(), Box<dyn core::error::Error>> {
//! let text = b"define i32 @twice(i32 %x) {\n  %y = add i32 %x, %x\n  ret i32 %y\n}\n";
//! let options = llvm_ir::Options::new(target_x86_64::ISA.description());
//! let imported = llvm_ir::import(text, &options, &testkit::SystemAllocator);
//! let imported = imported.map_err(|mut errors| errors.remove(0))?;
//! assert!(imported.skipped.is_empty());
//! # Ok(()) }
//! ```

mod ast;
mod debug_info;
mod error;
mod generic;
mod import;
mod lines;
mod numbers;
mod parse;
mod types;

pub use debug_info::{DebugInfo, DebugType, Declared, Location, Member, SourceVariable};
pub use error::Error;
pub use import::{Imported, Options, import};
pub use lines::{KnownValue, Lines, Slot, VariableValues};

/// Returns whether the content looks like LLVM IR as text, or Machine IR with such a module: a
/// document (`---`), a comment, `source_filename`, `target`, `define`, `declare`, or a global or
/// type definition comes first.
///
/// ```
/// assert!(llvm_ir::is_llvm_ir(b"; ModuleID = 'a.c'\n"));
/// assert!(!llvm_ir::is_llvm_ir(b"m: module\nendmodule\n"));
/// ```
#[must_use]
pub fn is_llvm_ir(content: &[u8]) -> bool {
    if generic::is_machine_ir(content) {
        return true;
    }
    const STARTS: [&[u8]; 5] = [
        b"source_filename",
        b"target datalayout",
        b"target triple",
        b"define ",
        b"declare ",
    ];
    let mut lines = content
        .split(|&byte| byte == b'\n')
        .map(|line| line.trim_ascii());
    let Some(first) = lines.find(|line| !line.is_empty() && !line.starts_with(b";")) else {
        return content.trim_ascii().starts_with(b"; ModuleID");
    };
    let defines = |sigil: &[u8]| first.starts_with(sigil) && first.contains(&b'=');
    STARTS.iter().any(|start| first.starts_with(start)) || defines(b"@") || defines(b"%")
}

/// Returns the triple of a text in LLVM IR, such as `x86_64-unknown-linux-gnu`; `None` if it states
/// none.
#[must_use]
pub fn triple(text: &[u8]) -> Option<String> {
    if generic::is_machine_ir(text) {
        return generic::triple(text);
    }
    parse::triple(text)
}

/// Returns the names that a text in LLVM IR defines for other files, and not weakly.
///
/// In a program of several files, weak definitions of these give way ([`Options::shared`]).
///
/// ```
/// let text = b"define i32 @f() {\n  ret i32 0\n}\n@x = weak global i32 1\n";
/// assert_eq!(llvm_ir::strong_names(text), ["f"]);
/// ```
#[must_use]
pub fn strong_names(text: &[u8]) -> Vec<String> {
    parse::strong_names(text)
}
