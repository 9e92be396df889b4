//! The threads of the system, for compilers.

use mir_nostd::run::Threads;
use std::thread;

/// Threads that help a compiler, started anew each time that it has enough for them to do.
///
/// ```
/// use mir_host::HostThreads;
/// use mir_nostd::run::Threads;
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// let calls = AtomicUsize::new(0);
/// HostThreads::at_most(3).share(2, &|| {
///     calls.fetch_add(1, Ordering::Relaxed);
/// });
/// assert!((1..=2).contains(&calls.into_inner()));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct HostThreads {
    most: usize,
}

impl HostThreads {
    /// As many threads as there are processors.
    pub const ALL: HostThreads = HostThreads { most: 0 };

    /// Returns at most `count` threads, the one that compiles among them; 0 is the same as
    /// [`HostThreads::ALL`].
    #[must_use]
    pub const fn at_most(count: usize) -> HostThreads {
        HostThreads { most: count }
    }

    fn count(self) -> usize {
        match self.most {
            0 => thread::available_parallelism().map_or(1, usize::from),
            most => most,
        }
    }
}

impl Threads for HostThreads {
    fn share(&self, most: usize, work: &(dyn Fn() + Sync)) {
        thread::scope(|scope| {
            for _ in 1..self.count().min(most) {
                // If the system starts no thread, there is more left for this one.
                if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            work();
        });
    }
}
