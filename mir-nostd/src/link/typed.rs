//! Rust types in the place of signatures: of functions that the embedder calls, and of closures
//! that programs import.
#![expect(
    unsafe_code,
    reason = "a reference to a closure becomes one to its wrapper"
)]

use super::callable::Callable;
use super::{Context, HostError, HostFn};
use crate::ir::{ArgSpec, Problem, Result, SignatureSpec, Type};
use crate::target::Value;
use core::fmt;
use core::marker::PhantomData;

/// The most arguments of a typed function or closure.
pub const MOST_ARGUMENTS: usize = 8;

/// A Rust type that stands for one argument or result: an integer, `usize` for a pointer, or a
/// floating-point number.
pub trait Scalar: Sized {
    /// The type in Medium IR.
    const TYPE: Type;

    /// Returns the value of a cell.
    fn from_value(value: Value) -> Self;

    /// Returns the cell of a value.
    fn to_value(self) -> Value;
}

macro_rules! scalars {
    ($($rust:ty, $ty:ident, $from:expr, $to:expr;)*) => {$(
        impl Scalar for $rust {
            const TYPE: Type = Type::$ty;

            fn from_value(value: Value) -> $rust {
                $from(value)
            }

            fn to_value(self) -> Value {
                $to(self)
            }
        }
    )*};
}

#[rustfmt::skip] // columns
scalars! {
    i8,    I8,  |value: Value| value.i64() as i8,    |number: i8| Value::from_i64(number.into());
    u8,    U8,  |value: Value| value.u64() as u8,    |number: u8| Value::from_u64(number.into());
    i16,   I16, |value: Value| value.i64() as i16,   |number: i16| Value::from_i64(number.into());
    u16,   U16, |value: Value| value.u64() as u16,   |number: u16| Value::from_u64(number.into());
    i32,   I32, |value: Value| value.i64() as i32,   |number: i32| Value::from_i64(number.into());
    u32,   U32, |value: Value| value.u64() as u32,   |number: u32| Value::from_u64(number.into());
    usize, P,   |value: Value| value.u64() as usize, |number: usize| Value::from_u64(number as u64);
    i64, I64, Value::i64, Value::from_i64;
    u64, U64, Value::u64, Value::from_u64;
    f32, F, |value: Value| f32::from_bits(value.f32_bits()),
        |number: f32| Value::from_f32_bits(number.to_bits());
    f64, D, |value: Value| f64::from_bits(value.f64_bits()),
        |number: f64| Value::from_f64_bits(number.to_bits());
}

/// The arguments of a function that the embedder calls: one [`Scalar`], or a tuple of up to
/// [`MOST_ARGUMENTS`].
pub trait Arguments {
    /// Their types.
    const TYPES: &'static [Type];

    /// Returns a cell for each argument, and zeros after them.
    fn values(self) -> [Value; MOST_ARGUMENTS];
}

/// The results of a function that the embedder calls: `()`, one [`Scalar`], or a tuple of up to
/// four.
pub trait Results: Sized {
    /// Their types.
    const TYPES: &'static [Type];

    /// Returns the results that these cells, one each, hold.
    fn from_values(values: &[Value]) -> Self;

    /// Stores the results, one cell each.
    fn store(self, cells: &mut [Value]);
}

impl<T: Scalar> Arguments for T {
    const TYPES: &'static [Type] = &[T::TYPE];

    fn values(self) -> [Value; MOST_ARGUMENTS] {
        let mut values = [Value::ZERO; MOST_ARGUMENTS];
        values[0] = self.to_value();
        values
    }
}

impl<T: Scalar> Results for T {
    const TYPES: &'static [Type] = &[T::TYPE];

    fn from_values(values: &[Value]) -> T {
        T::from_value(values.first().copied().unwrap_or(Value::ZERO))
    }

    fn store(self, cells: &mut [Value]) {
        if let Some(cell) = cells.first_mut() {
            *cell = self.to_value();
        }
    }
}

