//! Compiled code compared with `gcc -O2` and Cranelift: its speed, and the cost of compiling.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use mir_host::{HostPages, SystemAllocator};
use mir_nostd::binary::{self, ReadOptions, WriteOptions};
use mir_nostd::interp::Engine;
use mir_nostd::link::{Context, ContextOptions};
use mir_nostd::run::{Jit, Options};
use mir_nostd::target::Value;
use mir_nostd::text;
use mir_nostd::verify::Verified;

use crate::plots::Curve;
use crate::programs::{Program, cpu_seconds, geometric_mean};
use crate::reading::number;
use crate::{Bench, Figure, cranelift};

/// Programs whose time depends on the placement of their code.
const UNSTEADY: [&str; 5] = ["sieve", "methods", "strbuild", "vm", "heapsort"];

/// The number of levels.
const LEVELS: usize = 4;

/// The settings of Cranelift: quick compiling, or fast code.
const CRANELIFT: [(&str, &str); 2] = [
    ("none", "Cranelift single pass, us per insn"),
    ("speed", "Cranelift speed, us per insn"),
];

/// A way of running a program that is compared with `gcc -O2`.
pub struct Way {
    pub name: &'static str,
    kind: Kind,
    /// The floor and goal of the sixteen programs, and of others; `None` for other compilers.
    bounds: Option<[(f64, f64); 2]>,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Clang,
    /// Compiled code at a level, of Medium IR that nothing optimised.
    Level(usize),
    /// Compiled code at level 3 of what `clang -O2` makes.
    Optimised,
    /// Cranelift with a setting.
    Cranelift(&'static str),
    Interpreter,
}

/// The ways in the order of tables and plots.
pub static WAYS: [Way; 9] = [
    Way::new("clang -O2", Kind::Clang, None),
    Way::new("level 3 after clang -O2", Kind::Optimised, None),
    Way::new("level 3", Kind::Level(3), Some([(1.05, 0.92), (1.0, 0.94)])),
    Way::new("level 2", Kind::Level(2), Some([(1.12, 1.0), (1.05, 0.98)])),
    Way::new(
        "level 1",
        Kind::Level(1),
        Some([(1.36, 1.22), (1.36, 1.22)]),
    ),
    Way::new("level 0", Kind::Level(0), Some([(2.0, 1.6), (1.4, 1.25)])),
    Way::new("Cranelift speed", Kind::Cranelift("speed"), None),
    Way::new("Cranelift single pass", Kind::Cranelift("none"), None),
    Way::new(
        "interpreter",
        Kind::Interpreter,
        Some([(10.0, 5.0), (7.0, 5.5)]),
    ),
];

impl Way {
    const fn new(name: &'static str, kind: Kind, bounds: Option<[(f64, f64); 2]>) -> Self {
        Self { name, kind, bounds }
    }

    /// Returns the command that runs a program in this way; `None` if that was not built.
    fn command(&self, mir: &Path, program: &Program) -> Result<Option<Command>, String> {
        let (mut command, module) = match self.kind {
            Kind::Clang => return Ok(program.clang.as_ref().map(Command::new)),
            Kind::Level(level) => (compiled(mir, level), Some(&program.module)),
            Kind::Optimised => (compiled(mir, 3), program.optimised.as_ref()),
            Kind::Cranelift(speed) => (through_cranelift(speed)?, Some(&program.module)),
            Kind::Interpreter => {
                let mut command = Command::new(mir);
                command.args(["run", "--interp"]);
                (command, Some(&program.module))
            }
        };
        Ok(module.map(|module| {
            command.arg(module);
            command
        }))
    }

    /// Returns the name of the figure of the sixteen programs, or of a half of the others.
    pub fn what(&self, half: Option<&str>) -> String {
        let half = half.map_or(String::new(), |half| format!("{half}, "));
        format!("{half}{}, times gcc -O2", self.name)
    }

