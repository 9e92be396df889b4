//! The parts that all tests here use: programs, the ways to run them, and what comes of it.

pub(crate) use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
pub(crate) use mir_host::{HostPages, SystemAllocator};
pub(crate) use mir_nostd::confined::{self, Memory, Program, Space};
pub(crate) use mir_nostd::interp::Engine;
pub(crate) use mir_nostd::ir::{ArgSpec, Error, SignatureSpec, Type};
pub(crate) use mir_nostd::link::{Access, Context, ContextOptions, HostError, Reason};
use mir_nostd::mem::Entity;
pub(crate) use mir_nostd::run::{self, Jit};
pub(crate) use mir_nostd::target::Value;
pub(crate) use mir_nostd::text;
pub(crate) use mir_nostd::verify::Verified;
pub(crate) use testkit::confined::define;

pub(crate) static ENGINE: Engine = Engine::with_fuel();
pub(crate) static PAGES: HostPages = HostPages;

/// The fuel of each call.
pub(crate) const FUEL: u64 = 20_000;

/// The bytes around a program's memory and its windows that nobody may touch.
const GUARD: usize = 4096;

/// Their contents.
pub(crate) const CANARY: u8 = 0xA5;

/// The native stack of a program's thread, and the bytes at its end that are the runtime's.
const STACK: (usize, usize) = (64 << 20, 1 << 20);

/// The way in which a program runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    Interpreted,
    /// All functions were compiled before, at a level.
    Compiled(u8),
    /// Functions or blocks are compiled when they are first come to.
    Lazily(u8, run::Granularity),
    /// Functions with even numbers are compiled at a level, the others are left to the interpreter.
    Half(u8),
}

/// The proofs that the compiler makes of its work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Proofs {
    All,
    /// That functions are confined. The proof of allocations takes half of a test's time.
    Confinement,
}

impl Way {
    /// All ways in which nothing but the time differs. Halves use more native stack.
    pub(crate) fn all() -> Vec<Way> {
        let levels = 0..=3;
        let lazily = [run::Granularity::Function, run::Granularity::Block];
        let lazily = lazily.into_iter().flat_map(|way| {
            let levels = levels.clone();
            levels.map(move |level| Way::Lazily(level, way))
        });
        let compiled = levels.clone().map(Way::Compiled);
        [Way::Interpreted]
            .into_iter()
            .chain(compiled)
            .chain(lazily)
            .collect()
    }
}

/// Bytes between canaries.
pub(crate) struct Guarded {
    all: Vec<u8>,
    start: usize,
    bytes: usize,
}

impl Guarded {
    /// Returns bytes, each different, whose start is this far from a multiple of 16.
    pub(crate) fn new(bytes: usize, offset: usize) -> Guarded {
        let mut all = vec![CANARY; bytes + 2 * GUARD + 32];
        let start = GUARD + all[GUARD..].as_ptr().align_offset(16) + offset;
        for (number, byte) in all[start..][..bytes].iter_mut().enumerate() {
            *byte = (number as u8).wrapping_mul(37);
        }
        Guarded { all, start, bytes }
    }

    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        &mut self.all[self.start..][..self.bytes]
    }

    /// Returns the bytes.
    ///
    /// # Panics
    ///
    /// If a canary is not what it was.
    pub(crate) fn take(self) -> Vec<u8> {
        let (before, rest) = self.all.split_at(self.start);
        let (own, after) = rest.split_at(self.bytes);
        for (side, guard) in [("before", before), ("after", after)] {
            let touched = guard.iter().position(|&byte| byte != CANARY);
            assert_eq!(touched, None, "written {side} the memory");
        }
        own.to_vec()
    }
}

/// A program and what it runs with.
#[derive(Clone, Debug)]
pub(crate) struct Setup<'t> {
    pub(crate) text: &'t str,
    /// The text of the modules that are loaded as libraries, after the others.
    pub(crate) library: &'t str,
    pub(crate) bytes: usize,
    pub(crate) offset: usize,
    pub(crate) options: confined::Options,
    /// The addresses of windows with their sizes and what they admit.
    pub(crate) windows: Vec<(u64, usize, Access)>,
    /// The function that is called, and the arguments of each call.
    pub(crate) calls: Vec<(&'t str, Vec<i64>)>,
    pub(crate) fuel: u64,
    pub(crate) proofs: Proofs,
}

