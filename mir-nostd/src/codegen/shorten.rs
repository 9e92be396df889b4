//! Branches to near blocks take their short form, and the code moves together.

use super::{Code, FixupTarget, ShortBranch};
use crate::machine::{BlockId, Function};
use crate::mem::{Entity, OutOfMemory, Vec};
use crate::target::Isa;

/// Each round brings more within reach; later ones hardly find anything.
const ROUNDS: usize = 4;

/// Shortens the branches of code that has no constants and tables yet, and corrects where the blocks begin.
pub(super) fn shorten(
    function: &mut Function<'_>,
    code: &mut Code<'_>,
    blocks: &mut [u32],
    isa: &dyn Isa,
) -> Result<(), OutOfMemory> {
    for _ in 0..ROUNDS {
        let len = code.len();
        let are_left = shorten_once(function, code, blocks, isa)?;
        if code.len() == len || !are_left {
            break;
        }
    }
    Ok(())
}

/// What is in reach before anything moved is so afterwards, as distances only shrink. Gives whether there are branches left
/// that are longer than others.
fn shorten_once(
    function: &mut Function<'_>,
    code: &mut Code<'_>,
    blocks: &mut [u32],
    isa: &dyn Isa,
) -> Result<bool, OutOfMemory> {
    let mut are_left = false;
    let mut cuts = Cuts::new(Vec::new(code.bytes.allocator()));
    let bytes = &mut code.bytes;
    // Everything before `read` lies before `write` already.
    let (mut read, mut write) = (0, 0);
    for fixup in code.fixups.iter_mut() {
        let short = match fixup.target {
            FixupTarget::Block(block) => {
                let forms = (0..).map_while(|n| isa.short_branch(fixup.kind, n, bytes, fixup.at));
                let mut tried = 0;
                let mut forms = forms.inspect(|_| tried += 1);
                let short = forms.find(|short| is_near(isa, short, fixup.at, block, blocks));
                are_left |= tried > u32::from(short.is_some());
                short
            }
            _ => None,
        };
        let Some(short) = short else {
            fixup.at -= (read - write) as u32;
            continue;
        };
        let start = (fixup.at - short.before) as usize;
        bytes.copy_within(read..start, write);
        write += start - read;
        read = (fixup.at + short.behind) as usize;
        let form = short.form();
        if let Some(place) = bytes.get_mut(write..write + form.len()) {
            place.copy_from_slice(form);
        }
        (fixup.at, fixup.kind) = (write as u32 + short.place, short.kind);
        if let Some(insn) = fixup.insn
            && let Some(opcode) = isa.short_opcode(function.insn(insn).opcode, short.kind)
        {
            function.set_opcode(insn, opcode);
        }
        write += form.len();
        cuts.push(read, write)?;
    }
    if read == write {
        return Ok(are_left);
    }
    bytes.copy_within(read.., write);
    let len = bytes.len() - (read - write);
    bytes.truncate(len);
    cuts.move_places(code, blocks);
    Ok(are_left)
}

/// Whether the short form reaches the block.
fn is_near(isa: &dyn Isa, short: &ShortBranch, at: u32, block: BlockId, blocks: &[u32]) -> bool {
    let Some(&target) = blocks.get(block.index()) else {
        return false;
    };
    let place = at - short.before + short.place;
    let (mut bytes, start) = (short.bytes, short.place as usize);
    bytes
        .get_mut(start..)
        .is_some_and(|bytes| isa.patch(bytes, short.kind, place, i64::from(target)))
}

/// Where code was cut out: the end of each cut in the old code, and how much is gone up to there.
pub(super) struct Cuts<'m>(Vec<'m, (u32, u32)>);

impl<'m> Cuts<'m> {
    pub(super) const fn new(none: Vec<'m, (u32, u32)>) -> Cuts<'m> {
        Cuts(none)
    }

    /// What was at `read` is at `write` from the next cut on.
    pub(super) fn push(&mut self, read: usize, write: usize) -> Result<(), OutOfMemory> {
        self.0.push((read as u32, (read - write) as u32))
    }

    /// Corrects everything about the code but where its fixups are.
    pub(super) fn move_places(&self, code: &mut Code<'_>, blocks: &mut [u32]) {
        for place in blocks {
            *place = self.moved(*place);
        }
        for (place, _) in code.places.iter_mut() {
            *place = self.moved(*place);
        }
        for relocation in code.relocations.iter_mut() {
            relocation.at = self.moved(relocation.at);
        }
        for place in code.paddings.iter_mut() {
            *place = self.moved(*place);
        }
    }

    /// Where something is that was at `place`.
    pub(super) fn moved(&self, place: u32) -> u32 {
        let count = self.0.partition_point(|&(end, _)| end <= place);
        let last = count.checked_sub(1).and_then(|last| self.0.get(last));
        place - last.map_or(0, |&(_, gone)| gone)
    }
}
