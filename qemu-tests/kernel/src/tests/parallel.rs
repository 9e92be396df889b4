//! Tests that a program's own counter, lock and queue hold while both CPUs use them, interpreted
//! and compiled, and one of them this and the other that.

use crate::memory::heap;
use crate::report::Report;
use crate::run::{self, Compiled, Failure};
use crate::{arch, second};
use core::sync::atomic::{AtomicU64, Ordering};
use mir_nostd::link::Context;
use mir_nostd::target::Value;

const PROGRAM: &[u8] = include_bytes!("parallel.mir");

/// The rounds that each CPU takes. The two numbers that it sends in each are the next ones from its
/// first number on.
const ROUNDS: u64 = 2000;
const FIRST: [u64; 2] = [1, 1 + 2 * ROUNDS];

/// How both CPUs run the program: the level at which it is compiled, if it is, and whether the
/// second CPU interprets it all the same.
struct Way {
    name: &'static str,
    level: Option<u8>,
    is_mixed: bool,
}

const fn way(name: &'static str, level: Option<u8>, is_mixed: bool) -> Way {
    Way {
        name,
        level,
        is_mixed,
    }
}

const WAYS: [Way; 6] = [
    way("interpreted", None, false),
    way("compiled at level 0", Some(0), false),
    way("compiled at level 1", Some(1), false),
    way("compiled at level 2", Some(2), false),
    way("compiled at level 3", Some(3), false),
    way("compiled and interpreted", Some(2), true),
];

/// Runs all tests of this module.
pub fn parallel(report: &mut Report) {
    let is_run = |way: &&Way| way.level.is_none() || arch::BACKEND.is_some();
    for way in WAYS.iter().filter(is_run) {
        match both(way) {
            Ok(found) => report.test(
                format_args!("a counter, a lock and a queue of both CPUs, {}", way.name),
                found == expected(),
                format_args!("{found:?}"),
            ),
            Err(failure) => {
                report.test(
                    format_args!("{}", way.name),
                    false,
                    format_args!("{failure}"),
                );
            }
        }
    }
}

/// The outcome of the program: the counter, what the lock guards, and the sums of the received
/// numbers and of their squares.
type Found = [u64; 5];

/// Returns what the program must leave, by the sums of the first numbers and of their squares.
fn expected() -> Found {
    let (rounds, last) = (2 * ROUNDS, 4 * ROUNDS);
    [
        rounds,
        rounds,
        rounds * (rounds + 1) / 2,
        last * (last + 1) / 2,
        last * (last + 1) * (2 * last + 1) / 6,
    ]
}

/// The state shared with the second CPU.
struct Shared<'c, 'm> {
    context: &'c Context<'m>,
    code: Option<&'c Compiled<'c, 'm>>,
    /// The second CPU's results, once it has them.
    results: [AtomicU64; 2],
}

/// Has both CPUs run the program at once.
fn both(way: &Way) -> Result<Found, Failure> {
    let context = run::context_with_pages(heap())?;
    run::load(&context, PROGRAM)?;
    let code = way
        .level
        .map(|level| Compiled::at_level(&context, level))
        .transpose()?;
    call(&context, code.as_ref(), b"reset", &[], &mut [])?;
    let shared = Shared {
        context: &context,
        code: code.as_ref().filter(|_| !way.is_mixed),
        results: [AtomicU64::new(0), AtomicU64::new(0)],
    };
    let own = beside(&shared, || work(&context, code.as_ref(), FIRST[0]))?;
    let mut state = [Value::ZERO; 3];
    call(&context, code.as_ref(), b"state", &[], &mut state)?;
    let [counter, guarded, sum_guarded] = state.map(Value::u64);
    let [sum, squares] = [0, 1].map(|i| own[i] + shared.results[i].load(Ordering::Relaxed));
    Ok([counter, guarded, sum_guarded, sum, squares])
}

/// Has the second CPU take its rounds while `own` runs; returns what that gives.
fn beside<R>(shared: &Shared<'_, '_>, own: impl FnOnce() -> R) -> R {
    const fn may_be_shared<T: Sync>(_: &T) {}
    may_be_shared(shared);
    let argument = (&raw const *shared).cast_mut().cast();
    // SAFETY: `shared` lives until `wait` has returned, and CPUs may share it.
    unsafe { second::start(work_too, argument) };
    let given = own();
    second::wait();
    given
}

extern "C" fn work_too(shared: *mut ()) {
    // SAFETY: the first CPU gave the address of a `Shared` that lives until this returns.
    let shared = unsafe { &*shared.cast::<Shared<'_, '_>>() };
    if let Ok(results) = work(shared.context, shared.code, FIRST[1]) {
        shared.results[0].store(results[0], Ordering::Relaxed);
        shared.results[1].store(results[1], Ordering::Relaxed);
    }
}

/// Takes the rounds of one CPU; returns the sums of the numbers that it received.
fn work<'m>(
    context: &Context<'m>,
    code: Option<&Compiled<'_, 'm>>,
    first: u64,
) -> Result<[u64; 2], Failure> {
    let arguments = [ROUNDS, first].map(Value::from_u64);
    let mut results = [Value::ZERO; 2];
    call(context, code, b"work", &arguments, &mut results)?;
    Ok(results.map(Value::u64))
}

/// Calls a function of the program.
fn call<'m>(
    context: &Context<'m>,
    code: Option<&Compiled<'_, 'm>>,
    name: &[u8],
    arguments: &[Value],
    results: &mut [Value],
) -> Result<(), Failure> {
    let function = context.find_func(name).ok_or(Failure::NoMain)?;
    match code {
        Some(code) => code.call(function, arguments, results),
        None => run::call(context, function, arguments, results),
    }
}
