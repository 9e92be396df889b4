//! Confined programs: they run within the memory that they were lent.
//!
//! The loader cannot see that code is confined, any more than that it is good: that follows from
//! `mir image --confined` having made it, which a signature tells. Of the program itself, whose
//! code that is, nothing need be known.
#![expect(
    unsafe_code,
    reason = "runs programs, and shares their memory with them"
)]

use crate::gate;
use crate::load::{Addresses, Loaded};
use crate::memory::{Memory, NO_FAULT};
use crate::tables::{Export, Import, Place};
use crate::windows::{Lent, Window};
use crate::{Error, Image, Limits};
use core::fmt;
use core::marker::PhantomData;

/// The lowest address of a program's memory, as the program sees it.
pub const FIRST_ADDRESS: u64 = 4096;

/// The words before the memory of a confined program, counted back from it, for those who make
/// images.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Word {
    /// The fuel that is left.
    Fuel = 16,
    /// [`Budget::stack_limit`].
    StackLimit = 14,
    /// The number of calls back under way.
    Depth = 13,
    /// The program's stack pointer, the first of the words that the program's own code uses.
    StackPointer = 12,
    /// The first address of [`Memory::heap`].
    HeapStart = 11,
    /// The address after it.
    HeapEnd = 10,
    /// 0, or 1 more than the code with which an import failed.
    Failed = 9,
    /// The stack pointer before each call.
    StackTop = 8,
    /// The address of the routine that ends a run.
    Leave = 7,
    /// The address that it takes.
    Frame = 6,
    /// The number of the reason for which the run ended.
    Kind = 5,
    /// The address of the name of the function that faulted.
    Function = 4,
    /// 1 more than the number of the instruction there, or 0.
    Instruction = 3,
    /// The number that belongs to the reason, or 0.
    Value = 2,
    /// Not 0 if the code uses floating registers.
    Floats = 1,
}

impl Word {
    /// Returns how many bytes before the memory the word is.
    #[must_use]
    pub const fn distance(self) -> usize {
        8 * self as usize
    }
}

/// The most that a call may use up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// The fuel.
    pub fuel: u64,
    /// The lowest address that the machine's stack may reach, below which 128 KiB must be left, and
    /// what imports take. The stack above should have four times the bytes of the program's own: it
    /// ends runs earlier if it has less.
    pub stack_limit: u64,
}

/// The reason why a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Division or remainder by zero.
    DivisionByZero,
    /// The index of a `switch` has no label.
    SwitchRange,
    /// The function was left at its end without a `ret`.
    EndReached,
    /// The stack has grown too far.
    Stack,
    /// A jump to what is no label of the function.
    BadLabel,
    /// An access to this address, which is outside of the program's memory.
    BadAddress(u64),
    /// A call of this value, which is no function.
    BadFunction(u64),
    /// A call with another signature than the function's.
    Signature,
    /// An import failed with this code.
    Import(u32),
    /// An atomic access at an address that is no multiple of its size.
    Unaligned,
    /// There is too little fuel.
    OutOfFuel,
}

impl Reason {
    pub(crate) const fn of(kind: u64, value: u64) -> Reason {
        match kind {
            0 => Reason::DivisionByZero,
            1 => Reason::SwitchRange,
            4 => Reason::Stack,
            5 => Reason::BadLabel,
            6 => Reason::BadAddress(value),
            7 => Reason::BadFunction(value),
            8 => Reason::Signature,
            9 => Reason::Import(value.wrapping_sub(1) as u32),
            10 => Reason::Unaligned,
            255 => Reason::OutOfFuel,
            _ => Reason::EndReached,
        }
    }
}

/// The end of a run by what the program did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault<'a> {
    /// The reason.
    pub reason: Reason,
    /// The name of the function that faulted.
    pub function: &'a [u8],
    /// The number of the instruction in that function of the program that `mir image` was given,
    /// labels counted, from 0; `None` if the run did not come to one.
    pub instruction: Option<u32>,
}

impl fmt::Display for Fault<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.reason {
            Reason::DivisionByZero => "division by zero",
            Reason::SwitchRange => "no label for the index of a switch",
            Reason::EndReached => "the end of a function without ret",
            Reason::Stack => "the stack has grown too far",
            Reason::BadLabel => "a jump to what is no label of the function",
            Reason::BadAddress(address) => return write!(f, "no memory at {address:#x}"),
            Reason::BadFunction(value) => return write!(f, "{value:#x} is no function"),
            Reason::Signature => "a call with another signature than the function's",
            Reason::Import(code) => return write!(f, "an import failed with {code}"),
            Reason::Unaligned => "an atomic access at no multiple of its size",
            Reason::OutOfFuel => "too little fuel",
        })
    }
}

impl core::error::Error for Fault<'_> {}

