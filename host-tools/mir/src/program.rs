//! A program to run: its files, read, checked and linked together, and what is said about it
//! afterwards.

use crate::codes::Code;
use crate::diagnostics::{Call, Diagnostics, Finding};
use crate::failure::{Failure, Result};
use crate::findings::Locator;
use crate::input::Source;
use crate::isa::Isa;
use crate::memory::MEMORY;
use crate::stop::Stop;
use crate::times::Times;
use mir_host::Symbols;
use mir_nostd::confined;
use mir_nostd::interp::Frame;
use mir_nostd::ir::{Error, FuncId, ItemId, ItemKind, Module, Place, Problem};
use mir_nostd::link::{Context, Reason};
use mir_nostd::verify::Verified;
use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Instant;

/// The files of a program.
#[derive(Debug)]
pub(crate) struct Program {
    sources: Vec<Source>,
    /// How many modules each file has.
    module_counts: Vec<usize>,
}

/// The modules of each file.
pub(crate) type Modules<M> = Vec<Vec<M>>;

/// Returns the names to whose definitions weak ones give way in the first of several files; in
/// those after it they give way to what the files before them define weakly, too.
pub(crate) fn shared_names(sources: &[Source]) -> HashSet<String> {
    match sources {
        [_, _, ..] => sources.iter().flat_map(Source::strong_names).collect(),
        _ => HashSet::new(),
    }
}

impl Program {
    /// Gets the files, or standard input if there is none, and reads their modules.
    pub(crate) fn read(
        files: &[PathBuf],
        isa: Isa,
        diagnostics: &Diagnostics,
        times: &mut Times,
    ) -> Result<(Program, Modules<Module<'static>>)> {
        let standard_input = [PathBuf::from("-")];
        let files = match files {
            [] => &standard_input,
            files => files,
        };
        let sources = files
            .iter()
            .map(|file| Source::read(file))
            .collect::<Result<Vec<_>>>()?;
        MEMORY.expect(sources.iter().map(Source::expected_bytes).sum());
        let start = Instant::now();
        let mut shared = shared_names(&sources);
        let modules = sources.iter().map(|source| {
            source.share(&shared);
            let modules = source.modules(isa, diagnostics);
            shared.extend(source.shares().iter().cloned());
            modules
        });
        let modules = all(modules.collect())?;
        times.read = start.elapsed();
        times.count(modules.iter().flatten());
        let module_counts = modules.iter().map(Vec::len).collect();
        let program = Program {
            sources,
            module_counts,
        };
        Ok((program, modules))
    }

