//! This module tells debuggers from which line of a program in Medium IR as text each piece of a
//! function's code comes, and writes that as DWARF.

use crate::input::Source;
use crate::source_map::SourceMap;
use gimli::write::{
    Address, AttributeValue, DwarfUnit, FileId, LineProgram, LineString, Range, RangeList,
    UnitEntryId,
};
use gimli::{Encoding, Format, LineEncoding, constants};
use mir_nostd::codegen::Compiler;
use mir_nostd::ir::{Code, FuncId, Module};
use mir_nostd::mem::Entity;
use std::collections::HashMap;

/// The lines of a function's code.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Lines {
    /// The line of the function's head.
    pub(crate) head: u32,
    /// The line of the code from each of these offsets on, in ascending order.
    pub(crate) rows: Vec<(u32, u32)>,
}

/// Finds the lines of instructions of a module.
#[derive(Debug)]
pub(crate) struct LineFinder {
    map: SourceMap,
    /// The number of the module in its file.
    module: usize,
    /// For each function that was asked for, the number of each instruction without labels.
    numbers: HashMap<FuncId, Vec<usize>>,
}

impl LineFinder {
    /// Returns a finder for module number `module` of a source; `None` if that has no lines of
    /// Medium IR.
    pub(crate) fn new(source: &Source, module: usize) -> Option<LineFinder> {
        source.is_text().then(|| LineFinder {
            map: SourceMap::new(&source.bytes),
            module,
            numbers: HashMap::new(),
        })
    }

    /// Returns the lines of the code of a function, which was compiled last with
    /// `Execution::lines`.
    pub(crate) fn lines(
        &mut self,
        module: &Module<'_>,
        func: FuncId,
        compiler: &Compiler<'_>,
    ) -> Lines {
        let function = &compiler.function;
        let mut rows: Vec<(u32, u32)> = Vec::new();
        for &(at, insn) in &compiler.output.code.places {
            let Some(site) = function.insn_site(insn) else {
                continue;
            };
            let inlined = (site.inlined as usize).checked_sub(1);
            let inlined = inlined.and_then(|number| function.inlined.get(number));
            let func = inlined.map_or(func, |inlined| inlined.func);
            let Some(line) = self.line(module, func, site.number as usize) else {
                continue;
            };
            // An instruction without code has no line.
            if rows.last().is_some_and(|&(start, _)| start == at) {
                rows.pop();
            }
            if rows.last().is_none_or(|&(_, last)| last != line) {
                rows.push((at, line));
            }
        }
        let name = module.item(module.func(func).item).name;
        let name = name.map_or(&b""[..], |name| module.name_bytes(name));
        let head = self.map.named(self.module, name, false);
        Lines {
            head: head.map_or(0, |span| span.line),
            rows,
        }
    }

    /// Returns the line of the instruction of this number, labels counted.
    fn line(&mut self, module: &Module<'_>, func: FuncId, number: usize) -> Option<u32> {
        let numbers = { self.numbers.entry(func) }.or_insert_with(|| numbers(module, func));
        let number = *numbers.get(number)?;
        let span = self.map.insn(self.module, func.index(), number, None)?;
        Some(span.line)
    }
}

/// Returns the number without labels of each instruction of a function, labels included.
fn numbers(module: &Module<'_>, func: FuncId) -> Vec<usize> {
    let is_counted = |insn| usize::from(module.code(insn) != Code::Label);
    let count = |before: &mut usize, insn| {
        let number = *before;
        *before += is_counted(insn);
        Some(number)
    };
    module.insns(func).scan(0, count).collect()
}

/// A function of an executable or object, with its lines.
#[derive(Clone, Debug)]
pub(crate) struct LinedFunction {
    pub(crate) name: String,
    pub(crate) start: Address,
    pub(crate) bytes: u64,
    pub(crate) lines: Lines,
}

/// Returns the DWARF of functions that come from one file.
pub(crate) fn dwarf(file: &str, functions: &[LinedFunction]) -> DwarfUnit {
    let encoding = Encoding {
        format: Format::Dwarf32,
        version: 4,
        address_size: 8,
    };
    let mut dwarf = DwarfUnit::new(encoding);
    let here = LineString::String(b".".to_vec());
    let name = LineString::String(file.as_bytes().to_vec());
    let mut program = LineProgram::new(
        encoding,
        LineEncoding::default(),
        here,
        None,
        name.clone(),
        None,
    );
    let directory = program.default_directory();
    let id = program.add_file(name, directory, None);
    for function in functions {
        add_rows(&mut program, id, function);
    }
    dwarf.unit.line_program = program;
    let range = |function: &LinedFunction| Range::StartLength {
        begin: function.start,
        length: function.bytes,
    };
    let ranges = RangeList(functions.iter().map(range).collect());
    let ranges = dwarf.unit.ranges.add(ranges);
    let root = dwarf.unit.root();
    let producer = concat!("mir ", env!("CARGO_PKG_VERSION"));
    let entry = dwarf.unit.get_mut(root);
    let text = |text: &str| AttributeValue::String(text.as_bytes().to_vec());
    entry.set(constants::DW_AT_producer, text(producer));
    // No number stands for Medium IR; assembly is the nearest.
    let language = AttributeValue::Language(constants::DW_LANG_Mips_Assembler);
    entry.set(constants::DW_AT_language, language);
    entry.set(constants::DW_AT_name, text(file));
    entry.set(constants::DW_AT_stmt_list, AttributeValue::LineProgramRef);
    entry.set(
        constants::DW_AT_low_pc,
        AttributeValue::Address(Address::Constant(0)),
    );
    entry.set(
        constants::DW_AT_ranges,
        AttributeValue::RangeListRef(ranges),
    );
    for function in functions {
        add_entry(&mut dwarf, root, id, function);
    }
    dwarf
}

