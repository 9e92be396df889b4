//! Neighbours that can be one operation become one. Which ones were chosen by how often loops of real programs need them.

use super::super::code::Op;
use super::{Decoder, Node};

impl Decoder<'_, '_> {
    /// Joins neighbours, from the first to the last.
    pub(super) fn fuse(&mut self) {
        let mut before = None;
        for index in 0..self.nodes.len() {
            let node = self.nodes[index];
            if node.at_label {
                before = None;
            }
            if node.dropped {
                continue;
            }
            if let Some(first) = before
                && let Some(fused) = self.joined(first, index)
            {
                self.nodes[index] = fused;
                self.absorb(first, index);
                if fused.op == Op::SwitchShort
                    && let Some(test) = self.performed_before(first)
                {
                    self.absorb(test, index);
                }
            }
            before = Some(index);
        }
    }

    /// Drops a node that became part of a later one, which now begins where it did.
    fn absorb(&mut self, first: usize, index: usize) {
        self.nodes[first].dropped = true;
        self.nodes[index].at_label |= self.nodes[first].at_label;
    }

    /// The last node before `index` that is performed.
    fn performed_before(&self, index: usize) -> Option<usize> {
        let near = index.saturating_sub(8)..index;
        near.rev().find(|&index| !self.nodes[index].dropped)
    }

    /// One node that does what both do.
    fn joined(&self, first: usize, second: usize) -> Option<Node> {
        let (a, b) = (self.nodes[first], self.nodes[second]);
        step_and_branch(&a, &b)
            .or_else(|| load_and_branch(&a, &b))
            .or_else(|| copy_and_step(&a, &b))
            .or_else(|| move_and_jump(&a, &b))
            .or_else(|| self.load_and_step(&a, &b))
            .or_else(|| self.test_and_branch(&a, &b))
            .or_else(|| self.with_memory(&a, &b))
            .or_else(|| self.product_and_sum(&a, &b))
            .or_else(|| self.memory_to_memory(&a, &b))
            .or_else(|| self.switch_with_default(first, &a, &b))
    }

    /// Whether the first output of `a` is a temporary that `b` reads in slot `slot` and nobody else.
    fn passes(&self, a: &Node, b: &Node, slot: usize) -> bool {
        let var = a.slots[0];
        b.slots[slot] == var && b.dies(slot) && self.vars[var as usize].local
    }

    fn load_and_step(&self, a: &Node, b: &Node) -> Option<Node> {
        let op = match (a.op, b.op) {
            (Op::MovAddsI, Op::LoadI32X) => Op::LoadI32XStep,
            (Op::MovAddsI, Op::LoadU8X) => Op::LoadU8XStep,
            _ => return None,
        };
        let [copy, x, stepped, step, ..] = a.slots;
        let [to, base, index, disp, ..] = b.slots;
        let is_same = index == copy && base != copy && base != stepped && stepped != copy;
        (is_same && self.passes(a, b, 2)).then(|| b.with(op, &[to, base, x, stepped, disp, step]))
    }

    fn test_and_branch(&self, a: &Node, b: &Node) -> Option<Node> {
        let op = match (a.op, b.op) {
            (Op::AndsI, Op::Bt | Op::Bts) => Op::AndsIBt,
            (Op::AndsI, Op::Bf | Op::Bfs) => Op::AndsIBf,
            _ => return None,
        };
        let [_, x, mask, ..] = a.slots;
        let [_, to, costs, ..] = b.slots;
        self.passes(a, b, 0)
            .then(|| b.with(op, &[x, mask, to, costs]))
    }

    fn with_memory(&self, a: &Node, b: &Node) -> Option<Node> {
        let (plain, indexed) = match (a.op, b.op) {
            (Op::LoadI64, Op::Dadd) => (Op::DaddM, None),
            (Op::LoadI64, Op::Dsub) => (Op::DsubM, None),
            (Op::LoadI64, Op::Dmul) => (Op::DmulM, None),
            (Op::LoadI64, Op::Add) => (Op::AddM, None),
            (Op::LoadI64X, Op::Dadd) => (Op::DaddX, Some(())),
            (Op::LoadI64X, Op::Dsub) => (Op::DsubX, Some(())),
            (Op::LoadI64X, Op::Dmul) => (Op::DmulX, Some(())),
            (Op::LoadI64X, Op::Add) => (Op::AddX, Some(())),
            (Op::LoadFX, Op::Fadd) => (Op::FaddX, Some(())),
            (Op::LoadFX, Op::Fsub) => (Op::FsubX, Some(())),
            (Op::LoadFX, Op::Fmul) => (Op::FmulX, Some(())),
            _ => return None,
        };
        let [to, x, y, ..] = b.slots;
        let [loaded, base, index, disp, ..] = a.slots;
        let commutes = !matches!(b.op, Op::Dsub | Op::Fsub);
        let other = if x != loaded && self.passes(a, b, 2) {
            x
        } else if commutes && y != loaded && self.passes(a, b, 1) {
            y
        } else {
            return None;
        };
        Some(match indexed {
            Some(()) => b.with(plain, &[to, other, base, index, disp]),
            None => b.with(plain, &[to, other, base, index]),
        })
    }

    fn product_and_sum(&self, a: &Node, b: &Node) -> Option<Node> {
        let op = match (a.op, b.op) {
            (Op::Dmul, Op::Dadd) => Op::DmulDadd,
            (Op::Fmul, Op::Fadd) => Op::FmulFadd,
            _ => return None,
        };
        let [product, x, y, ..] = a.slots;
        let [to, p, q, ..] = b.slots;
        if p != product && self.passes(a, b, 2) {
            Some(b.with(op, &[to, x, y, p]))
        } else if q != product && self.passes(a, b, 1) {
            Some(b.with(op, &[to, x, y, q]))
        } else {
            None
        }
    }

