//! The signatures of what programs import and export, as images have them: results, and arguments
//! in parentheses, as in `i32(p,...)`.

use mir_nostd::ir::{ItemKind, Module, Operand, Signature};
use std::collections::HashMap;

/// Signatures by name.
#[derive(Default, Debug)]
pub(crate) struct Signatures {
    imports: HashMap<Vec<u8>, Vec<String>>,
    exports: HashMap<Vec<u8>, String>,
}

/// Returns a signature as images have it.
fn text(module: &Module<'_>, signature: &Signature) -> String {
    let results: Vec<_> = module
        .results(signature)
        .iter()
        .map(ToString::to_string)
        .collect();
    let args = module
        .args(signature)
        .iter()
        .map(|arg| match arg.ty.is_block() {
            true => format!("{}:{}", arg.ty, arg.size),
            false => arg.ty.to_string(),
        });
    let more = signature.is_vararg().then(|| "...".to_owned());
    let args: Vec<_> = args.chain(more).collect();
    format!("{}({})", results.join(","), args.join(","))
}

impl Signatures {
    /// Adds those of a module: of imports the prototypes of calls that name them.
    pub(crate) fn add(&mut self, module: &Module<'_>) {
        for (id, item) in module.items() {
            if let (ItemKind::Func(func), Some(name)) = (item.kind, item.name)
                && module.is_exported(id)
            {
                let signature = text(module, &module.func(func).signature);
                (self.exports).insert(module.name_bytes(name).to_vec(), signature);
            }
        }
        let insns = module.funcs().flat_map(|(func, _)| module.insns(func));
        for insn in insns.filter(|&insn| module.code(insn).is_call()) {
            let (Some(Operand::Item(proto)), Some(Operand::Item(callee))) =
                (module.operand(insn, 0), module.operand(insn, 1))
            else {
                continue;
            };
            let callee = module.item(module.resolve(callee));
            if let (ItemKind::Proto(signature), Some(name)) = (module.item(proto).kind, callee.name)
            {
                let signature = text(module, &signature);
                let known = self
                    .imports
                    .entry(module.name_bytes(name).to_vec())
                    .or_default();
                if !known.contains(&signature) {
                    known.push(signature);
                }
            }
        }
    }

    /// Returns that of an import; several, with `;` between them, if calls differ.
    pub(super) fn of_import(&self, name: &[u8]) -> String {
        let fixed = match name {
            b"mir_fault" => "(p,i64,i64)",
            b"memmove" => "p(p,p,i64)",
            _ => "",
        };
        match self.imports.get(name) {
            Some(known) => known.join(";"),
            None => fixed.to_owned(),
        }
    }

    /// Returns that of an export; nothing for data.
    pub(super) fn of_export(&self, name: &[u8]) -> &str {
        self.exports.get(name).map_or("", String::as_str)
    }
}
