//! Images made on this machine for each ISA, loaded and run there, in a process and in a kernel
//! that has nothing but the loader; and the firmware of `examples/firmware`, which has no
//! more either.

use core::time::Duration;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::ahead::{self, Check, OTHER_HOST, Verdict, check, same};
use crate::command;
use crate::corpus;
use crate::isa::Isa;
use crate::kernel::{self, Machine};
use crate::runners;
use crate::workspace;

const LIMIT: Duration = Duration::from_secs(120);
const BUILD_LIMIT: Duration = Duration::from_secs(10 * 60);

/// The levels: each ISA makes a program at one of them, the ISAs in turn at all.
const LEVELS: [&str; 4] = ["-O0", "-O1", "-O2", "-O3"];

/// Of so many programs one is also made for each processor of an ISA that has more instructions.
const FOR_PROCESSORS: usize = 4;

/// The programs of which a machine of the other byte order must make the same bytes.
const FROM_BOTH_HOSTS: [&str; 2] = ["f_ldprint", "f_statics"];

/// The programs that run in kernels, their level, and the distance from an image there to its
/// memory.
const IN_KERNELS: [&str; 3] = ["f_switch", "f_strings", "sha256"];
const KERNEL_LEVEL: &str = "-O2";
const DISTANCE: &str = "--distance=0x1000000";

/// The ISA of the firmware, and the most bytes that all of it may have.
const FIRMWARE: &str = "riscv64";
const MOST_BYTES: usize = 8 << 10;

/// Runs the programs of the corpus from images, each with exactly its output.
pub(crate) fn run(isa: Isa) -> (usize, usize, String) {
    ahead::suite(isa, "image", |mir, scratch| {
        let theirs = runners::build_for_tests(isa)?;
        let mut checks = of_corpus(isa, mir, &theirs, scratch)?;
        if isa.name() == OTHER_HOST {
            checks.extend(from_both_hosts(isa, mir, &theirs, scratch));
        }
        checks.push(check(move || in_kernel(isa, mir, scratch)));
        if isa.name() == FIRMWARE {
            checks.push(check(move || firmwares(isa, mir)));
        }
        Ok(checks)
    })
}

fn of_corpus<'a>(
    isa: Isa,
    mir: &'a Path,
    theirs: &Path,
    scratch: &'a Path,
) -> Result<Vec<Check<'a>>, String> {
    let programs = corpus::list(isa).map_err(|error| error.to_string())?;
    let programs = programs
        .into_iter()
        .filter(|program| ahead::is_binary_corpus(&program.file));
    let mut checks = Vec::new();
    for (number, program) in programs.enumerate() {
        let level = LEVELS[(number + isa.place()) % LEVELS.len()];
        for cpu in core::iter::once(None).chain(isa.cpus().iter().map(Some)) {
            if cpu.is_some() && (isa.is_host() || number % FOR_PROCESSORS != 0) {
                continue;
            }
            let (file, expected) = (program.file.clone(), program.expected.clone());
            let theirs = theirs.to_path_buf();
            for &way in ways(program.confine && cpu.is_none()) {
                let (file, expected, theirs) = (file.clone(), expected.clone(), theirs.clone());
                checks.push(check(move || {
                    let mut options = vec![level];
                    options.extend(way);
                    options.extend(cpu.into_iter().flat_map(|cpu| ["--cpu", cpu.name]));
                    let image = ahead::scratch_file(scratch, &file, &options.concat(), "mimg");
                    make(isa, mir, &options, &file, &image)?;
                    let mut run = isa.command(&theirs);
                    run.arg("run").arg(&image);
                    run.envs(cpu.map(|cpu| ("QEMU_CPU", cpu.name)));
                    let outcome = command::run(&mut run, LIMIT);
                    let what = format!("{options:?} {}", file.display());
                    same(&outcome.stdout, &expected, &what)
                        .map_err(|error| format!("{error}\n{}", outcome.stderr))
                }));
            }
        }
    }
    Ok(checks)
}

/// Returns the options of the images of a program: those that can be confined run so too, and are
/// proven to be.
const fn ways(confine: bool) -> &'static [&'static [&'static str]] {
    match confine {
        true => &[&[], &["--confined=64M", "--check-confinement"]],
        false => &[&[]],
    }
}

/// Makes an image with a command of this machine's.
fn make(isa: Isa, mir: &Path, options: &[&str], file: &Path, image: &Path) -> Verdict {
    let mut command = Command::new(mir);
    command.arg("image").args(options);
    command.args(["--target", isa.name()]);
    command::succeed(command.arg(file).arg("-o").arg(image), LIMIT)
}

/// Checks that the command of the ISA itself, emulated, makes the images that this machine's makes.
fn from_both_hosts<'a>(
    isa: Isa,
    mir: &'a Path,
    theirs: &Path,
    scratch: &'a Path,
) -> Vec<Check<'a>> {
    let mut checks = Vec::new();
    for target in Isa::all() {
        for program in FROM_BOTH_HOSTS {
            let theirs = theirs.to_path_buf();
            checks.push(check(move || {
                let corpus = workspace::root().join("corpus/bmir").join(target.name());
                let file = corpus.join(program).with_extension("bmir");
                let place = |host: &str| -> PathBuf {
                    scratch.join(format!("{program}-{}.{host}", target.name()))
                };
                let (here, there) = (place("here"), place("there"));
                make(target, mir, &["-O3"], &file, &here)?;
                let mut command = isa.command(&theirs);
                command.args(["image", "-O3", "--target", target.name()]);
                command::succeed(command.arg(&file).arg("-o").arg(&there), LIMIT)?;
                let what = format!("{}, made on {},", file.display(), isa.name());
                same(&read(&there)?, &read(&here)?, &what)
            }));
        }
    }
    checks
}

