//! Programs that are made ahead: rewritten for another machine, where nobody knows yet at which
//! address their memory will be.
//!
//! **Idea.** [`Program::link`] makes modules with addresses of the host as constants. Here they
//! have symbols instead, which a linker knows the distance of: [`MEMORY`](super::MEMORY) for the
//! program's memory and [`TABLE`] for the table of its functions. The words that code reads and
//! writes are right before the memory. All else is the same, one instruction for each of the other
//! kind.

use super::layout::Placed;
use super::linkage::{Row, Source};
use super::program::Program;
use super::rewrite::{Environment, Rewritten};
use super::symbols::{TABLE, WORDS_BYTES, symbol};
use super::{FIRST_FUNCTION, HANDLE_STEP};
use crate::ir::{Class, ItemId, ItemKind, Module, Problem, Result, Type};
use crate::mem::Vec;
use core::ops::Range;

/// A program that was made ahead.
pub struct Ahead<'m> {
    /// Its modules, which refer to each other by names, to [`MEMORY`](super::MEMORY) and to
    /// [`TABLE`]. Functions that are not exported are referred to from within their modules only,
    /// if at all. Faults in their code tell the numbers of instructions as they were loaded.
    pub modules: Vec<'m, Module<'m>>,
    /// A module with the table of functions, and lists of constructors and destructors. After its
    /// rows the table has a byte for each function that says how the embedder may call it: the
    /// number of its arguments, all integers and at most 6, and 8 more if it returns an integer;
    /// 255 if it takes or returns anything else, is not needed, or is an import.
    pub table: Module<'m>,
    /// The number of rows of the table of functions.
    pub functions: u32,
    /// The names of exported functions, and of their symbols.
    pub exports: Vec<'m, [Vec<'m, u8>; 2]>,
    /// The end of the program's stack.
    pub stack_top: u64,
    /// The addresses of the program that neither data nor stack take.
    pub heap: Range<u64>,
}

