//! Reads a file as LLVM does.
//!
//! Any bytes yield a file or an error with its position. The container is YAML ([`yaml`]), the
//! module is scanned for names ([`ir`]), the bodies have a syntax of their own ([`lexer`],
//! [`body`], [`insn`], [`operand`], [`memory`]).

mod body;
mod constant;
mod error;
mod fields;
mod function;
mod insn;
mod ir;
mod ir_tokens;
mod lexer;
mod memory;
mod metadata;
mod module;
mod operand;
mod state;
mod yaml;

pub use error::Error;

use crate::model::{File, Function, Module, Text};
use crate::target::{Isa, Target, Triple};
use error::{Fault, Result, fault, lossy};
use state::Words;
use std::collections::HashMap;
use yaml::{Documents, Node, Value};

/// Settings that LLVM takes from its command line.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The name that the module gets.
    pub name: String,
    /// The target, instead of the module's.
    pub triple: Option<Triple>,
    /// The architecture, instead of the triple's (`-march`).
    pub arch: Option<Isa>,
    /// The processor (`-mcpu`).
    pub cpu: String,
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
        Some(text) => {
            let renumbered = names.metadata().renumbered(text);
            module::with_head(renumbered.as_ref().unwrap_or(text), name, &triple)
        }
        None => {
            let functions: Vec<Text> = functions.iter().map(|name| (*name).into()).collect();
            let attributes = Module::stub_attributes(&options.cpu, &options.features);
            Module::stub(name, &triple, &attributes, &functions)
        }
    };
    let words = Words::new(target);
    let source = function::Source {
        input,
        target,
        names: &names,
        words: &words,
        options,
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

/// Reads the functions, whose names must differ; returns those that LLVM compiles in the order of
/// the module, with those that have no document.
fn functions_of<'a>(source: &function::Source<'a>, nodes: Vec<Node<'a>>) -> Result<Vec<Function>> {
    let mut functions = HashMap::with_capacity(nodes.len());
    for node in nodes {
        let at = node.at;
        let function = function::read(source, node)?;
        if functions.contains_key(&function.name) {
            let message = format!("redefinition of machine function '{}'", function.name);
            return fault(at, message);
        }
        functions.insert(function.name.clone(), function);
    }
    let names = source.names.compiled().iter();
    let read = names.map(|name| {
        let known = functions.remove(&Text::from(&name[..]));
        known.unwrap_or_else(|| function::without_document(source, name))
    });
    Ok(read.collect())
}

/// Returns the triple of the command line or the module, with the architecture that is wanted;
/// where none is named, that of this machine without a text.
fn triple(options: &ReadOptions, named: Option<&[u8]>) -> Result<Triple> {
    let given = match (&options.triple, named) {
        (Some(triple), _) => Some(triple.clone()),
        (None, Some(text)) => {
            let triple = str::from_utf8(text).ok().and_then(Triple::parse);
            let Some(triple) = triple else {
                let message = format!("unknown target triple '{}'", lossy(text));
                return Err(Fault::nowhere(message));
            };
            Some(triple)
        }
        (None, None) => None,
    };
    if let Some(triple) = given {
        let isa = options.arch.unwrap_or(triple.isa);
        return Ok(Triple { isa, ..triple });
    }
    let Some(isa) = options.arch.or_else(Isa::host) else {
        return Err(Fault::nowhere(
            "no target triple: neither module nor command line names one",
        ));
    };
    Ok(Triple {
        text: String::new(),
        isa,
    })
}
