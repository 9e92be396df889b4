//! The blocks that virtual registers are live into and out of, found backward from the blocks that
//! read them, as by Brandner et al., "Computing liveness sets for SSA-form programs", 2011, but for
//! a group of registers at a time, with a bit for each: registers that live through the same blocks
//! cost as much as one of them.

use crate::machine::{BlockId, Edges, Function};
use crate::mem::{Allocator, Entity, OutOfMemory, Vec};

/// The part of the blocks that is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// All of them.
    Everything,
    /// The blocks at whose borders a walk over the layout needs to be told: a register is omitted
    /// that is live out of a block and into the next one, which does not read it first.
    Changes,
}

/// The side of a block at which a register is live.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    In,
    Out,
}

/// The registers of the group, a bit for each, that have something to do with a block.
#[derive(Clone, Copy)]
struct Masks {
    /// Those that it reads before it writes them.
    exposed: u64,
    defined: u64,
    live_in: u64,
    live_out: u64,
    /// Those live into it that were not followed to its predecessors yet.
    pending: u64,
}

impl Masks {
    const NONE: Masks = Masks {
        exposed: 0,
        defined: 0,
        live_in: 0,
        live_out: 0,
        pending: 0,
    };

    const fn is_none(&self) -> bool {
        self.defined | self.live_in | self.live_out == 0
    }
}

/// The number of no block.
const NO_BLOCK: u32 = u32::MAX;

/// The search for the blocks of a group of registers.
pub(crate) struct Search<'a, 'm> {
    edges: &'a Edges<'a>,
    blocks: Vec<'m, Masks>,
    /// The blocks before and after each block in the layout, for [`Wanted::Changes`].
    beside: Vec<'m, [u32; 2]>,
    /// The registers of the group: that of the lowest bit first.
    group: heapless::Vec<u32, GROUP>,
    /// The blocks with any mask.
    touched: Vec<'m, u32>,
    /// The blocks with pending registers.
    stack: Vec<'m, u32>,
    /// The number of times that registers may still be live into blocks, and out of them.
    left: [usize; 2],
    /// The number of edges that may still be walked.
    edges_left: usize,
}

/// The most registers of a group.
const GROUP: usize = u64::BITS as usize;
/// The most edges that are walked for each time that a register may be live into a block.
const EDGES: usize = 4;

impl<'a, 'm> Search<'a, 'm> {
    /// Returns a search that gives up when registers are live into or out of blocks more than
    /// `most` times, all groups together.
    pub(crate) fn new(
        function: &Function<'_>,
        edges: &'a Edges<'a>,
        wanted: Wanted,
        most: usize,
        allocator: &'m dyn Allocator,
    ) -> Result<Self, OutOfMemory> {
        let mut search = Search {
            edges,
            blocks: Vec::new(allocator),
            beside: Vec::new(allocator),
            group: heapless::Vec::new(),
            touched: Vec::new(allocator),
            stack: Vec::new(allocator),
            left: [most; 2],
            edges_left: most.saturating_mul(EDGES),
        };
        search.blocks.resize(function.block_count(), Masks::NONE)?;
        if wanted == Wanted::Changes {
            let beside = &mut search.beside;
            beside.resize(function.block_count(), [NO_BLOCK; 2])?;
            for pair in function.layout.windows(2) {
                beside[pair[0].index()][1] = pair[1].number();
                beside[pair[1].index()][0] = pair[0].number();
            }
        }
        Ok(search)
    }

    /// Returns whether no register can be added before [`Search::run`] and [`Search::clear`].
    pub(crate) fn is_full(&self) -> bool {
        self.group.is_full()
    }

    /// Adds a register to the group, with the blocks that read it before they write it, and those
    /// that write it.
    pub(crate) fn add(
        &mut self,
        vreg: u32,
        exposed: impl Iterator<Item = u32>,
        defined: impl Iterator<Item = u32>,
    ) -> Result<(), OutOfMemory> {
        let number = self.group.len();
        // A group without room is one that the caller should have emptied.
        self.group.push(vreg).map_err(|_| OutOfMemory)?;
        let bit = 1 << number;
        for block in defined {
            self.touch(block)?.defined |= bit;
        }
        for block in exposed {
            let masks = self.touch(block)?;
            masks.exposed |= bit;
            masks.live_in |= bit;
            masks.pending |= bit;
            if masks.pending == bit {
                self.stack.push(block)?;
            }
        }
        Ok(())
    }

