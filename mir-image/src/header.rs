//! The facts at the start of an image. All numbers are little-endian, on every machine.

use crate::Error;
use twox_hash::XxHash64;

/// The first bytes of every image.
const MAGIC: [u8; 8] = *b"\x89MIRIMG\n";

/// The version of the format.
const VERSION: u32 = 3;

const HASH_AT: usize = 8;
pub(crate) const SIGNATURE_AT: usize = 16;
pub(crate) const SIGNED_FROM: usize = 80;

/// The number of 32-bit numbers from [`SIGNED_FROM`] on.
const NUMBERS: usize = 21;

/// The limits that the code of an image keeps by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits(pub u32);

impl Limits {
    /// The code charges fuel and ends when there is none left.
    pub const FUEL: Limits = Limits(1);
    /// The code checks that the stack suffices.
    pub const STACK: Limits = Limits(2);
    /// The program is confined to its own memory, and keeps both other limits.
    pub const CONFINED: Limits = Limits(4);

    /// The confined program may have windows, beside its memory.
    pub const WINDOWS: Limits = Limits(8);

    /// All limits that every confined program keeps.
    pub(crate) const ALL: Limits = Limits(Limits::FUEL.0 | Limits::STACK.0 | Limits::CONFINED.0);

    /// Returns whether all of these limits are kept.
    #[must_use]
    pub const fn has(self, limits: Limits) -> bool {
        self.0 & limits.0 == limits.0
    }
}

/// The facts at the start of an image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// The hash of what is signed: XXH64 with seed 0.
    pub hash: u64,
    /// The number of the machine, as in ELF files.
    pub machine: u32,
    /// The limits that the code keeps.
    pub limits: Limits,
    /// The bytes of the image.
    pub size: u32,
    /// The alignment of the code, a power of two.
    pub code_align: u32,
    /// The offset of the code in the image.
    pub code: u32,
    /// The bytes of the code and its constants.
    pub code_size: u32,
    /// The offset in the image of the data that are copied to the program's memory, after a word
    /// for each import.
    pub data: u32,
    /// The bytes of those data.
    pub data_size: u32,
    /// The bytes of the program's memory; zeros follow the data.
    pub ram_size: u32,
    /// The distance from the first byte of the code to the first byte of the program's memory.
    pub distance: i64,
    /// The number of imports.
    pub imports: u32,
    /// The number of exports.
    pub exports: u32,
    /// The number of words in the program's memory to which an address is added.
    pub fixups: u32,
    /// The number of functions to call before any other.
    pub initialisers: u32,
    /// The number of functions to call at the end.
    pub finalisers: u32,
    /// The bytes of all names and signatures.
    pub names_size: u32,
    /// The offset in the program's memory of that which a confined program is confined to: it is
    /// the rest; 0 in other images.
    pub memory: u32,
    /// The offset in the program's memory of the table of functions of a confined program, and of
    /// how each is called right after it; 0 in other images.
    pub functions: u32,
    /// The number of functions in that table.
    pub function_count: u32,
}

/// Returns the hash of the signed bytes of an image.
#[must_use]
pub fn hash(image: &[u8]) -> u64 {
    XxHash64::oneshot(0, image.get(SIGNED_FROM..).unwrap_or(&[]))
}

/// Returns the 32-bit number at an offset; 0 after the end. It is one function, as devices that
/// load bytes one by one take many instructions for it.
#[inline(never)]
pub(crate) fn number(bytes: &[u8], at: usize) -> u32 {
    let rest = bytes.get(at..).unwrap_or(&[]);
    rest.first_chunk()
        .map_or(0, |word| u32::from_le_bytes(*word))
}

/// Returns the 64-bit number at an offset; 0 after the end.
pub(crate) fn long(bytes: &[u8], at: usize) -> u64 {
    let rest = bytes.get(at..).unwrap_or(&[]);
    rest.first_chunk()
        .map_or(0, |word| u64::from_le_bytes(*word))
}

impl Header {
    /// The bytes of the header.
    pub const SIZE: usize = SIGNED_FROM + 4 * NUMBERS;

    /// Reads the start of an image.
    pub(crate) fn read(bytes: &[u8]) -> Result<Header, Error> {
        if bytes.get(..MAGIC.len()) != Some(&MAGIC[..]) {
            return Err(Error::NotAnImage);
        }
        if bytes.len() < Header::SIZE {
            return Err(Error::Truncated);
        }
        let word = |place: usize| number(bytes, SIGNED_FROM + 4 * place);
        let limits = Limits(word(2));
        if word(0) != VERSION || limits.0 & !(Limits::ALL.0 | Limits::WINDOWS.0) != 0 {
            return Err(Error::Version);
        }
        Ok(Header {
            hash: long(bytes, HASH_AT),
            machine: word(1),
            limits,
            size: word(3),
            code_align: word(4),
            code: word(5),
            code_size: word(6),
            data: word(7),
            data_size: word(8),
            ram_size: word(9),
            distance: long(bytes, SIGNED_FROM + 40).cast_signed(),
            imports: word(12),
            exports: word(13),
            fixups: word(14),
            initialisers: word(15),
            finalisers: word(16),
            names_size: word(17),
            memory: word(18),
            functions: word(19),
            function_count: word(20),
        })
    }

    /// Returns the bytes of the header, without a signature.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Header::SIZE] {
        let distance = self.distance.cast_unsigned();
        let numbers: [u32; NUMBERS] = [
            VERSION,
            self.machine,
            self.limits.0,
            self.size,
            self.code_align,
            self.code,
            self.code_size,
            self.data,
            self.data_size,
            self.ram_size,
            distance as u32,
            (distance >> 32) as u32,
            self.imports,
            self.exports,
            self.fixups,
            self.initialisers,
            self.finalisers,
            self.names_size,
            self.memory,
            self.functions,
            self.function_count,
        ];
        let mut bytes = [0; Header::SIZE];
        let (head, rest) = bytes.split_at_mut(SIGNED_FROM);
        head[..MAGIC.len()].copy_from_slice(&MAGIC);
        head[HASH_AT..SIGNATURE_AT].copy_from_slice(&self.hash.to_le_bytes());
        for (place, number) in rest.chunks_exact_mut(4).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }
}
