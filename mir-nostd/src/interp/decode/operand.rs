//! Operands: the known values of variables, and how operands become variables and constants.
//!
//! Within one stretch of code between labels that are used, a variable may be known to be a
//! constant, a copy of another variable (of some low bits), or the sum of one and a constant.
//! Nothing is ever known of variables whose address is taken and of hard registers.

use super::super::code::Op;
use super::extensions::Extensions;
use super::{DecodeError, Decoder, NONE, Var, Width};
use crate::ir::{Class, InsnId, LOWEST_ADDRESS, Mem, Operand, Reg, Type};

/// The known value of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::interp) enum Value {
    Unknown,
    Constant(i64),
    /// A value whose low `bits` bits are those of the variable, as long as that has this version.
    Copy {
        var: Var,
        version: u32,
        bits: u32,
    },
    /// The sum of a variable and a constant, as long as the variable has this version.
    Sum {
        var: Var,
        version: u32,
        constant: i64,
    },
}

/// The known facts of a variable's value in a stretch.
#[derive(Clone, Copy, Debug)]
pub(in crate::interp) struct ValueFacts {
    stretch: u32,
    value: Value,
    /// The types whose extension the value is.
    extensions: Extensions,
}

impl ValueFacts {
    pub(super) const NOTHING: ValueFacts = ValueFacts {
        stretch: NONE,
        value: Value::Unknown,
        extensions: Extensions::empty(),
    };
}

/// The source of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    Var(Var),
    /// The contents of a cell.
    Constant(i64),
}

/// The destination of an output: a variable, and from there memory or a hard register if the
/// operand is one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) var: Var,
    then: Then,
}

#[derive(Clone, Copy, Debug)]
enum Then {
    Nothing,
    Store(Mem),
    Hard(u32),
}

/// The memory of a confined program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    /// Its address in the host.
    pub(super) base: i64,
    /// How far above its start an access must begin.
    pub(super) limit: u32,
}

/// An address of a confined program that the next instruction accesses after a check.
#[derive(Clone, Copy, Debug)]
pub(in crate::interp) struct Reached {
    /// The register that stands for the host's address. It has no value.
    pub(super) place: Reg,
    /// The `reach`, at which a run ends if the check fails.
    pub(super) insn: InsnId,
    pub(super) mem: Mem,
    pub(super) region: Region,
}

/// A memory operand that one operation can use.
struct EffectiveAddress {
    base: Var,
    /// The index, and the power of two that it is multiplied by.
    index: Option<(Var, u32)>,
    disp: i32,
}

/// An operation that accesses memory, and the slots of the address.
struct MemoryAccess {
    op: Op,
    is_indexed: bool,
    slots: [u32; 3],
}

impl MemoryAccess {
    /// Returns the slots of the address.
    fn inputs(&self) -> &[u32] {
        match self.is_indexed {
            true => &self.slots,
            false => &self.slots[..2],
        }
    }
}

/// Returns the cell of a float constant.
fn float_cell(value: f32) -> i64 {
    let [b0, b1, b2, b3] = value.to_ne_bytes();
    i64::from_ne_bytes([b0, b1, b2, b3, 0, 0, 0, 0])
}

/// Returns the bits of the float in a cell.
fn float_bits(cell: i64) -> u32 {
    let [b0, b1, b2, b3, ..] = cell.to_ne_bytes();
    u32::from_ne_bytes([b0, b1, b2, b3])
}

