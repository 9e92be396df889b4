//! The memory of the host that the code of a confined program may use.

use super::FuncId;

/// The memory that the code of a module of a confined program may use, by the host's addresses: so
/// that whoever compiles the module can check what came out of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Confinement {
    /// The address of the program's memory.
    pub memory: u64,
    /// The bytes of the program's memory.
    pub bytes: u64,
    /// The address of the word with the program's stack pointer, the only one that code writes.
    pub stack_pointer: u64,
    /// The least value of that word, an address of the program.
    pub stack_low: u64,
    /// The greatest value of that word.
    pub stack_high: u64,
    /// The address of the word with the address of the table of functions, whose rows of 16 bytes
    /// have the address of a function in their second half.
    pub functions: u64,
    /// The address of the word with the bytes of that table.
    pub functions_bytes: u64,
    /// The address of the word that says if an import failed.
    pub failed: u64,
    /// The address of the table of windows; 0 if there is none.
    pub windows: u64,
    /// The function `(to, from, bytes)` that copies more than 7 bytes between addresses of the
    /// host, which whoever calls it has checked.
    pub copier: Option<FuncId>,
}
