//! Low level types.

/// What a type consists of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Element {
    /// `sN`: so many bits.
    Scalar(u32),
    /// `pA`: an address in an address space.
    Pointer(u32),
}

impl Element {
    /// Width in bits.
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

/// How many elements a vector has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Lanes {
    /// Their number, or its known factor.
    pub count: u32,
    /// Whether the machine multiplies the number.
    pub is_scalable: bool,
}

/// A low level type (LLT).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LowType {
    /// What it is, or what the elements are.
    pub element: Element,
    /// For vectors.
    pub lanes: Option<Lanes>,
}

impl LowType {
    /// `sN`.
    #[must_use]
    pub const fn scalar(bits: u32) -> LowType {
        LowType {
            element: Element::Scalar(bits),
            lanes: None,
        }
    }

    /// `pA`.
    #[must_use]
    pub const fn pointer(address_space: u32) -> LowType {
        LowType {
            element: Element::Pointer(address_space),
            lanes: None,
        }
    }

    /// Whether it is one address.
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

    /// Whether it is an address or a vector of such.
    #[must_use]
    pub const fn has_pointers(&self) -> bool {
        matches!(self.element, Element::Pointer(_))
    }

    /// Whether it is a number of bits.
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

    /// Whether it has lanes.
    #[must_use]
    pub const fn is_vector(&self) -> bool {
        self.lanes.is_some()
    }

    /// All bits; for scalable vectors those that the machine multiplies.
    #[must_use]
    pub fn bits(&self) -> u64 {
        self.element.bits() * u64::from(self.lanes.map_or(1, |lanes| lanes.count))
    }

    /// Whether the size is known.
    #[must_use]
    pub fn is_scalable(&self) -> bool {
        self.lanes.is_some_and(|lanes| lanes.is_scalable)
    }
}
