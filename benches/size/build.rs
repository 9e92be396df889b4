//! Links by `link.ld`.

fn main() {
    println!("cargo::rerun-if-changed=link.ld");
    let folder = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    println!("cargo::rustc-link-arg-bins=-T{folder}/link.ld");
}
