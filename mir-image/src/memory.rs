//! The memory of a confined program as imports see it, and the calls back that they make.
#![expect(
    unsafe_code,
    reason = "shares the memory of programs with them, and calls their functions"
)]

use crate::confined::{FIRST_ADDRESS, Reason, Word};
use crate::gate::{self, Integers};
use crate::tables::WORD;
use crate::{Header, Limits};
use core::ops::Range;

/// The bytes before the memory of a confined program that are the loader's and the code's.
const BEFORE: u32 = 128;

/// The bytes before those that are the table of windows, if the program may have any.
pub(crate) const WINDOWS: u32 = 256;

/// The bytes of a row of the table of functions, and of how its function is called.
const ROW: u32 = 16;
const SHAPE: u32 = 1;

/// The alignment and the least size of that memory.
const MEMORY_ALIGN: u32 = 16;
const LEAST_MEMORY: u32 = 4096;

impl Header {
    /// Returns whether a confined program has memory of its own after the words of imports, room
    /// before that for its tables and words, and all limits, and another one has none.
    pub(crate) fn is_confinement_sound(&self, copied: u32) -> Option<bool> {
        if !self.limits.has(Limits::CONFINED) {
            let none = self.memory | self.functions | self.function_count;
            return Some(none | self.limits.0 & Limits::WINDOWS.0 == 0);
        }
        let windows = match self.limits.has(Limits::WINDOWS) {
            true => WINDOWS,
            false => 0,
        };
        let first = self.imports.checked_mul(WORD)?;
        let functions = self.function_count.checked_mul(ROW + SHAPE)?;
        let end = self.functions.checked_add(functions)?;
        let bytes = self.ram_size.checked_sub(self.memory)?;
        Some(
            self.limits.has(Limits::ALL)
                && self.functions >= first
                && self.functions.is_multiple_of(WORD)
                && self.memory >= end.checked_add(windows + BEFORE)?
                && self.memory <= copied
                && self.memory.is_multiple_of(MEMORY_ALIGN)
                && bytes >= LEAST_MEMORY,
        )
    }
}

/// The memory of a confined program, for imports: addresses are the program's, and each access is
/// checked. Copies are of the same memory.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    start: *mut u8,
    bytes: usize,
    /// The bytes before the memory that are the table of functions' and what follows it.
    functions: usize,
    function_count: u32,
    /// True if there is a table of windows.
    pub(crate) has_windows: bool,
}

// SAFETY: it has only unsafe methods, for which who calls them has to know that the program waits.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

/// The most calls back inside each other, as in the runtime.
pub const MOST_CALLS_BACK: u64 = 16;

/// The code with which [`Memory::fail`] passes on that a call back faulted: the run ends with that
/// fault.
pub const CALL_FAILED: u32 = u32::MAX - 1;

/// The number of no reason, in [`Word::Kind`] before a run faults, for those who make images.
pub const NO_FAULT: u64 = 254;

/// The numbers of the reasons for which a call back is refused.
const STACK: u64 = 4;
const BAD_FUNCTION: u64 = 7;
const SIGNATURE: u64 = 8;

/// The value of a program's function number 0, and the distance to the next one's.
const FIRST_FUNCTION: u64 = 1 << 40;
const FUNCTION_STEP: u64 = 16;

/// The shape of a function that cannot be called back; others have the number of their arguments,
/// and [`RETURNS`].
const NO_SHAPE: u8 = 255;
const RETURNS: u8 = 8;

impl Memory {
    /// Returns the memory of a program that was loaded into `ram`, which has the room that its
    /// header asks for.
    pub(crate) fn new(ram: &mut [u8], header: &Header) -> Memory {
        let offset = header.memory as usize;
        let memory = ram.get_mut(offset..header.ram_size as usize);
        Memory {
            bytes: memory.map_or(0, |memory| memory.len()),
            start: ram.as_mut_ptr().wrapping_add(offset),
            functions: offset - header.functions as usize,
            function_count: header.function_count,
            has_windows: header.limits.has(Limits::WINDOWS),
        }
    }

    /// Returns the place of bytes at an address of the program, in its memory or in a window.
    fn place(self, address: u64, bytes: u64, is_written: bool) -> Option<*mut u8> {
        let own = || {
            let offset = usize::try_from(address.checked_sub(FIRST_ADDRESS)?).ok()?;
            let end = offset.checked_add(usize::try_from(bytes).ok()?)?;
            (end <= self.bytes).then_some(self.start.wrapping_add(offset))
        };
        own().or_else(|| self.window(address, bytes, is_written))
    }

