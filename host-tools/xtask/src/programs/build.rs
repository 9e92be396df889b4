//! A program compiled: natively by gcc, g++ or rustc, and by clang or rustc to LLVM IR, which is
//! imported.

use core::time::Duration;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::sources;
use super::table::Program;
use super::ways::{Engine, Way};
use crate::isa::Isa;
use crate::parallel::{metered, on_all};
use crate::{command, import};

/// For one file, however large, on a machine that does other things.
const COMPILE_LIMIT: Duration = Duration::from_secs(20 * 60);
/// For one script, in seconds of wall time.
const RUN_LIMIT: u64 = 30 * 60;

/// Options of every C compiler: warnings are not ours to mend, and products and sums stay apart,
/// as not every compiler joins the same ones.
const C_OPTIONS: [&str; 3] = ["-w", "-O2", "-ffp-contract=off"];
/// Options that keep loops scalar, as docs/import.md advises.
const SCALAR_C: [&str; 2] = ["-fno-vectorize", "-fno-slp-vectorize"];
const SCALAR_RUST: [&str; 4] = ["-C", "no-vectorize-loops", "-C", "no-vectorize-slp"];

/// The language of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    C,
    Cxx,
    Rust,
}

impl Language {
    fn of(file: &str) -> Language {
        match Path::new(file).extension().and_then(|end| end.to_str()) {
            Some("rs") => Language::Rust,
            Some("cpp") => Language::Cxx,
            _ => Language::C,
        }
    }
}

/// The product that a compiler is to make of a file.
#[derive(Clone, Copy)]
enum Product {
    /// An object, by the compiler that programs are compared with.
    Native,
    /// An object by LLVM's compiler, whose time ours is compared with.
    Object,
    LlvmIr,
}

/// The processor times of compiling: to LLVM IR's own objects, and from LLVM IR to ours.
#[derive(Clone, Copy)]
pub(super) struct Compiling {
    pub(super) llvm: Duration,
    pub(super) import: Duration,
    pub(super) objects: Duration,
}

/// How a script ended.
pub(super) struct Outcome {
    stdout: Vec<u8>,
    status: Option<i32>,
    stderr: String,
    /// Processor time.
    pub(super) time: Duration,
}

impl Outcome {
    /// True if nothing was printed, which compares with anything that fails.
    pub(super) fn is_silent(&self) -> bool {
        self.stdout.is_empty()
    }

    /// Returns the time, if the outcome is the same as `expected`.
    ///
    /// # Errors
    /// Says what differs first.
    pub(super) fn compare(self, expected: &Outcome) -> Result<Duration, String> {
        let said = || {
            let lines: Vec<&str> = self.stderr.lines().collect();
            lines[lines.len().saturating_sub(4)..].join("; ")
        };
        if self.stdout != expected.stdout {
            let (got, wanted) = (lines_of(&self.stdout), lines_of(&expected.stdout));
            let at = got.iter().zip(&wanted).take_while(|(a, b)| a == b).count();
            let [got, wanted] = [got, wanted].map(|lines| lines.get(at).cloned());
            return Err(format!(
                "line {} is {got:?}, natively {wanted:?}; {}",
                at + 1,
                said()
            ));
        }
        match self.status == expected.status {
            true => Ok(self.time),
            false => Err(format!(
                "status {:?}, natively {:?}; {}",
                self.status,
                expected.status,
                said()
            )),
        }
    }
}

fn lines_of(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    text.lines().map(str::to_owned).collect()
}

/// The commands `mir` that a program is built and run with.
#[derive(Clone, Copy)]
pub(super) struct Tools<'a> {
    /// That of this machine, which compiles for whatever ISA.
    pub(super) compiler: &'a Path,
    /// That of the program's ISA.
    pub(super) runner: &'a Path,
}

/// A program that is built for an ISA.
pub(super) struct Build<'a> {
    program: &'static Program,
    isa: Isa,
    tools: Tools<'a>,
    sources: &'a Path,
    scratch: &'a Path,
    /// The files to compile, in the sources' directory.
    files: Vec<String>,
    /// The runtime library of the program's language, if it is not C.
    library: Option<PathBuf>,
}

