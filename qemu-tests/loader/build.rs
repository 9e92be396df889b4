//! Passes the linker the script of the ISA that the kernel is built for.

fn main() {
    let variable = |name| std::env::var(name).unwrap_or_default();
    let script = format!(
        "{}/../kernel/link/{}.ld",
        variable("CARGO_MANIFEST_DIR"),
        variable("CARGO_CFG_TARGET_ARCH")
    );
    println!("cargo:rustc-link-arg-bins=-T{script}");
    println!("cargo:rerun-if-changed=../kernel/link");
}
