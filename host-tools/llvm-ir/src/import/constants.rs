//! Evaluates constants.

use super::{Importer, Symbol};
use crate::ast::{Binary, Cast, Const, Expression, Module, Value};
use crate::types::{Type, TypeId, Types};
use mir_nostd::target::Target;
use std::collections::HashSet;

/// A scalar constant.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Scalar {
    /// An integer or pointer as its low bits.
    Int(u128),
    /// A `float` or `double` as the bits of a double.
    Double(u64),
    LongDouble(u128),
    /// The address of a symbol plus an offset in bytes.
    Address(String, i64),
    BlockAddress(String, String),
    /// The difference of the addresses of two blocks of a function in 64 bits, the second
    /// subtracted, plus an offset.
    BlockDistance(String, [String; 2], i64),
    /// The difference of two addresses in bytes, the second subtracted, in this number of bits.
    Distance([(String, i64); 2], u32),
}

/// Calls `take` with a constant and each constant in it.
pub(super) fn each<'a>(constant: &'a Const, take: &mut dyn FnMut(&'a Const)) {
    take(constant);
    match constant {
        Const::Aggregate(elements) => elements.iter().for_each(|(_, element)| each(element, take)),
        Const::Expression(expression) => match &**expression {
            Expression::Cast { from, .. } => each(&from.1, take),
            Expression::Address { operands, .. } => {
                operands.iter().for_each(|(_, operand)| each(operand, take));
            }
            Expression::Binary { a, b, .. } | Expression::Compare { a, b, .. } => {
                each(a, take);
                each(b, take);
            }
            Expression::Select {
                condition, a, b, ..
            } => {
                each(condition, take);
                each(a, take);
                each(b, take);
            }
        },
        _ => {}
    }
}

/// Calls `take` with a constant and each constant in it, to be changed.
pub(super) fn each_mut(constant: &mut Const, take: &mut dyn FnMut(&mut Const)) {
    take(constant);
    match constant {
        Const::Aggregate(elements) => {
            let elements = elements.iter_mut();
            elements.for_each(|(_, element)| each_mut(element, take));
        }
        Const::Expression(expression) => match &mut **expression {
            Expression::Cast { from, .. } => each_mut(&mut from.1, take),
            Expression::Address { operands, .. } => {
                let operands = operands.iter_mut();
                operands.for_each(|(_, operand)| each_mut(operand, take));
            }
            Expression::Binary { a, b, .. } | Expression::Compare { a, b, .. } => {
                each_mut(a, take);
                each_mut(b, take);
            }
            Expression::Select {
                condition, a, b, ..
            } => {
                each_mut(condition, take);
                each_mut(a, take);
                each_mut(b, take);
            }
        },
        _ => {}
    }
}

/// Collects the blocks whose address is taken in a constant.
pub(super) fn block_addresses(constant: &Const, found: &mut HashSet<(String, String)>) {
    each(constant, &mut |part| {
        if let Const::BlockAddress(function, block) = part {
            found.insert((function.clone(), block.clone()));
        }
    });
}

/// Returns the names that data and code refer to.
pub(super) fn mentioned(source: &Module) -> HashSet<&str> {
    let mut constants = Vec::new();
    for variable in &source.variables {
        constants.extend(&variable.initializer);
    }
    constants.extend(source.aliases.iter().map(|alias| &alias.aliasee));
    let bodies = source
        .functions
        .iter()
        .filter_map(|function| function.body.as_ref());
    for insn in bodies
        .flat_map(|body| &body.blocks)
        .flat_map(|block| &block.insns)
    {
        insn.op.each_value(&mut |value| {
            if let Value::Const(constant) = value {
                constants.push(constant);
            }
        });
    }
    let mut found = HashSet::new();
    for constant in constants {
        each(constant, &mut |part| {
            if let Const::Global(name) = part {
                found.insert(name.as_str());
            }
        });
    }
    found
}

/// Returns the `float` that the bits of a double hold exactly: a NaN keeps its bits, also one that
/// signals.
pub(super) fn float_of(bits: u64) -> f32 {
    let value = f64::from_bits(bits);
    if !value.is_nan() {
        return value as f32;
    }
    let sign = (bits >> 32) as u32 & 0x8000_0000;
    let fraction = (bits >> 29) as u32 & 0x007f_ffff;
    f32::from_bits(sign | 0x7f80_0000 | fraction)
}

/// Returns the low `width` bits.
pub(super) const fn truncated(value: u128, width: u32) -> u128 {
    if width >= 128 {
        value
    } else {
        value & ((1 << width) - 1)
    }
}

