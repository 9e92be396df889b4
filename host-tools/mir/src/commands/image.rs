//! `mir image`: programs compiled ahead of time and linked, for devices without a compiler.

use crate::commands::run::size;
use crate::dependencies::DepfileArg;
use crate::diagnostics::Diagnostics;
use crate::failure::{Failure, Refusal, Result};
use crate::image::{self, Confinable, Settings, Signatures};
use crate::input::{InputArgs, Source};
use crate::object;
use crate::object::support::Ends;
use crate::output::OutputArg;
use crate::threads::{ThreadsArg, in_order};
use mir_image::Limits;
use mir_nostd::codegen::Fuel;
use mir_nostd::ir::{ItemKind, Module};
use mir_nostd::verify::Verified;

/// Compile and link programs to an image for a device without a compiler
///
/// An image has code that runs wherever it lies, in flash too, the first contents of the program's
/// memory, and tables of imports and exports by name and signature. The crate `mir-image` loads it
/// (docs/images.md), and `mir run` on a machine of the ISA.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mir image --target riscv64 -O2 main.mir library.bmir -o program.mimg
  mir image --target riscv64 --distance 0x60000000 program.mir -o program.mimg")]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    output: OutputArg,
    #[command(flatten)]
    depfile: DepfileArg,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    code: object::CodeArg,
    /// The bytes from the start of the image, where it will lie, to the program's memory, negative
    /// if that comes first [default: to the next 64 KiB after the image]
    #[arg(long, value_name = "BYTES", value_parser = distance, allow_hyphen_values = true)]
    distance: Option<i64>,
    /// Charge fuel, the number in the exported variable `mir_fuel`, as `mir run --fuel` does; where
    /// there is too little the code ends as by a fault
    #[arg(long)]
    fuel: bool,
    /// Have functions check that the stack stays above the address in the exported variable
    /// `mir_stack_limit`
    #[arg(long)]
    stack_limit: bool,
    /// Confine the program to so many bytes of memory (1 MiB if none are said, `K`, `M` and `G`
    /// count), with what it uses of a C library, fuel and a limit of the stack
    #[arg(long, value_name = "SIZE", num_args = 0..=1, require_equals = true, default_missing_value = "1M", value_parser = size)]
    confined: Option<usize>,
    /// Let whoever loads the confined program grant it windows: memory beside its own, at addresses
    /// from 2^33 on
    #[arg(long, requires = "confined")]
    windows: bool,
    /// Prove that what is made of the confined program accesses only what it may
    #[arg(long, requires = "confined")]
    check_confinement: bool,
}

/// Returns the number that a word says, in decimal or after `0x` in hexadecimal.
fn distance(word: &str) -> core::result::Result<i64, String> {
    let (sign, digits) = match word.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, word),
    };
    let number = match digits.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    let number = number.ok().filter(|&number| number >= 0);
    number
        .map(|number| sign * number)
        .ok_or_else(|| "a number of bytes is wanted".into())
}

pub(crate) fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    args.depfile.check(args.output.path())?;
    let isa = args.code.isa();
    let programs = programs(args, diagnostics)?;
    if let Some(bytes) = args.confined {
        return confine(args, programs, bytes, diagnostics);
    }
    let (objects, signatures) = compile(args, &programs, diagnostics)?;
    let limits = [(args.fuel, Limits::FUEL), (args.stack_limit, Limits::STACK)];
    let limits = limits.iter().filter(|(is_kept, _)| *is_kept);
    let settings = Settings {
        distance: args.distance,
        limits: Limits(limits.map(|(_, limit)| limit.0).sum()),
    };
    let made = image::make(isa, &objects, &signatures, settings, None);
    let bytes = made.map_err(|refusal| programs[0].0.refuse(refusal, diagnostics))?;
    let sources: Vec<Source> = programs.into_iter().map(|(source, _)| source).collect();
    finish(args, &bytes, &sources)
}

fn finish(args: &Args, bytes: &[u8], sources: &[Source]) -> Result<()> {
    args.output.write_binary(bytes)?;
    args.depfile.write(&[(args.output.path(), sources)])
}

