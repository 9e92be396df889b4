//! Diagnostics as one log in the Static Analysis Results Interchange Format (SARIF 2.1.0), which is
//! written when the command ends.

use crate::codes::{Code, Section};
use crate::diagnostics::{Finding, Span, Suggestion, shown_line};
use crate::output::to_standard_error;
use serde_json::{Value, json};
use std::sync::{Mutex, PoisonError};

/// The log that is being made.
#[derive(Default)]
struct Log {
    results: Vec<Value>,
    /// The codes that occurred, in the order of their first result.
    rules: Vec<Code>,
}

/// The log, if one was asked for and not written yet.
static LOG: Mutex<Option<Log>> = Mutex::new(None);

fn log() -> std::sync::MutexGuard<'static, Option<Log>> {
    LOG.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Begins the log.
pub(crate) fn begin() {
    *log() = Some(Log::default());
}

/// Adds a finding on the file `name` with the content `source`.
pub(crate) fn add(name: &str, source: &[u8], finding: &Finding) {
    if let Some(log) = log().as_mut() {
        log.add(name, source, finding);
    }
}

/// Writes the log to standard error, if one was begun.
pub(crate) fn finish() {
    let Some(log) = log().take() else {
        return;
    };
    let rules: Vec<Value> = log.rules.iter().map(|code| rule(*code)).collect();
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "mir",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "results": log.results,
        }],
    });
    to_standard_error(&document.to_string());
}

impl Log {
    fn add(&mut self, name: &str, source: &[u8], finding: &Finding) {
        let mut result = json!({
            "level": finding.severity(),
            "message": { "text": text_of(finding) },
        });
        if let Some(code) = finding.code {
            result["ruleId"] = code.to_string().into();
            result["ruleIndex"] = self.rule_number(code).into();
        }
        if !name.is_empty() {
            let region = match (finding.span, finding.byte) {
                (Some(span), _) => Some(region(source, span)),
                (None, Some(byte)) => Some(json!({ "byteOffset": byte, "byteLength": 1 })),
                _ => None,
            };
            result["locations"] = json!([{ "physicalLocation": place(name, region) }]);
        }
        let related = finding.labels.iter().map(|label| {
            let region = region(source, label.span);
            json!({
                "message": { "text": label.text },
                "physicalLocation": place(name, Some(region)),
            })
        });
        let related: Vec<Value> = related.collect();
        if !related.is_empty() {
            result["relatedLocations"] = related.into();
        }
        if let Some(fix) = finding
            .suggestion
            .as_ref()
            .and_then(|advice| fix(name, source, advice))
        {
            result["fixes"] = json!([fix]);
        }
        self.results.push(result);
    }

    /// Returns the number of the rule that a code is.
    fn rule_number(&mut self, code: Code) -> usize {
        let known = self.rules.iter().position(|rule| *rule == code);
        known.unwrap_or_else(|| {
            self.rules.push(code);
            self.rules.len() - 1
        })
    }
}

fn text_of(finding: &Finding) -> String {
    let mut text = finding.message.clone() + &finding.context();
    let advice = finding.suggestion.as_ref().map(|advice| &advice.text);
    for more in advice.into_iter().chain(&finding.note) {
        text = text + "; " + more;
    }
    text
}

fn rule(code: Code) -> Value {
    let section = code.section();
    let title = section.map_or("", |section| section.title);
    let words = section.as_ref().map(Section::explanation);
    json!({
        "id": code.to_string(),
        "shortDescription": { "text": title },
        "fullDescription": { "text": words.unwrap_or_default() },
    })
}

fn place(name: &str, region: Option<Value>) -> Value {
    let mut place = json!({ "artifactLocation": { "uri": uri(name) } });
    if let Some(region) = region {
        place["region"] = region;
    }
    place
}

/// Returns a path as a relative or absolute URI reference.
fn uri(name: &str) -> String {
    let mut uri = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri += &format!("%{byte:02X}");
        }
    }
    uri
}

/// Returns lines and columns, which count characters.
fn region(source: &[u8], span: Span) -> Value {
    let columns = shown_line(source, span).map(|(line, range)| {
        let count = |part: &str| part.chars().count();
        let start = count(&line[..range.start]) + 1;
        (start, start + count(&line[range]))
    });
    let (start, end) = columns.unwrap_or((span.column as usize, (span.column + span.len) as usize));
    json!({ "startLine": span.line, "startColumn": start, "endColumn": end })
}

fn fix(name: &str, source: &[u8], advice: &Suggestion) -> Option<Value> {
    let (span, text) = advice.replacement.as_ref()?;
    Some(json!({
        "description": { "text": advice.text },
        "artifactChanges": [{
            "artifactLocation": { "uri": uri(name) },
            "replacements": [{
                "deletedRegion": region(source, *span),
                "insertedContent": { "text": text },
            }],
        }],
    }))
}
