//! The size of reader, verifier, linker and interpreter for bare metal.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{Bench, Figure};

/// Measures the interpreter's program for riscv64, and the addition by the code generator and its
/// backend to one for x86_64: all levels, and fewer.
pub fn figures(bench: &Bench) -> Result<Vec<Figure>, String> {
    let root = &bench.root;
    let interpreter = loaded(root, "riscv64gc-unknown-none-elf", "")?;
    let without = loaded(root, "x86_64-unknown-none", "")?;
    let added = |features: &str| {
        let with = loaded(root, "x86_64-unknown-none", features)?;
        Ok::<f64, String>(with - without)
    };
    let fewer = [
        ("of it levels 0 to 2, KB", "jit,level-2"),
        ("levels 0 and 1, KB", "jit,level-1"),
        ("level 0, KB", "jit"),
    ];
    let mut figures = vec![
        Figure::most(
            "riscv64 bare metal without text, KB",
            Some(interpreter),
            100.0,
            64.0,
        ),
        Figure::most(
            "generator and x86_64 backend, KB",
            Some(added("jit,level-3")?),
            195.0,
            160.0,
        ),
    ];
    for (what, features) in fewer {
        figures.push(Figure::other(what, Some(added(features)?)));
    }
    Ok(figures)
}

/// Builds `size/` for a machine without an operating system and returns the sum of the segments
/// that its program would load, in KB.
fn loaded(root: &Path, target: &str, features: &str) -> Result<f64, String> {
    let benches = root.join("benches");
    let built = Command::new("cargo")
        .current_dir(&benches)
        .args(["build", "--quiet", "--profile", "size", "--package", "size"])
        .args(["--target", target, "--features", features])
        // The program is linked as a kernel is: at a fixed address, without relocations to apply.
        // Elsewhere that is the default.
        .env(
            "CARGO_TARGET_X86_64_UNKNOWN_NONE_RUSTFLAGS",
            "-Crelocation-model=static",
        )
        .status();
    if !built.is_ok_and(|status| status.success()) {
        return Err(format!("size/ does not build for {target}"));
    }
    let program = fs::read(benches.join("target").join(target).join("size/size"))
        .map_err(|error| error.to_string())?;
    let bytes = loaded_bytes(&program).ok_or("size/ is no ELF file")?;
    Ok(bytes as f64 / 1024.0)
}

/// Returns the sum of the file sizes of the loaded segments of a 64-bit little-endian ELF program.
fn loaded_bytes(elf: &[u8]) -> Option<u64> {
    let half = |at: usize| Some(u16::from_le_bytes(elf.get(at..at + 2)?.try_into().ok()?));
    let word = |at: usize| Some(u32::from_le_bytes(elf.get(at..at + 4)?.try_into().ok()?));
    let double = |at: usize| Some(u64::from_le_bytes(elf.get(at..at + 8)?.try_into().ok()?));
    let (table, entry, count) = (
        double(0x20)? as usize,
        half(0x36)? as usize,
        half(0x38)? as usize,
    );
    let mut sum = 0;
    for segment in (0..count).map(|number| table + number * entry) {
        const LOAD: u32 = 1;
        if word(segment)? == LOAD {
            sum += double(segment + 0x20)?;
        }
    }
    Some(sum)
}
