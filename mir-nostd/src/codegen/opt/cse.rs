//! Common subexpression elimination by dominator-based value numbering, with redundant load
//! elimination and store-to-load forwarding. In SSA form.
//!
//! One walk down the dominator tree keeps a scoped hash table of the values that the dominating
//! blocks computed (Briggs, Cooper and Simpson, "Value numbering", 1997). What costs no more to
//! compute again than to keep, such as an address of data, is replaced within its block alone, but
//! has one value number everywhere. Memory has a generation: a store or call begins a new one, into
//! which the recent accesses are taken over that it certainly does not change; so does a join of
//! different ones (`memory_generations`). A load finds an earlier access only in its own
//! generation. The same walk knows the bounds that dominating branches gave to registers, so that a
//! test of what was tested before is decided. The cost is linear but for collisions.

use crate::codegen::analysis::bounds::{Bounds, bound_at, only_branch, set_outcome};
use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::frame_escape::{address_place, private_frames};
use crate::codegen::analysis::memory_generations::{MemoryGenerations, changes_memory};
use crate::codegen::analysis::phis::is_phi;
use crate::machine::{
    BlockId, Facts, Function, Generic, InsnId, LayoutCursor, LowType, Operand, OperandKind, Reg,
    VReg,
};
use crate::mem::{Entity, HashKey, Vec, numbered};
use crate::target::error::Error;

const NONE: u32 = u32::MAX;
/// The most accesses of memory that are remembered across a store.
const RECENT: usize = 12;

/// Replaces redundant computations and loads, and rewrites decided branches as branches on
/// constants. Returns whether there were such branches, which the next combine removes.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn eliminate_common(
    function: &mut Function<'_>,
    flow: &Flow<'_>,
) -> Result<bool, Error> {
    let allocator = function.allocator();
    let same = identity(function)?;
    let numbers = identity(function)?;
    let mut heads = Vec::new(allocator);
    let values = function.insn_count();
    let buckets = values.clamp(16, 1 << 24).next_power_of_two();
    heads.resize(buckets, NONE)?;
    let memory = MemoryGenerations::new(function, flow)?;
    let mut walk = Walk {
        function,
        flow,
        same,
        numbers,
        heads,
        key: HashKey::new(allocator.hash_seed()),
        entries: Vec::with_capacity(allocator, values)?,
        memory,
        private: None,
        generation: 0,
        first_of_block: 0,
        recent: [NONE; RECENT],
        newest: 0,
        replaces: false,
        bounds: Bounds::new(allocator),
        decides: false,
    };
    walk.run()?;
    walk.rename();
    Ok(walk.decides)
}

/// Returns a list in which each virtual register stands for itself.
fn identity<'m>(function: &Function<'m>) -> Result<Vec<'m, VReg>, Error> {
    Ok(numbered(function.allocator(), function.vreg_count())?)
}

/// An available value, in the list of its bucket.
#[derive(Clone, Copy)]
struct AvailableValue {
    insn: InsnId,
    bucket: u32,
    next: u32,
    /// The generation of memory, for loads and stores.
    generation: u32,
}

struct Walk<'a, 'f> {
    function: &'a mut Function<'f>,
    flow: &'a Flow<'a>,
    /// The register that replaces each register, or itself.
    same: Vec<'f, VReg>,
    /// The value number of each register: a register with the same value that dominates it.
    numbers: Vec<'f, VReg>,
    heads: Vec<'f, u32>,
    key: HashKey,
    entries: Vec<'f, AvailableValue>,
    memory: MemoryGenerations<'f>,
    /// The frame objects that do not escape, when they were first asked for.
    private: Option<Vec<'f, bool>>,
    generation: u32,
    /// The first entry of this block.
    first_of_block: u32,
    /// The latest accesses of memory in this block and those that dominate it.
    recent: [u32; RECENT],
    newest: usize,
    /// True if anything was replaced.
    replaces: bool,
    bounds: Bounds<'f>,
    /// True if a branch was decided.
    decides: bool,
}