impl<'m> Program<'_, 'm> {
    /// Rewrites the program as [`Program::link`] does, for another machine that has the target of
    /// the context. The initial contents of its memory are in that of the space, the values of
    /// `expr` items among them, which are computed here. The program cannot run here. Imports that
    /// it does not refer to are functions that it can call by their values if `keeps_imports` is
    /// true; else they are none, and nobody has to have them.
    ///
    /// # Errors
    ///
    /// As [`Program::link`].
    pub fn link_ahead(&mut self, keeps_imports: bool) -> Result<Ahead<'m>> {
        let environment = Environment {
            base: 0,
            words: (-WORDS_BYTES).cast_unsigned(),
            // The routine that looks windows up knows where the table is.
            windows: self.space.options.windows.into(),
            is_ahead: true,
            ..self.environment()
        };
        let (placed, mut needed) = self.lay_out()?;
        let is_expr = |placed: &Placed<'m>| {
            let mut items = placed.module.items();
            items.any(|(_, item)| matches!(item.kind, ItemKind::Expr { .. }))
        };
        if placed.iter().any(is_expr) {
            // Linking computes them, in the interpreter.
            let here = self.rewrite(&placed, &needed, self.environment())?;
            self.link_rewritten(here, &needed)?;
        }
        let mut rewritten = self.rewrite(&placed, &needed, environment)?;
        for (row, is_needed) in self.linkage.rows.iter().zip(needed.iter_mut()) {
            *is_needed |= keeps_imports && matches!(row.source, Source::Import(_));
        }
        let symbols = self.symbols(&rewritten)?;
        let shapes = self.shapes(&placed, &needed)?;
        let table = self.table(&symbols, &needed, &shapes)?;
        let exports = self.exports(&symbols)?;
        let mut modules = Vec::new(self.context.allocator());
        // They keep their order.
        rewritten.reverse();
        while let Some(Rewritten {
            mut module,
            origins,
            ..
        }) = rewritten.pop()
        {
            module.set_origins(origins);
            modules.push(module)?;
        }
        Ok(Ahead {
            modules,
            table,
            functions: self.linkage.rows.len() as u32,
            exports,
            stack_top: self.space.stack_top(),
            heap: self.heap.clone(),
        })
    }

    /// Returns the names of the symbols of functions and imports, by number.
    fn symbols(&self, rewritten: &[Rewritten<'m>]) -> Result<Vec<'m, Vec<'m, u8>>> {
        let allocator = self.context.allocator();
        let mut symbols = Vec::new(allocator);
        for row in self.linkage.rows.iter() {
            let mut symbol = Vec::new(allocator);
            if let Source::Module { module, func } = row.source
                && let Some(Rewritten { module, .. }) = rewritten.get(module as usize)
                && let Some(name) = module.item(module.func(func).item).name
            {
                symbol.extend_from_slice(module.name_bytes(name))?;
            }
            symbols.push(symbol)?;
        }
        self.linkage.each_function(|name, number| {
            if let Some(symbols) = symbols.get_mut(number as usize)
                && symbols.is_empty()
            {
                *symbols = symbol(allocator, &self.linkage, number, name)?;
            }
            Ok(())
        })?;
        Ok(symbols)
    }

    /// Returns the module with the table of functions: a signature and an address for each. Those
    /// that are not needed have no signature there, imports too.
    fn table(&self, symbols: &[Vec<'m, u8>], needed: &[bool], shapes: &[u8]) -> Result<Module<'m>> {
        let format = self.context.target().long_double;
        let mut table = Module::new(self.context.allocator(), b"table", format)?;
        let mut items = Vec::new(self.context.allocator());
        for number in 0..self.linkage.rows.len() {
            items.push(match (needed.get(number), symbols.get(number)) {
                (Some(true), Some(symbol)) => Some(table.import(symbol)?),
                _ => None,
            })?;
        }
        table.export(TABLE)?;
        let mut name = Some(TABLE);
        for (row, &item) in self.linkage.rows.iter().zip(items.iter()) {
            let signature = item.map_or(u64::MAX, |_| u64::from(row.signature));
            table.data(name.take(), Type::I64, &signature.to_le_bytes())?;
            match item {
                Some(item) => table.ref_data(None, item, 0)?,
                None => table.bss(None, 8)?,
            };
        }
        match name {
            Some(_) => table.bss(name, 16)?,
            None => table.data(None, Type::U8, shapes)?,
        };
        add_list(&mut table, b".init_array", &items, self.constructors.iter())?;
        // Linkers call those of this list from its end on.
        let destructors = self.destructors.iter().rev();
        add_list(&mut table, b".fini_array", &items, destructors)?;
        Ok(table)
    }

    /// Returns how each function may be called, as [`Ahead::table`] has it.
    fn shapes(&self, placed: &[Placed<'m>], needed: &[bool]) -> Result<Vec<'m, u8>> {
        let mut shapes = Vec::new(self.context.allocator());
        for (row, is_needed) in self.linkage.rows.iter().zip(needed) {
            let shape = is_needed.then(|| shape(row, placed)).flatten();
            shapes.push(shape.unwrap_or(u8::MAX))?;
        }
        Ok(shapes)
    }

    /// Returns the names of exported functions and of their symbols.
    fn exports(&self, symbols: &[Vec<'m, u8>]) -> Result<Vec<'m, [Vec<'m, u8>; 2]>> {
        let allocator = self.context.allocator();
        let mut exports = Vec::new(allocator);
        self.linkage.each_function(|name, number| {
            let source = self.linkage.row(number).map(|row| row.source);
            if let (Some(Source::Module { .. }), Some(symbol)) =
                (source, symbols.get(number as usize))
            {
                let name = Vec::from_slice(allocator, name)?;
                exports.push([name, Vec::from_slice(allocator, symbol)?])?;
            }
            Ok(())
        })?;
        Ok(exports)
    }
}

/// Returns how the embedder may call a function of the program, if it may.
fn shape(row: &Row, placed: &[Placed<'_>]) -> Option<u8> {
    let Source::Module { module, func } = row.source else {
        return None;
    };
    let module = &placed.get(module as usize)?.module;
    let signature = &module.func(func).signature;
    let (args, results) = (module.args(signature), module.results(signature));
    let is_int = |ty: Type| !ty.is_block() && ty.class() == Class::Int;
    let fits = !signature.is_vararg()
        && args.len() <= MOST_ARGUMENTS
        && results.len() <= 1
        && args.iter().all(|arg| is_int(arg.ty))
        && results.iter().all(|&ty| is_int(ty));
    fits.then_some(args.len() as u8 | (results.len() as u8) << 3)
}

/// The most arguments with which the embedder calls a function by its value.
const MOST_ARGUMENTS: usize = 6;

/// Adds a list of the functions with these values.
fn add_list<'v>(
    table: &mut Module<'_>,
    name: &[u8],
    items: &[Option<ItemId>],
    values: impl Iterator<Item = &'v u64>,
) -> Result<()> {
    let mut name = Some(name);
    for &value in values {
        let number = value.wrapping_sub(FIRST_FUNCTION) / HANDLE_STEP;
        let item = items.get(number as usize).copied().flatten();
        let item = item.ok_or(Problem::ListEntry)?;
        table.ref_data(name.take(), item, 0)?;
    }
    Ok(())
}

impl core::fmt::Debug for Ahead<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Ahead")
            .field("modules", &self.modules.len())
            .field("stack_top", &self.stack_top)
            .finish_non_exhaustive()
    }
}
