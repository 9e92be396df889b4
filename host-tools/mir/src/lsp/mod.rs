//! The language server: programs as text that an editor has open, and the answers to its requests.

mod check;
mod completion;
mod document;
mod hover;
mod index;
mod reference;
mod server;
mod symbols;
mod text;

pub(crate) use server::serve;
