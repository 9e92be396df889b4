//! `x86_64` on QEMU's `microvm`: long mode, the local APIC's timer, COM1.

use crate::fault::{self, Fault};
use crate::layout::{STACKS, Shared, Stacks};
use crate::paging::{Access, Format, Level};
use crate::ticks;
use core::arch::{asm, global_asm};
use core::ops::Range;
use core::ptr;
use core::sync::atomic::{AtomicU64, Ordering};

pub use target_x86_64::{NATIVE, TARGET};

/// The name of the ISA.
pub const NAME: &str = "x86_64";
/// True if the clock starts at reset.
pub const CLOCK_STARTS_AT_RESET: bool = true;
/// The code generator's backend, if the kernel is built with it.
pub const BACKEND: Option<&dyn mir_nostd::target::Isa> = match cfg!(feature = "jit") {
    true => Some(&target_x86_64::ISA),
    false => None,
};
/// A small program in the image.
pub const EMBEDDED: &[u8] = include_bytes!("../../../../../corpus/bmir/x86_64/f_charsign.bmir");
/// The output of that program.
pub const EMBEDDED_PRINTS: &[u8] = include_bytes!("../../../../../corpus/expected/f_charsign.txt");
/// The address at which the loader device puts programs.
pub const PROGRAMS: usize = 0x800_0000;
/// The size in bytes of the memory for programs.
pub const PROGRAM_BYTES: usize = 16 << 20;
/// Ranges that are mapped besides the kernel and the programs.
pub const EXTRA: &[(Range<usize>, Access)] = &[
    (SECOND_PAGE..SECOND_PAGE + 1, Access::Code),
    (APIC..APIC + 1, Access::Device),
];

const SECOND_PAGE: usize = 0x8000;
const APIC: usize = 0xFEE0_0000;
const COM1: u16 = 0x3F8;
const EXIT: u16 = 0xF4;
const TIMER_VECTOR: u32 = 32;
const PAGE_FAULT: u64 = 14;

global_asm!(
    include_str!("boot.s"),
    stacks = sym STACKS,
    main_top = const Stacks::MAIN_TOP,
    stacks_size = const size_of::<Stacks>(),
    page = const SECOND_PAGE,
    options(att_syntax)
);

unsafe extern "C" {
    static vectors: [[u8; 16]; 48];
    static second_boot: u8;
    static second_boot_end: u8;
    static second_boot_tables: u8;
}

