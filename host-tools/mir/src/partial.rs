//! The verifier over what could be read of a text with errors, without what follows from those.

use crate::diagnostics::Finding;
use crate::findings::Locator;
use crate::input::Source;
use crate::isa::Isa;
use crate::outline::{Entry, Outline};
use mir_nostd::ir::{Error, FuncId, InsnId, ItemId, Module, Operand, Place};
use mir_nostd::mem::Entity;
use mir_nostd::verify::{Violation, verify};
use std::collections::HashSet;

/// Returns what is wrong in the functions and items of a text in which its reader found no error.
pub(crate) fn violations(
    source: &Source,
    outline: &Outline<'_>,
    modules: &[Module<'static>],
    errors: &[Error],
    isa: Isa,
) -> Vec<Finding> {
    let mut locator = Locator::of_parts(source);
    let mut findings: Vec<Finding> = Vec::new();
    for (number, module) in modules.iter().enumerate() {
        let broken = Broken::new(outline, number, errors);
        let mut report = |violation: Violation| {
            if !broken.explains(module, &violation) {
                let finding = locator.finding(number, module, &violation);
                if !findings.last().is_some_and(|last| finding.repeats(last)) {
                    findings.push(finding);
                }
            }
        };
        // Its verdict repeats the first that it reports.
        let _ = verify(module, isa.target(), &mut report);
    }
    findings
}

/// The parts of a module that were not read as they are written.
#[derive(Default)]
struct Broken<'t> {
    functions: HashSet<&'t [u8]>,
    /// The names of items, broken functions included.
    names: HashSet<&'t [u8]>,
    has_items: bool,
}

impl<'t> Broken<'t> {
    fn new(outline: &Outline<'t>, module: usize, errors: &[Error]) -> Broken<'t> {
        let mut broken = Broken::default();
        for error in errors.iter().filter(|error| !error.problem.is_warning()) {
            let Place::Text { line, column, .. } = error.place else {
                continue;
            };
            let entry = outline.at(outline.offset(line, column));
            if let Some(entry) = entry.filter(|entry| entry.module == Some(module)) {
                broken.add(outline, entry);
            }
        }
        broken
    }

    /// Adds the statement of an error.
    fn add(&mut self, outline: &Outline<'t>, entry: &Entry) {
        let head = outline.func_of(entry);
        let functions = head.into_iter().flat_map(|head| &head.labels);
        self.functions
            .extend(functions.map(|name| outline.bytes(name)));
        let is_head = outline.word_of(entry) == b"func";
        if entry.func.is_some() && !is_head {
            return;
        }
        self.has_items = true;
        let names = entry.labels.iter().chain(&entry.statement.operands);
        self.names.extend(names.map(|name| outline.bytes(name)));
    }

    /// True if the violation may only follow from an error of the reader.
    fn explains(&self, module: &Module<'_>, violation: &Violation) -> bool {
        let declared = violation.declaration;
        if declared.is_some_and(|item| self.has_item(module, item)) {
            return true;
        }
        match violation.error.place {
            Place::Item(item) => self.has_item(module, item),
            Place::Register { func, .. } => self.has_function(module, func),
            Place::Insn { func, insn, .. } => {
                self.has_function(module, func) || self.has_operand(module, insn)
            }
            _ => true,
        }
    }

    fn has_function(&self, module: &Module<'_>, func: FuncId) -> bool {
        let name = module.item(module.func(func).item).name;
        name.is_none_or(|name| self.functions.contains(module.name_bytes(name)))
    }

    /// True for an item that is broken, or that cannot be found in the text for those that are.
    fn has_item(&self, module: &Module<'_>, item: ItemId) -> bool {
        if item.index() >= module.items().len() {
            return true;
        }
        match module.item(item).name {
            Some(name) => self.names.contains(module.name_bytes(name)),
            None => self.has_items,
        }
    }

    /// True if an instruction has a broken item as an operand.
    fn has_operand(&self, module: &Module<'_>, insn: InsnId) -> bool {
        module.operands(insn).any(|operand| match operand {
            Operand::Item(item) => self.has_item(module, item),
            _ => false,
        })
    }
}
