//! Tests of code made at run time: thunks in pages that are writable at one address and executable
//! at another.

use super::machine::{refused, run, store};
use super::second::{add_mix, mix};
use crate::layout::RUN_ALIAS;
use crate::memory::heap;
use crate::pages::{self, pages};
use crate::report::Report;
use crate::run::{self, Compiled, Failure};
use crate::{arch, second};
use core::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use mir_nostd::ir::Module;
use mir_nostd::target::Value;

/// Runs all tests of this module.
pub fn code(report: &mut Report) {
    let written = pages::written().start;
    refused(report, "run where code is written", run, written);
    refused(report, "store where code runs", store, written + RUN_ALIAS);
    if let Err(failure) = thunk(report) {
        report.test(format_args!("thunks"), false, format_args!("{failure}"));
    }
    if arch::BACKEND.is_some() {
        both_compile(report);
    }
}

/// The number of contexts that each CPU fills, compiles and frees.
const ROUNDS: usize = 200;

/// Tests that both CPUs compile and run code at the same time.
fn both_compile(report: &mut Report) {
    let used = (heap().used(), pages().used());
    let done = AtomicUsize::new(0);
    // SAFETY: `done` lives until `wait` has returned, and is atomic.
    unsafe { second::start(compile_often, (&raw const done).cast_mut().cast()) };
    let own = compiles();
    second::wait();
    let other = done.load(Ordering::Relaxed);
    report.test(
        format_args!("both CPUs compile and run"),
        own == ROUNDS && other == ROUNDS && used == (heap().used(), pages().used()),
        format_args!("{own} and {other} times"),
    );
}

/// Returns how many times compiling and calling a function succeeded.
fn compiles() -> usize {
    let once = || -> Result<bool, Failure> {
        let context = run::context_with_pages(heap())?;
        let mut module = Module::new(heap(), b"mix", arch::TARGET.long_double)?;
        add_mix(&mut module)?;
        run::load_module(&context, module)?;
        context.link(&mut |_| None)?;
        let code = Compiled::new(&context)?;
        let function = context.find_func(b"mix").ok_or(Failure::NoMain)?;
        let mut results = [Value::ZERO];
        code.call(function, &[Value::from_i64(STEPS)], &mut results)?;
        Ok(results[0].i64() == mix(STEPS))
    };
    (0..ROUNDS)
        .filter(|_| once().is_ok_and(|good| good))
        .count()
}

extern "C" fn compile_often(done: *mut ()) {
    // SAFETY: the first CPU gave the address of an atomic that lives until this returns.
    let done = unsafe { &*done.cast::<AtomicUsize>() };
    done.store(compiles(), Ordering::Relaxed);
}

/// The shared state of a function that C calls on both CPUs.
struct Called {
    address: AtomicUsize,
    result: AtomicI64,
}

const STEPS: i64 = 1000;

/// Tests that native code on both CPUs calls an interpreted function by its address.
fn thunk(report: &mut Report) -> Result<(), Failure> {
    let used = pages().used();
    {
        let context = run::context_with_pages(heap())?;
        let mut module = Module::new(heap(), b"mix", arch::TARGET.long_double)?;
        add_mix(&mut module)?;
        run::load_module(&context, module)?;
        context.link(&mut |_| None)?;
        let address = context.find(b"mix").ok_or(Failure::NoMain)?;
        let called = Called {
            address: AtomicUsize::new(address),
            result: AtomicI64::new(0),
        };
        // SAFETY: `called` lives until `wait` has returned, and is atomic.
        unsafe { second::start(call, (&raw const called).cast_mut().cast()) };
        second::wait();
        let other = called.result.swap(0, Ordering::Relaxed);
        call((&raw const called).cast_mut().cast());
        let own = called.result.load(Ordering::Relaxed);
        let in_pages = pages::written().contains(&address.wrapping_sub(RUN_ALIAS));
        report.test(
            format_args!("both CPUs call a thunk"),
            own == mix(STEPS) && other == mix(STEPS) && in_pages,
            format_args!("at {address:#x}"),
        );
    }
    report.test(
        format_args!("pages are given back"),
        pages().used() == used,
        format_args!("{used} bytes used"),
    );
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "an address is to be called")]
extern "C" fn call(called: *mut ()) {
    // SAFETY: the address of a `Called` that lives until this returns.
    let called = unsafe { &*called.cast::<Called>() };
    let address = called.address.load(Ordering::Relaxed);
    // SAFETY: the thunk of a function of this signature.
    let function: extern "C" fn(i64) -> i64 = unsafe { core::mem::transmute(address) };
    called.result.store(function(STEPS), Ordering::Relaxed);
}
