//! Random programs: compiled code has the same outcome as the interpreter, at every level and in
//! all modes of compiling.
//!
//! The same number is the same program everywhere; the environment chooses numbers
//! (`testkit::random`). A failing program is shrunk and printed. Each runs in a process of its own,
//! so that code that crashes or does not end fails only its test.
#![expect(
    unsafe_code,
    reason = "machine code is called, by a process of its own"
)]

mod apart;
mod engines;

use apart::Apart;
use engines::Setting;
use libtest_mimic::{Arguments, Failed, Trial};
use std::process::ExitCode;
use testkit::programs::{Program, shrink};

/// The number of programs in one test.
const TOGETHER: u64 = 10;

fn main() -> ExitCode {
    // Emulated machines take about ten times as long.
    let usual = if cfg!(target_arch = "x86_64") {
        400
    } else {
        60
    };
    let numbers = testkit::random::numbers(usual);
    let tests = numbers.clone().step_by(TOGETHER as usize).map(|from| {
        let until = numbers.end.min(from + TOGETHER);
        Trial::test(format!("{from} to {}", until - 1), move || {
            check_all(from, until).map_err(Failed::from)
        })
    });
    // A process with other threads cannot fork safely.
    let arguments = Arguments {
        test_threads: Some(1),
        ..Arguments::from_args()
    };
    libtest_mimic::run(&arguments, tests.collect()).exit_code()
}

/// Runs the programs of some seeds in all settings, as many in parallel as the machine has
/// processors.
fn check_all(from: u64, until: u64) -> Result<(), String> {
    let at_once = std::thread::available_parallelism().map_or(1, usize::from);
    for first in (from..until).step_by(at_once) {
        let seeds = (first..until).take(at_once);
        let started: Vec<_> = seeds
            .map(|seed| {
                let text = Program::random(seed).text();
                let settings = engines::settings(seed);
                let compare = || engines::compare(&text, &settings, seed);
                (seed, apart::start(&compare))
            })
            .collect();
        let ended: Vec<_> = started
            .into_iter()
            .map(|(seed, apart)| (seed, apart.and_then(Apart::end)))
            .collect();
        for (seed, result) in ended {
            result.map_err(|found| examine(seed, &found))?;
        }
    }
    Ok(())
}

/// Shrinks the failing program of a seed; returns it with its failure.
fn examine(seed: u64, found: &str) -> String {
    let program = Program::random(seed);
    let text = program.text();
    let settings = engines::settings(seed);
    // Only the first setting that fails is used.
    let alone = |setting: &Setting, text: &str| {
        apart::run(&|| engines::compare(text, core::slice::from_ref(setting), seed))
    };
    let Some(setting) = settings.iter().find(|one| alone(one, &text).is_err()) else {
        return format!("program {seed}: {found}\n{text}");
    };
    // An invalid program is not the failure that is sought.
    let mut fails = |smaller: &Program| matches!(alone(setting, &smaller.text()), Err(found) if !found.starts_with(engines::NO_PROGRAM));
    let small = shrink(program, &mut fails).text();
    let found = alone(setting, &small).err().unwrap_or(found.to_owned());
    format!("program {seed}, {setting:?}: {found}\n{small}")
}
