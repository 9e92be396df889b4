//! This module rewrites the intrinsics that clang makes of `arm_neon.h` where that is no plain LLVM
//! IR, as far as programs were found to need them. The Arm Architecture Reference Manual tells what
//! they give, under the instruction. Those whose types no instruction has are left to be refused.

use super::{Rewritten, Scalarizer, number};
use crate::ast::{Binary, Call, Const, Op, Value};
use crate::types::{Type, TypeId};

impl Scalarizer<'_> {
    /// Rewrites an intrinsic; `name` follows `llvm.aarch64.neon.`.
    pub(super) fn neon(&mut self, name: &str, call: &Call, result: TypeId) -> Option<Rewritten> {
        match name.split('.').next()? {
            "ld2" | "ld3" | "ld4" => self.loaded_apart(call, result),
            "vsli" => self.inserted_by_shift(Binary::Shl, call, result),
            "vsri" => self.inserted_by_shift(Binary::Lshr, call, result),
            _ => None,
        }
    }

    /// Loads structures whose members are lanes of a vector each (`LD2` to `LD4`).
    fn loaded_apart(&mut self, call: &Call, result: TypeId) -> Option<Rewritten> {
        let Type::Struct { fields, .. } = self.types.get(result).clone() else {
            return None;
        };
        let (&first, others) = fields.split_first()?;
        let (count, element) = self.vector(first)?;
        let (pointer, base) = Self::scalar_arg(call, 0)?;
        let is_pointer = matches!(self.types.get(pointer), Type::Ptr);
        if !is_pointer || others.iter().any(|&other| other != first) {
            return None;
        }
        let index = self.int(64);
        let mut members = Vec::new();
        for member in 0..fields.len() {
            for lane in 0..count {
                let place = (lane * fields.len() + member) as i128;
                let (base, indices) = (base.clone(), vec![(index, number(place))]);
                let address = Op::Address {
                    element,
                    base,
                    indices,
                };
                let address = self.add(address, pointer);
                let lane = self.add(Op::Load(element, address), element);
                members.push((element, lane));
            }
        }
        Some(Rewritten::Insn(Op::Join(members)))
    }

    /// Shifts the lanes of the second argument by the third one, and fills the places that become
    /// free with bits of the first (`SLI`, `SRI`).
    fn inserted_by_shift(
        &mut self,
        shift: Binary,
        call: &Call,
        result: TypeId,
    ) -> Option<Rewritten> {
        if call.args.iter().take(2).any(|arg| arg.ty != result) {
            return None;
        }
        let (_, element) = self.vector(result)?;
        let bits = self.types.int_width(element)?;
        let (_, Value::Const(Const::Int(by))) = Self::scalar_arg(call, 2)? else {
            return None;
        };
        let by = u32::try_from(by).ok().filter(|&by| by <= bits)?;
        let (to, from) = (self.arg(call, 0)?, self.arg(call, 1)?);
        if by == bits {
            return Some(Rewritten::Lanes(to));
        }
        let all = u128::from(u64::MAX) >> (64 - bits);
        let kept = match shift {
            Binary::Shl => !(all << by) & all,
            _ => !(all >> by) & all,
        };
        let (kept, by) = (number(kept.cast_signed()), number(by.into()));
        let insert = |(to, from): (Value, Value)| {
            let shifted = self.binary(shift, element, from, by.clone());
            let rest = self.binary(Binary::And, element, to, kept.clone());
            self.binary(Binary::Or, element, shifted, rest)
        };
        let lanes = to.into_iter().zip(from).map(insert).collect();
        Some(Rewritten::Lanes(lanes))
    }
}
