//! Writes the C side of the random signatures and compiles it for the target.

#[path = "src/c_side.rs"]
mod c_side;
#[path = "src/generator.rs"]
#[expect(unreachable_pub, reason = "the tests use it too")]
mod generator;

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-env-changed=ABI_SEED");
    println!("cargo::rerun-if-changed=src");
    let seed = env::var("ABI_SEED").unwrap_or_else(|_| "1".to_owned());
    println!("cargo::rustc-env=ABI_SEED={seed}");
    let arch = env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    let out = env::var("OUT_DIR").unwrap_or_default();
    let file = Path::new(&out).join("c_side.c");
    let signatures = generator::signatures(seed.parse().unwrap_or(1), &arch);
    if let Err(error) = fs::write(&file, c_side::source(&signatures)) {
        println!("cargo::error=cannot write {}: {error}", file.display());
        return;
    }
    cc::Build::new()
        .file(&file)
        .opt_level(2)
        .warnings(false)
        .compile("c_side");
}
