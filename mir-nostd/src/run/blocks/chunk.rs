//! The code of one version of a block: its instructions, thunks to other versions, constants and
//! tables.

use super::super::job::Job;
use super::super::places::Places;
use super::super::properties::Properties;
use super::super::references::Reference;
use super::super::shared::Shared;
use super::super::trace::piece_of;
use super::{Blocks, NONE};
use crate::codegen::{self, Error, FixupTarget, Phase};
use crate::machine::{BlockId, Generic, InsnId, IntPredicate, Operand, TableId};
use crate::mem::{Entity, Vec};
use crate::target::{InsnFlags, Isa};

/// Thunks begin at multiples of this.
const THUNK_ALIGN: usize = 16;

/// The way in which an instruction uses a block.
#[derive(Clone, Copy)]
pub(super) enum Use {
    /// It goes there, properties being those of this set.
    Branch(u32),
    /// It takes the address.
    Address,
}

/// The way from a version to others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Exits {
    /// Branches to those that are made, thunks to the others.
    Direct,
    /// Thunks to all.
    Thunks,
}

/// The bytes of a version before they have an address.
struct Chunk<'m> {
    bytes: Vec<'m, u8>,
    /// The offset of the block's code.
    start: u32,
    exits: Exits,
    /// The offsets of the thunks, by version.
    thunks: Places<'m, u32>,
    /// The offsets of constants and tables.
    parts: Places<'m, FixupTarget>,
    /// The tables, with the set of properties under which control goes through them.
    tables: Vec<'m, (TableId, u32)>,
}

/// A block and a set of properties.
type Successor = (BlockId, u32);

impl<'m> Blocks<'m> {
    /// Makes the code of a block under a set of properties; returns its address.
    pub(super) fn make_chunk(
        &mut self,
        job: &Job<'m>,
        block: BlockId,
        set: u32,
        exits: Exits,
    ) -> Result<usize, Error> {
        let shared = job.shared();
        let falls_to = self.encode(job, block, set)?;
        self.code.settle(shared.isa, 0, &mut [])?;
        let mut chunk = self.lay_out(job, falls_to, exits)?;
        let mut bytes = core::mem::replace(&mut chunk.bytes, Vec::new(shared.allocator));
        let run = self.place(shared, &mut bytes, |this, bytes, base| {
            this.connect(job, &chunk, bytes, base)?;
            this.fill_tables(job, &chunk, bytes, base)?;
            this.refer(job, &chunk, bytes)
        })?;
        let start = run + chunk.start as usize;
        let length = bytes.len() - chunk.start as usize;
        self.note(job, (start, start + length))?;
        let number = block.index() as u32;
        shared.made(job.callable(), start, length, Some(number));
        Ok(start)
    }

    /// Notes the calls in code that was just made, if the program is confined.
    fn note(&self, job: &Job<'m>, addresses: (usize, usize)) -> Result<(), Error> {
        if self.code.sites.is_empty() {
            return Ok(());
        }
        let (shared, sites) = (job.shared(), &self.code.sites);
        let piece = piece_of(shared.allocator, job.callable(), addresses, sites)?;
        Ok(shared.note_piece(&mut shared.traced().lock(), piece)?)
    }

    // ---- instructions

