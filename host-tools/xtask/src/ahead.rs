//! Programs compiled ahead of time on this machine for each ISA: linked by the ISA's gcc and run,
//! and their Machine IR judged by LLVM, if it is installed.

use core::time::Duration;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{self, Outcome};
use crate::corpus;
use crate::isa::{Cpu, Isa};
use crate::last_uses;
use crate::parallel;
use crate::runners;
use crate::workspace;

pub(crate) const LIMIT: Duration = Duration::from_secs(120);
const LEVELS: [&str; 4] = ["-O0", "-O1", "-O2", "-O3"];
/// The levels at which LLVM judges: the simplest and the best.
const JUDGED_LEVELS: [&str; 2] = ["-O0", "-O3"];
/// The stages after which LLVM's verifier accepts the printed code.
const STAGES: [&str; 3] = ["select", "allocate", "frame"];

/// The stages after which the last uses are those that LLVM finds: of virtual registers, then of
/// physical ones.
const MARKS: [&str; 3] = ["select", "allocate", "frame"];

/// The stages before selection, and the level of each, after which LLVM compiles the printed code:
/// the result of translation alone, and that of all optimisations.
const GENERIC: [(&str, &str); 2] = [("-O1", "translate"), ("-O2", "jump-threading")];
/// The ISAs for which LLVM has `GlobalISel`.
const GENERIC_ISAS: [&str; 3] = ["aarch64", "riscv64", "x86_64"];

/// The result of a check of a program: nothing, or what is wrong.
pub(crate) type Verdict = Result<(), String>;

/// The ISA whose own command must write the objects that this machine's writes: its byte order is
/// the opposite one.
pub(crate) const OTHER_HOST: &str = "s390x";

/// The programs that it compiles for every ISA: floats and their constants, long doubles,
/// initialised data, jump tables.
const FROM_BOTH_HOSTS: [&str; 4] = ["f_ldprint", "f_statics", "f_switch", "nbody"];

/// Links and runs objects of the corpus and of `filetests/objects`, and checks that hosts of both
/// byte orders write the same.
pub(crate) fn objects(isa: Isa) -> (usize, usize, String) {
    suite(isa, "objects", |mir, scratch| {
        let mut checks = of_corpus(isa, mir, scratch)?;
        if isa.name() == OTHER_HOST {
            checks.extend(from_both_hosts(isa, mir, scratch)?);
        }
        if isa.name() == "aarch64" {
            for level in LEVELS {
                checks.push(check(move || insists_on_pads(isa, mir, scratch, level)));
            }
        }
        checks.extend(of_file_tests(isa, mir, scratch)?);
        Ok(checks)
    })
}

/// Returns the checks of the corpus: each program prints what it should, at each level and for each
/// processor.
fn of_corpus<'a>(isa: Isa, mir: &'a Path, scratch: &'a Path) -> Result<Vec<Check<'a>>, String> {
    let mut checks = Vec::new();
    for program in corpus::list(isa).map_err(|error| error.to_string())? {
        if !is_binary_corpus(&program.file) {
            continue;
        }
        for level in LEVELS {
            let (file, expected) = (program.file.clone(), program.expected.clone());
            checks.push(check(move || {
                let made = make(isa, mir, scratch, &[level], &file, None)?;
                let outcome = command::run(&mut isa.command(&made), LIMIT);
                let what = format!("{level} {}", file.display());
                same(&outcome.stdout, &expected, &what)
            }));
        }
        for cpu in isa.cpus() {
            let (file, expected) = (program.file.clone(), program.expected.clone());
            checks.push(check(move || {
                runs_on(isa, *cpu, mir, scratch, &file, &expected)
            }));
        }
    }
    Ok(checks)
}

