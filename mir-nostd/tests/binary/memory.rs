//! Reading and writing when allocations fail.

use super::{READ, example};
use mir_nostd::binary::{self, WriteOptions};
use mir_nostd::ir::{Error, Problem};
use testkit::{FailingAllocator, sweep};

fn is_out_of_memory(error: &Error) -> bool {
    error.problem == Problem::OutOfMemory
}

fn corpus_file(name: &str) -> Vec<u8> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus");
    std::fs::read(folder.join(name)).unwrap()
}

#[test]
fn every_allocation_of_reading_may_fail() {
    for file in [
        example::file(),
        corpus_file("reference/handwritten/lref.assembled.bmir"),
        corpus_file("reference/handwritten/jcall_x86_64.assembled.bmir"),
    ] {
        let read = |allocator: &FailingAllocator| {
            binary::read(&file, allocator, &READ)?;
            Ok(())
        };
        assert!(sweep(read, is_out_of_memory) > 30);
    }
}

#[test]
fn every_allocation_of_writing_may_fail() {
    let modules = super::read(&example::file()).unwrap();
    for pack in [false, true] {
        let write = |allocator: &FailingAllocator| {
            let options = WriteOptions {
                pack,
                ..WriteOptions::new(false)
            };
            binary::write(&modules, allocator, &options)?;
            Ok(())
        };
        assert!(sweep(write, is_out_of_memory) > 5);
    }
}

/// Reading takes memory in proportion to the file: the limit is a measured program's use plus a
/// margin.
#[test]
fn reading_takes_little_memory() {
    let file = corpus_file("bmir/x86_64/sha256.bmir");
    let allocator = FailingAllocator::new();
    let modules = binary::read(&file, &allocator, &READ).unwrap();
    let insns: usize = modules[0].funcs().map(|(_, func)| func.insn_count()).sum();
    assert!(
        allocator.live_bytes() < 120 * insns,
        "{} / {insns}",
        allocator.live_bytes()
    );
    drop(modules);
    assert_eq!(allocator.live_bytes(), 0);
}

/// The writer of literals needs no tables and so little memory.
#[test]
fn writing_literals_takes_little_memory() {
    let modules = super::read(&example::file()).unwrap();
    let allocator = FailingAllocator::new();
    let options = WriteOptions {
        pack: false,
        ..WriteOptions::new(false)
    };
    binary::write(&modules, &allocator, &options).unwrap();
    assert!(allocator.peak_bytes() < 8192, "{}", allocator.peak_bytes());
}
