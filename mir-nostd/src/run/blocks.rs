//! A function whose blocks become code when control first comes to them.
//!
//! The function goes through all stages but the last at its first call: all its blocks share one allocation and one frame.
//! What is made later is bytes: a block at a time, in one version per set of properties that variables have where it
//! begins. Each version has an entry, a data word that says where it is. Code that goes to a version made already
//! branches there; code that goes to one not made yet branches to a thunk behind itself, which jumps through that data
//! word: at first to the gate that has the block made, then to the block. So nothing that may be running is changed.
//!
//! A block whose address is taken has one thunk for life; what comes through it knows no properties.

use super::batch::{LabelReference, Reference};
use super::memory::{CodeMemory, Piece};
use super::shared::Shared;
use super::unit::Unit;
use crate::codegen::{self, Code, Error, FaultKind, FixupTarget, LabelAddress, thunk_shift};
use crate::machine::{
    Bank, BlockId, Function, Generic, InsnId, IntPredicate, Operand, TableId, VReg,
};
use crate::mem::{Allocator, Box, Entity, HashKey, HashTable, OutOfMemory, Vec};
use crate::target::{Entry, Incoming, InsnFlags};
use core::sync::atomic::{AtomicUsize, Ordering};

/// Properties that are not 0, by the number of the variable or place in memory.
type Properties<'m> = Vec<'m, (u32, i64)>;

/// The number of the empty set of properties.
const NONE: u32 = 0;

/// Thunks begin at multiples of this.
const THUNK_ALIGN: usize = 16;

/// A set has no more properties than this: others count as 0.
const MOST_PROPERTIES: usize = 16;

/// No version.
const END: u32 = u32::MAX;

/// A block under a set of properties.
struct Version<'m> {
    /// What thunks to it jump through.
    entry: Entry,
    unit: *const Unit<'m>,
    block: BlockId,
    set: u32,
    /// The next version of the block.
    next: u32,
    number: u32,
    /// Where its code is, 0 if it has none yet.
    address: AtomicUsize,
}

/// A function whose blocks become code when control first comes to them.
pub(super) struct Blocks<'m> {
    function: Function<'m>,
    code: Code<'m>,
    /// What the fixups of the code are about.
    uses: Vec<'m, Use>,
    /// The block that comes next in the layout.
    following: Vec<'m, Option<BlockId>>,
    /// The first version of each block.
    heads: Vec<'m, u32>,
    versions: Vec<'m, Box<'m, Version<'m>>>,
    sets: Vec<'m, Properties<'m>>,
    /// Finds sets, but for the empty one.
    set_table: HashTable<'m>,
    /// The thunks of the blocks whose addresses are taken.
    labels: Vec<'m, (BlockId, usize)>,
    pieces: Vec<'m, Piece>,
    uses_floats: bool,
    /// Where the function's first block is, once it is made.
    first: Option<usize>,
}

// SAFETY: the pointers in versions are to units, which are `Sync`.
unsafe impl Send for Blocks<'_> {}

/// How an instruction refers to a block.
#[derive(Clone, Copy)]
enum Use {
    /// It goes there, properties being those of this set.
    Branch(u32),
    /// It takes the address.
    Address,
}

/// What is made of a version, before it has an address.
struct Chunk<'m> {
    bytes: Vec<'m, u8>,
    /// Where the code of the block begins.
    start: u32,
    /// The versions that there are thunks to, and where.
    exits: Places<'m, u32>,
    /// Where constants and tables are.
    parts: Places<'m, FixupTarget>,
    /// The tables, with the set of properties under which control goes through them.
    tables: Vec<'m, (TableId, u32)>,
}

/// Where the parts of a chunk are, each with its key.
struct Places<'m, K> {
    list: Vec<'m, (K, u32)>,
    /// Finds keys in the list, if they are more than a few.
    table: HashTable<'m>,
}

/// How many keys are looked for one by one.
const FEW: usize = 8;

impl<'m, K: Key> Places<'m, K> {
    const fn new(allocator: &'m dyn Allocator) -> Self {
        Places {
            list: Vec::new(allocator),
            table: HashTable::new(allocator),
        }
    }

