//! Diagnostics on programs: with colour and source excerpt on a terminal, a line each otherwise, or
//! JSON.
//!
//! Everything goes to standard error. The fields of the JSON objects are described in
//! docs/command.md.

use crate::output::to_standard_error;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use clap::ColorChoice;
use core::fmt::Write;
use mir_nostd::ir::ErrorKind;
use std::io::IsTerminal;

/// The style in which diagnostics are shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Diagnostics {
    style: Style,
}

#[derive(Clone, Copy, Debug)]
enum Style {
    Json,
    Lines,
    Excerpts(ColorChoice),
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

/// One diagnostic on a program.
#[derive(Debug, Default)]
pub(crate) struct Finding {
    pub(crate) message: String,
    pub(crate) is_warning: bool,
    pub(crate) kind: Option<ErrorKind>,
    pub(crate) span: Option<Span>,
    /// The offset in a binary file.
    pub(crate) byte: Option<u64>,
    pub(crate) module: Option<String>,
    pub(crate) function: Option<String>,
    /// The instruction's text.
    pub(crate) insn: Option<String>,
    /// Advice, or further information.
    pub(crate) note: Option<String>,
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
    pub(crate) fn error(message: impl Into<String>) -> Finding {
        Finding {
            message: message.into(),
            ..Finding::default()
        }
    }

    /// Returns a warning that is not tied to a place.
    pub(crate) fn warning(message: impl Into<String>) -> Finding {
        Finding {
            is_warning: true,
            ..Finding::error(message)
        }
    }

    const fn severity(&self) -> &'static str {
        if self.is_warning { "warning" } else { "error" }
    }

    /// Returns the place in words, for readers who see no source.
    fn context(&self) -> String {
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
        if let Some(insn) = &self.insn {
            let _ = write!(context, ": {insn}");
        }
        context
    }
}

impl Diagnostics {
    pub(crate) fn new(json: bool, color: ColorChoice) -> Diagnostics {
        let style = match color {
            _ if json => Style::Json,
            ColorChoice::Always => Style::Excerpts(color),
            _ if std::io::stderr().is_terminal() => Style::Excerpts(color),
            _ => Style::Lines,
        };
        Diagnostics { style }
    }

    /// True if results that are tables for people are to be JSON.
    pub(crate) const fn is_json(&self) -> bool {
        matches!(self.style, Style::Json)
    }

    /// Reports a finding on the file `name` with the content `source`.
    pub(crate) fn report(&self, name: &str, source: &[u8], finding: &Finding) {
        match self.style {
            Style::Json => to_standard_error(&json(name, finding)),
            Style::Lines => to_standard_error(&line(name, finding)),
            Style::Excerpts(color) => {
                let text = excerpt(name, source, finding);
                let mut out = anstream::AutoStream::new(std::io::stderr(), stream_choice(color));
                let _ = std::io::Write::write_all(&mut out, text.as_bytes());
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

    /// Reports what is wrong with the command line or with a file.
    pub(crate) fn usage(&self, message: &str) {
        match self.style {
            Style::Json => to_standard_error(&json("", &Finding::error(message))),
            _ => to_standard_error(&format!("mir: {message}")),
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

/// Returns the finding as `file:line:column: error: message`.
fn line(name: &str, finding: &Finding) -> String {
    let mut line = format!("{name}:");
    if let Some(span) = finding.span {
        let _ = write!(line, "{}:{}:", span.line, span.column);
    }
    let (severity, message) = (finding.severity(), &finding.message);
    let _ = write!(line, " {severity}: {message}{}", finding.context());
    if let Some(note) = &finding.note {
        let _ = write!(line, "; {note}");
    }
    line
}

/// Returns the message with the source line that it is about.
fn excerpt(name: &str, source: &[u8], finding: &Finding) -> String {
    let level = if finding.is_warning {
        Level::WARNING
    } else {
        Level::ERROR
    };
    let title = format!("{}{}", finding.message, finding.context());
    let mut group = level.primary_title(&title).elements(
        finding
            .note
            .as_deref()
            .map(|note| Level::HELP.message(note)),
    );
    let shown = finding.span.and_then(|span| shown_line(source, span));
    if let (Some((text, range)), Some(span)) = (&shown, finding.span) {
        group = group.element(
            Snippet::source(text)
                .path(name)
                .line_start(span.line as usize)
                .annotation(AnnotationKind::Primary.span(range.clone())),
        );
    } else {
        group = group.element(annotate_snippets::Origin::path(name));
    }
    Renderer::styled().render(&[group]) + "\n"
}

/// Returns the line that a span is in, and the range of the span in it, both as text.
fn shown_line(source: &[u8], span: Span) -> Option<(String, core::ops::Range<usize>)> {
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
    object.string("file", name);
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
        object.number("line", span.line.into());
        object.number("column", span.column.into());
        object.number("length", span.len.into());
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
    if !finding.backtrace.is_empty() {
        object.list("backtrace", finding.backtrace.iter().map(call_object));
    }
    object.end()
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
            ..Finding::default()
        };
        assert_eq!(line("x.mir", &finding), "x.mir:3:6: error: undeclared name");
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
