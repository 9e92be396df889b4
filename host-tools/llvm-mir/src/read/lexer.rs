//! The tokens of a function's body and of the references in its document.

use super::error::{Result, fault};
use super::ir::unescaped;

/// The kind of a token. Names are ranges of the input without their sigil.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    End,
    Newline,
    /// A word: keyword, opcode, class.
    Word,
    /// `bb.N` at the start of a block, with what follows the number.
    Label(u32),
    /// `%bb.N`.
    Block(u32),
    /// `%N`.
    Virtual(u32),
    /// `%name`.
    NamedVirtual,
    /// `$name`, or `_`.
    Physical,
    Stack(u32),
    FixedStack(u32),
    Constant(u32),
    JumpTable(u32),
    SubIndex,
    IrBlock(u32),
    NamedIrBlock,
    IrValue(u32),
    NamedIrValue,
    /// Text between back quotes.
    IrConstant,
    Global(u32),
    NamedGlobal,
    External,
    Symbol,
    Integer,
    Hexadecimal,
    Float,
    String,
    Punctuation(u8),
    DoubleColon,
}

/// A token: the input from `start` to `end`; its name is from `name` to `name_end`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
    name: usize,
    name_end: usize,
    is_quoted: bool,
}

impl Token {
    /// Returns an empty token at an offset.
    pub(super) fn none(at: usize) -> Token {
        Token {
            kind: Kind::End,
            start: at,
            end: at,
            name: at,
            name_end: at,
            is_quoted: false,
        }
    }

    /// Returns the name as it is written, without sigil and quotes.
    pub(super) fn raw<'a>(&self, input: &'a [u8]) -> &'a [u8] {
        input.get(self.name..self.name_end).unwrap_or(b"")
    }

    /// Returns the name with escapes replaced.
    pub(super) fn name(&self, input: &[u8]) -> Vec<u8> {
        let raw = self.raw(input);
        if self.is_quoted {
            unescaped(raw)
        } else {
            raw.to_vec()
        }
    }
}

fn is_word_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-.$".contains(&byte)
}

fn is_register_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-$".contains(&byte)
}

