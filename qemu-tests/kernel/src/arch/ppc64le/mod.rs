//! `ppc64le` on QEMU's `pseries`: a guest of the emulated hypervisor, radix page tables, handlers
//! in real mode.

use crate::fault::{self, Fault};
use crate::layout::{PAGE, Region, STACKS, Shared, Stacks};
use crate::paging::{Access, Format, Level};
use crate::ticks;
use core::arch::{asm, global_asm};
use core::ops::Range;
use core::ptr;
use core::sync::atomic::{AtomicU64, Ordering};

pub use target_ppc64le::{NATIVE, TARGET};

/// The name of the ISA.
pub const NAME: &str = "ppc64le";
/// True if the clock starts at reset.
pub const CLOCK_STARTS_AT_RESET: bool = true;
/// The code generator's backend, if the kernel is built with it.
pub const BACKEND: Option<&dyn mir_nostd::target::Isa> = match cfg!(feature = "jit") {
    true => Some(&target_ppc64le::ISA),
    false => None,
};
/// A small program in the image.
pub const EMBEDDED: &[u8] = include_bytes!("../../../../../corpus/bmir/ppc64le/f_charsign.bmir");
/// The output of that program.
pub const EMBEDDED_PRINTS: &[u8] = include_bytes!("../../../../../corpus/expected/f_charsign.txt");
/// The address at which the loader device puts programs.
pub const PROGRAMS: usize = 0x800_0000;
/// The size in bytes of the memory for programs.
pub const PROGRAM_BYTES: usize = 16 << 20;
/// Ranges that are mapped besides the kernel and the programs.
pub const EXTRA: &[(Range<usize>, Access)] = &[];

const DECREMENTER: u64 = 0x900;
/// The interrupts that have a handler.
const VECTORS: [usize; 11] = [
    0x300, 0x380, 0x400, 0x480, 0x600, 0x700, 0x800, 0x900, 0xF20, 0xF40, 0xF60,
];

global_asm!(
    include_str!("boot.s"),
    stacks = sym STACKS,
    main_top = const Stacks::MAIN_TOP,
    faults_top = const Stacks::FAULTS_TOP,
    stacks_size = const size_of::<Stacks>(),
);

/// The format of page tables: radix, 13 + 9 + 9 + 9 bits, big-endian words, referenced and changed
/// set in advance.
pub static PAGES: Format = Format {
    levels: &[level(39, 13), level(30, 9), level(21, 9), level(12, 9)],
    table: |_, table| 1 << 63 | table as u64 | 9,
    target: |entry| entry as usize & 0x00FF_FFFF_FFFF_F000,
    leaf: |page, access| {
        3 << 62
            | page as u64
            | match access {
                Access::Code => 0x18D,
                Access::Constants => 0x18C,
                Access::Data | Access::Device => 0x18E,
            }
    },
    swapped: true,
};

const fn level(shift: u32, bits: u32) -> Level {
    Level {
        shift,
        bits,
        empty: 0,
    }
}

static PROCESSES: Shared<Region<PAGE>> = Shared::new(Region([0; PAGE]));

/// Installs these page tables on all CPUs.
pub fn use_tables(root: usize) {
    let entry = 0x4000_0000_0000_00A0 | root as u64 | 13;
    // SAFETY: nobody uses the process table yet; the tables map everything that is used at its own
    // address.
    unsafe {
        PROCESSES.get().cast::<u64>().write(entry.to_be());
        hypercall(
            0x37C,
            [0x1D, PROCESSES.get().expose_provenance() as u64, 0, 0],
        );
        translate();
    }
}

/// Turns address translation on for this CPU.
///
/// # Safety
///
/// The process table is registered.
unsafe fn translate() {
    // SAFETY: the caller vouches for the tables.
    unsafe {
        asm!(
            "li {old}, 0",
            "mtspr 48, {old}",
            "ptesync",
            "mfmsr {old}",
            "ori {old}, {old}, 0x30",
            "mtmsrd {old}",
            "isync",
            old = out(reg) _,
            options(nostack)
        );
    }
}

/// Calls the hypervisor.
///
/// # Safety
///
/// The call's accesses to memory are sound.
unsafe fn hypercall(number: u64, [a, b, c, d]: [u64; 4]) -> i64 {
    let result: i64;
    // SAFETY: passed on to the caller; the call keeps to the registers named.
    unsafe {
        asm!(
            ".long 0x44000022",
            inout("r3") number => result,
            inout("r4") a => _,
            inout("r5") b => _,
            inout("r6") c => _,
            inout("r7") d => _,
            out("r0") _, out("r8") _, out("r9") _, out("r10") _, out("r11") _, out("r12") _,
            out("ctr") _, out("xer") _, out("cr0") _, out("cr1") _, out("cr5") _, out("cr6") _, out("cr7") _,
            options(nostack)
        );
    }
    result
}

/// Calls the firmware's run-time services (RTAS) with a token, arguments, and room for results.
fn services<const N: usize>(token: u32, arguments: u32, results: u32, rest: [u32; N]) -> [u32; N] {
    let mut block = [0_u32; 12];
    let head = [token, arguments, results];
    for (to, from) in block.iter_mut().zip(head.into_iter().chain(rest)) {
        *to = from.to_be();
    }
    // SAFETY: the firmware reads and writes the block.
    unsafe {
        hypercall(
            0xF000,
            [(&raw mut block).expose_provenance() as u64, 0, 0, 0],
        );
    }
    let mut rest = rest;
    for (to, from) in rest.iter_mut().zip(&block[3..]) {
        // SAFETY: an element of the block, which the firmware changed without the compiler's
        // knowledge.
        *to = u32::from_be(unsafe { ptr::from_ref(from).read_volatile() });
    }
    rest
}

