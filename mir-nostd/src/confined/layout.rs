//! The places of a module's data, functions and labels in its program.

use super::linkage::{Definition, Linkage, Row, Source, handle};
use super::{FIRST_ADDRESS, FIRST_LABEL, HANDLE_STEP};
use crate::ir::{
    Alignments, Error, FuncId, Item, ItemId, ItemKind, Label, Module, Operand, Place, Problem,
    Result, Str, Type,
};
use crate::mem::{Entity, Vec};

/// The role of a module in its program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Own,
    Library,
}

/// A module of a program with the places of what it consists of.
pub(super) struct Placed<'m> {
    pub(super) module: Module<'m>,
    pub(super) role: Role,
    /// The address of each item with memory in the program; 0 for others.
    items: Vec<'m, u64>,
    /// The address of each string that is an operand; 0 for others.
    strings: Vec<'m, u64>,
    /// The number of the module's first function in the program.
    first_function: u32,
    /// The labels whose addresses are taken, function by function.
    labels: Vec<'m, Label>,
    /// The end in `labels` of each function's.
    label_ends: Vec<'m, u32>,
    /// For each label 1 more than its number in the program; 0 if its address is not taken.
    label_numbers: Vec<'m, u32>,
    /// The number in the program of the first of `labels`.
    first_label: u32,
}

/// The meaning of an item as the value of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// An address of the program.
    Address(u64),
    /// The function of this number.
    Function(u32),
}

impl Meaning {
    /// Returns the value that the program sees.
    pub(super) fn value(self) -> i64 {
        match self {
            Meaning::Address(address) => address.cast_signed(),
            Meaning::Function(number) => handle(number),
        }
    }
}

/// The next free places of a program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Free {
    /// The offset in the memory.
    pub(super) offset: u64,
    /// The offset of the end of what data may take.
    pub(super) end: u64,
    /// The number of labels.
    pub(super) labels: u32,
}

impl Free {
    /// Takes bytes at a multiple of an alignment; returns their address.
    fn take(&mut self, bytes: u64, align: u32) -> Result<u64> {
        let address = FIRST_ADDRESS + self.offset;
        let address = address.checked_next_multiple_of(u64::from(align));
        let end = address
            .and_then(|address| (address - FIRST_ADDRESS).checked_add(bytes))
            .filter(|&end| end <= self.end);
        self.offset = end.ok_or(Problem::ConfinedData)?;
        Ok(address.unwrap_or(0))
    }
}

