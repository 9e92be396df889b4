//! Programs as they come in: files or standard input, text or binary, read and checked, with everything that is wrong
//! reported.

use crate::diagnostics::{Diagnostics, Finding, Span};
use crate::failure::{Failure, Result};
use crate::isa::Isa;
use crate::memory::MEMORY;
use crate::source_map::{ModulePlaces, SourceMap};
use mir_nostd::binary::{self, ReadOptions};
use mir_nostd::ir::{Code, Error, FuncId, InsnId, ItemId, Module, Operand, Place, Problem};
use mir_nostd::mem::Entity;
use mir_nostd::text;
use mir_nostd::verify::{Verified, Violation};
use std::io::Read;
use std::path::{Path, PathBuf};

/// A program as bytes.
pub(crate) struct Source {
    /// What messages call it.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// The name of standard input in messages.
const STANDARD_INPUT: &str = "standard input";

/// The one file that a command works on.
#[derive(clap::Args)]
pub(crate) struct InputArg {
    /// The file to read; standard input if it is `-` or missing
    #[arg(value_name = "IN")]
    input: Option<PathBuf>,
}

impl InputArg {
    pub(crate) fn source(&self) -> Result<Source> {
        Source::read(self.input.as_deref().unwrap_or(Path::new("-")))
    }
}

/// The files that a command works on.
#[derive(clap::Args)]
pub(crate) struct InputArgs {
    /// The files to read; standard input if there is none, or where one is `-`
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

impl InputArgs {
    pub(crate) fn sources(&self) -> impl Iterator<Item = Result<Source>> {
        let standard_input = self.files.is_empty().then(|| Path::new("-"));
        let files = self.files.iter().map(PathBuf::as_path);
        files.chain(standard_input).map(Source::read)
    }
}

impl Source {
    /// Reads a file, or standard input for `-`.
    pub(crate) fn read(path: &Path) -> Result<Source> {
        let mut bytes = Vec::new();
        let (name, read) = if path == Path::new("-") {
            let read = std::io::stdin().lock().read_to_end(&mut bytes).map(|_| ());
            (STANDARD_INPUT.into(), read)
        } else {
            let read = std::fs::read(path).map(|content| bytes = content);
            (path.display().to_string(), read)
        };
        read.map_err(|error| Failure::file(Path::new(&name), &error))?;
        Ok(Source { name, bytes })
    }

    pub(crate) fn is_binary(&self) -> bool {
        binary::is_binary(&self.bytes)
    }

    /// About how much memory the program takes until it runs; measured over real programs.
    pub(crate) fn expected_bytes(&self) -> usize {
        let each = if self.is_binary() { 24 } else { 12 };
        self.bytes
            .len()
            .saturating_mul(each)
            .saturating_add(1 << 16)
    }

    /// The modules of the program, which is for this ISA.
    pub(crate) fn modules(
        &self,
        isa: Isa,
        diagnostics: &Diagnostics,
    ) -> Result<Vec<Module<'static>>> {
        MEMORY.expect(self.expected_bytes());
        let target = isa.target();
        let mut report = |error: Error| {
            diagnostics.report(&self.name, &self.bytes, &finding_of_reader(error));
        };
        let read = if self.is_binary() {
            let options = ReadOptions::new(target.long_double, target.big_endian);
            binary::read(&self.bytes, &MEMORY, &options).inspect_err(|&error| report(error))
        } else {
            text::parse(&self.bytes, &MEMORY, target.long_double, &mut report)
        };
        let mut modules = read.map_err(|_| Failure::Program)?;
        let mut in_order: Vec<_> = core::iter::from_fn(|| modules.pop()).collect();
        in_order.reverse();
        Ok(in_order)
    }

    /// Checks the modules of this program.
    pub(crate) fn verify(
        &self,
        modules: Vec<Module<'static>>,
        isa: Isa,
        diagnostics: &Diagnostics,
    ) -> Result<Vec<Verified<'static>>> {
        let mut verified = Vec::with_capacity(modules.len());
        let mut passed = true;
        let mut reporter = Reporter::new(self, diagnostics);
        for (number, module) in modules.into_iter().enumerate() {
            let mut violations = Vec::new();
            match Verified::new(module, isa.target(), &mut |violation| {
                violations.push(violation);
            }) {
                Ok(module) => {
                    reporter.report(number, module.module(), &violations);
                    verified.push(module);
                }
                Err(rejected) => {
                    if violations.is_empty() {
                        // No rule was broken: there was no memory.
                        let finding = finding_of_reader(rejected.error);
                        diagnostics.report(&self.name, &self.bytes, &finding);
                    }
                    reporter.report(number, &rejected.module, &violations);
                    passed = false;
                }
            }
        }
        if passed {
            Ok(verified)
        } else {
            Err(Failure::Program)
        }
    }

    /// The modules of the program, checked.
    pub(crate) fn verified(
        &self,
        isa: Isa,
        diagnostics: &Diagnostics,
    ) -> Result<Vec<Verified<'static>>> {
        let modules = self.modules(isa, diagnostics)?;
        self.verify(modules, isa, diagnostics)
    }

    /// Says something about an item of a module of this program that has been checked.
    pub(crate) fn report_item(
        &self,
        number: usize,
        module: &Module<'_>,
        error: Error,
        diagnostics: &Diagnostics,
    ) {
        let violation = Violation {
            error,
            declaration: None,
            is_warning: false,
        };
        Reporter::new(self, diagnostics).report(number, module, &[violation]);
    }
}