/// The frame that the assembly entry of handlers pushes, after the general registers.
#[repr(C)]
struct Frame {
    lr: u64,
    ctr: u64,
    xer: u64,
    cr: u64,
    pc: u64,
    state: u64,
    address: u64,
    cause: u64,
    vector: u64,
}

#[unsafe(no_mangle)]
extern "C" fn trap_taken(frame: &mut Frame) {
    if frame.vector == DECREMENTER {
        ticks::tick();
        rearm();
        return;
    }
    let fetch = frame.vector == 0x400 || frame.vector == 0x480;
    fault::handle(&Fault {
        name: match frame.vector {
            0x300 => "data storage",
            0x380 => "data segment",
            0x400 => "instruction storage",
            0x480 => "instruction segment",
            0x600 => "alignment",
            0x700 => "program",
            0x800 | 0xF20 | 0xF40 | 0xF60 => "unit not available",
            _ => "exception",
        },
        code: frame.vector << 32
            | if fetch {
                frame.state & 0x783F_0000
            } else {
                frame.cause
            },
        pc: frame.pc as usize,
        address: if fetch { frame.pc } else { frame.address } as usize,
    });
    frame.pc = fault::probe_faulted as *const () as u64;
}

static DEADLINE: AtomicU64 = AtomicU64::new(0);

/// Sets the next interrupt relative to the last deadline, so that none is lost.
fn rearm() {
    let deadline = DEADLINE.load(Ordering::Relaxed) + clock_rate() / ticks::RATE;
    DEADLINE.store(deadline, Ordering::Relaxed);
    let left = deadline.saturating_sub(now()).clamp(1, i32::MAX as u64);
    // SAFETY: sets the decrementer of this CPU.
    unsafe { asm!("mtspr 22, {}", in(reg) left, options(nomem, nostack)) };
}

unsafe extern "C" {
    fn handler();
    fn second_boot();
}

/// Installs the handlers: at each vector, four instructions record its number and branch to the
/// common handler.
pub fn install_handlers() {
    // Interrupts are taken in little-endian mode.
    // SAFETY: changes a mode of the machine.
    unsafe { hypercall(0x31C, [1, 4, 0, 0]) };
    for vector in VECTORS {
        let distance = (handler as *const () as usize).wrapping_sub(vector + 12);
        let code: [u32; 4] = [
            0x7C30_43A6,
            0x7C11_43A6,
            0x3800_0000 | vector as u32,
            0x4800_0000 | distance as u32 & 0x03FF_FFFC,
        ];
        let place = ptr::with_exposed_provenance_mut::<[u32; 4]>(vector);
        // SAFETY: low memory is for this alone.
        unsafe {
            place.write_volatile(code);
            asm!("dcbst 0, {0}", "sync", "icbi 0, {0}", "sync", "isync", in(reg) place, options(nostack));
        }
    }
}

/// Starts timer interrupts.
pub fn start_timer() {
    DEADLINE.store(now(), Ordering::Relaxed);
    rearm();
    // SAFETY: the handlers are installed.
    unsafe {
        asm!(
            "mfmsr {old}",
            "ori {old}, {old}, 0x8000",
            "mtmsrd {old}, 1",
            old = out(reg) _,
            options(nomem, nostack)
        );
    }
}

/// Starts the second CPU.
pub fn start_second() {
    services(0x2006, 3, 1, [1, second_boot as *const () as u32, 0, 0]);
}

#[unsafe(no_mangle)]
extern "C" fn second_prepare() {
    // SAFETY: the first CPU has registered the tables.
    unsafe { translate() };
}

/// Writes to the console.
pub fn write(bytes: &[u8]) {
    for part in bytes.chunks(16) {
        let mut text = [0; 16];
        text[..part.len()].copy_from_slice(part);
        let text = u128::from_be_bytes(text);
        let arguments = [0, part.len() as u64, (text >> 64) as u64, text as u64];
        // SAFETY: puts characters to the terminal; 1 means that it is busy.
        while unsafe { hypercall(0x58, arguments) } == 1 {}
    }
}

/// Ends the run; the emulator's status is 0 or 1.
pub fn exit(good: bool) -> ! {
    static MESSAGE: &[u8] = b"failed\0";
    loop {
        if good {
            services(0x2003, 2, 1, [u32::MAX, u32::MAX, 0]);
        } else {
            services(0x201F, 1, 1, [MESSAGE.as_ptr().addr() as u32, 0]);
        }
    }
}

/// Returns the time of the clock.
pub fn now() -> u64 {
    let count: u64;
    // SAFETY: reads a counter.
    unsafe { asm!("mfspr {}, 268", out(reg) count, options(nomem, nostack)) };
    count
}

/// Returns the clock's steps per second.
pub const fn clock_rate() -> u64 {
    512_000_000
}

/// Hints to the processor that a loop is waiting.
pub fn pause() {
    // SAFETY: a hint.
    unsafe { asm!("or 31, 31, 31", options(nomem, nostack)) };
}

/// Makes new code visible to all CPUs. Cache maintenance reaches all CPUs; the other one
/// synchronises before it starts work.
///
/// # Safety
///
/// There are no requirements on this ISA.
pub unsafe fn fetch_anew(_: *mut u8, _: usize) {}

/// Makes this CPU discard prefetched instructions.
pub fn synchronise() {
    // SAFETY: synchronises, nothing else.
    unsafe { asm!("isync", options(nostack)) };
}
