//! The parts that differ between ISAs. Each module offers the same items:
//!
//! - `NAME`, `TARGET`, `NATIVE`: the ISA's name, its description and its gates in the project;
//! - `EMBEDDED`, `EMBEDDED_PRINTS`: a small program and its output;
//! - `PROGRAMS`, `PROGRAM_BYTES`: the memory in which QEMU's loader device puts programs;
//! - `PAGES`, `EXTRA`, `use_tables`: the format of page tables, further ranges to map, and turning
//!   tables on;
//! - `BACKEND`, `fetch_anew`, `synchronise`: the code generator, making new code visible to all
//!   CPUs, and to this one;
//! - `install_handlers`, `start_timer`, `start_second`: faults and interrupts, the timer, the
//!   second CPU;
//! - `write`, `exit`, `now`, `clock_rate`, `CLOCK_STARTS_AT_RESET`, `pause`.
//!
//! `boot.s` has the entry, the entry of handlers, `probe`, and the second CPU's path to Rust.

#[cfg_attr(target_arch = "x86_64", path = "x86_64/mod.rs")]
#[cfg_attr(target_arch = "aarch64", path = "aarch64/mod.rs")]
#[cfg_attr(target_arch = "riscv64", path = "riscv64/mod.rs")]
#[cfg_attr(target_arch = "powerpc64", path = "ppc64le/mod.rs")]
#[cfg_attr(target_arch = "s390x", path = "s390x/mod.rs")]
mod this;

pub use this::*;
