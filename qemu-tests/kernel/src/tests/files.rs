//! Runs the file tests: calls with expected results, interpreted and, with a code generator,
//! compiled.
//!
//! `filetests/README.md` has the syntax. The fuel that calls cost is not checked.

use crate::arch::{self, TARGET};
use crate::archive::Program;
use crate::memory::heap;
use crate::report::Report;
use crate::run::{self, Compiled, Failure};
use core::fmt::{self, Write};
use mir_nostd::ir::{ArgSpec, Error, FuncId, SignatureSpec, Type};
use mir_nostd::link::{Callable, Context, HostError, HostFn, LinkedModule};
use mir_nostd::mem::Vec;
use mir_nostd::num::parse_f64;
use mir_nostd::target::Value;

/// Returns whether a program is a file test with calls.
pub fn is_file_test(program: &Program) -> bool {
    program.name.starts_with("filetests/run/")
}

/// Runs the calls of a file.
pub fn file_test(report: &mut Report, program: &Program) {
    let Ok(text) = core::str::from_utf8(program.bytes) else {
        return;
    };
    let outcome = interpreted(program.bytes, text);
    tell(report, program.name, "", outcome);
    if arch::BACKEND.is_some() {
        tell(
            report,
            program.name,
            " compiled",
            compiled(program.bytes, text),
        );
    }
}

/// A failure in a file.
enum Wrong<'a> {
    Failed(Failure),
    Call(&'a str),
}

impl<'a, E: Into<Failure>> From<E> for Wrong<'a> {
    fn from(error: E) -> Wrong<'a> {
        Wrong::Failed(error.into())
    }
}

fn tell(report: &mut Report, name: &str, how: &str, outcome: Result<usize, Wrong<'_>>) {
    let name = format_args!("{name}{how}");
    match outcome {
        Ok(count) => report.test(name, count > 0, format_args!("{count} calls")),
        Err(Wrong::Call(call)) => report.test(name, false, format_args!("wrong: {call}")),
        Err(Wrong::Failed(failure)) => report.test(name, false, format_args!("{failure}")),
    }
}

/// Returns the calls in a file's `run` lines.
fn calls(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter_map(|line| line.strip_prefix("# run: "))
        .flat_map(|line| line.split(';'))
        .map(str::trim)
}

fn interpreted<'a>(bytes: &[u8], text: &'a str) -> Result<usize, Wrong<'a>> {
    let context = run::context(heap())?;
    add_closures(&context)?;
    run::load(&context, bytes)?;
    let mut count = 0;
    for call in calls(text) {
        let perform = |callable: &Callable<'static>, arguments: &[Value], results: &mut [Value]| {
            run::call(&context, callable, arguments, results)
        };
        if !check(&context, call, &perform)? {
            return Err(Wrong::Call(call));
        }
        count += 1;
    }
    Ok(count)
}

fn compiled<'a>(bytes: &[u8], text: &'a str) -> Result<usize, Wrong<'a>> {
    let context = run::context_with_pages(heap())?;
    add_closures(&context)?;
    run::load(&context, bytes)?;
    let code = Compiled::new(&context)?;
    let mut count = 0;
    for call in calls(text) {
        // Only the interpreter detects other faults.
        if call.contains("faults") && !call.contains("division") && !call.contains("switch") {
            continue;
        }
        let perform = |callable: &Callable<'static>, arguments: &[Value], results: &mut [Value]| {
            code.call(callable, arguments, results)
        };
        if !check(&context, call, &perform)? {
            return Err(Wrong::Call(call));
        }
        count += 1;
    }
    Ok(count.max(1))
}

type Perform<'a> = dyn Fn(&Callable<'static>, &[Value], &mut [Value]) -> Result<(), Failure> + 'a;

/// Makes the call `name(argument, ...) == result, ...` or `name(argument, ...) faults text`;
/// returns whether it ends as stated.
fn check(context: &Context<'static>, call: &str, perform: &Perform<'_>) -> Result<bool, Failure> {
    let Some((name, arguments, rest)) = split(call) else {
        return Ok(false);
    };
    let Some((linked, func)) = find(context, name.as_bytes()) else {
        return Ok(false);
    };
    let module = linked.module();
    let signature = &module.func(func).signature;
    let mut passed = Vec::new(heap());
    let types = module.args(signature).iter().map(|argument| argument.ty);
    for (text, ty) in arguments.split(',').map(str::trim).zip(types) {
        let Some(value) = value(text, ty) else {
            return Ok(false);
        };
        passed.push(value).map_err(Error::from)?;
    }
    let mut results = Vec::new(heap());
    let types = module.results(signature);
    results
        .resize(types.len(), Value::ZERO)
        .map_err(Error::from)?;
    let ended = perform(linked.callable(func), &passed, &mut results);
    let expected = rest.strip_prefix("==");
    Ok(match (ended, expected) {
        (Ok(()), Some(texts)) => agree(texts, types, &results),
        (Err(failure), None) => rest
            .strip_prefix("faults ")
            .is_some_and(|word| !word.is_empty() && Text::of(&failure).holds(word.trim())),
        (Err(failure), Some(_)) => return Err(failure),
        (Ok(()), None) => false,
    })
}

