//! The verdict on every file of `corpus/llvm-mir` is LLVM's.

#[expect(clippy::unwrap_used, reason = "what fails here is the test")]
mod common;

use common::files;
use llvm_mir::{ReadOptions, Report};

fn verdict(input: &[u8]) -> (&'static str, Vec<Report>) {
    match llvm_mir::read(input, &ReadOptions::default()) {
        Err(_) => ("parse", Vec::new()),
        Ok(file) => {
            let reports = llvm_mir::verify(&file);
            (
                if reports.is_empty() {
                    "accepted"
                } else {
                    "verify"
                },
                reports,
            )
        }
    }
}

#[test]
fn verdicts_are_llvms() {
    let table = String::from_utf8_lossy(&files()["verify/expected.tsv"]);
    let mut wrong = Vec::new();
    let mut count = 0;
    for row in table
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>())
    {
        if let [name, expected, ..] = row[..] {
            let (verdict, reports) = verdict(&files()[&format!("verify/{name}.mir")]);
            if verdict != expected {
                wrong.push((name, verdict, expected, reports));
            }
            count += 1;
        }
    }
    assert_eq!(count, 38);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_llvm_wrote_is_accepted() {
    let folders = [
        "x86_64/", "aarch64/", "ppc64le/", "riscv64/", "s390x/", "hand/",
    ];
    let mut wrong = Vec::new();
    for (name, input) in files() {
        let wanted = folders.iter().any(|folder| name.starts_with(folder));
        if wanted && name.ends_with(".mir") {
            let reports = verdict(input).1;
            if let Some(first) = reports.first() {
                wrong.push(format!("{name}: {} reports, {first}", reports.len()));
            }
        }
    }
    let shown: Vec<_> = wrong.iter().take(20).collect();
    assert!(wrong.is_empty(), "{} files: {shown:#?}", wrong.len());
}
