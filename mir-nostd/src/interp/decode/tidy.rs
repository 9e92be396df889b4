//! Dead code and copies: one pass backwards computes liveness of local variables, drops operations
//! whose result nobody reads, and makes the definitions of temporaries write the variables that
//! they are moved to.

use super::super::code::{Op, Role};
use super::{Decoder, NONE, Node, Var};

/// The most nodes that are searched backwards for the definition of a temporary.
const REACH: usize = 32;

/// The operands of a node in which a variable is replaced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Renamed {
    /// Those that are written.
    Outputs,
    /// Those that are written or read.
    All,
}

impl Decoder<'_, '_> {
    /// Tidies all nodes, from the last to the first.
    pub(super) fn tidy(&mut self) {
        for index in (0..self.nodes.len()).rev() {
            let node = self.nodes[index];
            if let Op::Mov | Op::Ldmov = node.op {
                let [to, from, ..] = node.slots;
                if to == from || self.define_directly(index, Var(to), Var(from)) {
                    self.nodes[index].dropped = true;
                    continue;
                }
            }
            if self.is_useless(&node) {
                self.nodes[index].dropped = true;
                continue;
            }
            self.nodes[index].last_reads = self.last_reads(&node);
            self.mark(&node);
        }
    }

    /// True if the node only writes a local variable that is dead after it.
    fn is_useless(&self, node: &Node) -> bool {
        let Some((&Role::D | &Role::X, _)) = node.op.roles().split_first() else {
            return false;
        };
        let facts = self.var(Var(node.slots[0]));
        facts.local && !facts.live && is_pure(node.op)
    }

    /// Returns a bit for each slot of the node, set if the local variable there is dead after it.
    fn last_reads(&self, node: &Node) -> u8 {
        let (mut slot, mut last) = (0, 0);
        for role in node.op.roles() {
            if role.bits_read() > 0 {
                let facts = self.var(Var(node.slots[slot]));
                last |= u8::from(facts.local && !facts.live) << slot;
            }
            slot += role.slots();
        }
        last
    }

    /// Updates the liveness of local variables to that before the node.
    fn mark(&mut self, node: &Node) {
        self.each_def(node, |decoder, var| decoder.var_mut(var).live = false);
        self.each_use(node, |decoder, var| decoder.var_mut(var).live = true);
    }

    fn each_def(&mut self, node: &Node, mut then: impl FnMut(&mut Self, Var)) {
        let mut slot = 0;
        for role in node.op.roles() {
            if role.is_def() {
                then(self, Var(node.slots[slot]));
            }
            slot += role.slots();
        }
        if node.extra != NONE {
            for entry in self.extras[node.extra as usize].writes.range() {
                then(self, Var(self.lists[entry]));
            }
        }
    }

    fn each_use(&mut self, node: &Node, mut then: impl FnMut(&mut Self, Var)) {
        let mut slot = 0;
        for role in node.op.roles() {
            if role.bits_read() > 0 {
                then(self, Var(node.slots[slot]));
            }
            slot += role.slots();
        }
        if node.extra != NONE {
            for entry in self.extras[node.extra as usize].reads.range() {
                then(self, Var(self.lists[entry]));
            }
        }
    }

    /// Makes the definition of the temporary `from`, whose last read is the move at `index`, write
    /// `to`.
    fn define_directly(&mut self, index: usize, to: Var, from: Var) -> bool {
        let (source, target) = (self.var(from), self.var(to));
        if !source.local || source.live || target.addressed || target.hard != NONE {
            return false;
        }
        let Some(definition) = self.definition_before(index, to, from) else {
            return false;
        };
        self.rename(definition, from, to, Renamed::Outputs);
        for place in definition + 1..index {
            self.rename(place, from, to, Renamed::All);
        }
        true
    }

    /// Returns the node before `index` that defines `from`, if `to` is neither read nor written in
    /// between and the code between is straight.
    fn definition_before(&mut self, index: usize, to: Var, from: Var) -> Option<usize> {
        if self.nodes[index].at_label {
            return None;
        }
        for place in (index.saturating_sub(REACH)..index).rev() {
            let node = self.nodes[place];
            if node.dropped {
                if node.at_label {
                    return None;
                }
                continue;
            }
            let (mut defines, mut disturbs) = (false, false);
            self.each_def(&node, |_, var| {
                defines |= var == from;
                disturbs |= var == to;
            });
            if disturbs {
                return None;
            }
            if defines {
                return Some(place);
            }
            self.each_use(&node, |_, var| disturbs |= var == to);
            if disturbs || node.at_label || node.op.roles().last() == Some(&Role::J) {
                return None;
            }
        }
        None
    }

    /// Replaces `from` by `to` in these operands of a node.
    fn rename(&mut self, index: usize, from: Var, to: Var, operands: Renamed) {
        let inputs = operands == Renamed::All;
        let node = &mut self.nodes[index];
        let mut slot = 0;
        for role in node.op.roles() {
            let is_meant = role.is_def() || inputs && role.bits_read() > 0;
            if is_meant && node.slots[slot] == from.0 {
                node.slots[slot] = to.0;
            }
            slot += role.slots();
        }
        if node.extra == NONE {
            return;
        }
        let extra = self.extras[node.extra as usize];
        let reads = if inputs { extra.reads.range() } else { 0..0 };
        for entry in extra.writes.range().chain(reads) {
            if self.lists[entry] == from.0 {
                self.lists[entry] = to.0;
            }
        }
    }
}

/// True if an operation does nothing but write its first operand.
pub(super) fn is_pure(op: Op) -> bool {
    !matches!(
        op,
        Op::Atomic
            | Op::AtomicLoadU32
            | Op::Div
            | Op::Divs
            | Op::Udiv
            | Op::Udivs
            | Op::Mod
            | Op::Mods
            | Op::Umod
            | Op::Umods
            | Op::DivI
            | Op::DivsI
            | Op::UdivI
            | Op::UdivsI
            | Op::ModI
            | Op::ModsI
            | Op::UmodI
            | Op::UmodsI
            | Op::Addo
            | Op::Addos
            | Op::Subo
            | Op::Subos
            | Op::Mulo
            | Op::Mulos
            | Op::Umulo
            | Op::Umulos
            | Op::Alloca
            | Op::AllocaI
            | Op::CopyBlock
            | Op::VaArg
            | Op::TakeStack
            | Op::LookUp
            | Op::Reach
            | Op::ReachI
            | Op::CheckedLoadI8
            | Op::CheckedLoadU8
            | Op::CheckedLoadI16
            | Op::CheckedLoadU16
            | Op::CheckedLoadI32
            | Op::CheckedLoadU32
            | Op::CheckedLoadI64
            | Op::CheckedLoadF
            | Op::CheckedLoadI8X
            | Op::CheckedLoadU8X
            | Op::CheckedLoadI16X
            | Op::CheckedLoadU16X
            | Op::CheckedLoadI32X
            | Op::CheckedLoadU32X
            | Op::CheckedLoadI64X
            | Op::CheckedLoadFX
            | Op::ReachWindow
    )
}
