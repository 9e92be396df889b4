//! The tokens of LLVM IR.

use crate::error::{Result, SourcePosition};

/// A token. Names come without their sigil and quotes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    /// `%name`
    Local(String),
    /// `@name`
    Global(String),
    /// `$name`: a comdat
    Comdat(String),
    /// `#1`
    AttributeGroup,
    /// `!5`, `!name`, `!`
    Metadata(String),
    /// A keyword, type, or the name of an instruction or attribute.
    Word(String),
    /// `name:` or `5:`
    Label(String),
    /// Digits with an optional sign.
    Integer(String),
    /// A decimal number with a point, or a hexadecimal one with its prefix.
    Float(String),
    /// `"..."`, with escapes replaced
    String(Vec<u8>),
    /// `c"..."`, with escapes replaced
    Bytes(Vec<u8>),
    /// One of `()[]{}<>,=*:|` or `...` as a dot.
    Punctuation(u8),
    /// The end of the text.
    End,
}

/// A token and its position.
#[derive(Clone, Debug)]
pub(crate) struct Lexeme {
    pub(crate) token: Token,
    pub(crate) place: SourcePosition,
    /// True if it is the first token of its line.
    pub(crate) starts_line: bool,
}

/// The lexer: it splits a text into tokens.
pub(crate) struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    line: u32,
    line_start: usize,
    starts_line: bool,
    /// True if a debug record so far says which variable of the source an `alloca` is.
    pub(crate) has_declarations: bool,
    /// The line and the text of each debug record so far that says which value a variable has.
    pub(crate) records: Vec<(u32, &'a [u8])>,
}

const fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'$' | b'.' | b'_')
}

impl<'a> Lexer<'a> {
    pub(crate) const fn new(text: &'a [u8]) -> Lexer<'a> {
        Lexer {
            text,
            at: 0,
            line: 1,
            line_start: 0,
            starts_line: true,
            has_declarations: false,
            records: Vec::new(),
        }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn place(&self) -> SourcePosition {
        SourcePosition {
            line: self.line,
            column: (self.at - self.line_start) as u32 + 1,
        }
    }

    fn skip_blanks(&mut self) {
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'\n' => {
                    self.at += 1;
                    self.line += 1;
                    self.line_start = self.at;
                    self.starts_line = true;
                }
                b';' => self.skip_line(),
                b' ' | b'\t' | b'\r' => self.at += 1,
                _ => break,
            }
        }
    }

    fn skip_line(&mut self) {
        while self.at < self.text.len() && self.text[self.at] != b'\n' {
            self.at += 1;
        }
    }

    pub(crate) fn next(&mut self) -> Result<Lexeme> {
        loop {
            self.skip_blanks();
            // A debug record, `#dbg_value(...)`, is a line of its own.
            if self.peek(0) == b'#' && self.peek(1).is_ascii_alphabetic() {
                let start = self.at;
                self.skip_line();
                let record = &self.text[start..self.at];
                self.has_declarations |= record.starts_with(b"#dbg_declare(");
                if record.starts_with(b"#dbg_value(") {
                    self.records.push((self.line, record));
                }
                continue;
            }
            let (place, starts_line) = (self.place(), self.starts_line);
            self.starts_line = false;
            let token = self.token(place)?;
            return Ok(Lexeme {
                token,
                place,
                starts_line,
            });
        }
    }

    fn token(&mut self, place: SourcePosition) -> Result<Token> {
        let byte = self.peek(0);
        Ok(match byte {
            0 if self.at >= self.text.len() => Token::End,
            b'%' => Token::Local(self.name(place)?),
            b'@' => Token::Global(self.name(place)?),
            b'$' => Token::Comdat(self.name(place)?),
            b'!' => {
                self.at += 1;
                Token::Metadata(self.take_while(|byte| is_name(byte) || byte == b'\\'))
            }
            b'#' | b'^' => {
                self.at += 1;
                self.take_while(|byte| byte.is_ascii_digit());
                Token::AttributeGroup
            }
            b'"' => {
                let bytes = self.quoted(place)?;
                if self.peek(0) == b':' {
                    self.at += 1;
                    return Ok(Token::Label(String::from_utf8_lossy(&bytes).into_owned()));
                }
                Token::String(bytes)
            }
            b'c' if self.peek(1) == b'"' => {
                self.at += 1;
                Token::Bytes(self.quoted(place)?)
            }
            b'.' if self.peek(1) == b'.' && self.peek(2) == b'.' => {
                self.at += 3;
                Token::Punctuation(b'.')
            }
            b'-' | b'+' | b'0'..=b'9' => self.number(),
            _ if is_name(byte) => {
                let word = self.take_while(is_name);
                self.label_or(word, Token::Word)
            }
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' | b',' | b'=' | b'*' | b':'
            | b'|' => {
                self.at += 1;
                Token::Punctuation(byte)
            }
            _ => return Err(place.error("this character has no meaning here")),
        })
    }

