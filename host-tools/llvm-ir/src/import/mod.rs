//! Imports a module of LLVM IR as one of Medium IR.
//!
//! Every value becomes one register for each of its scalar parts ([`parts`]), memory stays memory,
//! calls follow the target's calling convention as clang has lowered it ([`signature`]).

mod assembly;
mod atomics;
mod calls;
mod coalesce;
mod conditions;
mod constants;
mod control;
mod debug_values;
mod exceptions;
mod expand;
mod extension;
mod fixed;
mod floats;
mod function;
mod gates;
mod globals;
mod half;
mod integers;
mod intrinsics;
mod locals;
mod long;
mod machine;
mod masked;
mod memory;
mod operations;
mod parts;
mod platform;
mod results;
mod scalarize;
mod signature;
mod signed;
mod tails;
mod values;
mod wide;
mod wide_intrinsics;

use crate::ast::{self, Const, Linkage, Weakness};
use crate::error::{Error, Result, SourcePosition};
use crate::generic;
use crate::lines::{self, Lines};
use crate::parse;
use crate::types::DataLayout;
use exceptions::Exceptions;
pub(crate) use half::Format;
use mir_nostd::ir::{self, FunctionList, ItemId, Label, Module, Phase};
use mir_nostd::mem::Allocator;
use mir_nostd::target::{Description, Target};
use parts::PartsCache;
use platform::Platform;
use signature::ProtoKey;
use std::collections::{HashMap, HashSet};

/// Options of the import.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// The description of the ISA that the text is for.
    pub isa: &'static Description,
    /// The name of the module; otherwise it is made from the name of the source file.
    pub name: Option<&'a str>,
    /// Leaves out functions that cannot be expressed, instead of failing. Their callers import
    /// them.
    pub skip_unsupported: bool,
    /// Counts bits, reverses them and rounds by the instructions that the C implementation has, not
    /// by those of the language's extension. Atomic accesses have no other than these.
    pub portable: bool,
    /// The names that other files of the program define, as far as weak definitions give way to
    /// them: the module imports these, and exports others. Without them the variables that files
    /// share are the module's own.
    pub shared: Option<&'a HashSet<String>>,
}

impl Options<'_> {
    /// Returns options under which everything must be expressed and the name comes from the text.
    #[must_use]
    pub const fn new(isa: &'static Description) -> Options<'static> {
        Options {
            isa,
            name: None,
            skip_unsupported: false,
            portable: false,
            shared: None,
        }
    }
}

/// The result of an import.
#[derive(Debug)]
pub struct Imported<'m> {
    /// The module.
    pub module: Module<'m>,
    /// The lines of the text that it comes from.
    pub lines: Lines,
    /// The functions that were left out, with [`Options::skip_unsupported`].
    pub skipped: Vec<Error>,
    /// The weak definitions that the module has for all files, with [`Options::shared`].
    pub shared: Vec<String>,
    /// The names in the module of weak definitions that it exports, and of imports that are null if
    /// nothing defines them.
    pub weak: Vec<Vec<u8>>,
}

