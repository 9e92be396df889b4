//! Findings made of the errors of readers and the verifier, with their places in the text.

use crate::diagnostics::{Finding, Span};
use crate::input::{Source, lossy, printed};
use crate::signatures;
use crate::source_map::SourceMap;
use mir_nostd::ir::{
    Code, Error, FuncId, InsnId, ItemId, ItemKind, Module, Operand, Place, Problem,
};
use mir_nostd::mem::Entity;
use mir_nostd::text;
use mir_nostd::verify::Violation;
use std::collections::HashMap;

/// Returns the finding for an error of a reader.
pub(crate) fn finding_of_reader(error: Error) -> Finding {
    let mut finding = Finding {
        kind: Some(error.kind()),
        ..Finding::error(error.problem.text())
    };
    match error.place {
        Place::Text { line, column, len } => {
            let line_start = None;
            finding.span = Some(Span {
                line,
                column,
                len,
                line_start,
            });
        }
        Place::Byte(byte) => finding.byte = Some(byte),
        Place::Unpacked(byte) => {
            finding.note = Some(format!("at byte {byte} of the unpacked contents"));
        }
        _ => {}
    }
    finding
}

/// Returns the finding for an error of the reader of LLVM's Machine IR.
pub(crate) fn finding_of_machine_ir(error: llvm_mir::Error) -> Finding {
    let small = |number| u32::try_from(number).unwrap_or(u32::MAX);
    let span = Span {
        line: small(error.line),
        column: small(error.column),
        len: 1,
        line_start: None,
    };
    Finding {
        span: (error.line != 0).then_some(span),
        ..Finding::error(error.message)
    }
}

/// Returns the finding for an error of the importer of LLVM IR.
pub(crate) fn finding_of_import(error: &llvm_ir::Error, is_warning: bool) -> Finding {
    let function = error
        .function
        .as_ref()
        .map_or(String::new(), |name| format!("in function @{name}: "));
    Finding {
        message: function + &error.message,
        is_warning,
        span: (error.line != 0).then_some(Span {
            line: error.line,
            column: error.column,
            len: 1,
            line_start: None,
        }),
        ..Finding::default()
    }
}

/// Locates in a source the findings on its modules.
///
/// The data to locate findings in one function or module are computed once, so violations reported
/// in order take linear time together.
pub(crate) struct Locator<'a> {
    source: &'a Source,
    map: Option<SourceMap>,
    unnamed: Option<(usize, Vec<usize>)>,
    insns: Option<(usize, FuncId, HashMap<InsnId, usize>)>,
}

