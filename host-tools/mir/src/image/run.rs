//! Images on this machine, for tests of what is made for devices: code and memory at the distance
//! that they were linked for, imports from this process.
#![expect(unsafe_code, reason = "maps memory and calls what was loaded")]

use super::run_confined;
use crate::diagnostics::Diagnostics;
use crate::failure::{Failure, Result};
use crate::host::{self, MainArguments};
use crate::object::support::{FUEL_WORD, STACK_WORD};
use crate::output::to_standard_error;
use core::ffi::{CStr, c_char, c_int};
use mir_host::Symbols;
use mir_image::{Addresses, Error, Fault, Image, Import, Limits, Loaded, Machine};
use mir_nostd::target::Value;
use std::path::Path;
use std::sync::OnceLock;

/// The alignment of code and memory: that of the largest pages.
const PAGE: i64 = 1 << 16;

/// Returns whether a file is an image.
pub(crate) fn is_image(bytes: &[u8]) -> bool {
    Image::parse(bytes, Machine::X86_64).err() != Some(Error::NotAnImage)
}

/// The code of an image and memory for its program, mapped at the distance that they were linked
/// for.
#[derive(Debug)]
pub struct Mapping {
    /// All that is mapped.
    start: *mut u8,
    bytes: usize,
    at: Addresses,
    ram: *mut u8,
    ram_size: usize,
}

fn protect(start: *mut u8, bytes: usize, access: c_int) -> Option<()> {
    let page = host_page();
    let (first, end) = (start.addr() & !(page - 1), start.addr() + bytes.max(1));
    let end = end.next_multiple_of(page);
    // SAFETY: the pages are part of a mapping of ours that nobody else knows.
    let done = unsafe { libc::mprotect(start.with_addr(first).cast(), end - first, access) };
    (done == 0).then_some(())
}

fn host_page() -> usize {
    // SAFETY: asks for a number.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
}

/// Returns whether code and memory at these addresses have no page in common.
fn are_apart(at: Addresses, image: &Image<'_>) -> bool {
    let page = host_page() as u64;
    let pages = |start: u64, bytes: usize| (start / page, (start + bytes as u64).div_ceil(page));
    let code = pages(at.code, image.code().len());
    let ram = pages(at.ram, image.header().ram_size as usize);
    code.1 <= ram.0 || ram.1 <= code.0
}

