//! The machine that runs dense code: the effects of operations on registers, memory and control.
//!
//! [`super::ops`] defines each operation; its building blocks are here. One definition is expanded
//! twice: in tail position each operation is a function that ends by jumping to the next one
//! ([`tail`]), and one loop with a match does the same where tail calls cannot be jumps
//! ([`match_loop`]): there, in debug builds, and with the feature `match-loop`.
//!
//! # Safety
//!
//! Everything here relies on the decoder: `pc` is at an operation of a [`Code`] that is followed by
//! others until one that never goes on; register operands are offsets of cells inside the frame at
//! `regs`, of which long doubles take two, aligned; targets are distances to operations of the same
//! code. Memory that the program itself addresses is the program's affair, as in C. The interpreter
//! that owns the [`RunState`] is borrowed for as long as it runs.

mod confined;
#[cfg(not(tail_calls))]
mod match_loop;
mod stack;
#[cfg(tail_calls)]
mod tail;

#[cfg(not(tail_calls))]
pub(super) use match_loop::{execute, head};
#[cfg(tail_calls)]
pub(super) use tail::{execute, head};

use super::atomic;
use super::code::{Code, Op};
use super::frame::RunState;
use super::operation;
use crate::link::Reason;
use crate::num::fold::Overflow;
use crate::num::{LongDouble, LongDoubleFormat};
use core::cmp::Ordering;

/// The place where control goes after an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flow {
    /// To the operation that follows.
    Next,
    /// To where `pc` is now.
    Jump,
    /// Out of the interpreter; the state says why.
    Stop,
    /// Out of the interpreter, as the fuel does not suffice for the cost that is pending.
    Short,
    /// On after a call that is made out of line, where handlers need no native stack for it: a
    /// direct one, or one through a site.
    Call,
    Site,
}

/// The result of the body of an operation: nothing, or where control goes.
pub(super) trait Outcome {
    fn flow(self) -> Flow;
}

impl Outcome for () {
    #[inline(always)]
    fn flow(self) -> Flow {
        Flow::Next
    }
}

impl Outcome for Flow {
    #[inline(always)]
    fn flow(self) -> Flow {
        self
    }
}

/// The registers of the machine. It is only ever a local variable of a handler, so that they stay
/// in native registers.
///
/// `FUEL` is true if the code charges for blocks; without it costs are not even read.
pub(super) struct Machine<const FUEL: bool> {
    pub(super) pc: *const u64,
    pub(super) regs: *mut u8,
    pub(super) state: *mut RunState,
    pub(super) fuel: u64,
}

/// A number at an address that may be aligned to half its size only: a processor that cannot load
/// it at once loads two halves, not single bytes.
#[derive(Clone, Copy)]
#[repr(C, packed(4))]
struct HalfAligned(i64);

/// Returns the pointer for an address that the program computed.
#[inline(always)]
fn memory<T>(address: i64) -> *mut T {
    core::ptr::with_exposed_provenance_mut(address as usize)
}

// Operands. SAFETY of all: the decoder's promises above.
impl<const FUEL: bool> Machine<FUEL> {
    /// Returns the contents of slot `slot`.
    #[inline(always)]
    pub(super) unsafe fn slot(&self, slot: usize) -> u32 {
        // SAFETY: the operation has this slot.
        unsafe { self.pc.cast::<u32>().add(2 + slot).read() }
    }

    #[inline(always)]
    unsafe fn cell<T>(&self, slot: usize) -> *mut T {
        // SAFETY: register operands are inside the frame.
        unsafe { self.regs.add(self.slot(slot) as usize).cast() }
    }

    /// Reads an integer register.
    #[inline(always)]
    pub(super) unsafe fn int(&self, slot: usize) -> i64 {
        // SAFETY: a cell of the frame.
        unsafe { self.cell::<i64>(slot).read() }
    }

    #[inline(always)]
    pub(super) unsafe fn float(&self, slot: usize) -> f32 {
        // SAFETY: a float is at the start of its cell.
        unsafe { self.cell::<f32>(slot).read() }
    }

    #[inline(always)]
    pub(super) unsafe fn double(&self, slot: usize) -> f64 {
        // SAFETY: a cell of the frame.
        unsafe { self.cell::<f64>(slot).read() }
    }

