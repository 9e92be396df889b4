//! The line on a terminal that tells what takes longer than a second.

use core::time::Duration;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;

/// The time after which a step is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// The line that is shown.
static LINE: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// A step of a command. While it lasts, standard error shows its name and the time it has taken;
/// the line disappears at its end. Where standard error is no terminal there is neither a line nor
/// a thread.
#[derive(Debug)]
pub(crate) struct Progress(Option<Shown>);

#[derive(Debug)]
struct Shown {
    /// Dropped to tell the thread that the step has ended.
    lasts: Sender<()>,
    thread: JoinHandle<()>,
}

impl Progress {
    /// Begins a step, which ends when the value is dropped.
    pub(crate) fn of(step: impl Into<String>) -> Progress {
        let is_seen = std::io::stderr().is_terminal();
        Progress(is_seen.then(|| Shown::new(step.into())).flatten())
    }
}

impl Shown {
    /// Returns nothing where no thread can be had: the step goes on without its line.
    fn new(step: String) -> Option<Shown> {
        let (lasts, ended) = channel::<()>();
        let show = move || {
            if ended.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                let shown = line(step);
                set(Some(shown.clone()));
                let _ = ended.recv();
                set(None);
                shown.finish_and_clear();
            }
        };
        let thread = std::thread::Builder::new().spawn(show).ok()?;
        Some(Shown { lasts, thread })
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(Shown { lasts, thread }) = self.0.take() {
            drop(lasts);
            let _ = thread.join();
        }
    }
}

/// Shows a step that has taken [`PATIENCE`] already.
fn line(step: String) -> ProgressBar {
    let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{spinner} {msg} ... {elapsed}");
    line.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    let line = line.with_elapsed(PATIENCE).with_message(step);
    line.enable_steady_tick(Duration::from_millis(200));
    line
}

fn set(line: Option<ProgressBar>) {
    *LINE.lock().unwrap_or_else(|broken| broken.into_inner()) = line;
}

/// Writes to standard error by `write`, with the line of a step out of the way.
pub(crate) fn aside<T>(write: impl FnOnce() -> T) -> T {
    let shown = LINE.lock().unwrap_or_else(|broken| broken.into_inner());
    match shown.clone() {
        Some(line) => line.suspend(write),
        None => write(),
    }
}
