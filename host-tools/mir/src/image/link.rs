//! The linker of images: puts the sections of objects together and fills in their relocations.
//!
//! Code and constants are one block, the program's memory another one at a fixed distance, so what
//! code says of either is a distance that is known here. Addresses count from the start of the
//! code. Words of memory with addresses are left to the loader ([`Fixup`]).

use super::relocations::{self, Base, Field, Kind, Way, fill};
use super::{Confined, stubs};
use crate::object::support::{FUEL_WORD, STACK_WORD, WINDOWS, WINDOWS_DISTANCE};
use mir_image::{Machine, Place, Word};
use object::read::elf::ElfFile64;
use object::{
    Object, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget, SectionIndex,
    SymbolFlags, SymbolIndex,
};
use std::collections::{BTreeMap, HashMap};

pub(super) type Result<T, E = String> = core::result::Result<T, E>;

/// The alignment of the program's memory and of parts of it.
const ALIGN: i64 = 16;

/// The bytes of the words before the memory of a confined program.
const WORDS_BYTES: i64 = mir_nostd::confined::WORDS_BYTES;

/// The bytes of an address.
const WORD: i64 = 8;

/// The distance of the TOC pointer from the start of the program's memory.
const TOC: i64 = 0x8000;

/// An object.
type File<'a> = ElfFile64<'a, object::Endianness>;

/// The blocks that sections are put into, in their order: the first three are code, the others
/// memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Part {
    Text,
    Routines,
    Constants,
    Data,
    Zeros,
}

/// A section of an object.
#[derive(Clone, Copy, Debug)]
struct Piece {
    object: usize,
    section: SectionIndex,
    part: Part,
    /// Its offset in the code or in the program's memory.
    at: i64,
    size: i64,
    align: i64,
}

/// A symbol that is defined: its object and its number there.
type Definition = (usize, SymbolIndex);

/// The meaning of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meaning {
    Code(i64),
    Ram(i64),
    Import(usize),
    Toc,
}

/// A word of memory to which the loader adds an address; the word has the rest already.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Fixup {
    /// Its offset in the program's memory.
    pub(super) at: u32,
    /// The address: 0 the code's, 1 the memory's, others that of an import, counted from 2 on.
    pub(super) to: u32,
}

/// A symbol from outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Imported {
    pub(super) name: Vec<u8>,
    /// The symbol, which has the signature.
    pub(super) symbol: Vec<u8>,
    pub(super) kind: ImportKind,
}

/// The third number of an import's entry in the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub(super) enum ImportKind {
    Needed,
    Optional,
    /// A routine of the code's own, in an image of a confined program.
    Routine,
}

/// An export: its symbol and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Exported {
    pub(super) symbol: Vec<u8>,
    pub(super) place: Place,
}

/// The contents of an image.
#[derive(Debug)]
pub(super) struct Linked {
    pub(super) code: Vec<u8>,
    pub(super) code_align: u32,
    /// The data that are copied to the program's memory after the words of imports.
    pub(super) data: Vec<u8>,
    pub(super) ram_size: u32,
    pub(super) imports: Vec<Imported>,
    /// Exports by name.
    pub(super) exports: BTreeMap<Vec<u8>, Exported>,
    pub(super) fixups: Vec<Fixup>,
    /// Functions to call before and after all others.
    pub(super) initialisers: Vec<u32>,
    pub(super) finalisers: Vec<u32>,
    /// The offset in the program's memory of that which it is confined to; 0 if it is not.
    pub(super) memory: u32,
    /// The offset there of the table of functions of a confined program, and its rows.
    pub(super) functions: [u32; 2],
}

/// The linker at work.
pub(super) struct Linker<'a> {
    machine: Machine,
    confined: Option<&'a Confined>,
    files: Vec<File<'a>>,
    pieces: Vec<Piece>,
    /// The places of sections, by object and section.
    places: HashMap<(usize, SectionIndex), Meaning>,
    /// The exported symbols by name.
    globals: BTreeMap<Vec<u8>, Definition>,
    imports: Vec<Imported>,
    import_numbers: HashMap<Vec<u8>, usize>,
    /// The offsets of the stubs of imports in the code.
    stubs: BTreeMap<usize, i64>,
    /// The symbols of the program's own whose addresses are in words of its memory.
    slots: Vec<Definition>,
    slot_numbers: HashMap<Definition, usize>,
    code_size: i64,
    data_size: i64,
    ram_size: i64,
    /// The distance from the code to the program's memory.
    distance: i64,
}

