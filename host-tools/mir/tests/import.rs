//! Programs in LLVM IR and generic Machine IR through the command: `filetests/import`,
//! `corpus/llvm-ir`, `corpus/llvm-mir`.
//!
//! A file of `filetests/import` has the expected output in lines `; out: TEXT`, or the expected
//! error in lines `; error: LINE:COLUMN: TEXT`. The output is that of the code that LLVM itself
//! generates.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use testkit::command::isa;

/// Returns the words that run the command.
fn words() -> &'static [String] {
    testkit::command::words(env!("CARGO_BIN_EXE_mir"))
}

/// The ISAs for which generic Machine IR can be imported.
const GENERIC_ISAS: [&str; 3] = ["aarch64", "riscv64", "x86_64"];

/// The number of files of LLVM's `irtranslator` for them in `corpus/llvm-mir`.
const GENERIC_FILES: usize = 66;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn mir(arguments: &[&str], file: &Path) -> Output {
    let mut command = Command::new(&words()[0]);
    command.args(&words()[1..]).args(arguments).arg(file);
    command.output().unwrap()
}

/// Returns the files of a directory whose names end in `ending`.
fn files(directory: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = paths
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{} has no files", directory.display());
    files
}

/// Returns the text after a word at the start of lines.
fn lines_after<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    text.lines()
        .filter_map(|line| line.strip_prefix(word))
        .collect()
}

/// Checks that the program prints the expected output, interpreted from LLVM IR, and as Medium IR
/// in text and binary.
fn prints(file: &Path, engine: &[&str]) -> Result<(), String> {
    let text = fs::read_to_string(file).unwrap();
    let wanted: String = lines_after(&text, "; out: ")
        .iter()
        .map(|line| format!("{line}\n"))
        .collect();
    let run = |how: &str, path: &Path| {
        let mut arguments = vec!["run"];
        arguments.extend(engine);
        let output = mir(&arguments, path);
        let printed = String::from_utf8_lossy(&output.stdout);
        if printed == wanted && output.status.success() {
            return Ok(());
        }
        let messages = String::from_utf8_lossy(&output.stderr);
        Err(format!("{} {how}: {printed}{messages}", file.display()))
    };
    run("from LLVM IR", file)?;
    let stem = file.file_stem().unwrap().to_string_lossy();
    for name in ["mir", "bmir"] {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let imported = directory.join(format!("import-{}-{stem}.{name}", engine.len()));
        let output = imported.to_string_lossy().into_owned();
        assert!(mir(&["import", "-o", &output], file).status.success());
        run(name, &imported)?;
    }
    Ok(())
}

fn all(results: impl Iterator<Item = Result<(), String>>) {
    let failed: Vec<_> = results.filter_map(Result::err).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn programs_print_what_llvm_s_own_code_prints() {
    let programs = files(&root().join("filetests/import"), ".ll");
    all(programs.iter().map(|file| prints(file, &["--interp"])));
}

#[test]
fn compiled_programs_print_the_same() {
    let programs = files(&root().join("filetests/import"), ".ll");
    all(programs.iter().map(|file| prints(file, &["--jit", "-O2"])));
}

/// Imports a program with `--portable` or without; returns how the command says that it is not
/// portable.
fn not_portable(file: &Path, options: &[&str], imported: &str) -> String {
    let arguments = [&["import"], options, &["-o", imported]].concat();
    assert!(mir(&arguments, file).status.success(), "{}", file.display());
    let checked = mir(&["check", "--portable"], Path::new(imported));
    String::from_utf8(checked.stderr).unwrap()
}

/// Without the extension programs print the same, and what is not portable about them is atomic.
#[test]
fn portable_programs_print_the_same() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut extended = 0;
    for file in files(&root().join("filetests/import"), ".ll") {
        let stem = file.file_stem().unwrap().to_string_lossy();
        let path = directory.join(format!("portable-{stem}.bmir"));
        let imported = path.to_string_lossy();
        extended += usize::from(!not_portable(&file, &[], &imported).is_empty());
        let said = not_portable(&file, &["--portable"], &imported);
        for line in said.lines().filter(|line| line.contains("warning")) {
            let is_atomic = line.contains("`atomic_") || line.contains("`fence`");
            assert!(is_atomic, "{}: {line}", file.display());
        }
        let text = fs::read_to_string(&file).unwrap();
        let output = mir(&["run", "--interp"], &path);
        let printed = String::from_utf8(output.stdout).unwrap();
        let wanted = lines_after(&text, "; out: ");
        assert_eq!(printed.lines().collect::<Vec<_>>(), wanted, "{stem}");
    }
    assert!(extended >= 4, "{extended} programs use the extension");
}

