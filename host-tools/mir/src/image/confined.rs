//! Confined programs for images: rewritten so that they keep to memory of their own
//! ([`mir_nostd::confined`]), with what they use of the C library.

use super::{Confined, Settings, Signatures};
use crate::confined::{library_for, missing};
use crate::failure::Refusal;
use crate::input::Source;
use crate::isa::Isa;
use crate::memory::MEMORY;
use crate::object;
use crate::object::support::Ends;
use mir_image::{Limits, Word};
use mir_nostd::codegen::stage::HIGHEST_LEVEL;
use mir_nostd::codegen::{self, Fuel};
use mir_nostd::confined::{Ahead, FIRST_ADDRESS, Memory, Options, Program, Space, WORDS_BYTES};
use mir_nostd::interp::Engine;
use mir_nostd::ir::{ArgSpec, Error, ItemKind, Mode, Module, Operand, Signature, SignatureSpec};
use mir_nostd::ir::{Problem, Type};
use mir_nostd::link::{Context, ContextOptions, HostError};
use mir_nostd::target::Value;
use mir_nostd::verify::Verified;
use std::collections::BTreeSet;

/// A program to be confined and made an image.
#[derive(Debug)]
pub struct Confinable {
    /// Its modules, verified for the target of the image.
    pub modules: Vec<Verified<'static>>,
    /// Modules that are loaded as libraries, after those.
    pub libraries: Vec<Verified<'static>>,
    /// The imports that whoever loads it has; `None` for those that it refers to, each with the
    /// types by which it is first called.
    pub imports: Option<Vec<Declaration>>,
    /// The bytes of its memory.
    pub bytes: usize,
    /// The settings of its space.
    pub options: Options,
}

/// An import of a confined program with its types.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Its name.
    pub name: Vec<u8>,
    /// The types of its results.
    pub results: Vec<Type>,
    /// The types of its arguments.
    pub arguments: Vec<Type>,
}

/// A program that was rewritten, to be compiled.
struct Rewritten {
    modules: Vec<Module<'static>>,
    /// The facts that its code does not show.
    facts: Confined,
}

/// Returns the image of a program for this machine, compiled at a level: as `mir image --confined
/// --check-confinement` makes it.
///
/// # Errors
///
/// The reason in words.
pub fn confined_image(program: Confinable, level: u8) -> Result<Vec<u8>, String> {
    let source = Source::new("program", Vec::new());
    let mut options = object::Options::of(Isa::host(), level.min(HIGHEST_LEVEL));
    options.codegen.check_confinement = true;
    let made = make(Isa::host(), program, &source, options, None, 1);
    made.map_err(|refusal| refusal.message)
}

/// Returns the image of a program, whose memory is at a distance if one is asked for; so many
/// threads compile it.
pub(crate) fn make(
    isa: Isa,
    program: Confinable,
    source: &Source,
    options: object::Options,
    distance: Option<i64>,
    threads: usize,
) -> Result<Vec<u8>, Refusal> {
    let (bytes, windows) = (program.bytes, program.options.windows);
    let Rewritten { modules, facts } = rewrite(isa, program)?;
    let modules: Vec<&Module<'_>> = modules.iter().collect();
    let options = object::Options {
        limits: codegen::Limits {
            fuel: Fuel::Final,
            stack: true,
        },
        ends: Ends::Confined,
        ..options
    };
    let mut signatures = Signatures::default();
    modules.iter().for_each(|module| signatures.add(module));
    let memory = object::support::memory(isa.target(), bytes, windows)?;
    let ends_told = object::Options {
        ends: Ends::Told,
        ..options
    };
    let objects = [
        object::make(&modules, source, options, threads)?,
        object::make(&[memory.module()], source, ends_told, 1)?,
    ];
    let limits = Limits(Limits::FUEL.0 | Limits::STACK.0 | Limits::CONFINED.0);
    let settings = Settings {
        distance,
        limits: match windows {
            true => Limits(limits.0 | Limits::WINDOWS.0),
            false => limits,
        },
    };
    super::make(isa, &objects, &signatures, settings, Some(&facts))
}

