//! This module tells debuggers from which line each piece of a function's code comes, and writes
//! that as DWARF: of Medium IR as text, or of what a program in LLVM IR was made from.

use crate::input::Source;
use crate::source_map::SourceMap;
use crate::variables::{self, Variables};
use gimli::write::{
    Address, AttributeValue, DwarfUnit, FileId, LineProgram, LineString, Range, RangeList,
    UnitEntryId,
};
use gimli::{Encoding, Format, LineEncoding, constants};
use llvm_ir::DebugInfo;
use mir_nostd::codegen::Compiler;
use mir_nostd::ir::{Code, FuncId, Module};
use mir_nostd::machine::{Function, InsnId};
use mir_nostd::mem::Entity;
use std::collections::HashMap;
use std::sync::Arc;

/// A line of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    pub(crate) file: Arc<str>,
    /// From 1; 0 if it is not known.
    pub(crate) number: u32,
}

/// The lines of a function's code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lines {
    /// The line of the function's head.
    pub(crate) head: Line,
    /// The line of the code from each of these offsets on, in ascending order.
    pub(crate) rows: Vec<(u32, Line)>,
}

/// Finds the lines of instructions of a module.
#[derive(Debug)]
pub(crate) struct LineFinder {
    /// The name of the program's own file.
    file: Arc<str>,
    places: Places,
    /// The number of the module in its file.
    module: usize,
    /// For each function that was asked for, the number of each instruction without labels.
    numbers: HashMap<FuncId, Vec<usize>>,
}

/// The text that has the lines.
#[derive(Debug)]
enum Places {
    /// Medium IR.
    Medium(SourceMap),
    /// LLVM IR; its own debug locations, if it has any, lead to C, C++ or Rust.
    Llvm(llvm_ir::Lines, Option<Arc<DebugInfo>>),
}

impl LineFinder {
    /// Returns a finder for module number `module` of a source whose file is told by this name;
    /// `None` if it has no lines.
    pub(crate) fn new(source: &Source, module: usize, file: &str) -> Option<LineFinder> {
        let places = match source.imported_lines() {
            Some(lines) => {
                let info = DebugInfo::new(&source.bytes);
                let info = (!info.is_empty()).then(|| Arc::new(info));
                Places::Llvm(lines.clone(), info)
            }
            None if source.is_text() => Places::Medium(SourceMap::new(&source.bytes)),
            None => return None,
        };
        Some(LineFinder {
            file: file.into(),
            places,
            module,
            numbers: HashMap::new(),
        })
    }

    /// Returns the same finder for the lines of the text itself, whatever that was made from.
    pub(crate) fn of_text(mut self) -> LineFinder {
        if let Places::Llvm(_, info) = &mut self.places {
            *info = None;
        }
        self
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
        let mut rows: Vec<(u32, Line)> = Vec::new();
        for &(at, insn) in &compiler.output.code.places {
            if self.is_of_head(func, function, insn) {
                continue;
            }
            let Some(line) = self.insn_line(module, func, function, insn) else {
                continue;
            };
            // An instruction without code has no line.
            if rows.last().is_some_and(|&(start, _)| start == at) {
                rows.pop();
            }
            if rows.last().is_none_or(|(_, last)| *last != line) {
                rows.push((at, line));
            }
        }
        let head = self.head(module, func);
        Lines { head, rows }
    }

    /// Returns true if an instruction is in the text on the line of its function's head: the
    /// importer puts there what comes before the function's own instructions.
    fn is_of_head(&self, func: FuncId, function: &Function<'_>, insn: InsnId) -> bool {
        let Places::Llvm(lines, _) = &self.places else {
            return false;
        };
        let site = function.insn_site(insn).filter(|site| site.inlined == 0);
        let line = site.and_then(|site| lines.instruction(func, site.number as usize));
        line.is_some() && line == lines.head(func)
    }

    /// Returns the variables of a function, which was compiled last: those of the text, or of what
    /// that was made from.
    pub(crate) fn variables(
        &self,
        module: &Module<'_>,
        func: FuncId,
        compiler: &Compiler<'_>,
    ) -> Variables {
        match &self.places {
            Places::Llvm(lines, Some(info)) => {
                Variables::of_source(module, func, compiler, (lines, info))
            }
            _ => Variables::of_medium(module, func, compiler),
        }
    }

    /// Returns the line of an instruction of Machine IR of a function, which was compiled with
    /// `Execution::lines`.
    pub(crate) fn insn_line(
        &mut self,
        module: &Module<'_>,
        func: FuncId,
        function: &Function<'_>,
        insn: InsnId,
    ) -> Option<Line> {
        let site = function.insn_site(insn)?;
        let inlined = (site.inlined as usize).checked_sub(1);
        let inlined = inlined.and_then(|number| function.inlined.get(number));
        let func = inlined.map_or(func, |inlined| inlined.func);
        self.line(module, func, site.number as usize)
    }

    /// Returns the line of the head of a function.
    pub(crate) fn head(&self, module: &Module<'_>, func: FuncId) -> Line {
        let found = match &self.places {
            Places::Llvm(lines, info) => {
                let line = lines.head(func);
                line.and_then(|line| self.debug_line(info.as_deref(), line))
            }
            Places::Medium(map) => {
                let name = module.item(module.func(func).item).name;
                let name = name.map_or(&b""[..], |name| module.name_bytes(name));
                let span = map.named(self.module, name, false);
                span.map(|span| self.own_line(span.line))
            }
        };
        found.unwrap_or_else(|| self.own_line(0))
    }

