//! Sorting in little code: by a key, in place, in `n log n` steps whatever the order before. The
//! order of elements with one key is unspecified.

/// Sorts `elements` by `key`, by heapsort unless they are sorted already.
pub(crate) fn sort_by_key<T, K: Ord>(elements: &mut [T], key: impl Fn(&T) -> K) {
    if elements.is_sorted_by_key(&key) {
        return;
    }
    let len = elements.len();
    for start in (0..len / 2).rev() {
        sift_down(elements, start, &key);
    }
    for end in (1..len).rev() {
        elements.swap(0, end);
        sift_down(elements.get_mut(..end).unwrap_or_default(), 0, &key);
    }
}

/// Restores the heap `heap[start..]`, the largest first, where only the first element may be too
/// small.
#[inline(never)]
fn sift_down<T, K: Ord>(heap: &mut [T], start: usize, key: &impl Fn(&T) -> K) {
    let mut parent = start;
    loop {
        let mut child = 2 * parent + 1;
        let Some(mut larger) = heap.get(child).map(key) else {
            return;
        };
        if let Some(other) = heap.get(child + 1).map(key)
            && other > larger
        {
            (child, larger) = (child + 1, other);
        }
        if heap.get(parent).map(key) >= Some(larger) {
            return;
        }
        heap.swap(parent, child);
        parent = child;
    }
}

#[cfg(test)]
mod tests {
    use super::sort_by_key;
    use std::vec::Vec;

    #[test]
    fn any_order_is_sorted() {
        let longest = if cfg!(miri) { 12 } else { 40_u32 };
        for len in 0..longest {
            for step in [1, 7, 11, 39, 40] {
                let mut ours: Vec<u32> = (0..len).map(|number| number * step % 41).collect();
                let mut theirs = ours.clone();
                theirs.sort_by_key(|&number| u32::MAX - number);
                sort_by_key(&mut ours, |&number| u32::MAX - number);
                assert_eq!(ours, theirs, "{len} elements, step {step}");
            }
        }
    }

    #[test]
    fn keys_may_be_equal() {
        let mut pairs: Vec<(u32, u32)> = (0..100).map(|number| (number * 7 % 5, number)).collect();
        sort_by_key(&mut pairs, |&(key, _)| key);
        assert!(pairs.is_sorted_by_key(|&(key, _)| key));
        let mut numbers: Vec<u32> = pairs.iter().map(|&(_, number)| number).collect();
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..100));
    }
}