/// Rewrites a program so that it is confined, with what it uses of the C library.
///
/// # Errors
///
/// The reason in words.
fn rewrite(isa: Isa, mut program: Confinable) -> Result<Rewritten, String> {
    let names = missing([&program.modules]);
    let library = library_for(isa, &names).map_err(|error| error.problem.text().to_owned())?;
    program.libraries.extend(library);
    let mut all = program.modules.iter().chain(&program.libraries);
    all.try_for_each(|verified| check(verified.module()))?;
    let (kept, imports) = match program.imports.take() {
        Some(given) => (true, given),
        None => (false, imports(&program)?),
    };
    let made = link(isa, program, &imports, kept);
    made.map_err(|error| error.problem.text().to_owned())
}

/// Returns the imports that a program refers to.
fn imports(program: &Confinable) -> Result<Vec<Declaration>, String> {
    let defined = |module: &Module<'_>, name: &[u8]| {
        let name = module.find_name(name);
        { name.and_then(|name| module.binding(name)) }.is_some_and(|b| b.export.is_some())
    };
    let all: Vec<&Module<'_>> = { program.modules.iter().chain(&program.libraries) }
        .map(|verified| verified.module())
        .collect();
    let mut found = BTreeSet::new();
    for module in &all {
        let items = module.items();
        let items = items.filter(|(_, item)| item.kind == ItemKind::Import);
        let items = items.filter_map(|(_, item)| Some(module.name_bytes(item.name?)));
        found.extend(items.filter(|name| !all.iter().any(|other| defined(other, name))));
    }
    let found = found.into_iter().filter(|name| is_mentioned(&all, name));
    found.map(|name| first_call(&all, name)).collect()
}

/// Refuses what images of confined programs do not have.
fn check(module: &Module<'_>) -> Result<(), String> {
    for (_, item) in module.items() {
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

/// Returns an import with the types by which it is first called.
fn first_call(modules: &[&Module<'_>], name: &[u8]) -> Result<Declaration, String> {
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
    Ok(Declaration {
        name: name.to_vec(),
        results: module.results(&signature).to_vec(),
        arguments: args.iter().map(|arg| arg.ty).collect(),
    })
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

/// Links a program with imports, of which those that it does not refer to are kept, or are left
/// out.
fn link(
    isa: Isa,
    given: Confinable,
    imports: &[Declaration],
    kept: bool,
) -> Result<Rewritten, Error> {
    let windows = given.options.windows;
    let memory: &'static mut [u8] = Vec::leak(vec![0; given.bytes]);
    let space = Space::new(&MEMORY, memory, given.options)?;
    let space: &'static Space<'static> = Box::leak(Box::new(space));
    let options = ContextOptions::new(&MEMORY, isa.target(), &ENGINE);
    let context: &'static Context<'static> = Box::leak(Box::new(Context::new(options)));
    let mut program = Program::new(context, space)?;
    for import in imports {
        let args: Vec<_> = { import.arguments.iter() }
            .map(|&ty| ArgSpec::new(ty, "a"))
            .collect();
        let signature = SignatureSpec {
            results: &import.results,
            args: &args,
            vararg: false,
        };
        program.define(&import.name, signature, &never)?;
    }
    for module in given.modules {
        program.load(module)?;
    }
    for library in given.libraries {
        program.load_library(library)?;
    }
    let ahead = program.link_ahead(kept)?;
    // Heap and stack come after the data; they are zeros, and most of the memory.
    let bytes = (ahead.heap.start - FIRST_ADDRESS) as usize;
    let initial = program.with_memory(|memory| {
        let data = &memory[..bytes];
        let end = data.iter().rposition(|&byte| byte != 0);
        data[..end.map_or(0, |last| last + 1)].to_vec()
    });
    let initial = initial.ok_or(Problem::ConfinedSpace)?;
    let exports = { ahead.exports.iter() }.map(|[name, symbol]| (symbol.to_vec(), name.to_vec()));
    Ok(Rewritten {
        facts: Confined {
            contents: [words(isa, &ahead), initial].concat(),
            exports: exports.collect(),
            functions: ahead.functions,
            windows,
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
