//! `mir llvm`: LLVM's Machine IR.

use crate::codes::Code;
use crate::diagnostics::{Diagnostics, Finding};
use crate::failure::{Failure, Result};
use crate::findings::finding_of_machine_ir;
use crate::input::{InputArg, Source};
use crate::output::OutputArg;
use llvm_mir::model::File;
use llvm_mir::target::Triple;
use llvm_mir::{PrintOptions, ReadOptions};

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
  mir llvm print --triple riscv64-linux-gnu --mattr +d code.mir
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
  mir --json llvm verify --triple s390x-linux-gnu code.mir")]
struct VerifyArgs {
    #[command(flatten)]
    file: FileArgs,
}

/// A file and the LLVM options that apply to it.
#[derive(clap::Args)]
struct FileArgs {
    #[command(flatten)]
    input: InputArg,
    /// The target, instead of the one that the file names
    #[arg(long, visible_alias = "mtriple", value_name = "TRIPLE")]
    triple: Option<String>,
    /// Features of the target, as LLVM's -mattr
    #[arg(
        long,
        value_name = "FEATURES",
        default_value = "",
        allow_hyphen_values = true
    )]
    mattr: String,
    /// Accept and print what is known of calls, as LLVM's option
    #[arg(long)]
    emit_call_site_info: bool,
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
        let triple = match &self.triple {
            Some(text) => {
                let unknown = || Failure::Usage(format!("unknown target triple '{text}'"));
                Some(Triple::parse(text).ok_or_else(unknown)?)
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
            features: self.mattr.clone(),
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
    let (_, file) = args.file.read(diagnostics)?;
    let options = PrintOptions {
        simplify: args.simplify,
        call_site_info: args.file.emit_call_site_info,
    };
    args.output.write(&llvm_mir::print(&file, options))
}

fn verify(args: &VerifyArgs, diagnostics: &Diagnostics) -> Result<()> {
    let (source, file) = args.file.read(diagnostics)?;
    let reports = llvm_mir::verify(&file);
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
