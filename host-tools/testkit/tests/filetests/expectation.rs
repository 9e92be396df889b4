//! The expectations in a test file, in comments that the language ignores. filetests/README.md has
//! the syntax.

use std::path::Path;

/// The kind of a test file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The file links, and its functions return what the `run` lines say: from text, from its own
    /// print, and from binary.
    Run,
    /// The file prints as the exact block.
    Print,
    /// The file has errors exactly at the `error` comments.
    Error,
}

/// A test file.
#[derive(Debug)]
pub(crate) struct TestFile {
    pub(crate) kind: Kind,
    /// The ISAs that it is for; all if empty.
    pub(crate) targets: Vec<String>,
    pub(crate) calls: Vec<Call>,
    /// The calls made instead where blocks are compiled as they are reached; if empty, the same
    /// calls.
    pub(crate) by_block: Vec<Call>,
    /// Further calls where functions are compiled as a whole, at level 2 or above.
    pub(crate) from_level_2: Vec<Call>,
    pub(crate) errors: Vec<ExpectedError>,
    /// The lines after `#|`.
    pub(crate) exact: String,
    pub(crate) source: String,
}

/// One expectation of a `run` line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) line: usize,
    pub(crate) function: String,
    pub(crate) arguments: Vec<String>,
    pub(crate) outcome: Outcome,
    /// The expected cost where fuel is counted.
    pub(crate) fuel: Option<u64>,
}

/// The expected outcome of a call.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The call returns these results.
    Results(Vec<String>),
    /// The call faults, and the fault's text contains this.
    Fault(String),
}

/// A comment `# error: KIND [text]`: the error on its line is of that kind and its text contains
/// the given one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ExpectedError {
    pub(crate) line: usize,
    pub(crate) kind: String,
    pub(crate) text: String,
}

impl TestFile {
    /// Reads the file and its expectations.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
        let source = String::from_utf8(bytes).map_err(|error| error.to_string())?;
        Self::parse(source)
    }

    fn parse(source: String) -> Result<Self, String> {
        let (mut kind, mut targets, mut errors, mut exact) =
            (None, Vec::new(), Vec::new(), String::new());
        let (mut calls, mut by_block, mut from_level_2) = (Vec::new(), Vec::new(), Vec::new());
        for (line, text) in (1..).zip(source.lines()) {
            if let Some(word) = text.strip_prefix("# test ") {
                kind = Some(
                    Kind::parse(word.trim())
                        .ok_or_else(|| format!("line {line}: unknown kind of test"))?,
                );
            } else if let Some(words) = text.strip_prefix("# target ") {
                targets.extend(words.split_whitespace().map(str::to_owned));
            } else if let Some(list) = text.strip_prefix("# run: ") {
                calls.extend(Call::parse_list(line, list)?);
            } else if let Some(list) = text.strip_prefix("# by block: ") {
                by_block.extend(Call::parse_list(line, list)?);
            } else if let Some(list) = text.strip_prefix("# from level 2: ") {
                from_level_2.extend(Call::parse_list(line, list)?);
            } else if let Some(row) = text.strip_prefix("#|") {
                exact += row;
                exact.push('\n');
            } else if let Some((_, error)) = text.split_once("# error: ") {
                let (kind, text) = error.split_once(' ').unwrap_or((error, ""));
                errors.push(ExpectedError {
                    line,
                    kind: kind.to_owned(),
                    text: text.trim().to_owned(),
                });
            }
        }
        let kind = kind.ok_or("no line `# test KIND`")?;
        Ok(Self {
            kind,
            targets,
            calls,
            by_block,
            from_level_2,
            errors,
            exact,
            source,
        })
    }

    /// Returns the file with another exact block.
    pub(crate) fn with_exact(&self, exact: &str) -> String {
        let kept = self
            .source
            .lines()
            .filter(|line| !line.starts_with("#|"))
            .map(|line| format!("{line}\n"));
        kept.chain(exact.lines().map(|line| format!("#|{line}\n")))
            .collect()
    }

    /// Returns whether the file is for this ISA.
    pub(crate) fn is_for(&self, isa: &str) -> bool {
        self.targets.is_empty() || self.targets.iter().any(|target| target == isa)
    }
}

impl Kind {
    fn parse(word: &str) -> Option<Self> {
        match word {
            "run" => Some(Self::Run),
            "print" => Some(Self::Print),
            "error" => Some(Self::Error),
            _ => None,
        }
    }
}

impl Call {
    fn parse_list(line: usize, list: &str) -> Result<Vec<Self>, String> {
        let parts = list.split(';').map(|part| {
            let call = Call::parse(line, part.trim());
            call.ok_or_else(|| format!("line {line}: not a call: {part}"))
        });
        parts.collect()
    }

    /// Parses `name(argument, ...) == result, ...` or `name(argument, ...) faults text`, with an
    /// optional `costs fuel` after it.
    fn parse(line: usize, text: &str) -> Option<Self> {
        let (function, rest) = text.split_once('(')?;
        let (arguments, rest) = rest.split_once(')')?;
        let (rest, fuel) = match rest.split_once(" costs ") {
            Some((rest, fuel)) => (rest, Some(fuel.trim().parse().ok()?)),
            None => (rest, None),
        };
        let rest = rest.trim();
        let outcome = match rest.strip_prefix("==") {
            Some(results) => Outcome::Results(list(results)),
            None => Outcome::Fault(rest.strip_prefix("faults ")?.trim().to_owned()),
        };
        Some(Self {
            line,
            function: function.trim().to_owned(),
            arguments: list(arguments),
            outcome,
            fuel,
        })
    }
}

/// Returns the items of a list separated by commas; none if it is empty.
fn list(text: &str) -> Vec<String> {
    let items = text.split(',').map(|item| item.trim().to_owned());
    items.filter(|item| !item.is_empty()).collect()
}
