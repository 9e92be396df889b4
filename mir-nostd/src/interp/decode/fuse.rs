//! Superinstructions: pairs of neighbours become one operation. The pairs were chosen by their
//! frequency in real programs: each is some percent of what one of these executes.

use super::super::code::{Op, WORDS};
use super::{Decoder, Node, SLOTS};

/// The mapping of the operands of two neighbours to those of one operation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A constant step, and a branch on its result.
    Step,
    /// A load, and a branch on the loaded value.
    Branch,
    /// A copy, and a step of the variable.
    Copy,
    /// A constant or copy for a variable, and a jump or another copy.
    Pair,
    /// A copy and a step of an index, and a load by its old value.
    LoadStep,
    /// A logical operation, and a branch on its result.
    Test,
    /// A mask of low bits, and a branch on what is left of the value.
    Mask,
    /// A load, and arithmetic on the loaded value.
    Input,
    /// An indexed load, and arithmetic on the loaded value.
    IndexedInput,
    /// Arithmetic, and commutative arithmetic on its result.
    Result,
    /// An operation, and one on its result and a constant.
    Chain,
    /// Arithmetic with an input in indexed memory, and arithmetic on its result.
    IndexedResult,
    /// A sum, and a load at the sum of that and two others.
    Sum,
    /// Two sums, whatever they are of.
    Both,
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
    /// A load or an extension, and an extension or conversion of its result.
    Convert,
    /// A checked load, and a branch on the loaded value.
    CheckedBranch,
    /// A checked load, and arithmetic on the loaded value.
    CheckedInput,
}

/// The condition that two neighbours must meet.
#[derive(Clone, Copy)]
enum When {
    Always,
    /// The first input of the second is the result of the first.
    Same,
    /// Nothing but this slot of the second reads the result of the first.
    Passes(u8),
    /// Nothing but one of the inputs of the second reads the result of the first.
    PassesEither,
}

/// The number of the other input in the second neighbour; slots of the first one have the numbers
/// from 0 on, those of the second one from [`B`] on.
const OTHER: u8 = 16;
const B: u8 = 8;

impl Form {
    /// Returns the condition, beside those of [`Decoder::holds`], and where the operands come from.
    const fn operands(self) -> (When, [u8; SLOTS]) {
        use When::{Always, Passes, PassesEither, Same};
        match self {
            Form::Step => (Same, [0, 1, 2, B + 1, B + 2, B + 3, 0, 0]),
            Form::Branch => (Same, [0, 1, 2, B + 1, B + 2, 0, 0, 0]),
            Form::Copy => (Always, [0, 1, B, B + 2, 0, 0, 0, 0]),
            Form::Pair => (Always, [0, 1, B, B + 1, 0, 0, 0, 0]),
            Form::LoadStep => (Passes(2), [B, B + 1, 1, 2, B + 3, 3, 0, 0]),
            Form::Test | Form::Mask => (Passes(0), [1, 2, B + 1, B + 2, 0, 0, 0, 0]),
            Form::Input => (PassesEither, [B, OTHER, 1, 2, 0, 0, 0, 0]),
            Form::IndexedInput => (PassesEither, [B, OTHER, 1, 2, 3, 0, 0, 0]),
            Form::Result => (PassesEither, [B, 1, 2, OTHER, 0, 0, 0, 0]),
            Form::Chain => (Passes(1), [B, 1, 2, B + 2, 0, 0, 0, 0]),
            Form::IndexedResult => (PassesEither, [B, 1, 2, 3, 4, OTHER, 0, 0]),
            Form::Sum => (PassesEither, [B, 1, 2, OTHER, B + 3, 0, 0, 0]),
            Form::Both => (Always, [0, 1, 2, B, B + 1, B + 2, 0, 0]),
            Form::JumpAfterMoves => (Always, [0, 1, 2, 3, B, B + 1, 0, 0]),
            Form::Transfer => (Passes(0), [1, 2, 3, B + 1, B + 2, B + 3, 0, 0]),
            Form::Switch | Form::SwitchShort => (Same, [0, B + 1, 2, 3, 0, 0, 0, 0]),
            Form::Return => (Always, [0, 1, 2, B, 0, 0, 0, 0]),
            Form::Convert => (Passes(1), [B, 1, 2, 3, 0, 0, 0, 0]),
            Form::CheckedBranch => (Same, [0, 1, 2, 3, 4, 5, B + 1, B + 2]),
            Form::CheckedInput => (PassesEither, [B, OTHER, 1, 2, 3, 4, 5, 6]),
        }
    }

