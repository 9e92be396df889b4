//! `riscv64` on QEMU's `virt` without firmware: S-mode with Sv39, the timer compare register of
//! S-mode, a 16550.

use crate::fault::{self, Fault};
use crate::layout::{STACKS, Stacks};
use crate::paging::{self, Access, Format, Level};
use crate::ticks;
use core::arch::{asm, global_asm};
use core::ops::Range;
use core::ptr;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

pub use target_riscv64::{NATIVE, TARGET};

/// The name of the ISA.
pub const NAME: &str = "riscv64";
/// True if the clock starts at reset.
pub const CLOCK_STARTS_AT_RESET: bool = true;
/// The code generator's backend, if the kernel is built with it.
pub const BACKEND: Option<&dyn mir_nostd::target::Isa> = match cfg!(feature = "jit") {
    true => Some(&target_riscv64::ISA),
    false => None,
};
/// A small program in the image.
pub const EMBEDDED: &[u8] = include_bytes!("../../../../../corpus/bmir/riscv64/f_charsign.bmir");
/// The output of that program.
pub const EMBEDDED_PRINTS: &[u8] = include_bytes!("../../../../../corpus/expected/f_charsign.txt");
/// The address at which the loader device puts programs.
pub const PROGRAMS: usize = 0x8800_0000;
/// The size in bytes of the memory for programs.
pub const PROGRAM_BYTES: usize = 16 << 20;
/// Ranges that are mapped besides the kernel and the programs.
pub const EXTRA: &[(Range<usize>, Access)] = &[
    (UART..UART + 1, Access::Device),
    (EXIT..EXIT + 1, Access::Device),
    (SOFTWARE_INTERRUPTS..SOFTWARE_INTERRUPTS + 1, Access::Device),
];

const UART: usize = 0x1000_0000;
const EXIT: usize = 0x10_0000;
const SOFTWARE_INTERRUPTS: usize = 0x200_0000;
const TIMER: u64 = 1 << 63 | 5;

global_asm!(
    include_str!("boot.s"),
    stacks = sym STACKS,
    main_top = const Stacks::MAIN_TOP,
    faults_top = const Stacks::FAULTS_TOP,
    stacks_size = const size_of::<Stacks>(),
);

/// The format of page tables: Sv39. Accessed and dirty are set in advance, as hardware may leave
/// that to software.
pub static PAGES: Format = Format {
    levels: &[level(30), level(21), level(12)],
    table: |_, table| (table >> 2) as u64 | 1,
    target: |entry| (entry as usize >> 10) << 12,
    leaf: |page, access| {
        (page >> 2) as u64
            | match access {
                Access::Code => 0x4B,
                Access::Constants => 0x43,
                Access::Data | Access::Device => 0xC7,
            }
    },
    swapped: false,
};

const fn level(shift: u32) -> Level {
    Level {
        shift,
        bits: 9,
        empty: 0,
    }
}

/// Installs these page tables on this hart.
pub fn use_tables(root: usize) {
    let mode = 8_usize << 60 | root >> 12;
    // SAFETY: the tables map everything that is used at its own address.
    unsafe { asm!("csrw satp, {}", "sfence.vma", in(reg) mode, options(nostack)) };
}

/// The frame that the assembly entry of handlers pushes.
#[repr(C)]
struct Frame {
    pc: u64,
}

#[unsafe(no_mangle)]
extern "C" fn trap(frame: &mut Frame) {
    let (cause, address): (u64, u64);
    // SAFETY: reads registers.
    unsafe {
        asm!("csrr {}, scause", "csrr {}, stval", out(reg) cause, out(reg) address, options(nomem, nostack));
    }
    if cause == TIMER {
        ticks::tick();
        rearm();
        return;
    }
    fault::handle(&Fault {
        name: match cause {
            0 | 4 | 6 => "alignment",
            2 => "illegal instruction",
            3 => "breakpoint",
            1 | 5 | 7 => "access fault",
            12 => "fetch page fault",
            13 => "load page fault",
            15 => "store page fault",
            _ => "exception",
        },
        code: cause,
        pc: frame.pc as usize,
        address: address as usize,
    });
    frame.pc = fault::probe_faulted as *const () as u64;
}

/// The deadline of the next interrupt, relative to the last one, so that none is lost.
static DEADLINE: AtomicU64 = AtomicU64::new(0);

fn rearm() {
    let deadline = DEADLINE.load(Ordering::Relaxed) + clock_rate() / ticks::RATE;
    DEADLINE.store(deadline, Ordering::Relaxed);
    // SAFETY: sets the timer of this hart: stimecmp.
    unsafe { asm!("csrw 0x14D, {}", in(reg) deadline, options(nomem, nostack)) };
}

/// Does nothing: the boot code has installed the handlers.
pub fn install_handlers() {}

/// Starts timer interrupts.
pub fn start_timer() {
    DEADLINE.store(now(), Ordering::Relaxed);
    rearm();
    // SAFETY: the handlers are installed.
    unsafe { asm!("csrs sie, {}", "csrsi sstatus, 2", in(reg) 0x20, options(nomem, nostack)) };
}

unsafe extern "C" {
    static second_go: AtomicU32;
}

/// Releases the second hart, which waits in its boot code.
pub fn start_second() {
    // SAFETY: the boot code only reads the word.
    unsafe { second_go.store(1, Ordering::Release) };
}

#[unsafe(no_mangle)]
extern "C" fn second_prepare() {
    use_tables(paging::root());
}

/// Writes to the console.
pub fn write(bytes: &[u8]) {
    let uart = ptr::with_exposed_provenance_mut::<u8>(UART);
    for &byte in bytes {
        // SAFETY: registers of the port.
        unsafe {
            while uart.add(5).read_volatile() & 0x20 == 0 {}
            uart.write_volatile(byte);
        }
    }
}

/// Ends the run; the emulator's status is 0 or 1.
pub fn exit(good: bool) -> ! {
    let code = if good { 0x5555 } else { 0x1_3333 };
    loop {
        // SAFETY: the register that ends the emulator.
        unsafe { ptr::with_exposed_provenance_mut::<u32>(EXIT).write_volatile(code) };
    }
}

/// Returns the time of the clock, which started with the machine.
pub fn now() -> u64 {
    let count: u64;
    // SAFETY: reads a counter.
    unsafe { asm!("rdtime {}", out(reg) count, options(nomem, nostack)) };
    count
}

/// Returns the clock's steps per second.
pub const fn clock_rate() -> u64 {
    10_000_000
}

/// Hints to the processor that a loop is waiting.
pub fn pause() {
    core::hint::spin_loop();
}

/// Makes new code visible to all harts: each takes an interrupt whose handler discards its
/// prefetched instructions.
///
/// # Safety
///
/// There are no requirements on this ISA.
pub unsafe fn fetch_anew(_: *mut u8, _: usize) {
    // SAFETY: the boot code writes the word only while it is 0.
    let harts = if unsafe { second_go.load(Ordering::Acquire) } == 0 {
        1
    } else {
        2
    };
    let pending = ptr::with_exposed_provenance_mut::<u32>(SOFTWARE_INTERRUPTS);
    for hart in 0..harts {
        // SAFETY: the word that interrupts a hart; the handler in M-mode clears it when it has
        // executed its fence.
        unsafe {
            pending.add(hart).write_volatile(1);
            while pending.add(hart).read_volatile() != 0 {}
        }
    }
}

/// Makes this hart discard prefetched instructions.
pub fn synchronise() {
    // SAFETY: a fence.
    unsafe { asm!("fence.i", options(nostack)) };
}
