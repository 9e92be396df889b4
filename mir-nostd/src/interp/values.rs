//! Arguments and results in the cells of frames.

use super::frame::RunState;
use super::site::Site;
use crate::ir::{Arg, Class, Type};
use crate::link::Context;
use crate::target::{Value, VariableArguments, extend};

/// Assigns cells to a value of type `ty` after `used` cells; returns its first cell and the number
/// of cells used then.
pub(super) fn assign_cells(used: u32, ty: Type) -> (u32, u32) {
    match ty.class() {
        Class::LongDouble => {
            let first = used.next_multiple_of(2);
            (first, first + 2)
        }
        _ => (used, used + 1),
    }
}

/// Writes the values of arguments to the cells of a new frame.
///
/// # Safety
///
/// `regs` are the cells of a frame of a function that takes these arguments.
pub(super) unsafe fn write_arguments(regs: *mut u8, types: &[Arg], values: &[Value]) {
    let mut cells = 0;
    for (arg, &value) in types.iter().zip(values) {
        let (at, end) = assign_cells(cells, arg.ty);
        cells = end;
        // SAFETY: by the caller's word the frame has the cells.
        unsafe {
            let cell = regs.cast::<u64>().add(at as usize);
            if arg.ty.class() == Class::LongDouble {
                cell.cast::<Value>().write(value);
            } else {
                cell.write(value.u64());
            }
        }
    }
}

/// Collects the values of all arguments in the frame's room for them; returns them and the room for
/// those of the results.
///
/// # Safety
///
/// `regs` is a frame of the function that the site belongs to.
pub(super) unsafe fn gather<'s>(
    site: &Site<'static>,
    regs: *mut u8,
) -> (&'s [Value], &'s mut [Value]) {
    // SAFETY: the frame has room for the values of all arguments and results at `scratch`, and all
    // cells.
    unsafe {
        let scratch = regs.add(site.scratch as usize).cast::<Value>();
        for (index, passed) in site.arguments.iter().enumerate() {
            let cell = regs.add(passed.cell as usize);
            let value = match passed.argument.ty {
                Type::Ld => cell.cast::<Value>().read(),
                ty if ty.is_int() => Value::from_u64(extend(ty, cell.cast::<u64>().read())),
                _ => Value::from_u64(cell.cast::<u64>().read()),
            };
            scratch.add(index).write(value);
        }
        let results = scratch.add(site.arguments.len());
        for index in 0..site.results.len() {
            results.add(index).write(Value::ZERO);
        }
        (
            core::slice::from_raw_parts(scratch, site.arguments.len()),
            core::slice::from_raw_parts_mut(results, site.results.len()),
        )
    }
}

/// Stores results in the cells listed at `after`, and makes the run go on after that list.
///
/// # Safety
///
/// The state was saved at the call, in the frame of the function that the site belongs to.
pub(super) unsafe fn finish(
    state: *mut RunState,
    site: &Site<'static>,
    results: &[Value],
    after: *const u64,
) {
    // SAFETY: the state was saved in the frame of the call, which has the cells.
    unsafe {
        let (_, regs, fuel) = (*state).saved();
        for (passed, &value) in site.results.iter().zip(results) {
            let cell = regs.add(passed.cell as usize);
            match passed.argument.ty {
                Type::Ld => cell.cast::<Value>().write(value),
                ty if ty.is_int() => cell.cast::<u64>().write(extend(ty, value.u64())),
                _ => cell.cast::<u64>().write(value.u64()),
            }
        }
        (*state).save(after.add(site.result_words), regs, fuel);
    }
}

/// Returns the variable arguments of a call without any.
pub(super) fn no_variable_arguments(context: &Context<'_>) -> VariableArguments {
    VariableArguments {
        named: context.target().abi.exhausted,
        image: core::ptr::null_mut(),
        stack: core::ptr::null_mut(),
    }
}
