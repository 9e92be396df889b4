//! Functions: blocks, instructions, operands, virtual registers, frame objects, constants.

use super::entities::{BlockId, ConstantId, FrameId, InsnId, SymbolId, TableId, VReg};
use super::operand::OperandKind;
use super::origins::{CallSite, Origins};
use super::types::{Bank, ClassId, Frequency, LowType, UnitSet};
use super::{Opcode, Operand};
use crate::ir::{FuncId, ItemId};
use crate::mem::{Allocator, Entity, IndexMap, OutOfMemory, Vec};

/// A function that was inlined, for backtraces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InlinedCall {
    /// The function.
    pub func: FuncId,
    /// The call that it replaced.
    pub site: CallSite,
}

/// The properties of a virtual register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VRegInfo {
    /// Its type.
    pub ty: LowType,
    /// Its bank.
    pub bank: Bank,
    /// Its register class.
    pub class: ClassId,
}

/// The place of a variable of the source in a translated function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariablePlace {
    /// This frame object holds it from the entry of the function to its end.
    Frame(FrameId),
    /// This virtual register holds it, until it is renamed or coalesced.
    Register(VReg),
}

/// The bit of the numbers of masks that belong to one call, whose site is known.
const WITH_SITE: u32 = 1 << 31;

/// A block: a list of instructions, the last of which are terminators.
#[derive(Clone, Copy, Debug, Default)]
pub struct Block {
    first: Option<InsnId>,
    last: Option<InsnId>,
    /// The block split off last, which belongs directly after it in the layout.
    rest: Option<BlockId>,
    /// True if its address is taken, so that an indirect branch may go there.
    pub address_taken: bool,
    /// True if it runs before the prologue; set by the stage `frame`.
    pub is_early: bool,
    /// True if a loop begins with it in the layout; set with `depth`.
    pub starts_loop: bool,
    /// True if it is such a block at the start of a line of memory; set by the stage `emit`.
    pub starts_line: bool,
    /// Its loop nesting depth, as far as known.
    pub depth: u8,
    /// The number of times that it is executed for each execution of the function, as far as known.
    pub frequency: Frequency,
}

/// An instruction, in the list of its block.
#[derive(Clone, Copy, Debug)]
pub struct Insn {
    /// The opcode.
    pub opcode: Opcode,
    /// The type of a generic instruction.
    pub ty: LowType,
    /// The number of operands.
    count: u16,
    /// The start of the operands in the function's pool.
    start: u32,
    previous: Option<InsnId>,
    next: Option<InsnId>,
    block: ShortBlockId,
}

// Large functions have more memory in instructions than in anything else but operands.
const _: () = assert!(size_of::<Insn>() == 20);

/// The most blocks of a function: their numbers have three bytes in instructions.
const MOST_BLOCKS: usize = 1 << 24;

/// The room for operands from which on a function gives back what it does not need.
const MANY_OPERANDS: usize = 1 << 14;

/// The number of a block, in three bytes.
#[derive(Clone, Copy)]
struct ShortBlockId([u8; 3]);

impl ShortBlockId {
    /// Returns the number of one of the first [`MOST_BLOCKS`] blocks.
    fn of(block: BlockId) -> ShortBlockId {
        let [low, middle, high, _] = block.number().to_le_bytes();
        ShortBlockId([low, middle, high])
    }

    fn block(self) -> BlockId {
        let ShortBlockId([low, middle, high]) = self;
        BlockId::new(u32::from_le_bytes([low, middle, high, 0]))
    }
}

impl core::fmt::Debug for ShortBlockId {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:?}", self.block())
    }
}

/// The kind of a frame object, which decides where it lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FrameKind {
    /// A variable: anywhere in the frame.
    Local,
    /// A spill slot: anywhere in the frame. Only code of the register allocator accesses it.
    Spill,
    /// Arguments that came on the stack, at this offset from their start. A negative offset is a
    /// place of the function's own frame, directly below them, where a variadic function stores
    /// those that came in registers.
    Incoming(i32),
}

/// A piece of the function's stack frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FrameObject {
    /// Its kind.
    pub kind: FrameKind,
    /// Its size in bytes.
    pub bytes: u32,
    /// Its alignment in bytes, a power of two, at most 16.
    pub align: u32,
    /// Its offset in bytes from the register that frame references go through; set by the stage
    /// `frame`.
    pub offset: i32,
}

impl FrameObject {
    /// Returns whether its place is that of arguments that came on the stack.
    #[must_use]
    pub const fn is_incoming(&self) -> bool {
        matches!(self.kind, FrameKind::Incoming(_))
    }
}

/// An entry of the constant pool: bytes in the order of the target's memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Constant {
    /// The bytes, of which the first [`Constant::len`] are valid.
    pub bytes: [u8; 16],
    /// The length, which is also the alignment: 4, 8 or 16.
    pub len: u8,
    /// The symbol whose address the 8 bytes are: the code loads it as any constant. An operand that
    /// names a symbol is different, as the linker may replace it by the symbol itself; see
    /// `codegen::FixupTarget::Symbol`.
    pub symbol: Option<SymbolId>,
}

/// A routine of the runtime. The code generator defines the routines and their numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HelperId(u8);

impl HelperId {
    /// Returns the routine with a number.
    #[must_use]
    pub const fn new(number: u8) -> HelperId {
        HelperId(number)
    }

