//! `mir run --confined`: a program that is not trusted, with memory of its own and a few imports.

use crate::codes::Code;
use crate::commands::run::Args;
use crate::compiled::When;
use crate::diagnostics::{Diagnostics, Finding};
use crate::failure::{Failure, Result};
use crate::host;
use crate::isa::Isa;
use crate::memory::MEMORY;
use crate::program::{Modules, Program};
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use mir_nostd::codegen::Granularity;
use mir_nostd::confined::{self, BAD_ADDRESS, Callee, Fault, Memory, Space};
use mir_nostd::ir::{Error, ItemKind, Module, Problem};
use mir_nostd::link::{Context, HostError, Reason};
use mir_nostd::run::Jit;
use mir_nostd::target::Value;
use mir_nostd::text;
use mir_nostd::verify::Verified;
use std::collections::HashSet;
use std::io::{Read, Write};
use std::time::Instant;

/// The code with which `exit` ends a run.
pub(crate) const EXIT: u32 = 1 << 31;

/// The bit that `_exit` adds to it: destructors do not run.
pub(crate) const AT_ONCE: u32 = 1 << 30;

/// The status with which `abort` of the C library ends a run, without destructors.
const ABORTED: u32 = 134;

/// The bytes of the native stack that a program runs on: four times the largest of its own.
const NATIVE_STACK: usize = 64 << 20;

/// The bytes at the end of it that what the runtime calls has for itself.
const STACK_LEFT: usize = 1 << 20;

/// The lowest address that compiled code's stack may reach.
pub(crate) static STACK_LIMIT: AtomicUsize = AtomicUsize::new(0);

/// The names of the imports of confined programs.
const IMPORTS: [&str; 7] = [
    "write",
    "read",
    "exit",
    "_exit",
    "clock",
    "__heap_start",
    "__heap_end",
];

/// The bounds of the memory that the program's C library may use.
static HEAP: [AtomicU64; 2] = [AtomicU64::new(0), AtomicU64::new(0)];

/// Runs a program confined in this process, and ends the process with its status.
pub(crate) fn run(
    args: &'static Args,
    program: &'static Program,
    modules: Modules<Verified<'static>>,
    diagnostics: Diagnostics,
) -> Result<()> {
    let thread = std::thread::Builder::new().stack_size(NATIVE_STACK);
    let body = move || {
        let here = 0_u8;
        let lowest = (&raw const here).addr() - (NATIVE_STACK - STACK_LEFT);
        STACK_LIMIT.store(lowest, Ordering::Relaxed);
        match run_here(args, program, modules, &diagnostics) {
            Ok(status) => host::exit(status),
            failed => failed.map(|_| ()),
        }
    };
    let thread = thread
        .spawn(body)
        .map_err(|error| Failure::Usage(error.to_string()))?;
    thread.join().unwrap_or(Err(Failure::Program))
}

/// A program that is linked.
struct Linked {
    context: &'static Context<'static>,
    program: confined::Program<'static, 'static>,
    /// The number of the C library among its modules, if the program refers to it.
    library: Option<usize>,
}

/// Links modules, their arguments and what they use of the C library; names of imports that nothing
/// defines are added to `unresolved`.
fn link(
    args: &Args,
    modules: Modules<Verified<'static>>,
    words: &[Vec<u8>],
    unresolved: &mut Vec<Vec<u8>>,
) -> core::result::Result<Linked, Error> {
    let size = args.confined.unwrap_or_default();
    let memory: &'static mut [u8] = Vec::leak(vec![0; size]);
    let space = Space::new(&MEMORY, memory, confined::Options::default())?;
    let space: &'static Space<'static> = Box::leak(Box::new(space));
    let context = super::commands::run::context(Some(args.fuel_or_all()));
    let context: &'static Context<'static> = Box::leak(Box::new(context));
    let mut program = confined::Program::new(context, space)?;
    define(&mut program)?;
    let imported = missing(&modules);
    for module in modules.into_iter().flatten() {
        program.load(module)?;
    }
    program.load(arguments_module(words)?)?;
    let library = library_for(Isa::host(), &imported)?;
    let has_library = library.is_some();
    let is_there = |name: &[u8]| {
        library
            .iter()
            .any(|library| exports(library.module(), name))
    };
    let missing = imported.iter().filter(|name| !is_there(name));
    unresolved.extend(missing.filter(|name| *name != b"__argv").cloned());
    if let Some(library) = library {
        program.load_library(library)?;
    }
    program.link()?;
    let heap = program.heap();
    HEAP[0].store(heap.start, Ordering::Relaxed);
    HEAP[1].store(heap.end, Ordering::Relaxed);
    // The library comes last.
    let last = context.linked_modules().checked_sub(1);
    Ok(Linked {
        context,
        program,
        library: last.filter(|_| has_library),
    })
}

