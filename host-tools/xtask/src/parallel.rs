//! Work on all processors, and the processor time of the programs that a suite runs.

use core::cell::RefCell;
use core::sync::atomic::{AtomicU64, Ordering};
use core::time::Duration;
use std::sync::{Arc, Mutex, MutexGuard};

thread_local! {
    /// The milliseconds that programs started by this thread have taken, in all threads that work
    /// for the same suite.
    static TAKEN: RefCell<Arc<AtomicU64>> = RefCell::default();
}

/// Notes that a program which this thread started has taken so much processor time.
pub(crate) fn note(time: Duration) {
    let milliseconds = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    TAKEN.with_borrow(|taken| taken.fetch_add(milliseconds, Ordering::Relaxed));
}

/// Returns the result of `run`, and the processor time that the programs it started have taken.
pub(crate) fn metered<T>(run: impl FnOnce() -> T) -> (T, Duration) {
    let taken = Arc::<AtomicU64>::default();
    let before = TAKEN.replace(Arc::clone(&taken));
    let result = run();
    TAKEN.set(before);
    (result, Duration::from_millis(taken.load(Ordering::Relaxed)))
}

/// Calls `run` with each item, on as many threads as there are processors, and returns the results
/// in the order of their ends. What programs take counts for the caller.
pub(crate) fn on_all<T: Send, R: Send>(items: Vec<T>, run: impl Fn(T) -> R + Sync) -> Vec<R> {
    let at_once = std::thread::available_parallelism().map_or(1, usize::from);
    on(at_once, items, run)
}

/// As [`on_all`], on so many threads.
pub(crate) fn on<T: Send, R: Send>(
    threads: usize,
    items: Vec<T>,
    run: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let (queue, results) = (Mutex::new(items.into_iter()), Mutex::new(Vec::new()));
    let taken = TAKEN.with_borrow(Arc::clone);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                TAKEN.set(Arc::clone(&taken));
                // The lock is given back before the work begins.
                let next = || locked(&queue).next();
                while let Some(item) = next() {
                    let result = run(item);
                    locked(&results).push(result);
                }
            });
        }
    });
    results
        .into_inner()
        .unwrap_or_else(|broken| broken.into_inner())
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|broken| broken.into_inner())
}

#[cfg(test)]
mod tests {
    use super::{metered, note, on};
    use core::time::Duration;

    #[test]
    fn each_item_is_worked_on_once() {
        let mut results = on(2, (0..9).collect(), |item: u32| item * item);
        results.sort_unstable();
        assert_eq!(results, [0, 1, 4, 9, 16, 25, 36, 49, 64]);
    }

    #[test]
    fn time_of_other_threads_counts_for_the_caller_alone() {
        let second = Duration::from_secs(1);
        let (((), inner), outer) = metered(|| {
            note(second);
            metered(|| {
                on(2, vec![(), ()], |()| note(second));
            })
        });
        assert_eq!((inner, outer), (2 * second, second));
    }
}
