#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

mod body;
mod decode;
pub mod run;
mod translate;

pub use translate::translate;

use core::fmt;
use mir_nostd::ir;

/// The numbers of the helpers that a program may call.
#[derive(Clone, Copy, Debug)]
pub struct Helpers<'a>(pub &'a [u32]);

/// An error: the problem and its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Error {
    /// The number of the instruction, in slots of eight bytes from 0.
    pub at: usize,
    /// The problem.
    pub problem: Problem,
}

/// The problem with an instruction, by its name where it has one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Problem {
    /// The program ends within an instruction, or has none.
    CutShort,
    /// There is no such opcode.
    Opcode(u8),
    /// The instruction has a value in this field that it does not admit.
    Field(&'static str, &'static str),
    /// The instruction writes to `r10`.
    FramePointer(&'static str),
    /// The instruction is left out here, for this reason.
    LeftOut(&'static str, &'static str),
    /// A jump goes to no instruction of its function, or a call to none at all.
    Target,
    /// There is no helper of this number.
    Helper(u32),
    /// Control runs past the last instruction of the function.
    RunsOffEnd,
    /// The module cannot be built: for want of memory, or because the program is too large.
    Build(ir::Error),
}

impl Problem {
    /// Returns the problem at an instruction.
    const fn at(self, at: usize) -> Error {
        Error { at, problem: self }
    }
}

impl From<ir::Error> for Problem {
    fn from(error: ir::Error) -> Problem {
        Problem::Build(error)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::CutShort => f.write_str("the program is cut short"),
            Problem::Opcode(opcode) => write!(f, "there is no opcode {opcode:#04x}"),
            Problem::Field(name, field) => write!(f, "`{name}` with a wrong {field}"),
            Problem::FramePointer(name) => write!(f, "`{name}` writes to r10"),
            Problem::LeftOut(name, reason) => write!(f, "`{name}`: {reason}"),
            Problem::Target => f.write_str("there is no instruction of the function to go to"),
            Problem::Helper(number) => write!(f, "there is no helper {number}"),
            Problem::RunsOffEnd => f.write_str("the function goes on after its last instruction"),
            Problem::Build(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "instruction {}: {}", self.at, self.problem)
    }
}

impl core::error::Error for Error {}
