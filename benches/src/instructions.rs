//! Instructions that the sixteen programs and the thirty others execute under QEMU on the other
//! ISAs, as objects at level 3, compared with `gcc -O2`, and what compiling for them costs beside
//! `x86_64`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::others::{FLAGS, PLAIN, import};
use crate::programs::{compile, cpu_seconds, geometric_mean};
use crate::{Bench, Figure};

struct Isa {
    name: &'static str,
    /// The prefix of its gcc, and of the folder of its libraries.
    triple: &'static str,
    instructions: &'static str,
    /// The names of the figures of the two halves.
    halves: [&'static str; 2],
    cost: &'static str,
}

const ISAS: [Isa; 4] = [
    Isa {
        name: "aarch64",
        triple: "aarch64-linux-gnu",
        instructions: "aarch64, instructions, times gcc -O2",
        halves: [
            "aarch64, instructions of the seen half, times gcc -O2",
            "aarch64, instructions of the unseen half, times gcc -O2",
        ],
        cost: "aarch64, compile, times x86_64",
    },
    Isa {
        name: "ppc64le",
        triple: "powerpc64le-linux-gnu",
        instructions: "ppc64le, instructions, times gcc -O2",
        halves: [
            "ppc64le, instructions of the seen half, times gcc -O2",
            "ppc64le, instructions of the unseen half, times gcc -O2",
        ],
        cost: "ppc64le, compile, times x86_64",
    },
    Isa {
        name: "riscv64",
        triple: "riscv64-linux-gnu",
        instructions: "riscv64, instructions, times gcc -O2",
        halves: [
            "riscv64, instructions of the seen half, times gcc -O2",
            "riscv64, instructions of the unseen half, times gcc -O2",
        ],
        cost: "riscv64, compile, times x86_64",
    },
    Isa {
        name: "s390x",
        triple: "s390x-linux-gnu",
        instructions: "s390x, instructions, times gcc -O2",
        halves: [
            "s390x, instructions of the seen half, times gcc -O2",
            "s390x, instructions of the unseen half, times gcc -O2",
        ],
        cost: "s390x, compile, times x86_64",
    },
];

/// The halves of the thirty programs.
const HALVES: [&str; 2] = ["seen", "unseen"];

/// Programs that are linked for a fixed address lie below this one, libraries above.
const PROGRAM_END: u64 = 1 << 32;

/// Measures instructions executed and the cost of compiling, for each ISA.
pub fn figures(bench: &Bench) -> Result<Vec<Figure>, String> {
    let (root, mir, runs) = (&bench.root, bench.mir()?, bench.runs);
    let scratch = root.join("benches/target/instructions");
    fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    let plugin = scratch.join("count.so");
    let source = root.join("benches/src/count.c");
    run(Command::new("gcc")
        .args(["-O2", "-shared", "-fPIC"])
        .arg(source)
        .arg("-o")
        .arg(&plugin))?;
    let x86_64 = seconds(root, mir, &scratch, "x86_64", runs)?;
    let mut figures = Vec::new();
    for isa in &ISAS {
        let counting = Counting {
            root,
            mir,
            scratch: &scratch,
            plugin: &plugin,
            isa,
        };
        let ratio = counting.ratio().map_err(|error| {
            eprintln!("not measured: {error}");
        });
        let ratio = ratio.ok().flatten();
        figures.push(Figure::most(isa.instructions, ratio, 1.2, 1.0));
        for (half, what) in HALVES.iter().zip(isa.halves) {
            let ratio = counting.ratio_of_half(half).map_err(|error| {
                eprintln!("not measured: {error}");
            });
            figures.push(Figure::most(what, ratio.ok().flatten(), 1.15, 1.0));
        }
        let cost = seconds(root, mir, &scratch, isa.name, runs)? / x86_64;
        figures.push(Figure::most(isa.cost, Some(cost), 1.2, 1.0));
    }
    Ok(figures)
}

/// Returns the CPU seconds for compiling the programs of the corpus at level 2.
fn seconds(root: &Path, mir: &Path, scratch: &Path, isa: &str, runs: usize) -> Result<f64, String> {
    let mut all = 0.0;
    for name in names(root, isa)? {
        let mut command = Command::new(mir);
        command.args(["obj", "-O2", "--target", isa]);
        command.arg(root.join(format!("corpus/bmir/{isa}/{name}.bmir")));
        command.arg("-o").arg(scratch.join("cost.o"));
        all += cpu_seconds(&mut command, b"", runs)?;
    }
    Ok(all)
}

/// Returns the programs to measure: those that exist at measuring size.
pub fn names(root: &Path, isa: &str) -> Result<Vec<String>, String> {
    let folder = root.join("corpus/bmir/x86_64/full");
    let entries = fs::read_dir(folder).map_err(|error| error.to_string())?;
    let stems = entries.flatten().filter_map(|entry| {
        let stem = entry.path().file_stem()?.to_str()?.to_owned();
        let is_there = root.join(format!("corpus/bmir/{isa}/{stem}.bmir")).exists();
        is_there.then_some(stem)
    });
    let mut names: Vec<String> = stems.collect();
    names.sort();
    Ok(names)
}

struct Counting<'a> {
    root: &'a Path,
    mir: &'a Path,
    scratch: &'a Path,
    plugin: &'a Path,
    isa: &'a Isa,
}

