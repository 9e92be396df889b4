//! Medium IR as text: parser and printer. `docs/reference/text.md` describes the language.
//!
//! Promises: reading takes time and memory proportional to the text, without recursion; a file
//! yields all its modules or none; every error says where it is and what to write instead. Printing
//! makes the bytes that the reference implementation makes, except where those could not be read
//! back: infinities print as `1e9999`, NaNs as `nan(0xBITS)`, both with the suffix of their type.
//!
//! The reader takes more than the reference implementation: a last line without newline, blank
//! lines after a label, CR before a newline, `inf` and `nan` where no register or item has that
//! name, `nan(0xBITS)`, data of type `p`, `ref` without displacement, hard registers in `local`.

mod functions;
mod items;
mod lexer;
mod operands;
mod parser;
mod printer;
mod report;
mod symbols;

pub use parser::{Parsed, parse, parse_partly};
pub use printer::{Sink, print, print_insn, print_item, print_operand, print_string};
pub use report::MAX_ERRORS;
pub use symbols::directives;
