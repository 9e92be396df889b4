//! Hoisting of constants out of loops, after selection: targets with small immediates load
//! constants, addresses and floats into registers before they use them, which in a loop is worth
//! doing once.
//!
//! A loop is a run of blocks of the layout with a branch back to its first block, which is its only
//! entry. A constant goes to a preheader: of the outermost loop around it that does not call, or,
//! if it is a load, of the outermost one. Each constant is computed once, as long as registers are
//! left.

use crate::codegen::analysis::block_frequency::ITERATIONS;
use crate::codegen::analysis::branches::redirect;
use crate::codegen::analysis::layout_loops::{LayoutLoops, mark_depths};
use crate::codegen::analysis::properties;
use crate::machine::{
    Bank, BlockId, Edges, Frequency, Function, InsnId, LowType, Operand, Reg, VReg,
};
use crate::mem::{Entity, Vec, sort_by_key};
use crate::target::error::Error;
use crate::target::{InsnFlags, Isa};

/// The most constants that are kept in registers across calls.
const MOST_ACROSS_CALLS: usize = 4;

/// The most operands of an instruction that makes a constant: a register and an address.
const MOST_OPERANDS: usize = 6;

/// The most blocks that are looked at to find loops, per block of the function.
const LOOKS: usize = 16;

/// The most constants of a block that are known at once.
const NEARBY: usize = 8;

/// Hoists constants out of loops and, within blocks, computes each once.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn hoist_constants(function: &mut Function<'_>, isa: &dyn Isa) -> Result<(), Error> {
    if !isa.has_constants(function) {
        return Ok(());
    }
    let allocator = function.allocator();
    let mut definitions = Vec::new(allocator);
    definitions.resize(function.vreg_count(), 0_u8)?;
    for &block in &function.layout {
        for insn in function.insns(block) {
            for vreg in defined(function, insn) {
                let count = &mut definitions[vreg.index()];
                *count = count.saturating_add(1);
            }
        }
    }
    let mut names = Vec::new(allocator);
    for number in 0..function.vreg_count() as u32 {
        names.push(VReg::new(number))?;
    }
    let edges = properties::edges(function, isa, allocator)?;
    mark_depths(function, &edges)?;
    let extents = LayoutLoops::new(function, &edges, allocator)?;
    let mut hoister = Hoister {
        function,
        isa,
        definitions,
        names,
        loops: Vec::new(allocator),
        around: Vec::new(allocator),
        kept: Vec::new(allocator),
        extents,
        listed: Vec::new(allocator),
    };
    hoister.find_listed()?;
    hoister.find_loops(&edges)?;
    hoister.hoist()?;
    hoister.enter_loops(&edges)?;
    hoister.once_per_block();
    hoister.rename();
    Ok(())
}

/// Returns the number of registers that calls leave alone.
fn saved_among(isa: &dyn Isa, registers: &[u16]) -> usize {
    let file = isa.registers();
    let is_saved = |&&row: &&u16| file.saved.contains(file.units(Reg::physical(row)));
    registers.iter().filter(is_saved).count()
}

/// Returns the virtual registers that an instruction writes.
fn defined(function: &Function<'_>, insn: InsnId) -> impl Iterator<Item = VReg> {
    let operands = function.operands(insn).iter();
    operands.filter(|o| o.is_def()).filter_map(|o| o.vreg())
}

/// A loop: blocks of the layout from `first` to `last`.
#[derive(Clone, Copy)]
struct Loop {
    first: usize,
    last: usize,
    calls: bool,
    /// The preheader for its constants, if there are any.
    entry: Option<BlockId>,
    /// The number of constants that are kept, per bank.
    count: [usize; 2],
    /// The number of the constant that was hoisted last.
    last_kept: Option<u32>,
}

/// A constant that was hoisted out of a loop, and the number of the one before.
#[derive(Clone, Copy)]
struct Kept {
    number: u32,
    insn: InsnId,
    before: Option<u32>,
}

