//! Comparison of last uses and unread definitions in the output of `mir machine` with those that
//! LLVM finds in the same code.
//!
//! LLVM's verifier, which the suite runs besides, proves that none is marked too early; this proves
//! that none is missing.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::ahead::{LIMIT, Verdict};
use crate::command;
use crate::isa::Isa;

/// A mark: LLVM's number of the instruction, the number of the virtual register, and the word.
type Mark = (u32, u32, &'static str);

/// A function of a file.
#[derive(Default)]
struct Body<'a> {
    name: &'a str,
    insns: Vec<&'a str>,
}

/// Returns the functions of a file in LLVM's format.
fn bodies(text: &str) -> Vec<Body<'_>> {
    let mut bodies: Vec<Body<'_>> = Vec::new();
    let mut is_body = false;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("name:") {
            is_body = false;
            bodies.push(Body {
                name: name.trim(),
                insns: Vec::new(),
            });
        } else if line.starts_with("body:") {
            is_body = true;
        } else if line.starts_with("...") {
            is_body = false;
        } else if let (true, Some(body)) = (is_body, bodies.last_mut()) {
            body.insns.extend(is_insn(line).then_some(line.trim()));
        }
    }
    bodies
}

/// True if a line of a body is an instruction: not the start of a block, one of its lists, or
/// blank.
fn is_insn(line: &str) -> bool {
    let text = line.trim();
    let is_list = text.starts_with("liveins:") || text.starts_with("successors:");
    !text.is_empty() && !is_list && !line.starts_with("  bb.")
}

/// Returns the registers of an instruction in their order, without `%` or `$`, with their marks.
fn registers(insn: &str, sigil: char) -> Vec<(&str, bool, bool)> {
    let (mut registers, mut is_killed, mut is_dead) = (Vec::new(), false, false);
    for word in insn.split([' ', ',']) {
        match word {
            "killed" => is_killed = true,
            "dead" => is_dead = true,
            _ if word.starts_with(['%', '$']) => {
                let name = &word[1..];
                let end = name.find(|c: char| !c.is_ascii_alphanumeric());
                let name = &name[..end.unwrap_or(name.len())];
                if word.starts_with(sigil) {
                    registers.push((name, is_killed, is_dead));
                }
                (is_killed, is_dead) = (false, false);
            }
            _ => {}
        }
    }
    registers
}

/// Checks that the marks of virtual registers after selection are exactly those of LLVM's live
/// intervals.
pub(crate) fn as_live_intervals(text: &Path) -> Verdict {
    let mut llc = Command::new("llc-22");
    llc.args([
        "-x",
        "mir",
        "-passes=print<live-intervals>",
        "-o",
        "/dev/null",
    ]);
    // Without liveness of physical registers LLVM does not print theirs, which crashes it at times.
    let source = read(text)?;
    let bare = text.with_extension("bare.mir");
    let lines = source
        .lines()
        .filter(|line| !line.starts_with("    liveins:"));
    let lines = lines.filter(|line| *line != "tracksRegLiveness: true");
    let lines: String = lines.flat_map(|line| [line, "\n"]).collect();
    fs::write(&bare, lines).map_err(|error| format!("{}: {error}", bare.display()))?;
    let said = command::run(llc.arg(&bare), LIMIT).stderr;
    let functions = said.split("Live intervals for machine function: ").skip(1);
    let (mut count, ours) = (0, bodies(&source));
    for (ours, theirs) in ours.iter().zip(functions) {
        count += 1;
        // LLVM may complain after the code, about registers with several values that it would
        // rather separate.
        let theirs = theirs.split("# End machine code").next().unwrap_or("");
        let (intervals, listing) = theirs
            .split_once("* MACHINEINSTRS *")
            .unwrap_or((theirs, ""));
        let lines = { intervals.lines() }.filter_map(|line| line.strip_prefix('%'));
        let wanted: BTreeSet<Mark> = lines.flat_map(ends).collect();
        let found = marks(&ours.insns, listing)
            .ok_or_else(|| format!("{} {}: LLVM has other code", text.display(), ours.name))?;
        if let Some(&mark) = found.symmetric_difference(&wanted).next() {
            let insn = ours.insns.get(mark.0 as usize);
            let whose = if found.contains(&mark) {
                "ours"
            } else {
                "LLVM's"
            };
            let (name, insn) = (ours.name, insn.unwrap_or(&""));
            return Err(format!(
                "{} {name}: {whose}: {mark:?}: {insn}",
                text.display()
            ));
        }
    }
    match count == ours.len() {
        true => Ok(()),
        false => Err(format!("{}: {count} functions: {said}", text.display())),
    }
}

/// Returns the marks of this project's instructions, by the numbers that registers and instructions
/// have in LLVM's listing of the same code: LLVM renames the register of a definition that is not
/// read.
fn marks(ours: &[&str], listing: &str) -> Option<BTreeSet<Mark>> {
    let mut found = BTreeSet::new();
    let lines = listing.lines().filter_map(|line| line.split_once("B\t  "));
    let mut ours = ours.iter();
    for (number, theirs) in lines {
        let number: u32 = number.parse().ok()?;
        let here = registers(ours.next()?, '%');
        let there = registers(theirs, '%');
        for (&(_, is_killed, is_dead), (name, ..)) in here.iter().zip(&there) {
            let Ok(vreg) = name.parse() else {
                continue;
            };
            let marks = [(is_killed, "killed"), (is_dead, "dead")];
            let marks = marks.into_iter().filter(|(is, _)| *is);
            found.extend(marks.map(|(_, mark)| (number, vreg, mark)));
        }
        if here.len() != there.len() {
            return None;
        }
    }
    ours.next().is_none().then_some(found)
}

