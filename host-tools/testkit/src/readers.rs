//! Promises of the readers for arbitrary bytes: the bodies of the fuzz targets, which also run for
//! a second as tests.
//!
//! Each takes arbitrary bytes and panics if a promise is broken, as fuzzers expect.

use crate::{SystemAllocator, container};
use fastrand::Rng;
use mir_nostd::binary::{self, ReadOptions, WriteOptions};
use mir_nostd::ir::Module;
use mir_nostd::mem::Vec as ModuleVec;
use mir_nostd::num::LongDoubleFormat;
use mir_nostd::target::{Description, Target};
use mir_nostd::text;
use mir_nostd::verify::{Verified, verify};

type Modules = ModuleVec<'static, Module<'static>>;

const FORMAT: LongDoubleFormat = LongDoubleFormat::X87;

/// Reads `bytes` as text. What can be read is printed, reads back and prints the same again, and
/// survives the binary form. The parts that can be read of other text are verified and printed.
///
/// # Panics
///
/// If a promise is broken.
pub fn text(bytes: &[u8], targets: &[&Target]) {
    let Some(modules) = parse(bytes) else {
        return parts(bytes, targets);
    };
    holds(&modules, targets);
    assert!(
        parse(&printed(&modules)).is_some(),
        "printed text does not read back"
    );
}

/// Reads `bytes` as binary. What can be read is written to a file that reads back and is written
/// the same again, and is printed as text that reads back.
///
/// # Panics
///
/// If a promise is broken.
pub fn binary(bytes: &[u8], targets: &[&Target]) {
    let options = ReadOptions {
        limit: 1 << 24,
        ..ReadOptions::new(FORMAT, false)
    };
    let Ok(modules) = binary::read(bytes, &SystemAllocator, &options) else {
        return;
    };
    holds(&modules, targets);
}

/// Reads `bytes` as LLVM's Machine IR for each target. What can be read can be printed, simplified
/// and verified.
///
/// # Panics
///
/// If a promise is broken.
pub fn machine_ir(bytes: &[u8]) {
    for isa in llvm_mir::target::Isa::ALL {
        let options = llvm_mir::ReadOptions {
            triple: Some(llvm_mir::target::Triple::of(isa)),
            call_site_info: true,
            ..llvm_mir::ReadOptions::default()
        };
        let Ok(file) = llvm_mir::read(bytes, &options) else {
            continue;
        };
        for simplify in [false, true] {
            let options = llvm_mir::PrintOptions {
                simplify,
                call_site_info: true,
            };
            assert!(llvm_mir::print(&file, options).starts_with(b"--- |\n"));
        }
        let _ = llvm_mir::verify(&file);
    }
}

