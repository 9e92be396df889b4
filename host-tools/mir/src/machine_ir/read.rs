//! The conversion of functions in LLVM's model, after selection or a later stage, to Machine IR.

use super::attributes;
use llvm_mir::model::{
    self, FrameProperty, FunctionProperty, Global, ObjectKind, OperandFlags, OperandKind,
    RegisterKind, Text,
};
use llvm_mir::target::Target;
use mir_nostd::codegen::Backend;
use mir_nostd::ir::ItemId;
use mir_nostd::machine::{
    BlockId, ClassId, Constant, FrameId, FrameKind, FrameObject, Function, Generic, LowType,
    Opcode, Operand, OperandFlags as Flags, Reg, SubIndex, Symbol, TargetFlag, UnitSet, VReg,
    VRegInfo,
};
use mir_nostd::mem::{Entity, OutOfMemory};
use mir_nostd::target::{InsnFlags, InsnRow};
use std::collections::HashMap;

use super::convert::platform_mask;
use crate::memory::MEMORY;

/// The names that a file refers to, each a symbol by its number.
#[derive(Default)]
pub(crate) struct Externals {
    pub(crate) names: Vec<Vec<u8>>,
    numbers: HashMap<Vec<u8>, u32>,
}

/// The reader of functions for a target.
pub(crate) struct Reader {
    isa: &'static dyn Backend,
    target: &'static Target,
    registers: HashMap<u16, Reg>,
    rows: HashMap<&'static str, Opcode>,
}

type Result<T, E = String> = core::result::Result<T, E>;

fn out_of_memory(_: OutOfMemory) -> String {
    "out of memory".into()
}

impl Reader {
    pub(crate) fn new(isa: &'static dyn Backend) -> Reader {
        let target = super::target_of(isa);
        let rows = isa.registers().registers.iter().enumerate().skip(1);
        let known = rows.filter_map(|(number, row)| {
            let register = target.register(row.name.text().as_bytes())?;
            Some((register, Reg::physical(number as u16)))
        });
        // If two rows have one register, the first counts.
        let mut registers = HashMap::new();
        known.for_each(|(register, reg)| {
            registers.entry(register).or_insert(reg);
        });
        let insns = isa.insns().iter().enumerate();
        let rows = insns.map(|(number, row)| (row.name.text(), Opcode::target(number as u16)));
        Reader {
            isa,
            target,
            registers,
            rows: rows.collect(),
        }
    }

