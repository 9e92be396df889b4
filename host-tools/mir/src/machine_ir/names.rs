//! The names that functions refer to, and the LLVM IR module that declares them.

use super::convert::Contents;
use crate::object::support;
use llvm_mir::target::{Isa, Triple, data_layout};
use mir_nostd::codegen::{Helper, Labels};
use mir_nostd::ir::{Alignments, FuncId, FunctionList, Item, ItemId, ItemKind, Label, Module, Str};
use mir_nostd::machine::Symbol;
use mir_nostd::mem::Entity;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The functions that copy blocks and that stop the process.
const COPY_BLOCK: &[u8] = b"memmove";
const STOP: &[u8] = b"abort";

/// The kind of thing that a name stands for in the module.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A function of the program; true if it is exported.
    Function { exported: bool },
    /// Data of the program or generated data; true if they are exported.
    Data { exported: bool },
    /// An external symbol.
    Elsewhere,
    /// A weak external symbol, which may be missing.
    Perhaps,
}

/// The names of a program, across its modules.
#[derive(Default)]
pub(crate) struct Names {
    /// The kinds of all names in use, by name.
    kinds: BTreeMap<Vec<u8>, Kind>,
    functions: Vec<Vec<u8>>,
    /// The names of global symbols, which nothing private may have.
    linked: BTreeSet<Vec<u8>>,
    /// The names of generated data, by the names that they would have if no item of the program had
    /// those.
    ours: HashMap<Vec<u8>, Vec<u8>>,
    items: HashMap<(usize, ItemId), Vec<u8>>,
    /// The contents of data: type and value in LLVM IR, if data are to be defined and not only
    /// declared.
    contents: Option<HashMap<Vec<u8>, String>>,
    /// The blocks of functions whose addresses are taken.
    blocks: HashMap<Vec<u8>, BTreeSet<u32>>,
    /// The blocks that labels of modules begin.
    labels: HashMap<(usize, Label), u32>,
    /// The attributes of functions beside the features.
    attributes: HashMap<Vec<u8>, String>,
    /// The runtime routines that are called.
    helpers: BTreeSet<u8>,
    /// The lists of constructors and destructors among the data, by name.
    lists: HashMap<Vec<u8>, FunctionList>,
    /// The alignments of data of more than the usual one, by name.
    aligned: HashMap<Vec<u8>, u32>,
}

/// Returns the name in LLVM IR of a block whose address is taken.
pub(super) fn block_name(number: u32) -> Vec<u8> {
    format!("b{number}").into_bytes()
}

impl Names {
    /// Reserves the names of the imports and exports of a module. It must be called for all modules
    /// before anything else.
    pub(crate) fn reserve(&mut self, module: &Module<'_>) {
        for (id, item) in module.items() {
            if !matches!(item.kind, ItemKind::Import) && !module.is_exported(id) {
                continue;
            }
            let name = item.name.map(|name| llvm_name(module.name_bytes(name)));
            self.linked.extend(name);
        }
        let ours = [COPY_BLOCK, STOP, support::FAULT_HANDLER];
        self.linked.extend(ours.map(<[u8]>::to_vec));
    }

    /// Declares the functions and data of a module, the `number`th of the program.
    pub(crate) fn declare(&mut self, number: usize, module: &Module<'_>) {
        for (id, item) in module.items() {
            let exported = module.is_exported(id);
            let kind = match item.kind {
                ItemKind::Func(_) => Kind::Function { exported },
                kind if kind.is_memory() => Kind::Data { exported },
                _ => continue,
            };
            let Some(name) = item.name else { continue };
            let list = FunctionList::of_name(module.name_bytes(name));
            let list = list.filter(|_| matches!(kind, Kind::Data { .. }));
            let mut name = llvm_name(module.name_bytes(name));
            if list.is_some() {
                // LLVM's assembler has sections of these names.
                name.splice(..0, *b"mir");
            }
            let name = self.unused(&name, exported);
            self.lists.extend(list.map(|list| (name.clone(), list)));
            if matches!(kind, Kind::Function { .. }) {
                self.functions.push(name.clone());
            }
            self.kinds.insert(name.clone(), kind);
            self.items.insert((number, id), name);
        }
    }

