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
    /// Returns the address after the last counter.
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

/// The greatest depth of calls that are inlined into one function.
const INLINE_DEPTH: usize = 6;
/// The most functions of four instructions that are inlined into one, at each level.
const MOST_INLINED: [usize; 4] = [0, 0, 62 / 4, 5000 / 4];

/// Returns the length of what is compiled: characters, or functions with what is inlined.
fn length(family: &Family, size: usize, level: u8, text: &str) -> f64 {
    let length = match family.name {
        // Each function has the next one inlined twice, and that one's calls as well.
        "doubling_calls" => {
            let calls = |left: usize| (2 << left.min(INLINE_DEPTH)) - 2;
            let inlined = |left| calls(left).min(MOST_INLINED[usize::from(level)]);
            (0..size).map(|left| 1 + inlined(left)).sum()
        }
        _ => text.len(),
    };
    length as f64
}

/// Returns the pairs of sizes at which a family is compiled.
fn sizes(family: &Family) -> Vec<[usize; 2]> {
    let mut sizes = vec![family.sizes];
    if family.name == "small_loops" {
        // So many variables are live in so many blocks that analyses give up.
        sizes.push([800, 3200]);
    }
    sizes
}

/// Returns how many times the steps a program of four times the length takes.
fn growth(family: &Family, sizes: [usize; 2], isa: &dyn Backend, level: u8) -> f64 {
    let texts = sizes.map(family.make);
    let [few, many] = [&texts[0], &texts[1]].map(|text| steps_of(text, isa, level));
    let [less, more] = sizes.map(|size| size as f64);
    let [short, long] = [0, 1].map(|one| length(family, sizes[one], level, &texts[one]));
    // A part of the text may be the same at each size, and it may grow faster than the size.
    let times = (more / less).max(long / short);
    let growth = many as f64 / few as f64 * (4.0 / times);
    let (name, isa) = (family.name, isa.target().name);
    println!("{name}, {isa}, level {level}: {few}, then {many}: {growth:.1}");
    growth
}

#[test]
fn programs_compile_in_steps_in_proportion_to_their_length() {
    let mut wrong = Vec::new();
    for (number, family) in TEXTS.iter().enumerate() {
        for level in 0..4 {
            // All ISAs take turns.
            let isa = ISAS[(number + usize::from(level)) % ISAS.len()];
            for sizes in sizes(family) {
                let growth = growth(family, sizes, isa, level);
                if growth > MOST_GROWTH {
                    let (name, isa) = (family.name, isa.target().name);
                    wrong.push(format!(
                        "{name} {sizes:?}, {isa}, level {level}: {growth:.1} times"
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
