//! The rules of `integrations/` at work: make, ninja and CMake build programs with them, nothing
//! that has not changed again, and exactly what depends on a file that has.

use core::time::Duration;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command;
use crate::isa::Isa;
use crate::report::Counts;
use crate::runners;
use crate::setup;
use crate::workspace;

const LIMIT: Duration = Duration::from_secs(10 * 60);

/// The number of programs that ninja builds.
pub(crate) const PROGRAMS: usize = 1000;

/// The programs that build systems need, each with Debian's package of it.
const NEEDED: [(&str, &str); 3] = [
    ("cmake", "cmake"),
    ("make", "make"),
    ("ninja", "ninja-build"),
];

/// Installs what is missing.
///
/// # Errors
/// Says what could not be installed.
pub(crate) fn is_ready() -> Result<(), String> {
    setup::ensure_programs(&NEEDED)
}

/// A test: builds in a directory with a command `mir`.
type Test = fn(&Path, &Path) -> Result<(), String>;

/// Builds with each build system.
pub(crate) fn run() -> Counts {
    let mut tests: Vec<(&str, Test)> = vec![("ninja", ninja), ("make", make), ("cmake", cmake)];
    match setup::is_installed("bazel") {
        true => tests.push(("bazel", bazel)),
        false => println!("        SKIPPED bazel: it is not installed (package bazel-bootstrap)"),
    }
    let (mut passed, mut details) = (0, String::new());
    let mir = host_mir();
    let count = tests.len();
    for (name, test) in tests {
        let done = mir.as_ref().map_err(Clone::clone).and_then(|mir| {
            let scratch = tempfile::tempdir().map_err(said)?;
            test(mir, scratch.path())
        });
        match done {
            Ok(()) => passed += 1,
            Err(message) => details += &format!("    {name}: {message}\n"),
        }
    }
    (passed, count - passed, details)
}

/// Builds the command for this machine.
///
/// # Errors
/// As [`runners::build_for_tests`].
pub(crate) fn host_mir() -> Result<PathBuf, String> {
    let host = Isa::all().find(|isa| isa.is_host());
    runners::build_for_tests(host.ok_or("this machine is none of the ISAs")?)
}

fn said(error: impl core::fmt::Display) -> String {
    error.to_string()
}

/// Writes a file.
fn write(file: &Path, text: &str) -> Result<(), String> {
    fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}

/// Returns a program that exports a function of this name, which computes with a number.
pub(crate) fn program(name: &str, number: usize) -> String {
    format!(
        "m: module
 export {name}
{name}: func i64, i64:n
 local i64:sum
 mov sum, {number}
again: add sum, sum, n
 mul sum, sum, {}
 sub n, n, 1
 bgt again, n, 0
 ret sum
 endfunc
 endmodule
",
        number % 7 + 3
    )
}

/// Writes so many programs, each of its own name and number.
///
/// # Errors
/// Says what could not be written.
pub(crate) fn write_programs(directory: &Path, count: usize) -> Result<(), String> {
    (0..count).try_for_each(|number| {
        let file = directory.join(format!("p{number}.mir"));
        write(&file, &program(&format!("f{number}"), number))
    })
}

/// Returns a rule file of `integrations`.
fn rules(name: &str) -> String {
    let file = workspace::root().join("integrations").join(name);
    file.display().to_string()
}

/// Runs a build; returns its standard output.
fn build(words: &[&str], directory: &Path) -> Result<String, String> {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).current_dir(directory);
    let outcome = command::run(&mut command, LIMIT);
    match outcome.success {
        true => Ok(outcome.text()),
        false => Err(format!("{words:?}: {}{}", outcome.text(), outcome.stderr)),
    }
}