#[test]
fn errors_have_their_places() {
    for file in files(&root().join("filetests/import/errors"), ".ll") {
        let text = fs::read_to_string(&file).unwrap();
        let wanted = lines_after(&text, "; error: ");
        let output = mir(&["import", "--target", "x86_64", "-o", "-"], &file);
        assert_eq!(output.status.code(), Some(1), "{}", file.display());
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        let found: Vec<_> = messages.lines().collect();
        assert_eq!(found.len(), wanted.len(), "{messages}");
        for (found, wanted) in found.iter().zip(wanted) {
            let plain = found.replacen("error: ", "", 1);
            assert!(plain.contains(wanted), "{}: {found}", file.display());
        }
    }
}

#[test]
fn what_cannot_be_expressed_is_left_out_on_request() {
    let file = root().join("filetests/import/errors/functions.ll");
    let output = mir(
        &[
            "import",
            "--target",
            "x86_64",
            "--skip-unsupported",
            "-o",
            "-",
        ],
        &file,
    );
    assert!(output.status.success());
    let warnings = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(
        warnings.matches("warning: in function @").count(),
        6,
        "{warnings}"
    );
}

#[test]
fn the_corpus_ends_with_the_status_that_it_must() {
    let corpus = root().join("corpus/llvm-ir");
    let table = fs::read_to_string(corpus.join("expected-exit.tsv")).unwrap();
    let mut count = 0;
    for row in table.lines().skip(1) {
        let (name, status) = row.split_once('\t').unwrap();
        for level in ["O0", "O1"] {
            let file = corpus.join(isa()).join(format!("{name}.{level}.ll"));
            let output = mir(&["run", "--interp"], &file);
            let messages = String::from_utf8_lossy(&output.stderr);
            let wanted = status.parse().ok();
            assert_eq!(
                output.status.code(),
                wanted,
                "{}: {messages}",
                file.display()
            );
            count += 1;
        }
    }
    assert_eq!(count, 28);
}

/// A file of generic Machine IR.
struct Generic {
    file: PathBuf,
    isa: String,
    program: String,
}

/// Returns the files of `corpus/llvm-mir`, written out once.
fn generic_files() -> &'static [Generic] {
    static FILES: OnceLock<Vec<Generic>> = OnceLock::new();
    FILES.get_or_init(write_generic_files)
}

fn write_generic_files() -> Vec<Generic> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("generic");
    let mut files = Vec::new();
    for (path, bytes) in testkit::llvm::files() {
        let Some((isa, name)) = path.trim_start_matches("./").split_once('/') else {
            continue;
        };
        if !name.contains(".gisel-irtranslator.") || !GENERIC_ISAS.contains(&isa) {
            continue;
        }
        fs::create_dir_all(scratch.join(isa)).unwrap();
        let file = scratch.join(isa).join(name);
        fs::write(&file, bytes).unwrap();
        files.push(Generic {
            file,
            isa: isa.into(),
            program: name.split('.').next().unwrap().into(),
        });
    }
    files
}

#[test]
fn generic_machine_ir_comes_through_for_its_isa() {
    let files = generic_files();
    assert_eq!(files.len(), GENERIC_FILES);
    for Generic { file, isa, .. } in files {
        let output = mir(&["import", "--target", isa, "-o", "-"], file);
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {messages}", file.display());
    }
}

#[test]
fn generic_machine_ir_ends_with_the_status_that_it_must() {
    let table = root().join("corpus/llvm-ir/expected-exit.tsv");
    let table = fs::read_to_string(table).unwrap();
    for Generic { file, isa, program } in generic_files() {
        let mut rows = table.lines().filter_map(|row| row.split_once('\t'));
        // One program has functions only.
        let Some((_, wanted)) = rows.find(|(name, _)| name == program) else {
            continue;
        };
        if isa == self::isa() {
            let output = mir(&["run", "--interp"], file);
            let status = output.status.code().map(|status| status.to_string());
            let messages = String::from_utf8_lossy(&output.stderr);
            let name = file.display();
            assert_eq!(status.as_deref(), Some(wanted), "{name}: {messages}");
        }
    }
}