    /// Returns the figure of the sixteen programs, or of a half of the others.
    pub fn figure(&self, half: Option<&str>, value: Option<f64>) -> Figure {
        let what = self.what(half);
        match self.bounds {
            Some(bounds) => {
                let (floor, goal) = bounds[usize::from(half.is_some())];
                Figure::most(what, value, floor, goal)
            }
            None => Figure::other(what, value),
        }
    }
}

/// Returns the command that runs a program compiled at a level.
fn compiled(mir: &Path, level: usize) -> Command {
    let mut command = Command::new(mir);
    command.args(["run", "--jit", &format!("-O{level}"), "--time=json"]);
    command
}

/// Returns the command that runs a program through Cranelift.
fn through_cranelift(speed: &str) -> Result<Command, String> {
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(this);
    command.args([cranelift::WORD, speed]);
    Ok(command)
}

/// The name of a program, and what each way takes, times `gcc -O2`.
pub type Row<'p> = (&'p str, Vec<Option<f64>>);

/// Measures programs in some ways, and prints a line for each.
pub fn rows<'p, 'w>(
    programs: &'p [Program],
    ways: impl IntoIterator<Item = &'w Way> + Clone,
    mir: &Path,
    runs: usize,
) -> Result<Vec<Row<'p>>, String> {
    let names: Vec<_> = ways.clone().into_iter().map(|way| way.name).collect();
    eprintln!("gcc -O2, s; times that: {}", names.join(", "));
    let mut rows = Vec::new();
    for program in programs {
        let (name, expected) = (&program.name, &program.expected);
        let gcc = cpu_seconds(&mut Command::new(&program.native), expected, runs)?.max(1e-3);
        let mut ratios = Vec::new();
        for way in ways.clone() {
            let seconds = match way.command(mir, program)? {
                None => None,
                Some(mut command) => match cpu_seconds(&mut command, expected, runs) {
                    Err(_) if matches!(way.kind, Kind::Cranelift(_)) => None,
                    seconds => Some(seconds?),
                },
            };
            ratios.push(seconds.map(|seconds| seconds / gcc));
        }
        let shown = ratios.iter().map(|ratio| match ratio {
            Some(ratio) => format!("{ratio:7.2}"),
            None => "      -".into(),
        });
        let shown: String = shown.collect();
        eprintln!("{name:10} {gcc:5.2} {shown}");
        rows.push((name.as_str(), ratios));
    }
    Ok(rows)
}

/// Measures the speed of the code of the sixteen programs, at each level and through others.
pub fn speed(bench: &Bench) -> Result<Vec<Figure>, String> {
    let ways = WAYS
        .iter()
        .filter(|way| !matches!(way.kind, Kind::Optimised | Kind::Interpreter));
    let rows = rows(bench.programs()?, ways.clone(), bench.mir()?, bench.runs)?;
    let mut figures = Vec::new();
    for (number, way) in ways.enumerate() {
        let mean = |which: &dyn Fn(&str) -> bool| {
            let chosen = rows.iter().filter(|(name, _)| which(name));
            geometric_mean(chosen.filter_map(|(_, ratios)| ratios[number]))
        };
        figures.push(way.figure(None, mean(&|_| true)));
        if way.kind == Kind::Level(3) {
            let steady = mean(&|name| !UNSTEADY.contains(&name));
            figures.push(Figure::most(
                "level 3, the steady eleven",
                steady,
                1.08,
                0.96,
            ));
        }
    }
    Ok(figures)
}

/// Returns the report of a run.
fn report(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let row = said.lines().find(|line| line.starts_with('{'));
    row.map(String::from)
        .ok_or_else(|| format!("{command:?}: no times: {said}"))
}

/// Measures the cost of compiling: the random programs at each level and through Cranelift, and one
/// long function.
pub fn cost(bench: &Bench) -> Result<Vec<Figure>, String> {
    let (root, mir, runs) = (&bench.root, bench.mir()?, bench.runs);
    let programs = random_programs(root)?;
    let mut figures = Vec::new();
    let mut levels = Vec::new();
    for level in 0..LEVELS {
        let cost = micros_per_insn(&programs, runs, &|| Ok(compiled(mir, level)))?;
        levels.push(cost);
    }
    for (what, cost, floor, goal) in [
        ("compile at level 0, us per insn", levels[0], 0.4, 0.2),
        ("compile at level 1, us per insn", levels[1], 0.8, 0.4),
        ("compile at level 2, us per insn", levels[2], 1.5, 0.7),
        (
            "compile at level 3, times level 2",
            levels[3] / levels[2],
            2.0,
            1.5,
        ),
    ] {
        figures.push(Figure::most(what, Some(cost), floor, goal));
    }
    let translated: Vec<PathBuf> = programs
        .iter()
        .filter(|program| {
            through_cranelift("none").is_ok_and(|mut command| report(command.arg(program)).is_ok())
        })
        .cloned()
        .collect();
    let (count, all) = (translated.len(), programs.len());
    eprintln!("through Cranelift: {count} of the {all} random programs");
    for (speed, what) in CRANELIFT {
        let cost = micros_per_insn(&translated, runs, &|| through_cranelift(speed))?;
        figures.push(Figure::other(what, Some(cost)));
    }
    figures.extend(growth(bench, mir)?);
    let _ = bench.growth.set(curves(bench, mir)?);
    Ok(figures)
}

