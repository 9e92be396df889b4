//! The loader of images: programs in Medium IR that `mir image` compiled and linked on another
//! machine, for devices that have no room for a compiler.
//!
//! An image has code that runs wherever it lies (in flash, say), the initial contents of the memory
//! that the program wants, the names and signatures of what it imports and exports, and the words
//! of its memory that hold addresses. [`Image::parse`] checks all of it, every offset and count
//! before it is used; [`Image::load`] fills in the memory. Neither allocates, panics or has unsafe
//! code: to call what was loaded is up to the embedder, who vouches for the program. The format is
//! described in `docs/images.md`.
//!
//! Programs that are confined run within memory that they are lent, whatever they do; the feature
//! `confined` has `Image::load_confined` for them, and with it unsafe code.
//!
//! A signature is checked by a function of the embedder's, or with the feature `ed25519` by
//! `Image::is_signed_by`.
//!
//! ```
//! use mir_image::{Addresses, Error, Image, Machine};
//!
//! /// A function that checks a signature of bytes.
//! type Check = fn(&[u8], &[u8; 64]) -> bool;
//!
//! /// Loads an image that lies where its code can run, into memory at the distance from it that
//! /// the image was made for; returns the address of `main`.
//! fn load(flash: &[u8], ram: &mut [u8], is_ours: Check) -> Result<Option<u64>, Error> {
//!     let image = Image::parse(flash, Machine::Riscv64)?;
//!     if !is_ours(image.signed(), image.signature()) {
//!         return Ok(None);
//!     }
//!     let at = Addresses {
//!         code: image.code().as_ptr().expose_provenance() as u64,
//!         ram: ram.as_ptr().expose_provenance() as u64,
//!     };
//!     let loaded = image.load(ram, at, &mut |import| match (import.name, import.signature) {
//!         (b"putchar", b"i32(i32)") => Some(0x8000_1000),
//!         _ => None,
//!     })?;
//!     Ok(loaded.address(b"main"))
//! }
//! assert_eq!(load(b"no image", &mut [], |_, _| true), Err(Error::NotAnImage));
//! ```
#![no_std]
#![cfg_attr(not(feature = "confined"), forbid(unsafe_code))]
#![deny(unsafe_code)]

#[cfg(feature = "confined")]
mod confined;
#[cfg(feature = "confined")]
mod gate;
mod header;
mod load;
#[cfg(feature = "confined")]
mod memory;
mod tables;
#[cfg(feature = "confined")]
mod windows;

#[cfg(feature = "confined")]
pub use confined::{Budget, Confined, FIRST_ADDRESS, Fault, Reason, Word};
pub use header::{Header, Limits, hash};
pub use load::{Addresses, Loaded};
#[cfg(feature = "confined")]
pub use memory::{CALL_FAILED, MOST_CALLS_BACK, Memory, NO_FAULT};
pub use tables::{Export, Import, Place};
#[cfg(feature = "confined")]
pub use windows::{FIRST_WINDOW, MOST_WINDOWS, Window};

use core::fmt;

/// The architecture that the code of an image is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Machine {
    /// x86-64 with the System V ABI.
    X86_64,
    /// 64-bit Arm, little-endian.
    Aarch64,
    /// 64-bit Power, little-endian, ELF ABI version 2.
    Ppc64le,
    /// 64-bit RISC-V, LP64D.
    Riscv64,
    /// z/Architecture, big-endian.
    S390x,
}

impl Machine {
    /// All machines.
    pub const ALL: [Machine; 5] = [
        Machine::X86_64,
        Machine::Aarch64,
        Machine::Ppc64le,
        Machine::Riscv64,
        Machine::S390x,
    ];

    /// The machine that this crate is compiled for, if it is one of these.
    pub const HERE: Option<Machine> = if cfg!(target_arch = "x86_64") {
        Some(Machine::X86_64)
    } else if cfg!(target_arch = "aarch64") {
        Some(Machine::Aarch64)
    } else if cfg!(all(target_arch = "powerpc64", target_endian = "little")) {
        Some(Machine::Ppc64le)
    } else if cfg!(target_arch = "riscv64") {
        Some(Machine::Riscv64)
    } else if cfg!(target_arch = "s390x") {
        Some(Machine::S390x)
    } else {
        None
    };

    /// Returns the number that stands for it in an image: that of ELF files.
    #[must_use]
    pub const fn number(self) -> u32 {
        match self {
            Machine::X86_64 => 62,
            Machine::Aarch64 => 183,
            Machine::Ppc64le => 21,
            Machine::Riscv64 => 243,
            Machine::S390x => 22,
        }
    }

    /// Returns whether words of memory begin with their highest byte.
    #[must_use]
    pub const fn is_big_endian(self) -> bool {
        matches!(self, Machine::S390x)
    }
}