impl<'m> Decoder<'_, 'm> {
    pub(super) fn is_carried(&self, var: Var) -> bool {
        let facts = self.var(var);
        !facts.addressed && facts.hard == NONE
    }

    fn known(&self, var: Var) -> ValueFacts {
        let known = self.var(var).value;
        if known.stretch == self.stretch {
            known
        } else {
            ValueFacts::NOTHING
        }
    }

    fn learn(&mut self, var: Var, value: Value, extensions: Extensions) {
        if self.is_carried(var) {
            let stretch = self.stretch;
            self.var_mut(var).value = ValueFacts {
                stretch,
                value,
                extensions,
            };
        }
    }

    /// Notes that a variable was written: the facts about it, and about its copies, hold no longer.
    pub(super) fn written(&mut self, var: Var) {
        let facts = self.var_mut(var);
        facts.version += 1;
        facts.value = ValueFacts::NOTHING;
        if facts.addressed {
            self.memory_changed();
        }
    }

    /// Forgets all values: after `setjmp` control may come here a second time with other values.
    pub(super) fn forget_all(&mut self) {
        for number in 0..self.vars.len() as u32 {
            self.written(Var(number));
        }
    }

    /// Notes that a variable was written with a value that is the extension of these types.
    pub(super) fn written_extended(&mut self, var: Var, extensions: Extensions) {
        self.written(var);
        self.learn(var, Value::Unknown, extensions);
    }

    /// Returns the source to read instead of a variable of which the low `bits` bits matter.
    pub(super) fn resolve(&self, mut var: Var, bits: u32) -> Source {
        // Copies of copies are rare: a few steps suffice, and stopping early is always correct.
        for _ in 0..4 {
            match self.known(var).value {
                Value::Constant(value) => return Source::Constant(value),
                Value::Copy {
                    var: from,
                    version,
                    bits: same,
                } if same >= bits && self.var(from).version == version => var = from,
                _ => break,
            }
        }
        Source::Var(var)
    }

    /// True if the variable is the extension of its value of type `ty`.
    pub(super) fn is_extended(&self, var: Var, ty: Type) -> bool {
        (self.var(var).extensions | self.known(var).extensions).has(ty)
    }

    /// Returns the source of an input of which the low `bits` bits matter.
    pub(super) fn source(&mut self, operand: Operand, bits: u32) -> Result<Source, DecodeError> {
        Ok(match operand {
            Operand::Reg(reg) => return self.register(reg, bits),
            Operand::Int(value) => Source::Constant(value),
            Operand::Uint(value) => Source::Constant(value as i64),
            Operand::Float(value) => Source::Constant(float_cell(value)),
            Operand::Double(value) => Source::Constant(value.to_bits() as i64),
            Operand::LongDouble(value) => {
                let temp = self.temp(Width::Long)?;
                let value = crate::target::Value::from_long_double(crate::num::LongDouble(value));
                let bytes = value.to_bytes();
                let mut words = [0; 4];
                for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(4)) {
                    *word = u32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
                }
                let [a, b, c, d] = words;
                self.push(Op::LdmovW, &[temp.0, a, b, c, d])?;
                Source::Var(temp)
            }
            Operand::Str(string) => Source::Constant(self.linked.str_address(string) as i64),
            Operand::Item(item) => Source::Constant(self.item_address(item) as i64),
            Operand::Mem(mem) => {
                let temp = self.temp(Width::of(mem.ty))?;
                self.load(temp, mem)?;
                Source::Var(temp)
            }
            Operand::Label(_) => return Err(DecodeError::Invalid),
        })
    }

    /// Returns the address of the thing that an item stands for.
    pub(super) fn item_address(&self, item: crate::ir::ItemId) -> usize {
        self.linked.item_address(self.module.resolve(item))
    }

    fn register(&mut self, reg: Reg, bits: u32) -> Result<Source, DecodeError> {
        let var = self.var_of(reg);
        let facts = self.var(var);
        let (hard, width) = (facts.hard, facts.width());
        if hard == NONE {
            return Ok(self.resolve(var, bits));
        }
        let temp = self.temp(width)?;
        let op = match width {
            Width::Long => Op::LdgetHard,
            Width::Cell => Op::GetHard,
        };
        self.push(op, &[temp.0, hard])?;
        Ok(Source::Var(temp))
    }

    /// Returns a variable that holds the source.
    pub(super) fn in_var(&mut self, source: Source) -> Result<Var, DecodeError> {
        match source {
            Source::Var(var) => Ok(var),
            Source::Constant(value) if self.loop_depth > 0 => self.loop_constant(value),
            Source::Constant(value) => {
                let [low, high] = wide(value);
                if let Some(var) = self.numbered(Op::MovW, &[low, high]) {
                    return Ok(var);
                }
                let temp = self.temp(Width::Cell)?;
                self.constant(temp, value)?;
                self.number(Op::MovW, &[low, high], temp)?;
                Ok(temp)
            }
        }
    }

    /// The most constants that are kept in variables for loops; others are loaded at their uses.
    const LOOP_CONSTANTS: usize = 32;

    /// Returns a variable that holds a constant from the function's start.
    fn loop_constant(&mut self, value: i64) -> Result<Var, DecodeError> {
        let known = self.constants.iter().find(|&&(known, _)| known == value);
        if let Some(&(_, var)) = known {
            return Ok(var);
        }
        let var = self.temp(Width::Cell)?;
        if self.constants.len() < Self::LOOP_CONSTANTS {
            self.var_mut(var).local = false;
            self.constants.push((value, var))?;
        } else {
            self.constant(var, value)?;
        }
        Ok(var)
    }

    /// Adds the operation that writes a constant.
    pub(super) fn push_constant(&mut self, var: Var, value: i64) -> Result<(), DecodeError> {
        match i32::try_from(value) {
            Ok(small) => self.push(Op::MovI, &[var.0, small as u32]),
            Err(_) => {
                let [low, high] = wide(value);
                self.push(Op::MovW, &[var.0, low, high])
            }
        }
    }

    /// Writes a constant to a variable.
    pub(super) fn constant(&mut self, var: Var, value: i64) -> Result<(), DecodeError> {
        self.push_constant(var, value)?;
        self.written(var);
        self.learn(var, Value::Constant(value), Extensions::of_constant(value));
        Ok(())
    }

    /// Copies the source to a variable, and records the copy.
    pub(super) fn copy(&mut self, to: Var, source: Source) -> Result<(), DecodeError> {
        let from = match source {
            Source::Constant(value) => return self.constant(to, value),
            Source::Var(from) => from,
        };
        if from == to {
            return Ok(());
        }
        let op = if self.var(to).long {
            Op::Ldmov
        } else {
            Op::Mov
        };
        self.push(op, &[to.0, from.0])?;
        let extensions = self.known(from).extensions;
        self.written(to);
        if !self.is_carried(from) {
            return Ok(());
        }
        if self.var(from).local && !self.var(to).local && self.is_carried(to) {
            // The temporary counts as the copy, so that its definition can write the variable
            // directly.
            let version = self.var(to).version;
            let value = Value::Copy {
                var: to,
                version,
                bits: 128,
            };
            self.learn(from, value, extensions);
            self.learn(to, Value::Unknown, extensions);
        } else {
            self.learn_copy(to, from, 128, extensions);
        }
        Ok(())
    }

    /// Notes that the low `bits` bits of `to` are those of `from`.
    pub(super) fn learn_copy(&mut self, to: Var, from: Var, bits: u32, extensions: Extensions) {
        if to != from && self.is_carried(from) {
            let version = self.var(from).version;
            let value = Value::Copy {
                var: from,
                version,
                bits,
            };
            self.learn(to, value, extensions);
        } else {
            self.learn(to, Value::Unknown, extensions);
        }
    }

    /// Notes that `to` is `from` plus a constant.
    pub(super) fn learn_sum(&mut self, to: Var, from: Var, version: u32, constant: i64) {
        if to == from || !self.is_carried(from) {
            return;
        }
        let (var, version, constant) = match self.known(from).value {
            Value::Sum {
                var,
                version,
                constant: first,
            } if self.var(var).version == version && var != to => {
                (var, version, first.wrapping_add(constant))
            }
            _ => (from, version, constant),
        };
        let value = Value::Sum {
            var,
            version,
            constant,
        };
        self.learn(to, value, Extensions::empty());
    }

    /// Returns the destination of an output.
    pub(super) fn target(&mut self, operand: Operand) -> Result<Target, DecodeError> {
        match operand {
            Operand::Reg(reg) => {
                let var = self.var_of(reg);
                let facts = self.var(var);
                let (hard, width) = (facts.hard, facts.width());
                if hard == NONE {
                    return Ok(Target {
                        var,
                        then: Then::Nothing,
                    });
                }
                Ok(Target {
                    var: self.temp(width)?,
                    then: Then::Hard(hard),
                })
            }
            Operand::Mem(mem) => Ok(Target {
                var: self.temp(Width::of(mem.ty))?,
                then: Then::Store(mem),
            }),
            _ => Err(DecodeError::Invalid),
        }
    }

    /// Passes an output on from the variable that was just written.
    pub(super) fn finish(&mut self, target: Target) -> Result<(), DecodeError> {
        match target.then {
            Then::Nothing => Ok(()),
            Then::Store(mem) => self.store(mem, Source::Var(target.var)),
            Then::Hard(hard) if self.var(target.var).long => {
                self.push(Op::LdsetHard, &[target.var.0, hard])
            }
            Then::Hard(hard) => self.push(Op::SetHard, &[target.var.0, hard]),
        }
    }

    /// Adds an operation that computes an output from the inputs, the output's slot being the
    /// first, unless a variable holds the value already.
    pub(super) fn compute(
        &mut self,
        target: Target,
        op: Op,
        inputs: &[u32],
        extensions: Extensions,
    ) -> Result<(), DecodeError> {
        if let Some(var) = self.numbered(op, inputs) {
            self.copy(target.var, Source::Var(var))?;
            return self.finish(target);
        }
        let mut operands = [0; super::SLOTS];
        operands[0] = target.var.0;
        for (operand, &input) in operands[1..].iter_mut().zip(inputs) {
            *operand = input;
        }
        self.push(op, operands.get(..=inputs.len()).unwrap_or(&operands))?;
        let key = self.key(op, inputs);
        self.written_extended(target.var, extensions);
        self.note(key, target.var);
        self.finish(target)
    }

    /// Moves a source to an output, straight to memory if the output is there.
    pub(super) fn move_to(&mut self, output: Operand, source: Source) -> Result<(), DecodeError> {
        if let Operand::Mem(mem) = output {
            return self.store(mem, source);
        }
        let target = self.target(output)?;
        self.copy(target.var, source)?;
        self.finish(target)
    }

    /// Loads from memory into a variable.
    pub(super) fn load(&mut self, to: Var, mem: Mem) -> Result<(), DecodeError> {
        match self.reached_by(&mem) {
            None => self.load_from(to, mem, load_ops(mem.ty), None),
            Some(Reached {
                insn,
                mem: at,
                region,
                ..
            }) => {
                let insn = core::mem::replace(&mut self.insn, insn);
                let at = offset_of(at, mem.ty);
                let loaded = self.load_from(to, at, checked_load_ops(mem.ty), Some(region));
                self.insn = insn;
                loaded
            }
        }
    }

    /// Loads with one of two operations, plain and indexed, which check the address if the memory
    /// of a confined program is given.
    fn load_from(
        &mut self,
        to: Var,
        mem: Mem,
        ops: (Op, Op),
        region: Option<Region>,
    ) -> Result<(), DecodeError> {
        let place = self.place(mem)?;
        let access = self.access_at(&place, mem.ty, ops)?;
        if let Some(var) = self.numbered(access.op, access.inputs()) {
            return self.copy(to, Source::Var(var));
        }
        self.push_access(&access, to, region)?;
        let key = self.key(access.op, access.inputs());
        self.written_extended(to, Extensions::of(mem.ty));
        self.note(key, to);
        Ok(())
    }

    /// Stores a source in memory.
    pub(super) fn store(&mut self, mem: Mem, source: Source) -> Result<(), DecodeError> {
        match self.reached_by(&mem) {
            None => self.store_to(mem, None, source),
            Some(Reached {
                insn,
                mem: at,
                region,
                ..
            }) => {
                let insn = core::mem::replace(&mut self.insn, insn);
                let at = offset_of(at, mem.ty);
                let stored = self.store_to(at, Some(region), source);
                self.insn = insn;
                stored
            }
        }
    }

    /// Stores a source, after a check of the address if the memory of a confined program is given.
    fn store_to(
        &mut self,
        mem: Mem,
        region: Option<Region>,
        source: Source,
    ) -> Result<(), DecodeError> {
        let place = self.place(mem)?;
        if let (Source::Constant(cell), None) = (source, region)
            && let Some((plain, indexed, value)) = store_constant(mem.ty, cell)
        {
            let access = self.access_at(&place, mem.ty, (plain, indexed))?;
            self.memory_changed();
            return self.push_access(&access, Var(value), None);
        }
        let (ops, loads) = match region {
            None => (store_ops(mem.ty), load_ops(mem.ty)),
            Some(_) => (checked_store_ops(mem.ty), checked_load_ops(mem.ty)),
        };
        let access = self.access_at(&place, mem.ty, ops)?;
        let source = match source {
            Source::Var(var) => self.resolve(var, bits_stored(mem.ty)),
            constant => constant,
        };
        let value = self.in_var(source)?;
        self.memory_changed();
        self.push_access(&access, value, region)?;
        // A load would return the stored value, if the value has the form in which loads return it.
        if mem.ty.is_int() && self.is_extended(value, mem.ty) || mem.ty.class() == Class::Double {
            let load = if access.is_indexed { loads.1 } else { loads.0 };
            let key = self.key(load, access.inputs());
            self.note(key, value);
        }
        Ok(())
    }

    /// Returns how one of two operations, plain and indexed, accesses a place.
    fn access_at(
        &mut self,
        place: &EffectiveAddress,
        ty: Type,
        (plain, indexed): (Op, Op),
    ) -> Result<MemoryAccess, DecodeError> {
        let (base, index) = self.natural_index(place, ty)?;
        let disp = place.disp as u32;
        Ok(match index {
            None => MemoryAccess {
                op: plain,
                is_indexed: false,
                slots: [base.0, disp, 0],
            },
            Some(index) => MemoryAccess {
                op: indexed,
                is_indexed: true,
                slots: [base.0, index.0, disp],
            },
        })
    }

    /// Adds the operation of an access, whose first operand is the value that it loads or stores.
    fn push_access(
        &mut self,
        access: &MemoryAccess,
        value: Var,
        region: Option<Region>,
    ) -> Result<(), DecodeError> {
        let mut operands = [0; super::SLOTS];
        operands[0] = value.0;
        let inputs = access.inputs();
        operands[1..=inputs.len()].copy_from_slice(inputs);
        if let Some(region) = region {
            let [b0, b1] = wide(region.base);
            operands[inputs.len() + 1..inputs.len() + 4].copy_from_slice(&[b0, b1, region.limit]);
        }
        self.push(access.op, &operands)
    }

    /// Takes the address that the `reach` before checked for a memory operand.
    fn reached_by(&mut self, mem: &Mem) -> Option<Reached> {
        self.reached
            .take_if(|reached| mem.base == Some(reached.place))
    }

    /// Returns a variable with the address of a memory operand.
    pub(super) fn address_of(&mut self, mem: Mem) -> Result<Var, DecodeError> {
        let place = self.place(mem)?;
        let disp = place.disp as u32;
        let (op, inputs) = match place.index {
            None if disp == 0 => return Ok(place.base),
            None => (Op::AddI, [place.base.0, disp, 0, 0]),
            Some((index, shift)) => (Op::Lea, [place.base.0, index.0, shift, disp]),
        };
        let temp = self.temp(Width::Cell)?;
        let [a, b, c, d] = inputs;
        match op {
            Op::AddI => self.push(op, &[temp.0, a, b])?,
            _ => self.push(op, &[temp.0, a, b, c, d])?,
        }
        self.written(temp);
        Ok(temp)
    }

    /// Returns base and index of an address, the index scaled as operations on this type do: by its
    /// size.
    fn natural_index(
        &mut self,
        place: &EffectiveAddress,
        ty: Type,
    ) -> Result<(Var, Option<Var>), DecodeError> {
        match place.index {
            None => Ok((place.base, None)),
            Some((index, shift)) if 1 << shift == ty.size() && ty != Type::Ld => {
                Ok((place.base, Some(index)))
            }
            Some((index, shift)) => {
                let temp = self.temp(Width::Cell)?;
                self.push(Op::Lea, &[temp.0, place.base.0, index.0, shift, 0])?;
                self.written(temp);
                Ok((temp, None))
            }
        }
    }

    /// Returns the address of a memory operand in parts that operations take.
    fn place(&mut self, mem: Mem) -> Result<EffectiveAddress, DecodeError> {
        let mut disp = mem.disp;
        let mut index = None;
        if let Some(reg) = mem.index {
            let (var, constant) = self.address_part(reg)?;
            disp = disp.wrapping_add(constant.wrapping_mul(i64::from(mem.scale)));
            index = var.map(|var| (var, mem.scale));
        }
        let index = match index {
            Some((var, scale)) => Some(self.scaled(var, scale)?),
            None => None,
        };
        let mut base = None;
        if let Some(reg) = mem.base {
            let (var, constant) = self.address_part(reg)?;
            base = var;
            disp = disp.wrapping_add(constant);
        }
        let index = match (base, index) {
            (None, Some((var, 0))) => {
                base = Some(var);
                None
            }
            _ => index,
        };
        let (base, disp) = match (base, i32::try_from(disp)) {
            (Some(base), Ok(disp)) => (base, disp),
            (None, _) => (self.in_var(Source::Constant(disp))?, 0),
            (Some(base), Err(_)) => {
                let far = self.in_var(Source::Constant(disp))?;
                let temp = self.temp(Width::Cell)?;
                self.push(Op::Add, &[temp.0, base.0, far.0])?;
                self.written(temp);
                (temp, 0)
            }
        };
        Ok(EffectiveAddress { base, index, disp })
    }

    /// Returns an index and the power of two that it is multiplied by, in place of any scale.
    fn scaled(&mut self, index: Var, scale: u8) -> Result<(Var, u32), DecodeError> {
        if scale.is_power_of_two() {
            return Ok((index, scale.trailing_zeros()));
        }
        let temp = self.temp(Width::Cell)?;
        self.push(Op::MulI, &[temp.0, index.0, u32::from(scale)])?;
        self.written(temp);
        Ok((temp, 0))
    }

    /// Returns a register of an address as a variable plus a constant.
    fn address_part(&mut self, reg: Reg) -> Result<(Option<Var>, i64), DecodeError> {
        let var = match self.register(reg, 64)? {
            Source::Constant(constant) => return Ok((None, constant)),
            Source::Var(var) => var,
        };
        match self.known(var).value {
            Value::Sum {
                var: from,
                version,
                constant,
            } if self.var(from).version == version => Ok((Some(from), constant)),
            _ => Ok((Some(var), 0)),
        }
    }
}

