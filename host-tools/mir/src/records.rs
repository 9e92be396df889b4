//! This module finds what holds the variables of C, C++ or Rust that debug records give values.
//!
//! A variable has no memory where clang or rustc has optimised, but at each place a value of LLVM
//! IR, or none ([`llvm_ir::Lines::values`]). The importer made a variable of Medium IR of the
//! value; so a place holds the variable if it holds that one, in code that comes from an
//! instruction before which both are the same.

use crate::arguments::{Holder, Range};
use llvm_ir::{KnownValue, VariableValues};
use mir_nostd::codegen::{self, Compiler};
use mir_nostd::ir::Reg;

/// A part of a function's code with the instructions of the source that come right before and after
/// it, or the one that it comes from twice.
type Part = (u32, u32, [Option<usize>; 2]);

/// Returns the parts of the code of the function that was compiled last.
pub(crate) fn parts(compiler: &Compiler<'_>) -> Vec<Part> {
    let places = &compiler.output.code.places;
    let ends = places.iter().skip(1).map(|&(at, _)| at);
    let ends = ends.chain([compiler.output.code.len()]);
    let site = |insn| codegen::own_site(&compiler.function, insn).map(|site| site as usize);
    let mut before = None;
    let mut parts: Vec<Part> = (places.iter().zip(ends))
        .map(|(&(at, insn), end)| {
            let own = site(insn);
            before = own.or(before);
            (at, end, [before, own])
        })
        .collect();
    let mut after = None;
    for (_, _, [_, own]) in parts.iter_mut().rev() {
        after = own.or(after);
        *own = after;
    }
    parts
}

/// Returns the ranges of the code in which a place holds a variable, by those in which places hold
/// the variables of Medium IR.
pub(crate) fn ranges<'a>(
    parts: &[Part],
    values: &VariableValues,
    held: &dyn Fn(Reg) -> &'a [Range],
) -> Vec<Range> {
    let mut all: Vec<Range> = Vec::new();
    let mut add = |range: Range| match all.last_mut() {
        _ if range.0 >= range.1 => {}
        Some(last) if last.1 == range.0 && last.2 == range.2 => last.1 = range.1,
        _ => all.push(range),
    };
    for &(start, end, [before, after]) in parts {
        let known = |site: Option<usize>| values.before(site?);
        let value = known(after).filter(|value| before.is_none() || known(before) == Some(*value));
        match value {
            None => {}
            Some(KnownValue::Number(value)) => add((start, end, Holder::Number(value))),
            Some(KnownValue::Variable(reg)) => {
                let ranges = held(reg);
                let first = ranges.partition_point(|&(_, to, _)| to <= start);
                let within = ranges[first..].iter().take_while(|&&(from, ..)| from < end);
                within.for_each(|&(from, to, holder)| add((from.max(start), to.min(end), holder)));
            }
        }
    }
    all
}