/// Returns the low `width` bits, sign-extended.
pub(super) const fn sign_extended(value: u128, width: u32) -> i128 {
    if width >= 128 {
        value.cast_signed()
    } else {
        let unused = 128 - width;
        (value << unused).cast_signed() >> unused
    }
}

/// The evaluation of constants: it needs the layouts of types only.
#[derive(Clone, Copy)]
pub(super) struct Evaluator<'a> {
    pub(super) types: &'a Types,
    pub(super) target: &'static Target,
}

impl Importer<'_, '_> {
    fn evaluator(&self) -> Evaluator<'_> {
        Evaluator {
            types: &self.source.types,
            target: self.target,
        }
    }

    /// Returns the value of a constant, as [`Evaluator::scalar`] does.
    pub(super) fn scalar(&self, ty: TypeId, constant: &Const) -> Option<Scalar> {
        self.evaluator().scalar(ty, constant)
    }

    /// Returns the value of a constant expression, as [`Evaluator::expression`] does.
    pub(super) fn expression(&self, expression: &Expression) -> Option<Scalar> {
        self.evaluator().expression(expression)
    }

    /// Returns a constant address as a symbol and an offset.
    pub(super) fn resolve_address(&self, constant: &Const) -> Option<(String, i64)> {
        let address = match constant {
            Const::Global(name) => return Some((name.clone(), 0)),
            Const::Expression(expression) => self.expression(expression)?,
            _ => return None,
        };
        match address {
            Scalar::Address(name, offset) => Some((name, offset)),
            _ => None,
        }
    }

    /// Returns the item of a symbol and an offset from its start.
    pub(super) fn symbol(&self, name: &str) -> Option<Symbol> {
        self.symbols.get(name).cloned()
    }
}

impl Evaluator<'_> {
    /// Returns the value of a constant of a scalar type; `None` if it cannot be known before the
    /// program runs.
    pub(super) fn scalar(&self, ty: TypeId, constant: &Const) -> Option<Scalar> {
        Some(match constant {
            &Const::Int(value) => {
                let width = self.types.int_width(ty).unwrap_or(64);
                Scalar::Int(truncated(value, width))
            }
            &Const::Double(bits) => Scalar::Double(bits),
            &Const::LongDouble(bits) => Scalar::LongDouble(bits),
            Const::Zero => match self.types.get(ty) {
                Type::Float | Type::Double => Scalar::Double(0),
                Type::X86Fp80 | Type::Fp128 | Type::PpcFp128 => Scalar::LongDouble(0),
                _ => Scalar::Int(0),
            },
            Const::Global(name) => Scalar::Address(name.clone(), 0),
            Const::BlockAddress(function, block) => {
                Scalar::BlockAddress(function.clone(), block.clone())
            }
            Const::Expression(expression) => self.expression(expression)?,
            Const::Bytes(_) | Const::Aggregate(_) | Const::Long(_) | Const::Assembly(_) => {
                return None;
            }
        })
    }

    /// Returns the value of a constant expression, as [`Importer::scalar`].
    pub(super) fn expression(&self, expression: &Expression) -> Option<Scalar> {
        match expression {
            Expression::Cast {
                cast,
                from: (ty, value),
                to,
            } => {
                let value = self.scalar(*ty, value)?;
                let value = match (cast, value, self.types.int_width(*ty)) {
                    (Cast::Trunc | Cast::Zext | Cast::Bits, value, _) => value,
                    (Cast::Sext, Scalar::Int(value), Some(width)) => {
                        Scalar::Int(sign_extended(value, width).cast_unsigned())
                    }
                    // Conversions of floats are left to the program.
                    _ => return None,
                };
                match (value, self.types.int_width(*to)) {
                    (Scalar::Int(value), Some(width)) => Some(Scalar::Int(truncated(value, width))),
                    (Scalar::Double(bits), Some(64)) => Some(Scalar::Int(bits.into())),
                    (Scalar::Double(bits), Some(32)) => {
                        let bits = float_of(bits).to_bits();
                        Some(Scalar::Int(bits.into()))
                    }
                    (Scalar::LongDouble(bits), Some(128)) => {
                        let value = mir_nostd::num::LongDouble(bits);
                        let bytes = self.target.long_double.to_bytes(value, false);
                        Some(Scalar::Int(u128::from_le_bytes(bytes)))
                    }
                    (Scalar::Double(_) | Scalar::LongDouble(_), _) => None,
                    (
                        Scalar::Address(..) | Scalar::BlockAddress(..) | Scalar::BlockDistance(..),
                        Some(width),
                    ) if width != 64 => None,
                    (Scalar::Distance(ends, _), Some(width)) => Some(Scalar::Distance(ends, width)),
                    (value, _) => Some(value),
                }
            }
            Expression::Address {
                element, operands, ..
            } => self.constant_address(*element, operands),
            Expression::Binary { op, ty, a, b } => {
                let width = self.types.int_width(*ty)?;
                binary(*op, width, self.scalar(*ty, a)?, self.scalar(*ty, b)?)
            }
            Expression::Compare { .. } | Expression::Select { .. } => None,
        }
    }

    fn constant_address(&self, element: TypeId, operands: &[(TypeId, Const)]) -> Option<Scalar> {
        let ((base_type, base), indices) = operands.split_first()?;
        let mut offset = 0_i64;
        let mut ty = element;
        for (number, (index_type, index)) in indices.iter().enumerate() {
            let Scalar::Int(index) = self.scalar(*index_type, index)? else {
                return None;
            };
            let width = self.types.int_width(*index_type)?;
            let index = sign_extended(index, width) as i64;
            let step = if number == 0 {
                i64::try_from(self.types.extent(ty)?.size)
                    .ok()?
                    .wrapping_mul(index)
            } else {
                let step = self.member_offset(ty, index)?;
                ty = self.types.element(ty, index.cast_unsigned())?;
                step
            };
            offset = offset.wrapping_add(step);
        }
        match self.scalar(*base_type, base)? {
            Scalar::Int(base) => Some(Scalar::Int(truncated(
                base.wrapping_add(i128::from(offset).cast_unsigned()),
                64,
            ))),
            Scalar::Address(name, base) => Some(Scalar::Address(name, base.wrapping_add(offset))),
            _ => None,
        }
    }

    /// Returns the offset in bytes of an element of an aggregate; an index may be beyond an array's
    /// end.
    fn member_offset(&self, ty: TypeId, index: i64) -> Option<i64> {
        let types = &self.types;
        if let Type::Array(_, element) | Type::Vector(_, element) = *types.get(ty) {
            return Some(
                i64::try_from(types.extent(element)?.size)
                    .ok()?
                    .wrapping_mul(index),
            );
        }
        types
            .offset(ty, u64::try_from(index).ok()?)?
            .try_into()
            .ok()
    }
}

