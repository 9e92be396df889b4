//! The C library that confined programs are linked with, as a module in Medium IR.
//!
//! One text serves every target: it depends neither on byte order nor on the format of long doubles
//! or `va_list`. It is made from the C files beside it by `cargo xtask libc`, which needs clang-22;
//! what depends on variable arguments and long doubles is written in Medium IR by hand
//! (`c/variable.mir`).
//!
//! The module exports the functions that C programs from clang use: memory, strings, characters,
//! `malloc`, `printf` and its relatives, input and output on the three standard streams, numbers in
//! text, sorting, and mathematics as far as it is exact; also names of glibc's headers
//! (`__ctype_b_loc`, `__assert_fail`, `__errno_location`). Functions that programs register for
//! their end (`atexit`, `__cxa_atexit`) are called by a destructor of the module
//! (`mir_nostd::confined::Program::destructors`); `__emutls_get_address` has thread-local variables
//! of the one thread. It imports:
//!
//! - `write: i64, i64:handle, p:bytes, i64:count` writes to standard output (1) or error (2), and
//!   returns how many bytes it wrote, or a negative number;
//! - `read: i64, i64:handle, p:bytes, i64:count` reads standard input (0), and returns how many
//!   bytes it read, 0 at the end;
//! - `__heap_start: i64` and `__heap_end: i64` return the bounds of the memory that `malloc` may
//!   use; the end may grow;
//! - `exit: i32:status` ends the program. `abort` calls it with 134.
//!
//! Streams have no buffers for output: each call of `printf` writes at its end, or when 128 bytes
//! are there.
#![no_std]

/// The module's text.
pub const TEXT: &[u8] = include_bytes!("../libc.mir");
