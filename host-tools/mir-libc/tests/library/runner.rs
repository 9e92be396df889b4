//! Runs programs with the library: a context, what the runtime gives, and calls by two engines.
#![expect(unsafe_code, reason = "programs are trusted with memory")]

use core::cell::RefCell;
use mir_host::HostPages;
use mir_nostd::binary::{self, ReadOptions};
use mir_nostd::codegen::{self, Granularity};
use mir_nostd::interp::{Engine, Interpreter, Options as InterpreterOptions};
use mir_nostd::ir::{ArgSpec, Error, Module, SignatureSpec, Type};
use mir_nostd::link::{Callable, Context, ContextOptions, HostError, HostFn};
use mir_nostd::mem::Vec as LentVec;
use mir_nostd::run::{Jit, Options, Watch};
use mir_nostd::target::Value;
use mir_nostd::text;
use mir_nostd::verify::Verified;
use testkit::SystemAllocator;

static ENGINE: Engine = Engine::new();
static PAGES: HostPages = HostPages;

/// The bytes that `malloc` may use.
const HEAP: usize = 32 << 20;

thread_local! {
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static MEMORY: Vec<u64> = vec![0; HEAP / 8];
}

/// Returns what this thread's programs printed since the last time.
pub(crate) fn output() -> Vec<u8> {
    OUTPUT.take()
}

/// Sets what this thread's programs read.
pub(crate) fn set_input(bytes: &[u8]) {
    INPUT.set(bytes.to_vec());
}

fn write(arguments: &[Value], results: &mut [Value]) -> Result<(), HostError> {
    let count = arguments[2].i64() as usize;
    // SAFETY: the library passes bytes of its own or of the program's.
    let bytes = unsafe { core::slice::from_raw_parts(arguments[1].address::<u8>(), count) };
    OUTPUT.with_borrow_mut(|output| output.extend_from_slice(bytes));
    results[0] = Value::from_i64(count as i64);
    Ok(())
}

/// Gives at most 5 bytes at a time, so that programs read several times.
fn read(arguments: &[Value], results: &mut [Value]) -> Result<(), HostError> {
    let given: Vec<u8> = INPUT.with_borrow_mut(|input| {
        let count = input.len().min(5).min(arguments[2].i64() as usize);
        input.drain(..count).collect()
    });
    // SAFETY: the library passes room for that many.
    unsafe {
        let to = arguments[1].address::<u8>();
        to.copy_from_nonoverlapping(given.as_ptr(), given.len());
    }
    results[0] = Value::from_i64(given.len() as i64);
    Ok(())
}

fn heap_start(_: &[Value], results: &mut [Value]) -> Result<(), HostError> {
    // Not aligned: the library sees to that.
    results[0] =
        MEMORY.with(|memory| Value::from_u64(memory.as_ptr().expose_provenance() as u64 + 1));
    Ok(())
}

fn heap_end(_: &[Value], results: &mut [Value]) -> Result<(), HostError> {
    results[0] =
        MEMORY.with(|memory| Value::from_u64((memory.as_ptr().expose_provenance() + HEAP) as u64));
    Ok(())
}

fn exit(arguments: &[Value], _: &mut [Value]) -> Result<(), HostError> {
    Err(HostError(arguments[0].u64() as u32))
}

/// A closure with its name, results and arguments.
type Given = (
    &'static [u8],
    &'static [Type],
    &'static [Type],
    &'static dyn HostFn,
);

const GIVEN: [Given; 5] = [
    (
        b"write",
        &[Type::I64],
        &[Type::I64, Type::P, Type::I64],
        &write,
    ),
    (
        b"read",
        &[Type::I64],
        &[Type::I64, Type::P, Type::I64],
        &read,
    ),
    (b"__heap_start", &[Type::I64], &[], &heap_start),
    (b"__heap_end", &[Type::I64], &[], &heap_end),
    (b"exit", &[], &[Type::I32], &exit),
];

/// The library that a program is linked with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Library {
    Ours,
    Host,
}

pub(crate) fn of_text(source: &[u8]) -> LentVec<'static, Module<'static>> {
    let format = target_all::HOST.target().long_double;
    let mut report = |error: Error| println!("{error}");
    text::parse(source, &SystemAllocator, format, &mut report).unwrap()
}

pub(crate) fn of_binary(bytes: &[u8]) -> LentVec<'static, Module<'static>> {
    let target = target_all::HOST.target();
    let options = ReadOptions::new(target.long_double, target.big_endian);
    binary::read(bytes, &SystemAllocator, &options).unwrap()
}

fn load(context: &Context<'static>, mut modules: LentVec<'static, Module<'static>>) {
    while let Some(module) = modules.pop() {
        let mut problems = String::new();
        let verified = Verified::new(module, context.target(), &mut |violation| {
            problems += &format!("{}\n", violation.error);
        });
        let verified = verified.map_err(|_| problems).unwrap();
        // SAFETY: the programs use memory of their own, and the library what it is given.
        unsafe { context.load(verified) }.unwrap();
    }
}

