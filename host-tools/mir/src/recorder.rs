//! Notes what the compiler does while the program runs: how long, how much, and what it leaves to the interpreter.

use crate::compiled::name;
use crate::diagnostics::{Diagnostics, Finding};
use core::cell::Cell;
use core::time::Duration;
use mir_nostd::codegen::Error;
use mir_nostd::link::Callable;
use mir_nostd::run::{Compiled, Watch};
use std::sync::Mutex;
use std::sync::OnceLock;
use std::time::Instant;

/// Notes what the compiler does.
#[derive(Debug)]
pub(crate) struct Recorder {
    diagnostics: Diagnostics,
    made: Mutex<Made>,
}

/// What was made so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Made {
    pub(crate) compiled: Compiled,
    /// What it took, over all threads.
    pub(crate) time: Duration,
}

thread_local! {
    /// When this thread began with a function or block.
    static BEGUN: Cell<Option<Instant>> = const { Cell::new(None) };
}

static RECORDER: OnceLock<Recorder> = OnceLock::new();

impl Recorder {
    /// The one of this process.
    pub(crate) fn start(diagnostics: &Diagnostics) -> &'static Recorder {
        RECORDER.get_or_init(|| Recorder {
            diagnostics: *diagnostics,
            made: Mutex::default(),
        })
    }

    /// What was made so far, if anything was to be.
    pub(crate) fn made() -> Option<Made> {
        RECORDER.get().map(|recorder| *recorder.lock())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Made> {
        self.made
            .lock()
            .unwrap_or_else(|broken| broken.into_inner())
    }

    /// Adds what compiling at once took.
    pub(crate) fn took(&self, time: Duration) {
        self.lock().time += time;
    }
}

impl Watch for Recorder {
    fn made(&self, callable: &Callable<'_>, address: usize, bytes: usize, block: Option<u32>) {
        let _ = (callable, address);
        let compiled = &mut self.lock().compiled;
        compiled.functions += u32::from(block.is_none_or(|block| block == 0));
        compiled.blocks += u32::from(block.is_some());
        compiled.bytes += bytes as u64;
    }

    fn left(&self, callable: &Callable<'_>, error: Error) {
        self.lock().compiled.left += 1;
        let Some((linked, func)) = callable.func() else {
            return;
        };
        let message = format!("{} is interpreted: {error}", name(linked.module(), func));
        self.diagnostics
            .report("mir", b"", &Finding::warning(message));
    }

    fn begins(&self, _: &Callable<'_>) {
        BEGUN.set(Some(Instant::now()));
    }

    fn ends(&self, _: &Callable<'_>) {
        if let Some(begun) = BEGUN.take() {
            self.took(begun.elapsed());
        }
    }
}
