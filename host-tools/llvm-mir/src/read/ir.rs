//! Scans the module for its names.
//!
//! The module's text is not parsed as LLVM IR; it is scanned for the names that machine code can
//! refer to.

use super::metadata::ModuleNodes;
use core::cell::OnceCell;
use std::collections::{HashMap, HashSet};

/// The names of a module.
#[derive(Default)]
pub(super) struct Names<'a> {
    text: &'a [u8],
    pub(super) triple: Option<&'a [u8]>,
    globals: HashSet<Vec<u8>>,
    unnamed_globals: u32,
    functions: HashMap<Vec<u8>, IrFunction<'a>>,
    /// The attributes of each attribute group.
    attributes: HashMap<u32, &'a [u8]>,
    metadata: OnceCell<ModuleNodes<'a>>,
}

/// A function of the module.
pub(super) struct IrFunction<'a> {
    body: &'a [u8],
    names: OnceCell<Locals>,
}

#[derive(Default)]
struct Locals {
    blocks: HashSet<Vec<u8>>,
    values: HashSet<Vec<u8>>,
}

/// Returns the names of the module that stands for a missing one: its functions, each with one
/// block.
pub(super) fn stub<'a, 'f>(functions: impl Iterator<Item = &'f [u8]>) -> Names<'a> {
    let mut names = Names::default();
    for function in functions {
        names.globals.insert(function.to_vec());
        let body = b"entry:\n";
        let function_names = IrFunction {
            body,
            names: OnceCell::new(),
        };
        names.functions.insert(function.to_vec(), function_names);
    }
    names
}

impl<'a> Names<'a> {
    /// Scans a module.
    pub(super) fn new(text: &'a [u8]) -> Names<'a> {
        let mut names = Names {
            text,
            ..Names::default()
        };
        let mut at = 0;
        while at < text.len() {
            at = names.line(at);
        }
        names
    }

    /// Records what begins at this line; returns the offset of the next line to scan.
    fn line(&mut self, start: usize) -> usize {
        let text = self.text;
        let end = start + line_len(&text[start..]);
        let line = text[start..end].trim_ascii_start();
        if let Some(rest) = line.strip_prefix(b"target triple") {
            self.triple = quoted(rest);
        } else if line.starts_with(b"@") {
            if let Some((name, _)) = name(&line[1..]) {
                self.global(name);
            }
        } else if let Some(group) = line.strip_prefix(b"attributes #") {
            if let Some((number, attributes)) = leading_number(group) {
                self.attributes.insert(number, attributes);
            }
        } else if line.starts_with(b"declare ") {
            if let Some((name, _)) = function_name(line) {
                self.global(name);
            }
        } else if line.starts_with(b"define ") {
            let from = end - line.len();
            if let Some((name, header)) = function_name(&text[from..]) {
                let (body_start, body_end) = function_body(text, from + header);
                let body = &text[body_start..body_end];
                self.global(name.clone());
                self.functions.insert(
                    name,
                    IrFunction {
                        body,
                        names: OnceCell::new(),
                    },
                );
                return body_end + line_len(&text[body_end..]);
            }
        }
        end
    }

    fn global(&mut self, name: Vec<u8>) {
        if name.iter().all(u8::is_ascii_digit) {
            self.unnamed_globals += 1;
        }
        self.globals.insert(name);
    }

    pub(super) fn has_global(&self, name: &[u8]) -> bool {
        self.globals.contains(name)
    }

    pub(super) fn has_unnamed_global(&self, number: u32) -> bool {
        number < self.unnamed_globals
    }

    pub(super) fn function(&self, name: &[u8]) -> Option<&IrFunction<'a>> {
        self.functions.get(name)
    }

    /// Returns the attributes of a function's group.
    pub(super) fn attributes(&self, function: &IrFunction<'_>) -> &'a [u8] {
        let mut lines = function.body.split(|&byte| byte == b'\n');
        let header = lines.next().unwrap_or(b"");
        let group = header.iter().rposition(|&byte| byte == b'#');
        let number = group.and_then(|at| leading_number(&header[at + 1..]));
        let found = number.and_then(|(number, _)| self.attributes.get(&number));
        found.copied().unwrap_or_default()
    }

    /// Returns the module's nodes of metadata.
    pub(super) fn metadata(&self) -> &ModuleNodes<'a> {
        self.metadata.get_or_init(|| ModuleNodes::new(self.text))
    }
}

impl IrFunction<'_> {
    fn locals(&self) -> &Locals {
        self.names.get_or_init(|| {
            let mut locals = Locals::default();
            for line in self.body.split(|&byte| byte == b'\n') {
                let line = line.trim_ascii();
                if let Some(rest) = line.strip_prefix(b"%") {
                    if let Some((name, rest)) = name(rest)
                        && rest.trim_ascii_start().starts_with(b"=")
                    {
                        locals.values.insert(name);
                    }
                } else if let Some((name, rest)) = name(line)
                    && rest.starts_with(b":")
                {
                    locals.blocks.insert(name);
                }
                if let Some(arguments) = line.strip_prefix(b"(") {
                    locals.values.extend(argument_names(arguments));
                }
            }
            locals
        })
    }

    pub(super) fn has_block(&self, name: &[u8]) -> bool {
        self.locals().blocks.contains(name)
    }

    pub(super) fn has_value(&self, name: &[u8]) -> bool {
        self.locals().values.contains(name)
    }
}

