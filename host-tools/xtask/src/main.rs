//! Build, install and test automation: `cargo xtask --help`.
fn main() {}
