//! Calling conventions: what clang has spelled out for a target, as arguments and results of Medium IR.

use super::parts::Kind;
use super::{Importer, broken};
use crate::ast::Attributes;
use crate::error::{Place, Result};
use crate::types::{Type, TypeId};
use mir_nostd::ir::{ArgSpec, ItemId, Mem, Operand, Reg, SignatureSpec, Type as MediumType};

/// How one argument of Medium IR is passed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Passed {
    pub(super) ty: MediumType,
    /// Bytes, of a block.
    pub(super) size: u32,
    pub(super) form: Form,
}

/// What an argument holds of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Form {
    /// One part.
    Part,
    /// What the pointer points to: the one part is the address.
    Pointee,
    /// All parts, each in a word of its own of the block.
    Words,
    /// Two floats in a double.
    TwoFloats,
}

impl Passed {
    const fn part(ty: MediumType) -> Passed {
        Passed {
            ty,
            size: 0,
            form: Form::Part,
        }
    }

    /// The operand of a call for what a register holds: the value, or the address of a block.
    pub(super) fn operand(&self, reg: Reg) -> Operand {
        if self.ty.is_block() {
            return Operand::Mem(Mem::new(self.ty, i64::from(self.size), reg));
        }
        Operand::Reg(reg)
    }
}

/// What makes two prototypes the same.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct ProtoKey {
    results: Vec<MediumType>,
    args: Vec<Passed>,
    vararg: bool,
}

/// The type in which an integer of some bits is passed.
fn int_type(width: u32, attributes: &Attributes) -> MediumType {
    let unsigned = attributes.zeroext;
    match (width, unsigned) {
        (..=8, true) => MediumType::U8,
        (..=8, false) if width == 1 && !attributes.signext => MediumType::U8,
        (..=8, false) => MediumType::I8,
        (..=16, true) => MediumType::U16,
        (..=16, false) => MediumType::I16,
        (..=32, true) => MediumType::U32,
        (..=32, false) => MediumType::I32,
        _ => MediumType::I64,
    }
}

fn part_type(kind: Kind, attributes: &Attributes) -> MediumType {
    match kind {
        Kind::Int(width) => int_type(width, attributes),
        Kind::Float => MediumType::F,
        Kind::Double => MediumType::D,
        Kind::LongDouble => MediumType::Ld,
    }
}

/// The types of the results of a function that gives a value of this type.
pub(super) fn results_of(
    importer: &mut Importer<'_, '_>,
    ty: TypeId,
    attributes: &Attributes,
    place: Place,
) -> Result<Vec<MediumType>> {
    let forms = importer.pass_value(ty, attributes, place)?;
    Ok(forms.iter().map(|passed| passed.ty).collect())
}

impl Importer<'_, '_> {
    /// How a parameter is passed: one argument or several.
    pub(super) fn pass(
        &mut self,
        ty: TypeId,
        attributes: &Attributes,
        place: Place,
    ) -> Result<Vec<Passed>> {
        if let Some(pointee) = attributes.byval.or(attributes.sret) {
            let is_result = attributes.sret.is_some();
            let extent = self.source.types.extent(pointee);
            let size = extent.and_then(|extent| u32::try_from(extent.size).ok());
            let size =
                size.ok_or_else(|| place.error("the size of what is passed is not known"))?;
            return Ok(vec![Passed {
                ty: if is_result {
                    MediumType::Rblk
                } else {
                    MediumType::Blk0
                },
                size,
                form: Form::Pointee,
            }]);
        }
        if let Some(words) = self.words_together(ty) {
            return Ok(vec![Passed {
                ty: MediumType::Blk0,
                size: words * 8,
                form: Form::Words,
            }]);
        }
        self.pass_value(ty, attributes, place)
    }

    /// How many words of an array go to registers together or not at all: structures on aarch64.
    fn words_together(&self, ty: TypeId) -> Option<u32> {
        let types = &self.source.types;
        let &Type::Array(count @ 2, element) = types.get(ty) else {
            return None;
        };
        let is_word = types.int_width(element) == Some(64);
        (is_word && self.target.name == "aarch64").then_some(count as u32)
    }

    /// How a value is passed part by part: results, and most arguments.
    pub(super) fn pass_value(
        &mut self,
        ty: TypeId,
        attributes: &Attributes,
        place: Place,
    ) -> Result<Vec<Passed>> {
        // Refuses what cannot be expressed: all vectors but one.
        let parts = self.parts(ty, place)?;
        let types = &self.source.types;
        match types.get(ty) {
            Type::Vector(..) => {
                return Ok(vec![Passed {
                    ty: MediumType::D,
                    size: 0,
                    form: Form::TwoFloats,
                }]);
            }
            Type::Struct { fields, .. } => {
                let mut passed = Vec::new();
                for field in fields.clone() {
                    passed.extend(self.pass_value(field, &Attributes::default(), place)?);
                }
                return Ok(passed);
            }
            _ => {}
        }
        Ok(parts
            .iter()
            .map(|part| Passed::part(part_type(part.kind, attributes)))
            .collect())
    }

    /// The prototype of calls with these results and arguments.
    pub(super) fn proto(
        &mut self,
        results: &[MediumType],
        args: &[Passed],
        vararg: bool,
        place: Place,
    ) -> Result<ItemId> {
        let key = ProtoKey {
            results: results.to_vec(),
            args: args.to_vec(),
            vararg,
        };
        self.proto_of(key, place)
    }

    pub(super) fn proto_of(&mut self, key: ProtoKey, place: Place) -> Result<ItemId> {
        if let Some(&known) = self.protos.get(&key) {
            return Ok(known);
        }
        let names: Vec<String> = (0..key.args.len())
            .map(|number| format!("a{number}"))
            .collect();
        let specs: Vec<ArgSpec<'_>> = key
            .args
            .iter()
            .zip(&names)
            .map(|(arg, name)| arg.spec(name))
            .collect();
        let spec = SignatureSpec {
            results: &key.results,
            args: &specs,
            vararg: key.vararg,
        };
        let name = format!("$p{}", self.protos.len() + 1);
        let item = self
            .module
            .proto(name.as_bytes(), spec)
            .map_err(broken(place))?;
        self.needed.protos.push(key.clone());
        self.protos.insert(key, item);
        Ok(item)
    }
}
