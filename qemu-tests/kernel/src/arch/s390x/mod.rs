//! `s390x` on QEMU's `s390-ccw-virtio`: address translation with instruction-execution protection,
//! the clock comparator, the service-call console. Handlers run with translation off, so page 0
//! needs no mapping.

use crate::fault::{self, Fault};
use crate::layout::{PAGE, Region, STACKS, Shared, Stacks};
use crate::paging::{self, Access, Format, Level};
use crate::ticks;
use core::arch::{asm, global_asm};
use core::ops::Range;
use core::ptr;
use core::sync::atomic::{AtomicU64, Ordering};

pub use target_s390x::{NATIVE, TARGET};

/// The name of the ISA.
pub const NAME: &str = "s390x";
/// True if the clock starts at reset.
pub const CLOCK_STARTS_AT_RESET: bool = false;
/// The code generator's backend, if the kernel is built with it.
pub const BACKEND: Option<&dyn mir_nostd::target::Isa> = match cfg!(feature = "jit") {
    true => Some(&target_s390x::ISA),
    false => None,
};
/// A small program in the image.
pub const EMBEDDED: &[u8] = include_bytes!("../../../../../corpus/bmir/s390x/f_charsign.bmir");
/// The output of that program.
pub const EMBEDDED_PRINTS: &[u8] = include_bytes!("../../../../../corpus/expected/f_charsign.txt");
/// The address at which the loader device puts programs.
pub const PROGRAMS: usize = 0x800_0000;
/// The size in bytes of the memory for programs.
pub const PROGRAM_BYTES: usize = 16 << 20;
/// Ranges that are mapped besides the kernel and the programs.
pub const EXTRA: &[(Range<usize>, Access)] = &[];

/// The prefix area of the second CPU.
#[repr(C, align(8192))]
struct Prefix(Region<8192>);

static PREFIX: Shared<Prefix> = Shared::new(Prefix(Region([0; 8192])));

global_asm!(
    include_str!("boot.s"),
    stacks = sym STACKS,
    main_top = const Stacks::MAIN_TOP,
    stacks_size = const size_of::<Stacks>(),
    prefix = sym PREFIX,
);

unsafe extern "C" {
    fn second_boot();
    fn program_interrupt();
    fn external_interrupt();
}

const REGIONS: u32 = 31;

/// The format of page tables: regions of 2 GiB, segments of 1 MiB, pages; 0x200 is read-only, 0x100
/// never executable.
pub static PAGES: Format = Format {
    levels: &[
        level(REGIONS, 11, 0x20),
        level(20, 11, 0x20),
        level(12, 8, 0x400),
    ],
    table: |level, table| table as u64 | if level.shift == REGIONS { 7 } else { 0 },
    target: |entry| entry as usize & !0x7FF,
    leaf: |page, access| {
        page as u64
            | match access {
                Access::Code => 0x200,
                Access::Constants => 0x300,
                Access::Data | Access::Device => 0x100,
            }
    },
    swapped: false,
};

const fn level(shift: u32, bits: u32, empty: u64) -> Level {
    Level { shift, bits, empty }
}

/// Sets bits in control register 0.
fn enable(bits: u64) {
    let mut register = 0_u64;
    let place = &raw mut register;
    // SAFETY: the callers set bits that the kernel is made for.
    unsafe {
        asm!("stctg %c0, %c0, 0({})", in(reg_addr) place, options(nostack));
        *place |= bits;
        asm!("lctlg %c0, %c0, 0({})", in(reg_addr) place, options(nostack));
    }
}

/// Installs these page tables on this CPU.
pub fn use_tables(root: usize) {
    // Without this bit the execution protection in page entries is ignored.
    enable(0x10_0000);
    let region_table = root as u64 | 7;
    let mut status = [0x0400_0001_8000_0000_u64, 0];
    // SAFETY: the tables map everything that is used at its own address.
    unsafe {
        asm!(
            "lctlg %c1, %c1, 0({table})",
            "larl {next}, 2f",
            "stg {next}, 8({status})",
            "lpswe 0({status})",
            "2:",
            table = in(reg_addr) &region_table,
            status = in(reg_addr) &mut status,
            next = out(reg) _,
            options(nostack)
        );
    }
}