/// Returns the operand for the offset of an address in a confined program's memory, which is what
/// operations that check it compute.
fn offset_of(mem: Mem, ty: Type) -> Mem {
    let disp = mem.disp.wrapping_sub(LOWEST_ADDRESS);
    Mem { ty, disp, ..mem }
}

/// Returns the operations that load a value of this type: plain and indexed.
fn load_ops(ty: Type) -> (Op, Op) {
    match ty {
        Type::I8 => (Op::LoadI8, Op::LoadI8X),
        Type::U8 => (Op::LoadU8, Op::LoadU8X),
        Type::I16 => (Op::LoadI16, Op::LoadI16X),
        Type::U16 => (Op::LoadU16, Op::LoadU16X),
        Type::I32 => (Op::LoadI32, Op::LoadI32X),
        Type::U32 => (Op::LoadU32, Op::LoadU32X),
        Type::F => (Op::LoadF, Op::LoadFX),
        Type::Ld => (Op::LoadLd, Op::LoadLd),
        _ => (Op::LoadI64, Op::LoadI64X),
    }
}

/// As [`load_ops`], for operations that check the address.
fn checked_load_ops(ty: Type) -> (Op, Op) {
    match ty {
        Type::I8 => (Op::CheckedLoadI8, Op::CheckedLoadI8X),
        Type::U8 => (Op::CheckedLoadU8, Op::CheckedLoadU8X),
        Type::I16 => (Op::CheckedLoadI16, Op::CheckedLoadI16X),
        Type::U16 => (Op::CheckedLoadU16, Op::CheckedLoadU16X),
        Type::I32 => (Op::CheckedLoadI32, Op::CheckedLoadI32X),
        Type::U32 => (Op::CheckedLoadU32, Op::CheckedLoadU32X),
        Type::F => (Op::CheckedLoadF, Op::CheckedLoadFX),
        _ => (Op::CheckedLoadI64, Op::CheckedLoadI64X),
    }
}

