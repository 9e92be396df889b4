//! `mir view`: a page that shows a program and what the compiler makes of it.

use crate::diagnostics::Diagnostics;
use crate::failure::{Failure, Result};
use crate::input::InputArg;
use crate::isa::{Isa, TargetArg};
use crate::object::{Options, support};
use crate::output::OutputArg;
use crate::view::{Build, Profile, Program};
use clap::ValueEnum;
use mir_nostd::codegen;
use mir_nostd::codegen::stage::HIGHEST_LEVEL;
use std::path::{Path, PathBuf};

/// Write a page that shows a program, what each stage of the compiler makes of it, and its machine
/// code
///
/// The page is one file for any browser and needs no network: source, Machine IR after each stage
/// with what changed, machine code, control-flow graphs, live intervals against registers, the
/// frame, time and memory by stage; levels and targets beside each other. Instructions are followed
/// through all of it. Programs are Medium IR as text or binary, or LLVM IR.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArg,
    #[command(flatten)]
    output: OutputArg,
    #[command(flatten)]
    target: TargetArg,
    /// Several ISAs beside each other, or all five
    #[arg(
        long,
        value_name = "ISA",
        value_delimiter = ',',
        conflicts_with = "target"
    )]
    on: Vec<Ways>,
    /// The levels to show [default: 0,1,2,3; with --on: 2]
    #[arg(short = 'O', value_name = "LEVELS", value_delimiter = ',')]
    #[arg(value_parser = clap::value_parser!(u8).range(0..=3))]
    levels: Vec<u8>,
    /// Show only this function; may be given several times
    #[arg(long, value_name = "NAME")]
    function: Vec<String>,
    /// Show how often blocks ran, as `mir run --profile` noted it
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
}

const EXAMPLES: &str = "Examples:
  mir view program.mir -o page.html
  mir view --on all --function main program.mir -o page.html
  mir view -O0,3 --target s390x program.ll -o page.html";

/// The word for one ISA or for all five.
#[derive(Clone, Debug)]
enum Ways {
    One(Isa),
    All,
}

impl ValueEnum for Ways {
    fn value_variants<'a>() -> &'a [Ways] {
        static ALL: std::sync::LazyLock<Vec<Ways>> =
            std::sync::LazyLock::new(|| Isa::all().map(Ways::One).chain([Ways::All]).collect());
        &ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(match self {
            Ways::One(isa) => isa.to_possible_value()?,
            Ways::All => clap::builder::PossibleValue::new("all"),
        })
    }
}

impl Args {
    /// Returns the targets and levels to show.
    fn builds(&self) -> Vec<Build> {
        let isas = self.on.iter().flat_map(|way| match way {
            Ways::One(isa) => vec![*isa],
            Ways::All => Isa::all().collect(),
        });
        let mut isas: Vec<Isa> = isas.collect();
        let levels = match (self.levels.as_slice(), isas.is_empty()) {
            ([], true) => &[0, 1, 2, 3],
            ([], false) => &[2][..],
            (levels, _) => levels,
        };
        if isas.is_empty() {
            isas.push(self.target.isa());
        }
        let mut builds: Vec<Build> = Vec::new();
        for (isa, level) in { isas.iter() }.flat_map(|&isa| levels.iter().map(move |&l| (isa, l))) {
            let level = level.min(HIGHEST_LEVEL);
            let same = |build: &Build| {
                build.isa.name() == isa.name() && build.options.codegen.level == level
            };
            if !builds.iter().any(same) {
                builds.push(Build {
                    isa,
                    options: options(isa, level),
                });
            }
        }
        builds
    }
}

/// Returns the options of code that `mir obj` makes.
fn options(isa: Isa, level: u8) -> Options {
    Options {
        backend: isa.backend(),
        codegen: codegen::Options {
            level,
            ..Default::default()
        },
        drop_inlined: false,
        lines: false,
        limits: mir_nostd::codegen::Limits::default(),
        ends: support::Ends::Told,
    }
}

/// Reads a profile: a line for each instruction that begins a block, with the name of the function,
/// the number of the instruction, and how often it ran.
fn read_profile(path: &Path) -> Result<Profile> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::file(path, &error))?;
    let mut profile = Profile::new();
    // Functions of one name in several modules are one here.
    for (number, line) in text.lines().enumerate() {
        let mut words = line.rsplitn(3, ' ');
        let count = words.next().and_then(|word| word.parse::<u64>().ok());
        let insn = words.next().and_then(|word| word.parse().ok());
        let (Some(name), Some(insn), Some(count)) = (words.next(), insn, count) else {
            let place = format!("{}:{}", path.display(), number + 1);
            return Err(Failure::Usage(format!(
                "{place}: a line of a profile is a function's name, the number of an instruction \
                 and a count"
            )));
        };
        let counts = profile.entry(name.into()).or_default();
        let known = counts.entry(insn).or_default();
        *known = known.saturating_add(count);
    }
    Ok(profile)
}

pub(crate) fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let source = args.input.source()?;
    let profile = args.profile.as_deref().map(read_profile).transpose()?;
    let page = Program {
        source: &source,
        builds: &args.builds(),
        only: &args.function,
        profile: profile.as_ref(),
        compares: !args.on.is_empty(),
    };
    args.output.write(&page.page(diagnostics)?)
}