    fn find(&self, key: K) -> Option<u32> {
        if self.list.len() <= FEW {
            let found = self.list.iter().find(|&&(of, _)| of == key);
            return found.map(|&(_, at)| at);
        }
        let is_it = |number: u32| self.list[number as usize].0 == key;
        let number = self.table.find(key.hash(), is_it)?;
        Some(self.list[number as usize].1)
    }

    /// Adds a key that is not there.
    fn add(&mut self, key: K, at: u32) -> Result<(), OutOfMemory> {
        self.list.push((key, at))?;
        let len = self.list.len();
        let unknown = match len.checked_sub(FEW + 1) {
            None => len..len,
            Some(0) => 0..len,
            Some(_) => len - 1..len,
        };
        for number in unknown {
            self.table
                .insert(self.list[number].0.hash(), number as u32)?;
        }
        Ok(())
    }
}

/// A part that [`Places`] finds.
trait Key: Copy + Eq {
    /// A number that no other key of the type has.
    fn word(self) -> u64;

    fn hash(self) -> u32 {
        HashKey::new(0).word(self.word())
    }
}

/// The number of a version.
impl Key for u32 {
    fn word(self) -> u64 {
        self.into()
    }
}

impl Key for FixupTarget {
    fn word(self) -> u64 {
        let (kind, number) = match self {
            FixupTarget::Block(block) => (0, block.number()),
            FixupTarget::Constant(constant) => (1, constant.number()),
            FixupTarget::Table(table) => (2, table.number()),
            FixupTarget::Symbol(symbol) => (3, symbol.number()),
        };
        u64::from(number) << 2 | kind
    }
}

impl<'m> Blocks<'m> {
    /// Prepares a unit's function and makes its first block; gives where that is.
    pub(super) fn begin(unit: &Unit<'m>) -> Result<usize, Error> {
        let shared = unit.shared();
        let allocator = shared.allocator;
        let (mut blocks, lrefs) = shared.with_worker(|worker| {
            let compiler = &mut worker.compiler;
            compiler.follows_properties = true;
            let linked = unit.linked();
            compiler.prepare(linked.module(), unit.func())?;
            let mut lrefs = Vec::new(allocator);
            if linked.module().has_lrefs() {
                for lref in linked.lrefs(unit.func()) {
                    let block = |label| match compiler.labels.address(label)? {
                        LabelAddress::Block(block) => Some(block),
                        LabelAddress::Entry(..) => None,
                    };
                    let (label, label2) = (block(lref.label), lref.label2.and_then(block));
                    lrefs.push((lref, label, label2))?;
                }
            }
            let empty = Function::new(compiler.function.allocator());
            let function = core::mem::replace(&mut compiler.function, empty);
            let blocks = Box::new(allocator, Blocks::new(function, unit)?)?;
            Ok::<_, Error>((blocks, lrefs))
        })?;
        let begun = blocks.place_labels(unit).and_then(|()| {
            let entry = blocks.function.layout.first().copied();
            let first = blocks.version(unit, entry.ok_or(Error::Unsupported)?, NONE)?;
            blocks.make(unit, first)
        });
        let code = match begun {
            Ok(code) => code,
            Err(error) => {
                blocks.give_back(&mut shared.state.lock().memory);
                return Err(error);
            }
        };
        for (lref, label, label2) in &lrefs {
            let address = |block: &Option<BlockId>| {
                let address = block.and_then(|block| blocks.label(block));
                address.unwrap_or(0) as i64
            };
            let reference = LabelReference {
                address: lref.address,
                label: address(label),
                label2: lref.label2.map(|_| address(label2)),
                disp: lref.disp,
            };
            reference.store(0);
        }
        unit.owned.lock().blocks = Some(blocks);
        Ok(code)
    }