    /// Returns the names for a program whose data are written out.
    pub(crate) fn with_contents() -> Names {
        Names {
            contents: Some(HashMap::new()),
            ..Names::default()
        }
    }

    /// Writes out the data of a module that is declared, whose functions have been added. Data that
    /// cannot be written are reported and stay declared.
    pub(crate) fn define(
        &mut self,
        number: usize,
        module: &Module<'_>,
        problem: &mut dyn FnMut(ItemId, String),
    ) {
        let mut alignments = Alignments::new();
        let mut items = module.items().peekable();
        while let Some((first, item)) = items.next() {
            if !item.kind.is_memory() {
                continue;
            }
            let mut parts = vec![self.content(number, module, item)];
            // Unnamed items follow the item before them.
            while let Some((_, next)) =
                items.next_if(|(_, item)| item.name.is_none() && item.kind.is_memory())
            {
                parts.push(self.content(number, module, next));
            }
            let align = alignments.of_piece(module, item);
            let Some(name) = self.items.get(&(number, first)).cloned() else {
                continue;
            };
            match parts.into_iter().collect::<Result<Vec<_>, _>>() {
                Ok(parts) => {
                    let types: Vec<_> = parts.iter().map(|(ty, _)| ty.as_str()).collect();
                    let values: Vec<_> = parts.iter().map(|(ty, v)| format!("{ty} {v}")).collect();
                    let content =
                        format!("<{{ {} }}> <{{ {} }}>", types.join(", "), values.join(", "));
                    if align != Alignments::USUAL {
                        self.aligned.insert(name.clone(), align);
                    }
                    self.contents.get_or_insert_default().insert(name, content);
                }
                Err(error) => {
                    self.kinds.insert(name, Kind::Elsewhere);
                    problem(first, error);
                }
            }
        }
    }

    /// Records the blocks that the labels of a function begin.
    pub(crate) fn place_labels(
        &mut self,
        number: usize,
        module: &Module<'_>,
        func: FuncId,
        labels: &Labels<'_>,
    ) {
        let function = self.function(number, module, func);
        for item in module.lrefs(func) {
            let ItemKind::Lref { label, label2, .. } = module.item(item).kind else {
                continue;
            };
            for label in [Some(label), label2].into_iter().flatten() {
                if let Some(block) = labels.block(label) {
                    self.block(&function, block.number());
                    self.labels.insert((number, label), block.number());
                }
            }
        }
    }

    /// Returns the name of a block of a function whose address is taken.
    pub(super) fn block(&mut self, function: &[u8], number: u32) -> Vec<u8> {
        let blocks = self.blocks.entry(function.to_vec()).or_default();
        blocks.insert(number);
        block_name(number)
    }

    /// Returns the name of data that belong to a function.
    pub(super) fn own_data(
        &mut self,
        function: &[u8],
        what: &str,
        contents: &Contents<'_>,
    ) -> Vec<u8> {
        let (ty, value) = match contents {
            Contents::Bytes(bytes) => bytes_content(bytes),
            Contents::Blocks(blocks) => {
                let addresses = blocks.iter().map(|&block| {
                    self.block(function, block);
                    format!("ptr {}", block_address(function, block))
                });
                let addresses: Vec<_> = addresses.collect();
                let ty = format!("[{} x ptr]", blocks.len());
                (ty, format!("[{}]", addresses.join(", ")))
            }
        };
        let name = self.ours([function, b".", what.as_bytes()].concat());
        if let Some(contents) = &mut self.contents {
            contents.insert(name.clone(), format!("{ty} {value}"));
        }
        name
    }

