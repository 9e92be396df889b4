//! Runs of the stages up to the one that a file shows, and the block for each function.

use super::file::File;
use mir_nostd::codegen::{Backend, Callees, Compiler, Form, Printed, Stage};
use mir_nostd::text;
use mir_nostd::verify::Verified;
use similar::{ChangeTag, TextDiff};
use testkit::SystemAllocator;

/// The effect of a stage on a function.
pub(crate) struct Effect {
    /// The function after the stage with what changed; empty if nothing did.
    pub(crate) block: String,
    /// The rules that fired.
    pub(crate) rules: Vec<String>,
}

/// Returns the effect of the stage on each function of a file.
pub(crate) fn effects(file: &File) -> Result<Vec<Effect>, String> {
    let backend = target_all::backend(&file.target).ok_or("no such target")?;
    let stages = backend.stages(file.level);
    let mut places = (0..stages.len()).filter(|&place| stages[place].name == file.stage);
    let place = places.nth(file.number);
    let place = place.ok_or("the level does not have the stage")?;
    let program = verified(&file.source, backend)?;
    let module = program.module();
    let funcs = module.funcs().map(|(func, _)| {
        let run = |stages: &[Stage<'_>]| {
            let mut compiler = Compiler::new(backend, &SystemAllocator);
            compiler.options.level = file.level;
            compiler.execution.position_independent = true;
            compiler.options.check_allocation = true;
            if file.level >= Callees::FROM_LEVEL {
                let callees = Callees::new(module, &SystemAllocator);
                compiler.callees = Some(callees.map_err(|error| error.to_string())?);
            }
            let run = compiler.run(stages, Some((module, func)), Form::Empty);
            run.map_err(|error| error.to_string())?;
            let fired = compiler.fired().map(|rule| rule.to_string());
            Ok::<_, String>((shown(&compiler), fired.collect()))
        };
        let (before, _): (_, Vec<_>) = run(&stages[..place])?;
        let (after, rules) = run(&stages[..=place])?;
        let block = block(&before, &after);
        Ok(Effect { block, rules })
    });
    funcs.collect()
}

/// Returns the one module of a program.
pub(crate) fn verified(text: &str, backend: &dyn Backend) -> Result<Verified<'static>, String> {
    let mut errors = String::new();
    let long_double = backend.target().long_double;
    let parsed = text::parse(
        text.as_bytes(),
        &SystemAllocator,
        long_double,
        &mut |error| {
            errors += &format!("{error}\n");
        },
    );
    let Ok(mut modules) = parsed else {
        return Err(errors);
    };
    let module = modules.pop().filter(|_| modules.is_empty());
    let module = module.ok_or("not one module")?;
    let mut report = |violation| errors += &format!("{violation:?}\n");
    Verified::new(module, backend.target(), &mut report).map_err(|_| errors)
}

/// Returns the function as text, with its bytes once it has some, but without the numbers of
/// instructions.
fn shown(compiler: &Compiler<'_>) -> String {
    let (function, isa) = (&compiler.function, compiler.isa());
    let printed = Printed { function, isa }.to_string();
    let mut text = String::new();
    for line in printed.lines() {
        let line = line.rsplit_once("  ; ").map_or(line, |(line, _)| line);
        text += line.strip_prefix("  ").unwrap_or(line);
        text.push('\n');
    }
    for row in compiler.output.code.bytes.chunks(16) {
        let bytes: Vec<_> = row.iter().map(|byte| format!("{byte:02x}")).collect();
        text += &format!("bytes: {}\n", bytes.join(" "));
    }
    text
}

/// Returns the whole function after a stage, with what went and what came marked; without marks if
/// no instruction stayed, and empty if all did.
fn block(before: &str, after: &str) -> String {
    if before == after {
        return String::new();
    }
    let difference = TextDiff::from_lines(before, after);
    let is_kept_insn =
        |tag: ChangeTag, line: &str| tag == ChangeTag::Equal && line.starts_with(' ');
    let mut changes = difference.iter_all_changes();
    if !changes.any(|change| is_kept_insn(change.tag(), change.value())) {
        return after.to_owned();
    }
    let marked = difference.iter_all_changes().map(|change| {
        let mark = change.tag();
        format!("{mark}{change}")
    });
    marked.collect()
}