/// The results of a closure: [`Results`], or a `Result` of them with [`HostError`].
pub trait Returned {
    /// The types of the results.
    const TYPES: &'static [Type];

    /// Stores the results.
    ///
    /// # Errors
    ///
    /// The error that the closure returned.
    fn store(self, results: &mut [Value]) -> core::result::Result<(), HostError>;
}

impl<T: Results> Returned for T {
    const TYPES: &'static [Type] = T::TYPES;

    fn store(self, results: &mut [Value]) -> core::result::Result<(), HostError> {
        Results::store(self, results);
        Ok(())
    }
}

impl<T: Results> Returned for core::result::Result<T, HostError> {
    const TYPES: &'static [Type] = T::TYPES;

    fn store(self, results: &mut [Value]) -> core::result::Result<(), HostError> {
        Results::store(self?, results);
        Ok(())
    }
}

/// A closure that [`Context::define`] takes.
///
/// Implemented by every `Fn(A, B, …) -> R + Sync` of up to [`MOST_ARGUMENTS`] [`Scalar`] arguments
/// that returns what is [`Returned`]. `Arguments` is the tuple of their types.
pub trait ScalarFn<Arguments>: Sync {
    /// The types of the results.
    const RESULTS: &'static [Type];
    /// The types of the arguments.
    const ARGUMENTS: &'static [Type];

    /// Calls the closure with the values of the arguments, and stores the results.
    ///
    /// # Errors
    ///
    /// The error that the closure returned.
    fn call(
        &self,
        arguments: &[Value],
        results: &mut [Value],
    ) -> core::result::Result<(), HostError>;
}

macro_rules! argument_tuples {
    ($(($($name:ident)*))*) => {$(
        impl<$($name: Scalar),*> Arguments for ($($name,)*) {
            const TYPES: &'static [Type] = &[$($name::TYPE),*];

            #[allow(clippy::allow_attributes, reason = "there may be no argument")]
            #[allow(non_snake_case, reason = "the arguments are named as their types")]
            fn values(self) -> [Value; MOST_ARGUMENTS] {
                let ($($name,)*) = self;
                let mut values = [Value::ZERO; MOST_ARGUMENTS];
                let given = [$($name.to_value()),*];
                values[..given.len()].copy_from_slice(&given);
                values
            }
        }

        impl<F, R, $($name),*> ScalarFn<($($name,)*)> for F
        where
            F: Fn($($name),*) -> R + Sync,
            R: Returned,
            $($name: Scalar,)*
        {
            const RESULTS: &'static [Type] = R::TYPES;
            const ARGUMENTS: &'static [Type] = &[$($name::TYPE),*];

            fn call(
                &self,
                arguments: &[Value],
                results: &mut [Value],
            ) -> core::result::Result<(), HostError> {
                let mut values = arguments.iter().copied();
                let _ = &mut values;
                // Programs pass as many arguments as the signature has.
                self($($name::from_value(values.next().unwrap_or(Value::ZERO))),*).store(results)
            }
        }
    )*};
}

argument_tuples! {
    ()
    (A)
    (A B)
    (A B C)
    (A B C D)
    (A B C D E)
    (A B C D E G)
    (A B C D E G H)
    (A B C D E G H I)
}

macro_rules! result_tuples {
    ($(($($name:ident)*))*) => {$(
        impl<$($name: Scalar),*> Results for ($($name,)*) {
            const TYPES: &'static [Type] = &[$($name::TYPE),*];

            #[allow(clippy::allow_attributes, reason = "there may be no result")]
            #[allow(clippy::unused_unit, reason = "the tuple may be empty")]
            fn from_values(values: &[Value]) -> Self {
                let mut values = values.iter().copied();
                let _ = &mut values;
                ($($name::from_value(values.next().unwrap_or(Value::ZERO)),)*)
            }

            #[allow(clippy::allow_attributes, reason = "there may be no result")]
            #[allow(non_snake_case, reason = "the results are named as their types")]
            fn store(self, cells: &mut [Value]) {
                let ($($name,)*) = self;
                let mut cells = cells.iter_mut();
                let _ = &mut cells;
                $(if let Some(cell) = cells.next() {
                    *cell = $name.to_value();
                })*
            }
        }
    )*};
}

