//! The conversion of one function, as a stage left it, to LLVM's model.

mod access;

use super::live::add_live_ins;
use crate::memory::MEMORY;
use llvm_mir::model::{
    Block, Constant, FixedObject, Frame, FrameProperty, Function, FunctionProperty, Global,
    Instruction, JumpTable, JumpTableKind, ObjectKind, Operand, OperandFlags, OperandKind,
    Register, RegisterKind, RegisterOperand, StackObject, Text, Trailers, VirtualRegister,
};
use llvm_mir::target::{Isa, Target};
use mir_nostd::codegen::Backend;
use mir_nostd::codegen::{Form, edges};
use mir_nostd::machine::{
    self, BlockId, FrameKind, InsnId, OperandFlags as Flags, Reg, Symbol, UnitSet, VReg,
};
use mir_nostd::mem::Entity;
use mir_nostd::target::InsnRow;

/// The names of the things that a function refers to.
pub(super) trait Naming {
    /// Returns the name of the function itself.
    fn function(&mut self) -> Vec<u8>;
    /// Returns a number that is unique to the function.
    fn number(&self) -> usize;
    /// Returns the name of a symbol.
    fn symbol(&mut self, symbol: Symbol) -> Vec<u8>;
    /// Returns the name of a jump table as data.
    fn table(&mut self, table: u32) -> Vec<u8>;
    /// Returns the name of data that belong to the function; `what` tells them apart.
    fn data(&mut self, what: &str, contents: &Contents<'_>) -> Vec<u8>;
    /// Returns the name of the block of LLVM IR that stands for a block of the function whose
    /// address is taken.
    fn block(&mut self, number: u32) -> Vec<u8>;
}

/// The contents of data that belong to a function.
pub(super) enum Contents<'a> {
    Bytes(&'a [u8]),
    /// The addresses of blocks of the function.
    Blocks(&'a [u32]),
}

/// The state of the conversion of a function.
pub(super) struct Converter<'a> {
    isa: &'static dyn Backend,
    target: &'static Target,
    naming: &'a mut dyn Naming,
    /// The form that the function is in.
    form: Form,
    /// The position of each block in the layout.
    places: Vec<u32>,
    /// The index of each frame object in its list of LLVM's.
    frame: Vec<Frame>,
    /// The index of each constant in LLVM's pool.
    constants: Vec<u32>,
    /// The number of instructions that have a label of their own so far.
    labels: u32,
}

impl<'a> Converter<'a> {
    pub(super) fn new(
        isa: &'static dyn Backend,
        target: &'static Target,
        naming: &'a mut dyn Naming,
        form: Form,
    ) -> Converter<'a> {
        Converter {
            isa,
            target,
            naming,
            form,
            places: Vec::new(),
            frame: Vec::new(),
            constants: Vec::new(),
            labels: 0,
        }
    }

    pub(super) fn function(mut self, from: &machine::Function<'_>) -> Result<Function, String> {
        let name = self.naming.function();
        let mut to = Function::new(name);
        let description = self.isa.description();
        to.alignment = u64::from(from.align.max(description.code_align));
        to.set(FunctionProperty::TracksRegLiveness, true);
        let returns_twice = from.is_jumped_back_into;
        to.set(FunctionProperty::ExposesReturnsTwice, returns_twice);
        self.places = vec![u32::MAX; from.block_count()];
        for (place, block) in (0..).zip(from.layout.iter()) {
            self.places[block.index()] = place;
        }
        let used = self.registers(from, &mut to)?;
        self.frame(from, &mut to);
        self.pools(from, &mut to);
        let edges = edges(from, self.isa, &MEMORY).map_err(|_| "out of memory")?;
        for &id in &from.layout {
            let mut block = Block::default();
            block.attributes.alignment = match from.block(id).starts_line {
                true => description.line_bytes.into(),
                false => 1,
            };
            block.attributes.machine_address_taken = from.block(id).address_taken;
            for insn in from.insns(id) {
                block.instructions.push(self.insn(from, insn, &used)?);
            }
            let mut successors: Vec<u32> = Vec::new();
            for &next in edges.successors(id) {
                let next = self.place(next);
                if !successors.contains(&next) {
                    successors.push(next);
                }
            }
            block.set_even_successors(&successors);
            to.blocks.push(block);
        }
        let frame_pointer = self.physical(self.isa.registers().frame_pointer)?;
        let frame_pointer = frame_pointer.number().unwrap_or(0);
        add_live_ins(&mut to, self.target, &self.known_registers(), frame_pointer);
        to.compute_properties(self.target);
        Ok(to)
    }

