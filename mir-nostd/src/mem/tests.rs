//! Tests of the containers.

use super::*;
use core::alloc::Layout;
use core::ptr::NonNull;
use std::alloc::{alloc, dealloc};

/// The system's allocator, for unit tests.
pub(crate) struct System;

// SAFETY: the system's allocator keeps the promises.
unsafe impl Allocator for System {
    fn allocate(&self, layout: Layout) -> Result<NonNull<u8>, OutOfMemory> {
        // SAFETY: the size is not zero.
        NonNull::new(unsafe {
            alloc(Layout::from_size_align(layout.size().max(1), layout.align()).unwrap())
        })
        .ok_or(OutOfMemory)
    }

    unsafe fn deallocate(&self, block: NonNull<u8>, layout: Layout) {
        // SAFETY: allocated above with the same layout.
        unsafe {
            let size = layout.size().max(1);
            dealloc(
                block.as_ptr(),
                Layout::from_size_align(size, layout.align()).unwrap(),
            );
        }
    }
}

/// An allocator that refuses everything.
struct Nothing;

// SAFETY: never returns a block.
unsafe impl Allocator for Nothing {
    fn allocate(&self, _: Layout) -> Result<NonNull<u8>, OutOfMemory> {
        Err(OutOfMemory)
    }

    unsafe fn deallocate(&self, _: NonNull<u8>, _: Layout) {}
}

#[test]
fn vec_keeps_its_elements_while_it_grows() {
    let mut vec = Vec::new(&System);
    for number in 0..1000_u32 {
        vec.push(number).unwrap();
    }
    assert!(vec.iter().copied().eq(0..1000));
    assert_eq!(vec.pop(), Some(999));
    vec.truncate(10);
    vec.shrink_to_fit();
    assert_eq!((vec.len(), vec.capacity()), (10, 10));
    vec.resize(12, 7).unwrap();
    assert_eq!(vec[8..], [8, 9, 7, 7]);
    // No more are taken than there is room for, and there may be fewer.
    let mut room = vec.room_for(4).unwrap();
    room.extend(1..2);
    room.extend((0..9).map(|number| 5 * number));
    room.extend(3..4);
    vec.room_for(3).unwrap().extend(4..5);
    assert_eq!(vec[10..], [7, 7, 1, 0, 5, 10, 4]);
    let mut refused = Vec::<u32>::new(&Nothing);
    assert_eq!(refused.room_for(1).err(), Some(OutOfMemory));
    assert!(refused.is_empty());
}

/// Arrays grow in few steps: from 64 bytes on they double, from 1024 on they grow by half.
#[test]
fn vec_grows_in_few_steps() {
    let mut vec = Vec::new(&System);
    let mut bytes = std::vec::Vec::new();
    for number in 0..12_000_u64 {
        vec.push(number).unwrap();
        if bytes.last() != Some(&(8 * vec.capacity())) {
            bytes.push(8 * vec.capacity());
        }
    }
    let steps = [
        64, 128, 256, 512, 1024, 1536, 2304, 3456, 5184, 7776, 11664, 17496, 26240, 39360, 59040,
        88560, 110_696,
    ];
    assert_eq!(bytes, steps);
}

#[test]
fn vec_refuses_sizes_that_no_block_has() {
    type Huge = [u8; 1 << 40];
    assert!(Vec::<Huge>::with_capacity(&System, 1 << 23).is_err());
    assert!(Vec::<Huge>::with_capacity(&System, 1 << 25).is_err());
}

#[test]
fn vec_drops_each_element_once() {
    let counter = std::rc::Rc::new(());
    let mut vec = Vec::new(&System);
    for _ in 0..100 {
        vec.push(counter.clone()).unwrap();
    }
    vec.truncate(50);
    assert_eq!(std::rc::Rc::strong_count(&counter), 51);
    drop(vec.pop());
    drop(vec);
    assert_eq!(std::rc::Rc::strong_count(&counter), 1);
}

#[test]
fn failure_leaves_containers_unchanged() {
    let mut vec = Vec::new(&Nothing);
    assert_eq!(vec.push(1_u8), Err(OutOfMemory));
    assert_eq!(vec.extend_from_slice(&[1, 2]), Err(OutOfMemory));
    assert!(vec.is_empty());
    assert!(Box::new(&Nothing, 1_u8).is_err());
    assert!(Arena::new(&Nothing).alloc(1_u8).is_err());
    assert!(HashTable::new(&Nothing).insert(1, 1).is_err());
}

/// Sizes of the tests below; smaller ones under Miri, which takes thousands of times as long.
const LARGE: usize = if cfg!(miri) { 3000 } else { 100_000 };
const MANY: u32 = if cfg!(miri) { 200 } else { 5000 };

#[test]
fn arena_hands_out_disjoint_aligned_memory_and_resets() {
    let mut arena = Arena::new(&System);
    for round in 0..3 {
        let small = arena.alloc(round as u8).unwrap();
        let wide = arena.alloc(u128::MAX).unwrap();
        assert_eq!(core::ptr::from_ref(wide).addr() % align_of::<u128>(), 0);
        let large = arena.alloc_slice(LARGE, 5_u32).unwrap();
        let copy = arena.copy_slice(&[1_u16, 2, 3]).unwrap();
        large[LARGE - 1] = 9;
        assert_eq!(
            (*small, *wide, large[0], &copy[..]),
            (round as u8, u128::MAX, 5, &[1, 2, 3][..])
        );
        arena.reset();
    }
}

#[test]
fn hash_table_finds_what_was_inserted() {
    let mut table = HashTable::new(&System);
    let key = HashKey::new(1);
    for number in 0..MANY {
        let hash = key.bytes(&number.to_le_bytes());
        table.insert(hash, number).unwrap();
    }
    for number in 0..MANY {
        let hash = key.bytes(&number.to_le_bytes());
        assert_eq!(table.find(hash, |found| found == number), Some(number));
    }
    assert_eq!(table.find(key.bytes(b"absent"), |_| true), None);
}
