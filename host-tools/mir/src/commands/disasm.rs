//! `mir disasm`: machine code beside the Machine IR that it comes from.

use crate::diagnostics::Diagnostics;
use crate::failure::{Failure, Refusal, Result};
use crate::input::{InputArg, Source};
use crate::isa::llvm_isa;
use crate::machine_ir::Names;
use crate::object::CodeArg;
use crate::output::OutputArg;
use capstone::Capstone;
use capstone::arch::{self, BuildsCapstone, BuildsCapstoneEndian, BuildsCapstoneExtraMode};
use core::fmt::Write;
use llvm_mir::target::Isa;
use mir_nostd::codegen::{Compiler, FixupTarget, Offsets, Printed};
use mir_nostd::ir::Module;
use mir_nostd::mem::Entity;
use mir_nostd::target::Target;
use mir_nostd::verify::Verified;

/// Show the machine code of a program beside its Machine IR
///
/// The code is that of `mir obj`: functions in the order of the file, one line per instruction with
/// its place, its bytes, its text, and behind `;` the Machine IR that it was made of. What the
/// linker fills in is named behind `->`.
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
    let disassembler = disassembler(args.code.isa().target())?;
    let mut names = Names::default();
    for (number, module) in verified.iter().enumerate() {
        names.declare(number, module.module());
    }
    let mut text = String::new();
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
            let mut listing = Listing {
                disassembler: &disassembler,
                compiler: &compiler,
                offsets: &offsets,
                names: &mut names,
                module: (number, module),
            };
            text += &format!("{name}:\n{}\n", listing.text());
        }
    }
    args.output.write(text.as_bytes())
}

fn disassembler(isa: &Target) -> Result<Capstone> {
    let capstone = Capstone::new();
    let built = match llvm_isa(isa) {
        Isa::Aarch64 => capstone.arm64().mode(arch::arm64::ArchMode::Arm).build(),
        Isa::Ppc64le => capstone
            .ppc()
            .mode(arch::ppc::ArchMode::Mode64)
            .endian(capstone::Endian::Little)
            .build(),
        Isa::Riscv64 => capstone
            .riscv()
            .mode(arch::riscv::ArchMode::RiscV64)
            .extra_mode([arch::riscv::ArchExtraMode::RiscVC].into_iter())
            .build(),
        Isa::S390x => capstone.sysz().mode(arch::sysz::ArchMode::Default).build(),
        Isa::X86_64 => capstone.x86().mode(arch::x86::ArchMode::Mode64).build(),
    };
    built.map_err(|error| Failure::Usage(format!("the disassembler: {error}")))
}

/// A function to list, and the parts that listing it needs.
struct Listing<'a, 'm> {
    disassembler: &'a Capstone,
    compiler: &'a Compiler<'m>,
    offsets: &'a Offsets<'m>,
    names: &'a mut Names,
    /// The module, with its number in the program.
    module: (usize, &'a Module<'m>),
}

impl Listing<'_, '_> {
    fn text(&mut self) -> String {
        let (function, code) = (&self.compiler.function, &self.compiler.output.code);
        let printed = Printed {
            function,
            isa: self.compiler.isa(),
        };
        let mut text = String::new();
        let mut blocks = function.layout.iter().copied().peekable();
        let ends = code.places.iter().skip(1).map(|&(at, _)| at);
        for (&(start, insn), end) in code.places.iter().zip(ends.chain([code.len()])) {
            while let Some(block) =
                blocks.next_if(|block| self.offsets.blocks[block.index()] <= start)
            {
                let _ = writeln!(text, "{block:?}:");
            }
            let bytes = code.bytes.get(start as usize..end as usize).unwrap_or(&[]);
            let targets = self.targets(start..end);
            let mut ir = format!("; {}", printed.insn(insn));
            for (at, bytes, words) in self.instructions(bytes, start) {
                let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                let line = format!("{at:6x}  {:30} {words}", hex.join(" "));
                let _ = writeln!(text, "{line:76} {ir}{targets}");
                ir = ";".into();
            }
        }
        text
    }

    /// Returns the instructions in some bytes with their offsets; undecodable bytes as data.
    fn instructions(&self, bytes: &[u8], start: u32) -> Vec<(u32, Vec<u8>, String)> {
        let mut found = Vec::new();
        let mut at = 0;
        if let Ok(insns) = self.disassembler.disasm_all(bytes, u64::from(start)) {
            for insn in insns.iter() {
                let words = format!(
                    "{} {}",
                    insn.mnemonic().unwrap_or("?"),
                    insn.op_str().unwrap_or("")
                );
                found.push((
                    start + at as u32,
                    insn.bytes().to_vec(),
                    words.trim().to_owned(),
                ));
                at += insn.bytes().len();
            }
        }
        for word in bytes.get(at..).unwrap_or(&[]).chunks(4) {
            found.push((start + at as u32, word.to_vec(), "(data)".into()));
            at += word.len();
        }
        found
    }

    /// Returns the targets of the fixups in a range of code, which the linker fills in.
    fn targets(&mut self, range: core::ops::Range<u32>) -> String {
        let (function, code) = (&self.compiler.function, &self.compiler.output.code);
        let here = code.fixups.iter().filter(|fixup| range.contains(&fixup.at));
        let mut text = String::new();
        for fixup in here {
            let name = match fixup.target {
                FixupTarget::Block(_) => continue,
                FixupTarget::Constant(constant) => format!("{constant:?}"),
                FixupTarget::Table(table) => format!("{table:?}"),
                FixupTarget::Symbol(symbol) => {
                    let (number, module) = self.module;
                    let name = self.names.symbol(number, module, function.symbol(symbol));
                    String::from_utf8_lossy(&name).into_owned()
                }
            };
            let _ = write!(text, " -> {name}");
        }
        text
    }
}
