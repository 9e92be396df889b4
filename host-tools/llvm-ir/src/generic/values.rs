//! Operands: constants, registers, and conversions that keep the bits.

use super::abi::{Leaf, Spot};
use super::function::{Raise, error, ir_block_name};
use crate::ast::{Attributes, Binary, Cast, Const, Expression, Op, Typed, Value};
use crate::error::Result;
use crate::types::{Type, TypeId};
use llvm_mir::model::{FloatFormat, Frame, Global, Instruction, Integer, OperandKind};

/// Returns the value of an integer, zero-extended.
pub(super) fn bits_of(integer: &Integer) -> Result<u128> {
    let value: i128 = integer
        .digits()
        .parse()
        .map_err(|_| error("a constant of more than 128 bits"))?;
    Ok(masked(value.cast_unsigned(), integer.bits()))
}

fn masked(value: u128, bits: u32) -> u128 {
    if bits >= 128 {
        value
    } else {
        value & ((1 << bits) - 1)
    }
}

pub(super) fn global_name(global: &Global) -> Result<String> {
    match global {
        Global::Named(name) => Ok(name.to_string()),
        Global::Number(number) => Ok(number.to_string()),
    }
}

impl Raise<'_> {
    /// Returns the register at an index of an instruction's operands.
    pub(super) fn register(&self, insn: &Instruction, at: usize) -> Result<usize> {
        let register = insn.operands.get(at).and_then(|operand| operand.register());
        let index = register.and_then(|register| register.register.virtual_index());
        index.ok_or_else(|| error(format!("{} without a register", self.name(insn))))
    }

    pub(super) fn name(&self, insn: &Instruction) -> &'static str {
        self.context.target.opcode_name(insn.opcode)
    }

    /// Returns the operand at an index with the type that it is held in.
    pub(super) fn held(&self, insn: &Instruction, at: usize) -> Result<Typed> {
        self.held_register(self.register(insn, at)?)
    }

    pub(super) fn held_register(&self, register: usize) -> Result<Typed> {
        if let Some(known) = &self.known[register] {
            return Ok(known.clone());
        }
        let ty = self.type_of(register)?;
        Ok((ty, Value::Local(self.local_of(register))))
    }

    /// Returns the operand at an index, converted to this type.
    pub(super) fn operand(&mut self, insn: &Instruction, at: usize, ty: TypeId) -> Result<Value> {
        let held = self.held(insn, at)?;
        self.convert(held, ty)
    }

    pub(super) fn immediate(&self, insn: &Instruction, at: usize) -> Result<i64> {
        match insn.operands.get(at).map(|operand| &operand.kind) {
            Some(OperandKind::Immediate(value)) => Ok(*value),
            _ => Err(error(format!("{} without a number", self.name(insn)))),
        }
    }

    // ---- values that need no instruction

    /// Records the registers that are constants.
    pub(super) fn find_constants(&mut self) -> Result<()> {
        let generic = self.generic;
        for insn in generic.instructions() {
            let name = self.name(insn);
            let is_one = matches!(
                name,
                "G_CONSTANT" | "G_FCONSTANT" | "G_GLOBAL_VALUE" | "G_IMPLICIT_DEF" | "G_BLOCK_ADDR"
            );
            if is_one {
                self.come_to(insn.position);
                let register = self.register(insn, 0)?;
                let ty = self.type_of(register)?;
                let constant = self.constant(insn, ty)?;
                self.known[register] = Some((ty, Value::Const(constant)));
            }
        }
        Ok(())
    }

    fn constant(&mut self, insn: &Instruction, ty: TypeId) -> Result<Const> {
        let Some(operand) = insn.operands.get(1) else {
            return Ok(Const::Zero);
        };
        match &operand.kind {
            OperandKind::Integer(integer) => {
                let bits = bits_of(integer)?;
                Ok(self.constant_bits(bits, ty))
            }
            OperandKind::Float(float) => match float.format {
                FloatFormat::Single | FloatFormat::Double => Ok(Const::Double(float.image as u64)),
                FloatFormat::X87 => Ok(Const::LongDouble(float.image)),
                // LLVM writes the low half first.
                FloatFormat::Quad => Ok(Const::LongDouble(float.image.rotate_left(64))),
                _ => Err(error("floating values of 16 bits cannot be expressed")),
            },
            OperandKind::Global(global, 0) => Ok(Const::Global(global_name(global)?)),
            OperandKind::Global(global, offset) => {
                let (byte, long) = (self.types.add(Type::Int(8)), self.types.add(Type::Int(64)));
                let base = (ty, Const::Global(global_name(global)?));
                let offset = (long, Const::Int(i128::from(*offset).cast_unsigned()));
                let operands = vec![base, offset];
                let element = byte;
                Ok(Const::Expression(Box::new(Expression::Address {
                    ty,
                    element,
                    operands,
                })))
            }
            OperandKind::BlockAddress(place, 0) => {
                let (function, block) = &**place;
                let function = global_name(function)?;
                Ok(Const::BlockAddress(function, ir_block_name(block)))
            }
            _ => Err(error(format!("{} of something else", self.name(insn)))),
        }
    }

    /// Returns the constant of a type that has these bits.
    fn constant_bits(&mut self, bits: u128, ty: TypeId) -> Const {
        match self.types.get(ty) {
            Type::Float => {
                let value = f64::from(f32::from_bits(bits as u32));
                Const::Double(value.to_bits())
            }
            Type::Double => Const::Double(bits as u64),
            Type::Fp128 | Type::X86Fp80 => Const::LongDouble(bits),
            Type::Ptr if bits == 0 => Const::Zero,
            Type::Ptr => {
                let from = (self.types.add(Type::Int(64)), Const::Int(bits));
                Const::Expression(Box::new(Expression::Cast {
                    cast: Cast::Bits,
                    from,
                    to: ty,
                }))
            }
            _ => Const::Int(bits),
        }
    }

    /// Records the registers that are addresses of frame objects.
    pub(super) fn find_frame_addresses(&mut self) -> Result<()> {
        let generic = self.generic;
        let pointer = self.types.add(Type::Ptr);
        for insn in generic.instructions() {
            if self.name(insn) != "G_FRAME_INDEX" {
                continue;
            }
            let register = self.register(insn, 0)?;
            let object = match insn.operands.get(1).map(|operand| &operand.kind) {
                Some(OperandKind::Frame(Frame::Stack(number))) => self.stack.get(*number as usize),
                Some(OperandKind::Frame(Frame::Fixed(number))) => self.fixed.get(*number as usize),
                _ => None,
            };
            let address = object.ok_or_else(|| error("there is no such frame object"))?;
            self.known[register] = Some((pointer, address.clone()));
        }
        Ok(())
    }

    // ---- the same bits as another type

    /// Returns the number of bits of a scalar.
    pub(super) fn bits(&self, ty: TypeId) -> Result<u32> {
        Ok(match self.types.get(ty) {
            Type::Int(width) => *width,
            Type::Float => 32,
            Type::Double | Type::Ptr => 64,
            Type::Vector(2, element) if matches!(self.types.get(*element), Type::Float) => 64,
            Type::X86Fp80 => 80,
            Type::Fp128 => 128,
            _ => {
                let name = self.types.name(ty);
                return Err(error(format!("the type {name} cannot be expressed")));
            }
        })
    }

    fn is_int(&self, ty: TypeId) -> bool {
        self.types.int_width(ty).is_some()
    }

    /// Converts a value to another type: truncated, or zero-extended.
    pub(super) fn convert(&mut self, value: Typed, to: TypeId) -> Result<Value> {
        if value.0 == to {
            return Ok(value.1);
        }
        let (from_bits, to_bits) = (self.bits(value.0)?, self.bits(to)?);
        let value = self.as_int(value, from_bits)?;
        let value = self.resized(value, to_bits, Cast::Zext)?;
        if self.is_int(to) {
            return Ok(value.1);
        }
        if matches!(self.types.get(to), Type::Vector(..)) {
            return self.two_floats(value, to);
        }
        Ok(self.emit(Op::Cast(Cast::Bits, value, to), to))
    }

    fn as_int(&mut self, value: Typed, bits: u32) -> Result<Typed> {
        if self.is_int(value.0) {
            return Ok(value);
        }
        let int = self.types.add(Type::Int(bits));
        if let Type::Vector(_, element) = *self.types.get(value.0) {
            return self.bits_of_floats(value, element);
        }
        Ok((int, self.emit(Op::Cast(Cast::Bits, value, int), int)))
    }

    /// Converts two floats to an integer of 64 bits, the form in which `x86_64` passes them.
    fn bits_of_floats(&mut self, value: Typed, float: TypeId) -> Result<Typed> {
        let mut halves = Vec::new();
        for index in 0..2 {
            let index = self.int(64, index);
            let element = self.emit(Op::ExtractElement(value.clone(), index), float);
            halves.push(self.as_int((float, element), 32)?);
        }
        self.merged(&halves)
    }

    fn two_floats(&mut self, value: Typed, to: TypeId) -> Result<Value> {
        let float = self.types.add(Type::Float);
        let mut vector = Value::Const(Const::Zero);
        for (index, half) in self.split(value, 32)?.into_iter().enumerate() {
            let half = (float, self.convert(half, float)?);
            let index = self.int(64, index as u128);
            vector = self.emit(Op::InsertElement((to, vector), half, index), to);
        }
        Ok(vector)
    }

    /// Converts an integer to another width.
    pub(super) fn resized(&mut self, value: Typed, bits: u32, widen: Cast) -> Result<Typed> {
        let from = self.bits(value.0)?;
        let to = self.types.add(Type::Int(bits));
        if from == bits && self.is_int(value.0) {
            return Ok(value);
        }
        let value = self.as_int(value, from)?;
        let cast = match from.cmp(&bits) {
            core::cmp::Ordering::Equal => return Ok(value),
            core::cmp::Ordering::Less => widen,
            core::cmp::Ordering::Greater => Cast::Trunc,
        };
        if let Value::Const(Const::Int(constant)) = value.1
            && widen != Cast::Sext
        {
            let constant = masked(masked(constant, from), bits);
            return Ok((to, Value::Const(Const::Int(constant))));
        }
        Ok((to, self.emit(Op::Cast(cast, value, to), to)))
    }

    pub(super) fn binary(&mut self, op: Binary, a: &Typed, b: &Typed) -> Typed {
        let result = self.emit(Op::Binary(op, a.0, a.1.clone(), b.1.clone()), a.0);
        (a.0, result)
    }

    /// Returns the integer made of these integers, the lowest first.
    pub(super) fn merged(&mut self, parts: &[Typed]) -> Result<Typed> {
        let mut total = 0;
        for part in parts {
            total += self.bits(part.0)?;
        }
        if total > 128 {
            return Err(error("values of more than 128 bits cannot be expressed"));
        }
        let (mut merged, mut at) = (self.int(total, 0), 0);
        for part in parts {
            let wide = self.resized(part.clone(), total, Cast::Zext)?;
            if at == 0 {
                merged = wide;
            } else {
                let count = self.int(total, u128::from(at));
                let shifted = self.binary(Binary::Shl, &wide, &count);
                merged = self.binary(Binary::Or, &merged, &shifted);
            }
            at += self.bits(part.0)?;
        }
        Ok(merged)
    }

    /// Splits a value into integers of a width, the lowest first.
    pub(super) fn split(&mut self, value: Typed, bits: u32) -> Result<Vec<Typed>> {
        let total = self.bits(value.0)?;
        let value = self.as_int(value, total)?;
        let mut parts = Vec::new();
        for at in (0..total).step_by(bits.max(1) as usize) {
            let count = self.int(total, u128::from(at));
            let shifted = if at == 0 {
                value.clone()
            } else {
                self.binary(Binary::Lshr, &value, &count)
            };
            parts.push(self.resized(shifted, bits, Cast::Zext)?);
        }
        Ok(parts)
    }

    // ---- values in registers of the machine

    /// Splits a value as it is passed, each part with its location. Narrow integers are extended as
    /// the attributes say.
    pub(super) fn pieces(
        &mut self,
        value: Typed,
        attributes: &Attributes,
        leaves: &[Leaf],
    ) -> Result<Vec<(Spot, Typed)>> {
        let mut pieces = Vec::new();
        for leaf in leaves {
            let mut scalar = value.clone();
            if !leaf.path.is_empty() {
                let op = Op::Extract(value.clone(), leaf.path.clone());
                scalar = (leaf.ty, self.emit(op, leaf.ty));
            }
            if let [spot] = leaf.spots.as_slice() {
                pieces.push((*spot, self.extended(scalar, attributes)?));
            } else {
                let halves = self.split(scalar, 64)?;
                pieces.extend(leaf.spots.iter().copied().zip(halves));
            }
        }
        Ok(pieces)
    }

    fn extended(&mut self, value: Typed, attributes: &Attributes) -> Result<Typed> {
        let is_narrow = self
            .types
            .int_width(value.0)
            .is_some_and(|width| width < 64);
        match (is_narrow, attributes.signext, attributes.zeroext) {
            (true, true, _) => self.resized(value, 64, Cast::Sext),
            (true, _, true) => self.resized(value, 64, Cast::Zext),
            _ => Ok(value),
        }
    }

    /// Returns the value made of these scalars, each looked up by its location.
    pub(super) fn assembled(
        &mut self,
        ty: TypeId,
        leaves: &[Leaf],
        find: &mut dyn FnMut(&mut Self, Spot, TypeId) -> Result<Typed>,
    ) -> Result<Value> {
        let mut whole = Value::Const(Const::Zero);
        for leaf in leaves {
            let scalar = if let [spot] = leaf.spots.as_slice() {
                find(self, *spot, leaf.ty)?
            } else {
                let word = self.types.add(Type::Int(64));
                let mut halves = Vec::new();
                for &spot in &leaf.spots {
                    let half = find(self, spot, word)?;
                    halves.push((word, self.convert(half, word)?));
                }
                self.merged(&halves)?
            };
            let scalar = self.convert(scalar, leaf.ty)?;
            if leaf.path.is_empty() {
                return Ok(scalar);
            }
            let op = Op::Insert((ty, whole), (leaf.ty, scalar), leaf.path.clone());
            whole = self.emit(op, ty);
        }
        Ok(whole)
    }
}
