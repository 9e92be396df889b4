//! Writes the C side of the random signatures and compiles it, with the cross compiler of the
//! target; the tests are the other side. `ABI_SEED=n cargo test -p abi-test` tries other
//! signatures.

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-env-changed=ABI_SEED");
    println!("cargo::rerun-if-changed=build.rs");
    let seed = env::var("ABI_SEED").unwrap_or_else(|_| "1".to_owned());
    println!("cargo::rustc-env=ABI_SEED={seed}");
    let arch = env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    let out = env::var("OUT_DIR").unwrap_or_default();
    let file = Path::new(&out).join("c_side.c");
    let signatures = abi_signatures::signatures(seed.parse().unwrap_or(1), &arch);
    if let Err(error) = fs::write(&file, abi_signatures::c_side(&signatures)) {
        println!("cargo::error=cannot write {}: {error}", file.display());
        return;
    }
    cc::Build::new()
        .file(&file)
        .opt_level(2)
        .warnings(false)
        .compile("c_side");
}
