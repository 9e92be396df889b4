//! The kinds of signature of a program: a call through a function's value faults unless its
//! prototype is of the function's kind.

use crate::ir::{Class, Module, Problem, Result, Signature, Type};
use crate::mem::{Allocator, HashKey, Interner, Vec};

/// The signatures of a program, numbered by what calls have to agree on: the classes of results and
/// arguments, sizes of blocks, and whether variable arguments follow.
#[derive(Debug)]
pub(super) struct Signatures<'m> {
    kinds: Interner<'m>,
    /// The bytes of the signature that is being looked up.
    bytes: Vec<'m, u8>,
}

impl<'m> Signatures<'m> {
    pub(super) fn new(allocator: &'m dyn Allocator, key: HashKey) -> Signatures<'m> {
        Signatures {
            kinds: Interner::new(allocator, key),
            bytes: Vec::new(allocator),
        }
    }

    /// Returns the number of the kind of a signature.
    pub(super) fn number(&mut self, module: &Module<'_>, signature: &Signature) -> Result<u32> {
        self.bytes.clear();
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
        self.intern()
    }

    /// Returns the number of the kind of a signature of scalars.
    pub(super) fn number_of(&mut self, results: &[Type], arguments: &[Type]) -> Result<u32> {
        self.bytes.clear();
        self.bytes.push(0)?;
        for &ty in results {
            self.bytes.push(kind(ty))?;
        }
        self.bytes.push(SEPARATOR)?;
        for &ty in arguments {
            self.bytes.push(kind(ty))?;
        }
        self.intern()
    }

    fn intern(&mut self) -> Result<u32> {
        let number = self.kinds.intern(&self.bytes, &[])?;
        number.ok_or(Problem::TooLarge.into())
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
