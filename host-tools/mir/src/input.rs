//! Programs as they come in: files or standard input, text or binary, read and checked, with
//! everything that is wrong reported.

use crate::codes::Code;
use crate::diagnostics::{Diagnostics, Finding, Suggestion};
use crate::failure::{Failure, Refusal, Result};
use crate::findings::{Locator, finding_of_import, finding_of_reader};
use crate::formats;
use crate::isa::Isa;
use crate::memory::MEMORY;
use crate::outline::Outline;
use crate::partial;
use crate::progress::Progress;
use crate::request;
use crate::wording::finding_of_text;
use mir_nostd::binary::{self, ReadOptions};
use mir_nostd::ir::{Error, Module, Problem};
use mir_nostd::text;
use mir_nostd::verify::{Verified, Violation, integers_only};
use std::collections::HashSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A program as bytes.
#[derive(Debug)]
pub(crate) struct Source {
    /// Its name in messages.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    /// The lines that the module comes from, once the source was imported from LLVM IR.
    lines: OnceLock<llvm_ir::Lines>,
    /// The names to whose definitions in other files weak ones give way.
    shared: OnceLock<HashSet<String>>,
    /// The weak definitions that this one has for all, once it was imported.
    shares: OnceLock<Vec<String>>,
    /// The names of its modules that are weak, once it was imported.
    weak: OnceLock<Vec<Vec<u8>>>,
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
    /// Returns the content of a file.
    pub(crate) fn new(name: impl Into<String>, bytes: Vec<u8>) -> Source {
        Source {
            name: name.into(),
            bytes,
            lines: OnceLock::new(),
            shared: OnceLock::new(),
            shares: OnceLock::new(),
            weak: OnceLock::new(),
        }
    }

    /// Returns the same source once more.
    pub(crate) fn again(&self) -> Source {
        let again = Source::new(self.name.clone(), self.bytes.clone());
        if let Some(lines) = self.lines.get() {
            let _ = again.lines.set(lines.clone());
        }
        if let Some(shared) = self.shared.get() {
            again.share(shared);
        }
        again
    }

    /// Returns the lines that the module comes from, if it was imported from LLVM IR.
    pub(crate) fn imported_lines(&self) -> Option<&llvm_ir::Lines> {
        self.lines.get()
    }

    /// Says which names other files define, as far as weak definitions give way to them.
    pub(crate) fn share(&self, shared: &HashSet<String>) {
        let _ = self.shared.set(shared.clone());
    }

    /// Returns the weak definitions that this file has for all, once its modules were read.
    pub(crate) fn shares(&self) -> &[String] {
        self.shares.get().map_or(&[], Vec::as_slice)
    }

    /// Returns the names of weak definitions, and of imports that are null if nothing defines them,
    /// once its modules were read.
    pub(crate) fn weak(&self) -> &[Vec<u8>] {
        self.weak.get().map_or(&[], Vec::as_slice)
    }

    /// Returns the names that this file defines and that are not weak, if it is in LLVM IR.
    pub(crate) fn strong_names(&self) -> Vec<String> {
        match self.is_llvm_ir() {
            true => llvm_ir::strong_names(&self.bytes),
            false => Vec::new(),
        }
    }

    /// True if it came from standard input.
    pub(crate) fn is_standard_input(&self) -> bool {
        self.name == STANDARD_INPUT
    }

    /// Reads a file, or standard input for `-`, which a persistent worker needs for itself.
    pub(crate) fn read(path: &Path) -> Result<Source> {
        let mut bytes = Vec::new();
        if path == Path::new("-") && request::is_served() {
            let message = "a persistent worker reads files only; name one";
            return Err(Failure::Usage(message.into()));
        }
        let (name, read) = if path == Path::new("-") {
            let read = std::io::stdin().lock().read_to_end(&mut bytes).map(|_| ());
            (STANDARD_INPUT.into(), read)
        } else {
            let read = std::fs::read(request::path(path)).map(|content| bytes = content);
            (path.display().to_string(), read)
        };
        read.map_err(|error| Failure::file(Path::new(&name), &error))?;
        Ok(Source::new(name, bytes))
    }

    pub(crate) fn is_binary(&self) -> bool {
        binary::is_binary(&self.bytes)
    }

    fn is_llvm_ir(&self) -> bool {
        self.name.ends_with(".ll") || llvm_ir::is_llvm_ir(&self.bytes)
    }

    /// True if it is Medium IR as text.
    pub(crate) fn is_text(&self) -> bool {
        !self.is_binary() && !self.is_llvm_ir()
    }

