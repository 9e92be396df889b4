//! `mir stats`: what programs consist of.

use crate::diagnostics::{Diagnostics, JsonObject};
use crate::failure::Result;
use crate::input::{InputArgs, binary_of, text_of};
use crate::isa::TargetArg;
use crate::memory::MEMORY;
use crate::output::to_standard_output;
use core::fmt::Write;
use mir_nostd::ir::{Code, ItemKind, Module};

/// Count what programs consist of
///
/// With `--json` each file gives one JSON object on one line.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mir stats program.mir
  mir --json stats *.bmir")]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    target: TargetArg,
}

pub(crate) fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let isa = args.target.isa();
    for source in args.input.sources() {
        let source = source?;
        let before = MEMORY.live_bytes();
        let modules = source.modules(isa, diagnostics)?;
        let memory = MEMORY.live_bytes() - before;
        let mut counts = count(&modules);
        counts.push(("bytes of text", text_of(&modules).len() as u64));
        counts.push(("bytes of binary", binary_of(&modules, isa)?.len() as u64));
        counts.push(("bytes of memory", memory));
        let shown = if diagnostics.is_json() {
            json(&source.name, &counts)
        } else {
            table(&source.name, &counts)
        };
        to_standard_output(shown.as_bytes())?;
    }
    Ok(())
}

type Counts = Vec<(&'static str, u64)>;

fn count(modules: &[Module<'_>]) -> Counts {
    let items = |is_it: fn(&ItemKind) -> bool| {
        let items = modules.iter().flat_map(Module::items);
        items.filter(|(_, item)| is_it(&item.kind)).count() as u64
    };
    let insns = |is_it: fn(Code) -> bool| {
        let of_module = |module: &Module<'_>| {
            let insns = module.funcs().flat_map(|(func, _)| module.insns(func));
            insns.filter(|&insn| is_it(module.code(insn))).count() as u64
        };
        modules.iter().map(of_module).sum::<u64>()
    };
    let variables = modules.iter().flat_map(Module::funcs);
    let variables = variables.map(|(_, func)| func.registers().len() as u64);
    vec![
        ("modules", modules.len() as u64),
        ("functions", items(|kind| matches!(kind, ItemKind::Func(_)))),
        (
            "prototypes",
            items(|kind| matches!(kind, ItemKind::Proto(_))),
        ),
        ("imports", items(|kind| matches!(kind, ItemKind::Import))),
        ("exports", items(|kind| matches!(kind, ItemKind::Export))),
        ("forwards", items(|kind| matches!(kind, ItemKind::Forward))),
        ("data items", items(ItemKind::is_memory)),
        ("variables", variables.sum()),
        ("instructions", insns(|code| code != Code::Label)),
        ("labels", insns(|code| code == Code::Label)),
        ("calls", insns(Code::is_call)),
    ]
}

fn table(name: &str, counts: &Counts) -> String {
    let mut table = format!("{name}\n");
    for (what, count) in counts {
        let _ = writeln!(table, "{what:16} {count:12}");
    }
    table
}

fn json(name: &str, counts: &Counts) -> String {
    let mut object = JsonObject::default();
    object.string("file", name);
    for (what, count) in counts {
        object.number(&what.replace(' ', "_"), *count);
    }
    object.end() + "\n"
}
