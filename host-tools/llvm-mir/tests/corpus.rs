//! Tests that every file of `corpus/llvm-mir` yields LLVM's result: its print, simplified print, or
//! error.

use llvm_mir::{Error, PrintOptions, ReadOptions};
use testkit::llvm::files;

fn printed(input: &[u8], simplify: bool, call_site_info: bool) -> Result<String, Error> {
    let options = ReadOptions {
        call_site_info,
        ..ReadOptions::default()
    };
    let file = llvm_mir::read(input, &options)?;
    let text = llvm_mir::print(
        &file,
        PrintOptions {
            simplify,
            call_site_info,
        },
    );
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Records the first difference of two texts.
fn compare(name: &str, ours: Result<String, Error>, expected: &[u8], wrong: &mut Vec<String>) {
    let expected = String::from_utf8_lossy(expected);
    match ours {
        Ok(ours) if ours == expected => {}
        Ok(ours) => {
            let mut lines = ours.lines().zip(expected.lines()).zip(1..);
            let difference = lines.find(|((ours, expected), _)| ours != expected);
            wrong.push(format!("{name}: {difference:?}"));
        }
        Err(error) => wrong.push(format!("{name}: {error}")),
    }
}

/// Returns the file that holds the expected print of a file of an ISA's folder: the same, or its
/// partner with the fixed objects in reverse.
fn expected_name(name: &str) -> String {
    match (name.strip_suffix(".a.mir"), name.strip_suffix(".b.mir")) {
        (Some(stem), _) => format!("{stem}.b.mir"),
        (_, Some(stem)) => format!("{stem}.a.mir"),
        _ => name.into(),
    }
}

#[test]
fn files_of_five_targets_are_printed_byte_for_byte() {
    let (mut count, mut wrong) = (0, Vec::new());
    let folders = ["x86_64/", "aarch64/", "ppc64le/", "riscv64/", "s390x/"];
    for (name, input) in files() {
        if folders.iter().any(|folder| name.starts_with(folder)) {
            let expected = &files()[&expected_name(name)];
            compare(name, printed(input, false, false), expected, &mut wrong);
            count += 1;
        }
    }
    assert_eq!(count, 262);
    assert_eq!(wrong, <Vec<String>>::new());
}

#[test]
fn files_are_simplified_byte_for_byte() {
    let mut wrong = Vec::new();
    let simplified: Vec<_> = files()
        .iter()
        .filter_map(|(name, text)| Some((name.strip_prefix("simplified/")?, text)))
        .collect();
    assert_eq!(simplified.len(), 13);
    for (name, expected) in simplified {
        let input = &files()[&name.replacen('.', "/", 1)];
        compare(name, printed(input, true, false), expected, &mut wrong);
    }
    assert_eq!(wrong, <Vec<String>>::new());
}

#[test]
fn files_written_by_hand_are_printed_in_full() {
    let mut wrong = Vec::new();
    for (name, expected) in files() {
        if let Some(stem) = name.strip_suffix(".full.mir") {
            let ours = printed(&files()[&format!("{stem}.mir")], false, false);
            let expected = documents(&String::from_utf8_lossy(expected));
            let ours = ours.map(|text| documents(&text));
            compare(name, ours, expected.as_bytes(), &mut wrong);
        }
    }
    assert_eq!(wrong, <Vec<String>>::new());
}

/// Returns the documents of the functions; the module is left out, as LLVM rewrites it.
fn documents(text: &str) -> String {
    text.split_once("\n---\n")
        .map_or("", |(_, rest)| rest)
        .into()
}

#[test]
fn all_kinds_of_operands_are_printed() {
    let ours = printed(&files()["all-operands.x86_64.in.mir"], false, true);
    let expected = &files()["all-operands.x86_64.out.mir"];
    // LLVM prints the nodes in the order of their addresses, which differs from run to run.
    let sorted = |text: &str| {
        let mut lines: Vec<String> = documents(text).lines().map(Into::into).collect();
        let of_nodes = |line: &String| line.starts_with("  - '!");
        let first = lines.iter().position(of_nodes).unwrap_or(0);
        let count = lines[first..]
            .iter()
            .take_while(|line| of_nodes(line))
            .count();
        lines[first..first + count].sort();
        lines.join("\n")
    };
    let mut wrong = Vec::new();
    let expected = sorted(&String::from_utf8_lossy(expected));
    compare(
        "all-operands",
        ours.map(|text| sorted(&text)),
        expected.as_bytes(),
        &mut wrong,
    );
    assert_eq!(wrong, <Vec<String>>::new());
}

#[test]
fn errors_are_where_llvm_sees_them() {
    let table = String::from_utf8_lossy(&files()["verify/expected.tsv"]);
    let rows = table
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>());
    let mut count = 0;
    for row in rows {
        if let [name, "parse", _, place] = row[..] {
            let error = printed(&files()[&format!("verify/{name}.mir")], false, false).unwrap_err();
            assert_eq!(
                format!("{}:{}", error.line, error.column),
                place,
                "{name}: {error}"
            );
            count += 1;
        }
    }
    assert_eq!(count, 6);
}

