//! The loop of the server: texts that editors open and change, their requests, and the answers.

use super::check::{actions, diagnostic, findings, layout};
use super::completion::completions;
use super::document::Document;
use super::hover::hover;
use super::index::Role;
use super::symbols::{definition, outline, references};
use crate::failure::{Failure, Result};
use crate::isa::Isa;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{self, Notification as _};
use lsp_types::request::{self, Request as _};
use lsp_types::{
    CodeActionProviderCapability, CompletionOptions, CompletionResponse, DocumentSymbolResponse,
    GotoDefinitionResponse, HoverProviderCapability, OneOf, PublishDiagnosticsParams, SaveOptions,
    ServerCapabilities, TextDocumentPositionParams, TextDocumentSyncCapability,
    TextDocumentSyncKind, TextDocumentSyncOptions, TextDocumentSyncSaveOptions, Uri,
};
use serde_json::Value;
use std::collections::HashMap;

/// Serves an editor on standard input and output until it says that it is done.
///
/// # Errors
/// If what comes in is not the protocol, or ends without a goodbye.
pub(crate) fn serve(isa: Isa) -> Result<()> {
    let (connection, threads) = Connection::stdio();
    Server::new(connection, isa).serve()?;
    // The connection is gone by now, which ends the threads.
    threads.join().map_err(|error| wrong(&error))
}

fn wrong(problem: &dyn core::fmt::Display) -> Failure {
    Failure::File {
        name: "standard input".into(),
        problem: problem.to_string(),
    }
}

fn capabilities() -> ServerCapabilities {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::FULL),
        save: Some(TextDocumentSyncSaveOptions::SaveOptions(
            SaveOptions::default(),
        )),
        ..TextDocumentSyncOptions::default()
    };
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        completion_provider: Some(CompletionOptions::default()),
        document_formatting_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Simple(true)),
        ..ServerCapabilities::default()
    }
}

/// The answer to a request, or the reason why there is none.
type Answer = core::result::Result<Value, (ErrorCode, String)>;

struct Server {
    connection: Connection,
    isa: Isa,
    /// The open texts by their URI.
    documents: HashMap<String, Document>,
}

impl Server {
    fn new(connection: Connection, isa: Isa) -> Server {
        Server {
            connection,
            isa,
            documents: HashMap::new(),
        }
    }

    fn serve(mut self) -> Result<()> {
        let (id, _) = self
            .connection
            .initialize_start()
            .map_err(|error| wrong(&error))?;
        let answer = serde_json::json!({
            "capabilities": capabilities(),
            "serverInfo": { "name": "mir", "version": env!("CARGO_PKG_VERSION") },
        });
        self.connection
            .initialize_finish(id, answer)
            .map_err(|error| wrong(&error))?;
        while let Ok(message) = self.connection.receiver.recv() {
            match message {
                Message::Request(request) => {
                    let is_last = self.connection.handle_shutdown(&request);
                    if is_last.map_err(|error| wrong(&error))? {
                        return Ok(());
                    }
                    self.answer(request);
                }
                Message::Notification(notification) => self.note(notification),
                Message::Response(_) => {}
            }
            // Changes that come quickly are checked once.
            if self.connection.receiver.is_empty() {
                self.check();
            }
        }
        Err(wrong(&"the editor left without `shutdown` and `exit`"))
    }

    fn send(&self, message: Message) {
        // An editor that is gone is noticed when nothing more comes from it.
        let _ = self.connection.sender.send(message);
    }

    /// Takes what an editor says of its texts. What cannot be understood is left alone.
    fn note(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match method.as_str() {
            notification::DidOpenTextDocument::METHOD => {
                if let Some(opened) = read::<notification::DidOpenTextDocument>(params) {
                    let document = opened.text_document;
                    self.take(document.uri, document.version, document.text);
                }
            }
            notification::DidChangeTextDocument::METHOD => {
                if let Some(changed) = read::<notification::DidChangeTextDocument>(params) {
                    let (document, mut changes) = (changed.text_document, changed.content_changes);
                    if let Some(change) = changes.pop().filter(|change| change.range.is_none()) {
                        self.take(document.uri, document.version, change.text);
                    }
                }
            }
            notification::DidSaveTextDocument::METHOD => {
                if let Some(saved) = read::<notification::DidSaveTextDocument>(params)
                    && let Some(document) = self.documents.get_mut(saved.text_document.uri.as_str())
                {
                    document.findings = None;
                }
            }
            notification::DidCloseTextDocument::METHOD => {
                if let Some(closed) = read::<notification::DidCloseTextDocument>(params) {
                    let uri = closed.text_document.uri;
                    self.documents.remove(uri.as_str());
                    self.publish(PublishDiagnosticsParams::new(uri, Vec::new(), None));
                }
            }
            _ => {}
        }
    }

