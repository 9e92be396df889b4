//! Lists of the functions that run before `main` and after it.

use super::{ItemId, Module, Result};
use crate::mem::{Vec, sort_by_key};
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
/// let (phase, priority) = (Phase::End, 101);
/// let list = Some(FunctionList { phase, priority });
/// assert_eq!(FunctionList::of_name(b".fini_array.00101"), list);
/// assert_eq!(FunctionList::of_name(b".init_array.first"), None);
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
pub(crate) fn by_priority<'m, T: Copy>(entries: &Vec<'m, (u16, T)>) -> Result<Vec<'m, T>> {
    let allocator = entries.allocator();
    let mut order = Vec::with_capacity(allocator, entries.len())?;
    for (number, &(priority, _)) in entries.iter().enumerate() {
        order.push((priority, number))?;
    }
    sort_by_key(&mut order, |&place| place);
    let mut sorted = Vec::with_capacity(allocator, entries.len())?;
    for (_, entry) in order.iter().filter_map(|&(_, number)| entries.get(number)) {
        sorted.push(*entry)?;
    }
    Ok(sorted)
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
