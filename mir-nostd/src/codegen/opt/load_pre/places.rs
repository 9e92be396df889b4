//! The places that loads and stores name: what is added up to their addresses, and which have no
//! byte in common.

use super::{Edge, Event, Search};
use crate::codegen::analysis::phis::{is_phi, value_from};
use crate::codegen::analysis::private_data::Data;
use crate::machine::{BlockId, FrameId, Function, Generic, InsnId, LowType, Symbol, VReg};
use crate::mem::Entity;

/// The most constants that are added to a register of an address one after the other.
pub(super) const MOST_ADDED: usize = 4;
/// The most registers that an address is traced back to.
const MOST_ORIGINS: usize = 12;

/// The base of an address.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Base {
    /// A register of SSA form.
    Register(VReg),
    /// The address of something outside the function.
    Symbol(Symbol),
    /// Data of the module.
    Data(Data),
    /// A frame object.
    Frame(FrameId),
    /// The arguments of calls on the stack.
    Outgoing,
}

/// A place in memory.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Place {
    pub(super) base: Base,
    pub(super) index: Option<VReg>,
    pub(super) scale: i32,
    pub(super) disp: i64,
    pub(super) bytes: u32,
}

impl Place {
    /// Returns the registers of its address.
    pub(super) fn registers(&self) -> impl Iterator<Item = VReg> {
        let base = match self.base {
            Base::Register(vreg) => Some(vreg),
            _ => None,
        };
        [base, self.index].into_iter().flatten()
    }
}

impl Search<'_, '_> {
    /// Returns the place that an access names.
    pub(super) fn place(&self, function: &Function<'_>, insn: InsnId) -> Option<Place> {
        let &[_, base, index, scale, disp] = function.operands(insn) else {
            return None;
        };
        let index = match (index.vreg(), index.as_reg()) {
            (None, Some(reg)) if reg.is_none() => None,
            (Some(index), _) => Some(index),
            _ => return None,
        };
        let base = match (base.vreg(), base.as_reg(), base.as_frame()) {
            (Some(vreg), ..) => Base::Register(vreg),
            (None, Some(reg), _) if reg == self.isa.registers().stack_pointer => Base::Outgoing,
            (.., Some(frame)) => Base::Frame(frame),
            _ => return None,
        };
        let place = Place {
            base,
            index,
            scale: scale.small()?,
            disp: function.immediate(disp)?,
            bytes: function.insn(insn).ty.bytes(),
        };
        self.in_roots(function, place)
    }

    /// Returns the same place with the constants that were added to its registers in the
    /// displacement; `None` if that would be too large.
    fn in_roots(&self, function: &Function<'_>, mut place: Place) -> Option<Place> {
        for _ in 0..MOST_ADDED {
            let Base::Register(base) = place.base else {
                break;
            };
            if let Some(symbol) = self.symbol(function, base) {
                place.base = self.symbol_base(symbol);
            } else if let Some((root, added)) = self.sum(function, base) {
                place.base = Base::Register(root);
                place.disp = place.disp.checked_add(added)?;
            } else {
                break;
            }
        }
        for _ in 0..MOST_ADDED {
            let Some(index) = place.index else {
                break;
            };
            let scaled = |by: i64| {
                by.checked_mul(i64::from(place.scale))?
                    .checked_add(place.disp)
            };
            if let Some((root, added)) = self.sum(function, index) {
                (place.index, place.disp) = (Some(root), scaled(added)?);
            } else if let Some(value) = self.constant(function, index) {
                (place.index, place.disp, place.scale) = (None, scaled(value)?, 1);
            } else {
                break;
            }
        }
        Some(place)
    }

    /// Returns the register and the constant of which a register is the 64-bit sum.
    pub(super) fn sum(&self, function: &Function<'_>, vreg: VReg) -> Option<(VReg, i64)> {
        let insn = self.definition(vreg)?;
        let row = function.insn(insn);
        let &[_, of, by] = function.operands(insn) else {
            return None;
        };
        let is_sum = row.opcode.generic() == Some(Generic::Add) && row.ty == LowType::S64;
        let added = function.immediate(by).filter(|_| is_sum)?;
        Some((of.vreg()?, added))
    }

    /// Returns the constant that a register holds.
    fn constant(&self, function: &Function<'_>, vreg: VReg) -> Option<i64> {
        let insn = self.definition(vreg)?;
        let is_constant = function.insn(insn).opcode.generic() == Some(Generic::Constant);
        let value = function.operands(insn).get(1).filter(|_| is_constant)?;
        function.immediate(*value)
    }

    /// Returns the symbol whose address a register holds.
    pub(super) fn symbol(&self, function: &Function<'_>, vreg: VReg) -> Option<Symbol> {
        let insn = self.definition(vreg)?;
        let is_address = function.insn(insn).opcode.generic() == Some(Generic::GlobalValue);
        let symbol = function.operands(insn).get(1)?.as_symbol()?;
        is_address.then(|| function.symbol(symbol))
    }

    /// Returns the base that a symbol is.
    pub(super) fn symbol_base(&self, symbol: Symbol) -> Base {
        self.data
            .of(symbol)
            .map_or(Base::Symbol(symbol), Base::Data)
    }

    /// Returns whether a block defines a register of an address.
    pub(super) fn defines(&self, function: &Function<'_>, block: BlockId, place: &Place) -> bool {
        let is_here = |insn: InsnId| function.insn(insn).block() == block;
        { place.registers() }.any(|vreg| self.definition(vreg).is_none_or(is_here))
    }

