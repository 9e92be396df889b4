//! Imports as closures of typed arguments, whose signature follows from the types.
#![expect(
    unsafe_code,
    reason = "a reference to a closure becomes one to its wrapper"
)]

use super::memory::Memory;
use super::space::ConfinedFn;
use crate::ir::Type;
use crate::link::HostError;
use crate::target::Value;
use core::marker::PhantomData;

/// A type that an import's closure may take or return: an integer, `i64` or `u64` for pointers too,
/// or a floating-point number.
pub trait Scalar: Sized {
    /// The type in Medium IR.
    const TYPE: Type;

    /// Returns the value of an argument.
    fn from_value(value: Value) -> Self;

    /// Returns the value of a result.
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

scalars! {
    i64, I64, Value::i64, Value::from_i64;
    u64, U64, Value::u64, Value::from_u64;
    i32, I32, |value: Value| value.i64() as i32, |number| Value::from_i64(i64::from(number));
    u32, U32, |value: Value| value.u64() as u32, |number| Value::from_u64(u64::from(number));
    f32, F, |value: Value| f32::from_bits(value.f32_bits()),
        |number: f32| Value::from_f32_bits(number.to_bits());
    f64, D, |value: Value| f64::from_bits(value.f64_bits()),
        |number: f64| Value::from_f64_bits(number.to_bits());
}

/// The types that an import's closure may return: `()` for no result, a [`Scalar`], or a `Result`
/// of either with [`HostError`].
pub trait Returned {
    /// The types of the results.
    const TYPES: &'static [Type];

    /// Stores the results.
    ///
    /// # Errors
    ///
    /// The error that the closure returned.
    fn store(self, results: &mut [Value]) -> Result<(), HostError>;
}

impl Returned for () {
    const TYPES: &'static [Type] = &[];

    fn store(self, _: &mut [Value]) -> Result<(), HostError> {
        Ok(())
    }
}

impl<T: Scalar> Returned for T {
    const TYPES: &'static [Type] = &[T::TYPE];

    fn store(self, results: &mut [Value]) -> Result<(), HostError> {
        if let Some(result) = results.first_mut() {
            *result = self.to_value();
        }
        Ok(())
    }
}

impl<T: Returned> Returned for Result<T, HostError> {
    const TYPES: &'static [Type] = T::TYPES;

    fn store(self, results: &mut [Value]) -> Result<(), HostError> {
        self?.store(results)
    }
}

/// A closure that [`Program::define_fn`](super::Program::define_fn) takes.
///
/// Implemented by every `Fn(&mut Memory, A, B, …) -> R + Sync` of up to eight [`Scalar`] arguments
/// that returns what is [`Returned`]. `Arguments` is the tuple of their types.
pub trait ImportFn<Arguments>: Sync {
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
        memory: &mut Memory<'_>,
        arguments: &[Value],
        results: &mut [Value],
    ) -> Result<(), HostError>;
}

macro_rules! closures {
    ($(($($name:ident)*))*) => {$(
        impl<F, R, $($name),*> ImportFn<($($name,)*)> for F
        where
            F: Fn(&mut Memory<'_>, $($name),*) -> R + Sync,
            R: Returned,
            $($name: Scalar,)*
        {
            const RESULTS: &'static [Type] = R::TYPES;
            const ARGUMENTS: &'static [Type] = &[$($name::TYPE),*];

            fn call(
                &self,
                memory: &mut Memory<'_>,
                arguments: &[Value],
                results: &mut [Value],
            ) -> Result<(), HostError> {
                let mut values = arguments.iter().copied();
                let _ = &mut values;
                // Programs pass as many arguments as the signature has.
                self(memory, $($name::from_value(values.next().unwrap_or(Value::ZERO))),*)
                    .store(results)
            }
        }
    )*};
}

closures! {
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

/// A closure of typed arguments as one of values.
#[repr(transparent)]
pub(super) struct Typed<F, Arguments> {
    closure: F,
    arguments: PhantomData<fn(Arguments)>,
}

impl<F, Arguments> Typed<F, Arguments> {
    pub(super) const fn of(closure: &F) -> &Typed<F, Arguments> {
        // SAFETY: the wrapper has the representation of the closure.
        unsafe { &*core::ptr::from_ref(closure).cast() }
    }
}

impl<F: ImportFn<Arguments>, Arguments> ConfinedFn for Typed<F, Arguments> {
    fn call(
        &self,
        memory: &mut Memory<'_>,
        arguments: &[Value],
        results: &mut [Value],
    ) -> Result<(), HostError> {
        self.closure.call(memory, arguments, results)
    }
}
