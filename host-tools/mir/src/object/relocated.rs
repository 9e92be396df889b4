//! Sections of DWARF with their relocations.

use gimli::RunTimeEndian;
use gimli::write::{EndianVec, RelocateWriter, Relocation};
use mir_nostd::target::Target;

/// A section with its relocations.
#[derive(Clone, Debug)]
pub(super) struct Relocated {
    pub(super) bytes: EndianVec<RunTimeEndian>,
    pub(super) relocations: Vec<Relocation>,
}

impl Relocated {
    /// Returns an empty section in the byte order of the target.
    pub(super) fn new(target: &Target) -> Relocated {
        let endian = if target.big_endian {
            RunTimeEndian::Big
        } else {
            RunTimeEndian::Little
        };
        Relocated {
            bytes: EndianVec::new(endian),
            relocations: Vec::new(),
        }
    }
}

impl RelocateWriter for Relocated {
    type Writer = EndianVec<RunTimeEndian>;

    fn writer(&self) -> &Self::Writer {
        &self.bytes
    }

    fn writer_mut(&mut self) -> &mut Self::Writer {
        &mut self.bytes
    }

    fn relocate(&mut self, relocation: Relocation) {
        self.relocations.push(relocation);
    }
}
