//! Locations of arguments and results at calls: LLVM's calling conventions of the three targets
//! that have generic code.
//!
//! Values that LLVM has assigned to registers and the stack are recovered from the types that the
//! callee has in LLVM IR.

use crate::ast::Attributes;
use crate::types::{Type, TypeId, Types};
use llvm_mir::target::Isa;

/// A physical register that carries a value; its sub-registers are the same carrier.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Carrier {
    Int(u8),
    Float(u8),
    /// A register of the x87 stack.
    X87(u8),
}

/// The location of a scalar, or of half of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Spot {
    Register(Carrier),
    /// The offset in bytes from the start of the arguments on the stack.
    Stack(u64),
}

/// A scalar of an argument or result, and its locations: two if it is too wide for one, the low
/// half first.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// The indices that lead to the scalar within the value.
    pub(super) path: Vec<u64>,
    pub(super) ty: TypeId,
    pub(super) spots: Vec<Spot>,
}

/// The calling convention of a function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Convention {
    pub(super) isa: Isa,
    /// True for `fastcc`, which has more registers on riscv64.
    pub(super) is_fast: bool,
}

/// The registers of `x86_64` that carry arguments, results and other values, in the order of the
/// numbers of [`Carrier::Int`].
const X86_INTS: [[&str; 4]; 8] = [
    ["rdi", "edi", "di", "dil"],
    ["rsi", "esi", "si", "sil"],
    ["rdx", "edx", "dx", "dl"],
    ["rcx", "ecx", "cx", "cl"],
    ["r8", "r8d", "r8w", "r8b"],
    ["r9", "r9d", "r9w", "r9b"],
    ["rax", "eax", "ax", "al"],
    ["r10", "r10d", "r10w", "r10b"],
];

const AARCH64_INTS: [u8; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
const RISCV_INTS: [u8; 12] = [10, 11, 12, 13, 14, 15, 16, 17, 28, 29, 30, 31];
const RISCV_FLOATS: [u8; 20] = [
    10, 11, 12, 13, 14, 15, 16, 17, 0, 1, 2, 3, 4, 5, 6, 7, 28, 29, 30, 31,
];
const X86_INT_RESULTS: [u8; 3] = [6, 2, 3];

/// Returns the name of the stack pointer.
pub(super) const fn stack_pointer(isa: Isa) -> &'static str {
    match isa {
        Isa::Aarch64 => "sp",
        Isa::Riscv64 => "x2",
        _ => "rsp",
    }
}

/// Returns the carrier that this register is a part of.
pub(super) fn carrier(isa: Isa, name: &str) -> Option<Carrier> {
    let numbered = |prefix: &str| name.strip_prefix(prefix)?.parse::<u8>().ok();
    match isa {
        Isa::Aarch64 => {
            let int = numbered("x").or_else(|| numbered("w")).map(Carrier::Int);
            let floats = ["q", "d", "s", "h", "b"];
            int.or_else(|| floats.iter().find_map(|p| numbered(p)).map(Carrier::Float))
        }
        Isa::Riscv64 => {
            let name = name.split('_').next().unwrap_or(name);
            let numbered = |prefix: &str| name.strip_prefix(prefix)?.parse::<u8>().ok();
            let float = || numbered("f").map(Carrier::Float);
            numbered("x").map(Carrier::Int).or_else(float)
        }
        Isa::X86_64 => {
            let int = X86_INTS.iter().position(|names| names.contains(&name));
            let int = int.and_then(|at| u8::try_from(at).ok()).map(Carrier::Int);
            let float = || numbered("xmm").map(Carrier::Float);
            int.or_else(float)
                .or_else(|| numbered("fp").map(Carrier::X87))
        }
        _ => None,
    }
}

/// The class of registers that a scalar is passed in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Int,
    /// A pair of integer registers.
    IntPair,
    Float,
    X87,
}

