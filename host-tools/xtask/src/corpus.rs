//! Runs every program of `corpus/` through `mir run`, from text, from binary and compiled; the
//! output must be exactly that in the file beside it.

use core::time::Duration;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command;
use crate::isa::{Isa, OTHER_BYTE_ORDER};
use crate::parallel;
use crate::report::Counts;
use crate::suites::Depth;
use crate::workspace;

const LIMIT: Duration = Duration::from_secs(120);
const SHOWN_FAILURES: usize = 20;
/// One of so many random programs runs in a quick run of an emulated ISA, and in kernels.
const RANDOM_SHARE: usize = 4;

/// The random programs whose output depends on byte order (corpus/README.md).
const LITTLE_ENDIAN_ONLY: [&str; 12] = [
    "1009", "1011", "1013", "1014", "1017", "1046", "1060", "1063", "1065", "1066", "1069", "1071",
];

/// A program file and its expected output.
pub(crate) struct Program {
    pub(crate) file: PathBuf,
    pub(crate) expected: Vec<u8>,
    /// True if it is also run in the other form, binary for text and text for binary, made by `mir`
    /// itself.
    convert: bool,
    /// True if it also runs confined: it needs no more than the C library of such programs.
    pub(crate) confine: bool,
    kind: Kind,
}

/// The kind of a program, by which it is compiled on an emulated ISA; on this machine each is
/// compiled in every way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A program with its number: it is compiled in every other way, in those between them on the
    /// ISAs beside it and for the next program.
    Own(usize),
    /// The text of a program whose binary is `Own`, with its number: it is read and interpreted, on
    /// each ISA with the usual byte order that is emulated a quarter of them.
    Text(usize),
    /// One of many random programs, with its number: it is compiled in every fourth way, so that
    /// each way compiles a quarter of them. Of the ISAs with the usual byte order that are emulated
    /// each runs a third of them.
    Random(usize),
}

/// Runs the corpus of `isa` with its command `mir`; returns how many passed and failed, and the
/// messages of the failures.
pub(crate) fn run(isa: Isa, mir: &Path, depth: Depth) -> Counts {
    let programs = match list(isa) {
        Ok(programs) => of_depth(programs, isa, depth),
        Err(error) => return (0, 1, format!("corpus: {error}")),
    };
    let scratch = workspace::target().join("corpus").join(isa.name());
    if let Err(error) = fs::create_dir_all(&scratch) {
        return (0, 1, format!("{}: {error}", scratch.display()));
    }
    let outcomes = parallel::on_all(programs, |program| {
        both_forms(isa, mir, depth, &program, &scratch)
    });
    let mut results = outcomes.concat();
    if isa.is_host() && depth == Depth::Full {
        results.extend(long_function(isa, mir, &scratch));
    }
    let failures: Vec<String> = results
        .iter()
        .filter_map(|result| result.as_ref().err().cloned())
        .collect();
    let shown = failures[..failures.len().min(SHOWN_FAILURES)].concat();
    (results.len() - failures.len(), failures.len(), shown)
}

fn both_forms(
    isa: Isa,
    mir: &Path,
    depth: Depth,
    program: &Program,
    scratch: &Path,
) -> Vec<Result<(), String>> {
    let mut outcomes = vec![check(
        isa,
        mir,
        &["--interp"],
        &program.file,
        &program.expected,
    )];
    for (engine, level) in ways(isa, depth, program.kind) {
        let way = [engine, level, "--check-allocation"];
        outcomes.push(check(isa, mir, &way, &program.file, &program.expected));
    }
    if program.confine {
        let proven = ["--jit", "-O2", "--check-allocation", "--check-confinement"];
        let ways: [&[&str]; 2] = [&["--interp"], &proven];
        for way in ways {
            let way = [&["--confined"], way].concat();
            outcomes.push(check(isa, mir, &way, &program.file, &program.expected));
        }
    }
    if program.convert && depth == Depth::Full {
        let converted = convert(isa, mir, &program.file, scratch);
        outcomes.push(
            converted.and_then(|file| check(isa, mir, &["--interp"], &file, &program.expected)),
        );
    }
    outcomes
}