fn random_programs(root: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(root.join("corpus/csmith")).map_err(|error| error.to_string())?;
    let files = entries.flatten().map(|entry| entry.path());
    let mut files: Vec<_> = files
        .filter(|file| {
            file.extension()
                .is_some_and(|extension| extension == "bmir")
        })
        .collect();
    files.sort();
    Ok(files)
}

/// Returns the best of `runs` for each program, which other load on the machine affects least.
fn micros_per_insn(
    programs: &[PathBuf],
    runs: usize,
    command: &dyn Fn() -> Result<Command, String>,
) -> Result<f64, String> {
    let (mut micros, mut insns) = (0.0, 0.0);
    for program in programs {
        let mut least = f64::INFINITY;
        let mut read = 0.0;
        for _ in 0..runs {
            let row = report(command()?.arg(program))?;
            least = least.min(number(&row, "compile_us")?);
            read = number(&row, "insns")?;
        }
        micros += least;
        insns += read;
    }
    Ok(micros / insns)
}

/// Returns the time for an instruction of functions of several lengths at each level.
fn curves(bench: &Bench, mir: &Path) -> Result<Vec<Curve>, String> {
    let file = bench.root.join("benches/target/long.mir");
    let mut curves = Vec::new();
    for level in 0..LEVELS {
        let name = format!("level {level}");
        let points = Vec::new();
        curves.push(Curve { name, points });
    }
    for pieces in [60, 250, 1000, 4000, 16_000] {
        fs::write(&file, long_function(pieces)).map_err(|error| error.to_string())?;
        for (level, curve) in curves.iter_mut().enumerate() {
            let mut least = f64::INFINITY;
            let mut insns = 0.0;
            for _ in 0..bench.runs {
                let row = report(compiled(mir, level).arg(&file))?;
                insns = number(&row, "insns")?;
                least = least.min(number(&row, "compile_us")? / insns);
            }
            curve.points.push((insns, least));
        }
    }
    Ok(curves)
}

/// Measures how time and memory for one function grow with its length.
fn growth(bench: &Bench, mir: &Path) -> Result<Vec<Figure>, String> {
    let (file, runs) = (bench.root.join("benches/target/long.mir"), bench.runs);
    let measure = |pieces: usize, level: usize| {
        fs::write(&file, long_function(pieces)).map_err(|error| error.to_string())?;
        let mut least = (f64::INFINITY, 0.0);
        for _ in 0..runs {
            let row = report(compiled(mir, level).arg(&file))?;
            let insns = number(&row, "insns")?;
            let micros = number(&row, "compile_us")? / insns;
            least = (
                least.0.min(micros),
                number(&row, "compile_peak_bytes")? / insns,
            );
        }
        Ok::<_, String>(least)
    };
    let (short, _) = measure(125, 2)?;
    let (long, bytes) = measure(16_000, 2)?;
    let (_, quick_bytes) = measure(16_000, 0)?;
    Ok(vec![
        Figure::most(
            "growth, 144,000 insns against 1,100",
            Some(long / short),
            2.0,
            1.3,
        ),
        Figure::most(
            "peak memory, level 0, bytes per insn",
            Some(quick_bytes),
            400.0,
            200.0,
        ),
        Figure::most(
            "peak memory, level 2, bytes per insn",
            Some(bytes),
            1200.0,
            600.0,
        ),
    ])
}