/// A confined program that is loaded, in memory that it borrows.
#[derive(Debug)]
pub struct Confined<'a> {
    loaded: Loaded<'a>,
    image: Image<'a>,
    memory: Memory,
    lent: PhantomData<&'a mut [u8]>,
}

impl<'a> Image<'a> {
    /// Loads a confined program, whose code lies at an address: the image's own bytes or a copy of
    /// [`Image::code`]. It does as [`Image::load`] otherwise, which loads other programs.
    ///
    /// `resolve` returns the addresses of functions of C's calling convention, for numbers that are
    /// the program's: they get its memory from [`Confined::memory`]. What has
    /// [`Import::is_routine`] is for the code itself (arithmetic with long doubles, say): the
    /// program cannot call it.
    ///
    /// ```
    /// use mir_image::{Budget, Error, Image, Machine};
    ///
    /// fn run(flash: &[u8], ram: &mut [u8], stack_limit: u64) -> Result<bool, Error> {
    ///     let image = Image::parse(flash, Machine::Riscv64)?;
    ///     let code = image.code().as_ptr().expose_provenance() as u64;
    ///     let mut program = image.load_confined(ram, code, &mut |_| None)?;
    ///     let budget = Budget { fuel: 1_000_000, stack_limit };
    ///     // SAFETY: images are signed by whom we trust to have made them with `--confined`.
    ///     let ran = unsafe { program.call(b"main", &[], budget) };
    ///     Ok(ran.is_ok())
    /// }
    /// assert_eq!(run(b"no image", &mut [], 0), Err(Error::NotAnImage));
    /// ```
    ///
    /// # Errors
    ///
    /// The image is not confined; otherwise as [`Image::load`].
    pub fn load_confined(
        &self,
        ram: &'a mut [u8],
        code: u64,
        resolve: &mut dyn FnMut(Import<'a>) -> Option<u64>,
    ) -> Result<Confined<'a>, Error> {
        if !self.header.limits.has(Limits::CONFINED) {
            return Err(Error::NotConfined);
        }
        // The words before the program's memory are read and written as such.
        if !ram.as_ptr().cast::<u64>().is_aligned() {
            return Err(Error::RamAddress);
        }
        let at = Addresses {
            code,
            ram: ram.as_mut_ptr().expose_provenance() as u64,
        };
        let loaded = self.fill(ram, at, resolve)?;
        let memory = Memory::new(ram, &self.header);
        memory.close_all();
        Ok(Confined {
            loaded,
            image: *self,
            memory,
            lent: PhantomData,
        })
    }
}

