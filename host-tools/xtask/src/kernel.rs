//! The kernels of `qemu-tests/`: built, booted under qemu-system, and given programs through QEMU's
//! loader device.

use core::time::Duration;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::command::{self, Outcome};
use crate::corpus;
use crate::isa::Isa;
use crate::setup;
use crate::workspace;

const BUILD_LIMIT: Duration = Duration::from_secs(15 * 60);
const RUN_LIMIT: Duration = Duration::from_secs(10 * 60);

/// The machine that an ISA's kernel is for.
pub(crate) struct Machine {
    isa: &'static str,
    /// Rust's target triple of the kernel.
    pub(crate) triple: &'static str,
    /// Rust's target triple of the kernel without floating-point registers, if there is one.
    pub(crate) soft_float: Option<&'static str>,
    /// The emulator, and Debian's package that it is in.
    pub(crate) emulator: &'static str,
    pub(crate) package: &'static str,
    /// The emulator's arguments, without those that all machines share.
    arguments: &'static str,
    /// The address at which the kernel looks for programs.
    programs: &'static str,
    /// The emulator's exit status of a good run.
    good: i32,
}

const MACHINES: [Machine; 5] = [
    Machine {
        isa: "x86_64",
        triple: "x86_64-unknown-linux-gnu",
        soft_float: Some("x86_64-unknown-none"),
        emulator: "qemu-system-x86_64",
        package: "qemu-system-x86",
        arguments: "-M microvm -device isa-debug-exit,iobase=0xf4,iosize=0x4",
        programs: "0x8000000",
        good: 33,
    },
    Machine {
        isa: "aarch64",
        triple: "aarch64-unknown-none",
        soft_float: None,
        emulator: "qemu-system-aarch64",
        package: "qemu-system-arm",
        arguments: "-M virt -cpu cortex-a72 -semihosting-config enable=on,target=native",
        programs: "0x48000000",
        good: 0,
    },
    Machine {
        isa: "ppc64le",
        triple: "powerpc64le-unknown-linux-gnu",
        soft_float: None,
        emulator: "qemu-system-ppc64",
        package: "qemu-system-ppc",
        arguments: "-M pseries,x-vof=on,cap-cfpc=broken,cap-sbbc=broken,cap-ibs=broken,cap-ccf-assist=off \
                    -cpu power9 -action panic=exit-failure",
        programs: "0x8000000",
        good: 0,
    },
    Machine {
        isa: "riscv64",
        triple: "riscv64gc-unknown-none-elf",
        soft_float: None,
        emulator: "qemu-system-riscv64",
        package: "qemu-system-misc",
        arguments: "-M virt -bios none",
        programs: "0x88000000",
        good: 0,
    },
    Machine {
        isa: "s390x",
        triple: "s390x-unknown-linux-gnu",
        soft_float: None,
        emulator: "qemu-system-s390x",
        package: "qemu-system-misc",
        arguments: "-M s390-ccw-virtio -action panic=exit-failure",
        programs: "0x8000000",
        good: 0,
    },
];

/// The kernel image that is built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Image {
    /// All of it.
    Full,
    /// All of it, without floating-point registers: floating values are computed by routines on
    /// integers.
    SoftFloat,
    /// The part that interprets binary programs, built for size.
    Interpreter,
    /// A kernel that has only the loader of images, built for size.
    Loader,
}

/// The most bytes of code that the interpreter's image may have on riscv64.
const MOST_CODE: usize = 176 << 10;

const COMMON: &str =
    "-m 256 -smp 2 -display none -nodefaults -serial stdio -monitor none -no-reboot";

impl Machine {
    /// Returns the machine of an ISA.
    pub(crate) fn of(isa: Isa) -> &'static Machine {
        MACHINES
            .iter()
            .find(|machine| machine.isa == isa.name())
            .unwrap_or(&MACHINES[0])
    }

    /// Returns the target triple of an image.
    fn triple_of(&self, image: Image) -> Result<&'static str, String> {
        let none = || format!("there is no soft-float kernel for {}", self.isa);
        match image {
            Image::Full | Image::Interpreter | Image::Loader => Ok(self.triple),
            Image::SoftFloat => self.soft_float.ok_or_else(none),
        }
    }

    /// Returns a command that boots a program that is alone on the machine.
    pub(crate) fn boot(&self, program: &Path) -> Command {
        let mut command = Command::new(self.emulator);
        command
            .args(self.arguments.split_whitespace())
            .args(COMMON.split_whitespace());
        command.arg("-kernel").arg(program);
        command
    }

    /// Returns a command that boots `kernel` with an archive of programs, or with an image.
    fn command(&self, kernel: &Path, archive: &Path) -> Command {
        let mut command = self.boot(kernel);
        command.arg("-device").arg(format!(
            "loader,file={},addr={},force-raw=on",
            archive.display(),
            self.programs
        ));
        command
    }
}