    fn place(&self, block: BlockId) -> u32 {
        self.places[block.index()]
    }

    /// Returns LLVM's numbers of this project's registers, larger registers first.
    fn known_registers(&self) -> Vec<u16> {
        let rows = self.isa.registers().registers.iter().skip(1);
        let known = rows.filter_map(|row| self.target.register(row.name.text().as_bytes()));
        let mut known: Vec<u16> = known.collect();
        known.sort_by_key(|&number| core::cmp::Reverse(self.target.units(number).len()));
        known
    }

    /// Adds the virtual registers that the code mentions; returns the new number of each.
    fn registers(
        &self,
        from: &machine::Function<'_>,
        to: &mut Function,
    ) -> Result<Vec<u32>, String> {
        let mut used = vec![u32::MAX; from.vreg_count()];
        for &block in &from.layout {
            for insn in from.insns(block) {
                for vreg in from.operands(insn).iter().filter_map(|o| o.vreg()) {
                    used[vreg.index()] = 0;
                }
            }
        }
        // The order is kept, as it breaks ties in stages that go on from a file.
        for (vreg, number) in (0..).map(VReg::new).zip(&mut used) {
            if *number == u32::MAX {
                continue;
            }
            *number = to.registers.len() as u32;
            let class = from.vreg(vreg).class;
            let class = self.isa.registers().class(class).name.text();
            let id = self.target.class(class.as_bytes());
            let id = id.ok_or_else(|| format!("LLVM has no class {class}"))?;
            to.registers.push(VirtualRegister {
                kind: RegisterKind::Class(id),
                ..VirtualRegister::default()
            });
        }
        Ok(used)
    }

    fn frame(&mut self, from: &machine::Function<'_>, to: &mut Function) {
        for (_, object) in from.frame.iter() {
            let (size, alignment) = (u64::from(object.bytes), u64::from(object.align));
            self.frame.push(match object.kind {
                FrameKind::Incoming(at) => {
                    to.fixed_stack.push(FixedObject {
                        offset: i64::from(at),
                        size,
                        alignment,
                        is_aliased: true,
                        ..FixedObject::default()
                    });
                    Frame::Fixed(to.fixed_stack.len() as u32 - 1)
                }
                FrameKind::Local | FrameKind::Spill => {
                    to.stack.push(StackObject {
                        kind: match object.kind {
                            FrameKind::Spill => ObjectKind::SpillSlot,
                            _ => ObjectKind::Default,
                        },
                        offset: i64::from(object.offset),
                        size,
                        alignment,
                        ..StackObject::default()
                    });
                    Frame::Stack(to.stack.len() as u32 - 1)
                }
            });
            to.frame.max_alignment = to.frame.max_alignment.max(alignment);
        }
        to.frame.set(FrameProperty::HasCalls, from.has_calls);
        to.frame.set(FrameProperty::AdjustsStack, from.has_calls);
        to.frame.max_call_frame_size = Some(from.outgoing_bytes);
    }

    /// Adds the constants, each once, and the jump tables.
    fn pools(&mut self, from: &machine::Function<'_>, to: &mut Function) {
        for (_, constant) in from.constants.iter() {
            let mut bytes = [0; 16];
            let len = usize::from(constant.len);
            bytes[..len].copy_from_slice(&constant.bytes[..len]);
            if self.isa.target().big_endian {
                bytes[..len].reverse();
            }
            let value = u128::from_le_bytes(bytes);
            let constant = Constant {
                value: format!("i{} {value}", 8 * len).as_str().into(),
                alignment: len as u64,
                is_target_specific: false,
            };
            let known = to.constants.iter().position(|known| *known == constant);
            self.constants
                .push(known.unwrap_or(to.constants.len()) as u32);
            if known.is_none() {
                to.constants.push(constant);
            }
        }
        to.jump_table_kind = JumpTableKind::LabelDifference32;
        if self.form == Form::Encoded {
            // After encoding tables are data. LLVM writes tables of distances only after opcodes of
            // its own (aarch64), or if its command line asks for position-independent code
            // (x86_64).
            return;
        }
        for table in from.table_ids() {
            let blocks = from.table(table).iter().map(|&block| self.place(block));
            to.jump_tables.push(JumpTable {
                blocks: blocks.collect(),
            });
        }
    }

