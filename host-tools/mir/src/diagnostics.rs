//! Diagnostics on programs: with colour and source excerpt on a terminal, a line each otherwise, or
//! JSON, or SARIF.
//!
//! Everything goes to standard error. The fields of the JSON objects are described in
//! docs/command.md.

use crate::codes::Code;
use crate::lines::Line;
use crate::output::to_standard_error;
use crate::progress::aside;
use crate::request;
use crate::sarif;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use clap::ColorChoice;
use core::cell::RefCell;
use core::fmt::Write;
use core::sync::atomic::{AtomicBool, Ordering};
use mir_nostd::ir::ErrorKind;
use std::io::IsTerminal;
use std::sync::Arc;

/// The style in which diagnostics are shown.
#[derive(Clone, Debug)]
pub(crate) struct Diagnostics {
    style: Style,
    warnings: Warnings,
    /// True once a warning was reported, by a clone too.
    has_warned: Arc<AtomicBool>,
}

/// The form of diagnostics that was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub(crate) enum Format {
    /// Source lines on a terminal, else one line for each
    #[default]
    Text,
    /// One JSON object on a line for each
    Json,
    /// One SARIF 2.1.0 log for all
    Sarif,
}

/// The weight of warnings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Warnings {
    #[default]
    Allowed,
    /// A program with a warning is wrong.
    Denied,
}

#[derive(Clone, Copy, Debug)]
enum Style {
    Json,
    Sarif,
    Lines,
    Excerpts(ColorChoice),
    /// Findings are kept for [`Diagnostics::kept`].
    Kept,
}

thread_local! {
    /// The findings that were reported in [`Style::Kept`].
    static KEPT: RefCell<Vec<Finding>> = const { RefCell::new(Vec::new()) };
}

/// A range of source text: line and column from 1, and length, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Span {
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) len: u32,
    /// The offset of the line's start, if that is known.
    pub(crate) line_start: Option<usize>,
}

/// Another place that a diagnostic is about, and what is there.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub(crate) span: Span,
    pub(crate) text: String,
}

/// Advice in words, and the text to put at a place if that is all there is to do.
#[derive(Clone, Debug)]
pub(crate) struct Suggestion {
    pub(crate) text: String,
    pub(crate) replacement: Option<(Span, String)>,
}

/// One diagnostic on a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Finding {
    pub(crate) message: String,
    pub(crate) is_warning: bool,
    pub(crate) code: Option<Code>,
    pub(crate) kind: Option<ErrorKind>,
    pub(crate) span: Option<Span>,
    /// The line that the place was made from by another compiler, in C for example.
    pub(crate) origin: Option<Line>,
    /// The offset in a binary file.
    pub(crate) byte: Option<u64>,
    pub(crate) module: Option<String>,
    pub(crate) function: Option<String>,
    /// The instruction's text.
    pub(crate) insn: Option<String>,
    /// Further information.
    pub(crate) note: Option<String>,
    pub(crate) suggestion: Option<Suggestion>,
    /// The other places that it is about.
    pub(crate) labels: Vec<Label>,
    /// The word for why a confined program ended.
    pub(crate) reason: Option<&'static str>,
    /// The program's address of its access that faulted.
    pub(crate) address: Option<u64>,
    /// The number of the instruction in its function that faulted.
    pub(crate) number: Option<u32>,
    /// The calls under way in a confined program, from the innermost outward.
    pub(crate) backtrace: Vec<Call>,
}

/// A call that was under way when a confined program ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct Call {
    pub(crate) function: String,
    /// The number of the instruction in the function.
    pub(crate) number: Option<u32>,
    pub(crate) line: Option<u32>,
}

impl Finding {
    /// Returns an error that is not tied to a place.
    pub(crate) fn error(code: Code, message: impl Into<String>) -> Finding {
        Finding {
            message: message.into(),
            code: Some(code),
            ..Finding::default()
        }
    }

    /// Returns a warning that is not tied to a place.
    pub(crate) fn warning(code: Code, message: impl Into<String>) -> Finding {
        Finding {
            is_warning: true,
            ..Finding::error(code, message)
        }
    }

    /// True if this only says again what another one did: that another instruction was meant.
    pub(crate) fn repeats(&self, other: &Finding) -> bool {
        let advice = |finding: &Finding| {
            let suggestion = finding.suggestion.as_ref()?;
            let line = finding.span?.line;
            let is_instruction = suggestion.text.starts_with("did you mean");
            is_instruction.then(|| (line, suggestion.text.clone()))
        };
        self.code == other.code && advice(self).is_some_and(|own| advice(other) == Some(own))
    }

