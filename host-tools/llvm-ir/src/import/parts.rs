//! The scalar parts of a type, each of which has a register.

use super::Importer;
use crate::error::{Result, SourcePosition};
use crate::types::{DEPTH, LONGEST, Type, TypeId};
use mir_nostd::num::LongDoubleFormat;
use std::collections::HashMap;
use std::rc::Rc;

/// The kind of a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// An integer of 1 to 64 bits, or a pointer.
    Int(u32),
    Float,
    Double,
    LongDouble,
}

/// A part and its offset in memory from the value's start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Part {
    pub(super) kind: Kind,
    pub(super) offset: u64,
}

/// A cache of the parts of types.
#[derive(Default)]
pub(super) struct PartsCache {
    known: HashMap<TypeId, Rc<[Part]>>,
}

/// The offset of an element of a vector that is not whole bytes: it cannot be accessed on its own.
pub(super) const NOWHERE: u64 = u64::MAX;

/// The limit on the parts of a value; larger ones belong in memory.
const MOST: usize = 1024;

impl Importer<'_, '_> {
    /// Returns the parts of a type, in the order of its elements; of a wide integer the low half
    /// first.
    pub(super) fn parts(&mut self, ty: TypeId, place: SourcePosition) -> Result<Rc<[Part]>> {
        if let Some(known) = self.parts.known.get(&ty) {
            return Ok(Rc::clone(known));
        }
        let mut parts = Vec::new();
        self.add_parts(ty, 0, DEPTH, &mut parts, place)?;
        let parts: Rc<[Part]> = parts.into();
        self.parts.known.insert(ty, Rc::clone(&parts));
        Ok(parts)
    }

    fn add_parts(
        &self,
        ty: TypeId,
        offset: u64,
        depth: u32,
        parts: &mut Vec<Part>,
        place: SourcePosition,
    ) -> Result<()> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(self.inexpressible(ty, place));
        };
        let (types, long_double) = (&self.source.types, self.target.long_double);
        let mut add = |kind, offset| parts.push(Part { kind, offset });
        match *types.get(ty) {
            Type::Void => {}
            Type::Int(width @ 1..=64) => add(Kind::Int(width), offset),
            Type::Int(width @ 65..=LONGEST) => {
                parts.extend(parts_of_long(width, offset, types.layout.big_endian));
            }
            Type::Ptr => add(Kind::Int(64), offset),
            Type::Half | Type::BFloat => add(Kind::Int(16), offset),
            Type::Float => add(Kind::Float, offset),
            Type::Double => add(Kind::Double, offset),
            Type::X86Fp80 if long_double == LongDoubleFormat::X87 => {
                add(Kind::LongDouble, offset);
            }
            Type::Fp128 if long_double == LongDoubleFormat::Quad => add(Kind::LongDouble, offset),
            Type::PpcFp128 if long_double == LongDoubleFormat::DoubleDouble => {
                add(Kind::LongDouble, offset);
            }
            Type::Array(..) | Type::Struct { .. } | Type::Vector(..) => {
                let count = types.count(ty).unwrap_or(0);
                if count > MOST as u64 {
                    return Err(too_many(place));
                }
                for index in 0..count {
                    let (element, at) = (types.element(ty, index), types.offset(ty, index));
                    let (Some(element), Some(at)) = (element, at) else {
                        return Err(self.inexpressible(ty, place));
                    };
                    if parts.len() > MOST {
                        return Err(too_many(place));
                    }
                    let at = if types.is_packed(ty) {
                        NOWHERE
                    } else {
                        offset + at
                    };
                    self.add_parts(element, at, depth, parts, place)?;
                }
            }
            _ => return Err(self.inexpressible(ty, place)),
        }
        Ok(())
    }

    fn inexpressible(&self, ty: TypeId, place: SourcePosition) -> crate::error::Error {
        let name = self.source.types.name(ty);
        place.error(match self.source.types.get(ty) {
            Type::Int(_) => format!(
                "integers of more than {LONGEST} bits ({name}) cannot be expressed in Medium IR"
            ),
            _ => format!(
                "the type {name} cannot be expressed in Medium IR for {}",
                self.target.name
            ),
        })
    }

    /// Returns the parts of an element of a value: the index of the first, and the number.
    pub(super) fn member_parts(
        &mut self,
        ty: TypeId,
        indices: &[u64],
        place: SourcePosition,
    ) -> Result<(usize, usize, TypeId)> {
        let (mut first, mut ty) = (0, ty);
        for &index in indices {
            for before in 0..index.min(MOST as u64) {
                let Some(element) = self.source.types.element(ty, before) else {
                    break;
                };
                first += self.parts(element, place)?.len();
            }
            let element = self.source.types.element(ty, index);
            ty = element.ok_or_else(|| place.error("there is no such element"))?;
        }
        Ok((first, self.parts(ty, place)?.len(), ty))
    }
}

/// Returns the parts of an integer of more than 64 bits, the low one first.
fn parts_of_long(width: u32, offset: u64, big_endian: bool) -> impl Iterator<Item = Part> {
    let bytes = u64::from(width.div_ceil(8));
    (0..width.div_ceil(64)).map(move |number| {
        let bits = (width - 64 * number).min(64);
        let from_low = 8 * u64::from(number);
        let at = if big_endian {
            bytes - from_low - u64::from(bits.div_ceil(8))
        } else {
            from_low
        };
        let (kind, offset) = (Kind::Int(bits), offset + at);
        Part { kind, offset }
    })
}

fn too_many(place: SourcePosition) -> crate::error::Error {
    place.error("a value of so many elements cannot be expressed in Medium IR")
}