/// The reason why an image is not loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Error {
    /// The bytes do not begin as an image does.
    NotAnImage,
    /// The image is of another version of the format, or has limits that this version lacks.
    Version,
    /// The image is for another machine.
    Machine,
    /// The bytes are fewer than the image says that it has.
    Truncated,
    /// The hash of the image is not that of its bytes.
    Damaged,
    /// An offset, a count or a name leads out of the image or of the program's memory.
    Malformed,
    /// The code does not lie at a multiple of its alignment.
    CodeAddress,
    /// The memory does not lie at the distance from the code that the image was made for, or the
    /// memory of a confined program does not lie at a multiple of 8.
    RamAddress,
    /// The memory is too small.
    RamSize,
    /// The import of this number was not found, with its signature.
    Import(u32),
    /// The program is confined: `Image::load_confined` loads it.
    Confined,
    /// The program is not confined: [`Image::load`] loads it.
    NotConfined,
    /// A window is granted to a program that was made without, lies below 2^33 or beyond the last
    /// address, or is one too many.
    Window,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Error::NotAnImage => "this is not an image",
            Error::Version => "the image is of another version, or has limits that this lacks",
            Error::Machine => "the image is for another machine",
            Error::Truncated => "the image is cut off",
            Error::Damaged => "the hash of the image is not that of its bytes",
            Error::Malformed => "the image contradicts itself",
            Error::CodeAddress => "the code does not lie at a multiple of its alignment",
            Error::RamAddress => {
                "the memory lies at another distance from the code, or is not aligned"
            }
            Error::RamSize => "the memory is too small for the program",
            Error::Confined => "the program is confined, and to be loaded so",
            Error::NotConfined => "the program is not confined",
            Error::Window => {
                "windows lie from 2^33 on, are at most 8, and in a program that was made for them"
            }
            Error::Import(number) => return write!(f, "import {number} was not found"),
        })
    }
}

impl core::error::Error for Error {}

/// An image whose every offset, count and name was checked.
#[derive(Clone, Copy, Debug)]
pub struct Image<'a> {
    /// All of its bytes and no more.
    bytes: &'a [u8],
    header: Header,
    machine: Machine,
    offsets: tables::Offsets,
}

impl<'a> Image<'a> {
    /// Checks an image for a machine; more bytes may follow it.
    ///
    /// # Errors
    ///
    /// The bytes are not such an image, or not as they were written.
    pub fn parse(bytes: &'a [u8], machine: Machine) -> Result<Image<'a>, Error> {
        let header = Header::read(bytes)?;
        if header.machine != machine.number() {
            return Err(Error::Machine);
        }
        let size = header.size as usize;
        let bytes = bytes.get(..size).ok_or(Error::Truncated)?;
        if header.hash != hash(bytes) {
            return Err(Error::Damaged);
        }
        let image = Image {
            bytes,
            header,
            machine,
            offsets: header.offsets().ok_or(Error::Malformed)?,
        };
        image.check().ok_or(Error::Malformed)?;
        Ok(image)
    }

    /// Returns the facts at the start of the image.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the code and its constants. They run where they lie, or in a copy, at a multiple of
    /// [`Header::code_align`].
    #[must_use]
    pub fn code(&self) -> &'a [u8] {
        self.part(self.header.code, self.header.code_size)
    }

    /// Returns the bytes that a signature is over: everything but what stands before them, which is
    /// a mark, the hash of these bytes, and the signature.
    #[must_use]
    pub fn signed(&self) -> &'a [u8] {
        self.bytes.get(header::SIGNED_FROM..).unwrap_or(&[])
    }

    /// Returns the signature; zeros if there is none.
    #[must_use]
    pub fn signature(&self) -> &'a [u8; 64] {
        let found = self.bytes.get(header::SIGNATURE_AT..header::SIGNED_FROM);
        found
            .and_then(|found| found.try_into().ok())
            .unwrap_or(&[0; 64])
    }

    /// Returns whether the image is signed with Ed25519 (RFC 8032) by the holder of the secret key
    /// to this public one; false also if that is no key. It takes about a millisecond and a few
    /// kilobytes of stack, and the code of this check is larger than the rest of the loader.
    ///
    /// ```
    /// use mir_image::{Error, Image, Machine};
    ///
    /// fn is_ours(flash: &[u8], key: &[u8; 32]) -> Result<bool, Error> {
    ///     Ok(Image::parse(flash, Machine::Riscv64)?.is_signed_by(key))
    /// }
    /// assert_eq!(is_ours(b"no image", &[0; 32]), Err(Error::NotAnImage));
    /// ```
    #[cfg(feature = "ed25519")]
    #[must_use]
    pub fn is_signed_by(&self, key: &[u8; 32]) -> bool {
        let key = ed25519_compact::PublicKey::new(*key);
        let signature = ed25519_compact::Signature::new(*self.signature());
        key.verify(self.signed(), &signature).is_ok()
    }

    /// Returns some of the bytes; none if they are not there.
    fn part(&self, at: u32, size: u32) -> &'a [u8] {
        let rest = self.bytes.get(at as usize..).unwrap_or(&[]);
        rest.get(..size as usize).unwrap_or(&[])
    }
}
