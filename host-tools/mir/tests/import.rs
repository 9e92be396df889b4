//! Programs in LLVM IR and generic Machine IR through the command: `filetests/import`, `corpus/llvm-ir`, `corpus/llvm-mir`.
//!
//! A file of `filetests/import` says what it prints, in lines `; out: TEXT`, or what is wrong with it, in lines
//! `; error: LINE:COLUMN: TEXT`. What programs print was printed by the code that LLVM itself makes of them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
#[path = "../../llvm-mir/tests/common/mod.rs"]
mod machine_ir;

use common::words;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// The ISAs for which generic Machine IR comes in.
const GENERIC_ISAS: [&str; 3] = ["aarch64", "riscv64", "x86_64"];

/// How many files `corpus/llvm-mir` has of what LLVM's `irtranslator` makes for them.
const GENERIC_FILES: usize = 66;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn mir(arguments: &[&str], file: &Path) -> Output {
    let mut command = Command::new(&words()[0]);
    command.args(&words()[1..]).args(arguments).arg(file);
    command.output().unwrap()
}

/// The files of a directory whose names end so.
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

/// What follows a word at the start of lines.
fn lines_after<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    text.lines()
        .filter_map(|line| line.strip_prefix(word))
        .collect()
}

/// The program prints what it must, interpreted from LLVM IR, and as Medium IR in text and binary.
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
    let isa = match std::env::consts::ARCH {
        "powerpc64" => "ppc64le",
        arch => arch,
    };
    let table = fs::read_to_string(corpus.join("expected-exit.tsv")).unwrap();
    let mut count = 0;
    for row in table.lines().skip(1) {
        let (name, status) = row.split_once('\t').unwrap();
        for level in ["O0", "O1"] {
            let file = corpus.join(isa).join(format!("{name}.{level}.ll"));
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

/// Those of `corpus/llvm-mir`, written out once.
fn generic_files() -> &'static [Generic] {
    static FILES: OnceLock<Vec<Generic>> = OnceLock::new();
    FILES.get_or_init(write_generic_files)
}

fn write_generic_files() -> Vec<Generic> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("generic");
    let mut files = Vec::new();
    for (path, bytes) in machine_ir::files() {
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
        // One program is functions alone.
        let Some((_, wanted)) = rows.find(|(name, _)| name == program) else {
            continue;
        };
        if isa == std::env::consts::ARCH {
            let output = mir(&["run", "--interp"], file);
            let status = output.status.code().map(|status| status.to_string());
            let messages = String::from_utf8_lossy(&output.stderr);
            let name = file.display();
            assert_eq!(status.as_deref(), Some(wanted), "{name}: {messages}");
        }
    }
}

#[test]
fn a_text_for_another_target_is_refused() {
    let isa = if std::env::consts::ARCH == "s390x" {
        "x86_64"
    } else {
        "s390x"
    };
    let file = root().join("corpus/llvm-ir").join(isa).join("sum.O1.ll");
    assert_eq!(mir(&["run"], &file).status.code(), Some(1));
    let imported = mir(&["import", "--target", isa, "-o", "-"], &file);
    assert!(imported.status.success());
}
