//! Instructions become operations.

mod arithmetic;
mod atomic;
mod comparison;
mod confined;
mod control;
mod families;
mod operation;
mod sequence;

use super::super::code::Op;
use super::super::frame::ALIGN;
use super::extensions::Extensions;
use super::operand::{Source, Target, wide};
use super::{DecodeError, Decoder, Extra, NONE, Node, Span, Var, Width};
use crate::ir::{Code, InsnId, Operand};
use comparison::Comparison;
use families::{binary, division, plain};

pub(super) use families::{Reads, extension, extension_of, is_straight, narrow_bits};

/// The number of the first node after the extension of narrow arguments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body(pub(super) u32);

/// The most bytes in a frame that are the memory of `alloca`s.
pub(super) const MOST_ROOM: u32 = 4096;
const MOST: i64 = MOST_ROOM as i64;

/// The position of lowering in the function's blocks.
struct Blocks {
    /// Number of the block.
    number: usize,
    /// No instruction of the block has been seen.
    begins: bool,
    /// Control can come here from the instruction before.
    reachable: bool,
    /// The branch before has paid for the block.
    paid: bool,
    /// The instructions from here on that an operation before does the work of.
    done: u32,
}

#[inline(never)]
fn reverse(nodes: &mut [Node]) {
    nodes.reverse();
}

impl Decoder<'_, '_> {
    /// Turns all instructions into nodes.
    pub(super) fn lower(&mut self) -> Result<Body, DecodeError> {
        self.start_numbering()?;
        let module = self.module;
        let args = module.args(&module.func(self.func).signature);
        for (index, arg) in (0..).zip(args) {
            if let Some(code) = extension_of(arg.ty) {
                let (_, op, _) = extension(code).ok_or(DecodeError::Invalid)?;
                self.push(op, &[index, index])?;
                self.written_extended(Var(index), Extensions::of(arg.ty));
            }
        }
        let body = Body(self.nodes.len() as u32);
        let mut blocks = Blocks {
            number: 0,
            begins: true,
            reachable: true,
            paid: true,
            done: 0,
        };
        for insn in module.insns(self.func) {
            self.insn = insn;
            if let Some(label) = module.label_of(insn) {
                self.label(label, &mut blocks)?;
            } else {
                self.in_block(insn, &mut blocks)?;
            }
        }
        if blocks.reachable {
            self.push(Op::EndReached, &[])?;
        }
        self.load_constants(body)?;
        Ok(body)
    }

    /// Puts the loading of the constants that loops use where the function begins.
    fn load_constants(&mut self, body: Body) -> Result<(), DecodeError> {
        let first = self.nodes.len();
        // A run that stops before them stops at the function's start.
        if let Some(insn) = self.module.func(self.func).first() {
            self.insn = insn;
        }
        for index in 0..self.constants.len() {
            let (value, var) = self.constants[index];
            self.push_constant(var, value)?;
        }
        let count = self.nodes.len() - first;
        if let Some(nodes) = self.nodes.get_mut(body.0 as usize..) {
            // Small code: a rotation is three reversals.
            reverse(nodes);
            let (constants, rest) = nodes.split_at_mut(count.min(nodes.len()));
            reverse(constants);
            reverse(rest);
        }
        for facts in &mut self.labels[..] {
            facts.node += count as u32;
        }
        for (node, _) in &mut self.starts[..] {
            *node += count as u32;
        }
        Ok(())
    }

    fn label(&mut self, label: crate::ir::Label, blocks: &mut Blocks) -> Result<(), DecodeError> {
        let number = self.label_number(label)? as usize;
        if !self.labels[number].used {
            return Ok(());
        }
        if !blocks.begins {
            blocks.number += 1;
            blocks.begins = true;
            blocks.paid = false;
        }
        if blocks.reachable && !blocks.paid {
            self.pay(blocks.number, |cost| edge_cost(cost) == cost)?;
        }
        blocks.paid = true;
        blocks.reachable = true;
        self.stretch += 1;
        self.loop_depth += self.loops.get(self.stretch as usize).copied().unwrap_or(0);
        self.labels[number].node = self.nodes.len() as u32;
        self.at_label = true;
        Ok(())
    }

