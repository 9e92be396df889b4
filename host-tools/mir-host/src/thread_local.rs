//! Thread-local variables of native libraries, for programs that reach such variables as compilers
//! do with `-femulated-tls`: by a description and `__emutls_get_address`.
//!
//! A description of a variable of the program's own is handled by the compiler's library. One that
//! is made here names a native variable, whose copy for a thread the dynamic linker finds; it is
//! told by its alignment, which is 0.
#![expect(unsafe_code, reason = "the interface of the dynamic linker")]

use core::ffi::{CStr, c_void};
use std::ffi::CString;

/// The prefix of a variable's name that makes the name of its description.
const DESCRIPTION: &[u8] = b"__emutls_v.";

/// A description, as compilers lay it out.
#[repr(C)]
struct Description {
    size: usize,
    align: usize,
    /// A word for the compiler's library; here the library that has the variable.
    library: *mut c_void,
    /// The initial value; here the variable's name.
    value: *const c_void,
}

unsafe extern "C" {
    fn __emutls_get_address(description: *mut c_void) -> *mut c_void;
}

/// Returns the address of this thread's copy of a variable.
///
/// # Safety
///
/// The description is one of the program's or was made by [`describe`].
unsafe extern "C" fn address_of_copy(description: *mut Description) -> *mut c_void {
    // SAFETY: by the caller's word.
    let Description {
        align,
        library,
        value,
        ..
    } = *unsafe { &*description };
    if align != 0 {
        // SAFETY: the description is of the layout that the library expects.
        return unsafe { __emutls_get_address(description.cast()) };
    }
    // SAFETY: `describe` put there a library that stays open and a name that lives for ever.
    unsafe { libc::dlsym(library, value.cast()) }
}

/// Returns the function that programs call to find a variable's copy.
pub(crate) fn function(name: &[u8]) -> Option<usize> {
    (name == b"__emutls_get_address").then_some(address_of_copy as *const () as usize)
}

/// Returns the name of the variable whose description has this name.
pub(crate) fn described(name: &[u8]) -> Option<CString> {
    CString::new(name.strip_prefix(DESCRIPTION)?).ok()
}

/// Makes a description of a variable of a library that stays open, which lives as long as the
/// process.
pub(crate) fn describe(library: *mut c_void, name: &CStr) -> usize {
    let name: &'static CStr = Box::leak(name.to_owned().into_boxed_c_str());
    let description: &'static Description = Box::leak(Box::new(Description {
        size: 0,
        align: 0,
        library,
        value: name.as_ptr().cast(),
    }));
    (&raw const *description).expose_provenance()
}