impl<'a> Locator<'a> {
    pub(crate) const fn new(source: &'a Source) -> Locator<'a> {
        Locator {
            source,
            map: None,
            unnamed: None,
            insns: None,
        }
    }

    /// Returns the finding for a violation in module number `number` of the source.
    pub(crate) fn finding(
        &mut self,
        number: usize,
        module: &Module<'_>,
        violation: &Violation,
    ) -> Finding {
        Finding {
            message: message(module, violation),
            is_warning: violation.is_warning,
            kind: Some(violation.error.kind()),
            ..self.place(number, module, violation.error.place)
        }
    }

    /// Returns a finding that has nothing but its place.
    pub(crate) fn place(&mut self, number: usize, module: &Module<'_>, place: Place) -> Finding {
        let (func, insn) = match place {
            Place::Insn { func, insn, .. } => (Some(func), Some((func, insn))),
            Place::Register { func, .. } => (Some(func), None),
            _ => (None, None),
        };
        let item = match place {
            Place::Item(item) => Some(item),
            _ => func.map(|func| module.func(func).item),
        };
        Finding {
            span: self.span(number, module, place),
            module: Some(lossy(module.name_bytes(module.name()))),
            function: item.and_then(|item| item_name(module, item)),
            insn: insn.map(|(func, insn)| insn_text(module, func, insn)),
            ..Finding::default()
        }
    }

    /// Returns the span of a place of a module in the text that the module was read from.
    fn span(&mut self, number: usize, module: &Module<'_>, place: Place) -> Option<Span> {
        if self.source.is_binary() {
            return None;
        }
        let text = &self.source.bytes;
        let map = self.map.get_or_insert_with(|| SourceMap::new(text));
        match place {
            Place::Item(item) => match module.item(item).name {
                Some(name) => {
                    let is_declaration = module.item(item).kind.is_declaration();
                    map.named(number, module.name_bytes(name), is_declaration)
                }
                None => {
                    let unnamed = fresh(
                        &mut self.unnamed,
                        |known| known.0 == number,
                        || (number, unnamed_items(module)),
                    );
                    map.unnamed(number, *unnamed.1.get(item.index())?)
                }
            },
            Place::Register { func, reg } => {
                let reg = reg.index().checked_sub(module.func(func).arg_count())?;
                map.variable(number, func.index(), reg)
            }
            Place::Insn {
                func,
                insn,
                operand,
            } => {
                let insns = fresh(
                    &mut self.insns,
                    |known| (known.0, known.1) == (number, func),
                    || (number, func, insn_numbers(module, func)),
                );
                let operand = (operand != u16::MAX).then_some(usize::from(operand));
                map.insn(number, func.index(), *insns.2.get(&insn)?, operand)
            }
            _ => None,
        }
    }
}

/// Returns the cached value if it is the wanted one, else a new one.
fn fresh<T>(known: &mut Option<T>, is_it: impl Fn(&T) -> bool, make: impl FnOnce() -> T) -> &mut T {
    if !known.as_ref().is_some_and(is_it) {
        *known = None;
    }
    known.get_or_insert_with(make)
}

/// Returns for each item the number of unnamed items before it.
fn unnamed_items(module: &Module<'_>) -> Vec<usize> {
    let count = |before: &mut usize, is_unnamed: bool| {
        let number = *before;
        *before += usize::from(is_unnamed);
        Some(number)
    };
    let unnamed = module.items().map(|(_, item)| item.name.is_none());
    unnamed.scan(0, count).collect()
}

/// Returns the numbers of a function's instructions, labels not counted.
fn insn_numbers(module: &Module<'_>, func: FuncId) -> HashMap<InsnId, usize> {
    let insns = module
        .insns(func)
        .filter(|&insn| module.code(insn) != Code::Label);
    insns.zip(0..).collect()
}

/// Returns the message of a violation, with the names that it is about.
fn message(module: &Module<'_>, violation: &Violation) -> String {
    if let (Problem::OtherSignature, Place::Insn { insn, .. }) =
        (violation.error.problem, violation.error.place)
        && let Some(message) = signatures::in_module(module, insn)
    {
        return message;
    }
    let text = violation.error.problem.text();
    let name = match violation.error.place {
        _ if violation.declaration.is_some() => violation
            .declaration
            .and_then(|item| item_name(module, item)),
        Place::Item(item) => {
            let block = match violation.error.problem {
                Problem::CallTooLarge => largest_block(module, item),
                _ => None,
            };
            let block = block.map_or(String::new(), |size| format!(", a block of {size} bytes"));
            item_name(module, item).map(|name| name + &block)
        }
        Place::Register { func, reg } => {
            let register = module.func(func).registers().get(reg.index());
            register.map(|register| lossy(module.name_bytes(register.name)))
        }
        Place::Insn {
            func,
            insn,
            operand,
        } => operand_text(module, func, insn, operand),
        _ => None,
    };
    name.map_or_else(|| text.into(), |name| format!("{text}: {name}"))
}

/// Returns the size of the largest block among the arguments of a function or prototype.
fn largest_block(module: &Module<'_>, item: ItemId) -> Option<u64> {
    let signature = match module.item(item).kind {
        ItemKind::Proto(signature) => signature,
        ItemKind::Func(func) => module.func(func).signature,
        _ => return None,
    };
    let args = module.args(&signature).iter();
    args.map(|arg| arg.size).max().filter(|&size| size > 0)
}

fn item_name(module: &Module<'_>, item: ItemId) -> Option<String> {
    let known = item.index() < module.items().len();
    let name = known.then(|| module.item(item).name)??;
    Some(lossy(module.name_bytes(name)))
}

/// Returns an operand as text; `None` if the module has no such operand, or if it is a string.
fn operand_text(module: &Module<'_>, func: FuncId, insn: InsnId, operand: u16) -> Option<String> {
    let operand = module.operand(insn, usize::from(operand))?;
    let is_short = !matches!(operand, Operand::Str(_));
    is_short.then(|| printed(|out| text::print_operand(module, func, operand, out)))
}

fn insn_text(module: &Module<'_>, func: FuncId, insn: InsnId) -> String {
    printed(|out| text::print_insn(module, func, insn, out))
        .trim()
        .replace('\t', " ")
}