    fn new(function: Function<'m>, unit: &Unit<'m>) -> Result<Blocks<'m>, OutOfMemory> {
        let allocator = unit.shared().allocator;
        let count = function.block_count();
        let mut following = Vec::new(allocator);
        following.resize(count, None)?;
        for pair in function.layout.windows(2) {
            if let &[block, next] = pair {
                following[block.index()] = Some(next);
            }
        }
        let mut heads = Vec::new(allocator);
        heads.resize(count, END)?;
        let mut sets = Vec::new(allocator);
        sets.push(Vec::new(allocator))?;
        let uses_floats = uses_floats(&function, unit);
        Ok(Blocks {
            function,
            code: Code::new(allocator),
            uses: Vec::new(allocator),
            following,
            heads,
            versions: Vec::new(allocator),
            sets,
            set_table: HashTable::new(allocator),
            labels: Vec::new(allocator),
            pieces: Vec::new(allocator),
            uses_floats,
            first: None,
        })
    }

    /// Gives all code back.
    pub(super) fn give_back(&self, memory: &mut CodeMemory<'m>) {
        for &piece in &self.pieces {
            memory.give_back(piece);
        }
    }

    // ---- versions

    /// The number of the version of a block under a set of properties; if the block has too many versions, of the one that
    /// assumes nothing.
    fn version(&mut self, unit: &Unit<'m>, block: BlockId, set: u32) -> Result<u32, Error> {
        let head = *self.heads.get(block.index()).ok_or(Error::Unsupported)?;
        let mut known = 0;
        let mut next = head;
        while let Some(version) = self.versions.get(next as usize) {
            if version.set == set {
                return Ok(next);
            }
            known += u32::from(version.set != NONE);
            next = version.next;
        }
        let shared = unit.shared();
        if set != NONE && known >= shared.options.versions {
            return self.version(unit, block, NONE);
        }
        let number = self.versions.len() as u32;
        let version = Version {
            entry: Entry::new(),
            unit,
            block,
            set,
            next: head,
            number,
            address: AtomicUsize::new(0),
        };
        let version = Box::new(shared.allocator, version)?;
        let context = version.place().as_ptr().cast();
        // SAFETY: the entry is new; `reached` takes the version, which stays as long as the code.
        unsafe {
            (version.entry).resolve(shared.native(), reached, context, self.uses_floats);
        }
        self.versions.push(version)?;
        self.heads[block.index()] = number;
        Ok(number)
    }

    /// The number of a set of properties.
    fn set(&mut self, properties: &Properties<'m>) -> Result<u32, OutOfMemory> {
        if properties.is_empty() {
            return Ok(NONE);
        }
        let key = HashKey::new(properties.allocator().hash_seed());
        let hash = properties.iter().fold(0, |hash, &(place, value)| {
            let place = u64::from(hash) << 32 | u64::from(place);
            key.word(place ^ u64::from(key.word(value.cast_unsigned())).rotate_left(16))
        });
        let is_it = |number: u32| *self.sets[number as usize] == **properties;
        if let Some(known) = self.set_table.find(hash, is_it) {
            return Ok(known);
        }
        let set = Vec::from_slice(properties.allocator(), properties)?;
        let number = self.sets.len() as u32;
        self.set_table.reserve_one()?;
        self.sets.push(set)?;
        self.set_table.insert(hash, number)?;
        Ok(number)
    }

    fn address(&self, version: u32) -> Option<usize> {
        let version = self.versions.get(version as usize)?;
        let address = version.address.load(Ordering::Relaxed);
        (address != 0).then_some(address)
    }

    fn label(&self, block: BlockId) -> Option<usize> {
        let place = self
            .labels
            .binary_search_by_key(&block, |&(block, _)| block);
        self.labels.get(place.ok()?).map(|&(_, address)| address)
    }

    // ---- making code

    /// Writes a thunk for each block whose address is taken, in order and at equal distances: jumps count on that.
    fn place_labels(&mut self, unit: &Unit<'m>) -> Result<(), Error> {
        let shared = unit.shared();
        let mut bytes = Vec::new(shared.allocator);
        let first = self.first_with_code(shared)?;
        let distance = 1 << thunk_shift(shared.isa.target());
        for block in self.function.block_ids() {
            if !self.function.block(block).address_taken {
                continue;
            }
            let version = self.version(unit, first[block.index()], NONE)?;
            let thunk = bytes.len();
            self.add_thunk(&mut bytes, version, shared)?;
            bytes.resize(thunk + distance, 0)?;
            self.labels.push((block, thunk))?;
        }
        if bytes.is_empty() {
            return Ok(());
        }
        let base = self.place(shared, &mut bytes, |_, _, _| Ok(()))?;
        for (_, address) in self.labels.iter_mut() {
            *address += base;
        }
        Ok(())
    }

    /// For each block the first one from it on in the layout that is not empty.
    fn first_with_code(&self, shared: &Shared<'m>) -> Result<Vec<'m, BlockId>, OutOfMemory> {
        let mut first = Vec::with_capacity(shared.allocator, self.function.block_count())?;
        for block in self.function.block_ids() {
            first.push(block)?;
        }
        for &block in self.function.layout.iter().rev() {
            let is_empty = self.function.block(block).first().is_none();
            if let (true, Some(next)) = (is_empty, self.following[block.index()]) {
                first[block.index()] = first[next.index()];
            }
        }
        Ok(first)
    }

    fn add_thunk(
        &self,
        bytes: &mut Vec<'m, u8>,
        version: u32,
        shared: &Shared<'m>,
    ) -> Result<(), Error> {
        let version = (self.versions.get(version as usize)).ok_or(Error::Unsupported)?;
        let entry = core::ptr::from_ref(&version.entry).expose_provenance();
        let thunk = shared.isa.target().thunk;
        let at = bytes.len();
        bytes.resize(at + thunk.bytes, 0)?;
        let place = bytes.get_mut(at..).unwrap_or(&mut []);
        match (thunk.write)(place, entry as u64) {
            true => Ok(()),
            false => Err(Error::TooLarge),
        }
    }

    /// Puts bytes into executable memory after `finish`, which is told where they will run.
    fn place(
        &mut self,
        shared: &Shared<'m>,
        bytes: &mut [u8],
        finish: impl FnOnce(&Self, &mut [u8], usize) -> Result<(), Error>,
    ) -> Result<usize, Error> {
        self.pieces.reserve(1)?;
        let piece = shared.state.lock().memory.take(bytes.len())?;
        let finished = finish(self, bytes, piece.run);
        let memory = &mut shared.state.lock().memory;
        let written = finished.and_then(|()| Ok(memory.write(piece, bytes)?));
        if let Err(error) = written {
            memory.give_back(piece);
            return Err(error);
        }
        self.pieces.push(piece)?;
        Ok(piece.run)
    }

    /// Makes a version, if it is not there yet; gives where it is.
    fn make(&mut self, unit: &Unit<'m>, number: u32) -> Result<usize, Error> {
        if let Some(address) = self.address(number) {
            return Ok(address);
        }
        let version = (self.versions.get(number as usize)).ok_or(Error::Unsupported)?;
        let (block, set) = (version.block, version.set);
        let made = match self.make_chunk(unit, block, set, false) {
            // Something is out of reach of a branch.
            Err(Error::TooLarge) => self.make_chunk(unit, block, set, true)?,
            made => made?,
        };
        let version = (self.versions.get(number as usize)).ok_or(Error::Unsupported)?;
        version.address.store(made, Ordering::Relaxed);
        // SAFETY: the entry leads to this version, whose code this is.
        unsafe { version.entry.redirect(made) };
        self.first.get_or_insert(made);
        Ok(made)
    }

    /// Makes the code of a block under a set of properties; with `is_far` all ways to other blocks go through thunks.
    fn make_chunk(
        &mut self,
        unit: &Unit<'m>,
        block: BlockId,
        set: u32,
        is_far: bool,
    ) -> Result<usize, Error> {
        let shared = unit.shared();
        let falls_to = self.encode(unit, block, set)?;
        self.code.settle(&mut [])?;
        let mut chunk = self.lay_out(unit, falls_to, is_far)?;
        let mut bytes = core::mem::replace(&mut chunk.bytes, Vec::new(shared.allocator));
        let run = self.place(shared, &mut bytes, |this, bytes, base| {
            this.connect(unit, &chunk, bytes, base, is_far)
        })?;
        let start = run + chunk.start as usize;
        let number = block.index() as u32;
        shared.made(
            unit.callable(),
            start,
            bytes.len() - chunk.start as usize,
            Some(number),
        );
        Ok(start)
    }

    /// Writes the instructions of a block; gives where control goes behind them, if it does.
    fn encode(
        &mut self,
        unit: &Unit<'m>,
        block: BlockId,
        set: u32,
    ) -> Result<Option<(BlockId, u32)>, Error> {
        let shared = unit.shared();
        let isa = shared.isa;
        self.code.clear();
        self.uses.clear();
        let known = self.sets.get(set as usize).ok_or(Error::Unsupported)?;
        let mut properties = Vec::from_slice(shared.allocator, known)?;
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
                let version = self.version(unit, target, set)?;
                if self.address(version).is_none() {
                    return Ok(Some((target, set)));
                }
            }
            isa.encode(&mut self.code, &self.function, insn)?;
            let of = match flags.contains(InsnFlags::TERMINATOR) {
                true => Use::Branch(set),
                false => Use::Address,
            };
            self.uses.resize(self.code.fixups.len(), of)?;
        }
        match (goes_on, self.following.get(block.index())) {
            (false, _) => Ok(None),
            (true, Some(&Some(next))) => Ok(Some((next, set))),
            (true, _) => Err(Error::Unsupported),
        }
    }

    /// Where an unconditional jump goes.
    fn jump_target(&self, insn: InsnId, flags: InsnFlags) -> Option<BlockId> {
        let target = self.function.operands(insn).first()?.as_block()?;
        flags.contains(InsnFlags::BRANCH).then_some(target)
    }

    /// Does what an instruction says about properties; gives where it goes, if it does.
    fn follow(
        &self,
        insn: InsnId,
        properties: &mut Properties<'m>,
    ) -> Result<Option<BlockId>, OutOfMemory> {
        let value_of = |properties: &Properties<'m>, variable: u32| {
            let place = properties.binary_search_by_key(&variable, |&(variable, _)| variable);
            let known = place.ok().and_then(|place| properties.get(place));
            known.map_or(0, |&(_, value)| value)
        };
        let function = &self.function;
        let number = |operand: Operand| operand.small().unwrap_or(0).cast_unsigned();
        match (
            function.insn(insn).opcode.generic(),
            function.operands(insn),
        ) {
            (Some(Generic::PropertySet), &[variable, value]) => {
                let value = function.immediate(value).unwrap_or(0);
                set_property(properties, number(variable), value)?;
            }
            (Some(Generic::PropertyMove), &[to, from]) => {
                let value = value_of(properties, number(from));
                set_property(properties, number(to), value)?;
            }
            (Some(Generic::PropertyBranch), &[predicate, variable, value, target]) => {
                let is_equal = value_of(properties, number(variable))
                    == function.immediate(value).unwrap_or(0);
                let wanted = predicate.as_int_predicate() == Some(IntPredicate::Eq);
                return Ok(target.as_block().filter(|_| is_equal == wanted));
            }
            _ => {}
        }
        Ok(None)
    }

    /// Puts the code of a block, thunks, constants and tables one behind the other. Bytes before the code make the first
    /// thunk, which control may fall into, begin where it must.
    fn lay_out(
        &mut self,
        unit: &Unit<'m>,
        falls_to: Option<(BlockId, u32)>,
        is_far: bool,
    ) -> Result<Chunk<'m>, Error> {
        let shared = unit.shared();
        let allocator = shared.allocator;
        let length = self.code.bytes.len();
        let filler = length.next_multiple_of(THUNK_ALIGN) - length;
        // Where it must not move, control falls through NOPs behind it.
        let is_fixed = shared.isa.description().code_align as usize > THUNK_ALIGN;
        let start = if is_fixed { 0 } else { filler };
        let mut chunk = Chunk {
            bytes: Vec::with_capacity(allocator, length + filler)?,
            start: start as u32,
            exits: Places::new(allocator),
            parts: Places::new(allocator),
            tables: Vec::new(allocator),
        };
        chunk.bytes.resize(start, 0)?;
        shared.isa.pad(&mut chunk.bytes);
        chunk.bytes.extend_from_slice(&self.code.bytes)?;
        chunk.bytes.resize(length + filler, 0)?;
        if let Some(behind) = chunk.bytes.get_mut(start + length..) {
            shared.isa.pad(behind);
        }
        if let Some((block, set)) = falls_to {
            let version = self.version(unit, block, set)?;
            self.add_exit(shared, &mut chunk, version)?;
        }
        for number in 0..self.code.fixups.len() {
            let (Some(fixup), Some(&of)) = (self.code.fixups.get(number), self.uses.get(number))
            else {
                break;
            };
            match (fixup.target, of) {
                (FixupTarget::Block(block), Use::Branch(set)) => {
                    self.add_way(unit, &mut chunk, block, set, is_far)?;
                }
                (FixupTarget::Table(table), of) => {
                    let set = match of {
                        Use::Branch(set) => set,
                        Use::Address => NONE,
                    };
                    chunk.tables.push((table, set))?;
                    for place in 0..self.function.table(table).len() {
                        if let Some(&block) = self.function.table(table).get(place) {
                            self.add_way(unit, &mut chunk, block, set, is_far)?;
                        }
                    }
                }
                _ => {}
            }
        }
        self.add_parts(&mut chunk)?;
        Ok(chunk)
    }

    /// A thunk to a version, unless code can go there directly.
    fn add_way(
        &mut self,
        unit: &Unit<'m>,
        chunk: &mut Chunk<'m>,
        block: BlockId,
        set: u32,
        is_far: bool,
    ) -> Result<(), Error> {
        let version = self.version(unit, block, set)?;
        if is_far || self.address(version).is_none() {
            self.add_exit(unit.shared(), chunk, version)?;
        }
        Ok(())
    }

    fn add_exit(
        &self,
        shared: &Shared<'m>,
        chunk: &mut Chunk<'m>,
        version: u32,
    ) -> Result<(), Error> {
        if chunk.exits.find(version).is_none() {
            chunk.exits.add(version, chunk.bytes.len() as u32)?;
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
            let (align, length) = match fixup.target {
                FixupTarget::Constant(constant) => {
                    let length = self.function.constants.get(constant);
                    let length = usize::from(length.map_or(0, |constant| constant.len));
                    (length.max(1), length)
                }
                FixupTarget::Table(table) => (4, 4 * self.function.table(table).len()),
                FixupTarget::Symbol(_) => (8, 8),
                FixupTarget::Block(_) => continue,
            };
            let at = chunk.bytes.len().next_multiple_of(align);
            chunk.parts.add(fixup.target, at as u32)?;
            chunk.bytes.resize(at, 0)?;
            if let FixupTarget::Constant(constant) = fixup.target
                && let Some(constant) = self.function.constants.get(constant)
            {
                let bytes = constant.bytes.get(..length).unwrap_or(&[]);
                chunk.bytes.extend_from_slice(bytes)?;
            }
            chunk.bytes.resize(at + length, 0)?;
        }
        Ok(())
    }

    /// Fills in everything that refers to something else, now that it is known where the bytes will run.
    fn connect(
        &self,
        unit: &Unit<'m>,
        chunk: &Chunk<'m>,
        bytes: &mut [u8],
        base: usize,
        is_far: bool,
    ) -> Result<(), Error> {
        let shared = unit.shared();
        let isa = shared.isa;
        let way = |block, set| self.way(chunk, base, self.known(block, set), is_far);
        for (fixup, &of) in self.code.fixups.iter().zip(&self.uses) {
            let target = match (fixup.target, of) {
                (FixupTarget::Block(block), Use::Branch(set)) => way(block, set),
                (FixupTarget::Block(block), Use::Address) => {
                    let label = self.label(block);
                    label.map(|label| (label as i64).wrapping_sub(base as i64))
                }
                (part, _) => chunk.parts.find(part).map(i64::from),
            };
            let at = chunk.start + fixup.at;
            let target = if isa.description().from_start.contains(&fixup.kind) {
                let start = base + chunk.start as usize;
                let moved = base.wrapping_sub(self.first.unwrap_or(start)) as i64;
                target.map(|target| target.wrapping_add(moved))
            } else {
                target
            };
            let place = bytes.get_mut(at as usize..).unwrap_or(&mut []);
            let is_in_reach = target.is_some_and(|target| isa.patch(place, fixup.kind, at, target));
            if !is_in_reach {
                return Err(Error::TooLarge);
            }
        }
        for &(table, set) in &chunk.tables {
            let start = chunk.parts.find(FixupTarget::Table(table)).unwrap_or(0);
            for (number, &block) in self.function.table(table).iter().enumerate() {
                let target = way(block, set).ok_or(Error::TooLarge)?;
                let distance = i32::try_from(target - i64::from(start));
                let distance = distance.map_err(|_| Error::TooLarge)?;
                let word = match isa.target().big_endian {
                    true => distance.to_be_bytes(),
                    false => distance.to_le_bytes(),
                };
                let at = start as usize + 4 * number;
                if let Some(place) = bytes.get_mut(at..at + 4) {
                    place.copy_from_slice(&word);
                }
            }
        }
        let direct = self.code.relocations.iter().map(|relocation| Reference {
            at: chunk.start + relocation.at,
            symbol: self.function.symbol(relocation.symbol),
            addend: relocation.addend,
        });
        let behind = chunk.parts.list.iter().filter_map(|&(part, at)| {
            let symbol = match part {
                FixupTarget::Symbol(symbol) => symbol,
                FixupTarget::Constant(constant) => self.function.constants.get(constant)?.symbol?,
                _ => return None,
            };
            Some(Reference {
                at,
                symbol: self.function.symbol(symbol),
                addend: 0,
            })
        });
        for reference in direct.chain(behind) {
            shared.refer(bytes, &reference, unit.linked(), |_| None);
        }
        Ok(())
    }

    /// The version of a block that [`Blocks::version`] gives, which has been asked for before.
    fn known(&self, block: BlockId, set: u32) -> Option<u32> {
        let head = *self.heads.get(block.index())?;
        let versions = core::iter::successors(Some(head), |&number| {
            Some(self.versions.get(number as usize)?.next)
        });
        let versions = versions.take_while(|&number| number != END);
        let of = |set| {
            let is_it = |number: &u32| {
                let version = self.versions.get(*number as usize);
                version.is_some_and(|version| version.set == set)
            };
            versions.clone().find(is_it)
        };
        of(set).or_else(|| of(NONE))
    }

    /// How far it is from the bytes' start to a version: to its code, or to the thunk that leads there.
    fn way(
        &self,
        chunk: &Chunk<'m>,
        base: usize,
        version: Option<u32>,
        is_far: bool,
    ) -> Option<i64> {
        let version = version?;
        match (is_far, self.address(version)) {
            (false, Some(address)) => Some((address as i64).wrapping_sub(base as i64)),
            _ => chunk.exits.find(version).map(i64::from),
        }
    }
}