/// A block around the present one in the dominator tree, the lengths of the lists before it, and
/// the latest accesses of memory at its end.
struct Scope {
    block: BlockId,
    entries: usize,
    bounds: usize,
    recent: [u32; RECENT],
    newest: usize,
}

impl Walk<'_, '_> {
    fn run(&mut self) -> Result<(), Error> {
        let mut around: Vec<'_, Scope> = Vec::new(self.function.allocator());
        for &block in &self.flow.tree {
            let idom = self.flow.idom(block);
            while let Some(scope) = around.last()
                && Some(scope.block) != idom
            {
                self.forget_to(scope.entries);
                self.bounds.forget_to(scope.bounds);
                around.pop();
            }
            (self.recent, self.newest) =
                (around.last()).map_or(([NONE; RECENT], 0), |scope| (scope.recent, scope.newest));
            let (entries, bounds) = (self.entries.len(), self.bounds.count());
            if let Some(bound) = bound_at(self.function, self.flow, block) {
                self.bounds.learn(self.function, bound)?;
            }
            self.block(block)?;
            self.branch(block)?;
            around.push(Scope {
                block,
                entries,
                bounds,
                recent: self.recent,
                newest: self.newest,
            })?;
        }
        Ok(())
    }

    /// Decides the branch at the end of a block if what it tests is known.
    fn branch(&mut self, block: BlockId) -> Result<(), Error> {
        let most_of = |vreg, ty| self.bounds.of(vreg, ty);
        if let Some(branch) = only_branch(self.function, block)
            && let Some(holds) = Bounds::decide(self.function, branch, most_of)
        {
            set_outcome(self.function, branch, holds)?;
            self.decides = true;
        }
        Ok(())
    }

    fn forget_to(&mut self, len: usize) {
        while self.entries.len() > len {
            if let Some(entry) = self.entries.pop() {
                self.heads[entry.bucket as usize] = entry.next;
            }
        }
    }

    fn block(&mut self, block: BlockId) -> Result<(), Error> {
        self.generation = self.memory.enter(block);
        self.first_of_block = self.entries.len() as u32;
        let mut cursor = self.function.cursor(block);
        while let Some(insn) = cursor.next(self.function) {
            self.insn(insn)?;
        }
        self.memory.leave(block, self.generation);
        Ok(())
    }

    fn insn(&mut self, insn: InsnId) -> Result<(), Error> {
        self.read_same(insn);
        let row = *self.function.insn(insn);
        let Some(generic) = row.opcode.generic() else {
            self.generation = self.memory.begin();
            return Ok(());
        };
        match generic {
            Generic::Copy => self.copy(insn),
            Generic::Phi => self.phi(insn),
            Generic::Load | Generic::SextLoad | Generic::ZextLoad => self.load(insn, row.ty)?,
            Generic::Store => {
                self.change(Some(insn))?;
                let hash = self.hash_address(insn, row.ty);
                self.note_access(insn, hash)?;
            }
            _ if generic.is(Facts::SHARED) && self.is_fixed(insn, generic) => {
                self.value(insn, generic)?;
            }
            _ if changes_memory(&row) => self.change(None)?,
            _ => {}
        }
        Ok(())
    }

    /// Replaces the registers that an instruction reads.
    fn read_same(&mut self, insn: InsnId) {
        if !self.replaces {
            return;
        }
        let same = &self.same;
        for operand in self.function.operands_mut(insn) {
            if let Some(vreg) = operand.read_vreg()
                && let Some(&other) = same.get(vreg.index())
                && other != vreg
            {
                *operand = operand.on(Reg::virt(other));
            }
        }
    }

    /// Removes an instruction. Its result `to` is replaced by `other` from here on.
    fn replace(&mut self, insn: InsnId, to: VReg, other: VReg) {
        self.replaces = true;
        self.same[to.index()] = other;
        self.function.remove(insn);
    }

    fn copy(&mut self, insn: InsnId) {
        if let &[to, from] = self.function.operands(insn)
            && let (Some(to), Some(from)) = (to.vreg(), from.vreg())
            && self.function.vreg(to) == self.function.vreg(from)
        {
            self.replace(insn, to, from);
        }
    }

