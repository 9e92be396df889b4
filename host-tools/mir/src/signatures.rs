//! Calls whose prototype is not the signature of the function that they name. They do what C's
//! convention makes of them, which is seldom what was meant. The verifier finds those in one
//! module; here are those from module to module.

use crate::codes::Code;
use crate::diagnostics::{Diagnostics, Finding};
use crate::findings::Locator;
use crate::input::{Source, lossy};
use mir_nostd::ir::{InsnId, Item, ItemKind, Module, Operand, Place, Problem, Signature};
use mir_nostd::verify::Verified;
use std::collections::HashMap;

/// A source with its modules.
pub(crate) type Checked = (Source, Vec<Verified<'static>>);

/// The functions that modules export, by name; of several the last.
type Exports<'a> = HashMap<&'a [u8], (&'a Module<'static>, Signature)>;

/// Warns of each call in these sources that names an imported function which one of them exports
/// with another signature than the call's prototype.
pub(crate) fn warn_of_calls(sources: &[Checked], diagnostics: &Diagnostics) {
    let modules = sources.iter().flat_map(|(_, modules)| modules);
    let exports: Exports<'_> = modules
        .flat_map(|module| exports(module.module()))
        .collect();
    for (source, modules) in sources {
        let mut locator = Locator::new(source);
        for (number, module) in modules.iter().enumerate() {
            let module = module.module();
            for (func, _) in module.funcs() {
                for insn in module
                    .insns(func)
                    .filter(|&insn| module.code(insn).is_call())
                {
                    let Some(message) = across_modules(module, insn, &exports) else {
                        continue;
                    };
                    let place = Place::Insn {
                        func,
                        insn,
                        operand: 1,
                    };
                    let finding = Finding {
                        message,
                        is_warning: true,
                        code: Some(Code::of(Problem::OtherSignature)),
                        ..locator.place(number, module, place)
                    };
                    diagnostics.report(&source.name, &source.bytes, &finding);
                }
            }
        }
    }
}

/// The functions that a module exports.
fn exports<'a>(
    module: &'a Module<'static>,
) -> impl Iterator<Item = (&'a [u8], (&'a Module<'static>, Signature))> {
    module.items().filter_map(move |(id, item)| {
        let ItemKind::Func(func) = item.kind else {
            return None;
        };
        let name = item.name.filter(|_| module.is_exported(id))?;
        let signature = module.func(func).signature;
        Some((module.name_bytes(name), (module, signature)))
    })
}

/// Says how a call's prototype and the function of its module that it names differ.
pub(crate) fn in_module(module: &Module<'_>, insn: InsnId) -> Option<String> {
    let (proto, callee) = named(module, insn)?;
    let (ItemKind::Proto(sent), ItemKind::Func(func)) = (proto.kind, callee.kind) else {
        return None;
    };
    let taken = module.func(func).signature;
    let names = [proto, callee].map(|item| name_of(module, item));
    Some(message(names, [text(module, &sent), text(module, &taken)]))
}

/// Says how a call's prototype and the imported function that it names differ, if they do.
fn across_modules(module: &Module<'_>, insn: InsnId, exports: &Exports<'_>) -> Option<String> {
    let (proto, callee) = named(module, insn)?;
    let (ItemKind::Proto(sent), ItemKind::Import) = (proto.kind, callee.kind) else {
        return None;
    };
    let (theirs, taken) = exports.get(module.name_bytes(callee.name?))?;
    if sent.agrees(module, taken, theirs) {
        return None;
    }
    let names = [proto, callee].map(|item| name_of(module, item));
    Some(message(names, [text(module, &sent), text(theirs, taken)]))
}

/// The prototype of a call, and the item that it names.
fn named<'a>(module: &'a Module<'_>, insn: InsnId) -> Option<(&'a Item, &'a Item)> {
    let (Some(Operand::Item(proto)), Some(Operand::Item(callee))) =
        (module.operand(insn, 0), module.operand(insn, 1))
    else {
        return None;
    };
    Some((module.item(proto), module.item(module.resolve(callee))))
}

fn message([proto, callee]: [String; 2], [sent, taken]: [String; 2]) -> String {
    format!(
        "the function has another signature than the call's prototype: {callee} ({taken}), {proto} ({sent})"
    )
}

fn name_of(module: &Module<'_>, item: &Item) -> String {
    item.name
        .map_or(String::new(), |name| lossy(module.name_bytes(name)))
}

/// A signature as `proto` and `func` have it.
fn text(module: &Module<'_>, signature: &Signature) -> String {
    let results = module.results(signature).iter().map(|ty| ty.to_string());
    let args = module.args(signature).iter().map(|arg| {
        let name = lossy(module.name_bytes(arg.name));
        match arg.ty.is_block() {
            true => format!("{}:{}({name})", arg.ty, arg.size),
            false => format!("{}:{name}", arg.ty),
        }
    });
    let more = signature.is_vararg().then(|| "...".to_owned());
    results
        .chain(args)
        .chain(more)
        .collect::<Vec<_>>()
        .join(", ")
}
