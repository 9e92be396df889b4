//! The code of functions, their constants and jump tables, and all references of those.

use super::symbols::{Scope, SymbolOffset};
use super::{Result, Writer, name_of};
use crate::failure::Refusal;
use mir_nostd::codegen::{Compiler, FixupKind, FixupTarget, Offsets};
use mir_nostd::ir::{FuncId, ItemKind, Module};
use mir_nostd::machine::Function;
use mir_nostd::mem::Entity;
use mir_nostd::target::ElfReference;
use object::write::{Relocation, SectionId, Symbol, SymbolId, SymbolSection};
use object::{RelocationFlags, SymbolFlags, SymbolKind, SymbolScope};

/// A reference in code that is not resolved yet.
pub(super) struct Pending {
    section: SectionId,
    at: u64,
    kind: FixupKind,
    to: SymbolOffset,
}

/// The offsets in `.rodata` of the constants and jump tables of a function.
struct Pools {
    constants: Vec<u64>,
    tables: Vec<u64>,
}

/// Compiles a function; returns the offsets of its blocks.
pub(super) fn compile(
    module: &Module<'_>,
    func: FuncId,
    compiler: &mut Compiler<'static>,
) -> Result<Offsets<'static>, Refusal> {
    compiler.compile(module, func).map_err(|error| {
        let name = name_of(module, module.item(module.func(func).item).name);
        Refusal::from(error).about(&format!("{name} cannot be compiled"))
    })
}

impl Writer {
    /// Compiles a function and adds its code to a section.
    pub(super) fn add_function(
        &mut self,
        scope: &mut Scope<'_, '_>,
        func: FuncId,
        section: SectionId,
        compiler: &mut Compiler<'static>,
    ) -> Result<(), Refusal> {
        let offsets = compile(scope.module, func, compiler)?;
        Ok(self.add_compiled(scope, func, section, (compiler, &offsets))?)
    }

    /// Adds the code of a function to a section, as the compiler left it.
    pub(super) fn add_compiled(
        &mut self,
        scope: &mut Scope<'_, '_>,
        func: FuncId,
        section: SectionId,
        (compiler, offsets): (&Compiler<'static>, &Offsets<'static>),
    ) -> Result<()> {
        let item = scope.module.func(func).item;
        let (function, code) = (&compiler.function, &compiler.output.code);
        if !code.relocations.is_empty() {
            return Err("code with addresses cannot be in an object".into());
        }
        let start = self.append_code(section, &code.bytes, code.align);
        self.object.append_section_data(section, self.elf.behind, 1);
        if let Some(symbol) = scope.items[item.index()] {
            let size = (code.bytes.len() + self.elf.behind.len()) as u64;
            (self.object).set_symbol_data(symbol, section, start, size);
            if code.fixups.iter().any(|fixup| self.is_linkers(fixup.kind)) {
                self.set_other(symbol);
            }
        }
        let base = SymbolOffset {
            symbol: self.object.section_symbol(section),
            addend: start as i64,
        };
        self.add_unwinding(compiler, offsets, base, code.len());
        self.add_lines(scope, func, compiler, base);
        let pools = self.add_pools(function, offsets, base)?;
        for fixup in &code.fixups {
            let to = match fixup.target {
                FixupTarget::Block(_) if !self.is_linkers(fixup.kind) => continue,
                FixupTarget::Block(_) => base,
                FixupTarget::Constant(id) => self.constant(pools.constants[id.index()]),
                FixupTarget::Table(id) => self.constant(pools.tables[id.index()]),
                FixupTarget::Symbol(id) => self.place_of(scope, function.symbol(id))?,
            };
            self.pending.push(Pending {
                section,
                at: start + u64::from(fixup.at),
                kind: fixup.kind,
                to,
            });
        }
        self.fill_label_references(scope, func, compiler, offsets, base)
    }

    /// True if a fixup of this kind refers to a symbol that the linker defines, whatever its target
    /// is.
    fn is_linkers(&self, kind: FixupKind) -> bool {
        let relocations = (self.elf.relocations)(kind);
        (relocations.iter()).any(|relocation| matches!(relocation.to, ElfReference::Linker(_)))
    }

    /// Sets the target's `st_other` in the symbol of a function.
    fn set_other(&mut self, symbol: SymbolId) {
        if self.elf.function_other == 0 {
            return;
        }
        let symbol = self.object.symbol_mut(symbol);
        let binding = if symbol.is_local() {
            object::elf::STB_LOCAL
        } else if symbol.weak {
            object::elf::STB_WEAK
        } else {
            object::elf::STB_GLOBAL
        };
        symbol.flags = SymbolFlags::Elf {
            st_info: binding << 4 | object::elf::STT_FUNC,
            st_other: self.elf.function_other,
        };
    }

    fn constant(&mut self, at: u64) -> SymbolOffset {
        SymbolOffset {
            symbol: self.object.section_symbol(self.constants),
            addend: at as i64,
        }
    }