/// Assigns registers and stack space in order.
struct Assigner<'t> {
    types: &'t Types,
    convention: Convention,
    ints: &'static [u8],
    floats: &'static [u8],
    next_int: usize,
    next_float: usize,
    stack: u64,
}

/// Returns the scalars of a value, without locations.
fn leaves(types: &Types, ty: TypeId) -> Option<Vec<Leaf>> {
    let mut found = Vec::new();
    let mut waiting = vec![(Vec::new(), ty)];
    while let Some((path, ty)) = waiting.pop() {
        match types.get(ty) {
            Type::Void => {}
            Type::Array(..) | Type::Struct { .. } => {
                let count = types.count(ty).filter(|&count| count <= 1024)?;
                for index in (0..count).rev() {
                    let mut path = path.clone();
                    path.push(index);
                    waiting.push((path, types.element(ty, index)?));
                }
            }
            _ => {
                let spots = Vec::new();
                found.push(Leaf { path, ty, spots });
            }
        }
    }
    Some(found)
}

impl<'t> Assigner<'t> {
    fn new(types: &'t Types, convention: Convention) -> Assigner<'t> {
        let (ints, floats): (&[u8], &[u8]) = match convention.isa {
            Isa::Riscv64 if convention.is_fast => (&RISCV_INTS, &RISCV_FLOATS),
            Isa::Riscv64 => (&RISCV_INTS[..8], &RISCV_FLOATS[..8]),
            Isa::Aarch64 => (&AARCH64_INTS, &AARCH64_INTS),
            _ => (&AARCH64_INTS[..6], &AARCH64_INTS),
        };
        Assigner {
            types,
            convention,
            ints,
            floats,
            next_int: 0,
            next_float: 0,
            stack: 0,
        }
    }

    fn class(&self, ty: TypeId, is_variable: bool) -> Option<Class> {
        let riscv = self.convention.isa == Isa::Riscv64;
        let soft = riscv && is_variable;
        Some(match self.types.get(ty) {
            Type::Int(..=64) | Type::Ptr => Class::Int,
            Type::Int(..=128) => Class::IntPair,
            Type::Float | Type::Double if soft => Class::Int,
            Type::Float | Type::Double => Class::Float,
            Type::Fp128 if riscv => Class::IntPair,
            Type::Fp128 => Class::Float,
            Type::X86Fp80 => Class::X87,
            Type::Vector(2, element) if matches!(self.types.get(*element), Type::Float) => {
                Class::Float
            }
            _ => return None,
        })
    }

    fn on_stack(&mut self, size: u64, align: u64) -> Spot {
        let at = self.stack.next_multiple_of(align);
        self.stack = at + size;
        Spot::Stack(at)
    }

    fn int(&mut self) -> Option<Spot> {
        let number = *self.ints.get(self.next_int)?;
        self.next_int += 1;
        Some(Spot::Register(Carrier::Int(number)))
    }

    fn float(&mut self) -> Option<Spot> {
        let number = *self.floats.get(self.next_float)?;
        self.next_float += 1;
        Some(Spot::Register(Carrier::Float(number)))
    }

    fn size(&self, ty: TypeId) -> u64 {
        self.types.extent(ty).map_or(8, |extent| extent.size)
    }

    fn pair(&mut self, is_variable: bool) -> Vec<Spot> {
        match self.convention.isa {
            Isa::Riscv64 => {
                if is_variable {
                    self.next_int = self.next_int.next_multiple_of(2);
                }
                let align = if self.next_int < self.ints.len() {
                    8
                } else {
                    16
                };
                let low = self.int().unwrap_or_else(|| self.on_stack(8, align));
                let high = self.int().unwrap_or_else(|| self.on_stack(8, 8));
                return vec![low, high];
            }
            Isa::Aarch64 => self.next_int = self.next_int.next_multiple_of(2),
            _ => {}
        }
        if self.next_int + 2 <= self.ints.len() {
            return [self.int(), self.int()].into_iter().flatten().collect();
        }
        if self.convention.isa == Isa::Aarch64 {
            self.next_int = self.ints.len();
        }
        vec![self.on_stack(8, 16), self.on_stack(8, 8)]
    }

    fn scalar(&mut self, ty: TypeId, is_variable: bool) -> Option<Vec<Spot>> {
        let size = self.size(ty);
        Some(match self.class(ty, is_variable)? {
            Class::Int => vec![self.int().unwrap_or_else(|| self.on_stack(8, 8))],
            Class::IntPair => self.pair(is_variable),
            Class::X87 => vec![self.on_stack(16, 16)],
            Class::Float => {
                let is_riscv = self.convention.isa == Isa::Riscv64;
                let mut spot = self.float();
                if spot.is_none() && is_riscv && !self.convention.is_fast {
                    spot = self.int();
                }
                let least = if is_riscv && self.convention.is_fast {
                    4
                } else {
                    8
                };
                let bytes = size.max(least);
                vec![spot.unwrap_or_else(|| self.on_stack(bytes, bytes))]
            }
        })
    }

    /// Places an array on aarch64: its elements go to consecutive registers or, as in memory, all
    /// to the stack.
    fn array(&mut self, ty: TypeId, leaves: &mut [Leaf]) -> Option<bool> {
        if self.convention.isa != Isa::Aarch64 || !matches!(self.types.get(ty), Type::Array(..)) {
            return Some(false);
        }
        let Some(first) = leaves.first() else {
            return Some(true);
        };
        let size = self.size(first.ty);
        let (next, last) = match self.class(first.ty, false)? {
            Class::Int => (&mut self.next_int, self.ints.len()),
            Class::Float => (&mut self.next_float, self.floats.len()),
            _ => return Some(false),
        };
        if *next + leaves.len() <= last {
            return Some(false);
        }
        *next = last;
        self.stack = self.stack.next_multiple_of(size.max(8));
        for leaf in leaves {
            leaf.spots = vec![self.on_stack(size, size)];
        }
        self.stack = self.stack.next_multiple_of(8);
        Some(true)
    }
}

/// Returns the locations of the arguments of a call. Each argument comes with its attributes and a
/// flag that is true for variable ones. Returns `None` if the convention for an argument is not
/// known.
pub(super) fn arguments<'a>(
    types: &Types,
    convention: Convention,
    args: impl Iterator<Item = (TypeId, &'a Attributes, bool)>,
) -> Option<Vec<Vec<Leaf>>> {
    let mut assigner = Assigner::new(types, convention);
    let mut placed = Vec::new();
    for (ty, attributes, is_variable) in args {
        if attributes.byval.is_some() {
            return None;
        }
        let mut leaves = leaves(types, ty)?;
        if attributes.sret.is_some() && convention.isa == Isa::Aarch64 {
            for leaf in &mut leaves {
                leaf.spots = vec![Spot::Register(Carrier::Int(8))];
            }
        } else if !assigner.array(ty, &mut leaves)? {
            for leaf in &mut leaves {
                leaf.spots = assigner.scalar(leaf.ty, is_variable)?;
            }
        }
        placed.push(leaves);
    }
    Some(placed)
}

/// Returns the locations of a result.
pub(super) fn result(types: &Types, convention: Convention, ty: TypeId) -> Option<Vec<Leaf>> {
    let mut assigner = Assigner::new(types, convention);
    if convention.isa == Isa::X86_64 {
        assigner.ints = &X86_INT_RESULTS;
    }
    let mut x87 = 0;
    let mut leaves = leaves(types, ty)?;
    for leaf in &mut leaves {
        leaf.spots = if assigner.class(leaf.ty, false)? == Class::X87 {
            x87 += 1;
            vec![Spot::Register(Carrier::X87(x87 - 1))]
        } else {
            assigner.scalar(leaf.ty, false)?
        };
        if leaf.spots.iter().any(|spot| matches!(spot, Spot::Stack(_))) {
            return None;
        }
    }
    Some(leaves)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spots(isa: Isa, is_fast: bool, tys: &[Type], fixed: usize) -> Vec<Vec<Spot>> {
        let mut types = Types::new();
        let tys: Vec<_> = tys.iter().map(|ty| types.add(ty.clone())).collect();
        let attributes = Attributes::default();
        let args = tys.iter().enumerate();
        let args = args.map(|(at, &ty)| (ty, &attributes, at >= fixed));
        let placed = arguments(&types, Convention { isa, is_fast }, args).unwrap_or_default();
        placed
            .into_iter()
            .flatten()
            .map(|leaf| leaf.spots)
            .collect()
    }

    const fn int(number: u8) -> Spot {
        Spot::Register(Carrier::Int(number))
    }

    // The expected locations are those of the psABI documents.
    #[test]
    fn pairs_follow_each_psabi() {
        let tys = [Type::Int(64), Type::Int(128)];
        let low = |isa, fixed| spots(isa, false, &tys, fixed)[1][0];
        assert_eq!(low(Isa::Aarch64, 2), int(2));
        assert_eq!(low(Isa::X86_64, 2), int(1));
        assert_eq!(low(Isa::Riscv64, 2), int(11));
        assert_eq!(low(Isa::Riscv64, 1), int(12));
    }

    #[test]
    fn a_pair_is_split_only_on_riscv() {
        let mut tys = vec![Type::Int(64); 7];
        tys.push(Type::Int(128));
        let last = |isa| spots(isa, false, &tys, 8)[7].clone();
        assert_eq!(last(Isa::Riscv64), [int(17), Spot::Stack(0)]);
        assert_eq!(last(Isa::Aarch64), [Spot::Stack(0), Spot::Stack(8)]);
        assert_eq!(last(Isa::X86_64), [Spot::Stack(16), Spot::Stack(24)]);
    }

    #[test]
    fn homogeneous_aggregates_stay_together_on_aarch64() {
        let mut types = Types::new();
        let float = types.add(Type::Float);
        let four = types.add(Type::Array(4, float));
        let attributes = Attributes::default();
        let args = [four, float, four, float].map(|ty| (ty, &attributes, false));
        let convention = Convention {
            isa: Isa::Aarch64,
            is_fast: false,
        };
        let placed = arguments(&types, convention, args.into_iter()).unwrap_or_default();
        let spots = |at: usize| placed[at].iter().map(|leaf| leaf.spots[0]);
        assert!(spots(2).eq([0, 4, 8, 12].map(Spot::Stack)));
        // No further argument goes to a register.
        assert!(spots(3).eq([Spot::Stack(16)]));
    }

    #[test]
    fn variable_floats_are_integers_on_riscv_alone() {
        let tys = [Type::Ptr, Type::Double];
        assert_eq!(spots(Isa::Riscv64, false, &tys, 1)[1], [int(11)]);
        let float = Spot::Register(Carrier::Float(0));
        assert_eq!(spots(Isa::Aarch64, false, &tys, 1)[1], [float]);
        assert_eq!(spots(Isa::X86_64, false, &tys, 1)[1], [float]);
    }

    #[test]
    fn names_of_parts_are_one_register() {
        for name in ["q3", "d3", "s3"] {
            assert_eq!(carrier(Isa::Aarch64, name), Some(Carrier::Float(3)));
        }
        assert_eq!(carrier(Isa::Aarch64, "w7"), carrier(Isa::Aarch64, "x7"));
        assert_eq!(carrier(Isa::Riscv64, "f10_d"), Some(Carrier::Float(10)));
        assert_eq!(carrier(Isa::X86_64, "r8d"), Some(Carrier::Int(4)));
        assert_eq!(carrier(Isa::X86_64, "eflags"), None);
    }
}
