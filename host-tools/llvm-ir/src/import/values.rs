//! Values as operands, and extensions of integers to the width that an operation needs.
//!
//! An integer of fewer than 64 bits is in the low bits of its register; the upper bits are
//! undefined. An integer of one bit is always 0 or 1.

use super::constants::{Scalar, float_of, sign_extended, truncated};
use super::function::Lower;
use super::parts::Kind;
use crate::ast::{Const, Value};
use crate::error::Result;
use crate::types::{Type, TypeId};
use mir_nostd::ir::{Code, ItemId, Operand, Reg};

/// The location of a part of a value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Held {
    Reg(Reg),
    /// An integer, sign-extended.
    Int(i64),
    /// Another constant.
    Constant(Operand),
    /// The address in a register plus an offset in bytes.
    Address(Reg, i64),
    /// An address that only loads and stores use: base, index, what the index is multiplied by, and
    /// an offset in bytes.
    Element(Reg, Reg, u8, i64),
    /// The address of an item plus an offset in bytes.
    Item(ItemId, i64),
}

impl Lower<'_, '_, '_> {
    /// Returns the parts of an operand.
    pub(super) fn value(&mut self, ty: TypeId, value: &Value) -> Result<Vec<Held>> {
        match value {
            Value::Local(local) => {
                if let Some(held) = &self.held[local.0 as usize] {
                    return Ok(held.clone());
                }
                if self.deferred.contains_key(local) {
                    return self.unsupported("a comparison used out of order");
                }
                let regs = self.pinned_regs(*local)?;
                Ok(regs.into_iter().map(Held::Reg).collect())
            }
            Value::Const(constant) => self.constant(ty, constant),
            Value::Metadata => self.unsupported("metadata as a value"),
        }
    }

    /// Returns the only part of an operand.
    pub(super) fn single(&mut self, ty: TypeId, value: &Value) -> Result<Held> {
        match self.value(ty, value)?.as_slice() {
            [held] => Ok(*held),
            _ => {
                let name = self.importer.source.types.name(ty);
                self.unsupported(format!("this operation on {name}"))
            }
        }
    }

    /// Returns the only part of an operand that is a pointer.
    pub(super) fn pointer(&mut self, value: &Value) -> Result<Held> {
        match value {
            Value::Local(_) => {
                let held = self.untyped(value)?;
                Ok(held)
            }
            Value::Const(constant) => self.constant_pointer(constant),
            Value::Metadata => self.unsupported("metadata as a value"),
        }
    }

    fn untyped(&mut self, value: &Value) -> Result<Held> {
        let Value::Local(local) = value else {
            return self.unsupported("this pointer");
        };
        let held = match &self.held[local.0 as usize] {
            Some(held) => held.first().copied(),
            None => self.pinned_regs(*local)?.first().map(|&reg| Held::Reg(reg)),
        };
        match held {
            Some(held) => Ok(held),
            None => self.unsupported("this pointer"),
        }
    }

    fn constant_pointer(&mut self, constant: &Const) -> Result<Held> {
        let scalar = match constant {
            Const::Zero => Some(Scalar::Int(0)),
            Const::Global(name) => Some(Scalar::Address(name.clone(), 0)),
            Const::BlockAddress(function, block) => {
                Some(Scalar::BlockAddress(function.clone(), block.clone()))
            }
            Const::Expression(expression) => self.importer.expression(expression),
            _ => None,
        };
        match scalar {
            Some(scalar) => self.scalar(scalar, Kind::Int(64)),
            None => self.unsupported("this constant"),
        }
    }

    fn constant(&mut self, ty: TypeId, constant: &Const) -> Result<Vec<Held>> {
        let parts = self.importer.parts(ty, self.place)?;
        let types = &self.importer.source.types;
        match constant {
            Const::Zero => {
                return Ok(parts.iter().map(|part| self.zero(part.kind)).collect());
            }
            Const::Aggregate(elements) => {
                let mut held = Vec::with_capacity(parts.len());
                for (element_type, element) in elements {
                    held.extend(self.constant(*element_type, element)?);
                }
                return if held.len() == parts.len() {
                    Ok(held)
                } else {
                    self.unsupported("this constant")
                };
            }
            Const::Long(words) if words.len() == parts.len() => {
                let mut held = Vec::with_capacity(words.len());
                for (&word, part) in words.iter().zip(parts.iter()) {
                    held.push(self.scalar(Scalar::Int(word.into()), part.kind)?);
                }
                return Ok(held);
            }
            Const::Bytes(bytes) if matches!(types.get(ty), Type::Array(..)) => {
                return Ok(bytes
                    .iter()
                    .map(|&byte| Held::Int(i64::from(byte)))
                    .collect());
            }
            _ => {}
        }
        let Some(scalar) = self.importer.scalar(ty, constant) else {
            return self.unsupported("this constant");
        };
        match (&*parts, scalar) {
            ([part], scalar) => Ok(vec![self.scalar(scalar, part.kind)?]),
            ([_, _, ..], Scalar::Int(value)) => {
                let words = (0..parts.len()).map(|word| value.checked_shr(64 * word as u32));
                let words = words.map(|word| word.unwrap_or(0) as u64);
                Ok(words.map(|word| Held::Int(word.cast_signed())).collect())
            }
            _ => self.unsupported("this constant"),
        }
    }

    pub(super) fn zero(&self, kind: Kind) -> Held {
        match kind {
            Kind::Int(_) => Held::Int(0),
            Kind::Float => Held::Constant(Operand::Float(0.0)),
            Kind::Double => Held::Constant(Operand::Double(0.0)),
            Kind::LongDouble => Held::Constant(Operand::LongDouble(0)),
        }
    }

    fn scalar(&mut self, scalar: Scalar, kind: Kind) -> Result<Held> {
        Ok(match (scalar, kind) {
            (Scalar::Int(value), Kind::Int(1)) => Held::Int((value & 1) as i64),
            (Scalar::Int(value), Kind::Int(width)) => Held::Int(sign_extended(value, width) as i64),
            (Scalar::Double(bits), Kind::Double) => {
                Held::Constant(Operand::Double(f64::from_bits(bits)))
            }
            (Scalar::Double(bits), Kind::Float) => Held::Constant(Operand::Float(float_of(bits))),
            (Scalar::LongDouble(bits), Kind::LongDouble) => {
                Held::Constant(Operand::LongDouble(bits))
            }
            (Scalar::Address(name, offset), Kind::Int(_)) => {
                let Some(symbol) = self.importer.symbol(&name) else {
                    return Err(self.place.error(format!("@{name} is not defined")));
                };
                Held::Item(symbol.item, symbol.offset.wrapping_add(offset))
            }
            (Scalar::BlockAddress(function, block), Kind::Int(_)) => {
                self.block_address(&function, &block)?
            }
            _ => return self.unsupported("this constant"),
        })
    }

    fn block_address(&mut self, function: &str, block: &str) -> Result<Held> {
        let number = self.body.block_names.iter().position(|name| name == block);
        match number.filter(|_| function == self.function.name) {
            Some(number) => {
                let reg = self.temp(Kind::Int(64))?;
                self.emit(Code::Laddr, (reg, self.labels[number]))?;
                Ok(Held::Reg(reg))
            }
            None => self.unsupported("the address of a block of another function"),
        }
    }

    /// Returns an operand for a part: a register, or a constant if instructions accept one.
    pub(super) fn operand(&mut self, held: Held) -> Result<Operand> {
        Ok(match held {
            Held::Reg(reg) => Operand::Reg(reg),
            Held::Int(value) => Operand::Int(value),
            Held::Constant(operand) => operand,
            Held::Item(item, 0) => Operand::Item(item),
            Held::Address(reg, 0) => Operand::Reg(reg),
            Held::Address(..) | Held::Element(..) | Held::Item(..) => {
                Operand::Reg(self.address_register(held)?)
            }
        })
    }

    /// Returns a register that holds a part that is an integer or pointer.
    pub(super) fn register(&mut self, held: Held) -> Result<Reg> {
        match held {
            Held::Reg(reg) | Held::Address(reg, 0) => Ok(reg),
            Held::Int(_) => {
                let reg = self.temp(Kind::Int(64))?;
                let operand = self.operand(held)?;
                self.emit(Code::Mov, (reg, operand))?;
                Ok(reg)
            }
            Held::Constant(operand) => {
                let (kind, code) = match operand {
                    Operand::Float(_) => (Kind::Float, Code::Fmov),
                    Operand::Double(_) => (Kind::Double, Code::Dmov),
                    _ => (Kind::LongDouble, Code::Ldmov),
                };
                let reg = self.temp(kind)?;
                self.emit(code, (reg, operand))?;
                Ok(reg)
            }
            Held::Address(..) | Held::Element(..) | Held::Item(..) => self.address_register(held),
        }
    }

    fn address_register(&mut self, held: Held) -> Result<Reg> {
        let reg = self.temp(Kind::Int(64))?;
        match held {
            Held::Address(base, disp) => self.emit(Code::Add, (reg, base, disp))?,
            Held::Element(base, index, scale, disp) => {
                self.emit(Code::Mul, (reg, index, i64::from(scale)))?;
                self.emit(Code::Add, (reg, reg, base))?;
                self.emit(Code::Add, (reg, reg, disp))?;
            }
            Held::Item(item, 0) => self.emit(Code::Mov, (reg, item))?,
            Held::Item(item, disp) => self.emit(Code::Add, (reg, item, disp))?,
            _ => {}
        }
        Ok(reg)
    }

    /// Returns an integer of `width` bits, zero-extended to 64 bits.
    pub(super) fn zero_extended(&mut self, held: Held, width: u32) -> Result<Operand> {
        if let Held::Int(value) = held {
            let bits = truncated(i128::from(value).cast_unsigned(), width);
            return Ok(Operand::Int((bits as u64).cast_signed()));
        }
        let operand = self.operand(held)?;
        if width >= 64 {
            return Ok(operand);
        }
        if let Operand::Reg(reg) = operand
            && self
                .zero_above
                .get(&reg)
                .is_some_and(|&above| above <= width)
        {
            return Ok(operand);
        }
        let reg = self.temp(Kind::Int(64))?;
        match width {
            8 => self.emit(Code::Uext8, (reg, operand))?,
            16 => self.emit(Code::Uext16, (reg, operand))?,
            32 => self.emit(Code::Uext32, (reg, operand))?,
            _ => self.emit(
                Code::And,
                (reg, operand, ((1_u64 << width) - 1).cast_signed()),
            )?,
        }
        self.zero_above.insert(reg, width);
        Ok(Operand::Reg(reg))
    }

    /// Returns an integer of `width` bits, sign-extended to 64 bits.
    pub(super) fn sign_extended(&mut self, held: Held, width: u32) -> Result<Operand> {
        if let Held::Int(value) = held {
            let value = sign_extended(i128::from(value).cast_unsigned(), width);
            return Ok(Operand::Int(value as i64));
        }
        let operand = self.operand(held)?;
        if width >= 64 {
            return Ok(operand);
        }
        if let Operand::Reg(reg) = operand {
            let sign = self
                .sign_above
                .get(&reg)
                .is_some_and(|&above| above <= width);
            if sign
                || self
                    .zero_above
                    .get(&reg)
                    .is_some_and(|&above| above < width)
            {
                return Ok(operand);
            }
        }
        let reg = self.temp(Kind::Int(64))?;
        match width {
            8 => self.emit(Code::Ext8, (reg, operand))?,
            16 => self.emit(Code::Ext16, (reg, operand))?,
            32 => self.emit(Code::Ext32, (reg, operand))?,
            _ => {
                let unused = i64::from(64 - width);
                self.emit(Code::Lsh, (reg, operand, unused))?;
                self.emit(Code::Rsh, (reg, reg, unused))?;
            }
        }
        self.sign_above.insert(reg, width);
        Ok(Operand::Reg(reg))
    }

    pub(super) fn extended(&mut self, held: Held, width: u32, signed: bool) -> Result<Operand> {
        if signed {
            self.sign_extended(held, width)
        } else {
            self.zero_extended(held, width)
        }
    }
}
