//! The library linked with programs, interpreted and compiled: the corpus, and each function
//! against the host's C library or Rust's own.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod corpus;
mod formats;
mod functions;
mod runner;