/// Returns the ends of the values of a virtual register: `5 [96r,112B:0)[112B,144r:1) ...` ends at
/// number 144 by a read. Instruction numbers are multiples of 16; `r` is the slot of reads, `d`
/// that in which an unread definition dies.
fn ends(line: &str) -> Vec<Mark> {
    let mut words = line.split(' ');
    let vreg = words.next().and_then(|vreg| vreg.parse().ok());
    let segments = words.next().unwrap_or("").split('[').skip(1);
    let ends = segments.filter_map(|segment| {
        let (_, end) = segment.split(':').next()?.split_once(',')?;
        let mark = match end.as_bytes().last()? {
            b'r' => "killed",
            b'd' => "dead",
            _ => return None,
        };
        let number: u32 = end[..end.len() - 1].parse().ok()?;
        Some((number, vreg?, mark))
    });
    ends.collect()
}

/// Checks that every last use of a physical register that LLVM's scheduler marks is marked after
/// allocation. The scheduler recomputes the marks after its work. Between two CFI instructions it
/// cannot reorder the one that is there.
pub(crate) fn as_scheduler(isa: Isa, text: &Path) -> Verdict {
    let source = read(text)?;
    let fenced = text.with_extension("fenced.mir");
    let marked = text.with_extension("marked.mir");
    let write = fs::write(&fenced, fence(&source));
    write.map_err(|error| format!("{}: {error}", fenced.display()))?;
    let mut llc = Command::new("llc-22");
    llc.args([
        "-x",
        "mir",
        "-run-pass=postmisched",
        "-enable-post-misched=1",
    ]);
    // LLVM has no scheduling model of the oldest processor.
    llc.args((isa.name() == "s390x").then_some("-mcpu=z14"));
    let outcome = command::run(llc.arg(&fenced).arg("-o").arg(&marked), LIMIT);
    if !outcome.success {
        return Err(format!("{}: {}", fenced.display(), outcome.stderr));
    }
    let marked = read(&marked)?;
    let (ours, theirs) = (bodies(&source), bodies(&marked));
    for (ours, theirs) in ours.iter().zip(&theirs) {
        let theirs = theirs.insns.iter().filter(|insn| !insn.starts_with(FENCE));
        let theirs: Vec<&str> = theirs.copied().collect();
        if theirs.len() != ours.insns.len() {
            return Err(format!(
                "{} {}: LLVM changed the code",
                text.display(),
                ours.name
            ));
        }
        for (ours, theirs) in ours.insns.iter().zip(theirs) {
            missing(isa, ours, theirs)
                .map_err(|problem| format!("{}: {problem}", text.display()))?;
        }
    }
    match ours.len() == theirs.len() {
        true => Ok(()),
        false => Err(format!("{}: LLVM has other functions", text.display())),
    }
}

const FENCE: &str = "CFI_INSTRUCTION";

/// Reports a last use that LLVM marks in an instruction and this project does not. The frame
/// pointer is exempt: LLVM treats it like other registers in functions in which it did not set it
/// up.
fn missing(isa: Isa, ours: &str, theirs: &str) -> Verdict {
    let frame_pointer = match isa.name() {
        "aarch64" => "fp",
        "ppc64le" => "x31",
        "riscv64" => "x8",
        "s390x" => "r11d",
        _ => "rbp",
    };
    let (here, there) = (registers(ours, '$'), registers(theirs, '$'));
    let is_same = |((ours, is_ours, _), (theirs, is_theirs, _)): (
        &(&str, bool, bool),
        &(&str, bool, bool),
    )| { ours == theirs && (*is_ours || !is_theirs || *ours == frame_pointer) };
    match here.len() == there.len() && here.iter().zip(&there).all(is_same) {
        true => Ok(()),
        false => Err(format!("{ours}, LLVM's: {theirs}")),
    }
}

/// Returns the text without marks, and with a CFI instruction before each instruction but
/// terminators: those at the end of a block that branch to a block, and the last one.
fn fence(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut fences = vec![false; lines.len()];
    let (mut is_body, mut block) = (false, Vec::new());
    for (number, &line) in lines.iter().enumerate() {
        let is_in_block = is_body && is_insn(line) && line != "...";
        if is_in_block {
            block.push(number);
        } else if !is_body || !block.is_empty() && line.trim().is_empty() || line == "..." {
            let is_end = |number: &&usize| lines[**number].contains("%bb.");
            let last = block.pop();
            let ends = block.iter().rev().take_while(is_end).count();
            let inner = block.len() - ends;
            block
                .drain(..)
                .take(inner)
                .for_each(|number| fences[number] = true);
            // A fence comes before the last one, too, unless branches follow it.
            if let Some(last) = last.filter(|_| ends == 0) {
                fences[last] = true;
            }
        }
        is_body = is_body && line != "..." || line.starts_with("body:");
    }
    let mut out = String::new();
    for (line, is_fenced) in lines.iter().zip(fences) {
        if is_fenced {
            out += "    CFI_INSTRUCTION def_cfa_offset 16\n";
        }
        out += &line.replace("killed ", "").replace("dead ", "");
        out.push('\n');
    }
    out
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}