    /// Reads the 16 bytes of a long double.
    #[inline(always)]
    pub(super) unsafe fn long(&self, slot: usize) -> [u64; 2] {
        // SAFETY: two cells of the frame.
        unsafe { self.cell::<[u64; 2]>(slot).read() }
    }

    #[inline(always)]
    pub(super) unsafe fn constant(&self, slot: usize) -> i64 {
        // SAFETY: the operation has this slot.
        unsafe { i64::from(self.slot(slot) as i32) }
    }

    #[inline(always)]
    pub(super) unsafe fn wide(&self, slot: usize) -> i64 {
        // SAFETY: the operation has these two slots; those of even number begin a word of the code.
        unsafe {
            let place = self.pc.cast::<u32>().add(2 + slot);
            if slot.is_multiple_of(2) {
                place.cast::<i64>().read()
            } else {
                place.cast::<HalfAligned>().read().0
            }
        }
    }

    /// Returns a pointer that the decoder put into the code.
    #[inline(always)]
    pub(super) unsafe fn pointer<T>(&self, slot: usize) -> *const T {
        // SAFETY: as for `wide`.
        unsafe { memory(self.wide(slot)) }
    }

    #[inline(always)]
    pub(super) unsafe fn set(&mut self, slot: usize, value: i64) {
        // SAFETY: a cell of the frame.
        unsafe { self.cell::<i64>(slot).write(value) };
    }

    #[inline(always)]
    pub(super) unsafe fn set_f(&mut self, slot: usize, value: f32) {
        // SAFETY: as above.
        unsafe { self.cell::<f32>(slot).write(value) };
    }

    #[inline(always)]
    pub(super) unsafe fn set_d(&mut self, slot: usize, value: f64) {
        // SAFETY: as above.
        unsafe { self.cell::<f64>(slot).write(value) };
    }

    #[inline(always)]
    pub(super) unsafe fn set_long(&mut self, slot: usize, value: [u64; 2]) {
        // SAFETY: two cells of the frame.
        unsafe { self.cell::<[u64; 2]>(slot).write(value) };
    }

    #[inline(always)]
    pub(super) unsafe fn set_long_words(&mut self, slot: usize, words: usize) {
        // SAFETY: as above; the operation has the slots of both words.
        unsafe { self.set_long(slot, [self.wide(words) as u64, self.wide(words + 2) as u64]) };
    }

    /// Returns the bits of the float in a cell. Where floats are in the low halves of cells this is
    /// what stores of 32 bits do, whose handlers then serve both.
    #[inline(always)]
    pub(super) unsafe fn float_bits(&self, slot: usize) -> u32 {
        // SAFETY: a cell of the frame.
        unsafe {
            if cfg!(target_endian = "big") {
                self.float(slot).to_bits()
            } else {
                self.int(slot) as u32
            }
        }
    }

    /// Writes a float, likewise.
    #[inline(always)]
    pub(super) unsafe fn set_float_bits(&mut self, slot: usize, bits: u32) {
        // SAFETY: a cell of the frame.
        unsafe {
            if cfg!(target_endian = "big") {
                self.set_f(slot, f32::from_bits(bits));
            } else {
                self.set(slot, bits.into());
            }
        }
    }

    /// Returns the address of the variable whose offset is in the slot.
    #[inline(always)]
    pub(super) unsafe fn address_of(&self, slot: usize) -> i64 {
        // SAFETY: the offset is inside the frame.
        unsafe { self.cell::<u8>(slot).expose_provenance() as i64 }
    }

    /// Returns the cell of a hard register.
    #[inline(always)]
    unsafe fn hard_cell(&self, slot: usize) -> *mut [u64; 2] {
        // SAFETY: the decoder checked the number against the target's registers, for each of which
        // there is a cell.
        unsafe { (*self.state).hard_cells.add(self.slot(slot) as usize) }
    }

    #[inline(always)]
    pub(super) unsafe fn hard(&self, slot: usize) -> i64 {
        // SAFETY: as above.
        unsafe { self.hard_cell(slot).cast::<i64>().read() }
    }

    #[inline(always)]
    pub(super) unsafe fn set_hard(&mut self, slot: usize, value: i64) {
        // SAFETY: as above.
        unsafe { self.hard_cell(slot).cast::<i64>().write(value) };
    }