/// Checks that a function of a million instructions compiles, and prints the same as when it is
/// interpreted.
fn long_function(isa: Isa, mir: &Path, scratch: &Path) -> Vec<Result<(), String>> {
    let mut text = String::from(
        "m: module\nimport printf\np: proto i32, p:format, ...\nmain: func i32\n\
         local i64:a, i64:b, i64:c, i64:n\nmov n, 3\nmov a, 1\nmov b, 2\nagain: mov c, n\n",
    );
    for number in 0..250_000 {
        text += &format!(
            "add a, a, b\nxor b, b, {number}\nl{number}: sub c, c, a\nbgt l{number}, c, 0\n"
        );
    }
    text += "sub n, n, 1\nbgt again, n, 0\ncall p, printf, n, \"%ld %ld %ld\\n\", a, b, c\nret 0\n\
             endfunc\nexport main\nendmodule\n";
    let file = scratch.join("long-function.mir");
    if let Err(error) = fs::write(&file, text) {
        return vec![Err(format!("{}: {error}\n", file.display()))];
    }
    let interpreted = command::run(isa.command(mir).args(["run", "--interp"]).arg(&file), LIMIT);
    let ways = [["--jit", "-O0"], ["--jit", "-O2"], ["--lazy-bb", "-O0"]];
    let outcomes = ways.map(|way| check(isa, mir, &way, &file, &interpreted.stdout));
    let is_there = match interpreted.stdout.len() {
        0 => Err("the long function wrote nothing\n".into()),
        _ => Ok(()),
    };
    outcomes.into_iter().chain([is_there]).collect()
}

/// Returns when and at which levels a program is compiled.
fn ways(isa: Isa, depth: Depth, kind: Kind) -> Vec<(&'static str, &'static str)> {
    const EVERYWHERE: [(&str, &str); 4] = [
        ("--jit", "-O0"),
        ("--lazy", "-O1"),
        ("--jit", "-O2"),
        ("--lazy-bb", "-O2"),
    ];
    const HERE: [(&str, &str); 3] = [("--jit", "-O3"), ("--lazy", "-O2"), ("--lazy-bb", "-O0")];
    let one_of = |count: usize, number: usize| {
        let first = (number + isa.place()) % count;
        EVERYWHERE
            .iter()
            .skip(first)
            .step_by(count)
            .copied()
            .collect()
    };
    match (isa.is_host(), depth, kind) {
        (false, _, Kind::Text(_)) => Vec::new(),
        (_, Depth::Quick, _) => vec![("--jit", "-O2")],
        (true, ..) => [&EVERYWHERE[..], &HERE].concat(),
        (false, _, Kind::Own(number)) => one_of(2, number),
        (false, _, Kind::Random(number)) => one_of(4, number),
    }
}

pub(crate) fn check(
    isa: Isa,
    mir: &Path,
    way: &[&str],
    file: &Path,
    expected: &[u8],
) -> Result<(), String> {
    let outcome = command::run(isa.command(mir).arg("run").args(way).arg(file), LIMIT);
    let is_whole = !outcome.stderr.contains("is interpreted");
    if outcome.success && outcome.stdout == expected && is_whole {
        return Ok(());
    }
    let what = if outcome.stdout == expected {
        "output right, but:"
    } else {
        "wrong output"
    };
    let said: String = outcome
        .stderr
        .lines()
        .take(6)
        .map(|line| format!("        {line}\n"))
        .collect();
    let way = way.join(" ");
    Err(format!("    {way} {}: {what}\n{said}", file.display()))
}

/// Returns the other form of `file`: the output of `mir asm` for text and of `mir dis` for binary.
fn convert(isa: Isa, mir: &Path, file: &Path, scratch: &Path) -> Result<PathBuf, String> {
    let is_text = file.extension().is_some_and(|extension| extension == "mir");
    let (verb, extension) = if is_text {
        ("asm", "bmir")
    } else {
        ("dis", "mir")
    };
    let made = scratch
        .join(file.file_name().unwrap_or_default())
        .with_extension(extension);
    let mut command: Command = isa.command(mir);
    let outcome = command::run(command.arg(verb).arg(file).arg("-o").arg(&made), LIMIT);
    if outcome.success {
        Ok(made)
    } else {
        Err(format!("    {} {verb}: {}", file.display(), outcome.stderr))
    }
}

/// Returns the programs of a run of this depth. A quick one has some of the random programs where
/// they are emulated, and runs programs confined on this machine and in the other byte order.
fn of_depth(mut programs: Vec<Program>, isa: Isa, depth: Depth) -> Vec<Program> {
    if isa.is_host() {
        return programs;
    }
    let is_other_order = isa.name() == OTHER_BYTE_ORDER;
    if depth == Depth::Quick {
        programs = with_few_random(programs);
        { programs.iter_mut() }.for_each(|program| program.confine &= is_other_order);
    }
    if !is_other_order {
        keep_share(&mut programs, isa);
    }
    programs
}

/// Leaves to the two machines that stand for the byte orders most of the reading and writing of
/// texts, and to the ISAs beside this one two thirds of the random programs.
fn keep_share(programs: &mut Vec<Program>, isa: Isa) {
    let is_chosen = |number: usize, share| (number + isa.place()).is_multiple_of(share);
    programs.retain(|program| match program.kind {
        Kind::Own(_) => true,
        Kind::Text(number) => is_chosen(number, 4),
        Kind::Random(number) => is_chosen(number, 3),
    });
    programs
        .iter_mut()
        .for_each(|program| program.convert = false);
}

