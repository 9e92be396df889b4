//! Imports global variables as data.

use super::constants::{Scalar, block_addresses, float_of};
use super::parts::Kind;
use super::results::Returned;
use super::signature::{Arguments, Passed};
use super::{Importer, broken, plain_name};
use crate::ast::{Alias, Const, Variable};
use crate::error::{Result, SourcePosition};
use crate::types::{Type, TypeId};
use mir_nostd::ir::{
    Alignments, ArgSpec, Code, ItemId, Label, Operand, SignatureSpec, Type as MediumType,
};
use std::collections::HashSet;

/// The limit on the offset of a variable's last non-zero byte.
const LARGEST: u64 = 1 << 26;

/// The initial memory of a variable.
struct Image {
    bytes: Vec<u8>,
    /// Addresses that are only known at link time, by ascending offset.
    addresses: Vec<(usize, Scalar)>,
    /// The length; the rest after the bytes is zero.
    size: u64,
}

impl Importer<'_, '_> {
    pub(super) fn variable(&mut self, variable: &Variable) -> Result<()> {
        let Some(initializer) = &variable.initializer else {
            return Ok(());
        };
        let place = variable.place;
        let name = plain_name(&variable.name);
        let extent = self.source.types.extent(variable.ty);
        let Some(extent) = extent else {
            let ty = self.source.types.name(variable.ty);
            return Err(place.error(format!(
                "@{}: the type {ty} has no size that can be expressed",
                variable.name
            )));
        };
        // Even a variable of size 0 has an address.
        let size = extent.size.max(1);
        if *initializer == Const::Zero {
            self.align(variable, &name)?;
            self.module.bss(Some(&name), size).map_err(broken(place))?;
            return Ok(());
        }
        let mut image = Image {
            bytes: Vec::new(),
            addresses: Vec::new(),
            size,
        };
        self.lay_out(variable.ty, initializer, 0, &mut image, place)?;
        // The functions that return distances come before the items, which must be consecutive.
        self.distances(&image, place)?;
        self.align(variable, &name)?;
        self.write(&name, &image, place)
    }

    /// Adds the item that says how a variable is aligned, if it is more than data are without one.
    fn align(&mut self, variable: &Variable, name: &[u8]) -> Result<()> {
        if variable.align <= u64::from(Alignments::USUAL) {
            return Ok(());
        }
        let place = variable.place;
        if variable.align > u64::from(Alignments::LARGEST) {
            return Err(place.error(format!(
                "@{}: an alignment of {} is more than {}",
                variable.name,
                variable.align,
                Alignments::LARGEST
            )));
        }
        let head = [format!(".align.{}.", variable.align).as_bytes(), name].concat();
        self.module.bss(Some(&head), 0).map_err(broken(place))?;
        Ok(())
    }

    /// Writes a constant into an image.
    fn lay_out(
        &self,
        ty: TypeId,
        constant: &Const,
        at: u64,
        image: &mut Image,
        place: SourcePosition,
    ) -> Result<()> {
        let misfit = || place.error("the initialiser does not fit its type, or is too large");
        let put = match constant {
            Const::Zero => Some(()),
            Const::Bytes(bytes) => image.put(at, bytes),
            Const::Long(words) => image.put(at, &self.long_bytes(ty, words)),
            Const::Aggregate(elements) if self.source.types.is_packed(ty) => {
                self.put_packed(ty, elements, at, image)
            }
            Const::Aggregate(elements) => {
                for (index, (element_type, element)) in elements.iter().enumerate() {
                    let offset = self.source.types.offset(ty, index as u64);
                    let at = offset
                        .and_then(|offset| at.checked_add(offset))
                        .ok_or_else(misfit)?;
                    self.lay_out(*element_type, element, at, image, place)?;
                }
                Some(())
            }
            _ => {
                let value = self.scalar(ty, constant);
                let value = value.ok_or_else(|| place.error(inexpressible(constant)))?;
                self.put_scalar(ty, value, at, image)
            }
        };
        put.ok_or_else(misfit)
    }

