//! `--jitdump`: the file from which `perf inject --jit` makes an object of each compiled function,
//! so that `perf annotate` shows instructions and lines (perf's `jitdump-specification.txt`).
//!
//! Records have the byte order of the machine. Times are those of the monotonic clock, which
//! `perf record -k mono` goes by, too.
#![expect(unsafe_code, reason = "maps a file, and reads code where it runs")]

use crate::profile::Function;
use std::fs::File;
use std::io::{Result, Write};
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::sync::Mutex;

/// The word that the file begins with, `JiTD` in the byte order of the machine.
const MAGIC: u32 = 0x4A69_5444;
const VERSION: u32 = 1;
const HEADER_BYTES: u32 = 40;
const RECORD_HEADER_BYTES: usize = 16;

/// The kinds of records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// A function and its code.
    CodeLoad = 0,
    /// The lines of the function of the next record.
    DebugInfo = 2,
}

/// The file.
#[derive(Debug)]
pub(crate) struct JitDump(Mutex<Dump>);

#[derive(Debug)]
struct Dump {
    file: File,
    /// The number of the next function.
    next: u64,
}

impl JitDump {
    /// Returns the path of the file of this process; perf knows it by its name.
    pub(crate) fn path() -> PathBuf {
        PathBuf::from(format!("jit-{}.dump", std::process::id()))
    }

    /// Makes the file in the current directory, and has perf notice it.
    pub(crate) fn create() -> Result<JitDump> {
        let path = JitDump::path();
        let _ = std::fs::remove_file(&path);
        let mut options = File::options();
        let mut file = options.read(true).write(true).create_new(true).open(path)?;
        file.write_all(&header())?;
        notify(&file)?;
        Ok(JitDump(Mutex::new(Dump { file, next: 0 })))
    }

    /// Adds a function.
    pub(crate) fn add(&self, function: &Function<'_>) {
        let mut dump = self.0.lock().unwrap_or_else(|broken| broken.into_inner());
        let mut records = debug_info(function).unwrap_or_default();
        records.extend(code_load(function, dump.next));
        dump.next += 1;
        // A file that cannot be written is no reason to stop the program.
        let _ = dump.file.write_all(&records);
    }
}

/// Has perf notice the file: perf records executable mappings, and knows this one by its name. The
/// mapping stays for the life of the process.
fn notify(file: &File) -> Result<()> {
    let access = libc::PROT_READ | libc::PROT_EXEC;
    let (anywhere, fd) = (core::ptr::null_mut(), file.as_raw_fd());
    // SAFETY: a new mapping at an address of the system's choice touches nothing that exists.
    let mapped = unsafe { libc::mmap(anywhere, 1, access, libc::MAP_PRIVATE, fd, 0) };
    match mapped {
        libc::MAP_FAILED => Err(std::io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Returns the time by the monotonic clock in nanoseconds.
fn now() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the structure is there to be written.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec.cast_unsigned() * 1_000_000_000 + time.tv_nsec.cast_unsigned()
}

fn header() -> Vec<u8> {
    let elf = target_all::HOST.description().elf;
    let machine = elf.map_or(object::elf::EM_NONE, |elf| elf.machine);
    let words = [
        MAGIC,
        VERSION,
        HEADER_BYTES,
        machine.into(),
        0,
        std::process::id(),
    ];
    let mut bytes: Vec<u8> = words.into_iter().flat_map(u32::to_ne_bytes).collect();
    bytes.extend(now().to_ne_bytes());
    // No flags.
    bytes.extend(0_u64.to_ne_bytes());
    bytes
}

/// Returns a record.
fn record(kind: Kind, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(RECORD_HEADER_BYTES + body.len()).unwrap_or(u32::MAX);
    let mut bytes = Vec::new();
    bytes.extend((kind as u32).to_ne_bytes());
    bytes.extend(length.to_ne_bytes());
    bytes.extend(now().to_ne_bytes());
    bytes.extend(body);
    bytes
}

/// Returns the record of a function's code.
fn code_load(function: &Function<'_>, number: u64) -> Vec<u8> {
    let (address, bytes) = (function.address as u64, function.bytes as u64);
    // SAFETY: a query.
    let thread = unsafe { libc::gettid() };
    let mut body = Vec::new();
    body.extend(std::process::id().to_ne_bytes());
    body.extend(thread.to_ne_bytes());
    for word in [address, address, bytes, number] {
        body.extend(word.to_ne_bytes());
    }
    body.extend(function.name.bytes());
    body.push(0);
    let code = core::ptr::with_exposed_provenance(function.address);
    // SAFETY: the code of a function that was just made is there, and is only read.
    body.extend(unsafe { core::slice::from_raw_parts::<u8>(code, function.bytes) });
    record(Kind::CodeLoad, &body)
}

/// Returns the record of a function's lines, if they are known.
fn debug_info(function: &Function<'_>) -> Option<Vec<u8>> {
    let (_, lines, _) = function.facts.lines.as_ref()?;
    let mut body = Vec::new();
    body.extend((function.address as u64).to_ne_bytes());
    body.extend((lines.rows.len() as u64).to_ne_bytes());
    for (at, line) in &lines.rows {
        body.extend((function.address as u64 + u64::from(*at)).to_ne_bytes());
        body.extend(line.number.to_ne_bytes());
        // No discriminator.
        body.extend(0_u32.to_ne_bytes());
        body.extend(line.file.bytes());
        body.push(0);
    }
    Some(record(Kind::DebugInfo, &body))
}
