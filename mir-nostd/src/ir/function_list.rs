//! Lists of the functions that run before `main` and after it.

use super::{ItemId, Module, Result};
use crate::mem::Vec;
use core::fmt;

/// The time at which the functions of a list run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// Before `main`: constructors.
    Start,
    /// After `main`, or when the program calls `exit`: destructors.
    End,
}

impl Phase {
    /// Returns the name of the list without a priority.
    #[must_use]
    pub const fn list_name(self) -> &'static str {
        match self {
            Phase::Start => ".init_array",
            Phase::End => ".fini_array",
        }
    }
}

/// A list of functions that run before `main` or after it: what the name of a data item says.
///
/// Such an item and the unnamed ones after it are `ref` items, each the address of a function. The
/// name is that of the section of an object in which a linker looks for such addresses:
/// `.init_array.00101` has the constructors of priority 101, `.init_array` those of the last,
/// 65535; destructors are in `.fini_array`. For everything else these are data like any other.
///
/// ```
/// use mir_nostd::ir::{FunctionList, Phase};
/// let list = FunctionList::of_name(b".fini_array.00101").unwrap();
/// assert_eq!((list.phase, list.priority), (Phase::End, 101));
/// assert_eq!(FunctionList::of_name(b".init_array").unwrap().priority, 65535);
/// assert!(FunctionList::of_name(b".init_array.first").is_none());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FunctionList {
    /// The time at which the functions run.
    pub phase: Phase,
    /// The place among the lists of the program: constructors run in ascending order, destructors
    /// in descending order.
    pub priority: u16,
}

impl FunctionList {
    /// The priority of lists whose name has none.
    pub const LAST: u16 = u16::MAX;

    /// Returns the list that an item of this name is; `None` if it is ordinary data.
    #[must_use]
    pub fn of_name(name: &[u8]) -> Option<FunctionList> {
        [Phase::Start, Phase::End].into_iter().find_map(|phase| {
            let rest = name.strip_prefix(phase.list_name().as_bytes())?;
            let priority = priority(rest)?;
            Some(FunctionList { phase, priority })
        })
    }
}

/// Returns the priority that follows the name of a list.
fn priority(rest: &[u8]) -> Option<u16> {
    let digits = match rest {
        [] => return Some(FunctionList::LAST),
        [b'.', digits @ ..] => digits,
        _ => return None,
    };
    let is_number = (1..=5).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
    let number = digits
        .iter()
        .fold(0, |number, digit| number * 10 + u32::from(digit & 15));
    u16::try_from(number).ok().filter(|_| is_number)
}

/// Returns entries by ascending priority, those of one priority in their order.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn by_priority<'m, T: Copy>(entries: Vec<'m, (u16, T)>) -> Result<Vec<'m, T>> {
    let allocator = entries.allocator();
    // A stable counting sort by each of the two bytes takes less code than a general one.
    let mut sorted = entries;
    for shift in [0, 8] {
        let digit = |priority: u16| usize::from((priority >> shift) as u8);
        let mut places = [0_usize; 256];
        for &(priority, _) in &*sorted {
            places[digit(priority)] += 1;
        }
        let mut before = 0;
        for place in &mut places {
            (before, *place) = (before + *place, before);
        }
        let mut next = Vec::from_slice(allocator, &sorted)?;
        for &(priority, entry) in &*sorted {
            let place = &mut places[digit(priority)];
            if let Some(row) = next.get_mut(*place) {
                *row = (priority, entry);
            }
            *place += 1;
        }
        sorted = next;
    }
    let mut values = Vec::with_capacity(allocator, sorted.len())?;
    for &(_, entry) in &*sorted {
        values.push(entry)?;
    }
    Ok(values)
}

/// Writes the name of the list's item.
impl fmt::Display for FunctionList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.phase.list_name())?;
        match self.priority {
            FunctionList::LAST => Ok(()),
            priority => write!(f, ".{priority:05}"),
        }
    }
}

impl Module<'_> {
    /// Returns the entries of the module's lists of functions, in the order of the items: each with
    /// its list and the item with its address.
    pub fn function_lists(&self) -> impl Iterator<Item = (FunctionList, ItemId)> {
        let mut list = None;
        self.items().filter_map(move |(id, item)| {
            let is_memory = item.kind.is_memory();
            if let Some(name) = item.name {
                list = FunctionList::of_name(self.name_bytes(name));
            }
            list = list.filter(|_| is_memory);
            list.map(|list| (list, id))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mem::tests::System;
    extern crate std;
    use std::string::ToString;

    #[test]
    fn entries_are_sorted_by_priority_and_keep_their_order() {
        let given = [
            (300, 'a'),
            (1, 'b'),
            (65535, 'c'),
            (300, 'd'),
            (256, 'e'),
            (1, 'f'),
            (0, 'g'),
        ];
        let entries = Vec::from_slice(&System, &given).unwrap();
        let sorted: std::string::String = by_priority(entries).unwrap().iter().collect();
        assert_eq!(sorted, "gbfeadc");
    }

    #[test]
    fn names_and_lists_are_the_same() {
        for name in [
            ".init_array",
            ".fini_array",
            ".init_array.00000",
            ".fini_array.65534",
        ] {
            let list = FunctionList::of_name(name.as_bytes()).unwrap();
            assert_eq!(list.to_string(), name);
        }
        for name in [
            "init_array",
            ".init_array.",
            ".init_array.65536",
            ".init_array.000001",
            ".init_array.1x",
            ".init_arrays",
        ] {
            assert_eq!(FunctionList::of_name(name.as_bytes()), None, "{name}");
        }
    }
}
