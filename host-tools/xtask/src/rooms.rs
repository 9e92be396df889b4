//! Checks that the arrows between the rooms of the runtime go down, and that its files have no
//! cycles.
//!
//! ARCHITECTURE.md has a table of the rooms of `mir-nostd/src`, each with the rooms that it uses. A
//! room uses only rooms above it there, so that the table cannot describe a cycle. Every `use` item
//! and every path that begins with `crate`, `super` or a child module is an arrow from its file to
//! the file that defines what the path names; a name that a module only passes on leads further.
//! Code for tests alone is left out. A module may use its own children and they may use it; among
//! the children of one module, each standing for all files below it, there is no cycle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};

use crate::report::Counts;
use crate::workspace;

/// The heading in ARCHITECTURE.md under which the table of rooms stands.
const HEADING: &str = "## Arrows";

/// The path of a module from the crate's root: `["codegen", "opt", "licm"]`.
type Module = Vec<String>;

/// For each file the files that it uses.
type Arrows = BTreeMap<Module, BTreeSet<Module>>;

/// Prints the arrows and the cycles that may not be.
///
/// # Errors
/// Says how many there are, or what could not be read.
pub(crate) fn show() -> Result<(), String> {
    let (arrows, faults) = check(&workspace::root())?;
    for fault in &faults {
        println!("{fault}");
    }
    println!("{arrows} arrows between files, {} wrong", faults.len());
    match faults.len() {
        0 => Ok(()),
        count => Err(format!(
            "{count} arrows or cycles that {HEADING} does not allow"
        )),
    }
}

/// Checks the rooms as a suite: an arrow between files is a test.
pub(crate) fn suite() -> Counts {
    match check(&workspace::root()) {
        Ok((arrows, faults)) => {
            let shown: String = faults
                .iter()
                .map(|fault| format!("    {fault}\n"))
                .collect();
            (arrows.saturating_sub(faults.len()), faults.len(), shown)
        }
        Err(message) => (0, 1, format!("    {message}\n")),
    }
}