/// The frame that the assembly entry of handlers pushes.
#[repr(C)]
struct Frame {
    registers: [u64; 16],
    mask: u64,
    pc: u64,
}

fn low<T>(address: usize) -> T {
    // SAFETY: the processor stored the value in low memory; handlers run with translation off.
    unsafe { ptr::with_exposed_provenance::<T>(address).read_volatile() }
}

#[unsafe(no_mangle)]
extern "C" fn trap(frame: &mut Frame, external: usize) {
    if external != 0 {
        if low::<u16>(0x86) == 0x1004 {
            ticks::tick();
            rearm();
        }
        return;
    }
    let code = low::<u16>(0x8E);
    fault::handle(&Fault {
        name: match code {
            1 => "operation",
            4 => "protection",
            5 => "addressing",
            6 => "specification",
            7 => "data",
            9 => "fixed-point divide",
            0x10 | 0x11 | 0x39..=0x3B => "translation",
            _ => "program interruption",
        },
        code: u64::from(code),
        pc: frame.pc as usize,
        address: low::<usize>(0xA8) / PAGE * PAGE,
    });
    frame.pc = fault::probe_faulted as *const () as u64;
}

/// Installs the handlers of both CPUs in their low memory, and the restart address of the second.
pub fn install_handlers() {
    let second = PREFIX.get().expose_provenance();
    for (prefix, stacks) in [0, second].into_iter().zip(&STACKS) {
        let stacks = stacks.get().expose_provenance();
        put_status(prefix + 0x1D0, program_interrupt as *const () as usize);
        put_status(prefix + 0x1B0, external_interrupt as *const () as usize);
        put(prefix + 768, stacks + Stacks::FAULTS_TOP);
        put(prefix + 776, stacks + Stacks::INTERRUPTS_TOP);
    }
    put_status(0x1A0, second_boot as *const () as usize);
}

fn put_status(place: usize, address: usize) {
    put(place, 0x0000_0001_8000_0000);
    put(place + 8, address);
}

fn put(place: usize, value: usize) {
    // SAFETY: low memory, or what stands for it on the second CPU; translation is still off.
    unsafe { ptr::with_exposed_provenance_mut::<usize>(place).write_volatile(value) };
}

static DEADLINE: AtomicU64 = AtomicU64::new(0);

/// Sets the next interrupt relative to the last deadline, so that none is lost.
fn rearm() {
    let deadline = DEADLINE.load(Ordering::Relaxed) + clock_rate() / ticks::RATE;
    DEADLINE.store(deadline, Ordering::Relaxed);
    // SAFETY: sets the clock comparator of this CPU.
    unsafe { asm!("sckc 0({})", in(reg_addr) &deadline, options(nostack)) };
}

/// Starts timer interrupts.
pub fn start_timer() {
    DEADLINE.store(now(), Ordering::Relaxed);
    rearm();
    enable(0x800);
    let mut old = 0_u8;
    // SAFETY: the handlers are installed.
    unsafe { asm!("stosm 0({}), 1", in(reg_addr) &mut old, options(nostack)) };
}

const SENSE: usize = 1;
const STOP: usize = 5;
const RESTART: usize = 6;

/// Signals another CPU; returns the condition code and the status.
fn signal(cpu: u64, order: usize) -> (u32, u64) {
    let mut status = 0_u64;
    let mut condition: u32;
    // SAFETY: the orders used start a CPU at its boot code, stop it, or look at it.
    unsafe {
        asm!(
            "sigp {status}, {cpu}, 0({order})",
            "ipm {condition}",
            status = inout(reg) status,
            cpu = in(reg) cpu,
            order = in(reg_addr) order,
            condition = out(reg) condition,
            options(nostack)
        );
    }
    condition = condition >> 28 & 3;
    (condition, status)
}