result_tuples! {
    ()
    (A)
    (A B)
    (A B C)
    (A B C D)
}

/// A closure of typed arguments as one of values.
#[repr(transparent)]
pub(crate) struct Typed<F, Arguments> {
    closure: F,
    arguments: PhantomData<fn(Arguments)>,
}

impl<F, Arguments> Typed<F, Arguments> {
    pub(crate) const fn of(closure: &F) -> &Typed<F, Arguments> {
        // SAFETY: the wrapper has the representation of the closure.
        unsafe { &*core::ptr::from_ref(closure).cast() }
    }

    pub(crate) const fn closure(&self) -> &F {
        &self.closure
    }
}

impl<F: ScalarFn<Arguments>, Arguments> HostFn for Typed<F, Arguments> {
    fn call(
        &self,
        arguments: &[Value],
        results: &mut [Value],
    ) -> core::result::Result<(), HostError> {
        self.closure.call(arguments, results)
    }
}

/// Calls `body` with the signature of these types.
///
/// # Errors
///
/// More than [`MOST_ARGUMENTS`] arguments; what `body` returns.
pub(crate) fn with_signature<T>(
    results: &[Type],
    arguments: &[Type],
    body: impl FnOnce(SignatureSpec<'_>) -> Result<T>,
) -> Result<T> {
    let mut args: heapless::Vec<ArgSpec<'_>, MOST_ARGUMENTS> = heapless::Vec::new();
    for &ty in arguments {
        let pushed = args.push(ArgSpec::new(ty, "_"));
        pushed.map_err(|_| Problem::TooLarge)?;
    }
    body(SignatureSpec::new(results, &args))
}

/// The reason why a function cannot be called as the caller wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FunctionError {
    /// No function of this name is exported.
    NotFound,
    /// The function is of another context, a confined program or a module that is not linked.
    NotLinked,
    /// The function has variable arguments.
    Variable,
    /// The function has another number of arguments.
    Arguments {
        /// The number that it has.
        wanted: u32,
        /// The number that the caller passes.
        given: u32,
    },
    /// The function has another number of results.
    Results {
        /// The number that it has.
        wanted: u32,
        /// The number that the caller takes.
        given: u32,
    },
    /// An argument is of another class or size.
    Argument {
        /// Its number, from 0.
        number: u32,
        /// The type that the function has.
        wanted: Type,
        /// The type that the caller passes.
        given: Type,
    },
    /// A result is of another class or size.
    Result {
        /// Its number, from 0.
        number: u32,
        /// The type that the function has.
        wanted: Type,
        /// The type that the caller takes.
        given: Type,
    },
}

impl fmt::Display for FunctionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            FunctionError::NotFound => f.write_str("no function of this name is exported"),
            FunctionError::NotLinked => {
                f.write_str("the function is not linked in this context, or confined")
            }
            FunctionError::Variable => f.write_str("the function has variable arguments"),
            FunctionError::Arguments { wanted, given } => {
                write!(
                    f,
                    "the function takes {wanted} arguments, {given} are given"
                )
            }
            FunctionError::Results { wanted, given } => {
                write!(
                    f,
                    "the function returns {wanted} results, {given} are taken"
                )
            }
            FunctionError::Argument {
                number,
                wanted,
                given,
            } => write!(f, "argument {number} is {wanted}, {given} is given"),
            FunctionError::Result {
                number,
                wanted,
                given,
            } => write!(f, "result {number} is {wanted}, {given} is taken"),
        }
    }
}

impl core::error::Error for FunctionError {}

/// Returns whether a Rust type fits one of Medium IR: it has its class and its size. The sign may
/// differ.
fn fits(wanted: Type, given: Type) -> bool {
    !wanted.is_block() && wanted.class() == given.class() && wanted.size() == given.size()
}

