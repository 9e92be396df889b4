//! Imports memory accesses: loads, stores, addresses, and the stack.

use super::function::{Lower, move_code};
use super::globals::register_type;
use super::integers::{Outcome, held_of};
use super::parts::{Kind, NOWHERE, Part};
use super::values::Held;
use crate::ast::{Const, IntPredicate, LocalId, Op, Typed, Value};
use crate::error::Result;
use crate::types::{Type, TypeId};
use mir_nostd::ir::{Code, Mem, Operand, Reg, Type as MediumType};
use std::collections::{HashMap, HashSet};

/// Returns the integer type of memory of 1, 2, 4 or 8 bytes.
pub(super) const fn int_memory(bytes: u32, signed: bool) -> MediumType {
    match (bytes, signed) {
        (1, true) => MediumType::I8,
        (1, false) => MediumType::U8,
        (2, true) => MediumType::I16,
        (2, false) => MediumType::U16,
        (4, true) => MediumType::I32,
        (4, false) => MediumType::U32,
        _ => MediumType::I64,
    }
}

/// The limit in bytes on copies that are made by loads and stores.
pub(super) const SHORT_COPY: u64 = 64;

impl Lower<'_, '_, '_> {
    /// Returns the memory operand of a type at an address.
    pub(super) fn memory(&mut self, ty: MediumType, address: Held, offset: u64) -> Result<Mem> {
        let offset = offset.cast_signed();
        Ok(match address {
            Held::Reg(base) => Mem::new(ty, offset, base),
            Held::Address(base, disp) => Mem::new(ty, disp.wrapping_add(offset), base),
            Held::Element(base, index, scale, disp) => {
                Mem::indexed(ty, disp.wrapping_add(offset), base, index, scale)
            }
            Held::Item(item, disp) => {
                let base = self.temp(Kind::Int(64))?;
                self.emit(Code::Mov, (base, item))?;
                Mem::new(ty, disp.wrapping_add(offset), base)
            }
            _ => {
                let base = self.register(address)?;
                Mem::new(ty, offset, base)
            }
        })
    }

    pub(super) fn load(&mut self, result: LocalId, ty: TypeId, pointer: &Value) -> Result<()> {
        let parts = self.importer.parts(ty, self.place)?;
        if let Value::Local(local) = pointer
            && let Some(&variable) = self.promoted.get(local)
            && let [part] = *parts
        {
            let reg = self.one_result(result)?;
            if self.kept_signed.contains(local) {
                self.sign_above.insert(reg, 32);
            }
            return self.emit(move_code(part.kind), (reg, variable));
        }
        let address = self.pointer(pointer)?;
        let signed = self.used_signed.contains(&result) || self.kept_signed.contains(&result);
        if let [part] = *parts {
            let reg = self.one_result(result)?;
            return self.load_into(reg, part, address, signed);
        }
        let held = self.load_parts(ty, address)?;
        self.define(result, held)
    }

    /// Loads the parts of a value into new registers.
    pub(super) fn load_parts(&mut self, ty: TypeId, address: Held) -> Result<Vec<Held>> {
        let parts = self.importer.parts(ty, self.place)?;
        let loaded = parts.iter().map(|&part| self.load_part(part, address));
        loaded.map(|reg| Ok(Held::Reg(reg?))).collect()
    }

    /// Loads a part of a value into a new register.
    pub(super) fn load_part(&mut self, part: Part, address: Held) -> Result<Reg> {
        let reg = self.temp(part.kind)?;
        self.load_into(reg, part, address, false)?;
        Ok(reg)
    }

    fn load_into(&mut self, reg: Reg, part: Part, address: Held, signed: bool) -> Result<()> {
        self.check_place(part)?;
        let Kind::Int(width) = part.kind else {
            let memory = self.memory(register_type(part.kind), address, part.offset)?;
            return self.emit(move_code(part.kind), (reg, memory));
        };
        let bytes = width.div_ceil(8);
        if !bytes.is_power_of_two() {
            return self.load_odd(reg, part.offset, bytes, address);
        }
        let signed = signed && width == bytes * 8;
        let memory = self.memory(int_memory(bytes, signed), address, part.offset)?;
        self.emit(Code::Mov, (reg, memory))?;
        if signed {
            self.sign_above.insert(reg, width);
        } else {
            // A value in memory is zero-extended.
            self.zero_above.insert(reg, width);
        }
        Ok(())
    }

    /// Loads an integer of 3, 5, 6 or 7 bytes, piece by piece.
    fn load_odd(&mut self, reg: Reg, offset: u64, bytes: u32, address: Held) -> Result<()> {
        let big_endian = self.importer.source.types.layout.big_endian;
        let piece = self.temp(Kind::Int(64))?;
        let mut done = 0;
        for size in pieces(bytes) {
            let memory = self.memory(int_memory(size, false), address, offset + u64::from(done))?;
            self.emit(Code::Mov, (piece, memory))?;
            if done == 0 {
                self.emit(Code::Mov, (reg, piece))?;
            } else if big_endian {
                self.emit(Code::Lsh, (reg, reg, i64::from(size * 8)))?;
                self.emit(Code::Or, (reg, reg, piece))?;
            } else {
                self.emit(Code::Lsh, (piece, piece, i64::from(done * 8)))?;
                self.emit(Code::Or, (reg, reg, piece))?;
            }
            done += size;
        }
        Ok(())
    }

    pub(super) fn store(&mut self, ty: TypeId, value: &Value, pointer: &Value) -> Result<()> {
        let parts = self.importer.parts(ty, self.place)?;
        let held = self.value(ty, value)?;
        if let Value::Local(local) = pointer
            && let Some(&variable) = self.promoted.get(local)
            && let ([part], [held]) = (&*parts, held.as_slice())
        {
            let operand = self.operand(*held)?;
            return self.emit(move_code(part.kind), (variable, operand));
        }
        let address = self.pointer(pointer)?;
        self.store_parts(ty, held, address)
    }

    /// Stores the parts of a value.
    pub(super) fn store_parts(&mut self, ty: TypeId, held: Vec<Held>, address: Held) -> Result<()> {
        let parts = self.importer.parts(ty, self.place)?;
        let mut stored = parts.iter().zip(held);
        stored.try_for_each(|(&part, held)| self.store_part(part, address, held))
    }

    pub(super) fn store_part(&mut self, part: Part, address: Held, held: Held) -> Result<()> {
        self.check_place(part)?;
        let Kind::Int(width) = part.kind else {
            let operand = self.operand(held)?;
            let memory = self.memory(register_type(part.kind), address, part.offset)?;
            return self.emit(move_code(part.kind), (memory, operand));
        };
        let bytes = width.div_ceil(8);
        // A value in memory is zero-extended.
        let operand = if width % 8 == 0 {
            self.operand(held)?
        } else {
            self.zero_extended(held, width)?
        };
        if bytes.is_power_of_two() {
            let memory = self.memory(int_memory(bytes, false), address, part.offset)?;
            return self.emit(Code::Mov, (memory, operand));
        }
        let big_endian = self.importer.source.types.layout.big_endian;
        let mut done = 0;
        for size in pieces(bytes) {
            let shift = if big_endian {
                bytes - done - size
            } else {
                done
            } * 8;
            let piece = self.temp(Kind::Int(64))?;
            self.emit(Code::Ursh, (piece, operand, i64::from(shift)))?;
            let memory = self.memory(
                int_memory(size, false),
                address,
                part.offset + u64::from(done),
            )?;
            self.emit(Code::Mov, (memory, piece))?;
            done += size;
        }
        Ok(())
    }

    fn check_place(&self, part: Part) -> Result<()> {
        if part.offset == NOWHERE {
            return self.unsupported(
                "an access to a structure or array with a vector of elements that are no whole bytes",
            );
        }
        Ok(())
    }

    // ---- addresses

    /// Finds the addresses that memory operands can express where they are used.
    pub(super) fn find_only_accessed(&mut self) {
        let mut found = HashSet::new();
        // The addresses that fields are taken of, by those of the fields.
        let mut wholes: HashMap<LocalId, LocalId> = HashMap::new();
        let mut refused = Vec::new();
        for insn in self.body.blocks.iter().flat_map(|block| &block.insns) {
            let allowed = match (&insn.op, insn.result) {
                (Op::Load(_, pointer) | Op::Store(_, pointer), _) => Some(pointer),
                (Op::Address { base, indices, .. }, Some(result)) => {
                    found.insert(result);
                    let is_constant = |(_, index): &Typed| matches!(index, Value::Const(_));
                    let is_field = indices.iter().all(is_constant);
                    if let (Value::Local(whole), true) = (base, is_field) {
                        wholes.insert(result, *whole);
                    }
                    is_field.then_some(base)
                }
                _ => None,
            };
            insn.op.each_value(&mut |value| match value {
                Value::Local(local) if !allowed.is_some_and(|it| core::ptr::eq(it, value)) => {
                    refused.push(*local);
                }
                _ => {}
            });
        }
        while let Some(local) = refused.pop() {
            if found.remove(&local) {
                refused.extend(wholes.get(&local));
            }
        }
        self.only_accessed = found;
    }

    /// Imports `getelementptr`.
    pub(super) fn address(
        &mut self,
        result: LocalId,
        element: TypeId,
        base: &Value,
        indices: &[Typed],
    ) -> Result<()> {
        let mut address = self.pointer(base)?;
        let mut ty = element;
        for (number, (index_type, index)) in indices.iter().enumerate() {
            if number > 0 {
                let place = self.place;
                let member = |what: Option<TypeId>| {
                    what.ok_or_else(|| place.error("the address of no element"))
                };
                if let Type::Struct { .. } = self.importer.source.types.get(ty) {
                    let Value::Const(constant) = index else {
                        return self.unsupported("a field of a number that is not constant");
                    };
                    let field = match constant {
                        Const::Int(field) => u64::try_from(*field).unwrap_or(u64::MAX),
                        _ => 0,
                    };
                    let types = &self.importer.source.types;
                    let offset = types
                        .offset(ty, field)
                        .ok_or_else(|| self.place.error("there is no such field"))?;
                    ty = member(types.element(ty, field))?;
                    address = self.further(address, offset.cast_signed())?;
                    continue;
                }
                ty = member(self.importer.source.types.element(ty, 0))?;
            }
            let extent = self.importer.source.types.extent(ty);
            let size = extent
                .ok_or_else(|| self.place.error("the size of an element is not known"))?
                .size;
            let width = self
                .importer
                .source
                .types
                .int_width(*index_type)
                .unwrap_or(64);
            let held = self.value(*index_type, index)?;
            let Some(&held) = held.first() else {
                return self.unsupported("this index");
            };
            let index = self.sign_extended(held, width.min(64))?;
            let is_last =
                (indices[number + 1..].iter()).all(|(_, index)| matches!(index, Value::Const(_)));
            address = if is_last && self.only_accessed.contains(&result) {
                self.element(address, index, size.cast_signed())?
            } else {
                self.indexed(address, index, size.cast_signed())?
            };
        }
        self.define(result, vec![address])
    }

    /// Returns an address plus some bytes.
    pub(super) fn further(&mut self, address: Held, bytes: i64) -> Result<Held> {
        Ok(match address {
            _ if bytes == 0 => address,
            Held::Reg(base) => Held::Address(base, bytes),
            Held::Address(base, disp) => Held::Address(base, disp.wrapping_add(bytes)),
            Held::Element(base, index, scale, disp) => {
                Held::Element(base, index, scale, disp.wrapping_add(bytes))
            }
            Held::Item(item, disp) => Held::Item(item, disp.wrapping_add(bytes)),
            Held::Int(value) => Held::Int(value.wrapping_add(bytes)),
            Held::Constant(_) => return self.unsupported("this address"),
        })
    }

    /// Returns the address of an element, as loads and stores compute it by themselves.
    fn element(&mut self, address: Held, index: Operand, size: i64) -> Result<Held> {
        let (Operand::Reg(index), 1 | 2 | 4 | 8) = (index, size) else {
            return self.indexed(address, index, size);
        };
        let (base, disp) = match address {
            Held::Address(base, disp) => (base, disp),
            Held::Item(item, disp) => (self.register(Held::Item(item, 0))?, disp),
            other => (self.register(other)?, 0),
        };
        Ok(Held::Element(base, index, size as u8, disp))
    }

    /// Returns the address of an element, with all but a constant computed.
    fn indexed(&mut self, address: Held, index: Operand, size: i64) -> Result<Held> {
        if let Operand::Int(index) = index {
            return self.further(address, index.wrapping_mul(size));
        }
        let scaled = if size == 1 {
            held_of(index)
        } else {
            self.int_operation(Code::Mul, held_of(index), Held::Int(size))?
        };
        // The constant part is kept apart, as a load or store adds it for free.
        let (base, disp) = match address {
            Held::Address(base, disp) => (Held::Reg(base), disp),
            Held::Item(item, disp) => (Held::Item(item, 0), disp),
            other => (other, 0),
        };
        let sum = self.int_operation(Code::Add, base, scaled)?;
        self.further(sum, disp)
    }

    pub(super) fn alloca(
        &mut self,
        result: LocalId,
        ty: TypeId,
        count: Option<&Typed>,
        align: u64,
    ) -> Result<()> {
        if self.promoted.contains_key(&result) || self.held[result.0 as usize].is_some() {
            return Ok(());
        }
        let extent = self.importer.source.types.extent(ty);
        let extent = extent.ok_or_else(|| self.place.error("the size is not known"))?;
        let align = align.max(extent.align);
        let size = match count {
            None => Operand::Int(extent.size.cast_signed()),
            Some((count_type, count)) => {
                let width = self
                    .importer
                    .source
                    .types
                    .int_width(*count_type)
                    .unwrap_or(64);
                let held = self.single(*count_type, count)?;
                let count = held_of(self.zero_extended(held, width)?);
                let size =
                    self.int_operation(Code::Mul, count, Held::Int(extent.size.cast_signed()))?;
                self.operand(size)?
            }
        };
        let address = self.aligned_alloca(size, align)?;
        self.define(result, vec![Held::Reg(address)])
    }

    // ---- blocks of memory

    /// Copies bytes that may overlap.
    pub(super) fn copy(&mut self, name: &str, to: Held, from: Held, length: Held) -> Result<()> {
        if let Held::Int(bytes) = length
            && let Ok(bytes) = u64::try_from(bytes)
            && bytes <= SHORT_COPY
        {
            return self.short_copy(to, from, bytes as u32);
        }
        self.call_copy(name, [to, from, length])
    }

    /// Calls the function of the C library that copies bytes.
    pub(super) fn call_copy(&mut self, name: &str, args: [Held; 3]) -> Result<()> {
        let word = Kind::Int(64);
        self.call_library(name, word, &args.map(|arg| (word, arg)))?;
        Ok(())
    }

    /// Fills bytes with the low 8 bits of an integer.
    pub(super) fn fill(&mut self, to: Held, byte: Held, length: Held) -> Result<()> {
        if let (Held::Int(byte), Held::Int(bytes)) = (byte, length)
            && let Ok(bytes) = u64::try_from(bytes)
            && bytes <= SHORT_COPY
        {
            return self.short_fill(to, byte, bytes as u32);
        }
        self.call_fill(to, byte, length)
    }

    /// Calls the function of the C library that fills bytes.
    pub(super) fn call_fill(&mut self, to: Held, byte: Held, length: Held) -> Result<()> {
        let word = Kind::Int(64);
        let args = [(word, to), (Kind::Int(32), byte), (word, length)];
        self.call_library("memset", word, &args)?;
        Ok(())
    }

    /// Fills a short block with a constant.
    fn short_fill(&mut self, to: Held, byte: i64, bytes: u32) -> Result<()> {
        let word = i64::from_ne_bytes([byte as u8; 8]);
        let mut done = 0;
        while done < bytes {
            let size = 1 << (bytes - done).min(8).ilog2();
            let memory = self.memory(int_memory(size, false), to, u64::from(done))?;
            self.emit(Code::Mov, (memory, word >> (64 - 8 * size)))?;
            done += size;
        }
        Ok(())
    }

    /// Copies a short block. All loads come before the first store, so the blocks may overlap.
    fn short_copy(&mut self, to: Held, from: Held, bytes: u32) -> Result<()> {
        let (mut loaded, mut done) = (Vec::new(), 0);
        while done < bytes {
            let size = 1 << (bytes - done).min(8).ilog2();
            let memory = self.memory(int_memory(size, false), from, u64::from(done))?;
            let reg = self.temp(Kind::Int(64))?;
            self.emit(Code::Mov, (reg, memory))?;
            loaded.push((done, size, reg));
            done += size;
        }
        for (offset, size, reg) in loaded {
            let memory = self.memory(int_memory(size, false), to, u64::from(offset))?;
            self.emit(Code::Mov, (memory, reg))?;
        }
        Ok(())
    }

    /// Returns `a` if the comparison holds, else `b`.
    pub(super) fn chosen(
        &mut self,
        predicate: IntPredicate,
        width: u32,
        a: Held,
        b: Held,
    ) -> Result<Held> {
        let (a_operand, b_operand) = (self.operand(a)?, self.operand(b)?);
        let reg = self.temp(Kind::Int(64))?;
        let done = self.new_label()?;
        self.emit(Code::Mov, (reg, a_operand))?;
        self.compare_ints(predicate, width, a, b, Outcome::Branch(done))?;
        self.emit(Code::Mov, (reg, b_operand))?;
        self.place_label(done)?;
        Ok(Held::Reg(reg))
    }
}

/// Returns the sizes of the pieces in which a number of bytes is read and written: powers of two,
/// largest first.
fn pieces(bytes: u32) -> impl Iterator<Item = u32> {
    [4, 2, 1].into_iter().filter(move |size| bytes & size != 0)
}