    fn in_block(&mut self, insn: InsnId, blocks: &mut Blocks) -> Result<(), DecodeError> {
        let code = self.module.code(insn);
        if blocks.reachable {
            if blocks.begins {
                let paid = blocks.paid;
                // Branches cannot pay for blocks of very many instructions.
                self.pay(blocks.number, |cost| !paid || edge_cost(cost) != cost)?;
                blocks.paid = true;
                if self.costs.get(blocks.number).is_some_and(|&cost| cost > 0) {
                    self.starts.push((self.nodes.len() as u32, insn))?;
                }
            }
            if blocks.done == 0 {
                blocks.done = self.sequence(insn)?;
            }
            match blocks.done.checked_sub(1) {
                Some(left) => blocks.done = left,
                None => self.instruction(insn, code, blocks.number)?,
            }
            let jumps = |node: &super::Node| node.insn == insn && node.op == Op::Jmp;
            blocks.reachable = !self.nodes.last().is_some_and(jumps);
        }
        blocks.begins = code.ends_block();
        if blocks.begins {
            blocks.number += 1;
            blocks.reachable &= !code.flags().contains(crate::ir::Flags::TERMINATOR);
            blocks.paid = blocks.reachable && self.paid_behind(code);
        }
        Ok(())
    }

    /// True if the branch that was just lowered pays for the block after it.
    fn paid_behind(&self, code: Code) -> bool {
        let branches = self
            .nodes
            .last()
            .is_some_and(|node| node.insn == self.insn && is_branch(node.op));
        code.flags().contains(crate::ir::Flags::BRANCH) && branches
    }

    /// Adds an operation that charges for a block, if its cost is so.
    fn pay(&mut self, block: usize, when: impl Fn(u32) -> bool) -> Result<(), DecodeError> {
        match self.costs.get(block) {
            Some(&cost) if cost > 0 && when(cost) => self.push(Op::Fuel, &[cost]),
            _ => Ok(()),
        }
    }

    /// Returns the operand slots of a branch to a label from the block of this number.
    fn edge(&self, label: u32, block: usize) -> [u32; 2] {
        let behind = self.costs.get(block + 1).copied().unwrap_or(0);
        let there = self.labels[label as usize].cost;
        [label, edge_cost(there) | edge_cost(behind) << 16]
    }

    fn operand(&self, insn: InsnId, index: usize) -> Result<Operand, DecodeError> {
        self.module.operand(insn, index).ok_or(DecodeError::Invalid)
    }

    /// Returns an input of an instruction, read as [`Decoder::source`] does.
    fn source_at(&mut self, insn: InsnId, index: usize, bits: u32) -> Result<Source, DecodeError> {
        let operand = self.operand(insn, index)?;
        self.source(operand, bits)
    }

    /// Returns an input of an instruction, in a variable.
    fn input_at(&mut self, insn: InsnId, index: usize, bits: u32) -> Result<Var, DecodeError> {
        let source = self.source_at(insn, index, bits)?;
        self.in_var(source)
    }

    /// Returns the place that the output of an instruction goes to.
    fn target_of(&mut self, insn: InsnId) -> Result<Target, DecodeError> {
        let output = self.operand(insn, 0)?;
        self.target(output)
    }

    /// Lowers one instruction.
    pub(super) fn instruction(
        &mut self,
        insn: InsnId,
        code: Code,
        block: usize,
    ) -> Result<(), DecodeError> {
        if let Some(comparison) = Comparison::of(code) {
            if code.number() < 110 {
                self.compare(insn, comparison)?;
            } else {
                self.compare_and_branch(insn, comparison, block)?;
            }
        } else if let Some(row) = binary(code) {
            self.binary(insn, code, &row)?;
        } else if let Some((ty, op, compute)) = extension(code) {
            self.extend(insn, ty, op, compute)?;
        } else if let Some((op, bits)) = plain(code) {
            self.plain(insn, code, op, bits)?;
        } else if let Some((op, with_constant, bits)) = division(code) {
            self.division(insn, code, op, with_constant, bits)?;
        } else {
            self.other(insn, code, block)?;
        }
        Ok(())
    }

