//! The numbers of the random programs that a test runs.

use core::ops::Range;

/// Returns the numbers of the random programs of a test that runs `usual` of them.
///
/// `RANDOM_SEED=n` in the environment begins with program `n` in place of 1. `RANDOM_PROGRAMS=n`
/// has every test run `n` programs, `RANDOM_PROGRAMS=n%` so many of what is usual for it.
#[must_use]
pub fn numbers(usual: u64) -> Range<u64> {
    let first = variable("RANDOM_SEED");
    let first = first.and_then(|text| text.parse().ok()).unwrap_or(1);
    let count = variable("RANDOM_PROGRAMS").and_then(|text| count(&text, usual));
    first..first + count.unwrap_or(usual)
}

/// Returns the number of ways, of those that there are, in which each random program is compiled:
/// all, or `RANDOM_WAYS=n`, so that a run with very many programs takes less time for each. The
/// program's number decides which ways those are.
#[must_use]
pub fn ways(all: u64) -> u64 {
    let count = variable("RANDOM_WAYS").and_then(|text| text.parse().ok());
    count.map_or(all, |count: u64| count.clamp(1, all))
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Returns the number of programs that a text asks for.
fn count(text: &str, usual: u64) -> Option<u64> {
    match text.strip_suffix('%') {
        Some(share) => Some((usual * share.parse::<u64>().ok()?).div_ceil(100)),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn a_number_counts_for_every_test_and_a_share_for_its_own_number() {
        assert_eq!((count("7", 400), count("7", 10)), (Some(7), Some(7)));
        assert_eq!((count("20%", 400), count("20%", 10)), (Some(80), Some(2)));
        assert_eq!((count("1%", 10), count("many", 10)), (Some(1), None));
    }
}
