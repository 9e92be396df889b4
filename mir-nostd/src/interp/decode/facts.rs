//! The first pass over a function: labels, blocks and their costs, and the facts that hold for its
//! registers everywhere.

use super::{DecodeError, Decoder, LabelFacts, NONE, VarFacts};
use crate::ir::costs;
use crate::ir::{Class, Code, InsnId, ItemKind, Label, Mode, Operand, Reg, Type};
use crate::mem::{Entity, Vec, sort_by_key};

/// The value that an instruction writes to an integer register.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    /// Anything.
    Any,
    /// A value of this integer type, extended.
    Of(Type),
    /// 0 or 1, or another small number that is not negative.
    Small,
    /// The value of another register.
    Copy(Reg),
}

/// The pass that collects the facts.
pub(super) struct Facts<'d, 'a, 'm> {
    decoder: &'d mut Decoder<'a, 'm>,
    /// The moves between registers: target and source.
    copies: Vec<'m, (u32, u32)>,
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
            copies: Vec::new(allocator),
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
        facts.settle_copies();
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
                sign_extended: hard == NONE && arg.is_none_or(is_sign_extended),
                zero_extended: hard == NONE && arg.is_none_or(is_zero_extended),
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
            for (index, operand) in module.operands(insn).enumerate() {
                let is_output = outputs.contains(&index);
                match operand {
                    // A `reach` names the address of memory, which is a constant then.
                    Operand::Reg(reg)
                        if code == Code::Reach
                            && self.decoder.base.is_some_and(|(base, _)| base == reg) => {}
                    Operand::Reg(reg) if !is_output => self.read(code, reg)?,
                    Operand::Label(label) => self.jump(self.decoder.destination(insn, label))?,
                    Operand::Mem(mem) => {
                        for reg in [mem.base, mem.index].into_iter().flatten() {
                            self.read(code, reg)?;
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
                            .map_or(Written::Any, |&ty| Written::Of(ty)),
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

    fn read(&mut self, code: Code, reg: Reg) -> Result<(), DecodeError> {
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
            facts.sign_extended = false;
            facts.zero_extended = false;
        }
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
            Written::Any => (facts.sign_extended, facts.zero_extended) = (false, false),
            Written::Of(ty) => {
                facts.sign_extended &= is_sign_extended(ty);
                facts.zero_extended &= is_zero_extended(ty);
            }
            Written::Small => {}
            Written::Copy(source) => self.copies.push((reg.number(), source.number()))?,
        }
        Ok(())
    }

    fn written(&self, insn: InsnId, code: Code) -> Written {
        if let Some(ty) = result_type(code) {
            return Written::Of(ty);
        }
        match code {
            _ if is_comparison(code) => Written::Small,
            Code::Mov => match self.decoder.module.operand(insn, 1) {
                Some(Operand::Reg(reg)) => Written::Copy(reg),
                Some(Operand::Mem(mem)) => Written::Of(mem.ty),
                Some(Operand::Int(value)) => constant(value),
                Some(Operand::Uint(value)) => constant(value as i64),
                _ => Written::Any,
            },
            _ => Written::Any,
        }
    }

    /// Settles the extension of registers that are written by moves: such a register is extended if
    /// all its sources are. Iterates to a fixed point; a register that is not settled after a few
    /// rounds counts as not extended.
    fn settle_copies(&mut self) {
        const ROUNDS: usize = 8;
        for round in 0..=ROUNDS {
            let mut changed = false;
            for &(to, from) in &self.copies {
                let vars = &mut self.decoder.vars;
                let Some(&source) = vars.get(from as usize) else {
                    continue;
                };
                let Some(facts) = vars.get_mut(to as usize) else {
                    continue;
                };
                let (sign, zero) = match round {
                    ROUNDS => (false, false),
                    _ => (source.sign_extended, source.zero_extended),
                };
                changed |= facts.sign_extended && !sign || facts.zero_extended && !zero;
                facts.sign_extended &= sign;
                facts.zero_extended &= zero;
            }
            if !changed {
                break;
            }
        }
        // The facts used this field for the stretch of each register, which is not needed any more.
        for facts in &mut self.decoder.vars[..] {
            facts.stretch = NONE;
        }
    }
}

fn constant(value: i64) -> Written {
    match (i32::try_from(value), u32::try_from(value)) {
        (Ok(_), Ok(_)) => Written::Small,
        (Ok(_), _) => Written::Of(Type::I32),
        (_, Ok(_)) => Written::Of(Type::U32),
        _ => Written::Any,
    }
}

/// True if the result of the instruction is 0 or 1.
pub(super) fn is_comparison(code: Code) -> bool {
    (Code::Eq.number()..=Code::Ldge.number()).contains(&code.number())
}

/// True if values of this type are the sign extension of their low 32 bits.
pub(super) fn is_sign_extended(ty: Type) -> bool {
    matches!(ty, Type::I8 | Type::U8 | Type::I16 | Type::U16 | Type::I32)
}

/// True if values of this type are the zero extension of their low 32 bits.
pub(super) fn is_zero_extended(ty: Type) -> bool {
    matches!(ty, Type::U8 | Type::U16 | Type::U32)
}

/// Returns the type whose extension every result of this instruction is.
pub(super) fn result_type(code: Code) -> Option<Type> {
    if let Some(row) = code.binary() {
        return (row.result != Type::I64).then_some(row.result);
    }
    if let Some((_, ty)) = code.operation() {
        let is_narrow = ty.is_int() && ty.size() < 8;
        return is_narrow.then_some(ty);
    }
    Some(match code {
        Code::Ext8 => Type::I8,
        Code::Ext16 => Type::I16,
        Code::Uext8 => Type::U8,
        Code::Uext16 => Type::U16,
        Code::Ext32
        | Code::Negs
        | Code::Subs
        | Code::Divs
        | Code::Mods
        | Code::Addos
        | Code::Subos
        | Code::Mulos => Type::I32,
        Code::Uext32 | Code::Udivs | Code::Umods | Code::Umulos => Type::U32,
        _ => return None,
    })
}

const _: () = assert!(matches!(Code::Addr.modes()[1], Mode::Reg));
