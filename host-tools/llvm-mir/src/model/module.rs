//! Files and their modules.

use super::{Function, Text};
use crate::target::{Target, Triple, data_layout};

/// The LLVM IR module of a file, kept as text.
#[derive(Clone, PartialEq, Debug)]
pub struct Module {
    /// The lines, without the indentation that they have in the file.
    pub text: Vec<u8>,
}

impl Module {
    /// Returns the module of functions about which nothing is known.
    ///
    /// `features` are those of the command line, which each function gets as attribute.
    #[must_use]
    pub fn stub(name: &str, triple: &Triple, features: &str, functions: &[Text]) -> Module {
        let mut text = format!(
            "; ModuleID = '{name}'\nsource_filename = \"{name}\"\ntarget datalayout = \"{}\"\ntarget triple = \"{}\"\n",
            data_layout(triple.isa),
            triple.text
        )
        .into_bytes();
        let group: &[u8] = if features.is_empty() { b"" } else { b" #0" };
        for function in functions {
            text.extend_from_slice(b"\ndefine void @");
            crate::print::push_name(&mut text, function.as_bytes());
            text.extend_from_slice(b"()");
            text.extend_from_slice(group);
            text.extend_from_slice(b" {\nentry:\n  unreachable\n}\n");
        }
        if !features.is_empty() {
            let group = format!("\nattributes #0 = {{ \"target-features\"=\"{features}\" }}\n");
            text.extend_from_slice(group.as_bytes());
        }
        Module { text }
    }
}

/// A file of Machine IR.
#[derive(Clone, Debug)]
pub struct File {
    /// The target.
    pub target: &'static Target,
    /// The module, which is always printed.
    pub module: Module,
    /// The functions.
    pub functions: Vec<Function>,
}
