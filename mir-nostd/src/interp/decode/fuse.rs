//! Superinstructions: pairs of neighbours become one operation. The pairs were chosen by their
//! frequency in real programs: each is some percent of what one of these executes.

use super::super::code::{Op, WORDS};
use super::{Decoder, Node, SLOTS};

/// The mapping of the operands of two neighbours to those of one operation.
#[derive(Clone, Copy)]
enum Form {
    /// A constant step, and a branch on its result.
    Step,
    /// A load, and a branch on the loaded value.
    Branch,
    /// A copy, and a step of the variable.
    Copy,
    /// A constant or copy for a variable, and a jump.
    Jump,
    /// A copy and a step of an index, and a load by its old value.
    LoadStep,
    /// An exclusive or, and a branch on its result.
    Test,
    /// A load, and arithmetic on the loaded value.
    Input,
    /// An indexed load, and arithmetic on the loaded value.
    IndexedInput,
    /// Arithmetic, and commutative arithmetic on its result.
    Result,
    /// Two sums, whatever they are of.
    Both,
    /// Two copies.
    Moves,
    /// Two copies, and a jump.
    JumpAfterMoves,
    /// An indexed load, and an indexed store of the loaded value.
    Transfer,
    /// A test for values beyond a table, and the `switch`.
    Switch,
    /// An extension, and a `switch` by it, after such a test.
    SwitchShort,
    /// Stack of a confined program that is given back, and a return.
    Return,
    /// An extension, and the conversion of the extended value.
    Convert,
    /// A checked load, and a branch on the loaded value.
    CheckedBranch,
    /// A checked load, and arithmetic on the loaded value.
    CheckedInput,
}

/// The pairs of neighbours, the operation that replaces each, and its form. Pairs with the same
/// first operation are adjacent.
const JOINS: [(Op, Op, Op, Form); 55] = [
    (Op::AddsI, Op::Blts, Op::AddsIBlts, Form::Step),
    (Op::AddsI, Op::BltsI, Op::AddsIBltsI, Form::Step),
    (Op::AddsI, Op::BgtsI, Op::AddsIBgtsI, Form::Step),
    (Op::AddsI, Op::UbltsI, Op::AddsIUbltsI, Form::Step),
    (Op::AddI, Op::Blt, Op::AddIBlt, Form::Step),
    (Op::AddI, Op::BneI, Op::AddIBneI, Form::Step),
    (Op::AddI, Op::Ublt, Op::AddIUblt, Form::Step),
    (Op::AddI, Op::BeqI, Op::AddIBeqI, Form::Step),
    (Op::AddI, Op::AddI, Op::AddIAddI, Form::Both),
    (Op::Add, Op::UbltI, Op::AddUbltI, Form::Step),
    (Op::Add, Op::Add, Op::AddAdd, Form::Both),
    (Op::Adds, Op::BltsI, Op::AddsBltsI, Form::Step),
    (Op::LoadI8, Op::Bt, Op::LoadI8Bt, Form::Branch),
    (Op::LoadI8, Op::Bts, Op::LoadI8Bt, Form::Branch),
    (Op::LoadI8, Op::Bf, Op::LoadI8Bf, Form::Branch),
    (Op::LoadI8, Op::Bfs, Op::LoadI8Bf, Form::Branch),
    (Op::LoadI64, Op::Bt, Op::LoadI64Bt, Form::Branch),
    (Op::LoadI64, Op::Bf, Op::LoadI64Bf, Form::Branch),
    (Op::LoadI64, Op::Dmul, Op::DmulM, Form::Input),
    (Op::LoadI64X, Op::Dmul, Op::DmulX, Form::IndexedInput),
    (Op::LoadI64X, Op::Store64X, Op::CopyI64X, Form::Transfer),
    (Op::LoadI32X, Op::Store32X, Op::CopyI32X, Form::Transfer),
    (Op::LoadU32X, Op::Store32X, Op::CopyI32X, Form::Transfer),
    (Op::Mov, Op::AddsI, Op::MovAddsI, Form::Copy),
    (Op::Mov, Op::AddI, Op::MovAddI, Form::Copy),
    (Op::Mov, Op::Jmp, Op::MovJmp, Form::Jump),
    (Op::Mov, Op::Mov, Op::MovMov, Form::Moves),
    (Op::MovMov, Op::Jmp, Op::MovMovJmp, Form::JumpAfterMoves),
    (Op::MovI, Op::Jmp, Op::MovIJmp, Form::Jump),
    (Op::MovAddsI, Op::LoadI32X, Op::LoadI32XStep, Form::LoadStep),
    (Op::XorI, Op::Bt, Op::BneI, Form::Test),
    (Op::XorI, Op::Bf, Op::BeqI, Form::Test),
    (Op::UrshsI, Op::Xors, Op::UrshsIXors, Form::Result),
    (Op::Dmul, Op::Dadd, Op::DmulDadd, Form::Result),
    (Op::Dmul, Op::Dmul, Op::DmulDmul, Form::Result),
    (Op::Dadd, Op::Dmul, Op::DaddDmul, Form::Result),
    (Op::Dsub, Op::Dmul, Op::DsubDmul, Form::Result),
    (Op::Dsub, Op::Dadd, Op::DsubDadd, Form::Result),
    (Op::Ddiv, Op::Dadd, Op::DdivDadd, Form::Result),
    (Op::Fmul, Op::Fadd, Op::FmulFadd, Form::Result),
    (Op::UbgtI, Op::Switch, Op::SwitchOr, Form::Switch),
    (Op::Uext32, Op::Switch, Op::SwitchOrShort, Form::SwitchShort),
    (Op::Uext32, Op::I2d, Op::Uext32I2d, Form::Convert),
    (Op::Ext32, Op::I2d, Op::Ext32I2d, Form::Convert),
    (Op::GiveBack, Op::Ret, Op::GiveBackRet, Form::Return),
    (Op::GiveBack, Op::Ret1, Op::GiveBackRet1, Form::Return),
    (
        Op::CheckedLoadU8,
        Op::Bt,
        Op::CheckedLoadU8Bt,
        Form::CheckedBranch,
    ),
    (
        Op::CheckedLoadU8,
        Op::Bts,
        Op::CheckedLoadU8Bt,
        Form::CheckedBranch,
    ),
    (
        Op::CheckedLoadU8,
        Op::Bf,
        Op::CheckedLoadU8Bf,
        Form::CheckedBranch,
    ),
    (
        Op::CheckedLoadU8,
        Op::Bfs,
        Op::CheckedLoadU8Bf,
        Form::CheckedBranch,
    ),
    (
        Op::CheckedLoadI64,
        Op::Bt,
        Op::CheckedLoadI64Bt,
        Form::CheckedBranch,
    ),
    (
        Op::CheckedLoadI64,
        Op::Bf,
        Op::CheckedLoadI64Bf,
        Form::CheckedBranch,
    ),
    (
        Op::CheckedLoadI64,
        Op::Dadd,
        Op::CheckedDaddM,
        Form::CheckedInput,
    ),
    (
        Op::CheckedLoadI64,
        Op::Dsub,
        Op::CheckedDsubM,
        Form::CheckedInput,
    ),
    (
        Op::CheckedLoadI64,
        Op::Dmul,
        Op::CheckedDmulM,
        Form::CheckedInput,
    ),
];

