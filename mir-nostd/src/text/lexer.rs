//! The lexer: bytes to tokens. `docs/reference/text.md` has the grammar.

use super::symbols::{Symbol, Symbols};
use crate::ir::Problem;
use crate::mem::{OutOfMemory, Vec};

/// A problem and its span in the source, in bytes from the start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fault {
    pub(super) problem: Problem,
    pub(super) start: u32,
    pub(super) len: u32,
}

impl From<OutOfMemory> for Fault {
    fn from(_: OutOfMemory) -> Fault {
        Fault {
            problem: Problem::OutOfMemory,
            start: 0,
            len: 0,
        }
    }
}

/// The type of a floating literal, by its suffix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Suffix {
    Float,
    Double,
    LongDouble,
}

/// A token. It is small enough to be passed in a register; the lexer keeps the rest of its value
/// until the next token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token {
    Name(Symbol),
    /// A sign directly before a name; `true` is minus.
    SignedName(bool, Symbol),
    /// An integer; [`Lexer::int`] returns its value.
    Int,
    /// A floating literal; [`Lexer::real_text`] returns its digits.
    Real(Suffix),
    /// A string; [`Lexer::string`] returns its bytes, terminated.
    Str,
    Colon,
    Comma,
    Open,
    Close,
    Semicolon,
    Newline,
    End,
    /// A token that could not be read: its fault is kept.
    Bad,
}

/// The class of a byte at the beginning of a token.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Class {
    Bad,
    Blank,
    Letter,
    Digit,
    Sign,
    Quote,
    Comment,
    Colon,
    Comma,
    Open,
    Close,
    Semicolon,
    Newline,
    End,
}

static CLASS: [Class; 256] = {
    let mut class = [Class::Bad; 256];
    let mut byte = 0;
    while byte < 256 {
        class[byte] = match byte as u8 {
            b' ' | b'\t' | b'\r' => Class::Blank,
            b'0'..=b'9' => Class::Digit,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | b'%' | b'.' => Class::Letter,
            b'+' | b'-' => Class::Sign,
            b'"' => Class::Quote,
            b'#' => Class::Comment,
            b':' => Class::Colon,
            b',' => Class::Comma,
            b'(' => Class::Open,
            b')' => Class::Close,
            b';' => Class::Semicolon,
            b'\n' => Class::Newline,
            0 => Class::End,
            _ => Class::Bad,
        };
        byte += 1;
    }
    class
};

fn in_name(byte: u8) -> bool {
    matches!(CLASS[usize::from(byte)], Class::Letter | Class::Digit)
}

fn name_len(text: &[u8]) -> usize {
    let end = text.iter().position(|&byte| !in_name(byte));
    end.unwrap_or(text.len())
}

/// Returns the length of the name that begins here, 8 if it is longer; the first byte is the
/// lowest. Names are short, and branch prediction cannot guess their lengths: this takes no branch,
/// as it looks at all bytes at once.
fn short_name_len(bytes: u64) -> u32 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * EACH;
    let ascii = bytes & !HIGH;
    // The high bit of each byte is set if the byte is at least `low`, but not above `high`.
    let within = |bytes: u64, low: u8, high: u8| {
        let at_least = bytes + (0x80 - u64::from(low)) * EACH;
        let above = bytes + (0x7F - u64::from(high)) * EACH;
        at_least & !above
    };
    let in_name = within(ascii | (0x20 * EACH), b'a', b'z')
        | within(ascii, b'0', b'9')
        | within(ascii, b'_', b'_')
        | within(ascii, b'.', b'.')
        | within(ascii, b'$', b'%');
    let ends = (!in_name | bytes) & HIGH;
    ends.trailing_zeros() / 8
}

/// The lexer, which reads tokens one after the other. A NUL, which would end the text in C, is
/// refused.
pub(super) struct Lexer<'s, 'm> {
    source: &'s [u8],
    /// The position where the next token is looked for.
    at: usize,
    /// The start of the last token.
    start: usize,
    /// The end of the token before it.
    end: usize,
    /// The fault of the last token that could not be read.
    bad: Option<Fault>,
    pub(super) symbols: Symbols<'s, 'm>,
    /// The first warning of the statement.
    pub(super) warning: Option<Fault>,
    /// The value of the last integer.
    int: i64,
    /// The bytes of the last string, or the digits of the last floating literal with `_` in it.
    bytes: Vec<'m, u8>,
}

