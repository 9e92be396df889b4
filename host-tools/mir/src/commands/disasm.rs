//! `mir disasm`: machine code beside the Machine IR that it comes from.

use crate::diagnostics::Diagnostics;
use crate::disassembly::{CodeLine, CodePiece, Disassembler};
use crate::failure::{Failure, Refusal, Result};
use crate::input::{InputArg, Source};
use crate::machine_ir::Names;
use crate::object::CodeArg;
use crate::output::OutputArg;
use core::fmt::Write;
use mir_nostd::codegen::{Compiler, Printed};
use mir_nostd::verify::Verified;

/// Show the machine code of a program beside its Machine IR
///
/// The code is that of `mir obj`: functions in the order of the file, one line per instruction with
/// its place, its bytes, its text, and after `;` the Machine IR that it was made of. What the
/// linker fills in is named after `->`.
#[derive(clap::Args)]
#[command(after_help = "Example: mir disasm --target s390x -O1 program.mir")]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArg,
    #[command(flatten)]
    output: OutputArg,
    #[command(flatten)]
    code: CodeArg,
}

pub(crate) fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let (source, isa) = (args.input.source()?, args.code.isa());
    let verified = source.verified(isa, diagnostics)?;
    list(args, &source, &verified, diagnostics)
}

/// Lists the code of a program.
pub(crate) fn list(
    args: &Args,
    source: &Source,
    verified: &[Verified<'static>],
    diagnostics: &Diagnostics,
) -> Result<()> {
    let options = args.code.options()?;
    let disassembler = Disassembler::new(args.code.isa().target())?;
    let mut names = Names::default();
    for (number, module) in verified.iter().enumerate() {
        names.declare(number, module.module());
    }
    let mut listing = String::new();
    let mut compiler = options.compiler();
    for (number, verified) in verified.iter().enumerate() {
        let module = verified.module();
        compiler.callees = options.known_callees(module).map_err(Failure::Usage)?;
        let kept = options.kept(module);
        for (func, _) in module.funcs().filter(|&(func, _)| kept.has(func)) {
            let name = crate::compiled::name(module, func);
            let offsets = compiler.compile(module, func).map_err(|error| {
                let refusal = Refusal::from(error).about(&name);
                source.refuse(refusal, diagnostics)
            })?;
            let pieces = disassembler.pieces(&compiler, &offsets, &mut names, (number, module));
            listing += &format!("{name}:\n{}\n", text(&compiler, &pieces));
        }
    }
    args.output.write(listing.as_bytes())
}

/// Returns the lines of a function's code.
fn text(compiler: &Compiler<'_>, pieces: &[CodePiece]) -> String {
    let printed = Printed {
        function: &compiler.function,
        isa: compiler.isa(),
    };
    let mut text = String::new();
    for piece in pieces {
        for block in &piece.blocks {
            let _ = writeln!(text, "{block:?}:");
        }
        let mut ir = format!("; {}", printed.insn(piece.insn));
        for CodeLine { at, bytes, words } in &piece.lines {
            let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            let line = format!("{at:6x}  {:30} {words}", hex.join(" "));
            let _ = writeln!(text, "{line:76} {ir}{}", piece.targets);
            ir = ";".into();
        }
    }
    text
}
