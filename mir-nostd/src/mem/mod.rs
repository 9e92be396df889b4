//! Memory: the allocator that the embedder lends, and the few containers that the runtime builds
//! over it.
//!
//! Promises: nothing here touches a global allocator; every operation that may need memory returns
//! a `Result`; a failed operation leaves its container as it was. Containers hold `&dyn Allocator`
//! and 32-bit lengths, which is all that entities numbered by `u32` need. This is one of the few
//! places of the crate where `unsafe` code lives.
#![expect(unsafe_code, reason = "containers over raw memory")]

mod allocator;
mod arena;
mod boxed;
#[cfg(feature = "heap")]
mod heap;
mod index;
mod inline_list;
mod interner;
mod limited;
mod map;
mod on_exit;
mod sort;
mod vec;

#[cfg(feature = "allocator-api2")]
pub use allocator::Api2;
pub use allocator::{Allocator, OutOfMemory};
pub use arena::Arena;
pub use boxed::Box;
#[cfg(feature = "heap")]
pub use heap::LockedHeap;
pub use index::{Entity, IndexMap};
pub(crate) use index::{entity, numbered};
pub(crate) use inline_list::InlineList;
pub(crate) use interner::Interner;
pub use limited::Limited;
pub use map::{HashKey, HashTable};
pub(crate) use on_exit::OnExit;
pub(crate) use sort::sort_by_key;
pub use vec::Vec;

#[cfg(test)]
pub(crate) mod tests;
