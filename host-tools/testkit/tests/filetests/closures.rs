//! The closures that test programs can import.

use mir_nostd::ir::{ArgSpec, Result, SignatureSpec, Type};
use mir_nostd::link::{Context, HostError, HostFn};
use mir_nostd::target::Value;

/// Adds `host_sum`, `host_mix` and `host_fail`.
pub(crate) fn add(context: &Context<'static>) -> Result<()> {
    let add = |name: &str, results: &[Type], args: &[Type], function: &'static dyn HostFn| {
        let args: Vec<ArgSpec<'_>> = args.iter().map(|ty| ArgSpec::new(*ty, "a")).collect();
        context.add_host_fn(
            name.as_bytes(),
            SignatureSpec {
                results,
                args: &args,
                vararg: false,
            },
            function,
        )
    };
    add("host_sum", &[Type::I64], &[Type::I64, Type::I8], &sum)?;
    add(
        "host_mix",
        &[Type::D, Type::F],
        &[Type::I64, Type::D, Type::F],
        &mix,
    )?;
    add("host_fail", &[], &[Type::I64], &fail)
}

fn sum(arguments: &[Value], results: &mut [Value]) -> core::result::Result<(), HostError> {
    results[0] = Value::from_i64(arguments[0].i64() + arguments[1].i64());
    Ok(())
}

fn mix(arguments: &[Value], results: &mut [Value]) -> core::result::Result<(), HostError> {
    let [whole, double, float] = arguments else {
        return Err(HostError(0));
    };
    let double = f64::from_bits(double.f64_bits()) + whole.i64() as f64;
    results[0] = Value::from_f64_bits(double.to_bits());
    results[1] = Value::from_f32_bits((f32::from_bits(float.f32_bits()) * 2.0).to_bits());
    Ok(())
}

fn fail(arguments: &[Value], _: &mut [Value]) -> core::result::Result<(), HostError> {
    Err(HostError(arguments[0].u64() as u32))
}
