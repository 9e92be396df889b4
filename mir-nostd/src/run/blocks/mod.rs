//! Functions whose blocks become code when control first comes to them.
//!
//! Such a function goes through all stages but the last at its first call: all its blocks share one
//! allocation and one frame. The rest is made later and is bytes: a block at a time, in one version
//! per set of properties that variables have where it begins. Each version has an entry, a data
//! word that holds its address. Code that goes to a version made already branches there; code that
//! goes to one not made yet branches to a thunk after itself, which jumps through that data word:
//! at first to the gate that has the block made, then to the block. So nothing that may be running
//! is changed.
//!
//! A block whose address is taken has one thunk for life; control that comes through it has no
//! properties.

mod chunk;

use super::job::Job;
use super::memory::{CodeMemory, Piece};
use super::properties::Properties;
use super::references::LabelReference;
use super::shared::Shared;
use super::trace::{function_of, record_of};
use crate::codegen::{Code, Error, Granularity, LabelAddress, Phase, thunk_shift};
use crate::link::{Lref, Reason};
use crate::machine::{Bank, BlockId, Function, VReg};
use crate::mem::{Box, Entity, HashTable, OutOfMemory, Vec};
use crate::target::{Entry, GateRegisters, Incoming};
use chunk::{Exits, Use};
use core::sync::atomic::{AtomicUsize, Ordering};
use spin::Mutex;

/// The number of the empty set of properties.
const NONE: u32 = 0;

/// No version.
const END: u32 = u32::MAX;

/// A block under a set of properties.
struct Version<'m> {
    /// The data word that thunks to it jump through.
    entry: Entry,
    job: Job<'m>,
    /// The code that it is part of.
    owner: *const BlockCode<'m>,
    block: BlockId,
    set: u32,
    /// The next version of the block.
    next: u32,
    number: u32,
    /// The address of its code, 0 if it has none yet.
    address: AtomicUsize,
}

/// The code of a function block by block; nothing before its first call.
pub(super) struct BlockCode<'m>(Mutex<Option<Box<'m, Blocks<'m>>>>);

/// A function whose blocks become code when control first comes to them.
pub(super) struct Blocks<'m> {
    function: Function<'m>,
    code: Code<'m>,
    /// For each fixup of the code how it uses its target.
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
    /// The registers that may hold something from one block to another.
    registers: GateRegisters,
    /// The address of the function's first block, once it is made.
    first: Option<usize>,
    owner: *const BlockCode<'m>,
}

// SAFETY: the pointers are to the unit's code, which is `Sync`.
unsafe impl Send for Blocks<'_> {}

/// An `lref` item with the blocks that its labels begin.
type LabelBlocks = (Lref, BlockId, Option<BlockId>);

impl<'m> BlockCode<'m> {
    pub(super) const fn new() -> BlockCode<'m> {
        BlockCode(Mutex::new(None))
    }

    /// Prepares the function of a job, whose code this is from now on, and makes its first block;
    /// returns the address of that. The code stays where it is as long as the compiler lives.
    pub(super) fn begin(&self, job: &Job<'m>) -> Result<usize, Error> {
        let (mut blocks, lrefs) = Blocks::prepare(job, self)?;
        match blocks.start(job, &lrefs) {
            Ok(code) => {
                *self.0.lock() = Some(blocks);
                Ok(code)
            }
            Err(error) => {
                blocks.give_back(&mut job.shared().state.lock().memory);
                Err(error)
            }
        }
    }

    /// Takes the blocks out, if there are any.
    pub(super) fn take(&self) -> Option<Box<'m, Blocks<'m>>> {
        self.0.lock().take()
    }

    fn make(&self, job: &Job<'m>, version: u32) -> Result<usize, Error> {
        let mut blocks = self.0.lock();
        blocks
            .as_mut()
            .ok_or(Phase::Placement.internal(None))?
            .make(job, version)
    }
}

