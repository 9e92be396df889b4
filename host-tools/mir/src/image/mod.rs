//! Images: programs compiled ahead of time and linked, for the loader of the crate `mir-image`.
//!
//! Modules are compiled to objects as `mir obj` does ([`crate::object`]), these are linked here
//! ([`link`]), and the result is written in the format that `docs/images.md` describes.

pub(crate) mod confined;
mod link;
mod relocations;
pub(crate) mod run;
mod run_confined;
mod signatures;
mod stubs;
#[cfg(test)]
mod tests;
mod write;

use crate::failure::Refusal;
use crate::isa::Isa;
pub use confined::{Confinable, Declaration, confined_image};
use link::Linker;
use mir_image::{Limits, Machine};
pub use run::Mapping;
pub use run_confined::runtime_reason;
pub(crate) use signatures::Signatures;
use std::collections::BTreeMap;

/// The settings of an image.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// The distance from the start of the image to the program's memory, if one is asked for.
    pub(crate) distance: Option<i64>,
    /// The limits that the code keeps.
    pub(crate) limits: Limits,
}

/// The facts on a confined program that its objects do not have.
#[derive(Debug)]
pub(crate) struct Confined {
    /// The first contents of the words before its memory, and of that.
    pub(crate) contents: Vec<u8>,
    /// The names of exported functions, by their symbols.
    pub(crate) exports: BTreeMap<Vec<u8>, Vec<u8>>,
    /// The number of functions in the table of them.
    pub(crate) functions: u32,
    /// True if it may have windows.
    pub(crate) windows: bool,
}

/// Returns the machine of an ISA.
pub(crate) fn machine(isa: Isa) -> Option<Machine> {
    let number = u32::from(isa.description().elf?.machine);
    Machine::ALL
        .into_iter()
        .find(|machine| machine.number() == number)
}

/// Links objects to an image. The last one of a confined program has its memory.
pub(crate) fn make(
    isa: Isa,
    objects: &[Vec<u8>],
    signatures: &Signatures,
    settings: Settings,
    confined: Option<&Confined>,
) -> Result<Vec<u8>, Refusal> {
    let machine = machine(isa).ok_or_else(|| format!("no images are made for {}", isa.name()))?;
    let linker = Linker::new(machine, objects, confined)?;
    Ok(write::image(machine, linker, signatures, settings)?)
}
