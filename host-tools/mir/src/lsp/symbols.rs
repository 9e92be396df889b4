//! Definitions and uses of the name at a place, and the outline of a text.

use super::document::Document;
use super::index::{Kind, Role, Scope, Symbol};
use lsp_types::{DocumentSymbol, Location, SymbolKind};

/// Returns the place where the name at an offset is defined.
pub(super) fn definition(document: &Document, offset: usize) -> Option<Location> {
    let (symbol, _) = document.index().symbol_at(offset)?;
    let symbol = document.index().definition(document.text.bytes(), symbol);
    Some(document.location(&symbol.name))
}

/// Returns the places of the name at an offset, of those in which it has one of the roles.
pub(super) fn references(document: &Document, offset: usize, roles: &[Role]) -> Vec<Location> {
    let Some((symbol, _)) = document.index().symbol_at(offset) else {
        return Vec::new();
    };
    let all = document.index().same(document.text.bytes(), symbol);
    let mut places: Vec<_> = all
        .flat_map(|symbol| &symbol.occurrences)
        .filter(|place| roles.contains(&place.role))
        .map(|place| place.range.clone())
        .collect();
    places.sort_by_key(|range| range.start);
    places
        .iter()
        .map(|range| document.location(range))
        .collect()
}

/// Returns the modules of a text with their items.
pub(super) fn outline(document: &Document) -> Vec<DocumentSymbol> {
    let mut modules: Vec<DocumentSymbol> = Vec::new();
    let mut symbols: Vec<&Symbol> = document.index().symbols().iter().collect();
    symbols.sort_by_key(|symbol| symbol.name.start);
    for symbol in symbols {
        match symbol.scope {
            Scope::Modules => modules.push(entry(document, symbol)),
            Scope::Items(_) if symbol.kind != Kind::Import => {
                let item = entry(document, symbol);
                match modules.last_mut() {
                    Some(module) => {
                        module.range.end = item.range.end;
                        module.children.get_or_insert_default().push(item);
                    }
                    None => modules.push(item),
                }
            }
            _ => {}
        }
    }
    modules
}

#[expect(
    deprecated,
    reason = "the structure cannot be made without its deprecated field"
)]
fn entry(document: &Document, symbol: &Symbol) -> DocumentSymbol {
    let name = document.text.slice(symbol.name.clone());
    let place = document.text.range(&symbol.name);
    DocumentSymbol {
        name: name.to_owned(),
        detail: Some(symbol.kind.word().to_owned()),
        kind: match symbol.kind {
            Kind::Module => SymbolKind::MODULE,
            Kind::Function => SymbolKind::FUNCTION,
            Kind::Prototype => SymbolKind::INTERFACE,
            _ => SymbolKind::FIELD,
        },
        tags: None,
        deprecated: None,
        range: document.text.range(&document.index().extent(symbol)),
        selection_range: place,
        children: None,
    }
}