/// Builds and boots the kernel of `isa`, runs `program` in it if there is one, or all programs of
/// the tests, and shows the console.
///
/// # Errors
///
/// Says what is missing, does not build, or failed in the kernel.
pub(crate) fn show(
    isa: Isa,
    image: Image,
    program: Option<&Path>,
    all: bool,
) -> Result<(), String> {
    setup::ensure_kernels(&[isa])?;
    let kernel = build(isa, image)?;
    let mut archive = Archive::default();
    if all {
        archive.add_tests(isa, image)?;
    }
    if let Some(file) = program {
        archive.add(&file.display().to_string(), &read(file)?, None);
    }
    let machine = Machine::of(isa);
    let boot = |archive: &Path| {
        let mut command = machine.command(&kernel, archive);
        command.stdin(Stdio::null()).status()
    };
    let status = archive
        .lend(boot)?
        .map_err(|error| format!("{}: {error}", machine.emulator))?;
    if status.code() == Some(machine.good) {
        Ok(())
    } else {
        Err(format!("the kernel failed: {status}"))
    }
}

/// Boots the kernel of `isa` with every program; returns how many tests passed and failed, and
/// which.
pub(crate) fn tests(isa: Isa, image: Image) -> (usize, usize, String) {
    let outcome = match boot_with_tests(isa, image) {
        Ok(outcome) => outcome,
        Err(message) => return (0, 1, format!("    {message}")),
    };
    let console = outcome.text();
    let failures: String = console
        .lines()
        .filter(|line| !line.starts_with("ok "))
        .map(|line| format!("    {line}\n"))
        .collect();
    let (passed, failed) = summary(&console, isa.name()).unwrap_or((0, 1));
    if let Some(code) = code_size(&console)
        && image == Image::Interpreter
        && isa.name() == "riscv64"
        && code > MOST_CODE
    {
        let message = format!("    {code} bytes of code, of which there may be {MOST_CODE}\n");
        return (passed, failed + 1, failures + &message);
    }
    let machine = Machine::of(isa);
    let good = outcome.status == Some(machine.good) && passed > 0;
    (
        passed,
        if good { failed } else { failed.max(1) },
        failures + &outcome.stderr,
    )
}

fn boot_with_tests(isa: Isa, image: Image) -> Result<Outcome, String> {
    setup::ensure_kernels(&[isa])?;
    let kernel = build(isa, image)?;
    let mut archive = Archive::default();
    archive.add_tests(isa, image)?;
    archive.lend(|archive| command::run(&mut Machine::of(isa).command(&kernel, archive), RUN_LIMIT))
}

/// Builds the kernel of `isa` that has only the loader of images.
///
/// # Errors
///
/// The emulator is missing, or the kernel does not build.
pub(crate) fn loader(isa: Isa) -> Result<PathBuf, String> {
    setup::ensure_kernels(&[isa])?;
    build(isa, Image::Loader)
}

/// Boots that kernel with an image; returns what its program printed.
///
/// # Errors
///
/// The program, or the kernel, ended otherwise than well.
pub(crate) fn boot_image(isa: Isa, kernel: &Path, image: &Path) -> Result<Vec<u8>, String> {
    let machine = Machine::of(isa);
    let outcome = command::run(&mut machine.command(kernel, image), RUN_LIMIT);
    if outcome.status == Some(machine.good) {
        return Ok(outcome.stdout);
    }
    let (text, errors) = (outcome.text(), &outcome.stderr);
    Err(format!(
        "{} with the loader failed:\n{text}{errors}",
        isa.name()
    ))
}

/// Returns the counts in the last line of a kernel.
fn summary(console: &str, isa: &str) -> Option<(usize, usize)> {
    let line = console.lines().last()?;
    let counts = line.strip_prefix("kernel ")?.strip_prefix(isa)?;
    let mut words = counts.strip_prefix(": ")?.split_whitespace();
    let passed = words.next()?.parse().ok()?;
    let failed = words.nth(1)?.parse().ok()?;
    Some((passed, failed))
}

/// Returns the bytes of code that a kernel reports.
fn code_size(console: &str) -> Option<usize> {
    let sizes = console
        .lines()
        .find_map(|line| line.strip_prefix("image: "))?;
    sizes.split_whitespace().next()?.parse().ok()
}