    /// Writes a vector of elements that are no whole bytes: the integer of their bits.
    fn put_packed(
        &self,
        ty: TypeId,
        elements: &[(TypeId, Const)],
        at: u64,
        image: &mut Image,
    ) -> Option<()> {
        let types = &self.source.types;
        let bits = usize::try_from(types.bits(ty)?).ok()?;
        let mut bytes = vec![0_u8; bits.div_ceil(8)];
        for (number, (element_type, element)) in elements.iter().enumerate() {
            let width = types.int_width(*element_type)? as usize;
            let Scalar::Int(value) = self.scalar(*element_type, element)? else {
                return None;
            };
            let lowest = match types.layout.big_endian {
                true => bits.checked_sub((number + 1) * width)?,
                false => number * width,
            };
            for bit in (0..width).filter(|bit| value >> bit & 1 == 1) {
                *bytes.get_mut((lowest + bit) / 8)? |= 1 << ((lowest + bit) % 8);
            }
        }
        if types.layout.big_endian {
            bytes.reverse();
        }
        image.put(at, &bytes)
    }

    /// Returns the bytes of an integer of more than 64 bits in the order of the target's memory.
    fn long_bytes(&self, ty: TypeId, words: &[u64]) -> Vec<u8> {
        let types = &self.source.types;
        let width = types.int_width(ty).unwrap_or(0);
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(width.div_ceil(8) as usize);
        if types.layout.big_endian {
            bytes.reverse();
        }
        bytes
    }

    /// Writes a scalar into an image; `None` if it does not fit there or its type.
    fn put_scalar(&self, ty: TypeId, value: Scalar, at: u64, image: &mut Image) -> Option<()> {
        let types = &self.source.types;
        let big_endian = types.layout.big_endian;
        match (value, types.get(ty)) {
            (Scalar::Int(value), Type::Int(width)) => {
                image.put_int(at, value, width.div_ceil(8) as usize, big_endian)
            }
            (Scalar::Int(value), Type::Half | Type::BFloat) => {
                image.put_int(at, value, 2, big_endian)
            }
            (Scalar::Int(value), Type::Ptr) => image.put_int(at, value, 8, big_endian),
            (Scalar::Double(bits), Type::Double) => {
                image.put_int(at, u128::from(bits), 8, big_endian)
            }
            (Scalar::Double(bits), Type::Float) => {
                let bits = float_of(bits).to_bits();
                image.put_int(at, u128::from(bits), 4, big_endian)
            }
            (Scalar::LongDouble(bits), _) => {
                let value = mir_nostd::num::LongDouble(bits);
                let bytes = self.target.long_double.to_bytes(value, big_endian);
                let size = types.extent(ty).map_or(16, |extent| extent.size) as usize;
                image.put(at, &bytes[..size.min(16)])
            }
            (
                address @ (Scalar::Address(..) | Scalar::BlockAddress(..)),
                Type::Ptr | Type::Int(64),
            ) => image.put_address(at, address),
            (distance @ Scalar::BlockDistance(..), Type::Int(64))
            | (distance @ Scalar::Distance(_, 32 | 64), Type::Int(_)) => {
                image.put_address(at, distance)
            }
            _ => None,
        }
    }

    /// Writes the items of a variable: the first has its name, the others follow it in memory.
    fn write(&mut self, name: &[u8], image: &Image, place: SourcePosition) -> Result<()> {
        let mut name = Some(name);
        let mut at = 0;
        for (offset, address) in &image.addresses {
            let before = image.bytes.get(at..*offset).unwrap_or_default();
            let head = if before.is_empty() { None } else { name.take() };
            self.write_bytes(head, before, place)?;
            match address {
                Scalar::Address(symbol, disp) => {
                    let known = self.symbol(symbol);
                    let known =
                        known.ok_or_else(|| place.error(format!("@{symbol} is not defined")))?;
                    let disp = known.offset.wrapping_add(*disp);
                    self.module.ref_data(name.take(), known.item, disp)
                }
                Scalar::BlockAddress(function, block) => {
                    let label = self.label(function, block, place)?;
                    self.module.lref_data(name.take(), label, None, 0)
                }
                Scalar::BlockDistance(function, ends, disp) => {
                    let to = self.label(function, &ends[0], place)?;
                    let from = self.label(function, &ends[1], place)?;
                    self.module.lref_data(name.take(), to, Some(from), *disp)
                }
                Scalar::Distance(ends, width) => {
                    let func = self.distance(ends, *width, place)?;
                    self.module.expr_data(name.take(), func)
                }
                _ => continue,
            }
            .map_err(broken(place))?;
            at = offset + bytes_of(address);
        }
        let rest = image.bytes.get(at..).unwrap_or_default();
        let head = if rest.is_empty() { None } else { name.take() };
        self.write_bytes(head, rest, place)?;
        let zeros = image.size - image.bytes.len().max(at) as u64;
        if zeros > 0 {
            self.module.bss(name, zeros).map_err(broken(place))?;
        }
        Ok(())
    }

