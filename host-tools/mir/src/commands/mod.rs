//! The subcommands, one file each.

pub(crate) mod asm;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod dis;
#[cfg(feature = "tools")]
pub(crate) mod disasm;
pub(crate) mod embed;
pub(crate) mod explain;
pub(crate) mod fmt;
pub(crate) mod image;
pub(crate) mod import;
pub(crate) mod llvm;
#[cfg(feature = "tools")]
pub(crate) mod lsp;
pub(crate) mod machine;
#[cfg(feature = "tools")]
pub(crate) mod man;
pub(crate) mod obj;
mod on;
pub(crate) mod run;
pub(crate) mod stats;
#[cfg(feature = "tools")]
pub(crate) mod view;
