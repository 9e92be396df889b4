//! Runs a program: reads, verifies, loads, links and interprets or compiles it.

use crate::arch::{self, NATIVE, TARGET};
use crate::memory;
use crate::output::{self, Kernel};
use crate::pages::pages;
use core::fmt;
use kernel_libc::Printf;
use mir_nostd::binary::{self, ReadOptions};
use mir_nostd::interp::{Engine, Interpreter, Options, Reason};
use mir_nostd::ir::{ArgSpec, Error, ItemKind, Module, Problem, SignatureSpec, Type};
use mir_nostd::link::{Callable, Context, ContextOptions, HostError};
use mir_nostd::mem::{Allocator, Vec};
use mir_nostd::run::{CallError, Jit, Options as Compile};
use mir_nostd::target::Value;
use mir_nostd::verify::Verified;
use spin::Once;

/// The reason why a program did not run to its end.
pub enum Failure {
    /// The program was refused, or there was no memory for it.
    Refused(Error),
    /// The program stopped.
    Stopped(Reason),
    /// Compiled code could not be called.
    NotCalled(CallError),
    /// The number of functions that could not be compiled.
    Uncompiled(u32),
    /// The program has no `main`.
    NoMain,
    /// `main` returned this instead of 0.
    Status(i64),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Refused(error)
    }
}

impl Failure {
    /// Returns whether the failure is a lack of memory.
    pub fn is_lack_of_memory(&self) -> bool {
        match self {
            Failure::Refused(error) => error.problem == Problem::OutOfMemory,
            Failure::Stopped(reason) => *reason == Reason::OutOfMemory,
            _ => false,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Refused(error) => write!(f, "{error}"),
            Failure::Stopped(reason) => write!(f, "{reason}"),
            Failure::NotCalled(CallError::Fault(fault)) => write!(f, "{}", fault.reason()),
            Failure::NotCalled(CallError::OutOfMemory) => f.write_str("no memory for a call"),
            Failure::NotCalled(CallError::Function(_)) => {
                f.write_str("called with a wrong signature")
            }
            Failure::NotCalled(CallError::TooLarge) => f.write_str("too large a call"),
            Failure::Uncompiled(count) => write!(f, "{count} functions could not be compiled"),
            Failure::NoMain => f.write_str("no main"),
            Failure::Status(status) => write!(f, "main gave {status}"),
        }
    }
}

static ENGINE: Engine = Engine::new();

/// `putchar` as a Rust function on the console.
static PUTCHAR: fn(&[Value], &mut [Value]) -> Result<(), HostError> = |arguments, results| {
    output::put(&[arguments[0].u64() as u8]);
    results[0] = arguments[0];
    Ok(())
};

/// `fabs` and `fabsf` as Rust functions on bits, which also work in a kernel without floating
/// registers.
static FABS: fn(&[Value], &mut [Value]) -> Result<(), HostError> = |arguments, results| {
    results[0] = Value::from_f64_bits(arguments[0].f64_bits() & !(1 << 63));
    Ok(())
};
static FABSF: fn(&[Value], &mut [Value]) -> Result<(), HostError> = |arguments, results| {
    results[0] = Value::from_f32_bits(arguments[0].f32_bits() & !(1 << 31));
    Ok(())
};

/// Returns the address of `printf`'s static gate, which the first call binds.
fn printf() -> Option<usize> {
    static PRINTF: Once<Option<Printf>> = Once::new();
    static ADDRESS: Once<Option<usize>> = Once::new();
    kernel_libc::lend(&Kernel);
    let printf = PRINTF.call_once(|| Printf::new(&TARGET, memory::heap()).ok());
    *ADDRESS.call_once(|| printf.as_ref()?.bind(&NATIVE))
}

/// Returns a context for programs that import the console and C functions. C calls the context's
/// functions through static gates.
///
/// # Errors
///
/// Out of memory.
pub fn context<'m>(allocator: &'m dyn Allocator) -> Result<Context<'m>, Error> {
    let mut options = ContextOptions::new(allocator, &TARGET, &ENGINE);
    options.use_gates = true;
    fill(options)
}

/// Returns a context whose functions C calls through thunks, which can lead to compiled code.
///
/// # Errors
///
/// Out of memory.
pub fn context_with_pages<'m>(allocator: &'m dyn Allocator) -> Result<Context<'m>, Error> {
    let mut options = ContextOptions::new(allocator, &TARGET, &ENGINE);
    options.pages = Some(pages());
    fill(options)
}

