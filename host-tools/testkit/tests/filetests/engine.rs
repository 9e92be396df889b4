//! Runs a test file according to its kind.

use std::path::Path;

use mir_nostd::ir::{Error, Module, Place};
use mir_nostd::mem::Vec as ModuleVec;
use mir_nostd::target::Target;
use mir_nostd::text;
use mir_nostd::verify::verify;
use testkit::SystemAllocator;

use crate::expectation::{ExpectedError, Kind, TestFile};
use crate::{lines, run};
use target_all::TARGETS;

/// Runs one test file.
///
/// # Errors
///
/// The expected and the actual result.
pub(crate) fn run(path: &Path) -> Result<(), String> {
    let file = TestFile::read(path)?;
    match file.kind {
        Kind::Run => run::run(&file),
        Kind::Print => print(&file, path),
        Kind::Error => errors(&file),
    }
}

/// Reads a text; all its errors become lines of one message.
pub(crate) fn parse(
    source: &[u8],
    target: &Target,
) -> Result<ModuleVec<'static, Module<'static>>, String> {
    let mut errors = String::new();
    let mut report = |error: Error| errors += &format!("{error}\n");
    let modules = text::parse(source, &SystemAllocator, target.long_double, &mut report);
    modules.map_err(|error| {
        if errors.is_empty() {
            error.to_string()
        } else {
            errors
        }
    })
}

/// Returns the text of modules as the library prints them.
pub(crate) fn printed(modules: &[Module<'_>]) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    for module in modules {
        let mut sink = |bytes: &[u8]| {
            out.extend_from_slice(bytes);
            Ok(())
        };
        text::print(module, &mut sink).map_err(|error| error.to_string())?;
    }
    Ok(out)
}

/// Checks that the file's modules print as its exact block; with `MIR_BLESS` the block is replaced.
fn print(file: &TestFile, path: &Path) -> Result<(), String> {
    let modules = parse(file.source.as_bytes(), TARGETS[0])?;
    let found = String::from_utf8_lossy(&printed(&modules)?).into_owned();
    if found == file.exact {
        return Ok(());
    }
    if std::env::var_os("MIR_BLESS").is_some() {
        return std::fs::write(path, file.with_exact(&found)).map_err(|error| error.to_string());
    }
    let difference = file
        .exact
        .lines()
        .zip(found.lines())
        .find(|(expected, found)| expected != found);
    Err(match difference {
        Some((expected, found)) => format!("expected: {expected}\n   found: {found}"),
        None => format!(
            "expected {} lines, found {}",
            file.exact.lines().count(),
            found.lines().count()
        ),
    })
}

/// A reported error: its line, kind and text.
struct Reported {
    line: Option<usize>,
    kind: String,
    text: String,
}

/// Checks that the errors of reading, or of verifying for each of the file's targets, are those
/// that its comments expect.
fn errors(file: &TestFile) -> Result<(), String> {
    for target in TARGETS.iter().filter(|target| file.is_for(target.name)) {
        let found = reported(&file.source, target);
        compare(&file.errors, found).map_err(|error| format!("for {}:\n{error}", target.name))?;
    }
    Ok(())
}

fn reported(source: &str, target: &Target) -> Vec<Reported> {
    let mut found = Vec::new();
    let mut report = |error: Error| found.push(describe(error, text_line(error)));
    let Ok(modules) = text::parse(
        source.as_bytes(),
        &SystemAllocator,
        target.long_double,
        &mut report,
    ) else {
        return found;
    };
    for (module, lines) in modules.iter().zip(lines::of_insns(source)) {
        let mut sink = |violation: mir_nostd::verify::Violation| {
            if !violation.is_warning {
                let line = insn_line(module, &lines, violation.error);
                found.push(describe(violation.error, line));
            }
        };
        // The verdict repeats the first violation that the sink received.
        let _ = verify(module, target, &mut sink);
    }
    found
}

fn describe(error: Error, line: Option<usize>) -> Reported {
    Reported {
        line,
        kind: format!("{:?}", error.kind()),
        text: error.problem.to_string(),
    }
}

fn text_line(error: Error) -> Option<usize> {
    match error.place {
        Place::Text { line, .. } => usize::try_from(line).ok(),
        _ => None,
    }
}

/// Returns the line of the instruction that the error is about; functions and instructions are in
/// the order of the text.
fn insn_line(module: &Module<'_>, lines: &[Vec<usize>], error: Error) -> Option<usize> {
    let Place::Insn { func, insn, .. } = error.place else {
        return None;
    };
    let function = module.funcs().position(|(id, _)| id == func)?;
    let position = module.insns(func).position(|id| id == insn)?;
    lines.get(function)?.get(position).copied()
}

/// Matches each report with the expectation on its line; a report without a line matches any
/// remaining one of its kind.
fn compare(expected: &[ExpectedError], found: Vec<Reported>) -> Result<(), String> {
    let mut open: Vec<&ExpectedError> = expected.iter().collect();
    let mut wrong = String::new();
    for report in found {
        let fits = |error: &&ExpectedError| {
            report.line.is_none_or(|line| line == error.line)
                && (error.kind == "any" || error.kind == report.kind)
                && report.text.contains(&error.text)
        };
        match open.iter().position(fits) {
            Some(at) => drop(open.remove(at)),
            None => {
                let line = report.line.map_or("?".into(), |line| line.to_string());
                wrong += &format!("line {line}: unexpected {} {}\n", report.kind, report.text);
            }
        }
    }
    for error in open {
        wrong += &format!(
            "line {}: expected {} {}\n",
            error.line, error.kind, error.text
        );
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}
