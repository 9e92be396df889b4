//! `aarch64` on QEMU's `virt`: EL1, 39-bit addresses, the virtual timer through GICv2, PL011,
//! semihosting for the exit.

use crate::fault::{self, Fault};
use crate::layout::{STACKS, Stacks};
use crate::paging::{self, Access, Format, Level};
use crate::ticks;
use core::arch::{asm, global_asm};
use core::ops::Range;
use core::ptr;

pub use target_aarch64::{NATIVE, TARGET};

/// The name of the ISA.
pub const NAME: &str = "aarch64";
/// True if the clock starts at reset.
pub const CLOCK_STARTS_AT_RESET: bool = true;
/// The code generator's backend, if the kernel is built with it.
pub const BACKEND: Option<&dyn mir_nostd::target::Isa> = match cfg!(feature = "jit") {
    true => Some(&target_aarch64::ISA),
    false => None,
};
/// A small program in the image.
pub const EMBEDDED: &[u8] = include_bytes!("../../../../../corpus/bmir/aarch64/f_charsign.bmir");
/// The output of that program.
pub const EMBEDDED_PRINTS: &[u8] = include_bytes!("../../../../../corpus/expected/f_charsign.txt");
/// The address at which the loader device puts programs.
pub const PROGRAMS: usize = 0x4800_0000;
/// The size in bytes of the memory for programs.
pub const PROGRAM_BYTES: usize = 16 << 20;
/// Ranges that are mapped besides the kernel and the programs.
pub const EXTRA: &[(Range<usize>, Access)] = &[
    (DISTRIBUTOR..DISTRIBUTOR + 0x1000, Access::Device),
    (CPU_INTERFACE..CPU_INTERFACE + 0x1000, Access::Device),
    (UART..UART + 1, Access::Device),
];

const DISTRIBUTOR: usize = 0x0800_0000;
const CPU_INTERFACE: usize = 0x0801_0000;
const UART: usize = 0x0900_0000;
const TIMER_INTERRUPT: usize = 27;
const IRQ_VECTOR: usize = 1;

global_asm!(
    include_str!("boot.s"),
    stacks = sym STACKS,
    main_top = const Stacks::MAIN_TOP,
    faults_top = const Stacks::FAULTS_TOP,
    stacks_size = const size_of::<Stacks>(),
);