/// Returns the checks of `filetests/objects`: each program, linked with the C file beside it,
/// prints what it should and ends with the right status, at each level.
fn of_file_tests<'a>(isa: Isa, mir: &'a Path, scratch: &'a Path) -> Result<Vec<Check<'a>>, String> {
    let mut checks = Vec::new();
    let own = workspace::root().join("filetests/objects");
    for file in corpus::files(&own, "mir").map_err(|error| error.to_string())? {
        let expected = fs::read(file.with_extension("expected"));
        let expected = expected.map_err(|error| error.to_string())?;
        for level in LEVELS {
            let (file, expected) = (file.clone(), expected.clone());
            checks.push(check(move || {
                let c = Some(file.with_extension("c"));
                let made = make(isa, mir, scratch, &[level], &file, c)?;
                let outcome = command::run(&mut isa.command(&made), LIMIT);
                let what = format!("{level} {}", file.display());
                says(&outcome, &expected, &what)
            }));
        }
        for cpu in isa.cpus().iter().filter(|_| !isa.is_host()) {
            let (file, expected) = (file.clone(), expected.clone());
            checks.push(check(move || {
                let c = Some(file.with_extension("c"));
                let options = ["-O3", "--cpu", cpu.name];
                let made = make(isa, mir, scratch, &options, &file, c)?;
                let what = format!("{} on {}", file.display(), cpu.name);
                says(&on_model(isa, &made, cpu.name), &expected, &what)?;
                needs(isa, *cpu, &made, &file)
            }));
        }
    }
    Ok(checks)
}

/// Checks what a file test printed, and its status after that.
fn says(outcome: &Outcome, expected: &[u8], what: &str) -> Verdict {
    let status = outcome.status.unwrap_or(-1);
    let said = format!("{}status {status}\n", outcome.text());
    same(said.as_bytes(), expected, what)
}

/// Checks that a program compiled for a processor runs there and prints the expected output; one
/// that uses the instructions of that processor alone must not run on the base of the ISA.
fn runs_on(
    isa: Isa,
    cpu: Cpu,
    mir: &Path,
    scratch: &Path,
    file: &Path,
    expected: &[u8],
) -> Verdict {
    if isa.is_host() {
        return Ok(());
    }
    let options = ["-O3", "--cpu", cpu.name];
    let made = make(isa, mir, scratch, &options, file, None)?;
    let what = format!("{} on {}", file.display(), cpu.name);
    let outcome = on_model(isa, &made, cpu.name);
    same(&outcome.stdout, expected, &what)?;
    needs(isa, cpu, &made, file)
}

/// Runs a program on a processor that QEMU emulates.
fn on_model(isa: Isa, made: &Path, model: &str) -> Outcome {
    command::run(isa.command(made).env("QEMU_CPU", model), LIMIT)
}

/// Checks that the program which uses instructions of a processor does not run without them.
fn needs(isa: Isa, cpu: Cpu, made: &Path, file: &Path) -> Verdict {
    let is_needed = file.file_stem().is_some_and(|stem| stem == cpu.needed_by);
    if is_needed && on_model(isa, made, cpu.without).success {
        let file = file.display();
        return Err(format!(
            "{file} on {} runs without its instructions",
            cpu.name
        ));
    }
    Ok(())
}

/// Checks that the command of the ISA itself, emulated, writes the objects that this machine's
/// writes, for all ISAs.
fn from_both_hosts<'a>(
    isa: Isa,
    mir: &'a Path,
    scratch: &'a Path,
) -> Result<Vec<Check<'a>>, String> {
    let theirs = runners::build_for_tests(isa)?;
    let mut checks = Vec::new();
    for target in Isa::all() {
        for program in FROM_BOTH_HOSTS {
            let theirs = theirs.clone();
            checks.push(check(move || {
                let corpus = workspace::root().join("corpus/bmir").join(target.name());
                let file = corpus.join(program).with_extension("bmir");
                let [here, there] = ["here", "there"].map(|host| {
                    let name = format!("{program}-{}", target.name());
                    scratch.join(name).with_extension(host)
                });
                obj(target, mir, &["-O3"], &file, &here)?;
                let mut command = isa.command(&theirs);
                command.args(["obj", "-O3", "--target", target.name()]);
                command::succeed(command.arg(&file).arg("-o").arg(&there), LIMIT)?;
                let read = |file: &Path| {
                    fs::read(file).map_err(|error| format!("{}: {error}", file.display()))
                };
                let what = format!("{}, written on {},", file.display(), isa.name());
                same(&read(&there)?, &read(&here)?, &what)
            }));
        }
    }
    Ok(checks)
}

