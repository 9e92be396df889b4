//! The first pass over a function: labels, blocks and their costs, and the facts that hold for its
//! registers everywhere.

use super::extensions::Extensions;
use super::lower::{Reads, extension, narrow_bits};
use super::{DecodeError, Decoder, LabelFacts, NONE, VarFacts};
use crate::ir::costs;
use crate::ir::{Class, Code, InsnId, ItemKind, Label, Mode, Operand, Reg, Type};
use crate::mem::{Entity, Vec, sort_by_key};

/// The value that an instruction writes to an integer register.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    /// A value that is an extension of these types.
    Value(Extensions),
    /// The extension of a value of this type, which is not performed where nothing reads further.
    Extended(Type),
    /// The value of another register.
    Copy,
}

/// A move or an extension between registers.
#[derive(Clone, Copy)]
struct Transfer {
    to: Reg,
    from: Reg,
    /// The number of low bits that it copies: 64 if it is a move.
    bits: u32,
}

/// The pass that collects the facts.
pub(super) struct Facts<'d, 'a, 'm> {
    decoder: &'d mut Decoder<'a, 'm>,
    /// The moves and extensions between registers.
    transfers: Vec<'m, Transfer>,
    stretch: u32,
}

/// The use that an instruction or item makes of a label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LabelUse {
    /// It goes there.
    Branch,
    /// It takes the address.
    Address,
}

impl<'d, 'a, 'm> Facts<'d, 'a, 'm> {
    /// Fills in the facts of all variables and labels, and the costs of blocks.
    pub(super) fn collect(decoder: &'d mut Decoder<'a, 'm>) -> Result<(), DecodeError> {
        let allocator = decoder.context.allocator();
        let mut facts = Facts {
            decoder,
            transfers: Vec::new(allocator),
            stretch: 0,
        };
        facts.labels()?;
        facts.blocks()?;
        facts.variables()?;
        let module = facts.decoder.module;
        let first = module.func(facts.decoder.func).first();
        facts.decoder.insn = first.unwrap_or(InsnId::new(0));
        facts.find_base();
        facts.instructions()?;
        facts.settle_transfers();
        Ok(())
    }

    /// Finds the variable that the first instruction of a function of a confined program sets to
    /// the address of the program's memory: nothing else writes it.
    fn find_base(&mut self) {
        let (module, insn) = (self.decoder.module, self.decoder.insn);
        if module.confinement().is_some()
            && let (Some(Operand::Reg(base)), Some(Operand::Int(address))) =
                (module.operand(insn, 0), module.operand(insn, 1))
        {
            self.decoder.base = Some((base, address));
        }
    }

    fn labels(&mut self) -> Result<(), DecodeError> {
        let (module, func) = (self.decoder.module, self.decoder.func);
        for insn in module.insns(func) {
            if let Some(label) = module.label_of(insn) {
                self.decoder.labels.push(LabelFacts {
                    label,
                    insn,
                    used: false,
                    address: NONE,
                    cost: 0,
                    node: 0,
                    stretch: NONE,
                })?;
            }
        }
        sort_by_key(&mut self.decoder.labels, |facts| facts.label);
        for insn in module.insns(func) {
            let code = module.code(insn);
            if code == Code::Label {
                continue;
            }
            for operand in module.operands(insn) {
                if let Operand::Label(label) = operand {
                    let label = self.decoder.destination(insn, label);
                    let of = if code == Code::Laddr {
                        LabelUse::Address
                    } else {
                        LabelUse::Branch
                    };
                    self.use_label(label, of)?;
                }
            }
        }
        if self.decoder.callable.has_lrefs() {
            for lref in self.decoder.linked.lrefs(func) {
                self.use_label(lref.label, LabelUse::Address)?;
                if let Some(label) = lref.label2 {
                    self.use_label(label, LabelUse::Address)?;
                }
            }
        }
        self.number_addresses()
    }

    /// Notes that an instruction or item names a label.
    fn use_label(&mut self, label: Label, of: LabelUse) -> Result<(), DecodeError> {
        let number = self.decoder.label_number(label)?;
        let facts = &mut self.decoder.labels[number as usize];
        facts.used = true;
        if of == LabelUse::Address {
            facts.address = 0;
        }
        Ok(())
    }

    /// Numbers the labels whose address is taken in the order of their positions; those at one
    /// position share a number.
    fn number_addresses(&mut self) -> Result<(), DecodeError> {
        let module = self.decoder.module;
        let mut is_numbered = false;
        for insn in module.insns(self.decoder.func) {
            let Some(label) = module.label_of(insn) else {
                is_numbered = false;
                continue;
            };
            let number = self.decoder.label_number(label)?;
            let facts = &mut self.decoder.labels[number as usize];
            if facts.address != NONE {
                self.decoder.addressed_labels += u32::from(!is_numbered);
                is_numbered = true;
                facts.address = self.decoder.addressed_labels - 1;
            }
        }
        Ok(())
    }