/// Runs a program confined, and returns its status.
fn run_here(
    args: &'static Args,
    source: &'static Program,
    modules: Modules<Verified<'static>>,
    diagnostics: &Diagnostics,
) -> Result<i32> {
    let refuse = |code: Code, problem: &str| {
        source.report(&Finding::error(code, problem), diagnostics);
        Failure::Program
    };
    let words = args.words();
    let mut unresolved = Vec::new();
    let linked = link(args, modules, &words, &mut unresolved);
    if let Err(error) = &linked
        && error.problem == Problem::UnresolvedImport
        && !unresolved.is_empty()
    {
        source.report_missing(&unresolved, diagnostics);
        return Err(Failure::Program);
    }
    let Linked {
        context,
        program,
        library,
    } = linked.map_err(|error| refuse(Code::of(error.problem), error.problem.text()))?;
    let argv = program.address(b"__argv").unwrap_or(0);
    let main_arguments = [
        Value::from_u64(words.len() as u64),
        Value::from_u64(argv),
        Value::from_u64(argv + 8 * words.len() as u64),
    ];
    match program.counts(b"main") {
        None => return Err(no_main(source, diagnostics)),
        Some((taken, _)) if taken > main_arguments.len() => {
            return Err(refuse(Code::NO_MAIN, "main has more than three arguments"));
        }
        Some(_) => {}
    }
    let compile = |when| {
        // Most programs call a few functions of the library only.
        let when = |number| match when {
            When::Before if Some(number) == library => When::Lazily(Granularity::Function),
            _ => when,
        };
        super::commands::run::compile(args, source, context, &when, diagnostics)
    };
    let jit = args.when().map(compile).transpose()?;
    let mut session = Session {
        program,
        jit,
        fuel: args.fuel_or_all(),
        arguments: main_arguments,
    };
    let status = match session.run() {
        Ok(status) => status,
        Err(fault) => {
            host::flush_streams();
            source.report_fault(&session.program, &fault, diagnostics);
            1
        }
    };
    let mut program = session.program;
    if args.memory_hash {
        let hash = program.memory_hash().unwrap_or(0);
        crate::output::to_standard_error(&format!("memory {hash:016x}"));
    }
    Ok(status)
}

/// A confined program and what calls its functions.
struct Session {
    program: confined::Program<'static, 'static>,
    /// The compiler of the program; `None` if it is interpreted.
    jit: Option<Jit<'static, 'static>>,
    /// The fuel that the interpreter has left.
    fuel: u64,
    /// The arguments of `main`.
    arguments: [Value; 3],
}

/// The way in which a call came to its end.
pub(crate) enum Ended {
    /// The function returned this integer, or 0.
    Returned(i32),
    /// It called `exit` with this status.
    Exited(i32),
    /// It called `_exit` or `abort`.
    AtOnce(i32),
}

impl Ended {
    /// Returns the way that an import's code stands for, if it is none of a fault.
    pub(crate) fn of_code(code: u32) -> Option<Ended> {
        if code & EXIT == 0 || code == BAD_ADDRESS {
            return None;
        }
        let status = (code & 0xFF) as i32;
        match code & AT_ONCE != 0 || code & 0xFF == ABORTED {
            true => Some(Ended::AtOnce(status)),
            false => Some(Ended::Exited(status)),
        }
    }
}

