//! A short list in place.

/// A list of at most `N` elements that lies in the row of a table itself, which takes less room
/// than a slice of elements elsewhere.
#[derive(Clone, Copy)]
pub(crate) struct InlineList<T, const N: usize> {
    elements: [T; N],
    len: u8,
}

impl<T: Copy, const N: usize> InlineList<T, N> {
    /// Makes the list of these elements, at most `N`, at compile time; `unused` fills the rest.
    pub(crate) const fn new(list: &[T], unused: T) -> InlineList<T, N> {
        let (mut elements, mut len) = ([unused; N], 0);
        while len < list.len() {
            elements[len] = list[len];
            len += 1;
        }
        InlineList {
            elements,
            len: len as u8,
        }
    }

    /// Returns the elements.
    pub(crate) const fn as_slice(&self) -> &[T] {
        match self.elements.split_at_checked(self.len as usize) {
            Some((list, _)) => list,
            None => &[],
        }
    }
}