    /// Finds the cost of each block.
    fn blocks(&mut self) -> Result<(), DecodeError> {
        if !self.decoder.fuel.is_charged() {
            return Ok(());
        }
        let allocator = self.decoder.context.allocator();
        let blocks = costs::blocks(self.decoder.module, self.decoder.func, allocator)?;
        self.decoder.costs.reserve(blocks.len())?;
        for block in &blocks {
            self.decoder.costs.push(block.cost)?;
        }
        self.label_costs()
    }

    fn label_costs(&mut self) -> Result<(), DecodeError> {
        let (module, func) = (self.decoder.module, self.decoder.func);
        let mut block = 0;
        let mut begins = true;
        for insn in module.insns(func) {
            if let Some(label) = module.label_of(insn) {
                let number = self.decoder.label_number(label)? as usize;
                if self.decoder.labels[number].used {
                    block += usize::from(!begins);
                    begins = true;
                    self.decoder.labels[number].cost =
                        self.decoder.costs.get(block).copied().unwrap_or(0);
                }
                continue;
            }
            begins = module.code(insn).ends_block();
            block += usize::from(begins);
        }
        Ok(())
    }

    fn variables(&mut self) -> Result<(), DecodeError> {
        let (module, func) = (self.decoder.module, self.decoder.func);
        let function = module.func(func);
        let target = self.decoder.context.target();
        let args = module.args(&function.signature);
        self.decoder.vars.reserve(function.registers().len())?;
        for (index, register) in function.registers().iter().enumerate() {
            let hard = match register.hard_reg {
                None => NONE,
                Some(name) => target
                    .hard_register(module.name_bytes(name), register.ty.class())
                    .map_err(|_| DecodeError::Invalid)? as u32,
            };
            let arg = args.get(index).map(|arg| arg.ty);
            // Arguments are written where the first stretch begins.
            let stretch = if arg.is_some() { 0 } else { NONE };
            self.decoder.vars.push(VarFacts {
                local: hard == NONE,
                stretch,
                long: register.ty.class() == Class::LongDouble,
                extensions: match (hard, arg) {
                    (NONE, Some(ty)) => Extensions::of(ty),
                    (NONE, None) => Extensions::all(),
                    _ => Extensions::empty(),
                },
                bits_read: if hard == NONE { 0 } else { 64 },
                hard,
                ..VarFacts::NEW
            })?;
        }
        Ok(())
    }

    fn instructions(&mut self) -> Result<(), DecodeError> {
        self.decoder.loops.push(0)?;
        self.decoder.loops.push(0)?;
        let (module, func) = (self.decoder.module, self.decoder.func);
        for insn in module.insns(func) {
            let code = module.code(insn);
            if let Some(label) = module.label_of(insn) {
                let number = self.decoder.label_number(label)?;
                if self.decoder.labels[number as usize].used {
                    self.stretch += 1;
                    self.decoder.loops.push(0)?;
                    self.decoder.labels[number as usize].stretch = self.stretch;
                }
                continue;
            }
            let (outputs, results) = self.outputs(insn, code);
            let bits = match Reads::of(module, insn) {
                Reads::Bits(bits) => bits,
                Reads::AsResult(to, bits) => {
                    if let Some(Operand::Reg(from)) = module.operand(insn, 1) {
                        self.transfers.push(Transfer { to, from, bits })?;
                    }
                    // It is settled in the end.
                    0
                }
            };
            for (index, operand) in module.operands(insn).enumerate() {
                let is_output = outputs.contains(&index);
                match operand {
                    // A `reach` names the address of memory, which is a constant then.
                    Operand::Reg(reg)
                        if code == Code::Reach
                            && self.decoder.base.is_some_and(|(base, _)| base == reg) => {}
                    Operand::Reg(reg) if !is_output => self.read(code, reg, bits)?,
                    Operand::Label(label) => self.jump(self.decoder.destination(insn, label))?,
                    Operand::Mem(mem) => {
                        for reg in [mem.base, mem.index].into_iter().flatten() {
                            self.read(code, reg, 64)?;
                        }
                    }
                    _ => {}
                }
            }
            for index in outputs {
                if let Some(Operand::Reg(reg)) = module.operand(insn, index) {
                    let written = match results {
                        Some(types) => types
                            .get(index - 2)
                            .map_or(Written::Value(Extensions::empty()), |&ty| {
                                Written::Extended(ty)
                            }),
                        None => self.written(insn, code),
                    };
                    self.write(reg, written)?;
                }
            }
        }
        Ok(())
    }

    /// Records the loop that a backward jump closes.
    fn jump(&mut self, label: crate::ir::Label) -> Result<(), DecodeError> {
        let number = self.decoder.label_number(label)?;
        let start = self.decoder.labels[number as usize].stretch;
        if start != NONE {
            self.decoder.loops[start as usize] += 1;
            self.decoder.loops[self.stretch as usize + 1] -= 1;
        }
        Ok(())
    }

