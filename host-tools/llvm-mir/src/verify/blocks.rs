//! Checks the shape of blocks: PHIs first, terminators last, successors that match the branches.

use super::Checker;
use crate::model::{Block, FunctionProperty, Instruction, OperandKind};
use crate::target::Isa;
use std::collections::HashSet;

/// The end of a block whose branches are analysable.
struct Exit {
    taken: Option<u32>,
    otherwise: Option<u32>,
    conditional: bool,
}

/// Returns the unconditional and the conditional direct branches.
fn simple_branches(isa: Isa) -> (&'static [&'static str], &'static [&'static str]) {
    match isa {
        Isa::X86_64 => (&["JMP_1"], &["JCC_1"]),
        Isa::Aarch64 => {
            let conditional = &[
                "Bcc", "CBZW", "CBZX", "CBNZW", "CBNZX", "TBZW", "TBZX", "TBNZW", "TBNZX",
            ];
            (&["B"], conditional)
        }
        Isa::Ppc64le => {
            let conditional = &["BCC", "BC", "BCn", "BDNZ8", "BDNZ", "BDZ8", "BDZ"];
            (&["B"], conditional)
        }
        Isa::Riscv64 => (&["PseudoBR"], &["BEQ", "BNE", "BLT", "BGE", "BLTU", "BGEU"]),
        Isa::S390x => (&["J"], &["BRC"]),
    }
}

impl Checker<'_> {
    pub(super) fn check_block(&mut self, number: u32, block: &Block) {
        self.check_live_in_list(number, block);
        let mut seen = HashSet::new();
        if !block.successors.iter().all(|to| seen.insert(to.block)) {
            self.report("MBB has duplicate entries in its successor list.");
        }
        let landing_pads = block
            .successors
            .iter()
            .filter(|to| self.is_landing_pad(to.block));
        if landing_pads.count() > 1 && !self.has(FunctionProperty::HasEhFunclets) {
            self.report("MBB has more than one landing pad successor");
        }
        self.check_order(block);
        if let Some(exit) = self.exit(block) {
            self.check_exit(number, block, &exit);
        }
    }

    fn is_landing_pad(&self, block: u32) -> bool {
        let block = self.function.blocks.get(block as usize);
        block.is_some_and(|block| block.attributes.is_landing_pad)
    }

    /// Checks the live-ins of a block: before PHIs are eliminated, allocatable registers are live
    /// into few blocks.
    fn check_live_in_list(&mut self, number: u32, block: &Block) {
        let attributes = &block.attributes;
        let may_have = number == 0 || attributes.is_landing_pad || attributes.is_inline_asm_target;
        let tracks = self.has(FunctionProperty::TracksRegLiveness);
        if may_have || !tracks || self.has(FunctionProperty::NoPhis) {
            return;
        }
        for (register, _) in &block.live_ins {
            if register
                .number()
                .is_some_and(|number| self.allocatable.contains(number.into()))
            {
                self.report("MBB has allocatable live-in, but isn't entry, landing-pad, or inlineasm-br-indirect-target.");
            }
        }
    }

    fn check_order(&mut self, block: &Block) {
        let (mut after_phis, mut after_terminator) = (false, false);
        let before = self.at;
        for insn in &block.instructions {
            let signature = self.target.signature(insn.opcode);
            let properties = signature.properties();
            if self.opcodes.is_phi(insn) {
                if after_phis {
                    self.report("Found PHI instruction after non-PHI");
                }
            } else {
                after_phis = true;
            }
            if insn.in_bundle || self.is_debug(insn) {
                continue;
            }
            if self.is_terminator(insn) {
                after_terminator = true;
            } else if after_terminator {
                self.report("Non-terminator instruction after the first terminator");
            }
            if properties.is_generic() && self.has(FunctionProperty::Selected) {
                self.report("Unexpected generic instruction in a Selected function");
            }
        }
        self.at = before;
    }

    pub(super) fn is_debug(&self, insn: &Instruction) -> bool {
        self.target.opcode_name(insn.opcode).starts_with("DBG_")
    }

    fn is_terminator(&self, insn: &Instruction) -> bool {
        let name = self.target.opcode_name(insn.opcode);
        let properties = self.target.signature(insn.opcode).properties();
        // The start of an invoke region ends a block only as a generic instruction.
        properties.is_terminator() && name != "G_INVOKE_REGION_START"
    }

    /// Returns the block's end if its terminators are simple branches: one, or a conditional one
    /// before another.
    fn exit(&self, block: &Block) -> Option<Exit> {
        let terminators: Vec<&Instruction> = block
            .instructions
            .iter()
            .filter(|insn| self.is_terminator(insn) && !self.is_debug(insn))
            .collect();
        let (always, under_condition) = simple_branches(self.target.isa());
        let target = |insn: &Instruction| {
            insn.operands.iter().find_map(|operand| match operand.kind {
                OperandKind::Block(block) => Some(block),
                _ => None,
            })
        };
        let name = |insn: &Instruction| self.target.opcode_name(insn.opcode);
        let is_always = |insn: &Instruction| always.contains(&name(insn));
        let is_conditional = |insn: &Instruction| under_condition.contains(&name(insn));
        match terminators[..] {
            [] => Some(Exit {
                taken: None,
                otherwise: None,
                conditional: false,
            }),
            [last] if is_always(last) => Some(Exit {
                taken: Some(target(last)?),
                otherwise: None,
                conditional: false,
            }),
            [last] if is_conditional(last) => Some(Exit {
                taken: Some(target(last)?),
                otherwise: None,
                conditional: true,
            }),
            [first, last] if is_conditional(first) && is_always(last) => Some(Exit {
                taken: Some(target(first)?),
                otherwise: Some(target(last)?),
                conditional: true,
            }),
            _ => None,
        }
    }

    fn check_exit(&mut self, number: u32, block: &Block, exit: &Exit) {
        let is_successor = |wanted: u32| block.successors.iter().any(|to| to.block == wanted);
        for target in [exit.taken, exit.otherwise].into_iter().flatten() {
            if !is_successor(target) {
                self.report("MBB exits via jump or conditional branch, but its target isn't a CFG successor!");
            }
        }
        let falls_through = exit.taken.is_none() || (exit.conditional && exit.otherwise.is_none());
        let next = number + 1;
        let has_next = (next as usize) < self.function.blocks.len();
        if falls_through && exit.conditional && has_next && !is_successor(next) {
            self.report("MBB conditionally falls through to its layout successor, but that is not a CFG successor!");
        }
        let expected = |to: u32| {
            exit.taken == Some(to) || exit.otherwise == Some(to) || (falls_through && to == next)
        };
        let unexpected = block.successors.iter().any(|to| {
            let of = self
                .function
                .blocks
                .get(to.block as usize)
                .map(|block| &block.attributes);
            let is_special = of.is_some_and(|of| of.is_landing_pad || of.is_inline_asm_target);
            !expected(to.block) && !is_special
        });
        if unexpected {
            self.report("MBB has unexpected successors which are not branch targets, fallthrough, EHPads, or inlineasm_br targets.");
        }
    }
}
