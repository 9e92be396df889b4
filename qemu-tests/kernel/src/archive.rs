//! Reads the programs that QEMU's loader device put into memory; host-tools/xtask writes them.
//!
//! Each program has three little-endian lengths, of its name, its bytes and its expected output,
//! and then these three. The last length is all ones if no output is expected. A length of zero
//! ends the list.

use crate::arch::{PROGRAM_BYTES, PROGRAMS};

/// A program.
pub struct Program {
    /// The name, for reports.
    pub name: &'static str,
    /// The program as text or binary.
    pub bytes: &'static [u8],
    /// The expected output.
    pub expected: Option<&'static [u8]>,
}

/// Returns all programs.
pub fn programs() -> impl Iterator<Item = Program> {
    let start = core::ptr::with_exposed_provenance::<u8>(PROGRAMS);
    // SAFETY: that memory is mapped read-only, and only the loader device wrote to it, before the
    // start.
    let mut rest = unsafe { core::slice::from_raw_parts(start, PROGRAM_BYTES) };
    core::iter::from_fn(move || {
        let name = length(&mut rest)?;
        let (bytes, expected) = (length(&mut rest)?, length(&mut rest)?);
        Some(Program {
            name: core::str::from_utf8(part(&mut rest, name)?).ok()?,
            bytes: part(&mut rest, bytes)?,
            expected: match expected {
                u32::MAX => None,
                expected => Some(part(&mut rest, expected)?),
            },
        })
        .filter(|program| !program.name.is_empty())
    })
}

fn length(rest: &mut &'static [u8]) -> Option<u32> {
    let (bytes, behind) = rest.split_first_chunk()?;
    *rest = behind;
    Some(u32::from_le_bytes(*bytes))
}

fn part(rest: &mut &'static [u8], length: u32) -> Option<&'static [u8]> {
    let (bytes, behind) = rest.split_at_checked(length as usize)?;
    *rest = behind;
    Some(bytes)
}