    pub(crate) const fn severity(&self) -> &'static str {
        if self.is_warning { "warning" } else { "error" }
    }

    /// Returns the line of the place in what a person wrote.
    pub(crate) fn line(&self) -> Option<u32> {
        let origin = self.origin.as_ref().map(|line| line.number);
        origin.or(self.span.map(|span| span.line))
    }

    /// Returns the code in brackets, with this before it.
    fn code_after(&self, before: &str) -> String {
        self.code
            .map_or(String::new(), |code| format!("{before}[{code}]"))
    }

    /// Returns the place in words, for readers who see no source.
    pub(crate) fn context(&self) -> String {
        let mut context = String::new();
        if let Some(byte) = self.byte {
            let _ = write!(context, " (byte {byte})");
        }
        if self.span.is_some() {
            return context;
        }
        if let Some(module) = &self.module {
            let _ = write!(context, ", in module {module}");
        }
        if let Some(function) = &self.function {
            let _ = write!(context, ", function {function}");
        }
        if let Some(origin) = &self.origin {
            let _ = write!(context, " at {}:{}", origin.file, origin.number);
        }
        if let Some(insn) = &self.insn {
            let _ = write!(context, ": {insn}");
        } else if let Some(number) = self.number {
            let _ = write!(context, ", instruction {number}");
        }
        context
    }
}

impl Default for Diagnostics {
    /// Plain lines, as a pipe gets them.
    fn default() -> Diagnostics {
        Diagnostics::in_style(Style::Lines, Warnings::Allowed)
    }
}

impl Diagnostics {
    pub(crate) fn new(format: Format, color: ColorChoice, warnings: Warnings) -> Diagnostics {
        let style = match (format, color) {
            (Format::Json, _) => Style::Json,
            (Format::Sarif, _) => Style::Sarif,
            (_, ColorChoice::Always) => Style::Excerpts(color),
            _ if !request::is_served() && std::io::stderr().is_terminal() => Style::Excerpts(color),
            _ => Style::Lines,
        };
        if matches!(style, Style::Sarif) {
            sarif::begin();
        }
        Diagnostics::in_style(style, warnings)
    }

    fn in_style(style: Style, warnings: Warnings) -> Diagnostics {
        Diagnostics {
            style,
            warnings,
            has_warned: Arc::default(),
        }
    }

    /// Returns the result of `work`, and the findings that it reported on this thread, which are
    /// not shown.
    pub(crate) fn kept<T>(work: impl FnOnce(&Diagnostics) -> T) -> (T, Vec<Finding>) {
        let result = work(&Diagnostics::in_style(Style::Kept, Warnings::Allowed));
        (result, KEPT.take())
    }

    /// Returns true if a warning was reported that makes the program a wrong one.
    pub(crate) fn has_denied(&self) -> bool {
        self.warnings == Warnings::Denied && self.has_warned.load(Ordering::Relaxed)
    }

    /// True if results that are tables for people are to be JSON.
    pub(crate) const fn is_json(&self) -> bool {
        matches!(self.style, Style::Json)
    }

    /// Returns the options that make another process report in the same way.
    pub(crate) fn options(&self) -> Vec<std::ffi::OsString> {
        let mut options: Vec<std::ffi::OsString> = match self.style {
            Style::Json => vec!["--json".into()],
            Style::Sarif => vec!["--format=sarif".into()],
            _ => Vec::new(),
        };
        if self.warnings == Warnings::Denied {
            options.push("--deny-warnings".into());
        }
        options
    }

    /// Reports a finding on the file `name` with the content `source`.
    pub(crate) fn report(&self, name: &str, source: &[u8], finding: &Finding) {
        let mut denied = None;
        if finding.is_warning {
            self.has_warned.store(true, Ordering::Relaxed);
            denied = (self.warnings == Warnings::Denied).then(|| Finding {
                is_warning: false,
                ..finding.clone()
            });
        }
        let finding = denied.as_ref().unwrap_or(finding);
        match self.style {
            Style::Json => to_standard_error(&json(name, finding)),
            Style::Sarif => sarif::add(name, source, finding),
            Style::Lines => to_standard_error(&line(name, finding)),
            Style::Kept => KEPT.with_borrow_mut(|kept| kept.push(finding.clone())),
            Style::Excerpts(color) => {
                let text = excerpt(name, source, finding);
                if request::say(&text) {
                    return;
                }
                let mut out = anstream::AutoStream::new(std::io::stderr(), stream_choice(color));
                let _ = aside(|| std::io::Write::write_all(&mut out, text.as_bytes()));
            }
        }
    }