    pub(crate) fn function(
        &self,
        from: &model::Function,
        externals: &mut Externals,
    ) -> Result<Function<'static>> {
        let mut to = empty(from);
        for register in &from.registers {
            let info = self.register_info(register)?;
            to.add_vreg(info).map_err(out_of_memory)?;
        }
        let frames = self.frame(from, &mut to)?;
        for constant in &from.constants {
            let constant = self.constant(constant)?;
            to.constants.push(constant).map_err(out_of_memory)?;
        }
        for block in &from.blocks {
            let id = to.add_block().map_err(out_of_memory)?;
            to.block_mut(id).address_taken = block.attributes.machine_address_taken;
            to.layout.push(id).map_err(out_of_memory)?;
        }
        for table in &from.jump_tables {
            let blocks: Vec<BlockId> = table.blocks.iter().map(|&b| BlockId::new(b)).collect();
            to.add_table(&blocks).map_err(out_of_memory)?;
        }
        let mut labels = HashMap::new();
        for (number, block) in (0..).zip(&from.blocks) {
            for insn in &block.instructions {
                let (opcode, row) = self.opcode(insn)?;
                let mut operands = self.operands(insn, &mut to, &frames, externals, &labels)?;
                let target = operands.iter().find(|operand| operand.as_reg().is_none());
                if let (Some(label), Some(&target)) = (label_of(insn), target) {
                    labels.insert(label.clone(), target.flagged(TargetFlag(0)));
                }
                let is_jump = row.is_some_and(|row| row.flags.contains(InsnFlags::INDIRECT));
                if let (true, Some(table)) = (is_jump, table_of(block, &to)) {
                    operands.push(table);
                }
                to.has_dynamic_stack |= self.makes_dynamic_stack(opcode, row, &operands);
                to.append(BlockId::new(number), opcode, LowType::S64, &operands)
                    .map_err(|error| error.to_string())?;
            }
        }
        let registers = self.isa.registers();
        if to.has_dynamic_stack {
            // Translation reserves it likewise.
            to.reserved = registers.units(registers.frame_pointer);
        }
        for name in attributes::registers(from) {
            let reg = self
                .target
                .register(name)
                .and_then(|number| self.registers.get(&number));
            let reg = *reg.ok_or("a global variable in no register of ours")?;
            to.reserved = to.reserved.union(registers.units(reg));
        }
        Ok(to)
    }

    /// Returns the operands of an instruction; those that name a label are targets of the
    /// instruction that has it.
    fn operands(
        &self,
        insn: &model::Instruction,
        to: &mut Function<'static>,
        frames: &[Vec<FrameId>; 2],
        externals: &mut Externals,
        labels: &HashMap<Text, Operand>,
    ) -> Result<Vec<Operand>> {
        let operand = |operand: &model::Operand| match &operand.kind {
            OperandKind::Symbol(label) => {
                let known = labels.get(label);
                let known = known.ok_or("a label that no instruction before has")?;
                Ok(known.flagged(self.flag(operand.target_flags)?))
            }
            _ => self.operand(operand, to, frames, externals),
        };
        insn.operands.iter().map(operand).collect()
    }

    /// True if an instruction takes memory of the stack whose size only the running program knows.
    fn makes_dynamic_stack(
        &self,
        opcode: Opcode,
        row: Option<&InsnRow>,
        operands: &[Operand],
    ) -> bool {
        let stack_pointer = self.isa.registers().stack_pointer;
        let moves = operands
            .iter()
            .any(|operand| operand.is_def() && operand.as_reg() == Some(stack_pointer));
        let has = |flag| row.is_some_and(|row| row.flags.contains(flag));
        let is_area = moves && (has(InsnFlags::PSEUDO) || opcode == Generic::Copy.into());
        has(InsnFlags::SPLITS) || is_area
    }

    fn register_info(&self, register: &model::VirtualRegister) -> Result<VRegInfo> {
        let RegisterKind::Class(class) = register.kind else {
            return Err("a virtual register has no class: the function is not selected".into());
        };
        let name = self.target.class_name(class);
        let classes = self.isa.registers().classes.iter();
        let number = { classes }.position(|row| row.name.text() == name);
        let number = number.ok_or_else(|| format!("no register class {name}"))?;
        let class = ClassId(number as u8);
        Ok(VRegInfo {
            ty: LowType::S64,
            bank: self.isa.registers().class(class).bank,
            class,
        })
    }

    /// Returns the frame objects by LLVM's two lists.
    fn frame(&self, from: &model::Function, to: &mut Function<'_>) -> Result<[Vec<FrameId>; 2]> {
        let (mut fixed, mut stack) = (Vec::new(), Vec::new());
        let small = |number: u64| u32::try_from(number).map_err(|_| "a frame object is too large");
        // LLVM numbers fixed objects from the last of a file to the first.
        for object in from.fixed_stack.iter().rev() {
            let at = i32::try_from(object.offset).map_err(|_| "a frame object is too far")?;
            let id = to.frame.push(FrameObject {
                kind: FrameKind::Incoming(at),
                bytes: small(object.size)?,
                align: small(object.alignment)?,
                offset: at,
            });
            fixed.push(id.map_err(out_of_memory)?);
        }
        fixed.reverse();
        for object in &from.stack {
            let offset = i32::try_from(object.offset).map_err(|_| "a frame object is too far")?;
            let id = to.frame.push(FrameObject {
                kind: match object.kind {
                    ObjectKind::SpillSlot => FrameKind::Spill,
                    _ => FrameKind::Local,
                },
                bytes: small(object.size)?,
                align: small(object.alignment)?,
                offset,
            });
            stack.push(id.map_err(out_of_memory)?);
        }
        Ok([fixed, stack])
    }

    fn constant(&self, constant: &model::Constant) -> Result<Constant> {
        let text = constant.value.to_string();
        let unknown = || format!("a constant that is no integer of 4, 8 or 16 bytes: {text}");
        let (ty, value) = text.split_once(' ').ok_or_else(unknown)?;
        let len = match ty {
            "i32" => 4,
            "i64" => 8,
            "i128" => 16,
            _ => return Err(unknown()),
        };
        let value = value.parse::<u128>().or_else(|_| {
            let negative = value.parse::<i128>();
            negative.map(i128::cast_unsigned)
        });
        let mut bytes = value.map_err(|_| unknown())?.to_le_bytes();
        if self.isa.target().big_endian {
            bytes[..usize::from(len)].reverse();
        }
        bytes[usize::from(len)..].fill(0);
        Ok(Constant {
            bytes,
            len,
            symbol: None,
        })
    }

    fn opcode(&self, insn: &model::Instruction) -> Result<(Opcode, Option<&'static InsnRow>)> {
        let name = self.target.opcode_name(insn.opcode);
        match (name, self.rows.get(name)) {
            (_, Some(&opcode)) => Ok((opcode, opcode.row().and_then(|r| self.isa.insns().get(r)))),
            ("COPY", None) => Ok((Generic::Copy.into(), None)),
            ("IMPLICIT_DEF", None) => Ok((Generic::ImplicitDef.into(), None)),
            _ => Err(format!("our stages have no instruction {name}")),
        }
    }

    fn operand(
        &self,
        from: &model::Operand,
        to: &mut Function<'_>,
        frames: &[Vec<FrameId>; 2],
        externals: &mut Externals,
    ) -> Result<Operand> {
        let flag = self.flag(from.target_flags)?;
        let operand = match &from.kind {
            OperandKind::Register(register) => return self.register(register),
            &OperandKind::Immediate(value) => to.int(value).map_err(out_of_memory)?,
            &OperandKind::Block(number) => Operand::block(BlockId::new(number)),
            OperandKind::Frame(frame) => {
                let (list, number) = match *frame {
                    model::Frame::Fixed(number) => (0, number),
                    model::Frame::Stack(number) => (1, number),
                };
                let id = frames[list].get(number as usize);
                Operand::frame(*id.ok_or("no such frame object")?)
            }
            &OperandKind::Constant(number, 0) => Operand::constant(Entity::new(number)),
            &OperandKind::JumpTable(number) => Operand::table(Entity::new(number)),
            OperandKind::Global(global, 0) => match &**global {
                Global::Named(name) => externals.symbol(name.as_bytes(), to)?,
                Global::Number(_) => return Err("a global without a name".into()),
            },
            OperandKind::Mask(mask) => {
                let name = self.target.mask_name(*mask).as_bytes();
                if name != platform_mask(self.target.isa()) {
                    return Err("a mask that is not the platform's".into());
                }
                let saved = self.isa.registers().saved;
                to.add_mask(saved).map_err(out_of_memory)?
            }
            OperandKind::CustomMask(kept) => {
                let regs = kept.iter().filter_map(|number| self.registers.get(number));
                let units = regs.map(|&reg| self.isa.registers().units(reg));
                let kept = units.fold(UnitSet::EMPTY, UnitSet::union);
                to.add_mask(kept).map_err(out_of_memory)?
            }
            other => return Err(format!("our stages have no operand {other:?}")),
        };
        Ok(if flag == TargetFlag(0) {
            operand
        } else {
            operand.flagged(flag)
        })
    }

    fn flag(&self, flags: u32) -> Result<TargetFlag> {
        let all = self.isa.description().target_flags.iter();
        let found =
            { all }.position(|words| super::convert::flags_of(self.target, words) == Ok(flags));
        let found = found.ok_or("target flags that our stages do not use")?;
        Ok(TargetFlag(found as u8))
    }

    fn register(&self, from: &model::RegisterOperand) -> Result<Operand> {
        let reg = match (from.register.virtual_index(), from.register.number()) {
            (Some(index), _) => Reg::virt(VReg::new(index as u32)),
            (None, Some(number)) => {
                let name = || self.target.register_name(number);
                let known = self.registers.get(&number).copied();
                known.ok_or_else(|| format!("our stages have no register {}", name()))?
            }
            (None, None) => Reg::NONE,
        };
        let mut operand = Operand::reg(reg);
        for (theirs, ours) in [
            (OperandFlags::DEF, Flags::DEF),
            (OperandFlags::IMPLICIT, Flags::IMPLICIT),
            (OperandFlags::KILLED, Flags::KILL),
            (OperandFlags::DEAD, Flags::DEAD),
            (OperandFlags::UNDEF, Flags::UNDEF),
            (OperandFlags::EARLY_CLOBBER, Flags::EARLY_CLOBBER),
        ] {
            if from.flags.contains(theirs) {
                operand = operand.with(ours);
            }
        }
        if let Some(name) = self.target.sub_index_name(from.sub) {
            let parts = self.isa.registers().parts.iter();
            let number = { parts }.position(|part| *part == name);
            let number = number.ok_or_else(|| format!("our stages have no part {name}"))?;
            operand = operand.part(SubIndex(number as u8));
        }
        Ok(match from.tied {
            Some(def) => operand.tied_to(def as u8),
            None => operand,
        })
    }
}