    fn insn(
        &mut self,
        from: &machine::Function<'_>,
        insn: InsnId,
        used: &[u32],
    ) -> Result<Instruction, String> {
        let opcode = from.insn(insn).opcode;
        let row = opcode.row().and_then(|row| self.isa.insns().get(row));
        let name = match (row, opcode.generic()) {
            (Some(row), _) => row.name.text(),
            (None, Some(generic)) => generic.name(),
            (None, None) => "?",
        };
        let found = self.target.opcode(name.as_bytes());
        let mut to = Instruction::new(found.ok_or_else(|| format!("LLVM has no opcode {name}"))?);
        for (number, &operand) in from.operands(insn).iter().enumerate() {
            if row.is_some_and(|row| is_ours_alone(row, number, operand)) {
                continue;
            }
            match self.flag_words(operand) {
                // The second instruction of a pair refers to the first, which has a label.
                "riscv-pcrel-lo" => to.operands.push(Operand {
                    kind: OperandKind::Symbol(self.label()),
                    target_flags: self.target_flags(operand)?,
                }),
                words => {
                    if matches!(words, "riscv-pcrel-hi" | "riscv-got-hi") {
                        self.labels += 1;
                        to.trailers = Some(Box::new(Trailers {
                            pre_symbol: Some(self.label()),
                            ..Trailers::default()
                        }));
                    }
                    to.operands.push(self.operand(from, operand, used)?);
                }
            }
        }
        if let Some(row) = row {
            to.memory = self.memory(from, insn, row);
        }
        Ok(to)
    }

    /// Returns the label of the last instruction that has one.
    fn label(&self) -> Text {
        let function = self.naming.number();
        format!(".Lpair{function}.{}", self.labels).as_str().into()
    }