    fn take(&mut self, uri: Uri, version: i32, text: String) {
        let key = uri.as_str().to_owned();
        self.documents
            .insert(key, Document::new(uri, version, text));
    }

    /// Checks the texts that have not been since they changed, and tells what is wrong with them.
    fn check(&mut self) {
        let mut told = Vec::new();
        for document in self.documents.values_mut() {
            if document.findings.is_none() {
                let found = findings(document, self.isa);
                let shown = found.iter().map(|finding| diagnostic(document, finding));
                told.push(PublishDiagnosticsParams::new(
                    document.uri.clone(),
                    shown.collect(),
                    Some(document.version),
                ));
                document.findings = Some(found);
            }
        }
        told.into_iter().for_each(|params| self.publish(params));
    }

    fn publish(&self, params: PublishDiagnosticsParams) {
        let method = notification::PublishDiagnostics::METHOD.to_owned();
        self.send(Message::Notification(Notification::new(method, params)));
    }

    fn answer(&mut self, request: Request) {
        let id = request.id.clone();
        let response = match self.answer_to(request) {
            Ok(value) => Response::new_ok(id, value),
            Err((code, message)) => Response::new_err(id, code as i32, message),
        };
        self.send(Message::Response(response));
    }

    fn answer_to(&mut self, Request { method, params, .. }: Request) -> Answer {
        match method.as_str() {
            request::HoverRequest::METHOD => self
                .on::<request::HoverRequest>(params, |server, asked| {
                    server.at(&asked.text_document_position_params, hover)
                }),
            request::GotoDefinition::METHOD => {
                self.on::<request::GotoDefinition>(params, |server, asked| {
                    let found = server.at(&asked.text_document_position_params, definition);
                    found.map(GotoDefinitionResponse::Scalar)
                })
            }
            request::References::METHOD => {
                self.on::<request::References>(params, |server, asked| {
                    let roles: &[Role] = match asked.context.include_declaration {
                        true => &[Role::Declaration, Role::Use],
                        false => &[Role::Use],
                    };
                    server.at(&asked.text_document_position, |document, offset| {
                        Some(references(document, offset, roles))
                    })
                })
            }
            request::Completion::METHOD => {
                self.on::<request::Completion>(params, |server, asked| {
                    let found = server.at(&asked.text_document_position, |document, offset| {
                        Some(completions(document, offset))
                    });
                    found.map(CompletionResponse::Array)
                })
            }
            request::Formatting::METHOD => {
                self.on::<request::Formatting>(params, |server, asked| {
                    let document = server.document(&asked.text_document.uri)?;
                    Some(layout(document, server.isa))
                })
            }
            request::DocumentSymbolRequest::METHOD => {
                self.on::<request::DocumentSymbolRequest>(params, |server, asked| {
                    let document = server.document(&asked.text_document.uri)?;
                    Some(DocumentSymbolResponse::Nested(outline(document)))
                })
            }
            request::CodeActionRequest::METHOD => {
                // Findings are those of the text as it is.
                self.check();
                self.on::<request::CodeActionRequest>(params, |server, asked| {
                    let document = server.document(&asked.text_document.uri)?;
                    Some(actions(document, asked.range))
                })
            }
            _ => Err((ErrorCode::MethodNotFound, format!("no method `{method}`"))),
        }
    }

    /// Answers a request of one kind.
    fn on<R: request::Request>(
        &self,
        params: Value,
        answer: impl FnOnce(&Server, R::Params) -> R::Result,
    ) -> Answer {
        let asked = serde_json::from_value(params)
            .map_err(|error| (ErrorCode::InvalidParams, error.to_string()))?;
        serde_json::to_value(answer(self, asked))
            .map_err(|error| (ErrorCode::InternalError, error.to_string()))
    }

    fn document(&self, uri: &Uri) -> Option<&Document> {
        self.documents.get(uri.as_str())
    }

    /// Returns what there is at a position of an open text.
    fn at<T>(
        &self,
        place: &TextDocumentPositionParams,
        find: impl FnOnce(&Document, usize) -> Option<T>,
    ) -> Option<T> {
        let document = self.document(&place.text_document.uri)?;
        find(document, document.text.offset(place.position))
    }
}

/// Returns the parameters of a notification, if they are what the protocol says.
fn read<N: notification::Notification>(params: Value) -> Option<N::Params> {
    serde_json::from_value(params).ok()
}