/// Returns a function made of pieces of nine instructions and labels, in sixteen variables.
fn long_function(pieces: usize) -> String {
    let variables: Vec<_> = (0..16).map(|number| format!("i64:v{number}")).collect();
    let mut source = format!(
        "m: module\n  export main, seeds\nseeds: bss 128\nmain: func i64\n  local {}, i64:t, i64:p\n  mov p, seeds\n",
        variables.join(", ")
    );
    for number in 0..16 {
        source += &format!(
            "  add v{number}, i64:{}(p), {}\n",
            number * 8,
            number * 7 + 1
        );
    }
    for piece in 0..pieces {
        let (a, b, c) = (piece % 16, (piece * 5 + 3) % 16, (piece * 11 + 7) % 16);
        source += &format!(
            "  and t, v{a}, {}\n  beq e{piece}, t, 0\n  add v{b}, v{b}, v{c}\n  xor v{c}, v{c}, v{a}\n  jmp j{piece}\n\
             e{piece}:\n  sub v{b}, v{b}, {piece}\n  or v{a}, v{a}, 1\nj{piece}:\n",
            piece % 61 + 1
        );
    }
    source + "  and v0, v0, 63\n  ret v0\n  endfunc\n  endmodule\n"
}

/// Measures the time from the bytes of a program to the result of its only function of fifteen
/// instructions, compiled at level 0.
pub fn first_call(_: &Bench) -> Result<Vec<Figure>, String> {
    let target = &target_x86_64::TARGET;
    let middle = "add r, r, a\n mul a, a, 3\n".repeat(6);
    let source = format!(
        "m: module\n export f\nf: func i64, i64:a\n local i64:r\n mov r, a\n {middle} xor r, r, a\n ret r\n endfunc\n endmodule\n"
    );
    let modules = text::parse(
        source.as_bytes(),
        &SystemAllocator,
        target.long_double,
        &mut |_| (),
    );
    let modules = modules.map_err(|error| error.to_string())?;
    let options = WriteOptions::new(target.big_endian);
    let program = binary::write(&modules, &SystemAllocator, &options);
    let program = program.map_err(|error| error.to_string())?;
    let mut least = f64::INFINITY;
    for _ in 0..200 {
        least = least.min(compile_and_call(&program)?);
    }
    Ok(vec![Figure::most(
        "bytes to first compiled call, us",
        Some(least),
        80.0,
        30.0,
    )])
}

/// Returns the microseconds until the call has returned, from scratch; freeing is not included.
fn compile_and_call(program: &[u8]) -> Result<f64, String> {
    let start = Instant::now();
    let target = &target_x86_64::TARGET;
    let engine = Engine::new();
    let mut options = ContextOptions::new(&SystemAllocator, target, &engine);
    options.native = Some(&target_x86_64::NATIVE);
    options.pages = Some(&HostPages);
    let context = Context::new(options);
    let options = ReadOptions::new(target.long_double, target.big_endian);
    let modules = binary::read(program, &SystemAllocator, &options);
    let module = modules.map_err(|error| error.to_string())?.pop();
    let verified = Verified::new(module.ok_or("no module")?, target, &mut |_| ());
    let verified = verified.map_err(|rejected| rejected.error.to_string())?;
    // SAFETY: the program touches no memory.
    unsafe { context.load(verified) }.map_err(|error| error.to_string())?;
    context
        .link(&mut |_| None)
        .map_err(|error| error.to_string())?;
    let options = Options {
        codegen: mir_nostd::codegen::Options {
            level: 0,
            ..Default::default()
        },
        ..Options::default()
    };
    let (isa, native) = (&target_x86_64::ISA, &target_x86_64::NATIVE);
    let jit = Jit::new(&context, isa, native, &HostPages, options);
    let jit = jit.map_err(|error| error.to_string())?;
    let function = context.find_func(b"f").ok_or("no function")?;
    jit.compile(function)
        .map_err(|error| format!("{error:?}"))?;
    let mut results = [Value::ZERO];
    // SAFETY: the program touches no memory.
    let called = unsafe { jit.call(function, &[Value::from_i64(3)], &mut results) };
    let micros = start.elapsed().as_secs_f64() * 1e6;
    called.map_err(|error| format!("{error:?}"))?;
    Ok(micros)
}
