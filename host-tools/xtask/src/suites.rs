//! The suites of `cargo xtask test`: one table, from which selection, order and progress derive.

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::isa::{Isa, OTHER_BYTE_ORDER};
use crate::kernel::{Image, Machine};
use crate::report::{Counts, Report};
use crate::{
    ahead, build_systems, capi, checks, corpus, examples, handlers, images, import, kernel, levels,
    miri, parallel, rooms, runners, setup, tests, uefi, unikernel,
};

/// The extent of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Depth {
    /// The suites that cover each of the five ISAs in a quarter of an hour.
    Quick,
    /// Everything.
    Full,
}

/// The number of suites that run at a time: programs of one keep the processors busy while another
/// waits for one crate to build, and a third for cargo.
const AT_ONCE: usize = 3;

/// The machines that a suite runs on.
#[derive(Clone, Copy)]
enum Scope {
    /// The source, as this machine's cargo sees it: it needs nothing that has to be installed.
    Source(fn() -> Counts),
    /// This machine, whichever ISAs are asked for.
    Host(fn() -> Counts),
    /// As `Host`, where what it needs is there or can be installed: that is what the first
    /// function says. Elsewhere it is left out, and the report says so.
    HostOptional(fn() -> Result<(), String>, fn() -> Counts),
    /// Each ISA for which the second function returns true; a suite that is named runs on all that
    /// it has something for at full depth.
    Isa(fn(Isa, Depth) -> Counts, fn(Isa, Depth) -> bool),
}

struct Row {
    name: &'static str,
    /// The least depth at which the suite runs without being named.
    depth: Depth,
    scope: Scope,
}

/// All suites, in the order in which they run. Suites of equal length come last in each depth, so
/// that one does not go on long after all others.
#[rustfmt::skip] // columns
const ROWS: &[Row] = &[
    Row { name: "format",     depth: Depth::Full,  scope: Scope::Source(checks::format) },
    Row { name: "docs",       depth: Depth::Full,  scope: Scope::Source(checks::docs) },
    Row { name: "packages",   depth: Depth::Full,  scope: Scope::Source(checks::packages) },
    Row { name: "rooms",      depth: Depth::Quick, scope: Scope::Source(rooms::suite) },
    Row { name: "xtask",      depth: Depth::Full,  scope: Scope::Source(tests::of_xtask) },
    Row { name: "lints",      depth: Depth::Full,  scope: Scope::Host(checks::lints) },
    Row { name: "no_std",     depth: Depth::Full,  scope: Scope::Host(checks::bare_builds) },
    Row { name: "tests",      depth: Depth::Quick, scope: Scope::Isa(tests::all, on_both_byte_orders) },
    Row { name: "handlers",   depth: Depth::Full,  scope: Scope::Isa(handlers::run, is_host) },
    Row { name: "corpus",     depth: Depth::Quick, scope: Scope::Isa(on_corpus, on_both_byte_orders) },
    Row { name: "objects",    depth: Depth::Full,  scope: Scope::Isa(|isa, _| ahead::objects(isa), every) },
    Row { name: "image",      depth: Depth::Full,  scope: Scope::Isa(|isa, _| images::run(isa), every) },
    Row { name: "llvm",       depth: Depth::Full,  scope: Scope::Isa(|isa, _| ahead::llvm(isa), every) },
    Row { name: "import",     depth: Depth::Full,  scope: Scope::Isa(|isa, _| import::run(isa), every) },
    Row { name: "capi",       depth: Depth::Quick, scope: Scope::Isa(capi::run, every) },
    Row { name: "libc",       depth: Depth::Quick, scope: Scope::Host(tests::libc) },
    Row { name: "examples",   depth: Depth::Quick, scope: Scope::Host(examples::run) },
    Row { name: "uefi",       depth: Depth::Full,  scope: Scope::HostOptional(uefi::is_ready, uefi::run) },
    Row { name: "unikernel",  depth: Depth::Full,  scope: Scope::HostOptional(unikernel::is_ready, unikernel::run) },
    Row { name: "build-systems", depth: Depth::Full, scope: Scope::HostOptional(build_systems::is_ready, build_systems::run) },
    Row { name: "levels",     depth: Depth::Full,  scope: Scope::Host(levels::run) },
    Row { name: "work",       depth: Depth::Full,  scope: Scope::Host(tests::work) },
    Row { name: "miri",       depth: Depth::Full,  scope: Scope::HostOptional(miri::is_ready, miri::suite) },
    Row { name: "kernel",     depth: Depth::Quick, scope: Scope::Isa(|isa, _| kernel::tests(isa, Image::Full), every) },
    Row { name: "size",       depth: Depth::Full,  scope: Scope::Isa(|isa, _| kernel::tests(isa, Image::Interpreter), is_riscv64) },
    Row { name: "soft-float", depth: Depth::Full,  scope: Scope::Isa(|isa, _| kernel::tests(isa, Image::SoftFloat), has_soft_float) },
];

