//! Wild programs: whatever they do, they keep to their memory, and all engines agree.

use crate::prelude::*;
use testkit::wild::{WINDOW, WINDOW_BYTES, WINDOW_STEP, Wild};

/// The ways in which each program is compiled.
const WAYS: u64 = 6;

/// Returns the ways in which the program of a number runs: all levels at once, and both lazy ways
/// at one level each; or so many of them that its number chooses.
fn ways(seed: u64, count: u64) -> Vec<Way> {
    let level = (seed % 4) as u8;
    let at_once = (0..=3).map(Way::Compiled);
    let lazily = [
        Way::Lazily(level, run::Granularity::Function),
        Way::Lazily(3 - level, run::Granularity::Block),
    ];
    let all: Vec<Way> = at_once.chain(lazily).collect();
    let first = seed / 4 % WAYS;
    (first..first + count)
        .map(|number| all[(number % WAYS) as usize])
        .collect()
}

fn setup(wild: &Wild, proofs: Proofs) -> Setup<'_> {
    let windows = match wild.windows {
        true => vec![
            (WINDOW as u64, WINDOW_BYTES, Access::Write),
            ((WINDOW + WINDOW_STEP) as u64, WINDOW_BYTES, Access::Read),
        ],
        false => Vec::new(),
    };
    Setup {
        text: &wild.text,
        library: "",
        bytes: wild.bytes,
        offset: wild.offset,
        options: confined::Options {
            stack: wild.stack,
            windows: wild.windows,
            masks: wild.masks,
        },
        windows,
        calls: wild
            .calls
            .iter()
            .map(|call| ("main", call.to_vec()))
            .collect(),
        fuel: wild.fuel,
        proofs,
    }
}

/// The counts of what the test did: how calls ended, and the programs that ran in each way.
#[derive(Default)]
struct Counts {
    ends: std::collections::BTreeMap<String, usize>,
    ways: std::collections::BTreeMap<String, usize>,
}

impl Counts {
    fn ended(&mut self, outcome: &Outcome) {
        for (result, _) in &outcome.calls {
            let end = match result {
                Ok(_) => "returned".into(),
                Err((reason, ..)) => format!("{reason:?}"),
            };
            let end = end.split('(').next().unwrap_or_default().to_owned();
            *self.ends.entry(end).or_default() += 1;
        }
    }

    fn ran(&mut self, way: Way) {
        *self.ways.entry(format!("{way:?}")).or_default() += 1;
    }
}

/// Returns what is wrong with a program in so many ways, and counts how its calls end.
fn check(seed: u64, count: u64, counts: &mut Counts) -> Option<String> {
    let wild = Wild::random(seed);
    // With very many programs allocations are proven of some of them.
    let proofs = match count == WAYS || seed.is_multiple_of(16) {
        true => Proofs::All,
        false => Proofs::Confinement,
    };
    let setup = setup(&wild, proofs);
    let expected = match setup.run(Way::Interpreted) {
        Ok(expected) => expected,
        Err(error) => return Some(format!("{seed}: {error}\n{}", wild.text)),
    };
    counts.ended(&expected);
    counts.ran(Way::Interpreted);
    ways(seed, count).into_iter().find_map(|way| {
        counts.ran(way);
        let run = core::panic::AssertUnwindSafe(|| setup.run(way));
        let found = match std::panic::catch_unwind(run) {
            Ok(Ok(found)) => found,
            // The panic was printed.
            Err(_) => return Some(format!("{seed}, {way:?}\n{}", wild.text)),
            Ok(Err(error)) => return Some(format!("{seed}, {way:?}: {error}\n{}", wild.text)),
        };
        let difference = difference(&expected, &found)?;
        Some(described(seed, &format!("{way:?}"), &wild, &difference))
    })
}

/// Returns a difference with all that is needed to look at it.
fn described(seed: u64, way: &str, wild: &Wild, difference: &str) -> String {
    let settings = (
        wild.bytes,
        wild.offset,
        wild.stack,
        wild.windows,
        wild.masks,
        wild.fuel,
    );
    let Wild { calls, text, .. } = wild;
    format!("{seed}, {way}, {settings:?}: {difference}\n{calls:x?}\n{text}")
}

/// Returns what is wrong with a program in an image, at the level that its number chooses, if its
/// memory is aligned as that of images is.
fn check_image(seed: u64, counts: &mut Counts) -> Option<String> {
    let wild = Wild::random(seed);
    let setup = setup(&wild, Proofs::All);
    if !setup.fits_images() {
        return None;
    }
    let level = (seed / 2 % 4) as u8;
    let way = format!("image, level {level}");
    let expected = setup.run(Way::Interpreted).unwrap();
    counts.ended(&expected);
    let run = core::panic::AssertUnwindSafe(|| setup.difference_in_image(&expected, level));
    match std::panic::catch_unwind(run) {
        Ok(difference) => Some(described(seed, &way, &wild, &difference?)),
        Err(_) => Some(described(seed, &way, &wild, "a panic")),
    }
}

/// Calls `body` with each number, and returns those for which it finds something wrong.
fn each(
    numbers: core::ops::Range<u64>,
    mut body: impl FnMut(u64) -> Option<String> + Send,
) -> Vec<u64> {
    on_large_stack(|| {
        let mut failed = Vec::new();
        for seed in numbers {
            if std::env::var_os("RANDOM_SHOW").is_some() {
                eprintln!("{seed}");
            }
            if let Some(difference) = body(seed) {
                println!("{difference}");
                failed.push(seed);
            }
        }
        failed
    })
}

#[test]
fn wild_programs_have_the_same_outcome_from_images() {
    let usual = if cfg!(target_arch = "x86_64") { 80 } else { 20 };
    let numbers = testkit::random::numbers(usual);
    let count = numbers.end - numbers.start;
    let mut counts = Counts::default();
    let failed = each(numbers, |seed| check_image(seed, &mut counts));
    println!("{:?}", counts.ends);
    assert!(failed.is_empty(), "differences: {failed:?}");
    // Few of them return.
    let has_returned = counts.ends.contains_key("returned");
    assert!(has_returned || count < 80, "{:?}", counts.ends);
}

#[test]
fn wild_programs_have_the_same_outcome_in_every_engine() {
    let usual = if cfg!(target_arch = "x86_64") {
        200
    } else {
        30
    };
    let numbers = testkit::random::numbers(usual);
    let count = numbers.end - numbers.start;
    let ways = testkit::random::ways(WAYS);
    let mut counts = Counts::default();
    let failed = each(numbers, |seed| check(seed, ways, &mut counts));
    let Counts { ends, ways } = counts;
    println!("{ends:?}\n{ways:?}");
    assert!(failed.is_empty(), "differences: {failed:?}");
    // A generator whose programs all end at once would prove nothing.
    let returned = ends.get("returned").copied().unwrap_or(0);
    assert!(count < 100 || returned as u64 > count / 4, "{ends:?}");
}

/// Programs whose code was right and not proven: with comparisons of the low halves of addresses in
/// branches, in sums and in masks, or with constants that come to several variables of loops.
const ONCE_REFUSED: [u64; 4] = [90_000_183, 91_012_184, 92_064_728, 94_129_521];

#[test]
fn programs_that_were_refused_once_are_proven() {
    for seed in ONCE_REFUSED {
        let failed = each(seed..seed + 1, |seed| {
            check(seed, 1, &mut Counts::default())
        });
        assert!(failed.is_empty(), "differences: {failed:?}");
    }
}