    /// Checks all modules.
    pub(crate) fn verify(
        &self,
        modules: Modules<Module<'static>>,
        isa: Isa,
        diagnostics: &Diagnostics,
        times: &mut Times,
    ) -> Result<Modules<Verified<'static>>> {
        let start = Instant::now();
        let sources = self.sources.iter().zip(modules);
        let verified = sources.map(|(source, modules)| source.verify(modules, isa, diagnostics));
        let verified = all(verified.collect());
        times.verify = start.elapsed();
        verified
    }

    /// Returns the names that may be without a definition: they are null then.
    fn weak(&self) -> impl Iterator<Item = &[u8]> {
        let names = self.sources.iter().flat_map(Source::weak);
        names.map(Vec::as_slice)
    }

    /// Loads all modules and links them with each other and with the symbols of the process.
    pub(crate) fn link(
        &self,
        context: &Context<'static>,
        modules: Modules<Verified<'static>>,
        symbols: &mut Symbols,
        diagnostics: &Diagnostics,
        times: &mut Times,
    ) -> Result<()> {
        let start = Instant::now();
        for (file, modules) in modules.into_iter().enumerate() {
            for (number, module) in modules.into_iter().enumerate() {
                // SAFETY: who runs a program by this command trusts it like any other command.
                let loaded = unsafe { context.load(module) };
                loaded.map_err(|error| self.reject(file, number, error, diagnostics))?;
            }
        }
        let weak: HashSet<&[u8]> = self.weak().collect();
        let mut missing = Vec::new();
        let linked = context.link(&mut |name| {
            let found = symbols.find(name);
            let found = found.or_else(|| weak.contains(name).then_some(0));
            if found.is_none() {
                // Linking goes on to find all that is missing; nothing of it is run then.
                missing.push(name.to_vec());
            }
            Some(found.unwrap_or(usize::MAX))
        });
        times.link = start.elapsed();
        MEMORY.settle();
        if !missing.is_empty() {
            self.report_missing(&missing, diagnostics);
            return Err(Failure::Program);
        }
        linked.map_err(|error| {
            self.report(
                &Finding::error(Code::of(error.problem), error.problem.text()),
                diagnostics,
            );
            Failure::Program
        })
    }

    /// A file's module could not be loaded: it is read again, as it is gone.
    fn reject(
        &self,
        file: usize,
        number: usize,
        error: Error,
        diagnostics: &Diagnostics,
    ) -> Failure {
        let source = &self.sources[file];
        let modules = source.modules(Isa::host(), diagnostics);
        match modules
            .ok()
            .and_then(|modules| modules.into_iter().nth(number))
        {
            Some(module) => {
                let mut locator = Locator::new(source);
                source.report_item(&mut locator, number, &module, error, diagnostics);
            }
            None => self.report(
                &Finding::error(Code::of(error.problem), error.problem.text()),
                diagnostics,
            ),
        }
        Failure::Program
    }

    /// Says which imports nothing defines, each at its first place.
    pub(crate) fn report_missing(&self, missing: &[Vec<u8>], diagnostics: &Diagnostics) {
        let mut missing: HashSet<&[u8]> = missing.iter().map(Vec::as_slice).collect();
        for source in &self.sources {
            let modules = source.modules(Isa::host(), diagnostics).unwrap_or_default();
            let mut locator = Locator::new(source);
            for (number, module) in modules.iter().enumerate() {
                for (item, name) in imports(module) {
                    if missing.remove(name) {
                        let error = Error::at(Problem::UnresolvedImport, Place::Item(item));
                        source.report_item(&mut locator, number, module, error, diagnostics);
                    }
                }
            }
        }
    }

    /// The file of a linked module, and its number in the file.
    pub(crate) fn place_of(
        &self,
        context: &Context<'static>,
        module: &Module<'static>,
    ) -> Option<(&Source, usize)> {
        let mut linked = (0..).map_while(|number| context.module(number));
        self.source_of(linked.position(|linked| core::ptr::eq(linked.module(), module))?)
    }

    /// Returns the file of the linked module of this number, and the module's number in the file.
    pub(crate) fn source_of(&self, mut number: usize) -> Option<(&Source, usize)> {
        for (source, &count) in self.sources.iter().zip(&self.module_counts) {
            if number < count {
                return Some((source, number));
            }
            number -= count;
        }
        None
    }

    /// Says why a run stopped, where, and how it came there.
    pub(crate) fn report_stop(
        &self,
        context: &Context<'static>,
        stop: &Stop<'_>,
        diagnostics: &Diagnostics,
    ) {
        let find = |frame: &Frame<'_, 'static>| {
            let (source, number) = self.place_of(context, frame.module)?;
            Some((source, finding_at(source, number, frame)))
        };
        let Some((source, mut finding)) = stop.backtrace.place().and_then(find) else {
            return self.report(&Finding::error(Code::FAULT, &stop.reason), diagnostics);
        };
        finding.message.clone_from(&stop.reason);
        finding.code = Some(Code::FAULT);
        let calls = stop.backtrace.calls(|frame| {
            let (_, at) = find(frame)?;
            let line = at.line().map(|line| format!(" (line {line})"));
            Some(at.function.unwrap_or_default() + &line.unwrap_or_default())
        });
        if !calls.is_empty() {
            finding.note = Some(format!("called from {}", calls.join(", from ")));
        }
        diagnostics.report(&source.name, &source.bytes, &finding);
    }

    /// Says why a confined program ended, and where. Its modules were rewritten, so the file is
    /// read again.
    pub(crate) fn report_fault(
        &self,
        program: &confined::Program<'static, 'static>,
        fault: &confined::Fault,
        diagnostics: &Diagnostics,
    ) {
        let name = fault
            .function
            .map_or(&b""[..], |function| program.name(function));
        let mut finding = self
            .place_in(fault.function, fault.instruction, name, diagnostics)
            .unwrap_or_else(|| (String::from("mir"), Finding::default()));
        let (file, finding) = (finding.0, &mut finding.1);
        finding.message = fault.reason.to_string();
        finding.code = Some(Code::FAULT);
        finding.reason = Some(reason_word(fault.reason));
        finding.address = fault.address();
        finding.number = fault.instruction;
        if finding.function.is_none() && !name.is_empty() {
            finding.function = Some(String::from_utf8_lossy(name).into_owned());
        }
        self.add_calls(program, finding, diagnostics);
        let source = self.sources.iter().find(|source| source.name == file);
        diagnostics.report(&file, source.map_or(&[], |source| &source.bytes), finding);
    }

    /// Adds the calls that were under way when a confined program faulted.
    fn add_calls(
        &self,
        program: &confined::Program<'static, 'static>,
        finding: &mut Finding,
        diagnostics: &Diagnostics,
    ) {
        let backtrace = program.backtrace();
        for frame in &backtrace.frames {
            let name = program.name(frame.function);
            let place = self.place_in(Some(frame.function), frame.instruction, name, diagnostics);
            finding.backtrace.push(Call {
                function: String::from_utf8_lossy(name).into_owned(),
                number: frame.instruction,
                line: place.and_then(|(_, place)| place.line()),
            });
        }
        let outer = finding.backtrace.iter().skip(1).map(|call| {
            let line = call.line.map(|line| format!(" (line {line})"));
            call.function.clone() + &line.unwrap_or_default()
        });
        let mut outer: Vec<String> = outer.collect();
        if backtrace.is_cut {
            outer.push("others".into());
        }
        if !outer.is_empty() {
            finding.note = Some(format!("called from {}", outer.join(", from ")));
        }
    }

    /// Returns the file and place of an instruction of a confined program.
    fn place_in(
        &self,
        function: Option<confined::Function>,
        instruction: Option<u32>,
        name: &[u8],
        diagnostics: &Diagnostics,
    ) -> Option<(String, Finding)> {
        let (source, number) = self.source_of(function?.module as usize)?;
        let modules = source.modules(Isa::host(), diagnostics).ok()?;
        let module = modules.into_iter().nth(number)?;
        let item = module.item_named(module.find_name(name)?)?;
        let ItemKind::Func(func) = module.item(item).kind else {
            return None;
        };
        let insn = instruction.and_then(|insn| module.insns(func).nth(insn as usize));
        let place = match insn {
            Some(insn) => Place::Insn {
                func,
                insn,
                operand: u16::MAX,
            },
            None => Place::Item(item),
        };
        Some((
            source.name.clone(),
            Locator::new(source).place(number, &module, place),
        ))
    }

    /// Says something about a function of the linked module of this number.
    pub(crate) fn report_function(
        &self,
        (number, module): (Option<usize>, &Module<'_>),
        func: FuncId,
        (code, message): (Code, String),
        diagnostics: &Diagnostics,
    ) {
        let Some((source, number)) = number.and_then(|number| self.source_of(number)) else {
            return self.report(&Finding::error(code, message), diagnostics);
        };
        let place = Place::Item(module.func(func).item);
        let finding = Finding {
            message,
            code: Some(code),
            ..Locator::new(source).place(number, module, place)
        };
        diagnostics.report(&source.name, &source.bytes, &finding);
    }

    /// Says something about the program as a whole.
    pub(crate) fn report(&self, finding: &Finding, diagnostics: &Diagnostics) {
        if let Some(source) = self.sources.first() {
            diagnostics.report(&source.name, &source.bytes, finding);
        }
    }
}

