//! The programs that QEMU's loader device put into memory; host-tools/xtask writes them.
//!
//! For each the lengths of its name, itself and what it must print, little-endian, and then these; all ones for the last
//! length if nothing is expected. Behind the last program, or where there is none, is a length of zero.

use crate::arch::{PROGRAM_BYTES, PROGRAMS};

/// A program.
pub struct Program {
    /// Its name, for reports.
    pub name: &'static str,
    /// It, as text or binary.
    pub bytes: &'static [u8],
    /// What it must print.
    pub expected: Option<&'static [u8]>,
}

/// Returns all programs.
pub fn programs() -> impl Iterator<Item = Program> {
    let start = core::ptr::with_exposed_provenance::<u8>(PROGRAMS);
    // SAFETY: that memory is mapped read-only, and only the loader device wrote to it, before the start.
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