    /// Adds the constants and jump tables of a function whose code starts at `base`.
    fn add_pools(
        &mut self,
        function: &Function<'_>,
        offsets: &Offsets<'_>,
        base: SymbolOffset,
    ) -> Result<Pools> {
        let mut pools = Pools {
            constants: Vec::new(),
            tables: Vec::new(),
        };
        for (_, constant) in function.constants.iter() {
            let len = usize::from(constant.len);
            let bytes = &constant.bytes[..len];
            let at = (self.object).append_section_data(self.constants, bytes, len as u64);
            pools.constants.push(at);
        }
        for table in function.table_ids() {
            let blocks = function.table(table);
            let bytes = vec![0; 4 * blocks.len()];
            let start = (self.object).append_section_data(self.constants, &bytes, 4);
            pools.tables.push(start);
            for (number, block) in blocks.iter().enumerate() {
                // The distance is from the start of the table, while the relocation counts from its
                // own place.
                let behind = 4 * number as u64;
                let offset = i64::from(offsets.blocks[block.index()]) + behind as i64;
                let (at, kind) = (start + behind, self.elf.distance);
                self.relocate(self.constants, at, kind, base, offset)?;
            }
        }
        Ok(pools)
    }

    /// Fills in the data that hold label addresses of a function.
    fn fill_label_references(
        &mut self,
        scope: &Scope<'_, '_>,
        func: FuncId,
        compiler: &Compiler<'_>,
        offsets: &Offsets<'_>,
        base: SymbolOffset,
    ) -> Result<()> {
        let module = scope.module;
        let mut items: Vec<_> = module.lrefs(func).collect();
        items.sort_unstable();
        let place = |label| {
            let block = compiler.output.labels.block(label);
            block.map_or(0, |block| i64::from(offsets.blocks[block.index()]))
        };
        for id in items {
            let ItemKind::Lref {
                label,
                label2,
                disp,
            } = module.item(id).kind
            else {
                continue;
            };
            let Some(&at) = scope.places.get(&id) else {
                continue;
            };
            match label2 {
                None => {
                    let addend = place(label).wrapping_add(disp);
                    self.relocate(self.data, at, self.elf.address, base, addend)?;
                }
                Some(label2) => {
                    let value = (place(label) - place(label2)).wrapping_add(disp);
                    let bytes = if self.isa.target().big_endian {
                        value.to_be_bytes()
                    } else {
                        value.to_le_bytes()
                    };
                    let at = at as usize;
                    let data = self.object.section_mut(self.data).data_mut();
                    data[at..at + 8].copy_from_slice(&bytes);
                }
            }
        }
        Ok(())
    }

    /// Adds a relocation.
    pub(super) fn relocate(
        &mut self,
        section: SectionId,
        at: u64,
        number: u32,
        to: SymbolOffset,
        addend: i64,
    ) -> Result<()> {
        let relocation = Relocation {
            offset: at,
            symbol: to.symbol,
            addend: to.addend.wrapping_add(addend),
            flags: RelocationFlags::Elf { r_type: number },
        };
        let added = self.object.add_relocation(section, relocation);
        added.map_err(|error| error.to_string())
    }

    /// Resolves references to local symbols of the same section, and leaves the others to the
    /// linker.
    pub(super) fn place_pending(&mut self) -> Result<()> {
        for pending in core::mem::take(&mut self.pending) {
            let Pending {
                section,
                at,
                kind,
                to,
            } = pending;
            let relocations = (self.elf.relocations)(kind);
            if relocations.is_empty() {
                return Err(format!("no relocation for {kind:?}"));
            }
            let symbol = self.object.symbol(to.symbol);
            let is_here = symbol.section == SymbolSection::Section(section)
                && symbol.is_local()
                && !has_two_entries(symbol);
            let target = symbol.value as i64 + to.addend;
            if is_here && !relocations.iter().any(|relocation| relocation.always) {
                let bytes = &mut self.object.section_mut(section).data_mut()[at as usize..];
                let place = u32::try_from(at).map_err(|_| "the code is too large")?;
                if !self.isa.patch(bytes, kind, place, target) {
                    return Err("the code is too large".into());
                }
                continue;
            }
            for relocation in relocations {
                let at_place = at + u64::from(relocation.behind);
                let to = match relocation.to {
                    ElfReference::Target => to,
                    ElfReference::Place => self.label(section, at),
                    ElfReference::Linker(name) => SymbolOffset {
                        symbol: self.global(name.as_bytes()),
                        addend: 0,
                    },
                    ElfReference::Nothing => SymbolOffset {
                        addend: 0,
                        ..self.label(section, at)
                    },
                };
                let (number, addend) = (relocation.number, relocation.addend);
                self.relocate(section, at_place, number, to, addend)?;
            }
        }
        Ok(())
    }

    /// Returns a new local symbol at a place in a section.
    pub(super) fn label(&mut self, section: SectionId, at: u64) -> SymbolOffset {
        let mut label =
            super::symbols::new_symbol(b".L", SymbolKind::Label, SymbolScope::Compilation);
        label.section = SymbolSection::Section(section);
        label.value = at;
        SymbolOffset {
            symbol: self.object.add_symbol(label),
            addend: 0,
        }
    }
}

/// True if calls within the object enter at another place than the symbol's (the local entry of
/// ppc64le).
fn has_two_entries(symbol: &Symbol) -> bool {
    matches!(symbol.flags, SymbolFlags::Elf { st_other, .. } if st_other != 0)
}