    /// Writes the instructions of a block; returns where control goes after them, if it goes on.
    fn encode(
        &mut self,
        job: &Job<'m>,
        block: BlockId,
        set: u32,
    ) -> Result<Option<Successor>, Error> {
        let isa: &dyn Isa = job.shared().isa;
        self.code.clear();
        self.uses.clear();
        let known = self
            .sets
            .get(set as usize)
            .ok_or(Phase::Placement.internal(None))?;
        let mut properties = known.copy()?;
        let mut set = set;
        let mut next = self.function.block(block).first();
        let mut goes_on = true;
        while let Some(insn) = next {
            let row = self.function.insn(insn);
            next = row.next();
            let flags = codegen::flags(isa, row);
            goes_on = !flags.contains(InsnFlags::BARRIER);
            if row.opcode.generic().is_some_and(Generic::is_property) {
                if let Some(target) = self.follow(insn, &mut properties)? {
                    return Ok(Some((target, set)));
                }
                set = self.set(&properties)?;
                goes_on = true;
                continue;
            }
            if let (None, false, Some(target)) = (next, goes_on, self.jump_target(insn, flags)) {
                let version = self.version(job, target, set)?;
                if self.address(version).is_none() {
                    return Ok(Some((target, set)));
                }
            }
            isa.encode(&mut self.code, &self.function, insn)?;
            self.code.note_site(&self.function, insn)?;
            let of = match flags.contains(InsnFlags::TERMINATOR) {
                true => Use::Branch(set),
                false => Use::Address,
            };
            self.uses.resize(self.code.fixups.len(), of)?;
        }
        match (goes_on, self.following.get(block.index())) {
            (false, _) => Ok(None),
            (true, Some(&Some(next))) => Ok(Some((next, set))),
            (true, _) => Err(Phase::Placement.internal(None)),
        }
    }

    /// Returns the target of an unconditional jump.
    fn jump_target(&self, insn: InsnId, flags: InsnFlags) -> Option<BlockId> {
        let target = self.function.operands(insn).first()?.as_block()?;
        flags.contains(InsnFlags::BRANCH).then_some(target)
    }

    /// Does what an instruction says about properties; returns where it goes, if it does.
    fn follow(
        &self,
        insn: InsnId,
        properties: &mut Properties<'m>,
    ) -> Result<Option<BlockId>, Error> {
        let function = &self.function;
        let number = |operand: Operand| {
            let number = operand.small().ok_or(Phase::Placement.internal(None))?;
            Ok::<_, Error>(number.cast_unsigned())
        };
        let immediate = |operand| {
            function
                .immediate(operand)
                .ok_or(Phase::Placement.internal(None))
        };
        match (
            function.insn(insn).opcode.generic(),
            function.operands(insn),
        ) {
            (Some(Generic::PropertySet), &[variable, value]) => {
                properties.set(number(variable)?, immediate(value)?)?;
            }
            (Some(Generic::PropertyMove), &[to, from]) => {
                let value = properties.get(number(from)?);
                properties.set(number(to)?, value)?;
            }
            (Some(Generic::PropertyBranch), &[predicate, variable, value, target]) => {
                let is_equal = properties.get(number(variable)?) == immediate(value)?;
                let wanted = predicate.as_int_predicate() == Some(IntPredicate::Eq);
                let target = target.as_block().ok_or(Phase::Placement.internal(None))?;
                return Ok((is_equal == wanted).then_some(target));
            }
            _ => return Err(Phase::Placement.internal(None)),
        }
        Ok(None)
    }

    // ---- layout

