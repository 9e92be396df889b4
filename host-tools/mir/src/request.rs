//! The surroundings of a command: those of its process, or in a persistent worker
//! ([`crate::worker`]) those of the request that is served on this thread.

use core::cell::RefCell;
use std::path::{Path, PathBuf};

/// The surroundings that a request has instead of those of the process.
#[derive(Default)]
struct Request {
    /// The directory that relative paths start from; empty for that of the process.
    directory: PathBuf,
    /// The messages so far.
    said: String,
}

thread_local! {
    static REQUEST: RefCell<Option<Request>> = const { RefCell::new(None) };
}

/// Does the work of a request on this thread; returns its messages as well.
pub(crate) fn serve<T>(directory: PathBuf, work: impl FnOnce() -> T) -> (T, String) {
    let said = String::new();
    REQUEST.set(Some(Request { directory, said }));
    let done = work();
    let said = REQUEST.take().map_or(String::new(), |request| request.said);
    (done, said)
}

/// Returns what `look` finds in the request that is served on this thread; nothing if there is none
/// or the thread is about to end.
fn find<T>(look: impl FnOnce(&mut Request) -> T) -> Option<T> {
    let found = REQUEST.try_with(|request| request.borrow_mut().as_mut().map(look));
    found.ok().flatten()
}

/// Returns whether a request is served on this thread.
pub(crate) fn is_served() -> bool {
    find(|_| ()).is_some()
}

/// Returns the path of a file that the command line names.
pub(crate) fn path(path: &Path) -> PathBuf {
    find(|request| request.directory.join(path)).unwrap_or_else(|| path.to_path_buf())
}

/// Adds to the messages of the request; returns false if there is none.
pub(crate) fn say(message: &str) -> bool {
    find(|request| request.said += message).is_some()
}