/// Converts a text in LLVM IR to a module of Medium IR.
///
/// # Errors
///
/// All errors in the text, in its order; out of memory.
pub fn import<'m>(
    text: &[u8],
    options: &Options<'_>,
    allocator: &'m dyn Allocator,
) -> core::result::Result<Imported<'m>, Vec<Error>> {
    let mut skipped = Vec::new();
    let layout = default_layout(options.isa.target);
    let source = if generic::is_machine_ir(text) {
        generic::parse(text, layout, options.isa, &mut skipped)
    } else {
        parse::parse(text, layout, &mut skipped)
    };
    let mut source = match source {
        Ok(source) => source,
        Err(error) => {
            skipped.push(error);
            return Err(skipped);
        }
    };
    let platform = platform_of(&source, options.isa.target).map_err(|error| vec![error])?;
    tails::join(&mut source, options.isa);
    expand::expand(&mut source, options.isa.target).map_err(|error| vec![error])?;
    let shared = options
        .shared
        .map(|known| share(&mut source, known, platform));
    let weak = weak_names(&source);
    gates::add_gates(&mut source, platform);
    scalarize::scalarize(&mut source);
    half::soften(&mut source).map_err(|error| vec![error])?;
    // The required declarations and the functions that cannot be expressed are only known at the
    // end: then the module is built again.
    let (mut left_out, mut needed) = (HashSet::new(), Needed::default());
    loop {
        let known = skipped.len();
        let imported = Importer::new(&source, options, platform, &left_out, allocator).and_then(
            |mut importer| {
                importer.import(&needed, &mut skipped)?;
                let lines = importer.lines.finish(&importer.module);
                Ok((importer.module, lines, importer.needed))
            },
        );
        let (module, lines, now_needed) = imported.map_err(|error| vec![error])?;
        if skipped.len() > known && options.skip_unsupported {
            left_out.extend(
                skipped[known..]
                    .iter()
                    .filter_map(|error| error.function.clone()),
            );
            // The tables that only they needed are not made.
            needed = Needed::default();
            continue;
        } else if !skipped.is_empty() && !options.skip_unsupported {
            skipped.sort_by_key(|error| (error.line, error.column));
            return Err(skipped);
        } else if now_needed == needed {
            return Ok(Imported {
                module,
                lines,
                skipped,
                shared: shared.unwrap_or_default(),
                weak,
            });
        }
        needed = now_needed;
    }
}

/// Leaves the weak definitions that another file has, too, and exports the others.
///
/// Returns the names of these.
fn share(source: &mut ast::Module, known: &HashSet<String>, platform: &Platform) -> Vec<String> {
    let mut exported = Vec::new();
    for variable in &mut source.variables {
        if variable.linkage == Linkage::Shared {
            variable.linkage = Linkage::Global;
        }
        let is_weak = variable.linkage == Linkage::Global && variable.weakness != Weakness::Strong;
        if variable.initializer.is_none() || !is_weak {
            continue;
        }
        if known.contains(&variable.name) {
            (variable.initializer, variable.weakness) = (None, Weakness::Strong);
        } else {
            exported.push(variable.name.clone());
        }
    }
    for function in &mut source.functions {
        let is_weak = function.linkage == Linkage::Global && function.weakness != Weakness::Strong;
        // Nobody else calls a function that takes vectors.
        let params = function.params.iter().map(|param| param.ty);
        let mut types = params.chain([function.result]);
        let by_lanes = types.any(|ty| signature::goes_by_lanes(&source.types, platform, ty));
        if function.body.is_none() || !is_weak || by_lanes {
            continue;
        }
        if known.contains(&function.name) {
            (function.body, function.weakness) = (None, Weakness::Strong);
        } else {
            exported.push(function.name.clone());
        }
    }
    exported
}

/// Returns the names of weak definitions that a module exports, and of its weak imports.
fn weak_names(source: &ast::Module) -> Vec<Vec<u8>> {
    let is_weak = |linkage, weakness| linkage == Linkage::Global && weakness != Weakness::Strong;
    let variables = source
        .variables
        .iter()
        .filter(|v| is_weak(v.linkage, v.weakness));
    let functions = source
        .functions
        .iter()
        .filter(|f| is_weak(f.linkage, f.weakness));
    let names = functions.map(|function| &function.name);
    let names = variables.map(|variable| &variable.name).chain(names);
    names.map(|name| plain_name(name)).collect()
}

/// Declarations that functions turned out to need: prototypes and library functions, in the order
/// of their first use.
#[derive(Clone, Default, PartialEq)]
struct Needed {
    protos: Vec<ProtoKey>,
    library: Vec<String>,
}

/// Returns the data layout of a text that does not state one: LLVM's defaults in the target's byte
/// order.
fn default_layout(target: &Target) -> DataLayout {
    DataLayout::parse(if target.big_endian { "E" } else { "e" })
}