    /// Returns the number of the routine.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }
}

impl core::fmt::Debug for HelperId {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// An entity outside the function to which it refers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symbol {
    /// The address of an item of the module, as programs see it.
    Item(ItemId),
    /// The target of calls of an item of the module.
    Callee(ItemId),
    /// A string of the module.
    Str(crate::ir::Str),
    /// A routine of the runtime.
    Helper(HelperId),
    /// The address of the runtime, the first argument of its routines.
    Runtime,
    /// The address of the callable of a function of the module.
    Callable(FuncId),
}

/// The reason why an instruction is not added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InsertError {
    /// There is no memory for it.
    OutOfMemory,
    /// It would have more than 65,535 operands, or all instructions more than `u32` can count.
    TooManyOperands,
}

impl From<OutOfMemory> for InsertError {
    fn from(_: OutOfMemory) -> InsertError {
        InsertError::OutOfMemory
    }
}

impl core::fmt::Display for InsertError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            InsertError::OutOfMemory => "out of memory",
            InsertError::TooManyOperands => "too many operands",
        })
    }
}

impl core::error::Error for InsertError {}

/// How a function keeps to a limit of the stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StackLimit {
    /// There is no limit.
    None,
    /// The size of its frame is limited, and it calls nothing that takes more.
    Bounded,
    /// It also checks at its entry that there is enough stack.
    Checked,
}

/// A function in Machine IR, with the operations that build it.
///
/// Instructions are added at the end of a block or before another one; the code has the blocks in
/// the order of the layout.
///
/// ```
/// use mir_nostd::machine::{
///     Bank, ClassId, Constant, Function, Generic, IntPredicate, LowType, Operand, OperandFlags,
///     UnitSet, VRegInfo,
/// };
/// # fn main() -> Result<(), mir_nostd::machine::InsertError> {
/// # let system = testkit::SystemAllocator;
/// let mut function = Function::new(&system);
/// let ty = LowType::S64;
/// let value = function.add_vreg(VRegInfo { ty, bank: Bank::General, class: ClassId(0) })?;
/// let [entry, zero] = [function.add_block()?, function.add_block()?];
/// function.layout.extend_from_slice(&[entry, zero])?;
///
/// // Reads what a frame object of 8 bytes holds at its start: base, index, scale, displacement.
/// let slot = function.add_local(8, 8)?;
/// let address = [Operand::frame(slot), Operand::NO_REG, Operand::imm(1), Operand::imm(0)];
/// let [base, index, scale, displacement] = address;
/// let def = Operand::from(value).with(OperandFlags::DEF);
/// let load = [def, base, index, scale, displacement];
/// let load = function.append(entry, Generic::Load, ty, &load)?;
///
/// // Goes to the other block if that is 0.
/// let is_equal = Operand::int_predicate(IntPredicate::Eq);
/// let test = [is_equal, value.into(), Operand::imm(0), Operand::block(zero)];
/// let branch = function.append(entry, Generic::BrIcmp, ty, &test)?;
///
/// // An integer of more than 32 bits, before the branch.
/// let wide = function.int(1 << 40)?;
/// let sum = [def, value.into(), wide];
/// let sum = function.insert(entry, Some(branch), Generic::Add.into(), ty, &sum)?;
/// assert!(function.insns(entry).eq([load, sum, branch]));
/// assert_eq!(function.immediate(function.operands(sum)[2]), Some(1 << 40));
///
/// // A constant in memory, a jump table, what a call preserves.
/// let bytes = u128::from(0.5_f64.to_bits()).to_le_bytes();
/// let half = Constant { bytes, len: 8, symbol: None };
/// let half = function.add_constant(half)?;
/// let table = function.add_table(&[entry, zero, entry])?;
/// let preserved = function.add_mask(UnitSet::unit(7))?;
/// assert_eq!(function.constants[half].len, 8);
/// assert_eq!(function.table(table), [entry, zero, entry]);
/// assert_eq!(function.mask(preserved), Some(UnitSet::unit(7)));
///
/// function.remove(sum);
/// function.move_insn(load, zero, None);
/// assert!(function.insns(entry).eq([branch]) && function.insns(zero).eq([load]));
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Function<'m> {
    allocator: &'m dyn Allocator,
    vregs: IndexMap<'m, VReg, VRegInfo>,
    blocks: IndexMap<'m, BlockId, Block>,
    insns: IndexMap<'m, InsnId, Insn>,
    /// The first of the instructions whose numbers may be used again; their `next` leads on.
    recycled: Option<InsnId>,
    /// True if an instruction was ever removed.
    has_removed: bool,
    /// The number of instructions that are expected, if it was estimated.
    pub(crate) expected_insns: usize,
    operands: Vec<'m, Operand>,
    wide: Vec<'m, i64>,
    masks: Vec<'m, UnitSet>,
    /// The masks of calls whose sites are known.
    sites: Vec<'m, (UnitSet, CallSite)>,
    /// The places in the source that instructions come from, if they are noted.
    pub(crate) origins: Origins<'m>,
    /// The functions that were inlined, if backtraces or lines are wanted.
    pub inlined: Vec<'m, InlinedCall>,
    /// The places of the variables of the source, by their numbers, if debuggers ask for that;
    /// `None` for a variable that is tied to a register of the machine, or has no place.
    pub variables: Vec<'m, Option<VariablePlace>>,
    /// The blocks in the order of their code; the first is the entry.
    pub layout: Vec<'m, BlockId>,
    /// The frame.
    pub frame: IndexMap<'m, FrameId, FrameObject>,
    /// The constant pool.
    pub constants: IndexMap<'m, ConstantId, Constant>,
    /// The jump tables, as ranges of `targets`.
    tables: IndexMap<'m, TableId, (u32, u32)>,
    targets: Vec<'m, BlockId>,
    /// The symbols; the flag is set for those that are near.
    symbols: IndexMap<'m, SymbolId, (Symbol, bool)>,
    /// The registers that are never allocated, as they hold global variables.
    pub reserved: UnitSet,
    /// The number of bytes at the stack pointer for arguments of calls.
    pub outgoing_bytes: u32,
    /// True if the stack pointer moves in the function.
    pub has_dynamic_stack: bool,
    /// How the function keeps to a limit of the stack.
    pub stack_limit: StackLimit,
    /// True if the function calls anything.
    pub has_calls: bool,
    /// True if the function is entered by a jump that leaves no return address.
    pub is_jumped_to: bool,
    /// True if control may continue after a call a second time, by `longjmp`: no edge shows that.
    pub is_jumped_back_into: bool,
    /// True if the frequencies of the blocks are estimated.
    pub has_frequencies: bool,
    /// The multiple at which its code has to begin, if more than the ISA's; set by `emit`.
    pub align: u32,
    /// True if its code is for an object that a linker puts anywhere: symbols are reached relative
    /// to the code or through a table of the linker's, constants and jump tables lie outside the
    /// code.
    pub is_position_independent: bool,
}

