//! The interface between a backend and the rest: its description, its calling convention, its gates
//! to native code.
//!
//! Every target is described by one static [`Target`], usable on every host: verifier, loader,
//! interpreter and code generator ask it. Only [`Native`] needs the machine itself: the target
//! crates offer it when they are compiled for their own architecture. Calls between interpreted and
//! native code are planned once per signature by [`Plan`].
#![expect(
    unsafe_code,
    reason = "arguments cross to native code through raw memory"
)]

mod abi;
mod argument;
pub(crate) mod code;
mod description;
mod elf;
pub(crate) mod error;
pub(crate) mod frame_layout;
mod instruction_table;
mod isa;
mod moves;
#[macro_use]
mod native;
mod pages;
mod peephole;
mod plan;
mod registers;
mod selection;
mod tables;
mod va_list;
mod value;

pub use abi::{
    Abi, ImageLayout, LongDoubleResult, Piece, Placement, ResultCursor, Results, Signature, Single,
};
pub use argument::{Argument, ArgumentKind, Cursor, Location, MAX_STACK_BYTES, TooLarge};
pub use code::{Code, Fixup, FixupKind, FixupTarget, Relocation, ShortBranch};
pub use description::Description;
pub use elf::{Elf, ElfReference, ElfRelocation};
pub use emitter::Emitter;
pub use error::Error;
pub use frame_layout::{FrameLayout, FrameRecord};
pub(crate) use isa::emitter;
pub use isa::{
    AddressForm, Encoder, FrameLowering, GenericInsn, InsnInfo, InsnSelector, Isa, LandingPad,
    UpperHalf,
};
pub(crate) use native::handler_at;
pub use native::{
    Assembly, Body, Entry, GateRegisters, Gates, Guard, Handler, Image, Incoming, Machine, Native,
    Outgoing,
};
pub(crate) use native::{call_body, call_handler};
pub use pages::{Pages, Region, UnprotectedPages};
pub use peephole::{FlagRules, FoldedLoad, FoldedSource, InsnView, Peephole};
pub use plan::{Plan, PlanError, Received};
pub use registers::{Bank, HardRegister, HardRegisterError, Role};
pub use selection::{Materialise, Selection};
pub use tables::{
    ClassRow, InsnFlags, InsnRow, List, Name, OperandRow, OperandShapes, RegisterFile, RegisterRow,
    ReturnAddress, units_of_classes,
};
pub use va_list::{Fetched, VaList, VaListOperations, VariableArguments};
pub use value::{Value, extend};

use crate::machine::UnitSet;
use crate::num::LongDoubleFormat;

/// The word of whoever describes a machine that the description is right. It cannot be copied from
/// another.
#[derive(Debug)]
pub struct Vouched(());

impl Vouched {
    /// Vouches for a [`Target`].
    ///
    /// # Safety
    ///
    /// The description with which this goes agrees with itself: places that its ABI assigns to
    /// arguments and results lie in the image of the registers, or in memory below the bytes that
    /// the cursor took; a list of variable arguments advances by what it holds; thunks do what
    /// [`Thunk::write`] says.
    #[must_use]
    pub const unsafe fn new() -> Vouched {
        Vouched(())
    }
}

/// The description of an ISA with its platform ABI: static data, the same on every host.
///
/// It decides which raw memory values are written to, so it takes the word of a backend:
///
/// ```compile_fail
/// use mir_nostd::target::Target;
/// use target_x86_64::TARGET;
/// static MINE: Target = Target {
///     name: "mine",
///     big_endian: false,
///     long_double: TARGET.long_double,
///     alloca_align: 16,
///     registers: TARGET.registers,
///     long_double_registers: false,
///     abi: TARGET.abi,
///     thunk: TARGET.thunk,
///     vouched: TARGET.vouched, // error: cannot be copied
/// };
/// ```
#[derive(Debug)]
pub struct Target {
    /// The name that users know it by: `x86_64`, `aarch64`, `ppc64le`, `riscv64`, `s390x`.
    pub name: &'static str,
    /// True if the most significant byte comes first.
    pub big_endian: bool,
    /// The format of long double.
    pub long_double: LongDoubleFormat,
    /// `alloca` aligns to this many bytes and rounds sizes that are no constants up to it.
    pub alloca_align: u32,
    /// The registers, those included that no variable may be tied to.
    pub registers: &'static [HardRegister],
    /// True if one floating register holds a long double.
    pub long_double_registers: bool,
    /// The calling convention.
    pub abi: Abi,
    /// The form of the thunks through which code is reached that may change its place.
    pub thunk: Thunk,
    /// The word of the backend that all this is right.
    pub vouched: Vouched,
}

/// A piece of code at a fixed address that jumps where an [`Entry`] says.
#[derive(Clone, Copy, Debug)]
pub struct Thunk {
    /// Its length in bytes, a multiple of 16.
    pub bytes: usize,
    /// The registers that it overwrites, among those that hold values, if only for an instruction:
    /// if blocks become code one by one, a thunk may lie between any two of them, and nothing is
    /// kept there from one block to the next.
    pub clobbers: UnitSet,
    /// Writes a thunk for the entry at this address to the start of the slice; it works at any
    /// address that is a multiple of 16. Whether there was room.
    pub write: fn(&mut [u8], u64) -> bool,
}
