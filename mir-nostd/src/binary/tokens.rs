//! Tokens: the tags of the stream, and reading one token after the other.
//! `docs/reference/binary.md` lists them.
//!
//! Promises: a token is whole and its tag valid, or there is an error; numbers are as written, not
//! yet checked against anything.

use super::stream::Source;
use super::unpack::{MARGIN, Unpacker};
use crate::ir::{Error, Place, Problem, Result, Type};
use crate::mem::Vec;

/// The first tags of the groups. Integers and numbers add their length less 1, types their number,
/// memory its parts.
pub(super) mod tag {
    pub(in super::super) const UNSIGNED: u8 = 1;
    pub(in super::super) const SIGNED: u8 = 9;
    pub(in super::super) const FLOAT: u8 = 17;
    pub(in super::super) const DOUBLE: u8 = 18;
    pub(in super::super) const LONG_DOUBLE: u8 = 19;
    pub(in super::super) const REG: u8 = 20;
    pub(in super::super) const NAME: u8 = 24;
    pub(in super::super) const STR: u8 = 28;
    pub(in super::super) const LABEL: u8 = 32;
    pub(in super::super) const MEM: u8 = 36;
    pub(in super::super) const TYPE: u8 = 43;
    pub(in super::super) const END_OF_GROUP: u8 = 61;
    pub(in super::super) const END_OF_FILE: u8 = 62;
    pub(in super::super) const MEM_ALIAS: u8 = 63;
    /// The first tag that is an unsigned integer itself.
    pub(in super::super) const SMALL: u8 = 128;
}

/// The parts of a memory operand for each of the seven tags of a group: displacement, base, index.
pub(super) const MEM_PARTS: [(bool, bool, bool); 7] = [
    (true, false, false),
    (false, true, false),
    (false, false, true),
    (true, true, false),
    (true, false, true),
    (false, true, true),
    (true, true, true),
];

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Kind {
    Unsigned,
    Signed,
    Float,
    Double,
    LongDouble,
    Reg,
    Name,
    Str,
    Label,
    Mem,
    Type,
    EndOfGroup,
    EndOfFile,
    /// No token: see [`Tokens::failure`].
    Invalid,
}

/// A token. Its payload is a little-endian number (for long double the first eight bytes).
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) tag: u8,
    pub(super) payload: u64,
}

/// The length up to which strings are copied as one piece of fixed size.
const FEW: usize = 16;

/// The kind of each tag, and the length of its payload.
static TAGS: [(Kind, u8); 256] = tags();

const fn tags() -> [(Kind, u8); 256] {
    let mut tags = [(Kind::Invalid, 0); 256];
    let mut number = tag::SMALL as usize;
    while number < tags.len() {
        tags[number].0 = Kind::Unsigned;
        number += 1;
    }
    number = 0;
    while number < 8 {
        tags[tag::UNSIGNED as usize + number] = (Kind::Unsigned, number as u8 + 1);
        tags[tag::SIGNED as usize + number] = (Kind::Signed, number as u8 + 1);
        number += 1;
    }
    tags[tag::FLOAT as usize] = (Kind::Float, 4);
    tags[tag::DOUBLE as usize] = (Kind::Double, 8);
    tags[tag::LONG_DOUBLE as usize] = (Kind::LongDouble, 16);
    number = 0;
    while number < 4 {
        tags[tag::REG as usize + number] = (Kind::Reg, number as u8 + 1);
        tags[tag::NAME as usize + number] = (Kind::Name, number as u8 + 1);
        tags[tag::STR as usize + number] = (Kind::Str, number as u8 + 1);
        tags[tag::LABEL as usize + number] = (Kind::Label, number as u8 + 1);
        number += 1;
    }
    number = 0;
    while number < MEM_PARTS.len() {
        tags[tag::MEM as usize + number].0 = Kind::Mem;
        tags[tag::MEM_ALIAS as usize + number].0 = Kind::Mem;
        number += 1;
    }
    number = 0;
    while number < Type::ALL.len() {
        tags[tag::TYPE as usize + number].0 = Kind::Type;
        number += 1;
    }
    tags[tag::END_OF_GROUP as usize].0 = Kind::EndOfGroup;
    tags[tag::END_OF_FILE as usize].0 = Kind::EndOfFile;
    tags
}

/// The tokens of a file.
pub(super) struct Tokens<'m, S> {
    unpacker: Unpacker<'m, S>,
    /// The start of the next token in the unpacker's bytes, at most `end`.
    at: usize,
    /// The end of the available data in the unpacker's bytes.
    end: usize,
    /// The start of the last token in the unpacker's bytes.
    start: usize,
    /// The error that kept the last token from being read.
    failure: Option<Error>,
}

