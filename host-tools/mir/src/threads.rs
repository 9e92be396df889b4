//! `--threads`: work on several items at a time, with the results in the order of the items. So
//! nothing that is made depends on the number.

use crate::request;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

/// The stack of a thread: as much as that of a process has by default.
pub(crate) const STACK_BYTES: usize = 8 << 20;

/// `--threads`.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct ThreadsArg {
    /// Work on so many files at a time, or functions if there is one file; 0 for as many as there
    /// are processors. The output is the same
    #[arg(long, value_name = "COUNT", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(0..=1024))]
    threads: u16,
}

impl ThreadsArg {
    /// Returns the number of threads: one in a persistent worker, which serves several requests at
    /// a time, and lives long, while what a thread has of [`crate::memory`] ends with it.
    pub(crate) fn count(self) -> usize {
        match self.threads {
            _ if request::is_served() => 1,
            0 => thread::available_parallelism().map_or(1, usize::from),
            count => count.into(),
        }
    }
}

/// Returns what a lock protects, which no panic leaves half changed here.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does `work` on each item, on so many threads, and lets this thread `take` the results in the
/// order of the items. The first error of `take` ends it.
pub(crate) fn in_order<I: Send, T: Send, E>(
    threads: usize,
    items: Vec<I>,
    work: impl Fn(I) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let wanted = threads.min(items.len());
    if wanted < 2 {
        return items.into_iter().try_for_each(|item| take(work(item)));
    }
    let items = Mutex::new(items.into_iter().enumerate());
    let (sender, results) = mpsc::channel();
    let next_item = || locked(&items).next();
    let work_on = |sender: mpsc::Sender<(usize, T)>| {
        while let Some((number, item)) = next_item() {
            // Nobody wants further results after an error.
            if sender.send((number, work(item))).is_err() {
                return;
            }
        }
    };
    thread::scope(|scope| {
        let start = |_: &usize| {
            let (work_on, sender) = (&work_on, sender.clone());
            let thread = thread::Builder::new().stack_size(STACK_BYTES);
            let started = thread.spawn_scoped(scope, || work_on(sender));
            started.is_ok()
        };
        let started = (0..wanted).filter(start).count();
        drop(sender);
        if started == 0 {
            return { core::iter::from_fn(next_item) }.try_for_each(|(_, item)| take(work(item)));
        }
        let (mut early, mut next) = (BTreeMap::new(), 0);
        for (number, result) in results {
            early.insert(number, result);
            while let Some(result) = early.remove(&next) {
                take(result)?;
                next += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::in_order;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        for threads in [1, 2, 7, 100] {
            let mut taken = Vec::new();
            // The first items take longest.
            let work = |item: u32| {
                for step in 0..(50 - item) * 1000 {
                    core::hint::black_box(step);
                }
                item * 2
            };
            let done = in_order(threads, (0..50).collect(), work, |result| {
                taken.push(result);
                Ok::<_, ()>(())
            });
            assert_eq!(done, Ok(()));
            assert!(taken.iter().copied().eq((0..50).map(|item| item * 2)));
        }
    }

    #[test]
    fn the_first_error_in_the_order_of_the_items_ends_the_work() {
        for threads in [1, 3] {
            let ended = in_order(
                threads,
                (0..50).collect(),
                |item: u32| item,
                |item| match item {
                    7 | 9 => Err(item),
                    _ => Ok(()),
                },
            );
            assert_eq!(ended, Err(7));
        }
    }
}