impl Session {
    /// Runs the constructors, `main` and the destructors; returns the exit status.
    fn run(&mut self) -> core::result::Result<i32, Fault> {
        let mut status = None;
        for number in 0..self.program.constructors().len() {
            let constructor = self.program.constructors()[number];
            match self.call(constructor.into())? {
                Ended::Returned(_) => {}
                Ended::Exited(given) => {
                    status = Some(given);
                    break;
                }
                Ended::AtOnce(status) => return Ok(status),
            }
        }
        let mut status = match status {
            Some(status) => status,
            None => match self.call(b"main".into())? {
                Ended::Returned(status) | Ended::Exited(status) => status,
                Ended::AtOnce(status) => return Ok(status),
            },
        };
        for number in 0..self.program.destructors().len() {
            let destructor = self.program.destructors()[number];
            match self.call(destructor.into())? {
                Ended::Returned(_) => {}
                Ended::Exited(given) => status = given,
                Ended::AtOnce(status) => return Ok(status),
            }
        }
        Ok(status)
    }

    /// Calls a function with as many of the arguments of `main` as it takes.
    fn call(&mut self, function: Callee<'_>) -> core::result::Result<Ended, Fault> {
        let program = &mut self.program;
        let (taken, given) = program.counts(function).unwrap_or((0, 0));
        // A function with more arguments is one that cannot be called.
        let taken = taken.min(self.arguments.len());
        let arguments = &self.arguments[..taken];
        let mut results = vec![Value::ZERO; given];
        let ran = match &self.jit {
            Some(jit) => program.run(jit, function, arguments, &mut results),
            None => {
                let ran = program.interpret(function, arguments, &mut results, self.fuel);
                self.fuel = program.fuel();
                ran
            }
        };
        match ran {
            Ok(()) => {
                let status = results.first().map_or(0, |value| value.i64() as i32);
                Ok(Ended::Returned(status))
            }
            Err(fault) => match fault.reason {
                Reason::Host(HostError(code)) => Ended::of_code(code).ok_or(fault),
                _ => Err(fault),
            },
        }
    }
}

/// Exports the last function named `main`, if it is not exported: whoever runs a program calls it.
pub(crate) fn with_main(mut modules: Modules<Module<'static>>) -> Modules<Module<'static>> {
    let is_main = |module: &&mut Module<'static>| {
        let item = module
            .find_name(b"main")
            .and_then(|name| module.item_named(name));
        item.is_some_and(|item| matches!(module.item(item).kind, ItemKind::Func(_)))
    };
    if let Some(module) = modules.iter_mut().flatten().rev().find(is_main) {
        // It fails only without memory; then nothing is named so that is exported.
        let _ = module.export(b"main");
    }
    modules
}

fn no_main(program: &Program, diagnostics: &Diagnostics) -> Failure {
    program.report(
        &Finding::error(Code::NO_MAIN, "no exported function is named main"),
        diagnostics,
    );
    Failure::Program
}

fn define(program: &mut confined::Program<'static, 'static>) -> core::result::Result<(), Error> {
    program.define_fn(b"write", &write)?;
    program.define_fn(b"read", &read)?;
    program.define_fn(b"exit", &exit)?;
    program.define_fn(b"_exit", &exit_at_once)?;
    program.define_fn(b"clock", &clock)?;
    program.define_fn(b"__heap_start", &heap_start)?;
    program.define_fn(b"__heap_end", &heap_end)
}

/// Returns the names that modules import and none of them exports, nor the command defines.
pub(crate) fn missing<'a, 'm: 'a>(
    modules: impl IntoIterator<Item = &'a Vec<Verified<'m>>>,
) -> HashSet<Vec<u8>> {
    let modules: Vec<_> = modules.into_iter().flatten().collect();
    let named = |kind: ItemKind| {
        let modules = modules.iter().copied().map(Verified::module);
        modules.flat_map(move |module| {
            let items = module.items().filter(move |(_, item)| item.kind == kind);
            items.filter_map(|(_, item)| Some(module.name_bytes(item.name?).to_vec()))
        })
    };
    let exported: HashSet<Vec<u8>> = named(ItemKind::Export).collect();
    let is_defined = |name: &[u8]| IMPORTS.iter().any(|import| import.as_bytes() == name);
    named(ItemKind::Import)
        .filter(|name| !exported.contains(name) && !is_defined(name))
        .collect()
}