impl<'a> Confined<'a> {
    /// Calls `body`, which may call functions of the program at their addresses.
    ///
    /// # Errors
    ///
    /// The program faulted, in which case `body` does not go on, and nothing that it owns is
    /// dropped. Another run may be made then.
    ///
    /// # Safety
    ///
    /// The image was made by `mir image --confined`, and its code lies where the program was
    /// loaded, and may be run. `body` calls the program's functions by their signatures; what is on
    /// the stack above it while it does needs not be dropped. Nobody but imports uses the
    /// program's memory meanwhile.
    pub unsafe fn run<R>(
        &mut self,
        budget: Budget,
        body: impl FnOnce() -> R,
    ) -> Result<R, Fault<'a>> {
        self.begin(budget);
        // SAFETY: by the caller's word.
        let ran = unsafe { self.memory.perform(body) };
        ran.ok_or_else(|| self.fault())
    }

    /// Prepares a run.
    fn begin(&mut self, budget: Budget) {
        let memory = self.memory;
        // SAFETY: the program is loaded and does not run.
        unsafe {
            memory.write(Word::Fuel, budget.fuel);
            memory.write(Word::StackLimit, budget.stack_limit);
            memory.write(Word::StackPointer, memory.read(Word::StackTop));
            memory.write(Word::Failed, 0);
            memory.write(Word::Depth, 0);
            memory.write(Word::Kind, NO_FAULT);
            memory.write(Word::Leave, gate::leave as *const () as usize as u64);
        }
    }

    /// Calls an exported function with up to six integers; returns the integer that it returns, or
    /// what the register for that holds.
    ///
    /// # Errors
    ///
    /// The program faulted. [`Reason::BadFunction`] without a function if nothing is exported under
    /// this name; [`Reason::Signature`] if that is data or there are more arguments.
    ///
    /// # Safety
    ///
    /// As [`Confined::run`]: the function takes such arguments.
    pub unsafe fn call(
        &mut self,
        name: &[u8],
        arguments: &[u64],
        budget: Budget,
    ) -> Result<u64, Fault<'a>> {
        let refused = |reason| Fault {
            reason,
            function: b"",
            instruction: None,
        };
        let export = self.export(name);
        let export = export.ok_or(refused(Reason::BadFunction(0)))?;
        let (Place::Code(_), true) = (export.place, arguments.len() <= 6) else {
            return Err(refused(Reason::Signature));
        };
        let address = self.loaded.address_of(export.place);
        // SAFETY: by the caller's word.
        unsafe { self.call_at(address, arguments, budget) }
    }

    /// Calls a function of the program at an address, as [`Confined::initialisers`] returns them,
    /// with the first six of these integers.
    ///
    /// # Errors
    ///
    /// The program faulted.
    ///
    /// # Safety
    ///
    /// As [`Confined::run`]: there is a function that takes such arguments.
    pub unsafe fn call_at(
        &mut self,
        address: u64,
        arguments: &[u64],
        budget: Budget,
    ) -> Result<u64, Fault<'a>> {
        self.begin(budget);
        // SAFETY: by the caller's word.
        let ran = unsafe { self.memory.enter(address, arguments) };
        ran.ok_or_else(|| self.fault())
    }

    /// Grants a window for as long as the program is loaded, or until [`Confined::revoke`]: the
    /// program sees the bytes from this address on.
    ///
    /// # Errors
    ///
    /// [`Error::Window`].
    pub fn grant(&mut self, address: u64, window: Window<'a>) -> Result<(), Error> {
        self.memory.open(address, window)
    }

    /// Takes the windows at an address of the program back; returns whether there were any.
    pub fn revoke(&mut self, address: u64) -> bool {
        self.memory.close(address)
    }

    /// Grants a window for as long as `body` runs, which gets the program.
    ///
    /// ```
    /// use mir_image::{Budget, Confined, Error, FIRST_WINDOW, Window};
    ///
    /// fn passes(program: &mut Confined<'_>, packet: &[u8]) -> Result<bool, Error> {
    ///     let (bytes, budget) = (packet.len() as u64, Budget { fuel: 1000, stack_limit: 0x8000 });
    ///     program.lend(FIRST_WINDOW, Window::Read(packet), |program| {
    ///         // SAFETY: images are signed by whom we trust to have made them with `--confined`;
    ///         // this function of theirs takes an address and a number.
    ///         let ran = unsafe { program.call(b"passes", &[FIRST_WINDOW, bytes], budget) };
    ///         ran.is_ok_and(|value| value != 0)
    ///     })
    /// }
    /// # let _ = passes;
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Window`].
    pub fn lend<T>(
        &mut self,
        address: u64,
        window: Window<'_>,
        body: impl FnOnce(&mut Self) -> T,
    ) -> Result<T, Error> {
        self.memory.open(address, window)?;
        let lent = Lent {
            memory: self.memory,
            address,
        };
        let result = body(self);
        drop(lent);
        Ok(result)
    }

    /// Returns the fuel that the last run left.
    #[must_use]
    pub fn fuel(&self) -> u64 {
        // SAFETY: the program is loaded.
        unsafe { self.memory.read(Word::Fuel) }
    }

    /// Returns the program's memory for imports.
    #[must_use]
    pub const fn memory(&self) -> Memory {
        self.memory
    }

    /// Returns the program's memory, all of its state between two runs.
    pub fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the memory is lent to the program, which does not run.
        unsafe { self.memory.all() }
    }

    /// Returns an export; [`Confined::run`] calls it at [`Confined::address_of`].
    #[must_use]
    pub fn export(&self, name: &[u8]) -> Option<Export<'a>> {
        self.loaded.export(name)
    }

    /// Returns the address of a place of the program, in the machine.
    #[must_use]
    pub fn address_of(&self, place: Place) -> u64 {
        self.loaded.address_of(place)
    }

    /// Returns the addresses of the functions to call before any other, in their order.
    pub fn initialisers(&self) -> impl Iterator<Item = u64> + use<'a> {
        self.loaded.initialisers()
    }

    /// Returns the addresses of the functions to call at the end, in their order.
    pub fn finalisers(&self) -> impl Iterator<Item = u64> + use<'a> {
        self.loaded.finalisers()
    }

    /// Returns the fault that the last run ended with.
    fn fault(&self) -> Fault<'a> {
        let memory = self.memory;
        // SAFETY: the program is loaded.
        let [kind, value, function, instruction] = unsafe {
            [Word::Kind, Word::Value, Word::Function, Word::Instruction]
                .map(|word| memory.read(word))
        };
        Fault {
            reason: Reason::of(kind, value),
            function: self.name(function),
            instruction: (instruction as u32).checked_sub(1),
        }
    }

    /// Returns the name of the function whose symbol has its name at this address.
    fn name(&self, address: u64) -> &'a [u8] {
        let code = self.loaded.address_of(Place::Code(0));
        let offset = usize::try_from(address.wrapping_sub(code)).unwrap_or(usize::MAX);
        let symbol = self.image.code().get(offset..).unwrap_or(&[]);
        let symbol = symbol.split(|&byte| byte == 0).next().unwrap_or(&[]);
        // A number and a colon come first.
        let name = symbol.splitn(2, |&byte| byte == b':').last();
        name.unwrap_or(symbol)
    }
}
