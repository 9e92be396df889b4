//! Locations of arguments and results at calls: LLVM's calling conventions of the three targets
//! that have generic code.
//!
//! Values that LLVM has assigned to registers and the stack are recovered from the types that the
//! callee has in LLVM IR. The registers and their order are those of the ISA's description; only
//! LLVM's own additions stand here.

use crate::ast::Attributes;
use crate::types::{Type, TypeId, Types};
use llvm_mir::target::Isa;
use mir_nostd::machine::{Bank, LowType, Reg, UnitSet};
use mir_nostd::target::RegisterFile;

/// A physical register that carries a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Carrier {
    /// The register of these units; its sub-registers are the same carrier.
    Units(UnitSet),
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
    pub(super) registers: &'static RegisterFile,
    /// True for `fastcc`, which has more registers on riscv64.
    pub(super) is_fast: bool,
}

impl Convention {
    fn carriers(&self, registers: &[Reg]) -> Vec<Carrier> {
        let registers = registers.iter();
        let units = registers.map(|&register| self.registers.units(register));
        units.map(Carrier::Units).collect()
    }
}

/// The further integer argument registers of `fastcc` on riscv64: t3 to t6.
const FAST_INTS: [&str; 4] = ["x28", "x29", "x30", "x31"];
/// The further floating argument registers of `fastcc` on riscv64: ft0 to ft11.
const FAST_FLOATS: [&str; 12] = [
    "f0_d", "f1_d", "f2_d", "f3_d", "f4_d", "f5_d", "f6_d", "f7_d", "f28_d", "f29_d", "f30_d",
    "f31_d",
];
/// The third register for integer results on `x86_64`, which C has no use for.
const THIRD_RESULT: &str = "rcx";

/// Returns the carrier that this register is, or is a part of.
pub(super) fn carrier(registers: &RegisterFile, name: &str) -> Option<Carrier> {
    // LLVM's name until it keeps the x87 registers as a stack.
    if let Some(number) = name.strip_prefix("fp") {
        return number.parse().ok().map(Carrier::X87);
    }
    let units = units_of(registers, name);
    (!units.is_empty()).then_some(Carrier::Units(units))
}

/// Returns whether this register is a floating one.
pub(super) fn is_floating(registers: &RegisterFile, name: &str) -> bool {
    let class = registers.class((registers.class_of)(Bank::Floating, LowType::S64));
    let rows = class.order.iter().map(|&row| Reg::physical(row));
    let units = units_of(registers, name);
    { rows }
        .chain(registers.scratch_floating.iter().copied())
        .any(|reg| registers.units(reg).overlaps(units))
}

