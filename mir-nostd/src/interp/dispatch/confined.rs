//! Tests of values and addresses, in confined programs.

use super::{Flow, Machine, RunState, memory};
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
                return self.fault(Reason::BadAddress(address as u64));
            }
            self.set(0, base.wrapping_add(offset));
        }
        Flow::Next
    }

    /// Returns the host's address for an offset in the program's memory; `None` after a fault, if
    /// it is not below the limit. The base is in slot `region`, and the limit after it.
    #[inline(always)]
    unsafe fn checked(&mut self, offset: i64, region: usize) -> Option<i64> {
        // SAFETY: operands; the state is ours while it runs.
        unsafe {
            if (offset as u64) < u64::from(self.slot(region + 2)) {
                return Some(self.wide(region).wrapping_add(offset));
            }
            // In line: a call would have to save what handlers keep in registers.
            let address = offset.wrapping_add(LOWEST_ADDRESS);
            (*self.state).exit = Some(Reason::BadAddress(address as u64));
        }
        None
    }

    #[inline(always)]
    pub(in crate::interp) unsafe fn checked_load<T: Copy>(
        &mut self,
        offset: i64,
        region: usize,
        extend: impl Fn(T) -> i64,
    ) -> Flow {
        // SAFETY: operands; the address was checked.
        unsafe {
            let Some(host) = self.checked(offset, region) else {
                return Flow::Stop;
            };
            self.set(0, extend(self.read(host)));
        }
        Flow::Next
    }

    #[inline(always)]
    pub(in crate::interp) unsafe fn checked_load_float(
        &mut self,
        offset: i64,
        region: usize,
    ) -> Flow {
        // SAFETY: as above.
        unsafe {
            let Some(host) = self.checked(offset, region) else {
                return Flow::Stop;
            };
            self.set_float_bits(0, self.read(host));
        }
        Flow::Next
    }

    #[inline(always)]
    pub(in crate::interp) unsafe fn checked_store<T>(
        &mut self,
        offset: i64,
        region: usize,
        value: T,
    ) -> Flow {
        // SAFETY: as above.
        unsafe {
            let Some(host) = self.checked(offset, region) else {
                return Flow::Stop;
            };
            self.write(host, value);
        }
        Flow::Next
    }

    /// Loads slot 0 as [`Machine::checked_load`] does, from the base in slot 1, and branches on it.
    #[inline(always)]
    pub(in crate::interp) unsafe fn checked_load_and_branch<T: Copy>(
        &mut self,
        extend: impl Fn(T) -> i64,
        is_taken: impl Fn(i64) -> bool,
    ) -> Flow {
        // SAFETY: as above.
        unsafe {
            let Some(host) = self.checked(self.plain(1), 3) else {
                return Flow::Stop;
            };
            let value = extend(self.read(host));
            self.set(0, value);
            self.branch_charged(6, is_taken(value))
        }
    }

    /// Computes slot 0 from the double in slot 1 and the one that is loaded.
    #[inline(always)]
    pub(in crate::interp) unsafe fn checked_double(
        &mut self,
        offset: i64,
        region: usize,
        compute: impl Fn(f64, f64) -> f64,
    ) -> Flow {
        // SAFETY: as above.
        unsafe {
            let Some(host) = self.checked(offset, region) else {
                return Flow::Stop;
            };
            let value = compute(self.double(1), self.read(host));
            self.set_d(0, value);
        }
        Flow::Next
    }

    /// Moves the stack pointer, the word in slot 1, down by the bytes in slot 5, and writes it to
    /// slot 0. Slot 3 has one less than the lowest address of the stack.
    #[inline(always)]
    pub(in crate::interp) unsafe fn take_stack(&mut self) -> Flow {
        // SAFETY: operands; the word is aligned and lives as long as the code.
        unsafe {
            let word = memory::<i64>(self.wide(1));
            let (top, bytes) = (word.read(), self.constant(5));
            if bytes as u64 >= top.wrapping_sub(self.wide(3)) as u64 {
                return self.fault(Reason::Stack);
            }
            let top = top.wrapping_sub(bytes);
            word.write(top);
            self.set(0, top);
        }
        Flow::Next
    }

    /// Moves the stack pointer, the word in slot 0, up by the bytes in slot 2.
    #[inline(always)]
    pub(in crate::interp) unsafe fn give_back(&mut self) {
        // SAFETY: operands; the word is aligned and lives as long as the code.
        unsafe {
            let word = memory::<i64>(self.wide(0));
            word.write(word.read().wrapping_add(self.constant(2)));
        }
    }

    /// Writes the address of the function with the value in slot 1 to slot 0. Slot 2 has the value
    /// of the first function, slot 4 names the word with the table's address, which that with its
    /// length follows, and slot 6 has the number of the signature.
    #[inline(always)]
    pub(in crate::interp) unsafe fn look_up(&mut self) -> Flow {
        // SAFETY: operands; words and table are aligned and live as long as the code.
        unsafe {
            let offset = self.int(1).wrapping_sub(self.wide(2));
            let [table, bytes] = memory::<[i64; 2]>(self.wide(4)).read();
            if offset & 15 != 0 || offset as u64 >= bytes as u64 {
                return self.fault(Reason::BadFunction(self.int(1) as u64));
            }
            let [signature, address] = memory::<[i64; 2]>(table.wrapping_add(offset)).read();
            if signature as u64 != u64::from(self.slot(6)) {
                return self.fault(Reason::Signature);
            }
            self.set(0, address);
        }
        Flow::Next
    }

    /// Faults if the word in slot 0 says that an import failed.
    #[inline(always)]
    pub(in crate::interp) unsafe fn check_failed(&mut self) -> Flow {
        // SAFETY: operands; the word is aligned and lives as long as the code.
        unsafe {
            match memory::<i64>(self.wide(0)).read() {
                0 => Flow::Next,
                failed => self.fault(Reason::of_kind(FaultKind::Host, failed as u64)),
            }
        }
    }

    /// Pays the cost in slot 0 and goes on as far from here as slot 1 says; without the fuel for
    /// that goes on to the call that follows, which will not pay for its function either.
    #[inline(always)]
    pub(in crate::interp) unsafe fn pay_or_call(&mut self) -> Flow {
        // SAFETY: operands; the distance is that to an operation.
        unsafe {
            let (left, short) = self.fuel.overflowing_sub(u64::from(self.slot(0)));
            if short {
                return Flow::Next;
            }
            self.fuel = left;
            self.pc = self.pc.byte_add(self.slot(1) as usize);
        }
        Flow::Jump
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