/// A file with a constructor and a destructor, and without `main`.
const WITHOUT_MAIN: &str = r#"
@text = internal constant [6 x i8] c"begin\00"
@last = internal constant [4 x i8] c"end\00"
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @begin, ptr null }]
@llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @end, ptr null }]
declare i32 @puts(ptr)
define internal void @begin() {
  %r = call i32 @puts(ptr @text)
  ret void
}
define internal void @end() {
  %r = call i32 @puts(ptr @last)
  ret void
}
"#;

/// A file whose `main` registers functions for the end, and calls `exit` from another function.
const WITH_EXIT: &str = r#"
@text = internal constant [5 x i8] c"main\00"
@first = internal constant [9 x i8] c"first: 7\00"
@given = internal constant [7 x i8] c"object\00"
@registered = internal constant [11 x i8] c"registered\00"
@__dso_handle = external hidden global i8
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 101, ptr @early, ptr null }]
declare i32 @puts(ptr)
declare i32 @atexit(ptr)
declare i32 @__cxa_atexit(ptr, ptr, ptr)
declare void @exit(i32)
define internal void @early() {
  %r = call i32 @puts(ptr @first)
  ret void
}
define internal void @destroy(ptr %object) {
  %r = call i32 @puts(ptr %object)
  ret void
}
define internal void @call() {
  %r = call i32 @puts(ptr @registered)
  ret void
}
define internal void @leave() {
  call void @exit(i32 5)
  unreachable
}
define i32 @main() {
  %a = call i32 @__cxa_atexit(ptr @destroy, ptr @given, ptr @__dso_handle)
  %b = call i32 @atexit(ptr @call)
  %c = call i32 @puts(ptr @text)
  call void @leave()
  ret i32 1
}
"#;

#[test]
fn constructors_and_destructors_of_all_files_run() {
    let directory = tempfile::tempdir().unwrap();
    let [library, program] = [("library.ll", WITHOUT_MAIN), ("program.ll", WITH_EXIT)];
    let [library, program] = [library, program].map(|(name, text)| {
        let file = directory.path().join(name);
        fs::write(&file, text).unwrap();
        file
    });
    let library = library.to_string_lossy().into_owned();
    let wanted = "first: 7\nbegin\nmain\nregistered\nobject\nend\n";
    let ways: [&[&str]; 6] = [
        &["--interp"],
        &["--jit", "-O0"],
        &["--jit", "-O2"],
        &["--lazy-bb"],
        &["--confined", "--interp"],
        &["--confined", "--jit"],
    ];
    for way in ways {
        let arguments = [&["run"], way, &[library.as_str()]].concat();
        let output = mir(&arguments, &program);
        let printed = String::from_utf8_lossy(&output.stdout);
        let messages = String::from_utf8_lossy(&output.stderr);
        assert_eq!(printed, wanted, "{way:?}: {messages}");
        assert_eq!(output.status.code(), Some(5), "{way:?}");
    }
}

#[test]
fn thread_local_variables_of_confined_programs() {
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("program.ll");
    let text = "@a = thread_local global [2 x i32] [i32 30, i32 7]\n\
                @b = thread_local global i32 0\n\
                define i32 @main() {\n\
                  %x = load i32, ptr getelementptr (i32, ptr @a, i64 1)\n\
                  %y = load i32, ptr @a\n\
                  %z = load i32, ptr @b\n\
                  store i32 5, ptr @b\n\
                  br label %end\n\
                end:\n\
                  %w = load i32, ptr @b\n\
                  %s = add i32 %x, %y\n\
                  %t = add i32 %s, %z\n\
                  %u = add i32 %t, %w\n\
                  ret i32 %u\n\
                }\n";
    fs::write(&program, text).unwrap();
    for engine in ["--interp", "--jit"] {
        let output = mir(&["run", "--confined", engine], &program);
        let messages = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(42), "{engine}: {messages}");
    }
}