    #[inline(always)]
    pub(super) unsafe fn hard_long(&self, slot: usize) -> [u64; 2] {
        // SAFETY: as above.
        unsafe { self.hard_cell(slot).read() }
    }

    #[inline(always)]
    pub(super) unsafe fn set_hard_long(&mut self, slot: usize, value: [u64; 2]) {
        // SAFETY: as above.
        unsafe { self.hard_cell(slot).write(value) };
    }
}

/// Returns `a / 2^power`, rounded toward zero, for a power below 31.
#[inline(always)]
pub(super) fn divide_by_power(a: i32, power: u32) -> i32 {
    let bias = (a >> 31) as u32 & (1_u32 << power).wrapping_sub(1);
    a.wrapping_add(bias as i32) >> power
}

/// Returns the remainder of that division, with the sign of `a`.
#[inline(always)]
pub(super) fn remainder_by_power(a: i32, power: u32) -> i32 {
    a.wrapping_sub(divide_by_power(a, power) << power)
}

/// Returns the long double in 16 bytes of memory.
#[inline(always)]
fn from_words([first, second]: [u64; 2]) -> LongDouble {
    LongDouble(if cfg!(target_endian = "big") {
        u128::from(first) << 64 | u128::from(second)
    } else {
        u128::from(second) << 64 | u128::from(first)
    })
}

#[inline(always)]
fn to_words(LongDouble(bits): LongDouble) -> [u64; 2] {
    let (low, high) = (bits as u64, (bits >> 64) as u64);
    if cfg!(target_endian = "big") {
        [high, low]
    } else {
        [low, high]
    }
}

// Computation. SAFETY of all: operands as above.
impl<const FUEL: bool> Machine<FUEL> {
    #[inline(always)]
    pub(super) unsafe fn unary(&mut self, compute: impl Fn(i64) -> i64) {
        // SAFETY: operands.
        unsafe { self.set(0, compute(self.int(1))) };
    }

    #[inline(always)]
    pub(super) unsafe fn binary(&mut self, compute: impl Fn(i64, i64) -> i64) {
        // SAFETY: operands.
        unsafe { self.set(0, compute(self.int(1), self.int(2))) };
    }

    #[inline(always)]
    pub(super) unsafe fn with_constant(&mut self, compute: impl Fn(i64, i64) -> i64) {
        // SAFETY: operands.
        unsafe { self.set(0, compute(self.int(1), self.constant(2))) };
    }

    #[inline(always)]
    pub(super) unsafe fn compare(&mut self, holds: impl Fn(i64, i64) -> bool) {
        // SAFETY: operands.
        unsafe { self.binary(|a, b| i64::from(holds(a, b))) };
    }

    #[inline(always)]
    pub(super) unsafe fn compare_constant(&mut self, holds: impl Fn(i64, i64) -> bool) {
        // SAFETY: operands.
        unsafe { self.with_constant(|a, b| i64::from(holds(a, b))) };
    }

    #[inline(always)]
    pub(super) unsafe fn division(&mut self, compute: impl Fn(i64, i64) -> Option<i64>) -> Flow {
        // SAFETY: operands.
        unsafe {
            match compute(self.int(1), self.int(2)) {
                Some(value) => self.set(0, value),
                None => return self.fault(Reason::Division),
            }
        }
        Flow::Next
    }

    #[inline(always)]
    pub(super) unsafe fn division_by_constant(
        &mut self,
        compute: impl Fn(i64, i64) -> Option<i64>,
    ) -> Flow {
        // SAFETY: operands.
        unsafe {
            match compute(self.int(1), self.constant(2)) {
                Some(value) => self.set(0, value),
                None => return self.fault(Reason::Division),
            }
        }
        Flow::Next
    }

    #[inline(always)]
    pub(super) unsafe fn overflowing(&mut self, compute: impl Fn(i64, i64) -> Overflow) {
        // SAFETY: operands; the state is ours while it runs.
        unsafe {
            let result = compute(self.int(1), self.int(2));
            self.set(0, result.value);
            (*self.state).signed_overflow = result.signed;
            (*self.state).unsigned_overflow = result.unsigned;
        }
    }

    #[inline(always)]
    pub(super) unsafe fn signed_overflow(&self) -> bool {
        // SAFETY: the state is ours while it runs.
        unsafe { (*self.state).signed_overflow }
    }

