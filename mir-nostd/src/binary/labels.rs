//! Label numbers of a file and the labels they stand for.
//!
//! A number means a label of the function that it is met in; numbers may come again in the next function. An `lref`
//! means the label of the function that comes before it, or, where there is none yet, of the next that has it.
//!
//! Numbers below the count of bytes read so far, which is nearly all there are in real files, index an array; others
//! are found in a tree. So memory stays in proportion to what was read, whatever the numbers.

use crate::ir::{Label, Module, Result};
use crate::mem::{Allocator, Entity, Vec};

/// What a number stood for when it was last met.
#[derive(Clone, Copy)]
struct Meaning {
    /// Where it was met, in the count of [`Labels::scopes`]; 0 if it never was.
    scope: u32,
    label: Label,
}

fn never() -> Meaning {
    Meaning {
        scope: 0,
        label: Label::new(0),
    }
}

/// The meanings of all numbers.
pub(super) struct Labels<'m> {
    dense: Vec<'m, Meaning>,
    sparse: Tree<'m>,
    /// Modules and functions begun so far: each is a scope.
    scopes: u32,
    module: u32,
}

impl<'m> Labels<'m> {
    pub(super) const fn new(allocator: &'m dyn Allocator) -> Labels<'m> {
        Labels {
            dense: Vec::new(allocator),
            sparse: Tree::new(allocator),
            scopes: 0,
            module: 0,
        }
    }

    /// Forgets all meanings: a module begins.
    pub(super) fn begin_module(&mut self) {
        self.scopes += 1;
        self.module = self.scopes;
    }

    /// A function begins.
    pub(super) fn begin_func(&mut self) {
        self.scopes += 1;
    }

    /// The label of a number met in the function begun last; `bytes_read` bounds the array.
    #[inline]
    pub(super) fn in_func(
        &mut self,
        number: u32,
        bytes_read: u64,
        module: &mut Module<'_>,
    ) -> Result<Label> {
        let (scope, of_lref) = (self.scopes, self.module);
        let meaning = self.meaning(number, bytes_read)?;
        if meaning.scope != scope {
            // Where an `lref` before the function was first to mean the number, its label is taken over.
            if meaning.scope != of_lref {
                meaning.label = module.new_label()?;
            }
            meaning.scope = scope;
        }
        Ok(meaning.label)
    }

    /// The label of a number met in an `lref`.
    pub(super) fn in_lref(
        &mut self,
        number: u32,
        bytes_read: u64,
        module: &mut Module<'_>,
    ) -> Result<Label> {
        let of_lref = self.module;
        let meaning = self.meaning(number, bytes_read)?;
        if meaning.scope < of_lref {
            meaning.label = module.new_label()?;
            meaning.scope = of_lref;
        }
        Ok(meaning.label)
    }

    #[inline]
    fn meaning(&mut self, number: u32, bytes_read: u64) -> Result<&mut Meaning> {
        let index = number as usize;
        let is_met = |meaning: &Meaning| meaning.scope != 0;
        if !self.dense.get(index).is_some_and(is_met) {
            if let Some(found) = self.sparse.find(number) {
                return Ok(&mut self.sparse.leaves[found].1);
            }
            if u64::from(number) >= bytes_read {
                return self.sparse.insert(number);
            }
            if index >= self.dense.len() {
                self.dense.resize(index + 1, never())?;
            }
        }
        Ok(&mut self.dense[index])
    }
}

/// Numbers told apart bit by bit: each branch tests the highest bit in which the numbers below it differ.
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

    /// The leaf that a number would share the most leading bits with.
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

    #[inline]
    fn find(&self, number: u32) -> Option<usize> {
        if self.leaves.is_empty() {
            return None;
        }
        let leaf = self.nearest(number);
        (self.leaves[leaf].0 == number).then_some(leaf)
    }

    /// Adds a number that is not there.
    fn insert(&mut self, number: u32) -> Result<&mut Meaning> {
        let leaf = self.leaves.len();
        if leaf > 0 {
            let nearest = self.leaves[self.nearest(number)].0;
            let bit = (number ^ nearest).checked_ilog2().unwrap_or(0);
            self.branch_off(number, bit, Child::Leaf(leaf as u32))?;
        }
        self.leaves.push((number, never()))?;
        Ok(&mut self.leaves[leaf].1)
    }

    /// Puts a branch that tests `bit` where the way to `number` first comes to lower bits.
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
