//! The promises of programs that are loaded confined, for arbitrary bytes: the body of a fuzz
//! target, also run for a second as a test.

use crate::engines::verified;
use crate::{SystemAllocator, host_backend};
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use mir_host::HostPages;
use mir_nostd::codegen::{self, Budget};
use mir_nostd::confined::{FIRST_WINDOW, Memory, Options, Program, Space};
use mir_nostd::interp::Engine;
use mir_nostd::ir::{ArgSpec, Error, Mode, Module, SignatureSpec, Type};
use mir_nostd::link::{Access, Context, ContextOptions, HostError, Reason};
use mir_nostd::mem::Limited;
use mir_nostd::run::{self, Granularity, Jit};
use mir_nostd::target::Value;
use mir_nostd::verify::Verified;

static ENGINE: Engine = Engine::with_fuel();
static PAGES: HostPages = HostPages;

/// The most memory that one input may take for itself, besides the program's.
const HOST_MEMORY: usize = 64 << 20;

/// The fuel of each call.
const FUEL: u64 = 5_000;

/// The most functions that are called.
const FUNCTIONS: usize = 4;

/// The native stack that compiled code may take.
const STACK: usize = 2 << 20;

/// The bytes around what a program may access, and their contents.
const GUARD: usize = 256;
const CANARY: u8 = 0xA5;

/// The bytes of each window.
const WINDOW: usize = 40;

/// The way in which a program runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Interpreted,
    /// All functions were compiled before, at a level.
    Compiled(u8),
    /// Functions or blocks are compiled when they are first come to.
    Lazily(u8, Granularity),
}

/// The settings that the first bytes of an input stand for.
#[derive(Clone, Copy, Debug)]
struct Setting {
    way: Way,
    bytes: usize,
    options: Options,
}

impl Setting {
    /// Takes a setting off the start of an input.
    fn take(input: &[u8]) -> Option<(Setting, &[u8])> {
        let (&[way, memory], rest) = input.split_first_chunk()?;
        let level = way & 3;
        let way = match way >> 2 & 3 {
            0 => Way::Lazily(level, Granularity::Function),
            1 => Way::Lazily(level, Granularity::Block),
            _ => Way::Compiled(level),
        };
        let windows = memory & 1 != 0;
        let options = Options {
            stack: None,
            windows,
            masks: !windows && memory & 2 != 0,
        };
        // Also sizes that are no multiples of anything.
        let bytes = 4096 + 1021 * usize::from(memory >> 2);
        let setting = Setting {
            way,
            bytes,
            options,
        };
        Some((setting, rest))
    }
}

/// The reason of a fault, the name of the function, and the number of the instruction.
type Place = (Reason, Vec<u8>, Option<u32>);

/// The results of a call, or how it failed, and the fuel that it left.
type Call = (Result<Vec<u64>, Place>, u64);

/// The outcome of a program.
#[derive(PartialEq, Eq, Debug)]
struct Outcome {
    calls: Vec<Call>,
    memory: Vec<u8>,
    windows: [Vec<u8>; 2],
}

/// Bytes that a program may access. The interpreter gets a block of the heap of just that size, so
/// that a sanitizer sees all around it; compiled code, which none sees, gets canaries.
struct Guarded {
    all: Box<[u8]>,
    guard: usize,
}

impl Guarded {
    fn new(bytes: usize, way: Way) -> Guarded {
        let guard = match way {
            Way::Interpreted => 0,
            _ => GUARD,
        };
        let mut all = vec![CANARY; bytes + 2 * guard].into_boxed_slice();
        for (number, byte) in all[guard..][..bytes].iter_mut().enumerate() {
            *byte = (number as u8).wrapping_mul(37);
        }
        Guarded { all, guard }
    }

    fn bytes(&mut self) -> &mut [u8] {
        let end = self.all.len() - self.guard;
        &mut self.all[self.guard..end]
    }

    /// Returns the bytes.
    ///
    /// # Panics
    ///
    /// If a canary is not what it was.
    fn take(self) -> Vec<u8> {
        let (before, rest) = self.all.split_at(self.guard);
        let (own, after) = rest.split_at(rest.len() - self.guard);
        let mut canaries = before.iter().chain(after);
        assert!(canaries.all(|&byte| byte == CANARY), "a canary was touched");
        own.to_vec()
    }
}