/// Returns the names after `%` in a list of arguments.
fn argument_names(mut text: &[u8]) -> Vec<Vec<u8>> {
    let mut names = Vec::new();
    while let Some(at) = text.iter().position(|&byte| byte == b'%' || byte == b'"') {
        if text[at] == b'"' {
            let skipped = text[at + 1..].iter().position(|&byte| byte == b'"');
            text = &text[skipped.map_or(text.len(), |end| at + end + 2)..];
            continue;
        }
        match name(&text[at + 1..]) {
            Some((name, rest)) => {
                names.push(name);
                text = rest;
            }
            None => text = &text[at + 1..],
        }
    }
    names
}

fn line_len(text: &[u8]) -> usize {
    text.iter()
        .position(|&byte| byte == b'\n')
        .map_or(text.len(), |end| end + 1)
}

fn quoted(text: &[u8]) -> Option<&[u8]> {
    let text = &text[text.iter().position(|&byte| byte == b'"')? + 1..];
    text.get(..text.iter().position(|&byte| byte == b'"')?)
}

/// Returns the number that the text begins with.
pub(super) fn leading_number(text: &[u8]) -> Option<(u32, &[u8])> {
    let len = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = str::from_utf8(&text[..len]).ok()?.parse().ok()?;
    Some((number, &text[len..]))
}

/// Returns the name that the text begins with, bare or in quotes.
fn name(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    if let Some(rest) = text.strip_prefix(b"\"") {
        let end = rest.iter().position(|&byte| byte == b'"')?;
        return Some((unescaped(&rest[..end]), &rest[end + 1..]));
    }
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-$._".contains(byte);
    let len = text.iter().take_while(is_part).count();
    (len != 0).then(|| (text[..len].to_vec(), &text[len..]))
}

/// Returns the text with the escapes `\HH` and `\\` replaced.
pub(super) fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        let hex = after
            .first_chunk::<2>()
            .and_then(|digits| str::from_utf8(digits).ok());
        let code = hex.filter(|hex| hex.bytes().all(|digit| digit.is_ascii_hexdigit()));
        match code.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(code) if byte == b'\\' => {
                decoded.push(code);
                rest = &after[2..];
            }
            _ if byte == b'\\' && after.first() == Some(&b'\\') => {
                decoded.push(b'\\');
                rest = &after[1..];
            }
            _ => {
                decoded.push(byte);
                rest = after;
            }
        }
    }
    decoded
}

/// Returns the name of the function after `define` or `declare`, and the offset of its arguments.
fn function_name(text: &[u8]) -> Option<(Vec<u8>, usize)> {
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'@' => {
                let (name, rest) = name(&text[at + 1..])?;
                return Some((name, text.len() - rest.len()));
            }
            b'"' => at = skip_string(text, at),
            _ => at += 1,
        }
    }
    None
}

/// Returns the offset after the quote that closes the one at `at`.
fn skip_string(text: &[u8], at: usize) -> usize {
    let end = text[at + 1..].iter().position(|&byte| byte == b'"');
    end.map_or(text.len(), |end| at + end + 2)
}

/// Returns the range of the body, up to its closing brace.
fn function_body(text: &[u8], start: usize) -> (usize, usize) {
    let (mut at, mut depth) = (start, 0_usize);
    while at < text.len() {
        match text[at] {
            b'"' => {
                at = skip_string(text, at);
                continue;
            }
            b';' => {
                at += line_len(&text[at..]);
                continue;
            }
            b'{' => depth += 1,
            b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return (start, at);
                }
            }
            _ => {}
        }
        at += 1;
    }
    (start, text.len())
}
