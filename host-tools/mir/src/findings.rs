//! Findings made of the errors of readers and the verifier, with their places in the text.

use crate::codes;
use crate::diagnostics::{Finding, Label, Span, Suggestion};
use crate::input::{Source, lossy, printed};
use crate::lines::{Line, LineFinder};
use crate::source_map::SourceMap;
use crate::violations::{describe, item_name};
use mir_nostd::ir::{Code, Error, FuncId, InsnId, Module, Place};
use mir_nostd::mem::Entity;
use mir_nostd::text;
use mir_nostd::verify::Violation;
use std::collections::HashMap;

/// Returns the finding for an error of a reader.
pub(crate) fn finding_of_reader(error: Error) -> Finding {
    let mut finding = Finding {
        kind: Some(error.kind()),
        ..Finding::error(codes::Code::of(error.problem), error.problem.text())
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
        ..Finding::error(codes::Code::MACHINE_IR, error.message)
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
        code: Some(match is_warning {
            true => codes::Code::LEFT_OUT,
            false => codes::Code::LLVM_IR,
        }),
        span: (error.line != 0).then_some(Span {
            line: error.line,
            column: error.column,
            len: 1,
            line_start: None,
        }),
        ..Finding::default()
    }
}

/// How the functions of a module are found in the text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// They are those of the text in its order.
    Same,
    /// Some of the text's are missing: they have their names.
    Named,
}

/// Locates in a source the findings on its modules.
///
/// The data to locate findings in one function or module are computed once, so violations reported
/// in order take linear time together.
pub(crate) struct Locator<'a> {
    source: &'a Source,
    order: Order,
    map: Option<SourceMap>,
    unnamed: Option<(usize, Vec<usize>)>,
    insns: Option<(usize, FuncId, HashMap<InsnId, usize>)>,
    finder: Option<LineFinder>,
}

impl<'a> Locator<'a> {
    pub(crate) const fn new(source: &'a Source) -> Locator<'a> {
        Locator::with(source, Order::Same)
    }

    /// Returns a locator for what could be read of a source with errors.
    pub(crate) const fn of_parts(source: &'a Source) -> Locator<'a> {
        Locator::with(source, Order::Named)
    }

    const fn with(source: &'a Source, order: Order) -> Locator<'a> {
        Locator {
            source,
            order,
            map: None,
            unnamed: None,
            insns: None,
            finder: None,
        }
    }

    /// Returns the finding for a violation in module number `number` of the source.
    pub(crate) fn finding(
        &mut self,
        number: usize,
        module: &Module<'_>,
        violation: &Violation,
    ) -> Finding {
        let (error, is_warning) = (violation.error, violation.is_warning);
        let place = self.place(number, module, error.place);
        let shown = place.span.and_then(|span| self.shown(span));
        let described = describe(module, violation, shown.as_deref());
        let labels = described.items.into_iter().filter_map(|(item, text)| {
            let span = self.span(number, module, Place::Item(item))?;
            Some(Label { span, text })
        });
        Finding {
            labels: labels.collect(),
            message: described.message,
            is_warning,
            kind: Some(error.kind()),
            code: Some(match is_warning {
                true => codes::Code::of_warning(error.problem),
                false => codes::Code::of(error.problem),
            }),
            suggestion: described.advice.map(|(text, replacement)| Suggestion {
                text,
                replacement: place.span.zip(replacement),
            }),
            ..place
        }
    }

    /// Returns the finding for an instruction that is an extension of the language.
    pub(crate) fn extension(
        &mut self,
        number: usize,
        module: &Module<'_>,
        func: FuncId,
        insn: InsnId,
    ) -> Finding {
        let operand = u16::MAX;
        let place = Place::Insn {
            func,
            insn,
            operand,
        };
        let name = module.code(insn).name();
        let message = format!(
            "`{name}` is an extension: the C implementation of the language does not have it"
        );
        Finding {
            message,
            is_warning: true,
            code: Some(codes::Code::EXTENSION),
            ..self.place(number, module, place)
        }
    }

    /// Returns the text of a place that is within a line.
    fn shown(&self, span: Span) -> Option<String> {
        let start = span.line_start? + (span.column as usize).checked_sub(1)?;
        let bytes = self.source.bytes.get(start..start + span.len as usize)?;
        (!bytes.contains(&b'\n')).then(|| lossy(bytes))
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
            origin: insn.and_then(|(func, insn)| self.origin(module, func, insn)),
            module: Some(lossy(module.name_bytes(module.name()))),
            function: item.and_then(|item| item_name(module, item)),
            insn: insn.map(|(func, insn)| insn_text(module, func, insn)),
            ..Finding::default()
        }
    }

    /// Returns the line that an instruction of a module in LLVM IR was made from.
    fn origin(&mut self, module: &Module<'_>, func: FuncId, insn: InsnId) -> Option<Line> {
        self.source.imported_lines()?;
        if self.finder.is_none() {
            self.finder = LineFinder::new(self.source, 0, &self.source.name);
        }
        let number = module.insns(func).position(|other| other == insn)?;
        self.finder.as_mut()?.line(module, func, number)
    }

    /// Returns the span of a place of a module in the text that the module was read from.
    fn span(&mut self, number: usize, module: &Module<'_>, place: Place) -> Option<Span> {
        if !self.source.is_text() {
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
                let place = func_number(map, self.order, (number, module), func)?;
                map.variable(number, place, reg)
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
                let place = func_number(map, self.order, (number, module), func)?;
                map.insn(number, place, *insns.2.get(&insn)?, operand)
            }
            _ => None,
        }
    }
}

/// Returns the number of a function among those of its module in the text.
fn func_number(
    map: &SourceMap,
    order: Order,
    (number, module): (usize, &Module<'_>),
    func: FuncId,
) -> Option<usize> {
    match order {
        Order::Same => Some(func.index()),
        Order::Named => {
            let name = module.item(module.func(func).item).name?;
            map.func_named(number, module.name_bytes(name))
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

fn insn_text(module: &Module<'_>, func: FuncId, insn: InsnId) -> String {
    printed(|out| text::print_insn(module, func, insn, out))
        .trim()
        .replace('\t', " ")
}