    /// Returns the masks of a block, to which some are added.
    fn touch(&mut self, block: u32) -> Result<&mut Masks, OutOfMemory> {
        let masks = &mut self.blocks[block as usize];
        if masks.is_none() {
            self.touched.push(block)?;
        }
        Ok(masks)
    }

    /// Finds the blocks of the group. Returns false if they are too many.
    pub(crate) fn run(&mut self) -> Result<bool, OutOfMemory> {
        let edges = self.edges;
        while let Some(block) = self.stack.pop() {
            let pending = core::mem::take(&mut self.blocks[block as usize].pending);
            let sources = edges.predecessors(BlockId::new(block));
            let Some(edges_left) = self.edges_left.checked_sub(sources.len()) else {
                return Ok(false);
            };
            self.edges_left = edges_left;
            for &from in sources {
                self.leave(from.number(), pending)?;
            }
        }
        let mut counts = [0; 2];
        for &block in &self.touched {
            let masks = &self.blocks[block as usize];
            counts[0] += masks.live_in.count_ones() as usize;
            counts[1] += masks.live_out.count_ones() as usize;
        }
        for (left, count) in self.left.iter_mut().zip(counts) {
            let Some(less) = left.checked_sub(count) else {
                return Ok(false);
            };
            *left = less;
        }
        Ok(true)
    }

    /// Makes registers live out of a block, and into it where it does not write them.
    fn leave(&mut self, block: u32, registers: u64) -> Result<(), OutOfMemory> {
        let masks = self.touch(block)?;
        let fresh = registers & !masks.live_out;
        masks.live_out |= fresh;
        let through = fresh & !(masks.defined | masks.live_in);
        if through == 0 {
            return Ok(());
        }
        masks.live_in |= through;
        masks.pending |= through;
        if masks.pending == through {
            self.stack.push(block)?;
        }
        Ok(())
    }

    /// Calls `found` with the sides, blocks and registers that [`Search::run`] found and that are
    /// wanted; for each side and block, the registers are in the order in which they were added.
    pub(crate) fn each(
        &self,
        mut found: impl FnMut(Side, u32, u32) -> Result<(), OutOfMemory>,
    ) -> Result<(), OutOfMemory> {
        for &block in &self.touched {
            let masks = self.blocks[block as usize];
            let beside = self.beside.get(block as usize);
            let [above, below] = *beside.unwrap_or(&[NO_BLOCK; 2]);
            for register in self.registers(masks.live_in & !self.passing(above, block)) {
                found(Side::In, block, register)?;
            }
            for register in self.registers(masks.live_out & !self.passing(block, below)) {
                found(Side::Out, block, register)?;
            }
        }
        Ok(())
    }

    /// Returns the registers that are live out of a block and into the next one, which does not
    /// read them before it writes them.
    fn passing(&self, above: u32, below: u32) -> u64 {
        match [above, below].map(|block| self.blocks.get(block as usize)) {
            [Some(above), Some(below)] => above.live_out & below.live_in & !below.exposed,
            _ => 0,
        }
    }

    /// Returns the registers of these bits, the lowest bit first.
    fn registers(&self, mut bits: u64) -> impl Iterator<Item = u32> {
        core::iter::from_fn(move || {
            let register = self.group.get(bits.trailing_zeros() as usize);
            bits &= bits.wrapping_sub(1);
            register.copied()
        })
    }

    /// Empties the group.
    pub(crate) fn clear(&mut self) {
        for block in self.touched.iter() {
            self.blocks[*block as usize] = Masks::NONE;
        }
        self.touched.clear();
        self.stack.clear();
        self.group.clear();
    }
}