/// The instructions of `x86_64` that have routines: `cpuid` as clang's header, C and Rust write it,
/// with the leaf 0 and what the headers compare with, and `rdtsc`.
const ASSEMBLY_OF_X86_64: &str = r#"
target triple = "x86_64-unknown-linux-gnu"
@line = internal constant [6 x i8] c"%.4s\0A\00"
declare i32 @printf(ptr, ...)
define i32 @main() {
  %place = alloca i32
  %a = call { i32, i32, i32, i32 } asm "  xchg$(q$|$)  $(%$|$)rbx,${1:q}\0A  cpuid\0A  xchg$(q$|$)  $(%$|$)rbx,${1:q}", "={ax},=r,={cx},={dx},0,2"(i32 0, i32 0)
  %b = call { i64, i32, i32, i32 } asm sideeffect inteldialect "mov ${0:q}, rbx\0Acpuid\0Axchg ${0:q}, rbx", "=&r,={ax},={cx},={dx},1,2"(i32 0, i32 0)
  %c = call i32 asm "cpuid", "={ax},{ax},~{ebx},~{ecx},~{edx}"(i32 0)
  %a0 = extractvalue { i32, i32, i32, i32 } %a, 0
  %a1 = extractvalue { i32, i32, i32, i32 } %a, 1
  %a3 = extractvalue { i32, i32, i32, i32 } %a, 3
  %b0 = extractvalue { i64, i32, i32, i32 } %b, 0
  %b1 = trunc i64 %b0 to i32
  %one = icmp eq i32 %a0, %c
  %two = icmp eq i32 %a1, %b1
  %both = and i1 %one, %two
  br i1 %both, label %right, label %wrong
right:
  store i32 %a3, ptr %place
  %r = call i32 (ptr, ...) @printf(ptr @line, ptr %place)
  %before = call { i32, i32 } asm sideeffect "rdtsc", "={ax},={dx}"()
  call void asm sideeffect "mfence", "~{memory}"()
  %after = call { i32, i32 } asm sideeffect "rdtsc", "={ax},={dx}"()
  %low = extractvalue { i32, i32 } %before, 0
  %high = extractvalue { i32, i32 } %before, 1
  %low2 = extractvalue { i32, i32 } %after, 0
  %high2 = extractvalue { i32, i32 } %after, 1
  %same = icmp eq i32 %low, %low2
  %same2 = icmp uge i32 %high2, %high
  %stood = xor i1 %same, true
  %went = and i1 %stood, %same2
  br i1 %went, label %end, label %wrong
end:
  ret i32 0
wrong:
  ret i32 1
}
"#;

/// Vendors of processors call themselves so in `edx` of leaf 0.
#[test]
fn assembly_of_x86_64_runs() {
    if isa() != "x86_64" {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("program.ll");
    fs::write(&program, ASSEMBLY_OF_X86_64).unwrap();
    for way in [&["--interp"][..], &["--jit", "-O0"], &["--jit", "-O2"]] {
        let output = mir(&[&["run"], way].concat(), &program);
        let messages = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{way:?}: {messages}");
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(
            matches!(&*printed, "ineI\n" | "enti\n"),
            "{way:?}: {printed}"
        );
    }
    let [object, linked] = ["program.o", "program"].map(|name| directory.path().join(name));
    let name = object.to_string_lossy().into_owned();
    assert!(mir(&["obj", "-o", &name], &program).status.success());
    let mut gcc = Command::new("gcc");
    let made = gcc.arg(&object).arg("-o").arg(&linked).status().unwrap();
    assert!(made.success());
    assert_eq!(Command::new(&linked).status().unwrap().code(), Some(0));
}

#[test]
fn after_a_fault_no_destructor_runs() {
    let directory = tempfile::tempdir().unwrap();
    let library = directory.path().join("library.ll");
    fs::write(&library, WITHOUT_MAIN).unwrap();
    let program = directory.path().join("program.ll");
    let text =
        "define i32 @main() {\n  %z = sub i32 1, 1\n  %r = sdiv i32 1, %z\n  ret i32 %r\n}\n";
    fs::write(&program, text).unwrap();
    let library = library.to_string_lossy().into_owned();
    for way in ["--interp", "--jit"] {
        let output = mir(&["run", way, &library], &program);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "begin\n", "{way}");
        assert_eq!(output.status.code(), Some(1), "{way}");
    }
}

