//! The parts that all tests here use: contexts with programs, compilers, calls.

pub(crate) use core::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
pub(crate) use mir_host::{HostPages, SystemAllocator};
pub(crate) use mir_nostd::codegen::{self, Backend, Budget};
pub(crate) use mir_nostd::interp::{Engine, Frame, Interpreter, Reason};
pub(crate) use mir_nostd::ir::{ArgSpec, Error, ErrorKind, FuncId, SignatureSpec, Type};
pub(crate) use mir_nostd::link::{Callable, Context, ContextOptions, HostError, HostFn};
pub(crate) use mir_nostd::mem::{Allocator, Entity, Limited, OutOfMemory};
pub(crate) use mir_nostd::run::{
    CallError, Fault, Granularity, Jit, Options, Refuel, Stages, Watch,
};
pub(crate) use mir_nostd::target::{Pages, Region, Value};
pub(crate) use mir_nostd::text;
pub(crate) use mir_nostd::verify::Verified;
pub(crate) use std::collections::HashMap;
pub(crate) use std::sync::{Barrier, Mutex};
pub(crate) use testkit::{FailingAllocator, sweep};

pub(crate) static ENGINE: Engine = Engine::new();
pub(crate) static PAGES: HostPages = HostPages;
pub(crate) const GRANULARITIES: [Granularity; 2] = [Granularity::Function, Granularity::Block];

/// True if the machine is likely to be a real one: emulated ones run the long tests for a shorter
/// time.
pub(crate) const IS_QUICK: bool = cfg!(target_arch = "x86_64");

/// Returns a number for each thread.
pub(crate) fn thread() -> usize {
    thread_local! {
        static HERE: u8 = const { 0 };
    }
    HERE.with(|here| core::ptr::from_ref(here).addr())
}

/// Returns a context with a linked program, in memory of `allocator`.
pub(crate) fn linked<'m>(source: &str, allocator: &'m dyn Allocator) -> Result<Context<'m>, Error> {
    let context = unlinked(source, allocator)?;
    context.link(&mut |_| None)?;
    Ok(context)
}

pub(crate) fn unlinked<'m>(
    source: &str,
    allocator: &'m dyn Allocator,
) -> Result<Context<'m>, Error> {
    let target = target_all::NATIVE.target();
    let mut options = ContextOptions::new(allocator, target, &ENGINE);
    options.native = Some(target_all::NATIVE);
    options.pages = Some(&PAGES);
    options.thread = Some(thread);
    let context = Context::new(options);
    load(&context, source)?;
    Ok(context)
}

/// Returns a context with a linked program that imports a closure of an integer.
pub(crate) fn with_closure<'m>(
    source: &str,
    closure: &'m (dyn HostFn + 'm),
    allocator: &'m dyn Allocator,
) -> Result<Context<'m>, Error> {
    let context = unlinked(source, allocator)?;
    let signature = SignatureSpec {
        results: &[Type::I64],
        args: &[ArgSpec::new(Type::I64, "n")],
        ..SignatureSpec::default()
    };
    context.add_host_fn(b"closure", signature, closure)?;
    context.link(&mut |_| None)?;
    Ok(context)
}

pub(crate) fn load(context: &Context<'_>, source: &str) -> Result<(), Error> {
    let (allocator, target) = (context.allocator(), context.target());
    let mut report = |error: Error| println!("{error}");
    let mut modules = text::parse(
        source.as_bytes(),
        allocator,
        target.long_double,
        &mut report,
    )?;
    while let Some(module) = modules.pop() {
        // SAFETY: the programs here use only memory of their own.
        unsafe { context.load(Verified::new(module, target, &mut |_| {})?) }?;
    }
    Ok(())
}

pub(crate) fn jit<'c, 'm>(
    context: &'c Context<'m>,
    backend: &'static dyn Backend,
    options: Options<'m>,
) -> Jit<'c, 'm> {
    Jit::new(context, backend, target_all::NATIVE, &PAGES, options).unwrap()
}