/// Returns whether a module exports a name.
fn exports(module: &Module<'_>, name: &[u8]) -> bool {
    let name = module.find_name(name);
    { name.and_then(|name| module.binding(name)) }.is_some_and(|b| b.export.is_some())
}

/// Returns the C library for an ISA, if it has one of these names.
pub(crate) fn library_for(
    isa: Isa,
    names: &HashSet<Vec<u8>>,
) -> core::result::Result<Option<Verified<'static>>, Error> {
    let target = isa.target();
    let mut first = None;
    let mut report = |error: Error| first = first.or(Some(error));
    let read = text::parse(mir_libc::TEXT, &MEMORY, target.long_double, &mut report);
    let library = read.ok().and_then(|mut modules| modules.pop());
    let library = library.ok_or(first.unwrap_or(Problem::OutOfMemory.into()))?;
    let is_needed = names.iter().any(|name| exports(&library, name));
    match is_needed {
        true => Ok(Some(Verified::new(library, target, &mut |_| {})?)),
        false => Ok(None),
    }
}

/// Returns the module with the program's arguments: `__argv`.
fn arguments_module(words: &[Vec<u8>]) -> core::result::Result<Verified<'static>, Error> {
    let target = Isa::host().target();
    let mut module = Module::new(&MEMORY, b"arguments", target.long_double)?;
    let mut items = Vec::new();
    for (number, word) in words.iter().enumerate() {
        let name = format!("__arg{number}");
        let mut bytes = word.clone();
        bytes.push(0);
        items.push(module.string_data(Some(name.as_bytes()), &bytes)?);
    }
    let mut name = Some(&b"__argv"[..]);
    for item in items {
        module.ref_data(name.take(), item, 0)?;
    }
    // Null after the arguments, and as the environment.
    module.bss(name, 16)?;
    module.export(b"__argv")?;
    Ok(Verified::new(module, target, &mut |_| {})?)
}

fn write(
    memory: &mut Memory<'_>,
    stream: i32,
    at: u64,
    count: u64,
) -> core::result::Result<i64, HostError> {
    let bytes = memory.slice(at, count)?;
    let written = match stream {
        1 => std::io::stdout().write_all(bytes),
        2 => std::io::stderr().write_all(bytes),
        _ => Err(std::io::ErrorKind::NotFound.into()),
    };
    Ok(written.map_or(-1, |()| bytes.len() as i64))
}

fn read(
    memory: &mut Memory<'_>,
    stream: i32,
    at: u64,
    count: u64,
) -> core::result::Result<i64, HostError> {
    let bytes = memory.slice_mut(at, count)?;
    let read = match stream {
        0 => std::io::stdin().read(bytes),
        _ => Err(std::io::ErrorKind::NotFound.into()),
    };
    Ok(read.map_or(-1, |count| count as i64))
}

fn exit(_: &mut Memory<'_>, status: i32) -> core::result::Result<(), HostError> {
    Err(HostError(EXIT | status.cast_unsigned() & 0xFF))
}

fn exit_at_once(_: &mut Memory<'_>, status: i32) -> core::result::Result<(), HostError> {
    Err(HostError(EXIT | AT_ONCE | status.cast_unsigned() & 0xFF))
}

fn heap_start(_: &mut Memory<'_>) -> u64 {
    HEAP[0].load(Ordering::Relaxed)
}

fn heap_end(_: &mut Memory<'_>) -> u64 {
    HEAP[1].load(Ordering::Relaxed)
}

/// Microseconds since the first call.
fn clock(_: &mut Memory<'_>) -> i64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_micros() as i64
}