/// Returns the platform of the target, for which the text is, as far as it states one.
fn platform_of(source: &ast::Module, target: &Target) -> Result<&'static Platform> {
    let name = target.name;
    let Some(platform) = Platform::of(target) else {
        return Err(SourcePosition::default().error(format!("the platform of {name} is not known")));
    };
    let Some(triple) = &source.triple else {
        return Ok(platform);
    };
    let arch = triple.split('-').next().unwrap_or_default();
    if (platform.is_architecture)(arch) {
        return Ok(platform);
    }
    let message = format!("the text is for {triple}, not for {name}: say so with --target");
    Err(SourcePosition::default().error(message))
}

/// The item that a global name stands for.
#[derive(Clone, Debug)]
pub(crate) struct Symbol {
    pub(crate) item: ItemId,
    /// The offset from the item's start in bytes, for an alias.
    pub(crate) offset: i64,
}

/// The import of one module.
struct Importer<'s, 'm> {
    source: &'s ast::Module,
    isa: &'static Description,
    /// True if there is to be none of the extension's instructions that others can replace.
    is_portable: bool,
    target: &'static Target,
    platform: &'static Platform,
    module: Module<'m>,
    /// True if weak functions may be replaced by those of other files.
    is_shared: bool,
    /// Items by their name in the source.
    symbols: HashMap<String, Symbol>,
    /// Library functions that are imported, and helper functions that are built when first needed.
    library: HashMap<String, ItemId>,
    made: HashSet<String>,
    /// Labels of the blocks whose address is taken, by function and block.
    addressed: HashMap<String, HashMap<String, Label>>,
    /// Functions that return the distance of two addresses.
    distances: HashMap<([(String, i64); 2], u32), ItemId>,
    functions: HashMap<String, usize>,
    /// Functions of the module that return values elsewhere than LLVM has them, and those of others
    /// that take or return vectors.
    apart: HashSet<String>,
    /// Functions of the module that take or return vectors.
    by_lanes: HashSet<String>,
    /// Functions that are imported as they cannot be expressed.
    left_out: &'s HashSet<String>,
    protos: HashMap<ProtoKey, ItemId>,
    needed: Needed,
    exceptions: Exceptions,
    parts: PartsCache,
    lines: lines::Recorder,
}

/// Returns whether a variable is no data but tells LLVM something: `llvm.used`, `llvm.global_ctors`
/// and others.
fn is_llvms(variable: &ast::Variable) -> bool {
    variable.name.starts_with("llvm.")
}

/// The refusal of an alias of nothing, or of itself.
const NO_ALIASEE: &str = "an alias must be of something that this module defines";

/// Converts an error of the module under construction to one with a position.
fn broken(place: SourcePosition) -> impl Fn(ir::Error) -> Error {
    move |error| place.error(error.problem.text())
}

/// Returns a name of LLVM's as one that the text form allows: other characters become `$` and two
/// digits.
pub(crate) fn plain_name(name: &str) -> Vec<u8> {
    let name = name.strip_prefix('\u{1}').unwrap_or(name);
    let mut plain = Vec::with_capacity(name.len());
    if !name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_' || first == '.')
    {
        plain.push(b'$');
    }
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$') {
            plain.push(byte);
        } else {
            plain.extend_from_slice(format!("${byte:02x}").as_bytes());
        }
    }
    plain
}

impl<'s, 'm> Importer<'s, 'm> {
    fn new(
        source: &'s ast::Module,
        options: &Options<'_>,
        platform: &'static Platform,
        left_out: &'s HashSet<String>,
        allocator: &'m dyn Allocator,
    ) -> Result<Self> {
        let from_file = source.source_filename.as_deref().unwrap_or("module");
        let stem = from_file.rsplit('/').next().unwrap_or(from_file);
        let stem = stem.split('.').next().filter(|stem| !stem.is_empty());
        let name = plain_name(options.name.or(stem).unwrap_or("module"));
        let module = Module::new(allocator, &name, options.isa.target.long_double)
            .map_err(broken(SourcePosition::default()))?;
        Ok(Importer {
            source,
            isa: options.isa,
            is_portable: options.portable,
            target: options.isa.target,
            platform,
            module,
            is_shared: options.shared.is_some(),
            symbols: HashMap::new(),
            library: HashMap::new(),
            made: HashSet::new(),
            addressed: HashMap::new(),
            functions: source
                .functions
                .iter()
                .enumerate()
                .map(|(number, f)| (f.name.clone(), number))
                .collect(),
            apart: HashSet::new(),
            by_lanes: HashSet::new(),
            distances: HashMap::new(),
            left_out,
            protos: HashMap::new(),
            needed: Needed::default(),
            exceptions: Exceptions::default(),
            lines: lines::Recorder::default(),
            parts: PartsCache::default(),
        })
    }