fn fill(mut options: ContextOptions<'_>) -> Result<Context<'_>, Error> {
    options.native = Some(&NATIVE);
    let context = Context::new(options);
    let character = [ArgSpec::new(Type::I32, "c")];
    let signature = SignatureSpec {
        results: &[Type::I32],
        args: &character,
        vararg: false,
    };
    context.add_host_fn(b"putchar", signature, &PUTCHAR)?;
    for (name, ty, function) in [(&b"fabs"[..], Type::D, &FABS), (b"fabsf", Type::F, &FABSF)] {
        let signature = SignatureSpec {
            results: &[ty],
            args: &[ArgSpec::new(ty, "x")],
            vararg: false,
        };
        context.add_host_fn(name, signature, function)?;
    }
    for (name, address) in kernel_libc::functions() {
        context.add_external(name, address)?;
    }
    if cfg!(feature = "constructors") {
        for (name, address) in kernel_libc::at_exit() {
            context.add_external(name, address)?;
        }
    }
    if let Some(printf) = printf() {
        context.add_external(b"printf", printf)?;
    }
    Ok(context)
}

/// Reads, verifies, loads and links a program.
///
/// # Errors
///
/// The program is refused; out of memory.
pub fn load<'m>(context: &Context<'m>, bytes: &[u8]) -> Result<(), Error> {
    let mut modules = read(context.allocator(), bytes)?;
    modules.reverse();
    while let Some(module) = modules.pop() {
        load_module(context, module)?;
    }
    context.link(&mut |_| None)
}

/// Verifies and loads a module.
///
/// # Errors
///
/// The module is refused; out of memory.
pub fn load_module<'m>(context: &Context<'m>, module: Module<'m>) -> Result<(), Error> {
    let verified =
        Verified::new(module, &TARGET, &mut |_| {}).map_err(|rejected| rejected.error)?;
    // SAFETY: the programs are those of the corpus, which touch their own memory only.
    unsafe { context.load(verified) }
}

/// Reads a program, text or binary.
///
/// # Errors
///
/// The bytes are neither; out of memory.
pub fn read<'m>(allocator: &'m dyn Allocator, bytes: &[u8]) -> Result<Vec<'m, Module<'m>>, Error> {
    #[cfg(feature = "text")]
    if !binary::is_binary(bytes) {
        return mir_nostd::text::parse(bytes, allocator, TARGET.long_double, &mut |_| {});
    }
    let options = ReadOptions::new(TARGET.long_double, TARGET.big_endian);
    binary::read(bytes, allocator, &options)
}

/// Calls a function with these arguments and stores its results.
///
/// # Errors
///
/// The function stops before it returns; out of memory.
pub fn call<'m>(
    context: &Context<'m>,
    function: &Callable<'m>,
    arguments: &[Value],
    results: &mut [Value],
) -> Result<(), Failure> {
    Interpreter::new(context, Options::default())
        .map_err(Error::from)?
        .run(function, arguments, results)
        .map_err(|stop| Failure::Stopped(stop.reason))
}

/// The arguments of `main`: an empty command line.
const NO_WORDS: [Value; 3] = [Value::ZERO; 3];

/// Runs a program, whose `main` must return 0.
///
/// # Errors
///
/// Any other outcome.
pub fn program(allocator: &dyn Allocator, bytes: &[u8]) -> Result<(), Failure> {
    let context = context(allocator)?;
    load(&context, bytes)?;
    call_main(&context, &|main, arguments, results| {
        call(&context, main, arguments, results)
    })
}

/// A function that calls a function of the program, interpreted or compiled.
type Perform<'a, 'm> = dyn Fn(&Callable<'m>, &[Value], &mut [Value]) -> Result<(), Failure> + 'a;

/// Calls the constructors, `main`, which must return 0 or nothing, what the program registered for
/// its end, and the destructors. The smallest kernel calls `main` alone.
fn call_main<'m>(context: &Context<'m>, perform: &Perform<'_, 'm>) -> Result<(), Failure> {
    if !cfg!(feature = "constructors") {
        return call_main_alone(context, perform);
    }
    kernel_libc::forget_registered();
    for constructor in &*context.constructors()? {
        perform(constructor, &[], &mut [])?;
    }
    call_main_alone(context, perform)?;
    kernel_libc::call_registered();
    for destructor in &*context.destructors()? {
        perform(destructor, &[], &mut [])?;
    }
    Ok(())
}