    /// Sets the attributes of a function beside the features.
    pub(super) fn attribute(
        &mut self,
        (number, module): (usize, &Module<'_>),
        func: FuncId,
        attributes: String,
    ) {
        if !attributes.is_empty() {
            let name = self.function(number, module, func);
            self.attributes.insert(name, attributes);
        }
    }

    /// Leaves a function out of the file, so that its name becomes an external one.
    pub(crate) fn leave_out(&mut self, number: usize, module: &Module<'_>, func: FuncId) {
        let name = self.function(number, module, func);
        self.functions.retain(|known| *known != name);
        self.blocks.remove(&name);
        self.kinds.insert(name, Kind::Elsewhere);
    }

    /// Returns the runtime routines that the code calls, which a module of routines must define.
    pub(crate) fn helpers(&self) -> Vec<u8> {
        self.helpers.iter().copied().collect()
    }

    /// Declares the functions of a module of runtime routines, of which these are called.
    pub(crate) fn declare_routines(
        &mut self,
        number: usize,
        module: &Module<'_>,
        called: &[(u8, FuncId)],
    ) {
        for &(helper, func) in called {
            let name = helper_name(helper);
            self.items
                .insert((number, module.func(func).item), name.clone());
            self.functions.push(name.clone());
            self.kinds.insert(name, Kind::Function { exported: false });
        }
        for (id, item) in module.items() {
            let name = item.name.map(|name| module.name_bytes(name));
            match (item.kind, name) {
                // How the machine stops is not known here.
                (ItemKind::Import, Some(b"mir.trap")) => {
                    let name = self.known(STOP.to_vec(), Kind::Elsewhere);
                    self.items.insert((number, id), name);
                }
                (ItemKind::Import, Some(name)) if name == support::FAULT_HANDLER => {
                    self.known(name.to_vec(), Kind::Perhaps);
                }
                _ => {}
            }
        }
    }

    /// Returns the address of the block that a label begins.
    fn label(
        &mut self,
        number: usize,
        module: &Module<'_>,
        label: Label,
    ) -> Result<String, String> {
        let func = module.label_func(label).ok_or("a label of no function")?;
        let function = self.function(number, module, func);
        let block = self.labels.get(&(number, label));
        let block = block.filter(|_| self.blocks.contains_key(&function));
        let block = block.ok_or("labels of a function that is left out have no address")?;
        Ok(block_address(&function, *block))
    }

    /// Returns type and value of an item with memory.
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
            ItemKind::Lref {
                label,
                label2: None,
                disp,
            } => {
                let address = self.label(number, module, label)?;
                let value = format!("getelementptr (i8, ptr {address}, i64 {disp})");
                ("ptr".into(), value)
            }
            ItemKind::Lref {
                label,
                label2: Some(label2),
                disp,
            } => {
                let (to, from) = (
                    self.label(number, module, label)?,
                    self.label(number, module, label2)?,
                );
                let [to, from] = [to, from].map(|ptr| format!("i64 ptrtoint (ptr {ptr} to i64)"));
                (
                    "i64".into(),
                    format!("add (i64 sub ({to}, {from}), i64 {disp})"),
                )
            }
            _ => return Err("data that an expression gives have no form in LLVM".into()),
        })
    }

    /// Returns a name that is not in use: private items of several modules may have the same name.
    fn unused(&self, name: &[u8], exported: bool) -> Vec<u8> {
        let mut new = name.to_vec();
        let mut count = 1;
        while !exported && (self.kinds.contains_key(&new) || self.linked.contains(&new)) {
            count += 1;
            new = numbered(name, count);
        }
        new
    }

    /// Returns the name of generated data that would be called `wanted`.
    fn ours(&mut self, wanted: Vec<u8>) -> Vec<u8> {
        if let Some(known) = self.ours.get(&wanted) {
            return known.clone();
        }
        let name = self.unused(&wanted, false);
        self.ours.insert(wanted, name.clone());
        self.known(name, Kind::Data { exported: false })
    }

    fn known(&mut self, name: Vec<u8>, kind: Kind) -> Vec<u8> {
        self.kinds.entry(name.clone()).or_insert(kind);
        name
    }

    /// Returns the name of a function.
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
        self.known(llvm_name(name), Kind::Elsewhere)
    }

    /// Returns the name of a symbol of compiled code.
    pub(crate) fn symbol(&mut self, number: usize, module: &Module<'_>, symbol: Symbol) -> Vec<u8> {
        match symbol {
            Symbol::Item(item) | Symbol::Callee(item) => self.item(number, module, item),
            Symbol::Str(string) => {
                let name = self.ours(string_name(number, string));
                if let Some(contents) = &mut self.contents {
                    let (ty, value) = bytes_content(module.str_bytes(string));
                    contents.insert(name.clone(), format!("{ty} {value}"));
                }
                name
            }
            Symbol::Callable(func) => {
                let mut name = self.function(number, module, func);
                name.extend_from_slice(b".name");
                self.ours(name)
            }
            Symbol::Helper(helper) if helper == Helper::CopyBlock.id() => {
                self.known(COPY_BLOCK.to_vec(), Kind::Elsewhere)
            }
            Symbol::Helper(helper) => {
                self.helpers.insert(helper.number());
                self.known(helper_name(helper.number()), Kind::Elsewhere)
            }
            Symbol::Runtime => self.known(b"mir.runtime".to_vec(), Kind::Elsewhere),
        }
    }

    /// Returns the name of a jump table of a function, as data.
    pub(super) fn table(
        &mut self,
        number: usize,
        module: &Module<'_>,
        func: FuncId,
        table: u32,
    ) -> Vec<u8> {
        let mut name = self.function(number, module, func);
        name.extend_from_slice(format!(".table.{table}").as_bytes());
        self.ours(name)
    }

    /// Returns the LLVM IR of the module; its functions are for a processor with these features.
    pub(super) fn module(&self, source: &str, isa: Isa, features: &str) -> Vec<u8> {
        let (triple, layout) = (Triple::of(isa).text, data_layout(isa));
        let mut text = format!(
            "; ModuleID = '{source}'\nsource_filename = \"{source}\"\ntarget datalayout = \"{layout}\"\ntarget triple = \"{triple}\"\n\n"
        )
        .into_bytes();
        // For x86_64 LLVM does not select accesses through the global offset table from generic
        // code.
        let reached = self.contents.is_some() && isa == Isa::X86_64;
        self.push_symbols(&mut text, reached);
        // Attribute groups by number; the first is that of functions with no attributes beside the
        // features.
        let mut groups = vec![String::new()];
        if !features.is_empty() {
            groups[0] = format!("\"target-features\"=\"{features}\"");
        }
        for name in &self.functions {
            self.push_function(&mut text, name, reached, &mut groups);
        }
        for (number, group) in groups
            .iter()
            .enumerate()
            .filter(|(_, group)| !group.is_empty())
        {
            let line = format!("\nattributes #{number} = {{ {group} }}\n");
            text.extend_from_slice(line.as_bytes());
        }
        text
    }

    /// Adds the data and the functions from elsewhere; all are near the code if it is `reached`.
    fn push_symbols(&self, text: &mut Vec<u8>, reached: bool) {
        for (name, &kind) in &self.kinds {
            let content = self.contents.as_ref().and_then(|known| known.get(name));
            if let (Some(content), Kind::Data { exported }) = (content, kind) {
                let linkage = linkage(exported, reached);
                text.push(b'@');
                push_name(text, name);
                let place = match self.lists.get(name) {
                    Some(list) => format!("section \"{list}\", align 8"),
                    None => {
                        let align = self.aligned.get(name).unwrap_or(&Alignments::USUAL);
                        format!("align {align}")
                    }
                };
                let line = format!(" = {linkage}global {content}, {place}\n");
                text.extend_from_slice(line.as_bytes());
                continue;
            }
            let (head, tail) = match kind {
                Kind::Function { .. } => continue,
                Kind::Data { exported: true } => ("@", " = global i8 0\n"),
                Kind::Data { exported: false } => ("@", " = internal global i8 0\n"),
                Kind::Elsewhere if reached => ("declare dso_local void @", "()\n"),
                Kind::Elsewhere => ("declare void @", "()\n"),
                Kind::Perhaps if reached => ("declare extern_weak dso_local void @", "()\n"),
                Kind::Perhaps => ("declare extern_weak void @", "()\n"),
            };
            text.extend_from_slice(head.as_bytes());
            push_name(text, name);
            text.extend_from_slice(tail.as_bytes());
        }
    }

    /// Adds a function without a body of its own, and its attribute group if that is new.
    fn push_function(
        &self,
        text: &mut Vec<u8>,
        name: &[u8],
        reached: bool,
        groups: &mut Vec<String>,
    ) {
        let exported = self.kinds.get(name) == Some(&Kind::Function { exported: true });
        text.extend_from_slice(b"\ndefine ");
        text.extend_from_slice(linkage(exported, reached).as_bytes());
        text.extend_from_slice(b"void @");
        push_name(text, name);
        text.extend_from_slice(b"()");
        let group = self.group(name, groups);
        if !groups[group].is_empty() {
            text.extend_from_slice(format!(" #{group}").as_bytes());
        }
        text.extend_from_slice(b" {\n  unreachable\n");
        for &block in self.blocks.get(name).into_iter().flatten() {
            text.push(b'\n');
            text.extend_from_slice(&block_name(block));
            text.extend_from_slice(b":\n  unreachable\n");
        }
        text.extend_from_slice(b"}\n");
    }

    /// Returns the number of the attribute group of a function.
    fn group(&self, function: &[u8], groups: &mut Vec<String>) -> usize {
        let Some(own) = self.attributes.get(function) else {
            return 0;
        };
        let group = format!("{} {own}", groups[0]).trim_ascii().to_owned();
        let known = groups.iter().position(|known| *known == group);
        known.unwrap_or_else(|| {
            groups.push(group);
            groups.len() - 1
        })
    }
}

