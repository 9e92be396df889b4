//! The platform's `va_list`: made for interpreted functions, read by `va_arg`, and shared with C
//! both ways.
//!
//! A target defines its `va_list` as a plain structure with safe arithmetic on addresses
//! ([`VaList`]); the code that reads and writes memory is here, once for all.

use super::{Argument, Cursor};
use crate::ir::Type;

/// The variable arguments of one activation of a variadic function, wherever they are.
///
/// They are made by [`super::Plan::write_variable`] (a call from interpreted code) or
/// [`super::Plan::receive`] (a call from C), and valid until that activation ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VariableArguments {
    /// The registers and stack bytes that the named arguments use up.
    pub named: Cursor,
    /// The image of the argument registers; not read when `named` has used them all.
    pub image: *mut u8,
    /// The start of the stack arguments.
    pub stack: *mut u8,
}

/// The layout of a `va_list` and how it advances. Addresses are only computed, never dereferenced.
pub trait VaList: Copy {
    /// Returns a list of these arguments.
    fn start(from: &VariableArguments) -> Self;

    /// Returns the place of the next argument of this type, and advances the list.
    fn next(&mut self, argument: Argument) -> Fetched;
}

/// The place of a variable argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fetched {
    /// The address of the argument, or of its first 8 bytes if there is a `rest`.
    pub at: *mut u8,
    /// The address of the bytes from the ninth on, if they lie elsewhere.
    pub rest: Option<*mut u8>,
    /// True if `at` holds the address of the argument.
    pub by_address: bool,
}

impl Fetched {
    /// Returns the place of an argument at this address.
    #[must_use]
    pub const fn at(at: *mut u8) -> Fetched {
        Fetched {
            at,
            rest: None,
            by_address: false,
        }
    }

    /// Returns the place of an argument whose address is at this address.
    #[must_use]
    pub const fn by_address(at: *mut u8) -> Fetched {
        Fetched {
            at,
            rest: None,
            by_address: true,
        }
    }

    /// Returns the address of an argument that is in one piece.
    ///
    /// # Safety
    ///
    /// The list that returned `self` was valid and had an argument left.
    unsafe fn address(self) -> *mut u8 {
        if self.by_address {
            // SAFETY: by the caller's word `at` is a slot that holds an address.
            unsafe { self.at.cast::<*mut u8>().read_unaligned() }
        } else {
            self.at
        }
    }
}

/// The operations on a target's `va_list`.
#[derive(Clone, Copy, Debug)]
pub struct VaListOperations {
    /// Its size in bytes.
    pub bytes: u32,
    /// True if it is an array type, so that C passes its address.
    pub is_array: bool,
    /// Stores a list of these arguments: `va_start`.
    ///
    /// The pointer must be valid for `bytes` bytes, at any alignment.
    pub start: unsafe fn(*mut u8, &VariableArguments),
    /// Returns the address of the next argument, which must not be a block: `va_arg`.
    ///
    /// The list must be valid and have an argument of this type left.
    pub argument: unsafe fn(*mut u8, Type) -> *mut u8,
    /// Copies the next argument, a block of this type and size, to the first address:
    /// `va_block_arg`.
    ///
    /// The list must be valid and have such an argument left, and there must be room for it at the
    /// first address.
    pub block: unsafe fn(*mut u8, *mut u8, Argument),
}

impl VaListOperations {
    /// Returns the operations on a `va_list` of layout `L`.
    #[must_use]
    pub const fn of<L: VaList>(is_array: bool) -> VaListOperations {
        VaListOperations {
            bytes: size_of::<L>() as u32,
            is_array,
            start: start::<L>,
            argument: argument::<L>,
            block: block::<L>,
        }
    }
}

/// # Safety
///
/// See [`VaListOperations::start`].
unsafe fn start<L: VaList>(list: *mut u8, from: &VariableArguments) {
    // SAFETY: the caller vouches for room for a list.
    unsafe { list.cast::<L>().write_unaligned(L::start(from)) };
}

/// # Safety
///
/// See [`VaListOperations::argument`].
unsafe fn next<L: VaList>(list: *mut u8, argument: Argument) -> Fetched {
    // SAFETY: the caller vouches for a valid list.
    let mut state = unsafe { list.cast::<L>().read_unaligned() };
    let fetched = state.next(argument);
    // SAFETY: as above.
    unsafe { list.cast::<L>().write_unaligned(state) };
    fetched
}

/// # Safety
///
/// See [`VaListOperations::argument`].
unsafe fn argument<L: VaList>(list: *mut u8, ty: Type) -> *mut u8 {
    // SAFETY: the caller vouches for the list and for an argument in it.
    unsafe { next::<L>(list, Argument::scalar(ty)).address() }
}

/// # Safety
///
/// See [`VaListOperations::block`].
unsafe fn block<L: VaList>(to: *mut u8, list: *mut u8, argument: Argument) {
    let size = argument.size as usize;
    // SAFETY: the caller vouches for the list, for a block of `size` bytes in it, and for room for
    // it at `to`; the pieces of the block are where the list says. The destination may overlap
    // nothing but itself.
    unsafe {
        let fetched = next::<L>(list, argument);
        let first = if fetched.rest.is_some() {
            size.min(8)
        } else {
            size
        };
        core::ptr::copy(fetched.address(), to, first);
        if let Some(rest) = fetched.rest {
            core::ptr::copy(rest, to.add(first), size - first);
        }
    }
}