    fn memory_to_memory(&self, a: &Node, b: &Node) -> Option<Node> {
        let op = match (a.op, b.op) {
            (Op::LoadI64X, Op::Store64X) => Op::CopyI64X,
            (Op::LoadI32X | Op::LoadU32X, Op::Store32X) => Op::CopyI32X,
            _ => return None,
        };
        let [_, from, from_index, from_disp, ..] = a.slots;
        let [value, to, to_index, to_disp, ..] = b.slots;
        (self.passes(a, b, 0) && to != value && to_index != value)
            .then(|| b.with(op, &[from, from_index, from_disp, to, to_index, to_disp]))
    }

    /// A test for what is beyond the table, and the `switch` of the extended value.
    fn switch_with_default(&self, first: usize, a: &Node, b: &Node) -> Option<Node> {
        if self.fuel || a.op != Op::Uext32 || b.op != Op::Switch || !self.passes(a, b, 0) {
            return None;
        }
        let test = self.performed_before(first)?;
        let is_between = (test + 1..=first).any(|index| self.nodes[index].at_label);
        let test = self.nodes[test];
        let [x, last, to, costs, ..] = test.slots;
        let fits = test.op == Op::UbgtsI
            && x == a.slots[1]
            && last.checked_add(1) == Some(b.slots[1])
            && !is_between;
        fits.then(|| b.with(Op::SwitchShort, &[x, b.slots[1], to, costs]))
    }
}

impl Node {
    /// Whether the variable in this slot is read here for the last time.
    fn dies(&self, slot: usize) -> bool {
        self.last_reads >> slot & 1 != 0
    }

    /// The node with another operation and operands.
    fn with(&self, op: Op, operands: &[u32]) -> Node {
        let mut node = *self;
        node.op = op;
        node.slots = [0; super::SLOTS];
        node.last_reads = 0;
        for (slot, &operand) in node.slots.iter_mut().zip(operands) {
            *slot = operand;
        }
        node
    }
}

fn step_and_branch(a: &Node, b: &Node) -> Option<Node> {
    let op = match (a.op, b.op) {
        (Op::AddsI, Op::Blts) => Op::AddsIBlts,
        (Op::AddsI, Op::BltsI) => Op::AddsIBltsI,
        (Op::AddsI, Op::BgtsI) => Op::AddsIBgtsI,
        (Op::AddsI, Op::Ublts) => Op::AddsIUblts,
        (Op::AddsI, Op::UbltsI) => Op::AddsIUbltsI,
        (Op::AddI, Op::Blt) => Op::AddIBlt,
        (Op::AddI, Op::BltI) => Op::AddIBltI,
        (Op::AddI, Op::BgtI) => Op::AddIBgtI,
        (Op::AddI, Op::Ublt) => Op::AddIUblt,
        (Op::AddI, Op::UbltI) => Op::AddIUbltI,
        (Op::Adds, Op::Blts) => Op::AddsBlts,
        (Op::Adds, Op::BltsI) => Op::AddsBltsI,
        _ => return None,
    };
    let [to, x, step, ..] = a.slots;
    let [tested, limit, target, costs, ..] = b.slots;
    (tested == to).then(|| b.with(op, &[to, x, step, limit, target, costs]))
}

fn load_and_branch(a: &Node, b: &Node) -> Option<Node> {
    let op = match (a.op, b.op) {
        (Op::LoadI8, Op::Bt | Op::Bts) => Op::LoadI8Bt,
        (Op::LoadI8, Op::Bf | Op::Bfs) => Op::LoadI8Bf,
        (Op::LoadI64, Op::Bt) => Op::LoadI64Bt,
        (Op::LoadI64, Op::Bf) => Op::LoadI64Bf,
        (Op::LoadU8X, Op::Bt | Op::Bts) => Op::LoadU8XBt,
        (Op::LoadU8X, Op::Bf | Op::Bfs) => Op::LoadU8XBf,
        _ => return None,
    };
    let [to, base, index, disp, ..] = a.slots;
    let [tested, target, costs, ..] = b.slots;
    let is_indexed = a.op == Op::LoadU8X;
    (tested == to).then(|| {
        if is_indexed {
            b.with(op, &[to, base, index, disp, target, costs])
        } else {
            b.with(op, &[to, base, index, target, costs])
        }
    })
}

fn copy_and_step(a: &Node, b: &Node) -> Option<Node> {
    let op = match (a.op, b.op) {
        (Op::Mov, Op::AddsI) => Op::MovAddsI,
        (Op::Mov, Op::AddI) => Op::MovAddI,
        _ => return None,
    };
    let [copy, x, ..] = a.slots;
    let [to, from, step, ..] = b.slots;
    (from == x || from == copy).then(|| b.with(op, &[copy, x, to, step]))
}

fn move_and_jump(a: &Node, b: &Node) -> Option<Node> {
    let op = match (a.op, b.op) {
        (Op::Mov, Op::Jmp) => Op::MovJmp,
        (Op::MovI, Op::Jmp) => Op::MovIJmp,
        _ => return None,
    };
    let [to, from, ..] = a.slots;
    let [target, costs, ..] = b.slots;
    Some(b.with(op, &[to, from, target, costs]))
}