    /// Returns the edge from a block to one that follows it for a place at the start of that: PHIs
    /// are their values from there. `None` if the block computes a register of the address.
    pub(super) fn name_in(
        &self,
        function: &Function<'_>,
        place: &Place,
        block: BlockId,
        from: BlockId,
    ) -> Option<Edge> {
        let value = |vreg: VReg| {
            let insn = self.definition(vreg)?;
            if function.insn(insn).block() != block {
                return Some(vreg);
            }
            // Something has to be stored at an address of the next iteration.
            let is_stored = self.is_across && self.stored[vreg.index()];
            let is_stepped = is_stored && is_phi(function, insn);
            let value = is_stepped.then(|| value_from(function, insn, from))??;
            value.vreg()
        };
        let mut edge = Edge::new(from, block, place);
        if let Base::Register(base) = place.base {
            edge.base = Some(value(base)?);
            edge.place.base = Base::Register(value(base)?);
        }
        if let Some(index) = place.index {
            edge.place.index = Some(value(index)?);
        }
        if edge.place != *place {
            edge.place = self.in_roots(function, edge.place)?;
        }
        Some(edge)
    }

    /// Returns whether two places certainly have no byte in common.
    pub(super) fn is_apart(&self, a: &Place, b: &Place) -> bool {
        if a.base == Base::Outgoing || b.base == Base::Outgoing {
            return true;
        }
        if a.base != b.base && (self.is_private(a.base) || self.is_private(b.base)) {
            return true;
        }
        let is_beside = a.base == b.base && a.index == b.index && a.scale == b.scale;
        let (Some(a_end), Some(b_end)) = (
            a.disp.checked_add(i64::from(a.bytes)),
            b.disp.checked_add(i64::from(b.bytes)),
        ) else {
            return false;
        };
        is_beside && (a_end <= b.disp || b_end <= a.disp)
    }

    /// Returns whether a place is certainly part of the data or frame object that it names.
    pub(super) fn is_inside(&self, function: &Function<'_>, place: &Place) -> bool {
        self.inner_bytes(place, function).is_some_and(|bytes| {
            let end = place.disp.checked_add(i64::from(place.bytes));
            let end = end.and_then(|end| u64::try_from(end).ok());
            place.index.is_none() && place.disp >= 0 && end.is_some_and(|end| end <= bytes)
        })
    }

    /// Returns the size of the data or frame object that a place names, as far as it is known.
    fn inner_bytes(&self, place: &Place, function: &Function<'_>) -> Option<u64> {
        match place.base {
            Base::Frame(frame) => Some(u64::from(function.frame[frame].bytes)),
            Base::Data(data) => self.data.bytes_from(data),
            _ => None,
        }
    }

    fn is_private(&self, base: Base) -> bool {
        match base {
            Base::Frame(frame) => self.private.get(frame.index()) == Some(&true),
            _ => false,
        }
    }

    fn is_private_item(&self, base: Base) -> bool {
        matches!(base, Base::Data(data) if self.data.is_private(data))
    }

    /// Returns whether calls neither change a place nor have to come before it is read.
    pub(super) fn is_left_alone(&self, function: &Function<'_>, place: &Place) -> bool {
        self.is_private(place.base) && self.is_inside(function, place)
    }

    /// Returns whether a place is certainly part of the data of the module that it names.
    pub(super) fn is_in_data(&self, function: &Function<'_>, place: &Place) -> bool {
        matches!(place.base, Base::Data(_)) && self.is_inside(function, place)
    }

    /// Returns whether two accesses are certainly to different pieces of data. One that names
    /// private data leads to nothing else, as nobody subtracts that address.
    pub(super) fn is_other_data(&self, a: &Event, b: &Event) -> bool {
        let (Some(left), Some(right)) = (a.place, b.place) else {
            return false;
        };
        left.base != right.base
            && (self.is_private_item(left.base) && !b.may_be_private
                || self.is_private_item(right.base) && !a.may_be_private
                || a.is_in_data && b.is_in_data)
    }

    /// Finds the accesses whose addresses are not computed from those of private data.
    pub(super) fn trace(&mut self, function: &Function<'_>) {
        let is_private = |event: &Event| {
            let base = event.place.map(|place| place.base);
            base.is_some_and(|base| self.is_private_item(base))
        };
        if !self.events.iter().any(is_private) {
            return;
        }
        for number in 0..self.events.len() {
            if let Some(place) = self.events[number].place {
                let base = match place.base {
                    Base::Register(vreg) => Some(vreg),
                    _ => None,
                };
                let may_be_private = self.may_be_private(function, [base, place.index]);
                self.events[number].may_be_private = may_be_private;
            }
        }
    }

    /// Returns whether registers may have been computed from the address of private data, which is
    /// never in memory and never passed.
    fn may_be_private(&self, function: &Function<'_>, registers: [Option<VReg>; 2]) -> bool {
        let mut origins: heapless::Vec<VReg, MOST_ORIGINS> = heapless::Vec::new();
        for vreg in registers.into_iter().flatten() {
            if origins.push(vreg).is_err() {
                return true;
            }
        }
        let mut next = 0;
        while let Some(&vreg) = origins.get(next) {
            next += 1;
            let Some(insn) = self.definition(vreg) else {
                return true;
            };
            use Generic as G;
            match function.insn(insn).opcode.generic() {
                None => return true,
                Some(G::Load | G::SextLoad | G::ZextLoad) => continue,
                _ => {}
            }
            for &operand in function.operands(insn) {
                if let Some(symbol) = operand.as_symbol()
                    && self.is_private_item(self.symbol_base(function.symbol(symbol)))
                {
                    return true;
                }
                if let Some(vreg) = operand.read_vreg()
                    && !origins.contains(&vreg)
                    && origins.push(vreg).is_err()
                {
                    return true;
                }
            }
        }
        false
    }
}