/// Returns the function of this name in the first module, exported or not.
pub(crate) fn function<'c, 'm>(context: &'c Context<'m>, name: &str) -> &'c Callable<'m> {
    let linked = context.module(0).unwrap();
    let module = linked.module();
    let mut funcs = module.funcs();
    let func = funcs.find(|&(func, _)| {
        module
            .item(module.func(func).item)
            .name
            .is_some_and(|own| module.name_bytes(own) == name.as_bytes())
    });
    linked.callable(func.unwrap().0)
}

/// Calls a function on integers.
pub(crate) fn call<'m>(
    jit: &Jit<'_, 'm>,
    callable: &Callable<'m>,
    arguments: &[i64],
) -> Result<i64, CallError> {
    let arguments: Vec<Value> = arguments
        .iter()
        .map(|&value| Value::from_i64(value))
        .collect();
    let mut results = [Value::ZERO];
    // SAFETY: the programs here use only memory of their own.
    unsafe { jit.call(callable, &arguments, &mut results) }?;
    Ok(results[0].i64())
}

pub(crate) fn reason(called: Result<i64, CallError>) -> Reason {
    match called {
        Err(CallError::Fault(fault)) => fault.reason(),
        other => panic!("{other:?}"),
    }
}

/// Counts how often each function and block is compiled, and how many are left to the interpreter.
#[derive(Default)]
pub(crate) struct Counter {
    pub(crate) made: Mutex<HashMap<(usize, Option<u32>), usize>>,
    pub(crate) left: AtomicUsize,
}

impl Watch for Counter {
    fn made(&self, callable: &Callable<'_>, _: usize, _: usize, block: Option<u32>) {
        let key = (core::ptr::from_ref(callable).addr(), block);
        *self.made.lock().unwrap().entry(key).or_default() += 1;
    }

    fn left(&self, _: &Callable<'_>, _: codegen::Error) {
        self.left.fetch_add(1, Ordering::Relaxed);
    }
}

/// Returns settings of the code generator for a level, with every allocation of registers proven.
pub(crate) fn proven(level: u8) -> mir_nostd::codegen::Options<'static> {
    mir_nostd::codegen::Options {
        level,
        check_allocation: true,
        ..Default::default()
    }
}

/// Returns a program of `count` functions, each of which calls the next one with its argument plus
/// one.
pub(crate) fn chain(count: usize) -> String {
    let mut source = String::from("m: module\nproto: proto i64, i64:n\n");
    for number in (0..count).rev() {
        let next = match number + 1 {
            next if next < count => format!("call proto, f{next}, n, n\n"),
            _ => String::new(),
        };
        source += &format!(
            "f{number}: func i64, i64:n\nbgt big{number}, n, 1000000\nadd n, n, 1\n{next}ret n\n\
             big{number}: ret -1\nendfunc\n"
        );
    }
    source + "endmodule\n"
}

/// Three functions that call each other: integers, doubles, a long double and variable arguments.
pub(crate) const MIXED: &str = "m: module
    p_a: proto i64, i64:n, d:x
    p_b: proto d, i64:n, d:x
    p_c: proto i64, i64:n, ...
    forward a
    forward b
    forward c
    b: func d, i64:n, d:x
        local i64:r, d:y
        beq end, n, 0
        sub n, n, 1
        call p_c, c, r, n, 7, 1.5, x
        dadd x, x, 0.25
        i2d y, r
        dadd x, x, y
    end: ret x
    endfunc
    c: func i64, i64:n, ...
        local i64:list, i64:r, i64:at, d:x, d:y
        alloca list, 32
        va_start list
        va_arg at, list, i64:0
        mov r, i64:(at)
        va_arg at, list, d:0
        dmov x, d:(at)
        va_arg at, list, d:0
        dmov y, d:(at)
        va_end list
        dadd x, x, y
        d2i at, x
        add r, r, at
        beq done, n, 0
        call p_b, b, x, n, x
        d2i at, x
        add r, r, at
    done: ret r
    endfunc
    a: func i64, i64:n
        local d:x, i64:r
        call p_b, b, x, n, 0.5
        dmul x, x, 4.0
        d2i r, x
        ret r
    endfunc
    export a
endmodule\n";
