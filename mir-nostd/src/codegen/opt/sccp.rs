//! Sparse conditional constant propagation (Wegman and Zadeck, "Constant propagation with
//! conditional branches", 1991). In SSA form.
//!
//! It finds values that are constant provided that branches which are never taken are ignored,
//! together with those branches. Optimistically, each register starts as unknown and no edge but
//! that into the entry as executable. Values only move down the lattice from unknown by constant to
//! varying, and edges only become executable, until a fixed point is reached. That is sound, since
//! every instruction agrees with it; nothing is changed before.
//!
//! In place of the two worklists of the paper there are sweeps in reverse postorder, each of which
//! settles loops one level deeper, until one changes nothing. A function that needs more than eight
//! is left unchanged. Blocks in which nothing can change any more are skipped. A function without a
//! PHI that reads a constant is not looked at, as combining found everything there.

use crate::codegen::analysis::constants::{evaluate, holds};
use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::phis::{first_terminator, have_phis, is_phi};
use crate::machine::{BlockId, Function, Generic, InsnId, LowType, Operand, VReg};
use crate::mem::{Entity, Vec};
use crate::target::error::Error;

/// The most sweeps.
const MOST_WALKS: usize = 8;

/// The value of a register, as far as is known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Unknown,
    Constant(i64),
    Varying,
}

/// The successor of a block, as far as is known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goes {
    Nowhere,
    To(BlockId),
    Anywhere,
}

/// Replaces instructions whose result is constant. Returns whether there were any. The next combine
/// decides the branches on them.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn propagate(function: &mut Function<'_>, flow: &Flow<'_>) -> Result<bool, Error> {
    if !have_phis(function, &flow.order) {
        return Ok(false);
    }
    let allocator = function.allocator();
    let mut values = Vec::new(allocator);
    // Registers without a definition may hold anything.
    values.resize(function.vreg_count(), Value::Varying)?;
    if !mark_defined(function, flow, &mut values) {
        return Ok(false);
    }
    let mut nexts = Vec::new(allocator);
    nexts.resize(function.block_count(), None)?;
    for (place, &block) in function.layout.iter().enumerate() {
        nexts[block.index()] = function.layout.get(place + 1).copied();
    }
    let mut goes = Vec::new(allocator);
    goes.resize(function.block_count(), Goes::Nowhere)?;
    let mut settled = Vec::new(allocator);
    settled.resize(function.block_count(), false)?;
    let mut walks = Walks {
        function,
        flow,
        nexts,
        values,
        goes,
        settled,
        changed: true,
    };
    for _ in 0..MOST_WALKS {
        if !core::mem::replace(&mut walks.changed, false) {
            let Walks { values, goes, .. } = walks;
            return replace(function, flow, &values, &goes);
        }
        for &block in &flow.order {
            walks.block(block);
        }
    }
    Ok(false)
}

/// Marks all definitions as unknown. Returns whether a PHI could be constant: only then is anything
/// new found.
fn mark_defined(function: &Function<'_>, flow: &Flow<'_>, values: &mut [Value]) -> bool {
    let mut may_be = false;
    for &block in &flow.order {
        for insn in function.insns(block) {
            let generic = function.insn(insn).opcode.generic();
            let is_fixed = generic == Some(Generic::Constant);
            // Results other than the first never become known.
            if let Some(vreg) = result(function, insn)
                && let Some(place) = values.get_mut(vreg.index())
            {
                let value = function.operands(insn).get(1).filter(|_| is_fixed);
                let value = value.and_then(|&value| function.immediate(value));
                *place = value.map_or(Value::Unknown, Value::Constant);
            }
            if generic == Some(Generic::Phi) {
                let mut sources = function.operands(insn).iter().skip(1).step_by(2);
                may_be |= sources.any(|source| {
                    let value = source.vreg().and_then(|vreg| values.get(vreg.index()));
                    matches!(value, Some(Value::Constant(_)))
                });
            }
        }
    }
    may_be
}

/// Returns the virtual register that is an instruction's first result.
fn result(function: &Function<'_>, insn: InsnId) -> Option<VReg> {
    let first = function.operands(insn).first()?;
    first.vreg().filter(|_| first.is_def())
}

struct Walks<'a, 'f> {
    function: &'a Function<'f>,
    flow: &'a Flow<'a>,
    nexts: Vec<'f, Option<BlockId>>,
    values: Vec<'f, Value>,
    goes: Vec<'f, Goes>,
    /// The blocks in which nothing can change any more.
    settled: Vec<'f, bool>,
    changed: bool,
}

impl Walks<'_, '_> {
    fn value(&self, operand: Operand) -> Value {
        match operand.vreg() {
            Some(vreg) => self.values.get(vreg.index()).copied(),
            None => self.function.immediate(operand).map(Value::Constant),
        }
        .unwrap_or(Value::Varying)
    }

    fn constant(&self, operand: Operand) -> Option<i64> {
        match self.value(operand) {
            Value::Constant(value) => Some(value),
            _ => None,
        }
    }