/// Returns the number of arrows between files, and a line for each that the table does not allow
/// and for each cycle.
fn check(root: &Path) -> Result<(usize, Vec<String>), String> {
    let rooms = Rooms::parse(&read(&root.join("ARCHITECTURE.md"))?)?;
    let arrows = arrows(&files(&root.join("mir-nostd/src"))?);
    let mut faults = rooms.empty(&arrows);
    for (from, targets) in &arrows {
        faults.extend(targets.iter().filter_map(|to| rooms.fault(from, to)));
    }
    faults.extend(cycles(&arrows));
    Ok((arrows.values().map(BTreeSet::len).sum(), faults))
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

// ---- rooms

/// The rooms in the order of the table, each with those that it may use.
struct Rooms(Vec<(String, Vec<String>)>);

impl Rooms {
    /// Reads the table: ``| `room` | `used` `used` |``.
    fn parse(page: &str) -> Result<Rooms, String> {
        let missing = || format!("ARCHITECTURE.md has no table under `{HEADING}`");
        let (_, section) = page.split_once(HEADING).ok_or_else(missing)?;
        let section = section.split("\n## ").next().unwrap_or_default();
        let mut rooms: Vec<(String, Vec<String>)> = Vec::new();
        for line in section.lines().filter(|line| line.starts_with("| `")) {
            let mut cells = line.trim_matches('|').split('|').map(code_words);
            let names = cells.next().unwrap_or_default();
            let used = cells.next().unwrap_or_default();
            for other in &used {
                if !rooms.iter().any(|(known, _)| known == other) {
                    return Err(format!("{names:?} use `{other}`, which is not above them"));
                }
            }
            rooms.extend(names.into_iter().map(|name| (name, used.clone())));
        }
        if rooms.is_empty() {
            return Err(missing());
        }
        Ok(Rooms(rooms))
    }

    /// Returns the room that a module is in: the one with the longest name that its path begins
    /// with.
    fn of(&self, module: &[String]) -> Option<&(String, Vec<String>)> {
        let path = module.join("/");
        let rooms = self.0.iter().filter(|(name, _)| is_in(&path, name));
        rooms.max_by_key(|(name, _)| name.len())
    }

    /// Returns a line for each room without a file.
    fn empty(&self, arrows: &Arrows) -> Vec<String> {
        let is_empty = |name: &str| !arrows.keys().any(|module| is_in(&module.join("/"), name));
        let rooms = self.0.iter().filter(|(name, _)| is_empty(name));
        rooms
            .map(|(name, _)| format!("room `{name}` has no file"))
            .collect()
    }

    /// Returns a line if the table does not allow the arrow. The crate's root may be used by all
    /// and uses all.
    fn fault(&self, from: &Module, to: &Module) -> Option<String> {
        if from.is_empty() || to.is_empty() {
            return None;
        }
        let shown = format!("{} uses {}", from.join("/"), to.join("/"));
        let (Some(user), Some(used)) = (self.of(from), self.of(to)) else {
            return Some(format!("{shown}: one of them is in no room of the table"));
        };
        let is_allowed = user.1.iter().any(|name| is_in(&used.0, name));
        // A module names its children, and they take names from it.
        if user.0 == used.0 || is_allowed || are_kin(from, to) {
            return None;
        }
        Some(format!(
            "{shown}: room `{}` may not use `{}`",
            user.0, used.0
        ))
    }
}

/// True if the path is that of the room, or of something in it.
fn is_in(path: &str, room: &str) -> bool {
    let rest = path.strip_prefix(room);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns the words in backticks of a cell of a table.
fn code_words(cell: &str) -> Vec<String> {
    let words = cell.split('`').skip(1).step_by(2);
    words.map(str::to_owned).collect()
}

// ---- cycles

/// Returns a line for each cycle among the children of a module, each child standing for all files
/// below it.
fn cycles(arrows: &Arrows) -> Vec<String> {
    let mut levels: BTreeMap<&[String], Arrows> = BTreeMap::new();
    for (from, targets) in arrows {
        for to in targets.iter().filter(|to| !are_kin(from, to)) {
            let shared = from
                .iter()
                .zip(to.iter())
                .take_while(|(a, b)| a == b)
                .count();
            let level = levels.entry(&from[..shared]).or_default();
            let next = level.entry(from[..=shared].to_vec()).or_default();
            next.insert(to[..=shared].to_vec());
        }
    }
    levels.values().flat_map(cycles_of_level).collect()
}

/// Returns a line for each set of modules that reach each other.
fn cycles_of_level(arrows: &Arrows) -> Vec<String> {
    let reached: BTreeMap<&Module, BTreeSet<&Module>> = (arrows.keys())
        .map(|from| (from, reached_from(arrows, from)))
        .collect();
    let returns = |from: &Module, to: &Module| {
        let back = reached.get(to);
        back.is_some_and(|back| back.contains(from))
    };
    let mut cycles = BTreeSet::new();
    for (&from, others) in reached.iter().filter(|(from, _)| returns(from, from)) {
        let members = others.iter().filter(|to| returns(from, to));
        cycles.insert(members.map(|module| module.join("/")).collect::<Vec<_>>());
    }
    let shown = |cycle: Vec<String>| format!("cycle of files: {}", cycle.join(", "));
    cycles.into_iter().map(shown).collect()
}

/// Returns the modules that arrows lead to from a module.
fn reached_from<'a>(arrows: &'a Arrows, from: &'a Module) -> BTreeSet<&'a Module> {
    let mut reached = BTreeSet::new();
    let mut worklist = vec![from];
    while let Some(module) = worklist.pop() {
        let next = arrows.get(module).into_iter().flatten();
        worklist.extend(next.filter(|to| reached.insert(*to)));
    }
    reached
}

/// True if one module lies in the other.
fn are_kin(a: &[String], b: &[String]) -> bool {
    a.starts_with(b) || b.starts_with(a)
}

// ---- files

/// A file of the crate, parsed.
struct Source {
    module: Module,
    file: syn::File,
}

/// Reads the files of a crate.
fn files(source: &Path) -> Result<Vec<Source>, String> {
    let mut files = Vec::new();
    collect(source, &mut Vec::new(), &mut files)?;
    Ok(files)
}

/// Reads the files in a folder and those below it.
fn collect(folder: &Path, path: &mut Module, files: &mut Vec<Source>) -> Result<(), String> {
    let fault = |error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(fault)? {
        let file = entry.map_err(fault)?.path();
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        if file.is_dir() {
            path.push(name.into_owned());
            collect(&file, path, files)?;
            path.pop();
        } else if file.extension().is_some_and(|extension| extension == "rs") {
            let mut module = path.clone();
            if name != "mod" && name != "lib" {
                module.push(name.into_owned());
            }
            files.push(Source::parse(module, &read(&file)?)?);
        }
    }
    Ok(())
}

impl Source {
    fn parse(module: Module, text: &str) -> Result<Source, String> {
        let file = syn::parse_file(text);
        let file = file.map_err(|error| format!("{}: {error}", module.join("/")))?;
        Ok(Source { module, file })
    }
}

/// Returns the arrows between files, those for tests alone left out.
fn arrows(sources: &[Source]) -> Arrows {
    let modules: BTreeSet<&Module> = sources.iter().map(|source| &source.module).collect();
    let mut found = Vec::new();
    let mut for_tests = Vec::new();
    for Source { module, file } in sources {
        let mut finder = Finder {
            module,
            modules: &modules,
            inner: 0,
            paths: BTreeSet::new(),
            names: BTreeMap::new(),
            for_tests: Vec::new(),
        };
        finder.visit_file(file);
        for_tests.append(&mut finder.for_tests);
        found.push((module, finder.paths, finder.names));
    }
    found.retain(|(module, ..)| !for_tests.iter().any(|test| module.starts_with(test)));
    let names: BTreeMap<&Module, &Names> = found
        .iter()
        .map(|(module, _, names)| (*module, names))
        .collect();
    let mut arrows = Arrows::new();
    for (module, paths, _) in &found {
        let targets = paths.iter().map(|path| target(path, &modules, &names));
        let mut targets: BTreeSet<Module> = targets.collect();
        targets.remove(*module);
        arrows.insert((*module).clone(), targets);
    }
    arrows
}

/// For each name that a module takes from elsewhere, its path from the crate's root.
type Names = BTreeMap<String, Vec<String>>;

/// The most modules that may pass a name on.
const MOST_STEPS: usize = 8;

/// Returns the module that defines what a path from the crate's root names.
fn target(
    path: &[String],
    modules: &BTreeSet<&Module>,
    names: &BTreeMap<&Module, &Names>,
) -> Module {
    let mut path = path.to_vec();
    for _ in 0..MOST_STEPS {
        let mut depth = path.len();
        while depth > 0 && !modules.contains(&path[..depth].to_vec()) {
            depth -= 1;
        }
        let rest = path.split_off(depth);
        let passed_on = rest.first().and_then(|name| names.get(&path)?.get(name));
        match passed_on {
            Some(origin) => path = origin.iter().chain(&rest[1..]).cloned().collect(),
            None => return path,
        }
    }
    path
}

/// Finds the paths in a file.
struct Finder<'a> {
    module: &'a Module,
    modules: &'a BTreeSet<&'a Module>,
    /// The number of modules within the file around the place.
    inner: usize,
    /// The paths to other places of the crate, from its root.
    paths: BTreeSet<Vec<String>>,
    names: Names,
    /// The modules in files of their own that are for tests alone.
    for_tests: Vec<Module>,
}

impl Finder<'_> {
    /// Returns the path from the crate's root, if it leads to another place of the crate.
    fn in_crate(&self, path: &[String]) -> Option<Vec<String>> {
        let mut base = match path.first()?.as_str() {
            "crate" => Vec::new(),
            "self" | "super" => self.module.clone(),
            child => {
                let mut child_module = self.module.clone();
                child_module.push(child.to_owned());
                let is_child = self.inner == 0 && self.modules.contains(&child_module);
                return is_child.then(|| [self.module, path].concat());
            }
        };
        // Modules within the file are the file itself.
        let mut inner = self.inner;
        let mut rest = path;
        while let Some((word, after)) = rest.split_first() {
            match word.as_str() {
                "super" if inner > 0 => inner -= 1,
                "super" => drop(base.pop()),
                "crate" | "self" => inner = if word == "crate" { 0 } else { inner },
                _ => break,
            }
            rest = after;
        }
        if inner > 0 {
            return None;
        }
        base.extend_from_slice(rest);
        Some(base)
    }

    fn note(&mut self, path: &[String]) {
        self.paths.extend(self.in_crate(path));
    }

    /// Notes every path of a tree of `use`.
    fn tree(&mut self, tree: &syn::UseTree, path: &mut Vec<String>) {
        match tree {
            syn::UseTree::Path(part) => {
                path.push(part.ident.to_string());
                self.tree(&part.tree, path);
                path.pop();
            }
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.tree(tree, path));
            }
            syn::UseTree::Name(name) => self.leaf(&name.ident, &name.ident, path),
            syn::UseTree::Rename(name) => self.leaf(&name.ident, &name.rename, path),
            syn::UseTree::Glob(_) => self.note(path),
        }
    }

    fn leaf(&mut self, ident: &proc_macro2::Ident, name: &proc_macro2::Ident, path: &[String]) {
        let mut path = path.to_vec();
        if ident != "self" {
            path.push(ident.to_string());
        }
        if let Some(path) = self.in_crate(&path) {
            if self.inner == 0 {
                self.names.insert(name.to_string(), path.clone());
            }
            self.paths.insert(path);
        }
    }

    /// Notes the paths among the tokens of a macro's call, which has no syntax of its own.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.note(&core::mem::take(&mut path));
                    }
                    path.push(ident.to_string());
                    colons = 0;
                }
                other => {
                    self.note(&core::mem::take(&mut path));
                    colons = 0;
                    if let TokenTree::Group(group) = other {
                        self.tokens(group.stream());
                    }
                }
            }
        }
        self.note(&path);
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if !is_for_tests(&item.attrs) {
            self.tree(&item.tree, &mut Vec::new());
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let words: Vec<String> = (path.segments.iter())
            .map(|segment| segment.ident.to_string())
            .collect();
        // A word alone is a name of this file.
        if words.len() > 1 {
            self.note(&words);
        }
        visit::visit_path(self, path);
    }

    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if is_for_tests(&item.attrs) {
            let mut module = self.module.clone();
            module.push(item.ident.to_string());
            self.for_tests.push(module);
        } else {
            self.inner += 1;
            visit::visit_item_mod(self, item);
            self.inner -= 1;
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.tokens(call.tokens.clone());
        visit::visit_macro(self, call);
    }
}

