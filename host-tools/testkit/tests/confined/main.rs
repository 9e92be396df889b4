//! Tests of confined programs: whatever they do, they keep to their memory, and all engines agree.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on panics")]

mod prelude;
mod wild;