/// A prefix of a number, and the kind of token that they form.
type Numbered = (&'static [u8], fn(u32) -> Kind);

const NUMBERED: [Numbered; 5] = [
    (b"%bb.", Kind::Block),
    (b"%stack.", Kind::Stack),
    (b"%fixed-stack.", Kind::FixedStack),
    (b"%const.", Kind::Constant),
    (b"%jump-table.", Kind::JumpTable),
];

/// The input from an offset on.
#[derive(Clone, Copy)]
pub(super) struct Lexer<'a> {
    pub(super) input: &'a [u8],
    pub(super) at: usize,
    pub(super) end: usize,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a [u8] {
        self.input.get(self.at..self.end).unwrap_or(b"")
    }

    /// Skips blanks and comments.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let blanks = rest
                .iter()
                .take_while(|byte| b" \t\r".contains(byte))
                .count();
            self.at += blanks;
            let rest = &rest[blanks..];
            if rest.starts_with(b";") {
                self.at += rest
                    .iter()
                    .position(|&byte| byte == b'\n')
                    .unwrap_or(rest.len());
            } else if rest.starts_with(b"/*") {
                let close = rest[2..].windows(2).position(|two| two == b"*/");
                self.at += close.map_or(rest.len(), |close| close + 4);
            } else {
                return;
            }
        }
    }

    fn token(&mut self, kind: Kind, skip: usize, len: usize) -> Token {
        let start = self.at;
        self.at += skip + len;
        let name = start + skip;
        Token {
            kind,
            start,
            end: self.at,
            name,
            name_end: self.at,
            is_quoted: false,
        }
    }

    /// Reads the next token.
    pub(super) fn next(&mut self) -> Result<Token> {
        self.skip();
        let rest = self.rest();
        let Some(&first) = rest.first() else {
            return Ok(Token::none(self.at));
        };
        match first {
            b'\n' => Ok(self.token(Kind::Newline, 0, 1)),
            b'%' => self.percent(rest),
            b'$' => {
                let len = count(&rest[1..], is_register_part);
                Ok(self.token(Kind::Physical, 1, len))
            }
            b'@' | b'&' => self.global(first, rest),
            b'`' => {
                let len = rest[1..]
                    .iter()
                    .position(|&byte| byte == b'`' || byte == b'\n');
                match len {
                    Some(len) if rest[1 + len] == b'`' => {
                        let mut token = self.token(Kind::IrConstant, 1, len);
                        token.end += 1;
                        self.at += 1;
                        Ok(token)
                    }
                    _ => fault(
                        self.at,
                        "end of machine instruction reached before the closing '`'",
                    ),
                }
            }
            b'"' => self.quoted(Kind::String, 0),
            b'<' if rest.starts_with(b"<mcsymbol ") => self.symbol(rest),
            b'0'..=b'9' | b'-' => Ok(self.number(rest)),
            b':' if rest.starts_with(b"::") => Ok(self.token(Kind::DoubleColon, 0, 2)),
            _ if first.is_ascii_alphabetic() || first == b'_' => Ok(self.word(rest)),
            _ if b",=:.(){}<>+!".contains(&first) => Ok(self.token(Kind::Punctuation(first), 0, 1)),
            _ => fault(
                self.at,
                format!("unexpected character '{}'", char::from(first)),
            ),
        }
    }

    fn word(&mut self, rest: &[u8]) -> Token {
        let len = count(rest, is_word_part);
        let word = &rest[..len];
        if word == b"_" {
            return self.token(Kind::Physical, 0, 1);
        }
        if let Some((number, used)) = word.strip_prefix(b"bb.").and_then(decimal) {
            // The name of the block may follow; a blank can be in it, as LLVM prints it.
            let mut token = self.token(Kind::Label(number), 0, len);
            token.name = token.start + 3 + used + 1;
            return token;
        }
        self.token(Kind::Word, 0, len)
    }

    fn percent(&mut self, rest: &[u8]) -> Result<Token> {
        for (prefix, kind) in NUMBERED {
            if let Some(after) = rest.strip_prefix(prefix) {
                match self.numbered(prefix.len(), after, kind) {
                    Some(token) => return Ok(token),
                    None if prefix == b"%bb." => {
                        return fault(self.at + prefix.len(), "expected a number after '%bb.'");
                    }
                    None => break,
                }
            }
        }
        if let Some(after) = rest.strip_prefix(b"%subreg.") {
            let len = count(after, is_word_part);
            return Ok(self.token(Kind::SubIndex, 8, len));
        }
        if let Some(after) = rest.strip_prefix(b"%ir-block.") {
            return self.ir_name(10, after, Kind::IrBlock, Kind::NamedIrBlock);
        }
        if let Some(after) = rest.strip_prefix(b"%ir.") {
            return self.ir_name(4, after, Kind::IrValue, Kind::NamedIrValue);
        }
        if let Some((number, used)) = decimal(&rest[1..]) {
            return Ok(self.token(Kind::Virtual(number), 1, used));
        }
        let len = count(&rest[1..], is_register_part);
        if len == 0 {
            return fault(self.at, "unexpected character '%'");
        }
        Ok(self.token(Kind::NamedVirtual, 1, len))
    }

    /// Reads the number after a prefix and an optional name after it; `None` if there is no number.
    fn numbered(&mut self, prefix: usize, after: &[u8], kind: fn(u32) -> Kind) -> Option<Token> {
        let (number, used) = decimal(after)?;
        let name = match after.get(used) {
            Some(b'.') => 1 + count(&after[used + 1..], is_word_part),
            _ => 0,
        };
        let mut token = self.token(kind(number), prefix, used + name);
        token.name = (token.start + prefix + used + 1).min(token.end);
        Some(token)
    }

    fn ir_name(
        &mut self,
        prefix: usize,
        after: &[u8],
        numbered: fn(u32) -> Kind,
        named: Kind,
    ) -> Result<Token> {
        if let Some((number, used)) = decimal(after) {
            return Ok(self.token(numbered(number), prefix, used));
        }
        if after.starts_with(b"\"") {
            return self.quoted(named, prefix);
        }
        let len = count(after, is_word_part);
        Ok(self.token(named, prefix, len))
    }

    fn global(&mut self, sigil: u8, rest: &[u8]) -> Result<Token> {
        let after = &rest[1..];
        let named = if sigil == b'@' {
            Kind::NamedGlobal
        } else {
            Kind::External
        };
        if after.starts_with(b"\"") {
            return self.quoted(named, 1);
        }
        if sigil == b'@'
            && let Some((number, used)) = decimal(after)
        {
            return Ok(self.token(Kind::Global(number), 1, used));
        }
        let len = count(after, is_word_part);
        Ok(self.token(named, 1, len))
    }

    /// Reads text in quotes after `skip` bytes.
    fn quoted(&mut self, kind: Kind, skip: usize) -> Result<Token> {
        let start = self.at;
        let text = &self.rest()[skip + 1..];
        let close = text.iter().position(|&byte| byte == b'"' || byte == b'\n');
        let Some(len) = close.filter(|&at| text[at] == b'"') else {
            return fault(
                start,
                "end of machine instruction reached before the closing '\"'",
            );
        };
        let mut token = self.token(kind, skip + 1, len);
        token.end += 1;
        token.is_quoted = true;
        self.at += 1;
        Ok(token)
    }

    /// Reads `<mcsymbol NAME>`; the name may have blanks in it, as LLVM prints it.
    fn symbol(&mut self, rest: &[u8]) -> Result<Token> {
        let start = self.at;
        let skip = b"<mcsymbol ".len();
        if rest.get(skip) == Some(&b'"') {
            let mut token = self.quoted(Kind::Symbol, skip)?;
            if self.rest().first() != Some(&b'>') {
                return fault(start, "expected the '<mcsymbol ...' to be closed by a '>'");
            }
            self.at += 1;
            token.end += 1;
            return Ok(token);
        }
        let len = count(&rest[skip..], is_word_part);
        if rest.get(skip + len) != Some(&b'>') {
            return fault(start, "expected the '<mcsymbol ...' to be closed by a '>'");
        }
        let mut token = self.token(Kind::Symbol, skip, len);
        token.end += 1;
        self.at += 1;
        Ok(token)
    }

    fn number(&mut self, rest: &[u8]) -> Token {
        let is_digit = |byte: u8| byte.is_ascii_digit();
        if rest.starts_with(b"0x") {
            let letter = rest.get(2).filter(|byte| b"HKLMR".contains(byte));
            let from = if letter.is_some() { 3 } else { 2 };
            let digits = count(&rest[from..], |byte| byte.is_ascii_hexdigit());
            if digits != 0 {
                let kind = if letter.is_some() {
                    Kind::Float
                } else {
                    Kind::Hexadecimal
                };
                return self.token(kind, 0, from + digits);
            }
        }
        let sign = usize::from(rest[0] == b'-');
        let whole = count(&rest[sign..], is_digit);
        if whole == 0 {
            return self.token(Kind::Punctuation(b'-'), 0, 1);
        }
        let mut len = sign + whole;
        if rest.get(len) != Some(&b'.') {
            return self.token(Kind::Integer, 0, len);
        }
        len += 1;
        len += count(&rest[len..], is_digit);
        if matches!(rest.get(len), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(rest.get(len + 1), Some(b'-' | b'+')));
            let digits = count(&rest[(len + 1 + sign).min(rest.len())..], is_digit);
            if digits != 0 {
                len += 1 + sign + digits;
            }
        }
        self.token(Kind::Float, 0, len)
    }
}

fn count(text: &[u8], accept: impl Fn(u8) -> bool) -> usize {
    text.iter().take_while(|&&byte| accept(byte)).count()
}

/// Returns the number that the text begins with, and its length.
fn decimal(text: &[u8]) -> Option<(u32, usize)> {
    let len = count(text, |byte| byte.is_ascii_digit());
    let number = str::from_utf8(&text[..len]).ok()?.parse().ok()?;
    Some((number, len))
}
