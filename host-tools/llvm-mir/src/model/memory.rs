//! Memory operands.

use super::{Frame, Global, LowType, Metadata, Text};

/// Whether memory is read, written, or both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Read.
    Load,
    /// Written.
    Store,
    /// Both.
    LoadStore,
}

impl Access {
    /// Whether memory is read.
    #[must_use]
    pub const fn is_load(self) -> bool {
        matches!(self, Access::Load | Access::LoadStore)
    }

    /// Whether memory is written.
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
    /// All that have a word.
    pub const TABLE: [(Ordering, &'static str); 6] = [
        (Ordering::Unordered, "unordered"),
        (Ordering::Monotonic, "monotonic"),
        (Ordering::Acquire, "acquire"),
        (Ordering::Release, "release"),
        (Ordering::AcquireRelease, "acq_rel"),
        (Ordering::SequentiallyConsistent, "seq_cst"),
    ];
}

/// How much memory is touched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemorySize {
    /// A value of the type.
    Type(LowType),
    /// `unknown-size`.
    Unknown,
}

impl MemorySize {
    /// Bytes, if they are known.
    #[must_use]
    pub fn bytes(self) -> Option<u64> {
        match self {
            MemorySize::Type(ty) => Some(ty.bits().div_ceil(8)),
            MemorySize::Unknown => None,
        }
    }
}

/// Where the memory is.
#[derive(Clone, PartialEq, Debug)]
pub enum Place {
    /// Not said.
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
    /// A place of the target's own.
    Custom(Text),
}

/// A memory operand.
#[derive(Clone, PartialEq, Debug)]
pub struct MemoryOperand {
    /// Every access happens and in order.
    pub is_volatile: bool,
    /// Not soon again.
    pub is_non_temporal: bool,
    /// The address may be read at any time.
    pub is_dereferenceable: bool,
    /// The value never changes.
    pub is_invariant: bool,
    /// The target's flags.
    pub target_flags: u32,
    /// Read or written.
    pub access: Access,
    /// The scope of synchronisation.
    pub sync_scope: Option<Text>,
    /// The ordering on success.
    pub ordering: Ordering,
    /// The ordering on failure.
    pub failure_ordering: Ordering,
    /// How much.
    pub size: MemorySize,
    /// Where.
    pub place: Place,
    /// Offset from there.
    pub offset: i64,
    /// The alignment of the place without the offset, a power of two.
    pub base_align: u64,
    /// `!tbaa`, `!alias.scope`, `!noalias`, `!noalias.addrspace`, `!range`.
    pub metadata: [Option<Metadata>; 5],
    /// Address space.
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

    /// A plain access.
    #[must_use]
    pub fn new(access: Access, size: MemorySize, place: Place, base_align: u64) -> MemoryOperand {
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

    /// The alignment of the access: the largest power of two that divides base alignment and offset.
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
