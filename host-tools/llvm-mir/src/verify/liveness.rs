//! Checks that physical registers are live where they are read.
//!
//! Each block is judged by its own list of live-ins. That the lists agree with the predecessors is
//! judged for registers that overlap no other and are not allocatable, as in LLVM.

use super::{Bits, Checker};
use crate::model::{Block, FrameProperty, Instruction, OperandFlags, OperandKind, Register};
use crate::target::MaskId;
use std::collections::HashMap;

/// The effects of a bundle or instruction on registers.
struct Effects {
    killed: Vec<u16>,
    dead: Vec<u16>,
    defined: Vec<u16>,
    masks: Vec<Bits>,
}

impl Checker<'_> {
    pub(super) fn check_physical_liveness(&mut self) {
        let mut masks = HashMap::new();
        let mut live_out = Vec::with_capacity(self.function.blocks.len());
        let pristine = self.pristine();
        for (block, number) in self.function.blocks.iter().zip(0_u32..) {
            self.at = (Some(number), None);
            live_out.push(self.walk(number, block, &pristine, &mut masks));
        }
        for (block, number) in self.function.blocks.iter().zip(0_u32..) {
            self.at = (Some(number), None);
            self.check_lone_live_ins(block, &live_out);
        }
    }

    fn bound(&self) -> usize {
        self.target.register_count() + 1
    }

    /// Adds a register and its parts.
    fn add(&self, live: &mut Bits, register: u16) {
        live.insert(register.into());
        for (_, part) in self.target.parts(register) {
            live.insert(part.into());
        }
    }

    fn remove(&self, live: &mut Bits, register: u16) {
        live.remove(register.into());
        for (_, part) in self.target.parts(register) {
            live.remove(part.into());
        }
    }

    /// Returns the pristine registers: callee-saved registers that are not saved, once that is
    /// known.
    fn pristine(&self) -> Bits {
        let mut live = Bits::new(self.bound());
        let frame = &self.function.frame;
        if !frame.has(FrameProperty::IsCalleeSavedInfoValid) {
            return live;
        }
        let conventional = self
            .target
            .conventional_mask()
            .map(|mask| self.target.mask_members(mask));
        match &self.function.callee_saved {
            Some(saved) => {
                for register in saved.iter().filter_map(|register| register.number()) {
                    self.add(&mut live, register);
                }
            }
            None => {
                for register in conventional
                    .iter()
                    .flat_map(|set| set.iter().collect::<Vec<_>>())
                {
                    live.insert(register.into());
                }
            }
        }
        let fixed = self
            .function
            .fixed_stack
            .iter()
            .map(|object| object.callee_saved.register);
        let stack = self
            .function
            .stack
            .iter()
            .map(|object| object.callee_saved.register);
        for register in fixed.chain(stack).filter_map(Register::number) {
            self.remove(&mut live, register);
        }
        live
    }

    /// Checks a block; returns the registers that are live at its end.
    fn walk(
        &mut self,
        number: u32,
        block: &Block,
        pristine: &Bits,
        masks: &mut HashMap<MaskId, Bits>,
    ) -> Bits {
        let mut live = pristine.clone();
        for (register, _) in &block.live_ins {
            if let Some(register) = register.number() {
                self.add(&mut live, register);
            }
        }
        let mut effects = Effects::new();
        let block = &self.function.blocks[number as usize];
        for (at, insn) in block.instructions.iter().enumerate() {
            self.at = (Some(number), Some(insn));
            if !self.is_debug(insn) {
                self.reads(insn, &live, &mut effects);
                self.writes(insn, &mut effects, masks);
            }
            let next = block.instructions.get(at + 1);
            if !next.is_some_and(|next| next.in_bundle) {
                self.apply(&mut live, &mut effects);
            }
        }
        live
    }

    fn reads(&mut self, insn: &Instruction, live: &Bits, effects: &mut Effects) {
        for operand in &insn.operands {
            let OperandKind::Register(operand) = &operand.kind else {
                continue;
            };
            let Some(register) = operand.register.number() else {
                continue;
            };
            let reads = !operand.is_def() && !operand.is_undef();
            if !reads || operand.flags.contains(OperandFlags::INTERNAL) {
                continue;
            }
            if operand.flags.contains(OperandFlags::KILLED) {
                effects.killed.push(register);
            }
            if !self.is_readable(insn, register, live) {
                self.report("Using an undefined physical register");
            }
        }
    }

    fn is_readable(&self, insn: &Instruction, register: u16, live: &Bits) -> bool {
        if live.contains(register.into()) || self.is_reserved(register) {
            return true;
        }
        if self
            .target
            .parts(register)
            .any(|(_, part)| live.contains(part.into()))
        {
            return true;
        }
        // An implicit operand names a register that this one is part of.
        insn.operands
            .iter()
            .filter_map(|operand| operand.register())
            .any(|other| {
                let whole = other.register.number().filter(|_| other.is_implicit());
                whole
                    .is_some_and(|whole| self.target.parts(whole).any(|(_, part)| part == register))
            })
    }

    fn is_reserved(&self, register: u16) -> bool {
        self.reserved.contains(register.into())
    }

    fn writes(&self, insn: &Instruction, effects: &mut Effects, masks: &mut HashMap<MaskId, Bits>) {
        let bound = self.bound();
        for operand in &insn.operands {
            match &operand.kind {
                OperandKind::Register(operand) if operand.is_def() => {
                    if let Some(register) = operand.register.number() {
                        let list = match operand.flags.contains(OperandFlags::DEAD) {
                            true => &mut effects.dead,
                            false => &mut effects.defined,
                        };
                        list.push(register);
                    }
                }
                OperandKind::Mask(mask) => {
                    let members = || Bits::of(&self.target.mask_members(*mask), bound);
                    effects
                        .masks
                        .push(masks.entry(*mask).or_insert_with(members).clone());
                }
                OperandKind::CustomMask(registers) => {
                    let mut bits = Bits::new(bound);
                    for register in registers {
                        bits.insert((*register).into());
                    }
                    effects.masks.push(bits);
                }
                _ => {}
            }
        }
    }

    fn apply(&self, live: &mut Bits, effects: &mut Effects) {
        for register in effects.killed.drain(..) {
            self.remove(live, register);
        }
        for preserved in effects.masks.drain(..) {
            live.intersect(&preserved);
        }
        for register in effects.dead.drain(..) {
            self.remove(live, register);
        }
        for register in effects.defined.drain(..) {
            self.add(live, register);
        }
    }

    /// Checks that a register that overlaps no other and is not allocatable is live out of every
    /// predecessor.
    fn check_lone_live_ins(&mut self, block: &Block, live_out: &[Bits]) {
        let Some(number) = self.at.0 else {
            return;
        };
        for (register, _) in &block.live_ins {
            let Some(register) = register.number() else {
                continue;
            };
            let is_lone = self.target.is_alone(register);
            if !is_lone || self.allocatable.contains(register.into()) || self.is_reserved(register)
            {
                continue;
            }
            let predecessors = self
                .predecessors
                .get(number as usize)
                .map_or(&[][..], |list| list);
            let missing = predecessors.iter().any(|from| {
                live_out
                    .get(*from as usize)
                    .is_some_and(|live| !live.contains(register.into()))
            });
            if missing {
                self.report("Live in register not found to be live out from predecessor.");
            }
        }
    }
}

impl Effects {
    fn new() -> Effects {
        Effects {
            killed: Vec::new(),
            dead: Vec::new(),
            defined: Vec::new(),
            masks: Vec::new(),
        }
    }
}
