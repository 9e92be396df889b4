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
use testkit::command::{is_native, isa};

mod texts;

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

/// Runs a subcommand that turns a file into another one, as it was built for this machine: every
/// ISA makes the same, and under emulation it takes ten times as long.
fn translate(arguments: &[&str], file: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mir"));
    command.args(arguments).arg(file).output().unwrap()
}

/// Imports a program for the ISA of the command under test.
fn import(options: &[&str], file: &Path, imported: &Path) {
    let imported = imported.to_string_lossy();
    let arguments = [&["import", "--target", isa()], options, &["-o", &imported]].concat();
    let output = translate(&arguments, file);
    assert!(output.status.success(), "{}", file.display());
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

/// Checks that the program prints the expected output from these forms: LLVM IR, and Medium IR in
/// text and binary, which are imported on this machine.
fn prints(file: &Path, engine: &[&str], forms: &[&str]) -> Result<(), String> {
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
    let stem = file.file_stem().unwrap().to_string_lossy();
    for &form in forms {
        if form == "ll" {
            run(form, file)?;
            continue;
        }
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let name = format!("import-{}-{}-{stem}.{form}", isa(), engine.len());
        let imported = directory.join(name);
        import(&[], file, &imported);
        run(form, &imported)?;
    }
    Ok(())
}

fn all(results: impl Iterator<Item = Result<(), String>>) {
    let failed: Vec<_> = results.filter_map(Result::err).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// The forms of a program that this machine runs.
const FORMS: [&str; 3] = ["ll", "mir", "bmir"];

/// Checks that the programs of `filetests/import` print the expected output: on this machine each
/// in all forms, and under an emulator each in one of `emulated`, in turn.
fn all_print(engine: &[&str], emulated: &[&str]) {
    let programs = files(&root().join("filetests/import"), ".ll");
    let in_turn = emulated.chunks(1).cycle();
    all(programs.iter().zip(in_turn).map(|(file, form)| {
        let forms = if is_native() { &FORMS[..] } else { form };
        prints(file, engine, forms)
    }));
}

#[test]
fn programs_print_what_llvm_s_own_code_prints() {
    all_print(&["--interp"], &["ll", "bmir", "bmir"]);
}

#[test]
fn compiled_programs_print_the_same() {
    all_print(&["--jit", "-O2"], &["mir", "bmir"]);
}

/// Imports a program with `--portable` or without; returns how the command says that it is not
/// portable.
fn not_portable(file: &Path, options: &[&str], imported: &Path) -> String {
    import(options, file, imported);
    let checked = translate(&["check", "--portable", "--target", isa()], imported);
    String::from_utf8(checked.stderr).unwrap()
}

/// Without the extension programs print the same, and what is not portable about them is atomic.
#[test]
fn portable_programs_print_the_same() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut extended = 0;
    for file in files(&root().join("filetests/import"), ".ll") {
        let stem = file.file_stem().unwrap().to_string_lossy();
        let path = directory.join(format!("portable-{}-{stem}.bmir", isa()));
        extended += usize::from(!not_portable(&file, &[], &path).is_empty());
        let said = not_portable(&file, &["--portable"], &path);
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
fn the_corpus_ends_with_the_status_that_it_must() {
    let corpus = root().join("corpus/llvm-ir");
    let table = fs::read_to_string(corpus.join("expected-exit.tsv")).unwrap();
    let mut count = 0;
    for row in table.lines().skip(1) {
        let (name, status) = row.split_once('\t').unwrap();
        for level in ["O0", "O1"] {
            let mut file = corpus.join(isa()).join(format!("{name}.{level}.ll"));
            if !is_native() && level == "O0" {
                let made = format!("{}-{name}.bmir", isa());
                let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join(made);
                import(&[], &file, &made);
                file = made;
            }
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
            let imported = file.with_extension("bmir");
            let program = if is_native() {
                file
            } else {
                import(&[], file, &imported);
                &imported
            };
            let output = mir(&["run", "--interp"], program);
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

/// A file that defines variables which files share: one that it changes, a thread-local one, and a
/// constant; and one that it has a copy of. `FUNCTION` adds them up.
const SHARING: &str = r#"
$count = comdat any
@count = linkonce_odr global i32 5, comdat
@local = linkonce_odr thread_local global i32 20, comdat($count)
@fixed = linkonce_odr constant i32 300, comdat($count)
@copied = available_externally global i32 1000
define i32 @FUNCTION() {
  %1 = load i32, ptr @count
  %2 = add i32 %1, 1
  store i32 %2, ptr @count
  %3 = load i32, ptr @local
  %4 = add i32 %3, 10
  store i32 %4, ptr @local
  %5 = load i32, ptr @fixed
  %6 = load i32, ptr @copied
  %7 = add i32 %2, %4
  %8 = add i32 %5, %6
  %9 = add i32 %7, %8
  ret i32 %9
}
"#;

const SHARERS: &str = r#"
@copied = global i32 2000
@line = internal constant [10 x i8] c"%d %d %d\0A\00"
declare i32 @first()
declare i32 @second()
declare i32 @printf(ptr, ...)
define i32 @main() {
  store i32 4000, ptr @copied
  %1 = call i32 @first()
  %2 = call i32 @second()
  %3 = call i32 @first()
  %4 = call i32 (ptr, ...) @printf(ptr @line, i32 %1, i32 %2, i32 %3)
  ret i32 0
}
"#;

#[test]
fn files_share_the_variables_that_each_of_them_defines() {
    let directory = tempfile::tempdir().unwrap();
    let texts = [
        SHARING.replace("FUNCTION", "first"),
        SHARING.replace("FUNCTION", "second"),
        SHARERS.into(),
    ];
    let files = [0, 1, 2].map(|number| directory.path().join(format!("{number}.ll")));
    for (file, text) in files.iter().zip(texts) {
        fs::write(file, text).unwrap();
    }
    let [first, second, last] = files;
    let [first, second] = [first, second].map(|file| file.to_string_lossy().into_owned());
    let ways: [&[&str]; 4] = [
        &["--interp"],
        &["--jit", "-O2"],
        &["--lazy-bb"],
        &["--confined", "--jit"],
    ];
    for way in ways {
        let output = mir(&[&["run"], way, &[&first, &second]].concat(), &last);
        let messages = String::from_utf8_lossy(&output.stderr);
        // 6 + 30 + 300 + 4000, and 11 more each time.
        assert_eq!(output.stdout, b"4336 4347 4358\n", "{way:?}: {messages}");
    }
    // The same of files that were imported before, by one command.
    let build = directory.path().join("build");
    fs::create_dir(&build).unwrap();
    let place = build.to_string_lossy().into_owned();
    let options = ["import", "--program", "--out-dir", &place, &first, &second];
    let output = mir(&options, &last);
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{messages}");
    let [first, second, last] = [0, 1, 2].map(|number| build.join(format!("{number}.bmir")));
    let [first, second] = [first, second].map(|file| file.to_string_lossy().into_owned());
    for way in ways {
        let output = mir(&[&["run"], way, &[&first, &second]].concat(), &last);
        let messages = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.stdout, b"4336 4347 4358\n", "{way:?}: {messages}");
    }
}

/// A file with weak definitions of each kind, and weak imports: what it prints is told by where the
/// other one has a definition of the same name.
const WEAK: &str = r#"@line = private constant [7 x i8] c"%d %d\0A\00"
@counter = linkonce_odr global i32 5
@tentative = common global i32 0
@setting = weak global i32 1
@missing = extern_weak global i32
declare extern_weak i32 @absent(i32)
declare extern_weak i32 @present(i32)
declare i32 @printf(ptr, ...)
declare i32 @other()
define weak i32 @hook() {
  ret i32 10
}
define weak_odr i32 @same() {
  ret i32 4
}
define i32 @main() {
  %h = call i32 @hook()
  %s = load i32, ptr @setting
  %p0 = call i32 (ptr, ...) @printf(ptr @line, i32 %h, i32 %s)
  store i32 8, ptr @tentative
  %c = load i32, ptr @counter
  %c1 = add i32 %c, 1
  store i32 %c1, ptr @counter
  %o = call i32 @other()
  %c2 = load i32, ptr @counter
  %p1 = call i32 (ptr, ...) @printf(ptr @line, i32 %o, i32 %c2)
  %a = icmp eq ptr @absent, null
  %b = icmp eq ptr @missing, null
  %d = icmp eq ptr @present, null
  %az = zext i1 %a to i32
  %bz = select i1 %b, i32 2, i32 0
  %dz = select i1 %d, i32 4, i32 0
  %x = or i32 %az, %bz
  %y = or i32 %x, %dz
  br i1 %d, label %end, label %call
call:
  %q = call i32 @present(i32 20)
  %e = call i32 @same()
  %q2 = add i32 %q, %e
  br label %end
end:
  %z = phi i32 [ -1, %0 ], [ %q2, %call ]
  %p2 = call i32 (ptr, ...) @printf(ptr @line, i32 %y, i32 %z)
  ret i32 0
}
"#;

const STRONG: &str = r#"@counter = linkonce_odr global i32 5
@tentative = common global i32 0
@setting = global i32 77
define i32 @hook() {
  ret i32 33
}
define weak_odr i32 @same() {
  ret i32 4
}
define i32 @present(i32 %x) {
  %r = add i32 %x, 2
  ret i32 %r
}
define i32 @other() {
  %t = load i32, ptr @tentative
  %c = load i32, ptr @counter
  %c1 = mul i32 %c, 10
  store i32 %c1, ptr @counter
  %s = call i32 @same()
  %u = add i32 %t, %s
  ret i32 %u
}
"#;

/// The output of the two as `llc` compiles them and `ld` links them.
const OF_WEAK: &str = "33 77\n12 60\n3 26\n";

/// C with functions of half floats, more than there are registers for, and calls back.
const HALF_OF_C: &str = "\
typedef _Float16 half;
half twice(half x) { return x + x; }
half last(int n, half a, double b, half c, float d, half e, half f, half g, half h, half i, half j) {
    return n ? j + (half)d : a + (half)b;
}
half back(half (*f)(half, half), half x) { return f(x, (half)-4) + (half)0.5; }
";

const HALF: &str = r#"@line = private constant [4 x i8] c"%g\0A\00"
declare i32 @printf(ptr, ...)
declare half @twice(half)
declare half @last(i32, half, double, half, float, half, half, half, half, half, half)
declare half @back(ptr, half)
define internal void @print(half %x) {
  %d = fpext half %x to double
  %i = call i32 (ptr, ...) @printf(ptr @line, double %d)
  ret void
}
define half @product(half %x, half %y) {
  %a = fmul half %x, %y
  ret half %a
}
define i32 @main() {
  %a = call half @twice(half -3.0)
  call void @print(half %a)
  %b = call half @last(i32 1, half 1.0, double 2.5, half 2.0, float 3.25, half 4.0, half 8.0, half 16.0, half 32.0, half 0.5, half 0.25)
  call void @print(half %b)
  %c = call half @last(i32 0, half 1.0, double 2.5, half 2.0, float 3.25, half 4.0, half 8.0, half 16.0, half 32.0, half 0.5, half 0.25)
  call void @print(half %c)
  %d = call half @back(ptr @product, half 5.0)
  call void @print(half %d)
  ret i32 0
}
"#;

#[test]
fn half_floats_are_passed_as_in_c() {
    // The gcc of the other ISAs has no such type: the suite `import` asks clang there.
    if !is_native() || !["x86_64", "aarch64"].contains(&isa()) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_string_lossy().into_owned();
    fs::write(path("half.c"), HALF_OF_C).unwrap();
    fs::write(path("main.ll"), HALF).unwrap();
    let library = path("libhalf.so");
    let compiled = Command::new("cc")
        .args(["-O1", "-shared", "-fPIC", "-o", &library, &path("half.c")])
        .status();
    assert!(compiled.unwrap().success());
    for engine in ["--interp", "-O0", "-O2", "-O3"] {
        let output = mir(
            &["run", engine, "-l", &library],
            Path::new(&path("main.ll")),
        );
        let messages = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.stdout, b"-6\n3.5\n3.5\n-19.5\n", "{messages}");
    }
}

#[test]
fn data_of_objects_images_and_confined_programs_are_aligned() {
    let program = root().join("filetests/import/aligned.ll");
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_string_lossy().into_owned();
    let expected = "0\n9\n5\n";
    for engine in ["--interp", "--jit"] {
        let output = mir(&["run", "--confined", engine], &program);
        let messages = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.stdout, expected.as_bytes(), "{engine}: {messages}");
    }
    let image = path("aligned.mimg");
    let made = translate(&["image", "--target", isa(), "-o", &image], &program);
    assert!(made.status.success());
    let output = mir(&["run"], Path::new(&image));
    assert_eq!(output.stdout, expected.as_bytes());
    // The memory lies at a multiple of the largest alignment.
    let made = translate(&["image", "--distance", "4096"], &program);
    let messages = String::from_utf8_lossy(&made.stderr);
    assert!(messages.contains("no multiple of 65536"), "{messages}");
    if !is_native() {
        return;
    }
    let (object, executable) = (path("aligned.o"), path("aligned"));
    assert!(mir(&["obj", "-o", &object], &program).status.success());
    let mut linked = Command::new("cc");
    let linked = linked.args([&object, "-o", &executable]).status();
    assert!(linked.unwrap().success());
    let output = Command::new(&executable).output().unwrap();
    assert_eq!(output.stdout, expected.as_bytes());
}

#[test]
fn weak_definitions_give_way_and_weak_imports_are_null() {
    let directory = tempfile::tempdir().unwrap();
    let files = [("weak.ll", WEAK), ("strong.ll", STRONG)].map(|(name, text)| {
        let file = directory.path().join(name);
        fs::write(&file, text).unwrap();
        file.to_string_lossy().into_owned()
    });
    let [weak, strong] = &files;
    for (first, last) in [(weak, strong), (strong, weak)] {
        for way in [&["--interp"][..], &["--jit", "-O2"], &["--lazy-bb"]] {
            let output = mir(&[&["run"], way, &[first]].concat(), Path::new(last));
            let messages = String::from_utf8_lossy(&output.stderr);
            let found = String::from_utf8_lossy(&output.stdout);
            assert_eq!(found, OF_WEAK, "{way:?}: {messages}");
        }
    }
    // Alone it has what it defines itself.
    let rest = "define i32 @other() {\n  ret i32 1\n}\n";
    let alone = directory.path().join("alone.ll");
    fs::write(
        &alone,
        format!("{}{rest}", WEAK.replace("declare i32 @other()\n", "")),
    )
    .unwrap();
    let output = mir(&["run"], &alone);
    assert_eq!(output.stdout, b"10 1\n1 6\n7 -1\n");
}

#[test]
fn linkers_choose_among_weak_definitions_of_objects() {
    if !is_native() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_string_lossy().into_owned();
    for level in ["-O0", "-O2"] {
        for (name, text) in [("weak", WEAK), ("strong", STRONG)] {
            let file = path(&format!("{name}.ll"));
            fs::write(&file, text).unwrap();
            let object = path(&format!("{name}.o"));
            let output = mir(&["obj", level, "-o", &object], Path::new(&file));
            assert!(output.status.success());
        }
        for order in [["weak.o", "strong.o"], ["strong.o", "weak.o"]] {
            let program = path("program");
            let objects = order.map(path);
            let linked = Command::new("cc")
                .args(objects)
                .args(["-o", &program])
                .status();
            assert!(linked.unwrap().success());
            let output = Command::new(&program).output().unwrap();
            assert_eq!(output.stdout, OF_WEAK.as_bytes(), "{level} {order:?}");
        }
    }
}

/// A program that catches an exception, or would.
const CATCHING: &str = "\
declare i32 @__gxx_personality_v0(...)
define internal void @may_throw(ptr %p) noinline {
  %x = load volatile i32, ptr %p
  ret void
}
define i32 @main() personality ptr @__gxx_personality_v0 {
  %p = alloca i32
  invoke void @may_throw(ptr %p) to label %on unwind label %off
on:
  ret i32 0
off:
  %pad = landingpad { ptr, i32 } cleanup
  ret i32 1
}
";

#[test]
fn exceptions_of_confined_programs_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("program.ll");
    fs::write(&program, CATCHING).unwrap();
    let output = mir(&["run", "--confined"], &program);
    let messages = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{messages}");
    assert!(messages.contains("mir_try"), "{messages}");
    assert!(mir(&["run"], &program).status.success());
}

/// A program that ends with 1 if calls of a small function from one place return to one address,
/// and with 2 more if another place is told apart.
const CALLERS: &str = "
declare ptr @llvm.returnaddress(i32)
define internal ptr @here(i64 %n) {
  %r = call ptr @llvm.returnaddress(i32 0)
  ret ptr %r
}
define i32 @main() {
entry:
  br label %again
again:
  %n = phi i64 [ 3, %entry ], [ %less, %again ]
  %before = phi ptr [ null, %entry ], [ %here, %again ]
  %here = call ptr @here(i64 %n)
  %less = sub i64 %n, 1
  %ends = icmp eq i64 %less, 0
  br i1 %ends, label %end, label %again
end:
  %other = call ptr @here(i64 0)
  %same = icmp eq ptr %before, %here
  %differs = icmp ne ptr %other, %here
  %a = zext i1 %same to i32
  %b = zext i1 %differs to i32
  %c = shl i32 %b, 1
  %d = or i32 %a, %c
  ret i32 %d
}
";

#[test]
fn return_addresses_tell_callers_apart() {
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("program.ll");
    fs::write(&program, CALLERS).unwrap();
    let compiled: [&[&str]; 5] = [
        &["--jit", "-O0"],
        &["--jit", "-O2"],
        &["--jit", "-O3"],
        &["--lazy"],
        &["--lazy-bb"],
    ];
    let alike: [&[&str]; 3] = [
        &["--interp"],
        &["--confined"],
        &["--confined", "--jit", "-O3"],
    ];
    let ways = compiled.map(|way| (way, 3)).into_iter();
    for (way, status) in ways.chain(alike.map(|way| (way, 1))) {
        let output = mir(&[&["run"], way].concat(), &program);
        let messages = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{way:?}: {messages}");
    }
}

#[test]
fn unaligned_atomic_accesses_are_faults() {
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("program.ll");
    let text = "define i32 @main() {\n\
                  %a = alloca [4 x i64], align 16\n\
                  %p = getelementptr i8, ptr %a, i64 1\n\
                  store atomic i32 7, ptr %p seq_cst, align 1\n\
                  ret i32 0\n\
                }\n";
    fs::write(&program, text).unwrap();
    for engine in ["--interp", "--jit"] {
        let output = mir(&["run", engine], &program);
        let messages = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{engine}: {messages}");
        let told = "atomic access that is not aligned";
        assert!(messages.contains(told), "{engine}: {messages}");
    }
}

/// Two modules whose functions call each other by `musttail`, by name and by address, deeper than
/// any stack, with frames of their own.
const TAIL_CALLS: [&str; 2] = [
    "
declare i64 @other(i64, i64, double)
declare i32 @printf(ptr, ...)
@line = private constant [5 x i8] c\"%ld\\0A\\00\"
@place = global ptr @other
define i64 @one(i64 %n, i64 %sum, double %x) {
  %area = alloca [64 x i64]
  %at = and i64 %n, 63
  %p = getelementptr i64, ptr %area, i64 %at
  store volatile i64 %n, ptr %p
  %m = load volatile i64, ptr %p
  %s = add i64 %sum, %m
  %z = icmp eq i64 %n, 0
  br i1 %z, label %end, label %more
end:
  %i = fptosi double %x to i64
  %r = add i64 %s, %i
  ret i64 %r
more:
  %n1 = sub i64 %n, 1
  %odd = and i64 %n1, 1
  %is = icmp eq i64 %odd, 0
  br i1 %is, label %name, label %address
name:
  %a = musttail call i64 @other(i64 %n1, i64 %s, double %x)
  ret i64 %a
address:
  %f = load volatile ptr, ptr @place
  %b = musttail call i64 %f(i64 %n1, i64 %s, double %x)
  ret i64 %b
}
define i32 @main() {
  %r = call i64 @one(i64 2000000, i64 5, double 0.0)
  %ignored = call i32 (ptr, ...) @printf(ptr @line, i64 %r)
  ret i32 0
}
",
    "
declare i64 @one(i64, i64, double)
define i64 @other(i64 %n, i64 %sum, double %x) {
  %y = fadd double %x, 0.5
  %z = icmp eq i64 %n, 0
  br i1 %z, label %end, label %more
end:
  ret i64 %sum
more:
  %n1 = sub i64 %n, 1
  %r = musttail call i64 @one(i64 %n1, i64 %sum, double %y)
  ret i64 %r
}
",
];

#[test]
fn tail_calls_of_other_modules_take_no_stack() {
    // Every second number from 2,000,000 on, 5, and a half for each of the others.
    let expected = 1_000_000_i64 * 1_000_001 + 5 + 500_000;
    let directory = tempfile::tempdir().unwrap();
    let files = [0, 1].map(|number| directory.path().join(format!("part{number}.ll")));
    for (file, text) in files.iter().zip(TAIL_CALLS) {
        fs::write(file, text).unwrap();
    }
    let other = files[1].to_string_lossy();
    let ways: [&[&str]; 7] = [
        &["--interp"],
        &["--jit", "-O0"],
        &["--jit", "-O1"],
        &["--jit", "-O2"],
        &["--jit", "-O3", "--check-allocation"],
        &["--lazy"],
        &["--lazy-bb"],
    ];
    for way in ways {
        let output = mir(&[&["run"], way, &[&other]].concat(), &files[0]);
        let messages = String::from_utf8_lossy(&output.stderr);
        let printed = String::from_utf8_lossy(&output.stdout);
        assert_eq!(printed, format!("{expected}\n"), "{way:?}: {messages}");
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

/// A program that calls, through memory, one of its functions that take vectors as if it took none,
/// as native code would. With an argument it calls a native function as if that took vectors.
const VECTORS_FROM_ELSEWHERE: &str = r#"source_filename = "main.c"
@own_place = global ptr @own
@other_place = global ptr @puts
@text = internal constant [5 x i8] c"text\00"
declare i32 @puts(ptr)
define internal i32 @own(<4 x i32> %x) {
  ret i32 1
}
define i32 @main(i32 %count, ptr %words) {
  %o = call i32 @puts(ptr @text)
  %is_first = icmp eq i32 %count, 1
  br i1 %is_first, label %first, label %second
first:
  %own = load volatile ptr, ptr @own_place
  %a = call i32 %own(i32 5)
  ret i32 %a
second:
  %other = load volatile ptr, ptr @other_place
  %b = call i32 %other(<4 x i32> zeroinitializer)
  ret i32 %b
}
"#;

#[test]
fn vectors_that_come_from_elsewhere_end_the_program_with_function_and_line() {
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("program.ll");
    fs::write(&program, VECTORS_FROM_ELSEWHERE).unwrap();
    let cases: [(&[&str], &str); 2] = [
        (
            &[],
            "LLVM IR of main.c:6: own: Assertion `only functions of its own module call a function \
             that takes vectors or half floats'",
        ),
        (
            &["--", "more"],
            "LLVM IR of main.c:19: main: Assertion `what is called with vectors or half floats is \
             a function of this module and of that type'",
        ),
    ];
    let ways: [&[&str]; 3] = [&["--interp"], &["--jit", "-O0"], &["--jit", "-O2"]];
    for way in ways {
        for (given, told) in cases {
            let mut command = Command::new(&words()[0]);
            command.args(&words()[1..]).arg("run").args(way);
            let output = command.arg(&program).args(given).output().unwrap();
            let messages = String::from_utf8_lossy(&output.stderr);
            assert!(!output.status.success(), "{way:?} {given:?}");
            assert!(messages.contains(told), "{way:?} {given:?}: {messages}");
        }
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
fn a_text_for_another_target_is_refused() {
    let isa = if isa() == "s390x" { "x86_64" } else { "s390x" };
    let file = root().join("corpus/llvm-ir").join(isa).join("sum.O1.ll");
    assert_eq!(mir(&["run"], &file).status.code(), Some(1));
    let imported = mir(&["import", "--target", isa, "-o", "-"], &file);
    assert!(imported.status.success());
}