    /// Lowers the instructions that have no family.
    #[cfg_attr(small_code, inline(never))]
    fn other(&mut self, insn: InsnId, code: Code, block: usize) -> Result<(), DecodeError> {
        match code {
            Code::Mov | Code::Fmov | Code::Dmov | Code::Ldmov => self.mov(insn),
            Code::Sub | Code::Subs => self.subtract(insn, code),
            Code::Addr | Code::Addr8 | Code::Addr16 | Code::Addr32 => self.address(insn, code),
            Code::Jmp => {
                let [to, cost] = self.edge(self.branch_label(insn)?, block);
                self.push(Op::Jmp, &[to, cost])
            }
            Code::Bt | Code::Bts | Code::Bf | Code::Bfs => self.branch_on_value(insn, code, block),
            Code::Bo => self.branch_on_flag(insn, Op::Bo, block),
            Code::Ubo => self.branch_on_flag(insn, Op::Ubo, block),
            Code::Bno => self.branch_on_flag(insn, Op::Bno, block),
            Code::Ubno => self.branch_on_flag(insn, Op::Ubno, block),
            Code::Laddr => self.label_address(insn),
            Code::Jmpi => {
                let var = self.input_at(insn, 0, 64)?;
                self.push(Op::Jmpi, &[var.0])
            }
            Code::Call | Code::Inline | Code::Jcall => self.call(insn, code),
            Code::Switch => self.switch(insn),
            Code::Ret => self.ret(insn),
            Code::Jret => {
                let var = self.input_at(insn, 0, 64)?;
                self.push(Op::Jret, &[var.0])
            }
            Code::Alloca => self.alloca(insn),
            Code::Bstart => {
                let target = self.target_of(insn)?;
                self.compute(target, Op::Bstart, &[], Extensions::empty())
            }
            Code::Bend => {
                let var = self.input_at(insn, 0, 64)?;
                self.push(Op::Bend, &[var.0])
            }
            Code::VaArg => self.va_arg(insn),
            Code::VaBlockArg => self.va_block_arg(insn),
            Code::VaStart => {
                let var = self.input_at(insn, 0, 64)?;
                self.push(Op::VaStart, &[var.0])
            }
            // Nothing happens; each property counts as 0.
            Code::VaEnd | Code::Prset => Ok(()),
            Code::Prbeq | Code::Prbne => self.branch_on_property(insn, code, block),
            Code::Ensure => self.ensure(insn),
            Code::Reach => self.reach(insn),
            _ if code.is_extension() => match code.operation() {
                Some((_, ty)) => self.operation(insn, code, ty),
                None => self.atomic(insn, code),
            },
            _ => self.push(Op::Invalid, &[]),
        }
    }

    #[cfg_attr(small_code, inline(never))]
    fn mov(&mut self, insn: InsnId) -> Result<(), DecodeError> {
        let output = self.operand(insn, 0)?;
        let input = self.operand(insn, 1)?;
        if let (Operand::Reg(reg), Operand::Mem(mem)) = (output, input) {
            let var = self.var_of(reg);
            if self.var(var).hard == NONE {
                return self.load(var, mem);
            }
        }
        let long = match input {
            Operand::Reg(reg) => self.var(self.var_of(reg)).long,
            _ => false,
        };
        let source = self.source(input, if long { 128 } else { 64 })?;
        self.move_to(output, source)
    }

