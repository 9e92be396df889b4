//! Signatures of imports, and values.

use mir_nostd::ir::{ArgSpec, SignatureSpec, Type};
use mir_nostd::mem::{Allocator, OutOfMemory, Vec};
use mir_nostd::target::Value;

/// The type of an argument or a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Kind {
    /// A signed integer of 8 bits.
    I8 = 0,
    /// An unsigned integer of 8 bits.
    U8 = 1,
    /// A signed integer of 16 bits.
    I16 = 2,
    /// An unsigned integer of 16 bits.
    U16 = 3,
    /// A signed integer of 32 bits.
    I32 = 4,
    /// An unsigned integer of 32 bits.
    U32 = 5,
    /// A signed integer of 64 bits.
    I64 = 6,
    /// An unsigned integer of 64 bits.
    U64 = 7,
    /// A float.
    F = 8,
    /// A double.
    D = 9,
    /// A long double in the machine's format.
    Ld = 10,
    /// An address.
    P = 11,
}

/// A [`Kind`] as C gives it, which may be any number.
pub type KindNumber = u32;

// The numbers are those of the language.
const _: () = assert!(Type::P as u32 == Kind::P as u32 && Type::I8 as u32 == Kind::I8 as u32);
// The header says so.
const _: () = assert!(size_of::<Value>() == 16 && align_of::<Value>() == 16);

/// The types of a function's results and arguments. A pointer whose count is 0 may
/// be null.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Signature {
    /// The types of the results.
    pub results: *const KindNumber,
    /// Their number.
    pub result_count: usize,
    /// The types of the arguments.
    pub arguments: *const KindNumber,
    /// Their number.
    pub argument_count: usize,
}

/// A signature that was wrong: an unknown type or a null pointer; or there was no memory.
pub(crate) enum Wrong {
    Signature,
    Memory,
}

impl From<OutOfMemory> for Wrong {
    fn from(_: OutOfMemory) -> Wrong {
        Wrong::Memory
    }
}

/// The types of a signature that was checked.
pub(crate) struct Checked<'m> {
    results: Vec<'m, Type>,
    arguments: Vec<'m, ArgSpec<'static>>,
}

impl Signature {
    /// Returns the types.
    ///
    /// # Safety
    ///
    /// The pointers are null or to as many numbers as the counts say.
    pub(crate) unsafe fn check(self, allocator: &dyn Allocator) -> Result<Checked<'_>, Wrong> {
        let mut checked = Checked {
            results: Vec::new(allocator),
            arguments: Vec::new(allocator),
        };
        // SAFETY: by the caller's word.
        let (results, arguments) = unsafe {
            (
                types(self.results, self.result_count)?,
                types(self.arguments, self.argument_count)?,
            )
        };
        for &number in results {
            checked.results.push(type_of(number)?)?;
        }
        for &number in arguments {
            checked
                .arguments
                .push(ArgSpec::new(type_of(number)?, "_"))?;
        }
        Ok(checked)
    }
}

impl Checked<'_> {
    pub(crate) fn spec(&self) -> SignatureSpec<'_> {
        SignatureSpec {
            results: &self.results,
            args: &self.arguments,
            vararg: false,
        }
    }
}

/// # Safety
///
/// As [`Signature::check`].
unsafe fn types<'a>(start: *const u32, count: usize) -> Result<&'a [u32], Wrong> {
    match (start.is_null(), count) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(Wrong::Signature),
        // SAFETY: by the caller's word.
        (false, _) => Ok(unsafe { core::slice::from_raw_parts(start, count) }),
    }
}

fn type_of(number: u32) -> Result<Type, Wrong> {
    let known = number <= Kind::P as u32;
    let ty = known.then(|| Type::ALL.get(number as usize));
    ty.flatten().copied().ok_or(Wrong::Signature)
}
