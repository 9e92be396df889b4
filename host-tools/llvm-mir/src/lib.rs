//! LLVM's Machine IR text, as LLVM 22 reads, prints and verifies it, for `x86_64`, `aarch64`,
//! `ppc64le`, `riscv64` and `s390x`.
//!
//! [`model`] holds a whole file; [`print()`] writes it byte for byte as `llc -run-pass=none` does.
//! [`target`] has LLVM's tables: opcodes, registers, classes, masks. LLVM itself is not needed.
//!
//! ```
//! use llvm_mir::model::{Block, File, Function, FunctionProperty, Instruction, Module, Operand};
//! use llvm_mir::model::{OperandFlags, Register};
//! use llvm_mir::target::{Isa, Target, Triple};
//!
//! let target = Target::of(Isa::X86_64);
//! let register = |name: &str| Register::physical(target.register(name.as_bytes()).unwrap_or(0));
//! let mut function = Function::new("f");
//! function.set(FunctionProperty::TracksRegLiveness, true);
//! let mut copy = Instruction::new(target.opcode(b"MOV64rr").unwrap());
//! copy.operands = vec![
//!     Operand::reg(register("rax"), OperandFlags::DEF),
//!     Operand::reg(register("rdi"), OperandFlags::KILLED),
//! ];
//! let mut ret = Instruction::new(target.opcode(b"RET64").unwrap());
//! ret.operands = vec![Operand::reg(register("rax"), OperandFlags::IMPLICIT)];
//! function.blocks.push(Block {
//!     live_ins: vec![(register("rdi"), Block::ALL_LANES)],
//!     instructions: vec![copy, ret],
//!     ..Block::default()
//! });
//! function.compute_properties(target);
//! let module = Module::stub("f.mir", &Triple::of(Isa::X86_64), "", &["f".into()]);
//! let file = File { target, module, functions: vec![function] };
//! let text = String::from_utf8(llvm_mir::print(&file, Default::default())).unwrap();
//! assert!(text.contains("    $rax = MOV64rr killed $rdi\n    RET64 implicit $rax\n"));
//! ```

#![deny(unsafe_code)]

mod inline_asm;
mod live;
pub mod model;
mod print;
mod read;
pub mod target;
mod verify;

pub use live::print_live;
pub use print::{PrintOptions, print};
pub use read::{Error, ReadOptions, read};
pub use verify::{Report, verify};
