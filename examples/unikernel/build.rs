//! Links as ArceOS wants it: by the script that `axhal` makes of the settings of a machine.

use std::env;
use std::path::Path;

fn main() {
    let isa = env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    let platform = match isa.as_str() {
        "x86_64" => "x86-pc",
        "aarch64" => "aarch64-qemu-virt",
        _ => "riscv64-qemu-virt",
    };
    let out = env::var("OUT_DIR").unwrap_or_default();
    let script = Path::new(&out).join(format!("../../../linker_{platform}.lds"));
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-link-arg=-T{}", script.display());
    println!("cargo::rustc-link-arg=-no-pie");
    println!("cargo::rustc-link-arg=-znostart-stop-gc");
}
