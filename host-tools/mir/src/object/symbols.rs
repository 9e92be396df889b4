//! Symbols: what the items of modules are called in the object.

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
    /// Where strings are in `.data`.
    strings: HashMap<Str, u64>,
    /// Where names of functions are in `.rodata`.
    names: HashMap<FuncId, u64>,
    /// Where the items are in `.data` that labels or functions give a value.
    pub(super) places: HashMap<ItemId, u64>,
    /// Symbols that the module imports by names of ours.
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

/// Something in the object: a symbol and an offset from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) symbol: SymbolId,
    pub(super) addend: i64,
}

/// A symbol that is not defined yet.
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

impl Writer {
    /// Takes in a module: symbols for all that it defines.
    pub(super) fn declare<'a, 'm>(&mut self, module: &'a Module<'m>) -> Result<Scope<'a, 'm>> {
        let mut scope = Scope::new(module);
        for (id, item) in module.items() {
            let kind = match item.kind {
                ItemKind::Func(_) => SymbolKind::Text,
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
            let symbol = self.object.add_symbol(new_symbol(bytes, kind, visibility));
            scope.items[id.index()] = Some(symbol);
            if exported && self.globals.insert(bytes.to_vec(), symbol).is_some() {
                let name = name_of(&scope, item.name);
                return Err(format!("{name} is exported by two modules of the file"));
            }
        }
        Ok(scope)
    }

    /// Gives the declarations of a module their symbols.
    pub(super) fn bind(&mut self, scope: &mut Scope<'_, '_>) {
        let module = scope.module;
        for (id, item) in module.items() {
            let Some(name) = item.name.filter(|_| item.kind.is_declaration()) else {
                continue;
            };
            let definition = module.binding(name).and_then(|binding| binding.definition);
            let known = definition.and_then(|definition| scope.items[definition.index()]);
            let bytes = module.name_bytes(name);
            let symbol = known
                .or_else(|| scope.own.get(bytes).copied())
                .unwrap_or_else(|| self.global(bytes));
            scope.items[id.index()] = Some(symbol);
        }
    }

    /// The global symbol of this name, undefined unless a module exports it.
    pub(super) fn global(&mut self, name: &[u8]) -> SymbolId {
        if let Some(&known) = self.globals.get(name) {
            return known;
        }
        let symbol = new_symbol(name, SymbolKind::Unknown, SymbolScope::Unknown);
        let symbol = self.object.add_symbol(symbol);
        self.globals.insert(name.to_vec(), symbol);
        symbol
    }

    /// Where an item is.
    pub(super) fn item(&self, scope: &Scope<'_, '_>, item: ItemId) -> Result<Place> {
        let item = scope.module.resolve(item);
        match scope.items.get(item.index()).copied().flatten() {
            Some(symbol) => Ok(Place { symbol, addend: 0 }),
            None => Err("an item that has no address is referred to".into()),
        }
    }

    /// What a symbol of compiled code stands for.
    pub(super) fn place_of(&mut self, scope: &mut Scope<'_, '_>, symbol: Symbol) -> Result<Place> {
        match symbol {
            Symbol::Item(item) | Symbol::Callee(item) => self.item(scope, item),
            Symbol::Str(string) => Ok(self.string(scope, string)),
            Symbol::Callable(func) => Ok(self.name(scope, func)),
            Symbol::Helper(number) => Ok(Place {
                symbol: self.routine(number),
                addend: 0,
            }),
            Symbol::Runtime => Err("code refers to the runtime".into()),
        }
    }

    /// A string operand: bytes that the program may change.
    fn string(&mut self, scope: &mut Scope<'_, '_>, string: Str) -> Place {
        let bytes = scope.module.str_bytes(string);
        let (object, data) = (&mut self.object, self.data);
        let at = *(scope.strings.entry(string)).or_insert_with(|| {
            let bytes = if bytes.is_empty() { &[0] } else { bytes };
            object.append_section_data(data, bytes, 1)
        });
        Place {
            symbol: self.object.section_symbol(data),
            addend: at as i64,
        }
    }

    /// The name of a function, for faults.
    fn name(&mut self, scope: &mut Scope<'_, '_>, func: FuncId) -> Place {
        let item = scope.module.func(func).item;
        let mut name = name_of(scope, scope.module.item(item).name).into_bytes();
        name.push(0);
        let (object, constants) = (&mut self.object, self.constants);
        let at = *(scope.names.entry(func))
            .or_insert_with(|| object.append_section_data(constants, &name, 1));
        Place {
            symbol: self.object.section_symbol(constants),
            addend: at as i64,
        }
    }

    /// A routine that compiled code calls.
    fn routine(&mut self, number: u8) -> SymbolId {
        if usize::from(number) == Helper::CopyBlock as usize {
            return self.global(b"memmove");
        }
        let object = &mut self.object;
        *self.used.entry(number).or_insert_with(|| {
            let name = format!("mir.{}", super::support::name(number));
            let scope = SymbolScope::Compilation;
            object.add_symbol(new_symbol(name.as_bytes(), SymbolKind::Text, scope))
        })
    }
}