    const fn is_checked(self) -> bool {
        matches!(self, Form::CheckedBranch | Form::CheckedInput)
    }
}

/// The pairs of neighbours, the operation that replaces each, and its form. Pairs with the same
/// first operation are adjacent.
const JOINS: [(Op, Op, Op, Form); 74] = [
    (Op::AddsI, Op::Blts, Op::AddsIBlts, Form::Step),
    (Op::AddsI, Op::BltsI, Op::AddsIBltsI, Form::Step),
    (Op::AddsI, Op::BgtsI, Op::AddsIBgtsI, Form::Step),
    (Op::AddsI, Op::AddsI, Op::AddsIAddsI, Form::Both),
    (Op::AddI, Op::Blt, Op::AddIBlt, Form::Step),
    (Op::AddI, Op::Blts, Op::AddIBlts, Form::Step),
    (Op::AddI, Op::BltI, Op::AddIBltI, Form::Step),
    (Op::AddI, Op::AtomicLoadU32, Op::AtomicLoadU32, Form::Chain),
    (Op::AddI, Op::AddI, Op::AddIAddI, Form::Both),
    (Op::Add, Op::Add, Op::AddAdd, Form::Both),
    (Op::Add, Op::LoadU8X, Op::AddLoadU8X, Form::Sum),
    (Op::Adds, Op::AddsI, Op::AddsAddsI, Form::Chain),
    (Op::Adds, Op::BltsI, Op::AddsBltsI, Form::Step),
    (Op::LoadI8, Op::Bt, Op::LoadI8Bt, Form::Branch),
    (Op::LoadI8, Op::Bts, Op::LoadI8Bt, Form::Branch),
    (Op::LoadI8, Op::Bf, Op::LoadI8Bf, Form::Branch),
    (Op::LoadI8, Op::Bfs, Op::LoadI8Bf, Form::Branch),
    (Op::LoadI8, Op::Uext8, Op::LoadU8, Form::Chain),
    (Op::LoadU8, Op::Bt, Op::LoadU8Bt, Form::Branch),
    (Op::LoadU8, Op::Bts, Op::LoadU8Bt, Form::Branch),
    (Op::LoadU8, Op::Bf, Op::LoadU8Bf, Form::Branch),
    (Op::LoadU8, Op::Bfs, Op::LoadU8Bf, Form::Branch),
    (Op::LoadI8X, Op::Uext8, Op::LoadU8X, Form::Convert),
    (Op::LoadI64, Op::Bt, Op::LoadI64Bt, Form::Branch),
    (Op::LoadI64, Op::Bf, Op::LoadI64Bf, Form::Branch),
    (Op::LoadI64, Op::LoadI64, Op::LoadI64LoadI64, Form::Chain),
    (Op::LoadI64, Op::Dadd, Op::DaddM, Form::Input),
    (Op::LoadI64, Op::Dmul, Op::DmulM, Form::Input),
    (Op::LoadI64X, Op::Dadd, Op::DaddX, Form::IndexedInput),
    (Op::LoadI64X, Op::Dmul, Op::DmulX, Form::IndexedInput),
    (Op::LoadI64X, Op::Store64X, Op::CopyI64X, Form::Transfer),
    (Op::LoadI32X, Op::Store32X, Op::CopyI32X, Form::Transfer),
    (Op::LoadU32X, Op::Store32X, Op::CopyI32X, Form::Transfer),
    (Op::Mov, Op::AddsI, Op::MovAddsI, Form::Copy),
    (Op::Mov, Op::AddI, Op::MovAddI, Form::Copy),
    (Op::Mov, Op::Jmp, Op::MovJmp, Form::Pair),
    (Op::Mov, Op::Mov, Op::MovMov, Form::Pair),
    (Op::MovMov, Op::Jmp, Op::MovMovJmp, Form::JumpAfterMoves),
    (Op::MovI, Op::Jmp, Op::MovIJmp, Form::Pair),
    (Op::MovAddsI, Op::LoadI32X, Op::LoadI32XStep, Form::LoadStep),
    (Op::XorI, Op::Bt, Op::BneI, Form::Test),
    (Op::XorI, Op::Bf, Op::BeqI, Form::Test),
    (Op::AndI, Op::Bt, Op::AndsIBt, Form::Mask),
    (Op::AndI, Op::Bts, Op::AndsIBt, Form::Mask),
    (Op::AndI, Op::Bf, Op::AndsIBf, Form::Mask),
    (Op::AndI, Op::Bfs, Op::AndsIBf, Form::Mask),
    (Op::AndsI, Op::Bt, Op::AndsIBt, Form::Test),
    (Op::AndsI, Op::Bts, Op::AndsIBt, Form::Test),
    (Op::AndsI, Op::Bf, Op::AndsIBf, Form::Test),
    (Op::AndsI, Op::Bfs, Op::AndsIBf, Form::Test),
    (Op::LshI, Op::Or, Op::LshIOr, Form::Result),
    (Op::LshsI, Op::Ors, Op::LshsIOrs, Form::Result),
    (Op::Mul, Op::Add, Op::MulAdd, Form::Result),
    (Op::MulI, Op::Add, Op::MulIAdd, Form::Result),
    (Op::MulI, Op::AddI, Op::MulIAddI, Form::Chain),
    (Op::UrshsI, Op::AndI, Op::UrshsIAndI, Form::Chain),
    (Op::UrshsI, Op::Xors, Op::UrshsIXors, Form::Result),
    (Op::DmulX, Op::Dadd, Op::DmulXDadd, Form::IndexedResult),
    (Op::Dmul, Op::Dadd, Op::DmulDadd, Form::Result),
    (Op::Dmul, Op::Dmul, Op::DmulDmul, Form::Result),
    (Op::Dsub, Op::Dadd, Op::DsubDadd, Form::Result),
    (Op::Ddiv, Op::Dadd, Op::DdivDadd, Form::Result),
    (Op::UbgtI, Op::Switch, Op::SwitchOr, Form::Switch),
    (Op::Uext32, Op::Switch, Op::SwitchOrShort, Form::SwitchShort),
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
        Op::Dmul,
        Op::CheckedDmulM,
        Form::CheckedInput,
    ),
];