const fn every(_: Isa, _: Depth) -> bool {
    true
}

/// True for every ISA at full depth. In a quick run this machine and s390x stand for all: the file
/// tests and the corpus also run in the kernel of each.
fn on_both_byte_orders(isa: Isa, depth: Depth) -> bool {
    depth == Depth::Full || isa.is_host() || isa.name() == OTHER_BYTE_ORDER
}

fn is_host(isa: Isa, _: Depth) -> bool {
    isa.is_host()
}

fn is_riscv64(isa: Isa, _: Depth) -> bool {
    isa.name() == "riscv64"
}

fn has_soft_float(isa: Isa, _: Depth) -> bool {
    Machine::of(isa).soft_float.is_some()
}

fn on_corpus(isa: Isa, depth: Depth) -> Counts {
    match runners::build_for_tests(isa) {
        Ok(mir) => corpus::run(isa, &mir, depth),
        Err(message) => (0, 1, message),
    }
}

/// A suite, by the number of its row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Suite(usize);

impl ValueEnum for Suite {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [Suite; ROWS.len()] = {
            let mut all = [Suite(0); ROWS.len()];
            let mut number = 0;
            while number < all.len() {
                all[number] = Suite(number);
                number += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(ROWS[self.0].name))
    }
}

/// One run of a suite.
struct Step {
    isa: Option<Isa>,
    name: &'static str,
    /// True if it needs nothing that has to be installed.
    is_of_source: bool,
    /// Makes sure that it can run.
    ready: fn() -> Result<(), String>,
    run: Box<dyn Fn() -> Counts + Send>,
}

impl Step {
    fn run(&self, report: &Report) {
        let isa = self.isa.map_or("host", |isa| isa.name());
        match (self.ready)() {
            Ok(()) => report.suite(isa, self.name, &self.run),
            Err(reason) => report.leave_out(isa, self.name, &reason),
        }
    }
}

const fn always() -> Result<(), String> {
    Ok(())
}

/// Returns the steps to run: the suites in `only` or, if it is empty, those of the depth.
fn steps(isas: &[Isa], depth: Depth, only: &[Suite]) -> Vec<Step> {
    let chosen = |number: usize, row: &Row| match only {
        [] => row.depth == Depth::Quick || depth == Depth::Full,
        only => only.contains(&Suite(number)),
    };
    let rows: Vec<&Row> = (ROWS.iter().enumerate())
        .filter(|(number, row)| chosen(*number, row))
        .map(|(_, row)| row)
        .collect();
    let on_host = |row: &Row, run: fn() -> Counts| Step {
        isa: None,
        name: row.name,
        is_of_source: matches!(row.scope, Scope::Source(_)),
        ready: always,
        run: Box::new(run),
    };
    let mut steps = Vec::new();
    for row in rows {
        match row.scope {
            Scope::Source(run) | Scope::Host(run) => steps.push(on_host(row, run)),
            Scope::HostOptional(ready, run) => steps.push(Step {
                ready,
                ..on_host(row, run)
            }),
            // Neighbours, which may run at the same time, are of different ISAs: cargo lets only
            // one build into the files of an ISA.
            Scope::Isa(run, applies) => {
                let depth_asked = if only.is_empty() { depth } else { Depth::Full };
                let on = |isa| Step {
                    isa: Some(isa),
                    name: row.name,
                    is_of_source: false,
                    ready: always,
                    run: Box::new(move || run(isa, depth)),
                };
                let isas = isas.iter().filter(|&&isa| applies(isa, depth_asked));
                steps.extend(isas.map(|&isa| on(isa)));
            }
        }
    }
    steps
}

