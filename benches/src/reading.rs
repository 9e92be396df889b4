//! Reading text and binary, loading and linking: the sixty random programs one by one, each in a
//! process of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Bench, Figure};

/// Measures text in MB/s, binary and linking in microseconds per instruction; the best of `runs`
/// each.
pub fn figures(bench: &Bench) -> Result<Vec<Figure>, String> {
    let (root, mir, runs) = (&bench.root, bench.mir()?, bench.runs);
    let scratch = root.join("benches/target/reading");
    fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    let (mut binaries, mut texts) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(root.join("corpus/csmith"))
        .map_err(|error| error.to_string())?
        .flatten()
    {
        let binary = entry.path();
        if binary
            .extension()
            .is_none_or(|extension| extension != "bmir")
        {
            continue;
        }
        let text = scratch
            .join(binary.file_name().unwrap_or_default())
            .with_extension("mir");
        let made = Command::new(mir)
            .arg("dis")
            .arg(&binary)
            .arg("-o")
            .arg(&text)
            .status();
        if !made.is_ok_and(|status| status.success()) {
            return Err(format!("{}: mir dis failed", binary.display()));
        }
        binaries.push(binary);
        texts.push(text);
    }
    let (binary, text) = (times(mir, &binaries, runs)?, times(mir, &texts, runs)?);
    Ok(vec![
        Figure::least(
            "text read, MB/s",
            Some(text.bytes / text.read),
            120.0,
            300.0,
        ),
        Figure::most(
            "binary read, us per instruction",
            Some(binary.read / binary.insns),
            0.15,
            0.05,
        ),
        Figure::most(
            "load and link, us per instruction",
            Some(binary.link / binary.insns),
            0.2,
            0.1,
        ),
    ])
}

/// Sums over a set of programs, times in microseconds.
struct Times {
    read: f64,
    link: f64,
    insns: f64,
    bytes: f64,
}

fn times(mir: &Path, files: &[PathBuf], runs: usize) -> Result<Times, String> {
    let mut best = Times {
        read: f64::INFINITY,
        link: f64::INFINITY,
        insns: 0.0,
        bytes: 0.0,
    };
    for _ in 0..runs {
        let mut sum = Times {
            read: 0.0,
            link: 0.0,
            insns: 0.0,
            bytes: 0.0,
        };
        for file in files {
            let output = Command::new(mir)
                .args(["run", "--interp", "--time=json"])
                .arg(file)
                .output();
            let said = String::from_utf8_lossy(&output.map_err(|error| error.to_string())?.stderr)
                .into_owned();
            let row = said.lines().find(|line| line.starts_with('{'));
            let row = row.ok_or_else(|| format!("{}: no times: {said}", file.display()))?;
            sum.read += number(row, "read_us")?;
            sum.link += number(row, "link_us")?;
            sum.insns += number(row, "insns")?;
            sum.bytes += fs::metadata(file).map_or(0.0, |metadata| metadata.len() as f64);
        }
        best = Times {
            read: best.read.min(sum.read),
            link: best.link.min(sum.link),
            ..sum
        };
    }
    Ok(best)
}

/// Returns the number under `key` in one flat JSON object.
pub fn number(object: &str, key: &str) -> Result<f64, String> {
    let after = object
        .split_once(&format!("\"{key}\":"))
        .map(|(_, after)| after.trim_start());
    let digits = after.and_then(|after| after.split([',', '}']).next());
    digits
        .and_then(|digits| digits.trim().parse().ok())
        .ok_or_else(|| format!("no {key} in {object}"))
}
