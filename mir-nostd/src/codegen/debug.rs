//! What a compiler says of its work to whoever wants to know.

use super::{Compiler, Form, Printed, Stage};
use crate::ir::{FuncId, Module};
use crate::machine::Function;
use core::fmt;

/// Takes what compilers say. Several threads may compile at the same time, so each message is whole.
pub trait DebugSink: Sync {
    /// Takes a message: one line or several, each with its end.
    fn say(&self, message: fmt::Arguments<'_>);
}

/// How much a compiler says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum DebugLevel {
    /// A line for each function.
    Functions,
    /// A line for each stage as well: blocks and instructions before and behind it, and what is spilled.
    Stages,
    /// The function as Machine IR behind each stage as well.
    Code,
}

/// Where a compiler says what it does, and how much. Nothing without the feature `listing`.
#[derive(Clone, Copy)]
pub struct DebugOutput<'m> {
    /// Who is told.
    pub sink: &'m dyn DebugSink,
    /// How much.
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

/// How large a function is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Extent {
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

/// What changed from the first to the second number.
struct Change(usize, usize);

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change(before, behind) if before == behind => write!(f, "{behind}"),
            Change(before, behind) => write!(f, "{before} -> {behind}"),
        }
    }
}

/// How long the code is, if there is any.
struct Bytes(Option<u32>);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(bytes) => write!(f, ", {bytes} bytes"),
            None => Ok(()),
        }
    }
}

impl<'m> Compiler<'m> {
    /// Whoever is to be told something of this level.
    fn debug_sink(&self, level: DebugLevel) -> Option<&'m dyn DebugSink> {
        let is_said = |output: &DebugOutput<'m>| cfg!(feature = "listing") && output.level >= level;
        let output = self.debug.filter(is_said);
        output.map(|output| output.sink)
    }

    /// How large the function is, if somebody wants to know.
    pub(super) fn extent(&self) -> Option<Extent> {
        let sink = self.debug_sink(DebugLevel::Stages);
        sink.map(|_| Extent::of(&self.function, self.form))
    }

    /// Says what a stage did to the function that was so large before.
    pub(super) fn say_stage(&self, name: FuncName<'_>, stage: &Stage<'_>, before: Option<Extent>) {
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
                sink.say(format_args!(
                    "{name}: {stage}: {blocks} blocks, {insns} instructions{bytes}\n"
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

    /// Says that a stage was left out, as the function is not in SSA form.
    pub(super) fn say_left_out(&self, name: FuncName<'_>, stage: &Stage<'_>) {
        if let Some(sink) = self.debug_sink(DebugLevel::Stages) {
            sink.say(format_args!("{name}: {}: left out\n", stage.name));
        }
    }

    /// Says what became of the function.
    pub(super) fn say_end(&self, name: FuncName<'_>, result: Result<(), super::Error>) {
        let Some(sink) = self.debug_sink(DebugLevel::Functions) else {
            return;
        };
        let level = self.level;
        let Err(error) = result else {
            let now = Extent::of(&self.function, self.form);
            let (blocks, insns) = (now.blocks, now.insns);
            // Where blocks become code one at a time there is none yet.
            let bytes = Bytes((self.form == Form::Encoded).then(|| self.code.len()));
            return sink.say(format_args!(
                "{name}: level {level}: {blocks} blocks, {insns} instructions{bytes}\n"
            ));
        };
        sink.say(format_args!("{name}: level {level}: {error}\n"));
    }
}