impl<'s, 'm> Lexer<'s, 'm> {
    /// Makes a lexer at the start of `source`, which is shorter than 4 GiB.
    pub(super) fn new(source: &'s [u8], symbols: Symbols<'s, 'm>, bytes: Vec<'m, u8>) -> Self {
        Lexer {
            source,
            at: 0,
            start: 0,
            end: 0,
            bad: None,
            warning: None,
            symbols,
            int: 0,
            bytes,
        }
    }

    /// Returns the start of the last token.
    pub(super) fn start(&self) -> u32 {
        self.start as u32
    }

    /// Returns the end of the token before the last one.
    pub(super) fn end_of_previous(&self) -> u32 {
        self.end as u32
    }

    /// Returns the fault of an unexpected token; that of the token itself if it could not be read.
    #[cold]
    pub(super) fn fault(&self, token: Token, problem: Problem) -> Fault {
        match (token, self.bad) {
            (Token::Bad, Some(bad)) => bad,
            _ => self.here(problem),
        }
    }

    /// Notes a warning at the last token, if it is the statement's first.
    #[cold]
    pub(super) fn warn(&mut self, problem: Problem) {
        let fault = self.here(problem);
        self.warning.get_or_insert(fault);
    }

    /// Returns a fault at the last token; at the end of a line, at the point after the token
    /// before.
    #[cold]
    pub(super) fn here(&self, problem: Problem) -> Fault {
        let (start, end) = match self.source.get(self.start) {
            Some(b'\n') | None => (self.end, self.end),
            _ => (self.start, self.at),
        };
        Fault {
            problem,
            start: start as u32,
            len: end.saturating_sub(start) as u32,
        }
    }

    /// Skips to the end of the line, before its newline.
    pub(super) fn skip_line(&mut self) {
        let rest = self.source.get(self.at..).unwrap_or_default();
        let newline = rest.iter().position(|&byte| byte == b'\n');
        self.at += newline.unwrap_or(rest.len());
    }

    /// Reads a comment with the newline after it.
    fn comment(&mut self) -> Result<Token, Fault> {
        let rest = self.source.get(self.at..).unwrap_or_default();
        let ends = |byte: &u8| matches!(byte, b'\n' | 0);
        self.at += rest.iter().position(ends).unwrap_or(rest.len());
        self.start = self.at;
        match self.peek() {
            b'\n' => Ok(self.punctuation(Token::Newline)),
            _ => self.end_or_nul(),
        }
    }

    /// Returns the end of the text, or the fault of a NUL in it.
    fn end_or_nul(&mut self) -> Result<Token, Fault> {
        if self.at >= self.source.len() {
            return Ok(Token::End);
        }
        Err(self.nul())
    }

    #[cold]
    fn nul(&mut self) -> Fault {
        (self.start, self.at) = (self.at, self.at + 1);
        self.here(Problem::NulByte)
    }

    fn peek(&self) -> u8 {
        self.source.get(self.at).copied().unwrap_or(0)
    }

    /// Returns the next token. A token that cannot be read is [`Token::Bad`]; [`Lexer::fault`] says
    /// why.
    pub(super) fn next(&mut self) -> Token {
        self.end = self.at;
        let mut byte = self.peek();
        while matches!(byte, b' ' | b'\t' | b'\r') {
            self.at += 1;
            byte = self.peek();
        }
        self.start = self.at;
        match CLASS[usize::from(byte)] {
            Class::Letter => self.named(),
            Class::Comma => self.punctuation(Token::Comma),
            Class::Newline => self.punctuation(Token::Newline),
            Class::Colon => self.punctuation(Token::Colon),
            Class::Open => self.punctuation(Token::Open),
            Class::Close => self.punctuation(Token::Close),
            Class::Semicolon => self.punctuation(Token::Semicolon),
            class => self.rare(class),
        }
    }

