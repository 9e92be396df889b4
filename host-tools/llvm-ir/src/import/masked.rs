//! Imports `llvm.masked.*`: loads and stores of the lanes of a vector whose bit in a mask is set.
//! The memory of the others is not touched, so each lane is a branch.

use super::function::{Lower, move_code};
use super::integers::held_of;
use super::parts::Part;
use super::values::Held;
use crate::ast::{Argument, Call, LocalId};
use crate::error::Result;
use crate::types::TypeId;
use mir_nostd::ir::Code;

/// The operands of an intrinsic on memory.
struct Access {
    /// The type of the vector.
    ty: TypeId,
    addresses: Vec<Held>,
    /// True if all addresses are that of the vector, false if each is of a lane.
    in_vector: bool,
    mask: Vec<Held>,
    /// The vector that is stored, or whose lanes are the result where the mask is not set.
    values: Vec<Held>,
}

impl<'s> Lower<'_, 's, '_> {
    /// Imports an intrinsic; returns whether it is one of these.
    pub(super) fn masked(
        &mut self,
        result: Option<LocalId>,
        name: &str,
        call: &'s Call,
    ) -> Result<bool> {
        let Some(name) = name.strip_prefix("masked.") else {
            return Ok(false);
        };
        // Up to LLVM 21 the alignment is an argument of its own, before the mask.
        let is_vector = |arg: &&'s Argument| self.importer.source.types.vector(arg.ty).is_some();
        let vectors: Vec<_> = call.args.iter().filter(is_vector).collect();
        let pointer = call.args.iter().find(|arg| !is_vector(arg));
        let access = match (name.split('.').next(), vectors.as_slice(), pointer) {
            (Some("load"), &[mask, other], Some(pointer)) => self.access([mask, other], pointer)?,
            (Some("store"), &[value, mask], Some(pointer)) => {
                self.access([mask, value], pointer)?
            }
            (Some("gather"), &[pointers, mask, other], _) => {
                self.access([mask, other], pointers)?
            }
            (Some("scatter"), &[value, pointers, mask], _) => {
                self.access([mask, value], pointers)?
            }
            (Some("expandload"), &[mask, other], Some(pointer)) => {
                self.in_turn([mask, other], pointer)?
            }
            (Some("compressstore"), &[value, mask], Some(pointer)) => {
                self.in_turn([mask, value], pointer)?
            }
            _ => return Ok(false),
        };
        let parts = self.importer.parts(access.ty, self.place)?;
        if parts.len() != access.mask.len() {
            return self.unsupported(format!("the intrinsic llvm.masked.{name}"));
        }
        match result {
            Some(result) => self.load_lanes(result, &parts, &access)?,
            None => self.store_lanes(&parts, &access)?,
        }
        Ok(true)
    }

    fn access(&mut self, [mask, values]: [&'s Argument; 2], at: &'s Argument) -> Result<Access> {
        let mut addresses = self.value(at.ty, &at.value)?;
        let mask = self.value(mask.ty, &mask.value)?;
        let in_vector = self.importer.source.types.vector(at.ty).is_none();
        if let [one] = *addresses {
            addresses = vec![one; mask.len()];
        }
        Ok(Access {
            ty: values.ty,
            addresses,
            in_vector,
            mask,
            values: self.value(values.ty, &values.value)?,
        })
    }

    /// Returns the access to lanes that follow each other in memory without those whose bit is not
    /// set: the address of each is behind as many as are set before it.
    fn in_turn(&mut self, arguments: [&'s Argument; 2], at: &'s Argument) -> Result<Access> {
        let mut access = self.access(arguments, at)?;
        let types = &self.importer.source.types;
        let lane = types
            .vector(access.ty)
            .and_then(|(_, lane)| types.bits(lane));
        let bytes = match lane {
            Some(bits) if bits.is_multiple_of(8) => (bits / 8).cast_signed(),
            _ => return self.unsupported("memory of lanes that are no whole bytes"),
        };
        let mut address = self.value(at.ty, &at.value)?.first().copied();
        for (number, bit) in access.mask.clone().into_iter().enumerate() {
            let Some(here) = address else { break };
            if let Some(place) = access.addresses.get_mut(number) {
                *place = here;
            }
            let bit = held_of(self.zero_extended(bit, 1)?);
            let more = self.int_operation(Code::Mul, bit, Held::Int(bytes))?;
            address = Some(self.int_operation(Code::Add, here, more)?);
        }
        access.in_vector = false;
        Ok(access)
    }

    fn load_lanes(&mut self, result: LocalId, parts: &[Part], access: &Access) -> Result<()> {
        let mut lanes = Vec::new();
        for (number, &part) in parts.iter().enumerate() {
            let lane = self.temp(part.kind)?;
            let other = self.operand(access.values[number])?;
            self.emit(move_code(part.kind), (lane, other))?;
            let done = self.new_label()?;
            let bit = self.operand(access.mask[number])?;
            self.emit(Code::Bf, (done, bit))?;
            let loaded =
                self.load_part(placed(part, access.in_vector), access.addresses[number])?;
            self.emit(move_code(part.kind), (lane, loaded))?;
            self.place_label(done)?;
            lanes.push(Held::Reg(lane));
        }
        self.define(result, lanes)
    }

    fn store_lanes(&mut self, parts: &[Part], access: &Access) -> Result<()> {
        for (number, &part) in parts.iter().enumerate() {
            let done = self.new_label()?;
            let bit = self.operand(access.mask[number])?;
            self.emit(Code::Bf, (done, bit))?;
            let (at, value) = (access.addresses[number], access.values[number]);
            self.store_part(placed(part, access.in_vector), at, value)?;
            self.place_label(done)?;
        }
        Ok(())
    }
}

/// Returns where a lane is: in the vector at its address, or at an address of its own.
const fn placed(part: Part, in_vector: bool) -> Part {
    match in_vector {
        true => part,
        false => Part { offset: 0, ..part },
    }
}
