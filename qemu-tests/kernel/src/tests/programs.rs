//! Tests programs from the image and from memory against their expected output.

use super::files;
use crate::archive::{self, Program};
use crate::memory::heap;
use crate::pages::pages;
use crate::report::Report;
use crate::run::{self, Failure};
use crate::{arch, output, say, ticks};
use mir_nostd::target::Value;

/// Tests the program in the image, before anything else, and reports the time since the start.
pub fn first(report: &mut Report, entered: u64) {
    output::restart(false);
    let outcome = (|| -> Result<u64, Failure> {
        let context = run::context(heap())?;
        run::load(&context, arch::EMBEDDED)?;
        let main = context.find_func(b"main").ok_or(Failure::NoMain)?;
        let ready = arch::now();
        run::call(&context, main, &[], &mut [Value::ZERO])?;
        Ok(ready)
    })();
    let good = outcome.is_ok() && output::kept() == arch::EMBEDDED_PRINTS;
    let ready = outcome.unwrap_or(entered);
    report.test(
        format_args!("program in the image"),
        good,
        format_args!(
            "interpreted {} us after entry",
            ticks::microseconds(entered, ready)
        ),
    );
    if arch::CLOCK_STARTS_AT_RESET {
        say!(
            "first interpreted instruction {} us after reset",
            ticks::microseconds(0, ready)
        );
    }
}

/// Tests all programs in memory.
pub fn programs(report: &mut Report) {
    archive::programs().for_each(|program| {
        if cfg!(feature = "tests") && files::is_file_test(&program) {
            return files::file_test(report, &program);
        }
        one(report, &program);
        if let (Some(_), Some(expected)) = (arch::BACKEND, program.expected) {
            compiled(report, &program, expected);
        }
    });
}

/// Tests a program compiled.
fn compiled(report: &mut Report, program: &Program, expected: &[u8]) {
    output::restart(false);
    let (before, pages_before) = (heap().used(), pages().used());
    heap().restart();
    let start = arch::now();
    let outcome = run::compiled(heap(), program.bytes);
    let time = ticks::microseconds(start, arch::now());
    let peak = (heap().peak() - before) >> 10;
    let clean = heap().used() == before && pages().used() == pages_before;
    let name = program.name;
    match outcome {
        Ok(size) => report.test(
            format_args!("{name} compiled"),
            output::kept() == expected && clean,
            format_args!("{time} us, {size} bytes of code, at most {peak} KB of heap"),
        ),
        Err(failure) => report.test(
            format_args!("{name} compiled"),
            false,
            format_args!("{failure}"),
        ),
    }
}

fn one(report: &mut Report, program: &Program) {
    output::restart(program.expected.is_none());
    let before = heap().used();
    heap().restart();
    let (start, interrupts) = (arch::now(), ticks::taken());
    let outcome = run::program(heap(), program.bytes);
    let time = ticks::microseconds(start, arch::now());
    let interrupts = ticks::taken() - interrupts;
    let peak = (heap().peak() - before) >> 10;
    let left = heap().used() - before;
    let name = program.name;
    match (outcome, program.expected) {
        (Err(failure), _) => {
            report.test(format_args!("{name}"), false, format_args!("{failure}"));
        }
        (Ok(()), Some(expected)) if expected != output::kept() => {
            report.test(
                format_args!("{name}"),
                false,
                format_args!("printed something else"),
            );
            if cfg!(feature = "tests") {
                difference(expected, output::kept());
            }
        }
        (Ok(()), _) => report.test(
            format_args!("{name}"),
            left == 0,
            format_args!(
                "{time} us, {interrupts} interrupts, at most {peak} KB of heap, {left} bytes left"
            ),
        ),
    }
}

/// Prints the first line that differs.
fn difference(expected: &[u8], printed: &[u8]) {
    let mut expected = expected.split(|byte| *byte == b'\n');
    let mut printed = printed.split(|byte| *byte == b'\n');
    loop {
        match (expected.next(), printed.next()) {
            (None, None) => return,
            (one, other) if one == other => {}
            (one, other) => {
                say!("expected {}", one.unwrap_or_default().escape_ascii());
                say!("printed  {}", other.unwrap_or_default().escape_ascii());
                return;
            }
        }
    }
}
