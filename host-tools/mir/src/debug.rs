//! `--debug`: reports of the compiler on standard error.

use core::fmt;
use mir_nostd::codegen::{DebugLevel, DebugOutput, DebugSink};
use std::io::Write;

/// `--debug`.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct DebugArg {
    /// Say on standard error what the compiler does
    #[arg(long, value_name = "LEVEL", num_args = 0..=1, require_equals = true, default_missing_value = "functions")]
    debug: Option<Level>,
}

/// The level of detail.
#[derive(clap::ValueEnum, Clone, Copy)]
enum Level {
    /// A line for each function
    Functions,
    /// A line for each stage as well
    Stages,
    /// The function as Machine IR after each stage as well
    Code,
}

impl DebugArg {
    /// Returns the output that compilers report to, if the option was given.
    pub(crate) fn output(self) -> Option<DebugOutput<'static>> {
        let level = match self.debug? {
            Level::Functions => DebugLevel::Functions,
            Level::Stages => DebugLevel::Stages,
            Level::Code => DebugLevel::Code,
        };
        Some(DebugOutput {
            sink: &StandardError,
            level,
        })
    }

    /// Returns the option as it was given.
    pub(crate) fn word(self) -> Option<&'static str> {
        Some(match self.debug? {
            Level::Functions => "--debug",
            Level::Stages => "--debug=stages",
            Level::Code => "--debug=code",
        })
    }
}

struct StandardError;

impl DebugSink for StandardError {
    fn say(&self, message: fmt::Arguments<'_>) {
        // If standard error fails, there is nowhere left to report that.
        let _: std::io::Result<()> = std::io::stderr().lock().write_fmt(message);
    }
}
