//! Tests of the text form: reading, printing, and errors with their positions. Expected values come
//! from the language's description and from files of the reference.
#![cfg(feature = "text")]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests fail by panicking, as tests do"
)]

mod corpus;
mod errors;
mod failures;
mod forms;

use mir_nostd::ir::{Error, Module};
use mir_nostd::mem::Vec as OwnVec;
use mir_nostd::num::LongDoubleFormat;
use mir_nostd::text;
use testkit::SystemAllocator;

type Modules = OwnVec<'static, Module<'static>>;

/// Parses a text; returns its modules, or all its errors.
fn read(source: impl AsRef<[u8]>, format: LongDoubleFormat) -> Result<Modules, Vec<Error>> {
    let mut errors = Vec::new();
    let mut report = |error| errors.push(error);
    let modules = text::parse(source.as_ref(), &SystemAllocator, format, &mut report);
    modules.map_err(|first| {
        assert_eq!(errors.first(), Some(&first));
        errors
    })
}

/// Prints all modules; bytes that are not UTF-8 become replacement characters.
fn print_all(modules: &Modules) -> String {
    let mut out = Vec::new();
    for module in modules {
        let mut take = |bytes: &[u8]| {
            out.extend_from_slice(bytes);
            Ok(())
        };
        text::print(module, &mut take).unwrap();
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Parses a text and prints it again.
fn reprint(source: impl AsRef<[u8]>) -> String {
    match read(source, LongDoubleFormat::X87) {
        Ok(modules) => print_all(&modules),
        Err(errors) => panic!("{errors:?}"),
    }
}