impl<'m> Function<'m> {
    /// Makes a function without blocks; allocates nothing.
    #[must_use]
    #[inline(never)]
    pub const fn new(allocator: &'m dyn Allocator) -> Function<'m> {
        Function {
            allocator,
            vregs: IndexMap::new(allocator),
            blocks: IndexMap::new(allocator),
            insns: IndexMap::new(allocator),
            recycled: None,
            has_removed: false,
            expected_insns: 0,
            operands: Vec::new(allocator),
            wide: Vec::new(allocator),
            masks: Vec::new(allocator),
            sites: Vec::new(allocator),
            origins: Origins::new(allocator),
            inlined: Vec::new(allocator),
            variables: Vec::new(allocator),
            layout: Vec::new(allocator),
            frame: IndexMap::new(allocator),
            constants: IndexMap::new(allocator),
            tables: IndexMap::new(allocator),
            targets: Vec::new(allocator),
            symbols: IndexMap::new(allocator),
            reserved: UnitSet::EMPTY,
            outgoing_bytes: 0,
            has_dynamic_stack: false,
            stack_limit: StackLimit::None,
            has_calls: false,
            is_jumped_to: false,
            is_jumped_back_into: false,
            has_frequencies: false,
            align: 1,
            is_position_independent: false,
        }
    }

    /// Returns the allocator that the function takes its memory from.
    #[must_use]
    pub const fn allocator(&self) -> &'m dyn Allocator {
        self.allocator
    }

    /// Removes the contents and keeps the memory, for the next function.
    pub fn clear(&mut self) {
        self.vregs.truncate(0);
        self.blocks.truncate(0);
        self.insns.truncate(0);
        self.recycled = None;
        self.has_removed = false;
        self.expected_insns = 0;
        self.operands.clear();
        self.wide.clear();
        self.masks.clear();
        self.sites.clear();
        self.origins.clear();
        self.inlined.clear();
        self.variables.clear();
        self.layout.clear();
        self.frame.truncate(0);
        self.constants.truncate(0);
        self.tables.truncate(0);
        self.targets.clear();
        self.symbols.truncate(0);
        self.reserved = UnitSet::EMPTY;
        self.outgoing_bytes = 0;
        self.has_dynamic_stack = false;
        self.stack_limit = StackLimit::None;
        self.has_calls = false;
        self.is_jumped_to = false;
        self.is_jumped_back_into = false;
        self.has_frequencies = false;
        self.align = 1;
        self.is_position_independent = false;
    }

    // ---- virtual registers

    /// Adds a virtual register.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`], as for all functions here that add something.
    pub fn add_vreg(&mut self, info: VRegInfo) -> Result<VReg, OutOfMemory> {
        self.vregs.push(info)
    }

    /// Returns the properties of a virtual register.
    #[must_use]
    pub fn vreg(&self, vreg: VReg) -> VRegInfo {
        self.vregs[vreg]
    }

    /// Changes the properties of a virtual register.
    pub(crate) fn set_vreg(&mut self, vreg: VReg, info: VRegInfo) {
        self.vregs[vreg] = info;
    }

    /// Changes the class of a virtual register.
    pub fn set_class(&mut self, vreg: VReg, class: ClassId) {
        self.vregs[vreg].class = class;
    }

    /// Returns the number of virtual registers.
    #[must_use]
    pub fn vreg_count(&self) -> usize {
        self.vregs.len()
    }

    // ---- blocks

    /// Adds a block, not yet in the layout.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`], also if there are 2^24 blocks.
    pub fn add_block(&mut self) -> Result<BlockId, OutOfMemory> {
        self.push_block(Block::default())
    }

    fn push_block(&mut self, block: Block) -> Result<BlockId, OutOfMemory> {
        match self.blocks.len() {
            MOST_BLOCKS => Err(OutOfMemory),
            _ => self.blocks.push(block),
        }
    }