struct Hoister<'a, 'f> {
    function: &'a mut Function<'f>,
    isa: &'a dyn Isa,
    definitions: Vec<'f, u8>,
    /// The register to read in place of each.
    names: Vec<'f, VReg>,
    loops: Vec<'f, Loop>,
    /// For each index in the layout the loops for its constants: one for all of them, and one for
    /// loads only.
    around: Vec<'f, [Option<u32>; 2]>,
    kept: Vec<'f, Kept>,
    /// The extents of the loops of the layout.
    extents: LayoutLoops<'f>,
    /// True for blocks that jump tables lead to.
    listed: Vec<'f, bool>,
}

impl Hoister<'_, '_> {
    // ---- loops

    fn find_listed(&mut self) -> Result<(), Error> {
        self.listed.resize(self.function.block_count(), false)?;
        for table in self.function.table_ids() {
            for block in self.function.table(table) {
                self.listed[block.index()] = true;
            }
        }
        Ok(())
    }

    fn find_loops(&mut self, edges: &Edges<'_>) -> Result<(), Error> {
        let count = self.function.layout.len();
        let mut calls = Vec::new(self.function.allocator());
        let mut called = 0_usize;
        for &block in &self.function.layout {
            calls.push(called)?;
            let insns = self.function.insns(block);
            called += insns
                .filter(|&insn| {
                    let flags = properties::flags(self.isa, self.function.insn(insn));
                    flags.contains(InsnFlags::CALL)
                })
                .count();
        }
        calls.push(called)?;
        self.around.resize(count, [None; 2])?;
        let mut looks = LOOKS.saturating_mul(count);
        // The outermost loops so far, of any kind and without calls.
        let (mut any, mut quiet) = (None, None);
        for first in 0..count {
            let last = self.extents.last(first).map(|last| last as usize);
            if let Some(last) = last
                && looks > last - first
            {
                looks -= last - first + 1;
                if first > 0 && self.is_loop(edges, first, last) {
                    let one = Loop {
                        first,
                        last,
                        calls: calls[last + 1] > calls[first],
                        entry: None,
                        count: [0; 2],
                        last_kept: None,
                    };
                    self.add_loop(one, &mut any, &mut quiet)?;
                }
            }
            self.around[first] = [self.still(quiet, first), self.still(any, first)];
        }
        Ok(())
    }

    /// Notes a loop if no outer one serves as well.
    fn add_loop(
        &mut self,
        one: Loop,
        any: &mut Option<u32>,
        quiet: &mut Option<u32>,
    ) -> Result<(), Error> {
        let number = self.loops.len() as u32;
        let is_outermost = self.still(*any, one.first).is_none();
        let is_quiet = !one.calls && self.still(*quiet, one.first).is_none();
        if is_outermost {
            *any = Some(number);
        }
        if is_quiet {
            *quiet = Some(number);
        }
        if is_outermost || is_quiet {
            self.loops.push(one)?;
        }
        Ok(())
    }

    /// Returns the index of a block in the layout.
    fn place(&self, block: BlockId) -> usize {
        self.extents.places[block.index()] as usize
    }

    /// Returns the loop, if it contains a block of the layout at `place`.
    fn still(&self, number: Option<u32>, place: usize) -> Option<u32> {
        number.filter(|&number| self.loops[number as usize].last >= place)
    }

    /// Returns whether a run of blocks is entered through its first one only, by branches that can
    /// be redirected.
    fn is_loop(&self, edges: &Edges<'_>, first: usize, last: usize) -> bool {
        let layout = &self.function.layout;
        let is_within = |block: &BlockId| (first..=last).contains(&self.place(*block));
        let is_closed = layout.iter().take(last + 1).skip(first).all(|&block| {
            let is_first = block == layout[first];
            let mut sources = edges.predecessors(block).iter();
            !self.function.block(block).address_taken && (is_first || sources.all(is_within))
        });
        is_closed && !self.listed[layout[first].index()]
    }

