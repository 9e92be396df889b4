//! What debuggers and profilers of the host are told of compiled functions.
//!
//! `perf` reads `/tmp/perf-PID.map`: a line per function, address and length in hexadecimal, then the name. GDB reads a list
//! of object files in memory, whose head has a name that it knows, and stops at a function of a known name whenever the list
//! changes; each of ours holds a symbol and the section that its code is in, nothing else.
#![expect(unsafe_code, reason = "debuggers read raw memory")]

use core::sync::atomic::{AtomicPtr, AtomicU32, Ordering};
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;

/// The file that `perf` reads.
#[derive(Debug)]
pub(crate) struct PerfMap(Mutex<File>);

impl PerfMap {
    /// Where `perf` looks for the map of this process.
    pub(crate) fn path() -> PathBuf {
        PathBuf::from(format!("/tmp/perf-{}.map", std::process::id()))
    }

    /// Makes the map of this process anew: a file of that name is of an earlier process, a link somebody else's.
    pub(crate) fn create() -> std::io::Result<PerfMap> {
        let path = PerfMap::path();
        let _ = std::fs::remove_file(&path);
        Ok(PerfMap(Mutex::new(File::create_new(path)?)))
    }

    pub(crate) fn add(&self, name: &str, address: usize, bytes: usize) {
        let mut file = self.0.lock().unwrap_or_else(|broken| broken.into_inner());
        // A map that cannot be written is no reason to stop the program.
        let line = format!("{address:x} {bytes:x} {name}\n");
        let _ = file.write_all(line.as_bytes());
    }
}

/// An object file in memory, as GDB expects it.
#[derive(Debug)]
#[repr(C)]
struct Entry {
    next: AtomicPtr<Entry>,
    previous: AtomicPtr<Entry>,
    file: *const u8,
    bytes: u64,
}

/// The head of the list.
#[derive(Debug)]
#[repr(C)]
struct Descriptor {
    version: u32,
    action: AtomicU32,
    relevant: AtomicPtr<Entry>,
    first: AtomicPtr<Entry>,
}

/// An entry was added.
const REGISTER: u32 = 1;

#[unsafe(no_mangle)]
static __jit_debug_descriptor: Descriptor = Descriptor {
    version: 1,
    action: AtomicU32::new(0),
    relevant: AtomicPtr::new(core::ptr::null_mut()),
    first: AtomicPtr::new(core::ptr::null_mut()),
};

/// GDB has a breakpoint here.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn __jit_debug_register_code() {
    core::hint::black_box(&__jit_debug_descriptor);
}

/// Tells GDB of a function. What it is told of stays for the life of the process.
pub(crate) fn register(name: &str, address: usize, bytes: usize) {
    static ADDING: Mutex<()> = Mutex::new(());
    let _only_one = ADDING.lock();
    let file = object(name, address as u64, bytes as u64).leak();
    let list = &__jit_debug_descriptor;
    let first = list.first.load(Ordering::Relaxed);
    let entry = Box::leak(Box::new(Entry {
        next: AtomicPtr::new(first),
        previous: AtomicPtr::new(core::ptr::null_mut()),
        file: file.as_ptr(),
        bytes: file.len() as u64,
    }));
    // SAFETY: entries are never freed.
    if let Some(first) = unsafe { first.as_ref() } {
        first.previous.store(entry, Ordering::Relaxed);
    }
    list.first.store(entry, Ordering::Relaxed);
    list.relevant.store(entry, Ordering::Relaxed);
    list.action.store(REGISTER, Ordering::Release);
    __jit_debug_register_code();
}

/// `e_machine` of this machine.
const MACHINE: u16 = if cfg!(target_arch = "x86_64") {
    62
} else if cfg!(target_arch = "aarch64") {
    183
} else if cfg!(target_arch = "riscv64") {
    243
} else if cfg!(target_arch = "powerpc64") {
    21
} else {
    22
};

/// Fields of an object file in the machine's byte order.
#[derive(Default)]
struct Fields(Vec<u8>);

impl Fields {
    fn half(&mut self, value: u16) {
        self.0.extend(value.to_ne_bytes());
    }

    fn word(&mut self, value: u32) {
        self.0.extend(value.to_ne_bytes());
    }

