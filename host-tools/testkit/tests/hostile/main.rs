//! Hostile programs in every engine: none panics, hangs, or takes more than in proportion to its
//! length.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(unsafe_code, reason = "machine code is called")]

use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use fastrand::Rng;
use mir_host::HostPages;
use mir_nostd::binary::{self, ReadOptions};
use mir_nostd::codegen::Backend;
use mir_nostd::codegen::{self, Budget, Compiler};
use mir_nostd::interp::{self, Engine, Interpreter};
use mir_nostd::ir::{Error, Module};
use mir_nostd::link::{Callable, Context, ContextOptions, Reason};
use mir_nostd::mem::{Allocator, Limited};
use mir_nostd::run::{CallError, Granularity, Jit, Options};
use mir_nostd::target::Value;
use mir_nostd::text;
use mir_nostd::verify::Verified;
use target_all::ISAS;
use testkit::engines::ties_registers;
use testkit::hostile::{self, Family, TEXTS};
use testkit::readers::contents_of_text;
use testkit::{FailingAllocator, SystemAllocator, container};

static ENGINE: Engine = Engine::with_fuel();
static PAGES: HostPages = HostPages;

/// The fuel of a run: each engine stops at the same place, or ends.
const FUEL: u64 = 200_000;

/// The most instructions of Machine IR that a function may become.
const INSNS: usize = 50_000;

/// The most memory of one program, for reading and everything after it.
const MEMORY: usize = 64 << 20;

/// The longest text whose allocations are proven, which is no matter of proportional time.
const PROVEN: usize = 2000;

/// Reads a text.
fn parsed<'m>(source: &str, isa: &dyn Backend, allocator: &'m dyn Allocator) -> Vec<Module<'m>> {
    let format = isa.target().long_double;
    let parsed = text::parse(source.as_bytes(), allocator, format, &mut |_| {});
    let mut modules: Vec<_> = parsed
        .map(|mut all| core::iter::from_fn(|| all.pop()).collect())
        .unwrap_or_default();
    modules.reverse();
    modules
}

fn verified<'m>(module: Module<'m>, isa: &dyn Backend) -> Option<Verified<'m>> {
    Verified::new(module, isa.target(), &mut |_| {}).ok()
}

/// Compiles all functions of a module; with the proof of allocations where it is `proven`, which
/// takes more memory.
fn compile<'m>(
    module: &Module<'m>,
    (isa, level): (&'m dyn Backend, u8),
    proven: bool,
    memory: &'m Limited<'m>,
) {
    let mut compiler = Compiler::new(isa, memory);
    compiler.options.level = level;
    compiler.options.check_allocation = proven;
    compiler.options.budget = Budget {
        insns: INSNS,
        memory: Some(memory),
    };
    for (func, _) in module.funcs() {
        match compiler.compile(module, func) {
            Ok(_) | Err(codegen::Error::Budget | codegen::Error::TooLarge) => {}
            Err(codegen::Error::Unsupported) if ties_registers(module) => {}
            Err(error) => panic!("{} at level {level}: {error}", isa.target().name),
        }
    }
}

/// Compiles a text for an ISA at each level, and returns the most memory that was taken at a time.
fn peak(source: &str, isa: &'static dyn Backend) -> usize {
    let allocator = FailingAllocator::new();
    for module in parsed(source, isa, &allocator) {
        let Some(verified) = verified(module, isa) else {
            continue;
        };
        for level in 0..4 {
            let limited = Limited::new(&allocator, MEMORY);
            compile(verified.module(), (isa, level), false, &limited);
        }
    }
    allocator.peak_bytes()
}

#[test]
fn texts_compile_or_are_refused_in_memory_in_proportion() {
    for (number, family) in TEXTS.iter().enumerate() {
        let [small, large] = family.sizes.map(family.make);
        let longer = large.len() as f64 / small.len() as f64;
        // All ISAs take turns.
        for isa in [ISAS[number % ISAS.len()], ISAS[0]] {
            let (less, more) = (peak(&small, isa), peak(&large, isa));
            let room = 1.5 * longer * less as f64 + f64::from(1 << 20);
            let name = isa.target().name;
            assert!(
                (more as f64) < room,
                "{}, {name}: {less}, then {more}",
                family.name
            );
        }
    }
}