/// Compares a list of types with what the caller takes it for.
fn compare(
    wanted: impl ExactSizeIterator<Item = Type>,
    given: &[Type],
    count: fn(u32, u32) -> FunctionError,
    one: fn(u32, Type, Type) -> FunctionError,
) -> core::result::Result<(), FunctionError> {
    if wanted.len() != given.len() {
        return Err(count(wanted.len() as u32, given.len() as u32));
    }
    let pairs = (0..).zip(wanted.zip(given.iter().copied()));
    let mut differing = pairs.filter(|&(_, (wanted, given))| !fits(wanted, given));
    match differing.next() {
        Some((number, (wanted, given))) => Err(one(number, wanted, given)),
        None => Ok(()),
    }
}

impl<'m> Context<'m> {
    /// Defines a name for imports: a closure whose signature follows from its types. Calls whose
    /// prototype has another signature fault.
    ///
    /// ```
    /// use mir_nostd::interp::{Engine, Interpreter, Options};
    /// use mir_nostd::link::{Context, ContextOptions};
    /// # use mir_nostd::verify::Verified;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let system = testkit::SystemAllocator;
    /// # let target = target_all::HOST.target();
    /// let text = b"m: module
    /// import scale
    /// export main
    /// p: proto d, i64:n, d:by
    /// main: func d, i64:n
    ///  local d:product
    ///  call p, scale, product, n, 0.5
    ///  ret product
    /// endfunc
    /// endmodule
    /// ";
    /// # let module = mir_nostd::text::parse(text, &system, target.long_double, &mut |_| {});
    /// # let module = module?.pop().ok_or("no module")?;
    /// let scale = |number: i64, by: f64| number as f64 * by;
    /// let engine = Engine::new();
    /// let context = Context::new(ContextOptions::new(&system, target, &engine));
    /// context.define("scale", &scale)?;
    /// # let verified = Verified::new(module, target, &mut |_| {});
    /// # let verified = verified.map_err(mir_nostd::ir::Error::from)?;
    /// // SAFETY: the program touches no memory.
    /// unsafe { context.load(verified)? };
    /// context.link(&mut |_| None)?;
    /// let mut interpreter = Interpreter::new(&context, Options::default())?;
    /// let main = interpreter.get::<i64, f64>("main")?;
    /// let product = main.call(&mut interpreter, 5).map_err(|stop| stop.to_string())?;
    /// assert_eq!(product, 2.5);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn define<F, Arguments>(&self, name: impl AsRef<[u8]>, closure: &'m F) -> Result<()>
    where
        F: ScalarFn<Arguments>,
        Arguments: 'm,
    {
        with_signature(F::RESULTS, F::ARGUMENTS, |signature| {
            let function = Typed::<F, Arguments>::of(closure);
            self.add_host_fn(name.as_ref(), signature, function)
        })
    }

    /// Returns the exported function of this name, whose arguments and results fit these types.
    ///
    /// # Errors
    ///
    /// There is none, or it has another signature.
    pub(crate) fn find_typed<A: Arguments, R: Results>(
        &self,
        name: &[u8],
    ) -> core::result::Result<&Callable<'m>, FunctionError> {
        let callable = self.find_func(name).ok_or(FunctionError::NotFound)?;
        if !callable.runs_in(self) {
            return Err(FunctionError::NotLinked);
        }
        let (linked, func) = callable.func().ok_or(FunctionError::NotLinked)?;
        let module = linked.module();
        let signature = &module.func(func).signature;
        if signature.is_vararg() {
            return Err(FunctionError::Variable);
        }
        compare(
            module.args(signature).iter().map(|arg| arg.ty),
            A::TYPES,
            |wanted, given| FunctionError::Arguments { wanted, given },
            |number, wanted, given| FunctionError::Argument {
                number,
                wanted,
                given,
            },
        )?;
        compare(
            module.results(signature).iter().copied(),
            R::TYPES,
            |wanted, given| FunctionError::Results { wanted, given },
            |number, wanted, given| FunctionError::Result {
                number,
                wanted,
                given,
            },
        )?;
        Ok(callable)
    }
}