/// Checks that a program whose pages enforce landing pads runs with them, and not without them
/// under QEMU, which enforces them.
fn insists_on_pads(isa: Isa, mir: &Path, scratch: &Path, level: &str) -> Verdict {
    let sources = workspace::root()
        .join("filetests/objects/pads")
        .join(isa.name());
    for (option, name) in [(Some("--landing-pads"), "pads"), (None, "none")] {
        let [object, made] =
            ["o", "exe"].map(|extension| scratch.join(format!("{name}{level}.{extension}")));
        let mut command = Command::new(mir);
        command.args(["obj", level, "--target", isa.name()]);
        command.args(option).arg(sources.with_extension("mir"));
        command::succeed(command.arg("-o").arg(&object), LIMIT)?;
        let mut gcc = Command::new(isa.gcc());
        gcc.args(["-static", "-nostdlib", "-Wl,-z,noexecstack"]);
        // If all objects say that they have pads, the linker marks the program by itself.
        gcc.args(option.is_none().then_some("-Wl,-z,force-bti"));
        gcc.arg(sources.with_extension("S")).arg(&object);
        command::succeed(gcc.arg("-o").arg(&made), LIMIT)?;
        let status = command::run(&mut isa.command(&made), LIMIT).status;
        let runs = status == Some(PADS_STATUS);
        if runs != option.is_some() && (option.is_some() || !isa.is_host()) {
            return Err(format!("{level} {name}: status {status:?}"));
        }
    }
    Ok(())
}

/// The exit status of the program in `filetests/objects/pads`: 5 + 9 + 11 + 4.
const PADS_STATUS: i32 = 29;

/// Has LLVM judge the output of `mir machine` for the corpus: accepted after each stage, with last
/// uses marked where LLVM marks them, and encoded to the same bytes. For the ISAs with `GlobalISel`
/// LLVM also compiles the code printed before selection.
pub(crate) fn llvm(isa: Isa) -> (usize, usize, String) {
    suite(isa, "llvm", |mir, scratch| {
        let mut checks = of_atomics(isa, mir, scratch);
        for program in corpus::list(isa).map_err(|error| error.to_string())? {
            if !is_binary_corpus(&program.file) {
                continue;
            }
            for level in JUDGED_LEVELS {
                for stage in STAGES {
                    let file = program.file.clone();
                    checks.push(check(move || {
                        accepted(isa, mir, scratch, level, stage, &file)
                    }));
                }
                let file = program.file.clone();
                checks.push(check(move || {
                    encoded_alike(isa, mir, scratch, level, None, &file)
                }));
                for marks in MARKS {
                    let file = program.file.clone();
                    checks.push(check(move || {
                        marked(isa, mir, scratch, level, marks, &file)
                    }));
                }
            }
            for cpu in isa.cpus() {
                let file = program.file.clone();
                checks.push(check(move || {
                    encoded_alike(isa, mir, scratch, "-O3", Some(*cpu), &file)
                }));
            }
            if !GENERIC_ISAS.contains(&isa.name()) {
                continue;
            }
            for (level, stage) in GENERIC {
                let (file, expected) = (program.file.clone(), program.expected.clone());
                checks.push(check(move || {
                    let made = made_by_llvm(isa, mir, scratch, (level, stage), &file)?;
                    let outcome = command::run(&mut isa.command(&made), LIMIT);
                    let what = format!("{level} {} by LLVM after {stage}", file.display());
                    same(&outcome.stdout, &expected, &what)
                }));
            }
        }
        Ok(checks)
    })
}

/// Returns the checks that LLVM encodes atomic instructions alike, for each processor: no program
/// of the corpus has any.
fn of_atomics<'a>(isa: Isa, mir: &'a Path, scratch: &'a Path) -> Vec<Check<'a>> {
    let cpus = isa.cpus().iter().copied().map(Some);
    let alike = |cpu| {
        let file = workspace::root().join("filetests/run/atomics.mir");
        check(move || encoded_alike(isa, mir, scratch, "-O3", cpu, &file))
    };
    core::iter::once(None).chain(cpus).map(alike).collect()
}

/// True if a program of the corpus is C compiled to binary for the ISA.
pub(crate) fn is_binary_corpus(file: &Path) -> bool {
    file.components().any(|part| part.as_os_str() == "bmir")
}

