//! Tests of values and addresses, in confined programs.

use super::{Flow, Machine, RunState};
use crate::ir::{FaultKind, LOWEST_ADDRESS};
use crate::link::{Access, Reason, Windows};

impl<const FUEL: bool> Machine<FUEL> {
    /// Faults unless slot 0 is less than `limit`, for the kind of fault in slot 2 and the number in
    /// slot 3.
    #[inline(always)]
    pub(in crate::interp) unsafe fn ensure(&mut self, limit: i64) -> Flow {
        // SAFETY: operands; the state is ours while it runs.
        unsafe {
            if (self.int(0) as u64) < limit as u64 {
                return Flow::Next;
            }
            fail(self.state, self.slot(2), self.int(3))
        }
    }

    /// Writes the host's address for the one in slot 1 to slot 0.
    #[inline(always)]
    pub(in crate::interp) unsafe fn reach(&mut self, base: i64, limit: i64) -> Flow {
        // SAFETY: operands; the state is ours while it runs.
        unsafe {
            let address = self.int(1);
            let offset = address.wrapping_sub(LOWEST_ADDRESS);
            if offset as u64 >= limit as u64 {
                return fail(self.state, u32::from(FaultKind::BadAddress as u8), address);
            }
            self.set(0, base.wrapping_add(offset));
        }
        Flow::Next
    }

    /// Returns the host's address for one of the program; `None` after a fault, if it is not below
    /// the limit. The base is in slot `region`, and the limit after it.
    #[inline(always)]
    unsafe fn checked(&mut self, address: i64, region: usize) -> Option<i64> {
        // SAFETY: operands; the state is ours while it runs.
        unsafe {
            let offset = address.wrapping_sub(LOWEST_ADDRESS);
            if (offset as u64) < u64::from(self.slot(region + 2)) {
                return Some(self.wide(region).wrapping_add(offset));
            }
            fail(self.state, u32::from(FaultKind::BadAddress as u8), address);
        }
        None
    }

    #[inline(always)]
    pub(in crate::interp) unsafe fn checked_load<T: Copy>(
        &mut self,
        address: i64,
        region: usize,
        extend: impl Fn(T) -> i64,
    ) -> Flow {
        // SAFETY: operands; the address was checked.
        unsafe {
            let Some(host) = self.checked(address, region) else {
                return Flow::Stop;
            };
            self.set(0, extend(self.read(host)));
        }
        Flow::Next
    }

    #[inline(always)]
    pub(in crate::interp) unsafe fn checked_load_float(
        &mut self,
        address: i64,
        region: usize,
    ) -> Flow {
        // SAFETY: as above.
        unsafe {
            let Some(host) = self.checked(address, region) else {
                return Flow::Stop;
            };
            self.set_f(0, self.read(host));
        }
        Flow::Next
    }

    #[inline(always)]
    pub(in crate::interp) unsafe fn checked_store<T>(
        &mut self,
        address: i64,
        region: usize,
        value: T,
    ) -> Flow {
        // SAFETY: as above.
        unsafe {
            let Some(host) = self.checked(address, region) else {
                return Flow::Stop;
            };
            self.write(host, value);
        }
        Flow::Next
    }

    /// Writes the host's address for the one in slot 1 to slot 0; base and limit are in slots 2 and
    /// 3, the access is in slot 4, the address of the table of windows in slot 5.
    #[inline(always)]
    pub(in crate::interp) unsafe fn reach_window(&mut self) -> Flow {
        // SAFETY: operands; the table lives as long as the code.
        unsafe {
            let address = self.int(1);
            let offset = address.wrapping_sub(LOWEST_ADDRESS);
            if (offset as u64) < self.int(3) as u64 {
                self.set(0, self.int(2).wrapping_add(offset));
                return Flow::Next;
            }
            match find(self.pointer(5), address, self.slot(4)) {
                Some(host) => self.set(0, host as i64),
                None => return fail(self.state, u32::from(FaultKind::BadAddress as u8), address),
            }
        }
        Flow::Next
    }
}

/// Stops the run for a fault of this kind.
#[cold]
#[inline(never)]
unsafe fn fail(state: *mut RunState, kind: u32, value: i64) -> Flow {
    let kind = FaultKind::from_number(u64::from(kind));
    // SAFETY: the state is that of the running machine.
    unsafe { (*state).exit = Some(Reason::of_kind(kind, value as u64)) };
    Flow::Stop
}

/// Returns the host's address of an access through a window.
#[inline(never)]
unsafe fn find(windows: *const Windows, address: i64, access: u32) -> Option<usize> {
    let (bytes, access) = Access::of_constant(u64::from(access));
    // SAFETY: the table lives as long as the code.
    unsafe { &*windows }.find(address as u64, bytes, access)
}
