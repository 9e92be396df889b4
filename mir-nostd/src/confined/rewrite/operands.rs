//! Operands: variables, values of items, and checked accesses to memory.

use super::{Body, raw};
use crate::ir::{Class, Code, InsnId, ItemId, Mem, Mode, Operand, Problem, Reg, Result, Type};
use crate::link::Access;
use crate::mem::Entity;

impl<'m> Body<'_, '_, 'm> {
    /// Rewrites an instruction that is ordinary but for its operands.
    ///
    /// An instruction has at most one operand in the program's memory, right after its `reach`:
    /// other inputs are loaded before.
    pub(super) fn plain(&mut self, insn: InsnId, code: Code) -> Result<()> {
        let count = self.old().operand_count(insn);
        let mut memory = None;
        for index in 0..count {
            if let Some(Operand::Mem(_)) = self.old().operand(insn, index) {
                memory = match (memory, code.mode(index).is_output()) {
                    (Some(output), false) if code.mode(output).is_output() => Some(output),
                    _ => Some(index),
                };
            }
        }
        let mut operands = crate::mem::Vec::with_capacity(self.module.allocator(), count)?;
        let mut checked = None;
        for (index, operand) in (0..).zip(self.operands(insn)?.iter().copied()) {
            let operand = match operand {
                Operand::Mem(mem) if Some(index) == memory => {
                    checked = Some((index, mem));
                    operand
                }
                Operand::Mem(mem) => self.loaded(mem)?.into(),
                _ => self.value(operand)?,
            };
            operands.push(operand)?;
        }
        if let Some((index, mem)) = checked {
            let access = match code.mode(index) {
                mode if mode.is_output() => Access::Write,
                _ => Access::Read,
            };
            operands[index] = self.access(mem, access)?;
        }
        self.emit(code, &operands[..])
    }

    /// Rewrites an instruction on 32 bits. The upper half of its result becomes the sign, where
    /// anything may read it.
    pub(super) fn short(&mut self, insn: InsnId, code: Code) -> Result<()> {
        match self.old().operand(insn, 0) {
            Some(Operand::Reg(reg)) if self.frame.slot(reg).is_none() => {
                self.plain(insn, code)?;
                let new = self.register(reg);
                match self.frame.whole.get(reg.index()) {
                    Some(true) => self.emit(Code::Ext32, (new, new)),
                    _ => Ok(()),
                }
            }
            Some(Operand::Mem(mem)) if mem.ty.size() < 8 => self.plain(insn, code),
            Some(to) => {
                let result = self.temporary(Type::I64)?;
                let mut operands = crate::mem::Vec::new(self.module.allocator());
                operands.push(result.into())?;
                for &input in self.operands(insn)?.iter().skip(1) {
                    operands.push(self.value(input)?)?;
                }
                self.emit(code, &operands[..])?;
                self.emit(Code::Ext32, (result, result))?;
                self.set(to, Type::I64, result.into())
            }
            None => self.plain(insn, code),
        }
    }

    /// Rewrites an atomic instruction: the check of its address is right before it, whatever its
    /// other operands are.
    pub(super) fn atomic(&mut self, insn: InsnId, code: Code) -> Result<()> {
        let mut operands = self.operands(insn)?;
        let (mut memory, mut output) = (None, None);
        for (index, operand) in (0..).zip(operands.iter_mut()) {
            *operand = match (code.mode(index), *operand) {
                (Mode::Atomic, Operand::Mem(mem)) => {
                    memory = Some((index, mem));
                    continue;
                }
                (Mode::OutI, to @ Operand::Mem(_)) => {
                    let result = self.temporary(Type::I64)?;
                    output = Some((to, result));
                    result.into()
                }
                _ => self.value(*operand)?,
            };
        }
        let access = match code {
            Code::AtomicLoad => Access::Read,
            _ => Access::Write,
        };
        let (index, mem) = memory.ok_or(Problem::InternalInsn)?;
        operands[index] = self.access(mem, access)?;
        self.emit(code, &operands[..])?;
        match output {
            Some((to, result)) => self.set(to, Type::I64, result.into()),
            None => Ok(()),
        }
    }