pub(crate) type Check<'a> = Box<dyn Fn() -> Verdict + Send + Sync + 'a>;

pub(crate) fn check<'a>(run: impl Fn() -> Verdict + Send + Sync + 'a) -> Check<'a> {
    Box::new(run)
}

/// Builds the command, collects checks, and runs them on all processors.
pub(crate) fn suite(
    isa: Isa,
    name: &str,
    collect: impl for<'a> FnOnce(&'a Path, &'a Path) -> Result<Vec<Check<'a>>, String>,
) -> (usize, usize, String) {
    let host = Isa::all().find(|isa| isa.is_host());
    let mir = match host.map(runners::build_for_tests) {
        Some(Ok(mir)) => mir,
        Some(Err(error)) => return (0, 1, error),
        None => return (0, 1, "no ISA of this machine's".into()),
    };
    let scratch = workspace::target().join(name).join(isa.name());
    if let Err(error) = fs::create_dir_all(&scratch) {
        return (0, 1, format!("{}: {error}", scratch.display()));
    }
    let checks = match collect(&mir, &scratch) {
        Ok(checks) => checks,
        Err(error) => return (0, 1, error),
    };
    run_all(&checks)
}

/// Runs checks on all processors; returns how many passed and failed, and the messages of the
/// failures.
pub(crate) fn run_all(checks: &[Check<'_>]) -> (usize, usize, String) {
    let verdicts = parallel::on_all(checks.iter().collect(), |check| check());
    let failures: Vec<String> = (verdicts.into_iter())
        .filter_map(|verdict| Some(format!("    {}\n", verdict.err()?)))
        .collect();
    let shown: String = failures.iter().take(20).cloned().collect();
    (checks.len() - failures.len(), failures.len(), shown)
}

/// Returns the path of a file that belongs to one check.
pub(crate) fn scratch_file(scratch: &Path, file: &Path, options: &str, extension: &str) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    scratch.join(format!("{stem}{options}.{extension}"))
}

/// Compiles a program and links it, with a C file if there is one; returns the executable.
fn make(
    isa: Isa,
    mir: &Path,
    scratch: &Path,
    options: &[&str],
    file: &Path,
    c: Option<PathBuf>,
) -> Result<PathBuf, String> {
    let object = scratch_file(scratch, file, &options.concat(), "o");
    let made = scratch_file(scratch, file, &options.concat(), "exe");
    obj(isa, mir, options, file, &object)?;
    let mut gcc = Command::new(isa.gcc());
    // Unwinding starts from C, and what an emulator does wrong is not for it to judge.
    gcc.args(c)
        .arg("-fexceptions")
        .args((!isa.is_host()).then_some("-DEMULATED"))
        .arg(&object)
        .arg("-lm")
        .arg("-o")
        .arg(&made);
    command::succeed(&mut gcc, LIMIT)?;
    Ok(made)
}

fn obj(isa: Isa, mir: &Path, options: &[&str], file: &Path, object: &Path) -> Verdict {
    let mut command = Command::new(mir);
    command.args(["obj", "--target", isa.name()]).args(options);
    command::succeed(command.arg(file).arg("-o").arg(object), LIMIT)
}

fn machine(
    isa: Isa,
    mir: &Path,
    options: &[&str],
    stage: &str,
    file: &Path,
    out: &Path,
) -> Verdict {
    let mut command = Command::new(mir);
    command.args(["machine", "--target", isa.name(), "--stop-after", stage]);
    command.args(options);
    command::succeed(command.arg(file).arg("-o").arg(out), LIMIT)
}

fn accepted(
    isa: Isa,
    mir: &Path,
    scratch: &Path,
    level: &str,
    stage: &str,
    file: &Path,
) -> Verdict {
    let text = scratch_file(scratch, file, &format!("{level}-{stage}"), "mir");
    machine(isa, mir, &[level], stage, file, &text)?;
    let mut llc = Command::new("llc-22");
    llc.args([
        "-x",
        "mir",
        "-run-pass=none",
        "-verify-machineinstrs",
        "-o",
        "/dev/null",
    ]);
    command::succeed(llc.arg(&text), LIMIT)
}

