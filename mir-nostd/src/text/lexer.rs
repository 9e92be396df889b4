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

/// Returns a number with the high bit of each byte set that ends a name, and of none that a name
/// can have; of all others, which no text has outside of strings and comments, some. Names are
/// short, and branch prediction cannot guess their lengths: this takes no branch, as it looks at
/// all bytes at once.
const fn name_ends(bytes: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * EACH;
    /// Returns the number whose sum with a byte has the high bit if the byte is at least `low`.
    const fn from(low: u8) -> u64 {
        (0x80 - low as u64) * EACH
    }
    let ascii = bytes & !HIGH;
    let digits_or_letters = (ascii + from(b'.')) & (!(ascii + from(b':')) | (ascii + from(b'<')));
    let dollar_or_percent = (ascii + from(b'$')) & !(ascii + from(b'&'));
    (!(digits_or_letters | dollar_or_percent) | bytes) & HIGH
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
        let class = self.begin_token();
        self.token(class)
    }

    /// Returns the next token like [`Lexer::next`], faster if it is a name.
    #[inline(always)]
    pub(super) fn next_name(&mut self) -> Token {
        match self.begin_token() {
            Class::Letter => self.name(),
            class => self.token(class),
        }
    }

    /// Returns the next token like [`Lexer::next`], faster if it is one of those that mostly follow
    /// names and numbers.
    #[inline(always)]
    pub(super) fn next_punctuation(&mut self) -> Token {
        let token = match self.peek() {
            b',' => Token::Comma,
            b'\n' => Token::Newline,
            b':' => Token::Colon,
            b')' => Token::Close,
            _ => return self.next(),
        };
        (self.end, self.start) = (self.at, self.at);
        self.punctuation(token)
    }

    /// Skips to the start of the next token, and returns the class of its first byte.
    #[inline(always)]
    fn begin_token(&mut self) -> Class {
        self.end = self.at;
        let mut class = CLASS[usize::from(self.peek())];
        while class == Class::Blank {
            self.at += 1;
            class = CLASS[usize::from(self.peek())];
        }
        self.start = self.at;
        class
    }

    /// Reads a token whose first byte is of this class.
    #[inline(never)]
    fn token(&mut self, class: Class) -> Token {
        match class {
            Class::Letter => self.name(),
            Class::Digit => self.number(false, self.at),
            Class::Comma => self.punctuation(Token::Comma),
            Class::Newline => self.punctuation(Token::Newline),
            Class::Colon => self.punctuation(Token::Colon),
            Class::Open => self.punctuation(Token::Open),
            Class::Close => self.punctuation(Token::Close),
            Class::Semicolon => self.punctuation(Token::Semicolon),
            Class::Sign => self.signed(self.peek() == b'-'),
            class => self.rare(class),
        }
    }

    fn punctuation(&mut self, token: Token) -> Token {
        self.at += 1;
        token
    }

    #[inline(never)]
    fn rare(&mut self, class: Class) -> Token {
        let token = match class {
            Class::Quote => self.quoted(),
            Class::End => self.end_or_nul(),
            Class::Comment => self.comment(),
            _ => {
                self.at += 1;
                Err(self.here(Problem::UnknownByte))
            }
        };
        self.or_bad(token)
    }

    /// Returns the token, [`Token::Bad`] if it could not be read.
    fn or_bad(&mut self, token: Result<Token, Fault>) -> Token {
        token.unwrap_or_else(|fault| self.bad(fault))
    }

    #[cold]
    fn bad(&mut self, fault: Fault) -> Token {
        self.bad = Some(fault);
        Token::Bad
    }

    /// Reads a name.
    #[inline(never)]
    fn name(&mut self) -> Token {
        let rest = self.source.get(self.at..).unwrap_or_default();
        if let Some(&chunk) = rest.first_chunk::<8>() {
            let bytes = u64::from_le_bytes(chunk);
            let ends = name_ends(bytes);
            let before_end = (ends ^ ends.wrapping_sub(1)) >> 8;
            if ends != 0
                && let Some(symbol) = self.symbols.short(bytes & before_end)
            {
                self.at += ends.trailing_zeros() as usize / 8;
                return Token::Name(symbol);
            }
        }
        self.long_or_new_name()
    }

    /// Reads a name that may be longer than seven bytes, or new.
    #[inline(never)]
    fn long_or_new_name(&mut self) -> Token {
        let rest = self.source.get(self.at..).unwrap_or_default();
        let text = rest.get(..name_len(rest)).unwrap_or_default();
        self.at += text.len();
        match self.symbols.symbol(text) {
            Ok(symbol) => Token::Name(symbol),
            Err(error) => self.bad(error.into()),
        }
    }

    #[cold]
    fn missing_number(&mut self) -> Token {
        self.at += 1;
        let fault = self.here(Problem::NumberAfterSign);
        self.bad(fault)
    }

    fn signed(&mut self, negative: bool) -> Token {
        let digits = self.at + 1;
        match self
            .source
            .get(digits)
            .map(|&byte| CLASS[usize::from(byte)])
        {
            Some(Class::Digit) => self.number(negative, digits),
            Some(Class::Letter) => {
                self.at = digits;
                match self.name() {
                    Token::Name(symbol) => Token::SignedName(negative, symbol),
                    bad => bad,
                }
            }
            _ => self.missing_number(),
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
    fn number(&mut self, negative: bool, digits: usize) -> Token {
        let text = self.source.get(digits..).unwrap_or_default();
        let (mut value, mut len) = (0_u64, 0);
        let next = loop {
            let byte = text.get(len).copied().unwrap_or(0);
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 || len == 18 {
                break byte;
            }
            value = value * 10 + u64::from(digit);
            len += 1;
        };
        let is_octal = text.first() == Some(&b'0') && len > 1;
        if is_octal || in_name(next) {
            return self.unusual_number(negative, digits);
        }
        self.at = digits + len;
        let value = value as i64;
        self.int = if negative { -value } else { value };
        Token::Int
    }

    /// Reads a number that is no short decimal integer.
    #[inline(never)]
    fn unusual_number(&mut self, negative: bool, digits: usize) -> Token {
        self.at = digits;
        let token = self.integer_or_real(negative, digits);
        self.or_bad(token)
    }

    /// Reads a number of any form.
    fn integer_or_real(&mut self, negative: bool, digits: usize) -> Result<Token, Fault> {
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
                assert_eq!(name_len(&bytes), len);
                let ends = name_ends(u64::from_le_bytes(bytes));
                let end = 0x80_u64.checked_shl(8 * place as u32).unwrap_or(0);
                match byte {
                    _ if in_name(byte) => assert_eq!(ends, 0, "{byte}"),
                    b' ' | b'\t' | b'\r' | b'\n' | b'#' | b',' | b':' | b'(' | b')' | b';' | 0 => {
                        assert_eq!(ends, end, "{byte}");
                    }
                    _ => assert!(ends == 0 || ends == end, "{byte}"),
                }
            }
        }
    }
}
