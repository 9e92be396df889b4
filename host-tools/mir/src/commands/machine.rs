//! `mir machine`: shows what the code generator makes of a program, stage by stage.

use crate::codes::Code;
use crate::diagnostics::{Diagnostics, Finding};
use crate::failure::{Failure, Refusal, Result};
use crate::findings::{Locator, finding_of_machine_ir};
use crate::input::{InputArg, Source, lossy};
use crate::machine_ir::{Externals, Names, Reader, Text, go_on};
use crate::object::kept::Kept;
use crate::object::{CodeArg, Options, support};
use crate::output::OutputArg;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use mir_nostd::codegen::stage::LEVELS;
use mir_nostd::codegen::{self, Compiler, Form, Printed, Stage};
use mir_nostd::ir::{FuncId, ItemId, Module, Place};
use mir_nostd::verify::Verified;
use std::sync::{Mutex, PoisonError};

/// Show what the code generator makes of a program
///
/// Prints the program's functions as they are after a stage, in the format that LLVM's `llc` reads
/// (`-x mir`). The code is that of `mir obj`. Stages before selection are shown much as LLVM writes
/// them; --generic puts them into the format.
#[derive(clap::Args)]
#[command(after_help = "Example: mir machine --stop-after=frame program.mir | \
llc -x mir -run-pass=none -verify-machineinstrs -")]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArg,
    #[command(flatten)]
    output: OutputArg,
    #[command(flatten)]
    code: CodeArg,
    /// The last stage; NAME,N is the Nth of that name
    #[arg(long, value_name = "STAGE", default_value = "emit", value_parser = StagePlace::parse)]
    stop_after: StagePlace,
    /// The stage before which to stop
    #[arg(long, value_name = "STAGE", value_parser = StagePlace::parse, conflicts_with = "stop_after")]
    stop_before: Option<StagePlace>,
    /// The input is what this command prints: go on after this stage
    #[arg(long, value_name = "STAGE", value_parser = StagePlace::parse, conflicts_with_all = ["start_before", "run_pass"])]
    start_after: Option<StagePlace>,
    /// The input is what this command prints: go on with this stage
    #[arg(long, value_name = "STAGE", value_parser = StagePlace::parse, conflicts_with = "run_pass")]
    start_before: Option<StagePlace>,
    /// The input is what this command prints: run only these stages on it
    #[arg(long, value_name = "STAGES", value_delimiter = ',', value_parser = any_stage_name(&[]))]
    run_pass: Vec<String>,
    /// Print stages before selection as generic Machine IR with the program's data, which llc
    /// compiles where it has global-isel
    #[arg(long)]
    generic: bool,
    /// Leave out functions that have no form in LLVM, with a warning each; the rest takes them for
    /// defined elsewhere
    #[arg(long, requires = "generic")]
    skip_unsupported: bool,
    /// Print slot numbers and where each register is live, much as LLVM's `print<live-intervals>`
    /// does
    #[arg(long)]
    print_live: bool,
    /// Also print to standard error what each stage leaves, or all do
    #[arg(long, value_name = "STAGE", value_parser = any_stage_name(&["all"]))]
    print_after: Option<String>,
}

/// The names that stages had before they took those of the field, and their names now. They are
/// accepted for one release.
const FORMER_NAMES: [(&str, &str); 22] = [
    ("enter", "ssa-construction"),
    ("divide", "divide-by-constant"),
    ("promote", "scalar-replacement"),
    ("propagate", "sccp"),
    ("merge", "block-merging"),
    ("share", "cse"),
    ("rotate", "rotates"),
    ("widen", "widen-induction"),
    ("choose", "if-conversion"),
    ("entries", "preheaders"),
    ("exits", "dedicated-exits"),
    ("hoist", "licm"),
    ("reduce", "strength-reduction"),
    ("stores", "dead-stores"),
    ("dead", "dead-code"),
    ("step", "sink-increments"),
    ("arrange", "block-placement"),
    ("leave", "ssa-destruction"),
    ("straighten", "jump-threading"),
    ("extensions", "redundant-extensions"),
    ("constants", "constant-hoisting"),
    ("follow", "branch-folding"),
];

/// Returns the present name of a stage.
fn present_name(name: &str) -> &str {
    let former = FORMER_NAMES.iter().find(|(former, _)| *former == name);
    former.map_or(name, |(_, present)| present)
}

/// Every name of a stage, at any level, in order.
fn stage_names() -> Vec<&'static str> {
    let mut names = Vec::new();
    for stage in (0..=3).rev().flat_map(|level| LEVELS.of(level)) {
        if !names.contains(&stage.name) {
            names.push(stage.name);
        }
    }
    names
}