    fn punctuation(&mut self, token: Token) -> Token {
        self.at += 1;
        token
    }

    fn named(&mut self) -> Token {
        match self.name() {
            Ok(symbol) => Token::Name(symbol),
            Err(error) => self.bad(error.into()),
        }
    }

    #[inline(never)]
    fn rare(&mut self, class: Class) -> Token {
        let token = match class {
            Class::Digit => self.number(false, self.at),
            Class::Sign => self.signed(self.peek() == b'-'),
            Class::Quote => self.quoted(),
            Class::End => self.end_or_nul(),
            Class::Comment => self.comment(),
            _ => {
                self.at += 1;
                Err(self.here(Problem::UnknownByte))
            }
        };
        token.unwrap_or_else(|fault| self.bad(fault))
    }

    #[cold]
    fn bad(&mut self, fault: Fault) -> Token {
        self.bad = Some(fault);
        Token::Bad
    }

    fn name(&mut self) -> Result<Symbol, OutOfMemory> {
        let rest = self.source.get(self.at..).unwrap_or_default();
        let (head, len) = match rest.first_chunk::<8>() {
            Some(&chunk) => {
                let bytes = u64::from_le_bytes(chunk);
                match short_name_len(bytes) {
                    8 => (bytes, name_len(rest)),
                    len => (bytes & ((1 << (8 * len)) - 1), len as usize),
                }
            }
            None => {
                let len = name_len(rest);
                (
                    super::symbols::head(rest.get(..len).unwrap_or_default()),
                    len,
                )
            }
        };
        self.at += len;
        self.symbols
            .symbol(head, rest.get(..len).unwrap_or_default())
    }

    #[cold]
    fn missing_number(&mut self) -> Fault {
        self.at += 1;
        self.here(Problem::NumberAfterSign)
    }

    fn signed(&mut self, negative: bool) -> Result<Token, Fault> {
        let digits = self.at + 1;
        match self
            .source
            .get(digits)
            .map(|&byte| CLASS[usize::from(byte)])
        {
            Some(Class::Digit) => self.number(negative, digits),
            Some(Class::Letter) => {
                self.at = digits;
                Ok(Token::SignedName(negative, self.name()?))
            }
            _ => Err(self.missing_number()),
        }
    }

    // ---- numbers

    /// Returns the value of the last integer.
    pub(super) fn int(&self) -> i64 {
        self.int
    }

    /// Skips digits and `_`; returns whether there was a digit.
    fn skip_digits(&mut self, is_digit: impl Fn(u8) -> bool) -> bool {
        let mut any = false;
        loop {
            let byte = self.peek();
            if is_digit(byte) {
                any = true;
            } else if byte != b'_' {
                return any;
            }
            self.at += 1;
        }
    }

    /// Reads a number whose first digit is at `digits`.
    fn number(&mut self, negative: bool, digits: usize) -> Result<Token, Fault> {
        self.at = digits;
        let mut value = 0_u64;
        let is_decimal = self.peek() != b'0';
        while self.peek().is_ascii_digit() && self.at - digits < 18 {
            value = value * 10 + u64::from(self.peek() - b'0');
            self.at += 1;
        }
        let next = self.peek();
        if !is_decimal || in_name(next) {
            self.at = digits;
            return self.unusual_number(negative, digits);
        }
        let value = value as i64;
        self.int = if negative { -value } else { value };
        Ok(Token::Int)
    }

    /// Reads a number that is no short decimal integer.
    fn unusual_number(&mut self, negative: bool, digits: usize) -> Result<Token, Fault> {
        if self.peek() == b'0' && matches!(self.source.get(digits + 1), Some(b'x' | b'X')) {
            return self.hexadecimal(negative, digits + 2);
        }
        self.skip_digits(|byte| byte.is_ascii_digit());
        if matches!(self.peek(), b'.' | b'e' | b'E') {
            return self.real();
        }
        let base = if self.source.get(digits) == Some(&b'0') {
            8
        } else {
            10
        };
        self.check_end(if matches!(self.peek(), b'f' | b'F' | b'l' | b'L') {
            Problem::IntegerSuffix
        } else {
            Problem::NumberEnd
        })?;
        let text = self.source.get(digits..self.at).unwrap_or_default();
        self.integer(negative, text, base)
    }