/// The operands of each form, as data.
static OPERANDS: [(When, [u8; SLOTS]); Form::CheckedInput as usize + 1] = {
    let mut operands = [(When::Always, [0; SLOTS]); Form::CheckedInput as usize + 1];
    let mut number = 0;
    while number < JOINS.len() {
        let form = JOINS[number].3;
        operands[form as usize] = form.operands();
        number += 1;
    }
    operands
};

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
    #[cfg_attr(small_code, inline(never))]
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
    #[cfg_attr(small_code, inline(never))]
    fn joined(&self, first: usize, second: usize) -> Option<Node> {
        let (a, b) = (&self.nodes[first], &self.nodes[second]);
        let (op, form) = join(a.op, b.op)?;
        if form == Form::SwitchShort {
            return self.short_switch(first, a, b);
        }
        let (when, map) = OPERANDS[form as usize];
        let other = self.other_input(a, b);
        let meets = match when {
            When::Always => true,
            When::Same => b.slots[0] == a.slots[0],
            When::Passes(slot) => self.passes(a, b, slot.into()),
            When::PassesEither => other.is_some(),
        };
        if !meets || !self.holds(form, a, b) {
            return None;
        }
        let mut node = Node {
            op,
            last_reads: 0,
            insn: if form.is_checked() { a.insn } else { b.insn },
            ..*b
        };
        for (slot, place) in node.slots.iter_mut().zip(map) {
            *slot = match place {
                OTHER => other.unwrap_or(0),
                B.. => b.slots[usize::from(place - B)],
                _ => a.slots[usize::from(place)],
            };
        }
        Some(node)
    }

    /// True if the operands of two neighbours are as the form alone needs them.
    fn holds(&self, form: Form, a: &Node, b: &Node) -> bool {
        let ([x, x1, x2, ..], [y, y1, y2, ..]) = (a.slots, b.slots);
        match form {
            Form::Copy => y1 == x1 || y1 == x,
            Form::LoadStep => y1 != x && y1 != x2 && x2 != x,
            Form::Transfer => y1 != y && y2 != y,
            Form::Mask => x2.cast_signed() >= 0,
            Form::Switch => is_of_table(a, b),
            _ => true,
        }
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
    #[cfg_attr(small_code, inline(never))]
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
        fits.then(|| Node {
            op: Op::SwitchOrShort,
            slots: [x, b.slots[1], to, costs, 0, 0, 0, 0],
            last_reads: 0,
            ..*b
        })
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