    #[inline(always)]
    pub(super) unsafe fn unsigned_overflow(&self) -> bool {
        // SAFETY: as above.
        unsafe { (*self.state).unsigned_overflow }
    }

    #[inline(always)]
    pub(super) unsafe fn binary_f(&mut self, compute: impl Fn(f32, f32) -> f32) {
        // SAFETY: operands.
        unsafe { self.set_f(0, compute(self.float(1), self.float(2))) };
    }

    #[inline(always)]
    pub(super) unsafe fn binary_d(&mut self, compute: impl Fn(f64, f64) -> f64) {
        // SAFETY: operands.
        unsafe { self.set_d(0, compute(self.double(1), self.double(2))) };
    }

    #[inline(always)]
    pub(super) unsafe fn compare_f(&mut self, holds: impl Fn(f32, f32) -> bool) {
        // SAFETY: operands.
        unsafe { self.set(0, i64::from(holds(self.float(1), self.float(2)))) };
    }

    #[inline(always)]
    pub(super) unsafe fn compare_d(&mut self, holds: impl Fn(f64, f64) -> bool) {
        // SAFETY: operands.
        unsafe { self.set(0, i64::from(holds(self.double(1), self.double(2)))) };
    }

    /// Returns the format of long double.
    #[inline(always)]
    pub(super) unsafe fn format(&self) -> LongDoubleFormat {
        // SAFETY: the state is ours while it runs.
        unsafe { (*self.state).format }
    }

    #[inline(always)]
    pub(super) unsafe fn binary_long(
        &mut self,
        compute: fn(LongDoubleFormat, LongDouble, LongDouble) -> LongDouble,
    ) {
        // SAFETY: operands.
        unsafe {
            let (a, b) = (self.cell(1), self.cell(2));
            long_binary(compute, self.format(), a, b, self.cell(0));
        }
    }

    #[inline(always)]
    pub(super) unsafe fn negate_long(&mut self) {
        // SAFETY: operands.
        unsafe { long_negate(self.format(), self.cell(1), self.cell(0)) };
    }

    /// Converts a long double to a value of another kind, whose cell `convert` writes.
    #[inline(always)]
    pub(super) unsafe fn convert_from_long(
        &mut self,
        convert: unsafe fn(LongDoubleFormat, *const [u64; 2], *mut u64),
    ) {
        // SAFETY: operands.
        unsafe { convert(self.format(), self.cell(1), self.cell(0)) };
    }

    /// Converts a value of another kind, in its cell, to a long double.
    #[inline(always)]
    pub(super) unsafe fn convert_to_long(
        &mut self,
        convert: unsafe fn(LongDoubleFormat, *const u64, *mut [u64; 2]),
    ) {
        // SAFETY: operands.
        unsafe { convert(self.format(), self.cell(1), self.cell(0)) };
    }

    #[inline(always)]
    pub(super) unsafe fn compare_long(&mut self, holds: impl Fn(Option<Ordering>) -> bool) {
        // SAFETY: operands.
        unsafe {
            let order = long_compare(self.format(), self.cell(1), self.cell(2));
            self.set(0, i64::from(holds(order)));
        }
    }
}

/// Performs one operation on long doubles, out of line, as they are computed by software.
#[inline(never)]
unsafe fn long_binary(
    compute: fn(LongDoubleFormat, LongDouble, LongDouble) -> LongDouble,
    format: LongDoubleFormat,
    a: *const [u64; 2],
    b: *const [u64; 2],
    result: *mut [u64; 2],
) {
    // SAFETY: all three are cells of the frame.
    unsafe { result.write(to_words(compute(format, from_words(*a), from_words(*b)))) };
}

/// Defines conversions of long doubles, out of line likewise: from a cell, to a cell.
macro_rules! long_conversions {
    ($($name:ident: $from:ty => $to:ty, |$format:ident, $value:ident| $body:expr;)*) => {$(
        #[inline(never)]
        pub(super) unsafe fn $name($format: LongDoubleFormat, from: *const $from, to: *mut $to) {
            // SAFETY: both are cells of the frame, which a float is at the start of.
            unsafe {
                let $value = from.read();
                core::ptr::write(to.cast(), $body);
            }
        }
    )*};
}

