//! The types of LLVM IR and their layout in memory.

use crate::numbers::Numbers;
use core::cell::{Cell, RefCell};
use std::collections::HashMap;

/// A type as its number in [`Types`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct TypeId(u32);

/// The structure of a type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Type {
    Void,
    /// An integer of 1 to 2^23 bits.
    Int(u32),
    /// `half`: IEEE 754's binary16.
    Half,
    /// `bfloat`: the upper half of a `float`.
    BFloat,
    Float,
    Double,
    X86Fp80,
    Fp128,
    PpcFp128,
    Ptr,
    Label,
    Metadata,
    /// A type that cannot be expressed, by its name: `token`, `x86_amx`.
    Other(&'static str),
    Array(u64, TypeId),
    Vector(u64, TypeId),
    Struct {
        fields: Vec<TypeId>,
        packed: bool,
    },
    /// `%name`; see [`Types::define`].
    Named(String),
    Function {
        result: TypeId,
        params: Vec<TypeId>,
        vararg: bool,
    },
}

/// The types of a module; equal types have the same number.
#[derive(Debug)]
pub(crate) struct Types {
    types: Vec<Type>,
    numbers: Numbers,
    named: HashMap<String, TypeId>,
    /// The known extents. A type has none while its own is computed, so a type within itself has no
    /// size.
    extents: RefCell<HashMap<TypeId, Option<Extent>>>,
    depth: Cell<u32>,
    pub(crate) layout: DataLayout,
}

/// The parts of the `target datalayout` that affect layouts.
#[derive(Clone, Debug)]
pub(crate) struct DataLayout {
    pub(crate) big_endian: bool,
    /// Alignment of integers in bytes, by width in bits, ascending.
    ints: Vec<(u32, u64)>,
    /// Alignment of vectors in bytes, by width in bits; others are aligned to their size.
    vectors: Vec<(u64, u64)>,
    /// Alignment of `fp128` and of `x86_fp80` in bytes.
    quad: u64,
    x87: u64,
}

impl DataLayout {
    /// Parses the text in quotes, on top of LLVM's defaults.
    pub(crate) fn parse(text: &str) -> DataLayout {
        let mut layout = DataLayout {
            big_endian: false,
            ints: vec![(8, 1), (16, 2), (32, 4), (64, 8)],
            vectors: vec![(64, 8), (128, 16)],
            quad: 16,
            x87: 16,
        };
        for part in text.split('-') {
            let mut fields = part.split(':');
            let head = fields.next().unwrap_or_default();
            let align = fields.next().and_then(|bits| bits.parse::<u64>().ok());
            let bytes = align.map_or(1, |bits| bits / 8).max(1);
            match head {
                "E" => layout.big_endian = true,
                "e" => layout.big_endian = false,
                "f128" => layout.quad = bytes,
                "f80" => layout.x87 = bytes,
                _ => layout.set_align(head, bytes),
            }
        }
        layout
    }

    /// Sets the alignment of the integers (`i64`) or vectors (`v128`) of a width.
    fn set_align(&mut self, head: &str, bytes: u64) {
        if let Some(Ok(width)) = head.strip_prefix('v').map(str::parse) {
            self.vectors.retain(|&(known, _)| known != width);
            self.vectors.push((width, bytes));
        }
        if let Some(Ok(width @ 8..)) = head.strip_prefix('i').map(str::parse) {
            self.ints.retain(|&(known, _)| known != width);
            self.ints.push((width, bytes));
            self.ints.sort_unstable();
        }
    }

    fn int_align(&self, bits: u32) -> u64 {
        let fitting = self.ints.iter().find(|&&(width, _)| width >= bits);
        fitting.or(self.ints.last()).map_or(1, |&(_, align)| align)
    }
}

/// The size and alignment of a type in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Extent {
    pub(crate) size: u64,
    pub(crate) align: u64,
}

/// The limit on the bits of integers that can be expressed.
pub(crate) const LONGEST: u32 = 512;

/// The limit on the nesting of types.
pub(crate) const DEPTH: u32 = 256;

/// The limit on the bytes of a type.
const LARGEST: u64 = 1 << 46;

