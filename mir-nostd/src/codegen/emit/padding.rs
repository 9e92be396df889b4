//! Padding: NOPs before instructions that must not cross a multiple of some bytes, and before loops
//! that should not.
//!
//! A processor fetches code in lines: a loop of a few instructions can take half as long again if
//! two of them hold it. NOPs are put wherever they may be needed, and the superfluous ones removed
//! when branches are relaxed, so that distances only shrink. Then it is known where a loop is, and
//! how long.

use crate::codegen::emit::branch_relaxation::Cuts;
use crate::mem::{Entity, OutOfMemory, Vec};
use crate::target::Isa;
use crate::target::code::{Code, FixupTarget, PaddedPart, Padding};

/// The bytes of a NOP.
const NOP: usize = 4;

/// The bytes of a line; no padded instruction crosses a multiple of this.
const LINE: u32 = 64;

impl Code<'_> {
    /// Adds a NOP before an instruction of 8 bytes that must not cross a multiple of 64.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn put_padding(&mut self, nop: [u8; NOP]) -> Result<(), OutOfMemory> {
        let (at, before) = (self.len(), PaddedPart::Insn);
        self.paddings.push(Padding { at, before })?;
        self.put(&nop)
    }

    /// Adds room for NOPs before a loop that should lie in one line.
    pub(crate) fn put_loop_padding(&mut self, line_bytes: u32) -> Result<(), OutOfMemory> {
        let (at, before) = (self.len(), PaddedPart::Loop(0));
        self.paddings.push(Padding { at, before })?;
        let end = self.bytes.len() + line_bytes as usize - 1;
        self.bytes.resize(end, 0)
    }

    /// Removes the NOPs that are not needed, from code that will begin at a multiple of 64 and has
    /// its branches relaxed. The offsets in `blocks` are corrected. Small loops are placed in lines
    /// of `line_bytes`, as the code was made for, 0 if for none.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn settle(
        &mut self,
        isa: &dyn Isa,
        line_bytes: u32,
        blocks: &mut [u32],
    ) -> Result<(), OutOfMemory> {
        if self.paddings.is_empty() {
            return Ok(());
        }
        self.measure_loops(line_bytes, blocks);
        let mut cuts = Cuts::new(Vec::new(self.bytes.allocator()));
        // Everything before `read` has been moved before `write`.
        let (mut read, mut write) = (0, 0);
        for padding in &self.paddings {
            let at = padding.at as usize;
            let to = at - (read - write);
            let (room, kept) = match padding.before {
                PaddedPart::Insn => (NOP, kept_before_insn(to)),
                PaddedPart::Loop(bytes) => {
                    if is_placed(bytes, line_bytes) {
                        self.align = self.align.max(line_bytes);
                    }
                    let kept = kept_before_loop(to, bytes, line_bytes);
                    if let Some(nops) = self.bytes.get_mut(at..at + kept) {
                        isa.pad(nops);
                    }
                    (line_bytes as usize - 1, kept)
                }
            };
            if kept == room {
                continue;
            }
            self.bytes.copy_within(read..at + kept, write);
            write += at + kept - read;
            read = at + room;
            cuts.push(read, write)?;
        }
        self.bytes.copy_within(read.., write);
        let len = self.bytes.len() - (read - write);
        self.bytes.truncate(len);
        let mut moves = cuts.moves();
        for fixup in self.fixups.iter_mut() {
            fixup.at = moves.moved(fixup.at);
        }
        cuts.move_places(self, blocks);
        self.paddings.clear();
        Ok(())
    }

    /// Notes the lengths of the loops after paddings: up to the last branch back to each.
    fn measure_loops(&mut self, line_bytes: u32, blocks: &[u32]) {
        if line_bytes == 0 {
            return;
        }
        for fixup in &self.fixups {
            let FixupTarget::Block(block) = fixup.target else {
                continue;
            };
            let Some(&start) = blocks
                .get(block.index())
                .filter(|&&start| start <= fixup.at)
            else {
                continue;
            };
            // An offset of nothing if no padding can be there.
            let at = start.wrapping_sub(line_bytes - 1);
            let place = self
                .paddings
                .binary_search_by_key(&at, |padding| padding.at);
            let padding = place.ok().and_then(|place| self.paddings.get_mut(place));
            if let Some(Padding {
                before: PaddedPart::Loop(bytes),
                ..
            }) = padding
            {
                *bytes = (*bytes).max(fixup.at + 1 - start);
            }
        }
    }
}

/// Returns how many bytes of NOPs there must be at an offset before an instruction.
fn kept_before_insn(at: usize) -> usize {
    match (at + NOP).is_multiple_of(LINE as usize) {
        true => NOP,
        false => 0,
    }
}

/// Returns how many bytes of NOPs there must be at an offset before a loop of so many bytes.
fn kept_before_loop(at: usize, bytes: u32, line_bytes: u32) -> usize {
    let line = line_bytes as usize;
    let begins = at % line;
    match is_placed(bytes, line_bytes) && begins + bytes as usize >= line {
        true => line - begins,
        false => 0,
    }
}

/// Returns whether a loop of so many bytes fits into a line, and ends before it: processors that
/// predict by lines take a branch back at the very end of one for one of the next.
fn is_placed(bytes: u32, line_bytes: u32) -> bool {
    (1..line_bytes).contains(&bytes)
}