impl<'m> Blocks<'m> {
    /// Takes a function through all stages but the last.
    fn prepare(
        job: &Job<'m>,
        owner: *const BlockCode<'m>,
    ) -> Result<(Box<'m, Blocks<'m>>, Vec<'m, LabelBlocks>), Error> {
        let shared = job.shared();
        let allocator = shared.allocator;
        shared.with_worker(|worker| {
            let compiler = &mut worker.compiler;
            compiler.execution.granularity = Granularity::Block;
            let linked = job.linked();
            compiler.execution.traces = linked.is_confined();
            compiler.prepare(linked.module(), job.func())?;
            if linked.is_confined() {
                let (inlined, record) = (&compiler.function.inlined, record_of(compiler));
                let function = function_of(allocator, job.callable(), inlined, record)?;
                shared.note_function(&mut shared.traced().lock(), function)?;
            }
            let mut lrefs = Vec::new(allocator);
            if linked.module().has_lrefs() {
                let block = |label| match compiler.output.labels.address(label) {
                    Some(LabelAddress::Block(block)) => Ok(block),
                    _ => Err(Phase::Placement.internal(None)),
                };
                for lref in linked.lrefs(job.func()) {
                    let label2 = lref.label2.map(block).transpose()?;
                    lrefs.push((lref, block(lref.label)?, label2))?;
                }
            }
            let empty = Function::new(compiler.function.allocator());
            let function = core::mem::replace(&mut compiler.function, empty);
            let blocks = Box::new(allocator, Blocks::new(function, job, owner)?)?;
            Ok((blocks, lrefs))
        })
    }