    /// Returns the old operands of an instruction.
    pub(super) fn operands(&self, insn: InsnId) -> Result<crate::mem::Vec<'m, Operand>> {
        let old = self.old();
        let mut operands = crate::mem::Vec::new(self.module.allocator());
        for operand in old.operands(insn) {
            operands.push(operand)?;
        }
        Ok(operands)
    }

    /// Returns the new operand for an old one that is not in the program's memory.
    pub(super) fn value(&mut self, operand: Operand) -> Result<Operand> {
        Ok(match operand {
            Operand::Reg(reg) => self.variable(reg),
            Operand::Item(item) => self.item(item)?,
            Operand::Str(string) => Operand::Int(self.module.placed.string(string)),
            Operand::Label(label) => Operand::Label(self.module.label(label)?),
            Operand::Mem(mem) => self.loaded(mem)?.into(),
            _ => operand,
        })
    }

    /// Returns the value of an item that is no prototype.
    fn item(&mut self, item: ItemId) -> Result<Operand> {
        let meaning = self.module.placed.meaning(self.module.linkage, item)?;
        Ok(Operand::Int(meaning.value()))
    }

    /// Returns the operand for a variable: in the frame if its address is taken.
    pub(super) fn variable(&self, old: Reg) -> Operand {
        let new = self.register(old);
        match self.frame.slot(old) {
            Some(offset) => {
                let ty = self.old().func(self.func).registers()[old.index()].ty;
                let offset = offset + self.environment().bias();
                raw(ty, Some(self.frame.pointer), offset)
            }
            None => new.into(),
        }
    }

    /// Loads from the program's memory.
    fn loaded(&mut self, mem: Mem) -> Result<Reg> {
        let from = self.access(mem, Access::Read)?;
        let to = self.temporary(mem.ty)?;
        self.emit(move_of(mem.ty), (to, from))?;
        Ok(to)
    }

    /// Emits the check of an access to the program's memory, and returns the operand for it. The
    /// next instruction has to be the one that makes the access.
    pub(super) fn access(&mut self, mem: Mem, access: Access) -> Result<Operand> {
        let at = Mem {
            base: self.part(mem.base)?,
            index: self.part(mem.index)?,
            ..mem
        };
        self.access_at(at, access)
    }

    /// As [`Body::access`], at an address of new variables.
    pub(super) fn access_at(&mut self, at: Mem, access: Access) -> Result<Operand> {
        let bytes = u64::from(at.ty.size());
        let limit = self.limit(bytes);
        let windows = self.environment().windows.cast_signed();
        let mut place = self.reach(at, limit, bytes, access, windows)?;
        if access == Access::Write && self.has_padding(at.ty) {
            // More than the next instruction goes there.
            let kept = self.temporary(Type::I64)?;
            self.emit(Code::Mov, (kept, place))?;
            place = kept;
        }
        Ok(raw(at.ty, Some(place), 0))
    }

    /// Returns a register of a memory operand as a new variable.
    fn part(&mut self, old: Option<Reg>) -> Result<Option<Reg>> {
        let Some(old) = old else {
            return Ok(None);
        };
        match self.variable(old) {
            Operand::Reg(reg) => Ok(Some(reg)),
            slot => {
                let reg = self.temporary(Type::I64)?;
                self.emit(Code::Mov, (reg, slot))?;
                Ok(Some(reg))
            }
        }
    }

    /// Returns how many offsets in the memory such an access may begin at.
    pub(super) fn limit(&self, bytes: u64) -> i64 {
        let room = (self.environment().bytes).checked_sub(bytes);
        room.map_or(0, |room| room + 1).cast_signed()
    }

    /// Emits a `reach` and returns its result, an address of the host.
    pub(super) fn reach(
        &mut self,
        at: Mem,
        limit: i64,
        bytes: u64,
        access: Access,
        windows: i64,
    ) -> Result<Reg> {
        let (place, base) = (self.place, self.base);
        let constant = (bytes * 2 + u64::from(access == Access::Write)).cast_signed();
        if !self.environment().masks {
            let operands = (place, at, base, limit, constant, windows);
            self.emit_internal(Code::Reach, operands)?;
            return Ok(place);
        }
        let address = self.address(&at)?;
        let operands = (
            place,
            at_address(at.ty, address),
            base,
            limit,
            constant,
            windows,
        );
        self.emit_internal(Code::Reach, operands)?;
        self.masked(place, address, limit)
    }

    /// Emits code that makes 0 of the host's address if the check of the program's address fails,
    /// which only happens where a processor goes on before it knows that.
    fn masked(&mut self, place: Reg, address: Operand, limit: i64) -> Result<Reg> {
        let first = super::super::FIRST_ADDRESS.cast_signed();
        let offset = self.binary(Code::Sub, address, first)?;
        let is_inside = self.binary(Code::Ult, offset, limit)?;
        let mask = self.binary(Code::Sub, 0, is_inside)?;
        self.binary(Code::And, place, mask)
    }

    /// Returns an address as a variable or a constant.
    pub(super) fn in_operand(&mut self, address: Operand) -> Result<Operand> {
        if matches!(
            address,
            Operand::Reg(_) | Operand::Int(_) | Operand::Uint(_)
        ) {
            return Ok(address);
        }
        let to = self.temporary(Type::I64)?;
        self.emit(Code::Mov, (to, address))?;
        Ok(to.into())
    }

    /// Emits code that computes the address of a memory operand of new variables.
    fn address(&mut self, mem: &Mem) -> Result<Operand> {
        let mut address = mem.base.map(Operand::from);
        if let Some(index) = mem.index {
            let mut index = Operand::from(index);
            if mem.scale != 1 {
                index = self.binary(Code::Mul, index, i64::from(mem.scale))?.into();
            }
            address = Some(match address {
                Some(base) => self.binary(Code::Add, base, index)?.into(),
                None => index,
            });
        }
        match address {
            Some(address) if mem.disp == 0 => Ok(address),
            Some(address) => Ok(self.binary(Code::Add, address, mem.disp)?.into()),
            None => Ok(mem.disp.into()),
        }
    }

    /// Emits code that moves a value of this type.
    pub(super) fn copy(
        &mut self,
        ty: Type,
        to: impl Into<Operand>,
        from: impl Into<Operand>,
    ) -> Result<()> {
        self.emit(move_of(ty), (to.into(), from.into()))
    }

    /// Returns the type of the values of an old operand that is not a block.
    pub(super) fn type_of(&self, operand: Operand) -> Type {
        match operand {
            Operand::Reg(reg) => self.old().func(self.func).registers()[reg.index()].ty,
            Operand::Mem(mem) => mem.ty.class().ty(),
            Operand::Float(_) => Type::F,
            Operand::Double(_) => Type::D,
            Operand::LongDouble(_) => Type::Ld,
            _ => Type::I64,
        }
    }
}

/// Returns the memory operand at an address that is a variable or a constant.
pub(super) fn at_address(ty: Type, address: Operand) -> Mem {
    let (base, disp) = match address {
        Operand::Reg(base) => (Some(base), 0),
        Operand::Int(address) => (None, address),
        Operand::Uint(address) => (None, address.cast_signed()),
        // See `in_operand`.
        _ => (None, 0),
    };
    Mem::at(ty, disp, base)
}

/// Returns the instruction that moves values of this type.
pub(super) fn move_of(ty: Type) -> Code {
    match ty.class() {
        Class::Int => Code::Mov,
        Class::Float => Code::Fmov,
        Class::Double => Code::Dmov,
        Class::LongDouble => Code::Ldmov,
    }
}
