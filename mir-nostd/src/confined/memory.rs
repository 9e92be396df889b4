//! The memory of a program, as an import of the embedder sees it.
#![expect(unsafe_code, reason = "views of memory that a program writes to")]

use super::FIRST_ADDRESS;
use super::caller::{Callee, Caller};
use super::fault::Fault;
use crate::link::{Access, HostError, Reason, Windows};
use crate::target::Value;
use core::fmt;
use core::marker::PhantomData;
use core::ptr::NonNull;

/// The memory of a program that waits for an import to return: addresses are the program's, and
/// each access is checked.
pub struct Memory<'a> {
    start: NonNull<u8>,
    bytes: usize,
    windows: &'a Windows,
    lent: PhantomData<&'a mut [u8]>,
    /// The run that waits; none while the program is linked.
    caller: Option<&'a dyn Caller>,
}

/// The code of the [`HostError`] with which an import fails that is given an address outside of the
/// program's memory.
pub const BAD_ADDRESS: u32 = u32::MAX;

impl<'a> Memory<'a> {
    /// Returns the view of a program's memory and windows.
    ///
    /// # Safety
    ///
    /// The bytes are there and nobody else uses them, nor those of the windows, for `'a`.
    pub(super) const unsafe fn new(
        start: NonNull<u8>,
        bytes: usize,
        windows: &'a Windows,
        caller: Option<&'a dyn Caller>,
    ) -> Self {
        Memory {
            start,
            bytes,
            windows,
            lent: PhantomData,
            caller,
        }
    }

    /// Calls a function of the program, by the name that a module of it exports or by its value in
    /// the program, in the engine of the run that waits for the import. It takes of the run's fuel
    /// and stack.
    ///
    /// An import that passes the fault on, with `?` as a [`HostError`], ends the run with it; one
    /// that does not may go on.
    ///
    /// # Errors
    ///
    /// The fault of the call. [`Reason::Stack`] if there are [`MOST_CALLS_BACK`] inside each other;
    /// [`Reason::NotLinked`] if nothing has this name, or the program is being linked;
    /// [`Reason::BadFunction`] if no function of the program's own has this value;
    /// [`Reason::Signature`] if it has other numbers of arguments or results.
    ///
    /// [`MOST_CALLS_BACK`]: super::MOST_CALLS_BACK
    pub fn call<'n>(
        &mut self,
        callee: impl Into<Callee<'n>>,
        arguments: &[Value],
        results: &mut [Value],
    ) -> Result<(), Fault> {
        let caller = self.caller.ok_or(Fault::new(Reason::NotLinked))?;
        caller.call(callee.into(), arguments, results)
    }

    /// Returns the place of `bytes` bytes at an address of the program.
    fn place(
        &self,
        address: u64,
        bytes: u64,
        access: Access,
    ) -> Result<(NonNull<u8>, usize), HostError> {
        let len = usize::try_from(bytes).map_err(|_| HostError(BAD_ADDRESS))?;
        let offset = address.wrapping_sub(FIRST_ADDRESS);
        let is_own = |offset: &usize| *offset <= self.bytes && len <= self.bytes - *offset;
        if let Some(offset) = usize::try_from(offset).ok().filter(is_own) {
            // SAFETY: the offset is within the memory, or its end.
            return Ok((unsafe { self.start.add(offset) }, len));
        }
        let found = self.windows.find(address, bytes, access);
        let place = found.map(core::ptr::with_exposed_provenance_mut);
        let place = place.and_then(NonNull::new).ok_or(HostError(BAD_ADDRESS))?;
        Ok((place, len))
    }

    /// Returns `bytes` bytes at an address of the program.
    ///
    /// # Errors
    ///
    /// [`BAD_ADDRESS`] if they are not all its own, or in one window.
    pub fn slice(&self, address: u64, bytes: u64) -> Result<&[u8], HostError> {
        let (place, len) = self.place(address, bytes, Access::Read)?;
        // SAFETY: the bytes are there, and nobody writes to them while `self` is borrowed.
        Ok(unsafe { core::slice::from_raw_parts(place.as_ptr(), len) })
    }

    /// Returns `bytes` bytes at an address of the program, to be written to.
    ///
    /// # Errors
    ///
    /// [`BAD_ADDRESS`] if they are not all its own, or in one window that may be written to.
    pub fn slice_mut(&mut self, address: u64, bytes: u64) -> Result<&mut [u8], HostError> {
        let (place, len) = self.place(address, bytes, Access::Write)?;
        // SAFETY: the bytes are there, and nobody else uses them while `self` is borrowed.
        Ok(unsafe { core::slice::from_raw_parts_mut(place.as_ptr(), len) })
    }

    /// Returns the bytes from an address of the program up to the first NUL, without it.
    ///
    /// # Errors
    ///
    /// [`BAD_ADDRESS`] if there is none in the program's memory.
    pub fn c_string(&self, address: u64) -> Result<&[u8], HostError> {
        let end = FIRST_ADDRESS + self.bytes as u64;
        let rest = end.checked_sub(address).ok_or(HostError(BAD_ADDRESS))?;
        let bytes = self.slice(address, rest)?;
        let len = bytes.iter().position(|&byte| byte == 0);
        Ok(&bytes[..len.ok_or(HostError(BAD_ADDRESS))?])
    }
}

impl fmt::Debug for Memory<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory")
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}
