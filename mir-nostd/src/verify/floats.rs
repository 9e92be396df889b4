//! Programs without floating values, for embedders without floating registers.

use super::Violation;
use crate::ir::{
    Class, Error, FuncId, InsnId, ItemKind, Module, Operand, Place, Problem, Result, Signature,
    Type,
};
use crate::mem::Entity;

/// Refuses floating values: variables, arguments, results, constants and memory operands of type
/// `f`, `d` and `ld`, and so every instruction that works on them. Data may hold them. Every place
/// is reported to `sink`.
///
/// This is for embedders without floating registers, or who do not save them; [`super::verify`]
/// does not include it. Without this check programs compute floating values there by software.
///
/// ```
/// # use mir_nostd::{ir, target};
/// # fn check(
/// #     module: ir::Module<'static>,
/// #     target: &'static target::Target,
/// # ) -> ir::Result<()> {
/// mir_nostd::verify::integers_only(&module, &mut |_| {})?;
/// let verified = mir_nostd::verify::Verified::new(module, target, &mut |_| {})?;
/// # drop(verified); Ok(()) }
/// ```
///
/// # Errors
///
/// The first violation.
pub fn integers_only(module: &Module<'_>, sink: &mut dyn FnMut(Violation)) -> Result<()> {
    let mut first = None;
    let mut report = |place| {
        let error = Error::at(Problem::FloatRefused, place);
        first.get_or_insert(error);
        sink(Violation {
            error,
            declaration: None,
            is_warning: false,
        });
    };
    for (number, item) in module.items() {
        match item.kind {
            ItemKind::Proto(signature) if has_floats(module, &signature) => {
                report(Place::Item(number));
            }
            ItemKind::Func(func) => {
                if has_floats(module, &module.func(func).signature) {
                    report(Place::Item(number));
                }
                check_func(module, func, &mut report);
            }
            _ => {}
        }
    }
    first.map_or(Ok(()), Err)
}

fn is_float(ty: Type) -> bool {
    ty.class() != Class::Int
}

fn has_floats(module: &Module<'_>, signature: &Signature) -> bool {
    let args = module.args(signature).iter().map(|arg| arg.ty);
    module
        .results(signature)
        .iter()
        .copied()
        .chain(args)
        .any(is_float)
}

fn check_func(module: &Module<'_>, func: FuncId, report: &mut dyn FnMut(Place)) {
    for insn in module.insns(func) {
        if let Some(operand) = float_operand(module, func, insn) {
            report(Place::Insn {
                func,
                insn,
                operand,
            });
        }
    }
}

/// Returns the number of the first operand that is a floating value.
fn float_operand(module: &Module<'_>, func: FuncId, insn: InsnId) -> Option<u16> {
    let registers = module.func(func).registers();
    let mut operands = module.operands(insn);
    let number = operands.position(|operand| match operand {
        Operand::Float(_) | Operand::Double(_) | Operand::LongDouble(_) => true,
        Operand::Mem(memory) => is_float(memory.ty),
        Operand::Reg(reg) => registers
            .get(reg.index())
            .is_some_and(|register| is_float(register.ty)),
        _ => false,
    })?;
    u16::try_from(number).ok()
}
