//! The memory of the host that the code of a confined program may use.

use super::{FuncId, ItemId};

/// The memory that the code of a module of a confined program may use, by the host's addresses: so
/// that whoever compiles the module can check what came out of it. If the module is made ahead
/// ([`Confinement::symbols`]), addresses are distances from the program's memory, which is at 0.
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
    /// The address of the table of windows, ahead any number; 0 if there is none.
    pub windows: u64,
    /// The function `(to, from, bytes)` that copies more than 7 bytes between addresses of the
    /// host, which whoever calls it has checked.
    pub copier: Option<FuncId>,
    /// True if the module is a library of the program. At level 3 its calls are inlined as at level
    /// 2: what compiling more of them takes, most programs do not get back.
    pub is_library: bool,
    /// The symbols of code that is made ahead; `None` if the addresses are known.
    #[cfg(feature = "ahead")]
    pub ahead: Option<Symbols>,
}

impl Confinement {
    /// Returns the symbols of code that is made ahead; `None` if the addresses are known.
    #[must_use]
    pub const fn symbols(&self) -> Option<Symbols> {
        #[cfg(feature = "ahead")]
        return self.ahead;
        #[cfg(not(feature = "ahead"))]
        None
    }
}

/// The symbols that code which is made ahead has in place of addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symbols {
    /// The program's memory, if code refers to it.
    pub memory: Option<ItemId>,
    /// The table of functions, if code looks there. No word says where it is.
    pub functions: Option<ItemId>,
    /// The bytes of that table, or of its first rows.
    pub functions_bytes: u64,
}
