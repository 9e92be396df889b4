//! The names that the modules of a program share, and its functions.

use super::signature::Signatures;
use super::{FIRST_FUNCTION, HANDLE_STEP};
use crate::ir::{FuncId, Problem, Result, Type};
use crate::mem::{Allocator, HashKey, Interner, Vec};

/// The meaning of a name that a program's modules export, or that the embedder defined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Definition {
    /// Data at an address of the program.
    Data(u64),
    /// The function of this number.
    Function(u32),
}

/// A function that the program may call: its own, or an import that it was given.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// The kind of its signature.
    pub(super) signature: u32,
    pub(super) source: Source,
}

/// The types of an import.
pub(super) struct ImportRow<'m> {
    pub(super) results: Vec<'m, Type>,
    pub(super) arguments: Vec<'m, Type>,
}

/// The origin of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    /// A function of the program's module of this number.
    Module { module: u32, func: FuncId },
    /// The import of this number.
    Import(u32),
}

/// The names and functions of a program.
pub(super) struct Linkage<'m> {
    names: Interner<'m>,
    /// The meaning of each name.
    definitions: Vec<'m, Definition>,
    pub(super) rows: Vec<'m, Row>,
    pub(super) signatures: Signatures<'m>,
}

impl<'m> Linkage<'m> {
    pub(super) fn new(allocator: &'m dyn Allocator) -> Linkage<'m> {
        let key = HashKey::new(allocator.hash_seed());
        Linkage {
            names: Interner::new(allocator, key),
            definitions: Vec::new(allocator),
            rows: Vec::new(allocator),
            signatures: Signatures::new(allocator, key),
        }
    }

    pub(super) fn find(&self, name: &[u8]) -> Option<Definition> {
        let number = self.names.find(name, &[])?;
        self.definitions.get(number as usize).copied()
    }

    /// Enters a name; false if it is there already.
    pub(super) fn define(&mut self, name: &[u8], definition: Definition) -> Result<bool> {
        self.definitions.reserve(1)?;
        let number = self.names.intern(name, &[])?.ok_or(Problem::TooLarge)?;
        let is_new = number as usize == self.definitions.len();
        if is_new {
            self.definitions.push(definition)?;
        }
        Ok(is_new)
    }

    /// Calls `each` with the names of functions, and their numbers.
    pub(super) fn each_function(
        &self,
        mut each: impl FnMut(&[u8], u32) -> Result<()>,
    ) -> Result<()> {
        for (name, definition) in (0..).zip(&self.definitions) {
            if let Definition::Function(number) = *definition {
                each(self.names.get(name), number)?;
            }
        }
        Ok(())
    }

    /// Adds a function and returns its number.
    pub(super) fn add(&mut self, row: Row) -> Result<u32> {
        let number = self.rows.len() as u32;
        self.rows.push(row)?;
        Ok(number)
    }

    /// Returns the function of this number.
    pub(super) fn row(&self, number: u32) -> Option<Row> {
        self.rows.get(number as usize).copied()
    }
}

/// Returns the value of a function, as programs know it.
pub(super) fn handle(function: u32) -> i64 {
    (FIRST_FUNCTION + HANDLE_STEP * u64::from(function)).cast_signed()
}
