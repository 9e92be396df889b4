//! Values as test files write them: integers, floats, `inf`, `nan`, each read by the type in the
//! function's signature.

use mir_nostd::ir::Type;
use mir_nostd::num::LongDoubleFormat;
use mir_nostd::target::Value;

/// Returns the value that `text` stands for.
pub(crate) fn parse(text: &str, ty: Type, long_double: LongDoubleFormat) -> Result<Value, String> {
    let wrong = |_| format!("not a value of type {ty:?}: {text}");
    Ok(match ty {
        Type::F => Value::from_f32_bits(text.parse::<f32>().map_err(|_| wrong(()))?.to_bits()),
        Type::D => Value::from_f64_bits(text.parse::<f64>().map_err(|_| wrong(()))?.to_bits()),
        Type::Ld => Value::from_long_double(
            long_double.from_f64(text.parse::<f64>().map_err(|_| wrong(()))?),
        ),
        _ => Value::from_i64(text.parse::<i64>().map_err(|_| wrong(()))?),
    })
}

/// Returns the shortest text that reads back as a value. Any NaN is `nan`.
pub(crate) fn print(value: Value, ty: Type, long_double: LongDoubleFormat) -> String {
    let float = |text: String| {
        if text == "NaN" {
            "nan".to_owned()
        } else {
            text
        }
    };
    match ty {
        Type::F => float(format!("{:?}", f32::from_bits(value.f32_bits()))),
        Type::D => float(format!("{:?}", f64::from_bits(value.f64_bits()))),
        Type::Ld => float(format!("{:?}", long_double.to_f64(value.long_double()))),
        Type::U64 | Type::P => value.u64().to_string(),
        _ => value.i64().to_string(),
    }
}
