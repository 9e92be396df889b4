//! Runs a confined program from an image, with nothing but the loader: `confined IMAGE`. The
//! program can write to standard output, and end.
#![expect(unsafe_code, reason = "maps memory and runs code that was made ahead")]
#![expect(clippy::unwrap_used, reason = "what fails here is an example")]

use mir_image::{Budget, Image, Import, Machine, Memory, Reason};
use std::io::Write;
use std::sync::OnceLock;

/// The system's calls for memory; the C library is part of every such process.
mod system {
    use core::ffi::{c_int, c_void};

    unsafe extern "C" {
        pub(crate) fn mmap(
            at: *mut c_void,
            bytes: usize,
            access: c_int,
            flags: c_int,
            file: c_int,
            offset: i64,
        ) -> *mut c_void;
    }

    pub(crate) const ANY_ACCESS: c_int = 7;
    pub(crate) const PRIVATE_ANONYMOUS: c_int = 0x22;
}

/// The code with which `write` fails; those of `exit` are below 256.
const BAD_ADDRESS: u32 = 256;

static MEMORY: OnceLock<Memory> = OnceLock::new();

extern "C" fn write(_: i64, at: u64, count: u64) -> i64 {
    let memory = MEMORY.get().unwrap();
    // SAFETY: the program waits for this import.
    match unsafe { memory.slice(at, count) } {
        Some(bytes) => {
            std::io::stdout().write_all(bytes).unwrap();
            bytes.len() as i64
        }
        None => {
            // SAFETY: as above.
            unsafe { memory.fail(BAD_ADDRESS) };
            -1
        }
    }
}

extern "C" fn read(_: i64, _: u64, _: u64) -> i64 {
    0
}

extern "C" fn exit(status: u64) {
    // SAFETY: the program waits for this import.
    unsafe { MEMORY.get().unwrap().fail((status & 0xFF) as u32) };
}

/// Returns the time: this machine has no clock.
extern "C" fn clock() -> i64 {
    0
}

extern "C" fn heap_start() -> u64 {
    // SAFETY: the program is loaded.
    unsafe { MEMORY.get().unwrap().heap() }.start
}

extern "C" fn heap_end() -> u64 {
    // SAFETY: the program is loaded.
    unsafe { MEMORY.get().unwrap().heap() }.end
}

fn resolve(import: Import<'_>) -> Option<u64> {
    let function = match import.name {
        _ if import.is_routine => routine(import.name)?,
        b"write" => write as *const (),
        b"read" => read as *const (),
        b"exit" | b"_exit" => exit as *const (),
        b"clock" => clock as *const (),
        b"__heap_start" => heap_start as *const (),
        b"__heap_end" => heap_end as *const (),
        _ => return None,
    };
    Some(function.expose_provenance() as u64)
}

/// Returns a routine that code calls for arithmetic with long doubles, where there is one.
fn routine(name: &[u8]) -> Option<*const ()> {
    #[cfg(not(any(target_arch = "x86_64", target_arch = "s390x")))]
    macro_rules! routines {
        ($($name:ident)*) => {{
            unsafe extern "C" { $(fn $name();)* }
            $(if name == stringify!($name).as_bytes() {
                return Some($name as *const ());
            })*
        }};
    }
    #[cfg(any(target_arch = "aarch64", target_arch = "riscv64"))]
    routines!(__addtf3 __subtf3 __multf3 __divtf3 __lttf2 __letf2 __gttf2 __getf2 __eqtf2
            __netf2 __unordtf2 __floatditf __floatunditf __fixtfdi __extendsftf2 __extenddftf2
            __trunctfsf2 __trunctfdf2);
    #[cfg(target_arch = "powerpc64")]
    routines!(__gcc_qadd __gcc_qsub __gcc_qmul __gcc_qdiv __floatditf __floatunditf __fixtfdi);
    let _ = name;
    None
}

fn main() {
    let file = std::env::args().nth(1).unwrap();
    let bytes = std::fs::read(file).unwrap();
    let image = Image::parse(&bytes, Machine::HERE.unwrap()).unwrap();
    let header = image.header();
    let distance = usize::try_from(header.distance).unwrap();
    let size = distance + header.ram_size as usize + (1 << 16);
    // SAFETY: a new mapping of a size, which is ours alone.
    let start = unsafe {
        let anywhere = core::ptr::null_mut();
        system::mmap(
            anywhere,
            size,
            system::ANY_ACCESS,
            system::PRIVATE_ANONYMOUS,
            -1,
            0,
        )
    };
    let start = start.cast::<u8>();
    // The memory is at a multiple of 16 where the code is at one of its alignment.
    let code = start.wrapping_add(header.code as usize % (1 << 16));
    // SAFETY: there is room for both, apart from each other.
    let ram = unsafe {
        code.copy_from_nonoverlapping(image.code().as_ptr(), image.code().len());
        core::slice::from_raw_parts_mut(code.add(distance), header.ram_size as usize)
    };
    let code = code.expose_provenance() as u64;
    let mut program = image.load_confined(ram, code, &mut resolve).unwrap();
    MEMORY.set(program.memory()).unwrap();
    let here = 0_u8;
    let mut budget = Budget {
        fuel: u64::MAX >> 1,
        stack_limit: ((&raw const here).addr() - (6 << 20)) as u64,
    };
    let functions: Vec<u64> = program.initialisers().collect();
    let main = program.export(b"main").unwrap();
    let main = program.address_of(main.place);
    let mut status = 0;
    let mut call = |function| {
        // SAFETY: whoever runs this made the image with `mir image --confined`.
        let ran = unsafe { program.call_at(function, &[0; 3], budget) };
        budget.fuel = program.fuel();
        match ran {
            Ok(value) => return value as i32,
            Err(fault) => match fault.reason {
                Reason::Import(code) if code < 256 => status = code as i32,
                _ => {
                    let name = String::from_utf8_lossy(fault.function).into_owned();
                    let number = fault.instruction.unwrap_or_default();
                    eprintln!("fault in {name}, instruction {number}: {fault}");
                    std::process::exit(1);
                }
            },
        }
        status
    };
    functions.into_iter().for_each(|function| {
        call(function);
    });
    let status = call(main);
    let functions: Vec<u64> = program.finalisers().collect();
    for function in functions {
        // SAFETY: as above.
        let _ = unsafe { program.call_at(function, &[0; 3], budget) };
    }
    std::process::exit(status);
}
