//! Jump threading: jumps to jumps, branches over jumps and before jumps back, and jumps to the next
//! operation.

use super::super::code::{Op, Role};
use super::{DecodeError, Decoder, Node};
use crate::ir::{Code, InsnId, Label, Operand, Reg};

/// The most nodes that are searched for one that is not dropped.
const NEAR: usize = 64;

/// The most jumps of a chain that are followed.
const CHAIN: usize = 16;

impl Decoder<'_, '_> {
    /// Returns the label to which an instruction that names this one goes. A jump to the test of a
    /// register goes where the test leads, if the register is set to a constant right before: that
    /// is how values of `&&` and `||` come to branches, and the label may have no other use. Where
    /// fuel is charged, passing a block would skip its cost, so that the jump goes to its label.
    pub(super) fn destination(&self, insn: InsnId, label: Label) -> Label {
        let passes = self.module.code(insn) == Code::Jmp && !self.fuel.is_charged();
        let behind = passes.then(|| self.behind_test(insn, label)).flatten();
        behind.unwrap_or(label)
    }

    /// Returns the label to which the test after a label leads from a jump, if that is known.
    fn behind_test(&self, jump: InsnId, label: Label) -> Option<Label> {
        let number = self.label_number(label).ok()?;
        let test = self.module.next(self.labels[number as usize].insn)?;
        let (expected, bits) = match self.module.code(test) {
            Code::Bt => (true, 64),
            Code::Bts => (true, 32),
            Code::Bf => (false, 64),
            Code::Bfs => (false, 32),
            _ => return None,
        };
        let Some(Operand::Reg(reg)) = self.module.operand(test, 1) else {
            return None;
        };
        let value = self.constant_before(jump, reg)?;
        let mut goes = test;
        if (value << (64 - bits) != 0) != expected {
            goes = self.module.next(test)?;
            if !matches!(self.module.code(goes), Code::Label | Code::Jmp) {
                return None;
            }
        }
        match self.module.operand(goes, 0) {
            Some(Operand::Label(label)) => Some(label),
            _ => None,
        }
    }

    /// Returns the constant that one of the moves right before an instruction sets a register to.
    fn constant_before(&self, mut insn: InsnId, reg: Reg) -> Option<i64> {
        for _ in 0..CHAIN {
            insn = self.module.previous(insn)?;
            let Operand::Reg(to) = self.module.operand(insn, 0)? else {
                return None;
            };
            if self.module.code(insn) != Code::Mov {
                return None;
            }
            if to == reg {
                return match self.module.operand(insn, 1) {
                    Some(Operand::Int(value)) => Some(value),
                    _ => None,
                };
            }
        }
        None
    }

    /// Threads and simplifies all jumps. Their cost in fuel stays the same: the costs of blocks
    /// that are skipped are added; in confined programs, where fuel ends at the same place in every
    /// engine, only such are skipped that cost nothing.
    #[cfg_attr(small_code, inline(never))]
    pub(super) fn straighten(&mut self) -> Result<(), DecodeError> {
        for index in 0..self.nodes.len() {
            let node = self.nodes[index];
            if node.dropped {
                continue;
            }
            if let Some(slot) = branch_slot(node.op) {
                self.thread(index, slot);
                if node.op != Op::Jmp {
                    self.invert(index, slot);
                }
            }
        }
        self.rotate()?;
        for index in 0..self.nodes.len() {
            let node = self.nodes[index];
            if node.op == Op::Jmp && !node.dropped && node.slots[1] & 0xFFFF == 0 {
                self.end_at_once(index);
            }
        }
        Ok(())
    }

    /// Returns the first node from `index` on that is not dropped, if it is near.
    fn performed_from(&self, index: usize) -> Option<usize> {
        let end = self.nodes.len().min(index + NEAR);
        (index..end).find(|&index| !self.nodes[index].dropped)
    }

    fn node_at(&self, label: u32) -> Option<usize> {
        self.performed_from(self.labels[label as usize].node as usize)
    }