/// A stage in a list: its name, and which of those of the name.
#[derive(Clone)]
struct StagePlace {
    name: String,
    number: usize,
}

impl StagePlace {
    /// `NAME` or `NAME,N`.
    fn parse(text: &str) -> core::result::Result<StagePlace, String> {
        let (name, number) = text.split_once(',').unwrap_or((text, "1"));
        let name = present_name(name);
        let number = number.parse().ok().filter(|&number| number > 0);
        match (stage_names().contains(&name), number) {
            (true, Some(number)) => Ok(StagePlace {
                name: name.into(),
                number,
            }),
            (false, _) => Err(format!("the stages are {}", stage_names().join(", "))),
            _ => Err("the number of a stage is 1 or more".into()),
        }
    }

    /// Returns the place of the stage in a list.
    fn find(&self, stages: &[Stage<'_>]) -> Result<usize> {
        let mut places = (0..stages.len()).filter(|&place| stages[place].name == self.name);
        let failure = || no_such_stage(&self.name, stages);
        places.nth(self.number - 1).ok_or_else(failure)
    }
}

/// Returns the failure of a stage that a level does not have, with those that it has.
fn no_such_stage(name: &str, stages: &[Stage<'_>]) -> Failure {
    let mut names: Vec<&str> = stages.iter().map(|stage| stage.name).collect();
    names.dedup();
    let names = names.join(", ");
    Failure::Usage(format!(
        "no such stage at this level: {name}; the stages are {names}"
    ))
}

/// Returns a parser of a stage's name, former or present, or one of `others`.
fn any_stage_name(others: &[&'static str]) -> impl TypedValueParser<Value = String> + use<> {
    let values = stage_names().into_iter().map(|name| {
        let former = FORMER_NAMES.iter().filter(|(_, present)| *present == name);
        PossibleValue::new(name).aliases(former.map(|(former, _)| *former))
    });
    let others: Vec<_> = others.iter().copied().map(PossibleValue::new).collect();
    PossibleValuesParser::new(values.chain(others)).map(|name| present_name(&name).to_owned())
}

pub(crate) fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let (source, options) = (args.input.source()?, args.code.options()?);
    if let Some((stages, form)) = args.stages_on_file(&options)? {
        return run_on_file(args, &source, (&stages, form), diagnostics);
    }
    let stages = args.stages(&options)?;
    let ends_generic = stages
        .iter()
        .all(|stage| stage.on < Form::Selected && stage.name != "select");
    if args.print_live && ends_generic && !args.generic {
        let problem = "before selection --print-live needs --generic";
        return Err(Failure::Usage(problem.into()));
    }
    let verified = source.verified(args.code.isa(), diagnostics)?;
    print(args, &source, &verified, diagnostics)
}

/// Prints the functions of a program as the stages leave them that are asked for.
pub(crate) fn print(
    args: &Args,
    source: &Source,
    verified: &[Verified<'static>],
    diagnostics: &Diagnostics,
) -> Result<()> {
    let options = args.code.options()?;
    let stages = args.stages(&options)?;
    let names = if args.generic {
        Names::with_contents()
    } else {
        Names::default()
    };
    let mut printing = Printing {
        args,
        source,
        diagnostics,
        locator: Locator::new(source),
        options,
        stages,
        names,
        text: Text::new(options.backend),
        plain: String::new(),
    };
    for module in verified {
        printing.names.reserve(module.module());
    }
    for (number, module) in verified.iter().enumerate() {
        printing.names.declare(number, module.module());
    }
    for (number, module) in verified.iter().enumerate() {
        printing.functions(number, module.module())?;
    }
    if args.generic {
        printing.routines(verified.len())?;
        for (number, module) in verified.iter().enumerate() {
            printing.data(number, module.module())?;
        }
    }
    let Printing {
        plain, text, names, ..
    } = printing;
    if args.print_live {
        return args.output.write(&text.print_live());
    }
    if plain.is_empty() {
        return args.output.write(&text.print(&source.name, &names));
    }
    args.output.write(plain.as_bytes())
}

/// A program that is being printed.
struct Printing<'a> {
    args: &'a Args,
    source: &'a Source,
    diagnostics: &'a Diagnostics,
    locator: Locator<'a>,
    options: Options,
    stages: &'static [Stage<'static>],
    names: Names,
    /// The functions in LLVM's format, or as they are shown where that has none for them.
    text: Text,
    plain: String,
}

impl Printing<'_> {
    /// Adds the functions of a module.
    fn functions(&mut self, number: usize, module: &Module<'_>) -> Result<()> {
        let (args, name) = (self.args, Mutex::default());
        let look = args.look(&name);
        let mut compiler = self.options.compiler();
        compiler.look = Some(&look);
        // Code compiled by others follows the calling convention alone and has no object of ours.
        let mut kept = Kept::default();
        if !args.generic {
            kept = self.options.kept(module);
            let known = self.options.known_callees(module);
            compiler.callees = known.map_err(Failure::Usage)?;
        }
        for (func, function) in module.funcs() {
            if !kept.has(func) {
                self.names.leave_out(number, module, func);
                continue;
            }
            set(&name, crate::compiled::name(module, func).as_ref());
            if let Err(error) = self.function(number, module, func, &mut compiler) {
                self.refuse(number, module, function.item, error)?;
                self.names.leave_out(number, module, func);
            }
        }
        Ok(())
    }