/// Evaluates an operation on constants.
fn binary(op: Binary, width: u32, a: Scalar, b: Scalar) -> Option<Scalar> {
    match (op, a, b) {
        (_, Scalar::Int(a), Scalar::Int(b)) => {
            let value = match op {
                Binary::Add => a.wrapping_add(b),
                Binary::Sub => a.wrapping_sub(b),
                Binary::Mul => a.wrapping_mul(b),
                Binary::And => a & b,
                Binary::Or => a | b,
                Binary::Xor => a ^ b,
                Binary::Shl => a.checked_shl(u32::try_from(b).ok()?)?,
                Binary::Lshr => a.checked_shr(u32::try_from(b).ok()?)?,
                _ => return None,
            };
            Some(Scalar::Int(truncated(value, width)))
        }
        (Binary::Add, Scalar::Address(name, offset), Scalar::Int(by))
        | (Binary::Add, Scalar::Int(by), Scalar::Address(name, offset)) => {
            Some(Scalar::Address(name, offset.wrapping_add(by as i64)))
        }
        (Binary::Sub, Scalar::Address(name, offset), Scalar::Int(by)) => {
            Some(Scalar::Address(name, offset.wrapping_sub(by as i64)))
        }
        (Binary::Sub, Scalar::BlockAddress(f, a), Scalar::BlockAddress(g, b)) if f == g => {
            if a == b {
                return Some(Scalar::Int(0));
            }
            (width == 64).then_some(Scalar::BlockDistance(f, [a, b], 0))
        }
        (Binary::Add, Scalar::BlockDistance(f, ends, offset), Scalar::Int(by))
        | (Binary::Add, Scalar::Int(by), Scalar::BlockDistance(f, ends, offset)) => Some(
            Scalar::BlockDistance(f, ends, offset.wrapping_add(by as i64)),
        ),
        (Binary::Sub, Scalar::Address(a, from), Scalar::Address(b, to)) if a == b => {
            let difference = i128::from(from.wrapping_sub(to)).cast_unsigned();
            Some(Scalar::Int(truncated(difference, width)))
        }
        (Binary::Sub, Scalar::Address(a, from), Scalar::Address(b, to)) => {
            Some(Scalar::Distance([(a, from), (b, to)], width))
        }
        _ => None,
    }
}