    // ---- hoisting

    /// Hoists constants out of loops, those of the innermost ones first.
    fn hoist(&mut self) -> Result<(), Error> {
        let mut found = Vec::new(self.function.allocator());
        for place in 0..self.function.layout.len() {
            let [quiet, any] = self.around[place];
            if any.is_none() {
                continue;
            }
            let block = self.function.layout[place];
            let depth = self.function.block(block).depth;
            for insn in self.function.insns(block) {
                let flags = properties::flags(self.isa, self.function.insn(insn));
                let outer = any.filter(|_| flags.contains(InsnFlags::LOAD));
                if let (Some(number), true) = (quiet.or(outer), self.is_constant(insn)) {
                    found.push((u8::MAX - depth, found.len() as u32, number, insn))?;
                }
            }
        }
        sort_by_key(&mut found, |&(depth, place, ..)| (depth, place));
        for &(.., number, insn) in &found {
            self.take_out(number, insn)?;
        }
        Ok(())
    }

    /// Returns whether an instruction computes the same value anywhere, into registers that nothing
    /// else writes.
    fn is_constant(&self, insn: InsnId) -> bool {
        let operands = self.function.operands(insn).iter();
        let is_own = { operands }.all(|operand| match operand.vreg() {
            Some(vreg) => operand.is_def() && self.definitions[vreg.index()] == 1,
            None => !operand.is_def(),
        });
        is_own && self.isa.is_constant(self.function, insn)
    }

    /// Hoists an instruction out of a loop if a register is left for it, or replaces it if another
    /// one has the constant already.
    fn take_out(&mut self, number: u32, insn: InsnId) -> Result<(), Error> {
        let mut known = self.loops[number as usize].last_kept;
        while let Some(Kept {
            insn: kept, before, ..
        }) = known.map(|last| self.kept[last as usize])
        {
            if self.is_same(kept, insn) {
                self.replace(insn, kept);
                return Ok(());
            }
            known = before;
        }
        let Some(bank) = self.bank_of(insn) else {
            return Ok(());
        };
        let class = (self.isa.registers().class_of)(bank, LowType::S64);
        let order = self.isa.registers().class(class).order;
        let one = &mut self.loops[number as usize];
        let most = if one.calls {
            saved_among(self.isa, order).min(MOST_ACROSS_CALLS)
        } else {
            order.len() / 2
        };
        let count = &mut one.count[bank as usize];
        if *count < most {
            *count += 1;
            let before = one.last_kept;
            one.last_kept = Some(self.kept.len() as u32);
            self.function.remove(insn);
            self.kept.push(Kept {
                number,
                insn,
                before,
            })?;
        }
        Ok(())
    }

    /// Returns the bank of the last register that an instruction writes: others are temporaries.
    fn bank_of(&self, insn: InsnId) -> Option<Bank> {
        let last = defined(self.function, insn).last()?;
        Some(self.function.vreg(last).bank)
    }

    /// Returns whether two instructions compute the same.
    fn is_same(&self, a: InsnId, b: InsnId) -> bool {
        let function = &self.function;
        let [left, right] = [a, b].map(|insn| function.operands(insn));
        let is_equal = |(a, b): (&Operand, &Operand)| {
            let is_written = a.is_def() && b.is_def();
            let [x, y] = [*a, *b].map(|operand| function.immediate(operand));
            is_written || a == b || x.is_some() && x == y
        };
        function.insn(a).opcode == function.insn(b).opcode
            && left.len() == right.len()
            && left.iter().zip(right).all(is_equal)
    }

    /// Removes an instruction with registers that another one writes as well.
    fn replace(&mut self, insn: InsnId, kept: InsnId) {
        let (function, names) = (&mut *self.function, &mut self.names);
        for (old, new) in defined(function, insn).zip(defined(function, kept)) {
            names[old.index()] = new;
        }
        function.remove(insn);
    }

    // ---- preheaders