/// Adds the lines of a function: its head until the first instruction that has a line.
fn add_rows(program: &mut LineProgram, file: FileId, function: &LinedFunction) {
    program.begin_sequence(Some(function.start));
    let rows = &function.lines.rows;
    let body = rows.first().map(|&(at, _)| at);
    let head = Some((0, function.lines.head)).filter(|_| body != Some(0));
    for (at, line) in head.into_iter().chain(rows.iter().copied()) {
        let row = program.row();
        row.address_offset = at.into();
        row.file = file;
        row.line = line.into();
        row.prologue_end = body == Some(at);
        program.generate_row();
    }
    program.end_sequence(function.bytes);
}

/// Adds the entry of a function.
fn add_entry(dwarf: &mut DwarfUnit, root: UnitEntryId, file: FileId, function: &LinedFunction) {
    let id = dwarf.unit.add(root, constants::DW_TAG_subprogram);
    let entry = dwarf.unit.get_mut(id);
    let name = AttributeValue::String(function.name.as_bytes().to_vec());
    entry.set(constants::DW_AT_name, name);
    entry.set(
        constants::DW_AT_decl_file,
        AttributeValue::FileIndex(Some(file)),
    );
    let line = AttributeValue::Udata(function.lines.head.into());
    entry.set(constants::DW_AT_decl_line, line);
    entry.set(
        constants::DW_AT_low_pc,
        AttributeValue::Address(function.start),
    );
    entry.set(
        constants::DW_AT_high_pc,
        AttributeValue::Udata(function.bytes),
    );
}

#[cfg(test)]
mod tests {
    use super::LineFinder;
    use crate::input::Source;
    use crate::memory::MEMORY;
    use mir_nostd::codegen::{Backend, Compiler};

    /// A function with a statement on each of the lines 5 to 10, one of which becomes several
    /// instructions, and a helper from line 13 on, which is inlined from level 2 on.
    const TEXT: &str = "m: module
forward half; p: proto i64, i64:n
work: func i64, i64:n
  local i64:s
  mov s, 0
l: add s, s, n; mul s, s, 3
  sub n, n, 1
  bgt l, n, 0
  call p, half, s, s
  ret s
  endfunc
half: func i64, i64:n
  div n, n, 2
  ret n
  endfunc
  endmodule
";

    /// Returns the lines of `work`'s code, in order and without repetitions, and the line of its
    /// head.
    fn lines_of_work(isa: &'static dyn Backend, level: u8) -> (u32, Vec<u32>) {
        let source = Source {
            name: "work.mir".into(),
            bytes: TEXT.into(),
        };
        let long_double = isa.target().long_double;
        let modules =
            mir_nostd::text::parse(TEXT.as_bytes(), &MEMORY, long_double, &mut |_| {}).unwrap();
        let module = &modules[0];
        let (func, _) = module.funcs().next().unwrap();
        let mut compiler = Compiler::new(isa, &MEMORY);
        compiler.options.level = level;
        compiler.execution.lines = true;
        compiler.compile(module, func).unwrap();
        let mut finder = LineFinder::new(&source, 0).unwrap();
        let lines = finder.lines(module, func, &compiler);
        let end = compiler.output.code.len();
        assert!(lines.rows.is_sorted_by(|a, b| a.0 < b.0), "{lines:?}");
        assert!(lines.rows.iter().all(|&(at, _)| at < end), "{lines:?}");
        (lines.head, lines.rows.iter().map(|row| row.1).collect())
    }

    #[test]
    fn every_statement_is_found_in_the_code_of_each_isa() {
        for &isa in target_all::ISAS {
            for level in 0..2 {
                let name = isa.target().name;
                let found = lines_of_work(isa, level);
                assert_eq!(found, (3, vec![5, 6, 7, 8, 9, 10]), "{name} -O{level}");
            }
        }
    }

    #[test]
    fn optimised_code_comes_from_the_lines_of_what_was_inlined_too() {
        for &isa in target_all::ISAS {
            for level in 2..4 {
                let (head, lines) = lines_of_work(isa, level);
                let name = isa.target().name;
                assert_eq!(head, 3);
                // The loop, the test and the division stay, whatever their order is.
                for line in [6, 8, 13] {
                    assert!(lines.contains(&line), "{name} -O{level}: {lines:?}");
                }
            }
        }
    }
}