    fn function(
        &mut self,
        number: usize,
        module: &Module<'_>,
        func: FuncId,
        compiler: &mut Compiler<'_>,
    ) -> core::result::Result<(), Refusal> {
        let name = crate::compiled::name(module, func);
        let run = compiler.run(self.stages, Some((module, func)), Form::Empty);
        run?;
        compiler.mark_last_uses().map_err(codegen::Error::from)?;
        let (function, form) = (&compiler.function, compiler.form());
        if form < Form::Selected && !self.args.generic {
            let isa = self.options.backend;
            self.plain += &format!("; {name}\n{}\n", Printed { function, isa });
            return Ok(());
        }
        self.names
            .place_labels(number, module, func, &compiler.output.labels);
        let added = (self.text).add(&mut self.names, (number, module), func, (function, form));
        Ok(added?)
    }

    /// Adds the routines of ours that the functions call, as a module of this number.
    fn routines(&mut self, number: usize) -> Result<()> {
        let helpers = self.names.helpers();
        if helpers.is_empty() {
            return Ok(());
        }
        let add = |printing: &mut Self| {
            let verified =
                support::routines(printing.options.backend.target(), support::Ends::Told)?;
            let module = verified.module();
            let mut called = Vec::new();
            for helper in helpers {
                called.push((helper, support::routine(module, helper)?));
            }
            printing.names.declare_routines(number, module, &called);
            let (args, name) = (printing.args, Mutex::default());
            let look = args.look(&name);
            let mut compiler = printing.options.compiler();
            compiler.look = Some(&look);
            for (_, func) in called {
                set(&name, crate::compiled::name(module, func).as_ref());
                printing.function(number, module, func, &mut compiler)?;
            }
            Ok(())
        };
        add(self).map_err(|refusal: Refusal| self.source.refuse(refusal, self.diagnostics))
    }

    /// Adds the data of a module.
    fn data(&mut self, number: usize, module: &Module<'_>) -> Result<()> {
        let mut problems = Vec::new();
        let mut note = |item, error| problems.push((item, error));
        self.names.define(number, module, &mut note);
        for (item, error) in problems {
            self.refuse(number, module, item, error.into())?;
        }
        Ok(())
    }

    /// Says that an item has no form in LLVM; an error unless such are to be left out. An error of
    /// the compiler itself always is one.
    fn refuse(
        &mut self,
        number: usize,
        module: &Module<'_>,
        item: ItemId,
        refusal: Refusal,
    ) -> Result<()> {
        let is_left_out = self.args.skip_unsupported && !refusal.is_internal();
        let name = module.item(item).name;
        let name = name.map_or_else(String::new, |name| lossy(module.name_bytes(name)));
        let place = self.locator.place(number, module, Place::Item(item));
        let code = match is_left_out {
            true => Code::LEFT_OUT,
            false => refusal.code(),
        };
        let Refusal { message, failure } = refusal.about(&name);
        let finding = Finding {
            message,
            code: Some(code),
            is_warning: is_left_out,
            ..place
        };
        self.diagnostics
            .report(&self.source.name, &self.source.bytes, &finding);
        if is_left_out { Ok(()) } else { Err(failure) }
    }
}

/// Says of which function what is printed next is.
fn set(name: &Mutex<String>, to: &str) {
    to.clone_into(&mut name.lock().unwrap_or_else(PoisonError::into_inner));
}

