//! The orders of atomic instructions.

use super::code::Code;

/// The order in which other threads see an atomic access and those around it: C11's, with the
/// numbers that C compilers give them, which are the constants in programs. C's `consume`, 1, is
/// none: compilers make `acquire` of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Order {
    /// Only the access itself is atomic.
    Relaxed = 0,
    /// Accesses after it stay after it; it sees what was before the release that it reads from.
    Acquire = 2,
    /// Accesses before it stay before it.
    Release = 3,
    /// Both.
    AcqRel = 4,
    /// Both, and all accesses of this order happen in one order that all threads agree on.
    SeqCst = 5,
}

impl Order {
    /// Returns the order with this number.
    #[must_use]
    pub const fn from_number(number: u64) -> Option<Order> {
        Some(match number {
            0 => Order::Relaxed,
            2 => Order::Acquire,
            3 => Order::Release,
            4 => Order::AcqRel,
            5 => Order::SeqCst,
            _ => return None,
        })
    }

    /// Returns whether what comes after the access stays after it.
    #[must_use]
    pub const fn acquires(self) -> bool {
        matches!(self, Order::Acquire | Order::AcqRel | Order::SeqCst)
    }

    /// Returns whether what comes before the access stays before it.
    #[must_use]
    pub const fn releases(self) -> bool {
        matches!(self, Order::Release | Order::AcqRel | Order::SeqCst)
    }

    /// Returns one of four: that for an order that neither acquires nor releases, acquires only,
    /// releases only, or does both.
    #[must_use]
    pub fn choose<T>(self, [neither, acquire, release, both]: [T; 4]) -> T {
        match self {
            Order::Relaxed => neither,
            Order::Acquire => acquire,
            Order::Release => release,
            Order::AcqRel | Order::SeqCst => both,
        }
    }

    /// Returns whether an instruction may have the order as its operand of this number: what only
    /// loads releases nothing, what only stores acquires nothing, and a relaxed `fence` would be
    /// none.
    #[must_use]
    pub const fn suits(self, code: Code, operand: usize) -> bool {
        match (code, operand) {
            // A comparison that fails only loads.
            (Code::AtomicLoad, _) | (Code::AtomicCmpxchg, 5) => {
                !matches!(self, Order::Release | Order::AcqRel)
            }
            (Code::AtomicStore, _) => !matches!(self, Order::Acquire | Order::AcqRel),
            (Code::Fence, _) => !matches!(self, Order::Relaxed),
            _ => true,
        }
    }

    /// Returns the order that is as strong as both.
    #[must_use]
    pub const fn and(self, other: Order) -> Order {
        match (self, other) {
            (Order::SeqCst, _) | (_, Order::SeqCst) => Order::SeqCst,
            _ => match (
                self.acquires() || other.acquires(),
                self.releases() || other.releases(),
            ) {
                (true, true) => Order::AcqRel,
                (true, false) => Order::Acquire,
                (false, true) => Order::Release,
                (false, false) => Order::Relaxed,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Order;

    #[test]
    fn two_orders_are_as_strong_as_both() {
        let and = |a: Order, b: Order| (a.and(b), b.and(a));
        let same = |order| (order, order);
        assert_eq!(and(Order::Release, Order::Acquire), same(Order::AcqRel));
        assert_eq!(and(Order::Relaxed, Order::Acquire), same(Order::Acquire));
        assert_eq!(and(Order::AcqRel, Order::SeqCst), same(Order::SeqCst));
        assert_eq!(Order::Relaxed.and(Order::Relaxed), Order::Relaxed);
    }
}
