//! Dead code and copies: one pass backwards computes liveness of local variables, drops operations
//! whose result nobody reads, and makes the definitions of temporaries write the variables that
//! they are moved to.

use super::super::code::{Op, Role};
use super::lower::Body;
use super::{Decoder, NONE, Node, Var};
use core::ops::Range;

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

/// The way in which a node uses a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Access {
    Read,
    Write,
}

impl Decoder<'_, '_> {
    /// Tidies all nodes, from the last to the first.
    #[cfg_attr(small_code, inline(never))]
    pub(super) fn tidy(&mut self, body: Body) {
        if self.sets_jump {
            // Control may come to where a register is read from writes in other stretches.
            let registers = self.module.func(self.func).registers();
            for facts in self.vars.iter_mut().take(registers.len()) {
                facts.local = false;
            }
        }
        let first = body.0 as usize;
        for index in (0..self.nodes.len()).rev() {
            let node = self.nodes[index];
            if let Op::Mov | Op::Ldmov = node.op {
                let [to, from, ..] = node.slots;
                if to == from || self.define_directly(first..index, Var(to), Var(from)) {
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

    /// Lets arguments arrive in the variables that they are only moved to, where nothing mentions
    /// those before, and returns the number of cells that they take. The operations before the body
    /// extend arguments in the cells where they arrive.
    #[cfg_attr(small_code, inline(never))]
    pub(super) fn settle_arguments(&mut self, body: Body) -> u32 {
        let cells = self.place_arguments();
        for facts in &mut self.vars[..] {
            (facts.live, facts.version) = (false, 0);
        }
        let accesses = [Access::Write, Access::Read];
        for index in body.0 as usize..self.nodes.len() {
            let node = self.nodes[index];
            if node.dropped {
                continue;
            }
            for access in accesses {
                self.each(access, &node, &mut |decoder, var| {
                    decoder.var_mut(var).version += 1;
                });
            }
        }
        for index in body.0 as usize..self.nodes.len() {
            let node = self.nodes[index];
            if node.at_label {
                break;
            }
            if node.dropped {
                continue;
            }
            let [to, from, ..] = node.slots;
            if matches!(node.op, Op::Mov | Op::Ldmov) {
                self.arrive(index, Var(to), Var(from));
            }
            for access in accesses {
                self.each(access, &node, &mut |decoder, var| {
                    decoder.var_mut(var).live = true;
                });
            }
        }
        cells
    }

    /// Lets `from` arrive in `to`, to which the node of this number moves it, if it is an argument
    /// that nothing else in the body mentions: only arguments have an offset yet.
    fn arrive(&mut self, index: usize, to: Var, from: Var) {
        let (source, target) = (*self.var(from), *self.var(to));
        let is_free = !target.live && target.offset == NONE && self.is_carried(to);
        if is_free && source.offset != NONE && source.version == 1 && self.is_carried(from) {
            self.var_mut(to).offset = source.offset;
            self.nodes[index].dropped = true;
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
        self.each(Access::Write, node, &mut |decoder, var| {
            decoder.var_mut(var).live = false;
        });
        self.each(Access::Read, node, &mut |decoder, var| {
            decoder.var_mut(var).live = true;
        });
    }

    /// Does something with each variable that a node reads, or each that it writes.
    fn each(&mut self, access: Access, node: &Node, then: &mut dyn FnMut(&mut Self, Var)) {
        let mut slot = 0;
        for role in node.op.roles() {
            let is_meant = match access {
                Access::Write => role.is_def(),
                Access::Read => role.bits_read() > 0,
            };
            if is_meant {
                then(self, Var(node.slots[slot]));
            }
            slot += role.slots();
        }
        if node.extra != NONE {
            let extra = self.extras[node.extra as usize];
            let span = match access {
                Access::Write => extra.writes,
                Access::Read => extra.reads,
            };
            for entry in span.range() {
                then(self, Var(self.lists[entry]));
            }
        }
    }

    /// Makes the definition of the temporary `from` in a range of nodes write `to`, to which the
    /// move after them, its last read, copies it.
    #[cfg_attr(small_code, inline(never))]
    fn define_directly(&mut self, nodes: Range<usize>, to: Var, from: Var) -> bool {
        let (source, target) = (self.var(from), self.var(to));
        if !source.local || source.live || target.addressed || target.hard != NONE {
            return false;
        }
        let end = nodes.end;
        let Some(definition) = self.definition_in(nodes, to, from) else {
            return false;
        };
        self.rename(definition, from, to, Renamed::Outputs);
        for place in definition + 1..end {
            self.rename(place, from, to, Renamed::All);
        }
        true
    }

    /// Returns the last node of a range that defines `from`, if `to` is neither read nor written
    /// after it and the code after it is straight.
    fn definition_in(&mut self, nodes: Range<usize>, to: Var, from: Var) -> Option<usize> {
        let Range { start, end } = nodes;
        if self.nodes[end].at_label {
            return None;
        }
        for place in (end.saturating_sub(REACH).max(start)..end).rev() {
            let node = self.nodes[place];
            if node.dropped {
                if node.at_label {
                    return None;
                }
                continue;
            }
            let (mut defines, mut disturbs) = (false, false);
            self.each(Access::Write, &node, &mut |_, var| {
                defines |= var == from;
                disturbs |= var == to;
            });
            if disturbs {
                return None;
            }
            if defines {
                return Some(place);
            }
            self.each(Access::Read, &node, &mut |_, var| disturbs |= var == to);
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
