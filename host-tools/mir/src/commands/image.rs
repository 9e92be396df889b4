//! `mir image`: programs compiled ahead of time and linked, for devices without a compiler.

use crate::dependencies::DepfileArg;
use crate::diagnostics::Diagnostics;
use crate::failure::{Failure, Refusal, Result};
use crate::image::{self, Settings, Signatures};
use crate::input::{InputArgs, Source};
use crate::object;
use crate::output::OutputArg;
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
    /// Not there yet: images of confined programs are refused
    #[arg(long)]
    confined: bool,
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
    if args.confined {
        let message = "images of confined programs are not made yet: mir run --confined has them";
        return Err(Failure::Usage(message.into()));
    }
    let isa = args.code.isa();
    let mut programs = Vec::new();
    for source in args.input.sources() {
        let source = source?;
        let verified = source.verified(isa, diagnostics)?;
        programs.push((source, verified));
    }
    let (objects, signatures) = compile(args, &programs, diagnostics)?;
    let limits = [(args.fuel, Limits::FUEL), (args.stack_limit, Limits::STACK)];
    let limits = limits.iter().filter(|(is_kept, _)| *is_kept);
    let settings = Settings {
        distance: args.distance,
        limits: Limits(limits.map(|(_, limit)| limit.0).sum()),
    };
    let made = image::make(isa, &objects, &signatures, settings);
    let bytes = made.map_err(|refusal| programs[0].0.refuse(refusal, diagnostics))?;
    args.output.write_binary(&bytes)?;
    let sources = programs.iter().map(|(source, _)| source);
    args.depfile.write(&args.output, sources)
}

/// A program with its modules.
type Program = (Source, Vec<Verified<'static>>);

/// Compiles each program to an object; returns the signatures of what they import and export too.
fn compile(
    args: &Args,
    programs: &[Program],
    diagnostics: &Diagnostics,
) -> Result<(Vec<Vec<u8>>, Signatures)> {
    let (mut objects, mut signatures) = (Vec::new(), Signatures::default());
    if let Ok(routines) = object::support::routines(args.code.isa().target()) {
        signatures.add(routines.module());
    }
    let mut options = args.code.options()?;
    if args.fuel || args.stack_limit {
        options.limits.stack = args.stack_limit;
        options.limits.fuel = if args.fuel { Fuel::Final } else { Fuel::Free };
        objects.push(words(args, options, diagnostics)?);
    }
    for (source, verified) in programs {
        let modules: Vec<_> = verified.iter().map(|verified| verified.module()).collect();
        modules.iter().for_each(|module| signatures.add(module));
        let written = match modules.iter().find(|module| catches(module)) {
            Some(_) => Err("images have no unwinding, which exceptions need".into()),
            None => object::write(&modules, source, options),
        };
        objects.push(written.map_err(|refusal| source.refuse(refusal, diagnostics))?);
    }
    Ok((objects, signatures))
}

/// Returns an object with the variables of the limits.
fn words(args: &Args, options: object::Options, diagnostics: &Diagnostics) -> Result<Vec<u8>> {
    let source = Source::new("limits", Vec::new());
    let words = object::support::words(args.code.isa().target(), options.limits);
    let written = (words.map_err(Refusal::from))
        .and_then(|words| object::write(&[words.module()], &source, options));
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