/// Returns the names of the functions of a file for an ISA, or its error.
fn names(isa: llvm_mir::target::Isa, input: &str) -> Result<Vec<String>, Error> {
    let options = ReadOptions {
        triple: Some(llvm_mir::target::Triple::of(isa)),
        ..ReadOptions::default()
    };
    let file = llvm_mir::read(input.as_bytes(), &options)?;
    Ok(file.functions.iter().map(|f| f.name.to_string()).collect())
}

#[test]
fn documents_without_content_are_passed_over() {
    let isa = llvm_mir::target::Isa::X86_64;
    let f = "name: f\nbody: |\n  bb.0:\n    RET64\n";
    for text in [
        format!("---\n---\n{f}...\n"),
        format!("---\n{f}---\n"),
        format!("---\n{f}...\n...\n"),
        format!("---\n...\n---\n{f}... # the end\n"),
    ] {
        assert_eq!(names(isa, &text).unwrap(), ["f"], "{text}");
    }
    let error = names(isa, &format!("---\n{f}... ...\n")).unwrap_err();
    assert_eq!(error.to_string(), "6:5: not a mapping");
}

#[test]
fn what_an_opcode_clobbers_early_is_said_though_it_is_not_written() {
    let triple = "--- |\n  target triple = \"aarch64-unknown-linux-gnu\"\n  define void @f() { unreachable }\n...\n";
    let text = "---\nname: f\nbody: |\n  bb.0:\n    $sp, $fp, $lr = frame-destroy LDPXpost $sp, 2\n    RET_ReallyLR\n...\n";
    let printed = printed(format!("{triple}{text}").as_bytes(), false, false).unwrap();
    let line = "    early-clobber $sp, $fp, $lr = frame-destroy LDPXpost $sp, 2\n";
    assert!(printed.contains(line), "{printed}");
}

/// A module whose functions have no document, or a document that uses metadata of its own.
const METADATA: &str = r#"--- |
  target triple = "aarch64-unknown-linux-gnu"

  define void @before() noredzone { ret void }
  define i32 @f({ i32, i32 } %pair, ptr %p) !dbg !9 { entry: ret i32 0 }
  define available_externally void @elsewhere() { ret void }

  !llvm.dbg.cu = !{!12}
  !llvm.module.flags = !{!3}

  !3 = !{i32 2, !"Debug Info Version", i32 3}
  !5 = !DILocation(line: 4, column: 2, scope: !9)
  !9 = distinct !DISubprogram(name: "f", scope: !20, file: !20, line: 3, type: !14, unit: !12)
  !12 = distinct !DICompileUnit(language: DW_LANG_C99, file: !20, emissionKind: FullDebug)
  !14 = !DISubroutineType(types: !15)
  !15 = !{null}
  !16 = !DIExpression()
  !17 = !DILocalVariable(name: "v", scope: !9, file: !20, line: 4, type: !18)
  !18 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
  !20 = !DIFile(filename: "a.c", directory: "/")
...
---
name: f
stack:
  - { id: 0, size: 16, alignment: 16, stack-id: scalable-vector }
machineMetadataNodes:
  - '!30 = !{!"root"}'
body: |
  bb.0.entry:
    $w0 = MOVi32imm 1, debug-location !5
    $w1 = LDRWui $x1, 0, debug-location !DILocation(line: 5, scope: !9) :: (load (s32) from %ir.p, !tbaa !30)
    RET_ReallyLR debug-location !DILocation(line: 4, column: 2, scope: !9)
...
"#;

