//! Imports the intrinsics that ask about the machine or set it: rounding, caches, frames.

use super::broken;
use super::function::Lower;
use super::parts::Kind;
use super::values::Held;
use crate::ast::{Call, Const, Value};
use crate::error::Result;
use mir_nostd::ir::{Code, Operand, RETURN_ADDRESS, SignatureSpec, Type};

/// The rounding modes of a target, as C's `fegetround` numbers them: modes are `number << shift`.
struct Modes {
    shift: i64,
    /// For each number the mode as C's `FLT_ROUNDS` and LLVM number it, in two bits: 0 to zero, 1
    /// to nearest, 2 up, 3 down.
    standard: i64,
    /// For each of those the target's number, in two bits.
    own: i64,
}

/// Returns the rounding modes of a target (`fenv.h` of the C library).
fn modes(target: &str) -> Modes {
    let numbers = |[zero, nearest, up, down]: [i64; 4], shift| Modes {
        shift,
        standard: 1 << (2 * nearest) | 2 << (2 * up) | 3 << (2 * down),
        own: zero | nearest << 2 | up << 4 | down << 6,
    };
    match target {
        "x86_64" => numbers([3, 0, 2, 1], 10),
        "aarch64" => numbers([3, 0, 1, 2], 22),
        "riscv64" => numbers([1, 0, 3, 2], 0),
        // ppc64le and s390x
        _ => numbers([1, 0, 2, 3], 0),
    }
}

impl<'s> Lower<'_, 's, '_> {
    /// Returns the rounding mode.
    pub(super) fn rounding(&mut self) -> Result<Held> {
        let modes = modes(self.importer.target.name);
        let own = self.call_library("fegetround", Kind::Int(32), &[])?;
        let number = self.int_operation(Code::Ursh, own, Held::Int(modes.shift))?;
        self.number_in(modes.standard, number)
    }

    /// Sets the rounding mode.
    pub(super) fn set_rounding(&mut self, call: &'s Call) -> Result<()> {
        let [mode] = self.values_of(call)?;
        let modes = modes(self.importer.target.name);
        let number = self.number_in(modes.own, mode)?;
        let own = self.int_operation(Code::Lsh, number, Held::Int(modes.shift))?;
        let int = Kind::Int(32);
        self.call_library("fesetround", int, &[(int, own)])?;
        Ok(())
    }

    /// Returns the two bits of a table at a number, of which the low two bits count.
    fn number_in(&mut self, table: i64, number: Held) -> Result<Held> {
        let number = self.int_operation(Code::And, number, Held::Int(3))?;
        let shift = self.int_operation(Code::Add, number, number)?;
        let found = self.int_operation(Code::Ursh, Held::Int(table), shift)?;
        self.int_operation(Code::And, found, Held::Int(3))
    }

    /// Makes changed instructions between two addresses visible, where the ISA does not by itself.
    pub(super) fn clear_cache(&mut self, call: &'s Call) -> Result<()> {
        if matches!(self.importer.target.name, "x86_64" | "s390x") {
            return Ok(());
        }
        let [start, end] = self.values_of(call)?;
        let word = Kind::Int(64);
        self.call_library_parts("__clear_cache", &[], &[(word, start), (word, end)])?;
        Ok(())
    }

    /// Returns an address in the function's own frame for depth 0, null for its callers.
    pub(super) fn frame_address(&mut self, call: &'s Call) -> Result<Held> {
        match depth(call) {
            Some(0) => Ok(Held::Reg(self.own_frame()?)),
            _ => Ok(Held::Int(0)),
        }
    }

    /// Calls the function whose calls become the return address in compiled code. Its body says
    /// what the interpreter gives: the address of a byte that is in no function. So it is never
    /// null, and whoever looks for the function that it is in finds none instead of a wrong one.
    pub(super) fn return_address(&mut self) -> Result<Held> {
        if self.importer.made.insert(RETURN_ADDRESS.into()) {
            self.define_return_address().map_err(broken(self.place))?;
        }
        self.call_library(RETURN_ADDRESS, Kind::Int(64), &[])
    }

    fn define_return_address(&mut self) -> mir_nostd::ir::Result<()> {
        const CALLER: &str = "$caller";
        let module = &mut self.importer.module;
        let byte = module.bss(Some(CALLER.as_bytes()), 1)?;
        let spec = SignatureSpec {
            results: &[Type::I64],
            ..SignatureSpec::default()
        };
        let mut func = module.build_func(RETURN_ADDRESS, spec)?;
        func.emit(Code::Ret, (Operand::Item(byte),))?;
        func.finish()?;
        Ok(())
    }

    fn values_of<const N: usize>(&mut self, call: &'s Call) -> Result<[Held; N]> {
        let mut held = [Held::Int(0); N];
        for (held, arg) in held.iter_mut().zip(&call.args) {
            *held = self.single(arg.ty, &arg.value)?;
        }
        if call.args.len() < N {
            return self.unsupported("an intrinsic with too few arguments");
        }
        Ok(held)
    }
}

/// Returns the first argument of a call, if it is constant.
fn depth(call: &Call) -> Option<u128> {
    match call.args.first().map(|arg| &arg.value) {
        Some(Value::Const(Const::Int(depth))) => Some(*depth),
        Some(Value::Const(Const::Zero)) => Some(0),
        _ => None,
    }
}
