//! The C interface: examples and tests in C, built with the gcc of each ISA and run, and built with
//! pkg-config and CMake against an installed library.

use core::time::Duration;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::isa::Isa;
use crate::kernel::Machine;
use crate::suites::Depth;
use crate::{command, header, install_capi, setup, workspace};

const LIMIT: Duration = Duration::from_secs(15 * 60);

/// The programs that are run; each ends with the line that says that all went well.
const PROGRAMS: [&str; 4] = [
    "examples/firmware",
    "examples/jit",
    "examples/confined",
    "tests/interface",
];

/// The triple without an operating system for which the example is built, and how gcc builds for
/// it.
const BARE: (&str, &[&str]) = (
    "riscv64gc-unknown-none-elf",
    &[
        "-ffreestanding",
        "-nostdlib",
        "-static",
        "-march=rv64gc",
        "-mabi=lp64d",
        "-mcmodel=medany",
        "-Wl,--build-id=none",
    ],
);

/// The sum of the numbers from 1 to 10, which that example computes.
const SUM: i32 = 55;

/// The options of the C compiler.
const STRICT: [&str; 5] = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-O1"];

pub(crate) fn directory() -> PathBuf {
    workspace::root().join("capi")
}

/// Returns Rust's triple of this machine.
pub(crate) fn host_triple() -> String {
    let host = Isa::all().find(|isa| isa.is_host());
    host.map_or_else(String::new, |isa| isa.triple().into())
}

/// Returns the command that builds the library for a triple.
pub(crate) fn build(triple: &str) -> Command {
    let mut cargo = workspace::cargo();
    cargo
        .current_dir(directory())
        .args(["build", "--quiet", "--release", "--target", triple]);
    cargo
}

/// Returns the path of the library that is built for a triple.
pub(crate) fn library(triple: &str) -> PathBuf {
    // A relative directory is relative to where cargo ran.
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let made = directory().join(target).join(triple).join("release");
    made.join("libmir_nostd.a")
}

/// Builds the library and its programs for `isa` and runs them; at full depth also installs it, for
/// other build systems. Returns how many passed and failed, and the messages.
pub(crate) fn run(isa: Isa, depth: Depth) -> (usize, usize, String) {
    let library = match quick_library(isa.triple()) {
        Ok(library) => library,
        Err(message) => return (0, 1, message),
    };
    let mut results: Vec<Result<(), String>> = Vec::new();
    results.extend(PROGRAMS.map(|program| runs(isa, &library, program)));
    results.push(has_no_strong_personality(isa, &library));
    if isa.is_host() {
        results.push(header::check());
    }
    if depth == Depth::Full {
        results.push(installs(isa, &library));
        if isa.is_host() {
            results.push(builds_without_features());
        }
        if BARE.0.starts_with(isa.name()) {
            results.push(installs_bare(isa));
        }
    }
    let failed: Vec<String> = results.iter().filter_map(|r| r.clone().err()).collect();
    let passed = results.len() - failed.len();
    (passed, failed.len(), failed.join("\n"))
}

/// Builds the library as suites do: a little optimised, as a test fails each of thousands of
/// allocations in turn, which takes longer under emulation than this.
fn quick(triple: &str) -> Command {
    let mut cargo = build(triple);
    cargo
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    cargo
}

fn quick_library(triple: &str) -> Result<PathBuf, String> {
    done(&mut quick(triple))?;
    Ok(library(triple))
}

/// Each set of features builds, without a warning.
fn builds_without_features() -> Result<(), String> {
    for features in ["", "text", "compile", "confined", "confined,level-2"] {
        let mut cargo = workspace::cargo();
        cargo.current_dir(directory());
        cargo.args([
            "check",
            "--quiet",
            "--no-default-features",
            "--features",
            features,
        ]);
        done(cargo.env("RUSTFLAGS", "-Dwarnings"))?;
    }
    Ok(())
}

/// Builds a program beside the library, and runs it.
fn runs(isa: Isa, library: &Path, name: &str) -> Result<(), String> {
    let program = library.with_file_name(name.replace('/', "-"));
    let mut gcc = Command::new(isa.gcc());
    gcc.current_dir(directory()).args(STRICT).arg("-Iinclude");
    gcc.arg(format!("{name}.c")).arg(library);
    done(gcc.arg("-o").arg(&program))?;
    ends_well(isa, &program)
}

fn ends_well(isa: Isa, program: &Path) -> Result<(), String> {
    let outcome = command::run(&mut isa.command(program), LIMIT);
    if outcome.success && outcome.text().ends_with("all as it should be\n") {
        return Ok(());
    }
    Err(format!(
        "{}: {}{}",
        program.display(),
        outcome.text(),
        outcome.stderr
    ))
}

