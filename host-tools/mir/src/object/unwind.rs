//! `.eh_frame`: the tables for unwinding each function's frame, for exceptions and debuggers.

use super::relocated::Relocated;
use super::symbols::SymbolOffset;
use super::{Result, Writer};
use crate::unwind::{Addresses, Unwinding, add_with_personality, table};
use gimli::write::{Address, EhFrame, RelocationTarget};
use mir_nostd::codegen::{Compiler, Offsets};
use object::SectionKind;

/// The functions that can be unwound: where they start, and how.
#[derive(Default)]
pub(super) struct Frames {
    all: Vec<(SymbolOffset, Unwinding)>,
}

impl Writer {
    /// Records the unwind rules of the function that was compiled last.
    pub(super) fn add_unwinding(
        &mut self,
        compiler: &Compiler<'_>,
        offsets: &Offsets<'_>,
        start: SymbolOffset,
        length: u32,
    ) {
        let unwinding = Unwinding::of(compiler, offsets, length);
        let unwinding = unwinding.map(|unwinding| (start, unwinding));
        self.frames.all.extend(unwinding);
    }

    /// Writes the section.
    pub(super) fn write_unwinding(&mut self) -> Result<()> {
        let frames = core::mem::take(&mut self.frames.all);
        if frames.is_empty() {
            return Ok(());
        }
        let starts = { frames.iter().enumerate() }.map(|(symbol, (_, unwinding))| {
            let start = Address::Symbol { symbol, addend: 0 };
            (start, unwinding)
        });
        let mut table = table(self.isa, self.elf, Addresses::Relative, starts);
        let mut places: Vec<_> = frames.iter().map(|&(start, _)| start).collect();
        if let Some(its) = self.try_frame.take() {
            let symbol = |symbol| Address::Symbol { symbol, addend: 0 };
            let (start, personality) = (symbol(places.len()), symbol(places.len() + 1));
            let function = (start, &its.unwinding);
            add_with_personality(&mut table, self.isa, self.elf, personality, function);
            places.extend([its.start, its.personality]);
        }
        let mut eh_frame = EhFrame(Relocated::new(self.isa.target()));
        let failed = |error: gimli::write::Error| error.to_string();
        table.write_eh_frame(&mut eh_frame).map_err(failed)?;
        let name = b".eh_frame".to_vec();
        let section = (self.object).add_section(Vec::new(), name, SectionKind::ReadOnlyData);
        let Relocated { bytes, relocations } = eh_frame.0;
        self.object.append_section_data(section, bytes.slice(), 8);
        for relocation in relocations {
            let RelocationTarget::Symbol(number) = relocation.target else {
                continue;
            };
            let (at, to) = (relocation.offset as u64, places[number]);
            self.relocate(section, at, self.elf.distance, to, relocation.addend)?;
        }
        Ok(())
    }
}
