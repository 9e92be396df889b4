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
    /// Returns the attributes that functions get from the processor and the features of the command
    /// line.
    #[must_use]
    pub fn stub_attributes(cpu: &str, features: &str) -> String {
        let given = [("target-cpu", cpu), ("target-features", features)];
        let given = given.iter().filter(|(_, value)| !value.is_empty());
        let attributes: Vec<_> = given
            .map(|(name, value)| format!("\"{name}\"=\"{value}\""))
            .collect();
        attributes.join(" ")
    }

    /// Returns the module of functions about which nothing is known.
    ///
    /// `attributes` are those that each function gets, as they are written.
    #[must_use]
    pub fn stub(name: &str, triple: &Triple, attributes: &str, functions: &[Text]) -> Module {
        let layout = data_layout(triple.isa);
        let mut text = format!(
            "; ModuleID = '{name}'\nsource_filename = \"{name}\"\ntarget datalayout = \"{layout}\"\n"
        )
        .into_bytes();
        if !triple.text.is_empty() {
            text.extend_from_slice(format!("target triple = \"{}\"\n", triple.text).as_bytes());
        }
        let group: &[u8] = if attributes.is_empty() { b"" } else { b" #0" };
        for function in functions {
            text.extend_from_slice(b"\ndefine void @");
            crate::print::push_name(&mut text, function.as_bytes());
            text.extend_from_slice(b"()");
            text.extend_from_slice(group);
            text.extend_from_slice(b" {\nentry:\n  unreachable\n}\n");
        }
        if !attributes.is_empty() {
            let group = format!("\nattributes #0 = {{ {attributes} }}\n");
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
