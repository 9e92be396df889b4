//! References: places in code and data that hold addresses.

use crate::codegen::{Error, Helper, Phase};
use crate::machine::Symbol;

/// Eight bytes of code that hold an address.
#[derive(Clone, Copy)]
pub(super) struct Reference {
    at: u32,
    symbol: Symbol,
    addend: i64,
}

/// Eight bytes of data that hold a label's address or the difference of two.
#[derive(Clone, Copy)]
pub(super) struct LabelReference {
    pub(super) address: usize,
    pub(super) label: i64,
    pub(super) label2: Option<i64>,
    pub(super) disp: i64,
}

impl Reference {
    /// Returns a reference at `at` in code of so many bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Internal`]: it is not within the code, or of a routine that is not there.
    pub(super) fn new(
        at: u32,
        symbol: Symbol,
        addend: i64,
        length: usize,
    ) -> Result<Reference, Error> {
        let is_inside = (at as usize)
            .checked_add(8)
            .is_some_and(|end| end <= length);
        let is_known = match symbol {
            Symbol::Helper(helper) => Helper::of(helper).is_some(),
            _ => true,
        };
        if is_inside && is_known {
            Ok(Reference { at, symbol, addend })
        } else {
            Err(Phase::Placement.internal(None))
        }
    }

    /// Returns the same reference in code that moved from one offset to another.
    pub(super) const fn moved(self, from: u32, to: u32) -> Reference {
        let at = self.at.wrapping_sub(from).wrapping_add(to);
        Reference { at, ..self }
    }

    /// Returns the symbol whose address is wanted.
    pub(super) const fn symbol(&self) -> Symbol {
        self.symbol
    }

    /// Stores the address that the symbol has.
    pub(super) fn store(&self, code: &mut [u8], address: usize, is_big_endian: bool) {
        let address = address.wrapping_add_signed(self.addend as isize);
        let bytes = if is_big_endian {
            address.to_be_bytes()
        } else {
            address.to_le_bytes()
        };
        let place = code.get_mut(self.at as usize..);
        if let Some(place) = place.and_then(|rest| rest.get_mut(..8)) {
            place.copy_from_slice(&bytes);
        }
    }
}

impl LabelReference {
    /// Returns the same reference to code that moved from one offset to another.
    pub(super) fn moved(self, from: u32, to: u32) -> LabelReference {
        let moved = |label: i64| label - i64::from(from) + i64::from(to);
        LabelReference {
            label: moved(self.label),
            label2: self.label2.map(moved),
            ..self
        }
    }

    /// Stores the value, the labels being counted from `base`.
    pub(super) fn store(&self, base: usize) {
        let value = match self.label2 {
            Some(other) => self.label.wrapping_sub(other),
            None => (base as i64).wrapping_add(self.label),
        };
        let value = value.wrapping_add(self.disp);
        let place = core::ptr::with_exposed_provenance_mut::<i64>(self.address);
        // SAFETY: the address of an `lref` item, eight bytes of the module's data that nobody reads
        // before the function first ran.
        unsafe { place.write_unaligned(value) };
    }
}