#[test]
fn lists_of_constructors_have_functions_only() {
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("program.mir");
    let text = "m: module\n.init_array: i64 1\nmain: func\n endfunc\n endmodule\n";
    fs::write(&program, text).unwrap();
    let ways: [&[&str]; 3] = [&["run"], &["run", "--confined"], &["obj", "-o", "-"]];
    for way in ways {
        let output = mir(way, &program);
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(
            messages.contains("addresses of the program's functions only"),
            "{messages}"
        );
        assert_eq!(output.status.code(), Some(1), "{way:?}");
    }
}

/// Three functions: one that is converted, one that `GlobalISel` gave up, one with a vector; line 1
/// begins the file.
const PARTLY: &str = r#"--- |
  target triple = "aarch64-unknown-linux-gnu"

  define i64 @good(i64 %a) {
    ret i64 %a
  }
  define i64 @given_up(i64 %a) {
    ret i64 %a
  }
  define i64 @vector(i64 %a) {
    ret i64 %a
  }
...
---
name:            good
body:             |
  bb.0:
    liveins: $x0
    %0:_(s64) = COPY $x0
    $x0 = COPY %0(s64)
    RET_ReallyLR implicit $x0
...
---
name:            given_up
failedISel:      true
body:             |
  bb.0:
    RET_ReallyLR
...
---
name:            vector
body:             |
  bb.0:
    liveins: $x0
    %0:_(s64) = COPY $x0
    %1:_(<2 x s32>) = G_BITCAST %0(s64)
    %2:_(<2 x s32>) = G_ADD %1, %1
    %3:_(s64) = G_BITCAST %2(<2 x s32>)
    $x0 = COPY %3(s64)
    RET_ReallyLR implicit $x0
...
"#;

#[test]
fn what_does_not_come_through_of_generic_machine_ir_is_told_with_its_line() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("partly.mir");
    fs::write(&file, PARTLY).unwrap();
    let refused = mir(&["import", "--target", "aarch64", "-o", "-"], &file);
    assert_eq!(refused.status.code(), Some(1));
    let messages = String::from_utf8(refused.stderr).unwrap();
    for place in [
        "partly.mir:24:18: error: in function @given_up: ",
        "partly.mir:37:5: error: in function @vector: ",
    ] {
        assert!(messages.contains(place), "{place}: {messages}");
    }
    let options = [
        "import",
        "--target",
        "aarch64",
        "--text",
        "--skip-unsupported",
    ];
    let imported = mir(&[&options[..], &["-o", "-"]].concat(), &file);
    let messages = String::from_utf8_lossy(&imported.stderr);
    assert!(imported.status.success(), "{messages}");
    assert_eq!(messages.matches("warning: in function @").count(), 2);
    let text = String::from_utf8(imported.stdout).unwrap();
    assert!(text.contains("good:\tfunc"), "{text}");
    assert!(!text.contains("vector:\tfunc"), "{text}");
    let broken = PARTLY.replacen("define i64 @good(i64 %a)", "define i64 @good(i64 !)", 1);
    fs::write(&file, broken).unwrap();
    let refused = mir(&["import", "--target", "aarch64", "-o", "-"], &file);
    let messages = String::from_utf8(refused.stderr).unwrap();
    assert!(messages.contains("partly.mir:4:"), "{messages}");
}

/// LLVM returns three words in registers on `x86_64`; Medium IR, as C, does not. More are in memory
/// for both.
#[test]
fn results_in_registers_that_c_does_not_use_are_refused() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("words.ll");
    let functions = (2..=5).map(|words| {
        let ty = format!("[{words} x i64]");
        let call = |callee: &str| {
            format!(
                "  %r = call {ty} {callee}()\n  %s = extractvalue {ty} %r, 1\n  ret i64 %s\n}}\n"
            )
        };
        let (direct, indirect) = (call(&format!("@other{words}")), call("%p"));
        format!(
            "declare {ty} @other{words}()\ndefine i64 @direct{words}() {{\n{direct}\
             define i64 @indirect{words}(ptr %p) {{\n{indirect}"
        )
    });
    fs::write(&file, functions.collect::<String>()).unwrap();
    for isa in ["x86_64", "aarch64", "ppc64le", "riscv64", "s390x"] {
        let imported = mir(&["import", "--target", isa, "-o", "-"], &file);
        let messages = String::from_utf8_lossy(&imported.stderr);
        for words in 2..=5 {
            let is_refused = isa == "x86_64" && words == 3;
            for told in [
                format!("in function @direct{words}: the call of @other{words}, a function of"),
                format!("in function @indirect{words}: an indirect call of a function that"),
            ] {
                assert_eq!(messages.contains(&told), is_refused, "{isa}: {messages}");
            }
        }
        assert_eq!(imported.status.success(), isa != "x86_64", "{messages}");
    }
}

