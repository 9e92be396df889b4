//! Instructions as text.

use crate::allocator::{LentAllocator, LentMemory};
use crate::fault::{Frame, MIR_UNKNOWN};
use crate::state::{bytes, read};
use crate::status::Status;
use core::ffi::{CStr, c_char, c_void};
use core::fmt;
use mir_nostd::ir::{FuncId, ItemKind, Module, Problem};
use mir_nostd::text;

/// Writes the instruction that a frame stands at as text, which ends in a NUL and is cut to `size`
/// bytes. `program` is what was loaded, binary or text, and is read again; its first module is that
/// of number `first_module`, 0 if nothing was loaded before it. The library has it with its feature
/// `text`.
///
/// `MIR_STATUS_NOT_FOUND` if the program has no such instruction, or its number is not known;
/// `MIR_STATUS_BAD_PROGRAM` if it does not read; `MIR_STATUS_OUT_OF_MEMORY`. It may be called by
/// any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_show(
    allocator: *const LentAllocator,
    program: *const c_void,
    program_size: usize,
    first_module: u32,
    frame: *const Frame,
    shown: *mut c_char,
    size: usize,
) -> Status {
    // SAFETY: the caller vouches for all.
    let (allocator, program, frame) = unsafe {
        (
            allocator.as_ref(),
            bytes(program, program_size),
            frame.as_ref(),
        )
    };
    let (Some(allocator), Some(program), Some(frame)) = (allocator, program, frame) else {
        return Status::BadArgument;
    };
    if shown.is_null() || size == 0 || size > isize::MAX as usize || frame.function.is_null() {
        return Status::BadArgument;
    }
    // SAFETY: as above.
    let shown = unsafe {
        shown.write_bytes(0, size);
        core::slice::from_raw_parts_mut(shown.cast::<u8>(), size)
    };
    let memory = LentMemory::new(*allocator);
    let modules = match read(program, &memory) {
        Ok(modules) => modules,
        Err(error) if error.problem == Problem::OutOfMemory => return Status::OutOfMemory,
        Err(_) => return Status::BadProgram,
    };
    let number = frame.module.checked_sub(first_module);
    let module = number.and_then(|number| modules.get(number as usize));
    match module.and_then(|module| show(module, frame, shown)) {
        Some(()) => Status::Ok,
        None => Status::NotFound,
    }
}

fn show(module: &Module<'_>, frame: &Frame, shown: &mut [u8]) -> Option<()> {
    // SAFETY: the name of a frame ends in a NUL.
    let name = unsafe { CStr::from_ptr(frame.function) };
    let func = function(module, name.to_bytes())?;
    if frame.instruction == MIR_UNKNOWN {
        return None;
    }
    let insn = module.insns(func).nth(frame.instruction as usize)?;
    let (text, _) = shown.split_at_mut(shown.len() - 1);
    let mut buffer = Buffer { text, used: 0 };
    // Text that does not fit is cut.
    let _ = text::print_insn(module, func, insn, &mut |part: &[u8]| buffer.add(part));
    Some(())
}

fn function(module: &Module<'_>, name: &[u8]) -> Option<FuncId> {
    let item = module.item_named(module.find_name(name)?)?;
    match module.item(item).kind {
        ItemKind::Func(func) => Some(func),
        _ => None,
    }
}

/// Text that is being written: white space at its ends is left out, and tabs are spaces.
struct Buffer<'a> {
    text: &'a mut [u8],
    used: usize,
}

impl Buffer<'_> {
    fn add(&mut self, part: &[u8]) -> fmt::Result {
        for &byte in part {
            let byte = if byte == b'\t' { b' ' } else { byte };
            let place = self.text.get_mut(self.used).ok_or(fmt::Error)?;
            if byte != b'\n' && (self.used > 0 || byte != b' ') {
                *place = byte;
                self.used += 1;
            }
        }
        Ok(())
    }
}
