//! Confined programs for images: rewritten so that they keep to memory of their own
//! ([`mir_nostd::confined`]), with what they use of the C library.

use super::Confined;
use crate::confined::{library_for, missing};
use crate::isa::Isa;
use crate::memory::MEMORY;
use mir_image::Word;
use mir_nostd::confined::{Ahead, Memory, Options, Program, Space, WORDS_BYTES};
use mir_nostd::interp::Engine;
use mir_nostd::ir::{ArgSpec, Error, ItemKind, Mode, Module, Operand, Signature, SignatureSpec};
use mir_nostd::ir::{Problem, Type};
use mir_nostd::link::{Context, ContextOptions, HostError};
use mir_nostd::target::Value;
use mir_nostd::verify::Verified;
use std::collections::BTreeSet;

/// A program that was rewritten, to be compiled.
pub(crate) struct Rewritten {
    pub(crate) modules: Vec<Module<'static>>,
    /// The facts that its code does not show.
    pub(crate) facts: Confined,
}

/// Rewrites modules so that they are confined to so many bytes.
///
/// # Errors
///
/// The reason in words.
pub(crate) fn rewrite(
    isa: Isa,
    modules: Vec<Verified<'static>>,
    bytes: usize,
) -> Result<Rewritten, String> {
    let names = missing([&modules]);
    let library = library_for(isa, &names).map_err(|error| error.problem.text().to_owned())?;
    let defined = |module: &Module<'_>, name: &[u8]| {
        let name = module.find_name(name);
        { name.and_then(|name| module.binding(name)) }.is_some_and(|b| b.export.is_some())
    };
    let all: Vec<&Module<'_>> = { modules.iter().chain(&library) }
        .map(|verified| verified.module())
        .collect();
    all.iter().try_for_each(|module| check(module))?;
    let mut imports = BTreeSet::new();
    for module in &all {
        let items = module.items();
        let items = items.filter(|(_, item)| item.kind == ItemKind::Import);
        let items = items.filter_map(|(_, item)| Some(module.name_bytes(item.name?)));
        imports.extend(items.filter(|name| !all.iter().any(|other| defined(other, name))));
    }
    let mut signatures = Vec::new();
    for name in imports.into_iter().filter(|name| is_mentioned(&all, name)) {
        signatures.push((name.to_vec(), types_of_import(&all, name)?));
    }
    drop(all);
    let made = link(isa, modules, library, &signatures, bytes);
    made.map_err(|error| error.problem.text().to_owned())
}

/// Refuses what images of confined programs do not have.
fn check(module: &Module<'_>) -> Result<(), String> {
    for (_, item) in module.items() {
        if matches!(item.kind, ItemKind::Expr { .. }) {
            return Err("confined images have no expr data".into());
        }
        if item
            .name
            .is_some_and(|name| module.name_bytes(name).contains(&0))
        {
            return Err("a name has a NUL in it".into());
        }
    }
    Ok(())
}

