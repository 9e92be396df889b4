//! Data that begin at a multiple of more than 16.

use super::{Item, Module};

/// The alignment of each piece of data, found on the way through the items of a module.
///
/// A piece begins at a multiple of 16, or of the number in the name of a data item before it:
/// `.align.4096` or `.align.4096.NAME`, a power of two up to 65536. Such an item is otherwise data
/// like any other, usually `bss 0`.
///
/// ```
/// use mir_nostd::ir::Alignments;
/// assert_eq!(Alignments::of_name(b".align.4096.pages"), Some(4096));
/// assert_eq!(Alignments::of_name(b".align.64"), Some(64));
/// assert_eq!(Alignments::of_name(b".align.65"), None);
/// ```
#[derive(Clone, Debug)]
pub struct Alignments {
    next: u32,
}

impl Alignments {
    /// The alignment of data without such an item.
    pub const USUAL: u32 = 16;
    /// The largest alignment.
    pub const LARGEST: u32 = 1 << 16;

    /// Returns the state before the first item of a module.
    #[must_use]
    pub const fn new() -> Alignments {
        Alignments {
            next: Alignments::USUAL,
        }
    }

    /// Returns the alignment that an item of this name asks for; `None` if it is ordinary data.
    #[must_use]
    pub fn of_name(name: &[u8]) -> Option<u32> {
        let rest = name.strip_prefix(b".align.")?;
        let mut number = 0;
        for &byte in rest {
            match byte {
                b'0'..=b'9' if number <= Alignments::LARGEST => {
                    number = number * 10 + u32::from(byte & 15);
                }
                b'.' => break,
                _ => return None,
            }
        }
        let fits = number.is_power_of_two() && number <= Alignments::LARGEST;
        fits.then_some(number)
    }

    /// Returns the alignment of the piece of data that begins with an item, which comes after all
    /// that were asked for before.
    #[inline(never)]
    pub fn of_piece(&mut self, module: &Module<'_>, first: &Item) -> u32 {
        let name = first.name.map(|name| module.name_bytes(name));
        if let Some(asked) = name.and_then(Alignments::of_name) {
            self.next = self.next.max(asked);
            return Alignments::USUAL;
        }
        core::mem::replace(&mut self.next, Alignments::USUAL)
    }
}

impl Default for Alignments {
    fn default() -> Alignments {
        Alignments::new()
    }
}
