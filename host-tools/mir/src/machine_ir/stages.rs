//! Runs of code generator stages on functions that were read from Machine IR.

use super::{Externals, Reader, Text};
use crate::object::{Options, support};
use mir_nostd::codegen::{Compiler, Form, Stage};
use mir_nostd::machine::Function;

/// Runs stages on a function that was read, which is in the form `form`.
pub(crate) fn go_on<'m>(
    compiler: &mut Compiler<'m>,
    function: Function<'m>,
    stages: &[Stage<'_>],
    form: Form,
) -> Result<(), String> {
    compiler.function = function;
    compiler.options.check_allocation = true;
    let run = compiler.run(stages, None, form);
    run.and_then(|_| Ok(compiler.mark_last_uses()?))
        .map_err(|error| error.to_string())
}

/// Runs the remaining stages on the functions of a text of Machine IR, and returns the printed
/// results: the body of a fuzz target. Two bytes before the text select the ISA, the level, and the
/// stage after which to continue.
///
/// # Errors
///
/// Describes what is wrong with the text.
pub fn continue_stages(input: &[u8]) -> Result<Vec<u8>, String> {
    let Some((&[isa, place], text)) = input.split_first_chunk() else {
        return Err("two bytes are needed".into());
    };
    let backend = target_all::ISAS[usize::from(isa >> 2) % target_all::ISAS.len()];
    let file = llvm_mir::read(text, &llvm_mir::ReadOptions::default());
    let file = file.map_err(|error| error.message)?;
    if let Some(isa) = Text::other_isa(backend, &file) {
        return Err(format!("the file is for {isa}"));
    }
    let options = Options {
        backend,
        codegen: mir_nostd::codegen::Options {
            level: isa & 3,
            landing_pads: false,
            ..Default::default()
        },
        drop_inlined: false,
        lines: false,
        limits: mir_nostd::codegen::Limits::default(),
        ends: support::Ends::Told,
    };
    let stages = stages_from(backend.stages(options.codegen.level), place);
    let form = stages.first().map_or(Form::Encoded, |stage| stage.on);
    let reader = Reader::new(backend);
    let mut externals = Externals::default();
    let mut printed = Text::again(backend, &file.module);
    for from in &file.functions {
        let function = reader.function(from, &mut externals)?;
        let mut compiler = options.compiler();
        compiler.options.budget.insns = 100_000;
        go_on(&mut compiler, function, stages, form)?;
        let shown = (&compiler.function, compiler.form());
        printed.add_read(from.name.as_bytes(), &externals, shown)?;
    }
    Ok(printed.print_again(file.module))
}

/// Returns the stages from one of those after selection on.
fn stages_from<'a>(stages: &'a [Stage<'a>], place: u8) -> &'a [Stage<'a>] {
    let selected = stages.iter().position(|stage| stage.on >= Form::Selected);
    let stages = &stages[selected.unwrap_or(stages.len())..];
    &stages[usize::from(place) % (stages.len() + 1)..]
}
