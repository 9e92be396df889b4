//! Compares with LLVM 22, where it is installed, on files that it has not written: simplified ones,
//! and altered ones.

#![expect(clippy::unwrap_used, reason = "what fails here is the test")]

use fastrand::Rng;
use llvm_mir::{PrintOptions, ReadOptions};
use std::io::Write;
use std::process::{Command, Stdio};
use testkit::llvm::files;

/// Returns what llc prints of a file; `None` if it refuses it.
fn llc(input: &[u8]) -> Option<Vec<u8>> {
    let mut child = Command::new("llc-22")
        .args(["-x", "mir", "-run-pass=none", "-", "-o", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // A refusal may come before everything is written.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    output.status.success().then_some(output.stdout)
}

fn is_installed() -> bool {
    let asked = Command::new("llc-22")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    asked.is_ok_and(|status| status.success())
}

/// Returns what this crate prints of a file, simplified or not; `None` if it refuses it.
fn ours(input: &[u8], simplify: bool) -> Option<Vec<u8>> {
    let file = llvm_mir::read(input, &ReadOptions::default()).ok()?;
    let accepted = llvm_mir::verify(&file).is_empty();
    accepted.then(|| {
        llvm_mir::print(
            &file,
            PrintOptions {
                simplify,
                call_site_info: false,
            },
        )
    })
}

/// Files of every stage and target, a few of each.
fn samples() -> Vec<(&'static String, &'static Vec<u8>)> {
    let folders = ["x86_64/", "aarch64/", "ppc64le/", "riscv64/", "s390x/"];
    let of_stages = files().iter().filter(|(name, text)| {
        folders.iter().any(|folder| name.starts_with(folder)) && text.len() < 60_000
    });
    of_stages.step_by(9).collect()
}

#[test]
fn simplified_files_are_read_as_llvm_reads_them() {
    if !is_installed() {
        return;
    }
    for (name, text) in samples() {
        let simplified = ours(text, true).unwrap();
        assert!(llc(&simplified) == ours(&simplified, false), "{name}");
    }
}

/// Returns the file with one instruction's line removed or doubled.
fn altered(text: &[u8], random: &mut Rng) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    let is_insn = |line: &[u8]| line.starts_with(b"    ") && line.get(4) != Some(&b' ');
    let body = lines
        .iter()
        .rposition(|line| line.starts_with(b"body:"))
        .unwrap();
    let insns: Vec<usize> = (body..lines.len())
        .filter(|at| is_insn(lines[*at]))
        .collect();
    let at = insns[random.usize(..insns.len())];
    if random.usize(..2) == 0 {
        lines.remove(at);
    } else {
        lines.insert(at, lines[at]);
    }
    lines.concat()
}

/// Either both refuse a file or both print the same.
#[test]
fn altered_files_are_judged_as_llvm_judges_them() {
    if !is_installed() {
        return;
    }
    let mut random = Rng::with_seed(7);
    for (name, text) in samples() {
        let altered = altered(text, &mut random);
        assert!(llc(&altered) == ours(&altered, false), "{name}");
    }
}