    /// Returns a block.
    #[must_use]
    pub fn block(&self, block: BlockId) -> &Block {
        &self.blocks[block]
    }

    /// Returns a block, to change its properties.
    pub fn block_mut(&mut self, block: BlockId) -> &mut Block {
        &mut self.blocks[block]
    }

    /// Returns the number of blocks, those outside the layout included.
    #[must_use]
    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// Returns all blocks in order of creation.
    pub fn block_ids(&self) -> impl DoubleEndedIterator<Item = BlockId> + use<> {
        (0..self.blocks.len() as u32).map(BlockId::new)
    }

    /// Splits a block: the instructions from `first` on, or none, go to a new block, into which it
    /// falls. The new block is part of the layout after [`Function::lay_out_splits`]. Takes time in
    /// proportion to the instructions that move.
    ///
    /// # Errors
    ///
    /// As [`Function::add_block`].
    pub fn split(&mut self, block: BlockId, first: Option<InsnId>) -> Result<BlockId, OutOfMemory> {
        let old = self.blocks[block];
        let new = self.push_block(Block {
            first,
            last: first.and(old.last),
            rest: old.rest,
            address_taken: false,
            starts_loop: false,
            starts_line: false,
            is_early: old.is_early,
            depth: old.depth,
            frequency: old.frequency,
        })?;
        self.blocks[block].rest = Some(new);
        let mut moved = first;
        if let Some(first) = first {
            let previous = self.insns[first].previous.take();
            self.join(block, previous, None);
        }
        while let Some(insn) = moved {
            self.insns[insn].block = ShortBlockId::of(new);
            moved = self.insns[insn].next;
        }
        Ok(new)
    }

    /// Returns the block that was split off this one, if it is not in the layout yet.
    #[must_use]
    pub fn rest(&self, block: BlockId) -> Option<BlockId> {
        self.blocks[block].rest
    }

    /// Reverses a split: the instructions of the block that was split off go back to the end of
    /// this one.
    pub fn unsplit(&mut self, block: BlockId) {
        if let Some(rest) = self.blocks[block].rest {
            self.move_insns(rest, block);
            self.blocks[block].rest = self.blocks[rest].rest.take();
        }
    }

    /// Adds all blocks that were split off others to the layout, each after its origin.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`]; the layout is unchanged then.
    pub fn lay_out_splits(&mut self) -> Result<(), OutOfMemory> {
        if self
            .blocks
            .values()
            .iter()
            .all(|block| block.rest.is_none())
        {
            return Ok(());
        }
        let mut layout = Vec::with_capacity(self.allocator, self.blocks.len())?;
        for &block in &self.layout {
            let mut next = Some(block);
            while let Some(block) = next {
                layout.push(block)?;
                next = self.blocks[block].rest;
            }
        }
        self.layout = layout;
        for block in self.blocks.values_mut() {
            block.rest = None;
        }
        Ok(())
    }

    // ---- instructions

    /// Adds an instruction before `next`, or at the end of the block.
    ///
    /// # Errors
    ///
    /// [`InsertError`].
    pub fn insert(
        &mut self,
        block: BlockId,
        next: Option<InsnId>,
        opcode: Opcode,
        ty: LowType,
        operands: &[Operand],
    ) -> Result<InsnId, InsertError> {
        let count = u16::try_from(operands.len()).map_err(|_| InsertError::TooManyOperands)?;
        let start = u32::try_from(self.operands.len()).map_err(|_| InsertError::TooManyOperands)?;
        // Most instructions have one of these lengths.
        match operands.len() {
            2 => self.add_operands::<2>(operands)?,
            3 => self.add_operands::<3>(operands)?,
            4 => self.add_operands::<4>(operands)?,
            6 => self.add_operands::<6>(operands)?,
            _ => self.operands.extend_from_slice(operands)?,
        }
        Ok(self.link(block, next, opcode, ty, (start, count))?)
    }

    /// Adds an instruction with the first `len` of a few operands.
    ///
    /// # Errors
    ///
    /// As [`Function::insert`].
    #[inline]
    pub(crate) fn insert_first<const N: usize>(
        &mut self,
        block: BlockId,
        next: Option<InsnId>,
        opcode: Opcode,
        ty: LowType,
        operands: &[Operand; N],
        len: usize,
    ) -> Result<InsnId, OutOfMemory> {
        let start = self.operands.len() as u32;
        self.operands.extend_from_first(operands, len)?;
        self.link(block, next, opcode, ty, (start, len.min(N) as u16))
    }

    /// Returns the pool of operands, to whose end those of a new instruction are added, and the
    /// properties of the virtual registers, which they depend on.
    #[inline]
    pub(crate) fn pool(&mut self) -> (&mut Vec<'m, Operand>, &[VRegInfo]) {
        (&mut self.operands, self.vregs.values())
    }

    /// Returns the operands of an instruction in the making; none if there are not that many.
    pub(crate) fn operands_from(&self, start: u32, count: usize) -> &[Operand] {
        let operands = self.operands.get(start as usize..);
        operands.and_then(|all| all.get(..count)).unwrap_or(&[])
    }

    /// Changes an operand of an instruction in the making.
    pub(crate) fn set_operand(&mut self, start: u32, number: usize, operand: Operand) {
        if let Some(place) = self.operands.get_mut(start as usize + number) {
            *place = operand;
        }
    }

