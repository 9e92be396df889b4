//! Rotation of loops: a jump back to where a loop tests whether it goes on becomes that test, so
//! that each iteration takes one operation less, and what is before the jump can be fused with it.

use super::super::code::Op;
use super::flow::{branch_slot, opposite};
use super::tidy::is_pure;
use super::{DecodeError, Decoder, LabelFacts, NONE, Node};
use crate::ir::Label;
use crate::mem::{Entity, Vec};

/// The most operations of a test, its branch included.
const LONGEST: usize = 6;

/// The most nodes in which a test is searched.
const NEAR: usize = 32;

/// A test that stands in for a jump to it.
struct Test {
    /// The nodes before the branch, of which those that are performed are repeated.
    start: usize,
    end: usize,
    /// The branch that goes back into the loop, and the jump that follows.
    back: Node,
    out: Node,
    /// The slot of the target of `back`; true if that is the node after the test, which has no
    /// label yet.
    slot: usize,
    goes_behind: bool,
}

impl Decoder<'_, '_> {
    /// Rotates all loops, but those of confined programs, where fuel ends at the same place in
    /// every engine: what a jump and a branch cost is added up here.
    #[cfg_attr(small_code, inline(never))]
    pub(super) fn rotate(&mut self) -> Result<(), DecodeError> {
        let is_found = |index| self.test_for(index).is_some();
        if self.linked.is_confined() || !(0..self.nodes.len()).any(is_found) {
            return Ok(());
        }
        let allocator = self.context.allocator();
        let mut nodes = Vec::with_capacity(allocator, self.nodes.len())?;
        let mut places: Vec<'_, u32> = Vec::with_capacity(allocator, self.nodes.len() + 1)?;
        // However many jumps there are, the code becomes about twice as long at most.
        let mut room = self.nodes.len() + 8 * LONGEST;
        for index in 0..self.nodes.len() {
            places.push(nodes.len() as u32)?;
            match self.test_for(index).filter(|_| room > LONGEST) {
                Some(test) => {
                    room -= LONGEST + 1;
                    self.repeat(index, test, &mut nodes)?;
                }
                None => nodes.push(self.nodes[index])?,
            }
        }
        places.push(nodes.len() as u32)?;
        let place = |node: &mut u32| *node = places.get(*node as usize).copied().unwrap_or(0);
        for facts in &mut self.labels[..] {
            place(&mut facts.node);
            if facts.stretch == BEHIND
                && let Some(node) = nodes.get_mut(facts.node as usize)
            {
                node.at_label = true;
            }
        }
        for (node, _) in &mut self.starts[..] {
            place(node);
        }
        self.nodes = nodes;
        Ok(())
    }

    /// Returns the test to which a jump goes back, if it can stand in for that.
    fn test_for(&self, index: usize) -> Option<Test> {
        let jump = &self.nodes[index];
        if jump.op != Op::Jmp || jump.dropped {
            return None;
        }
        let start = self.labels[jump.slots[0] as usize].node as usize;
        let mut count = 0;
        for place in start..index.min(start + NEAR) {
            let node = &self.nodes[place];
            if node.dropped {
                continue;
            }
            count += 1;
            if count > LONGEST || node.extra != NONE || count > 1 && node.at_label {
                return None;
            }
            if let Some(slot) = branch_slot(node.op) {
                return self.test(index, start, place, slot);
            }
            if !node.op.roles().first()?.is_def() || !is_pure(node.op) {
                return None;
            }
        }
        None
    }

    /// Returns the test with this branch for a jump.
    fn test(&self, index: usize, start: usize, branch: usize, slot: usize) -> Option<Test> {
        let (jump, node) = (self.nodes[index], self.nodes[branch]);
        // A test for values beyond a table becomes part of the `switch`.
        let near = self.nodes[branch + 1..].iter().take(NEAR);
        let mut after = near.filter(|node| !node.dropped).take(2);
        if after.any(|node| node.op == Op::Switch) {
            return None;
        }
        let [to, costs] = [node.slots[slot], node.slots[slot + 1]];
        let target = self.labels[to as usize].node as usize;
        let goes_behind = !(branch + 1..=index).contains(&target);
        let mut back = node;
        back.at_label = false;
        let [mut taken, mut other] = [costs & 0xFFFF, costs >> 16];
        if goes_behind {
            let [a, b, ..] = node.slots;
            let (op, inputs) = opposite(node.op, [a, b])?;
            back.op = op;
            if inputs[0] != a {
                back.last_reads = 0;
            }
            back.slots[..2].copy_from_slice(&inputs);
            [taken, other] = [other, taken];
        }
        let cost = jump.slots[1] & 0xFFFF;
        let [taken, other] = [taken + cost, other + cost];
        if taken.max(other) > 0xFFFF {
            return None;
        }
        back.slots[slot + 1] = other << 16 | taken;
        let mut out = jump;
        out.at_label = false;
        out.slots[..2].copy_from_slice(&[to, 0]);
        Some(Test {
            start,
            end: branch,
            back,
            out,
            slot,
            goes_behind,
        })
    }

    /// Adds a test in place of a jump.
    #[cfg_attr(small_code, inline(never))]
    fn repeat(
        &mut self,
        index: usize,
        mut test: Test,
        nodes: &mut Vec<'_, Node>,
    ) -> Result<(), DecodeError> {
        let end = match test.goes_behind {
            true => &mut test.back.slots[test.slot],
            false => &mut test.out.slots[0],
        };
        *end = self.labels.len() as u32;
        // Nothing has a greater label, so that all stay in order.
        self.labels.push(LabelFacts {
            label: Label::new(u32::MAX),
            insn: test.back.insn,
            used: true,
            address: NONE,
            cost: 0,
            node: test.end as u32 + 1,
            stretch: BEHIND,
        })?;
        let first = nodes.len();
        for node in &self.nodes[test.start..test.end] {
            if !node.dropped {
                nodes.push(Node {
                    at_label: false,
                    ..*node
                })?;
            }
        }
        nodes.push(test.back)?;
        nodes.push(test.out)?;
        nodes[first].at_label = self.nodes[index].at_label;
        Ok(())
    }
}

/// The stretch of labels that rotation made.
const BEHIND: u32 = NONE - 1;
