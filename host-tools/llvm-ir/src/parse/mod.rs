//! Parses LLVM IR: types, constants, instructions, modules. Recursion is limited to [`DEPTH`].

mod constants;
mod functions;
mod insns;
mod lexer;
mod module;
mod types;

use crate::ast::Module;
use crate::error::{Error, Result, SourcePosition};
use crate::types::{DataLayout, Types};
use lexer::{Lexeme, Lexer, Token};

/// The limit on the nesting of types and constants.
const DEPTH: u32 = 200;

/// Reads a module; `layout` is that of the target, used if the text does not state its own. A
/// function with a construct that cannot be expressed is recorded in `skipped` and remains a
/// declaration; any other error fails.
pub(crate) fn parse(text: &[u8], layout: DataLayout, skipped: &mut Vec<Error>) -> Result<Module> {
    let mut parser = Parser::new(text)?;
    parser.types.layout = layout;
    parser.module(skipped)
}

/// Returns the names that a text defines for other files too, and not weakly.
pub(crate) fn strong_names(text: &[u8]) -> Vec<String> {
    const OTHER: [&str; 12] = [
        "private",
        "internal",
        "available_externally",
        "linkonce",
        "linkonce_odr",
        "weak",
        "weak_odr",
        "common",
        "appending",
        "external",
        "extern_weak",
        "type",
    ];
    let mut names = Vec::new();
    for line in text.split(|&byte| byte == b'\n') {
        if !line.starts_with(b"define") && !line.starts_with(b"@") {
            continue;
        }
        let mut lexer = Lexer::new(line);
        let mut name = None;
        while let Ok(Lexeme { token, .. }) = lexer.next() {
            match token {
                Token::End => break,
                Token::Word(word) if OTHER.contains(&word.as_str()) => {
                    name = None;
                    break;
                }
                // The linkage of a variable comes before these words.
                Token::Word(word) if word == "global" || word == "constant" => break,
                Token::Global(found) => {
                    name = Some(found);
                    if line.starts_with(b"define") {
                        break;
                    }
                }
                _ => {}
            }
        }
        names.extend(name);
    }
    names
}

/// Adds the functions of another text to a module.
///
/// # Errors
///
/// The text is wrong.
pub(crate) fn parse_into(text: &[u8], module: &mut Module) -> Result<()> {
    let mut parser = Parser::new(text)?;
    parser.types = core::mem::replace(&mut module.types, Types::new());
    let added = parser.module(&mut Vec::new())?;
    module.types = added.types;
    module.functions.extend(added.functions);
    Ok(())
}

/// Returns the triple of a module.
pub(crate) fn triple(text: &[u8]) -> Option<String> {
    for line in text.split(|&byte| byte == b'\n') {
        if let Some(rest) = line.strip_prefix(b"target triple") {
            let mut quoted = rest.split(|&byte| byte == b'"');
            return Some(String::from_utf8_lossy(quoted.nth(1)?).into_owned());
        }
        if line.starts_with(b"define") {
            return None;
        }
    }
    None
}

/// A parser with one token of lookahead.
struct Parser<'a> {
    lexer: Lexer<'a>,
    next: Lexeme,
    types: Types,
    depth: u32,
    /// True if the instruction that is read does not overflow as a signed operation.
    promises_no_wrap: bool,
    /// The strings among the arguments of the call that is read.
    words: Vec<String>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a [u8]) -> Result<Parser<'a>> {
        let mut lexer = Lexer::new(text);
        let next = lexer.next()?;
        Ok(Parser {
            lexer,
            next,
            types: Types::new(),
            depth: 0,
            promises_no_wrap: false,
            words: Vec::new(),
        })
    }

    fn place(&self) -> SourcePosition {
        self.next.place
    }

    fn token(&self) -> &Token {
        &self.next.token
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(self.place().error(message))
    }

    fn advance(&mut self) -> Result<Token> {
        let next = self.lexer.next()?;
        Ok(core::mem::replace(&mut self.next, next).token)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.token(), Token::Word(found) if found == word)
    }

    fn is_punctuation(&self, byte: u8) -> bool {
        *self.token() == Token::Punctuation(byte)
    }

    fn accept_word(&mut self, word: &str) -> Result<bool> {
        let found = self.is_word(word);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn accept(&mut self, byte: u8) -> Result<bool> {
        let found = self.is_punctuation(byte);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn expect(&mut self, byte: u8) -> Result<()> {
        if self.accept(byte)? {
            return Ok(());
        }
        self.error(format!("expected `{}`", char::from(byte)))
    }

    fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.accept_word(word)? {
            return Ok(());
        }
        self.error(format!("expected `{word}`"))
    }

    /// Takes the next token, which must be a word.
    fn word(&mut self, expected: &str) -> Result<String> {
        let place = self.place();
        match self.advance()? {
            Token::Word(word) => Ok(word),
            _ => Err(place.error(format!("expected {expected}"))),
        }
    }

    fn unsigned(&mut self) -> Result<u64> {
        let place = self.place();
        match self.advance()? {
            Token::Integer(digits) => digits
                .parse()
                .map_err(|_| place.error("expected a number without sign of at most 64 bits")),
            _ => Err(place.error("expected a number")),
        }
    }

    /// Runs a parser that may call this function again for nested constructs.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == DEPTH {
            return self.error("nested too deep");
        }
        self.depth += 1;
        let done = read(self);
        self.depth -= 1;
        done
    }

    /// Skips `(...)`, `[...]` or `{...}` with its contents, if that comes next.
    fn skip_group(&mut self) -> Result<bool> {
        let mut open = 0_u32;
        loop {
            match self.token() {
                Token::Punctuation(b'(' | b'[' | b'{') => open += 1,
                Token::Punctuation(b')' | b']' | b'}') if open > 0 => {
                    open -= 1;
                    if open == 0 {
                        self.advance()?;
                        return Ok(true);
                    }
                }
                Token::End if open > 0 => return self.error("a bracket is not closed"),
                _ if open == 0 => return Ok(false),
                _ => {}
            }
            self.advance()?;
        }
    }

    /// Skips `(...)`, if that comes next.
    fn skip_parenthesis(&mut self) -> Result<()> {
        if self.is_punctuation(b'(') {
            self.skip_group()?;
        }
        Ok(())
    }

    /// Skips the rest of the line.
    fn skip_line(&mut self) -> Result<()> {
        while !self.next.starts_line && *self.token() != Token::End {
            self.advance()?;
        }
        Ok(())
    }

    /// Skips past the `}` that ends a function, after an error in it.
    fn skip_function(&mut self) -> Result<()> {
        while *self.token() != Token::End {
            let ends =
                self.is_punctuation(b'}') && self.next.starts_line && self.place().column == 1;
            self.advance()?;
            if ends {
                break;
            }
        }
        Ok(())
    }
}