/// Builds an image of the kernel of `isa`; returns its path.
fn build(isa: Isa, image: Image) -> Result<PathBuf, String> {
    let triple = Machine::of(isa).triple_of(image)?;
    let target = workspace::root().join("qemu-tests/target");
    let profile = match image {
        Image::Full | Image::SoftFloat => workspace::SUITE_PROFILE,
        Image::Interpreter | Image::Loader => "small",
    };
    let package = match image {
        Image::Loader => "loader",
        _ => "kernel",
    };
    let mut cargo = workspace::cargo();
    cargo
        .current_dir(workspace::root().join("qemu-tests"))
        .args(["build", "--quiet", "--package", package])
        .args(["--profile", profile, "--target", triple, "--target-dir"])
        .arg(&target);
    if image == Image::Interpreter {
        cargo.arg("--no-default-features");
    }
    let outcome = command::run(&mut cargo, BUILD_LIMIT);
    if outcome.success {
        Ok(target.join(triple).join(profile).join(package))
    } else {
        Err(format!("the kernel does not build:\n{}", outcome.stderr))
    }
}

fn read(file: &Path) -> Result<Vec<u8>, String> {
    fs::read(file).map_err(|error| format!("{}: {error}", file.display()))
}

/// True if a file test is for `isa`: its lines `# target` name the ISA, or there are none.
fn is_for(test: &[u8], isa: Isa) -> bool {
    let text = String::from_utf8_lossy(test);
    let mut targets = text
        .lines()
        .filter_map(|line| line.strip_prefix("# target "))
        .flat_map(str::split_whitespace)
        .peekable();
    targets.peek().is_none() || targets.any(|target| target == isa.name())
}

/// The archive of programs that the kernel reads: for each the lengths of its name, itself and its
/// expected output (all ones if nothing is expected), little-endian, and then these; after the last
/// a length of zero.
#[derive(Default)]
struct Archive(Vec<u8>);

impl Archive {
    fn add(&mut self, name: &str, program: &[u8], expected: Option<&[u8]>) {
        let length = |bytes: &[u8]| bytes.len() as u32;
        let expected_length = expected.map_or(u32::MAX, length);
        for length in [length(name.as_bytes()), length(program), expected_length] {
            self.0.extend(length.to_le_bytes());
        }
        self.0.extend(name.as_bytes());
        self.0.extend(program);
        self.0.extend(expected.unwrap_or_default());
    }

    /// Adds the corpus, and the file tests that run, which contain their expected output. All
    /// random programs run in the suite of the corpus, and show nothing of kernels: here are some.
    /// The interpreter's image reads no text.
    fn add_tests(&mut self, isa: Isa, image: Image) -> Result<(), String> {
        let corpus = corpus::list(isa).map_err(|error| format!("corpus: {error}"))?;
        let mut programs: Vec<(PathBuf, Vec<u8>)> = corpus::with_few_random(corpus)
            .into_iter()
            .map(|program| (program.file, program.expected))
            .collect();
        let tests = corpus::files(&workspace::root().join("filetests/run"), "mir");
        for file in tests.map_err(|error| format!("filetests: {error}"))? {
            if is_for(&read(&file)?, isa) {
                programs.push((file, Vec::new()));
            }
        }
        let is_read =
            |file: &Path| image != Image::Interpreter || file.extension() != Some("mir".as_ref());
        programs.retain(|(file, _)| is_read(file));
        for (file, expected) in programs {
            let name = file.strip_prefix(workspace::root()).unwrap_or(&file);
            let name = name.display().to_string();
            self.add(&name, &read(&file)?, Some(&expected));
        }
        Ok(())
    }

    /// Writes the archive to a file for QEMU, which is deleted after `boot`.
    fn lend<T>(mut self, boot: impl FnOnce(&Path) -> T) -> Result<T, String> {
        self.0.extend([0; 4]);
        let directory = workspace::root().join("qemu-tests/target");
        let fault = |error| format!("{}: {error}", directory.display());
        fs::create_dir_all(&directory).map_err(fault)?;
        let file = tempfile::NamedTempFile::new_in(&directory).map_err(fault)?;
        fs::write(&file, &self.0).map_err(fault)?;
        Ok(boot(file.path()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Archive, code_size, summary};

    #[test]
    fn only_a_complete_last_line_counts() {
        assert_eq!(
            summary("ok a\nkernel s390x: 12 passed, 3 failed\n", "s390x"),
            Some((12, 3))
        );
        assert_eq!(
            summary("kernel s390x: 12 passed, 3 failed\nFAULT\n", "s390x"),
            None
        );
        assert_eq!(
            summary("kernel s390x: 12 passed, 3 failed\n", "riscv64"),
            None
        );
        assert_eq!(summary("kernel s390x: 12 pas", "s390x"), None);
    }

    #[test]
    fn kernels_tell_the_size_of_their_code() {
        let console = "ok a\nimage: 1234 bytes of code, 5 of constants, 0 of variables\n";
        assert_eq!(code_size(console), Some(1234));
        assert_eq!(code_size("ok image: 1\n"), None);
    }

    #[test]
    fn an_archive_is_lengths_and_bytes() {
        let mut archive = Archive::default();
        archive.add("ab", &[7], None);
        assert_eq!(archive.0, *b"\x02\0\0\0\x01\0\0\0\xFF\xFF\xFF\xFFab\x07");
    }
}