impl Default for Setup<'_> {
    fn default() -> Self {
        Setup {
            text: "",
            library: "",
            bytes: 8192,
            offset: 0,
            options: confined::Options::default(),
            windows: Vec::new(),
            calls: vec![("main", Vec::new())],
            fuel: FUEL,
            proofs: Proofs::All,
        }
    }
}

/// A fault: its reason, the name of the function and the number of the instruction.
pub(crate) type Place = (Reason, String, Option<u32>);

/// The calls inside each other at a fault, each with the name of its function and the number of its
/// instruction, and whether outer ones were left out.
pub(crate) type Trace = (Vec<(String, Option<u32>)>, bool);

/// The outcome of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Outcome {
    /// The result of each call, and the fuel that it left.
    pub(crate) calls: Vec<(Result<i64, Place>, u64)>,
    /// The calls under way when each call ended; none if it did not fault.
    pub(crate) traces: Vec<Trace>,
    /// The program's memory before the first call, and after the last one.
    pub(crate) linked: Vec<u8>,
    pub(crate) memory: Vec<u8>,
    pub(crate) windows: Vec<Vec<u8>>,
}

/// Returns a context in which confined programs run.
pub(crate) fn context<'m>() -> Context<'m> {
    let mut options = ContextOptions::new(&SystemAllocator, target_all::NATIVE.target(), &ENGINE);
    options.native = Some(target_all::NATIVE);
    options.pages = Some(&PAGES);
    Context::new(options)
}

/// Returns the modules of a text.
pub(crate) fn modules<'m>(source: &str) -> Result<Vec<Verified<'m>>, Error> {
    let target = target_all::NATIVE.target();
    let mut report = |error: Error| println!("{error}");
    let source = source.as_bytes();
    let mut parsed = text::parse(source, &SystemAllocator, target.long_double, &mut report)?;
    let mut modules = Vec::new();
    while let Some(module) = parsed.pop() {
        let mut sink = |violation: mir_nostd::verify::Violation| {
            if !violation.is_warning {
                println!("{}", violation.error);
            }
        };
        modules.push(Verified::new(module, target, &mut sink)?);
    }
    modules.reverse();
    Ok(modules)
}