impl<'m, S: Source> Tokens<'m, S> {
    pub(super) const fn new(unpacker: Unpacker<'m, S>) -> Tokens<'m, S> {
        Tokens {
            unpacker,
            at: 0,
            end: 0,
            start: 0,
            failure: None,
        }
    }

    /// Returns the number of unpacked bytes before `at`.
    const fn offset(&self, at: usize) -> u64 {
        self.unpacker.unpacked() + at as u64 - self.end as u64
    }

    /// Returns the place where the last token started.
    pub(super) fn place(&self) -> Place {
        Place::Unpacked(self.offset(self.start))
    }

    /// Returns the number of unpacked bytes that were read.
    pub(super) const fn bytes_read(&self) -> u64 {
        self.offset(self.at)
    }

    /// Returns the number of unpacked bytes that are in memory and not yet read.
    pub(super) const fn bytes_at_hand(&self) -> usize {
        self.end - self.at
    }

    /// Returns the error that kept the last token from being read; whatever else is wrong with
    /// that token is a consequence of it.
    pub(super) const fn failure(&self) -> Option<Error> {
        self.failure
    }

    /// Ensures that the next token is in the available bytes, unless the data ends within it.
    #[inline]
    fn ready(&mut self) {
        if self.end - self.at < MARGIN {
            self.refill();
        }
    }

    #[cold]
    fn refill(&mut self) {
        if self.failure.is_none() && !self.unpacker.is_at_end() {
            match self.unpacker.next_block(self.at..self.end) {
                Ok((at, end)) => (self.at, self.end) = (at, end),
                Err(error) => (self.at, self.failure) = (self.end, Some(error)),
            }
        }
    }

    /// Returns the next token; of kind [`Kind::Invalid`] if none can be read.
    pub(super) fn next(&mut self) -> Token {
        self.next_inlined()
    }

    /// Returns the next token as [`Tokens::next`] does, where that is called most.
    #[cfg_attr(not(small_code), inline(always))]
    pub(super) fn next_inlined(&mut self) -> Token {
        self.ready();
        self.start = self.at;
        let bytes = self.unpacker.bytes().get(self.at..);
        let Some(&[tag, ref payload @ ..]) = bytes.and_then(<[u8]>::first_chunk::<9>) else {
            return self.no_token();
        };
        let (kind, len) = TAGS[usize::from(tag)];
        self.at += 1 + usize::from(len);
        if self.at > self.end {
            return self.no_token();
        }
        // The payload of a token without one is its tag, of which the highest bit does not count.
        let payload = if tag >= tag::SMALL {
            u64::from(tag - tag::SMALL)
        } else {
            u64::from_le_bytes(*payload) & (u64::MAX >> (8_u8.wrapping_sub(len) % 8 * 8))
        };
        Token { kind, tag, payload }
    }

    #[cold]
    fn no_token(&mut self) -> Token {
        self.at = self.end;
        let unfinished = Error::at(Problem::Unfinished, self.place());
        self.failure.get_or_insert(unfinished);
        Token {
            kind: Kind::Invalid,
            tag: 0,
            payload: 0,
        }
    }

    /// Returns all bytes of the long double that was the last token.
    pub(super) fn long_double(&self) -> [u8; 16] {
        let bytes = self.unpacker.bytes().get(self.start + 1..);
        bytes
            .and_then(<[u8]>::first_chunk)
            .copied()
            .unwrap_or_default()
    }

    /// Returns the payload of the next token, which must be of a kind.
    #[inline(never)]
    fn payload_of(&mut self, kind: Kind, otherwise: Problem) -> Result<u64> {
        let token = self.next();
        if token.kind != kind {
            return Err(otherwise.into());
        }
        Ok(token.payload)
    }

    pub(super) fn unsigned(&mut self) -> Result<u64> {
        self.payload_of(Kind::Unsigned, Problem::NotUnsigned)
    }

    pub(super) fn signed(&mut self) -> Result<i64> {
        Ok(self.payload_of(Kind::Signed, Problem::NotSigned)? as i64)
    }

    /// Returns the string number of a register's name.
    pub(super) fn reg(&mut self) -> Result<u32> {
        Ok(self.payload_of(Kind::Reg, Problem::NotReg)? as u32)
    }

    /// Returns the string number of a name.
    pub(super) fn name(&mut self) -> Result<u32> {
        Ok(self.payload_of(Kind::Name, Problem::NotName)? as u32)
    }

    pub(super) fn ty(&mut self) -> Result<Type> {
        let token = self.next();
        Self::type_of(token)
    }

    /// Returns the type that a token denotes.
    pub(super) fn type_of(token: Token) -> Result<Type> {
        let ty = match token.kind {
            Kind::Type => Type::from_number(token.tag - tag::TYPE),
            _ => None,
        };
        Ok(ty.ok_or(Problem::NotType)?)
    }

    /// Appends the next `len` bytes to `to`.
    pub(super) fn bytes(&mut self, len: u64, to: &mut Vec<'_, u8>) -> Result<()> {
        if len <= FEW as u64
            && self.end - self.at >= FEW
            && let Some(few) = self.unpacker.bytes().get(self.at..)
            && let Some(few) = few.first_chunk::<FEW>()
        {
            self.at += len as usize;
            return Ok(to.extend_from_first(few, len as usize)?);
        }
        let mut left = len;
        while left > 0 {
            self.ready();
            let taken = left.min((self.end - self.at) as u64) as usize;
            if taken == 0 || self.failure.is_some() {
                self.start = self.at;
                return Err(Problem::Unfinished.into());
            }
            let bytes = self.unpacker.bytes().get(self.at..self.at + taken);
            to.extend_from_slice(bytes.unwrap_or_default())?;
            self.at += taken;
            left -= taken as u64;
        }
        Ok(())
    }

    /// Unpacks the rest and drops it, to see whether the file is whole.
    pub(super) fn drain(&mut self) -> Result<()> {
        while !self.unpacker.is_at_end() {
            self.unpacker.next_block(0..0)?;
        }
        Ok(())
    }
}