    /// Links an instruction before `next`, or at the end of the block. It has operands that were
    /// added: `count` from `start` on.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    #[inline(never)]
    pub(crate) fn link(
        &mut self,
        block: BlockId,
        next: Option<InsnId>,
        opcode: Opcode,
        ty: LowType,
        operands: (u32, u16),
    ) -> Result<InsnId, OutOfMemory> {
        self.link_inlined(block, next, opcode, ty, operands)
    }

    /// Does the same as [`Function::link`], for the caller through which most instructions come.
    #[inline(always)]
    pub(crate) fn link_inlined(
        &mut self,
        block: BlockId,
        next: Option<InsnId>,
        opcode: Opcode,
        ty: LowType,
        (start, count): (u32, u16),
    ) -> Result<InsnId, OutOfMemory> {
        if self.origins.are_noted() {
            let insn = self.recycled.unwrap_or(self.insns.next_key());
            let near = next.or(self.blocks[block].last);
            self.origins.note(insn, near, next.is_none())?;
        }
        let previous = match next {
            Some(next) => self.insns[next].previous,
            None => self.blocks[block].last,
        };
        let row = Insn {
            opcode,
            ty,
            count,
            start,
            block: ShortBlockId::of(block),
            previous,
            next,
        };
        let insn = match self.recycled {
            Some(insn) => {
                self.recycled = core::mem::replace(&mut self.insns[insn], row).next;
                insn
            }
            None => self.insns.push(row)?,
        };
        match previous {
            Some(previous) => self.insns[previous].next = Some(insn),
            None => self.blocks[block].first = Some(insn),
        }
        match next {
            Some(next) => self.insns[next].previous = Some(insn),
            None => self.blocks[block].last = Some(insn),
        }
        Ok(insn)
    }

    /// Lets the numbers of all instructions that were removed be used again. Nothing may look at
    /// those instructions any more.
    pub(crate) fn recycle_removed(&mut self) {
        self.recycled = None;
        if !self.has_removed {
            return;
        }
        for insn in self.insns.keys() {
            if !self.is_in_block(insn) {
                self.recycle(insn);
            }
        }
    }

    /// Lets the number of an instruction that was taken from its block be used again. Nothing may
    /// look at that instruction any more.
    pub(crate) fn recycle(&mut self, insn: InsnId) {
        self.insns[insn].next = self.recycled.replace(insn);
    }

    /// Adds this many operands.
    fn add_operands<const N: usize>(&mut self, operands: &[Operand]) -> Result<(), OutOfMemory> {
        match operands.first_chunk::<N>() {
            Some(operands) => self.operands.extend_from_first(operands, N),
            None => Ok(()),
        }
    }

    /// Adds an instruction at the end of a block.
    ///
    /// # Errors
    ///
    /// As [`Function::insert`].
    pub fn append(
        &mut self,
        block: BlockId,
        opcode: impl Into<Opcode>,
        ty: LowType,
        operands: &[Operand],
    ) -> Result<InsnId, InsertError> {
        self.insert(block, None, opcode.into(), ty, operands)
    }

    /// Adds an instruction at the end of a block that does the same as `insn`, with other operands,
    /// and comes from the same place: one of the copies that [`Origins::begin_copies`] began.
    ///
    /// # Errors
    ///
    /// As [`Function::insert`].
    pub(crate) fn append_like(
        &mut self,
        block: BlockId,
        insn: InsnId,
        operands: &[Operand],
    ) -> Result<(), InsertError> {
        let row = *self.insn(insn);
        if self.origins.are_noted() {
            let old = self.operands.get(row.start as usize..);
            let old = old.and_then(|old| old.get(..usize::from(row.count)));
            (self.origins).place_as_copy(insn, old.unwrap_or(&[]), operands)?;
        }
        let appended = self.append(block, row.opcode, row.ty, operands);
        self.origins.place_near();
        appended.map(|_| ())
    }

    fn join(&mut self, block: BlockId, left: Option<InsnId>, right: Option<InsnId>) {
        match left {
            Some(left) => self.insns[left].next = right,
            None => self.blocks[block].first = right,
        }
        match right {
            Some(right) => self.insns[right].previous = left,
            None => self.blocks[block].last = left,
        }
    }

    /// Removes an instruction from its block.
    pub fn remove(&mut self, insn: InsnId) {
        let Insn {
            block,
            previous,
            next,
            ..
        } = self.insns[insn];
        self.has_removed = true;
        self.join(block.block(), previous, next);
    }

    /// Removes all instructions from a block and returns the first; [`Insn::next`] still leads from
    /// one to the next.
    pub(crate) fn take_insns(&mut self, block: BlockId) -> Option<InsnId> {
        let block = &mut self.blocks[block];
        block.last = None;
        block.first.take()
    }

    /// Adds an instruction that was removed to the end of its block.
    pub(crate) fn put_back(&mut self, insn: InsnId) {
        let block = self.insns[insn].block();
        let previous = self.blocks[block].last;
        let row = &mut self.insns[insn];
        (row.previous, row.next) = (previous, None);
        self.join(block, previous, Some(insn));
        self.blocks[block].last = Some(insn);
    }