/// Returns the operations that store a value of this type: plain and indexed.
fn store_ops(ty: Type) -> (Op, Op) {
    match ty {
        Type::I8 | Type::U8 => (Op::Store8, Op::Store8X),
        Type::I16 | Type::U16 => (Op::Store16, Op::Store16X),
        Type::I32 | Type::U32 => (Op::Store32, Op::Store32X),
        Type::F => (Op::StoreF, Op::StoreFX),
        Type::Ld => (Op::StoreLd, Op::StoreLd),
        _ => (Op::Store64, Op::Store64X),
    }
}

/// As [`store_ops`], for operations that check the address.
fn checked_store_ops(ty: Type) -> (Op, Op) {
    match ty {
        Type::I8 | Type::U8 => (Op::CheckedStore8, Op::CheckedStore8X),
        Type::I16 | Type::U16 => (Op::CheckedStore16, Op::CheckedStore16X),
        Type::I32 | Type::U32 => (Op::CheckedStore32, Op::CheckedStore32X),
        Type::F => (Op::CheckedStoreF, Op::CheckedStoreFX),
        _ => (Op::CheckedStore64, Op::CheckedStore64X),
    }
}

/// Returns the number of bits of a value that a store of this type reads.
pub(super) fn bits_stored(ty: Type) -> u32 {
    match ty {
        Type::F | Type::P => 64,
        ty => 8 * ty.size(),
    }
}

/// Returns the operations that store a constant, plain and indexed, and their operand.
fn store_constant(ty: Type, cell: i64) -> Option<(Op, Op, u32)> {
    Some(match ty {
        Type::I8 | Type::U8 => (Op::Store8I, Op::Store8XI, cell as u32),
        Type::I16 | Type::U16 => (Op::Store16I, Op::Store16XI, cell as u32),
        Type::I32 | Type::U32 => (Op::Store32I, Op::Store32XI, cell as u32),
        Type::F => (Op::Store32I, Op::Store32XI, float_bits(cell)),
        Type::Ld => return None,
        _ => (
            Op::Store64I,
            Op::Store64XI,
            i32::try_from(cell).ok()? as u32,
        ),
    })
}

/// Returns a 64-bit constant in two slots, as operations read it.
pub(super) fn wide(value: i64) -> [u32; 2] {
    let [b0, b1, b2, b3, b4, b5, b6, b7] = value.to_ne_bytes();
    [
        u32::from_ne_bytes([b0, b1, b2, b3]),
        u32::from_ne_bytes([b4, b5, b6, b7]),
    ]
}