    fn import(&mut self, needed: &Needed, skipped: &mut Vec<Error>) -> Result<()> {
        self.declare()?;
        self.find_apart()?;
        for name in &needed.library {
            self.library_function(name)?;
        }
        for key in &needed.protos {
            self.proto_of(key.clone(), SourcePosition::default())?;
        }
        self.aliases()?;
        self.find_block_addresses()?;
        for variable in self.source.variables.iter().filter(|v| !is_llvms(v)) {
            self.variable(variable)?;
        }
        for function in &self.source.functions {
            if self.is_defined(function) {
                self.function(function, skipped)?;
            }
        }
        self.finish_exceptions()?;
        self.function_lists()
    }

    /// Adds the lists of constructors and destructors: for each priority one item with the address
    /// of the first function, and the others after it.
    fn function_lists(&mut self) -> Result<()> {
        for variable in &self.source.variables {
            let phase = match variable.name.as_str() {
                "llvm.global_ctors" => Phase::Start,
                "llvm.global_dtors" => Phase::End,
                _ => continue,
            };
            let mut before = None;
            for (priority, name) in self.listed(variable)? {
                let list = FunctionList { phase, priority };
                let head = (before != Some(priority)).then(|| list.to_string());
                let head = head.as_deref().map(str::as_bytes);
                before = Some(priority);
                let place = variable.place;
                let symbol = self.symbol(&name);
                let symbol =
                    symbol.ok_or_else(|| place.error(format!("@{name} is not defined")))?;
                let added = self.module.ref_data(head, symbol.item, symbol.offset);
                added.map_err(broken(place))?;
            }
        }
        Ok(())
    }

    /// Returns the entries of `llvm.global_ctors` or `llvm.global_dtors`, by ascending priority.
    fn listed(&self, list: &ast::Variable) -> Result<Vec<(u16, String)>> {
        let Some(Const::Aggregate(entries)) = &list.initializer else {
            return Ok(Vec::new());
        };
        let wrong = || {
            let name = &list.name;
            list.place.error(format!(
                "an entry of {name} is a priority of at most 65535, a function, and a global"
            ))
        };
        let mut found = Vec::new();
        for (_, entry) in entries {
            let Const::Aggregate(fields) = entry else {
                return Err(wrong());
            };
            let [(_, Const::Int(priority)), (_, function), ..] = fields.as_slice() else {
                return Err(wrong());
            };
            // Null ends the list.
            if *function == Const::Zero {
                break;
            }
            let priority = u16::try_from(*priority).map_err(|_| wrong())?;
            let (name, offset) = self.resolve_address(function).ok_or_else(wrong)?;
            if offset != 0 {
                return Err(wrong());
            }
            found.push((priority, name));
        }
        found.sort_by_key(|&(priority, _)| priority);
        Ok(found)
    }

    fn is_defined(&self, function: &ast::Function) -> bool {
        function.body.is_some() && !self.left_out.contains(&function.name)
    }

    /// Returns whether the module defines a function of this name, or an alias of one.
    fn defines(&self, name: &str) -> bool {
        match self.functions.get(name) {
            Some(&number) => self.is_defined(&self.source.functions[number]),
            None => self.symbols.contains_key(name),
        }
    }

    /// Declares every name before anything refers to it.
    fn declare(&mut self) -> Result<()> {
        for variable in self.source.variables.iter().filter(|v| !is_llvms(v)) {
            let defined = variable.initializer.is_some();
            self.declare_symbol(&variable.name, defined, variable.linkage, variable.place)?;
        }
        let mentioned = constants::mentioned(self.source);
        let called = self.source.functions.iter();
        for function in called.filter(|function| !function.name.starts_with("llvm.")) {
            let defined = self.is_defined(function);
            if !defined && !mentioned.contains(function.name.as_str()) {
                // A personality routine, only named for unwinding.
                continue;
            }
            let linkage = match self.is_called_from_here(function) {
                true => Linkage::Local,
                false => function.linkage,
            };
            self.declare_symbol(&function.name, defined, linkage, function.place)?;
        }
        Ok(())
    }