impl Setup<'_> {
    /// Runs the program in a way.
    ///
    /// # Panics
    ///
    /// If a canary was touched, or a function is not compiled.
    pub(crate) fn run(&self, way: Way) -> Result<Outcome, Error> {
        let mut memory = Guarded::new(self.bytes, self.offset);
        let mut windows: Vec<Guarded> = { self.windows.iter() }
            .map(|window| Guarded::new(window.1, 3))
            .collect();
        let fuel = AtomicU64::new(0);
        let stack = AtomicUsize::new(0);
        let (mut traces, mut linked) = (Vec::new(), Vec::new());
        let calls = {
            let space = Space::new(&SystemAllocator, memory.bytes(), self.options)?;
            let context = context();
            let mut program = Program::new(&context, &space)?;
            define(&mut program)?;
            for module in modules(self.text)? {
                program.load(module)?;
            }
            for module in modules(self.library)? {
                program.load_library(module)?;
            }
            program.link()?;
            program.with_memory(|memory| linked.extend_from_slice(memory));
            for (window, memory) in self.windows.iter().zip(&mut windows) {
                program.grant(window.0, memory.bytes(), window.2)?;
            }
            let jit = compiler(&context, &program, way, self.proofs, &fuel, &stack);
            let calls = { self.calls.iter() };
            calls
                .map(|(name, arguments)| {
                    let ended = self.call(&mut program, jit.as_ref(), name, arguments, &fuel);
                    traces.push(trace(&program));
                    ended
                })
                .collect()
        };
        Ok(Outcome {
            calls,
            traces,
            linked,
            memory: memory.take(),
            windows: windows.into_iter().map(Guarded::take).collect(),
        })
    }

    pub(crate) fn call<'c, 'm>(
        &self,
        program: &mut Program<'c, 'm>,
        jit: Option<&Jit<'c, 'm>>,
        name: &str,
        arguments: &[i64],
        fuel: &AtomicU64,
    ) -> (Result<i64, Place>, u64) {
        let arguments: Vec<Value> = arguments.iter().map(|&n| Value::from_i64(n)).collect();
        let name = name.as_bytes();
        let count = program.counts(name).map_or(1, |(_, results)| results);
        let mut results = vec![Value::ZERO; count];
        fuel.store(self.fuel, Ordering::Relaxed);
        let (ran, left) = match jit {
            None => {
                let ran = program.interpret(name, &arguments, &mut results, self.fuel);
                (ran, program.fuel())
            }
            Some(jit) => {
                let ran = program.run(jit, name, &arguments, &mut results);
                (ran, fuel.load(Ordering::Relaxed))
            }
        };
        let result = match ran {
            Ok(()) => Ok(results.first().map_or(0, |value| value.i64())),
            Err(fault) => {
                let name = fault
                    .function
                    .map_or(&b""[..], |function| program.name(function));
                let name = String::from_utf8_lossy(name).into_owned();
                Err((fault.reason, name, fault.instruction))
            }
        };
        (result, left)
    }

    /// Runs the program in all ways, from images too if they have what it needs, and returns what
    /// came of it.
    ///
    /// # Panics
    ///
    /// If something else came of it in one way than in another.
    pub(crate) fn outcome(&self) -> Outcome {
        let expected = self.run(Way::Interpreted).unwrap();
        for way in Way::all() {
            let found = self.run(way).unwrap();
            if let Some(difference) = difference(&expected, &found) {
                panic!("{way:?}: {difference}\n{}", self.text);
            }
        }
        // One level, which the text chooses: all of them are tried by all tests together.
        let level = (self.text.len() % 4) as u8;
        if self.fits_images()
            && let Some(difference) = self.difference_in_image(&expected, level)
        {
            panic!("image, level {level}: {difference}\n{}", self.text);
        }
        expected
    }
}

/// Returns the calls under way when the last run faulted.
pub(crate) fn trace(program: &Program<'_, '_>) -> Trace {
    let backtrace = program.backtrace();
    let frames = backtrace.frames.iter().map(|frame| {
        let name = String::from_utf8_lossy(program.name(frame.function));
        (name.into_owned(), frame.instruction)
    });
    (frames.collect(), backtrace.is_cut)
}

/// Returns what is different, if anything is.
pub(crate) fn difference(expected: &Outcome, found: &Outcome) -> Option<String> {
    if expected.calls != found.calls {
        return Some(format!(
            "{:x?} is expected, not {:x?}",
            expected.calls, found.calls
        ));
    }
    if expected.traces != found.traces {
        return Some(format!(
            "{:?} is expected, not {:?}",
            expected.traces, found.traces
        ));
    }
    let memories = |outcome: &Outcome| {
        let windows = outcome.windows.iter();
        let all = core::iter::once(&outcome.memory).chain(windows);
        all.cloned().collect::<Vec<_>>()
    };
    for (number, (a, b)) in memories(expected).iter().zip(&memories(found)).enumerate() {
        if let Some(at) = a.iter().zip(b).position(|(a, b)| a != b) {
            return Some(format!(
                "memory {number} differs at {at:#x}: {:x?} is expected, not {:x?}",
                &a[at..a.len().min(at + 16)],
                &b[at..b.len().min(at + 16)]
            ));
        }
    }
    None
}