impl<'a> Build<'a> {
    /// Finds the files of a program.
    ///
    /// # Errors
    /// Says which directory cannot be read or made, or that there are no files.
    pub(super) fn new(
        program: &'static Program,
        isa: Isa,
        tools: Tools<'a>,
        sources: &'a Path,
        scratch: &'a Path,
    ) -> Result<Self, String> {
        let files = matching(sources, program.files)?;
        let first = files.first().ok_or("there are no such files")?;
        let library = match Language::of(first) {
            Language::C => None,
            Language::Cxx => Some(import::library(isa, "libstdc++.so.6").into()),
            Language::Rust => Some(import::shared_std(isa)?),
        };
        fs::create_dir_all(scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
        Ok(Build {
            program,
            isa,
            tools,
            sources,
            scratch,
            files,
            library,
        })
    }

    /// Returns the words that run the native program.
    ///
    /// # Errors
    /// Returns what a compiler reported.
    pub(super) fn native(&self) -> Result<Vec<OsString>, String> {
        self.all(|file| self.compile(file, Product::Native))?;
        let mut words = self.emulation();
        words.push(self.link("native")?.into());
        Ok(words)
    }

    fn emulation(&self) -> Vec<OsString> {
        self.isa.emulation().into_iter().map(Into::into).collect()
    }

    /// Imports what LLVM's compilers make of the files; returns what that and theirs take.
    ///
    /// # Errors
    /// Returns what a compiler or `mir` reported.
    pub(super) fn import(&self) -> Result<Compiling, String> {
        self.all(|file| self.compile(file, Product::LlvmIr))?;
        let (made, llvm) = metered(|| self.all(|file| self.compile(file, Product::Object)));
        made?;
        let (made, import) = metered(|| {
            self.all(|file| {
                let mut mir = Command::new(self.tools.compiler);
                mir.args(["import", "--target", self.isa.name()]);
                mir.arg(self.made(file, "ll"));
                command::succeed(mir.arg("-o").arg(self.made(file, "bmir")), COMPILE_LIMIT)
            })
        });
        made?;
        let (made, objects) = metered(|| self.objects("-O2"));
        made?;
        Ok(Compiling {
            llvm,
            import,
            objects,
        })
    }

    /// Returns the words that run the program in a way, to which its arguments are added.
    ///
    /// # Errors
    /// Returns what `mir obj` or the linker reported.
    pub(super) fn words_of(&self, way: &Way) -> Result<Vec<OsString>, String> {
        let mut words = self.emulation();
        match way.engine {
            Engine::Run(options) => {
                words.extend([self.tools.runner.into(), "run".into()]);
                words.extend(options.iter().map(Into::into));
                if let Some(library) = &self.library {
                    words.extend(["-l".into(), library.into()]);
                }
                let programs = self.files.iter().map(|file| self.made(file, "bmir").into());
                words.extend(programs);
                words.push("--".into());
            }
            Engine::Objects(level) => {
                self.objects(level)?;
                words.push(self.link(level)?.into());
            }
        }
        Ok(words)
    }

    /// Runs the program's script in an empty directory.
    ///
    /// # Errors
    /// Says which directory cannot be made.
    pub(super) fn run(&self, way: &str, words: &[OsString]) -> Result<Outcome, String> {
        let directory = self.scratch.join("run").join(way);
        let _ = fs::remove_dir_all(&directory);
        let made = fs::create_dir_all(&directory);
        made.map_err(|error| format!("{}: {error}", directory.display()))?;
        // This stops what the shell has started, too.
        let mut timeout = Command::new("timeout");
        timeout.args(["--kill-after=5", &RUN_LIMIT.to_string()]);
        timeout.args(["sh", "-e", "-c", self.program.script, "sh"]);
        timeout.args(words).current_dir(&directory);
        timeout.env("SOURCES", self.sources);
        timeout.env("OWN", sources::own());
        let limit = Duration::from_secs(RUN_LIMIT + 10);
        let (outcome, time) = metered(|| command::run(&mut timeout, limit));
        Ok(Outcome {
            stdout: outcome.stdout,
            status: outcome.status,
            stderr: outcome.stderr,
            time,
        })
    }

    /// Returns the path of what is made of a file.
    fn made(&self, file: &str, extension: &str) -> PathBuf {
        let name = file.replace('/', "-");
        self.scratch.join(format!("{name}.{extension}"))
    }

    fn all(&self, work: impl Fn(&str) -> Result<(), String> + Sync) -> Result<(), String> {
        let files = self.files.iter().collect();
        on_all(files, |file: &String| work(file))
            .into_iter()
            .collect()
    }

    fn objects(&self, level: &str) -> Result<(), String> {
        self.all(|file| {
            let mut mir = Command::new(self.tools.compiler);
            mir.args(["obj", level, "--target", self.isa.name()]);
            mir.arg(self.made(file, "bmir"));
            let object = self.made(file, &format!("{level}.o"));
            command::succeed(mir.arg("-o").arg(object), COMPILE_LIMIT)
        })
    }

    fn compile(&self, file: &str, product: Product) -> Result<(), String> {
        let mut compiler = match (Language::of(file), product) {
            (Language::Rust, product) => self.rustc(product),
            (Language::C, Product::Native) => Command::new(self.isa.gcc()),
            (Language::Cxx, Product::Native) => Command::new(self.isa.gxx()),
            (_, _) => Command::new("clang-22"),
        };
        if Language::of(file) != Language::Rust {
            compiler.args(C_OPTIONS).arg("-pthread");
            match product {
                Product::Native => compiler.arg("-c"),
                Product::Object => compiler.args(import::flags_of(self.isa)).arg("-c"),
                Product::LlvmIr => compiler
                    .args(import::flags_of(self.isa))
                    .args(SCALAR_C)
                    .args(["-S", "-emit-llvm"]),
            };
        }
        let extension = match product {
            Product::Native => "native.o",
            Product::Object => "llvm.o",
            Product::LlvmIr => "ll",
        };
        compiler.args(self.program.options).arg(file);
        compiler.arg("-o").arg(self.made(file, extension));
        command::succeed(compiler.current_dir(self.sources), COMPILE_LIMIT)
    }

    /// Returns Rust's compiler, but for the file and its output.
    fn rustc(&self, product: Product) -> Command {
        let mut rustc = Command::new("rustc");
        rustc.args(["--edition=2024", "--target", self.isa.triple()]);
        rustc.args(["-C", "opt-level=2", "-C", "codegen-units=1"]);
        match product {
            Product::Native | Product::Object => rustc.arg("--emit=obj"),
            Product::LlvmIr => rustc.arg("--emit=llvm-ir").args(SCALAR_RUST),
        };
        rustc
    }

    /// Links the objects of a level, or the native ones; returns the program.
    fn link(&self, kind: &str) -> Result<PathBuf, String> {
        let program = self.scratch.join(format!("{kind}.exe"));
        let objects = self.files.iter();
        let objects = objects.map(|file| self.made(file, &format!("{kind}.o")));
        let mut gcc = Command::new(self.isa.gcc());
        gcc.args(objects).arg("-o").arg(&program);
        if let Some(library) = &self.library {
            let directory = library.parent().unwrap_or(library);
            gcc.arg(library);
            gcc.arg(format!("-Wl,-rpath,{}", directory.display()));
        }
        command::succeed(gcc.args(["-lm", "-pthread"]), COMPILE_LIMIT)?;
        Ok(program)
    }
}

/// Returns the files in `directory` that patterns of [`Program::files`] choose, in order.
fn matching(directory: &Path, patterns: &[&str]) -> Result<Vec<String>, String> {
    let mut files = Vec::new();
    for pattern in patterns {
        if let Some(name) = pattern.strip_prefix('!') {
            files.retain(|file| file != name);
            continue;
        }
        let Some((start, end)) = pattern.split_once('*') else {
            files.push((*pattern).to_owned());
            continue;
        };
        let (folder, start) = start.rsplit_once('/').unwrap_or((".", start));
        let entries = fs::read_dir(directory.join(folder));
        let entries = entries.map_err(|error| format!("{folder}: {error}"))?;
        let names = entries.flatten().map(|entry| entry.file_name());
        let mut names: Vec<String> = names
            .filter_map(|name| name.into_string().ok())
            .filter(|name| name.starts_with(start) && name.ends_with(end))
            .collect();
        names.sort_unstable();
        files.extend(names.into_iter().map(|name| match folder {
            "." => name,
            folder => format!("{folder}/{name}"),
        }));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::{Duration, Outcome, matching};
    use std::fs;

    #[test]
    fn patterns_choose_files_in_order() {
        let directory = tempfile::tempdir().expect("a directory");
        fs::create_dir(directory.path().join("src")).expect("a directory in it");
        for name in ["main.c", "b.c", "a.c", "a.h", "src/z.c", "src/y.c"] {
            fs::write(directory.path().join(name), "").expect("a file");
        }
        let chosen =
            |patterns: &[&str]| matching(directory.path(), patterns).expect("they are read");
        assert_eq!(
            chosen(&["main.c", "src/*.c"]),
            ["main.c", "src/y.c", "src/z.c"]
        );
        assert_eq!(chosen(&["*.c", "!main.c"]), ["a.c", "b.c"]);
        assert!(matching(directory.path(), &["no/*.c"]).is_err());
    }

    #[test]
    fn outcomes_differ_by_output_and_status() {
        let outcome = |stdout: &str, status| Outcome {
            stdout: stdout.into(),
            status: Some(status),
            stderr: "why".into(),
            time: Duration::from_secs(2),
        };
        let native = outcome("a\nb\n", 0);
        assert_eq!(outcome("a\nb\n", 0).compare(&native), Ok(native.time));
        let other = outcome("a\nc\n", 0)
            .compare(&native)
            .expect_err("they differ");
        assert!(
            other.starts_with("line 2 is Some(\"c\"), natively Some(\"b\")"),
            "{other}"
        );
        let other = outcome("a\nb\n", 1)
            .compare(&native)
            .expect_err("they differ");
        assert!(
            other.starts_with("status Some(1), natively Some(0); why"),
            "{other}"
        );
    }
}