impl<'m> Placed<'m> {
    /// Places a module's data and labels at what is free.
    pub(super) fn new(
        (module, role): (Module<'m>, Role),
        first_function: u32,
        free: &mut Free,
    ) -> Result<Self> {
        let allocator = module.allocator();
        let mut placed = Placed {
            module,
            role,
            items: Vec::new(allocator),
            strings: Vec::new(allocator),
            first_function,
            labels: Vec::new(allocator),
            label_ends: Vec::new(allocator),
            label_numbers: Vec::new(allocator),
            first_label: free.labels,
        };
        placed.place_data(free)?;
        placed.place_strings(free)?;
        placed.number_labels(free)?;
        Ok(placed)
    }

    fn place_data(&mut self, free: &mut Free) -> Result<()> {
        self.items.resize(self.module.items().len(), 0)?;
        let mut alignments = Alignments::new();
        let mut items = self.module.items().peekable();
        while let Some((first, item)) = items.next() {
            if !item.kind.is_memory() {
                continue;
            }
            let mut size = size_of(&self.module, item);
            let mut parts = Vec::new(self.module.allocator());
            parts.push((first, 0))?;
            while let Some((next, item)) =
                items.next_if(|(_, item)| item.name.is_none() && item.kind.is_memory())
            {
                parts.push((next, size))?;
                size = size.saturating_add(size_of(&self.module, item));
            }
            let align = alignments.of_piece(&self.module, item);
            let start = free.take(size, align);
            let start = start.map_err(|error| at_item(error, first))?;
            for &(item, offset) in &parts {
                self.items[item.index()] = start + offset;
            }
        }
        Ok(())
    }

    fn place_strings(&mut self, free: &mut Free) -> Result<()> {
        let used = self.module.str_operands();
        let Some(last) = used.iter().max() else {
            return Ok(());
        };
        self.strings.resize(last.index() + 1, 0)?;
        for &string in used {
            let place = &mut self.strings[string.index()];
            if *place == 0 {
                let bytes = self.module.str_bytes(string).len().max(1) as u64;
                *place = free.take(bytes, Alignments::USUAL)?;
            }
        }
        Ok(())
    }

    /// Numbers the labels whose addresses instructions or `lref` items take.
    fn number_labels(&mut self, free: &mut Free) -> Result<()> {
        let module = &self.module;
        self.label_numbers.resize(module.label_count(), 0)?;
        for (func, _) in module.funcs() {
            for insn in module.insns(func) {
                if module.code(insn) == crate::ir::Code::Laddr
                    && let Some(Operand::Label(label)) = module.operand(insn, 1)
                {
                    number_label(&mut self.label_numbers, &mut self.labels, free, label)?;
                }
            }
            for item in module.lrefs(func) {
                let ItemKind::Lref { label, label2, .. } = module.item(item).kind else {
                    continue;
                };
                for label in [Some(label), label2].into_iter().flatten() {
                    number_label(&mut self.label_numbers, &mut self.labels, free, label)?;
                }
            }
            self.label_ends.push(self.labels.len() as u32)?;
        }
        Ok(())
    }

    /// Returns the labels of a function whose addresses are taken, and the value of the first;
    /// those of the others follow in steps.
    pub(super) fn labels_of(&self, func: FuncId) -> (&[Label], i64) {
        let before = func.index().checked_sub(1);
        let start = before.map_or(0, |before| self.label_ends[before]);
        let labels = &self.labels[start as usize..self.label_ends[func.index()] as usize];
        (labels, label_value(self.first_label + start))
    }

    /// Returns the value of a label whose address is taken.
    pub(super) fn label(&self, label: Label) -> i64 {
        let number = self.label_numbers.get(label.index()).copied();
        label_value(number.unwrap_or(0).saturating_sub(1))
    }

    /// Returns the address of a string operand.
    pub(super) fn string(&self, string: Str) -> i64 {
        let address = self.strings.get(string.index()).copied();
        address.unwrap_or(0).cast_signed()
    }

    /// Returns the number in the program of a function of the module.
    pub(super) fn function(&self, func: FuncId) -> u32 {
        self.first_function + func.number()
    }

    /// Returns the address of an item with memory.
    pub(super) fn address(&self, item: ItemId) -> u64 {
        self.items.get(item.index()).copied().unwrap_or(0)
    }

    /// Returns the meaning of an item, through declarations and imports.
    ///
    /// # Errors
    ///
    /// Nothing defines it.
    pub(super) fn meaning(&self, linkage: &Linkage<'_>, item: ItemId) -> Result<Meaning> {
        let resolved = self.module.resolve(item);
        let row = self.module.item(resolved);
        match row.kind {
            ItemKind::Func(func) => Ok(Meaning::Function(self.function(func))),
            kind if kind.is_memory() => Ok(Meaning::Address(self.address(resolved))),
            _ => {
                let name = row
                    .name
                    .map_or(&b""[..], |name| self.module.name_bytes(name));
                match linkage.find(name) {
                    Some(Definition::Data(address)) => Ok(Meaning::Address(address)),
                    Some(Definition::Function(number)) => Ok(Meaning::Function(number)),
                    None => Err(at_item(Problem::UnresolvedImport.into(), resolved)),
                }
            }
        }
    }

    /// Enters the module's functions and exports.
    pub(super) fn enter(&self, number: u32, linkage: &mut Linkage<'m>) -> Result<()> {
        for (func, function) in self.module.funcs() {
            let signature = linkage
                .signatures
                .number(&self.module, &function.signature)?;
            let module = number;
            let source = Source::Module { module, func };
            linkage.add(Row { signature, source })?;
        }
        for (_, item) in self.module.items() {
            let (ItemKind::Export, Some(name)) = (item.kind, item.name) else {
                continue;
            };
            let binding = self.module.binding(name);
            let Some(definition) = binding.and_then(|binding| binding.definition) else {
                continue;
            };
            let meaning = match self.module.item(definition).kind {
                ItemKind::Func(func) => Definition::Function(self.function(func)),
                kind if kind.is_memory() => Definition::Data(self.address(definition)),
                _ => continue,
            };
            let is_new = linkage.define(self.module.name_bytes(name), meaning)?;
            // A definition that the program has already comes before a library's.
            if !is_new && self.role == Role::Own {
                return Err(at_item(Problem::RedefinedExport.into(), definition));
            }
        }
        Ok(())
    }

    /// Writes the module's data and strings to the program's memory.
    ///
    /// # Errors
    ///
    /// A `ref` to what nothing defines.
    pub(super) fn fill(
        &self,
        linkage: &Linkage<'_>,
        memory: &mut [u8],
        big_endian: bool,
    ) -> Result<()> {
        for (id, item) in self.module.items() {
            let address = self.address(id);
            let word = match item.kind {
                ItemKind::Data(data) => {
                    let bytes = self.module.data_bytes(&data);
                    write(memory, address, bytes, data.ty, big_endian);
                    continue;
                }
                ItemKind::Bss { len } => {
                    let bytes = place(memory, address, len);
                    bytes.fill(0);
                    continue;
                }
                ItemKind::Ref { item, disp } => {
                    let meaning = self.meaning(linkage, item).map_err(|e| at_item(e, id))?;
                    meaning.value().wrapping_add(disp)
                }
                ItemKind::Lref {
                    label,
                    label2,
                    disp,
                } => {
                    let from = label2.map_or(0, |label| self.label(label));
                    (self.label(label).wrapping_sub(from)).wrapping_add(disp)
                }
                _ => continue,
            };
            write(memory, address, &word.to_le_bytes(), Type::I64, big_endian);
        }
        for (number, &address) in self.strings.iter().enumerate() {
            if address != 0 {
                let bytes = self.module.str_bytes(Str::new(number as u32));
                write(memory, address, bytes, Type::U8, big_endian);
            }
        }
        Ok(())
    }
}

fn number_label(
    numbers: &mut Vec<'_, u32>,
    labels: &mut Vec<'_, Label>,
    free: &mut Free,
    label: Label,
) -> Result<()> {
    if let Some(number) = numbers.get_mut(label.index())
        && *number == 0
    {
        free.labels += 1;
        *number = free.labels;
        labels.push(label)?;
    }
    Ok(())
}

fn label_value(number: u32) -> i64 {
    (FIRST_LABEL + HANDLE_STEP * u64::from(number)).cast_signed()
}

/// Returns an error about an item, unless the error has a place already.
pub(super) fn at_item(error: Error, item: ItemId) -> Error {
    match error.place {
        Place::Unknown => Error::at(error.problem, Place::Item(item)),
        _ => error,
    }
}

/// Returns the bytes that an item takes.
fn size_of(module: &Module<'_>, item: &Item) -> u64 {
    match item.kind {
        ItemKind::Data(data) => module.data_bytes(&data).len() as u64,
        ItemKind::Bss { len } => len,
        ItemKind::Expr { func } => u64::from(expr_type(module, func).size()),
        _ => 8,
    }
}

/// Returns the type of the value of an `expr` item with this function.
pub(super) fn expr_type(module: &Module<'_>, func: ItemId) -> Type {
    let ItemKind::Func(func) = module.item(module.resolve(func)).kind else {
        return Type::I64;
    };
    let results = module.results(&module.func(func).signature);
    results.first().copied().unwrap_or(Type::I64)
}

/// Returns the bytes at an address of the program, as far as they are its own.
fn place(memory: &mut [u8], address: u64, bytes: u64) -> &mut [u8] {
    let start = usize::try_from(address.wrapping_sub(FIRST_ADDRESS)).unwrap_or(usize::MAX);
    let len = usize::try_from(bytes).unwrap_or(usize::MAX);
    let end = start.saturating_add(len).min(memory.len());
    memory.get_mut(start..end).unwrap_or_default()
}

/// Writes elements that are in little-endian order in the program's order.
pub(super) fn write(memory: &mut [u8], address: u64, bytes: &[u8], ty: Type, big_endian: bool) {
    let to = place(memory, address, bytes.len() as u64);
    if to.len() != bytes.len() {
        return;
    }
    to.copy_from_slice(bytes);
    if big_endian {
        let elements = to.chunks_exact_mut(ty.size() as usize);
        elements.for_each(<[u8]>::reverse);
    }
}
