//! Windows: memory of the embedder that a confined program sees at addresses of its own.
//!
//! The table lies before the words of the program, where a routine of the code finds it that looks
//! up accesses outside of the program's memory. A row without bytes is free.
#![expect(unsafe_code, reason = "the table is shared with the code")]

use crate::Error;
use crate::memory::Memory;

/// The lowest address at which a program can have a window.
pub const FIRST_WINDOW: u64 = 1 << 33;

/// The most windows of a program at a time.
pub const MOST_WINDOWS: usize = 8;

/// Memory to be seen by a program.
#[derive(Debug)]
pub enum Window<'w> {
    /// For reading only.
    Read(&'w [u8]),
    /// For writing, and reading as well.
    Write(&'w mut [u8]),
}

/// A row of the table, whose size the code knows.
#[derive(Clone, Copy)]
#[repr(C)]
struct Row {
    /// The program's address of the first byte.
    start: u64,
    bytes: u64,
    /// The machine's address of the first byte.
    place: u64,
    /// 1 if it may be written to, else 0.
    is_writable: u64,
}

const FREE: Row = Row {
    start: 0,
    bytes: 0,
    place: 0,
    is_writable: 0,
};

const _: () = assert!(size_of::<Row>() * MOST_WINDOWS == crate::memory::WINDOWS as usize);

impl Row {
    /// Returns the place of an access, if all its bytes are in the window, which admits it.
    fn find(&self, address: u64, bytes: u64, is_written: bool) -> Option<*mut u8> {
        let offset = address.checked_sub(self.start)?;
        let room = self.bytes.checked_sub(offset)?;
        let is_admitted =
            self.bytes != 0 && bytes <= room && self.is_writable >= u64::from(is_written);
        let place = (self.place as usize).wrapping_add(offset as usize);
        is_admitted.then_some(core::ptr::with_exposed_provenance_mut(place))
    }
}

impl Memory {
    /// Returns the places of the rows; none if the program may have no windows.
    fn rows(self) -> impl Iterator<Item = *mut Row> {
        let count = if self.has_windows { MOST_WINDOWS } else { 0 };
        (0..count).map(move |number| self.windows().cast::<Row>().wrapping_add(number))
    }

    /// Returns the place of an access through a window.
    pub(crate) fn window(self, address: u64, bytes: u64, is_written: bool) -> Option<*mut u8> {
        // SAFETY: the table is before the words, and aligned as they are. Code only reads it.
        let mut rows = self.rows().map(|row| unsafe { row.read() });
        rows.find_map(|row| row.find(address, bytes, is_written))
    }

    /// Puts a window into the table.
    pub(crate) fn open(self, address: u64, window: Window<'_>) -> Result<(), Error> {
        let (place, bytes, is_writable) = match window {
            Window::Read(memory) => (memory.as_ptr().cast_mut(), memory.len(), 0),
            Window::Write(memory) => (memory.as_mut_ptr(), memory.len(), 1),
        };
        let row = Row {
            start: address,
            bytes: bytes as u64,
            place: place.expose_provenance() as u64,
            is_writable,
        };
        let is_there = address >= FIRST_WINDOW && address.checked_add(row.bytes).is_some();
        // SAFETY: as above, and the program does not run: its embedder has it.
        let free = self.rows().find(|&to| unsafe { (*to).bytes == 0 });
        match free.filter(|_| is_there) {
            // SAFETY: as above.
            Some(to) => unsafe { to.write(row) },
            None => return Err(Error::Window),
        }
        Ok(())
    }

    /// Empties the table, whatever the data of the image has there.
    pub(crate) fn close_all(self) {
        // SAFETY: as above, and the program does not run.
        self.rows().for_each(|row| unsafe { row.write(FREE) });
    }

    /// Takes the windows at an address out of the table; returns whether there were any.
    pub(crate) fn close(self, address: u64) -> bool {
        let mut is_found = false;
        for row in self.rows() {
            // SAFETY: as above.
            unsafe {
                if (*row).bytes != 0 && (*row).start == address {
                    row.write(FREE);
                    is_found = true;
                }
            }
        }
        is_found
    }
}

/// A window that is taken back when this is dropped.
pub(crate) struct Lent {
    pub(crate) memory: Memory,
    pub(crate) address: u64,
}

impl Drop for Lent {
    fn drop(&mut self) {
        self.memory.close(self.address);
    }
}