/// Native code that is given the address of a function would look for its result where LLVM returns
/// it. Within the module such functions are called, by an alias as well.
#[test]
fn addresses_of_functions_that_return_more_in_registers_than_c_are_refused() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("addresses.ll");
    let called = "define i64 @caller(i64 %a) {
  %r = call [3 x i64] @three(i64 %a)
  %s = extractvalue [3 x i64] %r, 2
  ret i64 %s
}
";
    let three = "define [3 x i64] @three(i64 %a) {
  %r = insertvalue [3 x i64] zeroinitializer, i64 %a, 2
  ret [3 x i64] %r
}
";
    let refused = "the address of @three, a function that returns more in registers than C can, \
                   cannot be expressed in Medium IR";
    let uses = [
        ("", ""),
        (
            "@table = global [1 x ptr] [ptr @three]\n",
            "addresses.ll:10:1: error: @table: ",
        ),
        (
            "@other = alias [3 x i64] (i64), ptr @three\n",
            "addresses.ll:10:1: error: @other: ",
        ),
        (
            "define ptr @pointer() {\n  ret ptr @three\n}\n",
            "addresses.ll:11:3: error: in function @pointer: ",
        ),
        (
            "declare void @take(ptr)\ndefine void @giver() {\n  call void @take(ptr @three)\n  \
             ret void\n}\n",
            "addresses.ll:12:3: error: in function @giver: ",
        ),
    ];
    for isa in ["x86_64", "aarch64", "ppc64le", "riscv64", "s390x"] {
        for (text, place) in uses {
            fs::write(&file, format!("{called}{three}{text}")).unwrap();
            let imported = mir(&["import", "--target", isa, "-o", "-"], &file);
            let messages = String::from_utf8_lossy(&imported.stderr);
            let is_refused = isa == "x86_64" && !text.is_empty();
            assert_eq!(imported.status.success(), !is_refused, "{isa}: {messages}");
            let told = format!("{place}{refused}");
            assert_eq!(messages.contains(&told), is_refused, "{isa}: {messages}");
        }
    }
}

#[test]
fn a_text_for_another_target_is_refused() {
    let isa = if isa() == "s390x" { "x86_64" } else { "s390x" };
    let file = root().join("corpus/llvm-ir").join(isa).join("sum.O1.ll");
    assert_eq!(mir(&["run"], &file).status.code(), Some(1));
    let imported = mir(&["import", "--target", isa, "-o", "-"], &file);
    assert!(imported.status.success());
}

/// In an array each two floats take one word of ppc64le's arguments (ELFv2): after three and two of
/// them, `%x` is the third word, `%y` the fifth, `%z` the seventh. So the third float of the first
/// array takes a word of its own, and all keep their order.
#[test]
fn arguments_behind_arrays_of_floats_have_their_places_on_ppc64le() {
    let parameters = "[3 x float] %s, i64 %x, double %d, i64 %y, [2 x float] %t, i32 signext %z";
    let text = format!(
        "target triple = \"powerpc64le-unknown-linux-gnu\"\n\
         declare i64 @far([3 x float], i64, double, i64, [2 x float], i32 signext)\n\
         define i64 @near({parameters}) {{\n  %r = call i64 @far({parameters})\n  ret i64 %r\n}}\n"
    );
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("arrays-of-floats.ll");
    fs::write(&file, text).unwrap();
    let arguments = ["import", "--target", "ppc64le", "--text", "-o", "-"];
    let imported = mir(&arguments, &file);
    let text = String::from_utf8(imported.stdout).unwrap();
    for line in [
        ":\tproto\ti64, f:a0, f:a1, i64:a2, f:a3, i64:a4, d:a5, i32:a6, f:a7, f:a8\n",
        "near:\tfunc\ti64, f:%s, f:%s$1, i64:%x, f:%s$2, i64:%y, d:%d, i32:%z, f:%t, f:%t$1\n",
        "far, $1, %s, %s$1, %x, %s$2, %y, %d, %z, %t, %t$1\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
}