#[test]
fn metadata_gets_the_numbers_and_functions_the_documents_that_llvm_gives() {
    let printed = printed(METADATA.as_bytes(), false, false).unwrap();
    let is_told = |line: &&str| {
        [
            "name:",
            "alignment:",
            "  maxAlignment:",
            "  hasRedZone:",
            "  - '!",
        ]
        .iter()
        .any(|start| line.starts_with(start))
            || line.contains("debug-location")
    };
    let told: Vec<&str> = printed.lines().filter(is_told).collect();
    // As llc 22.1.8 prints it.
    let expected = [
        "name:            before",
        "alignment:       4",
        "  maxAlignment:    1",
        "  hasRedZone:      false",
        "name:            f",
        "alignment:       1",
        "  maxAlignment:    16",
        "  - '!6 = !{!\"root\"}'",
        "    $w0 = MOVi32imm 1, debug-location !DILocation(line: 4, column: 2, scope: !3)",
        "    $w1 = LDRWui $x1, 0, debug-location !DILocation(line: 5, scope: !3) :: (load (s32) from %ir.p, !tbaa !6)",
        "    RET_ReallyLR debug-location !DILocation(line: 4, column: 2, scope: !3)",
    ];
    assert_eq!(told, expected);
}

/// A file that llc 22 prints shorter than it is written, or otherwise: constants, names of
/// intrinsics, and probabilities that several lists tell.
const REWRITTEN: &str = "--- |
  target triple = \"aarch64-unknown-linux-gnu\"
  @a = global i32 0
  define void @f() {
    ret void
  }
...
---
name: f
constants:
  - { id: 0, value: '<2 x i8> <i8 7, i8 7>', alignment: 2 }
  - { id: 1, value: '<4 x i32> <i32 0, i32 0, i32 0, i32 0>', alignment: 16 }
  - { id: 2, value: '<2 x i8> splat (i8 7)', alignment: 8 }
body: |
  bb.0:
    successors: %bb.1(0x30000000)
    successors: %bb.2
    liveins: $x0, $w1

    $x8 = LDRXui $x0, 0 :: (load (s64) from `i32 ()** bitcast (i32* @a to i32 ()**)`)
    $x9 = LDRXui $x0, 0 :: (load (s64) from `i64* undef`)
    %0:_(s32) = G_IMPLICIT_DEF
    %1:_(s32) = G_INTRINSIC intrinsic(@llvm.aarch64.sdiv.i32), %0(s32), %0(s32)
    %2:_(<4 x s16>) = G_IMPLICIT_DEF
    %3:_(s32) = G_INTRINSIC intrinsic(@llvm.aarch64.neon.uaddlv.i32.v4i16), %2(<4 x s16>)
    CBZW killed $w1, %bb.2
  bb.1:
  bb.2:
...
";

/// The lines of llc's print that differ from what is read.
const SHOWN: [&str; 7] = [
    "    value:           '<2 x i8> splat (i8 7)'\n    alignment:       8\n",
    "    value:           '<4 x i32> zeroinitializer'\n    alignment:       16\n",
    "    successors: %bb.1(0x80000000), %bb.2(0x00000000)\n",
    "    $x8 = LDRXui $x0, 0 :: (load (s64) from @a)\n",
    "    $x9 = LDRXui $x0, 0 :: (load (s64) from `ptr undef`)\n",
    "    %1:_(s32) = G_INTRINSIC intrinsic(@llvm.aarch64.sdiv), %0(s32), %0(s32)\n",
    "    %3:_(s32) = G_INTRINSIC intrinsic(@llvm.aarch64.neon.uaddlv), %2(<4 x s16>)\n",
];

#[test]
fn what_llvm_rewrites_is_rewritten() {
    let ours = printed(REWRITTEN.as_bytes(), false, false).unwrap();
    for lines in SHOWN {
        assert_eq!(ours.matches(lines).count(), 1, "{lines}{ours}");
    }
    assert_eq!(ours.matches("value:  ").count(), 2, "{ours}");
}

/// Without a module and options the file is for the machine that reads it, as with llc.
#[test]
fn a_file_that_names_no_target_is_for_this_machine() {
    let of_host = match std::env::consts::ARCH {
        "x86_64" => "$rax = COPY $rdi",
        "aarch64" => "$x0 = COPY $x1",
        "riscv64" => "$x10 = COPY $x11",
        "powerpc64" => "$x3 = COPY $x4",
        _ => "$r2d = COPY $r3d",
    };
    let text = format!("---\nname: f\nbody: |\n  bb.0:\n    {of_host}\n");
    let ours = printed(text.as_bytes(), false, false).unwrap();
    assert!(ours.contains(of_host), "{ours}");
}
