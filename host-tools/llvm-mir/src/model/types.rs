//! Low level types.

/// The element of a type: a scalar or pointer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Element {
    /// `sN`: a scalar of N bits.
    Scalar(u32),
    /// `pA`: an address in an address space.
    Pointer(u32),
}

impl Element {
    /// Returns the width in bits.
    #[must_use]
    pub fn bits(self) -> u64 {
        match self {
            Element::Scalar(bits) => u64::from(bits),
            // The address spaces 270 and 271 of x86_64 hold addresses of 32 bits.
            Element::Pointer(270 | 271) => 32,
            Element::Pointer(_) => 64,
        }
    }
}

/// The number of elements of a vector.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Lanes {
    /// The number, or the factor of `vscale` if it is scalable.
    pub count: u32,
    /// True if the number is multiplied by the machine's `vscale`.
    pub is_scalable: bool,
}

/// A low level type (LLT).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LowType {
    /// The type itself, or that of each element.
    pub element: Element,
    /// The number of elements of a vector; `None` for other types.
    pub lanes: Option<Lanes>,
}

impl LowType {
    /// Returns the type `sN`.
    #[must_use]
    pub const fn scalar(bits: u32) -> LowType {
        LowType {
            element: Element::Scalar(bits),
            lanes: None,
        }
    }

    /// Returns the type `pA`.
    #[must_use]
    pub const fn pointer(address_space: u32) -> LowType {
        LowType {
            element: Element::Pointer(address_space),
            lanes: None,
        }
    }

    /// Returns whether the type is a single pointer.
    #[must_use]
    pub const fn is_pointer(&self) -> bool {
        matches!(
            self,
            LowType {
                element: Element::Pointer(_),
                lanes: None
            }
        )
    }

    /// Returns whether the type is a pointer or a vector of pointers.
    #[must_use]
    pub const fn has_pointers(&self) -> bool {
        matches!(self.element, Element::Pointer(_))
    }

    /// Returns whether the type is a scalar.
    #[must_use]
    pub const fn is_scalar(&self) -> bool {
        matches!(
            self,
            LowType {
                element: Element::Scalar(_),
                lanes: None
            }
        )
    }

    /// Returns whether the type is a vector.
    #[must_use]
    pub const fn is_vector(&self) -> bool {
        self.lanes.is_some()
    }

    /// Returns the number of bits; for a scalable vector, the number that `vscale` multiplies.
    #[must_use]
    pub fn bits(&self) -> u64 {
        self.element.bits() * u64::from(self.lanes.map_or(1, |lanes| lanes.count))
    }

    /// Returns whether the size depends on the machine's `vscale`.
    #[must_use]
    pub fn is_scalable(&self) -> bool {
        self.lanes.is_some_and(|lanes| lanes.is_scalable)
    }
}
