//! A bare-metal kernel: it boots on its ISA without an operating system, lends `mir-nostd` a piece
//! of memory, and runs Medium IR programs.
//!
//! There is no global allocator and no `alloc` crate. All memory is static: three stacks per CPU,
//! each above a guard page, the page tables, and one region that is the heap. All differences
//! between ISAs are in [`arch`].
//!
//! A run succeeds only by saying so: its last line on the console counts tests, and the machine
//! exits with the status for success. Faults and panics are reported with their place, and exit
//! with the other status.
#![no_std]
#![no_main]

mod arch;
mod archive;
mod confined;
mod console;
mod fault;
mod layout;
mod memory;
mod output;
mod pages;
mod paging;
mod report;
mod run;
mod second;
mod tests;
mod ticks;

use report::Report;

/// Enters Rust on the first CPU, on its stack, with interrupts off and the boot code's memory
/// mapping.
#[unsafe(no_mangle)]
extern "C" fn kernel_main() -> ! {
    let entered = arch::now();
    arch::install_handlers();
    paging::install();
    arch::start_timer();
    say!("mir-nostd kernel on {}", arch::NAME);
    let mut report = Report::new();
    tests::first(&mut report, entered);
    // A program without an expected output is shown alone, without tests.
    let asked = archive::programs().any(|program| program.expected.is_none());
    if cfg!(feature = "tests") && !asked {
        tests::machine(&mut report);
        tests::memory(&mut report);
        tests::second(&mut report);
        tests::code(&mut report);
        tests::ebpf(&mut report);
        if cfg!(feature = "text") {
            tests::parallel(&mut report);
            tests::hostile(&mut report);
        }
    }
    tests::programs(&mut report);
    say!(
        "image: {} bytes of code, {} of constants, {} of variables",
        layout::text().len(),
        layout::constants().len(),
        layout::initialised().len()
    );
    let good = report.finish();
    arch::exit(good)
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    console::seize();
    say!("PANIC {info}");
    arch::exit(false)
}