impl Types {
    pub(crate) fn new() -> Types {
        Types {
            types: Vec::new(),
            numbers: Numbers::default(),
            named: HashMap::new(),
            extents: RefCell::default(),
            depth: Cell::new(0),
            layout: DataLayout::parse(""),
        }
    }

    pub(crate) fn add(&mut self, ty: Type) -> TypeId {
        let (number, is_new) = self.numbers.number(&self.types, &ty);
        if is_new {
            self.types.push(ty);
        }
        TypeId(number)
    }

    /// Defines the type `%name`; returns whether it was not known before.
    pub(crate) fn define(&mut self, name: String, ty: TypeId) -> bool {
        self.named.insert(name, ty).is_none()
    }

    /// Returns the structure of a type, with names resolved.
    pub(crate) fn get(&self, ty: TypeId) -> &Type {
        let mut found = &self.types[ty.0 as usize];
        for _ in 0..DEPTH {
            let Type::Named(name) = found else { break };
            let Some(&definition) = self.named.get(name) else {
                break;
            };
            found = &self.types[definition.0 as usize];
        }
        found
    }

    pub(crate) fn int_width(&self, ty: TypeId) -> Option<u32> {
        match *self.get(ty) {
            Type::Int(width) => Some(width),
            _ => None,
        }
    }

    /// Returns the type of an element of an aggregate.
    pub(crate) fn element(&self, ty: TypeId, index: u64) -> Option<TypeId> {
        match self.get(ty) {
            Type::Array(_, element) => Some(*element),
            Type::Vector(count, element) => (index < *count).then_some(*element),
            Type::Struct { fields, .. } => fields.get(usize::try_from(index).ok()?).copied(),
            _ => None,
        }
    }

    pub(crate) fn count(&self, ty: TypeId) -> Option<u64> {
        match self.get(ty) {
            Type::Array(count, _) | Type::Vector(count, _) => Some(*count),
            Type::Struct { fields, .. } => Some(fields.len() as u64),
            _ => None,
        }
    }

    /// Returns the size, with the padding between array elements, and the alignment; `None` for
    /// types without size.
    pub(crate) fn extent(&self, ty: TypeId) -> Option<Extent> {
        if let Some(&known) = self.extents.borrow().get(&ty) {
            return known;
        }
        self.extents.borrow_mut().insert(ty, None);
        self.depth.set(self.depth.get() + 1);
        let shallow = self.depth.get() <= DEPTH;
        let extent = if shallow {
            self.work_out_extent(ty)
        } else {
            None
        };
        self.depth.set(self.depth.get() - 1);
        self.extents.borrow_mut().insert(ty, extent);
        extent
    }

    fn work_out_extent(&self, ty: TypeId) -> Option<Extent> {
        let plain = |size: u64| Some(Extent { size, align: size });
        match self.get(ty) {
            Type::Int(width) => {
                let align = self.layout.int_align(*width);
                let size = u64::from(width.div_ceil(8)).next_multiple_of(align);
                Some(Extent { size, align })
            }
            Type::Half | Type::BFloat => plain(2),
            Type::Float => plain(4),
            Type::Double | Type::Ptr => plain(8),
            Type::X86Fp80 => Some(Extent {
                size: 10_u64.next_multiple_of(self.layout.x87),
                align: self.layout.x87,
            }),
            Type::Fp128 => Some(Extent {
                size: 16,
                align: self.layout.quad,
            }),
            Type::PpcFp128 => plain(16),
            Type::Array(count, element) => {
                let element = self.extent(*element)?;
                let size = element.size.checked_mul(*count)?;
                (size <= LARGEST).then_some(Extent { size, ..element })
            }
            Type::Vector(count, element) => {
                let bits = self.bits(*element)?.checked_mul(*count)?;
                let stored = bits.div_ceil(8);
                if stored > LARGEST {
                    return None;
                }
                let stated = self
                    .layout
                    .vectors
                    .iter()
                    .find(|&&(width, _)| width == bits);
                let align = stated.map_or(stored.next_power_of_two(), |&(_, align)| align);
                let size = stored.next_multiple_of(align);
                Some(Extent { size, align })
            }
            Type::Struct { fields, packed } => {
                let mut whole = Extent { size: 0, align: 1 };
                for &field in fields {
                    let field = self.extent(field)?;
                    let align = if *packed { 1 } else { field.align };
                    let start = whole.size.next_multiple_of(align);
                    whole.size = start.checked_add(field.size)?;
                    whole.align = whole.align.max(align);
                }
                whole.size = whole.size.next_multiple_of(whole.align);
                (whole.size <= LARGEST).then_some(whole)
            }
            _ => None,
        }
    }

