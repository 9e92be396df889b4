//! The `mir` command.
fn main() {}
