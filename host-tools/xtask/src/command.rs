//! Running other programs with their output captured and a limit on their time.

use core::time::Duration;
use std::io::{Read, Seek};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The way in which a program ended, and its output.
pub(crate) struct Outcome {
    /// True if it exited by itself with status 0.
    pub(crate) success: bool,
    /// Its status, if it exited by itself.
    pub(crate) status: Option<i32>,
    /// Its standard output.
    pub(crate) stdout: Vec<u8>,
    /// Its standard error, and the reason why it was stopped or did not start.
    pub(crate) stderr: String,
    /// Wall time.
    pub(crate) time: Duration,
}

impl Outcome {
    /// Returns standard output as text, with invalid bytes replaced.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }
}

/// Runs `command` to its end or for at most `limit`, without standard input.
pub(crate) fn run(command: &mut Command, limit: Duration) -> Outcome {
    let start = Instant::now();
    let mut outcome = Outcome {
        success: false,
        status: None,
        stdout: Vec::new(),
        stderr: String::new(),
        time: Duration::ZERO,
    };
    if let Err(error) = run_into(command, limit, &mut outcome) {
        outcome.stderr += &format!("{}: {error}\n", command.get_program().display());
    }
    outcome.time = start.elapsed();
    outcome
}

fn run_into(command: &mut Command, limit: Duration, outcome: &mut Outcome) -> std::io::Result<()> {
    // Files are used rather than pipes: nothing blocks when nobody reads, so one thread can wait
    // with a limit.
    let (mut stdout, mut stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    command
        .stdin(Stdio::null())
        .stdout(stdout.try_clone()?)
        .stderr(stderr.try_clone()?);
    let start = Instant::now();
    let mut child = command.spawn()?;
    let mut pause = Duration::from_micros(200);
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            break None;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    };
    outcome.success = status.is_some_and(|status| status.success());
    outcome.status = status.and_then(|status| status.code());
    stdout.rewind()?;
    stdout.read_to_end(&mut outcome.stdout)?;
    let mut errors = Vec::new();
    stderr.rewind()?;
    stderr.read_to_end(&mut errors)?;
    outcome.stderr = String::from_utf8_lossy(&errors).into_owned();
    match status {
        None => outcome.stderr += &format!("stopped after {} seconds\n", limit.as_secs()),
        Some(status) if !status.success() => outcome.stderr += &format!("{status}\n"),
        Some(_) => {}
    }
    Ok(())
}