    /// Returns the operands that an instruction writes; for calls also the types of the results.
    fn outputs(&self, insn: InsnId, code: Code) -> (core::ops::Range<usize>, Option<&'a [Type]>) {
        if code.is_call() {
            let module = self.decoder.module;
            let results = match module.operand(insn, 0) {
                Some(Operand::Item(item)) => match &module.item(item).kind {
                    ItemKind::Proto(signature) => module.results(signature),
                    _ => &[],
                },
                _ => &[],
            };
            return (2..2 + results.len(), Some(results));
        }
        let writes = code.modes().first().is_some_and(|mode| mode.is_output());
        (0..usize::from(writes), None)
    }

    fn read(&mut self, code: Code, reg: Reg, bits: u32) -> Result<(), DecodeError> {
        let stretch = self.stretch;
        let facts = self
            .decoder
            .vars
            .get_mut(reg.index())
            .ok_or(DecodeError::Invalid)?;
        if facts.stretch != stretch {
            facts.local = false;
        }
        if matches!(code, Code::Addr | Code::Addr8 | Code::Addr16 | Code::Addr32) {
            facts.addressed = true;
            facts.local = false;
            facts.extensions = Extensions::empty();
        }
        facts.bits_read = facts.bits_read.max(bits as u8);
        Ok(())
    }

    fn write(&mut self, reg: Reg, written: Written) -> Result<(), DecodeError> {
        let stretch = self.stretch;
        let facts = self
            .decoder
            .vars
            .get_mut(reg.index())
            .ok_or(DecodeError::Invalid)?;
        facts.stretch = stretch;
        match written {
            Written::Value(extensions) => facts.extensions &= extensions,
            Written::Extended(ty) => {
                facts.extensions &= Extensions::of(ty);
                let bits = narrow_bits(ty).unwrap_or(0) as u8;
                facts.extended_from = facts.extended_from.max(bits);
            }
            // It is settled in the end.
            Written::Copy => {}
        }
        Ok(())
    }

    fn written(&self, insn: InsnId, code: Code) -> Written {
        let input = |index| self.decoder.module.operand(insn, index);
        let constant = |operand| match operand {
            Some(Operand::Int(value)) => Some(value),
            Some(Operand::Uint(value)) => Some(value as i64),
            _ => None,
        };
        match code {
            Code::Mov => match input(1) {
                Some(Operand::Reg(_)) => Written::Copy,
                Some(Operand::Mem(mem)) => Written::Value(Extensions::of(mem.ty)),
                other => Written::Value(
                    constant(other).map_or(Extensions::empty(), Extensions::of_constant),
                ),
            },
            _ => match extension(code) {
                Some((ty, ..)) => Written::Extended(ty),
                None => Written::Value(Extensions::of_result(code, constant(input(2)))),
            },
        }
    }

    /// Settles how much is read of registers that are moved or extended, and how those are extended
    /// that moves write: as all their sources are. Iterates to fixed points; what is not settled
    /// after a few rounds counts as read in full, and as not extended.
    fn settle_transfers(&mut self) {
        self.settle(|vars, transfer, is_last| {
            let of_result = u32::from(vars[transfer.to.index()].bits_read);
            let bits = match !is_last && of_result <= transfer.bits {
                true => of_result as u8,
                false => 64,
            };
            let facts = &mut vars[transfer.from.index()];
            let before = facts.bits_read;
            facts.bits_read = before.max(bits);
            facts.bits_read != before
        });
        for facts in &mut self.decoder.vars[..] {
            // Not all of its extensions are performed.
            if facts.bits_read <= facts.extended_from {
                facts.extensions = Extensions::empty();
            }
            // The facts used this field for the stretch of each register, which is not needed any
            // more.
            facts.stretch = NONE;
        }
        self.settle(|vars, transfer, is_last| {
            if transfer.bits < 64 {
                return false;
            }
            let source = match is_last {
                true => Extensions::empty(),
                false => vars[transfer.from.index()].extensions,
            };
            let facts = &mut vars[transfer.to.index()];
            let before = facts.extensions;
            facts.extensions &= source;
            facts.extensions != before
        });
    }

    /// Applies a rule to each transfer until nothing changes or the last round is over.
    fn settle(&mut self, rule: impl Fn(&mut [VarFacts], Transfer, bool) -> bool) {
        const ROUNDS: usize = 8;
        for round in 0..=ROUNDS {
            let mut changed = false;
            for &transfer in &self.transfers {
                changed |= rule(&mut self.decoder.vars, transfer, round == ROUNDS);
            }
            if !changed {
                break;
            }
        }
    }
}

const _: () = assert!(matches!(Code::Addr.modes()[1], Mode::Reg));
