//! What the ISAs do differently. Each module offers the same:
//!
//! - `NAME`, `TARGET`, `NATIVE`: the ISA's name, its description and its gates in the project;
//! - `EMBEDDED`, `EMBEDDED_PRINTS`: a small program and what it prints;
//! - `PROGRAMS`, `PROGRAM_BYTES`: where QEMU's loader device puts programs, and how much room there is;
//! - `PAGES`, `EXTRA`, `use_tables`: the format of page tables, what else is to be mapped, and turning tables on;
//! - `BACKEND`, `fetch_anew`, `synchronise`: the code generator, having all CPUs fetch code anew, and this one;
//! - `install_handlers`, `start_timer`, `start_second`: faults and interrupts, the timer, the second CPU;
//! - `write`, `exit`, `now`, `clock_rate`, `CLOCK_STARTS_AT_RESET`, `pause`.
//!
//! `boot.s` has the entry, the entry of handlers, `probe`, and the way of the second CPU to Rust.

#[cfg_attr(target_arch = "x86_64", path = "x86_64/mod.rs")]
#[cfg_attr(target_arch = "aarch64", path = "aarch64/mod.rs")]
#[cfg_attr(target_arch = "riscv64", path = "riscv64/mod.rs")]
#[cfg_attr(target_arch = "powerpc64", path = "ppc64le/mod.rs")]
#[cfg_attr(target_arch = "s390x", path = "s390x/mod.rs")]
mod this;

pub use this::*;
