//! The symbols of the process and of libraries, for imports of programs.
#![expect(unsafe_code, reason = "the interface of the dynamic linker")]

use crate::thread_local;
use core::ffi::{CStr, c_void};
use core::fmt;
use std::ffi::CString;

/// A library that could not be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryError {
    /// The library, as it was asked for.
    pub name: String,
    /// The reason, in the words of the dynamic linker.
    pub reason: String,
}

impl fmt::Display for LibraryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "library {}: {}", self.name, self.reason)
    }
}

impl core::error::Error for LibraryError {}

/// The symbols of this process and of libraries that are opened for programs.
///
/// ```
/// let mut symbols = mir_host::Symbols::open(&[]).unwrap();
/// assert!(symbols.find(b"strlen").is_some());
/// assert!(symbols.find(b"cos").is_some());
/// assert!(symbols.find(b"no such name").is_none());
/// assert!(mir_host::Symbols::open(&["no/such.so".into()]).is_err());
/// ```
#[derive(Debug)]
pub struct Symbols {
    libraries: Vec<*mut c_void>,
    opened_math: bool,
}

/// The library of mathematics, which programs may use without asking: opened when a name is not
/// found.
const MATH: &CStr = c"libm.so.6";

/// The variable whose address C++ programs pass when they register destructors, to tell objects
/// apart.
static DSO_HANDLE: u8 = 0;

/// Stores `eax`, `ebx`, `ecx` and `edx` after `cpuid` with this leaf and part of it.
///
/// # Safety
///
/// There is room for the four registers.
#[cfg(target_arch = "x86_64")]
unsafe extern "C" fn cpuid(leaf: u32, part: u32, registers: *mut [u32; 4]) {
    let found = core::arch::x86_64::__cpuid_count(leaf, part);
    // SAFETY: by the caller's word.
    unsafe { registers.write([found.eax, found.ebx, found.ecx, found.edx]) };
}

/// Returns the processor's counter.
#[cfg(target_arch = "x86_64")]
extern "C" fn rdtsc() -> u64 {
    // SAFETY: every processor of this ISA has the counter.
    unsafe { core::arch::x86_64::_rdtsc() }
}

/// Returns the address of a routine for what `mir import` makes of inline assembly and exceptions.
fn routine(name: &[u8]) -> Option<usize> {
    match name {
        b"mir_try" => Some(crate::exceptions::mir_try as *const () as usize),
        #[cfg(target_arch = "x86_64")]
        b"mir_cpuid" => Some(cpuid as *const () as usize),
        #[cfg(target_arch = "x86_64")]
        b"mir_rdtsc" => Some(rdtsc as *const () as usize),
        _ => None,
    }
}

/// Returns the address of what C and C++ programs find in the static parts of the C library and the
/// compiler's.
fn in_static_part(name: &[u8]) -> Option<usize> {
    match name {
        b"atexit" => Some(libc::atexit as *const () as usize),
        b"__dso_handle" => Some((&raw const DSO_HANDLE).expose_provenance()),
        _ => None,
    }
}

impl Symbols {
    /// Opens libraries, each given as a file or as NAME of `libNAME.so` or
    /// `libNAME.so.VERSION`. Their initialisers run.
    ///
    /// # Errors
    ///
    /// The first library that cannot be opened.
    pub fn open(names: &[String]) -> Result<Symbols, LibraryError> {
        let libraries = names.iter().map(|name| open_library(name));
        Ok(Symbols {
            libraries: libraries.collect::<Result<_, _>>()?,
            opened_math: false,
        })
    }

    /// Returns the address of a name.
    pub fn find(&mut self, name: &[u8]) -> Option<usize> {
        if let Some(address) = thread_local::function(name) {
            return Some(address);
        }
        let name_c = CString::new(name).ok()?;
        if let Some((_, address)) = self.find_opened(&name_c) {
            return Some(address);
        }
        if let Some(variable) = thread_local::described(name)
            && let Some((library, _)) = self.find_opened(&variable)
        {
            return Some(thread_local::describe(library, &variable));
        }
        if !self.opened_math {
            self.opened_math = true;
            self.libraries.extend(dlopen(MATH));
            return self.find(name);
        }
        in_static_part(name).or_else(|| routine(name))
    }

    /// Returns the library that has a name, and the name's address there.
    fn find_opened(&self, name: &CStr) -> Option<(*mut c_void, usize)> {
        let process = core::iter::once(libc::RTLD_DEFAULT);
        let handles = process.chain(self.libraries.iter().copied());
        // SAFETY: the handles are `RTLD_DEFAULT` or came from `dlopen` and were not closed; the
        // name ends in NUL.
        let mut found =
            handles.map(|handle| (handle, unsafe { libc::dlsym(handle, name.as_ptr()) }));
        let (library, address) = found.find(|(_, address)| !address.is_null())?;
        Some((library, address as usize))
    }
}

fn dlopen(file: &CStr) -> Option<*mut c_void> {
    // SAFETY: the name ends in NUL; initialisers of the library run, as the user who named it
    // wants.
    let handle = unsafe { libc::dlopen(file.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
    (!handle.is_null()).then_some(handle)
}

/// Returns the files in which a library may be: `libNAME.so`, which only packages for development
/// install, that with a version, the newest first, and at last the name itself as a file.
fn candidates(name: &str) -> impl Iterator<Item = String> + '_ {
    const VERSIONS: core::ops::Range<u32> = 0..100;
    let of_name = core::iter::once(format!("lib{name}.so"))
        .chain(VERSIONS.rev().map(move |it| format!("lib{name}.so.{it}")));
    let is_path = name.contains('/');
    of_name
        .filter(move |_| !is_path)
        .chain(core::iter::once(name.to_owned()))
}

fn open_library(name: &str) -> Result<*mut c_void, LibraryError> {
    let opened = candidates(name).find_map(|file| dlopen(&CString::new(file).ok()?));
    opened.ok_or_else(|| {
        // SAFETY: `dlerror` returns null or a string that lives until the next call.
        let reason = unsafe { libc::dlerror().as_ref() };
        // SAFETY: as above.
        let reason = reason.map(|text| unsafe { CStr::from_ptr(text) }.to_string_lossy());
        LibraryError {
            name: name.to_owned(),
            reason: reason.unwrap_or_default().into_owned(),
        }
    })
}
