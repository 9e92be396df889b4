//! Diagnostics on a program that accessed memory that is not there.

use crate::codes;
use crate::compiled;
use crate::diagnostics::{Diagnostics, Finding, Label};
use crate::findings::Locator;
use crate::isa::Isa;
use crate::program::Program;
use crate::recorder::Recorder;
use crate::sarif;
use crate::signals::{self, Access, Words};
use mir_nostd::ir::{Code, FuncId, InsnId, ItemKind, Module, Operand, Place};
use std::sync::OnceLock;

/// Addresses below are those of fields of what a null pointer points to.
const NULL_PAGE: usize = 4096;

/// The most instructions that are named where it may have been one of several.
const MOST_PLACES: usize = 8;

/// The program that runs, and how to report on it.
static WATCHED: OnceLock<(&'static Program, Diagnostics)> = OnceLock::new();

/// Makes the process tell accesses of this program that the system refuses, and that it has used up
/// its stack.
pub(crate) fn watch(program: &'static Program, diagnostics: &Diagnostics) {
    if WATCHED.set((program, diagnostics.clone())).is_err() {
        return;
    }
    let used_up = Finding::error(
        codes::Code::STACK_USED_UP,
        "the program has used up its stack",
    );
    signals::catch_refused_accesses(Words {
        used_up: diagnostics.line("mir", &used_up),
        tell,
    });
}

/// Tells an access, from within its signal.
fn tell(access: &Access) {
    let Some((program, diagnostics)) = WATCHED.get() else {
        return;
    };
    let function = access.instruction.and_then(Recorder::function_at);
    let function = function.or_else(|| access.caller.and_then(Recorder::function_at));
    let told = function.and_then(|place| tell_place(program, place, access, diagnostics));
    if told.is_none() {
        program.report(&outside(program, access, diagnostics), diagnostics);
    }
    sarif::finish();
}

/// Returns the finding for an access that no code of the program made.
fn outside(program: &Program, access: &Access, diagnostics: &Diagnostics) -> Finding {
    let library = access.instruction.and_then(signals::library);
    let mut stack = access.stack.iter().copied();
    let caller = stack.find_map(Recorder::function_at);
    let caller = caller.and_then(|(number, func)| {
        let (source, number) = program.source_of(number)?;
        let modules = source.modules(Isa::host(), diagnostics).ok()?;
        Some(compiled::name(modules.get(number)?, func))
    });
    let note = match (&library, caller) {
        (Some(_), Some(caller)) => Some(format!("it was probably called by `{caller}`")),
        _ if Recorder::is_started() => None,
        _ => Some("compiled, without `--interp`, it is told in which function".into()),
    };
    let place = library.map_or(String::new(), |name| format!(" in `{name}`"));
    Finding {
        note,
        ..finding(access, &place)
    }
}

/// Tells an access in the code of a function of the module of this number. Which of its
/// instructions made the access is only said where there is no doubt.
fn tell_place(
    program: &Program,
    (number, func): (usize, FuncId),
    access: &Access,
    diagnostics: &Diagnostics,
) -> Option<()> {
    let (source, number) = program.source_of(number)?;
    let modules = source.modules(Isa::host(), diagnostics).ok()?;
    let module = modules.get(number)?;
    let mut locator = Locator::new(source);
    let operand = u16::MAX;
    let insns = possible_insns(module, func, access);
    let places = insns.iter().map(|&insn| {
        let place = Place::Insn {
            func,
            insn,
            operand,
        };
        locator.place(number, module, place)
    });
    let mut places: Vec<Finding> = places.take(MOST_PLACES).collect();
    let is_certain = access.is_jump() || !calls_own(module, func);
    let place = match (places.pop(), places.is_empty()) {
        (Some(only), true) if is_certain => only,
        (last, _) => {
            let spans = places.iter().chain(&last).filter_map(|place| place.span);
            let text = "this access, or one of the others";
            let label = |span| Label {
                span,
                text: text.into(),
            };
            let labels = spans.map(label).collect();
            let head = Place::Item(module.func(func).item);
            Finding {
                labels,
                ..locator.place(number, module, head)
            }
        }
    };
    let function = place.function.as_ref();
    let function = function.map(|function| format!(" in `{function}`"));
    let told = finding(access, &function.unwrap_or_default());
    let finding = Finding {
        message: told.message,
        code: told.code,
        ..place
    };
    diagnostics.report(&source.name, &source.bytes, &finding);
    Some(())
}

/// Returns what happened, in words; `place` is the function in words.
fn finding(access: &Access, place: &str) -> Finding {
    let address = access.address;
    let did = match access.is_jump() {
        true => "jumped to",
        false => "accessed",
    };
    let kind = match address {
        0 => "a null pointer",
        1..NULL_PAGE => "something at a null pointer",
        _ => "memory that is not its own",
    };
    let message = format!("the program {did} {kind}{place}: address 0x{address:x}");
    Finding::error(codes::Code::REFUSED_ACCESS, message)
}

/// Returns whether a function calls others of its module, whose instructions may have become part
/// of its code.
fn calls_own(module: &Module<'_>, func: FuncId) -> bool {
    let is_own = |insn| {
        let Some(Operand::Item(item)) = module.operand(insn, 1) else {
            return false;
        };
        let item = module.item(module.resolve(item));
        module.code(insn).is_call() && matches!(item.kind, ItemKind::Func(_))
    };
    module.insns(func).any(is_own)
}

/// Returns the instructions of a function that may have made the access: for a jump its calls and
/// jumps to what a register holds, at a null pointer those with the address as displacement, or
/// with an index.
fn possible_insns(module: &Module<'_>, func: FuncId, access: &Access) -> Vec<InsnId> {
    let address = access.address;
    let may_access = |operand: &Operand| match operand {
        Operand::Mem(mem) if mem.ty.is_block() => true,
        Operand::Mem(mem) => {
            let size = mem.ty.size() as usize;
            let disp = mem.disp as usize;
            let covers = (disp..disp.saturating_add(size)).contains(&address);
            address >= NULL_PAGE || mem.index.is_some() || covers
        }
        _ => false,
    };
    let may_be = |insn: &InsnId| {
        let code = module.code(*insn);
        if !access.is_jump() {
            return module.operands(*insn).any(|operand| may_access(&operand));
        }
        let target = match code {
            Code::Jmpi => 0,
            _ if code.is_call() => 1,
            _ => return false,
        };
        !matches!(module.operand(*insn, target), Some(Operand::Item(_)))
    };
    module.insns(func).filter(may_be).collect()
}
