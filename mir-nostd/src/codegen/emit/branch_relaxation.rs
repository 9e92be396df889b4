//! Branch relaxation: branches start in their longest form, those to near blocks get a shorter one,
//! and the code moves together.

use crate::machine::{BlockId, Function};
use crate::mem::{Entity, OutOfMemory, Vec};
use crate::target::Isa;
use crate::target::code::{Code, FixupTarget, ShortBranch};

/// The most rounds. Each brings more targets within reach; later ones hardly find any.
const ROUNDS: usize = 4;

/// Shortens the branches of code that has no constants and tables yet, and corrects the offsets of
/// blocks.
pub(crate) fn shorten(
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

/// Shortens the branches that reach their targets now: they do afterwards, as distances only
/// shrink. Returns whether branches are left that have a shorter form.
fn shorten_once(
    function: &mut Function<'_>,
    code: &mut Code<'_>,
    blocks: &mut [u32],
    isa: &dyn Isa,
) -> Result<bool, OutOfMemory> {
    let mut are_left = false;
    let mut cuts = Cuts::new(Vec::new(code.bytes.allocator()));
    let bytes = &mut code.bytes;
    // Everything before `read` has been moved before `write`.
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
            && let Some(opcode) = isa.description().short_opcode(function.insn(insn).opcode)
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

/// Returns whether the short form reaches the block.
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

/// The places at which code was cut out: for each the end of the cut in the old code, and the
/// number of bytes that are gone up to there.
pub(crate) struct Cuts<'m>(Vec<'m, (u32, u32)>);

impl<'m> Cuts<'m> {
    pub(crate) const fn new(none: Vec<'m, (u32, u32)>) -> Cuts<'m> {
        Cuts(none)
    }

    /// Adds a cut after which the bytes from `read` on have moved to `write`.
    pub(crate) fn push(&mut self, read: usize, write: usize) -> Result<(), OutOfMemory> {
        self.0.push((read as u32, (read - write) as u32))
    }

    /// Corrects all offsets in the code but those of fixups.
    pub(crate) fn move_places(&self, code: &mut Code<'_>, blocks: &mut [u32]) {
        let mut moves = self.moves();
        for place in blocks {
            *place = moves.moved(*place);
        }
        for (place, _) in code.places.iter_mut() {
            *place = moves.moved(*place);
        }
        for (place, _) in code.sites.iter_mut() {
            *place = moves.moved(*place);
        }
        for relocation in code.relocations.iter_mut() {
            relocation.at = moves.moved(relocation.at);
        }
        for padding in code.paddings.iter_mut() {
            padding.at = moves.moved(padding.at);
        }
    }

    /// Returns the moves of offsets.
    pub(crate) fn moves(&self) -> Moves<'_> {
        Moves {
            cuts: &self.0,
            before: 0,
        }
    }
}

/// The moves of offsets, which are found in a step or two where they ascend.
pub(crate) struct Moves<'a> {
    cuts: &'a [(u32, u32)],
    /// The number of cuts that end before the last offset.
    before: usize,
}

impl Moves<'_> {
    /// Returns the new offset of the byte that was at `place`.
    pub(crate) fn moved(&mut self, place: u32) -> u32 {
        let is_before = |&(end, _): &(u32, u32)| end <= place;
        if !self.last().is_none_or(is_before) {
            self.before = self.cuts.partition_point(is_before);
        }
        while self.cuts.get(self.before).is_some_and(is_before) {
            self.before += 1;
        }
        place - self.last().map_or(0, |&(_, gone)| gone)
    }

    /// Returns the last cut before the last offset.
    fn last(&self) -> Option<&(u32, u32)> {
        self.cuts.get(self.before.checked_sub(1)?)
    }
}