    fn address(&mut self, insn: InsnId, code: Code) -> Result<(), DecodeError> {
        let Operand::Reg(reg) = self.operand(insn, 1)? else {
            return Err(DecodeError::Invalid);
        };
        let big = cfg!(target_endian = "big");
        let bytes = match code {
            Code::Addr8 if big => 7,
            Code::Addr16 if big => 6,
            Code::Addr32 if big => 4,
            _ => 0,
        };
        if self.var(self.var_of(reg)).hard != NONE {
            return self.push(Op::Invalid, &[]);
        }
        let target = self.target_of(insn)?;
        let var = self.var_of(reg);
        self.push(Op::Addr, &[target.var.0, var.0])?;
        self.written(target.var);
        if bytes > 0 {
            self.push(Op::AddI, &[target.var.0, target.var.0, bytes])?;
            self.written(target.var);
        }
        self.finish(target)
    }

    fn alloca(&mut self, insn: InsnId) -> Result<(), DecodeError> {
        let size = self.source_at(insn, 1, 64)?;
        if let Some(room) = self.room_for(size)? {
            let target = self.target_of(insn)?;
            self.push(Op::Addr, &[target.var.0, room.0])?;
            self.written(target.var);
            return self.finish(target);
        }
        let (op, size) = match size {
            Source::Constant(size) if i32::try_from(size).is_ok() => (Op::AllocaI, size as u32),
            size => (Op::Alloca, self.in_var(size)?.0),
        };
        let target = self.target_of(insn)?;
        self.compute(target, op, &[size], Extensions::empty())
    }

    /// Returns a variable whose place in the frame is the memory of an `alloca`, if that is small,
    /// its size is constant, and each call takes it once.
    fn room_for(&mut self, size: Source) -> Result<Option<Var>, DecodeError> {
        let Source::Constant(size @ 1..=MOST) = size else {
            return Ok(None);
        };
        let bytes = (size as u32).next_multiple_of(ALIGN as u32);
        let is_once = self.stretch == 0 && self.first_var == 0;
        let Some(rest) = self.room.checked_sub(bytes).filter(|_| is_once) else {
            return Ok(None);
        };
        self.room = rest;
        let var = self.temp(Width::Long)?;
        let facts = self.var_mut(var);
        (facts.room, facts.addressed) = (bytes, true);
        Ok(Some(var))
    }

    fn va_arg(&mut self, insn: InsnId) -> Result<(), DecodeError> {
        let Operand::Mem(mem) = self.operand(insn, 2)? else {
            return Err(DecodeError::Invalid);
        };
        let list = self.input_at(insn, 1, 64)?;
        let target = self.target_of(insn)?;
        self.compute(
            target,
            Op::VaArg,
            &[list.0, mem.ty as u32],
            Extensions::empty(),
        )
    }

    #[cfg_attr(small_code, inline(never))]
    fn va_block_arg(&mut self, insn: InsnId) -> Result<(), DecodeError> {
        let mut vars = [0; 4];
        for (index, var) in vars.iter_mut().enumerate() {
            *var = self.input_at(insn, index, 64)?.0;
        }
        self.push(Op::VaBlockArg, &vars)
    }

    pub(super) fn add_extra(&mut self, extra: Extra) -> Result<u32, DecodeError> {
        self.extras.push(extra)?;
        Ok(self.extras.len() as u32 - 1)
    }

    pub(super) fn add_list(&mut self, entries: &[u32]) -> Result<Span, DecodeError> {
        let start = self.lists.len() as u32;
        self.lists.extend_from_slice(entries)?;
        Ok(Span {
            start,
            len: entries.len() as u32,
        })
    }

    /// Returns a pointer as an operand of the code.
    pub(super) fn pointer<T>(pointer: *const T) -> [u32; 2] {
        wide(pointer.expose_provenance() as i64)
    }
}

/// Returns the part of a block's cost that a branch charges: costs that do not fit are charged by
/// an operation of their own at the block's label.
fn edge_cost(cost: u32) -> u32 {
    if cost > 0xFFFF { 0 } else { cost }
}

/// True if the operation is a branch that may not be taken.
fn is_branch(op: Op) -> bool {
    use super::super::code::Role;
    op != Op::Jmp && op.roles().last() == Some(&Role::J)
}
