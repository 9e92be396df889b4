//! Names of what functions refer to, and the LLVM IR module that declares them.

use crate::object::support;
use mir_nostd::codegen::Helper;
use mir_nostd::ir::{FuncId, Item, ItemId, ItemKind, Module, Str};
use mir_nostd::machine::Symbol;
use std::collections::{BTreeMap, HashMap};

/// What a name stands for in the module.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A function of the program, and whether others see it.
    Function { exported: bool },
    /// Data of the program or ours, and whether others see it.
    Data { exported: bool },
    /// Something that is elsewhere.
    Elsewhere,
}

/// The names of a program, across its modules.
#[derive(Default)]
pub(crate) struct Names {
    /// Kinds of all names that are in use, in the order of the functions and then of the names.
    kinds: BTreeMap<Vec<u8>, Kind>,
    functions: Vec<Vec<u8>>,
    items: HashMap<(usize, ItemId), Vec<u8>>,
    /// What data hold: type and value in LLVM IR, where data are to be written and not only declared.
    contents: Option<HashMap<Vec<u8>, String>>,
}

impl Names {
    /// Takes in the functions and data of a module, the `number`th of the program.
    pub(crate) fn declare(&mut self, number: usize, module: &Module<'_>) {
        for (id, item) in module.items() {
            let exported = module.is_exported(id);
            let kind = match item.kind {
                ItemKind::Func(_) => Kind::Function { exported },
                kind if kind.is_memory() => Kind::Data { exported },
                _ => continue,
            };
            let Some(name) = item.name else { continue };
            let name = self.unused(module.name_bytes(name), exported);
            if matches!(kind, Kind::Function { .. }) {
                self.functions.push(name.clone());
            }
            self.kinds.insert(name.clone(), kind);
            self.items.insert((number, id), name);
        }
    }

    /// Writes out the data of a module that is declared, and strings from now on.
    pub(crate) fn define(&mut self, number: usize, module: &Module<'_>) -> Result<(), String> {
        self.contents.get_or_insert_default();
        let mut items = module.items().peekable();
        while let Some((first, item)) = items.next() {
            if !item.kind.is_memory() {
                continue;
            }
            let mut parts = vec![self.content(number, module, item)?];
            // What has no name follows what is before it.
            while let Some((_, next)) =
                items.next_if(|(_, item)| item.name.is_none() && item.kind.is_memory())
            {
                parts.push(self.content(number, module, next)?);
            }
            let Some(name) = self.items.get(&(number, first)).cloned() else {
                continue;
            };
            let types: Vec<_> = parts.iter().map(|(ty, _)| ty.as_str()).collect();
            let values: Vec<_> = parts.iter().map(|(ty, v)| format!("{ty} {v}")).collect();
            let content = format!("<{{ {} }}> <{{ {} }}>", types.join(", "), values.join(", "));
            self.contents.get_or_insert_default().insert(name, content);
        }
        Ok(())
    }

    /// Type and value of an item with memory.
    fn content(
        &mut self,
        number: usize,
        module: &Module<'_>,
        item: &Item,
    ) -> Result<(String, String), String> {
        Ok(match item.kind {
            ItemKind::Data(data) => bytes_content(module.data_bytes(&data)),
            ItemKind::Bss { len } => (format!("[{len} x i8]"), "zeroinitializer".into()),
            ItemKind::Ref { item, disp } => {
                let mut name = Vec::new();
                push_name(&mut name, &self.item(number, module, item));
                let name = String::from_utf8_lossy(&name).into_owned();
                let value = format!("getelementptr (i8, ptr @{name}, i64 {disp})");
                ("ptr".into(), value)
            }
            _ => return Err("data of labels and expressions have no form in LLVM yet".into()),
        })
    }

    /// A name that nothing has: private items of several modules may have the same.
    fn unused(&self, name: &[u8], exported: bool) -> Vec<u8> {
        let mut new = name.to_vec();
        let mut count = 1;
        while !exported && self.kinds.contains_key(&new) {
            count += 1;
            new = [name, format!(".{count}").as_bytes()].concat();
        }
        new
    }

    fn known(&mut self, name: Vec<u8>, kind: Kind) -> Vec<u8> {
        self.kinds.entry(name.clone()).or_insert(kind);
        name
    }

    /// The name of a function.
    pub(crate) fn function(&mut self, number: usize, module: &Module<'_>, func: FuncId) -> Vec<u8> {
        self.item(number, module, module.func(func).item)
    }

    fn item(&mut self, number: usize, module: &Module<'_>, item: ItemId) -> Vec<u8> {
        let item = module.resolve(item);
        if let Some(known) = self.items.get(&(number, item)) {
            return known.clone();
        }
        let name = module.item(item).name;
        let name = name.map_or(&b"?"[..], |name| module.name_bytes(name));
        self.known(name.to_vec(), Kind::Elsewhere)
    }

