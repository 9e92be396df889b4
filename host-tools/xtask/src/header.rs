//! `cargo xtask header`: the header of the C interface, made of its Rust side.

use std::path::PathBuf;

use crate::workspace;

fn path() -> PathBuf {
    workspace::root().join("capi/include/mir_nostd.h")
}

/// Returns the header as the Rust side has it.
fn generated() -> Result<String, String> {
    let directory = workspace::root().join("capi");
    let failed = |error: &dyn core::fmt::Display| format!("cbindgen: {error}");
    let config = cbindgen::Config::from_file(directory.join("cbindgen.toml"));
    let config = config.map_err(|error| failed(&error))?;
    let builder = cbindgen::Builder::new().with_config(config);
    let sources = builder.with_src(directory.join("src/lib.rs"));
    let bindings = sources.generate().map_err(|error| failed(&error))?;
    let mut text = Vec::new();
    bindings.write(&mut text);
    String::from_utf8(text).map_err(|error| failed(&error))
}

/// Writes the header.
///
/// # Errors
/// Says what could not be read or written.
pub(crate) fn write() -> Result<(), String> {
    let path = path();
    std::fs::write(&path, generated()?).map_err(|error| format!("{}: {error}", path.display()))
}

/// Checks that the header is what the Rust side says.
///
/// # Errors
/// Says that it is not.
pub(crate) fn check() -> Result<(), String> {
    let there = std::fs::read_to_string(path()).unwrap_or_default();
    match there == generated()? {
        true => Ok(()),
        false => Err("capi/include/mir_nostd.h is not made of capi/src: cargo xtask header".into()),
    }
}
