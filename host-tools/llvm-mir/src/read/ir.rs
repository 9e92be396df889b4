//! Scans the module for its names.
//!
//! The module's text is not parsed as LLVM IR; it is scanned for the names that machine code can
//! refer to.

use super::ir_tokens::{Kind, Token, Tokens};
use super::metadata::Nodes;
use crate::model::IrBlock;
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
    /// The functions that LLVM compiles, in the order of the text.
    compiled: Vec<Vec<u8>>,
    /// The attributes of each attribute group.
    attributes: HashMap<u32, &'a [u8]>,
    metadata: OnceCell<Nodes>,
}

/// A function of the module.
pub(super) struct IrFunction<'a> {
    /// The text from the arguments to the body.
    header: &'a [u8],
    body: &'a [u8],
    names: OnceCell<Locals>,
}

#[derive(Default)]
struct Locals {
    /// The labels of blocks, names and numbers.
    blocks: HashSet<Vec<u8>>,
    /// True if all blocks but the first have labels.
    has_all_labels: bool,
    /// Arguments and results, with whether they are pointers where that is known.
    values: HashMap<Vec<u8>, Option<bool>>,
    unnamed_arguments: u32,
    /// True if the first block has no label.
    has_unnamed_entry: bool,
}

/// Returns the names of the module that stands for a missing one: its functions, each with one
/// block.
pub(super) fn stub<'a, 'f>(functions: impl Iterator<Item = &'f [u8]>) -> Names<'a> {
    let mut names = Names::default();
    for function in functions {
        let of_stub = IrFunction {
            header: b"()",
            body: b"entry: unreachable",
            names: OnceCell::new(),
        };
        names.globals.insert(function.to_vec());
        names.compiled.push(function.to_vec());
        names.functions.insert(function.to_vec(), of_stub);
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
                self.global(name.clone());
                let declared = IrFunction {
                    header: b"",
                    body: b"",
                    names: OnceCell::new(),
                };
                self.functions.insert(name, declared);
            }
        } else if line.starts_with(b"define ") {
            let from = end - line.len();
            if let Some((name, header)) = function_name(&text[from..]) {
                return self.define(name, from, from + header);
            }
        }
        end
    }

    /// Records a function whose arguments begin at `header`; returns the offset after it.
    fn define(&mut self, name: Vec<u8>, from: usize, header: usize) -> usize {
        let text = self.text;
        let (open, end) = function_body(text, header);
        let function = IrFunction {
            header: &text[header..open],
            body: text.get(open + 1..end).unwrap_or_default(),
            names: OnceCell::new(),
        };
        let mut linkage = Tokens::new(&text[from..header]);
        if !linkage.any(|token| token.is_word(b"available_externally")) {
            self.compiled.push(name.clone());
        }
        self.global(name.clone());
        self.functions.insert(name, function);
        (end + 1).min(text.len())
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

    /// Returns the names of the functions that LLVM compiles, in the order of the module.
    pub(super) fn compiled(&self) -> &[Vec<u8>] {
        &self.compiled
    }

    /// Returns the attributes of a function: those in its header and those of its groups.
    pub(super) fn attributes(&self, function: &IrFunction<'_>) -> Vec<u8> {
        let mut attributes = Vec::new();
        for token in Tokens::new(function.header_after_arguments()) {
            let group = Some(token).filter(|token| token.kind == Kind::Hash);
            match group.and_then(|token| token.number()) {
                Some(number) => {
                    attributes.extend_from_slice(
                        self.attributes.get(&number).copied().unwrap_or_default(),
                    );
                }
                None => attributes
                    .extend_from_slice(&function.header_after_arguments()[token.start..token.end]),
            }
            // The value of an attribute stands with it, as in `"name"="value"`.
            if token.kind == Kind::Word || token.kind == Kind::Hash {
                attributes.push(b' ');
            }
        }
        attributes
    }

    /// Returns the module's nodes of metadata.
    pub(super) fn metadata(&self) -> &Nodes {
        self.metadata.get_or_init(|| Nodes::new(self.text))
    }
}

