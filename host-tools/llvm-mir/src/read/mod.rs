//! Reads a file as LLVM does.
//!
//! Any bytes yield a file or an error with its position. The container is YAML ([`yaml`]), the
//! module is scanned for names ([`ir`]), the bodies have a syntax of their own ([`lexer`],
//! [`body`], [`insn`], [`operand`], [`memory`]).

mod body;
mod error;
mod fields;
mod function;
mod insn;
mod ir;
mod lexer;
mod memory;
mod metadata;
mod module;
mod operand;
mod state;
mod yaml;

pub use error::Error;

use crate::model::{File, Function, Module, Text};
use crate::target::{Target, Triple};
use error::{Fault, Result, fault, lossy};
use state::Words;
use std::collections::HashSet;
use yaml::{Documents, Node, Value};

/// Settings that LLVM takes from its command line.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The name that the module gets.
    pub name: String,
    /// The target, instead of the module's.
    pub triple: Option<Triple>,
    /// Features of the target (`-mattr`).
    pub features: String,
    /// Accepts call site information (`-emit-call-site-info`).
    pub call_site_info: bool,
}

/// Reads a file.
///
/// # Errors
/// An error where LLVM refuses the file, with line and column as LLVM counts them.
pub fn read(input: &[u8], options: &ReadOptions) -> core::result::Result<File, Error> {
    read_file(input, options).map_err(|fault| fault.located(input))
}

fn read_file(input: &[u8], options: &ReadOptions) -> Result<File> {
    let (text, nodes) = documents(input)?;
    let functions: Vec<&[u8]> = nodes.iter().filter_map(function::name_of).collect();
    let names = match &text {
        Some(text) => ir::Names::new(text),
        None => ir::stub(functions.iter().copied()),
    };
    let triple = triple(options, names.triple)?;
    let target = Target::of(triple.isa);
    let name = if options.name.is_empty() {
        "<stdin>"
    } else {
        &options.name
    };
    let module = match &text {
        Some(text) => module::with_head(text, name, &triple),
        None => {
            let functions: Vec<Text> = functions.iter().map(|name| (*name).into()).collect();
            Module::stub(name, &triple, &options.features, &functions)
        }
    };
    let words = Words::new(target);
    let call_site_info = options.call_site_info;
    let source = function::Source {
        input,
        target,
        names: &names,
        words: &words,
        call_site_info,
    };
    Ok(File {
        target,
        module,
        functions: functions_of(&source, nodes)?,
    })
}

/// Returns the module, if there is one, and the documents of the functions.
fn documents(input: &[u8]) -> Result<(Option<Vec<u8>>, Vec<Node<'_>>)> {
    let mut documents = Documents::new(input);
    let mut next = documents.next()?;
    let mut text = None;
    if let Some(Node {
        value: Value::Literal(literal),
        ..
    }) = next
    {
        text = Some(module::text(input, literal));
        next = documents.next()?;
    }
    let mut nodes = Vec::new();
    while let Some(node) = next {
        nodes.push(node);
        next = documents.next()?;
    }
    Ok((text, nodes))
}

/// Reads the functions, whose names must differ.
fn functions_of<'a>(source: &function::Source<'a>, nodes: Vec<Node<'a>>) -> Result<Vec<Function>> {
    let mut functions = Vec::with_capacity(nodes.len());
    let mut seen = HashSet::new();
    for node in nodes {
        let at = node.at;
        let function = function::read(source, node)?;
        if !seen.insert(function.name.clone()) {
            let message = format!("redefinition of machine function '{}'", function.name);
            return fault(at, message);
        }
        functions.push(function);
    }
    Ok(functions)
}

fn triple(options: &ReadOptions, named: Option<&[u8]>) -> Result<Triple> {
    if let Some(triple) = &options.triple {
        return Ok(triple.clone());
    }
    match named {
        Some(text) => {
            let triple = str::from_utf8(text).ok().and_then(Triple::parse);
            triple.ok_or_else(|| Fault::nowhere(format!("unknown target triple '{}'", lossy(text))))
        }
        None => Err(Fault::nowhere(
            "no target triple: neither module nor command line names one",
        )),
    }
}