    /// Returns the line of the instruction of this number, labels counted.
    pub(crate) fn line(
        &mut self,
        module: &Module<'_>,
        func: FuncId,
        number: usize,
    ) -> Option<Line> {
        match &self.places {
            Places::Llvm(lines, info) => {
                self.debug_line(info.as_deref(), lines.instruction(func, number)?)
            }
            Places::Medium(map) => {
                let numbers = { self.numbers.entry(func) }.or_insert_with(|| numbers(module, func));
                let span = map.insn(self.module, func.index(), *numbers.get(number)?, None)?;
                Some(self.own_line(span.line))
            }
        }
    }

    /// Returns the location that a line of LLVM IR states, or in a text that states none the line
    /// itself.
    fn debug_line(&self, info: Option<&DebugInfo>, line: u32) -> Option<Line> {
        let Some(info) = info else {
            return Some(self.own_line(line));
        };
        let location = info.location(line)?;
        Some(Line {
            file: location.file,
            number: location.line,
        })
    }

    fn own_line(&self, number: u32) -> Line {
        Line {
            file: Arc::clone(&self.file),
            number,
        }
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
    pub(crate) variables: Variables,
}

/// Returns the DWARF of functions of a program whose own file has this name.
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
    let mut files = Files::new();
    for function in functions {
        add_rows(&mut program, &mut files, function);
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
    // No number stands for Medium IR. Of C debuggers know expressions, and that variables are not
    // there before the end of the prologue.
    let language = AttributeValue::Language(constants::DW_LANG_C99);
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
    let mut types = variables::Types::default();
    for function in functions {
        let entry = add_entry(&mut dwarf, root, &files, function);
        let entry = (entry, function.start);
        function.variables.add(&mut dwarf.unit, entry, &mut types);
    }
    dwarf
}

/// The files of a line program.
type Files = HashMap<Arc<str>, FileId>;

/// Returns the number of a file, which is added to the program when it comes for the first time.
fn file_id(program: &mut LineProgram, files: &mut Files, file: &Arc<str>) -> FileId {
    *files.entry(Arc::clone(file)).or_insert_with(|| {
        let directory = program.default_directory();
        let name = LineString::String(file.as_bytes().to_vec());
        program.add_file(name, directory, None)
    })
}

/// Adds the lines of a function: its head until the first instruction that has a line.
fn add_rows(program: &mut LineProgram, files: &mut Files, function: &LinedFunction) {
    program.begin_sequence(Some(function.start));
    file_id(program, files, &function.lines.head.file);
    let rows = &function.lines.rows;
    let body = rows.first().map(|&(at, _)| at);
    let head = Some((0, function.lines.head.clone())).filter(|_| body != Some(0));
    for (at, line) in head.iter().chain(rows) {
        let file = file_id(program, files, &line.file);
        let row = program.row();
        row.address_offset = (*at).into();
        row.file = file;
        row.line = line.number.into();
        row.prologue_end = body == Some(*at);
        program.generate_row();
    }
    program.end_sequence(function.bytes);
}

/// Adds the entry of a function.
fn add_entry(
    dwarf: &mut DwarfUnit,
    root: UnitEntryId,
    files: &Files,
    function: &LinedFunction,
) -> UnitEntryId {
    let id = dwarf.unit.add(root, constants::DW_TAG_subprogram);
    let entry = dwarf.unit.get_mut(id);
    let name = AttributeValue::String(function.name.as_bytes().to_vec());
    entry.set(constants::DW_AT_name, name);
    entry.set(
        constants::DW_AT_decl_file,
        AttributeValue::FileIndex(files.get(&function.lines.head.file).copied()),
    );
    let line = AttributeValue::Udata(function.lines.head.number.into());
    entry.set(constants::DW_AT_decl_line, line);
    entry.set(
        constants::DW_AT_low_pc,
        AttributeValue::Address(function.start),
    );
    entry.set(
        constants::DW_AT_high_pc,
        AttributeValue::Udata(function.bytes),
    );
    id
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
        let source = Source::new("work.mir", TEXT.into());
        let long_double = isa.target().long_double;
        let modules =
            mir_nostd::text::parse(TEXT.as_bytes(), &MEMORY, long_double, &mut |_| {}).unwrap();
        let module = &modules[0];
        let (func, _) = module.funcs().next().unwrap();
        let mut compiler = Compiler::new(isa, &MEMORY);
        compiler.options.level = level;
        compiler.execution.lines = true;
        compiler.compile(module, func).unwrap();
        let mut finder = LineFinder::new(&source, 0, "work.mir").unwrap();
        let lines = finder.lines(module, func, &compiler);
        let end = compiler.output.code.len();
        assert!(lines.rows.is_sorted_by(|a, b| a.0 < b.0), "{lines:?}");
        assert!(lines.rows.iter().all(|&(at, _)| at < end), "{lines:?}");
        let rows = lines.rows.iter();
        (lines.head.number, rows.map(|row| row.1.number).collect())
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