long_conversions! {
    long_negate: [u64; 2] => [u64; 2], |format, value| to_words(format.neg(from_words(value)));
    long_to_int: [u64; 2] => u64, |format, value| format.to_i64(from_words(value));
    long_to_float: [u64; 2] => u64, |format, value| format.to_f32(from_words(value));
    long_to_double: [u64; 2] => u64, |format, value| format.to_f64(from_words(value));
    int_to_long: u64 => [u64; 2], |format, value| to_words(format.from_i64(value as i64));
    unsigned_to_long: u64 => [u64; 2], |format, value| to_words(format.from_u64(value));
    double_to_long: u64 => [u64; 2], |format, value| to_words(format.from_f64(f64::from_bits(value)));
    float_to_long: u64 => [u64; 2], |format, value| {
        let [b0, b1, b2, b3, ..] = value.to_ne_bytes();
        to_words(format.from_f32(f32::from_ne_bytes([b0, b1, b2, b3])))
    };
}

#[inline(never)]
unsafe fn long_compare(
    format: LongDoubleFormat,
    a: *const [u64; 2],
    b: *const [u64; 2],
) -> Option<Ordering> {
    // SAFETY: both are cells of the frame.
    unsafe { format.compare(from_words(*a), from_words(*b)) }
}

// Memory. The addresses are the program's affair; nothing is assumed of their alignment.
impl<const FUEL: bool> Machine<FUEL> {
    /// Returns the address in slots `slot` (base) and `slot + 1` (displacement).
    #[inline(always)]
    pub(super) unsafe fn plain(&self, slot: usize) -> i64 {
        // SAFETY: operands.
        unsafe { self.int(slot).wrapping_add(self.constant(slot + 1)) }
    }

    /// Returns the address in slots `slot` (base), `slot + 1` (index, times the size of `T`),
    /// `slot + 2` (displacement).
    #[inline(always)]
    pub(super) unsafe fn indexed<T>(&self, slot: usize) -> i64 {
        // SAFETY: operands.
        unsafe {
            let scaled = self.int(slot + 1).wrapping_mul(size_of::<T>() as i64);
            self.int(slot)
                .wrapping_add(scaled)
                .wrapping_add(self.constant(slot + 2))
        }
    }

    /// Returns the address in slots 1 (base), 2 (index), 3 (power of two that the index is
    /// multiplied by), 4 (displacement).
    #[inline(always)]
    pub(super) unsafe fn scaled_address(&self) -> i64 {
        // SAFETY: operands.
        unsafe {
            let scaled = self.int(2).wrapping_shl(self.slot(3));
            self.int(1)
                .wrapping_add(scaled)
                .wrapping_add(self.constant(4))
        }
    }

    #[inline(always)]
    pub(super) unsafe fn read<T: Copy>(&self, address: i64) -> T {
        // SAFETY: the program vouches for its memory.
        unsafe { memory::<T>(address).read_unaligned() }
    }

    #[inline(always)]
    pub(super) unsafe fn write<T>(&mut self, address: i64, value: T) {
        // SAFETY: as above.
        unsafe { memory::<T>(address).write_unaligned(value) };
    }

    #[inline(always)]
    pub(super) unsafe fn load<T: Copy>(&mut self, extend: impl Fn(T) -> i64) {
        // SAFETY: operands; memory as above.
        unsafe { self.set(0, extend(self.read(self.plain(1)))) };
    }

    #[inline(always)]
    pub(super) unsafe fn load_indexed<T: Copy>(&mut self, extend: impl Fn(T) -> i64) {
        // SAFETY: operands; memory as above.
        unsafe { self.set(0, extend(self.read(self.indexed::<T>(1)))) };
    }
}

// Atomic accesses.
impl<const FUEL: bool> Machine<FUEL> {
    /// Does what slot 4 says with the address in slot 1 and the inputs in slots 2 and 3.
    #[inline(always)]
    pub(super) unsafe fn atomic(&mut self) -> Flow {
        // SAFETY: operands; memory as above.
        unsafe {
            match atomic::access(self.slot(4), self.int(1), self.int(2), self.int(3)) {
                Some(old) => self.set(0, old),
                None => return self.fault(Reason::Unaligned),
            }
        }
        Flow::Next
    }