    /// Reads a word, or a label if a colon follows it directly.
    fn label_or(&mut self, word: String, other: fn(String) -> Token) -> Token {
        if self.peek(0) == b':' {
            self.at += 1;
            return Token::Label(word);
        }
        other(word)
    }

    fn take_while(&mut self, take: impl Fn(u8) -> bool) -> String {
        let start = self.at;
        while self.at < self.text.len() && take(self.text[self.at]) {
            self.at += 1;
        }
        String::from_utf8_lossy(&self.text[start..self.at]).into_owned()
    }

    fn name(&mut self, place: SourcePosition) -> Result<String> {
        self.at += 1;
        if self.peek(0) == b'"' {
            let bytes = self.quoted(place)?;
            return Ok(String::from_utf8_lossy(&bytes).into_owned());
        }
        let name = self.take_while(is_name);
        if name.is_empty() {
            return Err(place.error("a name must follow"));
        }
        Ok(name)
    }

    /// Reads a string in quotes; `\xx` is a byte, `\\` a backslash.
    fn quoted(&mut self, place: SourcePosition) -> Result<Vec<u8>> {
        self.at += 1;
        let mut bytes = Vec::new();
        loop {
            let Some(&byte) = self.text.get(self.at) else {
                return Err(place.error("the string does not end"));
            };
            self.at += 1;
            match byte {
                b'"' => return Ok(bytes),
                b'\n' => {
                    self.line += 1;
                    self.line_start = self.at;
                    bytes.push(byte);
                }
                b'\\' if self.peek(0) == b'\\' => {
                    self.at += 1;
                    bytes.push(b'\\');
                }
                b'\\' => match (hex(self.peek(0)), hex(self.peek(1))) {
                    (Some(high), Some(low)) => {
                        self.at += 2;
                        bytes.push(high << 4 | low);
                    }
                    _ => bytes.push(byte),
                },
                _ => bytes.push(byte),
            }
        }
    }

    fn number(&mut self) -> Token {
        let start = self.at;
        self.at += 1;
        if self.text[start] == b'0' && self.peek(0) == b'x' {
            let word = "0".to_owned() + &self.take_while(|byte| byte.is_ascii_alphanumeric());
            return Token::Float(word);
        }
        self.take_while(|byte| byte.is_ascii_digit());
        let is_float = self.peek(0) == b'.';
        if is_float {
            self.at += 1;
            self.take_while(|byte| byte.is_ascii_digit());
            if matches!(self.peek(0), b'e' | b'E') {
                self.at += 1;
                if matches!(self.peek(0), b'+' | b'-') {
                    self.at += 1;
                }
                self.take_while(|byte| byte.is_ascii_digit());
            }
        } else {
            // A label may begin with a digit: `7.i:`.
            self.take_while(is_name);
        }
        let text = String::from_utf8_lossy(&self.text[start..self.at]).into_owned();
        if is_float {
            if self.peek(0) == b':' || is_name(self.peek(0)) {
                let rest = self.take_while(is_name);
                return self.label_or(text + &rest, Token::Word);
            }
            return Token::Float(text);
        }
        let is_integer = text
            .trim_start_matches(['-', '+'])
            .bytes()
            .all(|byte| byte.is_ascii_digit());
        self.label_or(
            text,
            if is_integer {
                Token::Integer
            } else {
                Token::Word
            },
        )
    }
}

const fn hex(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}