    fn is_taken(&self, from: BlockId, to: BlockId) -> bool {
        match self.goes.get(from.index()) {
            Some(&Goes::To(only)) => only == to,
            Some(Goes::Anywhere) => true,
            _ => false,
        }
    }

    fn block(&mut self, block: BlockId) {
        if self.settled[block.index()] {
            return;
        }
        let is_entry = self.flow.place(block) == Some(0);
        let mut sources = self.flow.edges.predecessors(block).iter();
        let is_reached = is_entry
            || self.function.block(block).address_taken
            || sources.any(|&from| self.is_taken(from, block));
        if !is_reached {
            return;
        }
        let mut is_settled = true;
        for insn in self.function.insns(block) {
            let Some(to) = result(self.function, insn) else {
                continue;
            };
            let generic = self.function.insn(insn).opcode.generic();
            let known = self.values.get(to.index()).copied();
            if known == Some(Value::Varying) || generic == Some(Generic::Constant) {
                continue;
            }
            let value = if is_phi(self.function, insn) {
                self.meet(block, insn)
            } else {
                let computed = evaluate(self.function, insn, |operand| self.constant(operand));
                computed.map_or(Value::Varying, Value::Constant)
            };
            is_settled &= value == Value::Varying;
            self.changed |= known != Some(value);
            if let Some(place) = self.values.get_mut(to.index()) {
                *place = value;
            }
        }
        let goes = self.end(block);
        let is_plain = first_terminator(self.function, block)
            .is_none_or(|first| self.function.insn(first).opcode.generic() == Some(Generic::Br));
        self.settled[block.index()] = is_settled && (is_plain || goes == Goes::Anywhere);
        let place = &mut self.goes[block.index()];
        self.changed |= core::mem::replace(place, goes) != goes;
    }

    /// Returns the value of a PHI over the executable edges.
    fn meet(&self, block: BlockId, phi: InsnId) -> Value {
        let mut met = Value::Unknown;
        let mut sources = self.function.operands(phi).iter().skip(1);
        while let (Some(&value), Some(from)) = (sources.next(), sources.next()) {
            let is_taken = from
                .as_block()
                .is_none_or(|from| self.is_taken(from, block));
            met = match (met, self.value(value)) {
                (met, _) if !is_taken => met,
                (met, Value::Unknown) => met,
                (Value::Unknown, value) => value,
                (met, value) if met == value => met,
                _ => Value::Varying,
            };
        }
        met
    }

    /// Returns where control goes at the end of a block.
    fn end(&self, block: BlockId) -> Goes {
        let first = first_terminator(self.function, block);
        let mut cursor = first.map(|first| self.function.cursor_at(first));
        while let Some(insn) = cursor
            .as_mut()
            .and_then(|cursor| cursor.next(self.function))
        {
            let row = self.function.insn(insn);
            match (row.opcode.generic(), self.function.operands(insn)) {
                (Some(Generic::BrIcmp), &[predicate, a, b, target]) => {
                    let (Some(predicate), Some(a), Some(b)) = (
                        predicate.as_int_predicate(),
                        self.constant(a),
                        self.constant(b),
                    ) else {
                        return Goes::Anywhere;
                    };
                    if holds(predicate, row.ty, a, b) {
                        return target.as_block().map_or(Goes::Anywhere, Goes::To);
                    }
                }
                (Some(Generic::Br), &[target]) => {
                    return target.as_block().map_or(Goes::Anywhere, Goes::To);
                }
                _ => return Goes::Anywhere,
            }
        }
        let behind = self.nexts.get(block.index()).copied().flatten();
        behind.map_or(Goes::Anywhere, Goes::To)
    }
}

/// Replaces the instructions whose results are constants.
fn replace(
    function: &mut Function<'_>,
    flow: &Flow<'_>,
    values: &[Value],
    goes: &[Goes],
) -> Result<bool, Error> {
    let mut changed = false;
    for &block in &flow.order {
        if goes.get(block.index()) == Some(&Goes::Nowhere) {
            continue;
        }
        let mut cursor = function.cursor(block);
        let mut after_phis = cursor;
        while after_phis.next_if(function, is_phi).is_some() {}
        let mut after_phis = after_phis.peek();
        while let Some(insn) = cursor.next(function) {
            let generic = function.insn(insn).opcode.generic();
            let first = function.operands(insn).first().copied();
            let (Some(to), false) = (first, generic == Some(Generic::Constant)) else {
                continue;
            };
            let value = to.vreg().filter(|_| to.is_def());
            let value = value.and_then(|vreg| values.get(vreg.index()));
            let Some(&Value::Constant(value)) = value else {
                continue;
            };
            changed = true;
            let operands = [to, function.int(value)?];
            if generic == Some(Generic::Phi) {
                function.move_insn(insn, block, after_phis);
                after_phis = Some(insn);
            }
            function.replace(insn, Generic::Constant, LowType::S64, &operands)?;
        }
    }
    Ok(changed)
}