/// The format of page tables: three levels; attribute 0 is ordinary memory, 1 devices; bit 7 is
/// read-only, 53 and 54 never executable.
pub static PAGES: Format = Format {
    levels: &[level(30), level(21), level(12)],
    table: |_, table| table as u64 | 3,
    target: |entry| entry as usize & 0x0000_FFFF_FFFF_F000,
    leaf: |page, access| {
        page as u64
            | match access {
                Access::Code => 0x783 | 1 << 54,
                Access::Constants => 0x783 | 3 << 53,
                Access::Data => 0x703 | 3 << 53,
                Access::Device => 0x407 | 3 << 53,
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

/// Installs these page tables on this CPU.
pub fn use_tables(root: usize) {
    // SAFETY: the tables map everything that is used at its own address.
    unsafe {
        asm!(
            "msr mair_el1, {mair}",
            "msr tcr_el1, {tcr}",
            "msr ttbr0_el1, {root}",
            "isb",
            "tlbi vmalle1",
            "dsb sy",
            "isb",
            "mrs {old}, sctlr_el1",
            "orr {old}, {old}, {on}",
            "msr sctlr_el1, {old}",
            "isb",
            mair = in(reg) 0xFF_u64,
            tcr = in(reg) 0x2_0080_3519_u64,
            root = in(reg) root,
            old = out(reg) _,
            // The MMU and caches are on, and no writable page is executable.
            on = in(reg) 0x8_1005_u64,
            options(nostack)
        );
    }
}

/// The frame that the assembly entry of handlers pushes.
#[repr(C)]
struct Frame {
    registers: [u64; 31],
    pc: u64,
    state: u64,
}

#[unsafe(no_mangle)]
extern "C" fn trap(vector: usize, frame: &mut Frame) {
    if vector == IRQ_VECTOR {
        interrupt();
        return;
    }
    let (syndrome, address): (u64, u64);
    // SAFETY: reads registers.
    unsafe {
        asm!("mrs {}, esr_el1", "mrs {}, far_el1", out(reg) syndrome, out(reg) address, options(nomem, nostack));
    }
    fault::handle(&Fault {
        name: match (vector, syndrome >> 26) {
            (0, 0x21) => "instruction abort",
            (0, 0x25) => "data abort",
            (0, 0) => "undefined instruction",
            (0, 0x22 | 0x26) => "alignment",
            (0, _) => "exception",
            (4, _) => "exception in a handler",
            _ => "unexpected exception",
        },
        code: syndrome,
        pc: frame.pc as usize,
        address: address as usize,
    });
    frame.pc = fault::probe_faulted as *const () as u64;
}

fn device(address: usize) -> *mut u32 {
    ptr::with_exposed_provenance_mut(address)
}

fn set(address: usize, value: u32) {
    // SAFETY: a register of this machine's devices.
    unsafe { device(address).write_volatile(value) };
}

fn get(address: usize) -> u32 {
    // SAFETY: as above.
    unsafe { device(address).read_volatile() }
}

fn interrupt() {
    let acknowledged = get(CPU_INTERFACE + 0xC);
    if acknowledged as usize & 0x3FF == TIMER_INTERRUPT {
        ticks::tick();
        // SAFETY: sets the timer of this CPU to the next deadline.
        unsafe {
            asm!(
                "mrs {deadline}, cntv_cval_el0",
                "add {deadline}, {deadline}, {step}",
                "msr cntv_cval_el0, {deadline}",
                deadline = out(reg) _,
                step = in(reg) clock_rate() / ticks::RATE,
                options(nomem, nostack)
            );
        }
    }
    set(CPU_INTERFACE + 0x10, acknowledged);
}

/// Does nothing: the boot code has installed the handlers.
pub fn install_handlers() {}

/// Starts timer interrupts.
pub fn start_timer() {
    let priority = ptr::with_exposed_provenance_mut::<u8>(DISTRIBUTOR + 0x400 + TIMER_INTERRUPT);
    // SAFETY: a register of the distributor.
    unsafe { priority.write_volatile(0x80) };
    set(DISTRIBUTOR + 0x100, 1 << TIMER_INTERRUPT);
    set(DISTRIBUTOR, 1);
    set(CPU_INTERFACE + 4, 0xFF);
    set(CPU_INTERFACE, 1);
    // SAFETY: the handlers are installed.
    unsafe {
        asm!(
            "msr cntv_cval_el0, {deadline}",
            "msr cntv_ctl_el0, {on}",
            "msr daifclr, #2",
            deadline = in(reg) now() + clock_rate() / ticks::RATE,
            on = in(reg) 1_u64,
            options(nomem, nostack)
        );
    }
}

unsafe extern "C" {
    fn second_boot();
}

/// Starts the second CPU by PSCI.
pub fn start_second() {
    // SAFETY: the firmware starts the CPU at its boot code, which uses stacks of its own.
    unsafe {
        asm!(
            "hvc #0",
            inout("x0") 0xC400_0003_u64 => _,
            inout("x1") 1_u64 => _,
            inout("x2") second_boot as *const () as u64 => _,
            inout("x3") paging::root() as u64 => _,
            options(nostack)
        );
    }
}

#[unsafe(no_mangle)]
extern "C" fn second_prepare(root: usize) {
    use_tables(root);
}

/// Writes to the console.
pub fn write(bytes: &[u8]) {
    for &byte in bytes {
        set(UART, u32::from(byte));
    }
}

/// Ends the run; the emulator's status is 0 or 1.
pub fn exit(good: bool) -> ! {
    let block: [u64; 2] = [0x2_0026, u64::from(!good)];
    loop {
        // SAFETY: semihosting reads the block and ends the emulator.
        unsafe { asm!("hlt #0xF000", in("x0") 0x18, in("x1") &block, options(nostack)) };
    }
}

/// Returns the time of the clock, which started with the machine.
pub fn now() -> u64 {
    let count: u64;
    // SAFETY: reads a counter.
    unsafe { asm!("isb", "mrs {}, cntvct_el0", out(reg) count, options(nomem, nostack)) };
    count
}

/// Returns the clock's steps per second.
pub fn clock_rate() -> u64 {
    let rate: u64;
    // SAFETY: reads a register.
    unsafe { asm!("mrs {}, cntfrq_el0", out(reg) rate, options(nomem, nostack)) };
    rate
}

/// Hints to the processor that a loop is waiting.
pub fn pause() {
    core::hint::spin_loop();
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
    unsafe { asm!("isb", options(nostack)) };
}
