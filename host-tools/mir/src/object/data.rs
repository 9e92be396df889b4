//! The memory of items: sections of the language become ranges of `.data` or `.bss`, lists of
//! functions sections of their own.

use super::symbols::Scope;
use super::{Result, Writer};
use mir_nostd::ir::{Alignments, FunctionList, Item, ItemId, ItemKind, Module, Phase, Problem};
use mir_nostd::mem::Entity;
use object::write::SectionId;
use object::{SectionFlags, SectionKind};

/// Returns the bytes that an item takes in its section.
fn size_of(module: &Module<'_>, item: &Item) -> u64 {
    match item.kind {
        ItemKind::Data(data) => module.data_bytes(&data).len() as u64,
        ItemKind::Bss { len } => len,
        ItemKind::Expr { func } => match module.item(module.resolve(func)).kind {
            ItemKind::Func(func) => {
                let results = module.results(&module.func(func).signature);
                results.first().map_or(8, |ty| u64::from(ty.size()))
            }
            _ => 8,
        },
        _ => 8,
    }
}

/// Returns the list of functions that a section of the language is, if it is one.
fn list_of(module: &Module<'_>, items: &[(ItemId, &Item)]) -> Option<FunctionList> {
    let (_, first) = items.first()?;
    FunctionList::of_name(module.name_bytes(first.name?))
}

impl Writer {
    /// Assigns all items with memory their places, and fills in the data that do not depend on
    /// code.
    pub(super) fn lay_out(&mut self, scope: &mut Scope<'_, '_>) -> Result<()> {
        let module = scope.module;
        let mut alignments = Alignments::new();
        let mut items = module.items().peekable();
        while let Some(first) = items.next() {
            if !first.1.kind.is_memory() {
                continue;
            }
            let mut section = vec![first];
            while let Some(next) =
                items.next_if(|(_, item)| item.name.is_none() && item.kind.is_memory())
            {
                section.push(next);
            }
            let align = alignments.of_piece(module, first.1);
            self.lay_out_section(scope, &section, u64::from(align))?;
        }
        Ok(())
    }

    fn lay_out_section(
        &mut self,
        scope: &mut Scope<'_, '_>,
        items: &[(ItemId, &Item)],
        align: u64,
    ) -> Result<()> {
        let module = scope.module;
        if let Some(list) = list_of(module, items) {
            return self.lay_out_list(scope, list, items);
        }
        let is_zero = |(_, item): &(ItemId, &Item)| matches!(item.kind, ItemKind::Bss { .. });
        if items.iter().all(is_zero) {
            let size = items.iter().map(|(_, item)| size_of(module, item));
            let size = size.fold(0_u64, u64::saturating_add);
            let start = (self.object).append_section_bss(self.bss, size.max(1), align);
            self.place(scope, items, self.bss, start);
            return Ok(());
        }
        let mut bytes = Vec::new();
        for (_, item) in items {
            let start = bytes.len();
            let size = usize::try_from(size_of(module, item)).unwrap_or(usize::MAX);
            let end = start.checked_add(size).filter(|&end| end <= 1 << 32);
            bytes.resize(end.ok_or("data is too large")?, 0);
            if let ItemKind::Data(data) = item.kind {
                bytes[start..].copy_from_slice(module.data_bytes(&data));
                if self.isa.target().big_endian {
                    let size = data.ty.size() as usize;
                    bytes[start..].chunks_mut(size).for_each(<[u8]>::reverse);
                }
            }
        }
        bytes.resize(bytes.len().max(1), 0);
        let start = self.object.append_section_data(self.data, &bytes, align);
        self.place(scope, items, self.data, start);
        self.refer(scope, items, (self.data, start))
    }

    /// Puts addresses of constructors or destructors into the section in which the linker and the C
    /// library look for them.
    fn lay_out_list(
        &mut self,
        scope: &mut Scope<'_, '_>,
        list: FunctionList,
        items: &[(ItemId, &Item)],
    ) -> Result<()> {
        let is_address = |(_, item): &(ItemId, &Item)| match item.kind {
            ItemKind::Ref { item, disp: 0 } => {
                let to = scope.module.item(scope.module.resolve(item)).kind;
                matches!(to, ItemKind::Func(_) | ItemKind::Import)
            }
            _ => false,
        };
        if !items.iter().all(is_address) {
            return Err(format!("{list}: {}", Problem::ListEntry));
        }
        let section = self.list_section(list);
        let bytes = vec![0; 8 * items.len()];
        let start = self.object.append_section_data(section, &bytes, 8);
        self.place(scope, items, section, start);
        self.refer(scope, items, (section, start))
    }

    /// Returns the section of a list, which begins empty.
    pub(super) fn list_section(&mut self, list: FunctionList) -> SectionId {
        let object = &mut self.object;
        *self.lists.entry(list).or_insert_with(|| {
            let kind = match list.phase {
                Phase::Start => object::elf::SHT_INIT_ARRAY,
                Phase::End => object::elf::SHT_FINI_ARRAY,
            };
            let name = list.to_string().into_bytes();
            let section = object.add_section(Vec::new(), name, SectionKind::Elf(kind));
            object.section_mut(section).flags = SectionFlags::Elf {
                sh_flags: u64::from(object::elf::SHF_ALLOC | object::elf::SHF_WRITE),
            };
            section
        })
    }

    /// Defines the symbol of a section of the language.
    fn place(
        &mut self,
        scope: &Scope<'_, '_>,
        items: &[(ItemId, &Item)],
        section: SectionId,
        start: u64,
    ) {
        let Some(&(id, first)) = items.first() else {
            return;
        };
        if let Some(symbol) = scope.items[id.index()] {
            let size = size_of(scope.module, first);
            (self.object).set_symbol_data(symbol, section, start, size);
        }
    }

    /// Adds relocations for the addresses of items, and records the places of labels and
    /// expressions.
    fn refer(
        &mut self,
        scope: &mut Scope<'_, '_>,
        items: &[(ItemId, &Item)],
        (section, start): (SectionId, u64),
    ) -> Result<()> {
        let mut at = start;
        for &(id, item) in items {
            match item.kind {
                ItemKind::Ref { item, disp } => {
                    let to = self.item(scope, item)?;
                    self.relocate(section, at, self.elf.address, to, disp)?;
                }
                ItemKind::Lref { .. } | ItemKind::Expr { .. } => {
                    scope.places.insert(id, at);
                }
                _ => {}
            }
            at += size_of(scope.module, item);
        }
        Ok(())
    }
}
