//! The command as users call it: standard output, standard error, exit status; a module for each
//! part of it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Returns the words that run the command.
fn words() -> &'static [String] {
    testkit::command::words(env!("CARGO_BIN_EXE_mir"))
}

/// The outcome of a call.
#[derive(Debug)]
struct Outcome {
    status: i32,
    out: Vec<u8>,
    err: String,
}

impl Outcome {
    fn text(&self) -> &str {
        core::str::from_utf8(&self.out).unwrap()
    }
}

/// Calls the command under test with this standard input.
fn mir_with(input: &[u8], arguments: &[&dyn AsRef<OsStr>], runners: Option<&Path>) -> Outcome {
    let mut command = Command::new(&words()[0]);
    command.args(&words()[1..]);
    outcome(command, input, arguments, runners)
}

/// Calls `mir image` as it was built for this machine, for the ISA of the command under test: it
/// makes the same bytes there (suite `image`), and under emulation takes ten times as long.
fn image_with(input: &[u8], arguments: &[&dyn AsRef<OsStr>]) -> Outcome {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mir"));
    command.args(["image", "--target", testkit::command::isa()]);
    outcome(command, input, arguments, None)
}

/// Calls a command with this standard input and more arguments.
fn outcome(
    mut command: Command,
    input: &[u8],
    arguments: &[&dyn AsRef<OsStr>],
    runners: Option<&Path>,
) -> Outcome {
    command.args(arguments.iter().map(|argument| argument.as_ref()));
    command
        .env("MIR_TEST", "from the environment")
        .env_remove("MIR_RUNNERS");
    if let Some(runners) = runners {
        command.env("MIR_RUNNERS", runners);
    }
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that reads no input may be gone already.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    Outcome {
        status: output.status.code().unwrap(),
        out: output.stdout,
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Calls the command; the first argument is standard input.
macro_rules! mir {
    ($input:expr $(, $argument:expr)*) => {
        $crate::mir_with($input.as_ref(), &[$(&$argument),*], None)
    };
}

/// Makes an image for the ISA of the command; the first argument is standard input.
macro_rules! image {
    ($input:expr $(, $argument:expr)*) => {
        $crate::image_with($input.as_ref(), &[$(&$argument),*])
    };
}

// After the macros, which they use.
mod builds;
mod code;
mod debuggers;
mod diagnostics;
mod files;
mod generic;
mod image;
mod lsp;
mod machine;
mod on;
mod output;
mod run;
mod view;
mod worker;

/// A directory of its own for a test.
fn directory(name: &str) -> PathBuf {
    let path =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples")
        .join(name)
}

/// The number after `"key":`.
fn number(json: &str, key: &str) -> f64 {
    let (_, rest) = json.split_once(&format!("\"{key}\":")).unwrap();
    rest.split([',', '}']).next().unwrap().parse().unwrap()
}

const HELLO: &str = "m: module
 import printf
p: proto i32, p:format, ...
main: func i32
 local i64:r
 call p, printf, r, \"hello %d\\n\", 7
 ret 42
 endfunc
 endmodule
";

const AHEAD: &str = "m: module
import ext
export f
p_e: proto i64, i64:x
f: func i64, i64:a, i64:b
local i64:r
add r, a, b
call p_e, ext, r, r
ret r
endfunc
endmodule
";

const ISAS: [&str; 5] = ["x86_64", "aarch64", "ppc64le", "riscv64", "s390x"];