/// A relocation that was looked up.
#[derive(Clone, Copy, Debug)]
struct Reference {
    kind: Kind,
    to: Meaning,
    /// The symbol, if the image defines it.
    symbol: Option<Definition>,
    addend: i64,
    /// The distance from the symbol to the entry for calls within the image.
    local_entry: i64,
}

fn align(at: i64, to: i64) -> i64 {
    (at + to - 1) / to * to
}

fn said(error: object::Error) -> String {
    error.to_string()
}

impl<'a> Linker<'a> {
    /// Reads objects and decides where everything goes.
    pub(super) fn new(
        machine: Machine,
        objects: &'a [Vec<u8>],
        confined: Option<&'a Confined>,
    ) -> Result<Linker<'a>> {
        let files = objects.iter().map(|object| File::parse(&object[..]));
        let mut linker = Linker {
            machine,
            confined,
            files: files.collect::<Result<_, _>>().map_err(said)?,
            pieces: Vec::new(),
            places: HashMap::new(),
            globals: BTreeMap::new(),
            imports: Vec::new(),
            import_numbers: HashMap::new(),
            stubs: BTreeMap::new(),
            slots: Vec::new(),
            slot_numbers: HashMap::new(),
            code_size: 0,
            data_size: 0,
            ram_size: 0,
            distance: 0,
        };
        linker.find_pieces()?;
        linker.find_symbols()?;
        linker.lay_out_code()?;
        linker.find_slots()?;
        linker.lay_out_ram();
        Ok(linker)
    }

    fn find_pieces(&mut self) -> Result<()> {
        for (object, file) in self.files.iter().enumerate() {
            for section in file.sections() {
                let part = match section.name().map_err(said)? {
                    ".text" => Part::Text,
                    ".text.mir" => Part::Routines,
                    ".rodata" => Part::Constants,
                    ".data" => Part::Data,
                    ".bss" => Part::Zeros,
                    _ => continue,
                };
                self.pieces.push(Piece {
                    object,
                    section: section.index(),
                    part,
                    at: 0,
                    align: i64::try_from(section.align()).map_or(ALIGN, |align| align.max(ALIGN)),
                    size: i64::try_from(section.size()).map_err(|_| "a section is too large")?,
                });
            }
        }
        self.pieces.sort_by_key(|piece| piece.part);
        Ok(())
    }

    fn find_symbols(&mut self) -> Result<()> {
        for (object, file) in self.files.iter().enumerate() {
            for symbol in file.symbols().filter(|symbol| symbol.is_global()) {
                let name = symbol.name_bytes().map_err(said)?;
                let defined = (object, symbol.index());
                let is_new =
                    symbol.is_undefined() || self.globals.insert(name.to_vec(), defined).is_none();
                if !is_new {
                    let name = String::from_utf8_lossy(name);
                    return Err(format!("{name} is exported by two of the programs"));
                }
            }
        }
        let mut wanted = BTreeMap::new();
        for file in &self.files {
            for symbol in file.symbols().filter(|symbol| symbol.is_undefined()) {
                let name = symbol.name_bytes().map_err(said)?;
                if !name.is_empty() && name != b".TOC." && !self.globals.contains_key(name) {
                    *wanted.entry(name.to_vec()).or_insert(true) &= symbol.is_weak();
                }
            }
        }
        for (name, is_optional) in wanted {
            self.import_numbers.insert(name.clone(), self.imports.len());
            let imported = match (self.confined, name.strip_prefix(b":")) {
                (Some(_), Some(program)) => (program, ImportKind::Needed),
                (Some(_), None) => (&name[..], ImportKind::Routine),
                (None, _) if is_optional => (&name[..], ImportKind::Optional),
                (None, _) => (&name[..], ImportKind::Needed),
            };
            self.imports.push(Imported {
                name: imported.0.to_vec(),
                kind: imported.1,
                symbol: name,
            });
        }
        Ok(())
    }

    /// Decides where code, constants and stubs lie.
    fn lay_out_code(&mut self) -> Result<()> {
        let mut at = 0;
        for number in 0..self.pieces.len() {
            if self.pieces[number].part <= Part::Constants {
                at = self.put(number, at, Meaning::Code);
            }
        }
        self.code_size = self.lay_out_stubs(at)?;
        Ok(())
    }

    /// Gives a piece its place at or after an offset; returns the offset of its end.
    fn put(&mut self, number: usize, at: i64, meaning: fn(i64) -> Meaning) -> i64 {
        let piece = &mut self.pieces[number];
        piece.at = align(at, piece.align);
        (self.places).insert((piece.object, piece.section), meaning(piece.at));
        piece.at + piece.size
    }

    /// Decides where the stubs of the imports lie that are called.
    fn lay_out_stubs(&mut self, at: i64) -> Result<i64> {
        let mut called = BTreeMap::new();
        self.each_reference(&mut |_, _, reference| {
            if let (Way::Call, Meaning::Import(number)) = (reference.kind.way, reference.to) {
                called.insert(number, 0);
            }
        })?;
        let mut at = align(at, ALIGN);
        for place in called.values_mut() {
            *place = at;
            at += stubs::size(self.machine);
        }
        self.stubs = called;
        Ok(at)
    }

    /// Finds the symbols whose addresses code looks up in memory.
    fn find_slots(&mut self) -> Result<()> {
        let mut wanted = Vec::new();
        self.each_reference(&mut |_, _, reference| {
            if reference.kind.way == Way::Slot {
                wanted.extend(reference.symbol);
            }
        })?;
        for symbol in wanted {
            if !self.slot_numbers.contains_key(&symbol) {
                self.slot_numbers.insert(symbol, self.slots.len());
                self.slots.push(symbol);
            }
        }
        Ok(())
    }

    /// Returns the offset after the words with addresses in the program's memory.
    fn first_data(&self) -> i64 {
        WORD * (self.imports.len() + self.slots.len()) as i64
    }

    /// Returns the offset of the memory that a confined program is confined to, if it is at the end
    /// of all, after its words and those of the limits.
    fn memory(&self) -> Option<i64> {
        let place = |name: &str| self.place_in_ram(name.as_bytes());
        let memory = place("mir_memory")?;
        let words = [
            (FUEL_WORD, Word::Fuel.distance() as i64),
            (STACK_WORD, Word::StackLimit.distance() as i64),
            ("mir_words", WORDS_BYTES),
        ];
        let windows = { self.confined }
            .filter(|confined| confined.windows)
            .map(|_| (WINDOWS, WINDOWS_DISTANCE as i64));
        let is_before = |(name, distance)| place(name) == Some(memory - distance);
        let mut all = words.into_iter().chain(windows);
        all.all(is_before).then_some(memory)
    }

    /// Returns the offset of an exported symbol in the program's memory, if it lies there.
    fn place_in_ram(&self, name: &[u8]) -> Option<i64> {
        match self.meaning(*self.globals.get(name)?) {
            Ok(Meaning::Ram(at)) => Some(at),
            _ => None,
        }
    }

    /// Decides where data lie.
    fn lay_out_ram(&mut self) {
        let mut at = self.first_data();
        self.data_size = WORD * self.slots.len() as i64;
        for number in 0..self.pieces.len() {
            let part = self.pieces[number].part;
            if part < Part::Data {
                continue;
            }
            at = self.put(number, at, Meaning::Ram);
            if part == Part::Data {
                self.data_size = at - WORD * self.imports.len() as i64;
            }
        }
        if let Some(confined) = self.confined {
            // The memory comes last, and what is in it at first is copied with the data.
            let start = self.memory().map_or(at, |memory| memory - WORDS_BYTES);
            let end = start + confined.contents.len() as i64;
            self.data_size = end - WORD * self.imports.len() as i64;
        }
        self.ram_size = match self.confined {
            // The rest of the memory is the program's own, to the byte.
            Some(_) => at,
            None => align(at, ALIGN),
        };
    }

    /// Calls a function for each relocation of the sections that are kept, with the piece and the
    /// offset in it.
    fn each_reference(&self, call: &mut dyn FnMut(&Piece, i64, Reference)) -> Result<()> {
        for piece in &self.pieces {
            let section = self.files[piece.object].section_by_index(piece.section);
            for (at, relocation) in section.map_err(said)?.relocations() {
                let RelocationFlags::Elf { r_type } = relocation.flags() else {
                    return Err("a relocation is none of ELF's".into());
                };
                let RelocationTarget::Symbol(symbol) = relocation.target() else {
                    continue;
                };
                let kind = relocations::of(self.machine, r_type);
                let kind = kind.ok_or_else(|| format!("no relocation {r_type} in images"))?;
                let reference = self.reference(kind, (piece.object, symbol), relocation.addend());
                call(piece, at as i64, reference?);
            }
        }
        Ok(())
    }

    /// Looks up the symbol of a relocation.
    fn reference(&self, kind: Kind, symbol: Definition, addend: i64) -> Result<Reference> {
        let (object, index) = symbol;
        let found = self.files[object].symbol_by_index(index).map_err(said)?;
        let mut reference = Reference {
            kind,
            to: Meaning::Toc,
            symbol: None,
            addend,
            local_entry: 0,
        };
        let mut definition = symbol;
        if found.is_undefined() {
            let name = found.name_bytes().map_err(said)?;
            if name == b".TOC." {
                return Ok(reference);
            }
            if let Some(&number) = self.import_numbers.get(name) {
                reference.to = Meaning::Import(number);
                return Ok(reference);
            }
            definition = *self.globals.get(name).ok_or("a symbol is not defined")?;
        }
        reference.symbol = Some(definition);
        reference.to = self.meaning(definition)?;
        if let SymbolFlags::Elf { st_other, .. } = self.symbol_flags(definition)? {
            reference.local_entry = if st_other >> 5 == 3 { 8 } else { 0 };
        }
        Ok(reference)
    }

    fn symbol_flags(
        &self,
        (object, index): Definition,
    ) -> Result<SymbolFlags<SectionIndex, SymbolIndex>> {
        let symbol = self.files[object].symbol_by_index(index).map_err(said)?;
        Ok(symbol.flags())
    }

    /// Returns the place of a symbol; before memory is laid out that of its code or of nothing.
    fn meaning(&self, (object, index): Definition) -> Result<Meaning> {
        let symbol = self.files[object].symbol_by_index(index).map_err(said)?;
        let section = symbol.section_index().ok_or("a symbol is in no section")?;
        let offset = symbol.address() as i64;
        match self.places.get(&(object, section)) {
            Some(Meaning::Code(at)) => Ok(Meaning::Code(at + offset)),
            Some(Meaning::Ram(at)) => Ok(Meaning::Ram(at + offset)),
            _ if self
                .pieces
                .iter()
                .any(|piece| (piece.object, piece.section) == (object, section)) =>
            {
                Ok(Meaning::Ram(0))
            }
            _ => {
                let name = String::from_utf8_lossy(symbol.name_bytes().map_err(said)?);
                Err(format!("{name} is in a section that images do not have"))
            }
        }
    }
}

