//! The messages of a compiler about its work.

use crate::codegen::debug::{DebugLevel, DebugOutput, DebugSink};
use crate::codegen::form::Form;
use crate::codegen::pipeline::listing::Printed;
use crate::codegen::pipeline::rules::Fired;
use crate::codegen::pipeline::work::Work;
use crate::ir::{FuncId, Module};
use crate::target::Isa;
use crate::target::error::Error;
use core::fmt;

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

/// The size of a function in a form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Extent {
    blocks: usize,
    insns: usize,
    frame_objects: usize,
    form: Form,
}

impl Extent {
    fn of(work: &Work<'_, '_>) -> Extent {
        let (function, form) = (work.function(), work.form());
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
            Change(before, after) if before == after => write!(f, "{after}"),
            Change(before, after) => write!(f, "{before} -> {after}"),
        }
    }
}

/// The length of the code, if there is any.
struct Bytes(Option<u32>);

impl Bytes {
    fn of(work: &Work<'_, '_>) -> Bytes {
        Bytes((work.form() == Form::Encoded).then(|| work.output.code.len()))
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(bytes) => write!(f, ", {bytes} bytes"),
            None => Ok(()),
        }
    }
}

/// The names of the rules that fired in the last stage, if any did.
struct Rules<'a>(Fired, &'a dyn Isa);

impl fmt::Display for Rules<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = "; rules: ";
        for rule in self.0.names(self.1) {
            write!(f, "{before}{rule}")?;
            before = ", ";
        }
        Ok(())
    }
}

/// The messages about one function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Report<'a, 'm> {
    pub(crate) output: Option<DebugOutput<'m>>,
    pub(crate) name: FuncName<'a>,
}

impl<'m> Report<'_, 'm> {
    /// Returns the receiver of messages of a level.
    pub(crate) fn sink(&self, level: DebugLevel) -> Option<&'m dyn DebugSink> {
        let is_said = |output: &DebugOutput<'m>| cfg!(feature = "listing") && output.level >= level;
        self.output.filter(is_said).map(|output| output.sink)
    }

    /// Returns the size of the function, if messages about stages are wanted.
    pub(crate) fn extent(&self, work: &Work<'_, '_>) -> Option<Extent> {
        self.sink(DebugLevel::Stages).map(|_| Extent::of(work))
    }

    /// Reports the effect of a stage on the function, which had size `before`.
    pub(crate) fn stage(&self, stage: &str, work: &Work<'_, '_>, before: Option<Extent>) {
        let (Some(sink), Some(before)) = (self.sink(DebugLevel::Stages), before) else {
            return;
        };
        let (name, now) = (self.name, Extent::of(work));
        let blocks = Change(before.blocks, now.blocks);
        let insns = Change(before.insns, now.insns);
        match (before.form, now.form) {
            (Form::Selected, Form::Allocated) => {
                let spilled = now.frame_objects.saturating_sub(before.frame_objects);
                sink.say(format_args!(
                    "{name}: {stage}: {blocks} blocks, {insns} instructions, {spilled} spill slots\n"
                ));
            }
            _ => {
                let (bytes, rules) = (Bytes::of(work), Rules(*work.fired, work.isa()));
                sink.say(format_args!(
                    "{name}: {stage}: {blocks} blocks, {insns} instructions{bytes}{rules}\n"
                ));
            }
        }
        if let Some(sink) = self.sink(DebugLevel::Code) {
            let printed = Printed {
                function: work.function(),
                isa: work.isa(),
            };
            sink.say(format_args!("{printed}"));
        }
    }

    /// Reports that a stage was skipped, as the function is not in SSA form.
    pub(crate) fn left_out(&self, stage: &str) {
        if let Some(sink) = self.sink(DebugLevel::Stages) {
            sink.say(format_args!("{}: {stage}: left out\n", self.name));
        }
    }

    /// Reports the result of compiling a function.
    pub(crate) fn end(&self, work: &Work<'_, '_>, result: Result<(), Error>) {
        let Some(sink) = self.sink(DebugLevel::Functions) else {
            return;
        };
        let (name, level) = (self.name, work.options.level);
        let Err(error) = result else {
            // Lazily compiled blocks have no code yet.
            let (now, bytes) = (Extent::of(work), Bytes::of(work));
            let (blocks, insns) = (now.blocks, now.insns);
            return sink.say(format_args!(
                "{name}: level {level}: {blocks} blocks, {insns} instructions{bytes}\n"
            ));
        };
        sink.say(format_args!("{name}: level {level}: {error}\n"));
    }
}