impl<'a> IrFunction<'a> {
    /// Returns the part of the header after the list of arguments.
    fn header_after_arguments(&self) -> &'a [u8] {
        let mut depth = 0_usize;
        for token in Tokens::new(self.header) {
            match token.kind {
                Kind::Punctuation(b'(') => depth += 1,
                Kind::Punctuation(b')') if depth == 1 => return &self.header[token.end..],
                Kind::Punctuation(b')') => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        b""
    }

    fn locals(&self) -> &Locals {
        self.names.get_or_init(|| {
            let mut locals = Locals::default();
            locals.read_arguments(self.header);
            locals.read_body(self.body);
            locals
        })
    }

    pub(super) fn has_block(&self, name: &[u8]) -> bool {
        self.locals().blocks.contains(name)
    }

    /// Returns whether the function may have the block that a reference names.
    pub(super) fn may_have(&self, block: &IrBlock) -> bool {
        match block {
            IrBlock::Named(name) => self.has_block(name.as_bytes()),
            IrBlock::Number(number) => self.may_have_block_number(*number),
        }
    }

    fn may_have_block_number(&self, number: u32) -> bool {
        let locals = self.locals();
        let is_entry = locals.has_unnamed_entry && locals.unnamed_arguments == number;
        is_entry || !locals.has_all_labels || locals.blocks.contains(number.to_string().as_bytes())
    }

    pub(super) fn has_value(&self, name: &[u8]) -> bool {
        self.locals().values.contains_key(name)
    }

    /// Returns whether a value is known to be no pointer.
    pub(super) fn is_no_pointer(&self, name: &[u8]) -> bool {
        self.locals().values.get(name) == Some(&Some(false))
    }
}

impl Locals {
    fn read_arguments(&mut self, header: &[u8]) {
        let mut depth = 0_usize;
        let (mut ty, mut name): (Option<Token<'_>>, Option<Token<'_>>) = (None, None);
        for token in Tokens::new(header) {
            let ends = depth == 1 && (token.is(b',') || token.is(b')'));
            if ends && let Some(ty) = ty.take() {
                let is_pointer = Some(ty.is_word(b"ptr"));
                match name.take() {
                    Some(name) => {
                        self.values.insert(name.name(), is_pointer);
                    }
                    None if ty.is_word(b"...") => {}
                    None => {
                        self.values
                            .insert(self.unnamed_arguments.to_string().into(), is_pointer);
                        self.unnamed_arguments += 1;
                    }
                }
            }
            match token.kind {
                Kind::Punctuation(b'(' | b'[' | b'{' | b'<') => depth += 1,
                Kind::Punctuation(b')') if depth == 1 => return,
                Kind::Punctuation(b')' | b']' | b'}' | b'>') => depth = depth.saturating_sub(1),
                _ => {}
            }
            match ty {
                None if !token.is(b'(') && !token.is(b',') => ty = Some(token),
                Some(_) if depth == 1 && token.kind == Kind::Local => name = Some(token),
                _ => {}
            }
        }
    }

    fn read_body(&mut self, body: &[u8]) {
        let mut tokens = Tokens::new(body);
        let (mut depth, mut terminators, mut is_first) = (0_usize, 0_usize, true);
        self.has_unnamed_entry = true;
        while let Some(token) = tokens.next() {
            let next = tokens.peek();
            match token.kind {
                Kind::Punctuation(b'(' | b'[' | b'{') => depth += 1,
                Kind::Punctuation(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
                Kind::Word | Kind::String
                    if depth == 0
                        && next.is_some_and(|next| next.is(b':') && next.start == token.end) =>
                {
                    self.blocks.insert(token.name());
                    self.has_unnamed_entry &= !is_first;
                }
                Kind::Word if depth == 0 && TERMINATORS.iter().any(|word| token.is_word(word)) => {
                    terminators += 1;
                }
                Kind::Local if depth == 0 && next.is_some_and(|next| next.is(b'=')) => {
                    let mut after = tokens;
                    after.next();
                    self.values.insert(token.name(), is_pointer(after));
                }
                _ => {}
            }
            is_first = false;
        }
        self.has_all_labels =
            terminators <= self.blocks.len() + usize::from(self.has_unnamed_entry);
    }
}

/// The instructions that end a block.
const TERMINATORS: [&[u8]; 12] = [
    b"ret",
    b"br",
    b"switch",
    b"indirectbr",
    b"invoke",
    b"callbr",
    b"resume",
    b"unreachable",
    b"cleanupret",
    b"catchret",
    b"catchswitch",
    b"return",
];

/// Returns whether the result of the instruction is a pointer, where its first words tell.
fn is_pointer(mut tokens: Tokens<'_>) -> Option<bool> {
    let opcode = tokens.next()?;
    let mut ty = || tokens.find(|token| !matches!(token.text, b"volatile" | b"atomic" | b"fast"));
    match opcode.text {
        b"alloca" | b"inttoptr" => Some(true),
        b"load" => Some(ty()?.is_word(b"ptr")),
        b"add" | b"sub" | b"mul" | b"sdiv" | b"udiv" | b"srem" | b"urem" | b"and" | b"or"
        | b"xor" | b"shl" | b"lshr" | b"ashr" | b"fadd" | b"fsub" | b"fmul" | b"fdiv" | b"frem"
        | b"fneg" | b"icmp" | b"fcmp" | b"trunc" | b"zext" | b"sext" | b"fptrunc" | b"fpext"
        | b"fptosi" | b"fptoui" | b"sitofp" | b"uitofp" | b"ptrtoint" => Some(false),
        _ => None,
    }
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

/// Returns the offsets of the braces around the body of the function whose arguments begin at
/// `start`.
fn function_body(text: &[u8], start: usize) -> (usize, usize) {
    let (mut at, mut depth, mut open) = (start, 0_usize, None);
    let mut parentheses = 0_usize;
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
            b'(' if open.is_none() => parentheses += 1,
            b')' if open.is_none() => parentheses = parentheses.saturating_sub(1),
            b'{' | b'}' if parentheses != 0 => {}
            b'{' => {
                open = open.or(Some(at));
                depth += 1;
            }
            b'}' => {
                depth = depth.saturating_sub(1);
                if let Some(open) = open.filter(|_| depth == 0) {
                    return (open, at);
                }
            }
            _ => {}
        }
        at += 1;
    }
    (open.unwrap_or(text.len()), text.len())
}