/// True if an item is compiled for tests alone.
fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::{Arrows, Module, Rooms, Source, arrows, cycles};

    fn module(path: &str) -> Module {
        let words = path.split('/').filter(|word| !word.is_empty());
        words.map(str::to_owned).collect()
    }

    fn rooms() -> Rooms {
        let page = "## Arrows\n| Room | Uses |\n|---|---|\n| `mem` | |\n| `ir` | `mem` |\n\
                    | `ir/text` | `ir` |\n\n## More\n| `x` | |\n";
        Rooms::parse(page).expect("a table")
    }

    /// The arrows of a crate with these files.
    fn arrows_of(files: &[(&str, &str)]) -> Arrows {
        let parse = |&(path, text): &(&str, &str)| Source::parse(module(path), text);
        let sources: Result<Vec<Source>, String> = files.iter().map(parse).collect();
        arrows(&sources.expect("Rust"))
    }

    /// The targets of a module's arrows.
    fn targets(arrows: &Arrows, from: &str) -> Vec<String> {
        let targets = &arrows[&module(from)];
        targets.iter().map(|target| target.join("/")).collect()
    }

    #[test]
    fn an_arrow_up_is_a_fault() {
        let arrows = arrows_of(&[
            ("mem/vec", "use crate::ir::Module;"),
            ("ir", "use crate::mem::vec;"),
        ]);
        let mut faults = Vec::new();
        for (from, targets) in &arrows {
            faults.extend(targets.iter().filter_map(|to| rooms().fault(from, to)));
        }
        assert_eq!(faults, ["mem/vec uses ir: room `mem` may not use `ir`"]);
    }

    #[test]
    fn arrows_go_where_the_table_says() {
        let fault = |from, to| rooms().fault(&module(from), &module(to));
        assert_eq!(fault("ir/module", "mem/vec"), None);
        assert_eq!(fault("ir/text/lexer", "ir/module"), None);
        assert!(fault("ir/module", "ir/text/lexer").is_some());
        assert!(fault("ir/text/lexer", "mem/vec").is_some());
        assert!(fault("ir/module", "elsewhere").is_some());
    }

    #[test]
    fn a_room_may_be_used_with_all_that_is_in_it() {
        let page = "## Arrows\n| `a/b` | |\n| `a` | `a/b` |\n| `c` | `a` |\n";
        let rooms = Rooms::parse(page).expect("a table");
        assert_eq!(rooms.fault(&module("c"), &module("a/b/x")), None);
        assert!(rooms.fault(&module("a/b/x"), &module("c")).is_some());
    }

    #[test]
    fn a_room_without_a_file_is_a_fault() {
        let arrows = arrows_of(&[("mem/vec", ""), ("ir/text", "")]);
        assert!(rooms().empty(&arrows).is_empty());
        assert_eq!(rooms().empty(&arrows_of(&[("ir", "")])).len(), 2);
    }

    #[test]
    fn tables_cannot_describe_cycles() {
        assert!(Rooms::parse("## Arrows\n| `mem` | `ir` |\n| `ir` | |\n").is_err());
        assert!(Rooms::parse("nothing").is_err());
    }

    #[test]
    fn every_kind_of_path_is_an_arrow() {
        let text = "use crate::a::{Thing, b::Other as O}; use super::d;
            fn f() { crate::e::g(); m!(x, crate::h::X); own::call() }
            mod inside { use super::super::i; use super::own2; use crate::k; }
            mod own; #[cfg(test)] mod tests { use crate::j; }
            #[cfg(test)] use crate::l;";
        let empty = ["a", "a/b", "d", "e", "h", "i", "j", "k", "l", "c/own"];
        let mut files = vec![("c", text)];
        files.extend(empty.map(|path| (path, "")));
        let expected = ["a", "a/b", "c/own", "d", "e", "h", "i", "k"];
        assert_eq!(targets(&arrows_of(&files), "c"), expected);
    }

    #[test]
    fn names_lead_to_the_file_that_defines_them() {
        let arrows = arrows_of(&[
            ("", "mod a; mod z;"),
            (
                "a",
                "mod b; pub use b::Thing; pub use crate::z::Far as Near;",
            ),
            ("a/b", "pub struct Thing;"),
            (
                "a/c",
                "use super::Thing; use crate::a::Near; use super::Own;",
            ),
            ("z", "pub struct Far;"),
        ]);
        assert_eq!(targets(&arrows, "a/c"), ["a", "a/b", "z"]);
    }

    #[test]
    fn files_for_tests_have_no_arrows() {
        let arrows = arrows_of(&[
            ("a", "#[cfg(test)] mod tests;"),
            ("a/tests", "use crate::b;"),
            ("b", ""),
        ]);
        assert!(!arrows.contains_key(&module("a/tests")));
    }

    #[test]
    fn cycles_of_files_are_found() {
        let found = cycles(&arrows_of(&[
            ("a", "use crate::b::B;"),
            ("b", "use crate::c::C;"),
            ("c", "use crate::a::A;"),
            ("d", "use crate::a::A;"),
        ]));
        assert_eq!(found, ["cycle of files: a, b, c"]);
    }

    #[test]
    fn children_stand_for_their_module_in_cycles() {
        let found = cycles(&arrows_of(&[
            ("r/a", "mod x;"),
            ("r/a/x", "use crate::r::b;"),
            ("r/b", "use super::a;"),
        ]));
        assert_eq!(found, ["cycle of files: r/a, r/b"]);
    }

    #[test]
    fn a_module_and_its_children_are_no_cycle() {
        let found = cycles(&arrows_of(&[
            ("a", "use self::x::y;"),
            ("a/x", "use super::z;"),
        ]));
        assert!(found.is_empty(), "{found:?}");
    }
}
