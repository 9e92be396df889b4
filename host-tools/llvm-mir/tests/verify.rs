//! Tests that the verdict on every file of `corpus/llvm-mir` is LLVM's.

use llvm_mir::{ReadOptions, Report};
use testkit::llvm::files;

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

/// Returns the first report on a function of this body for an ISA's triple, as llc 22.1.8 has it.
fn first_report(triple: &str, body: &str) -> String {
    let text = format!(
        "--- |\n  target triple = \"{triple}\"\n  define void @f() {{ unreachable }}\n...\n---\nname: f\n\
         tracksRegLiveness: true\nbody: |\n{body}...\n"
    );
    let (_, reports) = verdict(text.as_bytes());
    reports
        .first()
        .map_or(String::new(), |report| report.message.to_string())
}

#[test]
fn branches_that_count_go_to_successors() {
    let body = "  bb.0:\n    successors: %bb.0, %bb.1\n    liveins: $ctr8\n    BDNZ8 %bb.0, implicit-def $ctr8, \
                implicit $ctr8\n    B %bb.2\n  bb.1:\n    BLR8 implicit $lr8, implicit $rm\n  bb.2:\n    BLR8 implicit \
                $lr8, implicit $rm\n";
    let report = first_report("powerpc64le-unknown-linux-gnu", body);
    assert!(
        report.contains("its target isn't a CFG successor!"),
        "{report}"
    );
}

#[test]
fn phis_of_blocks_that_nothing_leads_to_take_from_predecessors() {
    let body = "  bb.0:\n    %0:gr64 = MOV64ri32 1\n    RET64\n  bb.1:\n    %1:gr64 = PHI %0, %bb.0\n    RET64\n";
    let report = first_report("x86_64-unknown-linux-gnu", body);
    assert_eq!(report, "PHI operand is not in the CFG");
}

#[test]
fn debug_values_of_four_operands_have_a_location() {
    let report = |insn| {
        first_report(
            "x86_64-unknown-linux-gnu",
            &format!("  bb.0:\n    {insn}\n"),
        )
    };
    let missing = "Missing DebugLoc for debug instruction";
    for insn in [
        "DBG_VALUE $noreg, $noreg, 3, 4",
        "DBG_VALUE 1, 2, 3, 4",
        "DBG_VALUE_LIST 1, 2, 3, 4",
    ] {
        assert_eq!(report(insn), missing, "{insn}");
    }
    for insn in [
        "DBG_VALUE 1, 2, 3",
        "DBG_INSTR_REF 1, 2, 3, 4",
        "DBG_VALUE_LIST 1, 2, 3",
    ] {
        assert_eq!(report(insn), "", "{insn}");
    }
}