/// Stops another CPU, if there is one, and waits until it has stopped.
fn stop(cpu: u64) {
    const STATUS: u32 = 1;
    const ABSENT: u32 = 3;
    const STOPPED: u64 = 0x40;
    signal(cpu, STOP);
    loop {
        match signal(cpu, SENSE) {
            (ABSENT, _) => return,
            (STATUS, status) if status & STOPPED != 0 => return,
            _ => pause(),
        }
    }
}

/// Starts the second CPU.
pub fn start_second() {
    signal(1, RESTART);
}

#[unsafe(no_mangle)]
extern "C" fn second_prepare() {
    use_tables(paging::root());
}

/// A control block of the service-call console.
#[repr(C, align(4096))]
struct Block {
    length: u16,
    function: u8,
    control: [u8; 3],
    response: u16,
    event_length: u16,
    event_type: u8,
    event_rest: [u8; 3],
    text: [u8; 256],
}

static BLOCK: Shared<Block> = Shared::new(Block {
    length: 0,
    function: 0,
    control: [0; 3],
    response: 0,
    event_length: 0,
    event_type: 0x1A,
    event_rest: [0; 3],
    text: [0; 256],
});

/// Writes up to 256 bytes to the console.
pub fn write(bytes: &[u8]) {
    let block = BLOCK.get();
    let mut busy = 1_u32;
    // SAFETY: the console's lock makes this CPU the only user of the block.
    unsafe {
        (*block).length = 14 + bytes.len() as u16;
        (*block).response = 0;
        (*block).event_length = 6 + bytes.len() as u16;
        (&raw mut (*block).text)
            .cast::<u8>()
            .copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        while busy != 0 {
            asm!(
                ".insn rre, 0xB2200000, {}, {}",
                "ipm {}",
                in(reg) 0x0076_0005_u64,
                in(reg) block.expose_provenance(),
                out(reg) busy,
                options(nostack)
            );
            busy = busy >> 28 & 3;
        }
    }
}

/// Ends the run; the emulator's status is 0 or 1.
pub fn exit(good: bool) -> ! {
    let mut own = 0_u16;
    // SAFETY: stores the number of this CPU.
    unsafe { asm!("stap 0({})", in(reg_addr) &mut own, options(nostack)) };
    // The emulator's status is that of the CPU that stops last.
    stop(u64::from(own ^ 1));
    let status = [0x0002_0001_8000_0000_u64, if good { 0xFFF } else { 0xBAD }];
    // SAFETY: waits with interrupts off, which ends the emulator.
    unsafe { asm!("lpswe 0({})", in(reg_addr) &status, options(nostack, noreturn)) }
}

/// Returns the time of the clock.
pub fn now() -> u64 {
    let mut count = 0_u64;
    // SAFETY: stores a counter.
    unsafe { asm!("stckf 0({})", in(reg_addr) &mut count, options(nostack)) };
    count
}

/// Returns the clock's steps per second.
pub const fn clock_rate() -> u64 {
    4_096_000_000
}

/// Hints to the processor that a loop is waiting.
pub fn pause() {
    // SAFETY: a serialisation.
    unsafe { asm!("bcr 15, 0", options(nostack)) };
}

/// Makes code written here visible to all CPUs. The architecture keeps fetches and stores coherent.
/// QEMU 7.2 does so for single stores, but notices only the first byte of an MVC, so every byte is
/// stored once more.
///
/// # Safety
///
/// The bytes may be written, and nobody else writes them.
pub unsafe fn fetch_anew(written: *mut u8, length: usize) {
    for offset in 0..length {
        // SAFETY: within the bytes, by the caller's promise.
        unsafe {
            let place = written.add(offset);
            place.write_volatile(place.read_volatile());
        }
    }
}

/// Makes this CPU discard prefetched instructions.
pub fn synchronise() {
    // SAFETY: synchronises, nothing else.
    unsafe { asm!("bcr 15, 0", options(nostack)) };
}