/// Calls `main`, which must return 0 or nothing.
fn call_main_alone<'m>(context: &Context<'m>, perform: &Perform<'_, 'm>) -> Result<(), Failure> {
    let main = last_main(context).ok_or(Failure::NoMain)?;
    let (linked, func) = main.func().ok_or(Failure::NoMain)?;
    let module = linked.module();
    let signature = &module.func(func).signature;
    let mut status = [Value::ZERO];
    let arguments = NO_WORDS.get(..module.args(signature).len());
    let results = status.get_mut(..module.results(signature).len());
    let (Some(arguments), Some(results)) = (arguments, results) else {
        return Err(Failure::NoMain);
    };
    perform(main, arguments, results)?;
    match status[0].i64() {
        0 => Ok(()),
        status => Err(Failure::Status(status)),
    }
}

/// A context whose linked functions are all compiled.
pub struct Compiled<'c, 'm> {
    jit: Jit<'c, 'm>,
    /// The size of the code in bytes.
    pub bytes: u64,
}

impl<'c, 'm> Compiled<'c, 'm> {
    /// Compiles all functions of a context that has pages, at level 1.
    ///
    /// # Errors
    ///
    /// A function is not compiled; out of memory.
    pub fn new(context: &'c Context<'m>) -> Result<Compiled<'c, 'm>, Failure> {
        Compiled::at_level(context, 1)
    }

    /// Compiles all functions of a context that has pages.
    ///
    /// # Errors
    ///
    /// As [`Compiled::new`].
    pub fn at_level(context: &'c Context<'m>, level: u8) -> Result<Compiled<'c, 'm>, Failure> {
        let backend = arch::BACKEND.ok_or(Failure::Uncompiled(u32::MAX))?;
        let mut options = Compile::default();
        options.codegen.level = level;
        let jit = Jit::new(context, backend, &NATIVE, pages(), options)
            .map_err(|_| Failure::Uncompiled(u32::MAX))?;
        let mut bytes = 0;
        let numbers = 0..context.linked_modules();
        for module in numbers.filter_map(|number| context.module(number)) {
            let compiled = jit
                .compile_module(module, &mut |_, _| {})
                .map_err(Error::from)?;
            if compiled.left > 0 {
                return Err(Failure::Uncompiled(compiled.left));
            }
            bytes += compiled.bytes;
        }
        Ok(Compiled { jit, bytes })
    }

    /// Calls a function, as [`call`] does.
    ///
    /// # Errors
    ///
    /// The function faults; out of memory.
    pub fn call(
        &self,
        function: &Callable<'m>,
        arguments: &[Value],
        results: &mut [Value],
    ) -> Result<(), Failure> {
        // SAFETY: the programs keep to their own memory, as their output shows.
        unsafe { self.jit.call(function, arguments, results) }.map_err(|error| match error {
            CallError::Fault(fault) => Failure::Stopped(fault.reason()),
            error => Failure::NotCalled(error),
        })
    }
}

/// Compiles a whole program and runs it; returns the size of its code in bytes.
///
/// # Errors
///
/// As [`program`], or a function that is not compiled.
pub fn compiled(allocator: &dyn Allocator, bytes: &[u8]) -> Result<u64, Failure> {
    let context = context_with_pages(allocator)?;
    load(&context, bytes)?;
    let code = Compiled::new(&context)?;
    call_main(&context, &|main, arguments, results| {
        code.call(main, arguments, results)
    })?;
    Ok(code.bytes)
}

/// Returns the function `main`, exported or not, of the last module that has one.
fn last_main<'c, 'm>(context: &'c Context<'m>) -> Option<&'c Callable<'m>> {
    let numbers = (0..context.linked_modules()).rev();
    numbers
        .filter_map(|number| context.module(number))
        .find_map(|linked| {
            let module = linked.module();
            let name = module.find_name(b"main")?;
            match module.item(module.item_named(name)?).kind {
                ItemKind::Func(func) => Some(linked.callable(func)),
                _ => None,
            }
        })
}
