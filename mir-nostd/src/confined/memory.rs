//! The memory of a program, as an import of the embedder sees it.
#![expect(unsafe_code, reason = "views of memory that a program writes to")]

use super::FIRST_ADDRESS;
use crate::link::{Access, HostError, Windows};
use core::marker::PhantomData;
use core::ptr::NonNull;

/// The memory of a program that waits for an import to return: addresses are the program's, and
/// each access is checked.
#[derive(Debug)]
pub struct Memory<'a> {
    start: NonNull<u8>,
    bytes: usize,
    windows: &'a Windows,
    lent: PhantomData<&'a mut [u8]>,
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
    pub(super) const unsafe fn new(start: NonNull<u8>, bytes: usize, windows: &'a Windows) -> Self {
        Memory {
            start,
            bytes,
            windows,
            lent: PhantomData,
        }
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