    fn long(&mut self, value: u64) {
        self.0.extend(value.to_ne_bytes());
    }
}

/// A section: name, type, flags, address, place in the file, length, number of another section, a number, entry size.
type Section = (u32, u32, u64, u64, u64, u64, u32, u32, u64);

/// The names of the sections, each at a fixed place: 1, 7, 15 and 23.
const SECTION_NAMES: &[u8] = b"\0.text\0.symtab\0.strtab\0.shstrtab\0";

/// An ELF object file: header, symbols, names, section headers. The code itself is where it runs.
fn object(name: &str, address: u64, bytes: u64) -> Vec<u8> {
    const HEADER: u64 = 64;
    const SYMBOLS: u64 = 48;
    const TABLE: usize = 5 * 64;
    let names: Vec<u8> = [b"\0", name.as_bytes(), b"\0"].concat();
    let names_at = HEADER + SYMBOLS;
    let sections_at = names_at + names.len() as u64;
    let headers_at = (sections_at + SECTION_NAMES.len() as u64).next_multiple_of(8);
    let mut out = Fields::default();
    let order = if cfg!(target_endian = "big") { 2 } else { 1 };
    out.0.extend([0x7F, b'E', b'L', b'F', 2, order, 1, 0]);
    out.long(0);
    // An object file whose symbols are addresses: executable.
    out.half(2);
    out.half(MACHINE);
    out.word(1);
    out.long(address);
    out.long(0);
    out.long(headers_at);
    // ELFv2 of 64-bit PowerPC.
    out.word(if cfg!(target_arch = "powerpc64") {
        2
    } else {
        0
    });
    for field in [64, 0, 0, 64, 5, 4] {
        out.half(field);
    }
    out.0.extend([0; 24]);
    // A global function in section 1.
    out.word(1);
    out.0.extend([0x12, 0]);
    out.half(1);
    out.long(address);
    out.long(bytes);
    out.0.extend(&names);
    out.0.extend(SECTION_NAMES);
    out.0.resize(headers_at as usize, 0);
    let sections: [Section; 5] = [
        (0, 0, 0, 0, 0, 0, 0, 0, 0),
        // NOBITS, allocated and executable.
        (1, 8, 6, address, HEADER, bytes, 0, 0, 0),
        (7, 2, 0, 0, HEADER, SYMBOLS, 3, 1, 24),
        (15, 3, 0, 0, names_at, names.len() as u64, 0, 0, 0),
        (
            23,
            3,
            0,
            0,
            sections_at,
            SECTION_NAMES.len() as u64,
            0,
            0,
            0,
        ),
    ];
    for (name, ty, flags, address, place, length, link, info, entry) in sections {
        out.word(name);
        out.word(ty);
        for field in [flags, address, place, length] {
            out.long(field);
        }
        out.word(link);
        out.word(info);
        out.long(if ty == 8 { 16 } else { 8 });
        out.long(entry);
    }
    debug_assert_eq!(out.0.len(), headers_at as usize + TABLE);
    out.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binutils_reads_the_object() {
        let file = std::env::temp_dir().join(format!("mir-jit-object-{}", std::process::id()));
        std::fs::write(&file, object("some_function", 0x1234_5000, 0x60)).unwrap();
        let listed = std::process::Command::new("nm")
            .arg("-S")
            .arg(&file)
            .output();
        let _ = std::fs::remove_file(&file);
        // A machine without binutils shows nothing.
        let Ok(listed) = listed else {
            return;
        };
        let text = String::from_utf8_lossy(&listed.stdout).into_owned();
        assert_eq!(text, "0000000012345000 0000000000000060 T some_function\n");
    }

    #[test]
    fn the_list_grows_at_its_head() {
        register("one", 0x1000, 16);
        register("two", 0x2000, 16);
        let first = __jit_debug_descriptor.first.load(Ordering::Relaxed);
        // SAFETY: entries are never freed.
        let (first, second) = unsafe { (&*first, &*(*first).next.load(Ordering::Relaxed)) };
        assert!(core::ptr::eq(
            second.previous.load(Ordering::Relaxed),
            first
        ));
        // SAFETY: the file is as long as it says.
        let file = unsafe { core::slice::from_raw_parts(first.file, first.bytes as usize) };
        assert_eq!(file, object("two", 0x2000, 16));
    }
}