/// Installs what is missing, while the suites run that need none of it, and then runs the others on
/// `isas`.
///
/// # Errors
/// Says what could not be installed, how many tests failed, or that there were none.
pub(crate) fn run(isas: &[Isa], depth: Depth, only: &[Suite]) -> Result<(), String> {
    let names: Vec<&str> = isas.iter().map(|isa| isa.name()).collect();
    println!(
        "needs: Rust targets, gcc, C library, qemu-user-static and qemu-system for {}",
        names.join(" ")
    );
    let steps = steps(isas, depth, only);
    let report = Report::of(steps.len());
    let (of_source, others): (Vec<_>, Vec<_>) =
        (steps.into_iter()).partition(|step| step.is_of_source);
    std::thread::scope(|scope| {
        let installed =
            scope.spawn(|| setup::ensure(isas).and_then(|()| setup::ensure_kernels(isas)));
        run_steps(of_source, 1, &report);
        (installed.join()).unwrap_or_else(|_| Err("the installation panicked".into()))
    })?;
    run_steps(others, AT_ONCE, &report);
    report.finish()
}

/// Runs the steps in their order, so many at a time.
fn run_steps(steps: Vec<Step>, at_once: usize, report: &Report) {
    parallel::on(at_once, steps, |step| step.run(report));
}

#[cfg(test)]
mod tests_of_selection {
    use super::{Depth, ROWS, Step, Suite, always, run_steps, steps};
    use crate::isa::Isa;
    use crate::report::Report;
    use core::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::Arc;

    #[test]
    fn the_quick_run_shows_every_isa_in_every_way_that_matters() {
        let isas: Vec<Isa> = Isa::all().collect();
        let steps = steps(&isas, Depth::Quick, &[]);
        let is_there = |isa: Isa, name: &str| {
            let mut steps = steps.iter();
            steps.any(|step| step.isa == Some(isa) && step.name == name)
        };
        for isa in isas {
            for name in ["kernel", "capi"] {
                assert!(is_there(isa, name), "{} {name}", isa.name());
            }
            let is_expected = isa.is_host() || isa.name() == "s390x";
            for name in ["tests", "corpus"] {
                assert_eq!(is_there(isa, name), is_expected, "{} {name}", isa.name());
            }
        }
    }

    #[test]
    fn the_full_run_leaves_nothing_out() {
        let isas: Vec<Isa> = Isa::all().collect();
        let steps = steps(&isas, Depth::Full, &[]);
        assert!(
            ROWS.iter()
                .all(|row| steps.iter().any(|step| step.name == row.name))
        );
    }

    #[test]
    fn named_suites_run_alone_at_any_depth() {
        let isas: Vec<Isa> = Isa::all().collect();
        let number = ROWS
            .iter()
            .position(|row| row.name == "objects")
            .expect("a suite");
        let steps = steps(&isas, Depth::Quick, &[Suite(number)]);
        assert!(steps.len() == 5 && steps.iter().all(|step| step.name == "objects"));
    }

    #[test]
    fn steps_that_run_two_at_a_time_run_once_each() {
        let runs = Arc::new(AtomicUsize::new(0));
        let step = |_| {
            let runs = Arc::clone(&runs);
            Step {
                isa: None,
                name: "some",
                is_of_source: false,
                ready: always,
                run: Box::new(move || (1 + runs.fetch_add(1, Ordering::Relaxed), 0, String::new())),
            }
        };
        let report = Report::of(9);
        run_steps((0..9).map(step).collect(), 2, &report);
        assert!(report.finish().is_ok() && runs.load(Ordering::Relaxed) == 9);
    }
}