impl Source {
    /// Names a place in a function of a module of this program.
    pub(crate) fn finding_in(
        &self,
        number: usize,
        module: &Module<'_>,
        func: FuncId,
        insn: Option<InsnId>,
    ) -> Finding {
        let item = Place::Item(module.func(func).item);
        let operand = u16::MAX;
        let place = insn.map_or(item, |insn| Place::Insn {
            func,
            insn,
            operand,
        });
        let mut map = None;
        Finding {
            span: self.span(&mut map, number, module, place),
            module: Some(lossy(module.name_bytes(module.name()))),
            function: item_name(module, module.func(func).item),
            insn: insn.map(|insn| insn_text(module, func, insn)),
            ..Finding::default()
        }
    }

    /// Where a place of a module is in the text; the map is made when it is needed first.
    fn span(
        &self,
        map: &mut Option<SourceMap>,
        number: usize,
        module: &Module<'_>,
        place: Place,
    ) -> Option<Span> {
        if self.is_binary() {
            return None;
        }
        let text = &self.bytes;
        let map = map.get_or_insert_with(|| SourceMap::new(text));
        span_in(text, map.modules.get(number)?, module, place)
    }
}

/// What a reader says about a file.
fn finding_of_reader(error: Error) -> Finding {
    let mut finding = Finding {
        kind: Some(error.kind()),
        ..Finding::error(error.problem.text())
    };
    match error.place {
        Place::Text { line, column, len } => finding.span = Some(Span { line, column, len }),
        Place::Byte(byte) => finding.byte = Some(byte),
        Place::Unpacked(byte) => {
            finding.note = Some(format!("at byte {byte} of the unpacked contents"));
        }
        _ => {}
    }
    finding
}

/// Says what is wrong with modules, and where in the text that is.
struct Reporter<'a> {
    source: &'a Source,
    diagnostics: &'a Diagnostics,
    map: Option<SourceMap>,
}

impl<'a> Reporter<'a> {
    const fn new(source: &'a Source, diagnostics: &'a Diagnostics) -> Reporter<'a> {
        Reporter {
            source,
            diagnostics,
            map: None,
        }
    }

    /// Reports violations of module number `number` of the source.
    fn report(&mut self, number: usize, module: &Module<'_>, violations: &[Violation]) {
        for violation in violations {
            let finding = self.finding(number, module, violation);
            let (name, bytes) = (&self.source.name, &self.source.bytes);
            self.diagnostics.report(name, bytes, &finding);
        }
    }

    fn finding(&mut self, number: usize, module: &Module<'_>, violation: &Violation) -> Finding {
        let Error { problem, place } = violation.error;
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
            message: message(module, violation),
            is_warning: violation.is_warning,
            kind: Some(problem.kind()),
            span: self.source.span(&mut self.map, number, module, place),
            byte: None,
            module: Some(lossy(module.name_bytes(module.name()))),
            function: item.and_then(|item| item_name(module, item)),
            insn: insn.map(|(func, insn)| insn_text(module, func, insn)),
            note: None,
        }
    }
}

/// Where a place of a module is in the text that it was read from.
fn span_in(text: &[u8], places: &ModulePlaces, module: &Module<'_>, place: Place) -> Option<Span> {
    match place {
        Place::Item(item) => match module.item(item).name {
            Some(name) => {
                let is_declaration = module.item(item).kind.is_declaration();
                places.named(text, module.name_bytes(name), is_declaration)
            }
            None => places.unnamed(text, unnamed_before(module, item)),
        },
        Place::Register { func, reg } => {
            let number = reg.index().checked_sub(module.func(func).arg_count())?;
            places.variable(text, func.index(), number)
        }
        Place::Insn {
            func,
            insn,
            operand,
        } => {
            let insns = module
                .insns(func)
                .filter(|&insn| module.code(insn) != Code::Label);
            let number = insns.take_while(|&before| before != insn).count();
            let operand = (operand != u16::MAX).then_some(usize::from(operand));
            places.insn(text, func.index(), number, operand)
        }
        _ => None,
    }
}

/// How many items without a name come before `item`.
fn unnamed_before(module: &Module<'_>, item: ItemId) -> usize {
    let before = module.items().take(item.index());
    before.filter(|(_, item)| item.name.is_none()).count()
}

/// What is wrong, with the names that it is about.
fn message(module: &Module<'_>, violation: &Violation) -> String {
    let text = violation.error.problem.text();
    let name = match violation.error.place {
        _ if violation.declaration.is_some() => violation
            .declaration
            .and_then(|item| item_name(module, item)),
        Place::Item(item) => item_name(module, item),
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

fn item_name(module: &Module<'_>, item: ItemId) -> Option<String> {
    let known = item.index() < module.items().len();
    let name = known.then(|| module.item(item).name)??;
    Some(lossy(module.name_bytes(name)))
}

/// An operand as text; `None` if it names something that is not there.
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

/// What a printer prints.
pub(crate) fn printed(print: impl FnOnce(&mut text::Sink<'_>) -> core::fmt::Result) -> String {
    let mut bytes = Vec::new();
    let _ = print(&mut |piece| {
        bytes.extend_from_slice(piece);
        Ok(())
    });
    lossy(&bytes)
}

/// Bytes of the language as text.
pub(crate) fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The text of modules.
pub(crate) fn text_of(modules: &[Module<'_>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for module in modules {
        let _ = text::print(module, &mut |piece| {
            bytes.extend_from_slice(piece);
            Ok(())
        });
    }
    bytes
}

/// The binary form of modules that are for this ISA.
pub(crate) fn binary_of(modules: &[Module<'_>], isa: Isa) -> Result<Vec<u8>> {
    let options = binary::WriteOptions::new(isa.target().big_endian);
    match binary::write(modules, &MEMORY, &options) {
        Ok(bytes) => Ok(bytes.to_vec()),
        Err(error) => Err(Failure::Usage(match error.problem {
            Problem::OutOfMemory => "out of memory".into(),
            problem => problem.text().into(),
        })),
    }
}
