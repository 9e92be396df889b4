//! Machine code as text: each instruction with its place, its bytes, and the Machine IR that it was
//! made of.

use crate::failure::{Failure, Result};
use crate::isa::llvm_isa;
use crate::machine_ir::Names;
use capstone::Capstone;
use capstone::arch::{self, BuildsCapstone, BuildsCapstoneEndian, BuildsCapstoneExtraMode};
use core::fmt::Write;
use core::ops::Range;
use llvm_mir::target::Isa;
use mir_nostd::codegen::{Compiler, FixupTarget, Offsets};
use mir_nostd::ir::Module;
use mir_nostd::machine::{BlockId, InsnId};
use mir_nostd::mem::Entity;
use mir_nostd::target::Target;

/// An instruction of machine code, or bytes that are none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CodeLine {
    /// Its offset in the function.
    pub(crate) at: u32,
    pub(crate) bytes: Vec<u8>,
    /// Its text.
    pub(crate) words: String,
}

/// The machine code of an instruction of Machine IR.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CodePiece {
    /// The blocks that begin here.
    pub(crate) blocks: Vec<BlockId>,
    pub(crate) insn: InsnId,
    pub(crate) lines: Vec<CodeLine>,
    /// The names that the linker fills in, each after ` -> `.
    pub(crate) targets: String,
}

/// A disassembler for an ISA.
#[derive(Debug)]
pub(crate) struct Disassembler(Capstone);

impl Disassembler {
    pub(crate) fn new(isa: &Target) -> Result<Disassembler> {
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
        let failure = |error| Failure::Usage(format!("the disassembler: {error}"));
        built.map(Disassembler).map_err(failure)
    }

    /// Returns the code of a function, which was compiled last, piece by piece.
    pub(crate) fn pieces(
        &self,
        compiler: &Compiler<'_>,
        offsets: &Offsets<'_>,
        names: &mut Names,
        module: (usize, &Module<'_>),
    ) -> Vec<CodePiece> {
        let (function, code) = (&compiler.function, &compiler.output.code);
        let mut blocks = function.layout.iter().copied().peekable();
        let ends = code.places.iter().skip(1).map(|&(at, _)| at);
        let pieces = code.places.iter().zip(ends.chain([code.len()]));
        let piece = |(&(start, insn), end): (&(u32, InsnId), u32)| {
            let begins = |block: &BlockId| offsets.blocks[block.index()] <= start;
            let bytes = code.bytes.get(start as usize..end as usize).unwrap_or(&[]);
            CodePiece {
                blocks: core::iter::from_fn(|| blocks.next_if(begins)).collect(),
                insn,
                lines: self.instructions(bytes, start),
                targets: targets(compiler, names, module, start..end),
            }
        };
        pieces.map(piece).collect()
    }

    /// Returns the instructions in some bytes; undecodable bytes as data.
    fn instructions(&self, bytes: &[u8], start: u32) -> Vec<CodeLine> {
        let mut found = Vec::new();
        let mut at = 0;
        if let Ok(insns) = self.0.disasm_all(bytes, u64::from(start)) {
            for insn in insns.iter() {
                let words = format!(
                    "{} {}",
                    insn.mnemonic().unwrap_or("?"),
                    insn.op_str().unwrap_or("")
                );
                found.push(CodeLine {
                    at: start + at as u32,
                    bytes: insn.bytes().to_vec(),
                    words: words.trim().to_owned(),
                });
                at += insn.bytes().len();
            }
        }
        for word in bytes.get(at..).unwrap_or(&[]).chunks(4) {
            found.push(CodeLine {
                at: start + at as u32,
                bytes: word.to_vec(),
                words: "(data)".into(),
            });
            at += word.len();
        }
        found
    }
}

/// Returns the targets of the fixups in a range of code, which the linker fills in.
fn targets(
    compiler: &Compiler<'_>,
    names: &mut Names,
    (number, module): (usize, &Module<'_>),
    range: Range<u32>,
) -> String {
    let (function, code) = (&compiler.function, &compiler.output.code);
    let here = code.fixups.iter().filter(|fixup| range.contains(&fixup.at));
    let mut text = String::new();
    for fixup in here {
        let name = match fixup.target {
            FixupTarget::Block(_) => continue,
            FixupTarget::Constant(constant) => format!("{constant:?}"),
            FixupTarget::Table(table) => format!("{table:?}"),
            FixupTarget::Symbol(symbol) => {
                let name = names.symbol(number, module, function.symbol(symbol));
                String::from_utf8_lossy(&name).into_owned()
            }
        };
        let _ = write!(text, " -> {name}");
    }
    text
}
