//! Reads the module document, which is kept as text with a normalised head.

use super::yaml::Literal;
use crate::model::Module;
use crate::target::{Triple, data_layout};

/// Returns the lines of a literal block without their indentation.
pub(super) fn text(input: &[u8], literal: Literal) -> Vec<u8> {
    let lines = input.get(literal.start..literal.end).unwrap_or(b"");
    let mut text = Vec::with_capacity(lines.len());
    for line in lines.split_inclusive(|&byte| byte == b'\n') {
        let blanks = line.iter().take_while(|&&byte| byte == b' ').count();
        text.extend_from_slice(&line[blanks.min(literal.indent)..]);
    }
    text
}

/// Returns a module with the head that LLVM writes: name, source file, data layout, triple.
pub(super) fn with_head(text: &[u8], name: &str, triple: &Triple) -> Module {
    let mut source = format!("source_filename = \"{name}\"").into_bytes();
    let mut layout = format!("target datalayout = \"{}\"", data_layout(triple.isa)).into_bytes();
    let mut rest = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let trimmed = line.trim_ascii_end();
        if trimmed.starts_with(b"source_filename") {
            source = trimmed.to_vec();
        } else if trimmed.starts_with(b"target datalayout") {
            layout = trimmed.to_vec();
        } else if !trimmed.starts_with(b"; ModuleID") && !trimmed.starts_with(b"target triple") {
            rest.extend_from_slice(line);
        }
    }
    let mut head = format!("; ModuleID = '{name}'\n").into_bytes();
    head.extend_from_slice(&source);
    head.push(b'\n');
    head.extend_from_slice(&layout);
    head.push(b'\n');
    if !triple.text.is_empty() {
        head.extend_from_slice(format!("target triple = \"{}\"\n", triple.text).as_bytes());
    }
    let start = rest
        .iter()
        .position(|&byte| byte != b'\n')
        .unwrap_or(rest.len());
    if start != rest.len() {
        head.push(b'\n');
        head.extend_from_slice(&rest[start..]);
    }
    Module { text: head }
}