    /// Returns the label of a block whose address data has.
    fn label(&self, function: &str, block: &str, place: SourcePosition) -> Result<Label> {
        let blocks = self.addressed.get(function);
        let label = blocks.and_then(|blocks| blocks.get(block)).copied();
        label.ok_or_else(|| place.error("the block is not known"))
    }

    fn distances(&mut self, image: &Image, place: SourcePosition) -> Result<()> {
        for (_, address) in &image.addresses {
            if let Scalar::Distance(ends, width) = address {
                self.distance(ends, *width, place)?;
            }
        }
        Ok(())
    }

    /// Returns the function that computes the difference of two addresses at link time; it faults
    /// if the result does not fit.
    fn distance(
        &mut self,
        ends: &[(String, i64); 2],
        width: u32,
        place: SourcePosition,
    ) -> Result<ItemId> {
        let key = (ends.clone(), width);
        if let Some(&known) = self.distances.get(&key) {
            return Ok(known);
        }
        let mut operands = Vec::new();
        for (name, offset) in ends {
            let known = self.symbol(name);
            let known = known.ok_or_else(|| place.error(format!("@{name} is not defined")))?;
            operands.push((known.item, known.offset.wrapping_add(*offset)));
        }
        let name = format!("$d{}", self.distances.len() + 1);
        let built = (|| {
            let spec = SignatureSpec {
                results: if width == 32 {
                    &[MediumType::I32]
                } else {
                    &[MediumType::I64]
                },
                ..SignatureSpec::default()
            };
            let mut func = self.module.build_func(&name, spec)?;
            let (to, from) = (
                func.local(MediumType::I64, "%to")?,
                func.local(MediumType::I64, "%from")?,
            );
            let (distance, fits) = (
                func.local(MediumType::I64, "%distance")?,
                func.local(MediumType::I64, "%fits")?,
            );
            func.emit(Code::Add, (to, operands[0].0, operands[0].1))?;
            func.emit(Code::Add, (from, operands[1].0, operands[1].1))?;
            func.emit(Code::Sub, (distance, to, from))?;
            if width == 32 {
                func.emit(Code::Ext32, (fits, distance))?;
                func.emit(Code::Eq, (fits, fits, distance))?;
                func.emit(Code::Div, (fits, 1, fits))?;
            }
            func.emit(Code::Ret, (distance,))?;
            let func = func.finish()?;
            Ok(self.module.func(func).item)
        })();
        let item = built.map_err(broken(place))?;
        self.distances.insert(key, item);
        Ok(item)
    }

