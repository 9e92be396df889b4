//! Tests of confined programs: whatever they do, they keep to their memory, and all engines agree.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on panics")]
#![expect(unsafe_code, reason = "calls past the checks are refused")]

mod backtrace;
mod calls_back;
mod control;
mod embedder;
mod footprint;
mod images;
mod linking;
mod memory;
mod prelude;
mod snapshot;
mod stack;
mod undefined;
mod verified;
mod wild;
