//! The times of the steps of a run, shown when the process ends, however it ends.

use crate::diagnostics::JsonObject;
use crate::memory::MEMORY;
use crate::output::to_standard_error;
use crate::recorder::Recorder;
use clap::ValueEnum;
use core::time::Duration;
use mir_nostd::ir::Module;
use std::sync::Mutex;
use std::time::Instant;

/// The format in which times are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Format {
    /// A table
    Text,
    /// One JSON object on one line
    Json,
}

/// The measurements. Times are in microseconds when shown.
#[derive(Debug)]
pub(crate) struct Times {
    pub(crate) format: Format,
    pub(crate) read: Duration,
    pub(crate) verify: Duration,
    pub(crate) link: Duration,
    /// The lent memory in use when everything was linked.
    pub(crate) linked_bytes: u64,
    /// The time when the program began; `None` before.
    pub(crate) started: Option<Instant>,
    /// The number of functions of all files.
    pub(crate) functions: u64,
    /// The number of instructions and labels as read.
    pub(crate) insns: u64,
    /// The lent memory in use when everything was read.
    pub(crate) bytes: u64,
}

impl Times {
    pub(crate) fn new(format: Format) -> Times {
        Times {
            format,
            read: Duration::ZERO,
            verify: Duration::ZERO,
            link: Duration::ZERO,
            linked_bytes: 0,
            started: None,
            functions: 0,
            insns: 0,
            bytes: 0,
        }
    }

    /// Counts the functions and instructions that were read.
    pub(crate) fn count<'a>(&mut self, modules: impl Iterator<Item = &'a Module<'static>>) {
        for (_, func) in modules.flat_map(Module::funcs) {
            self.functions += 1;
            self.insns += func.insn_count() as u64;
        }
        self.bytes = MEMORY.live_bytes();
    }

    fn show(&self) -> String {
        let ran = self.started.map_or(Duration::ZERO, |start| start.elapsed());
        let mut times = vec![
            ("read_us", self.read),
            ("verify_us", self.verify),
            ("link_us", self.link),
            ("run_us", ran),
        ];
        let mut counts = vec![
            ("functions", self.functions),
            ("insns", self.insns),
            ("bytes", self.bytes),
            ("peak_bytes", MEMORY.peak_bytes()),
        ];
        let made = Recorder::made();
        // This is an upper bound: reading, or running, may have needed more.
        let peak = match made.compiled.functions {
            0 => 0,
            _ => MEMORY.peak_bytes().saturating_sub(self.linked_bytes),
        };
        times.insert(3, ("compile_us", made.time));
        counts.extend([
            ("compiled_functions", u64::from(made.compiled.functions)),
            ("code_bytes", made.compiled.bytes),
            ("compile_peak_bytes", peak),
        ]);
        match self.format {
            Format::Json => {
                let mut object = JsonObject::default();
                times
                    .into_iter()
                    .for_each(|(key, time)| object.micros(key, time));
                counts
                    .into_iter()
                    .for_each(|(key, count)| object.number(key, count));
                object.end()
            }
            Format::Text => {
                let time_rows = times.into_iter().map(|(key, time)| {
                    let name = key.trim_end_matches("_us");
                    format!("{name:10} {:12.1} us", time.as_secs_f64() * 1e6)
                });
                let count_rows = counts
                    .into_iter()
                    .map(|(key, count)| format!("{key:10} {count:12}"));
                time_rows.chain(count_rows).collect::<Vec<_>>().join("\n")
            }
        }
    }
}

static SHOWN_AT_EXIT: Mutex<Option<Times>> = Mutex::new(None);

/// Shows the times on standard error when the process exits, also where the program calls `exit`.
pub(crate) fn show_at_exit(times: Times) {
    extern "C" fn show() {
        if let Some(times) = SHOWN_AT_EXIT.lock().ok().and_then(|mut times| times.take()) {
            to_standard_error(&times.show());
        }
    }
    if let Ok(mut shown) = SHOWN_AT_EXIT.lock() {
        *shown = Some(times);
    }
    crate::host::at_exit(show);
}