/// Runs a program confined, interpreted and in the way that the input says, and compares what comes
/// of it: two bytes of settings, then what a binary file unpacks to.
///
/// # Panics
///
/// If a promise is broken: something outside of the program's memory and windows was written, the
/// compiler cannot prove its own work, or the outcomes differ.
pub fn run(input: &[u8]) {
    let Some((setting, contents)) = Setting::take(input) else {
        return;
    };
    let expected = outcome(contents, setting, Way::Interpreted);
    let found = outcome(contents, setting, setting.way);
    match (expected, found) {
        (Ok((expected, is_exact)), Ok((found, _))) => {
            let is_same = !is_exact || expected == found;
            assert!(
                is_same,
                "{setting:?}: {expected:?} is expected, not {found:?}"
            );
        }
        (Err(expected), Err(found)) => assert_eq!(expected, found, "{setting:?}"),
        (expected, found) => {
            let [expected, found] = [expected, found].map(|outcome| outcome.map(|_| ()));
            panic!("{setting:?}: {expected:?} is expected, not {found:?}");
        }
    }
}

/// Returns the outcome of a program, and whether all engines must agree on it.
fn outcome(contents: &[u8], setting: Setting, way: Way) -> Result<(Outcome, bool), Error> {
    let limited = Limited::new(&SystemAllocator, HOST_MEMORY);
    let target = target_all::NATIVE.target();
    let modules = verified(contents, target, &limited, |_| true);
    let is_exact = { modules.iter() }.all(|module| !computes_with_floats(module.module()));
    let mut memory = Guarded::new(setting.bytes, way);
    let mut windows = [(); 2].map(|()| Guarded::new(WINDOW, way));
    let calls = run_modules(
        modules,
        setting,
        way,
        &limited,
        memory.bytes(),
        &mut windows,
    )?;
    let outcome = Outcome {
        calls,
        memory: memory.take(),
        windows: windows.map(Guarded::take),
    };
    Ok((outcome, is_exact))
}

/// Returns whether a module computes with floats: the bits of NaNs are the processor's.
fn computes_with_floats(module: &Module<'_>) -> bool {
    let is_float = |mode| {
        let floats = [
            Mode::F,
            Mode::OutF,
            Mode::D,
            Mode::OutD,
            Mode::L,
            Mode::OutL,
        ];
        floats.contains(&mode)
    };
    let is_float_type = |ty: Type| matches!(ty, Type::F | Type::D | Type::Ld);
    let mut insns = module.funcs().flat_map(|(func, _)| module.insns(func));
    let computes = insns.any(|insn| {
        let code = module.code(insn);
        (0..module.operand_count(insn)).any(|number| is_float(code.mode(number)))
    });
    let mut variables = module.funcs().flat_map(|(_, func)| func.registers());
    computes || variables.any(|variable| is_float_type(variable.ty))
}

/// An import that changes bytes of the program's and returns their sum.
fn change(
    memory: &mut Memory<'_>,
    given: &[Value],
    results: &mut [Value],
) -> Result<(), HostError> {
    let mut sum = 0;
    for byte in memory.slice_mut(given[0].u64(), given[1].u64())? {
        sum += u64::from(*byte);
        *byte ^= 0x5A;
    }
    results[0] = Value::from_u64(sum);
    Ok(())
}

/// An import that fails with the code in its argument.
fn fail(_: &mut Memory<'_>, given: &[Value], _: &mut [Value]) -> Result<(), HostError> {
    Err(HostError(given[0].u64() as u32))
}

