//! The examples of the documentation behave as the pages say.
//!
//! An example is a fenced block of Markdown that begins with the word `mir`; a second word says how
//! it is checked:
//!
//! | Block | Check |
//! |---|---|
//! | `mir` | `mir check` reports nothing |
//! | `mir run` | it prints the next block, interpreted, compiled, and compiled by block |
//! | `mir faults` | running it fails; standard error has the line of the next block |
//! | `mir error` | `mir check` reports the next block |
//! | `mir dis` | `mir dis` prints the next block |
//! | `mir asm` | `mir asm` writes the next block, and its unpacked contents are the one after it |
//!
//! Messages are compared without the name of the file. Blocks of bytes are hexadecimal numbers up
//! to a `|` in each line.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use testkit::command::{is_native, isa};

/// Returns the words that run the command.
fn words() -> &'static [String] {
    testkit::command::words(env!("CARGO_BIN_EXE_mir"))
}

/// The ways of running examples: every engine, the highest and the lowest level.
const WAYS: [&[&str]; 3] = [
    &["run", "--interp", "-"],
    &["run", "--jit", "-O3", "-"],
    &["run", "--lazy-bb", "-O0", "-"],
];

/// Returns the ways for the example of a number: all, or where they are emulated one after the
/// other, which is another one on the next ISA.
fn ways_of(number: usize) -> &'static [&'static [&'static str]] {
    if is_native() {
        return &WAYS;
    }
    let mut targets = target_all::TARGETS.iter();
    let place = targets.position(|target| target.name == isa()).unwrap();
    let chosen = (number + place) % WAYS.len();
    &WAYS[chosen..=chosen]
}

/// A fenced block: the words after the fence, the line of the fence, and the text.
struct Block {
    words: String,
    line: usize,
    text: String,
}

/// Returns the fenced blocks of a page, in order.
fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (line, text) in (1..).zip(page.lines()) {
        match (text.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(words), None) => {
                open = Some(Block {
                    words: words.to_owned(),
                    line,
                    text: String::new(),
                });
            }
            (None, Some(block)) => block.text = format!("{}{text}\n", block.text),
            (None, None) => {}
        }
    }
    blocks
}

/// Collects all pages below a folder.
fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in folder.read_dir().unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            pages(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    found.sort();
}

fn mir(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(&words()[0])
        .args(&words()[1..])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    child.wait_with_output().unwrap()
}

/// Returns the text that a command wrote to standard error, without the name that standard input
/// has there.
fn messages(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).replace("standard input:", "")
}

fn expect(what: &str, got: &str, expected: &str) -> Result<(), String> {
    if got == expected {
        return Ok(());
    }
    Err(format!("{what} gives:\n{got}instead of:\n{expected}"))
}

/// Checks an example; `after` are the blocks that follow it.
fn check(kind: &str, example: &str, after: &[Block], ways: &[&[&str]]) -> Result<(), String> {
    let text = |number: usize| after.get(number).map_or("", |block| &block.text[..]);
    match kind {
        "mir" => expect("check", &messages(&mir(&["check", "-"], example)), ""),
        "mir error" => expect("check", &messages(&mir(&["check", "-"], example)), text(0)),
        "mir dis" => {
            let output = mir(&["dis", "-"], example);
            expect("dis", &String::from_utf8_lossy(&output.stdout), text(0))
        }
        "mir run" => ways.iter().try_for_each(|way| {
            let output = mir(way, example);
            let printed = String::from_utf8_lossy(&output.stdout).into_owned();
            expect(&way.join(" "), &(printed + &messages(&output)), text(0))
        }),
        "mir faults" => ways.iter().try_for_each(|way| {
            let (output, line) = (mir(way, example), text(0).trim_end());
            let told = messages(&output);
            let faults = !line.is_empty() && told.contains(line) && !output.status.success();
            if faults {
                Ok(())
            } else {
                expect(&way.join(" "), &told, line)
            }
        }),
        "mir asm" => {
            let file = mir(&["asm", "-"], example).stdout;
            expect("asm", &hex(&file), &hex(&bytes(text(0))))?;
            expect("unpacking", &hex(&unpacked(&file)), &hex(&bytes(text(1))))
        }
        _ => Err("this kind of example is unknown".to_owned()),
    }
}

