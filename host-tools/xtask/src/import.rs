//! The C programs of `corpus/`, and random ones, through LLVM IR: compiled by clang for each ISA,
//! imported and run there. The former also go through LLVM's generic Machine IR, for the ISAs that
//! have it. Two files in C++ have objects of static life.

use core::time::Duration;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::ahead::{Check, Verdict, check, run_all};
use crate::command;
use crate::corpus;
use crate::isa::Isa;
use crate::libc;
use crate::runners;
use crate::workspace;

const LIMIT: Duration = Duration::from_secs(60);
const LEVELS: [&str; 4] = ["-O0", "-O1", "-O2", "-O3"];

/// The options of clang for every ISA: those that the expected output was made with, and for C++ no
/// need of its library.
const FLAGS: [&str; 8] = [
    "-w",
    "-S",
    "-emit-llvm",
    "-DSMALL",
    "-fsigned-char",
    "-ffp-contract=off",
    "-fno-exceptions",
    "-fno-threadsafe-statics",
];

/// Returns the options of clang for one ISA.
pub(crate) fn flags_of(isa: Isa) -> &'static [&'static str] {
    match isa.name() {
        "x86_64" => &["--target=x86_64-linux-gnu"],
        "aarch64" => &["--target=aarch64-linux-gnu"],
        "ppc64le" => &["--target=powerpc64le-linux-gnu"],
        "riscv64" => &["--target=riscv64-linux-gnu", "-march=rv64gc", "-mabi=lp64d"],
        _ => &["--target=s390x-linux-gnu", "-march=z13"],
    }
}

/// The directory in which csmith's package installs the headers of its programs.
pub(crate) const CSMITH_HEADERS: &str = "/usr/include/csmith";

/// Returns the number of random programs: fewer where they are emulated.
fn random_programs(isa: Isa) -> u32 {
    if isa.is_host() { 20 } else { 4 }
}

/// Returns the levels that a program is compiled at: on this machine all, on an emulated ISA one of
/// four, another one on each ISA and for the next program; of fewer levels some ISA takes each.
fn levels_of<'l>(
    levels: &'l [&'static str],
    isa: Isa,
    number: usize,
) -> impl Iterator<Item = &'static str> + 'l {
    let places = levels.iter().zip(isa.place() + number..);
    let chosen = places.filter(move |(_, place)| isa.is_host() || place.is_multiple_of(4));
    chosen.map(|(&level, _)| level)
}

/// The levels of clang from which generic Machine IR is generated.
const GENERIC_LEVELS: [&str; 2] = ["-O1", "-O2"];

/// The programs that LLVM's `irtranslator` gives up on `x86_64`: `byval` arguments, and functions
/// with variable arguments.
const NOT_GENERIC: [&str; 5] = [
    "f_longdouble",
    "f_structs",
    "f_vaedge",
    "f_varargs",
    "f_vascalar",
];

/// True if there is generic Machine IR of a program for an ISA.
fn has_generic(isa: Isa, program: &str) -> bool {
    match isa.name() {
        "x86_64" => !NOT_GENERIC.contains(&program),
        "aarch64" | "riscv64" => true,
        _ => false,
    }
}

/// Runs every C program of the corpus and the random ones at each level of clang; returns how many
/// passed and failed, and the messages of the failures.
pub(crate) fn run(isa: Isa) -> (usize, usize, String) {
    let host = Isa::all().find(|isa| isa.is_host()).unwrap_or(isa);
    let [own, here] = match [isa, host].map(runners::build_for_tests) {
        [Ok(own), Ok(here)] => [own, here],
        [Err(error), _] | [_, Err(error)] => return (0, 1, error),
    };
    let commands = Commands {
        own: &own,
        here: &here,
    };
    match checks(isa, commands) {
        Ok(checks) => run_all(&checks),
        Err(error) => (0, 1, error.to_string()),
    }
}

/// The `mir` of the ISA, and that of this machine.
#[derive(Clone, Copy)]
struct Commands<'m> {
    own: &'m Path,
    here: &'m Path,
}

impl Commands<'_> {
    /// Returns a file with the program in LLVM IR that `made` has, to be run more than once: under
    /// emulation importing takes longer than running, so it is done once, on this machine.
    fn import(&self, isa: Isa, made: &Path) -> Result<PathBuf, String> {
        if isa.is_host() {
            return Ok(made.to_owned());
        }
        let binary = made.with_extension("bmir");
        let mut import = Command::new(self.here);
        import.args(["import", "--target", isa.name()]).arg(made);
        succeeds(import.arg("-o").arg(&binary))?;
        Ok(binary)
    }
}

