//! Tests of the binary form through the public interface: a worked example, the corpus, errors in
//! contents, damage, memory.
#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking, as tests do"
)]

mod contents;
mod corpus;
mod damage;
mod example;
mod memory;

use mir_nostd::binary::{self, ReadOptions, WriteOptions};
use mir_nostd::ir::{Module, Result};
use mir_nostd::mem::Vec as OwnVec;
use mir_nostd::num::LongDoubleFormat;
use testkit::SystemAllocator;

type Modules = OwnVec<'static, Module<'static>>;

/// The options of an `x86_64` file.
const READ: ReadOptions = ReadOptions::new(LongDoubleFormat::X87, false);

fn read(file: &[u8]) -> Result<Modules> {
    binary::read(file, &SystemAllocator, &READ)
}

fn write(modules: &[Module<'_>]) -> Vec<u8> {
    let written = binary::write(modules, &SystemAllocator, &WriteOptions::new(false));
    written.unwrap().to_vec()
}

#[cfg(feature = "text")]
fn parse(source: &str) -> Modules {
    let mut report = |error| panic!("{error}");
    let source = source.as_bytes();
    mir_nostd::text::parse(source, &SystemAllocator, LongDoubleFormat::X87, &mut report).unwrap()
}

#[cfg(feature = "text")]
fn print(modules: &[Module<'_>]) -> String {
    let mut text = Vec::new();
    for module in modules {
        let mut take = |bytes: &[u8]| {
            text.extend_from_slice(bytes);
            Ok(())
        };
        mir_nostd::text::print(module, &mut take).unwrap();
    }
    String::from_utf8(text).unwrap()
}