    /// Returns the report of [`Diagnostics::report`] as a line, for use where only writing is still
    /// possible.
    pub(crate) fn line(&self, name: &str, finding: &Finding) -> String {
        match self.style {
            Style::Json => json(name, finding) + "\n",
            _ => line(name, finding) + "\n",
        }
    }

    /// Reports what is wrong with the command line.
    pub(crate) fn usage(&self, message: &str) {
        match self.style {
            Style::Json | Style::Sarif => {
                self.report("", b"", &Finding::error(Code::COMMAND_LINE, message));
            }
            _ => to_standard_error(&format!("mir: {message}")),
        }
    }

    /// Reports that a file cannot be read or written.
    pub(crate) fn file(&self, name: &str, problem: &str) {
        match self.style {
            Style::Json | Style::Sarif => {
                self.report(name, b"", &Finding::error(Code::FILE, problem));
            }
            _ => to_standard_error(&format!("mir: {name}: {problem}")),
        }
    }
}

fn stream_choice(color: ColorChoice) -> anstream::ColorChoice {
    match color {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    }
}

/// Returns the finding as `file:line:column: error: message [CODE]`, with a line more for each
/// other place.
fn line(name: &str, finding: &Finding) -> String {
    let mut line = place(name, finding.span);
    let (severity, message) = (finding.severity(), &finding.message);
    let _ = write!(line, " {severity}: {message}{}", finding.context());
    let advice = finding.suggestion.as_ref().map(|advice| &advice.text);
    for more in advice.into_iter().chain(&finding.note) {
        let _ = write!(line, "; {more}");
    }
    line += &finding.code_after(" ");
    for label in &finding.labels {
        let place = place(name, Some(label.span));
        let _ = write!(line, "\n{place} note: {}", label.text);
    }
    line
}

fn place(name: &str, span: Option<Span>) -> String {
    match span {
        Some(span) => format!("{name}:{}:{}:", span.line, span.column),
        None => format!("{name}:"),
    }
}

/// Returns the message with the source lines that it is about.
pub(crate) fn excerpt(name: &str, source: &[u8], finding: &Finding) -> String {
    let level = if finding.is_warning {
        Level::WARNING
    } else {
        Level::ERROR
    };
    let title = format!("{}{}", finding.message, finding.context());
    let code = finding.code.map(|code| code.to_string());
    let mut group = match code {
        Some(code) => level.primary_title(title).id(code).elements(NOTHING),
        None => level.primary_title(title).elements(NOTHING),
    };
    let shown = finding.span.and_then(|span| snippet(name, source, span));
    group = match shown {
        Some((snippet, range)) => {
            group.element(snippet.annotation(AnnotationKind::Primary.span(range)))
        }
        None => group.element(annotate_snippets::Origin::path(name)),
    };
    for label in &finding.labels {
        if let Some((snippet, range)) = snippet(name, source, label.span) {
            let annotation = AnnotationKind::Context.span(range).label(&label.text);
            group = group.element(snippet.annotation(annotation));
        }
    }
    let advice = finding.suggestion.as_ref().map(|advice| &advice.text);
    group = group.elements(advice.map(|text| Level::HELP.message(text)));
    group = group.elements(finding.note.as_ref().map(|note| Level::NOTE.message(note)));
    Renderer::styled().render(&[group]) + "\n"
}

const NOTHING: [annotate_snippets::Message<'static>; 0] = [];

/// Returns the line that a span is in, to be annotated, and the span in it.
fn snippet<'a, T: Clone>(
    name: &'a str,
    source: &[u8],
    span: Span,
) -> Option<(Snippet<'a, T>, core::ops::Range<usize>)> {
    let (text, range) = shown_line(source, span)?;
    let snippet = Snippet::source(text)
        .path(name)
        .line_start(span.line as usize);
    Some((snippet, range))
}

/// Returns the line that a span is in, and the range of the span in it, both as text.
pub(crate) fn shown_line(source: &[u8], span: Span) -> Option<(String, core::ops::Range<usize>)> {
    let (from, lines) = match span.line_start {
        Some(start) => (start, 0),
        None => (0, span.line.checked_sub(1)?),
    };
    let mut rest = source.get(from..)?.split(|&byte| byte == b'\n');
    let line = rest.nth(lines as usize)?;
    let start = (span.column.saturating_sub(1) as usize).min(line.len());
    let end = (start + span.len as usize).min(line.len());
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    let (before, within) = (text(&line[..start]), text(&line[start..end]));
    let range = before.len()..before.len() + within.len();
    Some((before + &within + &text(&line[end..]), range))
}

