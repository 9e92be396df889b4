//! Windows: memory of the embedder that a confined program sees at addresses of its own.

/// The access that a program makes, or that a window admits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Access {
    /// Reading only.
    Read,
    /// Writing, and reading as well.
    Write,
}

impl Access {
    /// Returns the number of bytes and the access that the constant of a `reach` stands for.
    pub(crate) const fn of_constant(constant: u64) -> (u64, Access) {
        let access = if constant & 1 == 0 {
            Access::Read
        } else {
            Access::Write
        };
        (constant >> 1, access)
    }
}

/// A range of a confined program's addresses, and the embedder's memory there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Window {
    /// The program's address of the first byte.
    pub start: u64,
    /// The number of bytes.
    pub bytes: u64,
    /// The host's address of the first byte.
    pub host: usize,
    /// The access that is admitted.
    pub access: Access,
}

impl Window {
    /// Returns the host's address of an access, if all its bytes are in the window.
    fn find(&self, address: u64, bytes: u64, access: Access) -> Option<usize> {
        let offset = address.checked_sub(self.start)?;
        let room = self.bytes.checked_sub(offset)?;
        let is_admitted = bytes <= room && access <= self.access;
        is_admitted.then_some(self.host.wrapping_add(offset as usize))
    }
}

/// The most windows of a program at a time.
pub const MOST_WINDOWS: usize = 8;

/// The windows of a confined program.
///
/// ```
/// use mir_nostd::link::{Access, Window, Windows};
/// let packet = [0_u8; 64];
/// let mut windows = Windows::new();
/// let start = 1 << 33;
/// let host = packet.as_ptr().expose_provenance();
/// windows.open(Window { start, bytes: 64, host, access: Access::Read })?;
/// assert_eq!(windows.find(start + 60, 4, Access::Read), Some(host + 60));
/// assert_eq!(windows.find(start + 61, 4, Access::Read), None);
/// assert_eq!(windows.find(start, 4, Access::Write), None);
/// # Ok::<(), Window>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Windows(heapless::Vec<Window, MOST_WINDOWS>);

impl Windows {
    /// Returns a table without windows.
    #[must_use]
    pub const fn new() -> Windows {
        Windows(heapless::Vec::new())
    }

    /// Adds a window.
    ///
    /// # Errors
    ///
    /// There are [`MOST_WINDOWS`] already; the window comes back.
    pub fn open(&mut self, window: Window) -> Result<(), Window> {
        self.0.push(window)
    }

    /// Removes the windows at this address of the program; returns whether there were any.
    pub fn close(&mut self, start: u64) -> bool {
        let before = self.0.len();
        self.0.retain(|window| window.start != start);
        self.0.len() < before
    }

    /// Removes this window, and leaves others at its address; returns whether it was there.
    pub fn close_one(&mut self, window: &Window) -> bool {
        let place = self.0.iter().rposition(|open| open == window);
        place.is_some_and(|place| {
            self.0.remove(place);
            true
        })
    }

    /// Returns the host's address of an access to `bytes` bytes at the program's address, if one
    /// window holds them all and admits it.
    #[must_use]
    pub fn find(&self, address: u64, bytes: u64, access: Access) -> Option<usize> {
        self.0
            .iter()
            .find_map(|window| window.find(address, bytes, access))
    }
}

#[cfg(test)]
mod tests {
    use super::{Access, MOST_WINDOWS, Window, Windows};

    const START: u64 = 1 << 33;

    fn window(start: u64, bytes: u64, access: Access) -> Window {
        Window {
            start,
            bytes,
            host: 0x1000,
            access,
        }
    }

    #[test]
    fn an_access_is_inside_of_one_window() {
        let mut windows = Windows::new();
        assert_eq!(windows.find(START, 1, Access::Read), None);
        windows.open(window(START, 16, Access::Write)).unwrap();
        windows.open(window(START + 16, 16, Access::Write)).unwrap();
        for (address, bytes, found) in [
            (START, 16, Some(0x1000)),
            (START + 15, 1, Some(0x100F)),
            (START + 15, 2, None),
            (START + 16, 1, Some(0x1000)),
            (START + 32, 1, None),
            (START - 1, 1, None),
            (START - 1, 2, None),
            (START + 31, u64::MAX, None),
            (START + 1, u64::MAX, None),
            (u64::MAX, 8, None),
            (0, u64::MAX, None),
        ] {
            assert_eq!(
                windows.find(address, bytes, Access::Read),
                found,
                "{address:#x}"
            );
        }
    }

    #[test]
    fn a_window_for_reading_admits_no_writing() {
        let mut windows = Windows::new();
        windows.open(window(START, 16, Access::Read)).unwrap();
        assert_eq!(windows.find(START, 8, Access::Read), Some(0x1000));
        assert_eq!(windows.find(START, 8, Access::Write), None);
        assert!(windows.close(START));
        assert_eq!(windows.find(START, 8, Access::Read), None);
    }

    #[test]
    fn windows_at_both_ends_of_all_addresses() {
        let mut windows = Windows::new();
        windows.open(window(u64::MAX - 7, 8, Access::Read)).unwrap();
        windows.open(window(0, 8, Access::Read)).unwrap();
        assert_eq!(windows.find(u64::MAX, 1, Access::Read), Some(0x1007));
        assert_eq!(windows.find(u64::MAX, 2, Access::Read), None);
        assert_eq!(windows.find(7, 1, Access::Read), Some(0x1007));
        assert_eq!(windows.find(7, 2, Access::Read), None);
    }

    #[test]
    fn there_is_room_for_so_many() {
        let mut windows = Windows::new();
        for _ in 0..MOST_WINDOWS {
            windows.open(window(START, 1, Access::Read)).unwrap();
        }
        let last = window(START, 1, Access::Read);
        assert_eq!(windows.open(last), Err(last));
    }

    #[test]
    fn constants_say_bytes_and_access() {
        assert_eq!(Access::of_constant(16), (8, Access::Read));
        assert_eq!(Access::of_constant(3), (1, Access::Write));
    }
}