    /// Redirects a branch to a jump to that jump's target.
    fn thread(&mut self, index: usize, slot: usize) {
        for _ in 0..CHAIN {
            let [label, costs] = self.branch_of(index, slot);
            let Some(next) = self.node_at(label) else {
                return;
            };
            let jump = self.nodes[next];
            if jump.op != Op::Jmp || next == index {
                return;
            }
            let Some(cost) = self.sum(costs & 0xFFFF, jump.slots[1] & 0xFFFF) else {
                return;
            };
            if jump.slots[0] == label {
                return;
            }
            let node = &mut self.nodes[index];
            node.slots[slot] = jump.slots[0];
            node.slots[slot + 1] = costs & 0xFFFF_0000 | cost;
        }
    }

    /// Returns what a branch costs instead of two, one after the other, if it can stand for both.
    fn sum(&self, first: u32, second: u32) -> Option<u32> {
        let is_exact = first == 0 || !self.linked.is_confined();
        (is_exact && first + second <= 0xFFFF).then_some(first + second)
    }

    fn branch_of(&self, index: usize, slot: usize) -> [u32; 2] {
        let slots = &self.nodes[index].slots;
        [slots[slot], slots[slot + 1]]
    }

    /// Replaces a branch over a jump by the opposite branch, and a branch before a jump back by the
    /// opposite branch back, before a jump to where the branch went: loops end so, whose iterations
    /// then take one operation less.
    #[cfg_attr(small_code, inline(never))]
    fn invert(&mut self, index: usize, slot: usize) {
        let [a, b, ..] = self.nodes[index].slots;
        let Some((op, inputs)) = opposite(self.nodes[index].op, [a, b]) else {
            return;
        };
        let Some(jump) = self.performed_from(index + 1) else {
            return;
        };
        let is_between = (index + 1..=jump).any(|index| self.nodes[index].at_label);
        if is_between || self.nodes[jump].op != Op::Jmp {
            return;
        }
        self.thread(jump, 0);
        let [out, costs] = self.branch_of(index, slot);
        let [to, jump_costs] = self.branch_of(jump, 0);
        let behind = self.performed_from(jump + 1);
        let is_over = behind.is_some() && self.node_at(out) == behind;
        if !is_over && !self.is_inner_loop(index, to, out) {
            return;
        }
        let Some(cost) = self.sum(costs >> 16, jump_costs & 0xFFFF) else {
            return;
        };
        let after = if is_over { costs & 0xFFFF } else { 0 };
        let node = &mut self.nodes[index];
        node.op = op;
        if inputs[0] != a {
            node.last_reads = 0;
        }
        node.slots[..2].copy_from_slice(&inputs);
        node.slots[slot] = to;
        node.slots[slot + 1] = after << 16 | cost;
        let jump = &mut self.nodes[jump];
        jump.dropped = is_over;
        jump.slots[0] = out;
        jump.slots[1] = costs & 0xFFFF;
    }

    /// True if label `to` is before a node, and nearer than `out` if that is, too.
    fn is_inner_loop(&self, index: usize, to: u32, out: u32) -> bool {
        let [to, out] = [to, out].map(|label| self.labels[label as usize].node as usize);
        to <= index && (out > index || out < to)
    }

    /// Replaces a jump to a return by that return, or drops a jump to the next operation.
    fn end_at_once(&mut self, index: usize) {
        let target = self.node_at(self.nodes[index].slots[0]);
        if target == self.performed_from(index + 1) {
            self.nodes[index].dropped = true;
            return;
        }
        let Some(target) = target.map(|target| self.nodes[target]) else {
            return;
        };
        if matches!(target.op, Op::Ret | Op::Ret1 | Op::RetI) {
            let Node { insn, at_label, .. } = self.nodes[index];
            self.nodes[index] = Node {
                insn,
                at_label,
                ..target
            };
        }
    }
}

