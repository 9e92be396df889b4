//! The symbols of the items of modules in the object.

use super::kept::Kept;
use super::support::{FAULT_HANDLER, FUEL_WORD, STACK_WORD};
use super::{Result, Writer, name_of};
use mir_nostd::codegen::Helper;
use mir_nostd::ir::{FuncId, ItemId, ItemKind, Module, Str};
use mir_nostd::machine::Symbol;
use mir_nostd::mem::Entity;
use object::write::{SymbolId, SymbolSection};
use object::{SymbolFlags, SymbolKind, SymbolScope};
use std::collections::HashMap;

/// A module in the object.
pub(super) struct Scope<'a, 'm> {
    pub(super) module: &'a Module<'m>,
    /// The symbol of each item that has one.
    pub(super) items: Vec<Option<SymbolId>>,
    /// The offsets of strings in `.data`.
    strings: HashMap<Str, u64>,
    /// The offsets of names of functions in `.rodata`.
    names: HashMap<FuncId, u64>,
    /// The offsets in `.data` of the items whose value labels or functions determine.
    pub(super) places: HashMap<ItemId, u64>,
    /// The symbols that a module of runtime routines imports under internal names.
    pub(super) own: HashMap<Vec<u8>, SymbolId>,
}

impl<'a, 'm> Scope<'a, 'm> {
    pub(super) fn new(module: &'a Module<'m>) -> Scope<'a, 'm> {
        Scope {
            module,
            items: vec![None; module.items().len()],
            strings: HashMap::new(),
            names: HashMap::new(),
            places: HashMap::new(),
            own: HashMap::new(),
        }
    }
}

/// A place in the object: a symbol and an offset from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct SymbolOffset {
    pub(super) symbol: SymbolId,
    pub(super) addend: i64,
}

/// Returns a symbol that is not defined yet.
pub(super) fn new_symbol(
    name: &[u8],
    kind: SymbolKind,
    scope: SymbolScope,
) -> object::write::Symbol {
    object::write::Symbol {
        name: name.to_vec(),
        value: 0,
        size: 0,
        kind,
        scope,
        weak: false,
        section: SymbolSection::Undefined,
        flags: SymbolFlags::None,
    }
}

/// The alignment of strings: code of s390x can only address even addresses.
const STRING_ALIGN: u64 = 2;

impl Writer {
    /// Declares a module: adds symbols for all its definitions.
    pub(super) fn declare<'a, 'm>(
        &mut self,
        module: &'a Module<'m>,
        kept: &Kept,
    ) -> Result<Scope<'a, 'm>> {
        let mut scope = Scope::new(module);
        for (id, item) in module.items() {
            let kind = match item.kind {
                ItemKind::Func(func) if kept.has(func) => SymbolKind::Text,
                kind if kind.is_memory() => SymbolKind::Data,
                _ => continue,
            };
            let Some(name) = item.name else { continue };
            let bytes = module.name_bytes(name);
            let exported = module.is_exported(id);
            let visibility = if exported {
                SymbolScope::Dynamic
            } else {
                SymbolScope::Compilation
            };
            let mut symbol = new_symbol(bytes, kind, visibility);
            symbol.weak = exported && self.weak.contains(bytes);
            let symbol = self.object.add_symbol(symbol);
            scope.items[id.index()] = Some(symbol);
            if exported && self.globals.insert(bytes.to_vec(), symbol).is_some() {
                let name = name_of(module, item.name);
                return Err(format!("{name} is exported by two modules of the file"));
            }
        }
        Ok(scope)
    }

    /// Returns the global symbol of this name, undefined unless a module exports it.
    pub(super) fn global(&mut self, name: &[u8]) -> SymbolId {
        if let Some(&known) = self.globals.get(name) {
            return known;
        }
        let mut symbol = new_symbol(name, SymbolKind::Unknown, SymbolScope::Unknown);
        symbol.weak = name == FAULT_HANDLER || self.weak.contains(name);
        let symbol = self.object.add_symbol(symbol);
        self.globals.insert(name.to_vec(), symbol);
        symbol
    }

