//! Atomic accesses of the interpreter, by the atomic types of Rust.
//!
//! All are sequentially consistent, which is as strong as any order that an instruction asks for.
//! Two primitives per size, a load and a compare-exchange, make all of them, as the code is small
//! then; what happens between the two is tried again if memory has changed.
#![expect(unsafe_code, reason = "programs address memory")]

use crate::ir::{Code, Type};
use crate::target::extend;
use core::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

/// An atomic access: an instruction, and the type of its operand in memory.
#[derive(Clone, Copy)]
pub(super) struct Access {
    pub(super) code: Code,
    pub(super) ty: Type,
}

impl Access {
    /// Returns the access as a constant of the code.
    pub(super) const fn number(self) -> u32 {
        self.code.number() as u32 | (self.ty as u32) << 8
    }

    fn of_number(number: u32) -> Option<Access> {
        let code = Code::from_number(u64::from(number & 0xFF))?;
        let ty = Type::from_number((number >> 8) as u8)?;
        Some(Access { code, ty })
    }

    /// Returns what becomes of the value in memory; `None` if it stays.
    fn replacement(self, old: u64, a: u64, b: u64) -> Option<u64> {
        let [x, y] = [old, extend(self.ty, a)];
        let is_less = match self.ty.is_signed() {
            true => x.cast_signed() < y.cast_signed(),
            false => x < y,
        };
        Some(match self.code {
            Code::AtomicStore | Code::AtomicXchg => a,
            Code::AtomicCmpxchg if x == y => b,
            Code::AtomicAdd => x.wrapping_add(a),
            Code::AtomicSub => x.wrapping_sub(a),
            Code::AtomicAnd => x & a,
            Code::AtomicNand => !(x & a),
            Code::AtomicOr => x | a,
            Code::AtomicXor => x ^ a,
            Code::AtomicMin if !is_less => y,
            Code::AtomicMax if is_less => y,
            Code::AtomicMin | Code::AtomicMax => x,
            _ => return None,
        })
    }
}

/// Does an atomic access with these inputs, and returns what was in memory; `None` if the address
/// is no multiple of its size, or there is no such access.
///
/// # Safety
///
/// The program may access memory there.
#[inline(never)]
pub(super) unsafe fn access(number: u32, address: i64, a: i64, b: i64) -> Option<i64> {
    let access = Access::of_number(number)?;
    let bytes = access.ty.size();
    if address & i64::from(bytes - 1) != 0 {
        return None;
    }
    let (a, b) = (a.cast_unsigned(), b.cast_unsigned());
    loop {
        // SAFETY: by the caller's word; it is aligned.
        let old = extend(access.ty, unsafe { load(address, bytes) });
        // SAFETY: as above.
        let is_done = access
            .replacement(old, a, b)
            .is_none_or(|new| unsafe { replace(address, bytes, old, new) });
        if is_done {
            return Some(old.cast_signed());
        }
    }
}

/// Loads 32 bits; `None` if the address is not aligned.
///
/// # Safety
///
/// The program may access memory there.
#[inline(always)]
pub(super) unsafe fn load_32(address: i64) -> Option<u32> {
    if address & 3 != 0 {
        return None;
    }
    // SAFETY: by the caller's word; it is aligned.
    Some(unsafe { AtomicU32::from_ptr(place(address)).load(Ordering::SeqCst) })
}

fn place<T>(address: i64) -> *mut T {
    core::ptr::with_exposed_provenance_mut(address as usize)
}

/// Loads so many bytes.
///
/// # Safety
///
/// The address is valid and aligned.
unsafe fn load(address: i64, bytes: u32) -> u64 {
    let order = Ordering::SeqCst;
    // SAFETY: by the caller's word.
    unsafe {
        match bytes {
            1 => AtomicU8::from_ptr(place(address)).load(order).into(),
            2 => AtomicU16::from_ptr(place(address)).load(order).into(),
            4 => AtomicU32::from_ptr(place(address)).load(order).into(),
            _ => AtomicU64::from_ptr(place(address)).load(order),
        }
    }
}

/// Replaces so many bytes, if they are still the old ones. Returns whether they were.
///
/// # Safety
///
/// The address is valid and aligned.
unsafe fn replace(address: i64, bytes: u32, old: u64, new: u64) -> bool {
    let order = Ordering::SeqCst;
    // SAFETY: by the caller's word.
    unsafe {
        match bytes {
            1 => AtomicU8::from_ptr(place(address))
                .compare_exchange(old as u8, new as u8, order, order)
                .is_ok(),
            2 => AtomicU16::from_ptr(place(address))
                .compare_exchange(old as u16, new as u16, order, order)
                .is_ok(),
            4 => AtomicU32::from_ptr(place(address))
                .compare_exchange(old as u32, new as u32, order, order)
                .is_ok(),
            _ => AtomicU64::from_ptr(place(address))
                .compare_exchange(old, new, order, order)
                .is_ok(),
        }
    }
}

/// Keeps all accesses before it apart from those after it, in the eyes of all threads.
#[inline(never)]
pub(super) fn fence() {
    core::sync::atomic::fence(Ordering::SeqCst);
}
