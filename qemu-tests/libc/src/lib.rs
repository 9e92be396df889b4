//! The C functions that programs in the kernels import.
#![no_std]
// The compiler may not recognise the loops of `memcpy` as a call of `memcpy`.
#![no_builtins]

mod memory;