/// Returns the programs, of the random ones a share.
pub(crate) fn with_few_random(mut programs: Vec<Program>) -> Vec<Program> {
    let mut random = 0;
    programs.retain(|program| {
        let is_random = matches!(program.kind, Kind::Random(_));
        random += usize::from(is_random);
        !is_random || random % RANDOM_SHARE == 0
    });
    programs
}

/// Returns every program that `isa` can run.
pub(crate) fn list(isa: Isa) -> std::io::Result<Vec<Program>> {
    let corpus = workspace::root().join("corpus");
    let mut programs = compiled(&corpus, isa)?;
    programs.extend(handwritten(&corpus, isa)?);
    programs.extend(of_file_tests()?);
    programs.extend(random(&corpus, isa)?);
    Ok(programs)
}

/// Returns the C programs compiled for `isa`, in both forms.
fn compiled(corpus: &Path, isa: Isa) -> std::io::Result<Vec<Program>> {
    let mut programs = Vec::new();
    for (form, extension) in [("mir", "mir"), ("bmir", "bmir")] {
        let all = files(&corpus.join(form).join(isa.name()), extension)?;
        for (number, file) in all.into_iter().enumerate() {
            let expected = expected(corpus, isa, &file)?;
            programs.push(Program {
                file,
                expected,
                convert: false,
                confine: extension == "bmir",
                kind: match extension {
                    "bmir" => Kind::Own(number),
                    _ => Kind::Text(number),
                },
            });
        }
    }
    Ok(programs)
}

/// Returns the expected output of the program compiled from a C source.
pub(crate) fn expected(corpus: &Path, isa: Isa, file: &Path) -> std::io::Result<Vec<u8>> {
    let name = format!("{}.txt", stem(file));
    let own = corpus.join("expected").join(isa.name()).join(&name);
    let common = corpus.join("expected").join(&name);
    fs::read(if own.exists() { own } else { common })
}

/// Returns the programs written by hand; those whose name ends in an ISA's name are for that one
/// alone.
fn handwritten(corpus: &Path, isa: Isa) -> std::io::Result<Vec<Program>> {
    let mut programs = Vec::new();
    let all = files(&corpus.join("handwritten"), "mir")?;
    for (number, file) in all.into_iter().enumerate() {
        let mut others = Isa::all().filter(|other| *other != isa);
        if others.any(|other| stem(&file).ends_with(&format!("_{}", other.name()))) {
            continue;
        }
        let expected = fs::read(file.with_extension("expected"))?;
        programs.push(Program {
            file,
            expected,
            convert: true,
            confine: false,
            kind: Kind::Own(number),
        });
    }
    Ok(programs)
}

/// Returns the whole programs among the file tests, which need no more than the C library that
/// every kernel has.
fn of_file_tests() -> std::io::Result<Vec<Program>> {
    let mut programs = Vec::new();
    let all = files(&workspace::root().join("filetests/programs"), "mir")?;
    for (number, file) in all.into_iter().enumerate() {
        let expected = fs::read(file.with_extension("expected"))?;
        programs.push(Program {
            file,
            expected,
            convert: true,
            confine: true,
            kind: Kind::Own(number),
        });
    }
    Ok(programs)
}

/// Returns the random programs and their checksums.
fn random(corpus: &Path, isa: Isa) -> std::io::Result<Vec<Program>> {
    let sums = fs::read_to_string(corpus.join("csmith/checksums.txt"))?;
    let seeds = sums.lines().filter_map(|line| line.split_once(' '));
    let fit = seeds.filter(|(seed, _)| isa.name() != "s390x" || !LITTLE_ENDIAN_ONLY.contains(seed));
    Ok(fit
        .map(|(seed, sum)| Program {
            file: corpus.join("csmith").join(format!("{seed}.bmir")),
            expected: format!("checksum = {}\n", sum.trim()).into_bytes(),
            convert: true,
            confine: false,
            kind: Kind::Random(seed.parse().unwrap_or(0)),
        })
        .collect())
}

/// Returns the files of a directory with this extension, in order.
pub(crate) fn files(directory: &Path, extension: &str) -> std::io::Result<Vec<PathBuf>> {
    let entries: Result<Vec<_>, _> = fs::read_dir(directory)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect();
    let mut files = entries?;
    files.retain(|file| file.extension().is_some_and(|found| found == extension));
    files.sort();
    Ok(files)
}

pub(crate) fn stem(file: &Path) -> String {
    file.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
