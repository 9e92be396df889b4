//! Tests of the kernel itself: page permissions, guard pages, timer interrupts.

use crate::layout::{self, PAGE, STACKS, Stacks};
use crate::report::Report;
use crate::{fault, ticks};
use core::hint::black_box;

/// Runs all tests of this module.
pub fn machine(report: &mut Report) {
    refused(report, "store to code", store, layout::text().start);
    refused(
        report,
        "store to constants",
        store,
        layout::constants().start,
    );
    refused(report, "run of data", run, layout::HEAP.get().addr());
    refused(report, "run of constants", run, layout::constants().start);
    refused(report, "load from page 0", load, 16);
    overflow(report);
    registers(report);
}

/// Tests that `body(address)` faults in the page of that address.
pub fn refused(report: &mut Report, what: &str, body: extern "C" fn(usize), address: usize) {
    let seen = fault::expect(body, address);
    let good = seen.is_some_and(|seen| seen / PAGE == address / PAGE);
    report.test(
        format_args!("{what}"),
        good,
        format_args!("{address:#x}, fault at {:#x}", seen.unwrap_or(0)),
    );
}

pub extern "C" fn store(address: usize) {
    // SAFETY: either the processor refuses, or the test fails.
    unsafe { (address as *mut u32).write_volatile(0) };
}

extern "C" fn load(address: usize) {
    // SAFETY: as above.
    unsafe { (address as *const u32).read_volatile() };
}

#[expect(clippy::disallowed_methods, reason = "an address is to be called")]
pub extern "C" fn run(address: usize) {
    // SAFETY: as above.
    let code: extern "C" fn() = unsafe { core::mem::transmute(address) };
    code();
}

fn overflow(report: &mut Report) {
    let guard = STACKS[0].get().addr() + Stacks::GUARDS[0];
    let seen = fault::expect(recurse, 0);
    let good = seen.is_some_and(|seen| seen / PAGE == guard / PAGE);
    report.test(
        format_args!("stack overflow meets the guard page"),
        good,
        format_args!("fault at {:#x}, guard at {guard:#x}", seen.unwrap_or(0)),
    );
}

#[expect(unconditional_recursion, reason = "the guard page ends it")]
extern "C" fn recurse(depth: usize) {
    let frame = black_box([depth; 64]);
    recurse(depth + 1);
    black_box(frame);
}

/// Tests that interrupts preserve registers: a sum in many registers of both kinds is compared with
/// one in few.
fn registers(report: &mut Report) {
    let start = ticks::taken();
    let first = accumulate();
    let mut rounds = 1;
    let mut same = true;
    while ticks::taken() < start + 20 && rounds < 10_000 {
        same &= accumulate() == first;
        rounds += 1;
    }
    let taken = ticks::taken() - start;
    report.test(
        format_args!("registers survive interrupts"),
        same && taken >= 10,
        format_args!("{rounds} rounds, {taken} interrupts"),
    );
}

#[inline(never)]
fn accumulate() -> ([u64; 8], [u64; 8]) {
    let mut ints = black_box([1_u64, 2, 3, 4, 5, 6, 7, 8]);
    let mut floats = black_box([1.0_f64, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7]);
    for round in 0..20_000_u64 {
        for (index, int) in ints.iter_mut().enumerate() {
            *int = int
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(round ^ index as u64);
        }
        for float in &mut floats {
            *float = *float * 1.000_001 + 0.25;
        }
    }
    (ints, floats.map(f64::to_bits))
}
