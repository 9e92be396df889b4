//! The narrow integer types whose extension a value is say what its upper bits are.

use crate::ir::{Code, Type};

bitflags::bitflags! {
    /// A set of narrow integer types: those whose extension a value is. A small number is that of
    /// many.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(in crate::interp) struct Extensions: u8 {
        const I8 = 1;
        const U8 = 2;
        const I16 = 4;
        const U16 = 8;
        const I32 = 16;
        const U32 = 32;
    }
}

impl Extensions {
    /// Returns the types that have all values of a type.
    pub(super) const fn of(ty: Type) -> Extensions {
        let (own, wider) = match ty {
            Type::I8 => (Extensions::I8, Extensions::of(Type::I16)),
            Type::U8 => (
                Extensions::U8.union(Extensions::I16),
                Extensions::of(Type::U16),
            ),
            Type::I16 => (Extensions::I16, Extensions::I32),
            Type::U16 => (Extensions::U16.union(Extensions::I32), Extensions::U32),
            Type::I32 => (Extensions::I32, Extensions::I32),
            Type::U32 => (Extensions::U32, Extensions::U32),
            _ => (Extensions::empty(), Extensions::empty()),
        };
        own.union(wider)
    }

    /// Returns the types that have all numbers from 0 to this one.
    pub(super) const fn up_to(greatest: u64) -> Extensions {
        match greatest {
            0..=0x7F => Extensions::all(),
            0x80..=0xFF => Extensions::of(Type::U8),
            0x100..=0x7FFF => Extensions::of(Type::U16).union(Extensions::I16),
            0x8000..=0xFFFF => Extensions::of(Type::U16),
            0x1_0000..=0x7FFF_FFFF => Extensions::I32.union(Extensions::U32),
            0x8000_0000..=0xFFFF_FFFF => Extensions::U32,
            _ => Extensions::empty(),
        }
    }

    /// Returns the types that have a number.
    pub(super) const fn of_constant(value: i64) -> Extensions {
        match value {
            0.. => Extensions::up_to(value as u64),
            -0x80..0 => Extensions::of(Type::I8),
            -0x8000..-0x80 => Extensions::of(Type::I16),
            -0x8000_0000..-0x8000 => Extensions::I32,
            _ => Extensions::empty(),
        }
    }

    /// Returns the types that have all results of an instruction, whose second input is this
    /// constant, if it is one.
    pub(super) fn of_result(code: Code, constant: Option<i64>) -> Extensions {
        let known = result_type(code).map_or(Extensions::empty(), Extensions::of);
        let small = match (code, constant) {
            (Code::And, Some(mask @ 0..)) => Extensions::up_to(mask as u64),
            (Code::Ands, Some(mask)) if mask as i32 >= 0 => {
                Extensions::up_to(u64::from(mask as u32))
            }
            (Code::Ursh, Some(count)) => Extensions::up_to(u64::MAX >> (count & 63)),
            (Code::Urshs, Some(count)) if count & 31 != 0 => {
                Extensions::up_to(u64::from(u32::MAX >> (count & 31)))
            }
            _ if is_comparison(code) => Extensions::up_to(1),
            _ => Extensions::empty(),
        };
        known | small
    }

    /// True if a value is the extension of its low bits as an integer type, wide ones included.
    pub(super) fn has(self, ty: Type) -> bool {
        self.contains(match ty {
            Type::I8 => Extensions::I8,
            Type::U8 => Extensions::U8,
            Type::I16 => Extensions::I16,
            Type::U16 => Extensions::U16,
            Type::I32 => Extensions::I32,
            Type::U32 => Extensions::U32,
            _ => Extensions::empty(),
        })
    }
}

/// True if the result of the instruction is 0 or 1.
fn is_comparison(code: Code) -> bool {
    (Code::Eq.number()..=Code::Ldge.number()).contains(&code.number())
}

/// Returns the type whose extension every result of this instruction is, which is no extension.
fn result_type(code: Code) -> Option<Type> {
    if let Some(row) = code.binary() {
        return (row.result != Type::I64).then_some(row.result);
    }
    if let Some((_, ty)) = code.operation() {
        let is_narrow = ty.is_int() && ty.size() < 8;
        return is_narrow.then_some(ty);
    }
    match code {
        Code::Negs
        | Code::Subs
        | Code::Divs
        | Code::Mods
        | Code::Addos
        | Code::Subos
        | Code::Mulos => Some(Type::I32),
        Code::Udivs | Code::Umods | Code::Umulos => Some(Type::U32),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Extensions;
    use crate::ir::{Code, Type};
    use crate::num::fold;

    type Extension = (Type, fn(i64) -> i64);

    /// The extensions and their types.
    const EXTENSIONS: [Extension; 6] = [
        (Type::I8, fold::ext8),
        (Type::U8, fold::uext8),
        (Type::I16, fold::ext16),
        (Type::U16, fold::uext16),
        (Type::I32, fold::ext32),
        (Type::U32, fold::uext32),
    ];

    /// Numbers at the ends of all types.
    fn numbers() -> impl Iterator<Item = i64> {
        let powers = [0, 7, 8, 15, 16, 31, 32, 62, 63].map(|bits| (1_u64 << bits) as i64);
        let around = |power: i64| [power.wrapping_sub(1), power, power.wrapping_add(1)];
        let both = move |number: i64| [number, number.wrapping_neg()];
        powers.into_iter().flat_map(around).flat_map(both)
    }

    #[test]
    fn a_constant_is_the_extension_of_the_types_that_leave_it_as_it_is() {
        for number in numbers() {
            for (ty, extend) in EXTENSIONS {
                let is = Extensions::of_constant(number).has(ty);
                assert_eq!(is, extend(number) == number, "{number:#x} {ty:?}");
            }
        }
    }

    #[test]
    fn a_type_has_the_values_of_those_inside_it() {
        for (inner, narrow) in EXTENSIONS {
            for (outer, extend) in EXTENSIONS {
                let has_all = numbers().all(|number| extend(narrow(number)) == narrow(number));
                assert_eq!(
                    Extensions::of(inner).has(outer),
                    has_all,
                    "{inner:?} {outer:?}"
                );
            }
            assert!(Extensions::of(inner).has(Type::I64));
        }
    }

    #[test]
    fn a_result_is_the_extension_of_what_is_said() {
        let codes = [
            (Code::And, fold::and as fn(i64, i64) -> i64),
            (Code::Ands, fold::ands),
            (Code::Ursh, fold::ursh),
            (Code::Urshs, fold::urshs),
            (Code::Adds, fold::adds),
        ];
        for (code, compute) in codes {
            for constant in numbers() {
                for (ty, extend) in EXTENSIONS {
                    if Extensions::of_result(code, Some(constant)).has(ty) {
                        for value in numbers() {
                            let result = compute(value, constant);
                            assert_eq!(extend(result), result, "{code:?} {value:#x} {constant:#x}");
                        }
                    }
                }
            }
        }
        assert!(Extensions::of_result(Code::Deq, None).has(Type::I8));
    }
}