/// The number of the first row in [`JOINS`] of each operation, or that of their end.
static FIRST_JOIN: [u8; WORDS.len()] = first_joins();

const fn first_joins() -> [u8; WORDS.len()] {
    let mut first = [JOINS.len() as u8; WORDS.len()];
    let mut number = JOINS.len();
    while number > 0 {
        number -= 1;
        first[JOINS[number].0 as usize] = number as u8;
    }
    first
}

/// Returns the operation that can replace two neighbours by their operations alone, and its form.
fn join(a: Op, b: Op) -> Option<(Op, Form)> {
    static ROWS: [(Op, Op, Op, Form); JOINS.len()] = JOINS;
    let first = usize::from(*FIRST_JOIN.get(a as usize)?);
    let mut rows = ROWS.get(first..)?.iter().take_while(|row| row.0 == a);
    rows.find(|row| row.1 == b).map(|row| (row.2, row.3))
}

impl Decoder<'_, '_> {
    /// Fuses neighbours, from the first to the last.
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
                if fused.op == Op::SwitchOrShort
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

    /// Returns the last node before `index` that is not dropped, if it is near.
    fn performed_before(&self, index: usize) -> Option<usize> {
        let near = index.saturating_sub(8)..index;
        near.rev().find(|&index| !self.nodes[index].dropped)
    }