/// Returns a compiler for the program's functions, unless they are to be interpreted.
pub(crate) fn compiler<'c, 'm>(
    context: &'c Context<'m>,
    program: &Program<'c, 'm>,
    way: Way,
    proofs: Proofs,
    fuel: &'m AtomicU64,
    stack: &'m AtomicUsize,
) -> Option<Jit<'c, 'm>> {
    let level = match way {
        Way::Interpreted => return None,
        Way::Compiled(level) | Way::Lazily(level, _) | Way::Half(level) => level,
    };
    stack.store(stack_limit(), Ordering::Relaxed);
    let options = run::Options {
        fuel: Some(fuel),
        stack_limit: Some(stack),
        codegen: mir_nostd::codegen::Options {
            level,
            check_allocation: proofs == Proofs::All,
            check_confinement: true,
            ..Default::default()
        },
        ..run::Options::default()
    };
    let backend = testkit::host_backend();
    let jit = Jit::new(context, backend, target_all::NATIVE, &PAGES, options).unwrap();
    match way {
        Way::Lazily(_, way) => {
            for linked in (0..context.linked_modules()).filter_map(|number| context.module(number))
            {
                jit.defer(linked, way, &mut |_| true).unwrap();
            }
        }
        Way::Half(_) => {
            for linked in (0..context.linked_modules()).filter_map(|number| context.module(number))
            {
                let is_even = &mut |func: mir_nostd::ir::FuncId| func.number().is_multiple_of(2);
                jit.defer(linked, run::Granularity::Function, is_even)
                    .unwrap();
            }
        }
        _ => {
            let mut left = |_, error| panic!("a function is not compiled: {error}");
            program.compile(&jit, &mut left).unwrap();
        }
    }
    Some(jit)
}

std::thread_local! {
    /// The lowest address that compiled code's stack may reach in this thread.
    static LIMIT: core::cell::Cell<usize> = const { core::cell::Cell::new(0) };
}

/// Returns the lowest address that compiled code's stack may reach in this thread.
pub(crate) fn stack_limit() -> usize {
    LIMIT.get()
}

/// Calls `body` on a stack that suffices for what programs may use.
pub(crate) fn on_large_stack<T: Send>(body: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK.0);
        let handle = thread.spawn_scoped(scope, || {
            let here = 0_u8;
            LIMIT.set((&raw const here).addr() - (STACK.0 - STACK.1));
            body()
        });
        match handle.unwrap().join() {
            Ok(value) => value,
            Err(panicked) => std::panic::resume_unwind(panicked),
        }
    })
}

/// The first address of a program's memory.
pub(crate) const FIRST: i64 = 4096;

/// The expected outcome of a call: its result, or the reason of its fault with the number of the
/// instruction in the function that is called.
pub(crate) type Expected = Result<i64, (Reason, u32)>;

/// Returns an access that faults, in the first instruction.
pub(crate) fn bad_address(address: i64) -> Expected {
    Err((Reason::BadAddress(address as u64), 0))
}

/// Runs calls in all ways, one after the other, and checks that each gives what is expected.
pub(crate) fn check<'t>(setup: Setup<'t>, cases: &[(&'t str, Vec<i64>, Expected)]) -> Outcome {
    let calls = { cases.iter() }.map(|(name, arguments, _)| (*name, arguments.clone()));
    let setup = Setup {
        calls: calls.collect(),
        ..setup
    };
    let outcome = on_large_stack(|| setup.outcome());
    for ((name, arguments, expected), (found, _)) in cases.iter().zip(&outcome.calls) {
        let expected =
            expected.map_err(|(reason, number)| (reason, (*name).to_owned(), Some(number)));
        assert_eq!(*found, expected, "{name} {arguments:x?}\n{}", setup.text);
    }
    outcome
}

/// Checks calls of a program as [`check`] does, with what is usual beside its text.
pub(crate) fn check_text<'t>(text: &'t str, cases: &[(&'t str, Vec<i64>, Expected)]) -> Outcome {
    let setup = Setup {
        text,
        ..Setup::default()
    };
    check(setup, cases)
}

/// Returns the bytes that a program's memory holds at first.
pub(crate) fn pattern(bytes: usize) -> Vec<u8> {
    let numbers = 0..bytes;
    numbers
        .map(|number| (number as u8).wrapping_mul(37))
        .collect()
}
