//! The tables after the header, in this order: imports, exports, fixups, the functions to call
//! before and after all others, and the names.

use crate::header::{long, number};
use crate::{Header, Image, Limits};

/// The bytes of an entry of each table.
pub(crate) const IMPORT: u32 = 12;
pub(crate) const EXPORT: u32 = 16;
pub(crate) const FIXUP: u32 = 8;
pub(crate) const FUNCTION: u32 = 4;

/// The bytes of an address.
pub(crate) const WORD: u32 = 8;

/// The third number of an import that may be missing, and of a routine; 0 for others.
const OPTIONAL: u32 = 1;
const ROUTINE: u32 = 2;

/// Something that a program needs from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Import<'a> {
    /// Its name.
    pub name: &'a [u8],
    /// The signature by which the program calls it, as in `i32(p,...)`; several, with `;` between
    /// them, if calls differ; nothing if it is never called by name.
    pub signature: &'a [u8],
    /// True if the program does without it: its address is 0 then.
    pub is_optional: bool,
    /// True in images of confined programs if it is a routine that the code calls, and nothing that
    /// the program knows.
    pub is_routine: bool,
}

/// Something that a program offers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Export<'a> {
    /// Its name.
    pub name: &'a [u8],
    /// The signature of a function; nothing for data.
    pub signature: &'a [u8],
    /// Its place.
    pub place: Place,
}

/// A place in a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// So many bytes after the start of the code.
    Code(u32),
    /// So many bytes after the start of the program's memory.
    Ram(u32),
}

/// A word of the program's memory to which an address is added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Fixup {
    /// The offset of the word in the program's memory.
    pub(crate) at: u32,
    pub(crate) to: Base,
}

/// The address that a fixup adds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Base {
    Code,
    Ram,
    Import(u32),
}

/// The offsets of the tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offsets {
    exports: u32,
    fixups: u32,
    functions: u32,
    names: u32,
    end: u32,
}

impl Header {
    /// Returns the offsets of the tables, if they all are in the image.
    pub(crate) fn offsets(&self) -> Option<Offsets> {
        let behind =
            |start: u32, count: u32, each: u32| start.checked_add(count.checked_mul(each)?);
        let exports = behind(Header::SIZE as u32, self.imports, IMPORT)?;
        let fixups = behind(exports, self.exports, EXPORT)?;
        let functions = behind(fixups, self.fixups, FIXUP)?;
        let finalisers = behind(functions, self.initialisers, FUNCTION)?;
        let names = behind(finalisers, self.finalisers, FUNCTION)?;
        let end = behind(names, self.names_size, 1)?;
        (end <= self.size).then_some(Offsets {
            exports,
            fixups,
            functions,
            names,
            end,
        })
    }

    /// Returns whether code and data lie in the image, after the tables and each other, and in the
    /// program's memory.
    fn has_room(&self, end: u32) -> Option<()> {
        let code_end = self.code.checked_add(self.code_size)?;
        let data_end = self.data.checked_add(self.data_size)?;
        let copied = self
            .imports
            .checked_mul(WORD)?
            .checked_add(self.data_size)?;
        let fits = end <= self.code
            && code_end <= self.data
            && data_end <= self.size
            && copied <= self.ram_size
            && self.code_align.is_power_of_two()
            && self.code.is_multiple_of(self.code_align);
        // Without the feature a confined program is not loaded, and nothing of this is used.
        #[cfg(feature = "confined")]
        let fits = fits && self.is_confinement_sound(copied)?;
        fits.then_some(())
    }
}

