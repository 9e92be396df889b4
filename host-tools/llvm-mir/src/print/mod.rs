//! Prints a file as LLVM does, byte for byte.

mod body;
mod function;
mod memory;
mod name;
mod operand;
mod vector;
mod yaml;

pub(crate) use name::push_name;

use crate::model::{File, Function, Instruction};
use crate::target::Target;

/// Options of printing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PrintOptions {
    /// Leaves out values that are defaults (`-simplify-mir`).
    pub simplify: bool,
    /// Prints call site information (`-emit-call-site-info`).
    pub call_site_info: bool,
}

/// Prints single instructions of a function.
pub(crate) struct InstructionPrinter<'a>(operand::Context<'a>);

impl<'a> InstructionPrinter<'a> {
    pub(crate) fn new(target: &'static Target, function: &'a Function) -> InstructionPrinter<'a> {
        InstructionPrinter(operand::Context::new(operand::Names { target, function }))
    }

    pub(crate) fn text(&self, insn: &Instruction) -> String {
        let mut out = Vec::new();
        body::push_instruction(&mut out, &self.0, insn);
        String::from_utf8_lossy(&out).into_owned()
    }
}

/// Returns the text of a file.
#[must_use]
pub fn print(file: &File, options: PrintOptions) -> Vec<u8> {
    let mut out = b"--- |\n".to_vec();
    for line in file.module.text.split_inclusive(|&byte| byte == b'\n') {
        out.extend_from_slice(b"  ");
        out.extend_from_slice(line);
    }
    if !out.ends_with(b"\n") {
        out.push(b'\n');
    }
    out.extend_from_slice(b"...\n");
    for function in &file.functions {
        out = function::print(file.target, function, options, out);
    }
    out
}

/// Adds the digits of a number.
fn push_number(out: &mut Vec<u8>, number: impl Into<i128>) {
    let number: i128 = number.into();
    if number < 0 {
        out.push(b'-');
    }
    let mut rest = number.unsigned_abs();
    let mut digits = [0; 40];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

/// Adds a number in lower-case hexadecimal, padded with zeros to `width` digits.
fn push_hex(out: &mut Vec<u8>, number: u64, width: usize) {
    out.extend_from_slice(format!("{number:0width$x}").as_bytes());
}