    /// Makes the preheaders, with the constants that were hoisted.
    fn enter_loops(&mut self, edges: &Edges<'_>) -> Result<(), Error> {
        for index in 0..self.kept.len() {
            let Kept { number, insn, .. } = self.kept[index];
            let entry = match self.loops[number as usize].entry {
                Some(entry) => entry,
                None => self.add_entry(number, edges)?,
            };
            let opcode = self.function.insn(insn).opcode;
            let mut operands = [Operand::NO_REG; MOST_OPERANDS];
            let given = self.function.operands(insn);
            let Some(places) = operands.get_mut(..given.len()) else {
                return Err(Error::TooLarge);
            };
            places.copy_from_slice(given);
            let operands = operands.get(..given.len()).unwrap_or(&[]);
            self.function
                .insert(entry, None, opcode, LowType::S64, operands)?;
        }
        let mut layout = Vec::new(self.function.allocator());
        let mut loops = self.loops.iter().peekable();
        for (place, &block) in self.function.layout.iter().enumerate() {
            while let Some(one) = loops.next_if(|one| one.first == place) {
                if let Some(entry) = one.entry {
                    layout.push(entry)?;
                }
            }
            layout.push(block)?;
        }
        self.function.layout = layout;
        Ok(())
    }

    /// Returns a new block through which all edges from outside enter the loop.
    fn add_entry(&mut self, number: u32, edges: &Edges<'_>) -> Result<BlockId, Error> {
        let Loop { first, last, .. } = self.loops[number as usize];
        let header = self.function.layout[first];
        let entry = self.function.add_block()?;
        let depth = self.function.block(header).depth.saturating_sub(1);
        let frequency = self.function.block(header).frequency.value() / ITERATIONS;
        let new = self.function.block_mut(entry);
        (new.depth, new.frequency) = (depth, Frequency::new(frequency));
        let isa = self.isa;
        let is_branch = |function: &Function<'_>, insn| {
            properties::flags(isa, function.insn(insn)).contains(InsnFlags::TERMINATOR)
        };
        for &source in edges.predecessors(header) {
            if !(first..=last).contains(&self.place(source)) {
                redirect(self.function, source, is_branch, |_, target| {
                    if target == header { entry } else { target }
                });
            }
        }
        self.loops[number as usize].entry = Some(entry);
        Ok(entry)
    }

    // ---- within blocks

    /// Computes each constant once between calls.
    fn once_per_block(&mut self) {
        for place in 0..self.function.layout.len() {
            let mut known: [Option<InsnId>; NEARBY] = [None; NEARBY];
            let mut oldest = 0;
            let mut cursor = self.function.cursor(self.function.layout[place]);
            while let Some(insn) = cursor.next(self.function) {
                let flags = properties::flags(self.isa, self.function.insn(insn));
                if flags.contains(InsnFlags::CALL) {
                    known = [None; NEARBY];
                }
                if !self.is_constant(insn) {
                    continue;
                }
                let mut all = known.iter().flatten();
                if let Some(&kept) = all.find(|&&kept| self.is_same(kept, insn)) {
                    self.replace(insn, kept);
                } else if let Some(place) = known.get_mut(oldest) {
                    *place = Some(insn);
                    oldest = (oldest + 1) % NEARBY;
                }
            }
        }
    }

    /// Replaces registers by those that are left with their values.
    fn rename(&mut self) {
        let (function, names) = (&mut *self.function, &self.names);
        for place in 0..function.layout.len() {
            let mut cursor = function.cursor(function.layout[place]);
            while let Some(insn) = cursor.next(function) {
                for operand in function.operands_mut(insn) {
                    let Some(mut vreg) = operand.vreg().filter(|_| !operand.is_def()) else {
                        continue;
                    };
                    while names[vreg.index()] != vreg {
                        vreg = names[vreg.index()];
                    }
                    *operand = operand.on(Reg::virt(vreg));
                }
            }
        }
    }
}