/// Returns LLVM's name of a name of the program: one that begins like an intrinsic gets the prefix
/// byte that makes LLVM take it literally.
fn llvm_name(name: &[u8]) -> Vec<u8> {
    let mark: &[u8] = if name.starts_with(b"llvm.") {
        b"\x01"
    } else {
        b""
    };
    [mark, name].concat()
}

/// Returns a name made unique by a number.
pub(super) fn numbered(name: &[u8], number: usize) -> Vec<u8> {
    [name, format!(".{number}").as_bytes()].concat()
}

/// Returns the name of a runtime routine.
fn helper_name(helper: u8) -> Vec<u8> {
    format!("mir.{}", support::name(helper)).into_bytes()
}

/// Returns the address of a block in LLVM IR.
fn block_address(function: &[u8], block: u32) -> String {
    let mut name = Vec::new();
    push_name(&mut name, function);
    let name = String::from_utf8_lossy(&name);
    format!("blockaddress(@{name}, %b{block})")
}

/// Returns type and value of bytes.
fn bytes_content(bytes: &[u8]) -> (String, String) {
    let mut value = String::from("c\"");
    for &byte in bytes {
        value += &format!("\\{byte:02X}");
    }
    (format!("[{} x i8]", bytes.len()), value + "\"")
}

fn string_name(number: usize, string: Str) -> Vec<u8> {
    let string = string.number();
    format!(".str.{number}.{string}").into_bytes()
}

/// Returns the words for the linkage of a definition, which is near the code if it is `reached`.
const fn linkage(exported: bool, reached: bool) -> &'static str {
    match (exported, reached) {
        (false, _) => "internal ",
        (true, true) => "dso_local ",
        (true, false) => "",
    }
}

/// Writes a name of LLVM IR, in quotes if it needs them.
pub(super) fn push_name(text: &mut Vec<u8>, name: &[u8]) {
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