/// Changes a property in a set. What does not fit counts as 0.
fn set_property(
    properties: &mut Properties<'_>,
    variable: u32,
    value: i64,
) -> Result<(), OutOfMemory> {
    let place = properties.binary_search_by_key(&variable, |&(variable, _)| variable);
    match (place, value) {
        (Ok(place), 0) => {
            properties[place..].rotate_left(1);
            properties.pop();
        }
        (Ok(place), value) => properties[place].1 = value,
        (Err(_), 0) => {}
        (Err(place), value) => {
            if properties.len() < MOST_PROPERTIES {
                properties.push((variable, value))?;
                properties[place..].rotate_right(1);
            }
        }
    }
    Ok(())
}

/// Whether floating registers may hold something from one block to another.
fn uses_floats(function: &Function<'_>, unit: &Unit<'_>) -> bool {
    let mut vregs = (0..function.vreg_count() as u32).map(VReg::new);
    unit.callable().entry().uses_floats()
        || vregs.any(|vreg| function.vreg(vreg).bank == Bank::Floating)
}

/// Control came to a block that is not made yet, or not known to be.
///
/// # Safety
///
/// The entry is that of a version of a unit that has code.
unsafe extern "C" fn reached(entry: &Entry, _: Option<&mut Incoming>) {
    let version = entry.context().cast_const().cast::<Version<'static>>();
    // SAFETY: versions stay where they are as long as the code does; what is read of them never changes.
    let (unit, number) = unsafe { (&*(*version).unit, (*version).number) };
    let watch = unit.shared().options.watch;
    watch.inspect(|watch| watch.begins(unit.callable()));
    let made = make_reached(unit, number);
    watch.inspect(|watch| watch.ends(unit.callable()));
    if made.is_err() {
        // SAFETY: the code was called from somewhere, and nothing here is left to be dropped.
        unsafe {
            unit.shared()
                .runtime
                .fail(unit.callable(), FaultKind::OutOfMemory);
        };
    }
}

fn make_reached(unit: &Unit<'_>, version: u32) -> Result<(), Error> {
    let mut owned = unit.owned.lock();
    let blocks = owned.blocks.as_mut().ok_or(Error::Unsupported)?;
    blocks.make(unit, version)?;
    Ok(())
}