/// Runs stages on the functions of a file of Machine IR, which are in this form.
fn run_on_file(
    args: &Args,
    source: &Source,
    (stages, form): (&[Stage<'_>], Form),
    diagnostics: &Diagnostics,
) -> Result<()> {
    let options = args.code.options()?;
    let backend = options.backend;
    let failed = |error: String| {
        diagnostics.report(
            &source.name,
            &source.bytes,
            &Finding::error(Code::MACHINE_IR, error),
        );
        Failure::Program
    };
    let read_options = llvm_mir::ReadOptions {
        name: source.name.clone(),
        ..llvm_mir::ReadOptions::default()
    };
    let read = llvm_mir::read(&source.bytes, &read_options);
    let file = read.map_err(|error| {
        let finding = finding_of_machine_ir(error);
        diagnostics.report(&source.name, &source.bytes, &finding);
        Failure::Program
    })?;
    if let Some(isa) = Text::other_isa(backend, &file) {
        return Err(failed(format!(
            "the file is for another ISA: --target {isa}"
        )));
    }
    let reader = Reader::new(backend);
    let mut externals = Externals::default();
    let mut text = Text::again(backend, &file.module);
    for from in &file.functions {
        let in_function = |error: String| failed(format!("{}: {error}", from.name));
        let name = Mutex::new(from.name.to_string());
        let look = args.look(&name);
        let mut compiler = options.compiler();
        compiler.look = Some(&look);
        let function = reader.function(from, &mut externals).map_err(in_function)?;
        go_on(&mut compiler, function, stages, form).map_err(in_function)?;
        text.add_read(
            from.name.as_bytes(),
            &externals,
            (&compiler.function, compiler.form()),
        )
        .map_err(in_function)?;
    }
    if args.print_live {
        return args.output.write(&text.print_live());
    }
    args.output.write(&text.print_again(file.module))
}

impl Args {
    /// Prints functions after the stages that are asked for.
    fn look(&self, name: &Mutex<String>) -> impl Fn(&Stage<'_>, Form, &Printed<'_, '_>) + Sync {
        move |stage, _, printed| {
            let wanted = self.print_after.as_deref();
            if wanted.is_some_and(|wanted| wanted == "all" || wanted == stage.name) {
                let name = name.lock().unwrap_or_else(PoisonError::into_inner);
                eprintln!("; {name} after {}\n{printed}", stage.name);
            }
        }
    }

    /// The stages of the level, up to where to stop.
    fn stages(&self, options: &Options) -> Result<&'static [Stage<'static>]> {
        let stages = options.backend.stages(options.codegen.level);
        let end = match &self.stop_before {
            Some(before) => before.find(stages)?,
            None => self.stop_after.find(stages)? + 1,
        };
        if let Some(wanted) = self.print_after.as_deref()
            && wanted != "all"
            && !stages.iter().take(end).any(|stage| stage.name == wanted)
        {
            return Err(no_such_stage(wanted, &stages[..end]));
        }
        let failure = || Failure::Usage("there is nothing before the first stage".into());
        (stages.get(..end).filter(|stages| !stages.is_empty())).ok_or_else(failure)
    }

    /// The stages to run on a file of Machine IR, if that is what the input is, and the form that
    /// its functions are in. It may be that no stage is left, so that they are only marked anew.
    fn stages_on_file(&self, options: &Options) -> Result<Option<(Vec<Stage<'static>>, Form)>> {
        let stages = self.stages(options)?;
        let all = options.backend.stages(options.codegen.level);
        let form_before = |rest: &[Stage<'_>], next: Option<&Stage<'_>>| {
            rest.first()
                .or(next)
                .map_or(Form::Encoded, |stage| stage.on)
        };
        let from = |begin: usize| {
            let rest = stages.get(begin..).unwrap_or(&[]).to_vec();
            let form = form_before(&rest, all.get(begin));
            (rest, form)
        };
        let (rest, form) = match (&self.start_after, &self.start_before) {
            (Some(after), _) => from(after.find(stages)? + 1),
            (_, Some(before)) => from(before.find(stages)?),
            _ if self.run_pass.is_empty() => return Ok(None),
            _ => {
                let of = |name: &String| stages.iter().find(|stage| stage.name == *name);
                let rest: Vec<Stage<'_>> = self.run_pass.iter().filter_map(of).copied().collect();
                let form = form_before(&rest, None);
                (rest, form)
            }
        };
        if form < Form::Selected || rest.iter().any(|stage| stage.on < Form::Selected) {
            let problem = "files hold functions as they are after select, or a later stage";
            return Err(Failure::Usage(problem.into()));
        }
        Ok(Some((rest, form)))
    }
}
