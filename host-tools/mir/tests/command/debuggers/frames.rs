//! Callers and their registers at every instruction, as gdb finds them by the call frame
//! information.

use super::{EMULATED, directory, gdb, gdb_emulated};
use std::path::PathBuf;

/// A program whose functions save general and floating registers, and make a frame of pages; line
/// 49 is the first of `main`.
const PROGRAM: &str = include_str!("frames.mir");
const FUNCTIONS: [&str; 4] = ["half", "main", "many", "wide"];

/// The registers that calls preserve, or some of them, with the stack pointer and last the program
/// counter. (Of floating registers that are parts of vectors, on aarch64 and s390x, gdb shows the
/// present values in every frame.)
const SAVED: [(&str, &str); 5] = [
    ("x86_64", "rbx rbp r12 r13 r14 r15 rsp rip"),
    ("aarch64", "x19 x20 x21 x22 x23 x24 x29 sp pc"),
    (
        "ppc64le",
        "r28 r29 r30 r31 r14 r15 r16 f14 f15 f30 f31 r1 pc",
    ),
    ("riscv64", "s0 s1 s2 s3 s4 s5 fs0 fs1 fs2 sp pc"),
    ("s390x", "r6 r7 r8 r9 r10 r11 r12 r13 r15 pc"),
];

/// Commands for gdb that show at every instruction of a run the calls, and the `REGISTERS` of the
/// innermost function and of its caller.
const STEPS: &str = "set backtrace past-main on
set $step = 0
while $step < 200
  stepi
  echo @calls\\n
  bt 8
  echo @own\\n
  info registers REGISTERS
  frame 1
  echo @caller\\n
  info registers REGISTERS
  frame 0
  echo @end\\n
  set $step = $step + 1
end
";

/// The calls and registers that gdb shows at an instruction.
struct Stop<'a> {
    /// The functions of the program that are being executed, the innermost first.
    calls: Vec<&'a str>,
    /// The registers of the innermost one, by name and value.
    own: Vec<(&'a str, &'a str)>,
    /// Those of its caller.
    caller: Vec<(&'a str, &'a str)>,
}

/// Returns what gdb showed at each instruction until the program's functions were left.
fn stops(text: &str) -> Vec<Stop<'_>> {
    let parts = text.split("@calls\n").skip(1);
    parts.map_while(stop).collect()
}

/// Returns what gdb showed at an instruction; `None` outside the program's functions.
fn stop(text: &str) -> Option<Stop<'_>> {
    let (calls, rest) = text.split_once("@own\n")?;
    let (own, rest) = rest.split_once("@caller\n")?;
    let (caller, _) = rest.split_once("@end\n")?;
    let calls = calls.lines().filter(|line| line.starts_with('#'));
    let names = calls.filter_map(|line| line.split_once(" (")?.0.rsplit(' ').next());
    let mut calls: Vec<&str> = names.collect();
    calls.first().filter(|name| FUNCTIONS.contains(name))?;
    if let Some(last) = calls.iter().position(|&name| name == "main") {
        calls.truncate(last + 1);
    }
    Some(Stop {
        calls,
        own: registers(own),
        caller: registers(caller),
    })
}

/// Returns the names and values of registers, as gdb shows them line by line.
fn registers(text: &str) -> Vec<(&str, &str)> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let pairs = lines.filter_map(|line| line.split_once(' '));
    let is_number = |name: &str| name.starts_with(|first: char| first.is_ascii_digit());
    let pairs = pairs.filter(|(name, _)| !is_number(name));
    pairs.map(|(name, value)| (name, value.trim())).collect()
}

/// Checks that calls and callers' registers stay while a function is executed, are those of the
/// call at its beginning, and after the return are those that were told before. Returns how many
/// instructions of each function were seen.
fn check(text: &str, case: &str) -> [usize; 4] {
    let stops = stops(text);
    let mut seen = [0; 4];
    for pair in stops.windows(2) {
        let [before, now] = pair else { continue };
        let place = format!("{case}: {:?} then {:?}\n{text}", before.calls, now.calls);
        // The program counter, which is the last register, moves on.
        if now.calls == before.calls {
            assert_eq!(now.caller, before.caller, "{place}");
        } else if now.calls[..] == before.calls[1..] {
            assert_eq!(now.own, before.caller, "{place}");
        } else if now.calls[1..] == before.calls[..] {
            let (caller, own) = (now.caller.split_last(), before.own.split_last());
            let (caller, own) = (caller.map(|(_, rest)| rest), own.map(|(_, rest)| rest));
            assert_eq!(caller, own, "{place}");
        } else {
            panic!("{place}");
        }
        let function = FUNCTIONS.iter().position(|name| *name == now.calls[0]);
        seen[function.unwrap()] += 1;
    }
    seen
}

/// The commands before the steps.
const BEGIN: [&str; 2] = ["break frames.mir:49", "run"];

/// Returns a file with the program, and one with the steps for an ISA.
fn write(name: &str, isa: &str) -> (PathBuf, String) {
    let directory = directory(name).canonicalize().unwrap();
    let (file, commands) = (directory.join("frames.mir"), directory.join("steps.gdb"));
    std::fs::write(&file, PROGRAM).unwrap();
    let saved = SAVED.iter().find(|(of, _)| *of == isa).unwrap().1;
    std::fs::write(&commands, STEPS.replace("REGISTERS", saved)).unwrap();
    (file, format!("source {}", commands.display()))
}

#[test]
fn gdb_finds_callers_at_every_instruction() {
    let (file, steps) = write("gdb-frames", "x86_64");
    for level in ["-O1", "-O3"] {
        let Some(text) = gdb(&file, &["--jit", level], &[BEGIN[0], BEGIN[1], &steps]) else {
            return;
        };
        let seen = check(&text, level);
        assert!(
            seen.iter().all(|&times| times > 2),
            "{level} {seen:?} {text}"
        );
    }
}

#[test]
fn gdb_finds_callers_at_every_instruction_of_any_isa() {
    for isa in EMULATED {
        for level in ["-O1", "-O3"] {
            let (file, steps) = write("gdb-frames-isas", isa.0);
            let Some(text) = gdb_emulated(isa, (level, &file), &[BEGIN[0], BEGIN[1], &steps])
            else {
                return;
            };
            let seen = check(&text, &format!("{isa:?} {level}"));
            assert!(
                seen.iter().all(|&times| times > 2),
                "{isa:?} {level} {seen:?} {text}"
            );
        }
    }
}
