//! One function before selection, as generic Machine IR that LLVM's `GlobalISel` compiles.
//!
//! Our generic instructions work on registers of 64 bits of which they take what they need, take immediates and whole
//! addresses, and define registers more than once. LLVM's have exact types and one definition: what is read is cut,
//! what is written is extended, addresses are computed, and a register whose definition and uses are not all in one
//! block becomes an object of the frame.

use super::convert::{Naming, platform_mask};
use super::live::add_live_ins;
use crate::memory::MEMORY;
use llvm_mir::model::{
    Access, Block, FixedObject, Float, Frame, FrameProperty, Function, FunctionProperty, Global,
    Instruction, Integer, JumpTable, JumpTableKind, LowType, MemoryOperand, MemorySize, Operand,
    OperandFlags, OperandKind, Place, Register, RegisterKind, StackObject, VirtualRegister,
};
use llvm_mir::target::{Isa as LlvmIsa, Target};
use mir_nostd::codegen::edges;
use mir_nostd::machine::{
    self, Bank, BlockId, Edges, FrameKind, Generic, InsnId, LowType as Ours, VReg,
};
use mir_nostd::mem::Entity;
use mir_nostd::target::Isa;

type Result<T> = core::result::Result<T, String>;

/// Where a register of ours is.
#[derive(Clone, Copy)]
enum Home {
    Unused,
    /// In a register with one definition, once that has come.
    Register(Option<Register>),
    /// In an object of the frame.
    Slot(u32),
}

/// A function in the making.
pub(super) struct GenericConverter<'a, 'f, 'm> {
    isa: &'static dyn Isa,
    target: &'static Target,
    naming: &'a mut dyn Naming,
    from: &'f machine::Function<'m>,
    to: Function,
    homes: Vec<Home>,
    frame: Vec<Frame>,
    /// The first block of LLVM's for each of ours: a block is split behind a branch that others follow.
    starts: Vec<u32>,
}

/// What can follow a terminator in the same block.
fn is_terminator(target: &Target, insn: &Instruction) -> bool {
    matches!(
        target.opcode_name(insn.opcode),
        "G_BRCOND" | "G_BR" | "G_BRJT"
    )
}