    /// Returns the symbol of an item that the module defines, or that was referred to before.
    pub(super) fn defined(&self, scope: &Scope<'_, '_>, item: ItemId) -> Option<SymbolId> {
        let item = scope.module.resolve(item);
        scope.items.get(item.index()).copied().flatten()
    }

    /// Returns the place of an item; one that the module does not define becomes an undefined
    /// symbol.
    pub(super) fn item(&mut self, scope: &mut Scope<'_, '_>, item: ItemId) -> Result<SymbolOffset> {
        if let Some(symbol) = self.defined(scope, item) {
            return Ok(SymbolOffset { symbol, addend: 0 });
        }
        let item = scope.module.resolve(item);
        let Some(name) = scope.module.item(item).name else {
            return Err("an item that has no address is referred to".into());
        };
        let name = scope.module.name_bytes(name);
        let own = scope.own.get(name).copied();
        let symbol = own.unwrap_or_else(|| self.global(name));
        scope.items[item.index()] = Some(symbol);
        Ok(SymbolOffset { symbol, addend: 0 })
    }

    /// Returns the place of a symbol of compiled code.
    pub(super) fn place_of(
        &mut self,
        scope: &mut Scope<'_, '_>,
        symbol: Symbol,
    ) -> Result<SymbolOffset> {
        match symbol {
            Symbol::Item(item) | Symbol::Callee(item) => self.item(scope, item),
            Symbol::Str(string) => Ok(self.string(scope, string)),
            Symbol::Callable(func) => Ok(self.name(scope, func)),
            Symbol::Helper(helper) => Ok(SymbolOffset {
                symbol: self.routine(helper.number()),
                addend: 0,
            }),
            Symbol::Runtime => Err("code refers to the runtime".into()),
        }
    }

    /// Returns the place of a string operand: bytes that the program may change.
    fn string(&mut self, scope: &mut Scope<'_, '_>, string: Str) -> SymbolOffset {
        let bytes = scope.module.str_bytes(string);
        let (object, data) = (&mut self.object, self.data);
        let at = *(scope.strings.entry(string)).or_insert_with(|| {
            let bytes = if bytes.is_empty() { &[0] } else { bytes };
            object.append_section_data(data, bytes, STRING_ALIGN)
        });
        SymbolOffset {
            symbol: self.object.section_symbol(data),
            addend: at as i64,
        }
    }

    /// Returns the place of the name of a function, for faults.
    fn name(&mut self, scope: &mut Scope<'_, '_>, func: FuncId) -> SymbolOffset {
        let item = scope.module.func(func).item;
        let mut name = name_of(scope.module, scope.module.item(item).name).into_bytes();
        name.push(0);
        let (object, constants) = (&mut self.object, self.constants);
        let at = *(scope.names.entry(func))
            .or_insert_with(|| object.append_section_data(constants, &name, STRING_ALIGN));
        SymbolOffset {
            symbol: self.object.section_symbol(constants),
            addend: at as i64,
        }
    }

    /// Returns the symbol of a runtime routine that compiled code calls.
    fn routine(&mut self, number: u8) -> SymbolId {
        if usize::from(number) == Helper::CopyBlock as usize {
            return self.global(b"memmove");
        }
        if usize::from(number) == Helper::FuelWord as usize {
            return self.global(FUEL_WORD.as_bytes());
        }
        if usize::from(number) == Helper::StackWord as usize {
            return self.global(STACK_WORD.as_bytes());
        }
        let object = &mut self.object;
        *self.used.entry(number).or_insert_with(|| {
            let name = format!("mir.{}", super::support::name(number));
            let scope = SymbolScope::Compilation;
            object.add_symbol(new_symbol(name.as_bytes(), SymbolKind::Text, scope))
        })
    }
}