/// Checks that a build made exactly these, as its output tells.
fn made_exactly(output: &str, wanted: &[&str]) -> Result<(), String> {
    let made: BTreeSet<&str> = (output.lines())
        .filter(|line| line.contains("mir obj ") || line.contains("mir image "))
        .filter_map(|line| line.split_whitespace().last())
        .collect();
    match made.iter().eq(BTreeSet::from_iter(wanted)) {
        true => Ok(()),
        false => Err(format!("made {made:?} where {wanted:?} had changed")),
    }
}

/// Builds many programs and an image. Which programs that has is known from a file of words alone,
/// and to ninja from the rule that the command writes.
fn ninja(mir: &Path, directory: &Path) -> Result<(), String> {
    write_programs(directory, PROGRAMS)?;
    write(&directory.join("inner.mir"), &program("inner", 1))?;
    write(&directory.join("image.words"), "p0.mir inner.mir\n")?;
    let mut text = format!("mir = {}\nmir_target = riscv64\n", mir.display());
    text += &format!("mir_flags = -O2\ninclude {}\n", rules("ninja/mir.ninja"));
    text += "build image.mimg: mir_image image.words\n";
    let mut all: Vec<String> = (0..PROGRAMS).map(|number| format!("p{number}.o")).collect();
    for object in &all {
        let stem = object.trim_end_matches(".o");
        text += &format!("build {object}: mir_obj {stem}.mir\n");
    }
    all.push("image.mimg".into());
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    write(&directory.join("build.ninja"), &text)?;
    made_exactly(&build(&["ninja"], directory)?, &all)?;
    let changes: [(&str, &[&str]); 4] = [
        ("", &[]),
        ("p7.mir", &["p7.o"]),
        ("inner.mir", &["image.mimg"]),
        ("p0.mir", &["p0.o", "image.mimg"]),
    ];
    for (changed, wanted) in changes {
        if !changed.is_empty() {
            let name = changed.trim_end_matches(".mir");
            write(&directory.join(changed), &program(name, 2 * PROGRAMS))?;
        }
        made_exactly(&build(&["ninja"], directory)?, wanted)?;
    }
    let idle = build(&["ninja"], directory)?;
    match idle.contains("no work to do") {
        true => Ok(()),
        false => Err(format!("built again: {idle}")),
    }
}

fn make(mir: &Path, directory: &Path) -> Result<(), String> {
    write_programs(directory, 3)?;
    let rules = rules("make/mir.mk");
    let mut text = "MIR_OBJECTS := p0.o p1.o p2.o\nall: $(MIR_OBJECTS)\n".to_owned();
    text += &format!(
        "MIR := {}\nMIR_TARGET := s390x\ninclude {rules}\n",
        mir.display()
    );
    write(&directory.join("Makefile"), &text)?;
    let made = |wanted: &[&str]| {
        let output = build(&["make", "-j2"], directory)?;
        // Make shows the command, which ends with the name of what it makes.
        made_exactly(&output, wanted)
    };
    made(&["p0.o", "p1.o", "p2.o"])?;
    made(&[])?;
    later(&directory.join("p1.mir"), &program("f1", 2 * PROGRAMS))?;
    made(&["p1.o"])
}

/// Writes a file anew, as of a time after all others: make compares times to the tick of the file
/// system's clock.
fn later(file: &Path, text: &str) -> Result<(), String> {
    write(file, text)?;
    let time = std::time::SystemTime::now() + Duration::from_secs(2);
    let file = fs::File::options().write(true).open(file).map_err(said)?;
    file.set_modified(time).map_err(said)
}

/// A program in C that calls one of a library.
const CALLER: &str = "long f0(long); int main(void) { return (int)f0(2); }\n";

