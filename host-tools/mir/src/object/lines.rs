//! `.debug_line` and what belongs to it: the lines of the text that the code in an object comes
//! from.

use super::relocated::Relocated;
use super::symbols::{Scope, SymbolOffset};
use super::{Result, Writer, name_of};
use crate::input::Source;
use crate::lines::{LineFinder, LinedFunction, dwarf};
use gimli::write::{Address, Relocation, RelocationTarget, Sections};
use mir_nostd::codegen::Compiler;
use mir_nostd::ir::FuncId;
use object::write::SectionId;
use object::{RelocationEncoding, RelocationFlags, RelocationKind, SectionKind};
use std::collections::HashMap;

/// The functions of a file, with their lines.
pub(super) struct FileLines {
    file: String,
    finder: Option<LineFinder>,
    functions: Vec<(SymbolOffset, LinedFunction)>,
}

impl FileLines {
    /// Returns no functions yet, of a file.
    pub(super) fn new(source: &Source) -> FileLines {
        FileLines {
            file: source.name.clone(),
            finder: None,
            functions: Vec::new(),
        }
    }
}

impl Writer {
    /// The functions that are added from now on are of module number `module` of the source; of
    /// none of its modules, if there is no number.
    pub(super) fn enter_module(&mut self, source: &Source, module: Option<usize>) {
        if let Some(lines) = &mut self.lines {
            lines.finder = module.and_then(|module| LineFinder::new(source, module, &source.name));
        }
    }

    /// Records the lines of the function that was compiled last.
    pub(super) fn add_lines(
        &mut self,
        scope: &Scope<'_, '_>,
        func: FuncId,
        compiler: &Compiler<'_>,
        start: SymbolOffset,
    ) {
        let Some(lines) = &mut self.lines else {
            return;
        };
        let Some(finder) = &mut lines.finder else {
            return;
        };
        let function = LinedFunction {
            name: name_of(
                scope.module,
                scope.module.item(scope.module.func(func).item).name,
            ),
            start: Address::Symbol {
                symbol: lines.functions.len(),
                addend: 0,
            },
            bytes: compiler.output.code.len().into(),
            lines: finder.lines(scope.module, func, compiler),
            variables: finder.variables(scope.module, func, compiler),
        };
        lines.functions.push((start, function));
    }

    /// Writes the sections.
    pub(super) fn write_lines(&mut self) -> Result<()> {
        let Some(FileLines {
            file, functions, ..
        }) = self
            .lines
            .take()
            .filter(|lines| !lines.functions.is_empty())
        else {
            return Ok(());
        };
        let (starts, functions): (Vec<_>, Vec<_>) = functions.into_iter().unzip();
        let mut sections = Sections::new(Relocated::new(self.isa.target()));
        let written = dwarf(&file, &functions).write(&mut sections);
        written.map_err(|error| error.to_string())?;
        let mut ids = HashMap::new();
        let mut relocations = Vec::new();
        sections.for_each(|id, section: &Relocated| {
            if !section.bytes.slice().is_empty() {
                let name = id.name().as_bytes().to_vec();
                let added = (self.object).add_section(Vec::new(), name, SectionKind::Debug);
                (self.object).append_section_data(added, section.bytes.slice(), 1);
                ids.insert(id, added);
                let of = |relocation: &Relocation| (added, *relocation);
                relocations.extend(section.relocations.iter().map(of));
            }
            Ok::<_, String>(())
        })?;
        for (section, relocation) in relocations {
            let (at, addend) = (relocation.offset as u64, relocation.addend);
            match relocation.target {
                RelocationTarget::Symbol(number) => {
                    self.relocate(section, at, self.elf.address, starts[number], addend)?;
                }
                RelocationTarget::Section(id) => {
                    let to = ids.get(&id).ok_or("a debugging section is missing")?;
                    self.relocate_to_section(section, at, *to, addend)?;
                }
            }
        }
        Ok(())
    }

    /// Adds a relocation of 32 bits for an offset in another section.
    fn relocate_to_section(
        &mut self,
        section: SectionId,
        at: u64,
        to: SectionId,
        addend: i64,
    ) -> Result<()> {
        let symbol = self.object.section_symbol(to);
        let relocation = object::write::Relocation {
            offset: at,
            symbol,
            addend,
            flags: RelocationFlags::Generic {
                kind: RelocationKind::Absolute,
                encoding: RelocationEncoding::Generic,
                size: 32,
            },
        };
        let added = self.object.add_relocation(section, relocation);
        added.map_err(|error| error.to_string())
    }
}