/// Links a program with a library.
pub(crate) fn linked(
    modules: LentVec<'static, Module<'static>>,
    library: Library,
) -> Context<'static> {
    let target = target_all::HOST.target();
    let mut options = ContextOptions::new(&SystemAllocator, target, &ENGINE);
    options.native = Some(target_all::NATIVE);
    options.pages = Some(&PAGES);
    let context = Context::new(options);
    load(&context, modules);
    let mut host = mir_host::Symbols::open(&[]).unwrap();
    if library == Library::Ours {
        for (name, results, args, function) in GIVEN {
            let args: Vec<_> = args.iter().map(|ty| ArgSpec::new(*ty, "a")).collect();
            let signature = SignatureSpec {
                results,
                args: &args,
                vararg: false,
            };
            context.add_host_fn(name, signature, function).unwrap();
        }
        load(&context, of_text(mir_libc::TEXT));
    }
    let linked = context.link(&mut |name| match library {
        Library::Ours => None,
        Library::Host => host.find(name),
    });
    linked.unwrap();
    context
}

/// Returns a function of the program or the library.
pub(crate) fn function<'c>(context: &'c Context<'static>, name: &str) -> &'c Callable<'static> {
    let modules = (0..context.linked_modules()).filter_map(|number| context.module(number));
    let mut found = modules.flat_map(|linked| {
        let module = linked.module();
        let named = module.funcs().filter(move |(_, func)| {
            let own = module.item(func.item).name;
            own.is_some_and(|own| module.name_bytes(own) == name.as_bytes())
        });
        named.map(move |(func, _)| linked.callable(func))
    });
    found.next().unwrap_or_else(|| panic!("no function {name}"))
}

/// Fails where a function is left to the interpreter.
struct EveryFunctionCompiles;

impl Watch for EveryFunctionCompiles {
    fn left(&self, callable: &Callable<'_>, error: codegen::Error) {
        panic!("{callable:?} is not compiled: {error:?}");
    }
}

/// An engine that has a context's functions ready.
pub(crate) enum Caller<'c> {
    Interpreter(Box<Interpreter<'c, 'static>>),
    Compiled(Jit<'c, 'static>),
}

impl<'c> Caller<'c> {
    pub(crate) fn interpreter(context: &'c Context<'static>) -> Caller<'c> {
        let options = InterpreterOptions::default();
        Caller::Interpreter(Box::new(Interpreter::new(context, options).unwrap()))
    }

    /// Compiles functions at level 2, each at its first call.
    pub(crate) fn compiled(context: &'c Context<'static>) -> Caller<'c> {
        let codegen = mir_nostd::codegen::Options {
            level: 2,
            check_allocation: true,
            check_confinement: true,
            ..Default::default()
        };
        let options = Options {
            codegen,
            watch: Some(&EveryFunctionCompiles),
            ..Options::default()
        };
        let backend = testkit::host_backend();
        let jit = Jit::new(context, backend, target_all::NATIVE, &PAGES, options).unwrap();
        for linked in (0..context.linked_modules()).filter_map(|number| context.module(number)) {
            jit.defer(linked, Granularity::Function, &mut |_| true)
                .unwrap();
        }
        Caller::Compiled(jit)
    }

    /// Calls a function with one result at most; returns the result, or what stopped the program.
    pub(crate) fn call(
        &mut self,
        callable: &Callable<'static>,
        arguments: &[Value],
    ) -> Result<Value, String> {
        let (linked, func) = callable.func().unwrap();
        let signature = linked.module().func(func).signature;
        let mut results = vec![Value::ZERO; linked.module().results(&signature).len()];
        let mut given = arguments.to_vec();
        given.resize(linked.module().args(&signature).len(), Value::ZERO);
        match self {
            Caller::Interpreter(interpreter) => interpreter
                .run(callable, &given, &mut results)
                .map_err(|stop| stop.reason.to_string())?,
            // SAFETY: the programs keep to their memory.
            Caller::Compiled(jit) => unsafe { jit.call(callable, &given, &mut results) }
                .map_err(|error| format!("{error:?}"))?,
        }
        Ok(results.first().copied().unwrap_or(Value::ZERO))
    }
}

/// Returns memory that a program allocated.
pub(crate) fn bytes_at<'a>(start: *mut u8, size: usize) -> &'a mut [u8] {
    // SAFETY: tests pass blocks of the library's, one at a time.
    unsafe { core::slice::from_raw_parts_mut(start, size) }
}

/// Returns the pointer that a C library keeps.
pub(crate) fn pointer_at<T>(place: *const *const T) -> *const T {
    // SAFETY: both libraries return the address of a pointer.
    unsafe { place.read() }
}

/// Returns an entry of a table.
pub(crate) fn value_at<T: Copy>(place: *const T) -> T {
    // SAFETY: tests pass places inside the tables of the C libraries.
    unsafe { place.read() }
}

/// The addresses of the pointers to the tables of characters.
type Tables = (*const *const u16, *const *const i32, *const *const i32);

unsafe extern "C" {
    safe fn __ctype_b_loc() -> *const *const u16;
    safe fn __ctype_tolower_loc() -> *const *const i32;
    safe fn __ctype_toupper_loc() -> *const *const i32;
}

/// Returns the host's tables of characters.
pub(crate) fn host_tables() -> Tables {
    (
        __ctype_b_loc(),
        __ctype_tolower_loc(),
        __ctype_toupper_loc(),
    )
}
