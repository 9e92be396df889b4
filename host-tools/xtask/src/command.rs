//! Running other programs with their output captured and a limit on their time.

use core::time::Duration;
use std::io::{Read, Seek};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Instant;

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use crate::parallel;

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

/// Runs a command that must succeed, for at most `limit`.
///
/// # Errors
/// Returns the command and the first lines that it wrote to standard error.
pub(crate) fn succeed(command: &mut Command, limit: Duration) -> Result<(), String> {
    let outcome = run(command, limit);
    if outcome.success {
        return Ok(());
    }
    let said: Vec<&str> = outcome.stderr.lines().take(6).collect();
    Err(format!("{command:?}: {}", said.join("\n        ")))
}

fn run_into(command: &mut Command, limit: Duration, outcome: &mut Outcome) -> std::io::Result<()> {
    // Files are used rather than pipes: nothing blocks when nobody reads, so one thread can wait
    // with a limit.
    let (mut stdout, mut stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    command
        .stdin(Stdio::null())
        .stdout(stdout.try_clone()?)
        .stderr(stderr.try_clone()?);
    let status = wait(&mut command.spawn()?, limit)?;
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

/// Waits for the end of a program and notes the processor time that it took. One that has not ended
/// after `limit` is stopped and has no status.
fn wait(child: &mut Child, limit: Duration) -> std::io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    let mut pause = Duration::from_micros(200);
    while !has_ended(child)? {
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
    let times = std::fs::read_to_string(format!("/proc/{}/stat", child.id()));
    parallel::note(processor_time(&times.unwrap_or_default()).unwrap_or_default());
    child.wait().map(Some)
}

/// True if a program has ended; the system still knows what it took.
fn has_ended(child: &Child) -> std::io::Result<bool> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    Ok(waitid(WaitId::Pid(Pid::from_child(child)), options)?.is_some())
}

/// Returns the processor time of a process and of those that it waited for, by the system's line
/// on it (`proc_pid_stat(5)`): the 14th to 17th field, of which the name, the second, may have
/// spaces.
fn processor_time(line: &str) -> Option<Duration> {
    let (_, after_name) = line.rsplit_once(')')?;
    let times = after_name.split_whitespace().skip(11).take(4);
    let ticks: u64 = times.map(|field| field.parse().unwrap_or(0)).sum();
    let milliseconds = ticks * 1000 / rustix::param::clock_ticks_per_second();
    Some(Duration::from_millis(milliseconds))
}

#[cfg(test)]
mod tests {
    use super::{processor_time, run};
    use crate::parallel::metered;
    use core::time::Duration;
    use std::process::Command;

    #[test]
    fn times_stand_after_the_name() {
        let line = "7 (a ) b) Z 1 7 7 0 -1 4 5 6 7 8 10 20 30 40 20 0 1 0";
        let ticks = rustix::param::clock_ticks_per_second();
        assert_eq!(
            processor_time(line),
            Some(Duration::from_millis(100_000 / ticks))
        );
        assert_eq!(processor_time(""), None);
    }

    #[test]
    fn programs_that_a_program_starts_count() {
        let mut shell = Command::new("sh");
        let inner = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
        shell.args(["-c", "sh -c \"$1\"; exit 3", "sh", inner]);
        let (outcome, taken) = metered(|| run(&mut shell, Duration::from_secs(60)));
        assert_eq!(outcome.status, Some(3));
        assert!(taken > Duration::ZERO);
    }
}