/// Splits a call into name, arguments and outcome; its cost is dropped.
fn split(call: &str) -> Option<(&str, &str, &str)> {
    let (name, rest) = call.split_once('(')?;
    let (arguments, rest) = rest.split_once(')')?;
    let rest = rest.split_once(" costs ").map_or(rest, |(rest, _)| rest);
    Some((name.trim(), arguments, rest.trim()))
}

/// Returns whether the results are those that the texts stand for; `nan` is any NaN.
fn agree(texts: &str, types: &[Type], results: &[Value]) -> bool {
    let mut texts = texts.split(',').map(str::trim);
    let same = types.iter().zip(results).all(|(&ty, &result)| {
        let expected = texts.next().and_then(|text| value(text, ty));
        expected.is_some_and(|expected| match ty {
            Type::F => {
                let [one, other] = [expected, result].map(|v| f32::from_bits(v.f32_bits()));
                one.to_bits() == other.to_bits() || one.is_nan() && other.is_nan()
            }
            Type::D => same(
                f64::from_bits(expected.f64_bits()),
                f64::from_bits(result.f64_bits()),
            ),
            Type::Ld => same(
                TARGET.long_double.to_f64(expected.long_double()),
                TARGET.long_double.to_f64(result.long_double()),
            ),
            _ => expected.u64() == result.u64(),
        })
    });
    same && texts.all(str::is_empty)
}

fn same(one: f64, other: f64) -> bool {
    one.to_bits() == other.to_bits() || one.is_nan() && other.is_nan()
}

/// Returns the value that a text stands for.
fn value(text: &str, ty: Type) -> Option<Value> {
    if !matches!(ty, Type::F | Type::D | Type::Ld) {
        return text.parse().ok().map(Value::from_i64);
    }
    let double = match text.trim_start_matches('-') {
        "inf" => f64::INFINITY,
        "nan" => f64::NAN,
        digits => parse_f64(digits.as_bytes())?,
    };
    let negative = text.starts_with('-');
    let double = if negative { -double } else { double };
    Some(match ty {
        Type::F => {
            let digits = text.trim_start_matches('-').as_bytes();
            let single = mir_nostd::num::parse_f32(digits).unwrap_or(double.abs() as f32);
            let single = if negative { -single } else { single };
            Value::from_f32_bits(single.to_bits())
        }
        Type::D => Value::from_f64_bits(double.to_bits()),
        _ => Value::from_long_double(TARGET.long_double.from_f64(double)),
    })
}

/// Returns the function with this name, exported or not, in any module.
fn find<'c>(
    context: &'c Context<'static>,
    name: &[u8],
) -> Option<(&'c LinkedModule<'static>, FuncId)> {
    let modules = (0..context.linked_modules()).filter_map(|number| context.module(number));
    modules
        .flat_map(|linked| linked.module().funcs().map(move |(func, _)| (linked, func)))
        .find(|(linked, func)| {
            let module = linked.module();
            let own = module.item(module.func(*func).item).name;
            own.is_some_and(|own| module.name_bytes(own) == name)
        })
}

/// The text of a failure, truncated to the buffer.
struct Text {
    bytes: [u8; 128],
    used: usize,
}

impl Text {
    fn of(failure: &Failure) -> Text {
        let mut text = Text {
            bytes: [0; 128],
            used: 0,
        };
        // Writing does not fail.
        let _ = write!(text, "{failure}");
        text
    }

    fn holds(&self, word: &str) -> bool {
        let text = &self.bytes[..self.used];
        text.windows(word.len()).any(|part| part == word.as_bytes())
    }
}

impl Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for (to, byte) in self.bytes[self.used..].iter_mut().zip(text.bytes()) {
            *to = byte;
            self.used += 1;
        }
        Ok(())
    }
}

/// Adds the closures that the files can import.
fn add_closures(context: &Context<'static>) -> Result<(), Error> {
    let add = |name: &[u8], results: &[Type], types: &[Type], function: &'static dyn HostFn| {
        let args = [Type::I64; 3].map(|ty| ArgSpec::new(ty, "a"));
        let mut args = args;
        for (arg, ty) in args.iter_mut().zip(types) {
            arg.ty = *ty;
        }
        let signature = SignatureSpec {
            results,
            args: &args[..types.len()],
            vararg: false,
        };
        context.add_host_fn(name, signature, function)
    };
    let mixed = [Type::I64, Type::D, Type::F];
    add(b"host_sum", &[Type::I64], &[Type::I64, Type::I8], &sum)?;
    add(b"host_mix", &[Type::D, Type::F], &mixed, &mix)?;
    add(b"host_fail", &[], &[Type::I64], &fail)
}

fn sum(arguments: &[Value], results: &mut [Value]) -> Result<(), HostError> {
    results[0] = Value::from_i64(arguments[0].i64() + arguments[1].i64());
    Ok(())
}

fn mix(arguments: &[Value], results: &mut [Value]) -> Result<(), HostError> {
    let [whole, double, float] = arguments else {
        return Err(HostError(0));
    };
    let double = f64::from_bits(double.f64_bits()) + whole.i64() as f64;
    results[0] = Value::from_f64_bits(double.to_bits());
    results[1] = Value::from_f32_bits((f32::from_bits(float.f32_bits()) * 2.0).to_bits());
    Ok(())
}

fn fail(arguments: &[Value], _: &mut [Value]) -> Result<(), HostError> {
    Err(HostError(arguments[0].u64() as u32))
}
