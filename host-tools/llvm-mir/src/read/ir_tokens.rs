//! The tokens of LLVM IR, as far as names and metadata need them.

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A keyword, type, number or label.
    Word,
    /// `@name`.
    Global,
    /// `%name`.
    Local,
    /// `!name` or `!N`.
    Metadata,
    /// `#N`, `#dbg_value`.
    Hash,
    /// Text in quotes.
    String,
    Punctuation(u8),
}

/// A token with its offset; names are without their sigil, strings without quotes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a [u8],
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) is_quoted: bool,
}

impl<'a> Token<'a> {
    pub(super) fn is(&self, punctuation: u8) -> bool {
        self.kind == Kind::Punctuation(punctuation)
    }

    pub(super) fn is_word(&self, word: &[u8]) -> bool {
        self.kind == Kind::Word && self.text == word
    }

    /// Returns the number that the token is the name of.
    pub(super) fn number(&self) -> Option<u32> {
        let is_number = !self.is_quoted && self.text.iter().all(u8::is_ascii_digit);
        let digits = str::from_utf8(self.text).ok().filter(|_| is_number)?;
        digits.parse().ok()
    }

    /// Returns the name with escapes replaced.
    pub(super) fn name(&self) -> Vec<u8> {
        if self.is_quoted {
            super::ir::unescaped(self.text)
        } else {
            self.text.to_vec()
        }
    }
}

/// The tokens of a text from an offset on.
#[derive(Clone, Copy)]
pub(super) struct Tokens<'a> {
    pub(super) text: &'a [u8],
    pub(super) at: usize,
}

fn is_name_part(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-$._\\".contains(byte)
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a [u8]) -> Tokens<'a> {
        Tokens { text, at: 0 }
    }

    fn skip(&mut self) {
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
                b';' => {
                    let rest = &self.text[self.at..];
                    let line = rest.iter().position(|&byte| byte == b'\n');
                    self.at += line.unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    /// Returns the next token without advancing.
    pub(super) fn peek(&self) -> Option<Token<'a>> {
        self.clone().next()
    }

    /// Returns a token whose name begins `skip` bytes after the current offset, bare or in quotes.
    fn named(&mut self, kind: Kind, skip: usize) -> Token<'a> {
        let (start, from) = (self.at, self.at + skip);
        if self.text.get(from) == Some(&b'"') {
            let rest = &self.text[from + 1..];
            let len = rest.iter().position(|&byte| byte == b'"');
            let len = len.unwrap_or(rest.len());
            self.at = (from + len + 2).min(self.text.len());
            let text = &rest[..len];
            return Token {
                kind,
                text,
                start,
                end: self.at,
                is_quoted: true,
            };
        }
        let rest = self.text.get(from..).unwrap_or_default();
        let len = rest.iter().take_while(|byte| is_name_part(byte)).count();
        self.at = from + len;
        Token {
            kind,
            text: &rest[..len],
            start,
            end: self.at,
            is_quoted: false,
        }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        self.skip();
        let first = *self.text.get(self.at)?;
        let has_name = self.text.get(self.at + 1).is_some_and(is_name_part);
        Some(match first {
            b'@' => self.named(Kind::Global, 1),
            b'%' => self.named(Kind::Local, 1),
            b'!' if has_name => self.named(Kind::Metadata, 1),
            b'#' if has_name => self.named(Kind::Hash, 1),
            b'"' => self.named(Kind::String, 0),
            _ if is_name_part(&first) => self.named(Kind::Word, 0),
            _ => {
                let start = self.at;
                self.at += 1;
                let text = &self.text[start..self.at];
                let (kind, end) = (Kind::Punctuation(first), self.at);
                Token {
                    kind,
                    text,
                    start,
                    end,
                    is_quoted: false,
                }
            }
        })
    }
}