    /// Removes a PHI of a single value.
    fn phi(&mut self, insn: InsnId) {
        let operands = self.function.operands(insn);
        let Some(to) = operands.first().and_then(|to| to.vreg()) else {
            return;
        };
        let mut only = None;
        for value in operands.iter().skip(1).filter_map(|operand| operand.vreg()) {
            if value != to && only.is_some_and(|only| only != value) {
                return;
            }
            if value != to {
                only = Some(value);
            }
        }
        if let Some(only) = only {
            self.replace(insn, to, only);
        }
    }

    // ---- values

    fn value(&mut self, insn: InsnId, generic: Generic) -> Result<(), Error> {
        let hash = self.hash_value(insn, generic);
        let bucket = hash as usize & (self.heads.len() - 1);
        let mut next = self.heads[bucket];
        while next != NONE {
            let entry = self.entries[next as usize];
            next = entry.next;
            if !self.is_same_value(entry.insn, insn, generic) {
                continue;
            }
            let (Some(to), Some(other)) = (self.result(insn), self.result(entry.insn)) else {
                continue;
            };
            if self.function.vreg(to) != self.function.vreg(other) {
                continue;
            }
            if generic.is(Facts::FREE) && !self.is_beside(entry.insn, insn) {
                self.numbers[to.index()] = self.numbers[other.index()];
                // The remaining entries of the list are of dominating blocks, too.
                break;
            }
            self.replace(insn, to, other);
            return Ok(());
        }
        self.add(insn, bucket)
    }

    /// Returns whether all operands that an instruction reads have one value for good: none is a
    /// physical register, which may change in between, as the stack pointer does where the stack
    /// grows, or a long double in the frame, where it changes.
    fn is_fixed(&self, insn: InsnId, generic: Generic) -> bool {
        let is_address = generic == Generic::FrameIndex;
        self.function.operands(insn).iter().all(|operand| {
            operand.vreg().is_some()
                || match operand.as_reg() {
                    Some(reg) => reg == Reg::NONE,
                    None => is_address || operand.as_frame().is_none(),
                }
        })
    }

    fn is_beside(&self, a: InsnId, b: InsnId) -> bool {
        self.function.insn(a).block() == self.function.insn(b).block()
    }

    fn add(&mut self, insn: InsnId, bucket: usize) -> Result<(), Error> {
        self.entries.push(AvailableValue {
            insn,
            bucket: bucket as u32,
            next: self.heads[bucket],
            generation: self.generation,
        })?;
        self.heads[bucket] = self.entries.len() as u32 - 1;
        Ok(())
    }

    fn result(&self, insn: InsnId) -> Option<VReg> {
        self.function.operands(insn).first()?.vreg()
    }

    #[inline]
    fn hash_operand(&self, operand: Operand) -> u32 {
        let value = match operand.vreg() {
            Some(vreg) => 5 + self.numbers[vreg.index()].index() as u64,
            None => self.hashed_value(operand),
        };
        self.key.word(value)
    }

    /// Returns the number that stands for an operand other than a virtual register.
    fn hashed_value(&self, operand: Operand) -> u64 {
        match operand.kind() {
            OperandKind::Register => 1,
            OperandKind::Immediate | OperandKind::WideImmediate => {
                let value = self.function.immediate(operand).unwrap_or(0);
                value.cast_unsigned() ^ 0x5_0000_0000
            }
            _ => match (operand.as_frame(), operand.as_symbol()) {
                (Some(frame), _) => 0x7_0000_0000 + frame.index() as u64,
                (_, Some(symbol)) => 0x9_0000_0000 + symbol.index() as u64,
                _ => 3,
            },
        }
    }

