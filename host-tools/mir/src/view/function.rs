//! Functions as they are compiled for one target at one level.

use super::stages::Recorder;
use crate::disassembly::{CodePiece, Disassembler};
use crate::machine_ir::Names;
use crate::memory::MEMORY;
use crate::object::Options;
use core::fmt;
use core::time::Duration;
use mir_nostd::codegen::{
    Compiler, DebugLevel, DebugOutput, DebugSink, Error, Form, Offsets, Printed, Stage, Work,
};
use mir_nostd::ir::{FuncId, Module};
use mir_nostd::mem::Entity;
use serde_json::{Value, json};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// How often a function is compiled to measure its stages; the shortest time of each counts.
const RUNS: usize = 3;

/// The cost of a stage, and what the compiler says of it.
#[derive(Clone, Default, Debug)]
struct Cost {
    /// The time; `None` if the stage was left out.
    time: Option<Duration>,
    /// The bytes that the compiler holds after it.
    bytes: u64,
    message: String,
}

/// The messages of a compiler, one for each stage.
#[derive(Default)]
struct Messages(Mutex<Vec<String>>);

impl DebugSink for Messages {
    fn say(&self, message: fmt::Arguments<'_>) {
        let mut messages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        messages.push(message.to_string());
    }
}

impl Messages {
    /// Takes the message on each stage, without the names of function and stage.
    fn take(&self) -> Vec<String> {
        let mut messages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let rest = |message: String| {
            let rest = message.splitn(3, ": ").nth(2).unwrap_or("");
            rest.trim_end().to_owned()
        };
        core::mem::take(&mut *messages)
            .into_iter()
            .map(rest)
            .collect()
    }
}

/// Returns the cost of each stage: the least of some runs.
fn measure<'c>(
    options: &Options,
    compiler: &mut Compiler<'c>,
    messages: &'c Messages,
    source: (&Module<'_>, FuncId),
) -> Result<Vec<Cost>, Error> {
    let stages = options.backend.stages(options.codegen.level);
    let mut least = vec![Cost::default(); stages.len()];
    for _ in 0..RUNS {
        let mut fresh: Compiler<'c> = options.compiler();
        fresh.options.debug = Some(DebugOutput {
            sink: messages,
            level: DebugLevel::Stages,
        });
        fresh.callees = compiler.callees.take();
        let costs = Mutex::new(vec![Cost::default(); stages.len()]);
        let done = run_timed(stages, &mut fresh, source, &costs);
        compiler.callees = fresh.callees.take();
        done?;
        let costs = costs.into_inner().unwrap_or_else(PoisonError::into_inner);
        let told = messages
            .take()
            .into_iter()
            .chain(core::iter::repeat(String::new()));
        for ((least, mut cost), message) in least.iter_mut().zip(costs).zip(told) {
            cost.message = message;
            if least.time.is_none_or(|time| cost.time < Some(time)) {
                *least = cost;
            }
        }
    }
    Ok(least)
}

/// Compiles a function and notes the cost of each stage that runs.
fn run_timed(
    stages: &[Stage<'static>],
    compiler: &mut Compiler<'_>,
    source: (&Module<'_>, FuncId),
    costs: &Mutex<Vec<Cost>>,
) -> Result<(), Error> {
    let start = MEMORY.live_bytes();
    let runs: Vec<_> = { stages.iter().enumerate() }
        .map(|(number, stage)| {
            move |work: &mut Work<'_, '_>| {
                let begin = Instant::now();
                let done = (stage.run)(work);
                let time = begin.elapsed();
                let mut costs = costs.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(cost) = costs.get_mut(number) {
                    cost.time = Some(time);
                    cost.bytes = MEMORY.live_bytes().saturating_sub(start);
                }
                done
            }
        })
        .collect();
    let timed: Vec<Stage<'_>> = { stages.iter().zip(&runs) }
        .map(|(stage, run)| Stage::new(stage.name, stage.on, run))
        .collect();
    compiler.run(&timed, Some(source), Form::Empty).map(|_| ())
}

/// Compiles functions of a module; returns all that is shown of each, and the names.
pub(super) fn functions(
    recorder: Recorder<'_, '_>,
    funcs: &[FuncId],
    options: &Options,
    disassembler: &Disassembler,
) -> Result<(Vec<Result<Value, Error>>, Names), String> {
    let module = recorder.module.1;
    let state = Mutex::new(recorder);
    let lock = || state.lock().unwrap_or_else(PoisonError::into_inner);
    let look = |_: &Stage<'_>, form: Form, printed: &Printed<'_, '_>| lock().take(form, printed);
    let messages = Messages::default();
    let mut made = Vec::new();
    {
        let mut timed = options.compiler();
        timed.callees = options.known_callees(module)?;
        let mut looked = options.compiler();
        looked.execution.lines = true;
        looked.look = Some(&look);
        looked.callees = options.known_callees(module)?;
        for &func in funcs {
            let costs = measure(options, &mut timed, &messages, (module, func));
            lock().begin(func);
            let function = costs.and_then(|costs| {
                let offsets = looked.compile(module, func)?;
                finish(&mut lock(), &looked, &offsets, disassembler, &costs)
            });
            made.push(function);
        }
    }
    let recorder = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok((made, recorder.names))
}

/// Returns all that is shown of a function that was compiled last.
fn finish(
    recorder: &mut Recorder<'_, '_>,
    compiler: &Compiler<'_>,
    offsets: &Offsets<'_>,
    disassembler: &Disassembler,
    costs: &[Cost],
) -> Result<Value, Error> {
    let module = recorder.module;
    let pieces = disassembler.pieces(compiler, offsets, &mut recorder.names, module);
    let mut data = json!({
        "code": code(recorder, compiler, &pieces),
        "bytes": compiler.output.code.len(),
        "frame": super::frame::frame(compiler, recorder.spilled()),
    });
    recorder.finish(&mut data)?;
    if let Some(shots) = data["stages"].as_array_mut() {
        for (shot, cost) in shots.iter_mut().zip(costs) {
            let micros = cost.time.map(|time| time.as_nanos() as f64 / 1e3);
            shot["micros"] = micros.into();
            shot["memory"] = cost.bytes.into();
            shot["note"] = (&*cost.message).into();
        }
    }
    Ok(data)
}

/// Returns the machine code: offset, bytes, text, instruction of Machine IR, line, and the block
/// that begins there.
fn code(recorder: &mut Recorder<'_, '_>, compiler: &Compiler<'_>, pieces: &[CodePiece]) -> Value {
    let printed = Printed {
        function: &compiler.function,
        isa: compiler.isa(),
    };
    let mut rows: Vec<Value> = Vec::new();
    for piece in pieces {
        let source = recorder.line(&printed, piece.insn);
        let blocks = piece.blocks.iter().map(|block| block.number());
        let mut blocks: Vec<u32> = blocks.collect();
        let mut targets = piece.targets.as_str();
        for line in &piece.lines {
            let hex: Vec<String> = { line.bytes.iter() }
                .map(|byte| format!("{byte:02x}"))
                .collect();
            let words = format!("{}{targets}", line.words);
            let insn = recorder.key(piece.insn);
            let blocks = core::mem::take(&mut blocks);
            rows.push(json!([line.at, hex.join(" "), words, insn, source, blocks]));
            targets = "";
        }
    }
    rows.into()
}