    /// Loads 32 bits from the address in slots 1 and 2, as most accesses to volatile variables do.
    #[inline(always)]
    pub(super) unsafe fn atomic_load(&mut self) -> Flow {
        // SAFETY: operands; memory as above.
        unsafe {
            match atomic::load_32(self.plain(1)) {
                Some(value) => self.set(0, value.into()),
                None => return self.fault(Reason::Unaligned),
            }
        }
        Flow::Next
    }

    #[inline(always)]
    #[expect(clippy::unused_self, reason = "as all operations")]
    pub(super) unsafe fn fence(&mut self) {
        atomic::fence();
    }
}

// Control.
impl<const FUEL: bool> Machine<FUEL> {
    /// Stops the run at this operation.
    #[inline(always)]
    pub(super) unsafe fn fault(&mut self, reason: Reason) -> Flow {
        // SAFETY: the state is ours while it runs.
        unsafe { (*self.state).exit = Some(reason) };
        Flow::Stop
    }

    /// Goes on at `pc` if there is fuel for the block there.
    #[inline(always)]
    pub(super) unsafe fn charge(&mut self, cost: u64) -> Flow {
        if !FUEL {
            return Flow::Jump;
        }
        // SAFETY: as the caller says.
        unsafe { self.charge_always(cost) }
    }

    /// Does the same in both kinds of code: where nothing is charged all costs are 0.
    #[inline(always)]
    unsafe fn charge_always(&mut self, cost: u64) -> Flow {
        let (left, short) = self.fuel.overflowing_sub(cost);
        if short {
            // SAFETY: the state is ours while it runs.
            unsafe { (*self.state).pending = cost };
            return Flow::Short;
        }
        self.fuel = left;
        Flow::Jump
    }

    /// Charges the cost in slot 0 for the block that begins here.
    #[inline(always)]
    pub(super) unsafe fn charge_in_place(&mut self) -> Flow {
        // SAFETY: operands; the next operation follows.
        unsafe {
            let cost = u64::from(self.slot(0));
            self.pc = self.pc.add(Op::Fuel.words());
            self.charge(cost)
        }
    }

    #[inline(always)]
    unsafe fn go(&mut self, distance: u32, cost: u32) -> Flow {
        // SAFETY: targets are operations of the same code.
        unsafe {
            self.pc = self.pc.byte_offset(distance as i32 as isize);
            self.charge(u64::from(cost))
        }
    }

    #[inline(always)]
    pub(super) unsafe fn jump(&mut self, slot: usize) -> Flow {
        // SAFETY: operands.
        unsafe { self.go(self.slot(slot), self.slot(slot + 1) & 0xFFFF) }
    }

    /// Branches as slot `slot` says. The branch is the operation's last operand.
    #[inline(always)]
    pub(super) unsafe fn branch(&mut self, slot: usize, taken: bool) -> Flow {
        // SAFETY: operands.
        unsafe {
            let cost = self.take_branch(slot, taken);
            self.charge(cost)
        }
    }

    /// Branches as [`Machine::branch`] does, in operations of confined programs, which always run
    /// with fuel, and in those that are rare: one handler serves both kinds of code.
    #[inline(always)]
    pub(super) unsafe fn branch_charged(&mut self, slot: usize, taken: bool) -> Flow {
        // SAFETY: operands.
        unsafe {
            let cost = self.take_branch(slot, taken);
            self.charge_always(cost)
        }
    }

    /// Moves `pc` to where a branch goes; returns the cost of the block there.
    #[inline(always)]
    unsafe fn take_branch(&mut self, slot: usize, taken: bool) -> u64 {
        // SAFETY: operands; the next operation follows.
        unsafe {
            let costs = self.slot(slot + 1);
            let (distance, cost) = if taken {
                (self.slot(slot) as i32 as isize, costs & 0xFFFF)
            } else {
                let words = 1 + (slot + 2).div_ceil(2);
                (8 * words as isize, costs >> 16)
            };
            self.pc = self.pc.byte_offset(distance);
            u64::from(cost)
        }
    }

    /// Branches as slot 2 says unless this holds for slots 0 and 1.
    #[inline(always)]
    pub(super) unsafe fn branch_unless(&mut self, holds: impl Fn(f64, f64) -> bool) -> Flow {
        // SAFETY: operands.
        unsafe {
            let taken = !holds(self.double(0), self.double(1));
            self.branch(2, taken)
        }
    }

