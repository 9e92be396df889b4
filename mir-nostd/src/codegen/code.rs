//! Machine code being made: bytes, and the places in them that are filled in later.

use crate::machine::{BlockId, ConstantId, InsnId, Operand, SymbolId, TableId};
use crate::mem::{Allocator, OutOfMemory, Vec};

/// How a place in the code refers to its target: the meaning is the target's own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FixupKind(pub u8);

/// What a place in the code refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FixupTarget {
    /// The start of a block.
    Block(BlockId),
    /// An entry of the constant pool.
    Constant(ConstantId),
    /// The start of a jump table.
    Table(TableId),
    /// Eight bytes behind the code that hold the address of a symbol: [`super::emit`] makes them. In position-independent
    /// code the symbol itself.
    Symbol(SymbolId),
}

impl FixupTarget {
    /// What an operand stands for, if that is a place.
    #[must_use]
    pub fn of(operand: Operand) -> Option<FixupTarget> {
        (operand.as_block().map(FixupTarget::Block))
            .or_else(|| operand.as_constant().map(FixupTarget::Constant))
            .or_else(|| operand.as_table().map(FixupTarget::Table))
            .or_else(|| operand.as_symbol().map(FixupTarget::Symbol))
    }
}

/// A place in the code that refers to another place of the same function. In position-independent code constants, tables
/// and symbols lie elsewhere, and what refers to them is not filled in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixup {
    /// Offset of the bytes to change.
    pub at: u32,
    /// How they refer to it.
    pub kind: FixupKind,
    /// What they refer to.
    pub target: FixupTarget,
    /// The instruction.
    pub insn: Option<InsnId>,
}

/// What a branch becomes if its target is near.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShortBranch {
    /// How many bytes of the long form are before the place that its fixup changes.
    pub before: u32,
    /// How many bytes of the long form start with that place.
    pub behind: u32,
    /// The short form: the first [`ShortBranch::len`] bytes count.
    pub bytes: [u8; 8],
    /// The length of the short form, at most 8.
    pub len: u8,
    /// The number of the byte in it that its fixup changes.
    pub place: u32,
    /// How that refers to the target.
    pub kind: FixupKind,
}

impl ShortBranch {
    /// The bytes of the short form.
    #[must_use]
    pub fn form(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.len)).unwrap_or(&[])
    }
}

/// Eight bytes in the code that hold the address of something outside, in the target's byte order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Relocation {
    /// Offset of the bytes.
    pub at: u32,
    /// What they refer to.
    pub symbol: SymbolId,
    /// What is added to its address.
    pub addend: i64,
}

/// The machine code of one function in the making.
#[derive(Debug)]
pub struct Code<'m> {
    /// The bytes so far.
    pub bytes: Vec<'m, u8>,
    /// Places that refer to places of the function.
    pub fixups: Vec<'m, Fixup>,
    /// Places that refer to what is outside.
    pub relocations: Vec<'m, Relocation>,
    /// Where NOPs are that may not be needed, in order: [`Code::put_padding`].
    pub(super) paddings: Vec<'m, u32>,
    /// Where each instruction begins, in order, if [`Code::notes_places`].
    pub places: Vec<'m, (u32, InsnId)>,
    /// Whether [`Code::places`] is wanted.
    pub notes_places: bool,
    /// The instruction being encoded.
    pub(super) insn: Option<InsnId>,
}

impl<'m> Code<'m> {
    /// No code; allocates nothing.
    #[must_use]
    pub const fn new(allocator: &'m dyn Allocator) -> Code<'m> {
        Code {
            bytes: Vec::new(allocator),
            fixups: Vec::new(allocator),
            relocations: Vec::new(allocator),
            paddings: Vec::new(allocator),
            places: Vec::new(allocator),
            notes_places: false,
            insn: None,
        }
    }

    /// Forgets everything but the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.fixups.clear();
        self.relocations.clear();
        self.paddings.clear();
        self.places.clear();
    }

    /// The number of bytes so far.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.bytes.len() as u32
    }

    /// Whether there is no byte yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Adds bytes.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn put(&mut self, bytes: &[u8]) -> Result<(), OutOfMemory> {
        self.bytes.extend_from_slice(bytes)
    }

    /// Adds the first `len` of a few bytes, at once: the way for instructions.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    #[inline]
    pub fn put_first<const N: usize>(
        &mut self,
        bytes: &[u8; N],
        len: usize,
    ) -> Result<(), OutOfMemory> {
        self.bytes.extend_from_first(bytes, len)
    }

    /// Says that the bytes which come next refer to a place of the function.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn fixup(&mut self, kind: FixupKind, target: FixupTarget) -> Result<(), OutOfMemory> {
        let at = self.len();
        let insn = self.insn;
        self.fixups.push(Fixup {
            at,
            kind,
            target,
            insn,
        })
    }

    /// Says that the eight bytes which come next hold the address of a symbol.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn relocation(&mut self, symbol: SymbolId, addend: i64) -> Result<(), OutOfMemory> {
        let at = self.len();
        self.relocations.push(Relocation { at, symbol, addend })
    }
}