/// Returns whether instructions or data refer to an import.
fn is_mentioned(modules: &[&Module<'_>], name: &[u8]) -> bool {
    modules.iter().any(|module| {
        let is_it = |item| {
            let row = module.item(module.resolve(item));
            row.kind == ItemKind::Import
                && row.name.is_some_and(|its| module.name_bytes(its) == name)
        };
        let mut insns = module.funcs().flat_map(|(func, _)| module.insns(func));
        let in_operand = |operand| matches!(operand, Operand::Item(item) if is_it(item));
        insns.any(|insn| module.operands(insn).any(in_operand)) || { module.items() }
            .any(|(_, row)| matches!(row.kind, ItemKind::Ref { item, .. } if is_it(item)))
    })
}

/// The types of results and arguments.
type Types = [Vec<Type>; 2];

/// Returns the types by which an import is first called.
fn types_of_import(modules: &[&Module<'_>], name: &[u8]) -> Result<Types, String> {
    let found = modules.iter().find_map(|module| {
        let signature = call_of(module, name)?;
        Some((module, signature))
    });
    let text = String::from_utf8_lossy(name);
    let Some((module, signature)) = found else {
        return Err(format!(
            "nothing defines {text}, and no call says what it is"
        ));
    };
    let args = module.args(&signature);
    if signature.is_vararg() || args.iter().any(|arg| arg.ty.is_block()) {
        return Err(format!(
            "{text} is imported with variable arguments or blocks"
        ));
    }
    let results = module.results(&signature).to_vec();
    Ok([results, args.iter().map(|arg| arg.ty).collect()])
}

/// Returns the signature of the first call of an import.
fn call_of(module: &Module<'_>, name: &[u8]) -> Option<Signature> {
    let mut insns = module.funcs().flat_map(|(func, _)| module.insns(func));
    insns.find_map(|insn| {
        let is_it = |item| {
            let callee = module.item(module.resolve(item));
            let is_import = callee.kind == ItemKind::Import;
            is_import
                && callee
                    .name
                    .is_some_and(|its| module.name_bytes(its) == name)
        };
        match (module.operand(insn, 0)?, module.operand(insn, 1)?) {
            (Operand::Item(proto), Operand::Item(callee))
                if module.code(insn).is_call() && is_it(callee) =>
            {
                match module.item(module.resolve(proto)).kind {
                    ItemKind::Proto(signature) => Some(signature),
                    _ => None,
                }
            }
            _ => None,
        }
    })
}

/// Stands for all imports, as the program does not run here.
fn never(_: &mut Memory<'_>, _: &[Value], _: &mut [Value]) -> Result<(), HostError> {
    Err(HostError(0))
}

static ENGINE: Engine = Engine::with_fuel();

fn link(
    isa: Isa,
    modules: Vec<Verified<'static>>,
    library: Option<Verified<'static>>,
    imports: &[(Vec<u8>, Types)],
    bytes: usize,
) -> Result<Rewritten, Error> {
    let memory: &'static mut [u8] = Vec::leak(vec![0; bytes]);
    let space = Space::new(&MEMORY, memory, Options::default())?;
    let space: &'static Space<'static> = Box::leak(Box::new(space));
    let options = ContextOptions::new(&MEMORY, isa.target(), &ENGINE);
    let context: &'static Context<'static> = Box::leak(Box::new(Context::new(options)));
    let mut program = Program::new(context, space)?;
    for (name, [results, arguments]) in imports {
        let args: Vec<_> = arguments.iter().map(|&ty| ArgSpec::new(ty, "a")).collect();
        let signature = SignatureSpec {
            results,
            args: &args,
            vararg: false,
        };
        program.define(name, signature, &never)?;
    }
    for module in modules {
        program.load(module)?;
    }
    if let Some(library) = library {
        program.load_library(library)?;
    }
    let ahead = program.link_ahead()?;
    let initial = program.with_memory(|memory| {
        let end = memory.iter().rposition(|&byte| byte != 0);
        memory[..end.map_or(0, |last| last + 1)].to_vec()
    });
    let initial = initial.ok_or(Problem::ConfinedSpace)?;
    let exports = { ahead.exports.iter() }.map(|[name, symbol]| (symbol.to_vec(), name.to_vec()));
    Ok(Rewritten {
        facts: Confined {
            contents: [words(isa, &ahead), initial].concat(),
            exports: exports.collect(),
        },
        modules: all_modules(ahead),
    })
}

/// Returns the first contents of the words before the program's memory.
fn words(isa: Isa, ahead: &Ahead<'static>) -> Vec<u8> {
    let mut words = [0_u64; WORDS_BYTES as usize / 8];
    let count = words.len();
    for (word, value) in [
        (Word::StackPointer, ahead.stack_top),
        (Word::HeapStart, ahead.heap.start),
        (Word::HeapEnd, ahead.heap.end),
        (Word::StackTop, ahead.stack_top),
        (
            Word::Floats,
            u64::from(ahead.modules.iter().any(uses_floats)),
        ),
    ] {
        words[count - word.distance() / 8] = value;
    }
    let words = words.map(|word| match isa.target().big_endian {
        true => word.to_be_bytes(),
        false => word.to_le_bytes(),
    });
    words.concat()
}

/// Returns the modules of a program, with its table of functions.
fn all_modules(mut ahead: Ahead<'static>) -> Vec<Module<'static>> {
    let mut all = vec![ahead.table];
    while let Some(module) = ahead.modules.pop() {
        all.push(module);
    }
    all.reverse();
    all
}

/// Returns whether a function of a module that is exported touches floating registers, as all of
/// them are that run.
fn uses_floats(module: &Module<'static>) -> bool {
    let is_float_type = |ty: Type| matches!(ty, Type::F | Type::D | Type::Ld);
    let is_float = |mode: Mode| {
        matches!(
            mode,
            Mode::F | Mode::OutF | Mode::D | Mode::OutD | Mode::L | Mode::OutL
        )
    };
    let mut funcs = module
        .funcs()
        .filter(|(_, function)| module.is_exported(function.item));
    funcs.any(|(func, function)| {
        let has = |insn| {
            let code = module.code(insn);
            (0..module.operand_count(insn)).any(|number| is_float(code.mode(number)))
        };
        let mut registers = function.registers().iter();
        registers.any(|register| is_float_type(register.ty)) || module.insns(func).any(has)
    })
}