impl Mapping {
    /// Maps memory for a program, zeros, and copies its code to where it can be run.
    #[must_use]
    pub fn new(image: &Image<'_>) -> Option<Mapping> {
        let header = image.header();
        let (code_size, ram_size) = (i64::from(header.code_size), i64::from(header.ram_size));
        let first = header.distance.min(0).checked_sub(PAGE)?;
        let end = header.distance.checked_add(ram_size)?.max(code_size);
        let bytes = usize::try_from(end.checked_sub(first)?.checked_add(2 * PAGE)?).ok()?;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let anywhere = core::ptr::null_mut();
        // SAFETY: a new mapping at an address of the system's choice touches nothing that exists.
        let start = unsafe { libc::mmap(anywhere, bytes, libc::PROT_NONE, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return None;
        }
        // The code lies as in an image that begins a page, so that memory begins one, too.
        let lowest = (start.addr()).wrapping_add_signed(isize::try_from(-first).ok()?);
        let begin = lowest.next_multiple_of(PAGE as usize);
        let code = start
            .cast::<u8>()
            .with_addr(begin + header.code as usize % PAGE as usize);
        let ram = code.wrapping_offset(isize::try_from(header.distance).ok()?);
        let mapping = Mapping {
            start: start.cast(),
            bytes,
            at: Addresses {
                code: code.expose_provenance() as u64,
                ram: ram.expose_provenance() as u64,
            },
            ram,
            ram_size: header.ram_size as usize,
        };
        if !are_apart(mapping.at, image) {
            return None;
        }
        let write = libc::PROT_READ | libc::PROT_WRITE;
        protect(code, image.code().len(), write)?;
        protect(ram, mapping.ram_size, write)?;
        // SAFETY: the mapping has room for the code there, and can be written.
        unsafe { code.copy_from_nonoverlapping(image.code().as_ptr(), image.code().len()) };
        protect(code, image.code().len(), libc::PROT_READ | libc::PROT_EXEC)?;
        // SAFETY: the range is mapped, and nothing runs in it.
        unsafe { target_all::NATIVE.flush_instruction_cache(code, image.code().len()) };
        Some(mapping)
    }

    /// Returns the addresses of code and memory.
    #[must_use]
    pub const fn addresses(&self) -> Addresses {
        self.at
    }

    /// Returns the memory for the program, and what is after it in its last page: nobody writes
    /// there.
    pub fn memory(&mut self) -> (&mut [u8], &mut [u8]) {
        let end = (self.ram.addr() + self.ram_size.max(1)).next_multiple_of(host_page());
        let bytes = end - self.ram.addr();
        // SAFETY: the pages are mapped, can be written, and are this mapping's.
        let all = unsafe { core::slice::from_raw_parts_mut(self.ram, bytes) };
        all.split_at_mut(self.ram_size)
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: whoever used it borrowed the mapping, and calls of its code have ended.
        unsafe { libc::munmap(self.start.cast(), self.bytes) };
    }
}

/// The handler of faults that programs find in this process.
///
/// # Safety
///
/// The name of the function ends in NUL.
unsafe extern "C" fn fault(function: *const c_char, kind: u64, instruction: u64) {
    host::flush_streams();
    // SAFETY: by the caller's word.
    let function = unsafe { CStr::from_ptr(function) }.to_string_lossy();
    to_standard_error(&format!(
        "fault {kind} in {function}, instruction {instruction}"
    ));
    host::end(1);
}

/// The program whose finalisers run when the process ends.
static ENDING: OnceLock<Loaded<'static>> = OnceLock::new();

/// Calls a function of the program as C does.
///
/// # Safety
///
/// There is such a function at the address, and whoever runs the program vouches for it.
#[expect(clippy::disallowed_methods, reason = "an address is to be called")]
unsafe fn call(address: u64, [argc, argv, envp]: [Value; 3]) -> c_int {
    type Main = unsafe extern "C" fn(i64, u64, u64) -> c_int;
    let address = core::ptr::with_exposed_provenance::<u8>(address as usize);
    // SAFETY: the loader checked that the address is in the code, which is mapped to be run.
    let function = unsafe { core::mem::transmute::<*const u8, Main>(address) };
    // SAFETY: by the caller's word.
    unsafe { function(argc.i64(), argv.i64() as u64, envp.i64() as u64) }
}

extern "C" fn finish() {
    for function in ENDING.get().into_iter().flat_map(Loaded::finalisers) {
        // SAFETY: a function of the program, which is loaded for as long as the process lives.
        unsafe { call(function, [Value::ZERO; 3]) };
    }
}

/// Loads an image and runs its `main`; returns the exit status. The program has the power of C:
/// whoever runs it vouches for it.
pub(crate) fn run(
    name: &str,
    bytes: Vec<u8>,
    symbols: &mut Symbols,
    arguments: &MainArguments,
    fuel: Option<u64>,
    diagnostics: &Diagnostics,
) -> Result<i32> {
    let refuse = |problem: String| Failure::File {
        name: name.to_owned(),
        problem,
    };
    let machine = Machine::HERE.ok_or_else(|| refuse("no images for this machine".into()))?;
    let image = Image::parse(bytes.leak(), machine).map_err(|error| refuse(error.to_string()))?;
    let mapped = Mapping::new(&image).ok_or_else(|| refuse("it cannot be mapped".into()))?;
    // Functions that run when the process ends still use it.
    let mapped = Box::leak(Box::new(mapped));
    let at = mapped.addresses();
    let (ram, _) = mapped.memory();
    if image.header().limits.has(Limits::CONFINED) {
        let mut routine = |name: &[u8]| symbols.find(name).map(|address| address as u64);
        let fuel = fuel.unwrap_or(i64::MAX as u64);
        let refuse = |error| refuse(explain(&image, error));
        let (name, diagnostics) = (name.to_owned(), diagnostics.clone());
        let report = move |fault: Fault<'_>| run_confined::report(&name, fault, &diagnostics);
        return run_confined::run(image, ram, at.code, fuel, &mut routine, &refuse, report);
    }
    let loaded = image.load(ram, at, &mut |import| resolve(symbols, import));
    let loaded = loaded.map_err(|error| refuse(explain(&image, error)))?;
    let limited = set_limits(&loaded, ram, at, fuel);
    limited.ok_or_else(|| refuse("it charges no fuel: it was made without --fuel".into()))?;
    let main = loaded
        .export(b"main")
        .ok_or_else(|| refuse("it exports no main".into()))?;
    let _ = ENDING.set(loaded);
    host::at_exit(finish);
    let values = arguments.values();
    for function in loaded.initialisers() {
        // SAFETY: a function of the program.
        unsafe { call(function, values) };
    }
    // SAFETY: a function of the program.
    let status = unsafe { call(loaded.address_of(main.place), values) };
    Ok(if main.signature.starts_with(b"(") {
        0
    } else {
        status
    })
}

/// The stack that a program may take, half of what a process commonly has.
const STACK: u64 = 4 << 20;

/// Writes the variables of the limits that the code keeps; returns `None` if fuel is given to a
/// program that charges none.
fn set_limits(loaded: &Loaded<'_>, ram: &mut [u8], at: Addresses, fuel: Option<u64>) -> Option<()> {
    let mut set = |name: &str, word: u64| {
        let place = loaded.address(name.as_bytes())?.checked_sub(at.ram)?;
        let place = ram.get_mut(usize::try_from(place).ok()?..)?;
        *place.first_chunk_mut()? = word.to_ne_bytes();
        Some(())
    };
    let here = 0_u8;
    let _ = set(
        STACK_WORD,
        ((&raw const here).addr() as u64).saturating_sub(STACK),
    );
    match (set(FUEL_WORD, fuel.unwrap_or(i64::MAX as u64)), fuel) {
        (None, Some(_)) => None,
        _ => Some(()),
    }
}

/// Returns the address of an import in this process.
fn resolve(symbols: &mut Symbols, import: Import<'_>) -> Option<u64> {
    match import.name {
        b"mir_fault" => Some(fault as *const () as u64),
        name => symbols.find(name).map(|address| address as u64),
    }
}

/// Returns an error in words, with the name of the import that it is about.
fn explain(image: &Image<'_>, error: Error) -> String {
    let Error::Import(number) = error else {
        return error.to_string();
    };
    let import = image.imports().nth(number as usize);
    let name = import.map_or(String::new(), |import| {
        let signature = String::from_utf8_lossy(import.signature).into_owned();
        format!("{}: {signature}", String::from_utf8_lossy(import.name))
    });
    format!("nothing here is named {name}")
}

/// Returns the bytes of a file if it is an image.
pub(crate) fn read(path: &Path) -> Option<Vec<u8>> {
    let bytes = std::fs::read(path).ok()?;
    is_image(&bytes).then_some(bytes)
}