    /// Moves an instruction before `next`, or to the end of the block.
    pub fn move_insn(&mut self, insn: InsnId, block: BlockId, next: Option<InsnId>) {
        self.remove(insn);
        let previous = match next {
            Some(next) => self.insns[next].previous,
            None => self.blocks[block].last,
        };
        let row = &mut self.insns[insn];
        (row.block, row.previous, row.next) = (ShortBlockId::of(block), previous, next);
        self.join(block, previous, Some(insn));
        self.join(block, Some(insn), next);
    }

    /// Moves all instructions of a block to the end of another.
    pub fn move_insns(&mut self, from: BlockId, to: BlockId) {
        let Block { first, last, .. } = self.blocks[from];
        let mut next = first;
        while let Some(insn) = next {
            next = self.insns[insn].next;
            self.insns[insn].block = ShortBlockId::of(to);
        }
        if first.is_some() {
            let end = self.blocks[to].last;
            self.join(to, end, first);
            if let Some(first) = first {
                self.insns[first].previous = end;
            }
            self.blocks[to].last = last;
            (self.blocks[from].first, self.blocks[from].last) = (None, None);
        }
    }

    /// Returns an instruction.
    #[must_use]
    pub fn insn(&self, insn: InsnId) -> &Insn {
        &self.insns[insn]
    }

    /// Returns the number of instructions ever made, removed ones included but for those whose
    /// numbers were used again.
    #[must_use]
    pub fn insn_count(&self) -> usize {
        self.insns.len()
    }

    /// Returns an estimate of the number of instructions that the function will have, for backends
    /// that select longer forms in large functions: at least [`Function::insn_count`].
    #[must_use]
    pub fn estimated_insns(&self) -> usize {
        self.insns.len().max(self.expected_insns)
    }

    /// Changes the opcode of an instruction, which keeps its operands.
    pub fn set_opcode(&mut self, insn: InsnId, opcode: Opcode) {
        self.insns[insn].opcode = opcode;
    }

    /// Replaces the opcode of an instruction by the other one of its pair. Returns whether it is in
    /// one.
    pub fn swap_opcode(&mut self, insn: InsnId, pairs: &[[Opcode; 2]]) -> bool {
        let opcode = self.insns[insn].opcode;
        let other = pairs.iter().find_map(|&[a, b]| match opcode {
            _ if opcode == a => Some(b),
            _ if opcode == b => Some(a),
            _ => None,
        });
        if let Some(other) = other {
            self.set_opcode(insn, other);
        }
        other.is_some()
    }

    /// Flips bits of an operand that is a small immediate. Returns whether it is one.
    pub fn flip_immediate(&mut self, insn: InsnId, number: usize, bits: i32) -> bool {
        let operand = self.operands_mut(insn).get_mut(number);
        match operand.and_then(|operand| Some((operand.small()?, operand))) {
            Some((value, operand)) => {
                *operand = Operand::imm(value ^ bits);
                true
            }
            None => false,
        }
    }

    /// Changes the type of a generic instruction.
    pub fn set_type(&mut self, insn: InsnId, ty: LowType) {
        self.insns[insn].ty = ty;
    }

    /// Returns the operands of an instruction.
    #[must_use]
    pub fn operands(&self, insn: InsnId) -> &[Operand] {
        let Insn { start, count, .. } = self.insns[insn];
        &self.operands[start as usize..start as usize + usize::from(count)]
    }

    /// Returns the operands of an instruction, to change them.
    pub fn operands_mut(&mut self, insn: InsnId) -> &mut [Operand] {
        let Insn { start, count, .. } = self.insns[insn];
        &mut self.operands[start as usize..start as usize + usize::from(count)]
    }

    /// Replaces the operands of an instruction.
    ///
    /// # Errors
    ///
    /// As [`Function::insert`].
    pub fn set_operands(&mut self, insn: InsnId, operands: &[Operand]) -> Result<(), InsertError> {
        let count = u16::try_from(operands.len()).map_err(|_| InsertError::TooManyOperands)?;
        if count <= self.insns[insn].count {
            self.insns[insn].count = count;
            self.operands_mut(insn).copy_from_slice(operands);
            return Ok(());
        }
        let start = self.add_slice(operands)?;
        let insn = &mut self.insns[insn];
        (insn.start, insn.count) = (start, count);
        Ok(())
    }

    /// Adds the operands of an instruction and returns where they start.
    fn add_slice(&mut self, operands: &[Operand]) -> Result<u32, InsertError> {
        u16::try_from(operands.len()).map_err(|_| InsertError::TooManyOperands)?;
        let start = u32::try_from(self.operands.len()).map_err(|_| InsertError::TooManyOperands)?;
        self.operands.extend_from_slice(operands)?;
        Ok(start)
    }

    /// Returns the number of operands that there is room for.
    pub(crate) fn operand_room(&self) -> usize {
        self.operands.capacity()
    }

    /// Returns the operands of an instruction of this function, for callers that have its row at
    /// hand.
    #[inline]
    pub(crate) fn operands_of(&self, insn: &Insn) -> &[Operand] {
        let Insn { start, count, .. } = *insn;
        &self.operands[start as usize..start as usize + usize::from(count)]
    }

