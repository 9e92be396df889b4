//! The interfaces by which debuggers and profilers of the host learn of compiled functions.
//!
//! `perf` reads `/tmp/perf-PID.map`: a line per function, address and length in hexadecimal, then
//! the name. GDB reads a list of object files in memory, whose head has a name that it knows, and
//! stops at a function of a known name whenever the list changes; each of ours holds a symbol, the
//! section that its code is in, the lines that the code comes from, and how its frame is unwound.
#![expect(unsafe_code, reason = "debuggers read raw memory")]

use crate::lines::{self, LinedFunction, Lines};
use crate::unwind::{self, Addresses, Unwinding};
use crate::variables::Variables;
use core::sync::atomic::{AtomicPtr, AtomicU32, Ordering};
use gimli::RunTimeEndian;
use gimli::write::{Address, EndianVec, Sections};
use mir_nostd::target::Isa;
use object::write::StringId;
use object::write::elf::{FileHeader, SectionHeader, SectionIndex, Sym, Writer};
use object::{Endianness, elf};
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;

/// The file that `perf` reads.
#[derive(Debug)]
pub(crate) struct PerfMap(Mutex<File>);

impl PerfMap {
    /// Returns the path at which `perf` looks for the map of this process.
    pub(crate) fn path() -> PathBuf {
        PathBuf::from(format!("/tmp/perf-{}.map", std::process::id()))
    }

    /// Makes the map of this process anew: a file of that name is of an earlier process, a link
    /// somebody else's.
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
struct JitCodeEntry {
    next: AtomicPtr<JitCodeEntry>,
    previous: AtomicPtr<JitCodeEntry>,
    file: *const u8,
    bytes: u64,
}

/// The head of the list.
#[derive(Debug)]
#[repr(C)]
struct Descriptor {
    version: u32,
    action: AtomicU32,
    relevant: AtomicPtr<JitCodeEntry>,
    first: AtomicPtr<JitCodeEntry>,
}

/// The action that says that an entry was added.
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

/// A compiled function as debuggers are told of it.
#[derive(Clone, Debug)]
pub(crate) struct Function<'a> {
    pub(crate) name: &'a str,
    pub(crate) address: usize,
    pub(crate) bytes: usize,
    pub(crate) facts: Facts,
}

/// The facts on a function that are known before its code has an address.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// The file that it comes from, its lines there, and its variables.
    pub(crate) lines: Option<(String, Lines, Variables)>,
    /// The rules for unwinding its frame.
    pub(crate) unwinding: Option<Unwinding>,
}

