//! Executable pages that C lends.

use core::ffi::c_void;
use core::ptr::NonNull;
use mir_nostd::mem::OutOfMemory;
use mir_nostd::target;

/// A range of pages for code: the address at which it is written and the address at which it runs.
/// They differ where the pages are mapped twice; then code can be changed while it runs.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Region {
    /// The address at which code is written.
    pub write: *mut c_void,
    /// The address at which code runs.
    pub run: *mut c_void,
    /// The length in bytes, a multiple of the granule.
    pub bytes: usize,
}

/// Executable pages that are lent. A page need never be writable and executable at one address. All
/// four functions are required, or none: with none nothing is compiled. The three that return a
/// bool return false if they cannot, with everything as it was. They are called by the thread that
/// calls a function of this header or runs a program, and must not call such a function themselves.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct LentPages {
    /// The first argument of the functions.
    pub state: *mut c_void,
    /// The size in bytes, a power of two, in which pages change their protection.
    pub granule: usize,
    /// Reserves at least so many bytes, if possible within reach of direct branches from an
    /// address, which is 0 if any place is good, and stores the region.
    pub reserve: Option<
        unsafe extern "C" fn(
            state: *mut c_void,
            bytes: usize,
            close_to: usize,
            region: *mut Region,
        ) -> bool,
    >,
    /// Makes a part of a region writable at `write`. Where both addresses are the same it ceases to
    /// be executable.
    pub make_writable: Option<
        unsafe extern "C" fn(
            state: *mut c_void,
            region: *const Region,
            offset: usize,
            bytes: usize,
        ) -> bool,
    >,
    /// Makes a part of a region executable at `run`, on all processors: `mir_flush_instructions`
    /// does for the one that runs what has to be done with its caches. Where both addresses are the
    /// same it ceases to be writable.
    pub make_executable: Option<
        unsafe extern "C" fn(
            state: *mut c_void,
            region: *const Region,
            offset: usize,
            bytes: usize,
        ) -> bool,
    >,
    /// Takes a region back.
    pub release: Option<unsafe extern "C" fn(state: *mut c_void, region: *const Region)>,
}

impl LentPages {
    /// Returns the hook; `None` if no function is there.
    ///
    /// # Errors
    ///
    /// Some functions are there but not all, or the granule is no power of two.
    pub(crate) fn hook(self) -> Result<Option<Hook>, ()> {
        match self {
            LentPages {
                reserve: None,
                make_writable: None,
                make_executable: None,
                release: None,
                ..
            } => Ok(None),
            LentPages {
                reserve: Some(reserve),
                make_writable: Some(make_writable),
                make_executable: Some(make_executable),
                release: Some(release),
                state,
                granule,
            } if granule.is_power_of_two() => Ok(Some(Hook {
                state,
                granule,
                reserve,
                make_writable,
                make_executable,
                release,
            })),
            _ => Err(()),
        }
    }
}

/// The hook for the pages that C lends.
#[derive(Debug)]
pub(crate) struct Hook {
    state: *mut c_void,
    granule: usize,
    reserve: unsafe extern "C" fn(*mut c_void, usize, usize, *mut Region) -> bool,
    make_writable: unsafe extern "C" fn(*mut c_void, *const Region, usize, usize) -> bool,
    make_executable: unsafe extern "C" fn(*mut c_void, *const Region, usize, usize) -> bool,
    release: unsafe extern "C" fn(*mut c_void, *const Region),
}

// SAFETY: a context, and so its pages, belongs to one thread at a time: the header says so.
unsafe impl Sync for Hook {}

/// Returns a region as C sees it.
fn seen(region: &target::Region) -> Region {
    Region {
        write: region.write.as_ptr().cast(),
        run: region.run.as_ptr().cast(),
        bytes: region.bytes,
    }
}

const fn done(is_done: bool) -> Result<(), OutOfMemory> {
    if is_done { Ok(()) } else { Err(OutOfMemory) }
}

// SAFETY: the lender of the pages vouches that the functions do what the header says, which is what
// the trait requires.
unsafe impl target::Pages for Hook {
    fn granule(&self) -> usize {
        self.granule
    }

    fn reserve(&self, bytes: usize, near: Option<usize>) -> Result<target::Region, OutOfMemory> {
        let null = core::ptr::null_mut();
        let mut region = Region {
            write: null,
            run: null,
            bytes: 0,
        };
        // SAFETY: the lender of the pages vouches for the function.
        done(unsafe { (self.reserve)(self.state, bytes, near.unwrap_or(0), &raw mut region) })?;
        let place = |address: *mut c_void| NonNull::new(address.cast()).ok_or(OutOfMemory);
        Ok(target::Region {
            write: place(region.write)?,
            run: place(region.run)?,
            bytes: region.bytes,
        })
    }

    unsafe fn make_writable(
        &self,
        region: &target::Region,
        offset: usize,
        length: usize,
    ) -> Result<(), OutOfMemory> {
        let region = seen(region);
        // SAFETY: the lender of the pages vouches for the function.
        done(unsafe { (self.make_writable)(self.state, &raw const region, offset, length) })
    }

    unsafe fn make_executable(
        &self,
        region: &target::Region,
        offset: usize,
        length: usize,
    ) -> Result<(), OutOfMemory> {
        let region = seen(region);
        // SAFETY: as above.
        done(unsafe { (self.make_executable)(self.state, &raw const region, offset, length) })
    }

    unsafe fn release(&self, region: target::Region) {
        let region = seen(&region);
        // SAFETY: as above.
        unsafe { (self.release)(self.state, &raw const region) };
    }
}

/// Makes this processor see instructions that were written to `bytes` bytes at an address: what its
/// ISA asks for between writing code and running it. It may be called by any thread. Where several
/// processors run code, see what your ISA and system ask for the others.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_flush_instructions(address: *const c_void, bytes: usize) {
    use mir_nostd::target::Native;
    let start = address.cast_mut().cast();
    // SAFETY: the caller vouches for the range.
    unsafe { crate::platform::NATIVE.flush_instruction_cache(start, bytes) };
}