    /// The name of what a symbol of compiled code stands for.
    pub(crate) fn symbol(&mut self, number: usize, module: &Module<'_>, symbol: Symbol) -> Vec<u8> {
        let ours = Kind::Data { exported: false };
        match symbol {
            Symbol::Item(item) | Symbol::Callee(item) => self.item(number, module, item),
            Symbol::Str(string) => {
                let name = string_name(number, string);
                if let Some(contents) = &mut self.contents {
                    let (ty, value) = bytes_content(module.str_bytes(string));
                    contents.insert(name.clone(), format!("{ty} {value}"));
                }
                self.known(name, ours)
            }
            Symbol::Callable(func) => {
                let mut name = self.function(number, module, func);
                name.extend_from_slice(b".name");
                self.known(name, ours)
            }
            Symbol::Helper(helper) if usize::from(helper) == Helper::CopyBlock as usize => {
                self.known(b"memmove".to_vec(), Kind::Elsewhere)
            }
            Symbol::Helper(helper) => {
                let name = format!("mir.{}", support::name(helper));
                self.known(name.into_bytes(), Kind::Elsewhere)
            }
            Symbol::Runtime => self.known(b"mir.runtime".to_vec(), Kind::Elsewhere),
        }
    }

    /// The name of a jump table of a function, as data.
    pub(super) fn table(
        &mut self,
        number: usize,
        module: &Module<'_>,
        func: FuncId,
        table: u32,
    ) -> Vec<u8> {
        let mut name = self.function(number, module, func);
        name.extend_from_slice(format!(".table.{table}").as_bytes());
        self.known(name, Kind::Data { exported: false })
    }

    /// The LLVM IR of the module; its functions are for a processor with these features.
    pub(super) fn module(
        &self,
        source: &str,
        triple: &str,
        layout: &str,
        features: &str,
    ) -> Vec<u8> {
        let mut text = format!(
            "; ModuleID = '{source}'\nsource_filename = \"{source}\"\ntarget datalayout = \"{layout}\"\ntarget triple = \"{triple}\"\n\n"
        )
        .into_bytes();
        for (name, &kind) in &self.kinds {
            let content = self.contents.as_ref().and_then(|known| known.get(name));
            if let (Some(content), Kind::Data { exported }) = (content, kind) {
                let linkage = if exported { "" } else { "internal " };
                text.push(b'@');
                push_name(&mut text, name);
                let line = format!(" = {linkage}global {content}, align 16\n");
                text.extend_from_slice(line.as_bytes());
                continue;
            }
            let (head, tail): (&[u8], &[u8]) = match kind {
                Kind::Function { .. } => continue,
                Kind::Data { exported: true } => (b"@", b" = global i8 0\n"),
                Kind::Data { exported: false } => (b"@", b" = internal global i8 0\n"),
                Kind::Elsewhere => (b"declare void @", b"()\n"),
            };
            text.extend_from_slice(head);
            push_name(&mut text, name);
            text.extend_from_slice(tail);
        }
        for name in &self.functions {
            let exported = self.kinds.get(name) == Some(&Kind::Function { exported: true });
            let linkage: &[u8] = if exported { b"" } else { b"internal " };
            text.extend_from_slice(b"\ndefine ");
            text.extend_from_slice(linkage);
            text.extend_from_slice(b"void @");
            push_name(&mut text, name);
            let attributes: &[u8] = if features.is_empty() { b"" } else { b" #0" };
            text.extend_from_slice(b"()");
            text.extend_from_slice(attributes);
            text.extend_from_slice(b" {\n  unreachable\n}\n");
        }
        if !features.is_empty() {
            let line = format!("\nattributes #0 = {{ \"target-features\"=\"{features}\" }}\n");
            text.extend_from_slice(line.as_bytes());
        }
        text
    }
}

/// Type and value of bytes.
fn bytes_content(bytes: &[u8]) -> (String, String) {
    let mut value = String::from("c\"");
    for &byte in bytes {
        value += &format!("\\{byte:02X}");
    }
    (format!("[{} x i8]", bytes.len()), value + "\"")
}

fn string_name(number: usize, string: Str) -> Vec<u8> {
    let string = mir_nostd::mem::Entity::number(string);
    format!(".str.{number}.{string}").into_bytes()
}

/// Writes a name of LLVM IR, in quotes if it needs them.
fn push_name(text: &mut Vec<u8>, name: &[u8]) {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-$._".contains(byte);
    let starts_well = name.first().is_some_and(|byte| !byte.is_ascii_digit());
    if starts_well && name.iter().all(is_plain) {
        text.extend_from_slice(name);
        return;
    }
    text.push(b'"');
    for &byte in name {
        if matches!(byte, b'"' | b'\\') || !(b' '..0x7F).contains(&byte) {
            text.extend_from_slice(format!("\\{byte:02X}").as_bytes());
        } else {
            text.push(byte);
        }
    }
    text.push(b'"');
}
