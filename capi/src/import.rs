//! C functions as imports of programs that are vouched for.

use core::ffi::c_void;
use mir_nostd::link::{HostError, HostFn};
use mir_nostd::target::Value;

/// A C function that a program calls, with one value per argument and room for one per result: all
/// zeros at first. `state` is what it was defined with. It returns 0; another number ends the run
/// with `MIR_REASON_IMPORT` and that number.
pub type Import = Option<
    unsafe extern "C" fn(state: *mut c_void, arguments: *const Value, results: *mut Value) -> u32,
>;

/// A C function with its state.
#[derive(Debug)]
pub(crate) struct Closure {
    pub(crate) function: unsafe extern "C" fn(*mut c_void, *const Value, *mut Value) -> u32,
    pub(crate) state: *mut c_void,
}

// SAFETY: a context, and so its imports, belongs to one thread at a time: the header says so.
unsafe impl Sync for Closure {}

impl HostFn for Closure {
    fn call(&self, arguments: &[Value], results: &mut [Value]) -> Result<(), HostError> {
        // SAFETY: whoever defined the function vouches for it.
        let code = unsafe { (self.function)(self.state, arguments.as_ptr(), results.as_mut_ptr()) };
        returned(code)
    }
}

/// Returns what a C function's return value means.
pub(crate) const fn returned(code: u32) -> Result<(), HostError> {
    match code {
        0 => Ok(()),
        code => Err(HostError(code)),
    }
}
