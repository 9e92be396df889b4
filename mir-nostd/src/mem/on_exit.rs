//! Work at the end of a scope.

/// Runs a closure when it is dropped: also if something unwinds the stack, where that is possible.
pub(crate) struct OnExit<F: FnMut()>(pub(crate) F);

impl<F: FnMut()> Drop for OnExit<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}