    /// Computes slots 1 and 2 (a constant) into slot 0 and branches on the result; the branch is in
    /// slot 4.
    #[inline(always)]
    pub(super) unsafe fn step(
        &mut self,
        compute: impl Fn(i64, i64) -> i64,
        taken: impl Fn(&Self, i64) -> bool,
    ) -> Flow {
        // SAFETY: operands. The result is written before other inputs of the branch are read.
        unsafe {
            let value = compute(self.int(1), self.constant(2));
            self.set(0, value);
            let taken = taken(self, value);
            self.branch(4, taken)
        }
    }

    /// Computes slots 1 and 2 (a register) into slot 0 and branches on the result; the branch is in
    /// slot 4.
    #[inline(always)]
    pub(super) unsafe fn step_by(
        &mut self,
        compute: impl Fn(i64, i64) -> i64,
        taken: impl Fn(&Self, i64) -> bool,
    ) -> Flow {
        // SAFETY: as for `step`.
        unsafe {
            let value = compute(self.int(1), self.int(2));
            self.set(0, value);
            let taken = taken(self, value);
            self.branch(4, taken)
        }
    }

    /// Copies slot 1 to slot 0, then computes slot 2 from that and the constant in slot 3.
    #[inline(always)]
    pub(super) unsafe fn copy_and_step(&mut self, compute: impl Fn(i64, i64) -> i64) {
        // SAFETY: operands.
        unsafe {
            let value = self.int(1);
            self.set(0, value);
            self.set(2, compute(value, self.constant(3)));
        }
    }

    /// Loads slot 0 from base (slot 1), index (slot 2) and displacement (slot 4); then writes the
    /// low 32 bits of the index plus slot 5 to slot 3.
    #[inline(always)]
    pub(super) unsafe fn load_and_step<T: Copy>(&mut self, extend: impl Fn(T) -> i64) {
        // SAFETY: operands; memory as above.
        unsafe {
            let index = self.int(2);
            let scaled = index.wrapping_mul(size_of::<T>() as i64);
            let address = self.int(1).wrapping_add(scaled);
            let value = extend(self.read(address.wrapping_add(self.constant(4))));
            self.set(3, crate::num::fold::adds(index, self.constant(5)));
            self.set(0, value);
        }
    }

    #[inline(always)]
    pub(super) unsafe fn load_and_branch<T: Copy>(
        &mut self,
        extend: impl Fn(T) -> i64,
        is_taken: impl Fn(i64) -> bool,
    ) -> Flow {
        // SAFETY: operands; memory as above.
        unsafe {
            let value = extend(self.read(self.plain(1)));
            self.set(0, value);
            self.branch(3, is_taken(value))
        }
    }

    #[inline(always)]
    pub(super) unsafe fn switch_or(&mut self, index: u64) -> Flow {
        // SAFETY: operands; the table has as many entries as slot 1 says.
        unsafe {
            let entry = if index < u64::from(self.slot(1)) {
                4 + 2 * index as usize
            } else {
                2
            };
            self.go(self.slot(entry), self.slot(entry + 1))
        }
    }

    #[inline(always)]
    pub(super) unsafe fn switch(&mut self) -> Flow {
        // SAFETY: operands; the table has as many entries as slot 1 says.
        unsafe {
            let (index, count) = (self.int(0) as u64, u64::from(self.slot(1)));
            if index >= count {
                return self.fault(Reason::SwitchRange);
            }
            let entry = 2 + 2 * index as usize;
            self.go(self.slot(entry), self.slot(entry + 1))
        }
    }

    #[inline(always)]
    pub(super) unsafe fn jump_to_label(&mut self, address: usize) -> Flow {
        // SAFETY: the frame's header holds the code of its function.
        unsafe {
            let Some((pc, cost)) = (*self.code()).label_at(address) else {
                return self.fault(Reason::BadLabel);
            };
            self.pc = pc;
            self.charge_always(cost)
        }
    }

    #[inline(always)]
    pub(super) unsafe fn jump_to_returned(&mut self) -> Flow {
        // SAFETY: the state is ours while it runs.
        unsafe { self.jump_to_label((*self.state).returned_label) }
    }

    /// Returns the code of the running function.
    #[inline(always)]
    pub(super) unsafe fn code(&self) -> *const Code<'static> {
        // SAFETY: `regs` is a frame, which has a header before it.
        unsafe { super::frame::header(self.regs).read().code }
    }
}