    fn hexadecimal(&mut self, negative: bool, digits: usize) -> Result<Token, Fault> {
        self.at = digits;
        if !self.skip_digits(|byte| byte.is_ascii_hexdigit()) {
            return Err(self.here(Problem::HexDigits));
        }
        if self.peek() == b'.' {
            self.at += 1;
            return Err(self.here(Problem::HexReal));
        }
        self.check_end(Problem::NumberEnd)?;
        let text = self.source.get(digits..self.at).unwrap_or_default();
        self.integer(negative, text, 16)
    }

    /// Returns the value of digits and `_`; a value that is too large becomes the largest one, as
    /// by C's `strtoul`.
    fn integer(&mut self, negative: bool, text: &[u8], base: u32) -> Result<Token, Fault> {
        let mut value = Some(0_u64);
        for &byte in text.iter().filter(|&&byte| byte != b'_') {
            let Some(digit) = char::from(byte).to_digit(base) else {
                return Err(self.here(Problem::OctalDigit));
            };
            value = value
                .and_then(|value| value.checked_mul(u64::from(base)))
                .and_then(|value| value.checked_add(u64::from(digit)));
        }
        self.int = match value {
            None => {
                self.warn(Problem::IntegerTooLarge);
                -1
            }
            Some(value) if negative => (value as i64).wrapping_neg(),
            Some(value) => value as i64,
        };
        Ok(Token::Int)
    }

    /// Checks that no character of a name follows a number.
    fn check_end(&mut self, problem: Problem) -> Result<(), Fault> {
        if !in_name(self.peek()) {
            return Ok(());
        }
        while in_name(self.peek()) {
            self.at += 1;
        }
        Err(self.here(problem))
    }

    /// Reads the rest of a floating literal, from its point or exponent on.
    fn real(&mut self) -> Result<Token, Fault> {
        if self.peek() == b'.' {
            self.at += 1;
            self.skip_digits(|byte| byte.is_ascii_digit());
        }
        if matches!(self.peek(), b'e' | b'E') {
            self.at += 1;
            if matches!(self.peek(), b'+' | b'-') {
                self.at += 1;
            }
            if !self.skip_digits(|byte| byte.is_ascii_digit()) {
                return Err(self.here(Problem::ExponentDigits));
            }
        }
        let suffix = self.suffix();
        self.check_end(Problem::NumberEnd)?;
        Ok(Token::Real(suffix))
    }

    /// Takes the suffix that says a floating literal's type, if there is one.
    pub(super) fn suffix(&mut self) -> Suffix {
        let suffix = match self.peek() {
            b'f' | b'F' => Suffix::Float,
            b'l' | b'L' => Suffix::LongDouble,
            _ => return Suffix::Double,
        };
        self.at += 1;
        suffix
    }

    /// Returns the sign, digits and exponent of the last floating literal.
    pub(super) fn real_text(&mut self) -> Result<&[u8], OutOfMemory> {
        let text = self.source.get(self.start..self.at).unwrap_or_default();
        let text = text
            .strip_suffix(b"f")
            .or(text.strip_suffix(b"F"))
            .or(text.strip_suffix(b"l"))
            .or(text.strip_suffix(b"L"))
            .unwrap_or(text);
        if !text.contains(&b'_') {
            return Ok(text);
        }
        self.bytes.clear();
        for part in text.split(|&byte| byte == b'_') {
            self.bytes.extend_from_slice(part)?;
        }
        Ok(&self.bytes)
    }

