//! The binary form: the packed container, reader, writer. `docs/reference/binary.md` describes it.
//!
//! Promises: any byte sequence yields modules or an error, never a panic; reading takes time and
//! memory in proportion to the unpacked size, for which the caller sets a limit; a file that was
//! altered is an error, and modules are only returned after the file's check value agreed. The
//! writer makes, for the same module, the bytes that the reference implementation makes.
//!
//! Errors in the container have the place [`Place::Byte`](crate::ir::Place::Byte), counted in the
//! file; errors in its contents have [`Place::Unpacked`](crate::ir::Place::Unpacked), counted in
//! the unpacked contents. The latter are only reported for a file whose check value agrees: the
//! contents of a damaged file tell nothing.
//!
//! ```
//! use mir_nostd::binary::{self, ReadOptions, WriteOptions};
//! use mir_nostd::ir::Module;
//! use mir_nostd::num::LongDoubleFormat;
//! # fn main() -> mir_nostd::ir::Result<()> {
//! # let system = testkit::SystemAllocator;
//! let mut module = Module::new(&system, b"m", LongDoubleFormat::Quad)?;
//! module.import(b"puts")?;
//! let mut file = binary::write(&[module], &system, &WriteOptions::new(false))?;
//! let modules = binary::read(&file, &system, &ReadOptions::new(LongDoubleFormat::Quad, false))?;
//! assert_eq!(modules[0].items().len(), 1);
//! file[9] ^= 1;
//! let other = ReadOptions::new(LongDoubleFormat::Quad, false);
//! assert!(binary::read(&file, &system, &other).is_err());
//! # Ok(()) }
//! ```

mod hash;
mod labels;
mod pack;
mod reader;
mod stream;
mod tokens;
mod unpack;
mod words;
mod writer;

pub use stream::{ByteSource, Sink, Source};

use crate::ir::{Module, Problem, Result};
use crate::mem::{Allocator, Vec};
use crate::num::LongDoubleFormat;
use pack::Packer;
use reader::Reader;
use tokens::Tokens;
use unpack::Unpacker;

/// The first bytes of a file.
const MAGIC: [u8; 3] = *b"MIR";
/// The version of files of programs that the C implementation reads; 0 is read as well.
const VERSION: u64 = 1;
/// The version of files of programs with instructions that it does not have.
const EXTENDED_VERSION: u64 = 2;
/// The check value of no blocks.
const CHECK_SEED: u64 = 42;
/// The maximum number of bytes of a block.
const BLOCK: usize = 1 << 18;
/// The maximum number of literal bytes of an element.
const LONGEST_RUN: usize = 2047;
/// The minimum number of bytes of a match.
const SHORTEST_MATCH: usize = 4;

/// Returns whether a file that begins with `bytes` is in the binary form rather than text.
///
/// ```
/// use mir_nostd::binary::is_binary;
/// assert!(is_binary(b"MIR\xE3\x9B"));
/// assert!(!is_binary(b"MIRROR: module"));
/// ```
#[must_use]
pub fn is_binary(bytes: &[u8]) -> bool {
    let in_text = |byte: u8| {
        byte.is_ascii_alphanumeric() || byte.is_ascii_whitespace() || b"_$%.:\x0B".contains(&byte)
    };
    match bytes.strip_prefix(&MAGIC) {
        Some([next, ..]) => !in_text(*next),
        _ => false,
    }
}

/// The facts that the reader needs and that the file does not contain.
#[derive(Clone, Copy, Debug)]
pub struct ReadOptions {
    /// The long double format of the target that the file was made for.
    pub long_double: LongDoubleFormat,
    /// True if that target is big-endian; long doubles are stored accordingly.
    pub big_endian: bool,
    /// The maximum number of unpacked bytes; values above 4 GiB have no effect.
    pub limit: u64,
}

impl ReadOptions {
    /// Makes options for files of a target with this long double format and byte order, of at most
    /// 256 MiB unpacked.
    #[must_use]
    pub const fn new(long_double: LongDoubleFormat, big_endian: bool) -> ReadOptions {
        ReadOptions {
            long_double,
            big_endian,
            limit: 1 << 28,
        }
    }
}

/// The options of the writer.
#[derive(Clone, Copy, Debug)]
pub struct WriteOptions {
    /// True if the target that the file is for is big-endian; long doubles are stored accordingly.
    pub big_endian: bool,
    /// True if repetitions are packed. Packing takes about 1 MB of tables while writing; without it
    /// files are larger, and every reader reads them.
    pub pack: bool,
}

impl WriteOptions {
    /// Makes options for a packed file, as the reference implementation writes it, for a target of
    /// this byte order.
    #[must_use]
    pub const fn new(big_endian: bool) -> WriteOptions {
        WriteOptions {
            big_endian,
            pack: true,
        }
    }
}

/// Reads the modules of a file.
///
/// # Errors
///
/// The file is damaged, or does not follow the format or the rules of items (see [`Module`]); out
/// of memory.
pub fn read<'m>(
    bytes: &[u8],
    allocator: &'m dyn Allocator,
    options: &ReadOptions,
) -> Result<Vec<'m, Module<'m>>> {
    read_from(bytes, allocator, options)
}

/// Reads the modules of a file from any source, up to its end.
///
/// # Errors
///
/// As [`read`].
pub fn read_from<'m, S: Source>(
    source: S,
    allocator: &'m dyn Allocator,
    options: &ReadOptions,
) -> Result<Vec<'m, Module<'m>>> {
    // Offsets and counts then fit in 32 bits.
    let limit = options.limit.min(u64::from(u32::MAX));
    let unpacker = Unpacker::new(source, limit, allocator)?;
    Reader::new(Tokens::new(unpacker), allocator, options).read()
}

/// Writes modules as a file.
///
/// # Errors
///
/// An item without a name is referred to, or a name has a NUL in it, which files cannot express;
/// out of memory.
pub fn write<'m>(
    modules: &[Module<'_>],
    allocator: &'m dyn Allocator,
    options: &WriteOptions,
) -> Result<Vec<'m, u8>> {
    let mut file = Vec::new(allocator);
    write_to(modules, &mut file, allocator, options)?;
    Ok(file)
}

/// Writes modules as a file to any sink; the memory for writing comes from `allocator`.
///
/// # Errors
///
/// As [`write()`]; the sink's own errors.
pub fn write_to<S: Sink>(
    modules: &[Module<'_>],
    sink: &mut S,
    allocator: &dyn Allocator,
    options: &WriteOptions,
) -> Result<()> {
    let mut packer = Packer::new(sink, options.pack, allocator)?;
    writer::write(modules, &mut packer, options.big_endian, allocator)?;
    packer.finish()
}
