//! Debug output: messages of a compiler about its work.

use crate::codegen::form::Form;
use crate::codegen::pipeline::compiler::Compiler;
use crate::codegen::pipeline::listing::Printed;
use crate::codegen::pipeline::stage::Stage;
use crate::ir::{FuncId, Module};
use crate::machine::Function;
use core::fmt;

/// The receiver of messages. Several threads may compile at the same time, so each message is
/// whole.
pub trait DebugSink: Sync {
    /// Takes a message: one or several lines, each with its end.
    fn say(&self, message: fmt::Arguments<'_>);
}

/// The amount of messages.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum DebugLevel {
    /// A line for each function.
    Functions,
    /// In addition a line for each stage: the number of blocks and instructions before and after
    /// it, and of spills; the rules that fired.
    Stages,
    /// In addition the function as Machine IR after each stage.
    Code,
}

/// The receiver and amount of messages. There are none without the feature `listing`.
#[derive(Clone, Copy)]
pub struct DebugOutput<'m> {
    /// The receiver.
    pub sink: &'m dyn DebugSink,
    /// The amount.
    pub level: DebugLevel,
}

impl fmt::Debug for DebugOutput<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DebugOutput")
            .field("level", &self.level)
            .finish_non_exhaustive()
    }
}

/// A function's name for messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FuncName<'a>(pub(crate) Option<(&'a Module<'a>, FuncId)>);

impl fmt::Display for FuncName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |(module, func): (&Module<'_>, FuncId)| {
            let name = module.item(module.func(func).item).name;
            name.map(|name| fmt::Display::fmt(&module.name_bytes(name).escape_ascii(), f))
        };
        match self.0.and_then(name) {
            Some(result) => result,
            None => f.write_str("a function"),
        }
    }
}

/// The size of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Extent {
    blocks: usize,
    insns: usize,
    frame_objects: usize,
    form: Form,
}

impl Extent {
    fn of(function: &Function<'_>, form: Form) -> Extent {
        let blocks = function.layout.iter();
        Extent {
            blocks: blocks.len(),
            insns: blocks.map(|&block| function.insns(block).count()).sum(),
            frame_objects: function.frame.len(),
            form,
        }
    }
}

/// A number before and after a stage.
struct Change(usize, usize);

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change(before, behind) if before == behind => write!(f, "{behind}"),
            Change(before, behind) => write!(f, "{before} -> {behind}"),
        }
    }
}

/// The length of the code, if there is any.
struct Bytes(Option<u32>);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(bytes) => write!(f, ", {bytes} bytes"),
            None => Ok(()),
        }
    }
}

/// The names of the rules that fired in the last stage, if any did.
struct Rules<'a, 'm>(&'a Compiler<'m>);

impl fmt::Display for Rules<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = "; rules: ";
        for rule in self.0.fired() {
            write!(f, "{before}{rule}")?;
            before = ", ";
        }
        Ok(())
    }
}

impl<'m> Compiler<'m> {
    /// Returns the receiver of messages of a level.
    fn debug_sink(&self, level: DebugLevel) -> Option<&'m dyn DebugSink> {
        let is_said = |output: &DebugOutput<'m>| cfg!(feature = "listing") && output.level >= level;
        let output = self.debug.filter(is_said);
        output.map(|output| output.sink)
    }

    /// Returns the size of the function, if messages about stages are wanted.
    pub(crate) fn extent(&self) -> Option<Extent> {
        let sink = self.debug_sink(DebugLevel::Stages);
        sink.map(|_| Extent::of(&self.function, self.form))
    }

    /// Reports the effect of a stage on the function, which had size `before`.
    pub(crate) fn say_stage(&self, name: FuncName<'_>, stage: &Stage<'_>, before: Option<Extent>) {
        let (Some(sink), Some(before)) = (self.debug_sink(DebugLevel::Stages), before) else {
            return;
        };
        let now = Extent::of(&self.function, self.form);
        let blocks = Change(before.blocks, now.blocks);
        let insns = Change(before.insns, now.insns);
        let stage = stage.name;
        match (before.form, now.form) {
            (Form::Selected, Form::Allocated) => {
                let spilled = now.frame_objects.saturating_sub(before.frame_objects);
                sink.say(format_args!(
                    "{name}: {stage}: {blocks} blocks, {insns} instructions, {spilled} spill slots\n"
                ));
            }
            _ => {
                let bytes = Bytes((now.form == Form::Encoded).then(|| self.code.len()));
                let rules = Rules(self);
                sink.say(format_args!(
                    "{name}: {stage}: {blocks} blocks, {insns} instructions{bytes}{rules}\n"
                ));
            }
        }
        if let Some(sink) = self.debug_sink(DebugLevel::Code) {
            let printed = Printed {
                function: &self.function,
                isa: self.isa(),
            };
            sink.say(format_args!("{printed}"));
        }
    }

    /// Reports that a stage was skipped, as the function is not in SSA form.
    pub(crate) fn say_left_out(&self, name: FuncName<'_>, stage: &Stage<'_>) {
        if let Some(sink) = self.debug_sink(DebugLevel::Stages) {
            sink.say(format_args!("{name}: {}: left out\n", stage.name));
        }
    }

    /// Reports the result of compiling a function.
    pub(crate) fn say_end(
        &self,
        name: FuncName<'_>,
        result: Result<(), crate::target::error::Error>,
    ) {
        let Some(sink) = self.debug_sink(DebugLevel::Functions) else {
            return;
        };
        let level = self.level;
        let Err(error) = result else {
            let now = Extent::of(&self.function, self.form);
            let (blocks, insns) = (now.blocks, now.insns);
            // Lazily compiled blocks have no code yet.
            let bytes = Bytes((self.form == Form::Encoded).then(|| self.code.len()));
            return sink.say(format_args!(
                "{name}: level {level}: {blocks} blocks, {insns} instructions{bytes}\n"
            ));
        };
        sink.say(format_args!("{name}: level {level}: {error}\n"));
    }
}