fn marked(isa: Isa, mir: &Path, scratch: &Path, level: &str, stage: &str, file: &Path) -> Verdict {
    let text = scratch_file(scratch, file, &format!("{level}-{stage}-marked"), "mir");
    machine(isa, mir, &[level], stage, file, &text)?;
    match stage {
        "select" => last_uses::as_live_intervals(&text),
        _ => last_uses::as_scheduler(isa, &text),
    }
}

fn encoded_alike(
    isa: Isa,
    mir: &Path,
    scratch: &Path,
    level: &str,
    cpu: Option<Cpu>,
    file: &Path,
) -> Verdict {
    let mut options = vec![level];
    options.extend(cpu.into_iter().flat_map(|cpu| ["--cpu", cpu.name]));
    let [text, theirs, ours] = ["emit.mir", "llc.o", "our.o"]
        .map(|extension| scratch_file(scratch, file, &options.concat(), extension));
    machine(isa, mir, &options, "emit", file, &text)?;
    obj(isa, mir, &options, file, &ours)?;
    let last_pass = match isa.name() {
        "ppc64le" => "ppc-branch-select",
        "s390x" => "stack-frame-layout",
        _ => "unpack-mi-bundles",
    };
    let mut llc = Command::new("llc-22");
    llc.args([
        "-x",
        "mir",
        "-filetype=obj",
        &format!("-start-after={last_pass}"),
    ]);
    llc.args(cpu.map_or(&[][..], |cpu| cpu.llvm));
    command::succeed(llc.arg(&text).arg("-o").arg(&theirs), LIMIT)?;
    let [theirs, ours] = [theirs, ours].map(|object| text_section(&object));
    let (theirs, ours) = (theirs?, ours?);
    same(
        &ours,
        &theirs,
        &format!("{level} {}: the code", file.display()),
    )
}

/// Returns a program whose instructions LLVM's `GlobalISel` has selected.
fn made_by_llvm(
    isa: Isa,
    mir: &Path,
    scratch: &Path,
    (level, stage): (&str, &str),
    file: &Path,
) -> Result<PathBuf, String> {
    let name = format!("{level}-{stage}");
    let [text, object, made] = ["gmir", "gmir.o", "gmir.exe"]
        .map(|extension| scratch_file(scratch, file, &name, extension));
    let mut machine = Command::new(mir);
    machine.args(["machine", "--generic", level, "--target", isa.name()]);
    command::succeed(
        machine
            .args(["--stop-after", stage])
            .arg(file)
            .arg("-o")
            .arg(&text),
        LIMIT,
    )?;
    let mut llc = Command::new("llc-22");
    llc.args([
        "-x",
        "mir",
        "-global-isel",
        "-start-before=legalizer",
        "-verify-machineinstrs",
        "-filetype=obj",
    ]);
    // For x86_64 LLVM does not select addresses from the global offset table.
    let (model, linked) = match isa.name() {
        "x86_64" => ("-relocation-model=static", "-no-pie"),
        _ => ("-relocation-model=pic", "-pie"),
    };
    llc.arg(model);
    if isa.name() == "riscv64" {
        llc.arg("-target-abi=lp64d");
    }
    command::succeed(llc.arg(&text).arg("-o").arg(&object), LIMIT)?;
    let mut gcc = Command::new(isa.gcc());
    gcc.arg(linked).arg(&object).args(["-lm", "-o"]).arg(&made);
    command::succeed(&mut gcc, LIMIT)?;
    Ok(made)
}

fn text_section(object: &Path) -> Result<Vec<u8>, String> {
    let bytes = object.with_extension("text");
    let mut copy = Command::new("llvm-objcopy-22");
    copy.args(["-O", "binary", "--only-section=.text"]);
    command::succeed(copy.arg(object).arg(&bytes), LIMIT)?;
    fs::read(&bytes).map_err(|error| format!("{}: {error}", bytes.display()))
}

/// Checks that bytes are those that are wanted.
pub(crate) fn same(got: &[u8], wanted: &[u8], what: &str) -> Verdict {
    if got == wanted {
        return Ok(());
    }
    let at = got.iter().zip(wanted).take_while(|(a, b)| a == b).count();
    Err(format!("{what} differs from byte {at} on"))
}