fn context<'m>(source: &str, allocator: &'m dyn Allocator) -> Result<Context<'m>, Error> {
    let mut options = ContextOptions::new(allocator, target_all::NATIVE.target(), &ENGINE);
    options.native = Some(target_all::NATIVE);
    options.pages = Some(&PAGES);
    let context = Context::new(options);
    for module in parsed(source, testkit::host_backend(), allocator) {
        let verified = Verified::new(module, context.target(), &mut |_| {})?;
        // SAFETY: the programs keep to memory of their own.
        unsafe { context.load(verified) }?;
    }
    context.link(&mut |_| None)?;
    Ok(context)
}

/// How a run ended: with its result, or why not.
type Outcome = Result<i64, Stop>;

/// Why a run did not end, or did not begin.
#[derive(Debug, PartialEq)]
struct Stop {
    reason: String,
    /// True if it met a limit. Engines whose frames have other sizes meet other limits first.
    is_limit: bool,
}

impl From<Reason> for Stop {
    fn from(reason: Reason) -> Stop {
        Stop {
            reason: format!("{reason:?}"),
            is_limit: reason.can_resume(),
        }
    }
}

/// Returns the stop of a run that did not begin.
fn refused(error: impl ToString) -> Stop {
    Stop {
        reason: error.to_string(),
        is_limit: false,
    }
}

fn interpreted<'m>(context: &Context<'m>, run: &Callable<'m>) -> Outcome {
    let limits = interp::Options {
        stack: 1 << 20,
        depth: 10_000,
        fuel: FUEL,
    };
    let mut results = [Value::ZERO];
    let mut interpreter = Interpreter::new(context, limits).map_err(refused)?;
    let ran = interpreter.run(run, &[], &mut results);
    ran.map(|()| results[0].i64())
        .map_err(|stop| stop.reason.into())
}

/// The options with which a text is compiled: at a level, at once or on the way, with the proof of
/// allocations or without.
type Setting = (u8, Option<Granularity>, bool);

/// Runs in compiled code that has fuel and a limit of its stack.
fn compiled<'m>(
    context: &Context<'m>,
    run: &Callable<'m>,
    (level, granularity, proven): Setting,
) -> Outcome {
    let (fuel, lowest) = (AtomicU64::new(FUEL), AtomicUsize::new(lowest_stack()));
    // SAFETY: they outlive the code, which this function alone calls.
    let (fuel, lowest): (&'m AtomicU64, &'m AtomicUsize) =
        unsafe { (&*core::ptr::from_ref(&fuel), &*core::ptr::from_ref(&lowest)) };
    let options = Options {
        fuel: Some(fuel),
        stack_limit: Some(lowest),
        codegen: codegen::Options {
            level,
            check_allocation: proven,
            ..Default::default()
        },
        ..Options::default()
    };
    let jit = Jit::new(
        context,
        testkit::host_backend(),
        target_all::NATIVE,
        &PAGES,
        options,
    );
    let jit = jit.map_err(refused)?;
    for number in 0..context.linked_modules() {
        let module = context.module(number).unwrap();
        let made = match granularity {
            Some(granularity) => jit.defer(module, granularity, &mut |_| true),
            None => jit.compile_module(module, &mut |_, _| {}).map(|_| ()),
        };
        made.map_err(refused)?;
    }
    let mut results = [Value::ZERO];
    // SAFETY: the programs keep to memory of their own.
    let ran = unsafe { jit.call(run, &[], &mut results) };
    assert!(fuel.load(Ordering::Relaxed) <= FUEL);
    ran.map(|()| results[0].i64()).map_err(|error| match error {
        CallError::Fault(fault) => fault.reason().into(),
        CallError::OutOfMemory => Reason::OutOfMemory.into(),
        error => refused(error),
    })
}