fn read(file: &Path) -> Result<Vec<u8>, String> {
    fs::read(file).map_err(|error| format!("{}: {error}", file.display()))
}

/// Builds the kernel that has only the loader, boots it with images of programs of the corpus and
/// the C library in Medium IR, and prints its size.
fn in_kernel(isa: Isa, mir: &Path, scratch: &Path) -> Verdict {
    let kernel = kernel::loader(isa)?;
    let library = workspace::root().join("host-tools/mir-libc/libc.mir");
    let corpus = workspace::root().join("corpus");
    for program in IN_KERNELS {
        let image = scratch.join(format!("{program}-kernel.mimg"));
        let file = corpus.join("bmir").join(isa.name()).join(program);
        let mut command = Command::new(mir);
        command.args(["image", "--target", isa.name(), KERNEL_LEVEL, DISTANCE]);
        command.arg(file.with_extension("bmir")).arg(&library);
        command::succeed(command.arg("-o").arg(&image), LIMIT)?;
        let printed = kernel::boot_image(isa, &kernel, &image)?;
        let expected = read(&corpus.join("expected").join(program).with_extension("txt"))?;
        let what = format!("{program} in a kernel of {}", isa.name());
        same(&printed, &expected, &what)?;
    }
    let bytes = size(isa, &kernel)?;
    println!("        the kernel with the loader has {bytes} bytes");
    Ok(())
}

/// A way in which the firmware is built, and what it runs.
struct Firmware {
    features: &'static [&'static str],
    /// The options with which its images are made.
    options: &'static [&'static str],
    /// Programs, and what they print.
    programs: &'static [(&'static str, &'static str)],
}

const PRIMES: (&str, &str) = (
    "program.mir",
    "primes: 2 3 5 7 11 13 17 19 23 29 31 37 41 43 47\n",
);

const FIRMWARES: [Firmware; 3] = [
    Firmware {
        features: &[],
        options: &[],
        programs: &[PRIMES],
    },
    Firmware {
        features: &["--features", "confined"],
        options: &["--confined=64K"],
        programs: &[PRIMES, ("hostile.mir", "stopped: main\n")],
    },
    Firmware {
        features: &["--features", "windows"],
        options: &["--confined=64K", "--windows", "--check-confinement"],
        programs: &[("windows.mir", "MIRIMG\nstopped: main\n")],
    },
];

/// Runs the firmware in each way, one after the other: they have one place for images.
fn firmwares(isa: Isa, mir: &Path) -> Verdict {
    FIRMWARES.iter().try_for_each(|way| firmware(isa, mir, way))
}

/// Builds the firmware, which does not link if the loader can panic, boots it with images of its
/// programs, and prints its size.
fn firmware(isa: Isa, mir: &Path, way: &Firmware) -> Verdict {
    let folder = workspace::root().join("examples/firmware");
    let target = folder.join("target");
    fs::create_dir_all(&target).map_err(|error| format!("{}: {error}", target.display()))?;
    let cargo = |command: &str| {
        let mut cargo = workspace::cargo();
        cargo.current_dir(&folder);
        cargo.args([command, "--quiet", "--release"]);
        cargo.args(way.features);
        cargo
    };
    command::succeed(&mut cargo("build"), BUILD_LIMIT)?;
    for &(program, expected) in way.programs {
        let mut command = Command::new(mir);
        command.current_dir(&folder);
        command.args(["image", "--target", isa.name(), "--distance=-0x7F00000"]);
        command.args(way.options);
        command.args([program, "-o", "target/program.mimg"]);
        command::succeed(&mut command, LIMIT)?;
        let outcome = command::run(&mut cargo("run"), LIMIT);
        let what = format!("the firmware with {program}");
        same(&outcome.stdout, expected.as_bytes(), &what)?;
    }
    let made = target
        .join(Machine::of(isa).triple)
        .join("release/firmware");
    let bytes = size(isa, &made)?;
    let kind = match way.features {
        [] => "firmware",
        [.., "windows"] => "firmware for confined programs with windows and calls back",
        _ => "firmware for confined programs",
    };
    println!("        the {kind} has {bytes} bytes, of which there may be {MOST_BYTES}");
    (bytes <= MOST_BYTES)
        .then_some(())
        .ok_or_else(|| format!("the firmware has {bytes} bytes"))
}

/// Returns the bytes of code and constants of a program.
fn size(isa: Isa, program: &Path) -> Result<usize, String> {
    let mut size = Command::new(isa.binutil("size"));
    let outcome = command::run(size.arg(program), LIMIT);
    let text = outcome.text();
    let row = text
        .lines()
        .nth(1)
        .and_then(|row| row.split_whitespace().next());
    let bytes = row.and_then(|bytes| bytes.parse().ok());
    bytes.ok_or_else(|| format!("no size of {}: {}", program.display(), outcome.stderr))
}
