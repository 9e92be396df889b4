//! Proofs: what must hold of a value where it is used.

use super::graph::Lists;
use super::interval::Interval;
use super::most_pairs;
use super::state::{Goal, Pending, Purpose, UNSET, Verifier};
use super::terms::{Access, Kind, Part, Value};
use super::unproven;
use crate::codegen::helper::Helper;
use crate::machine::{FrameId, FrameKind, InsnId, Symbol};
use crate::mem::{OutOfMemory, Vec};
use crate::target::error::Error;

/// The bytes of a row of the table of functions.
const ROW: u64 = 16;

impl<'m> Verifier<'_, 'm> {
    /// Walks to prove each use of a value.
    pub(super) fn prove(&mut self) -> Result<(), Error> {
        self.purpose = Purpose::Prove;
        self.walk()
    }

    /// Walks to prove what is pending. Returns an instruction for which something is still, if
    /// there is one.
    pub(super) fn follow(&mut self) -> Result<Option<InsnId>, Error> {
        self.purpose = Purpose::Follow;
        let Some(first) = self.pending.first().map(|pending| pending.insn) else {
            return Ok(None);
        };
        let allocator = self.function.allocator();
        let pending = core::mem::replace(&mut self.pending, Vec::new(allocator));
        let mut pairs = Vec::new(allocator);
        for (number, one) in (0..).zip(&pending) {
            pairs.push((one.edge, number))?;
        }
        self.pending_of = Lists::new(&pairs, self.graph.edges.len(), allocator)?;
        self.followed = pending;
        self.walk()?;
        Ok((!self.pending.is_empty()).then_some(first))
    }

    /// Proves what is pending on an edge, at the end of the block that it leaves.
    pub(super) fn prove_pending(&mut self, edge: u32) -> Result<(), Error> {
        for place in 0..self.pending_of.of(edge).len() {
            let one = self.followed[self.pending_of.of(edge)[place] as usize];
            let now = self.terms.now();
            self.learn_from(edge)?;
            let value = self.resolved(one.value)?;
            if !core::mem::take(&mut self.is_dead) {
                self.prove_or_defer(one.insn, value, one.goal)?;
            }
            self.terms.go_back(now);
        }
        Ok(())
    }

    /// Proves that the count register is what it is taken to be where control takes an edge.
    pub(super) fn prove_count(&mut self, edge: u32, value: Value, most: u64) -> Result<(), Error> {
        let now = self.terms.now();
        self.learn_from(edge)?;
        let interval = self.terms.interval(value).plus(u64::MAX);
        let is_proven = core::mem::take(&mut self.is_dead) || interval.is_within(most - 1);
        self.terms.go_back(now);
        let block = self.graph.blocks[self.block as usize];
        match self.function.block(block).last() {
            Some(insn) if !is_proven => Err(unproven(insn)),
            _ => Ok(()),
        }
    }

    /// Proves a use of a value by an instruction, if this is the walk for that.
    pub(super) fn prove_goal(
        &mut self,
        insn: InsnId,
        value: Value,
        goal: Goal,
    ) -> Result<(), Error> {
        match self.purpose {
            Purpose::Prove => self.prove_or_defer(insn, value, goal),
            Purpose::Collect | Purpose::Follow => Ok(()),
        }
    }

    fn prove_or_defer(&mut self, insn: InsnId, value: Value, goal: Goal) -> Result<(), Error> {
        if self.holds(value, goal)? || self.defer(insn, value, goal)? {
            return Ok(());
        }
        Err(unproven(insn))
    }

    fn holds(&mut self, value: Value, goal: Goal) -> Result<bool, OutOfMemory> {
        Ok(match goal {
            _ if self.terms.is_contradicted(value) => true,
            Goal::Access(bytes, access) => self.may_access(value, bytes, access)?,
            Goal::Stack => {
                let low = self.confinement.stack_low;
                let room = self.confinement.stack_high.wrapping_sub(low);
                let interval = self.terms.interval(value).plus(low.wrapping_neg());
                interval.is_within(room)
            }
            Goal::EntryStack => value == self.entry_stack,
            Goal::Callee => {
                let kind = self.terms.single(value).map(|atom| atom.kind);
                let is_function =
                    matches!(kind, Some(Kind::Callee | Kind::Symbol(Symbol::Callee(_))));
                is_function && value.offset == 0
            }
            Goal::Index(count) => match count.checked_sub(1) {
                Some(last) => self.terms.interval(value).is_within(last),
                None => false,
            },
        })
    }

    /// Has a use proven at the ends of the blocks before one where values meet, for each of them.
    /// Returns false if no value in it meets others so that that can be done.
    fn defer(&mut self, insn: InsnId, value: Value, goal: Goal) -> Result<bool, Error> {
        for part in self.terms.parts(value.term) {
            let atom = *self.terms.atom(part.atom);
            // The entry of the function has values that come from no block.
            let (Kind::Phi(number), 1..) = (atom.kind, atom.block) else {
                continue;
            };
            let Some((value, goal)) = self.at_meeting(value, goal, part)? else {
                continue;
            };
            let phi = self.phis[number as usize];
            for place in 0..phi.count {
                let operand = self.operands[(phi.first + place) as usize];
                if operand == UNSET {
                    continue;
                }
                let Some(value) = self.replaced(value, part, operand)? else {
                    return Ok(false);
                };
                let edge = self.graph.incoming.of(phi.block)[place as usize];
                let one = Pending {
                    edge,
                    value,
                    goal,
                    insn,
                };
                self.pending.push(one)?;
            }
            if self.pending.len() > most_pairs(self.function.insn_count()) {
                return Err(Error::Budget);
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// Returns what suffices for a goal and has, besides a phi, only what is computed before the
    /// phi's block, so that it is the same at the ends of the blocks before: an access for all that
    /// the rest of the address can be, instead of for what it is.
    fn at_meeting(
        &mut self,
        value: Value,
        goal: Goal,
        phi: Part,
    ) -> Result<Option<(Value, Goal)>, OutOfMemory> {
        let block = self.terms.atom(phi.atom).block;
        let (mut kept, mut rest) = (value, Value::constant(0));
        for part in self.terms.parts(value.term) {
            let other = *self.terms.atom(part.atom);
            if part == phi || self.graph.dominates_strictly(other.block, block) {
                continue;
            }
            let atom = self.terms.of_atom(part.atom);
            let moved = self.terms.combine(rest, atom, part.factor)?;
            let left = self.replaced(kept, part, Value::constant(0))?;
            let (Some(moved), Some(left)) = (moved, left) else {
                return Ok(None);
            };
            (kept, rest) = (left, moved);
        }
        let interval = self.terms.interval(rest);
        Ok(match goal {
            Goal::Access(bytes, access) => (bytes.checked_add(interval.span))
                .map(|bytes| (kept.plus(interval.start), Goal::Access(bytes, access))),
            _ if rest.term == 0 => Some((value, goal)),
            _ => None,
        })
    }

    /// Returns whether an access is proven.
    fn may_access(
        &mut self,
        address: Value,
        bytes: u64,
        access: Access,
    ) -> Result<bool, OutOfMemory> {
        let address = self.unmasked(address)?;
        let offset = self.terms.combine(address, self.memory, -1)?;
        let offset = offset.map(|offset| self.terms.interval(offset));
        if offset.is_some_and(|offset| is_room(offset, bytes, self.confinement.bytes))
            || self.is_word(address, bytes, access)
        {
            return Ok(true);
        }
        for part in self.terms.parts(address.term) {
            if part.factor != 1 {
                continue;
            }
            let kind = self.terms.atom(part.atom).kind;
            let rest = self.replaced(address, part, Value::constant(0))?;
            if let Some(rest) = rest
                && self.is_in(kind, rest, bytes, access)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns an address without masks that are known to keep all bits.
    fn unmasked(&mut self, mut address: Value) -> Result<Value, OutOfMemory> {
        for part in self.terms.parts(address.term) {
            if let Some(kept) = self.kept_by_mask(part)
                && let Some(replaced) = self.replaced(address, part, kept)?
            {
                address = replaced;
            }
        }
        Ok(address)
    }

    /// Returns the value that an atom is, if it is that value with a mask that is known to keep all
    /// bits: 0 minus a comparison that holds.
    fn kept_by_mask(&self, part: Part) -> Option<Value> {
        let Kind::And(a, b) = self.terms.atom(part.atom).kind else {
            return None;
        };
        let keeps = |mask: &Value| {
            let mut parts = self.terms.parts(mask.term);
            let (Some(part), None) = (parts.next(), parts.next()) else {
                return false;
            };
            let kind = self.terms.atom(part.atom).kind;
            match (kind, part.factor, mask.offset) {
                (Kind::Comparison(predicate, x, y), -1, 0) => {
                    self.decide(predicate, x, y) == Some(true)
                }
                (Kind::LowComparison(predicate, x, y), -1, 0) => self.holds_low(predicate, x, y),
                _ => false,
            }
        };
        match (keeps(&b), keeps(&a)) {
            (true, _) => Some(a),
            (_, true) => Some(b),
            _ => None,
        }
    }

    /// Returns whether an access reads one of the host's words. Stores of a new stack pointer are
    /// proven where they are, as what they store has to be: one whose address is not plain there,
    /// or of another kind, is none.
    fn is_word(&self, address: Value, bytes: u64, access: Access) -> bool {
        let limits = self.confinement;
        let words = [
            limits.stack_pointer,
            limits.failed,
            limits.functions,
            limits.functions_bytes,
        ];
        // Code that is made ahead has no others than the first two.
        let words = match limits.symbols() {
            Some(_) => &words[..2],
            None => &words[..],
        };
        let address = self.host_address(address);
        let is_read = bytes == 8 && access == Access::Read;
        is_read && address.is_some_and(|address| words.contains(&address))
    }

    /// Returns the address of the host that a value is, if it is known as
    /// [`Confinement`](crate::ir::Confinement) has them: a constant, or ahead a distance.
    pub(super) fn host_address(&self, address: Value) -> Option<u64> {
        (address.term == self.memory.term).then_some(address.offset)
    }

    /// Returns whether an access is within what an atom of its address leads to, so many bytes
    /// after that.
    fn is_in(&self, kind: Kind, rest: Value, bytes: u64, access: Access) -> bool {
        let interval = self.terms.interval(rest);
        match kind {
            Kind::Frame(frame) => {
                let room = self
                    .function
                    .frame
                    .get(frame)
                    .map_or(0, |object| object.bytes);
                is_room(interval, bytes, room.into())
                    && (access == Access::Read || self.may_write_frame(frame))
            }
            Kind::StackPointer => is_room(interval, bytes, self.function.outgoing_bytes.into()),
            Kind::Symbol(Symbol::Helper(id)) => match Helper::of(id) {
                Some(Helper::FuelWord) => is_room(interval, bytes, 8),
                Some(Helper::StackWord) => is_room(interval, bytes, 8) && access == Access::Read,
                _ => false,
            },
            Kind::Caller(room, admitted) => {
                is_room(interval, bytes, room.into()) && access <= admitted
            }
            Kind::Window(room, admitted) => is_room(interval, bytes, room) && access <= admitted,
            Kind::Functions => {
                access == Access::Read
                    && self.row_offset(rest).is_some_and(|offset| {
                        offset.checked_add(bytes).is_some_and(|end| end <= ROW)
                    })
            }
            Kind::Block(length, admitted) => {
                access <= admitted && self.is_in_block(rest, bytes, length)
            }
            _ => false,
        }
    }

    /// Returns whether a frame object may be written: addresses that the caller passed on the stack
    /// are relied on.
    pub(super) fn may_write_frame(&self, frame: FrameId) -> bool {
        let is_incoming = matches!(self.frame_kind(frame), Some(FrameKind::Incoming(_)));
        self.lent_places.is_empty() || !is_incoming
    }

    /// Returns the offset in its row of an offset in the table of functions, if it is proven that
    /// there is such a row.
    fn row_offset(&self, offset: Value) -> Option<u64> {
        if let Some(offset) = offset.as_constant() {
            // The table consists of whole rows.
            let start = offset - offset % ROW;
            let (least, _) = self.terms.interval(self.functions_bytes).bounds();
            return (least > start).then_some(offset - start);
        }
        let known = self.terms.known(offset.term);
        let multiple = known.multiple?;
        if let Some(bytes) = self.functions_bytes.as_constant() {
            // The table consists of whole rows: one that begins below its end ends there too.
            let start = self.terms.interval(Value {
                offset: multiple,
                ..offset
            });
            return is_room(start, 1, bytes).then(|| offset.offset.wrapping_sub(multiple));
        }
        let (start, end) = known.below?;
        let is_start = multiple.wrapping_sub(start).is_multiple_of(ROW);
        (is_start && end == self.functions_bytes).then(|| offset.offset.wrapping_sub(start))
    }

    /// Returns whether an address is so many bytes after the start of a row of the table of
    /// functions.
    pub(super) fn is_row(&mut self, address: Value, bytes: u64) -> bool {
        let table = self.functions;
        let rest = self.terms.combine(address, table, -1);
        let Ok(Some(rest)) = rest else {
            return false;
        };
        self.row_offset(rest) == Some(bytes)
    }

    /// Returns whether an access at an offset is within a block of this length: the offset, less a
    /// constant, is below the length plus another.
    fn is_in_block(&self, offset: Value, bytes: u64, length: Value) -> bool {
        let known = self.terms.known(offset.term);
        let Some((start, end)) = known.below.filter(|(_, end)| end.term == length.term) else {
            return false;
        };
        let after = offset.offset.wrapping_sub(start).cast_signed();
        let more = end.offset.wrapping_sub(length.offset).cast_signed();
        // The sum of the length and the constant must be what it is without a modulus.
        let (low, high) = self.terms.interval(length).bounds();
        let is_sum = i128::from(low) + i128::from(more) >= 0
            && i128::from(high) + i128::from(more) <= i128::from(u64::MAX);
        let end = i128::from(after) + i128::from(more) - 1 + i128::from(bytes);
        after >= 0 && is_sum && end <= 0
    }
}

/// Returns whether so many bytes are within as many as there are, wherever in an interval they are.
fn is_room(offset: Interval, bytes: u64, room: u64) -> bool {
    match room.checked_sub(bytes) {
        Some(most) => offset.is_within(most),
        None => false,
    }
}