/// Makes an image of programs that are one, confined to so many bytes.
fn confine(
    args: &Args,
    programs: Vec<Program>,
    bytes: usize,
    diagnostics: &Diagnostics,
) -> Result<()> {
    let mut options = args.code.options()?;
    options.codegen.check_confinement = args.check_confinement;
    let (sources, modules): (Vec<Source>, Vec<_>) = programs.into_iter().unzip();
    let program = Confinable {
        modules: modules.into_iter().flatten().collect(),
        libraries: Vec::new(),
        imports: None,
        bytes,
        options: mir_nostd::confined::Options {
            windows: args.windows,
            ..Default::default()
        },
    };
    let threads = args.threads.count();
    let made = image::confined::make(
        args.code.isa(),
        program,
        &sources[0],
        options,
        args.distance,
        threads,
    );
    let image = made.map_err(|refusal| sources[0].refuse(refusal, diagnostics))?;
    finish(args, &image, &sources)
}

/// A program with its modules.
type Program = (Source, Vec<Verified<'static>>);

/// Reads and checks the programs.
fn programs(args: &Args, diagnostics: &Diagnostics) -> Result<Vec<Program>> {
    let isa = args.code.isa();
    let sources = args.input.sources().collect::<Result<Vec<_>>>()?;
    let check = |source: Source| {
        let verified = Diagnostics::kept(|kept| source.verified(isa, kept));
        (source, verified)
    };
    let mut programs = Vec::new();
    let threads = args.threads.count();
    in_order(threads, sources, check, |(source, (verified, findings))| {
        for finding in &findings {
            diagnostics.report(&source.name, &source.bytes, finding);
        }
        programs.push((source, verified?));
        match diagnostics.has_denied() {
            true => Err(Failure::Program),
            false => Ok(()),
        }
    })?;
    Ok(programs)
}

/// Compiles each program to an object; returns the signatures of what they import and export too.
fn compile(
    args: &Args,
    programs: &[Program],
    diagnostics: &Diagnostics,
) -> Result<(Vec<Vec<u8>>, Signatures)> {
    let (mut objects, mut signatures) = (Vec::new(), Signatures::default());
    if let Ok(routines) = object::support::routines(args.code.isa().target(), Ends::Told) {
        signatures.add(routines.module());
    }
    let mut options = args.code.options()?;
    if args.fuel || args.stack_limit {
        options.limits.stack = args.stack_limit;
        options.limits.fuel = if args.fuel { Fuel::Final } else { Fuel::Free };
        objects.push(words(args, options, diagnostics)?);
    }
    let threads = args.threads.count();
    let within_each = if programs.len() > 1 { 1 } else { threads };
    let make = |program: &Program| {
        let (source, verified) = program;
        let modules: Vec<_> = verified.iter().map(|verified| verified.module()).collect();
        match modules.iter().find(|module| catches(module)) {
            Some(_) => Err("images have no unwinding, which exceptions need".into()),
            None => object::make(&modules, source, options, within_each),
        }
    };
    for (_, verified) in programs {
        verified
            .iter()
            .for_each(|verified| signatures.add(verified.module()));
    }
    let mut sources = programs.iter().map(|(source, _)| source);
    in_order(threads, programs.iter().collect(), make, |made| {
        let source = sources.next();
        let refuse = |refusal: Refusal| match source {
            Some(source) => source.refuse(refusal, diagnostics),
            None => refusal.failure,
        };
        objects.push(made.map_err(refuse)?);
        Ok(())
    })?;
    Ok((objects, signatures))
}

/// Returns an object with the variables of the limits.
fn words(args: &Args, options: object::Options, diagnostics: &Diagnostics) -> Result<Vec<u8>> {
    let source = Source::new("limits", Vec::new());
    let words = object::support::words(args.code.isa().target(), options.limits);
    let written = (words.map_err(Refusal::from))
        .and_then(|words| object::make(&[words.module()], &source, options, 1));
    written.map_err(|refusal| source.refuse(refusal, diagnostics))
}

/// Returns whether a module catches exceptions.
fn catches(module: &Module<'_>) -> bool {
    let mut imports = module
        .items()
        .filter(|(_, item)| item.kind == ItemKind::Import);
    imports.any(|(_, item)| {
        item.name
            .is_some_and(|name| module.name_bytes(name) == b"mir_try")
    })
}
