//! The label numbers of a file, and the labels that they denote.
//!
//! A number denotes a label of the function in which it occurs; numbers may recur in the next
//! function. In an `lref` it denotes the label of the function before the item, or, if there is
//! none yet, of the next one that has it. Labels keep their numbers, except those that recur in a
//! module: these labels get new ones.
//!
//! Numbers below the count of bytes read so far, which are nearly all in real files, index an
//! array; others are found in a tree. So memory stays in proportion to the bytes read, whatever the
//! numbers.

use crate::ir::{Label, Module, Result};
use crate::mem::{Allocator, Entity, Vec};

/// The meaning of a number when it last occurred.
#[derive(Clone, Copy)]
struct Meaning {
    /// The scope in which it occurred, in the count of [`Labels::scopes`]; 0 if there is none.
    scope: u32,
    /// The label; meaningless if there is no scope.
    label: Label,
}

impl Meaning {
    fn none() -> Meaning {
        Meaning {
            scope: 0,
            label: Label::new(0),
        }
    }
}

/// The meanings of all numbers.
pub(super) struct Labels<'m> {
    dense: Vec<'m, Meaning>,
    sparse: Tree<'m>,
    /// The number of modules and functions begun so far: each is a scope.
    scopes: u32,
    module: u32,
    /// True if a label of the module had to be given a new number.
    renumbers: bool,
}

/// The highest number that is kept; above there is room for new ones.
const HIGHEST_KEPT: u32 = 1 << 30;

impl<'m> Labels<'m> {
    pub(super) const fn new(allocator: &'m dyn Allocator) -> Labels<'m> {
        Labels {
            dense: Vec::new(allocator),
            sparse: Tree::new(allocator),
            scopes: 0,
            module: 0,
            renumbers: false,
        }
    }

    /// Begins a module, in which no number has a meaning yet.
    pub(super) fn begin_module(&mut self) {
        self.scopes += 1;
        self.module = self.scopes;
        self.renumbers = false;
    }

    /// Begins a function.
    pub(super) fn begin_func(&mut self) {
        self.scopes += 1;
    }

    /// Returns the label of a number in the function begun last; `bytes_read` bounds the array.
    pub(super) fn in_func(
        &mut self,
        number: u32,
        bytes_read: u64,
        module: &mut Module<'_>,
    ) -> Result<Label> {
        let scope = self.scopes;
        let place = self.place(number, bytes_read)?;
        let meaning = *self.meaning(place);
        if meaning.scope == scope {
            return Ok(meaning.label);
        }
        // If an `lref` before the function was the first to use the number, its label is taken
        // over.
        let label = if meaning.scope == self.module {
            meaning.label
        } else {
            self.new_label(number, meaning.scope, module)?
        };
        *self.meaning(place) = Meaning { scope, label };
        Ok(label)
    }

    /// Returns the label of a number in an `lref`.
    pub(super) fn in_lref(
        &mut self,
        number: u32,
        bytes_read: u64,
        module: &mut Module<'_>,
    ) -> Result<Label> {
        let scope = self.module;
        let place = self.place(number, bytes_read)?;
        let meaning = *self.meaning(place);
        if meaning.scope >= scope {
            return Ok(meaning.label);
        }
        let label = self.new_label(number, meaning.scope, module)?;
        *self.meaning(place) = Meaning { scope, label };
        Ok(label)
    }

    /// Makes a label for a number that last occurred in `scope`.
    fn new_label(&mut self, number: u32, scope: u32, module: &mut Module<'_>) -> Result<Label> {
        let is_free = number <= HIGHEST_KEPT
            && scope < self.module
            && (!self.renumbers || number >= module.next_label_number());
        self.renumbers |= !is_free;
        if is_free {
            module.new_label_numbered(number)
        } else {
            module.new_label()
        }
    }

    /// Returns the place of a number's meaning, which is made if need be.
    fn place(&mut self, number: u32, bytes_read: u64) -> Result<Slot> {
        let index = number as usize;
        if self
            .dense
            .get(index)
            .is_some_and(|meaning| meaning.scope != 0)
        {
            return Ok(Slot::Dense(index));
        }
        if let Some(leaf) = self.sparse.find(number) {
            return Ok(Slot::Sparse(leaf));
        }
        if u64::from(number) >= bytes_read {
            return self.sparse.insert(number).map(Slot::Sparse);
        }
        if index >= self.dense.len() {
            self.dense.resize(index + 1, Meaning::none())?;
        }
        Ok(Slot::Dense(index))
    }

    fn meaning(&mut self, place: Slot) -> &mut Meaning {
        match place {
            Slot::Dense(index) => &mut self.dense[index],
            Slot::Sparse(leaf) => &mut self.sparse.leaves[leaf].1,
        }
    }
}

/// The place of a number's meaning.
#[derive(Clone, Copy)]
enum Slot {
    Dense(usize),
    Sparse(usize),
}

/// A binary trie of numbers: each branch tests the highest bit in which the numbers below it
/// differ.
struct Tree<'m> {
    root: Child,
    branches: Vec<'m, Branch>,
    leaves: Vec<'m, (u32, Meaning)>,
}

#[derive(Clone, Copy)]
enum Child {
    Branch(u32),
    Leaf(u32),
}

struct Branch {
    bit: u32,
    children: [Child; 2],
}

impl Branch {
    fn child(&mut self, number: u32) -> &mut Child {
        &mut self.children[(number >> self.bit & 1) as usize]
    }
}

impl<'m> Tree<'m> {
    const fn new(allocator: &'m dyn Allocator) -> Tree<'m> {
        Tree {
            root: Child::Leaf(0),
            branches: Vec::new(allocator),
            leaves: Vec::new(allocator),
        }
    }

    /// Returns the leaf that shares the most leading bits with a number.
    fn nearest(&self, number: u32) -> usize {
        let mut child = self.root;
        loop {
            match child {
                Child::Leaf(leaf) => return leaf as usize,
                Child::Branch(branch) => {
                    let branch = &self.branches[branch as usize];
                    child = branch.children[(number >> branch.bit & 1) as usize];
                }
            }
        }
    }

    fn find(&self, number: u32) -> Option<usize> {
        if self.leaves.is_empty() {
            return None;
        }
        let leaf = self.nearest(number);
        (self.leaves[leaf].0 == number).then_some(leaf)
    }

    /// Adds a number that the tree does not have.
    fn insert(&mut self, number: u32) -> Result<usize> {
        let leaf = self.leaves.len();
        if leaf > 0 {
            let nearest = self.leaves[self.nearest(number)].0;
            let bit = (number ^ nearest).checked_ilog2().unwrap_or(0);
            self.branch_off(number, bit, Child::Leaf(leaf as u32))?;
        }
        self.leaves.push((number, Meaning::none()))?;
        Ok(leaf)
    }

    /// Adds a branch that tests `bit` at the point where the path to `number` first reaches lower
    /// bits.
    fn branch_off(&mut self, number: u32, bit: u32, leaf: Child) -> Result<()> {
        let new = Child::Branch(self.branches.len() as u32);
        let mut parent = None;
        let mut below = self.root;
        while let Child::Branch(branch) = below
            && self.branches[branch as usize].bit > bit
        {
            parent = Some(branch);
            below = *self.branches[branch as usize].child(number);
        }
        let mut branch = Branch {
            bit,
            children: [below; 2],
        };
        *branch.child(number) = leaf;
        self.branches.push(branch)?;
        match parent {
            Some(parent) => *self.branches[parent as usize].child(number) = new,
            None => self.root = new,
        }
        Ok(())
    }
}