fn checks(isa: Isa, commands: Commands<'_>) -> std::io::Result<Vec<Check<'_>>> {
    let mir = commands.own;
    let corpus = workspace::root().join("corpus");
    let scratch = workspace::target().join("import").join(isa.name());
    fs::create_dir_all(&scratch)?;
    let mut checks = Vec::new();
    for (number, file) in (0..).zip(corpus::files(&corpus.join("c"), "c")?) {
        let expected = corpus::expected(&corpus, isa, &file)?;
        for level in levels_of(&LEVELS, isa, number) {
            let (file, expected) = (file.clone(), expected.clone());
            let made = scratch.join(format!("{}{level}.ll", corpus::stem(&file)));
            checks.push(check(move || {
                imported(isa, commands, level, &file, &made, &expected)
            }));
        }
        if !has_generic(isa, &corpus::stem(&file)) {
            continue;
        }
        for level in levels_of(&GENERIC_LEVELS, isa, number) {
            let (file, expected) = (file.clone(), expected.clone());
            let made = scratch.join(format!("{}{level}.generic.ll", corpus::stem(&file)));
            checks.push(check(move || {
                generic(isa, mir, level, &file, &made, &expected)
            }));
        }
    }
    for level in levels_of(&LEVELS, isa, 0) {
        let scratch = scratch.clone();
        let other = scratch.clone();
        checks.push(check(move || static_objects(isa, mir, level, &scratch)));
        checks.push(check(move || exceptions(isa, commands, level, &other)));
    }
    let native = scratch.join("native");
    checks.push(check(move || calls_of_native(isa, mir, &native)));
    for level in RUST_LEVELS {
        let scratch = scratch.clone();
        checks.push(check(move || panics(isa, commands, level, &scratch)));
    }
    if isa.is_host() {
        checks.push(check(move || libc::check(mir)));
    }
    for seed in 1..=random_programs(isa) {
        let made = scratch.join(format!("random{seed}.c"));
        checks.push(check(move || random(isa, commands, seed, &made)));
    }
    Ok(checks)
}

/// Compiles the two C++ files of `filetests/import/cxx` and runs them, with their objects of static
/// life: imported, interpreted and compiled, also with a call of `exit`, and as objects.
fn static_objects(isa: Isa, mir: &Path, level: &str, scratch: &Path) -> Verdict {
    let sources = workspace::root().join("filetests/import/cxx");
    let expected = fs::read(sources.join("expected.txt")).map_err(|error| error.to_string())?;
    let (mut imported, mut objects) = (Vec::new(), Vec::new());
    for name in ["main", "other"] {
        let (file, made) = (
            sources.join(format!("{name}.cpp")),
            scratch.join(format!("{name}{level}.cxx.ll")),
        );
        compile(isa, &[level], &file, &made)?;
        let object = made.with_extension("o");
        let mut obj = isa.command(mir);
        let output = command::run(obj.arg("obj").arg(&made).arg("-o").arg(&object), LIMIT);
        if !output.success {
            return Err(output.stderr);
        }
        imported.push(made);
        objects.push(object);
    }
    let program = scratch.join(format!("static{level}.exe"));
    let mut gcc = Command::new(isa.gcc());
    let output = command::run(gcc.args(&objects).arg("-o").arg(&program), LIMIT);
    if !output.success {
        return Err(output.stderr);
    }
    let says = |command: &mut Command, status: i32| says(command, &expected, status);
    says(&mut isa.command(&program), 0)?;
    says(isa.command(&program).arg("exit"), 3)?;
    for way in [&["--interp"][..], &["--jit", "-O2"]] {
        let run = || {
            let mut run = isa.command(mir);
            run.arg("run").args(way).args(&imported);
            run
        };
        says(&mut run(), 0)?;
        says(run().args(["--", "exit"]), 3)?;
    }
    Ok(())
}

/// The functions of `shorts.ll` without floats of 16 bits.
const NO_SHORTS: &str = "
define void @ours_short() {
  ret void
}
define void @ours_check_shorts(ptr %theirs) {
  ret void
}
";

/// Writes the LLVM IR of `filetests/import/native` into `scratch`: two sides, and before them the
/// program that lets them call each other. Returns each text, and the object that LLVM makes of it.
fn native_parts(isa: Isa, scratch: &Path) -> Result<Vec<(PathBuf, PathBuf)>, String> {
    let sources = workspace::root().join("filetests/import/native");
    let read = |name| fs::read_to_string(sources.join(name)).map_err(|error| error.to_string());
    let (main, side) = (read("main.ll")?, read("side.ll")?);
    let shorts = match isa.name() {
        // clang has no floats of 16 bits there.
        "ppc64le" => NO_SHORTS.to_owned(),
        _ => read("shorts.ll")?,
    };
    let side = side + &shorts;
    let swapped = side.replace("theirs_", "*").replace("ours_", "theirs_");
    let swapped = swapped.replace('*', "ours_");
    fs::create_dir_all(scratch).map_err(|error| error.to_string())?;
    let mut parts = Vec::new();
    for (name, text) in [("main", main), ("ours", side), ("theirs", swapped)] {
        let file = scratch.join(name).with_extension("ll");
        let object = file.with_extension("o");
        fs::write(&file, text).map_err(|error| error.to_string())?;
        let mut clang = Command::new("clang-22");
        clang.args(flags_of(isa)).args(["-w", "-O1", "-fPIC", "-c"]);
        succeeds(clang.arg(&file).arg("-o").arg(&object))?;
        parts.push((file, object));
    }
    Ok(parts)
}

/// Imports one side of `filetests/import/native`, while the other and the C file there are native:
/// they print what they print if all is native.
fn calls_of_native(isa: Isa, mir: &Path, scratch: &Path) -> Verdict {
    let c = workspace::root().join("filetests/import/native/native.c");
    let parts = native_parts(isa, scratch)?;
    let [(main, main_object), (ours, our_object), (_, their_object)] = &parts[..] else {
        return Err("there are three parts".into());
    };
    let [library, program, imported] =
        ["native.so", "native", "imported.o"].map(|name| scratch.join(name));
    let link = |options: &[&str], objects: &[&PathBuf], to: &Path| {
        let mut gcc = Command::new(isa.gcc());
        gcc.arg("-O1").args(options).arg(&c).args(objects);
        succeeds(gcc.arg("-o").arg(to))
    };
    link(&["-shared", "-fPIC"], &[their_object], &library)?;
    link(&[], &[main_object, our_object, their_object], &program)?;
    let native = command::run(&mut isa.command(&program), LIMIT);
    if !native.success {
        return Err(native.text());
    }
    for way in [&["--interp"][..], &["--jit", "-O0"], &["--jit", "-O2"]] {
        let mut run = isa.command(mir);
        run.arg("run").args(way).arg("-l").arg(&library);
        says(run.args([main, ours]), &native.stdout, 0)?;
    }
    let mut obj = isa.command(mir);
    succeeds(obj.args(["obj", "-O2"]).arg(ours).arg("-o").arg(&imported))?;
    link(&[], &[main_object, &imported, their_object], &program)?;
    says(&mut isa.command(&program), &native.stdout, 0)
}

/// Fails, with what it printed, unless a command succeeds.
fn succeeds(command: &mut Command) -> Verdict {
    let output = command::run(command, LIMIT);
    let told = || format!("{command:?}: {}", output.text());
    output.success.then_some(()).ok_or_else(told)
}

/// The ways in which `mir run` runs what throws.
const WAYS: [&[&str]; 6] = [
    &["--interp"],
    &["--jit", "-O0"],
    &["--jit", "-O1"],
    &["--jit", "-O2"],
    &["--jit", "-O3"],
    &[],
];

/// The levels of rustc.
const RUST_LEVELS: [&str; 2] = ["opt-level=0", "opt-level=2"];

/// Fails unless a command ends with a status and prints this.
fn says(command: &mut Command, expected: &[u8], status: i32) -> Verdict {
    let output = command::run(command, LIMIT);
    let is_right = output.stdout == expected && output.status == Some(status);
    let what = format!("{command:?}: {}", output.text());
    is_right.then_some(()).ok_or(what)
}

/// Returns the file of a library that the compiler of an ISA links with.
pub(crate) fn library(isa: Isa, name: &str) -> String {
    let mut gcc = Command::new(isa.gcc());
    gcc.arg(format!("-print-file-name={name}"));
    command::run(&mut gcc, LIMIT).text().trim().to_owned()
}

/// Compiles `filetests/import/exceptions/main.cpp` and runs it in all ways and as objects, also
/// with ends by exceptions that nothing catches.
fn exceptions(isa: Isa, commands: Commands<'_>, level: &str, scratch: &Path) -> Verdict {
    let sources = workspace::root().join("filetests/import/exceptions");
    let expected = fs::read(sources.join("expected.txt")).map_err(|error| error.to_string())?;
    let made = scratch.join(format!("exceptions{level}.ll"));
    compile(
        isa,
        &[level, "-fexceptions"],
        &sources.join("main.cpp"),
        &made,
    )?;
    let runtime = library(isa, "libstdc++.so.6");
    let ends = |program: &dyn Fn() -> Command| {
        says(&mut program(), &expected, 0)?;
        for end in ["never", "uncaught"] {
            let mut command = program();
            let output = command::run(command.arg(end), LIMIT);
            let told = "terminate called after throwing an instance of 'RangeError'";
            let started = output.stdout.starts_with(&expected);
            let no_destructor = !output.stdout.ends_with(b"-never ");
            if !(started && no_destructor && output.stderr.contains(told)) || output.success {
                return Err(format!("{command:?}: {}", output.text()));
            }
        }
        Ok(())
    };
    let imported = commands.import(isa, &made)?;
    for (number, way) in WAYS.into_iter().enumerate() {
        let program = if number == 0 { &made } else { &imported };
        ends(&|| {
            let mut run = isa.command(commands.own);
            run.arg("run").args(way).args(["-l", &runtime]);
            run.arg(program).arg("--");
            run
        })?;
    }
    for own in ["-O0", "-O3"] {
        let object = made.with_extension(format!("{own}.o"));
        let program = object.with_extension("exe");
        let mut obj = isa.command(commands.own);
        obj.args(["obj", own]).arg(&imported).arg("-o").arg(&object);
        let mut gcc = Command::new(isa.gcc());
        gcc.arg(&object).arg("-o").arg(&program).arg(&runtime);
        for command in [&mut obj, &mut gcc] {
            let output = command::run(command, LIMIT);
            if !output.success {
                return Err(output.stderr);
            }
        }
        ends(&|| isa.command(&program))?;
    }
    Ok(())
}

/// Compiles `filetests/import/exceptions/panics.rs` and runs it in all ways, with the standard
/// library as a shared one.
fn panics(isa: Isa, commands: Commands<'_>, level: &str, scratch: &Path) -> Verdict {
    let sources = workspace::root().join("filetests/import/exceptions");
    let expected = fs::read(sources.join("panics.txt")).map_err(|error| error.to_string())?;
    let made = scratch.join(format!("panics-{level}.ll"));
    let mut rustc = Command::new("rustc");
    rustc.args(["--target", isa.triple(), "--emit=llvm-ir"]);
    rustc.args(["-C", level, "-C", "codegen-units=1"]);
    rustc.args(["-C", "no-vectorize-loops", "-C", "no-vectorize-slp"]);
    rustc.arg(sources.join("panics.rs")).arg("-o").arg(&made);
    let output = command::run(&mut rustc, LIMIT);
    if !output.success {
        return Err(output.stderr);
    }
    let library = shared_std(isa)?;
    let run = |way: &[&str], program: &Path| {
        let mut run = isa.command(commands.own);
        run.arg("run")
            .args(way)
            .arg("-l")
            .arg(&library)
            .arg(program);
        run
    };
    let imported = commands.import(isa, &made)?;
    for (number, way) in WAYS.into_iter().enumerate() {
        let program = if number == 0 { &made } else { &imported };
        says(&mut run(way, program), &expected, 0)?;
    }
    for way in [WAYS[0], WAYS[3]] {
        says(
            run(way, &imported).args(["--", "uncaught"]),
            b"-deep -deep -main ",
            101,
        )?;
    }
    Ok(())
}

/// Returns the file of Rust's standard library as a shared one.
///
/// # Errors
/// Says that the toolchain has none for the ISA.
pub(crate) fn shared_std(isa: Isa) -> Result<PathBuf, String> {
    let mut rustc = Command::new("rustc");
    rustc.args(["--target", isa.triple(), "--print", "target-libdir"]);
    let folder = command::run(&mut rustc, LIMIT).text();
    let files = fs::read_dir(folder.trim()).map_err(|error| error.to_string())?;
    let mut names = files.flatten().map(|file| file.path());
    let is_std = |name: &PathBuf| {
        let name = name.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("libstd-") && name.ends_with(".so")
    };
    let library = names.find(is_std);
    library.ok_or_else(|| "rustc has no shared libstd".into())
}

/// Generates a random program, which prints a sum over its variables, and compares the imported
/// program with gcc's.
fn random(isa: Isa, commands: Commands<'_>, seed: u32, file: &Path) -> Verdict {
    let mut csmith = Command::new("csmith");
    csmith.args(["--seed", &seed.to_string(), "--max-funcs", "6"]);
    csmith
        .args(["--max-block-depth", "4", "--output"])
        .arg(file);
    // It writes a file on the machine into the folder that it runs in.
    csmith.current_dir(file.parent().unwrap_or(file));
    let program = file.with_extension("gcc");
    let mut gcc = Command::new(isa.gcc());
    gcc.args(["-w", "-O1", "-fsigned-char", "-I", CSMITH_HEADERS])
        .arg(file)
        .arg("-o")
        .arg(&program);
    for command in [&mut csmith, &mut gcc] {
        let output = command::run(command, LIMIT);
        if !output.success {
            return Err(format!("random program {seed}: {}", output.stderr));
        }
    }
    let expected = command::run(&mut isa.command(&program), LIMIT);
    if !expected.success {
        return Err(format!("random program {seed} made by gcc fails"));
    }
    for level in levels_of(&LEVELS, isa, seed as usize) {
        let made = file.with_extension(format!("{level}.ll"));
        imported(isa, commands, level, file, &made, &expected.stdout)?;
    }
    Ok(())
}

/// Programs whose loops allocate on the stack: clang 22's loop vectoriser has iterations that it
/// interleaves share one allocation, and its own code runs for ever (aarch64, ppc64le, s390x).
const ALLOCATES_IN_LOOPS: [&str; 1] = ["f_alloca"];

/// Compiles a program and runs its import, interpreted, and compiled where there is a backend.
fn imported(
    isa: Isa,
    commands: Commands<'_>,
    level: &str,
    file: &Path,
    made: &Path,
    expected: &[u8],
) -> Verdict {
    let mut options = vec![level];
    if ALLOCATES_IN_LOOPS.contains(&corpus::stem(file).as_str()) {
        options.push("-fno-vectorize");
    }
    compile(isa, &options, file, made)?;
    corpus::check(isa, commands.own, &["--interp"], made, expected)?;
    let imported = commands.import(isa, made)?;
    corpus::check(isa, commands.own, &["--jit", "-O2"], &imported, expected)
}

/// Compiles a program to generic Machine IR and runs its import, interpreted.
fn generic(
    isa: Isa,
    mir: &Path,
    level: &str,
    file: &Path,
    made: &Path,
    expected: &[u8],
) -> Verdict {
    let scalar = ["-fno-vectorize", "-fno-slp-vectorize"];
    compile(isa, &[&[level][..], &scalar].concat(), file, made)?;
    if isa.name() == "x86_64" {
        // LLVM's translator does not support `fastcc` there; the common convention serves caller
        // and callee as well.
        let text = fs::read_to_string(made).map_err(|error| error.to_string())?;
        let text = text.replace(" fastcc ", " ");
        fs::write(made, text).map_err(|error| error.to_string())?;
    }
    let translated = made.with_extension("mir");
    let mut llc = Command::new("llc-22");
    llc.args([
        level,
        "-global-isel",
        "-stop-after=irtranslator",
        "-simplify-mir",
    ])
    .arg(made)
    .arg("-o")
    .arg(&translated);
    let output = command::run(&mut llc, LIMIT);
    if !output.success {
        return Err(format!("llc {level} {}: {}", file.display(), output.stderr));
    }
    corpus::check(isa, mir, &["--interp"], &translated, expected)
}

/// Compiles a program to LLVM IR.
fn compile(isa: Isa, options: &[&str], file: &Path, made: &Path) -> Verdict {
    let mut clang = Command::new("clang-22");
    clang
        .args(FLAGS)
        .args(flags_of(isa))
        .args(["-I", CSMITH_HEADERS])
        .args(options)
        .arg(file)
        .arg("-o")
        .arg(made);
    let output = command::run(&mut clang, LIMIT);
    if output.success {
        return Ok(());
    }
    Err(format!(
        "clang {options:?} {}: {}",
        file.display(),
        output.stderr
    ))
}
