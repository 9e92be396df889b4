//! Local value numbering: a value that a variable still holds is not computed again.

use super::super::code::{Op, Role};
use super::{DecodeError, Decoder, Var};
use crate::mem::{Allocator, Vec};

/// The values computed in the current stretch, found by operation and inputs. The table is small
/// and lossy: a value may be displaced by another one.
#[derive(Debug)]
pub(in crate::interp) struct Numbering<'m> {
    entries: Vec<'m, Option<NumberedValue>>,
    /// The version of memory, which every possible write to it increments.
    memory: u32,
}

/// An operation with its inputs at one time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Key {
    op: Op,
    inputs: [u32; 3],
    /// The versions of the inputs that are variables.
    versions: [u32; 3],
    stretch: u32,
    /// The version of memory for loads, 0 for others.
    memory: u32,
}

#[derive(Clone, Copy, Debug)]
struct NumberedValue {
    key: Key,
    var: Var,
    version: u32,
}

/// The number of values that the table holds.
const ENTRIES: usize = 32;

impl<'m> Numbering<'m> {
    pub(super) fn new(allocator: &'m dyn Allocator) -> Numbering<'m> {
        Numbering {
            entries: Vec::new(allocator),
            memory: 0,
        }
    }
}

impl Key {
    fn place(&self) -> usize {
        let mixed = self.inputs.iter().fold(self.op as u32, |mixed, &input| {
            (mixed ^ input).wrapping_mul(0x9E37_79B1)
        });
        (mixed >> 16) as usize % ENTRIES
    }
}

impl Decoder<'_, '_> {
    /// Notes that memory may have changed, so that values loaded from it are not reused.
    pub(super) fn memory_changed(&mut self) {
        self.numbering.memory += 1;
    }

    /// Returns the key of the value that an operation computes now from these inputs, which are all
    /// slots but that of its output; `None` if it is not pure or its inputs cannot be tracked.
    pub(super) fn key(&self, op: Op, inputs: &[u32]) -> Option<Key> {
        let is_checked =
            (Op::CheckedLoadI8 as u16..=Op::CheckedLoadFX as u16).contains(&(op as u16));
        let is_load = is_checked || (Op::LoadI8 as u16..=Op::LoadFX as u16).contains(&(op as u16));
        if !super::tidy::is_pure(op) && !is_checked || inputs.len() > 3 {
            return None;
        }
        let mut key = Key {
            op,
            inputs: [0; 3],
            versions: [0; 3],
            stretch: self.stretch,
            memory: if is_load { self.numbering.memory } else { 0 },
        };
        let mut slot = 0;
        for role in op.roles().iter().skip(1) {
            for _ in 0..role.slots() {
                // Memory and limit of checked loads follow, which are the same everywhere.
                let Some(&input) = inputs.get(slot) else {
                    break;
                };
                key.inputs[slot] = input;
                if role.bits_read() > 0 {
                    if !self.is_carried(Var(input)) {
                        return None;
                    }
                    key.versions[slot] = self.var(Var(input)).version;
                }
                slot += 1;
            }
        }
        let writes_one_cell = op.roles().first() == Some(&Role::D);
        (writes_one_cell && op.roles().len() > 1).then_some(key)
    }

    /// Returns the variable that holds the value of this operation.
    pub(super) fn numbered(&self, op: Op, inputs: &[u32]) -> Option<Var> {
        let key = self.key(op, inputs)?;
        let place = key.place();
        [place, place ^ 1].into_iter().find_map(|place| {
            let entry = (*self.numbering.entries.get(place)?)?;
            let holds = entry.key == key && self.var(entry.var).version == entry.version;
            holds.then_some(entry.var)
        })
    }

    /// Returns the operation whose value a variable still holds, and its inputs, which have not
    /// changed since.
    pub(super) fn made_by(&self, var: Var) -> Option<(Op, [u32; 3])> {
        let version = self.var(var).version;
        let mut entries = self.numbering.entries.iter().flatten();
        let entry = entries.find(|entry| {
            let is_its_value = entry.var == var && entry.version == version;
            is_its_value && self.key(entry.key.op, &entry.key.inputs) == Some(entry.key)
        })?;
        Some((entry.key.op, entry.key.inputs))
    }

    /// Notes that a variable was just written with the value of this key.
    pub(super) fn note(&mut self, key: Option<Key>, var: Var) {
        let Some(key) = key.filter(|_| self.is_carried(var)) else {
            return;
        };
        let version = self.var(var).version;
        let place = key.place();
        let new = Some(NumberedValue { key, var, version });
        // The value that was there moves to its other place, if it may still be used.
        let entries = &mut self.numbering.entries;
        if let Some(entry) = entries.get_mut(place) {
            let old = core::mem::replace(entry, new);
            if old.is_some_and(|old| old.key.stretch == key.stretch && old.key != key)
                && let Some(other) = entries.get_mut(place ^ 1)
            {
                *other = old;
            }
        }
    }

    /// Notes that a variable was just written with the value of an operation, whose inputs have not
    /// changed since.
    pub(super) fn number(&mut self, op: Op, inputs: &[u32], var: Var) -> Result<(), DecodeError> {
        let key = self.key(op, inputs);
        self.note(key, var);
        Ok(())
    }

    /// Makes room for the table.
    pub(super) fn start_numbering(&mut self) -> Result<(), DecodeError> {
        self.numbering.entries.resize(ENTRIES, None)?;
        Ok(())
    }
}