    /// Returns LLVM's names of the target flags of an operand.
    fn flag_words(&self, operand: machine::Operand) -> &'static str {
        if operand.as_reg().is_some() {
            return "";
        }
        let names = self.isa.description().target_flags;
        let words = names.get(usize::from(operand.target_flag().0));
        words.copied().unwrap_or("?")
    }

    fn operand(
        &mut self,
        from: &machine::Function<'_>,
        operand: machine::Operand,
        used: &[u32],
    ) -> Result<Operand, String> {
        use machine::OperandKind as K;
        let target_flags = self.target_flags(operand)?;
        let kind = match operand.kind() {
            K::Register => return self.register(operand, used),
            K::Immediate | K::WideImmediate => {
                OperandKind::Immediate(from.immediate(operand).unwrap_or(0))
            }
            K::Block => OperandKind::Block(operand.as_block().map_or(0, |b| self.place(b))),
            K::Frame => {
                let frame = operand.as_frame().map_or(0, Entity::index);
                OperandKind::Frame(self.frame[frame])
            }
            K::Constant => {
                let constant = operand.as_constant().map_or(0, Entity::index);
                OperandKind::Constant(self.constants[constant], 0)
            }
            K::Table if self.form == Form::Encoded => {
                let table = operand.as_table().map_or(0, Entity::number);
                let name = self.naming.table(table);
                OperandKind::Global(Box::new(Global::Named(name.into())), 0)
            }
            K::Table => OperandKind::JumpTable(operand.as_table().map_or(0, Entity::number)),
            K::Symbol => {
                let symbol = operand.as_symbol().ok_or("a symbol without number")?;
                let symbol = from.symbol(symbol);
                let name = self.naming.symbol(symbol);
                OperandKind::Global(Box::new(Global::Named(name.into())), 0)
            }
            K::Mask => self.mask(from.mask(operand).unwrap_or(UnitSet::EMPTY)),
            K::IntPredicate | K::FloatPredicate => {
                return Err("a predicate behind selection".into());
            }
        };
        Ok(Operand { kind, target_flags })
    }

    fn target_flags(&self, operand: machine::Operand) -> Result<u32, String> {
        flags_of(self.target, self.flag_words(operand))
    }

    fn register(&self, operand: machine::Operand, used: &[u32]) -> Result<Operand, String> {
        let reg = operand.as_reg().unwrap_or(Reg::NONE);
        let register = match (reg.vreg(), reg.row()) {
            (Some(vreg), _) => Register::virt(used[vreg.index()]),
            (None, Some(_)) => self.physical(reg)?,
            (None, None) => Register::NONE,
        };
        let sub = match operand.sub().0 {
            0 => llvm_mir::target::SubIndex::WHOLE,
            number => {
                let name = self.isa.registers().parts.get(usize::from(number));
                let name = name.copied().unwrap_or("?");
                let sub = self.target.sub_index(name.as_bytes());
                sub.ok_or_else(|| format!("LLVM has no sub-register {name}"))?
            }
        };
        let mut flags = OperandFlags::NONE;
        for (ours, theirs) in [
            (Flags::DEF, OperandFlags::DEF),
            (Flags::IMPLICIT, OperandFlags::IMPLICIT),
            (Flags::KILL, OperandFlags::KILLED),
            (Flags::DEAD, OperandFlags::DEAD),
            (Flags::UNDEF, OperandFlags::UNDEF),
            (Flags::EARLY_CLOBBER, OperandFlags::EARLY_CLOBBER),
        ] {
            if operand.flags().contains(ours) {
                flags = flags.with(theirs);
            }
        }
        if self.is_reserved_in_places(reg) && !operand.flags().contains(Flags::DEF) {
            flags = flags.with(OperandFlags::UNDEF);
        }
        let tied = operand.tied().map(|tied| tied as u16);
        Ok(OperandKind::Register(RegisterOperand {
            register,
            sub,
            flags,
            tied,
        })
        .into())
    }

    fn physical(&self, reg: Reg) -> Result<Register, String> {
        let name = self.isa.registers().row(reg).name.text();
        let number = self.target.register(name.as_bytes());
        let number = number.ok_or_else(|| format!("LLVM has no register {name}"))?;
        Ok(Register::physical(number))
    }

    /// Returns the mask of the platform's calls by its name and any other by its registers: a mask
    /// that preserves all callee-saved registers and more includes those of the platform's mask.
    fn mask(&self, preserved: UnitSet) -> OperandKind {
        let registers = self.isa.registers();
        let platform = self.target.mask(platform_mask(self.target.isa()));
        let platform = platform.filter(|_| preserved.contains(registers.saved));
        if let (true, Some(mask)) = (preserved == registers.saved, platform) {
            return OperandKind::Mask(mask);
        }
        let platform = platform.map(|mask| self.target.mask_members(mask));
        let kept = registers.registers.iter().filter(|row| {
            let units = row.units;
            !units.is_empty() && preserved.contains(units)
        });
        let mut numbers: Vec<u16> = kept
            .filter_map(|row| self.target.register(row.name.text().as_bytes()))
            .collect();
        if let Some(platform) = platform {
            let all = 1..self.target.register_count() as u16;
            numbers.extend(all.filter(|&number| platform.contains(number)));
        }
        // Adds their LLVM sub-registers, too, some of which are no registers here.
        let mut is_kept = vec![false; self.target.unit_count()];
        for &unit in numbers.iter().flat_map(|&number| self.target.units(number)) {
            is_kept[usize::from(unit)] = true;
        }
        let all = 1..self.target.register_count() as u16;
        let kept = all.filter(|&number| {
            let units = self.target.units(number);
            !units.is_empty() && units.iter().all(|&unit| is_kept[usize::from(unit)])
        });
        OperandKind::CustomMask(kept.collect())
    }

    /// True if LLVM reserves a register only in functions that need it, without writing that to the
    /// file: in a file that it reads the register would need a definition.
    fn is_reserved_in_places(&self, reg: Reg) -> bool {
        self.target.isa() == Isa::Ppc64le
            && reg.is_physical()
            && self.isa.registers().row(reg).name.text() == "x2"
    }
}

/// True if an operand only serves the stages of this project: LLVM's opcode has no place for it.
fn is_ours_alone(row: &InsnRow, number: usize, operand: machine::Operand) -> bool {
    number >= row.operands.len() && operand.as_table().is_some()
}

/// Returns LLVM's name of the mask of registers that calls of the platform preserve.
pub(super) const fn platform_mask(isa: Isa) -> &'static [u8] {
    match isa {
        Isa::X86_64 => b"csr_64",
        Isa::Aarch64 => b"csr_aarch64_aapcs",
        Isa::Ppc64le => b"csr_ppc64",
        Isa::Riscv64 => b"csr_ilp32d_lp64d",
        Isa::S390x => b"csr_systemz_elf",
    }
}

/// Returns LLVM's number for these target flags, as `Description::target_flags` has them.
pub(super) fn flags_of(target: &Target, words: &str) -> Result<u32, String> {
    if words.is_empty() {
        return Ok(0);
    }
    let mut flags = words.split(", ").map(|word| {
        let direct = target.direct_flag(word.as_bytes());
        let flag = direct.or_else(|| target.bit_flag(word.as_bytes()));
        flag.ok_or_else(|| format!("LLVM has no target flag {word}"))
    });
    flags.try_fold(0, |all, flag| Ok(all | flag?))
}