/// Returns the units of a register by LLVM's name; none for one that never carries a value.
fn units_of(registers: &RegisterFile, name: &str) -> UnitSet {
    let mut rows = registers.registers.iter();
    let found = rows.find(|row| row.name.text() == name);
    found.map_or(UnitSet::EMPTY, |row| row.units)
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
    ints: Vec<Carrier>,
    floats: Vec<Carrier>,
    /// The register of the address of a result in memory, if it is not that of an argument.
    indirect: Option<Carrier>,
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
        let registers = convention.registers;
        let (mut ints, mut floats) = (
            convention.carriers(registers.int_arguments),
            convention.carriers(registers.float_arguments),
        );
        let mut indirect = None;
        match convention.isa {
            // The description has it as the last one.
            Isa::Aarch64 => indirect = ints.pop(),
            Isa::Riscv64 if convention.is_fast => {
                ints.extend(FAST_INTS.iter().filter_map(|name| carrier(registers, name)));
                floats.extend(
                    FAST_FLOATS
                        .iter()
                        .filter_map(|name| carrier(registers, name)),
                );
            }
            _ => {}
        }
        Assigner {
            types,
            convention,
            ints,
            floats,
            indirect,
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
        let carrier = *self.ints.get(self.next_int)?;
        self.next_int += 1;
        Some(Spot::Register(carrier))
    }

    fn float(&mut self) -> Option<Spot> {
        let carrier = *self.floats.get(self.next_float)?;
        self.next_float += 1;
        Some(Spot::Register(carrier))
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
        if let (Some(_), Some(register)) = (&attributes.sret, assigner.indirect) {
            for leaf in &mut leaves {
                leaf.spots = vec![Spot::Register(register)];
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
        let registers = convention.registers;
        assigner.ints = convention.carriers(registers.int_results);
        assigner.ints.extend(carrier(registers, THIRD_RESULT));
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

    fn registers(isa: Isa) -> &'static RegisterFile {
        let backend = target_all::backend(isa.name());
        backend.expect("the five have backends").registers()
    }

    fn convention(isa: Isa, is_fast: bool) -> Convention {
        let registers = registers(isa);
        Convention {
            isa,
            registers,
            is_fast,
        }
    }

    fn spots(isa: Isa, is_fast: bool, tys: &[Type], fixed: usize) -> Vec<Vec<Spot>> {
        let mut types = Types::new();
        let tys: Vec<_> = tys.iter().map(|ty| types.add(ty.clone())).collect();
        let attributes = Attributes::default();
        let args = tys.iter().enumerate();
        let args = args.map(|(at, &ty)| (ty, &attributes, at >= fixed));
        let placed = arguments(&types, convention(isa, is_fast), args).unwrap_or_default();
        placed
            .into_iter()
            .flatten()
            .map(|leaf| leaf.spots)
            .collect()
    }

    fn register(isa: Isa, name: &str) -> Spot {
        let carrier = carrier(registers(isa), name);
        Spot::Register(carrier.expect("the register carries values"))
    }

    // The expected locations are those of the psABI documents.
    #[test]
    fn pairs_follow_each_psabi() {
        let tys = [Type::Int(64), Type::Int(128)];
        let low = |isa, fixed| spots(isa, false, &tys, fixed)[1][0];
        assert_eq!(low(Isa::Aarch64, 2), register(Isa::Aarch64, "x2"));
        assert_eq!(low(Isa::X86_64, 2), register(Isa::X86_64, "rsi"));
        assert_eq!(low(Isa::Riscv64, 2), register(Isa::Riscv64, "x11"));
        assert_eq!(low(Isa::Riscv64, 1), register(Isa::Riscv64, "x12"));
    }

    #[test]
    fn a_pair_is_split_only_on_riscv() {
        let mut tys = vec![Type::Int(64); 7];
        tys.push(Type::Int(128));
        let last = |isa| spots(isa, false, &tys, 8)[7].clone();
        let a7 = register(Isa::Riscv64, "x17");
        assert_eq!(last(Isa::Riscv64), [a7, Spot::Stack(0)]);
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
        let convention = convention(Isa::Aarch64, false);
        let placed = arguments(&types, convention, args.into_iter()).unwrap_or_default();
        let spots = |at: usize| placed[at].iter().map(|leaf| leaf.spots[0]);
        assert!(spots(2).eq([0, 4, 8, 12].map(Spot::Stack)));
        // No further argument goes to a register.
        assert!(spots(3).eq([Spot::Stack(16)]));
    }

    #[test]
    fn variable_floats_are_integers_on_riscv_alone() {
        let tys = [Type::Ptr, Type::Double];
        let second = |isa| spots(isa, false, &tys, 1)[1].clone();
        assert_eq!(second(Isa::Riscv64), [register(Isa::Riscv64, "x11")]);
        assert_eq!(second(Isa::Aarch64), [register(Isa::Aarch64, "d0")]);
        assert_eq!(second(Isa::X86_64), [register(Isa::X86_64, "xmm0")]);
    }

    #[test]
    fn names_of_parts_are_one_register() {
        let is_same = |isa, one, other| {
            let whole = register(isa, one);
            whole == register(isa, other)
        };
        for name in ["q3", "s3"] {
            assert!(is_same(Isa::Aarch64, "d3", name));
            assert!(is_floating(registers(Isa::Aarch64), name));
        }
        assert!(is_same(Isa::Aarch64, "w7", "x7"));
        assert!(!is_same(Isa::Aarch64, "d7", "x7"));
        assert!(!is_floating(registers(Isa::Aarch64), "x7"));
        assert!(is_same(Isa::Riscv64, "f10_d", "f10_f"));
        assert!(is_same(Isa::X86_64, "r8d", "r8"));
        assert_eq!(carrier(registers(Isa::X86_64), "rip"), None);
    }

    /// `fastcc` has more registers than C on riscv64, which the description does not have.
    #[test]
    fn fast_calls_take_all_temporaries_on_riscv() {
        let tys = vec![Type::Double; 21];
        let spots = spots(Isa::Riscv64, true, &tys, 21);
        assert_eq!(spots[8], [register(Isa::Riscv64, "f0_d")]);
        assert_eq!(spots[19], [register(Isa::Riscv64, "f31_d")]);
        assert_eq!(spots[20], [Spot::Stack(0)]);
    }
}