    /// Returns `bytes` bytes at an address of the program; `None` if they are not all its own, or
    /// in one window.
    ///
    /// # Safety
    ///
    /// The program is loaded, and waits for an import or does not run for as long as the bytes are
    /// used; nobody changes them.
    #[must_use]
    pub unsafe fn slice<'m>(self, address: u64, bytes: u64) -> Option<&'m [u8]> {
        let place = self.place(address, bytes, false)?;
        // SAFETY: they are the program's, by the check; all else by the caller's word.
        Some(unsafe { core::slice::from_raw_parts(place, bytes as usize) })
    }

    /// Returns `bytes` bytes at an address of the program, to be written to; `None` if they are not
    /// all its own, or in one window that may be written to.
    ///
    /// # Safety
    ///
    /// As [`Memory::slice`]; nobody else uses them.
    #[must_use]
    pub unsafe fn slice_mut<'m>(self, address: u64, bytes: u64) -> Option<&'m mut [u8]> {
        let place = self.place(address, bytes, true)?;
        // SAFETY: as above.
        Some(unsafe { core::slice::from_raw_parts_mut(place, bytes as usize) })
    }

    /// Returns the program's own memory.
    ///
    /// # Safety
    ///
    /// As [`Memory::slice_mut`].
    pub(crate) unsafe fn all<'m>(self) -> &'m mut [u8] {
        // SAFETY: by the caller's word.
        unsafe { core::slice::from_raw_parts_mut(self.start, self.bytes) }
    }

    /// Has the run end with [`Reason::Import`] when the import that calls this returns, or for
    /// [`CALL_FAILED`] with the fault of the last call back if that failed.
    ///
    /// # Safety
    ///
    /// The program is loaded, and waits for an import.
    pub unsafe fn fail(self, code: u32) {
        // SAFETY: by the caller's word.
        unsafe { self.write(Word::Failed, u64::from(code) + 1) };
    }

    /// Returns the addresses of the program that neither its data nor its stack take.
    ///
    /// # Safety
    ///
    /// The program is loaded.
    #[must_use]
    pub unsafe fn heap(self) -> Range<u64> {
        // SAFETY: by the caller's word.
        unsafe { self.read(Word::HeapStart)..self.read(Word::HeapEnd) }
    }

    /// Calls a function of the program that waits for an import, by the value that it has there, as
    /// programs pass pointers to functions. The call takes of the fuel and the stack of the run.
    /// Returns the integer that the function returns, or 0.
    ///
    /// An import that fails with [`CALL_FAILED`] after a fault passes it on, and the run ends with
    /// it; one that does not may go on.
    ///
    /// # Errors
    ///
    /// The reason of the fault. [`Reason::BadFunction`] if the value is that of none of the
    /// program's own functions; [`Reason::Signature`] if the function does not take just so many
    /// integers, at most 6, or returns more than one; [`Reason::Stack`] if there are
    /// [`MOST_CALLS_BACK`] inside each other.
    ///
    /// # Safety
    ///
    /// The image was made by `mir image --confined`; the program waits for the import that calls
    /// this, which uses nothing of its memory and windows meanwhile.
    pub unsafe fn call(self, function: u64, arguments: &[u64]) -> Result<u64, Reason> {
        // SAFETY: by the caller's word.
        let (address, shape) = match unsafe { self.function(function) } {
            Some((address, shape)) if shape != NO_SHAPE => (address, shape),
            // SAFETY: as above.
            _ => return Err(unsafe { self.refuse(BAD_FUNCTION, function) }),
        };
        if usize::from(shape & !RETURNS) != arguments.len() {
            // SAFETY: as above.
            return Err(unsafe { self.refuse(SIGNATURE, 0) });
        }
        // SAFETY: by the caller's word, and the function takes such arguments.
        let value = unsafe { self.call_at(address, arguments) }?;
        Ok(if shape & RETURNS == 0 { 0 } else { value })
    }