    /// Frees the room of operands that no instruction in a block has any more, if that is a quarter
    /// of it or more. Instructions that were removed must not be looked at any more.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`]; nothing is changed then.
    pub(crate) fn pack_operands(&mut self) -> Result<(), OutOfMemory> {
        let mut count = 0;
        for block in self.blocks.keys() {
            for (_, row) in self.rows(block) {
                count += usize::from(row.count);
            }
        }
        if count > self.operands.capacity() / 4 * 3 {
            return Ok(());
        }
        // Stages after this one add a few.
        let mut packed = Vec::with_capacity(self.allocator, count + count / 8)?;
        for block in self.blocks.keys() {
            let mut next = self.blocks[block].first;
            while let Some(insn) = next {
                let start = packed.len() as u32;
                packed.extend_from_slice(self.operands(insn))?;
                let row = &mut self.insns[insn];
                row.start = start;
                next = row.next;
            }
        }
        self.operands = packed;
        Ok(())
    }

    /// Returns memory that no instruction in a block has any more to the allocator, if the function
    /// is large. Instructions that were removed must not be looked at any more.
    pub(crate) fn shrink(&mut self) {
        if self.operands.capacity() > MANY_OPERANDS {
            self.pack_in_place();
            self.operands.shrink_to_fit();
            self.insns.shrink_to_fit();
        }
    }

    /// Moves the operands of all instructions in blocks to the front of the pool, if they are there
    /// in the order of the numbers of the instructions.
    fn pack_in_place(&mut self) {
        let mut end = 0;
        for row in self.insns.values() {
            if row.start < end {
                return;
            }
            end = row.start + u32::from(row.count);
        }
        let mut end = 0;
        for insn in self.insns.keys() {
            if self.is_in_block(insn) {
                let row = &mut self.insns[insn];
                let (start, count) = (row.start as usize, usize::from(row.count));
                row.start = end as u32;
                self.operands.copy_within(start..start + count, end);
                end += count;
            }
        }
        self.operands.truncate(end);
    }

    /// Returns whether an instruction was not removed from its block.
    pub(crate) fn is_in_block(&self, insn: InsnId) -> bool {
        let row = &self.insns[insn];
        // Removing an instruction changes its neighbours, not itself.
        let first = match row.previous {
            Some(previous) => self.insns[previous].next,
            None => self.blocks[row.block()].first,
        };
        first == Some(insn)
    }

    /// Returns the instructions of a block, in order.
    pub fn insns(&self, block: BlockId) -> Insns<'_, 'm> {
        Insns {
            function: self,
            next: self.blocks[block].first,
        }
    }

    /// Returns the instructions of a block with their rows, in order: in fewer steps than by their
    /// numbers.
    pub(crate) fn rows(&self, block: BlockId) -> impl Iterator<Item = (InsnId, &Insn)> {
        let mut next = self.blocks[block].first;
        core::iter::from_fn(move || {
            let insn = next?;
            let row = &self.insns[insn];
            next = row.next;
            Some((insn, row))
        })
    }

    // ---- pools

