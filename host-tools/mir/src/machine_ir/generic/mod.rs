//! The conversion of a function before selection to generic Machine IR that LLVM's `GlobalISel`
//! compiles.
//!
//! This project's generic instructions use the low bits of 64-bit registers, take immediates and
//! whole addresses, and define registers more than once. LLVM's have exact types and one definition
//! per register: operands are truncated, results extended, addresses computed, and a register whose
//! definition and uses are not all in one block becomes an object of the frame.

mod calls;
mod control;
mod insns;
mod long_double;
mod operands;

use super::convert::Naming;
use super::live::add_live_ins;
use crate::memory::MEMORY;
use llvm_mir::model::{
    Access, AccessLocation, Block, FixedObject, Frame, FrameProperty, Function, FunctionProperty,
    Instruction, Integer, IrBlock, JumpTable, JumpTableKind, LowType, MemoryOperand, MemorySize,
    Operand, OperandFlags, OperandKind, Register, RegisterKind, StackObject, VirtualRegister,
};
use llvm_mir::target::{Isa as LlvmIsa, Target};
use mir_nostd::codegen::Backend;
use mir_nostd::codegen::edges;
use mir_nostd::machine::{self, BlockId, Edges, FrameKind, InsnId};
use mir_nostd::mem::Entity;
use std::collections::HashMap;

type Result<T> = core::result::Result<T, String>;

/// The location of a virtual register.
#[derive(Clone, Copy)]
enum RegisterLocation {
    Unused,
    /// A register with one definition, once that has been converted.
    Register(Option<Register>),
    /// An object of the frame.
    Slot(u32),
}

/// The function being converted.
pub(super) struct GenericConverter<'a, 'f, 'm> {
    isa: &'static dyn Backend,
    target: &'static Target,
    naming: &'a mut dyn Naming,
    from: &'f machine::Function<'m>,
    to: Function,
    homes: Vec<RegisterLocation>,
    frame: Vec<Frame>,
    /// The registers that hold addresses in the frame, with the object and the offset in it.
    addresses: HashMap<Register, (Frame, i64)>,
    /// The first of LLVM's blocks for each block: a block is split after a branch that others
    /// follow.
    starts: Vec<u32>,
    /// The blocks whose addresses are in code or data.
    named: Vec<bool>,
    /// The argument registers that blocks after the first read, and the objects that the first
    /// stores them in.
    arguments: Vec<(machine::Reg, u32)>,
    /// The physical registers that the block wrote so far.
    written: Vec<machine::Reg>,
    /// The block that is being converted.
    block: Option<BlockId>,
    /// True if a call has begun and its arguments are being put on the stack.
    in_call: bool,
    /// The registers that LLVM's calls and returns name in another width or by another name.
    wide: Vec<(machine::Reg, Register)>,
    /// The registers of the x87 stack that hold results of the function.
    given: Vec<Register>,
}

/// True for a terminator that another one may follow in the same block.
fn is_terminator(target: &Target, insn: &Instruction) -> bool {
    is_indirect(target, insn) || matches!(target.opcode_name(insn.opcode), "G_BRCOND" | "G_BR")
}

/// True for an indirect branch.
fn is_indirect(target: &Target, insn: &Instruction) -> bool {
    matches!(
        target.opcode_name(insn.opcode),
        "G_BRJT" | "G_BRINDIRECT" | "JMP64r"
    )
}

