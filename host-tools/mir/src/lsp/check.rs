//! Findings on a text, as `mir check` has them, in the protocol's form; and its layout.

use super::document::Document;
use crate::commands::fmt::formatted;
use crate::diagnostics::{Diagnostics, Finding, Label};
use crate::isa::Isa;
use crate::memory::MEMORY;
use crate::signatures::warn_of_calls;
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, Diagnostic, DiagnosticRelatedInformation,
    DiagnosticSeverity, NumberOrString, TextEdit, WorkspaceEdit,
};
use std::collections::HashMap;

/// Returns everything that is wrong with a text.
pub(super) fn findings(document: &Document, isa: Isa) -> Vec<Finding> {
    let source = document.source();
    let ((), findings) = Diagnostics::kept(|diagnostics| {
        if let Ok(modules) = source.verified(isa, diagnostics) {
            warn_of_calls(&[(source, modules)], diagnostics);
        }
    });
    MEMORY.settle();
    findings
}

/// Returns the edit that lays the text out, if it is a program and laid out differently.
pub(super) fn layout(document: &Document, isa: Isa) -> Vec<TextEdit> {
    let source = document.source();
    if !source.is_text() {
        return Vec::new();
    }
    let (text, _) = Diagnostics::kept(|diagnostics| formatted(&source, isa, diagnostics));
    MEMORY.settle();
    let text = text.ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let edit = text.filter(|text| text != document.text.content());
    let whole = 0..document.text.content().len();
    edit.map(|text| TextEdit::new(document.text.range(&whole), text))
        .into_iter()
        .collect()
}

/// Returns a finding in the protocol's form.
pub(super) fn diagnostic(document: &Document, finding: &Finding) -> Diagnostic {
    let place = finding.span.map(|span| document.text.offsets(span));
    let mut message = format!("{}{}", finding.message, finding.context());
    let advice = finding.suggestion.as_ref().map(|advice| &advice.text);
    for more in advice.into_iter().chain(&finding.note) {
        message.push('\n');
        message += more;
    }
    let labels = finding.labels.iter();
    let related: Vec<_> = labels.map(|label| related(document, label)).collect();
    Diagnostic {
        range: document.text.range(&place.unwrap_or(0..0)),
        severity: Some(match finding.is_warning {
            true => DiagnosticSeverity::WARNING,
            false => DiagnosticSeverity::ERROR,
        }),
        code: finding
            .code
            .map(|code| NumberOrString::String(code.to_string())),
        source: Some("mir".into()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        ..Diagnostic::default()
    }
}

fn related(document: &Document, label: &Label) -> DiagnosticRelatedInformation {
    DiagnosticRelatedInformation {
        location: document.location(&document.text.offsets(label.span)),
        message: label.text.clone(),
    }
}

/// Returns the replacements that findings in a range suggest.
pub(super) fn actions(document: &Document, range: lsp_types::Range) -> Vec<CodeActionOrCommand> {
    let (start, end) = (
        document.text.offset(range.start),
        document.text.offset(range.end),
    );
    let is_within = |finding: &&Finding| {
        let place = finding.span.map(|span| document.text.offsets(span));
        place.is_some_and(|place| place.start <= end && start <= place.end)
    };
    let findings = document.findings.iter().flatten().filter(is_within);
    findings
        .filter_map(|finding| action(document, finding))
        .map(CodeActionOrCommand::CodeAction)
        .collect()
}

fn action(document: &Document, finding: &Finding) -> Option<CodeAction> {
    let suggestion = finding.suggestion.as_ref()?;
    let (span, text) = suggestion.replacement.as_ref()?;
    let range = document.text.range(&document.text.offsets(*span));
    let edits = vec![TextEdit::new(range, text.clone())];
    let edit = WorkspaceEdit::new(HashMap::from([(document.uri.clone(), edits)]));
    Some(CodeAction {
        title: format!("write `{text}`"),
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![diagnostic(document, finding)]),
        edit: Some(edit),
        is_preferred: Some(true),
        ..CodeAction::default()
    })
}
