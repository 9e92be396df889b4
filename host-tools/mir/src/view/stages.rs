//! The function after each stage. Every distinct instruction is written once; a stage is a list of
//! runs of such numbers, which are few, as most stages leave most instructions as they are.

use super::graph::{Graph, Graphs};
use super::registers::{Before, Spilled, registers};
use crate::lines::LineFinder;
use crate::machine_ir::Names;
use crate::memory::MEMORY;
use mir_nostd::codegen::{Form, Printed, Stage, edges, loop_depths};
use mir_nostd::ir::{FuncId, Module};
use mir_nostd::machine::{BlockId, InsnId};
use mir_nostd::mem::{Entity, OutOfMemory};
use serde_json::{Value, json};
use std::collections::HashMap;

/// An instruction as it is in some of the stages.
struct Record {
    insn: u32,
    text: String,
    /// The line of the source; 0 if none is known.
    line: u32,
}

/// A block after a stage.
#[derive(Clone, PartialEq, Eq)]
struct Block {
    number: u32,
    depth: u32,
    successors: Vec<u32>,
    /// The records of its instructions: the first of each run and the length.
    runs: Vec<u32>,
}

/// Notes the functions of a module after each stage, one function after the other.
pub(super) struct Recorder<'a, 'm> {
    /// The names of the stages.
    stages: Vec<&'static str>,
    pub(super) module: (usize, &'a Module<'m>),
    pub(super) names: Names,
    finder: Option<LineFinder>,
    /// The function.
    func: FuncId,
    shots: Shots,
    /// The reason why a stage could not be noted.
    error: Option<OutOfMemory>,
}

/// The notes of a function.
#[derive(Default)]
struct Shots {
    records: Vec<Record>,
    /// The last record of each instruction.
    latest: HashMap<InsnId, u32>,
    /// An addend of the numbers of instructions since selection, which replaces all of them
    /// and uses their numbers again; 0 before it.
    offset: u32,
    stages: Vec<Value>,
    last: Vec<Block>,
    graphs: Graphs,
    before: Option<Before>,
    registers: Value,
    spilled: Spilled,
}

/// Returns the text of an instruction without the marks of last uses, which live intervals show
/// better.
pub(super) fn without_marks(text: &str) -> String {
    text.replace("killed ", "").replace("dead ", "")
}

