//! Machine code in the making: bytes, and the places in them that are filled in later.

use crate::machine::{BlockId, CallSite, ConstantId, Function, InsnId, Operand, SymbolId, TableId};
use crate::mem::{Allocator, OutOfMemory, Vec};

/// The manner in which a place in the code refers to its target, with a meaning of the backend's
/// own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FixupKind(pub u8);

/// The target that a place in the code refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FixupTarget {
    /// The start of a block.
    Block(BlockId),
    /// An entry of the constant pool.
    Constant(ConstantId),
    /// The start of a jump table.
    Table(TableId),
    /// Eight bytes after the code that hold the address of a symbol, which the stage `emit` adds;
    /// in position-independent code the symbol itself.
    Symbol(SymbolId),
}

impl FixupTarget {
    /// Returns the target that an operand names, if it names one.
    #[must_use]
    pub fn of(operand: Operand) -> Option<FixupTarget> {
        (operand.as_block().map(FixupTarget::Block))
            .or_else(|| operand.as_constant().map(FixupTarget::Constant))
            .or_else(|| operand.as_table().map(FixupTarget::Table))
            .or_else(|| operand.as_symbol().map(FixupTarget::Symbol))
    }
}

/// A place in the code that refers to another place of the same function. In position-independent
/// code constants, tables and symbols lie elsewhere, and the places that refer to them are not
/// filled in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixup {
    /// The offset of the bytes to change.
    pub at: u32,
    /// The manner in which they refer to the target.
    pub kind: FixupKind,
    /// The target.
    pub target: FixupTarget,
    /// The instruction.
    pub insn: Option<InsnId>,
}

/// The short form of a branch, for a target that is near.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShortBranch {
    /// The number of bytes of the long form before the place that its fixup changes.
    pub before: u32,
    /// The number of bytes of the long form from that place on.
    pub behind: u32,
    /// The short form: the first [`ShortBranch::len`] bytes count.
    pub bytes: [u8; 8],
    /// The length of the short form, at most 8.
    pub len: u8,
    /// The offset in it of the byte that its fixup changes.
    pub place: u32,
    /// The manner in which that refers to the target.
    pub kind: FixupKind,
}

impl ShortBranch {
    /// Returns the bytes of the short form.
    #[must_use]
    pub fn form(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.len)).unwrap_or(&[])
    }
}

/// Eight bytes in the code that hold an address outside the function, in the target's byte order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Relocation {
    /// The offset of the bytes.
    pub at: u32,
    /// The symbol that they refer to.
    pub symbol: SymbolId,
    /// The number that is added to its address.
    pub addend: i64,
}

/// NOPs that may not be needed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Padding {
    /// The offset of the first.
    pub(crate) at: u32,
    /// The part that they stand before.
    pub(crate) before: PaddedPart,
}

/// A part of code that should not cross a multiple of some bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PaddedPart {
    /// An instruction.
    Insn,
    /// A loop of so many bytes, 0 if there is none.
    Loop(u32),
}

/// The machine code of one function in the making.
#[derive(Debug)]
pub struct Code<'m> {
    /// The bytes so far.
    pub bytes: Vec<'m, u8>,
    /// The places that refer to places of the function.
    pub fixups: Vec<'m, Fixup>,
    /// The places that refer to symbols outside.
    pub relocations: Vec<'m, Relocation>,
    /// The NOPs that may not be needed, in order: [`Code::put_padding`].
    pub(crate) paddings: Vec<'m, Padding>,
    /// The multiple that the code relies on beginning at, if that is more than the ISA's.
    pub align: u32,
    /// The offset of each instruction, in order, if [`Code::notes_places`] is set.
    pub places: Vec<'m, (u32, InsnId)>,
    /// The offsets after calls whose sites are known, in order.
    pub(crate) sites: Vec<'m, (u32, CallSite)>,
    /// True if [`Code::places`] is wanted.
    pub notes_places: bool,
    /// The instruction being encoded.
    pub(crate) insn: Option<InsnId>,
}

impl<'m> Code<'m> {
    /// Returns empty code; allocates nothing.
    #[must_use]
    pub const fn new(allocator: &'m dyn Allocator) -> Code<'m> {
        Code {
            bytes: Vec::new(allocator),
            fixups: Vec::new(allocator),
            relocations: Vec::new(allocator),
            paddings: Vec::new(allocator),
            align: 1,
            places: Vec::new(allocator),
            sites: Vec::new(allocator),
            notes_places: false,
            insn: None,
        }
    }

    /// Clears everything but keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.fixups.clear();
        self.relocations.clear();
        self.paddings.clear();
        self.align = 1;
        self.places.clear();
        self.sites.clear();
    }

    /// Returns the number of bytes so far.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.bytes.len() as u32
    }

    /// Returns whether there is no byte yet.
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

    /// Adds the first `len` of a few bytes at once, for instructions.
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

    /// Notes that the following bytes refer to a place of the function.
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

    /// Notes the site of a call that was just encoded, if it is known.
    pub(crate) fn note_site(
        &mut self,
        function: &Function<'_>,
        insn: InsnId,
    ) -> Result<(), OutOfMemory> {
        match function.call_site(insn) {
            Some(site) => self.sites.push((self.len(), site)),
            None => Ok(()),
        }
    }

    /// Notes that the following eight bytes hold the address of a symbol.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn relocation(&mut self, symbol: SymbolId, addend: i64) -> Result<(), OutOfMemory> {
        let at = self.len();
        self.relocations.push(Relocation { at, symbol, addend })
    }
}
