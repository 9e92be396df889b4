//! The places of output: a file appears whole or not at all, and a device or pipe is written to as
//! it is.

use super::words;
use super::{Outcome, directory};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The names of the files in a directory.
fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

/// A program that takes more than [`LIMIT`] blocks in every form that the command writes.
fn large_program() -> String {
    let function = |number: u32| {
        let value = number.wrapping_mul(2_654_435_761) % 1_000_000;
        format!(
            "  export f{number}\nf{number}: func i64, i64:a\n  add a, a, {value}\n  ret a\n  endfunc\n"
        )
    };
    let functions: String = (0..2000).map(function).collect();
    format!("m: module\n{functions}  endmodule\n")
}

/// The largest file that [`with_little_room`] allows, in blocks of 512 bytes or, by some shells,
/// 1024.
const LIMIT: u32 = 6;

/// Calls the command where no file can be larger than [`LIMIT`] blocks, as on a disk that is full.
fn with_little_room(directory: &Path, arguments: &[&str]) -> Outcome {
    let script = format!("trap '' XFSZ; ulimit -f {LIMIT}; exec \"$@\"");
    let output = Command::new("sh")
        .args(["-c", &script, "sh"])
        .args(words())
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    Outcome {
        status: output.status.code().unwrap(),
        out: output.stdout,
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn what_cannot_be_written_whole_leaves_the_old_file() {
    let directory = directory("whole");
    let source = large_program();
    fs::write(directory.join("in.mir"), &source).unwrap();
    fs::write(directory.join("llvm.ll"), large_llvm()).unwrap();
    let commands: [&[&str]; 8] = [
        &["asm", "in.mir", "-o", "out"],
        &["dis", "in.mir", "-o", "out"],
        &["obj", "in.mir", "-o", "out"],
        &["embed", "in.mir", "-o", "out"],
        &["machine", "in.mir", "-o", "out"],
        &["disasm", "in.mir", "-o", "out"],
        &["import", "llvm.ll", "-o", "out"],
        &["import", "llvm.ll", "--text", "-o", "out"],
    ];
    for command in commands {
        fs::write(directory.join("out"), "old").unwrap();
        let done = with_little_room(&directory, command);
        assert_eq!(done.status, 2, "{command:?}: {}", done.err);
        assert!(done.err.starts_with("mir: out: "), "{}", done.err);
        assert_eq!(
            fs::read(directory.join("out")).unwrap(),
            b"old",
            "{command:?}"
        );
        fs::remove_file(directory.join("out")).unwrap();
        assert_eq!(with_little_room(&directory, command).status, 2);
        assert_eq!(names(&directory), ["in.mir", "llvm.ll"], "{command:?}");
    }
    // The output is the input.
    for command in [
        &["asm", "in.mir", "-o", "in.mir"][..],
        &["fmt", "--write", "in.mir"],
    ] {
        assert_eq!(with_little_room(&directory, command).status, 2);
        assert_eq!(
            fs::read_to_string(directory.join("in.mir")).unwrap(),
            source
        );
        assert_eq!(names(&directory), ["in.mir", "llvm.ll"]);
    }
}

/// LLVM IR of many functions.
fn large_llvm() -> String {
    let function = |number: u32| {
        let value = number.wrapping_mul(2_654_435_761) % 1_000_000;
        format!("define i64 @f{number}(i64 %a) {{\n  %b = add i64 %a, {value}\n  ret i64 %b\n}}\n")
    };
    (0..2000).map(function).collect()
}

/// A program to write, and its binary form.
fn small(directory: &Path) -> (PathBuf, Vec<u8>) {
    let input = directory.join("in.mir");
    fs::write(&input, super::HELLO).unwrap();
    let binary = mir!(super::HELLO, "asm").out;
    assert!(binary.starts_with(b"MIR"));
    (input, binary)
}

#[test]
fn a_file_keeps_its_permissions_and_links_lead_to_it() {
    let directory = directory("permissions");
    let (input, binary) = small(&directory);
    let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o7777;
    let (old, link, far) = (
        directory.join("old"),
        directory.join("link"),
        directory.join("far"),
    );
    fs::write(&old, "old").unwrap();
    fs::set_permissions(&old, PermissionsExt::from_mode(0o751)).unwrap();
    fs::create_dir(directory.join("inner")).unwrap();
    symlink("old", &link).unwrap();
    symlink("inner/../link", &far).unwrap();
    symlink("inner/new", directory.join("dangling")).unwrap();
    assert_eq!(mir!("", "asm", input, "-o", far).status, 0);
    assert_eq!(fs::read(&old).unwrap(), binary);
    assert_eq!(mode(&old), 0o751);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    let dangling = directory.join("dangling");
    assert_eq!(mir!("", "asm", input, "-o", dangling).status, 0);
    assert!(fs::symlink_metadata(&dangling).unwrap().is_symlink());
    assert_eq!(fs::read(directory.join("inner/new")).unwrap(), binary);
    // A new file has the permissions that any program's has.
    fs::write(directory.join("plain"), "").unwrap();
    assert_eq!(
        mode(&directory.join("inner/new")),
        mode(&directory.join("plain"))
    );
    assert_eq!(
        names(&directory),
        ["dangling", "far", "in.mir", "inner", "link", "old", "plain"]
    );
}

#[test]
fn what_is_no_file_is_written_to_as_it_is() {
    let directory = directory("devices");
    let (input, binary) = small(&directory);
    assert_eq!(mir!("", "asm", input, "-o", "/dev/null").status, 0);
    assert_eq!(mir!("", "asm", input, "-o", "/dev/stdout").out, binary);
    assert_eq!(mir!("", "asm", input, "-o", "-").out, binary);
    assert_eq!(mir!("", "asm", input, "-o", "/dev/full").status, 2);
    assert_eq!(mir!("", "asm", input, "-o", directory).status, 2);
    let pipe = directory.join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read(pipe).unwrap()
    });
    assert_eq!(mir!("", "asm", input, "-o", pipe).status, 0);
    assert_eq!(reader.join().unwrap(), binary);
    assert_eq!(names(&directory), ["in.mir", "pipe"]);
}

#[test]
fn standard_output_that_is_a_file_stays_that_file() {
    let directory = directory("redirected");
    let (input, binary) = small(&directory);
    let out = directory.join("out");
    let file = fs::File::create(&out).unwrap();
    let status = Command::new(&words()[0])
        .args(&words()[1..])
        .arg("asm")
        .arg(&input)
        .args(["-o", "/dev/stdout"])
        .stdout(file.try_clone().unwrap())
        .status()
        .unwrap();
    assert!(status.success());
    let (opened, named) = (file.metadata().unwrap(), fs::metadata(&out).unwrap());
    assert_eq!(opened.ino(), named.ino());
    assert_eq!(fs::read(&out).unwrap(), binary);
}

#[test]
fn what_standard_output_does_not_take_is_an_error() {
    let program = super::example("block-arguments.mir");
    let program = program.to_str().unwrap();
    for arguments in [
        &["--help"][..],
        &["run", "--help"],
        &["--version"],
        &["completions", "bash"],
        &["dis", program],
        &["stats", program],
    ] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = Command::new(&words()[0])
            .args(&words()[1..])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(full)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
        assert!(told.starts_with("mir: standard output: "), "{told}");
    }
    assert_eq!(mir!("", "--help").status, 0);
    assert_eq!(mir!("", "--version").status, 0);
}
