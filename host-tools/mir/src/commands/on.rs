//! `mir run --on`: runs a program as another ISA, by the runner that `cargo xtask runners`
//! registered (docs/runners.md).

use crate::failure::{Failure, Result};
use crate::isa::Isa;
use crate::output::to_standard_error;
use crate::progress::Progress;
use clap::ValueEnum;
use clap::builder::PossibleValue;
use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};

/// The argument of `--on`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum On {
    One(Isa),
    All,
}

impl ValueEnum for On {
    fn value_variants<'a>() -> &'a [On] {
        static VARIANTS: std::sync::LazyLock<Vec<On>> =
            std::sync::LazyLock::new(|| Isa::all().map(On::One).chain([On::All]).collect());
        &VARIANTS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            On::One(isa) => isa.to_possible_value(),
            On::All => Some(PossibleValue::new("all").help("All five; shows who agrees")),
        }
    }
}

/// Runs `mir` with these arguments as another ISA, in place of this process.
pub(crate) fn run_on(isa: Isa, arguments: &[OsString]) -> Result<()> {
    let error = command(isa, arguments)?.exec();
    Err(Failure::Usage(format!(
        "the runner of {}: {error}",
        isa.name()
    )))
}

/// Returns the command that runs `mir` as this ISA.
fn command(isa: Isa, arguments: &[OsString]) -> Result<Command> {
    if isa.is_host() {
        let this = std::env::current_exe();
        let this = this.map_err(|error| Failure::file(Path::new("mir"), &error))?;
        let mut command = Command::new(this);
        command.args(arguments);
        return Ok(command);
    }
    let path = runners().join(isa.name()).join("command");
    let words = std::fs::read_to_string(&path).map_err(|_| missing(&[isa.name()]))?;
    let mut words = words.lines();
    let mut command = Command::new(words.next().ok_or_else(|| missing(&[isa.name()]))?);
    command.args(words).args(arguments);
    Ok(command)
}

/// Returns the error that there are no runners of these ISAs.
fn missing(names: &[&str]) -> Failure {
    let (names, place) = (names.join(", "), runners());
    let place = place.display();
    Failure::Usage(format!(
        "no runner of {names} in {place}: `cargo xtask runners` builds it"
    ))
}

/// Returns the directory that has a subdirectory for each runner.
fn runners() -> PathBuf {
    if let Some(named) = std::env::var_os("MIR_RUNNERS") {
        let named = PathBuf::from(named);
        let inside = named.join("runners");
        return if inside.is_dir() { inside } else { named };
    }
    let this = std::env::current_exe().and_then(std::fs::canonicalize);
    let above = this
        .ok()
        .and_then(|this| Some(this.parent()?.parent()?.to_path_buf()));
    let above = above.unwrap_or_default();
    let installed = above.join("lib/mir/runners");
    match installed.is_dir() {
        true => installed,
        false => above.join("runners"),
    }
}

/// Runs `mir` with these arguments as each ISA that there is a runner of and shows which agree.
/// Standard output is the host's; its exit status is the result if all agree. Runners that are
/// missing are named; without any it is an error.
pub(crate) fn run_on_all(arguments: &[OsString]) -> Result<i32> {
    // Programs that end early must not end this one.
    crate::host::ignore_broken_pipes();
    let mut all: Vec<Isa> = Isa::all().collect();
    all.sort_by_key(|isa| !isa.is_host());
    let (mut isas, mut commands, mut absent) = (Vec::new(), Vec::new(), Vec::new());
    for isa in all {
        match command(isa, arguments) {
            Ok(command) => {
                isas.push(isa);
                commands.push(command);
            }
            Err(_) => absent.push(isa.name()),
        }
    }
    if isas.iter().all(|isa| isa.is_host()) {
        return Err(missing(&absent));
    }
    if let Failure::Usage(message) = missing(&absent)
        && !absent.is_empty()
    {
        to_standard_error(&message);
    }
    let mut children = Vec::new();
    for (&isa, command) in isas.iter().zip(&mut commands) {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = command.spawn();
        let failed = |error| Failure::Usage(format!("the runner of {}: {error}", isa.name()));
        children.push(child.map_err(failed)?);
    }
    let names: Vec<&str> = isas.iter().map(|isa| isa.name()).collect();
    let progress = Progress::of(format!("running on {}", names.join(", ")));
    let outputs = outputs_of(children)?;
    drop(progress);
    Ok(compare(&isas, &outputs))
}

/// Passes standard input to all children and collects their output.
fn outputs_of(mut children: Vec<Child>) -> Result<Vec<Output>> {
    let inputs = children
        .iter_mut()
        .filter_map(|child| child.stdin.take())
        .collect();
    // The thread is not joined: it may wait for input that nobody reads any more.
    std::thread::spawn(move || give_input(inputs));
    let waiting: Vec<_> = children
        .into_iter()
        .map(|child| std::thread::spawn(move || child.wait_with_output()))
        .collect();
    let wait = |thread: std::thread::JoinHandle<std::io::Result<Output>>| {
        let output = thread
            .join()
            .unwrap_or_else(|_| Err(std::io::ErrorKind::Other.into()));
        output.map_err(|error| Failure::file(Path::new("runner"), &error))
    };
    waiting.into_iter().map(wait).collect()
}

fn give_input(mut inputs: Vec<ChildStdin>) {
    let mut buffer = vec![0; 1 << 16];
    let mut from = std::io::stdin().lock();
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        inputs.retain_mut(|input| input.write_all(&buffer[..count]).is_ok());
        if inputs.is_empty() {
            return;
        }
    }
}

/// Shows the first output, and how the others differ from it; returns the exit status.
fn compare(isas: &[Isa], outputs: &[Output]) -> i32 {
    let Some(first) = outputs.first() else {
        return 0;
    };
    let _ = std::io::stdout().write_all(&first.stdout);
    let _ = std::io::stdout().flush();
    let mut all_agree = true;
    for (isa, output) in isas.iter().zip(outputs) {
        let _ = std::io::stderr().write_all(&output.stderr);
        let difference = difference(first, output);
        all_agree &= difference.is_none();
        let status = describe(output.status);
        let verdict = difference.unwrap_or_else(|| "agrees".into());
        to_standard_error(&format!("{:8} {status}: {verdict}", isa.name()));
    }
    if all_agree {
        exit_status(first.status)
    } else {
        1
    }
}

fn difference(first: &Output, other: &Output) -> Option<String> {
    if first.stdout != other.stdout {
        let lines = |output: &Output| -> Vec<Vec<u8>> {
            output
                .stdout
                .split(|&byte| byte == b'\n')
                .map(<[u8]>::to_vec)
                .collect()
        };
        let (ours, theirs) = (lines(first), lines(other));
        let same = ours.iter().zip(&theirs).take_while(|(a, b)| a == b).count();
        let theirs = theirs
            .get(same)
            .map_or("".into(), |line| String::from_utf8_lossy(line));
        return Some(format!(
            "DIFFERS in line {} of its output: {theirs}",
            same + 1
        ));
    }
    (first.status != other.status).then(|| "DIFFERS in its exit status".into())
}

fn describe(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("exit {code}"),
        None => format!("signal {}", status.signal().unwrap_or(0)),
    }
}

/// Returns the status of a process as shells show it.
fn exit_status(status: ExitStatus) -> i32 {
    status
        .code()
        .unwrap_or_else(|| 128 + status.signal().unwrap_or(0))
}

/// Returns an option and its value as arguments.
pub(crate) fn option(name: &str, value: impl AsRef<OsStr>) -> [OsString; 2] {
    [name.into(), value.as_ref().into()]
}