/// Returns the slot of a branch's target.
pub(super) fn branch_slot(op: Op) -> Option<usize> {
    let (last, others) = op.roles().split_last()?;
    (*last == Role::J).then(|| others.iter().map(|role| role.slots()).sum())
}

/// The branches that test the opposite of each other on the same operands.
static OPPOSITES: [(Op, Op); 10] = [
    (Op::Bt, Op::Bf),
    (Op::Bts, Op::Bfs),
    (Op::Beq, Op::Bne),
    (Op::BeqI, Op::BneI),
    (Op::Beqs, Op::Bnes),
    (Op::BeqsI, Op::BnesI),
    (Op::Fbeq, Op::Fbne),
    (Op::Dbeq, Op::Dbne),
    (Op::Dblt, Op::Dbnlt),
    (Op::Dble, Op::Dbnle),
];

/// The branches that test the opposite of each other with their operands exchanged.
static EXCHANGED: [(Op, Op); 4] = [
    (Op::Blt, Op::Ble),
    (Op::Blts, Op::Bles),
    (Op::Ublt, Op::Uble),
    (Op::Ublts, Op::Ubles),
];

/// The branches on a value below and above a constant, of which one with its constant moved by one
/// tests the opposite of the other.
static BOUNDED: [(Op, Op); 4] = [
    (Op::BltI, Op::BgtI),
    (Op::BltsI, Op::BgtsI),
    (Op::UbltI, Op::UbgtI),
    (Op::UbltsI, Op::UbgtsI),
];

/// Returns the branch that is taken when this one, on these operands, is not, and its operands.
pub(super) fn opposite(op: Op, [a, b]: [u32; 2]) -> Option<(Op, [u32; 2])> {
    for &(one, other) in &OPPOSITES {
        if op == one || op == other {
            return Some((if op == one { other } else { one }, [a, b]));
        }
    }
    for &(one, other) in &EXCHANGED {
        if op == one || op == other {
            return Some((if op == one { other } else { one }, [b, a]));
        }
    }
    for &(below, above) in &BOUNDED {
        let is_unsigned = matches!(below, Op::UbltI | Op::UbltsI);
        if op == below && !(is_unsigned && b == 0) {
            let limit = b.cast_signed().checked_sub(1)?;
            return Some((above, [a, limit.cast_unsigned()]));
        }
        if op == above && !(is_unsigned && b == u32::MAX) {
            let limit = b.cast_signed().checked_add(1)?;
            return Some((below, [a, limit.cast_unsigned()]));
        }
    }
    None
}

/// Returns the branch that is taken if a comparison with this operation holds.
pub(super) fn branch_on(comparison: Op) -> Option<Op> {
    Some(match comparison {
        Op::Eq => Op::Beq,
        Op::EqI => Op::BeqI,
        Op::Eqs => Op::Beqs,
        Op::EqsI => Op::BeqsI,
        Op::Ne => Op::Bne,
        Op::NeI => Op::BneI,
        Op::Nes => Op::Bnes,
        Op::NesI => Op::BnesI,
        Op::Lt => Op::Blt,
        Op::LtI => Op::BltI,
        Op::GtI => Op::BgtI,
        Op::Lts => Op::Blts,
        Op::LtsI => Op::BltsI,
        Op::GtsI => Op::BgtsI,
        Op::Le => Op::Ble,
        Op::Les => Op::Bles,
        Op::Ult => Op::Ublt,
        Op::UltI => Op::UbltI,
        Op::UgtI => Op::UbgtI,
        Op::Ults => Op::Ublts,
        Op::UltsI => Op::UbltsI,
        Op::UgtsI => Op::UbgtsI,
        Op::Ule => Op::Uble,
        Op::Ules => Op::Ubles,
        Op::Feq => Op::Fbeq,
        Op::Fne => Op::Fbne,
        Op::Flt => Op::Fblt,
        Op::Fle => Op::Fble,
        Op::Deq => Op::Dbeq,
        Op::Dne => Op::Dbne,
        Op::Dlt => Op::Dblt,
        Op::Dle => Op::Dble,
        _ => return None,
    })
}
