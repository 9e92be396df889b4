//! The memory of a program, filled in.

use crate::header::long;
use crate::tables::{Base, Export, Import, Place, WORD};
use crate::{Error, Image, Limits};

/// The addresses at which a program runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Addresses {
    /// The address of the first byte of the code.
    pub code: u64,
    /// The address of the first byte of the program's memory.
    pub ram: u64,
}

/// A program that is loaded: the addresses of its functions and data.
#[derive(Clone, Copy, Debug)]
pub struct Loaded<'a> {
    image: Image<'a>,
    at: Addresses,
}

impl<'a> Image<'a> {
    /// Checks that the program can run at these addresses.
    fn fits(&self, ram: &[u8], at: Addresses) -> Result<(), Error> {
        if at.code & u64::from(self.header.code_align.wrapping_sub(1)) != 0 {
            return Err(Error::CodeAddress);
        }
        if at.ram != at.code.wrapping_add_signed(self.header.distance) {
            return Err(Error::RamAddress);
        }
        if ram.len() < self.header.ram_size as usize {
            return Err(Error::RamSize);
        }
        Ok(())
    }

    /// Fills in the memory of the program, which the program sees at `at.ram`, while its code lies
    /// at `at.code`: the image's own bytes or a copy of [`Image::code`]. `resolve` returns the
    /// addresses of imports.
    ///
    /// # Errors
    ///
    /// The program cannot run at these addresses, is confined, or an import was not found. The
    /// memory then is as it was, but for the words of imports, which are zeros.
    pub fn load(
        &self,
        ram: &mut [u8],
        at: Addresses,
        resolve: &mut dyn FnMut(Import<'a>) -> Option<u64>,
    ) -> Result<Loaded<'a>, Error> {
        if self.header.limits.has(Limits::CONFINED) {
            return Err(Error::Confined);
        }
        self.fill(ram, at, resolve)
    }

    /// Does as [`Image::load`], for a program that may be confined.
    pub(crate) fn fill(
        &self,
        ram: &mut [u8],
        at: Addresses,
        resolve: &mut dyn FnMut(Import<'a>) -> Option<u64>,
    ) -> Result<Loaded<'a>, Error> {
        self.fits(ram, at)?;
        let ram = ram
            .get_mut(..self.header.ram_size as usize)
            .unwrap_or(&mut []);
        let words = (self.header.imports * WORD) as usize;
        let mut missing = None;
        for number in 0..self.header.imports {
            let import = self.import(number);
            let address = resolve(import);
            if address.is_none() && !import.is_optional {
                missing = missing.or(Some(number));
            }
            self.write(ram, number * WORD, address.unwrap_or(0));
        }
        if let Some(number) = missing {
            ram.get_mut(..words).unwrap_or(&mut []).fill(0);
            return Err(Error::Import(number));
        }
        let data = self.part(self.header.data, self.header.data_size);
        let behind = ram.get_mut(words..).unwrap_or(&mut []);
        if let Some((copied, zeros)) = behind.split_at_mut_checked(data.len()) {
            copied.copy_from_slice(data);
            zeros.fill(0);
        }
        for fixup in self.fixups() {
            let base = match fixup.to {
                Base::Code => at.code,
                Base::Ram => at.ram,
                Base::Import(number) => self.read(ram, number * WORD),
            };
            self.write(ram, fixup.at, self.read(ram, fixup.at).wrapping_add(base));
        }
        Ok(Loaded { image: *self, at })
    }

    /// Returns a number as a word of the machine has it, or the number that a word means.
    fn in_order(&self, word: u64) -> u64 {
        match self.machine.is_big_endian() {
            true => word.swap_bytes(),
            false => word,
        }
    }

    /// Returns the word at an offset in the program's memory.
    fn read(&self, ram: &[u8], at: u32) -> u64 {
        self.in_order(long(ram, at as usize))
    }

    /// Writes the word at an offset in the program's memory.
    fn write(&self, ram: &mut [u8], at: u32, word: u64) {
        let rest = ram.get_mut(at as usize..).unwrap_or(&mut []);
        if let Some(place) = rest.first_chunk_mut() {
            *place = self.in_order(word).to_le_bytes();
        }
    }
}

impl<'a> Loaded<'a> {
    /// Returns the address of an export.
    #[must_use]
    pub fn address(&self, name: &[u8]) -> Option<u64> {
        self.export(name)
            .map(|export| self.address_of(export.place))
    }

    /// Returns an export: its signature says how it is called.
    #[must_use]
    pub fn export(&self, name: &[u8]) -> Option<Export<'a>> {
        self.image.exports().find(|export| export.name == name)
    }

    /// Returns the address of a place.
    #[must_use]
    pub fn address_of(&self, place: Place) -> u64 {
        match place {
            Place::Code(at) => self.at.code.wrapping_add(u64::from(at)),
            Place::Ram(at) => self.at.ram.wrapping_add(u64::from(at)),
        }
    }

    /// Returns the addresses of the functions to call before any other, in their order.
    pub fn initialisers(&self) -> impl Iterator<Item = u64> + use<'a> {
        self.functions(0, self.image.header.initialisers)
    }

    /// Returns the addresses of the functions to call at the end, in their order.
    pub fn finalisers(&self) -> impl Iterator<Item = u64> + use<'a> {
        self.functions(self.image.header.initialisers, self.image.header.finalisers)
    }

    fn functions(&self, first: u32, count: u32) -> impl Iterator<Item = u64> + use<'a> {
        let loaded = *self;
        (0..count).map(move |number| {
            loaded.address_of(Place::Code(loaded.image.function(first + number)))
        })
    }
}