    /// Returns an immediate operand.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn int(&mut self, value: i64) -> Result<Operand, OutOfMemory> {
        if let Ok(small) = i32::try_from(value) {
            return Ok(Operand::imm(small));
        }
        self.wide.push(value)?;
        let number = self.wide.len() as u32 - 1;
        Ok(Operand::indexed(OperandKind::WideImmediate, number))
    }

    /// Returns whether there may be immediates that do not fit in 32 bits with their sign.
    #[must_use]
    pub fn has_wide_immediates(&self) -> bool {
        !self.wide.is_empty()
    }

    /// Returns the value of an immediate operand; `None` for any other.
    #[must_use]
    pub fn immediate(&self, operand: Operand) -> Option<i64> {
        if let Some(small) = operand.small() {
            return Some(i64::from(small));
        }
        let number = operand.numbered(OperandKind::WideImmediate)?;
        self.wide.get(number as usize).copied()
    }

    /// Returns an operand for the register units that a call preserves.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn add_mask(&mut self, preserved: UnitSet) -> Result<Operand, OutOfMemory> {
        let number = match self.masks.iter().position(|&mask| mask == preserved) {
            Some(number) => number,
            None => {
                self.masks.push(preserved)?;
                self.masks.len() - 1
            }
        };
        Ok(Operand::indexed(OperandKind::Mask, number as u32))
    }

    /// Returns an operand as [`Function::add_mask`] does, by which the site of the call is known
    /// in whatever the call becomes, and in its copies.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn add_mask_at(
        &mut self,
        preserved: UnitSet,
        site: CallSite,
    ) -> Result<Operand, OutOfMemory> {
        let number = self.sites.len() as u32 | WITH_SITE;
        self.sites.push((preserved, site))?;
        Ok(Operand::indexed(OperandKind::Mask, number))
    }

    /// Returns the units that a call preserves, of a mask operand; `None` for any other.
    #[must_use]
    pub fn mask(&self, operand: Operand) -> Option<UnitSet> {
        let number = operand.numbered(OperandKind::Mask)?;
        match number & WITH_SITE {
            0 => self.masks.get(number as usize).copied(),
            _ => self.site(number).map(|site| site.0),
        }
    }

    fn site(&self, number: u32) -> Option<(UnitSet, CallSite)> {
        self.sites.get((number & !WITH_SITE) as usize).copied()
    }

    /// Returns whether the site of any call is known.
    pub(crate) fn has_call_sites(&self) -> bool {
        !self.sites.is_empty()
    }

    /// Returns the site of a call, if it is known.
    #[must_use]
    pub fn call_site(&self, insn: InsnId) -> Option<CallSite> {
        if !self.has_call_sites() {
            return None;
        }
        let mut masks = { self.operands(insn).iter() }
            .filter_map(|operand| operand.numbered(OperandKind::Mask));
        let number = masks.find(|number| number & WITH_SITE != 0)?;
        self.site(number).map(|site| site.1)
    }

    // ---- places in the source

    /// Returns the place of an instruction in the source, if it is known; see
    /// `codegen::Execution::lines`.
    #[must_use]
    pub fn insn_site(&self, insn: InsnId) -> Option<CallSite> {
        self.origins.site(insn)
    }

    // ---- frame, constants, tables, symbols

    /// Adds a frame object that may lie anywhere.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn add_local(&mut self, bytes: u32, align: u32) -> Result<FrameId, OutOfMemory> {
        self.add_object(FrameKind::Local, bytes, align)
    }

    /// Adds a spill slot.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn add_spill_slot(&mut self, bytes: u32, align: u32) -> Result<FrameId, OutOfMemory> {
        self.add_object(FrameKind::Spill, bytes, align)
    }

    fn add_object(
        &mut self,
        kind: FrameKind,
        bytes: u32,
        align: u32,
    ) -> Result<FrameId, OutOfMemory> {
        self.frame.push(FrameObject {
            kind,
            bytes,
            align,
            offset: 0,
        })
    }

    /// Adds a constant of 4, 8 or 16 bytes; equal ones nearby are shared.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn add_constant(&mut self, constant: Constant) -> Result<ConstantId, OutOfMemory> {
        const NEARBY: usize = 16;
        let shared = (self.constants.iter().rev())
            .take(NEARBY)
            .find(|(_, known)| **known == constant);
        match shared {
            Some((id, _)) => Ok(id),
            None => self.constants.push(constant),
        }
    }

    /// Adds a jump table.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn add_table(&mut self, blocks: &[BlockId]) -> Result<TableId, OutOfMemory> {
        let start = self.targets.len() as u32;
        self.targets.extend_from_slice(blocks)?;
        self.tables.push((start, blocks.len() as u32))
    }

    /// Returns the blocks of a jump table.
    #[must_use]
    pub fn table(&self, table: TableId) -> &[BlockId] {
        let (start, len) = self.tables[table];
        &self.targets[start as usize..][..len as usize]
    }

    /// Empties a jump table that nothing refers to any more.
    pub fn clear_table(&mut self, table: TableId) {
        self.tables[table].1 = 0;
    }

    /// Returns all jump tables.
    pub fn table_ids(&self) -> impl Iterator<Item = TableId> + use<> {
        (0..self.tables.len() as u32).map(TableId::new)
    }

    /// Returns an operand for something outside the function that may be far; equal ones nearby in
    /// the pool are shared.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn add_symbol(&mut self, symbol: Symbol) -> Result<Operand, OutOfMemory> {
        self.share_symbol(symbol, false)
    }

    /// Returns an operand for something outside that is near; see [`Function::is_near`].
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn add_near_symbol(&mut self, symbol: Symbol) -> Result<Operand, OutOfMemory> {
        self.share_symbol(symbol, true)
    }

    fn share_symbol(&mut self, symbol: Symbol, is_near: bool) -> Result<Operand, OutOfMemory> {
        const NEARBY: usize = 16;
        let shared = (self.symbols.iter().rev())
            .take(NEARBY)
            .find(|(_, known)| **known == (symbol, is_near));
        let id = match shared {
            Some((id, _)) => id,
            None => self.symbols.push((symbol, is_near))?,
        };
        Ok(Operand::symbol(id))
    }

    /// Returns the things that all symbols denote.
    pub(crate) fn symbols(&self) -> impl Iterator<Item = Symbol> {
        self.symbols.values().iter().map(|&(symbol, _)| symbol)
    }

    /// Returns the thing that a symbol denotes.
    #[must_use]
    pub fn symbol(&self, symbol: SymbolId) -> Symbol {
        self.symbols[symbol].0
    }

    /// Returns whether position-independent code reaches the symbol directly, as the same object
    /// defines it and nothing can replace it: there is no table of the linker's in between.
    #[must_use]
    pub fn is_near(&self, symbol: SymbolId) -> bool {
        self.symbols[symbol].1
    }
}

impl Block {
    /// Returns its first instruction.
    #[must_use]
    pub const fn first(&self) -> Option<InsnId> {
        self.first
    }

    /// Returns its last instruction.
    #[must_use]
    pub const fn last(&self) -> Option<InsnId> {
        self.last
    }
}

impl Insn {
    /// Returns the block that contains it.
    #[must_use]
    pub fn block(&self) -> BlockId {
        self.block.block()
    }

    /// Returns the instruction before it in its block.
    #[must_use]
    pub const fn previous(&self) -> Option<InsnId> {
        self.previous
    }

    /// Returns the instruction after it in its block.
    #[must_use]
    pub const fn next(&self) -> Option<InsnId> {
        self.next
    }
}

/// The instructions of a block; see [`Function::insns`].
#[derive(Clone, Debug)]
pub struct Insns<'f, 'm> {
    function: &'f Function<'m>,
    next: Option<InsnId>,
}

impl Iterator for Insns<'_, '_> {
    type Item = InsnId;

    fn next(&mut self) -> Option<InsnId> {
        let insn = self.next?;
        self.next = self.function.insns[insn].next;
        Some(insn)
    }
}