/// Imports `bytes` as LLVM IR, or generic Machine IR, for each ISA: a module, wrong only as the
/// text itself can be, or errors with their reasons.
///
/// # Panics
///
/// If it is neither.
pub fn llvm_ir(bytes: &[u8], isas: &[&'static Description]) {
    for isa in isas {
        for skip_unsupported in [false, true] {
            let options = llvm_ir::Options {
                skip_unsupported,
                portable: skip_unsupported,
                ..llvm_ir::Options::new(isa)
            };
            match llvm_ir::import(bytes, &options, &SystemAllocator) {
                Ok(imported) => drop(Verified::new(imported.module, isa.target, &mut |_| {})),
                Err(errors) => assert!(!errors.is_empty(), "refused without a reason"),
            }
        }
    }
}

/// Reads a file that unpacks to `contents`, as [`binary()`] does. Its check value, which would
/// reject altered files, is right.
///
/// # Panics
///
/// As for [`binary()`].
pub fn contents(contents: &[u8], targets: &[&Target]) {
    binary(&container::pack(contents), targets);
}

/// Returns the contents of the binary form of a text, from which alterations start.
#[must_use]
pub fn contents_of_text(source: &[u8]) -> Option<Vec<u8>> {
    unpacked(&parse(source)?)
}

/// The contents of a binary file that packs them, to start altering from.
#[must_use]
pub fn contents_of_binary(file: &[u8]) -> Option<Vec<u8>> {
    let options = ReadOptions::new(FORMAT, false);
    let modules = binary::read(file, &SystemAllocator, &options).ok()?;
    unpacked(&modules)
}

fn unpacked(modules: &Modules) -> Option<Vec<u8>> {
    let options = WriteOptions {
        pack: false,
        ..WriteOptions::new(false)
    };
    let file = binary::write(modules, &SystemAllocator, &options).ok()?;
    container::unpack(&file)
}

/// Checks what holds for all modules that were read, verified or not.
fn holds(modules: &Modules, targets: &[&Target]) {
    for target in targets {
        for module in modules.iter() {
            // The verdict does not matter, but verification must end.
            let _ = verify(module, target, &mut |_| ());
        }
    }
    let file = written(modules);
    let options = ReadOptions::new(FORMAT, false);
    let again = binary::read(&file, &SystemAllocator, &options);
    assert!(
        again.is_ok_and(|again| written(&again) == file),
        "binary does not survive writing and reading"
    );
    let once = printed(modules);
    if let Some(again) = parse(&once) {
        let twice = printed(&again);
        let again = parse(&twice).map(|modules| printed(&modules));
        assert!(
            again == Some(twice),
            "text does not survive printing and reading"
        );
    }
}

/// Verifies and prints what can be read of a text with errors.
fn parts(bytes: &[u8], targets: &[&Target]) {
    let parsed = text::parse_partly(bytes, &SystemAllocator, FORMAT, &mut |_| ());
    assert!(parsed.error.is_some(), "no error of a text that is refused");
    for target in targets {
        for module in parsed.modules.iter() {
            let _ = verify(module, target, &mut |_| ());
        }
    }
    printed(&parsed.modules);
}

fn parse(bytes: &[u8]) -> Option<Modules> {
    text::parse(bytes, &SystemAllocator, FORMAT, &mut |_| ()).ok()
}

fn written(modules: &[Module<'_>]) -> Vec<u8> {
    let written = binary::write(modules, &SystemAllocator, &WriteOptions::new(false));
    written.map(|bytes| bytes.to_vec()).unwrap_or_default()
}

fn printed(modules: &[Module<'_>]) -> Vec<u8> {
    let mut out = Vec::new();
    for module in modules {
        let mut sink = |bytes: &[u8]| {
            out.extend_from_slice(bytes);
            Ok(())
        };
        // The sink never fails.
        let _ = text::print(module, &mut sink);
    }
    out
}

/// Bytes with a meaning in text.
const MARKS: &[u8] = b" \t\r\n;:,()\"\\#.-+0189xeE_Lf";

/// Alters `bytes` in a few random places: replaces, removes and doubles bytes, and inserts pieces
/// of `other`.
pub fn alter(bytes: &mut Vec<u8>, other: &[u8], random: &mut Rng) {
    for _ in 0..=random.usize(..6) {
        let at = random.usize(..bytes.len() + 1);
        let len = random.usize(..12).min(bytes.len() - at);
        match random.usize(..6) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..at + len)),
            2 => {
                let piece = bytes[at..at + len].to_vec();
                bytes.splice(at..at, piece);
            }
            3 if !other.is_empty() => {
                let from = random.usize(..other.len());
                let until = (from + random.usize(..40)).min(other.len());
                bytes.splice(at..at + len, other[from..until].iter().copied());
            }
            4 => {
                let mark = MARKS[random.usize(..MARKS.len())];
                bytes.splice(at..at + len.min(1), [mark]);
            }
            _ => {
                for byte in &mut bytes[at..at + len] {
                    *byte = random.usize(..256) as u8;
                }
            }
        }
    }
}
