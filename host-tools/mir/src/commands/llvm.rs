//! `mir llvm`: LLVM's Machine IR.

use crate::codes::Code;
use crate::diagnostics::{Diagnostics, Finding};
use crate::failure::{Failure, Result};
use crate::findings::finding_of_machine_ir;
use crate::input::{InputArg, Source};
use crate::output::OutputArg;
use llvm_mir::model::File;
use llvm_mir::target::{Isa, Triple};
use llvm_mir::{PrintOptions, ReadOptions};
use std::ffi::OsString;

/// Read, print and verify LLVM's Machine IR
///
/// The files are what `llc-22 -stop-after=PASS` writes for the five ISAs. LLVM itself is not
/// needed.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Print(PrintArgs),
    Verify(VerifyArgs),
}

/// Print a file as LLVM does
///
/// The output is that of `llc-22 -x mir -run-pass=none`: numbers are put in order, defaults written
/// out.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mir llvm print code.mir
  mir llvm print --simplify code.mir
  mir llvm print -mtriple=riscv64-linux-gnu -mattr=+d code.mir
  llc-22 -stop-after=finalize-isel < code.ll | mir llvm print")]
struct PrintArgs {
    #[command(flatten)]
    file: FileArgs,
    /// Leave out what is as it is by default, as LLVM's -simplify-mir
    #[arg(long)]
    simplify: bool,
    #[command(flatten)]
    output: OutputArg,
}

/// Check a file by the rules of LLVM's verifier
///
/// Says everything that is wrong, one line each; nothing if LLVM accepts the file.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mir llvm verify code.mir
  mir --json llvm verify -mtriple=s390x-linux-gnu code.mir")]
struct VerifyArgs {
    #[command(flatten)]
    file: FileArgs,
}

/// A file and the options of llc that apply to it, with one dash or two.
#[derive(clap::Args)]
struct FileArgs {
    #[command(flatten)]
    input: InputArg,
    /// The target, instead of the one that the file names
    #[arg(
        long,
        visible_alias = "triple",
        value_name = "TRIPLE",
        overrides_with = "mtriple"
    )]
    mtriple: Option<String>,
    /// The architecture, instead of the triple's, by LLVM's name
    #[arg(long, value_name = "ARCH", overrides_with = "march")]
    march: Option<String>,
    /// The processor
    #[arg(long, value_name = "CPU", overrides_with = "mcpu")]
    mcpu: Option<String>,
    /// Features of the target, several with commas or several times
    #[arg(
        long,
        value_name = "FEATURES",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    mattr: Vec<String>,
    /// Accept and print what is known of calls
    #[arg(long, overrides_with = "emit_call_site_info")]
    emit_call_site_info: bool,
    /// Check what is read, as `verify` always does
    #[arg(long, overrides_with = "verify_machineinstrs")]
    verify_machineinstrs: bool,
    /// The passes to run: none
    #[arg(long, value_name = "PASS", value_parser = ["none"], hide_possible_values = true)]
    run_pass: Vec<String>,
    /// The language of the file
    #[arg(short = 'x', value_name = "LANGUAGE", value_parser = ["mir"], hide_possible_values = true)]
    language: Vec<String>,
}

/// The options that llc takes with one dash, of which the command line's parser wants two.
const SINGLE_DASH: [&str; 7] = [
    "mtriple",
    "march",
    "mcpu",
    "mattr",
    "run-pass",
    "emit-call-site-info",
    "verify-machineinstrs",
];

/// Returns the words of the command line with two dashes where llc takes one.
pub(crate) fn with_two_dashes(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.collect();
    if !words.iter().any(|word| word == "llvm") {
        return words;
    }
    for word in &mut words {
        let text = word.to_str().and_then(|text| text.strip_prefix('-'));
        let name = text.map(|text| text.split('=').next().unwrap_or(text));
        if name.is_some_and(|name| SINGLE_DASH.contains(&name)) {
            *word = format!("--{}", text.unwrap_or_default()).into();
        }
    }
    words
}

impl FileArgs {
    /// Reads the file, and reports what is wrong with it.
    fn read(&self, diagnostics: &Diagnostics) -> Result<(Source, File)> {
        let source = self.input.source()?;
        let options = self.options(&source)?;
        let file = llvm_mir::read(&source.bytes, &options).map_err(|error| {
            let finding = finding_of_machine_ir(error);
            diagnostics.report(&source.name, &source.bytes, &finding);
            Failure::Program
        })?;
        Ok((source, file))
    }

    fn options(&self, source: &Source) -> Result<ReadOptions> {
        let triple = match &self.mtriple {
            Some(text) => {
                let unknown = || Failure::Usage(format!("unknown target triple '{text}'"));
                Some(Triple::parse(text).ok_or_else(unknown)?)
            }
            None => None,
        };
        let arch = match &self.march {
            Some(text) => {
                let unknown = || Failure::Usage(format!("unknown architecture '{text}'"));
                Some(Isa::of_llvm(text).ok_or_else(unknown)?)
            }
            None => None,
        };
        let name = if source.is_standard_input() {
            "<stdin>"
        } else {
            &source.name
        };
        Ok(ReadOptions {
            name: name.into(),
            triple,
            arch,
            cpu: self.mcpu.clone().unwrap_or_default(),
            features: self.mattr.join(","),
            call_site_info: self.emit_call_site_info,
        })
    }
}

pub(crate) fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    match &args.command {
        Command::Print(args) => print(args, diagnostics),
        Command::Verify(args) => verify(args, diagnostics),
    }
}

fn print(args: &PrintArgs, diagnostics: &Diagnostics) -> Result<()> {
    let (source, file) = args.file.read(diagnostics)?;
    if args.file.verify_machineinstrs {
        report(&source, &file, diagnostics)?;
    }
    let options = PrintOptions {
        simplify: args.simplify,
        call_site_info: args.file.emit_call_site_info,
    };
    args.output.write(&llvm_mir::print(&file, options))
}

fn verify(args: &VerifyArgs, diagnostics: &Diagnostics) -> Result<()> {
    let (source, file) = args.file.read(diagnostics)?;
    report(&source, &file, diagnostics)
}

/// Reports everything that is wrong with a file; fails if there is something.
fn report(source: &Source, file: &File, diagnostics: &Diagnostics) -> Result<()> {
    let reports = llvm_mir::verify(file);
    for report in &reports {
        let block = report
            .block
            .map(|block| format!("bb.{block}: "))
            .unwrap_or_default();
        let finding = Finding {
            function: Some(report.function.clone()),
            insn: report
                .instruction
                .as_ref()
                .map(|insn| format!("{block}{insn}")),
            ..Finding::error(Code::MACHINE_IR, &report.message)
        };
        diagnostics.report(&source.name, &source.bytes, &finding);
    }
    if reports.is_empty() {
        Ok(())
    } else {
        Err(Failure::Program)
    }
}
