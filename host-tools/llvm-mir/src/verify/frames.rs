//! Checks that the call frame pseudo instructions come in pairs.

use super::Checker;
use crate::model::{FunctionProperty, Instruction, OperandKind};

/// The size of the open call frame, if one is set up.
type Open = Option<i64>;

impl Checker<'_> {
    pub(super) fn check_call_frames(&mut self) {
        let opcode = |names: [&str; 2]| {
            names
                .map(|name| self.target.opcode(name.as_bytes()))
                .into_iter()
                .flatten()
                .next()
        };
        let setup = opcode(["ADJCALLSTACKDOWN", "ADJCALLSTACKDOWN64"]);
        let destroy = opcode(["ADJCALLSTACKUP", "ADJCALLSTACKUP64"]);
        if self.function.has(FunctionProperty::NoVRegs) && setup.is_none() {
            return;
        }
        let count = self.function.blocks.len();
        let mut states: Vec<Option<Open>> = vec![None; count];
        let mut open = vec![(0_u32, None)];
        while let Some((number, entry)) = open.pop() {
            let Some(state) = states.get_mut(number as usize) else {
                continue;
            };
            match state {
                Some(known) => {
                    if *known != entry {
                        self.at = (Some(number), None);
                        self.report("The exit stack state of a predecessor is inconsistent.");
                    }
                    continue;
                }
                None => *state = Some(entry),
            }
            let exit = self.walk_frames(number, entry, setup, destroy);
            let block = &self.function.blocks[number as usize];
            open.extend(block.successors.iter().map(|to| (to.block, exit)));
        }
    }

    fn walk_frames(
        &mut self,
        number: u32,
        mut state: Open,
        setup: Option<crate::target::Opcode>,
        destroy: Option<crate::target::Opcode>,
    ) -> Open {
        let block = &self.function.blocks[number as usize];
        for insn in &block.instructions {
            self.at = (Some(number), Some(insn));
            if Some(insn.opcode) == setup {
                if state.is_some() {
                    self.report("FrameSetup is after another FrameSetup");
                }
                state = Some(size(insn).wrapping_add(pushed(insn)));
            } else if Some(insn.opcode) == destroy {
                match state {
                    None => self.report("FrameDestroy is not after a FrameSetup"),
                    Some(open) if open != size(insn) => {
                        self.report("FrameDestroy <n> is after FrameSetup <m>");
                    }
                    Some(_) => {}
                }
                state = None;
            }
        }
        let returns = block
            .instructions
            .last()
            .is_some_and(|last| self.target.signature(last.opcode).properties().is_return());
        if returns && state.is_some() {
            self.at = (Some(number), None);
            self.report("A return block ends with a FrameSetup.");
        }
        state
    }
}

/// Returns the frame size that a call frame pseudo instruction states.
fn size(insn: &Instruction) -> i64 {
    immediate(insn, 0)
}

/// Returns the number of bytes pushed before the setup.
fn pushed(insn: &Instruction) -> i64 {
    immediate(insn, 1)
}

fn immediate(insn: &Instruction, at: usize) -> i64 {
    match insn.operands.get(at).map(|operand| &operand.kind) {
        Some(OperandKind::Immediate(value)) => *value,
        _ => 0,
    }
}