/// Returns the bytes that a block shows.
fn bytes(block: &str) -> Vec<u8> {
    let shown = block.lines().filter_map(|line| line.split('|').next());
    let numbers = shown.flat_map(str::split_whitespace);
    numbers
        .map(|number| u8::from_str_radix(number, 16).unwrap())
        .collect()
}

fn hex(bytes: &[u8]) -> String {
    let lines = bytes.chunks(16).map(|chunk| {
        let numbers: Vec<String> = chunk.iter().map(|byte| format!("{byte:02X}")).collect();
        numbers.join(" ") + "\n"
    });
    lines.collect()
}

/// Returns the contents of a file of one block, unpacked as docs/reference/binary.md says.
fn unpacked(file: &[u8]) -> Vec<u8> {
    let mut rest = file.strip_prefix(b"MIR").unwrap().iter().copied();
    let mut contents: Vec<u8> = Vec::new();
    let mut entries = Vec::new();
    while let Some(tag @ 1..) = rest.next() {
        let literals = match tag >> 5 {
            7 => number(&mut rest),
            count => usize::from(count),
        };
        for _ in 0..literals {
            entries.push(contents.len());
            contents.push(rest.next().unwrap());
        }
        let length = match tag & 31 {
            0 => continue,
            31 => number(&mut rest) + 3,
            length => usize::from(length) + 3,
        };
        let from = entries[entries.len() - number(&mut rest)];
        entries.push(contents.len());
        contents.extend_from_within(from..from + length);
    }
    let check: Vec<u8> = rest.collect();
    assert_eq!(check, hash(&contents, 42).to_le_bytes());
    contents
}

/// Returns the hash that the page defines.
fn hash(bytes: &[u8], seed: u64) -> u64 {
    const P: [u64; 2] = [0x6586_2b62_bdf5_ef4d, 0x288e_ea21_6831_e6a7];
    let mum = |v: u64, c: u64| {
        let (v1, v2, c1, c2) = (v >> 32, v & 0xFFFF_FFFF, c >> 32, c & 0xFFFF_FFFF);
        let m = v2.wrapping_mul(c1).wrapping_add(v1.wrapping_mul(c2));
        let outer = v1.wrapping_mul(c1).wrapping_add(v2.wrapping_mul(c2));
        outer.wrapping_add(m >> 32).wrapping_add(m << 32)
    };
    let mut r = seed.wrapping_add(bytes.len() as u64);
    let words = bytes.len() / 8;
    for (number, word) in bytes.chunks(8).enumerate() {
        let part = word
            .iter()
            .fold(0, |part, &byte| part >> 8 | u64::from(byte) << 56);
        let is_second = number % 2 == 1 || number == words;
        r ^= mum(part, P[usize::from(is_second)]);
        if number % 2 == 1 && number < words {
            r ^= mum(r, P[0]);
        }
    }
    r ^= mum(r, P[0]);
    r ^ mum(r, P[1])
}

/// Reads a number of one to four bytes, as the container has them.
fn number(bytes: &mut impl Iterator<Item = u8>) -> usize {
    let first = bytes.next().unwrap();
    let more = first.leading_zeros() as usize;
    let value = usize::from(first) & ((1 << (7 - more)) - 1);
    (0..more).fold(value, |value, _| {
        value << 8 | usize::from(bytes.next().unwrap())
    })
}

#[test]
fn examples_do_what_the_pages_say() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let (mut files, mut wrong, mut count) = (Vec::new(), Vec::new(), 0);
    pages(&docs, &mut files);
    for file in files {
        let page = std::fs::read_to_string(&file).unwrap();
        let blocks = blocks(&page);
        for (index, block) in blocks.iter().enumerate() {
            if block.words.split(' ').next() != Some("mir") {
                continue;
            }
            count += 1;
            if let Err(what) = check(
                &block.words,
                &block.text,
                &blocks[index + 1..],
                ways_of(count),
            ) {
                wrong.push(format!("{}:{}: {what}", file.display(), block.line));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 10, "only {count} examples were found");
}