impl Externals {
    /// Returns a symbol for a name. It is not marked as near, which does not matter: only selection
    /// looks at that.
    fn symbol(&mut self, name: &[u8], to: &mut Function<'_>) -> Result<Operand> {
        let next = self.names.len() as u32;
        let number = *self.numbers.entry(name.to_vec()).or_insert(next);
        if number == next {
            self.names.push(name.to_vec());
        }
        let symbol = Symbol::Item(ItemId::new(number));
        to.add_symbol(symbol).map_err(out_of_memory)
    }
}

/// Returns a function with the properties of another one, and nothing else.
fn empty(from: &model::Function) -> Function<'static> {
    let mut to = Function::new(&MEMORY);
    to.is_position_independent = true;
    to.has_calls = from.frame.has(FrameProperty::HasCalls);
    to.is_jumped_back_into = from.has(FunctionProperty::ExposesReturnsTwice);
    to.is_jumped_to = attributes::is_jumped_to(from);
    to.outgoing_bytes = from.frame.max_call_frame_size.unwrap_or(0);
    to
}

/// Returns the label of an instruction, if it has one.
fn label_of(insn: &model::Instruction) -> Option<&Text> {
    insn.trailers.as_ref()?.pre_symbol.as_ref()
}

/// Returns the jump table whose blocks are a block's successors, as an operand.
fn table_of(block: &model::Block, to: &Function<'_>) -> Option<Operand> {
    let goes_to = |block: &BlockId, of: &model::Block| {
        let number = block.number();
        of.successors
            .iter()
            .any(|successor| successor.block == number)
    };
    let mut tables = to.table_ids();
    let found = tables.find(|&table| {
        let blocks = to.table(table);
        let all_here = blocks.iter().all(|to| goes_to(to, block));
        let listed = |number: u32| blocks.iter().any(|block| block.number() == number);
        all_here && block.successors.iter().all(|to| listed(to.block))
    });
    found.map(Operand::table)
}