    fn declare_symbol(
        &mut self,
        name: &str,
        defined: bool,
        linkage: Linkage,
        place: SourcePosition,
    ) -> Result<()> {
        let plain = plain_name(name);
        let item = match linkage {
            _ if !defined => self.module.import(&plain),
            Linkage::Global => self.module.export(&plain),
            Linkage::Local | Linkage::Copied | Linkage::Shared => self.module.forward(&plain),
        };
        let item = item.map_err(broken(place))?;
        let symbol = Symbol { item, offset: 0 };
        if self.symbols.insert(name.into(), symbol).is_some() {
            return Err(place.error(format!("@{name} is defined twice")));
        }
        Ok(())
    }

    /// Resolves aliases, which may be aliases of aliases in any order: each chain is followed up to
    /// the first name that is known, and its aliases become known from there back.
    fn aliases(&mut self) -> Result<()> {
        let source = self.source;
        let aliases = source.aliases.iter().enumerate();
        let numbers: HashMap<&str, usize> = aliases
            .map(|(number, alias)| (alias.name.as_str(), number))
            .collect();
        // The name, which is no alias, that each alias is one of.
        let mut ends: HashMap<&str, String> = HashMap::new();
        let mut is_followed = vec![false; source.aliases.len()];
        for first in 0..source.aliases.len() {
            let (mut chain, mut next) = (Vec::new(), Some(first));
            while let Some(number) = next.filter(|&number| !is_followed[number]) {
                is_followed[number] = true;
                let alias = &source.aliases[number];
                let Some((name, offset)) = self.resolve_address(&alias.aliasee) else {
                    return Err(alias.place.error(NO_ALIASEE));
                };
                next = numbers.get(name.as_str()).copied();
                chain.push((alias, name, offset));
            }
            while let Some((alias, name, offset)) = chain.pop() {
                // An alias that is still to be resolved is one of itself.
                let aliased = self.symbols.get(&name).cloned();
                let place = source.aliases[first].place;
                let aliased = aliased.ok_or_else(|| place.error(NO_ALIASEE))?;
                let offset = aliased.offset.wrapping_add(offset);
                let symbol = Symbol { offset, ..aliased };
                self.symbols.insert(alias.name.clone(), symbol);
                let end = ends.get(name.as_str()).cloned().unwrap_or(name);
                if alias.linkage == Linkage::Global {
                    self.export_alias(alias, &end)?;
                }
                ends.insert(&alias.name, end);
            }
        }
        Ok(())
    }

    /// Assigns labels to the blocks whose addresses data hold.
    fn find_block_addresses(&mut self) -> Result<()> {
        let mut found = HashSet::new();
        for variable in &self.source.variables {
            if let Some(initializer) = &variable.initializer {
                constants::block_addresses(initializer, &mut found);
            }
        }
        let mut found: Vec<_> = found.into_iter().collect();
        found.sort();
        for (function, block) in found {
            let label = self
                .module
                .new_label()
                .map_err(broken(SourcePosition::default()))?;
            let blocks = self.addressed.entry(function).or_default();
            blocks.insert(block, label);
        }
        Ok(())
    }

    /// Returns the function of this name, imported unless the module has it or will have it: helper
    /// functions begin with `$`.
    fn library_function(&mut self, name: &str) -> Result<ItemId> {
        if let Some(symbol) = self.symbols.get(name) {
            return Ok(symbol.item);
        }
        if let Some(&known) = self.library.get(name) {
            return Ok(known);
        }
        let item = if name.starts_with('$') {
            self.module.forward(name.as_bytes())
        } else {
            self.module.import(name.as_bytes())
        };
        let item = item.map_err(broken(SourcePosition::default()))?;
        self.needed.library.push(name.into());
        self.library.insert(name.into(), item);
        Ok(item)
    }
}
