//! Faults, with the names of what faulted.

use core::ffi::{CStr, c_char};
use core::fmt;
use mir_nostd::ir::Name;
use mir_nostd::ir::{FuncId, Module};
use mir_nostd::link::{self, HostError, LinkedModule, MOST_FRAMES};

/// The reason of a fault. The numbers do not change between versions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Reason {
    /// None of the others: see the message.
    Other = 0,
    /// The fuel is used up.
    Fuel = 1,
    /// Too many calls inside each other, or too much stack.
    Stack = 2,
    /// The lent allocator has no more memory.
    Memory = 3,
    /// Division or remainder by zero.
    Division = 4,
    /// The index of a `switch` is not that of one of its labels.
    Switch = 5,
    /// A jump to what is no label of the function.
    Label = 6,
    /// A function was left at its end without a `ret`.
    End = 7,
    /// A call with another signature than the function's.
    Signature = 8,
    /// An import failed; `value` is what it returned.
    Import = 9,
    /// A confined program accessed the address `value`, which is outside of its memory.
    Address = 10,
    /// A confined program called `value`, which is no function.
    Function = 11,
    /// An atomic access at an address that is no multiple of its size.
    Unaligned = 12,
}

/// The most calls that a fault knows.
pub const MIR_MOST_FRAMES: usize = 16;

const _: () = assert!(MIR_MOST_FRAMES == MOST_FRAMES);

/// An instruction whose number is not known.
pub const MIR_UNKNOWN: u32 = u32::MAX;

/// A call that was under way when a program faulted.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Frame {
    /// The name of the function, which is valid until the context or program is closed. Never null.
    pub function: *const c_char,
    /// The number of the function's module, in the order of loading, from 0.
    pub module: u32,
    /// The number of the instruction that faulted, or that called the frame before: in its
    /// function, labels counted, from 0. `MIR_UNKNOWN` if it is not known.
    pub instruction: u32,
}

/// A fault: why a program stopped, and where.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Fault {
    /// The reason.
    pub reason: Reason,
    /// The number of frames that are known.
    pub frame_count: u32,
    /// The address, the function or the code of the import, as the reason says; else 0.
    pub value: u64,
    /// The calls under way, from the innermost outward: the first is the place of the fault.
    pub frames: [Frame; MIR_MOST_FRAMES],
    /// True if there may be more outside of them.
    pub is_cut: bool,
}

impl Fault {
    /// Returns a fault without frames.
    pub(crate) fn new(reason: link::Reason) -> Fault {
        let (reason, value) = split(reason);
        let nowhere = Frame {
            function: c"".as_ptr(),
            module: 0,
            instruction: MIR_UNKNOWN,
        };
        Fault {
            reason,
            frame_count: 0,
            value,
            frames: [nowhere; MIR_MOST_FRAMES],
            is_cut: false,
        }
    }

    /// Adds a frame outside of those that are there, if there is room.
    pub(crate) fn push(&mut self, frame: Frame) {
        match self.frames.get_mut(self.frame_count as usize) {
            Some(place) => {
                *place = frame;
                self.frame_count += 1;
            }
            None => self.is_cut = true,
        }
    }
}

fn split(reason: link::Reason) -> (Reason, u64) {
    use link::Reason as R;
    let reason = match reason {
        R::Host(HostError(code)) => return (Reason::Import, u64::from(code)),
        R::BadAddress(address) => return (Reason::Address, address),
        R::BadFunction(value) => return (Reason::Function, value),
        R::OutOfFuel => Reason::Fuel,
        R::Stack | R::Depth => Reason::Stack,
        R::OutOfMemory => Reason::Memory,
        R::Division => Reason::Division,
        R::SwitchRange => Reason::Switch,
        R::BadLabel => Reason::Label,
        R::EndReached => Reason::End,
        R::Signature => Reason::Signature,
        R::Unaligned => Reason::Unaligned,
        _ => Reason::Other,
    };
    (reason, 0)
}

/// A reason with the place of the fault, as a message says it.
pub(crate) struct Said<'a>(pub(crate) link::Reason, pub(crate) &'a Fault);

impl fmt::Display for Said<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)?;
        let Some(frame) = self.1.frames.first().filter(|_| self.1.frame_count > 0) else {
            return Ok(());
        };
        // SAFETY: names of frames end in NUL and live as long as the context.
        let name = unsafe { CStr::from_ptr(frame.function) };
        write!(f, " in {}", Lossy(name.to_bytes()))?;
        match frame.instruction {
            MIR_UNKNOWN => Ok(()),
            number => write!(f, ", instruction {number}"),
        }
    }
}

/// Bytes of a program as text: what is no UTF-8 is left out.
pub(crate) struct Lossy<'a>(pub(crate) &'a [u8]);

impl fmt::Display for Lossy<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut chunks = self.0.utf8_chunks();
        chunks.try_for_each(|chunk| f.write_str(chunk.valid()))
    }
}

/// Returns a name for C.
pub(crate) fn c_name<'a>(module: &'a Module<'_>, name: Option<Name>) -> &'a CStr {
    let bytes = name.map_or(&b""[..], |name| module.str_bytes(name));
    CStr::from_bytes_until_nul(bytes).unwrap_or_default()
}

/// Returns the name of a function.
pub(crate) fn func_name<'a>(module: &'a Module<'_>, func: FuncId) -> &'a CStr {
    c_name(module, module.item(module.func(func).item).name)
}

/// Returns the frame of a function in a linked module of this number.
pub(crate) fn frame(
    number: usize,
    linked: &LinkedModule<'_>,
    func: FuncId,
    instruction: Option<u32>,
) -> Frame {
    Frame {
        function: func_name(linked.module(), func).as_ptr(),
        module: number as u32,
        instruction: instruction.unwrap_or(MIR_UNKNOWN),
    }
}