impl<'a, 'f, 'm> GenericConverter<'a, 'f, 'm> {
    pub(super) fn new(
        isa: &'static dyn Isa,
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
            homes: vec![Home::Unused; from.vreg_count()],
            frame: Vec::new(),
            starts: vec![0; from.block_count()],
        }
    }

    pub(super) fn function(mut self) -> Result<Function> {
        if !matches!(self.target.isa(), LlvmIsa::Aarch64 | LlvmIsa::Riscv64) {
            return Err("generic Machine IR is printed for aarch64 and riscv64".into());
        }
        self.to.alignment = 4;
        self.to.set(FunctionProperty::TracksRegLiveness, true);
        self.objects();
        self.find_homes();
        let from = self.from;
        let edges = edges(from, self.isa, &MEMORY).map_err(|_| "out of memory")?;
        let layout = reached(from, &edges);
        for &id in &layout {
            self.starts[id.index()] = self.to.blocks.len() as u32;
            self.begin_block();
            for insn in from.insns(id) {
                self.insn(insn)?;
            }
        }
        self.connect(&edges, &layout);
        self.tables();
        let registers = self.isa.registers().registers.iter().skip(1);
        let known = registers.filter_map(|row| self.target.register(row.name.as_bytes()));
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
                FrameKind::Local => Frame::Stack(self.object(size, alignment)),
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

    /// Registers whose one definition comes before all uses in its block stay registers.
    fn find_homes(&mut self) {
        let from = self.from;
        let mut block_of = vec![None; from.vreg_count()];
        let mut spilled = vec![false; from.vreg_count()];
        for &id in &from.layout {
            for insn in from.insns(id) {
                for operand in from.operands(insn) {
                    let Some(vreg) = operand.vreg() else { continue };
                    let seen = &mut block_of[vreg.index()];
                    // A use of what was not defined in this block, or a second definition.
                    spilled[vreg.index()] |= operand.is_def() == (*seen == Some(id));
                    seen.get_or_insert(id);
                }
            }
        }
        for (number, spilled) in spilled.into_iter().enumerate() {
            self.homes[number] = match (block_of[number], spilled) {
                (None, _) => Home::Unused,
                (Some(_), false) => Home::Register(None),
                (Some(_), true) => Home::Slot(self.object(8, 8)),
            };
        }
    }

    fn tables(&mut self) {
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

    /// Puts the places of blocks where their numbers of ours stand, and lists successors.
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
                let mut successors = if end - start == 1 {
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

    /// Adds an instruction with one result.
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

    /// The low bits, or any bits above.
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
        insn.operands = operands;
        let size = MemorySize::Type(LowType::scalar(bits));
        let align = u64::from(bits / 8);
        insn.memory
            .push(MemoryOperand::new(access, size, Place::Unknown, align));
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
        let frame = OperandKind::Frame(frame);
        self.value("G_FRAME_INDEX", LowType::pointer(0), vec![frame.into()])
    }

    // ---- operands of ours

    /// The register of the machine that has this many bits of one of ours.
    fn physical(&self, reg: machine::Reg, bits: u32) -> Result<Register> {
        let name = self.isa.registers().row(reg).name;
        let name = match (self.target.isa(), bits) {
            (LlvmIsa::Aarch64, 32) => name.replace('d', "s").replace('x', "w"),
            (LlvmIsa::Riscv64, 32) => name.replace("_d", "_f"),
            _ => name.into(),
        };
        let number = self.target.register(name.as_bytes());
        let number = number.ok_or_else(|| format!("LLVM has no register {name}"))?;
        Ok(Register::physical(number))
    }

    /// The width of a register of the machine as our tables name it.
    fn physical_bits(&self, reg: machine::Reg) -> u32 {
        let name = self.isa.registers().row(reg).name;
        let is_half = name.ends_with("_f") || (name.starts_with('s') && name != "sp");
        if is_half { 32 } else { 64 }
    }

    fn bank(&self, vreg: VReg) -> Bank {
        self.from.vreg(vreg).bank
    }

    /// What a source has, with so many bits.
    fn source(&mut self, operand: machine::Operand, bits: u32) -> Result<Register> {
        if let Some(value) = self.from.immediate(operand) {
            return self.constant(bits, value);
        }
        let reg = operand.as_reg().ok_or("an operand that is no register")?;
        let Some(vreg) = reg.vreg() else {
            let whole = self.physical_bits(reg);
            let from = self.physical(reg, whole)?;
            let value = self.value("COPY", LowType::scalar(whole), vec![used(from)])?;
            return self.resized(value, bits);
        };
        match self.homes[vreg.index()] {
            Home::Register(Some(register)) => self.resized(register, bits),
            Home::Slot(slot) => {
                let address = self.frame_address(Frame::Stack(slot))?;
                let whole = if self.bank(vreg) == Bank::Floating {
                    bits
                } else {
                    64
                };
                let value = self.load("G_LOAD", whole, address, whole)?;
                self.resized(value, bits)
            }
            _ => self.value("G_IMPLICIT_DEF", LowType::scalar(bits), Vec::new()),
        }
    }

    /// Gives a destination its value.
    fn set(&mut self, operand: machine::Operand, value: Register) -> Result<()> {
        let reg = operand.as_reg().ok_or("a result that is no register")?;
        let Some(vreg) = reg.vreg() else {
            let is_general = self.isa.registers().row(reg).name.starts_with('x');
            let value = match self.physical_bits(reg) {
                64 if !is_general => value,
                whole => self.resized(value, whole)?,
            };
            let to = self.physical(reg, self.bits(value))?;
            let operands = vec![Operand::reg(to, OperandFlags::DEF), used(value)];
            return self.plain("COPY", operands);
        };
        let value = match self.bank(vreg) {
            Bank::General => self.resized(value, 64)?,
            Bank::Floating => value,
        };
        match self.homes[vreg.index()] {
            Home::Slot(slot) => {
                let address = self.frame_address(Frame::Stack(slot))?;
                self.store(value, address)
            }
            _ => {
                self.homes[vreg.index()] = Home::Register(Some(value));
                Ok(())
            }
        }
    }

    /// Base, index, scale, displacement: an address.
    fn address(&mut self, operands: &[machine::Operand]) -> Result<Register> {
        let &[base, index, scale, disp] = operands else {
            return Err("an address of other than four operands".into());
        };
        let number = |operand| self.from.immediate(operand).unwrap_or(0);
        let (scale, mut disp) = (number(scale), number(disp));
        let mut address = if let Some(frame) = base.as_frame() {
            self.frame_address(self.frame[frame.index()])?
        } else if let Some(symbol) = base.as_symbol() {
            self.global(symbol)?
        } else if base.as_constant().is_some() {
            return Err("constants in memory have no form in LLVM yet".into());
        } else if base.as_reg().is_some_and(|reg| reg.is_none()) {
            let disp = core::mem::take(&mut disp);
            let value = self.constant(64, disp)?;
            self.value("G_INTTOPTR", LowType::pointer(0), vec![used(value)])?
        } else {
            let value = self.source(base, 64)?;
            self.value("G_INTTOPTR", LowType::pointer(0), vec![used(value)])?
        };
        if !index.as_reg().is_some_and(|reg| reg.is_none()) {
            let mut offset = self.source(index, 64)?;
            if scale != 1 {
                let scale = self.constant(64, scale)?;
                offset = self.value(
                    "G_MUL",
                    LowType::scalar(64),
                    vec![used(offset), used(scale)],
                )?;
            }
            address = self.moved(address, offset)?;
        }
        if disp != 0 {
            let offset = self.constant(64, disp)?;
            address = self.moved(address, offset)?;
        }
        Ok(address)
    }

    fn moved(&mut self, address: Register, offset: Register) -> Result<Register> {
        let operands = vec![used(address), used(offset)];
        self.value("G_PTR_ADD", LowType::pointer(0), operands)
    }

    fn global(&mut self, symbol: machine::SymbolId) -> Result<Register> {
        let name = self.naming.symbol(self.from.symbol(symbol));
        let global = OperandKind::Global(Box::new(Global::Named(name.into())), 0);
        self.value("G_GLOBAL_VALUE", LowType::pointer(0), vec![global.into()])
    }

    fn address_as_int(&mut self, address: Register) -> Result<Register> {
        self.value("G_PTRTOINT", LowType::scalar(64), vec![used(address)])
    }

    // ---- instructions of ours

    fn insn(&mut self, id: InsnId) -> Result<()> {
        use Generic as G;
        let (insn, operands) = (*self.from.insn(id), self.from.operands(id).to_vec());
        let generic = insn
            .opcode
            .generic()
            .ok_or("an instruction behind selection")?;
        if insn.ty.is_long_double() {
            return Err(format!(
                "{} of long doubles has no form in LLVM yet",
                generic.name()
            ));
        }
        let bits = insn.ty.bits();
        let ty = LowType::scalar(bits);
        match generic {
            G::PropertySet | G::PropertyMove => Ok(()),
            G::Copy => {
                let value = self.source(operands[1], bits)?;
                self.set(operands[0], value)
            }
            G::ImplicitDef => {
                let value = self.value("G_IMPLICIT_DEF", ty, Vec::new())?;
                self.set(operands[0], value)
            }
            G::Constant => {
                let value = self.source(operands[1], 64)?;
                self.set(operands[0], value)
            }
            G::FConstant => self.float_constant(&operands, insn.ty),
            G::GlobalValue => {
                let symbol = operands[1].as_symbol().ok_or("a symbol without number")?;
                let address = self.global(symbol)?;
                let value = self.address_as_int(address)?;
                self.set(operands[0], value)
            }
            G::FrameIndex => {
                let none = machine::Operand::NO_REG;
                let parts = [operands[1], none, machine::Operand::imm(1), operands[2]];
                let address = self.address(&parts)?;
                let value = self.address_as_int(address)?;
                self.set(operands[0], value)
            }
            G::Load | G::SextLoad | G::ZextLoad => {
                let address = self.address(&operands[1..5])?;
                let value = if generic == G::Load || bits == 64 {
                    self.load("G_LOAD", bits, address, bits)?
                } else {
                    self.load(generic.name(), 64, address, bits)?
                };
                self.set(operands[0], value)
            }
            G::Store => {
                let value = self.source(operands[0], bits)?;
                let address = self.address(&operands[1..5])?;
                self.store(value, address)
            }
            G::SextInreg => {
                let value = self.source(operands[1], 64)?;
                let width = Operand::imm(self.from.immediate(operands[2]).unwrap_or(64));
                let operation = vec![used(value), width];
                let value = self.value("G_SEXT_INREG", LowType::scalar(64), operation)?;
                self.set(operands[0], value)
            }
            G::ZextInreg => {
                let width = self.from.immediate(operands[2]).unwrap_or(32) as u32;
                let value = self.source(operands[1], width)?;
                let value = self.value("G_ZEXT", LowType::scalar(64), vec![used(value)])?;
                self.set(operands[0], value)
            }
            G::Shl | G::Lshr | G::Ashr | G::Rotl => {
                let a = self.source(operands[1], bits)?;
                let count = self.source(operands[2], bits)?;
                let mask = self.constant(bits, i64::from(bits) - 1)?;
                let count = self.value("G_AND", ty, vec![used(count), used(mask)])?;
                let value = self.value(generic.name(), ty, vec![used(a), used(count)])?;
                self.set(operands[0], value)
            }
            G::Saddo | G::Uaddo | G::Ssubo | G::Usubo | G::Smulo | G::Umulo => {
                self.with_overflow(generic, &operands, bits)
            }
            G::Icmp | G::Fcmp => {
                let bit = self.comparison(&operands[1..4], bits)?;
                let value = self.value("G_ZEXT", LowType::scalar(64), vec![used(bit)])?;
                self.set(operands[0], value)
            }
            G::Select => {
                let bit = self.comparison(&operands[1..4], bits)?;
                let (x, y) = (self.source(operands[4], 64)?, self.source(operands[5], 64)?);
                let choice = vec![used(bit), used(x), used(y)];
                let value = self.value("G_SELECT", LowType::scalar(64), choice)?;
                self.set(operands[0], value)
            }
            G::BrIcmp | G::BrFcmp => {
                let bit = self.comparison(&operands[..3], bits)?;
                let to = block(operands[3])?;
                self.plain("G_BRCOND", vec![used(bit), to])
            }
            G::Br => {
                let to = block(operands[0])?;
                self.plain("G_BR", vec![to])
            }
            G::Brjt => self.table_branch(&operands),
            G::Call => self.call(&operands),
            G::Ret => self.ret(&operands),
            G::Fpext | G::Fptrunc => {
                let width = self.from.immediate(operands[2]).unwrap_or(32) as u32;
                if width > 64 {
                    return Err("long doubles have no form in LLVM yet".into());
                }
                self.unary(generic, &operands, width, bits)
            }
            G::Fneg => self.unary(generic, &operands, bits, bits),
            G::FptosiSat if self.target.isa() == LlvmIsa::Riscv64 => {
                self.saturated(&operands, bits)
            }
            G::FptosiSat => self.unary(generic, &operands, bits, 64),
            G::Sitofp | G::Uitofp => self.unary(generic, &operands, 64, bits),
            G::DynStackalloc => {
                let size = self.source(operands[1], 64)?;
                let align = Operand::imm(16);
                let operation = vec![used(size), align];
                let address = self.value("G_DYN_STACKALLOC", LowType::pointer(0), operation)?;
                self.to.stack.push(StackObject {
                    kind: llvm_mir::model::ObjectKind::VariableSized,
                    alignment: 16,
                    ..StackObject::default()
                });
                let value = self.address_as_int(address)?;
                self.set(operands[0], value)
            }
            G::Stacksave => {
                let saved = self.value("G_STACKSAVE", LowType::pointer(0), Vec::new())?;
                let value = self.address_as_int(saved)?;
                self.set(operands[0], value)
            }
            G::Stackrestore => {
                let value = self.source(operands[0], 64)?;
                let saved = self.value("G_INTTOPTR", LowType::pointer(0), vec![used(value)])?;
                self.plain("G_STACKRESTORE", vec![used(saved)])
            }
            G::Add
            | G::Sub
            | G::Mul
            | G::Smulh
            | G::Umulh
            | G::Sdiv
            | G::Udiv
            | G::Srem
            | G::Urem
            | G::And
            | G::Or
            | G::Xor
            | G::Fadd
            | G::Fsub
            | G::Fmul
            | G::Fdiv => {
                let (a, b) = (
                    self.source(operands[1], bits)?,
                    self.source(operands[2], bits)?,
                );
                let value = self.value(generic.name(), ty, vec![used(a), used(b)])?;
                self.set(operands[0], value)
            }
            _ => Err(format!("{} has no form in LLVM yet", generic.name())),
        }
    }

    fn float_constant(&mut self, operands: &[machine::Operand], ty: Ours) -> Result<()> {
        let bits = self
            .from
            .immediate(operands[1])
            .unwrap_or(0)
            .cast_unsigned();
        let float = match ty {
            Ours::S32 => Float::single(f32::from_bits(bits as u32)),
            _ => Float::double(f64::from_bits(bits)),
        };
        let float = OperandKind::Float(Box::new(float));
        let value = self.value(
            "G_FCONSTANT",
            LowType::scalar(ty.bits()),
            vec![float.into()],
        )?;
        self.set(operands[0], value)
    }

    fn unary(
        &mut self,
        generic: Generic,
        operands: &[machine::Operand],
        from: u32,
        to: u32,
    ) -> Result<()> {
        let value = self.source(operands[1], from)?;
        let value = self.value(generic.name(), LowType::scalar(to), vec![used(value)])?;
        self.set(operands[0], value)
    }

    /// A conversion to an integer, for which LLVM has no saturating form on riscv64: bounds and NaN are looked at.
    fn saturated(&mut self, operands: &[machine::Operand], bits: u32) -> Result<()> {
        use llvm_mir::model::FloatPredicate as P;
        let word = LowType::scalar(64);
        let value = self.source(operands[1], bits)?;
        let mut result = self.value("G_FPTOSI", word, vec![used(value)])?;
        let bound = |bound: f64| match bits {
            32 => Float::single(bound as f32),
            _ => Float::double(bound),
        };
        const LIMIT: f64 = 9_223_372_036_854_775_808.0;
        for (predicate, bound, instead) in [
            (P::Oge, bound(LIMIT), i64::MAX),
            (P::Olt, bound(-LIMIT), i64::MIN),
            (P::Uno, bound(0.0), 0),
        ] {
            let bound = OperandKind::Float(Box::new(bound)).into();
            let bound = self.value("G_FCONSTANT", LowType::scalar(bits), vec![bound])?;
            let predicate = OperandKind::FloatPredicate(predicate).into();
            let comparison = vec![predicate, used(value), used(bound)];
            let bit = self.value("G_FCMP", LowType::scalar(1), comparison)?;
            let instead = self.constant(64, instead)?;
            let choice = vec![used(bit), used(instead), used(result)];
            result = self.value("G_SELECT", word, choice)?;
        }
        self.set(operands[0], result)
    }

    fn with_overflow(
        &mut self,
        generic: Generic,
        operands: &[machine::Operand],
        bits: u32,
    ) -> Result<()> {
        let (a, b) = (
            self.source(operands[2], bits)?,
            self.source(operands[3], bits)?,
        );
        let (value, flag) = (
            self.new_register(LowType::scalar(bits)),
            self.new_register(LowType::scalar(1)),
        );
        let def = |register| Operand::reg(register, OperandFlags::DEF);
        self.plain(
            generic.name(),
            vec![def(value), def(flag), used(a), used(b)],
        )?;
        let flag = self.value("G_ZEXT", LowType::scalar(64), vec![used(flag)])?;
        self.set(operands[0], value)?;
        self.set(operands[1], flag)
    }

    /// A predicate and two values: a bit.
    fn comparison(&mut self, operands: &[machine::Operand], bits: u32) -> Result<Register> {
        let (a, b) = (
            self.source(operands[1], bits)?,
            self.source(operands[2], bits)?,
        );
        let (name, predicate) = predicate(operands[0])?;
        self.value(name, LowType::scalar(1), vec![predicate, used(a), used(b)])
    }

    fn table_branch(&mut self, operands: &[machine::Operand]) -> Result<()> {
        let index = self.source(operands[0], 64)?;
        let table = operands[1].as_table().ok_or("a branch without table")?;
        let table = || Operand::from(OperandKind::JumpTable(table.number()));
        let address = self.value("G_JUMP_TABLE", LowType::pointer(0), vec![table()])?;
        self.plain("G_BRJT", vec![used(address), table(), used(index)])
    }

    fn call(&mut self, operands: &[machine::Operand]) -> Result<()> {
        let is_arm = self.target.isa() == LlvmIsa::Aarch64;
        let stack_bytes = i64::from(self.from.outgoing_bytes);
        let callee = if let Some(symbol) = operands[0].as_symbol() {
            let name = self.naming.symbol(self.from.symbol(symbol));
            Some(OperandKind::Global(Box::new(Global::Named(name.into())), 0))
        } else {
            None
        };
        let indirect = match callee {
            Some(_) => None,
            None => Some(self.called_register(operands[0])?),
        };
        self.adjust("ADJCALLSTACKDOWN", stack_bytes)?;
        let mut call = self.instruction(match (is_arm, callee.is_some()) {
            (true, true) => "BL",
            (true, false) => "BLR",
            (false, true) => "PseudoCALL",
            (false, false) => "PseudoCALLIndirect",
        })?;
        let mask = self.target.mask(platform_mask(self.isa));
        let mask = mask.ok_or("LLVM has no mask of calls")?;
        call.operands.push(match (callee, indirect) {
            (Some(kind), _) => {
                let flag = self.target.direct_flag(b"riscv-call").filter(|_| !is_arm);
                let target_flags = flag.unwrap_or(0);
                Operand { kind, target_flags }
            }
            (None, Some(register)) => used(register),
            (None, None) => return Err("a call of nothing".into()),
        });
        call.operands.push(OperandKind::Mask(mask).into());
        call.add_implicit_operands(self.target);
        for operand in &operands[2..] {
            let Some(reg) = operand.as_reg() else {
                continue;
            };
            let register = self.physical(reg, 64)?;
            let flags = if operand.is_def() {
                OperandFlags::DEF.with(OperandFlags::IMPLICIT)
            } else {
                OperandFlags::IMPLICIT
            };
            call.operands.push(Operand::reg(register, flags));
        }
        self.push(call);
        self.adjust("ADJCALLSTACKUP", stack_bytes)
    }

    /// A register of the class that indirect calls take.
    fn called_register(&mut self, operand: machine::Operand) -> Result<Register> {
        let value = self.source(operand, 64)?;
        let pointer = self.value("G_INTTOPTR", LowType::pointer(0), vec![used(value)])?;
        let class = match self.target.isa() {
            LlvmIsa::Aarch64 => "gpr64",
            _ => "gprjalr",
        };
        let class = self.target.class(class.as_bytes());
        let class = class.ok_or("LLVM has no class for calls")?;
        let copy = self.value("COPY", LowType::pointer(0), vec![used(pointer)])?;
        let index = copy.virtual_index().unwrap_or(0);
        self.to.registers[index].kind = RegisterKind::Class(class);
        Ok(copy)
    }

    fn adjust(&mut self, name: &str, bytes: i64) -> Result<()> {
        let mut insn = self.instruction(name)?;
        insn.operands = vec![Operand::imm(bytes), Operand::imm(0)];
        insn.add_implicit_operands(self.target);
        self.push(insn);
        Ok(())
    }

    fn ret(&mut self, operands: &[machine::Operand]) -> Result<()> {
        let mut insn = self.instruction(match self.target.isa() {
            LlvmIsa::Aarch64 => "RET_ReallyLR",
            _ => "PseudoRET",
        })?;
        for operand in operands {
            let Some(reg) = operand.as_reg() else {
                continue;
            };
            let register = self.physical(reg, 64)?;
            insn.operands
                .push(Operand::reg(register, OperandFlags::IMPLICIT));
        }
        self.push(insn);
        Ok(())
    }
}

/// The blocks that something leads to, in their order: LLVM gives the others no banks.
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

/// A block by our number, until all have their places.
fn block(operand: machine::Operand) -> Result<Operand> {
    let block = operand.as_block().ok_or("a branch to nowhere")?;
    Ok(Operand::block(block.number()))
}

/// A predicate and the instruction that has it. LLVM's words for predicates are ours.
fn predicate(operand: machine::Operand) -> Result<(&'static str, Operand)> {
    use llvm_mir::model::{FloatPredicate, IntPredicate};
    if let Some(ours) = operand.as_int_predicate() {
        let mut table = IntPredicate::TABLE.iter();
        let found = table.find(|(_, word)| *word == ours.name());
        let found = found.ok_or("LLVM has no such predicate")?;
        return Ok(("G_ICMP", OperandKind::IntPredicate(found.0).into()));
    }
    let ours = operand
        .as_float_predicate()
        .ok_or("a comparison without predicate")?;
    let mut table = FloatPredicate::TABLE.iter();
    let found = table.find(|(_, word)| *word == ours.name());
    let found = found.ok_or("LLVM has no such predicate")?;
    Ok(("G_FCMP", OperandKind::FloatPredicate(found.0).into()))
}