    /// Returns the one node that does the work of both, if there is one.
    fn joined(&self, first: usize, second: usize) -> Option<Node> {
        let (a, b) = (&self.nodes[first], &self.nodes[second]);
        let (op, form) = join(a.op, b.op)?;
        let [x, x1, x2, x3, x4, x5, x6, _] = a.slots;
        let [y, y1, y2, y3, ..] = b.slots;
        let (holds, slots) = match form {
            Form::Step => (y == x, [x, x1, x2, y1, y2, y3]),
            Form::Branch => (y == x, [x, x1, x2, y1, y2, 0]),
            Form::Copy => (y1 == x1 || y1 == x, [x, x1, y, y2, 0, 0]),
            Form::Jump => (true, [x, x1, y, y1, 0, 0]),
            Form::LoadStep => (
                y1 != x && y1 != x2 && x2 != x && self.passes(a, b, 2),
                [y, y1, x1, x2, y3, x3],
            ),
            Form::Test => (self.passes(a, b, 0), [x1, x2, y1, y2, 0, 0]),
            Form::Input => (true, [y, self.other_input(a, b)?, x1, x2, 0, 0]),
            Form::IndexedInput => (true, [y, self.other_input(a, b)?, x1, x2, x3, 0]),
            Form::Both => (true, [x, x1, x2, y, y1, y2]),
            Form::Moves => (true, [x, x1, y, y1, 0, 0]),
            Form::JumpAfterMoves => (true, [x, x1, x2, x3, y, y1]),
            Form::Result => (true, [y, x1, x2, self.other_input(a, b)?, 0, 0]),
            Form::Transfer => (
                self.passes(a, b, 0) && y1 != y && y2 != y,
                [x1, x2, x3, y1, y2, y3],
            ),
            Form::Return => (true, [x, x1, x2, y, 0, 0]),
            Form::Switch => (y == x && is_of_table(a, b), [x, y1, x2, x3, 0, 0]),
            Form::SwitchShort => return self.short_switch(first, a, b),
            Form::Convert => (self.passes(a, b, 1), [y, x1, 0, 0, 0, 0]),
            Form::CheckedBranch => {
                let slots = [x, x1, x2, x3, x4, x5, y1, y2];
                return (y == x).then(|| b.checking(a, op, slots));
            }
            Form::CheckedInput => {
                let slots = [y, self.other_input(a, b)?, x1, x2, x3, x4, x5, x6];
                return Some(b.checking(a, op, slots));
            }
        };
        holds.then(|| b.with(op, slots))
    }

    /// Returns the input of `b` that is not the result of `a`, if `b` can take that result as its
    /// other input.
    fn other_input(&self, a: &Node, b: &Node) -> Option<u32> {
        let [_, x, y, ..] = b.slots;
        let commutes = !matches!(b.op, Op::Dsub | Op::Fsub);
        if x != a.slots[0] && self.passes(a, b, 2) {
            Some(x)
        } else {
            (commutes && y != a.slots[0] && self.passes(a, b, 1)).then_some(y)
        }
    }

    /// True if the first output of `a` is a local variable whose last read is slot `slot` of `b`.
    fn passes(&self, a: &Node, b: &Node, slot: usize) -> bool {
        let var = a.slots[0];
        b.slots[slot] == var && b.dies(slot) && self.vars[var as usize].local
    }

    /// Fuses a test for values beyond the table, an extension, and a `switch` on the extended
    /// value.
    fn short_switch(&self, first: usize, a: &Node, b: &Node) -> Option<Node> {
        let test = self.performed_before(first)?;
        let is_between = (test + 1..=first).any(|index| self.nodes[index].at_label);
        let test = &self.nodes[test];
        let [x, _, to, costs, ..] = test.slots;
        let fits = test.op == Op::UbgtsI
            && x == a.slots[1]
            && is_of_table(test, b)
            && self.passes(a, b, 0)
            && !is_between;
        fits.then(|| b.with(Op::SwitchOrShort, [x, b.slots[1], to, costs, 0, 0]))
    }
}

/// True if a test for values above a constant lets exactly those pass that the table of a `switch`
/// has, and for nothing.
fn is_of_table(test: &Node, switch: &Node) -> bool {
    let [_, last, _, costs, ..] = test.slots;
    last.checked_add(1) == Some(switch.slots[1]) && costs >> 16 == 0
}

impl Node {
    /// True if the variable in this slot is read here for the last time.
    fn dies(&self, slot: usize) -> bool {
        self.last_reads >> slot & 1 != 0
    }

    /// Returns the node with another operation and operands.
    fn with(&self, op: Op, [a, b, c, d, e, f]: [u32; 6]) -> Node {
        Node {
            op,
            slots: [a, b, c, d, e, f, 0, 0],
            last_reads: 0,
            ..*self
        }
    }

    /// Returns the node with the check of `load`, at whose instruction it stops, another operation
    /// and operands.
    fn checking(&self, load: &Node, op: Op, slots: [u32; SLOTS]) -> Node {
        Node {
            op,
            slots,
            last_reads: 0,
            insn: load.insn,
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::code::Op;
    use super::JOINS;
    use super::join;

    #[test]
    fn every_row_is_found_and_no_other() {
        for (number, row) in JOINS.iter().enumerate() {
            assert_eq!(
                join(row.0, row.1).map(|(op, _)| op),
                Some(row.2),
                "{number}"
            );
        }
        assert!(join(Op::AddsI, Op::Bt).is_none());
        assert!(join(Op::Jmp, Op::Jmp).is_none());
    }
}
