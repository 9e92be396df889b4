//! Memory operands.

use super::{Frame, Global, LowType, Metadata, Text};

/// The kind of an access to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Memory is read.
    Load,
    /// Memory is written.
    Store,
    /// Memory is read and written.
    LoadStore,
}

impl Access {
    /// Returns whether memory is read.
    #[must_use]
    pub const fn is_load(self) -> bool {
        matches!(self, Access::Load | Access::LoadStore)
    }

    /// Returns whether memory is written.
    #[must_use]
    pub const fn is_store(self) -> bool {
        matches!(self, Access::Store | Access::LoadStore)
    }
}

/// An atomic ordering.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[expect(missing_docs, reason = "the words of LLVM")]
pub enum Ordering {
    #[default]
    NotAtomic,
    Unordered,
    Monotonic,
    Acquire,
    Release,
    AcquireRelease,
    SequentiallyConsistent,
}

impl Ordering {
    /// All orderings that have a word.
    pub const TABLE: [(Ordering, &'static str); 6] = [
        (Ordering::Unordered, "unordered"),
        (Ordering::Monotonic, "monotonic"),
        (Ordering::Acquire, "acquire"),
        (Ordering::Release, "release"),
        (Ordering::AcquireRelease, "acq_rel"),
        (Ordering::SequentiallyConsistent, "seq_cst"),
    ];
}

/// The size of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemorySize {
    /// The size of a value of the type.
    Type(LowType),
    /// `unknown-size`.
    Unknown,
}

impl MemorySize {
    /// Returns the size in bytes, if it is known.
    #[must_use]
    pub fn bytes(self) -> Option<u64> {
        match self {
            MemorySize::Type(ty) => Some(ty.bits().div_ceil(8)),
            MemorySize::Unknown => None,
        }
    }
}

/// The location of an access.
#[derive(Clone, PartialEq, Debug)]
pub enum AccessLocation {
    /// A location that is not stated.
    Unknown,
    /// `%ir.name`.
    IrNamed(Text),
    /// `%ir.N`.
    IrNumber(u32),
    /// A global value.
    Global(Global),
    /// A constant of LLVM IR with its type.
    IrConstant(Text),
    /// The stack.
    Stack,
    /// The global offset table.
    Got,
    /// A jump table.
    JumpTable,
    /// The constant pool.
    ConstantPool,
    /// A frame object.
    Frame(Frame),
    /// The stub of a function of the module.
    CallEntryGlobal(Global),
    /// The stub of another function.
    CallEntryExternal(Text),
    /// A location of the target's own.
    Custom(Text),
}

/// A memory operand.
#[derive(Clone, PartialEq, Debug)]
pub struct MemoryOperand {
    /// True if the access is volatile: it happens, and in order.
    pub is_volatile: bool,
    /// True if the memory is not accessed again soon.
    pub is_non_temporal: bool,
    /// True if the address may be read at any time.
    pub is_dereferenceable: bool,
    /// True if the value never changes.
    pub is_invariant: bool,
    /// The target's flags.
    pub target_flags: u32,
    /// The kind of the access.
    pub access: Access,
    /// The scope of synchronisation.
    pub sync_scope: Option<Text>,
    /// The ordering on success.
    pub ordering: Ordering,
    /// The ordering on failure.
    pub failure_ordering: Ordering,
    /// The size of the access.
    pub size: MemorySize,
    /// The location of the memory.
    pub place: AccessLocation,
    /// The offset from the location.
    pub offset: i64,
    /// The alignment of the location without the offset, a power of two.
    pub base_align: u64,
    /// `!tbaa`, `!alias.scope`, `!noalias`, `!noalias.addrspace`, `!range`.
    pub metadata: [Option<Metadata>; 5],
    /// The address space.
    pub address_space: u32,
}

impl MemoryOperand {
    /// The words of the metadata, in order.
    pub const METADATA: [&'static str; 5] = [
        "tbaa",
        "alias.scope",
        "noalias",
        "noalias.addrspace",
        "range",
    ];

    /// Returns a plain access.
    #[must_use]
    pub fn new(
        access: Access,
        size: MemorySize,
        place: AccessLocation,
        base_align: u64,
    ) -> MemoryOperand {
        MemoryOperand {
            is_volatile: false,
            is_non_temporal: false,
            is_dereferenceable: false,
            is_invariant: false,
            target_flags: 0,
            access,
            sync_scope: None,
            ordering: Ordering::NotAtomic,
            failure_ordering: Ordering::NotAtomic,
            size,
            place,
            offset: 0,
            base_align,
            metadata: [const { None }; 5],
            address_space: 0,
        }
    }

    /// Returns the alignment of the access: the largest power of two that divides both the base
    /// alignment and the offset.
    #[must_use]
    pub fn align(&self) -> u64 {
        let both = self.base_align | self.offset.cast_unsigned();
        if both == 0 {
            1
        } else {
            1 << both.trailing_zeros()
        }
    }
}