/// Returns the word by which programs tell reasons apart.
pub(crate) const fn reason_word(reason: Reason) -> &'static str {
    match reason {
        Reason::OutOfFuel => "fuel",
        Reason::Stack | Reason::Depth => "stack",
        Reason::OutOfMemory => "memory",
        Reason::Division => "division",
        Reason::SwitchRange => "switch",
        Reason::BadLabel => "label",
        Reason::EndReached => "end",
        Reason::Signature => "signature",
        Reason::BadAddress(_) => "address",
        Reason::BadFunction(_) => "function",
        Reason::Host(_) => "import",
        Reason::Unaligned => "unaligned",
        _ => "other",
    }
}

/// A finding that has nothing but the place of a frame.
fn finding_at(source: &Source, number: usize, frame: &Frame<'_, 'static>) -> Finding {
    let (module, func) = (frame.module, frame.func);
    let place = match frame.insn {
        Some(insn) => Place::Insn {
            func,
            insn,
            operand: u16::MAX,
        },
        None => Place::Item(module.func(func).item),
    };
    Locator::new(source).place(number, module, place)
}

/// The names that a module imports.
fn imports<'a>(module: &'a Module<'_>) -> impl Iterator<Item = (ItemId, &'a [u8])> {
    module.items().filter_map(|(number, item)| {
        let name = item.name.filter(|_| item.kind == ItemKind::Import)?;
        Some((number, module.name_bytes(name)))
    })
}

/// All results, or the worst failure: a wrong command line before a wrong program.
fn all<T>(results: Vec<Result<T>>) -> Result<Vec<T>> {
    let mut taken = Vec::with_capacity(results.len());
    let mut failure = None;
    for result in results {
        match result {
            Ok(value) => taken.push(value),
            Err(Failure::Program) => failure = failure.or(Some(Failure::Program)),
            Err(usage) => failure = Some(usage),
        }
    }
    failure.map_or(Ok(taken), Err)
}
