//! The kinds of signature of a program: a call through a function's value faults unless its
//! prototype is of the function's kind.

use crate::ir::{Class, Module, Result, Signature, Type};
use crate::mem::{Allocator, HashKey, HashTable, Vec};

/// The signatures of a program, numbered by what calls have to agree on: the classes of results and
/// arguments, sizes of blocks, and whether variable arguments follow.
#[derive(Debug)]
pub(super) struct Signatures<'m> {
    bytes: Vec<'m, u8>,
    /// The end in `bytes` of each.
    ends: Vec<'m, u32>,
    table: HashTable<'m>,
    key: HashKey,
}

impl<'m> Signatures<'m> {
    pub(super) fn new(allocator: &'m dyn Allocator, key: HashKey) -> Signatures<'m> {
        Signatures {
            bytes: Vec::new(allocator),
            ends: Vec::new(allocator),
            table: HashTable::new(allocator),
            key,
        }
    }

    /// Returns the number of the kind of a signature.
    pub(super) fn number(&mut self, module: &Module<'_>, signature: &Signature) -> Result<u32> {
        let start = self.bytes.len();
        let written = self.write(module, signature);
        if let Err(error) = written {
            self.bytes.truncate(start);
            return Err(error);
        }
        self.intern(start)
    }

    /// Returns the number of the kind of a signature of scalars.
    pub(super) fn number_of(&mut self, results: &[Type], arguments: &[Type]) -> Result<u32> {
        let start = self.bytes.len();
        self.bytes.push(0)?;
        for &ty in results {
            self.bytes.push(kind(ty))?;
        }
        self.bytes.push(SEPARATOR)?;
        for &ty in arguments {
            self.bytes.push(kind(ty))?;
        }
        self.intern(start)
    }

    fn write(&mut self, module: &Module<'_>, signature: &Signature) -> Result<()> {
        self.bytes.push(u8::from(signature.is_vararg()))?;
        for &ty in module.results(signature) {
            self.bytes.push(kind(ty))?;
        }
        self.bytes.push(SEPARATOR)?;
        for arg in module.args(signature) {
            self.bytes.push(kind(arg.ty))?;
            if arg.ty.is_block() && arg.ty != Type::Rblk {
                self.bytes.extend_from_slice(&arg.size.to_le_bytes())?;
            }
        }
        Ok(())
    }

    /// Returns the number of the signature whose bytes begin at `start`, which are the last.
    fn intern(&mut self, start: usize) -> Result<u32> {
        let (before, new) = self.bytes.split_at(start);
        let start_of = |number: usize| match number.checked_sub(1) {
            Some(previous) => self.ends[previous] as usize,
            None => 0,
        };
        let is_it = |number: u32| {
            let number = number as usize;
            &before[start_of(number)..self.ends[number] as usize] == new
        };
        let hash = self.key.bytes(new);
        if let Some(known) = self.table.find(hash, is_it) {
            self.bytes.truncate(start);
            return Ok(known);
        }
        let number = self.ends.len() as u32;
        self.table.reserve(1)?;
        self.ends.push(self.bytes.len() as u32)?;
        self.table.insert(hash, number)?;
        Ok(number)
    }
}

/// The byte between results and arguments.
const SEPARATOR: u8 = 0xFF;

/// Returns the byte of a type: its class, or that of a block that is passed by value.
fn kind(ty: Type) -> u8 {
    match ty {
        Type::Blk0 | Type::Blk1 | Type::Blk2 | Type::Blk3 | Type::Blk4 => 0x10,
        ty => match ty.class() {
            Class::Int => 1,
            Class::Float => 2,
            Class::Double => 3,
            Class::LongDouble => 4,
        },
    }
}