impl<'a, 'm> Recorder<'a, 'm> {
    pub(super) fn new(
        stages: &[Stage<'static>],
        module: (usize, &'a Module<'m>),
        names: Names,
        finder: Option<LineFinder>,
    ) -> Recorder<'a, 'm> {
        Recorder {
            stages: stages.iter().map(|stage| stage.name).collect(),
            module,
            names,
            finder,
            func: FuncId::new(0),
            shots: Shots::default(),
            error: None,
        }
    }

    /// Begins with a function.
    pub(super) fn begin(&mut self, func: FuncId) {
        self.func = func;
        self.shots = Shots::default();
    }

    /// Notes the function as the next stage left it.
    pub(super) fn take(&mut self, form: Form, printed: &Printed<'_, '_>) {
        if let Err(error) = self.add(form, printed) {
            self.error = Some(error);
        }
    }

    fn add(&mut self, form: Form, printed: &Printed<'_, '_>) -> Result<(), OutOfMemory> {
        let (function, isa) = (printed.function, printed.isa);
        let number = self.shots.stages.len();
        if form >= Form::Selected && self.shots.offset == 0 {
            let numbers = self.shots.records.iter().map(|record| record.insn);
            self.shots.offset = numbers.max().unwrap_or(0) + 1;
            self.shots.latest.clear();
        }
        let (edges, depths) = (
            edges(function, isa, &MEMORY)?,
            loop_depths(function, isa, &MEMORY)?,
        );
        let mut blocks = Vec::new();
        for &block in &function.layout {
            let mut successors: Vec<u32> = Vec::new();
            for successor in edges.successors(block) {
                if !successors.contains(&successor.number()) {
                    successors.push(successor.number());
                }
            }
            blocks.push(Block {
                number: block.number(),
                depth: depths.get(block.index()).copied().unwrap_or(0),
                successors,
                runs: self.runs(printed, block),
            });
        }
        let name = self.stages.get(number).copied();
        if name == Some("allocate")
            && let Some(before) = self.shots.before.take()
        {
            let record = |insn| self.shots.latest.get(&insn).copied();
            let (value, spilled) = registers(&before, *printed, &record);
            (self.shots.registers, self.shots.spilled) = (value, spilled);
        }
        if self.stages.get(number + 1) == Some(&"allocate") {
            self.shots.before = Before::new(printed, &MEMORY)?;
        }
        self.note(name.unwrap_or("?"), form, blocks);
        Ok(())
    }

    fn note(&mut self, name: &str, form: Form, blocks: Vec<Block>) {
        let shots = &mut self.shots;
        let graph = Graph {
            blocks: blocks.iter().map(|block| block.number).collect(),
            edges: { blocks.iter() }
                .flat_map(|block| block.successors.iter().map(|&to| (block.number, to)))
                .collect(),
        };
        let mut shot = json!({
            "name": name,
            "form": format!("{form:?}").to_lowercase(),
            "graph": shots.graphs.number(graph),
        });
        // A stage without an effect refers to the one before it.
        if shots.stages.is_empty() || blocks != shots.last {
            let blocks = blocks
                .iter()
                .map(|block| json!([block.number, block.depth, block.successors, block.runs]));
            shot["blocks"] = blocks.collect();
        }
        shots.last = blocks;
        shots.stages.push(shot);
    }

    /// Returns the runs of records of a block's instructions.
    fn runs(&mut self, printed: &Printed<'_, '_>, block: BlockId) -> Vec<u32> {
        let mut runs: Vec<u32> = Vec::new();
        for insn in printed.function.insns(block) {
            let record = self.record(printed, insn);
            match runs.as_mut_slice() {
                [.., first, len] if *first + *len == record => *len += 1,
                _ => runs.extend([record, 1]),
            }
        }
        runs
    }

    /// Returns the record of an instruction, which is a new one if it has changed.
    fn record(&mut self, printed: &Printed<'_, '_>, insn: InsnId) -> u32 {
        let text = self.text(printed, insn);
        let line = self.line(printed, insn);
        let known = self.shots.latest.get(&insn).copied();
        if let Some(known) = known
            && let Some(record) = self.shots.records.get(known as usize)
            && record.text == text
            && record.line == line
        {
            return known;
        }
        let number = self.shots.records.len() as u32;
        self.shots.records.push(Record {
            insn: self.key(insn),
            text,
            line,
        });
        self.shots.latest.insert(insn, number);
        number
    }

    /// Returns the number by which an instruction is known in all stages.
    pub(super) fn key(&self, insn: InsnId) -> u32 {
        insn.number() + self.shots.offset
    }

    /// Returns the text of an instruction, with the names of what it refers to.
    fn text(&mut self, printed: &Printed<'_, '_>, insn: InsnId) -> String {
        let function = printed.function;
        let mut text = without_marks(&printed.insn(insn).to_string());
        for operand in function.operands(insn) {
            let Some(symbol) = operand.as_symbol() else {
                continue;
            };
            let symbol = function.symbol(symbol);
            let (number, module) = self.module;
            let name = self.names.symbol(number, module, symbol);
            let name = format!("@{}", String::from_utf8_lossy(&name));
            text = text.replace(&format!("{symbol:?}"), &name);
        }
        text
    }

    pub(super) fn line(&mut self, printed: &Printed<'_, '_>, insn: InsnId) -> u32 {
        let (_, module) = self.module;
        let (func, function) = (self.func, printed.function);
        let finder = self.finder.as_mut();
        let line = finder.and_then(|finder| finder.insn_line(module, func, function, insn));
        line.map_or(0, |line| line.number)
    }

    /// Returns the values in frame objects.
    pub(super) fn spilled(&self) -> &Spilled {
        &self.shots.spilled
    }

    /// Adds what was noted to the data of the function.
    pub(super) fn finish(&mut self, data: &mut Value) -> Result<(), OutOfMemory> {
        let shots = core::mem::take(&mut self.shots);
        let records = shots.records.iter();
        data["insns"] = { records.clone() }.map(|record| record.insn).collect();
        data["texts"] = { records.clone() }.map(|record| &*record.text).collect();
        data["lines"] = records.map(|record| record.line).collect();
        data["stages"] = shots.stages.into();
        data["graphs"] = shots.graphs.finish();
        data["registers"] = shots.registers;
        self.error.take().map_or(Ok(()), Err)
    }
}