impl Linker<'_> {
    /// Returns the address of a place, counted from the start of the code.
    fn address(&self, meaning: Meaning) -> Option<i64> {
        match meaning {
            Meaning::Code(at) => Some(at),
            Meaning::Ram(at) => Some(self.distance + at),
            Meaning::Toc => Some(self.toc()),
            Meaning::Import(_) => None,
        }
    }

    fn toc(&self) -> i64 {
        self.distance + TOC
    }

    /// Returns the address of the word that has the address of what a reference is to.
    fn slot(&self, reference: &Reference) -> Option<i64> {
        let number = match (reference.to, reference.symbol) {
            (Meaning::Import(number), _) => number,
            (_, Some(symbol)) => self.imports.len() + self.slot_numbers.get(&symbol)?,
            _ => return None,
        };
        Some(self.distance + WORD * number as i64)
    }

    /// Returns the address that a reference means, and whether it is that of a stub.
    fn target(&self, reference: &Reference) -> Option<(i64, bool)> {
        match (reference.kind.way, reference.to) {
            (Way::Slot, _) => Some((self.slot(reference)?, false)),
            (Way::Call, Meaning::Import(number)) => Some((*self.stubs.get(&number)?, true)),
            (Way::Call, to) => Some((self.address(to)? + reference.local_entry, false)),
            (Way::Address, to) => Some((self.address(to)?, false)),
        }
    }

    /// Puts everything together, with the program's memory at a distance from the code.
    pub(super) fn link(&mut self, distance: i64) -> Result<Linked> {
        self.distance = distance;
        let mut code = self.gathered(Meaning::Code(0), self.code_size)?;
        let mut ram = self.gathered(
            Meaning::Ram(0),
            WORD * self.imports.len() as i64 + self.data_size,
        )?;
        for (&number, &at) in &self.stubs {
            let word = distance + WORD * number as i64;
            let stub = stubs::stub(self.machine, at, word, self.toc());
            let stub = stub.ok_or_else(out_of_reach)?;
            let at = at as usize;
            code[at..at + stub.len()].copy_from_slice(&stub);
        }
        let mut fixups = Vec::new();
        for (number, &symbol) in self.slots.iter().enumerate() {
            let at = WORD * (self.imports.len() + number) as i64;
            fixups.push(self.fix(&mut ram, at, self.meaning(symbol)?, 0)?);
        }
        self.fill_in(&mut code, &mut ram, &mut fixups)?;
        let (mut memory, mut functions) = (0, [0; 2]);
        if let Some(confined) = self.confined {
            let table = self.place_in_ram(mir_nostd::confined::TABLE);
            let table = table.ok_or("there is no table of functions")?;
            let table = u32::try_from(table).map_err(|_| "the memory is too large")?;
            functions = [table, confined.functions];
            memory = self.memory().ok_or("the memory is not at the end")?;
            let start = (memory - WORDS_BYTES) as usize;
            ram[start..start + confined.contents.len()].copy_from_slice(&confined.contents);
        }
        fixups.sort_unstable();
        Ok(Linked {
            code,
            code_align: u32::try_from(self.code_align()).map_err(|_| "the code is too large")?,
            data: ram.split_off(self.imports.len() * WORD as usize),
            ram_size: u32::try_from(self.ram_size).map_err(|_| "the memory is too large")?,
            exports: self.exports()?,
            fixups,
            initialisers: self.list(".init_array")?,
            finalisers: {
                let mut list = self.list(".fini_array")?;
                list.reverse();
                list
            },
            imports: self.imports.clone(),
            memory: u32::try_from(memory).map_err(|_| "the memory is too large")?,
            functions,
        })
    }

    /// Returns the alignment of the program's memory.
    pub(super) fn ram_align(&self) -> i64 {
        let pieces = { self.pieces.iter() }.filter(|piece| piece.part > Part::Constants);
        pieces.map(|piece| piece.align).max().unwrap_or(ALIGN)
    }

    /// Returns the alignment that the code relies on, and its memory, which lies at a distance.
    fn code_align(&self) -> i64 {
        let most = { self.pieces.iter() }.map(|piece| piece.align).max();
        let most = most.unwrap_or(ALIGN);
        match self.machine {
            // Instructions name pages of this size.
            Machine::Aarch64 => most.max(4096),
            _ => most,
        }
    }

    /// Returns the bytes of all pieces of code, or of all data.
    fn gathered(&self, kind: Meaning, size: i64) -> Result<Vec<u8>> {
        let mut bytes = vec![0; usize::try_from(size).map_err(|_| "the program is too large")?];
        for piece in &self.pieces {
            let is_code = piece.part <= Part::Constants;
            if piece.part == Part::Zeros || is_code != matches!(kind, Meaning::Code(_)) {
                continue;
            }
            let section = self.files[piece.object].section_by_index(piece.section);
            let data = section.map_err(said)?.data().map_err(said)?;
            let at = piece.at as usize;
            bytes[at..at + data.len()].copy_from_slice(data);
        }
        Ok(bytes)
    }

    /// Fills in all relocations.
    fn fill_in(&self, code: &mut [u8], ram: &mut [u8], fixups: &mut Vec<Fixup>) -> Result<()> {
        let mut done = Ok(());
        // The distances of high parts, by place: low parts refer to them.
        let mut highs = HashMap::new();
        self.each_reference(&mut |piece, offset, reference| {
            let at = piece.at + offset;
            let one = match piece.part {
                Part::Data => {
                    (self.fix_reference(ram, at, &reference)).map(|fixup| fixups.push(fixup))
                }
                Part::Zeros => Err("zeros have an address".into()),
                _ => self.fill_code(code, at, &reference, &mut highs),
            };
            if done.is_ok() {
                done = one;
            }
        })?;
        done
    }

    /// Fills in a place of the code.
    fn fill_code(
        &self,
        code: &mut [u8],
        at: i64,
        reference: &Reference,
        highs: &mut HashMap<i64, i64>,
    ) -> Result<()> {
        let Kind { base, field, .. } = reference.kind;
        let (target, is_stub) = self.target(reference).ok_or_else(out_of_reach)?;
        let value = match (base, field) {
            (_, Field::Low12) => *highs.get(&target).ok_or("a low part has no high part")?,
            (Base::Place, _) => target + reference.addend - at,
            (Base::Toc, _) => target + reference.addend - self.toc(),
            (Base::Zero, _) => target + reference.addend,
        };
        if field == Field::High20 {
            highs.insert(at, value);
        }
        let bytes = code.get_mut(at as usize..).ok_or_else(out_of_reach)?;
        fill(self.machine, field, bytes, value, at).ok_or_else(out_of_reach)?;
        if is_stub && self.machine == Machine::Ppc64le {
            stubs::restore_toc(bytes)
                .ok_or("a call of an import cannot restore the TOC pointer")?;
        }
        Ok(())
    }

    fn fix_reference(&self, ram: &mut [u8], at: i64, reference: &Reference) -> Result<Fixup> {
        match reference.kind.field {
            Field::Word => self.fix(ram, at, reference.to, reference.addend),
            _ => Err("data have more than addresses".into()),
        }
    }

    /// Leaves a word of memory to the loader; `addend` is what is in it already.
    fn fix(&self, ram: &mut [u8], at: i64, to: Meaning, addend: i64) -> Result<Fixup> {
        let (to, word) = match to {
            Meaning::Code(offset) => (0, offset + addend),
            Meaning::Ram(offset) => (1, offset + addend),
            Meaning::Import(number) => (2 + number as u32, addend),
            Meaning::Toc => return Err("data have the TOC pointer".into()),
        };
        let place = ram
            .get_mut(at as usize..)
            .and_then(|place| place.first_chunk_mut::<8>());
        *place.ok_or("an address lies outside of data")? = match self.machine.is_big_endian() {
            true => word.to_be_bytes(),
            false => word.to_le_bytes(),
        };
        let at = u32::try_from(at).map_err(|_| "the memory is too large")?;
        Ok(Fixup { at, to })
    }

    /// Returns what is exported, by name: of a confined program functions alone.
    fn exports(&self) -> Result<BTreeMap<Vec<u8>, Exported>> {
        let number = |at: i64| u32::try_from(at).map_err(|_| "the program is too large");
        let named = self.globals.iter().filter_map(|(symbol, &definition)| {
            let name = match self.confined {
                Some(confined) => confined.exports.get(symbol)?,
                None => symbol,
            };
            Some((name.clone(), symbol.clone(), definition))
        });
        let exports = named.map(|(name, symbol, definition)| {
            let place = match self.meaning(definition)? {
                Meaning::Code(at) => Place::Code(number(at)?),
                Meaning::Ram(at) => Place::Ram(number(at)?),
                Meaning::Import(_) | Meaning::Toc => return Err("an export is no place".into()),
            };
            Ok((name, Exported { symbol, place }))
        });
        exports.collect()
    }

    /// Returns the offsets of the functions in the sections of a list: those with a priority in its
    /// order first, as linkers do.
    fn list(&self, name: &str) -> Result<Vec<u32>> {
        let mut lists = Vec::new();
        for (object, file) in self.files.iter().enumerate() {
            for section in file.sections() {
                let rest = section.name().map_err(said)?.strip_prefix(name);
                let Some(rest) = rest.map(str::to_owned) else {
                    continue;
                };
                // Without a priority comes after every number.
                lists.push((rest.is_empty(), rest, object, section.index()));
            }
        }
        lists.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
        let mut functions = Vec::new();
        for (_, _, object, index) in lists {
            let section = self.files[object].section_by_index(index).map_err(said)?;
            let mut entries = BTreeMap::new();
            for (at, relocation) in section.relocations() {
                let RelocationTarget::Symbol(symbol) = relocation.target() else {
                    continue;
                };
                let kind = Kind {
                    way: Way::Address,
                    base: Base::Zero,
                    field: Field::Word,
                };
                let reference = self.reference(kind, (object, symbol), relocation.addend())?;
                let Meaning::Code(function) = reference.to else {
                    return Err(format!("{name} has a function from outside"));
                };
                entries.insert(at, (function + reference.addend) as u32);
            }
            functions.extend(entries.into_values());
        }
        Ok(functions)
    }
}

fn out_of_reach() -> String {
    "the program's memory is out of reach of its code: another --distance is needed".into()
}
