//! `llvm.vector.reduce.*`: all lanes of a vector combined into one.

use super::{Rewritten, Scalarizer};
use crate::ast::{Binary, Call, Op, Value};
use crate::types::{Type, TypeId};

/// The operation of a reduction.
enum Step {
    Binary(Binary),
    /// An intrinsic of two operands.
    Call(&'static str),
}

impl Scalarizer<'_> {
    /// Rewrites a reduction. Floats are added and multiplied in order, to the first argument.
    pub(super) fn reduction(&mut self, name: &str, call: &Call) -> Option<Rewritten> {
        let base = name.split('.').next().unwrap_or(name);
        let (step, starts) = match base {
            "add" => (Step::Binary(Binary::Add), false),
            "mul" => (Step::Binary(Binary::Mul), false),
            "and" => (Step::Binary(Binary::And), false),
            "or" => (Step::Binary(Binary::Or), false),
            "xor" => (Step::Binary(Binary::Xor), false),
            "fadd" => (Step::Binary(Binary::Fadd), true),
            "fmul" => (Step::Binary(Binary::Fmul), true),
            "smax" => (Step::Call("smax"), false),
            "smin" => (Step::Call("smin"), false),
            "umax" => (Step::Call("umax"), false),
            "umin" => (Step::Call("umin"), false),
            "fmax" => (Step::Call("maxnum"), false),
            "fmin" => (Step::Call("minnum"), false),
            "fmaximum" => (Step::Call("maximum"), false),
            "fminimum" => (Step::Call("minimum"), false),
            _ => return None,
        };
        let vector = usize::from(starts);
        let element = self.lane_type(call, vector)?;
        let mut lanes = self.arg(call, vector)?.into_iter();
        let mut whole = match starts {
            true => Self::scalar_arg(call, 0)?.1,
            false => lanes.next()?,
        };
        for lane in lanes {
            whole = match step {
                Step::Binary(op) => self.binary(op, element, whole, lane),
                Step::Call(name) => self.call_of_two(name, element, whole, lane)?,
            };
        }
        Some(Rewritten::Insn(Op::Join(vec![(element, whole)])))
    }

    /// Adds a call of an intrinsic of two operands, of one type like its result.
    pub(super) fn call_of_two(
        &mut self,
        name: &str,
        ty: TypeId,
        a: Value,
        b: Value,
    ) -> Option<Value> {
        let suffix = match *self.types.get(ty) {
            Type::Int(width) => format!("i{width}"),
            Type::Half => "f16".into(),
            Type::BFloat => "bf16".into(),
            Type::Float => "f32".into(),
            Type::Double => "f64".into(),
            _ => return None,
        };
        let name = format!("llvm.{name}.{suffix}");
        Some(self.call(&name, ty, vec![(ty, a), (ty, b)]))
    }
}
