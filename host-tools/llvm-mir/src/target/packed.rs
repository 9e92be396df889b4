//! The packed tables as `build.rs` writes them, read in place.

/// The sections of a packed table, in their order.
#[derive(Clone, Copy)]
#[repr(usize)]
pub(super) enum Section {
    Opcodes,
    OpcodeIndex,
    Signatures,
    Kinds,
    Implicit,
    SubIndices,
    Registers,
    RegisterIndex,
    Parts,
    Reserved,
    Classes,
    ClassIndex,
    ClassSets,
    Masks,
    MaskIndex,
    MaskSets,
    Banks,
    DirectFlags,
    BitFlags,
    MemoryFlags,
    TargetIndices,
    DwarfNames,
    Names,
}

/// A packed table. Reads out of bounds return 0 or nothing.
#[derive(Clone, Copy)]
pub(super) struct Packed(pub(super) &'static [u8]);

impl Packed {
    fn raw(self, at: usize) -> u32 {
        let bytes = self.0.get(at..).and_then(<[u8]>::first_chunk::<4>);
        bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
    }

    fn start(self, section: Section) -> usize {
        self.raw(section as usize * 8) as usize
    }

    /// Returns the number of words of a section.
    pub(super) fn len(self, section: Section) -> usize {
        self.raw(section as usize * 8 + 4) as usize
    }

    /// Returns a word of a section.
    pub(super) fn word(self, section: Section, index: usize) -> u32 {
        if index < self.len(section) {
            self.raw(self.start(section) + index * 4)
        } else {
            0
        }
    }

    /// Returns the name that a word describes.
    pub(super) fn name(self, packed: u32) -> &'static str {
        let start = self.start(Section::Names) + (packed & 0xFF_FFFF) as usize;
        let bytes = self.0.get(start..start + (packed >> 24) as usize);
        bytes
            .and_then(|bytes| str::from_utf8(bytes).ok())
            .unwrap_or("")
    }

    /// Returns the row with the given name, where `name_of` returns the name of a row.
    pub(super) fn find(
        self,
        index: Section,
        name: &[u8],
        name_of: impl Fn(usize) -> &'static str,
    ) -> Option<usize> {
        let mask = self.len(index).checked_sub(1)?;
        let mut slot = hash(name) as usize & mask;
        loop {
            let row = (self.word(index, slot) as usize).checked_sub(1)?;
            if name_of(row).as_bytes() == name {
                return Some(row);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Returns the name and value of the row that `wanted` accepts, in a section of names and
    /// values.
    pub(super) fn pair(
        self,
        section: Section,
        wanted: impl Fn(&str, u32) -> bool,
    ) -> Option<(&'static str, u32)> {
        self.pairs(section)
            .find(|(name, value)| wanted(name, *value))
    }

    /// Returns the rows of a section of names and values.
    pub(super) fn pairs(self, section: Section) -> impl Iterator<Item = (&'static str, u32)> {
        (0..self.len(section) / 2).map(move |row| {
            let name = self.name(self.word(section, 2 * row));
            (name, self.word(section, 2 * row + 1))
        })
    }
}

fn hash(name: &[u8]) -> u32 {
    name.iter().fold(0x811c_9dc5, |hash: u32, byte| {
        (hash ^ u32::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0193)
    })
}