/// An address half a megabyte into what is left of this stack.
fn lowest_stack() -> usize {
    let here = 0_u8;
    core::ptr::from_ref(&here).addr() - (1 << 19)
}

/// Runs a text in every engine, where it links; all that end do so alike, and those that stop do so
/// for a limit.
fn run(family: &Family, source: &str) {
    let limited = Limited::new(&SystemAllocator, MEMORY);
    let Ok(linked) = context(source, &limited) else {
        return;
    };
    let Some(run) = linked.find_func(b"run") else {
        return;
    };
    let expected = interpreted(&linked, run);
    for level in 0..4 {
        for granularity in [None, Some(Granularity::Function), Some(Granularity::Block)] {
            let limited = Limited::new(&SystemAllocator, MEMORY);
            let context = context(source, &limited).unwrap();
            let run = context.find_func(b"run").unwrap();
            let found = compiled(&context, run, (level, granularity, source.len() < PROVEN));
            let name = family.name;
            let is_limit = |ended: &Outcome| ended.as_ref().is_err_and(|stop| stop.is_limit);
            assert!(
                found == expected || is_limit(&found) && is_limit(&expected),
                "{name} at level {level}, {granularity:?}: {found:?}, interpreted {expected:?}"
            );
        }
    }
}

#[test]
fn texts_run_alike_in_every_engine() {
    let mut ran = 0;
    for family in TEXTS.iter().filter(|family| family.runs) {
        for size in family.sizes {
            run(family, &(family.make)(size));
            ran += 1;
        }
    }
    assert!(ran > 30, "{ran}");
}

#[test]
fn forged_modules_are_refused_or_compile() {
    let (mut random, mut compiled) = (Rng::with_seed(7), 0);
    for number in 0..4000 {
        let isa = ISAS[number % ISAS.len()];
        let limited = Limited::new(&SystemAllocator, MEMORY);
        let Ok(module) = hostile::forged_module(&mut random, isa.target(), &limited) else {
            continue;
        };
        if let Some(verified) = verified(module, isa) {
            compile(verified.module(), (isa, number as u8 % 4), true, &limited);
            compiled += 1;
        }
    }
    assert!(compiled > 10, "{compiled}");
}

/// A short program with a field of every kind.
const FIELDS: &str = "m: module
import i
export f
forward g
p: proto i64, blk:16(b), i64:a, ...
d: i32 1, 2
e: bss 40
s: string \"a\"
t: ref d, 4
f: func i64, i64:a
local i64:b, d:c
l: add b, a, 3
mov i64:8(b, a, 4):x:y, 300
dmov c, 1.5
call p, i, b, blk:16(a), b, a
switch b, l, k
k: prset b, 2
bt l, b
laddr b, l
ret b
endfunc
u: lref l, k, 5
g: func i64
ret 70000
endfunc
v: expr g
endmodule
";

#[test]
fn any_number_may_stand_in_any_field() {
    let contents = contents_of_text(FIELDS.as_bytes()).unwrap();
    let (mut tried, mut read) = (0, 0);
    hostile::with_numbers(&contents, |changed| {
        let isa = ISAS[tried % ISAS.len()];
        tried += 1;
        let limited = Limited::new(&SystemAllocator, MEMORY);
        let options = ReadOptions {
            limit: 1 << 20,
            ..ReadOptions::new(isa.target().long_double, isa.target().big_endian)
        };
        let file = container::pack(changed);
        let Ok(mut modules) = binary::read(&file, &limited, &options) else {
            return;
        };
        read += 1;
        let Some(verified) = modules.pop().and_then(|module| verified(module, isa)) else {
            return;
        };
        compile(verified.module(), (isa, tried as u8 % 4), true, &limited);
    });
    assert!(tried > 1000 && read > 100, "{tried}, {read}");
}