    /// Calls a function of the program that waits for an import, at an address in the machine, with
    /// the first six of these integers: that of an export, from `Confined::address_of`. It does as
    /// [`Memory::call`] otherwise.
    ///
    /// # Errors
    ///
    /// As [`Memory::call`].
    ///
    /// # Safety
    ///
    /// As [`Memory::call`]; there is a function that takes such arguments.
    pub unsafe fn call_at(self, address: u64, arguments: &[u64]) -> Result<u64, Reason> {
        // SAFETY: by the caller's word. The words are the outer run's again before the import goes
        // on, whatever became of the inner one.
        unsafe {
            let depth = self.read(Word::Depth);
            if depth >= MOST_CALLS_BACK {
                return Err(self.refuse(STACK, 0));
            }
            let words = [Word::Frame, Word::StackPointer, Word::Failed];
            let kept = words.map(|word| self.read(word));
            self.write(Word::Depth, depth + 1);
            self.write(Word::Failed, 0);
            self.write(Word::Kind, NO_FAULT);
            let ran = self.enter(address, arguments);
            for (word, value) in words.into_iter().zip(kept) {
                self.write(word, value);
            }
            self.write(Word::Depth, depth);
            if ran.is_some() {
                // A fault that an import inside did not pass on is over.
                self.write(Word::Kind, NO_FAULT);
            }
            ran.ok_or_else(|| Reason::of(self.read(Word::Kind), self.read(Word::Value)))
        }
    }

    /// Returns the address of the function with this value, and how it is called.
    ///
    /// # Safety
    ///
    /// The program is loaded.
    unsafe fn function(self, value: u64) -> Option<(u64, u8)> {
        let offset = value.wrapping_sub(FIRST_FUNCTION);
        let number = offset / FUNCTION_STEP;
        if !offset.is_multiple_of(FUNCTION_STEP) || number >= u64::from(self.function_count) {
            return None;
        }
        let (number, row) = (number as usize, ROW as usize);
        let table = self.start.wrapping_sub(self.functions);
        let shapes = table.wrapping_add(row * self.function_count as usize);
        let address = table.wrapping_add(row * number + row / 2).cast::<u64>();
        // SAFETY: the table is before the memory, and has so many rows, which are aligned as the
        // memory is; what is after them has a byte for each.
        unsafe { Some((address.read(), shapes.wrapping_add(number).read())) }
    }

    /// Notes why a call back was refused, for an import that passes that on; returns the reason.
    ///
    /// # Safety
    ///
    /// The program is loaded.
    unsafe fn refuse(self, kind: u64, value: u64) -> Reason {
        // SAFETY: by the caller's word.
        unsafe {
            self.write(Word::Kind, kind);
            self.write(Word::Value, value);
            // So the place will be that of the import's call.
            self.write(Word::Function, 0);
        }
        Reason::of(kind, value)
    }

    /// Calls a function at an address with the first six of these integers; `None` if it faults.
    ///
    /// # Safety
    ///
    /// The program is loaded, prepared to run, and has a function there that takes such arguments.
    #[expect(clippy::disallowed_methods, reason = "an address is to be called")]
    pub(crate) unsafe fn enter(self, address: u64, arguments: &[u64]) -> Option<u64> {
        let address = core::ptr::with_exposed_provenance::<u8>(address as usize);
        // SAFETY: by the caller's word. Arguments that a function does not take stay in registers.
        let function = unsafe { core::mem::transmute::<*const u8, Integers>(address) };
        let mut given = [0; 6];
        for (to, from) in given.iter_mut().zip(arguments) {
            *to = *from;
        }
        let [a, b, c, d, e, f] = given;
        // SAFETY: by the caller's word.
        unsafe { self.perform(|| function(a, b, c, d, e, f)) }
    }

    /// Calls `body`, which may call functions of the program; `None` if one faults.
    ///
    /// # Safety
    ///
    /// The program is loaded and prepared to run; nothing that the body owns needs be dropped.
    pub(crate) unsafe fn perform<R>(self, body: impl FnOnce() -> R) -> Option<R> {
        // SAFETY: by the caller's word.
        unsafe { gate::run(self.word(Word::Frame), body, self.read(Word::Floats)) }
    }

    /// Returns the place of the table of windows.
    pub(crate) const fn windows(self) -> *mut u8 {
        let before = (BEFORE + WINDOWS) as usize;
        self.start.wrapping_sub(before)
    }

    /// Returns the place of a word before the memory.
    const fn word(self, word: Word) -> *mut u64 {
        self.start.wrapping_sub(word.distance()).cast()
    }

    /// # Safety
    ///
    /// The program is loaded.
    pub(crate) unsafe fn read(self, word: Word) -> u64 {
        // SAFETY: the words are before the memory. Code changes them: none is kept in a register.
        unsafe { self.word(word).read_volatile() }
    }

    /// # Safety
    ///
    /// As [`Memory::read`].
    pub(crate) unsafe fn write(self, word: Word, value: u64) {
        // SAFETY: as above.
        unsafe { self.word(word).write_volatile(value) };
    }
}