    /// Lays out the code of a block, thunks, constants and tables one after the other. Bytes before
    /// the code make the first thunk, which control may fall into, begin where it must.
    fn lay_out(
        &mut self,
        job: &Job<'m>,
        falls_to: Option<Successor>,
        exits: Exits,
    ) -> Result<Chunk<'m>, Error> {
        let shared = job.shared();
        let mut chunk = self.begin_chunk(shared, exits)?;
        if let Some((block, set)) = falls_to {
            let version = self.version(job, block, set)?;
            self.add_exit(shared, &mut chunk, version)?;
        }
        for number in 0..self.code.fixups.len() {
            let (Some(fixup), Some(&of)) = (self.code.fixups.get(number), self.uses.get(number))
            else {
                return Err(Phase::Placement.internal(None));
            };
            match (fixup.target, of) {
                (FixupTarget::Block(block), Use::Branch(set)) => {
                    self.add_successor(job, &mut chunk, (block, set))?;
                }
                (FixupTarget::Table(table), of) => {
                    let set = match of {
                        Use::Branch(set) => set,
                        Use::Address => NONE,
                    };
                    chunk.tables.push((table, set))?;
                    for place in 0..self.function.table(table).len() {
                        if let Some(&block) = self.function.table(table).get(place) {
                            self.add_successor(job, &mut chunk, (block, set))?;
                        }
                    }
                }
                _ => {}
            }
        }
        self.add_parts(&mut chunk)?;
        Ok(chunk)
    }

    /// Returns a chunk with the code of the block alone.
    fn begin_chunk(&self, shared: &Shared<'m>, exits: Exits) -> Result<Chunk<'m>, Error> {
        let allocator = shared.allocator;
        let length = self.code.bytes.len();
        let filler = length.next_multiple_of(THUNK_ALIGN) - length;
        // Code that must not move is followed by NOPs instead, which control falls through.
        let is_fixed = shared.isa.description().code_align as usize > THUNK_ALIGN;
        let start = if is_fixed { 0 } else { filler };
        let mut bytes = Vec::with_capacity(allocator, length + filler)?;
        bytes.resize(start, 0)?;
        shared.isa.pad(&mut bytes);
        bytes.extend_from_slice(&self.code.bytes)?;
        bytes.resize(length + filler, 0)?;
        if let Some(after) = bytes.get_mut(start + length..) {
            shared.isa.pad(after);
        }
        Ok(Chunk {
            bytes,
            start: start as u32,
            exits,
            thunks: Places::new(allocator),
            parts: Places::new(allocator),
            tables: Vec::new(allocator),
        })
    }

    /// Adds a thunk to a successor, unless code can go there directly.
    fn add_successor(
        &mut self,
        job: &Job<'m>,
        chunk: &mut Chunk<'m>,
        (block, set): Successor,
    ) -> Result<(), Error> {
        let version = self.version(job, block, set)?;
        if chunk.exits == Exits::Thunks || self.address(version).is_none() {
            self.add_exit(job.shared(), chunk, version)?;
        }
        Ok(())
    }

    fn add_exit(
        &self,
        shared: &Shared<'m>,
        chunk: &mut Chunk<'m>,
        version: u32,
    ) -> Result<(), Error> {
        if chunk.thunks.find(version).is_none() {
            chunk.thunks.add(version, chunk.bytes.len() as u32)?;
            self.add_thunk(&mut chunk.bytes, version, shared)?;
        }
        Ok(())
    }

    /// Adds constants and room for tables.
    fn add_parts(&self, chunk: &mut Chunk<'m>) -> Result<(), Error> {
        for fixup in &self.code.fixups {
            if chunk.parts.find(fixup.target).is_some() {
                continue;
            }
            let mut constant: &[u8] = &[];
            let (align, length) = match fixup.target {
                FixupTarget::Constant(id) => {
                    let row =
                        (self.function.constants.get(id)).ok_or(Phase::Placement.internal(None))?;
                    let length = usize::from(row.len);
                    constant = row
                        .bytes
                        .get(..length)
                        .ok_or(Phase::Placement.internal(None))?;
                    (length.max(1), length)
                }
                FixupTarget::Table(table) => (4, 4 * self.function.table(table).len()),
                FixupTarget::Symbol(_) => (8, 8),
                FixupTarget::Block(_) => continue,
            };
            let at = chunk.bytes.len().next_multiple_of(align);
            chunk.parts.add(fixup.target, at as u32)?;
            chunk.bytes.resize(at, 0)?;
            chunk.bytes.extend_from_slice(constant)?;
            chunk.bytes.resize(at + length, 0)?;
        }
        Ok(())
    }

    // ---- addresses

    /// Patches the instructions that refer to something else, now that it is known where the bytes
    /// will run.
    fn connect(
        &self,
        job: &Job<'m>,
        chunk: &Chunk<'m>,
        bytes: &mut [u8],
        base: usize,
    ) -> Result<(), Error> {
        let isa = job.shared().isa;
        for (fixup, &of) in self.code.fixups.iter().zip(&self.uses) {
            let target = match (fixup.target, of) {
                (FixupTarget::Block(block), Use::Branch(set)) => {
                    self.distance(chunk, base, (block, set))
                }
                (FixupTarget::Block(block), Use::Address) => {
                    let label = self.label(block);
                    label.map(|label| (label as i64).wrapping_sub(base as i64))
                }
                (part, _) => chunk.parts.find(part).map(i64::from),
            };
            let mut target = target.ok_or(Phase::Placement.internal(None))?;
            if isa.description().from_start.contains(&fixup.kind) {
                let start = base + chunk.start as usize;
                let moved = base.wrapping_sub(self.first.unwrap_or(start)) as i64;
                target = target.wrapping_add(moved);
            }
            let at = chunk.start + fixup.at;
            let place = bytes
                .get_mut(at as usize..)
                .ok_or(Phase::Placement.internal(None))?;
            if !isa.patch(place, fixup.kind, at, target) {
                return Err(Error::TooLarge);
            }
        }
        Ok(())
    }

    /// Writes the distances of jump tables.
    fn fill_tables(
        &self,
        job: &Job<'m>,
        chunk: &Chunk<'m>,
        bytes: &mut [u8],
        base: usize,
    ) -> Result<(), Error> {
        let is_big_endian = job.shared().isa.target().big_endian;
        for &(table, set) in &chunk.tables {
            let start = chunk.parts.find(FixupTarget::Table(table));
            let start = start.ok_or(Phase::Placement.internal(None))?;
            for (number, &block) in self.function.table(table).iter().enumerate() {
                let target = self.distance(chunk, base, (block, set));
                let distance = target.ok_or(Phase::Placement.internal(None))? - i64::from(start);
                let distance = i32::try_from(distance).map_err(|_| Error::TooLarge)?;
                let word = match is_big_endian {
                    true => distance.to_be_bytes(),
                    false => distance.to_le_bytes(),
                };
                let at = start as usize + 4 * number;
                let place = bytes
                    .get_mut(at..at + 4)
                    .ok_or(Phase::Placement.internal(None))?;
                place.copy_from_slice(&word);
            }
        }
        Ok(())
    }

    /// Writes the addresses of symbols.
    fn refer(&self, job: &Job<'m>, chunk: &Chunk<'m>, bytes: &mut [u8]) -> Result<(), Error> {
        let shared = job.shared();
        let is_big_endian = shared.isa.target().big_endian;
        let relocations = self.code.relocations.iter().map(|relocation| {
            let at = chunk.start + relocation.at;
            (at, relocation.symbol, relocation.addend)
        });
        let parts = chunk.parts.list.iter().filter_map(|&(part, at)| {
            let symbol = match part {
                FixupTarget::Symbol(symbol) => symbol,
                FixupTarget::Constant(constant) => self.function.constants.get(constant)?.symbol?,
                _ => return None,
            };
            Some((at, symbol, 0))
        });
        for (at, symbol, addend) in relocations.chain(parts) {
            let symbol = self.function.symbol(symbol);
            let reference = Reference::new(at, symbol, addend, bytes.len())?;
            let address = shared.address(symbol, job.linked(), |_| None);
            reference.store(bytes, address, is_big_endian);
        }
        Ok(())
    }

    /// Returns how far it is from the start of the bytes to a version: to its code, or to the thunk
    /// that leads there.
    fn distance(&self, chunk: &Chunk<'m>, base: usize, (block, set): Successor) -> Option<i64> {
        let version = self.known(block, set)?;
        match (chunk.exits, self.address(version)) {
            (Exits::Direct, Some(address)) => Some((address as i64).wrapping_sub(base as i64)),
            _ => chunk.thunks.find(version).map(i64::from),
        }
    }
}