impl<'a, 'f, 'm> GenericConverter<'a, 'f, 'm> {
    pub(super) fn new(
        isa: &'static dyn Backend,
        target: &'static Target,
        naming: &'a mut dyn Naming,
        from: &'f machine::Function<'m>,
    ) -> GenericConverter<'a, 'f, 'm> {
        let to = Function::new(naming.function());
        GenericConverter {
            isa,
            target,
            naming,
            from,
            to,
            homes: vec![RegisterLocation::Unused; from.vreg_count()],
            frame: Vec::new(),
            addresses: HashMap::new(),
            starts: vec![0; from.block_count()],
            named: vec![false; from.block_count()],
            arguments: Vec::new(),
            written: Vec::new(),
            block: None,
            in_call: false,
            wide: Vec::new(),
            given: Vec::new(),
        }
    }

    pub(super) fn function(mut self) -> Result<Function> {
        if !is_for(self.target.isa()) {
            return Err("LLVM has no GlobalISel for this ISA".into());
        }
        self.to.alignment = 4;
        self.to.set(FunctionProperty::TracksRegLiveness, true);
        self.objects();
        self.find_homes();
        self.find_arguments();
        self.find_named();
        let from = self.from;
        let edges = edges(from, self.isa, &MEMORY).map_err(|_| "out of memory")?;
        let layout = reached(from, &edges);
        for &id in &layout {
            self.block(id)?;
        }
        // Blocks that are not reached, but whose addresses data may hold.
        let mut is_left: Vec<bool> = self.named.clone();
        for id in &layout {
            is_left[id.index()] = false;
        }
        for &id in from.layout.iter().filter(|id| is_left[id.index()]) {
            self.label(id);
            self.plain("G_TRAP", Vec::new())?;
        }
        self.connect(&edges, &layout);
        self.tables();
        let registers = self.isa.registers().registers.iter().skip(1);
        let names = registers.flat_map(|row| {
            [
                Some(row.name.text().into()),
                self.quad_name(row.name.text()),
            ]
        });
        let known = names
            .flatten()
            .filter_map(|name: String| self.target.register(name.as_bytes()));
        let mut known: Vec<u16> = known.collect();
        known.sort_by_key(|&number| core::cmp::Reverse(self.target.units(number).len()));
        add_live_ins(&mut self.to, self.target, &known, 0);
        self.to.compute_properties(self.target);
        Ok(self.to)
    }

    // ---- the function's lists

    fn objects(&mut self) {
        for (_, object) in self.from.frame.iter() {
            let (size, alignment) = (u64::from(object.bytes), u64::from(object.align));
            let place = match object.kind {
                FrameKind::Incoming(at) => {
                    self.to.fixed_stack.push(FixedObject {
                        offset: i64::from(at),
                        size,
                        alignment,
                        is_aliased: true,
                        ..FixedObject::default()
                    });
                    Frame::Fixed(self.to.fixed_stack.len() as u32 - 1)
                }
                FrameKind::Local | FrameKind::Spill => Frame::Stack(self.object(size, alignment)),
            };
            self.frame.push(place);
        }
        self.to
            .frame
            .set(FrameProperty::HasCalls, self.from.has_calls);
        self.to
            .frame
            .set(FrameProperty::AdjustsStack, self.from.has_calls);
    }

    fn object(&mut self, size: u64, alignment: u64) -> u32 {
        self.to.stack.push(StackObject {
            size,
            alignment,
            ..StackObject::default()
        });
        self.to.frame.max_alignment = self.to.frame.max_alignment.max(alignment);
        self.to.stack.len() as u32 - 1
    }

    /// Decides the location of each register: one whose single definition comes before all uses in
    /// its block stays a register.
    fn find_homes(&mut self) {
        let from = self.from;
        let mut block_of = vec![None; from.vreg_count()];
        let mut spilled = vec![false; from.vreg_count()];
        for &id in &from.layout {
            for insn in from.insns(id) {
                for operand in from.operands(insn) {
                    let Some(vreg) = operand.vreg() else { continue };
                    let seen = &mut block_of[vreg.index()];
                    // A use of a register not defined in this block, or a second definition.
                    spilled[vreg.index()] |= operand.is_def() == (*seen == Some(id));
                    seen.get_or_insert(id);
                }
            }
        }
        for (number, spilled) in spilled.into_iter().enumerate() {
            self.homes[number] = match (block_of[number], spilled) {
                (None, _) => RegisterLocation::Unused,
                (Some(_), false) => RegisterLocation::Register(None),
                (Some(_), true) => RegisterLocation::Slot(self.object(8, 8)),
            };
        }
    }

    fn find_named(&mut self) {
        for &id in &self.from.layout {
            self.named[id.index()] = self.from.block(id).address_taken;
        }
        if self.target.isa() == LlvmIsa::X86_64 {
            let tables = self.from.table_ids();
            for block in tables.flat_map(|table| self.from.table(table)) {
                self.named[block.index()] = true;
            }
        }
    }

    /// Begins the first of LLVM's blocks for a block.
    fn label(&mut self, id: BlockId) {
        self.starts[id.index()] = self.to.blocks.len() as u32;
        self.begin_block();
        if !self.named[id.index()] {
            return;
        }
        let name = IrBlock::Named(self.naming.block(id.number()).into());
        if let Some(block) = self.to.blocks.last_mut() {
            block.ir = Some(name.clone());
            block.attributes.ir_address_taken = Some(name);
        }
    }

    fn block(&mut self, id: BlockId) -> Result<()> {
        self.label(id);
        self.block = Some(id);
        self.written.clear();
        if self.from.layout.first() == Some(&id) {
            self.keep_arguments()?;
        }
        let insns: Vec<InsnId> = self.from.insns(id).collect();
        for (place, &insn) in insns.iter().enumerate() {
            let opcode = self.from.insn(insn).opcode;
            if self.in_call
                && opcode
                    .generic()
                    .is_some_and(|opcode| opcode.is_terminator())
            {
                self.end_call()?;
            }
            self.insn(insn, &insns[place + 1..])?;
            self.note_written(insn);
        }
        if self.in_call {
            self.end_call()?;
        }
        Ok(())
    }

    /// Finds the physical registers that blocks after the first read before they write them. LLVM
    /// requires that the first block reads them.
    fn find_arguments(&mut self) {
        let from = self.from;
        for &id in from.layout.iter().skip(1) {
            let mut written = Vec::new();
            for insn in from.insns(id) {
                let is_call = from.insn(insn).opcode.generic() == Some(machine::Generic::Call);
                for operand in from.operands(insn) {
                    let reg = operand.as_reg().filter(|reg| reg.vreg().is_none());
                    let Some(reg) = reg.filter(|reg| !reg.is_none()) else {
                        continue;
                    };
                    let is_known = self.arguments.iter().any(|(known, _)| *known == reg);
                    if operand.is_def() {
                        written.push(reg);
                    } else if !(is_known
                        || is_call
                        || written.contains(&reg)
                        || self.is_stack_pointer(reg))
                    {
                        let slot = self.object(8, 8);
                        self.arguments.push((reg, slot));
                    }
                }
            }
        }
    }

    fn note_written(&mut self, insn: InsnId) {
        let defs = self.from.operands(insn).iter().filter(|o| o.is_def());
        let regs = defs.filter_map(|operand| operand.as_reg());
        self.written.extend(regs.filter(|reg| reg.vreg().is_none()));
    }

    fn keep_arguments(&mut self) -> Result<()> {
        for (reg, slot) in self.arguments.clone() {
            let value = self.source(machine::Operand::reg(reg), 64)?;
            let address = self.frame_address(Frame::Stack(slot))?;
            self.store(value, address)?;
        }
        Ok(())
    }

    fn tables(&mut self) {
        if self.target.isa() == LlvmIsa::X86_64 {
            // Tables are data: see `table_branch`.
            return;
        }
        self.to.jump_table_kind = match self.target.isa() {
            LlvmIsa::Riscv64 => JumpTableKind::LabelDifference32,
            _ => JumpTableKind::BlockAddress,
        };
        for table in self.from.table_ids() {
            let blocks = self.from.table(table).iter();
            let blocks = blocks.map(|block| self.starts[block.index()]).collect();
            self.to.jump_tables.push(JumpTable { blocks });
        }
    }

    fn begin_block(&mut self) {
        let mut block = Block::default();
        block.attributes.alignment = 1;
        self.to.blocks.push(block);
    }

    /// Replaces block numbers by LLVM's positions, and lists successors.
    fn connect(&mut self, edges: &Edges<'_>, layout: &[BlockId]) {
        for block in &mut self.to.blocks {
            for operand in block.instructions.iter_mut().flat_map(|i| &mut i.operands) {
                if let OperandKind::Block(number) = &mut operand.kind {
                    *number = self.starts[*number as usize];
                }
            }
        }
        for (place, &id) in layout.iter().enumerate() {
            let start = self.starts[id.index()];
            let end = layout.get(place + 1).map(|next| self.starts[next.index()]);
            let end = end.unwrap_or(self.to.blocks.len() as u32);
            let mut of_all = Vec::new();
            for &next in edges.successors(id) {
                of_all.push(self.starts[next.index()]);
            }
            for block in start..end {
                let last = self.to.blocks[block as usize].instructions.last();
                let is_indirect = last.is_some_and(|last| is_indirect(self.target, last));
                let mut successors = if end - start == 1 || is_indirect {
                    of_all.clone()
                } else {
                    self.to.guessed_successors(block, self.target)
                };
                successors.sort_unstable();
                successors.dedup();
                self.to.blocks[block as usize].set_even_successors(&successors);
            }
        }
    }

    // ---- making instructions

    fn new_register(&mut self, ty: LowType) -> Register {
        self.to.registers.push(VirtualRegister {
            kind: RegisterKind::Generic,
            ty: Some(ty),
            ..VirtualRegister::default()
        });
        Register::virt(self.to.registers.len() as u32 - 1)
    }

    fn push(&mut self, insn: Instruction) {
        let last = self
            .to
            .blocks
            .last()
            .and_then(|block| block.instructions.last());
        let ended = last.is_some_and(|last| is_terminator(self.target, last));
        if ended && self.target.opcode_name(insn.opcode) != "G_BR" {
            self.begin_block();
        }
        if let Some(block) = self.to.blocks.last_mut() {
            block.instructions.push(insn);
        }
    }

    fn plain(&mut self, name: &str, operands: Vec<Operand>) -> Result<()> {
        let mut insn = self.instruction(name)?;
        insn.operands = operands;
        self.push(insn);
        Ok(())
    }

    fn instruction(&self, name: &str) -> Result<Instruction> {
        let opcode = self.target.opcode(name.as_bytes());
        let opcode = opcode.ok_or_else(|| format!("LLVM has no opcode {name}"))?;
        Ok(Instruction::new(opcode))
    }

    /// Adds an instruction with one result, which it returns.
    fn value(&mut self, name: &str, ty: LowType, operands: Vec<Operand>) -> Result<Register> {
        let result = self.new_register(ty);
        let mut all = vec![Operand::reg(result, OperandFlags::DEF)];
        all.extend(operands);
        self.plain(name, all)?;
        Ok(result)
    }

    fn constant(&mut self, bits: u32, value: i64) -> Result<Register> {
        let integer = OperandKind::Integer(Box::new(Integer::new(bits, value)));
        self.value("G_CONSTANT", LowType::scalar(bits), vec![integer.into()])
    }

    fn bits(&self, register: Register) -> u32 {
        let index = register.virtual_index().unwrap_or(0);
        let ty = self.to.registers[index].ty;
        ty.map_or(64, |ty| ty.bits() as u32)
    }

    /// Returns the low bits, or the value with undefined bits above.
    fn resized(&mut self, register: Register, bits: u32) -> Result<Register> {
        let name = match self.bits(register).cmp(&bits) {
            core::cmp::Ordering::Equal => return Ok(register),
            core::cmp::Ordering::Less => "G_ANYEXT",
            core::cmp::Ordering::Greater => "G_TRUNC",
        };
        self.value(name, LowType::scalar(bits), vec![used(register)])
    }

    fn access(
        &mut self,
        name: &str,
        operands: Vec<Operand>,
        (access, bits): (Access, u32),
    ) -> Result<()> {
        let mut insn = self.instruction(name)?;
        let size = MemorySize::Type(LowType::scalar(bits));
        let align = u64::from((bits / 8).next_power_of_two());
        let mut memory = MemoryOperand::new(access, size, AccessLocation::Unknown, align);
        let address = operands.last().and_then(|address| address.register());
        let known = address.and_then(|address| self.addresses.get(&address.register));
        if let Some(&(frame, offset)) = known {
            memory.base_align = match frame {
                Frame::Fixed(number) => self.to.fixed_stack[number as usize].alignment,
                Frame::Stack(number) => self.to.stack[number as usize].alignment,
            };
            (memory.place, memory.offset) = (AccessLocation::Frame(frame), offset);
        }
        insn.operands = operands;
        insn.memory.push(memory);
        self.push(insn);
        Ok(())
    }

    fn load(&mut self, name: &str, bits: u32, address: Register, memory: u32) -> Result<Register> {
        let result = self.new_register(LowType::scalar(bits));
        let operands = vec![Operand::reg(result, OperandFlags::DEF), used(address)];
        self.access(name, operands, (Access::Load, memory))?;
        Ok(result)
    }

    fn store(&mut self, value: Register, address: Register) -> Result<()> {
        let bits = self.bits(value);
        let operands = vec![used(value), used(address)];
        self.access("G_STORE", operands, (Access::Store, bits))
    }

    fn frame_address(&mut self, frame: Frame) -> Result<Register> {
        let operand = OperandKind::Frame(frame);
        let address = self.value("G_FRAME_INDEX", LowType::pointer(0), vec![operand.into()])?;
        self.addresses.insert(address, (frame, 0));
        Ok(address)
    }
}

/// True if LLVM has `GlobalISel` for the ISA.
const fn is_for(isa: LlvmIsa) -> bool {
    matches!(isa, LlvmIsa::Aarch64 | LlvmIsa::Riscv64 | LlvmIsa::X86_64)
}

/// Returns the reachable blocks, in their order: LLVM assigns no banks in the others.
fn reached(from: &machine::Function<'_>, edges: &Edges<'_>) -> Vec<BlockId> {
    let mut found = vec![false; from.block_count()];
    let mut waiting: Vec<_> = from.layout.first().copied().into_iter().collect();
    while let Some(block) = waiting.pop() {
        if !core::mem::replace(&mut found[block.index()], true) {
            waiting.extend_from_slice(edges.successors(block));
        }
    }
    let layout = from.layout.iter().copied();
    layout.filter(|block| found[block.index()]).collect()
}

fn used(register: Register) -> Operand {
    Operand::reg(register, OperandFlags::NONE)
}
