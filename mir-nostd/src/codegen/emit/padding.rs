//! Padding: NOPs before instructions that must not cross a multiple of some bytes. They are put
//! wherever they may be needed, so that distances only shrink when the superfluous ones are
//! removed.

use crate::codegen::emit::branch_relaxation::Cuts;
use crate::mem::{OutOfMemory, Vec};
use crate::target::code::Code;

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
        let at = self.len();
        self.paddings.push(at)?;
        self.put(&nop)
    }

    /// Removes the NOPs that are not needed, from code that will begin at a multiple of 64 and has
    /// its branches relaxed. The offsets in `blocks` are corrected.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn settle(&mut self, blocks: &mut [u32]) -> Result<(), OutOfMemory> {
        if self.paddings.is_empty() {
            return Ok(());
        }
        let mut cuts = Cuts::new(Vec::new(self.bytes.allocator()));
        // Everything before `read` has been moved before `write`.
        let (mut read, mut write) = (0, 0);
        for &at in &self.paddings {
            let to = at - (read - write) as u32;
            if (to + NOP as u32).is_multiple_of(LINE) {
                continue;
            }
            self.bytes.copy_within(read..at as usize, write);
            write += at as usize - read;
            read = at as usize + NOP;
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
}