impl<'a> Image<'a> {
    /// Checks every offset and count.
    pub(crate) fn check(&self) -> Option<()> {
        let (header, offsets) = (&self.header, &self.offsets);
        header.has_room(offsets.end)?;
        // So every name ends.
        let names = self.part(offsets.names, header.names_size);
        if names.last().is_some_and(|&last| last != 0) {
            return None;
        }
        let is_name = |at: u32| at < header.names_size;
        let is_entry = |table, number, size| {
            let entry = self.entry(table, number, size);
            let most = match header.limits.has(Limits::CONFINED) && size == IMPORT {
                true => ROUTINE,
                false => OPTIONAL,
            };
            is_name(word(entry, 0)) && is_name(word(entry, 1)) && word(entry, 2) <= most
        };
        let (imports, exports) = (Header::SIZE as u32, offsets.exports);
        let mut holds = (0..header.imports).all(|number| is_entry(imports, number, IMPORT));
        holds &= (0..header.exports).all(|number| is_entry(exports, number, EXPORT));
        holds &= (0..header.exports).all(|number| match self.place(number) {
            Place::Code(at) => at < header.code_size,
            Place::Ram(at) => at <= header.ram_size,
        });
        holds &= self.fixups().all(|fixup| self.holds(fixup));
        let functions = header.initialisers + header.finalisers;
        holds &= (0..functions).all(|number| self.function(number) < header.code_size);
        holds.then_some(())
    }

    /// Returns whether a fixup changes a word of the copied data and refers to what there is.
    fn holds(&self, fixup: Fixup) -> bool {
        let first = self.header.imports * WORD;
        let is_import = match fixup.to {
            Base::Import(number) => number < self.header.imports,
            Base::Code | Base::Ram => true,
        };
        let end = fixup.at.checked_add(WORD);
        is_import
            && fixup.at >= first
            && end.is_some_and(|end| end <= first + self.header.data_size)
    }

    fn entry(&self, table: u32, number: u32, size: u32) -> &'a [u8] {
        self.part(table + number * size, size)
    }

    /// Returns the name or signature at an offset.
    fn name(&self, at: u32) -> &'a [u8] {
        let names = self.part(self.offsets.names, self.header.names_size);
        let rest = names.get(at as usize..).unwrap_or(&[]);
        let mut parts = rest.split(|&byte| byte == 0);
        parts.next().unwrap_or(&[])
    }

    /// Returns what the program needs, in the order of its words in the program's memory.
    pub fn imports(&self) -> impl Iterator<Item = Import<'a>> + use<'a> {
        let image = *self;
        (0..image.header.imports).map(move |number| image.import(number))
    }

    /// Returns what the program offers, in the order of names.
    pub fn exports(&self) -> impl Iterator<Item = Export<'a>> + use<'a> {
        let image = *self;
        (0..image.header.exports).map(move |number| image.export(number))
    }

    pub(crate) fn import(&self, number: u32) -> Import<'a> {
        let entry = self.entry(Header::SIZE as u32, number, IMPORT);
        Import {
            name: self.name(word(entry, 0)),
            signature: self.name(word(entry, 1)),
            is_optional: word(entry, 2) == OPTIONAL,
            is_routine: word(entry, 2) == ROUTINE,
        }
    }

    pub(crate) fn export(&self, number: u32) -> Export<'a> {
        let entry = self.entry(self.offsets.exports, number, EXPORT);
        Export {
            name: self.name(word(entry, 0)),
            signature: self.name(word(entry, 1)),
            place: self.place(number),
        }
    }

    /// Returns the place of an export. It does not look for the end of a name, as the check of an
    /// image would then take the number of exports times the size of the names.
    fn place(&self, number: u32) -> Place {
        let entry = self.entry(self.offsets.exports, number, EXPORT);
        match (word(entry, 2), word(entry, 3)) {
            (0, at) => Place::Code(at),
            (_, at) => Place::Ram(at),
        }
    }

    /// Returns the words to which addresses are added, in the order of the table. Programs have
    /// many of them, so that each takes one access to the table.
    pub(crate) fn fixups(&self) -> impl Iterator<Item = Fixup> + use<'a> {
        let table = self.part(self.offsets.fixups, self.header.fixups * FIXUP);
        let entries = table.chunks_exact(FIXUP as usize);
        entries.map(|entry| {
            let entry = long(entry, 0);
            Fixup {
                at: entry as u32,
                to: match (entry >> 32) as u32 {
                    0 => Base::Code,
                    1 => Base::Ram,
                    number => Base::Import(number - 2),
                },
            }
        })
    }

    /// Returns the offset in the code of a function of the lists, initialisers first.
    pub(crate) fn function(&self, number: u32) -> u32 {
        word(self.entry(self.offsets.functions, number, FUNCTION), 0)
    }
}

/// Returns the number at a place of an entry.
fn word(entry: &[u8], place: usize) -> u32 {
    number(entry, 4 * place)
}