/// Returns the finding as one JSON object.
fn json(name: &str, finding: &Finding) -> String {
    let mut object = JsonObject::default();
    object.string("severity", finding.severity());
    if let Some(kind) = finding.kind {
        object.string("kind", &format!("{kind:?}"));
    }
    object.string("message", &finding.message);
    if let Some(code) = finding.code {
        object.string("code", &code.to_string());
    }
    object.string("file", name);
    if let Some(origin) = &finding.origin {
        object.string("source", &origin.file);
        object.number("line", origin.number.into());
    }
    if let Some(reason) = finding.reason {
        object.string("reason", reason);
    }
    if let Some(address) = finding.address {
        object.number("address", address);
    }
    if let Some(number) = finding.number {
        object.number("insn", number.into());
    }
    if let Some(span) = finding.span {
        object.span(span);
    }
    if let Some(byte) = finding.byte {
        object.number("byte", byte);
    }
    let texts = [
        ("module", &finding.module),
        ("function", &finding.function),
        ("instruction", &finding.insn),
        ("note", &finding.note),
    ];
    for (key, text) in texts {
        if let Some(text) = text {
            object.string(key, text);
        }
    }
    if let Some(suggestion) = &finding.suggestion {
        object.list(
            "suggestions",
            core::iter::once(suggestion_object(suggestion)),
        );
    }
    if !finding.labels.is_empty() {
        object.list("labels", finding.labels.iter().map(label_object));
    }
    if !finding.backtrace.is_empty() {
        object.list("backtrace", finding.backtrace.iter().map(call_object));
    }
    object.end()
}

fn label_object(label: &Label) -> JsonObject {
    let mut object = JsonObject::default();
    object.string("message", &label.text);
    object.span(label.span);
    object
}

fn suggestion_object(suggestion: &Suggestion) -> JsonObject {
    let mut object = JsonObject::default();
    object.string("message", &suggestion.text);
    if let Some((span, replacement)) = &suggestion.replacement {
        object.string("replacement", replacement);
        object.span(*span);
    }
    object
}

fn call_object(call: &Call) -> JsonObject {
    let mut object = JsonObject::default();
    object.string("function", &call.function);
    if let Some(number) = call.number {
        object.number("insn", number.into());
    }
    if let Some(line) = call.line {
        object.number("line", line.into());
    }
    object
}

/// A JSON object on one line, being written.
#[derive(Default)]
pub(crate) struct JsonObject(serde_json::Map<String, serde_json::Value>);

impl JsonObject {
    pub(crate) fn string(&mut self, key: &str, value: &str) {
        self.0.insert(key.into(), value.into());
    }

    pub(crate) fn number(&mut self, key: &str, value: u64) {
        self.0.insert(key.into(), value.into());
    }

    fn span(&mut self, span: Span) {
        self.number("line", span.line.into());
        self.number("column", span.column.into());
        self.number("length", span.len.into());
    }

    pub(crate) fn list(&mut self, key: &str, objects: impl Iterator<Item = JsonObject>) {
        let objects = objects.map(|object| serde_json::Value::Object(object.0));
        self.0.insert(key.into(), objects.collect());
    }

    /// Adds a time in microseconds with a fraction of up to three digits.
    pub(crate) fn micros(&mut self, key: &str, time: core::time::Duration) {
        let nanoseconds = (time.as_secs_f64() * 1e9).round();
        self.0.insert(key.into(), (nanoseconds / 1e3).into());
    }

    pub(crate) fn end(self) -> String {
        serde_json::Value::Object(self.0).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped() {
        let mut object = JsonObject::default();
        object.string("a", "x\"\\\n\u{e9}");
        object.number("b", 7);
        assert_eq!(object.end(), "{\"a\":\"x\\\"\\\\\\n\u{e9}\",\"b\":7}");
    }

    #[test]
    fn lines_name_the_place() {
        let finding = Finding {
            message: "undeclared name".into(),
            span: Some(Span {
                line: 3,
                column: 6,
                len: 1,
                line_start: None,
            }),
            code: Code::from_text("E0049"),
            ..Finding::default()
        };
        let told = "x.mir:3:6: error: undeclared name [E0049]";
        assert_eq!(line("x.mir", &finding), told);
    }

    #[test]
    fn excerpts_survive_bytes_that_are_no_text() {
        let source = b"a\n\xFF\xFEret b\n";
        let span = Span {
            line: 2,
            column: 7,
            len: 1,
            line_start: None,
        };
        let (text, range) = shown_line(source, span).unwrap();
        assert_eq!(&text[range], "b");
    }
}
