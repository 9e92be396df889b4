//! The state of the verifier: what it knows of a function, where its walk is.

use super::graph::{Graph, Lists, NONE};
use super::interval::Interval;
use super::terms::{Access, Terms, Value};
use crate::ir::{Confinement, Module};
use crate::machine::{Function, InsnId, Reg};
use crate::mem::Vec;
use crate::target::Isa;

/// The purpose of a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// To find the values that meet.
    Collect,
    /// To prove all accesses.
    Prove,
    /// To prove what is pending.
    Follow,
}

/// No value: the variable was not written, or control never comes from there.
pub(super) const UNSET: Value = Value {
    term: NONE,
    offset: 0,
};

/// The verifier at work on one function.
pub(super) struct Verifier<'a, 'm> {
    pub(super) function: &'a Function<'m>,
    pub(super) isa: &'a dyn Isa,
    pub(super) module: &'a Module<'a>,
    pub(super) confinement: Confinement,
    pub(super) graph: Graph<'m>,
    pub(super) terms: Terms<'m>,
    pub(super) purpose: Purpose,
    /// True if the walk supposes something of values that loops step.
    pub(super) is_inducing: bool,
    /// The number of the block where the walk is.
    pub(super) block: u32,
    /// True if what was learned contradicts itself: control never comes here.
    pub(super) is_dead: bool,
    /// The blocks that the walk found no contradiction in.
    pub(super) is_walked: Vec<'m, bool>,
    /// The blocks that control never comes to, as is known.
    pub(super) is_unreached: Vec<'m, bool>,
    /// The value of each variable: the virtual registers, and last the program's stack pointer.
    pub(super) current: Vec<'m, Value>,
    /// The values that variables had before, to go back to.
    pub(super) log: Vec<'m, (u32, Value)>,
    /// The values of physical registers in the block.
    pub(super) physical: Vec<'m, (Reg, Value)>,
    /// The atoms of each instruction's first two results.
    pub(super) atoms: Vec<'m, u32>,
    pub(super) phis: Vec<'m, Phi>,
    /// The numbers of the phis of each block.
    pub(super) phis_of: Lists<'m>,
    /// The values of the phis, by incoming edge.
    pub(super) operands: Vec<'m, Value>,
    /// The place of each edge among those to its block.
    pub(super) places: Vec<'m, u32>,
    /// The facts that are still to be proven at the ends of blocks.
    pub(super) pending: Vec<'m, Pending>,
    /// The facts that the walk proves at the ends of blocks, and their numbers for each edge.
    pub(super) followed: Vec<'m, Pending>,
    pub(super) pending_of: Lists<'m>,
    /// The program's stack pointer when the function was called.
    pub(super) entry_stack: Value,
    /// The address of the program's memory: a constant, or ahead an atom.
    pub(super) memory: Value,
    pub(super) functions: Value,
    pub(super) functions_bytes: Value,
    pub(super) stack_pointer: Value,
    pub(super) frames: Vec<'m, Value>,
    /// The registers in which arguments come, with what is known of those.
    pub(super) lent_registers: Vec<'m, (Reg, Value)>,
    /// The places among the arguments on the stack where it did.
    pub(super) lent_places: Vec<'m, (i32, Value)>,
}

/// The supposition on a value that meets others at a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Supposed {
    /// Nothing was supposed yet, as what comes from before the loop is not known.
    Nothing,
    /// The value is between those that come from before the loop, or that this many walks found to
    /// meet with these.
    Within(u8),
    /// The value is never below those that come from before the loop.
    Above,
    /// The value is never above those that come from before the loop.
    Below,
    /// None of these holds.
    Withdrawn,
}

/// The value of a variable at the start of a block where several definitions meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Phi {
    pub(super) block: u32,
    pub(super) variable: u32,
    pub(super) atom: u32,
    /// The first of its values among [`Verifier::operands`], which are in the order of the edges to
    /// the block.
    pub(super) first: u32,
    pub(super) count: u32,
    /// The value that it always is, if there is one.
    pub(super) resolved: Option<Value>,
    /// The interval of all values that the walk found to meet.
    pub(super) met: Option<Interval>,
    /// The interval of those among them that come from before the loop that the block begins, if it
    /// begins one.
    pub(super) entered: Option<Interval>,
    /// The interval that it always is in, or is supposed to be in for the walk: see
    /// [`super::induction`].
    pub(super) assumed: Interval,
    pub(super) supposed: Supposed,
    /// The greatest value, if it is the count register and lies from 1 to that; else 0.
    pub(super) most: u64,
}

/// The fact that has to be proven of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Goal {
    /// So many bytes at this address may be accessed.
    Access(u64, Access),
    /// It is an address within the program's stack, or the end of it.
    Stack,
    /// It is the program's stack pointer that the function was called with.
    EntryStack,
    /// It is the address of a function that the program may call.
    Callee,
    /// It is less than this.
    Index(u64),
}

/// The facts that have to be proven where control takes an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pending {
    pub(super) edge: u32,
    pub(super) value: Value,
    pub(super) goal: Goal,
    /// The instruction that uses the value.
    pub(super) insn: InsnId,
}