/// Another static library of Rust's, which defines the same, must be able to stand beside this one.
fn has_no_strong_personality(isa: Isa, library: &Path) -> Result<(), String> {
    let mut nm = Command::new(isa.gcc().replace("-gcc", "-nm"));
    let outcome = command::run(nm.arg("--defined-only").arg(library), LIMIT);
    let text = outcome.text();
    let mut kinds = text.lines().filter_map(|line| {
        let name = line.strip_suffix("rust_eh_personality")?;
        name.trim_end().chars().last()
    });
    match kinds.all(|kind| "vVwW".contains(kind)) && outcome.success {
        true => Ok(()),
        false => Err("rust_eh_personality is not weak in the library".into()),
    }
}

/// An installed library is found by pkg-config and by CMake, and the examples built so run.
fn installs(isa: Isa, library: &Path) -> Result<(), String> {
    let prefix = tempfile::tempdir().map_err(|error| error.to_string())?;
    install_capi::install(prefix.path(), library)?;
    let program = prefix.path().join("jit");
    by_pkg_config(isa, prefix.path(), "jit", &STRICT, &program)?;
    ends_well(isa, &program)?;
    let built = by_cmake(isa, prefix.path(), &["-DCMAKE_SYSTEM_NAME=Linux".into()])?;
    ends_well(isa, &built.join("confined"))
}

/// The same without an operating system: the program boots with the start code and the linker
/// script beside it, and leaves the emulator with the sum that it computed. What CMake builds is
/// linked and no more.
fn installs_bare(isa: Isa) -> Result<(), String> {
    let (triple, options) = BARE;
    let prefix = tempfile::tempdir().map_err(|error| error.to_string())?;
    install_capi::install(prefix.path(), &quick_library(triple)?)?;
    let options: Vec<&str> = STRICT.iter().chain(options).copied().collect();
    let [start, script] = ["virt.S", "virt.ld"].map(|name| {
        let path = directory().join("examples").join(name);
        path.display().to_string()
    });
    let booted = prefix.path().join("booted");
    let with_start = [&options[..], &["-T", &script, &start]].concat();
    by_pkg_config(isa, prefix.path(), "bare", &with_start, &booted)?;
    setup::ensure_kernels(&[isa])?;
    let outcome = command::run(&mut Machine::of(isa).boot(&booted), LIMIT);
    if outcome.status != Some(SUM) {
        let (status, stderr) = (outcome.status, outcome.stderr);
        return Err(format!("bare: status {status:?}, not {SUM}: {stderr}"));
    }
    let options = [&options[..], &["-Wl,-e,main"]].concat();
    let options = [
        "-DCMAKE_SYSTEM_NAME=Generic".into(),
        "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY".into(),
        format!("-DCMAKE_C_FLAGS={}", options.join(" ")),
    ];
    let built = by_cmake(isa, prefix.path(), &options)?;
    match built.join("bare").exists() {
        true => Ok(()),
        false => Err("CMake made no program".into()),
    }
}

/// Builds an example with the words that pkg-config says.
fn by_pkg_config(
    isa: Isa,
    prefix: &Path,
    example: &str,
    options: &[&str],
    program: &Path,
) -> Result<(), String> {
    let mut pkg_config = Command::new("pkg-config");
    pkg_config.args(["--cflags", "--libs", "mir-nostd >= 0.1"]);
    pkg_config.env("PKG_CONFIG_LIBDIR", prefix.join("lib/pkgconfig"));
    let outcome = command::run(&mut pkg_config, LIMIT);
    if !outcome.success {
        return Err(format!("pkg-config: {}", outcome.stderr));
    }
    let mut gcc = Command::new(isa.gcc());
    gcc.args(options);
    gcc.arg(directory().join(format!("examples/{example}.c")));
    gcc.args(outcome.text().split_whitespace());
    done(gcc.arg("-o").arg(program))
}

/// Builds the examples with CMake; returns where they are.
fn by_cmake(isa: Isa, prefix: &Path, options: &[String]) -> Result<PathBuf, String> {
    let built = prefix.join("build");
    let mut cmake = Command::new("cmake");
    cmake.arg("-S").arg(directory().join("examples"));
    cmake.arg("-B").arg(&built).args(options);
    cmake.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display()));
    cmake.arg(format!("-DCMAKE_C_COMPILER={}", isa.gcc()));
    done(&mut cmake)?;
    done(Command::new("cmake").arg("--build").arg(&built))?;
    Ok(built)
}

fn done(command: &mut Command) -> Result<(), String> {
    let outcome = command::run(command, LIMIT);
    if outcome.success {
        return Ok(());
    }
    Err(format!("{command:?}: {}{}", outcome.text(), outcome.stderr))
}