    fn new(
        function: Function<'m>,
        job: &Job<'m>,
        owner: *const BlockCode<'m>,
    ) -> Result<Blocks<'m>, OutOfMemory> {
        let allocator = job.shared().allocator;
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
        sets.push(Properties::new(allocator))?;
        let registers = live_registers(&function, job);
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
            registers,
            first: None,
            owner,
        })
    }

    /// Makes the first block and what `lref` items refer to; returns the address of the block.
    fn start(&mut self, job: &Job<'m>, lrefs: &[LabelBlocks]) -> Result<usize, Error> {
        self.place_labels(job)?;
        let entry = self.function.layout.first().copied();
        let first = self.version(job, entry.ok_or(Phase::Placement.internal(None))?, NONE)?;
        let code = self.make(job, first)?;
        let address = |block| {
            Ok::<_, Error>(self.label(block).ok_or(Phase::Placement.internal(None))? as i64)
        };
        let mut references = Vec::new(job.shared().allocator);
        for &(lref, label, label2) in lrefs {
            references.push(LabelReference {
                address: lref.address,
                label: address(label)?,
                label2: label2.map(address).transpose()?,
                disp: lref.disp,
            })?;
        }
        references.iter().for_each(|reference| reference.store(0));
        Ok(code)
    }

    /// Returns all code to the memory.
    pub(super) fn give_back(&self, memory: &mut CodeMemory<'m>) {
        for &piece in &self.pieces {
            memory.give_back(piece);
        }
    }

    // ---- versions

    /// Returns the number of the version of a block under a set of properties; if the block has too
    /// many versions, of the one that assumes nothing.
    fn version(&mut self, job: &Job<'m>, block: BlockId, set: u32) -> Result<u32, Error> {
        let head = *self
            .heads
            .get(block.index())
            .ok_or(Phase::Placement.internal(None))?;
        let mut known = 0;
        let mut next = head;
        while let Some(version) = self.versions.get(next as usize) {
            if version.set == set {
                return Ok(next);
            }
            known += u32::from(version.set != NONE);
            next = version.next;
        }
        let shared = job.shared();
        if set != NONE && known >= shared.options.versions {
            return self.version(job, block, NONE);
        }
        let number = self.versions.len() as u32;
        let version = Version {
            entry: Entry::new(),
            job: *job,
            owner: self.owner,
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
            (version.entry).resolve(shared.native(), reached, context, self.registers);
        }
        self.versions.push(version)?;
        self.heads[block.index()] = number;
        Ok(number)
    }

    /// Returns the version of a block that [`Blocks::version`] returned before.
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

    /// Returns the number of a set of properties.
    fn set(&mut self, properties: &Properties<'m>) -> Result<u32, OutOfMemory> {
        if properties.is_empty() {
            return Ok(NONE);
        }
        let hash = properties.hash();
        let is_it = |number: u32| self.sets[number as usize].is_same(properties);
        if let Some(known) = self.set_table.find(hash, is_it) {
            return Ok(known);
        }
        let set = properties.copy()?;
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

    /// Returns the address of the thunk of a block whose address is taken.
    fn label(&self, block: BlockId) -> Option<usize> {
        let place = self
            .labels
            .binary_search_by_key(&block, |&(block, _)| block);
        self.labels.get(place.ok()?).map(|&(_, address)| address)
    }

    // ---- code

    /// Writes a thunk for each block whose address is taken, in order and at equal distances: jumps
    /// count on that.
    fn place_labels(&mut self, job: &Job<'m>) -> Result<(), Error> {
        let shared = job.shared();
        let mut bytes = Vec::new(shared.allocator);
        let first = self.first_with_code(shared)?;
        let distance = 1 << thunk_shift(shared.isa.target());
        for block in self.function.block_ids() {
            if !self.function.block(block).address_taken {
                continue;
            }
            let version = self.version(job, first[block.index()], NONE)?;
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

    /// Returns for each block the first one from it on in the layout that is not empty.
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

    /// Appends a thunk to a version.
    fn add_thunk(
        &self,
        bytes: &mut Vec<'m, u8>,
        version: u32,
        shared: &Shared<'m>,
    ) -> Result<(), Error> {
        let version =
            (self.versions.get(version as usize)).ok_or(Phase::Placement.internal(None))?;
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

    /// Makes a version, if it is not there yet; returns its address.
    fn make(&mut self, job: &Job<'m>, number: u32) -> Result<usize, Error> {
        if let Some(address) = self.address(number) {
            return Ok(address);
        }
        let version =
            (self.versions.get(number as usize)).ok_or(Phase::Placement.internal(None))?;
        let (block, set) = (version.block, version.set);
        let made = match self.make_chunk(job, block, set, Exits::Direct) {
            // Something is out of reach of a branch.
            Err(Error::TooLarge) => self.make_chunk(job, block, set, Exits::Thunks)?,
            made => made?,
        };
        let version =
            (self.versions.get(number as usize)).ok_or(Phase::Placement.internal(None))?;
        version.address.store(made, Ordering::Relaxed);
        // SAFETY: the entry leads to this version, whose code this is.
        unsafe { version.entry.redirect(made) };
        self.first.get_or_insert(made);
        Ok(made)
    }
}

/// Returns the registers that may hold something from one block to another.
fn live_registers(function: &Function<'_>, job: &Job<'_>) -> GateRegisters {
    let mut vregs = (0..function.vreg_count() as u32).map(VReg::new);
    match vregs.any(|vreg| function.vreg(vreg).bank == Bank::Floating) {
        true => GateRegisters::Floating,
        false => job.callable().entry().registers(),
    }
}

native_abi! {
    /// Makes the block that control came to, which is not made yet, or not known to be.
    ///
    /// # Safety
    ///
    /// The entry is that of a version of a unit that has code.
    unsafe extern "C-unwind" fn reached(entry: &Entry, _: Option<&mut Incoming>) {
        let version = entry.context().cast_const().cast::<Version<'static>>();
        // SAFETY: versions stay where they are as long as the code does; what is read of them never
        // changes.
        let (job, owner, number) =
            unsafe { (&(*version).job, &*(*version).owner, (*version).number) };
        let watch = job.shared().options.watch;
        watch.inspect(|watch| watch.begins(job.callable()));
        let made = owner.make(job, number);
        watch.inspect(|watch| watch.ends(job.callable()));
        if let Err(error) = made {
            // SAFETY: the code was called from somewhere, and nothing here is left to be dropped.
            unsafe { (job.shared().runtime).fail(job.callable(), reason_of(error)) };
        }
    }
}

/// Returns the reason for a run to end whose next block cannot be made.
const fn reason_of(error: Error) -> Reason {
    match error {
        Error::OutOfMemory => Reason::OutOfMemory,
        Error::TooLarge | Error::Budget => Reason::TooLarge,
        _ => Reason::Invalid,
    }
}
