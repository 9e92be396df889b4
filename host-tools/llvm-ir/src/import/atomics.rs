//! Imports atomic accesses and fences as the atomic instructions of Medium IR.
//!
//! A floating value is accessed as the integer of its bits. What Medium IR has no instruction for
//! becomes a loop around a compare-exchange.

use super::function::Lower;
use super::integers::{Outcome, held_of};
use super::memory::{SHORT_COPY, int_memory};
use super::parts::{Kind, Part};
use super::values::Held;
use crate::ast::{Access, Call, Const, IntPredicate, LocalId, Typed, Value};
use crate::error::Result;
use crate::types::{Type, TypeId};
use mir_nostd::ir::{Code, Mem, Operand, Order, Reg, Type as MediumType};
use mir_nostd::num::LongDoubleFormat;

impl Lower<'_, '_, '_> {
    pub(super) fn fence(&mut self, order: Order) -> Result<()> {
        self.emit(Code::Fence, (number(order),))
    }

    /// Imports a load that is made once, as a whole. A volatile one is a relaxed atomic load, which
    /// no stage leaves out, repeats or takes apart, and one instruction on every ISA.
    pub(super) fn access_load(
        &mut self,
        result: LocalId,
        ty: TypeId,
        pointer: &Value,
        access: Access,
    ) -> Result<()> {
        let order = match access {
            Access::Atomic(order) => order,
            Access::Volatile(_) if self.importer.is_portable => {
                return self.load(result, ty, pointer);
            }
            Access::Volatile(align) if !self.is_one_access(ty, align)? => {
                let held = self.load_in_pieces(ty, pointer, align)?;
                return self.define(result, held);
            }
            Access::Volatile(_) => Order::Relaxed,
        };
        let part = self.atomic_part(ty)?;
        let memory = self.atomic_memory(part, pointer, false)?;
        let bits = self.temp(Kind::Int(64))?;
        self.emit(Code::AtomicLoad, (bits, memory, number(order)))?;
        let value = self.value_of_bits(part.kind, bits)?;
        self.define(result, vec![value])
    }

    /// Imports a store, as [`Self::access_load`] a load.
    pub(super) fn access_store(
        &mut self,
        (ty, value): &Typed,
        pointer: &Value,
        access: Access,
    ) -> Result<()> {
        let order = match access {
            Access::Atomic(order) => order,
            Access::Volatile(_) if self.importer.is_portable => {
                return self.store(*ty, value, pointer);
            }
            Access::Volatile(align) if !self.is_one_access(*ty, align)? => {
                return self.store_in_pieces((*ty, value), pointer, align);
            }
            Access::Volatile(_) => Order::Relaxed,
        };
        let part = self.atomic_part(*ty)?;
        let value = self.single(*ty, value)?;
        let bits = self.bits_of_value(part.kind, value)?;
        let memory = self.atomic_memory(part, pointer, false)?;
        self.emit(Code::AtomicStore, (memory, bits, number(order)))
    }

    /// Returns whether a machine accesses a value of this type and alignment at once.
    fn is_one_access(&mut self, ty: TypeId, align: u64) -> Result<bool> {
        let parts = self.importer.parts(ty, self.place)?;
        Ok(match *parts {
            [part] => bytes_of(part.kind).is_some_and(|bytes| u64::from(bytes) <= align),
            _ => false,
        })
    }

    /// Loads a volatile value in pieces, each of which is accessed once.
    ///
    /// They go to memory of the frame, and from there the value is loaded as a whole.
    fn load_in_pieces(&mut self, ty: TypeId, pointer: &Value, align: u64) -> Result<Vec<Held>> {
        let copy = Held::Reg(self.memory_for(ty)?);
        let address = self.pointer(pointer)?;
        for (offset, bytes) in self.pieces_of(ty, align)? {
            let piece = self.temp(Kind::Int(64))?;
            let memory = self.memory(piece_memory(bytes), address, offset)?;
            self.emit(Code::AtomicLoad, (piece, memory, number(Order::Relaxed)))?;
            let memory = self.memory(piece_memory(bytes), copy, offset)?;
            self.emit(Code::Mov, (memory, piece))?;
        }
        self.load_parts(ty, copy)
    }

    fn store_in_pieces(
        &mut self,
        (ty, value): (TypeId, &Value),
        pointer: &Value,
        align: u64,
    ) -> Result<()> {
        let copy = Held::Reg(self.memory_for(ty)?);
        let held = self.value(ty, value)?;
        self.store_parts(ty, held, copy)?;
        let address = self.pointer(pointer)?;
        for (offset, bytes) in self.pieces_of(ty, align)? {
            let piece = self.temp(Kind::Int(64))?;
            let memory = self.memory(piece_memory(bytes), copy, offset)?;
            self.emit(Code::Mov, (piece, memory))?;
            let memory = self.memory(piece_memory(bytes), address, offset)?;
            self.emit(Code::AtomicStore, (memory, piece, number(Order::Relaxed)))?;
        }
        Ok(())
    }

    /// Allocates memory for a value in the frame.
    fn memory_for(&mut self, ty: TypeId) -> Result<Reg> {
        let extent = self.importer.source.types.extent(ty);
        let size = extent.and_then(|extent| i64::try_from(extent.size).ok());
        match size {
            Some(size) => self.first_alloca(size.max(1)),
            None => self.unsupported("a volatile access to such a value"),
        }
    }

    /// Returns the offsets and sizes of the pieces in which a value is accessed: the largest that
    /// are aligned.
    fn pieces_of(&mut self, ty: TypeId, align: u64) -> Result<Vec<(u64, u32)>> {
        let parts = self.importer.parts(ty, self.place)?;
        let mut pieces = Vec::new();
        for part in parts.iter() {
            let bytes = match part.kind {
                Kind::LongDouble => match self.importer.target.long_double {
                    LongDoubleFormat::X87 => 10,
                    _ => 16,
                },
                Kind::Int(width) => width.div_ceil(8),
                Kind::Float => 4,
                Kind::Double => 8,
            };
            let mut done = 0;
            while done < bytes {
                let Some(offset) = part.offset.checked_add(done.into()) else {
                    return self.unsupported("a volatile access to such a value");
                };
                let mut size = 8;
                let is_aligned =
                    |size: u32| u64::from(size) <= align && offset.is_multiple_of(size.into());
                while size > 1 && (size > bytes - done || !is_aligned(size)) {
                    size /= 2;
                }
                pieces.push((offset, size));
                done += size;
            }
        }
        Ok(pieces)
    }

    /// Returns the alignment of the blocks that a call copies or fills, if it is volatile.
    pub(super) fn volatile_align(&self, call: &Call) -> Option<u64> {
        let is_volatile = matches!(call.args.get(3)?.value, Value::Const(Const::Int(1)));
        let pointers = call.args.iter().take(2);
        let pointers = pointers.filter(|arg| *self.importer.source.types.get(arg.ty) == Type::Ptr);
        let align = pointers.map(|arg| arg.attributes.align.max(1)).min();
        align.filter(|_| is_volatile)
    }

    /// Copies bytes that may overlap, each loaded and stored once: short blocks in the largest
    /// pieces that are aligned, others by a function, of which no stage knows what it does.
    pub(super) fn volatile_copy(
        &mut self,
        name: &str,
        args @ [to, from, length]: [Held; 3],
        align: u64,
    ) -> Result<()> {
        let Some(bytes) = self.short_volatile(length) else {
            return self.call_copy(name, args);
        };
        let mut loaded = Vec::new();
        for (offset, size) in short_pieces(bytes, align) {
            let piece = self.temp(Kind::Int(64))?;
            let memory = self.memory(piece_memory(size), from, offset)?;
            self.emit(Code::AtomicLoad, (piece, memory, number(Order::Relaxed)))?;
            loaded.push((offset, size, piece));
        }
        for (offset, size, piece) in loaded {
            let memory = self.memory(piece_memory(size), to, offset)?;
            self.emit(Code::AtomicStore, (memory, piece, number(Order::Relaxed)))?;
        }
        Ok(())
    }

    /// Fills bytes, as [`Self::volatile_copy`] copies them.
    pub(super) fn volatile_fill(
        &mut self,
        [to, byte, length]: [Held; 3],
        align: u64,
    ) -> Result<()> {
        let (Held::Int(value), Some(bytes)) = (byte, self.short_volatile(length)) else {
            return self.call_fill(to, byte, length);
        };
        let word = i64::from_ne_bytes([value as u8; 8]);
        for (offset, size) in short_pieces(bytes, align) {
            let memory = self.memory(piece_memory(size), to, offset)?;
            self.emit(Code::AtomicStore, (memory, word, number(Order::Relaxed)))?;
        }
        Ok(())
    }

    /// Returns the length of a block that is accessed piece by piece.
    fn short_volatile(&self, length: Held) -> Option<u64> {
        let Held::Int(length) = length else {
            return None;
        };
        let bytes = u64::try_from(length).ok()?;
        (bytes <= SHORT_COPY && !self.importer.is_portable).then_some(bytes)
    }

    /// Imports `atomicrmw`.
    pub(super) fn atomic(
        &mut self,
        result: LocalId,
        operation: &str,
        pointer: &Value,
        (ty, value): &Typed,
        order: Order,
    ) -> Result<()> {
        let part = self.atomic_part(*ty)?;
        let value = self.single(*ty, value)?;
        let code = match operation {
            "xchg" => Code::AtomicXchg,
            "add" => Code::AtomicAdd,
            "sub" => Code::AtomicSub,
            "and" => Code::AtomicAnd,
            "nand" => Code::AtomicNand,
            "or" => Code::AtomicOr,
            "xor" => Code::AtomicXor,
            "max" | "umax" => Code::AtomicMax,
            "min" | "umin" => Code::AtomicMin,
            _ => return self.atomic_loop(result, operation, pointer, part, value, order),
        };
        let signed = matches!(operation, "max" | "min");
        let bits = self.bits_of_value(part.kind, value)?;
        let memory = self.atomic_memory(part, pointer, signed)?;
        let old = self.temp(Kind::Int(64))?;
        self.emit(code, (old, memory, bits, number(order)))?;
        if let (true, Kind::Int(width)) = (signed, part.kind) {
            self.sign_above.insert(old, width);
            return self.define(result, vec![Held::Reg(old)]);
        }
        let old = self.value_of_bits(part.kind, old)?;
        self.define(result, vec![old])
    }

    /// Imports an operation that no instruction does: a loop around a compare-exchange.
    fn atomic_loop(
        &mut self,
        result: LocalId,
        operation: &str,
        pointer: &Value,
        part: Part,
        value: Held,
        order: Order,
    ) -> Result<()> {
        let memory = self.atomic_memory(part, pointer, false)?;
        let (seen, found) = (self.temp(Kind::Int(64))?, self.temp(Kind::Int(64))?);
        let relaxed = number(Order::Relaxed);
        let (again, done) = (self.new_label()?, self.new_label()?);
        self.emit(Code::AtomicLoad, (seen, memory, relaxed))?;
        self.place_label(again)?;
        let old = self.value_of_bits(part.kind, seen)?;
        let new = match part.kind {
            Kind::Int(width) => self.new_integer(operation, width, old, value)?,
            kind => self.new_float(operation, kind, old, value)?,
        };
        let new = self.bits_of_value(part.kind, new)?;
        let operands = (found, memory, seen, new, number(order), relaxed);
        self.emit(Code::AtomicCmpxchg, operands)?;
        self.emit(Code::Beq, (done, found, seen))?;
        self.emit(Code::Mov, (seen, found))?;
        self.emit(Code::Jmp, (again,))?;
        self.place_label(done)?;
        self.define(result, vec![old])
    }

    /// Returns what an operation makes of a floating value in memory.
    fn new_float(&mut self, operation: &str, kind: Kind, old: Held, value: Held) -> Result<Held> {
        let code = match (operation, kind) {
            ("fadd", Kind::Float) => Code::Fadd,
            ("fadd", Kind::Double) => Code::Dadd,
            ("fsub", Kind::Float) => Code::Fsub,
            ("fsub", Kind::Double) => Code::Dsub,
            ("fmax", _) => return self.extreme_float("maximumnum", kind, old, value),
            ("fmin", _) => return self.extreme_float("minimumnum", kind, old, value),
            ("fmaximum", _) => return self.extreme_float("maximum", kind, old, value),
            ("fminimum", _) => return self.extreme_float("minimum", kind, old, value),
            ("fmaximumnum", _) => return self.extreme_float("maximumnum", kind, old, value),
            ("fminimumnum", _) => return self.extreme_float("minimumnum", kind, old, value),
            _ => return self.unsupported(format!("`atomicrmw {operation}`")),
        };
        self.float_result(code, kind, &[old, value]).map(Held::Reg)
    }

    /// Returns what an operation makes of an integer in memory.
    fn new_integer(&mut self, operation: &str, width: u32, old: Held, value: Held) -> Result<Held> {
        if !matches!(
            operation,
            "uinc_wrap" | "udec_wrap" | "usub_cond" | "usub_sat"
        ) {
            return self.unsupported(format!("`atomicrmw {operation}`"));
        }
        let old = held_of(self.zero_extended(old, width)?);
        let value = held_of(self.zero_extended(value, width)?);
        match operation {
            "uinc_wrap" => {
                let more = self.int_operation(Code::Add, old, Held::Int(1))?;
                let wraps = self.int_operation(Code::Uge, old, value)?;
                self.chosen_by(wraps, Held::Int(0), more)
            }
            "udec_wrap" => {
                let less = self.int_operation(Code::Sub, old, Held::Int(1))?;
                let is_zero = self.int_operation(Code::Eq, old, Held::Int(0))?;
                let is_above = self.int_operation(Code::Ugt, old, value)?;
                let wraps = self.int_operation(Code::Or, is_zero, is_above)?;
                self.chosen_by(wraps, value, less)
            }
            _ => {
                let less = self.int_operation(Code::Sub, old, value)?;
                let fits = self.int_operation(Code::Uge, old, value)?;
                let other = if operation == "usub_cond" {
                    old
                } else {
                    Held::Int(0)
                };
                self.chosen_by(fits, less, other)
            }
        }
    }

    /// Imports `cmpxchg`; a weak one never fails by itself either.
    pub(super) fn compare_exchange(
        &mut self,
        result: LocalId,
        pointer: &Value,
        (ty, expected): &Typed,
        new: &Value,
        [success, failure]: [Order; 2],
    ) -> Result<()> {
        let part = self.atomic_part(*ty)?;
        let Kind::Int(width) = part.kind else {
            return self.not_atomic(*ty);
        };
        let (expected, new) = (self.single(*ty, expected)?, self.single(*ty, new)?);
        let expected_bits = self.bits_of_value(part.kind, expected)?;
        let new = self.bits_of_value(part.kind, new)?;
        let memory = self.atomic_memory(part, pointer, false)?;
        let old = self.temp(Kind::Int(64))?;
        let orders = (number(success), number(failure));
        let operands = (old, memory, expected_bits, new, orders.0, orders.1);
        self.emit(Code::AtomicCmpxchg, operands)?;
        let old = self.value_of_bits(part.kind, old)?;
        let equal = self.temp(Kind::Int(1))?;
        let outcome = Outcome::Register(equal);
        self.compare_ints(IntPredicate::Eq, width, old, expected, outcome)?;
        self.zero_above.insert(equal, 1);
        self.define(result, vec![old, Held::Reg(equal)])
    }

    /// Refuses an atomic operation on a value of a type that no instruction accesses as a whole.
    fn not_atomic<T>(&self, ty: TypeId) -> Result<T> {
        let what = match self.importer.source.types.get(ty) {
            Type::Int(width) => format!("i{width}"),
            Type::Vector(..) => "a vector".into(),
            Type::Half => "half".into(),
            Type::BFloat => "bfloat".into(),
            _ => "such a value".into(),
        };
        self.unsupported(format!("an atomic operation on {what}"))
    }

    /// Returns the only part of a value that is accessed atomically.
    fn atomic_part(&mut self, ty: TypeId) -> Result<Part> {
        let parts = self.importer.parts(ty, self.place)?;
        match *parts {
            [part] if bytes_of(part.kind).is_some() => Ok(part),
            _ => self.not_atomic(ty),
        }
    }

    /// Returns the operand for the memory of a part.
    fn atomic_memory(&mut self, part: Part, pointer: &Value, signed: bool) -> Result<Mem> {
        let address = self.pointer(pointer)?;
        let bytes = bytes_of(part.kind).unwrap_or(8);
        let ty = match (bytes, signed) {
            (8, false) => MediumType::U64,
            _ => int_memory(bytes, signed),
        };
        self.memory(ty, address, part.offset)
    }

    /// Returns the bits of a value as they are in memory, zero-extended or with anything above.
    fn bits_of_value(&mut self, kind: Kind, value: Held) -> Result<Operand> {
        let (ty, code, bits_type) = match kind {
            Kind::Float => (MediumType::F, Code::Fmov, MediumType::U32),
            Kind::Double => (MediumType::D, Code::Dmov, MediumType::I64),
            Kind::Int(width) if width % 8 != 0 => return self.zero_extended(value, width),
            _ => return self.operand(value),
        };
        let value = self.operand(value)?;
        let bits = self.temp(Kind::Int(64))?;
        self.through_memory((ty, code, value), (bits_type, Code::Mov, bits))?;
        Ok(bits.into())
    }

    /// Returns the value of zero-extended bits.
    fn value_of_bits(&mut self, kind: Kind, bits: Reg) -> Result<Held> {
        let (ty, code, bits_type) = match kind {
            Kind::Float => (MediumType::F, Code::Fmov, MediumType::U32),
            Kind::Double => (MediumType::D, Code::Dmov, MediumType::I64),
            Kind::Int(width) => {
                self.zero_above.insert(bits, width);
                return Ok(Held::Reg(bits));
            }
            Kind::LongDouble => return self.unsupported("an atomic long double"),
        };
        let value = self.temp(kind)?;
        self.through_memory((bits_type, Code::Mov, bits.into()), (ty, code, value))?;
        Ok(Held::Reg(value))
    }
}

/// Returns the number of bytes of a value, if it is one that atomic instructions access.
fn bytes_of(kind: Kind) -> Option<u32> {
    let bytes = match kind {
        Kind::Int(width) => width.div_ceil(8),
        Kind::Float => 4,
        Kind::Double => 8,
        Kind::LongDouble => return None,
    };
    (bytes.is_power_of_two() && bytes <= 8).then_some(bytes)
}

/// Returns the type of memory of a piece of a value.
const fn piece_memory(bytes: u32) -> MediumType {
    match bytes {
        8 => MediumType::U64,
        _ => int_memory(bytes, false),
    }
}

/// Returns an order as an operand.
const fn number(order: Order) -> Operand {
    Operand::Int(order as i64)
}

/// Returns the offsets and sizes of the pieces of a short block: the largest that are aligned.
fn short_pieces(bytes: u64, align: u64) -> Vec<(u64, u32)> {
    let (mut pieces, mut done) = (Vec::new(), 0);
    while done < bytes {
        let size = 1_u32 << (bytes - done).min(align).min(8).ilog2();
        pieces.push((done, size));
        done += u64::from(size);
    }
    pieces
}
