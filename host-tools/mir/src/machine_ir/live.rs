//! Physical registers that are live at the entry of blocks, which LLVM's verifier requires to be
//! listed.

use llvm_mir::model::{Block, Function, Instruction, OperandFlags, OperandKind};
use llvm_mir::target::Target;

/// A set of register units.
type Units = Vec<u64>;

/// Lists the live-in registers of each block. `known` are the registers to list, larger ones first.
/// The frame pointer is treated like other registers: LLVM reserves it only in functions where it
/// set it up itself.
pub(super) fn add_live_ins(
    function: &mut Function,
    target: &Target,
    known: &[u16],
    frame_pointer: u16,
) {
    let reserved = target.reserved();
    let reserved = |register: u16| register != frame_pointer && reserved.contains(register);
    let words = target.unit_count().div_ceil(64);
    let effects: Vec<Effect> = (function.blocks.iter())
        .map(|block| Effect::of(block, target, &reserved, words))
        .collect();
    let mut live: Vec<Units> = effects.iter().map(|effect| effect.read.clone()).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for (number, block) in function.blocks.iter().enumerate().rev() {
            for word in 0..words {
                let out = block.successors.iter().fold(0, |out, successor| {
                    out | live
                        .get(successor.block as usize)
                        .map_or(0, |units| units[word])
                });
                let new = live[number][word] | out & !effects[number].written[word];
                changed |= new != live[number][word];
                live[number][word] = new;
            }
        }
    }
    for (block, mut units) in function.blocks.iter_mut().zip(live) {
        for &register in known {
            let own = target.units(register);
            let is_live = |unit: &u16| units[usize::from(*unit) / 64] >> (unit % 64) & 1 != 0;
            if !own.is_empty() && own.iter().all(is_live) {
                own.iter().for_each(|unit| clear(&mut units, *unit));
                let register = llvm_mir::model::Register::physical(register);
                block.live_ins.push((register, Block::ALL_LANES));
            }
        }
        block.live_ins.sort_by_key(|(register, _)| *register);
    }
}

/// The effect of a block on register units.
struct Effect {
    /// Units read before they are written.
    read: Units,
    /// Units written or clobbered by calls.
    written: Units,
}

fn set(units: &mut Units, unit: u16) {
    units[usize::from(unit) / 64] |= 1 << (unit % 64);
}

fn clear(units: &mut Units, unit: u16) {
    units[usize::from(unit) / 64] &= !(1 << (unit % 64));
}

impl Effect {
    fn of(block: &Block, target: &Target, reserved: &dyn Fn(u16) -> bool, words: usize) -> Effect {
        let mut effect = Effect {
            read: vec![0; words],
            written: vec![0; words],
        };
        for insn in block.instructions.iter().rev() {
            effect.before(insn, target, reserved);
        }
        effect
    }

    /// Prepends the effect of an instruction.
    fn before(&mut self, insn: &Instruction, target: &Target, reserved: &dyn Fn(u16) -> bool) {
        for operand in &insn.operands {
            match &operand.kind {
                OperandKind::Mask(mask) => {
                    let kept = target.mask_members(*mask);
                    self.lose(target, |register| kept.contains(register));
                }
                OperandKind::CustomMask(kept) => {
                    self.lose(target, |register| kept.contains(&register));
                }
                _ => {}
            }
        }
        let registers = || {
            insn.operands
                .iter()
                .filter_map(|operand| operand.register())
        };
        for operand in registers().filter(|operand| operand.is_def()) {
            for &unit in operand
                .register
                .number()
                .map_or(&[][..], |r| target.units(r))
            {
                set(&mut self.written, unit);
                clear(&mut self.read, unit);
            }
        }
        for operand in registers().filter(|operand| !operand.is_def()) {
            let number = operand.register.number();
            let number = number.filter(|&number| !reserved(number));
            if operand.flags.contains(OperandFlags::UNDEF) {
                continue;
            }
            for &unit in number.map_or(&[][..], |register| target.units(register)) {
                set(&mut self.read, unit);
                clear(&mut self.written, unit);
            }
        }
    }

    /// Marks all units as clobbered that belong to no preserved register.
    fn lose(&mut self, target: &Target, is_kept: impl Fn(u16) -> bool) {
        let mut kept = vec![0; self.read.len()];
        for register in 1..target.register_count() as u16 {
            if is_kept(register) {
                for &unit in target.units(register) {
                    set(&mut kept, unit);
                }
            }
        }
        for (word, kept) in kept.into_iter().enumerate() {
            self.written[word] |= !kept;
            self.read[word] &= kept;
        }
    }
}