    /// About how much memory the program takes until it runs; measured over real programs.
    pub(crate) fn expected_bytes(&self) -> usize {
        let each = if self.is_binary() { 24 } else { 8 };
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
        if self.is_llvm_ir() {
            let options = llvm_ir::Options {
                shared: self.shared.get(),
                ..llvm_ir::Options::new(isa.description())
            };
            return Ok(vec![self.imported(&options, diagnostics)?]);
        }
        if let Some(format) = formats::by_magic(&self.bytes) {
            return Err(self.refuse_format(format, diagnostics));
        }
        let _progress = Progress::of(format!("reading {}", self.name));
        if !self.is_binary() {
            return self.parsed(isa, diagnostics);
        }
        let target = isa.target();
        let options = ReadOptions::new(target.long_double, target.big_endian);
        let read = binary::read(&self.bytes, &MEMORY, &options);
        read.map(in_order).map_err(|error| {
            diagnostics.report(&self.name, &self.bytes, &finding_of_reader(error));
            Failure::Program
        })
    }

    /// Returns the modules of a text.
    fn parsed(&self, isa: Isa, diagnostics: &Diagnostics) -> Result<Vec<Module<'static>>> {
        let mut errors = Vec::new();
        let mut report = |error: Error| errors.push(error);
        let long_double = isa.target().long_double;
        let parsed = text::parse_partly(&self.bytes, &MEMORY, long_double, &mut report);
        let modules = in_order(parsed.modules);
        if errors.is_empty() {
            return Ok(modules);
        }
        let is_wrong = parsed.error.is_some();
        if let Some(format) = formats::by_words(&self.bytes).filter(|_| is_wrong) {
            return Err(self.refuse_format(format, diagnostics));
        }
        let outline = Outline::new(&self.bytes);
        let errors_told = errors.iter().map(|&error| finding_of_text(&outline, error));
        let mut findings: Vec<Finding> = errors_told.collect();
        if is_wrong {
            findings.extend(partial::violations(self, &outline, &modules, &errors, isa));
            findings.sort_by_key(|finding| finding.span.map(|span| (span.line, span.column)));
        }
        for finding in &findings {
            diagnostics.report(&self.name, &self.bytes, finding);
        }
        if is_wrong || diagnostics.has_denied() {
            return Err(Failure::Program);
        }
        Ok(modules)
    }

    /// Says that the file is of another format; returns the failure.
    fn refuse_format(&self, format: formats::Format, diagnostics: &Diagnostics) -> Failure {
        let message = format!(
            "this looks like {}, not a program in Medium IR",
            format.what
        );
        let finding = Finding {
            suggestion: Some(Suggestion {
                text: self.name_in(format.advice),
                replacement: None,
            }),
            ..Finding::error(Code::OTHER_FORMAT, message)
        };
        diagnostics.report(&self.name, &self.bytes, &finding);
        Failure::Program
    }

    /// Returns advice with this file in place of `FILE`.
    fn name_in(&self, advice: &str) -> String {
        if self.is_standard_input() {
            return advice.into();
        }
        let text = Path::new(&self.name).with_extension("ll");
        let advice = advice.replace("FILE.ll", &text.display().to_string());
        advice.replace("FILE", &self.name)
    }

    /// Returns the module of a program in LLVM IR. Functions that may be left out, and are, become
    /// warnings.
    pub(crate) fn imported(
        &self,
        options: &llvm_ir::Options<'_>,
        diagnostics: &Diagnostics,
    ) -> Result<Module<'static>> {
        if let Some(format) = formats::by_magic(&self.bytes) {
            return Err(self.refuse_format(format, diagnostics));
        }
        let report = |error: &llvm_ir::Error, is_warning| {
            diagnostics.report(
                &self.name,
                &self.bytes,
                &finding_of_import(error, is_warning),
            );
        };
        let _progress = Progress::of(format!("reading {}", self.name));
        match llvm_ir::import(&self.bytes, options, &MEMORY) {
            Ok(imported) => {
                imported
                    .skipped
                    .iter()
                    .for_each(|error| report(error, true));
                // A source that is read again gives the same.
                let _ = self.lines.set(imported.lines);
                let _ = self.shares.set(imported.shared);
                let _ = self.weak.set(imported.weak);
                Ok(imported.module)
            }
            Err(errors) => {
                match too_old(&self.bytes) {
                    Some(message) => {
                        let finding = Finding::error(Code::LLVM_IR, message);
                        diagnostics.report(&self.name, &self.bytes, &finding);
                    }
                    None => errors.iter().for_each(|error| report(error, false)),
                }
                Err(Failure::Program)
            }
        }
    }

    /// Checks the modules of this program.
    pub(crate) fn verify(
        &self,
        modules: Vec<Module<'static>>,
        isa: Isa,
        diagnostics: &Diagnostics,
    ) -> Result<Vec<Verified<'static>>> {
        let _progress = Progress::of(format!("checking {}", self.name));
        let mut verified = Vec::with_capacity(modules.len());
        let mut passed = true;
        let mut locator = Locator::new(self);
        for (number, module) in modules.into_iter().enumerate() {
            let mut violations = Vec::new();
            let mut take = |violation| violations.push(violation);
            let checked = Verified::new(module, isa.target(), &mut take);
            let module = match &checked {
                Ok(verified) => verified.module(),
                Err(rejected) => &rejected.module,
            };
            let mut last: Option<Finding> = None;
            for violation in &violations {
                let finding = locator.finding(number, module, violation);
                if !last.as_ref().is_some_and(|last| finding.repeats(last)) {
                    diagnostics.report(&self.name, &self.bytes, &finding);
                }
                last = Some(finding);
            }
            match checked {
                Ok(module) => verified.push(module),
                Err(rejected) => {
                    if violations.is_empty() {
                        // No rule was broken: there was no memory.
                        let finding = finding_of_reader(rejected.error);
                        diagnostics.report(&self.name, &self.bytes, &finding);
                    }
                    passed = false;
                }
            }
        }
        if passed && !diagnostics.has_denied() {
            Ok(verified)
        } else {
            Err(Failure::Program)
        }
    }

    /// True if checked modules of this program have no floating values; reports the places of those
    /// they have.
    pub(crate) fn has_only_integers(
        &self,
        modules: &[Verified<'_>],
        diagnostics: &Diagnostics,
    ) -> bool {
        let mut locator = Locator::new(self);
        let mut passed = true;
        for (number, module) in modules.iter().enumerate() {
            let module = module.module();
            let checked = integers_only(module, &mut |violation| {
                let finding = locator.finding(number, module, &violation);
                diagnostics.report(&self.name, &self.bytes, &finding);
            });
            passed &= checked.is_ok();
        }
        passed
    }

    /// Warns of the instructions that are extensions of the language.
    pub(crate) fn warn_of_extensions(&self, modules: &[Verified<'_>], diagnostics: &Diagnostics) {
        let mut locator = Locator::new(self);
        for (number, module) in modules.iter().enumerate() {
            let module = module.module();
            let insns = module
                .funcs()
                .flat_map(|(func, _)| module.insns(func).map(move |insn| (func, insn)));
            for (func, insn) in insns.filter(|&(_, insn)| module.code(insn).is_extension()) {
                let finding = locator.extension(number, module, func, insn);
                diagnostics.report(&self.name, &self.bytes, &finding);
            }
        }
    }

    /// The modules of the program, checked.
    pub(crate) fn verified(
        &self,
        isa: Isa,
        diagnostics: &Diagnostics,
    ) -> Result<Vec<Verified<'static>>> {
        let modules = self.modules(isa, diagnostics)?;
        let verified = self.verify(modules, isa, diagnostics);
        MEMORY.settle();
        verified
    }

    /// Says why nothing is made of the program; returns the failure.
    pub(crate) fn refuse(&self, refusal: Refusal, diagnostics: &Diagnostics) -> Failure {
        let finding = Finding::error(refusal.code(), refusal.message);
        diagnostics.report(&self.name, &self.bytes, &finding);
        refusal.failure
    }

    /// Says something about an item of a module of this program that has been checked.
    pub(crate) fn report_item(
        &self,
        locator: &mut Locator<'_>,
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
        let finding = locator.finding(number, module, &violation);
        diagnostics.report(&self.name, &self.bytes, &finding);
    }
}

/// Says that LLVM IR is of a clang whose text cannot be read, if its text says so.
fn too_old(text: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(text);
    let after = |word: &str| {
        let (_, rest) = text.rsplit_once(word)?;
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
        digits.parse::<u32>().ok()
    };
    let version = after("clang version ").filter(|&version| version < OLDEST_CLANG)?;
    Some(format!(
        "this was made by clang {version}, and `mir` reads what clang {OLDEST_CLANG} and later \
         write: compile it again with one of those"
    ))
}

/// The oldest version of clang whose LLVM IR has pointers as they are read.
const OLDEST_CLANG: u32 = 16;

/// Returns the modules in a vector of this process.
pub(crate) fn in_order(
    mut modules: mir_nostd::mem::Vec<'static, Module<'static>>,
) -> Vec<Module<'static>> {
    let mut in_order: Vec<_> = core::iter::from_fn(|| modules.pop()).collect();
    in_order.reverse();
    in_order
}

/// Returns the output of a printer.
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