/// Defines two imports: `change` changes bytes of the program's, by address and number, and returns
/// their sum; `fail` fails with the code in its argument.
///
/// # Errors
///
/// As [`Program::define`].
pub fn define(program: &mut Program<'_, '_>) -> Result<(), Error> {
    type Import = fn(&mut Memory<'_>, &[Value], &mut [Value]) -> Result<(), HostError>;
    static IMPORTS: [(&str, usize, Import); 2] = [("change", 2, change), ("fail", 1, fail)];
    for (name, count, import) in &IMPORTS {
        let args = vec![ArgSpec::new(Type::I64, "a"); *count];
        let spec = SignatureSpec {
            results: &[Type::I64],
            args: &args,
            vararg: false,
        };
        program.define(name.as_bytes(), spec, import)?;
    }
    Ok(())
}

/// Links modules confined and calls the functions that they export.
fn run_modules<'m>(
    modules: Vec<Verified<'m>>,
    setting: Setting,
    way: Way,
    limited: &'m Limited<'m>,
    memory: &'m mut [u8],
    windows: &'m mut [Guarded; 2],
) -> Result<Vec<Call>, Error> {
    let mut names = Vec::new();
    for module in &modules {
        let module = module.module();
        let exported = module
            .funcs()
            .filter(|(_, func)| module.is_exported(func.item));
        let name = exported.filter_map(|(_, func)| module.item(func.item).name);
        names.extend(name.map(|name| module.name_bytes(name).to_vec()));
    }
    let fuel = AtomicU64::new(0);
    let here = 0_u8;
    let stack = AtomicUsize::new((&raw const here).addr().saturating_sub(STACK));
    let space = Space::new(limited, memory, setting.options)?;
    let mut options = ContextOptions::new(limited, target_all::NATIVE.target(), &ENGINE);
    options.native = Some(target_all::NATIVE);
    options.pages = Some(&PAGES);
    let context = Context::new(options);
    let mut program = Program::new(&context, &space)?;
    define(&mut program)?;
    for module in modules {
        program.load(module)?;
    }
    program.link()?;
    if setting.options.windows {
        let [first, second] = windows;
        program.grant(FIRST_WINDOW, first.bytes(), Access::Write)?;
        program.grant(FIRST_WINDOW + 64, second.bytes(), Access::Read)?;
    }
    let jit = compiler(&context, &program, way, limited, &fuel, &stack);
    let calls = names.iter().take(FUNCTIONS);
    Ok(calls
        .map(|name| call(&mut program, jit.as_ref(), name, &fuel))
        .collect())
}

/// Returns a compiler for the program's functions, unless they are to be interpreted.
fn compiler<'c, 'm>(
    context: &'c Context<'m>,
    program: &Program<'c, 'm>,
    way: Way,
    limited: &'m Limited<'m>,
    fuel: &'m AtomicU64,
    stack: &'m AtomicUsize,
) -> Option<Jit<'c, 'm>> {
    let level = match way {
        Way::Interpreted => return None,
        Way::Compiled(level) | Way::Lazily(level, _) => level,
    };
    let options = run::Options {
        fuel: Some(fuel),
        stack_limit: Some(stack),
        codegen: codegen::Options {
            level,
            check_allocation: true,
            check_confinement: true,
            budget: Budget {
                insns: 50_000,
                memory: Some(limited),
            },
            ..codegen::Options::default()
        },
        ..run::Options::default()
    };
    let jit = Jit::new(context, host_backend(), target_all::NATIVE, &PAGES, options).ok()?;
    let prepared = match way {
        Way::Lazily(_, way) => {
            let mut linked =
                { 0..context.linked_modules() }.filter_map(|number| context.module(number));
            linked.try_for_each(|linked| jit.defer(linked, way, &mut |_| true))
        }
        _ => {
            let mut left = |_, error: codegen::Error| {
                assert!(!error.is_internal(), "at level {level}: {error}");
            };
            program.compile(&jit, &mut left)
        }
    };
    prepared.ok().map(|()| jit)
}

/// Calls a function, with arguments of all kinds.
fn call<'c, 'm>(
    program: &mut Program<'c, 'm>,
    jit: Option<&Jit<'c, 'm>>,
    name: &[u8],
    fuel: &AtomicU64,
) -> Call {
    let (arguments, results) = program.counts(name).unwrap_or((0, 0));
    let values = [4096, 0, FIRST_WINDOW, 7, u64::MAX, 4096 + 4096];
    let arguments: Vec<Value> = (0..arguments)
        .map(|number| Value::from_u64(values[number % values.len()]))
        .collect();
    let mut results = vec![Value::ZERO; results];
    fuel.store(FUEL, Ordering::Relaxed);
    let (ran, left) = match jit {
        None => {
            let ran = program.interpret(name, &arguments, &mut results, FUEL);
            (ran, program.fuel())
        }
        Some(jit) => {
            let ran = program.run(jit, name, &arguments, &mut results);
            (ran, fuel.load(Ordering::Relaxed))
        }
    };
    let result = match ran {
        Ok(()) => Ok(results.iter().map(|value| value.u64()).collect()),
        Err(fault) => {
            let name = fault
                .function
                .map_or(&b""[..], |function| program.name(function));
            Err((fault.reason, name.to_vec(), fault.instruction))
        }
    };
    (result, left)
}
