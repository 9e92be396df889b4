//! The riscv64 backend of mir-nostd.
#![no_std]
#![deny(unsafe_code)]