fn cmake(mir: &Path, directory: &Path) -> Result<(), String> {
    write_programs(directory, 2)?;
    write(&directory.join("main.c"), CALLER)?;
    let text = format!(
        "cmake_minimum_required(VERSION 3.20)
project(example C)
set(MIR_EXECUTABLE \"{}\")
include(\"{}\")
add_mir_library(programs p0.mir p1.mir OPTIONS -O1)
add_executable(main main.c)
target_link_libraries(main PRIVATE programs)
",
        mir.display(),
        rules("cmake/Mir.cmake")
    );
    write(&directory.join("CMakeLists.txt"), &text)?;
    build(
        &["cmake", "-S", ".", "-B", "build", "-G", "Ninja"],
        directory,
    )?;
    let again = || build(&["cmake", "--build", "build"], directory);
    made_exactly(&again()?, &["p0.o", "p1.o"])?;
    // f0(2) is ((0 + 2) * 3 + 1) * 3.
    let ran = command::run(&mut Command::new(directory.join("build/main")), LIMIT);
    if ran.status != Some(21) {
        return Err(format!("the program ended with {:?}", ran.status));
    }
    made_exactly(&again()?, &[])?;
    write(&directory.join("p1.mir"), &program("f1", 2 * PROGRAMS))?;
    made_exactly(&again()?, &["p1.o"])
}

/// Builds a library by a process for each program, and by the persistent worker, which speaks JSON:
/// the same bytes, and only what had changed.
fn bazel(mir: &Path, scratch: &Path) -> Result<(), String> {
    let directory = &scratch.join("work");
    let rule = workspace::root().join("integrations/bazel/mir.bzl");
    for folder in ["integrations/bazel", "tools"] {
        fs::create_dir_all(directory.join(folder)).map_err(said)?;
    }
    fs::copy(rule, directory.join("integrations/bazel/mir.bzl")).map_err(said)?;
    fs::copy(mir, directory.join("tools/mir")).map_err(said)?;
    write(&directory.join("WORKSPACE"), "")?;
    write(&directory.join("integrations/bazel/BUILD"), "")?;
    write(&directory.join("tools/BUILD"), "exports_files([\"mir\"])\n")?;
    write_programs(directory, 3)?;
    let text = "load(\"//integrations/bazel:mir.bzl\", \"mir_library\")
mir_library(name = \"library\", srcs = glob([\"*.mir\"]), target = \"riscv64\")
";
    write(&directory.join("BUILD"), text)?;
    let root = format!("--output_user_root={}", scratch.join("out").display());
    // Without a server, which would outlive the test.
    let bazel = |words: &[&str]| {
        let mut command = Command::new("bazel");
        command.args(["--batch", &root]).args(words);
        let outcome = command::run(command.current_dir(directory), LIMIT);
        match outcome.success {
            true => Ok(outcome.stderr),
            false => Err(outcome.stderr),
        }
    };
    let made = |way: &str, count: usize| {
        let strategy = format!("--strategy=MirObj={way}");
        let json = "--experimental_worker_allow_json_protocol";
        let said = bazel(&["build", "--color=no", json, &strategy, "//:library"])?;
        let is_right = match count {
            0 => !said.contains(&format!(" {way}.")),
            _ => said.contains(&format!(" {count} {way}.")),
        };
        match is_right {
            true => Ok(()),
            false => Err(format!("not {count} by {way} in {said}")),
        }
    };
    let objects = || {
        let names = ["p0", "p1", "p2"].map(|stem| format!("bazel-bin/library.{stem}.o"));
        let read = |name: &String| fs::read(directory.join(name)).map_err(said);
        names.iter().map(read).collect::<Result<Vec<_>, _>>()
    };
    made("local", 3)?;
    let by_processes = objects()?;
    made("local", 0)?;
    write(&directory.join("p1.mir"), &program("f1", 2 * PROGRAMS))?;
    made("worker", 1)?;
    let changed = objects()?;
    let same = by_processes.iter().zip(&changed).map(|(a, b)| a == b);
    if !same.eq([true, false, true]) {
        return Err("another object than that of p1 has changed, or that has not".into());
    }
    write_programs(directory, 3)?;
    bazel(&["clean"])?;
    made("worker", 3)?;
    match objects()? == by_processes {
        true => Ok(()),
        false => Err("the worker makes other bytes than a process".into()),
    }
}