    /// Reads `0xBITS)` after the parenthesis of `nan(`, then the suffix.
    pub(super) fn nan_bits(&mut self) -> Result<(u128, Suffix), Fault> {
        let wrong = Problem::NanBits;
        let rest = self.source.get(self.at..).unwrap_or_default();
        let digits = rest
            .strip_prefix(b"0x")
            .or(rest.strip_prefix(b"0X"))
            .ok_or_else(|| self.here(wrong))?;
        let len = digits
            .iter()
            .position(|byte| !byte.is_ascii_hexdigit())
            .unwrap_or(digits.len());
        let text = digits.get(..len).and_then(|text| str::from_utf8(text).ok());
        let bits = text.and_then(|text| u128::from_str_radix(text, 16).ok());
        self.at += 2 + len;
        match (bits, self.peek()) {
            (Some(bits), b')') => {
                self.at += 1;
                Ok((bits, self.suffix()))
            }
            _ => Err(self.here(wrong)),
        }
    }

    // ---- strings

    /// Returns the bytes of the last string, with the NUL that it ends in unless it is empty.
    pub(super) fn string(&self) -> &[u8] {
        &self.bytes
    }

    fn quoted(&mut self) -> Result<Token, Fault> {
        self.bytes.clear();
        self.at += 1;
        loop {
            let rest = self.source.get(self.at..).unwrap_or_default();
            let special = |byte: &u8| matches!(byte, b'"' | b'\\' | b'\n' | 0);
            let plain = rest.iter().position(special).unwrap_or(rest.len());
            self.bytes
                .extend_from_slice(rest.get(..plain).unwrap_or_default())?;
            self.at += plain;
            match self.peek() {
                b'"' => break,
                b'\\' => self.escape()?,
                0 if self.at < self.source.len() => return Err(self.nul()),
                _ => return Err(self.here(Problem::UnfinishedString)),
            }
        }
        self.at += 1;
        if self.bytes.last().is_some_and(|&last| last != 0) {
            self.bytes.push(0)?;
        }
        Ok(Token::Str)
    }

    /// Reads an escape sequence and appends its byte.
    fn escape(&mut self) -> Result<(), Fault> {
        let [letter, rest @ ..] = self.source.get(self.at + 1..).unwrap_or_default() else {
            self.at += 1;
            return Err(self.here(Problem::UnfinishedString));
        };
        let (byte, len) = match letter {
            b'n' => (b'\n', 2),
            b't' => (b'\t', 2),
            b'v' => (0x0B, 2),
            b'a' => (0x07, 2),
            b'b' => (0x08, 2),
            b'r' => (b'\r', 2),
            b'f' => (0x0C, 2),
            b'0'..=b'7' => self.octal_escape(),
            b'x' => (self.hex_escape(rest)?, 4),
            b'\n' => return self.continue_line(2),
            b'\r' if rest.first() == Some(&b'\n') => return self.continue_line(3),
            0 => {
                self.at += 1;
                return Err(self.nul());
            }
            other => (*other, 2),
        };
        self.bytes.push(byte)?;
        self.at += len;
        Ok(())
    }

    fn continue_line(&mut self, len: usize) -> Result<(), Fault> {
        self.at += len;
        Ok(())
    }

    fn octal_escape(&self) -> (u8, usize) {
        let digits = self.source.get(self.at + 1..).unwrap_or_default();
        let digits = digits
            .iter()
            .take(3)
            .take_while(|byte| (b'0'..=b'7').contains(byte));
        digits.fold((0_u8, 1), |(value, len), digit| {
            (value.wrapping_mul(8).wrapping_add(digit - b'0'), len + 1)
        })
    }

    fn hex_escape(&mut self, digits: &[u8]) -> Result<u8, Fault> {
        let digit = |index: usize| char::from(*digits.get(index)?).to_digit(16);
        match (digit(0), digit(1)) {
            (Some(high), Some(low)) => Ok((high * 16 + low) as u8),
            _ => {
                self.start = self.at;
                self.at += 2;
                Err(self.here(Problem::HexEscape))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bytes_of_a_name_are_looked_at_alike() {
        for byte in 0..=255_u8 {
            for place in 0..8 {
                let mut bytes = *b"aZ09_.$%";
                bytes[place] = byte;
                let len = if in_name(byte) { 8 } else { place };
                assert_eq!(short_name_len(u64::from_le_bytes(bytes)) as usize, len);
                assert_eq!(name_len(&bytes), len);
            }
        }
    }
}