/// Tells GDB of a function; the entry stays for the life of the process.
pub(crate) fn register(function: &Function<'_>) {
    static ADDING: Mutex<()> = Mutex::new(());
    let _only_one = ADDING.lock();
    let file = object(function).leak();
    let list = &__jit_debug_descriptor;
    let first = list.first.load(Ordering::Relaxed);
    let entry = Box::leak(Box::new(JitCodeEntry {
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

/// A section of an object: its name and contents.
type Section = (&'static str, Vec<u8>);

/// Returns the sections of a function's debugging information.
fn debug_sections(function: &Function<'_>, isa: &dyn Isa) -> Vec<Section> {
    let endian = match isa.target().big_endian {
        true => RunTimeEndian::Big,
        false => RunTimeEndian::Little,
    };
    let mut sections = Sections::new(EndianVec::new(endian));
    // Debuggers show a function without this, too.
    let _ = write_debug(function, isa, &mut sections);
    let mut found = Vec::new();
    let _: Result<(), ()> = sections.for_each(|id, section| {
        let bytes = section.slice();
        if !bytes.is_empty() {
            found.push((id.name(), bytes.to_vec()));
        }
        Ok(())
    });
    found
}

fn write_debug(
    function: &Function<'_>,
    isa: &dyn Isa,
    sections: &mut Sections<EndianVec<RunTimeEndian>>,
) -> gimli::write::Result<()> {
    let start = Address::Constant(function.address as u64);
    if let (Some(unwinding), Some(elf)) = (&function.facts.unwinding, isa.description().elf) {
        let functions = core::iter::once((start, unwinding));
        let table = unwind::table(isa, elf, Addresses::Absolute, functions);
        table.write_debug_frame(&mut sections.debug_frame)?;
    }
    if let Some((file, lines, variables)) = &function.facts.lines {
        let function = LinedFunction {
            name: function.name.into(),
            start,
            bytes: function.bytes as u64,
            lines: lines.clone(),
            variables: variables.clone(),
        };
        lines::dwarf(file, &[function]).write(sections)?;
    }
    Ok(())
}

/// Returns an executable ELF file with one function, whose code is not in the file but where it
/// runs, and with its debugging information.
fn object(function: &Function<'_>) -> Vec<u8> {
    let (address, bytes) = (function.address as u64, function.bytes as u64);
    let isa = target_all::HOST;
    let endianness = match isa.target().big_endian {
        true => Endianness::Big,
        false => Endianness::Little,
    };
    let sections = debug_sections(function, isa);
    let mut out = Vec::new();
    let mut writer = Writer::new(endianness, true, &mut out);
    writer.reserve_file_header();
    writer.reserve_null_section_index();
    let text_name = writer.add_section_name(b".text");
    let text = writer.reserve_section_index();
    let places: Vec<_> = { sections.iter() }
        .map(|(name, bytes)| {
            let name = writer.add_section_name(name.as_bytes());
            writer.reserve_section_index();
            (name, writer.reserve(bytes.len(), 1))
        })
        .collect();
    writer.reserve_symtab_section_index();
    writer.reserve_strtab_section_index();
    writer.reserve_shstrtab_section_index();
    writer.reserve_null_symbol_index();
    let function_name = writer.add_string(function.name.as_bytes());
    writer.reserve_symbol_index(Some(text));
    writer.reserve_symtab();
    writer.reserve_strtab();
    writer.reserve_shstrtab();
    writer.reserve_section_headers();
    // The lengths are those of the buffer itself, and the file is never too long for it.
    let header = FileHeader {
        os_abi: 0,
        abi_version: 0,
        e_type: elf::ET_EXEC,
        e_machine: isa
            .description()
            .elf
            .map_or(elf::EM_NONE, |elf| elf.machine),
        e_entry: address,
        e_flags: isa.description().elf.map_or(0, |elf| elf.flags),
    };
    if writer.write_file_header(&header).is_err() {
        return Vec::new();
    }
    for (_, bytes) in &sections {
        writer.write(bytes);
    }
    writer.write_null_symbol();
    writer.write_symbol(&symbol_of(function_name, text, address, bytes));
    writer.write_strtab();
    writer.write_shstrtab();
    writer.write_null_section_header();
    writer.write_section_header(&code_section(text_name, address, bytes));
    for ((name, place), (_, bytes)) in places.into_iter().zip(&sections) {
        writer.write_section_header(&debug_section(name, place, bytes));
    }
    writer.write_symtab_section_header(1);
    writer.write_strtab_section_header();
    writer.write_shstrtab_section_header();
    out
}

/// Returns the header of a section of debugging information.
fn debug_section(name: StringId, place: usize, bytes: &[u8]) -> SectionHeader {
    SectionHeader {
        name: Some(name),
        sh_type: elf::SHT_PROGBITS,
        sh_flags: 0,
        sh_addr: 0,
        sh_offset: place as u64,
        sh_size: bytes.len() as u64,
        sh_link: 0,
        sh_info: 0,
        sh_addralign: 1,
        sh_entsize: 0,
    }
}

/// Returns the symbol of a global function at an address.
fn symbol_of(name: StringId, section: SectionIndex, address: u64, bytes: u64) -> Sym {
    Sym {
        name: Some(name),
        section: Some(section),
        st_info: elf::STB_GLOBAL << 4 | elf::STT_FUNC,
        st_other: 0,
        st_shndx: 0,
        st_value: address,
        st_size: bytes,
    }
}

/// Returns the header of a section of code that is not in the file.
fn code_section(name: StringId, address: u64, bytes: u64) -> SectionHeader {
    SectionHeader {
        name: Some(name),
        sh_type: elf::SHT_NOBITS,
        sh_flags: u64::from(elf::SHF_ALLOC | elf::SHF_EXECINSTR),
        sh_addr: address,
        sh_offset: 0,
        sh_size: bytes,
        sh_link: 0,
        sh_info: 0,
        sh_addralign: 16,
        sh_entsize: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(name: &str, address: usize, bytes: usize) -> Function<'_> {
        Function {
            name,
            address,
            bytes,
            facts: Facts::default(),
        }
    }

    #[test]
    fn binutils_reads_the_object() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, object(&function("some_function", 0x1234_5000, 0x60))).unwrap();
        let listed = std::process::Command::new("nm")
            .arg("-S")
            .arg(file.path())
            .output();
        // A machine without binutils shows nothing.
        let Ok(listed) = listed else {
            return;
        };
        let text = String::from_utf8_lossy(&listed.stdout).into_owned();
        assert_eq!(text, "0000000012345000 0000000000000060 T some_function\n");
    }

    #[test]
    fn the_list_grows_at_its_head() {
        register(&function("one", 0x1000, 16));
        register(&function("two", 0x2000, 16));
        let first = __jit_debug_descriptor.first.load(Ordering::Relaxed);
        // SAFETY: entries are never freed.
        let (first, second) = unsafe { (&*first, &*(*first).next.load(Ordering::Relaxed)) };
        assert!(core::ptr::eq(
            second.previous.load(Ordering::Relaxed),
            first
        ));
        // SAFETY: the file is as long as it says.
        let file = unsafe { core::slice::from_raw_parts(first.file, first.bytes as usize) };
        assert_eq!(file, object(&function("two", 0x2000, 16)));
    }
}