/// The format of page tables: four levels, with no-execute.
pub static PAGES: Format = Format {
    levels: &[level(39), level(30), level(21), level(12)],
    table: |_, table| table as u64 | 3,
    target: |entry| entry as usize & 0x000F_FFFF_FFFF_F000,
    leaf: |page, access| {
        let no_execute = 1 << 63;
        page as u64
            | match access {
                Access::Code => 1,
                Access::Constants => 1 | no_execute,
                Access::Data => 3 | no_execute,
                Access::Device => 0x1B | no_execute,
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

/// Installs these page tables on this CPU, and copies the start code of the second CPU while its
/// page is writable.
pub fn use_tables(root: usize) {
    let code = &raw const second_boot;
    let bytes = (&raw const second_boot_end).addr() - code.addr();
    let tables = (&raw const second_boot_tables).addr() - code.addr();
    let page = ptr::with_exposed_provenance_mut::<u8>(SECOND_PAGE);
    // SAFETY: nobody else uses that page of low memory, which the boot tables map; the new tables
    // map everything that is used from here on at its own address.
    unsafe {
        page.copy_from_nonoverlapping(code, bytes);
        page.add(tables).cast::<u32>().write_unaligned(root as u32);
        asm!("mov cr3, {}", in(reg) root, options(nostack, preserves_flags));
    }
}

/// The frame that the assembly entry of handlers pushes, from the vector on.
#[repr(C)]
struct Frame {
    vector: u64,
    error: u64,
    rip: u64,
    cs: u64,
    flags: u64,
    rsp: u64,
    ss: u64,
}

#[unsafe(no_mangle)]
extern "C" fn trap(frame: &mut Frame) {
    if frame.vector == u64::from(TIMER_VECTOR) {
        ticks::tick();
        apic(0xB0).set(0);
        return;
    }
    let address: u64;
    // SAFETY: reads a register.
    unsafe { asm!("mov {}, cr2", out(reg) address, options(nomem, nostack, preserves_flags)) };
    fault::handle(&Fault {
        name: match frame.vector {
            0 => "division by zero",
            6 => "undefined instruction",
            8 => "double fault",
            13 => "general protection",
            PAGE_FAULT => "page fault",
            _ => "exception",
        },
        code: frame.vector << 32 | frame.error,
        pc: frame.rip as usize,
        address: address as usize,
    });
    frame.rip = fault::probe_faulted as *const () as u64;
}

/// Segment descriptors and task state of one CPU.
#[repr(C, align(16))]
struct Segments {
    gdt: [u64; 5],
    task: [u32; 26],
}

static SEGMENTS: [Shared<Segments>; 2] = [const {
    Shared::new(Segments {
        gdt: [0, 0x00AF_9B00_0000_FFFF, 0x00CF_9300_0000_FFFF, 0, 0],
        task: [0; 26],
    })
}; 2];

static IDT: Shared<[[u64; 2]; 48]> = Shared::new([[0; 2]; 48]);

/// Installs the handlers on the first CPU.
pub fn install_handlers() {
    let idt = IDT.get().cast::<[u64; 2]>();
    for vector in 0..48 {
        // SAFETY: the table of entries has 48 of 16 bytes.
        let entry = unsafe { (&raw const vectors).cast::<[u8; 16]>().add(vector) }.addr() as u64;
        // Stack 1 is for faults, 2 for interrupts.
        let stack = if vector < 32 { 1 } else { 2 };
        let low =
            entry & 0xFFFF | 8 << 16 | stack << 32 | 0x8E << 40 | (entry >> 16 & 0xFFFF) << 48;
        // SAFETY: the table has 48 entries, and nobody uses it yet.
        unsafe { idt.add(vector).write([low, entry >> 32]) };
    }
    load_segments(0);
}

/// Loads descriptors, task state and handlers for a CPU.
fn load_segments(cpu: usize) {
    let segments = SEGMENTS[cpu].get();
    let stacks = STACKS[cpu].get().addr();
    // SAFETY: each CPU loads its own, before it can fault.
    unsafe {
        let task = &mut (*segments).task;
        let mut stack = |at: usize, top: usize| {
            task[at] = top as u32;
            task[at + 1] = (top >> 32) as u32;
        };
        stack(9, stacks + Stacks::FAULTS_TOP);
        stack(11, stacks + Stacks::INTERRUPTS_TOP);
        task[25] = 104 << 16;
        let base = (&raw const (*segments).task).addr() as u64;
        (*segments).gdt[3] =
            103 | (base & 0xFF_FFFF) << 16 | 0x89 << 40 | (base >> 24 & 0xFF) << 56;
        (*segments).gdt[4] = base >> 32;
        let gdt = pointer(segments.addr(), 40);
        let idt = pointer(IDT.get().addr(), 48 * 16);
        asm!("lgdt [{}]", "lidt [{}]", "ltr {:x}", in(reg) &gdt, in(reg) &idt, in(reg) 24, options(nostack));
    }
}

fn pointer(base: usize, bytes: usize) -> [u16; 5] {
    let base = base as u64;
    let part = |shift: u32| (base >> shift) as u16;
    [bytes as u16 - 1, part(0), part(16), part(32), part(48)]
}

#[derive(Clone, Copy)]
struct Register(*mut u32);

impl Register {
    fn set(self, value: u32) {
        // SAFETY: a register of the local APIC, mapped uncached.
        unsafe { self.0.write_volatile(value) };
    }

    fn get(self) -> u32 {
        // SAFETY: as above.
        unsafe { self.0.read_volatile() }
    }
}

fn apic(offset: usize) -> Register {
    Register(ptr::with_exposed_provenance_mut(APIC + offset))
}

static CLOCK_RATE: AtomicU64 = AtomicU64::new(1);
const APIC_RATE: u32 = 1_000_000_000;

/// Measures the rate of the time stamp counter against the APIC's timer, whose rate is known.
fn calibrate() {
    const PART: u32 = 200;
    apic(0x3E0).set(0xB);
    apic(0x380).set(u32::MAX);
    let start = now();
    while u32::MAX - apic(0x390).get() < APIC_RATE / PART {}
    CLOCK_RATE.store((now() - start) * u64::from(PART), Ordering::Relaxed);
}

/// Starts timer interrupts.
pub fn start_timer() {
    // The old interrupt controllers are not used.
    out(0x21, 0xFF);
    out(0xA1, 0xFF);
    calibrate();
    apic(0xF0).set(0x1FF);
    apic(0x320).set(0x2_0000 | TIMER_VECTOR);
    apic(0x380).set(APIC_RATE / ticks::RATE as u32);
    // SAFETY: the handlers are installed.
    unsafe { asm!("sti", options(nomem, nostack)) };
}

/// Starts the second CPU.
pub fn start_second() {
    apic(0x300).set(0xC_4500);
    let start = now();
    while ticks::microseconds(start, now()) < 10_000 {
        pause();
    }
    apic(0x300).set(0xC_4600 | (SECOND_PAGE >> 12) as u32);
}

#[unsafe(no_mangle)]
extern "C" fn second_prepare() {
    load_segments(1);
}

fn out(port: u16, value: u8) {
    // SAFETY: ports of this machine's devices, which do not touch memory.
    unsafe { asm!("out dx, al", in("dx") port, in("al") value, options(nomem, nostack)) };
}

/// Writes to the console.
pub fn write(bytes: &[u8]) {
    for &byte in bytes {
        let mut ready = 0_u8;
        while ready & 0x20 == 0 {
            // SAFETY: as in `out`.
            unsafe {
                asm!("in al, dx", in("dx") COM1 + 5, out("al") ready, options(nomem, nostack))
            };
        }
        out(COM1, byte);
    }
}

/// Ends the run; the emulator's status is 33 or 35.
pub fn exit(good: bool) -> ! {
    let code: u32 = if good { 16 } else { 17 };
    loop {
        // SAFETY: the debug exit device ends the emulator.
        unsafe { asm!("out dx, eax", in("dx") EXIT, in("eax") code, options(nomem, nostack)) };
    }
}

/// Returns the time of the clock.
pub fn now() -> u64 {
    // SAFETY: reads a counter.
    unsafe { core::arch::x86_64::_rdtsc() }
}

/// Returns the clock's steps per second.
pub fn clock_rate() -> u64 {
    CLOCK_RATE.load(Ordering::Relaxed)
}

/// Hints to the processor that a loop is waiting.
pub fn pause() {
    core::hint::spin_loop();
}

/// Makes new code visible to all CPUs. The hardware keeps fetches and stores coherent.
///
/// # Safety
///
/// There are no requirements on this ISA.
pub unsafe fn fetch_anew(_: *mut u8, _: usize) {}

/// Does nothing: the hardware keeps fetches and stores coherent.
pub fn synchronise() {}
