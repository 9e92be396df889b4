//! Compiling takes steps in proportion to the length of the program. Steps are counted, not timed:
//! with `-C instrument-coverage` each region of the code has a counter, and their sum is what was
//! done. `cargo xtask test --suite work` builds it so, `cargo xtask coverage` too; elsewhere there
//! is nothing to run.
//!
//! The code of `core` has no counters: a call that sorts counts as the closures that it calls.
#![cfg(coverage)]
#![expect(unsafe_code, reason = "the counters are memory of the profiler's")]

use mir_nostd::codegen::{Backend, Budget, Compiler, Error};
use mir_nostd::text;
use mir_nostd::verify::Verified;
use target_all::ISAS;
use testkit::SystemAllocator;
use testkit::hostile::{Family, TEXTS};

unsafe extern "C" {
    /// Returns the address of the first counter.
    safe fn __llvm_profile_begin_counters() -> *const u64;
    /// Returns the address behind the last counter.
    safe fn __llvm_profile_end_counters() -> *const u64;
}

/// The most times the steps that a program of four times the size takes.
const MOST_GROWTH: f64 = 6.0;

/// The most instructions of Machine IR that a function may become.
const INSNS: usize = 50_000;

/// Returns the sum of all counters.
fn steps() -> u64 {
    let (first, end) = (
        __llvm_profile_begin_counters(),
        __llvm_profile_end_counters(),
    );
    let len = (end.addr() - first.addr()) / size_of::<u64>();
    // SAFETY: the counters are words between these two addresses, and never move; this thread alone
    // counts.
    let counter = |number| unsafe { first.add(number).read_volatile() };
    (0..len).map(counter).fold(0, u64::wrapping_add)
}

/// Returns the steps that it takes to read, verify and compile a text at a level.
fn steps_of(source: &str, isa: &dyn Backend, level: u8) -> u64 {
    let before = steps();
    let format = isa.target().long_double;
    let parsed = text::parse(source.as_bytes(), &SystemAllocator, format, &mut |_| {});
    let Ok(mut modules) = parsed else { return 0 };
    while let Some(module) = modules.pop() {
        let Ok(verified) = Verified::new(module, isa.target(), &mut |_| {}) else {
            continue;
        };
        let mut compiler = Compiler::new(isa, &SystemAllocator);
        compiler.options.level = level;
        compiler.options.budget = Budget {
            insns: INSNS,
            memory: None,
        };
        for (func, _) in verified.module().funcs() {
            match compiler.compile(verified.module(), func) {
                Ok(_) | Err(Error::Budget | Error::TooLarge | Error::Unsupported) => {}
                Err(error) => panic!("{} at level {level}: {error}", isa.target().name),
            }
        }
    }
    steps().wrapping_sub(before)
}

/// Returns the sizes at which a family is compiled.
fn sizes(family: &Family) -> [usize; 2] {
    match family.name {
        // Each variable is followed through all loops until the limit of the analysis of live
        // ranges is reached: below, steps grow by the square.
        "small_loops" => [800, 3200],
        _ => family.sizes,
    }
}

#[test]
fn programs_compile_in_steps_in_proportion_to_their_length() {
    let mut wrong = Vec::new();
    // Inlining doubles a program up to limits of its own, which the length does not say.
    let families = TEXTS.iter().enumerate();
    for (number, family) in families.filter(|(_, family)| family.name != "doubling_calls") {
        let sizes = sizes(family);
        let [small, large] = sizes.map(family.make);
        // A part of the text may be the same at each size, and it may grow faster than the size.
        let [less, more] = sizes.map(|size| size as f64);
        let times = (more / less).max(large.len() as f64 / small.len() as f64);
        for level in 0..4 {
            // All ISAs take turns.
            let isa = ISAS[(number + usize::from(level)) % ISAS.len()];
            let [few, many] = [&small, &large].map(|text| steps_of(text, isa, level));
            let growth = many as f64 / few as f64 * (4.0 / times);
            let (name, isa) = (family.name, isa.target().name);
            println!("{name}, {isa}, level {level}: {few}, then {many}: {growth:.1}");
            if growth > MOST_GROWTH {
                wrong.push(format!("{name}, {isa}, level {level}: {growth:.1} times"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