    /// Returns the number of bits of a scalar, or of a vector, which has no padding.
    pub(crate) fn bits(&self, ty: TypeId) -> Option<u64> {
        Some(match *self.get(ty) {
            Type::Int(width) => width.into(),
            Type::Half | Type::BFloat => 16,
            Type::Float => 32,
            Type::Double | Type::Ptr => 64,
            Type::X86Fp80 => 80,
            Type::Fp128 | Type::PpcFp128 => 128,
            // The elements of a vector are scalars.
            Type::Vector(count, element) => match *self.get(element) {
                Type::Vector(..) => return None,
                _ => self.bits(element)?.checked_mul(count)?,
            },
            _ => return None,
        })
    }

    /// Returns the number and type of the elements of a vector.
    pub(crate) fn vector(&self, ty: TypeId) -> Option<(u64, TypeId)> {
        match *self.get(ty) {
            Type::Vector(count, element) => Some((count, element)),
            _ => None,
        }
    }

    /// Returns whether a type is a vector whose elements are not whole bytes: in memory they lie
    /// bit beside bit, as in an integer.
    pub(crate) fn is_packed(&self, ty: TypeId) -> bool {
        let element = self.vector(ty).and_then(|(_, element)| self.bits(element));
        element.is_some_and(|bits| !bits.is_multiple_of(8))
    }

    /// Returns the offset of an element of an aggregate.
    pub(crate) fn offset(&self, ty: TypeId, index: u64) -> Option<u64> {
        match self.get(ty) {
            Type::Array(_, element) => self.extent(*element)?.size.checked_mul(index),
            Type::Vector(_, element) => self.bits(*element)?.div_ceil(8).checked_mul(index),
            Type::Struct { fields, packed } => {
                let index = usize::try_from(index).ok()?;
                let mut at = 0_u64;
                for (number, &field) in fields.iter().enumerate().take(index + 1) {
                    let field = self.extent(field)?;
                    if !packed {
                        at = at.next_multiple_of(field.align);
                    }
                    if number == index {
                        return Some(at);
                    }
                    at = at.checked_add(field.size)?;
                }
                None
            }
            _ => None,
        }
    }

    /// Returns the type as LLVM writes it, for messages.
    pub(crate) fn name(&self, ty: TypeId) -> String {
        self.name_within(ty, 4)
    }

    fn name_within(&self, ty: TypeId, depth: u32) -> String {
        let Some(depth) = depth.checked_sub(1) else {
            return "...".into();
        };
        let list = |types: &[TypeId]| {
            let names: Vec<_> = types
                .iter()
                .map(|&ty| self.name_within(ty, depth))
                .collect();
            names.join(", ")
        };
        match &self.types[ty.0 as usize] {
            Type::Void => "void".into(),
            Type::Int(width) => format!("i{width}"),
            Type::Half => "half".into(),
            Type::BFloat => "bfloat".into(),
            Type::Float => "float".into(),
            Type::Double => "double".into(),
            Type::X86Fp80 => "x86_fp80".into(),
            Type::Fp128 => "fp128".into(),
            Type::PpcFp128 => "ppc_fp128".into(),
            Type::Ptr => "ptr".into(),
            Type::Label => "label".into(),
            Type::Metadata => "metadata".into(),
            Type::Other(name) => (*name).into(),
            Type::Array(count, element) => {
                format!("[{count} x {}]", self.name_within(*element, depth))
            }
            Type::Vector(count, element) => {
                format!("<{count} x {}>", self.name_within(*element, depth))
            }
            Type::Struct {
                fields,
                packed: false,
            } => format!("{{ {} }}", list(fields)),
            Type::Struct {
                fields,
                packed: true,
            } => format!("<{{ {} }}>", list(fields)),
            Type::Named(name) => format!("%{name}"),
            Type::Function { result, params, .. } => {
                format!("{} ({})", self.name_within(*result, depth), list(params))
            }
        }
    }
}
