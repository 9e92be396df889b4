//! `cargo xtask programs`: real programs, compiled by clang and rustc to LLVM IR, imported, and run
//! in every way beside what gcc and rustc make of them (docs/programs.md).
//!
//! A program is a row of [`table::PROGRAMS`], and nothing else in here knows one. What a program
//! prints and how it ends must be the same in every way as natively; the times of the same run are
//! compared.

mod build;
mod report;
mod sources;
mod table;
mod ways;

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;

use crate::isa::Isa;
use crate::{runners, setup, workspace};
use build::{Build, Tools};
use report::Report;
use table::{PROGRAMS, Program};
use ways::{WAYS, Way};

/// Examples of the command, for its help.
const EXAMPLES: &str = "Examples:
  cargo xtask programs                              every program, every way, on every ISA
  cargo xtask programs lua --isa x86_64 --way O2    one program at one level on one ISA
  cargo xtask programs zlib --mir target/release/mir    with a command that is there

Sources are packages of Debian, fetched once into target/programs/sources. Outputs are compared
with those of the native program, and processor times with its own in the same run.";

/// `cargo xtask programs`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The programs; all without one
    #[arg(value_name = "NAME", value_parser = names())]
    names: Vec<String>,
    /// Only this ISA (may be given several times); all five without it
    #[arg(long = "isa", value_name = "ISA")]
    isas: Vec<Isa>,
    /// Only this way of running (may be given several times); all without it
    #[arg(long = "way", value_name = "WAY", value_parser = way_names())]
    ways: Vec<String>,
    /// The `mir` to use on this machine, instead of one that is built
    #[arg(long, value_name = "FILE")]
    mir: Option<PathBuf>,
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(PROGRAMS.iter().map(|program| program.name))
}

fn way_names() -> PossibleValuesParser {
    PossibleValuesParser::new(WAYS.iter().map(|way| way.name))
}

impl Args {
    fn programs(&self) -> impl Iterator<Item = &'static Program> {
        let is_chosen = |name| self.names.is_empty() || self.names.iter().any(|it| it == name);
        PROGRAMS
            .iter()
            .filter(move |program| is_chosen(program.name))
    }

    fn ways(&self) -> Vec<&'static Way> {
        let is_chosen = |name| self.ways.is_empty() || self.ways.iter().any(|it| it == name);
        WAYS.iter().filter(|way| is_chosen(way.name)).collect()
    }

    fn isas(&self) -> Vec<Isa> {
        Isa::all()
            .filter(|isa| self.isas.is_empty() || self.isas.contains(isa))
            .collect()
    }

    /// Returns the `mir` that runs programs of an ISA.
    fn mir(&self, isa: Isa) -> Result<PathBuf, String> {
        match &self.mir {
            Some(mir) if isa.is_host() => mir
                .canonicalize()
                .map_err(|error| format!("{}: {error}", mir.display())),
            _ => runners::build_for_tests(isa),
        }
    }

    /// Returns the `mir` of this machine.
    fn compiler(&self) -> Result<PathBuf, String> {
        let host = Isa::all().find(|isa| isa.is_host());
        self.mir(host.ok_or("this machine is of no ISA that programs are compiled for")?)
    }
}

/// Runs the programs that were asked for, each on each ISA that it is meant for, and prints a
/// table.
///
/// # Errors
/// Says what is missing, or how many programs differ from what they are natively.
pub(crate) fn run(args: &Args) -> Result<(), String> {
    let isas = args.isas();
    setup::ensure(&isas)?;
    let ways = args.ways();
    let mut report = Report::new(&ways);
    let compiler = args.compiler()?;
    for isa in isas {
        let runner = match ways.iter().any(|way| way.needs_runner()) {
            true => args.mir(isa)?,
            false => compiler.clone(),
        };
        let tools = Tools {
            compiler: &compiler,
            runner: &runner,
        };
        for program in args.programs().filter(|program| program.runs_on(isa)) {
            println!("{} on {}", program.name, isa.name());
            match measure(program, isa, tools, &ways, &mut report) {
                Ok(()) => {}
                Err(message) => report.fail(program, isa, message),
            }
        }
    }
    report.print();
    report.verdict()
}

/// Builds a program, runs it natively and in each of `ways`, and notes what came out.
fn measure(
    program: &'static Program,
    isa: Isa,
    tools: Tools<'_>,
    ways: &[&'static Way],
    report: &mut Report,
) -> Result<(), String> {
    let sources = sources::fetch(program)?;
    let scratch = workspace::target()
        .join("programs")
        .join(isa.name())
        .join(program.name);
    let build = Build::new(program, isa, tools, &sources, &scratch)?;
    let (native, compiling) = (build.native()?, build.import()?);
    let expected = build.run("native", &native)?;
    if expected.is_silent() {
        return Err("the native program prints nothing".into());
    }
    let mut cells = Vec::new();
    for way in ways {
        let run = || {
            let outcome = build.run(way.name, &build.words_of(way)?)?;
            outcome.compare(&expected)
        };
        cells.push(program.runs_in(way).then(run));
    }
    report.add(program, isa, expected.time, compiling, cells);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::table::PROGRAMS;
    use super::{EXAMPLES, WAYS};
    use clap::Parser;
    use std::collections::BTreeSet;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        args: super::Args,
    }

    #[test]
    fn names_are_chosen_and_unknown_ones_refused() {
        let parse = |words: &[&str]| Command::try_parse_from([&["programs"], words].concat());
        let all = parse(&[]).expect("no names");
        assert_eq!(all.args.programs().count(), PROGRAMS.len());
        assert_eq!(
            (all.args.ways().len(), all.args.isas().len()),
            (WAYS.len(), 5)
        );
        let one = parse(&["lua", "--way", "O2", "--isa", "s390x"]).expect("a name");
        let names: Vec<&str> = one.args.programs().map(|program| program.name).collect();
        assert_eq!(names, ["lua"]);
        assert_eq!((one.args.ways().len(), one.args.isas().len()), (1, 1));
        for words in [["emacs"].as_slice(), &["--way", "O9"], &["--isa", "vax"]] {
            assert!(parse(words).is_err(), "{words:?}");
        }
    }

    #[test]
    fn programs_and_ways_have_names_of_their_own() {
        let programs: BTreeSet<&str> = PROGRAMS.iter().map(|program| program.name).collect();
        assert_eq!(programs.len(), PROGRAMS.len());
        let ways: BTreeSet<&str> = WAYS.iter().map(|way| way.name).collect();
        assert_eq!(ways.len(), WAYS.len());
        assert!(EXAMPLES.contains("--isa") && EXAMPLES.contains("--way"));
        // Objects run without a `mir` of their ISA.
        for way in &WAYS {
            assert_eq!(way.needs_runner(), !way.name.starts_with("obj"));
        }
    }
}
