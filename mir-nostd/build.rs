//! Chooses how the interpreter dispatches: by handlers in tail position where the compiler turns
//! their calls into jumps. In builds for size there is one of them for code with and without fuel.
//! There functions with one caller, which compilers take to be free to inline, are calls as well
//! where they are long or often fail: many short frames take fewer and shorter instructions than
//! one that is larger than an offset reaches.
//!
//! That is so on these ISAs in optimised builds without debug assertions, whose checks keep locals
//! alive across the calls. powerpc64le is not among them: an indirect call must restore the TOC
//! register there.

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(tail_calls)");
    println!("cargo::rustc-check-cfg=cfg(small_code)");
    if var("OPT_LEVEL").is_ok_and(|level| level == "s" || level == "z") {
        println!("cargo::rustc-cfg=small_code");
    }
    let arch = var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    let optimised = var("OPT_LEVEL").is_ok_and(|level| level != "0");
    let asserts = var("CARGO_CFG_DEBUG_ASSERTIONS").is_ok();
    let forced = var("CARGO_FEATURE_MATCH_LOOP").is_ok();
    let interpreted = var("CARGO_CFG_MIRI").is_ok();
    let has_jumps = matches!(arch.as_str(), "x86_64" | "aarch64" | "riscv64" | "s390x");
    if has_jumps && optimised && !asserts && !forced && !interpreted {
        println!("cargo::rustc-cfg=tail_calls");
    }
}