    fn write_bytes(
        &mut self,
        name: Option<&[u8]>,
        bytes: &[u8],
        place: SourcePosition,
    ) -> Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        if bytes.iter().all(|&byte| byte == 0) {
            self.module.bss(name, bytes.len() as u64)
        } else {
            self.module.data(name, MediumType::U8, bytes)
        }
        .map_err(broken(place))?;
        Ok(())
    }

    /// Exports an alias of a function as a function of its own that calls the other.
    pub(super) fn export_alias(&mut self, alias: &Alias, aliased: &str) -> Result<()> {
        let place = alias.place;
        let Some(&number) = self.functions.get(aliased) else {
            // A second name or the middle of data cannot be exported.
            return Ok(());
        };
        let source = self.source;
        let function = &source.functions[number];
        if function.vararg {
            return Err(
                place.error("an alias of a function with variable arguments cannot be exported")
            );
        }
        let returned = self.returned(function.result, &function.result_attributes, place)?;
        let passed = self.passed_params(function, &returned)?;
        let results = returned.types();
        let name = plain_name(&alias.name);
        let names: Vec<String> = (0..passed.len())
            .map(|number| format!("%{number}"))
            .collect();
        let args: Vec<_> = passed
            .iter()
            .zip(&names)
            .map(|(arg, name)| arg.spec(name))
            .collect();
        let spec = SignatureSpec {
            results: &results,
            args: &args,
            vararg: false,
        };
        let proto = self.proto(&results, &passed, false, place)?;
        self.module.export(&name).map_err(broken(place))?;
        let callee = self.symbols[aliased].item;
        let built = (|| {
            let func = self.module.add_func(&name, spec)?;
            let mut operands = vec![Operand::Item(proto), Operand::Item(callee)];
            let mut values = Vec::new();
            for (number, ty) in results.iter().enumerate() {
                let name = format!("%r{number}");
                let reg = self
                    .module
                    .add_local(func, ty.class().ty(), name.as_bytes())?;
                values.push(Operand::Reg(reg));
            }
            operands.extend_from_slice(&values);
            for (number, arg) in passed.iter().enumerate() {
                operands.push(arg.operand(mir_nostd::mem::Entity::new(number as u32)));
            }
            self.module.append(func, Code::Call, operands.as_slice())?;
            self.module.append(func, Code::Ret, values.as_slice())?;
            self.module.finish_func(func)
        })();
        built.map_err(broken(place))
    }

    /// Returns how the parameters of a function are passed, in the order of Medium IR's arguments.
    fn passed_params(
        &mut self,
        function: &crate::ast::Function,
        returned: &Returned,
    ) -> Result<Vec<Passed>> {
        let mut arguments = Arguments::default();
        let mut passed = self.pass_address(&mut arguments, returned, function.place)?;
        for param in &function.params {
            passed.extend(self.pass(
                &mut arguments,
                param.ty,
                &param.attributes,
                function.place,
            )?);
        }
        let order = self.order(&passed, function.vararg);
        Ok(order.into_iter().map(|number| passed[number]).collect())
    }
}

/// Returns why data cannot have the value of a constant.
fn inexpressible(constant: &Const) -> &'static str {
    let mut labels = HashSet::new();
    block_addresses(constant, &mut labels);
    if labels.is_empty() {
        return "this initialiser cannot be expressed in Medium IR";
    }
    "data has the address of a label, or the distance of two labels of one function, only in 64 \
     bits, as of type ptrdiff_t"
}

/// Returns the size in bytes of an address, or of the distance of two.
const fn bytes_of(address: &Scalar) -> usize {
    match address {
        Scalar::Distance(_, width) => (*width / 8) as usize,
        _ => 8,
    }
}

impl Image {
    /// Writes bytes; returns `None` if they lie outside the variable or beyond the limit.
    fn put(&mut self, at: u64, bytes: &[u8]) -> Option<()> {
        self.reach(at.checked_add(bytes.len() as u64)?)?;
        let place = self.bytes.get_mut(at as usize..)?.get_mut(..bytes.len())?;
        place.copy_from_slice(bytes);
        Some(())
    }

    /// Extends the bytes with zeros up to an offset.
    fn reach(&mut self, end: u64) -> Option<()> {
        if end > self.size.min(LARGEST) {
            return None;
        }
        if self.bytes.len() < end as usize {
            self.bytes.resize(end as usize, 0);
        }
        Some(())
    }

    fn put_int(&mut self, at: u64, value: u128, bytes: usize, big_endian: bool) -> Option<()> {
        let little = value.to_le_bytes();
        let mut place: Vec<u8> = little[..bytes.min(16)].to_vec();
        if big_endian {
            place.reverse();
        }
        self.put(at, &place)
    }

    fn put_address(&mut self, at: u64, address: Scalar) -> Option<()> {
        self.reach(at)?;
        let in_order = self
            .addresses
            .last()
            .is_none_or(|(last, known)| last + bytes_of(known) <= at as usize);
        let end = at.checked_add(bytes_of(&address) as u64)?;
        self.addresses.push((at as usize, address));
        (in_order && end <= self.size).then_some(())
    }
}

impl Passed {
    /// Returns the argument specification with this name.
    pub(super) fn spec<'n>(&self, name: &'n str) -> ArgSpec<'n> {
        ArgSpec::block(self.ty, self.size.into(), name)
    }
}

/// Returns the type of registers that hold a part.
pub(super) const fn register_type(kind: Kind) -> MediumType {
    match kind {
        Kind::Int(_) => MediumType::I64,
        Kind::Float => MediumType::F,
        Kind::Double => MediumType::D,
        Kind::LongDouble => MediumType::Ld,
    }
}
