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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::{Diagnostics, excerpt};
    use crate::input::in_order;
    use crate::memory::MEMORY;
    use crate::wording::finding_of_text;
    use core::time::Duration;
    use mir_nostd::text;
    use std::path::Path;
    use std::time::Instant;
    use testkit::readers::alter;

    /// Returns the wrong programs of the tests.
    fn programs() -> Vec<Vec<u8>> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics");
        let files = folder.read_dir().expect("the folder").flatten();
        files
            .map(|file| std::fs::read(file.path()).expect("a file"))
            .collect()
    }

    /// Tells everything that is wrong with a program in every form.
    fn tell(bytes: &[u8]) {
        let source = Source::new("program", bytes.to_vec());
        let isa = Isa::host();
        let mut errors = Vec::new();
        let long_double = isa.target().long_double;
        let mut report = |error| errors.push(error);
        let parsed = text::parse_partly(bytes, &MEMORY, long_double, &mut report);
        let modules = in_order(parsed.modules);
        let outline = Outline::new(bytes);
        let told = errors.iter().map(|&error| finding_of_text(&outline, error));
        let mut findings: Vec<Finding> = told.collect();
        findings.extend(violations(&source, &outline, &modules, &errors, isa));
        for finding in &findings {
            assert!(finding.code.is_some());
            assert!(!Diagnostics::default().line("program", finding).is_empty());
            assert!(!excerpt("program", bytes, finding).is_empty());
        }
    }

    #[test]
    fn altered_programs_are_told_without_panics() {
        let programs = programs();
        programs.iter().for_each(|program| tell(program));
        let mut random = fastrand::Rng::with_seed(1);
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(1) {
            let mut bytes = programs[random.usize(..programs.len())].clone();
            let other = &programs[random.usize(..programs.len())];
            alter(&mut bytes, other, &mut random);
            tell(&bytes);
        }
    }
}