impl Counting<'_> {
    /// Returns the geometric mean of the ratio of instructions executed to those of gcc's code.
    fn ratio(&self) -> Result<Option<f64>, String> {
        let (gcc, isa) = (format!("{}-gcc", self.isa.triple), self.isa.name);
        let mut ratios = Vec::new();
        let mut line = format!("{isa}:");
        for name in names(self.root, isa)? {
            let [theirs, ours, object] =
                ["gcc", "mir", "o"].map(|kind| self.scratch.join(format!("{isa}-{name}.{kind}")));
            let source = self.root.join(format!("corpus/c/{name}.c"));
            let flags = ["-O2", "-w", "-DSMALL", "-no-pie"];
            run(Command::new(&gcc)
                .args(flags)
                .arg(source)
                .arg("-lm")
                .arg("-o")
                .arg(&theirs))?;
            let module = self.root.join(format!("corpus/bmir/{isa}/{name}.bmir"));
            let mut mir = Command::new(self.mir);
            mir.args(["obj", "-O3", "--target", isa]);
            run(mir.arg(module).arg("-o").arg(&object))?;
            run(Command::new(&gcc)
                .arg("-no-pie")
                .arg(&object)
                .arg("-lm")
                .arg("-o")
                .arg(&ours))?;
            let (count, said) = self.count(&ours)?;
            // The output of gcc's code can differ, as gcc may round less often.
            let (wanted, _) = self.count(&theirs)?;
            if said != self.expected(&name)? {
                return Err(format!("{name} gives something else on {isa}"));
            }
            let ratio = count / wanted;
            line += &format!(" {name} {ratio:.2}");
            ratios.push(ratio);
        }
        eprintln!("{line}");
        Ok(geometric_mean(ratios))
    }

    /// Returns the same mean for a half of the thirty programs, checked against the output of gcc's
    /// code.
    fn ratio_of_half(&self, half: &str) -> Result<Option<f64>, String> {
        let (gcc, isa) = (format!("{}-gcc", self.isa.triple), self.isa.name);
        let system = format!("/usr/{}", self.isa.triple);
        let (target, include) = (
            format!("--target={}", self.isa.triple),
            format!("-I{system}/include"),
        );
        let mut options = [&PLAIN[..], &[target.as_str(), &include, "-DSMALL"]].concat();
        if isa == "riscv64" {
            options.extend(["-march=rv64gc", "-mabi=lp64d"]);
        }
        let folder = self.root.join("benches/programs").join(half);
        let entries = fs::read_dir(folder).map_err(|error| error.to_string())?;
        let mut sources: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        sources.sort();
        let mut ratios = Vec::new();
        let mut line = format!("{isa}, {half}:");
        for source in &sources {
            let name = source.file_stem().unwrap_or_default().to_string_lossy();
            let [theirs, ours, module, object] = ["half.gcc", "half.mir", "half.bmir", "half.o"]
                .map(|kind| self.scratch.join(format!("{isa}-{name}.{kind}")));
            let flags = [&FLAGS[..], &["-O2", "-DSMALL", "-no-pie", "-lm"]].concat();
            compile(&gcc, &flags, source, &theirs)?;
            import(self.mir, isa, &options, source, &module)?;
            let mut mir = Command::new(self.mir);
            mir.args(["obj", "-O3", "--target", isa]).arg(&module);
            run(mir.arg("-o").arg(&object))?;
            compile(&gcc, &["-no-pie", "-lm"], &object, &ours)?;
            let (count, said) = self.count(&ours)?;
            let (wanted, expected) = self.count(&theirs)?;
            if said != expected {
                return Err(format!("{name} gives something else on {isa}"));
            }
            let ratio = count / wanted;
            line += &format!(" {name} {ratio:.2}");
            ratios.push(ratio);
        }
        eprintln!("{line}");
        Ok(geometric_mean(ratios))
    }

    /// Returns the expected output of a program.
    fn expected(&self, name: &str) -> Result<Vec<u8>, String> {
        let isa = self.isa.name;
        let own = self.root.join(format!("corpus/expected/{isa}/{name}.txt"));
        let common = self.root.join(format!("corpus/expected/{name}.txt"));
        let file = if own.exists() { own } else { common };
        fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))
    }

    /// Returns the number of its own instructions that a program executes, and its output.
    fn count(&self, program: &Path) -> Result<(f64, Vec<u8>), String> {
        let out: PathBuf = program.with_extension("count");
        let plugin = format!(
            "{},out={},below={PROGRAM_END}",
            self.plugin.display(),
            out.display()
        );
        let mut qemu = Command::new(format!("qemu-{}", self.isa.name));
        qemu.arg("-L").arg(format!("/usr/{}", self.isa.triple));
        qemu.arg("-plugin").arg(plugin).arg(program);
        let output = qemu.env_clear().output();
        let output = output.map_err(|error| {
            format!(
                "qemu-{} (Debian's package qemu-user): {error}",
                self.isa.name
            )
        })?;
        let count = fs::read_to_string(&out).map_err(|error| {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            format!("{}: {error}; {said}", out.display())
        })?;
        let count = count
            .trim()
            .parse()
            .map_err(|_| format!("no count: {count}"))?;
        Ok((count, output.stdout))
    }
}

pub fn run(command: &mut Command) -> Result<(), String> {
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{command:?}: {said}"))
}
