//! `run --on`: other ISAs through their runners, and all of them compared.

use super::words;
use super::{HELLO, directory, mir_with};
use std::ffi::OsStr;
use std::path::Path;
use testkit::command::isa;

/// Returns the name of an ISA that the command was not built for.
fn other_isa() -> &'static str {
    if isa() == "s390x" { "riscv64" } else { "s390x" }
}

#[test]
fn another_isa_runs_by_its_runner() {
    let directory = directory("runners");
    let runner = directory.join("runners").join(other_isa());
    std::fs::create_dir_all(&runner).unwrap();
    std::fs::write(runner.join("command"), "echo\nas another\n").unwrap();
    let arguments: [&dyn AsRef<OsStr>; 9] = [
        &"run",
        &"--on",
        &other_isa(),
        &"--fuel",
        &"9",
        &"--time=json",
        &"x.mir",
        &"--",
        &"a b",
    ];
    let ran = mir_with(b"", &arguments, Some(&directory));
    assert_eq!(
        (ran.status, ran.text()),
        (0, "as another run --fuel 9 --time=json x.mir -- a b\n"),
        "{}",
        ran.err
    );
    let missing = mir_with(b"", &arguments, Some(Path::new("/does/not/exist")));
    assert_eq!((missing.status, missing.err.lines().count()), (2, 1));
    assert!(
        missing.err.contains("cargo xtask runners"),
        "{}",
        missing.err
    );
}

#[test]
fn all_isas_are_compared() {
    if words().len() > 1 {
        // Under emulation the command cannot start itself.
        return;
    }
    let directory = directory("all");
    for isa in ["x86_64", "aarch64", "ppc64le", "riscv64", "s390x"] {
        let runner = directory.join("runners").join(isa);
        std::fs::create_dir_all(&runner).unwrap();
        // The runner prints the program instead of running it.
        let script = if isa == other_isa() {
            "cat; echo surprise"
        } else {
            "cat; exit 0"
        };
        std::fs::write(runner.join("command"), format!("sh\n-c\n{script}\n")).unwrap();
    }
    let program = HELLO.replace("hello %d\\n", "m").replace("ret 42", "ret 0");
    let ran = mir_with(
        program.as_bytes(),
        &[&"run", &"--on", &"all"],
        Some(&directory),
    );
    assert_eq!((ran.status, ran.text()), (1, "m"), "{}", ran.err);
    assert_eq!(
        ran.err
            .lines()
            .filter(|line| line.contains("DIFFERS"))
            .count(),
        4,
        "{}",
        ran.err
    );
    assert_eq!(
        ran.err
            .lines()
            .filter(|line| line.contains("agrees"))
            .count(),
        1,
        "{}",
        ran.err
    );
}

#[test]
fn isas_without_a_runner_are_named_and_left_out() {
    if words().len() > 1 {
        // Under emulation the command cannot start itself.
        return;
    }
    let directory = directory("some");
    let runner = directory.join(other_isa());
    std::fs::create_dir_all(&runner).unwrap();
    std::fs::write(runner.join("command"), "sh\n-c\ncat >/dev/null; printf m\n").unwrap();
    let program = HELLO.replace("hello %d\\n", "m").replace("ret 42", "ret 0");
    let arguments: [&dyn AsRef<OsStr>; 3] = [&"run", &"--on", &"all"];
    // The folder of runners itself can be named as well as the one that it lies in.
    let ran = mir_with(program.as_bytes(), &arguments, Some(&directory));
    assert_eq!((ran.status, ran.text()), (0, "m"), "{}", ran.err);
    let named = ran.err.lines().next().unwrap();
    for name in ["x86_64", "aarch64", "ppc64le", "riscv64", "s390x"] {
        let is_missing = name != isa() && name != other_isa();
        assert_eq!(named.contains(&format!(" {name}")), is_missing, "{named}");
    }
    let agree = ran
        .err
        .lines()
        .filter(|line| line.contains("agrees"))
        .count();
    assert_eq!(agree, 2, "{}", ran.err);
    std::fs::remove_file(runner.join("command")).unwrap();
    let alone = mir_with(program.as_bytes(), &arguments, Some(&directory));
    assert_eq!((alone.status, alone.text()), (2, ""), "{}", alone.err);
}

/// A runner that takes two seconds is told of while it runs, to people alone. `script` gives the
/// command a terminal and writes what it shows.
#[test]
fn terminals_see_what_takes_long() {
    if words().len() > 1 {
        // Under emulation the command cannot start itself.
        return;
    }
    let directory = directory("slow");
    let runner = directory.join(other_isa());
    std::fs::create_dir_all(&runner).unwrap();
    let script = "cat >/dev/null; sleep 2; printf m";
    std::fs::write(runner.join("command"), format!("sh\n-c\n{script}\n")).unwrap();
    let program = directory.join("program.mir");
    let text = HELLO.replace("hello %d\\n", "m").replace("ret 42", "ret 0");
    std::fs::write(&program, text).unwrap();
    let line = format!("running on {}, {}", isa(), other_isa());
    let arguments: [&dyn AsRef<OsStr>; 4] = [&"run", &"--on", &"all", &program];
    let piped = mir_with(b"", &arguments, Some(&directory));
    assert_eq!((piped.status, piped.err.contains(&line)), (0, false));
    let command = format!("{} run --on all {}", words()[0], program.display());
    let seen = std::process::Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .env("MIR_RUNNERS", &directory)
        .env("TERM", "xterm")
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&seen.stdout);
    assert_eq!(seen.status.code(), Some(0), "{text}");
    assert!(text.contains(&line) && text.contains("agrees"), "{text}");
}