    fn hash_value(&self, insn: InsnId, generic: Generic) -> u32 {
        let mut hash =
            (generic as u32).wrapping_mul(0x85EB_CA6B) ^ self.function.insn(insn).ty as u32;
        for &operand in self.function.operands(insn).iter().skip(1) {
            let own = self.hash_operand(operand);
            // The order of commutative operands does not matter.
            hash = if generic.is(Facts::COMMUTES) {
                hash.wrapping_add(own)
            } else {
                (hash.rotate_left(5) ^ own).wrapping_mul(0x9E37_79B1)
            };
        }
        hash ^ hash >> 15
    }

    fn is_same_operand(&self, a: Operand, b: Operand) -> bool {
        if let (Some(a), Some(b)) = (a.read_vreg(), b.read_vreg()) {
            return self.numbers[a.index()] == self.numbers[b.index()];
        }
        let value = self.function.immediate(a);
        a == b || value.is_some() && value == self.function.immediate(b)
    }

    fn is_same_value(&self, a: InsnId, b: InsnId, generic: Generic) -> bool {
        let (left, right) = (self.function.insn(a), self.function.insn(b));
        if left.opcode != right.opcode || left.ty != right.ty {
            return false;
        }
        let (a, b) = (self.function.operands(a), self.function.operands(b));
        let all = |a: &[Operand], b: &[Operand]| {
            a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| self.is_same_operand(a, b))
        };
        match (a, b) {
            (&[_, a1, a2], &[_, b1, b2]) if generic.is(Facts::COMMUTES) => {
                all(&[a1, a2], &[b1, b2]) || all(&[a1, a2], &[b2, b1])
            }
            _ => all(a.get(1..).unwrap_or(&[]), b.get(1..).unwrap_or(&[])),
        }
    }

    // ---- memory

    fn address(&self, insn: InsnId) -> [Operand; 4] {
        let operands = self.function.operands(insn).get(1..5);
        let address = operands.and_then(|operands| operands.try_into().ok());
        address.unwrap_or([Operand::NO_REG; 4])
    }

    fn hash_address(&self, insn: InsnId, ty: LowType) -> u32 {
        let mut hash = 0xC2B2_AE35 ^ ty as u32;
        for operand in self.address(insn) {
            hash = (hash.rotate_left(5) ^ self.hash_operand(operand)).wrapping_mul(0x9E37_79B1);
        }
        hash ^ hash >> 15
    }

    fn note_access(&mut self, insn: InsnId, hash: u32) -> Result<(), Error> {
        let bucket = hash as usize & (self.heads.len() - 1);
        self.add(insn, bucket)?;
        self.newest = (self.newest + 1) % RECENT;
        self.recent[self.newest] = self.entries.len() as u32 - 1;
        Ok(())
    }

    fn load(&mut self, insn: InsnId, ty: LowType) -> Result<(), Error> {
        if self.result(insn).is_none() || ty.is_long_double() {
            return Ok(());
        }
        let hash = self.hash_address(insn, ty);
        let mut next = self.heads[hash as usize & (self.heads.len() - 1)];
        while next != NONE {
            let entry = self.entries[next as usize];
            next = entry.next;
            if !self.is_same_place(entry.insn, insn, ty) {
                continue;
            }
            if entry.generation != self.generation {
                // Older entries are of older generations.
                break;
            }
            if self.take(insn, entry.insn, ty)? {
                return Ok(());
            }
        }
        self.note_access(insn, hash)
    }

    /// Returns whether an entry is an access of the same address with the same type as a load.
    fn is_same_place(&self, entry: InsnId, load: InsnId, ty: LowType) -> bool {
        let mut addresses = self.address(entry).into_iter().zip(self.address(load));
        address_place(self.function, entry).is_some()
            && self.function.insn(entry).ty == ty
            && addresses.all(|(a, b)| self.is_same_operand(a, b))
    }

    /// Replaces a load by the value that an earlier access loaded or stored, if possible. Returns
    /// whether it was.
    fn take(&mut self, insn: InsnId, earlier: InsnId, ty: LowType) -> Result<bool, Error> {
        let (Some(to), Some(&value)) = (self.result(insn), self.function.operands(earlier).first())
        else {
            return Ok(false);
        };
        let (opcode, other) = (
            self.function.insn(insn).opcode,
            self.function.insn(earlier).opcode,
        );
        let stored = other.generic() == Some(Generic::Store);
        let extension = match opcode.generic() {
            Some(Generic::SextLoad) => Some(Generic::SextInreg),
            Some(Generic::ZextLoad) => Some(Generic::ZextInreg),
            _ => None,
        };
        let Some(from) = value.vreg() else {
            return Ok(false);
        };
        if !stored && opcode != other {
            return Ok(false);
        }
        if self.function.vreg(from) != self.function.vreg(to) {
            return Ok(false);
        }
        match extension {
            Some(extension) if stored => {
                let given = self.function.operands(insn).first().copied();
                let operands = [
                    given.unwrap_or(Operand::NO_REG),
                    value,
                    Operand::imm(ty.bits() as i32),
                ];
                (self.function).replace(insn, extension, LowType::S64, &operands)?;
                self.value(insn, extension)?;
            }
            _ => self.replace(insn, to, from),
        }
        Ok(true)
    }

    /// Begins a new generation of memory after a store, or after anything if there is none. Recent
    /// accesses that it certainly does not change are taken over.
    fn change(&mut self, store: Option<InsnId>) -> Result<(), Error> {
        let old = self.generation;
        self.generation = self.memory.begin();
        for number in 0..RECENT {
            let entry = self.recent[number];
            let Some(&known) = self.entries.get(entry as usize) else {
                continue;
            };
            if known.generation != old || !self.is_apart(known.insn, store)? {
                continue;
            }
            if entry >= self.first_of_block {
                self.entries[entry as usize].generation = self.generation;
            } else {
                // The other blocks that its block dominates see memory as before.
                self.recent[number] = self.entries.len() as u32;
                self.add(known.insn, known.bucket as usize)?;
            }
        }
        Ok(())
    }

    /// Returns whether an operand is a frame object that does not escape.
    fn is_private(&mut self, operand: Operand) -> Result<bool, Error> {
        let Some(frame) = operand.as_frame() else {
            return Ok(false);
        };
        let private = match &self.private {
            Some(private) => private,
            None => self.private.insert(private_frames(self.function)?),
        };
        Ok(private.get(frame.index()) == Some(&true))
    }

    /// Returns whether an access certainly does not overlap a store.
    fn is_apart(&mut self, access: InsnId, store: Option<InsnId>) -> Result<bool, Error> {
        let [base, index, scale, disp] = self.address(access);
        let Some(store) = store else {
            return self.is_private(base);
        };
        let [to, to_index, to_scale, to_disp] = self.address(store);
        if to.as_frame() != base.as_frame() && (self.is_private(base)? || self.is_private(to)?) {
            return Ok(true);
        }
        let is_same = |a, b| self.is_same_operand(a, b);
        if !is_same(to, base) || !is_same(to_index, index) || to_scale != scale {
            return Ok(false);
        }
        let (Some(disp), Some(to_disp)) = (disp.small(), to_disp.small()) else {
            return Ok(false);
        };
        let (disp, to_disp) = (i64::from(disp), i64::from(to_disp));
        let (bytes, to_bytes) = (
            self.function.insn(access).ty.bytes(),
            self.function.insn(store).ty.bytes(),
        );
        Ok(disp + i64::from(bytes) <= to_disp || to_disp + i64::from(to_bytes) <= disp)
    }

    /// Replaces the registers that PHIs read, as those at the ends of back edges were not known
    /// when the walk came by.
    fn rename(&mut self) {
        if !self.replaces {
            return;
        }
        for place in 0..self.same.len() {
            let mut to = self.same[place];
            while self.same[to.index()] != to {
                to = self.same[to.index()];
            }
            self.same[place] = to;
        }
        let mut layout = LayoutCursor::default();
        while let Some(block) = layout.next(self.function) {
            let mut cursor = self.function.cursor(block);
            while let Some(phi) = cursor.next_if(self.function, is_phi) {
                self.read_same(phi);
            }
        }
    }
}
