//! Raises generic Machine IR to LLVM IR: code as LLVM's `GlobalISel` translates it (`llc
//! -global-isel -stop-after=irtranslator`).
//!
//! The module of such a file is LLVM IR. Types, data, declarations and signatures are taken from
//! it, and the code of functions from their generic instructions ([`function`], [`operations`]).
//! Arguments and results, which are copies from and to physical registers and accesses to the
//! stack, are found by the calling convention ([`abi`], [`calls`]). Of the functions' bodies in the
//! module only the types of their calls are used.

mod abi;
mod calls;
mod classes;
mod function;
mod operations;
mod values;

use crate::ast::{Block, Body, Function, Module, Op};
use crate::error::{Error, Result, SourcePosition};
use crate::parse;
use crate::types::DataLayout;
use function::{Context, Raise};
use llvm_mir::ReadOptions;
use llvm_mir::model::{File, Position};
use llvm_mir::target::Isa;
use mir_nostd::target::{Description, RegisterFile};
use std::collections::HashMap;

/// Returns whether the content is a file of Machine IR: it begins with a YAML document, after
/// comments.
pub(crate) fn is_machine_ir(content: &[u8]) -> bool {
    let mut lines = content
        .split(|&byte| byte == b'\n')
        .map(|line| line.trim_ascii());
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"#"));
    first.is_some_and(|first| first == b"---" || first.starts_with(b"--- "))
}

/// Returns the module of a file of Machine IR, LLVM IR as text; empty if there is none.
fn module_text(content: &[u8]) -> &[u8] {
    let mut at = 0;
    for line in content.split_inclusive(|&byte| byte == b'\n') {
        if line.trim_ascii() == b"..." {
            return &content[..at];
        }
        at += line.len();
    }
    content
}

/// Returns the triple of a file of Machine IR.
pub(crate) fn triple(content: &[u8]) -> Option<String> {
    let lines = module_text(content).split(|&byte| byte == b'\n');
    let mut lines = lines.map(|line| line.trim_ascii());
    let line = lines.find(|line| line.starts_with(b"target triple"))?;
    let quoted = line.split(|&byte| byte == b'"').nth(1)?;
    Some(String::from_utf8_lossy(quoted).into_owned())
}

/// Returns the module of a file at its place, with everything before it blanked out, so that errors
/// have the file's lines and columns. Returns `None` if the layout is not that of LLVM.
fn module_in_place(content: &[u8]) -> Option<Vec<u8>> {
    let mut text = module_text(content).to_vec();
    for line in text.split_inclusive_mut(|&byte| byte == b'\n') {
        let is_head = line.starts_with(b"---");
        if is_head && line.trim_ascii() != b"--- |" {
            return None;
        }
        let end = line.len() - usize::from(line.ends_with(b"\n"));
        line[..end].fill(b' ');
        if is_head {
            return Some(text);
        }
    }
    None
}

/// The offsets at which the lines of a file begin.
struct Places {
    lines: Vec<usize>,
}

impl Places {
    fn new(content: &[u8]) -> Places {
        let ends = content
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b'\n');
        let begins = ends.map(|(at, _)| at + 1);
        Places {
            lines: core::iter::once(0).chain(begins).collect(),
        }
    }

    /// Returns the line and column of an offset.
    fn of(&self, position: Position) -> SourcePosition {
        let at = position.0 as usize;
        let line = self.lines.partition_point(|&begin| begin <= at);
        let begin = self.lines.get(line.wrapping_sub(1)).copied().unwrap_or(0);
        SourcePosition {
            line: u32::try_from(line).unwrap_or(0),
            column: u32::try_from(at - begin + 1).unwrap_or(0),
        }
    }
}

/// Reads a file; functions that cannot be raised are recorded in `skipped` and remain declarations.
pub(crate) fn parse(
    content: &[u8],
    layout: DataLayout,
    description: &'static Description,
    skipped: &mut Vec<Error>,
) -> Result<Module> {
    let options = ReadOptions::default();
    let file = llvm_mir::read(content, &options).map_err(|error| Error {
        line: u32::try_from(error.line).unwrap_or(0),
        column: u32::try_from(error.column).unwrap_or(0),
        function: None,
        message: error.message,
    })?;
    let isa = file.target.isa();
    if !matches!(isa, Isa::Aarch64 | Isa::Riscv64 | Isa::X86_64) {
        let message = "generic Machine IR comes through for aarch64, riscv64 and x86_64";
        return Err(SourcePosition::default().error(message));
    }
    let places = Places::new(content);
    // Errors in bodies in LLVM IR do not matter, as these are not imported.
    let mut ignored = Vec::new();
    let text = module_in_place(content).unwrap_or_else(|| file.module.text.clone());
    let mut module = parse::parse(&text, layout, &mut ignored)?;
    let bodies = if isa.name() == description.target.name {
        raise(&file, &mut module, description.registers, &places, skipped)?
    } else {
        // The importer refuses the module by its triple.
        Vec::new()
    };
    for function in &mut module.functions {
        function.body = None;
    }
    for (number, body) in bodies {
        let function = &mut module.functions[number];
        for (param, local) in function.params.iter_mut().zip(0..) {
            param.local = Some(crate::ast::LocalId(local));
        }
        function.body = Some(body);
    }
    Ok(module)
}

/// Raises the functions of a file, and returns their bodies, each with the function's number in the
/// module; those that cannot be raised are recorded in `skipped`.
fn raise(
    file: &File,
    module: &mut Module,
    registers: &'static RegisterFile,
    places: &Places,
    skipped: &mut Vec<Error>,
) -> Result<Vec<(usize, Body)>> {
    let names = module.functions.iter().enumerate();
    let by_name: HashMap<_, _> = names
        .map(|(number, function)| (function.name.as_str(), number))
        .collect();
    let mut bodies = Vec::new();
    for generic in &file.functions {
        let name = generic.name.to_string();
        let Some(&number) = by_name.get(name.as_str()) else {
            let place = places.of(generic.position);
            return Err(place.error(format!("@{name} is not of the module")));
        };
        let context = Context {
            target: file.target,
            registers,
            functions: &module.functions,
            by_name: &by_name,
            places,
        };
        let raised = Raise::new(&context, generic, number, &mut module.types).function();
        match raised {
            Ok(body) => bodies.push((number, body)),
            Err(mut error) => {
                error.function = Some(name);
                skipped.push(error);
            }
        }
    }
    Ok(bodies)
}

/// Returns the calls of a block in LLVM IR that are also calls in machine code.
fn calls_of(block: &Block) -> impl Iterator<Item = &crate::ast::Call> {
    block.insns.iter().filter_map(|insn| match &insn.op {
        Op::Call(call) if !callee_name(call).is_some_and(|name| name.starts_with("llvm.")) => {
            Some(&**call)
        }
        _ => None,
    })
}

/// Returns the name of the function that is called directly.
fn callee_name(call: &crate::ast::Call) -> Option<&str> {
    use crate::ast::{Const, Value};
    match &call.callee {
        Value::Const(Const::Global(name)) => Some(name),
        _ => None,
    }
}

/// Returns the numbers of the blocks in LLVM IR by name.
fn block_numbers(function: &Function) -> HashMap<&str, usize> {
    let names = function.body.iter().flat_map(|body| &body.block_names);
    names
        .enumerate()
        .map(|(number, name)| (name.as_str(), number))
        .collect()
}
